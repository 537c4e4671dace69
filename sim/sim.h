/* SPDX-License-Identifier: MIT
 *
 * sim.h - the kernel as models and runners see it.
 *
 * The kernel knows machines (three clocks each), processes on machines, threads in processes,
 * messages between threads, timers, faults, triggers, decision points and the trace. It knows
 * nothing of locks. A model is a table of functions (struct sim_model) that the kernel calls
 * with one event at a time.
 *
 * The rules a reader may rely on (design.md 3 and 7):
 *
 *  1. Events run in order of (true time, class, sequence). Classes: fault, backlog (and observers),
 *     message, timer or step. Sequence is the order of insertion.
 *  2. An event whose thread is stopped (thread or process paused, machine suspended) is *held*
 *     until the thread may run. At resume the held events run at that instant, merged by due
 *     and arrival time; a decision point may put timers first or messages first. The step that
 *     a pause interrupted is due at the pause's start and goes first.
 *  3. A crash removes every event and held message of the process. Messages it sent go on.
 *  4. A handler runs to its end. It may call sim_before() once or more *before it has changed
 *     anything*; when that says false the handler returns at once, and the very same event
 *     comes again when the thread runs on (or never, after a crash).
 *  5. Faults that a record triggers (`after ...`) are applied when the handler has ended, before
 *     any other event. Faults triggered `before ...` are applied inside sim_before().
 *  6. Everything that changes during a run lies in one block, struct world and what follows it;
 *     struct sim itself holds only constants, the trace buffer and scratch.
 *
 * Ownership: a plan is built by the loader, constant and shared by all runs of a case. A sim and
 * its block are made by sim_new() (the only allocation) and freed by sim_free().
 */
#ifndef FENCEPOST_SIM_SIM_H
#define FENCEPOST_SIM_SIM_H

#include "sim/base.h"

struct sim;
struct world;

/* --- clocks ------------------------------------------------------------------------ */

enum clock_kind {
    CLOCK_MONOTONIC, /* stops while the machine is suspended */
    CLOCK_BOOTTIME,
    CLOCK_WALL,
    CLOCKS,
    CLOCK_TRUE = CLOCKS, /* true time: `wait until`, dated faults, network */
    CLOCK_RUN            /* true time in which the event's thread runs: `work` */
};

/* --- verbs: one table for trace, triggers, printer and `expect` --------------------- */

#define RECORD_FIELDS 8

enum verb_flag {
    VERB_BEFORE = 1, /* `before ACTOR VERB OBJECT` is allowed: some handler calls sim_before() */
    VERB_AFTER = 2,  /* `after ...` is allowed */
    VERB_NOTE = 4,   /* a note: not in the trace digest, not printed by default */
    VERB_ASIDE = 8,  /* a note that is made only for those who ask (SIM_ASIDES): it would be too much for all others */
    VERB_TAIL = 16   /* times n: the last n fields are folded into the digest only where they are not none. So a
                        verb that grows a field leaves the digests of older stories as they were */
};

struct verb {
    const char *name;                          /* as printed: "grants" */
    const char *sentence;                      /* for `fencepost list verbs` and the reference */
    uint8_t flags;                             /* enum verb_flag */
    uint8_t fields;                            /* how many of a record's fields it uses */
    const char *field_name[RECORD_FIELDS + 1]; /* printed before the value; "" prints the value alone;
                                                   a leading '.' hides the field from the printed line
                                                   (it is in digest, exports and invariants still). NULL ends it */
};

/* The kernel's own verbs come first in every verb table: X(ID, name, sentence, flags, fields...).
 * A model's table continues at SIM_VERBS. */
#define SIM_VERB_TABLE(X)                                                                                 \
    X(V_PAUSES, "pauses", "a process or thread stops; its machine's clocks run on", VERB_AFTER, 1, "for") \
    X(V_RESUMES, "resumes", "a paused or suspended one runs on", VERB_AFTER, 0)                           \
    X(V_SUSPENDS, "suspends", "a machine stops, its monotonic clock too", VERB_AFTER, 1, "for")           \
    X(V_CRASHES, "crashes", "a process ends; volatile state is gone", VERB_AFTER, 2, "for", "losing")     \
    X(V_RESTARTS, "restarts", "a crashed process starts again", VERB_AFTER, 0)                            \
    X(V_PARTITIONS, "partitions", "groups can no longer reach each other", VERB_AFTER, 2, "", "for")      \
    X(V_CUTS, "cuts", "a link closes", VERB_AFTER, 2, "", "for")                                          \
    X(V_HEALS, "heals", "a partition or cut ends", VERB_AFTER, 1, "")                                     \
    X(V_LOSES, "loses", "a message is lost: a closed link, or `drop`", VERB_AFTER, 2, "to", "what")       \
    X(V_HOLDS, "holds", "a message waits at a closed link", VERB_AFTER, 2, "to", "what")                  \
    X(V_DELAYS, "delays", "a message is late by a fault", VERB_AFTER, 3, "to", "what", "by")              \
    X(V_DUPLICATES, "duplicates", "a message will arrive twice", VERB_AFTER, 3, "to", "what", "after")    \
    X(V_REORDERS, "reorders", "a message lets its successor go first", VERB_AFTER, 2, "to", "what")       \
    X(V_SLOWS, "slows", "a service begins to answer late", VERB_AFTER, 2, "by", "for")                    \
    X(V_RECOVERS, "recovers", "a slow service is itself again", VERB_AFTER, 0)                            \
    X(V_JUMPS, "jumps", "a wall clock is stepped", VERB_AFTER, 1, "by")                                   \
    X(V_DRIFTS, "drifts", "a machine's clocks change their rate", VERB_AFTER, 2, "ppm", "ppb")            \
    X(V_SLEWS, "slews", "a machine's clocks are slewed", VERB_AFTER, 2, "by", "over")                     \
    X(V_RECEIVES, "receives", "a message arrives", VERB_NOTE, 3, "from", "what", ".call")                 \
    /* kind: enum choice_kind; what: a verb, or a message's name */                                       \
    X(V_CHOICE, "chooses", "a decision point", VERB_NOTE, 5, "kind", "what", "#", "options", ".address")

enum sim_verb {
#define X(id, ...) id,
    SIM_VERB_TABLE(X)
#undef X
        SIM_VERBS
};

/* --- the trace ---------------------------------------------------------------------- */

struct record {
    ns at;          /* true time */
    uint32_t cause; /* 1 + index of the record that led to this one; 0: none. Not in the digest */
    uint32_t line;  /* scenario line it comes from, 0 if none. Not in the digest */
    name_id actor;  /* who: a node, thread, service; for the network `net` */
    uint16_t verb;
    name_id object;             /* whom or what, or NONE16 */
    uint16_t start;             /* which start of the actor's process, from 1; 0 for the network */
    uint8_t tag[RECORD_FIELDS]; /* enum tag of each field */
    int64_t field[RECORD_FIELDS];
};
_Static_assert(sizeof(struct record) == 96, "struct record has no padding");

struct sim_plan;
/* The value of a field by its name, hidden or not ("token", "version"); TAG_NONE if the verb has none. */
struct value record_field(const struct sim_plan *plan, const struct record *r, const char *name);

/* --- the plan: what exists, constant during runs ------------------------------------- */

/* A span of plan->ids. */
struct ids {
    uint32_t first;
    uint32_t n;
};

struct machine_plan {
    name_id name;
    uint16_t spare[3];
    ns wall_offset; /* added to 12:00:00 at the start */
    int64_t ppb;    /* rate of all three clocks from the start; |ppb| <= 5*10^8 */
};

struct process_plan {
    name_id name;
    uint16_t machine;
    uint16_t first_thread; /* its threads are consecutive */
    uint16_t threads;
};

struct thread_plan {
    name_id name; /* of what it does; a main thread's is its process's */
    uint16_t process;
    uint16_t starts; /* 1: the kernel calls model->start(thread) at 0s and at each restart */
    name_id alone;   /* of a pause of it alone: tells a main thread from its process; any other's is its name */
};

/* Links are directed and lie between machines. The default covers every pair that no row names. */
struct link_plan {
    uint16_t from, to; /* machines */
    uint16_t datagram; /* 1: messages come as they come; 0: in order for each connection */
    uint16_t spare;
    ns delay_min, delay_max; /* the calm run takes delay_min */
};

enum fault_kind {
    FAULT_PAUSE,
    FAULT_SUSPEND,
    FAULT_CRASH,
    FAULT_PARTITION,
    FAULT_CUT,
    FAULT_HEAL,
    FAULT_DELAY,
    FAULT_DROP,
    FAULT_DUPLICATE,
    FAULT_REORDER,
    FAULT_WALL_JUMP,
    FAULT_DRIFT,
    FAULT_SLEW,
    FAULT_SLOW,
    FAULT_RESUME_ORDER,
    FAULTS
};

enum losing { LOSING_VOLATILE, LOSING_UNSYNCED, LOSING_EVERYTHING };
enum resume_order { RESUME_MERGED, RESUME_TIMERS_FIRST, RESUME_MESSAGES_FIRST };

struct fault_plan {
    uint8_t kind;      /* enum fault_kind */
    uint8_t losing;    /* crash: enum losing */
    uint8_t holding;   /* partition, cut: messages are kept, not dropped */
    uint8_t both_ways; /* cut: closes both directions */
    uint8_t order;     /* resume order: enum resume_order */
    uint8_t spare[1];
    uint16_t thread;  /* pause: this one thread only, else NONE16 */
    struct ids a;     /* processes struck (suspend, clock faults: their machines); message faults
                              and cut: senders. Partition: one id a machine: its side from 1, 0 sees all */
    struct ids b;     /* cut, message faults: receivers */
    ns at;            /* dated faults: >= 0. A triggered one: -1 */
    ns duration;      /* pause, suspend, crash, partition, cut, slow, slew: how long; NS_NEVER: for ever */
    ns amount;        /* delay, duplicate: by; slow: by; jump: by; slew: by. Message delay >= 0 */
    int64_t ppb;      /* drift */
    uint32_t ordinal; /* message faults: the ordinal-th message from now on, from 1 */
    uint32_t line;
    name_id text; /* the printed form of what it does: groups, links. TAG_TEXT in the trace */
    uint16_t spare2[3];
};

/* A trigger waits for the ordinal-th record (or sim_before()) with this actor, verb and object.
 * It fires once: it applies its fault, or only notes the time for the runner (an `after EVENT: expect`). */
struct trigger_plan {
    uint16_t before; /* 1: before, 0: after */
    uint16_t verb;
    name_id actor;
    name_id object;   /* NONE16: any object (the trigger named none) */
    uint32_t ordinal; /* from 1 */
    uint32_t fault;   /* index into plan->faults, or NONE32 */
};

/* Capacities of a run, each at least 1. `limit NAME n` raises one. */
struct sim_limits {
    uint32_t events;   /* pending events, held ones included */
    uint32_t messages; /* messages in flight */
    uint32_t records;  /* trace records kept; without a kept trace no bound */
    uint32_t labels;   /* distinct decision-point labels of a run; used only when points are asked for */
    uint64_t steps;    /* events that a run may process: `limit events` */
};

struct sim_plan {
    const struct names *names;
    const struct verb *verbs; /* SIM_VERBS rows first */
    uint32_t n_verbs;
    uint32_t n_machines, n_processes, n_threads, n_links, n_faults, n_triggers;
    const struct machine_plan *machines;
    const struct process_plan *processes;
    const struct thread_plan *threads;
    const struct link_plan *links; /* exceptions to link_default; (from,to) unique */
    struct link_plan link_default;
    const struct fault_plan *faults;
    const struct trigger_plan *triggers;
    const uint16_t *ids; /* what struct ids points into */
    uint32_t n_ids, spare;
    name_id net_name;       /* the actor "net" */
    name_id losing_name[3]; /* names of enum losing: NONE16, "unsynced", "everything" */
    uint32_t n_conns;       /* connections (streams), numbered from 0 by the model */
    ns sync_ns;             /* how long `sync` takes */
    ns horizon;             /* NS_NEVER: none */
    struct sim_limits limits;
    uint32_t clocks_are_read; /* bit enum clock_kind: some program reads this clock, so its readings are state */
    uint32_t model_bytes;     /* size of the model's part of the world, a multiple of 8; zeroed at reset */
};

/* --- messages and events -------------------------------------------------------------- */

#define MESSAGE_ARGS 5

enum message_flag {
    MESSAGE_BOUNCE = 1,   /* came back: nobody runs there (`unreachable`). from/to already swapped */
    MESSAGE_DUPLICATE = 2 /* the second copy of a duplicated message */
};

struct message {
    uint16_t from, to; /* threads. A message to a crashed process comes back as a bounce, if it asked for an answer */
    uint16_t conn;     /* stream it travels on, or NONE16 */
    uint8_t kind;      /* the model's */
    uint8_t flags;     /* enum message_flag; set by the kernel */
    uint8_t wants_answer; /* 1: a request: bounces when nobody runs there */
    uint8_t spare;
    uint16_t call;  /* the model's call slot, NONE16 if none; see sim_flights() */
    uint32_t cause; /* bookkeeping: set by the kernel */
    name_id what;   /* for the trace: "write", "grant" ... */
    uint16_t tags;  /* the model's: tags of args, 2 bits .. as it likes */
    uint32_t spare2;
    int64_t arg[MESSAGE_ARGS];
};
_Static_assert(sizeof(struct message) == 64, "struct message fills a line of the cache");

enum timer_flag {
    TIMER_KEEPS = 1,   /* the run goes on for it */
    TIMER_RETRY = 2,   /* the run goes on for it, unless nothing else does and the state repeats itself:
                           a caller who asks again and again for what cannot come */
    TIMER_OBSERVER = 4 /* fires although its thread is stopped or its process gone (the trace's notes
                           about deadlines); removed by nothing but timer_cancel */
};

/* A timer is identified by its slot (returned by timer_set) until it fires or is cancelled or its process
 * crashes. kind and subject are the model's. */
struct timer {
    uint16_t thread; /* whose: it is held while that thread is stopped, gone when its process crashes */
    uint8_t clock;   /* enum clock_kind, CLOCK_TRUE or CLOCK_RUN */
    uint8_t flags;   /* enum timer_flag */
    uint16_t kind;
    uint16_t process_wide; /* 1: a pause of the thread alone does not hold it (a watchdog) */
    int64_t subject;
    ns deadline; /* on its clock; CLOCK_RUN: nanoseconds of running from now */
};
_Static_assert(sizeof(struct timer) == 24, "struct timer has no padding");

/* --- decision points -------------------------------------------------------------------- */

enum choice_kind {
    CHOICE_BEFORE,
    CHOICE_AFTER,   /* a fault may strike here */
    CHOICE_MESSAGE, /* option 0: as is; 1: dropped; 2: duplicated */
    CHOICE_RESUME,  /* enum resume_order */
    CHOICE_DELAY,   /* where in a link's range: 0 the lower end, 1 the upper */
    CHOICES
};

/* What a deviation says happens at one point. Address: see choice_address(). */
struct deviation {
    uint64_t address;
    uint32_t option; /* CHOICE_MESSAGE, CHOICE_RESUME, CHOICE_DELAY */
    uint32_t fault; /* CHOICE_BEFORE, CHOICE_AFTER, CHOICE_MESSAGE: index into plan->faults (with at = -1), or NONE32 */
};

/* A decision point as whoever chooses sees it. */
struct choice_point {
    uint64_t address;
    uint32_t occurrence; /* which time this label occurs, from 1 */
    uint16_t kind;       /* enum choice_kind: BEFORE, AFTER or MESSAGE */
    uint16_t what;       /* before, after: a verb; message: its name */
    name_id actor, peer; /* message: sender's and receiver's processes; peer NONE16: none */
    uint16_t from, to;   /* message: processes; else NONE16 */
};

/* Chooses: fills faults[] with indices into plan->faults, and returns how many strike here, in this order. It sees the
 * points in the order in which they occur, and must change nothing in the sim. */
#define STRIKES_MAX 8
typedef uint32_t (*choose_fn)(void *context, const struct choice_point *d, uint32_t *faults);

/* The address of a decision point: a hash of names and of which time, never of an index or a clock. */
uint64_t choice_address(uint64_t kind_hash, uint64_t actor_hash, uint64_t site_hash, uint64_t peer_hash,
                        uint32_t occurrence);
uint64_t choice_kind_hash(enum choice_kind kind); /* hash_text of "before", "after", "message", "resume", "delay" */

/* --- what a model is ---------------------------------------------------------------------- */

/* Words are fed to a state digest through this. Times must be fed relative to now.
 *
 * What is added up for a word depends on where it stands, or on its tag, and on every bit of it: no word waits for the
 * one before, so that a processor works on several at once. Whatever stands at its default in most states is fed under
 * a tag of its own where it differs, and not at all else. */
struct hasher {
    uint64_t h;
    uint64_t at; /* where the next word stands */
};

static inline uint64_t hash_mix(uint64_t word)
{
    word *= UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 32) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 29;
}

static inline void hash_word(struct hasher *h, uint64_t word)
{
    h->at += UINT64_C(0x9E3779B97F4A7C15);
    h->h += hash_mix(word ^ h->at);
}

/* Tags below 2^40 are the model's. */
static inline void hash_tagged(struct hasher *h, uint64_t tag, uint64_t word)
{
    h->h += hash_mix(word ^ (tag + 1) * UINT64_C(0xD6E8FEB86659FD93));
}

/* Digests of a state can tell nodes apart by these numbers in place of their own: two states that differ in nothing but
 * which of some nodes is where have the same digest under the right two renamings. Each is a map by index, or by name;
 * whatever is not renamed maps to itself. */
struct renaming {
    const uint16_t *machine, *process, *thread, *conn;
    const name_id *name; /* of the machines, processes and threads */
    const void *model;   /* the model's own */
};

struct sim_model {
    /* A thread begins at its first line, as a step. */
    void (*start)(struct sim *s, uint16_t thread);
    /* m->to runs; m is a copy. */
    void (*deliver)(struct sim *s, const struct message *m);
    /* A timer is due; its slot is free again. */
    void (*timer)(struct sim *s, uint32_t slot, const struct timer *t);
    /* A process crashed; its events are gone already. */
    void (*crashed)(struct sim *s, uint16_t process, enum losing losing);
    /* A process starts again; its threads have not yet. */
    void (*restarted)(struct sim *s, uint16_t process);
    /* Every record, notes too: for invariants. */
    void (*recorded)(struct sim *s, const struct record *r, uint32_t index);
    /* Whether recorded() is called for this verb; asked by sim_new(). NULL: for every one. */
    bool (*hears)(const void *model_plan, uint16_t verb);
    /* Memory beside the world for what follows from the plan alone. NULL: none. */
    size_t (*scratch_bytes)(const void *model_plan);
    /* Once, when the world is at time 0 for the first time; what it sets there, a reset sets again. May be NULL. */
    void (*prepare)(struct sim *s);
    /* The model's state, no bookkeeping. */
    void (*digest)(struct sim *s, struct hasher *h);
    /* What stands in the state digest for a message's call slot, and for a timer's subject, asked right after
     * digest(): the number of a slot, or of a step long past, is nothing that a future depends on. NULL: itself. */
    uint64_t (*call_name)(struct sim *s, uint16_t call);
    uint64_t (*subject)(struct sim *s, const struct timer *t);
    /* Under a renaming: what stands there for an argument of a message. NULL: itself. */
    uint64_t (*argument)(struct sim *s, const struct message *m, int i);
};

/* --- life of a simulation --------------------------------------------------------------------- */

enum sim_status {
    SIM_RAN,     /* one event was processed; go on */
    SIM_IDLE,    /* nothing keeps the run alive (more events may be pending: keepers, observers) */
    SIM_EMPTY,   /* no event at all is pending */
    SIM_HORIZON, /* the next event lies past the horizon; now is the horizon */
    SIM_STEPS,   /* limit events reached */
    SIM_FULL,    /* a capacity was reached: sim_full_name() says which, sim_full_limit() how much */
    SIM_FAILED   /* the model called sim_fail() */
};

enum sim_condition {
    CONDITION_DOWN = 1,
    CONDITION_PAUSED = 2, /* it, or its process */
    CONDITION_SUSPENDED = 4,
    CONDITION_SLOW = 8,
    CONDITION_DRIFTS = 16, /* its machine's clocks run at another rate than from the start */
    CONDITION_STEPPED = 32 /* they no longer stand to each other as at the start */
};

enum sim_option {
    SIM_KEEP_TRACE = 1,  /* keep records (else only the digest and the last one) */
    SIM_DIGEST = 2,      /* fold records into the trace digest */
    SIM_NOTES = 4,       /* keep notes in the kept trace (V_RECEIVES and the like; invariants hear them always) */
    SIM_POINTS = 8,      /* note every decision point (V_CHOICE) */
    SIM_ASIDES = 16,     /* with SIM_NOTES: keep asides too. They change no other record and no digest */
    SIM_SHORT_TRACE = 32 /* with SIM_KEEP_TRACE: room for SHORT_TRACE records, if the plan has more */
};
#define SHORT_TRACE 8192

/* Allocates everything a run will need. NULL: out of memory. plan and model outlive it. */
struct sim *sim_new(const struct sim_plan *plan, const struct sim_model *model, const void *model_plan,
                    unsigned options);
void sim_free(struct sim *s);

/* Back to time 0 with these deviations (may be NULL, 0; must outlive the run). Touches used memory only. */
void sim_reset(struct sim *s, const struct deviation *deviations, uint32_t n);

/* Other deviations from here on, as after sim_restore(); counters of points must have been on until now
 * (SIM_POINTS, or deviations from the start). */
void sim_deviate(struct sim *s, const struct deviation *deviations, uint32_t n);
/* Fault i of the plan is another now: whoever owns the plan changed it between two runs. */
void sim_refault(struct sim *s, uint32_t fault);
/* Asks choose() at each point from the next sim_reset() on, besides the deviations; NULL: nobody. */
void sim_choose(struct sim *s, choose_fn choose, void *context);
/* How many of them met no decision point so far: with these the run would be the same without. */
uint32_t sim_deviations_inert(const struct sim *s);

/* Processes the next event. SIM_IDLE and SIM_HORIZON process nothing; SIM_IDLE can be overridden:
 * with until >= 0 the run goes on through idle events due at or before `until`. */
enum sim_status sim_step(struct sim *s, ns until);
ns sim_next_at(const struct sim *s); /* NS_NEVER: none */

/* Snapshots. Size depends on what is in use now. */
size_t sim_snapshot_size(const struct sim *s);
size_t sim_snapshot(const struct sim *s, void *out, size_t size); /* returns bytes written; size must suffice */
void sim_restore(struct sim *s, const void *snapshot);            /* the trace is cut back to its length then */
/* How often labels of decision points were forgotten at a reset: a snapshot that counts them is void after that. */
uint32_t sim_forgettings(const struct sim *s);
uint64_t sim_state_digest(struct sim *s); /* state alone, times relative to now */
uint64_t sim_state_digest_as(struct sim *s,
                             const struct renaming *as);  /* the same under other numbers; NULL: its own */
const struct renaming *sim_renaming(const struct sim *s); /* that of the digest under way; NULL: none */
/* What lasts of a fault, once it has struck: alike for faults that do the same from then on. */
uint64_t sim_fault_kin(struct sim *s, uint32_t fault, const struct renaming *as);
uint64_t sim_trace_digest(const struct sim *s); /* printed as d1: and 16 hex digits */

const struct record *sim_trace(const struct sim *s, uint32_t *n); /* kept records, in order */
/* The kept trace begins with these records: for whoever goes back to a snapshot after another run was played. */
void sim_trace_back(struct sim *s, const struct record *trace, uint32_t n);
uint64_t sim_records(const struct sim *s); /* records emitted so far, without notes: the same under all options */
uint64_t sim_steps(const struct sim *s);   /* events processed so far */
const char *sim_full_name(const struct sim *s);
uint64_t sim_full_limit(const struct sim *s);
uint32_t sim_fail_line(const struct sim *s); /* what sim_fail() was given */
int32_t sim_fail_code(const struct sim *s);
bool sim_trigger_fired(const struct sim *s, uint32_t trigger, ns *at); /* at may be NULL */
uint32_t sim_triggers_fired(const struct sim *s);                      /* how many so far */
bool sim_faults_outstanding(const struct sim *s); /* a dated fault or the end of one is still to come */

/* --- for models: to be called inside a handler -------------------------------------------------- */

ns sim_now(const struct sim *s);
const struct sim_plan *sim_plan(const struct sim *s);
const void *sim_model_plan(const struct sim *s);
void *sim_model_state(struct sim *s); /* plan->model_bytes of the world; it never moves */
/* Says that the first and the last so many of them are in use now, together no more than there are: snapshots copy no
 * others. All are, unless the model says less. */
void sim_model_use(struct sim *s, uint32_t first, uint32_t last);
void *sim_model_scratch(struct sim *s); /* model->scratch_bytes(); zero at first, in no snapshot */
uint16_t sim_start_count(const struct sim *s, uint16_t process); /* which start it is in, from 1 */
bool sim_process_up(const struct sim *s, uint16_t process);
bool sim_thread_runs(const struct sim *s, uint16_t thread); /* up and not stopped */
ns sim_slowness(const struct sim *s, uint16_t process);     /* how much later a slow service answers; 0: not slow */
/* What is wrong with a thread, its process and its machine, for abstract states: bits of enum sim_condition. */
uint32_t sim_condition(const struct sim *s, uint16_t thread);
uint32_t sim_standing(const struct sim *s); /* processes whose main thread stands still or is down */
bool sim_steps_wall(const struct sim *s);   /* whether a fault of the plan sets wall clocks, forth or back */
/* Whether a partition or cut of the plan, in force, closes the way from one process to another. Within one machine
 * nothing does, whatever this says. */
bool plan_closes(const struct sim_plan *plan, const struct fault_plan *f, uint16_t from, uint16_t to);
uint32_t sim_closures(const struct sim *s); /* partitions and cuts in force */
uint32_t sim_held(const struct sim *s);     /* messages that wait at closed links */
/* Whether a fault is to end, or a message to arrive, no earlier than `from` and no later than `to`. Looks at all that
 * is queued. */
bool sim_due_between(const struct sim *s, ns from, ns to);

/* A machine's clock, read now. Models compare times only through clock_passed(). */
ns clock_now(const struct sim *s, uint16_t machine, enum clock_kind clock);
bool clock_passed(const struct sim *s, uint16_t machine, enum clock_kind clock, ns deadline);
uint16_t thread_machine(const struct sim *s, uint16_t thread);
ns thread_clock(const struct sim *s, uint16_t thread, enum clock_kind clock); /* a clock of its machine, read now */

/* Sends m (kind, from, to, conn, call, wants_answer, what, arg set by the caller). */
void sim_send(struct sim *s, const struct message *m);
/* A process at one end of the connection has ended: its next start has a new one, and does not wait behind what still
 * travels. */
void sim_conn_break(struct sim *s, uint16_t conn);
/* Whether a message sent now would reach a running thread and its answer come back: the process is up and not
 * stopped, and nothing closes the link either way. */
bool sim_reaches(const struct sim *s, uint16_t from, uint16_t to);
/* Whether some trigger still waits for a record with this verb. */
bool sim_waits_for(const struct sim *s, uint16_t verb);
/* Whether a message of this call slot travels or waits (a copy, a held one, an answer). */
bool sim_flies(const struct sim *s, uint16_t call);
/* The same of all: sets bit c of bits[] for each call slot c < n. */
void sim_flights(const struct sim *s, uint64_t *bits, uint32_t n);

/* Sets a timer; returns its slot, NONE32 when the run is over because a capacity was reached. */
uint32_t timer_set(struct sim *s, const struct timer *t);
void timer_cancel(struct sim *s, uint32_t slot);
/* A step of a thread: a timer due now, after everything already due now. */
uint32_t sim_soon(struct sim *s, uint16_t thread, uint16_t kind, int64_t subject, unsigned flags);

/* Emits a record: the actor's start count is filled in from process (NONE16: 0). Returns its index + 1,
 * to be used as a cause. The cause defaults to the current event's (what led to it): the record that
 * sent the message, set the timer or was emitted last in this handler. */
uint32_t sim_record(struct sim *s, uint16_t process, name_id actor, uint16_t verb, name_id object,
                    const struct value *fields, uint32_t n_fields, uint32_t line);
/* Whether anybody would see a record with this verb: what only such a record needs can be left undone. The same in all
 * runs of a sim. */
bool sim_makes(const struct sim *s, uint16_t verb);
uint32_t sim_cause(const struct sim *s);
void sim_set_cause(struct sim *s, uint32_t cause);

/* `before ACTOR VERB OBJECT`: see rule 4. thread is who is about to act. */
bool sim_before(struct sim *s, uint16_t thread, name_id actor, uint16_t verb, name_id object);

/* Whether sim_before() said false in this handler. */
bool sim_interrupted(const struct sim *s);

/* Ends the run as an error of the scenario (overflow in an expression ...). code is the model's. */
void sim_fail(struct sim *s, int32_t code, uint32_t line);

#endif
