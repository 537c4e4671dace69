/* SPDX-License-Identifier: MIT */
#include "scenarios/language/scenario.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/reading.h"
#include "scenarios/language/reference.h"
#include "sim/test.h"

static bool is_step(const struct word *w)
{
    static const char *const queues[] = {"claim", "heartbeat", "complete", "fail",   "enqueue",
                                         "reap",  "requeue",   "for",      "update", "insert"};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (strcmp(w->name, queues[i]) == 0 && w->group != WORDS_VERBS)
            return true;
    return w->group == WORDS_STEPS || strncmp(w->example, "ping ", 5) == 0;
}

/* The world with the example in it, and what examples about jobs and rows name. */
static const char *world_of(const struct word *w, const char *line)
{
    static char text[16384];
    snprintf(text, sizeof text, "%s%s", is_step(w) ? with_step(line) : with_line(line), reading_jobs);
    return text;
}

/* Problems of an example may only be that it declares a name that nothing uses. */
static void check_example(const struct word *w, const char *text)
{
    struct diags d;
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d);
    scenario_free(s);
    for (uint32_t i = 0; i < d.n; i++)
        if (strstr(d.row[i].text, "is never used") == NULL)
            test_failed(__FILE__, __LINE__, "%s: %s: %u: %s", w->name, w->example, d.row[i].line, d.row[i].text);
}

static bool is_header_word(const struct word *w)
{
    return strcmp(w->name, "source") == 0 || strcmp(w->name, "lesson") == 0 || strcmp(w->name, "decided-by") == 0 ||
           strcmp(w->name, "reach") == 0;
}

TEST("every word of this version reads in its own example")
{
    uint32_t n;
    const struct word *words = words_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        char line[400];
        const struct word *w = &words[i];
        if (!w->built || strcmp(w->name, "fencepost") == 0)
            continue;
        CHECK(w->example[0] != '\0' && w->syntax[0] != '\0' && w->sentence[0] != '\0');
        snprintf(line, sizeof line, "%s%s", is_header_word(w) ? "scenario \"t\"\n  " : "", w->example);
        check_example(w, world_of(w, line));
    }
}

TEST("every word of a later version is known, and refused as that")
{
    uint32_t n, refused = 0;
    const struct word *words = words_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        char line[400], wanted[100];
        const struct word *w = &words[i];
        if (w->built || w->group == WORDS_VERBS)
            continue;
        if (w->group == WORDS_GATES)
            snprintf(line, sizeof line, "case other without %s holds", w->name);
        else if (w->group == WORDS_INVARIANTS)
            snprintf(line, sizeof line, "case other violates %s", w->name);
        else if (w->group == WORDS_STORES)
            snprintf(line, sizeof line, "store db %s 3", w->name);
        else
            snprintf(line, sizeof line, "%s x", w->name);
        snprintf(wanted, sizeof wanted, "'%s' is not in this version yet", w->name);
        bool as_line = strstr(line_problem(line), wanted) != NULL;
        bool as_step = !as_line && strstr(step_problem(line), wanted) != NULL;
        if (!as_line && !as_step)
            test_failed(__FILE__, __LINE__, "%s is not refused as of a later version: %s", w->name, line_problem(line));
        refused++;
    }
    CHECK(refused >= 6);
}

TEST("every group of words has a name, and every word a group")
{
    uint32_t n;
    const struct word *words = words_all(&n);
    for (uint32_t g = 0; g < WORD_GROUPS; g++)
        CHECK(word_group_name((enum word_group)g)[0] != '\0');
    for (uint32_t i = 0; i < n; i++)
        CHECK(words[i].group < WORD_GROUPS);
}

/* --- the reference ------------------------------------------------------------------------------- */

#define README "scenarios/README.md"

/* `make reference`: what stands between the marks is replaced. */
static void rewrite_reference(const char *page, const char *from, const char *to, const char *words)
{
    FILE *f = fopen(README, "wb");
    CHECK(f != NULL);
    if (f == NULL)
        return;
    fwrite(page, 1, (size_t)(from - page), f);
    fputs(words, f);
    fputs(to, f);
    fclose(f);
}

TEST("the reference has every word of the table, as the table has it")
{
    size_t n = 0, length = 0;
    char *page = read_file(README, &n), *words = words_reference(&length);
    if (page == NULL) {
        test_skip("the tests do not run in the tree");
        free(words);
        return;
    }
    const char *begin = strstr(page, REFERENCE_BEGIN), *end = strstr(page, REFERENCE_END);
    CHECK(begin != NULL && end != NULL && words != NULL);
    if (begin != NULL && end != NULL && words != NULL) {
        begin += strlen(REFERENCE_BEGIN);
        bool same = (size_t)(end - begin) == length && memcmp(begin, words, length) == 0;
        if (!same && getenv("FENCEPOST_REFERENCE") != NULL)
            rewrite_reference(page, begin, end, words);
        else if (!same)
            test_failed(__FILE__, __LINE__, "%s is not what the table of words says: run `make reference`", README);
    }
    free(page);
    free(words);
}

TEST("every whole file in the reference reads, and prints as it stands there")
{
    size_t n = 0, files = 0;
    char *page = read_file(README, &n);
    if (page == NULL) {
        test_skip("the tests do not run in the tree");
        return;
    }
    for (char *at = page; (at = strstr(at, "```fence")) != NULL; files++) {
        at += strcspn(at, "\n"); /* a name may stand behind it */
        at += *at == '\n';
        char *end = strstr(at, "```");
        CHECK(end != NULL);
        if (end == NULL)
            break;
        *end = '\0';
        struct scenario *s = reads(at);
        size_t length = 0;
        char *printed = s == NULL ? NULL : scenario_print(s, &length);
        if (printed != NULL)
            CHECK_STR(printed, at);
        free(printed);
        scenario_free(s);
        at = end + 1;
    }
    CHECK(files >= 2);
    free(page);
}
