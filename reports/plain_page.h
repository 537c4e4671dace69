/* SPDX-License-Identifier: MIT
 *
 * plain_page.h - head and end of a page that is tables and pictures, to be read without scripts and printed.
 *
 *     .wide     what may be wider than the screen
 *     .matrix   a table of numbers; .none .one .more .cannot: its cells, whose text says what their colour says
 *     .n        a number in a table
 *     .axis, .c0 to .c7, .swatch   of pictures: ways to draw a curve that can be told apart in grey as well
 */
#ifndef FENCEPOST_REPORTS_PLAIN_PAGE_H
#define FENCEPOST_REPORTS_PLAIN_PAGE_H

#include "reports/text.h"

/* Up to the title, inside <header>. Then what is to be said first, and `</header><main>`. */
void plain_page_begin(struct text *t, const char *title);
void plain_page_end(struct text *t);

#endif
