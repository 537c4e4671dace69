/* SPDX-License-Identifier: MIT
 *
 * diff.c - see diff.h.
 */
#include "reports/diff.h"

#include <string.h>

#define CHAIN_MAX 12 /* of causes; what is older was the same in both, mostly */

/* The records of one side, notes passed over. */
struct cursor {
    const struct sim_plan *plan;
    const struct record *records;
    uint32_t n, i;
};

static struct cursor cursor_of(const struct run *r)
{
    struct cursor c = {&r->c->sim, NULL, 0, 0};
    c.records = sim_trace(r->sim, &c.n);
    return c;
}

static const struct record *current(struct cursor *c)
{
    while (c->i < c->n && line_is_note(c->plan, &c->records[c->i]))
        c->i++;
    return c->i < c->n ? &c->records[c->i] : NULL;
}

static bool same_name(const struct cursor *a, name_id x, const struct cursor *b, name_id y)
{
    if (x == NONE16 || y == NONE16)
        return x == y;
    return strcmp(line_name(a->plan, x), line_name(b->plan, y)) == 0;
}

static bool same_value(const struct cursor *a, const struct record *x, const struct cursor *b, const struct record *y,
                       unsigned i)
{
    if (x->tag[i] != y->tag[i])
        return false;
    if (x->tag[i] == TAG_TEXT || x->tag[i] == TAG_NAME)
        return same_name(a, (name_id)x->field[i], b, (name_id)y->field[i]);
    return x->field[i] == y->field[i];
}

static bool same(const struct cursor *a, const struct record *x, const struct cursor *b, const struct record *y)
{
    if (x->at != y->at || x->verb != y->verb || x->start != y->start || !same_name(a, x->actor, b, y->actor) ||
        !same_name(a, x->object, b, y->object))
        return false;
    for (unsigned i = 0; i < a->plan->verbs[x->verb].fields; i++)
        if (!same_value(a, x, b, y, i))
            return false;
    return true;
}

/* The width of the times in a chain, if it is more than `width`. */
static size_t chain_width(const struct cursor *c, size_t width)
{
    for (uint32_t i = c->i < c->n ? c->i + 1 : 0; i > 0; i = c->records[i - 1].cause)
        width = line_wider(width, c->records[i - 1].at);
    return width;
}

/* The record, below the chain of what led to it, oldest first. Notes in the chain are passed over. */
static void chain(struct text *t, const struct diff_side *side, const struct cursor *c, size_t width)
{
    uint32_t link[CHAIN_MAX], n = 0, older = 0;
    text_shown(t, side->label);
    text_add(t, ":\n");
    if (c->i >= c->n) {
        text_repeat(t, ' ', width + 4);
        text_add(t, "ends at ");
        text_time(t, side->run->end_ns);
        text_char(t, '\n');
        return;
    }
    for (uint32_t i = c->i + 1; i > 0; i = c->records[i - 1].cause) {
        ASSERT(c->records[i - 1].cause < i);
        if (i != c->i + 1 && line_is_note(c->plan, &c->records[i - 1]))
            continue;
        if (n < CHAIN_MAX)
            link[n++] = i - 1;
        else
            older++;
    }
    if (older > 0) {
        text_repeat(t, ' ', width + 4);
        text_add(t, "... ");
        text_count(t, older, "older cause", "older causes");
        text_char(t, '\n');
    }
    while (n-- > 0) {
        text_add(t, n == 0 ? "> " : "  ");
        line_record(t, c->plan, &c->records[link[n]], width);
        text_char(t, '\n');
    }
}

/* Hidden fields that differ although the printed lines are the same. */
static void hidden(struct text *t, const struct cursor *a, const struct cursor *b)
{
    const struct record *x = &a->records[a->i], *y = &b->records[b->i];
    if (x->verb != y->verb)
        return;
    const struct verb *verb = &a->plan->verbs[x->verb];
    for (unsigned i = 0; i < verb->fields; i++) {
        if (verb->field_name[i][0] != '.' || same_value(a, x, b, y, i))
            continue;
        struct value v = {x->field[i], x->tag[i]}, w = {y->field[i], y->tag[i]};
        text_add(t, "  (");
        text_add(t, verb->field_name[i] + 1);
        text_add(t, ": ");
        line_value(t, a->plan, v);
        text_add(t, " and ");
        line_value(t, b->plan, w);
        text_add(t, ")\n");
    }
}

bool diff_runs(struct text *t, const struct diff_side *a, const struct diff_side *b)
{
    struct cursor x = cursor_of(a->run), y = cursor_of(b->run);
    uint64_t count = 0;
    const struct record *r, *s;
    for (;;) {
        r = current(&x);
        s = current(&y);
        if (r == NULL || s == NULL || !same(&x, r, &y, s))
            break;
        x.i++;
        y.i++;
        count++;
    }
    if (r == NULL && s == NULL) {
        text_add(t, "the same: ");
        text_count(t, count, "record", "records");
        text_add(t, ", ");
        text_digest(t, a->run->digest);
        text_char(t, '\n');
        return false;
    }
    text_add(t, "they part at ");
    text_time(t, r == NULL ? s->at : s == NULL ? r->at : r->at < s->at ? r->at : s->at);
    text_add(t, ", after ");
    text_count(t, count, "record", "records");
    text_add(t, " that are the same\n\n");
    size_t width = chain_width(&y, chain_width(&x, LINE_TIME_WIDTH));
    chain(t, a, &x, width);
    text_char(t, '\n');
    chain(t, b, &y, width);
    if (r != NULL && s != NULL)
        hidden(t, &x, &y);
    return true;
}
