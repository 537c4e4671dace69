/* SPDX-License-Identifier: MIT
 *
 * target.h - what a fuzz target defines, and what whoever runs it gives.
 *
 * The names are libFuzzer's, so that a target runs under it, and under every engine that knows them, as it is.
 * fuzz/NAME_fuzz.c defines the first four (driver.c has a quiet one in place of each of the latter three that is
 * not there); fuzz/NAME_fuzz_*.c, if there are any, belong to that target alone, and fuzz/NAME_seeds.c, if there
 * is one, is a program that writes its dictionary and its first inputs.
 */
#ifndef FENCEPOST_FUZZ_TARGET_H
#define FENCEPOST_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* One input. Returns 0, or -1 for one that is not worth keeping. A finding ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Once, before the first input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Another input made of one, in its place, or of two. Each is a function of what it is given, the seed included, and of
 * nothing else. Returns the new size, at most max_size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed);

/* Given to the target: changes some bytes, and knows nothing of what they mean. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif
