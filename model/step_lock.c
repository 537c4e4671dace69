/* SPDX-License-Identifier: MIT
 *
 * step_lock.c - what a program does with a lock: acquire, keep, check, release.
 */
#include "model/client.h"

void act_acquire(struct m *m, uint16_t client, const struct instr *k)
{
    ask_within(m, client, k);
    if (m->p->locks[k->lock].kind == LOCK_QUORUM)
        canvass_begin(m, client);
    else
        act_ask(m, client, k);
}

void grant_arrived(struct m *m, uint16_t client, uint16_t resource, int64_t token, ns first_sent, uint64_t rests_on)
{
    struct value f = value_token(token);
    client_record(m, client, V_ACQUIRES, resource_name(m->p, resource), &f, 1);
    gate_clock_got(m, client, client, resource);
    keeper_end(m, client, resource);
    holding_acquired(m, client, resource, token, first_sent, rests_on);
    holding_of(m, client, resource)->beat = client_clock(m, client, m->p->lease_clock);
}

void client_acquired(struct m *m, uint16_t client, uint16_t lock, int64_t token, ns first_sent, uint64_t rests_on)
{
    const struct instr *k = client_instr(m, client);
    grant_arrived(m, client, lock, token, first_sent, rests_on);
    if (k->var != NONE16)
        client_set(m, client, k->var, (struct var_state){.v = token, .token = token, .tag = TAG_INT});
    m->clients[client].generation++; /* it may still be asking: other voters, or for the second time */
    client_next(m, client);
}

/* What `keep` and `check` speak of; NONE16: a variable without a job. */
static uint16_t named(const struct m *m, uint16_t client, const struct instr *k)
{
    return k->job_var != NONE16 ? client_holds(m, client, k->job_var) : k->lock;
}

void act_keep(struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t resource = named(m, client, k);
    if (resource == NONE16 || !holding_of(m, client, resource)->held) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return;
    }
    keeper_begin(m, client, resource);
    client_next(m, client);
}

void act_check(struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t resource = named(m, client, k);
    if (resource == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return;
    }
    if (!client_before(m, client, V_CHECKS, resource_name(m->p, resource)))
        return;
    client_record(m, client, V_CHECKS, resource_name(m->p, resource), NULL, 0);
    client_next(m, client);
}

/* --- release --- */

static bool others_act(const struct m *m, uint16_t client, uint16_t owner, uint16_t lock)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        const struct client_state *c = &m->clients[i];
        if (i != client && c->acting && c->acting_owner == owner && c->acting_on >> lock & 1)
            return true;
    }
    return false;
}

void client_drain_check(struct m *m, uint16_t process)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        struct client_state *c = &m->clients[i];
        if (c->stage != STAGE_WAIT || client_process(m, i) != process || m->p->clients[i].keeps_for != NONE16)
            continue;
        const struct instr *k = client_instr(m, i);
        if (k->op != OP_RELEASE)
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

void act_release(struct m *m, uint16_t client, const struct instr *k)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    uint16_t owner = holding_owner(m, client, k->lock);
    if (owner == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER); /* there is no grant that it could name */
        return;
    }
    struct holding *g = holding_of(m, owner, k->lock);
    bool busy = others_act(m, client, owner, k->lock);
    if (!gate_lets(m, GATE_DRAIN_FIRST, by_client(client, k->lock), conjunct_bit(C_DRAINED, busy))) {
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
    uint16_t call = client_call(m, client, plan->service, REQ_RELEASE);
    if (call == NONE16)
        return;
    m->calls[call].arg[ARG_TOKEN] = g->token;
    struct value f = value_int(g->token);
    client_send(m, client, V_RELEASES, plan->name, &f, 1, REQUEST_TIMEOUT_NS);
    release_sent(m, owner, k->lock);
}

void act_force_release(struct m *m, uint16_t client, const struct instr *k)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    if (!client_before(m, client, V_FORCE_RELEASES, plan->name))
        return;
    if (plan->kind == LOCK_CENTRAL) {
        if (client_call(m, client, plan->service, REQ_FORCE) != NONE16)
            client_send(m, client, V_FORCE_RELEASES, plan->name, NULL, 0, REQUEST_TIMEOUT_NS);
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
