/* SPDX-License-Identifier: MIT
 *
 * Histories are written by hand, record by record, or drawn by a generator of the test's own with a fixed seed.
 */
#include "model/linear.h"

#include "sim/test.h"

#include <stdlib.h>

enum { N_NONE, N_LEDGER, N_MAIL, N_STALE, N_CONFLICT, N_REFUSED, N_HOLDER, N_TIMEOUT, N_LOST, N_A, N_B, N_ALSO_A, N_W };
#define WORKERS 200u /* w0 .. */
#define NAMES (N_W + WORKERS)

/* The world of these tests: two registers, many threads, each a process of its own. */
static struct {
    char text[NAMES][8];
    const char *texts[NAMES];
    uint64_t hash[NAMES];
    struct names names;
    struct process_plan processes[WORKERS];
    struct thread_plan threads[WORKERS];
    struct sim_plan sim;
    struct register_plan registers[2];
    struct instr code[2];
    struct model_plan plan;
    struct record *trace;
    uint32_t n, capacity;
} w;

static void name(uint32_t id, const char *text)
{
    strcpy(w.text[id], text);
    w.texts[id] = w.text[id];
    w.hash[id] = hash_text(text);
}

static void name_all(void)
{
    static const char *const fixed[N_W] = {"",       "ledger",  "mail", "stale", "confl", "refused",
                                           "holder", "timeout", "lost", "a",     "b",     "a"};
    for (uint32_t i = 0; i < N_W; i++)
        name(i, fixed[i]);
    for (uint32_t i = 0; i < WORKERS; i++) {
        char text[] = {'w', (char)('0' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10), 0};
        name(N_W + i, text);
        w.processes[i] = (struct process_plan){(name_id)(N_W + i), 0, (uint16_t)i, 1};
        w.threads[i] = (struct thread_plan){(name_id)(N_W + i), (uint16_t)i, 1, 0};
    }
}

static void world(void)
{
    memset(&w.plan, 0, sizeof w.plan);
    name_all();
    w.names = (struct names){NAMES, w.texts, w.hash};
    w.sim = (struct sim_plan){.names = &w.names, .n_processes = WORKERS, .n_threads = WORKERS};
    w.sim.processes = w.processes;
    w.sim.threads = w.threads;
    w.registers[0] = (struct register_plan){N_LEDGER, 0, 1, 0};
    w.registers[1] = (struct register_plan){N_MAIL, 0, 0, 0};
    w.code[0] = (struct instr){.op = OP_READ, .reg = 0};
    w.code[1] = (struct instr){.op = OP_READ, .reg = 1};
    w.plan.sim = &w.sim;
    w.plan.n_registers = 2;
    w.plan.registers = w.registers;
    w.plan.code = w.code;
    w.plan.n_code = 2;
    w.plan.error_name[ERR_STALE_TOKEN] = N_STALE;
    w.plan.error_name[ERR_CONFLICT] = N_CONFLICT;
    w.plan.error_name[ERR_REFUSED] = N_REFUSED;
    w.plan.error_name[ERR_NOT_HOLDER] = N_HOLDER;
    w.plan.error_name[ERR_TIMEOUT] = N_TIMEOUT;
    w.plan.error_name[ERR_LEASE_LOST] = N_LOST;
    w.n = 0;
}

/* --- records -------------------------------------------------------------------------------------- */

static struct record *put(uint32_t worker, uint16_t verb, name_id object)
{
    if (w.n == w.capacity) {
        w.capacity = w.capacity == 0 ? 1024 : 2 * w.capacity;
        w.trace = realloc(w.trace, w.capacity * sizeof *w.trace);
        if (w.trace == NULL)
            abort();
    }
    struct record *r = &w.trace[w.n++];
    memset(r, 0, sizeof *r);
    r->at = (ns)w.n;
    r->actor = (name_id)(N_W + worker);
    r->verb = verb;
    r->object = object;
    r->start = 1;
    return r;
}

static void field(struct record *r, int i, enum tag tag, int64_t v)
{
    r->tag[i] = (uint8_t)tag;
    r->field[i] = v;
}

/* 0 is none: a delete, or a read of no value. */
static void writes(uint32_t worker, int64_t v)
{
    struct record *r = put(worker, v == 0 ? V_DELETES : V_WRITES, N_LEDGER);
    if (v != 0)
        field(r, 1, TAG_INT, v);
}

static void hears(uint32_t worker) { field(put(worker, V_HEARS, N_NONE), 1, TAG_NAME, N_LEDGER); }
static void reads(uint32_t worker) { put(worker, V_READS, N_LEDGER); }
static void gets(uint32_t worker, int64_t v)
{
    put(worker, V_HEARS, N_NONE);
    field(put(worker, V_GETS, N_LEDGER), 0, v == 0 ? TAG_NONE : TAG_INT, v);
}
static void fails(uint32_t worker, name_id error) { put(worker, V_FAILED, error); }

static void wrote(uint32_t worker, int64_t v)
{
    writes(worker, v);
    hears(worker);
}

static void did_read(uint32_t worker, int64_t v)
{
    reads(worker);
    gets(worker, v);
}

static struct violation broken;
static struct undecided undecided[4];
static uint32_t n_undecided;

/* The memory is full of rubbish: whatever must be zero, the judge makes so. */
static enum linear_verdict judge(void)
{
    size_t bytes = linear_bytes(&w.plan, w.trace, w.n);
    CHECK(bytes > 0 && bytes < (4 << 20));
    void *memory = malloc(bytes);
    if (memory == NULL)
        abort();
    memset(memory, 0xA5, bytes);
    enum linear_verdict verdict = linear_judge(&w.plan, w.trace, w.n, memory, &broken, undecided, 4, &n_undecided);
    free(memory);
    return verdict;
}

/* --- by hand ------------------------------------------------------------------------------------------ */

TEST("a read behind an answered write sees it, or an older value has come back")
{
    world();
    wrote(0, 1);
    wrote(1, 2);
    did_read(2, 2);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(2, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.invariant, INV_LINEARIZABLE);
    CHECK_EQ(broken.record, w.n);
    CHECK_EQ(broken.at, w.n);
    CHECK_EQ(broken.other, 3);
    CHECK_EQ(broken.node, N_W + 2);
    CHECK_EQ(broken.resource, N_LEDGER);
}

TEST("a read at the time of a write sees either, but not the old value after the new one")
{
    for (int64_t first = 1; first <= 2; first++) {
        for (int64_t second = 1; second <= 2; second++) {
            world();
            wrote(0, 1);
            writes(0, 2);
            did_read(1, first);
            did_read(2, second);
            hears(0);
            did_read(1, 2);
            CHECK_EQ(judge(), first > second ? LINEAR_NO : LINEAR_YES);
        }
    }
}

TEST("a register has no value at first and after a delete")
{
    world();
    did_read(0, 0);
    wrote(1, 3);
    wrote(1, 0);
    did_read(0, 0);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(0, 3);
    CHECK_EQ(judge(), LINEAR_NO);
}

TEST("an unknown write may be seen later, or never, but not seen and then unseen")
{
    world();
    wrote(0, 1);
    writes(0, 2);
    fails(0, N_TIMEOUT);
    did_read(1, 1);
    did_read(1, 1);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(1, 2);
    CHECK_EQ(judge(), LINEAR_YES);
    uint32_t seen = w.n;
    did_read(1, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.other, seen); /* the latest answered write is what was read */
}

TEST("two reads that go on may show that two unknown writes came before a third one")
{
    world();
    for (uint32_t i = 0; i < 2; i++) {
        writes(i, i + 2);
        fails(i, N_TIMEOUT);
        reads(i);
    }
    wrote(2, 1);
    did_read(3, 1);
    gets(0, 2);
    gets(1, 3);
    did_read(3, 1);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(3, 2);
    CHECK_EQ(judge(), LINEAR_NO);
}

TEST("a write that the store refused did not happen, whatever the reason it gave")
{
    static const name_id refusals[] = {N_STALE, N_CONFLICT, N_REFUSED, N_HOLDER}, unknown[] = {N_TIMEOUT, N_LOST};
    for (size_t i = 0; i < 6; i++) {
        world();
        wrote(0, 1);
        writes(0, 2);
        fails(0, i < 4 ? refusals[i] : unknown[i - 4]);
        did_read(1, 2);
        CHECK_EQ(judge(), i < 4 ? LINEAR_NO : LINEAR_YES);
    }
}

TEST("a crash leaves a write unknown: the next start's answers are not its own")
{
    world();
    writes(0, 2);
    reads(0);
    w.trace[w.n - 1].start = 2;
    gets(0, 0);
    w.trace[w.n - 1].start = w.trace[w.n - 2].start = 2;
    did_read(1, 2);
    CHECK_EQ(judge(), LINEAR_YES);
    world();
    wrote(1, 1);
    writes(0, 2);
    hears(0);
    w.trace[w.n - 1].start = 2; /* nobody's answer */
    did_read(1, 1);
    CHECK_EQ(judge(), LINEAR_YES);
}

TEST("a read without an answer says nothing, and registers are judged each by itself")
{
    world();
    wrote(0, 1);
    reads(1);
    fails(1, N_TIMEOUT);
    put(2, V_READS, N_MAIL);
    put(2, V_HEARS, N_NONE);
    put(2, V_GETS, N_MAIL);
    CHECK_EQ(judge(), LINEAR_YES);
    put(2, V_READS, N_MAIL);
    field(put(2, V_GETS, N_MAIL), 0, TAG_INT, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.resource, N_MAIL);
    CHECK_EQ(broken.other, 7); /* it read none before */
    uint32_t record = broken.record;
    did_read(1, 7); /* breaks another, and later */
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.record, record);
}

TEST("of two registers the one that breaks first is told, in whichever order they stand")
{
    world();
    did_read(1, 7);
    put(2, V_READS, N_MAIL);
    field(put(2, V_GETS, N_MAIL), 0, TAG_INT, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.resource, N_LEDGER);
}

TEST("values are equal as the language says: a name and a text that read alike, and no others")
{
    static const struct {
        enum tag wrote, got;
        int64_t v, g;
        enum linear_verdict verdict;
    } rows[] = {{TAG_TEXT, TAG_NAME, N_A, N_ALSO_A, LINEAR_YES},
                {TAG_TEXT, TAG_TEXT, N_A, N_B, LINEAR_NO},
                {TAG_INT, TAG_NS, 5, 5, LINEAR_NO},
                {TAG_NS, TAG_NS, 5, 5, LINEAR_YES},
                {TAG_BOOL, TAG_INT, 1, 1, LINEAR_NO}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world();
        field(put(0, V_WRITES, N_LEDGER), 1, rows[i].wrote, rows[i].v);
        hears(0);
        reads(1);
        field(put(1, V_GETS, N_LEDGER), 0, rows[i].got, rows[i].g);
        CHECK_EQ(judge(), rows[i].verdict);
    }
}

TEST("a row that is read is no register, and where nothing can be read nothing is judged")
{
    world();
    put(0, V_READS, N_B);
    field(put(0, V_GETS, N_B), 0, TAG_INT, 9);
    put(0, V_DELETES, N_B);
    field(put(0, V_HEARS, N_NONE), 1, TAG_NAME, N_B);
    CHECK_EQ(judge(), LINEAR_YES);
    w.code[0].op = w.code[1].op = OP_WRITE;
    CHECK_EQ(linear_bytes(&w.plan, w.trace, w.n), 0);
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static void check_undecided(void)
{
    CHECK_EQ(judge(), LINEAR_UNDECIDED);
    CHECK_EQ(n_undecided, 1);
    CHECK_EQ(undecided[0].invariant, INV_LINEARIZABLE);
    CHECK_EQ(undecided[0].resource, N_LEDGER);
    CHECK_EQ(undecided[0].why, WHY_TOO_MUCH);
}

/* So many writes at one time, and, if they are seen, as many reads that see one each. */
static void all_at_once(uint32_t n, bool seen)
{
    world();
    for (uint32_t i = 0; seen && i < n; i++)
        reads(n + i);
    for (uint32_t i = 0; i < n; i++)
        writes(i, i + 1);
    for (uint32_t i = 0; i < n; i++)
        hears(i);
    did_read(2 * n, n);
    for (uint32_t i = 0; seen && i < n; i++)
        gets(n + i, (int64_t)i + 1);
}

TEST("many writes at one time are decided, as long as not too many of them are seen")
{
    all_at_once(LINEAR_SLOTS - 1, false);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(100, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    all_at_once(LINEAR_SLOTS + 1, false);
    check_undecided();
    all_at_once(10, true);
    CHECK_EQ(judge(), LINEAR_YES);
    all_at_once(24, true);
    check_undecided();
}

static void unknown_writes(uint32_t n, bool seen)
{
    world();
    for (uint32_t i = 0; i < n; i++)
        writes(i, i + 1);
    for (uint32_t i = 0; seen && i < n; i++)
        did_read(n, (int64_t)i + 1);
    did_read(n, seen ? (int64_t)n : 0);
}

TEST("unknown writes that nobody sees cost nothing, and of those that are seen as many as there are slots")
{
    unknown_writes(WORKERS - 1, false);
    CHECK_EQ(judge(), LINEAR_YES);
    unknown_writes(LINEAR_SLOTS - 1, true);
    CHECK_EQ(judge(), LINEAR_YES);
    did_read(100, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    unknown_writes(LINEAR_SLOTS, true);
    check_undecided();
}

TEST("a register that breaks is told beside one that stays undecided")
{
    all_at_once(24, true);
    put(0, V_READS, N_MAIL);
    field(put(0, V_GETS, N_MAIL), 0, TAG_INT, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.resource, N_MAIL);
    CHECK_EQ(n_undecided, 1);
}

TEST("a trace of as many calls as the bound is judged, and one of more is undecided")
{
    world();
    for (uint32_t i = 0; i + 2 < LINEAR_CALLS; i++)
        i % 2 == 0 ? wrote(0, i) : did_read(1, i - 1);
    reads(2);
    did_read(1, 1);
    CHECK_EQ(judge(), LINEAR_NO);
    CHECK_EQ(broken.record, w.n);
    reads(3);
    w.code[1].op = OP_WRITE;
    check_undecided();
}

/* --- by brute force ----------------------------------------------------------------------------------------- */

#define OPS_MAX 10
#define EVENTS_MAX (2 * OPS_MAX)
#define THREADS 3u

static uint64_t seed;
static uint32_t draw(uint32_t n)
{
    seed += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash_step(hash_step(1, seed), seed >> 7) >> 20) % n;
}

/* An operation of a drawn history. called and answered are places in it; answered EVENTS_MAX: unknown. */
struct drawn {
    uint32_t thread, called, answered;
    int64_t v;
    bool reads, effective, left; /* left: its thread went on without an answer */
};

static struct {
    struct drawn op[OPS_MAX];
    uint32_t n, events;
    int64_t value;
    uint32_t event[EVENTS_MAX]; /* 2 * operation + is it the answer */
} d;

/* The operation that a thread waits for; OPS_MAX: none. */
static uint32_t waiting(uint32_t thread)
{
    for (uint32_t i = 0; i < d.n; i++)
        if (d.op[i].thread == thread && !d.op[i].left && d.op[i].answered == EVENTS_MAX)
            return i;
    return OPS_MAX;
}

static void draw_call(uint32_t thread)
{
    if (d.n == OPS_MAX)
        return;
    struct drawn *op = &d.op[d.n];
    *op = (struct drawn){thread, d.events, EVENTS_MAX, (int64_t)draw(4), draw(2) == 0, false, false};
    d.event[d.events++] = 2 * d.n++;
}

static void draw_effect(struct drawn *op)
{
    op->effective = true;
    if (op->reads)
        op->v = d.value;
    else
        d.value = op->v;
}

static void draw_answer(uint32_t i)
{
    d.op[i].answered = d.events;
    d.event[d.events++] = 2 * i + 1;
}

/* One thing happens to an atomic register: a call, an effect, an answer, or a thread no longer waits. An unknown write
 * may still take effect. */
static void draw_step(void)
{
    uint32_t thread = draw(THREADS), i = waiting(thread), any = d.n == 0 ? 0 : draw(d.n);
    if (d.n > 0 && d.op[any].left && !d.op[any].effective && !d.op[any].reads && draw(2) == 0)
        draw_effect(&d.op[any]);
    else if (i == OPS_MAX)
        draw_call(thread);
    else if (draw(7) == 0)
        d.op[i].left = true;
    else if (!d.op[i].effective)
        draw_effect(&d.op[i]);
    else
        draw_answer(i);
}

/* Another value, or two neighbours change places. */
static void corrupt(void)
{
    uint32_t k = draw(d.events - 1), a = d.event[k], b = d.event[k + 1];
    if (draw(2) == 0) {
        d.op[draw(d.n)].v = draw(4);
    } else if (d.op[a / 2].thread != d.op[b / 2].thread) {
        d.event[k] = b;
        d.event[k + 1] = a;
        *(b % 2 ? &d.op[b / 2].answered : &d.op[b / 2].called) = k;
        *(a % 2 ? &d.op[a / 2].answered : &d.op[a / 2].called) = k + 1;
    }
}

static void draw_history(void)
{
    memset(&d, 0, sizeof d);
    for (uint32_t steps = 8 + draw(40); steps > 0 || d.events<2; steps -= steps> 0)
        draw_step();
    for (uint32_t n = draw(4); n > 0; n--)
        corrupt();
}

/* May this operation come next, behind those in `done`, in the history up to `events`? */
static bool may_be_next(uint32_t i, uint32_t done, int64_t value, uint32_t events)
{
    const struct drawn *op = &d.op[i];
    if (done >> i & 1 || op->called >= events)
        return false;
    if (op->reads && (op->answered >= events || op->v != value))
        return false;
    for (uint32_t k = 0; k < d.n; k++)
        if (!(done >> k & 1) && d.op[k].answered < op->called)
            return false;
    return true;
}

static bool all_answered(uint32_t done, uint32_t events)
{
    for (uint32_t i = 0; i < d.n; i++)
        if (!(done >> i & 1) && d.op[i].answered < events)
            return false;
    return true;
}

/* Every permutation of every choice of unknown operations, depth first: is one legal? */
static bool has_legal_order(uint32_t events)
{
    uint32_t order[OPS_MAX + 1] = {0}, depth = 0, done[OPS_MAX + 2] = {0};
    int64_t value[OPS_MAX + 2] = {0};
    while (!all_answered(done[depth], events)) {
        uint32_t i = order[depth];
        while (i < d.n && !may_be_next(i, done[depth], value[depth], events))
            i++;
        if (i < d.n) {
            order[depth] = i + 1;
            done[depth + 1] = done[depth] | UINT32_C(1) << i;
            value[depth + 1] = d.op[i].v;
            order[++depth] = 0;
        } else if (depth-- == 0) {
            return false;
        }
    }
    return true;
}

/* The shortest history without a legal order; 0: all of it has one. */
static uint32_t shortest_broken(void)
{
    for (uint32_t events = 1; events <= d.events; events++)
        if (!has_legal_order(events))
            return events;
    return 0;
}

/* As records: where a thread goes on without an answer, its step failed, or its process started again. Returns in
 * record[] the number of the record of each event. */
static void put_history(uint32_t *record)
{
    uint16_t start[THREADS] = {1, 1, 1};
    bool waits[THREADS] = {false, false, false};
    world();
    for (uint32_t e = 0; e < d.events; e++) {
        const struct drawn *op = &d.op[d.event[e] / 2];
        bool call = d.event[e] % 2 == 0;
        uint32_t first = w.n;
        if (call && waits[op->thread]) {
            if (e % 2 == 0)
                start[op->thread]++;
            else
                fails(op->thread, N_TIMEOUT);
        }
        waits[op->thread] = call;
        if (call)
            op->reads ? reads(op->thread) : writes(op->thread, op->v);
        else
            op->reads ? gets(op->thread, op->v) : hears(op->thread);
        for (uint32_t i = first; i < w.n; i++)
            w.trace[i].start = start[op->thread];
        record[e] = w.n;
    }
}

TEST("ten thousand drawn histories are judged as every permutation of each says, and broken by the same answer")
{
    uint32_t record[EVENTS_MAX], good = 0, bad = 0, wrong = 0;
    seed = 1;
    for (uint32_t i = 0; i < TEST_FEWER(10000); i++) {
        draw_history();
        put_history(record);
        uint32_t shortest = shortest_broken();
        enum linear_verdict verdict = judge();
        if (verdict != (shortest > 0 ? LINEAR_NO : LINEAR_YES))
            wrong++;
        else if (shortest > 0 && broken.record != record[shortest - 1])
            wrong++;
        good += shortest == 0;
        bad += shortest > 0;
    }
    CHECK_EQ(wrong, 0);
    CHECK(good > TEST_FEWER(3000));
    CHECK(bad > TEST_FEWER(1500));
}
