/* SPDX-License-Identifier: MIT
 *
 * state.h - what the models keep in the world, for model/ alone.
 *
 * The model's bytes begin with struct model_state; the arrays follow it in the order of
 * state_layout(). Everything is zero at reset; where zero would be a valid index, fields hold
 * "index + 1" or are set by state_reset().
 *
 * Two kinds of memory live here and never mix: what services and clients know (state.h), and what
 * the invariants remember of the trace (invariant.h).
 */
#ifndef FENCEPOST_MODEL_STATE_H
#define FENCEPOST_MODEL_STATE_H

#include "model/gate.h"
#include "model/invariant.h"
#include "model/plan.h"
#include "model/query.h"

/* --- calls: a request under way, and what its service remembers of it ------------------- */

enum request {
    REQ_ASK,
    REQ_VOTE,
    REQ_RENEW,
    REQ_RELEASE,
    REQ_FORCE,
    REQ_CLAIM, /* queues */
    REQ_HEARTBEAT,
    REQ_COMPLETE,
    REQ_FAIL,
    REQ_ENQUEUE,
    REQ_REAP,
    REQ_VERDICT,
    REQ_REQUEUE,
    REQ_READ, /* stores */
    REQ_WRITE,
    REQ_DELETE,
    REQ_FENCE,
    REQ_UPDATE, /* tables */
    REQ_INSERT,
    REQ_ERASE,
    REQ_GET,
    REQ_PING
};
enum answer { ANS_NONE, ANS_GRANT, ANS_QUEUED, ANS_VOTE, ANS_OK, ANS_REFUSED, ANS_VALUE };
enum message_kind { MSG_REQUEST, MSG_ANSWER, MSG_TURN };
enum call_flag { CALL_TRY = 1, CALL_UNCHANGED = 2, CALL_CHECKED = 4, CALL_STANDS = 8 /* in a line */ };

/* A slot is free when nobody waits for it, no service works on it, none keeps it in line and no copy of it travels. */
struct call {
    uint16_t client;  /* index: who asked */
    uint16_t service; /* index, NONE16 for a ping */
    uint8_t kind;     /* enum request */
    uint8_t waiting;  /* the client waits for an answer */
    uint8_t serving;  /* T_SERVE timers under way for it */
    uint8_t answer;   /* enum answer: what the service remembers of it */
    uint16_t reg;     /* store requests; table requests: the row, NONE16: the first that matches */
    uint16_t about;   /* the resource that it names, or whose token it carries (issuer: n_issuers - 1 for an explicit
                         token of nobody's); NONE16: none */
    uint16_t start;   /* which start of the client's process sent it */
    uint8_t flags;    /* enum call_flag */
    uint8_t tag;      /* of arg[VALUE] */
    uint32_t timer;   /* the client's: timeout or sending again; NONE32 */
    uint32_t line;
    ns first_sent;    /* the client's lease clock, before the first sending */
    int64_t arg[4];   /* see enum call_arg */
    int64_t reply[4]; /* see enum reply_arg; reply[3] holds a tag */
};
_Static_assert(sizeof(struct call) == 96, "struct call has no padding");

enum call_arg {
    ARG_TOKEN, /* tables: of the grant on that row that the thread spoke for at sending; -1: it had none */
    ARG_VALUE,
    ARG_BASED,
    ARG_UNCHANGED,
    ARG_STAMP = ARG_VALUE,     /* ask, renew, claim, heartbeat: shipped wall time */
    ARG_COUNT = ARG_BASED,     /* claim: at most so many */
    ARG_JOB = ARG_UNCHANGED,   /* claim, without atomic-claim: 1 + the job that was looked up */
    ARG_INSTR = ARG_VALUE,     /* tables: index of the instruction */
    ARG_FOUND = ARG_UNCHANGED, /* tables, looked up at arrival: 1 + the row */
    ARG_SPEAKS = ARG_BASED     /* tables: the client whose grant ARG_TOKEN is; -1: none */
};
enum reply_arg {
    REPLY_TOKEN,
    REPLY_VALUE,
    REPLY_VERSION,
    REPLY_TAG,
    REPLY_ERROR = REPLY_VALUE,
    REPLY_EPOCH = REPLY_VERSION,
    REPLY_JOBS = REPLY_TOKEN,   /* claim, reap: a bit a job, from the queue's first */
    REPLY_ROW = REPLY_TOKEN,    /* tables: which row it was */
    REPLY_CHANGE = REPLY_VALUE, /* tables: enum change, what the statement did to the grant of that row */
    REPLY_GRANT = REPLY_VERSION /* tables: the token of a grant, -1: it has none */
};

/* A value that travels with a call: to a table those of the client, and the row back; from a queue, attempts. */
struct cell_value {
    int64_t v;
    uint32_t version; /* there: of the read that a set column's value was made from, + 1; back: the column's */
    uint16_t tag;
    uint16_t spare;
};
_Static_assert(sizeof(struct cell_value) == 16, "struct cell_value has no padding");

/* --- services ------------------------------------------------------------------------------ */

struct lock_state {     /* central; last_token and the grant of a quorum too, for `token leader` */
    int64_t counter;    /* the last token, on disk with monotonic-token */
    int64_t last_token; /* of the last grant ever, for expectations; 0: none */
    int64_t token;      /* of the current grant */
    ns until;           /* the lease's end, on the clock that judges it */
    ns delay_until;     /* lock-delay, or quarantine after an amnesiac restart */
    uint32_t expiry_timer, delay_timer, lapse_timer;
    uint32_t issued; /* for token modes that are no counter */
    uint16_t holder; /* client index, NONE16: free */
    uint16_t holder_start;
    uint16_t in_line; /* rows used of its line */
    uint8_t delayed;  /* delay_until has not come */
    uint8_t granted;  /* grants so far were not zero: last_token counts */
};
_Static_assert(sizeof(struct lock_state) == 64, "struct lock_state has no padding");

struct place { /* in a line of waiters, see line.h */
    uint16_t client;
    uint16_t start;
    uint32_t timer; /* it was called, and keeps its place for so long; NONE32: not called */
    uint16_t call;  /* index: the request that stands here */
    uint16_t spare;
};
_Static_assert(sizeof(struct place) == 12, "struct place has no padding");

struct job_state {
    int64_t last_token; /* of the last claim ever: which attempt that was, whatever a crash has made of the row */
    int64_t token;      /* of the last claim, on disk with monotonic-token; 0: never claimed */
    ns until;           /* the lease's end, on the clock that judges it */
    uint32_t order;     /* of its arrival in the queue: the smallest is claimed first */
    uint32_t expiry_timer, lapse_timer;
    uint32_t spare;
    uint16_t holder; /* client index of the last claim; NONE16: never claimed, or forgotten */
    uint16_t holder_start;
    uint16_t attempts;
    uint16_t finisher; /* process that finished it, NONE16 */
    uint8_t phase;     /* enum job_phase */
    uint8_t granted;   /* claimed at least once */
    uint8_t expired;   /* running, and its lease is over */
    uint8_t spare2[5];
};
_Static_assert(sizeof(struct job_state) == 56, "struct job_state has no padding");

struct queue_state {
    uint32_t next_order;
    uint16_t in_line; /* rows used of its line */
    uint16_t spare;
};
_Static_assert(sizeof(struct queue_state) == 8, "struct queue_state has no padding");

struct row_state {
    int64_t token; /* of the last grant, and whose: what the trace says of it */
    ns promised;   /* its end, on the table's wall clock */
    uint32_t lapse_timer;
    uint16_t holder; /* client index of the last grant, NONE16: never granted */
    uint16_t holder_start;
    uint8_t exists;
    uint8_t granted; /* at least once, since the table last lost everything */
    uint8_t held;    /* the last grant was not given back, nor lost with the table */
    uint8_t spare[5];
};
_Static_assert(sizeof(struct row_state) == 32, "struct row_state has no padding");

struct cell_state {
    int64_t v;
    uint32_t version; /* changes so far */
    uint16_t tag;
    uint16_t spare;
};
_Static_assert(sizeof(struct cell_state) == 16, "struct cell_state has no padding");

struct voter_state {
    int64_t promised; /* the largest epoch promised */
    int64_t voted_epoch;
    ns until; /* the vote's lease, on the lease clock */
    ns quarantine_until;
    uint32_t expiry_timer, lapse_timer;
    uint16_t voted; /* client index, NONE16 */
    uint16_t voted_start;
    uint16_t holder; /* whose lease runs, NONE16 */
    uint16_t quarantined;
};
_Static_assert(sizeof(struct voter_state) == 48, "struct voter_state has no padding");

struct register_state {
    int64_t value;
    uint32_t version; /* writes and deletes so far; kept over a loss of data */
    uint16_t tag;
    uint16_t exists;
};
_Static_assert(sizeof(struct register_state) == 16, "struct register_state has no padding");

struct effect_state {
    int64_t key;
    uint16_t name; /* name_id + 1; 0: free */
    uint16_t tag;
    uint32_t count;
};
_Static_assert(sizeof(struct effect_state) == 16, "struct effect_state has no padding");

/* --- clients ---------------------------------------------------------------------------------- */

enum stage { STAGE_FRESH, STAGE_ACT, STAGE_WAIT, STAGE_RETRY, STAGE_ENDED };

struct client_state {
    uint32_t pc;
    uint32_t resume_pc;  /* where a program-wide handler goes on */
    uint32_t generation; /* steps and timers of an older one are stale */
    uint32_t timer;      /* work, wait, within, canvass; NONE32 */
    uint32_t within_timer;
    uint16_t call;  /* the one call it waits for, NONE16 */
    uint16_t voter; /* canvass: the next voter to ask */
    uint8_t stage;  /* enum stage */
    uint8_t in_handler;
    uint8_t acting; /* an act was noted and not yet rested */
    uint8_t spare;
    uint16_t acting_owner; /* client whose grants it acts under */
    uint16_t last_job;     /* 1 + the resource of the job or row that it was given last, 0: none */
    uint64_t acting_on;    /* bit a resource */
    uint64_t todo;         /* reap: the jobs of the queue still to be judged, a bit each */
};
_Static_assert(sizeof(struct client_state) == 48, "struct client_state has no padding");

struct var_state {
    int64_t v;
    int64_t token;    /* `first.token`, or the mark a read saw; -1: none */
    uint32_t version; /* `x.version`: of the register it was read from */
    uint16_t tag;
    uint16_t resource; /* 1 + the job or row that it stands for; 0: none */
};
_Static_assert(sizeof(struct var_state) == 24, "struct var_state has no padding");

/* One program thread and one lock, job or row. */
struct holding {
    int64_t token;
    int64_t epoch_seen;     /* quorum: the largest epoch it has seen */
    int64_t epoch;          /* quorum: of the canvass under way. A job: the attempt that its last look saw. A row: the
                               token of the last grant to this thread, whether it has heard of it or not */
    ns deadline;            /* the lease less the margin, on the lease clock */
    ns beat;                /* when the next renewal is due, on the lease clock */
    ns sent;                /* lease clock before the first sending of the renewal under way */
    ns canvass_sent;        /* the same of the canvass; a holder may ask anew while its keeper renews */
    ns canvass_end;         /* a tenth of the lease after the first ask, on monotonic */
    uint64_t votes;         /* voters that agreed in the renewal */
    uint64_t refusals;      /* voters that refused it */
    uint64_t canvass_votes; /* the same of the canvass */
    uint64_t canvass_refusals;
    uint64_t rests_on; /* votes that the latest winning count rested on */
    uint32_t order;    /* of acquisition in this process; larger is later */
    uint32_t belief_timer, beat_timer, watchdog_timer, retry_timer;
    uint8_t held;     /* acquired and not yet released */
    uint8_t lost;     /* told or seen that it is over */
    uint8_t believed; /* noted in the trace */
    uint8_t keeps;    /* a keeper renews it */
    uint8_t draining; /* drain-first: a release waits */
    uint8_t renewing; /* a renewal is under way */
    uint8_t canvassing;
    uint8_t ever;   /* acquired at least once in this start */
    uint16_t voter; /* keeper: the next voter to send to */
    uint16_t spare;
};
_Static_assert(sizeof(struct holding) == 136, "struct holding has no padding");

/* --- beside the world, for the notes of gates ------------------------------------------------------ */

struct clock_gap { /* a machine's clocks less its boottime */
    ns monotonic, wall;
};
_Static_assert(sizeof(struct clock_gap) == 16, "struct clock_gap has no padding");

struct early {
    uint64_t jobs;  /* a claim: those that it would have been given, a bit each */
    uint32_t found; /* a statement: 1 + the row; 0: none matches */
    uint32_t good;  /* a write: 1: nothing stood against it */
};
_Static_assert(sizeof(struct early) == 16, "struct early has no padding");

/* --- all of it ---------------------------------------------------------------------------------- */

struct model_state {
    uint32_t next_order; /* for holdings */
    uint32_t calls_used; /* slots of calls ever used: the first so many */
    struct invariant_state inv;
};
_Static_assert(sizeof(struct model_state) == 8 + sizeof(struct invariant_state), "struct model_state has no padding");

/* Pointers into the world, which stays where it is: made once for a sim, in its scratch. */
struct m {
    struct sim *s;
    const struct model_plan *p;
    struct model_state *state;
    struct call *calls;
    uint64_t *flights;  /* beside the world: a bit a call, see calls_look() */
    uint32_t calls_at;  /* where the calls begin in the model's bytes */
    uint32_t resources; /* n_resources() of the plan */
    uint32_t carry;     /* values that go with a call */
    uint32_t asides;    /* 1: somebody asks for V_GUARDS and V_TAKES */
    struct lock_state *locks;
    struct place *line;         /* [lock, then queue][n_clients]: clients in line, first first */
    int64_t *owner_tokens;      /* [lock][n_clients] */
    struct voter_state *voters; /* [service] */
    struct queue_state *queues;
    struct job_state *jobs;
    struct row_state *rows;
    struct cell_state *cells;
    struct register_state *registers;
    uint64_t *marks;     /* [store][n_issuers]: largest token + 1; 0: none seen */
    uint64_t *key_marks; /* [register][n_issuers] */
    struct effect_state *effects;
    struct client_state *clients;
    struct var_state *vars;
    struct holding *holdings;  /* [client][resource] */
    uint32_t *read_version;    /* [client][register]: version + 1 at its last read; 0: never read */
    uint32_t *var_based;       /* [variable][register, then cell]: version + 1 of the read that its value was made from;
                                 0: none */
    const struct renaming *as; /* of the digest under way; NULL: none */
    uint64_t *kin;             /* beside the world, by client: see abstract_prepare() */
    uint64_t *call_name;       /* beside the world, by call: see digest.c */
    uint8_t *is_round;         /* beside the world, by variable: it is a hidden one of `repeat every` */
    struct clock_gap *gaps;    /* beside the world, see gate_clock.c */
    struct early *early;       /* beside the world, by call: what a check at arrival would have found, or did find */
    ns longest;                /* of the plan's leases of locks and jobs */
    ns last_until;             /* the latest true time that a program waits for */
    struct cell_value *carried; /* [call][carry]: what goes with a table's call and comes back; the attempts that a
                                   queue's answer tells, by job of the queue */
    struct invariant_memory inv;
};

/* Beside the world: made once for a sim from the plan. The table of names follows it. */
struct scratch {
    struct m m;
    struct judge judge;
};
_Static_assert(sizeof(struct scratch) == sizeof(struct m) + sizeof(struct judge), "struct scratch has no padding");
static inline struct scratch *scratch_of(struct sim *s) { return sim_model_scratch(s); }

/* What a handler begins with. */
static inline struct m *m_of(struct sim *s) { return &scratch_of(s)->m; }
struct m m_open(struct sim *s); /* a copy */
void m_prepare(struct sim *s);
struct m m_layout(struct sim *s, const struct model_plan *p, void *base, uint32_t *bytes);

static inline struct holding *holding_of(const struct m *m, uint16_t client, uint16_t resource)
{
    return &m->holdings[(uint32_t)client * m->resources + resource];
}
/* How many registers and cells a variable's value can come from. */
static inline uint32_t n_sources(const struct model_plan *p) { return p->n_registers + p->n_cells; }
/* From the end on, so that those of calls never used are in no snapshot. */
static inline struct cell_value *captured(const struct m *m, uint32_t call)
{
    return &m->carried[(m->p->calls - 1 - call) * m->carry];
}
/* The attempts of a claim's or a look's answer, by job of the queue. */
static inline struct cell_value *carried_attempts(const struct m *m, uint32_t call) { return captured(m, call); }
static inline struct cell_value *carried_row(const struct m *m, uint32_t call)
{
    return captured(m, call) + m->p->captures_max;
}
static inline uint16_t client_thread(const struct m *m, uint16_t client) { return m->p->clients[client].thread; }
static inline uint16_t client_process(const struct m *m, uint16_t client)
{
    return m->p->sim->threads[m->p->clients[client].thread].process;
}
/* The program thread that a call speaks for: a keeper renews what its program was granted. */
static inline uint16_t principal(const struct m *m, uint16_t client)
{
    uint16_t program = m->p->clients[client].keeps_for;
    return program == NONE16 ? client : program;
}
static inline name_id process_name(const struct m *m, uint16_t process) { return m->p->sim->processes[process].name; }
static inline name_id client_node(const struct m *m, uint16_t client)
{
    return process_name(m, client_process(m, client));
}
static inline name_id client_name(const struct m *m, uint16_t client)
{
    return m->p->sim->threads[m->p->clients[client].thread].name;
}
static inline uint16_t service_process(const struct m *m, uint16_t service)
{
    return m->p->sim->threads[m->p->services[service].thread].process;
}
static inline name_id service_name(const struct m *m, uint16_t service)
{
    return process_name(m, service_process(m, service));
}

/* A clock of the client's machine, read now. */
static inline ns client_clock(const struct m *m, uint16_t client, int clock)
{
    return thread_clock(m->s, client_thread(m, client), (enum clock_kind)clock);
}
/* The clock that judges leases at services: their own, but without one-clock they read foreign wall times. */
static inline int judging_clock(const struct m *m)
{
    return gate_on(m->p, GATE_ONE_CLOCK) ? m->p->lease_clock : CLOCK_WALL;
}
/* How long a lock's or a job's lease is, what its client takes off it, and a keeper's rhythm (0: no beats). */
static inline const struct queue_plan *queue_of_job(const struct model_plan *p, uint32_t resource)
{
    return &p->queues[p->jobs[resource - p->n_locks].queue];
}
static inline ns lease_of(const struct model_plan *p, uint32_t resource)
{
    return is_lock(p, resource) ? p->locks[resource].ttl : queue_of_job(p, resource)->lease;
}
static inline ns margin_of(const struct model_plan *p, uint32_t resource)
{
    return is_lock(p, resource) ? p->locks[resource].margin : queue_of_job(p, resource)->margin;
}
static inline ns rhythm_of(const struct model_plan *p, uint32_t resource)
{
    return is_lock(p, resource) ? p->locks[resource].renew : queue_of_job(p, resource)->renew;
}
/* Cancels a timer whose slot is kept in *slot, and forgets it. */
static inline void timer_stop(const struct m *m, uint32_t *slot)
{
    if (*slot != NONE32)
        timer_cancel(m->s, *slot);
    *slot = NONE32;
}

/* --- values for records --------------------------------------------------------------------------- */

static inline struct value value_none(void) { return (struct value){0, TAG_NONE}; }
static inline struct value value_int(int64_t v) { return (struct value){v, TAG_INT}; }
static inline struct value value_ns(ns v) { return (struct value){v, TAG_NS}; }
static inline struct value value_name(name_id n) { return (struct value){n, n == NONE16 ? TAG_NONE : TAG_NAME}; }
static inline struct value value_text(name_id n) { return (struct value){n, n == NONE16 ? TAG_NONE : TAG_TEXT}; }
/* Tokens count from 0; less: there is none. */
static inline struct value value_token(int64_t token) { return (struct value){token, token < 0 ? TAG_NONE : TAG_INT}; }

/* --- timers of the model --------------------------------------------------------------------------- */

enum timer_kind {
    T_STEP,       /* client: go on; subject = generation */
    T_WORK,       /* client: work is done; subject = generation */
    T_WAIT,       /* client: wait is over; subject = generation */
    T_CALL,       /* client: no answer in time; subject = call */
    T_WITHIN,     /* client: `within` is over; cancelled whenever the step is left */
    T_CANVASS,    /* candidate: a tenth of the lease is over; subject = generation */
    T_RETRY,      /* candidate: canvass again; subject = generation */
    T_WATCHDOG,   /* program thread: the lease less the margin is over; subject = lock */
    T_BELIEF,     /* observer: the node's own check turns to no; subject = lock */
    T_BEAT,       /* keeper: a renewal is due; subject = lock */
    T_KEEP_STEP,  /* keeper: send to the next voter; subject = lock */
    T_KEEP_RETRY, /* keeper: no answer in time, send again; subject = lock */
    T_SERVE,      /* service: synced (and slow enough); subject = call */
    T_EXPIRE,     /* service, voter: the lease is over; queue: subject = job */
    T_LAPSE,      /* observer: the promised lease is over; subject = token << 16 | client; table: row */
    T_TURN,       /* central, queue: a called client did not come; subject = client */
    T_DELAY       /* central: the lock-delay or quarantine is over; voter: the quarantine is */
};

/* --- between the files of model/ --------------------------------------------------------------------- */

/* call.c */
/* Which calls travel, for call_is_free(): to be asked anew after every sending and arrival. */
void calls_look(const struct m *m);
bool call_is_free(const struct m *m, uint32_t call);
uint16_t call_new(struct m *m, uint16_t client, uint16_t service, enum request kind, uint32_t line);
void call_send(struct m *m, uint16_t call);                  /* sends (again); the first time reads first_sent */
void call_answer(struct m *m, uint16_t call, enum answer a); /* remembers and sends calls[call].reply */
void call_answer_again(struct m *m, uint16_t call);
void call_abandon(struct m *m, uint16_t call); /* the client no longer waits; cancels its timer */
void call_abandon_all(struct m *m, uint16_t client, uint16_t resource); /* its calls about this one (NONE16: any) */
void call_serve_later(struct m *m, uint16_t call, bool sync); /* T_SERVE after sync and slowness, or at once */
void call_serve(struct m *m, uint16_t call);                  /* T_SERVE: the service does it now */
void call_deliver(struct m *m, const struct message *msg);    /* a request has arrived at its service */
void conn_broken(const struct m *m, uint16_t client, uint16_t service);  /* one of them crashed */
void call_forget_served(struct m *m, uint16_t service, bool everything); /* the service crashed */
name_id call_what(const struct m *m, enum request kind);

/* central.c, voter.c, store.c: a request is served; a deadline of theirs is due; they crashed or came back */
void central_serve(struct m *m, uint16_t call);
void central_again(struct m *m, uint16_t call); /* a repeated ask that was answered `queued` */
void central_timer(struct m *m, const struct timer *t);
void central_crashed(struct m *m, uint16_t service, enum losing losing);
void central_restarted(struct m *m, uint16_t service);
void voter_serve(struct m *m, uint16_t call);
void voter_timer(struct m *m, const struct timer *t);
void voter_crashed(struct m *m, uint16_t service, enum losing losing);
void voter_restarted(struct m *m, uint16_t service);
void store_arrived(struct m *m, uint16_t call); /* a store request, new or to be done again */
void store_serve(struct m *m, uint16_t call);
void store_crashed(struct m *m, uint16_t service, enum losing losing);
bool same_identity(const struct m *m, uint16_t client_a, uint16_t client_b); /* without fresh-identity */
/* Observes the end of a promised lease in the stead of what *slot observed. */
void set_lapse(struct m *m, uint16_t service, uint32_t *slot, int64_t subject, int clock, ns deadline);
static inline int64_t lapse_subject(int64_t token, uint16_t client) { return token << 16 | client; }
static inline int64_t lapse_of_job(int64_t token, uint32_t job, uint16_t client)
{
    return token << 24 | (int64_t)job << 16 | client;
}

/* queue.c, table.c */
void jobs_ready(struct m *m); /* what is there from the start */
void rows_ready(struct m *m);
void queue_arrived(struct m *m, uint16_t call, bool sync); /* a new request */
void queue_serve(struct m *m, uint16_t call);
void queue_again(struct m *m, uint16_t call); /* a repeated claim that was answered `queued` */
void queue_timer(struct m *m, const struct timer *t);
void queue_crashed(struct m *m, uint16_t service, enum losing losing);
void queue_restarted(struct m *m, uint16_t service);
void table_arrived(struct m *m, uint16_t call, bool sync);
void table_serve(struct m *m, uint16_t call);
struct value row_grant(const struct m *m, uint32_t row); /* token of its last grant; none: the table has no token */
void table_crashed(struct m *m, uint16_t service, enum losing losing);
/* What a statement did to the grant of its row (scenarios/README.md, "Your own lock in SQL"). */
enum change { CHANGE_NONE, CHANGE_REWRITE, CHANGE_FINISH, CHANGE_GRANT, CHANGE_END, CHANGE_EXTEND };

/* step_row.c: what the values of a statement were made from, of this row; NONE16: not known yet, none */
void note_based(struct m *m, uint16_t client, const struct instr *k, uint16_t call, uint32_t row);

/* candidate.c */
void canvass_begin(struct m *m, uint16_t client); /* stage ACT of OP_ACQUIRE on a quorum lock */
void canvass_answer(struct m *m, uint16_t client, uint16_t call, const struct message *msg);
void canvass_over(struct m *m, uint16_t client); /* T_CANVASS */
void votes_give_back(struct m *m, uint16_t client, uint16_t lock, uint64_t voters, int64_t epoch);
/* Notes what strict-majority makes of these votes, where that decides. */
void quorum_note(struct m *m, uint16_t client, uint16_t lock, uint64_t votes);
bool quorum_wins(const struct m *m, uint16_t lock, uint64_t votes, uint64_t refusals, bool at_end);

/* gate.c: the notes of gates. Who asks: a service that a request came to; a service of itself; a client, in its step.
 * Names and lines are looked up only where asides are made. */
struct asked_by {
    const struct call *call; /* NULL: no request */
    uint16_t client;         /* NONE16: a service asks */
    uint16_t service;
    uint16_t holder;   /* a service of itself: client whose grant it is about, NONE16: nobody's */
    uint16_t resource; /* a client: what it is about, NONE16: nothing that can be granted */
};
static inline struct asked_by by_call(const struct call *k)
{
    return (struct asked_by){k, NONE16, k->service, NONE16, NONE16};
}
static inline struct asked_by by_service(uint16_t service, uint16_t holder)
{
    return (struct asked_by){NULL, NONE16, service, holder, NONE16};
}
static inline struct asked_by by_client(uint16_t client, uint16_t resource)
{
    return (struct asked_by){NULL, client, NONE16, NONE16, resource};
}
void gate_tell(struct m *m, enum gate gate, struct asked_by by, uint64_t fails);
/* The note alone, where what the gate does is done elsewhere. */
static inline void gate_note(struct m *m, enum gate gate, struct asked_by by, uint64_t fails)
{
    if (m->asides)
        gate_tell(m, gate, by, fails);
}
/* Whether the gate lets through what these conjuncts (bits of conjunct_bit()) fail for; it is noted. */
static inline bool gate_lets(struct m *m, enum gate gate, struct asked_by by, uint64_t fails)
{
    gate_note(m, gate, by, fails);
    return fails == 0 || !gate_on(m->p, gate);
}
/* fresh-identity, where the caller goes by the name that a grant (of this client, in this start) was given to. */
void gate_note_identity(struct m *m, const struct call *k, uint16_t holder, uint16_t holder_start);
/* one-clock: the caller's wall clock, as its request brought it along, against the judge's. */
void gate_note_stamp(struct m *m, const struct call *k, uint32_t resource);

/* gate_clock.c: what the clocks that a lease is not measured on would say (safe-clock). The moment from which a lease
 * is going to count: by the client's reading before it sends ... */
void gate_clock_sends(struct m *m, uint16_t client);
/* ... which is the one of its grant or renewal; asker: whose sending it was, the client itself or its keeper; */
void gate_clock_got(struct m *m, uint16_t client, uint16_t asker, uint16_t resource);
/* and by the service's reading when it grants. */
void gate_clock_gives(struct m *m, uint16_t service, uint32_t resource);
/* A client asks its own clock for the deadline; a service asks its own whether a lease that ends at `until` is over.
 * Notes whether another clock would have said otherwise. */
void gate_clock_asked(struct m *m, uint16_t client, uint16_t owner, uint16_t resource);
void gate_clock_judged(struct m *m, uint16_t service, uint32_t resource, ns until);

/* holding.c: grants as the client sees them */
void holding_acquired(struct m *m, uint16_t client, uint16_t lock, int64_t token, ns first_sent, uint64_t rests_on);
void holding_renewed(struct m *m, uint16_t client, uint16_t lock, ns first_sent, uint64_t rests_on);
void holding_end(struct m *m, uint16_t client, uint16_t lock);         /* a release was sent */
void holding_lose(struct m *m, uint16_t client, uint16_t lock);        /* told or seen that it is over */
bool holding_valid(const struct m *m, uint16_t client, uint16_t lock); /* the node's own check, now */
void holding_belief_over(struct m *m, uint16_t client, uint16_t lock); /* T_BELIEF */
uint16_t holding_latest(const struct m *m,
                        uint16_t client); /* its thread's latest grant not ended: lock or job, or NONE16 */
uint16_t holding_owner(const struct m *m, uint16_t client,
                       uint16_t lock); /* `for LOCK`: which thread of the process holds it */
void act_begin(struct m *m, uint16_t client, uint16_t owner, uint64_t locks);
void act_end(struct m *m, uint16_t client);

/* keeper.c */
void keeper_watch(struct m *m, uint16_t client, uint16_t resource); /* extended by a step: the watchdog waits on */
void keeper_begin(struct m *m, uint16_t client, uint16_t lock);
void keeper_end(struct m *m, uint16_t client, uint16_t lock); /* cancels its timers and calls */
void keeper_timer(struct m *m, uint16_t keeper, const struct timer *t);
void keeper_answer(struct m *m, uint16_t keeper, uint16_t call, const struct message *msg);
void keeper_too_late(struct m *m, uint16_t client, uint16_t resource); /* T_WATCHDOG: interrupts the program */

/* client.c */
void client_start(struct m *m, uint16_t client);
void client_timer(struct m *m, uint16_t client, const struct timer *t);
void client_answer(struct m *m, uint16_t client, const struct message *msg);
/* Whose request stands in line is called. */
void client_turn(struct m *m, uint16_t client, const struct message *msg);
void client_crashed(struct m *m, uint16_t client);
void client_acquired(struct m *m, uint16_t client, uint16_t lock, int64_t token, ns first_sent, uint64_t rests_on);
void client_fail(struct m *m, uint16_t client, enum error e);      /* the step under way failed */
void client_interrupt(struct m *m, uint16_t client, enum error e); /* a keeper or watchdog says so */
void client_next(struct m *m, uint16_t client);                    /* the step is done: on to the next */
void client_soon(struct m *m, uint16_t client);                    /* the same step goes on in an event of its own */
void client_timer_set(struct m *m, uint16_t client, enum timer_kind kind, int clock, ns deadline, unsigned flags);
void client_drain_check(struct m *m, uint16_t process); /* an act ended: a release may go on */
static inline const struct instr *client_instr(const struct m *m, uint16_t client)
{
    return &m->p->code[m->clients[client].pc];
}

/* expr.c */
/* Evaluates for a client; sim_fail()s and returns false on an error. */
bool expr_value(struct m *m, uint16_t client, uint32_t expr, uint32_t line, struct value *out);
bool expr_run(struct m *m, uint16_t client, uint32_t first_op, struct value *out, enum model_failure *failure);
/* The same on a table's server: the row looked at, what the call brought along, the server's clock. */
struct expr_scope {
    uint32_t first_cell;
    uint16_t call;
    uint16_t thread;
};
_Static_assert(sizeof(struct expr_scope) == 8, "struct expr_scope has no padding");
bool expr_on_server(struct m *m, const struct expr_scope *scope, uint32_t first_op, struct value *out,
                    enum model_failure *failure);
/* The oldest version of a register (or n_registers + cell) that the variables of an expression were made from, + 1; 0:
 * of none. */
uint32_t expr_based(const struct m *m, uint16_t client, uint32_t expr, uint32_t source);

/* A record, with the object's fields. */
static inline uint32_t record(struct m *m, uint16_t process, name_id actor, uint16_t verb, name_id object,
                              const struct value *f, uint32_t n, uint32_t line)
{
    return sim_record(m->s, process, actor, verb, object, f, n, line);
}

#endif
