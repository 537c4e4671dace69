/* SPDX-License-Identifier: MIT
 *
 * top.c - the lines of a file in their order: dispatch, network, capacities, triggers.
 *
 * Lines that say what exists were read before (declare.c), those of the header too (tree.c): here
 * they are passed over.
 */
#include <string.h>

#include "scenarios/language/compile.h"
#include "scenarios/language/words.h"

static void pass_over(struct compile *c)
{
    while (c->t->kind != T_END)
        c->t++;
}
static void top_header(struct compile *c) { pass_over(c); }
static void top_case(struct compile *c) { pass_over(c); }
static void top_param(struct compile *c) { pass_over(c); }
static void top_node(struct compile *c) { pass_over(c); }
static void top_lock(struct compile *c) { pass_over(c); }
static void top_store(struct compile *c) { pass_over(c); }
static void top_group(struct compile *c) { pass_over(c); }
static void top_queue(struct compile *c) { pass_over(c); }
static void top_table(struct compile *c) { pass_over(c); }
static void top_job(struct compile *c) { complain(c, c->t, "a job stands indented below its queue"); }

/* --- the run ------------------------------------------------------------------------------------------ */

static void top_until(struct compile *c)
{
    const struct token *at = c->t++;
    if (c->until != 0)
        complain(c, at, "'until' stands in this case twice");
    c->until = take_duration(c, 1);
}

static void top_sync(struct compile *c)
{
    const struct token *at = c->t++;
    if (c->has_sync)
        complain(c, at, "'sync' stands in this case twice");
    c->has_sync = true;
    c->sync_ns = take_duration(c, 0);
}

static void top_limit(struct compile *c)
{
    static const char *const words[LIMITS] = {"events", "pending", "messages", "records", "labels", "calls", "effects"};
    /* Pending events have a slot of 20 bits, a call one of 16. */
    static const uint32_t most[LIMITS] = {COUNT_MAX, 1000000, 1000000, 10000000, 10000000, 65000, 65000};
    const struct token *name = ++c->t;
    uint32_t k = 0;
    while (k < LIMITS && !take_word(c, words[k]))
        k++;
    if (k == LIMITS && name->kind == T_WORD)
        complain_unknown(c, name, "limit", words, LIMITS);
    else if (k == LIMITS)
        complain_expected(c, "the name of a limit, as in limit messages 500");
    if (c->bad)
        return;
    if (c->limit[k] != 0)
        complain(c, name, "'limit %s' stands in this case twice", name->text);
    c->limit[k] = (uint64_t)take_count(c, 1, most[k], "a capacity");
}

/* --- the network ------------------------------------------------------------------------------------------ */

struct link_side {
    LIST(uint16_t) machines;
};

static void side_add(struct compile *c, struct link_side *side, uint16_t machine)
{
    for (uint32_t i = 0; i < side->machines.n; i++)
        if (side->machines.row[i] == machine)
            return;
    *LIST_ADD(c->arena, &side->machines) = machine;
}

static void visit_link_side(struct compile *c, uint32_t symbol, void *context)
{
    const struct symbol *s = symbol_at(c, symbol);
    if (!(s->kinds & SYM_LOCK) || c->locks.row[s->lock].kind != LOCK_QUORUM) {
        side_add(c, context, symbol_machine(c, symbol));
        return;
    }
    const struct lock_plan *lock = &c->locks.row[s->lock];
    for (uint32_t v = 0; v < lock->voters; v++)
        side_add(c, context, c->processes.row[voter_process(c, lock, v)].machine);
}

static void take_delay(struct compile *c, struct link_plan *link)
{
    need_word(c, "delay");
    take_range(c, &link->delay_min, &link->delay_max);
    if (take_word(c, "datagram"))
        link->datagram = 1;
    else
        take_word(c, "stream");
}

static void link_add(struct compile *c, const struct token *at, uint16_t from, uint16_t to, struct link_plan link)
{
    for (uint32_t i = 0; i < c->links.n; i++)
        if (c->links.row[i].from == from && c->links.row[i].to == to)
            complain(c, at, "the link '%.30s' -> '%.30s' has a line already", name_text(c, c->machines.row[from].name),
                     name_text(c, c->machines.row[to].name));
    if (from == to)
        complain(c, at, "'%.40s' is one machine: a link has two", name_text(c, c->machines.row[from].name));
    if (c->links.n >= LINKS_MAX)
        complain(c, at, "a scenario names at most %u links", LINKS_MAX);
    if (c->bad)
        return;
    link.from = from;
    link.to = to;
    *LIST_ADD(c->arena, &c->links) = link;
}

static void net_link(struct compile *c)
{
    struct link_side a = {0}, b = {0};
    struct link_plan link = {0};
    const struct token *at = c->t;
    take_paths(c, SYM_PLACE, "node or service", visit_link_side, &a);
    bool both = c->t->kind == T_MINUS && !c->t->glued && take_symbol(c, T_MINUS);
    if (!both && !take_symbol(c, T_ARROW))
        complain_expected(c, "'->' or '-'");
    take_paths(c, SYM_PLACE, "node or service", visit_link_side, &b);
    take_delay(c, &link);
    for (uint32_t i = 0; i < a.machines.n && !c->bad; i++)
        for (uint32_t j = 0; j < b.machines.n && !c->bad; j++) {
            link_add(c, at, a.machines.row[i], b.machines.row[j], link);
            if (both)
                link_add(c, at, b.machines.row[j], a.machines.row[i], link);
        }
}

static void top_net(struct compile *c)
{
    const struct token *at = c->t++;
    if (!at_word(c, "delay")) {
        net_link(c);
        return;
    }
    if (c->has_net)
        complain(c, at, "'net delay' stands in this case twice");
    c->has_net = true;
    take_delay(c, &c->link_default);
}

/* --- triggers ------------------------------------------------------------------------------------------------- */

static void top_at(struct compile *c)
{
    c->t++;
    if (take_word(c, "end")) {
        need_symbol(c, T_COLON);
        compile_expectation(c, EXPECT_END, 0, NULL);
    } else if (at_word(c, "most")) {
        compile_at_most(c);
    } else {
        ns time = take_duration(c, 0);
        need_symbol(c, T_COLON);
        if (at_word(c, "expect"))
            compile_expectation(c, EXPECT_AT, time, NULL);
        else if (!c->bad)
            compile_fault(c, time, NULL);
    }
}

static void top_before(struct compile *c)
{
    struct event event;
    c->t++;
    take_event(c, true, &event);
    if (at_word(c, "expect"))
        complain(c, c->t, "an expectation stands after an event, not before it");
    if (!c->bad)
        compile_fault(c, -1, &event);
}

static void top_after(struct compile *c)
{
    struct event event;
    c->t++;
    take_event(c, false, &event);
    if (at_word(c, "expect"))
        compile_expectation(c, EXPECT_AFTER, 0, &event);
    else if (!c->bad)
        compile_fault(c, -1, &event);
}

static void top_within(struct compile *c)
{
    c->t++;
    ns window = take_duration(c, 1);
    need_symbol(c, T_COLON);
    compile_expectation(c, EXPECT_WITHIN, window, NULL);
}

static void top_always(struct compile *c)
{
    c->t++;
    need_symbol(c, T_COLON);
    compile_expectation(c, EXPECT_ALWAYS, 0, NULL);
}

static void top_may(struct compile *c) { compile_may(c); }
static void top_ask(struct compile *c) { compile_ask(c); }

/* --- all lines ---------------------------------------------------------------------------------------------------- */

static const struct dispatch top_rows[] = {
#define X(name, group, built, handler, syntax, sentence, example) {name, built, handler},
    TOP_WORDS(X)
#undef X
};

bool is_top_word(const char *text)
{
    for (size_t i = 0; i < sizeof top_rows / sizeof *top_rows; i++)
        if (strcmp(top_rows[i].name, text) == 0)
            return true;
    return false;
}

bool is_header_word(const char *text)
{
    return strcmp(text, "scenario") == 0 || strcmp(text, "fencepost") == 0 || strcmp(text, "case") == 0;
}

static bool line_is_header(const struct compile *c, const struct line *line)
{
    const struct token *t = line_start(c->s, line);
    return t->kind == T_WORD && is_header_word(t->text);
}

static void take_top(struct compile *c)
{
    const struct line *line = c->line;
    if (line_is_block(c, line) && !at_word(c, "ask") && line->end > (uint32_t)(line - c->s->src.lines.row) + 1) {
        c->t = line_token(c->s, line, line->n - 1);
        complain(c, line_start(c->s, line), "no lines stand below this: what follows ':' stands on the same line");
        return;
    }
    if (at_word(c, "expect"))
        complain(c, c->t,
                 "an expectation stands behind 'at TIME:', 'at end:', 'after EVENT:', 'within D:' or 'always:'");
    else if (c->t->kind == T_WORD && is_fault_word(c->t->text))
        complain(c, c->t, "a fault stands behind 'at TIME:', 'before EVENT:' or 'after EVENT:'");
    else
        dispatch_word(c, top_rows, sizeof top_rows / sizeof *top_rows, "statement");
    statement_end(c);
}

static void compile_line(struct compile *c, const struct line *line)
{
    if (line_is_header(c, line) || line_is_program(c, line))
        return;
    statement_begin(c, line);
    take_line(c, take_top);
}

void compile_top(struct compile *c)
{
    const struct line *lines = c->s->src.lines.row;
    for (uint32_t i = 0; i < c->s->src.lines.n && !c->arena->failed; i++)
        if (lines[i].n > 0 && lines[i].depth == 0 && line_seen(c, &lines[i]))
            compile_line(c, &lines[i]);
}
