/* SPDX-License-Identifier: MIT
 *
 * search_test.c - a search is a function of space, seed, arms and budget; what its arms play, and what it finds.
 */
#include "fuzz/search.h"

#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/crew.h"
#include "fuzz/keep.h"
#include "fuzz/searched.h"

static const char pauses[] = "may pause w1 w2 up to 20s\nmay drop w1 - ledger\nmay delay w1 -> ledger\n";

static struct search *search_of(const struct searched *s, uint64_t seed, uint64_t schedules, unsigned arms)
{
    const struct search_options o = {
        .seed = seed, .schedules = schedules, .arms = arms, .workers = 1, .wanted = player_verdict(s->space)};
    struct search *found = search_new(s->space, &o);
    ASSERT(found != NULL);
    return found;
}

/* To its end, or what it finds. */
static enum round_end play(struct search *s)
{
    enum round_end end = ROUND_MORE;
    while (end == ROUND_MORE)
        end = search_round(s);
    return end;
}

uint64_t searched_hash(const struct search *s)
{
    uint64_t h = sample_hash(s->played, s->n_entries);
    for (int arm = 0; arm < ARMS; arm++)
        h = sample_hash(sample_hash(h, s->played_by[arm]), s->next[arm]);
    for (uint32_t i = 0; i < s->n_entries; i++)
        h = sample_hash(sample_hash(h, schedule_hash(&s->entries[i].schedule)), s->entries[i].owns);
    for (uint32_t i = 0; i < s->n_reached; i++) {
        const struct cell *c = &s->cells[s->reached[i]];
        h = sample_hash(sample_hash(h, s->reached[i]), (uint64_t)c->entry << 32 | c->event);
        h = sample_hash(sample_hash(h, c->passed), (uint64_t)c->used << 32 | c->branched);
    }
    h = sample_hash(sample_hash(h, s->errors), s->reached_at);
    if (s->found)
        h = sample_hash(sample_hash(h, schedule_hash(&s->finding.schedule)), s->finding.after);
    return sample_hash(h, s->steps);
}

/* --- budgets ---------------------------------------------------------------------------------- */

TEST("a search plays as many schedules as it was given: none, one, a round less one, a round, one more, several rounds")
{
    static const uint64_t budgets[] = {0, 1, 2, 47, 48, 49, 143, 144, 145, 1000};
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        struct search *x = search_of(&s, 3, budgets[i], PORTFOLIO);
        CHECK_EQ(play(x), ROUND_BUDGET);
        CHECK_EQ(x->played, budgets[i]);
        uint64_t sum = 0;
        for (int arm = 0; arm < ARMS; arm++)
            sum += x->played_by[arm];
        CHECK_EQ(sum, budgets[i]);
        CHECK_EQ(search_round(x), ROUND_BUDGET);
        CHECK_EQ(x->played, budgets[i]);
        search_free(x);
    }
    searched_free(&s);
}

TEST("what a search does is that of its version: whoever changes it raises KEEP_VERSION, or kept ones go on elsewhere")
{
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    struct search *x = search_of(&s, 3, 1500, PORTFOLIO);
    CHECK_EQ(play(x), ROUND_BUDGET);
    CHECK_EQ(KEEP_VERSION, 5);
    CHECK_EQ(searched_hash(x), UINT64_C(2157268064765408065));
    search_free(x);
    searched_free(&s);
}

TEST("the same seed is the same search, another seed another; the first round is the same whatever the budget")
{
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    struct search *a = search_of(&s, 5, 600, PORTFOLIO), *b = search_of(&s, 5, 600, PORTFOLIO);
    struct search *c = search_of(&s, 6, 600, PORTFOLIO), *d = search_of(&s, 5, 100000, PORTFOLIO);
    CHECK(search_round(a) == ROUND_MORE && search_round(d) == ROUND_MORE);
    CHECK(searched_hash(a) == searched_hash(d));
    CHECK(play(a) == ROUND_BUDGET && play(b) == ROUND_BUDGET && play(c) == ROUND_BUDGET);
    CHECK(searched_hash(a) == searched_hash(b));
    CHECK(searched_hash(a) != searched_hash(c));
    search_free(a);
    search_free(b);
    search_free(c);
    search_free(d);
    searched_free(&s);
}

/* --- arms ---------------------------------------------------------------------------------- */

TEST("an arm alone plays alone; in the portfolio swarm and guided have a turn each, branch and singles one together")
{
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    for (int arm = 0; arm < ARMS; arm++) {
        struct search *x = search_of(&s, 1, 300, 1u << arm);
        enum round_end end = play(x);
        CHECK_EQ(end, arm == ARM_SINGLE && x->n_singles < 300 ? ROUND_DONE : ROUND_BUDGET);
        CHECK_EQ(x->played_by[arm], x->played);
        search_free(x);
    }
    struct search *all = search_of(&s, 1, 4000, PORTFOLIO);
    CHECK_EQ(play(all), ROUND_BUDGET);
    CHECK_EQ(all->played_by[ARM_SINGLE], all->n_singles);
    uint64_t swarm = all->played_by[ARM_SWARM], guided = all->played_by[ARM_GUIDED],
             branch = all->played_by[ARM_BRANCH];
    CHECK(all->played_by[ARM_UNIFORM] == 0 && all->played_by[ARM_PCT] == 0);
    CHECK(swarm >= guided && swarm - guided <= 256 + 64); /* more samples at first */
    CHECK(swarm >= 2 * branch && swarm - 2 * branch <= 256 + 64);
    search_free(all);
    searched_free(&s);
}

TEST("each deviation that the calm run has a point for is played alone once, and none twice")
{
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    struct search *x = search_of(&s, 1, 100000, 1u << ARM_SINGLE);
    struct player *p = s.player;
    p->note_points = true;
    CHECK(player_play(p, NULL));
    uint32_t twins = 0, there = 0;
    for (uint32_t i = 0; i < x->n_singles; i++)
        for (uint32_t k = 0; k < i; k++)
            twins += x->singles[i].address == x->singles[k].address && x->singles[i].fault == x->singles[k].fault;
    CHECK_EQ(twins, 0);
    for (uint32_t i = 0; i < p->n_points; i++) {
        bool again = false; /* after another record of the same event: it strikes when the event is over, as there */
        for (uint32_t k = 0; k < i && p->points[i].p.kind == CHOICE_AFTER; k++)
            again = again || (p->points[k].event == p->points[i].event && p->points[k].p.kind == CHOICE_AFTER);
        for (uint32_t k = 0; k < s.space->n_offers; k++) {
            if (!space_offers(s.space, &p->points[i].p, k))
                continue;
            bool listed = false;
            for (uint32_t n = 0; n < x->n_singles; n++)
                listed = listed ||
                         (x->singles[n].address == p->points[i].p.address && x->singles[n].fault == s.space->own + k);
            CHECK_EQ(listed, !again);
            there += !again;
        }
    }
    CHECK_EQ(x->n_singles, there);
    CHECK_EQ(play(x), ROUND_DONE);
    CHECK_EQ(x->played, x->n_singles);
    CHECK_EQ(search_round(x), ROUND_DONE);
    search_free(x);
    searched_free(&s);
}

TEST("what strikes after one record of an event does the same after another of it, so that is not played twice")
{
    struct searched s = searched(searched_quorum, NULL);
    struct player *p = s.player;
    p->note_points = true;
    CHECK(player_play(p, NULL));
    p->note_points = false;
    uint32_t looked_at = 0;
    for (uint32_t i = 1; i < p->n_points; i++) {
        const struct passed *b = &p->points[i], *a = b - 1;
        while (a > p->points && a->event == b->event && a->p.kind != CHOICE_AFTER)
            a--;
        if (a->event != b->event || a->p.kind != CHOICE_AFTER || b->p.kind != CHOICE_AFTER)
            continue;
        for (uint32_t k = 0; k < s.space->n_offers; k++) {
            struct schedule one = {.n = 0}, two = {.n = 0};
            if (s.space->offers[k].at_message)
                continue;
            (void)schedule_add(&one, a->p.address, s.space->own + k, 0);
            (void)schedule_add(&two, b->p.address, s.space->own + k, 0);
            CHECK(player_play(p, &one));
            struct came_of first = came_of(p);
            CHECK(player_play(p, &two));
            CHECK_SAME(came_of(p), first);
            looked_at++;
        }
    }
    CHECK(looked_at > 0);
    searched_free(&s);
}

TEST("singles come likeliest first: what concerns the point, before it, and long")
{
    static const char *const texts[] = {"", pauses};
    for (size_t w = 0; w < 2; w++) {
        struct searched s = searched(two_texts(searched_writers, texts[w]), NULL);
        struct search *x = search_of(&s, 1, 1, 1u << ARM_SINGLE);
        struct player *p = s.player;
        uint32_t last = 0;
        p->note_points = true;
        CHECK(player_play(p, NULL));
        for (uint32_t i = 0; i < x->n_singles; i++) {
            const struct offer *o = offer_of(s.space, x->singles[i].fault);
            const struct family *f = &s.space->families[o->family];
            uint32_t k = 0;
            while (p->points[k].p.address != x->singles[i].address)
                k++;
            bool far = !o->at_message && !sample_concerns(s.space, f, &p->points[k].p);
            uint32_t rank = (uint32_t)far << 16 | (uint32_t)(p->points[k].p.kind == CHOICE_AFTER) << 8 |
                            (f->n - 1u - o->size);
            CHECK(rank >= last);
            last = rank;
        }
        search_free(x);
        searched_free(&s);
    }
}

TEST("sample i of a seed is the same in every search: alone, in the portfolio, and where a range begins with it")
{
    struct searched s = searched(two_texts(searched_writers, pauses), "open");
    struct search_options o = {.seed = 9, .schedules = 1, .arms = 1u << ARM_SWARM, .workers = 1, .wanted = 1};
    struct search *whole = search_new(s.space, &o);
    o.first_swarm = 150;
    struct search *range = search_new(s.space, &o);
    o.arms = PORTFOLIO;
    o.first_swarm = 0;
    struct search *mixed = search_new(s.space, &o);
    uint32_t faults = 0;
    CHECK_EQ(range->next[ARM_SWARM], 150);
    for (uint64_t i = 150; i < 250; i++) {
        struct task t = {.arm = ARM_SWARM, .number = i, .seed = sample_hash(sample_hash(9, 100 + ARM_SWARM), i)};
        CHECK(search_play_task(whole, &t) && search_play_task(range, &t) && search_play_task(mixed, &t));
        CHECK(schedule_equal(&whole->player->made, &range->player->made));
        CHECK(schedule_equal(&whole->player->made, &mixed->player->made));
        faults += whole->player->made.n;
    }
    CHECK(faults > 100);
    search_free(whole);
    search_free(range);
    search_free(mixed);
    searched_free(&s);
}

TEST("a range of samples finds what the whole finds there, under the same number")
{
    struct searched s = searched(two_texts(searched_writers, pauses), "open");
    struct search *whole = search_of(&s, 2, 100000, 1u << ARM_SWARM);
    CHECK_EQ(play(whole), ROUND_FOUND);
    uint64_t number = whole->finding.number;
    CHECK_EQ(whole->finding.after, number + 1);
    const struct search_options o = {.seed = 2,
                                     .schedules = 1,
                                     .arms = 1u << ARM_SWARM,
                                     .workers = 1,
                                     .wanted = player_verdict(s.space),
                                     .first_swarm = number};
    struct search *one = search_new(s.space, &o);
    CHECK_EQ(search_round(one), ROUND_FOUND);
    CHECK_EQ(one->finding.number, number);
    CHECK_EQ(one->played, 1);
    CHECK(schedule_equal(&one->finding.schedule, &whole->finding.schedule));
    search_free(whole);
    search_free(one);
    searched_free(&s);
}

/* --- abstract states ---------------------------------------------------------------------------------- */

/* Which abstract states so many schedules of an arm reach. */
static uint32_t reach(const struct searched *s, enum arm arm, bool *slots)
{
    const struct search_options o = {.seed = 4,
                                     .schedules = 800,
                                     .arms = 1u << arm,
                                     .workers = 1,
                                     .wanted = player_verdict(s->space),
                                     .note_all = true};
    struct search *x = search_new(s->space, &o);
    ASSERT(x != NULL);
    (void)play(x);
    for (uint32_t i = 0; i < x->n_reached; i++)
        slots[x->reached[i]] = true;
    uint32_t n = x->n_reached;
    search_free(x);
    return n;
}

TEST("guided and branch reach states that as many singles or samples do not")
{
    struct searched s = searched(searched_jobs, NULL);
    static bool slots[ARMS][ABSTRACT_SLOTS];
    uint32_t n[ARMS] = {0}, fresh[ARMS] = {0};
    memset(slots, 0, sizeof slots);
    for (int arm = ARM_SINGLE; arm <= ARM_BRANCH; arm++)
        n[arm] = reach(&s, (enum arm)arm, slots[arm]);
    for (int arm = ARM_GUIDED; arm <= ARM_BRANCH; arm++)
        for (uint32_t i = 0; i < ABSTRACT_SLOTS; i++)
            fresh[arm] += slots[arm][i] && !slots[ARM_SINGLE][i] && !slots[ARM_SWARM][i];
    CHECK(n[ARM_GUIDED] > n[ARM_SINGLE] && n[ARM_BRANCH] > n[ARM_SINGLE]);
    CHECK(fresh[ARM_GUIDED] > 100 && fresh[ARM_BRANCH] > 100);
    searched_free(&s);
}

TEST("each state that was reached has one owner, which reaches it at its event; copies are counted")
{
    struct searched s = searched(searched_jobs, NULL);
    struct search *x = search_of(&s, 4, 1500, PORTFOLIO);
    (void)play(x);
    uint32_t owned = 0;
    size_t copies = 0;
    for (uint32_t i = 0; i < x->n_entries; i++)
        owned += x->entries[i].owns;
    CHECK_EQ(owned, x->n_reached);
    for (uint32_t i = 0; i < ABSTRACT_SLOTS; i++)
        copies += x->cells[i].copy == NULL ? 0 : x->cells[i].copy_size;
    CHECK_EQ(copies, x->copies);
    CHECK(copies > 0);
    struct player *p = s.player;
    p->note_states = true;
    for (uint32_t i = 0; i < x->n_reached; i += 1 + x->n_reached / 200) {
        const struct cell *c = &x->cells[x->reached[i]];
        CHECK(player_play(p, &x->entries[c->entry - 1].schedule));
        CHECK(p->slot_seen[x->reached[i]]);
        for (uint32_t k = 0; k < p->n_slots; k++) /* a branch looks at states from where it began */
            if (p->slots[k] == x->reached[i])
                CHECK(p->slot_event[k] <= c->event);
    }
    search_free(x);
    searched_free(&s);
}

/* --- findings ---------------------------------------------------------------------------------- */

TEST("what is found plays again alone, and breaks the same by the same at the same time, by whichever arm")
{
    struct searched s = searched(two_texts(searched_writers, pauses), "open");
    for (int arm = 0; arm < ARMS; arm++) {
        struct search *x = search_of(&s, 7, arm == ARM_UNIFORM ? 500 : 50000, 1u << arm);
        enum round_end end = play(x);
        if (end == ROUND_FOUND) {
            CHECK_EQ(x->finding.arm, arm);
            CHECK_EQ(x->finding.after, x->played);
            CHECK(player_play(s.player, &x->finding.schedule));
            CHECK(s.player->found && same_culprit(s.player->culprit, x->finding.culprit));
            CHECK_EQ(s.player->found_at, x->finding.at);
            CHECK(schedule_equal(&s.player->made, &x->finding.schedule));
        } else if (arm != ARM_UNIFORM) { /* faults mask each other: it rarely finds anything */
            test_failed(__FILE__, __LINE__, "%s found nothing", arm_name[arm]);
        }
        search_free(x);
    }
    searched_free(&s);
}

TEST("a search goes on behind a finding: known culprits are passed over, and no schedule counts twice")
{
    struct searched s = searched(searched_jobs, "unsafe");
    struct search *x = search_of(&s, 1, 3000, PORTFOLIO);
    struct culprit known[16];
    uint32_t n = 0;
    enum round_end end = search_round(x);
    for (; end == ROUND_MORE || end == ROUND_FOUND; end = search_round(x)) {
        if (end == ROUND_MORE)
            continue;
        for (uint32_t i = 0; i < n; i++)
            CHECK(!same_culprit(known[i], x->finding.culprit));
        ASSERT(n < 16);
        known[n++] = x->finding.culprit;
        CHECK(search_pass_over(x, x->finding.culprit));
    }
    CHECK_EQ(end, ROUND_BUDGET);
    CHECK(n >= 2);
    CHECK_EQ(x->played, 3000);
    uint64_t sum = 0;
    for (int arm = 0; arm < ARMS; arm++)
        sum += x->played_by[arm];
    CHECK_EQ(sum, 3000);
    for (int arm = 1; arm < ARMS; arm++)
        CHECK_EQ(x->next[arm], x->played_by[arm]);
    search_free(x);
    searched_free(&s);
}

TEST("what was found and not passed over is found again by the next round, and counts once")
{
    struct searched s = searched(two_texts(searched_writers, pauses), "open");
    struct search *x = search_of(&s, 7, 50000, PORTFOLIO);
    CHECK_EQ(play(x), ROUND_FOUND);
    uint64_t after = x->finding.after;
    CHECK_EQ(play(x), ROUND_FOUND);
    CHECK(x->finding.after > after);
    CHECK_EQ(x->finding.after, x->played);
    search_free(x);
    searched_free(&s);
}

TEST("a calm run that breaks what is looked for is told before anything is searched")
{
    static const char text[] =
        "fencepost 1\nscenario \"x\"\ncase a without store-token lease-check violates no-stale-write\n"
        "case b holds\nlock leader central ttl 10s\nstore ledger\nnode w1 w2\n"
        "w1:\n  acquire leader\n  work 1s\n  write ledger 1\n"
        "w2:\n  wait 11s\n  acquire leader\n  write ledger 2\n"
        "before w1 writes ledger: pause w1 for 12s\n";
    struct culprit c = {0, 0};
    struct searched a = searched(text, "a"), b = searched(text, "b");
    struct search *x = search_of(&a, 1, 10, PORTFOLIO), *y = search_of(&b, 1, 10, PORTFOLIO);
    CHECK(search_calm_breaks(x, &c));
    CHECK_EQ(c.invariant, INV_NO_STALE_WRITE);
    CHECK_STR(a.space->names.text[c.node], "w1");
    CHECK(!search_calm_breaks(y, &c));
    search_free(x);
    search_free(y);
    searched_free(&a);
    searched_free(&b);
}

/* --- memory ---------------------------------------------------------------------------------- */

TEST("a search that is out of memory says so, wherever it was")
{
    if (!test_counts_allocations()) {
        test_skip("allocations are not counted in this build");
        return;
    }
    struct searched s = searched(two_texts(searched_writers, pauses), NULL);
    const struct search_options o = {
        .seed = 1, .schedules = 60, .arms = PORTFOLIO, .workers = 1, .wanted = player_verdict(s.space)};
    bool whole = false;
    uint32_t failed = 0;
    for (int64_t nth = 1; !whole && nth < 4000; nth += nth < 40 ? 1 : 17) {
        test_fail_allocation(nth);
        struct search *x = search_new(s.space, &o);
        enum round_end end = x == NULL ? ROUND_NO_MEMORY : play(x);
        test_fail_allocation(0);
        CHECK(end == ROUND_NO_MEMORY || end == ROUND_BUDGET);
        failed += end == ROUND_NO_MEMORY;
        whole = nth > 400 && end == ROUND_BUDGET;
        search_free(x);
    }
    CHECK(whole && failed > 10);
    searched_free(&s);
}

TEST("a case in which nothing happens is searched, by every arm, and nothing is found")
{
    struct searched s = searched("fencepost 1\nscenario \"Nothing\"\ncase a holds\n", NULL);
    struct search *x = search_of(&s, 1, 500, PORTFOLIO);
    CHECK_EQ(play(x), ROUND_BUDGET);
    CHECK_EQ(x->n_reached, 0);
    CHECK_EQ(x->played_by[ARM_GUIDED] + x->played_by[ARM_BRANCH], 0);
    search_free(x);
    searched_free(&s);
}
