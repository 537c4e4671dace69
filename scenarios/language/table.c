/* SPDX-License-Identifier: MIT
 *
 * table.c - tables of one's own: their lines, their columns, rows and cells.
 *
 *     table NAME [at NODE]         `at NODE` may stand below too
 *       as queue owner COL [token COL] [until COL] [running COL = VALUE ...] done COL = VALUE [or VALUE ...]
 *       row KEY COL VALUE ...
 *
 * A table has the columns that its lines and the statements of programs name, and the rows that its lines
 * list or some program inserts. So the programs are looked through before any of them is compiled: the
 * numbers of rows, columns and cells are settled when the first expression names one. What a column holds,
 * numbers or texts or durations, is what the first line that puts a literal into it says.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- columns ---------------------------------------------------------------------------------------- */

uint32_t column_find(const struct compile *c, uint16_t table, const char *text)
{
    name_id name = name_known(c, text);
    uint32_t k = 0;
    for (uint32_t i = 0; name != NONE16 && i < c->columns.n; i++) {
        if (c->columns.row[i].table != table)
            continue;
        if (c->columns.row[i].name == name)
            return k;
        k++;
    }
    return NONE32;
}

struct column *column_at(struct compile *c, uint16_t table, uint32_t column)
{
    for (uint32_t i = 0; i < c->columns.n; i++)
        if (c->columns.row[i].table == table && column-- == 0)
            return &c->columns.row[i];
    return &c->columns.spare;
}

static void column_key(struct compile *c, uint16_t table, uint32_t column, char *out, size_t size)
{
    snprintf(out, size, "%s:%s", name_text(c, c->tables.row[table].name),
             name_text(c, column_at(c, table, column)->name));
}

void column_used(struct compile *c, uint16_t table, uint32_t column)
{
    char key[NAME_BYTES_MAX * 2 + 2];
    column_key(c, table, column, key, sizeof key);
    name_used(c, key);
}

/* A word that says something else where a column's name can stand. */
static bool column_reserved(const char *text)
{
    static const char *const words[] = {"and", "or", "not", "none", "now", "me", "where", "as", "for"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return false;
}

/* The column of this name, made if there is none; NONE32 and a problem if it cannot be. */
static uint32_t column_make(struct compile *c, const struct token *at, uint16_t table)
{
    uint32_t found = column_find(c, table, at->text);
    if (found != NONE32)
        return found;
    struct table_plan *t = &c->tables.row[table];
    if (column_reserved(at->text))
        complain(c, at, "'%s' is a word of the language: a column needs another name", at->text);
    else if (t->columns >= COLUMNS_MAX)
        complain(c, at, "a table has at most %u columns", COLUMNS_MAX);
    if (c->bad)
        return NONE32;
    *LIST_ADD(c->arena, &c->columns) = (struct column){name_of(c, at->text), table, TYPE_ANY};
    return t->columns++;
}

void column_holds(struct compile *c, const struct token *at, uint16_t table, uint32_t column, uint8_t type)
{
    static const char *const many[] = {
        [TYPE_INT] = "numbers", [TYPE_NS] = "durations", [TYPE_TEXT] = "texts", [TYPE_BOOL] = "yes or no"};
    static const char *const one[] = {
        [TYPE_INT] = "a number", [TYPE_NS] = "a duration", [TYPE_TEXT] = "a text", [TYPE_BOOL] = "a yes or no"};
    if (c->bad || type == TYPE_ANY || type == TYPE_NONE)
        return;
    struct column *held = column_at(c, table, column);
    if (held->type == TYPE_ANY)
        held->type = type;
    else if (held->type != type)
        complain(c, at, "column '%.60s' holds %s, not %s", name_text(c, held->name), many[held->type], one[type]);
}

/* --- values ------------------------------------------------------------------------------------------- */

/* A literal with its sign, a param, or none. */
static struct word_value take_cell(struct compile *c, uint8_t *type)
{
    const struct token *at = c->t, *t = at->kind == T_MINUS && at->glued ? at + 1 : at;
    *type = TYPE_NONE;
    if (take_word(c, "none"))
        return (struct word_value){0, TAG_NONE};
    c->t = t;
    const struct token *literal = c->bad ? NULL : peek_literal(c);
    bool wrong = literal == NULL || literal->kind == T_PPM || (t != at && literal->kind == T_STRING);
    c->t = wrong ? at : t + 1;
    if (wrong) {
        complain_expected(c, "a number, a duration, a text or none");
        return (struct word_value){0, TAG_NONE};
    }
    *type = literal->kind == T_STRING ? TYPE_TEXT : literal->kind == T_NUMBER ? TYPE_INT : TYPE_NS;
    if (literal->kind == T_STRING)
        return (struct word_value){name_of(c, literal->text), TAG_TEXT};
    return (struct word_value){t != at ? -literal->value : literal->value, *type == TYPE_INT ? TAG_INT : TAG_NS};
}

/* --- rows --------------------------------------------------------------------------------------------- */

static name_id row_name(struct compile *c, uint16_t table, const char *key)
{
    char text[NAME_BYTES_MAX * 2 + 2];
    snprintf(text, sizeof text, "%s/%.*s", name_text(c, c->tables.row[table].name), (int)NAME_BYTES_MAX, key);
    return name_of(c, text);
}

static uint16_t row_find(const struct compile *c, name_id name)
{
    for (uint32_t i = 0; i < c->rows.n; i++)
        if (c->rows.row[i].name == name)
            return (uint16_t)i;
    return NONE16;
}

static void row_add(struct compile *c, const struct token *at, uint16_t table, const char *key, uint16_t listed)
{
    if (!resource_fits(c, at))
        return;
    *LIST_ADD(c->arena, &c->rows) = (struct row_plan){row_name(c, table, key), name_of(c, key), table, listed};
    c->tables.row[table].rows++;
}

static const struct token *take_key(struct compile *c)
{
    if (!c->bad && (c->t->kind == T_NUMBER || c->t->kind == T_DURATION))
        return c->t++;
    return take_name(c, "the key of the row, a word or a number");
}

/* COL VALUE: one cell of the row. */
static void row_cell(struct compile *c, uint16_t table, name_id row)
{
    const struct token *at = c->t, *name = take_name(c, "a column and its value");
    uint32_t column = c->bad ? NONE32 : column_make(c, name, table);
    for (uint32_t i = 0; i < c->cell_starts.n && !c->bad; i++)
        if (c->cell_starts.row[i].row == row && c->cell_starts.row[i].column == column)
            complain(c, at, "column '%.60s' stands here twice", at->text);
    uint8_t type;
    const struct token *value = c->t;
    struct word_value v = take_cell(c, &type);
    if (c->bad)
        return;
    column_used(c, table, column);
    column_holds(c, value, table, column, type);
    *LIST_ADD(c->arena, &c->cell_starts) = (struct cell_start){row, (uint16_t)column, v};
}

/* row KEY COL VALUE ... */
static void table_row(struct compile *c, uint16_t table)
{
    const struct token *at = ++c->t, *key = take_key(c);
    if (c->bad)
        return;
    name_id name = row_name(c, table, key->text);
    if (row_find(c, name) != NONE16)
        complain(c, at, "there is a row '%.130s' already", name_text(c, name));
    if (!c->bad)
        row_add(c, at, table, key->text, 1);
    while (!c->bad && c->t->kind != T_END)
        row_cell(c, table, name);
}

/* --- what columns mean ----------------------------------------------------------------------------------- */

/* The column behind a word of `as`; *means becomes it. */
static void take_meaning(struct compile *c, uint16_t table, uint16_t *means, uint8_t type)
{
    const struct token *at = c->t - 1, *name = take_name(c, "the name of a column");
    uint32_t column = c->bad ? NONE32 : column_make(c, name, table);
    bool states = token_is(at, "running") || token_is(at, "done"), again = *means != NONE16;
    if (again && !states)
        complain(c, at, "'%s' stands here twice", at->text);
    else if (again && *means != column)
        complain(c, name, "'running' and 'done' are values of one column");
    if (c->bad)
        return;
    column_used(c, table, column);
    column_holds(c, name, table, column, type);
    *means = (uint16_t)column;
}

static void check_word_twice(struct compile *c, const struct token *at, const struct ids *words, struct word_value v)
{
    for (uint32_t i = 0; i < words->n; i++) {
        const struct word_value *w = &c->words.row[words->first + i];
        if (w->tag == v.tag && w->v == v.v)
            complain(c, at, "this value is named already: one state means one thing");
    }
}

/* running COL = VALUE or VALUE ... */
static void take_states(struct compile *c, uint16_t table, struct ids *words, const struct ids *others)
{
    struct table_plan *t = &c->tables.row[table];
    if (words->n > 0)
        complain(c, c->t - 1, "'%s' stands here twice", c->t[-1].text);
    take_meaning(c, table, &t->state, TYPE_ANY);
    need_symbol(c, T_EQ);
    words->first = c->words.n;
    do {
        const struct token *at = c->t;
        uint8_t type;
        struct word_value v = c->bad ? (struct word_value){0, TAG_NONE} : take_cell(c, &type);
        if (c->bad)
            return;
        check_word_twice(c, at, words, v);
        check_word_twice(c, at, others, v);
        column_holds(c, at, table, t->state, type);
        *LIST_ADD(c->arena, &c->words) = v;
        words->n++;
    } while (take_word(c, "or"));
}

static void take_meanings(struct compile *c, uint16_t table)
{
    static const char *const words[] = {"owner", "token", "until", "running", "done"};
    struct table_plan *t = &c->tables.row[table];
    const struct token *at = c->t;
    uint32_t known = t->kind == TABLE_QUEUE ? 5 : 3;
    if (take_word(c, "owner"))
        take_meaning(c, table, &t->owner, TYPE_ANY);
    else if (take_word(c, "token"))
        take_meaning(c, table, &t->token, TYPE_INT);
    else if (take_word(c, "until"))
        take_meaning(c, table, &t->until, TYPE_NS);
    else if (known == 3 && (at_word(c, "running") || at_word(c, "done")))
        complain(c, at, "'%s' belongs to a queue: a lock is held or free", at->text);
    else if (take_word(c, "running"))
        take_states(c, table, &t->running, &t->done);
    else if (take_word(c, "done"))
        take_states(c, table, &t->done, &t->running);
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "meaning of a column", words, known);
    else
        complain_expected(c, "what a column means, as in owner holder");
}

static void check_meanings(struct compile *c, const struct table_plan *t)
{
    const uint16_t means[] = {t->owner, t->token, t->until, t->state};
    if (t->owner == NONE16)
        complain_expected(c, "'owner' and the column that says who has the row");
    else if (t->kind == TABLE_QUEUE && t->done.n == 0)
        complain_expected(c, "'done', which says when a job is finished: without it none ever is");
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            if (means[i] != NONE16 && means[i] == means[j])
                complain(c, c->t, "one column cannot mean two things here");
}

/* as queue ... | as lock ... */
static void table_as(struct compile *c, uint16_t table)
{
    static const char *const words[] = {"queue", "lock"};
    struct table_plan *t = &c->tables.row[table];
    const struct token *at = c->t++;
    if (t->kind != TABLE_PLAIN)
        complain(c, at, "'as' stands below this table twice");
    if (take_word(c, "queue"))
        t->kind = TABLE_QUEUE;
    else if (take_word(c, "lock"))
        t->kind = TABLE_LOCK;
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "kind of table", words, 2);
    else
        complain_expected(c, "'queue' or 'lock'");
    while (!c->bad && c->t->kind != T_END)
        take_meanings(c, table);
    if (!c->bad)
        check_meanings(c, t);
}

/* --- the lines ------------------------------------------------------------------------------------------- */

struct table_line {
    const struct token *at;
    uint32_t seen;
    uint16_t number;
};

/* What the columns mean is read before the rows, wherever it stands. */
static void meaning_line(struct compile *c, void *above)
{
    const struct table_line *l = above;
    if (at_word(c, "as"))
        table_as(c, l->number);
}

static void row_line(struct compile *c, void *above)
{
    static const char *const words[] = {"as", "row", "at"};
    const struct table_line *l = above;
    if (at_word(c, "row"))
        table_row(c, l->number);
    else if (c->t->kind != T_WORD)
        complain_expected(c, "'as' or 'row'");
    else if (!at_word(c, "as") && !at_word(c, "at"))
        complain_unknown(c, c->t, "word below a table", words, 3);
}

static void table_options(struct compile *c, struct table_line *l)
{
    static const char *const words[] = {"at"};
    while (!c->bad && at_word(c, "at")) {
        option_once(c, words, 1, &l->seen);
        c->t++;
        l->at = skip_path(c);
    }
    statement_end(c);
}

static void table_option_line(struct compile *c, void *above)
{
    if (at_word(c, "at"))
        table_options(c, above);
}

static struct table_plan table_none(name_id name)
{
    return (struct table_plan){
        .name = name, .service = NONE16, .owner = NONE16, .token = NONE16, .until = NONE16, .state = NONE16};
}

void declare_table(struct compile *c)
{
    const struct line *line = c->line;
    c->t = line_start(c->s, line) + 1; /* of this line alone */
    const struct token *name = take_name(c, "the name of the table");
    if (!c->bad && c->tables.n >= TABLES_MAX)
        complain(c, name, "a scenario has at most %u tables", TABLES_MAX);
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_TABLE, "table");
    if (index == NONE32)
        return;
    struct table_line l = {.number = (uint16_t)c->tables.n};
    *LIST_ADD(c->arena, &c->tables) = table_none(symbol_at(c, index)->name);
    symbol_at(c, index)->table = l.number;
    table_options(c, &l);
    bool bad = c->bad;
    statements_below(c, line, table_option_line, &l);
    c->bad = bad;
    place_service(c, index, l.at);
    statements_below(c, line, meaning_line, &l);
    statements_below(c, line, row_line, &l);
}

/* --- what programs name ------------------------------------------------------------------------------------ */

/* Behind an expression, whatever it says. */
static const struct token *skip_expr(const struct token *t)
{
    uint32_t open = 0;
    bool value = true; /* one is due */
    for (; t->kind != T_END; t++) {
        bool sign = t->kind == T_MINUS || t->kind == T_PLUS;
        if (t->kind == T_LPAREN)
            open++;
        else if (t->kind == T_RPAREN)
            open -= open > 0;
        else if (value)
            value = sign || token_is(t, "not");
        else if (sign || (t->kind >= T_EQ && t->kind <= T_GE) || token_is(t, "and") || token_is(t, "or"))
            value = true;
        else if (t->kind == T_DOT || t->kind == T_SLASH)
            t += t[1].kind != T_END;
        else if (open == 0)
            return t;
    }
    return t;
}

/* COL EXPR ...; named: by a statement that only sets them, so that somebody has to read them. */
static void find_columns(struct compile *c, uint16_t table, const struct token *t, bool named)
{
    while (t->kind == T_WORD && !column_reserved(t->text)) {
        char key[NAME_BYTES_MAX * 2 + 2];
        uint32_t column = column_make(c, t, table);
        if (column == NONE32)
            return;
        column_key(c, table, column, key, sizeof key);
        if (named)
            name_declared(c, t, key, "column");
        else
            name_used(c, key);
        const struct token *end = skip_expr(t + 1);
        c->t = t + 1;
        const struct token *literal = end == t + 2 ? peek_literal(c) : NULL;
        struct column *held = column_at(c, table, column);
        if (literal != NULL && held->type == TYPE_ANY && literal->kind != T_PPM)
            held->type = literal->kind == T_STRING ? TYPE_TEXT : literal->kind == T_NUMBER ? TYPE_INT : TYPE_NS;
        t = end;
    }
}

uint16_t table_at(struct compile *c, const struct token *t)
{
    uint32_t index = t->kind == T_WORD ? symbol_find(c, t->text) : NONE32;
    return index == NONE32 ? NONE16 : symbol_at(c, index)->table;
}

bool statement_on_row(struct compile *c, const struct token *step, uint16_t *table)
{
    bool update = token_is(step, "update");
    bool first = update && token_is(&step[1], "first") && step[2].kind == T_WORD;
    *table = update || token_is(step, "read") ? table_at(c, &step[1 + first]) : NONE16;
    return *table != NONE16;
}

void step_finds_row(struct compile *c, const struct token *step)
{
    uint16_t table;
    c->bad = false;
    if (token_is(step, "update") && statement_on_row(c, step, &table)) {
        for (const struct token *t = step; t->kind != T_END; t++)
            if (token_is(t, "set")) {
                find_columns(c, table, t + 1, true);
                return;
            }
    } else if (token_is(step, "insert") && step[2].kind == T_SLASH && step[3].kind == T_WORD) {
        table = table_at(c, &step[1]);
        if (table != NONE16 && row_find(c, row_name(c, table, step[3].text)) == NONE16)
            row_add(c, &step[3], table, step[3].text, 0);
        if (table != NONE16)
            find_columns(c, table, &step[4], false);
    }
}

/* --- numbers --------------------------------------------------------------------------------------------- */

/* By table, each in the order in which they came. */
static void sort_columns(struct compile *c)
{
    for (uint16_t t = 0; t < c->tables.n; t++) {
        c->tables.row[t].first_column = (uint16_t)c->column_plans.n;
        for (uint32_t i = 0; i < c->columns.n; i++)
            if (c->columns.row[i].table == t)
                *LIST_ADD(c->arena, &c->column_plans) = (struct column_plan){c->columns.row[i].name, t};
    }
}

static void cells_of_row(struct compile *c, const struct table_plan *t, const struct row_plan *row)
{
    for (uint32_t k = 0; k < t->columns && !c->arena->failed; k++) {
        char text[NAME_BYTES_MAX * 3 + 4];
        const char *column = name_text(c, c->column_plans.row[t->first_column + k].name);
        snprintf(text, sizeof text, "%s.%s", name_text(c, row->name), column);
        *LIST_ADD(c->arena, &c->cells) = (struct cell_plan){.name = name_of(c, text), .tag = TAG_NONE};
    }
}

uint32_t cell_of(const struct compile *c, uint16_t row, uint32_t column)
{
    const struct table_plan *t = &c->tables.row[c->rows.row[row].table];
    return t->first_cell + (uint32_t)(row - t->first_row) * t->columns + column;
}

static void fill_cells(struct compile *c)
{
    for (uint32_t i = 0; i < c->cell_starts.n && !c->arena->failed; i++) {
        const struct cell_start *start = &c->cell_starts.row[i];
        struct cell_plan *cell = &c->cells.row[cell_of(c, row_find(c, start->row), start->column)];
        cell->tag = (uint16_t)start->value.tag;
        cell->v = start->value.v;
    }
}

void sort_rows(struct compile *c)
{
    uint32_t n = 0;
    struct row_plan *sorted = arena_alloc(c->arena, (c->rows.n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return;
    sort_columns(c);
    for (uint16_t t = 0; t < c->tables.n && !c->arena->failed; t++) {
        struct table_plan *table = &c->tables.row[t];
        table->first_row = (uint16_t)n;
        table->first_cell = c->cells.n;
        for (uint32_t i = 0; i < c->rows.n; i++)
            if (c->rows.row[i].table == t) {
                sorted[n++] = c->rows.row[i];
                cells_of_row(c, table, &c->rows.row[i]);
            }
    }
    if (c->arena->failed)
        return;
    ASSERT(n == c->rows.n && c->cells.n <= NONE16);
    if (n > 0)
        memcpy(c->rows.row, sorted, n * sizeof *sorted);
    fill_cells(c);
}

/* --- naming them ------------------------------------------------------------------------------------------- */

static void complain_no_row(struct compile *c, const struct token *at, const char *text)
{
    complain_thing_elsewhere(c, at, text);
    uint32_t n = diags_full(c->diags) ? 0 : c->rows.n;
    const char **words = arena_alloc(c->arena, (n + 1) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < n; i++)
        words[i] = name_text(c, c->rows.row[i].name);
    if (!c->bad && words != NULL)
        diag_unknown(c->diags, token_place(at), "row (no line lists it, no program inserts it)", text, words, n);
    c->bad = true;
}

uint16_t take_row(struct compile *c)
{
    const struct token *at = c->t;
    uint16_t table = c->bad ? NONE16 : table_at(c, at);
    if (table == NONE16) {
        take_path(c, SYM_TABLE, "table");
        return NONE16;
    }
    name_used(c, at->text);
    c->t++;
    if (!take_symbol(c, T_SLASH))
        complain_expected(c, "'/' and the key of a row");
    const struct token *key = take_key(c);
    if (c->bad)
        return NONE16;
    name_id name = row_name(c, table, key->text);
    uint16_t row = row_find(c, name);
    if (row == NONE16 && (!c->in_expectation || !thing_elsewhere(c, name_text(c, name))))
        complain_no_row(c, at, name_text(c, name));
    return row;
}

uint32_t take_column(struct compile *c, uint16_t table)
{
    const char *words[COLUMNS_MAX];
    uint32_t n = c->tables.row[table].columns;
    need_symbol(c, T_DOT);
    const struct token *name = take_name(c, "the name of a column");
    uint32_t column = c->bad ? NONE32 : column_find(c, table, name->text);
    if (column != NONE32)
        column_used(c, table, column);
    for (uint32_t k = 0; k < n && column == NONE32; k++)
        words[k] = name_text(c, column_at(c, table, k)->name);
    if (column == NONE32)
        complain_unknown(c, name, "column", words, n);
    return column;
}
