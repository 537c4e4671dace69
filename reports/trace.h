/* SPDX-License-Identifier: MIT
 *
 * trace.h - a run from its first record to its last, as text or for another program; and its decision points.
 */
#ifndef FENCEPOST_REPORTS_TRACE_H
#define FENCEPOST_REPORTS_TRACE_H

#include "reports/front.h"

/* scenario, case, the records with violations marked beneath the record that broke them, verdict, digest. */
void trace_text(struct text *t, const struct outcome_file *f, const struct run *r, bool notes);
/* Any format of a trace but FORMAT_TEXT. notes: with them, where the format leaves a choice. */
void trace_export(struct text *t, const struct outcome_file *f, const struct run *r, enum format format, bool notes);
/* The decision points of a run with SIM_POINTS: `before w1 writes ledger #1`, `w1 -> ledger #3`. */
void trace_points(struct text *t, const struct outcome_file *f, const struct run *r);

#endif
