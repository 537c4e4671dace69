/* SPDX-License-Identifier: MIT
 *
 * explain_beliefs.c - who believed what, by its own clock, and where that parted from what the service knew.
 *
 * What a node believes stands in the trace's notes; the timeline has them as bars, each with the stretches in which
 * the service's word was the same. Told are the nodes of the chain alone: first those that were wrong, the most wrong
 * first. A node can also do right by what it believes and still be late: then the last that it asked is told, and
 * when it acted on that.
 */
#include <stdlib.h>

#include "reports/explain_part.h"
#include "reports/line.h"
#include "reports/timeline.h"

#define TOLD_MOST 4
#define LATE (100 * NS_PER_MS) /* between a check and what rests on it: worth telling from here on */

static const char *const clock_name[CLOCKS] = {"monotonic", "boottime", "wall"};

struct believing {
    struct telling *k;
    struct timeline line;
    uint8_t *in_chain; /* by lane */
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

/* The first stretch of a bar in which the service's word is another; false: there is none. */
static bool first_wrong(const struct timeline *t, const struct bar *bar, struct span *wrong)
{
    ns from = bar->from;
    for (uint32_t i = 0; i < bar->n_truth; i++) {
        const struct span *truth = &t->truths[bar->truth + i];
        if (truth->from > from) {
            *wrong = (struct span){from, truth->from};
            return true;
        }
        from = truth->to > from ? truth->to : from;
    }
    *wrong = (struct span){from, bar->to};
    return from < bar->to;
}

static bool is_belief(const struct bar *b) { return b->kind == BAR_BELIEVES || b->kind == BAR_HAS; }

/* --- one sentence each -------------------------------------------------------------------------------- */

static void add_clock(struct text *t, const struct believing *b, const struct bar *bar, ns at)
{
    uint16_t machine = b->line.lanes[bar->lane].machine;
    uint16_t clock = b->k->x->c->model.lease_clock;
    if (machine == NONE16)
        return;
    text_add(t, " (its ");
    text_add(t, clock_name[clock]);
    text_add(t, " clock: ");
    text_time(t, timeline_clock(&b->line, machine, (enum clock_kind)clock, at));
    text_char(t, ')');
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
    text_time(t, bar->from);
    add_clock(t, b, bar, bar->from);
    text_add(t, " to ");
    text_time(t, bar->to);
    add_clock(t, b, bar, bar->to);
    if (!first_wrong(&b->line, bar, &wrong)) {
        text_add(t, ", and so it was.");
        return;
    }
    text_add(t, "; from ");
    text_time(t, wrong.from);
    text_add(t, wrong.to < bar->to ? " to " : " on");
    if (wrong.to < bar->to)
        text_time(t, wrong.to);
    text_add(t, " that was not so any more.");
}

/* It acted under a grant that was over, whether or not it still believed in it. */
static void tell_act(struct believing *b, const struct bar *bar, const struct span *wrong)
{
    struct told *row = telling_add(b->k, TOLD_BELIEFS, TOLD_SENTENCE);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    add_name(t, b, b->line.lanes[bar->lane].name);
    text_add(t, " acted under ");
    add_name(t, b, bar->of);
    add_token(t, b, bar);
    text_add(t, " until ");
    text_time(t, bar->to);
    add_clock(t, b, bar, bar->to);
    text_add(t, ", though from ");
    text_time(t, wrong->from);
    text_add(t, " on, ");
    text_duration(t, (wrong->to - wrong->from) / NS_PER_MS * NS_PER_MS);
    text_add(t, " before that, it was no longer its own.");
}

/* The bar of this kind that is most wrong, of those not told so far; n_bars: there is none. */
static uint32_t most_wrong(const struct believing *b, const uint8_t *told, bool acts, struct span *out)
{
    uint32_t best = b->line.n_bars;
    ns most = 0;
    for (uint32_t i = 0; i < b->line.n_bars; i++) {
        const struct bar *bar = &b->line.bars[i];
        struct span wrong;
        bool kind = acts ? bar->kind == BAR_ACTS : is_belief(bar);
        if (!kind || told[i] || !b->in_chain[bar->lane] || !first_wrong(&b->line, bar, &wrong) ||
            wrong.to - wrong.from <= most)
            continue;
        most = wrong.to - wrong.from;
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
    text_add(t, " (`");
    line_words(t, &b->k->x->c->sim, look);
    text_add(t, "`), and acted on that at ");
    text_time(t, deed->at);
    text_add(t, ", ");
    text_duration(t, (deed->at - look->at) / NS_PER_MS * NS_PER_MS);
    text_add(t, " later.");
}

/* --- all --------------------------------------------------------------------------------------------------- */

static void tell_all(struct believing *b, uint8_t *told)
{
    struct span wrong;
    uint32_t n = 0;
    for (; n < TOLD_MOST / 2; n++) {
        uint32_t i = most_wrong(b, told, false, &wrong);
        if (i == b->line.n_bars)
            break;
        told[i] = 1;
        tell_belief(b, &b->line.bars[i]);
    }
    for (uint32_t i = 0; i < b->line.n_bars && n < TOLD_MOST / 2; i++) {
        const struct bar *bar = &b->line.bars[i];
        if (!is_belief(bar) || told[i] || !b->in_chain[bar->lane] || bar->to == bar->from)
            continue;
        tell_belief(b, bar);
        n++;
    }
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
        tell_all(&b, told);
    }
    free(told);
    free(b.in_chain);
    timeline_free(&b.line);
}
