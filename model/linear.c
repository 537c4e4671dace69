/* SPDX-License-Identifier: MIT
 *
 * linear.c - see linear.h. First the trace is read into operations, then each register's are searched for a legal
 * order.
 *
 *     w1  |--- write a ---|         |-- read: b --|
 *     w2        |---- write b ----|                    each takes effect at one instant between its ends
 *         c-----c---------a-------a-c-------------a    the events of the register: calls and answers
 *
 * A *configuration* is one way in which it may have gone so far: the register's value, and which of the operations
 * under way have taken effect. The search goes through the events once and keeps all configurations that differ, so
 * that two ways that led to the same are one from there on. It decides as late as it can (J. Wing and C. Gong, 1993;
 * just in time: G. Lowe, 2017; each register by itself: A. Horn and D. Kroening, 2015):
 *
 *  1. At a call nothing is decided. At an answer each configuration in which the operation has not taken effect goes
 *     on in every way in which it can: some of the other writes under way first, in any order, then this one (for a
 *     read: a write of its value). When none is left, the history up to this answer has no legal order, and it had one
 *     before.
 *  2. What a read will return is known from its call on, for the trace is complete. It takes effect at the first
 *     instant at which the register has that value: a read changes nothing, so waiting gains nothing.
 *  3. An unknown write takes effect only for a read that wants its value: whoever else would see it does not exist.
 *     One that no later answer shows is never looked at, and after the last such answer it is forgotten. Of those with
 *     one value any does as well as another: the first.
 *  4. An answered write that no later answer shows only has to be out of the way: it takes effect just before
 *     whichever other write does next. And values that no later answer shows are all the same value.
 *
 * So an instant without operations under way leaves one configuration for each value that the register may have and
 * that somebody still reads: there the history falls into parts by itself.
 */
#include "model/linear.h"

#include <string.h>

/* --- operations --------------------------------------------------------------------------------- */

struct operation {
    uint32_t called;   /* 1 + index of the record */
    uint32_t answered; /* the same; 0: unknown */
    uint32_t value;    /* written or read: the first operation of the register with an equal one */
    uint32_t shown;    /* of such a first one: the last answer to a read of that value; 0: nobody reads it */
    uint16_t reg;
    uint8_t reads;
    uint8_t gone; /* refused: it did not happen */
};

#define UNSEEN NONE32 /* a value that no later answer shows */

/* Of all registers. Event 2 * i is the call of operation i, 2 * i + 1 its answer. */
struct history {
    const struct model_plan *p;
    const struct record *trace;
    uint32_t n_records;
    uint32_t n, most; /* operations, and for how many there is room */
    bool too_many;
    struct operation *ops;
    uint32_t *next;        /* by event: the next of that register, NONE32: none */
    uint32_t *first;       /* by register: its first event */
    uint32_t *last;        /* and its last so far */
    uint32_t *under_way;   /* by name of a thread: 1 + its operation, 0: none */
    uint32_t *values;      /* a table of first operations, 1 + each; 0: free */
    uint32_t values_mask;  /* its size less one; at least twice as many as there are operations */
    uint16_t *register_of; /* by name: NONE16: none has it */
};

static void add_event(struct history *h, uint32_t op, uint32_t is_answer)
{
    uint32_t event = 2 * op + is_answer;
    uint16_t reg = h->ops[op].reg;
    if (h->first[reg] == NONE32)
        h->first[reg] = event;
    else
        h->next[h->last[reg]] = event;
    h->next[event] = NONE32;
    h->last[reg] = event;
}

static uint16_t register_named(const struct history *h, name_id name)
{
    return name == NONE16 ? NONE16 : h->register_of[name];
}

/* `reads`, `deletes` and `gets` may be about rows as well. */
static bool is_call(const struct history *h, const struct record *r)
{
    return (r->verb == V_WRITES || r->verb == V_DELETES || r->verb == V_READS) &&
           register_named(h, r->object) != NONE16;
}

static void read_call(struct history *h, const struct record *r)
{
    uint32_t called = (uint32_t)(r - h->trace) + 1;
    if (h->n == h->most) {
        h->too_many = true;
        return;
    }
    h->ops[h->n] = (struct operation){called, 0, UNSEEN, 0, h->register_of[r->object], r->verb == V_READS, 0};
    h->under_way[r->actor] = ++h->n;
    add_event(h, h->n - 1, 0);
}

/* The operation that this record of its thread is about; NONE32: none. That of an earlier start ended with it. */
static uint32_t operation_of(const struct history *h, const struct record *r)
{
    uint32_t op = h->under_way[r->actor];
    bool same_start = op > 0 && h->trace[h->ops[op - 1].called - 1].start == r->start;
    return same_start ? op - 1 : NONE32;
}

static void end_operation(struct history *h, const struct record *r, uint32_t op)
{
    h->ops[op].answered = (uint32_t)(r - h->trace) + 1;
    h->under_way[r->actor] = 0;
    add_event(h, op, 1);
}

static void read_gets(struct history *h, const struct record *r)
{
    uint32_t op = operation_of(h, r);
    if (op == NONE32 || !h->ops[op].reads || h->ops[op].reg != register_named(h, r->object))
        return;
    end_operation(h, r, op);
}

static void read_hears(struct history *h, const struct record *r)
{
    enum { HEARS_KEY = 1 };
    uint32_t op = operation_of(h, r);
    if (op == NONE32 || h->ops[op].reads || r->tag[HEARS_KEY] == TAG_NONE)
        return;
    if (h->register_of[r->field[HEARS_KEY]] == h->ops[op].reg)
        end_operation(h, r, op);
}

/* A store's no; whatever else ends a step leaves open what became of the call. */
static bool is_refusal(const struct model_plan *p, name_id error)
{
    return error == p->error_name[ERR_STALE_TOKEN] || error == p->error_name[ERR_CONFLICT] ||
           error == p->error_name[ERR_REFUSED] || error == p->error_name[ERR_NOT_HOLDER];
}

static void read_failed(struct history *h, const struct record *r)
{
    uint32_t op = operation_of(h, r);
    if (op != NONE32)
        h->ops[op].gone = is_refusal(h->p, r->object);
    h->under_way[r->actor] = 0;
}

static void read_trace(struct history *h)
{
    for (uint32_t i = 0; i < h->n_records; i++) {
        const struct record *r = &h->trace[i];
        if (is_call(h, r))
            read_call(h, r);
        else if (r->verb == V_GETS)
            read_gets(h, r);
        else if (r->verb == V_HEARS)
            read_hears(h, r);
        else if (r->verb == V_FAILED)
            read_failed(h, r);
    }
}

/* --- values ------------------------------------------------------------------------------------------- */

/* Written or read. A read without an answer has none that counts. */
static struct value value_of(const struct history *h, const struct operation *op)
{
    enum { WRITES_VALUE = 1, GETS_VALUE = 0 };
    const struct record *r = &h->trace[(op->reads && op->answered > 0 ? op->answered : op->called) - 1];
    if (r->verb == V_WRITES)
        return (struct value){r->field[WRITES_VALUE], r->tag[WRITES_VALUE]};
    if (r->verb == V_GETS)
        return (struct value){r->field[GETS_VALUE], r->tag[GETS_VALUE]};
    return (struct value){0, TAG_NONE};
}

/* Equal values have one hash: a name and a text that read alike are equal. */
static uint64_t value_hash(const struct history *h, uint16_t reg, struct value v)
{
    bool word = v.tag == TAG_NAME || v.tag == TAG_TEXT;
    uint64_t bits = v.tag == TAG_NONE ? 0 : word ? h->p->sim->names->hash[v.v] : (uint64_t)v.v;
    return hash_step(hash_step(hash_step(1, reg), word ? TAG_TEXT : v.tag), bits);
}

/* Where the first operation of this register with this value stands in the table, or is to stand. */
static uint32_t *find_value(const struct history *h, uint16_t reg, struct value v)
{
    uint64_t hash = value_hash(h, reg, v);
    uint32_t i = (uint32_t)(hash ^ hash >> 32) & h->values_mask;
    for (; h->values[i] > 0; i = (i + 1) & h->values_mask) {
        const struct operation *first = &h->ops[h->values[i] - 1];
        if (first->reg == reg && value_equal(h->p->sim->names, value_of(h, first), v))
            break;
    }
    return &h->values[i];
}

static void read_values(struct history *h)
{
    for (uint32_t i = 0; i < h->n; i++) {
        struct operation *op = &h->ops[i];
        uint32_t *first = find_value(h, op->reg, value_of(h, op));
        if (*first == 0)
            *first = i + 1;
        op->value = *first - 1;
        uint32_t *shown = &h->ops[op->value].shown;
        if (op->reads && op->answered > *shown)
            *shown = op->answered;
    }
}

/* The value, if a read that is answered after this record shows it. */
static uint32_t seen_after(const struct history *h, uint32_t value, uint32_t record)
{
    return value != UNSEEN && h->ops[value].shown > record ? value : UNSEEN;
}

/* --- configurations -------------------------------------------------------------------------------------- */

struct configuration {
    uint64_t done;  /* slots of the operations under way that have taken effect */
    uint32_t value; /* the register's, or UNSEEN */
    uint32_t place; /* where it stands in places[] */
};

struct search {
    const struct history *h;
    struct configuration *now, *next; /* before and after the event, LINEAR_CONFIGURATIONS each */
    uint32_t n_now, n_next;
    uint32_t *places; /* twice as many: 1 + row of next, 0: free */
    uint64_t steps;
    bool too_much;
    uint32_t record; /* of the answer that is looked at */
    uint64_t keep;   /* slots that are still taken after it */
    uint64_t taken;  /* slots with an operation under way */
    uint64_t reads;  /* of these: the reads */
    uint64_t sure;   /* and the writes that will be answered */
    uint32_t slot[LINEAR_SLOTS];
    uint32_t slots; /* used so far */
};

/* The place of a configuration in the table, or the free one where it belongs. It is never more than half full. */
static uint32_t find_place(const struct search *s, const struct configuration *c)
{
    uint32_t mask = 2 * LINEAR_CONFIGURATIONS - 1;
    uint64_t hash = hash_step(hash_step(1, c->done), c->value);
    uint32_t i = (uint32_t)(hash >> 32 ^ hash) & mask;
    for (; s->places[i] > 0; i = (i + 1) & mask) {
        const struct configuration *other = &s->next[s->places[i] - 1];
        if (other->done == c->done && other->value == c->value)
            break;
    }
    return i;
}

/* A configuration after the event, once. */
static void add(struct search *s, uint64_t done, uint32_t value)
{
    struct configuration c = {done & s->keep, seen_after(s->h, value, s->record), 0};
    c.place = find_place(s, &c);
    if (s->places[c.place] > 0)
        return;
    if (s->n_next == LINEAR_CONFIGURATIONS) {
        s->too_much = true;
        return;
    }
    s->next[s->n_next++] = c;
    s->places[c.place] = s->n_next;
}

/* False: the search is over, without an answer. */
static bool take_step(struct search *s)
{
    s->too_much = s->too_much || ++s->steps > LINEAR_STEPS;
    return !s->too_much;
}

/* --- what can take effect ---------------------------------------------------------------------------------- */

static uint64_t bit(uint32_t slot) { return UINT64_C(1) << slot; }

static uint32_t slot_value(const struct search *s, uint32_t slot) { return s->h->ops[s->slot[slot]].value; }

/* Those of `among` with this value. */
static uint64_t with_value(const struct search *s, uint64_t among, uint32_t value)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < s->slots && among >> i; i++)
        if (among >> i & 1 && slot_value(s, i) == value)
            found |= bit(i);
    return found;
}

static uint64_t lowest(uint64_t bits) { return bits & (~bits + 1); }

/* The reads under way that see one of these writes. */
static uint64_t seen_by(const struct search *s, uint64_t reads, uint64_t writes)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < s->slots && writes >> i; i++)
        if (writes >> i & 1)
            found |= with_value(s, reads, slot_value(s, i));
    return found;
}

/* Unknown writes that a read under way wants, the first of each value. */
static uint64_t wanted(const struct search *s, const struct configuration *c)
{
    uint64_t unknown = s->taken & ~s->reads & ~s->sure & ~c->done, reads = s->reads & ~c->done, found = 0;
    for (uint32_t i = 0; i < s->slots && unknown != 0 && reads >> i; i++)
        if (reads >> i & 1)
            found |= lowest(with_value(s, unknown, slot_value(s, i)));
    return found;
}

/* Of these writes, those that no later answer shows. */
static uint64_t unseen(const struct search *s, uint64_t writes)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < s->slots && writes >> i; i++)
        if (writes >> i & 1 && seen_after(s->h, slot_value(s, i), s->record) == UNSEEN)
            found |= bit(i);
    return found;
}

/* Some other writes take effect, in whichever order, and last the one in this slot. */
static void end_with(struct search *s, const struct configuration *c, uint32_t last)
{
    uint64_t hidden = unseen(s, s->sure & ~c->done);
    uint64_t others = ((s->sure & ~c->done & ~hidden) | wanted(s, c)) & ~bit(last), some = others;
    while (take_step(s)) {
        uint64_t writes = some | hidden | bit(last);
        add(s, c->done | writes | seen_by(s, s->reads & ~c->done, writes), slot_value(s, last));
        if (some == 0)
            break;
        some = (some - 1) & others;
    }
}

/* The operation in this slot takes effect, now that its answer is there. */
static void take_effect(struct search *s, const struct configuration *c, uint32_t slot)
{
    if (!(s->reads >> slot & 1)) {
        end_with(s, c, slot);
        return;
    }
    uint64_t writes = with_value(s, s->taken & ~s->reads & ~c->done, slot_value(s, slot));
    writes = (writes & s->sure) | lowest(writes & ~s->sure);
    for (uint32_t i = 0; i < s->slots && writes >> i; i++)
        if (writes >> i & 1)
            end_with(s, c, i);
}

/* --- events --------------------------------------------------------------------------------------------------- */

/* An operation that bears on nothing: refused, a read without an answer, an unknown write that nobody sees. */
static bool is_idle(const struct history *h, const struct operation *op)
{
    return op->gone || (op->answered == 0 && (op->reads || seen_after(h, op->value, op->called) == UNSEEN));
}

static void on_call(struct search *s, uint32_t i)
{
    const struct operation *op = &s->h->ops[i];
    uint32_t slot = 0;
    while (slot < LINEAR_SLOTS && s->taken >> slot & 1)
        slot++;
    if (slot == LINEAR_SLOTS) {
        s->too_much = true;
        return;
    }
    s->slots = slot < s->slots ? s->slots : slot + 1;
    s->slot[slot] = i;
    s->taken |= bit(slot);
    if (op->reads)
        s->reads |= bit(slot);
    else if (op->answered > 0)
        s->sure |= bit(slot);
    for (uint32_t k = 0; op->reads && k < s->n_now && take_step(s); k++)
        if (s->now[k].value == op->value)
            s->now[k].done |= bit(slot);
}

/* The slots that are free after the answer of this one: its own, and those of unknown writes that are seen no more. */
static uint64_t freed_by(const struct search *s, uint32_t slot)
{
    uint64_t freed = bit(slot), unknown = s->taken & ~s->reads & ~s->sure;
    for (uint32_t i = 0; i < s->slots; i++)
        if (unknown >> i & 1 && seen_after(s->h, slot_value(s, i), s->record) == UNSEEN)
            freed |= bit(i);
    return freed;
}

static void turn_over(struct search *s)
{
    struct configuration *old = s->now;
    for (uint32_t i = 0; i < s->n_next; i++)
        s->places[s->next[i].place] = 0;
    s->now = s->next;
    s->n_now = s->n_next;
    s->next = old;
    s->n_next = 0;
    s->taken &= s->keep;
    s->reads &= s->keep;
    s->sure &= s->keep;
}

static void on_answer(struct search *s, uint32_t i)
{
    uint32_t slot = 0;
    while (slot < s->slots && (!(s->taken >> slot & 1) || s->slot[slot] != i))
        slot++;
    ASSERT(slot < s->slots);
    s->record = s->h->ops[i].answered;
    s->keep = ~freed_by(s, slot);
    for (uint32_t k = 0; k < s->n_now && take_step(s); k++) {
        const struct configuration *c = &s->now[k];
        if (c->done >> slot & 1)
            add(s, c->done, c->value);
        else
            take_effect(s, c, slot);
    }
    turn_over(s);
}

/* --- one register --------------------------------------------------------------------------------------------- */

static bool has_answered_read(const struct history *h, uint16_t reg)
{
    for (uint32_t e = h->first[reg]; e != NONE32; e = h->next[e])
        if (e % 2 == 1 && h->ops[e / 2].reads)
            return true;
    return false;
}

/* At first a register has no value. */
static void begin(struct search *s, uint16_t reg)
{
    uint32_t none = *find_value(s->h, reg, (struct value){0, TAG_NONE});
    s->now[0] = (struct configuration){0, none > 0 ? none - 1 : UNSEEN, 0};
    s->n_now = 1;
    s->n_next = s->slots = 0;
    s->taken = s->reads = s->sure = 0;
    s->steps = 0;
    s->too_much = false;
}

/* The operation up to whose answer there is no legal order; NONE32: there is one for all, or s->too_much. */
static uint32_t search_register(struct search *s, const struct history *h, uint16_t reg)
{
    begin(s, reg);
    for (uint32_t e = h->first[reg]; e != NONE32 && !s->too_much; e = h->next[e]) {
        if (is_idle(h, &h->ops[e / 2]))
            continue;
        if (e % 2 == 0)
            on_call(s, e / 2);
        else
            on_answer(s, e / 2);
        if (s->n_now == 0 && !s->too_much)
            return e / 2;
    }
    return NONE32;
}

/* --- what is said of it ------------------------------------------------------------------------------------------ */

static name_id process_of(const struct model_plan *p, name_id thread)
{
    for (uint32_t i = 0; i < p->sim->n_threads; i++)
        if (p->sim->threads[i].name == thread)
            return p->sim->processes[p->sim->threads[i].process].name;
    return thread;
}

/* The operation whose answer is the latest of the writes, or of the reads, before this read began; NULL: none. */
static const struct operation *latest_before(const struct history *h, const struct operation *read, bool reads)
{
    const struct operation *latest = NULL;
    for (uint32_t e = h->first[read->reg]; e != NONE32; e = h->next[e]) {
        const struct operation *op = &h->ops[e / 2];
        if (e % 2 == 1 && (op->reads != 0) == reads && op->answered < read->called)
            latest = op; /* events are in order */
    }
    return latest;
}

/* What the read contradicts, as far as one record can say: a write that it should have seen, or what was read already;
 * 0: neither is of another value. */
static uint32_t contradicted(const struct history *h, const struct operation *read)
{
    const struct operation *write = latest_before(h, read, false), *other = latest_before(h, read, true);
    if (write != NULL && write->value != read->value)
        return write->called;
    return other != NULL && other->value != read->value ? other->answered : 0;
}

static struct violation violation_of(const struct history *h, const struct operation *read)
{
    const struct record *r = &h->trace[read->answered - 1];
    return (struct violation){r->at,
                              INV_LINEARIZABLE,
                              read->answered,
                              contradicted(h, read),
                              process_of(h->p, r->actor),
                              h->p->registers[read->reg].name};
}

/* What linear_judge() finds. */
struct finding {
    const struct operation *broken; /* the one whose answer comes first; NULL: none */
    struct undecided *undecided;
    uint32_t most, n;
};

static void leave_open(struct finding *f, const struct model_plan *p, uint16_t reg)
{
    if (f->n < f->most)
        f->undecided[f->n++] = (struct undecided){INV_LINEARIZABLE, p->registers[reg].name, WHY_TOO_MUCH};
}

static void judge_registers(struct search *s, struct finding *f)
{
    const struct history *h = s->h;
    for (uint16_t reg = 0; reg < h->p->n_registers; reg++) {
        if (!has_answered_read(h, reg))
            continue;
        uint32_t op = search_register(s, h, reg);
        if (s->too_much)
            leave_open(f, h->p, reg);
        else if (op != NONE32 && (f->broken == NULL || h->ops[op].answered < f->broken->answered))
            f->broken = &h->ops[op];
    }
}

/* Whether some program reads this register (NONE16: any). Without a read every history has a legal order. */
static bool can_read(const struct model_plan *p, uint16_t reg)
{
    for (uint32_t i = 0; i < p->n_code; i++)
        if (p->code[i].op == OP_READ && (reg == NONE16 || p->code[i].reg == reg))
            return true;
    return false;
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

struct room {
    unsigned char *base; /* NULL: only to be measured */
    size_t used;
};

static void *take(struct room *room, size_t n, size_t size)
{
    size_t at = room->used;
    room->used += (n * size + 7) / 8 * 8;
    return room->base == NULL ? NULL : room->base + at;
}

/* Everything in its place; the most operations that there can be: calls on rows count here, too. */
static void lay_out(struct history *h, struct search *s, struct room *room)
{
    uint32_t names = h->p->sim->names->n, registers = h->p->n_registers, places = 2;
    for (uint32_t i = 0; i < h->n_records && h->most < LINEAR_CALLS; i++) {
        uint16_t verb = h->trace[i].verb;
        h->most += verb == V_WRITES || verb == V_DELETES || verb == V_READS;
    }
    while (places < 2 * h->most)
        places *= 2;
    h->values_mask = places - 1;
    s->now = take(room, LINEAR_CONFIGURATIONS, sizeof *s->now);
    s->next = take(room, LINEAR_CONFIGURATIONS, sizeof *s->next);
    s->places = take(room, 2 * LINEAR_CONFIGURATIONS, sizeof *s->places);
    h->ops = take(room, h->most, sizeof *h->ops);
    h->next = take(room, 2 * (size_t)h->most, sizeof *h->next);
    h->values = take(room, places, sizeof *h->values);
    h->first = take(room, registers, sizeof *h->first);
    h->last = take(room, registers, sizeof *h->last);
    h->under_way = take(room, names, sizeof *h->under_way);
    h->register_of = take(room, names, sizeof *h->register_of);
}

static void clear(struct history *h, struct search *s)
{
    uint32_t names = h->p->sim->names->n;
    memset(s->places, 0, 2 * LINEAR_CONFIGURATIONS * sizeof *s->places);
    memset(h->values, 0, ((size_t)h->values_mask + 1) * sizeof *h->values);
    memset(h->under_way, 0, names * sizeof *h->under_way);
    for (uint32_t i = 0; i < names; i++)
        h->register_of[i] = NONE16;
    for (uint16_t i = 0; i < h->p->n_registers; i++) {
        h->register_of[h->p->registers[i].name] = i;
        h->first[i] = h->last[i] = NONE32;
    }
}

size_t linear_bytes(const struct model_plan *p, const struct record *trace, uint32_t n_records)
{
    struct history h = {.p = p, .trace = trace, .n_records = n_records};
    struct search s = {.h = &h};
    struct room room = {NULL, 0};
    if (!can_read(p, NONE16))
        return 0;
    lay_out(&h, &s, &room);
    return room.used;
}

enum linear_verdict linear_judge(const struct model_plan *p, const struct record *trace, uint32_t n_records,
                                 void *memory, struct violation *broken, struct undecided *undecided, uint32_t most,
                                 uint32_t *n)
{
    struct history h = {.p = p, .trace = trace, .n_records = n_records};
    struct search s = {.h = &h};
    struct finding f = {NULL, undecided, most, 0};
    struct room room = {memory, 0};
    ASSERT(memory != NULL && can_read(p, NONE16));
    lay_out(&h, &s, &room);
    clear(&h, &s);
    read_trace(&h);
    read_values(&h);
    if (!h.too_many)
        judge_registers(&s, &f);
    for (uint16_t reg = 0; h.too_many && reg < p->n_registers; reg++)
        if (can_read(p, reg))
            leave_open(&f, p, reg);
    *n = f.n;
    if (f.broken == NULL)
        return f.n > 0 ? LINEAR_UNDECIDED : LINEAR_YES;
    *broken = violation_of(&h, f.broken);
    return LINEAR_NO;
}
