/* SPDX-License-Identifier: MIT
 *
 * print.h - writing lines of a scenario into a text that grows.
 */
#ifndef FENCEPOST_LANGUAGE_PRINT_H
#define FENCEPOST_LANGUAGE_PRINT_H

#include "scenarios/language/tree.h"

struct out {
    char *text; /* malloc'd, NUL-terminated; the caller frees it */
    size_t n, size;
    bool failed; /* no memory: what came after is lost */
};

void out_bytes(struct out *o, const char *text, size_t n);
void out_text(struct out *o, const char *text);
void out_token(struct out *o, const struct token *t);
/* Evenly spaced, as the canonical form has them. */
void out_tokens(struct out *o, const struct token *from, const struct token *to);

#endif
