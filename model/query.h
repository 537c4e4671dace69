/* SPDX-License-Identifier: MIT
 *
 * query.h - what a runner may ask about a world between two events: for expectations only.
 * Invariants do not use this: they read the trace.
 */
#ifndef FENCEPOST_MODEL_QUERY_H
#define FENCEPOST_MODEL_QUERY_H

#include "model/plan.h"

struct value query_register(struct sim *s, uint16_t reg);   /* TAG_NONE: never written or deleted */
struct value query_mark(struct sim *s, uint16_t store);     /* the largest mark of any issuer; 0: none seen */
struct value query_token(struct sim *s, uint16_t resource); /* the last granted token; TAG_NONE: never granted */
bool query_holds(struct sim *s, uint16_t resource, uint16_t process); /* by the service's word, now */
bool query_believes(struct sim *s, uint16_t resource,
                    uint16_t process);                 /* by the node's own check, now. A row: never */
struct value query_cell(struct sim *s, uint32_t cell); /* TAG_NONE also where the row is not there */
/* Whether a job is in this phase; process NONE16, or whoever finished it (JOB_DONE), runs it (JOB_RUNNING), ran it
 * last (JOB_DEAD). */
bool query_job(struct sim *s, uint16_t job, enum job_phase phase, uint16_t process);
/* `no leader among`: no listed node holds a lock, and no holder's votes all come from the listed voters.
 * procs: processes of nodes and voters. */
bool query_leader_among(struct sim *s, const uint16_t *procs, uint32_t n);
uint32_t query_effects(struct sim *s, name_id name); /* how often this effect happened */

/* Evaluates a compiled expression of a plan. thread's variables may stand in it (client index, or NONE16 for
 * expectations). Returns false on overflow or wrong types: *failure says which. */
bool expr_eval(struct sim *s, uint16_t client, uint32_t first_op, struct value *out, enum model_failure *failure);

/* Whether two values are equal, as `=` says: a name and a text that read alike are. */
bool value_equal(const struct names *names, struct value a, struct value b);

/* Violations so far, in order of the records that broke them; at most one for each invariant. */
struct violation {
    ns at;
    uint32_t invariant; /* enum invariant */
    uint32_t record;    /* 1 + index of the record that broke it (sim_trace with SIM_KEEP_TRACE and SIM_NOTES) */
    uint32_t other;     /* 1 + index of the earlier record it conflicts with; 0: none */
    name_id node;       /* whoever sent the message; for a grant whoever got it */
    name_id resource;   /* store, lock ... */
};
_Static_assert(sizeof(struct violation) == 24, "struct violation has no padding");
uint32_t query_violations(struct sim *s, const struct violation **out);

/* The run is over: judges what can only be judged at its end (no-lost-job, progress), once. idle: nothing more would
 * ever come; else it ended at its horizon, and what would have had to come later stays undecided. */
void query_end(struct sim *s, bool idle);

/* What query_end() could not decide, and why not: fails nothing, and is said. */
struct undecided {
    uint32_t invariant; /* enum invariant */
    name_id resource;   /* the job, row ... that it is about, as the trace names it */
    uint16_t why;       /* enum undecided_why */
};
_Static_assert(sizeof(struct undecided) == 8, "struct undecided has no padding");
enum undecided_why {
    WHY_NOBODY_ASKED, /* no-lost-job: no worker asked late enough */
    WHY_HORIZON,      /* no-lost-job, progress: the run ended before it could be said */
    WHY_DOWN,         /* no-lost-job: its queue or table is down */
    WHY_KEPT,         /* no-lost-job: its lease runs, and somebody keeps it */
    WHY_FAULT,        /* no-lost-job: a fault goes on without an end */
    WHY_TOO_MUCH      /* linearizable: it would take too long */
};
/* Fills at most `most` rows, returns how many there are. */
uint32_t query_undecided(struct sim *s, struct undecided *out, uint32_t most);

#endif
