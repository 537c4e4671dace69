/* SPDX-License-Identifier: MIT
 *
 * explore.h - every schedule of a space with at most so many faults.
 *
 * Bound after bound, 0, 1, .. K, and never more than the space has at most: so what is found first has the fewest
 * faults. At each event of a run, every offer at each of its decision points is tried from a snapshot of the world
 * before it; what follows is gone into unless the world has been in the same state with at least as many faults, and
 * as much of the horizon, left. Left out besides are only faults after a second record of one event that would do what
 * they do after its first, for all of them strike when the event is over; and states that differ from one gone into in
 * nothing but which of several nodes is where that nothing tells apart (fuzz/alike.h).
 *
 * `plain` plays every schedule from its start to its end and leaves nothing out: what the rest is measured and tested
 * against. `linearizable`, which needs the whole trace, is not judged; the statement says so.
 */
#ifndef FENCEPOST_FUZZ_EXPLORE_H
#define FENCEPOST_FUZZ_EXPLORE_H

#include "fuzz/player.h"
#include "fuzz/visited.h"

#define EXPLORE_FAULTS_MAX 8
#define EXPLORE_TWINS_MAX 64

struct explore_options {
    uint32_t faults; /* K */
    uint64_t wanted; /* see player.h */
    uint64_t memory; /* bytes for the states */
    uint64_t steps;  /* events at most; 0: no limit */
    bool plain;      /* no states, nothing left out */
    bool no_twins;   /* every node is itself */
    bool go_on;      /* past what is found: every culprit at this bound is counted */
    /* Bits of OFFERS_MAX offers, the only ones that are tried, and every node is itself: a look around, which proves
     * nothing. NULL: all of the menu. */
    const uint64_t *offers;
    /* Called now and then, with how far the last bound is, in thousandths; false: stop. NULL: nobody. */
    bool (*tick)(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps);
    void *context;
};

enum explore_end {
    EXPLORE_COMPLETE,
    EXPLORE_FOUND,
    EXPLORE_STEPS,
    EXPLORE_MEMORY,
    EXPLORE_STOPPED,
    EXPLORE_NO_MEMORY,
    EXPLORE_LIMITS /* nothing was found, and some schedules ended at a capacity or with an error of the scenario */
};

struct explored {
    enum explore_end end;
    uint32_t bound;  /* the last one that was begun */
    uint32_t proved; /* no schedule with so many faults breaks it, for each was gone through to its end; NONE32: none */
    bool found;
    struct schedule schedule; /* with the fewest faults */
    struct culprit culprit;
    ns at;
    uint64_t schedules;  /* that were followed to an end or to a known state */
    uint64_t states;     /* distinct */
    uint64_t steps;      /* events */
    uint64_t whole;      /* events of the schedules, each from its start */
    uint64_t bytes;      /* of the states */
    uint64_t broken_off; /* schedules that ended at a capacity of the file, or with an error: they show nothing */
    uint64_t capped;     /* runs that were cut by the horizon or the event limit */
    uint64_t broke;      /* bits INV_x of all that broke, with go_on */
    uint64_t per_bound[EXPLORE_FAULTS_MAX + 1]; /* schedules of each bound alone */
    uint32_t n_twins;                           /* processes that are alike, group after group, with NONE16 between */
    uint16_t twins[EXPLORE_TWINS_MAX];
};

void explore(struct space *sp, const struct explore_options *o, struct explored *out);

#endif
