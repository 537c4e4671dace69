/* SPDX-License-Identifier: MIT
 *
 * variant.c - a case with gates turned: what `--without`, and `decided-by` with the gate put back, compile.
 *
 * Each case reads as it is written: that was checked. So what is wrong with a variant comes of the turned
 * gate, which has taken away something that other lines name. A variant is asked only which invariants break:
 *
 *  1. A line beside programs (a fault, an expectation, a link) that no longer reads is inert.
 *  2. A step that no longer reads fails with `refused`, as a `require` does that is false.
 *  3. Whatever else (a block of steps, a declaration) makes the variant impossible: the problem names it.
 *
 * In 1 and 2 what the line had put into the plan so far is taken back, but for names and registers.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- trying a line -------------------------------------------------------------------------------------- */

/* How long the lists were that a line adds to, and which expectation stood above. */
struct mark {
    uint32_t faults, triggers, trigger_lines, mays, ids, exprs, expectations, asks, ask_places, choices;
    uint32_t code, handlers, statements, sets, captures;
    bool has_above;
    uint8_t above;
};

static struct mark mark_now(const struct compile *c)
{
    return (struct mark){.faults = c->faults.n,
                         .triggers = c->triggers.n,
                         .trigger_lines = c->trigger_lines.n,
                         .mays = c->mays.n,
                         .ids = c->ids.n,
                         .exprs = c->exprs.n,
                         .expectations = c->expectations.n,
                         .asks = c->asks.n,
                         .ask_places = c->ask_places.n,
                         .choices = c->choices.n,
                         .code = c->code.n,
                         .handlers = c->handlers.n,
                         .statements = c->statements.n,
                         .sets = c->sets.n,
                         .captures = c->captures.n,
                         .has_above = c->has_above,
                         .above = c->above};
}

static void take_back(struct compile *c, const struct mark *m)
{
    c->faults.n = m->faults;
    c->triggers.n = m->triggers;
    c->trigger_lines.n = m->trigger_lines;
    c->mays.n = m->mays;
    c->ids.n = m->ids;
    for (uint32_t i = 0; i < c->marks.n; i++)
        c->marks.row[i] = 0; /* of lists that may be gone */
    for (uint32_t i = 0; i < c->thread_marks.n; i++)
        c->thread_marks.row[i] = 0;
    c->exprs.n = m->exprs;
    c->expectations.n = m->expectations;
    c->asks.n = m->asks;
    c->ask_places.n = m->ask_places;
    c->choices.n = m->choices;
    c->code.n = m->code;
    c->handlers.n = m->handlers;
    c->statements.n = m->statements;
    c->sets.n = m->sets;
    c->captures.n = m->captures;
    c->has_above = m->has_above;
    c->above = m->above;
}

/* Whether it reads; if not, nothing is said and nothing of it is left. */
static bool try_word(struct compile *c, word_handler take)
{
    struct diags *heard = c->diags, unheard = {.n = DIAGS_MAX}; /* full: nobody works for a message */
    struct mark mark = mark_now(c);
    uint32_t line = c->line->number;
    c->diags = &unheard;
    take(c);
    c->diags = heard;
    heard->no_memory = heard->no_memory || unheard.no_memory;
    if (unheard.total == 0)
        return true;
    take_back(c, &mark);
    *LIST_ADD(c->arena, &c->inert) = line;
    return false;
}

void take_line(struct compile *c, word_handler take)
{
    if (c->is_variant)
        (void)try_word(c, take);
    else
        take(c);
}

static void refuse(struct compile *c)
{
    struct instr i = instr_none(OP_REQUIRE);
    i.expr = c->exprs.n;
    *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){EX_CONST, 0, TAG_BOOL, 0};
    *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){EX_END, 0, 0, 0};
    c->bad = false;
    emit_instr(c, i);
}

void take_step(struct compile *c, word_handler take)
{
    if (!c->is_variant)
        take(c);
    else if (!try_word(c, take))
        refuse(c);
}

/* --- when there is none ----------------------------------------------------------------------------------- */

/* "without a and b", "with c put back" */
static void name_gates(uint32_t gates, char *out, size_t size)
{
    size_t n = 0;
    for (uint32_t g = 0; g < GATES && n < size; g++)
        if (gates >> g & 1)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n == 0 ? "" : " and ", gate_table[g].name);
}

void explain_variant(const struct scenario *s, uint32_t i, uint32_t removed, struct diags *diags)
{
    uint32_t written = s->cases.row[i].removed, taken = removed & ~written, back = written & ~removed;
    char gates[160] = "", text[sizeof diags->row[0].text];
    if (taken == 0 && back == 0)
        return;
    name_gates(taken != 0 ? taken : back, gates, sizeof gates);
    for (uint32_t k = 0; k < diags->n; k++) {
        memcpy(text, diags->row[k].text, sizeof text);
        diag_reword(&diags->row[k], "case '%.40s' cannot run %s %s%s: %s", s->cases.row[i].name,
                    taken != 0 ? "without" : "with", gates, taken != 0 ? "" : " put back", text);
    }
}
