/* SPDX-License-Identifier: MIT
 *
 * lesson_report.h - the lessons of a report: for each its pages, and a list of all in the order of a course.
 *
 * A lesson is a scenario with a case to mend. What stands beside `x.fence` belongs to it: `x.md` are its words, `x.key`
 * is the one line as it should be. Without them there is a page without words, and a sheet with fewer answers.
 */
#ifndef FENCEPOST_REPORTS_LESSON_REPORT_H
#define FENCEPOST_REPORTS_LESSON_REPORT_H

#include "reports/folder.h"
#include "reports/front.h"

#define LESSON_LIST "lessons.html" /* the list's name in the folder */

struct lesson_row {
    const char *name;  /* of its page, relative to the folder; borrowed of folder_names */
    const char *sheet; /* of its worksheet */
    const char *answers;
    struct text title, source;
    struct text page; /* written when it is known what comes next */
};

struct lesson_report {
    const struct options *o;
    struct folder_names *names;
    struct lesson_row *row;
    uint32_t n, capacity;
};

/* Writes the sheets of a lesson, and keeps its page. root and path as for folder_name(); run: the name of the page of
 * its runs. */
int lesson_report_add(struct lesson_report *x, const struct loaded *l, const char *root, const char *path,
                      const char *run);
/* Writes the pages, and the list if there is anything to list. */
int lesson_report_end(struct lesson_report *x);
void lesson_report_free(struct lesson_report *x);

#endif
