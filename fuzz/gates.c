/* SPDX-License-Identifier: MIT
 *
 * gates.c - see gates.h.
 */
#include "fuzz/gates.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/found.h"
#include "fuzz/search.h"

struct looker {
    const struct scenario *s;
    uint32_t case_index;
    const struct gates_options *o;
    struct gates *out;
    struct space *whole; /* with every gate in place; NULL: there is nothing to search in it */
    struct standing standing;
    bool fell; /* something that a gate was blamed for falls with every gate in place, too: the table begins anew */
    bool no_memory;
};

/* --- which could matter -------------------------------------------------------------------------------- */

static bool does_op(const struct model_plan *p, enum op op)
{
    for (uint32_t i = 0; i < p->n_code; i++)
        if (p->code[i].op == op)
            return true;
    return false;
}

static bool has_key(const struct model_plan *p)
{
    for (uint32_t i = 0; i < p->n_code; i++)
        if (p->code[i].op == OP_EFFECT && p->code[i].expr != NONE32)
            return true;
    return false;
}

static bool has_quorum(const struct model_plan *p)
{
    for (uint32_t i = 0; i < p->n_locks; i++)
        if (p->locks[i].kind == LOCK_QUORUM)
            return true;
    return false;
}

/* What a case has none of cannot be what a gate guards. The gates of a table's own statements are asked by taking them
 * away, as any other. */
static bool could_matter(const struct model_plan *p, enum gate gate)
{
    bool writes = does_op(p, OP_WRITE) || does_op(p, OP_DELETE) || does_op(p, OP_FENCE);
    bool jobs = p->n_queues > 0 || p->n_tables > 0, grants = p->n_locks > 0 || jobs;
    switch (gate) {
    case GATE_STORE_TOKEN:
    case GATE_ATOMIC_CHECK: return writes;
    case GATE_LASTING_FENCE: return writes || jobs;
    case GATE_STRICT_MAJORITY: return has_quorum(p);
    case GATE_RELEASE_TOKEN: return does_op(p, OP_RELEASE) || does_op(p, OP_KEEP) || p->n_tables > 0;
    case GATE_DRAIN_FIRST: return does_op(p, OP_RELEASE);
    case GATE_STOP_ON_LOSS: return does_op(p, OP_KEEP);
    case GATE_ATOMIC_CLAIM:
    case GATE_HEARTBEAT_TOKEN:
    case GATE_COMPLETE_TOKEN:
    case GATE_LEASE_COVERS_WORK: return jobs;
    case GATE_VERDICT_TOKEN: return does_op(p, OP_REAP) || p->n_tables > 0;
    case GATE_EFFECT_KEY: return has_key(p);
    case GATE_FENCE_FIRST: return false;
    default: return grants;
    }
}

uint32_t gates_of(const struct compiled *c)
{
    uint32_t bits = 0;
    for (uint32_t gate = 0; gate < GATES; gate++)
        if (gate_table[gate].built && gate_on(&c->model, (enum gate)gate) && could_matter(&c->model, (enum gate)gate))
            bits |= UINT32_C(1) << gate;
    return bits;
}

/* --- one search ------------------------------------------------------------------------------------------ */

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* Looks with one seed. True: found, and the search is left open in *search. */
static bool search_with(struct looker *k, struct space *sp, uint64_t seed, uint64_t wanted, struct search **out)
{
    const struct search_options so = {
        .seed = seed, .schedules = k->o->schedules, .arms = PORTFOLIO, .workers = k->o->workers, .wanted = wanted};
    struct search *s = search_new(sp, &so);
    enum round_end end = ROUND_MORE;
    *out = s;
    if (s == NULL) {
        k->no_memory = true;
        return false;
    }
    while (end == ROUND_MORE)
        end = search_round(s);
    k->no_memory |= end == ROUND_NO_MEMORY;
    return end == ROUND_FOUND;
}

static void put_shrunk(struct looker *k, struct search *s, uint32_t without, uint32_t put_back, struct looked_at *out)
{
    const struct shrink_options so = {.replays = SHRINK_REPLAYS, .steps = k->o->steps, .memory = k->o->memory};
    const struct found_file file = {.without = without, .put_back = put_back};
    struct shrunk *z = malloc(sizeof *z);
    bool good;
    if (z == NULL || !shrink(s->player, &s->finding.schedule, s->finding.culprit, &so, z)) {
        k->no_memory = true;
    } else {
        out->culprit = z->culprit;
        out->faults = z->schedule.n;
        out->minimal = z->certificate <= CERTIFIED_TRIVIALLY;
        out->text = found_text(k->s, k->case_index, s->player, &z->schedule, z->culprit, &file, &out->length, &good);
        k->no_memory = k->no_memory || out->text == NULL;
        if (!good) {
            free(out->text);
            out->text = NULL;
        }
    }
    free(z);
}

/* The median of the seeds, the first of which was played. */
static void find_median(struct looker *k, struct space *sp, uint64_t first, uint64_t wanted, struct looked_at *out)
{
    uint64_t after[GATES_SEEDS] = {first};
    survival_begin(&out->survival, k->o->schedules);
    survival_add(&out->survival, first);
    uint32_t n = k->o->seeds < GATES_SEEDS ? k->o->seeds : GATES_SEEDS;
    for (uint32_t i = 1; i < n && !k->no_memory; i++) {
        struct search *s;
        bool found = search_with(k, sp, k->o->seed + i, wanted, &s);
        after[i] = found ? s->finding.after : k->o->schedules;
        out->missed += !found;
        survival_add(&out->survival, found ? after[i] : SURVIVAL_CENSORED);
        search_free(s);
    }
    qsort(after, n, sizeof *after, by_size);
    out->median = after[n / 2];
}

static void exhaust_it(struct looker *k, struct space *sp, uint64_t steps, struct looked_at *out)
{
    const struct explore_options eo = {
        .faults = k->o->faults, .wanted = standing_wanted(&k->standing, sp), .memory = k->o->memory, .steps = steps};
    struct explored *x = malloc(sizeof *x);
    if (x == NULL) {
        k->no_memory = true;
        return;
    }
    explore(sp, &eo, x);
    k->fell |= x->found && standing_falls(&k->standing, sp, &x->schedule, x->culprit);
    out->what = x->end == EXPLORE_COMPLETE ? LOOKED_NOTHING : x->found ? LOOKED_FOUND : LOOKED_SAMPLES;
    if (x->found) {
        out->culprit = x->culprit;
        out->invariant = culprit_name(sp, x->culprit);
        out->faults = x->schedule.n;
        out->minimal = true;
        out->median = k->o->schedules;
        out->missed = k->o->seeds;
    }
    free(x);
}

static void note_bound(struct looker *k, const struct space *sp)
{
    k->out->offers = sp->n_offers;
    k->out->faults = k->o->faults < sp->at_most ? k->o->faults : sp->at_most;
    k->out->horizon = sp->horizon;
}

/* How much is asked of one search. */
enum effort {
    EFFORT_WHOLE,
    EFFORT_BRIEF, /* whether it breaks, no more */
    EFFORT_PAIR   /* the same; and as there are many pairs, exhausted with a part of the events */
};

static void look(struct looker *k, uint32_t without, uint32_t put_back, enum effort effort, struct looked_at *out)
{
    struct diags diags = {0};
    struct space *sp = NULL;
    struct search *s = NULL;
    struct culprit c;
    *out = (struct looked_at){.what = LOOKED_NOTHING};
    enum space_problem problem = space_new(k->s, k->case_index, without, put_back, k->o->signs, &diags, &sp);
    if (problem != SPACE_OK) {
        k->no_memory |= problem == SPACE_NO_MEMORY;
        out->what = problem == SPACE_PROBLEM || problem == SPACE_ENDLESS ? LOOKED_IMPOSSIBLE : LOOKED_NOTHING;
        return;
    }
    uint64_t wanted = standing_wanted(&k->standing, sp);
    note_bound(k, sp);
    bool found = search_with(k, sp, k->o->seed, wanted, &s);
    if (s != NULL && search_calm_breaks(s, &c)) {
        out->what = LOOKED_CALM;
        out->culprit = c;
        out->invariant = culprit_name(sp, c);
    } else if (found && standing_falls(&k->standing, sp, &s->finding.schedule, s->finding.culprit)) {
        k->fell = true;
    } else if (found) {
        out->what = LOOKED_FOUND;
        out->culprit = s->finding.culprit;
        if (effort == EFFORT_WHOLE) {
            put_shrunk(k, s, without, put_back, out);
            find_median(k, sp, s->finding.after, wanted, out);
        }
        out->invariant = culprit_name(sp, out->culprit);
    } else if (s != NULL) {
        exhaust_it(k, sp, effort == EFFORT_PAIR ? k->o->steps / GATES_PAIR : k->o->steps, out);
    }
    search_free(s);
    space_free(sp);
}

/* --- the table ------------------------------------------------------------------------------------------------ */

static bool goes_on(struct looker *k, const char *what)
{
    if (k->no_memory || k->out->stopped || k->fell)
        return false;
    if (k->o->tick != NULL && !k->o->tick(k->o->context, what))
        k->out->stopped = true;
    return !k->out->stopped;
}

static bool breaks(const struct looked_at *l) { return l->what == LOOKED_FOUND || l->what == LOOKED_CALM; }

/* Pairs of those whose absence alone does not show. */
static void look_pairs(struct looker *k)
{
    struct gates *g = k->out;
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t j = i + 1; j < g->n; j++) {
            struct gate_row *a = &g->row[i], *b = &g->row[j];
            struct looked_at pair;
            if (breaks(&a->alone) || breaks(&b->alone) || !goes_on(k, "pairs"))
                continue;
            look(k, UINT32_C(1) << a->gate | UINT32_C(1) << b->gate, 0, EFFORT_PAIR, &pair);
            if (!breaks(&pair))
                continue;
            a->covered |= UINT32_C(1) << b->gate;
            b->covered |= UINT32_C(1) << a->gate;
            a->pair_breaks = a->pair_breaks != NULL ? a->pair_breaks : pair.invariant;
            b->pair_breaks = b->pair_breaks != NULL ? b->pair_breaks : pair.invariant;
        }
}

static void look_only(struct looker *k)
{
    struct gates *g = k->out;
    uint32_t all = 0;
    for (uint32_t i = 0; i < g->n; i++) /* but what the case cannot be without */
        all |= g->row[i].alone.what == LOOKED_IMPOSSIBLE ? 0 : UINT32_C(1) << g->row[i].gate;
    look(k, all, 0, EFFORT_BRIEF, &g->none);
    for (uint32_t i = 0; i < g->n && goes_on(k, gate_table[g->row[i].gate].name); i++)
        if (all >> g->row[i].gate & 1)
            look(k, all & ~(UINT32_C(1) << g->row[i].gate), 0, EFFORT_BRIEF, &g->row[i].only);
}

static void list_gates(struct looker *k, const struct compiled *c)
{
    struct gates *g = k->out;
    uint32_t of = gates_of(c);
    g->n = 0;
    for (uint32_t gate = 0; gate < GATES; gate++)
        if (of >> gate & 1)
            g->row[g->n++] = (struct gate_row){.gate = gate};
}

/* What stands with every gate in place, if anything may go wrong there. */
static void look_whole(struct looker *k)
{
    const struct gates_options *o = k->o;
    const struct standing_options so = {.seed = o->seed,
                                        .schedules = o->schedules,
                                        .faults = o->faults,
                                        .steps = o->steps,
                                        .memory = o->memory,
                                        .workers = o->workers};
    struct diags diags = {0};
    enum space_problem problem = space_new(k->s, k->case_index, 0, 0, o->signs, &diags, &k->whole);
    k->no_memory |= problem == SPACE_OK ? !standing_look(k->whole, &so, &k->standing) : problem == SPACE_NO_MEMORY;
}

static void look_all(struct looker *k)
{
    struct gates *g = k->out;
    k->fell = false;
    for (uint32_t i = 0; i < g->n && goes_on(k, gate_table[g->row[i].gate].name); i++)
        look(k, UINT32_C(1) << g->row[i].gate, 0, EFFORT_WHOLE, &g->row[i].alone);
    if (k->o->pairs) {
        look_pairs(k);
        if (goes_on(k, "all"))
            look_only(k);
    }
}

static void free_texts(struct gates *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        free(g->row[i].alone.text);
}

bool gates_look(const struct scenario *s, uint32_t case_index, const struct gates_options *o, struct gates *out)
{
    struct looker k = {.s = s, .case_index = case_index, .o = o, .out = out};
    struct diags diags = {0};
    memset(out, 0, sizeof *out);
    struct compiled *c = scenario_compile(s, case_index, 0, 0, &diags);
    if (c == NULL)
        return false;
    list_gates(&k, c);
    look_whole(&k);
    if (k.whole != NULL)
        note_bound(&k, k.whole);
    look_all(&k);
    while (k.fell) { /* each time one invariant less is looked for */
        free_texts(out);
        list_gates(&k, c);
        look_all(&k);
    }
    out->n_fallen = k.standing.n;
    memcpy(out->fallen, k.standing.fallen, sizeof out->fallen);
    compiled_free(c);
    standing_free(&k.standing);
    space_free(k.whole);
    return !k.no_memory;
}

void gates_free(struct gates *g)
{
    free_texts(g);
    memset(g, 0, sizeof *g);
}
