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
    ns quiet_from;   /* true time of the latest beginning or end of a fault, as far as its record foretells it */
    ns longest;      /* the longest lease that a grant gave; those of the plan are not counted here */
    uint32_t n_violations;
    uint16_t closed; /* 1 + the text of a closed link that only `heal` will open; 0: none */
    uint8_t lasting; /* a pause, suspension or slowness without an end has begun */
    uint8_t over;    /* invariants_end() has spoken */
    struct violation violations[INVARIANTS];
};
_Static_assert(sizeof(struct invariant_state) == 32 + INVARIANTS * sizeof(struct violation),
               "struct invariant_state has no padding");

#define PAST_GRANTS 4 /* winners and votes remembered for comparisons by epoch */

/* What a resource was granted: a lock, a job or a row. */
struct inv_lock {
    int64_t last_token; /* of the latest grant; 0 where grants have no token */
    int64_t max_token;  /* largest ever granted, if max_record */
    ns ends_at;         /* true time at which its lease is over: of the first vote it rests on */
    ns margin;
    ns free_at;        /* not running: true time since when it could be granted */
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
    uint8_t unsaid;    /* the run ended before `progress` could be judged */
};
_Static_assert(sizeof(struct inv_lock) == 160, "struct inv_lock has no padding");
/* A job is released when its attempt failed or was put back. */
enum inv_end { INV_RUNNING, INV_LAPSED, INV_RELEASED, INV_FINISHED };

/* What a job, or a row of a table `as queue`, has come to. */
struct inv_job {
    uint32_t final_record; /* what finished it, or gave it up; 0: so from the start */
    uint32_t end_record;   /* what put its latest attempt back; 0: nothing */
    uint8_t phase;         /* enum inv_phase; see judge_phase() */
    uint8_t lapsed;        /* the lease of its latest attempt ran out, whatever happened before or since */
    uint8_t lost;          /* no-lost-job has spoken of it */
    uint8_t undecided;     /* 1 + enum undecided_why, at the end */
};
_Static_assert(sizeof(struct inv_job) == 12, "struct inv_job has no padding");
enum inv_phase { INV_PLANNED /* as the plan says it is at the start */, INV_ABSENT, INV_OPEN, INV_FINAL };

/* What a thread asks for, without an answer so far. */
struct inv_asker {
    ns since;
    uint32_t record;  /* of the asking, or of its place in the line */
    uint16_t what;    /* see judge_asked(); 0: it asks for nothing */
    uint16_t in_line; /* the service has said so, and not called it since */
};
_Static_assert(sizeof(struct inv_asker) == 16, "struct inv_asker has no padding");

struct inv_voter {
    ns voted_at;   /* true time of its latest vote or extension */
    int64_t epoch; /* of the vote it counts for */
    int64_t past_epoch[PAST_GRANTS];
    struct who past_who[PAST_GRANTS];
    uint32_t past_record[PAST_GRANTS];
    uint32_t votes; /* so far: the past_ row to overwrite is votes % PAST_GRANTS */
    struct who who; /* whom it voted for last */
    uint32_t ended; /* enum inv_end, of that vote */
    uint32_t down;  /* any service: its process has crashed and not started again */
    ns called_at;   /* any service: true time at which it called the first in its line last; 0: never */
};
_Static_assert(sizeof(struct inv_voter) == 104, "struct inv_voter has no padding");

struct inv_mark {   /* one store and issuer */
    uint64_t token; /* largest committed + 1; 0: none */
    uint32_t record;
    uint32_t spare;
};
_Static_assert(sizeof(struct inv_mark) == 16, "struct inv_mark has no padding");

struct inv_register { /* or a cell of a table */
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
    int64_t key; /* or, where it has none, the job */
    name_id name;
    uint16_t tag; /* TAG_NONE: the row is free */
    uint32_t record;
};
_Static_assert(sizeof(struct inv_effect) == 16, "struct inv_effect has no padding");

/* Pointers into the world, beside the models' own. */
struct invariant_memory {
    struct invariant_state *state;
    struct inv_lock *locks;         /* [n_resources] */
    struct inv_voter *voters;       /* [service] */
    struct inv_mark *marks;         /* [store][n_issuers] */
    struct inv_register *registers; /* registers, then cells */
    struct inv_believer *believers; /* [lock][n_clients] */
    struct inv_act *acts;           /* [n_clients * n_resources] */
    struct inv_effect *effects;     /* [effects] */
    struct inv_job *jobs;           /* [n_jobs + n_rows] */
    struct inv_asker *askers;       /* [n_clients] */
};

/* What a name in a record stands for: indices, NONE16 if it is no such thing. */
struct judge_name {
    uint16_t lock;  /* a resource: a lock, the lock of this voter, a job in its quotes, a row that can be granted */
    uint16_t job;   /* the resource of the job whose text this is: only for texts, since it may read like any name */
    uint16_t voter; /* service index */
    uint16_t store;
    uint16_t reg; /* a register, or n_registers + a cell */
    uint16_t queue;
    uint16_t table;
    uint16_t client; /* of the thread with this name */
    name_id process; /* of the thread with this name */
};
_Static_assert(sizeof(struct judge_name) == 18, "struct judge_name has no padding");

struct judge { /* what an invariant function gets */
    struct sim *s;
    const struct model_plan *p;
    struct invariant_memory m;
    const struct judge_name *names; /* [name_id] */
};

/* Fills a table of p->sim->names->n rows, which follows from the plan alone. */
void judge_prepare(const struct model_plan *p, struct judge_name *names);

/* Whether any judges or remembers records with this verb, under this struct model_plan. */
bool invariants_hear(const void *plan, uint16_t verb);
void invariants_on_record(struct judge *j, const struct record *r, uint32_t number);

/* inv_digest.c: what of their memory is state, at true time `now`, or the sim's, under a renaming or, NULL, none */
void invariants_digest_at(const struct judge *j, ns now, const struct renaming *as, struct hasher *h);
void invariants_digest(const struct judge *j, const struct renaming *as, struct hasher *h);

/* inv_end.c: the run is over at true time `now`; see query_end() and query_undecided() */
void invariants_end(struct judge *j, ns now, bool idle);
uint32_t invariants_undecided(const struct judge *j, struct undecided *out, uint32_t most);

/* Notes that an invariant broke at this record, once a run. */
void violated(struct judge *j, enum invariant i, const struct record *r, uint32_t number, uint32_t other, name_id node,
              name_id resource);
/* The same at the end of a run, where two records conflict (0: none) and none came that would have mended it. */
void violated_at_end(struct judge *j, enum invariant i, ns now, uint32_t one, uint32_t another, name_id node,
                     name_id resource);

extern const uint8_t judge_of_field[VERBS]; /* 1 + the field `of`; 0: the verb has none, or nobody asks */
/* The resource that such a field names: a text is a job, a name a row; NONE16: a row that cannot be granted. */
uint16_t judge_named(const struct judge *j, const struct record *r, uint32_t field);
/* The resource that a record of a service is about; NONE16: none that can be granted. */
static inline uint16_t judge_resource(const struct judge *j, const struct record *r)
{
    uint32_t of = judge_of_field[r->verb];
    return of && r->tag[of - 1] != TAG_NONE ? judge_named(j, r, of - 1) : j->names[r->actor].lock;
}
/* As violations name it: a lock by the service or voter that spoke, a job or row by its own name. */
name_id judge_resource_name(const struct judge *j, const struct record *r);
/* Who did it, where the record says `by` and `.by_start` in its second and fourth field. */
struct who judge_doer(const struct judge *j, const struct record *r);
/* A job, or a row of a table `as queue`. */
bool judge_is_job(const struct judge *j, uint16_t resource);
/* Whether a value of the table's column `state` means a finished job. */
bool judge_is_done(const struct model_plan *p, const struct table_plan *t, struct value v);
enum inv_phase judge_phase(const struct judge *j, uint16_t resource);
/* What a client asks for who wants this resource, as in inv_asker.what; 0: there is no asking, only trying. */
uint16_t judge_asked(const struct judge *j, uint16_t resource);
bool judge_is_down(const struct judge *j,
                   uint32_t resource); /* whoever grants it has crashed; a quorum: its majority */
/* True time up to which the service keeps what it has for somebody whom it called; 0: it called nobody. */
ns judge_offered_until(const struct judge *j, uint32_t resource);
name_id judge_client_node(const struct judge *j, uint32_t client);
ns judge_longest_lease(const struct judge *j); /* of locks and queues, and what was seen of rows */
void judge_lease_seen(struct judge *j, ns lease);

/* inv_store.c, inv_lock.c, inv_job.c, inv_lost.c, inv_progress.c, inv_holder.c */
void inv_no_stale_write(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_update(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_ack(struct judge *j, const struct record *r, uint32_t number);
void inv_no_zombie_write(struct judge *j, const struct record *r, uint32_t number);
void inv_effect_once(struct judge *j, const struct record *r, uint32_t number);
void inv_token_order(struct judge *j, const struct record *r, uint32_t number);
void inv_single_grant(struct judge *j, const struct record *r, uint32_t number); /* and single-claim */
void inv_no_early_regrant(struct judge *j, const struct record *r, uint32_t number);
void inv_one_vote(struct judge *j, const struct record *r, uint32_t number);
void inv_one_leader_per_term(struct judge *j, const struct record *r, uint32_t number);
void inv_owner_releases(struct judge *j, const struct record *r, uint32_t number);
void inv_owner_extends(struct judge *j, const struct record *r, uint32_t number);
/* The latest record that says whose a resource is: the grant, or what put that attempt back. */
uint32_t judge_last_word(const struct judge *j, uint16_t resource);
void inv_owner_completes(struct judge *j, const struct record *r, uint32_t number);
void inv_final_stays_final(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_job(struct judge *j, const struct record *r, uint32_t number);
void inv_no_lost_job_at_end(struct judge *j, ns now, bool idle);
void inv_progress(struct judge *j, const struct record *r, uint32_t number);
void inv_progress_at_end(struct judge *j, ns now, bool idle);
void inv_single_holder(struct judge *j, const struct record *r, uint32_t number);
void inv_single_actor(struct judge *j, const struct record *r, uint32_t number);
void inv_remember_lock(struct judge *j, const struct record *r, uint32_t number); /* after those that judge locks */
void inv_remember_store(struct judge *j, const struct record *r, uint32_t number);
void inv_remember_update(struct judge *j, const struct record *r, uint32_t number);
void inv_remember_job(struct judge *j, const struct record *r, uint32_t number);
/* inv_asking.c: who asks for what, which services are down, when the last fault was */
void inv_remember_asking(struct judge *j, const struct record *r, uint32_t number);
void inv_remember_fault(struct judge *j, const struct record *r, uint32_t number);

/* helpers: see struct judge_name */
static inline uint16_t judge_lock(const struct judge *j, name_id name) { return j->names[name].lock; }
static inline uint16_t judge_voter(const struct judge *j, name_id name) { return j->names[name].voter; }
static inline uint16_t judge_store(const struct judge *j, name_id name) { return j->names[name].store; }
static inline uint16_t judge_register(const struct judge *j, name_id name) { return j->names[name].reg; }
static inline name_id judge_process(const struct judge *j, name_id thread) { return j->names[thread].process; }

static inline bool record_has(const struct record *r, int field) { return r->tag[field] != TAG_NONE; }
/* A field that holds a token; 0: it holds none, as for a table without a column for it. */
static inline int64_t record_token(const struct record *r, int field)
{
    return record_has(r, field) ? r->field[field] : 0;
}
static inline bool same_who(struct who a, struct who b) { return a.name == b.name && a.start == b.start; }
static inline struct inv_job *judge_job(const struct judge *j, uint16_t resource)
{
    return &j->m.jobs[resource - j->p->n_locks];
}
/* Whether nobody's lease on it runs: it was never granted, or that is over. */
static inline bool judge_free(const struct inv_lock *l) { return !l->record || l->ended != INV_RUNNING; }

/* What the verbs that end, move or extend a grant have in common: their first four fields. */
enum { T_TOKEN, T_BY, T_START, T_BY_START };

#endif
