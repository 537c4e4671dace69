/* SPDX-License-Identifier: MIT
 *
 * protocol_page.c - protocol coverage as a page: the matrix, each gate with its conjuncts, and the lines of the
 * scenarios that no case came to.
 */
#include "reports/coverage.h"
#include "reports/html.h"

#include <string.h>

/* --- the matrix --------------------------------------------------------------------------------------------- */

static void put_cell(struct text *t, const struct covered *c, uint32_t row, uint32_t column)
{
    struct protocol_cell cell = protocol_cell(&c->protocol, row, column);
    struct text number = {0};
    if (cell.runs == 0 && column != COLUMN_ANY) {
        text_add(t, "<td></td>");
        return;
    }
    text_add(t, "<td class=\"");
    text_add(t, coverage_shade(cell.runs));
    text_add(t, "\">");
    text_u64(&number, cell.runs);
    if (cell.runs > 0)
        coverage_witness(t, c, cell.first_run, cell.first, text_c(&number));
    else
        text_char(t, '0');
    text_add(t, "</td>");
    text_done(t, &number);
}

static const char *never(const struct protocol_row *row)
{
    return row->said == SAID_NO ? protocol_never((enum conjunct)row->conjunct) : NULL;
}

static void put_row(struct text *t, const struct covered *c, uint32_t i)
{
    struct protocol_row row = protocol_row(i);
    text_add(t, "<tr><th scope=\"row\"");
    text_add(t, never(&row) != NULL ? " class=\"cannot\">" : ">");
    protocol_said(t, &row);
    text_add(t, "</th>");
    if (never(&row) != NULL) {
        text_add(t, "<td class=\"cannot\">cannot</td><td class=\"cannot\" colspan=\"15\">");
        html_text(t, never(&row));
        text_add(t, "</td></tr>\n");
        return;
    }
    put_cell(t, c, i, COLUMN_ANY);
    for (uint32_t column = 0; column < ACTIVE_KINDS; column++)
        put_cell(t, c, i, column);
    text_add(t, "</tr>\n");
}

/* Not both: several of the conjuncts of a gate at once are no more than the sum of them. */
static bool is_shown(const struct covered *c, uint32_t i)
{
    struct protocol_row row = protocol_row(i);
    bool many = row.said == SAID_NO_MANY || row.said == SAID_NOTHING_MANY;
    return !many || protocol_cell(&c->protocol, i, COLUMN_ANY).runs > 0;
}

_Static_assert(ACTIVE_KINDS == 15, "the reason why a row cannot be has the width of its cells");

static void put_matrix(struct text *t, const struct covered *c)
{
    uint32_t gate = GATES;
    text_add(t, "<h2>What the gates said, and which faults were active then</h2>\n");
    coverage_legend(t);
    text_add(t,
             "<p>A fault is active from its start to its end, and after that for as long as the longest lease of the "
             "case; a clock that was set or runs at another rate, for good. An asking under two faults counts for "
             "both.</p>\n<div class=\"wide\"><table class=\"matrix\">\n<thead><tr><th scope=\"col\">Gate</th>"
             "<th scope=\"col\">cases</th>");
    for (uint32_t column = 0; column < ACTIVE_KINDS; column++) {
        text_add(t, "<th scope=\"col\">");
        text_add(t, active_name[column]);
        text_add(t, "</th>");
    }
    text_add(t, "</tr></thead>\n");
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        if (!is_shown(c, i))
            continue;
        if (protocol_row(i).gate != gate) {
            text_add(t, gate == GATES ? "<tbody>\n<tr><th class=\"gate\" colspan=\"17\"><a href=\"#"
                                      : "</tbody>\n<tbody>\n<tr><th class=\"gate\" colspan=\"17\"><a href=\"#");
            gate = protocol_row(i).gate;
            text_add(t, gate_table[gate].name);
            text_add(t, "\">");
            text_add(t, gate_table[gate].name);
            text_add(t, "</a></th></tr>\n");
        }
        put_row(t, c, i);
    }
    text_add(t, "</tbody>\n</table></div>\n");
}

/* --- gates ---------------------------------------------------------------------------------------------------- */

static void put_witness(struct text *t, const struct covered *c, uint32_t row)
{
    struct protocol_cell cell = protocol_cell(&c->protocol, row, COLUMN_ANY);
    text_add(t, "<td class=\"");
    text_add(t, coverage_shade(cell.runs));
    text_add(t, "\">");
    if (cell.runs == 0)
        text_add(t, "no case");
    else
        coverage_witness(t, c, cell.first_run, cell.first, NULL);
    text_add(t, "</td>");
}

static void put_conjunct(struct text *t, const struct covered *c, enum conjunct k)
{
    enum gate gate = (enum gate)conjunct_table[k].gate;
    text_add(t, "<tr><th scope=\"row\">");
    html_text(t, conjunct_table[k].holds);
    text_add(t, "</th>");
    if (protocol_never(k) != NULL) {
        text_add(t, "<td class=\"cannot\">");
        html_text(t, protocol_never(k));
        text_add(t, "</td>");
    } else {
        put_witness(t, c, protocol_row_of(gate, true, conjunct_bit(k, true)));
    }
    put_witness(t, c, protocol_row_of(gate, false, conjunct_bit(k, true)));
    text_add(t, "</tr>\n");
}

/* Whether the gate refused in some case, by whatever, while this kind of fault was active. */
static bool refused_under(const struct covered *c, uint32_t gate, uint32_t column)
{
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        struct protocol_row row = protocol_row(i);
        bool no = row.gate == gate && (row.said == SAID_NO || row.said == SAID_NO_MANY);
        if (no && protocol_cell(&c->protocol, i, column).runs > 0)
            return true;
    }
    return false;
}

static void put_unseen(struct text *t, const struct covered *c, uint32_t gate)
{
    uint32_t n = 0;
    for (uint32_t column = ACTIVE_NONE + 1; column < ACTIVE_KINDS; column++) {
        if (refused_under(c, gate, column))
            continue;
        text_add(t, n++ == 0 ? "<p>No case has seen it refuse under: " : ", ");
        text_add(t, active_name[column]);
    }
    text_add(t, n > 0 ? ".</p>\n" : "<p>It was seen refusing under every kind of fault.</p>\n");
}

static void put_gate(struct text *t, const struct covered *c, uint32_t gate)
{
    text_add(t, "<h3 id=\"");
    text_add(t, gate_table[gate].name);
    text_add(t, "\">");
    text_add(t, gate_table[gate].name);
    text_add(t, "</h3>\n<p>");
    html_text(t, gate_table[gate].with);
    text_add(t, ". Without it: ");
    html_text(t, gate_table[gate].without);
    text_add(t,
             ".</p>\n<table>\n<thead><tr><th scope=\"col\">Lets through when</th><th scope=\"col\">Refuses by this "
             "alone</th><th scope=\"col\">Not there, and this alone would have refused</th></tr></thead>\n<tbody>\n");
    for (uint32_t k = 0; k < CONJUNCTS; k++)
        if (conjunct_table[k].gate == gate)
            put_conjunct(t, c, (enum conjunct)k);
    text_add(t, "</tbody>\n</table>\n<p>Lets through: ");
    struct protocol_cell yes = protocol_cell(&c->protocol, protocol_row_of((enum gate)gate, true, 0), COLUMN_ANY);
    if (yes.runs == 0)
        text_add(t, "in no case");
    else
        coverage_witness(t, c, yes.first_run, yes.first, NULL);
    text_add(t, ".</p>\n");
    put_unseen(t, c, gate);
}

/* --- lines ---------------------------------------------------------------------------------------------------- */

static const char *line_at(const struct covered_file *f, uint32_t line, size_t *n)
{
    const char *at = f->bytes, *end = f->bytes + f->n;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline == NULL ? end : newline + 1;
    }
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    *n = (size_t)((newline == NULL ? end : newline) - at);
    return at;
}

static void put_idle_line(struct text *t, const struct covered *c, uint32_t file, uint32_t line, bool first)
{
    size_t n;
    const char *bytes = line_at(&c->file[file], line, &n);
    struct text number = {0};
    if (first) {
        text_add(t, "<h3>");
        html_text(t, c->file[file].path);
        text_add(t, "</h3>\n<pre>");
    }
    text_u64(&number, line);
    text_pad(t, text_c(&number), -5);
    text_add(t, "  ");
    html_bytes(t, bytes, n);
    text_char(t, '\n');
    text_done(t, &number);
}

static void put_lines(struct text *t, const struct covered *c)
{
    uint64_t idle = 0, all = 0;
    struct text list = {0};
    for (uint32_t i = 0; i < c->n_files; i++) {
        const struct covered_file *f = &c->file[i];
        bool first = true;
        for (uint32_t line = 1; line <= f->lines; line++) {
            all += f->times[line] != LINE_IS_NONE;
            if (f->times[line] != 0)
                continue;
            put_idle_line(&list, c, i, line, first);
            first = false;
            idle++;
        }
        text_add(&list, first ? "" : "</pre>\n");
    }
    text_add(t, "<h2 id=\"lines\">Lines of the scenarios that no case came to</h2>\n<p>");
    text_u64(t, idle);
    text_add(t, " of ");
    text_count(t, all, "line", "lines");
    text_add(t, " that are steps, faults, expectations or questions.</p>\n");
    text_bytes(t, list.n > 0 ? list.bytes : "", list.n);
    text_done(t, &list);
}

/* --- the page ------------------------------------------------------------------------------------------------- */

void protocol_page(struct text *t, const struct covered *c)
{
    uint32_t out_of, alone = protocol_alone_count(&c->protocol, &out_of);
    coverage_begin(t, "Gates and what they said", "index.html");
    text_add(t, "<p>");
    text_count(t, c->n_files, "scenario", "scenarios");
    text_add(t, ", ");
    text_count(t, c->n_runs, "case", "cases");
    text_add(t, "; the gates were asked ");
    text_u64(t, c->protocol.askings);
    text_add(t, " times. A gate lets through what all of its conditions hold for; ");
    text_u64(t, alone);
    text_add(t, " of ");
    text_u64(t, out_of);
    text_add(t, " conditions were seen deciding alone: refusing where every other held, and letting through.</p>\n"
                "</header>\n<main>\n");
    put_matrix(t, c);
    text_add(t, "<h2>The gates, condition by condition</h2>\n");
    for (uint32_t gate = 0; gate < GATES; gate++)
        if (gate_table[gate].built)
            put_gate(t, c, gate);
    put_lines(t, c);
    coverage_end(t);
}
