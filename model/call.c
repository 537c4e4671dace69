/* SPDX-License-Identifier: MIT
 *
 * call.c - requests and their answers.
 *
 *  1. A call is one request of one client thread to one service. It ends as ok, refused or unknown.
 *  2. Its slot lives while the client waits, a service works on it, or any copy of the request or answer travels,
 *     so neither a message nor a timer ever meets a slot that means something else.
 *  3. A service remembers what it answered (`answer`, `reply`): a repeated request is answered as the first
 *     was and changes nothing. `store ... forgets requests` is the option that does it again.
 *  4. Only `acquire`, `claim` and `keep` send again; the lease counts from the first sending.
 */
#include "model/state.h"

#include <string.h>

/* `to` answers, or travels to, a service or (a ping) any process. */
static uint16_t conn_of(const struct m *m, uint16_t client, uint16_t service, unsigned back)
{
    return service == NONE16 ? NONE16 : (uint16_t)(2 * (client * m->p->n_services + service) + back);
}

name_id call_what(const struct m *m, enum request kind)
{
    const struct model_plan *p = m->p;
    switch (kind) {
    case REQ_ASK:
    case REQ_VOTE: return p->what_ask;
    case REQ_RENEW: return p->what_renew;
    case REQ_RELEASE:
    case REQ_FORCE: return p->what_release;
    case REQ_READ: return p->what_read;
    case REQ_WRITE: return p->what_write;
    case REQ_DELETE: return p->what_delete;
    case REQ_FENCE: return p->what_fence;
    case REQ_CLAIM: return p->what_claim;
    case REQ_HEARTBEAT: return p->what_heartbeat;
    case REQ_COMPLETE: return p->what_complete;
    case REQ_FAIL: return p->what_fail;
    case REQ_ENQUEUE: return p->what_enqueue;
    case REQ_REAP: return p->what_reap;
    case REQ_VERDICT: return p->what_verdict;
    case REQ_REQUEUE: return p->what_requeue;
    case REQ_UPDATE: return p->what_update;
    case REQ_INSERT: return p->what_insert;
    case REQ_ERASE: return p->what_delete;
    case REQ_GET: return p->what_read;
    case REQ_PING: return p->what_ping;
    }
    return NONE16;
}

/* What a yes to each request is called. */
static name_id yes_what(const struct model_plan *p, enum request kind)
{
    switch (kind) {
    case REQ_RENEW:
    case REQ_HEARTBEAT: return p->what_extended;
    case REQ_RELEASE:
    case REQ_FORCE: return p->what_freed;
    case REQ_COMPLETE: return p->what_finished;
    case REQ_FAIL:
    case REQ_VERDICT:
    case REQ_REQUEUE: return p->what_returned;
    case REQ_ENQUEUE: return p->what_added;
    case REQ_UPDATE:
    case REQ_INSERT:
    case REQ_ERASE: return p->what_changed;
    case REQ_PING: return p->what_pong;
    default: return p->what_written;
    }
}

static name_id answer_what(const struct m *m, const struct call *c)
{
    const struct model_plan *p = m->p;
    switch (c->answer) {
    case ANS_GRANT: return c->kind == REQ_CLAIM ? p->what_job : p->what_grant;
    case ANS_QUEUED: return p->what_queued;
    case ANS_VOTE: return p->what_vote;
    case ANS_REFUSED: return p->what_refusal;
    case ANS_VALUE: return c->kind == REQ_REAP ? p->what_list : c->kind == REQ_GET ? p->what_row : p->what_value;
    default: return yes_what(p, (enum request)c->kind);
    }
}

void calls_look(const struct m *m)
{
    memset(m->flights, 0, (m->state->calls_used + 63) / 64 * sizeof *m->flights);
    sim_flights(m->s, m->flights, m->state->calls_used);
}

/* Nobody waits for it, or works on it; but it may travel. */
static inline bool is_idle(const struct call *c) { return !c->waiting && !c->serving && !(c->flags & CALL_STANDS); }

bool call_is_free(const struct m *m, uint32_t call)
{
    return is_idle(&m->calls[call]) && !(m->flights[call / 64] >> call % 64 & 1);
}

/* In three pieces, for a compiler that clears the whole in one does it by an instruction that is slow to begin. */
static inline void clear_call(struct call *c)
{
    memset(c, 0, offsetof(struct call, arg));
    memset(c->arg, 0, sizeof c->arg);
    memset(c->reply, 0, sizeof c->reply);
}

uint16_t call_new(struct m *m, uint16_t client, uint16_t service, enum request kind, uint32_t line)
{
    for (uint32_t i = 0; i < m->p->calls; i++) {
        struct call *c = &m->calls[i];
        if (i < m->state->calls_used && (!is_idle(c) || sim_flies(m->s, (uint16_t)i)))
            continue;
        if (i == m->state->calls_used) {
            m->state->calls_used++;
            sim_model_use(m->s, m->calls_at + (i + 1) * (uint32_t)sizeof *c,
                          (i + 1) * m->carry * (uint32_t)sizeof(struct cell_value));
        }
        clear_call(c);
        memset(captured(m, i), 0, m->carry * sizeof(struct cell_value));
        c->client = client;
        c->service = service;
        c->kind = (uint8_t)kind;
        c->reg = NONE16;
        c->about = service == NONE16 ? NONE16 : m->p->services[service].lock;
        c->timer = NONE32;
        c->start = sim_start_count(m->s, client_process(m, client));
        c->line = line;
        c->waiting = 1;
        c->first_sent = client_clock(m, client, m->p->lease_clock);
        if (kind == REQ_ASK || kind == REQ_CLAIM || (kind == REQ_HEARTBEAT && principal(m, client) == client))
            gate_clock_sends(m, client);
        return (uint16_t)i;
    }
    sim_fail(m->s, FAIL_CALLS, line);
    return NONE16;
}

void call_send(struct m *m, uint16_t call)
{
    struct call *c = &m->calls[call];
    struct message msg = {0};
    msg.from = client_thread(m, c->client);
    msg.to = c->service == NONE16 ? (uint16_t)c->arg[ARG_VALUE] : m->p->services[c->service].thread;
    msg.conn = conn_of(m, c->client, c->service, 0);
    msg.kind = MSG_REQUEST;
    msg.wants_answer = 1;
    msg.call = call;
    msg.what = call_what(m, (enum request)c->kind);
    sim_send(m->s, &msg);
}

void call_answer_again(struct m *m, uint16_t call)
{
    struct call *c = &m->calls[call];
    struct message msg = {0};
    msg.from = c->service == NONE16 ? (uint16_t)c->arg[ARG_VALUE] : m->p->services[c->service].thread;
    msg.to = client_thread(m, c->client);
    msg.conn = conn_of(m, c->client, c->service, 1);
    msg.kind = MSG_ANSWER;
    msg.call = call;
    msg.what = answer_what(m, c);
    msg.tags = (uint16_t)c->answer;
    for (int i = 0; i < 4; i++)
        msg.arg[i] = c->reply[i];
    sim_send(m->s, &msg);
}

void call_answer(struct m *m, uint16_t call, enum answer a)
{
    struct call *c = &m->calls[call];
    c->answer = (uint8_t)a;
    call_answer_again(m, call);
}

void call_abandon(struct m *m, uint16_t call)
{
    struct call *c = &m->calls[call];
    if (c->timer != NONE32)
        timer_cancel(m->s, c->timer);
    c->timer = NONE32;
    c->waiting = 0;
}

void call_abandon_all(struct m *m, uint16_t client, uint16_t resource)
{
    for (uint16_t i = 0; i < m->state->calls_used; i++) {
        struct call *c = &m->calls[i];
        if (c->waiting && c->client == client && (resource == NONE16 || c->about == resource))
            call_abandon(m, i);
    }
}

static void serve_now(struct m *m, uint16_t call)
{
    uint16_t thread = m->p->services[m->calls[call].service].thread;
    switch (m->p->actor_of[thread].kind) {
    case ACTOR_CENTRAL: central_serve(m, call); break;
    case ACTOR_VOTER: voter_serve(m, call); break;
    case ACTOR_QUEUE: queue_serve(m, call); break;
    case ACTOR_TABLE: table_serve(m, call); break;
    default: store_serve(m, call); break;
    }
}

void call_serve(struct m *m, uint16_t call)
{
    serve_now(m, call);
    if (!sim_interrupted(m->s)) {
        ASSERT(m->calls[call].serving > 0);
        m->calls[call].serving--;
    }
}

void call_serve_later(struct m *m, uint16_t call, bool sync)
{
    struct call *c = &m->calls[call];
    uint16_t thread = m->p->services[c->service].thread;
    ns after = (sync ? m->p->sim->sync_ns : 0) + sim_slowness(m->s, m->p->sim->threads[thread].process);
    if (after == 0) {
        serve_now(m, call);
        return;
    }
    ASSERT(c->serving < UINT8_MAX);
    c->serving++;
    timer_set(m->s, &(struct timer){.thread = thread,
                                    .clock = CLOCK_TRUE,
                                    .flags = TIMER_KEEPS,
                                    .kind = T_SERVE,
                                    .subject = call,
                                    .deadline = sim_now(m->s) + after});
}

/* Whether answering this request changes what has to be on disk. */
static bool needs_sync(const struct m *m, const struct call *c)
{
    switch (c->kind) {
    case REQ_READ:
    case REQ_REAP:
    case REQ_GET: return false;
    case REQ_ENQUEUE: return true;
    default: return c->kind >= REQ_READ || gate_on(m->p, GATE_DURABLE_GRANT);
    }
}

/* A request is new, or (a store that forgets) to be done again. */
static void arrived(struct m *m, uint16_t call, enum actor_kind kind)
{
    bool sync = needs_sync(m, &m->calls[call]);
    if (kind == ACTOR_STORE)
        store_arrived(m, call);
    else if (kind == ACTOR_QUEUE)
        queue_arrived(m, call, sync);
    else if (kind == ACTOR_TABLE)
        table_arrived(m, call, sync);
    else
        call_serve_later(m, call, sync);
}

/* The same request again, of one that stands in line. */
static void asked_again(struct m *m, uint16_t call)
{
    if (m->calls[call].kind == REQ_CLAIM)
        queue_again(m, call);
    else
        central_again(m, call);
}

static void ping_arrived(struct m *m, uint16_t call, uint16_t thread)
{
    struct call *c = &m->calls[call];
    ASSERT(c->arg[ARG_VALUE] == thread);
    call_answer(m, call, ANS_OK);
}

void call_deliver(struct m *m, const struct message *msg)
{
    struct call *c = &m->calls[msg->call];
    if (c->kind == REQ_PING) {
        ping_arrived(m, msg->call, msg->to);
        return;
    }
    bool is_store = m->p->actor_of[msg->to].kind == ACTOR_STORE;
    bool forgets = is_store && m->p->stores[m->p->services[c->service].store].forgets;
    if (c->serving && !forgets)
        return;
    if (c->answer != ANS_NONE && !forgets) {
        if (c->answer == ANS_QUEUED)
            asked_again(m, msg->call);
        else
            call_answer_again(m, msg->call);
        return;
    }
    arrived(m, msg->call, (enum actor_kind)m->p->actor_of[msg->to].kind);
}

void conn_broken(const struct m *m, uint16_t client, uint16_t service)
{
    sim_conn_break(m->s, conn_of(m, client, service, 0));
    sim_conn_break(m->s, conn_of(m, client, service, 1));
}

void call_forget_served(struct m *m, uint16_t service, bool everything)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++)
        conn_broken(m, i, service);
    for (uint32_t i = 0; i < m->state->calls_used; i++) {
        struct call *c = &m->calls[i];
        if (c->service != service)
            continue;
        c->serving = 0; /* its timers are gone */
        if (everything)
            c->answer = ANS_NONE;
    }
}
