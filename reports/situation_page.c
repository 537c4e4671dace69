/* SPDX-License-Identifier: MIT
 *
 * situation_page.c - situation coverage as a page: four matrices, the cells that no scenario has reached in words,
 * those that none can with the reason, and the first scenario that reaches each. To be read without scripts, and
 * printed.
 */
#include "reports/coverage.h"
#include "reports/html.h"
#include "reports/situations.h"

#include <string.h>

static bool is_of(uint32_t cell, enum situation_side side)
{
    return situation_is(cell) && situation_phase_table[situation_phase_of(cell)].side == (uint64_t)side;
}

static bool kind_strikes(uint32_t kind, enum situation_side side)
{
    return situation_kind_table[kind].side >> side & 1;
}

/* --- the run that reached a cell first --------------------------------------------------------------------- */

/* "scenarios/seeds/f1-paused-leader.fence, case fenced, 1.003s" */
static void add_first(struct text *t, const struct situation_table *table, const struct situation_row *row)
{
    text_add(t, table->file[row->file].path);
    text_add(t, ", case ");
    text_add(t, row->case_name == NULL ? "" : row->case_name);
    text_add(t, ", ");
    text_time(t, row->at);
}

/* The address of its page, at that time. */
static void add_link(struct text *t, const struct situation_table *table, const struct situation_row *row)
{
    struct text when = {0};
    text_time(&when, row->at);
    html_link(t, table->file[row->file].page);
    text_add(t, "#case=");
    html_link(t, row->case_name == NULL ? "" : row->case_name);
    text_add(t, "&amp;t=");
    text_bytes(t, when.bytes, when.n > 0 ? when.n - 1 : 0); /* seconds, without their unit */
    text_done(t, &when);
}

/* words NULL: the run itself. */
static void put_first(struct text *t, const struct situation_table *table, const struct situation_row *row,
                      const char *words)
{
    struct text first = {0}, href = {0};
    add_first(&first, table, row);
    if (table->file[row->file].page != NULL)
        add_link(&href, table, row);
    html_witness(t, &href, words, &first);
    text_done(t, &href);
    text_done(t, &first);
}

/* --- the matrices ------------------------------------------------------------------------------------------- */

static void put_cell(struct text *t, const struct situation_table *table, uint32_t cell)
{
    const struct situation_row *row = &table->row[cell];
    struct text number = {0};
    if (situation_never(cell) != NULL) {
        text_add(t, "<td class=\"cannot\" title=\"");
        html_text(t, situation_never(cell));
        text_add(t, "\">cannot</td>");
        return;
    }
    text_add(t, row->cases == 0   ? "<td class=\"none\">"
                : row->cases == 1 ? "<td class=\"one\">"
                                  : "<td class=\"more\">");
    text_u64(&number, row->cases);
    if (row->cases > 0)
        put_first(t, table, row, text_c(&number));
    else
        text_char(t, '0');
    text_add(t, "</td>");
    text_done(t, &number);
}

static void put_matrix(struct text *t, const struct situation_table *table, enum situation_side side)
{
    text_add(t, "<div class=\"wide\"><table class=\"matrix\"><thead><tr><th scope=\"col\">when it struck</th>");
    for (uint32_t kind = 0; kind < SITUATION_KINDS; kind++) {
        if (!kind_strikes(kind, side))
            continue;
        text_add(t, "<th scope=\"col\">");
        html_text(t, situation_kind_table[kind].words);
        text_add(t, "</th>");
    }
    text_add(t, "</tr></thead><tbody>\n");
    for (uint32_t phase = 0; phase < SITUATION_PHASES; phase++) {
        if (situation_phase_table[phase].side != (uint64_t)side)
            continue;
        text_add(t, "<tr><th scope=\"row\">");
        html_text(t, situation_phase_table[phase].words);
        text_add(t, "</th>");
        for (uint32_t kind = 0; kind < SITUATION_KINDS; kind++)
            if (kind_strikes(kind, side))
                put_cell(t, table, situation_cell((enum situation_kind)kind, (enum situation_phase)phase));
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
}

static void put_count(struct text *t, struct situation_count n)
{
    text_u64(t, n.reached);
    text_add(t, " of ");
    text_u64(t, n.reachable);
}

static void put_side(struct text *t, const struct situation_table *table, enum situation_side side)
{
    static const char *const said[SIDES] = {
        [SIDE_PROGRAM] = "What a node's threads were doing. A fault upon a program finds it in all of their phases.",
        [SIDE_SERVICE] = "What a lock, voter, store, queue or table had given, and had under way.",
        [SIDE_MESSAGE] = "Which message was struck. A closed link strikes what it loses or holds.",
        [SIDE_CLOCK] = "Whether a lease was counted by that clock, and whose.",
    };
    text_add(t, "<section id=\"");
    text_add(t, situation_side_name[side]);
    text_add(t, "\">\n<h2>Faults upon ");
    text_add(t, situation_side_name[side]);
    text_add(t, ": ");
    put_count(t, situation_table_count(table, side));
    text_add(t, "</h2>\n<p>");
    text_add(t, said[side]);
    text_add(t, "</p>\n");
    put_matrix(t, table, side);
    text_add(t, "</section>\n");
}

/* --- lists --------------------------------------------------------------------------------------------------- */

static void put_words(struct text *t, uint32_t cell)
{
    struct text words = {0};
    situation_words(&words, cell);
    html_text(t, text_c(&words));
    text_done(t, &words);
}

static void put_missing(struct text *t, const struct situation_table *table)
{
    struct situation_count n = situation_table_total(table);
    text_add(t, "<section id=\"missing\">\n<h2>Reached by no scenario</h2>\n");
    if (n.reached == n.reachable) {
        text_add(t, "<p>Each situation that a run can reach is reached by some scenario.</p>\n</section>\n");
        return;
    }
    text_add(t, "<p>A search finds one: <code>fencepost fuzz --reach SITUATION FILE</code>.</p>\n<ul>\n");
    for (uint32_t cell = 0; cell < SITUATION_CELLS; cell++) {
        if (!situation_is(cell) || situation_never(cell) != NULL || table->row[cell].cases > 0)
            continue;
        text_add(t, "<li>");
        put_words(t, cell);
        text_add(t, ": <code>");
        html_text(t, situation_name(cell));
        text_add(t, "</code></li>\n");
    }
    text_add(t, "</ul>\n</section>\n");
}

/* One reason stands for many cells: each is said once, with what it is about. */
static void put_reason(struct text *t, uint32_t first)
{
    const char *reason = situation_never(first);
    bool more = false;
    text_add(t, "<li>");
    html_text(t, reason);
    text_add(t, ": ");
    for (uint32_t cell = first; cell < SITUATION_CELLS; cell++) {
        if (!situation_is(cell) || situation_never(cell) != reason)
            continue;
        text_add(t, more ? ", <code>" : "<code>");
        html_text(t, situation_name(cell));
        text_add(t, "</code>");
        more = true;
    }
    text_add(t, "</li>\n");
}

static bool said_before(uint32_t cell)
{
    for (uint32_t i = 0; i < cell; i++)
        if (situation_is(i) && situation_never(i) == situation_never(cell))
            return true;
    return false;
}

static void put_never(struct text *t)
{
    text_add(t, "<section id=\"cannot\">\n<h2>What cannot be reached, and why</h2>\n<ul>\n");
    for (uint32_t cell = 0; cell < SITUATION_CELLS; cell++)
        if (situation_is(cell) && situation_never(cell) != NULL && !said_before(cell))
            put_reason(t, cell);
    text_add(t, "</ul>\n</section>\n");
}

static void put_firsts(struct text *t, const struct situation_table *table)
{
    text_add(t,
             "<section id=\"first\">\n<h2>The first scenario that reaches each</h2>\n<div class=\"wide\"><table><thead>"
             "<tr><th scope=\"col\">Situation</th><th scope=\"col\">Cases</th><th scope=\"col\">First</th></tr></thead>"
             "<tbody>\n");
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t cell = 0; cell < SITUATION_CELLS; cell++) {
            if (!is_of(cell, (enum situation_side)side) || table->row[cell].cases == 0)
                continue;
            text_add(t, "<tr><td>");
            put_words(t, cell);
            text_add(t, "</td><td>");
            text_u64(t, table->row[cell].cases);
            text_add(t, "</td><td>");
            put_first(t, table, &table->row[cell], NULL);
            text_add(t, "</td></tr>\n");
        }
    text_add(t, "</tbody></table></div>\n</section>\n");
}

/* --- the page ------------------------------------------------------------------------------------------------- */

void situation_summary(struct text *t, const struct situation_table *table)
{
    put_count(t, situation_table_total(table));
    text_add(t, " situations reached, by ");
    text_count(t, table->n_files, "scenario", "scenarios");
    text_add(t, " with ");
    text_count(t, table->cases, "case", "cases");
}

void situation_main(struct text *t, const struct situation_table *table)
{
    text_add(t,
             "<p>A situation is a kind of fault, and what its victim was doing when it struck. A number says how many "
             "cases reach it, and leads to the first.</p>\n<p><span class=\"none\">0</span> no case, <span "
             "class=\"one\">1</span> one alone, <span class=\"more\">2</span> several, <span class=\"cannot\">cannot"
             "</span> none can.</p>\n");
    for (int side = 0; side < SIDES; side++)
        put_side(t, table, (enum situation_side)side);
    put_missing(t, table);
    put_never(t);
    put_firsts(t, table);
    t->failed = t->failed || table->failed;
}

void situation_page(struct text *t, const struct situation_table *table, const char *up)
{
    coverage_begin(t, "Situations", up);
    text_add(t, "<p>");
    situation_summary(t, table);
    text_add(t, ".</p>\n</header>\n<main>\n");
    situation_main(t, table);
    coverage_end(t);
}
