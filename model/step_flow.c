/* SPDX-License-Identifier: MIT
 *
 * step_flow.c - steps that need no lock and no store: work, wait, effects, conditions, variables, loops.
 */
#include "model/client.h"

#include <string.h>

static bool step_duration(struct m *m, uint16_t client, const struct instr *k, ns *out)
{
    struct value v;
    *out = k->duration;
    if (k->expr == NONE32)
        return true;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return false;
    if (v.tag != TAG_NS || v.v < 0 || v.v > NS_MAX) {
        client_broken(m, client, FAIL_DURATION);
        return false;
    }
    *out = v.v;
    return true;
}

void act_work(struct m *m, uint16_t client, const struct instr *k)
{
    ns duration;
    if (!client_before(m, client, V_WORKS, NONE16) || !step_duration(m, client, k, &duration))
        return;
    struct value f = value_ns(duration);
    client_record(m, client, V_WORKS, NONE16, &f, 1);
    m->clients[client].stage = STAGE_WAIT;
    client_timer_set(m, client, T_WORK, CLOCK_RUN, duration, TIMER_KEEPS);
}

void act_wait(struct m *m, uint16_t client, const struct instr *k)
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

/* The job that an effect is of: the one it names, or the last that its thread was given. */
static struct value effect_job(const struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t last = m->clients[client].last_job;
    uint16_t resource = k->for_var != NONE16 ? client_for(m, client, k) : last ? (uint16_t)(last - 1) : NONE16;
    if (resource == NONE16 || is_lock(m->p, resource))
        return value_none();
    if (is_job(m->p, resource))
        return value_text(m->p->jobs[resource - m->p->n_locks].name);
    return value_name(m->p->rows[resource - m->p->n_locks - m->p->n_jobs].name); /* two tables may have the same key */
}

/* A key that is the token of a job or row says which attempt it is, and not which effect: the next attempt has
 * another. */
static bool is_attempt(const struct m *m, uint16_t client, const struct expr_op *key)
{
    const struct model_plan *p = m->p;
    if (key[1].code != EX_END)
        return false;
    if (key->code == EX_VAR_TOKEN)
        return client_holds(m, client, key->arg) != NONE16;
    for (uint16_t var = 0; var < key->arg && key->code == EX_VAR; var++) {
        uint16_t resource = client_holds(m, client, var);
        if (resource != NONE16 && is_row(p, resource) &&
            key->arg - var - 1 == p->tables[p->rows[resource - p->n_locks - p->n_jobs].table].token)
            return true;
    }
    return false;
}

/* The sink: outside, undoable, at once. With a key and the gate it drops what it has seen. */
void act_effect(struct m *m, uint16_t client, const struct instr *k)
{
    struct value key = value_none();
    if (!client_before(m, client, V_EFFECTS, NONE16))
        return;
    if (k->expr != NONE32 && !expr_value(m, client, k->expr, k->line, &key))
        return;
    if (k->expr != NONE32 && key.tag == TAG_NONE) {
        client_broken(m, client, FAIL_KEY);
        return;
    }
    struct value job = effect_job(m, client, k), identity = key.tag != TAG_NONE ? key : job;
    uint32_t i = 0;
    for (; i < m->p->effects && m->effects[i].name; i++)
        if (m->effects[i].name == k->text + 1 &&
            value_equal(m->p->sim->names, (struct value){m->effects[i].key, m->effects[i].tag}, identity))
            break;
    if (i == m->p->effects) {
        client_broken(m, client, FAIL_EFFECTS);
        return;
    }
    struct effect_state *e = &m->effects[i];
    struct value f[4] = {value_text(k->text), key, job, {1, TAG_BOOL}};
    if (k->expr == NONE32 || !is_attempt(m, client, &m->p->exprs[k->expr]))
        f[3] = value_none();
    bool has_key = key.tag != TAG_NONE, seen = e->count > 0;
    if (has_key && !gate_lets(m, GATE_EFFECT_KEY, by_client(client, NONE16), conjunct_bit(C_KEY_NEW, seen))) {
        client_record(m, client, V_REPEATS, NONE16, f, 2);
    } else {
        e->name = (uint16_t)(k->text + 1);
        e->tag = (uint16_t)identity.tag;
        e->key = identity.v;
        e->count++;
        client_record(m, client, V_EFFECTS, NONE16, f, 4);
    }
    client_next(m, client);
}

void act_ping(struct m *m, uint16_t client, const struct instr *k)
{
    name_id name = process_name(m, k->process);
    if (!client_before(m, client, V_PINGS, name))
        return;
    uint16_t call = client_call(m, client, NONE16, REQ_PING);
    if (call == NONE16)
        return;
    m->calls[call].arg[ARG_VALUE] = m->p->sim->processes[k->process].first_thread;
    client_send(m, client, V_PINGS, name, NULL, 0, k->duration);
}

static bool truth(struct m *m, uint16_t client, const struct instr *k, bool *yes)
{
    struct value v;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return false;
    if (v.tag != TAG_BOOL) {
        client_broken(m, client, FAIL_TYPE);
        return false;
    }
    *yes = v.v;
    return true;
}

void act_require(struct m *m, uint16_t client, const struct instr *k)
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

/* --- variables, branches, loops: an event each, so that no loop runs without using up events --- */

struct var_state *client_variable(struct m *m, uint16_t client, uint16_t var)
{
    ASSERT(var < m->p->clients[client].vars);
    return &m->vars[m->p->clients[client].first_var + var];
}

uint32_t *client_based(struct m *m, uint16_t client, uint16_t var)
{
    return &m->var_based[(m->p->clients[client].first_var + var) * n_sources(m->p)];
}

void client_set(struct m *m, uint16_t client, uint16_t var, struct var_state value)
{
    *client_variable(m, client, var) = value;
    memset(client_based(m, client, var), 0, sizeof(uint32_t) * n_sources(m->p));
}

void act_let(struct m *m, uint16_t client, const struct instr *k)
{
    struct value v;
    uint32_t *based = client_based(m, client, k->var);
    if (!expr_value(m, client, k->expr, k->line, &v))
        return;
    for (uint16_t i = 0; i < n_sources(m->p); i++)
        based[i] = expr_based(m, client, k->expr, i); /* right also where the variable stands in its own expression */
    *client_variable(m, client, k->var) = (struct var_state){.v = v.v, .token = -1, .tag = (uint16_t)v.tag};
    client_next(m, client);
}

void act_unless(struct m *m, uint16_t client, const struct instr *k)
{
    bool yes;
    if (!truth(m, client, k, &yes))
        return;
    if (yes)
        client_next(m, client);
    else
        client_go_to(m, client, k->jump);
}

void act_loop_init(struct m *m, uint16_t client, const struct instr *k)
{
    struct value v;
    if (!expr_value(m, client, k->expr, k->line, &v))
        return;
    if (v.tag != TAG_INT || v.v < 0) {
        client_broken(m, client, FAIL_COUNT);
        return;
    }
    *client_variable(m, client, k->var) = (struct var_state){.v = v.v, .token = -1, .tag = TAG_INT};
    client_next(m, client);
}

void act_loop_next(struct m *m, uint16_t client, const struct instr *k)
{
    struct var_state *v = client_variable(m, client, k->var);
    if (v->v <= 0) {
        client_go_to(m, client, k->jump);
        return;
    }
    v->v--;
    client_next(m, client);
}

void act_every_init(struct m *m, uint16_t client, const struct instr *k)
{
    *client_variable(m, client, k->var) = (struct var_state){
        .v = client_clock(m, client, CLOCK_MONOTONIC), .token = -1, .tag = TAG_NS};
    client_next(m, client);
}

/* Rounds that a pause or a long body missed are not made up for: the next one is at the next multiple. */
void act_every_next(struct m *m, uint16_t client, const struct instr *k)
{
    struct var_state *v = client_variable(m, client, k->var);
    ns now = client_clock(m, client, CLOCK_MONOTONIC);
    ASSERT(k->duration > 0);
    ns missed = (now - v->v + k->duration - 1) / k->duration;
    if (v->v <= now) /* else it is still to come: a loss interrupted the waiting */
        v->v += (missed > 1 ? missed : 1) * k->duration;
    m->clients[client].stage = STAGE_WAIT;
    client_timer_set(m, client, T_WAIT, CLOCK_MONOTONIC, v->v, 0);
}

void act_resume(struct m *m, uint16_t client)
{
    m->clients[client].in_handler = 0;
    client_go_to(m, client, m->clients[client].resume_pc);
}

void act_stop(struct m *m, uint16_t client)
{
    client_record(m, client, V_STOPS, NONE16, NULL, 0);
    client_end(m, client);
}
