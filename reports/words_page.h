/* SPDX-License-Identifier: MIT
 *
 * words_page.h - pages of words in a report: `--words FILE.md`, see prose.h.
 */
#ifndef FENCEPOST_REPORTS_WORDS_PAGE_H
#define FENCEPOST_REPORTS_WORDS_PAGE_H

#include "reports/folder.h"
#include "reports/front.h"

struct words_page {
    const char *name; /* of the page, relative to the folder: "gates.html"; borrowed of folder_names */
    struct text title;
};

/* Writes the page of each file of --words, and names it in pages[WORDS_PAGES_MAX]. Complains itself: the first that
 * cannot be read ends it. */
int words_pages_write(const struct options *o, struct folder_names *names, struct words_page *pages);
void words_pages_free(struct words_page *pages);

#endif
