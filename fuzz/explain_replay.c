/* SPDX-License-Identifier: MIT
 *
 * explain_replay.c - the same case once more, with a change: what the options of `fencepost run` would do.
 *
 * Nothing here takes a shorter way than the command does: the changed lines are read by the language, the case is
 * compiled and played. A command that is printed for a change cannot come out otherwise.
 */
#include <string.h>

#include "fuzz/explain_part.h"
#include "fuzz/found.h"
#include "scenarios/language/lexer.h"

/* --- changes --------------------------------------------------------------------------------- */

struct change change_line(struct explaining *e, uint32_t line, const char *fault)
{
    struct revision *r = arena_alloc(&e->x->arena, sizeof *r);
    if (r == NULL)
        return (struct change){0};
    *r = (struct revision){line, fault};
    return (struct change){.n = 1, .revision = r};
}

struct change change_without(struct explaining *e, const struct fault_fact *const *rows, uint32_t n)
{
    struct revision *r = arena_alloc(&e->x->arena, (n + 1) * sizeof *r);
    if (r == NULL)
        return (struct change){0};
    for (uint32_t i = 0; i < n; i++)
        r[i] = (struct revision){rows[i]->line, REVISION_NONE};
    return (struct change){.n = n, .revision = r};
}

const char *explain_line(struct explaining *e, const struct fault_plan *f, const struct trigger_plan *t)
{
    const struct sim_plan *plan = &e->x->c->sim;
    char line[FOUND_LINE_MAX] = "at ";
    size_t n = 3;
    if (t != NULL) {
        n = trigger_text(plan, t, line, sizeof line);
    } else {
        duration_format(f->at, line + n, sizeof line - n);
        n = strlen(line);
    }
    if (n + 3 >= sizeof line)
        return NULL;
    memcpy(line + n, ": ", 3);
    n += 2;
    size_t fault = fault_text(plan, f, line + n, sizeof line - n);
    if (fault == 0 || n + fault >= sizeof line)
        return NULL;
    return arena_text(&e->x->arena, line, n + fault);
}

/* --- playing ----------------------------------------------------------------------------------- */

static bool has_line(const struct change *c, uint32_t line)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->revision[i].line == line)
            return true;
    return false;
}

/* The revisions of both, where one line has both that of the second. */
static const struct revision *add_revisions(struct explaining *e, const struct change *base, const struct change *more,
                                            uint32_t *n)
{
    struct revision *all = arena_alloc(&e->x->arena, (base->n + more->n + 1) * sizeof *all);
    *n = 0;
    if (all == NULL)
        return NULL;
    for (uint32_t i = 0; i < base->n; i++)
        if (!has_line(more, base->revision[i].line))
            all[(*n)++] = base->revision[i];
    for (uint32_t i = 0; i < more->n; i++)
        all[(*n)++] = more->revision[i];
    return all;
}

/* brief: as a search plays it. more: SIM_POINTS, or 0. */
static bool open_case(struct explaining *e, uint32_t case_index, const struct change *change, bool brief, unsigned more,
                      struct replay_open *out)
{
    struct explanation *x = e->x;
    struct diags diags;
    uint32_t n;
    memset(out, 0, sizeof *out);
    if (x->replays >= EXPLAIN_REPLAYS)
        return false;
    x->replays++;
    out->revisions = add_revisions(e, &x->base, change, &n);
    const struct scenario *s = x->scenario;
    if (n > 0)
        s = out->scenario = scenario_revised(x->scenario, out->revisions, n, &diags);
    if (s != NULL)
        out->c = scenario_compile(s, case_index, (x->base.without & ~change->put_back) | change->without,
                                  (x->base.put_back & ~change->without) | change->put_back, &diags);
    if (out->c == NULL) {
        e->no_memory |= diags.no_memory;
        return false;
    }
    const struct run_options options = {.plain = false, .more = more};
    uint64_t most = EXPLAIN_EVENTS + EXPLAIN_TIMES * x->run->events;
    out->cut = !e->patient && out->c->sim.limits.steps > most;
    if (out->cut)
        out->c->sim.limits.steps = most;
    out->run = brief ? run_new_brief(out->c) : run_case(out->c, &options);
    if (out->run == NULL || (brief && !run_play(out->run, &options))) {
        e->no_memory = true;
        return false;
    }
    return true;
}

bool replay_open(struct explaining *e, const struct change *change, unsigned more, struct replay_open *out)
{
    return open_case(e, e->x->case_index, change, false, more, out);
}

void replay_close(struct replay_open *o)
{
    run_free(o->run);
    compiled_free(o->c);
    scenario_free(o->scenario);
    memset(o, 0, sizeof *o);
}

/* --- what came of it ----------------------------------------------------------------------------- */

/* What breaks of the invariant that is explained comes before all else, and of the rest what breaks first. */
static void note_break(struct replayed *out, uint32_t invariant, ns at, const char *node, bool same)
{
    bool better = same && out->end != REPLAY_SAME;
    if (out->end == REPLAY_SAME && !same)
        return;
    if (!better && replay_breaks(out) && out->at <= at)
        return;
    out->end = same ? REPLAY_SAME : REPLAY_OTHER;
    out->invariant = invariant;
    out->at = at;
    out->node = node;
}

/* An `always` line of a re-run is another index, if other lines read: it is known by its line. */
static bool same_always(const struct explanation *x, const struct run *r, uint32_t expectation)
{
    if (x->what != EXPLAINED_ALWAYS || x->invariant < INVARIANTS)
        return false;
    return x->c->expectations[x->invariant - INVARIANTS].line == r->c->expectations[expectation].line;
}

static void read_outcome(struct explanation *x, const struct run *r, struct replayed *out)
{
    out->end = r->verdict == VERDICT_ERROR ? REPLAY_NO_END : REPLAY_HOLDS;
    if (r->verdict == VERDICT_ERROR && x->run->verdict != VERDICT_ERROR)
        return; /* the command would say so, and nothing else */
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        if (run_counts(r, i))
            note_break(out, v->invariant, v->at, v->node == NONE16 ? NULL : r->c->sim.names->text[v->node],
                       v->invariant == x->invariant);
    }
    for (uint32_t i = 0; i < r->n_misses; i++) {
        uint32_t expectation = r->misses[i].expectation;
        if (r->c->expectations[expectation].when == EXPECT_ALWAYS)
            note_break(out, INVARIANTS + expectation, r->misses[i].at, NULL, same_always(x, r, expectation));
    }
}

static void replay(struct explaining *e, uint32_t case_index, const struct change *change, bool whole,
                   struct replayed *out)
{
    struct replay_open open;
    *out = (struct replayed){.change = *change};
    if (e->no_memory || e->x->replays >= EXPLAIN_REPLAYS)
        return;
    out->end = REPLAY_IMPOSSIBLE;
    bool played = open_case(e, case_index, change, !whole, 0, &open);
    if (played && open.cut && open.run->end == END_STEPS) {
        out->end = REPLAY_LONG;
    } else if (played) {
        read_outcome(e->x, open.run, out);
        out->node = out->node == NULL ? NULL : arena_text(&e->x->arena, out->node, strlen(out->node));
        out->same_trace = whole && open.run->digest == e->x->run->digest;
    }
    replay_close(&open);
}

void replay_change(struct explaining *e, const struct change *change, bool whole, struct replayed *out)
{
    replay(e, e->x->case_index, change, whole, out);
}

void replay_case(struct explaining *e, uint32_t case_index, const struct change *change, struct replayed *out)
{
    replay(e, case_index, change, false, out);
}
