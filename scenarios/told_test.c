/* SPDX-License-Identifier: MIT */
#include "scenarios/told.h"

#include <stdio.h>

#include "sim/test.h"

struct told tell(const char *text)
{
    static char whole[4096];
    struct told t = {NULL, NULL, NULL};
    struct diags diags = {0};
    int n = snprintf(whole, sizeof whole, "fencepost 1\nscenario \"A test\"\n%s", text);
    CHECK(n > 0 && n < (int)sizeof whole);
    t.scenario = scenario_parse(whole, (size_t)n, "told_test", NULL, 0, &diags);
    t.compiled = t.scenario ? scenario_compile(t.scenario, 0, 0, 0, &diags) : NULL;
    t.s = t.compiled ? sim_new(&t.compiled->sim, &fencepost_model, &t.compiled->model, 0) : NULL;
    if (t.s == NULL)
        test_failed(__FILE__, __LINE__, "line %u: %s", (unsigned)diags.row[0].line, diags.row[0].text);
    return t;
}

void told_free(struct told *t)
{
    if (t->s)
        sim_free(t->s);
    if (t->compiled)
        compiled_free(t->compiled);
    if (t->scenario)
        scenario_free(t->scenario);
}

void run_to(struct sim *s, ns at)
{
    while (sim_next_at(s) <= at && sim_step(s, at) == SIM_RAN)
        ;
}
