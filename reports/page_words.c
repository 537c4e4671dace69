/* SPDX-License-Identifier: MIT
 *
 * page_words.c - what a page says of a case and of a bar, in words.
 */
#include "reports/line.h"
#include "reports/page.h"
#include "reports/problem.h"

#include <string.h>

/* --- a case ------------------------------------------------------------------------------------------ */

static void stated(struct text *t, const struct compiled *c, const struct expected_violation *e)
{
    text_add(t, invariant_table[e->invariant].name);
    if (e->by != NONE16) {
        text_add(t, " by ");
        text_shown(t, line_name(&c->sim, e->by));
    }
    if (e->from >= 0) {
        text_add(t, " at ");
        text_duration(t, e->from);
        text_add(t, "..");
        text_duration(t, e->to);
    }
}

void page_expects(struct text *t, const struct compiled *c)
{
    text_add(t, c->violates ? "violates " : "holds");
    for (uint32_t i = 0; c->violates && i < c->n_expected; i++) {
        text_add(t, i > 0 ? " and " : "");
        stated(t, c, &c->expected[i]);
    }
    text_add(t, c->to_mend ? " until mended" : "");
    for (int i = 0; i < INVARIANTS && !c->violates; i++) {
        if (!(c->signs >> i & 1))
            continue;
        text_add(t, " and ");
        text_add(t, invariant_table[i].name);
    }
}

static void options_of(const struct model_plan *p, void (*each)(struct text *t, const char *word), struct text *t)
{
    if (p->lease_clock == CLOCK_WALL)
        each(t, "clock wall");
    if (p->count_mode == COUNT_REACHABLE)
        each(t, "count reachable");
    if (p->token_mode != TOKEN_COUNTER)
        each(t, p->token_mode == TOKEN_RANDOM ? "token random" : "token per-owner");
}

void page_removed(const struct compiled *c, bool with, void (*each)(struct text *t, const char *word), struct text *t)
{
    if (with) {
        options_of(&c->model, each, t);
        return;
    }
    for (int g = 0; g < GATES; g++)
        if (!gate_on(&c->model, (enum gate)g))
            each(t, gate_table[g].name);
}

bool page_miss_counts(const struct run *r, const struct miss *m)
{
    return r->plain || r->c->expectations[m->expectation].when == EXPECT_ALWAYS;
}

void page_miss(struct text *t, const struct outcome_file *f, const struct run *r, const struct miss *m)
{
    uint32_t number = r->c->expectations[m->expectation].line;
    size_t n = 0;
    const char *line = problem_source_line(f->source, f->n, number, &n);
    while (n > 0 && *line == ' ') {
        line++;
        n--;
    }
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
        n--;
    text_add(t, "line ");
    text_u64(t, number);
    text_add(t, ": ");
    text_bytes(t, line == NULL ? "" : line, line == NULL ? 0 : n);
    text_add(t, ": found ");
    outcome_found(t, r, m);
}

/* --- a bar ------------------------------------------------------------------------------------------- */

struct said {
    struct text *t;
    const struct timeline *line;
    const struct bar *b;
};

static void name(const struct said *s, name_id id)
{
    text_shown(s->t, id == NONE16 ? "" : line_name(&s->line->run->c->sim, id));
}

static void who(const struct said *s)
{
    if (s->b->who == NONE16)
        text_add(s->t, "somebody");
    else
        name(s, s->line->lanes[s->b->who].name);
}

static void lane(const struct said *s) { name(s, s->line->lanes[s->b->lane].name); }

static void value(const struct said *s, struct value v) { line_value(s->t, &s->line->run->c->sim, v); }

/* ", token 1" */
static void token(const struct said *s, const char *word)
{
    if (s->b->token.tag == TAG_NONE)
        return;
    text_add(s->t, word);
    value(s, s->b->token);
}

/* WHO does OBJECT, token 1 */
static void does(const struct said *s, const char *verb)
{
    who(s);
    text_add(s->t, verb);
    name(s, s->b->of);
    token(s, ", token ");
}

static void votes(const struct said *s)
{
    lane(s);
    text_add(s->t, " votes for ");
    who(s);
    token(s, ", epoch ");
}

static void attempt(const struct said *s)
{
    does(s, " runs ");
    text_add(s->t, s->b->lapsed ? "; its lease is over" : "");
}

static void state(const struct said *s, const char *word, bool by)
{
    name(s, s->b->of);
    text_add(s->t, word);
    if (!by || s->b->who == NONE16)
        return;
    text_add(s->t, ", by ");
    who(s);
}

static void mark(const struct said *s)
{
    text_add(s->t, "the mark");
    text_add(s->t, s->b->of == NONE16 ? "" : " of ");
    name(s, s->b->of);
    text_add(s->t, " rises to ");
    value(s, s->b->token);
}

static void stopped(const struct said *s, const char *word)
{
    if (s->b->of != NONE16)
        name(s, s->b->of);
    else
        lane(s);
    text_add(s->t, word);
}

static void quantity(const struct said *s, const char *before, const char *behind)
{
    lane(s);
    text_add(s->t, before);
    value(s, s->b->value);
    text_add(s->t, behind);
}

void page_bar(struct text *t, const struct timeline *line, const struct bar *b)
{
    const struct said s = {t, line, b};
    switch ((enum bar_kind)b->kind) {
    case BAR_HOLDS: does(&s, " holds "); break;
    case BAR_VOTES: votes(&s); break;
    case BAR_ATTEMPT: attempt(&s); break;
    case BAR_WAITING: state(&s, " can be claimed", false); break;
    case BAR_DONE: state(&s, " is done", true); break;
    case BAR_DEAD: state(&s, " is given up", false); break;
    case BAR_VALUE: value(&s, b->value); break;
    case BAR_MARK: mark(&s); break;
    case BAR_BELIEVES: does(&s, " believes that it holds "); break;
    case BAR_HAS: does(&s, " has "); break;
    case BAR_ACTS: does(&s, " acts under "); break;
    case BAR_WORKS: quantity(&s, " works for ", ""); break;
    case BAR_WAITS: does(&s, " waits for "); break;
    case BAR_PAUSED: stopped(&s, " is paused"); break;
    case BAR_SUSPENDED: stopped(&s, "'s machine is suspended"); break;
    case BAR_DOWN: stopped(&s, " is down"); break;
    case BAR_SLOW: quantity(&s, " answers ", " late"); break;
    case BAR_PARTITION:
    case BAR_CUT: name(&s, b->of); break;
    case BAR_KINDS: break;
    }
}
