/* SPDX-License-Identifier: MIT
 *
 * fencepost.c - the front door: the table of commands, the table of options, and how a command line is read.
 *
 * What a command does is in reports/: run_command.c, grade_command.c (run --grade), case_command.c, explain_command.c,
 * fuzz_command.c, exhaust_command.c, shrink_command.c, gates_command.c, growth_command.c, situations_command.c,
 * report_command.c, coverage_command.c, list.c, bench.c, completion.c, manual.c. The exit status is described in
 * reports/front.h. The manual and the completions are written from the tables here, as --help is.
 */
#include "reports/bench.h"
#include "reports/front.h"
#include "reports/looking.h"
#include "reports/tables.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "0.1"
#define VERSION_DAY "November 30, 2026"

static void report_bug(const char *expression, const char *file, int line)
{
    struct sim *s = run_under_way();
    (void)fflush(stdout);
    (void)fprintf(stderr, "fencepost: bug: %s (%s:%d)\n", expression, file, line);
    if (s != NULL)
        (void)fprintf(stderr, "fencepost: at %" PRId64 " ns of true time, event %" PRIu64 "\n", sim_now(s),
                      sim_steps(s));
    abort();
}

/* --- the tables -------------------------------------------------------------------------------------------- */

enum {
    ON_RUN = FORMAT_OF_RUN,
    ON_TRACE = FORMAT_OF_TRACE,
    ON_DIFF = 4,
    ON_LIST = 8,
    ON_REPORT = 16,
    ON_FUZZ = 32,
    ON_EXHAUST = 64,
    ON_SHRINK = 128,
    ON_GATES = 256,
    ON_BENCH = 512,
    ON_COMPLETION = 1024,
    ON_MANUAL = 2048,
    ON_COVERAGE = 4096,
    ON_SITUATIONS = 8192,
    ON_GROWTH = 16384,
    ON_EXPLAIN = 32768,
    ON_LOOKING = ON_FUZZ | ON_EXHAUST | ON_SHRINK | ON_GATES,
    ON_TELLING = ON_TRACE | ON_EXPLAIN,
    ON_COUNTING = ON_COVERAGE | ON_SITUATIONS | ON_GROWTH,
    ON_ALL = ON_RUN | ON_TRACE | ON_DIFF | ON_LIST | ON_REPORT | ON_BENCH | ON_COMPLETION | ON_MANUAL | ON_LOOKING |
             ON_COVERAGE | ON_SITUATIONS | ON_GROWTH | ON_EXPLAIN
};

static const struct command commands[] = {
    {"run", "FILE...", "replay: every case against its expectations; a folder is all *.fence below it",
     "fencepost run scenarios/seeds", "prove --exec 'fencepost run --format tap' scenarios/seeds/*.fence", command_run,
     ON_RUN, 1},
    {"trace", "FILE", "the events of one case, as text or for another program",
     "fencepost trace paused.fence --case fenced",
     "fencepost trace paused.fence --case fenced --format perfetto > fenced.json", command_trace, ON_TRACE, 1},
    {"diff", "A B", "the first event in which two runs differ, and its cause; FILE:CASE names a case",
     "fencepost diff paused.fence --case checked --case fenced", NULL, command_diff, ON_DIFF, 1},
    {"explain", "FILE", "why a case came out as it did: the two facts, the faults it took, the gates that stop it",
     "fencepost explain scenarios/seeds/f1-paused-leader.fence --case checked", NULL, command_explain, ON_EXPLAIN, 1},
    {"fuzz", "FILE",
     "look, case by case, for a schedule that breaks one that holds; prints the smallest file that does",
     "fencepost fuzz scenarios/seeds/f1-paused-leader.fence",
     "fencepost fuzz leader.fence --find split-brain --schedules 1000000 > broken.fence", command_fuzz, ON_FUZZ, 1},
    {"exhaust", "FILE", "every schedule with at most so many faults", "fencepost exhaust leader.fence --faults 2", NULL,
     command_exhaust, ON_EXHAUST, 1},
    {"shrink", "FILE [INPUT]",
     "the smallest scenario that still breaks: of a file, an input of the fuzz target, or a record of shards",
     "fencepost shrink broken.fence > smallest.fence", "fencepost shrink leader.fence crash-0a1b2c > broken.fence",
     command_shrink, ON_SHRINK, 1},
    {"gates", "FILE...", "take each gate away in turn: what breaks, how soon, and which other gate covers for it",
     "fencepost gates scenarios/seeds/f1-paused-leader.fence", NULL, command_gates, ON_GATES, 1},
    {"growth", "FILE...",
     "how many abstract states each strategy of search passes, and after how many schedules no new one came",
     "fencepost growth scenarios/seeds/f1-paused-leader.fence",
     "fencepost growth -o pages scenarios/seeds/f1-paused-leader.fence", command_growth, ON_GROWTH, 1},
    {"situations", "FILE...",
     "what was going on when each kind of fault struck: what some scenarios reach together, and what none of them",
     "fencepost situations scenarios", "fencepost situations -o pages scenarios", command_situations, ON_SITUATIONS, 1},
    {"report", "-o DIR FILE...",
     "a page to look at for each scenario, and a list of all; a folder is all *.fence below it",
     "fencepost report -o pages scenarios/seeds", NULL, command_report, ON_REPORT, 1},
    {"coverage", "FILE...",
     "what the scenarios have shown of each gate, under which faults, and what not yet; with -o as pages",
     "fencepost coverage -o coverage scenarios", "fencepost coverage --json scenarios > coverage.json",
     command_coverage, ON_COVERAGE, 1},
    {"bench", "", "how fast this machine simulates: each figure is a ratio to a floor measured in the same run",
     "fencepost bench", NULL, command_bench, ON_BENCH, 0},
    {"list", "[WORD...]",
     "locks, stores, queues, tables, gates, invariants, faults, defaults: what there is, a line each; situations",
     "fencepost list store-token", NULL, command_list, ON_LIST, 0},
    {"completion", "SHELL", "a script by which bash, zsh or fish completes command lines of this program",
     "source <(fencepost completion bash)", "fencepost completion fish > ~/.config/fish/completions/fencepost.fish",
     command_completion, ON_COMPLETION, 1},
    {"manual", "[LIBRARY]", "this program's manual, for man; LIBRARY is where the scenarios are installed",
     "fencepost manual | man -l -", "fencepost manual > fencepost.1", command_manual, ON_MANUAL, 0},
};
#define COMMANDS (sizeof commands / sizeof *commands)

enum option_id {
    OPT_CASE,
    OPT_SET,
    OPT_WITHOUT,
    OPT_WITH,
    OPT_FAULT,
    OPT_DRY,
    OPT_POINTS,
    OPT_GRADE,
    OPT_NOTES,
    OPT_FORMAT,
    OPT_JSON,
    OPT_QUIET,
    OPT_OUTPUT,
    OPT_SCHEDULES,
    OPT_TIME,
    OPT_SEED,
    OPT_JOBS,
    OPT_STRATEGY,
    OPT_FIND,
    OPT_REACH,
    OPT_REDISCOVER,
    OPT_FAULTS,
    OPT_MEMORY,
    OPT_STEPS,
    OPT_ENUMERATE,
    OPT_SEEDS,
    OPT_KEEP_GOING,
    OPT_STATE,
    OPT_SHARD,
    OPT_MERGE,
    OPT_AS_IS,
    OPT_TO_INPUT,
    OPT_WORKLOAD,
    OPT_ROUNDS,
    OPT_PAGES,
    OPT_CODE,
    OPT_SEE,
    OPT_WORDS,
    OPT_HELP
};

static const struct option_word options_table[] = {
    {"--output", 'o', "DIR", "the folder that the pages are written to", OPT_OUTPUT, ON_REPORT | ON_COVERAGE},
    {"--output", 'o', "DIR", "write situations.html there, beside the pages of `fencepost report`", OPT_OUTPUT,
     ON_SITUATIONS},
    {"--output", 'o', "DIR", "write search.html there, with the gates table and how soon each removed gate is found",
     OPT_OUTPUT, ON_GROWTH},
    {"--output", 'o', "FILE", "what was found goes there, whole or not at all; - is standard output", OPT_OUTPUT,
     ON_FUZZ | ON_EXHAUST | ON_SHRINK},
    {"--schedules", 'n', "N", "of each case at most (100000)", OPT_SCHEDULES, ON_FUZZ},
    {"--schedules", 'n', "N", "of each search (2000)", OPT_SCHEDULES, ON_GATES},
    {"--schedules", 'n', "N", "of each strategy (10000)", OPT_SCHEDULES, ON_GROWTH},
    {"--seeds", 0, "N", "searches that a median is of, 1 to 51 (30)", OPT_SEEDS, ON_GATES},
    {"--time", 't', "DURATION", "of each case at most, like 90s or 5m; then the result depends on the machine",
     OPT_TIME, ON_FUZZ | ON_EXHAUST},
    {"--seed", 0, "N", "another search (1)", OPT_SEED, ON_FUZZ | ON_GATES | ON_GROWTH},
    {"--jobs", 'j', "N", "processes (one a core); the result does not depend on it", OPT_JOBS,
     ON_FUZZ | ON_GATES | ON_GROWTH},
    {"--strategy", 0, "ARM",
     "`single`, `swarm`, `guided` or `branch` alone; `uniform` and `pct` are baselines (portfolio)", OPT_STRATEGY,
     ON_FUZZ},
    {"--keep-going", 'k', NULL, "past what is found, to the end of the budget; findings go to the folder of --state",
     OPT_KEEP_GOING, ON_FUZZ},
    {"--state", 0, "DIR", "keep the search there: killed at any moment, it goes on from there", OPT_STATE, ON_FUZZ},
    {"--shard", 0, "I/N", "the I-th of N parts of the independent samples, as a record to be merged", OPT_SHARD,
     ON_FUZZ},
    {"--merge", 0, NULL, "the files are records of shards: their union, in any order", OPT_MERGE, ON_FUZZ},
    {"--find", 0, "INVARIANT", "look for this one alone; again for another; split-brain means five", OPT_FIND,
     ON_FUZZ | ON_EXHAUST | ON_SHRINK},
    {"--find", 0, "INVARIANT", "a sign that counts as well; again for another", OPT_FIND, ON_GATES},
    {"--reach", 0, "SITUATION",
     "look for a schedule that reaches it, like crash:renewing, in every case; again for another; `never` means those "
     "that no run can reach",
     OPT_REACH, ON_FUZZ},
    {"--rediscover", 0, "HOW",
     "without the file's own faults; where it has no `may` line, `kinds`: their kinds may happen, `all`: "
     "everything may",
     OPT_REDISCOVER, ON_FUZZ | ON_SHRINK | ON_EXHAUST},
    {"--faults", 'k', "K", "faults of a schedule at most, 0 to 8 (2)", OPT_FAULTS, ON_EXHAUST},
    {"--faults", 'k', "K", "faults of the exhaustive searches, 0 to 8 (1)", OPT_FAULTS, ON_GATES},
    {"--memory", 0, "SIZE", "for the states, like 512M or 2G (1G)", OPT_MEMORY, ON_LOOKING},
    {"--steps", 0, "N", "events at most, in millions: of the search, or of each that makes a finding smaller (20)",
     OPT_STEPS, ON_LOOKING},
    {"--as-is", 0, NULL, "only write it down, shrink nothing", OPT_AS_IS, ON_SHRINK},
    {"--to-input", 0, NULL, "as an input of the fuzz target, not as a scenario", OPT_TO_INPUT, ON_SHRINK},
    {"--enumerate", 0, NULL, "every schedule for itself, known state or not: what the search is measured against",
     OPT_ENUMERATE, ON_EXHAUST},
    {"--case", 0, "NAME", "this case alone", OPT_CASE, ON_RUN | ON_REPORT},
    {"--case", 0, "NAME", "this case, whatever it says; without it every case that says `holds`", OPT_CASE,
     ON_FUZZ | ON_EXHAUST | ON_GATES | ON_GROWTH},
    {"--case", 0, "NAME", "this case; without it the only one that violates", OPT_CASE, ON_SHRINK},
    {"--case", 0, "NAME", "of a file with several cases: which one", OPT_CASE, ON_TRACE},
    {"--case", 0, "NAME", "this case; without it the first that violates, or the only one", OPT_CASE, ON_EXPLAIN},
    {"--case", 0, "NAME", "the case; given twice: that of A and that of B", OPT_CASE, ON_DIFF},
    {"--set", 0, "NAME=VALUE", "another value for a `param`", OPT_SET,
     ON_RUN | ON_TRACE | ON_DIFF | ON_REPORT | ON_EXPLAIN | ON_LOOKING | ON_COVERAGE | ON_SITUATIONS | ON_GROWTH},
    {"--without", 0, "GATE", "remove a gate; again for another", OPT_WITHOUT,
     ON_RUN | ON_TRACE | ON_EXPLAIN | ON_FUZZ | ON_EXHAUST | ON_SHRINK},
    {"--with", 0, "GATE", "put back a gate that the case removes; again for another", OPT_WITH,
     ON_RUN | ON_TRACE | ON_EXPLAIN},
    {"--fault", 0, "LINE=FAULT", "another fault in that line of the file, or `none`; again for another", OPT_FAULT,
     ON_RUN | ON_TRACE | ON_EXPLAIN},
    {"--without", 0, "GATE", "remove a gate; of one file and case: from the second run alone", OPT_WITHOUT, ON_DIFF},
    {"--dry", 0, NULL, "check the files, run nothing", OPT_DRY, ON_RUN},
    {"--points", 0, NULL, "the decision points of each case", OPT_POINTS, ON_RUN},
    {"--grade", 0, NULL,
     "what was handed in for scenarios/lessons: which lesson is mended, by its one line alone; a folder is "
     "one hand-in of all",
     OPT_GRADE, ON_RUN},
    {"--notes", 0, NULL, "with notes: what is believed, what arrives", OPT_NOTES, ON_TRACE},
    {"--format", 0, "FORMAT", "one of those below", OPT_FORMAT, ON_RUN | ON_TRACE},
    {"--json", 0, NULL, "the same as --format json: one object a file, on one line", OPT_JSON, ON_RUN},
    {"--json", 0, NULL, "the same as --format json: one object a record, each on one line", OPT_JSON, ON_TRACE},
    {"--json", 0, NULL, "one object a case, each on one line", OPT_JSON, ON_FUZZ | ON_EXHAUST | ON_GATES | ON_GROWTH},
    {"--json", 0, NULL, "what was shrunk as one object, with its scenario in it, on one line", OPT_JSON, ON_SHRINK},
    {"--json", 0, NULL, "facts and sentences as one object, on one line", OPT_JSON, ON_EXPLAIN},
    {"--json", 0, NULL, "the ratios and their targets, as one object", OPT_JSON, ON_BENCH},
    {"--workload", 0, "WHAT",
     "run one lease cluster, print nothing: `bare`, or with its `digest`, or with that and the trace `kept`",
     OPT_WORKLOAD, ON_BENCH},
    {"--rounds", 0, "N", "how often, for a tool that counts instructions (1)", OPT_ROUNDS, ON_BENCH},
    {"--json", 0, NULL, "the data instead of the table: one object, on one line", OPT_JSON, ON_COVERAGE},
    {"--pages", 0, "LINK", "where `report` wrote the pages of these files, as seen from DIR", OPT_PAGES,
     ON_COVERAGE | ON_GROWTH},
    {"--code", 0, "FILE", "a tracefile of lcov, a test a scenario: pages that say which scenarios run a line", OPT_CODE,
     ON_COVERAGE},
    {"--see", 0, "LINK=WORDS", "another page for the list of pages; again for another", OPT_SEE,
     ON_REPORT | ON_COVERAGE},
    {"--words", 0, "FILE", "a page of words (*.md), on top of the list of pages; again for another", OPT_WORDS,
     ON_REPORT},
    {"--json", 0, NULL, "one object, on one line", OPT_JSON, ON_SITUATIONS},
    {"--quiet", 'q', NULL, "only what is not as expected, and the summary", OPT_QUIET, ON_RUN},
    {"--help", 'h', NULL, "its options, a line each, with an example", OPT_HELP, ON_ALL},
};
#define OPTIONS (sizeof options_table / sizeof *options_table)

static const struct tables tables = {
    .version = VERSION,
    .day = VERSION_DAY,
    .about = "Fencepost shows what a lease, a lock, a quorum, a job queue and a fencing token do, and do not do, when\n"
             "machines pause, clocks lie and networks split.",
    .command = commands,
    .option = options_table,
    .n_commands = COMMANDS,
    .n_options = OPTIONS,
};

static void help_all(struct text *t)
{
    text_add(t, tables.about);
    text_add(t, "\n\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        struct text use = {0};
        text_add(&use, "fencepost ");
        text_add(&use, commands[i].name);
        text_char(&use, ' ');
        text_add(&use, commands[i].operands);
        text_add(t, "  ");
        text_pad(t, text_c(&use), 32);
        text_add(t, commands[i].sentence);
        text_char(t, '\n');
        text_done(t, &use);
    }
    text_add(t, "\nA FILE that is named - is standard input. Each has --help, with an example. Begin with:\n"
                "  fencepost run scenarios\n");
}

static void help_formats(struct text *t, const struct command *c)
{
    if (!(c->bit & (FORMAT_OF_RUN | FORMAT_OF_TRACE)))
        return;
    text_add(t, "\nformats\n");
    for (uint32_t i = 0; i < FORMATS; i++) {
        if (!(format_table[i].of & c->bit))
            continue;
        text_add(t, "  ");
        text_pad(t, format_table[i].name, 18);
        text_add(t, "  ");
        text_add(t, format_table[i].sentence);
        text_char(t, '\n');
    }
}

static void help_status(struct text *t, unsigned bit)
{
    if (bit & ON_LOOKING)
        text_add(t,
                 "\nstatus: 0 nothing found, complete, shrunk; 1 something was found; 2 the command line or a scenario "
                 "is wrong;\n3 the machine failed; 4 an exhaustive search ended before it was complete. Interrupted by "
                 "a signal, it\nsays what it has, and ends by that signal\n");
    else if (bit & ON_TELLING)
        text_add(t,
                 "\nstatus: 0 told, whatever came of the case; 1 its run came to no end of its own; 2 the command line "
                 "or the\nscenario is wrong, 3 the machine failed\n");
    else if (bit & ON_COUNTING)
        text_add(t, "\nstatus: 0 told, whatever came of the cases; 2 the command line or a scenario is wrong,\n3 the "
                    "machine failed\n");
    else
        text_add(t, "\nstatus: 0 as expected, 1 not as expected, 2 the command line or a scenario is wrong,\n"
                    "3 the machine failed\n");
}

static void help_one(struct text *t, const struct command *c)
{
    text_add(t, "fencepost ");
    text_add(t, c->name);
    text_add(t, c->operands[0] != '\0' ? " " : "");
    text_add(t, c->operands);
    text_add(t, "\n  ");
    text_add(t, c->sentence);
    text_add(t, "\n\nexample\n  ");
    text_add(t, c->example);
    text_add(t, c->more != NULL ? "\n  " : "");
    text_add(t, c->more != NULL ? c->more : "");
    text_add(t, "\n\noptions\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option_word *w = &options_table[i];
        struct text use = {0};
        if (!(w->on & c->bit))
            continue;
        if (w->letter != 0) {
            text_char(&use, '-');
            text_char(&use, w->letter);
            text_add(&use, ", ");
        }
        text_add(&use, w->name);
        text_add(&use, w->value != NULL ? " " : "");
        text_add(&use, w->value != NULL ? w->value : "");
        text_add(t, "  ");
        text_pad(t, text_c(&use), 18);
        text_add(t, "  ");
        text_add(t, w->sentence);
        text_char(t, '\n');
        text_done(t, &use);
    }
    help_formats(t, c);
    if (c->bit == ON_GATES)
        text_add(
            t, "\nWhat breaks with every gate in place, by so many schedules or with so many faults, is named below a "
               "table and\nlooked for no more in that case: no gate decides it.\n");
    help_status(t, c->bit);
}

static int put_help(const struct command *c)
{
    struct text t = front_report(1);
    if (c != NULL)
        help_one(&t, c);
    else
        help_all(&t);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

/* --- reading the command line ------------------------------------------------------------------------------ */

/* Adds a gate to *gates, the one list of the two; it stands in one alone. */
static int take_gate(const struct options *o, uint32_t *gates, const char *name)
{
    const char *names[GATES];
    for (int g = 0; g < GATES; g++) {
        names[g] = gate_table[g].name;
        if (strcmp(name, names[g]) != 0)
            continue;
        if (!gate_table[g].built) {
            front_complain("gate '%s' is not in this version yet", name);
            return STATUS_WRONG;
        }
        *gates |= UINT32_C(1) << g;
        if (!(o->without & o->put_back))
            return STATUS_GOOD;
        front_complain("--with %s and --without %s: one of the two", name, name);
        return STATUS_WRONG;
    }
    const char *near = nearest_word(name, strlen(name), names, GATES);
    if (near != NULL)
        front_complain("no gate '%s'; did you mean '%s'?", name, near);
    else
        front_complain("no gate '%s'; `fencepost list gates` shows all", name);
    return STATUS_WRONG;
}

/* value is NAME=VALUE, and is cut in two. */
static int take_setting(struct options *o, char *value)
{
    char *equals = strchr(value, '=');
    if (equals == NULL || equals == value) {
        front_complain("--set takes NAME=VALUE, not '%s'", value);
        return STATUS_WRONG;
    }
    if (o->n_settings == SETTINGS_MAX) {
        front_complain("more than %d --set", SETTINGS_MAX);
        return STATUS_WRONG;
    }
    *equals = '\0';
    o->setting[o->n_settings].name = value;
    o->setting[o->n_settings++].value = equals + 1;
    return STATUS_GOOD;
}

/* value is LINK=WORDS, and is cut in two. */
static int take_see_also(struct options *o, char *value)
{
    char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0') {
        front_complain("--see takes LINK=WORDS, not '%s'", value);
        return STATUS_WRONG;
    }
    if (o->n_links == SEE_ALSO_MAX) {
        front_complain("more than %d --see", SEE_ALSO_MAX);
        return STATUS_WRONG;
    }
    *equals = '\0';
    o->link[o->n_links++] = (struct see_also){value, equals + 1};
    return STATUS_GOOD;
}

/* value is LINE=FAULT. */
static int take_fault(struct options *o, char *value)
{
    char *equals = strchr(value, '=');
    uint64_t line;
    if (equals == NULL) {
        front_complain("--fault takes LINE=FAULT, as in --fault '25=at 5s: pause w1 for 2s', or LINE=none, not '%s'",
                       value);
        return STATUS_WRONG;
    }
    if (o->n_revisions == REVISIONS_MAX) {
        front_complain("more than %d --fault", REVISIONS_MAX);
        return STATUS_WRONG;
    }
    *equals = '\0';
    int status = looking_take_number("--fault", value, 1, UINT32_MAX - 1, &line);
    if (status != STATUS_GOOD)
        return status;
    for (uint32_t i = 0; i < o->n_revisions; i++)
        if (o->revision[i].line == line) {
            front_complain("--fault %s stands here twice", value);
            return STATUS_WRONG;
        }
    o->revision[o->n_revisions++] = (struct revision){(uint32_t)line, equals + 1};
    return STATUS_GOOD;
}

static int take_words(struct options *o, const char *value)
{
    if (o->n_words == WORDS_PAGES_MAX) {
        front_complain("more than %d --words", WORDS_PAGES_MAX);
        return STATUS_WRONG;
    }
    o->words[o->n_words++] = value;
    return STATUS_GOOD;
}

static int take_case(struct options *o, const struct command *c, const char *value)
{
    uint32_t most = c->bit == ON_DIFF ? 2 : 1;
    if (o->n_cases == most) {
        front_complain(c->bit == ON_RUN       ? "run takes one --case; without it, it runs every case"
                       : c->bit == ON_REPORT  ? "report takes one --case; without it, a page has every case"
                       : c->bit == ON_TRACE   ? "trace takes one --case: it shows one run"
                       : c->bit == ON_EXPLAIN ? "explain takes one --case: it explains one run"
                       : c->bit != ON_DIFF    ? "a search takes one --case; without it, every case that says `holds`"
                                              : "diff takes at most two --case: it compares two runs");
        return STATUS_WRONG;
    }
    o->case_name[o->n_cases++] = value;
    return STATUS_GOOD;
}

static int take_small(const char *option, const char *value, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t v;
    int status = looking_take_number(option, value, least, most, &v);
    *out = status == STATUS_GOOD ? (uint32_t)v : *out;
    return status;
}

static int take_millions(struct options *o, const char *value)
{
    int status = looking_take_number("--steps", value, 1, UINT64_C(1) << 40, &o->look.steps);
    o->look.steps *= 1000000;
    return status;
}

static int take_option(struct options *o, const struct command *c, const struct option_word *w, char *value)
{
    if (o->look.searches_by == NULL && w->id != OPT_MERGE && w->id != OPT_OUTPUT)
        o->look.searches_by = w->name;
    switch (w->id) {
    case OPT_CASE: return take_case(o, c, value);
    case OPT_SET: return take_setting(o, value);
    case OPT_WITHOUT: return take_gate(o, &o->without, value);
    case OPT_WITH: return take_gate(o, &o->put_back, value);
    case OPT_FAULT: return take_fault(o, value);
    case OPT_DRY: o->dry = true; break;
    case OPT_POINTS: o->points = true; break;
    case OPT_GRADE: o->grade = true; break;
    case OPT_NOTES: o->notes = true; break;
    case OPT_FORMAT: return front_take_format(o, c->name, c->bit, value);
    case OPT_JSON: o->format = FORMAT_JSON; break;
    case OPT_QUIET: o->quiet = true; break;
    case OPT_OUTPUT: o->output = strcmp(value, "-") == 0 && (c->bit & ON_LOOKING) ? NULL : value; break;
    case OPT_SCHEDULES: return looking_take_number("--schedules", value, 1, UINT64_C(1) << 50, &o->look.schedules);
    case OPT_TIME: return looking_take_time("--time", value, &o->look.time);
    case OPT_SEED: return looking_take_number("--seed", value, 0, INT64_MAX, &o->look.seed);
    case OPT_JOBS: return take_small("--jobs", value, 1, 64, &o->look.jobs);
    case OPT_STRATEGY: return looking_take_arm(value, &o->look.arms);
    case OPT_FIND: return looking_take_find(value, &o->look.find);
    case OPT_REACH: return looking_take_reach(value, &o->look);
    case OPT_REDISCOVER: return looking_take_rediscover(value, &o->look.rediscover);
    case OPT_FAULTS: return take_small("--faults", value, 0, EXPLORE_FAULTS_MAX, &o->look.faults);
    case OPT_MEMORY: return looking_take_bytes("--memory", value, &o->look.memory);
    case OPT_STEPS: return take_millions(o, value);
    case OPT_ENUMERATE: o->look.enumerate = true; break;
    case OPT_SEEDS: return take_small("--seeds", value, 1, 51, &o->look.seeds);
    case OPT_KEEP_GOING: o->look.keep_going = true; break;
    case OPT_STATE: o->look.state = value; break;
    case OPT_SHARD: return looking_take_shard(value, &o->look.shard, &o->look.shards);
    case OPT_MERGE: o->look.merge = true; break;
    case OPT_AS_IS: o->look.as_is = true; break;
    case OPT_TO_INPUT: o->look.to_input = true; break;
    case OPT_WORKLOAD: return bench_take_workload(o, value);
    case OPT_ROUNDS: return take_small("--rounds", value, 0, 1000000, &o->rounds);
    case OPT_PAGES: o->pages = value; break;
    case OPT_CODE: o->code = value; break;
    case OPT_SEE: return take_see_also(o, value);
    case OPT_WORDS: return take_words(o, value);
    case OPT_HELP: o->help = true; break;
    }
    return STATUS_GOOD;
}

static int unknown_option(const struct command *c, const char *word, size_t n)
{
    const char *names[OPTIONS];
    uint32_t k = 0;
    if (c->bit == ON_DIFF &&
        ((n == 6 && memcmp(word, "--json", n) == 0) || (n == 8 && memcmp(word, "--format", n) == 0))) {
        front_complain("diff has no JSON and no other format than text; `fencepost trace --json` prints each run");
        return STATUS_WRONG;
    }
    for (size_t i = 0; i < OPTIONS; i++)
        if (options_table[i].on & c->bit)
            names[k++] = options_table[i].name;
    const char *near = nearest_word(word, n, names, k);
    if (near != NULL)
        front_complain("%s has no option '%.*s'; did you mean '%s'?", c->name, (int)(n < 200 ? n : 200), word, near);
    else
        front_complain("%s has no option '%.*s'; `fencepost %s --help` shows them", c->name, (int)(n < 200 ? n : 200),
                       word, c->name);
    return STATUS_WRONG;
}

static const struct option_word *find_option(const struct command *c, const char *word, size_t n)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option_word *w = &options_table[i];
        bool is_long = strlen(w->name) == n && memcmp(w->name, word, n) == 0;
        bool is_short = n == 2 && w->letter != 0 && word[1] == w->letter && word[0] == '-';
        if ((w->on & c->bit) && (is_long || is_short))
            return w;
    }
    return NULL;
}

/* One option, at argv[*i]; moves *i on when its value is the next word. */
static int read_option(struct options *o, const struct command *c, int argc, char **argv, int *i)
{
    char *word = argv[*i], *equals = strchr(word, '=');
    size_t n = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const struct option_word *w = find_option(c, word, n);
    if (w == NULL && word[1] != '-' && n > 2) { /* -n100 */
        w = find_option(c, word, 2);
        if (w != NULL && w->value != NULL)
            return take_option(o, c, w, word + 2);
        w = NULL;
    }
    if (w == NULL)
        return unknown_option(c, word, n);
    if (w->value == NULL && equals != NULL) {
        front_complain("%s takes no value", w->name);
        return STATUS_WRONG;
    }
    if (w->value == NULL)
        return take_option(o, c, w, NULL);
    if (equals != NULL)
        return take_option(o, c, w, equals + 1);
    if (*i + 1 >= argc) {
        front_complain("%s takes a value: %s %s", w->name, w->name, w->value);
        return STATUS_WRONG;
    }
    *i += 1;
    return take_option(o, c, w, argv[*i]);
}

/* argv[0] is the command. o->operand has room for argc. */
static int read_options(struct options *o, const struct command *c, int argc, char **argv)
{
    bool only_operands = false;
    for (int i = 1; i < argc; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1] != '\0' && argv[i][1] != ':') {
            int status = read_option(o, c, argc, argv, &i);
            if (status != STATUS_GOOD)
                return status;
        } else {
            o->operand[o->n_operands++] = argv[i];
        }
    }
    return STATUS_GOOD;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int run_command(const struct command *c, const char *program, int argc, char **argv)
{
    struct options o = {.program = program, .tables = &tables, .rounds = 1, .look = looking_defaults()};
    if (c->bit & (ON_FUZZ | ON_SHRINK | ON_GATES))
        o.look.steps = PROOF_STEPS;
    if (c->bit == ON_GROWTH)
        o.look.schedules = 10000;
    if (c->bit == ON_GATES) {
        o.look.schedules = 2000;
        o.look.faults = 1;
        o.look.steps = PROOF_STEPS / 4;
    }
    o.operand = malloc((size_t)argc * sizeof *o.operand);
    if (o.operand == NULL)
        return front_no_memory();
    int status = read_options(&o, c, argc, argv);
    if (status == STATUS_GOOD && o.help) {
        status = put_help(c);
    } else if (status == STATUS_GOOD && o.n_operands < c->least) {
        front_complain("%s takes %s; for example: %s", c->name, c->operands, c->example);
        status = STATUS_WRONG;
    } else if (status == STATUS_GOOD) {
        status = c->run(&o);
    }
    free(o.operand);
    return status;
}

static int unknown_command(const char *word)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = nearest_word(word, strlen(word), names, COMMANDS);
    if (near != NULL)
        front_complain("no command '%s'; did you mean '%s'?", word, near);
    else
        front_complain("no command '%s'; `fencepost --help` shows them", word);
    return STATUS_WRONG;
}

static int put_version(void)
{
    struct text t = front_report(1);
    text_add(&t, "fencepost " VERSION ", language 1, digest d1\n");
    int status = front_put(&t);
    text_free(&t);
    return status;
}

int main(int argc, char **argv)
{
    assert_hook = report_bug;
    (void)signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    (void)signal(SIGXFSZ, SIG_IGN); /* behind `ulimit -f` a write fails, as on a full disk */
#endif
    if (argc < 2) {
        struct text t = front_report(2);
        help_all(&t);
        (void)front_put_complaint(&t);
        text_free(&t);
        return STATUS_WRONG;
    }
    if (is_help(argv[1]) && argc == 2)
        return put_help(NULL);
    if (strcmp(argv[1], "--version") == 0)
        return put_version();
    const char *name = is_help(argv[1]) ? argv[2] : argv[1];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        if (is_help(argv[1]))
            return put_help(&commands[i]);
        return run_command(&commands[i], argv[0], argc - 1, argv + 1);
    }
    if (name[0] == '-') {
        front_complain("no option '%s' before a command; `fencepost --help` shows what there is", name);
        return STATUS_WRONG;
    }
    return unknown_command(name);
}
