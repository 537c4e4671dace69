/* SPDX-License-Identifier: MIT
 *
 * expr.c - expressions: read by precedence, folded where constant, checked where a type is known,
 * and left as postfix code.
 *
 *     or  <  and  <  not  <  = != < <= > >=  <  + -
 *
 * What may stand in one depends on where it stands: variables in programs; registers and locks in
 * expectations; registers in `require`, which reads them first; clocks in `let`; columns in statements.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

static const char *const type_names[] = {"a value",     "none",    "a number", "a duration", "a text",
                                         "a yes or no", "a grant", "a job",    "a batch",    "a row"};

/* --- code -------------------------------------------------------------------------------------------- */

static struct expr expr_none(void) { return (struct expr){NONE32, TYPE_ANY, false, 0}; }

static struct expr push(struct compile *c, struct expr_op op, enum value_type type)
{
    struct expr e = {c->exprs.n, (uint8_t)type, op.code == EX_CONST, op.imm};
    *LIST_ADD(c->arena, &c->exprs) = op;
    if (++c->stack > EXPR_STACK)
        complain(c, c->t, "this expression needs more than %d values at once", EXPR_STACK);
    return e;
}

static struct expr push_const(struct compile *c, enum tag tag, int64_t v, enum value_type type)
{
    return push(c, (struct expr_op){EX_CONST, 0, (uint32_t)tag, v}, type);
}

static struct expr push_arg(struct compile *c, enum expr_code code, uint16_t arg, enum value_type type)
{
    return push(c, (struct expr_op){(uint16_t)code, arg, 0, 0}, type);
}

/* What is the client's: within a statement it is captured when that is sent, and goes with it. */
static struct expr push_client(struct compile *c, enum expr_code code, uint16_t arg, enum value_type type)
{
    if (!c->in_statement)
        return push_arg(c, code, arg, type);
    if (c->leaves.n >= CAPTURES_MAX)
        complain(c, c->t, "a statement takes at most %u values from its client", CAPTURES_MAX);
    *LIST_ADD(c->arena, &c->leaves) = (struct expr_op){(uint16_t)code, arg, 0, 0};
    return push_arg(c, EX_CAPTURE, (uint16_t)(c->leaves.n - 1), type);
}

/* --- operators ------------------------------------------------------------------------------------------ */

static bool is_number(uint8_t type) { return type == TYPE_INT || type == TYPE_NS || type == TYPE_ANY; }

/* The operator's types; complains if they cannot work together. */
static enum value_type check_types(struct compile *c, const struct token *at, enum expr_code op, struct expr a,
                                   struct expr b)
{
    bool known = a.type != TYPE_ANY && b.type != TYPE_ANY;
    if (op == EX_AND || op == EX_OR) {
        if ((a.type != TYPE_BOOL && a.type != TYPE_ANY) || (b.type != TYPE_BOOL && b.type != TYPE_ANY))
            complain(c, at, "'%s' stands between comparisons, not between %s and %s", at->text, type_names[a.type],
                     type_names[b.type]);
        return TYPE_BOOL;
    }
    bool arithmetic = op == EX_ADD || op == EX_SUB, none = a.type == TYPE_NONE || b.type == TYPE_NONE;
    if (!arithmetic && none)
        return TYPE_BOOL;
    bool ordered = op != EX_EQ && op != EX_NE;
    if ((ordered && (!is_number(a.type) || !is_number(b.type))) || (known && a.type != b.type))
        complain(c, at, "'%s' cannot stand between %s and %s", at->text, type_names[a.type], type_names[b.type]);
    if (!arithmetic)
        return TYPE_BOOL;
    return a.type == TYPE_ANY ? (enum value_type)b.type : (enum value_type)a.type;
}

static bool fold(enum expr_code op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case EX_ADD:
        if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
            return false;
        *out = a + b;
        return true;
    case EX_SUB:
        if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b)
            return false;
        *out = a - b;
        return true;
    case EX_EQ: *out = a == b; return true;
    case EX_NE: *out = a != b; return true;
    case EX_LT: *out = a < b; return true;
    case EX_LE: *out = a <= b; return true;
    case EX_GT: *out = a > b; return true;
    case EX_GE: *out = a >= b; return true;
    case EX_AND: *out = a && b; return true;
    case EX_OR: *out = a || b; return true;
    default: return false;
    }
}

static enum tag tag_of(enum value_type type)
{
    return type == TYPE_NS ? TAG_NS : type == TYPE_BOOL ? TAG_BOOL : TAG_INT;
}

static struct expr fold_binary(struct compile *c, const struct token *at, enum expr_code op, struct expr a,
                               struct expr b, enum value_type type)
{
    int64_t value = 0;
    if (!fold(op, a.value, b.value, &value) || (type == TYPE_NS && (value > NS_MAX || value < -NS_MAX)))
        complain(c, at, "this is too large a number");
    if (c->exprs.n < a.first + 2)
        return a;
    c->exprs.n = a.first;
    c->stack -= 2;
    return push_const(c, tag_of(type), value, type);
}

static struct expr binary(struct compile *c, const struct token *at, enum expr_code op, struct expr a, struct expr b)
{
    if (c->bad)
        return a;
    enum value_type type = check_types(c, at, op, a, b);
    bool plain = (a.type == TYPE_INT || a.type == TYPE_NS || a.type == TYPE_BOOL) && a.type == b.type;
    if (!c->bad && a.constant && b.constant && plain)
        return fold_binary(c, at, op, a, b, type);
    *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){(uint16_t)op, 0, 0, 0};
    c->stack--;
    return (struct expr){a.first, (uint8_t)type, false, 0};
}

static struct expr unary(struct compile *c, const struct token *at, enum expr_code op, struct expr a)
{
    bool fits = op == EX_NOT ? a.type == TYPE_BOOL || a.type == TYPE_ANY : is_number(a.type);
    if (!fits)
        complain(c, at, "'%s' cannot stand before %s", at->text, type_names[a.type]);
    if (c->bad || (a.constant && op == EX_NEG && c->exprs.n == 0))
        return a;
    if (a.constant) { /* the constant is the last op */
        struct expr_op *last = &c->exprs.row[c->exprs.n - 1];
        if (op == EX_NEG && last->imm == INT64_MIN) {
            complain(c, at, "this is too large a number");
            return a;
        }
        last->imm = op == EX_NEG ? -last->imm : !last->imm;
        a.value = last->imm;
        return a;
    }
    *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){(uint16_t)op, 0, 0, 0};
    return (struct expr){a.first, a.type, false, 0};
}

/* --- registers ----------------------------------------------------------------------------------------------- */

static void register_name(struct compile *c, uint16_t store, const char *key, char *out, size_t size)
{
    const char *name = name_text(c, c->stores.row[store].name);
    snprintf(out, size, "%s%s%s", name, key == NULL ? "" : "/", key == NULL ? "" : key);
}

uint16_t register_get(struct compile *c, uint16_t store, const char *key)
{
    char text[NAME_BYTES_MAX * 2 + 2];
    register_name(c, store, key, text, sizeof text);
    name_id name = name_of(c, text);
    while (c->register_of.n <= name && !c->arena->failed)
        LIST_ADD(c->arena, &c->register_of);
    if (c->arena->failed)
        return 0;
    if (c->register_of.row[name] != 0)
        return (uint16_t)(c->register_of.row[name] - 1);
    *LIST_ADD(c->arena, &c->registers) = (struct register_plan){name, store, key == NULL, 0};
    c->register_of.row[name] = c->registers.n;
    return (uint16_t)(c->registers.n - 1);
}

/* A store of which only keys are touched is no register itself. */
static void complain_keys(struct compile *c, const struct token *at, uint16_t store)
{
    for (uint32_t i = 0; i < c->registers.n; i++)
        if (c->registers.row[i].store == store)
            complain(c, at, "store '%.60s' has keys: say %.130s", name_text(c, c->stores.row[store].name),
                     name_text(c, c->registers.row[i].name));
}

/* An expectation makes no register: one that no program touches is a slip. */
static uint16_t register_known(struct compile *c, const struct token *at, uint16_t store, const char *key)
{
    char text[NAME_BYTES_MAX * 2 + 2];
    register_name(c, store, key, text, sizeof text);
    name_id name = name_known(c, text);
    if (name < c->register_of.n && c->register_of.row[name] != 0)
        return (uint16_t)(c->register_of.row[name] - 1);
    if (thing_elsewhere(c, text))
        return register_get(c, store, key);
    complain_thing_elsewhere(c, at, text);
    if (key == NULL)
        complain_keys(c, at, store);
    uint32_t n = diags_full(c->diags) ? 0 : c->registers.n;
    const char **words = arena_alloc(c->arena, (n + 1) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < n; i++)
        words[i] = name_text(c, c->registers.row[i].name);
    if (!c->bad && words != NULL)
        diag_unknown(c->diags, token_place(at), "register (no program touches it)", text, words, n);
    c->bad = true;
    return 0;
}

/* STORE[/KEY] */
static uint16_t take_store_key(struct compile *c, const char **key)
{
    uint32_t index = take_path(c, SYM_STORE, "store");
    *key = NULL;
    if (take_symbol(c, T_SLASH))
        *key = take_name(c, "a key behind '/'")->text;
    return index == NONE32 ? NONE16 : symbol_at(c, index)->store;
}

uint16_t take_register(struct compile *c)
{
    const struct token *at = c->t;
    const char *key;
    uint16_t store = take_store_key(c, &key);
    if (c->bad || store == NONE16)
        return 0;
    return c->in_expectation ? register_known(c, at, store, key) : register_get(c, store, key);
}

/* `require` reads a register into a hidden variable, once. */
static uint16_t read_first(struct compile *c, uint16_t reg)
{
    for (uint32_t i = 0; i < c->hidden_reads.n; i++)
        if (c->hidden_reads.row[i].reg == reg)
            return c->hidden_reads.row[i].var;
    uint16_t var = hidden_variable(c);
    struct instr *read = emit(c, OP_READ);
    read->reg = reg;
    read->var = var;
    *LIST_ADD(c->arena, &c->hidden_reads) = (struct hidden_read){reg, var};
    return var;
}

static struct expr primary_register(struct compile *c)
{
    const struct token *at = c->t;
    uint32_t index = symbol_find(c, at->text);
    uint16_t store = symbol_at(c, index)->store;
    if (!c->in_expectation && !c->in_require) {
        complain(c, at, "a program does not see into a store: read it first, as in read %.30s as x", at->text);
        return expr_none();
    }
    bool mark = at[1].kind == T_DOT && token_is(&at[2], "token");
    if (mark && c->in_expectation) {
        name_used(c, at->text);
        c->t += 3;
        return push_arg(c, EX_MARK, store, TYPE_INT);
    }
    if (mark) {
        name_used(c, at->text);
        c->t++;
    }
    uint16_t reg = mark ? register_get(c, store, NULL) : take_register(c);
    if (c->in_expectation)
        return push_arg(c, EX_REGISTER, reg, TYPE_ANY);
    uint16_t var = read_first(c, reg);
    bool token = c->t->kind == T_DOT && token_is(&c->t[1], "token");
    c->t += token ? 2 : 0;
    return push_arg(c, token ? EX_VAR_TOKEN : EX_VAR, var, token ? TYPE_INT : TYPE_ANY);
}

/* --- variables and the rest ------------------------------------------------------------------------------------ */

/* Names are texts of tokens, which are interned: the same name is the same address. */
uint32_t variable_find(const struct compile *c, const char *name)
{
    for (uint32_t i = 0; i < c->vars.n; i++)
        if (c->vars.row[i].name == name)
            return i;
    return NONE32;
}

/* .COLUMN behind a variable that holds a row; .token, where no column is called so, is the one that counts attempts. */
static struct expr row_field(struct compile *c, uint32_t index)
{
    const struct variable *v = &c->vars.row[index];
    const struct table_plan *table = &c->tables.row[v->table];
    const struct token *field = &c->t[1];
    bool token = token_is(field, "token") && column_find(c, v->table, "token") == NONE32 && table->token != NONE16;
    uint32_t column = token ? table->token : take_column(c, v->table);
    if (c->bad)
        return expr_none();
    c->t += token ? 2 : 0;
    uint8_t type = column_at(c, v->table, column)->type;
    return push_client(c, EX_VAR, (uint16_t)(index + 1 + column), (enum value_type)type);
}

/* What a variable is without a field. */
static struct expr whole_variable(struct compile *c, const struct token *at, uint32_t index)
{
    const struct variable *v = &c->vars.row[index];
    bool named = v->type == TYPE_JOB || v->type == TYPE_ROW; /* its value is its name, or key */
    if (v->type == TYPE_GRANT)
        complain(c, at, "'%.40s' is a grant: say %.40s.token", at->text, at->text);
    else if (v->type == TYPE_BATCH)
        complain(c, at, "'%.40s' is a batch: take its jobs one by one, as in for job in %.40s:", at->text, at->text);
    return push_client(c, EX_VAR, (uint16_t)index, named ? TYPE_TEXT : (enum value_type)v->type);
}

static struct expr primary_variable(struct compile *c, uint32_t index)
{
    static const char *const words[] = {"token", "version"};
    const struct variable *v = &c->vars.row[index];
    const struct token *at = c->t++;
    variable_used(c, index);
    if (!v->set)
        complain(c, at, "variable '%.40s' has no value yet here", at->text);
    if (c->t->kind != T_DOT || v->type == TYPE_BATCH)
        return whole_variable(c, at, index);
    if (v->type == TYPE_ROW)
        return row_field(c, index);
    const struct token *field = ++c->t;
    bool has_token = v->reads || v->type == TYPE_GRANT || v->type == TYPE_JOB;
    bool version = token_is(field, "version") && v->reads;
    if (!version && !(token_is(field, "token") && has_token))
        complain_unknown(c, field, "field", words, v->reads ? 2 : has_token ? 1 : 0);
    else
        c->t++;
    return push_client(c, version ? EX_VAR_VERSION : EX_VAR_TOKEN, (uint16_t)index, TYPE_INT);
}

/* --- tables ---------------------------------------------------------------------------------------------------- */

/* The column that the word at c->t names, within a statement; NONE32: none. A row that is inserted has no values
 * yet. */
static uint32_t column_here(struct compile *c)
{
    if (!c->in_statement || c->t[1].kind == T_DOT || c->t[1].kind == T_SLASH)
        return NONE32;
    uint32_t column = column_find(c, c->statement_table, c->t->text);
    if (c->has_row || column == NONE32)
        return column;
    if (variable_find(c, c->t->text) == NONE32)
        complain(c, c->t, "'%.60s' is a column: a row that is inserted has no values before", c->t->text);
    return NONE32;
}

static struct expr primary_column(struct compile *c, uint32_t column)
{
    c->t++;
    column_used(c, c->statement_table, column);
    uint8_t type = column_at(c, c->statement_table, column)->type;
    return push_arg(c, EX_COLUMN, (uint16_t)column, (enum value_type)type);
}

/* What this case does not have, though another does. */
static struct expr push_absent(struct compile *c, enum tag tag, int64_t v, enum value_type type)
{
    struct expr e = push_const(c, tag, v, type);
    e.constant = false;
    return e;
}

/* TABLE/KEY.COLUMN */
static struct expr primary_cell(struct compile *c)
{
    const struct token *at = c->t;
    uint16_t table = table_at(c, at);
    if (!c->in_expectation)
        complain(c, at, "a program does not see into a table: read the row first, as in read %.30s/... as row",
                 at->text);
    uint16_t row = take_row(c);
    if (!c->bad && c->t->kind != T_DOT)
        complain_expected(c, "'.' and a column");
    uint32_t column = c->bad ? NONE32 : take_column(c, table);
    if (c->bad)
        return expr_none();
    if (row == NONE16)
        return push_absent(c, TAG_NONE, 0, TYPE_NONE);
    return push_arg(c, EX_CELL, (uint16_t)cell_of(c, row, column), (enum value_type)column_at(c, table, column)->type);
}

/* --- jobs ------------------------------------------------------------------------------------------------------ */

static bool job_is_next(const struct compile *c) { return at_word(c, "job") && c->t[1].kind == T_STRING; }

static enum job_phase take_phase(struct compile *c)
{
    static const char *const words[] = {"absent", "waiting", "running", "completed", "dead"};
    for (int p = JOB_ABSENT; p <= JOB_DEAD; p++)
        if (take_word(c, words[p]))
            return (enum job_phase)p;
    if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "state of a job", words, 5);
    else
        complain_expected(c, "the state of the job, as in completed");
    return JOB_ABSENT;
}

/* job "NAME" completed [by NODE] ... */
static struct expr primary_job(struct compile *c)
{
    c->t++;
    uint16_t job = take_job(c);
    const struct token *at = c->t;
    enum job_phase phase = c->bad ? JOB_ABSENT : take_phase(c);
    int64_t by = 0;
    if (take_word(c, "by")) {
        uint32_t node = take_path(c, SYM_NODE, "node");
        by = node == NONE32 ? 0 : 1 + symbol_at(c, node)->program;
        if (phase != JOB_RUNNING && phase != JOB_DONE)
            complain(c, at + 1, "'by' stands behind 'completed' and 'running'");
    }
    if (c->bad)
        return expr_none();
    if (job == NONE16)
        return push_absent(c, TAG_BOOL, phase == JOB_ABSENT, TYPE_BOOL);
    return push(c, (struct expr_op){EX_JOB, job, 0, by << 8 | phase}, TYPE_BOOL);
}

/* LOCK, job "NAME" or TABLE/KEY. NONE16: bad, or another case has it. */
static uint16_t take_resource(struct compile *c)
{
    if (job_is_next(c)) {
        c->t++;
        uint16_t job = take_job(c);
        return job == NONE16 ? NONE16 : (uint16_t)(c->locks.n + job);
    }
    if (table_at(c, c->t) != NONE16) {
        uint16_t row = take_row(c);
        return row == NONE16 ? NONE16 : (uint16_t)(c->locks.n + c->jobs.n + row);
    }
    uint32_t lock = take_path(c, SYM_LOCK, "lock");
    return lock == NONE32 ? NONE16 : symbol_at(c, lock)->lock;
}

bool holds_is_next(struct compile *c)
{
    const struct token *t = c->t;
    if (t->kind != T_WORD || !(token_is(&t[1], "holds") || token_is(&t[1], "believes")))
        return false;
    uint32_t lock = t[2].kind == T_WORD ? symbol_find(c, t[2].text) : NONE32;
    uint32_t node = symbol_find(c, t->text);
    bool is_lock = lock != NONE32 && symbol_at(c, lock)->kinds & SYM_LOCK && t[3].kind != T_DOT;
    bool is_job = token_is(&t[2], "job") && t[3].kind == T_STRING;
    return is_lock || is_job || (node != NONE32 && symbol_at(c, node)->kinds & SYM_NODE);
}

static struct expr primary_holds(struct compile *c)
{
    uint32_t node = take_path(c, SYM_NODE, "node");
    bool holds = !c->bad && token_is(c->t, "holds");
    c->t += !c->bad;
    if (!c->bad && !holds && table_at(c, c->t) != NONE16)
        complain(c, c->t, "nobody believes in a row: a table's client has no check of its own; say 'holds'");
    uint16_t resource = take_resource(c);
    if (c->bad)
        return expr_none();
    if (resource == NONE16)
        return push_absent(c, TAG_BOOL, 0, TYPE_BOOL);
    struct expr_op op = {holds ? EX_HOLDS : EX_BELIEVES, resource, 0, symbol_at(c, node)->program};
    return push(c, op, TYPE_BOOL);
}

/* token LOCK | job "NAME" | TABLE/KEY */
static struct expr primary_last_token(struct compile *c)
{
    c->t++;
    uint16_t resource = take_resource(c);
    if (c->bad)
        return expr_none();
    return resource == NONE16 ? push_absent(c, TAG_NONE, 0, TYPE_NONE) : push_arg(c, EX_LOCK_TOKEN, resource, TYPE_INT);
}

static struct expr primary_clock(struct compile *c)
{
    enum clock_kind clock = token_is(c->t, "wall")        ? CLOCK_WALL
                            : token_is(c->t, "monotonic") ? CLOCK_MONOTONIC
                                                          : CLOCK_BOOTTIME;
    if (!c->in_let)
        complain(c, c->t, "a clock is read by 'let', as in let t = %s", c->t->text);
    c->t++;
    return push_arg(c, EX_CLOCK, (uint16_t)clock, TYPE_NS);
}

static struct expr primary_literal(struct compile *c, const struct token *literal)
{
    if (literal->kind == T_PPM) {
        complain_expected(c, "a value");
        return expr_none();
    }
    c->t++;
    if (literal->kind == T_STRING)
        return push_const(c, TAG_TEXT, name_of(c, literal->text), TYPE_TEXT);
    bool number = literal->kind == T_NUMBER;
    return push_const(c, number ? TAG_INT : TAG_NS, literal->value, number ? TYPE_INT : TYPE_NS);
}

static struct expr unknown_value(struct compile *c)
{
    const char *words[72 + COLUMNS_MAX];
    uint32_t n = 0;
    for (uint32_t k = 0; c->in_statement && c->has_row && k < c->tables.row[c->statement_table].columns; k++)
        words[n++] = name_text(c, column_at(c, c->statement_table, k)->name);
    uint32_t most = n + 64;
    for (uint32_t i = 0; i < c->vars.n && n < most; i++)
        if (c->vars.row[i].name[0] != '\0')
            words[n++] = c->vars.row[i].name;
    for (uint32_t i = 0; i < c->symbols.n && n < most; i++)
        if (c->symbols.row[i].kinds & SYM_PARAM ||
            (c->symbols.row[i].kinds & SYM_STORE && (c->in_expectation || c->in_require)) ||
            (c->symbols.row[i].kinds & SYM_TABLE && c->in_expectation))
            words[n++] = name_text(c, c->symbols.row[i].name);
    words[n++] = "none";
    if (!c->in_expectation)
        words[n++] = "me";
    if (c->in_statement)
        words[n++] = "now";
    if (c->t->kind == T_WORD)
        complain_elsewhere(c, c->t, c->t->text, SYM_PARAM | SYM_STORE | SYM_TABLE | SYM_NODE);
    bool clause = c->in_statement && (at_word(c, "where") || at_word(c, "set"));
    if (c->t->kind == T_WORD && !word_reserved(c->t->text) && !clause)
        complain_unknown(c, c->t, "value", words, n);
    else
        complain_expected(c, "a value");
    return expr_none();
}

/* A node's name is what `me` is on a node without an identity of its own. */
static struct expr primary_node(struct compile *c, uint32_t index)
{
    name_used(c, c->t->text);
    c->t++;
    struct expr e = push_const(c, TAG_NAME, symbol_at(c, index)->name, TYPE_ANY);
    e.constant = false;
    return e;
}

static struct expr primary_word(struct compile *c)
{
    uint32_t column = column_here(c);
    if (column != NONE32)
        return primary_column(c, column);
    if (c->bad)
        return expr_none();
    if (c->in_statement && take_word(c, "now"))
        return push_arg(c, EX_NOW, 0, TYPE_NS);
    uint32_t variable = c->in_expectation ? NONE32 : variable_find(c, c->t->text);
    if (variable != NONE32)
        return primary_variable(c, variable);
    if (take_word(c, "none"))
        return push_const(c, TAG_NONE, 0, TYPE_NONE);
    if (!c->in_expectation && take_word(c, "me"))
        return push_client(c, EX_ME, 0, TYPE_ANY);
    if (at_word(c, "wall") || at_word(c, "monotonic") || at_word(c, "boottime"))
        return primary_clock(c);
    if (c->in_expectation && at_word(c, "token"))
        return primary_last_token(c);
    if (c->in_expectation && job_is_next(c))
        return primary_job(c);
    if (c->in_expectation && holds_is_next(c))
        return primary_holds(c);
    uint32_t index = symbol_find(c, c->t->text);
    if (index != NONE32 && symbol_at(c, index)->kinds & SYM_STORE)
        return primary_register(c);
    if (index != NONE32 && symbol_at(c, index)->kinds & SYM_TABLE)
        return primary_cell(c);
    if (index != NONE32 && symbol_at(c, index)->kinds & SYM_NODE)
        return primary_node(c, index);
    return unknown_value(c);
}

static struct expr parse_or(struct compile *c);

static struct expr parenthesis(struct compile *c)
{
    if (c->parentheses++ >= PARENTHESES_MAX)
        complain(c, c->t, "parentheses nest at most %u deep", PARENTHESES_MAX);
    c->t++;
    struct expr e = c->bad ? expr_none() : parse_or(c);
    need_symbol(c, T_RPAREN);
    c->parentheses--;
    return e;
}

static struct expr parse_value(struct compile *c)
{
    const struct token *literal = peek_literal(c);
    if (c->t->kind == T_LPAREN)
        return parenthesis(c);
    if (literal != NULL)
        return primary_literal(c, literal);
    return c->t->kind == T_WORD ? primary_word(c) : unknown_value(c);
}

static struct expr parse_primary(struct compile *c)
{
    if (c->bad)
        return expr_none();
    const struct token *at = c->t;
    if (at->kind != T_MINUS)
        return parse_value(c);
    if (!at->glued)
        complain(c, at, "a minus sign before a value stands right before it; between two, between spaces");
    c->t++;
    return c->bad ? expr_none() : unary(c, at, EX_NEG, parse_value(c));
}

static struct expr parse_sum(struct compile *c)
{
    struct expr e = parse_primary(c);
    while (!c->bad && (c->t->kind == T_PLUS || c->t->kind == T_MINUS)) {
        const struct token *op = c->t++;
        if (op->glued)
            complain(c, op, "'%s' between two values stands between spaces", op->text);
        e = binary(c, op, op->kind == T_PLUS ? EX_ADD : EX_SUB, e, parse_primary(c));
    }
    return e;
}

static struct expr parse_comparison(struct compile *c)
{
    struct expr e = parse_sum(c);
    if (c->bad || c->t->kind < T_EQ || c->t->kind > T_GE)
        return e;
    const struct token *op = c->t++;
    e = binary(c, op, (enum expr_code)(EX_EQ + (op->kind - T_EQ)), e, parse_sum(c));
    if (!c->bad && c->t->kind >= T_EQ && c->t->kind <= T_GE)
        complain(c, c->t, "comparisons do not chain: say a < b and b < c");
    return e;
}

static struct expr parse_not(struct compile *c)
{
    const struct token *at = NULL;
    bool odd = false;
    while (at_word(c, "not")) {
        at = c->t++;
        odd = !odd;
    }
    struct expr e = parse_comparison(c);
    if (at == NULL)
        return e;
    e = unary(c, at, EX_NOT, e);
    return odd ? e : unary(c, at, EX_NOT, e);
}

static struct expr parse_and(struct compile *c)
{
    struct expr e = parse_not(c);
    while (at_word(c, "and")) {
        const struct token *op = c->t++;
        e = binary(c, op, EX_AND, e, parse_not(c));
    }
    return e;
}

static struct expr parse_or(struct compile *c)
{
    struct expr e = parse_and(c);
    while (at_word(c, "or")) {
        const struct token *op = c->t++;
        e = binary(c, op, EX_OR, e, parse_and(c));
    }
    return e;
}

struct expr take_expr(struct compile *c)
{
    c->parentheses = c->stack = 0;
    struct expr e = parse_or(c);
    *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){EX_END, 0, 0, 0};
    return c->bad ? expr_none() : e;
}
