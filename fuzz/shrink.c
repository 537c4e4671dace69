/* SPDX-License-Identifier: MIT
 *
 * shrink.c - see shrink.h.
 */
#include "fuzz/shrink.h"

#include "fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

struct shrinker {
    struct player *p;
    struct space *sp;
    const struct shrink_options *o;
    struct shrunk *out;
    struct schedule start; /* what is to be shrunk, without what is inert */
    struct schedule best;  /* breaks it */
    uint32_t passed;       /* points of its run */
    uint64_t best_cost;
    uint64_t until; /* so many replays, and so many events of the player: the budget's end */
    uint64_t steps_until;
    bool begun_again;        /* from the start */
    struct schedule settled; /* from here beginning again came to no fewer */
    uint32_t place;          /* for the next fault that is made up */
    bool no_memory, stopped; /* by whoever watches an exhaustive search */
    uint64_t tried[1024];    /* hashes of what did not break it, by hash */
};

/* --- how small --------------------------------------------------------------------------------------- */

/* Of schedules with as many deviations the one with milder and shorter faults is smaller. */
static uint64_t cost_of_fault(const struct space *sp, uint32_t fault)
{
    static const uint8_t harsh[FAULTS] = {
        [FAULT_REORDER] = 1,   [FAULT_DELAY] = 2,    [FAULT_DUPLICATE] = 3, [FAULT_DROP] = 4,
        [FAULT_SLOW] = 5,      [FAULT_PAUSE] = 6,    [FAULT_CUT] = 7,       [FAULT_DRIFT] = 8,
        [FAULT_WALL_JUMP] = 9, [FAULT_SUSPEND] = 10, [FAULT_CRASH] = 11,    [FAULT_PARTITION] = 12,
    };
    const struct fault_plan *f = &sp->faults[fault];
    ns size = f->kind == FAULT_DELAY || f->kind == FAULT_DUPLICATE || f->kind == FAULT_SLOW ? f->amount
              : f->kind == FAULT_WALL_JUMP ? f->amount < 0 ? -f->amount : f->amount
              : f->duration == NS_NEVER    ? NS_MAX / 8
                                           : f->duration;
    return (uint64_t)harsh[f->kind] << 56 | (uint64_t)f->losing << 55 | (uint64_t)(size / NS_PER_MS);
}

static uint64_t cost_of(const struct space *sp, const struct schedule *s)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < s->n; i++)
        cost += cost_of_fault(sp, s->row[i].fault) >> 6;
    return cost;
}

/* --- trying --------------------------------------------------------------------------------------------- */

static bool spent(const struct shrinker *z)
{
    return z->no_memory || z->out->replays >= z->until || z->p->steps_played >= z->steps_until;
}

static bool same_break(const struct shrinker *z)
{
    const struct player *p = z->p;
    return p->found && p->culprit.invariant == z->out->culprit.invariant &&
           (z->out->culprit.node == NONE16 || p->culprit.node == z->out->culprit.node);
}

/* Takes what the player has just played, if it breaks the same and is smaller. */
static bool take(struct shrinker *z)
{
    struct player *p = z->p;
    if (!same_break(z) || p->made.n > z->best.n)
        return false;
    uint64_t cost = cost_of(z->sp, &p->made);
    if (p->made.n == z->best.n && cost >= z->best_cost)
        return false;
    z->best = p->made;
    z->best_cost = cost;
    z->passed = p->n_passed;
    z->out->at = p->found_at;
    return true;
}

static bool try_schedule(struct shrinker *z, const struct schedule *s)
{
    uint64_t hash = schedule_hash(s) | 1, *tried = &z->tried[hash >> 20 & 1023];
    if (spent(z) || *tried == hash)
        return false;
    z->out->replays++;
    if (!player_play(z->p, s)) {
        z->no_memory = true;
        return false;
    }
    if (take(z))
        return true;
    bool own = false; /* a made-up fault changes under its index */
    for (uint32_t i = 0; i < s->n; i++)
        own = own || s->row[i].fault >= z->sp->room;
    if (!own)
        *tried = hash;
    return false;
}

/* --- fewer ------------------------------------------------------------------------------------------------- */

static struct schedule without(const struct schedule *s, uint32_t from, uint32_t n)
{
    struct schedule out = {.n = 0};
    for (uint32_t i = 0; i < s->n; i++)
        if (i < from || i >= from + n)
            out.row[out.n++] = s->row[i];
    return out;
}

/* Which deviation goes when. Those at one point are told apart by their place: a fault that is made up has another
 * index the next time. Order 0 is that of the schedule. */
static uint32_t rank_in(const struct schedule *s, uint64_t order, uint32_t i)
{
    uint64_t own = sample_hash(order, s->row[i].address);
    uint32_t rank = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        uint64_t other = sample_hash(order, s->row[k].address);
        rank += other < own || (other == own && k < i);
    }
    return rank;
}

static struct schedule without_ranked(const struct schedule *s, uint64_t order, uint32_t from, uint32_t n)
{
    struct schedule out = {.n = 0};
    if (order == 0)
        return without(s, from, n);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t rank = rank_in(s, order, i);
        if (rank < from || rank >= from + n)
            out.row[out.n++] = s->row[i];
    }
    return out;
}

/* What struck after the violation had nothing to do with it. */
static bool pass_later(struct shrinker *z)
{
    struct player *p = z->p;
    bool points = p->note_points;
    p->note_points = true;
    bool played = player_play(p, &z->best);
    p->note_points = points;
    z->no_memory |= !played;
    uint32_t last = 0;
    while (last < p->n_points && p->points[last].at <= p->found_at)
        last++;
    struct schedule s = {.n = 0};
    for (uint32_t i = 0; i < p->made.n; i++)
        if (p->made.row[i].at < last)
            s.row[s.n++] = p->made.row[i];
    return played && s.n < z->best.n && try_schedule(z, &s);
}

static bool pass_chunks(struct shrinker *z, uint64_t order)
{
    bool any = false;
    for (uint32_t size = z->best.n / 2; size > 0; size = size > 1 ? size / 2 : 0) {
        for (uint32_t from = 0; from < z->best.n && !spent(z);) {
            struct schedule s = without_ranked(&z->best, order, from, size);
            if (try_schedule(z, &s))
                any = true;
            else
                from += size;
        }
    }
    if (z->best.n == 1) {
        struct schedule none = {.n = 0};
        any |= try_schedule(z, &none);
    }
    return any;
}

#define PAIRS_MOST 12

static bool pass_pairs(struct shrinker *z)
{
    for (uint32_t i = 0; i + 1 < z->best.n && z->best.n <= PAIRS_MOST; i++)
        for (uint32_t k = i + 1; k < z->best.n; k++) {
            struct schedule s = without(&z->best, k, 1);
            s = without(&s, i, 1);
            if (try_schedule(z, &s))
                return true;
        }
    return false;
}

/* Puts a fault at a point of the run, or the next where it may be; or the first time that its own point's label
 * comes. */
struct putting {
    const struct space *sp;
    uint32_t at, fault;
    const struct choice_point *like; /* NULL: any */
    bool done;
};

static bool same_label(const struct choice_point *a, const struct choice_point *b)
{
    return a->kind == b->kind && a->what == b->what && a->actor == b->actor && a->peer == b->peer;
}

static uint32_t put(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at)
{
    struct putting *putting = context;
    uint32_t fault = putting->fault;
    (void)sim;
    bool message = putting->sp->offers[fault - putting->sp->own].at_message;
    if (putting->done || at < putting->at || message != (p->kind == CHOICE_MESSAGE))
        return NONE32;
    if (putting->like != NULL && !same_label(p, putting->like))
        return NONE32;
    if (fault < putting->sp->room && !space_offers(putting->sp, p, fault - putting->sp->own))
        return NONE32;
    putting->done = true;
    return fault;
}

static bool try_moved(struct shrinker *z, const struct schedule *rest, struct step step, uint32_t at,
                      const struct choice_point *like)
{
    struct putting putting = {z->sp, at, step.fault, like, false};
    if (spent(z) || step.fault < z->sp->own)
        return false;
    z->out->replays++;
    z->p->draw = put;
    z->p->draw_context = &putting;
    bool played = player_play(z->p, rest);
    z->p->draw = NULL;
    z->no_memory |= !played;
    return played && take(z);
}

/* Where the deviations of the best stand. False: no memory. */
static bool find_labels(struct shrinker *z, struct choice_point *labels)
{
    struct player *p = z->p;
    p->note_points = true;
    bool played = player_play(p, &z->best);
    p->note_points = false;
    z->no_memory |= !played;
    for (uint32_t i = 0; played && i < z->best.n; i++)
        for (uint32_t k = 0; k < p->n_points; k++)
            if (p->points[k].p.address == z->best.row[i].address)
                labels[i] = p->points[k].p;
    return played;
}

static bool pass_move(struct shrinker *z)
{
    struct choice_point labels[SCHEDULE_MAX];
    if (z->best.n < 2 || !find_labels(z, labels))
        return false;
    for (uint32_t i = 0; i < z->best.n; i++)
        for (uint32_t k = 0; k < z->best.n; k++) {
            if (k == i)
                continue;
            struct step step = z->best.row[i];
            struct schedule rest = without(&z->best, i > k ? i : k, 1);
            rest = without(&rest, i > k ? k : i, 1);
            if (try_moved(z, &rest, step, 0, &labels[i]))
                return true;
            for (uint32_t by = 1; by <= SHRINK_MOVE && !spent(z); by++)
                if (try_moved(z, &rest, step, step.at + by, NULL) ||
                    (step.at >= by && try_moved(z, &rest, step, step.at - by, NULL)))
                    return true;
        }
    return false;
}

#define ALONE_POINTS 64

/* One of the faults alone, early in the run: for what no exhaustive search gets through. */
static bool pass_alone(struct shrinker *z)
{
    static const struct schedule nothing = {.n = 0};
    for (uint32_t i = 0; z->best.n > 1 && i < z->best.n; i++)
        for (uint32_t at = 0; at < ALONE_POINTS && !spent(z); at++)
            if (try_moved(z, &nothing, z->best.row[i], at, NULL))
                return true;
    return false;
}

/* --- milder ---------------------------------------------------------------------------------------------------- */

static bool try_instead(struct shrinker *z, uint32_t i, uint32_t fault)
{
    struct schedule s = without(&z->best, i, 1);
    struct step step = z->best.row[i];
    return schedule_add(&s, step.address, fault, step.at) && try_schedule(z, &s);
}

static bool struck_alike(const struct space *sp, const struct offer *a, const struct offer *b)
{
    (void)sp;
    return a->at_message == b->at_message && (a->victim == b->victim || a->victim == NONE16);
}

/* Any cheaper offer that strikes the same: a smaller magnitude, a milder kind. The cheapest first. */
static bool pass_milder(struct shrinker *z)
{
    const struct space *sp = z->sp;
    for (uint32_t i = 0; i < z->best.n; i++) {
        uint32_t fault = z->best.row[i].fault;
        uint64_t cost = cost_of_fault(sp, fault), below = 0;
        if (fault < sp->own)
            continue;
        for (;;) {
            uint32_t next = NONE32;
            uint64_t least = cost;
            for (uint32_t k = 0; k < sp->n_offers; k++) {
                uint64_t c = cost_of_fault(sp, sp->own + k);
                if (c > below && c < least && struck_alike(sp, offer_of(sp, fault), &sp->offers[k])) {
                    least = c;
                    next = sp->own + k;
                }
            }
            if (next == NONE32 || spent(z))
                break;
            below = least;
            if (try_instead(z, i, next))
                return true;
        }
    }
    return false;
}

/* --- rounder ------------------------------------------------------------------------------------------------------ */

static const ns ladder[] = {1 * NS_PER_MS,   2 * NS_PER_MS,   5 * NS_PER_MS,   10 * NS_PER_MS,  20 * NS_PER_MS,
                            50 * NS_PER_MS,  100 * NS_PER_MS, 200 * NS_PER_MS, 500 * NS_PER_MS, 1 * NS_PER_S,
                            2 * NS_PER_S,    5 * NS_PER_S,    10 * NS_PER_S,   20 * NS_PER_S,   30 * NS_PER_S,
                            60 * NS_PER_S,   120 * NS_PER_S,  300 * NS_PER_S,  600 * NS_PER_S,  1200 * NS_PER_S,
                            1800 * NS_PER_S, 3600 * NS_PER_S, 7200 * NS_PER_S, 18000 * NS_PER_S};
#define LADDER (sizeof ladder / sizeof *ladder)

bool shrink_is_round(ns d)
{
    if (d < 0)
        d = -d;
    if (d == NS_NEVER || d == 0)
        return true;
    for (size_t i = 0; i < LADDER; i++)
        if (d == ladder[i])
            return true;
    return d % NS_PER_S == 0 || (d < 10 * NS_PER_S && d % (100 * NS_PER_MS) == 0);
}

/* The magnitude that a fault of this kind has; NULL: none. */
static ns *magnitude_of(struct fault_plan *f)
{
    switch (f->kind) {
    case FAULT_PAUSE:
    case FAULT_SUSPEND:
    case FAULT_CRASH:
    case FAULT_PARTITION:
    case FAULT_CUT: return &f->duration;
    case FAULT_DELAY:
    case FAULT_DUPLICATE:
    case FAULT_SLOW:
    case FAULT_WALL_JUMP: return &f->amount;
    default: return NULL;
    }
}

/* Rounds deviation i to this size; the fault is a made-up one in that place. Keeps it if that breaks the same. */
static bool try_size(struct shrinker *z, uint32_t i, uint32_t place, ns size)
{
    struct step step = z->best.row[i];
    struct fault_plan f = z->sp->faults[step.fault], old = z->sp->faults[z->sp->room + place];
    *magnitude_of(&f) = size;
    uint32_t made_up = space_own(z->sp, place, step.fault, &f);
    struct schedule s = without(&z->best, i, 1);
    if (!schedule_add(&s, step.address, made_up, step.at) || spent(z))
        return false;
    sim_refault(z->p->run->sim, made_up);
    z->out->replays++;
    if (!player_play(z->p, &s)) {
        z->no_memory = true;
        return false;
    }
    if (same_break(z) && z->p->made.n == z->best.n) {
        z->best = z->p->made;
        z->best_cost = cost_of(z->sp, &z->best);
        z->out->at = z->p->found_at;
        return true;
    }
    z->sp->faults[made_up] = old;
    sim_refault(z->p->run->sim, made_up);
    return false;
}

/* The nearest above of the ladder, if it is less than twice as long; the nearest below; whole seconds; tenths. */
static bool round_one(struct shrinker *z, uint32_t i, uint32_t place)
{
    ns *of = magnitude_of(&z->sp->faults[z->best.row[i].fault]);
    if (of == NULL || z->best.row[i].fault < z->sp->own || shrink_is_round(*of))
        return false;
    ns size = *of < 0 ? -*of : *of, sign = *of < 0 ? -1 : 1, tenth = NS_PER_S / 10;
    size_t k = 0;
    while (k < LADDER && ladder[k] < size)
        k++;
    if (k < LADDER && ladder[k] < 2 * size && try_size(z, i, place, sign * ladder[k]))
        return true;
    if (k > 0 && 2 * ladder[k - 1] > size && try_size(z, i, place, sign * ladder[k - 1]))
        return true;
    return try_size(z, i, place, sign * ((size + NS_PER_S - 1) / NS_PER_S * NS_PER_S)) ||
           try_size(z, i, place, sign * ((size + tenth - 1) / tenth * tenth));
}

/* Each in a place of its own. One that is rounded stands behind others at its point: the list is gone through anew. */
static void round_all(struct shrinker *z)
{
    struct schedule done = {.n = 0}; /* what would not be rounded */
    for (uint32_t i = 0; i < z->best.n && z->place < OWN_ROOM;) {
        struct step step = z->best.row[i++];
        if (step.fault >= z->sp->room || !schedule_add(&done, step.address, step.fault, 0))
            continue;
        if (round_one(z, i - 1, z->place)) {
            z->place++;
            i = 0;
        }
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void pass_all(struct shrinker *z)
{
    bool any = true;
    (void)pass_later(z);
    while (any && !spent(z)) {
        any = pass_chunks(z, 0);
        any = any || pass_pairs(z) || pass_move(z);
        any = any || pass_milder(z);
    }
}

static bool adopt(struct shrinker *z, const struct schedule *s)
{
    if (!player_play(z->p, s)) {
        z->no_memory = true;
        return false;
    }
    if (!same_break(z))
        return false;
    z->best = z->p->made;
    z->best_cost = cost_of(z->sp, &z->best);
    z->passed = z->p->n_passed;
    z->out->at = z->p->found_at;
    return true;
}

/* EXPLORE_FOUND: below where it was found, some schedules were broken off. */
static enum certificate why_not(enum explore_end end)
{
    switch (end) {
    case EXPLORE_COMPLETE: return UNCERTIFIED_FIXED;
    case EXPLORE_FOUND:
    case EXPLORE_LIMITS: return UNCERTIFIED_LIMITS;
    case EXPLORE_STEPS: return UNCERTIFIED_STEPS;
    case EXPLORE_MEMORY:
    case EXPLORE_NO_MEMORY: return UNCERTIFIED_MEMORY;
    case EXPLORE_STOPPED: break;
    }
    return UNCERTIFIED_STOPPED;
}

static bool proved_minimal(const struct shrinker *z) { return z->best.n > 0 && z->out->proved + 1 == z->best.n; }

/* Who breaks it is another now: what did not do may do. */
static void blame(struct shrinker *z, struct culprit culprit)
{
    z->out->culprit = culprit;
    memset(z->tried, 0, sizeof z->tried);
}

static void take_smaller(struct shrinker *z, const struct explored *found)
{
    struct culprit before = z->out->culprit;
    blame(z, found->culprit);
    if (adopt(z, &found->schedule))
        pass_all(z);
    else
        blame(z, before);
}

/* --- begun again ----------------------------------------------------------------------------------------------- */

#define AGAIN_ORDERS 32
#define AGAIN_WALK 2000
#define AGAIN_CHANGES 8 /* of a mutant at most */
#define AGAIN_TICK 16

static void stand_on(struct shrinker *z, const struct schedule *s)
{
    z->best = *s;
    z->best_cost = cost_of(z->sp, s);
}

/* A finding has more faults than it needs, and breaks it in more than one way: which of them is left depends on what
 * goes first. */
static void try_orders(struct shrinker *z, struct schedule *least)
{
    for (uint64_t order = 1; order <= AGAIN_ORDERS && !spent(z); order++) {
        stand_on(z, &z->start);
        (void)pass_chunks(z, order);
        if (z->best.n < least->n)
            *least = z->best;
    }
}

static bool play_mutant(struct shrinker *z, const struct schedule *s, uint32_t passed, uint64_t seed)
{
    struct mutation m;
    mutate_times(z->sp, s, passed, NULL, seed, 1 + (uint32_t)(seed % AGAIN_CHANGES), &m);
    z->out->replays++;
    z->p->draw = mutate_draw;
    z->p->draw_context = &m;
    bool played = player_play(z->p, &m.base);
    z->p->draw = NULL;
    z->no_memory |= !played;
    return played && same_break(z);
}

/* A mutant has more faults and other ones; what it shrinks to may have others than before, and its mutants fewer. */
static void walk(struct shrinker *z, struct schedule *least)
{
    struct schedule at = *least;
    uint32_t passed = z->passed;
    for (uint64_t i = 1; i <= AGAIN_WALK && at.n >= least->n && !spent(z) && !z->stopped; i++) {
        if (z->o->tick != NULL && i % AGAIN_TICK == 0)
            z->stopped = !z->o->tick(z->o->context, at.n - 1, (uint32_t)(1000 * i / AGAIN_WALK), z->p->steps_played);
        if (!play_mutant(z, &at, passed, i))
            continue;
        stand_on(z, &z->p->made);
        z->passed = z->p->n_passed;
        (void)pass_chunks(z, i);
        if (z->best.n > least->n)
            continue;
        at = z->best;
        passed = z->passed;
    }
    if (at.n < least->n)
        *least = at;
}

static void limit_steps(struct shrinker *z)
{
    z->steps_until = z->o->steps == 0 ? UINT64_MAX : z->p->steps_played + z->o->steps;
}

/* Where nothing proves that so many are needed. It has a budget of its own, of events, and what comes of it depends
 * neither on what was tried before nor on where made-up faults stand: what was shrunk comes to no fewer the next time.
 * Returns whether it came to fewer. */
static bool begin_again(struct shrinker *z)
{
    const struct schedule before = z->best;
    const struct culprit culprit = z->out->culprit;
    struct schedule least = before;
    if (z->best.n < 3 || z->o->replays == 0 || schedule_equal(&z->best, &z->settled) || !adopt(z, &before))
        return false;
    z->until = UINT64_MAX;
    limit_steps(z);
    blame(z, (struct culprit){culprit.invariant, z->o->held ? culprit.node : NONE16});
    if (!z->begun_again && !schedule_equal(&z->start, &before))
        try_orders(z, &least);
    z->begun_again = true;
    limit_steps(z);
    if (least.n == before.n && adopt(z, &before))
        walk(z, &least);
    z->steps_until = UINT64_MAX;
    z->until = z->out->replays + z->o->replays;
    if (least.n < before.n && adopt(z, &least)) {
        blame(z, z->p->culprit);
        pass_all(z);
        return true;
    }
    stand_on(z, &before);
    blame(z, culprit);
    z->settled = before;
    return false;
}

/* --- proved ----------------------------------------------------------------------------------------------------- */

/* Every smaller bound, with these offers alone; NULL: with all of the menu. */
static void explore_smaller(struct shrinker *z, const uint64_t *offers, struct explored *out)
{
    uint32_t bound = z->best.n - 1;
    const struct explore_options o = {.faults = bound <= EXPLORE_FAULTS_MAX ? bound : EXPLORE_FAULTS_MAX,
                                      .wanted = z->p->wanted,
                                      .memory = z->o->memory,
                                      .steps = z->o->steps,
                                      .offers = offers,
                                      .tick = z->o->tick,
                                      .context = z->o->context};
    explore(z->sp, &o, out);
    if (out->found && (!z->o->held || same_culprit(out->culprit, z->out->culprit)))
        take_smaller(z, out);
}

static void put_offer(uint64_t *offers, uint32_t i) { offers[i / 64] |= UINT64_C(1) << i % 64; }

static void put_greatest(uint64_t *offers, const struct family *f) { put_offer(offers, f->first + f->n - 1); }

/* Where the menu is too long to exhaust, a part of it is not: first the faults of the best and the greatest of their
 * families (one long pause does for two short ones), then the greatest of every family. They strike wherever they may:
 * so it finds what no single step leads to. Returns whether it did. */
static bool look_around(struct shrinker *z)
{
    const struct space *sp = z->sp;
    uint64_t offers[OFFERS_MAX / 64] = {0};
    uint32_t before = z->best.n;
    struct explored around;
    for (uint32_t i = 0; i < z->best.n; i++) {
        uint32_t fault = z->best.row[i].fault;
        if (fault < sp->own || fault >= sp->room)
            continue;
        put_offer(offers, fault - sp->own);
        put_greatest(offers, &sp->families[offer_of(sp, fault)->family]);
    }
    explore_smaller(z, offers, &around);
    for (uint32_t i = 0; i < sp->n_families; i++)
        put_greatest(offers, &sp->families[i]);
    if (z->best.n == before && around.end != EXPLORE_STOPPED)
        explore_smaller(z, offers, &around);
    z->stopped = around.end == EXPLORE_STOPPED;
    return z->best.n < before;
}

/* Fewer faults may do, if it may be somebody else who breaks it. */
static void blame_anybody(struct shrinker *z)
{
    struct culprit culprit = z->out->culprit;
    blame(z, (struct culprit){culprit.invariant, NONE16});
    (void)pass_alone(z);
    pass_all(z);
    z->out->culprit = adopt(z, &z->best) ? z->p->culprit : culprit;
}

/* Whether it is reached by one fault, whichever and wherever: each is played. */
static bool reached_by_one(struct shrinker *z)
{
    static const struct schedule nothing = {.n = 0};
    struct player *p = z->p;
    p->note_points = true;
    z->no_memory |= !player_play(p, &nothing);
    p->note_points = false;
    uint32_t n = p->n_points;
    struct passed *points = malloc((n + 1) * sizeof *points);
    if (points == NULL || z->no_memory) {
        free(points);
        z->no_memory = true;
        return false;
    }
    memcpy(points, p->points, n * sizeof *points);
    bool reached = false;
    for (uint32_t i = 0; i < n && !reached && !z->no_memory; i++)
        for (uint32_t k = 0; k < z->sp->n_offers && !reached && !z->no_memory; k++) {
            struct schedule one = {.n = 0};
            if (!space_offers(z->sp, &points[i].p, k))
                continue;
            (void)schedule_add(&one, points[i].p.address, z->sp->own + k, 0);
            z->no_memory |= !player_play(p, &one);
            z->out->last.schedules++;
            reached = p->found;
            if (reached)
                z->out->last.schedule = one;
        }
    free(points);
    return reached;
}

/* A situation: the calm run, and every single fault. */
static void certify_reached(struct shrinker *z)
{
    static const struct schedule nothing = {.n = 0};
    struct shrunk *out = z->out;
    out->proved = 0;
    out->last.schedules = 1;
    z->no_memory |= !player_play(z->p, &nothing);
    ASSERT(z->no_memory || !z->p->found); /* else the passes had come to it */
    if (z->best.n > 1 && reached_by_one(z)) {
        (void)adopt(z, &out->last.schedule);
        pass_all(z);
    } else if (z->best.n > 1) {
        out->proved = 1;
    }
    out->certificate = z->best.n == out->proved + 1 ? CERTIFIED : UNCERTIFIED_JUDGED_LATE;
}

/* Whether the last search of the whole menu ended before it came to the bounds that are not smaller: then it would be
 * the same again. */
static bool says_all(const struct shrinker *z)
{
    const struct explored *x = &z->out->last;
    return (x->end == EXPLORE_STEPS || x->end == EXPLORE_MEMORY) && x->bound < z->best.n;
}

/* Exhausts every smaller bound; takes what it finds there. Three faults or more are cheaper to prove too many than
 * necessary: so they are looked around first, two only if they cannot be proved necessary. */
static void certify_explored(struct shrinker *z)
{
    struct shrunk *out = z->out;
    while (z->best.n > 2 && look_around(z))
        ;
    if (z->stopped || z->best.n == 0)
        return;
    if (!says_all(z))
        explore_smaller(z, NULL, &out->last);
    out->proved = out->last.proved;
    z->stopped = out->last.end == EXPLORE_STOPPED;
    if (z->best.n == 2 && !proved_minimal(z) && !z->stopped)
        (void)look_around(z);
    bool held_back = z->o->held && out->last.found && !same_culprit(out->last.culprit, out->culprit);
    if (z->best.n > 1 && !proved_minimal(z) && out->culprit.node != NONE16 && !z->o->held)
        blame_anybody(z);
    out->certificate = proved_minimal(z) ? CERTIFIED : held_back ? UNCERTIFIED_ANOTHER : why_not(out->last.end);
}

/* The passes go on where their budget had ended: they would, the next time. Returns whether they came any further. */
static bool go_on(struct shrinker *z)
{
    const struct schedule before = z->best;
    if (z->best.n < 3 || z->out->replays < z->until || z->o->replays == 0)
        return false;
    z->until = z->out->replays + z->o->replays;
    blame(z, z->out->culprit);
    pass_all(z);
    if (z->out->culprit.node != NONE16 && !z->o->held)
        blame_anybody(z);
    return !schedule_equal(&before, &z->best);
}

/* Until there is a certificate, or beginning again comes to no fewer. */
static void certify_or_begin_again(struct shrinker *z)
{
    bool fewer = true;
    while (fewer) {
        certify_explored(z);
        fewer = false;
        while (z->out->certificate != CERTIFIED && !z->stopped && (go_on(z) || begin_again(z)))
            fewer = true;
    }
    if (z->stopped && !proved_minimal(z))
        z->out->certificate = UNCERTIFIED_STOPPED;
}

static void certify(struct shrinker *z)
{
    struct shrunk *out = z->out;
    out->proved = NONE32;
    if (z->best.n > 0 && is_reached(out->culprit))
        certify_reached(z);
    else if (z->best.n > 0 && out->culprit.invariant == INV_LINEARIZABLE)
        out->certificate = UNCERTIFIED_JUDGED_LATE;
    else if (z->best.n > 0)
        certify_or_begin_again(z);
    if (z->best.n == 0)
        out->certificate = CERTIFIED_TRIVIALLY;
}

/* What no more could be done for may have other ways from it once it is round. */
static void certify_and_round(struct shrinker *z)
{
    do {
        certify(z);
        round_all(z);
    } while (z->settled.n > 0 && z->out->certificate > CERTIFIED_TRIVIALLY && !z->stopped && begin_again(z));
}

bool shrink(struct player *p, const struct schedule *schedule, struct culprit culprit, const struct shrink_options *o,
            struct shrunk *out)
{
    struct shrinker *z = calloc(1, sizeof *z);
    uint64_t wanted = p->wanted;
    struct situation_set reach = p->reach;
    bool states = p->note_states;
    memset(out, 0, sizeof *out);
    out->schedule = *schedule;
    out->culprit = culprit;
    if (z == NULL)
        return false;
    *z = (struct shrinker){.p = p, .sp = p->sp, .o = o, .out = out, .until = o->replays, .steps_until = UINT64_MAX};
    p->wanted = culprit.invariant < INVARIANTS ? UINT64_C(1) << culprit.invariant : ALWAYS_WANTED;
    if (is_reached(culprit)) {
        p->reach = (struct situation_set){{0}};
        situation_add(&p->reach, culprit.invariant - REACHED);
    }
    p->note_states = false;
    out->from = schedule->n;
    out->proved = NONE32;
    out->certificate = o->as_is || o->rough ? UNCERTIFIED_AS_IS : UNCERTIFIED_STOPPED;
    if (adopt(z, schedule) && !o->as_is) {
        z->start = z->best;
        pass_all(z);
        if (!o->rough)
            certify_and_round(z);
    }
    out->schedule = z->best;
    (void)adopt(z, &out->schedule);
    bool good = !z->no_memory;
    p->wanted = wanted;
    p->reach = reach;
    p->note_states = states;
    free(z);
    return good;
}
