/* SPDX-License-Identifier: MIT
 *
 * client.c - programs: one thread, one step after the other.
 *
 *     FRESH --- lease-check asked here ---> ACT --- `before` strikes here, packet leaves ---> WAIT ---> next step
 *
 *  1. A check and the act that follows it are two events (design.md 1.6), with the gate and without: a gate
 *     changes a step, it never adds one.
 *  2. A step that fails ends the program, unless a handler of the step, or of the program, takes the error.
 *  3. A keeper or watchdog interrupts the program wherever it is. Steps and timers carry a generation; those of
 *     an older one are stale, so that nothing that a pause still holds can go on where the program has left.
 */
#include "model/state.h"

#include <string.h>

const struct instr *client_instr(const struct m *m, uint16_t client) { return &m->p->code[m->clients[client].pc]; }

static uint32_t client_record(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f,
                              uint32_t n)
{
    return record(m, client_process(m, client), client_name(m, client), verb, object, f, n,
                  client_instr(m, client)->line);
}

static bool client_before(struct m *m, uint16_t client, uint16_t verb, name_id object)
{
    return sim_before(m->s, client_thread(m, client), client_name(m, client), verb, object);
}

/* --- going on ------------------------------------------------------------------------------- */

void client_soon(struct m *m, uint16_t client)
{
    sim_soon(m->s, client_thread(m, client), T_STEP, m->clients[client].generation, TIMER_KEEPS);
}

void client_timer_set(struct m *m, uint16_t client, enum timer_kind kind, int clock, ns deadline, unsigned flags)
{
    struct client_state *c = &m->clients[client];
    timer_stop(m, &c->timer);
    c->timer = timer_set(m->s, &(struct timer){.thread = client_thread(m, client),
                                               .clock = (uint8_t)clock,
                                               .flags = (uint8_t)flags,
                                               .kind = (uint16_t)kind,
                                               .subject = c->generation,
                                               .deadline = deadline});
}

static void leave_step(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    timer_stop(m, &c->timer);
    timer_stop(m, &c->within_timer);
    if (c->call != NONE16)
        call_abandon(m, c->call);
    c->call = NONE16;
    c->voter = 0;
    act_end(m, client);
}

static void go_to(struct m *m, uint16_t client, uint32_t pc)
{
    m->clients[client].pc = pc;
    m->clients[client].stage = STAGE_FRESH;
    client_soon(m, client);
}

void client_next(struct m *m, uint16_t client)
{
    leave_step(m, client);
    go_to(m, client, m->clients[client].pc + 1);
}

static void end_program(struct m *m, uint16_t client)
{
    leave_step(m, client);
    m->clients[client].stage = STAGE_ENDED;
    m->clients[client].generation++;
    for (uint16_t i = 0; i < m->p->n_locks; i++) {
        keeper_end(m, client, i);
        holding_of(m, client, i)->canvassing = 0;
    }
    call_abandon_all(m, client, NONE16);
    client_record(m, client, V_ENDS, NONE16, NULL, 0);
}

static const struct handler *find_handler(const struct m *m, struct ids rows, enum error e)
{
    for (uint32_t i = 0; i < rows.n; i++)
        if (m->p->handlers[rows.first + i].error == e)
            return &m->p->handlers[rows.first + i];
    return NULL;
}

/* goes_on_at: where the program goes on when a program-wide handler has run. */
static void fail(struct m *m, uint16_t client, enum error e, uint32_t goes_on_at)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    const struct handler *own = find_handler(m, k->handlers, e);
    const struct handler *wide = c->in_handler ? NULL : find_handler(m, m->p->clients[client].handlers, e);
    client_record(m, client, V_FAILED, m->p->error_name[e], NULL, 0);
    if (own) {
        leave_step(m, client);
        go_to(m, client, own->code);
    } else if (wide) {
        leave_step(m, client);
        c->resume_pc = goes_on_at;
        c->in_handler = 1;
        go_to(m, client, wide->code);
    } else {
        end_program(m, client);
    }
}

/* A read that a `require` makes fails the whole step: behind that is where its jump leads. */
void client_fail(struct m *m, uint16_t client, enum error e)
{
    const struct instr *k = client_instr(m, client);
    bool hidden = k->op == OP_READ && k->jump != NONE32;
    fail(m, client, e, hidden ? k->jump : m->clients[client].pc + 1);
}

/* A loss that comes between two steps fails none: the next one is still to come, and so is the next round of
 * `repeat every`. */
void client_interrupt(struct m *m, uint16_t client, enum error e)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    if (c->stage == STAGE_ENDED)
        return;
    if (k->op == OP_ACQUIRE) {
        holding_of(m, client, k->lock)->canvassing = 0;
        call_abandon_all(m, client, k->lock);
    }
    c->generation++;
    fail(m, client, e, c->stage == STAGE_FRESH || k->op == OP_EVERY_NEXT ? c->pc : c->pc + 1);
}

static void broken(struct m *m, uint16_t client, enum model_failure f)
{
    sim_fail(m->s, (int32_t)f, client_instr(m, client)->line);
}

/* --- what a step acts for ------------------------------------------------------------------------ */

/* The thread whose grants count, and which of its locks; a write acts for the one whose token it carries. */
static uint16_t acts_for(const struct m *m, uint16_t client, const struct instr *k, uint64_t *locks)
{
    bool one = k->op == OP_WRITE || k->op == OP_DELETE || k->op == OP_FENCE;
    uint16_t lock = k->op == OP_CHECK ? k->lock : k->for_lock;
    *locks = 0;
    if (lock != NONE16) {
        uint16_t owner = holding_owner(m, client, lock);
        if (owner != NONE16)
            *locks = UINT64_C(1) << lock;
        return owner;
    }
    if (one && k->flags & WRITE_TOKEN_EXPR)
        return client;
    if (one) {
        lock = holding_latest(m, client);
        *locks = lock == NONE16 ? 0 : UINT64_C(1) << lock;
        return client;
    }
    for (uint16_t i = 0; i < m->p->n_locks; i++)
        if (holding_of(m, client, i)->held)
            *locks |= UINT64_C(1) << i;
    return client;
}

static bool is_act(const struct instr *k)
{
    return k->op == OP_CHECK || k->op == OP_WORK || k->op == OP_WRITE || k->op == OP_DELETE || k->op == OP_EFFECT;
}

/* lease-check, and drain-first's no to threads that come too late. */
static bool may_act(const struct m *m, uint16_t owner, uint64_t locks)
{
    for (uint16_t i = 0; i < m->p->n_locks; i++) {
        if (!(locks >> i & 1))
            continue;
        if (gate_on(m->p, GATE_LEASE_CHECK) && !holding_valid(m, owner, i))
            return false;
        const struct holding *g = holding_of(m, owner, i);
        if (gate_on(m->p, GATE_DRAIN_FIRST) && (g->draining || !g->held))
            return false;
    }
    return true;
}

static void step_fresh(struct m *m, uint16_t client, const struct instr *k)
{
    uint64_t locks = 0;
    if (is_act(k)) {
        uint16_t owner = acts_for(m, client, k, &locks);
        bool names_lock = k->op == OP_CHECK || k->for_lock != NONE16;
        if (names_lock && gate_on(m->p, GATE_LEASE_CHECK) && locks == 0) {
            client_fail(m, client, ERR_LEASE_LOST);
            return;
        }
        if (!may_act(m, owner, locks)) {
            client_fail(m, client, ERR_LEASE_LOST);
            return;
        }
        if (k->op != OP_CHECK)
            act_begin(m, client, owner, locks);
    }
    m->clients[client].stage = STAGE_ACT;
    client_soon(m, client);
}

/* --- calls of steps --------------------------------------------------------------------------------- */

static void call_timer_set(struct m *m, uint16_t client, uint16_t call, ns after, unsigned flags)
{
    m->calls[call].timer = timer_set(m->s,
                                     &(struct timer){.thread = client_thread(m, client),
                                                     .clock = CLOCK_MONOTONIC,
                                                     .flags = (uint8_t)flags,
                                                     .kind = T_CALL,
                                                     .subject = call,
                                                     .deadline = client_clock(m, client, CLOCK_MONOTONIC) + after});
}

static uint16_t step_call(struct m *m, uint16_t client, uint16_t service, enum request kind)
{
    uint16_t call = call_new(m, client, service, kind, client_instr(m, client)->line);
    if (call == NONE16)
        return NONE16;
    m->clients[client].call = call;
    m->clients[client].stage = STAGE_WAIT;
    return call;
}

/* Sends the ask: a new request, or the one under way again. */
static void ask_send(struct m *m, uint16_t client, const struct instr *k)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    struct client_state *c = &m->clients[client];
    if (c->call == NONE16) {
        uint16_t call = step_call(m, client, plan->service, REQ_ASK);
        if (call == NONE16)
            return;
        m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
        if (k->mode == ACQUIRE_TRY)
            m->calls[call].flags = CALL_TRY;
    }
    c->stage = STAGE_WAIT;
    struct value f = value_none();
    client_record(m, client, V_ASKS, plan->name, &f, 1);
    call_send(m, c->call);
    call_timer_set(m, client, c->call, REQUEST_TIMEOUT_NS, k->mode == ACQUIRE_BLOCK ? TIMER_RETRY : TIMER_KEEPS);
}

static void ask_central(struct m *m, uint16_t client, const struct instr *k)
{
    if (client_before(m, client, V_ASKS, m->p->locks[k->lock].name))
        ask_send(m, client, k);
}

static void act_acquire(struct m *m, uint16_t client, const struct instr *k)
{
    struct client_state *c = &m->clients[client];
    if (k->mode == ACQUIRE_WITHIN && c->within_timer == NONE32)
        c->within_timer = timer_set(
            m->s, &(struct timer){.thread = client_thread(m, client),
                                  .clock = CLOCK_MONOTONIC,
                                  .flags = TIMER_KEEPS,
                                  .kind = T_WITHIN,
                                  .deadline = client_clock(m, client, CLOCK_MONOTONIC) + k->duration});
    if (m->p->locks[k->lock].kind == LOCK_QUORUM)
        canvass_begin(m, client);
    else
        ask_central(m, client, k);
}

void client_acquired(struct m *m, uint16_t client, uint16_t lock, int64_t token, ns first_sent, uint64_t rests_on)
{
    const struct instr *k = client_instr(m, client);
    struct value f = value_int(token);
    client_record(m, client, V_ACQUIRES, m->p->locks[lock].name, &f, 1);
    keeper_end(m, client, lock);
    holding_acquired(m, client, lock, token, first_sent, rests_on);
    holding_of(m, client, lock)->beat = client_clock(m, client, m->p->lease_clock);
    if (k->var != NONE16) {
        uint32_t var = m->p->clients[client].first_var + k->var;
        m->vars[var] = (struct var_state){.v = token, .token = token, .tag = TAG_INT};
        memset(&m->var_based[var * m->p->n_registers], 0, sizeof(uint32_t) * m->p->n_registers);
    }
    m->clients[client].generation++; /* it may still be asking: other voters, or for the second time */
    client_next(m, client);
}

/* The token that a write carries, and its issuer. False: an error of the scenario was noted. */
static bool write_token(struct m *m, uint16_t client, const struct instr *k, uint16_t store, int64_t *token,
                        uint16_t *issuer)
{
    *token = -1;
    *issuer = NONE16;
    if (k->flags & WRITE_TOKEN_EXPR) {
        struct value v;
        uint16_t guard = k->for_lock != NONE16 ? k->for_lock : m->p->stores[store].guard;
        if (!expr_value(m, client, k->token_expr, k->line, &v))
            return false;
        if (v.tag == TAG_NONE)
            return true;
        if (v.tag != TAG_INT || v.v < 0) {
            broken(m, client, FAIL_TOKEN);
            return false;
        }
        *token = v.v;
        *issuer = guard != NONE16 ? guard : (uint16_t)m->p->n_locks;
        return true;
    }
    uint16_t lock = k->for_lock != NONE16 ? k->for_lock : holding_latest(m, client);
    uint16_t owner = lock == NONE16 ? NONE16 : holding_owner(m, client, lock);
    if (k->for_lock != NONE16 && owner == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return false;
    }
    if (owner != NONE16) {
        *token = holding_of(m, owner, lock)->token;
        *issuer = lock;
    }
    return true;
}

static void send_step_call(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f,
                           uint32_t n, ns timeout)
{
    client_record(m, client, verb, object, f, n);
    call_send(m, m->clients[client].call);
    call_timer_set(m, client, m->clients[client].call, timeout, TIMER_KEEPS);
}

static void act_write(struct m *m, uint16_t client, const struct instr *k)
{
    const struct register_plan *reg = &m->p->registers[k->reg];
    bool is_delete = k->op == OP_DELETE;
    uint16_t verb = is_delete ? V_DELETES : V_WRITES;
    struct value v = value_none();
    int64_t token;
    uint16_t issuer;
    if (!client_before(m, client, verb, reg->name))
        return;
    if (!is_delete && !expr_value(m, client, k->expr, k->line, &v))
        return;
    if (!write_token(m, client, k, reg->store, &token, &issuer))
        return;
    uint16_t call = step_call(m, client, m->p->stores[reg->store].service, is_delete ? REQ_DELETE : REQ_WRITE);
    if (call == NONE16)
        return;
    struct call *c = &m->calls[call];
    uint32_t read = m->read_version[client * m->p->n_registers + k->reg];
    c->reg = k->reg;
    c->issuer = issuer;
    c->tag = (uint8_t)v.tag;
    c->arg[ARG_TOKEN] = token;
    c->arg[ARG_VALUE] = v.v;
    c->arg[ARG_BASED] = is_delete ? -1 : (int64_t)expr_based(m, client, k->expr, k->reg) - 1;
    c->arg[ARG_UNCHANGED] = read ? read - 1 : 0;
    if (k->flags & WRITE_IF_UNCHANGED)
        c->flags |= CALL_UNCHANGED;
    struct value f[2] = {value_token(token), v};
    send_step_call(m, client, verb, reg->name, f, is_delete ? 1 : 2, REQUEST_TIMEOUT_NS);
}

static void act_fence(struct m *m, uint16_t client, const struct instr *k)
{
    const struct store_plan *store = &m->p->stores[k->store];
    int64_t token;
    uint16_t issuer;
    if (!client_before(m, client, V_FENCES, store->name) || !write_token(m, client, k, k->store, &token, &issuer))
        return;
    uint16_t call = step_call(m, client, store->service, REQ_FENCE);
    if (call == NONE16)
        return;
    m->calls[call].issuer = issuer;
    m->calls[call].arg[ARG_TOKEN] = token;
    struct value f = value_token(token);
    send_step_call(m, client, V_FENCES, store->name, &f, 1, REQUEST_TIMEOUT_NS);
}

static void act_read(struct m *m, uint16_t client, const struct instr *k)
{
    const struct register_plan *reg = &m->p->registers[k->reg];
    if (!client_before(m, client, V_READS, reg->name))
        return;
    uint16_t call = step_call(m, client, m->p->stores[reg->store].service, REQ_READ);
    if (call == NONE16)
        return;
    m->calls[call].reg = k->reg;
    send_step_call(m, client, V_READS, reg->name, NULL, 0, REQUEST_TIMEOUT_NS);
}

static void act_ping(struct m *m, uint16_t client, const struct instr *k)
{
    name_id name = process_name(m, k->process);
    if (!client_before(m, client, V_PINGS, name))
        return;
    uint16_t call = step_call(m, client, NONE16, REQ_PING);
    if (call == NONE16)
        return;
    m->calls[call].arg[ARG_VALUE] = m->p->sim->processes[k->process].first_thread;
    send_step_call(m, client, V_PINGS, name, NULL, 0, k->duration);
}

/* --- release ------------------------------------------------------------------------------------------ */

static bool others_act(const struct m *m, uint16_t client, uint16_t owner, uint16_t lock)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        const struct client_state *c = &m->clients[i];
        if (i != client && c->acting && c->acting_owner == owner && c->acting_locks >> lock & 1)
            return true;
    }
    return false;
}

void client_drain_check(struct m *m, uint16_t process)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        struct client_state *c = &m->clients[i];
        const struct instr *k = client_instr(m, i);
        if (m->p->clients[i].keeps_for != NONE16 || client_process(m, i) != process || c->stage != STAGE_WAIT ||
            k->op != OP_RELEASE)
            continue;
        uint16_t owner = holding_owner(m, i, k->lock);
        if (!holding_of(m, owner, k->lock)->draining || others_act(m, i, owner, k->lock))
            continue;
        c->stage = STAGE_ACT;
        client_soon(m, i);
    }
}

static void release_sent(struct m *m, uint16_t client, uint16_t lock)
{
    keeper_end(m, client, lock);
    holding_end(m, client, lock);
    holding_of(m, client, lock)->draining = 0;
}

static void act_release(struct m *m, uint16_t client, const struct instr *k)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    uint16_t owner = holding_owner(m, client, k->lock);
    if (owner == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER); /* there is no grant that it could name */
        return;
    }
    struct holding *g = holding_of(m, owner, k->lock);
    if (gate_on(m->p, GATE_DRAIN_FIRST) && others_act(m, client, owner, k->lock)) {
        g->draining = 1;
        m->clients[client].stage = STAGE_WAIT;
        return;
    }
    if (!client_before(m, client, V_RELEASES, plan->name))
        return;
    if (plan->kind == LOCK_QUORUM) {
        struct value f = value_int(g->token);
        client_record(m, client, V_RELEASES, plan->name, &f, 1);
        votes_give_back(m, client, k->lock, (UINT64_C(1) << (plan->voters - 1) << 1) - 1, g->token);
        release_sent(m, owner, k->lock);
        client_next(m, client);
        return;
    }
    uint16_t call = step_call(m, client, plan->service, REQ_RELEASE);
    if (call == NONE16)
        return;
    m->calls[call].arg[ARG_TOKEN] = g->token;
    struct value f = value_int(g->token);
    send_step_call(m, client, V_RELEASES, plan->name, &f, 1, REQUEST_TIMEOUT_NS);
    release_sent(m, owner, k->lock);
}

static void act_force_release(struct m *m, uint16_t client, const struct instr *k)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    if (!client_before(m, client, V_FORCE_RELEASES, plan->name))
        return;
    if (plan->kind == LOCK_CENTRAL) {
        if (step_call(m, client, plan->service, REQ_FORCE) != NONE16)
            send_step_call(m, client, V_FORCE_RELEASES, plan->name, NULL, 0, REQUEST_TIMEOUT_NS);
        return;
    }
    client_record(m, client, V_FORCE_RELEASES, plan->name, NULL, 0);
    for (uint16_t i = 0; i < plan->voters; i++) {
        uint16_t call = call_new(m, client, (uint16_t)(plan->service + i), REQ_FORCE, k->line);
        if (call == NONE16)
            return;
        call_send(m, call);
        m->calls[call].waiting = 0;
    }
    client_next(m, client);
}

/* --- steps without a call -------------------------------------------------------------------------------- */

static bool step_duration(struct m *m, uint16_t client, const struct instr *k, ns *out)
{
    struct value v;
    *out = k->duration;
    if (k->expr == NONE32)
        return true;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return false;
    if (v.tag != TAG_NS || v.v < 0 || v.v > NS_MAX) {
        broken(m, client, FAIL_DURATION);
        return false;
    }
    *out = v.v;
    return true;
}

static void act_work(struct m *m, uint16_t client, const struct instr *k)
{
    ns duration;
    if (!client_before(m, client, V_WORKS, NONE16) || !step_duration(m, client, k, &duration))
        return;
    struct value f = value_ns(duration);
    client_record(m, client, V_WORKS, NONE16, &f, 1);
    m->clients[client].stage = STAGE_WAIT;
    client_timer_set(m, client, T_WORK, CLOCK_RUN, duration, TIMER_KEEPS);
}

static void act_wait(struct m *m, uint16_t client, const struct instr *k)
{
    ns duration;
    if (k->op == OP_WAIT_UNTIL) {
        m->clients[client].stage = STAGE_WAIT;
        client_timer_set(m, client, T_WAIT, CLOCK_TRUE, k->duration > sim_now(m->s) ? k->duration : sim_now(m->s),
                         TIMER_KEEPS);
        return;
    }
    if (!step_duration(m, client, k, &duration))
        return;
    m->clients[client].stage = STAGE_WAIT;
    client_timer_set(m, client, T_WAIT, CLOCK_MONOTONIC, client_clock(m, client, CLOCK_MONOTONIC) + duration,
                     TIMER_KEEPS);
}

/* The sink: outside, undoable, at once. With a key and the gate it drops what it has seen. */
static void act_effect(struct m *m, uint16_t client, const struct instr *k)
{
    struct value key = value_none();
    if (!client_before(m, client, V_EFFECTS, NONE16))
        return;
    if (k->expr != NONE32 && !expr_value(m, client, k->expr, k->line, &key))
        return;
    uint32_t i = 0;
    for (; i < m->p->effects && m->effects[i].name; i++)
        if (m->effects[i].name == k->text + 1 &&
            value_equal(m->p->sim->names, (struct value){m->effects[i].key, m->effects[i].tag}, key))
            break;
    if (i == m->p->effects) {
        broken(m, client, FAIL_EFFECTS);
        return;
    }
    struct effect_state *e = &m->effects[i];
    struct value f[3] = {value_text(k->text), key, value_none()};
    if (e->count && key.tag != TAG_NONE && gate_on(m->p, GATE_EFFECT_KEY)) {
        client_record(m, client, V_REPEATS, NONE16, f, 2);
    } else {
        e->name = (uint16_t)(k->text + 1);
        e->tag = (uint16_t)key.tag;
        e->key = key.v;
        e->count++;
        client_record(m, client, V_EFFECTS, NONE16, f, 3);
    }
    client_next(m, client);
}

static void act_keep(struct m *m, uint16_t client, const struct instr *k)
{
    if (!holding_of(m, client, k->lock)->held) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return;
    }
    keeper_begin(m, client, k->lock);
    client_next(m, client);
}

static void act_check(struct m *m, uint16_t client, const struct instr *k)
{
    if (!client_before(m, client, V_CHECKS, m->p->locks[k->lock].name))
        return;
    client_record(m, client, V_CHECKS, m->p->locks[k->lock].name, NULL, 0);
    client_next(m, client);
}

static bool truth(struct m *m, uint16_t client, const struct instr *k, bool *yes)
{
    struct value v;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return false;
    if (v.tag != TAG_BOOL) {
        broken(m, client, FAIL_TYPE);
        return false;
    }
    *yes = v.v;
    return true;
}

static void act_require(struct m *m, uint16_t client, const struct instr *k)
{
    bool yes;
    if (!client_before(m, client, V_REQUIRES, NONE16) || !truth(m, client, k, &yes))
        return;
    struct value f = {yes, TAG_BOOL};
    client_record(m, client, V_REQUIRES, NONE16, &f, 1);
    if (yes)
        client_next(m, client);
    else
        client_fail(m, client, ERR_REFUSED);
}

/* --- variables, branches, loops: an event each, so that no loop runs without using up events ------------- */

static struct var_state *variable(struct m *m, uint16_t client, uint16_t var)
{
    ASSERT(var < m->p->clients[client].vars);
    return &m->vars[m->p->clients[client].first_var + var];
}

static uint32_t *based_of(struct m *m, uint16_t client, uint16_t var)
{
    return &m->var_based[(m->p->clients[client].first_var + var) * m->p->n_registers];
}

static void act_let(struct m *m, uint16_t client, const struct instr *k)
{
    struct value v;
    uint32_t *based = based_of(m, client, k->var);
    if (!expr_value(m, client, k->expr, k->line, &v))
        return;
    for (uint16_t i = 0; i < m->p->n_registers; i++)
        based[i] = expr_based(m, client, k->expr, i); /* right also where the variable stands in its own expression */
    *variable(m, client, k->var) = (struct var_state){.v = v.v, .token = -1, .tag = (uint16_t)v.tag};
    client_next(m, client);
}

static void act_unless(struct m *m, uint16_t client, const struct instr *k)
{
    bool yes;
    if (!truth(m, client, k, &yes))
        return;
    if (yes)
        client_next(m, client);
    else
        go_to(m, client, k->jump);
}

static void act_loop_init(struct m *m, uint16_t client, const struct instr *k)
{
    struct value v;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return;
    if (v.tag != TAG_INT || v.v < 0) {
        broken(m, client, FAIL_COUNT);
        return;
    }
    *variable(m, client, k->var) = (struct var_state){.v = v.v, .token = -1, .tag = TAG_INT};
    client_next(m, client);
}

static void act_loop_next(struct m *m, uint16_t client, const struct instr *k)
{
    struct var_state *v = variable(m, client, k->var);
    if (v->v <= 0) {
        go_to(m, client, k->jump);
        return;
    }
    v->v--;
    client_next(m, client);
}

static void act_every_init(struct m *m, uint16_t client, const struct instr *k)
{
    *variable(m, client,
              k->var) = (struct var_state){.v = client_clock(m, client, CLOCK_MONOTONIC), .token = -1, .tag = TAG_NS};
    client_next(m, client);
}

/* Rounds that a pause or a long body missed are not made up for: the next one is at the next multiple. */
static void act_every_next(struct m *m, uint16_t client, const struct instr *k)
{
    struct var_state *v = variable(m, client, k->var);
    ns now = client_clock(m, client, CLOCK_MONOTONIC);
    ASSERT(k->duration > 0);
    ns missed = (now - v->v + k->duration - 1) / k->duration;
    if (v->v <= now) /* else it is still to come: a loss interrupted the waiting */
        v->v += (missed > 1 ? missed : 1) * k->duration;
    m->clients[client].stage = STAGE_WAIT;
    client_timer_set(m, client, T_WAIT, CLOCK_MONOTONIC, v->v, 0);
}

static void act_resume(struct m *m, uint16_t client)
{
    m->clients[client].in_handler = 0;
    go_to(m, client, m->clients[client].resume_pc);
}

static void act_stop(struct m *m, uint16_t client)
{
    client_record(m, client, V_STOPS, NONE16, NULL, 0);
    end_program(m, client);
}

static void step_act(struct m *m, uint16_t client, const struct instr *k)
{
    switch (k->op) {
    case OP_ACQUIRE: act_acquire(m, client, k); break;
    case OP_KEEP: act_keep(m, client, k); break;
    case OP_CHECK: act_check(m, client, k); break;
    case OP_RELEASE: act_release(m, client, k); break;
    case OP_FORCE_RELEASE: act_force_release(m, client, k); break;
    case OP_READ: act_read(m, client, k); break;
    case OP_WRITE:
    case OP_DELETE: act_write(m, client, k); break;
    case OP_FENCE: act_fence(m, client, k); break;
    case OP_REQUIRE: act_require(m, client, k); break;
    case OP_WORK: act_work(m, client, k); break;
    case OP_WAIT:
    case OP_WAIT_UNTIL: act_wait(m, client, k); break;
    case OP_EFFECT: act_effect(m, client, k); break;
    case OP_PING: act_ping(m, client, k); break;
    case OP_LET: act_let(m, client, k); break;
    case OP_JUMP: go_to(m, client, k->jump); break;
    case OP_UNLESS: act_unless(m, client, k); break;
    case OP_LOOP_INIT: act_loop_init(m, client, k); break;
    case OP_LOOP_NEXT: act_loop_next(m, client, k); break;
    case OP_EVERY_INIT: act_every_init(m, client, k); break;
    case OP_EVERY_NEXT: act_every_next(m, client, k); break;
    case OP_RESUME: act_resume(m, client); break;
    case OP_STOP: act_stop(m, client); break;
    default:
        ASSERT(k->op == OP_END);
        end_program(m, client);
        break;
    }
}

static void step(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    if (c->stage == STAGE_FRESH && is_act(k))
        step_fresh(m, client, k);
    else
        step_act(m, client, k);
}

/* --- what comes in ------------------------------------------------------------------------------------------ */

/* The first step is an event of its own: a start that a fault interrupted would begin the program twice. */
void client_start(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    uint32_t generation = c->generation + 1;
    const struct client_plan *plan = &m->p->clients[client];
    memset(c, 0, sizeof *c);
    memset(&m->vars[plan->first_var], 0, sizeof(struct var_state) * plan->vars);
    memset(&m->var_based[plan->first_var * m->p->n_registers], 0, sizeof(uint32_t) * plan->vars * m->p->n_registers);
    c->generation = generation;
    c->pc = plan->code;
    c->timer = c->within_timer = NONE32;
    c->call = NONE16;
    client_soon(m, client);
}

/* Nobody answered in time. `acquire` sends the same request again; the others do not know what became of it. */
static void no_answer(struct m *m, uint16_t client, uint16_t call)
{
    const struct instr *k = client_instr(m, client);
    ASSERT(m->clients[client].call == call);
    m->calls[call].timer = NONE32;
    if (k->op == OP_ACQUIRE && k->mode != ACQUIRE_TRY) {
        m->clients[client].stage = STAGE_ACT;
        client_soon(m, client);
        return;
    }
    client_fail(m, client, ERR_TIMEOUT);
}

static void within_over(struct m *m, uint16_t client)
{
    const struct instr *k = client_instr(m, client);
    bool quorum = m->p->locks[k->lock].kind == LOCK_QUORUM;
    struct holding *g = holding_of(m, client, k->lock);
    m->clients[client].within_timer = NONE32;
    m->clients[client].generation++;
    if (quorum && g->canvassing) {
        g->canvassing = 0;
        call_abandon_all(m, client, k->lock);
        votes_give_back(m, client, k->lock, g->canvass_votes, g->epoch);
    }
    client_fail(m, client, quorum ? ERR_QUORUM_LOST : ERR_TIMEOUT);
}

void client_timer(struct m *m, uint16_t client, const struct timer *t)
{
    struct client_state *c = &m->clients[client];
    if (t->kind == T_WATCHDOG) {
        holding_of(m, client, (uint16_t)t->subject)->watchdog_timer = NONE32;
        keeper_lost(m, client, (uint16_t)t->subject);
        return;
    }
    if (t->kind == T_BELIEF) {
        holding_belief_over(m, client, (uint16_t)t->subject);
        return;
    }
    if (t->kind == T_CALL) {
        no_answer(m, client, (uint16_t)t->subject);
        return;
    }
    if (t->kind == T_WITHIN) {
        within_over(m, client);
        return;
    }
    if (t->subject != c->generation)
        return; /* of a step that was interrupted */
    if (t->kind == T_STEP) {
        step(m, client);
    } else {
        c->timer = NONE32;
        if (t->kind == T_CANVASS) {
            canvass_over(m, client);
        } else if (t->kind == T_RETRY) {
            c->voter = 0;
            c->stage = STAGE_ACT;
            client_soon(m, client);
        } else if (client_instr(m, client)->op == OP_EVERY_NEXT) {
            go_to(m, client, client_instr(m, client)->jump);
        } else {
            client_next(m, client);
        }
    }
}

/* In line and called: asks anew, as a new request. The answer to the old one is not waited for any more. */
void client_turn(struct m *m, uint16_t client, uint16_t lock, uint16_t start)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    if (c->stage != STAGE_WAIT || k->op != OP_ACQUIRE || k->lock != lock || c->call == NONE16)
        return;
    if (start != sim_start_count(m->s, client_process(m, client)) && gate_on(m->p, GATE_FRESH_IDENTITY))
        return; /* the turn of its former self */
    if (!client_before(m, client, V_ASKS, m->p->locks[lock].name))
        return;
    call_abandon(m, c->call);
    c->call = NONE16;
    ask_send(m, client, k);
}

static void read_answered(struct m *m, uint16_t client, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    struct value v = {msg->arg[REPLY_VALUE], (uint64_t)msg->arg[REPLY_TAG]};
    client_record(m, client, V_GETS, m->p->registers[k->reg].name, &v, 1);
    m->read_version[client * m->p->n_registers + k->reg] = (uint32_t)msg->arg[REPLY_VERSION] + 1;
    if (k->var == NONE16)
        return;
    *variable(m, client, k->var) = (struct var_state){
        .v = v.v, .token = msg->arg[REPLY_TOKEN], .version = (uint32_t)msg->arg[REPLY_VERSION], .tag = (uint16_t)v.tag};
    memset(based_of(m, client, k->var), 0, sizeof(uint32_t) * m->p->n_registers);
    based_of(m, client, k->var)[k->reg] = (uint32_t)msg->arg[REPLY_VERSION] + 1;
}

static void note_answer(struct m *m, uint16_t client, const struct call *c, const struct message *msg)
{
    bool wrote = msg->tags == ANS_OK && (c->kind == REQ_WRITE || c->kind == REQ_DELETE);
    struct value f[3] = {value_name(msg->what), wrote ? value_name(m->p->registers[c->reg].name) : value_none(),
                         wrote ? value_int(msg->arg[REPLY_VERSION]) : value_none()};
    name_id from = c->service == NONE16 ? NONE16 : service_name(m, c->service);
    client_record(m, client, V_HEARS, from, f, 3);
}

static void asked_answer(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    if (msg->tags == ANS_QUEUED)
        return; /* in line: the turn will come, and it sends again to keep its place */
    ns first_sent = m->calls[call].first_sent;
    if (msg->tags == ANS_REFUSED) {
        client_fail(m, client, (enum error)msg->arg[REPLY_ERROR]);
        return;
    }
    client_acquired(m, client, k->lock, msg->arg[REPLY_TOKEN], first_sent, 0);
}

static void step_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    struct call *c = &m->calls[call];
    if (msg->flags & MESSAGE_BOUNCE) {
        if (c->kind == REQ_ASK && k->mode != ACQUIRE_TRY)
            return; /* asks again when the time has come */
        client_fail(m, client, ERR_UNREACHABLE);
        return;
    }
    note_answer(m, client, c, msg);
    if (c->kind == REQ_ASK) {
        asked_answer(m, client, call, msg);
        return;
    }
    if (msg->tags == ANS_REFUSED) {
        client_fail(m, client, (enum error)msg->arg[REPLY_ERROR]);
        return;
    }
    if (c->kind == REQ_READ)
        read_answered(m, client, msg);
    client_next(m, client);
}

void client_answer(struct m *m, uint16_t client, const struct message *msg)
{
    struct client_state *c = &m->clients[client];
    if (msg->call == NONE16)
        return;
    if (m->calls[msg->call].kind == REQ_VOTE) {
        canvass_answer(m, client, msg->call, msg);
        return;
    }
    if (!m->calls[msg->call].waiting || c->call != msg->call)
        return; /* a late answer is dropped; the request's effect stays */
    step_answered(m, client, msg->call, msg);
}

/* Volatile: everything the program knew. Its beliefs end with it. */
void client_crashed(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    for (uint16_t i = 0; i < m->p->n_locks; i++) {
        struct holding *g = holding_of(m, client, i);
        if (m->p->clients[client].keeps_for == NONE16)
            holding_end(m, client, i);
        memset(g, 0, sizeof *g);
        g->belief_timer = g->beat_timer = g->watchdog_timer = g->retry_timer = NONE32;
    }
    c->timer = c->within_timer = NONE32;
    c->call = NONE16;
    c->acting = 0;
    c->acting_locks = 0;
    c->stage = STAGE_ENDED;
    c->generation++;
    for (uint32_t i = 0; i < m->p->n_registers; i++)
        m->read_version[client * m->p->n_registers + i] = 0;
    for (uint16_t i = 0; i < m->state->calls_used; i++)
        if (m->calls[i].client == client) {
            m->calls[i].waiting = 0;
            m->calls[i].timer = NONE32;
        }
}
