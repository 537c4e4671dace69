/* SPDX-License-Identifier: MIT
 *
 * may.c - what could go wrong. A run ignores these lines: they are read and checked, no more.
 */
#include "scenarios/language/compile.h"
#include "scenarios/language/words.h"

#define MAY_STRIKE (SYM_PLACE | SYM_THREAD)

static void visit_nothing(struct compile *c, uint32_t symbol, void *context)
{
    (void)c;
    (void)symbol;
    (void)context;
}

static void take_some_names(struct compile *c, uint16_t kinds)
{
    if (c->t->kind == T_WORD && !word_reserved(c->t->text))
        take_paths(c, kinds, "node, thread or service", visit_nothing, NULL);
}

static bool take_up_to(struct compile *c)
{
    if (!take_word(c, "up"))
        return false;
    need_word(c, "to");
    return !c->bad;
}

/* `up to D`, `losing X`, `holding`: what a pause, crash, cut ... may be. */
static void take_bounds(struct compile *c, bool crash, bool closes)
{
    if (take_up_to(c))
        take_duration(c, 1);
    if (crash && take_word(c, "losing") && !take_word(c, "unsynced"))
        need_word(c, "everything");
    if (closes)
        take_word(c, "holding");
}

static void may_names(struct compile *c)
{
    bool crash = at_word(c, "crash"), closes = at_word(c, "partition"), pause = at_word(c, "pause");
    c->t++;
    take_some_names(c, pause ? MAY_STRIKE | SYM_MAIN : MAY_STRIKE);
    take_bounds(c, crash, closes);
}

static void may_link(struct compile *c)
{
    bool closes = at_word(c, "cut");
    c->t++;
    if (c->t->kind == T_WORD && !word_reserved(c->t->text)) {
        take_some_names(c, MAY_STRIKE);
        if (!take_symbol(c, T_MINUS) && !take_symbol(c, T_ARROW))
            complain_expected(c, "'->' or '-'");
        take_some_names(c, MAY_STRIKE);
    }
    take_bounds(c, false, closes);
}

static void may_step(struct compile *c)
{
    c->t++;
    need_word(c, "wall");
    take_some_names(c, MAY_STRIKE);
    take_bounds(c, false, false);
}

static void may_drift(struct compile *c)
{
    c->t++;
    take_some_names(c, MAY_STRIKE);
    if (take_up_to(c))
        take_ppb(c);
}

void compile_may(struct compile *c)
{
    static const struct dispatch rows[] = {
#define X(name, group, built, handler, syntax, sentence, example) {name, built, handler},
        MAY_WORDS(X)
#undef X
    };
    c->t++;
    dispatch_word(c, rows, sizeof rows / sizeof *rows, "fault that may happen");
}
