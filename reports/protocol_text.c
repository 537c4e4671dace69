/* SPDX-License-Identifier: MIT
 *
 * protocol_text.c - protocol coverage as lines of text, and as JSON.
 */
#include "reports/coverage.h"

void protocol_said(struct text *t, const struct protocol_row *row)
{
    static const char *const word[] = {"lets through",
                                       "refuses: ",
                                       "refuses for several reasons",
                                       "not there, would have let through",
                                       "not there, would have refused: ",
                                       "not there, would have refused for several reasons"};
    text_add(t, word[row->said]);
    if (row->conjunct < CONJUNCTS)
        text_add(t, conjunct_table[row->conjunct].fails);
}

uint32_t protocol_alone_count(const struct protocol *p, uint32_t *out_of)
{
    uint32_t seen = 0;
    *out_of = 0;
    for (uint32_t c = 0; c < CONJUNCTS; c++) {
        bool can = protocol_never((enum conjunct)c) == NULL;
        *out_of += can;
        seen += can && protocol_alone(p, (enum conjunct)c);
    }
    return seen;
}

void covered_name(struct text *t, const struct covered *c, uint32_t run)
{
    text_shown(t, c->file[c->run[run].file].path);
    text_add(t, ", case ");
    text_shown(t, c->run[run].name);
}

/* --- text ------------------------------------------------------------------------------------------------- */

static void add_number(struct text *t, uint64_t v, int width)
{
    struct text cell = {0};
    text_u64(&cell, v);
    text_pad(t, text_c(&cell), -width);
    text_done(t, &cell);
}

static void add_row(struct text *t, const struct covered *c, uint32_t i)
{
    struct protocol_row row = protocol_row(i);
    struct protocol_cell any = protocol_cell(&c->protocol, i, COLUMN_ANY);
    bool never = row.said == SAID_NO && protocol_never((enum conjunct)row.conjunct) != NULL;
    bool many = row.said == SAID_NO_MANY || row.said == SAID_NOTHING_MANY;
    if (any.runs == 0 && many)
        return;
    add_number(t, any.runs, 8);
    add_number(t, protocol_cell(&c->protocol, i, ACTIVE_NONE).runs, 14);
    text_add(t, "  ");
    text_style(t, any.runs == 0 && !never ? STYLE_BAD : STYLE_PLAIN);
    protocol_said(t, &row);
    text_style(t, STYLE_PLAIN);
    text_add(t, never ? " (cannot be)\n" : "\n");
}

void protocol_summary(struct text *t, const struct covered *c)
{
    uint32_t out_of, alone = protocol_alone_count(&c->protocol, &out_of), gate = GATES;
    text_add(t, "   cases  without fault  what the gates said\n");
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        if (protocol_row(i).gate != gate) {
            gate = protocol_row(i).gate;
            text_style(t, STYLE_BOLD);
            text_add(t, gate_table[gate].name);
            text_style(t, STYLE_PLAIN);
            text_char(t, '\n');
        }
        add_row(t, c, i);
    }
    text_u64(t, alone);
    text_add(t, " of ");
    text_count(t, out_of, "condition", "conditions");
    text_add(t, " of gates seen deciding alone, in ");
    text_count(t, c->n_runs, "case", "cases");
    text_char(t, '\n');
}

/* --- JSON -------------------------------------------------------------------------------------------------- */

static const char *const said_key[] = {"yes", "no", "no_several", "absent_yes", "absent_no", "absent_no_several"};

static void json_runs(struct text *t, const struct covered *c)
{
    text_key(t, "runs");
    text_char(t, '[');
    for (uint32_t i = 0; i < c->n_runs; i++) {
        text_comma(t);
        text_char(t, '{');
        text_key(t, "file");
        text_json(t, c->file[c->run[i].file].path);
        text_key(t, "case");
        text_json(t, c->run[i].name);
        text_char(t, '}');
    }
    text_char(t, ']');
}

/* A kind of fault, or null for "whatever was active", with every run that came there: [run, times, first ns]. */
static void json_column(struct text *t, const struct covered *c, uint32_t row, uint32_t column)
{
    text_comma(t);
    text_char(t, '{');
    text_key(t, "fault");
    text_json(t, column == COLUMN_ANY ? NULL : active_name[column]);
    text_key(t, "runs");
    text_char(t, '[');
    for (uint32_t i = 0; i < c->protocol.n_seen; i++) {
        const struct protocol_seen *seen = &c->protocol.seen[i];
        if (seen->row != row || seen->column != column)
            continue;
        text_comma(t);
        text_char(t, '[');
        text_u64(t, seen->run);
        text_char(t, ',');
        text_u64(t, seen->times);
        text_char(t, ',');
        text_i64(t, seen->first);
        text_char(t, ']');
    }
    text_add(t, "]}");
}

static void json_rows(struct text *t, const struct covered *c)
{
    text_key(t, "rows");
    text_char(t, '[');
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        struct protocol_row row = protocol_row(i);
        text_comma(t);
        text_char(t, '{');
        text_key(t, "gate");
        text_json(t, gate_table[row.gate].name);
        text_key(t, "said");
        text_json(t, said_key[row.said]);
        text_key(t, "conjunct");
        text_json(t, row.conjunct < CONJUNCTS ? conjunct_table[row.conjunct].name : NULL);
        text_key(t, "cells");
        text_char(t, '[');
        for (uint32_t column = 0; column <= COLUMN_ANY; column++)
            if (protocol_cell(&c->protocol, i, column).runs > 0)
                json_column(t, c, i, column);
        text_add(t, "]}");
    }
    text_char(t, ']');
}

static void json_conjuncts(struct text *t, const struct covered *c)
{
    text_key(t, "conjuncts");
    text_char(t, '[');
    for (uint32_t k = 0; k < CONJUNCTS; k++) {
        text_comma(t);
        text_char(t, '{');
        text_key(t, "gate");
        text_json(t, gate_table[conjunct_table[k].gate].name);
        text_key(t, "name");
        text_json(t, conjunct_table[k].name);
        text_key(t, "holds");
        text_json(t, conjunct_table[k].holds);
        text_key(t, "fails");
        text_json(t, conjunct_table[k].fails);
        text_key(t, "alone");
        text_add(t, protocol_alone(&c->protocol, (enum conjunct)k) ? "true" : "false");
        text_key(t, "never");
        text_json(t, protocol_never((enum conjunct)k));
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void json_lines(struct text *t, const struct covered *c)
{
    text_key(t, "lines");
    text_char(t, '[');
    for (uint32_t i = 0; i < c->n_files; i++) {
        text_comma(t);
        text_char(t, '{');
        text_key(t, "file");
        text_json(t, c->file[i].path);
        text_key(t, "times");
        text_char(t, '[');
        for (uint32_t line = 1; line <= c->file[i].lines; line++) {
            if (c->file[i].times[line] == LINE_IS_NONE)
                continue;
            text_comma(t);
            text_char(t, '[');
            text_u64(t, line);
            text_char(t, ',');
            text_u64(t, c->file[i].times[line]);
            text_char(t, ']');
        }
        text_add(t, "]}");
    }
    text_char(t, ']');
}

void protocol_json(struct text *t, const struct covered *c)
{
    text_add(t, "{\"v\":1");
    json_runs(t, c);
    json_conjuncts(t, c);
    json_rows(t, c);
    json_lines(t, c);
    text_add(t, "}\n");
}
