/* SPDX-License-Identifier: MIT
 *
 * index.c - see index.h. Each row carries what it can be filtered by as data-* attributes; index.js makes the
 * choices from them, so that without scripts there is nothing that does not work.
 */
#include "reports/index.h"

#include "reports/embedded.h"
#include "reports/html.h"
#include "reports/page.h"

#include <stdlib.h>
#include <string.h>

/* --- systems ----------------------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

/* The name of the repository that ends at `end`, a '#': owner/NAME#12. 0: there is none. */
static size_t repository(const char *source, const char *end)
{
    const char *p = end;
    while (p > source && is_name(p[-1]))
        p--;
    return p > source && p[-1] == '/' ? (size_t)(end - p) : 0;
}

static bool holds(const struct text *t, const char *name, size_t n)
{
    for (size_t i = 0; i + n <= t->n; i++)
        if (memcmp(t->bytes + i, name, n) == 0 && (i == 0 || t->bytes[i - 1] == ' ') &&
            (i + n == t->n || t->bytes[i + n] == ','))
            return true;
    return false;
}

static void add_system(struct text *t, const char *name, size_t n)
{
    if (n == 0 || holds(t, name, n))
        return;
    text_add(t, t->n > 0 ? ", " : "");
    text_bytes(t, name, n);
}

void index_system(struct text *t, const char *source)
{
    size_t start = t->n;
    for (const char *p = strchr(source, '#'); p != NULL; p = strchr(p + 1, '#')) {
        size_t n = repository(source, p);
        add_system(t, p - n, n);
    }
    const char *behind = strncmp(source, "INC-", 4) == 0 ? strstr(source, ": ") : NULL;
    if (t->n == start && behind != NULL)
        add_system(t, behind + 2, strcspn(behind + 2, ";,"));
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

void index_begin(struct index *x)
{
    text_clear(&x->verdicts);
    text_clear(&x->gates);
    text_clear(&x->words);
    x->its_cases = x->its_unexpected = 0;
}

static void list_item(struct text *t, const char *word)
{
    if (holds(t, word, strlen(word)))
        return;
    text_add(t, t->n > 0 ? ", " : "");
    text_add(t, word);
}

static void broken(struct index *x, const struct run *r)
{
    const char *before = " ";
    for (uint32_t i = 0; i < r->n_violations; i++) {
        if (r->role[i] > ROLE_UNEXPECTED)
            continue;
        const char *name = invariant_table[r->violation[i].invariant].name;
        text_add(&x->verdicts, before);
        text_add(&x->verdicts, name);
        list_item(&x->words, name);
        before = ", ";
    }
}

void index_case(struct index *x, const struct run *r)
{
    text_add(&x->verdicts, "<li>");
    html_text(&x->verdicts, r->c->name);
    text_add(&x->verdicts, ": ");
    text_add(&x->verdicts, verdict_name[r->verdict]);
    list_item(&x->words, verdict_name[r->verdict]);
    broken(x, r);
    text_add(&x->verdicts, r->as_expected ? "</li>" : " <b class=\"bad\">NOT as expected</b></li>");
    if (!r->as_expected)
        list_item(&x->words, "not as expected");
    page_removed(r->c, false, list_item, &x->gates);
    x->its_cases++;
    x->its_unexpected += !r->as_expected;
}

/* A new row; NULL: no memory. */
static struct index_row *new_row(struct index *x, const char *name)
{
    if (x->n == x->capacity) {
        uint32_t capacity = x->capacity == 0 ? 64 : 2 * x->capacity;
        struct index_row *grown = realloc(x->row, capacity * sizeof *grown);
        if (grown == NULL) {
            x->failed = true;
            return NULL;
        }
        x->row = grown;
        x->capacity = capacity;
    }
    x->row[x->n] = (struct index_row){.name = name, .order = x->n};
    return &x->row[x->n++];
}

static void attribute(struct text *t, const char *key, const struct text *value)
{
    text_add(t, " data-");
    text_add(t, key);
    text_add(t, "=\"");
    html_bytes(t, value->n > 0 ? value->bytes : "", value->n);
    text_char(t, '"');
}

/* What a scenario can be filtered by; the deciding gate is among its gates. */
static void attributes(struct index *x, struct text *t, const struct scenario *s)
{
    struct text decider = {0}, system = {0};
    int32_t gate = scenario_decided_by(s);
    if (gate >= 0) {
        text_add(&decider, gate_table[gate].name);
        list_item(&x->gates, gate_table[gate].name);
    }
    index_system(&system, scenario_source(s) == NULL ? "" : scenario_source(s));
    attribute(t, "gate", &x->gates);
    attribute(t, "decided", &decider);
    attribute(t, "verdict", &x->words);
    attribute(t, "system", &system);
    text_done(t, &decider);
    text_done(t, &system);
}

static void cell(struct text *t, const char *string)
{
    text_add(t, "</td><td>");
    html_text(t, string == NULL ? "" : string);
}

void index_add(struct index *x, const struct scenario *s, const char *name)
{
    struct index_row *row = new_row(x, name);
    if (row == NULL)
        return;
    struct text *t = &row->html;
    int32_t gate = scenario_decided_by(s);
    text_add(t, "<tr");
    attributes(x, t, s);
    text_add(t, "><td><a href=\"");
    html_link(t, name);
    text_add(t, "\">");
    html_text(t, scenario_title(s));
    text_add(t, "</a>");
    if (scenario_lesson(s) != NULL) {
        text_add(t, "<p>");
        html_text(t, scenario_lesson(s));
        text_add(t, "</p>");
    }
    text_add(t, "</td><td><ul>");
    text_bytes(t, x->verdicts.n > 0 ? x->verdicts.bytes : "", x->verdicts.n);
    text_add(t, "</ul>");
    cell(t, gate >= 0 ? gate_table[gate].name : "");
    cell(t, scenario_source(s));
    text_add(t, "</td></tr>\n");
    x->cases += x->its_cases;
    x->unexpected += x->its_unexpected;
    x->failed = x->failed || x->verdicts.failed || x->gates.failed || x->words.failed;
}

void index_also(struct index *x, const char *link, const char *words)
{
    text_add(&x->also, "<li><a href=\"");
    html_link(&x->also, link);
    text_add(&x->also, "\">");
    html_text(&x->also, words);
    text_add(&x->also, "</a></li>\n");
    x->failed = x->failed || x->also.failed;
}

void index_free(struct index *x)
{
    text_free(&x->also);
    for (uint32_t i = 0; i < x->n; i++)
        text_free(&x->row[i].html);
    free(x->row);
    text_free(&x->verdicts);
    text_free(&x->gates);
    text_free(&x->words);
    memset(x, 0, sizeof *x);
}

/* --- the page ---------------------------------------------------------------------------------------------------- */

/* How much of a name is its folder: up to its last '/'. */
static size_t folder_of(const char *name)
{
    const char *last = strrchr(name, '/');
    return last == NULL ? 0 : (size_t)(last - name);
}

/* By folder, those without one first; then by name. */
static int compare(const void *left, const void *right)
{
    const struct index_row *a = left, *b = right;
    size_t m = folder_of(a->name), n = folder_of(b->name);
    int folders = memcmp(a->name, b->name, m < n ? m : n);
    if (folders != 0)
        return folders;
    if (m != n)
        return m < n ? -1 : 1;
    int names = strcmp(a->name, b->name);
    return names != 0 ? names : a->order < b->order ? -1 : a->order > b->order;
}

static void put_head(struct text *t, const struct index *x)
{
    html_head(t, "Scenarios");
    text_bytes(t, (const char *)embedded_page_css, embedded_page_css_n);
    text_add(t, "</style>\n</head>\n<body class=\"index\">\n<header>\n<h1>Scenarios</h1>\n<p>");
    text_count(t, x->n, "scenario", "scenarios");
    text_add(t, ", ");
    text_count(t, x->cases, "case", "cases");
    text_add(t, ": ");
    if (x->unexpected == 0) {
        text_add(t, "all as expected");
    } else {
        text_u64(t, x->unexpected);
        text_add(t, " not as expected");
    }
    text_add(
        t, ".</p>\n<p>Each tells of a lease, a lock, a quorum or a queue, and of what goes wrong. A case is one run of "
           "it, with every gate, a protection that has a name, or without some.</p>\n");
    if (x->also.n > 0) {
        text_add(t, "<nav><ul>\n");
        text_bytes(t, x->also.bytes, x->also.n);
        text_add(t, "</ul></nav>\n");
    }
    text_add(t, "</header>\n<form id=\"filters\" hidden></form>\n<p id=\"shown\" role=\"status\"></p>\n<main>\n");
}

static void put_section(struct text *t, const char *name, size_t n)
{
    text_add(t, "<section>\n<h2>");
    html_bytes(t, n > 0 ? name : "scenarios", n > 0 ? n : strlen("scenarios"));
    text_add(t, "</h2>\n<table><thead><tr><th scope=\"col\">Scenario</th><th scope=\"col\">Cases</th>"
                "<th scope=\"col\">Decided by</th><th scope=\"col\">Source</th></tr></thead><tbody>\n");
}

void index_end(struct index *x, struct text *out)
{
    if (x->n > 0)
        qsort(x->row, x->n, sizeof *x->row, compare);
    put_head(out, x);
    for (uint32_t i = 0; i < x->n; i++) {
        size_t n = folder_of(x->row[i].name);
        bool first = i == 0 || folder_of(x->row[i - 1].name) != n || memcmp(x->row[i - 1].name, x->row[i].name, n) != 0;
        if (first && i > 0)
            text_add(out, "</tbody></table>\n</section>\n");
        if (first)
            put_section(out, x->row[i].name, n);
        text_bytes(out, x->row[i].html.n > 0 ? x->row[i].html.bytes : "", x->row[i].html.n);
        out->failed = out->failed || x->row[i].html.failed;
    }
    text_add(out, x->n > 0 ? "</tbody></table>\n</section>\n" : "");
    text_add(out, "</main>\n<script>\n");
    text_bytes(out, (const char *)embedded_index_js, embedded_index_js_n);
    text_add(out, "</script>\n</body>\n</html>\n");
    out->failed = out->failed || x->failed;
}
