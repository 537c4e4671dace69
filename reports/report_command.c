/* SPDX-License-Identifier: MIT
 *
 * report_command.c - `fencepost report`: a page for each scenario, and a list of all.
 *
 * A file that is wrong has no page, and the others are written. A case that is not as expected is on its page, which
 * is written all the same. Each file is written whole or not at all; the first that cannot be written ends it.
 */
#include "reports/explain.h"
#include "reports/export.h"
#include "reports/folder.h"
#include "reports/front.h"
#include "reports/index.h"
#include "reports/lesson_report.h"
#include "reports/page.h"
#include "reports/problem.h"
#include "reports/report.h"
#include "reports/words_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report {
    const struct options *o;
    struct folder_names names;
    struct index index;
    struct lesson_report lessons;
    struct words_page words[WORDS_PAGES_MAX];
    bool found; /* some file has the case of --case */
};

/* --- one scenario --------------------------------------------------------------------------------------- */

static bool is_wanted(const struct report *p, const char *case_name)
{
    return p->o->n_cases == 0 || strcmp(p->o->case_name[0], case_name) == 0;
}

static uint32_t count_wanted(const struct report *p, const struct scenario *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scenario_cases(s); i++)
        n += is_wanted(p, scenario_case_name(s, i));
    return n;
}

struct run *report_play(const struct loaded *l, uint32_t i, struct compiled **c, int *status)
{
    const struct run_options plain = {.plain = true};
    *c = front_compile(l, i, 0, 0, status);
    struct run *r = *c == NULL ? NULL : run_case(*c, &plain);
    if (*c != NULL && r == NULL)
        *status = front_worse(*status, front_no_memory());
    return r;
}

/* A line that waits for an event that came in no case is an error of the file. */
static int idle_lines(const struct loaded *l, const struct tally *tally)
{
    struct text t = front_report(2);
    for (uint32_t i = 0; i < tally->n; i++) {
        struct text what = {0};
        if (tally->row[i].fired > 0)
            continue;
        outcome_idle(&what, &tally->row[i]);
        problem_line(&t, l->file.path, l->bytes, l->file.n, tally->row[i].line, text_c(&what));
        text_done(&t, &what);
    }
    int status = t.n == 0 && !t.failed ? STATUS_GOOD : front_worse(STATUS_WRONG, front_put_complaint(&t));
    text_free(&t);
    return status;
}

/* What `decided-by` shows, for the page. */
static int decide(const struct loaded *l, struct decision *d)
{
    static struct diags diags;
    struct text what = {0};
    memset(&diags, 0, sizeof diags);
    replay_decided_by(l->scenario, d, &diags);
    if (d->how == DECIDED_NO_MEMORY)
        return front_no_memory();
    if (d->how == DECIDED_PROBLEM)
        return front_complain_diags(l, l->file.path, &diags);
    if (d->how != DECIDED_NO)
        return STATUS_GOOD;
    outcome_undecided(&what, l->scenario, d);
    front_complain("%s: %s", l->file.path, text_c(&what));
    int status = what.failed ? front_no_memory() : STATUS_FAILED;
    text_free(&what);
    return status;
}

/* What a case comes to: for the list, and for the status. */
static int judge_case(struct report *p, const struct loaded *l, const struct run *r, struct tally *tally)
{
    index_case(&p->index, r);
    if (!tally_add(tally, r))
        return front_no_memory();
    if (r->as_expected)
        return STATUS_GOOD;
    struct text again = {0};
    text_shell(&again, p->o->program);
    text_add(&again, " run --case ");
    text_shell(&again, r->c->name);
    text_add(&again, l->file.path[0] == '-' ? " -- " : " ");
    text_shell(&again, l->file.path);
    front_complain("%s: case %s is not as expected: %s", l->file.path, r->c->name, text_c(&again));
    int status = again.failed ? front_no_memory() : front_status_of(r);
    text_free(&again);
    return status;
}

static bool breaks_always(const struct run *r)
{
    for (uint32_t i = 0; i < r->n_misses; i++)
        if (r->c->expectations[r->misses[i].expectation].when == EXPECT_ALWAYS)
            return true;
    return false;
}

/* What is known of each wanted case when it has been played. */
struct judged {
    uint32_t n;
    uint32_t *records; /* how many it has */
    bool *broke;       /* whether a rule broke that counts */
};

/* Plays every wanted case once. False: there is to be no page. */
static bool judge(struct report *p, const struct loaded *l, struct judged *judged, int *status)
{
    struct tally tally = {0};
    int idle = STATUS_GOOD;
    bool good = true;
    index_begin(&p->index);
    for (uint32_t i = 0; i < scenario_cases(l->scenario) && good; i++) {
        struct compiled *c = NULL;
        if (!is_wanted(p, scenario_case_name(l->scenario, i)))
            continue;
        struct run *r = report_play(l, i, &c, status);
        good = r != NULL;
        if (good) {
            *status = front_worse(*status, judge_case(p, l, r, &tally));
            judged->broke[judged->n] = r->verdict == VERDICT_VIOLATES || breaks_always(r);
            (void)sim_trace(r->sim, &judged->records[judged->n++]);
        }
        run_free(r);
        compiled_free(c);
    }
    if (good && p->o->n_cases == 0)
        idle = idle_lines(l, &tally);
    *status = front_worse(*status, idle);
    tally_free(&tally);
    return good && idle == STATUS_GOOD && *status < STATUS_BROKEN;
}

int report_put(const struct options *o, const char *name, struct text *t)
{
    int error = folder_write(o->output, name, t);
    if (error == 0)
        return STATUS_GOOD;
    if (t->failed)
        return front_no_memory();
    front_complain("cannot write %s/%s: %s", o->output, name, strerror(error));
    return STATUS_BROKEN;
}

void report_link(struct text *t, const char *from, const char *to)
{
    for (; *from != '\0'; from++)
        text_add(t, *from == '/' ? "../" : "");
    text_add(t, to);
}

static int write_page(struct report *p, const struct loaded *l, struct page *page, const char *name)
{
    struct text up = {0}, t = {0};
    report_link(&up, name, "index.html");
    page->index = text_c(&up);
    page_end(page, &t);
    text_done(&t, &up);
    int status = report_put(p->o, name, &t);
    text_free(&t);
    if (status != STATUS_GOOD)
        return status;
    index_add(&p->index, l->scenario, name);
    return p->index.failed ? front_no_memory() : STATUS_GOOD;
}

/* Plays every wanted case again, and puts it on the page. To play twice is cheaper than to keep. */
static int draw(const struct report *p, const struct loaded *l, struct page *page)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < scenario_cases(l->scenario) && status == STATUS_GOOD; i++) {
        struct compiled *c = NULL;
        if (!is_wanted(p, scenario_case_name(l->scenario, i)))
            continue;
        struct run *r = report_play(l, i, &c, &status);
        if (r != NULL)
            page_case(page, r, i);
        run_free(r);
        compiled_free(c);
    }
    return page->failed ? front_no_memory() : status;
}

/* Why a case broke. */
static int explain(const struct report *p, const struct loaded *l, uint32_t i, uint32_t number, struct text *why)
{
    static struct diags diags;
    static const struct change none;
    struct outcome_file file = l->file;
    memset(&diags, 0, sizeof diags);
    struct explanation *x = explain_new(l->scenario, i, &none, &diags);
    if (x == NULL)
        return front_complain_diags(l, l->file.path, &diags);
    struct telling k;
    file.path = export_path(file.path);
    telling_make(&k, x, &file, p->o, "fencepost");
    explain_page(why, &k, number);
    int status = k.failed || why->failed ? front_no_memory() : STATUS_GOOD;
    telling_free(&k);
    explain_free(x);
    return status;
}

/* Of every wanted case that broke. */
static int explain_all(const struct report *p, const struct loaded *l, const struct judged *judged, struct text *why)
{
    uint32_t number = 0;
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < scenario_cases(l->scenario) && status == STATUS_GOOD; i++) {
        if (!is_wanted(p, scenario_case_name(l->scenario, i)))
            continue;
        if (judged->broke[number])
            status = explain(p, l, i, number, why);
        number++;
    }
    return status;
}

/* Draws, with fewer events each time, until the page is small enough, and writes it. */
static int draw_to_size(struct report *p, const struct loaded *l, const char *name, const struct decision *decision,
                        const struct text *why, const struct judged *judged)
{
    uint32_t events = PAGE_EVENTS;
    for (;;) {
        struct page page;
        uint32_t most = page_share(judged->records, judged->n, events);
        page_begin(&page, &l->file, most);
        page.decision = decision;
        page.why = why;
        int status = draw(p, l, &page);
        size_t bytes = page_bytes(&page);
        bool good = bytes <= PAGE_BYTES || most == WINDOW_LEAST;
        if (status == STATUS_GOOD && good)
            status = write_page(p, l, &page, name);
        page_free(&page);
        if (status != STATUS_GOOD || good)
            return status;
        events = (uint32_t)((uint64_t)events * PAGE_BYTES / bytes * 31 / 32);
    }
}

static int report_judged(struct report *p, const struct loaded *l, const char *name, struct judged *judged)
{
    struct decision decision = {.how = DECIDED_UNSAID};
    struct text why = {0};
    int status = STATUS_GOOD;
    bool good = judge(p, l, judged, &status);
    if (good && p->o->n_cases == 0)
        status = front_worse(status, decide(l, &decision));
    good = good && decision.how != DECIDED_PROBLEM;
    if (good && status < STATUS_BROKEN)
        status = front_worse(status, explain_all(p, l, judged, &why));
    if (good && status < STATUS_BROKEN)
        status = front_worse(status, draw_to_size(p, l, name, &decision, &why, judged));
    text_free(&why);
    return status;
}

static int report_scenario(struct report *p, const struct loaded *l, const char *name)
{
    uint32_t n = scenario_cases(l->scenario) + 1;
    struct judged judged = {0, calloc(n, sizeof *judged.records), calloc(n, sizeof *judged.broke)};
    bool memory = judged.records != NULL && judged.broke != NULL;
    int status = memory ? report_judged(p, l, name, &judged) : front_no_memory();
    free(judged.records);
    free(judged.broke);
    return status;
}

static int report_file(struct report *p, const char *root, const char *path)
{
    struct loaded l;
    int status = front_load(&l, path, p->o);
    if (status != STATUS_GOOD)
        return status;
    if (count_wanted(p, l.scenario) > 0) {
        const char *name = folder_name(&p->names, root, path);
        p->found = true;
        status = name == NULL ? front_no_memory() : report_scenario(p, &l, name);
        if (status < STATUS_WRONG && p->o->n_cases == 0 && scenario_to_mend(l.scenario) >= 0)
            status = front_worse(status, lesson_report_add(&p->lessons, &l, root, path, name));
    }
    front_unload(&l);
    return status;
}

/* --- all of them ------------------------------------------------------------------------------------------- */

static int report_operand(struct report *p, const char *operand)
{
    struct files files = {0};
    enum file_problem problem = files_add(&files, operand);
    int status = problem == FILE_OK ? STATUS_GOOD : front_complain_file(operand, problem, files.error);
    for (size_t i = 0; problem == FILE_OK && i < files.n && status < STATUS_BROKEN; i++)
        status = front_worse(status, report_file(p, operand, files.path[i]));
    files_free(&files);
    return status;
}

/* What else there is, on top of the list: lessons first, then pages of words, then what --see names. */
static void add_links(struct report *p)
{
    struct text lessons = {0};
    if (p->lessons.n > 0) {
        text_count(&lessons, p->lessons.n, "lesson", "lessons");
        index_also(&p->index, LESSON_LIST, text_c(&lessons));
    }
    for (uint32_t i = 0; i < p->o->n_words; i++)
        index_also(&p->index, p->words[i].name, text_c(&p->words[i].title));
    for (uint32_t i = 0; i < p->o->n_links; i++)
        index_also(&p->index, p->o->link[i].link, p->o->link[i].words);
    p->index.failed = p->index.failed || lessons.failed;
    text_free(&lessons);
}

static int write_index(struct report *p)
{
    struct text t = {0};
    add_links(p);
    index_end(&p->index, &t);
    int status = report_put(p->o, "index.html", &t);
    text_free(&t);
    if (status != STATUS_GOOD || !isatty(2))
        return status;
    struct text said = front_report(2);
    text_count(&said, p->index.n, "page", "pages");
    text_add(&said, " and index.html in ");
    text_shown(&said, p->o->output);
    text_char(&said, '\n');
    status = front_put_complaint(&said);
    text_free(&said);
    return status;
}

int command_report(const struct options *o)
{
    struct report p = {.o = o, .lessons = {.o = o, .names = &p.names}};
    int status = STATUS_GOOD;
    if (o->output == NULL || o->output[0] == '\0') {
        front_complain("report takes a folder to write to: fencepost report -o DIR FILE...");
        return STATUS_WRONG;
    }
    if (!folder_take(&p.names, "index.html") || !folder_take(&p.names, LESSON_LIST))
        status = front_no_memory();
    if (status == STATUS_GOOD)
        status = words_pages_write(o, &p.names, p.words);
    if (status == STATUS_WRONG) {
        words_pages_free(p.words);
        folder_names_free(&p.names);
        return status;
    }
    for (uint32_t i = 0; i < o->n_operands && status < STATUS_BROKEN; i++)
        status = front_worse(status, report_operand(&p, o->operand[i]));
    if (o->n_cases > 0 && !p.found && status == STATUS_GOOD) {
        front_complain("no file has a case '%s'", o->case_name[0]);
        status = STATUS_WRONG;
    }
    if (status < STATUS_BROKEN)
        status = front_worse(status, lesson_report_end(&p.lessons));
    if (status < STATUS_BROKEN && p.index.n > 0)
        status = front_worse(status, write_index(&p));
    words_pages_free(p.words);
    lesson_report_free(&p.lessons);
    index_free(&p.index);
    folder_names_free(&p.names);
    return status;
}
