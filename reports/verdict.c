/* SPDX-License-Identifier: MIT
 *
 * verdict.c - see verdict.h. Each invariant has its function, and the table at the end names it; what
 * no function has words for is told by the records' own lines.
 */
#include "reports/verdict.h"

#include <string.h>

/* The two facts. b is NULL where the invariant needs no second one. */
struct facts {
    const struct sim_plan *plan;
    const struct violation *v;
    const struct record *a, *b;
};

/* --- parts of sentences --------------------------------------------------------------------- */

static void name(struct text *t, const struct facts *f, name_id id)
{
    text_shown(t, id == NONE16 ? "somebody" : line_name(f->plan, id));
}

static void at(struct text *t, const struct record *r)
{
    text_add(t, " at ");
    text_time(t, r->at);
}

/* " with token 1"; nothing when the record carries none. */
static void with(struct text *t, const struct facts *f, const struct record *r, const char *field)
{
    struct value v = line_field(f->plan, r, field);
    if (v.tag == TAG_NONE) {
        text_add(t, strcmp(field, "token") == 0 ? " without a token" : "");
        return;
    }
    text_add(t, " with ");
    text_add(t, field);
    text_char(t, ' ');
    line_value(t, f->plan, v);
}

static void number(struct text *t, const struct facts *f, const struct record *r, const char *field)
{
    text_add(t, field);
    text_char(t, ' ');
    line_value(t, f->plan, line_field(f->plan, r, field));
}

static bool is_write(const struct record *r) { return r->verb == V_COMMITS || r->verb == V_REMOVES; }

/* "ledger" or "ledger/x", of a write at its store. */
static void target(struct text *t, const struct facts *f, const struct record *r)
{
    struct value key = line_field(f->plan, r, "key");
    name(t, f, key.tag == TAG_NONE ? r->actor : (name_id)key.v);
}

static bool same_target(const struct facts *f)
{
    struct value a = line_field(f->plan, f->a, "key"), b = line_field(f->plan, f->b, "key");
    return f->a->actor == f->b->actor && a.tag == b.tag && a.v == b.v;
}

/* An effect's name, in quotes: its object, or its nameless field. */
static void effect(struct text *t, const struct facts *f, const struct record *r)
{
    if (r->object != NONE16)
        text_quoted(t, line_name(f->plan, r->object));
    else
        line_value(t, f->plan, line_field(f->plan, r, ""));
}

/* "w1 wrote ledger/x", "leader granted w2 token 2": what a record says, as something that was done. */
static void did(struct text *t, const struct facts *f, const struct record *r)
{
    switch (r->verb) {
    case V_COMMITS:
    case V_REMOVES:
        name(t, f, r->object);
        text_add(t, r->verb == V_COMMITS ? " wrote " : " deleted ");
        target(t, f, r);
        break;
    case V_GRANTS:
        name(t, f, r->actor);
        text_add(t, " granted ");
        name(t, f, r->object);
        text_char(t, ' ');
        number(t, f, r, "token");
        break;
    case V_VOTES:
        name(t, f, r->actor);
        text_add(t, " voted for ");
        name(t, f, r->object);
        text_add(t, " in ");
        number(t, f, r, "epoch");
        break;
    case V_RAISES:
        name(t, f, r->object);
        text_add(t, " raised the mark of ");
        name(t, f, r->actor);
        break;
    case V_EFFECTS:
        name(t, f, r->actor);
        text_add(t, " did ");
        effect(t, f, r);
        break;
    default:
        text_add(t, "\"");
        line_words(t, f->plan, r);
        text_add(t, "\"");
    }
}

static void after(struct text *t, const struct facts *f, const char *word)
{
    if (f->b == NULL)
        return;
    text_add(t, word);
    did(t, f, f->b);
    at(t, f->b);
}

/* --- harm -------------------------------------------------------------------------------------- */

static void no_stale_write(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    with(t, f, f->a, "token");
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", after ");
    if (is_write(f->b) && f->b->verb == f->a->verb && same_target(f))
        name(t, f, f->b->object);
    else
        did(t, f, f->b);
    with(t, f, f->b, "token");
    at(t, f->b);
}

static void no_lost_update(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    text_add(t, ", from a value that it had read before");
    if (f->b != NULL && is_write(f->b)) {
        text_char(t, ' ');
        name(t, f, f->b->object);
        text_add(t, f->b->verb == V_COMMITS ? " wrote" : " deleted it");
        at(t, f->b);
    } else if (f->b != NULL) {
        after(t, f, " ");
    } else {
        text_add(t, " somebody else wrote");
    }
}

static void no_lost_ack(struct text *t, const struct facts *f)
{
    if (f->a->verb == V_HEARS) { /* the answer was still on its way when the write was lost */
        name(t, f, f->v->node);
        text_add(t, "'s write was acknowledged");
        at(t, f->a);
        text_add(t, ", and gone already: ");
        name(t, f, f->v->resource);
        text_add(t, " forgot it");
        if (f->b != NULL)
            at(t, f->b);
        return;
    }
    name(t, f, f->v->node);
    text_add(t, "'s write of ");
    name(t, f, f->a->object);
    if (f->b != NULL) {
        text_add(t, ", acknowledged at ");
        text_time(t, f->b->at);
        text_char(t, ',');
    }
    text_add(t, " is gone: ");
    name(t, f, f->a->actor);
    text_add(t, " forgot it");
    at(t, f->a);
}

static void effect_once(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    with(t, f, f->a, "key");
    text_add(t, " again");
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", after ");
    name(t, f, f->b->actor);
    at(t, f->b);
}

/* --- protocol ------------------------------------------------------------------------------------- */

/* "leader granted w2 token 2 at 11.002s, while w1's lease (token 1, granted at 0.002s) ..." */
static void grant_over_grant(struct text *t, const struct facts *f, const char *how)
{
    did(t, f, f->a);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", while the lease of ");
    name(t, f, f->b->object);
    text_add(t, " (");
    if (line_field(f->plan, f->b, "token").tag != TAG_NONE) {
        number(t, f, f->b, "token");
        text_add(t, ", ");
    }
    text_add(t, "since ");
    text_time(t, f->b->at);
    text_add(t, ") ");
    text_add(t, how);
}

static void single_grant(struct text *t, const struct facts *f)
{
    grant_over_grant(t, f, "had neither ended nor been released");
}

static void no_early_regrant(struct text *t, const struct facts *f)
{
    grant_over_grant(t, f, "was not over in true time");
}

static void token_order(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", after ");
    name(t, f, f->b->object);
    text_char(t, ' ');
    number(t, f, f->b, "token");
    at(t, f->b);
}

static void one_vote(struct text *t, const struct facts *f)
{
    if (f->a->verb == V_VOTES) {
        did(t, f, f->a);
        at(t, f->a);
        if (f->b == NULL)
            return;
        text_add(t, ", after for ");
        name(t, f, f->b->object);
        at(t, f->b);
        return;
    }
    did(t, f, f->a);
    at(t, f->a);
    after(t, f, ", by voters none of whom was asked when ");
}

static void one_leader_per_term(struct text *t, const struct facts *f)
{
    name(t, f, f->a->object);
    text_add(t, " was elected in epoch ");
    line_value(t, f->plan, line_field(f->plan, f->a, "token"));
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", as ");
    name(t, f, f->b->object);
    text_add(t, " had been");
    at(t, f->b);
}

/* "leader freed the grant of w2 (token 2) at 14s on the word of w1" */
static void anothers_grant(struct text *t, const struct facts *f, const char *verb)
{
    struct value by = line_field(f->plan, f->a, "by");
    name(t, f, f->a->actor);
    text_add(t, verb);
    name(t, f, f->a->object);
    if (line_field(f->plan, f->a, "token").tag != TAG_NONE) {
        text_add(t, " (");
        number(t, f, f->a, "token");
        text_char(t, ')');
    }
    at(t, f->a);
    text_add(t, ", on the word of ");
    if (by.tag != TAG_NONE)
        line_value(t, f->plan, by);
    else
        name(t, f, f->v->node);
    after(t, f, ", after ");
}

static void owner_releases(struct text *t, const struct facts *f) { anothers_grant(t, f, " freed the grant of "); }

static void owner_extends(struct text *t, const struct facts *f) { anothers_grant(t, f, " extended the lease of "); }

/* --- signs -------------------------------------------------------------------------------------------- */

static void single_holder(struct text *t, const struct facts *f)
{
    name(t, f, f->a->actor);
    text_add(t, " believed that it holds ");
    name(t, f, f->v->resource);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", while ");
    name(t, f, f->b->actor);
    text_add(t, " had believed so since ");
    text_time(t, f->b->at);
}

static void single_actor(struct text *t, const struct facts *f)
{
    if (f->a->verb == V_GRANTS) {
        did(t, f, f->a);
        at(t, f->a);
        if (f->b == NULL)
            return;
        text_add(t, ", while ");
        name(t, f, f->b->actor);
        text_add(t, " was acting");
        with(t, f, f->b, "token");
        text_add(t, " since ");
        text_time(t, f->b->at);
        return;
    }
    name(t, f, f->a->actor);
    text_add(t, " acted");
    with(t, f, f->a, "token");
    at(t, f->a);
    after(t, f, ", after ");
}

static void no_zombie_write(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    with(t, f, f->a, "token");
    at(t, f->a);
    after(t, f, ", after ");
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void plain(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    after(t, f, ", after ");
}

typedef void (*sentence_fn)(struct text *t, const struct facts *f);

/* ORDER INVARIANT_TABLE in model/words.h; an empty row is told by `plain`. */
static const sentence_fn sentence_of[INVARIANTS] = {
    [INV_NO_STALE_WRITE] = no_stale_write,
    [INV_NO_LOST_UPDATE] = no_lost_update,
    [INV_NO_LOST_ACK] = no_lost_ack,
    [INV_EFFECT_ONCE] = effect_once,
    [INV_SINGLE_GRANT] = single_grant,
    [INV_TOKEN_ORDER] = token_order,
    [INV_ONE_VOTE] = one_vote,
    [INV_ONE_LEADER_PER_TERM] = one_leader_per_term,
    [INV_NO_EARLY_REGRANT] = no_early_regrant,
    [INV_OWNER_RELEASES] = owner_releases,
    [INV_OWNER_EXTENDS] = owner_extends,
    [INV_SINGLE_HOLDER] = single_holder,
    [INV_SINGLE_ACTOR] = single_actor,
    [INV_NO_ZOMBIE_WRITE] = no_zombie_write,
};

void verdict_words(struct text *t, const struct sim_plan *plan, const struct violation *v, const struct record *a,
                   const struct record *b)
{
    ASSERT(v->invariant < INVARIANTS);
    ASSERT(a != NULL);
    const struct facts f = {plan, v, a, b};
    sentence_fn sentence = sentence_of[v->invariant];
    (sentence != NULL ? sentence : plain)(t, &f);
}

void verdict_sentence(struct text *t, const struct run *r, const struct violation *v)
{
    uint32_t n;
    const struct record *records = sim_trace(r->sim, &n);
    ASSERT(v->record > 0 && v->record <= n);
    ASSERT(v->other < v->record);
    verdict_words(t, &r->c->sim, v, &records[v->record - 1], v->other > 0 ? &records[v->other - 1] : NULL);
}
