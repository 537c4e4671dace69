/* SPDX-License-Identifier: MIT
 *
 * shrink.c - see shrink.h: the passes, and all of it.
 */
#include "fuzz/sample.h"
#include "fuzz/shrink_part.h"

#include <stdlib.h>
#include <string.h>

/* --- how small --------------------------------------------------------------------------------------- */

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

uint64_t shrink_cost(const struct space *sp, const struct schedule *s)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < s->n; i++)
        cost += cost_of_fault(sp, s->row[i].fault) >> 6;
    return cost;
}

/* --- trying --------------------------------------------------------------------------------------------- */

bool shrink_spent(const struct shrinker *z)
{
    return z->no_memory || z->out->replays >= z->until || z->p->steps_played >= z->steps_until;
}

bool shrink_same_break(const struct shrinker *z)
{
    const struct player *p = z->p;
    return p->found && p->culprit.invariant == z->out->culprit.invariant &&
           (z->out->culprit.node == NONE16 || p->culprit.node == z->out->culprit.node);
}

/* Takes what the player has just played, if it breaks the same and is smaller. */
static bool take(struct shrinker *z)
{
    struct player *p = z->p;
    if (!shrink_same_break(z) || p->made.n > z->best.n)
        return false;
    uint64_t cost = shrink_cost(z->sp, &p->made);
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
    if (shrink_spent(z) || *tried == hash)
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

bool shrink_adopt(struct shrinker *z, const struct schedule *s)
{
    if (!player_play(z->p, s)) {
        z->no_memory = true;
        return false;
    }
    if (!shrink_same_break(z))
        return false;
    z->best = z->p->made;
    z->best_cost = shrink_cost(z->sp, &z->best);
    z->passed = z->p->n_passed;
    z->out->at = z->p->found_at;
    return true;
}

void shrink_blame(struct shrinker *z, struct culprit culprit)
{
    z->out->culprit = culprit;
    memset(z->tried, 0, sizeof z->tried);
}

/* --- fewer ------------------------------------------------------------------------------------------------- */

struct schedule shrink_without(const struct schedule *s, uint32_t from, uint32_t n)
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
        return shrink_without(s, from, n);
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

bool shrink_pass_chunks(struct shrinker *z, uint64_t order)
{
    bool any = false;
    for (uint32_t size = z->best.n / 2; size > 0; size = size > 1 ? size / 2 : 0) {
        for (uint32_t from = 0; from < z->best.n && !shrink_spent(z);) {
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
            struct schedule s = shrink_without(&z->best, k, 1);
            s = shrink_without(&s, i, 1);
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
    if (shrink_spent(z) || step.fault < z->sp->own)
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
            struct schedule rest = shrink_without(&z->best, i > k ? i : k, 1);
            rest = shrink_without(&rest, i > k ? k : i, 1);
            if (try_moved(z, &rest, step, 0, &labels[i]))
                return true;
            for (uint32_t by = 1; by <= SHRINK_MOVE && !shrink_spent(z); by++)
                if (try_moved(z, &rest, step, step.at + by, NULL) ||
                    (step.at >= by && try_moved(z, &rest, step, step.at - by, NULL)))
                    return true;
        }
    return false;
}

#define ALONE_POINTS 64

/* One of the faults alone, early in the run: for what no exhaustive search gets through. */
bool shrink_pass_alone(struct shrinker *z)
{
    static const struct schedule nothing = {.n = 0};
    for (uint32_t i = 0; z->best.n > 1 && i < z->best.n; i++)
        for (uint32_t at = 0; at < ALONE_POINTS && !shrink_spent(z); at++)
            if (try_moved(z, &nothing, z->best.row[i], at, NULL))
                return true;
    return false;
}

/* --- milder ---------------------------------------------------------------------------------------------------- */

static bool try_instead(struct shrinker *z, uint32_t i, uint32_t fault)
{
    struct schedule s = shrink_without(&z->best, i, 1);
    struct step step = z->best.row[i];
    return schedule_add(&s, step.address, fault, step.at) && try_schedule(z, &s);
}

static bool struck_alike(const struct offer *a, const struct offer *b)
{
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
                if (c > below && c < least && struck_alike(offer_of(sp, fault), &sp->offers[k])) {
                    least = c;
                    next = sp->own + k;
                }
            }
            if (next == NONE32 || shrink_spent(z))
                break;
            below = least;
            if (try_instead(z, i, next))
                return true;
        }
    }
    return false;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

void shrink_pass_all(struct shrinker *z)
{
    bool any = true;
    (void)pass_later(z);
    while (any && !shrink_spent(z)) {
        any = shrink_pass_chunks(z, 0);
        any = any || pass_pairs(z) || pass_move(z);
        any = any || pass_milder(z);
    }
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
    if (shrink_adopt(z, schedule) && !o->as_is) {
        z->start = z->best;
        shrink_pass_all(z);
        if (!o->rough)
            shrink_prove(z);
    }
    out->schedule = z->best;
    (void)shrink_adopt(z, &out->schedule);
    bool good = !z->no_memory;
    p->wanted = wanted;
    p->reach = reach;
    p->note_states = states;
    free(z);
    return good;
}
