/* SPDX-License-Identifier: MIT
 *
 * shrink_round.c - durations that a person would say.
 */
#include "fuzz/shrink_part.h"

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
    struct schedule s = shrink_without(&z->best, i, 1);
    if (!schedule_add(&s, step.address, made_up, step.at) || shrink_spent(z))
        return false;
    sim_refault(z->p->run->sim, made_up);
    z->out->replays++;
    if (!player_play(z->p, &s)) {
        z->no_memory = true;
        return false;
    }
    if (shrink_same_break(z) && z->p->made.n == z->best.n) {
        z->best = z->p->made;
        z->best_cost = shrink_cost(z->sp, &z->best);
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

/* One that is rounded stands behind others at its point: the list is gone through anew. */
void shrink_round_all(struct shrinker *z)
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
