/* SPDX-License-Identifier: MIT
 *
 * layout.c - machines, processes, threads, services and clients, by rules 1 to 4 of model/plan.h.
 *
 * Processes come in the order nodes, locks, queues, stores, tables: so clients ascend by thread, and a quorum's voters
 * are consecutive services.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- program headers ----------------------------------------------------------------------------- */

bool line_is_program(const struct compile *c, const struct line *line)
{
    if (line->depth > 0)
        return false;
    const struct token *t = line_start(c->s, line);
    if (t->kind != T_WORD || token_is(t, "always"))
        return false;
    uint8_t next = t[1].kind;
    return next == T_COLON || next == T_COMMA || next == T_DOT || next == T_DOTS ||
           (line_is_block(c, line) && !is_top_word(t->text));
}

struct header {
    uint32_t program;
    const char *thread;
    const struct token *at;
};

static void runner_add(struct compile *c, uint32_t symbol, void *context)
{
    const struct header *h = context;
    const char *thread = h->thread;
    for (uint32_t i = 0; i < c->runners.n; i++) {
        const struct runner *r = &c->runners.row[i];
        if (r->symbol != symbol || (r->thread == NULL) != (thread == NULL) ||
            (thread != NULL && strcmp(thread, r->thread) != 0))
            continue;
        complain(c, h->at, "'%.40s' has a program already, on line %u", name_text(c, symbol_at(c, symbol)->name),
                 r->at->line);
        return;
    }
    if (c->runners.n >= THREADS_MAX)
        complain(c, h->at, "a scenario has at most %u threads", THREADS_MAX);
    else
        *LIST_ADD(c->arena, &c->runners) = (struct runner){symbol, h->program, thread, h->at};
}

static void take_thread(struct compile *c, struct header *h)
{
    const struct token *node = c->t;
    uint32_t index = symbol_find(c, node->text);
    h->thread = node[2].text;
    if (strcmp(h->thread, "keeper") == 0)
        complain(c, c->t, "'%.40s.keeper' is the thread that 'keep' makes", node->text);
    else if (strcmp(h->thread, MAIN_THREAD) == 0)
        complain(c, c->t, "'%.40s.main' is the main thread, whose program stands below '%.40s:'", node->text,
                 node->text);
    else if (index == NONE32 || !(symbol_at(c, index)->kinds & SYM_NODE))
        symbol_unknown(c, node, node->text, SYM_NODE, "node");
    c->t += 3;
    if (c->bad)
        return;
    name_used(c, node->text);
    runner_add(c, index, h);
}

/* One of the names before the ':'. */
static void take_target(struct compile *c, struct header *h)
{
    h->at = c->t;
    h->thread = NULL;
    if (c->t->kind == T_WORD && c->t[1].kind == T_DOT && c->t[2].kind == T_WORD)
        take_thread(c, h);
    else
        take_paths(c, SYM_NODE, "node", runner_add, h);
}

struct wanted {
    const char *word;
    bool found;
};

static void look_for_word(struct compile *c, const struct token *step, void *context)
{
    struct wanted *w = context;
    (void)c;
    w->found = w->found || token_is(step, w->word);
}

bool block_says(struct compile *c, const struct line *line, const char *word)
{
    struct wanted w = {word, false};
    visit_steps(c, (uint32_t)(line - c->s->src.lines.row), line->end, look_for_word, &w);
    return w.found;
}

static void note_acquired(struct compile *c, const struct token *step)
{
    uint32_t lock = step[1].kind != T_WORD ? NONE32 : symbol_find(c, step[1].text);
    if (lock != NONE32 && symbol_at(c, lock)->lock < c->acquired.n)
        c->acquired.row[symbol_at(c, lock)->lock] = 1;
}

/* What a step says exists: a lock's holder, a keeper, a job, a row, a column. */
static void note_step(struct compile *c, const struct token *step, void *context)
{
    struct program *p = context;
    if (token_is(step, "acquire"))
        note_acquired(c, step);
    else if (token_is(step, "keep"))
        p->keeps = true;
    if (c->queues.n > 0)
        step_finds_job(c, step);
    if (c->tables.n > 0)
        step_finds_row(c, step);
}

static void read_program(struct compile *c, const struct line *line, uint32_t index)
{
    struct header h = {c->programs.n, NULL, NULL};
    struct program *p = LIST_ADD(c->arena, &c->programs);
    *p = (struct program){.line = index};
    statement_begin(c, line);
    do
        take_target(c, &h);
    while (take_symbol(c, T_COMMA));
    need_symbol(c, T_COLON);
}

void layout_programs(struct compile *c)
{
    const struct line *lines = c->s->src.lines.row;
    while (c->acquired.n < c->locks.n && !c->arena->failed)
        LIST_ADD(c->arena, &c->acquired);
    for (uint32_t i = 0; i < c->s->src.lines.n; i++)
        if (lines[i].n > 0 && line_is_program(c, &lines[i]) && line_seen(c, &lines[i]))
            read_program(c, &lines[i], i);
    for (uint32_t i = 0; i < c->programs.n && !c->arena->failed; i++)
        visit_steps(c, c->programs.row[i].line, lines[c->programs.row[i].line].end, note_step, &c->programs.row[i]);
    sort_jobs(c);
    sort_rows(c);
}

/* --- threads and processes ---------------------------------------------------------------------------- */

static void note_process(struct compile *c, uint16_t machine, uint16_t process)
{
    while (c->process_on.n < c->machines.n && !c->arena->failed)
        *LIST_ADD(c->arena, &c->process_on) = NONE16;
    if (machine < c->process_on.n && c->process_on.row[machine] == NONE16)
        c->process_on.row[machine] = process;
}

static uint16_t process_add(struct compile *c, name_id name, uint16_t machine)
{
    note_process(c, machine, (uint16_t)c->processes.n);
    struct process_plan *p = LIST_ADD(c->arena, &c->processes);
    *p = (struct process_plan){name, machine, (uint16_t)c->threads.n, 0};
    *LIST_ADD(c->arena, &c->identity) = machine < c->identity_of.n ? c->identity_of.row[machine] : NONE16;
    return (uint16_t)(c->processes.n - 1);
}

static uint16_t thread_add(struct compile *c, name_id name, uint16_t starts, struct actor actor)
{
    struct thread_plan *t = LIST_ADD(c->arena, &c->threads);
    *t = (struct thread_plan){.name = name, .process = (uint16_t)(c->processes.n - 1), .starts = starts, .alone = name};
    *LIST_ADD(c->arena, &c->actors) = actor;
    if (c->processes.n > 0 && !c->arena->failed)
        c->processes.row[c->processes.n - 1].threads++;
    return (uint16_t)(c->threads.n - 1);
}

/* A name for a thread, as a symbol; the node's own for its main thread. */
static uint32_t thread_symbol(struct compile *c, uint32_t node, const char *thread, const char *suffix,
                              const struct token *at)
{
    char text[NAME_BYTES_MAX * 3];
    snprintf(text, sizeof text, "%s%s%s%s", name_text(c, symbol_at(c, node)->name), thread == NULL ? "" : ".",
             thread == NULL ? "" : thread, suffix);
    if (thread == NULL && suffix[0] == '\0')
        return node;
    uint32_t index = symbol_make(c, text);
    if (index == NONE32)
        return node;
    if (symbol_at(c, index)->kinds != 0)
        complain_declared(c, at, index, SYM_THREAD);
    symbol_at(c, index)->kinds |= SYM_THREAD;
    symbol_at(c, index)->line[1] = at->line;
    return index;
}

static uint16_t client_add(struct compile *c, const struct runner *r, const char *suffix, uint16_t starts)
{
    uint32_t symbol = thread_symbol(c, r->symbol, r->thread, suffix, r->at);
    uint16_t client = (uint16_t)c->clients.n;
    struct actor actor = {.kind = ACTOR_CLIENT, .client = client, .service = NONE16};
    uint16_t thread = thread_add(c, symbol_at(c, symbol)->name, starts, actor);
    symbol_at(c, symbol)->thread = thread;
    struct client_plan *row = LIST_ADD(c->arena, &c->clients);
    *row = (struct client_plan){.thread = thread, .keeper = NONE16, .keeps_for = NONE16, .code = NONE32};
    *LIST_ADD(c->arena, &c->program_of) = r->program;
    return client;
}

static void keeper_add(struct compile *c, const struct runner *r, uint16_t client)
{
    uint16_t keeper = client_add(c, r, ".keeper", 0);
    if (c->arena->failed)
        return;
    c->clients.row[keeper].keeps_for = client;
    c->clients.row[client].keeper = keeper;
}

/* w1.main: so that w1's main thread can be struck alone, and the trace tells it from the whole process. */
static void name_main(struct compile *c, uint32_t node, const struct token *at)
{
    char text[NAME_BYTES_MAX * 3];
    snprintf(text, sizeof text, "%s." MAIN_THREAD, name_text(c, symbol_at(c, node)->name));
    uint32_t index = symbol_make(c, text);
    if (index == NONE32)
        return;
    if (symbol_at(c, index)->kinds != 0)
        complain_declared(c, at, index, SYM_MAIN);
    symbol_at(c, index)->kinds |= SYM_MAIN;
    symbol_at(c, index)->line[1] = at->line;
    symbol_at(c, index)->thread = symbol_at(c, node)->thread;
    c->threads.row[symbol_at(c, node)->thread].alone = symbol_at(c, index)->name;
}

/* The program threads of a node, the main one first, then their keepers. */
static void node_threads(struct compile *c, uint32_t node)
{
    LIST(uint32_t) mine = {0};
    for (int main = 1; main >= 0; main--)
        for (uint32_t i = 0; i < c->runners.n; i++)
            if (c->runners.row[i].symbol == node && (c->runners.row[i].thread == NULL) == (main == 1))
                *LIST_ADD(c->arena, &mine) = i;
    uint32_t first = c->clients.n;
    for (uint32_t i = 0; i < mine.n; i++)
        client_add(c, &c->runners.row[mine.row[i]], "", 1);
    for (uint32_t i = 0; i < mine.n && !c->arena->failed; i++)
        if (c->programs.row[c->runners.row[mine.row[i]].program].keeps)
            keeper_add(c, &c->runners.row[mine.row[i]], (uint16_t)(first + i));
    if (mine.n > 0 && c->runners.row[mine.row[0]].thread != NULL)
        complain(c, c->runners.row[mine.row[0]].at, "'%.40s' has a second thread, but no program of its own",
                 name_text(c, symbol_at(c, node)->name));
    else if (mine.n > 0 && !c->arena->failed)
        name_main(c, node, c->runners.row[mine.row[0]].at);
    if (mine.n == 0)
        symbol_at(c, node)->thread = thread_add(c, symbol_at(c, node)->name, 0,
                                                (struct actor){ACTOR_IDLE, NONE16, NONE16, 0});
}

static void layout_node(struct compile *c, uint32_t index)
{
    const struct symbol *s = symbol_at(c, index);
    uint16_t process = process_add(c, s->name, s->machine);
    symbol_at(c, index)->program = process;
    node_threads(c, index);
}

/* --- services -------------------------------------------------------------------------------------------- */

/* plan: what belongs to services of this kind. */
static uint16_t service_add(struct compile *c, uint32_t index, enum actor_kind kind, struct service_plan plan)
{
    bool lock = kind == ACTOR_CENTRAL || kind == ACTOR_VOTER;
    plan.lock = lock ? plan.lock : NONE16;
    plan.voter = kind == ACTOR_VOTER ? plan.voter : NONE16;
    plan.store = kind == ACTOR_STORE ? plan.store : NONE16;
    plan.queue = kind == ACTOR_QUEUE ? plan.queue : NONE16;
    plan.table = kind == ACTOR_TABLE ? plan.table : NONE16;
    const struct symbol *s = symbol_at(c, index);
    uint16_t service = (uint16_t)c->services.n;
    uint16_t process = process_add(c, s->name, s->service_machine);
    if (!c->arena->failed)
        c->identity.row[process] = NONE16;
    plan.thread = thread_add(c, s->name, 0, (struct actor){(uint16_t)kind, NONE16, service, 0});
    *LIST_ADD(c->arena, &c->services) = plan;
    symbol_at(c, index)->service_process = process;
    return service;
}

uint16_t voter_process(const struct compile *c, const struct lock_plan *lock, uint32_t voter)
{
    return c->threads.row[c->services.row[lock->service + voter].thread].process;
}

static void layout_quorum(struct compile *c, uint16_t number)
{
    struct lock_plan *lock = &c->locks.row[number];
    lock->service = (uint16_t)c->services.n;
    for (uint16_t v = 0; v < lock->voters; v++) {
        char text[NAME_BYTES_MAX + 16];
        snprintf(text, sizeof text, "%s.%u", name_text(c, lock->name), v + 1u);
        uint32_t index = symbol_find(c, text);
        if (index != NONE32)
            service_add(c, index, ACTOR_VOTER, (struct service_plan){.lock = number, .voter = v});
    }
}

static void layout_lock(struct compile *c, uint16_t number)
{
    struct lock_plan *lock = &c->locks.row[number];
    uint32_t index = symbol_find(c, name_text(c, lock->name));
    if (lock->kind == LOCK_QUORUM)
        layout_quorum(c, number);
    else if (index != NONE32)
        lock->service = service_add(c, index, ACTOR_CENTRAL, (struct service_plan){.lock = number});
    if (index != NONE32 && lock->kind == LOCK_QUORUM && c->services.n > lock->service)
        symbol_at(c, index)->service_process = voter_process(c, lock, 0);
}

/* A service of one process. */
static void layout_service(struct compile *c, name_id name, enum actor_kind kind, struct service_plan plan,
                           uint16_t *service)
{
    uint32_t index = symbol_find(c, name_text(c, name));
    if (index != NONE32)
        *service = service_add(c, index, kind, plan);
}

static void layout_services(struct compile *c)
{
    for (uint16_t i = 0; i < c->locks.n; i++)
        layout_lock(c, i);
    for (uint16_t i = 0; i < c->queues.n; i++)
        layout_service(c, c->queues.row[i].name, ACTOR_QUEUE, (struct service_plan){.queue = i},
                       &c->queues.row[i].service);
    for (uint16_t i = 0; i < c->stores.n; i++)
        layout_service(c, c->stores.row[i].name, ACTOR_STORE, (struct service_plan){.store = i},
                       &c->stores.row[i].service);
    for (uint16_t i = 0; i < c->tables.n; i++)
        layout_service(c, c->tables.row[i].name, ACTOR_TABLE, (struct service_plan){.table = i},
                       &c->tables.row[i].service);
}

void layout_all(struct compile *c)
{
    uint32_t declared = c->symbols.n; /* threads are added behind them */
    for (uint32_t i = 0; i < declared && !c->arena->failed; i++)
        if (symbol_at(c, i)->kinds & SYM_NODE)
            layout_node(c, i);
    layout_services(c);
}
