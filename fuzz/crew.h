/* SPDX-License-Identifier: MIT
 *
 * crew.h - the schedules of one round, played by several processes.
 *
 * Process w of n plays the tasks whose number is w modulo n and tells through a pipe what is news. A crew lives for a
 * round: its processes are forked from the one that has the search, so they begin with all that it knows, and end with
 * the round. What is taken in, and in which order, does not depend on how many there are.
 */
#ifndef FENCEPOST_FUZZ_CREW_H
#define FENCEPOST_FUZZ_CREW_H

#include "fuzz/search.h"

/* What one schedule of a round is to be. */
struct task {
    uint32_t arm;
    uint32_t slot, other; /* guided, branch: the abstract states it starts from */
    uint64_t number;      /* of its arm */
    uint64_t seed;
};

/* What is news of one. Owned by the crew, while it is taken in. */
struct outcome {
    uint32_t task;
    bool whole; /* it came to its own end */
    bool found;
    struct culprit culprit;
    ns at;
    const struct schedule *schedule;
    uint32_t n_passed;
    uint32_t n_slots;
    const uint16_t *slots;
    const uint32_t *events;
};

enum crew_end { CREW_GOOD, CREW_NO_MEMORY, CREW_BROKEN };

/* Plays all, and then calls take() for each outcome in the order of tasks, until it says false. Adds to s->steps. */
enum crew_end crew_play(struct search *s, const struct task *tasks, uint32_t n,
                        bool (*take)(void *context, const struct outcome *o), void *context);

/* search.c */
bool search_play_task(struct search *s, const struct task *t); /* false: no memory */
bool search_is_news(const struct search *s);                   /* of what was played last */

#endif
