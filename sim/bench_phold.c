/* SPDX-License-Identifier: MIT
 *
 * bench_phold.c - PHOLD on the kernel's own interface: see bench_phold.h.
 */
#include "sim/bench_phold.h"

#include <string.h>

#include "sim/bench_floor.h"

enum { V_HOPS = SIM_VERBS };
enum { NAME_NET, NAME_HOP, NAME_NODES };

struct phold_state {
    uint64_t random;
    uint64_t hops;
};
_Static_assert(sizeof(struct phold_state) == 16, "the model's state has no padding");

/* A number below n, and the draw that goes with it: two draws an event, as the floor makes. */
static uint64_t draw_below(struct phold_state *state, uint64_t n)
{
    return ((floor_draw(&state->random) >> 32) * n) >> 32;
}

static void hop(struct sim *s, uint16_t thread, uint64_t what)
{
    struct value field = {(int64_t)(what & 0xffff), TAG_INT};
    name_id name = (name_id)(NAME_NODES + thread);
    sim_record(s, thread, name, V_HOPS, NAME_HOP, &field, 1, 0);
}

static void set_timer(struct sim *s, uint16_t thread)
{
    struct phold_state *state = sim_model_state(s);
    uint64_t delay = draw_below(state, 1000000);
    struct timer t = {0};
    t.thread = thread;
    t.clock = CLOCK_TRUE;
    t.flags = TIMER_KEEPS;
    t.deadline = sim_now(s) + 1 + (ns)delay;
    timer_set(s, &t);
}

static void phold_start(struct sim *s, uint16_t thread)
{
    const struct phold *p = sim_model_plan(s);
    for (uint32_t i = 0; i < p->pending_each; i++)
        set_timer(s, thread);
}

static void phold_deliver(struct sim *s, const struct message *m)
{
    struct phold_state *state = sim_model_state(s);
    uint64_t what = floor_draw(&state->random);
    state->hops++;
    hop(s, m->to, what);
    set_timer(s, m->to);
}

static void phold_timer(struct sim *s, uint32_t slot, const struct timer *t)
{
    const struct phold *p = sim_model_plan(s);
    struct phold_state *state = sim_model_state(s);
    uint64_t what = floor_draw(&state->random);
    uint64_t peer = draw_below(state, p->nodes);
    struct message m = {0};
    (void)slot;
    m.from = t->thread;
    m.to = (uint16_t)peer;
    m.conn = NONE16;
    m.call = NONE16;
    m.what = NAME_HOP;
    m.arg[0] = (int64_t)what;
    sim_send(s, &m);
}

static void phold_crashed(struct sim *s, uint16_t process, enum losing losing) { (void)s, (void)process, (void)losing; }

static void phold_restarted(struct sim *s, uint16_t process) { (void)s, (void)process; }

static void phold_digest(struct sim *s, struct hasher *h)
{
    const struct phold_state *state = sim_model_state(s);
    hash_word(h, state->random);
}

/* n012345, without stdio. */
static void name_node(char *text, uint32_t i)
{
    text[0] = 'n';
    for (uint32_t at = 6; at > 0; at--) {
        text[at] = (char)('0' + i % 10);
        i /= 10;
    }
    text[7] = '\0';
}

static void plan_names(struct phold *p)
{
    p->text_of[NAME_NET] = "net";
    p->text_of[NAME_HOP] = "hop";
    for (uint32_t i = 0; i < p->nodes; i++) {
        name_node(p->text[i], i);
        p->text_of[NAME_NODES + i] = p->text[i];
    }
    p->names.n = NAME_NODES + p->nodes;
    for (uint32_t i = 0; i < p->names.n; i++)
        p->hash_of[i] = hash_text(p->text_of[i]);
    p->names.text = p->text_of;
    p->names.hash = p->hash_of;
}

static void plan_nodes(struct phold *p)
{
    for (uint32_t i = 0; i < p->nodes; i++) {
        name_id name = (name_id)(NAME_NODES + i);
        p->machines[i].name = name;
        p->processes[i].name = name;
        p->processes[i].machine = (uint16_t)i;
        p->processes[i].first_thread = (uint16_t)i;
        p->processes[i].threads = 1;
        p->threads[i].name = name;
        p->threads[i].process = (uint16_t)i;
        p->threads[i].starts = 1;
    }
}

/* The kernel's verbs, and one. A row of the table ends in its fields' count and names; some have no name. */
#define COUNT(n, ...) n
#define NAMES(n, ...) \
    {                 \
        __VA_ARGS__   \
    }
#define X(id, name, sentence, flags, ...) {name, sentence, flags, COUNT(__VA_ARGS__, ""), NAMES(__VA_ARGS__, "")},
static const struct verb verbs[] = {SIM_VERB_TABLE(X)
                                        X(V_HOPS, "hops", "an event of the bench", VERB_AFTER, 1, ".what")};
#undef X

static void plan_faults(struct phold *p)
{
    for (uint32_t i = 0; i < 2; i++) {
        p->faults[i].kind = FAULT_PAUSE;
        p->faults[i].thread = NONE16;
        p->faults[i].a.n = 1;
        p->faults[i].at = i == 0 ? NS_MAX - 1 : -1;
        p->faults[i].duration = NS_PER_S;
        p->faults[i].text = NONE16;
    }
    p->triggers[0].verb = V_HOPS;
    p->triggers[0].actor = NAME_NET; /* which never hops */
    p->triggers[0].object = NONE16;
    p->triggers[0].ordinal = 1;
    p->triggers[0].fault = 1;
}

void phold_plan(struct phold *p, uint32_t nodes, uint32_t pending_each)
{
    struct sim_plan *plan = &p->plan;
    ASSERT(nodes >= 1 && nodes <= PHOLD_NODES_MAX);
    ASSERT(pending_each >= 1);
    memset(p, 0, sizeof *p);
    p->nodes = nodes;
    p->pending_each = pending_each;
    plan_names(p);
    plan_nodes(p);
    plan_faults(p);

    plan->names = &p->names;
    plan->verbs = verbs;
    plan->n_verbs = SIM_VERBS + 1;
    plan->n_machines = plan->n_processes = plan->n_threads = nodes;
    plan->n_faults = 2;
    plan->n_triggers = 1;
    plan->machines = p->machines;
    plan->processes = p->processes;
    plan->threads = p->threads;
    plan->links = p->links;
    plan->link_default.datagram = 1;
    plan->link_default.delay_min = plan->link_default.delay_max = 500 * NS_PER_US;
    plan->faults = p->faults;
    plan->triggers = p->triggers;
    plan->ids = p->ids;
    plan->net_name = NAME_NET;
    plan->losing_name[0] = NONE16;
    plan->losing_name[1] = plan->losing_name[2] = NAME_HOP;
    plan->sync_ns = NS_PER_MS;
    plan->horizon = NS_NEVER;
    plan->limits.events = 2 * nodes * pending_each + 64;
    plan->limits.messages = nodes * pending_each + 64;
    plan->limits.records = 1;
    plan->limits.labels = 1;
    plan->limits.steps = UINT64_MAX;
    plan->model_bytes = sizeof(struct phold_state);

    p->model.start = phold_start;
    p->model.deliver = phold_deliver;
    p->model.timer = phold_timer;
    p->model.crashed = phold_crashed;
    p->model.restarted = phold_restarted;
    p->model.recorded = NULL; /* no invariants: the kernel alone */
    p->model.digest = phold_digest;
}
