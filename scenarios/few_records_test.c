/* SPDX-License-Identifier: MIT */
#include "scenarios/few_records.h"

#include "scenarios/language/reading.h"
#include "sim/test.h"

#define FEW 16384

void few_records(struct compiled *c)
{
    if (c->sim.limits.records > FEW)
        c->sim.limits.records = FEW;
}

struct run *run_few(struct compiled *c, const struct run_options *options)
{
    uint32_t all = c->sim.limits.records;
    few_records(c);
    struct run *r = run_case(c, options);
    if (r == NULL || r->end != END_FULL || c->sim.limits.records == all)
        return r;
    run_free(r);
    c->sim.limits.records = all;
    return run_case(c, options);
}

/* Each wait makes a record; and there are a few more. */
static void check_run(const char *text, enum run_end end, uint64_t at_least, uint32_t kept)
{
    struct scenario *s = reads(text);
    struct compiled *c = compiles(s, 0);
    struct run *r = c == NULL ? NULL : run_few(c, NULL);
    CHECK(r != NULL);
    if (r != NULL) {
        CHECK_EQ(r->end, end);
        CHECK(r->records >= at_least);
        CHECK_EQ(c->sim.limits.records, kept);
    }
    run_free(r);
    compiled_free(c);
    scenario_free(s);
}

TEST("a run of few records reserves few; a longer one is played whole, up to the limit of its scenario")
{
    check_run("fencepost 1\ncase a holds\nnode w1\nw1:\n  repeat 1000:\n    work 1s\n", END_IDLE, 1000, FEW);
    check_run("fencepost 1\ncase a holds\nnode w1\nw1:\n  repeat 20000:\n    work 1s\n", END_IDLE, 20000, 1000000);
    check_run("fencepost 1\ncase a holds\nlimit records 20000\nnode w1\nw1:\n  repeat 30000:\n    work 1s\n", END_FULL,
              20000, 20000);
    check_run("fencepost 1\ncase a holds\nlimit records 10\nnode w1\nw1:\n  repeat 1000:\n    work 1s\n", END_FULL, 10,
              10);
}
