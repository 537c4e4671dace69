/* SPDX-License-Identifier: MIT
 *
 * situations_command.c - `fencepost situations`: which situations some scenarios reach together, and which none does.
 */
#include "reports/front.h"
#include "reports/situations.h"

static int play_case(struct situation_table *t, const struct loaded *l, uint32_t i)
{
    const struct run_options plain = {.plain = true};
    int status = STATUS_GOOD;
    struct compiled *c = front_compile(l, i, 0, &status);
    if (c == NULL)
        return status;
    struct run *r = run_case(c, &plain);
    if (r != NULL)
        situation_table_case(t, r, i);
    status = r == NULL || t->failed ? front_no_memory() : STATUS_GOOD;
    run_free(r);
    compiled_free(c);
    return status;
}

static int play_file(struct situation_table *t, const char *path, const struct options *o)
{
    struct loaded l;
    int status = front_load(&l, path, o);
    if (status != STATUS_GOOD)
        return status;
    situation_table_file(t, path, NULL);
    for (uint32_t i = 0; i < scenario_cases(l.scenario) && status == STATUS_GOOD; i++)
        status = play_case(t, &l, i);
    front_unload(&l);
    return status;
}

static int play_operand(struct situation_table *t, const char *operand, const struct options *o)
{
    struct files files = {0};
    enum file_problem problem = files_add(&files, operand);
    int status = problem == FILE_OK ? STATUS_GOOD : front_complain_file(operand, problem, files.error);
    for (size_t i = 0; problem == FILE_OK && i < files.n && status < STATUS_BROKEN; i++)
        status = front_worse(status, play_file(t, files.path[i], o));
    files_free(&files);
    return status;
}

int command_situations(const struct options *o)
{
    static struct situation_table table;
    int status = STATUS_GOOD;
    situation_table_begin(&table);
    for (uint32_t i = 0; i < o->n_operands && status < STATUS_BROKEN; i++)
        status = front_worse(status, play_operand(&table, o->operand[i], o));
    struct text t = front_report(1);
    if (status < STATUS_BROKEN && o->format == FORMAT_JSON)
        situation_table_json(&t, &table);
    else if (status < STATUS_BROKEN)
        situation_table_text(&t, &table);
    status = front_worse(status, front_put(&t));
    text_free(&t);
    situation_table_free(&table);
    return status;
}
