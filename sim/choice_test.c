/* SPDX-License-Identifier: MIT */
#include "sim/choice.h"

#include "sim/test.h"
#include "sim/toy.h"

static uint64_t at_record(enum choice_kind kind, const char *actor, const char *verb, const char *object,
                          uint32_t occurrence)
{
    return choice_address(choice_kind_hash(kind), hash_text(actor), hash_text(verb),
                          object == NULL ? 0 : hash_text(object), occurrence);
}

static uint64_t at_message(const char *from, const char *to, uint32_t occurrence)
{
    return choice_address(choice_kind_hash(CHOICE_MESSAGE), hash_text(from), 0, hash_text(to), occurrence);
}

static void asks_and_acts(struct sim *s, uint32_t slot, const struct timer *t)
{
    (void)slot;
    if (!sim_before(s, t->thread, toy.threads[t->thread].name, V_ACTS, N_THING))
        return;
    toy_act(s, t->thread, N_THING);
    toy_send(s, t->thread, MAIN(B), 0, N_PING);
}

/* a acts at 1, 2 and 3 s and tells b. */
static void run_with(const struct deviation *deviations, uint32_t n)
{
    toy.on_timer = asks_and_acts;
    struct sim *s = toy_new();
    sim_reset(s, deviations, n);
    for (ns at = 1; at <= 3; at++)
        toy_in(s, MAIN(A), CLOCK_TRUE, 1000 * at, 0);
    toy_run();
    toy_trace();
}

TEST("an address depends on each of its parts")
{
    uint64_t base = choice_address(1, 2, 3, 4, 5);
    CHECK(base != choice_address(9, 2, 3, 4, 5));
    CHECK(base != choice_address(1, 9, 3, 4, 5));
    CHECK(base != choice_address(1, 2, 9, 4, 5));
    CHECK(base != choice_address(1, 2, 3, 9, 5));
    CHECK(base != choice_address(1, 2, 3, 4, 9));
    CHECK(base != choice_address(1, 3, 2, 4, 5));
    CHECK(choice_kind_hash(CHOICE_DELAY) == hash_text("delay"));
}

TEST("a deviation after the second act pauses there")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, -1)->duration = 1500 * NS_PER_MS;
    struct deviation d = {at_record(CHOICE_AFTER, "a", "acts", "thing", 2), 0, 0};
    run_with(&d, 1);
    CHECK_STR(toy.said, "1.000 a acts thing\n2.000 a acts thing\n2.000 a pauses for 1.500\n3.500 a resumes\n"
                        "3.500 a acts thing\n");
    CHECK_EQ(sim_deviations_inert(toy.s), 0);
    toy_end();
}

TEST("a deviation before the second act pauses there, and the act is no new occurrence when it "
     "comes")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, -1)->duration = 500 * NS_PER_MS;
    struct deviation d[] = {{at_record(CHOICE_BEFORE, "a", "acts", "thing", 2), 0, 0},
                            {at_record(CHOICE_BEFORE, "a", "acts", "thing", 3), 0, 0},
                            {at_record(CHOICE_BEFORE, "a", "acts", "thing", 4), 0, 0}};
    run_with(d, 3);
    CHECK_STR(toy.said, "1.000 a acts thing\n2.000 a pauses for 0.500\n2.500 a resumes\n2.500 a acts thing\n"
                        "3.000 a pauses for 0.500\n3.500 a resumes\n3.500 a acts thing\n");
    CHECK_EQ(sim_deviations_inert(toy.s), 1);
    toy_end();
}

TEST("a message can be dropped or duplicated by an option")
{
    toy_begin();
    struct deviation d[] = {{at_message("a", "b", 1), 1, NONE32}, {at_message("a", "b", 3), 2, NONE32}};
    run_with(d, 2);
    CHECK_STR(toy.log, "1.000 a timer 0\n2.000 a timer 0\n2.001 b gets ping\n3.000 a timer 0\n3.001 b gets ping\n"
                       "3.002 b gets again ping\n");
    CHECK(strstr(toy.said, "1.000 net loses a to b what ping\n") != NULL);
    CHECK(strstr(toy.said, "3.000 net duplicates a to b what ping after 0.001\n") != NULL);
    toy_end();
}

TEST("a fault on a message strikes that very message, whatever links it names")
{
    toy_begin();
    toy_link_fault(FAULT_DELAY, C, C, -1)->amount = NS_PER_S;
    toy_link_fault(FAULT_REORDER, C, C, -1);
    struct deviation d[] = {{at_message("a", "b", 2), 0, 1}, {at_message("a", "b", 3), 0, 0}};
    run_with(d, 2);
    CHECK_STR(toy.log, "1.000 a timer 0\n1.001 b gets ping\n2.000 a timer 0\n3.000 a timer 0\n"
                       "4.001 b gets ping\n4.001 b gets ping\n");
    toy_end();
}

TEST("a fault of another kind at a message strikes when the handler has ended")
{
    toy_begin();
    toy_fault(FAULT_CRASH, A, -1);
    struct deviation d = {at_message("a", "b", 1), 0, 0};
    run_with(&d, 1);
    CHECK_STR(toy.log, "1.000 a timer 0\n1.000 a is gone\n1.001 b gets ping\n");
    toy_end();
}

TEST("a deviation puts timers or messages first at a resume")
{
    for (uint32_t order = 0; order < 4; order++) {
        toy_begin();
        toy_fault(FAULT_PAUSE, A, 500)->duration = 5 * NS_PER_S;
        struct deviation d = {choice_address(choice_kind_hash(CHOICE_RESUME), hash_text("a"), 0, 0, 1), order, NONE32};
        struct sim *s = toy_new();
        sim_reset(s, &d, 1);
        toy_in(s, MAIN(A), CLOCK_WALL, 1000, 1);
        toy_run_until(600);
        toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
        toy_run_until(1500);
        toy_send(s, MAIN(B), MAIN(A), 0, N_PONG);
        toy_run();
        static const char *const story[] = {
            "5.500 a gets ping\n5.500 a timer 1\n5.500 a gets pong\n",
            "5.500 a timer 1\n5.500 a gets ping\n5.500 a gets pong\n",
            "5.500 a gets ping\n5.500 a gets pong\n5.500 a timer 1\n",
            "5.500 a gets ping\n5.500 a timer 1\n5.500 a gets pong\n", /* no such order: the calm one */
        };
        CHECK_STR(toy.log, story[order]);
        toy_end();
    }
}

TEST("a link's delay is the lower end of its range, or by a deviation the upper")
{
    toy_begin();
    toy.plan.link_default.delay_max = 9 * NS_PER_MS;
    struct deviation d = {choice_address(choice_kind_hash(CHOICE_DELAY), hash_text("a"), 0, hash_text("b"), 2), 1,
                          NONE32};
    run_with(&d, 1);
    CHECK_STR(toy.log, "1.000 a timer 0\n1.001 b gets ping\n2.000 a timer 0\n2.009 b gets ping\n3.000 a timer 0\n"
                       "3.001 b gets ping\n");
    toy_end();
}

TEST("a deviation that meets no point changes nothing and is counted as inert")
{
    toy_begin();
    run_with(NULL, 0);
    uint64_t calm = sim_trace_digest(toy.s);
    toy_end();
    toy_begin();
    toy_fault(FAULT_CRASH, A, -1);
    struct deviation d = {at_record(CHOICE_AFTER, "a", "acts", "thing", 9), 0, 0};
    run_with(&d, 1);
    CHECK(sim_trace_digest(toy.s) == calm);
    CHECK_EQ(sim_deviations_inert(toy.s), 1);
    sim_deviate(toy.s, NULL, 0);
    CHECK_EQ(sim_deviations_inert(toy.s), 0);
    toy_end();
}

TEST("every point is noted on request, with an address that strikes it; digest and causes are the "
     "same")
{
    toy_begin();
    run_with(NULL, 0);
    uint64_t calm = sim_trace_digest(toy.s);
    toy_end();
    toy_begin();
    toy.options |= SIM_POINTS | SIM_NOTES;
    toy.plan.link_default.delay_max = 9 * NS_PER_MS;
    run_with(NULL, 0);
    CHECK(sim_trace_digest(toy.s) == calm);
    uint32_t n, points = 0;
    const struct record *r = sim_trace(toy.s, &n);
    for (uint32_t i = 0; i < n; i++)
        points += r[i].verb == V_CHOICE;
    CHECK_EQ(points, 3 * 4); /* before, after, message, delay */
    CHECK_EQ(r[0].field[0], CHOICE_BEFORE);
    CHECK(r[0].field[4] == (int64_t)at_record(CHOICE_BEFORE, "a", "acts", "thing", 1));
    CHECK_EQ(r[2].field[0], CHOICE_AFTER);
    CHECK_EQ(r[3].field[0], CHOICE_MESSAGE);
    CHECK_EQ(r[3].actor, N_A);
    CHECK_EQ(r[3].object, N_B);
    CHECK_EQ(r[3].cause, 2); /* the act, not a point */
    CHECK_EQ(r[4].field[0], CHOICE_DELAY);
    CHECK_EQ(r[4].field[3], 2);
    toy_end();
}

TEST("records of the network are no decision points")
{
    toy_begin();
    toy.options |= SIM_POINTS | SIM_NOTES;
    toy_link_fault(FAULT_CUT, B, A, 0);
    toy_new();
    toy_run();
    uint32_t n;
    sim_trace(toy.s, &n);
    CHECK_EQ(n, 1);
    toy_end();
}

TEST("faults that a deviation names may be more than are waiting at one time, and then the run "
     "says so")
{
    toy_begin();
    toy_fault(FAULT_HEAL, C, -1);
    static struct deviation d[70];
    for (int i = 0; i < 70; i++)
        d[i] = (struct deviation){at_record(CHOICE_AFTER, "a", "acts", "thing", 1), 0, 0};
    run_with(d, 64);
    CHECK_EQ(sim_step(toy.s, -1), SIM_EMPTY);
    sim_reset(toy.s, d, 70);
    toy_in(toy.s, MAIN(A), CLOCK_TRUE, 1, 0);
    CHECK_EQ(toy_run(), SIM_FULL);
    CHECK_STR(sim_full_name(toy.s), "faults");
    CHECK_EQ(sim_full_limit(toy.s), 64);
    toy_end();
}

/* --- whoever chooses ----------------------------------------------------------------------- */

/* Strikes fault 0 at one address, and remembers what it saw. */
struct chooser {
    uint64_t address;
    uint32_t seen, struck;
    struct choice_point last;
};

static uint32_t choose_one(void *context, const struct choice_point *p, uint32_t *faults)
{
    struct chooser *c = context;
    c->seen++;
    if (p->address != c->address)
        return 0;
    c->struck++;
    c->last = *p;
    faults[0] = 0;
    return 1;
}

static void run_chosen(struct chooser *c)
{
    toy.on_timer = asks_and_acts;
    struct sim *s = toy_new();
    sim_choose(s, choose_one, c);
    sim_reset(s, NULL, 0);
    for (ns at = 1; at <= 3; at++)
        toy_in(s, MAIN(A), CLOCK_TRUE, 1000 * at, 0);
    toy_run();
    toy_trace();
}

TEST("whoever chooses is asked before, after and at each message, and strikes as a deviation does")
{
    uint64_t addresses[] = {at_record(CHOICE_BEFORE, "a", "acts", "thing", 2),
                            at_record(CHOICE_AFTER, "a", "acts", "thing", 2)};
    for (int i = 0; i < 2; i++) {
        toy_begin();
        toy_fault(FAULT_PAUSE, A, -1)->duration = 500 * NS_PER_MS;
        struct deviation d = {addresses[i], 0, 0};
        run_with(&d, 1);
        static char said[sizeof toy.said];
        memcpy(said, toy.said, sizeof said);
        toy_end();
        toy_begin();
        toy_fault(FAULT_PAUSE, A, -1)->duration = 500 * NS_PER_MS;
        struct chooser c = {.address = addresses[i]};
        run_chosen(&c);
        CHECK_STR(toy.said, said);
        CHECK_EQ(c.struck, 1);
        CHECK_EQ(c.last.kind, i == 0 ? CHOICE_BEFORE : CHOICE_AFTER);
        CHECK_EQ(c.last.occurrence, 2);
        CHECK_EQ(c.seen, 11); /* three acts and three messages, and that the pause ended and began */
        toy_end();
    }
}

TEST("whoever chooses may strike a message")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_DELAY, A, -1);
    f->amount = 700 * NS_PER_MS;
    struct chooser c = {.address = at_message("a", "b", 2)};
    run_chosen(&c);
    CHECK(strstr(toy.log, "2.701 b gets ping\n") != NULL);
    CHECK_EQ(c.last.from, A);
    CHECK_EQ(c.last.to, B);
    toy_end();
}
