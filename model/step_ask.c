/* SPDX-License-Identifier: MIT
 *
 * step_ask.c - asking a service for a lock or a job, waiting in line, asking anew.
 *
 *  1. The lease counts from the first sending of the request that is granted.
 *  2. A request without an answer is sent again, the same one. Whoever is called asks anew, with a new request, and
 *     waits for the answer to the old one no more.
 *  3. `try` is sent once, and fails at once; `within` gives up after its time, on the node's monotonic clock.
 */
#include "model/client.h"

bool asks(const struct instr *k) { return k->op == OP_ACQUIRE || k->op == OP_CLAIM; }

uint16_t ask_service(const struct m *m, const struct instr *k)
{
    return k->op == OP_CLAIM ? m->p->queues[k->queue].service : m->p->locks[k->lock].service;
}

static uint16_t ask_verb(const struct instr *k) { return k->op == OP_CLAIM ? V_CLAIMS : V_ASKS; }

static name_id ask_object(const struct m *m, const struct instr *k)
{
    return k->op == OP_CLAIM ? m->p->queues[k->queue].name : m->p->locks[k->lock].name;
}

void ask_within(struct m *m, uint16_t client, const struct instr *k)
{
    struct client_state *c = &m->clients[client];
    if (k->mode != ACQUIRE_WITHIN || c->within_timer != NONE32)
        return;
    c->within_timer = timer_set(m->s,
                                &(struct timer){.thread = client_thread(m, client),
                                                .clock = CLOCK_MONOTONIC,
                                                .flags = TIMER_KEEPS,
                                                .kind = T_WITHIN,
                                                .deadline = client_clock(m, client, CLOCK_MONOTONIC) + k->duration});
}

static bool ask_new(struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t call = client_call(m, client, ask_service(m, k), k->op == OP_CLAIM ? REQ_CLAIM : REQ_ASK);
    if (call == NONE16)
        return false;
    m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
    m->calls[call].arg[ARG_COUNT] = k->count > 0 ? k->count : 1;
    if (k->mode == ACQUIRE_TRY)
        m->calls[call].flags = CALL_TRY;
    return true;
}

static void ask_send(struct m *m, uint16_t client, const struct instr *k)
{
    struct client_state *c = &m->clients[client];
    if (c->call == NONE16 && !ask_new(m, client, k))
        return;
    c->stage = STAGE_WAIT;
    struct value f = k->op == OP_CLAIM && k->count > 0 ? value_int(k->count) : value_none();
    client_record(m, client, ask_verb(k), ask_object(m, k), &f, 1);
    call_send(m, c->call);
    client_call_timer(m, client, c->call, REQUEST_TIMEOUT_NS, k->mode == ACQUIRE_BLOCK ? TIMER_RETRY : TIMER_KEEPS);
}

void act_ask(struct m *m, uint16_t client, const struct instr *k)
{
    if (client_before(m, client, ask_verb(k), ask_object(m, k)))
        ask_send(m, client, k);
}

void ask_turn(struct m *m, uint16_t client, const struct instr *k)
{
    struct client_state *c = &m->clients[client];
    if (!client_before(m, client, ask_verb(k), ask_object(m, k)))
        return;
    call_abandon(m, c->call);
    c->call = NONE16;
    ask_send(m, client, k);
}
