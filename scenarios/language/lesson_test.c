/* SPDX-License-Identifier: MIT
 *
 * lesson_test.c - cases to mend: which line is to be changed, what is told first, and what somebody changed.
 */
#include <stdlib.h>

#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

#define HEAD                                                      \
    "fencepost 1\n"                                               \
    "scenario \"A lesson\"\n"                                     \
    "  source \"Nobody\"\n"                                       \
    "  lesson \"Compare.\"\n"                                     \
    "  reach delay write \"The write is late.\"\n"                \
    "case happened without store-token violates no-stale-write\n" \
    "case yours without store-token violates no-stale-write until mended\n"
#define WORLD           \
    "store ledger\n"    \
    "node w1 w2\n"      \
    "w1:\n"             \
    "  wait 2s\n"       \
    "  # the old one\n" \
    "  write ledger 1 token 1\n"
#define LATER                    \
    "w2:\n"                      \
    "  write ledger 2 token 2\n" \
    "ask at 1s \"Which?\"\n"     \
    "  \"one\" if ledger = 1\n"  \
    "  \"two\" if ledger = 2\n"  \
    "[yours] at end: expect ledger = 2\n"
#define LESSON HEAD WORLD LATER /* the line to change is that of the case */
#define STEP_LESSON                     \
    HEAD WORLD "  [happened] work 1s\n" \
               "  [yours] work 1s\n" LATER

TEST("a case that violates until it is mended says both")
{
    struct scenario *s = reads(LESSON);
    struct compiled *a = s == NULL ? NULL : compiles(s, 0), *b = s == NULL ? NULL : compiles(s, 1);
    CHECK(a != NULL && a->violates && !a->to_mend);
    CHECK(b != NULL && b->violates && b->to_mend && b->n_expected == 1);
    if (s != NULL) {
        CHECK_EQ(scenario_to_mend(s), 1);
        CHECK_STR(scenario_reach(s), "delay:write");
        CHECK_STR(scenario_reach_words(s), "The write is late.");
    }
    compiled_free(a);
    compiled_free(b);
    scenario_free(s);
}

TEST("a file without such a case has no line to change, and reaches nothing")
{
    struct scenario *s = reads("fencepost 1\ncase a holds\nnode w1\nw1:\n  [a] work 1s\n");
    CHECK(s != NULL && scenario_to_mend(s) == -1 && scenario_change(s) == 0 && scenario_reach(s) == NULL);
    scenario_free(s);
}

TEST("the line to change stands for the case alone; what is asked and expected of it does not count")
{
    struct scenario *s = reads(STEP_LESSON);
    CHECK(s != NULL && scenario_change(s) == 15);
    scenario_free(s);
    s = reads(LESSON);
    CHECK(s != NULL && scenario_change(s) == 7); /* none does: that of the case */
    scenario_free(s);
    s = reads(HEAD WORLD "  [yours happened] work 1s\n" LATER); /* not alone */
    CHECK(s != NULL && scenario_change(s) == 7);
    scenario_free(s);
}

#define MEND "case x violates no-stale-write until mended\n"

#define SITUATION "expected a situation, as in reach pause between-check-and-act \"It stops behind its own check.\""

TEST("slips in what is to be mended are told where they stand")
{
    static const struct slip slips[] = {
        {"case x holds until mended", "1:14: expected the end of the line, found 'until'"},
        {"case x violates no-stale-write until", "1:37: expected 'mended', found the end of the line"},
        {"case x violates no-stale-write until mend", "1:38: unknown word 'mend'; did you mean 'mended'?"},
        {MEND "case y violates no-stale-write until mended",
         "2:1: one case of a file is to be mended, and that is 'x'"},
        {MEND "[x] lock a central ttl 1s\n[x] lock b central ttl 1s",
         "3:1: one line stands for 'x' alone, the one to change, and that is line 16"},
        {"scenario \"t\"\n  reach", "2:8: " SITUATION},
        {"scenario \"t\"\n  reach pause", "2:14: " SITUATION},
        {"scenario \"t\"\n  reach pause acquiring", "2:24: expected a text in double quotes"},
        {"scenario \"t\"\n  reach pause aquiring \"x\"",
         "2:9: no situation 'pause:aquiring'; did you mean 'pause:acquiring'?"},
        {"scenario \"t\"\n  reach sleep nowhere \"x\"",
         "2:9: no situation 'sleep:nowhere'; `fencepost list situations` shows all"},
        {"scenario \"t\"\n  reach pause acquiring \"x\" y", "2:29: expected the end of the line"},
        {"scenario \"t\"\n  reach pause acquiring \"x\"\n  reach pause acquiring \"x\"",
         "3:3: 'reach' stands in the file twice"},
        {"scenario \"t\"\n  raech pause acquiring \"x\"",
         "2:3: unknown word below 'scenario' 'raech'; did you mean 'reach'?"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("a lesson prints as a fixed point")
{
    check_prints("fencepost 1\nscenario  \"t\"\n   reach  pause   acquiring \"x\"\n"
                 "case a violates   no-stale-write  and one-vote  until   mended\nnode w1\nw1:\n  work 1s\n",
                 "fencepost 1\nscenario \"t\"\n  reach pause acquiring \"x\"\n"
                 "case a violates no-stale-write and one-vote until mended\nnode w1\nw1:\n  work 1s\n");
}

TEST("what a student sees first has no case, no question, no expectation, and of the header the source alone")
{
    static const bool tells[] = {true,  true,  true,  false, false, false, false, /* the header and the cases */
                                 true,  true,  true,  true,  true,  true,         /* the world, and its comment */
                                 true,  true,                                     /* w2 */
                                 false, false, false, false, true};               /* the last: there is no such line */
    struct scenario *s = reads(LESSON);
    for (uint32_t i = 0; s != NULL && i < sizeof tells; i++)
        if (scenario_line_tells(s, i + 1) != tells[i])
            test_failed(__FILE__, __LINE__, "line %u", i + 1);
    scenario_free(s);
}

/* --- what somebody made of it ----------------------------------------------------------------------------------- */

static struct lesson_difference compared(const char *given, const char *handed_in)
{
    struct scenario *a = reads(given), *b = reads(handed_in);
    struct lesson_difference d = {false, NONE32, NONE32};
    if (a != NULL && b != NULL)
        d = lesson_compare(a, b);
    scenario_free(a);
    scenario_free(b);
    return d;
}

static void check_compared(int line, const char *given, const char *handed_in, bool changed, uint32_t a, uint32_t b)
{
    struct lesson_difference d = compared(given, handed_in);
    if (d.changed != changed || d.given != a || d.handed_in != b)
        test_failed(__FILE__, line, "changed %d, given line %u, handed in line %u", d.changed, d.given, d.handed_in);
}
#define COMPARED(given, handed_in, changed, a, b) check_compared(__LINE__, given, handed_in, changed, a, b)

#define MENDED_HEAD                                               \
    "fencepost 1\n"                                               \
    "scenario \"A lesson\"\n"                                     \
    "  source \"Nobody\"\n"                                       \
    "  lesson \"Compare.\"\n"                                     \
    "  reach delay write \"The write is late.\"\n"                \
    "case happened without store-token violates no-stale-write\n" \
    "case yours violates no-stale-write until mended\n"

TEST("a lesson as it was given differs nowhere; spaces and comments are no difference")
{
    COMPARED(LESSON, LESSON, false, 0, 0);
    COMPARED(STEP_LESSON, STEP_LESSON, false, 0, 0);
    COMPARED(LESSON, HEAD "\n# mine\n\n" WORLD "# and mine\n" LATER "# the end\n", false, 0, 0);
}

TEST("the line to change may be another, and no other line may")
{
    COMPARED(LESSON, MENDED_HEAD WORLD LATER, true, 0, 0);
    COMPARED(STEP_LESSON, HEAD WORLD "  [happened] work 1s\n  [yours] work 2s\n" LATER, true, 0, 0);
    COMPARED(STEP_LESSON, HEAD WORLD "  [happened] work 2s\n  [yours] work 2s\n" LATER, false, 14, 14);
    COMPARED(STEP_LESSON, MENDED_HEAD WORLD "  [happened] work 1s\n  [yours] work 2s\n" LATER, false, 7, 7);
}

TEST("an added line is the first that differs, and so is what stands where one is missing")
{
    COMPARED(STEP_LESSON, HEAD WORLD "  work 3s\n  [happened] work 1s\n  [yours] work 1s\n" LATER, false, 14, 14);
    COMPARED(STEP_LESSON, HEAD WORLD "  [happened] work 1s\n" LATER, false, 15, 15);
    COMPARED(LESSON, LESSON "at 5s: pause w1 for 1s\n", false, 0, 20);
    COMPARED(LESSON "at 5s: pause w1 for 1s\n", LESSON, false, 20, 0);
}

TEST("the line to change stays where it is, at its depth, and the case keeps its name")
{
    COMPARED(STEP_LESSON, HEAD WORLD "  [happened] work 1s\n  repeat 2:\n    [yours] work 1s\n" LATER, true, 16, 16);
    COMPARED(
        "fencepost 1\ncase yours without store-token violates no-stale-write until mended\nnode w1\nw1:\n  work 1s\n",
        "fencepost 1\ncase mine holds\nnode w1\nw1:\n  work 1s\n", false, 2, 2);
}

TEST("a sign that is glued to its number is another one")
{
#define SIGNED(x) "fencepost 1\ncase a violates no-stale-write until mended\nnode w1\nstore s\nw1:\n  write s 3 " x "\n"
    struct scenario *s = reads(SIGNED("- 1"));
    CHECK(s != NULL);
    scenario_free(s);
    COMPARED(SIGNED("- 1"), SIGNED("-   1"), false, 0, 0);
    COMPARED(SIGNED("- 1"), SIGNED("+ 1"), false, 6, 6);
}
