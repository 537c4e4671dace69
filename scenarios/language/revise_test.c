/* SPDX-License-Identifier: MIT
 *
 * revise_test.c - other faults in lines of a file: what runs then, and what is said of those that are wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "model/plan.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#define REVISED                          \
    "fencepost 1\n"                      \
    "case a holds\n"                     \
    "case b holds\n"                     \
    "node w1 w2\n"                       \
    "group both = w1 w2\n"               \
    "w1, w2: work 1s\n"                  \
    "[a] at 1s: pause w1 for 2s # why\n" \
    "at 2s: suspend both\n"              \
    "at 3s: expect w1 pauses\n"

/* The plan of case i of the text above with one line revised; NULL: d says why. */
static struct compiled *revised(uint32_t i, uint32_t line, const char *fault, struct diags *d)
{
    const struct revision r = {line, fault};
    struct scenario *s = reads(REVISED);
    struct scenario *t = s == NULL ? NULL : scenario_revised(s, &r, 1, d);
    struct compiled *c = t == NULL || !scenario_check(t, d) ? NULL : scenario_compile(t, i, 0, 0, d);
    scenario_free(t);
    scenario_free(s);
    return c;
}

TEST("a line holds another fault, for the cases of that line")
{
    struct diags d;
    struct compiled *a = revised(0, 7, "after w1 works: crash w2", &d), *b = revised(1, 7, "at 9s: crash w2", &d);
    CHECK(a != NULL && b != NULL);
    if (a != NULL && b != NULL) {
        CHECK(a->sim.n_faults == 2 && a->sim.faults[0].kind == FAULT_CRASH && a->sim.faults[0].line == 7);
        CHECK(a->sim.n_triggers == 1 && a->sim.triggers[0].verb == V_WORKS);
        CHECK(b->sim.n_faults == 1 && b->sim.faults[0].kind == FAULT_SUSPEND);
    }
    compiled_free(a);
    compiled_free(b);
}

TEST("`none` leaves the fault out, and a name that it alone used is no problem then")
{
    struct diags d;
    struct compiled *c = revised(0, 8, "none", &d);
    CHECK(c != NULL && c->sim.n_faults == 1 && c->sim.faults[0].kind == FAULT_PAUSE);
    compiled_free(c);
}

TEST("the scenario that was revised stays as it was, and prints as it was read")
{
    static const struct revision r[] = {{7, "none"}, {8, "at 4s: suspend w2 for 1s"}};
    struct diags d;
    size_t n;
    struct scenario *s = reads(REVISED), *t = s == NULL ? NULL : scenario_revised(s, r, 2, &d);
    CHECK(s != NULL && t != NULL);
    if (s != NULL && t != NULL) {
        struct compiled *c = scenario_compile(s, 0, 0, 0, &d);
        CHECK(c != NULL && c->sim.n_faults == 2);
        compiled_free(c);
        char *before = scenario_print(s, &n), *after = scenario_print(t, &n);
        CHECK(before != NULL && strstr(before, "pause w1") != NULL && strstr(before, "suspend both") != NULL);
        CHECK(after != NULL && strstr(after, "pause w1") == NULL && strstr(after, "at 4s: suspend w2 for 1s") != NULL);
        free(before);
        free(after);
    }
    scenario_free(t);
    scenario_free(s);
}

TEST("a revision that is none is told in the words of the command line")
{
    static const struct {
        uint32_t line;
        const char *fault, *says;
    } rows[] = {
        {1, "none", "--fault 1: that line holds no fault; there is one in line 7, 8"},
        {9, "none", "--fault 9: that line holds no fault; there is one in line 7, 8"},
        {99, "none", "--fault 99: that line holds no fault; there is one in line 7, 8"},
        {7, "", "--fault 7: expected a fault with its time or event"},
        {7, "pause w1", "--fault 7: expected a fault with its time or event"},
        {7, "at 5s: expect w1 pauses", "--fault 7: expected a fault with its time or event"},
        {7, "[b] at 5s: pause w1", "--fault 7: expected a fault with its time or event"},
        {7, "at 5s: pause w1\nat 6s: pause w1", "--fault 7: expected a fault with its time or event"},
        {7, "at 5s: pause w1 \x01", "--fault 7: column 17: a control character"},
        {7, "at 5s: puase w1", "--fault 7: column 8: unknown fault 'puase'; did you mean 'pause'?"},
        {7, "at 5s: pause w3", "--fault 7: column 14: unknown node, thread or service 'w3'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diags d = {0};
        struct compiled *c = revised(0, rows[i].line, rows[i].fault, &d);
        CHECK(c == NULL);
        if (d.n == 0 || !starts_with(d.row[0].text, rows[i].says) || d.row[0].line != 0)
            test_failed(__FILE__, __LINE__, "row %u: %s", (unsigned)i, d.row[0].text);
        compiled_free(c);
    }
}

TEST("a file without faults has none to revise")
{
    static const struct revision r = {3, "none"};
    struct diags d;
    struct scenario *s = reads("fencepost 1\ncase a holds\nnode w1\nw1: work 1s\n");
    CHECK(s != NULL && scenario_revised(s, &r, 1, &d) == NULL);
    CHECK_STR(d.row[0].text, "--fault 3: this file has no line that holds a fault");
    scenario_free(s);
}
