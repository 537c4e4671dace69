/* SPDX-License-Identifier: MIT
 *
 * export_run.c - see export_run.h. Counts stand before what they count, so that everything is built first.
 */
#include "reports/export_run.h"

#include <string.h>

void test_points_free(struct test_points *p)
{
    text_free(&p->body);
    text_free(&p->suite);
    memset(p, 0, sizeof *p);
}

void test_points_add(struct test_points *p, const struct test_point *point)
{
    p->n++;
    p->failed += point->status == STATUS_FAILED;
    p->wrong += point->status == STATUS_WRONG;
    p->suite_n++;
    p->suite_failed += point->status == STATUS_FAILED;
    p->suite_wrong += point->status == STATUS_WRONG;
    if (p->format == FORMAT_TAP)
        tap_point(&p->body, point, p->n);
    else
        junit_case(&p->suite, point);
}

void test_points_end_file(struct test_points *p, const char *file)
{
    if (p->format == FORMAT_JUNIT && p->suite_n > 0)
        junit_suite(&p->body, file, &p->suite, p->suite_n, p->suite_failed, p->suite_wrong);
    p->suite_n = p->suite_failed = p->suite_wrong = 0;
}

void test_points_put(struct text *t, struct test_points *p)
{
    if (p->format == FORMAT_TAP)
        tap_whole(t, &p->body, p->n);
    else
        junit_whole(t, &p->body, p->n, p->failed, p->wrong);
    test_points_free(p);
}
