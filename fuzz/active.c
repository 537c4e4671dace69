/* SPDX-License-Identifier: MIT
 *
 * active.c - see active.h.
 */
#include "fuzz/active.h"

const char *const active_name[ACTIVE_KINDS] = {
#define X(id, name) name,
    ACTIVE_TABLE(X)
#undef X
};

/* Of locks and jobs; in the statements of tables durations are leases: `until now + 30s`. */
static ns longest_lease(const struct model_plan *p)
{
    ns longest = 0;
    for (uint32_t i = 0; i < p->n_locks; i++)
        longest = p->locks[i].ttl > longest ? p->locks[i].ttl : longest;
    for (uint32_t i = 0; i < p->n_queues; i++)
        longest = p->queues[i].lease > longest ? p->queues[i].lease : longest;
    for (uint32_t i = 0; p->n_tables > 0 && i < p->n_exprs; i++)
        if (p->exprs[i].code == EX_CONST && p->exprs[i].tag == TAG_NS && p->exprs[i].imm > longest)
            longest = p->exprs[i].imm;
    return longest;
}

void active_begin(struct active *a, const struct model_plan *p)
{
    *a = (struct active){.lasts = longest_lease(p)};
    for (int i = 0; i < ACTIVE_KINDS; i++)
        a->until[i] = -1;
}

static ns later(ns at, const struct record *r, int field)
{
    bool known = r->tag[field] == TAG_NS;
    return !known || r->field[field] > NS_MAX - at ? NS_MAX : at + r->field[field];
}

static void works_until(struct active *a, enum active_kind kind, ns until)
{
    if (until > a->until[kind])
        a->until[kind] = until;
}

/* A closure can be healed before its time, so its end counts when it has come. */
static void closes(struct active *a, enum active_kind kind, const struct record *r)
{
    uint32_t i = a->n_closures < ACTIVE_CLOSURES ? a->n_closures++ : ACTIVE_CLOSURES - 1;
    a->closure[i] = (struct closure_end){r->field[0], later(r->at, r, 1), kind, 0};
}

static void heals(struct active *a, const struct record *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->n_closures; i++) {
        if (a->closure[i].text != r->field[0])
            a->closure[kept++] = a->closure[i];
        else
            works_until(a, (enum active_kind)a->closure[i].kind, r->at);
    }
    a->n_closures = kept;
}

void active_record(struct active *a, const struct record *r)
{
    switch (r->verb) {
    case V_PAUSES: works_until(a, ACTIVE_PAUSE, later(r->at, r, 0)); break;
    case V_SUSPENDS: works_until(a, ACTIVE_SUSPEND, later(r->at, r, 0)); break;
    case V_CRASHES: works_until(a, ACTIVE_CRASH, later(r->at, r, 0)); break;
    case V_PARTITIONS: closes(a, ACTIVE_PARTITION, r); break;
    case V_CUTS: closes(a, ACTIVE_CUT, r); break;
    case V_HEALS: heals(a, r); break;
    case V_SLOWS: works_until(a, ACTIVE_SLOW, later(r->at, r, 1)); break;
    case V_LOSES: works_until(a, ACTIVE_LOST, r->at); break;
    case V_HOLDS: works_until(a, ACTIVE_HELD, r->at); break;
    case V_DELAYS: works_until(a, ACTIVE_DELAY, later(r->at, r, 2)); break;
    case V_DUPLICATES: works_until(a, ACTIVE_COPY, later(r->at, r, 2)); break;
    case V_REORDERS: works_until(a, ACTIVE_REORDER, r->at); break;
    case V_JUMPS: works_until(a, ACTIVE_JUMP, NS_MAX); break;
    case V_DRIFTS: works_until(a, ACTIVE_DRIFT, NS_MAX); break;
    case V_SLEWS: works_until(a, ACTIVE_SLEW, later(r->at, r, 1)); break;
    default: break;
    }
}

uint32_t active_now(const struct active *a, ns at)
{
    uint32_t bits = 0;
    for (int kind = 0; kind < ACTIVE_KINDS; kind++)
        if (a->until[kind] >= 0 && (a->until[kind] >= at || at - a->until[kind] <= a->lasts))
            bits |= UINT32_C(1) << kind;
    for (uint32_t i = 0; i < a->n_closures; i++)
        if (a->closure[i].until >= at || at - a->closure[i].until <= a->lasts)
            bits |= UINT32_C(1) << a->closure[i].kind;
    return bits != 0 ? bits : 1u << ACTIVE_NONE;
}
