/* SPDX-License-Identifier: MIT
 *
 * library_test.c - what holds for the whole library of scenarios: runs repeat, gates are no decoration,
 * cures are no standing still.
 */
#include "scenarios/library.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/files.h"
#include "scenarios/run.h"
#include "sim/test.h"

static void visit_file(const char *path, visit_fn visit, void *context)
{
    char *bytes = NULL;
    size_t n = 0;
    int error = 0;
    struct diags diags = {0};
    CHECK_EQ(file_read(path, &bytes, &n, &error), FILE_OK);
    struct scenario *s = bytes ? scenario_parse(bytes, n, path, NULL, 0, &diags) : NULL;
    if (!s)
        test_failed(path, (int)diags.row[0].line, "%s", diags.row[0].text);
    for (uint32_t i = 0; s && i < scenario_cases(s); i++)
        visit(path, s, i, context);
    scenario_free(s);
    free(bytes);
}

void visit_library(visit_fn visit, void *context)
{
    struct files files = {0};
    CHECK_EQ(files_add(&files, "scenarios"), FILE_OK);
    for (size_t i = 0; i < files.n; i++)
        visit_file(files.path[i], visit, context);
    files_free(&files);
}

static struct compiled *compile(const char *path, const struct scenario *s, uint32_t i, uint32_t without)
{
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, without, 0, &diags);
    if (!c)
        test_failed(path, (int)diags.row[0].line, "case %s: %s", scenario_case_name(s, i), diags.row[0].text);
    return c;
}

static void verify(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    uint32_t *cases = context;
    struct compiled *c = compile(path, s, i, 0);
    if (!c)
        return;
    const char *differs = run_verify(c);
    if (differs)
        test_failed(path, 0, "case %s: %s", scenario_case_name(s, i), differs);
    compiled_free(c);
    ++*cases;
}

TEST("every case of the library runs the same twice, and from a snapshot restored in mid-run")
{
    uint32_t cases = 0;
    visit_library(verify, &cases);
    CHECK(cases > 60);
}

/* --- gates ------------------------------------------------------------------------------- */

static bool breaks_without(const char *path, const struct scenario *s, uint32_t i, uint32_t gate)
{
    struct compiled *c = compile(path, s, i, UINT32_C(1) << gate);
    struct run_options options = {.plain = false};
    struct run *r = c ? run_case(c, &options) : NULL;
    bool breaks = r && r->verdict == VERDICT_VIOLATES;
    run_free(r);
    if (c)
        compiled_free(c);
    return breaks;
}

struct gate_count {
    uint32_t turned[GATES];
};

static void try_gates(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct gate_count *count = context;
    struct compiled *c = compile(path, s, i, 0);
    bool holds = c && !c->violates;
    uint32_t removed = c ? c->model.removed : 0;
    if (c)
        compiled_free(c);
    for (uint32_t g = 0; holds && g < GATES; g++)
        if (gate_table[g].built && count->turned[g] == 0 && !(removed >> g & 1))
            count->turned[g] += breaks_without(path, s, i, g);
}

TEST("each gate, taken from the cases that hold, makes at least one of them violate")
{
    struct gate_count count = {{0}};
    visit_library(try_gates, &count);
    for (uint32_t g = 0; g < GATES; g++)
        if (gate_table[g].built && count.turned[g] == 0)
            test_failed(__FILE__, __LINE__, "no case needs the gate %s", gate_table[g].name);
}

/* --- cures ---------------------------------------------------------------------------------- */

static bool is_fault(uint16_t verb)
{
    switch (verb) {
    case V_PAUSES:
    case V_SUSPENDS:
    case V_CRASHES:
    case V_PARTITIONS:
    case V_CUTS:
    case V_LOSES:
    case V_HOLDS:
    case V_DELAYS:
    case V_DUPLICATES:
    case V_REORDERS:
    case V_SLOWS:
    case V_JUMPS:
    case V_DRIFTS:
    case V_SLEWS: return true;
    default: return false;
    }
}

static bool is_work(uint16_t verb)
{
    return verb == V_COMMITS || verb == V_REMOVES || verb == V_ACQUIRES || verb == V_EFFECTS || verb == V_RENEWED ||
           verb == V_FINISHES;
}

static void see_work(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    uint32_t *seen = context;
    struct compiled *c = compile(path, s, i, 0);
    struct run *r = c && !c->violates ? run_case(c, NULL) : NULL;
    uint32_t n = 0;
    const struct record *trace = r ? sim_trace(r->sim, &n) : NULL;
    bool struck = r && c->sim.n_faults == 0, useful = false;
    for (uint32_t k = 0; k < n; k++) {
        struck = struck || is_fault(trace[k].verb);
        useful = useful || (struck && is_work(trace[k].verb));
    }
    if (r && !useful)
        test_failed(path, 0, "case %s: no fault strikes, or nothing useful is done after it", scenario_case_name(s, i));
    *seen += r != NULL;
    run_free(r);
    if (c)
        compiled_free(c);
}

TEST("in every case that holds the fault strikes and useful work is done after it")
{
    uint32_t seen = 0;
    visit_library(see_work, &seen);
    CHECK(seen > 30);
}

/* --- what the end of a run decides --------------------------------------------------------------- */

static bool names(const struct compiled *c, uint32_t invariant)
{
    for (uint32_t i = 0; i < c->n_expected; i++)
        if (c->expected[i].invariant == invariant)
            return true;
    return false;
}

static void decide(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    uint32_t *named = context;
    struct compiled *c = compile(path, s, i, 0);
    struct run *r = c ? run_case(c, NULL) : NULL;
    for (uint32_t k = 0; r && k < r->n_undecided; k++)
        if (names(c, r->undecided[k].invariant))
            test_failed(path, 0, "case %s names %s, which stays undecided", scenario_case_name(s, i),
                        invariant_table[r->undecided[k].invariant].name);
    *named += c && (names(c, INV_NO_LOST_JOB) || names(c, INV_LINEARIZABLE));
    run_free(r);
    compiled_free(c);
}

TEST("no case that names no-lost-job or linearizable ends undecided, and some do name them")
{
    uint32_t named = 0;
    visit_library(decide, &named);
    CHECK(named >= 2);
}
