/* SPDX-License-Identifier: MIT */
#include "reports/verdict.h"

#include "sim/test.h"

enum {
    N_NONE,
    N_W1,
    N_W2,
    N_LEDGER,
    N_LEADER,
    N_X,
    N_CHARGE,
    N_KEY,
    N_VOTER,
    N_JOBS,
    N_JOB,
    N_JOB_OBJECT,
    N_ROW,
    N_CELL,
    N_ADA
};
static const char *const texts[] = {"",         "w1",          "w2",      "ledger",        "leader",
                                    "ledger/x", "charge card", "k",       "leader.2",      "jobs",
                                    "mail-7",   "\"mail-7\"",  "jobs/42", "jobs/42.epoch", "ada"};
static const struct names names = {15, texts, NULL};
static const struct sim_plan plan = {.names = &names, .verbs = verb_table, .n_verbs = VERBS};

static struct record record(ns ms, name_id actor, uint16_t verb, name_id object)
{
    struct record r;
    memset(&r, 0, sizeof r);
    r.at = ms * NS_PER_MS;
    r.actor = actor;
    r.verb = verb;
    r.object = object;
    return r;
}

/* Sets a field by its name. */
static void set(struct record *r, const char *field, enum tag tag, int64_t v)
{
    const struct verb *verb = &verb_table[r->verb];
    for (unsigned i = 0; i < verb->fields; i++) {
        const char *name = verb->field_name[i];
        if (strcmp(name[0] == '.' ? name + 1 : name, field) == 0) {
            r->tag[i] = (uint8_t)tag;
            r->field[i] = v;
            return;
        }
    }
    test_failed(__FILE__, __LINE__, "%s has no field %s", verb->name, field);
}

static struct record with_token(struct record r, int64_t token)
{
    set(&r, "token", TAG_INT, token);
    return r;
}

static struct record write_at(ns ms, name_id who, int64_t token)
{
    return with_token(record(ms, N_LEDGER, V_COMMITS, who), token);
}

static struct record grant_at(ns ms, name_id who, int64_t token)
{
    return with_token(record(ms, N_LEADER, V_GRANTS, who), token);
}

/* Of a job, by the queue: what ends or extends the attempt of `who`. */
static struct record job_record(ns ms, uint16_t verb, name_id who, int64_t token)
{
    struct record r = with_token(record(ms, N_JOBS, verb, who), token);
    set(&r, "of", TAG_TEXT, N_JOB);
    return r;
}

static void check_of(enum invariant i, name_id resource, const struct record *a, const struct record *b,
                     const char *expected)
{
    struct text t = {0};
    struct violation v = {a->at, i, 2, b != NULL, N_W1, resource};
    verdict_words(&t, &plan, &v, a, b);
    CHECK_STR(text_c(&t), expected);
    text_free(&t);
}

static void check(enum invariant i, const struct record *a, const struct record *b, const char *expected)
{
    check_of(i, N_LEADER, a, b, expected);
}

TEST("no-stale-write names both writers, their tokens and their times")
{
    struct record a = write_at(13005, N_W1, 1), b = write_at(11005, N_W2, 2);
    check(INV_NO_STALE_WRITE, &a, &b, "w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11.005s");
    set(&b, "key", TAG_NAME, N_X);
    check(INV_NO_STALE_WRITE, &a, &b,
          "w1 wrote ledger with token 1 at 13.005s, after w2 wrote ledger/x with token 2 at 11.005s");
    a = with_token(record(13005, N_LEDGER, V_REMOVES, N_W1), 1);
    check(INV_NO_STALE_WRITE, &a, NULL, "w1 deleted ledger with token 1 at 13.005s");
}

TEST("no-lost-update names what was overwritten")
{
    struct record a = write_at(5, N_W1, 1), b = write_at(4, N_W2, 2);
    check(INV_NO_LOST_UPDATE, &a, &b,
          "w1 wrote ledger at 0.005s, from a value that it had read before w2 wrote at 0.004s");
}

TEST("no-lost-ack names whose write is gone, and who forgot it")
{
    struct record a = record(900, N_LEDGER, V_FORGETS, N_X), b = record(4, N_W1, V_HEARS, N_LEDGER);
    check(INV_NO_LOST_ACK, &a, &b,
          "w1's write of ledger/x, acknowledged at 0.004s, is gone: ledger forgot it at 0.900s");
}

TEST("effect-once names who did it again, and who first")
{
    struct record a = record(900, N_W1, V_EFFECTS, NONE16), b = record(4, N_W2, V_EFFECTS, NONE16);
    set(&a, "", TAG_TEXT, N_CHARGE);
    set(&a, "key", TAG_TEXT, N_KEY);
    check(INV_EFFECT_ONCE, &a, &b, "w1 did \"charge card\" with key \"k\" again at 0.900s, after w2 at 0.004s");
}

TEST("grants over grants name both, and since when the earlier one stood")
{
    struct record a = grant_at(900, N_W2, 2), b = grant_at(4, N_W1, 1);
    check(INV_SINGLE_GRANT, &a, &b,
          "leader granted w2 token 2 at 0.900s, while the lease of w1 (token 1, since 0.004s) had neither ended nor "
          "been released");
    check(INV_NO_EARLY_REGRANT, &a, &b,
          "leader granted w2 token 2 at 0.900s, while the lease of w1 (token 1, since 0.004s) was not over in true "
          "time");
}

TEST("token-order names both tokens")
{
    struct record a = grant_at(900, N_W2, 1), b = grant_at(4, N_W1, 1);
    check(INV_TOKEN_ORDER, &a, &b, "leader granted w2 token 1 at 0.900s, after w1 token 1 at 0.004s");
}

TEST("one-vote speaks of a voter's two votes, or of two quorums that share none")
{
    struct record a = record(900, N_VOTER, V_VOTES, N_W2), b = record(4, N_VOTER, V_VOTES, N_W1);
    set(&a, "epoch", TAG_INT, 3);
    check(INV_ONE_VOTE, &a, &b, "leader.2 voted for w2 in epoch 3 at 0.900s, after for w1 at 0.004s");
    struct record c = grant_at(900, N_W2, 2), d = grant_at(4, N_W1, 1);
    check(INV_ONE_VOTE, &c, &d,
          "leader granted w2 token 2 at 0.900s, by voters none of whom was asked when leader granted w1 token 1 at "
          "0.004s");
}

TEST("one-leader-per-term names the epoch and both leaders")
{
    struct record a = grant_at(900, N_W2, 1), b = grant_at(4, N_W1, 1);
    check(INV_ONE_LEADER_PER_TERM, &a, &b, "w2 was elected in epoch 1 at 0.900s, as w1 had been at 0.004s");
}

TEST("owner-releases and owner-extends name whose grant it was, and on whose word")
{
    struct record a = with_token(record(900, N_LEADER, V_FREES, N_W2), 2), b = grant_at(4, N_W2, 2);
    set(&a, "by", TAG_NAME, N_W1);
    check(INV_OWNER_RELEASES, &a, &b,
          "leader freed the grant of w2 (token 2) at 0.900s, on the word of w1, after leader granted w2 token 2 at "
          "0.004s");
    struct record c = with_token(record(900, N_LEADER, V_EXTENDS, N_W2), 2);
    check(INV_OWNER_EXTENDS, &c, NULL, "leader extended the lease of w2 (token 2) at 0.900s, on the word of w1");
}

TEST("signs name who believed, who acted, and what had been granted")
{
    struct record a = record(900, N_W1, V_BELIEVES, N_LEADER), b = record(4, N_W2, V_BELIEVES, N_LEADER);
    check(INV_SINGLE_HOLDER, &a, &b,
          "w1 believed that it holds leader at 0.900s, while w2 had believed so since 0.004s");
    struct record c = with_token(record(900, N_W1, V_ACTS, N_LEADER), 1), d = grant_at(4, N_W2, 2);
    check(INV_SINGLE_ACTOR, &c, &d, "w1 acted with token 1 at 0.900s, after leader granted w2 token 2 at 0.004s");
    struct record e = grant_at(900, N_W2, 2), f = with_token(record(4, N_W1, V_ACTS, N_LEADER), 1);
    check(INV_SINGLE_ACTOR, &e, &f,
          "leader granted w2 token 2 at 0.900s, while w1 was acting with token 1 since 0.004s");
    struct record g = write_at(900, N_W1, 1);
    check(INV_NO_ZOMBIE_WRITE, &g, &d,
          "w1 wrote ledger with token 1 at 0.900s, after leader granted w2 token 2 at 0.004s");
}

TEST("owner-completes names the attempt that was spoken for, and whose it was by then")
{
    struct record a = job_record(900, V_FINISHES, N_W2, 2), b = job_record(4, V_GRANTS, N_W2, 2);
    set(&a, "by", TAG_NAME, N_W1);
    set(&a, "by_token", TAG_INT, 1);
    check(INV_OWNER_COMPLETES, &a, &b,
          "w1 finished \"mail-7\" with token 1 at 0.900s, after jobs granted w2 token 2 of \"mail-7\" at 0.004s");
    struct record c = job_record(900, V_RETURNS, N_W2, 2), d = job_record(4, V_DEAD_LETTERS, N_W2, 2);
    check(INV_OWNER_COMPLETES, &c, &d,
          "w2 put \"mail-7\" back at 0.900s, after jobs gave \"mail-7\" up for good at 0.004s");
}

TEST("final-stays-final names what came after the end, and who ended it")
{
    struct record a = job_record(900, V_REWRITES, N_W1, 1), b = job_record(4, V_FINISHES, N_W1, 1);
    set(&b, "by", TAG_NAME, N_W2);
    check(INV_FINAL_STAYS_FINAL, &a, &b,
          "w1 wrote \"mail-7\" again at 0.900s, though w2 finished \"mail-7\" at 0.004s");
    struct record c = job_record(900, V_GRANTS, N_W1, 2);
    check(INV_FINAL_STAYS_FINAL, &c, NULL, "jobs granted w1 token 2 of \"mail-7\" at 0.900s");
}

TEST("no-lost-job names who asked for it and got none, and what was last heard of it")
{
    struct record a = record(900, N_W2, V_CLAIMS, N_JOBS), b = job_record(4, V_GRANTS, N_W1, 1);
    check_of(INV_NO_LOST_JOB, N_JOB_OBJECT, &a, &b,
             "\"mail-7\" is lost: w2 asked and got none at 0.900s, after jobs granted w1 token 1 of \"mail-7\" at "
             "0.004s");
    struct record c = record(900, N_JOBS, V_QUEUES, N_W2), d = record(4, N_JOBS, V_ADDS, N_JOB_OBJECT);
    set(&d, "by", TAG_NAME, N_W1);
    check_of(INV_NO_LOST_JOB, N_JOB_OBJECT, &c, &d,
             "\"mail-7\" is lost: w2 asked and got none at 0.900s, after w1 added \"mail-7\" at 0.004s");
    struct record e = record(900, N_JOBS, V_ERASES, N_W2);
    set(&e, "of", TAG_NAME, N_ROW);
    check_of(INV_NO_LOST_JOB, N_ROW, &e, NULL, "jobs/42 is lost: w2 deleted jobs/42 at 0.900s");
}

TEST("linearizable names what was read, and the write or the read that it contradicts")
{
    struct record a = record(900, N_W1, V_GETS, N_X), b = record(4, N_W2, V_WRITES, N_X);
    set(&a, "", TAG_INT, 5);
    set(&b, "", TAG_TEXT, N_KEY);
    check_of(INV_LINEARIZABLE, N_X, &a, &b,
             "w1 read 5 from ledger/x at 0.900s, which no order of the calls allows: the write of \"k\" by w2, sent at "
             "0.004s, was answered before the read began");
    b = record(4, N_W2, V_DELETES, N_X);
    check_of(INV_LINEARIZABLE, N_X, &a, &b,
             "w1 read 5 from ledger/x at 0.900s, which no order of the calls allows: the delete by w2, sent at 0.004s, "
             "was answered before the read began");
    b = record(4, N_W2, V_GETS, N_X);
    check_of(INV_LINEARIZABLE, N_X, &a, &b,
             "w1 read 5 from ledger/x at 0.900s, which no order of the calls allows: w2 had read none at 0.004s");
    a.tag[0] = TAG_NONE;
    check_of(INV_LINEARIZABLE, N_X, &a, NULL,
             "w1 read none from ledger/x at 0.900s, which no order of the calls allows");
}

TEST("single-claim names both attempts")
{
    struct record a = job_record(900, V_GRANTS, N_W2, 2), b = job_record(4, V_GRANTS, N_W1, 1);
    check(INV_SINGLE_CLAIM, &a, &b,
          "jobs granted w2 token 2 of \"mail-7\" at 0.900s, while the attempt of w1 (token 1, since 0.004s) still ran");
}

TEST("progress names what was free, and who asked for it")
{
    struct record a = record(900, N_W2, V_ASKS, N_LEADER), b = record(4, N_LEADER, V_FREES, N_W1);
    check(INV_PROGRESS, &a, NULL, "leader was free, and w2 asked at 0.900s and did not get it in time");
    check(INV_PROGRESS, &b, NULL, "leader was free, and w1 had not got it by 0.004s");
    struct record c = job_record(900, V_GRANTS, N_W2, 1);
    a.at = 4 * NS_PER_MS;
    check_of(INV_PROGRESS, N_JOB_OBJECT, &c, &a,
             "jobs granted w2 token 1 of \"mail-7\" at 0.900s, too late, after w2 asked leader at 0.004s");
    check(INV_PROGRESS, &c, &a,
          "leader had waited too long when jobs granted w2 token 1 of \"mail-7\" at 0.900s, after w2 asked leader at "
          "0.004s");
}

TEST("what was said of locks is said of jobs and rows, with a token or without")
{
    struct record a = job_record(900, V_EXTENDS, N_W2, 2), b = job_record(4, V_EXPIRES, N_W1, 1);
    set(&a, "by", TAG_NAME, N_W1);
    check(INV_OWNER_EXTENDS, &a, &b,
          "jobs extended the lease of w2 (token 2) on \"mail-7\" at 0.900s, on the word of w1, after jobs ended the "
          "lease of w1 (token 1) on \"mail-7\" at 0.004s");
    struct record c = record(900, N_JOBS, V_GRANTS, N_W2), d = record(4, N_JOBS, V_GRANTS, N_W1);
    set(&c, "of", TAG_NAME, N_ROW);
    check(INV_SINGLE_GRANT, &c, &d,
          "jobs granted jobs/42 to w2 at 0.900s, while the lease of w1 (since 0.004s) had neither ended nor been "
          "released");
    struct record e = record(900, N_JOBS, V_SETS, N_CELL), f = record(4, N_JOBS, V_SETS, N_CELL);
    set(&e, "by", TAG_NAME, N_W1);
    set(&f, "by", TAG_NAME, N_W2);
    check(INV_NO_LOST_UPDATE, &e, &f,
          "w1 set jobs/42.epoch at 0.900s, from a value that it had read before w2 set it at 0.004s");
    struct record g = record(900, N_W1, V_EFFECTS, NONE16);
    set(&g, "", TAG_TEXT, N_CHARGE);
    set(&g, "job", TAG_TEXT, N_JOB);
    check(INV_EFFECT_ONCE, &g, NULL, "w1 did \"charge card\" for \"mail-7\" again at 0.900s");
}

TEST("a record that no sentence knows is told in its own words")
{
    struct record a = record(900, N_JOBS, V_LISTS, N_ADA);
    set(&a, "", TAG_INT, 1);
    check(INV_OWNER_COMPLETES, &a, NULL, "`jobs lists ada 1` at 0.900s");
}

TEST("every invariant has a sentence, with one fact as with two")
{
    struct record a = grant_at(900, N_W2, 2), b = grant_at(4, N_W1, 1);
    for (int i = 0; i < INVARIANTS; i++) {
        struct text t = {0};
        struct violation v = {a.at, (uint32_t)i, 2, 1, N_W1, N_LEADER};
        verdict_words(&t, &plan, &v, &a, &b);
        verdict_words(&t, &plan, &v, &a, NULL);
        CHECK(t.n > 0 && !t.failed);
        text_free(&t);
    }
    for (int i = 0; i < INVARIANTS; i++)
        for (uint16_t verb = 0; verb < VERBS; verb++) {
            struct text t = {0};
            struct record r = record(900, N_JOBS, verb, N_W1);
            struct violation v = {r.at, (uint32_t)i, 2, 1, NONE16, NONE16};
            verdict_words(&t, &plan, &v, &r, &b);
            verdict_words(&t, &plan, &v, &b, &r);
            CHECK(t.n > 0 && !t.failed);
            text_free(&t);
        }
}
