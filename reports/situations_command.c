/* SPDX-License-Identifier: MIT
 *
 * situations_command.c - `fencepost situations`: which situations some scenarios reach together, and which none does.
 *
 * With -o it is a page. Its links lead to where `fencepost report` puts the pages of the same files, in the same
 * folder.
 */
#include "reports/folder.h"
#include "reports/front.h"
#include "reports/situations.h"

#include <string.h>

struct situated {
    const struct options *o;
    struct situation_table table;
    struct folder_names names;
};

static int play_case(struct situation_table *t, const struct loaded *l, uint32_t i)
{
    const struct run_options plain = {.plain = true};
    int status = STATUS_GOOD;
    struct compiled *c = front_compile(l, i, 0, 0, &status);
    if (c == NULL)
        return status;
    struct run *r = run_case(c, &plain);
    if (r != NULL)
        situation_table_case(t, r);
    status = r == NULL || t->failed ? front_no_memory() : STATUS_GOOD;
    run_free(r);
    compiled_free(c);
    return status;
}

static int play_file(struct situated *k, const char *root, const char *path)
{
    struct loaded l;
    int status = front_load(&l, path, k->o);
    if (status != STATUS_GOOD)
        return status;
    const char *page = k->o->output == NULL ? NULL : folder_name(&k->names, root, path);
    situation_table_file(&k->table, path, page);
    if (page == NULL && k->o->output != NULL)
        status = front_no_memory();
    for (uint32_t i = 0; i < scenario_cases(l.scenario) && status == STATUS_GOOD; i++)
        status = play_case(&k->table, &l, i);
    front_unload(&l);
    return status;
}

static int play_operand(struct situated *k, const char *operand)
{
    struct files files = {0};
    enum file_problem problem = files_add(&files, operand);
    int status = problem == FILE_OK ? STATUS_GOOD : front_complain_file(operand, problem, files.error);
    for (size_t i = 0; problem == FILE_OK && i < files.n && status < STATUS_BROKEN; i++)
        status = front_worse(status, play_file(k, operand, files.path[i]));
    files_free(&files);
    return status;
}

/* A cell that no run can reach, reached: the reason is wrong, or the reading of the trace. */
static int complain_contradiction(const struct situation_table *t)
{
    uint32_t cell = situation_table_contradiction(t);
    if (cell == NONE32)
        return STATUS_GOOD;
    front_complain("%s is reached, by %s, case %s: this is a bug of fencepost, which says that none can reach it",
                   situation_name(cell), t->file[t->row[cell].file].path, t->row[cell].case_name);
    return STATUS_BROKEN;
}

static int put_page(const struct situated *k)
{
    struct text t = {0};
    situation_page(&t, &k->table, NULL);
    int error = folder_write(k->o->output, "situations.html", &t), status = STATUS_GOOD;
    if (t.failed) {
        status = front_no_memory();
    } else if (error != 0) {
        front_complain("cannot write %s/situations.html: %s", k->o->output, strerror(error));
        status = STATUS_BROKEN;
    }
    text_free(&t);
    return status;
}

static int put_table(const struct situated *k)
{
    struct text t = front_report(1);
    if (k->o->format == FORMAT_JSON)
        situation_table_json(&t, &k->table);
    else
        situation_table_text(&t, &k->table);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

int command_situations(const struct options *o)
{
    static struct situated k;
    int status = STATUS_GOOD;
    if (o->output != NULL && o->output[0] == '\0') {
        front_complain("--output takes the name of a folder");
        return STATUS_WRONG;
    }
    k = (struct situated){.o = o};
    situation_table_begin(&k.table);
    if (!folder_take(&k.names, "index.html") || !folder_take(&k.names, "situations.html"))
        status = front_no_memory();
    for (uint32_t i = 0; i < o->n_operands && status < STATUS_BROKEN; i++)
        status = front_worse(status, play_operand(&k, o->operand[i]));
    if (status < STATUS_BROKEN)
        status = front_worse(status, complain_contradiction(&k.table));
    if (status < STATUS_BROKEN && k.table.n_files > 0)
        status = front_worse(status, o->output != NULL ? put_page(&k) : put_table(&k));
    situation_table_free(&k.table);
    folder_names_free(&k.names);
    return status;
}
