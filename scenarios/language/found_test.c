/* SPDX-License-Identifier: MIT
 *
 * found_test.c - a finding as a file: what stands in it, and that it runs as it was found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/lexer.h"
#include "scenarios/language/reading.h"
#include "scenarios/library.h"
#include "scenarios/run.h"
#include "sim/test.h"

#define BIT(gate) (UINT32_C(1) << (gate))
#define FOR_EVER 100000 /* events: whoever makes so many without a gate goes round in a circle */

/* --- the whole library -------------------------------------------------------------------------------------- */

/* What the case's own line says behind its gates and options. */
static void claim_of(const struct scenario *s, const struct compiled *c, char *out, size_t size)
{
    size_t n = 0;
    const char *line = scenario_line(s, c->line, &n);
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), line);
    text[strcspn(text, "#")] = '\0';
    const char *holds = strstr(text, " holds"), *violates = strstr(text, " violates ");
    snprintf(out, size, "%s", holds != NULL ? holds + 1 : violates != NULL ? violates + 1 : "");
}

/* A run that heeds none of what the file expects at its times. */
static struct run *run_unasked(struct compiled *c)
{
    struct run_options options = {.plain = false};
    c->n_expectations = 0;
    return run_case(c, &options);
}

static bool same_violations(const struct run *a, const struct run *b)
{
    bool same = a->n_violations == b->n_violations;
    for (uint32_t i = 0; i < a->n_violations && same; i++)
        same = a->violation[i].invariant == b->violation[i].invariant && a->violation[i].at == b->violation[i].at;
    return same;
}

static void check_runs(const char *path, struct compiled *a, struct compiled *b)
{
    b->sim.limits.steps = a->sim.limits.steps;
    struct run *x = run_unasked(a), *y = run_unasked(b);
    CHECK(x != NULL && y != NULL);
    if (x != NULL && y != NULL && (x->digest != y->digest || !same_violations(x, y)))
        test_failed(path, 0, "case %s runs otherwise", a->name);
    run_free(x);
    run_free(y);
}

static void check_canonical(const char *path, const struct scenario *s, const char *text)
{
    size_t n = 0;
    char *again = scenario_print(s, &n);
    CHECK(again != NULL);
    if (again != NULL && strcmp(again, text) != 0)
        test_failed(path, 0, "is not in canonical form:\n%s", text);
    free(again);
}

static void check_text(const char *path, struct compiled *c, const char *text, size_t n)
{
    struct diags d = {0};
    struct scenario *s = scenario_parse(text, n, path, NULL, 0, &d);
    struct compiled *b = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &d);
    if (b == NULL)
        test_failed(path, (int)d.row[0].line, "case %s: %s in\n%s", c->name, d.row[0].text, text);
    else {
        CHECK_EQ(scenario_cases(s), 1);
        CHECK_EQ(b->model.removed, c->model.removed);
        CHECK_EQ(b->n_mays, c->n_mays);
        check_canonical(path, s, text);
        check_runs(path, c, b);
    }
    compiled_free(b);
    scenario_free(s);
}

struct tally {
    uint32_t files;
};

static void check_found(const char *path, const struct scenario *s, uint32_t i, const struct finding *f,
                        struct tally *tally)
{
    struct diags d;
    size_t n = 0;
    struct compiled *c = scenario_compile(s, i, f->without, f->put_back, &d);
    if (c == NULL || c->n_inert > 0) {
        compiled_free(c);
        return;
    }
    char *text = scenario_print_found(s, i, f, &n);
    if (f->without != 0 && c->sim.limits.steps > FOR_EVER)
        c->sim.limits.steps = FOR_EVER;
    tally->files++;
    if (text == NULL)
        test_failed(path, 0, "case %s: no file, without %x", c->name, f->without);
    else
        check_text(path, c, text, n);
    free(text);
    compiled_free(c);
}

static void check_case(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    char claim[512];
    struct diags d;
    struct compiled *c = scenario_compile(s, i, 0, 0, &d);
    CHECK(c != NULL);
    if (c == NULL)
        return;
    claim_of(s, c, claim, sizeof claim);
    struct finding f = {.claim = claim};
    check_found(path, s, i, &f, context);
    compiled_free(c);
}

TEST("each case of the library is a file of its own, in canonical form, that runs to the same digest")
{
    struct tally tally = {0};
    visit_library(check_case, &tally);
    CHECK(tally.files > 200);
}

static void check_gates(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    for (uint32_t gate = 0; i == 0 && gate < GATES; gate += TEST_SLOW ? 7 : 1) {
        struct finding without = {.without = BIT(gate), .claim = "holds"};
        struct finding put_back = {.put_back = BIT(gate), .claim = "holds"};
        if (gate_table[gate].built) {
            check_found(path, s, i, &without, context);
            check_found(path, s, i, &put_back, context);
        }
    }
}

TEST("so is the first case of each file with any gate turned, where every line still reads")
{
    struct tally tally = {0};
    visit_library(check_gates, &tally);
    CHECK(tally.files > (TEST_SLOW ? 100 : 1000));
}

/* --- what stands in it --------------------------------------------------------------------------------------- */

/* The file of case i of a text that is read with one setting (NULL: none); "" if there is none. Kept until the next
 * call. */
static const char *found_with(const char *text, uint32_t i, const struct finding *f, const struct setting *setting)
{
    static char *kept;
    struct diags d = {0};
    size_t n = 0;
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", setting, setting != NULL, &d);
    if (s == NULL)
        test_failed(__FILE__, __LINE__, "%u:%u: %s", d.row[0].line, d.row[0].column, d.row[0].text);
    free(kept);
    kept = s == NULL ? NULL : scenario_print_found(s, i, f, &n);
    CHECK_EQ(n, kept == NULL ? 0 : strlen(kept));
    scenario_free(s);
    return kept == NULL ? "" : kept;
}

static const char *found(const char *text, uint32_t i, const struct finding *f) { return found_with(text, i, f, NULL); }

TEST("a finding has the header, its notes, its case, what the case keeps, and at the end what was found")
{
    static const char *const added[] = {"before w1 writes ledger #1: pause w1 for 12s", "at 20s:heal"};
    static const char *const notes[] = {"Found by a search.", "", "Two faults."};
    struct finding f = {.without = BIT(GATE_LEASE_CHECK),
                        .claim = "violates no-stale-write by w1",
                        .lines = added,
                        .n_lines = 2,
                        .notes = notes,
                        .n_notes = 3,
                        .dropped = (const uint32_t[]){25},
                        .n_dropped = 1};
    CHECK_STR(found(reading_example, 1, &f),
              "fencepost 1\n"
              "scenario \"A paused leader overwrites its successor\"\n"
              "  source \"M. Kleppmann, How to do distributed locking, 2016\"\n"
              "  lesson \"A lock that expires cannot stop a write that is already on its way.\"\n"
              "\n"
              "# Found by a search.\n"
              "#\n"
              "# Two faults.\n"
              "\n"
              "case checked without store-token lease-check violates no-stale-write by w1\n"
              "\n"
              "lock leader central ttl 10s\n"
              "store ledger\n"
              "node w1 w2\n"
              "\n"
              "w1:\n"
              "  acquire leader\n"
              "  work 1s\n"
              "  write ledger \"from w1\"\n"
              "\n"
              "w2:\n"
              "  wait 11s\n"
              "  acquire leader\n"
              "  write ledger \"from w2\"\n"
              "\n"
              "before w1 writes ledger #1: pause w1 for 12s\n"
              "at 20s: heal\n");
}

TEST("notes of an earlier finding are left out, and a person's comments right above and below them are not")
{
    const char *const head = "fencepost 1\nscenario \"One\"\n\n";
    const char *const rest = "case a holds\n\nstore s\nnode w\n\nw:\n  write s 1\n";
    static const char *const breaks[] = {"# no-stale-write is broken by w1 at 13.005s\n",
                                         "# no-stale-write is broken at 1s\n", "# pause:holding is reached at 2s\n",
                                         "# what it says of always is false at 2s\n"};
    static const char *const proofs[] = {"# minimal: without a fault it holds (exhaustive: 9 states)\n",
                                         "# no certificate that it is minimal: it is as it was given\n"};
    static const char *const hows[] = {"", "# found by: fencepost fuzz x.fence --case a --seed 1\n"};
    static const struct finding f = {.claim = "holds"};
    char with[1024], without[1024];
    snprintf(without, sizeof without, "%s# Mine.\n# Mine too.\n\n%s", head, rest);
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks * 4; i++) {
        snprintf(with, sizeof with, "%s# Mine.\n%s%s%s# Mine too.\n\n%s", head, breaks[i / 4], proofs[i % 2],
                 hows[i / 2 % 2], rest);
        CHECK_STR(found(with, 0, &f), without);
    }
}

TEST("a note alone, or two that a line or a blank one parts, are a person's")
{
    static const char *const kept[] = {
        "# no-stale-write is broken by w1 at 13.005s\n",
        "# minimal: without a fault it holds\n",
        "# found by: fencepost fuzz x.fence\n",
        "# no-stale-write is broken by w1 at 13.005s\n\n# minimal: without a fault it holds\n",
        "# no-stale-write is broken by w1 at 13.005s\n# So it is.\n# minimal: without a fault it holds\n",
        "# minimal: without a fault it holds\n# no-stale-write is broken by w1 at 13.005s\n",
        "# It is broken by day.\n# minimal is what it is.\n",
    };
    static const struct finding f = {.claim = "holds"};
    char text[1024];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        snprintf(text, sizeof text,
                 "fencepost 1\nscenario \"One\"\n\n%s\ncase a holds\n\nstore s\nnode w\n\nw:\n  write s 1\n", kept[i]);
        CHECK_STR(found(text, 0, &f), text);
    }
}

TEST("what is put back is not named, nor the ways to be without it; the other options are")
{
    static const char text[] = "fencepost 1\n"
                               "case a without safe-clock monotonic-token strict-majority with clock wall token random "
                               "count reachable progress 5m holds  # why\n"
                               "lock l central ttl 9s\nnode w1\nw1: acquire l\nuntil 1m\n";
    struct finding all = {.claim = "holds and progress"}, some = {.put_back = BIT(GATE_SAFE_CLOCK), .claim = "holds"};
    CHECK(strstr(found(text, 0, &all),
                 "\ncase a without strict-majority monotonic-token safe-clock with clock wall token "
                 "random count reachable progress 5m holds and progress  # why\n") != NULL);
    CHECK(strstr(found(text, 0, &some), "\ncase a without strict-majority monotonic-token with token random count "
                                        "reachable progress 5m holds  # why\n") != NULL);
}

static const char guarded[] = "fencepost 1\n"
                              "scenario \"t\"\n"
                              "  decided-by lease-check\n"
                              "case a without lease-check holds\n"
                              "case b holds\n"
                              "# one number\n"
                              "param d = 1s\n"
                              "param e = -3s\n"
                              "until 9m\n"
                              "store s\n"
                              "[b] store t\n"
                              "node w1 w2 w3 wall +1s\n"
                              "group g = w1 w2\n"
                              "w1:\n"
                              "  read s/x as x\n"
                              "  let y = wall\n"
                              "  # only b has it\n"
                              "  [b]\twrite t x\n"
                              "  [b] write t y\n"
                              "  [a] wait d  # short\n"
                              "  [a lease-check] wait d\n"
                              "  [lease-check b] wait 2s\n"
                              "  [-lease-check] [b store-token] wait 3s\n"
                              "w2: wait 1s\n"
                              "[b] w3: wait 2s\n"
                              "[b] node w4\n"
                              "[b] w4: write t e - e\n"
                              "may pause w1 up to 5s\n"
                              "at most 2 faults\n"
                              "# nobody minds\n"
                              "[b] at 1s: pause g\n"
                              "at 2s: pause w1 for 1s\n"
                              "at 3s: expect s/x = none\n"
                              "within 1s: expect s/x = none\n"
                              "after w1 pauses: expect s/x = none\n"
                              "always: expect s/x = none\n"
                              "ask at 1s \"Q?\"\n"
                              "  \"a\" if s/x = none\n"
                              "  \"b\" if s/x != none\n";

TEST("guards by cases go, those by gates stay, and with the lines that go the names that nothing else uses")
{
    struct finding f = {.claim = "holds"};
    struct setting set = {"d", "1.5s"};
    const char *rest = "store s\nnode w1 w2 wall +1s\nw1:\n  read s/x\n  wait d  # short\n  wait d\n"
                       "  [lease-check] wait 2s\n  [-lease-check] [store-token] wait 3s\n"
                       "w2: wait 1s\nmay pause w1 up to 5s\nat most 2 faults\nat 2s: pause w1 for 1s\n"
                       "always: expect s/x = none\n";
    char whole[1024];
    snprintf(whole, sizeof whole,
             "fencepost 1\nscenario \"t\"\ncase a without lease-check holds\n# one number\nparam d = %s\nuntil 9m\n%s",
             "1s", rest);
    CHECK_STR(found(guarded, 0, &f), whole);
    snprintf(
        whole, sizeof whole,
        "fencepost 1\nscenario \"t\"\ncase a without lease-check holds\n\nuntil 90ms\n\n# one number\nparam d = %s\n"
        "%s",
        "1.5s", rest);
    f.until = 90 * NS_PER_MS;
    CHECK_STR(found_with(guarded, 0, &f, &set), whole);
}

TEST("a param has the value that was set, with its sign")
{
    static const char text[] =
        "fencepost 1\ncase a holds\nparam p = 1s  # why\nparam q = \"x\"\nstore s\nnode w1\nw1:\n"
        "  write s p\n  write s q\n";
    struct finding f = {.claim = "holds"};
    struct setting p = {"p", "-90s"}, q = {"q", "\"a \\\"b\\\"\""};
    CHECK(strstr(found_with(text, 0, &f, &p), "\nparam p = -1m30s  # why\nparam q = \"x\"\n") != NULL);
    CHECK(strstr(found_with(text, 0, &f, &q), "\nparam p = 1s  # why\nparam q = \"a \\\"b\\\"\"\n") != NULL);
}

TEST("a guard by a gate that cannot stay, for what it keeps names another case's, is resolved")
{
    static const char text[] = "fencepost 1\ncase a without lease-check holds\ncase b holds\nstore s\n[b] store t\n"
                               "node w1\nw1:\n  write s 1\n  [lease-check] write t 1\n  [-lease-check] write s 2\n";
    struct finding f = {.claim = "holds"};
    CHECK_STR(found(text, 0, &f), "fencepost 1\ncase a without lease-check holds\nstore s\nnode w1\nw1:\n  write s 1\n"
                                  "  write s 2\n");
}

TEST("a column that only expectations read stays, and is read by a line that is always true")
{
    static const char text[] = "fencepost 1\ncase a holds\ntable t\n  row k-1 u 1\nnode w1\n"
                               "w1: update t/k-1 set v 2\nat end: expect t/k-1.v = 2\n";
    struct finding f = {.claim = "holds"};
    CHECK_STR(found(text, 0, &f), "fencepost 1\ncase a holds\ntable t\n  row k-1 u 1\nnode w1\n"
                                  "w1: update t/k-1 set v 2\n\n"
                                  "always: expect t/k-1.v = none or t/k-1.v != none\n");
}

TEST("a line that a turned gate made inert is left out; a step that it spoiled leaves no file to write")
{
    static const char fault[] = "fencepost 1\ncase a holds\n[lease-check] node w2\n[lease-check] w2: wait 1s\nnode w1\n"
                                "w1: wait 1s\n# both\nat 1s: pause w1 w2 for 1s\nat 2s: pause w1 for 1s\n";
    static const char step[] = "fencepost 1\ncase a holds\n[lease-check] store s\nnode w1\nw1:\n  wait 1s\n"
                               "  write s 1\n";
    struct finding f = {.without = BIT(GATE_LEASE_CHECK), .claim = "holds"};
    CHECK_STR(found(fault, 0, &f), "fencepost 1\ncase a without lease-check holds\n[lease-check] node w2\n"
                                   "[lease-check] w2: wait 1s\nnode w1\nw1: wait 1s\nat 2s: pause w1 for 1s\n");
    CHECK_STR(found(step, 0, &f), "");
}

TEST("what would not read is no file: a claim, an added line, a range of nodes with one that nothing uses")
{
    static const char *const wrong[] = {"at 1s: pause w9"}, *const right[] = {"at 1s: pause w1"};
    static const char text[] = "fencepost 1\ncase a holds\nnode w1\nw1: wait 1s\n";
    static const char range[] =
        "fencepost 1\ncase a holds\ncase b holds\nnode w1..w3\nw1, w2: wait 1s\n[b] w3: wait 1s\n";
    struct finding bad_claim = {.claim = "breaks"}, bad_line = {.claim = "holds", .lines = wrong, .n_lines = 1},
                   good = {.claim = "holds", .lines = right, .n_lines = 1};
    CHECK_STR(found(text, 0, &bad_claim), "");
    CHECK_STR(found(text, 0, &bad_line), "");
    CHECK_STR(found(text, 0, &good), "fencepost 1\ncase a holds\nnode w1\nw1: wait 1s\n\nat 1s: pause w1\n");
    CHECK_STR(found(range, 0, &good), "");
    CHECK(found(range, 1, &good)[0] != '\0');
}

TEST("without memory for any one of its allocations there is no file, and nothing is left behind")
{
    static const char *const added[] = {"at 1s: pause w1"};
    struct finding f = {.claim = "holds", .lines = added, .n_lines = 1};
    struct scenario *s = reads(guarded);
    bool done = !test_counts_allocations() || s == NULL;
    for (int64_t n = 1; !done && n < 100000; n++) {
        size_t length = 0;
        test_fail_allocation(n);
        char *text = scenario_print_found(s, 0, &f, &length);
        test_fail_allocation(0);
        done = text != NULL && strstr(text, "at 1s: pause w1\n") != NULL && n > 1;
        free(text);
    }
    CHECK(done);
    scenario_free(s);
}
