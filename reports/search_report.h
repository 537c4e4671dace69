/* SPDX-License-Identifier: MIT
 *
 * search_report.h - what searches cover of some cases: how many abstract states each strategy passes, and how soon each
 * gate that was taken away is found. As text, as JSON, as a page.
 */
#ifndef FENCEPOST_REPORTS_SEARCH_REPORT_H
#define FENCEPOST_REPORTS_SEARCH_REPORT_H

#include "fuzz/gates.h"
#include "fuzz/growth.h"
#include "reports/text.h"

#define TOGETHER ARMS /* the row of the portfolio: its arms together */

struct search_row {
    const char *file, *case_name; /* as shown; whoever gave them owns them */
    struct growth by[ARMS + 1];   /* by enum arm, and TOGETHER */
    uint64_t schedules, seed;     /* asked of each */
    uint32_t offers;
    ns horizon;
    const struct gates *gates; /* NULL: they were not looked at */
    uint64_t gate_schedules;   /* of each of their searches at most */
};

/* "portfolio", "single" ... */
const char *search_strategy(uint32_t by);

void search_row_text(struct text *t, const struct search_row *row);
void search_row_json(struct text *t, const struct search_row *row);

/* search_page.c: a section of <main> for a case; the whole page around such sections; pages: link to the folder
 * with the pages of a report, NULL: none. */
void search_section(struct text *t, const struct search_row *row);
void search_page(struct text *t, const struct text *sections, const char *pages);

#endif
