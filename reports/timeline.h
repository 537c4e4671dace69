/* SPDX-License-Identifier: MIT
 *
 * timeline.h - a run as what can be drawn: lanes, bars, messages, marks, clocks. No layout and no colours: when each
 * thing began and ended, whose it is, and which records say so.
 *
 * Everything follows from the trace (records and notes) and from the plan, which gives names, kinds and what stood
 * there at 0s. Nothing is computed that the trace does not say, but for three things: a clock's readings are those of
 * sim/clock.h, played again from the records that changed it; a pause ends when its record said it would; and a
 * service that keeps its word in memory alone forgets it in a crash.
 *
 * Indices of records are 1 + index into sim_trace(), 0: none, as in struct record.
 */
#ifndef FENCEPOST_REPORTS_TIMELINE_H
#define FENCEPOST_REPORTS_TIMELINE_H

#include "scenarios/run.h"

/* --- lanes ---------------------------------------------------------------------------------- */

/* X(ID, name). In the order in which they are drawn. */
#define LANE_KINDS_TABLE(X)                                                                                \
    X(LANE_LOCK, "lock")   /* a lock's server; of a quorum: what its voters together say, on no machine */ \
    X(LANE_VOTER, "voter") /* one of a quorum */                                                           \
    X(LANE_QUEUE, "queue")                                                                                 \
    X(LANE_CLIENT, "client") /* a node with a program, all its threads */                                  \
    X(LANE_NODE, "node")     /* one without */                                                             \
    X(LANE_STORE, "store")                                                                                 \
    X(LANE_TABLE, "table")

enum lane_kind {
#define X(id, name) id,
    LANE_KINDS_TABLE(X)
#undef X
        LANE_KINDS
};
extern const char *const lane_kind_name[LANE_KINDS];

struct lane {
    name_id name;
    uint16_t kind;    /* enum lane_kind */
    uint16_t process; /* NONE16: a quorum's own */
    uint16_t machine; /* NONE16: none */
    uint16_t index; /* into the plan's locks (also a voter's), queues, stores or tables; a client's or node's: NONE16 */
    uint16_t spare;
};
_Static_assert(sizeof(struct lane) == 12, "struct lane has no padding");

/* What a name of the trace stands for; NONE16: no such thing. */
struct place {
    uint16_t lane;
    uint16_t process;
    uint16_t client;   /* of a thread */
    uint16_t resource; /* a lock (also by its voters' names), a job in its quotes, a row */
    uint16_t job;      /* the resource of the job whose text this is: it may read like any other name */
    uint16_t cell;     /* a register, or n_registers + a cell */
};
_Static_assert(sizeof(struct place) == 12, "struct place has no padding");

/* --- bars ------------------------------------------------------------------------------------- */

/* X(ID, name) */
#define BAR_KINDS_TABLE(X)                                                                                    \
    /* by a service's word, on its lane */                                                                    \
    X(BAR_HOLDS, "holds")     /* a lock: from its grant until it expires, is freed, forced or granted anew */ \
    X(BAR_VOTES, "votes")     /* a voter's vote */                                                            \
    X(BAR_ATTEMPT, "attempt") /* a job or row, from its grant on; lapsed: from its lease's end on */          \
    X(BAR_WAITING, "waiting") /* a job that can be claimed */                                                 \
    X(BAR_DONE, "done")                                                                                       \
    X(BAR_DEAD, "dead")                                                                                       \
    X(BAR_VALUE, "value") /* what a register, or a column without a meaning of its own, contains */           \
    X(BAR_MARK, "mark")   /* a fence mark rises: from = to */                                                 \
    /* of clients */                                                                                          \
    X(BAR_BELIEVES, "believes") /* the node's own check says yes */                                           \
    X(BAR_HAS, "has")           /* a row that it acquired, and has not given up */                            \
    X(BAR_ACTS, "acts")                                                                                       \
    X(BAR_WORKS, "works")                                                                                     \
    X(BAR_WAITS, "waits") /* it asks or claims, until it has it or fails */                                   \
    /* of faults */                                                                                           \
    X(BAR_PAUSED, "paused")       /* `of` a thread, or NONE16: the process */                                 \
    X(BAR_SUSPENDED, "suspended") /* on every lane of the machine */                                          \
    X(BAR_DOWN, "down")                                                                                       \
    X(BAR_SLOW, "slow")                                                                                       \
    X(BAR_PARTITION, "partition") /* lane NONE16; `of` the groups */                                          \
    X(BAR_CUT, "cut")             /* lane NONE16; `of` the links */

enum bar_kind {
#define X(id, name) id,
    BAR_KINDS_TABLE(X)
#undef X
        BAR_KINDS
};
extern const char *const bar_kind_name[BAR_KINDS];

/* A stretch of true time. */
struct span {
    ns from, to;
};

struct bar {
    ns from, to;        /* from <= to <= the run's end, where it ends if nothing ended it */
    struct value token; /* TAG_NONE: none */
    struct value value; /* VALUE: what it is; SLOW: by how much; WORKS: for how long. Else TAG_NONE */
    uint32_t a, b;      /* the records that begin and end it */
    uint32_t truth;     /* BELIEVES, HAS, ACTS: its rows of timeline.truths, */
    uint32_t n_truth;   /* where the service's word agrees; ascending, apart from each other */
    name_id of;         /* the resource as the trace names it, a register, an issuer; NONE16: nothing */
    uint16_t lane;      /* NONE16: the network */
    uint16_t who;       /* the lane of whoever holds, runs, believes; NONE16: nobody */
    uint8_t kind;       /* enum bar_kind */
    uint8_t lapsed;     /* ATTEMPT: its lease is over */
};
_Static_assert(sizeof(struct bar) == 72, "struct bar has no padding");

/* --- messages, marks, clocks -------------------------------------------------------------------- */

enum fate { FATE_ARRIVES, FATE_LOST, FATE_HELD };
extern const char *const fate_name[3];

struct flight {
    ns sent, at;   /* at: when its receiver took it, or where it was lost; held: since when it waits at a closed link */
    uint32_t a, b; /* what sent it; what it led to first, or what tells of its loss */
    uint16_t from, to; /* lanes */
    name_id what;
    uint16_t fate; /* enum fate */
};
_Static_assert(sizeof(struct flight) == 32, "struct flight has no padding");

/* Something that befell a machine's clocks: V_JUMPS, V_DRIFTS or V_SLEWS. */
struct mark {
    uint32_t record;
    uint16_t lane;
    uint16_t machine;
};
_Static_assert(sizeof(struct mark) == 8, "struct mark has no padding");

/* From true time `from` on a clock reads read + clock_advance(now - since, ppb). */
struct piece {
    ns from, since, read;
    int64_t ppb; /* TIMELINE_STANDS: it stands still */
};
_Static_assert(sizeof(struct piece) == 32, "struct piece has no padding");
#define TIMELINE_STANDS (-NS_PER_S)

struct pieces {
    struct piece *row; /* ascending by from; the first from 0 */
    uint32_t n, capacity;
};

/* --- a timeline ---------------------------------------------------------------------------------- */

struct timeline {
    const struct run *run;
    const struct record *records;
    uint32_t n_records, n_lanes, n_bars, n_truths, n_flights, n_marks;
    struct lane *lanes;
    struct bar *bars; /* by lane, from, to, kind; the network's last */
    struct span *truths;
    struct flight *flights; /* in the order in which they were told of */
    struct mark *marks;
    struct pieces *clocks; /* [machine * CLOCKS + enum clock_kind] */
    struct place *places;  /* by name */
    uint32_t bars_capacity, truths_capacity, flights_capacity, marks_capacity;
    bool failed; /* out of memory: it is not whole */
};

/* The timeline of a run that was played. The run outlives it. Ask t->failed; free it in any case. */
void timeline_make(struct timeline *t, const struct run *r);
void timeline_free(struct timeline *t);

/* The lane of whoever a record is by; NONE16: the network. */
uint16_t timeline_lane(const struct timeline *t, const struct record *r);
/* What a clock of a machine reads at true time `at`. */
ns timeline_clock(const struct timeline *t, uint16_t machine, enum clock_kind clock, ns at);

#endif
