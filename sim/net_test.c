/* SPDX-License-Identifier: MIT */
#include "sim/net.h"

#include "sim/test.h"
#include "sim/toy.h"

/* Three messages b -> a on one stream, at 0, 1 and 2 ms: ping, pong, thing. */
static void three_messages(struct sim *s, uint32_t slot, const struct timer *t)
{
    static const name_id what[] = {N_PING, N_PONG, N_THING};
    (void)slot;
    if (t->kind == 100)
        return;
    toy_send(s, MAIN(B), MAIN(A), t->subject == 0 ? 0 : NONE16, what[t->kind]);
}

static struct sim *begin_three(bool stream)
{
    toy.on_timer = three_messages;
    struct sim *s = toy_new();
    for (uint16_t i = 0; i < 3; i++) {
        struct timer t = {.thread = MAIN(B),
                          .clock = CLOCK_TRUE,
                          .flags = TIMER_KEEPS,
                          .kind = i,
                          .subject = !stream,
                          .deadline = i * NS_PER_MS};
        timer_set(s, &t);
    }
    return s;
}

/* The log without the timers of the sender. */
static const char *received(void)
{
    static char story[2048];
    story[0] = '\0';
    for (const char *line = toy.log; *line != '\0'; line = strchr(line, '\n') + 1)
        if (strstr(line, " timer ") == NULL || strstr(line, " timer ") > strchr(line, '\n'))
            strncat(story, line, (size_t)(strchr(line, '\n') + 1 - line));
    return story;
}

static const char *run_three(bool stream)
{
    begin_three(stream);
    CHECK_EQ(toy_run(), SIM_EMPTY);
    toy_trace();
    toy_end();
    return received();
}

TEST("a message arrives after its link's delay; also between processes of one machine")
{
    toy_begin();
    struct sim *s = toy_new();
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_send(s, MAIN(S), MAIN(A), 1, N_PONG);
    toy_run();
    CHECK_STR(toy.log, "0.001 a gets ping\n0.001 a gets pong\n");
    toy_end();
}

TEST("a link named in the plan has its own delay, one way")
{
    toy_begin();
    toy.plan.n_links = 2;
    toy.links[0] = (struct link_plan){1, 0, 0, 0, 80 * NS_PER_MS, 80 * NS_PER_MS};
    toy.links[1] = (struct link_plan){2, 0, 0, 0, 90 * NS_PER_MS, 90 * NS_PER_MS};
    struct sim *s = toy_new();
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_send(s, MAIN(A), MAIN(B), 0, N_PONG);
    toy_send(s, MAIN(C), MAIN(S), 1, N_THING);
    toy_run();
    CHECK_STR(toy.log, "0.001 b gets pong\n0.080 a gets ping\n0.090 s gets thing\n");
    toy_end();
}

TEST("on a stream a delayed message holds back its successors")
{
    toy_begin();
    toy_link_fault(FAULT_DELAY, B, A, 0)->amount = 5 * NS_PER_MS;
    CHECK_STR(run_three(true), "0.006 a gets ping\n0.006 a gets pong\n0.006 a gets thing\n");
    CHECK_STR(toy.said, "0.000 net delays b to a what ping by 0.005\n");
}

TEST("without a stream a delayed message is overtaken")
{
    toy_begin();
    toy_link_fault(FAULT_DELAY, B, A, 0)->amount = 5 * NS_PER_MS;
    CHECK_STR(run_three(false), "0.002 a gets pong\n0.003 a gets thing\n0.006 a gets ping\n");
}

TEST("on a datagram link there are no streams")
{
    toy_begin();
    toy.plan.link_default.datagram = 1;
    toy_link_fault(FAULT_DELAY, B, A, 0)->amount = 5 * NS_PER_MS;
    CHECK_STR(run_three(true), "0.002 a gets pong\n0.003 a gets thing\n0.006 a gets ping\n");
}

TEST("a fault on messages strikes the ordinal-th from when it was declared, of its links only")
{
    toy_begin();
    toy_link_fault(FAULT_DROP, B, A, 0)->ordinal = 2;
    toy_link_fault(FAULT_DROP, C, A, 0);
    toy_link_fault(FAULT_DROP, B, C, 0);
    CHECK_STR(run_three(true), "0.001 a gets ping\n0.003 a gets thing\n");
    CHECK_STR(toy.said, "0.001 net loses b to a what pong\n");
}

TEST("two faults may strike one message")
{
    toy_begin();
    toy_link_fault(FAULT_DELAY, B, A, 0)->amount = 5 * NS_PER_MS;
    toy_link_fault(FAULT_DELAY, B, A, 0)->amount = NS_MAX;
    toy_new();
    toy_run_until(1);
    toy_send(toy.s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_EQ(sim_now(toy.s), NS_MAX);
    toy_end();
}

TEST("the copy of a duplicated message comes after it, outside the stream's order")
{
    toy_begin();
    toy_link_fault(FAULT_DUPLICATE, B, A, 0)->amount = 3 * NS_PER_S;
    CHECK_STR(run_three(true), "0.001 a gets ping\n0.002 a gets pong\n0.003 a gets thing\n3.001 a gets again ping\n");
    CHECK_STR(toy.said, "0.000 net duplicates b to a what ping after 3.000\n");
}

TEST("a reordered message arrives right behind its successor")
{
    toy_begin();
    toy_link_fault(FAULT_REORDER, B, A, 0);
    CHECK_STR(run_three(true), "0.002 a gets pong\n0.002 a gets ping\n0.003 a gets thing\n");
    CHECK_STR(toy.said, "0.000 net reorders b to a what ping\n");
}

TEST("a reordered message without a successor comes after five seconds")
{
    toy_begin();
    toy_link_fault(FAULT_REORDER, B, A, 0)->ordinal = 3;
    CHECK_STR(run_three(true), "0.001 a gets ping\n0.002 a gets pong\n5.002 a gets thing\n");
}

TEST("two reordered messages both come behind the next")
{
    toy_begin();
    toy_link_fault(FAULT_REORDER, B, A, 0);
    toy_link_fault(FAULT_REORDER, B, A, 0)->ordinal = 2;
    CHECK_STR(run_three(true), "0.003 a gets thing\n0.003 a gets ping\n0.003 a gets pong\n");
}

TEST("the successor of a reordered message is one of the fault's links, not of any")
{
    toy_begin();
    struct fault_plan *f = toy_link_fault(FAULT_REORDER, B, A, 0);
    static const uint16_t both[] = {A, C};
    f->b = toy_ids(2, both);
    struct sim *s = toy_new();
    toy_run();
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_send(s, MAIN(A), MAIN(B), 0, N_OTHER);
    toy_in(s, MAIN(A), CLOCK_TRUE, 10, 1);
    toy_run_until(10);
    toy_send(s, MAIN(B), MAIN(C), 1, N_PONG);
    toy_run();
    CHECK_STR(toy.log, "0.001 b gets other\n0.010 a timer 1\n0.011 c gets pong\n0.011 a gets ping\n");
    toy_end();
}

/* --- closed links ---------------------------------------------------------------------- */

static struct fault_plan *cut_b_a(ns from_us, ns for_us, bool holding)
{
    struct fault_plan *f = toy_link_fault(FAULT_CUT, B, A, 0);
    f->at = from_us * NS_PER_US;
    f->duration = for_us * NS_PER_US;
    f->holding = holding;
    return f;
}

TEST("only whether a link is closed at the instant of arrival counts")
{
    toy_begin();
    cut_b_a(1500, 1000, false); /* closed from 1.5 ms to 2.5 ms */
    CHECK_STR(run_three(true), "0.001 a gets ping\n0.003 a gets thing\n");
    CHECK_STR(toy.said, "0.001500000 net cuts a text for 0.001\n"
                        "0.002 net loses b to a what pong\n0.002500000 net heals a text\n");
}

TEST("a holding link delivers in order, one base delay after it opens, and nothing overtakes")
{
    toy_begin();
    cut_b_a(0, 2500, true); /* ping and pong are held; thing would arrive at 3 ms */
    CHECK_STR(run_three(true), "0.003500000 a gets ping\n0.003500000 a gets pong\n0.003500000 a gets thing\n");
}

TEST("without a stream what was held is overtaken")
{
    toy_begin();
    cut_b_a(0, 2500, true);
    CHECK_STR(run_three(false), "0.003 a gets thing\n0.003500000 a gets ping\n0.003500000 a gets pong\n");
}

TEST("where one closure drops and another holds, it drops")
{
    toy_begin();
    cut_b_a(0, 2500, true);
    cut_b_a(1500, 1000, false);
    CHECK_STR(run_three(true), "0.003500000 a gets ping\n0.003500000 a gets thing\n");
}

TEST("what is held goes on only when no closure is left, and is judged anew when it arrives")
{
    toy_begin();
    cut_b_a(0, 2500, true);
    cut_b_a(2000, 3000, false);
    cut_b_a(5500, 2000, true);
    CHECK_STR(run_three(true), "0.008500000 a gets ping\n");
}

TEST("a cut is one way, and says so where it is both")
{
    toy_begin();
    toy_link_fault(FAULT_CUT, B, A, 0)->duration = NS_PER_S;
    toy_link_fault(FAULT_CUT, B, C, 0)->both_ways = 1;
    struct sim *s = toy_new();
    toy_run_until(0);
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    toy_send(s, MAIN(C), MAIN(B), 1, N_PONG);
    toy_send(s, MAIN(B), MAIN(C), 1, N_PONG);
    toy_run();
    CHECK_STR(toy.log, "0.001 b gets ping\n");
    toy_end();
}

TEST("a partition cuts between its sides; who is on none sees both, and one machine is one")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_PARTITION, A, 0);
    static const uint16_t sides[TOY_MACHINES] = {1, 2, 0};
    f->a = toy_ids(TOY_MACHINES, sides);
    struct sim *s = toy_new();
    toy_run();
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_send(s, MAIN(A), MAIN(C), 1, N_PONG);
    toy_send(s, MAIN(C), MAIN(B), 2, N_PONG);
    toy_send(s, MAIN(S), MAIN(A), 3, N_THING);
    toy_run();
    CHECK_STR(toy.log, "0.001 c gets pong\n0.001 b gets pong\n0.001 a gets thing\n");
    CHECK_STR(toy_trace(), "0.000 net partitions a text\n0.001 net loses a to b what ping\n0.001 "
                           "net loses b to a what ping\n");
    toy_end();
}

TEST("heal ends every closure at once, and their own ends do nothing any more")
{
    toy_begin();
    cut_b_a(0, 60000000, true);
    toy_link_fault(FAULT_CUT, C, A, 0)->duration = 60 * NS_PER_S;
    toy_fault(FAULT_HEAL, A, 10);
    toy_fault(FAULT_HEAL, A, 20);
    CHECK_STR(run_three(true), "0.011 a gets ping\n0.011 a gets pong\n0.011 a gets thing\n");
    CHECK_STR(toy.said, "0.000 net cuts a text for 60.000\n0.000 net cuts a text for 60.000\n"
                        "0.001 net holds b to a what ping\n0.002 net holds b to a what pong\n"
                        "0.003 net holds b to a what thing\n0.010 net heals a text\n"); /* both are called so */
}

TEST("a closure that a fault begins twice ends with the second end")
{
    toy_begin();
    toy_link_fault(FAULT_CUT, B, A, -1)->duration = 1000 * NS_PER_MS;
    toy_trigger(false, N_B, V_ACTS, NONE16, 1);
    toy_trigger(false, N_B, V_ACTS, NONE16, 2);
    struct sim *s = toy_new();
    toy_act(s, MAIN(B), NONE16);
    toy_act(s, MAIN(B), NONE16);
    toy_in(s, MAIN(C), CLOCK_TRUE, 1, 100);
    toy_run();
    CHECK_STR(toy_trace(), "0.000 b acts\n0.000 b acts\n0.001 net cuts a text for 1.000\n"
                           "0.001 net cuts a text for 1.000\n1.001 net heals a text\n");
    toy_end();
}

/* --- nobody runs there ---------------------------------------------------------------------- */

TEST("a request to a crashed process comes back after a round trip; anything else is lost in "
     "silence")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 0);
    struct sim *s = toy_new();
    toy_run();
    toy_ask(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_send(s, MAIN(B), MAIN(A), 0, N_PONG);
    toy_run();
    CHECK_STR(toy.log, "0.000 a is gone\n0.002 b misses ping\n");
    CHECK_STR(toy_trace(), "0.000 a crashes\n");
    toy_end();
}

TEST("a bounce can be lost like any message, and does not bounce")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, 0);
    toy_link_fault(FAULT_CUT, A, B, 0);
    struct sim *s = toy_new();
    toy_run();
    toy_ask(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy_trace(), "0.000 a crashes\n0.000 net cuts a text\n0.002 net loses a to b what ping\n");
    toy_end();
}

TEST("a message outlives its sender")
{
    toy_begin();
    toy_fault(FAULT_CRASH, B, 0);
    struct sim *s = toy_new();
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_run();
    CHECK_STR(toy.log, "0.000 b is gone\n0.001 a gets ping\n");
    toy_end();
}

static bool in_flight(const struct sim *s, uint16_t call)
{
    uint64_t bits[2] = {0, 0};
    sim_flights(s, bits, 128);
    CHECK_EQ(bits[1], 0);
    CHECK_EQ(bits[0] >> call & 1, sim_flies(s, call)); /* one is asked as all are */
    return bits[0] >> call & 1;
}

TEST("what is due between two times is a message that arrives or a fault that ends, both times among them; no timer")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, 1)->duration = 10 * NS_PER_MS;
    struct sim *s = toy_new();
    toy_run_until(2);
    const ns ends = 11 * NS_PER_MS;
    toy_set(s, MAIN(B), CLOCK_TRUE, 5 * NS_PER_MS, 1);
    CHECK(sim_due_between(s, ends, ends) && sim_due_between(s, 0, NS_NEVER));
    CHECK(!sim_due_between(s, 0, ends - 1) && !sim_due_between(s, ends + 1, NS_NEVER));
    toy_send(s, MAIN(A), MAIN(B), 0, N_PING);
    const ns arrives = sim_now(s) + NS_PER_MS;
    CHECK(sim_due_between(s, arrives, arrives));
    CHECK(!sim_due_between(s, 0, arrives - 1) && !sim_due_between(s, arrives + 1, ends - 1));
    toy_end();
}

TEST("a call is in flight while a message of it travels, waits, or is held")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, 0)->duration = 10 * NS_PER_MS;
    toy_link_fault(FAULT_DUPLICATE, B, A, 0)->amount = 20 * NS_PER_MS;
    struct sim *s = toy_new();
    toy_run_until(0);
    struct message m = {.from = MAIN(B), .to = MAIN(A), .conn = 0, .call = 7, .what = N_PING};
    sim_send(s, &m);
    toy_send(s, MAIN(B), MAIN(A), 0, N_PONG);
    CHECK(in_flight(s, 7) && !in_flight(s, 6));
    toy_run_until(5); /* held: its receiver is paused */
    CHECK(in_flight(s, 7));
    toy_run_until(10); /* the copy still travels */
    CHECK(in_flight(s, 7));
    toy_run();
    CHECK(!in_flight(s, 7));
    toy_end();
}

TEST("an arrival is noted with the receiver's thread, the sender's, and the call")
{
    toy_begin();
    toy.options |= SIM_NOTES;
    struct sim *s = toy_new();
    struct message m = {.from = KEEPER(B), .to = MAIN(A), .conn = 0, .call = 7, .what = N_PING};
    sim_send(s, &m);
    m.call = NONE16;
    sim_send(s, &m);
    toy_run();
    CHECK_STR(toy_trace(), "0.001 a receives from b.k what ping\n0.001 a receives from b.k what ping\n");
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    CHECK_EQ(r[0].field[2], 7);
    CHECK_EQ(r[0].tag[2], TAG_INT);
    CHECK_EQ(r[1].tag[2], TAG_NONE);
    toy_end();
}
