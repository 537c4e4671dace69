/* SPDX-License-Identifier: MIT
 *
 * feed.h - what the libFuzzer target of schedules does with inputs: plays, mutates and crosses them.
 *
 * A mutation is worked out by playing it (mutate.h), so whoever made an input has played it. What came of the last one
 * is kept, and if the very same bytes come next they are not played again. A parent's run is kept for as long as its
 * place is not needed. Both are memory of pure functions, and no answer depends on what is remembered: feed_test.c.
 */
#ifndef FENCEPOST_FUZZ_FEED_H
#define FENCEPOST_FUZZ_FEED_H

#include "fuzz/input.h"

struct feed;

/* NULL: no memory. The space outlives it. remember false: everything is played whenever it is asked for. */
struct feed *feed_new(struct space *sp, bool remember);
void feed_free(struct feed *f);

enum fed {
    FED_RUN,   /* feed_player() says what came of it */
    FED_IDLE,  /* it does nothing, or too much: not worth keeping */
    FED_BROKEN /* no memory */
};
enum fed feed_input(struct feed *f, const uint8_t *data, size_t n);
/* The player of the last FED_RUN: found, culprit, made, and slots. Valid until the next call. */
struct player *feed_player(struct feed *f);

/* Makes another input out of one, in its place, or out of two. Functions of the bytes and the seed. Return its size, at
 * most max; 0: nothing came of it, try another. */
size_t feed_mutate(struct feed *f, uint8_t *data, size_t n, size_t max, uint32_t seed);
size_t feed_cross(struct feed *f, const uint8_t *a, size_t a_n, const uint8_t *b, size_t b_n, uint8_t *out, size_t max,
                  uint32_t seed);

/* How many runs were played, and how many inputs needed none. */
uint64_t feed_played(const struct feed *f);
uint64_t feed_spared(const struct feed *f);

#endif
