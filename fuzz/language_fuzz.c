/* SPDX-License-Identifier: MIT
 *
 * language_fuzz.c - the language under bytes that nobody wrote. For any input:
 *
 *  1. reading it ends, with a scenario or with problems, and never both or neither;
 *  2. the canonical form reads back, and prints as the same bytes;
 *  3. two of its cases compile or say why not, alike before and after printing, and what compiles runs to an
 *     end or to its event limit, twice the same.
 *
 * A million inputs are to take minutes: so which two cases, a hash of the bytes says; a run has few steps; and a
 * capacity that the language would give a story for its worst hour is cut down to what so short a run can use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/language_fuzz_mutate.h"
#include "fuzz/target.h"
#include "model/query.h"
#include "scenarios/language/scenario.h"

#define INPUT_MAX 65536
#define CASES_MAX 2
#define STEPS_MAX 2000 /* enough for the stories of the library, little enough to try many */
#define EVENTS_MAX 1024
/* One of so many broken inputs may be a beginning for others: from a broken one comes hardly anything but another. */
#define BROKEN_KEPT 64

static uint64_t inputs, scenarios;

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

static uint32_t at_most(uint32_t n, uint32_t max) { return n < max ? n : max; }

static void cut_down(struct sim_limits *l)
{
    l->steps = l->steps < STEPS_MAX ? l->steps : STEPS_MAX;
    l->events = at_most(l->events, EVENTS_MAX);
    l->messages = at_most(l->messages, EVENTS_MAX);
    l->labels = at_most(l->labels, 1); /* no decision point is asked for */
}

static struct outcome run_case(const struct scenario *s, uint32_t i)
{
    struct outcome out = {0};
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    must((c == NULL) == (diags.n > 0 || diags.no_memory));
    if (!c)
        return out;
    out.compiles = 1;
    cut_down(&c->sim.limits);
    struct sim *sim = sim_new(&c->sim, &fencepost_model, &c->model, SIM_DIGEST);
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

static void run_cases(const struct scenario *s, const struct scenario *again, uint64_t hash)
{
    uint32_t cases = scenario_cases(s);
    must(cases == scenario_cases(again));
    for (uint32_t i = 0; i < cases && i < CASES_MAX; i++) {
        uint32_t chosen = (uint32_t)((hash + i) % cases);
        must(same(run_case(s, chosen), run_case(again, chosen)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return -1;
    struct diags diags = {0};
    struct scenario *s = scenario_parse((const char *)data, size, "input", NULL, 0, &diags);
    must((s == NULL) == (diags.n > 0 || diags.no_memory));
    inputs++;
    if (!s)
        return hash_bytes(data, size) % BROKEN_KEPT == 0 ? 0 : -1;
    scenarios++;

    size_t n = 0, n2 = 0;
    char *printed = scenario_print(s, &n);
    must(printed != NULL);
    struct scenario *again = scenario_parse(printed, n, "printed", NULL, 0, &diags);
    must(again != NULL);
    char *printed_again = scenario_print(again, &n2);
    must(printed_again != NULL && n == n2 && memcmp(printed, printed_again, n) == 0);
    run_cases(s, again, hash_bytes(data, size));

    free(printed);
    free(printed_again);
    scenario_free(again);
    scenario_free(s);
    return 0;
}

/* --- how inputs are made ------------------------------------------------------------------------- */

#define BLIND_PERCENT 4 /* of changes that know nothing of lines and words */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size == 0 || seed % 100 < BLIND_PERCENT)
        return LLVMFuzzerMutate(data, size, max_size);
    return language_mutate(data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed)
{
    return language_cross(data1, size1, data2, size2, out, max_out_size, seed);
}

/* --- what it was worth ----------------------------------------------------------------------------- */

/* Most inputs should get as far as a run. */
static void say_share(void)
{
    fprintf(stderr, "language: %llu inputs, %llu read as scenarios\n", (unsigned long long)inputs,
            (unsigned long long)scenarios);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return atexit(say_share);
}
