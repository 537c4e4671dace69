/* SPDX-License-Identifier: MIT
 *
 * tree.h - a scenario that has been read: its lines, its cases, its header.
 *
 * The lines are the tree: a line owns the lines behind it up to its `end`. Nothing in here depends
 * on a case; names, values and programs are worked out by the compiler, once for each case.
 */
#ifndef FENCEPOST_LANGUAGE_TREE_H
#define FENCEPOST_LANGUAGE_TREE_H

#include <string.h>

#include "scenarios/language/lexer.h"

struct case_row {
    const char *name;
    uint32_t line;                          /* index of its line */
    uint32_t removed;                       /* bit GATE_x */
    uint32_t result;                        /* token index of `holds` or `violates` */
    uint16_t clock, token_mode, count_mode; /* NONE16, or what `with` chose */
    bool to_mend;                           /* `until mended` */
    ns progress;                            /* `with progress D`; 0: not said */
};

/* A name that nothing uses. */
struct unused {
    struct place place; /* of its declaration */
    const char *what;   /* "node", "variable" ... */
    const char *name;
    const char *of; /* the table, of a column; the line of the program, of a variable; else "" */
};

struct scenario {
    struct arena arena;
    struct source src;
    const char *file, *title, *cites, *lesson;
    int32_t decided_by;                   /* enum gate, or -1 */
    const char *reach_cell, *reach_words; /* `reach`; NULL: it has none */
    int32_t to_mend;                      /* the case that says `until mended`, or -1 */
    uint32_t change;                      /* index of the one line to change, NONE32: nothing is to be mended */
    LIST(struct case_row) cases;
    const struct setting *settings;
    uint32_t n_settings;
    LIST(struct token) setting_values; /* one a setting, as read */
    const struct revision *revisions;  /* borrowed; see revise.c */
    uint32_t n_revisions;
    bool lists_unused; /* names that nothing uses are listed here; else they are errors */
    LIST(struct unused) unused;
};

static inline const struct token *line_token(const struct scenario *s, const struct line *line, uint32_t i)
{
    return &s->src.tokens.row[line->first + i];
}

/* The first token behind the [case ...] prefixes; a T_END at the latest. */
const struct token *line_start(const struct scenario *s, const struct line *line);

/* Whether the case keeps the line for itself: its ancestors are not asked. */
bool line_kept(const struct scenario *s, const struct line *line, uint32_t case_index, uint32_t removed);

/* The i-th `with OPTION VALUE` of a case that is without these gates, in the order of the table of options; false: it
 * has no more. Its `progress` is not among them. */
bool case_option(const struct case_row *row, uint32_t removed, uint32_t i, const char **option, const char **value);

/* The version, the cases, the title: what stands in no case. */
void tree_read_header(struct scenario *s, struct diags *d);

/* lesson.c: which case is to be mended, and which line to be changed for that. */
void tree_read_lesson(struct scenario *s, struct diags *d);
/* expect.c: whether the line, from behind its prefixes, says what must be true. */
bool line_expects(const struct token *t);
/* notes.c: whether line `index` is a comment that a search wrote at the top of what it found. */
bool line_notes_finding(const struct scenario *s, uint32_t index);

/* Asked some twenty times a line: most words differ in their first letter. */
static inline bool token_is(const struct token *t, const char *word)
{
    return t->kind == T_WORD && t->text[0] == word[0] && strcmp(t->text, word) == 0;
}

#endif
