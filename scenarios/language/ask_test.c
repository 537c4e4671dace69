/* SPDX-License-Identifier: MIT
 *
 * ask_test.c - questions: what they compile to, how they print, and what is said of slips in them.
 */
#include <stdio.h>

#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

#define HEAD         \
    "fencepost 1\n"  \
    "case a holds\n" \
    "case b without store-token holds\n"
#define WORLD                       \
    "lock leader central ttl 10s\n" \
    "store ledger\n"                \
    "node w1\n"                     \
    "w1:\n"                         \
    "  acquire leader\n"            \
    "  write ledger 1\n"

TEST("a question compiles to its time, its text and the choices below it")
{
    struct scenario *s = reads(HEAD WORLD "param when = 2s\n"
                                          "ask at 1s \"Which?\"\n"
                                          "  \"one\" if ledger = 1\n"
                                          "\n"
                                          "  # a comment is no choice\n"
                                          "  \"none\" if not ledger = 1\n"
                                          "ask at when \"Who?\"\n"
                                          "  \"w1\" if w1 holds leader\n"
                                          "  \"nobody\" if not w1 holds leader\n"
                                          "    and ledger = 1\n"
                                          "  \"w2\" if ledger.token > 3 or token leader = 7\n");
    struct compiled *c = compiles(s, 0);
    if (c != NULL) {
        CHECK(scenario_asks(s));
        CHECK_EQ(c->n_asks, 2);
        CHECK_EQ(c->asks[0].at, NS_PER_S);
        CHECK_EQ(c->asks[0].line, 11);
        CHECK_EQ(c->asks[0].n_choices, 2);
        CHECK_STR(name(c, c->asks[0].question), "Which?");
        CHECK_STR(name(c, c->choices[1].text), "none");
        CHECK_EQ(c->choices[1].line, 15);
        CHECK_EQ(c->asks[1].at, 2 * NS_PER_S);
        CHECK_EQ(c->asks[1].first_choice, 2);
        CHECK_EQ(c->asks[1].n_choices, 3);
        CHECK_EQ(c->n_choices, 5);
    }
    compiled_free(c);
    scenario_free(s);
}

TEST("a question, and each of its choices, can be one case's or that of a gate")
{
    struct scenario *s = reads(HEAD WORLD "[b] ask at 0s \"Only b?\"\n"
                                          "  \"yes\" if ledger = 1\n"
                                          "  \"no\" if ledger = none\n"
                                          "ask at 0s \"Both?\"\n"
                                          "  [a] \"yes\" if ledger = 1\n"
                                          "  [b] \"yes\" if ledger = 2\n"
                                          "  [store-token] \"no\" if ledger = 2\n"
                                          "  [-store-token] \"no\" if ledger = 1\n");
    struct compiled *a = compiles(s, 0), *b = compiles(s, 1);
    CHECK(a != NULL && a->n_asks == 1 && a->n_choices == 2 && a->choices[1].line == 16);
    CHECK(b != NULL && b->n_asks == 2 && b->n_choices == 4 && b->choices[3].line == 17);
    compiled_free(a);
    compiled_free(b);
    scenario_free(s);
}

TEST("a gate taken from a case may leave a question with fewer choices: nobody is asked then")
{
    struct scenario *s = reads("fencepost 1\ncase a holds\n" WORLD "ask at 0s \"Which?\"\n"
                               "  \"one\" if ledger = 1\n"
                               "  [store-token] \"none\" if ledger = none\n");
    struct diags d = {0};
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, UINT32_C(1) << GATE_STORE_TOKEN, 0, &d);
    CHECK(c != NULL && c->n_asks == 1 && c->n_choices == 1);
    compiled_free(c);
    scenario_free(s);
}

TEST("a choice may count an effect")
{
    struct scenario *s = reads("fencepost 1\ncase a holds\n" WORLD "  effect \"charge\"\nask at 1s \"How often?\"\n"
                               "  \"once\" if effect \"charge\" once\n"
                               "  \"never\" if effect \"charge\" 0 times\n"
                               "  \"twice, and more\" if not ledger = 1\n");
    struct compiled *c = compiles(s, 0);
    if (c != NULL) {
        CHECK(c->choices[0].effect != NONE16 && c->choices[0].count == 1 && c->choices[0].expr == NONE32);
        CHECK(c->choices[1].effect == c->choices[0].effect && c->choices[1].count == 0);
        CHECK(c->choices[2].effect == NONE16 && c->choices[2].expr != NONE32);
    }
    compiled_free(c);
    scenario_free(s);
}

TEST("a file that asks nothing says so, also if a node is named ask")
{
    struct scenario *s = reads("fencepost 1\ncase a holds\nnode ask\nask:\n  work 1s\n");
    CHECK(s != NULL && !scenario_asks(s));
    scenario_free(s);
}

TEST("a question prints with its choices two blanks in, as a fixed point")
{
    static const char text[] = HEAD WORLD "[a b]  ask  at 1000ms   \"Say \\\"what\\\"?\"\n"
                                          "      \"one\"   if ledger=1\n"
                                          "      [a]\"none\" if  not ( ledger = 1 )   and\n"
                                          "            w1 holds leader   # or not\n"
                                          "      [b] \"none\" if ledger != 1\n";
    static const char canonical[] = HEAD WORLD "[a b] ask at 1s \"Say \\\"what\\\"?\"\n"
                                               "  \"one\" if ledger = 1\n"
                                               "  [a] \"none\" if not (ledger = 1) and\n"
                                               "    w1 holds leader  # or not\n"
                                               "  [b] \"none\" if ledger != 1\n";
    check_prints(text, canonical);
}

#define ASK "ask at 5s \"?\"\n"
#define YES "  \"yes\" if ledger = 1\n"

TEST("slips in a choice that counts are told where they stand")
{
    static const struct slip slips[] = {
        {"ask at 5s \"?\"\n  \"a\" if effect \"x\"\n  \"b\" if ledger = 1",
         "2:20: expected 'once', or a number and 'times', found the end of the line"},
        {"ask at 5s \"?\"\n  \"a\" if effect \"x\" 2\n  \"b\" if ledger = 1",
         "2:22: expected 'times', found the end of the line"},
        {"ask at 5s \"?\"\n  \"a\" if effect \"x\" twice\n  \"b\" if ledger = 1",
         "2:21: expected 'once', or a number and 'times', found 'twice'"},
        {"ask at 5s \"?\"\n  \"a\" if effect \"charge card\" once more\n  \"b\" if ledger = 1",
         "2:36: expected the end of the line, found 'more'"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("slips in the line of a question are told where they stand")
{
    static const struct slip slips[] = {
        {"aks at 5s \"?\"", "1:1: unknown statement 'aks'; did you mean 'ask'?"},
        {"ask", "1:4: expected 'at', found the end of the line"},
        {"ask 5s \"?\"", "1:5: expected 'at', found '5s'"},
        {"ask att 5s \"?\"", "1:5: unknown word 'att'; did you mean 'at'?"},
        {"ask at end \"?\"", "1:8: expected a duration, as in 10s, found 'end'"},
        {"ask at 5s", "1:10: expected the question, in double quotes, found the end of the line"},
        {"ask at 5s why", "1:11: expected the question, in double quotes, found 'why'"},
        {"ask at 5s \"?\" now\n" YES, "1:15: expected the end of the line, found 'now'"},
        {"ask at 5s \"?\":\n" YES, "1:14: expected the end of the line, found ':'"},
        {"until 4s\n" ASK YES "  \"no\" if ledger = 2",
         "2:8: this time never comes: the run ends at the latest at 'until 4s'"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("slips in choices are told where they stand")
{
    static const struct slip slips[] = {
        {"ask at 5s \"?\"", "1:1: this question has no choices in case 'plain': two or more stand indented below it, "
                            "as in \"yes\" if ledger = 1"},
        {ASK YES, "1:1: this question has one choice in case 'plain': it needs two or more"},
        {ASK YES "  \"yes\" if ledger = 2", "3:3: this choice stands on line 16 already"},
        {ASK YES "  no if ledger = 2", "3:3: expected a choice, as in \"yes\" if ledger = 1, found 'no'"},
        {ASK YES "  \"no\"", "3:7: expected 'if', found the end of the line"},
        {ASK YES "  \"no\" fi ledger = 2", "3:8: unknown word 'fi'; did you mean 'if'?"},
        {ASK YES "  \"no\" if",
         "3:10: expected what is true at the end if this is the answer, found the end of the line"},
        {ASK "  \"no\" if\n" YES,
         "2:10: expected what is true at the end if this is the answer, found the end of the line"},
        {ASK YES "  \"no\" if effect \"charge crd\" once",
         "3:18: no step has the effect \"charge crd\"; did you mean \"charge card\"?"},
        {ASK YES "  \"no\" if effect \"mail\" 0 times", "3:18: no step has the effect \"mail\""},
        {ASK YES "  \"no\" if ledgr = 2", "3:11: unknown value 'ledgr'; did you mean 'ledger'?"},
        {ASK YES "  \"no\" if ledger/y = 2", "3:11: unknown register (no program touches it) 'ledger/y'; did you mean "
                                             "'ledger/x'?"},
        {ASK YES "  \"no\" if w1 hold leader",
         "3:11: behind 'if' stands a comparison, asked at the end of the run; a line of the trace is none"},
        {ASK YES "  \"no\" if ledger",
         "3:11: behind 'if' stands a comparison, asked at the end of the run; a line of the trace is none"},
        {ASK YES "  \"no\" if ledger = 2 now", "3:22: expected the end of the line, found 'now'"},
        {ASK YES "  [plane] \"no\" if ledger = 2", "3:4: unknown case or gate 'plane'; did you mean 'plain'?"},
        {"\"yes\" if ledger = 1", "1:1: a choice stands indented below its question, as in ask at 5s \"Which?\""},
        {"at 5s: heal\n" YES, "2:3: a choice stands indented below its question, as in ask at 5s \"Which?\""},
        {"node w3\nw3:\n" YES, "3:3: a choice stands indented below its question, as in ask at 5s \"Which?\""},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("choices at the margin are told where they belong, and the question that it has none")
{
    struct diags d;
    const char *text = with_line(ASK "\"yes\" if ledger = 1");
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d);
    CHECK(s == NULL && d.total == 2);
    CHECK(d.total == 2 && starts_with(d.row[0].text, "this question has no choices"));
    CHECK(d.total == 2 && starts_with(d.row[1].text, "a choice stands indented below its question"));
    scenario_free(s);
}

TEST("one slip in a choice is one problem: the others are not counted")
{
    struct diags d;
    const char *text = with_line(ASK YES "  \"no\" iff ledger = 2");
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d);
    CHECK(s == NULL);
    CHECK_EQ(d.total, 1);
    scenario_free(s);
}

TEST("a question's time may lie past the horizon of one case, but not of all")
{
    CHECK_STR(problem(HEAD WORLD "[a] until 4s\n" ASK YES "  \"no\" if ledger = 2\n"), "");
    CHECK_STR(problem(HEAD WORLD "[a] until 4s\n[a] " ASK YES "  \"no\" if ledger = 2\n"),
              "11:12: this time never comes: the run ends at the latest at 'until 4s'");
}

TEST("questions and choices are bounded")
{
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, "ask at 5s \"?\"\n");
    for (int i = 0; i < 27; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  \"%d\" if ledger = %d\n", i, i);
    CHECK_STR(line_problem(text), "28:3: a question has at most 26 choices");
    n = 0;
    for (int i = 0; i < 65; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", ASK YES "  \"no\" if ledger = 2\n");
    CHECK_STR(line_problem(text), "193:1: a case has at most 64 questions");
}
