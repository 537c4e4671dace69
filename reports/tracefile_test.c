/* SPDX-License-Identifier: MIT
 *
 * tracefile_test.c - what is read of a tracefile, and what is said of one that is wrong.
 */
#include "reports/tracefile.h"

#include <stdio.h>

#include "sim/test.h"

static uint32_t read_text(struct tracefile *f, const char *text, const char **expected)
{
    return tracefile_read(f, text, strlen(text), expected);
}

TEST("a line has the tests that run it, whichever record says so")
{
    struct tracefile f = {0};
    const char *expected;
    CHECK_EQ(read_text(&f,
                       "TN:one\nSF:a.c\nDA:1,3\nDA:2,0\nend_of_record\n"
                       "TN:two\nSF:a.c\nFN:1,f\nDA:1,1\nDA:2,0\nDA:7,1\nend_of_record\nSF:b.c\nDA:1,0\nend_of_record\n",
                       &expected),
             0);
    CHECK_EQ(f.n_tests, 2);
    CHECK_EQ(f.n_sources, 2);
    CHECK_EQ(f.source[0].lines, 7);
    CHECK_EQ(tracefile_count(&f, 0, 1), 2);
    CHECK_EQ(tracefile_count(&f, 0, 2), 0);
    CHECK(f.source[0].has_code[2] && !f.source[0].has_code[3]);
    CHECK(tracefile_runs(&f, 0, 7, 1) && !tracefile_runs(&f, 0, 7, 0));
    CHECK_EQ(tracefile_count(&f, 1, 1), 0);
    tracefile_free(&f);
}

TEST("a hundred tests have each a place of its own")
{
    struct tracefile f = {0};
    char text[8192];
    size_t n = 0;
    const char *expected;
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "TN:t%d\nSF:a.c\nDA:%d,1\nDA:200,1\nend_of_record\n", i,
                              i + 1);
    CHECK_EQ(tracefile_read(&f, text, n, &expected), 0);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_EQ(tracefile_count(&f, 0, i + 1), 1);
        CHECK(tracefile_runs(&f, 0, i + 1, i));
    }
    CHECK_EQ(tracefile_count(&f, 0, 200), 100);
    tracefile_free(&f);
}

TEST("the last line that a tracefile may speak of is the millionth; a count stands behind it")
{
    static const struct {
        const char *text;
        uint32_t wrong;
    } row[] = {
        {"TN:t\nSF:a\nDA:1000000,1\nend_of_record\n", 0},
        {"TN:t\nSF:a\nDA:1000001,1\n", 3},
        {"TN:t\nSF:a\nDA:0,1\n", 3},
        {"TN:t\nSF:a\nDA:1\n", 3},
        {"TN:t\nSF:a\nDA:1,\n", 3},
        {"TN:t\nSF:a\nDA:1,x\n", 3},
        {"TN:t\nSF:a\nDA:-1,1\n", 3},
        {"SF:a\nDA:1,1\n", 2},
        {"TN:t\nDA:1,1\n", 2},
        {"TN:t\nSF:a\nDA:1,1\nend_of_record", 0},
        {"", 0},
        {"no tracefile\n", 0},
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct tracefile f = {0};
        const char *expected = "";
        CHECK_EQ(read_text(&f, row[i].text, &expected), row[i].wrong);
        CHECK_EQ(expected[0] == 'D', strstr(row[i].text, "DA:") != NULL);
        tracefile_free(&f);
    }
}

TEST("a tracefile that was cut is wrong where it ends, and not a smaller one")
{
    static const char whole[] = "TN:t\nSF:a\nDA:1,1\nend_of_record\nSF:b\nDA:1,1\nend_of_record\n";
    static const struct {
        size_t n;
        uint32_t wrong;
    } row[] = {{4, 0},
               {9, 2},
               {10, 2},
               {16, 3},
               {29, 4},
               {30, 0},
               {31, 0},
               {36, 5},
               {37, 6},
               {sizeof whole - 3, 7},
               {sizeof whole - 2, 0}};
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct tracefile f = {0};
        const char *expected = "";
        CHECK_EQ(tracefile_read(&f, whole, row[i].n, &expected), row[i].wrong);
        if (row[i].wrong != 0)
            CHECK_STR(expected, "end_of_record behind the last line");
        tracefile_free(&f);
    }
}
