/* SPDX-License-Identifier: MIT
 *
 * ask.c - questions for a class: `ask at TIME "QUESTION"`, and its choices on the lines below it.
 *
 * Each choice is a statement of its own, so that a slip in one spoils no other. How many there are, and
 * whether the time comes, is asked only of a case as it is written: without a gate nobody is asked.
 */
#include <string.h>

#include "scenarios/language/compile.h"

/* Whether the case is compiled for the checks, with the gates that the file itself gives it. */
static bool as_written(const struct compile *c)
{
    return c->checks != NULL && c->removed == c->s->cases.row[c->case_index].removed;
}

static void check_twice(struct compile *c, const struct token *at, uint32_t first_choice, name_id text)
{
    for (uint32_t i = first_choice; i < c->choices.n; i++)
        if (c->choices.row[i].text == text)
            complain(c, at, "this choice stands on line %u already", c->choices.row[i].line);
    if (c->choices.n - first_choice >= CHOICES_MAX)
        complain(c, at, "a question has at most %u choices", CHOICES_MAX);
}

/* Behind `if`: a comparison, or how often something was done. */
static void take_answer(struct compile *c, struct ask_choice *choice)
{
    const struct token *at = c->t;
    if (at_word(c, "effect") && at[1].kind == T_STRING) {
        choice->count = take_effects(c, &choice->effect);
        return;
    }
    c->in_expectation = true;
    struct expr x = take_expr(c);
    c->in_expectation = false;
    if (!c->bad && x.type != TYPE_BOOL)
        complain(c, at, "behind 'if' stands a comparison, asked at the end of the run; a line of the trace is none");
    choice->expr = x.first;
}

/* "CHOICE" if EXPR */
static void take_choice(struct compile *c, uint32_t first_choice)
{
    const struct token *at = c->t;
    if (peek_literal(c) == NULL)
        complain_expected(c, "a choice, as in \"yes\" if ledger = 1");
    const char *text = take_text(c);
    if (c->bad)
        return;
    struct ask_choice choice = {.text = name_of(c, text), .effect = NONE16, .expr = NONE32, .line = c->line->number};
    check_twice(c, at, first_choice, choice.text);
    need_word(c, "if");
    if (!c->bad && c->t->kind == T_END)
        complain_expected(c, "what is true at the end if this is the answer");
    take_answer(c, &choice);
    statement_end(c);
    if (!c->bad)
        *LIST_ADD(c->arena, &c->choices) = choice;
}

/* The kept lines below the question. Returns false if one has a slip: then its choices are not counted. */
static bool take_choices(struct compile *c, const struct line *ask, uint32_t first_choice)
{
    const struct line *lines = c->s->src.lines.row;
    bool good = true;
    for (uint32_t i = (uint32_t)(ask - lines) + 1; i < ask->end; i = lines[i].n == 0 ? i + 1 : lines[i].end) {
        good = good && !lines[i].bad;
        if (!line_seen(c, &lines[i]))
            continue;
        statement_begin(c, &lines[i]);
        take_choice(c, first_choice);
        good = good && !c->bad;
    }
    return good;
}

static void check_count(struct compile *c, const struct token *at, uint32_t n)
{
    if (n == 0)
        complain(c, at,
                 "this question has no choices in case '%.40s': two or more stand indented below it, "
                 "as in \"yes\" if ledger = 1",
                 c->out->name);
    else if (n == 1)
        complain(c, at, "this question has one choice in case '%.40s': it needs two or more", c->out->name);
}

void compile_ask(struct compile *c)
{
    const struct line *line = c->line;
    const struct token *at = line_start(c->s, line);
    c->t = at + 1; /* of this line alone: what stands below is not its continuation */
    need_word(c, "at");
    const struct token *time = c->t;
    struct ask ask = {.at = take_duration(c, 0), .line = line->number, .first_choice = c->choices.n};
    if (!c->bad && c->t->kind != T_STRING && peek_literal(c) == NULL)
        complain_expected(c, "the question, in double quotes");
    ask.question = name_of(c, take_text(c));
    statement_end(c);
    if (c->asks.n >= ASKS_MAX)
        complain(c, at, "a case has at most %u questions", ASKS_MAX);
    if (c->bad)
        return;
    bool good = take_choices(c, line, ask.first_choice);
    ask.n_choices = c->choices.n - ask.first_choice;
    c->line = line;
    if (good && as_written(c))
        check_count(c, at, ask.n_choices);
    *LIST_ADD(c->arena, &c->asks) = ask;
    *LIST_ADD(c->arena, &c->ask_places) = token_place(time);
}

/* --- times ---------------------------------------------------------------------------------------- */

static struct ask_time *time_find(struct checks *checks, struct place place)
{
    for (uint32_t i = 0; i < checks->ask_times.n; i++)
        if (checks->ask_times.row[i].place.line == place.line)
            return &checks->ask_times.row[i];
    struct ask_time *one = LIST_ADD(checks->arena, &checks->ask_times);
    *one = (struct ask_time){place, 0, false};
    return one;
}

void note_ask_times(struct compile *c)
{
    for (uint32_t i = 0; i < c->asks.n && as_written(c); i++) {
        struct ask_time *one = time_find(c->checks, c->ask_places.row[i]);
        one->comes = one->comes || c->until == 0 || c->asks.row[i].at <= c->until;
        one->until = c->until > one->until ? c->until : one->until;
    }
}

void check_ask_times(const struct checks *checks, struct diags *d)
{
    for (uint32_t i = 0; i < checks->ask_times.n; i++) {
        const struct ask_time *one = &checks->ask_times.row[i];
        char until[48];
        duration_format(one->until, until, sizeof until);
        if (!one->comes)
            diag_add(d, one->place, "this time never comes: the run ends at the latest at 'until %s'", until);
    }
}
