/* SPDX-License-Identifier: MIT
 *
 * situations_test.c - which situations a run reached, read from its trace.
 */
#include "scenarios/situations.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/library.h"
#include "scenarios/played.h"
#include "sim/test.h"

/* The cells that the first case of a text reaches, without its first lines, as "a b c" in the order of the table. */
static void reached_by(const char *text, char out[1024])
{
    char whole[4096];
    struct situation_set set = {{0}};
    uint32_t n = 0;
    (void)snprintf(whole, sizeof whole, "fencepost 1\nscenario \"x\"\ncase a holds\n%s", text);
    struct played_case p = played(whole, NULL, 0);
    struct situation_reader *k = p.run == NULL ? NULL : situation_reader_new(p.compiled);
    const struct reached *row = k == NULL ? NULL : situations_of_run(k, p.run, &n);
    for (uint32_t i = 0; i < n; i++)
        situation_add(&set, row[i].cell);
    out[0] = '\0';
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_has(&set, i)) {
            strcat(out, out[0] == '\0' ? "" : " ");
            strcat(out, situation_is(i) ? situation_name(i) : "none");
        }
    situation_reader_free(k);
    played_free(&p);
}

#define CHECK_REACHES(text, cells)  \
    do {                            \
        char reached_[1024];        \
        reached_by(text, reached_); \
        CHECK_STR(reached_, cells); \
    } while (0)

#define LOCK                                                            \
    "lock leader central ttl 9s\nstore ledger\nnode w1 w2\nuntil 60s\n" \
    "w1:\n  wait 1s\n  acquire leader\n  keep leader\n  wait 1s\n"      \
    "  work 2.5s\n  write ledger 1\n  read ledger\n  release leader\n"  \
    "w2:\n  wait 3s\n  acquire leader\n"

TEST("a run without a fault reaches no situation") { CHECK_REACHES(LOCK, ""); }

TEST("a pause finds a program between two steps, at work, asking, in line, writing, reading, releasing")
{
    CHECK_REACHES(LOCK "at 500ms: pause w1 for 1ms\n", "pause:idle");
    CHECK_REACHES(LOCK "after w1 asks leader: pause w1 for 1ms\n", "pause:acquiring");
    CHECK_REACHES(LOCK "at 1.5s: pause w1 for 1ms\n", "pause:holding");
    CHECK_REACHES(LOCK "at 3s: pause w1 for 1ms\n", "pause:working");
    CHECK_REACHES(LOCK "before w1 writes ledger: pause w1 for 1ms\n", "pause:between-check-and-act");
    CHECK_REACHES(LOCK "after w1 writes ledger: pause w1 for 1ms\n", "pause:write-in-flight");
    CHECK_REACHES(LOCK "after w1 reads ledger: pause w1 for 1ms\n", "pause:reading");
    CHECK_REACHES(LOCK "after w1 releases leader: pause w1 for 1ms\n", "pause:releasing");
    CHECK_REACHES(LOCK "at 3.5s: pause w2 for 1ms\n", "pause:in-line");
}

TEST("what strikes a program whose lines are over is no situation, and a new start is one")
{
    CHECK_REACHES(LOCK "at 30s: pause w1 for 1s\n", "");
    CHECK_REACHES(LOCK "at 3s: crash w1 for 1s\nat 4.5s: pause w1 for 1ms\n", "pause:idle crash:working");
    CHECK_REACHES(LOCK "at 3s: crash w1\nat 4s: pause w1 for 1s\n", "crash:working");
}

TEST("a keeper struck alone is renewing, or in the phase of its program; with its program it counts when it renews")
{
    CHECK_REACHES(LOCK "after w1.keeper renews leader: pause w1.keeper for 1ms\n", "pause-thread:renewing");
    CHECK_REACHES(LOCK "at 1.5s: pause w1.keeper for 1ms\n", "pause-thread:holding");
    CHECK_REACHES(LOCK "at 3s: pause w1.keeper for 1ms\n", "pause-thread:working");
    CHECK_REACHES(LOCK "at 3s: pause w1.main for 1ms\n", "pause-thread:working");
    CHECK_REACHES(LOCK "at 500ms: pause w1.main for 1ms\n", "pause:idle");
    CHECK_REACHES(LOCK "after w1.keeper renews leader: pause w1 for 1ms\n", "pause:working pause:renewing");
}

#define LATE                                                          \
    "lock leader central ttl 5s\nnode w1 w2\nw1:\n  acquire leader\n" \
    "  work 20s\nw2:\n  wait 30s\n"

TEST("past the end of its lease is a program whose lease has lapsed, and that was not told")
{
    CHECK_REACHES(LATE "at 4.9s: suspend w1 for 1ms\n", "suspend:working");
    CHECK_REACHES(LATE "at 5.1s: suspend w1 for 1ms\n", "suspend:working suspend:past-its-lease");
}

TEST("a service has under way what arrived and was not answered, and what it gave runs until it is over")
{
    CHECK_REACHES(LATE "before leader grants w1: crash leader for 1s\n", "crash:granting");
    CHECK_REACHES(LATE "after leader grants w1: crash leader for 1s\n", "crash:grant-on-its-way crash:lease-running");
    CHECK_REACHES(LATE "at 2s: slow leader by 1s for 1s\n", "slow:lease-running");
    CHECK_REACHES(LATE "at 6s: crash leader losing everything\n", "crash-losing-everything:lease-over");
    CHECK_REACHES(LOCK "before leader extends w1: suspend leader for 1ms\n",
                  "suspend:lease-running suspend:extending suspend:line-waiting");
    CHECK_REACHES(LOCK "before leader frees w1: pause leader for 1ms\n",
                  "pause:lease-running pause:ending-a-grant pause:line-waiting");
    CHECK_REACHES(LOCK "before ledger commits w1: pause ledger for 1ms\n", "pause:committing");
    CHECK_REACHES(LOCK "at 20s: crash ledger for 1s losing everything\n", "crash-losing-everything:guarding");
    CHECK_REACHES(LOCK "at 1ms: pause ledger for 1ms\n", "pause:at-rest");
}

TEST("a program has nothing on its disk to lose")
{
    CHECK_REACHES(LOCK "at 3s: crash w1 for 1s losing everything\n", "crash:working");
}

#define QUORUM "lock leader quorum voters 3 ttl 9s\nnode w1\nw1:\n  acquire leader\n  work 2s\n"

TEST("a voter votes, its vote runs, and is over")
{
    CHECK_REACHES(QUORUM "before leader.1 votes w1: pause leader.1 for 1ms\n", "pause:voting");
    CHECK_REACHES(QUORUM "after leader.1 votes w1: crash leader.1 for 1s\n", "crash:vote-running");
    CHECK_REACHES(QUORUM "at 20s: crash leader.1 for 1s\n", "crash:lease-over");
    CHECK_REACHES(QUORUM "after leader.1 votes w1: drop leader.2 -> w1\n", "drop:vote");
}

#define JOBS                                                                                             \
    "queue jobs lease 9s\n  job \"a\"\n  job \"b\"\nnode w1 w2\nuntil 60s\n"                             \
    "w1:\n  claim jobs as job\n  keep job\n  wait 1s\n  work 3s\n  effect \"mail\" key job\n  wait 1s\n" \
    "  complete job\n  claim jobs as job\n  fail job\n"                                                  \
    "w2:\n  wait 20s\n  claim jobs as job\n  work 15s for job\n  reap jobs\n  requeue job \"b\"\n"

TEST("a worker claims, holds, works, has done what cannot be undone, beats, completes, fails, reaps, puts back")
{
    CHECK_REACHES(JOBS "after w1 claims jobs: crash w1\n", "crash:claiming");
    CHECK_REACHES(JOBS "at 500ms: suspend w1 for 1ms\n", "suspend:holding-a-job");
    CHECK_REACHES(JOBS "at 2s: suspend w1 for 1ms\n", "suspend:working-on-a-job");
    CHECK_REACHES(JOBS "at 4.5s: suspend w1 for 1ms\n", "suspend:holding-a-job suspend:after-an-effect");
    CHECK_REACHES(JOBS "after w1.keeper heartbeats \"a\": pause w1.keeper for 1ms\n", "pause-thread:heartbeating");
    CHECK_REACHES(JOBS "after w1 completes \"a\": pause w1 for 1ms\n", "pause:completing");
    CHECK_REACHES(JOBS "after w1 fails \"b\": pause w1 for 1ms\n", "pause:failing");
    CHECK_REACHES(JOBS "after w2 reaps jobs: pause w2 for 1ms\n", "pause:past-its-lease pause:reaping");
    CHECK_REACHES(JOBS "after w2 requeues \"b\": pause w2 for 1ms\n", "pause:past-its-lease pause:enqueueing");
    CHECK_REACHES(JOBS "at 1s: crash jobs for 1s\n", "crash:job-running");
    CHECK_REACHES(JOBS "before jobs returns w2: pause jobs for 1ms\n", "pause:lease-over pause:judging");
}

TEST("a row is changed, and its statement, its answer and its table are struck")
{
#define ROW                                                                                         \
    "table locks at db\n  as lock owner owner until until\n  row a  owner none until 0s\nnode w1\n" \
    "w1:\n  update locks/a set owner me until now + 9s\n  wait 1s\n"
    CHECK_REACHES(ROW "after w1 updates locks/a: pause w1 for 1ms\n", "pause:updating-a-row");
    CHECK_REACHES(ROW "before locks grants w1: pause locks for 1ms\n", "pause:changing-a-row");
    CHECK_REACHES(ROW "at 0s: delay w1 -> locks by 1s\n", "delay:statement");
    CHECK_REACHES(ROW "at 0s: delay locks -> w1 by 1s\n", "delay:changed");
    CHECK_REACHES(ROW "at 500ms: wall db jumps +1h\n", "jump-ahead:given-lease");
    CHECK_REACHES(ROW "at 500ms: clock db drifts +9ppm\n", "drift-fast:given-lease");
}

TEST("a message is struck as what it is; a closed link strikes what it loses or holds, and no more")
{
    CHECK_REACHES(LOCK "before w1 writes ledger: duplicate w1 -> ledger after 1s\n", "duplicate:write");
    CHECK_REACHES(LOCK "before ledger commits w1: drop ledger -> w1\n", "drop:written");
    CHECK_REACHES(LOCK "before w1 asks leader: reorder w1 -> leader\n", "reorder:ask");
    CHECK_REACHES(LOCK "before w1 reads ledger: cut w1 -> ledger for 2ms\n", "cut:read");
    CHECK_REACHES(LOCK "before w1 reads ledger: cut w1 -> ledger for 2ms holding\n", "cut:read");
    CHECK_REACHES(LOCK "before w1 reads ledger: partition w1 | ledger for 2ms\n", "partition:read");
    CHECK_REACHES(LOCK "at 100ms: partition w1 | ledger for 1ms\n", "");
    CHECK_REACHES(LOCK "before w1 reads ledger: cut w2 -> ledger for 2ms\n"
                       "before w1 reads ledger: drop w1 -> ledger\n",
                  "drop:read");
}

TEST("a clock changes under nobody's lease, its holder's, its server's, or one that another clock counts")
{
    CHECK_REACHES(LOCK "at 500ms: clock w1 slews +1ms over 9s\n", "slew:no-lease");
    CHECK_REACHES(LOCK "at 2s: clock w1 drifts +9ppm\n", "drift-fast:own-lease");
    CHECK_REACHES(LOCK "at 2s: clock leader drifts -9ppm\n", "drift-slow:given-lease");
    CHECK_REACHES(LOCK "at 2s: wall w1 jumps -1h\n", "jump-back:lease-on-another-clock");
    CHECK_REACHES(LOCK "at 2s: wall w2 jumps +1h\n", "jump-ahead:no-lease");
}

TEST("each cell's name is found again, and no other is")
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i))
            CHECK_EQ(situation_find(situation_name(i)), i);
    CHECK_EQ(situation_find("pause:write"), NONE32);
    CHECK_EQ(situation_find("pause"), NONE32);
    CHECK_EQ(situation_find(""), NONE32);
}

/* --- the library ------------------------------------------------------------------------------------------- */

static void collect(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct situation_set *all = context;
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct run *r = c == NULL ? NULL : run_case(c, NULL);
    struct situation_reader *k = r == NULL ? NULL : situation_reader_new(c);
    uint32_t n = 0;
    const struct reached *row = k == NULL ? NULL : situations_of_run(k, r, &n);
    for (uint32_t m = 0; m < n; m++) {
        if (!situation_is(row[m].cell) || situation_never(row[m].cell) != NULL)
            test_failed(path, 0, "case %s reaches what none can", scenario_case_name(s, i));
        situation_add(all, row[m].cell);
    }
    CHECK(k != NULL);
    situation_reader_free(k);
    run_free(r);
    if (c != NULL)
        compiled_free(c);
}

TEST("the library reaches at least 95 % of the situations that a run can reach, and none that none can")
{
    struct situation_set all = {{0}};
    uint32_t reachable = 0, reached = 0;
    visit_library(collect, &all);
    for (uint32_t i = 0; i < SITUATION_CELLS; i++) {
        if (!situation_is(i) || situation_never(i) != NULL)
            continue;
        reachable++;
        reached += situation_has(&all, i);
    }
    CHECK(reachable > 200);
    CHECK(20 * reached >= 19 * reachable);
}
