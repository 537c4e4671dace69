/* SPDX-License-Identifier: MIT
 *
 * told.h - for tests: the world of a scenario given as text, to be stepped by hand.
 */
#ifndef FENCEPOST_SCENARIOS_TOLD_H
#define FENCEPOST_SCENARIOS_TOLD_H

#include "scenarios/language/scenario.h"

struct told {
    struct scenario *scenario;
    struct compiled *compiled;
    struct sim *s; /* NULL: the text has errors, which fails the running test */
};

/* The first case of a text without its first two lines (version and title). told_free frees all of it. */
struct told tell(const char *text);
void told_free(struct told *t);

/* Runs on through all that is due by then. */
void run_to(struct sim *s, ns at);

#endif
