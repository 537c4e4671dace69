/* SPDX-License-Identifier: MIT
 *
 * active.h - which faults are at work at a moment of a run, read from its trace.
 *
 * A fault is *active* from its start to its end, and after that for as long as the longest lease of the case: what it
 * held up or left behind comes to light then. A delayed or held message is at work until it arrives; a wall clock that
 * was set, or a clock that runs at another rate, for good.
 */
#ifndef FENCEPOST_FUZZ_ACTIVE_H
#define FENCEPOST_FUZZ_ACTIVE_H

#include "model/plan.h"

/* X(ID, name) in the words of the language; the order of the columns of every table. */
#define ACTIVE_TABLE(X)              \
    X(ACTIVE_NONE, "no fault")       \
    X(ACTIVE_PAUSE, "pause")         \
    X(ACTIVE_SUSPEND, "suspend")     \
    X(ACTIVE_CRASH, "crash")         \
    X(ACTIVE_PARTITION, "partition") \
    X(ACTIVE_CUT, "cut")             \
    X(ACTIVE_SLOW, "slow")           \
    X(ACTIVE_LOST, "lost message")   \
    X(ACTIVE_HELD, "held message")   \
    X(ACTIVE_DELAY, "delay")         \
    X(ACTIVE_COPY, "duplicate")      \
    X(ACTIVE_REORDER, "reorder")     \
    X(ACTIVE_JUMP, "wall jump")      \
    X(ACTIVE_DRIFT, "drift")         \
    X(ACTIVE_SLEW, "slew")

enum active_kind {
#define X(id, name) id,
    ACTIVE_TABLE(X)
#undef X
        ACTIVE_KINDS
};
extern const char *const active_name[ACTIVE_KINDS];

#define ACTIVE_CLOSURES 64

/* What has been at work so far: of each kind until when, and which links are closed. */
struct active {
    ns lasts;               /* how long a fault is active past its end: the longest lease */
    ns until[ACTIVE_KINDS]; /* the latest end; -1: none so far */
    struct closure_end {
        int64_t text; /* its words; it ends early where they are healed */
        ns until;
        uint32_t kind; /* ACTIVE_PARTITION or ACTIVE_CUT */
        uint32_t spare;
    } closure[ACTIVE_CLOSURES]; /* beyond so many at once the last is forgotten */
    uint32_t n_closures;
};

void active_begin(struct active *a, const struct model_plan *p);
/* The next record of the trace. */
void active_record(struct active *a, const struct record *r);
/* Bits of enum active_kind that are active at this time, which is no earlier than the last record's; ACTIVE_NONE alone
 * where none is. */
uint32_t active_now(const struct active *a, ns at);

#endif
