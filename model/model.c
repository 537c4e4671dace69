/* SPDX-License-Identifier: MIT
 *
 * model.c - the table of functions that the kernel calls: who gets which event.
 *
 * A new lock protocol is one new file with a serve, a timer, a crashed and a restarted function, a kind of
 * actor (plan.h), one line in each switch below and one in call.c.
 */
#include "model/abstract.h"
#include "model/digest.h"
#include "model/state.h"

static void on_start(struct sim *s, uint16_t thread)
{
    struct m *m = m_of(s);
    const struct actor *a = &m->p->actor_of[thread];
    if (a->kind == ACTOR_CLIENT)
        client_start(m, a->client);
}

static void on_deliver(struct sim *s, const struct message *msg)
{
    struct m *m = m_of(s);
    const struct actor *a = &m->p->actor_of[msg->to];
    if (msg->kind == MSG_REQUEST && !(msg->flags & MESSAGE_BOUNCE)) {
        call_deliver(m, msg);
        return;
    }
    ASSERT(a->kind == ACTOR_CLIENT);
    if (msg->kind == MSG_TURN)
        client_turn(m, a->client, msg);
    else if (m->p->clients[a->client].keeps_for != NONE16)
        keeper_answer(m, a->client, msg->call, msg);
    else
        client_answer(m, a->client, msg);
}

/* A promised lease: whose it was, under which token, and where its timer is kept. */
struct lapse {
    uint32_t *kept;
    uint16_t client;
    struct value token, voter, of;
};

static struct lapse lapse_of(struct m *m, const struct timer *t)
{
    const struct actor *a = &m->p->actor_of[t->thread];
    const struct service_plan *service = &m->p->services[a->service];
    struct lapse l = {NULL, (uint16_t)(t->subject & 0xffff), value_int(t->subject >> 16), value_none(), value_none()};
    if (a->kind == ACTOR_CENTRAL) {
        l.kept = &m->locks[service->lock].lapse_timer;
    } else if (a->kind == ACTOR_VOTER) {
        l.kept = &m->voters[a->service].lapse_timer;
        l.voter = value_int(service->voter);
    } else if (a->kind == ACTOR_QUEUE) {
        uint32_t job = m->p->queues[service->queue].first_job + (uint32_t)(t->subject >> 16 & 0xff);
        l.kept = &m->jobs[job].lapse_timer;
        l.token = value_int(t->subject >> 24);
        l.of = value_text(m->p->jobs[job].name);
    } else {
        struct row_state *row = &m->rows[t->subject];
        l.kept = &row->lapse_timer;
        l.client = row->holder;
        l.token = row_grant(m, (uint32_t)t->subject);
        l.of = value_name(m->p->rows[t->subject].name);
    }
    return l;
}

/* A promised lease is over on the clock that promised it: the trace's own observation. */
COLD static void lapse(struct m *m, uint32_t slot, const struct timer *t)
{
    uint16_t service = m->p->actor_of[t->thread].service;
    struct lapse l = lapse_of(m, t);
    if (*l.kept == slot)
        *l.kept = NONE32;
    struct value f[4] = {l.token, value_none(), l.voter, l.of};
    record(m, service_process(m, service), service_name(m, service), V_LAPSES, client_node(m, l.client), f, 4, 0);
}

static void on_timer(struct sim *s, uint32_t slot, const struct timer *t)
{
    struct m *m = m_of(s);
    const struct actor *a = &m->p->actor_of[t->thread];
    if (a->kind == ACTOR_CLIENT && m->p->clients[a->client].keeps_for == NONE16)
        client_timer(m, a->client, t);
    else if (a->kind == ACTOR_CLIENT)
        keeper_timer(m, a->client, t);
    else if (t->kind == T_SERVE)
        call_serve(m, (uint16_t)t->subject);
    else if (t->kind == T_LAPSE)
        lapse(m, slot, t);
    else if (a->kind == ACTOR_CENTRAL)
        central_timer(m, t);
    else if (a->kind == ACTOR_VOTER)
        voter_timer(m, t);
    else
        queue_timer(m, t);
}

static void on_crashed(struct sim *s, uint16_t process, enum losing losing)
{
    struct m *m = m_of(s);
    const struct process_plan *p = &m->p->sim->processes[process];
    for (uint16_t i = 0; i < p->threads; i++) {
        const struct actor *a = &m->p->actor_of[p->first_thread + i];
        switch (a->kind) {
        case ACTOR_CLIENT: client_crashed(m, a->client); break;
        case ACTOR_CENTRAL: central_crashed(m, a->service, losing); break;
        case ACTOR_VOTER: voter_crashed(m, a->service, losing); break;
        case ACTOR_STORE: store_crashed(m, a->service, losing); break;
        case ACTOR_QUEUE: queue_crashed(m, a->service, losing); break;
        case ACTOR_TABLE: table_crashed(m, a->service, losing); break;
        default: break;
        }
    }
}

static void on_restarted(struct sim *s, uint16_t process)
{
    struct m *m = m_of(s);
    const struct actor *a = &m->p->actor_of[m->p->sim->processes[process].first_thread];
    if (a->kind == ACTOR_CENTRAL)
        central_restarted(m, a->service);
    else if (a->kind == ACTOR_VOTER)
        voter_restarted(m, a->service);
    else if (a->kind == ACTOR_QUEUE)
        queue_restarted(m, a->service);
}

static void on_record(struct sim *s, const struct record *r, uint32_t index)
{
    invariants_on_record(&scratch_of(s)->judge, r, index + 1);
}

/* --- what follows from the plan alone ------------------------------------------------------- */

static size_t n_gaps(const struct model_plan *p)
{
    return p->n_clients * (1 + n_resources(p)) + n_resources(p) + p->n_services;
}

static size_t scratch_bytes(const void *model_plan)
{
    const struct model_plan *p = model_plan;
    size_t words = (p->calls + 63) / 64 + p->n_clients + p->calls; /* flights, kin, call_name */
    return sizeof(struct scratch) + words * sizeof(uint64_t) + n_gaps(p) * sizeof(struct clock_gap) +
           p->calls * sizeof(struct early) + p->sim->names->n * sizeof(struct judge_name) + p->n_vars;
}

static void prepare(struct sim *s)
{
    struct scratch *scratch = scratch_of(s);
    struct m *m = &scratch->m;
    m_prepare(s);
    m->flights = (uint64_t *)(scratch + 1);
    m->kin = m->flights + (m->p->calls + 63) / 64;
    m->call_name = m->kin + m->p->n_clients;
    m->gaps = (struct clock_gap *)(m->call_name + m->p->calls);
    m->early = (struct early *)(m->gaps + n_gaps(m->p));
    struct judge_name *names = (struct judge_name *)(m->early + m->p->calls);
    m->is_round = (uint8_t *)(names + m->p->sim->names->n);
    abstract_prepare(m->p, m->kin);
    digest_prepare(m->p, m->is_round);
    judge_prepare(m->p, names);
    scratch->judge = (struct judge){s, m->p, m->inv, names};
}

static void on_digest(struct sim *s, struct hasher *h)
{
    struct m *m = m_of(s);
    m->as = sim_renaming(s);
    model_digest(m, h);
}

static uint64_t call_name(struct sim *s, uint16_t call) { return digest_call_name(m_of(s), call); }

static uint64_t subject(struct sim *s, const struct timer *t) { return digest_subject(m_of(s), t); }

static uint64_t argument(struct sim *s, const struct message *m, int i) { return digest_argument(m_of(s), m, i); }

const struct sim_model fencepost_model = {
    .start = on_start,
    .deliver = on_deliver,
    .timer = on_timer,
    .crashed = on_crashed,
    .restarted = on_restarted,
    .recorded = on_record,
    .hears = invariants_hear,
    .scratch_bytes = scratch_bytes,
    .prepare = prepare,
    .digest = on_digest,
    .call_name = call_name,
    .subject = subject,
    .argument = argument,
};
