/* SPDX-License-Identifier: MIT
 *
 * page.h - one scenario as one HTML file, which asks for nothing else.
 *
 *     <head>   title, a policy that forbids every request, the styles
 *     <body>   <div id="app">      empty: the viewer's
 *              <div id="static">   title, verdicts and their sentences, every event in a table: to be read without
 *                                  scripts, and hidden by the viewer when it has drawn. Rows: id="r0-12" is case 0,
 *                                  event 12
 *              <div id="why">      why each case broke that did: below the viewer's too, but while a class predicts
 *              <script type="application/json" id="run">   the data, as page_data.c says
 *              <script>            the viewer; it says data-drawn="MILLISECONDS" at <html> when it is done
 *
 * The data knows no layout, the viewer computes nothing that happened. The same file and words give the same bytes
 * on every machine. A run of many records is shown in part (window.h): PAGE_EVENTS and
 * PAGE_BYTES bound a page.
 */
#ifndef FENCEPOST_REPORTS_PAGE_H
#define FENCEPOST_REPORTS_PAGE_H

#include "reports/outcome.h"
#include "reports/timeline.h"
#include "reports/window.h"

#define PAGE_BYTES 300000u /* of a page without styles and viewer; one of many cases may be larger */
#define PAGE_EVENTS 2000u  /* of all cases of a page: those with fewer leave room to those with more */

/* A page being built. Each case is added when it has been played, and may be freed then. */
struct page {
    const struct outcome_file *file;
    const char *name;                /* the file, as it is called on the page */
    const char *index;               /* link to the list of scenarios, "": none */
    uint32_t added;                  /* cases, so far */
    uint32_t most;                   /* events of one case */
    const struct decision *decision; /* NULL: not asked */
    const struct text *why;          /* borrowed: the explanations of its cases, as explain.h's; NULL: none */
    struct text summary, sections, data;
    bool failed; /* out of memory */
};

/* How many events each of n cases with so many records may show, so that all together show no more than `events`;
 * WINDOW_LEAST at the least. */
uint32_t page_share(const uint32_t *records, uint32_t n, uint32_t events);
/* most: events of one case, >= WINDOW_LEAST. */
void page_begin(struct page *p, const struct outcome_file *file, uint32_t most);
/* Adds a case that was played; case_index is its place in the scenario. */
void page_case(struct page *p, const struct run *r, uint32_t case_index);
/* How large it is so far, without styles and viewer. */
size_t page_bytes(const struct page *p);
/* The whole page; afterwards only page_free() may be called. */
void page_end(struct page *p, struct text *out);
void page_free(struct page *p);

/* --- its parts, for page.c and tests --------------------------------------------------------------- */

/* page_data.c: one element of "cases". decided: what the file's `decided-by` shows about it, "": nothing. */
void page_data_case(struct text *t, const struct outcome_file *f, const struct timeline *line, const struct window *w,
                    const char *decided);
/* page_static.c: the row of the table of verdicts, and the section with the events. */
void page_static_summary(struct text *t, const struct run *r, uint32_t number);
void page_static_section(struct text *t, const struct outcome_file *f, const struct timeline *line,
                         const struct window *w, uint32_t number);
/* An event without its actor, which has a column of its own. */
void page_event(struct text *t, const struct sim_plan *sim, const struct record *r);
/* page_words.c: "violates no-stale-write by w1 and one-vote"; "store-token, lease-check"; one gate or option a call of
 * each(), with `with` true for an option. */
void page_expects(struct text *t, const struct compiled *c);
void page_removed(const struct compiled *c, bool with, void (*each)(struct text *t, const char *word), struct text *t);
/* `line 33: at end: expect ledger = 1: found ledger was 2` */
void page_miss(struct text *t, const struct outcome_file *f, const struct run *r, const struct miss *m);
/* Whether a failed expectation counts in this run. */
bool page_miss_counts(const struct run *r, const struct miss *m);
/* What a bar says: `w1 holds leader, token 1`. */
void page_bar(struct text *t, const struct timeline *line, const struct bar *b);

#endif
