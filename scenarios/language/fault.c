/* SPDX-License-Identifier: MIT
 *
 * fault.c - what goes wrong, one function a word.
 *
 * A fault strikes processes (a suspension and a clock: the machines of theirs). What a name stands for:
 * a node's, its program, and its service too if that has the node's name; a service's, the service; a
 * quorum's, all its voters.
 */
#include <string.h>

#include "scenarios/language/compile.h"
#include "scenarios/language/words.h"

/* --- whom -------------------------------------------------------------------------------------------- */

/* The mark of a process, or thread, is the list that it was put into last: 1 + where that begins. */
static void ids_add(struct compile *c, uint32_t *mark, uint32_t first, uint16_t id)
{
    if (*mark == first + 1 && c->ids.n > first)
        return;
    *mark = first + 1;
    *LIST_ADD(c->arena, &c->ids) = id;
}

void ids_add_process(struct compile *c, uint32_t first, uint16_t process)
{
    while (c->marks.n < c->processes.n && !c->arena->failed)
        LIST_ADD(c->arena, &c->marks);
    if (process < c->marks.n)
        ids_add(c, &c->marks.row[process], first, process);
}

void ids_add_thread(struct compile *c, uint32_t first, uint16_t thread)
{
    while (c->thread_marks.n < c->threads.n && !c->arena->failed)
        LIST_ADD(c->arena, &c->thread_marks);
    if (thread < c->thread_marks.n)
        ids_add(c, &c->thread_marks.row[thread], first, thread);
}

void ids_fit(struct compile *c)
{
    if (c->ids.n > IDS_MAX)
        complain(c, c->t, "the faults of a scenario strike at most %u processes, all counted", IDS_MAX);
}

/* The first service that lives on a machine. */
static const char *service_on(const struct compile *c, uint16_t machine)
{
    for (uint32_t i = 0; i < c->symbols.n; i++)
        if (c->symbols.row[i].kinds & SYM_SERVICE && c->symbols.row[i].service_machine == machine)
            return name_text(c, c->symbols.row[i].name);
    return "";
}

static void visit_voters(struct compile *c, const struct lock_plan *lock, uint32_t first)
{
    for (uint32_t v = 0; v < lock->voters; v++)
        ids_add_process(c, first, voter_process(c, lock, v));
}

static bool is_quorum(const struct compile *c, const struct symbol *s)
{
    return s->kinds & SYM_LOCK && c->locks.row[s->lock].kind == LOCK_QUORUM;
}

void visit_processes(struct compile *c, uint32_t symbol, void *first_id)
{
    const struct symbol *s = symbol_at(c, symbol);
    uint32_t first = *(const uint32_t *)first_id;
    if (s->kinds & SYM_NODE)
        ids_add_process(c, first, s->program);
    if (is_quorum(c, s))
        visit_voters(c, &c->locks.row[s->lock], first);
    else if (s->kinds & SYM_SERVICE)
        ids_add_process(c, first, s->service_process);
    else if (!(s->kinds & SYM_NODE))
        complain(c, c->t - 1,
                 "nothing but services of other names runs on '%.40s': name one, as in '%.40s', or suspend it",
                 name_text(c, s->name), service_on(c, s->machine));
}

/* Some process of that machine stands for it. */
static void add_machine(struct compile *c, uint32_t first, uint16_t machine)
{
    if (machine < c->process_on.n && c->process_on.row[machine] != NONE16)
        ids_add_process(c, first, c->process_on.row[machine]);
}

static void each_machine(struct compile *c, uint32_t symbol, void (*visit)(struct compile *, uint16_t, void *),
                         void *context)
{
    const struct symbol *s = symbol_at(c, symbol);
    if (!is_quorum(c, s)) {
        visit(c, symbol_machine(c, symbol), context);
        return;
    }
    const struct lock_plan *lock = &c->locks.row[s->lock];
    for (uint32_t v = 0; v < lock->voters; v++)
        visit(c, c->processes.row[voter_process(c, lock, v)].machine, context);
}

static void visit_machine(struct compile *c, uint16_t machine, void *first_id)
{
    add_machine(c, *(const uint32_t *)first_id, machine);
}

static void visit_machines(struct compile *c, uint32_t symbol, void *first_id)
{
    each_machine(c, symbol, visit_machine, first_id);
}

struct ids take_processes(struct compile *c, const char *what)
{
    uint32_t first = c->ids.n;
    take_paths(c, SYM_PLACE, what, visit_processes, &first);
    return (struct ids){first, c->ids.n - first};
}

struct ids take_machines(struct compile *c)
{
    uint32_t first = c->ids.n;
    take_paths(c, SYM_PLACE, "node or service", visit_machines, &first);
    return (struct ids){first, c->ids.n - first};
}

static void visit_service(struct compile *c, uint32_t symbol, void *first_id)
{
    const struct symbol *s = symbol_at(c, symbol);
    uint32_t first = *(const uint32_t *)first_id;
    if (is_quorum(c, s))
        visit_voters(c, &c->locks.row[s->lock], first);
    else
        ids_add_process(c, first, s->service_process);
}

struct ids take_services(struct compile *c)
{
    uint32_t first = c->ids.n;
    take_paths(c, SYM_SERVICE, "service", visit_service, &first);
    return (struct ids){first, c->ids.n - first};
}

/* --- the fault in the making ---------------------------------------------------------------------------- */

static void note_text(struct compile *c, const struct token *from)
{
    if (!c->bad)
        c->fault.text = name_of(c, tokens_text(c->arena, from, c->t));
}

/* for D, holding: in any order, each once. */
static void take_for(struct compile *c)
{
    if (c->fault.duration == NS_NEVER && take_word(c, "for"))
        c->fault.duration = take_duration(c, 1);
}

static void take_for_holding(struct compile *c)
{
    take_for(c);
    c->fault.holding = take_word(c, "holding");
    take_for(c);
}

/* --- processes and machines ------------------------------------------------------------------------------ */

/* `pause w1.keeper`, `pause w1.main`: one thread alone. */
static bool take_thread(struct compile *c)
{
    char text[NAME_BYTES_MAX * 4];
    const struct token *at = c->t;
    if (at->kind != T_WORD || at[1].kind != T_DOT || at[2].kind == T_STAR)
        return false;
    take_path_text(c, text, sizeof text);
    uint32_t index = c->bad ? NONE32 : symbol_find(c, text);
    if (index == NONE32)
        complain_elsewhere(c, at, text, SYM_THREAD | SYM_MAIN);
    if (index == NONE32 || !(symbol_at(c, index)->kinds & (SYM_THREAD | SYM_MAIN))) {
        c->t = c->bad ? c->t : at;
        return false;
    }
    name_used(c, text);
    c->fault.thread = symbol_at(c, index)->thread;
    c->fault.a = (struct ids){c->ids.n, 1};
    *LIST_ADD(c->arena, &c->ids) = c->threads.row[c->fault.thread].process;
    return true;
}

static void fault_pause(struct compile *c)
{
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_PAUSE;
    if (!take_thread(c))
        c->fault.a = take_processes(c, "node, thread or service");
    else if (c->t->kind == T_WORD && !word_reserved(c->t->text))
        complain(c, c->t, "a line pauses one thread, or processes: the next thread has a line of its own");
    note_text(c, from);
    take_for(c);
}

static void fault_suspend(struct compile *c)
{
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_SUSPEND;
    c->fault.a = take_machines(c);
    note_text(c, from);
    take_for(c);
}

void take_losing(struct compile *c, uint8_t *losing)
{
    static const char *const words[] = {"unsynced", "everything"};
    if (*losing != LOSING_VOLATILE || !take_word(c, "losing"))
        return;
    if (take_word(c, "unsynced"))
        *losing = LOSING_UNSYNCED;
    else if (take_word(c, "everything"))
        *losing = LOSING_EVERYTHING;
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "loss", words, 2);
    else
        complain_expected(c, "'unsynced' or 'everything'");
}

static void fault_crash(struct compile *c)
{
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_CRASH;
    c->fault.a = take_processes(c, "node or service");
    note_text(c, from);
    take_losing(c, &c->fault.losing);
    take_for(c);
    take_losing(c, &c->fault.losing);
}

static void fault_wall(struct compile *c)
{
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_WALL_JUMP;
    c->fault.a = take_machines(c);
    note_text(c, from);
    need_word(c, "jumps");
    c->fault.amount = take_signed_duration(c);
}

static void take_slew(struct compile *c)
{
    const struct token *at = c->t;
    c->fault.kind = FAULT_SLEW;
    c->fault.amount = take_signed_duration(c);
    need_word(c, "over");
    c->fault.duration = take_duration(c, 1);
    ns size = c->fault.amount < 0 ? -c->fault.amount : c->fault.amount;
    if (!c->bad && size > c->fault.duration / 2)
        complain(c, at, "a clock is slewed by at most half of the time that it takes");
}

static void fault_clock(struct compile *c)
{
    static const char *const words[] = {"drifts", "slews"};
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_DRIFT;
    c->fault.a = take_machines(c);
    note_text(c, from);
    if (take_word(c, "drifts"))
        c->fault.ppb = take_ppb(c);
    else if (take_word(c, "slews"))
        take_slew(c);
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "word behind 'clock'", words, 2);
    else
        complain_expected(c, "'drifts' or 'slews'");
}

static void fault_slow(struct compile *c)
{
    const struct token *from = ++c->t;
    c->fault.kind = FAULT_SLOW;
    c->fault.a = take_services(c);
    note_text(c, from);
    need_word(c, "by");
    c->fault.amount = take_duration(c, 1);
    take_for(c);
}

static void fault_order(struct compile *c)
{
    uint32_t first = c->ids.n;
    c->fault.kind = FAULT_RESUME_ORDER;
    c->fault.order = take_word(c, "timers") ? RESUME_TIMERS_FIRST : RESUME_MESSAGES_FIRST;
    if (c->fault.order == RESUME_MESSAGES_FIRST)
        need_word(c, "messages");
    need_word(c, "first");
    const struct event *e = c->fault_event;
    if (!c->bad && (e == NULL || e->plan.before || e->plan.verb != V_RESUMES)) {
        complain(c, c->t - 2, "'%s first' stands behind 'after NAME resumes:'", c->t[-2].text);
        return;
    }
    if (c->bad)
        return;
    if (symbol_at(c, e->actor)->kinds & (SYM_THREAD | SYM_MAIN)) {
        c->fault.thread = symbol_at(c, e->actor)->thread;
        *LIST_ADD(c->arena, &c->ids) = c->threads.row[c->fault.thread].process;
    } else if (symbol_at(c, e->actor)->kinds & SYM_PLACE) {
        visit_processes(c, e->actor, &first);
    }
    c->fault.a = (struct ids){first, c->ids.n - first};
}

/* --- the network --------------------------------------------------------------------------------------------- */

struct side {
    uint32_t first;
    uint16_t number;
};

static void visit_side(struct compile *c, uint16_t machine, void *context)
{
    const struct side *s = context;
    uint16_t *of = s->first + machine < c->ids.n ? &c->ids.row[s->first + machine] : &c->ids.spare;
    if (*of != 0 && *of != s->number)
        complain(c, c->t - 1, "'%.40s' is on two sides", name_text(c, c->machines.row[machine].name));
    *of = s->number;
}

static void visit_sides(struct compile *c, uint32_t symbol, void *context)
{
    each_machine(c, symbol, visit_side, context);
}

static void fault_partition(struct compile *c)
{
    const struct token *from = ++c->t;
    struct side side = {c->ids.n, 0};
    c->fault.kind = FAULT_PARTITION;
    for (uint32_t i = 0; i < c->machines.n; i++)
        *LIST_ADD(c->arena, &c->ids) = 0;
    c->ids.spare = 0;
    do {
        side.number++;
        take_paths(c, SYM_PLACE, "node or service", visit_sides, &side);
    } while (take_symbol(c, T_BAR));
    if (!c->bad && side.number < 2)
        complain_expected(c, "'|' and the other side");
    c->fault.a = (struct ids){side.first, c->machines.n};
    note_text(c, from);
    take_for_holding(c);
}

struct link_ends take_link(struct compile *c, bool both_allowed)
{
    struct link_ends ends = {.from = take_processes(c, "node or service")};
    const struct token *sign = c->t;
    if (both_allowed && sign->kind == T_MINUS && sign->glued)
        complain(c, sign, "the '-' of a link stands between spaces");
    if (both_allowed && take_symbol(c, T_MINUS))
        ends.both_ways = true;
    else if (!take_symbol(c, T_ARROW))
        complain_expected(c, both_allowed ? "'->' or '-'" : "'->'");
    ends.to = take_processes(c, "node or service");
    return ends;
}

static void fault_link(struct compile *c, bool both_allowed)
{
    const struct token *from = c->t;
    struct link_ends ends = take_link(c, both_allowed);
    c->fault.a = ends.from;
    c->fault.b = ends.to;
    c->fault.both_ways = ends.both_ways;
    note_text(c, from);
}

static void fault_cut(struct compile *c)
{
    c->t++;
    c->fault.kind = FAULT_CUT;
    fault_link(c, true);
    take_for_holding(c);
}

static void fault_heal(struct compile *c)
{
    c->t++;
    c->fault.kind = FAULT_HEAL;
    c->fault.text = name_of(c, "everything");
}

static bool take_ordinal(struct compile *c)
{
    if (c->bad || c->t->kind != T_ORDINAL)
        return false;
    c->fault.ordinal = (uint32_t)c->t++->value;
    return true;
}

static void fault_message(struct compile *c)
{
    static const struct {
        const char *word, *amount;
        enum fault_kind kind;
    } rows[] = {{"delay", "by", FAULT_DELAY},
                {"drop", NULL, FAULT_DROP},
                {"duplicate", "after", FAULT_DUPLICATE},
                {"reorder", NULL, FAULT_REORDER}};
    size_t k = 0;
    while (k < 3 && !at_word(c, rows[k].word))
        k++;
    c->t++;
    c->fault.kind = (uint8_t)rows[k].kind;
    fault_link(c, false);
    bool ordinal = take_ordinal(c);
    if (rows[k].amount != NULL) {
        need_word(c, rows[k].amount);
        c->fault.amount = take_duration(c, 0);
    }
    if (!ordinal)
        take_ordinal(c);
}

/* --- one line -------------------------------------------------------------------------------------------------- */

static const struct dispatch fault_rows[] = {
#define X(name, group, built, handler, syntax, sentence, example) {name, built, handler},
    FAULT_WORDS(X)
#undef X
};

bool is_fault_word(const char *text)
{
    for (size_t i = 0; i < sizeof fault_rows / sizeof *fault_rows; i++)
        if (strcmp(fault_rows[i].name, text) == 0)
            return true;
    return false;
}

static void dispatch_fault(struct compile *c)
{
    dispatch_word(c, fault_rows, sizeof fault_rows / sizeof *fault_rows, "fault");
    statement_end(c);
}

void compile_fault(struct compile *c, ns at, const struct event *event)
{
    ids_fit(c);
    if (c->faults.n >= FAULTS_MAX)
        complain(c, c->t, "a scenario has at most %u faults", FAULTS_MAX);
    c->fault = (struct fault_plan){.thread = NONE16,
                                   .at = event == NULL ? at : -1,
                                   .duration = NS_NEVER,
                                   .ordinal = 1,
                                   .line = c->line->number,
                                   .text = NONE16};
    c->fault_event = event;
    if (!c->bad)
        dispatch_fault(c);
    if (c->bad)
        return;
    *LIST_ADD(c->arena, &c->faults) = c->fault;
    if (event == NULL)
        return;
    struct trigger_plan plan = event->plan;
    plan.fault = c->faults.n - 1;
    *LIST_ADD(c->arena, &c->triggers) = plan;
    *LIST_ADD(c->arena, &c->trigger_lines) = c->line->number;
}
