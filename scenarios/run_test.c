/* SPDX-License-Identifier: MIT */
#include "scenarios/played.h"

#include "sim/test.h"

#include <stdio.h>

static bool broke(const struct run *r, enum invariant i)
{
    for (uint32_t k = 0; k < r->n_violations; k++)
        if (r->violation[k].invariant == (uint32_t)i)
            return true;
    return false;
}

TEST("the example of the language gives exactly its verdicts")
{
    static const struct {
        const char *name;
        enum verdict verdict;
    } cases[] = {{"advisory", VERDICT_VIOLATES}, {"checked", VERDICT_VIOLATES}, {"fenced", VERDICT_HOLDS}};
    for (size_t i = 0; i < 3; i++) {
        struct played_case p = played(played_example, cases[i].name, 0);
        CHECK(p.run != NULL && p.run->as_expected);
        if (p.run != NULL) {
            CHECK_EQ(p.run->verdict, cases[i].verdict);
            CHECK_EQ(broke(p.run, INV_NO_STALE_WRITE), cases[i].verdict == VERDICT_VIOLATES);
        }
        played_free(&p);
    }
}

TEST("the stale write of the example commits at 13.005s, after that of 11.005s")
{
    struct played_case p = played(played_example, "checked", 0);
    if (p.run != NULL && p.run->n_violations > 0) {
        uint32_t n;
        const struct record *records = sim_trace(p.run->sim, &n);
        const struct violation *v = NULL;
        for (uint32_t i = 0; i < p.run->n_violations; i++)
            if (p.run->violation[i].invariant == INV_NO_STALE_WRITE)
                v = &p.run->violation[i];
        CHECK(v != NULL);
        CHECK_EQ(v->at, INT64_C(13005000000));
        CHECK(v->other > 0 && v->other <= n);
        CHECK_EQ(records[v->other - 1].at, INT64_C(11005000000));
    }
    played_free(&p);
}

/* The example with other words in place of one of its case lines. */
static const char *example_with(const char *old, const char *new)
{
    static char text[2048];
    const char *at = strstr(played_example, old);
    CHECK(at != NULL);
    size_t before = at == NULL ? 0 : (size_t)(at - played_example);
    memcpy(text, played_example, before);
    strcpy(text + before, new);
    strcat(text, played_example + before + strlen(old));
    return text;
}

static bool case_is_well(const char *text, const char *name)
{
    struct played_case p = played(text, name, 0);
    bool well = p.run != NULL && p.run->as_expected;
    played_free(&p);
    return well;
}

TEST("the canary: a file that states a false verdict fails")
{
    CHECK(!case_is_well(
        example_with("case fenced                                       holds", "case fenced violates no-stale-write"),
        "fenced"));
    CHECK(!case_is_well(example_with("store-token               violates no-stale-write", "store-token holds"),
                        "checked"));
    CHECK(!case_is_well(example_with("at 13s: expect w2 holds leader", "at 13s: expect w1 holds leader"), "fenced"));
}

TEST("a violation by another, or at another time, than the case says fails it")
{
    static const char old[] = "store-token               violates no-stale-write";
    CHECK(case_is_well(example_with(old, "store-token violates no-stale-write by w1"), "checked"));
    CHECK(!case_is_well(example_with(old, "store-token violates no-stale-write by w2"), "checked"));
    CHECK(case_is_well(example_with(old, "store-token violates no-stale-write at 13s..14s"), "checked"));
    CHECK(!case_is_well(example_with(old, "store-token violates no-stale-write at 14s..15s"), "checked"));
}

TEST("an unnamed harm fails a case that names another invariant")
{
    static const char old[] = "store-token               violates no-stale-write";
    CHECK(!case_is_well(example_with(old, "store-token violates single-actor"), "checked"));
}

TEST("a sign is a warning until the case names it")
{
    static const char old[] = "case fenced                                       holds";
    struct played_case p = played(played_example, "fenced", 0);
    if (p.run != NULL) {
        CHECK(broke(p.run, INV_SINGLE_ACTOR));
        for (uint32_t i = 0; i < p.run->n_violations; i++)
            CHECK_EQ(p.run->role[i], ROLE_WARNING);
    }
    played_free(&p);
    CHECK(!case_is_well(example_with(old, "case fenced holds and single-actor"), "fenced"));
    CHECK(case_is_well(example_with(old, "case fenced violates single-actor"), "fenced"));
}

TEST("without a gate the invariants are judged and the expectations are not")
{
    struct played_case p = played(played_example, "fenced", UINT32_C(1) << GATE_STORE_TOKEN);
    CHECK(p.run != NULL && p.run->verdict == VERDICT_VIOLATES && !p.run->as_expected);
    CHECK(p.run != NULL && broke(p.run, INV_NO_STALE_WRITE));
    played_free(&p);
    p = played(example_with("at 13s: expect w2 holds leader", "at 13s: expect w1 holds leader"), "fenced",
               UINT32_C(1) << GATE_RELEASE_TOKEN);
    CHECK(p.run != NULL && p.run->as_expected && p.run->n_misses > 0);
    played_free(&p);
    p = played(example_with("at 13s: expect w2 holds leader", "always: expect not w1 holds leader"), "fenced",
               UINT32_C(1) << GATE_RELEASE_TOKEN);
    CHECK(p.run != NULL && !p.run->as_expected);
    played_free(&p);
}

TEST("a program that loops without time passing hits the event limit and is no verdict")
{
    struct played_case p = played("fencepost 1\n"
                                  "scenario \"round and round\"\n"
                                  "case only holds\n"
                                  "until 1s\n"
                                  "limit events 1000\n"
                                  "node w1\n"
                                  "w1:\n"
                                  "  repeat 1000000:\n"
                                  "    work 0s\n",
                                  NULL, 0);
    if (p.run != NULL) {
        CHECK_EQ(p.run->end, END_STEPS);
        CHECK_EQ(p.run->verdict, VERDICT_ERROR);
        CHECK_EQ(p.run->full_limit, 1000);
        CHECK(!p.run->as_expected);
    }
    played_free(&p);
}

TEST("an expression that overflows is an error of the scenario, with its line")
{
    struct played_case p = played("fencepost 1\n"
                                  "scenario \"too much\"\n"
                                  "case only holds\n"
                                  "store ledger\n"
                                  "node w1\n"
                                  "w1:\n"
                                  "  let x = 9223372036854775807\n"
                                  "  write ledger x + 1\n",
                                  NULL, 0);
    if (p.run != NULL) {
        CHECK_EQ(p.run->end, END_FAILED);
        CHECK_EQ(p.run->fail_code, FAIL_OVERFLOW);
        CHECK_EQ(p.run->fail_line, 8);
        CHECK_EQ(p.run->verdict, VERDICT_ERROR);
    }
    played_free(&p);
}

TEST("each case of the example runs the same twice, and once more from its middle")
{
    static const char *const names[] = {"advisory", "checked", "fenced"};
    for (size_t i = 0; i < 3; i++) {
        struct played_case p = played(played_example, names[i], 0);
        if (p.compiled != NULL) {
            const char *what = run_verify(p.compiled);
            CHECK_STR(what == NULL ? "the same" : what, "the same");
        }
        played_free(&p);
    }
}

TEST("a run leaves nothing behind for the next one in the same world")
{
    struct played_case p = played(played_example, "checked", 0);
    if (p.run != NULL) {
        uint64_t digest = p.run->digest, records = p.run->records;
        const struct run_options other = {.plain = false};
        CHECK(run_play(p.run, &other));
        CHECK(run_play(p.run, NULL));
        CHECK_EQ(p.run->digest, digest);
        CHECK_EQ(p.run->records, records);
        CHECK(p.run->as_expected);
    }
    played_free(&p);
}

TEST("playing a case without reads allocates nothing")
{
    struct played_case p = played(played_example, "checked", 0);
    if (!test_counts_allocations())
        test_skip("allocations are not counted in this build");
    else if (p.run != NULL) {
        int64_t before = test_allocations();
        CHECK(run_play(p.run, NULL));
        CHECK_EQ(test_allocations(), before);
    }
    played_free(&p);
}

/* --- long traces ---------------------------------------------------------------------------------- */

/* Every `work` is a record, and there are few others. */
#define WORKS(times, limit) \
    "fencepost 1\nscenario \"long\"\ncase a holds\n" limit "node w1\nw1:\n  repeat " #times ":\n    work 1s\n"

static void count_event(void *context, struct sim *s)
{
    ++*(uint64_t *)context;
    (void)s;
}

TEST("a run of more records than a short trace holds is played again with all that its scenario allows")
{
    struct played_case p = played(WORKS(9000, ""), NULL, 0);
    if (p.run != NULL) {
        uint32_t n;
        CHECK(p.run->as_expected && p.run->records >= 9000);
        (void)sim_trace(p.run->sim, &n);
        CHECK(n >= p.run->records); /* and notes */
        struct run *whole = run_new(p.compiled, 0);
        CHECK(whole != NULL && run_play(whole, NULL) && whole->digest == p.run->digest);
        run_free(whole);
        CHECK(run_verify(p.compiled) == NULL);
    }
    played_free(&p);
    p = played(WORKS(9000, "limit records 8500\n"), NULL, 0);
    CHECK(p.run != NULL && p.run->end == END_FULL && p.run->records == 8500 && p.run->full_limit == 8500);
    played_free(&p);
    p = played(WORKS(9000, "limit records 100\n"), NULL, 0);
    CHECK(p.run != NULL && p.run->end == END_FULL && p.run->records == 100 && p.run->full_limit == 100);
    played_free(&p);
}

TEST("whoever watches a run sees each of its events once")
{
    struct played_case p = played(WORKS(9000, ""), NULL, 0);
    struct run *r = p.compiled == NULL ? NULL : run_new(p.compiled, SIM_SHORT_TRACE);
    uint64_t seen = 0;
    const struct run_options options = {.plain = true, .after = count_event, .context = &seen};
    CHECK(r != NULL && run_play(r, &options) && r->as_expected);
    CHECK(r != NULL && seen == r->events && r->digest == p.run->digest);
    run_free(r);
    played_free(&p);
}

static void check_no_memory(const char *text, const char *case_name)
{
    struct played_case p = played(text, case_name, 0);
    int64_t i = 1;
    for (bool whole = false; p.compiled != NULL && !whole && i < 100; i++) {
        test_fail_allocation(i);
        struct run *r = run_case(p.compiled, NULL);
        test_fail_allocation(0);
        whole = r != NULL;
        CHECK(!whole || r->as_expected);
        run_free(r);
    }
    CHECK(i > 3 && i < 100);
    played_free(&p);
}

TEST("no memory for a run is NULL, and nothing leaks")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    check_no_memory(played_example, "fenced");
    check_no_memory(WORKS(9000, ""), "a");
}

/* --- judged at the end ---------------------------------------------------------------------------- */

/* A write is done again behind its successor: w3 reads "b", then "a". */
#define COMES_BACK                            \
    "fencepost 1\n"                           \
    "scenario \"a write comes back\"\n"       \
    "case only violates linearizable by w3\n" \
    "store ledger forgets requests\n"         \
    "node w1 w2 w3\n"                         \
    "w1:\n"                                   \
    "  write ledger \"a\"\n"                  \
    "w2:\n"                                   \
    "  wait 1s\n"                             \
    "  write ledger \"b\"\n"                  \
    "w3:\n"                                   \
    "  wait 2s\n"                             \
    "  read ledger\n"                         \
    "  wait 3s\n"                             \
    "  read ledger\n"                         \
    "at 0s: duplicate w1 -> ledger after 3s\n"

static const struct violation *find(const struct run *r, enum invariant i)
{
    for (uint32_t k = 0; k < r->n_violations; k++)
        if (r->violation[k].invariant == (uint32_t)i)
            return &r->violation[k];
    return NULL;
}

TEST("a run whose reads have no legal order violates linearizable, at the read")
{
    struct played_case p = played(COMES_BACK, NULL, 0);
    const struct violation *v = p.run == NULL ? NULL : find(p.run, INV_LINEARIZABLE);
    CHECK(v != NULL && p.run->as_expected);
    if (v != NULL) {
        uint32_t n;
        const struct record *records = sim_trace(p.run->sim, &n);
        CHECK_EQ(v->at, INT64_C(5004000000));
        CHECK_EQ(records[v->record - 1].verb, V_GETS);
        CHECK_EQ(records[v->other - 1].at, NS_PER_S);
        CHECK_EQ(records[v->other - 1].verb, V_WRITES);
        const char *what = run_verify(p.compiled);
        CHECK_STR(what == NULL ? "the same" : what, "the same");
    }
    played_free(&p);
}

TEST("what breaks at the end stands among the others in the order of records")
{
    struct played_case p = played("fencepost 1\n"
                                  "scenario \"a store loses its disk\"\n"
                                  "case only violates linearizable at 3s..4s and no-lost-ack at 5s..6s\n"
                                  "store ledger forgets requests\n"
                                  "store archive\n"
                                  "node w1 w3\n"
                                  "w1:\n"
                                  "  write archive 1\n"
                                  "  write ledger 1\n"
                                  "  write ledger 2\n"
                                  "w3:\n"
                                  "  wait 1s\n"
                                  "  read ledger\n"
                                  "  wait 2s\n"
                                  "  read ledger\n"
                                  "before w1 writes ledger: duplicate w1 -> ledger after 2s\n"
                                  "at 5s: crash archive losing everything\n",
                                  NULL, 0);
    if (p.run != NULL) {
        CHECK(p.run->as_expected);
        CHECK_EQ(p.run->n_violations, 2);
        CHECK_EQ(p.run->violation[0].invariant, INV_LINEARIZABLE);
        CHECK(p.run->violation[0].record < p.run->violation[1].record);
    }
    played_free(&p);
}

/* Twenty writes at one time, of a value that is read: too many orders to look at each. */
static const char *crowd(const char *verdict)
{
    static char text[2048];
    char program[64];
    strcpy(text, "fencepost 1\nscenario \"a crowd\"\nstore ledger\nnode w1..w20 r\ncase only ");
    strcat(text, verdict);
    for (int i = 1; i <= 20; i++) {
        snprintf(program, sizeof program, "w%d:\n  write ledger 1\n", i);
        strcat(text, program);
    }
    return strcat(text, "r:\n  wait 1s\n  read ledger\n");
}

TEST("what stays undecided is listed, fails nothing, and has not broken")
{
    struct played_case p = played(crowd("holds\n"), NULL, 0);
    if (p.run != NULL) {
        CHECK(p.run->as_expected);
        CHECK_EQ(p.run->n_undecided, 1);
        CHECK_EQ(p.run->undecided[0].invariant, INV_LINEARIZABLE);
        CHECK_EQ(p.run->undecided[0].why, WHY_TOO_MUCH);
        const char *what = run_verify(p.compiled);
        CHECK_STR(what == NULL ? "the same" : what, "the same");
    }
    played_free(&p);
    p = played(crowd("violates linearizable\n"), NULL, 0);
    CHECK(p.run != NULL && !p.run->as_expected && p.run->n_violations == 0 && p.run->n_undecided == 1);
    played_free(&p);
}

TEST("a run that ends at a limit is not judged at its end")
{
    struct played_case p = played(COMES_BACK "limit events 20\n", NULL, 0);
    CHECK(p.run != NULL && p.run->verdict == VERDICT_ERROR);
    CHECK(p.run != NULL && p.run->n_undecided == 0 && find(p.run, INV_LINEARIZABLE) == NULL);
    played_free(&p);
    p = played(COMES_BACK "until 10s\nw2.more:\n  wait 1h\n", NULL, 0);
    CHECK(p.run != NULL && p.run->end == END_HORIZON && p.run->as_expected);
    played_free(&p);
}

TEST("no memory to judge the end is no run at all, and the next one is whole")
{
    struct played_case p = played(COMES_BACK, NULL, 0);
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
    } else if (p.run != NULL) {
        int64_t before = test_allocations();
        CHECK(run_play(p.run, NULL));
        int64_t n = test_allocations() - before;
        CHECK(n > 0);
        for (int64_t i = 1; i <= n; i++) {
            test_fail_allocation(i);
            CHECK(!run_play(p.run, NULL));
            test_fail_allocation(0);
        }
        CHECK(run_play(p.run, NULL) && p.run->as_expected);
        test_fail_allocation(1);
        CHECK(run_verify(p.compiled) != NULL);
        test_fail_allocation(0);
    }
    played_free(&p);
}

/* --- questions ----------------------------------------------------------------------------------- */

#define ASK "ask at 12s \"What will the ledger say at the end?\"\n"
#define ASK_WHO "  \"from w1\" if ledger = \"from w1\"\n  \"from w2\" if ledger = \"from w2\"\n"

/* The example with lines behind it. */
static const char *example_and(const char *lines)
{
    static char text[4096];
    strcpy(text, played_example);
    strcat(text, lines);
    return text;
}

/* The text of the answer to the first question, "" if it has none. */
static const char *answer(const struct run *r)
{
    uint32_t k = r == NULL || r->c->n_asks == 0 ? NONE32 : run_answer(r, 0);
    return k == NONE32 ? "" : r->c->sim.names->text[r->c->choices[k].text];
}

TEST("the one choice that is true at the end is the answer, in each case its own")
{
    static const char *const names[] = {"advisory", "checked", "fenced"},
                             *answers[] = {"from w1", "from w1", "from w2"};
    for (size_t i = 0; i < 3; i++) {
        struct played_case p = played(example_and(ASK ASK_WHO), names[i], 0);
        CHECK(p.run != NULL && p.run->as_expected && p.run->asked && p.run->n_unanswered == 0);
        CHECK_STR(answer(p.run), answers[i]);
        played_free(&p);
    }
}

TEST("a question whose choices are all false, or two of them true, fails its case and no other")
{
    const char *text = example_and(ASK "  \"from w2\" if ledger = \"from w2\"\n  \"nothing\" if ledger = none\n");
    struct played_case p = played(text, "checked", 0);
    CHECK(p.run != NULL && !p.run->as_expected && p.run->n_unanswered == 1 && p.run->verdict == VERDICT_VIOLATES);
    CHECK_STR(answer(p.run), "");
    played_free(&p);
    CHECK(case_is_well(text, "fenced"));
    text = example_and(ASK ASK_WHO "  \"something\" if not ledger = none and not w1 holds leader\n");
    p = played(text, "checked", 0);
    CHECK(p.run != NULL && !p.run->as_expected && p.run->n_unanswered == 1);
    CHECK_STR(answer(p.run), "");
    played_free(&p);
}

TEST("a question of one case is asked in no other")
{
    const char *text = example_and("[checked] " ASK "  \"yes\" if ledger = \"from w1\"\n  \"no\" if ledger = none\n");
    CHECK(case_is_well(text, "checked"));
    struct played_case p = played(text, "fenced", 0);
    CHECK(p.run != NULL && p.run->as_expected && p.run->c->n_asks == 0);
    played_free(&p);
}

TEST("a choice that cannot be asked leaves its question without an answer")
{
    struct played_case p = played(example_and(ASK ASK_WHO "  \"much\" if ledger > 9223372036854775807\n"), "fenced", 0);
    CHECK(p.run != NULL && !p.run->as_expected && p.run->n_unanswered == 1);
    CHECK(p.run != NULL && p.run->choice[2] >= CHOICE_FAILED);
    CHECK_STR(answer(p.run), "");
    played_free(&p);
}

TEST("without a gate, and in a run that comes to no end, no question is judged")
{
    const char *text = example_and(ASK "  \"a\" if ledger = \"a\"\n  \"b\" if ledger = \"b\"\n");
    struct played_case p = played(text, "fenced", UINT32_C(1) << GATE_RELEASE_TOKEN);
    CHECK(p.run != NULL && p.run->as_expected && !p.run->asked && p.run->n_unanswered == 0);
    CHECK_STR(answer(p.run), "");
    played_free(&p);
    p = played(example_and("limit events 5\n" ASK ASK_WHO), "fenced", 0);
    CHECK(p.run != NULL && p.run->verdict == VERDICT_ERROR && !p.run->asked && p.run->n_unanswered == 0);
    played_free(&p);
}

TEST("a question changes nothing in a run, and keeps none going")
{
    struct played_case with = played(example_and("ask at 1h \"Who?\"\n" ASK_WHO), "checked", 0);
    struct played_case without = played(played_example, "checked", 0);
    if (with.run != NULL && without.run != NULL) {
        CHECK_EQ(with.run->digest, without.run->digest);
        CHECK_EQ(with.run->events, without.run->events);
        CHECK_EQ(with.run->end_ns, without.run->end_ns);
    }
    const char *what = with.compiled == NULL ? "not there" : run_verify(with.compiled);
    CHECK_STR(what == NULL ? "the same" : what, "the same");
    played_free(&with);
    played_free(&without);
}

/* In how many cases the time of the question comes, and up to when the latest goes on. */
static struct idle_line question_tally(const char *text)
{
    static const char *const names[] = {"advisory", "checked", "fenced"};
    struct idle_line found = {.line = 0};
    struct tally t = {0};
    for (size_t i = 0; i < 3; i++) {
        struct played_case p = played(text, names[i], 0);
        CHECK(p.run != NULL && tally_add(&t, p.run));
        played_free(&p);
    }
    if (t.n > 0 && t.row[t.n - 1].wanted == 0)
        found = t.row[t.n - 1];
    tally_free(&t);
    return found;
}

TEST("a question whose time comes in no case is found, with how far the latest went")
{
    struct idle_line q = question_tally(example_and(ASK ASK_WHO));
    CHECK_EQ(q.fired, 3);
    q = question_tally(example_and("ask at 14s \"?\"\n" ASK_WHO));
    CHECK_EQ(q.fired, 0);
    CHECK_EQ(q.line, 31);
    CHECK_EQ(q.at, 14 * NS_PER_S);
    CHECK(q.latest > 13 * NS_PER_S && q.latest < 14 * NS_PER_S);
    q = question_tally(example_and("ask at 14s \"?\"\n" ASK_WHO "[fenced] at 14s: expect ledger = \"from w2\"\n"));
    CHECK_EQ(q.fired, 1);
}

/* --- replay.c ---------------------------------------------------------------------------------- */

static enum decided decided(const char *text, struct decision *d)
{
    struct diags diags;
    memset(&diags, 0, sizeof diags);
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &diags);
    CHECK(s != NULL);
    if (s == NULL)
        return DECIDED_PROBLEM;
    replay_decided_by(s, d, &diags);
    scenario_free(s);
    return d->how;
}

TEST("decided-by is checked: put back alone, or taken away")
{
    static const char old[] = "  lesson \"A lock that expires cannot stop a write that is already on its way.\"\n";
    struct decision d;
    CHECK_EQ(decided(played_example, &d), DECIDED_UNSAID);
    CHECK_EQ(decided(example_with(old, "  decided-by store-token\n"), &d), DECIDED_PUT_BACK);
    CHECK_EQ(d.failing, 0);
    CHECK_EQ(decided(example_with(old, "  decided-by lease-check\n"), &d), DECIDED_NO);
    CHECK_EQ(decided(example_with(old, "  decided-by release-token\n"), &d), DECIDED_NO);
    static const char calm[] = "fencepost 1\nscenario \"x\"\n  decided-by release-token\n"
                               "case a without release-token violates owner-releases\n"
                               "lock leader central ttl 10s\nnode w1\nw1:\n  acquire leader\n  release leader\n";
    CHECK_EQ(decided(calm, &d), DECIDED_NO); /* a case that never fails decides nothing */
    CHECK_EQ(d.still, 0);
}

TEST("a trigger that fires in no case is found, with how often its event came")
{
    struct tally t = {0};
    const char *text = example_with("before w1 writes ledger: pause w1 for 12s",
                                    "before w1 writes ledger: pause w1 for 12s\n"
                                    "after w1 writes ledger #3: pause w1 for 1s");
    static const char *const names[] = {"advisory", "checked", "fenced"};
    for (size_t i = 0; i < 3; i++) {
        struct played_case p = played(text, names[i], 0);
        if (p.run != NULL)
            CHECK(tally_add(&t, p.run));
        played_free(&p);
    }
    CHECK_EQ(t.n, 2);
    if (t.n == 2) {
        CHECK_EQ(t.row[0].fired, 3);
        CHECK_EQ(t.row[1].fired, 0);
        CHECK_EQ(t.row[1].came, 1);
        CHECK_EQ(t.row[1].wanted, 3);
        CHECK_EQ(t.row[1].line, t.row[0].line + 1);
    }
    tally_free(&t);
}

/* --- until mended --------------------------------------------------------------------------------------------- */

/* The example with a case to mend, and what is expected of it. */
static const char *to_mend(const char *line)
{
    static char text[2400];
    snprintf(text, sizeof text, "%s\n%s\n[yours] at end: expect ledger = \"from w2\"\n",
             example_with("case advisory   without store-token lease-check   violates no-stale-write",
                          "case advisory without store-token lease-check violates no-stale-write"),
             line);
    return text;
}

static void check_mend(int at, const char *line, enum verdict verdict, bool as_expected, bool mended, uint32_t misses)
{
    struct played_case p = played(to_mend(line), "yours", 0);
    if (p.run == NULL || p.run->verdict != verdict || p.run->as_expected != as_expected || p.run->mended != mended ||
        p.run->n_misses != misses)
        test_failed(__FILE__, at, "%s: %s, %sas expected, %smended", line,
                    p.run == NULL ? "no run" : verdict_name[p.run->verdict],
                    p.run != NULL && p.run->as_expected ? "" : "not ", p.run != NULL && p.run->mended ? "" : "not ");
    played_free(&p);
}

TEST("a case that violates until it is mended is as expected before, when nothing else is asked of it, and after")
{
    check_mend(__LINE__, "case yours without store-token violates no-stale-write until mended", VERDICT_VIOLATES, true,
               false, 0);
    check_mend(__LINE__, "case yours violates no-stale-write until mended", VERDICT_HOLDS, true, true, 0);
    check_mend(__LINE__, "case yours violates no-stale-write and single-holder until mended", VERDICT_HOLDS, true, true,
               0);
}

TEST("it is neither when another invariant breaks than it says, when a sign that it names does, or not all of them")
{
    check_mend(__LINE__, "case yours without store-token violates one-vote until mended", VERDICT_VIOLATES, false,
               false, 0);
    check_mend(__LINE__, "case yours violates no-stale-write and single-actor until mended", VERDICT_VIOLATES, false,
               false, 0);
    check_mend(__LINE__, "case yours without store-token violates no-stale-write and one-vote until mended",
               VERDICT_VIOLATES, false, false, 0);
}

TEST("a case that holds, and does not do what is expected of the mended one, is not mended as expected")
{
    char text[2500];
    snprintf(text, sizeof text, "%s[yours] at end: expect ledger = \"from w1\"\n",
             to_mend("case yours violates no-stale-write until mended"));
    struct played_case p = played(text, "yours", 0);
    CHECK(p.run != NULL && p.run->verdict == VERDICT_HOLDS && !p.run->as_expected && p.run->n_misses == 1);
    played_free(&p);
}

TEST("a run of a search judges linearizable as any other does")
{
    struct played_case p = played("fencepost 1\nscenario \"x\"\ncase a violates linearizable\nstore s\n"
                                  "  forgets requests\nnode w1 w2 w3\nw1: write s 1\nw2:\n  wait 1s\n  write s 2\n"
                                  "w3:\n  wait 2s\n  read s\n  wait 2s\n  read s\n"
                                  "at 0s: duplicate w1 -> s after 3s\n",
                                  "a", 0);
    struct run *brief = p.compiled == NULL ? NULL : run_new_brief(p.compiled);
    CHECK(p.run != NULL && brief != NULL && run_play(brief, NULL));
    if (p.run != NULL && brief != NULL)
        CHECK(broke(p.run, INV_LINEARIZABLE) && broke(brief, INV_LINEARIZABLE));
    run_free(brief);
    played_free(&p);
}

TEST("a run of a search tells of beliefs and acts only where the case asks for them, and else what any run tells")
{
    static const char *const says[] = {"violates single-actor", "holds and single-holder", "holds"};
    for (uint32_t i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "fencepost 1\nscenario \"x\"\ncase a without lease-check %s\nlock l central ttl 10s\nstore s\n"
                 "node w1 w2\nw1:\n  acquire l\n  work 2s\n  write s 1\nw2:\n  wait 1s\n  acquire l\n  work 2s\n"
                 "  write s 2\nat 1s: pause w1 for 11s\n",
                 says[i]);
        struct played_case p = played(text, "a", 0);
        struct run *brief = p.compiled == NULL ? NULL : run_new_brief(p.compiled);
        CHECK(p.run != NULL && brief != NULL && run_play(brief, NULL));
        if (p.run != NULL && brief != NULL) {
            CHECK(broke(p.run, INV_SINGLE_ACTOR) && broke(p.run, INV_SINGLE_HOLDER));
            CHECK_EQ(broke(brief, INV_SINGLE_ACTOR), i == 0);
            CHECK_EQ(broke(brief, INV_SINGLE_HOLDER), i == 1);
            CHECK_EQ(brief->verdict, p.run->verdict);
            CHECK_EQ(brief->events, p.run->events);
        }
        run_free(brief);
        played_free(&p);
    }
}
