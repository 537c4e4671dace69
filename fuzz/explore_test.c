/* SPDX-License-Identifier: MIT
 *
 * explore_test.c - exhaustive search against the plain enumeration of every schedule, on small random scenarios; and its
 * ends, its bounds, its counts.
 */
#include "fuzz/explore.h"
#include "fuzz/small.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY (UINT64_C(64) << 20)

/* --- against plain enumeration ------------------------------------------------------------------ */

#define PLAIN_STEPS 20000
#define PLAIN_FAULTS 3
#define SMALL_SEEDS 300

/* What was compared, so that a test of nothing is seen. */
struct compared {
    uint32_t spaces, found, found_at[PLAIN_FAULTS + 1], complete;
    uint64_t plain_steps, steps;
};

static const char *const end_name[] = {"complete", "found", "steps", "memory", "stopped", "no memory"};

static void say_explored(const char *what, const struct explored *x)
{
    printf("    %-8s %s at bound %u, broke %" PRIx64 ", %" PRIu64 " steps, %" PRIu64 " schedules, %" PRIu64 " capped\n",
           what, end_name[x->end], x->bound, x->broke, x->steps, x->schedules, x->capped);
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

static void compare(uint64_t seed, const char *text, struct space *sp, struct compared *sum)
{
    struct explore_options o = {.faults = PLAIN_FAULTS,
                                .wanted = beyond_calm(sp),
                                .memory = MEMORY,
                                .steps = PLAIN_STEPS,
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
    sum->spaces++;
    sum->plain_steps += plain.steps;
    sum->steps += x.steps;
    if (cut ? x.found : x.found != plain.found || x.bound != plain.bound || x.broke != plain.broke)
        differ(seed, text, &plain, &x);
    sum->found += x.found;
    sum->complete += x.end == EXPLORE_COMPLETE;
    sum->found_at[x.bound] += x.found;
}

static void compare_small(uint64_t seed, struct compared *sum)
{
    static char text[SMALL_TEXT_MAX];
    struct diags d = {0};
    struct space *sp;
    small_text(seed, text);
    struct scenario *s = reads(text);
    if (s != NULL && space_new(s, 0, 0, 0, small_signs(seed), &d, &sp) == SPACE_OK) {
        compare(seed, text, sp, sum);
        space_free(sp);
    }
    scenario_free(s);
}

TEST("by states and by plain enumeration comes the same: the bound, and what breaks at it")
{
    struct compared sum = {0};
    const char *more = getenv("FENCEPOST_SMALL"); /* "FROM N": other seeds */
    uint64_t from = 0, n = SMALL_SEEDS;
    if (more != NULL)
        CHECK_EQ(sscanf(more, "%" SCNu64 " %" SCNu64, &from, &n), 2);
    for (uint64_t seed = from; seed < from + n; seed++)
        compare_small(seed, &sum);
    if (more != NULL)
        printf("%u spaces, %u found (%u %u %u %u), %u complete, %" PRIu64 " plain steps, %" PRIu64 " steps\n",
               sum.spaces, sum.found, sum.found_at[0], sum.found_at[1], sum.found_at[2], sum.found_at[3],
               sum.complete, sum.plain_steps, sum.steps);
    CHECK(sum.spaces > n / 2);
}
