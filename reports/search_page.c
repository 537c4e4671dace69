/* SPDX-License-Identifier: MIT
 *
 * search_page.c - what searches cover, as a page: curves of abstract states, the gates table, and how long a gate that
 * was taken away survives. Drawn in SVG, to be read without scripts; what a curve says stands in a table beside it.
 *
 * Both pictures have schedules on a logarithmic axis: what a search finds in its first hundred schedules and what it
 * finds in its last thousand are as wide.
 */
#include "reports/coverage.h"
#include "reports/html.h"
#include "reports/search_report.h"

/* --- a picture ---------------------------------------------------------------------------------------------- */

#define WIDE 560 /* of the plot itself */
#define HIGH 220
#define LEFT 56
#define TOP 12
#define CURVES 8 /* ways to draw one, that can be told apart in grey as well */

struct chart {
    struct text *t;
    uint64_t x_max, y_max; /* both at least 1 */
};

/* 1000 * log10(n), n > 0: right at each whole tenth of a decade's numbers 1 to 10, and straight between them. */
static uint64_t milli_log(uint64_t n)
{
    static const uint16_t of[] = {0, 301, 477, 602, 699, 778, 845, 903, 954, 1000};
    uint64_t decade = 0, ten = 1;
    ASSERT(n > 0);
    while (n / ten >= 10) {
        ten *= 10;
        decade++;
    }
    uint64_t digit = n / ten, rest = n % ten;
    return decade * 1000 + of[digit - 1] + (of[digit] - of[digit - 1]) * rest / ten;
}

static uint64_t x_of(const struct chart *c, uint64_t schedules)
{
    uint64_t whole = milli_log(c->x_max < 10 ? 10 : c->x_max);
    return LEFT + milli_log(schedules < 1 ? 1 : schedules) * WIDE / whole;
}

static uint64_t y_of(const struct chart *c, uint64_t y) { return TOP + HIGH - y * HIGH / c->y_max; }

static void add_point(const struct chart *c, uint64_t schedules, uint64_t y)
{
    text_u64(c->t, x_of(c, schedules));
    text_char(c->t, ',');
    text_u64(c->t, y_of(c, y));
    text_char(c->t, ' ');
}

static void add_label(const struct chart *c, uint64_t x, uint64_t y, const char *anchor, uint64_t v)
{
    text_add(c->t, "<text x=\"");
    text_u64(c->t, x);
    text_add(c->t, "\" y=\"");
    text_u64(c->t, y);
    text_add(c->t, "\" text-anchor=\"");
    text_add(c->t, anchor);
    text_add(c->t, "\">");
    text_u64(c->t, v);
    text_add(c->t, "</text>");
}

static void add_line(const struct chart *c, uint64_t x1, uint64_t y1, uint64_t x2, uint64_t y2)
{
    const uint64_t at[] = {x1, y1, x2, y2};
    static const char *const name[] = {"<line x1=\"", "\" y1=\"", "\" x2=\"", "\" y2=\""};
    for (int i = 0; i < 4; i++) {
        text_add(c->t, name[i]);
        text_u64(c->t, at[i]);
    }
    text_add(c->t, "\"/>");
}

static void chart_begin(struct chart *c, const char *words)
{
    text_add(c->t, "<svg viewBox=\"0 0 640 262\" role=\"img\" aria-label=\"");
    html_text(c->t, words);
    text_add(c->t, "\"><g class=\"axis\">");
    for (uint64_t n = 1; n <= c->x_max; n *= 10) {
        add_line(c, x_of(c, n), TOP, x_of(c, n), TOP + HIGH);
        add_label(c, x_of(c, n), TOP + HIGH + 16, "middle", n);
        if (n > UINT64_MAX / 10)
            break;
    }
    for (uint64_t i = 0; i <= 2; i++) {
        uint64_t y = c->y_max * i / 2;
        add_line(c, LEFT, y_of(c, y), LEFT + WIDE, y_of(c, y));
        add_label(c, LEFT - 6, y_of(c, y) + 4, "end", y);
    }
    text_add(c->t, "</g>");
}

static void curve_begin(const struct chart *c, uint32_t i)
{
    text_add(c->t, "<polyline class=\"c");
    text_u64(c->t, i % CURVES);
    text_add(c->t, "\" points=\"");
}

static void curve_end(const struct chart *c, const char *name)
{
    text_add(c->t, "\"><title>");
    html_text(c->t, name);
    text_add(c->t, "</title></polyline>");
}

static void chart_end(const struct chart *c) { text_add(c->t, "</svg>\n"); }

/* How the curve of a table's row looks. */
static void add_swatch(struct text *t, uint32_t i)
{
    text_add(t, "<svg class=\"swatch\" viewBox=\"0 0 36 10\" aria-hidden=\"true\"><polyline class=\"c");
    text_u64(t, i % CURVES);
    text_add(t, "\" points=\"0,5 36,5\"/></svg> ");
}

static void cell_u64(struct text *t, uint64_t v)
{
    text_add(t, "<td class=\"n\">");
    text_u64(t, v);
    text_add(t, "</td>");
}

/* --- abstract states ------------------------------------------------------------------------------------------ */

static void draw_growth(struct text *t, const struct search_row *row)
{
    struct chart c = {t, 1, 1};
    for (uint32_t by = 0; by <= ARMS; by++) {
        c.x_max = row->by[by].schedules > c.x_max ? row->by[by].schedules : c.x_max;
        c.y_max = row->by[by].states > c.y_max ? row->by[by].states : c.y_max;
    }
    chart_begin(&c, "abstract states over schedules, by strategy");
    for (uint32_t by = 0; by <= ARMS; by++) {
        const struct growth *g = &row->by[by];
        curve_begin(&c, by);
        for (uint32_t i = 0; i < g->n; i++)
            if (g->point[i].schedules > 0)
                add_point(&c, g->point[i].schedules, g->point[i].states);
        curve_end(&c, search_strategy(by));
    }
    chart_end(&c);
}

static void table_growth(struct text *t, const struct search_row *row)
{
    text_add(t,
             "<div class=\"wide\"><table><thead><tr><th scope=\"col\">Strategy</th><th scope=\"col\">Schedules</th>"
             "<th scope=\"col\">Abstract states</th><th scope=\"col\">The last new one after</th><th scope=\"col\">"
             "Passed by one schedule alone (f1)</th><th scope=\"col\">f1/N, in millionths</th></tr></thead><tbody>\n");
    for (uint32_t k = 0; k <= ARMS; k++) {
        uint32_t by = k == 0 ? TOGETHER : k - 1;
        const struct growth *g = &row->by[by];
        text_add(t, "<tr><th scope=\"row\">");
        add_swatch(t, by);
        html_text(t, search_strategy(by));
        text_add(t, "</th>");
        cell_u64(t, g->schedules);
        cell_u64(t, g->states);
        cell_u64(t, g->last_new);
        cell_u64(t, g->once);
        if (by == ARM_SINGLE)
            text_add(t, "<td></td>");
        else
            cell_u64(t, growth_unseen(g));
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
}

/* --- gates ------------------------------------------------------------------------------------------------------ */

/* Seeds still looking, before and after each that found it: steps. */
static void draw_survival(const struct chart *c, uint32_t i, const struct survival *s, const char *name)
{
    uint32_t alive = s->n;
    curve_begin(c, i);
    add_point(c, 1, alive);
    for (uint32_t k = 0; k < s->n && s->after[k] != SURVIVAL_CENSORED; k++) {
        add_point(c, s->after[k], alive);
        alive--;
        add_point(c, s->after[k], alive);
    }
    add_point(c, s->cap, alive);
    curve_end(c, name);
}

static bool was_sampled(const struct gate_row *r) { return r->alone.survival.n > 0; }

static void draw_survivals(struct text *t, const struct search_row *row)
{
    const struct gates *g = row->gates;
    struct chart c = {t, row->gate_schedules > 0 ? row->gate_schedules : 1, 1};
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < g->n; i++)
        c.y_max = g->row[i].alone.survival.n > c.y_max ? g->row[i].alone.survival.n : c.y_max;
    chart_begin(&c, "searches that have not found a removed gate, over schedules");
    for (uint32_t i = 0; i < g->n; i++)
        if (was_sampled(&g->row[i]))
            draw_survival(&c, drawn++, &g->row[i].alone.survival, gate_table[g->row[i].gate].name);
    chart_end(&c);
}

static const char *says(const struct looked_at *l)
{
    switch (l->what) {
    case LOOKED_FOUND: return "a schedule breaks it";
    case LOOKED_CALM: return "it breaks without a fault";
    case LOOKED_NOTHING: return "nothing breaks it, within the bound";
    case LOOKED_SAMPLES: return "no sample breaks it; not exhausted";
    case LOOKED_IMPOSSIBLE: return "a part of the case";
    case LOOKED_NOT: break;
    }
    return "not asked";
}

static void put_quantile(struct text *t, const struct survival *s, uint32_t percent)
{
    uint64_t after = survival_quantile(s, percent);
    if (after == SURVIVAL_CENSORED)
        text_add(t, "<td class=\"n\">more</td>");
    else
        cell_u64(t, after);
}

static void put_gate(struct text *t, const struct gate_row *r, uint32_t *drawn)
{
    const struct survival *s = &r->alone.survival;
    text_add(t, "<tr><th scope=\"row\">");
    if (was_sampled(r))
        add_swatch(t, (*drawn)++);
    html_text(t, gate_table[r->gate].name);
    text_add(t, "</th><td>");
    html_text(t, says(&r->alone));
    text_add(t, "</td><td>");
    html_text(t, r->alone.what == LOOKED_FOUND || r->alone.what == LOOKED_CALM ? r->alone.invariant : "");
    text_add(t, "</td>");
    if (was_sampled(r)) {
        put_quantile(t, s, 50);
        put_quantile(t, s, 90);
        cell_u64(t, s->n - survival_found(s));
    } else {
        text_add(t, "<td></td><td></td><td></td>");
    }
    text_add(t, "<td>");
    for (uint32_t k = 0, n = 0; k < GATES; k++)
        if (r->covered >> k & 1) {
            text_add(t, n++ > 0 ? ", " : "");
            html_text(t, gate_table[k].name);
        }
    text_add(t, "</td></tr>\n");
}

static void put_gates(struct text *t, const struct search_row *row)
{
    uint32_t drawn = 0;
    text_add(t, "<h3>Gates taken away, one at a time</h3>\n");
    draw_survivals(t, row);
    text_add(t, "<p>How many of the searches have not found it yet.</p>\n<div class=\"wide\"><table><thead><tr>"
                "<th scope=\"col\">Without</th><th scope=\"col\">The case</th><th scope=\"col\">Breaks</th>"
                "<th scope=\"col\">Half of the searches found it after</th><th scope=\"col\">90 %</th>"
                "<th scope=\"col\">Never</th><th scope=\"col\">Covered by</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < row->gates->n; i++)
        put_gate(t, &row->gates->row[i], &drawn);
    text_add(t, "</tbody></table></div>\n");
}

/* --- the page --------------------------------------------------------------------------------------------------- */

void search_section(struct text *t, const struct search_row *row)
{
    text_add(t, "<section>\n<h2>");
    html_text(t, row->file);
    text_add(t, ", case ");
    html_text(t, row->case_name);
    text_add(t, "</h2>\n<p>");
    text_count(t, row->offers, "fault", "faults");
    text_add(t, " on the menu, within ");
    text_duration(t, row->horizon);
    text_add(t, ", seed ");
    text_u64(t, row->seed);
    text_add(t, ".</p>\n<h3>Abstract states</h3>\n");
    draw_growth(t, row);
    table_growth(t, row);
    if (row->gates != NULL && row->gates->n > 0)
        put_gates(t, row);
    text_add(t, "</section>\n");
}

void search_page(struct text *t, const struct text *sections, const char *pages)
{
    coverage_begin(t, "What searches cover", NULL);
    if (pages != NULL) {
        text_add(t, "<p><a href=\"");
        html_link(t, pages);
        text_add(t, "/index.html\">All scenarios</a></p>\n");
    }
    text_add(
        t,
        "<p>An abstract state says roughly where a world stands, without times and names. A search has seen what it "
        "can when no new one comes. Let N be its schedules so far, and f1 the states that just one of these passed: "
        "then the "
        "next schedule is expected to pass f1/N new ones. That is an estimate of independent samples (swarm, uniform, "
        "pct); of guided and branch it is a hint, and of single, which is a list with an end, it is "
        "nothing.</p>\n</header>\n"
        "<main>\n");
    text_bytes(t, sections->n > 0 ? sections->bytes : "", sections->n);
    coverage_end(t);
    t->failed = t->failed || sections->failed;
}
