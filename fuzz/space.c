/* SPDX-License-Identifier: MIT
 *
 * space.c - see space.h: a compiled case and its menu, as one plan.
 *
 *  1. The plan's own faults, names and ids keep their places, so the case runs as it did.
 *  2. Of its expectations only `always` is kept, and of its triggers those that strike: searches judge no others.
 *  3. The menu depends on how long the calm run is, so that is played first.
 */
#include "fuzz/space.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/menu.h"

#define RECORDS_EACH 16 /* records of one event, on the average of a run */
#define IDS_ROOM 4096   /* ids of faults beside the menu */

/* --- what a search plays ------------------------------------------------------------------------ */

static void keep_always(struct build *b)
{
    const struct compiled *c = b->c;
    struct compiled *out = &b->sp->c;
    LIST(struct expectation) kept = {0};
    for (uint32_t i = 0; i < c->n_expectations; i++)
        if (c->expectations[i].when == EXPECT_ALWAYS)
            *LIST_ADD(b->arena, &kept) = c->expectations[i];
    out->expectations = kept.row;
    out->n_expectations = kept.n;
    out->n_asks = out->n_choices = 0;
}

static void keep_strikes(struct build *b)
{
    const struct sim_plan *plan = &b->c->sim;
    struct sim_plan *out = &b->sp->c.sim;
    LIST(struct trigger_plan) kept = {0};
    for (uint32_t i = 0; i < plan->n_triggers; i++)
        if (plan->triggers[i].fault != NONE32)
            *LIST_ADD(b->arena, &kept) = plan->triggers[i];
    out->triggers = kept.row;
    out->n_triggers = kept.n;
}

static void copy_lists(struct build *b)
{
    const struct sim_plan *plan = &b->c->sim;
    for (uint32_t i = 0; i < plan->names->n; i++)
        intern(b->arena, &b->names, plan->names->text[i], strlen(plan->names->text[i]));
    for (uint32_t i = 0; i < plan->n_faults; i++)
        *LIST_ADD(b->arena, &b->faults) = plan->faults[i];
    for (uint32_t i = 0; i < plan->n_ids; i++)
        *LIST_ADD(b->arena, &b->ids) = plan->ids[i];
    b->sp->own = plan->n_faults;
    ASSERT(b->arena->failed || b->names.text.n == plan->names->n);
}

/* False: no memory. */
static bool play_calm(struct space *sp, enum space_problem *problem)
{
    struct run *r = run_new_brief(&sp->c);
    const struct run_options options = {.plain = false};
    bool played = r != NULL && run_play(r, &options);
    *problem = !played ? SPACE_NO_MEMORY : r->verdict == VERDICT_ERROR ? SPACE_ENDLESS : SPACE_OK;
    if (played) {
        sp->calm_end = r->end_ns;
        sp->calm_steps = r->events;
    }
    run_free(r);
    return *problem == SPACE_OK;
}

/* --- the plan -------------------------------------------------------------------------------------- */

static uint64_t hash_ids(const struct build *b, uint64_t h, struct ids ids)
{
    for (uint32_t k = 0; k < ids.n; k++)
        h = hash_step(h, b->ids.row[ids.first + k]);
    return hash_step(h, ids.n);
}

/* Which messages an offer may strike is said by its line alone. */
static uint64_t hash_links(const struct build *b, uint64_t h, const struct offer *o)
{
    if (!o->at_message || o->may == 0)
        return hash_step(h, 0);
    const struct may_plan *may = &b->c->mays[o->may - 1];
    h = hash_step(h, 1u + (uint64_t)may->all + 2u * (uint64_t)may->both_ways);
    return hash_ids(b, hash_ids(b, h, may->processes), may->to);
}

static uint64_t key_of(const struct build *b)
{
    uint64_t h = hash_step(hash_step(hash_text(b->c->name), b->c->model.removed), b->sp->at_most);
    for (uint32_t i = b->sp->own; i < b->faults.n; i++) {
        const struct fault_plan *f = &b->faults.row[i];
        h = hash_step(h, (uint64_t)f->kind << 32 | (uint64_t)f->losing << 24 | (uint64_t)f->holding << 16 | f->thread);
        h = hash_step(hash_step(h, (uint64_t)f->duration), (uint64_t)f->amount ^ (uint64_t)f->ppb);
        h = hash_step(h, f->text == NONE16 ? 0 : b->names.hash.row[f->text]);
        h = hash_links(b, hash_ids(b, h, f->a), &b->offers.row[i - b->sp->own]);
    }
    return hash_step(hash_step(h, (uint64_t)b->sp->horizon), b->sp->calm_steps);
}

static void put_plan(struct build *b)
{
    struct space *sp = b->sp;
    sp->n_offers = b->offers.n;
    sp->room = b->faults.n;
    sp->n_families = b->family;
    sp->key = key_of(b);
    for (uint32_t i = 0; i < OWN_ROOM; i++) {
        *LIST_ADD(b->arena, &b->faults) = menu_blank(FAULT_REORDER);
        *LIST_ADD(b->arena, &b->offers) = (struct offer){.kind = FAULT_REORDER, .at_message = 1};
    }
    sp->faults = b->faults.row;
    sp->offers = b->offers.row;
    sp->c.sim.faults = sp->faults;
    sp->c.sim.n_faults = b->faults.n;
    sp->ids_used = b->ids.n;
    for (uint32_t i = 0; i < IDS_ROOM; i++)
        *LIST_ADD(b->arena, &b->ids) = 0;
    sp->ids = b->ids.row;
    sp->ids_room = b->ids.n;
    sp->c.sim.ids = b->ids.row;
    sp->c.sim.n_ids = b->ids.n;
    sp->names = (struct names){b->names.text.n, b->names.text.row, b->names.hash.row};
    sp->c.sim.names = &sp->names;
}

/* --- what samplers ask -------------------------------------------------------------------------------- */

static void index_families(struct space *sp)
{
    struct family *rows = arena_alloc(&sp->arena, (sp->n_families + 1) * sizeof *rows);
    uint32_t n = 0;
    for (uint32_t i = 0; rows != NULL && i < sp->n_offers; i++) {
        struct offer *o = &sp->offers[i];
        sp->kinds |= UINT32_C(1) << o->kind;
        if (i == 0 || o->family != sp->offers[i - 1].family)
            rows[n++] = (struct family){i, 0, o->kind, o->at_message, o->victim, o->peer};
        rows[n - 1].n++;
    }
    sp->families = rows;
    sp->n_families = n;
    for (uint32_t f = 0; f < n; f++)
        for (uint32_t k = 0; k < rows[f].n; k++)
            sp->offers[rows[f].first + k].family = (uint16_t)f;
}

static void index_names(struct space *sp)
{
    const struct sim_plan *plan = &sp->c.sim;
    sp->process_of = arena_alloc(&sp->arena, plan->names->n * sizeof *sp->process_of);
    for (uint32_t i = 0; sp->process_of != NULL && i < plan->names->n; i++)
        sp->process_of[i] = NONE16;
    for (uint16_t i = 0; sp->process_of != NULL && i < plan->n_threads; i++)
        sp->process_of[plan->threads[i].name] = plan->threads[i].process;
    for (uint16_t i = 0; sp->process_of != NULL && i < plan->n_processes; i++)
        sp->process_of[plan->processes[i].name] = i;
}

/* A searched run goes on for as long as faults of the menu can put off what the calm run does, twice; and no longer:
 * whoever waits for what never comes would wait until the event limit. */
static void set_horizon(struct build *b)
{
    struct space *sp = b->sp;
    ns longest = b->stop[b->n_stops - 1];
    ns horizon = 2 * sp->calm_end + 4 * (longest < NS_MAX / 16 ? longest : NS_MAX / 16);
    uint64_t steps = 64 * sp->calm_steps + 4096;
    sp->file_horizon = sp->c.sim.horizon;
    sp->horizon = horizon < sp->c.sim.horizon ? round_up(horizon) : sp->c.sim.horizon;
    sp->c.sim.horizon = sp->horizon;
    sp->own_steps = sp->c.sim.limits.steps > steps;
    if (sp->own_steps)
        sp->c.sim.limits.steps = steps;
    uint64_t records = RECORDS_EACH * sp->c.sim.limits.steps; /* reserved whole: not more than so many events make */
    if (sp->c.sim.limits.records > records)
        sp->c.sim.limits.records = (uint32_t)records;
}

static enum space_problem fill(struct space *sp, uint32_t signs)
{
    struct build b = {.sp = sp, .arena = &sp->arena, .c = sp->whole};
    enum space_problem problem;
    sp->c = *sp->whole;
    sp->c.model.sim = &sp->c.sim;
    sp->c.signs |= signs;
    sp->at_most = sp->c.at_most > 0 && sp->c.at_most < SCHEDULE_MAX ? sp->c.at_most : SCHEDULE_MAX;
    sp->said = sp->c.n_mays > 0;
    keep_always(&b);
    keep_strikes(&b);
    copy_lists(&b);
    if (b.arena->failed || !play_calm(sp, &problem))
        return b.arena->failed ? SPACE_NO_MEMORY : problem;
    collect_durations(&b);
    menu_make(&b);
    set_horizon(&b);
    put_plan(&b);
    index_families(sp);
    index_names(sp);
    return b.arena->failed             ? SPACE_NO_MEMORY
           : sp->n_offers == 0         ? SPACE_NOTHING
           : sp->n_offers > OFFERS_MAX ? SPACE_TOO_MUCH
                                       : SPACE_OK;
}

enum space_problem space_new(const struct scenario *s, uint32_t case_index, uint32_t without, uint32_t put_back,
                             uint32_t signs, struct diags *diags, struct space **out)
{
    struct space *sp = calloc(1, sizeof *sp);
    *out = sp;
    if (sp == NULL)
        return SPACE_NO_MEMORY;
    sp->whole = scenario_compile(s, case_index, without, put_back, diags);
    enum space_problem problem = sp->whole != NULL  ? fill(sp, signs)
                                 : diags->no_memory ? SPACE_NO_MEMORY
                                                    : SPACE_PROBLEM;
    if (problem == SPACE_OK)
        return problem;
    space_free(sp);
    *out = NULL;
    return problem;
}

void space_free(struct space *sp)
{
    if (sp == NULL)
        return;
    if (sp->whole != NULL)
        compiled_free(sp->whole);
    arena_free(&sp->arena);
    free(sp);
}

/* --- where an offer may strike ------------------------------------------------------------------------ */

static bool has_id(const struct space *sp, struct ids ids, uint16_t id)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (sp->c.sim.ids[ids.first + i] == id)
            return true;
    return false;
}

static bool line_allows(const struct space *sp, const struct may_plan *may, uint16_t from, uint16_t to)
{
    if (may->all || (has_id(sp, may->processes, from) && has_id(sp, may->to, to)))
        return true;
    return may->both_ways && has_id(sp, may->processes, to) && has_id(sp, may->to, from);
}

bool space_offers(const struct space *sp, const struct choice_point *p, uint32_t i)
{
    const struct offer *o = &sp->offers[i];
    if (o->at_message != (p->kind == CHOICE_MESSAGE))
        return false;
    if (!o->at_message)
        return true;
    const struct process_plan *processes = sp->c.sim.processes;
    if (processes[p->from].machine == processes[p->to].machine)
        return false;
    return o->may == 0 || line_allows(sp, &sp->c.mays[o->may - 1], p->from, p->to);
}

uint32_t space_own(struct space *sp, uint32_t place, uint32_t like, const struct fault_plan *f)
{
    ASSERT(place < OWN_ROOM);
    uint32_t fault = sp->room + place;
    sp->faults[fault] = *f;
    sp->offers[fault - sp->own] = *offer_of(sp, like);
    return fault;
}

uint32_t space_own_new(struct space *sp, uint32_t place, const struct fault_plan *f)
{
    ASSERT(place < OWN_ROOM);
    uint32_t fault = sp->room + place;
    bool message = f->kind == FAULT_DELAY || f->kind == FAULT_DROP || f->kind == FAULT_DUPLICATE ||
                   f->kind == FAULT_REORDER;
    uint16_t victim = f->kind == FAULT_PARTITION || f->a.n == 0 ? NONE16 : sp->ids[f->a.first];
    sp->faults[fault] = *f;
    sp->offers[fault - sp->own] = (struct offer){.kind = f->kind,
                                                 .at_message = message,
                                                 .victim = victim,
                                                 .machine = victim == NONE16 ? NONE16
                                                                             : sp->c.sim.processes[victim].machine,
                                                 .peer = f->b.n == 0 ? NONE16 : sp->ids[f->b.first]};
    return fault;
}

struct ids space_ids(struct space *sp, const uint16_t *list, uint32_t n)
{
    uint32_t first = sp->ids_used;
    if (n > sp->ids_room - first)
        return (struct ids){0, 0};
    memcpy(&sp->ids[first], list, n * sizeof *list);
    sp->ids_used += n;
    return (struct ids){first, n};
}
