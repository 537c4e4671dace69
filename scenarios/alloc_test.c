/* SPDX-License-Identifier: MIT
 *
 * alloc_test.c - memory is asked for when a scenario is loaded and when its world is made, and never after; and
 * when there is none, loading says so.
 */
#include <stdlib.h>

#include "model/query.h"
#include "scenarios/language/scenario.h"
#include "sim/test.h"

static const char text[] = "fencepost 1\n"
                           "scenario \"Two leaders, a store, faults\"\n"
                           "  source \"a test\"\n"
                           "  lesson \"A run allocates nothing.\"\n"
                           "\n"
                           "case fenced holds\n"
                           "\n"
                           "lock leader quorum voters 5 ttl 10s\n"
                           "store ledger\n"
                           "node w1 w2\n"
                           "until 2m\n"
                           "\n"
                           "w1, w2:\n"
                           "  on lease-lost: go on\n"
                           "  repeat 3:\n"
                           "    acquire leader\n"
                           "    keep leader\n"
                           "    read ledger as x\n"
                           "    work 12s\n"
                           "    if x = me:\n"
                           "      work 1s\n"
                           "    write ledger me\n"
                           "    release leader\n"
                           "\n"
                           "at 5s: pause w1 for 12s\n"
                           "at 30s: partition w1 leader.1 | w2 leader.2 for 20s holding\n"
                           "at 70s: crash w2 for 2s\n";

static struct scenario *parse(struct diags *diags)
{
    return scenario_parse(text, sizeof text - 1, "alloc_test", NULL, 0, diags);
}

TEST("a run allocates nothing, from its reset through snapshots to its verdict")
{
    struct diags diags = {0};
    struct scenario *s = parse(&diags);
    CHECK(s != NULL);
    if (!s) {
        test_failed(__FILE__, __LINE__, "line %u: %s", (unsigned)diags.row[0].line, diags.row[0].text);
        return;
    }
    struct compiled *c = scenario_compile(s, 0, 0, 0, &diags);
    CHECK(c != NULL);
    struct sim *sim = c ? sim_new(&c->sim, &fencepost_model, &c->model, SIM_KEEP_TRACE | SIM_DIGEST) : NULL;
    CHECK(sim != NULL);
    void *snapshot = malloc(1 << 20);
    if (sim && snapshot) {
        const struct violation *v;
        int64_t before = test_allocations();
        for (uint32_t round = 0; round < 2; round++) {
            sim_reset(sim, NULL, 0);
            for (uint32_t i = 0; sim_step(sim, -1) == SIM_RAN; i++) {
                if (i % 50 != 0)
                    continue;
                size_t size = sim_snapshot_size(sim);
                CHECK(size <= 1 << 20);
                sim_snapshot(sim, snapshot, size);
                sim_restore(sim, snapshot);
                sim_state_digest(sim);
            }
            query_violations(sim, &v);
        }
        CHECK(sim_steps(sim) > 200);
        CHECK_EQ(test_allocations(), before);
    }
    free(snapshot);
    if (sim)
        sim_free(sim);
    if (c)
        compiled_free(c);
    scenario_free(s);
    if (!test_counts_allocations())
        test_skip("allocations are not counted in this build");
}

/* Loads with the nth allocation failing; true when it got through without reaching the nth. */
static bool load_without(int64_t nth)
{
    struct diags diags = {0};
    bool whole = false;
    test_fail_allocation(nth);
    int64_t before = test_allocations();
    struct scenario *s = parse(&diags);
    struct compiled *c = s ? scenario_compile(s, 0, 0, 0, &diags) : NULL;
    struct sim *sim = c ? sim_new(&c->sim, &fencepost_model, &c->model, SIM_KEEP_TRACE | SIM_DIGEST) : NULL;
    whole = test_allocations() - before < nth;
    test_fail_allocation(0);
    CHECK(whole == (sim != NULL));
    if (!c)
        CHECK(diags.no_memory);
    if (sim)
        sim_free(sim);
    if (c)
        compiled_free(c);
    if (s)
        scenario_free(s);
    return whole;
}

TEST("whichever allocation fails, loading says that there is no memory")
{
    int64_t nth = 1;
    if (!test_counts_allocations()) {
        test_skip("no allocation can be made to fail in this build");
        return;
    }
    while (!load_without(nth) && nth < 10000)
        nth++;
    CHECK(nth > 3 && nth < 10000);
}
