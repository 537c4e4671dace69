/* SPDX-License-Identifier: MIT
 *
 * lesson_report.c - see lesson_report.h.
 */
#include "reports/lesson_report.h"

#include "reports/export.h"
#include "reports/html.h"
#include "reports/lesson_page.h"
#include "reports/problem.h"
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

#define BESIDE_BYTES_MAX (UINT32_C(1) << 20) /* of words, or of a key: they are a page, and a line */

/* --- what stands beside a scenario ------------------------------------------------------------------------------ */

/* "x.fence" and "-lesson.fence" make "x-lesson.fence". */
static void beside(struct text *t, const char *path, const char *ending)
{
    static const char scenario[] = ".fence";
    size_t n = strlen(path), tail = sizeof scenario - 1;
    text_bytes(t, path, n > tail && strcmp(path + n - tail, scenario) == 0 ? n - tail : n);
    text_add(t, ending);
}

/* Reads a file beside the scenario. *bytes is NULL where there is none. */
static int read_beside(const char *path, const char *ending, char **bytes, size_t *n)
{
    struct text name = {0};
    int error, status = STATUS_GOOD;
    *bytes = NULL;
    *n = 0;
    beside(&name, path, ending);
    enum file_problem problem = name.failed ? FILE_NO_MEMORY : file_read(text_c(&name), bytes, n, &error);
    bool large = problem == FILE_OK && *n > BESIDE_BYTES_MAX;
    if (problem != FILE_OK && problem != FILE_MISSING)
        status = front_complain_file(text_c(&name), problem, error);
    if (large) {
        front_complain("%s: too large: what stands beside a lesson has at most %u bytes; this has %zu", text_c(&name),
                       BESIDE_BYTES_MAX, *n);
        status = STATUS_WRONG;
    }
    if (problem != FILE_OK || large) {
        free(*bytes);
        *bytes = NULL;
    }
    text_free(&name);
    return status;
}

/* --- the lesson as it should be ------------------------------------------------------------------ */

/* The scenario with another line in the place of the one to change. */
struct mended {
    struct loaded l;
    struct text source;
    struct text line; /* as the key has it */
    struct compiled *c;
    struct run *run; /* NULL: there is no key */
};

static void free_mended(struct mended *m)
{
    run_free(m->run);
    compiled_free(m->c);
    scenario_free(m->l.scenario);
    text_free(&m->source);
    text_free(&m->line);
}

/* The first line of the key. */
static void take_key(struct text *t, const char *key, size_t n)
{
    const char *end = memchr(key, '\n', n);
    n = end == NULL ? n : (size_t)(end - key);
    text_bytes(t, key, n > 0 && key[n - 1] == '\r' ? n - 1 : n);
}

static void replace_line(struct mended *m, const struct loaded *l)
{
    size_t n = 0, indent = 0;
    const char *line = problem_source_line(l->bytes, l->file.n, scenario_change(l->scenario), &n);
    ASSERT(line != NULL);
    while (indent < n && line[indent] == ' ')
        indent++;
    text_bytes(&m->source, l->bytes, (size_t)(line - l->bytes) + indent);
    text_bytes(&m->source, m->line.n > 0 ? m->line.bytes : "", m->line.n);
    text_bytes(&m->source, line + n, l->file.n - (size_t)(line + n - l->bytes));
}

/* Plays the mended case. A key that mends nothing is as wrong as an expectation that fails. */
static int play_mended(struct mended *m, const struct loaded *l, const struct options *o, const char *path)
{
    static struct diags diags;
    int status = STATUS_GOOD;
    struct text name = {0};
    beside(&name, path, ".key");
    m->l.scenario = scenario_parse(m->source.bytes, m->source.n, text_c(&name), o->setting, o->n_settings, &diags);
    m->l.bytes = m->source.bytes;
    m->l.file.n = m->source.n;
    m->l.file.path = text_c(&name);
    if (m->l.scenario == NULL && !diags.no_memory) /* one line for one: the numbers are those of the scenario */
        front_complain("%s: with this line in the place of line %u of %s:", text_c(&name),
                       (unsigned)scenario_change(l->scenario), path);
    if (m->l.scenario == NULL)
        status = front_complain_diags(&m->l, path, &diags);
    else
        m->run = report_play(&m->l, (uint32_t)scenario_to_mend(l->scenario), &m->c, &status);
    if (m->run != NULL && !(m->run->as_expected && m->run->verdict == VERDICT_HOLDS)) {
        front_complain("%s: this line does not mend case %s", text_c(&name), m->run->c->name);
        status = STATUS_FAILED;
    }
    m->l.file.path = NULL;
    text_done(&m->source, &name);
    return status;
}

static int mend(struct mended *m, const struct loaded *l, const struct options *o, const char *path)
{
    char *key;
    size_t n;
    int status = read_beside(path, ".key", &key, &n);
    if (key == NULL)
        return status;
    take_key(&m->line, key, n);
    replace_line(m, l);
    free(key);
    (void)text_c(&m->line); /* ends it */
    if (m->line.failed || m->source.failed)
        return front_no_memory();
    return play_mended(m, l, o, path);
}

/* --- one lesson ---------------------------------------------------------------------------------- */

/* The name of one more page of the lesson; NULL: no memory. */
static const char *page_name(struct lesson_report *x, const char *root, const char *path, const char *ending)
{
    struct text name = {0};
    beside(&name, path, ending);
    const char *page = name.failed ? NULL : folder_name(x->names, root, text_c(&name));
    text_free(&name);
    return page;
}

static const char *in_folder(const char *name)
{
    const char *last = strrchr(name, '/');
    return last == NULL ? name : last + 1;
}

/* A row for one more; NULL: no memory. */
static struct lesson_row *new_row(struct lesson_report *x)
{
    if (x->n == x->capacity) {
        uint32_t capacity = x->capacity == 0 ? 16 : 2 * x->capacity;
        struct lesson_row *grown = realloc(x->row, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        x->row = grown;
        x->capacity = capacity;
    }
    x->row[x->n] = (struct lesson_row){0};
    return &x->row[x->n++];
}

/* The first case that is to stay as it is; where there is none, the one to mend. */
static uint32_t case_before(const struct scenario *s)
{
    for (uint32_t i = 0; i < scenario_cases(s); i++)
        if ((int32_t)i != scenario_to_mend(s))
            return i;
    return (uint32_t)scenario_to_mend(s);
}

static int write_sheets(const struct lesson_report *x, struct lesson_row *row, const struct lesson_page *page)
{
    struct text sheet = {0}, answers = {0};
    lesson_page_read(&row->page, page);
    lesson_page_worksheet(&sheet, page);
    lesson_page_answers(&answers, page);
    int status = report_put(x->o, row->sheet, &sheet);
    if (status == STATUS_GOOD)
        status = report_put(x->o, row->answers, &answers);
    text_free(&sheet);
    text_free(&answers);
    return row->page.failed ? front_no_memory() : status;
}

/* All of its pages, from runs that were played. */
static int draw(struct lesson_report *x, struct lesson_row *row, const struct loaded *l, const struct run *before,
                const struct mended *m, const char *run)
{
    char *words;
    size_t n;
    int status = read_beside(l->file.path, ".md", &words, &n);
    struct text all = {0};
    report_link(&all, row->name, LESSON_LIST);
    struct lesson_page page = {.file = &l->file,
                               .path = export_path(l->file.path),
                               .before = before,
                               .mended = m->run,
                               .key = m->run == NULL ? NULL : m->line.bytes,
                               .words = words == NULL ? "" : words,
                               .n_words = n,
                               .run = in_folder(run),
                               .worksheet = in_folder(row->sheet),
                               .answers = in_folder(row->answers),
                               .page = in_folder(row->name),
                               .all = text_c(&all)};
    if (status < STATUS_BROKEN)
        status = front_worse(status, write_sheets(x, row, &page));
    text_done(&row->page, &all);
    free(words);
    return status;
}

int lesson_report_add(struct lesson_report *x, const struct loaded *l, const char *root, const char *path,
                      const char *run)
{
    struct lesson_row *row = new_row(x);
    if (row == NULL)
        return front_no_memory();
    row->name = page_name(x, root, path, "-lesson.fence");
    row->sheet = page_name(x, root, path, "-worksheet.fence");
    row->answers = page_name(x, root, path, "-answers.fence");
    if (row->name == NULL || row->sheet == NULL || row->answers == NULL)
        return front_no_memory();
    text_add(&row->title, scenario_title(l->scenario));
    text_add(&row->source, scenario_source(l->scenario) == NULL ? "" : scenario_source(l->scenario));
    struct compiled *c = NULL;
    struct mended m = {0};
    int status = mend(&m, l, x->o, path);
    struct run *before = status < STATUS_WRONG ? report_play(l, case_before(l->scenario), &c, &status) : NULL;
    if (before != NULL)
        status = front_worse(status, draw(x, row, l, before, &m, run));
    run_free(before);
    compiled_free(c);
    free_mended(&m);
    return row->title.failed || row->source.failed ? front_no_memory() : status;
}

/* --- all of them --------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const struct lesson_row *a = left, *b = right;
    return strcmp(a->name, b->name); /* no two pages have one name */
}

static void list_link(struct text *t, const char *name, const char *words)
{
    text_add(t, "<a href=\"");
    html_link(t, name);
    text_add(t, "\">");
    html_text(t, words);
    text_add(t, "</a>");
}

static int write_list(struct lesson_report *x)
{
    struct text t = {0};
    lesson_page_head(&t, "", "Lessons", NULL);
    text_add(
        &t, "<main>\n<p>Each of these has happened to somebody. Read what happened, and predict; run it; change one "
            "line, and see; then look for what nobody has tried yet. A lesson takes a quarter of an hour.</p>\n<ol>\n");
    for (uint32_t i = 0; i < x->n; i++) {
        struct lesson_row *row = &x->row[i];
        text_add(&t, "<li><p>");
        list_link(&t, row->name, text_c(&row->title));
        text_add(&t, "</p>\n<p class=\"source\">");
        html_text(&t, text_c(&row->source));
        text_add(&t, " (");
        list_link(&t, row->sheet, "worksheet");
        text_add(&t, ", ");
        list_link(&t, row->answers, "answers");
        text_add(&t, ")</p></li>\n");
    }
    text_add(&t, "</ol>\n<p>What a class hands in is graded by <code>fencepost run --grade FOLDER...</code></p>\n"
                 "<nav><a href=\"index.html\">All scenarios</a></nav>\n</main>\n</body>\n</html>\n");
    int status = report_put(x->o, LESSON_LIST, &t);
    text_free(&t);
    return status;
}

int lesson_report_end(struct lesson_report *x)
{
    int status = STATUS_GOOD;
    if (x->n == 0)
        return status;
    qsort(x->row, x->n, sizeof *x->row, compare);
    for (uint32_t i = 0; i < x->n && status == STATUS_GOOD; i++) {
        struct text link = {0};
        bool last = i + 1 == x->n;
        if (!last)
            report_link(&link, x->row[i].name, x->row[i + 1].name);
        lesson_page_end(&x->row[i].page, last ? NULL : text_c(&link), last ? NULL : text_c(&x->row[i + 1].title));
        text_done(&x->row[i].page, &link);
        status = report_put(x->o, x->row[i].name, &x->row[i].page);
    }
    return status == STATUS_GOOD ? write_list(x) : status;
}

void lesson_report_free(struct lesson_report *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        text_free(&x->row[i].title);
        text_free(&x->row[i].source);
        text_free(&x->row[i].page);
    }
    free(x->row);
}
