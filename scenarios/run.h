/* SPDX-License-Identifier: MIT
 *
 * run.h - run(case, gates, deviations): one run of one case, and what it says.
 *
 * The gates are in the compiled case (scenario_compile's `without` and `put_back`), the deviations
 * are an option of the run. A run is a pure function of the three; nothing is left behind between
 * two runs of the same struct run. What is needed is allocated by run_new() and freed by run_free();
 * what `linearizable` needs at the end, where something is read, is asked for and given back there.
 *
 * A run goes on past a violation to its end. Its verdict:
 *
 *     holds     no harm, no protocol invariant and no sign that the case names was broken
 *     violates  at least one was
 *     error     it came to no end of its own: a limit, or an error of the scenario (end says which)
 *
 * What a run could not decide (no worker asked, it ended too soon, it would take too long) is listed beside its
 * violations, and fails nothing: a case that names such an invariant has not seen it break.
 *
 * A case that says `until mended` is as expected in two ways: as it says, and then what is expected of it is not
 * judged, for that is said of the mended case; or mended: it holds, and everything expected does.
 *
 * It is as expected when the verdict is the one that the case states (scenario-language.md, "Cases") and,
 * in a plain run, every expectation held and every question has one answer. A run with deviations, or
 * whose case was compiled with other gates than the file's, is not plain: of its expectations only
 * `always` counts, and no question is judged.
 */
#ifndef FENCEPOST_SCENARIOS_RUN_H
#define FENCEPOST_SCENARIOS_RUN_H

#include "scenarios/expect.h"
#include "scenarios/language/scenario.h"

enum verdict { VERDICT_HOLDS, VERDICT_VIOLATES, VERDICT_ERROR };
extern const char *const verdict_name[3];

enum run_end {
    END_IDLE,    /* nothing keeps it alive */
    END_HORIZON, /* `until` */
    END_STEPS,   /* `limit events`: a program loops, or it is a long story */
    END_FULL,    /* another capacity: full_name, full_limit */
    END_FAILED   /* the scenario's error: fail_code, fail_line */
};

/* What a violation means for the case's verdict. */
enum role {
    ROLE_EXPECTED,   /* named, by whom and when as named */
    ROLE_UNEXPECTED, /* fails the case */
    ROLE_AND_THEN,   /* a protocol violation after the first named one: a consequence */
    ROLE_WARNING     /* a sign that the case does not name */
};

/* What a choice was when the run was over; CHOICE_FAILED + enum model_failure: it could not be asked. */
enum choice_state { CHOICE_FALSE, CHOICE_TRUE, CHOICE_FAILED };

/* The most that is kept of what stays undecided: two invariants of each job or row, and a few registers. */
#define UNDECIDED_MAX (2 * RESOURCES_MAX + 32)

struct run_options {
    bool plain;    /* expectations are judged */
    unsigned more; /* SIM_POINTS, or 0; the trace is always kept whole */
    const struct deviation *deviations;
    uint32_t n_deviations;
    choose_fn choose;                            /* NULL: nobody */
    void (*after)(void *context, struct sim *s); /* after each event; changes nothing in the sim. NULL: nobody */
    void *context;                               /* of both */
};

struct run {
    const struct compiled *c;
    struct model_plan model; /* the case's, and what this run need not judge */
    struct sim *sim;
    unsigned options; /* of the sim: SIM_x */
    struct jury *jury;
    bool plain;
    /* the outcome of the last run */
    enum verdict verdict;
    bool as_expected;
    bool mended; /* its case says `until mended`, and it holds */
    enum run_end end;
    ns end_ns;
    uint64_t digest, events, records;
    const char *full_name;
    uint64_t full_limit;
    int32_t fail_code;
    uint32_t fail_line;
    uint32_t n_violations;
    struct violation violation[INVARIANTS];
    enum role role[INVARIANTS];         /* of each violation */
    uint32_t broken_by[VIOLATIONS_MAX]; /* expected violation i: 1 + the violation that it names, 0: it did not break */
    uint32_t n_undecided;
    struct undecided undecided[UNDECIDED_MAX]; /* only of a run that came to its own end */
    uint32_t n_misses;
    const struct miss *misses; /* in file order */
    bool asked;                /* the questions were judged: a plain run that came to its own end */
    uint32_t n_unanswered;     /* of them: how many have none or several choices that are true */
    uint8_t *choice;           /* by choice of the case: enum choice_state and more */
};

/* more: SIM_x, beside what a run needs for its verdict and its trace. NULL: out of memory. */
struct run *run_new(const struct compiled *c, unsigned more);
/* For a search, which plays a case many times: no digest, and a trace (with its notes) only where the end is judged by
 * it. The verdict and what broke when, by whom, are the same, but for the signs `single-holder` and `single-actor`,
 * which are told only of a case that names them; .record and .other of a violation are not the same. */
struct run *run_new_brief(const struct compiled *c);
void run_free(struct run *r);
/* Plays the case from the start; may be called again and again. options NULL: a plain run. False: there was no memory
 * to judge what is judged at the end, and the outcome is none. */
bool run_play(struct run *r, const struct run_options *options);
/* run_new and run_play together. NULL: out of memory.
 *
 * A trace is reserved whole, and a million records, as many as a scenario may make, are a hundred megabytes. So this
 * run has room for SHORT_TRACE of them, and run_play() plays one that makes more again, with all that is allowed.
 * Nobody sees it: a run is a pure function, and one that is watched (choose, after) has all from the start. */
struct run *run_case(const struct compiled *c, const struct run_options *options);

/* The same in pieces, for searches that follow many runs at once: begin; events one by one, until run_step() is false;
 * what is judged at the end. Between two events run_broken() says how many invariants are broken so far. */
void run_begin(struct run *r, const struct run_options *options);
bool run_step(struct run *r);
bool run_finish(struct run *r); /* false: no memory */
uint32_t run_broken(const struct run *r, const struct violation **violations);
/* How many expectations were missed by now; *first, of several the first in the file. */
uint32_t run_missed(const struct run *r, uint32_t *first);

/* Copies of a run between two events (of .after): plays on from there as often as one likes, with whoever chooses then.
 * Copies hold no longer than sim_forgettings() stays as it is. */
size_t run_copy_size(const struct run *r);
void run_copy(const struct run *r, void *out);
void run_back(struct run *r, const void *copy); /* to where it was; whoever chose then chooses on */
bool run_play_copy(struct run *r, const void *copy, const struct run_options *options);

/* Whether violation i makes the verdict: harm, a broken protocol, or a sign that the case names. */
bool run_counts(const struct run *r, uint32_t i);

/* The answer to question i, as an index into compiled.choices; NONE32: none, several, or it was not judged. */
uint32_t run_answer(const struct run *r, uint32_t i);

/* Plays the case twice, and once more from a snapshot taken in mid-run, and compares trace digests,
 * state digests at the end, counts of records and events, verdicts, violations, misses and what stayed
 * undecided. NULL: they agree; else what differs. */
const char *run_verify(const struct compiled *c);

/* The sim that is running now, NULL: none. For the hook that reports failed assertions. */
struct sim *run_under_way(void);

#endif
