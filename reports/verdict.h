/* SPDX-License-Identifier: MIT
 *
 * verdict.h - a violation as a sentence: who did what to what, when, and the earlier fact that it
 * conflicts with. Made from the two records of the trace and nothing else; one function an invariant.
 */
#ifndef FENCEPOST_REPORTS_VERDICT_H
#define FENCEPOST_REPORTS_VERDICT_H

#include "reports/line.h"

/* "w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11.005s" */
void verdict_sentence(struct text *t, const struct run *r, const struct violation *v);
/* The same from the two records themselves; b NULL: there is no second fact. */
void verdict_words(struct text *t, const struct sim_plan *plan, const struct violation *v, const struct record *a,
                   const struct record *b);

#endif
