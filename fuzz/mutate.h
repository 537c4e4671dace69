/* SPDX-License-Identifier: MIT
 *
 * mutate.h - a schedule changed a little: what the guided arm and the libFuzzer mutator share.
 *
 * A mutation is a pure function of (space, parent, other, seed). Some of it is known before it is played (what is taken
 * away, changed, spliced in), and some at a point of the run: a deviation added or moved goes to where the run then is.
 * So it is played by a player whose schedule is `base` and whose draw is mutate_draw; the player's `made` is the child.
 */
#ifndef FENCEPOST_FUZZ_MUTATE_H
#define FENCEPOST_FUZZ_MUTATE_H

#include "fuzz/sample.h"

/* So many changes make a child. A run with many faults tries each pair of them, and what it breaks is shrunk anyway:
 * one to six changes, two at the mean, took the guided arm twice as many schedules. */
#define MUTATE_LEAST 5
#define MUTATE_MOST 10
#define MUTATE_ADDS MUTATE_MOST
#define MUTATE_MOVE 12 /* points that a deviation moves by at most */
#define MUTATE_NEAR 6  /* points between a deviation and its twin, less than */

struct mutation {
    const struct space *sp;
    uint64_t seed;
    uint32_t kinds; /* bits: of faults that are added */
    struct schedule base;
    uint32_t next; /* before this point none of the adds is due */
    uint32_t n;    /* adds */
    struct mutate_add {
        uint32_t at;    /* at this point of the run, or the next where it may be, */
        ns from;        /* and if not 0 from this time on, not upon a message */
        uint32_t fault; /* NONE32: any that may strike there, */
        uint32_t like;  /* as long as this one, where its family has such; NONE32: however long */
        bool meets;     /* one that is over about when another fault is, or when a message arrives */
        bool done;
    } add[MUTATE_ADDS];
};

/* passed: points of the parent's run. other: the schedule of some other entry, to splice from; may be NULL. */
void mutate(const struct space *sp, const struct schedule *parent, uint32_t passed, const struct schedule *other,
            uint64_t seed, struct mutation *out);
/* The same with so many changes, at most MUTATE_MOST. */
void mutate_times(const struct space *sp, const struct schedule *parent, uint32_t passed, const struct schedule *other,
                  uint64_t seed, uint32_t changes, struct mutation *out);
uint32_t mutate_draw(void *context, const struct sim *s, const struct choice_point *p, uint32_t at);

#endif
