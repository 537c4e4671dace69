/* SPDX-License-Identifier: MIT
 *
 * visited.h - the states that an exhaustive search has been in, by digest, and with how many faults left.
 *
 * Eight bytes a state: 60 bits of the digest and the most faults that were left there, in open addressing that is at
 * most seven eighths full, in huge pages where the system has them. n states of 60 bits collide with a probability of
 * at most n^2 / 2^61: a state that collides is taken for one that was seen.
 *
 * A digest does not know the time, but a horizon cuts what comes late. Of states behind which it cut something the time
 * is kept too, in sixteen bytes for each number of faults left: who comes there earlier has more to see.
 */
#ifndef FENCEPOST_FUZZ_VISITED_H
#define FENCEPOST_FUZZ_VISITED_H

#include "sim/base.h"

#define VISITED_LEFT_MAX 14 /* faults */

struct visited {
    uint64_t *row; /* digest << 4 | 1 + left; 0: free */
    uint64_t size; /* rows: a power of two */
    uint64_t n;    /* in use */
    uint64_t most; /* bytes that all of it may take */
    size_t mapped;
    struct cut {
        uint64_t key; /* of a digest and a number of faults left; 0: free */
        ns at;        /* the earliest time there */
    } * cuts;         /* NULL: none yet */
    uint64_t cuts_size, cuts_n;
    size_t cuts_mapped;
};

enum seen {
    SEEN_NEW,
    SEEN_BEFORE,
    SEEN_BEFORE_CUT, /* and the horizon cut something that follows */
    SEEN_NO_ROOM
};

/* False: no memory. */
bool visited_begin(struct visited *v, uint64_t most_bytes);
void visited_end(struct visited *v);
/* SEEN_BEFORE: it was there with at least so many left, and no later. Else it is there now. */
enum seen visited_add(struct visited *v, uint64_t digest, uint32_t left, ns at);
/* The horizon cut something that follows this. False: no room. */
bool visited_cut(struct visited *v, uint64_t digest, uint32_t left, ns at);
/* Bytes that it takes. */
uint64_t visited_bytes(const struct visited *v);

#endif
