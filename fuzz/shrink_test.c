/* SPDX-License-Identifier: MIT
 *
 * shrink_test.c - what many findings shrink to: the same failure, nothing too much, and what their certificates say.
 */
#include "fuzz/found.h"
#include "fuzz/shrink.h"
#include "fuzz/small.h"
#include "fuzz/strip.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY (UINT64_C(64) << 20)
#define STEPS 300000

static struct scenario *scenario;
static struct space *space;
static struct player *player;
static uint32_t calm_points;

/* Of `scenario`. without: bits GATE_x. */
static void begin_case(uint32_t case_index, uint32_t without)
{
    struct diags d = {0};
    CHECK_EQ(space_new(scenario, case_index, without, 0, 0, &d, &space), SPACE_OK);
    ASSERT(space != NULL);
    player = player_new(space, player_verdict(space));
    CHECK(player_play(player, NULL));
    calm_points = player->n_passed;
}

static void begin_with(struct scenario *s)
{
    scenario = s;
    ASSERT(scenario != NULL);
    begin_case(0, 0);
}

static void begin(const char *world, const char *more)
{
    static char text[SMALL_TEXT_MAX];
    snprintf(text, sizeof text, "fencepost 1\nscenario \"One\"\n%s%s", world, more);
    begin_with(reads(text));
}

static void end(void)
{
    player_free(player);
    space_free(space);
    scenario_free(scenario);
}

static struct shrunk shrinks(const struct schedule *s, struct culprit c)
{
    const struct shrink_options o = {.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY};
    struct schedule copy = *s;
    struct shrunk z;
    uint64_t wanted = player->wanted;
    CHECK(shrink(player, &copy, c, &o, &z));
    CHECK_EQ(player->wanted, wanted);
    return z;
}

static bool breaks(const struct schedule *s, uint32_t invariant)
{
    uint64_t wanted = player->wanted;
    player->wanted = invariant < INVARIANTS ? UINT64_C(1) << invariant : ALWAYS_WANTED;
    struct schedule copy = *s;
    CHECK(player_play(player, &copy));
    player->wanted = wanted;
    return player->found;
}

/* --- worlds ------------------------------------------------------------------------------------ */

static const char *const paused = "case a without store-token holds\n"
                                  "lock leader central ttl 10s\n"
                                  "store ledger\n"
                                  "node w1 w2\n"
                                  "w1:\n"
                                  "  acquire leader\n"
                                  "  work 1s\n"
                                  "  write ledger \"from w1\"\n"
                                  "w2:\n"
                                  "  wait 11s\n"
                                  "  acquire leader\n"
                                  "  write ledger \"from w2\"\n";

static const char *const voters = "case a without durable-grant store-token holds\n"
                                  "lock leader quorum voters 3 ttl 10s\n"
                                  "store ledger\n"
                                  "node w1 w2\n"
                                  "w1:\n"
                                  "  acquire leader\n"
                                  "  work 2s\n"
                                  "  write ledger \"from w1\"\n"
                                  "w2:\n"
                                  "  wait 1s\n"
                                  "  acquire leader\n"
                                  "  write ledger \"from w2\"\n";

static const char *const charged = "case a without effect-key lease-check stop-on-loss holds\n"
                                   "queue jobs lease 10s\n"
                                   "  job \"a\" \"b\"\n"
                                   "node w1 w2\n"
                                   "w1, w2:\n"
                                   "  claim jobs as job\n"
                                   "  work 4s\n"
                                   "  effect \"charge\" key job\n"
                                   "  complete job\n";

/* --- many findings -------------------------------------------------------------------------------- */

struct sums {
    uint32_t found, certified, smaller, not_round;
};

static void check_one_less(const struct shrunk *z)
{
    for (uint32_t i = 0; i < z->schedule.n; i++) {
        struct schedule less = z->schedule;
        schedule_remove(&less, i);
        if (breaks(&less, z->culprit.invariant) && same_culprit(player->culprit, z->culprit))
            test_failed(__FILE__, __LINE__, "%u faults, of which one is too much", z->schedule.n);
    }
}

static void check_minimum(const struct shrunk *z)
{
    struct explore_options o = {.faults = z->schedule.n,
                                .wanted = z->culprit.invariant < INVARIANTS ? UINT64_C(1) << z->culprit.invariant
                                                                            : ALWAYS_WANTED,
                                .memory = MEMORY};
    struct explored x;
    explore(space, &o, &x);
    CHECK_EQ(x.end, EXPLORE_FOUND);
    CHECK_EQ(x.bound, z->schedule.n);
    CHECK_EQ(z->proved, z->schedule.n - 1);
}

static void check_shrunk(const struct schedule *s, struct culprit c, bool minimum, struct sums *sums)
{
    struct shrunk z = shrinks(s, c);
    CHECK_EQ(z.culprit.invariant, c.invariant);
    CHECK_EQ(z.from, s->n);
    CHECK(z.schedule.n <= s->n && z.replays <= SHRINK_REPLAYS);
    CHECK(breaks(&z.schedule, c.invariant));
    CHECK(same_culprit(player->culprit, z.culprit));
    CHECK_EQ(player->found_at, z.at);
    CHECK_EQ(player->made.n, z.schedule.n);
    for (uint32_t i = 0; i < z.schedule.n; i++)
        sums->not_round += !shrink_is_round(space->faults[z.schedule.row[i].fault].duration);
    check_one_less(&z);
    sums->found++;
    sums->smaller += z.schedule.n < s->n;
    sums->certified += z.certificate == CERTIFIED;
    if (z.certificate == CERTIFIED && minimum)
        check_minimum(&z);
}

static struct sums check_many(const char *world, const char *more, uint32_t most)
{
    struct sums sums = {0};
    begin(world, more);
    for (uint64_t seed = 0; seed < 2000 && sums.found < most; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        struct schedule s = player->made;
        check_shrunk(&s, player->culprit, sums.found % 4 == 0, &sums);
    }
    CHECK_EQ(sums.found, most);
    end();
    return sums;
}

TEST("what a finding shrinks to breaks the same, nothing of it can be taken away, and its certificate is the minimum")
{
    struct sums sums[] = {
        check_many(paused, "may pause up to 20s\nmay delay up to 20s\nmay drop\n", 12),
        check_many(paused, "may suspend\nmay crash up to 4s\nmay step wall up to 20s\nmay slow up to 12s\n", 4),
        check_many(voters, "may crash leader.* up to 2s\nmay pause up to 3s\n", 8),
        check_many(charged, "may pause up to 20s\nmay drop\n", 8),
    };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        CHECK_EQ(sums[i].certified, sums[i].found);
        CHECK_EQ(sums[i].not_round, 0);
    }
    CHECK(sums[0].smaller > 0);
}

TEST("small random scenarios shrink like others")
{
    static char text[SMALL_TEXT_MAX];
    struct sums sums = {0};
    for (uint64_t seed = 0; seed < TEST_FEWER(704); seed++) {
        small_text(seed, text);
        struct scenario *s = reads(text);
        struct diags d = {0};
        if (space_new(s, 0, 0, 0, 0, &d, &space) != SPACE_OK) {
            scenario_free(s);
            continue;
        }
        space_free(space);
        begin_with(s);
        for (uint64_t k = 0; k < 6 && !player->found; k++)
            if (small_finds(player, k, calm_points)) {
                struct schedule made = player->made;
                check_shrunk(&made, player->culprit, true, &sums);
                break;
            }
        end();
    }
    CHECK(TEST_SLOW || sums.found > 10);
}

/* --- where single steps lead no further ------------------------------------------------------------ */

static const char *const asleep = "case a without safe-clock one-clock holds\n"
                                  "queue jobs lease 30s\n"
                                  "  job \"a\"\n"
                                  "node w1 w2\n"
                                  "w1:\n"
                                  "  claim jobs as job\n"
                                  "  keep job\n"
                                  "  work 20s\n"
                                  "  effect \"charge\"\n"
                                  "  complete job\n"
                                  "w2:\n"
                                  "  wait 31s\n"
                                  "  claim jobs as job\n"
                                  "  effect \"charge\"\n"
                                  "  work 5s\n"
                                  "  complete job\n"
                                  "at 2s: suspend w1 for 40s\n";

/* Shrinks what the passes alone leave with so many faults or more, seed after seed: none is to keep above `most`.
 * Returns how many there were. */
static uint32_t check_stuck(uint64_t from, uint64_t to, uint32_t least, uint32_t most, uint64_t steps)
{
    struct shrink_options o = {.replays = SHRINK_REPLAYS, .steps = steps, .memory = MEMORY};
    struct shrunk z;
    uint32_t stuck = 0;
    for (uint64_t seed = from; seed < to; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        struct schedule s = player->made, copy = s;
        struct culprit c = player->culprit;
        o.rough = true;
        CHECK(shrink(player, &copy, c, &o, &z));
        if (z.schedule.n < least)
            continue;
        stuck++;
        o.rough = false;
        CHECK(shrink(player, &s, c, &o, &z));
        CHECK(z.schedule.n <= most);
        CHECK_EQ(z.certificate, CERTIFIED);
        CHECK(breaks(&z.schedule, c.invariant));
    }
    return stuck;
}

TEST("three faults become two by other faults at other times, where the whole menu is too much to prove it")
{
    begin(asleep, "");
    CHECK(check_stuck(1000, 1600, 3, 2, 300000) >= 2);
    end();
}

TEST("two faults become one, even where one fault of the whole menu is too much to prove it")
{
    begin(asleep, "may pause up to 40s\nmay suspend up to 40s\nmay drop\n");
    CHECK(check_stuck(0, 200, 2, 1, 4000) >= 5);
    end();
}

/* Shrinks findings, and again what came of each without a certificate: it stays. Returns how many there were, and in
 * *faults how many faults are left of them all. */
static uint32_t check_settled(uint64_t from, uint64_t to, uint64_t steps, uint32_t *faults)
{
    const struct shrink_options o = {.replays = SHRINK_REPLAYS, .steps = steps, .memory = MEMORY};
    struct shrunk z, again;
    uint32_t n = 0;
    for (uint64_t seed = from; seed < to; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        struct schedule s = player->made;
        CHECK(shrink(player, &s, player->culprit, &o, &z));
        CHECK(breaks(&z.schedule, z.culprit.invariant));
        CHECK(same_culprit(player->culprit, z.culprit));
        if (z.certificate <= CERTIFIED_TRIVIALLY)
            continue;
        s = z.schedule;
        CHECK(shrink(player, &s, z.culprit, &o, &again));
        CHECK(schedule_equal(&s, &again.schedule));
        CHECK_EQ(again.certificate, z.certificate);
        n++;
        *faults += s.n;
    }
    return n;
}

TEST("what no search gets through is begun again, until it comes to no fewer: then it stays as it is")
{
    size_t length;
    char *text = read_file("scenarios/incidents/inc-54-hazelcast-visible-members.fence", &length);
    if (text == NULL) {
        test_skip("the library is not here");
        return;
    }
    struct diags d = {0};
    uint32_t faults = 0;
    scenario = scenario_parse(text, length, "inc-54", NULL, 0, &d);
    ASSERT(scenario != NULL);
    begin_case((uint32_t)scenario_case_find(scenario, "configured"), UINT32_C(1) << GATE_ATOMIC_CHECK);
    CHECK_EQ(check_settled(1000, 2000, 600000, &faults), 1);
    CHECK_EQ(check_settled(3000, 4000, 600000, &faults), 1);
    CHECK(faults <= 7); /* 11 without */
    end();
    free(text);
}

/* --- who breaks it ----------------------------------------------------------------------------------------- */

static bool is_by(struct culprit c, const char *node)
{
    return c.node != NONE16 && strcmp(space->c.sim.names->text[c.node], node) == 0;
}

TEST("held to its culprit it keeps it, and says that fewer faults are enough for somebody else")
{
    const struct shrink_options held = {.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY, .held = true};
    uint32_t n = 0;
    begin(paused, "may pause w1 w2 up to 12s\nmay delay up to 12s\n");
    for (uint64_t seed = 0; seed < 4000 && n == 0; seed++) {
        if (!small_finds(player, seed, calm_points) || !is_by(player->culprit, "w2"))
            continue;
        struct schedule s = player->made, copy = s;
        struct culprit c = player->culprit;
        struct shrunk z;
        CHECK(shrink(player, &copy, c, &held, &z));
        CHECK(is_by(z.culprit, "w2"));
        CHECK_EQ(z.schedule.n, 2);
        CHECK_EQ(z.certificate, UNCERTIFIED_ANOTHER);
        CHECK_EQ(z.proved, 0);
        z = shrinks(&s, c);
        CHECK(is_by(z.culprit, "w1"));
        CHECK_EQ(z.schedule.n, 1);
        CHECK_EQ(z.certificate, CERTIFIED);
        n++;
    }
    CHECK_EQ(n, 1);
    end();
}

/* --- the story that people tell ------------------------------------------------------------------- */

static void check_line(const char *expected)
{
    struct found_lines lines;
    for (uint64_t seed = 0; seed < 500; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        struct schedule s = player->made;
        struct shrunk z = shrinks(&s, player->culprit);
        CHECK_EQ(z.certificate, CERTIFIED);
        CHECK(found_lines(player, &z.schedule, &lines));
        CHECK_EQ(lines.n, 1);
        CHECK_EQ(lines.inert, 0);
        CHECK_STR(lines.n == 1 ? lines.line[0] : "", expected);
        found_free(&lines);
        return;
    }
    test_failed(__FILE__, __LINE__, "nothing was found");
}

TEST("the paused leader is one line, as a person wrote it")
{
    size_t length;
    char *text = read_file("scenarios/seeds/f1-paused-leader.fence", &length);
    if (text == NULL) {
        test_skip("the library is not here");
        return;
    }
    struct diags d = {0};
    struct scenario *s = scenario_parse(text, length, "f1", NULL, 0, &d);
    uint32_t faults = 0;
    ASSERT(s != NULL);
    begin_with(strip_faults(s, (uint32_t)scenario_case_find(s, "checked"), STRIP_KINDS, &faults, &d));
    CHECK_EQ(faults, 1);
    check_line("before w1 writes ledger: pause w1 for 12s");
    end();
    scenario_free(s);
    free(text);
}

TEST("a duration that nobody would say becomes one that somebody would")
{
    begin("case a without store-token holds\n"
          "lock leader central ttl 11500ms\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  write ledger 1\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  write ledger 2\n",
          "may pause up to 12.0373s\n");
    check_line("before w1 writes ledger: pause w1 for 20s");
    end();
}

/* --- what is round -------------------------------------------------------------------------------- */

TEST("round is what stands on the ladder, whole seconds, and below ten seconds tenths")
{
    static const ns round[] = {0,
                               NS_NEVER,
                               1 * NS_PER_MS,
                               2 * NS_PER_MS,
                               500 * NS_PER_MS,
                               NS_PER_S,
                               1100 * NS_PER_MS,
                               9900 * NS_PER_MS,
                               10 * NS_PER_S,
                               13 * NS_PER_S,
                               3600 * NS_PER_S,
                               -12 * NS_PER_S,
                               -1500 * NS_PER_MS};
    static const ns odd[] = {1,
                             NS_PER_MS - 1,
                             NS_PER_MS + 1,
                             3 * NS_PER_MS,
                             510 * NS_PER_MS,
                             NS_PER_S - 1,
                             NS_PER_S + 1,
                             9950 * NS_PER_MS,
                             10100 * NS_PER_MS,
                             10 * NS_PER_S + 1,
                             12 * NS_PER_S + 37300000,
                             -12 * NS_PER_S - 1};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        CHECK(shrink_is_round(round[i]));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        CHECK(!shrink_is_round(odd[i]));
}

/* --- what there is no certificate for ----------------------------------------------------------------- */

/* The first finding, and what it shrinks to under these budgets. */
static struct shrunk shrinks_within(struct shrink_options o, uint32_t least)
{
    struct shrunk z = {.from = 0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        if (!small_finds(player, seed, calm_points) || player->made.n < least)
            continue;
        struct schedule s = player->made;
        struct culprit c = player->culprit;
        CHECK(shrink(player, &s, c, &o, &z));
        CHECK(breaks(&z.schedule, c.invariant));
        return z;
    }
    test_failed(__FILE__, __LINE__, "nothing was found");
    return z;
}

static const char *const clocks = "may pause up to 20s\nmay delay up to 20s\nmay drop\nmay step wall up to 20s\n";

TEST("the budget of replays ends it where it is")
{
    begin(paused, clocks);
    struct shrunk whole = shrinks_within(
        (struct shrink_options){.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY}, 4);
    for (uint64_t replays = 0; replays < 8; replays++) {
        struct shrunk z = shrinks_within((struct shrink_options){.replays = replays, .rough = true}, 4);
        CHECK(z.replays <= replays);
        CHECK(z.schedule.n >= whole.schedule.n);
        CHECK(replays > 0 || z.schedule.n == z.from);
    }
    end();
}

TEST("where the budget of steps ends, what was proved by then is said and no more")
{
    begin(voters, "may crash leader.* up to 2s\nmay pause up to 3s\n");
    struct shrink_options o = {.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY};
    struct shrunk whole = shrinks_within(o, 2);
    CHECK(whole.certificate == CERTIFIED && whole.schedule.n >= 2);
    for (o.steps = 1; o.steps < whole.last.steps; o.steps *= 3) {
        struct shrunk z = shrinks_within(o, 2);
        CHECK_EQ(z.last.end, EXPLORE_STEPS);
        CHECK_EQ(z.proved, z.last.bound == 0 ? NONE32 : z.last.bound - 1);
        CHECK_EQ(z.certificate, z.proved != NONE32 && z.proved + 1 == z.schedule.n ? CERTIFIED : UNCERTIFIED_STEPS);
    }
    end();
}

TEST("where something with fewer faults ends at a capacity of the file there is no certificate")
{
    for (uint32_t limit = 12; limit <= 13; limit++) { /* with room for one more, one fault does */
        char more[128];
        snprintf(more, sizeof more,
                 "limit pending %u\nmay crash leader.1 up to 2s\nmay duplicate\nmay delay up to 2s\n", limit);
        begin(voters, more);
        struct shrunk z = shrinks_within(
            (struct shrink_options){.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY}, 2);
        CHECK_EQ(z.schedule.n, limit == 12 ? 2 : 1);
        CHECK_EQ(z.certificate, limit == 12 ? UNCERTIFIED_LIMITS : CERTIFIED);
        CHECK_EQ(z.proved, 0);
        end();
    }
}

static bool stop_at_once(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    (void)bound;
    (void)thousandths;
    (void)steps;
    ++*(uint32_t *)context;
    return false;
}

TEST("whoever stops a certificate has none")
{
    uint32_t n = 0;
    begin("case a without durable-grant store-token holds\n" /* it takes three */
          "lock leader quorum voters 5 ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 2s\n"
          "  write ledger 1\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "  write ledger 2\n",
          "may crash leader.* up to 2s\n");
    struct shrink_options o = {.replays = 0, .memory = MEMORY, .tick = stop_at_once, .context = &n};
    struct shrunk z = shrinks_within(o, 3);
    CHECK_EQ(n, 1);
    CHECK_EQ(z.certificate, UNCERTIFIED_STOPPED);
    CHECK(z.proved == NONE32 || z.proved + 1 == z.last.bound);
    end();
}

TEST("what breaks `linearizable` has no certificate, and says why")
{
    size_t length;
    char *text = read_file("scenarios/faults/write-that-comes-back.fence", &length);
    if (text == NULL) {
        test_skip("the library is not here");
        return;
    }
    struct diags d = {0};
    struct scenario *s = scenario_parse(text, length, "x", NULL, 0, &d);
    uint32_t faults = 0, found = 0;
    ASSERT(s != NULL);
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        begin_with(strip_faults(s, i, STRIP_KINDS, &faults, &d));
        player->wanted = UINT64_C(1) << INV_LINEARIZABLE;
        for (uint64_t seed = 0; seed < 4000; seed++) {
            if (!small_finds(player, seed, calm_points))
                continue;
            struct schedule made = player->made;
            struct shrunk z = shrinks(&made, player->culprit);
            CHECK_EQ(z.certificate, UNCERTIFIED_JUDGED_LATE);
            CHECK_EQ(z.proved, NONE32);
            CHECK_EQ(z.last.steps, 0);
            check_one_less(&z);
            found++;
            break;
        }
        end();
    }
    CHECK(found > 0);
    scenario_free(s);
    free(text);
}

TEST("a calm run that breaks it needs nothing, and that is said")
{
    begin("case a without store-token holds\n"
          "lock leader central ttl 3s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  write ledger 1\n"
          "  release leader\n"
          "  wait 9s\n"
          "  write ledger 1 token 1\n"
          "w2:\n"
          "  wait 4s\n"
          "  acquire leader\n"
          "  write ledger 2\n",
          "may drop w1 - leader\nmay pause w2 up to 2s\n");
    struct shrunk z = shrinks_within(
        (struct shrink_options){.replays = SHRINK_REPLAYS, .steps = STEPS, .memory = MEMORY}, 1);
    CHECK_EQ(z.certificate, CERTIFIED_TRIVIALLY);
    CHECK_EQ(z.schedule.n, 0);
    end();
}
