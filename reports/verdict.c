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

static bool has(const struct facts *f, const struct record *r, const char *field)
{
    return line_field(f->plan, r, field).tag != TAG_NONE;
}

/* " token 2"; nothing for a table without tokens. */
static void token(struct text *t, const struct facts *f, const struct record *r)
{
    if (!has(f, r, "token"))
        return;
    text_char(t, ' ');
    number(t, f, r, "token");
}

/* "w2 (token 2)": whose grant it was. */
static void attempt(struct text *t, const struct facts *f, const struct record *r)
{
    name(t, f, r->object);
    if (!has(f, r, "token"))
        return;
    text_add(t, " (");
    number(t, f, r, "token");
    text_char(t, ')');
}

/* ` of "invoice-42"`, with the word that is given; nothing for a lock, or where the word is NULL. */
static void of(struct text *t, const struct facts *f, const struct record *r, const char *word)
{
    if (word == NULL || !has(f, r, "of"))
        return;
    text_add(t, word);
    line_value(t, f->plan, line_field(f->plan, r, "of"));
}

/* The job or row that a record is about. */
static void subject(struct text *t, const struct facts *f, const struct record *r)
{
    if (has(f, r, "of"))
        of(t, f, r, "");
    else
        name(t, f, f->v->resource);
}

/* Whoever did what ended or changed a grant: `by`, else its holder; a queue may do it by itself. */
static void doer(struct text *t, const struct facts *f, const struct record *r)
{
    if (has(f, r, "by"))
        line_value(t, f->plan, line_field(f->plan, r, "by"));
    else
        name(t, f, r->verb == V_DEAD_LETTERS || r->verb == V_ADDS || r->verb == V_SETS ? r->actor : r->object);
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

/* What somebody did to a job or a row: "w1 put "invoice-42" back". False: the record is about no such thing. */
static bool did_to_job(struct text *t, const struct facts *f, const struct record *r)
{
    static const struct {
        uint16_t verb;
        const char *before, *behind;
    } rows[] = {
        {V_FINISHES, " finished ", ""},    {V_RETURNS, " put ", " back"}, {V_DEAD_LETTERS, " gave ", " up for good"},
        {V_REWRITES, " wrote ", " again"}, {V_CHANGES, " changed ", ""},  {V_ERASES, " deleted ", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].verb != r->verb)
            continue;
        doer(t, f, r);
        text_add(t, rows[i].before);
        subject(t, f, r);
        text_add(t, rows[i].behind);
        return true;
    }
    return false;
}

/* What became of a grant: "leader freed the grant of w2 (token 2)". False: nothing did. */
static bool did_to_grant(struct text *t, const struct facts *f, const struct record *r)
{
    static const struct {
        uint16_t verb;
        const char *what;
    } rows[] = {{V_FREES, " freed the grant of "},
                {V_FORCES, " freed, on an operator's word, the grant of "},
                {V_EXTENDS, " extended the lease of "},
                {V_EXPIRES, " ended the lease of "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].verb != r->verb)
            continue;
        name(t, f, r->actor);
        text_add(t, rows[i].what);
        attempt(t, f, r);
        of(t, f, r, " on ");
        return true;
    }
    return false;
}

/* "w2 asked jobs", "jobs put w2 in line". False: it is no asking. */
static bool did_ask(struct text *t, const struct facts *f, const struct record *r)
{
    bool asks = r->verb == V_ASKS || r->verb == V_CLAIMS || r->verb == V_UPDATES;
    if (!asks && r->verb != V_QUEUES && r->verb != V_REFUSES)
        return false;
    name(t, f, r->actor);
    text_add(t, asks ? " asked " : r->verb == V_QUEUES ? " put " : " refused ");
    name(t, f, r->object);
    text_add(t, r->verb == V_QUEUES ? " in line" : "");
    return true;
}

static void did_write(struct text *t, const struct facts *f, const struct record *r)
{
    name(t, f, r->object);
    text_add(t, r->verb == V_COMMITS ? " wrote " : " deleted ");
    target(t, f, r);
}

static void did_grant(struct text *t, const struct facts *f, const struct record *r)
{
    bool numbered = has(f, r, "token");
    name(t, f, r->actor);
    text_add(t, " granted ");
    of(t, f, r, numbered ? NULL : "");
    text_add(t, numbered || !has(f, r, "of") ? "" : " to ");
    name(t, f, r->object);
    token(t, f, r);
    of(t, f, r, numbered ? " of " : NULL);
}

static void did_vote(struct text *t, const struct facts *f, const struct record *r)
{
    name(t, f, r->actor);
    text_add(t, " voted for ");
    name(t, f, r->object);
    text_add(t, " in ");
    number(t, f, r, "epoch");
}

/* What a record says in its own words. */
static void did_so(struct text *t, const struct facts *f, const struct record *r)
{
    text_char(t, '`');
    line_words(t, f->plan, r);
    text_char(t, '`');
}

/* "w1 wrote ledger/x", "leader granted w2 token 2": what a record says, as something that was done. */
static void did(struct text *t, const struct facts *f, const struct record *r)
{
    switch (r->verb) {
    case V_COMMITS:
    case V_REMOVES: did_write(t, f, r); break;
    case V_GRANTS: did_grant(t, f, r); break;
    case V_VOTES: did_vote(t, f, r); break;
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
    case V_ADDS:
    case V_SETS:
        doer(t, f, r);
        text_add(t, r->verb == V_ADDS ? " added " : " set ");
        name(t, f, r->object);
        break;
    default:
        if (!did_to_job(t, f, r) && !did_to_grant(t, f, r) && !did_ask(t, f, r))
            did_so(t, f, r);
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
    } else if (f->b != NULL && f->b->verb == V_SETS) {
        text_char(t, ' ');
        doer(t, f, f->b);
        text_add(t, " set it");
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
    if (!has(f, f->a, "key") && has(f, f->a, "job")) {
        text_add(t, " for ");
        line_value(t, f->plan, line_field(f->plan, f->a, "job"));
    }
    text_add(t, " again");
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", after ");
    name(t, f, f->b->actor);
    at(t, f->b);
}

/* "w1 finished "invoice-42" with token 1 at 16s, after jobs granted w2 token 2 of "invoice-42" at 12s" */
static void owner_completes(struct text *t, const struct facts *f)
{
    struct value spoke_for = line_field(f->plan, f->a, "by_token");
    did(t, f, f->a);
    if (spoke_for.tag != TAG_NONE) {
        text_add(t, " with token ");
        line_value(t, f->plan, spoke_for);
    }
    at(t, f->a);
    after(t, f, ", after ");
}

static void final_stays_final(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", though ");
    did(t, f, f->b);
    at(t, f->b);
}

/* Who asked, if this record says that somebody did; else NONE16. */
static name_id asker(const struct record *r)
{
    if (r->verb == V_ASKS || r->verb == V_CLAIMS || r->verb == V_UPDATES)
        return r->actor;
    return r->verb == V_QUEUES || r->verb == V_REFUSES ? r->object : NONE16;
}

static void no_lost_job(struct text *t, const struct facts *f)
{
    name(t, f, f->v->resource);
    text_add(t, " is lost: ");
    if (asker(f->a) != NONE16) {
        name(t, f, asker(f->a));
        text_add(t, " asked and got none");
    } else {
        did(t, f, f->a);
    }
    at(t, f->a);
    after(t, f, ", after ");
}

/* "w3 read "a" from ledger at 5.004s, which no order of the calls allows: the write of "b" by w2, sent at 1.000s, was
 * answered before the read began" */
static void linearizable(struct text *t, const struct facts *f)
{
    name(t, f, f->v->node);
    text_add(t, " read ");
    line_value(t, f->plan, line_field(f->plan, f->a, ""));
    text_add(t, " from ");
    name(t, f, f->v->resource);
    at(t, f->a);
    text_add(t, ", which no order of the calls allows");
    if (f->b == NULL)
        return;
    text_add(t, ": ");
    if (f->b->verb == V_GETS) {
        name(t, f, f->b->actor);
        text_add(t, " had read ");
        line_value(t, f->plan, line_field(f->plan, f->b, ""));
        at(t, f->b);
        return;
    }
    text_add(t, f->b->verb == V_DELETES ? "the delete" : "the write of ");
    if (f->b->verb != V_DELETES)
        line_value(t, f->plan, line_field(f->plan, f->b, ""));
    text_add(t, " by ");
    name(t, f, f->b->actor);
    text_add(t, ", sent");
    at(t, f->b);
    text_add(t, ", was answered before the read began");
}

/* --- protocol ------------------------------------------------------------------------------------- */

/* "leader granted w2 token 2 at 11.002s, while the lease of w1 (token 1, since 0.002s) ..." */
static void grant_over_grant(struct text *t, const struct facts *f, const char *what, const char *how)
{
    did(t, f, f->a);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, what);
    name(t, f, f->b->object);
    text_add(t, " (");
    if (has(f, f->b, "token")) {
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
    grant_over_grant(t, f, ", while the lease of ", "had neither ended nor been released");
}

static void no_early_regrant(struct text *t, const struct facts *f)
{
    grant_over_grant(t, f, ", while the lease of ", "was not over in true time");
}

static void single_claim(struct text *t, const struct facts *f)
{
    grant_over_grant(t, f, ", while the attempt of ", "still ran");
}

static void token_order(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    if (f->b == NULL)
        return;
    text_add(t, ", after ");
    name(t, f, f->b->object);
    token(t, f, f->b);
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

/* "leader freed the grant of w2 (token 2) at 14s, on the word of w1" */
static void anothers_grant(struct text *t, const struct facts *f)
{
    did(t, f, f->a);
    at(t, f->a);
    text_add(t, ", on the word of ");
    if (has(f, f->a, "by"))
        line_value(t, f->plan, line_field(f->plan, f->a, "by"));
    else
        name(t, f, f->v->node);
    after(t, f, ", after ");
}

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

/* Something free was asked for, and its grant came too late, or never. */
/* Whether a record is about what the violation names: a job's name there has its quotes. */
static bool is_about(const struct facts *f, const struct record *r)
{
    struct value of = line_field(f->plan, r, "of");
    if (of.tag != TAG_TEXT)
        return true;
    struct text quoted = {0};
    text_quoted(&quoted, line_name(f->plan, (name_id)of.v));
    bool same = !quoted.failed && strcmp(text_c(&quoted), line_name(f->plan, f->v->resource)) == 0;
    text_free(&quoted);
    return same;
}

static void progress(struct text *t, const struct facts *f)
{
    name_id who = asker(f->a);
    if (f->a->verb == V_GRANTS && !is_about(f, f->a)) {
        name(t, f, f->v->resource);
        text_add(t, " had waited too long when ");
        did(t, f, f->a);
        at(t, f->a);
    } else if (f->a->verb == V_GRANTS) {
        did(t, f, f->a);
        at(t, f->a);
        text_add(t, ", too late");
    } else if (who != NONE16) {
        name(t, f, f->v->resource);
        text_add(t, " was free, and ");
        name(t, f, who);
        text_add(t, " asked");
        at(t, f->a);
        text_add(t, " and did not get it in time");
    } else {
        name(t, f, f->v->resource);
        text_add(t, " was free, and ");
        name(t, f, f->v->node);
        text_add(t, " had not got it by ");
        text_time(t, f->a->at);
    }
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
    [INV_OWNER_COMPLETES] = owner_completes,
    [INV_FINAL_STAYS_FINAL] = final_stays_final,
    [INV_NO_LOST_JOB] = no_lost_job,
    [INV_EFFECT_ONCE] = effect_once,
    [INV_LINEARIZABLE] = linearizable,
    [INV_SINGLE_GRANT] = single_grant,
    [INV_TOKEN_ORDER] = token_order,
    [INV_ONE_VOTE] = one_vote,
    [INV_ONE_LEADER_PER_TERM] = one_leader_per_term,
    [INV_NO_EARLY_REGRANT] = no_early_regrant,
    [INV_OWNER_RELEASES] = anothers_grant,
    [INV_SINGLE_CLAIM] = single_claim,
    [INV_OWNER_EXTENDS] = anothers_grant,
    [INV_SINGLE_HOLDER] = single_holder,
    [INV_SINGLE_ACTOR] = single_actor,
    [INV_NO_ZOMBIE_WRITE] = no_zombie_write,
    [INV_PROGRESS] = progress,
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
