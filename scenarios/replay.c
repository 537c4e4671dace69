/* SPDX-License-Identifier: MIT
 *
 * replay.c - see replay.h.
 */
#include "scenarios/replay.h"

#include <stdlib.h>
#include <string.h>

/* --- triggers and questions -------------------------------------------------------------------- */

static struct idle_line *find_line(struct tally *t, uint32_t line)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->row[i].line == line)
            return &t->row[i];
    if (t->n == t->capacity) {
        uint32_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
        struct idle_line *grown = realloc(t->row, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        t->row = grown;
        t->capacity = capacity;
    }
    uint32_t i = t->n++;
    for (; i > 0 && t->row[i - 1].line > line; i--)
        t->row[i] = t->row[i - 1];
    t->row[i] = (struct idle_line){.line = line};
    return &t->row[i];
}

/* How often the event of a trigger came in a run. What stands before an event is counted by the event. */
static uint32_t count_event(const struct run *r, const struct trigger_plan *t)
{
    uint32_t n, count = 0;
    const struct record *records = sim_trace(r->sim, &n);
    for (uint32_t i = 0; i < n; i++)
        count += records[i].verb == t->verb && records[i].actor == t->actor &&
                 (t->object == NONE16 || records[i].object == t->object);
    return count;
}

/* Up to when a run went on: a dated expectation keeps it going beyond its last event. */
static ns came_to(const struct run *r)
{
    ns to = r->end_ns;
    for (uint32_t i = 0; r->end == END_IDLE && i < r->c->n_expectations; i++) {
        const struct expectation *e = &r->c->expectations[i];
        if (e->when == EXPECT_AT && e->time > to)
            to = e->time;
    }
    return to;
}

static bool tally_asks(struct tally *t, const struct run *r)
{
    ns to = came_to(r);
    for (uint32_t i = 0; i < r->c->n_asks; i++) {
        const struct ask *ask = &r->c->asks[i];
        struct idle_line *row = find_line(t, ask->line);
        if (row == NULL)
            return false;
        row->fired += ask->at <= to;
        row->at = ask->at;
        row->latest = to > row->latest ? to : row->latest;
    }
    return true;
}

bool tally_add(struct tally *t, const struct run *r)
{
    const struct sim_plan *plan = &r->c->sim;
    for (uint32_t i = 0; i < plan->n_triggers; i++) {
        struct idle_line *row = find_line(t, r->c->trigger_line[i]);
        if (row == NULL)
            return false;
        bool fired = sim_trigger_fired(r->sim, i, NULL);
        row->fired += fired;
        row->wanted = plan->triggers[i].ordinal;
        uint32_t came = fired ? 0 : count_event(r, &plan->triggers[i]);
        if (came > row->came)
            row->came = came;
    }
    return tally_asks(t, r);
}

void tally_free(struct tally *t)
{
    free(t->row);
    memset(t, 0, sizeof *t);
}

/* --- decided-by ---------------------------------------------------------------------------------- */

/* What a re-run said: one bit for each invariant that broke, and the verdict. */
struct rerun {
    uint32_t broke;
    enum verdict verdict;
};

static bool rerun(const struct scenario *s, uint32_t i, uint32_t without, uint32_t put_back, struct rerun *out,
                  struct decision *d, struct diags *diags)
{
    struct compiled *c = scenario_compile(s, i, without, put_back, diags);
    if (c == NULL) {
        d->how = diags->no_memory ? DECIDED_NO_MEMORY : DECIDED_PROBLEM;
        return false;
    }
    const struct run_options options = {.plain = false};
    struct run *r = run_case(c, &options);
    if (r == NULL) {
        d->how = DECIDED_NO_MEMORY;
    } else {
        out->verdict = r->verdict;
        out->broke = 0;
        for (uint32_t k = 0; k < r->n_violations; k++)
            out->broke |= UINT32_C(1) << r->violation[k].invariant;
    }
    run_free(r);
    compiled_free(c);
    return r != NULL;
}

/* What the case says of itself. */
struct stated {
    bool violates, lacks;
    uint32_t invariants; /* bits of those it names */
};

static bool stated_by(const struct scenario *s, uint32_t i, uint32_t gate, struct stated *out, struct decision *d,
                      struct diags *diags)
{
    struct compiled *c = scenario_compile(s, i, 0, 0, diags);
    if (c == NULL) {
        d->how = diags->no_memory ? DECIDED_NO_MEMORY : DECIDED_PROBLEM;
        return false;
    }
    out->violates = c->violates;
    out->lacks = c->model.removed >> gate & 1;
    out->invariants = 0;
    for (uint32_t k = 0; k < c->n_expected; k++)
        out->invariants |= UINT32_C(1) << c->expected[k].invariant;
    compiled_free(c);
    return true;
}

/* The invariants that the first failing case breaks; sets d->failing to the first that lacks the gate. */
static bool find_failing(const struct scenario *s, struct decision *d, uint32_t *invariants, struct diags *diags)
{
    uint32_t first = 0;
    *invariants = 0;
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        struct stated stated;
        if (!stated_by(s, i, d->gate, &stated, d, diags))
            return false;
        if (stated.violates && first == 0)
            first = stated.invariants;
        if (stated.violates && stated.lacks && d->failing < 0) {
            d->failing = (int32_t)i;
            *invariants = stated.invariants;
        }
    }
    if (d->failing < 0)
        *invariants = first;
    return true;
}

static uint32_t lowest_bit(uint32_t bits)
{
    for (uint32_t i = 0; i < 32; i++)
        if (bits >> i & 1)
            return i;
    return 0;
}

static bool try_put_back(const struct scenario *s, struct decision *d, uint32_t invariants, struct diags *diags)
{
    struct rerun stated, again;
    if (!rerun(s, (uint32_t)d->failing, 0, 0, &stated, d, diags) ||
        !rerun(s, (uint32_t)d->failing, 0, UINT32_C(1) << d->gate, &again, d, diags))
        return false;
    if (stated.verdict != VERDICT_VIOLATES)
        return true; /* it never failed: putting the gate back decides nothing */
    if (again.verdict == VERDICT_HOLDS) {
        d->how = DECIDED_PUT_BACK;
        return false;
    }
    uint32_t same = again.broke & invariants;
    d->still = 1 + lowest_bit(same != 0 ? same : again.broke);
    return true;
}

void replay_decided_by(const struct scenario *s, struct decision *d, struct diags *diags)
{
    int32_t gate = scenario_decided_by(s);
    *d = (struct decision){DECIDED_UNSAID, 0, -1, -1, 0};
    if (gate < 0)
        return;
    ASSERT(gate < GATES);
    d->gate = (uint32_t)gate;
    uint32_t invariants;
    if (!find_failing(s, d, &invariants, diags))
        return;
    if (d->failing >= 0 && !try_put_back(s, d, invariants, diags))
        return;
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        struct stated stated;
        struct rerun before, again;
        if (!stated_by(s, i, d->gate, &stated, d, diags))
            return;
        if (stated.violates || stated.lacks)
            continue;
        if (!rerun(s, i, 0, 0, &before, d, diags) || !rerun(s, i, UINT32_C(1) << d->gate, 0, &again, d, diags))
            return;
        /* A sign may break with the gate as well: that the gate does not decide. */
        if ((again.broke & ~before.broke & invariants) != 0) {
            d->how = DECIDED_TAKEN;
            d->holding = (int32_t)i;
            return;
        }
    }
    d->how = DECIDED_NO;
}
