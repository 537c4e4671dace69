/* SPDX-License-Identifier: MIT
 *
 * roff.h - text for a manual page, so that it stays text: a page in the mdoc macros, which mandoc and groff both read.
 *
 * A line that begins with a dot is a macro, a backslash begins an escape, and a hyphen, a quote or a tilde is drawn as
 * another character than the one that can be typed: each of these is written by its name.
 */
#ifndef FENCEPOST_REPORTS_ROFF_H
#define FENCEPOST_REPORTS_ROFF_H

#include "reports/text.h"

/* As it stands: for a line of its own, or as an argument of a macro. */
void roff_text(struct text *t, const char *string);
/* ".macro string", the string as its arguments. */
void roff_macro(struct text *t, const char *macro, const char *string);
/* Filled lines, each sentence on one of its own; what stands in backquotes is bold. */
void roff_prose(struct text *t, const char *string);
/* The same of one of the front door's sentences: with a capital, and a full stop. */
void roff_sentence(struct text *t, const char *string);
/* Lines that are shown as they are. */
void roff_literal_begin(struct text *t);
void roff_literal(struct text *t, const char *line);
void roff_literal_end(struct text *t);

#endif
