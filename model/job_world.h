/* SPDX-License-Identifier: MIT
 *
 * job_world.h - for the tests of the invariants that speak of jobs and rows: who is there, and what can happen to them.
 *
 * A lock, a queue of three jobs, a table as queue, one as lock, a plain one, two workers and a reaper. Most tales are
 * told twice: of a job and of a row that is one (FOR_EACH).
 */
#ifndef FENCEPOST_MODEL_JOB_WORLD_H
#define FENCEPOST_MODEL_JOB_WORLD_H

#include "model/judging.h"

enum {
    LEADER,
    JOBS,
    TASKS,
    LATCH,
    PLAIN,
    INVOICE, /* a job's text, and as the trace names it: */
    INVOICE_QUOTED,
    W1, /* a node, and the text of a job: */
    W1_QUOTED,
    MAIL, /* a job that is not there at the start */
    MAIL_QUOTED,
    W1_CHECKIN,
    W2,
    REAPER,
    TASK_42,
    TASK_43, /* finished at the start */
    TASK_44, /* not there at the start */
    LATCH_A,
    PLAIN_P,
    CELL_FIRST,                   /* of TASK_42: owner, token, until, state */
    CELL_LATCH = CELL_FIRST + 12, /* owner, until */
    CELL_PLAIN = CELL_LATCH + 2,
    WORD_READY,
    WORD_DONE,
    WORD_DEAD,
    FAILED_WHY,
    EXPIRED_WHY,
    OPERATOR_WHY,
    ENQUEUED_WHY,
    REFUSED,
    CHARGE,
    KEY_42,
    LEDGER,
    WALL_TEXT,
    NAMES
};
enum { OWNER, TOKEN, UNTIL, STATE, COLUMNS };
enum { T_LEADER, T_JOBS, T_TASKS, T_LATCH, T_PLAIN, T_LEDGER, T_W1, T_CHECKIN, T_W2, T_REAPER, THREADS };
enum { SERVICES = 6, CLIENTS = 4, PROCESSES = 9, CELLS = 15 };

#define TTL (10 * S)
#define LEASE (30 * S)

/* Nothing has happened yet. */
void job_world_begins(struct world *w);

/* --- records by hand ---------------------------------------------------------------------------- */

/* What a tale is about: a job's text, or a row. */
static inline int service_of(int what) { return what < W1_CHECKIN ? JOBS : what <= TASK_44 ? TASKS : LATCH; }
static inline struct value of(int what) { return service_of(what) == JOBS ? TEXT(what) : NAME(what); }
static inline int object_of(int what) { return service_of(what) == JOBS ? what + 1 : what; }

/* Who does it: which start of which node, and for which of its attempts (below 0: it has none). NOBODY: nobody. */
struct doer {
    int32_t name;
    uint32_t start;
    int64_t token;
};
_Static_assert(sizeof(struct doer) == 16, "struct doer has no padding");

static inline uint32_t grants_of(struct world *w, ns at, int what, struct doer to)
{
    return happens(w, at, service_of(what), V_GRANTS, to.name,
                   FIELDS(value_token(to.token), INT(to.start), value_ns(LEASE), NO, NO, NO, NO, of(what)));
}

static inline uint32_t grants(struct world *w, ns at, int what, int who, int64_t token)
{
    return grants_of(w, at, what, (struct doer){who, 1, token});
}

static inline uint32_t lapses(struct world *w, ns at, int what, int who, int64_t token)
{
    return happens(w, at, service_of(what), V_LAPSES, who, FIELDS(value_token(token), INT(1), NO, of(what)));
}

/* finishes, dead-letters or rewrites the attempt of `who` with this token. */
static inline uint32_t ends(struct world *w, ns at, uint16_t verb, int what, int who, int64_t token, struct doer by)
{
    return happens(w, at, service_of(what), verb, who,
                   FIELDS(value_token(token), NAME(by.name == who ? NOBODY : by.name), INT(1), INT(by.start),
                          value_token(by.token), of(what)));
}

static inline uint32_t returns(struct world *w, ns at, int what, int who, int64_t token, struct doer by, int why)
{
    return happens(w, at, service_of(what), V_RETURNS, who,
                   FIELDS(value_token(token), NAME(by.name == who ? NOBODY : by.name), INT(1), INT(by.start),
                          value_token(by.token), NAME(why), of(what)));
}

static inline uint32_t extends(struct world *w, ns at, int what, int who, int64_t token, struct doer by)
{
    return happens(w, at, service_of(what), V_EXTENDS, who,
                   FIELDS(value_token(token), NAME(by.name == who ? NOBODY : by.name), INT(1), INT(by.start),
                          value_ns(LEASE), NO, value_token(by.token), of(what)));
}

static inline uint32_t frees(struct world *w, ns at, int who, struct doer by)
{
    return happens(w, at, LATCH, V_FREES, who,
                   FIELDS(NO, NAME(by.name == who ? NOBODY : by.name), INT(1), INT(by.start), NO, NO, NAME(LATCH_A)));
}

static inline uint32_t claims(struct world *w, ns at, int thread)
{
    return happens(w, at, thread, V_CLAIMS, JOBS, NULL, 0);
}
static inline uint32_t queue_says(struct world *w, ns at, uint16_t verb, int node)
{
    return happens(w, at, JOBS, verb, node, NULL, 0);
}
static inline uint32_t fails(struct world *w, ns at, int thread)
{
    return happens(w, at, thread, V_FAILED, REFUSED, NULL, 0);
}

/* A worker is put in line. */
static inline uint32_t waits(struct world *w, ns at, int node)
{
    claims(w, at, node);
    return queue_says(w, at, V_QUEUES, node);
}

/* A table refuses what would have been a grant of a row; NOBODY: of any. */
static inline uint32_t no_row(struct world *w, ns at, int who, int row, bool grant)
{
    return happens(w, at, TASKS, V_REFUSES, who, FIELDS(NAME(REFUSED), NO, NO, grant ? INT(1) : NO, NAME(row)));
}

static inline uint32_t fault(struct world *w, ns at, int actor, uint16_t verb, struct value a, struct value b)
{
    return happens(w, at, actor, verb, NOBODY, FIELDS(a, b));
}

static inline uint32_t sets(struct world *w, ns at, int cell, struct value v, struct doer by, uint32_t version,
                            int64_t based)
{
    return happens(w, at, TASKS, V_SETS, cell,
                   FIELDS(v, NAME(by.name), INT(version), value_token(based), INT(by.start)));
}

static inline uint32_t asks(struct world *w, ns at, int thread)
{
    return happens(w, at, thread, V_ASKS, LEADER, FIELDS(NO));
}

static const struct doer w1 = {W1, 1, 1}, w2 = {W2, 1, 2}, reaper = {REAPER, 1, -1}, nobody = {NOBODY, 0, -1};
static const int one_of_each[2] = {INVOICE, TASK_42};

#define FOR_EACH(what, w) for (int i_ = 0, what; i_ < 2 && (what = one_of_each[i_], job_world_begins(w), true); i_++)

/* Every job but the first is out of the way. */
static inline void only_invoice(struct world *w)
{
    job_world_begins(w);
    grants(w, 0, W1, W2, 1);
    ends(w, 0, V_FINISHES, W1, W2, 1, (struct doer){W2, 1, 1});
    grants(w, 0, TASK_42, W2, 1);
    ends(w, 0, V_FINISHES, TASK_42, W2, 1, (struct doer){W2, 1, 1});
}

static inline uint32_t undecided(struct world *w, struct undecided *out) { return invariants_undecided(&w->j, out, 1); }

#endif
