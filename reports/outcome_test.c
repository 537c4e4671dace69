/* SPDX-License-Identifier: MIT */
#include "reports/outcome.h"

#include "reports/diff.h"
#include "reports/trace.h"
#include "scenarios/played.h"

#include "sim/test.h"

static struct outcome_file file_of(const struct played_case *p, const char *text)
{
    struct outcome_file f = {"test.fence", text, strlen(text), p->scenario, 8, false};
    return f;
}

static bool has(struct text *t, const char *what)
{
    if (strstr(text_c(t), what) != NULL)
        return true;
    test_failed(__FILE__, __LINE__, "no \"%s\" in\n%s", what, text_c(t));
    return false;
}

TEST("a case as expected is a line with its sentence")
{
    struct played_case p = played(played_example, "checked", 0);
    struct outcome_file f = file_of(&p, played_example);
    struct text t = {0};
    if (p.run != NULL) {
        outcome_case(&t, &f, p.run, "again");
        has(&t, "  checked   violates  as expected  no-stale-write: w1 wrote ledger with token 1 at 13.005s, "
                "after w2 with token 2 at 11.005s\n");
        CHECK(strstr(text_c(&t), "again") == NULL);
    }
    text_free(&t);
    played_free(&p);
}

/* Is `limit WORD N` taken? */
static bool is_taken(const char *word, uint64_t limit)
{
    static struct diags diags;
    struct text t = {0};
    text_add(&t, "fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode x\nlimit ");
    text_add(&t, word);
    text_char(&t, ' ');
    text_u64(&t, limit);
    text_add(&t, "\nx:\n  write s 1\n");
    memset(&diags, 0, sizeof diags);
    struct scenario *s = scenario_parse(t.bytes, t.n, "x", NULL, 0, &diags);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &diags);
    bool taken = c != NULL;
    if (c != NULL)
        compiled_free(c);
    if (s != NULL)
        scenario_free(s);
    text_free(&t);
    return taken;
}

TEST("a limit that is suggested is one that the language takes, and the most is the most")
{
    static const char *const words[] = {"events", "pending", "messages", "records", "labels", "calls", "effects"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        CHECK_EQ(outcome_raised(words[i], 5, 2), 10);
        uint64_t most = outcome_raised(words[i], 30000, 1000000);
        CHECK(is_taken(words[i], most));
        CHECK(!is_taken(words[i], most + 1));
        CHECK_EQ(outcome_raised(words[i], most - 1, 10), most);
        CHECK_EQ(outcome_raised(words[i], most, 2), 0);
        CHECK_EQ(outcome_raised(words[i], UINT64_MAX, 2), 0);
    }
}

/* What is said of a run that came to such an end. */
static void say_ended(struct text *t, enum run_end end, const char *name, uint64_t limit)
{
    struct played_case p = played(played_example, "fenced", 0);
    struct outcome_file f = file_of(&p, played_example);
    text_clear(t);
    if (p.run != NULL) {
        p.run->end = end;
        p.run->full_name = name;
        p.run->full_limit = limit;
        outcome_error(t, &f, p.run);
    }
    played_free(&p);
}

TEST("a limit that is reached says which other limit would do, or that there is none")
{
    struct text t = {0};
    say_ended(&t, END_STEPS, "events", 200000000);
    has(&t, "; if that is meant, `limit events 1000000000` raises the limit");
    say_ended(&t, END_STEPS, "events", 1000000000);
    has(&t, "still running after 1000000000 events, at ");
    has(&t, "s; the limit cannot be raised further");
    CHECK(strstr(text_c(&t), "`limit") == NULL);
    say_ended(&t, END_FULL, "events", 700000);
    has(&t, "the limit of 700000 pending events was reached at ");
    has(&t, "; `limit pending 1000000` raises it");
    say_ended(&t, END_FULL, "labels", 10000000);
    has(&t, "s, and cannot be raised further");
    CHECK(strstr(text_c(&t), "`limit") == NULL);
    text_free(&t);
}

TEST("a failed expectation shows its line, what was found, the trace around it, and the command")
{
    static char text[2048];
    strcpy(text, played_example);
    memcpy(strstr(text, "expect w2 holds"), "expect w1 holds", 15);
    struct played_case p = played(text, "fenced", 0);
    struct outcome_file f = file_of(&p, text);
    struct text t = {0};
    if (p.run != NULL) {
        outcome_case(&t, &f, p.run, "fencepost run --case fenced x");
        has(&t, "NOT as expected");
        has(&t, "        at 13s: expect w1 holds leader\n"
                "                       ^~~~~~~~~~~~~~~\n"
                "        found: w1 did not hold leader at 13.000s\n");
        has(&t, "11.005s  ledger commits w2 token 2 \"from w2\"");
        has(&t, "again: fencepost run --case fenced x");
    }
    text_free(&t);
    played_free(&p);
}

/* The example, as if its runner had left two things undecided. The names are the example's own. */
static void say_undecided(struct text *t,
                          void (*say)(struct text *t, const struct outcome_file *f, const struct run *r))
{
    struct played_case p = played(played_example, "fenced", 0);
    struct outcome_file f = file_of(&p, played_example);
    text_clear(t);
    if (p.run != NULL) {
        name_id ledger = p.compiled->model.stores[0].name, leader = p.compiled->model.locks[0].name;
        static struct job_plan job;
        job = (struct job_plan){ledger, leader, 0, 1}; /* a job `ledger`, whose object is `leader` */
        p.compiled->model.jobs = &job;
        p.compiled->model.n_jobs = 1;
        p.run->n_undecided = 2;
        p.run->undecided[0] = (struct undecided){INV_NO_LOST_JOB, leader, WHY_NOBODY_ASKED};
        p.run->undecided[1] = (struct undecided){INV_LINEARIZABLE, ledger, WHY_TOO_MUCH};
        say(t, &f, p.run);
    }
    played_free(&p);
}

static void say_case(struct text *t, const struct outcome_file *f, const struct run *r)
{
    outcome_case(t, f, r, "again");
}

static void say_trace(struct text *t, const struct outcome_file *f, const struct run *r) { trace_text(t, f, r, false); }

TEST("what stays undecided is said with its reason, and a job in JSON by its text")
{
    struct text t = {0};
    say_undecided(&t, say_case);
    has(&t, "  fenced    holds     as expected\n");
    has(&t, "undecided  no-lost-job leader: no worker asked late enough\n");
    has(&t, "undecided  linearizable ledger: it would take too long to say\n");
    say_undecided(&t, say_trace);
    has(&t, "\nverdict holds\nundecided no-lost-job leader: no worker asked late enough\nundecided linearizable ");
    say_undecided(&t, outcome_case_json);
    has(&t, "],\"undecided\":[{\"invariant\":\"no-lost-job\",\"resource\":\"ledger\",\"text\":\"no worker asked late "
            "enough\"},{\"invariant\":\"linearizable\",");
    text_free(&t);
}

/* What is said of one leaf that was not as expected. */
static void say_found(struct text *t, struct expr_op op, struct value v)
{
    struct played_case p = played(played_example, "fenced", 0);
    text_clear(t);
    if (p.run != NULL) {
        static struct job_plan job;
        static struct cell_plan cell;
        job = (struct job_plan){p.compiled->model.stores[0].name, p.compiled->model.stores[0].name, 0, 1};
        cell = (struct cell_plan){p.compiled->model.stores[0].name, TAG_NONE, 0, 0};
        p.compiled->model.jobs = &job;
        p.compiled->model.n_jobs = 1;
        p.compiled->model.cells = &cell;
        p.compiled->model.exprs = &op;
        struct miss m = {.why = MISS_FALSE, .at = NS_PER_S, .from = -1, .n_found = 1, .found = {{0, 0, v}}};
        outcome_found(t, p.run, &m);
    }
    played_free(&p);
}

TEST("of a job is said what it was, and whose; of a cell what it held")
{
    static const struct {
        int64_t v;
        const char *said;
    } rows[] = {{JOB_ABSENT, "job \"ledger\" was absent at 1.000s"},
                {JOB_WAITING, "job \"ledger\" was waiting at 1.000s"},
                {1 << 8 | JOB_RUNNING, "job \"ledger\" was running, by w1 at 1.000s"},
                {JOB_RUNNING, "job \"ledger\" was running at 1.000s"},
                {2 << 8 | JOB_DONE, "job \"ledger\" was completed by w2 at 1.000s"},
                {2 << 8 | JOB_DEAD, "job \"ledger\" was dead, last run by w2 at 1.000s"}};
    struct text t = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        say_found(&t, (struct expr_op){EX_JOB, 0, 0, 0}, (struct value){rows[i].v, TAG_INT});
        CHECK_STR(text_c(&t), rows[i].said);
    }
    say_found(&t, (struct expr_op){EX_CELL, 0, 0, 0}, (struct value){0, TAG_NONE});
    CHECK_STR(text_c(&t), "ledger was none at 1.000s");
    say_found(&t, (struct expr_op){EX_LOCK_TOKEN, 1, 0, 0}, (struct value){3, TAG_INT});
    CHECK_STR(text_c(&t), "token job ledger was 3 at 1.000s");
    say_found(&t, (struct expr_op){EX_HOLDS, 1, 0, 0}, (struct value){0, TAG_BOOL});
    CHECK_STR(text_c(&t), "w1 did not hold job ledger at 1.000s");
    say_found(&t, (struct expr_op){EX_BELIEVES, 0, 0, 1}, (struct value){1, TAG_BOOL});
    CHECK_STR(text_c(&t), "w2 believed that it holds leader at 1.000s");
    text_free(&t);
}

TEST("a case in JSON is the object that is promised")
{
    struct played_case p = played(played_example, "advisory", 0);
    struct outcome_file f = file_of(&p, played_example);
    struct text t = {0};
    if (p.run != NULL) {
        outcome_case_json(&t, &f, p.run);
        has(&t, "{\"case\":\"advisory\",\"verdict\":\"violates\",\"as_expected\":true,\"violations\":[{\"invariant\":");
        has(&t,
            "{\"invariant\":\"no-stale-write\",\"kind\":\"harm\",\"node\":\"w1\",\"resource\":\"ledger\",\"at_ns\":");
        has(&t, "],\"undecided\":[],\"failed_expectations\":[],\"digest\":\"d1:");
    }
    text_free(&t);
    played_free(&p);
}

/* What is said of the example with a question behind it, as text or as JSON. */
static void say_asked(struct text *t, const char *question, const char *name, bool json, bool quiet)
{
    static char text[4096];
    strcpy(text, played_example);
    strcat(text, question);
    struct played_case p = played(text, name, 0);
    struct outcome_file f = file_of(&p, text);
    f.quiet = quiet;
    text_clear(t);
    if (p.run != NULL && json)
        outcome_case_json(t, &f, p.run);
    else if (p.run != NULL)
        outcome_case(t, &f, p.run, "again");
    played_free(&p);
}

#define ASK "ask at 12s \"What will it say?\"\n"
#define ASK_WHO "  \"from w1\" if ledger = \"from w1\"\n  \"from w2\" if ledger = \"from w2\"\n"

TEST("the answer to a question stands below its case, but not with -q")
{
    struct text t = {0};
    say_asked(&t, ASK ASK_WHO, "checked", false, false);
    has(&t, "after w2 with token 2 at 11.005s\n");
    has(&t, "\n    ask 12s: What will it say? -> \"from w1\"\n");
    say_asked(&t, ASK ASK_WHO, "fenced", false, false);
    has(&t, "\n    ask 12s: What will it say? -> \"from w2\"\n");
    say_asked(&t, ASK ASK_WHO, "checked", false, true);
    CHECK(strstr(text_c(&t), "ask 12s") == NULL);
    text_free(&t);
}

TEST("a question without an answer says what was found, one with several which they are")
{
    struct text t = {0};
    say_asked(&t, ASK "  \"a\" if ledger = \"a\" or w1 holds leader\n  \"b\" if ledger = \"b\"\n", "checked", false,
              true);
    has(&t, "  checked   violates  NOT as expected");
    has(&t, "test.fence:31: error: this question has no answer: none of its choices is true at the end; at the end "
            "ledger was \"from w1\" and w1 did not hold leader\n    ask at 12s \"What will it say?\"\n");
    has(&t, "again: again");
    say_asked(&t, ASK ASK_WHO "  \"any\" if ledger != none\n", "fenced", false, true);
    has(&t, "NOT as expected  1 question without one answer\n");
    has(&t,
        "test.fence:31: error: this question has 2 answers: \"from w2\" (line 33) and \"any\" (line 34) are both true "
        "at the end\n");
    say_asked(&t, ASK ASK_WHO "  \"any\" if ledger != none\n  \"all\" if not ledger = none\n", "fenced", false, true);
    has(&t, "has 3 answers: \"from w2\" (line 33), \"any\" (line 34) and \"all\" (line 35) are all true at the end\n");
    say_asked(&t, ASK ASK_WHO "  \"much\" if ledger > 3\n", "fenced", false, true);
    has(&t, "test.fence:31: error: this question has no answer: \"much\" (line 34) could not be asked: ");
    text_free(&t);
}

TEST("questions and answers stand in JSON, in files that ask something")
{
    struct text t = {0};
    say_asked(&t, ASK ASK_WHO, "checked", true, false);
    has(&t, "\"failed_expectations\":[],\"asks\":[{\"at_ns\":12000000000,\"question\":\"What will it say?\","
            "\"choices\":[\"from w1\",\"from w2\"],\"answer\":\"from w1\"}],\"digest\":\"d1:");
    say_asked(&t, "[fenced] " ASK ASK_WHO, "checked", true, false);
    has(&t, "\"failed_expectations\":[],\"asks\":[],\"digest\":\"d1:");
    say_asked(&t, ASK ASK_WHO "  \"any\" if ledger != none\n", "fenced", true, false);
    has(&t, "\"as_expected\":false,");
    has(&t, "\"answer\":null}],\"error\":\"test.fence:31: error: this question has 2 answers: ");
    say_asked(&t, "", "checked", true, false);
    CHECK(strstr(text_c(&t), "asks\":") == NULL);
    text_free(&t);
}

TEST("the run up to its violation can be read in the trace, which ends with the digest")
{
    struct played_case p = played(played_example, "checked", 0);
    struct outcome_file f = file_of(&p, played_example);
    struct text t = {0}, digest = {0};
    if (p.run != NULL) {
        trace_text(&t, &f, p.run, false);
        text_add(&digest, "digest ");
        text_digest(&digest, p.run->digest);
        has(&t, "scenario \"A paused leader overwrites its successor\"\ncase checked\n\n");
        has(&t, "      0.002s  leader grants w1 token 1\n");
        has(&t, "     13.005s  ledger commits w1 token 1 \"from w1\"\n"
                "              ^ violates no-stale-write: ");
        has(&t, "verdict violates no-stale-write\n");
        has(&t, text_c(&digest));
        CHECK(strstr(text_c(&t), "believes") == NULL || strstr(text_c(&t), "^ sign") != NULL);
    }
    text_free(&t);
    text_free(&digest);
    played_free(&p);
}

/* How two cases of the example differ, as text. */
static bool differ(const char *a, const char *b, struct text *t)
{
    struct played_case x = played(played_example, a, 0), y = played(played_example, b, 0);
    bool result = false;
    if (x.run != NULL && y.run != NULL) {
        const struct diff_side one = {a, x.run}, other = {b, y.run};
        result = diff_runs(t, &one, &other);
    }
    played_free(&x);
    played_free(&y);
    return result;
}

TEST("a run does not differ from itself")
{
    struct text t = {0};
    CHECK(!differ("fenced", "fenced", &t));
    has(&t, "the same: ");
    text_free(&t);
}

TEST("two runs part where the gate stops the write, and each shows what led there")
{
    struct text t = {0};
    CHECK(differ("checked", "fenced", &t));
    has(&t, "they part at 13.005s, after ");
    has(&t, "checked:\n");
    has(&t, ">      13.005s  ledger commits w1 token 1 \"from w1\"\n");
    has(&t, ">      13.005s  ledger refuses w1");
    has(&t, "       13.003s  w1 writes ledger token 1 \"from w1\"\n");
    text_free(&t);
}
