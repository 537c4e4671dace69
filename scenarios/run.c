/* SPDX-License-Identifier: MIT
 *
 * run.c - see run.h. The loop, the verdict, and the proof that a run can be repeated.
 */
#include "scenarios/run.h"

#include "model/linear.h"

#include <stdlib.h>
#include <string.h>

const char *const verdict_name[3] = {"holds", "violates", "error"};

static struct sim *under_way;

struct sim *run_under_way(void) { return under_way; }

/* --- life ------------------------------------------------------------------------------------ */

static struct run *new_with(const struct compiled *c, unsigned options, uint32_t unjudged)
{
    struct run *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->c = c;
    r->model = c->model;
    r->model.unjudged = unjudged;
    r->options = options;
    r->jury = malloc(jury_size(c));
    r->choice = calloc(c->n_choices + 1, 1);
    r->sim = sim_new(&c->sim, &fencepost_model, &r->model, options);
    if (r->jury == NULL || r->choice == NULL || r->sim == NULL) {
        run_free(r);
        return NULL;
    }
    return r;
}

struct run *run_new(const struct compiled *c, unsigned more)
{
    return new_with(c, SIM_KEEP_TRACE | SIM_DIGEST | SIM_NOTES | more, 0);
}

struct run *run_new_brief(const struct compiled *c)
{
    return new_with(c, linear_bytes(&c->model, NULL, 0) > 0 ? SIM_KEEP_TRACE | SIM_NOTES : 0,
                    SIGNS_OF_NOTES & ~c->signs);
}

void run_free(struct run *r)
{
    if (r == NULL)
        return;
    if (r->sim != NULL)
        sim_free(r->sim);
    free(r->jury);
    free(r->choice);
    free(r);
}

/* Gives a run with a short trace room for all the records of its scenario. False: no memory, and nothing changed. */
static bool make_long(struct run *r)
{
    if (!(r->options & SIM_SHORT_TRACE))
        return true;
    unsigned options = r->options & ~(unsigned)SIM_SHORT_TRACE;
    struct sim *all = sim_new(&r->c->sim, &fencepost_model, &r->model, options);
    if (all == NULL)
        return false;
    sim_free(r->sim);
    r->sim = all;
    r->options = options;
    return true;
}

/* --- the loop ---------------------------------------------------------------------------------- */

/* Every event before `next` has run: judges what is due by then. Behind the horizon no time comes. */
static void judge(struct run *r, ns next)
{
    ns horizon = r->c->sim.horizon;
    jury_instant(r->jury, r->c, r->sim, next > horizon ? horizon + 1 : next);
}

/* What is judged after an event, or when there was none. Returns false when the run is over, with *end. until: how far
 * it was to go on with nothing to keep it. */
static bool judge_step(struct run *r, enum sim_status status, ns until, enum run_end *end)
{
    switch (status) {
    case SIM_RAN: {
        if (r->c->n_expectations == 0)
            return true;
        jury_event(r->jury, r->c, r->sim);
        ns next = sim_next_at(r->sim);
        if (next > sim_now(r->sim))
            judge(r, next);
        return true;
    }
    case SIM_IDLE:
    case SIM_EMPTY:
        /* Nothing more comes up to `until`. What is judged there may open a window that ends later. */
        *end = END_IDLE;
        if (until < 0)
            return false;
        judge(r, until + 1);
        return jury_until(r->jury) > until;
    case SIM_HORIZON:
        *end = END_HORIZON;
        judge(r, NS_NEVER);
        return false;
    case SIM_STEPS: *end = END_STEPS; return false;
    case SIM_FULL: *end = END_FULL; return false;
    case SIM_FAILED: *end = END_FAILED; return false;
    }
    ASSERT(r->sim == NULL);
    return false;
}

static bool step(struct run *r, enum run_end *end)
{
    ns until = jury_until(r->jury);
    return judge_step(r, sim_step(r->sim, until), until, end);
}

/* All events of a run in which nobody looks on and nothing is expected: there is nothing to do between two of them. */
static void run_through(struct run *r)
{
    ns until = jury_until(r->jury);
    enum sim_status status = SIM_RAN;
    ASSERT(r->c->n_expectations == 0);
    while (status == SIM_RAN)
        status = sim_step(r->sim, until);
    bool more = judge_step(r, status, until, &r->end);
    ASSERT(!more);
}

/* --- the verdict --------------------------------------------------------------------------------- */

static bool names_violation(const struct expected_violation *e, const struct violation *v)
{
    return e->invariant == v->invariant && (e->by == NONE16 || e->by == v->node) &&
           (e->from < 0 || (v->at >= e->from && v->at <= e->to));
}

/* behind: it came no earlier than the first violation that the case names. */
static enum role role_of(const struct compiled *c, const struct violation *v, bool named, bool behind)
{
    uint32_t kind = invariant_table[v->invariant].kind;
    if (named)
        return ROLE_EXPECTED;
    for (uint32_t i = 0; i < c->n_expected; i++)
        if (c->expected[i].invariant == v->invariant)
            return ROLE_UNEXPECTED; /* named, but by another or at another time */
    if (kind == INV_SIGN)
        return c->signs >> v->invariant & 1 ? ROLE_UNEXPECTED : ROLE_WARNING;
    return kind == INV_PROTOCOL && behind ? ROLE_AND_THEN : ROLE_UNEXPECTED;
}

/* Finds for each violation that the case names the one that broke. Returns the record of the first; NONE32:
 * none broke, or the case names none. */
static uint32_t match_expected(struct run *r)
{
    const struct compiled *c = r->c;
    uint32_t first = NONE32;
    memset(r->broken_by, 0, sizeof r->broken_by);
    for (uint32_t k = 0; c->violates && k < c->n_expected; k++) {
        for (uint32_t i = 0; i < r->n_violations; i++) {
            if (!names_violation(&c->expected[k], &r->violation[i]))
                continue;
            r->broken_by[k] = i + 1;
            if (r->violation[i].record < first)
                first = r->violation[i].record;
        }
    }
    return first;
}

static bool is_named(const struct run *r, uint32_t i)
{
    for (uint32_t k = 0; k < r->c->n_expected; k++)
        if (r->broken_by[k] == i + 1)
            return true;
    return false;
}

/* Matches what broke with what the case says. True: just what it says. What breaks by one record breaks at
 * once: none of it comes before the other. */
static bool judge_violations(struct run *r)
{
    const struct compiled *c = r->c;
    bool good = true;
    uint32_t first = match_expected(r);
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        r->role[i] = role_of(c, v, is_named(r, i), v->record >= first);
        good = good && r->role[i] != ROLE_UNEXPECTED;
    }
    for (uint32_t k = 0; c->violates && k < c->n_expected; k++)
        good = good && r->broken_by[k] > 0;
    return good;
}

/* Does this violation make the verdict of the run? */
static bool counts(const struct compiled *c, const struct violation *v)
{
    if (invariant_table[v->invariant].kind != INV_SIGN || c->signs >> v->invariant & 1)
        return true;
    for (uint32_t i = 0; i < c->n_expected; i++)
        if (c->expected[i].invariant == v->invariant)
            return true;
    return false;
}

bool run_counts(const struct run *r, uint32_t i) { return counts(r->c, &r->violation[i]); }

/* It ended by itself: no limit, and no error of the scenario. */
static bool is_whole(const struct run *r) { return r->end == END_IDLE || r->end == END_HORIZON; }

static enum verdict find_verdict(const struct run *r)
{
    if (!is_whole(r))
        return VERDICT_ERROR;
    for (uint32_t i = 0; i < r->n_violations; i++)
        if (counts(r->c, &r->violation[i]))
            return VERDICT_VIOLATES;
    return VERDICT_HOLDS;
}

/* How many misses count: all in a plain run, else those of `always`. They stay in place. */
static uint32_t misses_that_count(const struct run *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_misses; i++)
        n += r->plain || r->c->expectations[r->misses[i].expectation].when == EXPECT_ALWAYS;
    return n;
}

/* --- questions --------------------------------------------------------------------------------------- */

static uint8_t judge_choice(struct run *r, const struct ask_choice *choice)
{
    struct value v;
    enum model_failure failure = FAIL_TYPE;
    if (choice->effect != NONE16)
        return query_effects(r->sim, choice->effect) == choice->count ? CHOICE_TRUE : CHOICE_FALSE;
    if (!expr_eval(r->sim, NONE16, choice->expr, &v, &failure))
        return (uint8_t)((unsigned)CHOICE_FAILED + (unsigned)failure);
    if (v.tag != TAG_BOOL)
        return (uint8_t)((unsigned)CHOICE_FAILED + (unsigned)FAIL_TYPE);
    return v.v != 0 ? CHOICE_TRUE : CHOICE_FALSE;
}

/* A choice that cannot be asked is no answer, and leaves none to the question. */
static bool has_answer(const struct run *r, const struct ask *ask)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        uint8_t state = r->choice[ask->first_choice + k];
        if (state >= CHOICE_FAILED)
            return false;
        n += state == CHOICE_TRUE;
    }
    return n == 1;
}

static void judge_asks(struct run *r)
{
    const struct compiled *c = r->c;
    r->asked = r->plain && is_whole(r);
    r->n_unanswered = 0;
    for (uint32_t k = 0; r->asked && k < c->n_choices; k++)
        r->choice[k] = judge_choice(r, &c->choices[k]);
    for (uint32_t i = 0; r->asked && i < c->n_asks; i++)
        r->n_unanswered += !has_answer(r, &c->asks[i]);
}

uint32_t run_answer(const struct run *r, uint32_t i)
{
    const struct ask *ask = &r->c->asks[i];
    ASSERT(i < r->c->n_asks);
    if (!r->asked || !has_answer(r, ask))
        return NONE32;
    uint32_t k = ask->first_choice;
    while (r->choice[k] != CHOICE_TRUE)
        k++;
    return k;
}

/* --- the end ------------------------------------------------------------------------------------------ */

/* Into its place among the others, which are in order of the records that broke them; behind those of its own. */
static void add_violation(struct run *r, const struct violation *v)
{
    ASSERT(r->n_violations < INVARIANTS);
    uint32_t i = r->n_violations++;
    for (; i > 0 && r->violation[i - 1].record > v->record; i--)
        r->violation[i] = r->violation[i - 1];
    r->violation[i] = *v;
}

/* `linearizable`, over the whole trace. False: no memory. */
static bool judge_trace(struct run *r)
{
    const struct model_plan *p = &r->c->model;
    struct violation broken;
    uint32_t records, n;
    const struct record *trace = sim_trace(r->sim, &records);
    size_t bytes = linear_bytes(p, trace, records);
    void *memory = bytes == 0 ? NULL : malloc(bytes);
    if (memory == NULL)
        return bytes == 0;
    if (linear_judge(p, trace, records, memory, &broken, r->undecided + r->n_undecided, UNDECIDED_MAX - r->n_undecided,
                     &n) == LINEAR_NO)
        add_violation(r, &broken);
    free(memory);
    r->n_undecided += n;
    return true;
}

/* What broke, and what stays undecided. Of a run that did not end by itself nothing is judged at its end. */
static bool collect(struct run *r)
{
    const struct violation *v;
    if (is_whole(r))
        query_end(r->sim, r->end == END_IDLE);
    uint32_t n = query_violations(r->sim, &v);
    r->n_violations = r->n_undecided = 0;
    for (uint32_t i = 0; i < n; i++)
        add_violation(r, &v[i]);
    if (!is_whole(r))
        return true;
    n = query_undecided(r->sim, r->undecided, UNDECIDED_MAX);
    r->n_undecided = n < UNDECIDED_MAX ? n : UNDECIDED_MAX;
    return judge_trace(r);
}

static bool finish(struct run *r)
{
    struct sim *s = r->sim;
    if (!collect(r))
        return false;
    r->n_misses = jury_misses(r->jury, &r->misses);
    r->digest = sim_trace_digest(s);
    r->events = sim_steps(s);
    r->records = sim_records(s);
    r->end_ns = sim_now(s);
    r->full_name = r->end == END_FULL || r->end == END_STEPS ? sim_full_name(s) : NULL;
    r->full_limit = r->end == END_STEPS ? r->c->sim.limits.steps : r->end == END_FULL ? sim_full_limit(s) : 0;
    r->fail_code = r->end == END_FAILED ? sim_fail_code(s) : 0;
    r->fail_line = r->end == END_FAILED ? sim_fail_line(s) : 0;
    r->verdict = find_verdict(r);
    judge_asks(r);
    bool good = judge_violations(r);
    r->mended = r->c->to_mend && r->verdict == VERDICT_HOLDS;
    if (r->c->to_mend && !r->mended) /* what is expected is said of the mended case */
        r->n_misses = 0;
    r->as_expected = r->verdict != VERDICT_ERROR && (good || r->mended) && misses_that_count(r) == 0 &&
                     r->n_unanswered == 0;
    return true;
}

/* --- in pieces --------------------------------------------------------------------------------------------- */

void run_begin(struct run *r, const struct run_options *options)
{
    r->plain = options == NULL || options->plain;
    sim_choose(r->sim, options == NULL ? NULL : options->choose, options == NULL ? NULL : options->context);
    sim_reset(r->sim, options == NULL ? NULL : options->deviations, options == NULL ? 0 : options->n_deviations);
    jury_reset(r->jury, r->c);
}

bool run_step(struct run *r) { return step(r, &r->end); }

bool run_finish(struct run *r)
{
    jury_end(r->jury, r->c, r->sim, is_whole(r));
    return finish(r);
}

uint32_t run_broken(const struct run *r, const struct violation **violations)
{
    return query_violations(r->sim, violations);
}

uint32_t run_missed(const struct run *r, uint32_t *first)
{
    const struct miss *misses;
    uint32_t n = jury_misses(r->jury, &misses);
    *first = NONE32;
    for (uint32_t i = 0; i < n; i++)
        *first = misses[i].expectation < *first ? misses[i].expectation : *first;
    return n;
}

/* From where the run is to its end. */
static bool go_on(struct run *r, const struct run_options *options)
{
    bool watched = options != NULL && options->after != NULL;
    under_way = r->sim;
    if (!watched && r->c->n_expectations == 0)
        run_through(r);
    else
        while (run_step(r))
            if (watched)
                options->after(options->context, r->sim);
    bool good = run_finish(r);
    under_way = NULL;
    return good;
}

static bool play(struct run *r, const struct run_options *options)
{
    run_begin(r, options);
    return go_on(r, options);
}

bool run_play(struct run *r, const struct run_options *options)
{
    bool watched = options != NULL && (options->choose != NULL || options->after != NULL);
    if (watched && !make_long(r))
        return false;
    bool good = play(r, options);
    if (!good || r->end != END_FULL || !(r->options & SIM_SHORT_TRACE))
        return good;
    return make_long(r) && play(r, options);
}

/* The jury first, for its size does not change. */
size_t run_copy_size(const struct run *r) { return (jury_size(r->c) + 7) / 8 * 8 + sim_snapshot_size(r->sim); }

void run_copy(const struct run *r, void *out)
{
    size_t judged = (jury_size(r->c) + 7) / 8 * 8;
    memcpy(out, r->jury, jury_size(r->c));
    sim_snapshot(r->sim, (char *)out + judged, sim_snapshot_size(r->sim));
}

void run_back(struct run *r, const void *copy)
{
    memcpy(r->jury, copy, jury_size(r->c));
    sim_restore(r->sim, (const char *)copy + (jury_size(r->c) + 7) / 8 * 8);
}

bool run_play_copy(struct run *r, const void *copy, const struct run_options *options)
{
    r->plain = options->plain;
    sim_choose(r->sim, options->choose, options->context);
    run_back(r, copy);
    sim_deviate(r->sim, options->deviations, options->n_deviations);
    return go_on(r, options);
}

struct run *run_case(const struct compiled *c, const struct run_options *options)
{
    unsigned more = options == NULL ? 0 : options->more;
    struct run *r = run_new(c, c->sim.limits.records > SHORT_TRACE ? more | SIM_SHORT_TRACE : more);
    if (r == NULL || run_play(r, options))
        return r;
    run_free(r);
    return NULL;
}

/* --- repeated ---------------------------------------------------------------------------------------- */

struct outcome {
    uint64_t digest, state, events, records, misses, violations, undecided, answers;
    uint64_t verdict; /* and whether as expected, and the end */
};

static struct outcome outcome_of(struct run *r)
{
    struct outcome o = {r->digest, sim_state_digest(r->sim), r->events, r->records, 0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < r->n_misses; i++)
        o.misses = hash_step(o.misses + 1, (uint64_t)r->misses[i].expectation << 8 | r->misses[i].why);
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        o.violations = hash_step(o.violations + 1, (uint64_t)v->at);
        o.violations = hash_step(o.violations, (uint64_t)v->invariant << 32 | v->record);
    }
    for (uint32_t i = 0; i < r->n_undecided; i++) {
        const struct undecided *u = &r->undecided[i];
        o.undecided = hash_step(o.undecided + 1, (uint64_t)u->invariant << 32 | (uint32_t)u->resource << 16 | u->why);
    }
    for (uint32_t k = 0; r->asked && k < r->c->n_choices; k++)
        o.answers = hash_step(o.answers + 1, r->choice[k]);
    o.verdict = (uint64_t)r->verdict << 16 | (uint64_t)r->end << 8 | r->as_expected;
    return o;
}

static const char *difference(const struct outcome *a, const struct outcome *b)
{
    return a->digest != b->digest           ? "trace digest"
           : a->records != b->records       ? "count of records"
           : a->events != b->events         ? "count of events"
           : a->verdict != b->verdict       ? "verdict"
           : a->violations != b->violations ? "violations"
           : a->misses != b->misses         ? "failed expectations"
           : a->undecided != b->undecided   ? "what stays undecided"
           : a->answers != b->answers       ? "answers"
           : a->state != b->state           ? "state digest"
                                            : NULL;
}

/* Compares a run that has been played again (played: there was memory for it) with the first. */
static const char *again_differs(struct run *r, const struct outcome *first, bool played)
{
    if (!played)
        return "no memory";
    struct outcome again = outcome_of(r);
    return difference(first, &again);
}

/* Plays to half of the events, copies, plays to the end, goes back to the copy, and plays to the end again. */
static const char *verify_snapshot(struct run *r, const struct outcome *first)
{
    run_begin(r, NULL);
    enum run_end end = END_IDLE;
    while (sim_steps(r->sim) < first->events / 2 && step(r, &end)) {
    }
    unsigned char *copy = malloc(run_copy_size(r));
    if (copy == NULL)
        return "no memory for a snapshot";
    run_copy(r, copy);
    const struct run_options options = {.plain = true};
    const char *what = again_differs(r, first, go_on(r, NULL));
    if (what == NULL)
        what = again_differs(r, first, run_play_copy(r, copy, &options));
    free(copy);
    return what;
}

const char *run_verify(const struct compiled *c)
{
    struct run *r = run_case(c, NULL);
    const char *what = "no memory";
    if (r != NULL) {
        struct outcome first = outcome_of(r);
        what = again_differs(r, &first, run_play(r, NULL));
        if (what == NULL)
            what = verify_snapshot(r, &first);
    }
    run_free(r);
    return what;
}
