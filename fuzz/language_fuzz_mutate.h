/* SPDX-License-Identifier: MIT
 *
 * language_fuzz_mutate.h - another scenario out of one, or out of two.
 *
 * Each is a function of its arguments alone. The result need not be a scenario: some changes break it on purpose, and
 * most are what somebody who edits a file would do.
 */
#ifndef FENCEPOST_LANGUAGE_FUZZ_MUTATE_H
#define FENCEPOST_LANGUAGE_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes the n bytes at text in their place; they may become as many as max. Returns how many they are. */
size_t language_mutate(uint8_t *text, size_t n, size_t max, uint64_t seed);

/* Takes out, a few times over, the lines that do not read, and puts in what each file has: mostly a scenario again. */
size_t language_repair(uint8_t *text, size_t n, size_t max);

/* Lines of b among those of a, written to out. Returns how many bytes they are, at most max. */
size_t language_cross(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t max,
                      uint64_t seed);

#endif
