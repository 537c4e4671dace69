/* SPDX-License-Identifier: MIT
 *
 * steps.c - the steps of a program, one function a word.
 *
 * Each takes its words first and emits its instruction last, so that a problem emits nothing half-made.
 */
#include <string.h>

#include "scenarios/language/compile.h"
#include "scenarios/language/words.h"

/* --- parts that several steps have ------------------------------------------------------------------- */

static uint16_t take_lock(struct compile *c)
{
    uint32_t index = take_path(c, SYM_LOCK, "lock");
    return index == NONE32 ? NONE16 : symbol_at(c, index)->lock;
}

/* A lock that some program acquires. */
static uint16_t take_own_lock(struct compile *c)
{
    const struct token *at = c->t;
    uint16_t lock = take_lock(c);
    if (!c->bad && lock < c->acquired.n && !c->acquired.row[lock])
        complain(c, at, "no program acquires '%.60s'", at->text);
    return lock;
}

static void complain_held(struct compile *c, const struct variable *v, const char *what)
{
    const char *name = c->t->text;
    if (v->type == TYPE_BATCH)
        complain(c, c->t, "'%.40s' is a batch: take its jobs one by one, as in for job in %.40s:", name, name);
    else if (v->type == TYPE_ROW)
        complain(c, c->t, "'%.40s' is a row of a table, not %s: 'update' is what changes it", name, what);
    else
        complain(c, c->t, "'%.40s' is %s, not %s", name,
                 v->type == TYPE_GRANT ? "a grant"
                 : v->type == TYPE_JOB ? "a job"
                                       : "a value",
                 what);
}

/* Behind `for`: a job or row that a variable holds, or a lock. A row has no issuer of tokens: `writes` go without. */
static void take_acts_for(struct compile *c, struct instr *i, bool writes)
{
    const struct token *at = c->t;
    i->for_var = take_held(c, 1u << TYPE_JOB | 1u << TYPE_ROW, "a job");
    if (i->for_var == NONE16 && c->locks.n == 0 && c->queues.n + c->tables.n > 0)
        complain_no_variable(c);
    else if (i->for_var == NONE16)
        i->for_lock = take_own_lock(c);
    else if (!c->bad && writes && c->vars.row[i->for_var].type == TYPE_ROW)
        complain(c, at, "a store knows no tokens of rows: say which number it is, as in token %.40s.epoch", at->text);
}

/* `token EXPR` and `for LOCK`, in any order; false: neither is next. */
static bool take_authority(struct compile *c, struct instr *i)
{
    const struct token *at = c->t;
    if (take_word(c, "token")) {
        struct expr e = take_expr(c);
        if (!c->bad && e.type != TYPE_INT && e.type != TYPE_ANY)
            complain(c, at + 1, "a token is a number");
        if (e.constant && e.value < 0)
            complain(c, at + 1, "a token is not negative");
        i->token_expr = e.first;
        i->flags |= WRITE_TOKEN_EXPR;
    } else if (take_word(c, "for")) {
        take_acts_for(c, i, true);
    } else {
        return false;
    }
    if ((i->for_lock != NONE16 || i->for_var != NONE16) && i->token_expr != NONE32)
        complain(c, at, "'token' and 'for' exclude each other: both say whose token it is");
    return true;
}

uint16_t take_variable(struct compile *c)
{
    const struct token *t = take_name(c, "the name of a variable");
    uint32_t index = c->bad ? NONE32 : variable_find(c, t->text);
    return index == NONE32 ? NONE16 : (uint16_t)index;
}

uint16_t take_held(struct compile *c, uint32_t types, const char *what)
{
    uint32_t index = c->bad || c->t->kind != T_WORD ? NONE32 : variable_find(c, c->t->text);
    if (index == NONE32)
        return NONE16;
    const struct variable *v = &c->vars.row[index];
    variable_used(c, index);
    if (!(types >> v->type & 1))
        complain_held(c, v, what);
    else if (!v->set)
        complain(c, c->t, "variable '%.40s' has no value yet here", c->t->text);
    c->t++;
    return (uint16_t)index;
}

void complain_no_variable(struct compile *c)
{
    static const char expected[] = "a variable that holds a job, as in claim jobs as job";
    uint32_t n = 0, room = diags_full(c->diags) ? 0 : c->vars.n;
    const char **words = arena_alloc(c->arena, (room + 1) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < room; i++)
        if (c->vars.row[i].type == TYPE_JOB && c->vars.row[i].name[0] != '\0')
            words[n++] = c->vars.row[i].name;
    if (n > 0 && c->t->kind == T_WORD)
        complain_unknown(c, c->t, "job", words, n);
    else
        complain_expected(c, expected);
}

void no_option(struct compile *c, const char *const *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (at_word(c, words[i]))
            complain(c, c->t, "'%s' stands here twice", words[i]);
    if (c->t->kind == T_WORD && n > 0)
        complain_unknown(c, c->t, "word here", words, n);
    else
        complain_expected(c, "the end of the line");
}

/* A duration: a constant goes into the instruction, anything else is worked out when the step runs. */
static void take_time(struct compile *c, struct instr *i)
{
    const struct token *at = c->t;
    struct expr e = take_expr(c);
    if (c->bad)
        return;
    if (e.type != TYPE_NS && e.type != TYPE_ANY)
        complain(c, at, "expected a duration, as in 10s, found '%.40s'", at->text);
    else if (e.constant && e.value < 0)
        complain(c, at, "a duration cannot be less than 0s");
    else if (e.constant)
        i->duration = e.value;
    else
        i->expr = e.first;
}

/* --- locks ------------------------------------------------------------------------------------------------ */

bool take_waiting(struct compile *c, struct instr *i)
{
    const struct token *at = c->t;
    bool again = i->mode != ACQUIRE_BLOCK && (at_word(c, "try") || at_word(c, "within"));
    if (again) {
        complain(c, at, "'try' and 'within' exclude each other");
    } else if (take_word(c, "try")) {
        i->mode = ACQUIRE_TRY;
    } else if (take_word(c, "within")) {
        i->mode = ACQUIRE_WITHIN;
        i->duration = take_duration(c, 1);
    } else if (i->var == NONE16 && take_word(c, "as")) {
        i->var = take_variable(c);
    } else {
        return false;
    }
    return true;
}

static void step_acquire(struct compile *c)
{
    static const char *const words[] = {"try", "within", "as"};
    struct instr i = instr_none(OP_ACQUIRE);
    c->t++;
    i.lock = take_lock(c);
    while (!c->bad && c->t->kind != T_END)
        if (!take_waiting(c, &i))
            no_option(c, words, 3);
    emit_instr(c, i);
}

/* keep, check, release, force-release: a lock, or for the first two a job that a variable holds. */
static void step_lock(struct compile *c)
{
    static const struct {
        const char *word;
        enum op op;
    } ops[] = {{"keep", OP_KEEP}, {"check", OP_CHECK}, {"release", OP_RELEASE}, {"force-release", OP_FORCE_RELEASE}};
    struct instr i = instr_none(OP_CHECK);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (at_word(c, ops[k].word))
            i.op = (uint8_t)ops[k].op;
    c->t++;
    bool job = i.op == OP_KEEP || i.op == OP_CHECK;
    if (job)
        i.job_var = take_held(c, 1u << TYPE_JOB, "a job");
    if (job && i.job_var == NONE16 && c->locks.n == 0 && c->queues.n > 0)
        complain_no_variable(c);
    if (i.job_var == NONE16)
        i.lock = i.op == OP_FORCE_RELEASE ? take_lock(c) : take_own_lock(c);
    emit_instr(c, i);
}

/* --- stores ------------------------------------------------------------------------------------------------- */

/* A table's row or a store's register: what the word at c->t names decides. */
static bool row_is_next(struct compile *c)
{
    uint32_t index = c->t->kind == T_WORD ? symbol_find(c, c->t->text) : NONE32;
    bool known = index != NONE32 && symbol_at(c, index)->kinds & (SYM_STORE | SYM_TABLE);
    if (!known && c->tables.n > 0 && c->t->kind == T_WORD)
        symbol_unknown(c, c->t, c->t->text, SYM_STORE | SYM_TABLE, "store or table");
    return table_at(c, c->t) != NONE16;
}

static void step_read(struct compile *c)
{
    struct instr i = instr_none(OP_READ);
    c->t++;
    if (row_is_next(c)) {
        step_get(c);
        return;
    }
    i.reg = take_register(c);
    if (take_word(c, "as"))
        i.var = take_variable(c);
    else if (!c->bad)
        i.var = hidden_variable(c);
    emit_instr(c, i);
}

static void step_write(struct compile *c)
{
    static const char *const words[] = {"if", "token", "for"};
    struct instr i = instr_none(OP_WRITE);
    c->t++;
    if (table_at(c, c->t) != NONE16)
        complain(c, c->t, "'%.40s' is a table: its rows change by 'update'", c->t->text);
    i.reg = take_register(c);
    if (!c->bad && c->t->kind == T_END)
        complain_expected(c, "the value to write");
    i.expr = c->bad ? NONE32 : take_expr(c).first;
    while (!c->bad && c->t->kind != T_END) {
        if (take_word(c, "if")) {
            need_word(c, "unchanged");
            i.flags |= WRITE_IF_UNCHANGED;
        } else if (!take_authority(c, &i)) {
            no_option(c, words, 3);
        }
    }
    emit_instr(c, i);
}

static void take_authorities(struct compile *c, struct instr *i)
{
    static const char *const words[] = {"token", "for"};
    while (!c->bad && c->t->kind != T_END)
        if (!take_authority(c, i))
            no_option(c, words, 2);
}

static void step_delete(struct compile *c)
{
    struct instr i = instr_none(OP_DELETE);
    c->t++;
    if (row_variable_is_next(c) || row_is_next(c)) {
        step_erase(c);
        return;
    }
    i.reg = take_register(c);
    take_authorities(c, &i);
    emit_instr(c, i);
}

static void step_fence(struct compile *c)
{
    struct instr i = instr_none(OP_FENCE);
    c->t++;
    uint32_t store = take_path(c, SYM_STORE, "store");
    i.store = store == NONE32 ? NONE16 : symbol_at(c, store)->store;
    take_authorities(c, &i);
    emit_instr(c, i);
}

static void step_require(struct compile *c)
{
    struct instr i = instr_none(OP_REQUIRE);
    const struct token *at = ++c->t;
    uint32_t start = c->code.n;
    c->hidden_reads.n = 0;
    c->in_require = true;
    struct expr e = take_expr(c);
    c->in_require = false;
    if (!c->bad && e.type != TYPE_BOOL && e.type != TYPE_ANY)
        complain(c, at, "'require' needs a comparison");
    i.expr = e.first;
    emit_instr(c, i);
    for (uint32_t k = start; k + 1 < c->code.n; k++)
        c->code.row[k].jump = c->code.n; /* a read that fails fails the whole step: this is behind it */
}

/* --- the rest -------------------------------------------------------------------------------------------------- */

static void step_effect(struct compile *c)
{
    static const char *const words[] = {"key", "for"};
    struct instr i = instr_none(OP_EFFECT);
    c->t++;
    i.text = name_of(c, take_text(c));
    while (!c->bad && c->t->kind != T_END) {
        if (i.expr == NONE32 && take_word(c, "key"))
            i.expr = take_expr(c).first;
        else if (i.for_lock == NONE16 && i.for_var == NONE16 && take_word(c, "for"))
            take_acts_for(c, &i, false);
        else
            no_option(c, words, 2);
    }
    emit_instr(c, i);
}

static void step_ping(struct compile *c)
{
    struct instr i = instr_none(OP_PING);
    const struct token *at = ++c->t;
    i.duration = REQUEST_TIMEOUT_NS;
    uint32_t index = take_path(c, SYM_NODE | SYM_SERVICE, "node or service");
    if (index != NONE32) {
        const struct symbol *s = symbol_at(c, index);
        i.process = s->kinds & SYM_NODE ? s->program : s->service_process;
        if (!(s->kinds & SYM_NODE) && s->kinds & SYM_LOCK && c->locks.row[s->lock].kind == LOCK_QUORUM)
            complain(c, at, "'%.40s' is a quorum: ping one of its voters, as in ping %.40s.1", at->text, at->text);
    }
    if (take_word(c, "within"))
        i.duration = take_duration(c, 1);
    emit_instr(c, i);
}

static void step_work(struct compile *c)
{
    struct instr i = instr_none(OP_WORK);
    c->t++;
    take_time(c, &i);
    if (take_word(c, "for"))
        take_acts_for(c, &i, false);
    emit_instr(c, i);
}

static void step_wait(struct compile *c)
{
    struct instr i = instr_none(OP_WAIT);
    c->t++;
    if (take_word(c, "until")) {
        i.op = OP_WAIT_UNTIL;
        i.duration = take_duration(c, 0);
    } else {
        take_time(c, &i);
    }
    emit_instr(c, i);
}

static void step_let(struct compile *c)
{
    struct instr i = instr_none(OP_LET);
    c->t++;
    i.var = take_variable(c);
    need_symbol(c, T_EQ);
    c->in_let = true;
    struct expr e = c->bad ? (struct expr){NONE32, TYPE_ANY, false, 0} : take_expr(c);
    c->in_let = false;
    i.expr = e.first;
    if (!c->bad && i.var < c->vars.n && c->vars.row[i.var].sets == 1)
        c->vars.row[i.var].type = e.type;
    emit_instr(c, i);
}

static void step_stop(struct compile *c)
{
    c->t++;
    emit_instr(c, instr_none(OP_STOP));
}

static void dispatch_step(struct compile *c)
{
    static const struct dispatch rows[] = {
#define X(name, group, built, handler, syntax, sentence, example) {name, built, handler},
        STEP_WORDS(X)
#undef X
    };
    dispatch_word(c, rows, sizeof rows / sizeof *rows, "step");
}

static void dispatch_plain_step(struct compile *c)
{
    const struct line *line = c->line;
    dispatch_step(c);
    if (c->line == line)
        statement_end(c);
}

void compile_step(struct compile *c)
{
    uint32_t index = (uint32_t)(c->line - c->s->src.lines.row);
    if (at_word(c, "if") || at_word(c, "repeat") || at_word(c, "for"))
        dispatch_step(c);
    else
        take_step(c, dispatch_plain_step);
    variables_set(c, index, index + 1);
}
