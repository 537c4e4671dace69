/* SPDX-License-Identifier: MIT
 *
 * situation.h - situations: a kind of fault, and what its victim was doing when it struck.
 *
 * A *cell* is one of each: `pause:between-check-and-act`. Together they are four tables, since what can be struck
 * differs:
 *
 *     programs   threads of nodes: acquiring, holding, between check and act, ...
 *     services   locks, voters, stores, queues, tables: a grant under way, a lease running, ...
 *     messages   what they are: an ask, a grant, a write, ... A closed link strikes what it loses or holds
 *     clocks     whether a lease stands on them, and whose
 *
 * Which cells a run reached is read from its trace, and from the plan what names stand for: situation_watch.c. Some
 * cells no run can reach, by how things are made; situation_never() has the reason, and a test attacks it.
 */
#ifndef FENCEPOST_MODEL_SITUATION_H
#define FENCEPOST_MODEL_SITUATION_H

#include "model/invariant.h"

enum situation_side { SIDE_PROGRAM, SIDE_SERVICE, SIDE_MESSAGE, SIDE_CLOCK, SIDES };

/* What a kind of fault can strike. */
enum { STRIKES_PROCESSES = 1 << SIDE_PROGRAM | 1 << SIDE_SERVICE };

/* X(ID, name, words, what it strikes: bits of enum situation_side) */
#define SITUATION_KIND_TABLE(X)                                                             \
    X(STRUCK_PAUSE, "pause", "pause", STRIKES_PROCESSES)                                    \
    X(STRUCK_THREAD, "pause-thread", "pause of one thread", STRIKES_PROCESSES)              \
    X(STRUCK_SUSPEND, "suspend", "suspension of the machine", STRIKES_PROCESSES)            \
    X(STRUCK_CRASH, "crash", "crash", STRIKES_PROCESSES)                                    \
    X(STRUCK_WIPE, "crash-losing-everything", "crash losing everything", STRIKES_PROCESSES) \
    X(STRUCK_SLOW, "slow", "slow answers", STRIKES_PROCESSES)                               \
    X(STRUCK_PARTITION, "partition", "lost or held by a partition", 1 << SIDE_MESSAGE)      \
    X(STRUCK_CUT, "cut", "lost or held by a cut", 1 << SIDE_MESSAGE)                        \
    X(STRUCK_DELAY, "delay", "delay", 1 << SIDE_MESSAGE)                                    \
    X(STRUCK_DROP, "drop", "loss", 1 << SIDE_MESSAGE)                                       \
    X(STRUCK_DUPLICATE, "duplicate", "duplicate", 1 << SIDE_MESSAGE)                        \
    X(STRUCK_REORDER, "reorder", "overtaking", 1 << SIDE_MESSAGE)                           \
    X(STRUCK_JUMP_AHEAD, "jump-ahead", "wall clock stepped ahead", 1 << SIDE_CLOCK)         \
    X(STRUCK_JUMP_BACK, "jump-back", "wall clock stepped back", 1 << SIDE_CLOCK)            \
    X(STRUCK_DRIFT_FAST, "drift-fast", "clocks run fast", 1 << SIDE_CLOCK)                  \
    X(STRUCK_DRIFT_SLOW, "drift-slow", "clocks run slow, or right again", 1 << SIDE_CLOCK)  \
    X(STRUCK_SLEW, "slew", "clocks slewed", 1 << SIDE_CLOCK)

enum situation_kind {
#define X(id, ...) id,
    SITUATION_KIND_TABLE(X)
#undef X
        SITUATION_KINDS
};

/* X(ID, name, words, side). A thread under a grant can be paused alone to some effect: see situation_never(). */
#define SITUATION_PHASE_TABLE(X)                                                                        \
    /* programs */                                                                                      \
    X(DOING_IDLE, "idle", "holding nothing, asking for nothing", SIDE_PROGRAM)                          \
    X(DOING_ACQUIRING, "acquiring", "acquiring", SIDE_PROGRAM)                                          \
    X(DOING_CLAIMING, "claiming", "claiming", SIDE_PROGRAM)                                             \
    X(DOING_IN_LINE, "in-line", "waiting in line", SIDE_PROGRAM)                                        \
    X(DOING_HOLDING, "holding", "holding a lock", SIDE_PROGRAM)                                         \
    X(DOING_WORKING, "working", "working under a lock", SIDE_PROGRAM)                                   \
    X(DOING_CHECKED, "between-check-and-act", "between check and act", SIDE_PROGRAM)                    \
    X(DOING_WRITING, "write-in-flight", "with a write in flight", SIDE_PROGRAM)                         \
    X(DOING_READING, "reading", "reading", SIDE_PROGRAM)                                                \
    X(DOING_RENEWING, "renewing", "renewing", SIDE_PROGRAM)                                             \
    X(DOING_LATE, "past-its-lease", "past the end of its lease", SIDE_PROGRAM)                          \
    X(DOING_RELEASING, "releasing", "releasing", SIDE_PROGRAM)                                          \
    X(DOING_HAS_JOB, "holding-a-job", "holding a job", SIDE_PROGRAM)                                    \
    X(DOING_JOB, "working-on-a-job", "working on a job", SIDE_PROGRAM)                                  \
    X(DOING_EFFECT_DONE, "after-an-effect", "between an effect and its job's completion", SIDE_PROGRAM) \
    X(DOING_HEARTBEATING, "heartbeating", "heartbeating", SIDE_PROGRAM)                                 \
    X(DOING_COMPLETING, "completing", "completing", SIDE_PROGRAM)                                       \
    X(DOING_FAILING, "failing", "failing its job", SIDE_PROGRAM)                                        \
    X(DOING_REAPING, "reaping", "reaping", SIDE_PROGRAM)                                                \
    X(DOING_ENQUEUEING, "enqueueing", "adding a job, or putting one back", SIDE_PROGRAM)                \
    X(DOING_UPDATING, "updating-a-row", "with a statement on a row in flight", SIDE_PROGRAM)            \
    /* services */                                                                                      \
    X(AT_REST, "at-rest", "with nothing given and nothing under way", SIDE_SERVICE)                     \
    X(AT_GRANTING, "granting", "a grant under way", SIDE_SERVICE)                                       \
    X(AT_GRANT_SENT, "grant-on-its-way", "its grant not yet arrived", SIDE_SERVICE)                     \
    X(AT_LEASE_RUNS, "lease-running", "a lease running", SIDE_SERVICE)                                  \
    X(AT_JOB_RUNS, "job-running", "a job running", SIDE_SERVICE)                                        \
    X(AT_EXTENDING, "extending", "an extension under way", SIDE_SERVICE)                                \
    X(AT_ENDING, "ending-a-grant", "a release, completion or failure under way", SIDE_SERVICE)          \
    X(AT_OVER, "lease-over", "a lease over, and nothing given since", SIDE_SERVICE)                     \
    X(AT_LINE, "line-waiting", "somebody waiting in its line", SIDE_SERVICE)                            \
    X(AT_VOTING, "voting", "a vote under way", SIDE_SERVICE)                                            \
    X(AT_VOTE_RUNS, "vote-running", "its vote running", SIDE_SERVICE)                                   \
    X(AT_COMMITTING, "committing", "a write under way", SIDE_SERVICE)                                   \
    X(AT_MARKED, "guarding", "a fence mark to keep", SIDE_SERVICE)                                      \
    X(AT_JUDGING, "judging", "a reaper's look or verdict under way", SIDE_SERVICE)                      \
    X(AT_CHANGING, "changing-a-row", "a row's change under way", SIDE_SERVICE)                          \
    /* messages */                                                                                      \
    X(IS_ASK, "ask", "an ask or claim", SIDE_MESSAGE)                                                   \
    X(IS_GRANT, "grant", "a grant, of a lock or a job", SIDE_MESSAGE)                                   \
    X(IS_VOTE, "vote", "a vote", SIDE_MESSAGE)                                                          \
    X(IS_TURN, "turn", "word of the line", SIDE_MESSAGE)                                                \
    X(IS_RENEWAL, "renewal", "a renewal or heartbeat", SIDE_MESSAGE)                                    \
    X(IS_EXTENSION, "extension", "the answer to a renewal or heartbeat", SIDE_MESSAGE)                  \
    X(IS_REPORT, "report", "a release, completion or failure", SIDE_MESSAGE)                            \
    X(IS_RECEIPT, "receipt", "the answer to one of these, or to a verdict", SIDE_MESSAGE)               \
    X(IS_WRITE, "write", "a write, delete or fence", SIDE_MESSAGE)                                      \
    X(IS_WRITTEN, "written", "the answer to a write", SIDE_MESSAGE)                                     \
    X(IS_READ, "read", "a read", SIDE_MESSAGE)                                                          \
    X(IS_VALUE, "value", "the answer to a read", SIDE_MESSAGE)                                          \
    X(IS_VERDICT, "verdict", "a reaper's look or verdict", SIDE_MESSAGE)                                \
    X(IS_REFUSAL, "refusal", "a refusal", SIDE_MESSAGE)                                                 \
    X(IS_ENQUEUE, "enqueue", "a job being added or put back, and the answer", SIDE_MESSAGE)             \
    X(IS_STATEMENT, "statement", "a statement on a row", SIDE_MESSAGE)                                  \
    X(IS_CHANGED, "changed", "the answer to a statement", SIDE_MESSAGE)                                 \
    /* clocks */                                                                                        \
    X(ON_NOTHING, "no-lease", "with no lease on its machine", SIDE_CLOCK)                               \
    X(ON_OWN, "own-lease", "with a lease that its holder counts by it", SIDE_CLOCK)                     \
    X(ON_GIVEN, "given-lease", "with a lease that its service counts by it", SIDE_CLOCK)                \
    X(ON_ANOTHER, "lease-on-another-clock", "with a lease that is counted by another clock of the machine", SIDE_CLOCK)

enum situation_phase {
#define X(id, ...) id,
    SITUATION_PHASE_TABLE(X)
#undef X
        SITUATION_PHASES
};

struct situation_word {
    const char *name;  /* on a command line */
    const char *words; /* in a sentence */
    uint64_t side;     /* of a phase; of a kind: bits of sides */
};
extern const struct situation_word situation_kind_table[SITUATION_KINDS];
extern const struct situation_word situation_phase_table[SITUATION_PHASES];
extern const char *const situation_side_name[SIDES]; /* "programs" ... */

/* --- cells ---------------------------------------------------------------------------------- */

#define SITUATION_CELLS (SITUATION_KINDS * SITUATION_PHASES)
#define SITUATION_SET_WORDS ((SITUATION_CELLS + 63) / 64)

static inline uint32_t situation_cell(enum situation_kind kind, enum situation_phase phase)
{
    return (uint32_t)kind * SITUATION_PHASES + (uint32_t)phase;
}
static inline enum situation_kind situation_kind_of(uint32_t cell)
{
    return (enum situation_kind)(cell / SITUATION_PHASES);
}
static inline enum situation_phase situation_phase_of(uint32_t cell)
{
    return (enum situation_phase)(cell % SITUATION_PHASES);
}

/* Whether such a fault strikes what can be in that phase: if not it is no cell of any table. */
bool situation_is(uint32_t cell);
/* Why no run can reach it, a sentence; NULL: some run can. */
const char *situation_never(uint32_t cell);

/* A set of cells. */
struct situation_set {
    uint64_t word[SITUATION_SET_WORDS];
};
static inline bool situation_has(const struct situation_set *s, uint32_t cell)
{
    return s->word[cell / 64] >> cell % 64 & 1;
}
static inline void situation_add(struct situation_set *s, uint32_t cell)
{
    s->word[cell / 64] |= UINT64_C(1) << cell % 64;
}

/* --- reading a trace ------------------------------------------------------------------------- */

/* What is remembered of a trace while it is read. It lies in a block of its caller's. */
struct situations;
size_t situations_bytes(const struct model_plan *p);
/* Nothing has happened yet. memory: situations_bytes() of it, aligned for a uint64_t; the plan outlives it. */
struct situations *situations_begin(const struct model_plan *p, void *memory);
/* The next record, with notes (SIM_NOTES), number 1 + its index. Adds to *hit what it is a fault upon. */
void situations_take(struct situations *w, const struct record *r, uint32_t number, struct situation_set *hit);

#endif
