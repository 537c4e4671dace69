/* SPDX-License-Identifier: MIT
 *
 * outcome.c - see outcome.h. A case that went as expected is one line. One that did not says each
 * thing that is not as it was stated, and shows for each failed expectation its line, what was
 * found instead, and the trace around that.
 */
#include "reports/outcome.h"

#include "reports/line.h"
#include "reports/problem.h"
#include "reports/verdict.h"

#include <string.h>

#define INDENT 4
#define LINES_BEFORE 3 /* of the trace, up to the record that matters */
#define LINES_AFTER 2
#define MISSES_SHOWN 10 /* of a case */

/* --- what was found ------------------------------------------------------------------------ */

/* job "invoice-42" was running, by w1 */
static void found_job(struct text *t, const struct run *r, uint16_t job, struct value v)
{
    static const char *const phase[] = {"absent", "waiting", "running", "completed", "dead"};
    static const char *const by[] = {"", "", ", by ", " by ", ", last run by "};
    const struct sim_plan *sim = &r->c->sim;
    text_add(t, "job ");
    text_quoted(t, line_name(sim, r->c->model.jobs[job].name));
    text_add(t, " was ");
    text_add(t, phase[found_phase(v)]);
    if (found_process(v) == NONE32)
        return;
    text_add(t, by[found_phase(v)]);
    text_shown(t, line_name(sim, sim->processes[found_process(v)].name));
}

/* leader, job "invoice-42", jobs/42 */
static void resource_text(struct text *t, const struct model_plan *plan, uint16_t resource)
{
    text_add(t, is_job(plan, resource) ? "job " : "");
    text_shown(t, line_name(plan->sim, resource_name(plan, resource)));
}

/* w1 did not hold leader */
static void found_belief(struct text *t, const struct run *r, const struct expr_op *op, bool yes)
{
    const struct sim_plan *sim = &r->c->sim;
    text_add(t, line_name(sim, sim->processes[op->imm].name));
    text_add(t, op->code == EX_HOLDS ? yes ? " held " : " did not hold "
                : yes                ? " believed that it holds "
                                     : " did not believe that it holds ");
    resource_text(t, &r->c->model, op->arg);
}

static void found_leaf(struct text *t, const struct run *r, const struct found *found)
{
    const struct model_plan *plan = &r->c->model;
    const struct sim_plan *sim = &r->c->sim;
    const struct expr_op *op = &plan->exprs[found->op];
    switch (op->code) {
    case EX_REGISTER: text_add(t, line_name(sim, plan->registers[op->arg].name)); break;
    case EX_CELL: text_add(t, line_name(sim, plan->cells[op->arg].name)); break;
    case EX_MARK:
        text_add(t, line_name(sim, plan->stores[op->arg].name));
        text_add(t, ".token");
        break;
    case EX_LOCK_TOKEN:
        text_add(t, "token ");
        resource_text(t, plan, op->arg);
        break;
    case EX_JOB: found_job(t, r, op->arg, found->value); return;
    default:
        ASSERT(op->code == EX_HOLDS || op->code == EX_BELIEVES);
        found_belief(t, r, op, found->value.v != 0);
        return;
    }
    text_add(t, " was ");
    line_value(t, sim, found->value);
}

/* " at 13.000s", or " between 3.000s and 23.000s". */
static void when(struct text *t, const struct miss *m)
{
    if (m->from >= 0) {
        text_add(t, " between ");
        text_time(t, m->from);
        text_add(t, " and ");
    } else {
        text_add(t, " at ");
    }
    text_time(t, m->at);
}

static void found_event(struct text *t, const struct run *r, const struct miss *m)
{
    uint32_t n;
    const struct record *records = sim_trace(r->sim, &n);
    const struct record *near = m->near > 0 && m->near <= n ? &records[m->near - 1] : NULL;
    if (m->why == MISS_EVENT) {
        ASSERT(near != NULL);
        text_add(t, "it came at ");
        text_time(t, near->at);
        return;
    }
    text_add(t, m->from >= 0 ? "no such event" : "no such event up to ");
    if (m->from >= 0)
        when(t, m);
    else
        text_time(t, m->at);
    if (near == NULL)
        return;
    text_add(t, "; nearest is \"");
    line_words(t, &r->c->sim, near);
    text_add(t, "\" at ");
    text_time(t, near->at);
}

static void found_leader(struct text *t, const struct run *r, const struct miss *m)
{
    if (m->process != NONE32) {
        text_add(t, line_name(&r->c->sim, r->c->sim.processes[m->process].name));
        text_add(t, " led");
    } else {
        bool negated = r->c->expectations[m->expectation].negated;
        text_add(t, negated ? "nobody led" : "there was a leader, elected by these voters");
    }
    when(t, m);
}

void outcome_found(struct text *t, const struct run *r, const struct miss *m)
{
    switch (m->why) {
    case MISS_NO_EVENT:
    case MISS_EVENT: found_event(t, r, m); return;
    case MISS_LEADER: found_leader(t, r, m); return;
    case MISS_EFFECT:
        text_add(t, "it happened ");
        text_count(t, m->count, "time", "times");
        when(t, m);
        return;
    case MISS_NEVER_CAME:
        text_add(t, "its time never came: the run ended at ");
        text_time(t, m->at);
        text_add(t, r->end == END_HORIZON ? ", its horizon" : "");
        return;
    case MISS_ERROR:
        text_add(t, "it could not be asked: ");
        text_add(t, model_failure_text((enum model_failure)m->failure));
        when(t, m);
        return;
    default: break;
    }
    for (uint32_t i = 0; i < m->n_found; i++) {
        text_add(t, i == 0 ? "" : i + 1 < m->n_found ? ", " : " and ");
        found_leaf(t, r, &m->found[i]);
    }
    text_add(t, m->n_found == 0 ? "it was false" : "");
    when(t, m);
}

/* --- the trace around a record ------------------------------------------------------------------ */

/* Some lines of the trace up to a record, and behind it; notes only if it is one itself. */
static void lines_around(struct text *t, const struct run *r, uint32_t centre, bool mark)
{
    uint32_t n, from = centre, shown = 1;
    const struct record *records = sim_trace(r->sim, &n);
    const struct sim_plan *plan = &r->c->sim;
    for (uint32_t i = centre; i > 0 && shown < LINES_BEFORE; i--) {
        if (!line_is_note(plan, &records[i - 1])) {
            from = i - 1;
            shown++;
        }
    }
    uint32_t line[LINES_BEFORE + LINES_AFTER], lines = 0;
    size_t width = LINE_TIME_WIDTH;
    for (uint32_t i = from, after = 0; i < n && after < LINES_AFTER; i++) {
        if ((i != centre || !mark) && line_is_note(plan, &records[i]))
            continue;
        after += i > centre;
        ASSERT(lines < LINES_BEFORE + LINES_AFTER);
        line[lines++] = i;
        width = line_wider(width, records[i].at);
    }
    for (uint32_t k = 0; k < lines; k++) {
        text_repeat(t, ' ', INDENT);
        text_add(t, line[k] == centre && mark ? "> " : "  ");
        line_record(t, plan, &records[line[k]], width);
        text_char(t, '\n');
    }
}

/* --- questions ------------------------------------------------------------------------------------ */

static uint32_t count_choices(const struct run *r, const struct ask *ask, bool failed)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        uint8_t state = r->choice[ask->first_choice + k];
        n += failed ? state >= CHOICE_FAILED : state == CHOICE_TRUE;
    }
    return n;
}

/* "from w1" (line 31), "from w2" (line 32) */
static void true_choices(struct text *t, const struct run *r, const struct ask *ask, uint32_t n)
{
    for (uint32_t k = 0, shown = 0; k < ask->n_choices; k++) {
        const struct ask_choice *choice = &r->c->choices[ask->first_choice + k];
        if (r->choice[ask->first_choice + k] != CHOICE_TRUE)
            continue;
        text_add(t, shown == 0 ? "" : shown + 1 < n ? ", " : " and ");
        text_quoted(t, line_name(&r->c->sim, choice->text));
        text_add(t, " (line ");
        text_u64(t, choice->line);
        text_char(t, ')');
        shown++;
    }
}

/* How often each effect that the choices count was done. */
static void found_effects(struct text *t, const struct run *r, const struct ask *ask)
{
    const struct ask_choice *choices = r->c->choices + ask->first_choice;
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        bool again = choices[k].effect == NONE16;
        for (uint32_t i = 0; i < k && !again; i++)
            again = choices[i].effect == choices[k].effect;
        if (again)
            continue;
        text_add(t, "; effect ");
        text_quoted(t, line_name(&r->c->sim, choices[k].effect));
        text_add(t, " happened ");
        text_count(t, query_effects(r->sim, choices[k].effect), "time", "times");
    }
}

/* What the choices look at, where none of them is true. */
static void found_instead(struct text *t, const struct run *r, const struct ask *ask)
{
    struct found found[FOUND_MAX];
    uint32_t n = 0;
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        const struct ask_choice *choice = &r->c->choices[ask->first_choice + k];
        if (choice->effect == NONE16)
            n = expect_found(r->c, r->sim, choice->expr, found, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, i == 0 ? "; at the end " : i + 1 < n ? ", " : " and ");
        found_leaf(t, r, &found[i]);
    }
    found_effects(t, r, ask);
}

static void failed_choice(struct text *t, const struct run *r, const struct ask *ask)
{
    uint32_t k = ask->first_choice;
    while (r->choice[k] < CHOICE_FAILED)
        k++;
    text_add(t, "this question has no answer: ");
    text_quoted(t, line_name(&r->c->sim, r->c->choices[k].text));
    text_add(t, " (line ");
    text_u64(t, r->c->choices[k].line);
    text_add(t, ") could not be asked: ");
    text_add(t, model_failure_text((enum model_failure)(r->choice[k] - CHOICE_FAILED)));
}

void outcome_unanswered(struct text *t, const struct run *r, uint32_t i)
{
    const struct ask *ask = &r->c->asks[i];
    uint32_t n = count_choices(r, ask, false);
    if (count_choices(r, ask, true) > 0) {
        failed_choice(t, r, ask);
    } else if (n == 0) {
        text_add(t, "this question has no answer: none of its choices is true at the end");
        found_instead(t, r, ask);
    } else {
        text_add(t, "this question has ");
        text_u64(t, n);
        text_add(t, " answers: ");
        true_choices(t, r, ask, n);
        text_add(t, n == 2 ? " are both true at the end" : " are all true at the end");
    }
}

/* ask 12s: What will the ledger say at the end? -> "from w1" */
static void answer_text(struct text *t, const struct run *r, uint32_t i)
{
    const struct ask *ask = &r->c->asks[i];
    text_repeat(t, ' ', INDENT);
    text_add(t, "ask ");
    text_duration(t, ask->at);
    text_add(t, ": ");
    text_shown(t, line_name(&r->c->sim, ask->question));
    text_add(t, " -> ");
    text_quoted(t, line_name(&r->c->sim, r->c->choices[run_answer(r, i)].text));
    text_char(t, '\n');
}

static void asks_text(struct text *t, const struct outcome_file *f, const struct run *r)
{
    for (uint32_t i = 0; r->asked && i < r->c->n_asks; i++) {
        if (run_answer(r, i) == NONE32) {
            struct text what = {0};
            outcome_unanswered(&what, r, i);
            problem_line(t, f->path, f->source, f->n, r->c->asks[i].line, text_c(&what));
            text_done(t, &what);
        } else if (!f->quiet) {
            answer_text(t, r, i);
        }
    }
}

/* --- failed expectations ------------------------------------------------------------------------------ */

static void miss_text(struct text *t, const struct outcome_file *f, const struct run *r, const struct miss *m)
{
    const struct expectation *e = &r->c->expectations[m->expectation];
    size_t n;
    const char *line = problem_source_line(f->source, f->n, e->line, &n);
    text_repeat(t, ' ', INDENT);
    text_shown(t, f->path);
    text_char(t, ':');
    text_u64(t, e->line);
    text_add(t, ": failed expectation\n");
    if (line != NULL) {
        size_t at = 0, end = n;
        while (at + 7 <= n && memcmp(line + at, "expect ", 7) != 0)
            at++;
        at = at + 7 <= n ? at + 7 : 0;
        while (end > at + 1 && (line[end - 1] == ' ' || line[end - 1] == '\r'))
            end--;
        problem_show(t, line, n, (uint32_t)at + 1, (uint32_t)(end - at), INDENT + 4);
    }
    text_repeat(t, ' ', INDENT + 4);
    text_add(t, "found: ");
    outcome_found(t, r, m);
    text_char(t, '\n');
    uint32_t kept;
    (void)sim_trace(r->sim, &kept);
    uint32_t centre = m->near > 0 ? m->near : m->records;
    if (centre > 0 && centre <= kept)
        lines_around(t, r, centre - 1, m->near > 0);
}

/* --- verdicts -------------------------------------------------------------------------------------- */

/* The most that the language takes for a limit. ORDER scenarios/language/top.c */
static uint64_t most_of(const char *word)
{
    static const struct {
        const char *word;
        uint32_t most;
    } rows[] = {{"events", 1000000000}, {"pending", 1000000}, {"messages", 1000000}, {"records", 10000000},
                {"labels", 10000000},   {"calls", 65000},     {"effects", 65000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].most;
    return 0;
}

uint64_t outcome_raised(const char *word, uint64_t limit, uint64_t times)
{
    uint64_t most = most_of(word);
    return limit >= most ? 0 : limit > most / times ? most : limit * times;
}

static void full(struct text *t, const struct run *r, const char *what, const char *word, uint64_t limit)
{
    text_add(t, "the limit of ");
    text_u64(t, limit);
    text_char(t, ' ');
    text_add(t, what);
    text_add(t, " was reached at ");
    text_time(t, r->end_ns);
    if (word == NULL)
        return;
    uint64_t raised = outcome_raised(word, limit, 2);
    if (raised == 0) {
        text_add(t, ", and cannot be raised further");
        return;
    }
    text_add(t, "; `limit ");
    text_add(t, word);
    text_char(t, ' ');
    text_u64(t, raised);
    text_add(t, "` raises it");
}

/* The kernel's capacities by the words of `limit`: its events, those that wait, are `pending` there, where `events`
 * are those that have run. */
static void full_kernel(struct text *t, const struct run *r)
{
    const char *what = r->full_name;
    if (strcmp(what, "events") == 0)
        full(t, r, "pending events", "pending", r->full_limit);
    else if (strcmp(what, "faults") == 0)
        full(t, r, "faults at one time", NULL, r->full_limit);
    else
        full(t, r, what, what, r->full_limit);
}

static void failed(struct text *t, const struct outcome_file *f, const struct run *r)
{
    if (r->fail_code == FAIL_CALLS) {
        full(t, r, "calls", "calls", r->c->model.calls);
        return;
    }
    if (r->fail_code == FAIL_EFFECTS) {
        full(t, r, "effects", "effects", r->c->model.effects);
        return;
    }
    text_shown(t, f->path);
    text_char(t, ':');
    text_u64(t, r->fail_line);
    text_add(t, ": error: ");
    text_add(t, model_failure_text((enum model_failure)r->fail_code));
    text_add(t, ", at ");
    text_time(t, r->end_ns);
}

void outcome_error(struct text *t, const struct outcome_file *f, const struct run *r)
{
    if (r->end == END_STEPS) {
        text_add(t, "still running after ");
        text_count(t, r->full_limit, "event", "events");
        text_add(t, ", at ");
        text_time(t, r->end_ns);
        uint64_t raised = outcome_raised("events", r->full_limit, 10);
        text_add(t, raised == 0 ? "; the limit cannot be raised further" : "; if that is meant, `limit events ");
        if (raised == 0)
            return;
        text_u64(t, raised);
        text_add(t, "` raises the limit");
    } else if (r->end == END_FULL) {
        full_kernel(t, r);
    } else if (r->end == END_FAILED) {
        failed(t, f, r);
    }
}

void outcome_error_line(struct text *t, const struct outcome_file *f, const struct run *r, size_t indent)
{
    if (r->end == END_FAILED && r->fail_code != FAIL_CALLS && r->fail_code != FAIL_EFFECTS)
        problem_show_word(t, f->source, f->n, r->fail_line, indent);
}

static void violation_text(struct text *t, const struct run *r, uint32_t i)
{
    text_add(t, invariant_table[r->violation[i].invariant].name);
    text_add(t, ": ");
    verdict_sentence(t, r, &r->violation[i]);
}

/* no-stale-write by w1 at 13s..14s */
static void stated_violation(struct text *t, const struct compiled *c, const struct expected_violation *e)
{
    text_add(t, invariant_table[e->invariant].name);
    if (e->by != NONE16) {
        text_add(t, " by ");
        text_add(t, line_name(&c->sim, e->by));
    }
    if (e->from >= 0) {
        text_add(t, " at ");
        text_duration(t, e->from);
        text_add(t, "..");
        text_duration(t, e->to);
    }
}

/* Which violation stands on the case's own line: the first named one, else the first that fails it. */
static uint32_t headline(const struct run *r)
{
    static const enum role order[] = {ROLE_EXPECTED, ROLE_UNEXPECTED};
    for (size_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < r->n_violations; i++)
            if (r->role[i] == order[k])
                return i;
    return NONE32;
}

static void more_violations(struct text *t, const struct run *r, uint32_t head, int indent)
{
    static const char *const word[] = {"and ", "not expected: ", "and then ", "sign "};
    for (uint32_t i = 0; i < r->n_violations; i++) {
        if (i == head)
            continue;
        text_repeat(t, ' ', (size_t)indent);
        enum style style = r->role[i] == ROLE_UNEXPECTED ? STYLE_BAD : STYLE_DIM;
        text_style(t, style);
        text_add(t, word[r->role[i]]);
        violation_text(t, r, i);
        text_style(t, STYLE_PLAIN);
        text_char(t, '\n');
    }
}

static const char *undecided_why(const struct undecided *u)
{
    static const char *const why[] = {[WHY_NOBODY_ASKED] = "no worker asked late enough",
                                      [WHY_DOWN] = "its service is down",
                                      [WHY_KEPT] = "its lease is still kept up",
                                      [WHY_FAULT] = "a fault goes on without an end",
                                      [WHY_HORIZON] = "the run ended before it could be said",
                                      [WHY_TOO_MUCH] = "it would take too long to say"};
    ASSERT(u->why < sizeof why / sizeof *why);
    return why[u->why];
}

void outcome_open(struct text *t, const struct run *r, const struct undecided *u)
{
    text_add(t, invariant_table[u->invariant].name);
    text_char(t, ' ');
    text_shown(t, line_name(&r->c->sim, u->resource));
    text_add(t, ": ");
    text_add(t, undecided_why(u));
}

static void undecided_text(struct text *t, const struct run *r, int indent)
{
    for (uint32_t i = 0; i < r->n_undecided; i++) {
        text_repeat(t, ' ', (size_t)indent);
        text_style(t, STYLE_DIM);
        text_add(t, "undecided  ");
        outcome_open(t, r, &r->undecided[i]);
        text_style(t, STYLE_PLAIN);
        text_char(t, '\n');
    }
}

/* What the case states and the run did not show. */
static void missing_violations(struct text *t, const struct run *r, int indent)
{
    const struct compiled *c = r->c;
    for (uint32_t k = 0; c->violates && !r->mended && k < c->n_expected; k++) {
        if (r->broken_by[k] > 0)
            continue;
        text_repeat(t, ' ', (size_t)indent);
        text_style(t, STYLE_BAD);
        text_add(t, "did not break: ");
        stated_violation(t, c, &c->expected[k]);
        text_style(t, STYLE_PLAIN);
        text_char(t, '\n');
    }
}

static bool miss_counts(const struct run *r, const struct miss *m)
{
    return r->plain || r->c->expectations[m->expectation].when == EXPECT_ALWAYS;
}

static uint32_t count_misses(const struct run *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_misses; i++)
        n += miss_counts(r, &r->misses[i]);
    return n;
}

const char *outcome_as_expected(const struct run *r)
{
    if (!r->as_expected)
        return "NOT as expected";
    return r->mended ? "mended" : r->c->to_mend ? "to be mended" : "as expected";
}

static void case_line(struct text *t, const struct outcome_file *f, const struct run *r, uint32_t head)
{
    uint32_t misses = count_misses(r);
    bool bad = !r->as_expected;
    text_add(t, "  ");
    text_pad(t, r->c->name, f->name_width);
    text_add(t, "  ");
    text_pad(t, verdict_name[r->verdict], 8);
    text_add(t, "  ");
    text_style(t, bad ? STYLE_BAD : STYLE_GOOD);
    text_add(t, outcome_as_expected(r));
    text_style(t, STYLE_PLAIN);
    if (r->verdict == VERDICT_ERROR) {
        text_add(t, "  ");
        outcome_error(t, f, r);
    } else if (head != NONE32) {
        text_add(t, "  ");
        violation_text(t, r, head);
    } else if (bad && misses > 0) {
        text_add(t, "  ");
        text_count(t, misses, "expectation failed", "expectations failed");
    } else if (r->n_unanswered > 0) {
        text_add(t, "  ");
        text_count(t, r->n_unanswered, "question without one answer", "questions without one answer");
    }
    text_char(t, '\n');
}

static void misses_text(struct text *t, const struct outcome_file *f, const struct run *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_misses; i++)
        if (miss_counts(r, &r->misses[i]) && n++ < MISSES_SHOWN)
            miss_text(t, f, r, &r->misses[i]);
    if (n <= MISSES_SHOWN)
        return;
    text_repeat(t, ' ', INDENT);
    text_add(t, "and ");
    text_u64(t, n - MISSES_SHOWN);
    text_add(t, " more\n");
}

void outcome_case(struct text *t, const struct outcome_file *f, const struct run *r, const char *again)
{
    uint32_t head = r->verdict == VERDICT_ERROR ? NONE32 : headline(r);
    int indent = INDENT + f->name_width;
    case_line(t, f, r, head);
    outcome_error_line(t, f, r, INDENT + 4);
    more_violations(t, r, head, indent);
    if (r->verdict != VERDICT_ERROR)
        missing_violations(t, r, indent);
    undecided_text(t, r, indent);
    misses_text(t, f, r);
    asks_text(t, f, r);
    if (!r->as_expected && again != NULL) {
        text_repeat(t, ' ', INDENT);
        text_add(t, "again: ");
        text_add(t, again);
        text_char(t, '\n');
    }
}

void outcome_idle(struct text *t, const struct idle_line *line)
{
    if (line->wanted == 0) {
        text_add(t, "the time of this question, ");
        text_time(t, line->at);
        text_add(t, ", came in no case that it applies to: the latest ended at ");
        text_time(t, line->latest);
        return;
    }
    text_add(t, "this event came in no case that it applies to");
    if (line->came > 0) {
        text_add(t, ": it came ");
        text_count(t, line->came, "time", "times");
        text_add(t, ", and #");
        text_u64(t, line->wanted);
        text_add(t, " was waited for");
    }
}

void outcome_undecided(struct text *t, const struct scenario *s, const struct decision *d)
{
    text_add(t, "decided-by ");
    text_add(t, gate_table[d->gate].name);
    text_add(t, ": ");
    if (d->failing < 0) {
        text_add(t, "no case that violates lacks it");
    } else if (d->still == 0) {
        text_add(t, "case ");
        text_add(t, scenario_case_name(s, (uint32_t)d->failing));
        text_add(t, " does not violate anything without it");
    } else {
        text_add(t, "put back alone, case ");
        text_add(t, scenario_case_name(s, (uint32_t)d->failing));
        text_add(t, " still violates ");
        text_add(t, invariant_table[d->still - 1].name);
    }
    text_add(t, "; and taken from no case that holds does it break the same invariant");
}

/* --- JSON --------------------------------------------------------------------------------------------- */

/* Takes over a sentence, and adds it quoted. */
static void json_sentence(struct text *t, struct text *sentence)
{
    text_json_bytes(t, sentence->n == 0 ? "" : sentence->bytes, sentence->n);
    text_done(t, sentence);
}

static void json_name(struct text *t, const struct run *r, name_id id)
{
    text_json(t, id == NONE16 ? NULL : line_name(&r->c->sim, id));
}

static void json_undecided(struct text *t, const struct run *r, const struct undecided *u)
{
    text_comma(t);
    text_char(t, '{');
    text_key(t, "invariant");
    text_json(t, invariant_table[u->invariant].name);
    text_key(t, "resource");
    line_json_name(t, &r->c->model, u->resource);
    text_key(t, "text");
    text_json(t, undecided_why(u));
    text_char(t, '}');
}

static void json_violation(struct text *t, const struct run *r, const struct violation *v)
{
    const struct invariant_word *word = &invariant_table[v->invariant];
    struct text sentence = {0};
    verdict_sentence(&sentence, r, v);
    text_comma(t);
    text_char(t, '{');
    text_key(t, "invariant");
    text_json(t, word->name);
    text_key(t, "kind");
    text_json(t, invariant_kind_name[word->kind]);
    text_key(t, "node");
    json_name(t, r, v->node);
    text_key(t, "resource");
    line_json_name(t, &r->c->model, v->resource);
    text_key(t, "at_ns");
    text_i64(t, v->at);
    text_key(t, "text");
    json_sentence(t, &sentence);
    text_char(t, '}');
}

static void json_miss(struct text *t, const struct outcome_file *f, const struct run *r, const struct miss *m)
{
    const struct expectation *e = &r->c->expectations[m->expectation];
    size_t n = 0;
    const char *line = problem_source_line(f->source, f->n, e->line, &n);
    while (n > 0 && *line == ' ') {
        line++;
        n--;
    }
    struct text found = {0};
    outcome_found(&found, r, m);
    text_comma(t);
    text_char(t, '{');
    text_key(t, "line");
    text_u64(t, e->line);
    text_key(t, "text");
    text_json_bytes(t, line == NULL ? "" : line, line == NULL ? 0 : n);
    text_key(t, "found");
    json_sentence(t, &found);
    text_key(t, "at_ns");
    text_i64(t, m->at);
    text_char(t, '}');
}

static void json_ask(struct text *t, const struct run *r, uint32_t i)
{
    const struct ask *ask = &r->c->asks[i];
    uint32_t answer = run_answer(r, i);
    text_comma(t);
    text_char(t, '{');
    text_key(t, "at_ns");
    text_i64(t, ask->at);
    text_key(t, "question");
    json_name(t, r, ask->question);
    text_key(t, "choices");
    text_char(t, '[');
    for (uint32_t k = 0; k < ask->n_choices; k++) {
        text_comma(t);
        json_name(t, r, r->c->choices[ask->first_choice + k].text);
    }
    text_char(t, ']');
    text_key(t, "answer");
    json_name(t, r, answer == NONE32 ? NONE16 : r->c->choices[answer].text);
    text_char(t, '}');
}

/* Files that ask nothing have no such key. */
static void json_asks(struct text *t, const struct outcome_file *f, const struct run *r)
{
    if (!scenario_asks(f->scenario))
        return;
    text_key(t, "asks");
    text_char(t, '[');
    for (uint32_t i = 0; i < r->c->n_asks; i++)
        json_ask(t, r, i);
    text_char(t, ']');
}

/* Why the run is no story at all: it came to no end, or a question of it has no answer. */
static void json_error(struct text *t, const struct outcome_file *f, const struct run *r)
{
    struct text error = {0};
    uint32_t i = 0;
    if (r->verdict == VERDICT_ERROR) {
        outcome_error(&error, f, r);
    } else {
        while (run_answer(r, i) != NONE32)
            i++;
        text_shown(&error, f->path);
        text_char(&error, ':');
        text_u64(&error, r->c->asks[i].line);
        text_add(&error, ": error: ");
        outcome_unanswered(&error, r, i);
    }
    text_key(t, "error");
    json_sentence(t, &error);
}

void outcome_case_json(struct text *t, const struct outcome_file *f, const struct run *r)
{
    text_comma(t);
    text_char(t, '{');
    text_key(t, "case");
    text_json(t, r->c->name);
    text_key(t, "verdict");
    text_json(t, verdict_name[r->verdict]);
    text_key(t, "as_expected");
    text_add(t, r->as_expected ? "true" : "false");
    if (r->c->to_mend) {
        text_key(t, "mended");
        text_add(t, r->mended && r->as_expected ? "true" : "false");
    }
    text_key(t, "violations");
    text_char(t, '[');
    for (uint32_t i = 0; i < r->n_violations; i++)
        json_violation(t, r, &r->violation[i]);
    text_char(t, ']');
    text_key(t, "undecided");
    text_char(t, '[');
    for (uint32_t i = 0; i < r->n_undecided; i++)
        json_undecided(t, r, &r->undecided[i]);
    text_char(t, ']');
    text_key(t, "failed_expectations");
    text_char(t, '[');
    for (uint32_t i = 0; i < r->n_misses; i++)
        if (miss_counts(r, &r->misses[i]))
            json_miss(t, f, r, &r->misses[i]);
    text_char(t, ']');
    json_asks(t, f, r);
    if (r->verdict == VERDICT_ERROR || r->n_unanswered > 0)
        json_error(t, f, r);
    text_key(t, "digest");
    text_add(t, "\"");
    text_digest(t, r->digest);
    text_add(t, "\"");
    text_key(t, "events");
    text_u64(t, r->events);
    text_key(t, "end_ns");
    text_i64(t, r->end_ns);
    text_char(t, '}');
}
