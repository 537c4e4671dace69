/* SPDX-License-Identifier: MIT
 *
 * situations.h - which situations a run reached that was just played.
 */
#ifndef FENCEPOST_SCENARIOS_SITUATIONS_H
#define FENCEPOST_SCENARIOS_SITUATIONS_H

#include "model/situation.h"
#include "scenarios/run.h"

/* "pause:between-check-and-act": as a command line has it. Lasts. */
const char *situation_name(uint32_t cell);
/* The cell of that name; NONE32: there is none. */
uint32_t situation_find(const char *name);

/* One cell that was reached, at the first record that reached it. */
struct reached {
    ns at;
    uint32_t cell;
    uint32_t record; /* 1 + its index in the trace */
};

/* Reads runs of one case, one behind the other. */
struct situation_reader;
struct situation_reader *situation_reader_new(const struct compiled *c); /* NULL: no memory. The case outlives it */
void situation_reader_free(struct situation_reader *k);
/* The cells that a run reached, in the order in which it did; the run keeps notes (run_new). Good until the next. */
const struct reached *situations_of_run(struct situation_reader *k, const struct run *r, uint32_t *n);

#endif
