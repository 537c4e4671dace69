/* SPDX-License-Identifier: MIT */
#include "reports/line.h"

#include "sim/test.h"

enum { N_W1, N_LEDGER, N_KEY, N_TEXT, N_ODD, N_SIX, N_JOBS, N_JOB, N_JOB_OBJECT, N_ROW };
static const char *const texts[] = {"w1",   "ledger", "ledger/x",  "from \"w1\"\n",   "a\\b",
                                    "none", "jobs",   "pay \\ 42", "\"pay \\\\ 42\"", "jobs/42"};
static const struct names names = {10, texts, NULL};
static const struct sim_plan plan = {.names = &names, .verbs = verb_table, .n_verbs = VERBS};
static const struct job_plan job = {N_JOB, N_JOB_OBJECT, 0, 1};
static const struct model_plan model = {.sim = &plan, .n_jobs = 1, .jobs = &job};

/* ledger commits w1 token 7, hidden fields filled too */
static struct record commit(void)
{
    struct record r;
    memset(&r, 0, sizeof r);
    r.at = INT64_C(13005000000);
    r.actor = N_LEDGER;
    r.verb = V_COMMITS;
    r.object = N_W1;
    r.start = 1;
    r.line = 12;
    r.tag[0] = TAG_INT, r.field[0] = 7;
    r.tag[2] = TAG_TEXT, r.field[2] = N_TEXT;
    r.tag[3] = TAG_INT, r.field[3] = 4;
    return r;
}

TEST("a record is a line: time, actor, verb, object, and the fields that are not hidden")
{
    struct text t = {0};
    struct record r = commit();
    line_record(&t, &plan, &r, LINE_TIME_WIDTH);
    CHECK_STR(text_c(&t), "     13.005s  ledger commits w1 token 7 \"from \\\"w1\\\"\\n\"");
    text_free(&t);
    r.tag[1] = TAG_NAME, r.field[1] = N_KEY;
    r.tag[2] = TAG_NS, r.field[2] = 12 * NS_PER_S;
    line_words(&t, &plan, &r);
    CHECK_STR(text_c(&t), "ledger commits w1 token 7 key ledger/x 12s");
    text_free(&t);
}

TEST("a note stands in brackets")
{
    struct text t = {0};
    struct record r = commit();
    r.actor = N_W1;
    r.verb = V_BELIEVES;
    r.object = N_LEDGER;
    line_record(&t, &plan, &r, LINE_TIME_WIDTH);
    CHECK_STR(text_c(&t), "     13.005s  (w1 believes ledger token 7)");
    text_free(&t);
}

TEST("a time too wide for its column is printed whole")
{
    struct text t = {0};
    line_time(&t, NS_MAX, LINE_TIME_WIDTH);
    CHECK_STR(text_c(&t), "9007199.254740992s");
    text_free(&t);
}

TEST("the width of a time is that of what is printed")
{
    static const ns times[] = {0,      1,         999, NS_PER_US, NS_PER_MS, 9999999999, 10 * NS_PER_S, 99 * NS_PER_S,
                               NS_MAX, -NS_PER_S, -1,  -NS_MAX};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct text t = {0};
        text_time(&t, times[i]);
        CHECK_EQ(line_wider(0, times[i]), t.n);
        CHECK_EQ(line_wider(LINE_TIME_WIDTH, times[i]), t.n > LINE_TIME_WIDTH ? t.n : LINE_TIME_WIDTH);
        text_clear(&t);
        line_time(&t, times[i], 20);
        CHECK_EQ(t.n, 20);
        text_free(&t);
    }
}

TEST("every kind of value prints as the language writes it")
{
    static const struct {
        struct value v;
        const char *text;
    } rows[] = {{{0, TAG_NONE}, "none"},           {{-3, TAG_INT}, "-3"},    {{NS_PER_S, TAG_NS}, "1s"},
                {{N_ODD, TAG_TEXT}, "\"a\\\\b\""}, {{N_W1, TAG_NAME}, "w1"}, {{1, TAG_BOOL}, "true"},
                {{0, TAG_BOOL}, "false"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        line_value(&t, &plan, rows[i].v);
        CHECK_STR(text_c(&t), rows[i].text);
        text_free(&t);
    }
}

TEST("a field is found by its name, hidden or not, and is none where there is no such field")
{
    struct record r = commit();
    CHECK_EQ(line_field(&plan, &r, "token").v, 7);
    CHECK_EQ(line_field(&plan, &r, "version").v, 4);
    CHECK_EQ(line_field(&plan, &r, "").tag, TAG_TEXT);
    CHECK_EQ(line_field(&plan, &r, "voters").tag, TAG_NONE);
}

TEST("a record as JSON has all its fields, the hidden ones too")
{
    struct text t = {0};
    struct record r = commit();
    r.cause = 4;
    line_json(&t, &model, &r, 9);
    CHECK_STR(text_c(&t),
              "{\"record\":9,\"at_ns\":13005000000,\"actor\":\"ledger\",\"verb\":\"commits\",\"object\":\"w1\","
              "\"start\":1,\"fields\":{\"token\":7,\"value\":\"from \\\"w1\\\"\\n\",\"version\":4},\"note\":false,"
              "\"cause\":3,\"line\":12}");
    text_free(&t);
    r.object = NONE16;
    memset(r.tag, TAG_NONE, sizeof r.tag);
    r.cause = 0;
    line_json(&t, &model, &r, 0);
    CHECK(strstr(text_c(&t), "\"object\":null,\"start\":1,\"fields\":{},\"note\":false,\"cause\":null") != NULL);
    text_free(&t);
}

/* jobs grants w1 token 7 of "pay \\ 42" */
static struct record job_grant(void)
{
    struct record r = commit();
    memset(r.tag, TAG_NONE, sizeof r.tag);
    r.actor = N_JOBS;
    r.verb = V_GRANTS;
    r.tag[0] = TAG_INT;
    r.tag[7] = TAG_TEXT, r.field[7] = N_JOB;
    return r;
}

TEST("a job stands in one pair of quotes, as an object and in a field; a row stands bare")
{
    struct text t = {0};
    struct record r = job_grant();
    line_words(&t, &plan, &r);
    CHECK_STR(text_c(&t), "jobs grants w1 token 7 of \"pay \\\\ 42\"");
    text_clear(&t);
    r.tag[7] = TAG_NAME, r.field[7] = N_ROW;
    line_words(&t, &plan, &r);
    CHECK_STR(text_c(&t), "jobs grants w1 token 7 of jobs/42");
    text_clear(&t);
    r = commit();
    memset(r.tag, TAG_NONE, sizeof r.tag);
    r.actor = N_W1;
    r.verb = V_COMPLETES;
    r.object = N_JOB_OBJECT;
    r.tag[0] = TAG_INT;
    line_words(&t, &plan, &r);
    CHECK_STR(text_c(&t), "w1 completes \"pay \\\\ 42\" token 7");
    text_free(&t);
}

TEST("in JSON a job is its text, as an object and in a field")
{
    struct text t = {0};
    struct record r = job_grant();
    r.object = N_JOB_OBJECT;
    line_json(&t, &model, &r, 9);
    CHECK(strstr(text_c(&t), "\"object\":\"pay \\\\ 42\",\"start\"") != NULL);
    CHECK(strstr(text_c(&t), "\"fields\":{\"token\":7,\"of\":\"pay \\\\ 42\"}") != NULL);
    text_free(&t);
}
