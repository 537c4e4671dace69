/* SPDX-License-Identifier: MIT
 *
 * inv_store.c - invariants about what stores commit: no-stale-write, no-lost-update, no-lost-ack,
 * no-zombie-write, and effect-once for what cannot be undone.
 */
#include "model/invariant.h"

/* Fields of V_COMMITS and V_REMOVES, in the order of the verb table. */
enum { C_TOKEN, C_KEY, C_VALUE, C_VERSION, C_BASED, C_ISSUER, C_START };

static bool has(const struct record *r, int field) { return r->tag[field] != TAG_NONE; }

/* The register of a commit: its key's name, or the store's own name for the lone register. */
static uint16_t register_of(const struct judge *j, const struct record *r)
{
    return judge_register(j, has(r, C_KEY) ? (name_id)r->field[C_KEY] : r->actor);
}

/* The row of a commit's store and issuer; NULL: it carried no token. */
static struct inv_mark *mark_of(const struct judge *j, const struct record *r)
{
    uint32_t issuers = j->p->n_locks + 1;
    uint16_t store = judge_store(j, r->actor);
    ASSERT(store != NONE16);
    if (!has(r, C_TOKEN))
        return NULL;
    uint16_t issuer = has(r, C_ISSUER) ? judge_lock(j, (name_id)r->field[C_ISSUER]) : (uint16_t)j->p->n_locks;
    return &j->m.marks[store * issuers + issuer];
}

/* No write or delete commits on a store, whichever key, after one with a larger token of the same issuer. */
void inv_no_stale_write(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_mark *mark = mark_of(j, r);
    if (mark && mark->token > (uint64_t)r->field[C_TOKEN] + 1)
        violated(j, INV_NO_STALE_WRITE, r, number, mark->record, judge_process(j, r->object), r->actor);
}

static bool same_who(struct who a, struct who b) { return a.name == b.name && a.start == b.start; }

/* The object of a commit is a thread; its process is what counts. */
static struct who writer(const struct judge *j, const struct record *r)
{
    return (struct who){judge_process(j, r->object), (uint16_t)r->field[C_START]};
}

/* A write whose value uses what its thread read never overwrites a write by another process after that read. */
void inv_no_lost_update(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_register *reg = &j->m.registers[register_of(j, r)];
    struct who who = writer(j, r);
    if (!has(r, C_BASED))
        return;
    bool by_me = same_who(reg->who, who);
    uint32_t version = by_me ? reg->other_version : reg->version;
    if (version > (uint32_t)r->field[C_BASED])
        violated(j, INV_NO_LOST_UPDATE, r, number, by_me ? reg->other_record : reg->record, who.name, r->actor);
}

/* No write commits after a newer token than its own was granted. */
void inv_no_zombie_write(struct judge *j, const struct record *r, uint32_t number)
{
    if (!has(r, C_TOKEN) || !has(r, C_ISSUER))
        return;
    uint16_t lock = judge_lock(j, (name_id)r->field[C_ISSUER]);
    const struct inv_lock *l = &j->m.locks[lock];
    int64_t token = r->field[C_TOKEN];
    if (!l->record || token == l->last_token)
        return;
    bool older = token < l->last_token;
    for (uint32_t i = 0; i < l->grants; i++)
        older = older || l->past_token[i] == token; /* tokens without an order: the order of grants counts */
    if (older)
        violated(j, INV_NO_ZOMBIE_WRITE, r, number, l->record, judge_process(j, r->object), r->actor);
}

void inv_remember_store(struct judge *j, const struct record *r, uint32_t number)
{
    struct inv_mark *mark = mark_of(j, r);
    struct inv_register *reg = &j->m.registers[register_of(j, r)];
    struct who who = writer(j, r);
    if (mark && (uint64_t)r->field[C_TOKEN] + 1 > mark->token) {
        mark->token = (uint64_t)r->field[C_TOKEN] + 1;
        mark->record = number;
    }
    if (reg->version && !same_who(reg->who, who)) {
        reg->other_version = reg->version;
        reg->other_record = reg->record;
    }
    reg->version = (uint32_t)r->field[C_VERSION];
    reg->record = number;
    reg->who = who;
}

/* An acknowledged write that nothing overwrote is still there: a store forgets no version that a client heard of. */
void inv_no_lost_ack(struct judge *j, const struct record *r, uint32_t number)
{
    enum { H_WHAT, H_KEY, H_VERSION };
    if (r->verb == V_HEARS) {
        if (r->tag[H_KEY] == TAG_NONE)
            return;
        struct inv_register *reg = &j->m.registers[judge_register(j, (name_id)r->field[H_KEY])];
        if ((uint32_t)r->field[H_VERSION] >= reg->acked_version) {
            reg->acked_version = (uint32_t)r->field[H_VERSION];
            reg->acked_record = number;
        }
        if (reg->lost_version && reg->acked_version == reg->lost_version) /* acknowledged, and gone already */
            violated(j, INV_NO_LOST_ACK, r, number, reg->lost_record, judge_process(j, r->actor), r->object);
        return;
    }
    struct inv_register *reg = &j->m.registers[judge_register(j, r->object)];
    reg->lost_version = reg->version;
    reg->lost_record = number;
    if (reg->acked_version && reg->acked_version == reg->version)
        violated(j, INV_NO_LOST_ACK, r, number, reg->acked_record, reg->who.name, r->actor);
}

/* Two effects are the same if name and key are. Without a key, and without a job, none is the same as another. */
void inv_effect_once(struct judge *j, const struct record *r, uint32_t number)
{
    enum { E_NAME, E_KEY };
    struct value key = {r->field[E_KEY], r->tag[E_KEY]};
    if (key.tag == TAG_NONE)
        return;
    for (uint32_t i = 0; i < j->p->effects; i++) {
        struct inv_effect *e = &j->m.effects[i];
        if (e->tag == TAG_NONE) {
            *e = (struct inv_effect){r->field[E_KEY], (name_id)r->field[E_NAME], r->tag[E_KEY], number};
            return;
        }
        bool same_key = value_equal(j->p->sim->names, (struct value){e->key, e->tag}, key);
        if (e->name == r->field[E_NAME] && same_key) {
            violated(j, INV_EFFECT_ONCE, r, number, e->record, judge_process(j, r->actor), e->name);
            return;
        }
    }
}
