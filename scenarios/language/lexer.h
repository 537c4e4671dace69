/* SPDX-License-Identifier: MIT
 *
 * lexer.h - text into lines of tokens, each line with its depth and its comment.
 *
 * The tokens are all that is known of a file: the checker, the compiler and the canonical printer
 * walk the same array. Every line's tokens end with one T_END. Comment lines are lines without tokens.
 */
#ifndef FENCEPOST_LANGUAGE_LEXER_H
#define FENCEPOST_LANGUAGE_LEXER_H

#include "scenarios/language/arena.h"
#include "scenarios/language/diag.h"

enum token_kind {
    T_END,
    T_WORD,
    T_NUMBER,
    T_DURATION,
    T_PPM,
    T_STRING,
    T_ORDINAL,
    T_COLON,
    T_COMMA,
    T_DOT,
    T_DOTS,
    T_SLASH,
    T_STAR,
    T_BAR,
    T_ARROW,
    T_MINUS,
    T_PLUS,
    T_EQ,
    T_NE,
    T_LT,
    T_LE,
    T_GT,
    T_GE,
    T_OPEN,
    T_CLOSE,
    T_LPAREN,
    T_RPAREN,
    TOKEN_KINDS
};

struct token {
    uint8_t kind;    /* enum token_kind */
    uint8_t glued;   /* nothing stands between it and the next */
    uint16_t length; /* in the file */
    uint32_t line, column;
    const char *text; /* as written; a string: what it says, without its quotes */
    int64_t value;    /* number; duration in ns; ppm in ppb; ordinal */
};

struct line {
    uint32_t number; /* from 1 */
    uint32_t first;  /* token */
    uint32_t n;      /* tokens without T_END; 0: only a comment */
    uint32_t end;    /* index of the first line after it that does not belong to it */
    uint16_t depth;
    uint8_t blank_before;
    uint8_t bad; /* it has been complained of already */
    uint32_t indent;
    const char *comment; /* from its '#', or NULL */
};

struct source {
    const char *text; /* a copy of the whole file */
    size_t length;
    LIST(uint32_t) starts; /* offset of each line of the file */
    LIST(struct token) tokens;
    LIST(struct line) lines;
    struct interner words;
};

void source_read(struct source *s, struct arena *a, const char *text, size_t length, struct diags *d);

static inline struct place token_place(const struct token *t)
{
    struct place at = {t->line, t->column, t->length > 0 ? t->length : 1};
    return at;
}

const char *token_symbol(enum token_kind kind); /* "->"; "" for words and values */

/* The simplest exact form, which is read back as the same: 10s 1m30s 10.01s 250us. out holds 32 bytes. */
void duration_format(ns value, char *out, size_t size);

#endif
