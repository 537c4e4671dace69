/* SPDX-License-Identifier: MIT
 *
 * situations_test.c - the table of situations, as text, JSON and page.
 */
#include "reports/situations.h"

#include "scenarios/played.h"
#include "sim/test.h"

static const char paused[] = "fencepost 1\nscenario \"x\"\ncase one holds\ncase two holds\nlock leader central ttl 9s\n"
                             "node w1\nw1:\n  acquire leader\n  work 2s\nat 1s: pause w1 for 1ms\n"
                             "[two] at 1.5s: crash w1 for 1s\n";

static void add(struct situation_table *t, const char *case_name)
{
    struct played_case p = played(paused, case_name, 0);
    if (p.run != NULL)
        situation_table_case(t, p.run);
    played_free(&p);
}

/* Two files, the first with a case, the second with two. */
static struct situation_table *table(const char *page)
{
    static struct situation_table t;
    situation_table_begin(&t);
    situation_table_file(&t, "a.fence", page);
    add(&t, "one");
    situation_table_file(&t, "b<c>.fence", page == NULL ? NULL : "b%c.html");
    add(&t, "one");
    add(&t, "two");
    CHECK(!t.failed);
    return &t;
}

static const struct situation_row *row(const struct situation_table *t, const char *name)
{
    CHECK(situation_find(name) != NONE32);
    return &t->row[situation_find(name)];
}

TEST("a cell belongs to the first case that reached it, and counts the others")
{
    struct situation_table *t = table(NULL);
    CHECK_EQ(row(t, "pause:working")->cases, 3);
    CHECK_EQ(row(t, "pause:working")->file, 0);
    CHECK_STR(row(t, "pause:working")->case_name, "one");
    CHECK_EQ(row(t, "pause:working")->at, NS_PER_S);
    CHECK_EQ(row(t, "crash:working")->cases, 1);
    CHECK_EQ(row(t, "crash:working")->file, 1);
    CHECK_STR(row(t, "crash:working")->case_name, "two");
    CHECK_EQ(row(t, "crash:idle")->cases, 0);
    CHECK_EQ(t->cases, 3);
    situation_table_free(t);
}

TEST("what no run can reach is left out of every count, and reached all the same is told")
{
    struct situation_table *t = table(NULL);
    struct situation_count all = situation_table_total(t), side = situation_table_count(t, SIDE_PROGRAM);
    CHECK_EQ(all.reached, 2);
    CHECK_EQ(side.reached, 2);
    CHECK(side.never > 0 && all.never > side.never && all.reachable > side.reachable);
    CHECK_EQ(situation_table_contradiction(t), NONE32);
    uint32_t cell = situation_find("slow:idle");
    t->row[cell].cases = 1;
    CHECK_EQ(situation_table_contradiction(t), cell);
    CHECK_EQ(situation_table_total(t).reached, 2);
    t->row[cell].cases = 0;
    situation_table_free(t);
}

static bool says(struct text *t, const char *what) { return strstr(text_c(t), what) != NULL; }

TEST("as text: a line a cell, with the first case, the reason, or nothing")
{
    struct situation_table *t = table(NULL);
    struct text out = {0};
    situation_table_text(&out, t);
    CHECK(says(&out, "\n  pause:working                                 3  a.fence:one 1.000s\n"));
    CHECK(says(&out, "\n  crash:idle                                    -\n"));
    CHECK(says(&out, "  never: only a service answers\n"));
    CHECK(says(&out, "\n2 scenarios, 3 cases: 2 of "));
    text_free(&out);
    situation_table_free(t);
}

TEST("as JSON: every cell once")
{
    struct situation_table *t = table(NULL);
    struct text out = {0};
    situation_table_json(&out, t);
    CHECK(says(&out, "{\"scenarios\":2,\"cases\":3,\"reachable\":"));
    CHECK(says(&out, "{\"cell\":\"pause:working\",\"words\":\"pause, working under a lock\",\"victims\":\"programs\","
                     "\"cases\":3,\"first\":{\"file\":\"a.fence\",\"case\":\"one\",\"at_ns\":1000000000},"
                     "\"never\":null}"));
    CHECK(says(&out, "\"cell\":\"crash:idle\",\"words\":\"crash, holding nothing, asking for nothing\",\"victims\":"
                     "\"programs\",\"cases\":0,\"first\":null,\"never\":null}"));
    text_free(&out);
    situation_table_free(t);
}

TEST("the page has a number for each cell, a link to the first run, what is missing in words, and the reasons")
{
    struct situation_table *t = table("pages/a.html");
    struct text out = {0}, again = {0};
    situation_page(&out, t, NULL);
    CHECK(says(&out,
               "<td class=\"more\"><a href=\"pages/a.html#case=one&amp;t=1.000\" title=\"a.fence, case one, 1.000s\">3"
               "</a></td>"));
    CHECK(says(&out,
               "<td class=\"one\"><a href=\"b%25c.html#case=two&amp;t=1.500\" title=\"b&lt;c&gt;.fence, case two, "));
    CHECK(says(&out, "<td class=\"none\">0</td>"));
    CHECK(says(&out, "<td class=\"cannot\" title=\"only a service answers\">cannot</td>"));
    CHECK(says(&out, "<li>crash, holding nothing, asking for nothing: <code>crash:idle</code></li>"));
    CHECK(says(&out, "<li>only a service answers: <code>slow:idle</code>, <code>slow:acquiring</code>"));
    CHECK(says(&out, "<p>2 of "));
    CHECK(!says(&out, "<script"));
    situation_page(&again, t, NULL);
    CHECK_STR(text_c(&again), text_c(&out));
    text_free(&out);
    text_free(&again);
    situation_table_free(t);
}

TEST("a scenario without a page is named, and leads nowhere")
{
    struct situation_table *t = table(NULL);
    struct text out = {0};
    situation_page(&out, t, NULL);
    CHECK(says(&out, "<span title=\"a.fence, case one, 1.000s\">3</span>"));
    CHECK(!says(&out, "<a "));
    text_free(&out);
    situation_table_free(t);
}

TEST("where all is reached, the page says so")
{
    struct situation_table *t = table(NULL);
    struct text out = {0};
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i) && situation_never(i) == NULL && t->row[i].cases == 0) {
            t->row[i].cases = 1;
            t->row[i].file = 0;
        }
    situation_page(&out, t, NULL);
    CHECK(says(&out, "Each situation that a run can reach is reached by some scenario."));
    CHECK(!says(&out, "<td class=\"none\">"));
    text_free(&out);
    situation_table_free(t);
}

TEST("a table that has no memory says so")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail here");
        return;
    }
    for (int64_t nth = 1; nth <= 3; nth++) {
        static struct situation_table t;
        situation_table_begin(&t);
        test_fail_allocation(nth);
        situation_table_file(&t, "a.fence", "a.html");
        test_fail_allocation(0);
        CHECK(t.failed);
        situation_table_free(&t);
    }
}
