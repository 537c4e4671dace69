/* SPDX-License-Identifier: MIT
 *
 * input.h - a schedule as the bytes of a libFuzzer input.
 *
 * Records of eight bytes, one a deviation:
 *
 *     0  4  the low 32 bits of the point's address, little-endian
 *     4  2  the offer: its place on the space's menu, little-endian
 *     6  2  zero
 *
 * No header stands there, and no length: bytes that somebody changed or cut off are an input still. What has no meaning
 * is passed over: an offer that the menu does not have, a deviation that is there already, a record that is not whole.
 * No bytes at all are the calm run. The order of records means nothing.
 *
 * 32 bits name a point well enough: among the few hundred points of a run two are alike once in a hundred thousand
 * runs, and then the deviation strikes at both.
 */
#ifndef FENCEPOST_FUZZ_INPUT_H
#define FENCEPOST_FUZZ_INPUT_H

#include "fuzz/player.h"

#define INPUT_RECORD 8
#define INPUT_MAX (SCHEDULE_MAX * INPUT_RECORD)

/* What the bytes mean. The addresses in *out have their low half alone: for a player with low_addresses. False: there
 * are more than SCHEDULE_MAX records, and *out is empty. */
bool input_read(const struct space *sp, const uint8_t *data, size_t n, struct schedule *out);

/* The bytes of a schedule, whose addresses may be whole or half. The shrinker's own faults are none of the menu, and
 * are left out. Returns how many bytes were written: whole records, at most `size`. */
size_t input_write(const struct space *sp, const struct schedule *s, uint8_t *out, size_t size);

/* What is wrong with bytes that should be an input as input_write() writes them; NULL: nothing. For whoever reads a
 * file that a person named: the fuzz target passes over what this complains of. */
const char *input_problem(const struct space *sp, const uint8_t *data, size_t n);

#endif
