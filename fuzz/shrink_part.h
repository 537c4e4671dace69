/* SPDX-License-Identifier: MIT
 *
 * shrink_part.h - what the parts of the shrinker share: shrink.c has the passes, shrink_round.c rounds, shrink_again.c
 * begins again, and shrink_prove.c proves.
 */
#ifndef FENCEPOST_FUZZ_SHRINK_PART_H
#define FENCEPOST_FUZZ_SHRINK_PART_H

#include "fuzz/shrink.h"

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

/* Of schedules with as many deviations the one with milder and shorter faults is smaller. */
uint64_t shrink_cost(const struct space *sp, const struct schedule *s);
/* s without n of them, from so many on. */
struct schedule shrink_without(const struct schedule *s, uint32_t from, uint32_t n);

/* The budget is used up, or there is no memory. */
bool shrink_spent(const struct shrinker *z);
/* Whether what the player has just played breaks what is to be broken. */
bool shrink_same_break(const struct shrinker *z);
/* Stands on this schedule, if it breaks that. */
bool shrink_adopt(struct shrinker *z, const struct schedule *s);
/* Who breaks it is another now: what did not do may do. */
void shrink_blame(struct shrinker *z, struct culprit culprit);

/* Takes deviations away, halves of them first, in this order: 0 is that of the schedule. Returns whether any went. */
bool shrink_pass_chunks(struct shrinker *z, uint64_t order);
/* Whether one of them alone does, somewhere near. */
bool shrink_pass_alone(struct shrinker *z);
/* All passes, until none helps. */
void shrink_pass_all(struct shrinker *z);

/* Each fault that is made up has a place of its own, from z->place on. */
void shrink_round_all(struct shrinker *z);

/* Where nothing proves that so many are needed. It has a budget of its own, of events, and what comes of it depends
 * neither on what was tried before nor on where made-up faults stand: what was shrunk comes to no fewer the next time.
 * Returns whether it came to fewer. */
bool shrink_again(struct shrinker *z);

/* Proves what is left, and rounds it. */
void shrink_prove(struct shrinker *z);

#endif
