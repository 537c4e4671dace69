/* SPDX-License-Identifier: MIT
 *
 * window.h - which records of a long run a page shows: those around its first violation, and what led to it.
 */
#ifndef FENCEPOST_REPORTS_WINDOW_H
#define FENCEPOST_REPORTS_WINDOW_H

#include "scenarios/run.h"

#define WINDOW_LEAST 64 /* a window may always show so many */

struct window {
    uint32_t n;           /* shown */
    uint32_t total;       /* of the run */
    uint32_t first, last; /* indices of the records of the stretch that is shown whole */
    uint32_t *number;     /* [n] 1 + index of each record shown, ascending */
    uint32_t *shown;      /* [total] 1 + which of those it is; 0: it is not shown */
    bool failed;          /* out of memory */
};

/* Chooses at most `most` >= WINDOW_LEAST records: all of them where that is enough. Else a stretch around the
 * first violation (three quarters before it), or, where nothing broke, around the first refusal or failure; and of
 * what lies outside, what led to that, and to the violation and to the fact that it conflicts with, the nearest
 * causes first, and the other violations. */
void window_make(struct window *w, const struct run *r, uint32_t most);
void window_free(struct window *w);

static inline bool window_is_whole(const struct window *w) { return w->n == w->total; }
/* The index of a record, by its number, among those shown; -1: it is none, or is not shown. */
static inline int32_t window_index(const struct window *w, uint32_t number)
{
    return number == 0 ? -1 : (int32_t)w->shown[number - 1] - 1;
}

#endif
