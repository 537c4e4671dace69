/* SPDX-License-Identifier: MIT
 *
 * reading.h - for the language's tests: reading texts, and what is said of those that are wrong.
 */
#ifndef FENCEPOST_LANGUAGE_READING_H
#define FENCEPOST_LANGUAGE_READING_H

#include "scenarios/language/scenario.h"

/* Everything a word's example may name. Steps go in the place of STEP, whole lines behind. */
extern const char reading_world[];
extern const char reading_jobs[];    /* a queue and a table, for the words of those; stands behind the world */
extern const char reading_example[]; /* of scenario-language.md, word for word */

/* NULL: the text has problems, and the running test failed. */
struct scenario *reads(const char *text);
struct compiled *compiles(const struct scenario *s, uint32_t i);

/* "3:5: unknown step 'aquire'; ..." : the first problem of a text, "" if it has none. Kept until the next call. */
const char *problem(const char *text);
/* The same for a line that stands behind `fencepost 1`, a case and a small world (see reading_test.c); lines count
 * from that line as 1. */
const char *line_problem(const char *line);
/* The same for a step in the program of w1. */
const char *step_problem(const char *step);
bool starts_with(const char *text, const char *start);

/* The world with these lines in it; kept until the next call. */
const char *with_step(const char *step);
const char *with_line(const char *line);

/* A file of the tree, malloc'd; NULL if the tests do not run in it. */
char *read_file(const char *path, size_t *length);

#endif
