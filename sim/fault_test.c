/* SPDX-License-Identifier: MIT */
#include "sim/fault.h"

#include "sim/test.h"
#include "sim/toy.h"

/* Each timer of kind 1 acts, after asking; kind 2 acts without asking. */
static void acts(struct sim *s, uint32_t slot, const struct timer *t)
{
    (void)slot;
    if (t->kind == 1 && !sim_before(s, t->thread, toy.threads[t->thread].name, V_ACTS, N_THING))
        return;
    toy_act(s, t->thread, N_THING);
}

static struct sim *begin_acts(uint16_t kind)
{
    toy.on_timer = acts;
    struct sim *s = toy_new();
    for (ns at = 1; at <= 3; at++)
        toy_in(s, MAIN(A), CLOCK_TRUE, 1000 * at, kind);
    return s;
}

static const char *run_acts(uint16_t kind)
{
    begin_acts(kind);
    toy_run();
    toy_trace();
    toy_end();
    return toy.said;
}

static struct fault_plan *triggered_pause(void)
{
    struct fault_plan *f = toy_fault(FAULT_PAUSE, A, -1);
    f->duration = 1500 * NS_PER_MS;
    return f;
}

TEST("a fault before the second act strikes between the question and the act, and the act comes "
     "after")
{
    toy_begin();
    triggered_pause();
    toy_trigger(true, N_A, V_ACTS, N_THING, 2);
    CHECK_STR(run_acts(1), "1.000 a acts thing\n2.000 a pauses for 1.500\n3.500 a resumes\n"
                           "3.500 a acts thing\n3.500 a acts thing\n");
}

TEST("a fault after the second act comes when the act is done")
{
    toy_begin();
    triggered_pause();
    toy_trigger(false, N_A, V_ACTS, NONE16, 2);
    CHECK_STR(run_acts(2), "1.000 a acts thing\n2.000 a acts thing\n2.000 a pauses for 1.500\n3.500 a resumes\n"
                           "3.500 a acts thing\n");
}

TEST("a trigger for one object, actor or verb does not fire for another")
{
    toy_begin();
    triggered_pause();
    toy_trigger(true, N_A, V_ACTS, N_OTHER, 1);
    toy_trigger(true, N_B, V_ACTS, N_THING, 1);
    toy_trigger(true, N_A, V_REACTS, N_THING, 1);
    toy_trigger(false, N_A, V_ACTS, N_OTHER, 1);
    CHECK_STR(run_acts(1), "1.000 a acts thing\n2.000 a acts thing\n3.000 a acts thing\n");
}

TEST("a crash before an act takes the act, and the restarted process is a new one")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, -1)->duration = 500 * NS_PER_MS;
    toy_trigger(true, N_A, V_ACTS, N_THING, 2);
    CHECK_STR(run_acts(1), "1.000 a acts thing\n2.000 a crashes for 0.500\n2.500 a restarts\n");
}

TEST("a fault before an act that leaves its thread alone does not stop it")
{
    toy_begin();
    toy_fault(FAULT_CRASH, B, -1);
    toy_trigger(true, N_A, V_ACTS, N_THING, 1);
    CHECK_STR(run_acts(1), "1.000 b crashes\n1.000 a acts thing\n2.000 a acts thing\n3.000 a acts thing\n");
}

TEST("the interrupted step goes first at the resume, whatever the order")
{
    toy_begin();
    triggered_pause();
    toy_trigger(true, N_A, V_ACTS, N_THING, 1);
    toy_fault(FAULT_RESUME_ORDER, A, -1)->order = RESUME_MESSAGES_FIRST;
    toy_trigger(false, N_A, V_RESUMES, NONE16, 1);
    struct sim *s = begin_acts(1);
    toy_run_until(1000);
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy.log, "1.000 a timer 1\n2.500 a timer 1\n2.500 a gets ping\n2.500 a timer 1\n3.000 a timer 1\n");
    toy_end();
}

/* A handler that asks twice, before it acts and before it reacts. */
static void asks_twice(struct sim *s, const struct message *m)
{
    name_id name = toy.threads[m->to].name;
    if (!sim_before(s, m->to, name, V_ACTS, NONE16) || !sim_before(s, m->to, name, V_REACTS, NONE16))
        return;
    toy_act(s, m->to, NONE16);
    sim_record(s, A, name, V_REACTS, NONE16, NULL, 0, 0);
}

TEST("a handler run again is not asked again, counts for no trigger, and its message is the same")
{
    toy_begin();
    toy.on_message = asks_twice;
    triggered_pause();
    toy_trigger(true, N_A, V_REACTS, NONE16, 1);
    toy_fault(FAULT_CRASH, A, -1);
    toy_trigger(true, N_A, V_ACTS, NONE16, 2);
    toy.options |= SIM_NOTES;
    struct sim *s = toy_new();
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy_trace(), "0.001 a receives from b what ping\n0.001 a pauses for 1.500\n1.501 a resumes\n"
                           "1.501 a acts\n1.501 a reacts\n");
    toy_end();
}

TEST("a message that a fault before stops is in the socket buffer: a crash takes it")
{
    toy_begin();
    toy.on_message = asks_twice;
    triggered_pause();
    toy_trigger(true, N_A, V_REACTS, NONE16, 1);
    toy_fault(FAULT_CRASH, A, 1000)->duration = 10 * NS_PER_MS;
    struct sim *s = toy_new();
    toy_ask(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy.log, "0.001 a gets ping\n1.000 a is gone\n1.010 a is back\n");
    toy_end();
}

static void asks_at_start(struct sim *s, uint16_t thread)
{
    if (sim_before(s, thread, N_A, V_ACTS, NONE16))
        toy_act(s, thread, NONE16);
}

TEST("a first step can be stopped before it acts")
{
    toy_begin();
    toy.threads[MAIN(A)].starts = 1;
    toy.on_start = asks_at_start;
    triggered_pause();
    toy_trigger(true, N_A, V_ACTS, NONE16, 1);
    toy_new();
    toy_run();
    CHECK_STR(toy_trace(), "0.000 a pauses for 1.500\n1.500 a resumes\n1.500 a acts\n");
    toy_end();
}

TEST("a watchdog acts although its thread alone is paused, an observer whatever befalls it")
{
    toy_begin();
    toy.on_timer = acts;
    struct fault_plan *f = triggered_pause();
    f->thread = MAIN(A);
    toy_trigger(true, N_A, V_ACTS, N_THING, 1);
    toy_fault(FAULT_CRASH, A, -1);
    toy_trigger(true, N_A, V_ACTS, N_THING, 2);
    struct sim *s = toy_new();
    struct timer t = {.thread = MAIN(A), .clock = CLOCK_TRUE, .flags = TIMER_KEEPS, .kind = 1, .process_wide = 1};
    timer_set(s, &t);
    t.flags |= TIMER_OBSERVER;
    t.deadline = 1;
    timer_set(s, &t);
    toy_run();
    CHECK_STR(toy_trace(), "0.000 a.main pauses for 1.500\n0.000 a acts thing\n0.000000001 a "
                           "crashes\n0.000000001 a acts thing\n");
    toy_end();
}

TEST("a trigger without a fault only notes when it fired")
{
    toy_begin();
    toy_trigger(false, N_A, V_ACTS, N_THING, 2);
    toy.triggers[0].fault = NONE32;
    struct sim *s = begin_acts(2);
    ns at = 0;
    toy_run_until(1500);
    CHECK(!sim_trigger_fired(s, 0, &at));
    toy_run();
    CHECK(sim_trigger_fired(s, 0, &at));
    CHECK(sim_trigger_fired(s, 0, NULL));
    CHECK_EQ(at, 2 * NS_PER_S);
    CHECK_EQ(sim_triggers_fired(s), 1);
    toy_end();
}

TEST("one triggered fault may trigger another")
{
    toy_begin();
    triggered_pause();
    toy_trigger(false, N_A, V_ACTS, N_THING, 1);
    toy_fault(FAULT_CRASH, B, -1);
    toy_trigger(false, N_A, V_PAUSES, NONE16, 1);
    toy_fault(FAULT_SLOW, S, -1)->amount = NS_PER_S;
    toy_trigger(false, N_B, V_CRASHES, NONE16, 1);
    begin_acts(2);
    toy_run_until(1000);
    CHECK_STR(toy_trace(), "1.000 a acts thing\n1.000 a pauses for 1.500\n1.000 b crashes\n1.000 s slows by 1.000\n");
    uint32_t n;
    const struct record *r = sim_trace(toy.s, &n);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(r[i].cause, i);
    toy_end();
}

TEST("dated faults at one instant strike in the order of the plan, each on every one it names, "
     "once a machine")
{
    toy_begin();
    static const uint16_t all[] = {S, B, A};
    toy_fault(FAULT_SUSPEND, C, 1000)->a = toy_ids(3, all);
    toy_fault(FAULT_CRASH, C, 1000)->a = toy_ids(3, all);
    toy_fault(FAULT_DRIFT, C, 500)->ppb = 200;
    toy_new();
    toy_run();
    CHECK_STR(toy_trace(), "0.500 c drifts ppb 200\n1.000 a suspends\n1.000 b suspends\n1.000 s crashes\n"
                           "1.000 b crashes\n1.000 a crashes\n");
    toy_end();
}

TEST("each fault says what it does in the words of the table, with its line")
{
    toy_begin();
    toy_fault(FAULT_WALL_JUMP, A, 1)->amount = -NS_PER_S;
    struct fault_plan *f = toy_fault(FAULT_SLEW, A, 2);
    f->amount = NS_PER_S;
    f->duration = NS_PER_S * 4;
    f->line = 12;
    f = toy_fault(FAULT_CRASH, A, 3);
    f->losing = LOSING_EVERYTHING;
    toy_new();
    toy_run();
    CHECK_STR(toy_trace(), "0.001 a jumps by -1000000000\n0.002 a slews by 1.000 over 4.000\n"
                           "0.003 a crashes losing everything\n");
    uint32_t n;
    CHECK_EQ(sim_trace(toy.s, &n)[1].line, 12);
    toy_end();
}

TEST("the end of a fault has its beginning as cause")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, B, 1000)->duration = NS_PER_S;
    triggered_pause();
    toy_trigger(false, N_B, V_PAUSES, NONE16, 1);
    toy_new();
    toy_run();
    uint32_t n;
    const struct record *r = sim_trace(toy.s, &n);
    CHECK_EQ(n, 4);
    CHECK_EQ(r[0].cause, 0);
    CHECK_EQ(r[1].cause, 1);
    CHECK_EQ(r[2].cause, 1);
    CHECK_EQ(r[3].cause, 2);
    toy_end();
}

static void asks_from_outside(void *context) { sim_before(context, MAIN(A), N_A, V_ACTS, NONE16); }

TEST("asking sim_before outside a handler is a bug")
{
    toy_begin();
    toy_new();
    CHECK(test_asserts(asks_from_outside, toy.s, NULL));
    toy_end();
}

TEST("a second pause of an interrupted step, and a pause of no length, change nothing but time")
{
    toy_begin();
    triggered_pause();
    toy_trigger(true, N_A, V_ACTS, N_THING, 1);
    toy_fault(FAULT_PAUSE, A, -1)->duration = NS_PER_S;
    toy_trigger(false, N_A, V_RESUMES, NONE16, 1);
    toy_fault(FAULT_PAUSE, A, -1)->duration = 0;
    toy_trigger(true, N_A, V_ACTS, N_THING, 2);
    CHECK_STR(run_acts(1), "1.000 a pauses for 1.500\n2.500 a resumes\n2.500 a pauses for 1.000\n3.500 a resumes\n"
                           "3.500 a acts thing\n3.500 a pauses for 0.000\n3.500 a resumes\n3.500 a acts thing\n"
                           "3.500 a acts thing\n");
}
