/* SPDX-License-Identifier: MIT
 *
 * covered_lines.c - see covered_lines.h.
 *
 *  1. A line that no scenario runs is pink, one that a single scenario runs amber: without that scenario it would be
 *     bare. The number of scenarios stands beside each, so colour says nothing alone.
 *  2. A page holds each distinct set of scenarios once; its script draws the links of the line that was chosen. Without
 *     scripts the numbers and the colours are there.
 */
#include "reports/covered_lines.h"

#include "reports/embedded.h"
#include "reports/folder.h"
#include "reports/html.h"

#include <stdlib.h>
#include <string.h>

/* A record a scenario and source: 80 MB for a library of 180. */
#define TRACEFILE_MIB_MAX 1024

/* Before anything is written: whether each source is there to be shown. */
static int look_for_sources(const struct tracefile *f)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < f->n_sources && status == STATUS_GOOD; i++) {
        char *bytes;
        size_t n;
        int error;
        enum file_problem problem = file_read(f->source[i].path, &bytes, &n, &error);
        if (problem == FILE_OK)
            free(bytes);
        else
            status = front_complain_file(f->source[i].path, problem, error);
    }
    return status;
}

int covered_lines_load(struct tracefile *f, const char *path)
{
    char *bytes;
    size_t n;
    int error;
    const char *expected;
    enum file_problem problem = file_read_most(path, (size_t)TRACEFILE_MIB_MAX << 20, &bytes, &n, &error);
    if (problem == FILE_TOO_LARGE) {
        front_complain("%s: too large: a tracefile has at most %d MiB", path, TRACEFILE_MIB_MAX);
        return STATUS_WRONG;
    }
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    uint32_t wrong = tracefile_read(f, bytes, n, &expected);
    free(bytes);
    if (wrong == NONE32)
        return front_no_memory();
    if (wrong != 0) {
        front_complain("%s:%u:1: expected %s", path, wrong, expected);
        return STATUS_WRONG;
    }
    if (f->n_sources == 0) {
        front_complain("%s: expected a tracefile of lcov, with TN, SF and DA", path);
        return STATUS_WRONG;
    }
    return look_for_sources(f);
}

bool covered_lines_are_there(const struct covered *c) { return c->code.n_sources > 0; }

/* --- counts ----------------------------------------------------------------------------------------------- */

struct counts {
    uint32_t lines, none, one;
};

static struct counts count(const struct tracefile *f, uint32_t source)
{
    struct counts k = {0};
    for (uint32_t line = 1; line <= f->source[source].lines; line++) {
        if (!f->source[source].has_code[line])
            continue;
        uint32_t n = tracefile_count(f, source, line);
        k.lines++;
        k.none += n == 0;
        k.one += n == 1;
    }
    return k;
}

static char in_name(char c) { return c == '/' ? '-' : c; }

static bool has_same_name(const char *a, const char *b)
{
    while (*a != '\0' && in_name(*a) == in_name(*b)) {
        a++;
        b++;
    }
    return in_name(*a) == in_name(*b);
}

/* "code/sim-x.c.html"; where sim/x.c came before sim-x.c, the second is "code/sim-x.c-2.html". */
static void add_name(struct text *t, const struct tracefile *f, uint32_t source)
{
    uint32_t nth = 1;
    for (uint32_t i = 0; i < source; i++)
        nth += has_same_name(f->source[i].path, f->source[source].path);
    text_add(t, "code/");
    for (const char *s = f->source[source].path; *s != '\0'; s++)
        text_char(t, in_name(*s));
    if (nth > 1) {
        text_char(t, '-');
        text_u64(t, nth);
    }
    text_add(t, ".html");
}

static void put_number(struct text *t, uint32_t n, const char *shade)
{
    text_add(t, "<td");
    if (n > 0 && shade != NULL) {
        text_add(t, " class=\"");
        text_add(t, shade);
        text_char(t, '"');
    }
    text_char(t, '>');
    text_u64(t, n);
    text_add(t, "</td>");
}

static int by_path(const void *left, const void *right)
{
    const struct tracefile_source *const *a = left, *const *b = right;
    return strcmp((*a)->path, (*b)->path);
}

void covered_lines_list(struct text *t, const struct covered *c)
{
    const struct tracefile *f = &c->code;
    const struct tracefile_source **sorted = malloc((f->n_sources + 1) * sizeof *sorted);
    coverage_begin(t, "Which scenarios run this line", "index.html");
    text_add(t, "<p>The code, as ");
    text_count(t, f->n_tests, "scenario runs", "scenarios run");
    text_add(t, " it. A line of one scenario would be bare without it.</p>\n</header>\n<main>\n"
                "<table class=\"matrix\">\n<thead><tr><th scope=\"col\">Source</th><th scope=\"col\">lines</th>"
                "<th scope=\"col\">of none</th><th scope=\"col\">of one</th></tr></thead>\n<tbody>\n");
    t->failed = t->failed || sorted == NULL;
    for (uint32_t i = 0; sorted != NULL && i < f->n_sources; i++)
        sorted[i] = &f->source[i];
    if (sorted != NULL)
        qsort(sorted, f->n_sources, sizeof *sorted, by_path);
    for (uint32_t i = 0; sorted != NULL && i < f->n_sources; i++) {
        uint32_t source = (uint32_t)(sorted[i] - f->source);
        struct counts k = count(f, source);
        struct text name = {0};
        add_name(&name, f, source);
        text_add(t, "<tr><th scope=\"row\"><a href=\"");
        html_link(t, text_c(&name));
        text_add(t, "\">");
        html_text(t, sorted[i]->path);
        text_add(t, "</a></th>");
        put_number(t, k.lines, NULL);
        put_number(t, k.none, "none");
        put_number(t, k.one, "one");
        text_add(t, "</tr>\n");
        text_done(t, &name);
    }
    free(sorted);
    text_add(t, "</tbody>\n</table>\n");
    coverage_end(t);
}

/* --- one source ------------------------------------------------------------------------------------------- */

/* The sets of a page, each once: the lines that first had it. */
struct sets {
    uint32_t *line; /* by set */
    uint32_t n;
};

static bool same_set(const struct tracefile *f, uint32_t source, uint32_t a, uint32_t b)
{
    const uint64_t *tests = f->source[source].tests;
    return memcmp(&tests[a * f->words], &tests[b * f->words], f->words * sizeof *tests) == 0;
}

static uint32_t set_of(struct sets *sets, const struct tracefile *f, uint32_t source, uint32_t line)
{
    for (uint32_t i = 0; i < sets->n; i++)
        if (same_set(f, source, sets->line[i], line))
            return i;
    sets->line[sets->n] = line;
    return sets->n++;
}

/* The scenario that a test is; NONE32: it is another's. */
static uint32_t scenario_of(const struct covered *c, const char *test)
{
    struct text name = {0};
    uint32_t found = NONE32;
    for (uint32_t i = 0; i < c->n_files && found == NONE32; i++) {
        text_clear(&name);
        covered_test(&name, c->file[i].path);
        if (strcmp(text_c(&name), test) == 0)
            found = i;
    }
    text_free(&name);
    return found;
}

/* One folder up from code/: the pages of the runs are told relative to the folder of all. */
static void json_test(struct text *t, const struct covered *c, const char *test)
{
    uint32_t file = scenario_of(c, test);
    struct text link = {0};
    text_comma(t);
    text_char(t, '{');
    text_key(t, "name");
    text_json(t, file == NONE32 ? test : c->file[file].path);
    if (file != NONE32 && c->pages != NULL && c->file[file].page != NULL) {
        text_add(&link, "../");
        html_link(&link, c->pages);
        text_char(&link, '/');
        html_link(&link, c->file[file].page);
        text_key(t, "link");
        text_json(t, text_c(&link));
    }
    text_char(t, '}');
    text_done(t, &link);
}

static void put_data(struct text *t, const struct covered *c, uint32_t source, const struct sets *sets)
{
    struct text json = {0};
    text_add(&json, "{\"tests\":[");
    for (uint32_t test = 0; test < c->code.n_tests; test++)
        json_test(&json, c, c->code.test[test]);
    text_add(&json, "],\"sets\":[");
    for (uint32_t i = 0; i < sets->n; i++) {
        text_comma(&json);
        text_char(&json, '[');
        for (uint32_t test = 0; test < c->code.n_tests; test++) {
            if (!tracefile_runs(&c->code, source, sets->line[i], test))
                continue;
            text_comma(&json);
            text_u64(&json, test);
        }
        text_char(&json, ']');
    }
    text_add(&json, "]}");
    text_add(t, "<script type=\"application/json\" id=\"sets\">");
    html_json(t, &json);
    text_add(t, "</script>\n<script>\n");
    text_bytes(t, (const char *)embedded_covered_lines_js, embedded_covered_lines_js_n);
    text_add(t, "</script>\n");
    text_done(t, &json);
}

static void put_line(struct text *t, const struct tracefile *f, uint32_t source, uint32_t line, const char *bytes,
                     size_t n, struct sets *sets)
{
    bool code = line <= f->source[source].lines && f->source[source].has_code[line];
    uint32_t tests = code ? tracefile_count(f, source, line) : 0;
    text_add(t, "<tr id=\"L");
    text_u64(t, line);
    text_add(t, code && tests < 2 ? "\" class=\"" : "\"");
    text_add(t, code && tests < 2 ? coverage_shade(tests) : "");
    text_add(t, code && tests < 2 ? "\"><td>" : "><td>");
    text_u64(t, line);
    if (tests > 0) {
        text_add(t, "</td><td data-set=\"");
        text_u64(t, set_of(sets, f, source, line));
        text_add(t, "\">");
    } else {
        text_add(t, "</td><td>");
    }
    if (code)
        text_u64(t, tests);
    text_add(t, "</td><td>");
    html_bytes(t, bytes, n);
    text_add(t, "</td></tr>\n");
}

static void put_source(struct text *t, const struct covered *c, uint32_t source, const char *bytes, size_t n,
                       struct sets *sets)
{
    const char *path = c->code.source[source].path;
    struct counts k = count(&c->code, source);
    coverage_begin(t, path, "../covered-lines.html");
    text_add(t, "<p>");
    text_count(t, k.lines, "line", "lines");
    text_add(t, " with code: <span class=\"none\">");
    text_u64(t, k.none);
    text_add(t, " that no scenario runs</span>, <span class=\"one\">");
    text_u64(t, k.one);
    text_add(t,
             " that one alone runs</span>. Behind a line's number stands how many run it; choose it to see which.</p>\n"
             "</header>\n<main>\n<div class=\"wide\"><table class=\"code\">\n");
    const char *at = bytes, *end = bytes + n;
    for (uint32_t line = 1; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        put_line(t, &c->code, source, line, at, (size_t)((newline == NULL ? end : newline) - at), sets);
        at = newline == NULL ? end : newline + 1;
    }
    text_add(t, "</table></div>\n<div id=\"who\" role=\"status\"></div>\n");
    put_data(t, c, source, sets);
    coverage_end(t);
}

static int write_source(const struct covered *c, const char *folder, uint32_t source)
{
    const char *path = c->code.source[source].path;
    char *bytes;
    size_t n;
    int error;
    enum file_problem problem = file_read(path, &bytes, &n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    struct text t = {0}, name = {0};
    struct sets sets = {malloc((c->code.source[source].lines + 1) * sizeof *sets.line), 0};
    int status = sets.line == NULL ? front_no_memory() : STATUS_GOOD;
    if (status == STATUS_GOOD) {
        put_source(&t, c, source, bytes, n, &sets);
        add_name(&name, &c->code, source);
        status = coverage_write(folder, text_c(&name), &t);
    }
    free(sets.line);
    free(bytes);
    text_free(&t);
    text_free(&name);
    return status;
}

int covered_lines_write(const struct covered *c, const char *folder)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < c->code.n_sources && status == STATUS_GOOD; i++)
        status = write_source(c, folder, i);
    return status;
}
