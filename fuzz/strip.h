/* SPDX-License-Identifier: MIT
 *
 * strip.h - a case without the file's own faults, to be found again.
 */
#ifndef FENCEPOST_FUZZ_STRIP_H
#define FENCEPOST_FUZZ_STRIP_H

#include "scenarios/language/scenario.h"

/* Of a case without `may` lines; what a case has of them stays, and says all of it. */
enum strip_may {
    STRIP_KINDS, /* `may` lines for the kinds of faults that the case has, on whatever they could strike */
    STRIP_ALL,   /* none: everything may go wrong */
    STRIP_LOOSE  /* as STRIP_KINDS, but what is dated and strikes no message stays: it has its time from a person */
};

/* The case alone, its fault lines gone, marked `holds`, as a scenario of its own; to be freed. *faults says how many
 * fault lines the case had. NULL: diags says why, or that there is no memory. */
struct scenario *strip_faults(const struct scenario *s, uint32_t case_index, enum strip_may may, uint32_t *faults,
                              struct diags *diags);

#endif
