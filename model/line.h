/* SPDX-License-Identifier: MIT
 *
 * line.h - clients that stand in line at a service for a lock or a job, first come first served.
 *
 *     ask, nothing free -> stands in line (`queues`)   something is free -> the first is called (`calls`, a message)
 *     called -> asks anew, as a new request, and is served; who does not come within a request timeout loses its place
 *
 * Of n free things the first n in line are called: a lock is one, a queue has as many as it has claimable jobs. The
 * line is connections: a crash of the service loses it, and clients that send again stand at its end.
 *
 * Sources: Chubby (OSDI 2006, 2.4) for the call and the new asking; SKIP LOCKED for several at once.
 */
#ifndef FENCEPOST_MODEL_LINE_H
#define FENCEPOST_MODEL_LINE_H

#include "model/state.h"

struct line { /* of one service */
    struct m *m;
    struct place *row;
    uint16_t *n; /* rows used */
    name_id name;
    uint16_t service, thread, process;
};

struct line line_of_lock(struct m *m, uint16_t lock);
struct line line_of_queue(struct m *m, uint16_t queue);

/* Where the caller stands, from 0; *n if it has no place, or only one of its former self (fresh-identity). */
uint32_t line_index(const struct line *l, const struct call *k);
void line_join(struct line *l, const struct call *k);  /* at the end, and says so; whoever stands there stays */
void line_leave(struct line *l, const struct call *k); /* it is served; its old request is over */
void line_call(struct line *l, uint32_t n);            /* the first n that were not called yet */
void line_turn_over(struct line *l, uint16_t client);  /* T_TURN: it did not come */
bool line_call_again(struct line *l,
                     const struct call *k); /* a called client that asks the old way; false: it is not called */
void line_forget(struct line *l);           /* the service crashed: its timers are gone */

#endif
