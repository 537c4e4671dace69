/* SPDX-License-Identifier: MIT
 *
 * lesson_page.c - see lesson_page.h.
 */
#include "reports/lesson_page.h"

#include "reports/embedded.h"
#include "reports/html.h"
#include "reports/line.h"
#include "reports/page.h"
#include "reports/problem.h"
#include "reports/prose.h"
#include "reports/verdict.h"

#include <string.h>

#define EVENTS_SHOWN 60u /* of what comes behind the first question; the page of the run has all */

/* --- parts --------------------------------------------------------------------------------------------------- */

void lesson_page_head(struct text *t, const char *what, const char *title, const char *all)
{
    struct text both = {0};
    text_add(&both, what);
    text_add(&both, title);
    html_head(t, text_c(&both));
    text_bytes(t, (const char *)embedded_page_css, embedded_page_css_n);
    text_add(t, "</style>\n</head>\n<body class=\"lesson\">\n<header>\n<nav>");
    if (all != NULL) {
        text_add(t, "<a href=\"");
        html_link(t, all);
        text_add(t, "\">All lessons</a>");
    }
    text_add(t, "</nav>\n<h1>");
    html_text(t, text_c(&both));
    text_add(t, "</h1>\n</header>\n");
    text_done(t, &both);
}

static void put_link(struct text *t, const char *name, const char *behind, const char *words)
{
    text_add(t, "<a href=\"");
    html_link(t, name);
    text_add(t, behind);
    text_add(t, "\">");
    html_text(t, words);
    text_add(t, "</a>");
}

static void put_source(struct text *t, const struct lesson_page *x)
{
    if (scenario_source(x->file->scenario) == NULL)
        return;
    text_add(t, "<p class=\"source\">");
    html_text(t, scenario_source(x->file->scenario));
    text_add(t, ". Times, tokens and names that the report does not give are ours.</p>\n");
}

/* fencepost WORDS PATH */
static void put_command(struct text *t, const struct lesson_page *x, const char *words)
{
    struct text command = {0};
    text_add(&command, "fencepost ");
    text_add(&command, words);
    text_add(&command, x->path[0] == '-' ? " -- " : " ");
    text_shell(&command, x->path);
    html_bytes(t, command.n > 0 ? command.bytes : "", command.n);
    text_char(t, '\n');
    text_done(t, &command);
}

/* Whoever edits the file itself has no lesson left, and a library that is installed cannot be edited. */
static void put_copy(struct text *t, const struct lesson_page *x)
{
    struct text command = {0};
    text_add(&command, x->path[0] == '-' ? "cp -- " : "cp ");
    text_shell(&command, x->path);
    html_bytes(t, command.n > 0 ? command.bytes : "", command.n);
    text_add(t, " mine.fence\n");
    text_done(t, &command);
}

/* The line of the file without its indentation. */
static const char *bare_line(const struct lesson_page *x, uint32_t number, size_t *n)
{
    const char *line = problem_source_line(x->file->source, x->file->n, number, n);
    for (; *n > 0 && *line == ' '; --*n)
        line++;
    return line == NULL ? "" : line;
}

/* --- the file -------------------------------------------------------------------------------------------------- */

static void add_gate(struct text *t, const char *word)
{
    text_add(t, t->n > 0 ? ", " : "");
    text_add(t, word);
}

/* "Without store-token."; which gates are off in the case that stays as it is, for its line is not shown. */
static void put_gates(struct text *t, const struct lesson_page *x)
{
    struct text gates = {0};
    page_removed(x->before->c, false, add_gate, &gates);
    text_add(t, "<p>");
    text_add(t, gates.n == 0 ? "Every gate is on." : "Without ");
    html_bytes(t, gates.n > 0 ? gates.bytes : "", gates.n);
    text_add(t, gates.n == 0 ? "</p>\n" : "; every other gate is on.</p>\n");
    text_done(t, &gates);
}

static void put_line(struct text *t, const char *line, size_t n, bool marked)
{
    size_t indent = 0;
    while (indent < n && line[indent] == ' ')
        indent++;
    text_bytes(t, line, indent);
    text_add(t, marked ? "<mark>" : "");
    html_bytes(t, line + indent, n - indent);
    text_add(t, marked ? "</mark>\n" : "\n");
}

/* What exists, what each node does, and what goes wrong: not what comes of it. */
static void put_file(struct text *t, const struct lesson_page *x)
{
    const struct scenario *s = x->file->scenario;
    size_t n = 0;
    bool blank = false, any = false; /* an empty line is due, where one stands between two lines */
    text_add(t, "<pre>");
    for (uint32_t i = 1;; i++) {
        const char *line = problem_source_line(x->file->source, x->file->n, i, &n);
        if (line == NULL)
            break;
        if (!scenario_line_tells(s, i))
            continue;
        if (n > 0) {
            text_add(t, blank && any ? "\n" : "");
            put_line(t, line, n, i == scenario_change(s));
        }
        blank = n == 0;
        any = any || n > 0;
    }
    text_add(t, "</pre>\n");
    put_gates(t, x);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static ns first_question(const struct run *r)
{
    ns at = NS_NEVER;
    for (uint32_t i = 0; i < r->c->n_asks; i++)
        at = r->c->asks[i].at < at ? r->c->asks[i].at : at;
    return at;
}

/* Those from `from` on and before `to`; at most so many. */
static void put_events(struct text *t, const struct run *r, ns from, ns to, uint32_t most)
{
    const struct sim_plan *plan = &r->c->sim;
    uint32_t n, shown = 0;
    const struct record *records = sim_trace(r->sim, &n);
    text_add(t, "<table><thead><tr><th scope=\"col\">Time<th scope=\"col\">Who<th scope=\"col\">What</thead><tbody>\n");
    for (uint32_t i = 0; i < n; i++) {
        if (records[i].at < from || records[i].at >= to || line_is_note(plan, &records[i]))
            continue;
        if (++shown > most)
            continue;
        text_add(t, "<tr><td>");
        text_time(t, records[i].at);
        text_add(t, "<td>");
        html_text(t, line_name(plan, records[i].actor));
        text_add(t, "<td>");
        page_event(t, plan, &records[i]);
        text_char(t, '\n');
    }
    text_add(t, "</tbody></table>\n");
    if (shown <= most)
        return;
    text_add(t, "<p>And ");
    text_u64(t, shown - most);
    text_add(t, " more, which the page of the run has.</p>\n");
}

/* --- questions ----------------------------------------------------------------------------------- */

/* With its choices, and without the answer. */
static void put_question(struct text *t, const struct lesson_page *x, uint32_t i)
{
    const struct compiled *c = x->before->c;
    const struct ask *ask = &c->asks[i];
    text_add(t, "<li><p>At ");
    text_time(t, ask->at);
    text_add(t, ": ");
    html_text(t, line_name(&c->sim, ask->question));
    text_add(t, "</p>\n<ul class=\"choices\">\n");
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        text_add(t, "<li>");
        html_text(t, line_name(&c->sim, c->choices[ask->first_choice + k].text));
        text_add(t, "</li>\n");
    }
    text_add(t, "</ul></li>\n");
}

static void put_questions(struct text *t, const struct lesson_page *x)
{
    text_add(t, "<ol class=\"questions\">\n");
    for (uint32_t i = 0; i < x->before->c->n_asks; i++)
        put_question(t, x, i);
    text_add(t, "</ol>\n");
}

/* --- the page to read ---------------------------------------------------------------------------- */

static void put_heading(struct text *t, const struct lesson_page *x, const char *heading)
{
    text_add(t, "<h2>");
    text_add(t, heading);
    text_add(t, "</h2>\n");
    prose_add(t, x->words, x->n_words, heading);
}

static void put_predict(struct text *t, const struct lesson_page *x)
{
    put_heading(t, x, "Predict");
    put_file(t, x);
    put_questions(t, x);
    text_add(t, "<p>On paper: ");
    put_link(t, x->worksheet, "", "the worksheet");
    text_add(t, ". On the screen: ");
    put_link(t, x->run, "#predict=1", "the timeline, which asks first");
    text_add(t, ".</p>\n");
}

static void put_run(struct text *t, const struct lesson_page *x)
{
    struct text trace = {0};
    text_add(&trace, "trace --case ");
    text_shell(&trace, x->before->c->name);
    put_heading(t, x, "Run");
    text_add(t, "<pre>");
    put_command(t, x, "run");
    put_command(t, x, text_c(&trace));
    text_done(t, &trace);
    text_add(t, "</pre>\n<p>Or look at ");
    put_link(t, x->run, "", "the timeline");
    text_add(t, ".</p>\n");
}

static void put_change(struct text *t, const struct lesson_page *x)
{
    size_t n;
    const char *line = bare_line(x, scenario_change(x->file->scenario), &n);
    put_heading(t, x, "Change one line");
    text_add(t, "<pre>");
    put_line(t, line, n, true);
    text_add(t, "</pre>\n<p>It is line ");
    text_u64(t, scenario_change(x->file->scenario));
    text_add(t, ". Change it, and no other, in a copy of the file; the grader says whether that was it.</p>\n<pre>");
    put_copy(t, x);
    text_add(t, "fencepost run --grade mine.fence\n</pre>\n");
}

static void put_reach(struct text *t, const struct lesson_page *x)
{
    struct text words = {0}, prose = {0};
    if (scenario_reach(x->file->scenario) == NULL)
        return;
    prose_add(&prose, x->words, x->n_words, "Reach");
    text_add(t, "<h2>Reach</h2>\n");
    text_bytes(t, prose.n > 0 ? prose.bytes : "", prose.n);
    if (prose.n == 0) {
        text_add(t, "<p>");
        html_text(t, scenario_reach_words(x->file->scenario));
        text_add(t, "</p>\n");
    }
    text_done(t, &prose);
    text_add(t, "<pre>");
    text_add(&words, "fuzz --reach ");
    text_add(&words, scenario_reach(x->file->scenario));
    put_command(t, x, text_c(&words));
    text_add(t, "</pre>\n");
    text_done(t, &words);
}

void lesson_page_read(struct text *t, const struct lesson_page *x)
{
    lesson_page_head(t, "", scenario_title(x->file->scenario), x->all);
    text_add(t, "<main>\n");
    prose_add(t, x->words, x->n_words, NULL);
    put_source(t, x);
    put_predict(t, x);
    put_run(t, x);
    put_change(t, x);
    put_reach(t, x);
    if (scenario_lesson(x->file->scenario) != NULL) {
        text_add(t, "<h2>What to keep</h2>\n<p>");
        html_text(t, scenario_lesson(x->file->scenario));
        text_add(t, "</p>\n");
    }
    text_add(t, "</main>\n");
}

void lesson_page_end(struct text *t, const char *next, const char *next_title)
{
    if (next != NULL) {
        text_add(t, "<nav>Next: ");
        put_link(t, next, "", next_title);
        text_add(t, "</nav>\n");
    }
    text_add(t, "</body>\n</html>\n");
}

/* --- the worksheet ------------------------------------------------------------------------------- */

/* Room to write in. */
static void put_room(struct text *t, const char *label, uint32_t lines)
{
    text_add(t, "<p class=\"room\">");
    text_add(t, label);
    text_add(t, "</p>\n");
    for (uint32_t i = 0; i < lines; i++)
        text_add(t, "<div class=\"rule\"></div>\n");
}

void lesson_page_worksheet(struct text *t, const struct lesson_page *x)
{
    lesson_page_head(t, "Worksheet: ", scenario_title(x->file->scenario), x->all);
    text_add(t, "<main>\n");
    put_room(t, "Name", 1);
    prose_add(t, x->words, x->n_words, NULL);
    text_add(t, "<h2>The scenario</h2>\n");
    put_file(t, x);
    text_add(t, "<h2>What has happened so far</h2>\n");
    put_events(t, x->before, 0, first_question(x->before), UINT32_MAX);
    text_add(t, "<h2>Predict</h2>\n");
    put_questions(t, x);
    put_room(t, "Why?", 2);
    text_add(t, "<h2>Then run it</h2>\n<pre>");
    put_command(t, x, "run");
    text_add(t, "</pre>\n");
    put_room(t, "Where did the run part from what you had thought?", 2);
    text_add(t, "<h2>Change one line</h2>\n<pre>");
    size_t n;
    const char *line = bare_line(x, scenario_change(x->file->scenario), &n);
    put_line(t, line, n, false);
    text_add(t, "</pre>\n");
    put_room(t, "The line, as it should be", 1);
    put_room(t, "What does the case say now, and which of your answers has changed?", 2);
    text_add(t, "</main>\n</body>\n</html>\n");
}

/* --- the answers --------------------------------------------------------------------------------- */

static void put_answer(struct text *t, const struct run *r, uint32_t i)
{
    uint32_t k = r == NULL || i >= r->c->n_asks ? NONE32 : run_answer(r, i);
    text_add(t, "<td>");
    html_text(t, k == NONE32 ? "" : line_name(&r->c->sim, r->c->choices[k].text));
}

static void put_answers(struct text *t, const struct lesson_page *x)
{
    const struct compiled *c = x->before->c;
    text_add(t, "<table><thead><tr><th scope=\"col\">Question<th scope=\"col\">As it happened");
    text_add(t, x->mended != NULL ? "<th scope=\"col\">Mended</thead><tbody>\n" : "</thead><tbody>\n");
    for (uint32_t i = 0; i < c->n_asks; i++) {
        text_add(t, "<tr><td>");
        html_text(t, line_name(&c->sim, c->asks[i].question));
        put_answer(t, x->before, i);
        if (x->mended != NULL)
            put_answer(t, x->mended, i);
        text_char(t, '\n');
    }
    text_add(t, "</tbody></table>\n");
}

static void put_violations(struct text *t, const struct run *r)
{
    text_add(t, "<ul>\n");
    for (uint32_t i = 0; i < r->n_violations; i++) {
        struct text s = {0};
        verdict_sentence(&s, r, &r->violation[i]);
        text_add(t, "<li>");
        text_add(t, r->role[i] == ROLE_WARNING ? "sign " : "");
        text_add(t, invariant_table[r->violation[i].invariant].name);
        text_add(t, ": ");
        html_bytes(t, s.n > 0 ? s.bytes : "", s.n);
        text_add(t, "</li>\n");
        text_done(t, &s);
    }
    text_add(t, "</ul>\n");
}

static void put_digest(struct text *t, const char *before, const struct run *r)
{
    text_add(t, before);
    text_digest(t, r->digest);
    text_add(t, ".</p>\n");
}

void lesson_page_answers(struct text *t, const struct lesson_page *x)
{
    lesson_page_head(t, "Answers: ", scenario_title(x->file->scenario), x->all);
    text_add(t, "<main>\n");
    put_answers(t, x);
    text_add(t, "<h2>What broke</h2>\n");
    put_violations(t, x->before);
    text_add(t, "<h2>What happened after the first question</h2>\n");
    put_events(t, x->before, first_question(x->before), NS_NEVER, EVENTS_SHOWN);
    put_digest(t, "<p>The run that stays as it is has the digest ", x->before);
    if (x->mended != NULL) {
        size_t n;
        const char *line = bare_line(x, scenario_change(x->file->scenario), &n);
        text_add(t, "<h2>The line</h2>\n<pre>");
        put_line(t, line, n, false);
        put_line(t, x->key, strlen(x->key), true);
        text_add(t, "</pre>\n<p>Others may be as good: the grader asks what the run does.</p>\n");
        put_digest(t, "<p>With this one it has the digest ", x->mended);
    }
    text_add(t, "</main>\n</body>\n</html>\n");
}
