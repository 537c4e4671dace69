/* SPDX-License-Identifier: MIT
 *
 * feed_test.c - inputs played, mutated and crossed: functions of the bytes and the seed, whatever is remembered.
 */
#include "fuzz/feed.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

static const char *const world = "fencepost 1\n"
                                 "scenario \"A store and its writers\"\n"
                                 "case fenced holds\n"
                                 "lock leader quorum voters 3 ttl 10s\n"
                                 "store ledger\n"
                                 "node w1 w2\n"
                                 "w1, w2:\n"
                                 "  acquire leader\n"
                                 "  keep leader\n"
                                 "  work 4s\n"
                                 "  write ledger me\n"
                                 "  release leader\n"
                                 "may pause up to 30s\n"
                                 "may crash\n"
                                 "may delay up to 20s\n"
                                 "may drop\n";

static struct scenario *scenario;
static struct space *space;

static void begin(void)
{
    struct diags d = {0};
    scenario = reads(world);
    CHECK_EQ(space_new(scenario, 0, 0, 0, 0, &d, &space), SPACE_OK);
}

static void end(void)
{
    space_free(space);
    scenario_free(scenario);
}

/* Everything that the target tells of a run. */
static uint64_t outcome(struct feed *f, enum fed fed)
{
    const struct player *p = feed_player(f);
    uint64_t h = hash_step(fed, 0);
    if (fed != FED_RUN)
        return h;
    h = hash_step(hash_step(h, p->found), p->found ? p->culprit.invariant : 0);
    h = hash_step(hash_step(h, schedule_hash(&p->made)), p->run->events);
    for (uint32_t i = 0; i < p->n_slots; i++)
        h = hash_step(h, p->slots[i]);
    return h;
}

struct unit {
    size_t n;
    uint8_t data[INPUT_MAX];
};

/* One input out of another or of two, as libFuzzer chains them: now and then an older one is the parent. */
static void next_unit(struct feed *f, const struct unit *units, uint32_t n, uint32_t seed, struct unit *out)
{
    const struct unit *parent = &units[seed % 3 == 0 ? seed * 7 % n : n - 1], *other = &units[seed * 5 % n];
    *out = *parent;
    if (seed % 4 == 1)
        out->n = feed_cross(f, parent->data, parent->n, other->data, other->n, out->data, INPUT_MAX, seed);
    else
        out->n = feed_mutate(f, out->data, out->n, INPUT_MAX, seed);
}

#define UNITS 200

TEST("an input that was just made has the outcome that its bytes have, though it is not played again")
{
    static struct unit units[UNITS];
    begin();
    struct feed *f = feed_new(space, true), *plain = feed_new(space, false);
    uint32_t n = 1, ran = 0;
    units[0].n = 0;
    for (uint32_t seed = 0; seed < 4 * UNITS && n < UNITS; seed++) {
        struct unit u, again;
        next_unit(f, units, n, seed, &u);
        next_unit(plain, units, n, seed, &again);
        CHECK_EQ(u.n, again.n);
        CHECK(memcmp(u.data, again.data, u.n) == 0);
        if (u.n == 0)
            continue;
        enum fed fed = feed_input(f, u.data, u.n), fed_again = feed_input(plain, u.data, u.n);
        CHECK_EQ(outcome(f, fed), outcome(plain, fed_again));
        ran += fed == FED_RUN;
        units[n++] = u;
    }
    CHECK_EQ(n, UNITS);
    CHECK_EQ(ran, UNITS - 1);
    CHECK(feed_spared(f) > UNITS * 3 / 5);
    CHECK_EQ(feed_spared(plain), 0);
    CHECK(feed_played(f) < feed_played(plain));
    feed_free(f);
    feed_free(plain);
    end();
}

TEST("a child has no record that does nothing")
{
    begin();
    struct feed *f = feed_new(space, true);
    uint8_t data[INPUT_MAX] = {1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 1, 0, 0, 0};
    size_t n = 2 * INPUT_RECORD;
    CHECK_EQ(feed_input(f, data, n), FED_IDLE);
    for (uint32_t seed = 0; seed < 50; seed++) {
        size_t made = feed_mutate(f, data, n, INPUT_MAX, seed);
        n = made > 0 ? made : n;
        if (made > 0)
            CHECK_EQ(feed_player(f)->made.n * INPUT_RECORD, made);
    }
    CHECK_EQ(feed_input(f, data, n), FED_RUN);
    CHECK_EQ(feed_player(f)->made.n * INPUT_RECORD, n);
    feed_free(f);
    end();
}

TEST("the calm run is kept, and what does nothing, or is too long, is not")
{
    static uint8_t data[INPUT_MAX + INPUT_RECORD];
    begin();
    struct feed *f = feed_new(space, true);
    CHECK_EQ(feed_input(f, NULL, 0), FED_RUN);
    CHECK(!feed_player(f)->found);
    CHECK_EQ(feed_input(f, data, 1), FED_IDLE);
    CHECK_EQ(feed_input(f, data, INPUT_RECORD), FED_IDLE);
    CHECK_EQ(feed_input(f, data, sizeof data), FED_IDLE);
    CHECK_EQ(feed_mutate(f, data, sizeof data, sizeof data, 1), 0);
    feed_free(f);
    end();
}

TEST("a child has no more bytes than there is room for, and is what those bytes say")
{
    begin();
    struct feed *f = feed_new(space, true), *plain = feed_new(space, false);
    uint8_t data[INPUT_MAX];
    size_t n = 0;
    for (uint32_t seed = 0; seed < 100; seed++) {
        size_t made = feed_mutate(f, data, n, 2 * INPUT_RECORD + 3, seed);
        CHECK(made <= 2 * INPUT_RECORD);
        n = made > 0 ? made : n;
        enum fed fed = feed_input(f, data, n);
        CHECK_EQ(outcome(f, fed), outcome(plain, feed_input(plain, data, n)));
    }
    feed_free(f);
    feed_free(plain);
    end();
}
