/* SPDX-License-Identifier: MIT
 *
 * run_command.c - `fencepost run`: every case of every file against what it says.
 *
 * Files are reported one by one, as they are done; the last line sums up. What is wrong with a file as a
 * whole (a trigger that no case fires, a `decided-by` that does not decide) is judged only when all of its
 * cases ran as they stand. As TAP or JUnit XML all files are one report, which is written at the end.
 */
#include "reports/export.h"
#include "reports/export_run.h"
#include "reports/front.h"
#include "reports/problem.h"
#include "reports/trace.h"

#include <stdlib.h>
#include <string.h>

/* Test points: of each case, and of what is wrong with a file as a whole. */
static bool is_points(const struct options *o) { return o->format == FORMAT_TAP || o->format == FORMAT_JUNIT; }

/* --- the command that shows it again -------------------------------------------------------------- */

static void again_command(struct text *t, const struct options *o, const char *path, const char *case_name)
{
    /* a report of tests may be read elsewhere */
    front_add_command(t, is_points(o) ? "fencepost" : o->program, "run", o, case_name, path);
}

/* --- run -------------------------------------------------------------------------------------------- */

struct totals {
    uint64_t scenarios, cases;
    uint64_t unexpected, broken; /* cases not as expected; with an error, which is status 2 */
    uint64_t undecided, wrong;   /* files whose `decided-by` does not decide; with errors, which is status 2 */
    bool found;                  /* some file has the case of --case */
    struct test_points points;   /* with --format tap or junit */
};

/* What is said of a file beside its cases. */
struct aside {
    struct text errors; /* for standard error */
    struct text reason; /* the same for JSON, on one line */
    const char *path;   /* of the file, as it was given; test points show less of it */
    bool undecided, wrong;
};

static bool case_is_wanted(const struct options *o, const char *name)
{
    return o->n_cases == 0 || strcmp(o->case_name[0], name) == 0;
}

/* --- test points ------------------------------------------------------------------------------------ */

/* One line, without blanks before it and with one where several stand. Returns what is behind it. */
static const char *one_line(struct text *t, const char *lines)
{
    size_t from = t->n;
    for (; *lines != '\0' && *lines != '\n'; lines++)
        if (*lines != ' ' || (t->n > from && t->bytes[t->n - 1] != ' '))
            text_char(t, *lines);
    return *lines == '\n' ? lines + 1 : lines;
}

/* The first line; where that only says that all is not as expected, the second too. */
static void in_short(struct text *t, const char *lines)
{
    static const char vague[] = "NOT as expected";
    size_t n = sizeof vague - 1;
    lines = one_line(t, lines);
    if (t->failed || t->n < n || memcmp(t->bytes + t->n - n, vague, n) != 0 || *lines == '\0')
        return;
    text_add(t, ": ");
    (void)one_line(t, lines);
}

/* What is wrong stands in `detail`, of which the first line says it in short. name NULL: the file as a whole. */
static void add_point(struct totals *totals, const struct options *o, const char *file, const char *path,
                      const char *name, int status, struct text *detail)
{
    struct text again = {0}, message = {0};
    again_command(&again, o, path, name);
    in_short(&message, text_c(detail));
    const struct test_point point = {file, name, status, text_c(&message), text_c(detail), text_c(&again)};
    test_points_add(&totals->points, &point);
    totals->points.body.failed = totals->points.body.failed || detail->failed;
    text_done(&totals->points.body, &again);
    text_done(&totals->points.body, &message);
}

static void add_case_point(struct totals *totals, const struct options *o, const struct loaded *l, const char *path,
                           const struct run *r)
{
    struct text detail = {0};
    if (!r->as_expected)
        outcome_case(&detail, &l->file, r, NULL);
    add_point(totals, o, l->file.path, path, r->c->name, front_status_of(r), &detail);
    text_done(&totals->points.body, &detail);
}

/* --- one case ----------------------------------------------------------------------------------------- */

/* One case of a file, run and reported. */
static int run_one(const struct loaded *l, uint32_t i, const struct options *o, struct text *t, struct tally *tally,
                   struct totals *totals, struct aside *aside)
{
    int status = STATUS_GOOD;
    struct compiled *c = front_compile(l, i, o->without, o->put_back, &status);
    if (c == NULL) {
        aside->wrong = true;
        if (is_points(o) && status == STATUS_WRONG)
            add_point(totals, o, l->file.path, aside->path, scenario_case_name(l->scenario, i), status, l->why);
        if (is_points(o))
            text_clear(l->why);
        return status;
    }
    const struct run_options how = {.plain = !front_changes(o), .more = o->points ? SIM_POINTS : 0};
    struct run *r = run_case(c, &how);
    if (r == NULL) {
        compiled_free(c);
        return front_no_memory();
    }
    struct text again = {0};
    again_command(&again, o, l->file.path, c->name);
    if (o->points)
        trace_points(t, &l->file, r);
    if (is_points(o))
        add_case_point(totals, o, l, aside->path, r);
    else if (o->format == FORMAT_JSON)
        outcome_case_json(t, &l->file, r);
    else if (!r->as_expected || !(o->quiet || o->points))
        outcome_case(t, &l->file, r, text_c(&again));
    text_done(t, &again);
    t->failed = t->failed || !tally_add(tally, r);
    status = front_status_of(r);
    totals->cases++;
    totals->unexpected += status == STATUS_FAILED;
    totals->broken += status == STATUS_WRONG;
    run_free(r);
    compiled_free(c);
    return status;
}

/* A problem of a file as a whole; line 0: of no line. */
static void put_aside(struct aside *aside, const struct loaded *l, uint32_t line, struct text *what)
{
    struct text *reason = &aside->reason;
    problem_line(&aside->errors, l->file.path, l->bytes, l->file.n, line, text_c(what));
    text_add(reason, reason->n > 0 ? "; " : "");
    text_shown(reason, l->file.path);
    if (line > 0) {
        text_char(reason, ':');
        text_u64(reason, line);
    }
    text_add(reason, ": error: ");
    text_bytes(reason, what->bytes, what->n);
    text_done(&aside->errors, what);
}

/* Lines that wait for an event that came in no case. */
static int idle_triggers(const struct loaded *l, const struct tally *tally, struct aside *aside)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < tally->n; i++) {
        if (tally->row[i].fired > 0)
            continue;
        struct text what = {0};
        outcome_idle(&what, &tally->row[i]);
        put_aside(aside, l, tally->row[i].line, &what);
        aside->wrong = true;
        status = STATUS_WRONG;
    }
    return status;
}

static void decided_text(struct text *t, const struct loaded *l, const struct decision *d)
{
    text_add(t, "  decided by ");
    text_add(t, gate_table[d->gate].name);
    text_add(t, d->how == DECIDED_PUT_BACK ? ": put back alone, it makes " : ": taken away, it breaks ");
    int32_t i = d->how == DECIDED_PUT_BACK ? d->failing : d->holding;
    text_add(t, scenario_case_name(l->scenario, (uint32_t)i));
    text_add(t, d->how == DECIDED_PUT_BACK ? " hold\n" : "\n");
}

static int check_decided(const struct loaded *l, const struct options *o, struct text *t, struct aside *aside)
{
    static struct diags diags;
    struct decision d;
    memset(&diags, 0, sizeof diags);
    replay_decided_by(l->scenario, &d, &diags);
    switch (d.how) {
    case DECIDED_NO_MEMORY: return front_no_memory();
    case DECIDED_PROBLEM: aside->wrong = true; return front_complain_diags(l, l->file.path, &diags);
    case DECIDED_NO: {
        struct text what = {0};
        outcome_undecided(&what, l->scenario, &d);
        put_aside(aside, l, 0, &what);
        aside->undecided = true;
        return STATUS_FAILED;
    }
    case DECIDED_PUT_BACK:
    case DECIDED_TAKEN:
        if (!o->quiet && o->format == FORMAT_TEXT)
            decided_text(t, l, &d);
        return STATUS_GOOD;
    default: return STATUS_GOOD;
    }
}

static void title(struct text *t, const struct loaded *l)
{
    text_style(t, STYLE_BOLD);
    text_shown(t, l->file.path);
    text_style(t, STYLE_PLAIN);
    text_add(t, ": ");
    text_shown(t, scenario_title(l->scenario));
    text_char(t, '\n');
}

/* All wanted cases of a file, then what the file as a whole must show. */
static int run_cases(const struct loaded *l, const struct options *o, struct text *t, struct aside *aside,
                     struct totals *totals)
{
    struct tally tally = {0};
    int status = STATUS_GOOD;
    uint32_t n = scenario_cases(l->scenario);
    for (uint32_t i = 0; i < n && status < STATUS_BROKEN; i++) {
        if (!case_is_wanted(o, scenario_case_name(l->scenario, i)))
            continue;
        totals->found = true;
        status = front_worse(status, run_one(l, i, o, t, &tally, totals, aside));
    }
    bool whole = o->n_cases == 0 && !front_changes(o) && !o->points, good = status == STATUS_GOOD;
    if (whole && status < STATUS_WRONG)
        status = front_worse(status, idle_triggers(l, &tally, aside));
    if (whole && status < STATUS_WRONG)
        status = front_worse(status, check_decided(l, o, t, aside));
    if (!good) /* a case has its own reason */
        text_clear(&aside->reason);
    totals->wrong += aside->wrong;
    totals->undecided += aside->undecided && !aside->wrong;
    tally_free(&tally);
    return status;
}

static bool has_wanted_case(const struct loaded *l, const struct options *o)
{
    return o->n_cases == 0 || scenario_case_find(l->scenario, o->case_name[0]) >= 0;
}

static int put_errors(struct aside *aside, int status)
{
    aside->errors.failed = aside->errors.failed || aside->reason.failed;
    status = front_worse(status, front_put_complaint(&aside->errors));
    text_free(&aside->errors);
    text_free(&aside->reason);
    return status;
}

static int run_json(const struct loaded *l, const struct options *o, struct text *t, struct totals *totals)
{
    struct aside aside = {.errors = front_report(2), .path = l->file.path};
    text_char(t, '{');
    text_key(t, "v");
    text_u64(t, 1);
    text_key(t, "file");
    text_json(t, l->file.path);
    text_key(t, "scenario");
    text_json(t, scenario_title(l->scenario));
    text_key(t, "cases");
    text_char(t, '[');
    int status = run_cases(l, o, t, &aside, totals);
    text_char(t, ']');
    if (aside.reason.n > 0) {
        text_key(t, "error");
        text_json_bytes(t, aside.reason.bytes, aside.reason.n);
    }
    t->failed = t->failed || aside.reason.failed;
    text_key(t, "as_expected");
    text_add(t, status == STATUS_GOOD ? "true}\n" : "false}\n");
    return put_errors(&aside, status);
}

static int run_text(const struct loaded *l, const struct options *o, struct text *t, struct totals *totals)
{
    struct aside aside = {.errors = front_report(2), .path = l->file.path};
    struct text cases = front_report(1);
    int status = run_cases(l, o, &cases, &aside, totals);
    if (!o->points && (cases.n > 0 || !o->quiet))
        title(t, l);
    text_bytes(t, cases.bytes, cases.n);
    text_done(t, &cases);
    if (status < STATUS_BROKEN)
        status = front_worse(status, front_put(t));
    return put_errors(&aside, status);
}

/* A point a case, and one for the file where it is wrong as a whole though no case is: that is what `reason` says. */
static int run_points(struct loaded *l, const struct options *o, struct text *t, struct totals *totals)
{
    struct aside aside = {.path = l->file.path};
    l->file.path = export_path(l->file.path);
    int status = run_cases(l, o, t, &aside, totals);
    if (status < STATUS_BROKEN && (aside.reason.n > 0 || l->why->n > 0))
        add_point(totals, o, l->file.path, aside.path, NULL, status, aside.reason.n > 0 ? &aside.errors : l->why);
    test_points_end_file(&totals->points, l->file.path);
    return put_errors(&aside, status);
}

static int run_fence(const struct loaded *l, struct text *t)
{
    size_t n;
    char *canonical = scenario_print(l->scenario, &n);
    if (canonical == NULL)
        return front_no_memory();
    text_bytes(t, canonical, n);
    free(canonical);
    return STATUS_GOOD;
}

/* Every case compiles; nothing is run. */
static int run_dry(const struct loaded *l, const struct options *o, struct text *t, struct totals *totals)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < scenario_cases(l->scenario) && status == STATUS_GOOD; i++) {
        if (!case_is_wanted(o, scenario_case_name(l->scenario, i)))
            continue;
        struct compiled *c = front_compile(l, i, o->without, o->put_back, &status);
        if (c != NULL)
            compiled_free(c);
        totals->found = true;
        totals->cases++;
    }
    if (status == STATUS_GOOD && !o->quiet)
        title(t, l);
    return status;
}

static int run_file(const char *path, const struct options *o, struct text *t, struct totals *totals)
{
    struct loaded l;
    struct text why = {0};
    int status = front_load_kept(&l, path, o, is_points(o) ? &why : NULL);
    if (status != STATUS_GOOD) {
        totals->wrong++;
        if (is_points(o) && status == STATUS_WRONG)
            add_point(totals, o, export_path(path), path, NULL, status, &why);
        test_points_end_file(&totals->points, export_path(path));
        text_free(&why);
        if (o->format == FORMAT_JSON && !o->dry && status == STATUS_WRONG) {
            text_add(t, "{\"v\":1,\"file\":");
            text_json(t, path);
            text_add(t, ",\"scenario\":null,\"cases\":[],\"as_expected\":false}\n");
            status = front_worse(status, front_put(t));
        }
        return status;
    }
    if (has_wanted_case(&l, o)) {
        totals->scenarios++;
        status = o->dry                      ? run_dry(&l, o, t, totals)
                 : o->format == FORMAT_FENCE ? run_fence(&l, t)
                 : is_points(o)              ? run_points(&l, o, t, totals)
                 : o->format == FORMAT_JSON  ? run_json(&l, o, t, totals)
                                             : run_text(&l, o, t, totals);
        totals->wrong += o->dry && status != STATUS_GOOD;
    }
    front_unload(&l);
    text_free(&why);
    return status < STATUS_BROKEN ? front_worse(status, front_put(t)) : status;
}

/* One number of the summary, if it is one. */
static void summand(struct text *t, size_t start, uint64_t n, const char *one, const char *many)
{
    if (n == 0)
        return;
    text_add(t, t->n > start ? ", " : "");
    text_u64(t, n);
    text_add(t, n == 1 ? one : many);
}

/* "47 scenarios, 121 cases: all as expected"; "3 cases: 1 not as expected, 1 file with errors". What is not as
 * expected makes the status 1, what has an error 2. */
static void summary(struct text *t, const struct options *o, const struct totals *totals)
{
    text_count(t, totals->scenarios, "scenario", "scenarios");
    text_add(t, ", ");
    text_count(t, totals->cases, "case", "cases");
    text_add(t, ": ");
    size_t start = t->n;
    summand(t, start, totals->unexpected, " not as expected", " not as expected");
    summand(t, start, totals->undecided, " file not as expected", " files not as expected");
    summand(t, start, totals->broken, " with an error", " with errors");
    summand(t, start, totals->wrong, " file with errors", " files with errors");
    if (t->n == start)
        text_add(t, o->dry ? "no errors" : "all as expected");
    text_char(t, '\n');
}

/* The operands' files; complains itself. */
static int find_files(struct files *files, const struct options *o)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_operands; i++) {
        enum file_problem problem = files_add(files, o->operand[i]);
        if (problem != FILE_OK)
            status = front_worse(status, front_complain_file(o->operand[i], problem, files->error));
    }
    return status;
}

/* --case named a case that no file has. */
static int case_not_found(const struct files *files, const struct options *o)
{
    struct loaded l;
    if (files->n != 1) {
        front_complain("no file has a case '%s'", o->case_name[0]);
        return STATUS_WRONG;
    }
    int status = front_load(&l, files->path[0], o);
    if (status == STATUS_GOOD) {
        status = front_unknown_case(l.scenario, files->path[0], o->case_name[0]);
        front_unload(&l);
    }
    return status;
}

/* All points, or, where the machine failed, that it did. A report that no memory holds is no report. */
static int put_points(struct text *t, const struct options *o, struct totals *totals, int status)
{
    if (status < STATUS_BROKEN) {
        test_points_put(t, &totals->points);
        status = front_worse(status, front_put(t));
    }
    if (status == STATUS_BROKEN && o->format == FORMAT_TAP) {
        text_free(t);
        tap_bail_out(t, "the machine failed: out of memory, or the report could not be written");
        status = front_worse(status, front_put(t));
    }
    return status;
}

/* What a run has no other format than text for. */
static bool is_text_only(const struct options *o)
{
    if (!o->points && !(o->dry && is_points(o)))
        return false;
    return o->format != FORMAT_TEXT;
}

int command_run(const struct options *o)
{
    if (o->grade)
        return command_grade(o);
    struct files files = {0};
    struct totals totals = {.points.format = o->format};
    struct text t = front_report(1);
    int status = find_files(&files, o);
    bool found_files = status == STATUS_GOOD;
    if (is_text_only(o)) {
        front_complain("%s has no other format than text", o->points ? "--points" : "--dry");
        status = STATUS_WRONG;
        found_files = false;
    }
    if (found_files && o->format == FORMAT_FENCE && files.n != 1) {
        front_complain("--format fence prints one file, and here are %zu", files.n);
        status = STATUS_WRONG;
        found_files = false;
    }
    for (size_t i = 0; found_files && i < files.n && status < STATUS_BROKEN; i++)
        status = front_worse(status, run_file(files.path[i], o, &t, &totals));
    if (found_files && o->n_cases > 0 && !totals.found && totals.wrong == 0 && status == STATUS_GOOD &&
        o->format != FORMAT_FENCE) {
        status = case_not_found(&files, o);
    } else if (found_files && is_points(o)) {
        status = put_points(&t, o, &totals, status);
    } else if (found_files && status < STATUS_BROKEN && o->format == FORMAT_TEXT && !o->points) {
        summary(&t, o, &totals);
        status = front_worse(status, front_put(&t));
    }
    test_points_free(&totals.points);
    text_free(&t);
    files_free(&files);
    return status;
}
