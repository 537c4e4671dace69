/* SPDX-License-Identifier: MIT
 *
 * table.c - rows and columns of one's own, changed by statements: the lock or queue that most people have.
 *
 *     update -> sync -> find a row that the WHERE takes, change it, answer: all in one event (atomic-check)
 *     without atomic-check:  update -> find -> sync -> change that row, whatever became of it in between
 *
 *  1. A statement is atomic: its expressions see the row as it was before, its clock is this server's wall clock, and
 *     what it took from the client is what the client had when it was sent.
 *  2. What a statement did to the grant of a row is read from the row before and after it, by the five rules of
 *     scenarios/README.md, and said in the words of the built-in services, so that every invariant applies.
 *  3. The holder of a row is the process of the last grant, whatever name stands in `owner`.
 *  4. No row changed is `refused`, and nothing else: the table does not know why.
 *
 * Known weakness: nothing here is safe by itself. The WHERE clause is the protocol.
 *
 * Sources: conditional updates, SKIP LOCKED and RETURNING as PostgreSQL and SQLite have them.
 */
#include "model/state.h"

struct table {
    struct m *m;
    const struct table_plan *plan;
    uint16_t table, service, thread, process;
};

static struct table table_of(struct m *m, uint16_t service)
{
    struct table t;
    t.m = m;
    t.service = service;
    t.table = m->p->services[service].table;
    t.plan = &m->p->tables[t.table];
    t.thread = m->p->services[service].thread;
    t.process = service_process(m, service);
    return t;
}

static const struct instr *instr_of(const struct table *t, const struct call *k)
{
    return &t->m->p->code[k->arg[ARG_INSTR]];
}

static const struct statement_plan *statement_of(const struct table *t, const struct call *k)
{
    return &t->m->p->statements[instr_of(t, k)->statement];
}

static ns server_wall(const struct table *t) { return thread_clock(t->m->s, t->thread, CLOCK_WALL); }

static uint32_t first_cell(const struct table *t, uint32_t row)
{
    return t->plan->first_cell + (row - t->plan->first_row) * t->plan->columns;
}

void rows_ready(struct m *m)
{
    for (uint32_t i = 0; i < m->p->n_rows; i++) {
        m->rows[i].exists = (uint8_t)m->p->rows[i].listed;
        m->rows[i].holder = NONE16;
        m->rows[i].lapse_timer = NONE32;
    }
    for (uint32_t i = 0; i < m->p->n_cells; i++) {
        m->cells[i].v = m->p->cells[i].v;
        m->cells[i].tag = m->p->cells[i].tag;
    }
}

struct value row_grant(const struct m *m, uint32_t row)
{
    bool has = m->p->tables[m->p->rows[row].table].token != NONE16;
    return has ? value_int(m->rows[row].token) : value_none();
}

static struct value row_token(const struct m *m, uint32_t row)
{
    return m->rows[row].granted ? row_grant(m, row) : value_none();
}

/* --- what a row says --------------------------------------------------------------------------- */

/* The columns that mean something; none where the table has no such column, or the row is not there. */
struct meaning {
    struct value owner, token, until, state;
};

static struct value column_before(const struct table *t, uint32_t row, uint16_t column)
{
    if (column == NONE16 || !t->m->rows[row].exists)
        return value_none();
    const struct cell_state *cell = &t->m->cells[first_cell(t, row) + column];
    return (struct value){cell->v, cell->tag};
}

static struct meaning meaning_before(const struct table *t, uint32_t row)
{
    const struct table_plan *p = t->plan;
    return (struct meaning){column_before(t, row, p->owner), column_before(t, row, p->token),
                            column_before(t, row, p->until), column_before(t, row, p->state)};
}

static struct value column_after(const struct cell_value *after, uint16_t column)
{
    return column == NONE16 ? value_none() : (struct value){after[column].v, after[column].tag};
}

static struct meaning meaning_after(const struct table *t, const struct cell_value *after)
{
    const struct table_plan *p = t->plan;
    return (struct meaning){column_after(after, p->owner), column_after(after, p->token), column_after(after, p->until),
                            column_after(after, p->state)};
}

static bool same(const struct table *t, struct value a, struct value b)
{
    return value_equal(t->m->p->sim->names, a, b);
}

static bool is_one_of(const struct table *t, struct value v, struct ids words)
{
    for (uint32_t i = 0; i < words.n; i++) {
        const struct word_value *w = &t->m->p->words[words.first + i];
        if (same(t, v, (struct value){w->v, w->tag}))
            return true;
    }
    return false;
}

/* The five rules, in their order: the first that fits counts. */
static enum change change_of(const struct table *t, const struct meaning *was, const struct meaning *is)
{
    bool queue = t->plan->kind == TABLE_QUEUE;
    bool same_owner = same(t, was->owner, is->owner), same_token = same(t, was->token, is->token);
    bool running = is_one_of(t, was->state, t->plan->running), runs = is_one_of(t, is->state, t->plan->running);
    if (t->plan->kind == TABLE_PLAIN)
        return CHANGE_NONE;
    if (queue && is_one_of(t, was->state, t->plan->done))
        return CHANGE_REWRITE;
    if (queue && is_one_of(t, is->state, t->plan->done))
        return CHANGE_FINISH;
    if (is->owner.tag != TAG_NONE && (!same_owner || !same_token))
        return CHANGE_GRANT;
    if ((running && !runs) || (was->owner.tag != TAG_NONE && is->owner.tag == TAG_NONE))
        return CHANGE_END;
    if (!same(t, was->until, is->until) && same_owner && same_token && same(t, was->state, is->state))
        return CHANGE_EXTEND;
    return CHANGE_NONE;
}

/* --- expressions on the server --------------------------------------------------------------------- */

static bool evaluate(const struct table *t, uint16_t call, uint32_t row, uint32_t expr, struct value *out,
                     enum model_failure *failure)
{
    struct expr_scope scope = {first_cell(t, row), call, t->thread};
    return expr_on_server(t->m, &scope, expr, out, failure);
}

/* The statement is an error of the scenario: the run is over. */
static bool broken(const struct table *t, uint16_t call, enum model_failure failure)
{
    sim_fail(t->m->s, (int32_t)failure, t->m->calls[call].line);
    return false;
}

/* Whether the WHERE takes a row that is there. False: it cannot be worked out, and why. */
static bool would_take(const struct table *t, uint16_t call, uint32_t row, bool *yes, enum model_failure *failure)
{
    uint32_t where = statement_of(t, &t->m->calls[call])->where;
    struct value v = {1, TAG_BOOL};
    *failure = FAIL_TYPE;
    *yes = false;
    if (!t->m->rows[row].exists)
        return true;
    if (where != NONE32 && !evaluate(t, call, row, where, &v, failure))
        return false;
    *yes = v.tag == TAG_BOOL && v.v != 0;
    return v.tag == TAG_BOOL;
}

/* The same. False, and the run is over, if it cannot be worked out. */
static bool takes(const struct table *t, uint16_t call, uint32_t row, bool *yes)
{
    enum model_failure failure;
    return would_take(t, call, row, yes, &failure) || broken(t, call, failure);
}

/* The row that a statement is about: 1 + its index; 0: none matches. */
static bool find(const struct table *t, uint16_t call, uint32_t *found)
{
    const struct call *k = &t->m->calls[call];
    uint32_t from = k->reg != NONE16 ? k->reg : t->plan->first_row;
    uint32_t to = k->reg != NONE16 ? k->reg + 1u : t->plan->first_row + (uint32_t)t->plan->rows;
    *found = 0;
    for (uint32_t row = from; row < to && *found == 0; row++) {
        bool yes;
        if (!takes(t, call, row, &yes))
            return false;
        if (yes)
            *found = row + 1;
    }
    return true;
}

/* The row as the statement leaves it, into what the call carries back; what it is based on stays there. */
static bool work_out(const struct table *t, uint16_t call, uint32_t row, enum model_failure *failure)
{
    const struct call *k = &t->m->calls[call];
    struct cell_value *after = carried_row(t->m, call);
    const struct statement_plan *statement = statement_of(t, k);
    for (uint16_t i = 0; i < t->plan->columns; i++) {
        struct value v = k->kind == REQ_UPDATE ? column_before(t, row, i) : value_none();
        after[i].v = v.v;
        after[i].tag = (uint16_t)v.tag;
    }
    for (uint32_t i = 0; i < statement->sets.n; i++) {
        const struct set_plan *set = &t->m->p->sets[statement->sets.first + i];
        struct value v;
        if (!evaluate(t, call, row, set->expr, &v, failure))
            return false;
        after[set->column].v = v.v;
        after[set->column].tag = (uint16_t)v.tag;
    }
    return true;
}

/* --- records ------------------------------------------------------------------------------------------ */

/* The grant that a statement touches, and who touches it. */
struct touch {
    name_id node;                                      /* of the holder, or of the toucher where there is none */
    bool own, past;                                    /* by the holder itself; after the promised end */
    struct value token, by, start, by_start, by_token; /* by: none where it is its own */
};

static struct touch touch_of(const struct table *t, uint32_t row, const struct call *k)
{
    const struct m *m = t->m;
    const struct row_state *r = &m->rows[row];
    bool held = r->held;
    bool speaks = k->arg[ARG_SPEAKS] >= 0;
    struct touch x;
    x.own = held && speaks && client_process(m, r->holder) == client_process(m, k->client) &&
            r->holder_start == k->start && r->token == k->arg[ARG_TOKEN];
    x.past = server_wall(t) >= r->promised;
    x.node = client_node(m, held ? r->holder : k->client);
    x.token = row_token(m, row);
    x.by = x.own ? value_none() : value_name(client_node(m, k->client));
    x.start = held ? value_int(r->holder_start) : value_none();
    x.by_start = value_int(k->start);
    x.by_token = speaks ? value_token(k->arg[ARG_TOKEN]) : value_none();
    return x;
}

/* Which row `update first` is about is known here first: what its thread speaks for and had read of that row is looked
 * up at its landing. The thread waits for the answer, so that this is what it had when it sent, unless it has given
 * up waiting. */
static void row_is_found(const struct table *t, uint32_t row, struct call *k)
{
    uint16_t resource = row_resource(t->m->p, row), process = client_process(t->m, k->client);
    if (k->reg != NONE16 || k->start != sim_start_count(t->m->s, process))
        return;
    note_based(t->m, k->client, instr_of(t, k), (uint16_t)(k - t->m->calls), row);
    uint16_t speaker = holding_owner(t->m, k->client, resource);
    if (speaker == NONE16)
        return;
    k->arg[ARG_SPEAKS] = speaker;
    k->arg[ARG_TOKEN] = holding_of(t->m, speaker, resource)->epoch;
}

static struct value row_name(const struct table *t, uint32_t row) { return value_name(t->m->p->rows[row].name); }

/* How long a lease is that ends at `until` of the server's wall clock; none where there is no such column. */
static struct value lease_left(const struct table *t, struct value until)
{
    return until.tag == TAG_NS ? value_ns(until.v - server_wall(t)) : value_none();
}

static uint16_t verb_of(const struct table *t, enum change change, const struct touch *x)
{
    bool lock = t->plan->kind == TABLE_LOCK;
    switch (change) {
    case CHANGE_REWRITE: return V_REWRITES;
    case CHANGE_FINISH: return V_FINISHES;
    case CHANGE_GRANT: return V_GRANTS;
    case CHANGE_EXTEND: return V_EXTENDS;
    case CHANGE_END: return !lock ? V_RETURNS : !x->own && x->past ? V_EXPIRES : V_FREES;
    default: return V_CHANGES;
    }
}

static name_id object_of(const struct table *t, uint16_t verb, const struct touch *x, const struct call *k)
{
    return verb == V_CHANGES ? client_name(t->m, k->client) : verb == V_GRANTS ? client_node(t->m, k->client) : x->node;
}

static void record_change(struct table *t, uint32_t row, uint16_t verb, const struct touch *x, const struct meaning *is,
                          const struct call *k)
{
    struct value why = !x->own && x->past ? value_name(t->m->p->why_expired) : value_none();
    struct value of = row_name(t, row), none = value_none(), ttl = lease_left(t, is->until);
    struct value grants[8] = {
        is->token.tag == TAG_INT ? is->token : value_token(-1), x->by_start, ttl, value_ns(0), none, none, none, of};
    struct value extends[8] = {x->token, x->by, x->start, x->by_start, ttl, none, x->by_token, of};
    struct value expires[4] = {x->token, x->start, x->by, of};
    struct value frees[7] = {x->token, x->by, x->start, x->by_start, none, x->by_token, of};
    struct value returns[7] = {x->token, x->by, x->start, x->by_start, x->by_token, why, of};
    struct value ends[6] = {x->token, x->by, x->start, x->by_start, x->by_token, of};
    const struct value *f = verb == V_GRANTS    ? grants
                            : verb == V_EXTENDS ? extends
                            : verb == V_EXPIRES ? expires
                            : verb == V_FREES   ? frees
                            : verb == V_RETURNS ? returns
                            : verb == V_CHANGES ? &of
                                                : ends;
    record(t->m, t->process, t->plan->name, verb, object_of(t, verb, x, k), f, verb_table[verb].fields, k->line);
}

/* --- the grant of a row ---------------------------------------------------------------------------------- */

static void watch_lease(struct table *t, uint32_t row, struct value until)
{
    struct row_state *r = &t->m->rows[row];
    r->promised = until.tag == TAG_NS ? until.v : NS_NEVER;
    timer_stop(t->m, &r->lapse_timer);
    if (r->held && until.tag == TAG_NS && until.v <= NS_MAX)
        set_lapse(t->m, t->service, &r->lapse_timer, row, CLOCK_WALL, until.v);
}

/* From now on the thread speaks for this grant on that row, unless it is a later start that would. */
static void note_grant(struct table *t, uint32_t row, const struct call *k)
{
    struct holding *g = holding_of(t->m, k->client, row_resource(t->m->p, row));
    if (k->start != sim_start_count(t->m->s, client_process(t->m, k->client)))
        return;
    g->epoch = t->m->rows[row].token;
    g->ever = 1;
}

static void remember(struct table *t, uint32_t row, enum change change, const struct meaning *is, const struct call *k)
{
    struct row_state *r = &t->m->rows[row];
    if (change == CHANGE_GRANT) {
        r->holder = k->client;
        r->holder_start = k->start;
        r->held = 1;
        r->token = is->token.tag == TAG_INT ? is->token.v : -1;
        r->granted = 1;
        watch_lease(t, row, is->until);
        note_grant(t, row, k);
    } else if (change == CHANGE_EXTEND) {
        watch_lease(t, row, is->until);
    } else if (change == CHANGE_END || change == CHANGE_FINISH) {
        timer_stop(t->m, &r->lapse_timer);
        r->promised = 0;
        if (change == CHANGE_END)
            r->held = 0;
    }
}

/* --- statements ---------------------------------------------------------------------------------------------- */

/* What a statement makes of one column of a row; none where it does not set it, or cannot work it out. */
static struct value set_to(const struct table *t, uint16_t call, uint32_t row, uint16_t column)
{
    const struct statement_plan *statement = statement_of(t, &t->m->calls[call]);
    for (uint32_t i = 0; i < statement->sets.n; i++) {
        const struct set_plan *set = &t->m->p->sets[statement->sets.first + i];
        struct value v;
        enum model_failure failure;
        if (set->column == column && evaluate(t, call, row, set->expr, &v, &failure))
            return v;
    }
    return value_none();
}

/* The lease of a grant that did not come about: 1 where it would have had none. */
static struct value lease_of_grant(const struct table *t, struct value until)
{
    struct value lease = lease_left(t, until);
    return lease.tag == TAG_NS ? lease : value_int(1);
}

/* Whether a statement that found no row would have been a grant of one: its worker has asked, and got none. */
static struct value would_grant(const struct table *t, uint16_t call)
{
    const struct call *k = &t->m->calls[call];
    uint32_t from = k->reg != NONE16 ? k->reg : t->plan->first_row;
    uint32_t to = k->reg != NONE16 ? k->reg + 1u : t->plan->first_row + (uint32_t)t->plan->rows;
    for (uint32_t row = from; row < to && k->kind == REQ_UPDATE; row++) {
        struct meaning was = meaning_before(t, row);
        enum model_failure failure;
        if (!t->m->rows[row].exists) { /* gone, or never there: it cannot be worked out but for whom it is meant */
            if (set_to(t, call, row, t->plan->owner).tag != TAG_NONE)
                return lease_of_grant(t, set_to(t, call, row, t->plan->until));
            continue;
        }
        if (!work_out(t, call, row, &failure))
            continue;
        struct meaning is = meaning_after(t, carried_row(t->m, call));
        if (change_of(t, &was, &is) == CHANGE_GRANT)
            return lease_of_grant(t, is.until);
    }
    return value_none();
}

static void refuse(struct table *t, uint16_t call)
{
    struct call *k = &t->m->calls[call];
    struct value f[5] = {value_name(t->m->p->error_name[ERR_REFUSED]), value_none(), value_none(), would_grant(t, call),
                         k->reg != NONE16 ? row_name(t, k->reg) : value_none()};
    record(t->m, t->process, t->plan->name, V_REFUSES, client_name(t->m, k->client), f, 5, k->line);
    k->reply[REPLY_ERROR] = ERR_REFUSED;
    call_answer(t->m, call, ANS_REFUSED);
}

static void clear_cells(struct table *t, uint32_t row)
{
    for (uint16_t i = 0; i < t->plan->columns; i++) {
        struct cell_state *c = &t->m->cells[first_cell(t, row) + i];
        c->v = 0;
        c->tag = TAG_NONE;
    }
}

/* The columns that the statement sets; a row that is new, or gone, has no others. */
static void set_cells(struct table *t, uint32_t row, uint16_t call)
{
    const struct call *k = &t->m->calls[call];
    const struct statement_plan *statement = statement_of(t, k);
    struct cell_value *after = carried_row(t->m, call);
    if (k->kind != REQ_UPDATE)
        clear_cells(t, row);
    for (uint32_t i = 0; i < statement->sets.n; i++) {
        uint32_t column = t->m->p->sets[statement->sets.first + i].column;
        uint32_t cell = first_cell(t, row) + column;
        struct cell_state *c = &t->m->cells[cell];
        c->v = after[column].v;
        c->tag = after[column].tag;
        c->version++;
        struct value f[5] = {{c->v, c->tag},
                             value_name(client_name(t->m, k->client)),
                             value_int(c->version),
                             value_token((int64_t)after[column].version - 1),
                             value_int(k->start)};
        record(t->m, t->process, t->plan->name, V_SETS, t->m->p->cells[cell].name, f, 5, k->line);
    }
}

static void carry_back(struct table *t, uint32_t row, uint16_t call)
{
    struct cell_value *after = carried_row(t->m, call);
    for (uint16_t i = 0; i < t->plan->columns; i++) {
        const struct cell_state *c = &t->m->cells[first_cell(t, row) + i];
        after[i] = (struct cell_value){c->v, c->version, c->tag, 0};
    }
    t->m->calls[call].reply[REPLY_ROW] = (int64_t)row;
}

/* A row appears or goes: said before what that does to its grant. */
static void record_presence(struct table *t, uint32_t row, const struct call *k)
{
    if (k->kind == REQ_INSERT) {
        struct value f = value_name(client_node(t->m, k->client));
        record(t->m, t->process, t->plan->name, V_ADDS, t->m->p->rows[row].name, &f, 1, k->line);
    } else if (k->kind == REQ_ERASE) {
        struct value f = row_name(t, row);
        record(t->m, t->process, t->plan->name, V_ERASES, client_name(t->m, k->client), &f, 1, k->line);
    }
}

/* Finished rows may be cleared away: that writes no finished job again. One that is inserted as finished was nobody's
 * to complete. */
static enum change change_by(const struct table *t, uint32_t row, const struct call *k, const struct meaning *is)
{
    struct meaning was = meaning_before(t, row);
    enum change change = change_of(t, &was, is);
    bool none = (k->kind == REQ_ERASE && change == CHANGE_REWRITE) ||
                (k->kind == REQ_INSERT && change == CHANGE_FINISH);
    return none ? CHANGE_NONE : change;
}

static bool may_change(struct table *t, uint16_t verb, const struct touch *x, const struct call *k)
{
    if (k->kind == REQ_ERASE && verb == V_CHANGES)
        return sim_before(t->m->s, t->thread, t->plan->name, V_ERASES, client_name(t->m, k->client));
    if (k->kind == REQ_INSERT && verb == V_CHANGES)
        return true;
    return sim_before(t->m->s, t->thread, t->plan->name, verb, object_of(t, verb, x, k));
}

static void apply(struct table *t, uint16_t call, uint32_t row)
{
    struct call *k = &t->m->calls[call];
    enum model_failure failure;
    if (!work_out(t, call, row, &failure)) {
        broken(t, call, failure);
        return;
    }
    struct meaning is = meaning_after(t, carried_row(t->m, call));
    enum change change = change_by(t, row, k, &is);
    row_is_found(t, row, k);
    struct touch x = touch_of(t, row, k);
    uint16_t verb = verb_of(t, change, &x);
    if (!may_change(t, verb, &x, k))
        return;
    record_presence(t, row, k);
    if (k->kind == REQ_UPDATE || verb != V_CHANGES)
        record_change(t, row, verb, &x, &is, k);
    t->m->rows[row].exists = k->kind != REQ_ERASE;
    set_cells(t, row, call);
    remember(t, row, change, &is, k);
    carry_back(t, row, call);
    k->reply[REPLY_GRANT] = t->m->rows[row].token;
    k->reply[REPLY_CHANGE] = change == CHANGE_END && !x.own ? CHANGE_NONE : change;
    call_answer(t->m, call, ANS_OK);
}

static void serve_get(struct table *t, uint16_t call)
{
    struct call *k = &t->m->calls[call];
    if (!t->m->rows[k->reg].exists) {
        refuse(t, call);
        return;
    }
    struct value f[5] = {row_name(t, k->reg), value_none(), value_none(), value_none(), value_int(k->start)};
    record(t->m, t->process, t->plan->name, V_ANSWERS, client_name(t->m, k->client), f, 5, k->line);
    carry_back(t, k->reg, call);
    call_answer(t->m, call, ANS_VALUE);
}

/* --- requests ----------------------------------------------------------------------------------------------- */

/* A new row must not be there yet; any other must, and match. *row: which; false: refused, or the run is over. */
static bool check(struct table *t, uint16_t call, uint32_t *row)
{
    struct call *k = &t->m->calls[call];
    uint32_t found = k->kind == REQ_INSERT && !t->m->rows[k->reg].exists ? k->reg + 1u : 0;
    if (k->kind != REQ_INSERT && !find(t, call, &found))
        return false;
    if (found == 0) {
        refuse(t, call);
        return false;
    }
    *row = found - 1;
    return true;
}

/* `update first` is a claim: without atomic-claim it looks a row up, and takes that one a sync later. */
static bool is_claim(const struct table *t, const struct call *k)
{
    return k->kind == REQ_UPDATE && k->reg == NONE16 && t->plan->kind == TABLE_QUEUE;
}

static bool looks_first(const struct table *t, const struct call *k)
{
    return !gate_on(t->m->p, GATE_ATOMIC_CHECK) || (is_claim(t, k) && !gate_on(t->m->p, GATE_ATOMIC_CLAIM));
}

/* --- what the gates would have found, for the notes ------------------------------------------------------ */

/* What a statement would have changed when it came; 0: no row, or it cannot be worked out. */
static uint32_t early_row(const struct table *t, uint16_t call)
{
    const struct call *k = &t->m->calls[call];
    uint32_t from = k->reg != NONE16 ? k->reg : t->plan->first_row;
    uint32_t to = k->reg != NONE16 ? k->reg + 1u : t->plan->first_row + (uint32_t)t->plan->rows;
    enum model_failure failure;
    bool yes = false;
    if (k->kind == REQ_INSERT || k->kind == REQ_GET)
        return 0;
    for (uint32_t row = from; row < to; row++)
        if (!would_take(t, call, row, &yes, &failure) || yes)
            return yes ? row + 1 : 0;
    return 0;
}

static void note_row(struct table *t, uint16_t call)
{
    const struct call *k = &t->m->calls[call];
    uint32_t found = t->m->early[call].found;
    enum model_failure failure;
    bool still;
    if (!t->m->asides || found == 0 || !would_take(t, call, found - 1, &still, &failure))
        return;
    bool claim = is_claim(t, k);
    gate_note(t->m, claim ? GATE_ATOMIC_CLAIM : GATE_ATOMIC_CHECK, by_call(k),
              conjunct_bit(claim ? C_STILL_FREE : C_CHECK_ROW, !still));
}

void table_arrived(struct m *m, uint16_t call, bool sync)
{
    struct call *k = &m->calls[call];
    struct table t = table_of(m, k->service);
    if (m->asides)
        m->early[call].found = early_row(&t, call);
    if (k->kind != REQ_GET && looks_first(&t, k)) {
        uint32_t row;
        if (!check(&t, call, &row))
            return;
        k->flags |= CALL_CHECKED;
        k->arg[ARG_FOUND] = row;
    }
    call_serve_later(m, call, sync);
}

void table_serve(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct table t = table_of(m, k->service);
    uint32_t row = (uint32_t)k->arg[ARG_FOUND];
    bool checked = k->flags & CALL_CHECKED;
    note_row(&t, call);
    if (k->kind == REQ_GET)
        serve_get(&t, call);
    else if (checked && k->kind != REQ_INSERT && !m->rows[row].exists)
        refuse(&t, call);
    else if (checked || check(&t, call, &row))
        apply(&t, call, row);
}

/* What was committed is on disk and survives, but for `losing everything`. */
void table_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct table t = table_of(m, service);
    call_forget_served(m, service, losing == LOSING_EVERYTHING);
    for (uint32_t i = 0; i < t.plan->rows && losing == LOSING_EVERYTHING; i++) {
        uint32_t row = t.plan->first_row + i;
        m->rows[row].exists = m->rows[row].held = m->rows[row].granted = 0; /* what was promised lapses all the same */
        clear_cells(&t, row);
    }
}
