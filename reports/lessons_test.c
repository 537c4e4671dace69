/* SPDX-License-Identifier: MIT
 *
 * lessons_test.c - every lesson has what a class needs: two questions, a line to change and how it is mended, a
 * situation to reach, and words that go with them.
 */
#include "reports/lessons.h"

#include "reports/prose.h"
#include "scenarios/files.h"
#include "scenarios/run.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file beside lesson i, NUL-terminated and malloc'd; NULL: the tests do not run in the tree. */
static char *beside(uint32_t i, const char *ending)
{
    char path[256], *bytes = NULL;
    size_t n = 0;
    int error;
    snprintf(path, sizeof path, "scenarios/lessons/%s%s", lessons[i].name, ending);
    if (file_read(path, &bytes, &n, &error) != FILE_OK)
        return NULL;
    char *text = calloc(n + 1, 1);
    if (text != NULL)
        memcpy(text, bytes, n);
    free(bytes);
    return text;
}

static struct scenario *read_lesson(uint32_t i)
{
    struct diags d;
    struct scenario *s = scenario_parse(lessons[i].text, lessons[i].n, lessons[i].name, NULL, 0, &d);
    if (s == NULL)
        test_failed(lessons[i].name, (int)d.row[0].line, "%s", d.row[0].text);
    return s;
}

/* Whether the tests run where the lessons are. */
static bool here(void)
{
    char *file = beside(0, ".fence");
    free(file);
    if (file == NULL)
        test_skip("the tests do not run in the tree");
    return file != NULL;
}

TEST("there are ten lessons, and the program has each as it stands in its folder")
{
    CHECK_EQ(lessons_n, 10);
    for (uint32_t i = 0; here() && i < lessons_n; i++) {
        char *file = beside(i, ".fence");
        CHECK(file != NULL && strlen(file) == lessons[i].n && memcmp(file, lessons[i].text, lessons[i].n) == 0);
        free(file);
    }
}

static void check_asks(const struct compiled *c, const char *lesson)
{
    if (c->n_asks != 2)
        test_failed(lesson, (int)c->line, "case %s asks %u questions, not 2", c->name, c->n_asks);
    if (c->to_mend && c->n_expectations == 0)
        test_failed(lesson, (int)c->line, "nothing is expected of case %s once it is mended", c->name);
}

TEST("each lesson has two cases, happened and yours, two questions in both, and a situation to reach")
{
    for (uint32_t i = 0; i < lessons_n; i++) {
        struct scenario *s = read_lesson(i);
        struct diags d;
        CHECK(s != NULL && scenario_cases(s) == 2 && scenario_to_mend(s) == 1);
        if (s == NULL)
            continue;
        CHECK_STR(scenario_case_name(s, 0), "happened");
        CHECK_STR(scenario_case_name(s, 1), "yours");
        CHECK(scenario_reach(s) != NULL && scenario_source(s) != NULL && scenario_lesson(s) != NULL);
        for (uint32_t k = 0; k < 2; k++) {
            struct compiled *c = scenario_compile(s, k, 0, 0, &d);
            CHECK(c != NULL);
            if (c != NULL)
                check_asks(c, lessons[i].name);
            compiled_free(c);
        }
        scenario_free(s);
    }
}

TEST("both cases of a lesson run alike until somebody changes the line")
{
    for (uint32_t i = 0; i < lessons_n; i++) {
        struct scenario *s = read_lesson(i);
        uint64_t digest[2] = {0, 1};
        for (uint32_t k = 0; s != NULL && k < 2; k++) {
            struct diags d;
            struct compiled *c = scenario_compile(s, k, 0, 0, &d);
            struct run *r = c == NULL ? NULL : run_case(c, NULL);
            digest[k] = r == NULL ? k : r->digest;
            run_free(r);
            compiled_free(c);
        }
        if (digest[0] != digest[1])
            test_failed(lessons[i].name, 0, "the cases run differently");
        scenario_free(s);
    }
}

/* --- words ------------------------------------------------------------------------------------------------------ */

static void check_section(const char *lesson, const char *words, const char *heading)
{
    struct text t = {0};
    prose_add(&t, words, strlen(words), heading);
    if (t.n == 0)
        test_failed(lesson, 0, "no words below '%s'", heading == NULL ? "the title" : heading);
    text_free(&t);
}

/* No heading but these, no list, no block of code: the pages would show them as text. */
static void check_lines(const char *lesson, const char *words)
{
    static const char *const lines[] = {"## Predict", "## Run", "## Change one line", "## Reach"};
    uint32_t number = 1;
    for (const char *line = words; *line != '\0'; number++) {
        size_t n = strcspn(line, "\n");
        bool known = number == 1;
        for (size_t k = 0; k < 4; k++)
            known = known || (n == strlen(lines[k]) && strncmp(line, lines[k], n) == 0);
        if ((strchr("# -*>|", *line) != NULL && n > 0 && !known) || n > 120)
            test_failed(lesson, (int)number, "the pages have no such line: %.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

TEST("the words of a lesson have its title, and say something on each of its steps")
{
    for (uint32_t i = 0; here() && i < lessons_n; i++) {
        struct scenario *s = read_lesson(i);
        char *words = beside(i, ".md"), title[200];
        CHECK(s != NULL && words != NULL);
        if (s != NULL && words != NULL) {
            snprintf(title, sizeof title, "# %s\n", scenario_title(s));
            CHECK(strncmp(words, title, strlen(title)) == 0);
            check_section(lessons[i].name, words, NULL);
            check_section(lessons[i].name, words, "Predict");
            check_section(lessons[i].name, words, "Run");
            check_section(lessons[i].name, words, "Change one line");
            check_section(lessons[i].name, words, "Reach");
            check_lines(lessons[i].name, words);
        }
        scenario_free(s);
        free(words);
    }
}
