/* SPDX-License-Identifier: MIT
 *
 * placeholder.h - what a word of the tables in capitals stands for: GATE for the name of a gate, FILE for a file. A
 * shell offers it, and the manual lists it.
 *
 * The names come from the tables that a command line is read by. A word that is not known here is a number or a name of
 * the user's own: there is nothing to offer for it, and nothing else breaks.
 */
#ifndef FENCEPOST_REPORTS_PLACEHOLDER_H
#define FENCEPOST_REPORTS_PLACEHOLDER_H

#include "reports/tables.h"

enum placeholder_kind {
    TAKES_ANY,      /* a number, a duration, a name: only the user knows */
    TAKES_WORDS,    /* one of a list */
    TAKES_CASE,     /* a case of the files on the same command line */
    TAKES_PARAM,    /* NAME=, of a `param` of theirs */
    TAKES_SCENARIO, /* a scenario file, or a folder of them; FILE:CASE too */
    TAKES_FILE,
    TAKES_FOLDER
};

struct word_meaning {
    const char *name;
    const char *sentence; /* "" if there is none */
};

#define WORD_LIST_MAX 512
struct word_list {
    uint32_t n;
    struct word_meaning word[WORD_LIST_MAX]; /* each name once */
};

struct placeholder {
    const char *word; /* in capitals, as the tables write it */
    const char *key;  /* its name in a script: lower-case letters */
    enum placeholder_kind kind;
    bool of_operands;                                 /* else of options */
    bool by_command;                                  /* another list for each command */
    void (*fill)(struct word_list *to, unsigned bit); /* of TAKES_WORDS */
};

#define PLACEHOLDERS 15
extern const struct placeholder placeholder_table[PLACEHOLDERS];

/* Of an option that takes one. Never NULL: what is not known is TAKES_ANY. */
const struct placeholder *placeholder_of_option(const struct option_word *w);
/* Of a command's operands, all of them alike; NULL: it takes none. */
const struct placeholder *placeholder_of_operands(const struct command *c);
/* Whether an option of the command takes it, or its operands are it. */
bool placeholder_is_used(const struct placeholder *p, const struct tables *tables, const struct command *c);
/* The list of a TAKES_WORDS for the command with this bit. */
void placeholder_words(const struct placeholder *p, unsigned bit, struct word_list *out);
void word_list_add(struct word_list *to, const char *name, const char *sentence);

#endif
