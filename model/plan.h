/* SPDX-License-Identifier: MIT
 *
 * plan.h - one case of a scenario, compiled: what the loader hands to the models.
 *
 * A plan is constant during runs and owned by whoever compiled it. Everything in it is an index.
 * Layout rules that the models rely on:
 *
 *  1. Every lock service, voter, store and client program is a process of struct sim_plan. A service
 *     process has exactly one thread. A client process has its program threads first, in the order
 *     of the file (the main one, named like the node, is the first), then one keeper thread for each
 *     program thread that has a `keep`: "w1.keeper" for the main thread, "w1.checkin.keeper" else.
 *     Keeper threads have starts = 0, program threads 1, service threads 0.
 *  2. Actors: actor_of[thread] says what a thread is (struct actor).
 *  3. Connections: for client index c (clients[]: program and keeper threads) and service index v
 *     (services[]): 2*(c*n_services + v) there, +1 back. sim_plan.n_conns = 2*n_clients*n_services.
 *  4. A quorum lock's voters are consecutive services, named LOCK.1 .. LOCK.n.
 *  5. sim_plan.model_bytes = model_bytes(plan), computed last.
 */
#ifndef FENCEPOST_MODEL_PLAN_H
#define FENCEPOST_MODEL_PLAN_H

#include "model/words.h"
#include "sim/sim.h"

#define REQUEST_TIMEOUT_NS (5 * NS_PER_S)

/* --- who is who ------------------------------------------------------------------------ */

enum actor_kind { ACTOR_CLIENT, ACTOR_CENTRAL, ACTOR_VOTER, ACTOR_STORE, ACTOR_IDLE, ACTOR_QUEUE, ACTOR_TABLE };

struct actor {
    uint16_t kind;    /* enum actor_kind. ACTOR_IDLE: a node without a program; it answers pings */
    uint16_t client;  /* ACTOR_CLIENT: index into clients, else NONE16 */
    uint16_t service; /* else: index into services, NONE16 for ACTOR_IDLE */
    uint16_t spare;
};

struct service_plan {
    uint16_t thread;
    uint16_t lock;  /* ACTOR_CENTRAL, ACTOR_VOTER: index into locks */
    uint16_t store; /* ACTOR_STORE: index into stores */
    uint16_t voter; /* ACTOR_VOTER: from 0 */
    uint16_t queue; /* ACTOR_QUEUE: index into queues */
    uint16_t table; /* ACTOR_TABLE: index into tables */
};

struct client_plan {
    uint16_t thread;
    uint16_t keeper;     /* client index of its keeper, NONE16 if it never keeps */
    uint16_t keeps_for;  /* a keeper: client index of its program thread; else NONE16 */
    uint16_t vars;       /* how many variables its program has */
    uint32_t first_var;  /* into the world's variables */
    uint32_t code;       /* first instruction; a keeper has none */
    struct ids handlers; /* program-wide `on ERROR:` blocks: rows of plan->handlers */
};

/* --- services --------------------------------------------------------------------------- */

enum lock_kind { LOCK_CENTRAL, LOCK_QUORUM };
enum token_mode { TOKEN_COUNTER, TOKEN_PER_OWNER, TOKEN_RANDOM }; /* the last two without monotonic-token */
enum count_mode { COUNT_CONFIGURED, COUNT_REACHABLE };            /* the last without strict-majority */

struct lock_plan {
    name_id name;
    uint16_t kind;     /* enum lock_kind */
    uint16_t service;  /* central: its service; quorum: the first voter's */
    uint16_t voters;   /* 1..64; central: 0 */
    ns ttl;            /* the lease, > 0 */
    ns margin;         /* the client's, 0 <= margin < ttl; default ttl / 100 */
    ns service_margin; /* added to the lease at the service; default 0 */
    ns lock_delay;     /* after an expiry; default 0 */
    ns renew;          /* a keeper's rhythm; default ttl / 3 */
};

struct store_plan {
    name_id name;
    uint16_t service;
    uint16_t first_register; /* its registers are consecutive */
    uint16_t registers;
    uint16_t marks_per_key; /* the trap T1: one mark a key */
    uint16_t forgets;       /* does not remember request ids */
    uint16_t guard;         /* the lock that `token EXPR` speaks for, NONE16: an issuer of its own */
    uint16_t spare;
};

struct register_plan {
    name_id name; /* "ledger/x", or "ledger" for the lone register */
    uint16_t store;
    uint16_t lone; /* 1: the store's name alone */
    uint16_t spare;
};

/* What can be granted: locks, then jobs, then the rows of all tables. The index of one of them is a *resource*:
 * lock l is l, job i is n_locks + i, row r is n_locks + n_jobs + r. There are at most RESOURCES_MAX of them. */
#define RESOURCES_MAX 64

struct queue_plan {
    name_id name;
    uint16_t service;
    uint16_t first_job; /* its jobs are consecutive, in the order of the file */
    uint16_t jobs;
    uint16_t attempts; /* the most claims of one job before it is dead; 0: no end */
    uint16_t spare[3];
    ns lease;  /* > 0; with lease-covers-work at least LEASE_LEAST */
    ns margin; /* the worker's, 0 <= margin < lease; default lease / 100 */
    ns renew;  /* a keeper's rhythm: lease / 3 with lease-covers-work; without it what `renew` says, 0: no beats */
};
#define LEASE_LEAST (3 * NS_PER_S)

struct job_plan {
    name_id name;   /* its text: `invoice-42`; the value of a job */
    name_id object; /* as the trace names it, in quotes: `"invoice-42"` */
    uint16_t queue;
    uint16_t listed; /* 1: there from the start; 0: some program enqueues it */
};

/* A table's columns, rows and cells are consecutive: the cell of row r (of the table, from 0) and column k is
 * first_cell + r * columns + k. */
enum table_kind { TABLE_PLAIN, TABLE_LOCK, TABLE_QUEUE }; /* `as lock`, `as queue` */

struct table_plan {
    name_id name;
    uint16_t service;
    uint16_t kind; /* enum table_kind */
    uint16_t first_column, columns;
    uint16_t first_row, rows;
    /* which of its columns (from 0) means what; NONE16: none does. TABLE_PLAIN: all NONE16 */
    uint16_t owner, token, until, state;
    uint16_t spare[2];
    uint32_t first_cell;
    struct ids running; /* rows of plan->words: the values of `state` that mean a running attempt */
    struct ids done;    /* and those that mean a finished job */
};

struct column_plan {
    name_id name; /* `epoch` */
    uint16_t table;
};

struct row_plan {
    name_id name; /* `jobs/42` */
    name_id key;  /* `42`: the value of a row */
    uint16_t table;
    uint16_t listed; /* 1: there from the start, with the values of its cells */
};

struct word_value {
    int64_t v;
    uint64_t tag;
};

struct cell_plan {
    name_id name; /* `jobs/42.epoch` */
    uint16_t tag; /* of the value at the start */
    uint32_t spare;
    int64_t v;
};

/* --- statements: what `update`, `insert`, `delete` of a row send to the table ----------------------- */

struct set_plan {    /* COLUMN EXPR */
    uint32_t column; /* within the table */
    uint32_t expr;   /* on the server, see EX_COLUMN */
};

struct statement_plan {
    uint32_t where;      /* on the server; NONE32: always */
    struct ids sets;     /* rows of plan->sets */
    struct ids captures; /* rows of plan->captures: values of the client at sending, each the index of a first op */
};

/* --- expressions --------------------------------------------------------------------------- */

/* Postfix; each op pushes one value or works on the top of a stack of at most EXPR_STACK. */
#define EXPR_STACK 32

enum expr_code {
    EX_CONST,       /* imm, tag */
    EX_VAR,         /* arg = variable: its value */
    EX_VAR_TOKEN,   /* arg = variable: `first.token` (the grant's) or `x.token` (the mark the read saw) */
    EX_VAR_VERSION, /* arg = variable: the version that the read saw */
    EX_ME,          /* the node's identity, a TAG_TEXT or TAG_NAME */
    EX_CLOCK,       /* arg = enum clock_kind: this node's clock, read now (only in `let`) */
    EX_NEG,
    EX_NOT,
    EX_ADD,
    EX_SUB,
    EX_EQ,
    EX_NE,
    EX_LT,
    EX_LE,
    EX_GT,
    EX_GE,
    EX_AND,
    EX_OR,
    /* only in expectations, `always:` and the like; judged by the runner through model/query.h */
    EX_REGISTER,   /* arg = register: its value in the store now */
    EX_MARK,       /* arg = store: `ledger.token` as the store has it now (any issuer's largest) */
    EX_LOCK_TOKEN, /* arg = resource: the last granted token */
    EX_HOLDS,      /* arg = resource, imm = process: by the service's word */
    EX_BELIEVES,   /* arg = lock or job, imm = process: the node's own check */
    EX_CELL,       /* arg = cell (at most 65535 of them): its value in the table now; none where the row is not there */
    EX_JOB,        /* arg = job, imm = 1 + process << 8 | enum job_phase; 0 << 8: by whomever. For a finished job the
                      process is who finished it, for a running one who runs it */
    /* only in statements: on the server */
    EX_COLUMN,  /* arg = column of the table: of the row looked at, before the statement */
    EX_NOW,     /* the server's wall clock */
    EX_CAPTURE, /* arg = which of the statement's captures */
    EX_END
};

enum job_phase { JOB_ABSENT, JOB_WAITING, JOB_RUNNING, JOB_DONE, JOB_DEAD };

struct expr_op {
    uint16_t code;
    uint16_t arg;
    uint32_t tag; /* EX_CONST */
    int64_t imm;
};

/* --- programs ----------------------------------------------------------------------------- */

enum op {
    OP_ACQUIRE,       /* lock; mode: enum acquire_mode; ns = `within`; var = `as` or NONE16 */
    OP_KEEP,          /* lock, or job_var */
    OP_CHECK,         /* lock, or job_var */
    OP_RELEASE,       /* lock */
    OP_FORCE_RELEASE, /* lock */
    OP_READ,          /* reg; var */
    OP_WRITE,         /* reg; expr = value; flags; for_lock; token_expr */
    OP_DELETE,        /* reg; flags; for_lock; token_expr */
    OP_FENCE,         /* store; for_lock; token_expr */
    OP_REQUIRE,       /* expr: over variables. The language puts an OP_READ into a hidden variable before it for
                        each `ledger.token` or register it names, whose jump leads behind the whole step (the jump of
                        any other OP_READ is NONE32). No is ERR_REFUSED */
    OP_WORK,          /* ns or expr; for_lock */
    OP_WAIT,          /* ns or expr, on monotonic */
    OP_WAIT_UNTIL,    /* ns: true time */
    OP_EFFECT,        /* text = its name; expr = key or NONE32; for_lock */
    OP_CLAIM,         /* queue; mode; ns; count: at most so many, 0: one and no batch; var = `as`, never NONE16. One:
                         var is the job (value its name, token its attempt). Many: var is the batch, for OP_FOR_INIT,
                         and takes one variable more for each job of the queue, in their order */
    OP_HEARTBEAT,     /* job_var */
    OP_COMPLETE,      /* job_var */
    OP_FAIL,          /* job_var */
    OP_ENQUEUE,       /* queue; job */
    OP_REAP,          /* queue */
    OP_REQUEUE,       /* job */
    OP_UPDATE,        /* table; row, NONE16: the first that matches; statement; var, NONE16: none. A row variable takes
                         1 + columns variables: the row (value its key), then its columns after the statement */
    OP_INSERT,        /* table; row; statement (no where) */
    OP_ERASE,         /* table; row; statement (no sets): `delete jobs/42 where ...` */
    OP_GET,           /* table; row; var as for OP_UPDATE: `read jobs/42 as row`. No such row is ERR_REFUSED */
    OP_PING,          /* target process; ns = `within`, REQUEST_TIMEOUT_NS by default */
    OP_LET,           /* var; expr */
    OP_JUMP,          /* jump */
    OP_UNLESS,        /* expr false: jump */
    OP_LOOP_INIT,     /* var (hidden) = expr: a count. Negative or not a number is an error of the scenario */
    OP_LOOP_NEXT,     /* var <= 0: jump (out); else var -= 1 */
    OP_FOR_INIT,      /* var (hidden) = the batch in job_var */
    OP_FOR_NEXT,      /* var empty: jump (out); else takes its next job into job_var, as the thread's latest; for_var:
                         the batch */
    OP_EVERY_INIT,    /* var (hidden) = monotonic now: first round at once */
    OP_EVERY_NEXT,    /* var += ns; waits until the node's monotonic clock reads var, then jump (back) */
    OP_RESUME,        /* end of a program-wide handler: goes on behind the step that failed */
    OP_STOP,
    OP_END,
    OPS
};

enum acquire_mode { ACQUIRE_BLOCK, ACQUIRE_TRY, ACQUIRE_WITHIN };
enum write_flag { WRITE_IF_UNCHANGED = 1, WRITE_TOKEN_EXPR = 2 };

struct instr {
    uint8_t op;
    uint8_t mode;  /* enum acquire_mode */
    uint8_t flags; /* enum write_flag */
    uint8_t spare;
    uint16_t lock;     /* acquire, keep, check, release */
    uint16_t for_lock; /* `for LOCK`: what the step acts for; NONE16: the thread's latest grant */
    uint16_t reg;      /* register */
    uint16_t store;
    uint16_t var;     /* within the client's variables */
    uint16_t process; /* ping */
    name_id text;     /* effect's name */
    uint16_t queue;
    uint16_t job;     /* index of a job that the file names; NONE16 */
    uint16_t job_var; /* variable that holds a job or row; NONE16 */
    uint16_t for_var; /* `for job`: the variable of what the step acts for; NONE16. Excludes for_lock */
    uint16_t table;
    uint16_t row; /* index of a row */
    uint16_t count;
    uint32_t statement;
    uint32_t expr; /* index of its first struct expr_op (the last is EX_END), or NONE32 */
    uint32_t token_expr;
    uint32_t jump;
    uint32_t line; /* of the scenario file, for the trace and for errors */
    ns duration;
    struct ids handlers; /* `on ERROR:` blocks of this step: rows of plan->handlers */
};

struct handler {
    uint32_t error; /* enum error */
    uint32_t code;  /* its first instruction. A step's own handler ends by OP_JUMP, a program's by OP_RESUME */
};

struct model_plan {
    const struct sim_plan *sim;
    uint32_t removed;     /* bit GATE_x: the case runs without it */
    uint32_t unjudged;    /* bits of SIGNS_OF_NOTES that nobody asks for: no note is made for their sake */
    uint16_t lease_clock; /* enum clock_kind: BOOTTIME; MONOTONIC without safe-clock; WALL `with clock wall` */
    uint16_t token_mode;  /* enum token_mode */
    uint16_t count_mode;  /* enum count_mode */
    uint16_t spare[3];
    ns progress; /* within which time `progress` must show; 0: twice the longest lease */
    uint32_t n_services, n_clients, n_locks, n_stores, n_registers;
    uint32_t n_queues, n_jobs, n_tables, n_columns, n_rows, n_cells;
    uint32_t captures_max, columns_max; /* of one statement; of one table */
    const struct actor *actor_of;       /* one a thread */
    const struct service_plan *services;
    const struct client_plan *clients; /* program threads and keepers, ascending by thread */
    const struct lock_plan *locks;
    const struct store_plan *stores;
    const struct register_plan *registers;
    const struct queue_plan *queues;
    const struct job_plan *jobs;
    const struct table_plan *tables;
    const struct column_plan *columns;
    const struct row_plan *rows;
    const struct cell_plan *cells;
    const struct word_value *words;
    const struct statement_plan *statements;
    const struct set_plan *sets;
    const uint32_t *captures;
    const name_id *identity; /* one a process: a TAG_TEXT literal (`identity "host-7"`) or NONE16 */
    const struct instr *code;
    uint32_t n_code;
    const struct expr_op *exprs;
    uint32_t n_exprs;
    const struct handler *handlers;
    uint32_t n_handlers;
    uint32_t n_vars;  /* of all clients together */
    uint32_t calls;   /* capacity: calls under way; `limit calls` */
    uint32_t effects; /* capacity: distinct effects; `limit effects`, default 32 */
    name_id error_name[ERRORS];
    name_id what_ask, what_grant, what_turn, what_queued, what_refusal, what_renew, what_extended, what_release,
        what_freed, what_read, what_value, what_write, what_written, what_delete, what_fence, what_ping, what_pong,
        what_vote; /* names of messages: "ask", "grant" ... for the trace */
    name_id what_claim, what_job, what_heartbeat, what_complete, what_finished, what_fail, what_returned, what_enqueue,
        what_added, what_reap, what_list, what_verdict, what_requeue, what_update, what_insert, what_changed, what_row;
    name_id why_failed, why_expired, why_operator, why_enqueued; /* of V_RETURNS: "failed", "expired" ... */
};

static inline bool gate_on(const struct model_plan *p, enum gate g) { return !(p->removed >> g & 1); }

/* Behind the last instruction of a client's program: its steps, then its handlers, then the next program. */
static inline uint32_t program_end(const struct model_plan *p, uint32_t client)
{
    uint32_t end = p->n_code;
    for (uint32_t i = 0; i < p->n_clients; i++)
        if (p->clients[i].keeps_for == NONE16 && p->clients[i].code > p->clients[client].code &&
            p->clients[i].code < end)
            end = p->clients[i].code;
    return end;
}

static inline uint32_t n_resources(const struct model_plan *p) { return p->n_locks + p->n_jobs + p->n_rows; }
/* Whose tokens a store keeps a mark for: each lock, each job, and last `token EXPR` that speaks for none. */
static inline uint32_t n_issuers(const struct model_plan *p) { return p->n_locks + p->n_jobs + 1; }
static inline uint16_t job_resource(const struct model_plan *p, uint32_t job) { return (uint16_t)(p->n_locks + job); }
static inline uint16_t row_resource(const struct model_plan *p, uint32_t row)
{
    return (uint16_t)(p->n_locks + p->n_jobs + row);
}
static inline bool is_lock(const struct model_plan *p, uint32_t resource) { return resource < p->n_locks; }
static inline bool is_job(const struct model_plan *p, uint32_t resource)
{
    return resource >= p->n_locks && resource < p->n_locks + p->n_jobs;
}
static inline bool is_row(const struct model_plan *p, uint32_t resource)
{
    return resource >= p->n_locks + p->n_jobs && resource < n_resources(p);
}
/* A row of a table that is `as queue`: a job. */
static inline bool is_queue_row(const struct model_plan *p, uint32_t resource)
{
    return is_row(p, resource) && p->tables[p->rows[resource - p->n_locks - p->n_jobs].table].kind == TABLE_QUEUE;
}
/* As the trace names it as an object: `leader`, `"invoice-42"`, `jobs/42`. */
name_id resource_name(const struct model_plan *p, uint32_t resource);

uint32_t model_bytes(const struct model_plan *p); /* of the world; a multiple of 8 */
extern const struct sim_model fencepost_model;    /* what sim_new() is given */

/* sim_fail() codes of the model. */
enum model_failure {
    FAIL_OVERFLOW = 1, /* an expression left 64 bits */
    FAIL_TYPE,         /* an operator met values it does not take */
    FAIL_COUNT,        /* `repeat` of something that is no count */
    FAIL_DURATION,     /* `work` or `wait` of something that is no duration >= 0 */
    FAIL_TOKEN,        /* `token EXPR` is no number >= 0 */
    FAIL_KEY,          /* the key of an effect is none */
    FAIL_CALLS,        /* capacity `calls` */
    FAIL_EFFECTS       /* capacity `effects` */
};
const char *model_failure_text(enum model_failure f);

#endif
