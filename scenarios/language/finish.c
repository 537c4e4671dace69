/* SPDX-License-Identifier: MIT
 *
 * finish.c - capacities, and the plan from the lists.
 *
 * Registers of one store have to be consecutive, and came in the order of their use: they are sorted
 * by store here, and the code renumbered.
 */
#include <string.h>

#include "scenarios/language/compile.h"

/* Where the registers of each store begin. */
static void place_stores(struct compile *c)
{
    uint32_t at = 0;
    for (uint32_t r = 0; r < c->registers.n; r++)
        c->stores.row[c->registers.row[r].store].registers++;
    for (uint32_t s = 0; s < c->stores.n; s++) {
        c->stores.row[s].first_register = (uint16_t)at;
        at += c->stores.row[s].registers;
        c->stores.row[s].registers = 0;
    }
}

static void sort_registers(struct compile *c)
{
    uint32_t n = c->registers.n;
    uint16_t *place = arena_alloc(c->arena, (n + 1) * sizeof *place);
    struct register_plan *sorted = arena_alloc(c->arena, (n + 1) * sizeof *sorted);
    if (place == NULL || sorted == NULL)
        return;
    place_stores(c);
    for (uint32_t r = 0; r < n; r++) {
        struct store_plan *store = &c->stores.row[c->registers.row[r].store];
        place[r] = (uint16_t)(store->first_register + store->registers++);
        sorted[place[r]] = c->registers.row[r];
    }
    c->registers.row = sorted;
    for (uint32_t i = 0; i < c->code.n; i++)
        if (c->code.row[i].reg != NONE16)
            c->code.row[i].reg = place[c->code.row[i].reg];
    for (uint32_t i = 0; i < c->exprs.n; i++)
        if (c->exprs.row[i].code == EX_REGISTER)
            c->exprs.row[i].arg = place[c->exprs.row[i].arg];
}

static void check_until(struct compile *c)
{
    for (uint32_t i = 0; i < c->runners.n && c->until == 0; i++) {
        const struct program *p = &c->programs.row[c->runners.row[i].program];
        if (p->timeless && c->runners.row[i].thread == NULL)
            diag_add(c->diags, p->repeats,
                     "this repeats without 'stop', so the run would never end: the file needs 'until', as in until 5m");
    }
}

static void check_size(struct compile *c)
{
    struct place nowhere = {0, 0, 0};
    uint64_t conns = UINT64_C(2) * c->clients.n * c->services.n;
    if (conns > CONNECTIONS_MAX)
        diag_add(c->diags, nowhere, "too large: %u threads of programs and %u services make %llu connections, of %u",
                 c->clients.n, c->services.n, (unsigned long long)conns, CONNECTIONS_MAX);
    uint64_t vars = 0;
    for (uint32_t i = 0; i < c->clients.n; i++)
        vars += c->clients.row[i].vars;
    if (vars > STATE_VARIABLES_MAX)
        diag_add(c->diags, nowhere, "too large: the programs have %llu variables together, of %u",
                 (unsigned long long)vars, STATE_VARIABLES_MAX);
    if (c->registers.n >= NONE16 || c->threads.n >= NONE16 || c->ids.n > IDS_MAX)
        diag_add(c->diags, nowhere, "too large: at most 65000 registers and threads, and 4000000 processes in faults");
}

static uint32_t capacity(const struct compile *c, enum limit_kind kind, uint64_t computed)
{
    if (c->limit[kind] != 0)
        return (uint32_t)c->limit[kind];
    return computed > PENDING_MAX ? PENDING_MAX : (uint32_t)computed;
}

/* What is never used costs no snapshot anything, and a paused service or a holding link keeps messages for hours. */
static void set_limits(struct compile *c)
{
    struct sim_limits *l = &c->out->sim.limits;
    uint64_t clients = c->clients.n, services = c->services.n > 0 ? c->services.n : 1;
    uint64_t held = clients * c->jobs.n; /* a keeper beats for every job of a batch, a reaper judges every one */
    l->events = capacity(c, LIMIT_PENDING,
                         4096 + 8 * c->threads.n + 6 * clients * services + 6 * held + 3 * c->faults.n);
    l->messages = capacity(c, LIMIT_MESSAGES, 4096 + 8 * clients * services + 4 * held + 4 * c->threads.n);
    l->records = c->limit[LIMIT_RECORDS] != 0 ? (uint32_t)c->limit[LIMIT_RECORDS] : 1000000;
    l->labels = capacity(c, LIMIT_LABELS, 4096);
    l->steps = c->limit[LIMIT_EVENTS] != 0 ? c->limit[LIMIT_EVENTS] : 1000000;
    c->out->model.calls = capacity(c, LIMIT_CALLS, 2048 + 4 * clients * services + 4 * held);
    c->out->model.effects = capacity(c, LIMIT_EFFECTS, c->jobs.n > 32 ? 64 : 32);
}

static void set_names(struct compile *c)
{
    struct model_plan *m = &c->out->model;
    struct sim_plan *s = &c->out->sim;
    s->net_name = name_of(c, "net");
    s->losing_name[LOSING_VOLATILE] = NONE16;
    s->losing_name[LOSING_UNSYNCED] = name_of(c, "unsynced");
    s->losing_name[LOSING_EVERYTHING] = name_of(c, "everything");
    for (uint32_t e = 0; e < ERRORS; e++)
        m->error_name[e] = name_of(c, error_table[e].name);
    m->what_ask = name_of(c, "ask");
    m->what_grant = name_of(c, "grant");
    m->what_turn = name_of(c, "turn");
    m->what_queued = name_of(c, "queued");
    m->what_refusal = name_of(c, "refusal");
    m->what_renew = name_of(c, "renew");
    m->what_extended = name_of(c, "extended");
    m->what_release = name_of(c, "release");
    m->what_freed = name_of(c, "freed");
    m->what_read = name_of(c, "read");
    m->what_value = name_of(c, "value");
    m->what_write = name_of(c, "write");
    m->what_written = name_of(c, "written");
    m->what_delete = name_of(c, "delete");
    m->what_fence = name_of(c, "fence");
    m->what_ping = name_of(c, "ping");
    m->what_pong = name_of(c, "pong");
    m->what_vote = name_of(c, "vote");
    m->what_claim = name_of(c, "claim");
    m->what_job = name_of(c, "job");
    m->what_heartbeat = name_of(c, "heartbeat");
    m->what_complete = name_of(c, "complete");
    m->what_finished = name_of(c, "finished");
    m->what_fail = name_of(c, "fail");
    m->what_returned = name_of(c, "returned");
    m->what_enqueue = name_of(c, "enqueue");
    m->what_added = name_of(c, "added");
    m->what_reap = name_of(c, "reap");
    m->what_list = name_of(c, "list");
    m->what_verdict = name_of(c, "verdict");
    m->what_requeue = name_of(c, "requeue");
    m->what_update = name_of(c, "update");
    m->what_insert = name_of(c, "insert");
    m->what_changed = name_of(c, "changed");
    m->what_row = name_of(c, "row");
    m->why_failed = name_of(c, "failed");
    m->why_expired = name_of(c, "expired");
    m->why_operator = name_of(c, "operator");
    m->why_enqueued = name_of(c, "enqueued");
}

static void set_sim(struct compile *c)
{
    struct sim_plan *s = &c->out->sim;
    struct names *names = arena_alloc(c->arena, sizeof *names);
    if (names == NULL)
        return;
    *names = (struct names){c->names.text.n, c->names.text.row, c->names.hash.row};
    s->names = names;
    s->verbs = verb_table;
    s->n_verbs = VERBS;
    s->n_machines = c->machines.n;
    s->machines = c->machines.row;
    s->n_processes = c->processes.n;
    s->processes = c->processes.row;
    s->n_threads = c->threads.n;
    s->threads = c->threads.row;
    s->n_links = c->links.n;
    s->links = c->links.row;
    s->link_default = c->link_default;
    s->n_faults = c->faults.n;
    s->faults = c->faults.row;
    s->n_triggers = c->triggers.n;
    s->triggers = c->triggers.row;
    s->ids = c->ids.row;
    s->n_ids = c->ids.n;
    s->n_conns = 2 * c->clients.n * c->services.n;
    s->sync_ns = c->sync_ns;
    s->horizon = c->until != 0 ? c->until : NS_NEVER;
}

static void set_tables(struct compile *c)
{
    struct model_plan *m = &c->out->model;
    m->n_tables = c->tables.n;
    m->tables = c->tables.row;
    m->n_columns = c->column_plans.n;
    m->columns = c->column_plans.row;
    m->n_rows = c->rows.n;
    m->rows = c->rows.row;
    m->n_cells = c->cells.n;
    m->cells = c->cells.row;
    m->words = c->words.row;
    m->statements = c->statements.row;
    m->sets = c->sets.row;
    m->captures = c->captures.row;
    for (uint32_t i = 0; i < c->statements.n; i++)
        if (m->captures_max < c->statements.row[i].captures.n)
            m->captures_max = c->statements.row[i].captures.n;
    for (uint32_t i = 0; i < c->tables.n; i++)
        if (m->columns_max < c->tables.row[i].columns)
            m->columns_max = c->tables.row[i].columns;
}

static void set_lists(struct compile *c)
{
    struct model_plan *m = &c->out->model;
    m->sim = &c->out->sim;
    m->n_services = c->services.n;
    m->services = c->services.row;
    m->n_clients = c->clients.n;
    m->clients = c->clients.row;
    m->n_locks = c->locks.n;
    m->locks = c->locks.row;
    m->n_stores = c->stores.n;
    m->stores = c->stores.row;
    m->n_registers = c->registers.n;
    m->registers = c->registers.row;
    m->n_queues = c->queues.n;
    m->queues = c->queues.row;
    m->n_jobs = c->jobs.n;
    m->jobs = c->jobs.row;
    set_tables(c);
    m->actor_of = c->actors.row;
    m->identity = c->identity.row;
    m->code = c->code.row;
    m->n_code = c->code.n;
    m->exprs = c->exprs.row;
    m->n_exprs = c->exprs.n;
    m->handlers = c->handlers.row;
    m->n_handlers = c->handlers.n;
    for (uint32_t i = 0; i < c->clients.n; i++)
        m->n_vars += c->clients.row[i].vars;
}

static void set_modes(struct compile *c)
{
    struct model_plan *m = &c->out->model;
    const struct case_row *row = &c->s->cases.row[c->case_index];
    m->removed = c->removed;
    m->progress = row->progress;
    m->lease_clock = CLOCK_BOOTTIME;
    if (!gate_on(m, GATE_SAFE_CLOCK))
        m->lease_clock = row->clock != NONE16 ? row->clock : CLOCK_MONOTONIC;
    m->token_mode = TOKEN_COUNTER;
    if (!gate_on(m, GATE_MONOTONIC_TOKEN) && row->token_mode != NONE16)
        m->token_mode = row->token_mode;
    m->count_mode = COUNT_CONFIGURED;
    if (!gate_on(m, GATE_STRICT_MAJORITY) && row->count_mode != NONE16)
        m->count_mode = row->count_mode;
}

/* Which clocks' readings a program can keep, so that they are state. */
static void note_clocks(struct compile *c)
{
    uint32_t read = 0;
    for (uint32_t i = 0; i < c->exprs.n; i++) {
        const struct expr_op *op = &c->exprs.row[i];
        read |= op->code == EX_NOW ? 1U << CLOCK_WALL : op->code == EX_CLOCK ? 1U << op->arg : 0;
    }
    c->out->sim.clocks_are_read = read;
}

void finish_plan(struct compile *c)
{
    check_until(c);
    check_size(c);
    note_ask_times(c);
    if (c->diags->total > 0 || c->arena->failed)
        return;
    sort_registers(c);
    set_names(c);
    set_sim(c);
    set_lists(c);
    set_modes(c);
    note_clocks(c);
    set_limits(c);
    c->out->n_expectations = c->expectations.n;
    c->out->expectations = c->expectations.row;
    c->out->n_asks = c->asks.n;
    c->out->asks = c->asks.row;
    c->out->n_choices = c->choices.n;
    c->out->choices = c->choices.row;
    c->out->trigger_line = c->trigger_lines.row;
    c->out->n_inert = c->inert.n;
    c->out->inert = c->inert.row;
    c->out->n_mays = c->mays.n;
    c->out->mays = c->mays.row;
    c->out->at_most = c->has_at_most ? c->at_most : NONE32;
    if (!c->arena->failed)
        c->out->sim.model_bytes = model_bytes(&c->out->model);
}
