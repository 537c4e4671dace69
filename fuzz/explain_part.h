/* SPDX-License-Identifier: MIT
 *
 * explain_part.h - what the parts of explain.c share.
 */
#ifndef FENCEPOST_FUZZ_EXPLAIN_PART_H
#define FENCEPOST_FUZZ_EXPLAIN_PART_H

#include "fuzz/explain.h"

/* An explanation in the making. */
struct explaining {
    struct explanation *x;
    bool no_memory;
    bool patient; /* re-runs are followed to their ends, however long that takes */
};

/* --- explain_replay.c ----------------------------------------------------------------------- */

/* Plays the case with a change beyond the command line's. whole: same_trace is asked too. */
void replay_change(struct explaining *e, const struct change *change, bool whole, struct replayed *out);
/* The same for another case of the file. */
void replay_case(struct explaining *e, uint32_t case_index, const struct change *change, struct replayed *out);
/* Plays it and hands the run out, which is freed with replay_close(); NULL: it does not compile, or no memory. */
struct replay_open {
    struct scenario *scenario;
    struct compiled *c;
    struct run *run;
    const struct revision *revisions;
    bool cut; /* its event limit is ours, not the file's */
};
bool replay_open(struct explaining *e, const struct change *change, unsigned more, struct replay_open *out);
void replay_close(struct replay_open *o);

/* One gate, as a change. */
static inline struct change change_gate(uint32_t without, uint32_t put_back)
{
    return (struct change){.without = without, .put_back = put_back};
}
/* The line of one fault as another, or REVISION_NONE, in the explanation's memory. */
struct change change_line(struct explaining *e, uint32_t line, const char *fault);
/* Without the faults of these rows. */
struct change change_without(struct explaining *e, const struct fault_fact *const *rows, uint32_t n);

/* A fault and what it waits for as a line of the language; NULL: no line says that. t NULL: it is dated. */
const char *explain_line(struct explaining *e, const struct fault_plan *f, const struct trigger_plan *t);

/* --- the others --------------------------------------------------------------------------------- */

void explain_faults(struct explaining *e);  /* explain_faults.c: which were needed; the point of no return */
void explain_pairs(struct explaining *e);   /* of those that were not, the pairs of which one was */
void explain_windows(struct explaining *e); /* explain_windows.c: within what they break, and the nearest that passes */
void explain_gates(struct explaining *e);   /* explain_gates.c */
void explain_chain(struct explaining *e);   /* explain_chain.c: after explain_faults() */

#endif
