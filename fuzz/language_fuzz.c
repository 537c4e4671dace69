/* SPDX-License-Identifier: MIT
 *
 * language_fuzz.c - the language under bytes that nobody wrote. For any input:
 *
 *  1. reading it ends, with a scenario or with problems, and never both or neither;
 *  2. the canonical form reads back, and prints as the same bytes;
 *  3. what is asked of a scenario answers alike before and after printing;
 *  4. one of its cases, as it stands or with a gate turned, compiles or says why not, and if it compiles it runs to an
 *     end or to its event limit: before printing as after.
 *
 * A million inputs are to take minutes: so a hash of the bytes says which case; a run has few steps; and a
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
#define STEPS_MAX 2000 /* enough for the stories of the library, little enough to try many */
#define EVENTS_MAX 512
#define CALLS_MAX 256
/* One of so many broken inputs may be a beginning for others: from a broken one comes hardly anything but another. */
#define BROKEN_KEPT 16

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

static void cut_down(struct compiled *c)
{
    struct sim_limits *l = &c->sim.limits;
    l->steps = l->steps < STEPS_MAX ? l->steps : STEPS_MAX;
    l->events = at_most(l->events, EVENTS_MAX);
    l->messages = at_most(l->messages, EVENTS_MAX);
    l->labels = at_most(l->labels, 1); /* no decision point is asked for */
    c->model.calls = at_most(c->model.calls, CALLS_MAX);
    c->sim.model_bytes = model_bytes(&c->model);
}

/* Which case, without which gates, with which put back. */
struct variant {
    uint32_t i, without, put_back;
};

/* As written, in half of the inputs; else with one gate less, or one more. */
static struct variant choose(uint64_t hash, uint32_t cases)
{
    struct variant v = {(uint32_t)(hash % cases), 0, 0};
    uint32_t gate = (uint32_t)(hash >> 32) % GATES;
    if (gate_table[gate].built && (hash >> 24) % 4 == 0)
        v.without = UINT32_C(1) << gate;
    else if (gate_table[gate].built && (hash >> 24) % 4 == 1)
        v.put_back = UINT32_C(1) << gate;
    return v;
}

static struct outcome run_case(const struct scenario *s, struct variant variant)
{
    struct outcome out = {0};
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, variant.i, variant.without, variant.put_back, &diags);
    must((c == NULL) == (diags.n > 0 || diags.no_memory));
    if (!c)
        return out;
    out.compiles = 1;
    cut_down(c);
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

static bool same_text(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static void ask(const struct scenario *s, const struct scenario *again)
{
    size_t length;
    must(same_text(scenario_title(s), scenario_title(again)));
    must(same_text(scenario_source(s), scenario_source(again)));
    must(same_text(scenario_lesson(s), scenario_lesson(again)));
    must(scenario_decided_by(s) == scenario_decided_by(again) && scenario_asks(s) == scenario_asks(again));
    must(scenario_to_mend(s) == scenario_to_mend(again));
    must((scenario_change(s) == 0) == (scenario_to_mend(s) < 0));
    must(same_text(scenario_reach(s), scenario_reach(again)));
    must(same_text(scenario_reach_words(s), scenario_reach_words(again)));
    must(scenario_cases(s) == scenario_cases(again));
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        must(same_text(scenario_case_name(s, i), scenario_case_name(again, i)));
        must(scenario_case_find(again, scenario_case_name(s, i)) == (int32_t)i);
    }
    must(scenario_line(s, 1, &length) != NULL && length > 0);
}

static void run_a_case(const struct scenario *s, const struct scenario *again, uint64_t hash)
{
    uint32_t cases = scenario_cases(s);
    if (cases > 0) {
        struct variant v = choose(hash, cases);
        must(same(run_case(s, v), run_case(again, v)));
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
    ask(s, again);
    run_a_case(s, again, hash_bytes(data, size));

    free(printed);
    free(printed_again);
    scenario_free(again);
    scenario_free(s);
    return 0;
}

/* --- how inputs are made ------------------------------------------------------------------------- */

#define BLIND_PERCENT 4   /* of changes that know nothing of lines and words */
#define REPAIR_PERCENT 30 /* of changes after which the file has to read again */

/* An input that was kept because it is broken in a new way would only lead to others that are broken. */
static size_t finished(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return hash_bytes(&seed, sizeof seed) % 100 < REPAIR_PERCENT ? language_repair(data, size, max_size) : size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size == 0 || seed % 100 < BLIND_PERCENT)
        return LLVMFuzzerMutate(data, size, max_size);
    return finished(data, language_mutate(data, size, max_size, seed), max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed)
{
    return finished(out, language_cross(data1, size1, data2, size2, out, max_out_size, seed), max_out_size, seed);
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
