/* SPDX-License-Identifier: MIT
 *
 * explain_chain.c - what led to it, back to the faults, and nothing else.
 *
 * From the record that broke the rule, and from the fact that it conflicts with, the causes are followed: who sent the
 * message, set the timer, took the step before. Where a service answered out of what it had in memory, the trace has
 * no cause for that, but it has the record that left it there: a grant rests on the end of the one before, an election
 * on its votes, a read on the write that it saw, a vote of one who forgot on its crash.
 *
 * A fault can work by what does not happen: a renewal that is never sent leads nowhere. Such a fault, if a re-run
 * without it holds, is put into the chain by that alone, and marked.
 */
#include <string.h>

#include "fuzz/explain_part.h"

#define RANK_NEVER 9  /* of what is never told */
#define CHAIN_LEAST 4 /* lines, if there are so many */
#define CHAIN_TOLD 12 /* no more, if what is left then is worth telling */
#define CHAIN_MOST 18 /* and at most */

struct chain {
    const struct explanation *x;
    const struct sim_plan *plan;
    const struct record *records;
    uint32_t n;
    uint8_t *why;   /* by record: 1 + enum link_why, 0: not in it */
    uint32_t *open; /* records whose own causes are still to be followed */
    uint32_t n_open;
};

/* record: 1 + index, 0: none. What is in already keeps its reason. */
static void chain_add(struct chain *k, uint32_t record, enum link_why why)
{
    if (record == 0 || record > k->n || k->why[record - 1] != 0)
        return;
    k->why[record - 1] = (uint8_t)(1 + why);
    k->open[k->n_open++] = record;
}

/* --- what a service found in its memory --------------------------------------------------------- */

static bool same_value(struct value a, struct value b) { return a.tag == b.tag && a.v == b.v; }

static struct value field(const struct chain *k, const struct record *r, const char *name)
{
    return record_field(k->plan, r, name);
}

/* A service's word on whose a lock, a job or a row is. */
static bool is_word(uint16_t verb)
{
    switch (verb) {
    case V_GRANTS:
    case V_VOTES:
    case V_EXPIRES:
    case V_FREES:
    case V_FORCES:
    case V_RETURNS:
    case V_FINISHES:
    case V_DEAD_LETTERS:
    case V_REWRITES:
    case V_ADDS:
    case V_ERASES: return true;
    default: return false;
    }
}

/* The word before this one of the same service on the same thing; and, if it forgot in between, what made it forget. */
static void follow_word(struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    struct value of = field(k, r, "of");
    for (uint32_t j = i; j-- > 0;) {
        const struct record *q = &k->records[j];
        if (q->actor != r->actor)
            continue;
        if (q->verb == V_CRASHES || q->verb == V_RESTARTS || q->verb == V_FORGETS)
            chain_add(k, j + 1, LINK_STATE);
        if (is_word(q->verb) && same_value(field(k, q, "of"), of)) {
            chain_add(k, j + 1, LINK_STATE);
            return;
        }
    }
}

/* "leader.3" is a voter of "leader". */
static bool is_voter_of(const struct chain *k, name_id voter, name_id lock)
{
    const char *a = k->plan->names->text[voter], *b = k->plan->names->text[lock];
    size_t n = strlen(b);
    return strncmp(a, b, n) == 0 && a[n] == '.';
}

/* The votes that an election rests on. */
static void follow_votes(struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    struct value epoch = field(k, r, "token");
    for (uint32_t j = 0; j < i; j++) {
        const struct record *q = &k->records[j];
        if (q->verb == V_VOTES && q->object == r->object && same_value(field(k, q, "epoch"), epoch) &&
            is_voter_of(k, q->actor, r->actor))
            chain_add(k, j + 1, LINK_STATE);
    }
}

/* The write whose value a store answers with. */
static void follow_read(struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    struct value key = field(k, r, "key"), version = field(k, r, "version");
    for (uint32_t j = i; j-- > 0;) {
        const struct record *q = &k->records[j];
        bool write = q->verb == V_COMMITS || q->verb == V_REMOVES;
        if (!write || q->actor != r->actor || !same_value(field(k, q, "key"), key) ||
            !same_value(field(k, q, "version"), version))
            continue;
        chain_add(k, j + 1, LINK_STATE);
        return;
    }
}

/* The machine that a process or service of this name lives on; NONE16: there is no such process. */
static name_id machine_name(const struct chain *k, name_id process)
{
    for (uint32_t p = 0; p < k->plan->n_processes; p++)
        if (k->plan->processes[p].name == process)
            return k->plan->machines[k->plan->processes[p].machine].name;
    return NONE16;
}

static bool moves_clock(uint16_t verb)
{
    return verb == V_JUMPS || verb == V_DRIFTS || verb == V_SLEWS || verb == V_SUSPENDS;
}

/* A deadline came when it did because of what befell the clock that it was read on, since it was set. */
static void follow_clock(struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    name_id machine = machine_name(k, r->actor);
    for (uint32_t j = r->cause > 0 ? r->cause - 1 : 0; j < i && machine != NONE16; j++)
        if (moves_clock(k->records[j].verb) && k->records[j].actor == machine)
            chain_add(k, j + 1, LINK_STATE);
}

static void follow(struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    chain_add(k, r->cause, LINK_CAUSE);
    if (r->verb == V_GRANTS)
        follow_votes(k, i);
    if (is_word(r->verb))
        follow_word(k, i);
    if (r->verb == V_ANSWERS)
        follow_read(k, i);
    if (r->verb == V_EXPIRES || r->verb == V_LAPSES)
        follow_clock(k, i);
}

static void follow_all(struct chain *k)
{
    while (k->n_open > 0)
        follow(k, k->open[--k->n_open] - 1);
}

/* --- where it begins --------------------------------------------------------------------------------- */

/* The last record that is no note, of the first n. */
static uint32_t last_of(const struct chain *k, uint32_t n)
{
    while (n > 0 && k->plan->verbs[k->records[n - 1].verb].flags & VERB_NOTE)
        n--;
    return n;
}

/* The last write of a register that an expectation found otherwise. */
static uint32_t last_write(const struct chain *k, const struct miss *m)
{
    const struct model_plan *p = &k->x->c->model;
    for (uint32_t f = 0; f < m->n_found; f++) {
        const struct expr_op *op = &p->exprs[m->found[f].op];
        if (op->code != EX_REGISTER)
            continue;
        const struct register_plan *reg = &p->registers[op->arg];
        for (uint32_t i = m->records < k->n ? m->records : k->n; i-- > 0;) {
            const struct record *r = &k->records[i];
            struct value key = field(k, r, "key");
            if ((r->verb == V_COMMITS || r->verb == V_REMOVES) && r->actor == p->stores[reg->store].name &&
                (key.tag == TAG_NONE ? reg->lone != 0 : (name_id)key.v == reg->name))
                return i + 1;
        }
    }
    return 0;
}

/* Of a case that held: what was refused when it would have broken without the gate that it rests on; 0: nothing was. */
static uint32_t last_refusal(const struct chain *k)
{
    const struct explanation *x = k->x;
    ns at = -1;
    for (uint32_t i = 0; i < x->n_gates; i++)
        if (replay_breaks(&x->gate[i].replay) && (at < 0 || x->gate[i].replay.at < at))
            at = x->gate[i].replay.at;
    for (uint32_t i = k->n; i-- > 0;)
        if ((k->records[i].verb == V_REFUSES || k->records[i].verb == V_REPEATS) && k->records[i].at <= at)
            return i + 1;
    return 0;
}

static void begin(struct chain *k)
{
    const struct explanation *x = k->x;
    if (x->what == EXPLAINED_HOLDS)
        chain_add(k, last_refusal(k), LINK_BROKE);
    if (x->what == EXPLAINED_RULE) {
        chain_add(k, x->run->violation[x->index].record, LINK_BROKE);
        chain_add(k, x->run->violation[x->index].other, LINK_CONFLICT);
    } else if (x->what == EXPLAINED_ALWAYS || x->what == EXPLAINED_EXPECTATION) {
        const struct miss *m = &x->run->misses[x->index];
        uint32_t at = m->near != 0 ? m->near : last_write(k, m);
        chain_add(k, at != 0 || x->what == EXPLAINED_EXPECTATION ? at : last_of(k, m->records), LINK_BROKE);
    }
}

/* Faults that were needed, and from which nothing leads to it. */
static void add_absent(struct chain *k)
{
    const struct explanation *x = k->x;
    for (uint32_t i = 0; i < x->n_faults; i++)
        if (x->fault[i].need == NEED_NEEDED || x->fault[i].need == NEED_EITHER)
            chain_add(k, x->fault[i].record, LINK_ABSENCE);
    follow_all(k);
}

/* --- what is told ---------------------------------------------------------------------------------------- */

/* How much a link says: 0 the most. What only carries the story from one to the next says least. */
static uint32_t rank_of(const struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    enum link_why why = (enum link_why)(k->why[i] - 1);
    if (why == LINK_BROKE || why == LINK_CONFLICT || why == LINK_ABSENCE || r->verb < V_RECEIVES)
        return 0;
    if (k->plan->verbs[r->verb].flags & VERB_NOTE)
        return RANK_NEVER;
    switch (r->verb) {
    case V_ASKS:
    case V_ACQUIRES:
    case V_CLAIMS:
    case V_KEEPS:
    case V_WORKS:
    case V_CHECKS:
    case V_READS:
    case V_ANSWERS:
    case V_GETS:
    case V_QUEUES:
    case V_CALLS:
    case V_ADDS:
    case V_ENQUEUES:
    case V_REAPS: return 4;
    case V_RENEWS:
    case V_RENEWED:
    case V_HEARTBEATS:
    case V_EXTENDS: return 3;
    case V_WRITES:
    case V_COMPLETES:
    case V_RELEASES:
    case V_UPDATES:
    case V_INSERTS:
    case V_FENCES:
    case V_REQUIRES: return 2;
    default: return 1;
    }
}

/* Whether a later link says the same of the same two: somebody who writes every second has written before. */
static bool comes_again(const struct chain *k, uint32_t i)
{
    const struct record *r = &k->records[i];
    if (k->why[i] != 1 + LINK_CAUSE || r->verb < V_RECEIVES)
        return false;
    for (uint32_t j = i + 1; j < k->n; j++) {
        const struct record *q = &k->records[j];
        if (k->why[j] != 0 && q->verb == r->verb && q->actor == r->actor && q->object == r->object &&
            same_value(field(k, q, "token"), field(k, r, "token")))
            return true;
    }
    return false;
}

static uint32_t count_up_to(const struct chain *k, uint32_t rank)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->n; i++)
        n += k->why[i] != 0 && rank_of(k, i) <= rank && !comes_again(k, i);
    return n;
}

/* What only carries is told where there is little else. Of too many the earliest of those that say less than a fault
 * are left out. */
static void keep_links(struct explanation *x, const struct chain *k)
{
    uint32_t rank = count_up_to(k, 3) < CHAIN_LEAST ? 4 : 3;
    while (rank > 1 && count_up_to(k, rank) > CHAIN_TOLD)
        rank--;
    uint32_t told = count_up_to(k, rank), skip = told > CHAIN_MOST ? told - CHAIN_MOST : 0;
    for (uint32_t i = 0; i < k->n; i++) {
        if (k->why[i] == 0)
            continue;
        struct chain_link *link = &x->link[x->n_links++];
        uint32_t own = rank_of(k, i);
        *link = (struct chain_link){
            .record = i + 1, .why = (uint16_t)(k->why[i] - 1), .told = own <= rank && !comes_again(k, i)};
        if (link->told && own > 0 && skip > 0) {
            link->told = false;
            skip--;
        }
    }
}

void explain_chain(struct explaining *e)
{
    struct explanation *x = e->x;
    struct chain k = {.x = x, .plan = &x->c->sim};
    k.records = sim_trace(x->run->sim, &k.n);
    k.why = arena_alloc(&x->arena, k.n + 1);
    k.open = arena_alloc(&x->arena, (k.n + 1) * sizeof *k.open);
    if (k.why == NULL || k.open == NULL)
        return;
    begin(&k);
    follow_all(&k);
    add_absent(&k);
    x->link = arena_alloc(&x->arena, (k.n + 1) * sizeof *x->link);
    if (x->link != NULL)
        keep_links(x, &k);
}
