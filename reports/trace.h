/* SPDX-License-Identifier: MIT
 *
 * trace.h - a run from its first record to its last, as text or as one JSON object a line; and its
 * decision points.
 */
#ifndef FENCEPOST_REPORTS_TRACE_H
#define FENCEPOST_REPORTS_TRACE_H

#include "reports/outcome.h"

/* scenario, case, the records with violations marked beneath the record that broke them, verdict, digest. */
void trace_text(struct text *t, const struct outcome_file *f, const struct run *r, bool notes);
/* A head object, one object a record, and one at the end with verdict, violations and digest. */
void trace_json(struct text *t, const struct outcome_file *f, const struct run *r, bool notes);
/* The decision points of a run with SIM_POINTS: `before w1 writes ledger #1`, `w1 -> ledger #3`. */
void trace_points(struct text *t, const struct outcome_file *f, const struct run *r);

#endif
