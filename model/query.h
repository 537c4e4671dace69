/* SPDX-License-Identifier: MIT
 *
 * query.h - what a runner may ask about a world between two events: for expectations only.
 * Invariants do not use this: they read the trace.
 */
#ifndef FENCEPOST_MODEL_QUERY_H
#define FENCEPOST_MODEL_QUERY_H

#include "model/plan.h"

struct value query_register(struct sim *s, uint16_t reg);         /* TAG_NONE: never written or deleted */
struct value query_mark(struct sim *s, uint16_t store);           /* the largest mark of any issuer; 0: none seen */
struct value query_lock_token(struct sim *s, uint16_t lock);      /* the last granted token; TAG_NONE: never granted */
bool query_holds(struct sim *s, uint16_t lock, uint16_t process); /* by the service's word, now */
bool query_believes(struct sim *s, uint16_t lock, uint16_t process); /* by the node's own check, now */
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

#endif
