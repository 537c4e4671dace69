/* SPDX-License-Identifier: MIT
 *
 * problem.h - what is wrong with a scenario, shown where it is wrong:
 *
 *     paused.fence:17:29: error: unknown word 'puase'; did you mean 'pause'?
 *         before w1 writes ledger: puase w1 for 12s
 *                                  ^~~~~
 */
#ifndef FENCEPOST_REPORTS_PROBLEM_H
#define FENCEPOST_REPORTS_PROBLEM_H

#include "reports/text.h"
#include "scenarios/language/scenario.h"

/* source: the whole file, so that a line can be shown; NULL: lines are not shown. */
void problem_list(struct text *t, const char *file, const char *source, size_t n, const struct diags *diags);
/* One problem of a line, with no column; its first word has the caret. */
void problem_line(struct text *t, const char *file, const char *source, size_t n, uint32_t line, const char *what);
/* A line of a source text, and a caret under its first word; nothing where there is no such line. */
void problem_show_word(struct text *t, const char *source, size_t n, uint32_t line, size_t indent);
/* The line of a source text, without its newline; NULL: there is none. */
const char *problem_source_line(const char *source, size_t n, uint32_t line, size_t *length);
/* A source line, cut to what a screen shows, odd bytes as '?'; then, if length > 0, a caret line. indent:
 * blanks before both. */
void problem_show(struct text *t, const char *line, size_t line_length, uint32_t column, uint32_t length,
                  size_t indent);

#endif
