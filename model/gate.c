/* SPDX-License-Identifier: MIT
 *
 * gate.c - see gate.h.
 */
#include "model/gate.h"

#include "model/state.h"

const struct conjunct_word conjunct_table[CONJUNCTS] = {
#define X(id, gate, name, holds, fails) {gate, 0, name, holds, fails},
    CONJUNCT_TABLE(X)
#undef X
};

/* As the service's own records have it: a lock's voter has a name of its own. */
static name_id service_actor(const struct m *m, uint16_t service)
{
    const struct service_plan *v = &m->p->services[service];
    switch (m->p->actor_of[v->thread].kind) {
    case ACTOR_CENTRAL: return m->p->locks[v->lock].name;
    case ACTOR_STORE: return m->p->stores[v->store].name;
    case ACTOR_QUEUE: return m->p->queues[v->queue].name;
    case ACTOR_TABLE: return m->p->tables[v->table].name;
    default: return service_name(m, service);
    }
}

/* A keeper has no line: it renews for the step that began it, which may be long past. */
static uint32_t line_of(const struct m *m, const struct asked_by *by)
{
    if (by->call != NULL)
        return by->call->line;
    bool keeper = by->client != NONE16 && m->p->clients[by->client].keeps_for != NONE16;
    return by->client == NONE16 || keeper ? 0 : client_instr(m, by->client)->line;
}

static name_id about(const struct m *m, const struct asked_by *by)
{
    if (by->call != NULL)
        return client_name(m, by->call->client);
    if (by->holder != NONE16)
        return client_node(m, by->holder);
    return by->resource != NONE16 ? resource_name(m->p, by->resource) : NONE16;
}

COLD void gate_tell(struct m *m, enum gate gate, struct asked_by by, uint64_t fails)
{
    bool service = by.client == NONE16;
    struct value f[GUARDS_FIELDS];
    f[GUARDS_GATE] = value_int(gate);
    f[GUARDS_FAILS] = value_int((int64_t)fails);
    f[GUARDS_ON] = (struct value){gate_on(m->p, gate), TAG_BOOL};
    record(m, service ? service_process(m, by.service) : client_process(m, by.client),
           service ? service_actor(m, by.service) : client_name(m, by.client), V_GUARDS, about(m, &by), f,
           GUARDS_FIELDS, line_of(m, &by));
}

void gate_note_identity(struct m *m, const struct call *k, uint16_t holder, uint16_t holder_start)
{
    if (!m->asides || holder == NONE16 || !same_identity(m, holder, k->client))
        return;
    bool same_node = client_process(m, holder) == client_process(m, k->client);
    gate_note(m, GATE_FRESH_IDENTITY, by_call(k),
              conjunct_bit(C_SAME_NODE, !same_node) |
                  conjunct_bit(C_SAME_START, same_node && holder_start != k->start));
}

/* What the client takes off its lease covers the way of a request, and small differences. */
void gate_note_stamp(struct m *m, const struct call *k, uint32_t resource)
{
    if (!m->asides)
        return;
    uint16_t judge = thread_machine(m->s, m->p->services[k->service].thread);
    ns margin = margin_of(m->p, resource), ahead = k->arg[ARG_STAMP] - clock_now(m->s, judge, CLOCK_WALL);
    gate_note(m, GATE_ONE_CLOCK, by_call(k),
              conjunct_bit(C_STAMP_NOT_OLD, ahead < -margin) | conjunct_bit(C_STAMP_NOT_NEW, ahead > margin));
}
