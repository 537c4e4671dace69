/* SPDX-License-Identifier: MIT
 *
 * event.c - ACTOR VERB OBJECT: what a trigger waits for and an expectation names.
 *
 * The verbs come from the one table that the trace uses.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

name_id take_actor(struct compile *c, uint32_t *symbol)
{
    *symbol = take_path(c, SYM_ACTOR, "node, thread or service");
    return *symbol == NONE32 ? NONE16 : symbol_at(c, *symbol)->name;
}

name_id take_subject(struct compile *c, uint32_t *symbol)
{
    *symbol = take_path(c, SYM_ACTOR | SYM_MAIN, "node, thread or service");
    return *symbol == NONE32 ? NONE16 : symbol_at(c, *symbol)->name;
}

void check_subject(struct compile *c, const struct token *at, uint32_t symbol, uint32_t verb)
{
    if (c->bad || !(symbol_at(c, symbol)->kinds & SYM_MAIN) || verb == V_PAUSES || verb == V_RESUMES)
        return;
    symbol_unknown(c, at, name_text(c, symbol_at(c, symbol)->name), SYM_ACTOR, "actor");
}

uint32_t take_verb(struct compile *c)
{
    const char *words[VERBS];
    uint32_t n = 0;
    for (uint32_t v = 0; v < VERBS; v++) {
        if (verb_table[v].flags & VERB_NOTE && !c->in_notes)
            continue;
        words[n++] = verb_table[v].name;
        if (take_word(c, verb_table[v].name))
            return v;
    }
    if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "verb", words, n);
    else
        complain_expected(c, "a verb, as in 'writes'");
    return NONE32;
}

static bool verb_of_register(uint32_t verb)
{
    return verb == V_READS || verb == V_GETS || verb == V_WRITES || verb == V_DELETES;
}

static name_id take_error_object(struct compile *c)
{
    const char *words[ERRORS];
    for (uint32_t e = 0; e < ERRORS; e++) {
        words[e] = error_table[e].name;
        if (take_word(c, words[e]))
            return name_of(c, words[e]);
    }
    complain_unknown(c, c->t, "error", words, ERRORS);
    return NONE16;
}

static name_id take_register_object(struct compile *c)
{
    bool before = c->in_expectation;
    c->in_expectation = true;
    uint16_t reg = take_register(c);
    c->in_expectation = before;
    return c->bad || reg >= c->registers.n ? NONE16 : c->registers.row[reg].name;
}

/* Where the path at c->t ends. */
static const struct token *path_end(const struct token *t)
{
    while (t[0].kind == T_WORD && t[1].kind == T_DOT && t[2].kind == T_WORD)
        t += 2;
    return t + 1;
}

/* Which can be about a job; the second: about nothing else. */
static bool verb_of_job(uint32_t verb)
{
    return verb == V_ACQUIRES || verb == V_KEEPS || verb == V_RENEWS || verb == V_RENEWED || verb == V_CHECKS ||
           verb == V_BELIEVES || verb == V_DOUBTS || verb == V_ACTS || verb == V_RESTS || verb == V_ADDS;
}
static bool verb_of_job_alone(uint32_t verb)
{
    return verb == V_HEARTBEATS || verb == V_COMPLETES || verb == V_FAILS || verb == V_ENQUEUES || verb == V_JUDGES ||
           verb == V_REQUEUES;
}

bool object_is_next(const struct compile *c, uint32_t verb)
{
    return !c->bad &&
           (c->t->kind == T_WORD || (c->t->kind == T_STRING && (verb_of_job(verb) || verb_of_job_alone(verb))));
}

static name_id take_job_object(struct compile *c)
{
    const struct token *at = c->t;
    bool before = c->in_expectation;
    c->in_expectation = true;
    uint16_t job = take_job(c);
    c->in_expectation = before;
    return c->bad ? NONE16 : job != NONE16 ? c->jobs.row[job].object : name_of(c, tokens_text(c->arena, at, at + 1));
}

name_id take_row_name(struct compile *c, bool cell)
{
    const struct token *at = c->t;
    bool before = c->in_expectation;
    c->in_expectation = true;
    take_row(c);
    c->in_expectation = before;
    if (!c->bad && cell)
        take_column(c, symbol_at(c, symbol_find(c, at->text))->table);
    return c->bad ? NONE16 : name_of(c, tokens_text(c->arena, at, c->t));
}

name_id take_object(struct compile *c, uint32_t verb)
{
    if (verb == V_FAILED)
        return take_error_object(c);
    if (c->t->kind == T_STRING)
        return take_job_object(c);
    if (verb_of_job_alone(verb)) {
        complain(c, c->t, "a job stands here, in double quotes, as in %s \"%.60s\"", c->t[-1].text, c->t->text);
        return NONE16;
    }
    bool row = verb_of_register(verb) || verb == V_INSERTS || verb == V_SETS || c->t[1].kind == T_SLASH;
    if (row && table_at(c, c->t) != NONE16)
        return take_row_name(c, verb == V_SETS);
    uint32_t store = symbol_find(c, c->t->text);
    bool is_store = store != NONE32 && symbol_at(c, store)->kinds & SYM_STORE;
    if (path_end(c->t)->kind == T_SLASH || (verb_of_register(verb) && is_store))
        return take_register_object(c);
    uint32_t symbol;
    return take_actor(c, &symbol);
}

static void check_place(struct compile *c, const struct token *at, uint32_t verb, bool before)
{
    uint8_t flags = verb < VERBS ? verb_table[verb].flags : 0;
    if (!c->bad && !(flags & (before ? VERB_BEFORE : VERB_AFTER)))
        complain(c, at, "nothing can come %s '%s'%s", before ? "before" : "after", at->text,
                 before && flags & VERB_AFTER ? "; say 'after'" : "");
}

void take_event(struct compile *c, bool before, struct event *out)
{
    *out = (struct event){.plan = {.before = before, .object = NONE16, .ordinal = 1, .fault = NONE32}};
    const struct token *subject = c->t;
    out->plan.actor = take_subject(c, &out->actor);
    const struct token *at = c->t;
    uint32_t verb = c->bad ? NONE32 : take_verb(c);
    out->plan.verb = (uint16_t)verb;
    check_subject(c, subject, out->actor, verb);
    check_place(c, at, verb, before);
    if (object_is_next(c, verb))
        out->plan.object = take_object(c, verb);
    if (!c->bad && c->t->kind == T_ORDINAL)
        out->plan.ordinal = (uint32_t)c->t++->value;
    need_symbol(c, T_COLON);
}
