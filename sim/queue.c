/* SPDX-License-Identifier: MIT
 *
 * queue.c - a 4-ary heap of 16-byte keys.
 *
 * Children of position i stand at 4i + 1 .. 4i + 4.
 *
 *  1. No key is less than its parent.
 *  2. The order (time, class, sequence) is total, because a sequence number is used once among
 *     the keys of one class: so what is popped next does not depend on how the heap came about,
 *     and queue_order() after a change of many keys is as good as any other way.
 *  3. Behind the last key stand keys greater than all, up to the end of its group of four siblings:
 *     so each position that has a child has four, and sinking asks for no bounds. A push into a
 *     new group and a pop keep it so; whoever writes keys at will calls queue_end().
 *
 * A calendar queue or a wheel would win above a thousand pending events, and spoil snapshots.
 */
#include "sim/queue.h"

static void sift_up(struct key *keys, uint32_t i, struct key k)
{
    while (i > 0) {
        uint32_t parent = (i - 1) / 4;
        if (!key_less(k, keys[parent]))
            break;
        keys[i] = keys[parent];
        i = parent;
    }
    keys[i] = k;
}

static const struct key end = {NS_NEVER, UINT64_MAX}; /* greater than every key */

void queue_end(struct key *keys, uint32_t n)
{
    for (uint32_t i = 0; i < QUEUE_ROOM; i++)
        keys[n + i] = end;
}

/* One of two keys, by a mask, and never looked up again: a branch here is mispredicted half of the time, and each
 * comparison waits for the choice before it. */
static inline struct key choose(struct key a, struct key b, uint64_t mask)
{
    return (struct key){a.at ^ ((a.at ^ b.at) & (ns)mask), a.order ^ ((a.order ^ b.order) & mask)};
}

static inline uint64_t mask_less(struct key a, struct key b) { return 0 - (uint64_t)key_less(a, b); }

static void sift_down(struct key *keys, uint32_t n, uint32_t i, struct key k)
{
    for (uint32_t first = 4 * i + 1; first < n; first = 4 * i + 1) {
        const struct key *child = &keys[first];
        uint64_t left = mask_less(child[1], child[0]), right = mask_less(child[3], child[2]);
        struct key a = choose(child[0], child[1], left), b = choose(child[2], child[3], right);
        uint64_t second = mask_less(b, a);
        struct key least = choose(a, b, second);
        if (!key_less(least, k))
            break;
        keys[i] = least;
        i = first + (uint32_t)((left & ~second & 1) | (second & (2 + (right & 1))));
    }
    keys[i] = k;
}

void queue_push(struct key *keys, uint32_t *n, struct key k)
{
    uint32_t i = *n;
    *n = i + 1;
    if (i % 4 == 1) /* the first of its group */
        queue_end(keys, i + 1);
    sift_up(keys, i, k);
}

struct key queue_pop(struct key *keys, uint32_t *n)
{
    ASSERT(*n > 0);
    struct key top = keys[0];
    uint32_t left = *n - 1;
    struct key last = keys[left];
    *n = left;
    keys[left] = end;
    if (left > 0)
        sift_down(keys, left, 0, last);
    return top;
}

void queue_replace(struct key *keys, uint32_t n, struct key k)
{
    ASSERT(n > 0);
    sift_down(keys, n, 0, k);
}

uint32_t queue_find(const struct key *keys, uint32_t n, uint32_t slot)
{
    for (uint32_t i = 0; i < n; i++)
        if (key_slot(keys[i]) == slot)
            return i;
    return NONE32;
}

void queue_remove(struct key *keys, uint32_t *n, uint32_t position)
{
    ASSERT(position < *n);
    uint32_t left = *n - 1;
    struct key k = keys[left];
    *n = left;
    keys[left] = end;
    if (position == left)
        return;
    if (position > 0 && key_less(k, keys[(position - 1) / 4]))
        sift_up(keys, position, k);
    else
        sift_down(keys, left, position, k);
}

void queue_order(struct key *keys, uint32_t n)
{
    queue_end(keys, n);
    if (n < 2)
        return;
    for (uint32_t i = (n - 2) / 4 + 1; i > 0; i--)
        sift_down(keys, n, i - 1, keys[i - 1]);
}
