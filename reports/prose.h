/* SPDX-License-Identifier: MIT
 *
 * prose.h - pages of words: plain text with headings, as HTML.
 *
 *     # A title, which is passed over
 *
 *     A paragraph: lines up to an empty one. `Words` between backticks are code, *these* are stressed.
 *
 *     ## A heading
 *
 * **These** are stressed more. A whole page may have, besides,
 *
 *     # and ### as headings, `* ` or `- ` before an item, `| a | b |` as rows of a table whose first is its head,
 *     lines indented by four as they are, and what <details><summary>TEXT</summary> and </details> fold.
 *
 * That is all there is: anything else stays text. The files read well as they are, and with any Markdown reader.
 */
#ifndef FENCEPOST_REPORTS_PROSE_H
#define FENCEPOST_REPORTS_PROSE_H

#include "reports/text.h"

/* Adds the paragraphs below `## HEADING`; NULL: those before the first. Nothing where there is no such heading. */
void prose_add(struct text *t, const char *words, size_t n, const char *heading);

/* Adds all of a file, its headings too. */
void prose_page(struct text *t, const char *words, size_t n);

#endif
