/* SPDX-License-Identifier: MIT
 *
 * toy.h - a toy model for the kernel's tests, and a plan that a test fills in.
 *
 *     machine   a          b     c
 *     process   a   s      b     c      s: a service on a's machine
 *     threads   a   s      b     c      each with a second one: a.k, s.k, b.k, c.k; struck alone: a.main ...
 *
 * The model does nothing of its own but write down what happens to it ("1.000 b gets ping"); what it
 * does then is a function of the test's. Only tests include this file.
 */
#ifndef FENCEPOST_SIM_TOY_H
#define FENCEPOST_SIM_TOY_H

#include <string.h>

#include "sim/sim.h"

enum { A, B, C, S, TOY_PROCESSES, TOY_MACHINES = 3, TOY_THREADS = 2 * TOY_PROCESSES };
#define MAIN(process) ((uint16_t)(2 * (process)))
#define KEEPER(process) ((uint16_t)(2 * (process) + 1))

enum { V_ACTS = SIM_VERBS, V_REACTS, V_MUSES, TOY_VERBS };

enum toy_name {
    N_NET,
    N_A,
    N_B,
    N_C,
    N_S,
    N_AK,
    N_BK,
    N_CK,
    N_SK,
    N_THING,
    N_OTHER,
    N_UNSYNCED,
    N_EVERYTHING,
    N_PING,
    N_PONG,
    N_TEXT,
    N_AM,
    N_BM,
    N_CM,
    N_SM,
    TOY_NAMES
};

#define TOY_FAULTS 12
#define TOY_TRIGGERS 4

struct toy_state {
    uint64_t got;   /* messages */
    uint64_t ticks; /* timers */
};

struct toy {
    struct sim *s;
    struct sim_plan plan;
    struct sim_model model;
    struct names names;
    const char *text[TOY_NAMES];
    uint64_t hash[TOY_NAMES];
    struct machine_plan machines[TOY_MACHINES];
    struct process_plan processes[TOY_PROCESSES];
    struct thread_plan threads[TOY_THREADS];
    struct link_plan links[2];
    struct fault_plan faults[TOY_FAULTS];
    struct trigger_plan triggers[TOY_TRIGGERS];
    uint16_t ids[64];
    uint32_t ids_n;
    unsigned options;
    void (*on_start)(struct sim *s, uint16_t thread);
    void (*on_message)(struct sim *s, const struct message *m);
    void (*on_timer)(struct sim *s, uint32_t slot, const struct timer *t);
    char log[8192];  /* what the model saw */
    char said[8192]; /* what toy_trace() made of the trace */
};

static struct toy toy;

/* --- writing down -------------------------------------------------------------------- */

static inline void toy_put(char *log, const char *text)
{
    size_t n = strlen(log);
    for (; *text != '\0' && n + 1 < sizeof toy.log; text++, n++)
        log[n] = *text;
    log[n] = '\0';
}

/* A number, with so many digits at least. */
static inline void toy_put_number(char *log, int64_t v, int digits)
{
    char text[24] = {0};
    int at = 22;
    for (int64_t left = v < 0 ? -v : v; at > 1 && (left > 0 || at > 22 - digits); left /= 10, at--)
        text[at] = (char)('0' + left % 10);
    text[at] = '-';
    toy_put(log, &text[v < 0 ? at : at + 1]);
}

static inline void toy_put_time(char *log, ns t)
{
    toy_put_number(log, t / NS_PER_S, 1);
    toy_put(log, ".");
    if (t % NS_PER_MS == 0)
        toy_put_number(log, t / NS_PER_MS % 1000, 3);
    else
        toy_put_number(log, t % NS_PER_S, 9);
}

static inline void toy_log(struct sim *s, uint16_t thread, const char *what, const char *whom)
{
    toy_put_time(toy.log, sim_now(s));
    toy_put(toy.log, " ");
    toy_put(toy.log, toy.text[toy.threads[thread].name]);
    toy_put(toy.log, what);
    toy_put(toy.log, whom);
    toy_put(toy.log, "\n");
}

static inline void toy_put_field(const char *name, uint8_t tag, int64_t v)
{
    toy_put(toy.said, " ");
    toy_put(toy.said, name);
    toy_put(toy.said, name[0] == '\0' ? "" : " ");
    if (tag == TAG_NAME || tag == TAG_TEXT)
        toy_put(toy.said, toy.text[v]);
    else if (tag == TAG_NS && v >= 0)
        toy_put_time(toy.said, v);
    else
        toy_put_number(toy.said, v, 1);
}

static inline void toy_put_record(const struct record *r)
{
    const struct verb *verb = &toy.plan.verbs[r->verb];
    toy_put_time(toy.said, r->at);
    toy_put(toy.said, " ");
    toy_put(toy.said, toy.text[r->actor]);
    toy_put(toy.said, " ");
    toy_put(toy.said, verb->name);
    if (r->object != NONE16) {
        toy_put(toy.said, " ");
        toy_put(toy.said, toy.text[r->object]);
    }
    for (int i = 0; i < verb->fields; i++)
        if (r->tag[i] != TAG_NONE && verb->field_name[i][0] != '.')
            toy_put_field(verb->field_name[i], r->tag[i], r->field[i]);
    toy_put(toy.said, "\n");
}

/* The kept trace as text, a line a record. */
static inline const char *toy_trace(void)
{
    uint32_t n;
    const struct record *r = sim_trace(toy.s, &n);
    toy.said[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        toy_put_record(&r[i]);
    return toy.said;
}

/* --- the model ------------------------------------------------------------------------- */

static inline void toy_start(struct sim *s, uint16_t thread)
{
    toy_log(s, thread, " starts", "");
    if (toy.on_start != NULL)
        toy.on_start(s, thread);
}

static inline void toy_deliver(struct sim *s, const struct message *m)
{
    struct toy_state *state = sim_model_state(s);
    state->got++;
    toy_log(s, m->to,
            m->flags & MESSAGE_BOUNCE      ? " misses "
            : m->flags & MESSAGE_DUPLICATE ? " gets again "
                                           : " gets ",
            toy.text[m->what]);
    if (toy.on_message != NULL)
        toy.on_message(s, m);
}

static inline void toy_timer(struct sim *s, uint32_t slot, const struct timer *t)
{
    struct toy_state *state = sim_model_state(s);
    char kind[24] = {0};
    state->ticks++;
    toy_put_number(kind, t->kind, 1);
    toy_log(s, t->thread, " timer ", kind);
    if (toy.on_timer != NULL)
        toy.on_timer(s, slot, t);
}

static inline void toy_crashed(struct sim *s, uint16_t process, enum losing losing)
{
    static const char *const loss[] = {"", " unsynced", " everything"};
    toy_log(s, MAIN(process), " is gone", loss[losing]);
}

static inline void toy_restarted(struct sim *s, uint16_t process) { toy_log(s, MAIN(process), " is back", ""); }

static inline void toy_digest(struct sim *s, struct hasher *h)
{
    const struct toy_state *state = sim_model_state(s);
    hash_word(h, state->got);
}

/* --- the plan ---------------------------------------------------------------------------- */

#define TOY_COUNT(n, ...) n
#define TOY_FIELDS(n, ...) \
    {                      \
        __VA_ARGS__        \
    }
#define X(id, name, sentence, flags, ...) \
    {name, sentence, flags, TOY_COUNT(__VA_ARGS__, ""), TOY_FIELDS(__VA_ARGS__, "")},
static const struct verb toy_verbs[TOY_VERBS] = {
    SIM_VERB_TABLE(X)                                                       //
    X(V_ACTS, "acts", "a test acts", VERB_BEFORE | VERB_AFTER, 2, "", "by") //
    X(V_REACTS, "reacts", "a test reacts", VERB_BEFORE | VERB_AFTER, 0)     //
    X(V_MUSES, "muses", "a note of a test's", VERB_NOTE, 1, "")};
#undef X

static inline void toy_names(void)
{
    static const char *const text[TOY_NAMES] = {"net",  "a",      "b",      "c",      "s",        "a.k",        "b.k",
                                                "c.k",  "s.k",    "thing",  "other",  "unsynced", "everything", "ping",
                                                "pong", "a text", "a.main", "b.main", "c.main",   "s.main"};
    for (int i = 0; i < TOY_NAMES; i++) {
        toy.text[i] = text[i];
        toy.hash[i] = hash_text(text[i]);
    }
    toy.names = (struct names){TOY_NAMES, toy.text, toy.hash};
}

static inline void toy_nodes(void)
{
    for (uint16_t p = 0; p < TOY_PROCESSES; p++) {
        uint16_t machine = p == S ? 0 : p;
        toy.machines[machine].name = (name_id)(N_A + machine);
        toy.processes[p] = (struct process_plan){(name_id)(N_A + p), machine, MAIN(p), 2};
        toy.threads[MAIN(p)] = (struct thread_plan){(name_id)(N_A + p), p, 0, (name_id)(N_AM + p)};
        toy.threads[KEEPER(p)] = (struct thread_plan){(name_id)(N_AK + p), p, 0, (name_id)(N_AK + p)};
    }
}

/* A plan in which nothing happens; then the test adds what it is about. */
static inline void toy_begin(void)
{
    memset(&toy, 0, sizeof toy);
    toy_names();
    toy_nodes();
    toy.options = SIM_KEEP_TRACE | SIM_DIGEST;
    toy.model = (struct sim_model){
        .start = toy_start,
        .deliver = toy_deliver,
        .timer = toy_timer,
        .crashed = toy_crashed,
        .restarted = toy_restarted,
        .digest = toy_digest,
    };
    toy.plan = (struct sim_plan){
        .names = &toy.names,
        .verbs = toy_verbs,
        .n_verbs = TOY_VERBS,
        .n_machines = TOY_MACHINES,
        .n_processes = TOY_PROCESSES,
        .n_threads = TOY_THREADS,
        .machines = toy.machines,
        .processes = toy.processes,
        .threads = toy.threads,
        .links = toy.links,
        .link_default = {.delay_min = NS_PER_MS, .delay_max = NS_PER_MS},
        .faults = toy.faults,
        .triggers = toy.triggers,
        .ids = toy.ids,
        .net_name = N_NET,
        .losing_name = {NONE16, N_UNSYNCED, N_EVERYTHING},
        .n_conns = 4,
        .sync_ns = NS_PER_MS,
        .horizon = NS_NEVER,
        .limits = {.events = 64, .messages = 64, .records = 256, .labels = 64, .steps = 100000},
        .model_bytes = sizeof(struct toy_state),
    };
}

static inline struct ids toy_ids(uint32_t n, const uint16_t *list)
{
    struct ids ids = {toy.ids_n, n};
    for (uint32_t i = 0; i < n; i++)
        toy.ids[toy.ids_n + i] = list[i];
    toy.ids_n += n;
    return ids;
}

static inline struct ids toy_one(uint16_t id) { return toy_ids(1, &id); }

/* A fault on one process (or machine), `at` in ms; -1: triggered. For ever, until the test says. */
static inline struct fault_plan *toy_fault(enum fault_kind kind, uint16_t process, ns at_ms)
{
    struct fault_plan *f = &toy.faults[toy.plan.n_faults];
    toy.plan.n_faults++;
    f->kind = (uint8_t)kind;
    f->thread = NONE16;
    f->a = toy_one(process);
    f->at = at_ms < 0 ? -1 : at_ms * NS_PER_MS;
    f->duration = NS_NEVER;
    f->text = N_TEXT;
    return f;
}

/* A fault on what travels from one process to another. */
static inline struct fault_plan *toy_link_fault(enum fault_kind kind, uint16_t from, uint16_t to, ns at_ms)
{
    struct fault_plan *f = toy_fault(kind, from, at_ms);
    f->b = toy_one(to);
    f->ordinal = 1;
    return f;
}

/* The fault declared last strikes at the ordinal-th such event. */
static inline void toy_trigger(bool before, name_id actor, uint16_t verb, name_id object, uint32_t ordinal)
{
    struct trigger_plan *t = &toy.triggers[toy.plan.n_triggers];
    toy.plan.n_triggers++;
    *t = (struct trigger_plan){before, verb, actor, object, ordinal, toy.plan.n_faults - 1};
}

/* --- running ------------------------------------------------------------------------------- */

static inline struct sim *toy_new(void)
{
    toy.s = sim_new(&toy.plan, &toy.model, NULL, toy.options);
    ASSERT(toy.s != NULL);
    return toy.s;
}

static inline void toy_end(void)
{
    sim_free(toy.s);
    toy.s = NULL;
}

/* Steps until the status changes, or 1000 steps. */
static inline enum sim_status toy_run(void)
{
    enum sim_status status = SIM_RAN;
    for (int i = 0; i < 1000 && status == SIM_RAN; i++)
        status = sim_step(toy.s, -1);
    return status;
}

/* All that is due up to then, idle or not. */
static inline void toy_run_until(ns ms)
{
    while (sim_next_at(toy.s) <= ms * NS_PER_MS && sim_step(toy.s, ms * NS_PER_MS) == SIM_RAN)
        continue;
}

static inline void toy_send(struct sim *s, uint16_t from, uint16_t to, uint16_t conn, name_id what)
{
    struct message m = {.from = from, .to = to, .conn = conn, .call = NONE16, .what = what};
    sim_send(s, &m);
}

static inline void toy_ask(struct sim *s, uint16_t from, uint16_t to, uint16_t conn, name_id what)
{
    struct message m = {.from = from, .to = to, .conn = conn, .call = NONE16, .what = what, .wants_answer = 1};
    sim_send(s, &m);
}

/* A timer that keeps the run alive; kind is what the log shows. */
static inline uint32_t toy_set(struct sim *s, uint16_t thread, enum clock_kind clock, ns deadline, uint16_t kind)
{
    struct timer t = {
        .thread = thread, .clock = (uint8_t)clock, .flags = TIMER_KEEPS, .kind = kind, .deadline = deadline};
    return timer_set(s, &t);
}

/* The same, so many ms from now on that clock. */
static inline uint32_t toy_in(struct sim *s, uint16_t thread, enum clock_kind clock, ns ms, uint16_t kind)
{
    ns now = clock == CLOCK_RUN ? 0 : clock_now(s, thread_machine(s, thread), clock);
    return toy_set(s, thread, clock, now + ms * NS_PER_MS, kind);
}

static inline void toy_act(struct sim *s, uint16_t thread, name_id object)
{
    sim_record(s, toy.threads[thread].process, toy.threads[thread].name, V_ACTS, object, NULL, 0, 0);
}

#endif
