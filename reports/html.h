/* SPDX-License-Identifier: MIT
 *
 * html.h - text from files, from folders and from runs, put into a page so that it stays text.
 */
#ifndef FENCEPOST_REPORTS_HTML_H
#define FENCEPOST_REPORTS_HTML_H

#include "reports/text.h"

/* What a user, a file or a folder named, without what turns the direction of writing: such a character, a control
 * character, or a byte that is no UTF-8, becomes \xHH. */
void html_visible(struct text *t, const char *string, size_t n);
/* The same as text of an element or of an attribute in quotes. */
void html_text(struct text *t, const char *string);
void html_bytes(struct text *t, const char *string, size_t n);
/* The top of a page, up to where its styles stand: it may ask for nothing from anywhere. */
void html_head(struct text *t, const char *title);
/* A finished JSON text as the content of a <script>: nothing in it ends the element or a line of
 * JavaScript, or turns the direction of writing. */
void html_json(struct text *t, const struct text *json);
/* A relative path as a link: every byte but letters, digits, '-', '_', '.', '~' and '/' as %HH. */
void html_link(struct text *t, const char *path);

/* A short form with all of it behind: `words`, or NULL `whole`, as a link to `href` (HTML already; empty: as text
 * alone), with `whole` as what is shown where the mouse rests. */
void html_witness(struct text *t, const struct text *href, const char *words, struct text *whole);

#endif
