/* SPDX-License-Identifier: MIT
 *
 * The small world of these tests: w1 writes `ledger` at once. The write leaves at 0.000s, arrives at
 * 0.001s and, a sync later, commits at 0.002s; w1 hears of it at 0.003s.
 */
#include "scenarios/played.h"

#include "sim/test.h"

#include <stdio.h>

#define WORLD                \
    "fencepost 1\n"          \
    "scenario \"a write\"\n" \
    "case only holds\n"      \
    "store ledger\n"         \
    "node w1 w2\n"           \
    "w1:\n"                  \
    "  write ledger \"a\"\n" \
    "  write ledger \"b\"\n" \
    "w2:\n"                  \
    "  wait 1s\n"

TEST("a state at a time is read after every event of that time, and not before")
{
    CHECK(played_well(WORLD "at 2ms: expect ledger = \"a\"\n"));
    CHECK(played_well(WORLD "at 1999us: expect ledger = none\n"));
    CHECK(!played_well(WORLD "at 1999us: expect ledger = \"a\"\n"));
    CHECK(played_well(WORLD "at 0s: expect ledger = none\n"));
}

TEST("a state between two events is that of the earlier one")
{
    CHECK(played_well(WORLD "at 4ms: expect ledger = \"a\"\n"
                            "at 500ms: expect ledger = \"b\"\n"));
}

TEST("the run goes on to the last dated expectation")
{
    struct played_case p = played(WORLD "at 1h: expect ledger = \"b\"\n", NULL, 0);
    CHECK(p.run != NULL && p.run->as_expected);
    played_free(&p);
}

TEST("an expectation behind the horizon never comes, and fails")
{
    struct miss m;
    CHECK_EQ(played_misses(WORLD "until 2s\nat 3s: expect ledger = \"b\"\n", &m), 1);
    CHECK_EQ(m.why, MISS_NEVER_CAME);
    CHECK_EQ(played_misses(WORLD "until 2s\nat 2s: expect ledger = \"b\"\n", NULL), 0);
}

TEST("what a failed state was is told")
{
    struct miss m;
    CHECK_EQ(played_misses(WORLD "at end: expect ledger = \"c\"\n", &m), 1);
    CHECK_EQ(m.why, MISS_FALSE);
    CHECK_EQ(m.n_found, 1);
    CHECK_EQ(m.found[0].value.tag, TAG_TEXT);
}

TEST("an event at a time must have happened by then")
{
    CHECK(played_well(WORLD "at 2ms: expect ledger commits w1 \"a\"\n"));
    CHECK(played_well(WORLD "at 500ms: expect ledger commits w1 \"a\"\n"));
    CHECK(!played_well(WORLD "at 1ms: expect ledger commits w1\n"));
    CHECK(!played_well(WORLD "at end: expect ledger commits w1 \"c\"\n"));
    CHECK(played_well(WORLD "at end: expect not ledger commits w2\n"));
    CHECK(!played_well(WORLD "at end: expect not ledger commits w1 \"a\"\n"));
}

TEST("the nearest record is shown for an event that did not come")
{
    struct miss m;
    CHECK_EQ(played_misses(WORLD "at end: expect ledger commits w1 \"c\"\n", &m), 1);
    CHECK_EQ(m.why, MISS_NO_EVENT);
    CHECK(m.near > 0);
    CHECK_EQ(played_misses(WORLD "at end: expect not ledger commits w1 \"a\"\n", &m), 1);
    CHECK_EQ(m.why, MISS_EVENT);
    CHECK(m.near > 0);
}

TEST("after an event, the state is read when its instant is over")
{
    CHECK(played_well(WORLD "after ledger commits w1: expect ledger = \"a\"\n"));
    CHECK(played_well(WORLD "after ledger commits w1 #2: expect ledger = \"b\"\n"));
    CHECK(!played_well(WORLD "after ledger commits w1 #2: expect ledger = \"a\"\n"));
    CHECK(played_well(WORLD "after w1 writes ledger: expect ledger = none\n"));
}

TEST("a window includes its end, and nothing behind it")
{
    CHECK(played_well(WORLD "at 0s: expect ledger = none\n"
                            "within 2ms: expect ledger commits w1 \"a\"\n"));
    CHECK(!played_well(WORLD "at 0s: expect ledger = none\n"
                             "within 1999us: expect ledger commits w1 \"a\"\n"));
}

TEST("a window does not include the instant that it counts from")
{
    CHECK(!played_well(WORLD "at 2ms: expect ledger = \"a\"\n"
                             "within 500us: expect ledger commits w1 \"a\"\n"));
}

TEST("a match moves the anchor to the match")
{
    CHECK(played_well(WORLD "at 0s: expect ledger = none\n"
                            "within 2ms: expect ledger commits w1 \"a\"\n"
                            "within 3ms: expect ledger commits w1 \"b\"\n"));
    CHECK(!played_well(WORLD "at 0s: expect ledger = none\n"
                             "within 2ms: expect ledger commits w1 \"a\"\n"
                             "within 2999us: expect ledger commits w1 \"b\"\n"));
}

TEST("records of the anchor's own instant count if they come behind it")
{
    CHECK(played_well(WORLD "after ledger commits w1: expect ledger = \"a\"\n"
                            "within 1ms: expect w1 writes ledger token none \"b\"\n") ||
          played_well(WORLD "after ledger commits w1: expect ledger = \"a\"\n"
                            "within 1ms: expect w1 writes ledger \"b\"\n"));
    /* the same record is not matched twice */
    CHECK(!played_well(WORLD "after ledger commits w1: expect ledger = \"a\"\n"
                             "within 3ms: expect ledger commits w1 \"b\"\n"
                             "within 3ms: expect ledger commits w1 \"b\"\n"));
}

TEST("not, in a window, says that the event does not come")
{
    CHECK(played_well(WORLD "at 0s: expect ledger = none\n"
                            "within 1ms: expect not ledger commits w1\n"));
    CHECK(!played_well(WORLD "at 0s: expect ledger = none\n"
                             "within 2ms: expect not ledger commits w1\n"));
}

TEST("a state in a window must become true, and may be true already")
{
    CHECK(played_well(WORLD "at 0s: expect ledger = none\n"
                            "within 2ms: expect ledger = \"a\"\n"
                            "within 3ms: expect ledger = \"b\"\n"));
    CHECK(played_well(WORLD "at 2ms: expect ledger = \"a\"\n"
                            "within 1ms: expect ledger = \"a\"\n"));
    CHECK(!played_well(WORLD "at 0s: expect ledger = none\n"
                             "within 1999us: expect ledger = \"a\"\n"));
}

TEST("what counts from a line that failed is not judged")
{
    CHECK_EQ(played_misses(WORLD "at 0s: expect ledger = none\n"
                                 "within 1ms: expect ledger commits w1 \"a\"\n"
                                 "within 1ms: expect ledger commits w1 \"b\"\n",
                           NULL),
             1);
}

TEST("the run goes on to the end of an open window")
{
    CHECK(played_well(WORLD "at 10s: expect ledger = \"b\"\n"
                            "within 20s: expect not ledger commits w2\n"
                            "within 5s: expect ledger = \"b\"\n"));
    CHECK_EQ(played_misses(WORLD "at 10s: expect ledger = \"b\"\n"
                                 "within 20s: expect ledger commits w1 \"b\"\n",
                           NULL),
             1);
}

TEST("always is asked after every event, and fails at the first that breaks it")
{
    struct miss m;
    CHECK(played_well(WORLD "always: expect ledger != \"c\"\n") ||
          played_well(WORLD "always: expect not ledger = \"c\"\n"));
    CHECK_EQ(played_misses(WORLD "always: expect not ledger = \"b\"\n", &m), 1);
    CHECK_EQ(m.at, 5 * NS_PER_MS);
}

TEST("misses come in the order of the file")
{
    struct played_case p = played(WORLD "at end: expect ledger = \"x\"\n"
                                        "at 2ms: expect ledger = \"y\"\n"
                                        "at 1ms: expect ledger = \"z\"\n",
                                  NULL, 0);
    CHECK(p.run != NULL && p.run->n_misses == 3);
    for (uint32_t i = 0; p.run != NULL && i < p.run->n_misses; i++)
        CHECK_EQ(p.run->misses[i].expectation, i);
    played_free(&p);
}

TEST("believes, though a note, can be expected")
{
    CHECK(played_well("fencepost 1\n"
                      "scenario \"a lock\"\n"
                      "case only holds\n"
                      "lock leader central ttl 10s\n"
                      "node w1\n"
                      "w1:\n"
                      "  acquire leader\n"
                      "  work 1s\n"
                      "at 1s: expect w1 believes leader\n"
                      "at 1s: expect w1 holds leader\n"
                      "at 1s: expect token leader = 1\n"
                      "at 20s: expect not w1 believes leader\n"
                      "at 20s: expect not w1 holds leader\n"));
}

TEST("a note that `trace --notes` prints can be expected where it stands, and not elsewhere")
{
    CHECK(played_well(WORLD "at end: expect 0.001s  (ledger receives from w1 what write)\n"
                            "at end: expect 0.003s  (w1 hears ledger written)\n"
                            "at end: expect 1.000s  (w2 ends)\n"
                            "at end: expect not 1.001s  (w2 ends)\n"));
    CHECK(!played_well(WORLD "at end: expect 2.000s  (w2 ends)\n"));
    CHECK(played_well("fencepost 1\ncase only holds\nlock l central ttl 10s\nnode a\na:\n  acquire l\n  work 11s\n"
                      "at end: expect 0.003s  (a believes l token 1)\n"
                      "at end: expect 9.900s  (a doubts l token 1)\n"
                      "at end: expect 0.003s  (a acts l token 1)\n"
                      "at end: expect 11.003s  (a rests l token 1)\n"
                      "at end: expect 10.002s  (l lapses a token 1)\n"));
}
