/* SPDX-License-Identifier: MIT
 *
 * list.h - what there is to write in a scenario, from the tables of words: `fencepost list`.
 */
#ifndef FENCEPOST_REPORTS_LIST_H
#define FENCEPOST_REPORTS_LIST_H

#include "reports/text.h"

/* word NULL: every group; a group's name: its words, one a line; a word: all that is known of it. Returns
 * false when there is no such word; *near is then the nearest there is, or NULL. */
bool list_words(struct text *t, const char *word, const char **near);

#endif
