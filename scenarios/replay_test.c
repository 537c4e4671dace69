/* SPDX-License-Identifier: MIT
 *
 * replay_test.c - what `decided-by` asks of a file.
 */
#include <string.h>

#include "scenarios/replay.h"
#include "sim/test.h"

static struct decision decided(const char *text)
{
    struct diags diags = {0};
    struct decision d = {0};
    struct scenario *s = scenario_parse(text, strlen(text), "a.fence", NULL, 0, &diags);
    CHECK(s != NULL);
    if (s != NULL)
        replay_decided_by(s, &d, &diags);
    scenario_free(s);
    return d;
}

/* A worker that is paused past its lease completes what is another's. The sign breaks in `other`, gate or no gate. */
#define STORY(gate, named)                                                                                       \
    "fencepost 1\nscenario \"s\"\n  decided-by " gate "\n"                                                       \
    "case reported without complete-token stop-on-loss lease-check verdict-token violates owner-completes" named \
    "\ncase other without stop-on-loss lease-check holds\n"                                                      \
    "queue jobs lease 10s\n  job \"E\"\nnode A B\n"                                                              \
    "A:\n  claim jobs as E\n  work 5s\n  complete E\n"                                                           \
    "B:\n  wait 11s\n  claim jobs\n  work 40s\n"                                                                 \
    "at 1s: pause A for 20s\n"

TEST("decided-by holds where the gate, put back alone, makes the failing case hold")
{
    CHECK_EQ(decided(STORY("complete-token", "")).how, DECIDED_PUT_BACK);
}

TEST("decided-by does not count a sign that breaks with the gate as well as without it")
{
    CHECK_EQ(decided(STORY("verdict-token", " and single-actor")).how, DECIDED_NO);
    CHECK_EQ(decided(STORY("verdict-token", "")).how, DECIDED_NO);
}
