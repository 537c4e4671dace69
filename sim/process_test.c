/* SPDX-License-Identifier: MIT */
#include "sim/process.h"

#include "sim/test.h"
#include "sim/toy.h"

static void sends_each_second(struct sim *s, uint32_t slot, const struct timer *t)
{
    (void)slot;
    if (t->kind >= 5)
        return;
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_in(s, MAIN(B), CLOCK_TRUE, 1000, (uint16_t)(t->kind + 1));
}

/* b sends to a each second from 1 s to 4 s; a has timers at 1.5 s and 2.5 s. */
static void traffic(void)
{
    toy.on_timer = sends_each_second;
    struct sim *s = toy_new();
    toy_in(s, MAIN(B), CLOCK_TRUE, 1000, 1);
    toy_in(s, MAIN(A), CLOCK_BOOTTIME, 1500, 15);
    toy_in(s, MAIN(A), CLOCK_BOOTTIME, 2500, 25);
}

static struct fault_plan *pause_a(ns from_ms, ns for_ms)
{
    struct fault_plan *f = toy_fault(FAULT_PAUSE, A, from_ms);
    f->duration = for_ms == NS_NEVER ? NS_NEVER : for_ms * NS_PER_MS;
    return f;
}

/* What happened to a alone. */
static const char *story_of_a(void)
{
    static char story[2048];
    story[0] = '\0';
    for (const char *line = toy.log; *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(strchr(line, ' '), " a ", 3) == 0)
            strncat(story, line, (size_t)(strchr(line, '\n') + 1 - line));
    return story;
}

static const char *run_traffic(void)
{
    traffic();
    CHECK_EQ(toy_run(), SIM_EMPTY);
    toy_trace();
    toy_end();
    return story_of_a();
}

TEST("at resume backlog and overdue timers run merged by due and arrival time")
{
    toy_begin();
    pause_a(500, 3000);
    CHECK_STR(run_traffic(), "3.500 a gets ping\n3.500 a timer 15\n3.500 a gets ping\n3.500 a timer 25\n"
                             "3.500 a gets ping\n4.001 a gets ping\n");
    CHECK_STR(toy.said, "0.500 a pauses for 3.000\n3.500 a resumes\n");
}

TEST("a fault after the resume puts timers first")
{
    toy_begin();
    pause_a(500, 3000);
    toy_fault(FAULT_RESUME_ORDER, A, -1)->order = RESUME_TIMERS_FIRST;
    toy_trigger(false, N_A, V_RESUMES, NONE16, 1);
    CHECK_STR(run_traffic(), "3.500 a timer 15\n3.500 a timer 25\n3.500 a gets ping\n3.500 a gets ping\n"
                             "3.500 a gets ping\n4.001 a gets ping\n");
}

TEST("a fault after the resume puts messages first, and is used up by it")
{
    toy_begin();
    pause_a(500, 3000);
    toy_fault(FAULT_RESUME_ORDER, A, -1)->order = RESUME_MESSAGES_FIRST;
    toy_trigger(false, N_A, V_RESUMES, NONE16, 1);
    traffic();
    toy_run();
    CHECK_STR(story_of_a(), "3.500 a gets ping\n3.500 a gets ping\n3.500 a gets ping\n3.500 a timer 15\n"
                            "3.500 a timer 25\n4.001 a gets ping\n");
    toy_end();
}

TEST("overlapping pauses nest: the last to end lets it run, and only that is told")
{
    toy_begin();
    pause_a(500, 1000);
    pause_a(1000, 3500);
    CHECK_STR(run_traffic(), "4.500 a gets ping\n4.500 a timer 15\n4.500 a gets ping\n4.500 a timer 25\n"
                             "4.500 a gets ping\n4.500 a gets ping\n");
    CHECK_STR(toy.said, "0.500 a pauses for 1.000\n1.000 a pauses for 3.500\n4.500 a resumes\n");
}

TEST("a pause inside a suspension ends in silence, the suspension's end is told")
{
    toy_begin();
    toy_fault(FAULT_SUSPEND, A, 500)->duration = 3 * NS_PER_S;
    pause_a(600, 1000);
    CHECK_STR(run_traffic(), "3.500 a gets ping\n3.500 a timer 15\n3.500 a gets ping\n3.500 a timer 25\n"
                             "3.500 a gets ping\n4.001 a gets ping\n");
    CHECK_STR(toy.said, "0.500 a suspends for 3.000\n0.600 a pauses for 1.000\n3.500 a resumes\n");
}

TEST("a suspension that ends in another goes on")
{
    toy_begin();
    toy_fault(FAULT_SUSPEND, A, 500)->duration = 1 * NS_PER_S;
    toy_fault(FAULT_SUSPEND, A, 600)->duration = 2 * NS_PER_S;
    run_traffic();
    CHECK_STR(toy.said, "0.500 a suspends for 1.000\n0.600 a suspends for 2.000\n2.600 a resumes\n");
}

TEST("a pause for ever holds what comes, and keeps no run alive")
{
    toy_begin();
    pause_a(500, NS_NEVER);
    CHECK_STR(run_traffic(), "");
    CHECK_STR(toy.said, "0.500 a pauses\n");
}

TEST("a paused process's machine, and the service on it, run on")
{
    toy_begin();
    pause_a(500, 3000);
    struct sim *s = toy_new();
    toy_in(s, MAIN(S), CLOCK_MONOTONIC, 1000, 1);
    toy_in(s, MAIN(A), CLOCK_MONOTONIC, 1000, 2);
    toy_run();
    CHECK_STR(toy.log, "1.000 s timer 1\n3.500 a timer 2\n");
    toy_end();
}

TEST("a suspension stops every process of the machine and no other")
{
    toy_begin();
    toy_fault(FAULT_SUSPEND, S, 500)->duration = 3 * NS_PER_S;
    struct sim *s = toy_new();
    toy_in(s, MAIN(S), CLOCK_WALL, 1000, 1);
    toy_in(s, MAIN(A), CLOCK_WALL, 1001, 2);
    toy_in(s, MAIN(B), CLOCK_WALL, 1000, 3);
    toy_run_until(1000);
    CHECK(!sim_thread_runs(s, MAIN(A)));
    CHECK(sim_process_up(s, A));
    CHECK(sim_faults_outstanding(s));
    toy_run();
    CHECK_STR(toy.log, "1.000 b timer 3\n3.500 s timer 1\n3.500 a timer 2\n");
    CHECK_STR(toy_trace(), "0.500 a suspends for 3.000\n3.500 a resumes\n");
    CHECK(!sim_faults_outstanding(s));
    toy_end();
}

TEST("an observer fires although its thread is stopped or its process gone")
{
    toy_begin();
    pause_a(500, 3000);
    toy_fault(FAULT_CRASH, B, 500);
    struct sim *s = toy_new();
    for (uint16_t p = A; p <= B; p++) {
        struct timer t = {.thread = MAIN(p),
                          .clock = CLOCK_BOOTTIME,
                          .flags = TIMER_OBSERVER,
                          .deadline = clock_now(s, p, CLOCK_BOOTTIME) + NS_PER_S};
        timer_set(s, &t);
    }
    toy_run_until(5000);
    CHECK_STR(toy.log, "0.500 b is gone\n1.000 a timer 0\n1.000 b timer 0\n");
    toy_end();
}

/* --- crashes -------------------------------------------------------------------------- */

TEST("a crash takes timers and what waits in the socket buffer; what travels arrives after the "
     "restart")
{
    toy_begin();
    pause_a(500, 10000);
    struct fault_plan *f = toy_fault(FAULT_CRASH, A, 2000);
    f->duration = 1 * NS_PER_S;
    f->losing = LOSING_UNSYNCED;
    toy.threads[MAIN(A)].starts = 1;
    CHECK_STR(run_traffic(), "0.000 a starts\n2.000 a is gone unsynced\n3.000 a is back\n3.000 a starts\n"
                             "3.001 a gets ping\n4.001 a gets ping\n");
    CHECK_STR(toy.said, "0.500 a pauses for 10.000\n2.000 a crashes for 1.000 losing unsynced\n3.000 a restarts\n");
}

TEST("each start of a process has its number, and records carry it")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 1000)->duration = NS_PER_S;
    struct sim *s = toy_new();
    CHECK_EQ(sim_start_count(s, A), 1);
    toy_act(s, MAIN(A), NONE16);
    toy_run_until(3000);
    CHECK_EQ(sim_start_count(s, A), 2);
    toy_act(s, MAIN(A), NONE16);
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    CHECK_EQ(n, 4);
    CHECK_EQ(r[0].start, 1);
    CHECK_EQ(r[1].start, 1);
    CHECK_EQ(r[2].start, 2);
    CHECK_EQ(r[3].start, 2);
    toy_end();
}

TEST("a main thread that stops alone is told from its process, and the other thread runs on")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_PAUSE, A, 500);
    f->thread = MAIN(A);
    f->duration = NS_PER_S;
    toy_fault(FAULT_RESUME_ORDER, A, -1)->order = RESUME_TIMERS_FIRST;
    toy_trigger(false, N_AM, V_RESUMES, NONE16, 1);
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_TRUE, 1000, 1);
    toy_in(s, KEEPER(A), CLOCK_TRUE, 1000, 2);
    toy_run();
    CHECK_STR(toy_trace(), "0.500 a.main pauses for 1.000\n1.500 a.main resumes\n");
    CHECK_STR(toy.log, "1.000 a.k timer 2\n1.500 a timer 1\n");
    CHECK(sim_trigger_fired(toy.s, 0, NULL));
    toy_end();
}

TEST("who stands is counted by main threads: paused, suspended or down, however many of a machine, and no keeper")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, 500)->thread = KEEPER(A);
    pause_a(1000, 1000);
    toy_fault(FAULT_SUSPEND, S, 3000)->duration = NS_PER_S;
    toy_fault(FAULT_CRASH, B, 5000)->duration = NS_PER_S;
    struct sim *s = toy_new();
    static const struct {
        ns ms;
        uint32_t stand;
    } at[] = {{0, 0}, {600, 0}, {1000, 1}, {2000, 0}, {3000, 2}, {4000, 0}, {5000, 1}, {6000, 0}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        toy_run_until(at[i].ms);
        CHECK_EQ(sim_standing(s), at[i].stand);
    }
    toy_end();
}

TEST("crashing what is crashed, and pausing it, strikes nothing")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 1000);
    toy_fault(FAULT_CRASH, A, 1100);
    toy_fault(FAULT_PAUSE, A, 1200);
    toy_fault(FAULT_PAUSE, A, 1300)->thread = KEEPER(A);
    toy_new();
    toy_run();
    CHECK_STR(toy_trace(), "1.000 a crashes\n");
    CHECK(!sim_process_up(toy.s, A));
    toy_end();
}

TEST("a crash ends pauses of the process and of its threads, and of no other")
{
    toy_begin();
    pause_a(500, 60000);
    toy_fault(FAULT_PAUSE, S, 500)->duration = 60 * NS_PER_S;
    struct fault_plan *f = toy_fault(FAULT_PAUSE, A, 600);
    f->thread = KEEPER(A);
    f->duration = 60 * NS_PER_S;
    toy_fault(FAULT_CRASH, A, 1000)->duration = NS_PER_S;
    toy_new();
    toy_run_until(2000);
    CHECK(sim_thread_runs(toy.s, MAIN(A)));
    CHECK(sim_thread_runs(toy.s, KEEPER(A)));
    CHECK(!sim_thread_runs(toy.s, MAIN(S)));
    toy_run();
    CHECK_STR(toy_trace(), "0.500 a pauses for 60.000\n0.500 s pauses for 60.000\n0.600 a.k pauses for 60.000\n"
                           "1.000 a crashes for 1.000\n2.000 a restarts\n60.500 s resumes\n");
    toy_end();
}

TEST("nothing starts on a suspended machine, and its crashed process answers nobody")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 1000)->duration = NS_PER_S;
    toy_fault(FAULT_SUSPEND, A, 1500)->duration = 5 * NS_PER_S;
    toy.threads[MAIN(A)].starts = 1;
    struct sim *s = toy_new();
    toy_run_until(1600);
    toy_ask(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy.log, "0.000 a starts\n1.000 a is gone\n6.500 a is back\n6.500 a gets ping\n6.500 a starts\n");
    CHECK_STR(toy_trace(), "1.000 a crashes for 1.000\n1.500 a suspends for 5.000\n6.500 a "
                           "resumes\n6.500 a restarts\n");
    toy_end();
}

TEST("a request that waited at a suspended machine for a crashed process bounces at the resume")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 1000);
    toy_fault(FAULT_SUSPEND, A, 1500)->duration = 5 * NS_PER_S;
    struct sim *s = toy_new();
    toy_run_until(1600);
    toy_ask(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy.log, "1.000 a is gone\n6.501 b misses ping\n");
    toy_end();
}

static void no_timer_for_the_dead(void *context) { toy_in(context, MAIN(A), CLOCK_TRUE, 1, 0); }

TEST("setting a timer for a crashed process is a bug")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 1000);
    toy_new();
    toy_run();
    CHECK(test_asserts(no_timer_for_the_dead, toy.s, NULL));
    toy_end();
}

TEST("a start that a pause holds comes when it ends")
{
    toy_begin();
    pause_a(0, 1000);
    toy.threads[MAIN(A)].starts = 1;
    toy.threads[MAIN(B)].starts = 1;
    toy_new();
    toy_run();
    CHECK_STR(toy.log, "0.000 b starts\n1.000 a starts\n");
    toy_end();
}

/* --- timers ------------------------------------------------------------------------------ */

TEST("a cancelled timer never fires, queued or held")
{
    toy_begin();
    pause_a(500, 3000);
    struct sim *s = toy_new();
    uint32_t queued = toy_in(s, MAIN(B), CLOCK_WALL, 1000, 1);
    uint32_t held = toy_in(s, MAIN(A), CLOCK_WALL, 1000, 2);
    toy_in(s, MAIN(A), CLOCK_WALL, 1100, 3);
    uint32_t standing = toy_in(s, MAIN(A), CLOCK_RUN, 1000, 4);
    timer_cancel(s, queued);
    toy_run_until(2000);
    timer_cancel(s, held);
    timer_cancel(s, standing);
    toy_run();
    CHECK_STR(toy.log, "3.500 a timer 3\n");
    toy_end();
}

TEST("a timer in the past, and a step soon, are due now, in the order in which they were set")
{
    toy_begin();
    struct sim *s = toy_new();
    toy_set(s, MAIN(A), CLOCK_TRUE, -5, 1);
    toy_set(s, MAIN(A), CLOCK_WALL, 0, 2);
    sim_soon(s, MAIN(A), 3, 0, TIMER_KEEPS);
    toy_in(s, MAIN(A), CLOCK_RUN, 0, 4);
    toy_run();
    CHECK_STR(toy.log, "0.000 a timer 1\n0.000 a timer 2\n0.000 a timer 3\n0.000 a timer 4\n");
    toy_end();
}

TEST("work set while its thread stands begins when it runs; work beyond the end never ends")
{
    toy_begin();
    pause_a(500, 3000);
    struct sim *s = toy_new();
    toy_run_until(1000);
    toy_in(s, MAIN(A), CLOCK_RUN, 1000, 1);
    toy_set(s, MAIN(A), CLOCK_RUN, NS_MAX, 2);
    toy_run();
    CHECK_STR(toy.log, "4.500 a timer 1\n");
    toy_end();
}

TEST("slowness adds up, and the service is itself again when the last has ended")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_SLOW, S, 1000);
    f->amount = 3 * NS_PER_S;
    f->duration = 2 * NS_PER_S;
    f = toy_fault(FAULT_SLOW, S, 2000);
    f->amount = 1 * NS_PER_S;
    f->duration = 2 * NS_PER_S;
    toy_new();
    toy_run_until(2500);
    CHECK_EQ(sim_slowness(toy.s, S), 4 * NS_PER_S);
    toy_run();
    CHECK_EQ(sim_slowness(toy.s, S), 0);
    CHECK_STR(toy_trace(), "1.000 s slows by 3.000 for 2.000\n2.000 s slows by 1.000 for 2.000\n4.000 s recovers\n");
    toy_end();
}
