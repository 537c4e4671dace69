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
#include "model/client.h"

#include <string.h>

uint32_t client_record(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f, uint32_t n)
{
    return record(m, client_process(m, client), client_name(m, client), verb, object, f, n,
                  client_instr(m, client)->line);
}

bool client_before(struct m *m, uint16_t client, uint16_t verb, name_id object)
{
    return sim_before(m->s, client_thread(m, client), client_name(m, client), verb, object);
}

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
    c->todo = 0;
    act_end(m, client);
}

void client_go_to(struct m *m, uint16_t client, uint32_t pc)
{
    m->clients[client].pc = pc;
    m->clients[client].stage = STAGE_FRESH;
    client_soon(m, client);
}

void client_next(struct m *m, uint16_t client)
{
    leave_step(m, client);
    client_go_to(m, client, m->clients[client].pc + 1);
}

void client_end(struct m *m, uint16_t client)
{
    leave_step(m, client);
    m->clients[client].stage = STAGE_ENDED;
    m->clients[client].generation++;
    for (uint16_t i = 0; i < m->resources; i++) {
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
        client_go_to(m, client, own->code);
    } else if (wide) {
        leave_step(m, client);
        c->resume_pc = goes_on_at;
        c->in_handler = 1;
        client_go_to(m, client, wide->code);
    } else {
        client_end(m, client);
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

void client_broken(struct m *m, uint16_t client, enum model_failure f)
{
    sim_fail(m->s, (int32_t)f, client_instr(m, client)->line);
}

/* --- what a step acts for ------------------------------------------------------------------------ */

uint16_t client_holds(const struct m *m, uint16_t client, uint16_t var)
{
    const struct var_state *v = &m->vars[m->p->clients[client].first_var + var];
    return v->resource == 0 ? NONE16 : (uint16_t)(v->resource - 1);
}

uint16_t client_for(const struct m *m, uint16_t client, const struct instr *k)
{
    return k->for_var != NONE16 ? client_holds(m, client, k->for_var) : k->for_lock;
}

/* The step itself names what it is about: its object, or `for`. */
static bool is_named(const struct instr *k)
{
    return k->op == OP_CHECK || k->op == OP_COMPLETE || k->for_lock != NONE16 || k->for_var != NONE16;
}

static uint16_t named_resource(const struct m *m, uint16_t client, const struct instr *k)
{
    if (k->op == OP_COMPLETE || (k->op == OP_CHECK && k->job_var != NONE16))
        return client_holds(m, client, k->job_var);
    return k->op == OP_CHECK ? k->lock : client_for(m, client, k);
}

/* A write acts for the one whose token it carries. */
static uint64_t acts_by_token(const struct m *m, uint16_t client, const struct instr *k)
{
    if (k->flags & WRITE_TOKEN_EXPR)
        return 0;
    uint16_t latest = holding_latest(m, client);
    return latest == NONE16 ? 0 : UINT64_C(1) << latest;
}

/* The thread whose grants count, and which of them: a bit a resource. */
static uint16_t acts_for(const struct m *m, uint16_t client, const struct instr *k, uint64_t *resources)
{
    *resources = 0;
    if (is_named(k)) {
        uint16_t resource = named_resource(m, client, k);
        uint16_t owner = resource == NONE16 ? NONE16 : holding_owner(m, client, resource);
        if (owner != NONE16)
            *resources = UINT64_C(1) << resource;
        return owner;
    }
    if (k->op == OP_WRITE || k->op == OP_DELETE) {
        *resources = acts_by_token(m, client, k);
        return client;
    }
    for (uint16_t i = 0; i < m->resources; i++)
        if (holding_of(m, client, i)->held)
            *resources |= UINT64_C(1) << i;
    return client;
}

/* The steps before which lease-check is asked; of these, checking and completing are no acts. */
static bool is_asked(const struct instr *k)
{
    return k->op == OP_CHECK || k->op == OP_WORK || k->op == OP_WRITE || k->op == OP_DELETE || k->op == OP_EFFECT ||
           k->op == OP_COMPLETE;
}

static bool is_act(const struct instr *k) { return k->op != OP_CHECK && k->op != OP_COMPLETE; }

/* What lease-check has against a step. Who holds nothing has no deadline. */
static uint64_t lease_fails(const struct m *m, uint16_t owner, const struct holding *g)
{
    uint16_t machine = thread_machine(m->s, client_thread(m, owner));
    bool late = g->held && clock_passed(m->s, machine, (enum clock_kind)m->p->lease_clock, g->deadline);
    return conjunct_bit(C_HELD, !g->held) | conjunct_bit(C_NOT_LOST, g->held && g->lost) |
           conjunct_bit(C_IN_TIME, late);
}

/* What is left of the lease by its owner's clock: for the notes alone. */
static ns lease_left(const struct m *m, uint16_t owner, const struct holding *g)
{
    return g->deadline - client_clock(m, owner, m->p->lease_clock);
}

/* lease-check, and drain-first's no to threads that come too late to a lock. A row's lease is its table's affair. */
static bool may_act(struct m *m, uint16_t client, uint16_t owner, uint64_t resources)
{
    for (uint16_t i = 0; i < m->p->n_locks + m->p->n_jobs; i++) {
        if (!(resources >> i & 1))
            continue;
        const struct holding *g = holding_of(m, owner, i);
        struct asked_by by = by_client(client, i);
        gate_clock_asked(m, client, owner, i);
        if (!gate_lets(m, GATE_LEASE_CHECK, by, lease_fails(m, owner, g)))
            return false;
        uint64_t drains = conjunct_bit(C_NOT_DRAINING, is_lock(m->p, i) && (g->draining || !g->held));
        if (!gate_lets(m, GATE_DRAIN_FIRST, by, drains))
            return false;
    }
    return true;
}

/* lease-covers-work: a job's beats go on while the work does. Asked where somebody keeps the job. */
static void note_work(struct m *m, uint16_t client, const struct instr *k, uint16_t owner, uint64_t resources)
{
    for (uint16_t i = (uint16_t)m->p->n_locks; i < m->p->n_locks + m->p->n_jobs; i++) {
        if (k->op != OP_WORK || !(resources >> i & 1) || !holding_of(m, owner, i)->keeps)
            continue;
        gate_note(m, GATE_LEASE_COVERS_WORK, by_client(client, i),
                  conjunct_bit(C_WORK_FITS, k->duration > lease_left(m, owner, holding_of(m, owner, i))));
    }
}

/* The variable that the step names holds nothing: the claim that should have filled it has failed. */
static bool names_nothing(const struct m *m, uint16_t client, const struct instr *k)
{
    bool by_object = k->op == OP_CHECK || k->op == OP_COMPLETE;
    uint16_t var = by_object ? k->job_var : k->for_var;
    return var != NONE16 && client_holds(m, client, var) == NONE16;
}

static void step_fresh(struct m *m, uint16_t client, const struct instr *k)
{
    uint64_t resources;
    uint16_t owner = acts_for(m, client, k, &resources);
    bool unknown = is_named(k) && resources == 0;
    if (names_nothing(m, client, k)) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return;
    }
    if (unknown && !gate_lets(m, GATE_LEASE_CHECK, by_client(client, NONE16), conjunct_bit(C_HELD, true))) {
        client_fail(m, client, ERR_LEASE_LOST);
        return;
    }
    if (!may_act(m, client, owner, resources)) {
        client_fail(m, client, ERR_LEASE_LOST);
        return;
    }
    if (m->asides)
        note_work(m, client, k, owner, resources);
    if (is_act(k))
        act_begin(m, client, owner, resources);
    m->clients[client].stage = STAGE_ACT;
    client_soon(m, client);
}

/* --- calls of steps --------------------------------------------------------------------------------- */

void client_call_timer(struct m *m, uint16_t client, uint16_t call, ns after, unsigned flags)
{
    m->calls[call].timer = timer_set(m->s,
                                     &(struct timer){.thread = client_thread(m, client),
                                                     .clock = CLOCK_MONOTONIC,
                                                     .flags = (uint8_t)flags,
                                                     .kind = T_CALL,
                                                     .subject = call,
                                                     .deadline = client_clock(m, client, CLOCK_MONOTONIC) + after});
}

uint16_t client_call(struct m *m, uint16_t client, uint16_t service, enum request kind)
{
    uint16_t call = call_new(m, client, service, kind, client_instr(m, client)->line);
    if (call == NONE16)
        return NONE16;
    m->clients[client].call = call;
    m->clients[client].stage = STAGE_WAIT;
    return call;
}

void client_send(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f, uint32_t n,
                 ns timeout)
{
    client_record(m, client, verb, object, f, n);
    call_send(m, m->clients[client].call);
    client_call_timer(m, client, m->clients[client].call, timeout, TIMER_KEEPS);
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
    case OP_CLAIM: act_claim(m, client, k); break;
    case OP_HEARTBEAT:
    case OP_COMPLETE:
    case OP_FAIL: act_about_job(m, client, k); break;
    case OP_ENQUEUE:
    case OP_REQUEUE: act_name_job(m, client, k); break;
    case OP_REAP: act_reap(m, client, k); break;
    case OP_UPDATE:
    case OP_INSERT:
    case OP_ERASE:
    case OP_GET: act_statement(m, client, k); break;
    case OP_FOR_INIT: act_for_init(m, client, k); break;
    case OP_FOR_NEXT: act_for_next(m, client, k); break;
    case OP_PING: act_ping(m, client, k); break;
    case OP_LET: act_let(m, client, k); break;
    case OP_JUMP: client_go_to(m, client, k->jump); break;
    case OP_UNLESS: act_unless(m, client, k); break;
    case OP_LOOP_INIT: act_loop_init(m, client, k); break;
    case OP_LOOP_NEXT: act_loop_next(m, client, k); break;
    case OP_EVERY_INIT: act_every_init(m, client, k); break;
    case OP_EVERY_NEXT: act_every_next(m, client, k); break;
    case OP_RESUME: act_resume(m, client); break;
    case OP_STOP: act_stop(m, client); break;
    default:
        ASSERT(k->op == OP_END);
        client_end(m, client);
        break;
    }
}

static void step(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    if (c->stage == STAGE_FRESH && m->asides)
        client_record(m, client, V_TAKES, NONE16, NULL, 0);
    if (c->stage == STAGE_FRESH && is_asked(k))
        step_fresh(m, client, k);
    else
        step_act(m, client, k);
}

/* The first step is an event of its own: a start that a fault interrupted would begin the program twice. */
void client_start(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    uint32_t generation = c->generation + 1;
    const struct client_plan *plan = &m->p->clients[client];
    memset(c, 0, sizeof *c);
    memset(&m->vars[plan->first_var], 0, sizeof(struct var_state) * plan->vars);
    memset(&m->var_based[plan->first_var * n_sources(m->p)], 0, sizeof(uint32_t) * plan->vars * n_sources(m->p));
    c->generation = generation;
    c->pc = plan->code;
    c->timer = c->within_timer = NONE32;
    c->call = NONE16;
    client_soon(m, client);
}

/* Nobody answered in time. `acquire` and `claim` send the same request again; the others do not know what became of
 * it. */
static void no_answer(struct m *m, uint16_t client, uint16_t call)
{
    const struct instr *k = client_instr(m, client);
    ASSERT(m->clients[client].call == call);
    m->calls[call].timer = NONE32;
    if (asks(k) && k->mode != ACQUIRE_TRY) {
        m->clients[client].stage = STAGE_ACT;
        client_soon(m, client);
        return;
    }
    client_fail(m, client, ERR_TIMEOUT);
}

/* Not won in time: the votes it got go back. */
static void canvass_give_up(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    if (!g->canvassing)
        return;
    g->canvassing = 0;
    call_abandon_all(m, client, lock);
    votes_give_back(m, client, lock, g->canvass_votes, g->epoch);
}

static void within_over(struct m *m, uint16_t client)
{
    const struct instr *k = client_instr(m, client);
    bool quorum = k->op == OP_ACQUIRE && m->p->locks[k->lock].kind == LOCK_QUORUM;
    m->clients[client].within_timer = NONE32;
    m->clients[client].generation++;
    if (quorum)
        canvass_give_up(m, client, k->lock);
    client_fail(m, client, quorum ? ERR_QUORUM_LOST : ERR_TIMEOUT);
}

void client_timer(struct m *m, uint16_t client, const struct timer *t)
{
    struct client_state *c = &m->clients[client];
    if (t->kind == T_STEP) { /* most of them */
        if (t->subject == c->generation)
            step(m, client);
        return;
    }
    if (t->kind == T_WATCHDOG) {
        keeper_too_late(m, client, (uint16_t)t->subject);
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
        return;
    c->timer = NONE32;
    if (t->kind == T_CANVASS) {
        canvass_over(m, client);
    } else if (t->kind == T_RETRY) {
        c->voter = 0;
        c->stage = STAGE_ACT;
        client_soon(m, client);
    } else if (client_instr(m, client)->op == OP_EVERY_NEXT) {
        client_go_to(m, client, client_instr(m, client)->jump);
    } else {
        client_next(m, client);
    }
}

/* In line and called: asks anew, as a new request. The answer to the old one is not waited for any more; nor is a
 * second call of it heeded, as the one that comes when its repetition and the first call crossed. */
void client_turn(struct m *m, uint16_t client, const struct message *msg)
{
    struct client_state *c = &m->clients[client];
    const struct instr *k = client_instr(m, client);
    uint16_t service = (uint16_t)msg->arg[0], start = (uint16_t)msg->arg[1];
    if (c->stage != STAGE_WAIT || !asks(k) || ask_service(m, k) != service || c->call == NONE16 || c->call != msg->call)
        return;
    uint16_t now = sim_start_count(m->s, client_process(m, client));
    uint64_t fails = conjunct_bit(C_SAME_START, start != now);
    if (!gate_lets(m, GATE_FRESH_IDENTITY, by_client(client, NONE16), fails))
        return; /* the turn of its former self */
    ask_turn(m, client, k);
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
    if (k->op == OP_CLAIM)
        claim_answered(m, client, first_sent, msg);
    else
        client_acquired(m, client, k->lock, msg->arg[REPLY_TOKEN], first_sent, 0);
}

static void step_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    struct call *c = &m->calls[call];
    if (msg->flags & MESSAGE_BOUNCE) {
        if (asks(k) && k->mode != ACQUIRE_TRY)
            return; /* asks again when the time has come */
        client_fail(m, client, ERR_UNREACHABLE);
        return;
    }
    note_answer(m, client, c, msg);
    if (asks(k)) {
        asked_answer(m, client, call, msg);
        return;
    }
    if (c->kind >= REQ_HEARTBEAT && c->kind <= REQ_REQUEUE) {
        if (job_answered(m, client, call, msg))
            client_next(m, client);
        return;
    }
    if (c->kind >= REQ_UPDATE && c->kind <= REQ_GET) {
        statement_answered(m, client, call, msg);
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
    for (uint16_t i = 0; i < m->resources; i++) {
        struct holding *g = holding_of(m, client, i);
        if (m->p->clients[client].keeps_for == NONE16)
            holding_end(m, client, i);
        memset(g, 0, sizeof *g);
        g->belief_timer = g->beat_timer = g->watchdog_timer = g->retry_timer = NONE32;
    }
    c->timer = c->within_timer = NONE32;
    c->call = NONE16;
    c->acting = 0;
    c->acting_on = c->todo = 0;
    c->last_job = 0;
    c->stage = STAGE_ENDED;
    c->generation++;
    for (uint16_t i = 0; i < m->p->n_services; i++)
        conn_broken(m, client, i);
    for (uint32_t i = 0; i < m->p->n_registers; i++)
        m->read_version[client * m->p->n_registers + i] = 0;
    for (uint16_t i = 0; i < m->state->calls_used; i++)
        if (m->calls[i].client == client) {
            m->calls[i].waiting = 0;
            m->calls[i].timer = NONE32;
        }
}
