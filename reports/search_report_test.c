/* SPDX-License-Identifier: MIT
 *
 * search_report_test.c - what searches cover, as text, JSON and page.
 */
#include "reports/search_report.h"

#include <stdlib.h>

#include "sim/test.h"

/* Of hand-made numbers: 20 schedules of each strategy. */
static struct search_row *row(void)
{
    static struct search_row r;
    r = (struct search_row){.file = "a<b>.fence", .case_name = "one", .schedules = 20, .seed = 7, .offers = 3};
    r.horizon = 5 * NS_PER_S;
    for (uint32_t by = 0; by <= ARMS; by++)
        r.by[by] = (struct growth){.schedules = 20,
                                   .last_new = 12,
                                   .states = 8 + by,
                                   .once = 3,
                                   .n = 3,
                                   .point = {{1, 2, 2}, {10, 6, 4}, {20, 8 + by, 3}}};
    return &r;
}

static bool says(struct text *t, const char *what) { return strstr(text_c(t), what) != NULL; }

TEST("growth as text: a line a strategy, the portfolio first; of a list with an end nothing is said of what is to come")
{
    struct text t = {0};
    search_row_text(&t, row());
    CHECK(says(&t, "a<b>.fence  case one\n"));
    CHECK(says(&t, "  portfolio         20      14        12   0.150000        6        -"));
    CHECK(says(&t, "  single            20       8        12          -        6        -"));
    CHECK(says(&t, "  menu: 3 faults, within 5s; seed 7\n"));
    text_free(&t);
}

TEST("growth as JSON: the whole curve")
{
    struct text t = {0};
    search_row_json(&t, row());
    CHECK(says(&t, "\"strategy\":\"swarm\",\"schedules\":20,\"states\":9,\"last_new\":12,\"once\":3,\"unseen_ppm\":"
                   "150000,\"curve\":[[1,2],[10,6],[20,9]]}"));
    text_free(&t);
}

TEST("the page draws a curve a strategy, on a logarithmic axis, and has the numbers beside it")
{
    struct text section = {0}, t = {0};
    search_section(&section, row());
    search_page(&t, &section, "<up>");
    CHECK(says(&t, "<a href=\"%3cup%3e/index.html\">All scenarios</a>"));
    CHECK(says(&t, "<h2>a&lt;b&gt;.fence, case one</h2>"));
    /* 20 schedules are as wide as the plot, 10 are 1/1.301 of it */
    CHECK(says(&t, "<polyline class=\"c0\" points=\"56,"));
    CHECK(says(&t, "486,"));
    CHECK(says(&t, "616,"));
    CHECK(says(&t, "portfolio</th><td class=\"n\">20</td><td class=\"n\">14</td><td class=\"n\">12</td>"));
    CHECK(!says(&t, "Gates taken away"));
    CHECK(!says(&t, "<script"));
    text_clear(&t);
    search_page(&t, &section, NULL);
    CHECK(!says(&t, "All scenarios"));
    text_free(&section);
    text_free(&t);
}

TEST("a removed gate's curve falls where a search found it, and those that never did stay above")
{
    struct search_row *r = row();
    struct gates *g = calloc(1, sizeof *g);
    struct text t = {0};
    g->n = 2;
    g->row[0] = (struct gate_row){.gate = GATE_STORE_TOKEN,
                                  .alone = {.what = LOOKED_FOUND, .invariant = "no-stale-write"}};
    survival_begin(&g->row[0].alone.survival, 100);
    survival_add(&g->row[0].alone.survival, 10);
    survival_add(&g->row[0].alone.survival, SURVIVAL_CENSORED);
    g->row[1] = (struct gate_row){.gate = GATE_LEASE_CHECK, .alone = {.what = LOOKED_NOTHING}, .covered = 1};
    r->gates = g;
    r->gate_schedules = 100;
    search_section(&t, r);
    CHECK(says(&t, "points=\"56,12 336,12 336,122 616,122 \"><title>store-token</title>"));
    CHECK(says(&t, "store-token</th><td>a schedule breaks it</td><td>no-stale-write</td><td class=\"n\">10</td>"
                   "<td class=\"n\">more</td><td class=\"n\">1</td>"));
    CHECK(says(&t, "lease-check</th><td>nothing breaks it, within the bound</td><td></td><td></td><td></td><td></td>"
                   "<td>store-token</td>"));
    text_free(&t);
    free(g);
}

TEST("a search that played nothing is drawn as nothing")
{
    static struct search_row r = {.file = "a", .case_name = "b"};
    struct text t = {0};
    search_section(&t, &r);
    CHECK(says(&t, "points=\"\"><title>portfolio</title>"));
    CHECK(!t.failed);
    text_free(&t);
}
