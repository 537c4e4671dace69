/* SPDX-License-Identifier: MIT
 *
 * world.h - everything that changes during a run, in one flat block.
 *
 *     struct world | machines | processes | threads | connections | triggers | armed | model
 *     || keys | events | messages | held | closures | counts of labels
 *
 *  1. What stands before || has a fixed size; of each section after it only the first so many
 *     entries are in use, and struct world says how many. A snapshot is the fixed part and the used
 *     part of each section, so it holds no pointer and depends on nothing outside but the plan.
 *  2. struct sim holds what is constant during a run (the plan, where the sections begin), the
 *     trace, and scratch that means nothing between two events.
 *  3. No padding anywhere: each struct's size is asserted.
 *
 * Only sim/ includes this file.
 */
#ifndef FENCEPOST_SIM_WORLD_H
#define FENCEPOST_SIM_WORLD_H

#include "sim/clock.h"
#include "sim/queue.h"
#include "sim/sim.h"

enum event_type {
    EVENT_FREE,    /* a free slot; subject: the next free one */
    EVENT_TIMER,   /* the model's */
    EVENT_START,   /* a thread begins */
    EVENT_MESSAGE, /* subject: message slot */
    EVENT_FAULT,   /* subject: index of a dated fault */
    EVENT_END,     /* a fault ends; subject: its index, target: what it struck */
    EVENT_RELEASE  /* held events that may run are queued again */
};

enum event_mark {
    MARK_WIDE = 1,        /* timer: a pause of its thread alone does not hold it */
    MARK_ARRIVED = 2,     /* message: in the socket buffer of its process */
    MARK_AT_LINK = 4,     /* message: held at a closed link */
    MARK_LOOSE = 8,       /* message: outside the order of its stream */
    MARK_REORDERED = 16,  /* message: waits for its successor; deadline: the fault's index */
    MARK_INTERRUPTED = 32 /* held inside sim_before(): goes first */
};

enum event_keep { KEEP_NOT, KEEP_RUN, KEEP_RETRY, KEEPS };

/* Subject and deadline stand apart, for a compiler that copies both in one go waits until both were written. */
struct event {
    int64_t subject;
    uint32_t cause;  /* bookkeeping */
    uint16_t target; /* timer, start, message: thread; end: process, machine or thread */
    uint16_t kind;   /* timer: the model's */
    ns deadline;     /* timer: on its clock; CLOCK_RUN: running time left, while it stands still */
    uint8_t type;    /* enum event_type */
    uint8_t flags;   /* enum timer_flag */
    uint8_t keep;    /* enum event_keep */
    uint8_t clock;
    uint8_t marks; /* enum event_mark */
    uint8_t asked; /* sim_before() calls that were answered before it was held */
    uint8_t spare[2];
};
_Static_assert(sizeof(struct event) == 32, "struct event has no padding");

struct process {
    ns slow;         /* how much later it answers */
    uint32_t starts; /* which start it is in, from 1 */
    uint16_t paused; /* pauses of the whole process that have not ended */
    uint8_t up;
    uint8_t runs;  /* up, not paused, machine not suspended */
    uint8_t order; /* enum resume_order of the next release */
    uint8_t spare[7];
};
_Static_assert(sizeof(struct process) == 24, "struct process has no padding");

struct thread {
    uint16_t paused; /* pauses of this thread alone */
    uint8_t runs;    /* its process runs, and it is not paused */
    uint8_t spare;
};
_Static_assert(sizeof(struct thread) == 4, "struct thread has no padding");

/* A stream in both directions: [0] from the lower thread number to the higher. */
struct conn {
    ns last[2];       /* when the message sent last arrives */
    uint32_t held[2]; /* how many wait at a closed link */
};
_Static_assert(sizeof(struct conn) == 24, "struct conn has no padding");

struct trigger {
    ns at;              /* when it fired */
    uint32_t remaining; /* 0: it fired */
    uint32_t spare;
};
_Static_assert(sizeof(struct trigger) == 16, "struct trigger has no padding");

struct armed {
    uint32_t fault;     /* a message fault */
    uint32_t remaining; /* it strikes the remaining-th message from now */
};
_Static_assert(sizeof(struct armed) == 8, "struct armed has no padding");

/* A fault that closes links now. They stand in the order of faults. */
struct closure {
    uint32_t fault;
    uint32_t times; /* how often it began and has not ended: > 0 */
};
_Static_assert(sizeof(struct closure) == 8, "struct closure has no padding");

/* What a decision point is called: outside the world, for it means the same in all runs of a plan. Its index is that of
 * its count. */
struct label {
    uint64_t hash; /* kind and names of a decision point */
    uint32_t next; /* the next label with the same head, 1 + index; 0: none */
    uint32_t spare;
};
_Static_assert(sizeof(struct label) == 16, "struct label has no padding");

/* A label by the ids of its point: see near_label(). */
#define NEAR_BITS 9
struct near_label {
    uint64_t key; /* 0: free */
    uint64_t hash;
    uint32_t label, spare;
};
_Static_assert(sizeof(struct near_label) == 24, "struct near_label has no padding");

struct world {
    ns now;
    uint64_t sequence;
    uint64_t steps;
    uint64_t records;    /* emitted, without notes */
    uint64_t digest;     /* of the trace so far */
    uint64_t seen_state; /* state.c: the state digest remembered */
    uint32_t seen_left;  /* retries until another is remembered */
    uint32_t seen_span;
    uint32_t trace_n; /* records a kept trace has by now */
    uint32_t queue_n;
    uint32_t events_high; /* slots ever given out */
    uint32_t events_free; /* 1 + the first free slot */
    uint32_t messages_high;
    uint32_t messages_free;
    uint32_t held_n;
    uint32_t counts_n; /* labels that have a count: the first so many */
    uint32_t labels_n; /* of them: how many are not 0 */
    uint32_t closures_n;
    uint32_t armed_n;
    uint32_t closed;     /* closures in force */
    uint32_t reordered;  /* messages that wait for a successor */
    uint32_t waiting[2]; /* triggers not yet fired: [0] after, [1] before */
    uint32_t fired;
    uint32_t deviations_met;
    uint32_t pending[KEEPS]; /* queued events that will come, by enum event_keep */
    uint32_t status;         /* enum sim_status: SIM_RAN while the run can go on */
    uint32_t full;           /* enum full: what SIM_FULL means */
    int32_t fail_code;
    uint32_t fail_line;
    uint32_t model_used; /* bytes of the model's part that are in use: the first so many */
    uint32_t model_tail; /* and the last so many */
};
_Static_assert(sizeof(struct world) == 6 * 8 + 28 * 4, "struct world has no padding");

enum full { FULL_EVENTS, FULL_MESSAGES, FULL_RECORDS, FULL_LABELS, FULL_ARMED, FULL_STRUCK };

/* What becomes of a record, by its verb: worked out once from the verb, the options and the model. */
enum verb_use {
    USE_NOTE = 1,
    USE_LISTED = 2, /* it has a place in the trace, so it can be a cause */
    USE_FOLDED = 4, /* into the digest */
    USE_HEARD = 8,  /* by the model's invariants */
    USE_POINT = 16  /* a decision point, when points are counted */
};

struct verb_row {
    uint64_t hash; /* of its name */
    uint64_t word; /* what the digest takes of it */
    uint32_t uses; /* enum verb_use */
    uint16_t fields;
    uint16_t fixed; /* the first so many are always in the digest: see VERB_TAIL */
};
_Static_assert(sizeof(struct verb_row) == 24, "struct verb_row has no padding");

/* Room for tags in a row of a table: a power of two, which is quick to multiply by. */
#define TAG_ROOM 8
_Static_assert(TAGS <= TAG_ROOM, "each tag has a place in a row");

/* A fault to be applied when the handler has ended. */
struct struck {
    uint32_t fault;
    uint32_t cause;
};
_Static_assert(sizeof(struct struck) == 8, "struct struck has no padding");

struct sim {
    void *block; /* the allocation that holds all */
    /* the run's block */
    struct world *world;
    struct machine *machines;
    struct process *processes;
    struct thread *threads;
    struct conn *conns;
    struct trigger *triggers;
    struct armed *armed;
    void *model_state;
    struct key *keys;
    struct event *events;
    struct message *messages;
    struct key *held;
    struct closure *closures;
    uint32_t *counts; /* by label: how often it occurred */
    size_t fixed;     /* bytes before || */

    /* constant */
    const struct sim_plan *plan;
    const struct sim_model *model;
    const void *model_plan;
    unsigned options;
    bool steps_wall;     /* some fault of the plan sets wall clocks */
    uint64_t *fault_kin; /* by fault: a hash of what lasts of it, alike for faults that do the same */
    uint32_t armed_max;
    uint32_t struck_max;
    uint32_t links_mask; /* size of the table of links, less 1 */
    uint32_t *links;     /* 1 + index of a link, by hash of its ends */
    struct verb_row *verbs;
    uint64_t tag_word[RECORD_FIELDS][TAG_ROOM]; /* what the digest takes of a field's kind */
    const uint64_t *name_hash;
    const struct thread_plan *thread_plans;
    uint64_t kind_hash[CHOICES];
    bool clocks_change;         /* some fault of the plan changes what clocks are; those written in later are like it */
    uint64_t trigger_verbs[2];  /* verbs that some trigger waits for, by verb mod 64 */
    uint64_t trigger_actors[2]; /* and actors */
    void *initial;              /* snapshot of time 0 */
    void *model_scratch;
    size_t scratch_bytes;

    /* this run */
    const struct deviation *deviations;
    uint32_t deviations_n;
    uint64_t deviations_seen; /* addresses of deviations, by address mod 64 */
    bool points;              /* decision points are counted */
    choose_fn choose;         /* NULL: nobody */
    void *choose_context;
    const struct renaming *as; /* of the digest under way; NULL: none */

    /* labels of all runs so far: scratch that a run cannot tell from new */
    uint32_t *heads;
    struct label *labels;
    uint32_t heads_n; /* a power of two */
    uint32_t labels_known, labels_max, forgettings;
    struct near_label near[1 << NEAR_BITS];

    /* trace and scratch */
    struct record *trace;
    uint32_t trace_max;
    struct record unlisted; /* the last record that has no place in the trace */
    struct key *sorted;
    struct struck *struck;
    uint32_t struck_n;
    struct event current;   /* the event being handled */
    struct message message; /* its message */
    uint32_t cause;
    uint32_t before_calls; /* sim_before() calls in this handler */
    bool interrupted;      /* one of them said no */
    bool in_handler;       /* a thread's event is being handled */
    bool hole;             /* keys[0] is that of the event being handled, and no longer queued */
};

/* Ends the run: a capacity was reached. */
void world_full(struct sim *s, enum full what);

/* What stood at this place, of the fixed part of the world, at time 0. */
static inline const void *world_at_start(const struct sim *s, const void *place)
{
    return (const char *)s->initial + ((const char *)place - (const char *)s->world);
}

static inline uint64_t name_hash(const struct sim *s, name_id name) { return name == NONE16 ? 0 : s->name_hash[name]; }

static inline uint16_t process_of(const struct sim *s, uint16_t thread) { return s->thread_plans[thread].process; }

static inline uint16_t machine_of(const struct sim *s, uint16_t process) { return s->plan->processes[process].machine; }

#endif
