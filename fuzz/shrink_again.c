/* SPDX-License-Identifier: MIT
 *
 * shrink_again.c - another way down, where nothing proves that the first came to the bottom.
 */
#include "fuzz/mutate.h"
#include "fuzz/shrink_part.h"

#define AGAIN_ORDERS 32
#define AGAIN_WALK 2000
#define AGAIN_CHANGES 8 /* of a mutant at most */
#define AGAIN_TICK 16

static void stand_on(struct shrinker *z, const struct schedule *s)
{
    z->best = *s;
    z->best_cost = shrink_cost(z->sp, s);
}

/* A finding has more faults than it needs, and breaks it in more than one way: which of them is left depends on what
 * goes first. */
static void try_orders(struct shrinker *z, struct schedule *least)
{
    for (uint64_t order = 1; order <= AGAIN_ORDERS && !shrink_spent(z); order++) {
        stand_on(z, &z->start);
        (void)shrink_pass_chunks(z, order);
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
    return played && shrink_same_break(z);
}

/* A mutant has more faults and other ones; what it shrinks to may have others than before, and its mutants fewer. */
static void walk(struct shrinker *z, struct schedule *least)
{
    struct schedule at = *least;
    uint32_t passed = z->passed;
    for (uint64_t i = 1; i <= AGAIN_WALK && at.n >= least->n && !shrink_spent(z) && !z->stopped; i++) {
        if (z->o->tick != NULL && i % AGAIN_TICK == 0)
            z->stopped = !z->o->tick(z->o->context, at.n - 1, (uint32_t)(1000 * i / AGAIN_WALK), z->p->steps_played);
        if (!play_mutant(z, &at, passed, i))
            continue;
        stand_on(z, &z->p->made);
        z->passed = z->p->n_passed;
        (void)shrink_pass_chunks(z, i);
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

bool shrink_again(struct shrinker *z)
{
    const struct schedule before = z->best;
    const struct culprit culprit = z->out->culprit;
    struct schedule least = before;
    if (z->best.n < 3 || z->o->replays == 0 || schedule_equal(&z->best, &z->settled) || !shrink_adopt(z, &before))
        return false;
    z->until = UINT64_MAX;
    limit_steps(z);
    shrink_blame(z, (struct culprit){culprit.invariant, z->o->held ? culprit.node : NONE16});
    if (!z->begun_again && !schedule_equal(&z->start, &before))
        try_orders(z, &least);
    z->begun_again = true;
    limit_steps(z);
    if (least.n == before.n && shrink_adopt(z, &before))
        walk(z, &least);
    z->steps_until = UINT64_MAX;
    z->until = z->out->replays + z->o->replays;
    if (least.n < before.n && shrink_adopt(z, &least)) {
        shrink_blame(z, z->p->culprit);
        shrink_pass_all(z);
        return true;
    }
    stand_on(z, &before);
    shrink_blame(z, culprit);
    z->settled = before;
    return false;
}
