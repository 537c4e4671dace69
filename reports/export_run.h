/* SPDX-License-Identifier: MIT
 *
 * export_run.h - `fencepost run` for programs that collect tests: each case is a test point.
 *
 * What is wrong with a file as a whole (errors, a trigger that no case fires) is a point of its own, which is there
 * only then.
 */
#ifndef FENCEPOST_REPORTS_EXPORT_RUN_H
#define FENCEPOST_REPORTS_EXPORT_RUN_H

#include "reports/front.h"

/* All texts are borrowed. Where it is good, nothing but file and name matters. */
struct test_point {
    const char *file;
    const char *name;    /* the case; NULL: the file as a whole */
    int status;          /* STATUS_GOOD, STATUS_FAILED or STATUS_WRONG */
    const char *message; /* what is wrong, on one line */
    const char *detail;  /* all of it: lines, each with its end */
    const char *again;   /* the command that shows it again */
};

struct test_points {
    enum format format;
    struct text body;          /* what is done: TAP points, JUnit suites */
    struct text suite;         /* JUnit: the cases of the file at hand */
    uint64_t n, failed, wrong; /* of all */
    uint64_t suite_n, suite_failed, suite_wrong;
};

void test_points_free(struct test_points *p);
void test_points_add(struct test_points *p, const struct test_point *point);
void test_points_end_file(struct test_points *p, const char *file);
/* Adds the whole, and empties p. */
void test_points_put(struct text *t, struct test_points *p);

/* --- the two formats: tap.c, junit.c ---------------------------------------------------------------------- */

/* Point number n. */
void tap_point(struct text *t, const struct test_point *point, uint64_t n);
/* Version and plan, then the points, which it takes over. */
void tap_whole(struct text *t, struct text *points, uint64_t n);
/* Instead of the whole, where the machine failed. */
void tap_bail_out(struct text *t, const char *why);

void junit_case(struct text *t, const struct test_point *point);
/* The cases of a file, which it takes over. */
void junit_suite(struct text *t, const char *file, struct text *cases, uint64_t n, uint64_t failed, uint64_t wrong);
void junit_whole(struct text *t, struct text *suites, uint64_t n, uint64_t failed, uint64_t wrong);

#endif
