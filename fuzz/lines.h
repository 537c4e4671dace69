/* SPDX-License-Identifier: MIT
 *
 * lines.h - what a search keeps between two of its processes, as lines of text: how one is built, written whole or not
 * at all, and read back.
 *
 * A line is words with one blank between them, the first of which says what it is. Numbers are decimal without leading
 * zeros, hashes 16 hexadecimal digits: equal content has equal bytes. A block ends with `end` and the hash of all its
 * bytes before that line, so that what was cut short or changed is not taken for what was written.
 */
#ifndef FENCEPOST_FUZZ_LINES_H
#define FENCEPOST_FUZZ_LINES_H

#include "fuzz/player.h"

/* --- building --------------------------------------------------------------------------------- */

/* Zero at first. When memory runs out it swallows what follows: asked once, at the end. */
struct lines {
    char *bytes; /* owned; not NUL-terminated */
    size_t n, room;
    bool failed;
    size_t from; /* where the block begins that lines_end() ends */
};

void lines_free(struct lines *l);
void lines_word(struct lines *l, const char *word); /* a blank before it, unless it begins the line */
void lines_u64(struct lines *l, uint64_t v);
void lines_hash(struct lines *l, uint64_t v);
void lines_rest(struct lines *l, const char *text);             /* to the line's end: any bytes but newlines */
void lines_bytes(struct lines *l, const char *bytes, size_t n); /* as lines_word(), or lines_rest() */
void lines_line(struct lines *l);                               /* ends it */
/* Deviations to the line's end, each ADDRESS:OFFER:AT. own: the fault that is offer 0. */
void lines_schedule(struct lines *l, uint32_t own, const struct schedule *s);
void lines_end(struct lines *l); /* of a block */

/* Writes it to a file: under another name first (path with .part behind it), to the disk, then renamed. 0, or errno;
 * then what was there is there still, and no half of anything. ENOMEM for a record that failed. */
int lines_write(const char *path, const struct lines *l);
/* The same for any bytes. */
int lines_write_bytes(const char *path, const char *bytes, size_t n);

/* --- reading ------------------------------------------------------------------------------------ */

/* What is read is never past `end`, whatever stands there. Once something was wrong it stays so (bad), and everything
 * reads as 0, "" or nothing. */
struct reading {
    const char *at, *end; /* not owned */
    const char *line_end; /* of the line that is being read */
    uint32_t line;        /* its number, from 1 */
    bool bad;             /* something else stands in `line` than should */
};

struct reading reading_begin(const char *bytes, size_t n);
/* Where the line begins that was not begun yet; `end`: there is none. */
const char *reading_next(const struct reading *r);
/* Whether the first line that was not begun yet begins with this word. */
bool reading_next_is(const struct reading *r, const char *word);
/* Begins the next line, which is to begin with this word. */
void reading_line(struct reading *r, const char *word);
bool reading_more(const struct reading *r); /* more words in this line */
/* The line is to be over. */
void reading_line_over(struct reading *r);
/* Not NUL-terminated; "" and 0 when bad. */
const char *reading_word(struct reading *r, size_t *n);
const char *reading_rest(struct reading *r, size_t *n);
bool reading_is(struct reading *r, const char *word); /* the next word is this; true: taken */
uint64_t reading_u64(struct reading *r, uint64_t most);
uint64_t reading_hash(struct reading *r);
/* To the line's end. Bad: more than SCHEDULE_MAX, not in order, or an offer that is none of n_offers; fault: own +
 * offer. */
void reading_schedule(struct reading *r, uint32_t own, uint32_t n_offers, struct schedule *out);
/* Whether these bytes are one block, and end with its line. */
bool reading_sealed(const char *bytes, size_t n);
/* The line of lines_end(), for a block that began at `from`: bad if the bytes are not those that were written. */
void reading_end(struct reading *r, const char *from);

#endif
