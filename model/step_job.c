/* SPDX-License-Identifier: MIT
 *
 * step_job.c - what a program does with jobs: claim, heartbeat, complete, fail; enqueue, reap, requeue.
 *
 *  1. A worker speaks for the attempt that its variable names: heartbeat, complete and fail carry that token, whatever
 *     its thread was given since.
 *  2. A keeper ends when `complete` or `fail` is sent; the grant itself when the queue has answered, so that a
 *     completion whose answer was lost can be sent again.
 *  3. `reap` looks, and then sends a verdict for each attempt that it saw, one after the other.
 */
#include "model/client.h"

void act_claim(struct m *m, uint16_t client, const struct instr *k)
{
    ask_within(m, client, k);
    act_ask(m, client, k);
}

/* Of a set that is not empty: which is the first. */
static uint32_t lowest_bit(uint64_t set)
{
    uint32_t i = 0;
    while (!(set >> i & 1))
        i++;
    return i;
}

static struct var_state job_value(const struct m *m, uint16_t resource, int64_t token)
{
    return (struct var_state){.v = m->p->jobs[resource - m->p->n_locks].name,
                              .token = token,
                              .tag = TAG_TEXT,
                              .resource = (uint16_t)(resource + 1)};
}

/* A batch is a set of the queue's jobs, a bit each; behind it stand variables for its jobs, which keep the attempts. */
void claim_answered(struct m *m, uint16_t client, ns first_sent, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    const struct queue_plan *queue = &m->p->queues[k->queue];
    struct var_state given = {.v = msg->arg[REPLY_JOBS],
                              .token = -1,
                              .tag = TAG_INT,
                              .resource = (uint16_t)(job_resource(m->p, queue->first_job) + 1)};
    for (uint32_t i = 0; i < queue->jobs; i++) {
        uint16_t resource = job_resource(m->p, queue->first_job + i);
        if (!((uint64_t)msg->arg[REPLY_JOBS] >> i & 1))
            continue;
        int64_t token = carried_attempts(m, msg->call)[i].v;
        grant_arrived(m, client, resource, token, first_sent, 0);
        if (k->count == 0)
            given = job_value(m, resource, token);
        else
            client_set(m, client, (uint16_t)(k->var + 1 + i), job_value(m, resource, token));
    }
    client_set(m, client, k->var, given);
    m->clients[client].generation++; /* it may still be asking for the second time */
    client_next(m, client);
}

/* --- about a job that it has ------------------------------------------------------------------- */

static uint16_t about_verb(uint8_t op)
{
    return op == OP_HEARTBEAT ? V_HEARTBEATS : op == OP_FAIL ? V_FAILS : V_COMPLETES;
}

static enum request about_request(uint8_t op)
{
    return op == OP_HEARTBEAT ? REQ_HEARTBEAT : op == OP_FAIL ? REQ_FAIL : REQ_COMPLETE;
}

void act_about_job(struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t resource = client_holds(m, client, k->job_var);
    if (resource == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER); /* a claim that failed left the variable empty */
        return;
    }
    if (!client_before(m, client, about_verb(k->op), resource_name(m->p, resource)))
        return;
    uint16_t call = client_call(m, client, queue_of_job(m->p, resource)->service, about_request(k->op));
    if (call == NONE16)
        return;
    struct value token = value_int(client_variable(m, client, k->job_var)->token);
    m->calls[call].about = resource;
    m->calls[call].arg[ARG_TOKEN] = token.v;
    m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
    if (k->op != OP_HEARTBEAT)
        keeper_end(m, client, resource);
    client_send(m, client, about_verb(k->op), resource_name(m->p, resource), &token, 1, REQUEST_TIMEOUT_NS);
}

/* Whether what the thread holds is the attempt that the call was about: it may have been given a later one since. */
static bool still_that(const struct m *m, uint16_t client, const struct call *c)
{
    const struct holding *g = holding_of(m, client, c->about);
    return g->held && g->token == c->arg[ARG_TOKEN];
}

static void about_answered(struct m *m, uint16_t client, const struct call *c, bool yes)
{
    if (!still_that(m, client, c))
        return;
    if (c->kind != REQ_HEARTBEAT) {
        holding_end(m, client, c->about);
    } else if (!yes) {
        holding_lose(m, client, c->about);
    } else {
        struct value f[2] = {value_int(c->arg[ARG_TOKEN]), value_none()};
        client_record(m, client, V_RENEWED, resource_name(m->p, c->about), f, 2);
        gate_clock_got(m, client, client, c->about);
        holding_renewed(m, client, c->about, c->first_sent, 0);
        keeper_watch(m, client, c->about);
    }
}

/* --- jobs by name --------------------------------------------------------------------------------- */

void act_name_job(struct m *m, uint16_t client, const struct instr *k)
{
    const struct job_plan *job = &m->p->jobs[k->job];
    bool adds = k->op == OP_ENQUEUE;
    uint16_t verb = adds ? V_ENQUEUES : V_REQUEUES;
    if (!client_before(m, client, verb, job->object))
        return;
    uint16_t call = client_call(m, client, m->p->queues[job->queue].service, adds ? REQ_ENQUEUE : REQ_REQUEUE);
    if (call == NONE16)
        return;
    m->calls[call].about = job_resource(m->p, k->job);
    client_send(m, client, verb, job->object, NULL, 0, REQUEST_TIMEOUT_NS);
}

/* --- reap -------------------------------------------------------------------------------------------- */

static void look(struct m *m, uint16_t client, const struct queue_plan *queue)
{
    if (!client_before(m, client, V_REAPS, queue->name))
        return;
    if (client_call(m, client, queue->service, REQ_REAP) != NONE16)
        client_send(m, client, V_REAPS, queue->name, NULL, 0, REQUEST_TIMEOUT_NS);
}

static void judge(struct m *m, uint16_t client, const struct queue_plan *queue)
{
    uint16_t resource = job_resource(m->p, queue->first_job + lowest_bit(m->clients[client].todo));
    if (!client_before(m, client, V_JUDGES, resource_name(m->p, resource)))
        return;
    uint16_t call = client_call(m, client, queue->service, REQ_VERDICT);
    if (call == NONE16)
        return;
    struct value token = value_int(holding_of(m, client, resource)->epoch);
    m->calls[call].about = resource;
    m->calls[call].arg[ARG_TOKEN] = token.v;
    client_send(m, client, V_JUDGES, resource_name(m->p, resource), &token, 1, REQUEST_TIMEOUT_NS);
}

void act_reap(struct m *m, uint16_t client, const struct instr *k)
{
    const struct queue_plan *queue = &m->p->queues[k->queue];
    if (m->clients[client].todo == 0)
        look(m, client, queue);
    else
        judge(m, client, queue);
}

/* What the look found, and at which attempt. */
static void seen(struct m *m, uint16_t client, const struct message *msg)
{
    const struct queue_plan *queue = &m->p->queues[client_instr(m, client)->queue];
    m->clients[client].todo = (uint64_t)msg->arg[REPLY_JOBS];
    for (uint32_t i = 0; i < queue->jobs; i++)
        if (m->clients[client].todo >> i & 1)
            holding_of(m, client, job_resource(m->p, queue->first_job + i))->epoch =
                carried_attempts(m, msg->call)[i].v;
}

/* The next verdict is an event of its own, and a refused one is no failure: the attempt was not what it had been. */
static bool reap_answered(struct m *m, uint16_t client, const struct call *c, const struct message *msg)
{
    struct client_state *state = &m->clients[client];
    if (c->kind == REQ_REAP)
        seen(m, client, msg);
    else
        state->todo &= state->todo - 1;
    if (state->todo == 0)
        return true;
    state->call = NONE16;
    state->stage = STAGE_ACT;
    client_soon(m, client);
    return false;
}

bool job_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    struct call *c = &m->calls[call];
    bool yes = msg->tags != ANS_REFUSED;
    if (c->kind == REQ_HEARTBEAT || c->kind == REQ_COMPLETE || c->kind == REQ_FAIL)
        about_answered(m, client, c, yes);
    if (c->kind == REQ_REAP || c->kind == REQ_VERDICT) {
        call_abandon(m, call);
        return reap_answered(m, client, c, msg);
    }
    if (!yes)
        client_fail(m, client, (enum error)msg->arg[REPLY_ERROR]);
    return yes;
}

/* --- for V in BATCH ------------------------------------------------------------------------------------- */

void act_for_init(struct m *m, uint16_t client, const struct instr *k)
{
    client_set(m, client, k->var, *client_variable(m, client, k->job_var));
    client_next(m, client);
}

/* The job of the round is the thread's latest: writes carry its token, effects are its own. */
void act_for_next(struct m *m, uint16_t client, const struct instr *k)
{
    struct var_state *rest = client_variable(m, client, k->var);
    if (rest->v == 0) {
        client_go_to(m, client, k->jump);
        return;
    }
    uint32_t i = lowest_bit((uint64_t)rest->v);
    struct var_state job = *client_variable(m, client, (uint16_t)(k->for_var + 1 + i));
    uint16_t resource = (uint16_t)(job.resource - 1);
    rest->v = (int64_t)((uint64_t)rest->v & ((uint64_t)rest->v - 1));
    struct holding *g = holding_of(m, client, resource);
    g->order = ++m->state->next_order;
    m->clients[client].last_job = (uint16_t)(resource + 1);
    client_set(m, client, k->job_var, job);
    client_next(m, client);
}
