/* SPDX-License-Identifier: MIT
 *
 * bench_floor.h - the floor that every speed of `fencepost bench` is measured against: what an event
 * costs that does nothing. It never changes, or no two figures could be compared.
 */
#ifndef FENCEPOST_SIM_BENCH_FLOOR_H
#define FENCEPOST_SIM_BENCH_FLOOR_H

#include "sim/base.h"

struct floor_key {
    uint64_t at;
    uint64_t seq;
};
_Static_assert(sizeof(struct floor_key) == 16, "a key has no padding");

struct floor {
    struct floor_key *heap; /* room for `pending` keys; the caller's */
    uint64_t pending;
    uint64_t seq;
    uint64_t random;
};

/* One draw of splitmix64: also what the benches' models draw from. */
uint64_t floor_draw(uint64_t *random);

void floor_start(struct floor *f, struct floor_key *heap, uint64_t pending);

/* So many floor events: pop, two draws, push. Returns a checksum, so that nothing is left out. */
uint64_t floor_run(struct floor *f, uint64_t events);

#endif
