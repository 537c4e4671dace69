/* SPDX-License-Identifier: MIT
 *
 * front.c - see front.h.
 */
#include "reports/front.h"

#include "reports/export.h"
#include "reports/problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- formats ---------------------------------------------------------------------------------------- */

const struct format_word format_table[FORMATS] = {
    [FORMAT_TEXT] = {"text", "for people: what is printed without --format", FORMAT_OF_RUN | FORMAT_OF_TRACE},
    [FORMAT_JSON] = {"json", "one JSON object a file; of a trace, jsonl without the notes",
                     FORMAT_OF_RUN | FORMAT_OF_TRACE},
    [FORMAT_FENCE] = {"fence", "the canonical form of one file", FORMAT_OF_RUN},
    [FORMAT_TAP] = {"tap", "TAP 13, a test point a case: for prove and the like", FORMAT_OF_RUN},
    [FORMAT_JUNIT] = {"junit", "JUnit XML, a testcase a case: for Jenkins, GitLab and the like", FORMAT_OF_RUN},
    [FORMAT_JSONL] = {"jsonl", "JSON Lines: a head, a line a record, notes too, a summary: reports/trace.schema.json",
                      FORMAT_OF_TRACE},
    [FORMAT_SHIVIZ] = {"shiviz", "a log with vector clocks, for ShiViz", FORMAT_OF_TRACE},
    [FORMAT_PERFETTO] = {"perfetto", "trace-event JSON, for ui.perfetto.dev and chrome://tracing", FORMAT_OF_TRACE},
    [FORMAT_EDN] = {"edn", "a history of operations, for Jepsen and its checkers", FORMAT_OF_TRACE},
    [FORMAT_MERMAID] = {"mermaid", "a sequence diagram, for a README or an issue", FORMAT_OF_TRACE},
    [FORMAT_DOT] = {"dot", "a graph of events and messages, for Graphviz", FORMAT_OF_TRACE},
};

/* "text, json and fence" */
static void format_names(struct text *t, const char *const *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        text_add(t, names[i]);
    }
}

int front_take_format(struct options *o, const char *command, unsigned of, const char *value)
{
    const char *names[FORMATS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < FORMATS; i++) {
        if (!(format_table[i].of & of))
            continue;
        names[n++] = format_table[i].name;
        if (strcmp(value, format_table[i].name) == 0) {
            o->format = (enum format)i;
            return STATUS_GOOD;
        }
    }
    const char *near = nearest_word(value, strlen(value), names, n);
    struct text all = {0};
    format_names(&all, names, n);
    front_complain("%s has no format '%s'; it has %s%s%s%s", command, value, text_c(&all),
                   near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
    text_free(&all);
    return STATUS_WRONG;
}

/* --- complaints and output ------------------------------------------------------------------- */

/* As text_shown(), to standard error, and without memory: it may be that there is none. */
static void complain_shown(const char *string, size_t n)
{
    while (n > 0) {
        size_t good = 0, length;
        while (good < n && (length = text_character(string + good, n - good)) > 0)
            good += length;
        (void)fwrite(string, 1, good, stderr);
        if (good < n)
            (void)fprintf(stderr, "\\x%02x", (unsigned)(unsigned char)string[good++]);
        string += good;
        n -= good;
    }
}

void front_complain(const char *format, ...)
{
    static char said[16384]; /* a path has 4096 bytes; a longer word is cut */
    va_list args;
    va_start(args, format);
    (void)fflush(stdout);
    int n = vsnprintf(said, sizeof said, format, args);
    bool cut = n >= (int)sizeof said;
    (void)fputs("fencepost: ", stderr);
    complain_shown(said, cut ? sizeof said - 1 : n < 0 ? 0 : (size_t)n);
    (void)fputs(cut ? " ...\n" : "\n", stderr);
    va_end(args);
}

int front_no_memory(void)
{
    front_complain("out of memory");
    return STATUS_BROKEN;
}

/* Writes a report out and empties it. A closed pipe ends quietly: whoever read has read enough. */
int front_put(struct text *t)
{
    if (t->failed)
        return front_no_memory();
    errno = 0;
    bool good = t->n == 0 || fwrite(t->bytes, 1, t->n, stdout) == t->n;
    good = fflush(stdout) == 0 && good;
    text_clear(t);
    if (good)
        return STATUS_GOOD;
    int error = errno;
    if (error != EPIPE)
        front_complain("cannot write: %s", strerror(error));
    return STATUS_BROKEN;
}

int front_put_complaint(struct text *t)
{
    (void)fflush(stdout);
    if (t->failed)
        return front_no_memory();
    if (t->n > 0)
        (void)fwrite(t->bytes, 1, t->n, stderr);
    text_clear(t);
    return STATUS_GOOD;
}

static bool wants_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && (no_color == NULL || no_color[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0;
}

struct text front_report(int fd)
{
    struct text t = {NULL, 0, 0, false, wants_colour(fd)};
    return t;
}

/* --- a scenario in memory ------------------------------------------------------------------------ */

void front_unload(struct loaded *l)
{
    scenario_free(l->scenario);
    scenario_free(l->written);
    free(l->bytes);
    memset(l, 0, sizeof *l);
}

int front_complain_diags(const struct loaded *l, const char *path, const struct diags *diags)
{
    if (diags->no_memory)
        return front_no_memory();
    struct text t = front_report(2);
    problem_list(&t, path, l->bytes, l->file.n, diags);
    if (l->why != NULL)
        problem_list(l->why, export_path(path), l->bytes, l->file.n, diags);
    int status = front_worse(STATUS_WRONG, front_put_complaint(&t));
    text_free(&t);
    return status;
}

int front_complain_file(const char *path, enum file_problem problem, int error)
{
    if (problem == FILE_NO_MEMORY)
        return front_no_memory();
    front_complain("%s: %s", path, file_problem_text(problem, error));
    return STATUS_WRONG;
}

static void measure_names(struct outcome_file *f)
{
    size_t width = 0;
    for (uint32_t i = 0; i < scenario_cases(f->scenario); i++) {
        size_t n = strlen(scenario_case_name(f->scenario, i));
        width = n > width ? n : width;
    }
    f->name_width = width > 40 ? 40 : (int)width;
}

/* What front_complain_file() says, where it is kept. */
static void keep_problem(struct text *why, const char *path, enum file_problem problem, int error)
{
    if (why == NULL)
        return;
    text_shown(why, export_path(path));
    text_add(why, ": ");
    text_add(why, file_problem_text(problem, error));
    text_char(why, '\n');
}

/* --fault: the faults that were read give way. */
static int revise(struct loaded *l, const char *path, const struct options *o, struct diags *diags)
{
    l->written = l->scenario;
    l->scenario = scenario_revised(l->written, o->revision, o->n_revisions, diags);
    if (l->scenario == NULL || !scenario_check(l->scenario, diags))
        return front_complain_diags(l, path, diags);
    return STATUS_GOOD;
}

int front_load_kept(struct loaded *l, const char *path, const struct options *o, struct text *why)
{
    int error;
    memset(l, 0, sizeof *l);
    l->why = why;
    enum file_problem problem = file_read(path, &l->bytes, &l->file.n, &error);
    if (problem != FILE_OK) {
        keep_problem(why, path, problem, error);
        return front_complain_file(path, problem, error);
    }
    static struct diags diags;
    memset(&diags, 0, sizeof diags);
    l->scenario = scenario_parse(l->bytes, l->file.n, path, o->setting, o->n_settings, &diags);
    if (l->scenario == NULL) {
        int status = front_complain_diags(l, path, &diags);
        front_unload(l);
        return status;
    }
    int status = o->n_revisions > 0 ? revise(l, path, o, &diags) : STATUS_GOOD;
    if (status != STATUS_GOOD) {
        front_unload(l);
        return status;
    }
    l->file.path = path;
    l->file.source = l->bytes;
    l->file.scenario = l->scenario;
    l->file.quiet = o->quiet;
    measure_names(&l->file);
    return STATUS_GOOD;
}

int front_load(struct loaded *l, const char *path, const struct options *o)
{
    return front_load_kept(l, path, o, NULL);
}

/* Compiles a case; complains itself. NULL: *status says why. */
struct compiled *front_compile(const struct loaded *l, uint32_t i, uint32_t without, uint32_t put_back, int *status)
{
    static struct diags diags;
    memset(&diags, 0, sizeof diags);
    struct compiled *c = scenario_compile(l->scenario, i, without, put_back, &diags);
    if (c == NULL)
        *status = front_worse(*status, front_complain_diags(l, l->file.path, &diags));
    return c;
}

int front_unknown_case(const struct scenario *s, const char *path, const char *name)
{
    struct text t = front_report(2);
    const char *names[32];
    uint32_t n = scenario_cases(s);
    for (uint32_t i = 0; i < n && i < 32; i++)
        names[i] = scenario_case_name(s, i);
    const char *near = name == NULL ? NULL : nearest_word(name, strlen(name), names, n < 32 ? n : 32);
    text_add(&t, "fencepost: ");
    text_shown(&t, path);
    text_add(&t, name == NULL ? ": which case? " : ": no case '");
    text_shown(&t, name == NULL ? "" : name);
    text_add(&t, name == NULL ? "--case " : "'; there is ");
    for (uint32_t i = 0; i < n && i < 32; i++) {
        text_add(&t, i == 0 ? "" : i + 1 < n ? ", " : name == NULL ? " or " : " and ");
        text_shown(&t, names[i]);
    }
    if (near != NULL) {
        text_add(&t, "; did you mean '");
        text_shown(&t, near);
        text_add(&t, "'?");
    }
    text_char(&t, '\n');
    int status = front_worse(STATUS_WRONG, front_put_complaint(&t));
    text_free(&t);
    return status;
}

static void add_gates(struct text *t, const char *option, uint32_t gates)
{
    for (int g = 0; g < GATES; g++) {
        if (!(gates >> g & 1))
            continue;
        text_add(t, option);
        text_add(t, gate_table[g].name);
        text_char(t, ' ');
    }
}

void front_add_options(struct text *t, const struct options *o)
{
    struct text one = {0};
    for (uint32_t i = 0; i < o->n_settings; i++) {
        text_clear(&one);
        text_add(&one, o->setting[i].name);
        text_char(&one, '=');
        text_add(&one, o->setting[i].value);
        text_add(t, "--set ");
        text_shell(t, text_c(&one));
        text_char(t, ' ');
    }
    add_gates(t, "--without ", o->without);
    add_gates(t, "--with ", o->put_back);
    for (uint32_t i = 0; i < o->n_revisions; i++) {
        text_clear(&one);
        text_u64(&one, o->revision[i].line);
        text_char(&one, '=');
        text_add(&one, o->revision[i].fault);
        text_add(t, "--fault ");
        text_shell(t, text_c(&one));
        text_char(t, ' ');
    }
    text_done(t, &one);
}

void front_add_command(struct text *t, const char *program, const char *verb, const struct options *o,
                       const char *case_name, const char *path)
{
    text_shell(t, program);
    text_char(t, ' ');
    text_add(t, verb);
    text_char(t, ' ');
    front_add_options(t, o);
    text_add(t, o->points ? "--points " : "");
    if (case_name != NULL) {
        text_add(t, "--case ");
        text_shell(t, case_name);
        text_char(t, ' ');
    }
    text_add(t, path[0] == '-' ? "-- " : "");
    text_shell(t, path);
}

int front_status_of(const struct run *r)
{
    if (r->as_expected)
        return STATUS_GOOD;
    bool wrong = r->end == END_FULL || r->end == END_FAILED || r->n_unanswered > 0;
    return wrong ? STATUS_WRONG : STATUS_FAILED;
}
