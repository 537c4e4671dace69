/* SPDX-License-Identifier: MIT
 *
 * library.h - for tests: every case of every scenario file of the tree.
 */
#ifndef FENCEPOST_SCENARIOS_LIBRARY_H
#define FENCEPOST_SCENARIOS_LIBRARY_H

#include "scenarios/language/scenario.h"

typedef void (*visit_fn)(const char *path, const struct scenario *s, uint32_t i, void *context);

/* Calls back once for each case i of each file, in a fixed order. A file with problems fails the running test. */
void visit_library(visit_fn visit, void *context);

#endif
