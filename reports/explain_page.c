/* SPDX-License-Identifier: MIT
 *
 * explain_page.c - an explanation as a section of the run page: to be read without scripts, and on paper.
 *
 * The section stands below what the viewer draws, and is hidden while a class predicts. Its data-case is the place of
 * the case on the page: the viewer shows that of the case it shows.
 */
#include "reports/explain.h"

#include "reports/html.h"
#include "reports/line.h"

static void add_words(struct text *t, const struct text *words)
{
    html_bytes(t, words->n == 0 ? "" : words->bytes, words->n);
}

static void add_command(struct text *t, const struct told *row)
{
    if (row->command.n == 0)
        return;
    text_add(t, "<br><code>");
    add_words(t, &row->command);
    text_add(t, "</code>");
}

static void add_event(struct text *t, const struct telling *k, const struct told *row)
{
    uint32_t n;
    const struct record *records = sim_trace(k->x->run->sim, &n);
    const struct record *r = &records[row->record - 1];
    struct text line = {0};
    line_words(&line, &k->x->c->sim, r);
    text_add(t, "<tr><td>");
    text_time(t, r->at);
    text_add(t, "<td>");
    add_words(t, &line);
    text_add(t, "<td>");
    add_words(t, &row->words);
    text_char(t, '\n');
    text_done(t, &line);
}

/* What is open: a table of events, a list of values, or nothing. */
static const char *const opens[] = {
    [TOLD_SENTENCE] = "", [TOLD_EVENT] = "<table class=\"events\">\n", [TOLD_TRY] = "<ul>\n"};
static const char *const closes[] = {[TOLD_SENTENCE] = "", [TOLD_EVENT] = "</table>\n", [TOLD_TRY] = "</ul>\n"};

static void add_row(struct text *t, const struct telling *k, const struct told *row)
{
    if (row->kind == TOLD_EVENT) {
        add_event(t, k, row);
        return;
    }
    text_add(t, row->kind == TOLD_TRY ? "<li>" : "<p>");
    add_words(t, &row->words);
    add_command(t, row);
    text_add(t, row->kind == TOLD_TRY ? "</li>\n" : "</p>\n");
}

void explain_page(struct text *t, const struct telling *k, uint32_t number)
{
    uint32_t part = TOLD_PARTS, kind = TOLD_SENTENCE;
    text_add(t, "<section data-case=\"");
    text_u64(t, number);
    text_add(t, "\">\n<h2>Why ");
    html_text(t, k->x->c->name);
    text_add(t, " breaks</h2>\n");
    for (uint32_t i = 0; i < k->n; i++) {
        const struct told *row = &k->row[i];
        if (row->part != part || row->kind != kind)
            text_add(t, closes[kind]);
        if (row->part != part) {
            text_add(t, "<h3>");
            html_text(t, telling_heading(k, (enum told_part)row->part));
            text_add(t, "</h3>\n");
        }
        if (row->part != part || row->kind != kind)
            text_add(t, opens[row->kind]);
        part = row->part;
        kind = row->kind;
        add_row(t, k, row);
    }
    text_add(t, closes[kind]);
    text_add(t, "</section>\n");
    t->failed = t->failed || k->failed;
}
