/* SPDX-License-Identifier: MIT
 *
 * played.h - for tests: a scenario given as text, one of its cases played.
 */
#ifndef FENCEPOST_SCENARIOS_PLAYED_H
#define FENCEPOST_SCENARIOS_PLAYED_H

#include "scenarios/replay.h"

struct played_case {
    struct scenario *scenario; /* NULL: the text has errors, or there was no memory */
    struct compiled *compiled;
    struct run *run;
    struct diags diags;
};

/* The example of scenario-language.md, word for word. */
extern const char played_example[];

/* Reads, compiles and plays; a text that does not come so far fails the running test. without: bits GATE_x. */
struct played_case played(const char *text, const char *case_name, uint32_t without);
void played_free(struct played_case *p);

/* Plays a text of one case and says whether it was as expected. */
bool played_well(const char *text);
/* The misses of a text of one case: how many, and the first of them in *first (may be NULL). */
uint32_t played_misses(const char *text, struct miss *first);

#endif
