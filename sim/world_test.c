/* SPDX-License-Identifier: MIT */
#include "sim/world.h"

#include "sim/state.h"
#include "sim/test.h"
#include "sim/toy.h"

/* --- a busy run: everything that the world can hold ------------------------------------------ */

static void busy_message(struct sim *s, const struct message *m)
{
    toy_act(s, m->to, m->what);
    if (m->what == N_PING)
        toy_send(s, m->to, m->from, m->conn, N_PONG);
}

static void busy_timer(struct sim *s, uint32_t slot, const struct timer *t)
{
    (void)slot;
    if (!sim_before(s, t->thread, toy.threads[t->thread].name, V_ACTS, N_THING))
        return;
    toy_act(s, t->thread, N_THING);
    toy_ask(s, t->thread, MAIN(t->thread == MAIN(A) ? B : A), (uint16_t)(t->thread / 2), N_PING);
    if (t->kind > 0)
        toy_in(s, t->thread, (enum clock_kind)t->clock, 100, (uint16_t)(t->kind - 1));
}

static void busy_start(struct sim *s, uint16_t thread)
{
    toy_in(s, thread, (enum clock_kind)(thread / 2 % 5), 10 * (thread + 1), 20);
}

static struct sim *begin_busy(void)
{
    toy_begin();
    toy.on_start = busy_start;
    toy.on_timer = busy_timer;
    toy.on_message = busy_message;
    for (int t = 0; t < TOY_THREADS; t += 2)
        toy.threads[t].starts = 1;
    toy_fault(FAULT_PAUSE, A, 300)->duration = 250 * NS_PER_MS;
    toy_fault(FAULT_SUSPEND, B, 500)->duration = 200 * NS_PER_MS;
    toy_fault(FAULT_CRASH, C, 400)->duration = 150 * NS_PER_MS;
    struct fault_plan *f = toy_link_fault(FAULT_CUT, B, A, 700);
    f->holding = 1;
    f->duration = 300 * NS_PER_MS;
    toy_link_fault(FAULT_DELAY, S, A, 0)->amount = 500 * NS_PER_MS;
    toy_link_fault(FAULT_REORDER, C, A, 0);
    toy_fault(FAULT_DRIFT, S, 600)->ppb = 100000000;
    toy_fault(FAULT_PAUSE, S, -1)->duration = 77 * NS_PER_MS;
    toy_trigger(true, N_S, V_ACTS, N_THING, 3);
    toy.plan.limits.records = 10000;
    return toy_new();
}

TEST("a run that goes on from a snapshot of any of its instants ends with the same digests")
{
    static char snapshot[65536];
    static uint64_t state[400];
    struct sim *s = begin_busy();
    uint32_t steps = 0;
    for (; steps < 400 && sim_step(s, -1) == SIM_RAN; steps++)
        state[steps] = sim_state_digest(s);
    uint64_t digest = sim_trace_digest(s);
    CHECK(steps > 150 && steps < 400);
    for (uint32_t at = 0; at < steps; at += 7) {
        sim_reset(s, NULL, 0);
        for (uint32_t i = 0; i <= at; i++)
            sim_step(s, -1);
        CHECK_EQ(sim_snapshot(s, snapshot, sizeof snapshot), sim_snapshot_size(s));
        for (int i = 0; i < 50; i++)
            sim_step(s, -1);
        sim_restore(s, snapshot);
        CHECK(sim_state_digest(s) == state[at]);
        while (sim_step(s, -1) == SIM_RAN)
            continue;
        CHECK(sim_trace_digest(s) == digest);
    }
    toy_end();
}

TEST("a snapshot goes on in another sim of the same plan")
{
    static char snapshot[65536];
    struct sim *s = begin_busy();
    for (int i = 0; i < 60; i++)
        sim_step(s, -1);
    sim_snapshot(s, snapshot, sizeof snapshot);
    struct sim *other = sim_new(&toy.plan, &toy.model, NULL, toy.options);
    sim_restore(other, snapshot);
    toy_run();
    while (sim_step(other, -1) == SIM_RAN)
        continue;
    CHECK(sim_trace_digest(other) == sim_trace_digest(s));
    sim_free(other);
    toy_end();
}

TEST("a second run after a reset is the first again")
{
    struct sim *s = begin_busy();
    uint64_t young = sim_state_digest(s);
    toy_run();
    uint64_t digest = sim_trace_digest(s), old = sim_state_digest(s), steps = sim_steps(s);
    sim_reset(s, NULL, 0);
    CHECK(sim_state_digest(s) == young);
    CHECK(sim_trace_digest(s) == 0);
    CHECK_EQ(sim_now(s), 0);
    toy_run();
    CHECK(sim_trace_digest(s) == digest);
    CHECK(sim_state_digest(s) == old);
    CHECK_EQ(sim_steps(s), steps);
    toy_end();
}

TEST("labels are part of a snapshot, and gone after a reset")
{
    static char snapshot[65536];
    toy_begin();
    toy.options |= SIM_POINTS;
    struct sim *s = toy_new();
    sim_snapshot(s, snapshot, sizeof snapshot);
    toy_act(s, MAIN(A), NONE16);
    size_t one = sim_snapshot_size(s);
    static char later[65536];
    sim_snapshot(s, later, sizeof later);
    toy_act(s, MAIN(B), NONE16);
    toy_act(s, MAIN(A), NONE16);
    CHECK_EQ(s->world->labels_n, 2);
    sim_restore(s, later);
    CHECK_EQ(sim_snapshot_size(s), one);
    CHECK_EQ(s->counts[0], 1);
    sim_restore(s, snapshot);
    CHECK_EQ(s->world->labels_n, 0);
    toy_act(s, MAIN(B), NONE16); /* known as the second: the first has a count, and it is 0 */
    CHECK_EQ(s->world->labels_n, 1);
    CHECK_EQ(s->world->counts_n, 2);
    CHECK_EQ(s->counts[0], 0);
    CHECK_EQ(s->counts[1], 1);
    toy_end();
}

/* Acts of so many runs, each with the labels of another two threads; returns the points noted in the last. */
static uint32_t noted_after(uint32_t runs)
{
    toy_begin();
    toy.options |= SIM_POINTS | SIM_NOTES | SIM_KEEP_TRACE;
    toy.plan.limits.labels = 2;
    struct sim *s = toy_new();
    for (uint32_t i = 0; i < runs; i++) {
        sim_reset(s, NULL, 0);
        toy_act(s, MAIN(A + i % 3), NONE16);
        toy_act(s, MAIN(A), i % 2 ? N_THING : NONE16);
    }
    uint32_t n;
    sim_trace(s, &n);
    toy_end();
    return n;
}

TEST("labels of former runs take no room from a run")
{
    CHECK_EQ(noted_after(6), noted_after(60));
    CHECK_EQ(noted_after(6), 4);
}

TEST("a three-node world in use takes less than 8 KiB")
{
    struct sim *s = begin_busy();
    toy_run();
    CHECK(sim_snapshot_size(s) <= 8192);
    toy_end();
}

TEST("what a model has not used yet is in no snapshot, and what it used by then comes back")
{
    static char snapshot[65536];
    toy_begin();
    toy.plan.model_bytes += 4096;
    struct sim *s = toy_new();
    char *more = (char *)sim_model_state(s) + sizeof(struct toy_state);
    size_t whole = sim_snapshot_size(s);
    sim_model_use(s, sizeof(struct toy_state) + 8, 0);
    CHECK_EQ(sim_snapshot_size(s), whole - 4088);
    more[7] = 7;
    CHECK_EQ(sim_snapshot(s, snapshot, sizeof snapshot), whole - 4088);
    more[7] = 8;
    sim_model_use(s, toy.plan.model_bytes, 0);
    CHECK_EQ(sim_snapshot_size(s), whole);
    sim_restore(s, snapshot);
    CHECK_EQ(more[7], 7);
    CHECK_EQ(sim_snapshot_size(s), whole - 4088);
    toy_end();
}

/* --- the state digest ------------------------------------------------------------------------- */

static struct sim *some_state(void)
{
    struct sim *s = begin_busy();
    while (sim_now(s) < 310 * NS_PER_MS || s->world->held_n == 0)
        sim_step(s, -1);
    return s;
}

#define STATE_CHANGES(field, by)                \
    do {                                        \
        uint64_t before_ = sim_state_digest(s); \
        (field) += (by);                        \
        CHECK(sim_state_digest(s) != before_);  \
        (field) -= (by);                        \
        CHECK(sim_state_digest(s) == before_);  \
    } while (0)

#define STATE_KEEPS(field)                      \
    do {                                        \
        uint64_t before_ = sim_state_digest(s); \
        (field) += 1;                           \
        CHECK(sim_state_digest(s) == before_);  \
        (field) -= 1;                           \
    } while (0)

TEST("each field of the state changes the state digest")
{
    struct sim *s = some_state();
    STATE_CHANGES(s->machines[0].drift_ppb, 1);
    STATE_CHANGES(s->machines[0].slew_ppb, 1);
    STATE_CHANGES(s->machines[1].suspended, 1);
    STATE_CHANGES(s->processes[A].slow, 1);
    STATE_CHANGES(s->processes[A].starts, 1);
    STATE_CHANGES(s->processes[A].paused, 1);
    STATE_CHANGES(s->processes[A].up, 1);
    STATE_CHANGES(s->processes[A].order, 1);
    STATE_CHANGES(s->threads[1].paused, 1);
    s->conns[0].last[0] = sim_now(s);
    STATE_CHANGES(s->conns[0].last[0], 1);
    STATE_CHANGES(s->triggers[0].remaining, 1);
    s->closures[0] = (struct closure){3, 1};
    s->world->closures_n++;
    STATE_CHANGES(s->closures[0].times, 1);
    s->world->closures_n--;
    STATE_CHANGES(((struct toy_state *)sim_model_state(s))->got, 1);
    toy_end();
}

TEST("each field of a pending event and of its message changes the state digest")
{
    struct sim *s = some_state();
    uint32_t timer = NONE32, message = NONE32;
    for (uint32_t i = 0; i < s->world->queue_n; i++) {
        uint32_t slot = key_slot(s->keys[i]);
        const struct event *e = &s->events[slot];
        timer = e->type == EVENT_TIMER && e->clock < CLOCKS ? slot : timer;
        message = e->type == EVENT_MESSAGE ? slot : message;
    }
    CHECK(timer != NONE32 && message != NONE32);
    struct event *e = &s->events[timer];
    STATE_CHANGES(e->subject, 1);
    STATE_CHANGES(e->deadline, 1);
    STATE_CHANGES(e->target, 1);
    STATE_CHANGES(e->kind, 1);
    STATE_CHANGES(e->flags, 1);
    STATE_CHANGES(e->clock, 1);
    STATE_CHANGES(e->marks, 1);
    STATE_CHANGES(e->asked, 1);
    struct message *m = &s->messages[s->events[message].subject];
    STATE_CHANGES(m->from, 1);
    STATE_CHANGES(m->to, 1);
    STATE_CHANGES(m->conn, 1);
    STATE_CHANGES(m->kind, 1);
    STATE_CHANGES(m->flags, 1);
    STATE_CHANGES(m->wants_answer, 1);
    STATE_CHANGES(m->call, 1);
    STATE_CHANGES(m->what, 1);
    STATE_CHANGES(m->tags, 1);
    STATE_CHANGES(m->arg[4], 1);
    STATE_CHANGES(s->keys[s->world->queue_n - 1].at, 1);
    STATE_KEEPS(m->cause);
    STATE_KEEPS(e->cause);
    toy_end();
}

TEST("armed faults, held events and what is held count in the state")
{
    struct sim *s = some_state();
    uint64_t before = sim_state_digest(s);
    s->armed[s->world->armed_n] = (struct armed){4, 1};
    s->world->armed_n++;
    CHECK(sim_state_digest(s) != before);
    STATE_CHANGES(s->armed[0].remaining, 1);
    STATE_CHANGES(s->armed[0].fault, 1);
    STATE_CHANGES(s->events[key_slot(s->held[0])].kind, 1);
    toy_end();
}

TEST("bookkeeping is in no state digest")
{
    struct sim *s = some_state();
    STATE_KEEPS(s->world->sequence);
    STATE_KEEPS(s->world->steps);
    STATE_KEEPS(s->world->records);
    STATE_KEEPS(s->world->digest);
    STATE_KEEPS(s->world->trace_n);
    STATE_KEEPS(s->world->labels_n);
    STATE_KEEPS(s->world->deviations_met);
    STATE_KEEPS(s->triggers[0].at);
    STATE_KEEPS(s->held[0].at);
    toy_end();
}

static void exchange_slots(struct sim *s, uint32_t a, uint32_t b)
{
    struct event e = s->events[a];
    s->events[a] = s->events[b];
    s->events[b] = e;
    for (uint32_t i = 0; i < s->world->queue_n; i++) {
        uint32_t slot = key_slot(s->keys[i]);
        uint32_t to = slot == a ? b : slot == b ? a : slot;
        s->keys[i].order = (s->keys[i].order & ~(uint64_t)SLOT_MAX) | to;
    }
}

TEST("which slot an event has does not matter to the state")
{
    struct sim *s = some_state();
    uint64_t before = sim_state_digest(s);
    exchange_slots(s, key_slot(s->keys[0]), key_slot(s->keys[1]));
    CHECK(sim_state_digest(s) == before);
    toy_end();
}

TEST("the same state at two times has one digest, unless programs read clocks and one was stepped")
{
    uint64_t digest[2][2];
    for (uint32_t reads = 0; reads < 2; reads++)
        for (uint32_t late = 0; late < 2; late++) {
            toy_begin();
            toy.plan.clocks_are_read = reads;
            toy_fault(FAULT_WALL_JUMP, A, 1000)->amount = 7;
            struct sim *s = toy_new();
            toy_run();
            if (late) {
                sim_soon(s, MAIN(B), 1, 0, TIMER_KEEPS);
                toy_in(s, MAIN(B), CLOCK_TRUE, 1000, 1);
                toy_run();
            }
            s->machines[0].clock[CLOCK_WALL].read += late ? 1 : 0; /* a step that nothing waits for */
            toy_in(s, MAIN(B), CLOCK_TRUE, 1000, 1);
            toy_in(s, MAIN(B), CLOCK_WALL, 1000, 1);
            digest[reads][late] = sim_state_digest(s);
            toy_end();
        }
    CHECK(digest[0][0] == digest[0][1]);
    CHECK(digest[1][0] != digest[1][1]);
}

TEST("the hidden fraction of a clock that drifts is state")
{
    toy_begin();
    toy.machines[0].ppb = 1;
    struct sim *s = toy_new();
    uint64_t digest = sim_state_digest(s);
    s->world->now = 1;
    CHECK(sim_state_digest(s) != digest);
    toy_end();
}

/* --- how a run ends ----------------------------------------------------------------------------- */

TEST("nothing pending at all is empty; nothing that keeps the run alive is idle, until asked to go "
     "on")
{
    toy_begin();
    struct sim *s = toy_new();
    CHECK_EQ(sim_step(s, -1), SIM_EMPTY);
    CHECK_EQ(sim_next_at(s), NS_NEVER);
    struct timer t = {.thread = MAIN(A), .clock = CLOCK_TRUE, .kind = 4, .deadline = NS_PER_S};
    timer_set(s, &t);
    CHECK_EQ(sim_step(s, -1), SIM_IDLE);
    CHECK_EQ(sim_now(s), 0);
    CHECK_EQ(sim_step(s, NS_PER_S - 1), SIM_IDLE);
    CHECK_EQ(sim_step(s, NS_PER_S), SIM_RAN);
    CHECK_STR(toy.log, "1.000 a timer 4\n");
    toy_end();
}

TEST("a timer that a suspension for ever stops keeps no run alive")
{
    toy_begin();
    toy_fault(FAULT_SUSPEND, A, 500);
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_MONOTONIC, 1000, 1);
    struct timer t = {.thread = MAIN(B), .clock = CLOCK_TRUE, .deadline = NS_PER_S};
    timer_set(s, &t);
    CHECK_EQ(toy_run(), SIM_IDLE);
    CHECK_EQ(sim_next_at(s), NS_PER_S);
    CHECK_EQ(sim_step(s, NS_PER_S), SIM_RAN);
    CHECK_EQ(sim_step(s, NS_MAX), SIM_EMPTY);
    toy_end();
}

static void retries(struct sim *s, uint32_t slot, const struct timer *t)
{
    (void)slot;
    struct timer again = *t;
    struct toy_state *state = sim_model_state(s);
    again.deadline = sim_now(s) + 5 * NS_PER_S;
    again.flags = TIMER_RETRY;
    timer_set(s, &again);
    if (t->kind == 1 && state->ticks < 6)
        state->got++; /* progress, for a while */
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
}

static void no_progress(struct sim *s, const struct message *m)
{
    struct toy_state *state = sim_model_state(s);
    (void)m;
    state->got--;
}

TEST("a run in which only retries are left, and which goes round in circles, is idle")
{
    toy_begin();
    toy.on_timer = retries;
    toy.on_message = no_progress;
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_TRUE, 1000, 0);
    CHECK_EQ(toy_run(), SIM_IDLE);
    CHECK(sim_now(s) < 20 * NS_PER_S);
    CHECK(sim_steps(s) > 2);
    CHECK_EQ(sim_step(s, -1), SIM_IDLE);
    toy_end();
}

TEST("retries that still make progress go on")
{
    toy_begin();
    toy.on_timer = retries;
    toy.on_message = no_progress;
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_TRUE, 1000, 1);
    CHECK_EQ(toy_run(), SIM_IDLE);
    CHECK(((struct toy_state *)sim_model_state(s))->ticks >= 6);
    CHECK_EQ(sim_steps(s) % 2, 0);
    toy_end();
}

TEST("a keeper among retries runs without being asked")
{
    toy_begin();
    toy.on_message = no_progress;
    struct sim *s = toy_new();
    struct timer t = {.thread = MAIN(A), .clock = CLOCK_TRUE, .flags = TIMER_RETRY, .deadline = 2};
    timer_set(s, &t);
    t.flags = 0;
    t.kind = 5;
    t.deadline = 1;
    timer_set(s, &t);
    CHECK_EQ(toy_run(), SIM_EMPTY);
    CHECK_EQ(sim_steps(s), 2);
    toy_end();
}

TEST("the horizon ends a run at its own time")
{
    toy_begin();
    toy.plan.horizon = NS_PER_S;
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_TRUE, 1000, 1);
    toy_in(s, MAIN(A), CLOCK_TRUE, 1001, 2);
    CHECK_EQ(toy_run(), SIM_HORIZON);
    CHECK_EQ(sim_now(s), NS_PER_S);
    CHECK_STR(toy.log, "1.000 a timer 1\n");
    toy_end();
}

TEST("the limit of steps is reached at that step and not before")
{
    toy_begin();
    toy.plan.limits.steps = 2;
    struct sim *s = toy_new();
    for (int i = 0; i < 3; i++)
        toy_in(s, MAIN(A), CLOCK_TRUE, i, 0);
    CHECK_EQ(sim_step(s, -1), SIM_RAN);
    CHECK_EQ(sim_step(s, -1), SIM_RAN);
    CHECK_EQ(sim_step(s, -1), SIM_STEPS);
    toy_end();
}

static void check_full(const char *name, uint64_t limit)
{
    CHECK_EQ(toy_run(), SIM_FULL);
    CHECK_STR(sim_full_name(toy.s), name);
    CHECK_EQ((int64_t)sim_full_limit(toy.s), (int64_t)limit);
}

TEST("the limit of events holds as many and no more")
{
    toy_begin();
    toy.plan.limits.events = 3;
    struct sim *s = toy_new();
    for (int i = 0; i < 3; i++)
        CHECK(toy_in(s, MAIN(A), CLOCK_TRUE, 1, 0) != NONE32);
    CHECK_STR(sim_full_name(s), "");
    CHECK_EQ(toy_in(s, MAIN(A), CLOCK_TRUE, 1, 0), NONE32);
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    check_full("events", 3);
    sim_reset(s, NULL, 0);
    CHECK_EQ(toy_run(), SIM_EMPTY);
    toy_end();
}

TEST("the limit of messages holds as many and no more")
{
    toy_begin();
    toy.plan.limits.messages = 2;
    struct sim *s = toy_new();
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    CHECK_EQ(s->world->status, SIM_RAN);
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    check_full("messages", 2);
    toy_end();
}

TEST("the limit of records holds as many and no more, and only a kept trace has one")
{
    toy_begin();
    toy.plan.limits.records = 2;
    struct sim *s = toy_new();
    toy_act(s, MAIN(A), NONE16);
    toy_act(s, MAIN(A), NONE16);
    CHECK_EQ(s->world->status, SIM_RAN);
    CHECK_EQ(sim_record(s, A, N_A, V_ACTS, NONE16, NULL, 0, 0), 0);
    check_full("records", 2);
    toy_end();
    toy_begin();
    toy.options = 0;
    toy.plan.limits.records = 2;
    toy_new();
    for (int i = 0; i < 9; i++)
        toy_act(toy.s, MAIN(A), NONE16);
    CHECK_EQ(toy_run(), SIM_EMPTY);
    toy_end();
}

TEST("a short trace holds 8192 records and no more, or fewer where the plan has fewer")
{
    for (uint32_t planned = SHORT_TRACE - 1; planned <= SHORT_TRACE + 1; planned++) {
        toy_begin();
        toy.options |= SIM_SHORT_TRACE;
        toy.plan.limits.records = planned;
        uint32_t room = planned < SHORT_TRACE ? planned : SHORT_TRACE;
        struct sim *s = toy_new();
        for (uint32_t i = 0; i < room; i++)
            toy_act(s, MAIN(A), NONE16);
        CHECK_EQ(s->world->status, SIM_RAN);
        toy_act(s, MAIN(A), NONE16);
        check_full("records", room);
        toy_end();
    }
}

TEST("the limit of labels holds as many and no more")
{
    toy_begin();
    toy.plan.limits.labels = 2;
    toy.options |= SIM_POINTS;
    struct sim *s = toy_new();
    toy_act(s, MAIN(A), NONE16);
    toy_act(s, MAIN(B), NONE16);
    toy_act(s, MAIN(A), NONE16);
    CHECK_EQ(s->world->status, SIM_RAN);
    toy_act(s, MAIN(C), NONE16);
    check_full("labels", 2);
    toy_end();
}

TEST("message faults that wait are counted, and too many end the run")
{
    toy_begin();
    toy_link_fault(FAULT_DROP, A, B, -1);
    for (uint32_t i = 1; i <= 4; i++)
        toy_trigger(false, N_A, V_ACTS, NONE16, i);
    struct sim *s = toy_new();
    s->world->armed_n = 7;
    for (uint32_t i = 0; i < 7; i++)
        s->armed[i] = (struct armed){0, 9};
    for (int i = 0; i < 4; i++)
        toy_act(s, MAIN(A), NONE16);
    toy_in(s, MAIN(A), CLOCK_TRUE, 1, 0);
    check_full("faults", 10);
    toy_end();
}

TEST("a failure of the model ends the run; the first one counts")
{
    toy_begin();
    struct sim *s = toy_new();
    sim_fail(s, 7, 30);
    sim_fail(s, 8, 31);
    CHECK_EQ(toy_in(s, MAIN(A), CLOCK_TRUE, 1, 0) == NONE32, 0);
    CHECK_EQ(toy_run(), SIM_FAILED);
    CHECK_EQ(sim_fail_code(s), 7);
    CHECK_EQ(sim_fail_line(s), 30);
    toy_end();
}

TEST("a world too large for the machine is said, not tried")
{
    toy_begin();
    toy.plan.limits.records = UINT32_MAX;
    toy.plan.limits.messages = UINT32_MAX;
    toy.plan.limits.labels = UINT32_MAX;
    if (sizeof(void *) == 4)
        CHECK(sim_new(&toy.plan, &toy.model, NULL, toy.options) == NULL);
}

TEST("models reach their plan and their part of the world")
{
    toy_begin();
    int model_plan = 3;
    struct sim *s = sim_new(&toy.plan, &toy.model, &model_plan, 0);
    CHECK(sim_model_plan(s) == &model_plan);
    CHECK(sim_plan(s) == &toy.plan);
    CHECK_EQ(((struct toy_state *)sim_model_state(s))->got, 0);
    CHECK_EQ(thread_machine(s, MAIN(S)), 0);
    sim_free(s);
}

TEST("when memory is out sim_new says so")
{
    if (!test_counts_allocations()) {
        test_skip("allocations are not counted in this build");
        return;
    }
    toy_begin();
    test_fail_allocation(1);
    CHECK(sim_new(&toy.plan, &toy.model, NULL, 0) == NULL);
    test_fail_allocation(0);
}

TEST("a sim is one allocation, and its runs, resets and snapshots are none")
{
    static char snapshot[65536];
    int64_t before = test_allocations();
    struct sim *s = begin_busy();
    CHECK(!test_counts_allocations() || test_allocations() == before + 1);
    before = test_allocations();
    toy_run();
    sim_snapshot(s, snapshot, sizeof snapshot);
    sim_reset(s, NULL, 0);
    sim_restore(s, snapshot);
    CHECK_EQ(test_allocations(), before);
    toy_end();
}
