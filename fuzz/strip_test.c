/* SPDX-License-Identifier: MIT
 *
 * strip_test.c - a case without its faults: which lines go, which `may` lines come, and that nothing else changes.
 */
#include "fuzz/strip.h"

#include "scenarios/language/reading.h"
#include "scenarios/library.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const world = "fencepost 1\n"
                                 "scenario \"One\"\n"
                                 "case loose without store-token violates no-stale-write\n"
                                 "case tight holds\n"
                                 "lock leader quorum voters 3 ttl 10s\n"
                                 "store ledger\n"
                                 "node w1 w2\n"
                                 "w1, w2:\n"
                                 "  acquire leader\n"
                                 "  write ledger me\n"
                                 "  release leader\n";

static char *printed;

/* The printed form of a case of a text, stripped; *faults as strip_faults() says. Kept until the next call. */
static const char *strip_case(const char *lines, uint32_t i, enum strip_may may, uint32_t *faults)
{
    static char text[16384];
    struct diags d = {0};
    size_t n;
    free(printed);
    printed = NULL;
    *faults = 99;
    snprintf(text, sizeof text, "%s%s", world, lines);
    struct scenario *s = reads(text);
    struct scenario *stripped = s == NULL ? NULL : strip_faults(s, i, may, faults, &d);
    if (stripped == NULL)
        test_failed(__FILE__, __LINE__, "%s", d.n > 0 ? d.row[0].text : "no memory");
    else
        printed = scenario_print(stripped, &n);
    scenario_free(stripped);
    scenario_free(s);
    return printed == NULL ? "" : printed;
}

static bool has_line(const char *text, const char *line)
{
    size_t n = strlen(line);
    for (const char *at = strstr(text, line); at != NULL; at = strstr(at + 1, line))
        if ((at == text || at[-1] == '\n') && at[n] == '\n')
            return true;
    return false;
}

static uint32_t count_lines(const char *text, const char *start)
{
    uint32_t n = 0;
    for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n') == NULL ? NULL : strchr(at, '\n') + 1)
        n += strncmp(at, start, strlen(start)) == 0;
    return n;
}

/* The fault of this line becomes this `may` line alone; "": none. */
static void check_kind(const char *fault, const char *may)
{
    uint32_t faults;
    const char *text = strip_case(fault, 0, STRIP_KINDS, &faults);
    CHECK_EQ(faults, 1);
    if (strstr(text, fault) != NULL || count_lines(text, "may ") != (may[0] != '\0') ||
        (may[0] != '\0' && !has_line(text, may)))
        test_failed(__FILE__, __LINE__, "%s is not '%s' of\n%s", may, fault, text);
    CHECK(has_line(text, "case loose without store-token holds"));
    text = strip_case(fault, 0, STRIP_ALL, &faults);
    CHECK_EQ(faults, 1);
    CHECK_EQ(count_lines(text, "may "), 0);
    CHECK(strstr(text, fault) == NULL);
}

TEST("each kind of fault becomes a line that allows it, on whatever it could strike")
{
    check_kind("before w1 writes ledger: pause w1 for 12s", "may pause");
    check_kind("at 3s: pause w1.main", "may pause");
    check_kind("at 3s: suspend w1 for 2s", "may suspend");
    check_kind("at 3s: crash ledger for 2s", "may crash");
    check_kind("at 3s: crash w1", "may crash");
    check_kind("at 3s: crash leader.1 for 2s losing unsynced", "may crash losing unsynced");
    check_kind("at 3s: crash leader for 2s losing everything", "may crash losing everything");
    check_kind("at 3s: partition w1 | w2 for 2s", "may partition");
    check_kind("at 3s: partition w1 | w2 for 2s holding", "may partition holding");
    check_kind("at 3s: cut w1 -> ledger", "may cut");
    check_kind("at 3s: cut w1 - ledger for 1s holding", "may cut holding");
    check_kind("at 0s: delay w1 -> ledger by 2s", "may delay");
    check_kind("at 0s: drop w1 -> ledger #2", "may drop");
    check_kind("at 0s: duplicate w1 -> ledger after 1s", "may duplicate");
    check_kind("at 0s: reorder w1 -> ledger", "may reorder");
    check_kind("at 3s: slow ledger by 3s for 10s", "may slow");
    check_kind("at 3s: wall w1 jumps -1h", "may step wall");
    check_kind("at 3s: clock w1 drifts +200ppm", "may drift up to 200ppm");
    check_kind("at 3s: clock w1 drifts -300000ppm", "may drift up to 300000ppm");
}

TEST("what no `may` line says goes, and none comes for it")
{
    check_kind("at 3s: clock w1 slews +2s over 10m", "");
    check_kind("at 3s: clock w1 drifts +0ppm", "");
    check_kind("after w1 acquires leader: heal", "");
}

TEST("lines of one kind become one, and are counted all")
{
    uint32_t faults;
    const char *text = strip_case("at 3s: pause w1 for 1s\n"
                                  "at 4s: pause w2 w1 for 2s\n"
                                  "at 4s: cut w1 -> ledger\n"
                                  "before w2 writes ledger: pause w2 for 3s\n",
                                  0, STRIP_KINDS, &faults);
    CHECK_EQ(faults, 4);
    CHECK_EQ(count_lines(text, "may "), 2);
    CHECK_EQ(count_lines(text, "at "), 0);
    CHECK_EQ(count_lines(text, "before "), 0);
}

TEST("only the lines that the case keeps count, and the case stands alone")
{
    static const char *const lines = "[loose] at 3s: pause w1 for 1s\n"
                                     "[tight] at 4s: cut w1 -> ledger\n"
                                     "at 5s: drop w2 -> ledger\n"
                                     "[tight] at end: expect ledger = 1\n"
                                     "always: expect not ledger = 7\n";
    uint32_t faults;
    const char *text = strip_case(lines, 0, STRIP_KINDS, &faults);
    CHECK_EQ(faults, 2);
    CHECK(has_line(text, "may pause") && has_line(text, "may drop") && !has_line(text, "may cut"));
    CHECK(has_line(text, "always: expect not ledger = 7"));
    CHECK_EQ(count_lines(text, "case "), 1);
    text = strip_case(lines, 1, STRIP_KINDS, &faults);
    CHECK_EQ(faults, 2);
    CHECK(has_line(text, "may cut") && has_line(text, "may drop") && !has_line(text, "may pause"));
    CHECK(has_line(text, "case tight holds"));
}

TEST("a file that says what may go wrong keeps what it says")
{
    uint32_t faults;
    const char *text = strip_case("at 3s: pause w1 for 1s\nmay drop w1 - ledger\nat most 2 faults\n", 0, STRIP_KINDS,
                                  &faults);
    CHECK_EQ(faults, 1);
    CHECK_EQ(count_lines(text, "may "), 1);
    CHECK(has_line(text, "may drop w1 - ledger") && has_line(text, "at most 2 faults"));
}

TEST("a case without faults has none, and is as it was")
{
    uint32_t faults;
    const char *text = strip_case("", 1, STRIP_KINDS, &faults);
    CHECK_EQ(faults, 0);
    CHECK_EQ(count_lines(text, "may "), 0);
    CHECK(has_line(text, "  acquire leader") && has_line(text, "case tight holds"));
}

TEST("however many faults there are, all go")
{
    static char lines[8192];
    uint32_t faults;
    for (uint32_t n = 63; n < 200; n += n < 66 ? 1 : 133) {
        lines[0] = '\0';
        for (uint32_t i = 0; i < n; i++)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "at %us: clock w1 drifts +%uppm\n", 1 + i,
                     1 + i);
        const char *text = strip_case(lines, 0, STRIP_KINDS, &faults);
        CHECK_EQ(faults, n);
        CHECK_EQ(count_lines(text, "at "), 0);
        CHECK(count_lines(text, "may ") >= 1);
    }
}

/* --- the library ----------------------------------------------------------------------------------- */

static void check_stripped(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    uint32_t *n = context;
    for (int how = 0; how < 2; how++) {
        uint32_t faults = 0;
        struct diags d = {0};
        struct scenario *stripped = strip_faults(s, i, how == 0 ? STRIP_KINDS : STRIP_ALL, &faults, &d);
        struct compiled *c = stripped == NULL ? NULL : scenario_compile(stripped, 0, 0, 0, &d);
        if (c == NULL)
            test_failed(path, 0, "case %s: %s", scenario_case_name(s, i), d.row[0].text);
        else
            CHECK(c->sim.n_faults == 0 && !c->violates && c->n_expected == 0);
        *n += c != NULL && faults > 0;
        if (c != NULL)
            compiled_free(c);
        scenario_free(stripped);
    }
}

TEST("every case of the library reads without its faults")
{
    uint32_t n = 0;
    visit_library(check_stripped, &n);
    CHECK(n > 100);
}
