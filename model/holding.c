/* SPDX-License-Identifier: MIT
 *
 * holding.c - a grant as its client sees it: token, deadline, belief, and what is done under it.
 *
 *  1. The deadline is the client's clock before the first sending + ttl - margin: never later than the
 *     service's own end, whatever the network did, as long as both clocks run alike.
 *  2. The node's own check (lease-check) asks that clock. Without the gate nothing is asked: the client believes
 *     until somebody tells it otherwise.
 *  3. What the check would say is noted in the trace by an observer timer, which fires on time in a paused
 *     process too: a belief ends at its deadline, whether anybody looks or not.
 *  4. A row of a table can be held too, for what is done under it: without deadline and belief, which are the affair
 *     of whoever wrote the protocol.
 *  5. A grant has not *ended* for its thread until a release was sent; that it expired does not end it.
 */
#include "model/state.h"

static int lease_clock(const struct m *m) { return m->p->lease_clock; }

static void note_belief(struct m *m, uint16_t client, uint16_t resource, struct holding *g, bool believes)
{
    if (g->believed == believes)
        return;
    g->believed = believes;
    struct value f = value_int(g->token);
    record(m, client_process(m, client), client_node(m, client), believes ? V_BELIEVES : V_DOUBTS,
           resource_name(m->p, resource), &f, 1, 0);
}

bool holding_valid(const struct m *m, uint16_t client, uint16_t resource)
{
    const struct holding *g = holding_of(m, client, resource);
    if (!g->held || g->lost)
        return false;
    return !gate_on(m->p, GATE_LEASE_CHECK) || !clock_passed(m->s, thread_machine(m->s, client_thread(m, client)),
                                                             (enum clock_kind)lease_clock(m), g->deadline);
}

static void watch_belief(struct m *m, uint16_t client, uint16_t resource, struct holding *g)
{
    if (is_row(m->p, resource))
        return; /* a check of one's own is a program's affair */
    timer_stop(m, &g->belief_timer);
    if (!holding_valid(m, client, resource)) {
        note_belief(m, client, resource, g, false);
        return;
    }
    note_belief(m, client, resource, g, true);
    if (gate_on(m->p, GATE_LEASE_CHECK))
        g->belief_timer = timer_set(m->s, &(struct timer){.thread = client_thread(m, client),
                                                          .clock = (uint8_t)lease_clock(m),
                                                          .flags = TIMER_OBSERVER,
                                                          .kind = T_BELIEF,
                                                          .subject = resource,
                                                          .deadline = g->deadline});
}

void holding_belief_over(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    g->belief_timer = NONE32;
    note_belief(m, client, resource, g, false);
}

static void deadline_from(struct m *m, uint16_t resource, struct holding *g, ns first_sent)
{
    if (is_row(m->p, resource))
        return; /* what its lease is, only its table knows */
    g->deadline = first_sent + lease_of(m->p, resource) - margin_of(m->p, resource);
}

void holding_acquired(struct m *m, uint16_t client, uint16_t resource, int64_t token, ns first_sent, uint64_t rests_on)
{
    struct holding *g = holding_of(m, client, resource);
    if (g->believed)
        note_belief(m, client, resource, g, false);
    g->token = token;
    g->held = g->ever = 1;
    g->lost = g->draining = 0;
    g->rests_on = rests_on;
    g->order = ++m->state->next_order;
    if (is_job(m->p, resource) || is_queue_row(m->p, resource))
        m->clients[client].last_job = (uint16_t)(resource + 1);
    deadline_from(m, resource, g, first_sent);
    watch_belief(m, client, resource, g);
}

void holding_renewed(struct m *m, uint16_t client, uint16_t resource, ns first_sent, uint64_t rests_on)
{
    struct holding *g = holding_of(m, client, resource);
    g->rests_on = rests_on;
    deadline_from(m, resource, g, first_sent);
    watch_belief(m, client, resource, g);
}

void holding_end(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    timer_stop(m, &g->belief_timer);
    g->held = 0;
    note_belief(m, client, resource, g, false);
}

void holding_lose(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    timer_stop(m, &g->belief_timer);
    g->lost = 1;
    note_belief(m, client, resource, g, false);
}

uint16_t holding_latest(const struct m *m, uint16_t client)
{
    uint16_t latest = NONE16;
    for (uint16_t i = 0; i < m->p->n_locks + m->p->n_jobs; i++) {
        const struct holding *g = holding_of(m, client, i);
        if (g->held && (latest == NONE16 || g->order > holding_of(m, client, latest)->order))
            latest = i;
    }
    return latest;
}

/* The thread itself, if it ever got the lock; else the thread of its process that got it last. */
uint16_t holding_owner(const struct m *m, uint16_t client, uint16_t resource)
{
    uint16_t owner = NONE16;
    uint32_t order = 0;
    if (holding_of(m, client, resource)->ever)
        return client;
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        const struct holding *g = holding_of(m, i, resource);
        if (client_process(m, i) != client_process(m, client) || !g->ever || g->order < order)
            continue;
        owner = i;
        order = g->order;
    }
    return owner;
}

/* --- acts: what a thread does under a grant, for the trace --------------------------------------- */

static void note_acts(struct m *m, uint16_t client, uint16_t verb)
{
    struct client_state *c = &m->clients[client];
    if (!sim_makes(m->s, verb))
        return;
    for (uint16_t i = 0; i < m->resources; i++) {
        if (!(c->acting_on >> i & 1))
            continue;
        struct value f[2] = {value_token(holding_of(m, c->acting_owner, i)->token), value_name(client_node(m, client))};
        record(m, client_process(m, client), client_name(m, client), verb, resource_name(m->p, i), f, 2, 0);
    }
}

void act_begin(struct m *m, uint16_t client, uint16_t owner, uint64_t resources)
{
    struct client_state *c = &m->clients[client];
    ASSERT(!c->acting);
    c->acting = resources != 0;
    c->acting_owner = owner;
    c->acting_on = resources;
    note_acts(m, client, V_ACTS);
}

void act_end(struct m *m, uint16_t client)
{
    struct client_state *c = &m->clients[client];
    if (!c->acting)
        return;
    note_acts(m, client, V_RESTS);
    c->acting = 0;
    c->acting_on = 0;
    client_drain_check(m, client_process(m, client));
}
