/* SPDX-License-Identifier: MIT
 *
 * explore_test.c - exhaustive search against the plain enumeration of every schedule, on small random scenarios; and
 * its ends, its bounds, its counts.
 */
#include "fuzz/explore.h"
#include "fuzz/sample.h"
#include "fuzz/small.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY (UINT64_C(64) << 20)

/* --- against plain enumeration ------------------------------------------------------------------ */

#define PLAIN_STEPS 20000
#define PLAIN_FAULTS 3
#define SMALL_SEEDS TEST_FEWER(304)

/* What was compared, so that a test of nothing is seen. */
struct compared {
    uint32_t spaces, found, found_at[PLAIN_FAULTS + 1], complete;
    uint64_t plain_steps, steps;
    uint32_t twins;         /* spaces with nodes that are alike, */
    uint64_t apart, sorted; /* and their states, each node itself and not */
};

static const char *const end_name[] = {"complete", "found", "steps", "memory", "stopped", "no memory"};

static void say_explored(const char *what, const struct explored *x)
{
    printf("    %-8s %s at bound %u, broke %" PRIx64 ", %" PRIu64 " steps, %" PRIu64 " schedules, %" PRIu64
           " capped, %" PRIu64 " states\n",
           what, end_name[x->end], x->bound, x->broke, x->steps, x->schedules, x->capped, x->states);
}

static void differ(uint64_t seed, const char *text, const struct explored *plain, const struct explored *x)
{
    test_failed(__FILE__, __LINE__, "seed %" PRIu64 ": not what plain enumeration finds in\n%s", seed, text);
    say_explored("plain", plain);
    say_explored("states", x);
}

/* What a search looks for: the verdict, but for what the calm run breaks already. */
static uint64_t beyond_calm(struct space *sp)
{
    uint64_t wanted = player_verdict(sp);
    struct explore_options o = {.faults = 0, .wanted = wanted, .memory = MEMORY, .plain = true, .go_on = true};
    struct explored x;
    for (;;) {
        explore(sp, &o, &x);
        if (!x.found)
            return o.wanted;
        o.wanted &= ~x.broke;
    }
}

/* offers: those alone may strike; NULL: all. */
static void compare(uint64_t seed, const char *text, struct space *sp, const uint64_t *offers, uint64_t steps,
                    struct compared *sum)
{
    struct explore_options o = {.faults = PLAIN_FAULTS,
                                .wanted = beyond_calm(sp),
                                .memory = MEMORY,
                                .steps = steps,
                                .offers = offers,
                                .plain = true,
                                .go_on = true};
    struct explored plain, x;
    explore(sp, &o, &plain);
    if (plain.end == EXPLORE_STEPS && plain.bound == 0)
        return;
    bool cut = plain.end == EXPLORE_STEPS;
    o.faults = cut ? plain.bound - 1 : plain.bound;
    o.steps = 0;
    o.plain = false;
    explore(sp, &o, &x);
    if (x.n_twins > 0) {
        struct explored apart;
        o.no_twins = true;
        explore(sp, &o, &apart);
        sum->twins++;
        sum->apart += apart.states;
        sum->sorted += x.states;
        if (x.states > apart.states || x.found != apart.found || x.broke != apart.broke)
            differ(seed, text, &apart, &x);
    }
    for (uint32_t i = 0; offers != NULL && i < x.schedule.n; i++)
        CHECK(offers[(x.schedule.row[i].fault - sp->own) / 64] >> (x.schedule.row[i].fault - sp->own) % 64 & 1);
    CHECK(offers == NULL || x.n_twins == 0);
    sum->spaces++;
    sum->plain_steps += plain.steps;
    sum->steps += x.steps;
    if (cut ? x.found : x.found != plain.found || x.bound != plain.bound || x.broke != plain.broke)
        differ(seed, text, &plain, &x);
    sum->found += x.found;
    sum->complete += x.end == EXPLORE_COMPLETE;
    sum->found_at[x.bound] += x.found;
}

static void compare_small(uint64_t seed, const uint64_t *offers, uint64_t steps, struct compared *sum)
{
    static char text[SMALL_TEXT_MAX];
    struct diags d = {0};
    struct space *sp;
    small_text(seed, text);
    struct scenario *s = reads(text);
    if (s != NULL && space_new(s, 0, 0, 0, small_signs(seed), &d, &sp) == SPACE_OK) {
        compare(seed, text, sp, offers, steps, sum);
        space_free(sp);
    }
    scenario_free(s);
}

TEST("by states and by plain enumeration comes the same: the bound, and what breaks at it")
{
    struct compared sum = {0};
    const char *more = getenv("FENCEPOST_SMALL"); /* "FROM N STEPS": other seeds */
    uint64_t from = 0, n = SMALL_SEEDS, steps = PLAIN_STEPS;
    if (more != NULL)
        CHECK_EQ(sscanf(more, "%" SCNu64 " %" SCNu64 " %" SCNu64, &from, &n, &steps), 3);
    for (uint64_t seed = from; seed < from + n; seed++)
        compare_small(seed, NULL, steps, &sum);
    if (more != NULL)
        printf("%u spaces, %u found (%u %u %u %u), %u complete, %" PRIu64 " plain steps, %" PRIu64 " steps\n",
               sum.spaces, sum.found, sum.found_at[0], sum.found_at[1], sum.found_at[2], sum.found_at[3], sum.complete,
               sum.plain_steps, sum.steps);
    if (more != NULL)
        printf("%u with twins, %" PRIu64 " states apart, %" PRIu64 " sorted\n", sum.twins, sum.apart, sum.sorted);
    CHECK(sum.spaces > n / 2);
    CHECK(sum.twins > n / 16 && sum.sorted < sum.apart);
}

TEST("of a part of the menu the same comes by states and by plain enumeration, and nothing else strikes")
{
    struct compared sum = {0};
    uint64_t offers[OFFERS_MAX / 64];
    for (uint64_t seed = 0; seed < SMALL_SEEDS / 4; seed++) {
        for (uint32_t i = 0; i < OFFERS_MAX / 64; i++)
            offers[i] = sample_hash(seed, i);
        compare_small(seed, offers, PLAIN_STEPS, &sum);
    }
    CHECK(sum.spaces > SMALL_SEEDS / 8);
    CHECK(sum.found > 0);
}

/* --- one space at a time ------------------------------------------------------------------------ */

static struct scenario *scenario;
static struct space *space;

static void begin(const char *world, const char *more)
{
    static char text[SMALL_TEXT_MAX];
    struct diags d = {0};
    snprintf(text, sizeof text, "fencepost 1\nscenario \"One\"\n%s%s", world, more);
    scenario = reads(text);
    ASSERT(scenario != NULL);
    CHECK_EQ(space_new(scenario, 0, 0, 0, 0, &d, &space), SPACE_OK);
    ASSERT(space != NULL);
}

static void end(void)
{
    space_free(space);
    scenario_free(scenario);
}

static struct explored run_explore(uint32_t faults)
{
    struct explore_options o = {.faults = faults, .wanted = player_verdict(space), .memory = MEMORY};
    struct explored x;
    explore(space, &o, &x);
    return x;
}

/* A leader, paused for longer than its lease, overwrites its successor: one fault. */
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

/* A voter that forgets grants twice: it takes the crash, and somebody who is late. */
static const char *const twice = "case a without durable-grant store-token holds\n"
                                 "lock leader quorum voters 3 ttl 10s\n"
                                 "store ledger\n"
                                 "node w1 w2\n"
                                 "w1:\n"
                                 "  acquire leader\n"
                                 "  work 1s\n"
                                 "  write ledger \"from w1\"\n"
                                 "w2:\n"
                                 "  wait 500ms\n"
                                 "  acquire leader\n"
                                 "  write ledger \"from w2\"\n";

TEST("a case that breaks calmly is found at bound 0, whatever may go wrong")
{
    static const char *const calm = "case a without store-token holds\n"
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
                                    "  write ledger 2\n";
    begin(calm, "may pause w1 up to 4s\n");
    for (uint32_t k = 0; k <= EXPLORE_FAULTS_MAX; k += EXPLORE_FAULTS_MAX) {
        struct explored x = run_explore(k);
        CHECK_EQ(x.end, EXPLORE_FOUND);
        CHECK_EQ(x.bound, 0);
        CHECK_EQ(x.schedule.n, 0);
        CHECK_EQ(x.culprit.invariant, INV_NO_STALE_WRITE);
        CHECK_EQ(x.schedules, 1);
    }
    end();
}

TEST("bound 0 is the calm run and no other; bound 8 is gone through to its end")
{
    begin(paused, "may drop w1 -> ledger\n");
    struct explored x = run_explore(0);
    CHECK_EQ(x.end, EXPLORE_COMPLETE);
    CHECK_EQ(x.bound, 0);
    CHECK_EQ(x.schedules, 1);
    CHECK_EQ(x.per_bound[0], 1);
    CHECK(x.steps <= space->calm_steps + 1);
    x = run_explore(EXPLORE_FAULTS_MAX);
    CHECK_EQ(x.end, EXPLORE_COMPLETE);
    CHECK_EQ(x.bound, EXPLORE_FAULTS_MAX);
    CHECK(!x.found);
    end();
}

TEST("a schedule has no more faults than the file allows at most")
{
    begin(paused, "may pause w1 up to 20s\nmay drop w1 - leader\nat most 1 fault\n");
    struct explored x = run_explore(3);
    CHECK_EQ(x.bound, 1);
    CHECK_EQ(x.schedule.n, 1);
    end();
    begin(paused, "may drop w1 - leader\nat most 2 faults\n");
    x = run_explore(1);
    CHECK(x.end == EXPLORE_COMPLETE && x.bound == 1);
    x = run_explore(2);
    CHECK(x.end == EXPLORE_COMPLETE && x.bound == 2);
    x = run_explore(3);
    CHECK(x.end == EXPLORE_COMPLETE && x.bound == 2);
    CHECK_EQ(x.per_bound[3], 0);
    end();
}

TEST("what is found has the fewest faults, and its schedule, played, breaks the same")
{
    static const char *const menus[] = {"may pause w1 up to 12s\n",
                                        "may crash leader.1 up to 2s\nmay pause w1 up to 2s\n"
                                        "may crash leader.2 up to 2s\n"};
    for (int i = 0; i < 2; i++) {
        begin(i == 0 ? paused : twice, menus[i]);
        struct explored x = run_explore(4);
        CHECK_EQ(x.end, EXPLORE_FOUND);
        CHECK_EQ(x.schedule.n, x.bound);
        CHECK(x.bound > 0);
        struct explored below = run_explore(x.bound - 1);
        CHECK_EQ(below.end, EXPLORE_COMPLETE);
        struct player *p = player_new(space, player_verdict(space));
        CHECK(player_play(p, &x.schedule));
        CHECK(p->found && same_culprit(p->culprit, x.culprit));
        CHECK_EQ(p->found_at, x.at);
        CHECK_EQ(p->made.n, x.schedule.n);
        player_free(p);
        end();
    }
}

TEST("the same search twice has the same result and the same counts")
{
    for (int go_on = 0; go_on < 2; go_on++) {
        begin(twice, "may pause w1 up to 2s\nmay crash leader.1 up to 2s\n");
        struct explore_options o = {.faults = 2, .wanted = player_verdict(space), .memory = MEMORY, .go_on = go_on};
        static struct explored x, again;
        explore(space, &o, &x);
        explore(space, &o, &again);
        CHECK(memcmp(&x, &again, sizeof x) == 0);
        uint64_t sum = 0;
        for (uint32_t k = 0; k <= EXPLORE_FAULTS_MAX; k++)
            sum += x.per_bound[k];
        CHECK(sum > 0 && sum <= x.schedules);
        CHECK(x.states > 0 && x.states <= x.steps && x.bytes >= 8 * x.states);
        end();
    }
}

/* --- budgets ------------------------------------------------------------------------------------------ */

TEST("the budget of steps ends it at that step, and the bound it says is the one that it was in")
{
    begin(paused, "may drop w1 - leader\nmay pause w2 up to 3s\n");
    struct explore_options o = {.faults = 2, .wanted = player_verdict(space), .memory = MEMORY};
    static struct explored whole, x;
    explore(space, &o, &whole);
    CHECK_EQ(whole.end, EXPLORE_COMPLETE);
    uint64_t at_bound[3];
    for (uint32_t k = 0; k < 3; k++)
        at_bound[k] = run_explore(k).steps;
    for (uint32_t k = 0; k < 3; k++)
        for (uint64_t more = 0; more < 2; more++) {
            o.steps = at_bound[k] + more;
            explore(space, &o, &x);
            CHECK(x.steps <= o.steps);
            bool over = k == 2 && more == 1;
            CHECK_EQ(x.end, over ? EXPLORE_COMPLETE : EXPLORE_STEPS);
            CHECK_EQ(x.bound, k < 2 ? k + more : 2);
            CHECK(!x.found);
        }
    o.steps = 1;
    explore(space, &o, &x);
    CHECK(x.end == EXPLORE_STEPS && x.bound == 0 && x.steps == 1 && x.schedules == 0);
    end();
}

TEST("where there is no room for another state it ends, and what was found by then was found")
{
    begin(paused, "may pause up to 9s\nmay delay up to 9s\nmay drop\n");
    struct explore_options o = {.faults = 3, .wanted = player_verdict(space), .memory = 0};
    struct explored x;
    explore(space, &o, &x);
    CHECK_EQ(x.end, EXPLORE_MEMORY);
    CHECK(x.bound > 0 && !x.found);
    CHECK(x.states > 0);
    uint64_t states = x.states;
    o.memory = MEMORY;
    o.faults = x.bound - 1;
    explore(space, &o, &x);
    CHECK_EQ(x.end, EXPLORE_COMPLETE);
    CHECK(x.states < states);
    end();
}

struct ticks {
    uint32_t n, stop_at, bound;
    uint64_t steps;
};

static bool tick(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    struct ticks *t = context;
    CHECK(bound >= t->bound && thousandths < 1000 && steps > t->steps);
    t->bound = bound;
    t->steps = steps;
    t->n++;
    return t->n < t->stop_at;
}

TEST("whoever is told how far it is can stop it")
{
    begin(paused, "may pause up to 9s\nmay delay up to 9s\nmay slow up to 9s\nmay drop\n");
    struct ticks t = {.stop_at = 1};
    struct explore_options o = {.faults = 4, .memory = MEMORY, .tick = tick, .context = &t}; /* looks for nothing */
    struct explored x;
    explore(space, &o, &x);
    CHECK_EQ(x.end, EXPLORE_STOPPED);
    CHECK_EQ(t.n, 1);
    CHECK_EQ(x.bound, t.bound);
    CHECK_EQ(x.steps, t.steps);
    end();
}

/* --- what is tried ------------------------------------------------------------------------------------- */

/* How many offers there are from the point at which the last of `s` struck on: at that point those behind it alone. */
static uint64_t count_behind(struct player *p, const struct schedule *s, uint64_t address, uint32_t fault)
{
    uint64_t n = 0;
    bool on = s->n == 0;
    CHECK(player_play(p, s));
    for (uint32_t i = 0; i < p->n_points; i++) {
        bool here = s->n > 0 && p->points[i].p.address == address;
        on |= here;
        for (uint32_t k = 0; on && k < space->n_offers; k++)
            n += space_offers(space, &p->points[i].p, k) && (!here || space->own + k > fault);
    }
    return n;
}

TEST("every pair of faults is played once, also two of one event and two at one point")
{
    begin(paused, "may drop leader -> w1\nmay pause leader up to 6s\n");
    struct player *p = player_new(space, 0), *q = player_new(space, 0);
    struct schedule s = {.n = 0};
    p->note_points = q->note_points = true;
    uint64_t alone = count_behind(p, &s, 0, 0), pairs = 0;
    for (uint32_t i = 0; i < p->n_points; i++)
        for (uint32_t k = 0; k < space->n_offers; k++) {
            if (!space_offers(space, &p->points[i].p, k))
                continue;
            s.n = 0;
            (void)schedule_add(&s, p->points[i].p.address, space->own + k, 0);
            pairs += count_behind(q, &s, p->points[i].p.address, space->own + k);
        }
    player_free(p);
    player_free(q);
    struct explore_options o = {.faults = 1, .memory = MEMORY, .plain = true};
    struct explored x;
    explore(space, &o, &x);
    CHECK_EQ(x.per_bound[1], alone);
    o.faults = 2;
    explore(space, &o, &x);
    CHECK_EQ(x.per_bound[2], pairs);
    CHECK_EQ(x.schedules, 3 + 2 * alone + pairs); /* of the bounds before, again */
    end();
}

TEST("`always` lines are judged, and what breaks them is found")
{
    static const char *const world = "case a holds\n"
                                     "lock leader central ttl 10s\n"
                                     "store ledger\n"
                                     "node w1 w2\n"
                                     "w1:\n"
                                     "  acquire leader\n"
                                     "  write ledger 1\n"
                                     "w2:\n"
                                     "  wait 1s\n"
                                     "  acquire leader within 20s\n"
                                     "  write ledger 2\n"
                                     "always: expect not ledger = 3\n"
                                     "always: expect not ledger.token > 2\n"
                                     "always: expect not ledger = 2\n";
    begin(world, "may drop w2 - ledger\nmay pause w2 up to 20s\n");
    struct explored x = run_explore(2);
    CHECK_EQ(x.end, EXPLORE_FOUND);
    CHECK_EQ(x.bound, 0);
    CHECK_EQ(x.culprit.invariant, INVARIANTS + 2);
    struct explore_options o = {
        .faults = 2, .wanted = player_verdict(space) & ~ALWAYS_WANTED, .memory = MEMORY, .go_on = true};
    explore(space, &o, &x);
    CHECK_EQ(x.end, EXPLORE_COMPLETE);
    end();
    begin(paused, "may pause w1 up to 12s\nalways: expect not w2 holds leader or ledger = none or ledger.token != 1\n");
    x = run_explore(2);
    CHECK_EQ(x.end, EXPLORE_FOUND);
    end();
}

TEST("a caller that faults held up asks on when they are over: it was not in vain")
{
    begin("case a holds and progress\n"
          "lock leader central ttl 4s\n"
          "node w1\n"
          "w1:\n"
          "  wait 1m\n"
          "  acquire leader\n",
          "may drop w1 - leader\n");
    struct schedule s = {.n = 0};
    struct player *p = player_new(space, player_verdict(space));
    p->note_points = true;
    for (uint32_t n = 0; n < 8; n++) {
        CHECK(player_play(p, &s));
        CHECK_EQ(p->made.n, n);
        CHECK_EQ(p->run->end, END_IDLE);
        CHECK(p->run->end_ns / (5 * NS_PER_S) == 12 + n);
        CHECK(!p->found);
        const struct passed *last = NULL;
        for (uint32_t i = 0; i < p->n_points && last == NULL; i++)
            if (p->points[i].p.kind == CHOICE_MESSAGE && p->points[i].p.occurrence == n + 1)
                last = &p->points[i];
        CHECK(last != NULL && schedule_add(&s, last->p.address, space->own, 0));
    }
    player_free(p);
    end();
}

TEST("a schedule that ends at a capacity shows nothing, so a search with one is not complete")
{
    static const char *const world = "case a without store-token holds\n"
                                     "lock l central ttl 10s\n"
                                     "store s\n"
                                     "node w1 w2\n"
                                     "w1:\n"
                                     "  acquire l\n"
                                     "  work 1s\n"
                                     "  write s 1\n"
                                     "w2:\n"
                                     "  wait 11s\n"
                                     "  acquire l\n"
                                     "  write s 2\n";
    static const struct {
        const char *limit;
        enum explore_end end;
    } row[] = {{"limit pending 6\n", EXPLORE_LIMITS}, {"limit pending 7\n", EXPLORE_FOUND}};
    for (uint32_t i = 0; i < 2; i++) {
        char more[128];
        snprintf(more, sizeof more, "%smay pause w1 up to 12s\nat most 1 faults\n", row[i].limit);
        begin(world, more);
        struct explore_options o = {.faults = 1, .wanted = player_verdict(space), .memory = UINT64_C(1) << 26};
        struct explored x;
        explore(space, &o, &x);
        CHECK_EQ(x.end, row[i].end);
        CHECK(i > 0 || x.broken_off > 0);
        end();
    }
}

TEST("what ends at a capacity with fewer faults than what is found leaves it without a proof that it has the fewest")
{
    static const struct {
        uint32_t limit, proved;
    } row[] = {{12, 0}, {13, 1}}; /* with 13, only schedules of two faults end there */
    for (uint32_t i = 0; i < 2; i++) {
        char more[128];
        snprintf(more, sizeof more,
                 "limit pending %u\nmay crash leader.1 up to 2s\nmay duplicate\nmay delay up to 2s\n", row[i].limit);
        begin(twice, more);
        struct explored x = run_explore(3);
        CHECK_EQ(x.end, EXPLORE_FOUND);
        CHECK_EQ(x.schedule.n, 2);
        CHECK(x.broken_off > 0);
        CHECK_EQ(x.proved, row[i].proved);
        end();
    }
}
