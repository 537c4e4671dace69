/* SPDX-License-Identifier: MIT
 *
 * selftest.c - a program of its own: build/selftest [OPTION N | FILE | FOLDER | FILE:GATE]...
 *
 * An option counts for the files behind it.
 *
 * Takes every gate away from every case that holds, looks for what breaks then, and writes a page (fuzz/RESULTS.md is
 * one) to standard output. All of it but the seconds is the same on every machine. With --quick it only asks whether
 * the bugs named by FILE:GATE are found as soon as the goals say, and ends with "N passed, N failed"; with --arm one
 * arm is measured in place of the portfolio.
 *
 * Status 0: every goal is met; 1: one is missed; 2: bad use; 3: the machine failed.
 */
#include "fuzz/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/files.h"

struct option {
    const char *name;
    uint64_t *value;
};

static _Noreturn void give_up(int status, const char *what, const char *more)
{
    fprintf(stderr, "selftest: %s: %s\n", more, what);
    exit(status);
}

static uint64_t number(const char *text)
{
    uint64_t n = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 12 || text[digits] != '\0')
        give_up(2, "this is no number", text);
    for (size_t i = 0; i < digits; i++)
        n = 10 * n + (uint64_t)(text[i] - '0');
    return n;
}

static uint32_t one_arm(const char *name)
{
    for (uint32_t arm = 0; arm < ARMS; arm++)
        if (strcmp(arm_name[arm], name) == 0)
            return 1u << arm;
    give_up(2, "there is no such arm", name);
}

/* FILE:GATE; without a gate all of them. Cuts the gate off. */
static uint32_t take_gate(char *path)
{
    char *colon = strrchr(path, ':');
    if (colon == NULL)
        return UINT32_MAX;
    *colon = '\0';
    for (uint32_t gate = 0; gate < GATES; gate++)
        if (strcmp(gate_table[gate].name, colon + 1) == 0)
            return UINT32_C(1) << gate;
    give_up(2, "there is no such gate", colon + 1);
}

/* malloc'd: reports keep it. */
static char *kept(const char *text, size_t n)
{
    char *out = malloc(n + 1);
    if (out == NULL)
        give_up(3, "no memory", text);
    memcpy(out, text, n);
    out[n] = '\0';
    return out;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? kept(".", 1) : kept(path, (size_t)(slash - path));
}

/* The name without folder and ending. */
static char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    size_t n = strlen(name);
    return kept(name, n - (n > 6 && strcmp(name + n - 6, ".fence") == 0 ? 6 : 0));
}

static void measure_file(struct selftest *t, const char *path, uint32_t only)
{
    struct diags diags = {0};
    char *text = NULL;
    size_t n = 0;
    int error = 0;
    enum file_problem problem = file_read(path, &text, &n, &error);
    if (problem != FILE_OK)
        give_up(2, file_problem_text(problem, error), path);
    struct scenario *s = scenario_parse(text, n, path, NULL, 0, &diags);
    free(text);
    if (s == NULL)
        give_up(2, diags.n > 0 ? diags.row[0].text : "no memory", path);
    struct selftest_of of = {.s = s, .folder = folder_of(path), .file = short_name(path)};
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        of.case_index = i;
        fprintf(stderr, "%s %s: %u bugs, %llu schedules, %llu s\n", path, scenario_case_name(s, i), t->n,
                (unsigned long long)t->played, (unsigned long long)(selftest_cpu_us() / 1000000));
        if (!selftest_case(t, &of, only))
            give_up(3, "no memory", path);
    }
    scenario_free(s);
}

static void measure(struct selftest *t, char *argument)
{
    uint32_t only = take_gate(argument);
    struct files files = {0};
    enum file_problem problem = files_add(&files, argument);
    if (problem != FILE_OK)
        give_up(2, file_problem_text(problem, files.error), argument);
    for (size_t i = 0; i < files.n; i++)
        measure_file(t, files.path[i], only);
    files_free(&files);
}

static const struct selftest_options defaults = {.arms = PORTFOLIO,
                                                 .seeds = SURVIVAL_MAX,
                                                 .cap = 30000,
                                                 .shallow_cap = 1000,
                                                 .baseline_cap = 3000,
                                                 .triage = 5000,
                                                 .steps = 8000000,
                                                 .depth_steps = 200000000,
                                                 .proof = 20000000,
                                                 .every = 12,
                                                 .shrinks = 5};

static void check_options(const struct selftest_options *o)
{
    if (o->seeds < 1 || o->seeds > SURVIVAL_MAX || o->every < 1 || o->shrinks > SHRINKS_MAX)
        give_up(2, "seeds from 1 to 51, every from 1, shrinks up to 8", "usage");
}

/* One option, at argv[at]. Returns the place of the next argument. */
static int take_option(struct selftest *t, int argc, char **argv, int at)
{
    const struct option options[] = {{"--seeds", &t->o.seeds},
                                     {"--cap", &t->o.cap},
                                     {"--shallow-cap", &t->o.shallow_cap},
                                     {"--baseline-cap", &t->o.baseline_cap},
                                     {"--triage", &t->o.triage},
                                     {"--steps", &t->o.steps},
                                     {"--depth-steps", &t->o.depth_steps},
                                     {"--proof", &t->o.proof},
                                     {"--every", &t->o.every},
                                     {"--shrinks", &t->o.shrinks}};
    size_t k = 0;
    if (strcmp(argv[at], "--quick") == 0) {
        t->o.quick = true;
        return at + 1;
    }
    if (at + 1 == argc)
        give_up(2, "no such option, or no number behind it", argv[at]);
    if (strcmp(argv[at], "--arm") == 0) {
        t->o.arms = one_arm(argv[at + 1]);
        return at + 2;
    }
    while (k < sizeof options / sizeof *options && strcmp(argv[at], options[k].name) != 0)
        k++;
    if (k == sizeof options / sizeof *options)
        give_up(2, "no such option, or no number behind it", argv[at]);
    *options[k].value = number(argv[at + 1]);
    check_options(&t->o);
    return at + 2;
}

int main(int argc, char **argv)
{
    struct selftest t = {.o = defaults};
    bool any = false;
    for (int at = 1; at < argc;) {
        if (argv[at][0] == '-') {
            at = take_option(&t, argc, argv, at);
            continue;
        }
        measure(&t, argv[at++]);
        any = true;
    }
    if (!any)
        give_up(2, "FILE...", "usage");
    uint32_t missed = t.o.quick ? selftest_quick_report(&t) : selftest_report(&t);
    for (uint32_t i = 0; i < t.n; i++)
        free(t.bug[i].case_name);
    free(t.bug);
    return missed > 0;
}
