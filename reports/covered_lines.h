/* SPDX-License-Identifier: MIT
 *
 * covered_lines.h - "which scenarios run this line": a page a source file, from a tracefile with a test a scenario.
 */
#ifndef FENCEPOST_REPORTS_COVERED_LINES_H
#define FENCEPOST_REPORTS_COVERED_LINES_H

#include "reports/coverage.h"

/* Reads the tracefile; returns a status. */
int covered_lines_load(struct tracefile *f, const char *path);
/* Writes the page of each source into o's folder; returns a status. */
int covered_lines_write(const struct covered *c, const char *folder);

bool covered_lines_are_there(const struct covered *c);
void covered_lines_list(struct text *t, const struct covered *c); /* the page with all sources */

#endif
