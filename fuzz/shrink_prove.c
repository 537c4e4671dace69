/* SPDX-License-Identifier: MIT
 *
 * shrink_prove.c - the certificate: every smaller bound is exhausted, and what is found there is taken.
 */
#include "fuzz/shrink_part.h"

#include <stdlib.h>
#include <string.h>

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

static void take_smaller(struct shrinker *z, const struct explored *found)
{
    struct culprit before = z->out->culprit;
    shrink_blame(z, found->culprit);
    if (shrink_adopt(z, &found->schedule))
        shrink_pass_all(z);
    else
        shrink_blame(z, before);
}

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
    shrink_blame(z, (struct culprit){culprit.invariant, NONE16});
    (void)shrink_pass_alone(z);
    shrink_pass_all(z);
    z->out->culprit = shrink_adopt(z, &z->best) ? z->p->culprit : culprit;
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
        (void)shrink_adopt(z, &out->last.schedule);
        shrink_pass_all(z);
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
    shrink_blame(z, z->out->culprit);
    shrink_pass_all(z);
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
        while (z->out->certificate != CERTIFIED && !z->stopped && (go_on(z) || shrink_again(z)))
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
void shrink_prove(struct shrinker *z)
{
    do {
        certify(z);
        shrink_round_all(z);
    } while (z->settled.n > 0 && z->out->certificate > CERTIFIED_TRIVIALLY && !z->stopped && shrink_again(z));
}
