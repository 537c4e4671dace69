/* SPDX-License-Identifier: MIT
 *
 * growth.h - how many abstract states a search has passed after so many schedules, and what that says of the next one.
 *
 * The curve flattens where a strategy has seen what it can: its last new state tells when. What is still to come is
 * estimated as Good and Turing did: of N schedules, f1 states were passed by one alone; the next schedule is expected
 * to pass f1/N that none did before (of independent samples; of the others it is a hint).
 *
 * Strategies are compared by what they pass, whatever breaks on the way: nothing is looked for.
 */
#ifndef FENCEPOST_FUZZ_GROWTH_H
#define FENCEPOST_FUZZ_GROWTH_H

#include "fuzz/search.h"

#define GROWTH_POINTS 64

struct growth {
    uint64_t schedules; /* that were played: N */
    uint64_t last_new;  /* the schedule that passed the last new state, from 1; 0: none did */
    uint32_t states;    /* distinct, of ABSTRACT_SLOTS */
    uint32_t once;      /* of these, that one schedule alone has passed: f1 */
    uint32_t n, spare;
    struct growth_point {
        uint64_t schedules;
        uint32_t states;
        uint32_t once;
    } point[GROWTH_POINTS]; /* after 1, 2, 5, 10, 20 .. schedules, and at the end */
};

/* Plays that many schedules of these arms together, or as many as they have. tick: now and then; false: stop. NULL:
 * nobody. False: no memory. */
bool growth_measure(struct space *sp, unsigned arms, uint64_t seed, uint64_t schedules,
                    bool (*tick)(void *context, uint64_t played), void *context, struct growth *out);

/* f1/N in parts of a million, rounded up. */
uint64_t growth_unseen(const struct growth *g);

#endif
