/* SPDX-License-Identifier: MIT
 *
 * page.c - see page.h.
 */
#include "reports/page.h"
#include "reports/export.h"

#include "reports/embedded.h"
#include "reports/html.h"

#include <string.h>

uint32_t page_share(const uint32_t *records, uint32_t n, uint32_t events)
{
    uint32_t low = WINDOW_LEAST, high = events > WINDOW_LEAST ? events : WINDOW_LEAST;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += records[i] < middle ? records[i] : middle;
        if (sum <= events)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

size_t page_bytes(const struct page *p)
{
    return p->summary.n + p->sections.n + p->data.n + (p->why == NULL ? 0 : p->why->n);
}

void page_begin(struct page *p, const struct outcome_file *file, uint32_t most)
{
    memset(p, 0, sizeof *p);
    p->file = file;
    p->name = export_path(file->path);
    p->index = "";
    p->most = most;
}

void page_free(struct page *p)
{
    text_free(&p->summary);
    text_free(&p->sections);
    text_free(&p->data);
}

/* --- cases ---------------------------------------------------------------------------------------------- */

/* What `decided-by` shows about this case; nothing for the others. */
static void decided(struct text *t, const struct page *p, uint32_t case_index)
{
    const struct decision *d = p->decision;
    if (d == NULL)
        return;
    if (d->how == DECIDED_PUT_BACK && d->failing == (int32_t)case_index) {
        text_add(t, "put back alone, it makes ");
        text_add(t, scenario_case_name(p->file->scenario, case_index));
        text_add(t, " hold");
    } else if (d->how == DECIDED_TAKEN && d->holding == (int32_t)case_index) {
        text_add(t, "taken away, it breaks ");
        text_add(t, scenario_case_name(p->file->scenario, case_index));
    }
}

void page_case(struct page *p, const struct run *r, uint32_t case_index)
{
    struct timeline line;
    struct window w;
    struct text words = {0};
    timeline_make(&line, r);
    window_make(&w, r, p->most);
    decided(&words, p, case_index);
    if (line.failed || w.failed) {
        p->failed = true;
    } else {
        page_data_case(&p->data, p->file, &line, &w, text_c(&words));
        page_static_summary(&p->summary, r, p->added);
        page_static_section(&p->sections, p->file, &line, &w, p->added);
    }
    p->added++;
    text_done(&p->data, &words);
    window_free(&w);
    timeline_free(&line);
}

/* --- the page ------------------------------------------------------------------------------------------------ */

static void embed(struct text *t, const unsigned char *bytes, size_t n) { text_bytes(t, (const char *)bytes, n); }

static void put_head(struct text *t, const struct page *p)
{
    html_head(t, scenario_title(p->file->scenario));
    embed(t, embedded_page_css, embedded_page_css_n);
    embed(t, embedded_viewer_css, embedded_viewer_css_n);
    text_add(t, "</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<div id=\"static\">\n");
}

static const char *or_nothing(const char *s) { return s == NULL ? "" : s; }

static void paragraph(struct text *t, const char *before, const char *string)
{
    if (string == NULL)
        return;
    text_add(t, before);
    html_text(t, string);
    text_add(t, "</p>\n");
}

static void put_decider(struct text *t, const struct page *p)
{
    int32_t gate = scenario_decided_by(p->file->scenario);
    if (gate < 0)
        return;
    text_add(t, "<p>Decided by <b>");
    text_add(t, gate_table[gate].name);
    text_add(t, "</b>: ");
    html_text(t, gate_table[gate].with);
    text_add(t, ". Without it: ");
    html_text(t, gate_table[gate].without);
    text_add(t, ".</p>\n");
}

static void put_title(struct text *t, const struct page *p)
{
    text_add(t, "<header>\n<p>");
    if (p->index[0] != '\0') {
        text_add(t, "<a href=\"");
        html_link(t, p->index);
        text_add(t, "\">All scenarios</a>: ");
    }
    html_text(t, p->name);
    text_add(t, "</p>\n<h1>");
    html_text(t, scenario_title(p->file->scenario));
    text_add(t, "</h1>\n");
    paragraph(t, "<p class=\"lesson\">", scenario_lesson(p->file->scenario));
    paragraph(t, "<p>Source: ", scenario_source(p->file->scenario));
    put_decider(t, p);
    text_add(t, "</header>\n<noscript><p>With scripts this page draws the run as a timeline. It asks for nothing but "
                "itself.</p></noscript>\n");
}

/* The line of the file that begins at *at, which moves on behind it; NULL: the file is over. */
static const char *next_line(const struct page *p, size_t *at, size_t *n)
{
    const char *line = p->file->source + *at;
    size_t left = p->file->n - *at;
    const char *end = left == 0 ? NULL : memchr(line, '\n', left);
    *n = end == NULL ? left : (size_t)(end - line);
    *at += *n + (end != NULL);
    *n -= *n > 0 && line[*n - 1] == '\r';
    return left == 0 ? NULL : line;
}

static void put_static(struct text *t, const struct page *p)
{
    put_title(t, p);
    text_add(t, "<table><caption>Verdicts</caption><thead><tr><th scope=\"col\">Case</th><th scope=\"col\">Gates</th>"
                "<th scope=\"col\">Verdict</th><th scope=\"col\">Expected</th><th scope=\"col\">What broke</th></tr>"
                "</thead><tbody>\n");
    text_bytes(t, p->summary.n > 0 ? p->summary.bytes : "", p->summary.n);
    text_add(t, "</tbody></table>\n");
    text_bytes(t, p->sections.n > 0 ? p->sections.bytes : "", p->sections.n);
    text_add(t, "<section>\n<h2>The scenario</h2>\n<pre>");
    size_t n, at = 0;
    for (const char *line = next_line(p, &at, &n); line != NULL; line = next_line(p, &at, &n)) {
        html_bytes(t, line, n);
        text_char(t, '\n');
    }
    text_add(t, "</pre>\n</section>\n</div>\n");
}

static void put_lines(struct text *t, const struct page *p)
{
    size_t n, at = 0;
    text_key(t, "lines");
    text_char(t, '[');
    for (const char *line = next_line(p, &at, &n); line != NULL; line = next_line(p, &at, &n)) {
        text_comma(t);
        text_json_bytes(t, line, n);
    }
    text_char(t, ']');
}

static void put_key(struct text *t, const char *key, const char *string)
{
    text_key(t, key);
    text_json(t, string);
}

static void data(struct text *t, const struct page *p)
{
    const struct scenario *s = p->file->scenario;
    struct text name = {0};
    int32_t gate = scenario_decided_by(s);
    html_visible(&name, p->name, strlen(p->name));
    text_char(t, '{');
    text_key(t, "v");
    text_u64(t, 1);
    put_key(t, "file", text_c(&name));
    put_key(t, "index", p->index);
    put_key(t, "title", scenario_title(s));
    put_key(t, "source", or_nothing(scenario_source(s)));
    put_key(t, "lesson", or_nothing(scenario_lesson(s)));
    put_key(t, "decidedBy", gate < 0 ? "" : gate_table[gate].name);
    put_lines(t, p);
    text_key(t, "cases");
    text_char(t, '[');
    text_bytes(t, p->data.n > 0 ? p->data.bytes : "", p->data.n);
    text_add(t, "]}");
    text_done(t, &name);
}

void page_end(struct page *p, struct text *out)
{
    struct text json = {0};
    put_head(out, p);
    put_static(out, p);
    if (p->why != NULL && p->why->n > 0) {
        text_add(out, "<div id=\"why\" class=\"spoils\">\n");
        text_bytes(out, p->why->bytes, p->why->n);
        text_add(out, "</div>\n");
    }
    text_add(out, "<script type=\"application/json\" id=\"run\">");
    data(&json, p);
    html_json(out, &json);
    text_add(out, "</script>\n<script>\n");
    embed(out, embedded_viewer_js, embedded_viewer_js_n);
    text_add(out, "</script>\n</body>\n</html>\n");
    out->failed = out->failed || p->failed || p->data.failed || p->summary.failed || p->sections.failed;
    text_done(out, &json);
}
