/* SPDX-License-Identifier: MIT
 *
 * few_records.h - for tests: runs that reserve little.
 *
 * A run reserves the whole of its trace: 96 MB, unless the scenario says `limit records`. What is never written to
 * costs nothing; but a sanitizer marks all that is reserved, and again all that is freed: nearly all that it did in
 * tests of thousands of short runs.
 */
#ifndef FENCEPOST_SCENARIOS_FEW_RECORDS_H
#define FENCEPOST_SCENARIOS_FEW_RECORDS_H

#include "scenarios/run.h"

/* A run of c from here on ends, as one that is full, at its 16,384th record; or before, where the scenario says so. */
void few_records(struct compiled *c);
/* run_case; a run that fills such a trace is played again with all that the scenario allows, and c keeps that limit. */
struct run *run_few(struct compiled *c, const struct run_options *options);

#endif
