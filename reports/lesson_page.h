/* SPDX-License-Identifier: MIT
 *
 * lesson_page.h - a lesson on paper and on screen: the page to read, the worksheet, the answers.
 *
 * All three stand beside the page of the run, ask for nothing, and need no script. What is asked, which line is to be
 * changed and what to reach come from the scenario, answers from its runs: nothing of it is written down twice. The
 * worksheet and the page to read tell of the run no more than what has happened when the first question is asked.
 */
#ifndef FENCEPOST_REPORTS_LESSON_PAGE_H
#define FENCEPOST_REPORTS_LESSON_PAGE_H

#include "reports/outcome.h"

struct lesson_page {
    const struct outcome_file *file;
    const char *path;         /* of the file, as commands are to name it */
    const struct run *before; /* of the first case that is to stay as it is */
    const struct run *mended; /* of the case to mend, by the line below; NULL: nobody says how */
    const char *key;          /* the line, as somebody has written it who has understood; NULL: nobody has */
    const char *words;        /* what stands beside the scenario, as prose.h has it */
    size_t n_words;
    const char *run, *worksheet, *answers, *page; /* names of the pages, in the folder of this one */
    const char *all;                              /* link to the list of lessons */
};

/* The page to read, but for what leads on from it: lesson_page_end() adds that. next NULL: it is the last. */
void lesson_page_read(struct text *t, const struct lesson_page *x);
void lesson_page_end(struct text *t, const char *next, const char *next_title);
void lesson_page_worksheet(struct text *t, const struct lesson_page *x);
void lesson_page_answers(struct text *t, const struct lesson_page *x);
/* Up to and with the title, before which stands what the page is; for the list of lessons too, whose `all` is NULL. */
void lesson_page_head(struct text *t, const char *what, const char *title, const char *all);

#endif
