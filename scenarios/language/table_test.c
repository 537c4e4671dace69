/* SPDX-License-Identifier: MIT
 *
 * table_test.c - tables, their statements and their rows in expectations: the plan that comes out, and what is
 * said of slips.
 */
#include <stdio.h>

#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

/* Steps and lines go behind it. */
#define WORLD                                                                                                        \
    "fencepost 1\ncase a holds\nlock leader central ttl 10s\nstore ledger\nqueue mails lease 30s\n  job \"m\"\n"     \
    "node w1\n"                                                                                                      \
    "table jobs at db\n"                                                                                             \
    "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n" \
    "  row 42 state \"ready\" owner none epoch 0 until 0s\n  row 43 state \"ready\"\n"                               \
    "w1:\n  acquire leader as first\n  read ledger/x as x\n  write ledger/x x token first.token\n"                   \
    "  claim mails as mail\n  complete mail\n  read jobs/42 as row\n  write ledger/y row.epoch\n"

static const char *step_said(const char *step) { return problem_behind(WORLD, step, 2); }
static const char *line_said(const char *line) { return problem_behind(WORLD, line, 0); }

/* --- what there is ------------------------------------------------------------------------------- */

TEST("a table's columns, rows and cells are consecutive, with what its lines say and programs add")
{
    const struct compiled *c = plan_of(
        "fencepost 1\ncase a holds\nparam start = 7\nlock leader central ttl 1s\nqueue q lease 3s\n  job \"j\"\n"
        "table b\n  row x n -1 d -3s\ntable a at box\n  as lock until u owner o\n  row 1 o \"w9\" k start\n"
        "  row two\nnode w1\nw1:\n  acquire leader\n  reap q\n  insert a/3 o me\n  insert b/y s \"new\"\n"
        "  update b/x set n n + 1\n",
        0);
    if (c == NULL)
        return;
    const struct model_plan *m = &c->model;
    CHECK(m->n_tables == 2 && m->n_columns == 6 && m->n_rows == 5 && m->n_cells == 2 * 3 + 3 * 3);
    CHECK(m->columns_max == 3 && m->captures_max == 1);
    static const char *const columns[] = {"n", "d", "s", "u", "o", "k"};
    for (uint32_t i = 0; i < 6; i++)
        CHECK_STR(name(c, m->columns[i].name), columns[i]);
    static const char *const rows[] = {"b/x", "b/y", "a/1", "a/two", "a/3"};
    static const char *const keys[] = {"x", "y", "1", "two", "3"};
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_STR(name(c, m->rows[i].name), rows[i]);
        CHECK_STR(name(c, m->rows[i].key), keys[i]);
        CHECK_EQ(m->rows[i].listed, i != 1 && i != 4);
        CHECK_EQ(m->rows[i].table, i >= 2);
    }
    const struct table_plan *t = m->tables;
    CHECK(t[0].kind == TABLE_PLAIN && t[0].owner == NONE16 && t[0].token == NONE16 && t[0].until == NONE16);
    CHECK(t[0].state == NONE16 && t[0].running.n == 0 && t[0].done.n == 0);
    CHECK(t[0].first_column == 0 && t[0].columns == 3 && t[0].first_row == 0 && t[0].rows == 2 && t[0].first_cell == 0);
    CHECK(t[1].kind == TABLE_LOCK && t[1].until == 0 && t[1].owner == 1 && t[1].token == NONE16);
    CHECK(t[1].first_column == 3 && t[1].first_row == 2 && t[1].rows == 3 && t[1].first_cell == 6);
    CHECK(m->cells[0].tag == TAG_INT && m->cells[0].v == -1);
    CHECK(m->cells[1].tag == TAG_NS && m->cells[1].v == -3 * NS_PER_S);
    CHECK(m->cells[2].tag == TAG_NONE && m->cells[3].tag == TAG_NONE);
    CHECK(m->cells[7].tag == TAG_TEXT && strcmp(name(c, (name_id)m->cells[7].v), "w9") == 0);
    CHECK(m->cells[8].tag == TAG_INT && m->cells[8].v == 7);
    CHECK_STR(name(c, m->cells[0].name), "b/x.n");
    CHECK_STR(name(c, m->cells[14].name), "a/3.k");
    CHECK(n_resources(m) == 7 && row_resource(m, 0) == 2);
    CHECK_STR(name(c, c->sim.machines[c->sim.processes[c->sim.threads[m->services[3].thread].process].machine].name),
              "box");
}

TEST("`as queue` says which column means what, and which states are running and done")
{
    const struct compiled *c = plan_of(WORLD, 0);
    if (c == NULL)
        return;
    const struct table_plan *t = c->model.tables;
    CHECK(t->kind == TABLE_QUEUE && t->owner == 0 && t->token == 1 && t->until == 2 && t->state == 3);
    CHECK(t->running.n == 1 && t->done.n == 2);
    const struct word_value *w = c->model.words;
    CHECK(w[t->running.first].tag == TAG_TEXT);
    CHECK_STR(name(c, (name_id)w[t->running.first].v), "running");
    CHECK_STR(name(c, (name_id)w[t->done.first].v), "done");
    CHECK_STR(name(c, (name_id)w[t->done.first + 1].v), "dead");
}

TEST("slips in tables are told where they stand")
{
#define STATE_TWICE "this value is named already: one state means one thing"
    static const struct slip slips[] = {
        {"table", "1:6: expected the name of the table, found the end of the line"},
        {"table t at", "1:11: expected a name, found the end of the line"},
        {"table t now", "1:9: expected the end of the line, found 'now'"},
        {"table t at box\n  at box", "2:3: 'at' stands here twice"},
        {"table t\n  at box row", "2:10: expected the end of the line, found 'row'"},
        {"table t\n  rwo 1", "2:3: unknown word below a table 'rwo'; did you mean 'row'?"},
        {"table jobs", "1:7: 'jobs' is declared already, as a table on line 8"},
        {"table t\n  row 1 x 2", "1:7: table 't' is never used"},
        {"table t\n  row 1 x -2 y -3s z \"s\" n none\nat 5s: pause t", ""},
        {"table t\nat 5s: pause t", ""},
        {"table t\n  rwo 1", "2:3: unknown word below a table 'rwo'; did you mean 'row'?"},
        {"table t\n  row", "2:6: expected the key of the row, a word or a number, found the end of the line"},
        {"table t\n  row 1 state", "2:14: expected a number, a duration, a text or none, found the end of the line"},
        {"table t\n  row 1 state ready", "2:15: expected a number, a duration, a text or none, found 'ready'"},
        {"table t\n  row 1 state -\"x\"", "2:15: expected a number, a duration, a text or none, found '-'"},
        {"table t\n  row 1 a 5ppm", "2:11: expected a number, a duration, a text or none, found '5ppm'"},
        {"table t\n  row 1 and 5", "2:9: 'and' is a word of the language: a column needs another name"},
        {"table t\n  row 1 a 5 a 6", "2:13: column 'a' stands here twice"},
        {"table t\n  row 1 a 5\n  row 1 a 5", "3:7: there is a row 't/1' already"},
        {"table t\n  row 1 a 5\n  row 2 a \"x\"", "3:11: column 'a' holds numbers, not a text"},
        {"table t\n  as", "2:5: expected 'queue' or 'lock', found the end of the line"},
        {"table t\n  as store", "2:6: unknown kind of table 'store'; expected queue or lock"},
        {"table t\n  as lock", "2:10: expected 'owner' and the column that says who has the row, found the end of the "
                               "line"},
        {"table t\n  as lock owner o\n  as lock owner o", "3:3: 'as' stands below this table twice"},
        {"table t\n  as lock owner o done s = 5", "2:19: 'done' belongs to a queue: a lock is held or free"},
        {"table t\n  as queue owner o", "2:19: expected 'done', which says when a job is finished: without it none "
                                        "ever is, found the end of the line"},
        {"table t\n  as queue owner o done s", "2:26: expected '=', found the end of the line"},
        {"table t\n  as queue owner o done s = 5 or 5", "2:34: " STATE_TWICE},
        {"table t\n  as queue owner o running s = 5 done s = 5", "2:43: " STATE_TWICE},
        {"table t\n  as queue owner o running s = 5 done r = 6", "2:39: 'running' and 'done' are values of one column"},
        {"table t\n  as queue owner o done s = 5 or \"x\"", "2:34: column 's' holds numbers, not a text"},
        {"table t\n  as queue owner o token o done s = 5", "2:38: one column cannot mean two things here"},
        {"table t\n  as queue owner o ownr p done s = 5", "2:20: unknown meaning of a column 'ownr'; did you mean "
                                                          "'owner'?"},
        {"table t\n  as queue owner o owner p done s = 5", "2:20: 'owner' stands here twice"},
        {"table t\n  as queue owner o done s = 5 done s = 6", "2:31: 'done' stands here twice"},
        {"table t\n  row 1 u 5\n  as queue owner o until u done s = 5",
         "2:11: column 'u' holds durations, not a number"},
        {"table t\n  row 1 u \"5\"\n  as lock owner o token u", "2:11: column 'u' holds numbers, not a text"},
    };
#undef STATE_TWICE
    CHECK_SLIPS(slips, line_said);
}

TEST("a table has at most 64 columns, a statement at most 64 values from its client")
{
    static char text[8192];
    for (int more = 0; more < 2; more++) {
        size_t n = (size_t)snprintf(text, sizeof text, "table t\n  row 1");
        for (int i = 0; i < 64 + more; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, " c%d 0", i);
        snprintf(text + n, sizeof text - n, "\nat 5s: pause t");
        CHECK(more ? strstr(line_said(text), "a table has at most 64 columns") != NULL : line_said(text)[0] == '\0');
        n = (size_t)snprintf(text, sizeof text, "update jobs/42 set epoch 0");
        for (int i = 0; i < 64 + more; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, " + x");
        const char *said = step_said(text);
        CHECK(more ? strstr(said, "a statement takes at most 64 values from its client") != NULL : said[0] == '\0');
    }
}

/* --- statements -------------------------------------------------------------------------------------- */

/* The world with these steps in it, as its first instructions behind those of the world. */
#define WORLD_CODE 7
static const struct compiled *steps_of(const char *steps) { return plan_behind(WORLD, steps); }

TEST("a statement knows columns on the server, and takes the client's values with it, one a leaf")
{
    const struct compiled *c = steps_of(
        "  let t = wall\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "    where state = \"ready\" or until < t and epoch = row.epoch + first.token\n"
        "    as job\n  work 35s for job\n  effect \"e\" key job.owner\n");
    if (c == NULL)
        return;
    const struct model_plan *m = &c->model;
    const struct instr *k = &m->code[WORLD_CODE + 1];
    CHECK(k->op == OP_UPDATE && k->table == 0 && k->row == 0 && k->statement == 0);
    const struct statement_plan *s = &m->statements[k->statement];
    CHECK(s->sets.n == 4 && s->captures.n == 4);
    const struct set_plan *set = &m->sets[s->sets.first];
    CHECK(set[0].column == 3 && set[1].column == 0 && set[2].column == 1 && set[3].column == 2);
    check_expr(c, set[0].expr, CODES(EX_CONST));
    check_expr(c, set[1].expr, CODES(EX_CAPTURE));
    check_expr(c, set[2].expr, CODES(EX_COLUMN, EX_CONST, EX_ADD));
    CHECK_EQ(m->exprs[set[2].expr].arg, 1);
    check_expr(c, set[3].expr, CODES(EX_NOW, EX_CONST, EX_ADD));
    check_expr(c, s->where,
               CODES(EX_COLUMN, EX_CONST, EX_EQ, EX_COLUMN, EX_CAPTURE, EX_LT, EX_COLUMN, EX_CAPTURE, EX_CAPTURE,
                     EX_ADD, EX_EQ, EX_AND, EX_OR));
    static const uint16_t leaves[] = {EX_ME, EX_VAR, EX_VAR, EX_VAR_TOKEN};
    for (uint32_t i = 0; i < 4; i++)
        check_expr(c, m->captures[s->captures.first + i], &leaves[i], 1);
    CHECK_EQ(m->exprs[s->where + 4].arg, 1);
    CHECK_EQ(m->exprs[s->where + 7].arg, 2);
    CHECK_EQ(m->captures_max, 4);
    CHECK(k[1].op == OP_WORK && k[1].for_var == k->var);
    const struct expr_op *key = &m->exprs[k[2].expr];
    CHECK(key->code == EX_VAR && key->arg == k->var + 1 + 0);
    CHECK(m->clients[0].vars >= k->var + 1u + m->tables[0].columns);
}

TEST("a row variable is followed by its columns; .token is the attempt unless a column is called so")
{
    const struct compiled *c = steps_of(
        "  write ledger/y row.token\n  write ledger/y row.state\n  write ledger/y row\n");
    if (c == NULL)
        return;
    const struct model_plan *m = &c->model;
    const struct instr *get = &m->code[5], *k = &m->code[WORLD_CODE];
    CHECK(get->op == OP_GET && get->table == 0 && get->row == 0 && get->var != NONE16);
    CHECK_EQ(m->exprs[m->code[6].expr].arg, get->var + 1 + 1);
    CHECK(m->exprs[k[0].expr].code == EX_VAR && m->exprs[k[0].expr].arg == get->var + 1 + 1);
    CHECK_EQ(m->exprs[k[1].expr].arg, get->var + 1 + 3);
    CHECK_EQ(m->exprs[k[2].expr].arg, get->var);
    c = plan_of("fencepost 1\ncase a holds\ntable t\n  as lock owner o token n\n  row 1 token 5 n 0\nstore s\nnode w1\n"
                "w1:\n  read t/1 as r\n  write s r.token\n  update t/1 set token token + 1 n n + token\n",
                0);
    if (c == NULL)
        return;
    CHECK_EQ(c->model.exprs[c->model.code[1].expr].arg, 1 + 2);
    const struct statement_plan *s = &c->model.statements[0];
    check_expr(c, c->model.sets[s->sets.first].expr, CODES(EX_COLUMN, EX_CONST, EX_ADD));
    check_expr(c, c->model.sets[s->sets.first + 1].expr, CODES(EX_COLUMN, EX_COLUMN, EX_ADD));
}

TEST("insert, delete, read and `update first` compile to instructions on their table and row")
{
    const struct compiled *c = steps_of(
        "  insert jobs/44 state \"ready\" epoch x owner me\n"
        "  update first jobs set epoch 2 where state = \"ready\" and epoch = first.token "
        "as any\n"
        "  delete jobs/44 where epoch = any.epoch\n  delete jobs/43\n  read jobs/44\n"
        "  update jobs/43 set epoch 5\n  on refused: go on\n  delete ledger/x\n");
    if (c == NULL)
        return;
    const struct model_plan *m = &c->model;
    const struct instr *k = &m->code[WORLD_CODE];
    CHECK(k[0].op == OP_INSERT && k[0].row == 2 && m->statements[k[0].statement].where == NONE32);
    CHECK(m->statements[k[0].statement].sets.n == 3 && m->statements[k[0].statement].captures.n == 2);
    CHECK(k[1].op == OP_UPDATE && k[1].row == NONE16 && k[1].table == 0 && k[1].var != NONE16);
    CHECK(k[2].op == OP_ERASE && k[2].row == 2 && m->statements[k[2].statement].sets.n == 0);
    CHECK(k[3].op == OP_ERASE && k[3].row == 1 && m->statements[k[3].statement].where == NONE32);
    CHECK(k[4].op == OP_GET && k[4].row == 2 && k[4].var == NONE16);
    CHECK(k[5].op == OP_UPDATE && k[5].var == NONE16 && k[5].handlers.n == 1);
    CHECK_EQ(m->statements[k[5].statement].captures.n, 0);
    CHECK(k[8].op == OP_DELETE && k[8].table == NONE16 && k[8].row == NONE16);
}

TEST("a gate in brackets keeps the rest of a statement, and a condition of its `where`")
{
    static const char text[] = "fencepost 1\ncase bad without complete-token holds\ncase good holds\n"
                               "table jobs\n  row 42 state \"ready\" epoch 0\nnode w1\nw1:\n  read jobs/42 as job\n"
                               "  update jobs/42 set state \"done\"\n"
                               "    [complete-token] where epoch = job.epoch and state = \"running\"\n"
                               "  update jobs/42 set state \"done\"\n"
                               "    where state = \"running\"\n"
                               "    [complete-token] and epoch = job.epoch\n"
                               "  update jobs/42 set epoch 5\n"
                               "    [-complete-token] state \"broken\"\n"
                               "    [bad] where epoch = 1\n    [good] where epoch = 2 as job\n";
    for (uint32_t i = 0; i < 2; i++) {
        const struct compiled *c = plan_of(text, i);
        if (c == NULL)
            return;
        const struct statement_plan *s = c->model.statements;
        if (i == 0) {
            CHECK(s[0].where == NONE32 && s[0].captures.n == 0);
            check_expr(c, s[1].where, CODES(EX_COLUMN, EX_CONST, EX_EQ));
            CHECK(s[2].sets.n == 2 && c->model.code[3].var == NONE16);
        } else {
            check_expr(c, s[0].where, CODES(EX_COLUMN, EX_CAPTURE, EX_EQ, EX_COLUMN, EX_CONST, EX_EQ, EX_AND));
            check_expr(c, s[1].where, CODES(EX_COLUMN, EX_CONST, EX_EQ, EX_COLUMN, EX_CAPTURE, EX_EQ, EX_AND));
            CHECK(s[2].sets.n == 1 && c->model.code[3].var != NONE16);
        }
        CHECK_EQ(c->model.exprs[s[2].where + 1].imm, 1 + i);
    }
    struct diags d;
    struct compiled *c = scenario_compile(planned.scenario, 1, 1u << GATE_COMPLETE_TOKEN, 0, &d);
    CHECK(c != NULL && c->model.statements[0].where == NONE32);
    compiled_free(c);
    CHECK_STR(
        problem("fencepost 1\ncase bad without complete-token holds\ntable jobs\n  row 42 state \"ready\"\nnode w1\n"
                "w1:\n  read jobs/42 as job\n  update jobs/42 set state \"done\"\n"
                "    [complete-token] where state = job.stat\n"),
        "9:40: unknown column 'stat'; did you mean 'state'?");
}

TEST("slips in statements are told where they stand")
{
    static const struct slip slips[] = {
        {"update", "1:7: expected the name of a table, found the end of the line"},
        {"update jobs", "1:12: expected '/' and the key of a row, found the end of the line"},
        {"update jbos/42 set epoch 1", "1:8: unknown table 'jbos'; did you mean 'jobs'?"},
        {"update jobs/45 set state \"x\"",
         "1:8: unknown row (no line lists it, no program inserts it) 'jobs/45'; did you mean 'jobs/42'?"},
        {"update jobs/42", "1:15: expected 'set', found the end of the line"},
        {"update jobs/42 st state \"x\"", "1:16: unknown word 'st'; did you mean 'set'?"},
        {"update jobs/42 set", "1:19: expected a column and its new value, found the end of the line"},
        {"update jobs/42 set state", "1:25: expected a value, found the end of the line"},
        {"update jobs/42 set state 5", "1:26: column 'state' holds texts, not a number"},
        {"update jobs/42 set epoch \"x\"", "1:26: column 'epoch' holds numbers, not a text"},
        {"update jobs/42 set epoch 1s", "1:26: column 'epoch' holds numbers, not a duration"},
        {"update jobs/42 set epoch epoch = 1", "1:26: column 'epoch' holds numbers, not a yes or no"},
        {"update jobs/42 set epoch none", ""},
        {"update jobs/42 set epoch 1 epoch 2", "1:28: column 'epoch' stands here twice"},
        {"update jobs/42 set stat \"done\"", "1:20: column 'stat' is never used"},
        {"update jobs/42 set spare \"done\"\nupdate jobs/42 set state spare", ""},
        {"update jobs/42 set epoch epch + 1", "1:26: unknown value 'epch'; did you mean 'epoch'?"},
        {"update jobs/42 set owner where epoch = 1", "1:26: expected a value, found 'where'"},
        {"update jobs/42 set where 5", "1:20: 'where' is a word of the language: expected a column and its new value"},
        {"update jobs/42 set epoch 1 where", "1:33: expected a value, found the end of the line"},
        {"update jobs/42 set epoch 1 where epoch", "1:34: 'where' needs a comparison"},
        {"update jobs/42 set epoch 1 where epoch = \"x\"", "1:40: '=' cannot stand between a number and a text"},
        {"update jobs/42 set epoch 1 where epoch = 1 where epoch = 2",
         "1:44: 'where' stands here twice: go on with 'and' or 'or'"},
        {"update jobs/42 set epoch 1 where epoch = 1 as row as row", "1:51: 'as' stands here twice"},
        {"update jobs/42 set epoch 1\n  and epoch = 2",
         "2:3: 'and' goes on with a 'where', and no 'where' stands above it here"},
        {"update jobs/42 set epoch 1\n  where epoch = 1 or epoch = 2\n  and state = \"ready\"",
         "3:3: 'and' binds more tightly than the 'or' above it: put that in parentheses"},
        {"update jobs/42 set epoch 1\n  where (epoch = 1 or epoch = 2)\n  and state = \"ready\"", ""},
        {"update jobs/42 set epoch 1\n  where epoch = 1\n  and state = \"ready\"\n  or epoch = 2", ""},
        {"update jobs/42 set epoch 1 as mail", "1:31: 'mail' is a job here and a row there: use two names"},
        {"update jobs/42 set epoch 1 as jobs", "1:31: 'jobs' is declared already, as a table on line 8"},
        {"update first jobs/42 set epoch 1",
         "1:18: 'first' is of a whole table: without it for one row, as in update jobs/..."},
        {"update first jobs set epoch 1", ""},
        {"update jobs/42 set until wall + 30s", "1:26: a clock is read by 'let', as in let t = wall"},
        {"update jobs/42 set until now + row.epoch", "1:30: '+' cannot stand between a duration and a number"},
        {"update jobs/42 set epoch row.epohc", "1:30: unknown column 'epohc'; did you mean 'epoch'?"},
        {"update jobs/42 set owner mail epoch mail.token", ""},
        {"insert jobs/44", "1:15: expected a column and its new value, found the end of the line"},
        {"insert jobs/44 set epoch 1",
         "1:16: no 'set' stands behind 'insert': the columns and their values follow the row"},
        {"insert jobs/44 epoch epoch + 1", "1:22: 'epoch' is a column: a row that is inserted has no values before"},
        {"insert jobs/44 epoch 1 owner me where epoch = 1", "1:33: expected the end of the line, found 'where'"},
        {"insert jobs/42 epoch 1", ""},
        {"insert ledger/b epoch 1", "1:8: unknown table 'ledger'; expected jobs"},
        {"delete jobs/42 where", "1:21: expected a value, found the end of the line"},
        {"delete jobs/42 for mail", "1:16: unknown word here 'for'; expected where"},
        {"delete jbos/42", "1:8: unknown store or table 'jbos'; did you mean 'jobs'?"},
        {"read jbos/42 as r", "1:6: unknown store or table 'jbos'; did you mean 'jobs'?"},
        {"read jobs as r", "1:11: expected '/' and the key of a row, found 'as'"},
        {"read jobs/42 as r", "1:17: variable 'r' is never used"},
        {"write jobs/42 5", "1:7: 'jobs' is a table: its rows change by 'update'"},
        {"require jobs/42.epoch = 1",
         "1:9: a program does not see into a table: read the row first, as in read jobs/... as row"},
        {"write ledger/x jobs/42.epoch",
         "1:16: a program does not see into a table: read the row first, as in read jobs/... as row"},
        {"write ledger/x row.version", "1:20: unknown column 'version'; expected owner, epoch, until or state"},
        {"heartbeat row", "1:11: 'row' is a row of a table, not a job: 'update' is what changes it"},
        {"write ledger/x 1 for row",
         "1:22: a store knows no tokens of rows: say which number it is, as in token row.epoch"},
        {"work 1s for row\neffect \"e\" for row", ""},
        {"write ledger/x now", "1:16: expected a value, found 'now'"},
    };
    CHECK_SLIPS(slips, step_said);
    CHECK_STR(line_said("table more\n  row 1 k 1\nw1.two:\n  read jobs/42 as r\n  read more/1 as r\n  work 1s for r"),
              "5:18: 'r' is a row of one table here and of another there: use two names");
}

/* --- expectations and triggers ------------------------------------------------------------------------ */

static const struct expectation *expected(const char *what) { return last_expectation(plan_behind(WORLD, what)); }

TEST("a cell, a row's holder and its token are values of an expectation")
{
    const struct expr_op *op = first_op(expected("at end: expect jobs/43.state = \"done\""));
    CHECK(op->code == EX_CELL && op->arg == 4 + 3);
    op = first_op(expected("always: expect not jobs/42.epoch = 7 and jobs/42.owner != w1"));
    CHECK(op->code == EX_CELL && op->arg == 1);
    op = first_op(expected("at 5s: expect w1 holds jobs/43"));
    CHECK(op->code == EX_HOLDS && op->arg == 3);
    op = first_op(expected("at 5s: expect not token jobs/42 = 3"));
    CHECK(op->code == EX_LOCK_TOKEN && op->arg == 2);
    op = first_op(expected("at 5s: expect token jobs/42 = none and w1 holds leader"));
    CHECK(op->code == EX_LOCK_TOKEN);
}

TEST("every line that a trace prints of tables can stand behind expect")
{
    static const struct traced lines[] = {
        {"w1 updates jobs/42", V_UPDATES, 0, "jobs/42"},
        {"w1 updates jobs", V_UPDATES, 0, "jobs"},
        {"w1 inserts jobs/42", V_INSERTS, 0, "jobs/42"},
        {"w1 deletes jobs/42", V_DELETES, 0, "jobs/42"},
        {"w1 reads jobs/42", V_READS, 0, "jobs/42"},
        {"w1 gets jobs/42", V_GETS, 0, "jobs/42"},
        {"w1 acquires jobs/42 token 1", V_ACQUIRES, 1, "jobs/42"},
        {"jobs grants w1 token 1 of jobs/42", V_GRANTS, 2, "w1"},
        {"jobs extends w1 token 1 by w1 of jobs/42", V_EXTENDS, 3, "w1"},
        {"jobs finishes w1 token 1 of jobs/42", V_FINISHES, 2, "w1"},
        {"jobs rewrites w1 token 1 by w1 of jobs/42", V_REWRITES, 3, "w1"},
        {"jobs returns w1 token 1 by w1 why expired of jobs/42", V_RETURNS, 4, "w1"},
        {"jobs frees w1 token 1 by w1 of jobs/42", V_FREES, 3, "w1"},
        {"jobs expires w1 token 1 by w1 of jobs/42", V_EXPIRES, 3, "w1"},
        {"jobs changes w1 of jobs/42", V_CHANGES, 1, "w1"},
        {"jobs erases w1 of jobs/42", V_ERASES, 1, "w1"},
        {"jobs adds jobs/43 by w1", V_ADDS, 1, "jobs/43"},
        {"jobs sets jobs/42.epoch 1", V_SETS, 1, "jobs/42.epoch"},
        {"jobs sets jobs/42.owner w1", V_SETS, 1, "jobs/42.owner"},
        {"jobs sets jobs/42.owner none", V_SETS, 1, "jobs/42.owner"},
        {"jobs sets jobs/42.state \"done\"", V_SETS, 1, "jobs/42.state"},
        {"jobs sets jobs/42.until 12h0m30.002s", V_SETS, 1, "jobs/42.until"},
        {"jobs refuses w1 refused of jobs/42", V_REFUSES, 2, "w1"},
        {"w1 failed refused", V_FAILED, 0, "refused"},
    };
    CHECK_TRACED(WORLD, lines);
    const struct expectation *e = expected("at end: expect jobs grants w1 of jobs/42");
    CHECK(e != NULL && e->pattern.tag[0] == TAG_NAME);
    CHECK(e != NULL && strcmp(name(planned.compiled, (name_id)e->pattern.value[0]), "jobs/42") == 0);
    e = expected("at end: expect 13s (jobs lapses w1 token 1 of jobs/42)");
    CHECK(e != NULL && e->pattern.verb == V_LAPSES && e->pattern.n_fields == 2);
    e = expected("at end: expect 13s (w1 believes jobs/42 token 1)");
    CHECK(e != NULL && e->pattern.verb == V_BELIEVES);
}

TEST("slips in expectations and triggers about rows are told where they stand")
{
    static const struct slip slips[] = {
        {"at end: expect jobs/42 = 5", "1:24: expected '.' and a column, found '='"},
        {"at end: expect jobs/42.stat = \"x\"", "1:24: unknown column 'stat'; did you mean 'state'?"},
        {"at end: expect jobs/42.state = 5", "1:30: '=' cannot stand between a text and a number"},
        {"at end: expect jobs.state = 5", "1:20: expected '/' and the key of a row, found '.'"},
        {"at end: expect jobs = 5", "1:21: expected '/' and the key of a row, found '='"},
        {"at end: expect jobs/44.state = \"x\"",
         "1:16: unknown row (no line lists it, no program inserts it) 'jobs/44'; did you mean 'jobs/42'?"},
        {"at end: expect job/42.state = \"x\"", "1:16: unknown value 'job'; did you mean 'jobs'?"},
        {"at end: expect w1 believes jobs/42",
         "1:28: nobody believes in a row: a table's client has no check of its own; say 'holds'"},
        {"at end: expect w1 holds jobs", "1:29: expected '/' and the key of a row, found the end of the line"},
        {"at end: expect jobs grants w1 token 1 of jobs/44",
         "1:42: unknown row (no line lists it, no program inserts it) 'jobs/44'; did you mean 'jobs/42'?"},
        {"before w1 updates jobs/44: heal",
         "1:19: unknown row (no line lists it, no program inserts it) 'jobs/44'; did you mean 'jobs/42'?"},
        {"before w1 updates jobs: heal", ""},
        {"before w1 updates jobs/42 #2: pause w1 for 1s\nafter jobs grants w1: crash jobs\nat 5s: suspend db", ""},
        {"before w1 reads jobs: heal", "1:21: expected '/' and the key of a row, found ':'"},
        {"after jobs sets jobs/42: heal", "1:24: expected '.', found ':'"},
        {"after jobs sets jobs/42.epohc: heal", "1:25: unknown column 'epohc'; did you mean 'epoch'?"},
        {"after jobs sets jobs/42.epoch: heal", ""},
        {"node jobs\nat end: expect no leader among jobs", "2:32: a table is no leader and has no vote"},
    };
    CHECK_SLIPS(slips, line_said);
}

TEST("a row that only another case has is none to the others")
{
    static const char head[] = "fencepost 1\ncase one holds\ncase two holds\ntable t\n  row 1 k 1\n  [one] row 2 k 1\n"
                               "node w1\nw1:\n  read t/1\n  [one] insert t/3 k 2\n  [two] work 1s\n";
    static const char *const lines[] = {"at end: expect t/3.k = 2",        "always: expect not w1 holds t/2",
                                        "at end: expect token t/3 = none", "after w1 inserts t/3: heal",
                                        "after t sets t/3.k: heal",        "at end: expect t adds t/3 by w1"};
    char text[600];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "%s%s\n", head, lines[i]);
        CHECK_STR(problem(text), "");
    }
    snprintf(text, sizeof text, "%sat end: expect t/3.k = 2\n", head);
    const struct compiled *c = plan_of(text, 1);
    CHECK(c != NULL && c->model.n_rows == 1);
    CHECK(c != NULL && c->model.exprs[c->expectations[0].expr].tag == TAG_NONE);
    snprintf(text, sizeof text, "%s  [two] delete t/3\n", head);
    CHECK_STR(problem(text), "12:16: 't/3' exists only in case one");
}

TEST("a file of tables prints as a fixed point, gates inside statements too")
{
    static const char text[] = "fencepost 1\ncase a holds\ntable jobs   at db\n"
                               "     as queue   owner owner   done state =\"done\" or \"dead\"  token epoch\n"
                               "     row 42   state \"ready\"   epoch -1   until 0.5s # first\nnode w1\nw1:\n"
                               "   update jobs / 42 set   state \"running\" owner  me epoch   epoch  +  1\n"
                               "       where (state = \"ready\" or until<now)   as job\n"
                               "   update jobs/42 set state \"done\"\n"
                               "         where state = \"running\"\n"
                               "         [ complete-token ]  and epoch = job . epoch\n"
                               "   insert  jobs/43   epoch 1\n   delete jobs/43   where epoch=1\n"
                               "at end:   expect jobs/42 . state = \"done\"\n";
    static const char canonical[] = "fencepost 1\ncase a holds\ntable jobs at db\n"
                                    "  as queue owner owner done state = \"done\" or \"dead\" token epoch\n"
                                    "  row 42 state \"ready\" epoch -1 until 500ms  # first\nnode w1\nw1:\n"
                                    "  update jobs/42 set state \"running\" owner me epoch epoch + 1\n"
                                    "    where (state = \"ready\" or until < now) as job\n"
                                    "  update jobs/42 set state \"done\"\n"
                                    "    where state = \"running\"\n"
                                    "    [complete-token] and epoch = job.epoch\n"
                                    "  insert jobs/43 epoch 1\n  delete jobs/43 where epoch = 1\n"
                                    "at end: expect jobs/42.state = \"done\"\n";
    check_prints(text, canonical);
}
