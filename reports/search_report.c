/* SPDX-License-Identifier: MIT
 *
 * search_report.c - see search_report.h: as text and as JSON.
 */
#include "reports/search_report.h"

const char *search_strategy(uint32_t by) { return by == TOGETHER ? "portfolio" : arm_name[by]; }

/* After how many schedules the curve is told in a column of its own. */
static const uint64_t told[] = {10, 100, 1000, 10000, 100000};
#define TOLD (sizeof told / sizeof *told)

static void pad_u64(struct text *t, uint64_t v, int width)
{
    struct text cell = {0};
    text_u64(&cell, v);
    text_pad(t, text_c(&cell), -width);
    text_done(t, &cell);
}

static const struct growth_point *point_after(const struct growth *g, uint64_t schedules)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->point[i].schedules == schedules)
            return &g->point[i];
    return NULL;
}

/* f1/N, to a millionth: "0.037100". Of a list that has an end it says nothing. */
static void add_unseen(struct text *t, uint32_t by, const struct growth *g)
{
    if (by == ARM_SINGLE) {
        text_pad(t, "-", -11);
        return;
    }
    struct text share = {0};
    uint64_t ppm = growth_unseen(g);
    text_u64(&share, ppm / 1000000);
    text_char(&share, '.');
    for (uint64_t digit = 100000; digit > 0; digit /= 10)
        text_char(&share, (char)('0' + ppm / digit % 10));
    text_pad(t, text_c(&share), -11);
    text_done(t, &share);
}

static void add_growth(struct text *t, uint32_t by, const struct growth *g)
{
    text_add(t, "  ");
    text_pad(t, search_strategy(by), 11);
    pad_u64(t, g->schedules, 9);
    pad_u64(t, g->states, 8);
    pad_u64(t, g->last_new, 10);
    add_unseen(t, by, g);
    for (uint32_t i = 0; i < TOLD; i++) {
        const struct growth_point *p = point_after(g, told[i]);
        if (p != NULL)
            pad_u64(t, p->states, 9);
        else
            text_pad(t, "-", -9);
    }
    text_char(t, '\n');
}

void search_row_text(struct text *t, const struct search_row *row)
{
    text_shown(t, row->file);
    text_add(t, "  case ");
    text_shown(t, row->case_name);
    text_add(t, "\n  strategy   schedules  states  last new       f1/N after 10      100     1000    10000   100000\n");
    for (uint32_t by = 0; by <= ARMS; by++)
        add_growth(t, by == 0 ? TOGETHER : by - 1, &row->by[by == 0 ? TOGETHER : by - 1]);
    text_add(t, "  menu: ");
    text_count(t, row->offers, "fault", "faults");
    text_add(t, ", within ");
    text_duration(t, row->horizon);
    text_add(t, "; seed ");
    text_u64(t, row->seed);
    text_char(t, '\n');
}

static void json_growth(struct text *t, uint32_t by, const struct growth *g)
{
    text_comma(t);
    text_char(t, '{');
    text_key(t, "strategy");
    text_json(t, search_strategy(by));
    text_key_u64(t, "schedules", g->schedules);
    text_key_u64(t, "states", g->states);
    text_key_u64(t, "last_new", g->last_new);
    text_key_u64(t, "once", g->once);
    if (by != ARM_SINGLE)
        text_key_u64(t, "unseen_ppm", growth_unseen(g));
    text_key(t, "curve");
    text_char(t, '[');
    for (uint32_t i = 0; i < g->n; i++) {
        text_comma(t);
        text_char(t, '[');
        text_u64(t, g->point[i].schedules);
        text_char(t, ',');
        text_u64(t, g->point[i].states);
        text_char(t, ']');
    }
    text_add(t, "]}");
}

void search_row_json(struct text *t, const struct search_row *row)
{
    text_char(t, '{');
    text_key(t, "file");
    text_json(t, row->file);
    text_key(t, "case");
    text_json(t, row->case_name);
    text_key_u64(t, "seed", row->seed);
    text_key_u64(t, "menu", row->offers);
    text_key_u64(t, "horizon_ns", (uint64_t)row->horizon);
    text_key(t, "strategies");
    text_char(t, '[');
    for (uint32_t by = 0; by <= ARMS; by++)
        json_growth(t, by, &row->by[by]);
    text_add(t, "]}\n");
}
