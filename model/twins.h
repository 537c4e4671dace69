/* SPDX-License-Identifier: MIT
 *
 * twins.h - nodes that are alike, as far as the model's plan goes.
 *
 * Twins are nodes whose programs, clocks and links are the same, and which nothing else in the plan tells apart.
 * To swap two of them in a state, with all that travels and all that is remembered of them, gives a state from which
 * the same follows, with their names swapped. So a search that has been in one need not go into the other: see
 * fuzz/alike.h.
 *
 * No twins are
 *
 *   - voters: whoever canvasses asks them one after another, so the first is not the second;
 *   - candidates of a quorum that ask again: each waits a little longer than the one declared before it;
 *   - nodes that host a service, that an expression or another node's `ping` names, or whose identities differ.
 */
#ifndef FENCEPOST_MODEL_TWINS_H
#define FENCEPOST_MODEL_TWINS_H

#include "model/plan.h"

/* Whether two processes are. What strikes them, or waits for them, is for whoever knows it to say. */
bool twins_alike(const struct model_plan *p, uint16_t a, uint16_t b);

/* Whether an expression of the plan (its first op, or NONE32) names one of two processes. */
bool twins_named(const struct model_plan *p, uint32_t expr, uint16_t a, uint16_t b);

/* The client that is the thread-th of a process of clients, from 0. */
static inline uint16_t twins_client(const struct model_plan *p, uint16_t process, uint16_t thread)
{
    return p->actor_of[p->sim->processes[process].first_thread + thread].client;
}

/* A digest of what each of n processes has of its own in this state, and of nothing else: its programs, what they hold
 * and ask for. Written to own[process]. as: a renaming under which twins count as one, so that of whom they speak makes
 * no difference. */
void twins_own(struct sim *s, const struct renaming *as, const uint16_t *process, uint32_t n, uint64_t *own);

#endif
