/* SPDX-License-Identifier: MIT
 *
 * standing.c - see standing.h.
 */
#include "fuzz/standing.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/explore.h"
#include "fuzz/search.h"

static uint32_t place_of(struct culprit c) { return c.invariant < INVARIANTS ? c.invariant : INVARIANTS; }

static uint64_t bit_of(uint32_t fallen) { return fallen < INVARIANTS ? UINT64_C(1) << fallen : ALWAYS_WANTED; }

const char *standing_name(uint32_t fallen) { return fallen < INVARIANTS ? invariant_table[fallen].name : "always"; }

static void fall(struct standing *st, uint32_t what)
{
    ASSERT(!(st->gone & bit_of(what)));
    st->gone |= bit_of(what);
    st->fallen[st->n++] = what;
}

/* --- looking ------------------------------------------------------------------------------------------------ */

/* One search to its end: past what is found, for the rest. */
static bool sample_all(struct standing *st, const struct standing_options *o)
{
    const struct search_options so = {.seed = o->seed,
                                      .schedules = o->schedules,
                                      .arms = PORTFOLIO,
                                      .workers = o->workers,
                                      .wanted = standing_wanted(st, st->sp)};
    struct search *s = search_new(st->sp, &so);
    enum round_end end = s == NULL ? ROUND_NO_MEMORY : ROUND_MORE;
    struct culprit c;
    while (s != NULL && search_calm_breaks(s, &c)) {
        fall(st, place_of(c));
        search_want(s, standing_wanted(st, st->sp));
    }
    while (end == ROUND_MORE || end == ROUND_FOUND) {
        end = search_round(s);
        if (end != ROUND_FOUND)
            continue;
        fall(st, place_of(s->finding.culprit));
        search_want(s, standing_wanted(st, st->sp));
    }
    search_free(s);
    return end != ROUND_NO_MEMORY && end != ROUND_BROKEN;
}

/* Again and again: what comes after the first that breaks is seen only when that one is not looked for. */
static bool exhaust_all(struct standing *st, const struct standing_options *o)
{
    struct explored *x = malloc(sizeof *x);
    bool again = true;
    while (x != NULL && again) {
        const struct explore_options eo = {.faults = o->faults,
                                           .wanted = standing_wanted(st, st->sp),
                                           .memory = o->memory,
                                           .steps = o->steps,
                                           .go_on = true};
        explore(st->sp, &eo, x);
        again = x->found;
        st->complete = x->end == EXPLORE_COMPLETE;
        for (uint32_t i = 0; i <= INVARIANTS; i++)
            if (x->broke & bit_of(i))
                fall(st, i);
        if (x->end == EXPLORE_NO_MEMORY) {
            free(x);
            return false;
        }
    }
    bool good = x != NULL;
    free(x);
    return good;
}

bool standing_look(struct space *sp, const struct standing_options *o, struct standing *out)
{
    *out = (struct standing){.sp = sp};
    out->player = player_new(sp, 0);
    return out->player != NULL && sample_all(out, o) && exhaust_all(out, o);
}

void standing_free(struct standing *st)
{
    player_free(st->player);
    *st = (struct standing){0};
}

/* --- once more, with the gate ----------------------------------------------------------------------------------- */

static bool same_ids(const struct space *a, struct ids x, const struct space *b, struct ids y)
{
    return x.n == y.n && memcmp(&a->ids[x.first], &b->ids[y.first], x.n * sizeof *a->ids) == 0;
}

/* Processes and threads have their places by the scenario, whatever the gates. */
static bool same_fault(const struct space *a, const struct fault_plan *x, const struct space *b,
                       const struct fault_plan *y)
{
    return x->kind == y->kind && x->losing == y->losing && x->holding == y->holding && x->both_ways == y->both_ways &&
           x->order == y->order && x->thread == y->thread && x->duration == y->duration && x->amount == y->amount &&
           x->ppb == y->ppb && same_ids(a, x->a, b, y->a) && same_ids(a, x->b, b, y->b);
}

/* The fault of the menu that is the same; NONE32: there is none. A menu's magnitudes depend on how long the calm run
 * is, and that on the gates. */
static uint32_t fault_here(const struct space *here, const struct space *there, uint32_t fault)
{
    if (fault < here->room && same_fault(here, &here->faults[fault], there, &there->faults[fault]))
        return fault;
    for (uint32_t i = here->own; i < here->room; i++)
        if (same_fault(here, &here->faults[i], there, &there->faults[fault]))
            return i;
    return NONE32;
}

bool standing_falls(struct standing *st, const struct space *found_in, const struct schedule *s, struct culprit c)
{
    struct schedule here = {.n = 0};
    for (uint32_t i = 0; i < s->n && st->sp != NULL; i++) {
        uint32_t fault = fault_here(st->sp, found_in, s->row[i].fault);
        if (fault == NONE32)
            return false;
        (void)schedule_add(&here, s->row[i].address, fault, 0);
    }
    if (st->sp == NULL)
        return false;
    st->player->wanted = bit_of(place_of(c));
    if (!player_play(st->player, &here) || !st->player->found)
        return false;
    fall(st, place_of(c));
    return true;
}
