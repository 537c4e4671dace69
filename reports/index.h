/* SPDX-License-Identifier: MIT
 *
 * index.h - the list of all scenarios of a report: by folder, with lesson, gates and verdicts; a plain table with
 * links, which a script can filter.
 */
#ifndef FENCEPOST_REPORTS_INDEX_H
#define FENCEPOST_REPORTS_INDEX_H

#include "reports/outcome.h"
#include "reports/text.h"

struct index_row {
    const char *name; /* of the page, relative: seeds/f1.html; borrowed */
    struct text html;
    uint32_t order; /* in which it was added: breaks ties */
    uint32_t spare;
};

struct index {
    struct index_row *row;
    uint32_t n, capacity;
    uint32_t cases, unexpected; /* of those added */
    struct text also;           /* items of a list: links to other pages; see index_also() */
    bool failed;
    /* of the scenario that is being added */
    uint32_t its_cases, its_unexpected;
    struct text verdicts, gates, words;
};

/* One scenario: begin, each case, end. The page's name must stay until index_end(). */
void index_begin(struct index *x);
void index_case(struct index *x, const struct run *r);
void index_add(struct index *x, const struct scenario *s, const char *name);
/* Another page to be named on top, by its path from here. */
void index_also(struct index *x, const char *link, const char *words);
/* The whole page. */
void index_end(struct index *x, struct text *out);
void index_free(struct index *x);

/* What system a scenario's source speaks of: the repositories that it names, else what stands behind `INC-nn: ` up to
 * the first ';' or ','. Nothing where it names none. For tests. */
void index_system(struct text *t, const char *source);

#endif
