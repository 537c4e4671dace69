/* SPDX-License-Identifier: MIT
 *
 * explain_beliefs.c - who believed what, by its own clock, and where that parted from what the service knew.
 *
 * What a node believes stands in the trace's notes; the timeline has them as bars, each with the stretches in which
 * the service's word was the same. Told are the nodes of the chain alone: first those that were wrong, the most wrong
 * first. A node can also do right by what it believes and still be late: then the last that it asked is told, and
 * when it acted on that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/explain_part.h"
#include "reports/line.h"
#include "reports/timeline.h"

#define BELIEFS_TOLD 2
#define LATE (100 * NS_PER_MS) /* between a check and what rests on it: worth telling from here on */

struct believing {
    struct telling *k;
    struct timeline line;
    uint8_t *in_chain; /* by lane */
    ns until;          /* what is explained happened then: what was believed later led to nothing */
};

static void mark_lanes(struct believing *b)
{
    const struct explanation *x = b->k->x;
    for (uint32_t i = 0; i < x->n_links; i++) {
        const struct record *r = &b->line.records[x->link[i].record - 1];
        uint16_t lane = timeline_lane(&b->line, r);
        if (lane != NONE16)
            b->in_chain[lane] = 1;
    }
}

/* --- how wrong a belief was ------------------------------------------------------------------------- */

/* The first stretch of a bar, before it broke, in which the service's word is another; false: there is none. */
static bool first_wrong(const struct believing *b, const struct bar *bar, struct span *wrong)
{
    ns from = bar->from;
    for (uint32_t i = 0; i < bar->n_truth; i++) {
        const struct span *truth = &b->line.truths[bar->truth + i];
        if (truth->from > from)
            break;
        from = truth->to > from ? truth->to : from;
    }
    *wrong = (struct span){from, bar->to};
    for (uint32_t i = 0; i < bar->n_truth; i++)
        if (b->line.truths[bar->truth + i].from > from && b->line.truths[bar->truth + i].from < wrong->to)
            wrong->to = b->line.truths[bar->truth + i].from;
    return from < wrong->to && from < b->until;
}

static bool is_belief(const struct bar *b) { return b->kind == BAR_BELIEVES || b->kind == BAR_HAS; }

/* --- one sentence each -------------------------------------------------------------------------------- */

/* True time, in whole milliseconds: who believes what is no matter of less. */
static void add_time(struct text *t, ns at) { text_time(t, at / NS_PER_MS * NS_PER_MS); }

/* A reading, in milliseconds; that of a wall clock counts from midnight: 12:00:05.003. */
static void add_reading(struct text *t, enum clock_kind clock, ns reading)
{
    int64_t s = reading / NS_PER_S;
    char text[48];
    if (clock != CLOCK_WALL || reading < 0) {
        add_time(t, reading);
        return;
    }
    (void)snprintf(text, sizeof text, "%02d:%02d:%02d.%03d", (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60),
                   (int)(reading / NS_PER_MS % 1000));
    text_add(t, text);
}

/* " (239.757s to 249.654s by its boottime clock)"; to < 0: one reading. */
static void add_clock(struct text *t, const struct believing *b, const struct bar *bar, ns from, ns to)
{
    static const char *const clock_name[CLOCKS] = {"monotonic", "boottime", "wall"};
    uint16_t machine = b->line.lanes[bar->lane].machine;
    enum clock_kind clock = (enum clock_kind)b->k->x->c->model.lease_clock;
    if (machine == NONE16)
        return;
    text_add(t, " (");
    add_reading(t, clock, timeline_clock(&b->line, machine, clock, from));
    if (to >= 0) {
        text_add(t, " to ");
        add_reading(t, clock, timeline_clock(&b->line, machine, clock, to));
    }
    text_add(t, " by its ");
    text_add(t, clock_name[clock]);
    text_add(t, " clock)");
}

static void add_name(struct text *t, const struct believing *b, name_id name)
{
    text_shown(t, line_name(&b->k->x->c->sim, name));
}

static void add_token(struct text *t, const struct believing *b, const struct bar *bar)
{
    if (bar->token.tag == TAG_NONE)
        return;
    text_add(t, " with token ");
    line_value(t, &b->k->x->c->sim, bar->token);
}

static void tell_belief(struct believing *b, const struct bar *bar)
{
    struct span wrong;
    struct told *row = telling_add(b->k, TOLD_BELIEFS, TOLD_SENTENCE);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    add_name(t, b, b->line.lanes[bar->lane].name);
    text_add(t, bar->kind == BAR_HAS ? " took itself for the owner of " : " believed that it holds ");
    add_name(t, b, bar->of);
    add_token(t, b, bar);
    text_add(t, " from ");
    add_time(t, bar->from);
    text_add(t, " to ");
    add_time(t, bar->to);
    add_clock(t, b, bar, bar->from, bar->to);
    if (!first_wrong(b, bar, &wrong)) {
        text_add(t, "; the service said the same.");
        return;
    }
    text_add(t, "; the service said otherwise from ");
    add_time(t, wrong.from);
    text_add(t, wrong.to < bar->to ? " to " : " on.");
    if (wrong.to < bar->to) {
        add_time(t, wrong.to);
        text_char(t, '.');
    }
}

/* Two nodes that believed it at one time, whatever the service said. */
static void tell_both(struct believing *b)
{
    for (uint32_t i = 0; i < b->line.n_bars; i++)
        for (uint32_t j = i + 1; j < b->line.n_bars; j++) {
            const struct bar *p = &b->line.bars[i], *q = &b->line.bars[j];
            ns from = p->from > q->from ? p->from : q->from, to = p->to < q->to ? p->to : q->to;
            if (!is_belief(p) || !is_belief(q) || p->of != q->of || p->lane == q->lane || from >= to ||
                !b->in_chain[p->lane] || !b->in_chain[q->lane])
                continue;
            struct told *row = telling_add(b->k, TOLD_BELIEFS, TOLD_SENTENCE);
            if (row == NULL)
                return;
            text_add(&row->words, "From ");
            add_time(&row->words, from);
            text_add(&row->words, " to ");
            add_time(&row->words, to);
            text_add(&row->words, " both believed it.");
            return;
        }
}

/* Since when the service said otherwise of what this bar is about, before it broke. */
static ns wrong_since(const struct believing *b, const struct bar *bar, ns since)
{
    for (uint32_t i = 0; i < b->line.n_bars; i++) {
        const struct bar *other = &b->line.bars[i];
        struct span wrong;
        bool same = other->lane == bar->lane && other->of == bar->of && other->token.v == bar->token.v &&
                    (is_belief(other) || other->kind == BAR_ACTS);
        if (same && first_wrong(b, other, &wrong) && wrong.from < since)
            since = wrong.from;
    }
    return since;
}

/* It acted under a grant that was over, whether or not it still believed in it. */
static void tell_act(struct believing *b, const struct bar *bar, const struct span *wrong)
{
    struct told *row = telling_add(b->k, TOLD_BELIEFS, TOLD_SENTENCE);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    ns since = wrong_since(b, bar, wrong->from);
    add_name(t, b, b->line.lanes[bar->lane].name);
    text_add(t, " still acted for ");
    add_name(t, b, bar->of);
    add_token(t, b, bar);
    text_add(t, " at ");
    add_time(t, bar->to);
    add_clock(t, b, bar, bar->to, -1);
    text_add(t, ": ");
    text_duration(t, (bar->to - since) / NS_PER_MS * NS_PER_MS);
    text_add(t, " after the service had said otherwise, at ");
    add_time(t, since);
    text_char(t, '.');
}

/* The bar of this kind that was wrong for longest before it broke, of those not told so far; n_bars: there is none. */
static uint32_t most_wrong(const struct believing *b, const uint8_t *told, bool acts, struct span *out)
{
    uint32_t best = b->line.n_bars;
    ns most = 0;
    for (uint32_t i = 0; i < b->line.n_bars; i++) {
        const struct bar *bar = &b->line.bars[i];
        struct span wrong;
        bool kind = acts ? bar->kind == BAR_ACTS : is_belief(bar);
        if (!kind || told[i] || !b->in_chain[bar->lane] || !first_wrong(b, bar, &wrong))
            continue;
        ns to = wrong.to < b->until ? wrong.to : b->until;
        ns since = acts ? wrong_since(b, bar, wrong.from) : wrong.from; /* each step acts anew */
        if (to - since <= most)
            continue;
        most = to - since;
        best = i;
        *out = wrong;
    }
    return best;
}

/* --- the last look ------------------------------------------------------------------------------------- */

static bool is_look(uint16_t verb) { return verb == V_REQUIRES || verb == V_CHECKS || verb == V_GETS; }
static bool is_deed(uint16_t verb)
{
    return verb == V_WRITES || verb == V_DELETES || verb == V_COMPLETES || verb == V_EFFECTS || verb == V_UPDATES ||
           verb == V_RELEASES || verb == V_JUDGES;
}

/* The client's deed that led to the record that broke it. */
static const struct record *last_deed(const struct believing *b)
{
    const struct explanation *x = b->k->x;
    for (uint32_t i = x->n_links; i-- > 0;) {
        const struct record *r = &b->line.records[x->link[i].record - 1];
        if (is_deed(r->verb))
            return r;
    }
    return NULL;
}

static void tell_last_look(struct believing *b)
{
    const struct record *deed = last_deed(b), *look = NULL;
    for (const struct record *r = b->line.records; deed != NULL && r < deed; r++)
        if (is_look(r->verb) && r->actor == deed->actor && r->start == deed->start)
            look = r;
    if (look == NULL || deed->at - look->at < LATE)
        return;
    struct told *row = telling_add(b->k, TOLD_BELIEFS, TOLD_SENTENCE);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    add_name(t, b, deed->actor);
    text_add(t, " looked last at ");
    text_time(t, look->at);
    text_add(t, " (");
    line_words(t, &b->k->x->c->sim, look);
    text_add(t, "), and acted on that at ");
    text_time(t, deed->at);
    text_add(t, ", ");
    text_duration(t, (deed->at - look->at) / NS_PER_MS * NS_PER_MS);
    text_add(t, " later.");
}

/* --- all --------------------------------------------------------------------------------------------------- */

/* What the chain leads to. */
static ns broke_at(const struct explanation *x, const struct record *records)
{
    ns at = 0;
    for (uint32_t i = 0; i < x->n_links; i++)
        if (x->link[i].why == LINK_BROKE)
            at = records[x->link[i].record - 1].at;
    return at;
}

static void tell_all(struct believing *b, uint8_t *told)
{
    struct span wrong = {0, 0};
    uint32_t n = 0;
    for (; n < BELIEFS_TOLD; n++) {
        uint32_t i = most_wrong(b, told, false, &wrong);
        if (i == b->line.n_bars)
            break;
        told[i] = 1;
        tell_belief(b, &b->line.bars[i]);
    }
    for (uint32_t i = 0; i < b->line.n_bars && n < BELIEFS_TOLD; i++) {
        const struct bar *bar = &b->line.bars[i];
        if (!is_belief(bar) || told[i] || !b->in_chain[bar->lane] || bar->to == bar->from || bar->from > b->until)
            continue;
        tell_belief(b, bar);
        n++;
    }
    tell_both(b);
    uint32_t act = most_wrong(b, told, true, &wrong);
    if (act < b->line.n_bars)
        tell_act(b, &b->line.bars[act], &wrong);
    tell_last_look(b);
}

void tell_beliefs(struct telling *k)
{
    struct believing b = {.k = k};
    if (k->x->n_links == 0)
        return;
    timeline_make(&b.line, k->x->run);
    b.in_chain = calloc(b.line.n_lanes + 1, 1);
    uint8_t *told = calloc(b.line.n_bars + 1, 1);
    k->failed |= b.line.failed || b.in_chain == NULL || told == NULL;
    if (!k->failed) {
        mark_lanes(&b);
        b.until = broke_at(k->x, b.line.records);
        tell_all(&b, told);
    }
    free(told);
    free(b.in_chain);
    timeline_free(&b.line);
}
