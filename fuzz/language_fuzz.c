/* SPDX-License-Identifier: MIT
 *
 * language_fuzz.c - the language under bytes that nobody wrote. For any input:
 *
 *  1. reading it ends, with a scenario or with problems, and never both or neither;
 *  2. the canonical form reads back, and prints as the same bytes;
 *  3. each of its cases (the first few) compiles or says why not, alike before and after printing, and
 *     what compiles runs to an end or to its event limit, twice the same.
 */
#include <stdlib.h>
#include <string.h>

#include "model/query.h"
#include "scenarios/language/scenario.h"

#define CASES_MAX 4
#define STEPS_MAX 5000 /* enough for every story of the library, little enough to try many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding for whoever runs this: a fuzzer, a driver, a sanitizer. */
static void must(bool ok)
{
    if (!ok)
        abort();
}

struct outcome {
    uint64_t digest, steps;
    uint32_t compiles, violations;
};

static struct outcome run_case(const struct scenario *s, uint32_t i)
{
    struct outcome out = {0};
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct sim *sim;
    must((c == NULL) == (diags.n > 0 || diags.no_memory));
    if (!c)
        return out;
    out.compiles = 1;
    if (c->sim.limits.steps > STEPS_MAX)
        c->sim.limits.steps = STEPS_MAX;
    sim = sim_new(&c->sim, &fencepost_model, &c->model, SIM_DIGEST);
    if (sim) {
        const struct violation *v;
        sim_reset(sim, NULL, 0);
        while (sim_step(sim, -1) == SIM_RAN)
            ;
        out.digest = sim_trace_digest(sim);
        out.steps = sim_steps(sim);
        out.violations = query_violations(sim, &v);
        sim_free(sim);
    }
    compiled_free(c);
    return out;
}

static bool same(struct outcome a, struct outcome b)
{
    return a.digest == b.digest && a.steps == b.steps && a.compiles == b.compiles && a.violations == b.violations;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diags diags = {0};
    struct scenario *s = scenario_parse((const char *)data, size, "input", NULL, 0, &diags);
    must((s == NULL) == (diags.n > 0 || diags.no_memory));
    if (!s)
        return 0;

    size_t n = 0, n2 = 0;
    char *printed = scenario_print(s, &n);
    must(printed != NULL);
    struct scenario *again = scenario_parse(printed, n, "printed", NULL, 0, &diags);
    must(again != NULL);
    char *printed_again = scenario_print(again, &n2);
    must(printed_again != NULL && n == n2 && memcmp(printed, printed_again, n) == 0);

    uint32_t cases = scenario_cases(s);
    must(cases == scenario_cases(again));
    for (uint32_t i = 0; i < cases && i < CASES_MAX; i++)
        must(same(run_case(s, i), run_case(again, i)));

    free(printed);
    free(printed_again);
    scenario_free(again);
    scenario_free(s);
    return 0;
}
