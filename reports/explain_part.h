/* SPDX-License-Identifier: MIT
 *
 * explain_part.h - what the parts of an explanation's words share.
 */
#ifndef FENCEPOST_REPORTS_EXPLAIN_PART_H
#define FENCEPOST_REPORTS_EXPLAIN_PART_H

#include "reports/explain.h"

/* A new line, to be filled; NULL: no memory. It moves when the next is added. */
struct told *telling_add(struct telling *k, enum told_part part, enum told_kind kind);
/* The same for what a re-run shows: with its command. */
struct told *telling_add_replay(struct telling *k, enum told_part part, enum told_kind kind, const struct replayed *r,
                                uint32_t case_index);

/* "nothing breaks", "no-stale-write breaks at 13.005s, by w1", "it comes to no end" */
void told_outcome(struct text *t, const struct explanation *x, const struct replayed *r);
/* "no-stale-write", or `the always of line 12` */
void told_invariant(struct text *t, const struct explanation *x, uint32_t invariant);
/* "the pause of w1", "the delay of w1 -> ledger" */
void told_fault(struct text *t, const struct explanation *x, const struct fault_fact *row);

/* explain_rule.c */
void tell_rule(struct telling *k);
void tell_chain(struct telling *k);
/* explain_beliefs.c */
void tell_beliefs(struct telling *k);
/* explain_faults.c */
void tell_faults(struct telling *k);
void tell_nearest(struct telling *k);
/* explain_gates.c */
void tell_gates(struct telling *k);

#endif
