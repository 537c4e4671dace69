/* SPDX-License-Identifier: MIT
 *
 * small.h - for tests: small random scenarios, so small that every schedule of them can be played.
 */
#ifndef FENCEPOST_FUZZ_SMALL_H
#define FENCEPOST_FUZZ_SMALL_H

#include "fuzz/player.h"

#define SMALL_TEXT_MAX 4096

/* One to three nodes with short programs over a lock, a store, a queue; gates taken away, a few `may` lines, now and
 * then a fault of its own, an `always` line, an `until`. One in three has nodes that are all alike. The same seed is
 * the same text, and each reads. */
void small_text(uint64_t seed, char out[SMALL_TEXT_MAX]);

/* What a search of it looks for besides: bits INV_x of signs. */
uint32_t small_signs(uint64_t seed);

/* Plays one sample of the independent arm: whether it found what the player looks for. points: of the calm run. */
bool small_finds(struct player *p, uint64_t seed, uint32_t points);

#endif
