/* SPDX-License-Identifier: MIT */
#include "reports/problem.h"

#include "sim/test.h"

static void show(struct text *t, const char *line, uint32_t column, uint32_t length)
{
    problem_show(t, line, strlen(line), column, length, 2);
}

TEST("a caret stands under the word")
{
    struct text t = {0};
    show(&t, "at 5s: puase w1", 8, 5);
    CHECK_STR(text_c(&t), "  at 5s: puase w1\n"
                          "         ^~~~~\n");
    text_free(&t);
}

TEST("a character of several bytes takes one column above the caret")
{
    struct text t = {0};
    show(&t, "\"\xc3\xbc\" x", 6, 1);
    CHECK_STR(text_c(&t), "  \"\xc3\xbc\" x\n"
                          "      ^\n");
    text_free(&t);
}

TEST("of a line of any length only what is near the word is shown")
{
    static char line[20000];
    struct text t = {0};
    memset(line, 'a', sizeof line - 1);
    memcpy(line + 10000, "HERE", 4);
    show(&t, line, 10001, 4);
    CHECK(t.n < 300);
    CHECK(strstr(text_c(&t), "HERE") != NULL);
    const char *caret = strstr(text_c(&t), "^~~~");
    const char *word = strstr(text_c(&t), "HERE"), *newline = strchr(text_c(&t), '\n');
    CHECK(caret != NULL && newline != NULL && caret - newline - 1 == word - text_c(&t));
    text_free(&t);
}

TEST("a caret beyond the line's end, and control bytes, do no harm")
{
    struct text t = {0};
    show(&t,
         "a\x01"
         "b",
         900, 7);
    CHECK_STR(text_c(&t), "  a?b\n     ^\n");
    text_free(&t);
}

TEST("what is no UTF-8, or a control character of the second set, is shown as a question mark")
{
    struct text t = {0};
    show(&t, "a\xff\xc2\x9b\xe2\x82 \xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\xf5z\t.", 1, 0);
    CHECK_STR(text_c(&t), "  a????? \xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80?z .\n");
    text_free(&t);
}

TEST("a line of a text is found by its number, and one behind the end is not there")
{
    static const char source[] = "one\ntwo\n\nfour";
    size_t n = 0;
    const char *line = problem_source_line(source, sizeof source - 1, 2, &n);
    CHECK(line == source + 4);
    CHECK_EQ(n, 3);
    CHECK(problem_source_line(source, sizeof source - 1, 4, &n) == source + 9);
    CHECK_EQ(n, 4);
    CHECK(problem_source_line(source, sizeof source - 1, 5, &n) == NULL);
    CHECK(problem_source_line(source, sizeof source - 1, 0, &n) == NULL);
    CHECK(problem_source_line("", 0, 1, &n) == NULL);
}

TEST("a problem without a column has its caret under the first word of its line")
{
    struct text t = {0};
    problem_line(&t, "f\033.fence", "a\n  write x\r\n", 13, 2, "what\xc2\x9b?");
    CHECK_STR(text_c(&t), "f\\x1b.fence:2: error: what\\xc2\\x9b?\n      write x?\n      ^~~~~\n");
    text_clear(&t);
    problem_line(&t, "f", "a\n", 2, 3, "x");
    CHECK_STR(text_c(&t), "f:3: error: x\n");
    text_clear(&t);
    problem_line(&t, "f", NULL, 0, 0, "x");
    CHECK_STR(text_c(&t), "f: error: x\n");
    text_free(&t);
}

TEST("ten problems are shown, and how many more there are")
{
    static struct diags d;
    struct text t = {0};
    d.n = 1;
    d.total = 14;
    d.row[0] = (struct diag){2, 3, 1, "what is it"};
    problem_list(&t, "f.fence", "a\nb c\n", 6, &d);
    CHECK_STR(text_c(&t), "f.fence:2:3: error: what is it\n"
                          "    b c\n"
                          "      ^\n"
                          "f.fence: and 13 more\n");
    text_free(&t);
}
