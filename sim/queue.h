/* SPDX-License-Identifier: MIT
 *
 * queue.h - the event queue: a 4-ary heap of 16-byte keys.
 *
 * A key holds when, and in one word the class, the sequence number and the slot of the event in
 * its arena, so that comparing two keys never leaves the heap. See queue.c.
 */
#ifndef FENCEPOST_SIM_QUEUE_H
#define FENCEPOST_SIM_QUEUE_H

#include "sim/base.h"

enum event_class { CLASS_FAULT, CLASS_BACKLOG, CLASS_MESSAGE, CLASS_TIMER };

struct key {
    ns at;
    uint64_t order; /* class : 2 | sequence : 42 | slot : 20 */
};
_Static_assert(sizeof(struct key) == 16, "struct key has no padding");

#define SLOT_BITS 20
#define SLOT_MAX ((UINT32_C(1) << SLOT_BITS) - 1)
#define SEQUENCE_MAX ((UINT64_C(1) << 42) - 1)

static inline uint64_t key_order(enum event_class class, uint64_t sequence, uint32_t slot)
{
    return (uint64_t) class << 62 | sequence << SLOT_BITS | slot;
}

static inline uint32_t key_slot(struct key k) { return (uint32_t)(k.order & SLOT_MAX); }

static inline enum event_class key_class(struct key k) { return (enum event_class)(k.order >> 62); }

/* 1 if a comes before b, else 0, without a branch to mispredict: one long subtraction, whose borrow goes from the
 * orders into the times. Times are not negative. */
static inline uint32_t key_less(struct key a, struct key b)
{
    return (uint32_t)(((uint64_t)a.at - (uint64_t)b.at - (a.order < b.order)) >> 63);
}

#define QUEUE_ROOM 3 /* keys behind the last that the queue writes over */

/* The queue is keys[0 .. *n - 1], keys[0] the next. The caller sees to the capacity and QUEUE_ROOM more. */
void queue_push(struct key *keys, uint32_t *n, struct key k);
struct key queue_pop(struct key *keys, uint32_t *n); /* *n > 0 */

/* Takes the next out and puts k in, which costs half as much. *n > 0 */
void queue_replace(struct key *keys, uint32_t n, struct key k);

/* Where this slot's key is, or NONE32. Linear: cancels are rare and queues are short. */
uint32_t queue_find(const struct key *keys, uint32_t n, uint32_t slot);
void queue_remove(struct key *keys, uint32_t *n, uint32_t position);

/* To be called after the keys were written at will, in the order of a heap: what must stand behind the last. */
void queue_end(struct key *keys, uint32_t n);

/* Makes a heap of any n keys: after many were changed or taken out at once. */
void queue_order(struct key *keys, uint32_t n);

#endif
