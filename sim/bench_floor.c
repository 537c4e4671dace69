/* SPDX-License-Identifier: MIT
 *
 * bench_floor.c - the floor event: push and pop of a 16-byte key on a 4-ary heap, and two draws.
 *
 * In a file of its own, so that no compiler sees more of it than of the kernel's queue, and not changed:
 * its cost is printed beside every ratio, so that a slow floor shows.
 */
#include "sim/bench_floor.h"

uint64_t floor_draw(uint64_t *random)
{
    uint64_t z = (*random += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline bool key_before(const struct floor_key *a, const struct floor_key *b)
{
    return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void heap_push(struct floor_key *heap, uint64_t *n, struct floor_key key)
{
    uint64_t i = (*n)++;
    while (i > 0) {
        uint64_t parent = (i - 1) / 4;
        if (!key_before(&key, &heap[parent]))
            break;
        heap[i] = heap[parent];
        i = parent;
    }
    heap[i] = key;
}

static struct floor_key heap_pop(struct floor_key *heap, uint64_t *n)
{
    struct floor_key top = heap[0];
    struct floor_key last = heap[--*n];
    uint64_t i = 0;
    for (;;) {
        uint64_t first = 4 * i + 1;
        uint64_t end = first + 4 < *n ? first + 4 : *n;
        uint64_t best = first;
        if (first >= *n)
            break;
        for (uint64_t child = first + 1; child < end; child++)
            if (key_before(&heap[child], &heap[best]))
                best = child;
        if (!key_before(&heap[best], &last))
            break;
        heap[i] = heap[best];
        i = best;
    }
    heap[i] = last;
    return top;
}

void floor_start(struct floor *f, struct floor_key *heap, uint64_t pending)
{
    f->heap = heap;
    f->pending = 0;
    f->seq = 0;
    f->random = 1;
    while (f->pending < pending) {
        struct floor_key key = {floor_draw(&f->random) % 1000000, f->seq++};
        heap_push(heap, &f->pending, key);
    }
}

uint64_t floor_run(struct floor *f, uint64_t events)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < events; i++) {
        struct floor_key key = heap_pop(f->heap, &f->pending);
        uint64_t delay = ((floor_draw(&f->random) >> 32) * 1000000) >> 32;
        uint64_t peer = floor_draw(&f->random) >> 48;
        sum += key.at ^ peer;
        key.at += 1 + delay;
        key.seq = f->seq++;
        heap_push(f->heap, &f->pending, key);
    }
    return sum;
}
