/* SPDX-License-Identifier: MIT
 *
 * coverage_command.c - `fencepost coverage`: what the scenarios have shown of the protocols, and what not yet.
 */
#include "reports/coverage.h"
#include "reports/folder.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **rows, uint32_t n, uint32_t *most, size_t size)
{
    if (n < *most)
        return true;
    uint32_t more = *most == 0 ? 64 : 2 * *most;
    void *bigger = realloc(*rows, more * size);
    if (bigger == NULL)
        return false;
    *rows = bigger;
    *most = more;
    return true;
}

static int play_case(struct covered *c, const struct loaded *l, uint32_t i)
{
    const struct run_options options = {.plain = true, .more = SIM_ASIDES};
    int status = STATUS_GOOD;
    struct compiled *compiled = front_compile(l, i, 0, &status);
    if (compiled == NULL)
        return status;
    struct run *r = run_case(compiled, &options);
    bool good = r != NULL && grow((void **)&c->run, c->n_runs, &c->runs_max, sizeof *c->run);
    if (good) {
        c->run[c->n_runs] = (struct covered_run){c->n_files - 1, i, strdup(compiled->name)};
        good = c->run[c->n_runs].name != NULL && protocol_add(&c->protocol, r, c->n_runs);
        c->n_runs++;
    }
    run_free(r);
    compiled_free(compiled);
    return good ? STATUS_GOOD : front_no_memory();
}

static int play_file(struct covered *c, const char *path, const struct options *o)
{
    struct loaded l;
    int status = front_load(&l, path, o);
    if (status != STATUS_GOOD)
        return status;
    if (!grow((void **)&c->file, c->n_files, &c->files_max, sizeof *c->file))
        status = front_no_memory();
    else
        c->file[c->n_files++] = (struct covered_file){.path = strdup(path), .title = strdup(scenario_title(l.scenario))};
    for (uint32_t i = 0; i < scenario_cases(l.scenario) && status == STATUS_GOOD; i++)
        status = play_case(c, &l, i);
    front_unload(&l);
    return status;
}

int command_coverage(const struct options *o)
{
    struct covered c = {0};
    struct files files = {0};
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++) {
        enum file_problem problem = files_add(&files, o->operand[i]);
        if (problem != FILE_OK)
            status = front_complain_file(o->operand[i], problem, files.error);
    }
    for (size_t i = 0; i < files.n && status == STATUS_GOOD; i++)
        status = play_file(&c, files.path[i], o);
    struct text t = front_report(1);
    if (status == STATUS_GOOD) {
        protocol_summary(&t, &c);
        status = front_put(&t);
    }
    text_free(&t);
    files_free(&files);
    return status;
}
