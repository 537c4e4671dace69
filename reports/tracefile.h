/* SPDX-License-Identifier: MIT
 *
 * tracefile.h - a tracefile of lcov, read for what its own pages do not show: which tests run which line.
 *
 * Of each line with code the set of tests that run it is kept, a bit a test. Functions and branches are passed over:
 * genhtml shows them.
 */
#ifndef FENCEPOST_REPORTS_TRACEFILE_H
#define FENCEPOST_REPORTS_TRACEFILE_H

#include "sim/base.h"

#define TRACEFILE_LINE_MAX 1000000u

struct tracefile_source {
    char *path;     /* as SF names it; owned */
    uint32_t lines; /* the last with code */
    uint32_t room;
    uint64_t *tests;   /* [line][words]; owned */
    uint8_t *has_code; /* by line; owned */
};

struct tracefile {
    struct tracefile_source *source; /* in the order in which they are first named */
    uint32_t n_sources, sources_max;
    char **test; /* as TN names them, in that order; owned */
    uint32_t n_tests, tests_max;
    uint32_t words; /* of a set of tests */
};

/* Reads a whole tracefile. 0: it did; else the line that is wrong, and *expected says what stands there in a good one.
 * NONE32: no memory. */
uint32_t tracefile_read(struct tracefile *f, const char *bytes, size_t n, const char **expected);
void tracefile_free(struct tracefile *f);

bool tracefile_runs(const struct tracefile *f, uint32_t source, uint32_t line, uint32_t test);
uint32_t tracefile_count(const struct tracefile *f, uint32_t source, uint32_t line); /* tests that run a line */

#endif
