/* SPDX-License-Identifier: MIT
 *
 * net.h - what the kernel needs of net.c; models use sim_send() of sim.h.
 */
#ifndef FENCEPOST_SIM_NET_H
#define FENCEPOST_SIM_NET_H

#include "sim/event.h"

/* Fills the table of links. */
void net_prepare(struct sim *s);

/* A message is at the far end of its link. True: it is to be handled now; false: it was lost, held,
 * or sent back, and the event is no longer the caller's. */
bool net_arrives(struct sim *s, uint32_t slot, struct key key);

/* Most messages: nothing closes any link, the thread runs, the event bears no mark that net_arrives() must look at. */
static inline bool net_is_plain(const struct sim *s, const struct event *e)
{
    return !(e->marks & MARK_REORDERED) && s->world->closed == 0 && s->threads[e->target].runs;
}

/* A closure ended: what waits at links that are open now travels on. */
void net_opened(struct sim *s);

/* A message fault waits for its message. */
void net_arm(struct sim *s, uint32_t fault);

#endif
