/* SPDX-License-Identifier: MIT
 *
 * standing.h - what nothing breaks in a case while every gate is in place.
 *
 * Only for that can a gate be blamed when it is gone. A case that holds may stand for the faults of its own file alone:
 * on a menu of everything, a voter that loses its memory or a mail that is sent twice breaks it whatever gates there
 * are. So what falls with every gate in place is found out first, and named, and not looked for in that case; the rest
 * of the verdict is. A schedule that is found later, without a gate, is played once more with every gate in place: if
 * that breaks the same invariant, it falls as well.
 */
#ifndef FENCEPOST_FUZZ_STANDING_H
#define FENCEPOST_FUZZ_STANDING_H

#include "fuzz/player.h"

#define STANDING_FAULTS 1 /* of the exhaustive search, unless told otherwise */

struct standing_options {
    uint64_t seed;
    uint64_t schedules; /* of a portfolio, all together */
    uint32_t faults;    /* and every schedule with at most so many, */
    uint64_t steps;     /* within so many events, */
    uint64_t memory;    /* and bytes for the states */
    uint32_t workers;
};

struct standing {
    struct space *sp;      /* every gate in place; the caller's. NULL: nothing was looked for, nothing falls */
    struct player *player; /* of it */
    uint64_t gone;         /* what fell: bits, see player.h */
    uint32_t n;            /* the same, in the order in which it was found: enum invariant; */
    uint32_t fallen[INVARIANTS + 1]; /* INVARIANTS: what `always` says */
    bool complete;                   /* the exhaustive search was */
};

/* What is looked for in a space of that case. */
static inline uint64_t standing_wanted(const struct standing *st, const struct space *sp)
{
    return player_verdict(sp) & ~st->gone;
}

/* False: no memory. standing_free() in any case. */
bool standing_look(struct space *sp, const struct standing_options *o, struct standing *out);
/* Whether a schedule that was found in another space of the case, with a gate away, breaks the same invariant with
 * every gate in place: then it falls. One that this menu does not have breaks nothing. */
bool standing_falls(struct standing *st, const struct space *found_in, const struct schedule *s, struct culprit c);
void standing_free(struct standing *st);

const char *standing_name(uint32_t fallen);

#endif
