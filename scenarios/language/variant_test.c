/* SPDX-License-Identifier: MIT
 *
 * variant_test.c - cases with gates turned: what runs on, and what is said of those that cannot.
 */
#include "model/plan.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

static struct compiled *turned(const char *text, uint32_t without, uint32_t put_back, struct diags *d)
{
    struct scenario *s = reads(text);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, without, put_back, d);
    scenario_free(s);
    return c;
}

#define BIT(gate) (UINT32_C(1) << (gate))

TEST("in a variant a line that names what is not there is inert, a step fails with `refused`")
{
    static const char text[] =
        "fencepost 1\ncase a holds\nqueue q lease 3s\n  job \"a\"\n  [complete-token] job \"b\"\n"
        "[complete-token] node w2\nnode w1\n[complete-token] w2: wait 1s\n"
        "w1:\n  requeue job \"b\"\n  requeue job \"a\"\n  reap q\n"
        "at 1s: heal\nat 1s: pause w1 w2\nat 2s: pause w1\nat 2s: expect job \"b\" waiting\n"
        "at 2s: expect w2 restarts\nwithin 1s: expect w1 requeues \"a\"\n";
    struct diags d;
    struct compiled *c = turned(text, BIT(GATE_COMPLETE_TOKEN), 0, &d);
    CHECK(c != NULL);
    if (c == NULL)
        return;
    CHECK(c->sim.n_faults == 2 && c->sim.faults[1].kind == FAULT_PAUSE && c->sim.faults[1].a.n == 1);
    CHECK(c->model.code[0].op == OP_REQUIRE && c->model.code[1].op == OP_REQUEUE);
    const struct expr_op *no = &c->model.exprs[c->model.code[0].expr];
    CHECK(no[0].code == EX_CONST && no[0].tag == TAG_BOOL && no[0].imm == 0 && no[1].code == EX_END);
    CHECK_EQ(c->n_expectations, 2); /* a state of a job that is absent, and the last */
    compiled_free(c);
}

TEST("a variant that cannot run is told with its gate and the reason")
{
    static const char brief[] =
        "fencepost 1\ncase a without lease-covers-work holds\nqueue q lease 2s\n  [-lease-covers-work] renew 1s\n"
        "node w1\nw1: reap q\n";
    static const char block[] = "fencepost 1\ncase a holds\nqueue q lease 3s\nnode w1\nw1:\n"
                                "  [complete-token] claim q 2 as batch\n  for job in batch: complete job\n";
    struct diags d;
    CHECK(turned(brief, 0, BIT(GATE_LEASE_COVERS_WORK), &d) == NULL);
    CHECK(d.n == 1 && d.row[0].line == 3);
    CHECK_STR(
        d.row[0].text,
        "case 'a' cannot run with lease-covers-work put back: a job's lease is at least 3s: beats come every third "
        "of it, and two may be lost; only a case without lease-covers-work may have less");
    CHECK(turned(block, BIT(GATE_COMPLETE_TOKEN), 0, &d) == NULL);
    CHECK(d.n == 1 && d.row[0].line == 7);
    CHECK(starts_with(d.row[0].text, "case 'a' cannot run without complete-token: "));
}

TEST("`renew` is for the rhythm without lease-covers-work, and means nothing once that is put back")
{
    struct diags d;
    struct compiled *c = turned("fencepost 1\ncase a without lease-covers-work holds\nqueue q lease 9s renew 1s\n"
                                "node w1\nw1: reap q\n",
                                0, BIT(GATE_LEASE_COVERS_WORK), &d);
    CHECK(c != NULL && c->model.queues[0].renew == 3 * NS_PER_S);
    compiled_free(c);
}
