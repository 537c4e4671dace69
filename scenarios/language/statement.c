/* SPDX-License-Identifier: MIT
 *
 * statement.c - the statements that a program sends to a table: update, insert, delete, read.
 *
 *     update TABLE/KEY | first TABLE set COL EXPR ... [where EXPR] [as NAME]
 *     update ROW set COL EXPR ... [where EXPR]        ROW: a variable, as `update first` gives one
 *     insert TABLE/KEY COL EXPR ...
 *     delete TABLE/KEY | ROW [where EXPR]
 *     read TABLE/KEY [as NAME]
 *
 * A statement runs on the server: columns are read there, and so is `now`. What is the client's, a variable
 * or `me`, is worked out when the statement leaves, and goes with it: each such leaf is an expression of
 * its own, a capture.
 *
 * There is one `where`. It may go on in lines of their own that begin with `and` or `or`, so that a line
 * with a gate in brackets adds a condition:
 *
 *     update jobs/42 set state "done"
 *       where state = "running"
 *       [complete-token] and epoch = job.epoch
 */
#include "scenarios/language/compile.h"

static void statement_start(struct compile *c, uint16_t table, bool has_row)
{
    c->in_statement = true;
    c->has_row = has_row;
    c->statement_table = table;
    c->leaves.n = 0;
}

/* The statement with what it captures; its sets are those from first_set on. */
static uint32_t statement_add(struct compile *c, uint32_t first_set, uint32_t where)
{
    struct statement_plan s = {where, {first_set, c->sets.n - first_set}, {c->captures.n, c->leaves.n}};
    for (uint32_t i = 0; i < c->leaves.n; i++) {
        *LIST_ADD(c->arena, &c->captures) = c->exprs.n;
        *LIST_ADD(c->arena, &c->exprs) = c->leaves.row[i];
        *LIST_ADD(c->arena, &c->exprs) = (struct expr_op){EX_END, 0, 0, 0};
    }
    c->in_statement = false;
    *LIST_ADD(c->arena, &c->statements) = s;
    return c->statements.n - 1;
}

/* A line that begins with `and` or `or` goes on with the `where` above it, and says the same on one line. */
static void check_lines(struct compile *c)
{
    bool where = false, either = false;
    uint32_t open = 0;
    for (const struct token *t = c->t; t->kind != T_END; t++) {
        bool begins = t > c->t && t->line != t[-1].line, joins = token_is(t, "and") || token_is(t, "or");
        if (begins && joins && !where)
            complain(c, t, "'%s' goes on with a 'where', and no 'where' stands above it here", t->text);
        else if (begins && token_is(t, "and") && either)
            complain(c, t, "'and' binds more tightly than the 'or' above it: put that in parentheses");
        open += t->kind == T_LPAREN;
        open -= t->kind == T_RPAREN && open > 0;
        either = either || (where && open == 0 && token_is(t, "or"));
        where = where || token_is(t, "where");
    }
}

static uint32_t take_where(struct compile *c)
{
    const struct token *at = c->t;
    struct expr e = take_expr(c);
    if (!c->bad && e.type != TYPE_BOOL && e.type != TYPE_ANY)
        complain(c, at, "'where' needs a comparison");
    if (at_word(c, "where"))
        complain(c, c->t, "'where' stands here twice: go on with 'and' or 'or'");
    return e.first;
}

/* COL EXPR: one set. */
static void take_set(struct compile *c, uint32_t first_set)
{
    const struct token *name = take_name(c, "a column and its new value");
    uint32_t column = c->bad ? NONE32 : column_find(c, c->statement_table, name->text);
    if (!c->bad && column == NONE32)
        complain(c, name, "'%s' is a word of the language: expected a column and its new value", name->text);
    for (uint32_t i = first_set; i < c->sets.n && !c->bad; i++)
        if (c->sets.row[i].column == column)
            complain(c, name, "column '%.60s' stands here twice", name->text);
    const struct token *value = c->t;
    struct expr e = c->bad ? (struct expr){NONE32, TYPE_ANY, false, 0} : take_expr(c);
    if (c->bad)
        return;
    column_holds(c, value, c->statement_table, column, e.type);
    *LIST_ADD(c->arena, &c->sets) = (struct set_plan){column, e.first};
}

static void take_sets(struct compile *c, uint32_t first_set)
{
    do
        take_set(c, first_set);
    while (!c->bad && c->t->kind == T_WORD && !at_word(c, "where") && !at_word(c, "as"));
}

/* TABLE/KEY into the instruction. */
static void take_own_row(struct compile *c, struct instr *i)
{
    i->row = take_row(c);
    i->table = c->bad ? NONE16 : c->rows.row[i->row].table;
}

bool row_variable_is_next(const struct compile *c)
{
    uint32_t index = c->t->kind == T_WORD && c->t[1].kind != T_SLASH ? variable_find(c, c->t->text) : NONE32;
    return index != NONE32 && c->vars.row[index].type == TYPE_ROW;
}

/* The same, or a variable: which row it is shows when the step runs. */
static void take_some_row(struct compile *c, struct instr *i)
{
    if (!row_variable_is_next(c)) {
        take_own_row(c, i);
        return;
    }
    i->job_var = take_held(c, 1u << TYPE_ROW, "a row");
    i->table = c->bad ? NONE16 : c->vars.row[i->job_var].table;
}

/* first TABLE: whichever row matches first. */
static void take_first(struct compile *c, struct instr *i)
{
    c->t++;
    uint32_t index = take_path(c, SYM_TABLE, "table");
    i->table = index == NONE32 ? NONE16 : symbol_at(c, index)->table;
    if (!c->bad && c->t->kind == T_SLASH)
        complain(c, c->t, "'first' is of a whole table: without it for one row, as in update %.60s/...", c->t[-1].text);
}

void step_update(struct compile *c)
{
    static const char *const words[] = {"where", "as"};
    struct instr i = instr_none(OP_UPDATE);
    uint32_t where = NONE32, first_set = c->sets.n;
    c->t++;
    if (at_word(c, "first") && c->t[1].kind == T_WORD)
        take_first(c, &i);
    else
        take_some_row(c, &i);
    if (!c->bad)
        check_lines(c);
    need_word(c, "set");
    if (c->bad)
        return;
    statement_start(c, i.table, true);
    take_sets(c, first_set);
    while (!c->bad && c->t->kind != T_END) {
        if (where == NONE32 && take_word(c, "where"))
            where = take_where(c);
        else if (i.var == NONE16 && i.job_var == NONE16 && take_word(c, "as"))
            i.var = take_variable(c);
        else
            no_option(c, words, i.job_var == NONE16 ? 2 : 1);
    }
    i.statement = statement_add(c, first_set, where);
    emit_instr(c, i);
}

void step_insert(struct compile *c)
{
    struct instr i = instr_none(OP_INSERT);
    uint32_t first_set = c->sets.n;
    c->t++;
    take_own_row(c, &i);
    if (at_word(c, "set"))
        complain(c, c->t, "no 'set' stands behind 'insert': the columns and their values follow the row");
    if (c->bad)
        return;
    statement_start(c, i.table, false);
    take_sets(c, first_set);
    i.statement = statement_add(c, first_set, NONE32);
    emit_instr(c, i);
}

/* delete TABLE/KEY | ROW [where EXPR]; c->t is behind `delete`. */
void step_erase(struct compile *c)
{
    static const char *const words[] = {"where"};
    struct instr i = instr_none(OP_ERASE);
    uint32_t where = NONE32;
    take_some_row(c, &i);
    if (!c->bad)
        check_lines(c);
    if (c->bad)
        return;
    statement_start(c, i.table, true);
    if (take_word(c, "where"))
        where = take_where(c);
    else if (c->t->kind != T_END)
        no_option(c, words, 1);
    i.statement = statement_add(c, c->sets.n, where);
    emit_instr(c, i);
}

/* read TABLE/KEY [as NAME]; c->t is behind `read`. */
void step_get(struct compile *c)
{
    struct instr i = instr_none(OP_GET);
    take_own_row(c, &i);
    if (take_word(c, "as"))
        i.var = take_variable(c);
    emit_instr(c, i);
}
