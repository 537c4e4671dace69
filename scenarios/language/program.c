/* SPDX-License-Identifier: MIT
 *
 * program.c - programs: blocks, loops, `if`, handlers.
 *
 * The code of a program is laid out as
 *
 *     lines ...            a step with handlers of its own:   step
 *     OP_END                                                  OP_JUMP behind
 *     program-wide handlers, each ending in OP_RESUME         handler ... OP_JUMP behind, and so on
 *                                                             behind:
 *
 * Several nodes with the same program share its code.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- code ------------------------------------------------------------------------------------------ */

struct instr instr_none(enum op op)
{
    return (struct instr){.op = (uint8_t)op,
                          .lock = NONE16,
                          .for_lock = NONE16,
                          .reg = NONE16,
                          .store = NONE16,
                          .var = NONE16,
                          .process = NONE16,
                          .text = NONE16,
                          .queue = NONE16,
                          .job = NONE16,
                          .job_var = NONE16,
                          .for_var = NONE16,
                          .table = NONE16,
                          .row = NONE16,
                          .statement = NONE32,
                          .expr = NONE32,
                          .token_expr = NONE32,
                          .jump = NONE32};
}

void emit_instr(struct compile *c, struct instr i)
{
    i.line = c->line->number;
    *LIST_ADD(c->arena, &c->code) = i;
}

struct instr *emit(struct compile *c, enum op op)
{
    emit_instr(c, instr_none(op));
    return c->code.n > 0 ? &c->code.row[c->code.n - 1] : &c->code.spare;
}

static uint32_t emit_jump(struct compile *c, enum op op, uint32_t to)
{
    emit(c, op)->jump = to;
    return c->code.n - 1;
}

static void jump_here(struct compile *c, uint32_t from)
{
    if (from < c->code.n)
        c->code.row[from].jump = c->code.n;
}

/* The steps stand first in enum op. */
static bool can_fail(uint8_t op) { return op <= OP_PING; }

/* --- variables --------------------------------------------------------------------------------------- */

uint16_t hidden_variable(struct compile *c)
{
    *LIST_ADD(c->arena, &c->vars) = (struct variable){.name = "", .type = TYPE_ANY, .table = NONE16};
    return (uint16_t)(c->vars.n - 1);
}

static void variable_key(const struct compile *c, uint32_t variable, char *out, size_t size)
{
    uint32_t line = c->s->src.lines.row[c->program->line].number;
    snprintf(out, size, "%u:%s", line, c->vars.row[variable].name);
}

void variable_used(struct compile *c, uint32_t variable)
{
    char key[NAME_BYTES_MAX + 16];
    variable_key(c, variable, key, sizeof key);
    name_used(c, key);
}

typedef void (*variable_visit)(struct compile *c, const struct token *t, struct variable_kind kind);

static const char *kind_name(uint8_t type)
{
    return type == TYPE_GRANT   ? "a grant"
           : type == TYPE_JOB   ? "a job"
           : type == TYPE_BATCH ? "a batch"
           : type == TYPE_ROW   ? "a row"
                                : "a value";
}

/* How many variables stand behind one: of a row those of its columns, of a batch those of the queue's jobs. */
static uint32_t variables_behind(const struct compile *c, struct variable_kind kind)
{
    if (kind.table == NONE16)
        return 0;
    return kind.type == TYPE_ROW     ? c->tables.row[kind.table].columns
           : kind.type == TYPE_BATCH ? c->queues.row[kind.table].jobs
                                     : 0;
}

/* A new variable, and those that stand behind it. */
static uint32_t variable_add(struct compile *c, const char *name, struct variable_kind kind)
{
    uint32_t index = c->vars.n;
    *LIST_ADD(c->arena, &c->vars) = (struct variable){
        .name = name, .type = (uint8_t)kind.type, .reads = kind.reads, .table = kind.table};
    for (uint32_t n = variables_behind(c, kind); n > 0; n--)
        hidden_variable(c);
    return index;
}

static void check_kind(struct compile *c, const struct token *t, const struct variable *v, struct variable_kind kind)
{
    uint8_t have = v->type < TYPE_GRANT ? TYPE_ANY : v->type, more = (uint8_t)kind.type;
    if (have != more)
        complain(c, t, "'%.60s' is %s here and %s there: use two names", t->text, kind_name(have), kind_name(more));
    else if (have == TYPE_ROW && v->table != kind.table)
        complain(c, t, "'%.60s' is a row of one table here and of another there: use two names", t->text);
    else if (have == TYPE_BATCH && v->table != kind.table)
        complain(c, t, "'%.60s' is a batch of one queue here and of another there: use two names", t->text);
}

static void variable_declare(struct compile *c, const struct token *t, struct variable_kind kind)
{
    char key[NAME_BYTES_MAX + 16];
    uint32_t index = symbol_find(c, t->text);
    c->bad = false;
    if (word_reserved(t->text))
        complain(c, t, "'%s' is a word of the language: a variable needs another name", t->text);
    else if (index != NONE32 && symbol_at(c, index)->kinds != 0)
        complain_declared(c, t, index, 0);
    if (c->bad)
        return;
    uint32_t known = variable_find(c, t->text);
    if (known == NONE32)
        known = variable_add(c, t->text, kind);
    struct variable *v = known < c->vars.n ? &c->vars.row[known] : &c->vars.spare;
    check_kind(c, t, v, kind);
    v->reads &= kind.reads;
    v->sets++;
    if (known >= c->vars.n)
        return;
    variable_key(c, known, key, sizeof key);
    name_declared(c, t, key, "variable");
}

static void variable_has_value(struct compile *c, const struct token *t, struct variable_kind kind)
{
    uint32_t known = variable_find(c, t->text);
    (void)kind;
    if (known != NONE32)
        c->vars.row[known].set = 1;
}

static bool is_number_token(const struct compile *c, const struct token *t)
{
    uint32_t index = t->kind == T_WORD ? symbol_find(c, t->text) : NONE32;
    return t->kind == T_NUMBER || (index != NONE32 && c->symbols.row[index].kinds & SYM_PARAM);
}

static void kind_of_claim(struct compile *c, const struct token *step, struct variable_kind *kind)
{
    uint32_t index = step[1].kind == T_WORD ? symbol_find(c, step[1].text) : NONE32;
    kind->type = index != NONE32 && is_number_token(c, &step[2]) ? TYPE_BATCH : TYPE_JOB;
    if (kind->type == TYPE_BATCH && symbol_at(c, index)->kinds & SYM_QUEUE)
        kind->table = symbol_at(c, index)->queue;
}

/* What `as NAME` of this step names; false: nothing. */
static bool kind_of_as(struct compile *c, const struct token *step, struct variable_kind *kind)
{
    *kind = (struct variable_kind){TYPE_ANY, false, NONE16};
    if (token_is(step, "acquire"))
        kind->type = TYPE_GRANT;
    else if (token_is(step, "claim"))
        kind_of_claim(c, step, kind);
    else if (c->tables.n > 0 && statement_on_row(c, step, &kind->table))
        kind->type = TYPE_ROW;
    else if (token_is(step, "read"))
        kind->reads = true;
    else
        return false;
    return true;
}

/* `let NAME`, `for NAME in`, and `as NAME` of one step. */
static void step_variables(struct compile *c, const struct token *step, void *context)
{
    const variable_visit *visit = context;
    struct variable_kind kind;
    if (token_is(step, "let") && step[1].kind == T_WORD)
        (*visit)(c, &step[1], (struct variable_kind){TYPE_ANY, false, NONE16});
    else if (token_is(step, "for") && step[1].kind == T_WORD)
        (*visit)(c, &step[1], (struct variable_kind){TYPE_JOB, false, NONE16});
    else if (kind_of_as(c, step, &kind))
        for (const struct token *t = step + 1; t->kind != T_END; t++)
            if (token_is(t, "as") && t[1].kind == T_WORD)
                (*visit)(c, &t[1], kind);
}

void variables_set(struct compile *c, uint32_t from, uint32_t to)
{
    variable_visit visit = variable_has_value;
    visit_steps(c, from, to, step_variables, &visit);
}

static void find_variables(struct compile *c, const struct line *line)
{
    variable_visit visit = variable_declare;
    visit_steps(c, (uint32_t)(line - c->s->src.lines.row), line->end, step_variables, &visit);
    if (c->vars.n > VARIABLES_MAX)
        diag_add(c->diags, (struct place){line->number, 1, 1}, "a program has at most %u variables", VARIABLES_MAX);
}

/* --- blocks -------------------------------------------------------------------------------------------- */

/* The next line of the block that the case keeps, or the end. */
static uint32_t block_next(struct compile *c, struct block *b)
{
    const struct line *lines = c->s->src.lines.row;
    while (b->at < b->end && !line_seen(c, &lines[b->at]))
        b->at = lines[b->at].n == 0 ? b->at + 1 : lines[b->at].end;
    return b->at;
}

static bool next_is(struct compile *c, struct block *b, const char *word)
{
    uint32_t i = block_next(c, b);
    return i < b->end && token_is(line_start(c->s, &c->s->src.lines.row[i]), word);
}

/* Begins the statement of the next line and passes it, with the lines that belong to it. */
static void block_take(struct compile *c, struct block *b)
{
    const struct line *line = &c->s->src.lines.row[b->at];
    b->at = line->end;
    statement_begin(c, line);
}

static void compile_lines(struct compile *c, struct block *b);

/* Behind ':': one step on the same line, or the lines below. Leaves a new statement: c->t is used up. */
static void compile_body(struct compile *c)
{
    const struct line *lines = c->s->src.lines.row;
    need_symbol(c, T_COLON);
    uint32_t index = (uint32_t)(c->line - lines);
    if (!c->bad && c->t->kind != T_END) {
        if (at_word(c, "if") || at_word(c, "repeat") || at_word(c, "else") || at_word(c, "on") || at_word(c, "for"))
            complain(c, c->t, "'%s' stands on a line of its own", c->t->text);
        if (!c->bad)
            compile_step(c);
        return;
    }
    struct block below = {index + 1, c->line->end}, *outer = c->block;
    if (!c->bad && below.at == below.end)
        complain(c, c->t, "expected steps, on this line or indented below it");
    c->block = &below;
    compile_lines(c, &below);
    c->block = outer;
}

/* --- handlers --------------------------------------------------------------------------------------------- */

struct handler_rows {
    struct handler row[ERRORS];
    uint32_t jump[ERRORS];
    uint32_t n;
};

static int32_t take_error(struct compile *c)
{
    const char *words[ERRORS];
    for (int32_t e = 0; e < ERRORS; e++) {
        words[e] = error_table[e].name;
        if (take_word(c, words[e]))
            return e;
    }
    if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "error", words, ERRORS);
    else
        complain_expected(c, "the name of an error");
    return -1;
}

/* One `on ERROR:` and its lines; end: how they end. */
static void compile_on(struct compile *c, struct handler_rows *h, enum op end)
{
    const struct token *word = ++c->t;
    int32_t error = take_error(c);
    for (uint32_t i = 0; i < h->n; i++)
        if (error >= 0 && h->row[i].error == (uint32_t)error)
            complain(c, word, "there is an 'on %s' above already", word->text);
    bool store = !c->bad && h->n < ERRORS;
    if (store)
        h->row[h->n] = (struct handler){(uint32_t)error, c->code.n};
    if (c->t->kind == T_COLON && token_is(&c->t[1], "go") && !c->bad) {
        c->t += 2;
        need_word(c, "on");
        statement_end(c);
    } else {
        compile_body(c);
    }
    uint32_t jump = emit_jump(c, end, NONE32);
    if (store)
        h->jump[h->n++] = jump;
}

static struct ids handlers_add(struct compile *c, const struct handler_rows *h)
{
    struct ids ids = {c->handlers.n, h->n};
    for (uint32_t i = 0; i < h->n; i++)
        *LIST_ADD(c->arena, &c->handlers) = h->row[i];
    return ids;
}

/* The `on` lines behind a step whose code began at `start`. */
static void attach_handlers(struct compile *c, struct block *b, uint32_t start, bool plain)
{
    struct handler_rows h = {.n = 0};
    if (!next_is(c, b, "on"))
        return;
    uint32_t end = c->code.n;
    if (!plain || (end > start && !can_fail(c->code.row[end - 1].op))) {
        block_take(c, b);
        complain(c, c->t, "'on' stands behind a step that can fail, at the same depth, or first in a program");
        return;
    }
    uint32_t over = emit_jump(c, OP_JUMP, NONE32);
    while (next_is(c, b, "on")) {
        block_take(c, b);
        compile_on(c, &h, OP_JUMP);
    }
    jump_here(c, over);
    for (uint32_t i = 0; i < h.n; i++)
        jump_here(c, h.jump[i]);
    struct ids ids = handlers_add(c, &h);
    for (uint32_t i = start; i < end && i < c->code.n; i++)
        c->code.row[i].handlers = ids;
}

static void compile_lines(struct compile *c, struct block *b)
{
    while (block_next(c, b) < b->end && !c->arena->failed) {
        uint32_t start = c->code.n;
        bool plain = !line_is_block(c, &c->s->src.lines.row[b->at]);
        block_take(c, b);
        compile_step(c);
        attach_handlers(c, b, start, plain);
    }
}

void step_on(struct compile *c)
{
    complain(c, c->t, "'on' stands behind a step that can fail, at the same depth, or first in a program");
}

/* --- if, repeat ---------------------------------------------------------------------------------------------- */

void step_else(struct compile *c) { complain(c, c->t, "'else' stands behind the lines of an 'if', at its depth"); }

void step_if(struct compile *c)
{
    c->t++;
    const struct token *at = c->t;
    struct expr e = take_expr(c);
    if (!c->bad && e.type != TYPE_BOOL && e.type != TYPE_ANY)
        complain(c, at, "'if' needs a comparison");
    uint32_t unless = emit_jump(c, OP_UNLESS, NONE32);
    if (unless < c->code.n)
        c->code.row[unless].expr = e.first;
    compile_body(c);
    bool otherwise = next_is(c, c->block, "else");
    uint32_t over = otherwise ? emit_jump(c, OP_JUMP, NONE32) : NONE32;
    jump_here(c, unless);
    if (!otherwise)
        return;
    block_take(c, c->block);
    c->t++;
    compile_body(c);
    jump_here(c, over);
}

/* What a round sets the next one may use. */
static void loop_variables(struct compile *c)
{
    variables_set(c, (uint32_t)(c->line - c->s->src.lines.row), c->line->end);
}

static void repeat_every(struct compile *c)
{
    struct place at = token_place(&c->t[-2]);
    ns every = take_duration(c, 1);
    if (!block_says(c, c->line, "stop") && !c->program->timeless) {
        c->program->timeless = true;
        c->program->repeats = at;
    }
    uint16_t var = hidden_variable(c);
    emit(c, OP_EVERY_INIT)->var = var;
    uint32_t again = c->code.n;
    loop_variables(c);
    const struct line *line = c->line;
    compile_body(c);
    c->line = line;
    struct instr *next = emit(c, OP_EVERY_NEXT);
    next->var = var;
    next->duration = every;
    next->jump = again;
}

void step_repeat(struct compile *c)
{
    c->t++;
    if (take_word(c, "every")) {
        repeat_every(c);
        return;
    }
    const struct token *at = c->t;
    struct expr e = take_expr(c);
    if (!c->bad && e.type != TYPE_ANY && (e.type != TYPE_INT || (e.constant && e.value < 0)))
        complain(c, at, "'repeat' needs a count, or 'every' and a duration");
    uint16_t var = hidden_variable(c);
    struct instr *init = emit(c, OP_LOOP_INIT);
    init->var = var;
    init->expr = e.first;
    uint32_t next = emit_jump(c, OP_LOOP_NEXT, NONE32);
    if (next < c->code.n)
        c->code.row[next].var = var;
    const struct line *line = c->line;
    loop_variables(c);
    compile_body(c);
    c->line = line;
    emit_jump(c, OP_JUMP, next);
    jump_here(c, next);
}

/* for V in BATCH: */
void step_for(struct compile *c)
{
    c->t++;
    uint16_t job = take_variable(c), var = hidden_variable(c);
    need_word(c, "in");
    uint16_t batch = c->bad ? NONE16 : take_held(c, 1u << TYPE_BATCH, "a batch");
    if (!c->bad && batch == NONE16)
        complain_expected(c, "a batch, as in claim jobs 10 as batch");
    struct instr *init = emit(c, OP_FOR_INIT);
    init->var = var;
    init->job_var = batch;
    uint32_t next = emit_jump(c, OP_FOR_NEXT, NONE32);
    if (next < c->code.n) {
        c->code.row[next].var = var;
        c->code.row[next].job_var = job;
        c->code.row[next].for_var = batch;
    }
    const struct line *line = c->line;
    loop_variables(c);
    compile_body(c);
    c->line = line;
    emit_jump(c, OP_JUMP, next);
    jump_here(c, next);
}

/* --- programs --------------------------------------------------------------------------------------------------- */

/* Passes the `on` lines that stand first, to be compiled behind the program. */
static struct block skip_program_handlers(struct compile *c, struct block *b)
{
    struct block skipped = *b;
    while (next_is(c, b, "on"))
        b->at = c->s->src.lines.row[b->at].end;
    skipped.end = b->at;
    return skipped;
}

static void compile_lines_of_program(struct compile *c, const struct line *line)
{
    struct handler_rows h = {.n = 0};
    struct block lines = {(uint32_t)(line - c->s->src.lines.row) + 1, line->end};
    struct block handlers = skip_program_handlers(c, &lines);
    c->block = &lines;
    compile_lines(c, &lines);
    c->line = line;
    emit(c, OP_END);
    c->block = &handlers;
    while (block_next(c, &handlers) < handlers.end) {
        block_take(c, &handlers);
        compile_on(c, &h, OP_RESUME);
    }
    c->program->handlers = handlers_add(c, &h);
    c->block = NULL;
}

/* w1: stop */
static void compile_inline_program(struct compile *c)
{
    struct block none = {0, 0};
    c->block = &none;
    compile_body(c);
    emit(c, OP_END);
    c->block = NULL;
}

static void compile_program(struct compile *c, struct program *p)
{
    const struct line *line = &c->s->src.lines.row[p->line];
    c->program = p;
    c->vars.n = 0;
    c->line = line;
    find_variables(c, line);
    statement_begin(c, line);
    p->code = c->code.n;
    while (c->t->kind != T_COLON && c->t->kind != T_END)
        c->t++;
    if (line_is_block(c, line) && line->end > p->line + 1)
        compile_lines_of_program(c, line);
    else
        compile_inline_program(c);
    p->vars = c->vars.n;
    c->program = NULL;
}

void compile_programs(struct compile *c)
{
    uint32_t first_var = 0;
    for (uint32_t i = 0; i < c->programs.n && !c->arena->failed; i++)
        compile_program(c, &c->programs.row[i]);
    for (uint32_t i = 0; i < c->clients.n && !c->arena->failed; i++) {
        struct client_plan *client = &c->clients.row[i];
        const struct program *p = &c->programs.row[c->program_of.row[i]];
        if (client->keeps_for != NONE16)
            continue;
        client->code = p->code;
        client->vars = (uint16_t)p->vars;
        client->first_var = first_var;
        client->handlers = p->handlers;
        first_var += p->vars;
    }
}
