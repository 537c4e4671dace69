/* SPDX-License-Identifier: MIT */
#include "scenarios/story.h"

#include "scenarios/run.h"
#include "sim/test.h"

#include <stdio.h>

#define LINES_ABOVE 2 /* of a scenario, before those of its story */

static char whole[16384];

static struct scenario *read_story(const char *text)
{
    struct diags diags = {0};
    int n = snprintf(whole, sizeof whole, "fencepost 1\nscenario \"a story\"\n%s", text);
    ASSERT(n > 0 && (size_t)n < sizeof whole);
    struct scenario *s = scenario_parse(whole, (size_t)n, "story.fence", NULL, 0, &diags);
    for (uint32_t i = 0; i < diags.n; i++)
        test_failed(__FILE__, __LINE__, "line %u: %s", (unsigned)diags.row[i].line, diags.row[i].text);
    return s;
}

static struct compiled *compile_case(const struct scenario *s, uint32_t i)
{
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    for (uint32_t k = 0; k < diags.n; k++)
        test_failed(__FILE__, __LINE__, "line %u: %s", (unsigned)diags.row[k].line, diags.row[k].text);
    return c;
}

static void tell_miss(const struct scenario *s, const struct compiled *c, const struct miss *miss)
{
    size_t length = 0;
    const char *at = scenario_line(s, c->expectations[miss->expectation].line, &length);
    test_failed(__FILE__, __LINE__, "case %s: not so: %.*s", c->name, at ? (int)length : 0, at ? at : "");
}

static void tell(const struct scenario *s, const struct compiled *c, const struct run *r)
{
    for (uint32_t k = 0; k < r->n_misses; k++)
        tell_miss(s, c, &r->misses[k]);
    for (uint32_t k = 0; k < r->n_violations; k++)
        test_failed(__FILE__, __LINE__, "case %s: broke %s at %" PRId64 " ns", c->name,
                    invariant_table[r->violation[k].invariant].name, r->violation[k].at);
    test_failed(__FILE__, __LINE__, "case %s: verdict %s, end %d, at %" PRId64 " ns", c->name, verdict_name[r->verdict],
                (int)r->end, r->end_ns);
}

static void play_case(const struct scenario *s, uint32_t i)
{
    struct compiled *c = compile_case(s, i);
    if (c == NULL)
        return;
    struct run *r = run_case(c, NULL);
    ASSERT(r != NULL);
    if (!r->as_expected)
        tell(s, c, r);
    run_free(r);
    const char *differs = run_verify(c);
    if (differs)
        test_failed(__FILE__, __LINE__, "case %s: played again, another %s", c->name, differs);
    compiled_free(c);
}

void story(const char *text)
{
    struct scenario *s = read_story(text);
    for (uint32_t i = 0; s != NULL && i < scenario_cases(s); i++)
        play_case(s, i);
    scenario_free(s);
}

void story_fails(const char *text, enum model_failure code, uint32_t line)
{
    struct scenario *s = read_story(text);
    struct compiled *c = s == NULL ? NULL : compile_case(s, 0);
    ASSERT(c != NULL);
    struct run *r = run_case(c, NULL);
    ASSERT(r != NULL);
    CHECK_EQ(r->verdict, VERDICT_ERROR);
    CHECK_EQ(r->end, END_FAILED);
    CHECK_EQ(r->fail_code, code);
    CHECK_EQ(r->fail_line, line + LINES_ABOVE);
    run_free(r);
    compiled_free(c);
    scenario_free(s);
}

TEST("the canary: a story that says what does not happen fails")
{
    struct scenario *s = read_story("case a holds\n"
                                    "store ledger\n"
                                    "node w1\n"
                                    "w1:\n"
                                    "  write ledger 1\n"
                                    "at end: expect ledger = 2\n");
    struct compiled *c = s == NULL ? NULL : compile_case(s, 0);
    ASSERT(c != NULL);
    struct run *r = run_case(c, NULL);
    ASSERT(r != NULL);
    CHECK(!r->as_expected);
    CHECK_EQ(r->n_misses, 1);
    run_free(r);
    compiled_free(c);
    scenario_free(s);
}
