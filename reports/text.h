/* SPDX-License-Identifier: MIT
 *
 * text.h - a growing buffer in which every report is built before any of it is written.
 *
 * A report is complete before its first byte leaves, so nothing half-written is ever seen. When
 * memory runs out the buffer remembers it (failed) and swallows what follows: whoever writes the
 * buffer out asks once, at the end. Numbers are integers; no locale is asked.
 */
#ifndef FENCEPOST_REPORTS_TEXT_H
#define FENCEPOST_REPORTS_TEXT_H

#include "sim/base.h"

struct text {
    char *bytes; /* not NUL-terminated; see text_c() */
    size_t n, capacity;
    bool failed; /* out of memory: what is here is not whole */
    bool colour; /* text_style() writes escape sequences */
};

void text_free(struct text *t);
void text_clear(struct text *t);
/* Frees a part that t was built from; if the part is not whole, nor is t. */
void text_done(struct text *t, struct text *part);
const char *text_c(struct text *t); /* NUL-terminated, "" when it failed; until the next change */

void text_bytes(struct text *t, const char *bytes, size_t n);
void text_add(struct text *t, const char *string);
void text_char(struct text *t, char c);
void text_repeat(struct text *t, char c, size_t n);
/* As text_add, for what a user, a file or a folder named: each byte that a terminal could obey (a control character,
 * also of the second set), or that is no UTF-8, becomes \xHH. */
void text_shown(struct text *t, const char *string);
/* How long the character at bytes (of n > 0) is; 0: it is one of those that text_shown() escapes. */
size_t text_character(const char *bytes, size_t n);
/* As text_add, filled up with blanks: behind it, or before it when width is negative. */
void text_pad(struct text *t, const char *string, int width);
void text_u64(struct text *t, uint64_t v);
void text_i64(struct text *t, int64_t v);
void text_grouped(struct text *t, uint64_t v);     /* 1,234,567 */
void text_digest(struct text *t, uint64_t digest); /* d1:0123456789abcdef */

/* "13.005s": always seconds, with 3, 6 or 9 places. */
void text_time(struct text *t, ns at);
/* "12s", "1m30s", "250us", "10.010s": the shortest form that the language reads back. */
void text_duration(struct text *t, ns d);
/* In double quotes, with \" and \\ and \n, \t, \xHH (as text_shown): as a text literal of the language. */
void text_quoted(struct text *t, const char *string);
/* Plural: "1 case", "2 cases". */
void text_count(struct text *t, uint64_t n, const char *one, const char *many);

/* A word for a shell: bare, in quotes, or as $'...' where text_shown() would escape something. */
void text_shell(struct text *t, const char *word);

/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. NULL: null. */
void text_json(struct text *t, const char *string);
void text_json_bytes(struct text *t, const char *bytes, size_t n);
/* ,"key": with the comma left out behind an opening bracket. */
void text_key(struct text *t, const char *key);
void text_key_u64(struct text *t, const char *key, uint64_t v);
void text_key_bool(struct text *t, const char *key, bool v);
void text_key_text(struct text *t, const char *key, const char *string); /* as text_json() */
/* A comma, unless an opening bracket stands before it. */
void text_comma(struct text *t);

/* A string of n bytes for itself, malloc'd, with a NUL behind it. NULL: no memory. */
char *text_copied(const char *bytes, size_t n);

enum style { STYLE_PLAIN, STYLE_GOOD, STYLE_BAD, STYLE_DIM, STYLE_BOLD };
void text_style(struct text *t, enum style style);

#endif
