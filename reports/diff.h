/* SPDX-License-Identifier: MIT
 *
 * diff.h - where two runs part: the first record in which they differ, and what led to it.
 *
 * Two records are the same if their words are: names, times, and all fields that a digest covers, the hidden
 * ones too. Notes, causes and lines of the file are not compared, so two files that tell the same
 * story in other words do not differ.
 */
#ifndef FENCEPOST_REPORTS_DIFF_H
#define FENCEPOST_REPORTS_DIFF_H

#include "reports/line.h"

struct diff_side {
    const char *label; /* "paused.fence advisory" */
    const struct run *run;
};

/* Returns whether they differ; says where, or that they do not. */
bool diff_runs(struct text *t, const struct diff_side *a, const struct diff_side *b);

#endif
