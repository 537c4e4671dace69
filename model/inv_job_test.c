/* SPDX-License-Identifier: MIT
 *
 * inv_job_test.c - the invariants of jobs, and what those of locks and stores say of jobs: each sees what breaks
 * it, and its nearest harmless twin leaves it alone.
 */
#include "model/job_world.h"
#include "sim/test.h"

/* --- single-claim --------------------------------------------------------------------------------- */

TEST("single-claim names whoever was given a job that another is at, and both claims")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        uint32_t one = grants(&w, 1 * S, what, W1, 1), two = grants(&w, 2 * S, what, W2, 2);
        CHECK_BROKEN(&w, INV_SINGLE_CLAIM, 2 * S, W2, object_of(what), two, one);
        CHECK(breaks_only(&w, INV_SINGLE_CLAIM));
    }
}

TEST("single-claim: an attempt that lapsed, failed or was put back runs no more, whoever put it back")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        grants(&w, 31 * S, what, W2, 2);
        returns(&w, 32 * S, what, W2, 2, w2, FAILED_WHY);
        grants(&w, 33 * S, what, W1, 3);
        CHECK(breaks_nothing(&w));
        returns(&w, 34 * S, what, W1, 3, w2, FAILED_WHY);
        grants(&w, 35 * S, what, W2, 4);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("single-claim: a heartbeat after the lease's end makes the attempt run on, and none after it was put back")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        extends(&w, 32 * S, what, W1, 1, w1);
        grants(&w, 33 * S, what, W2, 2);
        CHECK(breaks_only(&w, INV_SINGLE_CLAIM));
        job_world_begins(&w);
        grants(&w, 1 * S, what, W1, 1);
        returns(&w, 2 * S, what, W1, 1, w1, FAILED_WHY);
        extends(&w, 3 * S, what, W1, 1, w1);
        CHECK(breaks_only(&w, INV_OWNER_EXTENDS));
        grants(&w, 4 * S, what, W2, 2);
        CHECK(broken(&w, INV_SINGLE_CLAIM) == NULL);
    }
}

TEST("single-claim lets the same process ask again, but not its later self")
{
    static struct world w;
    job_world_begins(&w);
    grants_of(&w, 1 * S, INVOICE, (struct doer){W1, 1, 1});
    grants_of(&w, 2 * S, INVOICE, (struct doer){W1, 1, 2});
    CHECK(breaks_nothing(&w));
    grants_of(&w, 3 * S, INVOICE, (struct doer){W1, 2, 3});
    CHECK(breaks_only(&w, INV_SINGLE_CLAIM));
}

TEST("two jobs are two, also where one's text reads like a node's name")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    grants(&w, 2 * S, W1, W2, 1);
    grants(&w, 2 * S, TASK_42, W2, 1);
    CHECK(breaks_nothing(&w));
    uint32_t again = grants(&w, 3 * S, W1, W1, 2);
    CHECK_BROKEN(&w, INV_SINGLE_CLAIM, 3 * S, W1, W1_QUOTED, again, 2);
}

/* --- token-order, owner-extends, single-actor ------------------------------------------------------- */

TEST("token-order speaks of jobs and rows, and says nothing where there is no token")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        uint32_t one = grants(&w, 1 * S, what, W1, 5);
        lapses(&w, 31 * S, what, W1, 5);
        uint32_t two = grants(&w, 32 * S, what, W2, 5);
        CHECK_BROKEN(&w, INV_TOKEN_ORDER, 32 * S, W2, object_of(what), two, one);
    }
    job_world_begins(&w);
    grants(&w, 1 * S, LATCH_A, W1, -1);
    lapses(&w, 31 * S, LATCH_A, W1, -1);
    grants(&w, 32 * S, LATCH_A, W2, -1);
    CHECK(breaks_nothing(&w));
}

TEST("owner-extends: a stranger's heartbeat, but a late one of the owner breaks nothing")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        extends(&w, 32 * S, what, W1, 1, w1);
        CHECK(breaks_nothing(&w));
        lapses(&w, 62 * S, what, W1, 1);
        uint32_t grant = grants(&w, 63 * S, what, W2, 2);
        uint32_t beat = extends(&w, 64 * S, what, W2, 2, w1);
        CHECK_BROKEN(&w, INV_OWNER_EXTENDS, 64 * S, W1, object_of(what), beat, grant);
    }
}

static uint32_t acts(struct world *w, ns at, int thread, int process, int what, int64_t token)
{
    return happens(w, at, thread, V_ACTS, object_of(what), FIELDS(value_token(token), NAME(process)));
}

TEST("single-actor: nobody acts for a job that a later claim has, unless that one is over")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        uint32_t act = acts(&w, 2 * S, W1_CHECKIN, W1, what, 1);
        lapses(&w, 31 * S, what, W1, 1);
        CHECK(breaks_nothing(&w));
        uint32_t later = grants(&w, 32 * S, what, W2, 2);
        CHECK_BROKEN(&w, INV_SINGLE_ACTOR, 32 * S, W1, object_of(what), later, act);
        job_world_begins(&w);
        grants(&w, 1 * S, what, W2, 2);
        ends(&w, 2 * S, V_FINISHES, what, W2, 2, w2);
        acts(&w, 3 * S, W1, W1, what, 1);
        CHECK(breaks_nothing(&w));
    }
}

TEST("single-actor compares holders where grants have no token")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, LATCH_A, W1, -1);
    acts(&w, 2 * S, W1, W1, LATCH_A, -1);
    CHECK(breaks_nothing(&w));
    lapses(&w, 31 * S, LATCH_A, W1, -1);
    grants(&w, 31 * S, LATCH_A, W2, -1);
    CHECK(breaks_only(&w, INV_SINGLE_ACTOR));
}

TEST("single-holder speaks of locks alone")
{
    static struct world w;
    job_world_begins(&w);
    happens(&w, 1 * S, W1, V_BELIEVES, INVOICE_QUOTED, FIELDS(INT(1)));
    happens(&w, 2 * S, W2, V_BELIEVES, INVOICE_QUOTED, FIELDS(INT(2)));
    happens(&w, 3 * S, W2, V_DOUBTS, INVOICE_QUOTED, FIELDS(INT(2)));
    CHECK(breaks_nothing(&w));
}

/* --- owner-completes ------------------------------------------------------------------------------ */

TEST("owner-completes names whoever finished another's job, and the claim")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        uint32_t grant = grants(&w, 32 * S, what, W2, 2);
        uint32_t end = ends(&w, 33 * S, V_FINISHES, what, W2, 2, w1);
        CHECK_BROKEN(&w, INV_OWNER_COMPLETES, 33 * S, W1, object_of(what), end, grant);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("owner-completes lets the owner finish late, while nobody was given the job since")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        ends(&w, 40 * S, V_FINISHES, what, W1, 1, w1);
        CHECK(breaks_nothing(&w));
    }
}

TEST("owner-completes asks for the attempt, and for the start of the process")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        grants(&w, 32 * S, what, W1, 2);
        ends(&w, 33 * S, V_FINISHES, what, W1, 2, w1);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
        job_world_begins(&w);
        grants(&w, 1 * S, what, W1, 1);
        ends(&w, 2 * S, V_FINISHES, what, W1, 1, (struct doer){W1, 2, 1});
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("owner-completes: an attempt that failed or was put back finishes nothing")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        returns(&w, 2 * S, what, W1, 1, w1, FAILED_WHY);
        CHECK(breaks_nothing(&w));
        ends(&w, 3 * S, V_FINISHES, what, W1, 1, w1);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
        job_world_begins(&w);
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        returns(&w, 32 * S, what, W1, 1, reaper, EXPIRED_WHY);
        CHECK(breaks_nothing(&w));
        ends(&w, 33 * S, V_FINISHES, what, W1, 1, w1);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("owner-completes: nobody but its worker puts a job back before the lease's end, and anybody after it")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        uint32_t grant = grants(&w, 31 * S, what, W2, 2);
        uint32_t back = returns(&w, 32 * S, what, W2, 2, reaper, EXPIRED_WHY); /* a verdict on the attempt before */
        CHECK_BROKEN(&w, INV_OWNER_COMPLETES, 32 * S, REAPER, object_of(what), back, grant);
        job_world_begins(&w);
        grants(&w, 1 * S, what, W1, 1);
        lapses(&w, 31 * S, what, W1, 1);
        extends(&w, 32 * S, what, W1, 1, w1); /* a late heartbeat: its lease runs again */
        returns(&w, 33 * S, what, W1, 1, reaper, EXPIRED_WHY);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("owner-completes: an operator's word is nobody's violation, and a second enqueueing is no operator's")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        grants(&w, 1 * S, what, W1, 1);
        returns(&w, 2 * S, what, W1, 1, reaper, OPERATOR_WHY);
        grants(&w, 3 * S, what, W2, 2);
        CHECK(breaks_nothing(&w));
        returns(&w, 4 * S, what, W2, 2, (struct doer){W1, 1, -1}, ENQUEUED_WHY);
        CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    }
}

TEST("owner-completes: a job that was never given is finished by nobody, but can be put back")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        uint32_t back = returns(&w, 1 * S, what, NOBODY, -1, w1, NOBODY);
        CHECK(breaks_nothing(&w));
        uint32_t end = ends(&w, 2 * S, V_FINISHES, what, NOBODY, -1, (struct doer){W1, 1, -1});
        CHECK_BROKEN(&w, INV_OWNER_COMPLETES, 2 * S, W1, object_of(what), end, back);
    }
}

TEST("owner-completes: given up at a claim only when no lease runs, given up after a fail by its worker alone")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    lapses(&w, 31 * S, INVOICE, W1, 1);
    ends(&w, 32 * S, V_DEAD_LETTERS, INVOICE, W1, 1, nobody);
    grants(&w, 33 * S, W1, W1, 1);
    ends(&w, 34 * S, V_DEAD_LETTERS, W1, W1, 1, w1);
    CHECK(breaks_nothing(&w));
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    returns(&w, 2 * S, INVOICE, W1, 1, w1, FAILED_WHY);
    ends(&w, 3 * S, V_DEAD_LETTERS, INVOICE, W1, 1, nobody);
    CHECK(breaks_nothing(&w));
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    ends(&w, 2 * S, V_DEAD_LETTERS, INVOICE, W1, 1, nobody);
    CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W2, 2);
    ends(&w, 2 * S, V_DEAD_LETTERS, INVOICE, W2, 2, w1);
    CHECK(breaks_only(&w, INV_OWNER_COMPLETES));
}

/* --- final-stays-final ---------------------------------------------------------------------------- */

static void finished(struct world *w, int what)
{
    job_world_begins(w);
    grants(w, 1 * S, what, W1, 1);
    ends(w, 2 * S, V_FINISHES, what, W1, 1, w1);
}

TEST("final-stays-final names whoever wrote a finished job, and what had finished it")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        finished(&w, what);
        CHECK(breaks_nothing(&w));
        uint32_t again = ends(&w, 3 * S, V_FINISHES, what, W1, 1, w1);
        CHECK_BROKEN(&w, INV_FINAL_STAYS_FINAL, 3 * S, W1, object_of(what), again, 2);
        CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
    }
}

TEST("final-stays-final: whatever gives, moves, extends or ends a finished job writes it")
{
    static struct world w;
    FOR_EACH(what, &w)
    {
        finished(&w, what);
        grants(&w, 3 * S, what, W2, 2);
        CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
        finished(&w, what);
        extends(&w, 3 * S, what, W1, 1, w1);
        CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
        finished(&w, what);
        ends(&w, 3 * S, V_REWRITES, what, W1, 1, w2);
        CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
        finished(&w, what);
        ends(&w, 3 * S, V_DEAD_LETTERS, what, W1, 1, nobody);
        CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
        finished(&w, what);
        returns(&w, 3 * S, what, W1, 1, w2, ENQUEUED_WHY);
        CHECK(broken(&w, INV_FINAL_STAYS_FINAL) != NULL);
    }
}

TEST("final-stays-final: a job that was given up, or whose row began as done, is final too")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    ends(&w, 2 * S, V_DEAD_LETTERS, INVOICE, W1, 1, w1);
    grants(&w, 3 * S, INVOICE, W2, 2);
    CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
    job_world_begins(&w);
    uint32_t one = ends(&w, 1 * S, V_REWRITES, TASK_43, NOBODY, -1, w1);
    CHECK_BROKEN(&w, INV_FINAL_STAYS_FINAL, 1 * S, W1, TASK_43, one, 0);
}

TEST("final-stays-final: an operator makes a job anew, and so does a row that is deleted and inserted")
{
    static struct world w;
    finished(&w, INVOICE);
    returns(&w, 3 * S, INVOICE, W1, 1, reaper, OPERATOR_WHY);
    grants(&w, 4 * S, INVOICE, W2, 2);
    ends(&w, 5 * S, V_FINISHES, INVOICE, W2, 2, w2);
    CHECK(breaks_nothing(&w));
    finished(&w, TASK_42);
    happens(&w, 3 * S, TASKS, V_ERASES, W1, FIELDS(NAME(TASK_42)));
    happens(&w, 4 * S, TASKS, V_ADDS, TASK_42, FIELDS(NAME(W1)));
    grants(&w, 5 * S, TASK_42, W2, 2);
    CHECK(breaks_nothing(&w));
    ends(&w, 6 * S, V_FINISHES, TASK_42, W2, 2, w2);
    grants(&w, 7 * S, TASK_42, W1, 3);
    CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
}

TEST("final-stays-final: a queue that adds again what it had finished has forgotten it, and does it twice")
{
    static struct world w;
    finished(&w, INVOICE);
    happens(&w, 3 * S, JOBS, V_ADDS, INVOICE_QUOTED, FIELDS(NAME(W2)));
    CHECK(breaks_nothing(&w));
    grants(&w, 4 * S, INVOICE, W2, 2);
    CHECK(breaks_only(&w, INV_FINAL_STAYS_FINAL));
}

/* --- effects and writes ----------------------------------------------------------------------------- */

static uint32_t effect(struct world *w, ns at, int who, struct value key, struct value job)
{
    return happens(w, at, who, V_EFFECTS, NOBODY, FIELDS(TEXT(CHARGE), key, job));
}

TEST("effect-once: a job stands in for a key, and a key that reads like the job is the same")
{
    static struct world w;
    job_world_begins(&w);
    effect(&w, 1 * S, W1, NO, NO);
    effect(&w, 1 * S, W1, NO, TEXT(INVOICE));
    effect(&w, 2 * S, W1, NO, TEXT(MAIL));
    effect(&w, 2 * S, W1, TEXT(KEY_42), TEXT(INVOICE)); /* a key of its own */
    effect(&w, 2 * S, W2, NO, NO);
    CHECK(breaks_nothing(&w));
    uint32_t again = effect(&w, 3 * S, W2, TEXT(INVOICE), TEXT(MAIL));
    CHECK_BROKEN(&w, INV_EFFECT_ONCE, 3 * S, W2, CHARGE, again, 2);
    job_world_begins(&w);
    effect(&w, 1 * S, W1, NO, NAME(KEY_42));
    effect(&w, 2 * S, W2, NO, NAME(KEY_42));
    CHECK(breaks_only(&w, INV_EFFECT_ONCE));
}

static uint32_t commits(struct world *w, ns at, int who, int64_t token, int issuer)
{
    return happens(w, at, LEDGER, V_COMMITS, who, FIELDS(INT(token), NO, INT(7), INT(w->n), NO, NAME(issuer), INT(1)));
}

TEST("no-zombie-write and no-stale-write know a job as the issuer of a token")
{
    static struct world w;
    job_world_begins(&w);
    grants(&w, 1 * S, INVOICE, W1, 1);
    lapses(&w, 31 * S, INVOICE, W1, 1);
    uint32_t newer = grants(&w, 32 * S, INVOICE, W2, 2);
    commits(&w, 33 * S, W1, 1, W1_QUOTED); /* of another job */
    CHECK(breaks_nothing(&w));
    uint32_t late = commits(&w, 33 * S, W1, 1, INVOICE_QUOTED);
    CHECK_BROKEN(&w, INV_NO_ZOMBIE_WRITE, 33 * S, W1, LEDGER, late, newer);
    CHECK(broken(&w, INV_NO_STALE_WRITE) == NULL);
    commits(&w, 34 * S, W2, 2, INVOICE_QUOTED);
    commits(&w, 35 * S, W1, 1, INVOICE_QUOTED);
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

static void nothing_finishes(void *context)
{
    happens(context, 1 * S, JOBS, V_FINISHES, W1, FIELDS(INT(1), NO, INT(1), INT(1), INT(1), NO));
}

TEST("a job's end that names no job is a bug")
{
    static struct world w;
    job_world_begins(&w);
    CHECK(test_asserts(nothing_finishes, &w, NULL));
}
