/* SPDX-License-Identifier: MIT */
#include "scenarios/language/compiling.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/reading.h"
#include "sim/test.h"

struct planned planned;

const struct compiled *plan_of(const char *text, uint32_t i)
{
    compiled_free(planned.compiled);
    scenario_free(planned.scenario);
    planned.scenario = reads(text);
    planned.compiled = compiles(planned.scenario, i);
    return planned.compiled;
}

const struct compiled *plan_behind(const char *world, const char *lines)
{
    static char text[16384];
    int n = snprintf(text, sizeof text, "%s%s\n", world, lines);
    CHECK(n < (int)sizeof text);
    return plan_of(text, 0);
}

const struct expectation *last_expectation(const struct compiled *c)
{
    return c == NULL || c->n_expectations == 0 ? NULL : &c->expectations[c->n_expectations - 1];
}

const struct expr_op *first_op(const struct expectation *e)
{
    static const struct expr_op none = {.code = EX_END};
    return e == NULL || e->expr == NONE32 ? &none : &planned.compiled->model.exprs[e->expr];
}

static bool is_traced(const struct expectation *e, const struct traced *t)
{
    return e != NULL && e->what == EXPECT_EVENT && e->pattern.verb == t->verb && e->pattern.n_fields == t->fields &&
           (e->pattern.object == NONE16) == (t->object == NULL);
}

void check_traced(const char *world, const struct traced *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char line[200];
        snprintf(line, sizeof line, "at end: expect 13.001s  %s", lines[i].line);
        const struct expectation *e = last_expectation(plan_behind(world, line));
        if (!is_traced(e, &lines[i]))
            test_failed(__FILE__, __LINE__, "\"%s\" is read as something else", lines[i].line);
        else if (lines[i].object != NULL)
            CHECK_STR(name(planned.compiled, e->pattern.object), lines[i].object);
    }
}

void check_ops(const struct compiled *c, const uint8_t *ops, uint32_t n)
{
    CHECK_EQ(c->model.n_code, n);
    for (uint32_t i = 0; i < n && i < c->model.n_code; i++)
        if (c->model.code[i].op != ops[i])
            test_failed(__FILE__, __LINE__, "instruction %u is %u, not %u", i, c->model.code[i].op, ops[i]);
}

void check_expr(const struct compiled *c, uint32_t first, const uint16_t *codes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(c->model.exprs[first + i].code, codes[i]);
    CHECK_EQ(c->model.exprs[first + n].code, EX_END);
}

char *printed(const char *text)
{
    struct scenario *s = reads(text);
    size_t n = 0;
    char *out = s == NULL ? NULL : scenario_print(s, &n);
    scenario_free(s);
    return out;
}

void check_prints(const char *text, const char *canonical)
{
    char *once = printed(text), *twice = once == NULL ? NULL : printed(once);
    CHECK(once != NULL && twice != NULL);
    CHECK_STR(once == NULL ? "" : once, canonical);
    CHECK_STR(twice == NULL ? "" : twice, canonical);
    free(once);
    free(twice);
}
