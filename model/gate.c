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

COLD static void note(struct m *m, enum gate gate, const struct asked_by *by, uint64_t fails)
{
    struct value f[GUARDS_FIELDS];
    f[GUARDS_GATE] = value_int(gate);
    f[GUARDS_FAILS] = value_int((int64_t)fails);
    f[GUARDS_ON] = (struct value){gate_on(m->p, gate), TAG_BOOL};
    record(m, by->process, by->actor, V_GUARDS, by->object, f, GUARDS_FIELDS, by->line);
}

void gate_note(struct m *m, enum gate gate, struct asked_by by, uint64_t fails)
{
    if (m->asides)
        note(m, gate, &by, fails);
}

bool gate_lets(struct m *m, enum gate gate, struct asked_by by, uint64_t fails)
{
    gate_note(m, gate, by, fails);
    return fails == 0 || !gate_on(m->p, gate);
}

void gate_note_identity(struct m *m, struct asked_by by, uint16_t caller, uint16_t caller_start, uint16_t holder,
                        uint16_t holder_start)
{
    if (!m->asides || holder == NONE16 || !same_identity(m, holder, caller))
        return;
    bool same_node = client_process(m, holder) == client_process(m, caller);
    gate_note(m, GATE_FRESH_IDENTITY, by,
              conjunct_bit(C_SAME_NODE, !same_node) |
                  conjunct_bit(C_SAME_START, same_node && holder_start != caller_start));
}

/* What the client takes off its lease covers the way of a request, and small differences. */
void gate_note_stamp(struct m *m, struct asked_by by, uint32_t resource, ns stamp, ns judge)
{
    ns margin = margin_of(m->p, resource), ahead = stamp - judge;
    gate_note(m, GATE_ONE_CLOCK, by,
              conjunct_bit(C_STAMP_NOT_OLD, ahead < -margin) | conjunct_bit(C_STAMP_NOT_NEW, ahead > margin));
}
