/* SPDX-License-Identifier: MIT */
#include "scenarios/language/reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/slips.h"
#include "sim/test.h"

#define STEP_MARK "  STEP\n"

const char reading_world[] = "fencepost 1\n"
                             "case plain holds\n"
                             "lock leader quorum voters 3 ttl 10s\n"
                             "store ledger\n"
                             "node w1 w2\n"
                             "w1:\n"
                             "  acquire leader as first\n"
                             "  keep leader\n"
                             "  read ledger/x as x\n"
                             "  write ledger/x x token first.token\n"
                             "  write ledger 1\n" STEP_MARK "w2:\n"
                             "  acquire leader\n"
                             "  effect \"charge card\"\n";

const char reading_jobs[] = "queue jobs lease 30s\n"
                            "  job \"invoice-42\"\n"
                            "table lease at db\n"
                            "  row a owner none epoch 0 until 0s\n";

const char reading_example[] = "fencepost 1\n"
                               "scenario \"A paused leader overwrites its successor\"\n"
                               "  source \"M. Kleppmann, How to do distributed locking, 2016\"\n"
                               "  lesson \"A lock that expires cannot stop a write that is already on its way.\"\n"
                               "\n"
                               "case advisory   without store-token lease-check   violates no-stale-write\n"
                               "case checked    without store-token               violates no-stale-write\n"
                               "case fenced                                       holds\n"
                               "\n"
                               "lock  leader central ttl 10s\n"
                               "store ledger\n"
                               "node  w1 w2\n"
                               "\n"
                               "w1:\n"
                               "  acquire leader\n"
                               "  work 1s\n"
                               "  write ledger \"from w1\"\n"
                               "\n"
                               "w2:\n"
                               "  wait 11s\n"
                               "  acquire leader\n"
                               "  write ledger \"from w2\"\n"
                               "\n"
                               "# stop-the-world GC: its clocks run on\n"
                               "before w1 writes ledger: pause w1 for 12s\n"
                               "\n"
                               "at 13s: expect w2 holds leader\n"
                               "[advisory checked] at end: expect ledger = \"from w1\"\n"
                               "[fenced]           at end: expect ledger = \"from w2\"\n"
                               "[fenced]           at end: expect w1 failed stale-token\n";

static char composed[16384];

/* The steps of the world with these in the place of the mark, each line indented once more. */
const char *with_step(const char *step)
{
    const char *mark = strstr(reading_world, STEP_MARK);
    size_t n = (size_t)(mark - reading_world);
    memcpy(composed, reading_world, n);
    n += indented(composed + n, sizeof composed - n, step, 2);
    composed[n++] = '\n';
    strcpy(composed + n, mark + strlen(STEP_MARK));
    return composed;
}

const char *with_line(const char *line)
{
    const char *mark = strstr(reading_world, STEP_MARK);
    size_t n = (size_t)(mark - reading_world);
    memcpy(composed, reading_world, n);
    strcpy(composed + n, mark + strlen(STEP_MARK));
    strcat(composed, line);
    strcat(composed, "\n");
    return composed;
}

struct scenario *reads(const char *text)
{
    struct diags d;
    struct scenario *s = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d);
    if (s == NULL)
        test_failed(__FILE__, __LINE__, "%u:%u: %s", d.row[0].line, d.row[0].column, d.row[0].text);
    return s;
}

struct compiled *compiles(const struct scenario *s, uint32_t i)
{
    struct diags d = {0};
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, i, 0, 0, &d);
    if (s != NULL && c == NULL)
        test_failed(__FILE__, __LINE__, "%u:%u: %s", d.row[0].line, d.row[0].column, d.row[0].text);
    return c;
}

const char *problem(const char *text) { return problem_from(text, 0, 0); }
const char *line_problem(const char *line) { return problem_from(with_line(line), 14, 0); }
const char *step_problem(const char *step) { return problem_from(with_step(step), 11, 2); }

bool starts_with(const char *text, const char *start)
{
    bool same = strncmp(text, start, strlen(start)) == 0;
    if (!same)
        test_failed(__FILE__, __LINE__, "\"%s\" does not begin with \"%s\"", text, start);
    return same;
}

char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    *length = 0;
    if (f == NULL)
        return NULL;
    char *text = malloc((1u << 20) + 1);
    *length = text == NULL ? 0 : fread(text, 1, 1u << 20, f);
    if (text != NULL)
        text[*length] = '\0';
    fclose(f);
    return text;
}

TEST("the world that the examples stand in reads without a problem")
{
    CHECK_STR(step_problem("work 1s"), "");
    CHECK_STR(line_problem("at 5s: heal"), "");
}
