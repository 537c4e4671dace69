/* SPDX-License-Identifier: MIT
 *
 * player_test.c - what was made alone plays the same run again, however it came about.
 */
#include "fuzz/player.h"

#include "sim/test.h"

#include <stdlib.h>

#include "fuzz/mutate.h"
#include "fuzz/searched.h"

/* A register that is read, so that runs are judged by their whole trace. */
static const char reads_text[] = "fencepost 1\n"
                                 "scenario \"Readers\"\n"
                                 "case a holds\n"
                                 "store s\n"
                                 "node w r\n"
                                 "w:\n  write s 1\n  wait 1s\n  write s 2\n"
                                 "r:\n  wait 100ms\n  read s as x\n  wait 500ms\n  read s as y\n  write s x + y\n";

static const char *const worlds[] = {searched_writers, searched_quorum, searched_jobs, reads_text};
#define WORLDS (sizeof worlds / sizeof *worlds)
#define SEEDS 60

/* --- sets ---------------------------------------------------------------------------------------- */

TEST("a schedule is a set: kept in order, nothing in it twice, equal whatever the order of its making")
{
    static const uint64_t address[] = {9, 2, UINT64_MAX, 2, 0, 7};
    static const uint32_t fault[] = {1, 5, 0, 4, 3, 3};
    struct schedule a = {.n = 0}, b = {.n = 0};
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(schedule_add(&a, address[i], fault[i], i));
        CHECK(schedule_add(&b, address[5 - i], fault[5 - i], 99));
    }
    CHECK(!schedule_add(&a, 2, 4, 0));
    CHECK_EQ(a.n, 6);
    CHECK(schedule_equal(&a, &b) && schedule_equal(&b, &a));
    CHECK_EQ(schedule_hash(&a), schedule_hash(&b));
    for (uint32_t i = 1; i < a.n; i++)
        CHECK(a.row[i - 1].address < a.row[i].address ||
              (a.row[i - 1].address == a.row[i].address && a.row[i - 1].fault < a.row[i].fault));
    for (uint32_t i = 0; i < 6; i++)
        CHECK(schedule_has(&a, address[i], fault[i]));
    CHECK(!schedule_has(&a, 2, 3));
    schedule_remove(&a, 1); /* 2, 4 */
    CHECK(!schedule_has(&a, 2, 4) && schedule_has(&a, 2, 5));
    CHECK(!schedule_equal(&a, &b) && schedule_hash(&a) != schedule_hash(&b));
    while (a.n > 0)
        schedule_remove(&a, a.n - 1);
    CHECK(!schedule_equal(&a, &b));
}

TEST("a schedule has room for SCHEDULE_MAX deviations and no more")
{
    struct schedule s = {.n = 0};
    for (uint32_t i = 0; i < SCHEDULE_MAX; i++)
        CHECK(schedule_add(&s, i, 0, 0));
    CHECK(!schedule_add(&s, SCHEDULE_MAX, 0, 0));
    CHECK(!schedule_add(&s, 0, 0, 0));
    schedule_remove(&s, 0);
    CHECK(schedule_add(&s, SCHEDULE_MAX, 0, 0));
    CHECK_EQ(s.n, SCHEDULE_MAX);
}

/* --- what was made ---------------------------------------------------------------------------------- */

static void check_replays(struct player *p)
{
    struct schedule made = p->made;
    struct came_of first = came_of(p);
    bool whole = p->whole;
    CHECK(made.n <= p->sp->at_most);
    CHECK(player_play(p, &made));
    CHECK_SAME(came_of(p), first);
    CHECK_EQ(p->struck, made.n);
    CHECK_EQ(p->whole, whole);
    CHECK(schedule_equal(&p->made, &made));
}

static bool play_drawn(struct player *p, draw_fn draw, void *context, const struct schedule *schedule)
{
    p->draw = draw;
    p->draw_context = context;
    bool played = player_play(p, schedule);
    p->draw = NULL;
    return played;
}

static void play_sample(struct player *p, enum sampler how, uint64_t seed, uint32_t points)
{
    struct sample sample = sample_begin(p->sp, how, seed, points);
    CHECK(play_drawn(p, sample_draw, &sample, NULL));
}

static uint32_t calm_points(struct player *p)
{
    CHECK(player_play(p, NULL));
    return p->n_passed;
}

TEST("a sample's deviations alone, without its seed, play its run again")
{
    uint32_t struck = 0;
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        uint32_t points = calm_points(s.player);
        for (uint64_t seed = 0; seed < 3 * SEEDS; seed++) {
            play_sample(s.player, (enum sampler)(seed % 3), seed, points);
            struck += s.player->made.n;
            check_replays(s.player);
        }
        searched_free(&s);
    }
    CHECK(struck > 3 * SEEDS);
}

TEST("a mutation's deviations alone play its run again, over generations")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        struct schedule parent = {.n = 0}, other = {.n = 0};
        uint32_t passed = calm_points(s.player);
        for (uint64_t seed = 0; seed < 2 * SEEDS; seed++) {
            struct mutation m;
            mutate(s.space, &parent, passed, &other, seed, &m);
            CHECK(play_drawn(s.player, mutate_draw, &m, &m.base));
            struct schedule made = s.player->made;
            passed = s.player->n_passed;
            check_replays(s.player);
            other = parent;
            parent = made;
        }
        searched_free(&s);
    }
}

/* From a copy at this event of the schedule's run, with draws behind it; and the same from the start. In between
 * another run is played, as a search does. */
static void check_branch(struct player *p, const struct schedule *schedule, uint32_t event, uint64_t seed)
{
    struct schedule prefix = {.n = 0};
    struct sample one = sample_begin(p->sp, SAMPLE_SWARM, seed, 20), two = one;
    p->keep_at = event;
    CHECK(player_play(p, schedule));
    p->keep_at = 0;
    if (p->kept == NULL)
        return; /* it ended before */
    void *copy = p->kept;
    p->kept = NULL;
    for (uint32_t i = 0; i < p->made.n; i++)
        if (p->made.row[i].at < p->kept_passed)
            (void)schedule_add(&prefix, p->made.row[i].address, p->made.row[i].fault, p->made.row[i].at);
    struct schedule made = p->made;
    uint32_t passed = p->kept_passed;
    play_sample(p, SAMPLE_SWARM, seed + 1, 20);
    p->note_states = true;
    p->from_event = event;
    p->draw = sample_draw;
    p->draw_context = &one;
    uint64_t before = p->steps_played;
    CHECK(player_play_on(p, copy, passed, &prefix));
    uint64_t steps = p->steps_played - before;
    struct came_of on = came_of(p);
    uint32_t struck = p->struck, slots = p->n_slots, sum = 0;
    for (uint32_t i = 0; i < slots; i++)
        sum += p->slots[i] * (i + 1) + p->slot_event[i];
    struct schedule drawn = p->made;
    p->draw_context = &two;
    before = p->steps_played;
    CHECK(player_play(p, &made));
    CHECK_SAME(came_of(p), on);
    CHECK(schedule_equal(&p->made, &drawn));
    CHECK_EQ(p->struck, struck);
    CHECK_EQ(p->steps_played - before, steps);
    CHECK_EQ(p->n_slots, slots);
    for (uint32_t i = 0; i < p->n_slots; i++)
        sum -= p->slots[i] * (i + 1) + p->slot_event[i];
    CHECK_EQ(sum, 0);
    p->note_states = false;
    p->from_event = 0;
    p->draw = NULL;
    check_replays(p);
    free(copy);
}

TEST("playing on from a copy is playing from the start, whatever was played in between")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        uint32_t points = calm_points(s.player);
        uint32_t events = (uint32_t)s.player->run->events;
        for (uint32_t event = 1; event <= events; event += 1 + events / 16)
            check_branch(s.player, NULL, event, event);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            play_sample(s.player, SAMPLE_SWARM, seed, points);
            struct schedule made = s.player->made;
            check_branch(s.player, &made, 1 + (uint32_t)(seed * 7 % events), seed);
        }
        searched_free(&s);
    }
}

TEST("the calm run is that of no schedule, of an empty one, and of one of which nothing meets its point")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        struct schedule empty = {.n = 0}, inert = {.n = 0};
        CHECK(player_play(s.player, NULL));
        struct came_of calm = came_of(s.player);
        CHECK(player_play(s.player, &empty));
        CHECK_SAME(came_of(s.player), calm);
        for (uint32_t i = 0; i < SCHEDULE_MAX; i++)
            (void)schedule_add(&inert, i, s.space->own, 0);
        CHECK(player_play(s.player, &inert));
        CHECK_SAME(came_of(s.player), calm);
        CHECK(s.player->struck == 0 && s.player->made.n == 0);
        searched_free(&s);
    }
}

TEST("what meets no point is left out of what was made, and changes nothing of what does")
{
    uint32_t looked_at = 0;
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        uint32_t points = calm_points(s.player);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            play_sample(s.player, SAMPLE_SWARM, seed, points);
            struct schedule made = s.player->made, with = made;
            struct came_of first = came_of(s.player);
            for (uint32_t i = 0; i < 5; i++)
                (void)schedule_add(&with, sample_hash(seed, i), s.space->own + i, 0);
            CHECK(player_play(s.player, &with));
            CHECK_SAME(came_of(s.player), first);
            CHECK(schedule_equal(&s.player->made, &made));
            looked_at += with.n - made.n == 5;
        }
        searched_free(&s);
    }
    CHECK(looked_at > SEEDS);
}

/* --- one taken away ------------------------------------------------------------------------------------ */

/* A swarm that draws nothing at one address. */
struct but_one {
    struct sample sample;
    uint64_t address;
};

static uint32_t draw_but_one(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at)
{
    struct but_one *b = context;
    return p->address == b->address ? NONE32 : sample_draw(&b->sample, sim, p, at);
}

static bool passes(const struct player *p, uint64_t address)
{
    for (uint32_t i = 0; i < p->n_points; i++)
        if (p->points[i].p.address == address)
            return true;
    return false;
}

TEST("taking one deviation of a swarm away leaves every other draw: the same address, the same fault")
{
    uint32_t taken = 0;
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        struct player *p = s.player;
        uint32_t points = calm_points(p);
        p->note_points = true;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            play_sample(p, SAMPLE_SWARM, seed, points);
            struct schedule all = p->made;
            for (uint32_t i = 0; i < all.n && i < 3 && all.n < SCHEDULE_MAX; i++) {
                struct but_one b = {sample_begin(s.space, SAMPLE_SWARM, seed, points), all.row[i].address};
                CHECK(play_drawn(p, draw_but_one, &b, NULL));
                for (uint32_t k = 0; k < all.n; k++)
                    CHECK(k == i || !passes(p, all.row[k].address) ||
                          schedule_has(&p->made, all.row[k].address, all.row[k].fault));
                taken++;
            }
        }
        searched_free(&s);
    }
    CHECK(taken > 2 * SEEDS);
}

/* --- several at one point ------------------------------------------------------------------------------- */

/* The first point of the calm run of which this is true. */
static uint64_t first_point(struct player *p, bool message)
{
    p->note_points = true;
    CHECK(player_play(p, NULL));
    p->note_points = false;
    for (uint32_t i = 0; i < p->n_points; i++)
        if ((p->points[i].p.kind == CHOICE_MESSAGE) == message)
            return p->points[i].p.address;
    ASSERT(false);
    return 0;
}

TEST("at one point STRIKES_MAX faults strike, the first of the menu, and no more")
{
    struct searched s = searched(searched_writers, NULL);
    for (uint32_t n = STRIKES_MAX - 1; n <= STRIKES_MAX + 2; n++) {
        struct schedule several = {.n = 0};
        uint64_t address = first_point(s.player, false);
        for (uint32_t i = n; i > 0; i--)
            CHECK(schedule_add(&several, address, s.space->own + i - 1, 0));
        CHECK(player_play(s.player, &several));
        CHECK_EQ(s.player->struck, n < STRIKES_MAX ? n : STRIKES_MAX);
        CHECK_EQ(s.player->made.n, s.player->struck);
        for (uint32_t i = 0; i < s.player->made.n; i++)
            CHECK_EQ(s.player->made.row[i].fault, s.space->own + i);
        check_replays(s.player);
    }
    searched_free(&s);
}

static uint32_t draw_first(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at)
{
    const struct space *sp = context;
    (void)sim;
    for (uint32_t i = 0; i < sp->n_offers; i++)
        if (space_offers(sp, p, i))
            return sp->own + (at + i < sp->n_offers && space_offers(sp, p, at + i) ? at + i : i);
    return NONE32;
}

TEST("what is drawn strikes in the menu's order among what the schedule does at that point")
{
    struct searched s = searched(searched_writers, NULL);
    uint64_t address = first_point(s.player, false);
    for (uint32_t n = 0; n <= STRIKES_MAX; n++) {
        struct schedule several = {.n = 0};
        for (uint32_t i = 0; i < n; i++) /* every other of the menu, so that what is drawn falls between */
            CHECK(schedule_add(&several, address, s.space->own + 2 * i + 1, 0));
        CHECK(play_drawn(s.player, draw_first, s.space, &several));
        check_replays(s.player);
    }
    searched_free(&s);
}

TEST("a full schedule with draws besides: what strikes is what was made")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        struct player *p = s.player;
        struct schedule full = {.n = 0};
        p->note_points = true;
        CHECK(player_play(p, NULL));
        p->note_points = false;
        for (uint32_t i = p->n_points; i > 0 && full.n < SCHEDULE_MAX; i--)
            for (uint32_t k = 0; k < 8; k++)
                if (space_offers(s.space, &p->points[i - 1].p, s.space->n_offers - 1 - 3 * k))
                    (void)schedule_add(&full, p->points[i - 1].p.address, s.space->own + s.space->n_offers - 1 - 3 * k,
                                       0);
        CHECK_EQ(full.n, SCHEDULE_MAX);
        CHECK(play_drawn(p, draw_first, s.space, &full));
        CHECK(p->made.n <= SCHEDULE_MAX && p->made.n > SCHEDULE_MAX / 8);
        check_replays(p);
        searched_free(&s);
    }
}

/* --- what broke -------------------------------------------------------------------------------------------- */

TEST("only what is wanted counts as found")
{
    struct searched s = searched(searched_writers, "open");
    uint32_t points = calm_points(s.player), found = 0;
    for (uint64_t seed = 0; seed < 2000 && found < 3; seed++) {
        s.player->wanted = player_verdict(s.space);
        play_sample(s.player, SAMPLE_SWARM, seed, points);
        if (!s.player->found || s.player->culprit.invariant != INV_NO_STALE_WRITE)
            continue;
        found++;
        struct schedule made = s.player->made;
        CHECK(s.player->found_at > 0);
        s.player->wanted = UINT64_C(1) << INV_NO_STALE_WRITE;
        CHECK(player_play(s.player, &made) && s.player->found);
        s.player->wanted = ~(UINT64_C(1) << INV_NO_STALE_WRITE) & player_verdict(s.space);
        CHECK(player_play(s.player, &made));
        CHECK(!s.player->found || s.player->culprit.invariant != INV_NO_STALE_WRITE);
        s.player->wanted = 0;
        CHECK(player_play(s.player, &made) && !s.player->found);
    }
    CHECK_EQ(found, 3);
    searched_free(&s);
}

TEST("what is known is passed over, and hides nothing else that the same run breaks")
{
    struct searched s = searched(searched_writers, "open");
    uint32_t points = calm_points(s.player), alone = 0, others = 0;
    s.player->wanted = ~(uint64_t)SIGNS_OF_NOTES;
    for (uint64_t seed = 0; seed < 2000 && (alone < 3 || others < 3); seed++) {
        s.player->n_known = 0;
        play_sample(s.player, SAMPLE_SWARM, seed, points);
        if (!s.player->found)
            continue;
        struct schedule made = s.player->made;
        struct culprit first = s.player->culprit;
        uint32_t broken = s.player->run->n_violations + s.player->run->n_misses;
        ns at = s.player->found_at;
        s.player->known = &first;
        s.player->n_known = 1;
        CHECK(player_play(s.player, &made));
        CHECK_EQ(s.player->found, broken > 1);
        CHECK(!s.player->found || (!same_culprit(s.player->culprit, first) && s.player->found_at >= at));
        alone += broken == 1;
        others += broken > 1;
    }
    CHECK(alone >= 3 && others >= 3);
    searched_free(&s);
}

TEST("the verdict is made of harm, protocols and `always`; of signs only of those that the case names")
{
    struct searched s = searched(searched_writers, NULL);
    uint64_t wanted = player_verdict(s.space);
    CHECK(wanted & ALWAYS_WANTED);
    for (uint32_t i = 0; i < INVARIANTS; i++)
        CHECK_EQ(wanted >> i & 1, invariant_table[i].kind != INV_SIGN);
    searched_free(&s);
}

/* --- memory -------------------------------------------------------------------------------------------------- */

TEST("without memory there is no player, and a run whose points have no room is none")
{
    struct searched s = searched(searched_writers, NULL);
    if (!test_counts_allocations()) {
        searched_free(&s);
        test_skip("allocations are not counted in this build");
        return;
    }
    bool made = false;
    for (int64_t nth = 1; !made && nth < 32; nth++) {
        test_fail_allocation(nth);
        struct player *p = player_new(s.space, 0);
        test_fail_allocation(0);
        made = p != NULL;
        player_free(p);
    }
    CHECK(made);
    s.player->note_points = true;
    test_fail_allocation(1);
    CHECK(!player_play(s.player, NULL));
    test_fail_allocation(0);
    CHECK(player_play(s.player, NULL) && s.player->n_points == s.player->n_passed);
    searched_free(&s);
}

/* A write was answered; what its thread is refused later is another thing. Only a note says that it was heard. */
TEST("a register is judged in a search as it is in a run: by what was heard, too")
{
    static const char late[] = "fencepost 1\nscenario \"A late release\"\ncase safe holds\n"
                               "lock leader central ttl 10s\nstore s\nnode a b\n"
                               "a:\n  acquire leader\n  write s 1\n  release leader\n"
                               "b:\n  wait 1s\n  acquire leader within 30s\n  read s as x\n  write s x + 1\n"
                               "before a releases leader: pause a for 20s\n"
                               "may drop a -> s\n";
    struct searched s = searched(late, NULL);
    struct diags d = {0};
    s.player->wanted = UINT64_C(1) << INV_LINEARIZABLE;
    CHECK(player_play(s.player, NULL));
    CHECK(!s.player->found);
    struct compiled *c = scenario_compile(s.scenario, 0, 0, 0, &d);
    struct run *r = run_new(c, 0);
    CHECK(run_play(r, &(struct run_options){.plain = false}));
    CHECK_EQ(r->n_violations, 0);
    run_free(r);
    compiled_free(c);
    searched_free(&s);
}
