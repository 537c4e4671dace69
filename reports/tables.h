/* SPDX-License-Identifier: MIT
 *
 * tables.h - the shape of the front door's tables. The rows stand in fencepost.c, which reads command lines by them and
 * writes `--help` from them; whoever else writes down what there is gets the same rows (struct options has them).
 */
#ifndef FENCEPOST_REPORTS_TABLES_H
#define FENCEPOST_REPORTS_TABLES_H

#include "sim/base.h"

struct options;

struct command {
    const char *name;
    const char *operands;
    const char *sentence;
    const char *example;
    const char *more; /* a second example, or NULL */
    int (*run)(const struct options *o);
    unsigned bit;   /* its own, of the front door's ON_x */
    unsigned least; /* operands */
};

struct option_word {
    const char *name;  /* with its dashes */
    char letter;       /* 0: none */
    const char *value; /* what it takes, NULL: nothing */
    const char *sentence;
    unsigned id; /* of the front door's OPT_x */
    unsigned on; /* the bits of the commands that have it */
};

/* Everything that the front door knows of itself; all of it constant. */
struct tables {
    const char *version;
    const char *day;   /* of the version, never of a build: "November 30, 2026" */
    const char *about; /* what the program is for: a sentence */
    const struct command *command;
    const struct option_word *option;
    uint32_t n_commands, n_options;
};

#endif
