/* SPDX-License-Identifier: MIT
 *
 * explain_test.c - the words of explanations: what is said of the example, and that every command that is printed, for
 * every case of the library, comes out as the words beside it say.
 */
#include "reports/explain.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenarios/library.h"
#include "scenarios/played.h"
#include "sim/test.h"

int fencepost_main(int argc, char **argv); /* main() of fencepost.c, under this name in the tests */

/* --- an explanation in words ------------------------------------------------------------------------ */

static void tell(const char *text, const char *case_name, void (*look)(struct telling *k, void *context), void *context)
{
    static struct diags diags;
    static const struct change none;
    static const struct options o = {.program = "fencepost"};
    struct scenario *s = scenario_parse(text, strlen(text), "why.fence", NULL, 0, &diags);
    const struct outcome_file file = {"why.fence", text, strlen(text), s, 0, false};
    int32_t i = s == NULL || case_name == NULL ? 0 : scenario_case_find(s, case_name);
    struct explanation *x = s == NULL || i < 0 ? NULL : explain_new(s, (uint32_t)i, &none, &diags);
    if (x == NULL) {
        test_failed(__FILE__, __LINE__, "%u: %s", (unsigned)diags.row[0].line, diags.row[0].text);
    } else {
        struct telling k;
        telling_make(&k, x, &file, &o, "fencepost");
        CHECK(!k.failed);
        look(&k, context);
        telling_free(&k);
    }
    explain_free(x);
    scenario_free(s);
}

static void take_text(struct telling *k, void *out) { explain_text(out, k); }
static void take_json(struct telling *k, void *out) { explain_json(out, k); }

static void has(struct text *t, const char *what)
{
    if (strstr(text_c(t), what) == NULL)
        test_failed(__FILE__, __LINE__, "no \"%s\" in\n%s", what, text_c(t));
}

static void has_not(struct text *t, const char *what)
{
    if (strstr(text_c(t), what) != NULL)
        test_failed(__FILE__, __LINE__, "\"%s\" in\n%s", what, text_c(t));
}

TEST("the paused leader in words: rule, chain, belief, fault, nearest run, gate, each with its command")
{
    struct text t = {0};
    tell(played_example, "checked", take_text, &t);
    has(&t, "no-stale-write says: no write or delete commits on a store");
    has(&t, "But w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11.005s.");
    has(&t, " 1.003s  w1 pauses for 12s   <- line 25\n");
    has(&t, "10.002s  leader expires w1 token 1   <- nobody renewed it\n");
    has(&t, "(239.757s to 249.654s by its");
    has(&t, "necessary in this run. Without it nothing");
    has(&t, "fencepost run --fault 25=none --case checked why.fence\n");
    has(&t, "    10s: nothing breaks.\n");
    has(&t, "    10.010s is the shortest that breaks it, at 11.015s.\n");
    has(&t, "as in the file, is the only one that breaks it, at");
    has(&t, "If the pause of w1 (line 25) were 2s shorter, nothing breaks.\n");
    has(&t, "--fault '25=before w1 writes ledger: pause w1 for 10s' --case checked why.fence\n");
    has(&t, "store-token would have stopped it: a write or delete commits only if");
    has(&t, "fencepost run --with store-token --case checked why.fence\n");
    has_not(&t, "cause");
    text_free(&t);
}

TEST("a gate that would not have stopped it is named as such, and so is one that changes nothing")
{
    struct text t = {0};
    tell(played_example, "advisory", take_text, &t);
    has(&t, "store-token would have stopped it:");
    has(&t, "lease-check would have changed nothing: not one event is different.");
    text_clear(&t);
    tell(played_example, "fenced", take_text, &t);
    has(&t, "Nothing broke that counts in this case.");
    has(&t, "It rests on store-token: without it no-stale-write breaks at 13.005s, by w1.");
    has(&t, "Not on atomic-check: without it nothing breaks.");
    has(&t, "Nobody came to ask lasting-fence");
    has(&t, "not one event is different");
    has(&t, "ledger refuses w1 stale-token token 1   <- stopped here\n");
    text_free(&t);
}

TEST("no line of an explanation but a command and an event is wider than a hundred columns")
{
    struct text t = {0};
    tell(played_example, "checked", take_text, &t);
    for (const char *line = text_c(&t), *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL)
            break;
        bool command = strstr(line, "fencepost run") != NULL && strstr(line, "fencepost run") < end;
        CHECK(command || end - line <= 100);
        CHECK(end == line || end[-1] != ' ');
    }
    text_free(&t);
}

TEST("the same as JSON: facts, sentences and commands, on one line")
{
    struct text t = {0};
    tell(played_example, "checked", take_json, &t);
    has(&t, "{\"v\":1,\"file\":\"why.fence\",");
    has(&t, "\"explains\":\"rule\",\"invariant\":\"no-stale-write\",\"at_ns\":13005000000,");
    has(&t, "\"faults\":[{\"line\":25,\"came\":true,\"at_ns\":1003000000,\"need\":\"needed\",\"other_line\":null,");
    has(&t, "[10000000000,\"holds\"]");
    has(&t, "[null,\"holds\"]");
    has(&t, "\"gates\":[{\"gate\":\"store-token\",\"outcome\":\"holds\",\"same_trace\":false}]");
    has(&t, "\"no_return_line\":25,");
    has(&t,
        "\"outcome\":\"holds\",\"invariant\":null,\"case\":\"checked\",\"command\":\"fencepost run --fault 25=none");
    CHECK_EQ(strchr(text_c(&t), '\n') - text_c(&t), t.n - 1);
    text_free(&t);
}

TEST("of an expectation that failed, of an `always` and of a run at its limit there is a word too")
{
    static const char world[] = "fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w1 w2\nw1:\n  write s 1\n"
                                "w2: work 1s\n";
    char file[512];
    struct text t = {0};
    (void)snprintf(file, sizeof file, "%sat end: expect s = 2\n", world);
    tell(file, NULL, take_text, &t);
    has(&t, "No rule broke, but the run is not what the file expects: line 9: at end: expect s = 2: found s");
    has(&t, "<- what the file did not expect\n");
    has(&t, "Not asked: a re-run judges the rules");
    text_clear(&t);
    (void)snprintf(file, sizeof file, "%salways: expect not s = 1\nat 0s: delay w1 -> s by 1s\n", world);
    tell(file, NULL, take_text, &t);
    has(&t, "What the file says of always was false: line 9: always: expect not s = 1");
    has(&t, "Line 10 (at 0s: delay w1 -> s by 1s): not necessary. Without it the `always` of line 9 breaks");
    text_clear(&t);
    (void)snprintf(file, sizeof file, "%slimit events 3\n", world);
    tell(file, NULL, take_text, &t);
    has(&t, "The run came to no end of its own: still running after 3 events");
    text_free(&t);
}

static void take_page(struct telling *k, void *out) { explain_page(out, k, 3); }

TEST("the same as a section of a page: headings, events in a table, and what is markup stays text")
{
    struct text t = {0};
    tell("fencepost 1\nscenario \"x\"\ncase a without store-token violates no-stale-write\nstore s\nnode w1\nw1:\n"
         "  write s \"<b>&\" token 2\n  write s \"<i>\" token 1\n",
         NULL, take_page, &t);
    has(&t, "<section data-case=\"3\">\n<h2>Why a breaks</h2>\n<h3>What broke</h3>\n<p>no-stale-write says: ");
    has(&t, "<h3>How it came to that</h3>\n<table class=\"events\">\n<tr><td>");
    has(&t, "&lt;b&gt;&amp;");
    has(&t, "<code>fencepost run --with store-token --case a why.fence</code>");
    has_not(&t, "<b>");
    text_free(&t);
}

/* Whatever fails, what is made says so. */
static void take_failing(struct telling *k, void *context)
{
    void (*const forms[])(struct text * t, const struct telling *k) = {explain_text, explain_json};
    uint32_t failed = 0;
    bool whole = false;
    for (int64_t nth = 1; !whole && nth < 5000; nth++) {
        struct telling again;
        struct text t = {0};
        int64_t before = test_allocations();
        test_fail_allocation(nth);
        telling_make(&again, k->x, k->file, k->o, "fencepost");
        if (nth % 3 == 2)
            explain_page(&t, &again, 0);
        else
            forms[nth % 3](&t, &again);
        test_fail_allocation(0);
        whole = test_allocations() - before < nth;
        CHECK_EQ(t.failed, !whole);
        failed += t.failed;
        text_free(&t);
        telling_free(&again);
    }
    *(uint32_t *)context = whole ? failed : 0;
}

TEST("whichever allocation fails, words that are not whole are known as such")
{
    uint32_t failed = 0;
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    tell(played_example, "checked", take_failing, &failed);
    CHECK(failed > 50);
}

/* --- the commands ----------------------------------------------------------------------------------------- */

#define WORDS_MAX 64

/* The words of a command, as a shell takes them: bare, in single quotes; cut in place. */
static int split(char *command, char **words)
{
    int n = 0;
    char *to = command;
    for (const char *from = command; *from != '\0';) {
        CHECK(n < WORDS_MAX - 2);
        words[n++] = to;
        for (; *from != '\0' && *from != ' ';) {
            if (*from != '\'') {
                *to++ = *from == '\\' ? *++from : *from;
                from++;
                continue;
            }
            for (from++; *from != '\''; from++)
                *to++ = *from;
            from++;
        }
        bool more = *from == ' ';
        from += more;
        *to++ = '\0';
        if (!more)
            break;
    }
    return n;
}

/* What a command prints; its complaints go nowhere. */
static struct text run_out(int argc, char **argv)
{
    char path[] = "/tmp/fencepost-explain-XXXXXX", bytes[4096];
    struct text t = {0};
    assert_hook_fn hook = assert_hook;
    (void)fflush(stdout);
    int out = dup(1), err = dup(2), file = mkstemp(path), nowhere = open("/dev/null", O_WRONLY);
    CHECK(out >= 0 && err >= 0 && file >= 0 && nowhere >= 0);
    (void)dup2(file, 1);
    (void)dup2(nowhere, 2);
    (void)fencepost_main(argc, argv);
    (void)fflush(stdout);
    (void)dup2(out, 1);
    (void)dup2(err, 2);
    assert_hook = hook;
    (void)lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = read(file, bytes, sizeof bytes)) > 0;)
        text_bytes(&t, bytes, (size_t)n);
    const int all[] = {out, err, file, nowhere};
    for (size_t i = 0; i < 4; i++)
        (void)close(all[i]);
    (void)remove(path);
    return t;
}

/* What the JSON of one run says, against what is claimed. */
static bool comes_out(struct text *json, const struct replayed *r)
{
    static const char *const verdict[] = {[REPLAY_HOLDS] = "\"verdict\":\"holds\"",
                                          [REPLAY_SAME] = "\"verdict\":\"violates\"",
                                          [REPLAY_OTHER] = "\"verdict\":\"violates\"",
                                          [REPLAY_NO_END] = "\"verdict\":\"error\""};
    char broke[160];
    if (r->end == REPLAY_IMPOSSIBLE)
        return strstr(text_c(json), "\"verdict\"") == NULL;
    if (r->end == REPLAY_UNASKED || r->end == REPLAY_LONG || strstr(text_c(json), verdict[r->end]) == NULL)
        return false;
    if (!replay_breaks(r))
        return true;
    (void)snprintf(broke, sizeof broke, "\"invariant\":\"%s\",\"kind\":\"%s\"", invariant_table[r->invariant].name,
                   invariant_kind_name[invariant_table[r->invariant].kind]);
    const char *at = strstr(text_c(json), broke);
    (void)snprintf(broke, sizeof broke, "\"at_ns\":%" PRId64 ",", r->at);
    return at != NULL && strstr(at, broke) != NULL;
}

struct tour {
    uint32_t seen, cases, commands, lines;
    const char *path;
};

static void run_command(struct telling *k, const struct told *row, struct tour *tour)
{
    char *words[WORDS_MAX], json[] = "--json";
    struct text command = {0};
    text_bytes(&command, row->command.bytes, row->command.n);
    char *copy = strdup(text_c(&command));
    CHECK(copy != NULL && row->replay->end != REPLAY_UNASKED);
    int n = copy == NULL ? 0 : split(copy, words);
    for (int i = n; i > 2; i--)
        words[i] = words[i - 1];
    words[2] = json;
    words[n + 1] = NULL;
    struct text out = run_out(n + 1, words);
    if (!comes_out(&out, row->replay))
        test_failed(tour->path, 0, "case %s: not as is said: %s", k->x->c->name, text_c(&command));
    tour->commands++;
    text_free(&out);
    text_free(&command);
    free(copy);
}

static void run_commands(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    static struct diags diags;
    static const struct change none;
    static const struct options o = {.program = "fencepost"};
    struct tour *tour = context;
    tour->path = path;
    if (TEST_SLOW && ++tour->seen % 8 != 0)
        return;
    struct explanation *x = explain_new(s, i, &none, &diags);
    const struct outcome_file file = {path, "", 0, s, 0, false};
    struct telling k;
    if (x == NULL) {
        test_failed(path, 0, "%s", diags.row[0].text);
        return;
    }
    telling_make(&k, x, &file, &o, "fencepost");
    CHECK(!k.failed);
    for (uint32_t row = 0; row < k.n; row++) /* of the end of a long one nothing is said */
        if (k.row[row].command.n > 0 && k.row[row].replay->end != REPLAY_LONG)
            run_command(&k, &k.row[row], tour);
    tour->lines = k.n > tour->lines ? k.n : tour->lines;
    tour->cases += x->what == EXPLAINED_RULE;
    telling_free(&k);
    explain_free(x);
}

TEST("every command of every explanation of the library comes out as the words beside it say")
{
    struct tour tour = {0};
    visit_library(run_commands, &tour);
    CHECK(tour.cases > TEST_FEWER(120));
    CHECK(tour.commands > (TEST_SLOW ? 100 : 1600));
    CHECK(tour.lines < 90);
}

TEST("a command can be pasted, whatever the file is called")
{
    struct text t = {0};
    static struct options o = {.program = "a b", .n_settings = 1, .setting = {{"ttl", "5s"}}};
    front_add_command(&t, "a b", "run", &o, "c", "-it's.fence");
    CHECK_STR(text_c(&t), "'a b' run --set ttl=5s --case c -- '-it'\\''s.fence'");
    text_free(&t);
}
