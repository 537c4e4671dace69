/* SPDX-License-Identifier: MIT */
#include "scenarios/language/slips.h"

#include <stdio.h>

#include "scenarios/language/scenario.h"
#include "sim/base.h"
#include "sim/test.h"

const char *problem_from(const char *text, uint32_t lines, uint32_t blanks)
{
    static char said[320];
    struct diags d;
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d);
    scenario_free(s);
    said[0] = '\0';
    if (d.n > 0)
        snprintf(said, sizeof said, "%u:%u: %s", d.row[0].line - lines, d.row[0].column - blanks, d.row[0].text);
    return said;
}

size_t indented(char *to, size_t bytes, const char *lines, uint32_t blanks)
{
    size_t n = 0;
    for (bool start = true; *lines != '\0'; start = *lines++ == '\n') {
        ASSERT(n + blanks + 1 < bytes);
        for (uint32_t i = 0; start && i < blanks; i++)
            to[n++] = ' ';
        to[n++] = *lines;
    }
    to[n] = '\0';
    return n;
}

static uint32_t lines_of(const char *text)
{
    uint32_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

const char *problem_behind(const char *world, const char *lines, uint32_t blanks)
{
    static char whole[16384];
    size_t n = indented(whole, sizeof whole, world, 0);
    n += indented(whole + n, sizeof whole - n - 1, lines, blanks);
    strcpy(whole + n, "\n");
    return problem_from(whole, lines_of(world), blanks);
}

void check_slips(const char *file, int line, const struct slip *slips, size_t n, const char *(*say)(const char *))
{
    for (size_t i = 0; i < n; i++) {
        const char *said = say(slips[i].text);
        if (strcmp(said, slips[i].said) != 0)
            test_failed(file, line, "\"%s\" is said to be\n    \"%s\", not\n    \"%s\"", slips[i].text, said,
                        slips[i].said);
    }
}
