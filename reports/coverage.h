/* SPDX-License-Identifier: MIT
 *
 * coverage.h - what a set of scenarios has shown, and what not yet: a page for each kind of coverage.
 *
 * Every case of every file is played once, with SIM_ASIDES, and shown to each kind; at the end each kind says what it
 * saw. A new kind is one row of coverage_kinds[] (coverage_command.c), what it keeps a member of struct covered, and a
 * file of its own for its page.
 */
#ifndef FENCEPOST_REPORTS_COVERAGE_H
#define FENCEPOST_REPORTS_COVERAGE_H

#include "fuzz/protocol.h"
#include "reports/front.h"
#include "reports/situations.h"
#include "reports/tracefile.h"

/* A case that was played. */
struct covered_run {
    uint32_t file; /* index */
    char *name;    /* of the case; owned */
};

struct covered_file {
    char *path;       /* as the command line has it; owned */
    const char *page; /* of `fencepost report`, within its folder; owned by whoever gave it */
    char *bytes;      /* its text; owned */
    size_t n;
    /* by line, from 1: how often the cases came to it, LINE_IS_NONE where there is nothing to come to; owned */
    uint64_t *times;
    uint32_t lines; /* the last with something */
};
#define LINE_IS_NONE UINT64_MAX

struct covered {
    struct covered_run *run;
    uint32_t n_runs, runs_max;
    struct covered_file *file;
    uint32_t n_files, files_max;
    const char *folder; /* that the pages are written to, as the command line has it */
    const char *pages;  /* link from there to the folder of `fencepost report`'s pages; NULL: there is none */
    struct see_also link[SEE_ALSO_MAX]; /* for the list of pages */
    uint32_t n_links;
    /* what each kind keeps */
    struct protocol protocol;
    struct situation_table *situations; /* owned; NULL: no case yet */
    struct tracefile code;              /* of `--code` */
};

/* "scenarios/seeds/f1-paused-leader.fence, case fenced" */
void covered_name(struct text *t, const struct covered *c, uint32_t run);
/* What a scenario is called as a test in a tracefile: letters, digits and '_'. */
void covered_test(struct text *t, const char *path);

/* --- kinds of coverage ------------------------------------------------------------------------------------ */

struct coverage_kind {
    const char *name; /* of what is written: "protocol.html" */
    const char *title, *sentence;
    bool (*is_there)(const struct covered *c);                         /* NULL: always */
    bool (*add)(struct covered *c, const struct run *r, uint32_t run); /* a case; false: no memory. NULL: nothing */
    void (*page)(struct text *t, const struct covered *c);             /* NULL: it is in no list of pages, */
    void (*data)(struct text *t, const struct covered *c);             /* and this is what is written */
};

/* --- coverage_page.c: for every page --------------------------------------------------------------------- */

/* <head> up to the title, inside <header>; up: the list of pages, relative; NULL: it is that. What follows ends with
 * `</header><main>`. */
void coverage_begin(struct text *t, const char *title, const char *up);
void coverage_end(struct text *t);
void coverage_legend(struct text *t);       /* what the colours of cells say */
const char *coverage_shade(uint32_t cases); /* the class of a cell: none, one, more */
bool coverage_has_link(const struct covered *c, uint32_t run);
/* The address of a run's page, at a time; -1: none. Only where there is one. */
void coverage_link(struct text *t, const struct covered *c, uint32_t run, ns at);
/* These words as a link to the run, which the title names; NULL: the name itself. */
void coverage_witness(struct text *t, const struct covered *c, uint32_t run, ns at, const char *words);
/* Writes a file of the folder, whole or not at all; returns a status. */
int coverage_write(const char *folder, const char *name, struct text *t);
void coverage_index(struct text *t, const struct covered *c, const struct coverage_kind *kind, uint32_t n);

/* --- protocol coverage ------------------------------------------------------------------------------------ */

/* protocol_text.c */
void protocol_said(struct text *t, const struct protocol_row *row);        /* "refuses: its token is below ..." */
uint32_t protocol_alone_count(const struct protocol *p, uint32_t *out_of); /* conjuncts seen deciding alone, of ... */
void protocol_summary(struct text *t, const struct covered *c);
void protocol_json(struct text *t, const struct covered *c);

void protocol_page(struct text *t, const struct covered *c); /* protocol_page.c */
void protocol_spec(struct text *t, const struct covered *c); /* protocol_info.c: the pseudo-source, a row a line ... */
void protocol_info(struct text *t, const struct covered *c); /* ... and the tracefile about it and the scenarios */

#endif
