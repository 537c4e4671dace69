/* SPDX-License-Identifier: MIT
 *
 * expect.h - the expectations of a case, judged while it runs.
 *
 * The runner calls jury_event() after every event and jury_instant() when an instant is over: a
 * state is read after every event of its time. The rules (scenario-language.md, "What must be true"):
 *
 *  1. `at T` is judged when every event due at or before T has run; `after EVENT` when every event
 *     of the instant at which EVENT came has run; `at end` when the run is over; `always` after
 *     every event.
 *  2. An event that stands behind `at`, `after` or `at end` must have happened by then.
 *  3. `within D` counts from the expectation above: from its time, or from its match, which moves
 *     the anchor. Its end is included. An event must come behind the anchor (at the anchor's own
 *     instant: in a later record); a state must be true at some instant from the anchor on.
 *  4. `not` before an event says that it does not come, in the whole window; before a state, that
 *     the state is false at the time, or becomes false in the window. Such a line, kept, is the
 *     anchor of the next at its window's end, if it spoke of an event.
 *  5. What counts from a trigger that did not fire in this case, or from a line that failed, is not judged.
 *
 * Everything lies in one block without pointers, so that a snapshot in mid-run is a copy. Records
 * are looked at once, as they come; notes are left out, but for `believes`.
 */
#ifndef FENCEPOST_SCENARIOS_EXPECT_H
#define FENCEPOST_SCENARIOS_EXPECT_H

#include "model/query.h"
#include "scenarios/language/scenario.h"

enum miss_why {
    MISS_FALSE,      /* a state was not as expected: found[] says what was */
    MISS_NO_EVENT,   /* no such record (in the window, if there is one) */
    MISS_EVENT,      /* `not`, and yet it came: near */
    MISS_LEADER,     /* `no leader among`, and there is one; with `not`: none */
    MISS_EFFECT,     /* another count: count */
    MISS_NEVER_CAME, /* the run ended (at its horizon, a limit) before the expectation's time */
    MISS_ERROR       /* the expression overflowed or mixed types: failure */
};

#define FOUND_MAX 6

/* What one leaf of an expression was: `ledger` was "from w2". Of a job (EX_JOB), whatever was asked about it, the value
 * says what it was: see found_phase(), found_process(). */
struct found {
    uint32_t op; /* index into model_plan.exprs */
    uint32_t spare;
    struct value value;
};

static inline enum job_phase found_phase(struct value job) { return (enum job_phase)(job.v & 255); }
/* Who runs the job, finished it, or ran it last before it was given up; NONE32: nobody, or nobody knows. */
static inline uint32_t found_process(struct value job) { return job.v >> 8 == 0 ? NONE32 : (uint32_t)(job.v >> 8) - 1; }

/* A failed expectation. */
struct miss {
    uint32_t expectation; /* index */
    uint32_t why;         /* enum miss_why */
    ns at;                /* when it was judged */
    ns from;              /* `within`: where the window began; else -1 */
    uint32_t records;     /* how many records were kept at that time */
    uint32_t near;        /* 1 + index of the record that comes nearest, 0: none */
    uint32_t count;       /* MISS_EFFECT: how often; MISS_LEADER: see process */
    uint32_t failure;     /* enum model_failure */
    uint32_t process;     /* MISS_LEADER: who leads, or NONE32 */
    uint32_t n_found;
    struct found found[FOUND_MAX];
};

/* Adds what the leaves of an expression are now to the n that are found already, each once; returns how many
 * there are then. */
uint32_t expect_found(const struct compiled *c, struct sim *s, uint32_t first, struct found *found, uint32_t n);

struct jury; /* opaque: one block */

size_t jury_size(const struct compiled *c);
void jury_reset(struct jury *j, const struct compiled *c);
/* After each event that ran: `always`. */
void jury_event(struct jury *j, const struct compiled *c, struct sim *s);
/* Every event before `next` has run, and none after. */
void jury_instant(struct jury *j, const struct compiled *c, struct sim *s, ns next);
/* Up to when the run must go on for what is not judged yet; -1: it need not. */
ns jury_until(const struct jury *j);
/* The run is over. whole: it came to its own end (else what was outstanding is left unjudged). */
void jury_end(struct jury *j, const struct compiled *c, struct sim *s, bool whole);
/* The failed ones, in file order. */
uint32_t jury_misses(const struct jury *j, const struct miss **out);

#endif
