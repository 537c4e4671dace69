/* SPDX-License-Identifier: MIT
 *
 * inv_store.c - invariants about what stores commit: no-stale-write, no-lost-update (of a table's cells too),
 * no-lost-ack, no-zombie-write, and effect-once for what cannot be undone.
 */
#include "model/invariant.h"

/* Fields of V_COMMITS and V_REMOVES, in the order of the verb table. */
enum { C_TOKEN, C_KEY, C_VALUE, C_VERSION, C_BASED, C_ISSUER, C_START };

/* Fields of V_SETS. */
enum { S_VALUE, S_BY, S_VERSION, S_BASED, S_START };

static bool has(const struct record *r, int field) { return record_has(r, field); }

/* The register of a commit: its key's name, or the store's own name for the lone register. */
static uint16_t register_of(const struct judge *j, const struct record *r)
{
    return judge_register(j, has(r, C_KEY) ? (name_id)r->field[C_KEY] : r->actor);
}

/* The row of a commit's store and issuer; NULL: it carried no token. */
static struct inv_mark *mark_of(const struct judge *j, const struct record *r)
{
    uint32_t issuers = n_issuers(j->p);
    uint16_t store = judge_store(j, r->actor);
    ASSERT(store != NONE16);
    if (!has(r, C_TOKEN))
        return NULL;
    uint16_t issuer = has(r, C_ISSUER) ? judge_lock(j, (name_id)r->field[C_ISSUER]) : NONE16;
    if (issuer >= issuers) /* of nobody's; a table's rows issue no tokens for stores */
        issuer = (uint16_t)(issuers - 1);
    return &j->m.marks[store * issuers + issuer];
}

/* No write or delete commits on a store, whichever key, after one with a larger token of the same issuer. */
void inv_no_stale_write(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_mark *mark = mark_of(j, r);
    if (mark && mark->token > (uint64_t)r->field[C_TOKEN] + 1)
        violated(j, INV_NO_STALE_WRITE, r, number, mark->record, judge_process(j, r->object), r->actor);
}

/* The object of a commit is a thread; its process is what counts. A cell's change says `.by` whom it is. */
static struct who writer(const struct judge *j, const struct record *r)
{
    bool cell = r->verb == V_SETS;
    name_id thread = cell ? (name_id)r->field[S_BY] : r->object;
    if (cell && !has(r, S_BY))
        return (struct who){NONE16, 0};
    name_id process = judge_process(j, thread);
    return (struct who){process == NONE16 ? thread : process, (uint16_t)r->field[cell ? S_START : C_START]};
}

static struct inv_register *updated(const struct judge *j, const struct record *r)
{
    uint16_t reg = r->verb == V_SETS ? judge_register(j, r->object) : register_of(j, r);
    ASSERT(reg != NONE16);
    return &j->m.registers[reg];
}

/* A write whose value uses what its thread read never overwrites a write by another process after that read. */
void inv_no_lost_update(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_register *reg = updated(j, r);
    int based = r->verb == V_SETS ? S_BASED : C_BASED;
    if (!has(r, based))
        return;
    struct who who = writer(j, r);
    bool by_me = same_who(reg->who, who);
    uint32_t version = by_me ? reg->other_version : reg->version;
    if (version > (uint32_t)r->field[based])
        violated(j, INV_NO_LOST_UPDATE, r, number, by_me ? reg->other_record : reg->record, who.name, r->actor);
}

void inv_remember_update(struct judge *j, const struct record *r, uint32_t number)
{
    struct inv_register *reg = updated(j, r);
    struct who who = writer(j, r);
    if (reg->version && !same_who(reg->who, who)) {
        reg->other_version = reg->version;
        reg->other_record = reg->record;
    }
    reg->version = (uint32_t)r->field[r->verb == V_SETS ? S_VERSION : C_VERSION];
    reg->record = number;
    reg->who = who;
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
    if (mark && (uint64_t)r->field[C_TOKEN] + 1 > mark->token) {
        mark->token = (uint64_t)r->field[C_TOKEN] + 1;
        mark->record = number;
    }
    inv_remember_update(j, r, number);
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
    if (judge_register(j, r->object) == NONE16) /* not a store's */
        return;
    struct inv_register *reg = &j->m.registers[judge_register(j, r->object)];
    reg->lost_version = reg->version;
    reg->lost_record = number;
    if (reg->acked_version && reg->acked_version == reg->version)
        violated(j, INV_NO_LOST_ACK, r, number, reg->acked_record, reg->who.name, r->actor);
}

/* Two effects are the same if name and key are; a job stands in for a key. Without either, none is the same as
 * another. */
void inv_effect_once(struct judge *j, const struct record *r, uint32_t number)
{
    enum { E_NAME, E_KEY, E_JOB, E_ATTEMPT };
    int known_by = has(r, E_KEY) && !has(r, E_ATTEMPT) ? E_KEY : E_JOB;
    struct value key = {r->field[known_by], r->tag[known_by]};
    if (key.tag == TAG_NONE)
        return;
    for (uint32_t i = 0; i < j->p->effects; i++) {
        struct inv_effect *e = &j->m.effects[i];
        if (e->tag == TAG_NONE) {
            *e = (struct inv_effect){key.v, (name_id)r->field[E_NAME], (uint16_t)key.tag, number};
            return;
        }
        bool same_key = value_equal(j->p->sim->names, (struct value){e->key, e->tag}, key);
        if (e->name == r->field[E_NAME] && same_key) {
            violated(j, INV_EFFECT_ONCE, r, number, e->record, judge_process(j, r->actor), e->name);
            return;
        }
    }
}
