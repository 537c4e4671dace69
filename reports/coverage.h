/* SPDX-License-Identifier: MIT
 *
 * coverage.h - what a set of scenarios has shown, and what not yet: one or more pages of each kind of coverage.
 *
 * Every case of every file is played once, with SIM_ASIDES, and shown to each kind; at the end each kind says what it
 * saw. A new kind is one row of coverage_kinds[] (coverage_command.c), and a file of its own.
 */
#ifndef FENCEPOST_REPORTS_COVERAGE_H
#define FENCEPOST_REPORTS_COVERAGE_H

#include "fuzz/protocol.h"
#include "reports/front.h"

/* A case that was played. */
struct covered_run {
    uint32_t file;   /* index */
    uint32_t number; /* the case's in its file: #r2 of its page */
    char *name;      /* of the case; owned */
};

struct covered_file {
    char *path;       /* as the command line has it; owned */
    char *title;      /* owned */
    const char *page; /* of `fencepost report`, relative to its folder */
    char *bytes;      /* owned */
    size_t n;
};

struct covered {
    struct covered_run *run;
    uint32_t n_runs, runs_max;
    struct covered_file *file;
    uint32_t n_files, files_max;
    struct protocol protocol;
    const char *pages; /* link from here to the folder with the pages of `fencepost report`; NULL: there is none */
};

/* "scenarios/seeds/f1-paused-leader.fence, case fenced" */
void covered_name(struct text *t, const struct covered *c, uint32_t run);

/* --- protocol coverage -------------------------------------------------------------------------------- */

/* protocol_words.c: the same for page, text, data and tracefile. */
const char *protocol_said(const struct protocol_row *row); /* "lets through", "refuses: its token is ..." */
/* Of all conjuncts of built gates: how many are seen deciding alone; *out_of: of how many that can. */
uint32_t protocol_alone_count(const struct protocol *p, uint32_t *out_of);

void protocol_summary(struct text *t, const struct covered *c); /* protocol_text.c */
void protocol_json(struct text *t, const struct covered *c);
void protocol_page(struct text *t, const struct covered *c); /* protocol_page.c */
void protocol_spec(struct text *t);                          /* protocol_info.c: the pseudo-source ... */
void protocol_info(struct text *t, const struct covered *c, const char *spec); /* ... and the tracefile about it */

#endif
