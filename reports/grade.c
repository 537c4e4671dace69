/* SPDX-License-Identifier: MIT
 *
 * grade.c - see grade.h. In this order, for each question makes sense only when those before it are answered:
 *
 *   1. No line but the one to change is another. So nobody took away a fault, a case, a program or an expectation,
 *      or said less of the case than was said.
 *   2. Each other case runs to the digest that it had. The line to change may reach no further than its case.
 *   3. Where the line is the case's own, it takes away no gate that it did not, and takes none away in another manner.
 *   4. The case holds, everything that is expected of it is true, and none of what the lesson says that it breaks does.
 *
 * What the file itself says of its case is no proof: (4) asks the run, by the lesson's own words.
 */
#include "reports/grade.h"

#include "reports/line.h"
#include "reports/page.h"
#include "reports/problem.h"
#include "reports/verdict.h"

const char *const grade_name[GRADES] = {
    [GRADE_MENDED] = "mended",         [GRADE_UNTOUCHED] = "as handed out",
    [GRADE_NOT_MENDED] = "not mended", [GRADE_LESS_GUARDED] = "less guarded",
    [GRADE_OTHER_RUN] = "another run", [GRADE_ELSEWHERE] = "changed elsewhere",
    [GRADE_TWICE] = "handed in twice", [GRADE_WRONG] = "with errors",
    [GRADE_MISSING] = "not handed in",
};

/* --- lines --------------------------------------------------------------------------------------------------- */

/* `node db wall +1m30s`: no blanks around it, and one where several stand. */
static void quote_line(struct text *t, const struct scenario *s, uint32_t number)
{
    size_t n = 0;
    const char *line = scenario_line(s, number, &n);
    struct text shown = {0};
    for (size_t i = 0; i < n; i++)
        if (line[i] != ' ' || (shown.n > 0 && i + 1 < n && line[i + 1] != ' '))
            text_char(&shown, line[i]);
    text_char(t, '`');
    text_shown(t, text_c(&shown));
    text_char(t, '`');
    text_done(t, &shown);
}

/* Where the two files part. */
static void tell_difference(struct text *t, const struct scenario *given, const struct scenario *handed_in,
                            const struct lesson_difference *d)
{
    if (d->handed_in == 0) {
        text_add(t, "it lacks ");
        quote_line(t, given, d->given);
    } else if (d->given == 0) {
        text_add(t, "line ");
        text_u64(t, d->handed_in);
        text_add(t, " was not there: ");
        quote_line(t, handed_in, d->handed_in);
    } else {
        text_add(t, "line ");
        text_u64(t, d->handed_in);
        text_add(t, " is ");
        quote_line(t, handed_in, d->handed_in);
        text_add(t, " and was ");
        quote_line(t, given, d->given);
    }
    text_add(t, "; the line to change is ");
    quote_line(t, given, scenario_change(given));
}

/* --- the cases that stay --------------------------------------------------------------------------------------- */

/* Runs a case that was handed in; NULL: *status says why, or it does not compile, which was told. */
static struct run *play(const struct loaded *l, const char *name, struct compiled **c, int *status)
{
    const struct run_options plain = {.plain = true};
    int32_t i = scenario_case_find(l->scenario, name);
    *c = i < 0 ? NULL : front_compile(l, (uint32_t)i, 0, 0, status);
    struct run *r = *c == NULL ? NULL : run_case(*c, &plain);
    if (*c != NULL && r == NULL)
        *status = front_worse(*status, front_no_memory());
    return r;
}

/* The digest that a case of the lesson has. False: no memory. */
static bool given_digest(const struct scenario *given, uint32_t i, uint64_t *digest)
{
    static struct diags diags;
    struct compiled *c = scenario_compile(given, i, 0, 0, &diags);
    ASSERT(c != NULL || diags.no_memory);
    struct run *r = c == NULL ? NULL : run_case(c, NULL);
    bool good = r != NULL;
    *digest = good ? r->digest : 0;
    run_free(r);
    compiled_free(c);
    return good;
}

/* Whether a case that was to stay as it was does. */
static int compare_case(struct graded *g, const struct scenario *given, uint32_t i, const struct loaded *handed_in)
{
    struct compiled *c = NULL;
    int status = STATUS_GOOD;
    uint64_t wanted;
    const char *name = scenario_case_name(given, i);
    if (!given_digest(given, i, &wanted))
        return front_no_memory();
    struct run *r = play(handed_in, name, &c, &status);
    if (r != NULL && r->digest != wanted) {
        g->grade = GRADE_OTHER_RUN;
        text_add(&g->why, "case ");
        text_shown(&g->why, name);
        text_add(&g->why, " was to stay as it was, and runs to ");
        text_digest(&g->why, r->digest);
        text_add(&g->why, " instead of ");
        text_digest(&g->why, wanted);
    } else if (r == NULL && status == STATUS_GOOD) {
        g->grade = GRADE_WRONG;
    }
    run_free(r);
    compiled_free(c);
    return status;
}

static int compare_cases(struct graded *g, const struct scenario *given, const struct loaded *handed_in)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < scenario_cases(given) && status == STATUS_GOOD && g->grade == GRADE_MENDED; i++)
        if ((int32_t)i != scenario_to_mend(given))
            status = compare_case(g, given, i, handed_in);
    return status;
}

/* --- the case to mend -------------------------------------------------------------------------------------------- */

/* A gate that this case is without, and the lesson's is not, or is in another manner; -1: none. */
static int more_is_gone(const struct compiled *given, const struct compiled *c)
{
    const struct model_plan *a = &given->model, *b = &c->model;
    for (int gate = 0; gate < GATES; gate++)
        if (!gate_on(b, (enum gate)gate) && gate_on(a, (enum gate)gate))
            return gate;
    if (!gate_on(b, GATE_SAFE_CLOCK) && a->lease_clock != b->lease_clock)
        return GATE_SAFE_CLOCK;
    if (!gate_on(b, GATE_MONOTONIC_TOKEN) && a->token_mode != b->token_mode)
        return GATE_MONOTONIC_TOKEN;
    return !gate_on(b, GATE_STRICT_MAJORITY) && a->count_mode != b->count_mode ? GATE_STRICT_MAJORITY : -1;
}

static bool names(const struct compiled *given, uint32_t invariant)
{
    for (uint32_t k = 0; k < given->n_expected; k++)
        if (given->expected[k].invariant == invariant)
            return true;
    return false;
}

/* The first violation that fails the lesson; NONE32: there is none. */
static uint32_t first_broken(const struct compiled *given, const struct run *r)
{
    for (uint32_t i = 0; i < r->n_violations; i++)
        if (run_counts(r, i) || names(given, r->violation[i].invariant))
            return i;
    return NONE32;
}

static uint32_t first_unanswered(const struct run *r)
{
    uint32_t i = 0;
    while (i + 1 < r->c->n_asks && run_answer(r, i) != NONE32)
        i++;
    return i;
}

/* Why the run is no mended one. False: it is one. */
static bool tell_failure(struct text *t, const struct compiled *given, const struct loaded *l, const struct run *r)
{
    uint32_t broken = first_broken(given, r);
    if (r->verdict == VERDICT_ERROR) {
        outcome_error(t, &l->file, r);
    } else if (broken != NONE32) {
        text_add(t, invariant_table[r->violation[broken].invariant].name);
        text_add(t, ": ");
        verdict_sentence(t, r, &r->violation[broken]);
    } else if (r->n_misses > 0) {
        page_miss(t, &l->file, r, &r->misses[0]);
    } else if (r->n_unanswered > 0) {
        outcome_unanswered(t, r, first_unanswered(r));
    } else if (!r->as_expected) {
        text_add(t, "it holds, and its line says that it violates: leave `until mended` there");
    } else {
        return false;
    }
    return true;
}

static void judge_run(struct graded *g, const struct compiled *given, const struct loaded *l, const struct run *r)
{
    int gate = more_is_gone(given, r->c);
    g->ran = r->verdict != VERDICT_ERROR;
    g->digest = r->digest;
    if (gate >= 0) {
        g->grade = GRADE_LESS_GUARDED;
        text_add(&g->why, "the line takes away ");
        text_add(&g->why, gate_table[gate].name);
        text_add(&g->why, gate_on(&given->model, (enum gate)gate) ? ", which was there" : " in another manner");
    } else if (tell_failure(&g->why, given, l, r)) {
        g->grade = GRADE_NOT_MENDED;
    }
}

static int judge_case(struct graded *g, const struct scenario *given, const struct loaded *handed_in)
{
    static struct diags diags;
    uint32_t i = (uint32_t)scenario_to_mend(given);
    struct compiled *wanted = scenario_compile(given, i, 0, 0, &diags), *c = NULL;
    int status = STATUS_GOOD;
    ASSERT(wanted != NULL || diags.no_memory);
    if (wanted == NULL)
        return front_no_memory();
    struct run *r = play(handed_in, scenario_case_name(given, i), &c, &status);
    if (r != NULL)
        judge_run(g, wanted, handed_in, r);
    run_free(r);
    compiled_free(c);
    compiled_free(wanted);
    return status;
}

int grade_lesson(struct graded *g, const struct scenario *given, const struct loaded *handed_in)
{
    struct lesson_difference d = lesson_compare(given, handed_in->scenario);
    int status = STATUS_GOOD;
    g->grade = GRADE_MENDED;
    if (d.given != 0 || d.handed_in != 0) {
        g->grade = GRADE_ELSEWHERE;
        tell_difference(&g->why, given, handed_in->scenario, &d);
    } else if (!d.changed) {
        g->grade = GRADE_UNTOUCHED;
        text_add(&g->why, "the line to change is ");
        quote_line(&g->why, given, scenario_change(given));
    } else {
        status = compare_cases(g, given, handed_in);
        if (status == STATUS_GOOD && g->grade == GRADE_MENDED)
            status = judge_case(g, given, handed_in);
    }
    if (status == STATUS_WRONG)
        g->grade = GRADE_WRONG;
    return status == STATUS_WRONG ? STATUS_GOOD : g->why.failed ? front_no_memory() : status;
}
