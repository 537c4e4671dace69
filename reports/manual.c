/* SPDX-License-Identifier: MIT
 *
 * manual.c - `fencepost manual`: fencepost(1), from the front door's tables and those of the gates and invariants.
 *
 * What it says beside them is how a command line is read, what the program asks of its surroundings, and a first walk
 * through it. The same program writes the same bytes; no day of a build stands in them.
 */
#include "reports/front.h"
#include "reports/roff.h"
#include "reports/tables.h"

#include <string.h>

#define LIBRARY "/usr/local/share/fencepost/scenarios"

/* --- one command ------------------------------------------------------------------------------------------------ */

/* "-o DIR FILE [INPUT]" as macros of a line that stands already. */
static void put_operands(struct text *t, const char *operands)
{
    for (operands += strspn(operands, " "); operands[0] != '\0'; operands += strspn(operands, " ")) {
        struct text word = {0};
        size_t n = strcspn(operands, " ");
        bool optional = operands[0] == '[' && operands[n - 1] == ']', option = operands[0] == '-';
        text_bytes(&word, operands + (optional || option), n - (optional || option) - optional);
        text_add(t, optional ? " Op Ar " : option ? " Fl " : " Ar ");
        roff_text(t, text_c(&word));
        text_done(t, &word);
        operands += n;
    }
}

/* -o, --output DIR */
static void put_option(struct text *t, const struct option_word *w)
{
    const char letter[] = {w->letter, '\0'};
    text_add(t, ".It");
    if (w->letter != 0) {
        text_add(t, " Fl ");
        text_add(t, letter);
        text_add(t, " ,");
    }
    text_add(t, " Fl ");
    roff_text(t, w->name + 1); /* Fl is the first dash */
    if (w->value != NULL) {
        text_add(t, " Ar ");
        roff_text(t, w->value);
    }
    text_char(t, '\n');
    roff_sentence(t, w->sentence);
}

/* Those of the command with this bit, but for those that every command has; 0: just these. */
static void put_options(struct text *t, const struct tables *tables, unsigned bit)
{
    unsigned all = 0;
    bool any = false;
    for (uint32_t i = 0; i < tables->n_commands; i++)
        all |= tables->command[i].bit;
    for (uint32_t i = 0; i < tables->n_options; i++) {
        const struct option_word *w = &tables->option[i];
        if (bit == 0 ? w->on != all : !(w->on & bit) || w->on == all)
            continue;
        text_add(t, any ? "" : ".Bl -tag -width Ds\n");
        any = true;
        put_option(t, w);
    }
    text_add(t, any ? ".El\n" : "");
}

static void put_formats(struct text *t, const struct command *c)
{
    bool any = false;
    for (int i = 0; i < FORMATS; i++) {
        if (!(format_table[i].of & c->bit))
            continue;
        if (!any)
            text_add(t, ".Pp\nIts formats:\n.Bl -tag -width perfetto -offset indent -compact\n");
        any = true;
        roff_macro(t, "It Cm", format_table[i].name);
        roff_sentence(t, format_table[i].sentence);
    }
    text_add(t, any ? ".El\n" : "");
}

static void put_command(struct text *t, const struct tables *tables, const struct command *c)
{
    text_add(t, ".Ss ");
    text_add(t, c->name);
    text_add(t, c->operands[0] != '\0' ? " " : "");
    roff_text(t, c->operands);
    text_add(t, "\\&\n"); /* its dots end no sentence */
    roff_sentence(t, c->sentence);
    put_options(t, tables, c->bit);
    put_formats(t, c);
    text_add(t, ".Pp\nFor example:\n");
    roff_literal_begin(t);
    roff_literal(t, c->example);
    if (c->more != NULL)
        roff_literal(t, c->more);
    roff_literal_end(t);
}

/* --- sections --------------------------------------------------------------------------------------------------- */

static void put_synopsis(struct text *t, const struct tables *tables)
{
    text_add(t, ".Sh SYNOPSIS\n");
    for (uint32_t i = 0; i < tables->n_commands; i++) {
        text_add(t, ".Nm\n");
        roff_macro(t, "Cm", tables->command[i].name);
        text_add(t, ".Op Ar option ...\n");
        if (tables->command[i].operands[0] == '\0')
            continue;
        struct text line = {0};
        put_operands(&line, tables->command[i].operands);
        text_char(t, '.');
        text_add(t, text_c(&line) + (line.n > 0)); /* its first macro begins the line */
        text_char(t, '\n');
        text_done(t, &line);
    }
    text_add(t, ".Nm\n.Cm help\n.Ar command\n.Nm\n.Fl \\-help | \\-version\n");
}

static void put_description(struct text *t, const struct tables *tables, const char *library)
{
    text_add(t, ".Sh DESCRIPTION\n");
    roff_prose(t, tables->about);
    roff_prose(
        t, "It is a deterministic simulator: a scenario, a text file of thirty lines or so, says who holds what, what "
           "goes wrong and what must be true, and gives the same run, to the nanosecond, on every machine. Each case "
           "of a scenario is one run of it and its verdict: that it holds, or which invariant breaks. A case can be "
           "without a gate, a protection that has a name: so it shows what that was for.");
    text_add(t, ".Pp\n");
    roff_prose(t, "The language is described, word by word, in");
    struct text readme = {0};
    text_add(&readme, library);
    text_add(&readme, "/README.md");
    text_add(t, ".Pa ");
    roff_text(t, text_c(&readme));
    text_add(t, " ,\n");
    text_done(t, &readme);
    roff_prose(t, "and `fencepost list` shows every word of it, a line each.");
    text_add(t, ".Pp\n");
    roff_prose(
        t,
        "The first word is the command. Behind it options and operands stand in any order. The value of an option is "
        "the next word, or stands behind it: `--case=fenced`, `-n500`. Behind `--` every word is an operand. A "
        "folder stands for every file below it whose name ends in `.fence`, and `-` for standard input. Results go to "
        "standard output, "
        "complaints to standard error; a file is written whole or not at all.");
}

static void put_gates(struct text *t)
{
    text_add(t, ".Sh GATES AND INVARIANTS\n.Ss Gates\n");
    roff_prose(t, "The protections, on unless a case or `--without` removes them:");
    text_add(t, ".Bl -tag -width Ds\n");
    for (int i = 0; i < GATES; i++) {
        if (!gate_table[i].built)
            continue;
        roff_macro(t, "It Cm", gate_table[i].name);
        roff_sentence(t, gate_table[i].with);
        struct text without = {0};
        text_add(&without, "without it: ");
        text_add(&without, gate_table[i].without);
        roff_sentence(t, text_c(&without));
        text_done(t, &without);
    }
    text_add(t, ".El\n");
}

static void put_invariants(struct text *t)
{
    text_add(t, ".Ss Invariants\n");
    roff_prose(
        t, "What is judged in every run, and what `--find` looks for. A harm, or a service that breaks its protocol, "
           "makes the verdict of a case; a sign is danger without harm, and counts where a case or `--find` names "
           "it. `--find split-brain` means single-grant, one-leader-per-term, single-primary, single-holder and "
           "single-actor together.");
    text_add(t, ".Bl -tag -width Ds\n");
    for (int i = 0; i < INVARIANTS; i++) {
        if (!invariant_table[i].built)
            continue;
        text_add(t, ".It Cm ");
        roff_text(t, invariant_table[i].name);
        text_add(t, " Pq ");
        text_add(t, invariant_kind_name[invariant_table[i].kind]);
        text_char(t, '\n');
        roff_sentence(t, invariant_table[i].holds_when);
    }
    text_add(t, ".El\n");
}

static void put_surroundings(struct text *t, const char *library)
{
    text_add(t, ".Sh ENVIRONMENT\nNo run depends on any of these, nor on the locale or the time zone.\n"
                ".Bl -tag -width NO_COLOR\n.It Ev NO_COLOR\nIf set and not empty, a terminal gets no colours.\n"
                ".It Ev TERM\nIf unset or\n.Ql dumb ,\nneither.\n.El\n.Sh FILES\n.Bl -tag -width Ds\n");
    roff_macro(t, "It Pa", library);
    roff_prose(
        t,
        "The library: failures of leases and of job queues, holes in good designs, faults one at a time, incidents of "
        "real systems, and controls where everything goes wrong and nothing breaks. Its README.md is the "
        "language.");
    text_add(t, ".El\n");
}

static const char *const status_sentence[] = {
    [STATUS_GOOD] = "As expected; two runs are the same; a search found nothing, or is complete; shrunk.",
    [STATUS_FAILED] =
        "A case is not as it says, a search found a violation, two runs differ, or a run hit its event limit.",
    [STATUS_WRONG] = "The command line or a scenario is wrong.",
    [STATUS_BROKEN] = "The machine failed: output cannot be written, or there is no memory.",
    [STATUS_UNDONE] = "An exhaustive search ended before it was complete.",
};

static void put_status(struct text *t)
{
    text_add(t, ".Sh EXIT STATUS\n");
    roff_prose(t, "When several hold, the largest is returned.");
    text_add(t, ".Bl -tag -width Ds\n");
    for (uint64_t i = 0; i < sizeof status_sentence / sizeof *status_sentence; i++) {
        text_add(t, ".It ");
        text_u64(t, i);
        text_char(t, '\n');
        roff_prose(t, status_sentence[i]);
    }
    text_add(t, ".El\n.Pp\n");
    roff_prose(t, "A search that SIGINT, SIGTERM or SIGHUP interrupts says what it has, and ends by that signal.");
}

static const struct {
    const char *why;
    const char *line;
} walk[] = {
    {"See one case of it, event by event:", "fencepost trace --case checked $one"},
    {"Find again what its own fault does, and keep the smallest scenario that does it:",
     "fencepost fuzz --case checked --rediscover kinds -o found.fence $one"},
    {"With the fence in its place, no two faults break it:", "fencepost exhaust --case fenced --faults 2 $one"},
    {"What is each gate for, and which other one covers for it?", "fencepost gates $one"},
    {"A page to look at, with a picture of each case:", "fencepost report -o pages $one found.fence"},
};

static void put_walk(struct text *t, const char *library)
{
    struct text all = {0}, one = {0};
    text_add(&all, "fencepost run ");
    text_add(&all, library);
    text_add(&one, "one=");
    text_add(&one, library);
    text_add(&one, "/seeds/f1-paused-leader.fence");
    text_add(t, ".Sh EXAMPLES\nReplay the library, and choose one of its files:\n");
    roff_literal_begin(t);
    roff_literal(t, text_c(&all));
    roff_literal(t, text_c(&one));
    roff_literal_end(t);
    for (size_t i = 0; i < sizeof walk / sizeof *walk; i++) {
        text_add(t, ".Pp\n");
        roff_prose(t, walk[i].why);
        roff_literal_begin(t);
        roff_literal(t, walk[i].line);
        roff_literal_end(t);
    }
    text_done(t, &all);
    text_done(t, &one);
}

static void put_manual(struct text *t, const struct tables *tables, const char *library)
{
    text_add(t, ".\\\" Written by `fencepost manual` from the tables that it reads command lines by.\n");
    roff_macro(t, "Dd", tables->day);
    text_add(t, ".Dt FENCEPOST 1\n.Os \"fencepost ");
    text_add(t, tables->version);
    text_add(t, "\"\n.Sh NAME\n.Nm fencepost\n"
                ".Nd replay and search what goes wrong with leases, quorums and fencing tokens\n");
    put_synopsis(t, tables);
    put_description(t, tables, library);
    text_add(t, ".Sh COMMANDS\nEach of them has:\n");
    put_options(t, tables, 0);
    for (uint32_t i = 0; i < tables->n_commands; i++)
        put_command(t, tables, &tables->command[i]);
    put_gates(t);
    put_invariants(t);
    put_surroundings(t, library);
    put_status(t);
    put_walk(t, library);
    text_add(t, ".Sh SEE ALSO\n.Xr prove 1\n.Sh CAVEATS\n");
    roff_prose(
        t, "A search chooses where a fault strikes by what happens, never by a time, and how long it lasts from a menu "
           "made of the file's own constants. What it has not found may still exist between them; an exhaustive "
           "search says within which bounds it is complete.");
}

int command_manual(const struct options *o)
{
    if (o->n_operands > 1) {
        front_complain("manual takes one folder, not '%s' too", o->operand[1]);
        return STATUS_WRONG;
    }
    struct text t = front_report(1);
    put_manual(&t, o->tables, o->n_operands > 0 ? o->operand[0] : LIBRARY);
    int status = front_put(&t);
    text_free(&t);
    return status;
}
