/* SPDX-License-Identifier: MIT
 *
 * invariant.h - what must be true, judged from the trace alone.
 *
 * Each invariant is one function over records. It shares no variable with the code it judges: its
 * memory below is its own, filled from records, and the models never look at it. Two witnesses come
 * from the kernel's clocks rather than from a model: `lapses` (a promised lease is over on the clock that
 * promised it) and `believes`/`doubts` (what a node's own check would say), both set as observer
 * timers, which fire also while the process is stopped, gone, or has forgotten.
 */
#ifndef FENCEPOST_MODEL_INVARIANT_H
#define FENCEPOST_MODEL_INVARIANT_H

#include "model/plan.h"
#include "model/query.h"

/* One start of one node. */
struct who {
    name_id name;
    uint16_t start;
};
_Static_assert(sizeof(struct who) == 4, "struct who has no padding");

struct invariant_state {
    uint64_t broken; /* bit INV_x: reported already */
    uint32_t n_violations;
    uint32_t spare;
    struct violation violations[INVARIANTS];
};
_Static_assert(sizeof(struct invariant_state) == 16 + INVARIANTS * sizeof(struct violation),
               "struct invariant_state has no padding");

#define PAST_GRANTS 4 /* winners and votes remembered for comparisons by epoch */

struct inv_lock {
    int64_t last_token; /* of the latest grant */
    int64_t max_token;  /* largest ever granted */
    ns ends_at;         /* true time at which its lease is over: of the first vote it rests on */
    ns margin;
    uint64_t rests_on; /* quorum: votes of the winning count */
    int64_t past_token[PAST_GRANTS];
    uint64_t past_votes[PAST_GRANTS];
    struct who past_who[PAST_GRANTS];
    struct who holder;
    uint32_t record; /* 1 + index of the latest grant */
    uint32_t max_record;
    uint32_t past_record[PAST_GRANTS];
    uint8_t grants;    /* how many past_ rows are used, saturating */
    uint8_t ended;     /* enum inv_end */
    uint8_t next_past; /* the past_ row to overwrite next */
    uint8_t spare;
};
_Static_assert(sizeof(struct inv_lock) == 152, "struct inv_lock has no padding");
enum inv_end { INV_RUNNING, INV_LAPSED, INV_RELEASED };

struct inv_voter {
    ns voted_at;   /* true time of its latest vote or extension */
    int64_t epoch; /* of the vote it counts for */
    int64_t past_epoch[PAST_GRANTS];
    struct who past_who[PAST_GRANTS];
    uint32_t past_record[PAST_GRANTS];
    uint32_t votes; /* so far: the past_ row to overwrite is votes % PAST_GRANTS */
    struct who who; /* whom it voted for last */
    uint32_t ended; /* enum inv_end, of that vote */
    uint32_t spare;
};
_Static_assert(sizeof(struct inv_voter) == 96, "struct inv_voter has no padding");

struct inv_mark {   /* one store and issuer */
    uint64_t token; /* largest committed + 1; 0: none */
    uint32_t record;
    uint32_t spare;
};
_Static_assert(sizeof(struct inv_mark) == 16, "struct inv_mark has no padding");

struct inv_register {
    uint32_t version; /* the latest commit's */
    uint32_t record;
    uint32_t other_version; /* the latest commit by anybody but its writer */
    uint32_t other_record;
    uint32_t acked_version; /* the latest acknowledged; 0: none */
    uint32_t acked_record;
    struct who who;
    uint32_t lost_version; /* the latest that a crash took; 0: none */
    uint32_t lost_record;
    uint32_t spare;
};
_Static_assert(sizeof(struct inv_register) == 40, "struct inv_register has no padding");

struct inv_believer { /* one lock, one node */
    struct who who;
    uint32_t threads; /* how many of its threads believe; 0: the row is free */
    uint32_t record;
};
_Static_assert(sizeof(struct inv_believer) == 12, "struct inv_believer has no padding");

struct inv_act { /* one thread that acts */
    int64_t token;
    name_id thread;
    uint16_t lock; /* index + 1; 0: the row is free */
    name_id process;
    uint16_t start;
    uint32_t record;
    uint32_t spare;
};
_Static_assert(sizeof(struct inv_act) == 24, "struct inv_act has no padding");

struct inv_effect {
    int64_t key;
    name_id name;
    uint16_t tag; /* TAG_NONE: the row is free */
    uint32_t record;
};
_Static_assert(sizeof(struct inv_effect) == 16, "struct inv_effect has no padding");

/* Pointers into the world, beside the models' own. */
struct invariant_memory {
    struct invariant_state *state;
    struct inv_lock *locks;
    struct inv_voter *voters; /* [service] */
    struct inv_mark *marks;   /* [store][n_locks + 1] */
    struct inv_register *registers;
    struct inv_believer *believers; /* [lock][n_clients] */
    struct inv_act *acts;           /* [n_clients * n_locks] */
    struct inv_effect *effects;     /* [effects] */
};

/* What a name in a record stands for: indices, NONE16 if it is no such thing. */
struct judge_name {
    uint16_t lock;  /* a lock, or the lock of this voter */
    uint16_t voter; /* service index */
    uint16_t store;
    uint16_t reg;
    name_id process; /* of the thread with this name */
};
_Static_assert(sizeof(struct judge_name) == 10, "struct judge_name has no padding");

struct judge { /* what an invariant function gets */
    struct sim *s;
    const struct model_plan *p;
    struct invariant_memory m;
    const struct judge_name *names; /* [name_id] */
};

/* Fills a table of p->sim->names->n rows, which follows from the plan alone. */
void judge_prepare(const struct model_plan *p, struct judge_name *names);

bool invariants_hear(uint16_t verb); /* whether any judges or remembers records with this verb */
void invariants_on_record(struct judge *j, const struct record *r, uint32_t number);
void invariants_digest(const struct judge *j, struct hasher *h);

/* Notes that an invariant broke at this record, once a run. */
void violated(struct judge *j, enum invariant i, const struct record *r, uint32_t number, uint32_t other, name_id node,
              name_id resource);

/* inv_store.c, inv_lock.c, inv_holder.c */
void inv_no_stale_write(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_update(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_ack(struct judge *j, const struct record *r, uint32_t number);
void inv_no_zombie_write(struct judge *j, const struct record *r, uint32_t number);
void inv_effect_once(struct judge *j, const struct record *r, uint32_t number);
void inv_token_order(struct judge *j, const struct record *r, uint32_t number);
void inv_single_grant(struct judge *j, const struct record *r, uint32_t number);
void inv_no_early_regrant(struct judge *j, const struct record *r, uint32_t number);
void inv_one_vote(struct judge *j, const struct record *r, uint32_t number);
void inv_one_leader_per_term(struct judge *j, const struct record *r, uint32_t number);
void inv_owner_releases(struct judge *j, const struct record *r, uint32_t number);
void inv_owner_extends(struct judge *j, const struct record *r, uint32_t number);
void inv_single_holder(struct judge *j, const struct record *r, uint32_t number);
void inv_single_actor(struct judge *j, const struct record *r, uint32_t number);
void inv_remember_lock(struct judge *j, const struct record *r, uint32_t number); /* after those that judge locks */
void inv_remember_store(struct judge *j, const struct record *r, uint32_t number);

/* helpers: see struct judge_name */
static inline uint16_t judge_lock(const struct judge *j, name_id name) { return j->names[name].lock; }
static inline uint16_t judge_voter(const struct judge *j, name_id name) { return j->names[name].voter; }
static inline uint16_t judge_store(const struct judge *j, name_id name) { return j->names[name].store; }
static inline uint16_t judge_register(const struct judge *j, name_id name) { return j->names[name].reg; }
static inline name_id judge_process(const struct judge *j, name_id thread) { return j->names[thread].process; }

#endif
