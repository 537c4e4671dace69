/* SPDX-License-Identifier: MIT
 *
 * page_static.c - what a page says without scripts: verdicts in words, and every event in a table. Notes of the trace
 * are the viewer's; those that broke something stand here too.
 */
#include "reports/html.h"
#include "reports/line.h"
#include "reports/page.h"
#include "reports/verdict.h"

#include <string.h>

/* Takes over words, and adds them as text. */
static void words(struct text *t, struct text *w)
{
    html_bytes(t, w->n == 0 ? "" : w->bytes, w->n);
    text_done(t, w);
}

static void cell(struct text *t, const char *tag, const char *string)
{
    text_add(t, tag);
    html_text(t, string);
}

static void item(struct text *t, const char *word)
{
    if (t->n > 0)
        text_add(t, ", ");
    text_add(t, word);
}

/* "without store-token, with clock wall"; nothing where all gates are on. */
static void conditions(struct text *t, const struct compiled *c)
{
    struct text gates = {0}, options = {0};
    page_removed(c, false, item, &gates);
    page_removed(c, true, item, &options);
    text_add(t, gates.n > 0 ? "without " : "");
    text_bytes(t, gates.n > 0 ? gates.bytes : "", gates.n);
    text_add(t, options.n > 0 ? gates.n > 0 ? ", with " : "with " : "");
    text_bytes(t, options.n > 0 ? options.bytes : "", options.n);
    text_done(t, &gates);
    text_done(t, &options);
}

/* Which violation stands for the case: the first named one, else the first that fails it; NONE32: none. */
static uint32_t headline(const struct run *r)
{
    static const enum role order[] = {ROLE_EXPECTED, ROLE_UNEXPECTED};
    for (size_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < r->n_violations; i++)
            if (r->role[i] == order[k])
                return i;
    return NONE32;
}

static void violation(struct text *t, const struct run *r, uint32_t i)
{
    struct text s = {0};
    text_add(&s, invariant_table[r->violation[i].invariant].name);
    text_add(&s, ": ");
    verdict_sentence(&s, r, &r->violation[i]);
    words(t, &s);
}

void page_static_summary(struct text *t, const struct run *r, uint32_t number)
{
    struct text with = {0};
    uint32_t head = headline(r);
    text_add(t, "<tr><th scope=\"row\"><a href=\"#case");
    text_u64(t, number);
    text_add(t, "\">");
    html_text(t, r->c->name);
    text_add(t, "</a></th><td>");
    conditions(&with, r->c);
    words(t, &with);
    cell(t, "</td><td>", verdict_name[r->verdict]);
    cell(t, r->as_expected ? "</td><td>" : "</td><td class=\"bad\">", outcome_as_expected(r));
    text_add(t, "</td><td>");
    if (head != NONE32)
        violation(t, r, head);
    text_add(t, "</td></tr>\n");
}

/* --- a case ------------------------------------------------------------------------------------------- */

static void said(struct text *t, const struct run *r)
{
    static const char *const role[] = {"", "not expected: ", "and then ", "sign "};
    for (uint32_t i = 0; i < r->n_violations; i++) {
        text_add(t, r->role[i] == ROLE_WARNING ? "<li class=\"sign\">" : "<li class=\"broken\">");
        text_add(t, role[r->role[i]]);
        violation(t, r, i);
        text_add(t, "</li>\n");
    }
}

static void open_ends(struct text *t, const struct outcome_file *f, const struct run *r)
{
    for (uint32_t i = 0; i < r->n_undecided; i++) {
        struct text s = {0};
        outcome_open(&s, r, &r->undecided[i]);
        text_add(t, "<li>undecided ");
        words(t, &s);
        text_add(t, "</li>\n");
    }
    for (uint32_t i = 0; i < r->n_misses; i++) {
        struct text s = {0};
        if (!page_miss_counts(r, &r->misses[i]))
            continue;
        page_miss(&s, f, r, &r->misses[i]);
        text_add(t, "<li class=\"broken\">failed expectation, ");
        words(t, &s);
        text_add(t, "</li>\n");
    }
    if (r->verdict == VERDICT_ERROR) {
        struct text s = {0};
        outcome_error(&s, f, r);
        text_add(t, "<li class=\"broken\">");
        words(t, &s);
        text_add(t, "</li>\n");
    }
}

/* The sentences, as a list, if there is any. */
static void sentences(struct text *t, const struct outcome_file *f, const struct run *r)
{
    struct text list = {0};
    said(&list, r);
    open_ends(&list, f, r);
    if (list.n > 0) {
        text_add(t, "<ul>\n");
        text_bytes(t, list.bytes, list.n);
        text_add(t, "</ul>\n");
    }
    text_done(t, &list);
}

static bool breaks(const struct run *r, uint32_t record)
{
    for (uint32_t i = 0; i < r->n_violations; i++)
        if (r->violation[i].record == record && r->role[i] != ROLE_WARNING)
            return true;
    return false;
}

void page_event(struct text *t, const struct sim_plan *sim, const struct record *r)
{
    struct text all = {0}, actor = {0};
    line_words(&all, sim, r);
    text_shown(&actor, line_name(sim, r->actor));
    if (!all.failed && !actor.failed)
        html_bytes(t, all.bytes + actor.n + 1, all.n - actor.n - 1);
    text_done(t, &all);
    text_done(t, &actor);
}

static void row(struct text *t, const struct timeline *line, const struct window *w, uint32_t number, uint32_t i)
{
    const struct sim_plan *sim = &line->run->c->sim;
    const struct record *r = &line->records[w->number[i] - 1];
    bool broken = breaks(line->run, w->number[i]);
    if (line_is_note(sim, r) && !broken)
        return;
    text_add(t, "<tr id=r");
    text_u64(t, number);
    text_char(t, '-');
    text_u64(t, i);
    text_add(t, broken ? " class=bad><td>" : "><td>");
    text_time(t, r->at);
    cell(t, "<td>", line_name(sim, r->actor));
    text_add(t, "<td>");
    page_event(t, sim, r);
    text_char(t, '\n');
}

static void left_out(struct text *t, const struct window *w)
{
    if (window_is_whole(w))
        return;
    text_add(t, "<p>The run is long: of its ");
    text_count(t, w->total, "record", "records");
    text_add(t, " this page has ");
    text_u64(t, w->n);
    text_add(t, ", all from number ");
    text_u64(t, w->first + 1);
    text_add(t, " to ");
    text_u64(t, w->last + 1);
    text_add(t, ", and of the others what led to the violation.</p>\n");
}

static void events(struct text *t, const struct timeline *line, const struct window *w, uint32_t number)
{
    text_add(t, number == 0 ? "<details open><summary>Events of " : "<details><summary>Events of ");
    html_text(t, line->run->c->name);
    text_add(t, "</summary>\n");
    left_out(t, w);
    text_add(t, "<table class=\"events\"><thead><tr><th scope=\"col\">Time<th scope=\"col\">Who<th scope=\"col\">What"
                "</thead><tbody>\n");
    for (uint32_t i = 0; i < w->n; i++)
        row(t, line, w, number, i);
    text_add(t, "</tbody></table>\n</details>\n");
}

void page_static_section(struct text *t, const struct outcome_file *f, const struct timeline *line,
                         const struct window *w, uint32_t number)
{
    struct text with = {0};
    const struct run *r = line->run;
    text_add(t, "<section id=\"case");
    text_u64(t, number);
    text_add(t, "\">\n<h2>");
    html_text(t, r->c->name);
    text_add(t, ": ");
    text_add(t, verdict_name[r->verdict]);
    text_add(t, ", ");
    text_add(t, outcome_as_expected(r));
    text_add(t, "</h2>\n");
    conditions(&with, r->c);
    if (with.n > 0)
        text_add(t, "<p>");
    bool any = with.n > 0;
    words(t, &with);
    text_add(t, any ? "</p>\n" : "");
    sentences(t, f, r);
    events(t, line, w, number);
    text_add(t, "</section>\n");
}
