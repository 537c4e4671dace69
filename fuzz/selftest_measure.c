/* SPDX-License-Identifier: MIT
 *
 * selftest_measure.c - see selftest.h. For one bug:
 *
 *  1. two searches and an exhaustive one say whether it can be found at all, and how deep it lies;
 *  2. the portfolio over all seeds; for some bugs each arm alone, too;
 *  3. the first few findings are shrunk;
 *  4. what was not found is asked in pairs with others that were not.
 */
#include "fuzz/selftest.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/gates.h"
#include "fuzz/strip.h"

#define FAULTS 4
#define MEMORY ((uint64_t)1 << 30)
#define PAIR_SCHEDULES 2000

/* A case as it is, or stripped. */
struct version {
    const struct scenario *s; /* NULL: it has no faults of its own to be stripped of, or that could not be done */
    uint32_t case_index;
    struct space *whole; /* every gate in place */
    struct standing standing;
    bool asked, fell; /* something fell since */
};

struct measured_case {
    struct selftest *t;
    struct version own, bare;
};

/* A space, and what is looked for in it. */
struct sought {
    struct space *sp;
    struct version *of;
};

/* NULL: there is nothing to search. */
static struct space *space_of(struct selftest *t, const struct version *v, uint32_t without)
{
    struct diags diags = {0};
    struct space *sp = NULL;
    enum space_problem problem = space_new(v->s, v->case_index, without, 0, 0, &diags, &sp);
    t->no_memory |= problem == SPACE_NO_MEMORY;
    return problem == SPACE_OK ? sp : NULL;
}

static uint64_t wanted_in(const struct sought *in) { return standing_wanted(&in->of->standing, in->sp); }

/* One search. Left open in *out, if it found something. Returns after how many schedules. */
static uint64_t look(struct selftest *t, struct sought in, unsigned arms, uint64_t seed, uint64_t cap,
                     struct search **out)
{
    const struct search_options so = {
        .seed = seed, .schedules = cap, .arms = arms, .workers = 1, .wanted = wanted_in(&in)};
    struct search *s = search_new(in.sp, &so);
    enum round_end end = ROUND_MORE;
    while (s != NULL && end == ROUND_MORE)
        end = search_round(s);
    t->no_memory |= s == NULL || end == ROUND_NO_MEMORY;
    t->played += s == NULL ? 0 : s->played;
    bool found = s != NULL && end == ROUND_FOUND;
    if (found && standing_falls(&in.of->standing, in.sp, &s->finding.schedule, s->finding.culprit)) {
        in.of->fell = true;
        found = false;
    }
    uint64_t after = found ? s->finding.after : SURVIVAL_CENSORED;
    if (out == NULL || after == SURVIVAL_CENSORED) {
        search_free(s);
        s = NULL;
    }
    if (out != NULL)
        *out = s;
    return after;
}

/* Whichever of a case's `always` lines it was. */
static uint32_t invariant_of(struct culprit c) { return c.invariant < INVARIANTS ? c.invariant : INVARIANTS; }

static bool calm_breaks(struct selftest *t, struct sought in, struct culprit *out)
{
    struct player *p = player_new(in.sp, wanted_in(&in));
    bool broke = p != NULL && player_play(p, NULL) && p->found;
    t->no_memory |= p == NULL;
    if (broke)
        *out = p->culprit;
    player_free(p);
    return broke;
}

/* --- with every gate in place ------------------------------------------------------------------------------ */

static bool ask_standing(struct selftest *t, struct version *v)
{
    const struct standing_options so = {.seed = 1,
                                        .schedules = t->o.triage,
                                        .faults = STANDING_FAULTS,
                                        .steps = t->o.steps / 4,
                                        .memory = MEMORY,
                                        .workers = 1};
    if (v->asked || t->o.quick)
        return true;
    v->asked = true;
    v->whole = space_of(t, v, 0);
    t->no_memory |= v->whole != NULL && !standing_look(v->whole, &so, &v->standing);
    return !t->no_memory;
}

static void version_free(struct version *v)
{
    standing_free(&v->standing);
    space_free(v->whole);
}

/* --- how deep ---------------------------------------------------------------------------------------------- */

static void exhaust(struct selftest *t, struct sought in, uint32_t faults, uint64_t steps, struct bug *b)
{
    const struct explore_options eo = {.faults = faults, .wanted = wanted_in(&in), .memory = MEMORY, .steps = steps};
    struct explored *x = malloc(sizeof *x);
    if (x == NULL) {
        t->no_memory = true;
        return;
    }
    explore(in.sp, &eo, x);
    t->no_memory |= x->end == EXPLORE_NO_MEMORY;
    in.of->fell |= x->found && standing_falls(&in.of->standing, in.sp, &x->schedule, x->culprit);
    b->exhausted = x->found;
    b->schedules = x->schedules;
    b->steps = x->steps;
    b->proved = x->proved;
    if (x->found) {
        b->least = x->schedule.n;
        b->invariant = invariant_of(x->culprit);
    }
    free(x);
}

/* --- shrinking ------------------------------------------------------------------------------------------------- */

static void count_time(struct shrunk_row *row, ns d)
{
    if (d == 0 || d == NS_NEVER)
        return;
    row->times++;
    row->round += shrink_is_round(d);
}

/* Not of b: that is how deep whatever breaks first lies. */
static uint32_t needed_of(const struct shrunk *z)
{
    if (z->certificate == CERTIFIED_TRIVIALLY)
        return 0;
    return z->proved == NONE32 ? 1 : z->proved + 1; /* the calm run is among what was played */
}

static void shrink_it(struct selftest *t, struct search *s, struct bug *b)
{
    const struct shrink_options so = {.replays = SHRINK_REPLAYS, .steps = t->o.proof, .memory = MEMORY};
    struct shrunk *z = malloc(sizeof *z);
    uint64_t before = selftest_cpu_us();
    if (z == NULL || !shrink(s->player, &s->finding.schedule, s->finding.culprit, &so, z)) {
        t->no_memory = true;
    } else {
        struct shrunk_row row = {.from = z->from,
                                 .to = z->schedule.n,
                                 .needed = needed_of(z),
                                 .certified = z->certificate <= CERTIFIED_TRIVIALLY,
                                 .cpu_us = selftest_cpu_us() - before};
        for (uint32_t i = 0; i < z->schedule.n; i++) {
            const struct fault_plan *f = &s->sp->faults[z->schedule.row[i].fault];
            count_time(&row, f->duration);
            count_time(&row, f->amount);
        }
        b->shrunk[b->n_shrunk++] = row;
        /* The certificate is of one invariant; another may break with fewer. So it says nothing of the depth. */
        b->least = row.to < b->least ? row.to : b->least;
    }
    free(z);
}

/* --- over all seeds ----------------------------------------------------------------------------------------- */

static void measure_portfolio(struct selftest *t, struct sought in, struct bug *b)
{
    struct survival *by = &b->by[PORTFOLIO_ROW];
    survival_begin(by, t->o.cap);
    for (uint64_t seed = 1; seed <= t->o.seeds && !t->no_memory && !in.of->fell; seed++) {
        struct search *s;
        survival_add(by, look(t, in, t->o.arms, seed, t->o.cap, &s));
        if (s != NULL && b->n_shrunk < (bug_is_deep(b) ? t->o.shrinks : 1))
            shrink_it(t, s, b);
        search_free(s);
    }
}

/* Single deviations come in one order, whatever the seed. */
static void measure_arms(struct selftest *t, struct sought in, struct bug *b)
{
    uint64_t cap = bug_is_deep(b) ? t->o.cap : t->o.shallow_cap;
    for (uint32_t arm = 0; arm < ARMS; arm++) {
        uint64_t seeds = arm == ARM_SINGLE ? 1 : t->o.seeds;
        if ((arm == ARM_UNIFORM || arm == ARM_PCT) && cap > t->o.baseline_cap)
            cap = t->o.baseline_cap;
        survival_begin(&b->by[arm], cap);
        for (uint64_t seed = 1; seed <= seeds && !t->no_memory; seed++)
            survival_add(&b->by[arm], look(t, in, 1u << arm, seed, arm == ARM_SINGLE ? UINT32_MAX : cap, NULL));
    }
}

/* --- one bug ----------------------------------------------------------------------------------------------------- */

/* Whether so many faults are known not to break it. */
static bool bug_proved(const struct bug *b, uint32_t faults) { return b->proved != NONE32 && b->proved >= faults; }

/* What samples find is worth a longer proof than what they do not. The longest is for whether a bug that looks deep is
 * so, whether one that was seen by two faults breaks by one, and one that nothing brings out. */
static bool may_be_found(struct selftest *t, struct sought in, struct bug *b)
{
    if (t->o.quick)
        return true;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct search *s;
        if (look(t, in, PORTFOLIO, seed, t->o.triage, &s) == SURVIVAL_CENSORED)
            continue;
        b->invariant = invariant_of(s->finding.culprit);
        exhaust(t, in, FAULTS, t->o.steps, b);
        if (b->least == NONE32)
            shrink_it(t, s, b);
        if (b->least > 1 && !bug_proved(b, b->least == 2 ? 1 : 2))
            exhaust(t, in, b->least == 2 ? 1 : 2, t->o.depth_steps, b);
        b->n_shrunk = 0;
        search_free(s);
        return true;
    }
    exhaust(t, in, FAULTS, t->o.steps / 4, b);
    if (!b->exhausted && !bug_proved(b, 1))
        exhaust(t, in, 1, t->o.depth_steps, b);
    return b->exhausted;
}

/* Where the gate's absence needs faults. sp NULL: nowhere, and b->is says why. */
static struct sought sought_for(struct measured_case *m, struct bug *b)
{
    struct selftest *t = m->t;
    struct sought in = {space_of(t, &m->own, UINT32_C(1) << b->gate), &m->own};
    struct culprit c;
    b->is = in.sp == NULL ? BUG_NO_CASE : BUG_FOUND;
    if (in.sp == NULL || !calm_breaks(t, in, &c))
        return in;
    space_free(in.sp);
    b->is = BUG_CALM;
    b->invariant = invariant_of(c);
    in = (struct sought){NULL, &m->bare};
    if (m->bare.s == NULL || !ask_standing(t, &m->bare))
        return in;
    in.sp = space_of(t, &m->bare, UINT32_C(1) << b->gate);
    if (in.sp != NULL && calm_breaks(t, in, &c)) {
        space_free(in.sp);
        in.sp = NULL;
    }
    if (in.sp != NULL) {
        b->is = BUG_FOUND;
        b->stripped = true;
    }
    return in;
}

static void measure_bug(struct measured_case *m, struct bug *b)
{
    struct selftest *t = m->t;
    struct sought in = sought_for(m, b);
    b->gone = in.of->standing.gone;
    if (in.sp == NULL)
        return;
    b->offers = in.sp->n_offers;
    if (may_be_found(t, in, b)) {
        measure_portfolio(t, in, b);
        if (!t->o.quick && (bug_is_deep(b) || b->number % t->o.every == 0))
            measure_arms(t, in, b);
    } else {
        b->is = BUG_UNFOUND;
    }
    space_free(in.sp);
}

/* --- pairs of what was not found --------------------------------------------------------------------------------- */

static bool breaks_without(struct selftest *t, struct version *v, uint32_t without)
{
    struct culprit c;
    struct sought in = {space_of(t, v, without), v};
    bool broke = in.sp != NULL &&
                 (calm_breaks(t, in, &c) || look(t, in, PORTFOLIO, 1, PAIR_SCHEDULES, NULL) != SURVIVAL_CENSORED);
    space_free(in.sp);
    return broke;
}

/* Each where it was not found: stripped of faults, or not. */
static void ask_pairs(struct measured_case *m, struct bug *bugs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n && bugs[i].is == BUG_UNFOUND; k++) {
            uint32_t a = UINT32_C(1) << bugs[i].gate, b = UINT32_C(1) << bugs[k].gate;
            struct version *v = bugs[i].stripped ? &m->bare : &m->own;
            if (bugs[k].is != BUG_UNFOUND || bugs[k].stripped != bugs[i].stripped || !breaks_without(m->t, v, a | b))
                continue;
            bugs[i].covered |= b;
            bugs[k].covered |= a;
        }
}

/* --- one case ---------------------------------------------------------------------------------------------------- */

static struct bug *new_bug(struct selftest *t, const struct selftest_case *of, uint32_t gate)
{
    ASSERT(t->n < of->n_bugs);
    struct bug *b = &t->bug[t->n];
    *b = (struct bug){
        .of = of, .gate = gate, .number = of->first + t->n, .invariant = NONE32, .proved = NONE32, .least = NONE32};
    t->n++;
    return b;
}

static bool measure_gates(struct measured_case *m, const struct selftest_case *of)
{
    struct selftest *t = m->t;
    t->n = 0;
    m->own.fell = m->bare.fell = false;
    for (uint32_t gate = 0; gate < GATES && !t->no_memory && !m->own.fell && !m->bare.fell; gate++)
        if (of->gates >> gate & 1)
            measure_bug(m, new_bug(t, of, gate));
    if (!t->o.quick && !t->no_memory)
        ask_pairs(m, t->bug, t->n);
    return !m->own.fell && !m->bare.fell;
}

bool selftest_case(struct selftest *t, const struct selftest_case *of)
{
    struct diags diags = {0};
    uint32_t own = 0;
    struct scenario *bare = strip_faults(of->s, of->index, STRIP_KINDS, &own, &diags);
    struct measured_case m = {.t = t, .own = {.s = of->s, .case_index = of->index}};
    m.bare.s = own == 0 ? NULL : bare;
    t->o = of->o;
    t->cases = 1;
    bool again = ask_standing(t, &m.own);
    while (again && !t->no_memory) /* each time one invariant less is looked for */
        again = !measure_gates(&m, of);
    version_free(&m.own);
    version_free(&m.bare);
    scenario_free(bare);
    return !t->no_memory;
}
