/* SPDX-License-Identifier: MIT
 *
 * protocol_text.c - protocol coverage as lines of text, and as JSON.
 */
#include "reports/coverage.h"

#include <string.h>

static const char *const said_word[] = {"lets through", "refuses: ", "refuses for several reasons",
                                        "not asked, nothing to refuse", "not asked: ", "not asked, several to refuse"};

static void add_said(struct text *t, const struct protocol_row *row)
{
    text_add(t, said_word[row->said]);
    if (row->conjunct < CONJUNCTS)
        text_add(t, conjunct_table[row->conjunct].fails);
}

uint32_t protocol_alone_count(const struct protocol *p, uint32_t *out_of)
{
    uint32_t seen = 0;
    *out_of = 0;
    for (uint32_t c = 0; c < CONJUNCTS; c++) {
        *out_of += protocol_never((enum conjunct)c) == NULL;
        seen += protocol_alone(p, (enum conjunct)c);
    }
    return seen;
}

void covered_name(struct text *t, const struct covered *c, uint32_t run)
{
    text_shown(t, c->file[c->run[run].file].path);
    text_add(t, ", case ");
    text_shown(t, c->run[run].name);
}

static void add_number(struct text *t, uint64_t v, int width)
{
    struct text cell = {0};
    text_u64(&cell, v);
    text_pad(t, text_c(&cell), -width);
    text_done(t, &cell);
}

void protocol_summary(struct text *t, const struct covered *c)
{
    uint32_t out_of, alone = protocol_alone_count(&c->protocol, &out_of), gate = GATES;
    text_add(t, "   cases  without a fault  what the gates said\n");
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        struct protocol_row row = protocol_row(i);
        struct protocol_cell any = protocol_cell(&c->protocol, i, COLUMN_ANY);
        if (row.gate != gate) {
            text_style(t, STYLE_BOLD);
            text_add(t, gate_table[row.gate].name);
            text_style(t, STYLE_PLAIN);
            text_char(t, '\n');
        }
        gate = row.gate;
        add_number(t, any.runs, 8);
        add_number(t, protocol_cell(&c->protocol, i, ACTIVE_NONE).runs, 17);
        text_add(t, "  ");
        text_style(t, any.runs == 0 ? STYLE_BAD : STYLE_PLAIN);
        add_said(t, &row);
        text_style(t, STYLE_PLAIN);
        text_char(t, '\n');
    }
    text_u64(t, alone);
    text_add(t, " of ");
    text_count(t, out_of, "conjunct", "conjuncts");
    text_add(t, " seen deciding alone, in ");
    text_count(t, c->n_runs, "case", "cases");
    text_char(t, '\n');
}
