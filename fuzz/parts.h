/* SPDX-License-Identifier: MIT
 *
 * parts.h - a scenario file that breaks, without the programs and jobs that it breaks without.
 */
#ifndef FENCEPOST_FUZZ_PARTS_H
#define FENCEPOST_FUZZ_PARTS_H

#include "scenarios/run.h"

/* What breaks the file's first case: an invariant, and whose message it was; node NULL: whoever's. */
struct parts_break {
    uint32_t invariant;
    const char *node;
};

/* The text of a file whose first case breaks `what` in a run of its own. Leaves out one program, or one job, after
 * another, as long as that breaks still: the last first. Returns the text without them, malloc'd, and how many in
 * *left_out; NULL: nothing can be left out, or there is no memory. */
char *parts_leave_out(const char *text, size_t length, const struct parts_break *what, size_t *out_length,
                      uint32_t *left_out);

#endif
