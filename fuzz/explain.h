/* SPDX-License-Identifier: MIT
 *
 * explain.h - the facts of an explanation: why a case came out as it did, and what would have changed it.
 *
 * Facts only, no words: reports/ has those. Everything rests on the trace of the run and on re-runs, each of which is
 * the same case with one *change*: gates taken away or put back, other faults in lines of the file. A change is what
 * the options of `fencepost run` say (--without, --with, --fault), and a re-run is made of just that; so the command
 * printed from a change shows what the explanation says of it.
 *
 * "Needed" means: in this run, without that fault alone, the rule does not break. Never "the cause".
 */
#ifndef FENCEPOST_FUZZ_EXPLAIN_H
#define FENCEPOST_FUZZ_EXPLAIN_H

#include "scenarios/language/arena.h"
#include "scenarios/run.h"

#define EXPLAIN_REPLAYS 400  /* of one explanation at most; what is not asked by then stays unasked */
#define EXPLAIN_EVENTS 10000 /* of one re-run, and EXPLAIN_TIMES the run's own: at most */
#define EXPLAIN_TIMES 20
#define EXPLAIN_FAULTS 64 /* that are left out, alone and together; of a case with more the first */
#define EXPLAIN_PAIRED 12 /* of the first so many, pairs are */

/* --- re-runs --------------------------------------------------------------------------------- */

struct change {
    uint32_t without, put_back; /* bits GATE_x */
    uint32_t n;                 /* revisions, each of another line */
    const struct revision *revision;
};

enum replay_end {
    REPLAY_UNASKED,
    REPLAY_HOLDS,
    REPLAY_SAME,      /* the invariant that is explained breaks, by whomever and whenever */
    REPLAY_OTHER,     /* that one holds, and another that counts breaks */
    REPLAY_NO_END,    /* a limit, or an error of the scenario */
    REPLAY_LONG,      /* it was not followed to its end: after EXPLAIN_EVENTS and many times the run's own */
    REPLAY_IMPOSSIBLE /* the case does not compile with that change */
};

struct replayed {
    struct change change;
    uint16_t end;       /* enum replay_end */
    bool same_trace;    /* nothing at all is different; asked of gates alone */
    uint32_t invariant; /* SAME, OTHER: what broke first; INVARIANTS and more: an `always` line */
    ns at;              /* and when */
    const char *node;   /* and whose it was; NULL: nobody's */
};
static inline bool replay_breaks(const struct replayed *r) { return r->end == REPLAY_SAME || r->end == REPLAY_OTHER; }

/* --- what is explained ------------------------------------------------------------------------- */

enum explained {
    EXPLAINED_RULE,        /* an invariant that counts broke: violation `index` of the run */
    EXPLAINED_ALWAYS,      /* an `always` line was false: miss `index` */
    EXPLAINED_EXPECTATION, /* no rule broke, and an expectation failed: miss `index` */
    EXPLAINED_END,         /* no rule broke, and the run came to no end of its own */
    EXPLAINED_HOLDS        /* nothing broke */
};

/* --- the chain of causes ------------------------------------------------------------------------ */

enum link_why {
    LINK_BROKE,    /* the record that broke the rule; of a case that held, the refusal that kept it from breaking */
    LINK_CONFLICT, /* the earlier fact that it conflicts with */
    LINK_CAUSE,    /* it sent the message, set the timer, or was the step before */
    LINK_STATE,    /* it left behind what a later link found: the end of an earlier grant, a vote, what was read */
    LINK_ABSENCE   /* a needed fault from which nothing leads here: it worked by what did not happen */
};

struct chain_link {
    uint32_t record; /* 1 + index into the trace */
    uint16_t why;    /* enum link_why */
    bool told;       /* it says something new; the others only carry from one to the next */
};

/* --- faults ------------------------------------------------------------------------------------- */

/* What of a fault is varied. */
enum window_of {
    WINDOW_LENGTH,  /* how long it lasts: pause, suspend, crash, partition, cut, slow */
    WINDOW_AMOUNT,  /* how late, how far: delay, duplicate, slow, jump, slew */
    WINDOW_RATE,    /* drift, in ppb */
    WINDOW_TIME,    /* of a dated fault: when it strikes */
    WINDOW_MOMENT,  /* of one before or after an event: other such events of the same actor */
    WINDOW_MESSAGE, /* of one that strikes a message: which one, from 1 */
    WINDOWS
};

/* One value that was tried. NS_NEVER: without end; of a moment: its time in the run without the fault. */
struct tried {
    int64_t value; /* >= 0, without the sign that the file has */
    struct replayed replay;
};

/* Ascending by value, or moments in the order of the run; each was played. */
struct scanned {
    uint32_t n;
    uint32_t own; /* the one that stands in the file */
    struct tried *tried;
};

enum need { NEED_UNASKED, NEED_NEEDED, NEED_NOT, NEED_EITHER /* not alone: without this one and `other` it holds */ };

struct fault_fact {
    uint32_t fault; /* index into the plan's faults */
    uint32_t line;
    uint32_t trigger; /* index into the plan's triggers, NONE32: it is dated */
    uint32_t record;  /* 1 + index of its first record; 0: it never struck, or leaves none */
    bool came;        /* its time or its event came */
    uint16_t need;    /* enum need */
    uint32_t other;   /* NEED_EITHER: index into explanation.fault */
    ns at;            /* when it came */
    struct replayed without;
    struct replayed without_both;   /* NEED_EITHER */
    struct scanned window[WINDOWS]; /* n 0: not varied */
};

/* The nearest run that passes: of all that was tried, the smallest change of one needed fault. */
struct nearest {
    uint32_t fault; /* index into explanation.fault; NONE32: none was found */
    uint32_t of;    /* enum window_of */
    uint32_t tried; /* index into the window */
};

/* --- gates --------------------------------------------------------------------------------------- */

struct gate_fact {
    uint32_t gate;
    struct replayed replay; /* with it put back, or taken away */
};
struct gate_pair {
    uint32_t a, b; /* enum gate */
    struct replayed replay;
};

/* --- all of it ------------------------------------------------------------------------------------ */

struct explanation {
    const struct scenario *scenario; /* without the command line's faults */
    struct scenario *revised;        /* with them; owned. NULL: there are none */
    uint32_t case_index;
    struct change base; /* of the command line */
    struct compiled *c; /* owned, as all below */
    struct run *run;    /* played, with trace and notes */
    enum explained what;
    uint32_t index;     /* see enum explained */
    uint32_t invariant; /* what re-runs are asked for; INVARIANTS + i: expectation i; NONE32: whatever counts */
    uint32_t n_links;
    struct chain_link *link; /* in the order of the trace */
    uint32_t n_faults;
    struct fault_fact *fault;   /* of the case's own, in the order in which they came; those that did not, last */
    struct replayed calm;       /* without any fault */
    uint32_t no_return;         /* the fault after which all later ones can be taken away; NONE32: it was not asked */
    struct replayed only_until; /* without all later ones */
    struct nearest nearest;
    /* of a case that broke: gates that it lacks, each put back alone, and if none helps alone, pairs; of one that did
     * not: gates that it has, each taken away alone, and if none shows alone, pairs */
    uint32_t n_gates, n_pairs;
    struct gate_fact gate[GATES];
    struct gate_pair pair[GATES];
    struct replayed idle; /* of a case that did not break: all those away together that change nothing alone, if that
                             changes nothing either */
    /* what the file says of its gate, where that is not among the gates above */
    int32_t decided_by;      /* enum gate, or -1 */
    struct replayed decided; /* of a case that broke and has it: with it taken away as well */
    uint32_t decided_in;     /* or the case that holds, in which taking it away breaks the same: its index. NONE32 */
    struct replayed decided_there;
    uint32_t replays;
    struct arena arena;
};

/* Explains a case. NULL: it does not compile (diags), or there is no memory (diags->no_memory). */
struct explanation *explain_new(const struct scenario *s, uint32_t case_index, const struct change *change,
                                struct diags *diags);
void explain_free(struct explanation *x);

#endif
