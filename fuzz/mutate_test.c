/* SPDX-License-Identifier: MIT
 *
 * mutate_test.c - what a mutation makes of its parent.
 */
#include "fuzz/mutate.h"

#include "sim/test.h"

#include "fuzz/searched.h"

#define SEEDS 600
#define PASSED 40

/* Three faults that strike in the calm run: a crash, a pause, and a message that is lost. */
static struct schedule parent_of(struct searched *s)
{
    struct schedule parent = {.n = 0};
    uint32_t n = 0;
    s->player->note_points = true;
    CHECK(player_play(s->player, NULL));
    s->player->note_points = false;
    for (uint32_t i = 0; i < s->player->n_points && n < 3; i++)
        for (uint32_t k = 0; k < s->space->n_offers && n < 3; k++) {
            static const enum fault_kind kinds[] = {FAULT_CRASH, FAULT_PAUSE, FAULT_DROP};
            if (s->space->offers[k].kind != kinds[n] || !space_offers(s->space, &s->player->points[i].p, k))
                continue;
            n += schedule_add(&parent, s->player->points[i].p.address, s->space->own + k, i);
            break;
        }
    CHECK_EQ(parent.n, 3);
    return parent;
}

/* Of which nothing is in the parent. */
static struct schedule other_of(const struct space *sp)
{
    struct schedule other = {.n = 0};
    for (uint32_t i = 0; i < 8; i++)
        CHECK(schedule_add(&other, 1000 + i, sp->own + i, i));
    return other;
}

static bool same_mutation(const struct mutation *a, const struct mutation *b)
{
    bool same = a->seed == b->seed && a->n == b->n && schedule_equal(&a->base, &b->base);
    for (uint32_t i = 0; same && i < a->n; i++)
        same = a->add[i].at == b->add[i].at && a->add[i].from == b->add[i].from && a->add[i].fault == b->add[i].fault &&
               a->add[i].like == b->add[i].like && a->add[i].meets == b->add[i].meets &&
               a->add[i].done == b->add[i].done;
    return same;
}

static bool same_family(const struct space *sp, uint32_t a, uint32_t b)
{
    return offer_of(sp, a)->family == offer_of(sp, b)->family;
}

/* How many of a's deviations b does not have. */
static uint32_t missing(const struct schedule *a, const struct schedule *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n; i++)
        n += !schedule_has(b, a->row[i].address, a->row[i].fault);
    return n;
}

/* --- pure ---------------------------------------------------------------------------------- */

TEST("a mutation is a function of parent, other and seed, and begins anew each time")
{
    struct searched s = searched(searched_writers, NULL);
    struct schedule parent = parent_of(&s), other = other_of(s.space);
    uint32_t differ = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation a, b, c;
        memset(&a, 0xff, sizeof a);
        memset(&b, 0, sizeof b);
        mutate(s.space, &parent, PASSED, &other, seed, &a);
        mutate(s.space, &parent, PASSED, &other, seed, &b);
        mutate(s.space, &parent, PASSED, &other, seed + 1, &c);
        CHECK(same_mutation(&a, &b));
        for (uint32_t i = 0; i < a.n; i++)
            CHECK(!a.add[i].done);
        differ += !same_mutation(&a, &c);
    }
    CHECK_EQ(differ, SEEDS);
    searched_free(&s);
}

TEST("a child is five to ten changes away: of a parent of nothing, so many are added")
{
    struct searched s = searched(searched_writers, NULL);
    const struct schedule nothing = {.n = 0};
    uint32_t seen[MUTATE_MOST + 1] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m, same;
        mutate(s.space, &nothing, PASSED, NULL, seed, &m);
        CHECK(m.n >= MUTATE_LEAST && m.n <= MUTATE_MOST);
        seen[m.n <= MUTATE_MOST ? m.n : 0]++;
        mutate_times(s.space, &nothing, PASSED, NULL, seed, m.n, &same);
        CHECK(same_mutation(&m, &same));
    }
    CHECK_EQ(seen[0], 0);
    for (uint32_t n = MUTATE_LEAST; n < MUTATE_MOST; n++)
        CHECK(seen[n] > seen[n + 1] / 2);
    CHECK(seen[MUTATE_LEAST] > SEEDS / 3 && seen[MUTATE_MOST] > 0);
    searched_free(&s);
}

/* --- each kind is seen ---------------------------------------------------------------------------------- */

TEST("deviations are added, taken away, moved, changed and spliced in, each of them alone too")
{
    struct searched s = searched(searched_writers, NULL);
    struct schedule parent = parent_of(&s), other = other_of(s.space);
    uint32_t added = 0, gone = 0, moved = 0, changed = 0, spliced = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        mutate_times(s.space, &parent, PASSED, &other, seed, 1, &m);
        uint32_t lost = missing(&parent, &m.base), more = missing(&m.base, &parent);
        added += m.n == 1 && m.add[0].fault == NONE32 && lost == 0 && more == 0;
        gone += m.n == 0 && lost == 1 && more == 0;
        moved += m.n == 1 && m.add[0].fault != NONE32 && lost == 1 && more == 0;
        bool from_other = more > 0 && missing(&m.base, &other) == 3 - lost;
        spliced += m.n == 0 && lost == 0 && from_other;
        changed += m.n == 0 && lost == 1 && more == 1 && !from_other;
    }
    CHECK(added > SEEDS / 6);
    CHECK(gone > SEEDS / 30);
    CHECK(moved > SEEDS / 30);
    CHECK(changed > SEEDS / 60);
    CHECK(spliced > SEEDS / 60);
    searched_free(&s);
}

TEST("a deviation that is moved goes one to twelve points forth or back, never before the "
     "first")
{
    struct searched s = searched(searched_writers, NULL);
    struct schedule parent = parent_of(&s);
    uint32_t seen[2 * MUTATE_MOVE + 1] = {0}, clamped = 0;
    for (uint32_t i = 0; i < parent.n; i++)
        parent.row[i].at = i == 0 ? 0 : 100 * i;
    for (uint64_t seed = 0; seed < 20 * SEEDS; seed++) {
        struct mutation m;
        mutate_times(s.space, &parent, 1000, NULL, seed, 1, &m);
        if (m.n != 1 || m.add[0].fault == NONE32 || missing(&m.base, &parent) > 0 || m.base.n != 2)
            continue;
        for (uint32_t i = 0; i < parent.n; i++) {
            if (schedule_has(&m.base, parent.row[i].address, parent.row[i].fault))
                continue;
            CHECK(same_family(s.space, m.add[0].fault, parent.row[i].fault)); /* it may have been changed before */
            int32_t by = (int32_t)m.add[0].at - (int32_t)parent.row[i].at;
            CHECK(by >= -MUTATE_MOVE && by <= MUTATE_MOVE);
            CHECK(by != 0 || i == 0);
            clamped += by == 0;
            seen[by + MUTATE_MOVE]++;
        }
    }
    CHECK(clamped > 0);
    for (int32_t by = -MUTATE_MOVE; by <= MUTATE_MOVE; by++)
        CHECK(seen[by + MUTATE_MOVE] > 0);
    searched_free(&s);
}

TEST("a deviation that is changed has another magnitude of the same family, at the same address")
{
    struct searched s = searched(searched_writers, NULL);
    struct schedule parent = parent_of(&s);
    uint32_t changed = 0;
    for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
        struct mutation m;
        mutate(s.space, &parent, PASSED, NULL, seed, &m);
        for (uint32_t i = 0; i < m.base.n; i++) {
            const struct step *step = &m.base.row[i];
            bool known = false;
            for (uint32_t k = 0; k < parent.n; k++)
                known = known || (parent.row[k].address == step->address &&
                                  same_family(s.space, parent.row[k].fault, step->fault));
            CHECK(known);
        }
        changed += missing(&m.base, &parent) > 0;
    }
    CHECK(changed > SEEDS / 4);
    searched_free(&s);
}

TEST("a parent of nothing only gets more, and a run without points is no trouble")
{
    struct searched s = searched(searched_writers, NULL);
    const struct schedule nothing = {.n = 0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        mutate(s.space, &nothing, 0, NULL, seed, &m);
        CHECK(m.base.n == 0 && m.n >= 1 && m.n <= MUTATE_ADDS);
        for (uint32_t i = 0; i < m.n; i++)
            CHECK(m.add[i].at == 0 && m.add[i].fault == NONE32);
        mutate(s.space, &nothing, PASSED, &nothing, seed, &m);
        for (uint32_t i = 0; i < m.n; i++)
            CHECK(m.add[i].at < PASSED);
    }
    searched_free(&s);
}

/* --- bounds ---------------------------------------------------------------------------------- */

TEST("a child has no more deviations than `at most` says: 1, 2, 3, and SCHEDULE_MAX")
{
    static const char *const lines[] = {"at most 1 fault\n", "at most 2 faults\n", "at most 3 faults\n", ""};
    for (size_t w = 0; w < sizeof lines / sizeof *lines; w++) {
        struct searched s = searched(two_texts(searched_writers, lines[w]), NULL);
        struct schedule parent = parent_of(&s), other = other_of(s.space);
        uint32_t most = s.space->at_most, full = 0;
        while (parent.n > most)
            schedule_remove(&parent, 0);
        for (uint32_t i = 0; parent.n < most; i++)
            CHECK(schedule_add(&parent, i, s.space->own, i));
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct mutation m;
            mutate(s.space, &parent, PASSED, &other, seed, &m);
            CHECK(m.base.n + m.n <= most);
            full += m.base.n + m.n == most;
            s.player->draw = mutate_draw;
            s.player->draw_context = &m;
            CHECK(player_play(s.player, &m.base));
            s.player->draw = NULL;
            CHECK(s.player->made.n <= most);
        }
        CHECK(full > SEEDS / 4);
        searched_free(&s);
    }
}

TEST("what is added strikes where it was to, or at the next point where it may; once")
{
    struct searched s = searched(searched_writers, NULL);
    (void)parent_of(&s);
    const struct player *p = s.player;
    uint32_t drop = NONE32, n = p->n_points, next = 0;
    for (uint32_t k = 0; k < s.space->n_offers; k++)
        drop = s.space->offers[k].kind == FAULT_DROP ? s.space->own + k : drop;
    for (uint32_t at = 0; at < n; at++) {
        struct mutation m = {
            .sp = s.space,
            .n = 2,
            .add = {{.at = at, .fault = drop, .like = NONE32}, {.at = n, .fault = drop, .like = NONE32}}};
        for (next = at; next < n && !space_offers(s.space, &p->points[next].p, drop - s.space->own); next++) {
        }
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(mutate_draw(&m, NULL, &p->points[i].p, i), i == next ? drop : NONE32);
        CHECK_EQ(m.add[0].done, next < n);
        CHECK(!m.add[1].done);
    }
    searched_free(&s);
}

/* Plays one thing that is added, and nothing else. Where it struck, or NULL, and what it was. */
static const struct passed *play_added(struct searched *s, struct mutate_add add, uint64_t seed, uint32_t *fault)
{
    struct mutation m = {.sp = s->space, .seed = seed, .kinds = s->space->kinds, .n = 1, .add = {add}};
    struct player *p = s->player;
    p->draw = mutate_draw;
    p->draw_context = &m;
    p->note_points = true;
    CHECK(player_play(p, &m.base));
    p->draw = NULL;
    p->note_points = false;
    CHECK_EQ(p->made.n, m.add[0].done);
    if (p->made.n == 0)
        return NULL;
    *fault = p->made.row[0].fault;
    return &p->points[p->made.row[0].at];
}

TEST(
    "half of what needs no message is added by the clock: at the first point of a time of the calm run, and at none of "
    "a message")
{
    struct searched s = searched(two_texts(searched_writers, "may pause w1 w2 up to 12s\nmay crash leader\n"), NULL);
    const struct schedule nothing = {.n = 0};
    uint32_t timed = 0, others = 0, struck = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        uint32_t fault;
        mutate_times(s.space, &nothing, PASSED, NULL, seed, 1, &m);
        CHECK_EQ(m.n, 1);
        timed += m.add[0].from > 0;
        others += m.add[0].from == 0 && !m.add[0].meets;
        if (m.add[0].from == 0)
            continue;
        CHECK(m.add[0].at == 0 && m.add[0].fault == NONE32 && !m.add[0].meets);
        CHECK(m.add[0].from <= s.space->calm_end);
        const struct passed *at = play_added(&s, m.add[0], seed, &fault);
        if (at == NULL)
            continue;
        struck++;
        CHECK(at->at >= m.add[0].from && at->p.kind != CHOICE_MESSAGE);
        for (const struct passed *before = s.player->points; before < at; before++)
            CHECK(before->at < m.add[0].from || before->p.kind == CHOICE_MESSAGE);
    }
    CHECK(timed > others * 8 / 10 && timed < others * 12 / 10);
    CHECK(struck > timed * 8 / 10);
    searched_free(&s);
}

TEST("where messages alone may be struck nothing is added by the clock, and nothing is to meet what a loss cannot")
{
    struct searched s = searched(two_texts(searched_writers, "may drop\nmay reorder\n"), NULL);
    struct schedule parent = {.n = 0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        mutate(s.space, &parent, PASSED, NULL, seed, &m);
        for (uint32_t i = 0; i < m.n; i++)
            CHECK(m.add[i].from == 0 && !m.add[i].meets);
    }
    searched_free(&s);
}

/* When it is over, or the message arrives. */
static ns over_at(const struct searched *s, const struct passed *at, uint32_t fault)
{
    const struct fault_plan *f = &s->space->faults[fault];
    return at->at + (f->kind == FAULT_DELAY ? f->amount : f->duration);
}

TEST("what is to meet something is over within an exchange of when another fault is: 20 s, here")
{
    struct searched s = searched(
        two_texts(searched_writers, "at 1s: pause w1 for 19s\nmay pause w1 w2 up to 12s\nmay delay up to 12s\n"), NULL);
    const ns near = plan_exchange(&s.space->c.sim), met = 20 * NS_PER_S;
    uint32_t pauses = 0, delays = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct mutate_add add = {.at = 0, .fault = NONE32, .like = NONE32, .meets = true};
        uint32_t fault;
        const struct passed *at = play_added(&s, add, seed, &fault);
        if (at == NULL || at->at < 1 * NS_PER_S)
            continue;
        pauses += s.space->faults[fault].kind == FAULT_PAUSE;
        delays += s.space->faults[fault].kind == FAULT_DELAY;
        CHECK(over_at(&s, at, fault) >= met - near && over_at(&s, at, fault) <= met + near);
    }
    CHECK(pauses + delays > 10);
    searched_free(&s);
}

TEST("where nothing is to end and nothing is late, nothing is met")
{
    struct searched s = searched(two_texts(searched_writers, "may pause w1 w2 up to 12s\nmay delay up to 12s\n"), NULL);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct mutate_add add = {.at = 0, .fault = NONE32, .like = NONE32, .meets = true};
        uint32_t fault;
        CHECK(play_added(&s, add, seed, &fault) == NULL);
    }
    searched_free(&s);
}

TEST("a twin strikes within six points behind a deviation, and for as long as it does where that is on the menu")
{
    struct searched s = searched(
        two_texts(searched_writers, "may pause w1 w2 up to 12s\nmay delay up to 12s\nmay drop\n"), NULL);
    struct schedule one = {.n = 0};
    uint32_t pause = s.space->own + 1, twins = 0, alike = 0;
    s.player->note_points = true;
    CHECK(player_play(s.player, NULL));
    CHECK_EQ(s.space->faults[pause].kind, FAULT_PAUSE);
    CHECK(schedule_add(&one, 7, pause, 5));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        mutate_times(s.space, &one, PASSED, NULL, seed, 1, &m);
        for (uint32_t i = 0; i < m.n; i++) {
            if (m.add[i].like == NONE32)
                continue;
            twins++;
            CHECK_EQ(m.add[i].fault, NONE32);
            CHECK(m.add[i].like >= s.space->own && m.add[i].like < s.space->room);
            if (m.add[i].like == pause && i == 0 && m.base.n == 1)
                CHECK(m.add[i].at >= 5 && m.add[i].at < 5 + MUTATE_NEAR);
        }
        if (m.n != 1 || m.add[0].like != pause)
            continue;
        for (uint32_t i = 0; i < s.player->n_points && !m.add[0].done; i++) {
            uint32_t fault = mutate_draw(&m, NULL, &s.player->points[i].p, i);
            if (fault == NONE32 || s.space->faults[fault].kind == FAULT_DROP)
                continue;
            const struct fault_plan *f = &s.space->faults[fault];
            CHECK_EQ(f->kind == FAULT_DELAY ? f->amount : f->duration, s.space->faults[pause].duration);
            alike++;
        }
    }
    CHECK(twins > SEEDS / 10 && alike > SEEDS / 40);
    searched_free(&s);
}

TEST("faults that a shrinker made up are neither changed nor drawn")
{
    struct searched s = searched(searched_writers, NULL);
    struct schedule parent = parent_of(&s), odd = {.n = 0};
    uint32_t made_up = space_own(s.space, 0, s.space->own, &s.space->faults[s.space->own]);
    CHECK_EQ(made_up, s.space->room);
    CHECK(schedule_add(&odd, parent.row[0].address, made_up, 3));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutation m;
        mutate(s.space, &odd, PASSED, NULL, seed, &m);
        CHECK(m.base.n == 0 || m.base.row[0].fault == made_up);
        s.player->draw = mutate_draw;
        s.player->draw_context = &m;
        CHECK(player_play(s.player, &m.base));
        s.player->draw = NULL;
        for (uint32_t i = 0; i < s.player->made.n; i++)
            CHECK(s.player->made.row[i].fault != made_up || s.player->made.row[i].address == parent.row[0].address);
    }
    searched_free(&s);
}

/* --- golden ---------------------------------------------------------------------------------- */

TEST("the mutations of these seeds are what they were")
{
    struct searched s = searched(two_texts(searched_writers, "may pause w1 w2 up to 12s\nmay drop\nmay crash leader\n"),
                                 NULL);
    struct schedule parent = parent_of(&s), other = other_of(s.space);
    uint64_t h = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        struct mutation m;
        mutate(s.space, &parent, PASSED, &other, seed, &m);
        for (uint32_t i = 0; i < m.base.n; i++)
            h = sample_hash(h, m.base.row[i].address + (m.base.row[i].fault - s.space->own));
        for (uint32_t i = 0; i < m.n; i++)
            h = sample_hash(h, m.add[i].at + (uint64_t)(m.add[i].fault == NONE32) * 1000 + m.add[i].meets * 2000ul +
                                   (uint64_t)m.add[i].from * 10000);
    }
    if (h != UINT64_C(0x7b97de0a3361afcb))
        test_failed(__FILE__, __LINE__, "UINT64_C(0x%016" PRIx64 ")", h);
    searched_free(&s);
}
