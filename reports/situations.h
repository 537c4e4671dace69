/* SPDX-License-Identifier: MIT
 *
 * situations.h - which situations some scenarios reach together: as text, as JSON, as a page.
 */
#ifndef FENCEPOST_REPORTS_SITUATIONS_H
#define FENCEPOST_REPORTS_SITUATIONS_H

#include "reports/text.h"
#include "scenarios/situations.h"

/* All that was reached so far. */
struct situation_table {
    struct situation_row {
        uint32_t cases;  /* how many reached it */
        uint32_t file;   /* the first that did: index into file[], NONE32: none */
        char *case_name; /* and its case; owned */
        ns at;           /* when */
    } row[SITUATION_CELLS];
    struct situation_file {
        char *path; /* as the command line names it, or what was found below it; owned */
        char *page; /* link to its page, relative to the table's own page; NULL: none. Owned */
    } * file;
    uint32_t n_files, files_max;
    uint32_t cases; /* that were played */
    bool failed;    /* no memory */
};

void situation_table_begin(struct situation_table *t);
void situation_table_free(struct situation_table *t);
/* The next scenario; page: link to its page, NULL: it has none. */
void situation_table_file(struct situation_table *t, const char *path, const char *page);
/* A case of it that was played, and keeps notes: a run of run_new(). */
void situation_table_case(struct situation_table *t, const struct run *r);

/* How many cells there are that a run can reach, and how many of them were reached. */
struct situation_count {
    uint32_t reachable, reached, never;
};
struct situation_count situation_table_count(const struct situation_table *t, enum situation_side side);
struct situation_count situation_table_total(const struct situation_table *t);
/* Reached although situation_never() says that none can: a bug of one of the two. NONE32: none was. */
uint32_t situation_table_contradiction(const struct situation_table *t);

/* "pause, between check and act" */
void situation_words(struct text *t, uint32_t cell);

void situation_table_text(struct text *out, const struct situation_table *t);
void situation_table_json(struct text *out, const struct situation_table *t);

/* situation_page.c: "267 of 267 situations reached, by 160 scenarios with 557 cases"; what stands in <main>; the whole
 * page. */
void situation_summary(struct text *out, const struct situation_table *t);
void situation_main(struct text *out, const struct situation_table *t);
/* up: link to the list of pages; NULL: there is none. */
void situation_page(struct text *out, const struct situation_table *t, const char *up);

#endif
