/* SPDX-License-Identifier: MIT
 *
 * diag.h - collecting problems, and finding the word that was meant.
 */
#ifndef FENCEPOST_LANGUAGE_DIAG_H
#define FENCEPOST_LANGUAGE_DIAG_H

#include "scenarios/language/scenario.h"

/* Where in the file. */
struct place {
    uint32_t line, column, length;
};

/* The same place is reported once. */
void diag_add(struct diags *d, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "unknown WHAT 'wrod'; did you mean 'word'?", or all the words when none is near. */
void diag_unknown(struct diags *d, struct place at, const char *what, const char *word, const char *const *words,
                  uint32_t n);

/* Another text for one that is there. */
void diag_reword(struct diag *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ten are there: whoever would work hard for another message need not. */
static inline bool diags_full(const struct diags *d) { return d->n == DIAGS_MAX; }

/* By line, then column. */
void diag_sort(struct diags *d);

#endif
