/* SPDX-License-Identifier: MIT
 *
 * inv_lost_test.c - a job is lost when a worker has asked and got none, and not a nanosecond sooner.
 */
#include "model/job_world.h"
#include "sim/test.h"

TEST("no-lost-job names the worker that got none, twice the longest lease after the job's own, to the nanosecond")
{
    static struct world w;
    only_invoice(&w);
    uint32_t grant = grants(&w, 1 * S, INVOICE, W1, 1);
    lapses(&w, 31 * S, INVOICE, W1, 1);
    waits(&w, 91 * S - 1, W2);
    CHECK(breaks_nothing(&w));
    uint32_t asked = queue_says(&w, 91 * S, V_QUEUES, W2);
    CHECK_BROKEN(&w, INV_NO_LOST_JOB, 91 * S, W2, INVOICE_QUOTED, asked, grant);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job counts from the last fault, and from the end that its record foretells")
{
    static struct world w;
    only_invoice(&w);
    fault(&w, 10 * S, W1, V_PAUSES, value_ns(30 * S), NO);
    waits(&w, 100 * S - 1, W2);
    CHECK(breaks_nothing(&w));
    fault(&w, 100 * S, LEADER, V_LOSES, NO, NO);
    queue_says(&w, 160 * S - 1, V_QUEUES, W2);
    CHECK(breaks_nothing(&w));
    queue_says(&w, 160 * S, V_QUEUES, W2);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job: a try that is refused has asked, a refusal of something else has not")
{
    static struct world w;
    only_invoice(&w);
    happens(&w, 70 * S, JOBS, V_REFUSES, W2, FIELDS(NAME(REFUSED), INT(1), NO, NO, TEXT(INVOICE)));
    happens(&w, 70 * S, JOBS, V_REFUSES, W2, FIELDS(NAME(EXPIRED_WHY), NO, NO, NO, NO));
    happens(&w, 70 * S, LEADER, V_REFUSES, W2, FIELDS(NAME(REFUSED), NO, NO, NO, NO));
    CHECK(breaks_nothing(&w));
    uint32_t asked = happens(&w, 71 * S, JOBS, V_REFUSES, W1_CHECKIN, FIELDS(NAME(REFUSED), NO, NO, NO, NO));
    CHECK_BROKEN(&w, INV_NO_LOST_JOB, 71 * S, W1, INVOICE_QUOTED, asked, 0);
}

TEST("no-lost-job: nobody's job is lost while it runs, once it is finished or given up, or before it is added")
{
    static struct world w;
    only_invoice(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    waits(&w, 900 * S, W2);
    CHECK(breaks_nothing(&w));
    ends(&w, 901 * S, V_DEAD_LETTERS, INVOICE, W1, 1, w1);
    queue_says(&w, 999 * S, V_QUEUES, W2);
    happens(&w, 1000 * S, JOBS, V_ADDS, MAIL_QUOTED, FIELDS(NAME(W1)));
    queue_says(&w, 1060 * S - 1, V_QUEUES, W2);
    CHECK(breaks_nothing(&w));
    queue_says(&w, 1060 * S, V_QUEUES, W2);
    CHECK_STR(w.names.text[broken(&w, INV_NO_LOST_JOB)->resource], "\"mail-9\"");
}

TEST("no-lost-job: an update that would have been a grant of that row, or of any, found none")
{
    static struct world w;
    for (int any = 0; any < 2; any++) {
        job_world_begins(&w);
        no_row(&w, 61 * S, W2, TASK_42, false);
        no_row(&w, 61 * S, W2, TASK_43, true);
        no_row(&w, 60 * S - 1, W2, any ? NOBODY : TASK_42, true);
        CHECK(breaks_nothing(&w));
        uint32_t asked = no_row(&w, 60 * S, W2, any ? NOBODY : TASK_42, true);
        CHECK_BROKEN(&w, INV_NO_LOST_JOB, 60 * S, W2, TASK_42, asked, 0);
    }
}

TEST("no-lost-job: the longest lease is also that of a row's grant")
{
    static struct world w;
    job_world_begins(&w);
    happens(&w, 0, LATCH, V_GRANTS, W1, FIELDS(NO, INT(1), value_ns(100 * S), NO, NO, NO, NO, NAME(LATCH_A)));
    no_row(&w, 200 * S - 1, W2, TASK_42, true);
    CHECK(breaks_nothing(&w));
    no_row(&w, 200 * S, W2, TASK_42, true);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job: a row that is deleted unfinished is lost, one that is deleted or inserted as finished is not")
{
    static struct world w;
    job_world_begins(&w);
    happens(&w, 1 * S, TASKS, V_ERASES, W1, FIELDS(NAME(TASK_43)));
    happens(&w, 1 * S, TASKS, V_ADDS, TASK_44, FIELDS(NAME(W1)));
    sets(&w, 1 * S, CELL_FIRST + 2 * COLUMNS + STATE, TEXT(WORD_DEAD), w1, 1, -1);
    no_row(&w, 99 * S, W2, TASK_43, true);
    no_row(&w, 99 * S, W2, TASK_44, true);
    CHECK(breaks_nothing(&w));
    happens(&w, 100 * S, TASKS, V_ERASES, W1, FIELDS(NAME(TASK_42)));
    no_row(&w, 101 * S, W2, NOBODY, true);
    CHECK_STR(w.names.text[broken(&w, INV_NO_LOST_JOB)->resource], "tasks/42");
    job_world_begins(&w);
    sets(&w, 1 * S, CELL_FIRST + STATE, TEXT(WORD_READY), w1, 1, -1);
    sets(&w, 1 * S, CELL_FIRST + OWNER, TEXT(WORD_DONE), w1, 1, -1); /* of another column */
    no_row(&w, 101 * S, W2, TASK_42, true);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job: whoever stands in line at the end has asked, whoever was called or is gone has not")
{
    static struct world w;
    struct undecided u;
    only_invoice(&w);
    uint32_t grant = grants(&w, 1 * S, INVOICE, W1, 1);
    uint32_t line = waits(&w, 2 * S, W2);
    lapses(&w, 31 * S, INVOICE, W1, 1);
    invariants_end(&w.j, 91 * S, false);
    CHECK_BROKEN(&w, INV_NO_LOST_JOB, 91 * S, W2, INVOICE_QUOTED, line, grant);
    CHECK_EQ(broken(&w, INV_PROGRESS) != NULL, false); /* to the nanosecond: not longer than that */
    for (int gone = 0; gone < 5; gone++) {
        only_invoice(&w);
        waits(&w, 1 * S, W2);
        if (gone == 0)
            queue_says(&w, 2 * S, V_CALLS, W2);
        else if (gone == 1)
            fails(&w, 2 * S, W2);
        else if (gone == 2)
            fault(&w, 2 * S, W2, V_CRASHES, NO, NO);
        else if (gone == 3)
            fault(&w, 2 * S, JOBS, V_CRASHES, NO, NO);
        else
            happens(&w, 2 * S, W2, V_ENDS, NOBODY, NULL, 0);
        /* Of one that was called, and where nothing more comes, it would be said that it asked in vain. */
        invariants_end(&w.j, 900 * S, gone != 0);
        CHECK(broken(&w, INV_NO_LOST_JOB) == NULL);
        CHECK_EQ(undecided(&w, &u), 1);
        CHECK(u.invariant == INV_NO_LOST_JOB && u.resource == INVOICE_QUOTED);
        CHECK_EQ(u.why, gone == 3 ? WHY_DOWN : WHY_NOBODY_ASKED);
    }
}

TEST("no-lost-job: a worker that its queue never answers has asked, once nothing more comes; of a queue that is down "
     "nothing is said")
{
    static struct world w;
    struct undecided u;
    only_invoice(&w);
    uint32_t claim = claims(&w, 1 * S, W2);
    invariants_end(&w.j, 3 * S, true);
    CHECK_BROKEN(&w, INV_NO_LOST_JOB, 3 * S, W2, INVOICE_QUOTED, claim, 0);
    only_invoice(&w);
    claims(&w, 1 * S, W2);
    fault(&w, 2 * S, JOBS, V_CRASHES, NO, NO);
    invariants_end(&w.j, 3 * S, true);
    CHECK(broken(&w, INV_NO_LOST_JOB) == NULL);
    CHECK_EQ(undecided(&w, &u), 1);
    CHECK_EQ(u.why, WHY_DOWN);
}

TEST("no-lost-job: who asks while the job is kept for another that was called has not asked in vain, and a moment "
     "later has")
{
    static struct world w;
    only_invoice(&w);
    queue_says(&w, 100 * S, V_CALLS, W1);
    waits(&w, 105 * S, W2);
    CHECK(breaks_nothing(&w));
    queue_says(&w, 105 * S + 1, V_QUEUES, W2);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job: who is put in line by a late copy of its request, and asks no more, has not asked in vain")
{
    static struct world w;
    only_invoice(&w);
    waits(&w, 1 * S, W2);
    fails(&w, 2 * S, W2);
    queue_says(&w, 100 * S, V_QUEUES, W2);
    CHECK(breaks_nothing(&w));
    waits(&w, 101 * S, W2);
    CHECK(breaks_only(&w, INV_NO_LOST_JOB));
}

TEST("no-lost-job: a job whose lease is kept up when nothing more comes is not lost, and that is said")
{
    static struct world w;
    struct undecided u;
    only_invoice(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    waits(&w, 2 * S, W2);
    invariants_end(&w.j, 900 * S, true);
    CHECK(broken(&w, INV_NO_LOST_JOB) == NULL);
    CHECK_EQ(undecided(&w, &u), 1);
    CHECK(u.invariant == INV_NO_LOST_JOB && u.resource == INVOICE_QUOTED && u.why == WHY_KEPT);
}

TEST("no-lost-job: at the horizon the time may not have come; where nothing more comes it has, and is said once")
{
    static struct world w;
    struct undecided u;
    only_invoice(&w);
    waits(&w, 1 * S, W2);
    invariants_end(&w.j, 60 * S - 1, false);
    CHECK(broken(&w, INV_NO_LOST_JOB) == NULL);
    CHECK(undecided(&w, &u) >= 1);
    CHECK(u.invariant == INV_NO_LOST_JOB && u.resource == INVOICE_QUOTED && u.why == WHY_HORIZON);
    invariants_end(&w.j, 90 * S, true);
    CHECK(broken(&w, INV_NO_LOST_JOB) == NULL);
    only_invoice(&w);
    waits(&w, 1 * S, W2);
    invariants_end(&w.j, 2 * S, true);
    CHECK(broken(&w, INV_NO_LOST_JOB) != NULL);
    CHECK_EQ(undecided(&w, &u), 0);
}

TEST("what could not be decided is counted beyond what there is room for, and finished jobs are not among it")
{
    static struct world w;
    struct undecided u[2];
    job_world_begins(&w);
    invariants_end(&w.j, 1 * S, true);
    CHECK_EQ(invariants_undecided(&w.j, u, 2), 3);
    CHECK(u[0].resource == INVOICE_QUOTED && u[1].resource == W1_QUOTED);
    only_invoice(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    ends(&w, 2 * S, V_FINISHES, INVOICE, W1, 1, w1);
    invariants_end(&w.j, 3 * S, true);
    CHECK_EQ(invariants_undecided(&w.j, u, 2), 0);
}
