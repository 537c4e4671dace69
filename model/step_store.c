/* SPDX-License-Identifier: MIT
 *
 * step_store.c - what a program does with a store: write, delete, fence, read.
 */
#include "model/client.h"

/* `token job.token` speaks for that job; any other `token EXPR` for the lock that guards the store, or for nobody. */
static uint16_t issuer_of(const struct m *m, uint16_t client, const struct instr *k, uint16_t store)
{
    const struct expr_op *op = &m->p->exprs[k->token_expr];
    uint16_t guard = m->p->stores[store].guard;
    if (op->code == EX_VAR_TOKEN && op[1].code == EX_END) {
        uint16_t resource = client_holds(m, client, op->arg);
        if (resource != NONE16 && is_job(m->p, resource))
            return resource;
    }
    return guard != NONE16 ? guard : (uint16_t)(n_issuers(m->p) - 1);
}

static bool explicit_token(struct m *m, uint16_t client, const struct instr *k, uint16_t store, int64_t *token,
                           uint16_t *issuer)
{
    struct value v;
    if (!expr_value(m, client, k->token_expr, k->line, &v))
        return false;
    if (v.tag == TAG_NONE)
        return true;
    if (v.tag != TAG_INT || v.v < 0) {
        client_broken(m, client, FAIL_TOKEN);
        return false;
    }
    *token = v.v;
    *issuer = issuer_of(m, client, k, store);
    return true;
}

/* The token that a write carries, and its issuer. False: the step has failed, or an error of the scenario was noted. */
static bool write_token(struct m *m, uint16_t client, const struct instr *k, uint16_t store, int64_t *token,
                        uint16_t *issuer)
{
    *token = -1;
    *issuer = NONE16;
    if (k->flags & WRITE_TOKEN_EXPR)
        return explicit_token(m, client, k, store, token, issuer);
    bool named = k->for_lock != NONE16 || k->for_var != NONE16;
    uint16_t resource = named ? client_for(m, client, k) : holding_latest(m, client);
    uint16_t owner = resource == NONE16 ? NONE16 : holding_owner(m, client, resource);
    if (named && owner == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER);
        return false;
    }
    if (owner != NONE16 && !is_row(m->p, resource)) {
        *token = holding_of(m, owner, resource)->token;
        *issuer = resource;
    }
    return true;
}

void act_write(struct m *m, uint16_t client, const struct instr *k)
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
    uint16_t call = client_call(m, client, m->p->stores[reg->store].service, is_delete ? REQ_DELETE : REQ_WRITE);
    if (call == NONE16)
        return;
    struct call *c = &m->calls[call];
    uint32_t read = m->read_version[client * m->p->n_registers + k->reg];
    c->reg = k->reg;
    c->about = issuer;
    c->tag = (uint8_t)v.tag;
    c->arg[ARG_TOKEN] = token;
    c->arg[ARG_VALUE] = v.v;
    c->arg[ARG_BASED] = is_delete ? -1 : (int64_t)expr_based(m, client, k->expr, k->reg) - 1;
    c->arg[ARG_UNCHANGED] = read ? read - 1 : 0;
    if (k->flags & WRITE_IF_UNCHANGED)
        c->flags |= CALL_UNCHANGED;
    struct value f[2] = {value_token(token), v};
    client_send(m, client, verb, reg->name, f, is_delete ? 1 : 2, REQUEST_TIMEOUT_NS);
}

void act_fence(struct m *m, uint16_t client, const struct instr *k)
{
    const struct store_plan *store = &m->p->stores[k->store];
    int64_t token;
    uint16_t issuer;
    if (!client_before(m, client, V_FENCES, store->name) || !write_token(m, client, k, k->store, &token, &issuer))
        return;
    uint16_t call = client_call(m, client, store->service, REQ_FENCE);
    if (call == NONE16)
        return;
    m->calls[call].about = issuer;
    m->calls[call].arg[ARG_TOKEN] = token;
    struct value f = value_token(token);
    client_send(m, client, V_FENCES, store->name, &f, 1, REQUEST_TIMEOUT_NS);
}

void act_read(struct m *m, uint16_t client, const struct instr *k)
{
    const struct register_plan *reg = &m->p->registers[k->reg];
    if (!client_before(m, client, V_READS, reg->name))
        return;
    uint16_t call = client_call(m, client, m->p->stores[reg->store].service, REQ_READ);
    if (call == NONE16)
        return;
    m->calls[call].reg = k->reg;
    client_send(m, client, V_READS, reg->name, NULL, 0, REQUEST_TIMEOUT_NS);
}

void read_answered(struct m *m, uint16_t client, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    struct value v = {msg->arg[REPLY_VALUE], (uint64_t)msg->arg[REPLY_TAG]};
    client_record(m, client, V_GETS, m->p->registers[k->reg].name, &v, 1);
    m->read_version[client * m->p->n_registers + k->reg] = (uint32_t)msg->arg[REPLY_VERSION] + 1;
    if (k->var == NONE16)
        return;
    client_set(m, client, k->var,
               (struct var_state){.v = v.v,
                                  .token = msg->arg[REPLY_TOKEN],
                                  .version = (uint32_t)msg->arg[REPLY_VERSION],
                                  .tag = (uint16_t)v.tag});
    client_based(m, client, k->var)[k->reg] = (uint32_t)msg->arg[REPLY_VERSION] + 1;
}
