/* SPDX-License-Identifier: MIT
 *
 * sample_test.c - draws are functions of (seed, address), and how they are spread.
 */
#include "fuzz/sample.h"

#include "sim/test.h"

#include "fuzz/searched.h"

static const char *const worlds[] = {searched_writers, searched_quorum, searched_jobs};
#define WORLDS (sizeof worlds / sizeof *worlds)
#define SEEDS 400

/* With the points of its calm run. */
static struct searched with_points(const char *text)
{
    struct searched s = searched(text, NULL);
    s.player->note_points = true;
    CHECK(player_play(s.player, NULL));
    s.player->note_points = false;
    return s;
}

static void play(struct player *p, struct sample *sample)
{
    p->draw = sample_draw;
    p->draw_context = sample;
    CHECK(player_play(p, NULL));
    p->draw = NULL;
}

/* --- numbers ----------------------------------------------------------------------------------------- */

TEST("the hash of two words is the same on every machine")
{
    CHECK(sample_hash(0, 0) == UINT64_C(0xa706dd2f4d197e6f));
    CHECK(sample_hash(1, 0) == UINT64_C(0x5e41ab087439611e));
    CHECK(sample_hash(0, 1) == UINT64_C(0xb382a305f4414f5e));
    CHECK(sample_hash(UINT64_MAX, UINT64_MAX) == UINT64_C(0x445018e305810b78));
}

TEST("a number below n is below n, whatever the hash, and each of them comes")
{
    for (uint32_t n = 1; n <= 65; n++) {
        uint32_t seen[65] = {0}, kinds = 0;
        CHECK_EQ(sample_below(0, n), 0);
        CHECK_EQ(sample_below(UINT64_MAX, n), n - 1);
        for (uint64_t i = 0; i < 40 * (uint64_t)n; i++) {
            uint32_t v = sample_below(sample_hash(i, n), n);
            CHECK(v < n);
            kinds += v < n && seen[v]++ == 0;
        }
        CHECK_EQ(kinds, n);
    }
    CHECK_EQ(sample_below(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
}

/* --- one fault at one point ------------------------------------------------------------------------------ */

TEST("what is drawn at a point may strike there, is of a kind that may, and is drawn again from the same hash")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = with_points(worlds[w]);
        for (uint32_t i = 0; i < s.player->n_points; i++)
            for (uint64_t h = 0; h < 32; h++) {
                const struct choice_point *p = &s.player->points[i].p;
                uint32_t kinds = (uint32_t)sample_hash(h, 9);
                uint32_t fault = sample_fault(s.space, p, kinds, sample_hash(h, i));
                CHECK_EQ(fault, sample_fault(s.space, p, kinds, sample_hash(h, i)));
                if (fault == NONE32)
                    continue;
                CHECK(fault >= s.space->own && fault < s.space->room);
                CHECK(space_offers(s.space, p, fault - s.space->own));
                CHECK(kinds >> offer_of(s.space, fault)->kind & 1);
            }
        searched_free(&s);
    }
}

TEST("where no kind may strike nothing is drawn; where one may, it always is")
{
    struct searched s = with_points(two_texts(searched_writers, "may drop w1 -> ledger\nmay pause w2\n"));
    for (uint32_t i = 0; i < s.player->n_points; i++)
        for (uint64_t h = 0; h < 8; h++) {
            const struct choice_point *p = &s.player->points[i].p;
            uint64_t hash = sample_hash(h, i);
            bool dropped = space_offers(s.space, p, 0);
            CHECK_EQ(sample_fault(s.space, p, 0, hash), NONE32);
            CHECK_EQ(sample_fault(s.space, p, 1u << FAULT_CRASH, hash), NONE32);
            CHECK_EQ(sample_fault(s.space, p, 1u << FAULT_DROP, hash), dropped ? s.space->own : NONE32);
            CHECK_EQ(sample_fault(s.space, p, 1u << FAULT_PAUSE, hash) != NONE32, p->kind != CHOICE_MESSAGE);
        }
    searched_free(&s);
}

TEST("each offer of the menu is drawn somewhere, and each kind about as often as any other at a point")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = with_points(worlds[w]);
        static uint32_t drawn[OFFERS_MAX];
        uint32_t never = 0, by_kind[FAULTS] = {0}, least = UINT32_MAX, most = 0;
        memset(drawn, 0, sizeof drawn);
        for (uint32_t i = 0; i < s.player->n_points; i++)
            for (uint64_t h = 0; h < 2000; h++) {
                const struct choice_point *p = &s.player->points[i].p;
                uint32_t fault = sample_fault(s.space, p, UINT32_MAX, sample_hash(h, i));
                if (fault == NONE32)
                    continue;
                drawn[fault - s.space->own]++;
                by_kind[offer_of(s.space, fault)->kind] += p->kind != CHOICE_MESSAGE;
            }
        for (uint32_t i = 0; i < s.space->n_offers; i++)
            never += drawn[i] == 0;
        CHECK_EQ(never, 0);
        for (uint32_t k = 0; k < FAULTS; k++) {
            if (by_kind[k] == 0)
                continue;
            least = by_kind[k] < least ? by_kind[k] : least;
            most = by_kind[k] > most ? by_kind[k] : most;
        }
        CHECK(most - least < most / 10);
        searched_free(&s);
    }
}

TEST("a fault concerns a point if it strikes who acts there or whom it is done to; a partition always does")
{
    struct searched s = with_points(searched_writers);
    const struct space *sp = s.space;
    for (uint32_t i = 0; i < s.player->n_points; i++) {
        const struct choice_point *p = &s.player->points[i].p;
        for (uint32_t f = 0; f < sp->n_families; f++) {
            const struct family *family = &sp->families[f];
            bool concerns = sample_concerns(sp, family, p);
            if (family->victim == NONE16) {
                CHECK_EQ(concerns, family->kind == FAULT_PARTITION);
                continue;
            }
            name_id victim = sp->c.sim.processes[family->victim].name;
            name_id peer = family->peer == NONE16 ? victim : sp->c.sim.processes[family->peer].name;
            CHECK_EQ(concerns, victim == p->actor || victim == p->peer || peer == p->actor || peer == p->peer);
        }
    }
    searched_free(&s);
}

TEST("half of the faults that are drawn concern their point, and the others come as well")
{
    struct searched s = with_points(two_texts(searched_writers, "may pause\n"));
    uint32_t near = 0, all = 0;
    for (uint32_t i = 0; i < s.player->n_points; i++)
        for (uint64_t h = 0; h < 400; h++) {
            const struct choice_point *p = &s.player->points[i].p;
            uint32_t fault = sample_fault(s.space, p, UINT32_MAX, sample_hash(h, i));
            if (fault == NONE32)
                continue;
            all++;
            near += sample_concerns(s.space, &s.space->families[offer_of(s.space, fault)->family], p);
        }
    CHECK(near > all / 2 && near < all * 9 / 10);
    searched_free(&s);
}

/* --- swarm -------------------------------------------------------------------------------------------------- */

TEST("a draw is a function of the seed and the address: not of what was drawn before, nor of when it comes")
{
    struct searched s = with_points(searched_writers);
    uint32_t n = s.player->n_points, drawn = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct sample forth = sample_begin(s.space, SAMPLE_SWARM, seed, n), back = forth;
        uint32_t there[512];
        ASSERT(n <= 512);
        for (uint32_t i = 0; i < n; i++)
            there[i] = sample_draw(&forth, NULL, &s.player->points[i].p, i);
        for (uint32_t i = n; i > 0; i--) {
            CHECK_EQ(sample_draw(&back, NULL, &s.player->points[i - 1].p, 7), there[i - 1]);
            drawn += there[i - 1] != NONE32;
        }
    }
    CHECK(drawn > SEEDS);
    searched_free(&s);
}

/* Struck, one in four. */
static bool strikes(struct sample sample, const struct choice_point *p)
{
    sample.rate = UINT64_C(1) << 30;
    return sample_draw(&sample, NULL, p, 0) != NONE32;
}

TEST("whether one point is struck tells nothing of another: two are struck together as often as by chance")
{
    enum { RUNS = 4000, POINTS = 32 };
    for (size_t w = 0; w < WORLDS; w++) {
        static bool struck[RUNS][POINTS];
        struct searched s = with_points(two_texts(worlds[w], "may pause up to 1s\nmay drop\n"));
        uint32_t n = s.player->n_points < POINTS ? s.player->n_points : POINTS;
        for (uint32_t run = 0; run < RUNS; run++) {
            struct sample sample = sample_begin(s.space, SAMPLE_SWARM, run, n);
            sample.kinds = s.space->kinds;
            for (uint32_t i = 0; i < n; i++)
                struck[run][i] = strikes(sample, &s.player->points[i].p);
        }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++) {
                uint32_t one = 0, two = 0, both = 0;
                for (uint32_t run = 0; run < RUNS; run++) {
                    one += struck[run][i];
                    two += struck[run][k];
                    both += struck[run][i] && struck[run][k];
                }
                CHECK(one > RUNS * 22 / 100 && one < RUNS * 28 / 100);
                uint32_t expected = one * two / RUNS; /* a standard deviation is less than 16 */
                CHECK(both > expected - 80 && both < expected + 80);
            }
        searched_free(&s);
    }
}

TEST("a kind that is off in a run stays off; each kind is on in about half of the runs, and some kind in each")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = with_points(worlds[w]);
        uint32_t on[FAULTS] = {0};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct sample sample = sample_begin(s.space, SAMPLE_SWARM, seed, s.player->n_points);
            uint32_t kinds = sample.kinds;
            CHECK(kinds != 0 && (kinds & ~s.space->kinds) == 0);
            for (uint32_t k = 0; k < FAULTS; k++)
                on[k] += kinds >> k & 1;
            play(s.player, &sample);
            for (uint32_t i = 0; i < s.player->made.n; i++)
                CHECK(kinds >> offer_of(s.space, s.player->made.row[i].fault)->kind & 1);
        }
        for (uint32_t k = 0; k < FAULTS; k++)
            CHECK(s.space->kinds >> k & 1 ? on[k] > SEEDS / 2 - 50 && on[k] < SEEDS / 2 + 50 : on[k] == 0);
        searched_free(&s);
    }
}

TEST("where one kind alone may happen it is always on")
{
    struct searched s = with_points(two_texts(searched_writers, "may drop\n"));
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        CHECK_EQ(sample_begin(s.space, SAMPLE_SWARM, seed, 9).kinds, UINT32_C(1) << FAULT_DROP);
    searched_free(&s);
}

TEST("a swarm draws one to twelve faults at the points of a calm run, some four on average")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = with_points(worlds[w]);
        uint32_t points = s.player->n_points, sum = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct sample sample = sample_begin(s.space, SAMPLE_SWARM, seed, points);
            CHECK(sample.rate * points > (UINT64_C(1) << 32) * 9 / 10);
            CHECK(sample.rate * points <= (UINT64_C(1) << 32) * 12);
            for (uint32_t i = 0; i < points; i++)
                sum += sample_draw(&sample, NULL, &s.player->points[i].p, i) != NONE32;
        }
        CHECK(sum > 3 * SEEDS && sum < 5 * SEEDS);
        searched_free(&s);
    }
}

TEST("a swarm's runs have none, few or many faults, also where crashes make a program long")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = with_points(worlds[w]);
        uint32_t points = s.player->n_points, most = 0, none = 0, few = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct sample sample = sample_begin(s.space, SAMPLE_SWARM, seed, points);
            play(s.player, &sample);
            most = s.player->made.n > most ? s.player->made.n : most;
            none += s.player->made.n == 0;
            few += s.player->made.n > 0 && s.player->made.n <= 8;
        }
        CHECK(most >= 12 && most <= SCHEDULE_MAX);
        CHECK(none > 0 && none < SEEDS / 4);
        CHECK(few > SEEDS * 2 / 5);
        searched_free(&s);
    }
}

TEST("the rate is never more than one point in two, however few there are")
{
    struct searched s = with_points(searched_writers);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint32_t points = 0; points < 4; points++) {
            struct sample sample = sample_begin(s.space, SAMPLE_SWARM, seed, points);
            CHECK(sample.rate > 0 && sample.rate <= UINT64_C(1) << 31);
        }
    searched_free(&s);
}

TEST("no run has more faults than `at most` says, of whichever sampler")
{
    static const char *const lines[] = {"at most 1 fault\n", "at most 2 faults\n", "at most 3 faults\n"};
    for (uint32_t most = 1; most <= 3; most++) {
        struct searched s = with_points(two_texts(searched_writers, lines[most - 1]));
        uint32_t points = s.player->n_points, reached = 0;
        for (uint64_t seed = 0; seed < 60; seed++)
            for (uint32_t how = SAMPLE_SWARM; how <= SAMPLE_PCT; how++) {
                struct sample sample = sample_begin(s.space, (enum sampler)how, seed, points);
                play(s.player, &sample);
                CHECK(s.player->made.n <= most);
                reached += s.player->made.n == most;
            }
        CHECK(reached > 60);
        searched_free(&s);
    }
}

/* --- the baselines -------------------------------------------------------------------------------------------- */

TEST("uniform takes each option of a point as often as any other, the calm one among them")
{
    struct searched s = with_points(two_texts(searched_writers, "may pause w1 up to 4s\nmay drop\nmay reorder\n"));
    uint32_t calm = 0, each[4] = {0}, points = 0;
    CHECK_EQ(s.space->n_offers, 5); /* 1.2s 3.4s 4s drop reorder */
    for (uint32_t i = 0; i < s.player->n_points; i++) {
        if (s.player->points[i].p.kind == CHOICE_MESSAGE)
            continue;
        points++;
        for (uint64_t seed = 0; seed < 400; seed++) {
            struct sample sample = sample_begin(s.space, SAMPLE_UNIFORM, seed, 9);
            uint32_t fault = sample_draw(&sample, NULL, &s.player->points[i].p, i);
            CHECK(fault == NONE32 || fault - s.space->own < 3);
            if (fault == NONE32)
                calm++;
            else
                each[fault - s.space->own]++;
        }
    }
    for (uint32_t k = 0; k < 3; k++)
        CHECK(each[k] > points * 85 && each[k] < points * 115);
    CHECK(calm > points * 85 && calm < points * 115);
    searched_free(&s);
}

TEST("pct strikes at one to three places among the points of the calm run, and nowhere else")
{
    struct searched s = with_points(searched_writers);
    uint32_t points = s.player->n_points, n[5] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct sample sample = sample_begin(s.space, SAMPLE_PCT, seed, points), begun = sample;
        CHECK(begun.n_places >= 1 && begun.n_places <= 3);
        for (uint32_t i = 0; i < begun.n_places; i++)
            CHECK(begun.place[i] < points);
        play(s.player, &sample);
        CHECK(s.player->made.n <= begun.n_places);
        for (uint32_t i = 0; i < s.player->made.n; i++) {
            bool at_place = false;
            for (uint32_t k = 0; k < begun.n_places; k++)
                at_place = at_place || s.player->made.row[i].at == begun.place[k];
            CHECK(at_place);
        }
        n[begun.n_places]++;
    }
    for (uint32_t k = 1; k <= 3; k++)
        CHECK(n[k] > SEEDS / 4);
    CHECK_EQ(sample_begin(s.space, SAMPLE_PCT, 1, 0).place[0], 0);
    searched_free(&s);
}

/* --- golden ------------------------------------------------------------------------------------------------------ */

TEST("the first samples of this seed are what they were")
{
    static const struct {
        uint32_t n;
        uint64_t hash;
    } golden[] = {
        {1, UINT64_C(0x3f4d2a0fd4670ebe)}, {64, UINT64_C(0xad5f7f20b9d59ce6)}, {1, UINT64_C(0xaf71cc4b9fa51ddf)},
        {3, UINT64_C(0x3ae70b957cdedaac)}, {64, UINT64_C(0x2c3cbb6d37d94255)}, {0, 0},
        {5, UINT64_C(0xb0d2164a32810a8a)}, {64, UINT64_C(0x02471ca4e1ecd571)}, {2, UINT64_C(0xc7264b9834f6caca)}};
    struct searched s = with_points(
        two_texts(searched_writers, "may pause w1 w2 up to 12s\nmay drop w1 -> ledger\nmay crash leader\n"));
    uint32_t points = s.player->n_points;
    for (uint64_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        struct sample sample = sample_begin(s.space, (enum sampler)(i % 3), i, points);
        uint64_t h = 0;
        play(s.player, &sample);
        for (uint32_t k = 0; k < s.player->made.n; k++)
            h = sample_hash(h, s.player->made.row[k].address + (s.player->made.row[k].fault - s.space->own));
        if (s.player->made.n != golden[i].n || h != golden[i].hash)
            test_failed(__FILE__, __LINE__, "sample %d: {%u, UINT64_C(0x%016" PRIx64 ")}", (int)i,
                        (unsigned)s.player->made.n, h);
    }
    searched_free(&s);
}
