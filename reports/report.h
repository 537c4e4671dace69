/* SPDX-License-Identifier: MIT
 *
 * report.h - what the parts of `fencepost report` share: how a page gets into the folder, and how one links to another.
 */
#ifndef FENCEPOST_REPORTS_REPORT_H
#define FENCEPOST_REPORTS_REPORT_H

#include "reports/front.h"

/* Writes a page whole or not at all to the folder of --output; complains itself. */
int report_put(const struct options *o, const char *name, struct text *t);
/* A link from one page of the folder to another, both relative to it: as many folders up as `from` has. */
void report_link(struct text *t, const char *from, const char *to);
/* Plays a case as it stands. NULL: *status says why. r and *c are to be freed. */
struct run *report_play(const struct loaded *l, uint32_t case_index, struct compiled **c, int *status);

#endif
