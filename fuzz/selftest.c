/* SPDX-License-Identifier: MIT
 *
 * selftest.c - a program of its own: build/selftest [OPTION N | FILE | FOLDER | FILE:GATE]...
 *
 * An option counts for the files behind it, but --jobs N for all of them: so many cases are measured at a time (1 to
 * 64; 1, unless told otherwise), each by a process of its own, which may need a GiB. The page does not depend on N.
 * Nothing is measured before all arguments are read.
 *
 * Takes every gate away from every case that holds, looks for what breaks then, and writes a page (fuzz/RESULTS.md is
 * one) to standard output. All of it but the CPU times is the same on every machine. With --quick it only asks whether
 * the bugs named by FILE:GATE are found as soon as the goals say, and ends with "N passed, N failed"; with --arm one
 * arm is measured in place of the portfolio.
 *
 * Status 0: every goal is met; 1: one is missed; 2: bad use; 3: the machine failed.
 */
#include "fuzz/selftest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;
    uint64_t *value;
};

_Noreturn void selftest_give_up(int status, const char *what, const char *of)
{
    fprintf(stderr, "selftest: %s: %s\n", of, what);
    exit(status);
}

static uint64_t number(const char *text)
{
    uint64_t n = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 12 || text[digits] != '\0')
        selftest_give_up(2, "this is no number", text);
    for (size_t i = 0; i < digits; i++)
        n = 10 * n + (uint64_t)(text[i] - '0');
    return n;
}

static uint32_t one_arm(const char *name)
{
    for (uint32_t arm = 0; arm < ARMS; arm++)
        if (strcmp(arm_name[arm], name) == 0)
            return 1u << arm;
    selftest_give_up(2, "there is no such arm", name);
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
    selftest_give_up(2, "there is no such gate", colon + 1);
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

/* What is to be done, as the command line has it. */
struct asked {
    struct selftest_options o; /* as of now */
    uint64_t jobs;
    struct selftest_plan plan;
};

static void check_options(const struct asked *a)
{
    const struct selftest_options *o = &a->o;
    if (o->seeds < 1 || o->seeds > SURVIVAL_MAX || o->every < 1 || o->shrinks > SHRINKS_MAX)
        selftest_give_up(2, "seeds from 1 to 51, every from 1, shrinks up to 8", "usage");
    if (a->jobs < 1 || a->jobs > JOBS_MAX)
        selftest_give_up(2, "jobs from 1 to 64", "usage");
}

/* One option, at argv[at]. Returns the place of the next argument. */
static int take_option(struct asked *a, int argc, char **argv, int at)
{
    const struct option options[] = {{"--seeds", &a->o.seeds},
                                     {"--cap", &a->o.cap},
                                     {"--shallow-cap", &a->o.shallow_cap},
                                     {"--baseline-cap", &a->o.baseline_cap},
                                     {"--triage", &a->o.triage},
                                     {"--steps", &a->o.steps},
                                     {"--depth-steps", &a->o.depth_steps},
                                     {"--proof", &a->o.proof},
                                     {"--every", &a->o.every},
                                     {"--shrinks", &a->o.shrinks},
                                     {"--jobs", &a->jobs}};
    size_t k = 0;
    if (strcmp(argv[at], "--quick") == 0) {
        a->o.quick = true;
        return at + 1;
    }
    if (at + 1 == argc)
        selftest_give_up(2, "no such option, or no number behind it", argv[at]);
    if (strcmp(argv[at], "--arm") == 0) {
        a->o.arms = one_arm(argv[at + 1]);
        return at + 2;
    }
    while (k < sizeof options / sizeof *options && strcmp(argv[at], options[k].name) != 0)
        k++;
    if (k == sizeof options / sizeof *options)
        selftest_give_up(2, "no such option, or no number behind it", argv[at]);
    *options[k].value = number(argv[at + 1]);
    check_options(a);
    return at + 2;
}

/* A goal that is missed does not end it: the page is written. */
static uint32_t measure_and_report(const struct asked *a)
{
    struct selftest t = {.o = a->o};
    t.bug = malloc((a->plan.n_bugs + 1) * sizeof *t.bug);
    if (t.bug == NULL)
        selftest_give_up(3, "no memory", "the bugs");
    if (!selftest_measure(&t, &a->plan, (uint32_t)a->jobs))
        exit(3);
    uint32_t missed = t.o.quick ? selftest_quick_report(&t) : selftest_report(&t);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        selftest_give_up(3, errno != 0 ? strerror(errno) : "not all of it", "cannot be written");
    free(t.bug);
    return missed;
}

static int help(void)
{
    printf("build/selftest [--quick] [--arm ARM] [OPTION N | FILE | FOLDER | FILE:GATE]...\n"
           "  takes each gate away, and writes a page on how soon that is found\n"
           "options: --jobs --seeds --cap --shallow-cap --baseline-cap --triage --steps --depth-steps --proof --every\n"
           "  --shrinks; one counts for the files behind it, --jobs for all\n");
    return 0;
}

int main(int argc, char **argv)
{
    struct asked a = {.o = defaults, .jobs = 1};
    bool any = false;
    for (int at = 1; at < argc;) {
        if (strcmp(argv[at], "--help") == 0)
            return help();
        if (argv[at][0] == '-') {
            at = take_option(&a, argc, argv, at);
            continue;
        }
        uint32_t only = take_gate(argv[at]), before = a.plan.n_bugs;
        selftest_plan_add(&a.plan, &a.o, argv[at], only);
        if (only != UINT32_MAX && a.plan.n_bugs == before)
            selftest_give_up(2, "no case that holds has this gate", argv[at]);
        at++;
        any = true;
    }
    if (!any)
        selftest_give_up(2, "no file; --help says how it is used", "usage");
    uint32_t missed = measure_and_report(&a);
    selftest_plan_free(&a.plan);
    return missed > 0;
}
