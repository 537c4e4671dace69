/* SPDX-License-Identifier: MIT
 *
 * call.c - requests and their answers.
 *
 *  1. A call is one request of one client thread to one service. It ends as ok, refused or unknown.
 *  2. Its slot lives while the client waits, a service works on it, or any copy of the request or answer travels,
 *     so neither a message nor a timer ever meets a slot that means something else.
 *  3. A service remembers what it answered (`answer`, `reply`): a repeated request is answered as the first
 *     was and changes nothing. `store ... forgets requests` is the option that does it again.
 *  4. Only `acquire` and `keep` send again; the lease counts from the first sending.
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
    case REQ_PING: return p->what_ping;
    }
    return NONE16;
}

name_id answer_what(const struct m *m, enum answer a)
{
    const struct model_plan *p = m->p;
    switch (a) {
    case ANS_GRANT: return p->what_grant;
    case ANS_QUEUED: return p->what_queued;
    case ANS_VOTE: return p->what_vote;
    case ANS_REFUSED: return p->what_refusal;
    case ANS_VALUE: return p->what_value;
    default: return p->what_written;
    }
}

void calls_look(const struct m *m)
{
    memset(m->flights, 0, (m->state->calls_used + 63) / 64 * sizeof *m->flights);
    sim_flights(m->s, m->flights, m->state->calls_used);
}

bool call_is_free(const struct m *m, uint32_t call)
{
    const struct call *c = &m->calls[call];
    return !c->waiting && !c->serving && !(m->flights[call / 64] >> call % 64 & 1);
}

uint16_t call_new(struct m *m, uint16_t client, uint16_t service, enum request kind, uint32_t line)
{
    calls_look(m);
    for (uint32_t i = 0; i < m->p->calls; i++) {
        struct call *c = &m->calls[i];
        if (i < m->state->calls_used && !call_is_free(m, i))
            continue;
        if (i == m->state->calls_used) {
            m->state->calls_used++;
            sim_model_use(m->s, m->calls_at + (i + 1) * (uint32_t)sizeof *c);
        }
        memset(c, 0, sizeof *c);
        c->client = client;
        c->service = service;
        c->kind = (uint8_t)kind;
        c->reg = c->issuer = NONE16;
        c->timer = NONE32;
        c->start = sim_start_count(m->s, client_process(m, client));
        c->line = line;
        c->waiting = 1;
        c->first_sent = client_clock(m, client, m->p->lease_clock);
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
    msg.what = answer_what(m, (enum answer)c->answer);
    if (c->kind == REQ_PING)
        msg.what = m->p->what_pong;
    else if (c->answer == ANS_OK && c->kind == REQ_RENEW)
        msg.what = m->p->what_extended;
    else if (c->answer == ANS_OK && (c->kind == REQ_RELEASE || c->kind == REQ_FORCE))
        msg.what = m->p->what_freed;
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

/* The lock that a call is about, NONE16: it is about a store. */
static uint16_t call_lock(const struct m *m, const struct call *c)
{
    return c->kind > REQ_FORCE || c->service == NONE16 ? NONE16 : m->p->services[c->service].lock;
}

void call_abandon_all(struct m *m, uint16_t client, uint16_t lock)
{
    for (uint16_t i = 0; i < m->state->calls_used; i++) {
        struct call *c = &m->calls[i];
        if (c->waiting && c->client == client && (lock == NONE16 || call_lock(m, c) == lock))
            call_abandon(m, i);
    }
}

static void serve_now(struct m *m, uint16_t call)
{
    uint16_t thread = m->p->services[m->calls[call].service].thread;
    switch (m->p->actor_of[thread].kind) {
    case ACTOR_CENTRAL: central_serve(m, call); break;
    case ACTOR_VOTER: voter_serve(m, call); break;
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
    if (c->kind == REQ_READ)
        return false;
    return c->kind > REQ_FORCE || gate_on(m->p, GATE_DURABLE_GRANT);
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
            central_again(m, msg->call);
        else
            call_answer_again(m, msg->call);
        return;
    }
    if (is_store)
        store_arrived(m, msg->call);
    else
        call_serve_later(m, msg->call, needs_sync(m, c));
}

void call_forget_served(struct m *m, uint16_t service, bool everything)
{
    for (uint32_t i = 0; i < m->state->calls_used; i++) {
        struct call *c = &m->calls[i];
        if (c->service != service)
            continue;
        c->serving = 0; /* its timers are gone */
        if (everything)
            c->answer = ANS_NONE;
    }
}
