/* SPDX-License-Identifier: MIT
 *
 * growth_test.c - how many abstract states were passed, by when, and how many of them once.
 */
#include "fuzz/crew.h"
#include "fuzz/growth.h"
#include "fuzz/searched.h"
#include "sim/test.h"

#include <stdlib.h>

TEST(
    "growth counts each state once, whenever, and those that one schedule alone has passed, as counting them anew does")
{
    struct searched x = searched(searched_writers, "fenced");
    struct growth g;
    uint32_t *times = calloc(ABSTRACT_SLOTS, sizeof *times), states = 0, once = 0;
    uint64_t last_new = 0;
    CHECK(growth_measure(x.space, 1u << ARM_SWARM, 7, 200, NULL, NULL, &g));
    const struct search_options o = {.seed = 7, .schedules = 200, .arms = 1u << ARM_SWARM, .workers = 1};
    struct search *s = search_new(x.space, &o);
    for (uint32_t i = 0; i < 200; i++) {
        struct task t = {.arm = ARM_SWARM, .seed = sample_hash(sample_hash(7, 100 + ARM_SWARM), i), .number = i};
        CHECK(search_play_task(s, &t));
        s->player->note_states = true;
        CHECK(player_play(s->player, &s->player->made));
        for (uint32_t k = 0; k < s->player->n_slots; k++)
            if (times[s->player->slots[k]]++ == 0)
                last_new = i + 1;
    }
    for (uint32_t i = 0; i < ABSTRACT_SLOTS; i++) {
        states += times[i] > 0;
        once += times[i] == 1;
    }
    CHECK_EQ(g.schedules, 200);
    CHECK_EQ(g.states, states);
    CHECK_EQ(g.once, once);
    CHECK_EQ(g.last_new, last_new);
    CHECK_EQ(growth_unseen(&g), ((uint64_t)once * 1000000 + 199) / 200);
    search_free(s);
    searched_free(&x);
    free(times);
}

TEST("the curve has a point at each rung and at the end, and never falls")
{
    static const uint64_t rungs[] = {1, 2, 5, 10, 20, 50, 100, 200, 300};
    struct searched x = searched(searched_quorum, NULL);
    struct growth g;
    CHECK(growth_measure(x.space, PORTFOLIO, 1, 300, NULL, NULL, &g));
    CHECK_EQ(g.n, sizeof rungs / sizeof *rungs);
    for (uint32_t i = 0; i < g.n && i < sizeof rungs / sizeof *rungs; i++) {
        CHECK_EQ(g.point[i].schedules, rungs[i]);
        CHECK(i == 0 || g.point[i].states >= g.point[i - 1].states);
        CHECK(g.point[i].once <= g.point[i].states);
    }
    CHECK_EQ(g.point[g.n - 1].states, g.states);
    CHECK(g.last_new <= g.schedules);
    searched_free(&x);
}

TEST("singles end when there are no more, and none at all is no curve")
{
    struct searched x = searched(searched_writers, "fenced");
    struct growth g;
    CHECK(growth_measure(x.space, 1u << ARM_SINGLE, 1, 1000000, NULL, NULL, &g));
    CHECK(g.schedules > 100 && g.schedules < 1000000);
    CHECK_EQ(g.point[g.n - 1].schedules, g.schedules);
    CHECK(growth_measure(x.space, PORTFOLIO, 1, 0, NULL, NULL, &g));
    CHECK_EQ(g.schedules, 0);
    CHECK_EQ(g.states, 0);
    CHECK_EQ(growth_unseen(&g), 0);
    searched_free(&x);
}

static bool never(void *context, uint64_t played)
{
    (void)context;
    return played < 100;
}

TEST("whoever stops it has what was played by then")
{
    struct searched x = searched(searched_writers, "fenced");
    struct growth g;
    CHECK(growth_measure(x.space, PORTFOLIO, 1, 1000000, never, NULL, &g));
    CHECK(g.schedules >= 100 && g.schedules < 1000);
    CHECK_EQ(g.point[g.n - 1].schedules, g.schedules);
    searched_free(&x);
}
