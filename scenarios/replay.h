/* SPDX-License-Identifier: MIT
 *
 * replay.h - what a whole file must show beyond its cases: that no trigger is idle in all of them, that the
 * time of each question comes in one of them, and that the gate of `decided-by` decides.
 */
#ifndef FENCEPOST_SCENARIOS_REPLAY_H
#define FENCEPOST_SCENARIOS_REPLAY_H

#include "scenarios/run.h"

/* --- triggers and questions ---------------------------------------------------------------- */

/* One line that waits for an event, or for a question's time, over the plain runs of all cases so far. */
struct idle_line {
    uint32_t line;
    uint32_t fired;  /* in how many cases */
    uint32_t came;   /* how often its event came, in the case in which it came most often */
    uint32_t wanted; /* the ordinal it waits for; 0: it is a question */
    ns at, latest;   /* of a question: its time, and the latest that a case came to */
};

struct tally {
    struct idle_line *row; /* by line */
    uint32_t n, capacity;
};

/* Adds the triggers and questions of a run that has been played. False: out of memory. */
bool tally_add(struct tally *t, const struct run *r);
void tally_free(struct tally *t);

/* --- decided-by ------------------------------------------------------------------------------ */

enum decided {
    DECIDED_UNSAID,   /* the file has no `decided-by` */
    DECIDED_PUT_BACK, /* put back alone, the gate makes the failing case hold */
    DECIDED_TAKEN,    /* taken from the case that holds, it breaks the same invariant */
    DECIDED_NO,       /* neither */
    DECIDED_NO_MEMORY,
    DECIDED_PROBLEM /* a case did not compile with it: diags */
};

struct decision {
    enum decided how;
    uint32_t gate;   /* enum gate */
    int32_t failing; /* the case that fails without it, -1: none */
    int32_t holding; /* DECIDED_TAKEN: the case that it was taken from */
    uint32_t still;  /* DECIDED_NO: 1 + what breaks although it was put back; 0: the case does not fail */
};

void replay_decided_by(const struct scenario *s, struct decision *out, struct diags *diags);

#endif
