/* SPDX-License-Identifier: MIT
 *
 * selftest.h - what the searches are worth: every gate of a case that holds is taken away in turn, which is a seeded
 * bug, and each is looked for over many seeds.
 *
 * A bug is (file, case, gate). Where the case breaks without the gate and without anything going wrong beyond what the
 * file says, the file's own faults are taken out and their kinds may happen (strip.h): the search has to find them
 * again. Where it still breaks, no fault is needed, and there is nothing to measure.
 *
 * The gate is to blame only for what nothing breaks with every gate in place (standing.h): the rest is not looked for.
 */
#ifndef FENCEPOST_FUZZ_SELFTEST_H
#define FENCEPOST_FUZZ_SELFTEST_H

#include "fuzz/search.h"
#include "fuzz/selftest_clock.h"
#include "fuzz/shrink.h"
#include "fuzz/standing.h"
#include "fuzz/survival.h"

#define PORTFOLIO_ROW ARMS /* of bug.by: the arms together */
#define SHRINKS_MAX 8

struct selftest_options {
    uint32_t arms;         /* what is measured as the portfolio */
    uint64_t seeds;        /* of each arm on each bug */
    uint64_t cap;          /* schedules of a search at most */
    uint64_t shallow_cap;  /* of an arm alone, where two faults are enough */
    uint64_t baseline_cap; /* of `uniform` and `pct` */
    uint64_t triage;       /* schedules of each of two searches, before a bug counts as not found */
    uint64_t steps;        /* events of an exhaustive search */
    uint64_t depth_steps;  /* of one that asks whether a bug needs three faults, or breaks by one */
    uint64_t proof;        /* events of a certificate */
    uint64_t every;        /* of the bugs that need one or two faults, every so manieth has its arms measured */
    uint64_t shrinks;      /* findings that are shrunk, of a deep bug; of another, one */
    bool quick;            /* the portfolio alone, and nothing is proved */
};

enum bug_is {
    BUG_FOUND,
    BUG_CALM,    /* it needs no fault */
    BUG_UNFOUND, /* neither by samples nor by exhaustive search */
    BUG_NO_CASE  /* without the gate it does not compile, or nothing may go wrong */
};

struct shrunk_row {
    uint32_t from, to;
    uint32_t needed;       /* fewer faults are proved not to break the same invariant; another may break with fewer */
    bool certified;        /* to == needed */
    uint32_t times, round; /* of its faults; how many a person would say */
    uint64_t cpu_us;
};

struct bug {
    const struct selftest_case *of; /* the plan's; no other pointer, so that a process can tell it to another */
    uint32_t gate;
    uint32_t number; /* among all, from 0 */
    enum bug_is is;
    bool stripped;
    uint32_t invariant; /* that breaks: enum invariant; INVARIANTS: what `always` says; NONE32: none was seen to */
    uint64_t gone;      /* bits (player.h): what breaks with every gate in place, and was not looked for */
    uint32_t offers;
    uint32_t proved;              /* no schedule of so many faults breaks it; NONE32: nothing is proved */
    uint32_t least;               /* faults of the smallest schedule that was seen to; NONE32: none */
    struct survival by[ARMS + 1]; /* n 0: not measured */
    bool exhausted;               /* found by exhaustive search: after */
    uint64_t schedules, steps;    /* so many schedules and events; else of the search that was not completed */
    uint32_t covered;             /* bits: with one of these gates away as well, its absence shows */
    uint32_t n_shrunk;
    struct shrunk_row shrunk[SHRINKS_MAX];
};

/* A case whose gates are taken away: what one process measures. */
struct selftest_case {
    struct scenario *s;         /* this and the next three are the plan's, one for all cases of a file */
    char *path, *folder, *file; /* file: without folder and ending */
    uint32_t index;             /* of the case in it */
    const char *name;           /* of the case; the scenario's */
    struct selftest_options o;
    uint32_t gates;  /* bits; not 0 */
    uint32_t n_bugs; /* as many as it has gates */
    uint32_t first;  /* the number of its first bug */
};

/* All cases, in the order of the arguments: their bugs stand in this order on the page. */
struct selftest_plan {
    struct selftest_case *row;
    uint32_t n, room;
    uint32_t n_bugs;
};

/* What was measured, of a case or of all. */
struct selftest {
    struct selftest_options o;
    struct bug *bug;
    uint32_t n;
    uint32_t cases;
    uint64_t played; /* schedules of all searches */
    bool no_memory;
};

/* A bug needs three faults at least, or that is the fewest that were seen to break it. */
static inline bool bug_is_deep(const struct bug *b)
{
    return b->is == BUG_FOUND && ((b->proved != NONE32 && b->proved >= 2) || b->least >= 3);
}

/* --- selftest.c: says what is wrong with what, and ends with this status. */
_Noreturn void selftest_give_up(int status, const char *what, const char *of);

/* --- selftest_plan.c: adds the cases of a file or folder that hold and have one of these gates (bits). What cannot be
 * read ends the program. */
void selftest_plan_add(struct selftest_plan *p, const struct selftest_options *o, const char *path, uint32_t only);
void selftest_plan_free(struct selftest_plan *p);

/* --- selftest_measure.c: all bugs of one case. t: 0 but for room for them. False: no memory. */
bool selftest_case(struct selftest *t, const struct selftest_case *of);

/* --- selftest_jobs.c: all cases of the plan, by up to so many processes (1 to JOBS_MAX) at a time. What comes out does
 * not depend on how many. t: 0 but for room for all bugs. False: a process failed, which has been said. */
#define JOBS_MAX 64
bool selftest_measure(struct selftest *t, const struct selftest_plan *p, uint32_t jobs);

/* --- selftest_report.c: to standard output. How many goals were missed. */
uint32_t selftest_report(const struct selftest *t);
uint32_t selftest_quick_report(const struct selftest *t);

#endif
