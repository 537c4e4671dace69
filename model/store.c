/* SPDX-License-Identifier: MIT
 *
 * store.c - registers by key, behind one fence mark.
 *
 *     write -> sync -> check: token >= mark of its issuer, unchanged since read?  commit, raise the mark, answer
 *                                                                                  all in one event (atomic-check)
 *     without atomic-check:  write -> check -> sync -> commit, whatever happened in between
 *
 *  1. The mark is the largest token seen of one issuer: one lock, one job, or `token EXPR`. Tokens of two issuers are
 *     never compared. Every key of the store is behind the one mark (`marks per key` is a trap: scenarios/traps/t1-*).
 *  2. A write without a token passes only where no token was ever seen.
 *  3. Deleting a key keeps the mark (lasting-fence); without the gate the mark goes with the key.
 *  4. A read is answered at once and asks no token: a fence guards writes alone.
 *
 * Known weakness: the mark opens no earlier than the first sight of a token. A stale write that comes before
 * the newer holder's first one commits: fence first, then read, then work.
 */
#include "model/state.h"

struct store {
    struct m *m;
    const struct store_plan *plan;
    uint16_t store, thread, process;
};

static struct store store_of(struct m *m, uint16_t service)
{
    struct store w;
    w.m = m;
    w.store = m->p->services[service].store;
    w.plan = &m->p->stores[w.store];
    w.thread = m->p->services[service].thread;
    w.process = service_process(m, service);
    return w;
}

static uint32_t issuers(const struct store *w) { return n_issuers(w->m->p); }

/* The row of marks that stands before a register (NONE16: the store's own, for `fence`). */
static uint64_t *marks_before(const struct store *w, uint16_t reg)
{
    if (w->plan->marks_per_key && reg != NONE16)
        return &w->m->key_marks[reg * issuers(w)];
    return &w->m->marks[w->store * issuers(w)];
}

static bool any_seen(const struct store *w, const uint64_t *marks)
{
    for (uint32_t i = 0; i < issuers(w); i++)
        if (marks[i])
            return true;
    return false;
}

/* What store-token has against a request. */
static uint64_t token_fails(const struct store *w, const struct call *k)
{
    const uint64_t *marks = marks_before(w, k->reg);
    if (k->about == NONE16)
        return conjunct_bit(C_TOKEN_CARRIED, any_seen(w, marks));
    return conjunct_bit(C_TOKEN_LATEST, (uint64_t)k->arg[ARG_TOKEN] + 1 < marks[k->about]);
}

static bool unchanged(const struct store *w, const struct call *k)
{
    return !(k->flags & CALL_UNCHANGED) || w->m->registers[k->reg].version == (uint32_t)k->arg[ARG_UNCHANGED];
}

static bool token_passes(struct store *w, const struct call *k)
{
    return gate_lets(w->m, GATE_STORE_TOKEN, by_call(k), token_fails(w, k));
}

static void raise_mark(const struct call *k, uint64_t *marks)
{
    if (k->about != NONE16 && (uint64_t)k->arg[ARG_TOKEN] + 1 > marks[k->about])
        marks[k->about] = (uint64_t)k->arg[ARG_TOKEN] + 1;
}

static struct value issuer_name(const struct store *w, const struct call *k)
{
    bool known = k->about < issuers(w) - 1;
    return known ? value_name(resource_name(w->m->p, k->about)) : value_none();
}

static struct value token_of(const struct call *k)
{
    return k->about == NONE16 ? value_none() : value_int(k->arg[ARG_TOKEN]);
}

static struct value key_of(const struct store *w, uint16_t reg)
{
    return w->m->p->registers[reg].lone ? value_none() : value_name(w->m->p->registers[reg].name);
}

static void refuse(struct store *w, uint16_t call, enum error e)
{
    struct call *k = &w->m->calls[call];
    struct value f[3] = {value_name(w->m->p->error_name[e]), token_of(k), value_none()};
    record(w->m, w->process, w->plan->name, V_REFUSES, client_name(w->m, k->client), f, 3, k->line);
    k->reply[REPLY_ERROR] = e;
    call_answer(w->m, call, ANS_REFUSED);
}

/* --- reads --------------------------------------------------------------------------------- */

static void serve_read(struct store *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    const struct register_state *r = &w->m->registers[k->reg];
    uint64_t mark = 0;
    const uint64_t *marks = marks_before(w, k->reg);
    for (uint32_t i = 0; i < issuers(w); i++)
        mark = marks[i] > mark ? marks[i] : mark;
    struct value v = r->exists ? (struct value){r->value, r->tag} : value_none();
    struct value f[5] = {key_of(w, k->reg), v, value_int(r->version), value_token((int64_t)(mark - 1)),
                         value_int(k->start)};
    record(w->m, w->process, w->plan->name, V_ANSWERS, client_name(w->m, k->client), f, 5, k->line);
    k->reply[REPLY_TOKEN] = mark ? (int64_t)(mark - 1) : 0; /* none seen is 0, as in expectations */
    k->reply[REPLY_VALUE] = v.v;
    k->reply[REPLY_VERSION] = r->version;
    k->reply[REPLY_TAG] = (int64_t)v.tag;
    call_answer(w->m, call, ANS_VALUE);
}

/* --- writes, deletes, fences ----------------------------------------------------------------- */

static void commit(struct store *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    struct register_state *r = &w->m->registers[k->reg];
    bool is_delete = k->kind == REQ_DELETE;
    uint64_t *marks = marks_before(w, k->reg);
    if (!sim_before(w->m->s, w->thread, w->plan->name, is_delete ? V_REMOVES : V_COMMITS, client_name(w->m, k->client)))
        return;
    r->version++;
    r->exists = !is_delete;
    r->value = is_delete ? 0 : k->arg[ARG_VALUE];
    r->tag = is_delete ? TAG_NONE : k->tag;
    raise_mark(k, marks);
    if (is_delete && gate_lets(w->m, GATE_LASTING_FENCE, by_call(k), conjunct_bit(C_MARK_ALONE, any_seen(w, marks))))
        for (uint32_t i = 0; i < issuers(w); i++)
            marks[i] = 0;
    struct value v = is_delete ? value_none() : (struct value){k->arg[ARG_VALUE], k->tag};
    struct value f[7] = {
        token_of(k),       key_of(w, k->reg),  v, value_int(r->version), value_token(k->arg[ARG_BASED]),
        issuer_name(w, k), value_int(k->start)};
    record(w->m, w->process, w->plan->name, is_delete ? V_REMOVES : V_COMMITS, client_name(w->m, k->client), f, 7,
           k->line);
    k->reply[REPLY_VERSION] = r->version;
    call_answer(w->m, call, ANS_OK);
}

static void serve_fence(struct store *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    uint64_t *marks = marks_before(w, NONE16);
    if (!token_passes(w, k)) {
        refuse(w, call, ERR_STALE_TOKEN);
        return;
    }
    if (!sim_before(w->m->s, w->thread, w->plan->name, V_RAISES, client_name(w->m, k->client)))
        return;
    raise_mark(k, marks);
    for (uint32_t i = 0; i < w->plan->registers && w->plan->marks_per_key; i++)
        raise_mark(k, &w->m->key_marks[(w->plan->first_register + i) * issuers(w)]);
    struct value f[2] = {token_of(k), issuer_name(w, k)};
    record(w->m, w->process, w->plan->name, V_RAISES, client_name(w->m, k->client), f, 2, k->line);
    call_answer(w->m, call, ANS_OK);
}

/* What stands against a write now. Without store-token no mark does. */
static uint64_t write_fails(const struct store *w, const struct call *k)
{
    bool stale = gate_on(w->m->p, GATE_STORE_TOKEN) && token_fails(w, k) != 0;
    return conjunct_bit(C_CHECK_MARK, stale) | conjunct_bit(C_CHECK_REGISTER, !unchanged(w, k));
}

/* atomic-check is asked about a write that nothing stood against when it came. */
static void note_atomic_check(struct store *w, const struct call *k)
{
    if (w->m->asides && w->m->early[k - w->m->calls].good)
        gate_note(w->m, GATE_ATOMIC_CHECK, by_call(k), write_fails(w, k));
}

/* Checks; true: the write may be done. */
static bool check(struct store *w, uint16_t call)
{
    const struct call *k = &w->m->calls[call];
    if (!token_passes(w, k)) {
        refuse(w, call, ERR_STALE_TOKEN);
        return false;
    }
    if (!unchanged(w, k)) {
        refuse(w, call, ERR_CONFLICT);
        return false;
    }
    return true;
}

void store_arrived(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct store w = store_of(m, k->service);
    bool writes = k->kind == REQ_WRITE || k->kind == REQ_DELETE;
    if (m->asides)
        m->early[call].good = writes && write_fails(&w, k) == 0;
    if (writes && !gate_on(m->p, GATE_ATOMIC_CHECK)) {
        if (!check(&w, call))
            return;
        k->flags |= CALL_CHECKED;
    }
    call_serve_later(m, call, k->kind != REQ_READ);
}

void store_serve(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct store w = store_of(m, k->service);
    note_atomic_check(&w, k);
    if (k->kind == REQ_READ)
        serve_read(&w, call);
    else if (k->kind == REQ_FENCE)
        serve_fence(&w, call);
    else if (k->flags & CALL_CHECKED || check(&w, call))
        commit(&w, call);
}

/* What was committed is on disk and survives, but for `losing everything`. */
void store_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct store w = store_of(m, service);
    call_forget_served(m, service, losing == LOSING_EVERYTHING);
    if (losing != LOSING_EVERYTHING)
        return;
    for (uint32_t i = 0; i < issuers(&w); i++)
        m->marks[w.store * issuers(&w) + i] = 0;
    for (uint16_t i = 0; i < w.plan->registers; i++) {
        uint16_t reg = (uint16_t)(w.plan->first_register + i);
        struct register_state *r = &m->registers[reg];
        for (uint32_t k = 0; k < issuers(&w); k++)
            m->key_marks[reg * issuers(&w) + k] = 0;
        if (!r->exists)
            continue;
        struct value f = value_int(r->version);
        record(m, w.process, w.plan->name, V_FORGETS, m->p->registers[reg].name, &f, 1, 0);
        r->exists = 0;
        r->value = 0;
        r->tag = TAG_NONE;
    }
}
