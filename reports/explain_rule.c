/* SPDX-License-Identifier: MIT
 *
 * explain_rule.c - which rule broke, by which two facts, and what led to it.
 */
#include <string.h>

#include "reports/explain_part.h"
#include "reports/line.h"
#include "reports/page.h"
#include "reports/verdict.h"

static const struct record *record_of(const struct telling *k, uint32_t record)
{
    uint32_t n;
    const struct record *records = sim_trace(k->x->run->sim, &n);
    return record == 0 || record > n ? NULL : &records[record - 1];
}

/* --- the rule --------------------------------------------------------------------------------- */

static void tell_promise(struct telling *k, uint32_t invariant)
{
    struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, invariant_table[invariant].name);
    text_add(&row->words, " says: ");
    text_add(&row->words, invariant_table[invariant].holds_when);
    text_char(&row->words, '.');
}

static void tell_violation(struct telling *k, const struct violation *v)
{
    struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, "But ");
    verdict_sentence(&row->words, k->x->run, v);
    text_char(&row->words, '.');
}

/* What else broke, and counts. */
static void tell_and_then(struct telling *k)
{
    const struct run *r = k->x->run;
    struct text list = {0};
    for (uint32_t i = 0; i < r->n_violations; i++) {
        if (i == k->x->index || !run_counts(r, i))
            continue;
        text_add(&list, list.n > 0 ? ", " : "");
        text_add(&list, invariant_table[r->violation[i].invariant].name);
        text_add(&list, " at ");
        text_time(&list, r->violation[i].at);
    }
    struct told *row = list.n == 0 ? NULL : telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row != NULL) {
        text_add(&row->words, "In the same run: ");
        text_bytes(&row->words, list.bytes, list.n);
        text_char(&row->words, '.');
        text_done(&row->words, &list);
    }
    k->failed |= list.failed;
    text_free(&list);
}

static void tell_miss(struct telling *k, bool always)
{
    struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, always ? "What the file says of always was false: "
                                 : "No rule broke, but the run is not what the file expects: ");
    page_miss(&row->words, k->file, k->x->run, &k->x->run->misses[k->x->index]);
    text_char(&row->words, '.');
}

static void tell_end(struct telling *k)
{
    struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, "The run came to no end of its own: ");
    outcome_error(&row->words, k->file, k->x->run);
    text_char(&row->words, '.');
}

/* At a limit: which record comes again and again. */
static void tell_repeated(struct telling *k)
{
    const struct explanation *x = k->x;
    uint32_t n, best = 0, times = 0;
    const struct record *r = sim_trace(x->run->sim, &n);
    uint32_t from = n > 400 ? n - 400 : 0;
    for (uint32_t i = from; i < n; i++) {
        uint32_t count = 0;
        if (line_is_note(&x->c->sim, &r[i]))
            continue;
        for (uint32_t j = from; j < n; j++)
            count += r[j].verb == r[i].verb && r[j].actor == r[i].actor && r[j].object == r[i].object;
        if (count > times) {
            times = count;
            best = i + 1;
        }
    }
    struct told *row = times < 3 ? NULL : telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, "What comes again and again at its end, ");
    text_u64(&row->words, times);
    text_add(&row->words, " times in the last ");
    text_u64(&row->words, n - from);
    text_add(&row->words, " records, is `");
    line_words(&row->words, &x->c->sim, record_of(k, best));
    text_add(&row->words, "`.");
}

static void tell_open(struct telling *k)
{
    const struct run *r = k->x->run;
    for (uint32_t i = 0; i < r->n_undecided; i++) {
        struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
        if (row == NULL)
            return;
        text_add(&row->words, "Undecided: ");
        outcome_open(&row->words, r, &r->undecided[i]);
        text_char(&row->words, '.');
    }
}

static void tell_holds(struct telling *k)
{
    const struct compiled *c = k->x->c;
    struct told *row = telling_add(k, TOLD_RULE, TOLD_SENTENCE);
    if (row == NULL)
        return;
    text_add(&row->words, "Nothing broke that counts in this case");
    if (c->violates) {
        text_add(&row->words, ", although it says `");
        page_expects(&row->words, c);
        text_char(&row->words, '`');
    }
    text_char(&row->words, '.');
}

void tell_rule(struct telling *k)
{
    const struct explanation *x = k->x;
    switch (x->what) {
    case EXPLAINED_RULE:
        tell_promise(k, x->invariant);
        tell_violation(k, &x->run->violation[x->index]);
        tell_and_then(k);
        break;
    case EXPLAINED_ALWAYS: tell_miss(k, true); break;
    case EXPLAINED_EXPECTATION: tell_miss(k, false); break;
    case EXPLAINED_HOLDS: tell_holds(k); break;
    case EXPLAINED_END: break;
    }
    if (x->run->verdict == VERDICT_ERROR) {
        tell_end(k);
        if (x->run->end == END_STEPS || x->run->end == END_FULL)
            tell_repeated(k);
    }
    tell_open(k);
}

/* --- the chain ---------------------------------------------------------------------------------- */

static bool same_token(const struct telling *k, const struct record *a, const struct record *b)
{
    struct value x = line_field(&k->x->c->sim, a, "token"), y = line_field(&k->x->c->sim, b, "token");
    return x.tag == y.tag && x.v == y.v;
}

/* Whether a thread of this node is meant: w1, or w1.keeper. */
static bool is_of_node(const struct telling *k, name_id thread, name_id node)
{
    const char *a = line_name(&k->x->c->sim, thread), *b = line_name(&k->x->c->sim, node);
    size_t n = strlen(b);
    return strncmp(a, b, n) == 0 && (a[n] == '\0' || a[n] == '.');
}

/* A lease ends because nobody lengthened it: what was tried, as far as the trace knows. */
static void add_waiting(struct telling *k, struct text *t, uint32_t record)
{
    const struct record *end = record_of(k, record), *extended = NULL;
    bool keeps = false;
    for (uint32_t i = 1; i < record; i++) {
        const struct record *r = record_of(k, i);
        if (r->verb == V_GRANTS && r->object == end->object && same_token(k, r, end))
            extended = NULL;
        if (r->verb == V_EXTENDS && r->actor == end->actor && r->object == end->object && same_token(k, r, end))
            extended = r;
        keeps |= (r->verb == V_RENEWS || r->verb == V_HEARTBEATS) && is_of_node(k, r->actor, end->object);
    }
    if (extended != NULL) {
        text_add(t, "no renewal came after ");
        text_time(t, extended->at);
    } else {
        text_add(t, keeps ? "no renewal came" : "nobody renewed it");
    }
}

static bool moves_clock(uint16_t verb)
{
    return verb == V_JUMPS || verb == V_DRIFTS || verb == V_SLEWS || verb == V_SUSPENDS;
}

static void add_mark(struct telling *k, struct text *t, const struct chain_link *link)
{
    const struct record *r = record_of(k, link->record);
    if (link->why == LINK_BROKE)
        text_add(t, k->x->what == EXPLAINED_EXPECTATION ? "what the file did not expect"
                    : k->x->what == EXPLAINED_HOLDS     ? "stopped here"
                                                        : "this broke it");
    else if (link->why == LINK_CONFLICT)
        text_add(t, "the fact that it conflicts with");
    else if (r->verb == V_EXPIRES)
        add_waiting(k, t, link->record);
    else if (link->why == LINK_ABSENCE)
        text_add(t, moves_clock(r->verb) ? "it moved a clock that is asked" : "it worked by what did not come");
    if (r->verb < V_RECEIVES && r->line > 0) {
        text_add(t, t->n > 0 ? "; line " : "line ");
        text_u64(t, r->line);
    }
}

void tell_chain(struct telling *k)
{
    const struct explanation *x = k->x;
    for (uint32_t i = 0; i < x->n_links; i++) {
        const struct chain_link *link = &x->link[i];
        struct told *row = link->told ? telling_add(k, TOLD_CHAIN, TOLD_EVENT) : NULL;
        if (row == NULL)
            continue;
        row->record = link->record;
        add_mark(k, &row->words, link);
    }
}
