/* SPDX-License-Identifier: MIT
 *
 * inv_row_test.c - rows of a table: locks where it is `as lock`, registers by the cell, nothing where it is plain.
 */
#include "model/job_world.h"
#include "sim/test.h"

TEST("single-grant, no-early-regrant and owner-releases speak of rows as locks")
{
    static struct world w;
    job_world_begins(&w);
    uint32_t one = grants(&w, 1 * S, LATCH_A, W1, -1), two = grants(&w, 2 * S, LATCH_A, W2, -1);
    CHECK_BROKEN(&w, INV_SINGLE_GRANT, 2 * S, W2, LATCH_A, two, one);
    job_world_begins(&w);
    one = grants(&w, 1 * S, LATCH_A, W1, -1);
    lapses(&w, 5 * S, LATCH_A, W1, -1); /* the wall clock was stepped */
    two = grants(&w, 31 * S - 1, LATCH_A, W2, -1);
    CHECK_BROKEN(&w, INV_NO_EARLY_REGRANT, 31 * S - 1, W2, LATCH_A, two, one);
    job_world_begins(&w);
    one = grants(&w, 1 * S, LATCH_A, W1, -1);
    two = frees(&w, 2 * S, W1, w2);
    CHECK_BROKEN(&w, INV_OWNER_RELEASES, 2 * S, W2, LATCH_A, two, one);
}

TEST("a row as lock is granted again after its lease or its own release, and is no job")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, LATCH_A, W1, -1);
    frees(&w, 2 * S, W1, (struct doer){W1, 1, -1});
    grants(&w, 3 * S, LATCH_A, W2, -1);
    lapses(&w, 33 * S, LATCH_A, W2, -1);
    grants(&w, 33 * S, LATCH_A, W1, -1);
    invariants_end(&w.j, 34 * S, true);
    CHECK(breaks_nothing(&w));
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(w.j.m.jobs[6 + i].undecided, 0);
}

TEST("a row whose grant tells no lease is never granted too early, and its lease has no end")
{
    static struct world w;
    job_world_begins(&w);
    happens(&w, 1 * S, LATCH, V_GRANTS, W1, FIELDS(NO, INT(1), NO, NO, NO, NO, NO, NAME(LATCH_A)));
    frees(&w, 2 * S, W1, (struct doer){W1, 1, -1});
    happens(&w, 3 * S, LATCH, V_GRANTS, W2, FIELDS(NO, INT(1), NO, NO, NO, NO, NO, NAME(LATCH_A)));
    CHECK(breaks_nothing(&w));
    happens(&w, 300 * S, LATCH, V_GRANTS, W1, FIELDS(NO, INT(1), NO, NO, NO, NO, NO, NAME(LATCH_A)));
    CHECK(breaks_only(&w, INV_SINGLE_GRANT));
}

TEST("no-lost-update judges each cell of a table by itself")
{
    static struct world w;
    job_world_begins(&w);
    sets(&w, 1 * S, CELL_FIRST + TOKEN, INT(1), w1, 1, 0);
    sets(&w, 2 * S, CELL_FIRST + UNTIL, INT(1), w2, 1, 0);
    sets(&w, 3 * S, CELL_FIRST + UNTIL, INT(2), w1, 2, -1); /* blind */
    uint32_t two = sets(&w, 4 * S, CELL_FIRST + TOKEN, INT(2), w2, 2, 1);
    CHECK(breaks_nothing(&w));
    uint32_t lost = sets(&w, 5 * S, CELL_FIRST + TOKEN, INT(2), w1, 3, 1);
    CHECK_BROKEN(&w, INV_NO_LOST_UPDATE, 5 * S, W1, TASKS, lost, two);
}

TEST("a plain table's rows are neither locks nor jobs")
{
    static struct world w;
    job_world_begins(&w);
    happens(&w, 1 * S, PLAIN, V_ADDS, PLAIN_P, FIELDS(NAME(W1)));
    happens(&w, 1 * S, PLAIN, V_SETS, CELL_PLAIN, FIELDS(INT(1), NAME(W1), INT(1), NO, INT(1)));
    happens(&w, 1 * S, PLAIN, V_CHANGES, W1, FIELDS(NAME(PLAIN_P)));
    happens(&w, 1 * S, PLAIN, V_ERASES, W1, FIELDS(NAME(PLAIN_P)));
    happens(&w, 99 * S, PLAIN, V_REFUSES, W1, FIELDS(NAME(REFUSED), NO, NO, NO, NAME(PLAIN_P)));
    CHECK(breaks_nothing(&w));
}
