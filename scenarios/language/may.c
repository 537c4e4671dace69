/* SPDX-License-Identifier: MIT
 *
 * may.c - what could go wrong. A run ignores these lines; searches choose among what they allow.
 *
 * Names stand for what they stand for in a fault (fault.c), and a fault that cannot strike somebody cannot be
 * allowed to either. A line without a name allows everything of its kind.
 */
#include "scenarios/language/compile.h"
#include "scenarios/language/words.h"

#define AT_MOST_MAX 64

/* --- whom ---------------------------------------------------------------------------------------------- */

static bool name_is_next(const struct compile *c)
{
    return !c->bad && c->t->kind == T_WORD && !word_reserved(c->t->text);
}

/* Of `w1 w1.keeper` the threads are one list and the processes another: each is read for itself. */
static void visit_only_processes(struct compile *c, uint32_t symbol, void *first_id)
{
    if (symbol_at(c, symbol)->kinds & SYM_PLACE)
        visit_processes(c, symbol, first_id);
}

static void visit_only_threads(struct compile *c, uint32_t symbol, void *first_id)
{
    const struct symbol *s = symbol_at(c, symbol);
    if (s->kinds & (SYM_THREAD | SYM_MAIN) && !(s->kinds & SYM_PLACE))
        ids_add_thread(c, *(const uint32_t *)first_id, s->thread);
}

static struct ids take_stoppable(struct compile *c, symbol_visit visit)
{
    uint32_t first = c->ids.n;
    take_paths(c, SYM_PLACE | SYM_THREAD | SYM_MAIN, "node, thread or service", visit, &first);
    return (struct ids){first, c->ids.n - first};
}

/* --- how much ------------------------------------------------------------------------------------------- */

static bool take_up_to(struct compile *c)
{
    if (!take_word(c, "up"))
        return false;
    need_word(c, "to");
    return !c->bad;
}

static void take_longest(struct compile *c)
{
    if (c->may.up_to == 0 && take_up_to(c))
        c->may.up_to = take_duration(c, 1);
}

/* `up to D`, `holding`: in any order, each once. */
static void take_longest_holding(struct compile *c)
{
    take_longest(c);
    c->may.holding = take_word(c, "holding");
    take_longest(c);
}

/* --- one function a kind ---------------------------------------------------------------------------------- */

static void may_pause(struct compile *c)
{
    const struct token *from = ++c->t;
    c->may.kind = FAULT_PAUSE;
    c->may.all = !name_is_next(c);
    if (!c->may.all) {
        c->may.processes = take_stoppable(c, visit_only_processes);
        c->t = c->bad ? c->t : from;
        c->may.threads = take_stoppable(c, visit_only_threads);
    }
    take_longest(c);
}

static void may_suspend(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_SUSPEND;
    c->may.all = !name_is_next(c);
    if (!c->may.all)
        c->may.processes = take_machines(c);
    take_longest(c);
}

static void may_crash(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_CRASH;
    c->may.all = !name_is_next(c);
    if (!c->may.all)
        c->may.processes = take_processes(c, "node or service");
    take_losing(c, &c->may.losing);
    take_longest(c);
    take_losing(c, &c->may.losing);
}

static void may_partition(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_PARTITION;
    c->may.all = !name_is_next(c);
    if (!c->may.all)
        c->may.processes = take_machines(c);
    take_longest_holding(c);
}

/* [A -> B | A - B] */
static void take_links(struct compile *c)
{
    c->may.all = !name_is_next(c);
    if (c->may.all)
        return;
    struct link_ends ends = take_link(c, true);
    c->may.processes = ends.from;
    c->may.to = ends.to;
    c->may.both_ways = ends.both_ways;
}

static void may_cut(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_CUT;
    take_links(c);
    take_longest_holding(c);
}

static void may_delay(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_DELAY;
    take_links(c);
    take_longest(c);
}

static void may_reorder(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_REORDER;
    take_links(c);
}

static void may_drop(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_DROP;
    take_links(c);
}

static void may_duplicate(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_DUPLICATE;
    take_links(c);
    take_longest(c);
}

static void may_slow(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_SLOW;
    c->may.all = !name_is_next(c);
    if (!c->may.all)
        c->may.processes = take_services(c);
    take_longest(c);
}

static void may_step(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_WALL_JUMP;
    need_word(c, "wall");
    c->may.all = !name_is_next(c);
    if (!c->may.all && !c->bad)
        c->may.processes = take_machines(c);
    take_longest(c);
}

static void may_drift(struct compile *c)
{
    c->t++;
    c->may.kind = FAULT_DRIFT;
    c->may.all = !name_is_next(c);
    if (!c->may.all)
        c->may.processes = take_machines(c);
    if (!take_up_to(c))
        return;
    const struct token *at = c->t;
    c->may.up_to_ppb = take_ppb(c);
    if (!c->bad && c->may.up_to_ppb <= 0)
        complain(c, at, "this has to be more than 0ppm: a clock may then be off by as much either way");
}

/* --- the lines ---------------------------------------------------------------------------------------------- */

void compile_may(struct compile *c)
{
    static const struct dispatch rows[] = {
#define X(name, group, built, handler, syntax, sentence, example) {name, built, handler},
        MAY_WORDS(X)
#undef X
    };
    c->t++;
    c->may = (struct may_plan){.line = c->line->number};
    ids_fit(c);
    if (!c->bad)
        dispatch_word(c, rows, sizeof rows / sizeof *rows, "fault that may happen");
    statement_end(c);
    if (!c->bad)
        *LIST_ADD(c->arena, &c->mays) = c->may;
}

void compile_at_most(struct compile *c)
{
    const struct token *at = c->t++;
    int64_t n = take_count(c, 1, AT_MOST_MAX, "a number of faults");
    if (!take_word(c, "fault"))
        need_word(c, "faults");
    if (c->has_at_most)
        complain(c, at, "'at most' stands in this case twice");
    statement_end(c);
    if (c->bad)
        return;
    c->has_at_most = true;
    c->at_most = (uint32_t)n;
}
