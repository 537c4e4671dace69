/* SPDX-License-Identifier: MIT
 *
 * explain_text.c - an explanation to be read on a screen: parts with headings, sentences in lines of a hundred columns,
 * and below each the command that shows it.
 */
#include "reports/explain.h"

#include "reports/line.h"
#include "reports/page.h"

#define COLUMNS 100u

/* Breaks at blanks. The first line stands at `indent`, the others two behind it. */
static void add_wrapped(struct text *t, const struct text *words, size_t indent)
{
    size_t column = 0; /* 0: nothing stands in this line */
    size_t begin = indent;
    for (size_t at = 0; at < words->n;) {
        size_t n = 0;
        while (at + n < words->n && words->bytes[at + n] != ' ')
            n++;
        if (column > 0 && column + 1 + n > COLUMNS) {
            text_char(t, '\n');
            column = 0;
            begin = indent + 2;
        }
        text_repeat(t, ' ', column == 0 ? begin : 1);
        column += (column == 0 ? begin : 1) + n;
        text_bytes(t, words->bytes + at, n);
        for (at += n; at < words->n && words->bytes[at] == ' ';)
            at++;
    }
    text_char(t, '\n');
}

static size_t event_width(const struct telling *k)
{
    uint32_t n;
    const struct record *records = sim_trace(k->x->run->sim, &n);
    size_t width = LINE_TIME_WIDTH;
    for (uint32_t i = 0; i < k->n; i++)
        if (k->row[i].kind == TOLD_EVENT)
            width = line_wider(width, records[k->row[i].record - 1].at);
    return width;
}

static void add_event(struct text *t, const struct telling *k, const struct told *row, size_t width)
{
    uint32_t n;
    const struct record *records = sim_trace(k->x->run->sim, &n);
    line_record(t, &k->x->c->sim, &records[row->record - 1], width);
    if (row->words.n > 0) {
        text_style(t, STYLE_DIM);
        text_add(t, "   <- ");
        text_bytes(t, row->words.bytes, row->words.n);
        text_style(t, STYLE_PLAIN);
    }
    text_char(t, '\n');
}

static void add_row(struct text *t, const struct telling *k, const struct told *row, size_t width)
{
    size_t indent = row->kind == TOLD_TRY ? 4 : 2;
    if (row->kind == TOLD_EVENT)
        add_event(t, k, row, width);
    else
        add_wrapped(t, &row->words, indent);
    if (row->command.n == 0)
        return;
    text_style(t, STYLE_DIM);
    text_repeat(t, ' ', indent + 4);
    text_bytes(t, row->command.bytes, row->command.n);
    text_style(t, STYLE_PLAIN);
    text_char(t, '\n');
}

static void add_head(struct text *t, const struct telling *k)
{
    const struct run *r = k->x->run;
    text_style(t, STYLE_BOLD);
    text_shown(t, k->file->path);
    text_style(t, STYLE_PLAIN);
    text_add(t, ": ");
    text_shown(t, scenario_title(k->x->scenario));
    text_add(t, "\ncase ");
    text_shown(t, r->c->name);
    text_add(t, " says `");
    page_expects(t, r->c);
    text_add(t, "`: ");
    text_add(t, outcome_as_expected(r));
    text_char(t, '\n');
}

void explain_text(struct text *t, const struct telling *k)
{
    size_t width = event_width(k);
    uint32_t part = TOLD_PARTS;
    add_head(t, k);
    for (uint32_t i = 0; i < k->n; i++) {
        const struct told *row = &k->row[i];
        if (row->part != part) {
            part = row->part;
            text_char(t, '\n');
            text_style(t, STYLE_BOLD);
            text_add(t, telling_heading(k, (enum told_part)part));
            text_style(t, STYLE_PLAIN);
            text_char(t, '\n');
        }
        add_row(t, k, row, width);
    }
    t->failed = t->failed || k->failed;
}
