/* SPDX-License-Identifier: MIT
 *
 * growth_command.c - `fencepost growth`: how many abstract states each strategy of search passes, and when the last new
 * one came. With -o it is a page, which has the gates table and its survival curves too.
 */
#include "reports/folder.h"
#include "reports/looking.h"
#include "reports/search_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS_MAX 1024

/* Of the gates of a page. */
#define GATE_SCHEDULES 2000
#define GATE_SEEDS 30

struct grown {
    const struct options *o;
    const char *path, *case_name;
    struct text sections;
};

static bool tick(void *context, uint64_t played)
{
    const struct grown *k = context;
    looking_progress("%s, case %s: %" PRIu64 " schedules", k->path, k->case_name, played);
    return !looking_stopped();
}

static bool tick_gates(void *context, const char *what)
{
    const struct grown *k = context;
    looking_progress("%s, case %s: %s", k->path, k->case_name, what);
    return !looking_stopped();
}

static bool measure(struct grown *k, const struct target *target, struct search_row *row)
{
    bool good = true;
    for (uint32_t by = 0; by <= ARMS && good && !looking_stopped(); by++)
        good = growth_measure(target->sp, by == TOGETHER ? PORTFOLIO : 1u << by, k->o->look.seed, k->o->look.schedules,
                              tick, k, &row->by[by]);
    looking_progress_end();
    return good;
}

static int put_row(struct grown *k, const struct search_row *row)
{
    struct text t = front_report(1);
    if (k->o->format == FORMAT_JSON)
        search_row_json(&t, row);
    else
        search_row_text(&t, row);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

static int put_section(struct grown *k, const struct target *target, struct search_row *row)
{
    struct gates *g = calloc(1, sizeof *g);
    const struct gates_options go = {.schedules = GATE_SCHEDULES,
                                     .faults = 1,
                                     .steps = PROOF_STEPS / 4,
                                     .memory = k->o->look.memory,
                                     .seed = k->o->look.seed,
                                     .seeds = GATE_SEEDS,
                                     .workers = k->o->look.jobs,
                                     .pairs = true,
                                     .tick = tick_gates,
                                     .context = k};
    bool good = g != NULL && gates_look(target->scenario, target->case_index, &go, g);
    looking_progress_end();
    if (good) {
        row->gates = g;
        row->gate_schedules = GATE_SCHEDULES;
        search_section(&k->sections, row);
        row->gates = NULL;
    }
    if (g != NULL)
        gates_free(g);
    free(g);
    return good ? STATUS_GOOD : front_no_memory();
}

static int grow_case(struct grown *k, struct loaded *l, uint32_t i)
{
    struct search_row *row = calloc(1, sizeof *row);
    struct target target;
    if (row == NULL)
        return front_no_memory();
    int status = target_open(&target, l, i, k->o);
    if (status == STATUS_GOOD) {
        k->path = l->file.path;
        k->case_name = target.name;
        *row = (struct search_row){.file = k->path,
                                   .case_name = k->case_name,
                                   .schedules = k->o->look.schedules,
                                   .seed = k->o->look.seed,
                                   .offers = target.sp->n_offers,
                                   .horizon = target.sp->horizon};
        status = measure(k, &target, row) ? STATUS_GOOD : front_no_memory();
    }
    if (status == STATUS_GOOD)
        status = k->o->output != NULL ? put_section(k, &target, row) : put_row(k, row);
    target_close(&target);
    free(row);
    return status;
}

static int grow_file(struct grown *k, const char *path, bool alone)
{
    struct loaded l;
    bool which[TARGETS_MAX];
    int status = front_load(&l, path, k->o), worst = STATUS_GOOD;
    if (status != STATUS_GOOD)
        return status;
    if (alone || target_any_holds(&l, k->o))
        status = target_cases(&l, k->o, which, TARGETS_MAX);
    else
        memset(which, 0, sizeof which);
    for (uint32_t i = 0; i < TARGETS_MAX && status == STATUS_GOOD && worst < STATUS_BROKEN && !looking_stopped(); i++)
        if (which[i])
            worst = front_worse(worst, grow_case(k, &l, i));
    front_unload(&l);
    return front_worse(worst, status);
}

static int put_page(struct grown *k)
{
    struct text t = {0};
    search_page(&t, &k->sections, k->o->pages);
    int error = t.failed ? 0 : folder_write(k->o->output, "search.html", &t), status = STATUS_GOOD;
    if (t.failed) {
        status = front_no_memory();
    } else if (error != 0) {
        front_complain("cannot write %s/search.html: %s", k->o->output, strerror(error));
        status = STATUS_BROKEN;
    }
    text_free(&t);
    return status;
}

int command_growth(const struct options *o)
{
    struct grown k = {.o = o};
    struct files files = {0};
    int status = STATUS_GOOD;
    if (o->output != NULL && o->output[0] == '\0') {
        front_complain("--output takes the name of a folder");
        return STATUS_WRONG;
    }
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++) {
        enum file_problem problem = files_add(&files, o->operand[i]);
        if (problem != FILE_OK)
            status = front_complain_file(o->operand[i], problem, files.error);
    }
    looking_listen();
    for (size_t i = 0; i < files.n && status < STATUS_BROKEN && !looking_stopped(); i++)
        status = front_worse(status, grow_file(&k, files.path[i], files.n == 1));
    if (status < STATUS_BROKEN && o->output != NULL && k.sections.n > 0 && !looking_stopped())
        status = front_worse(status, put_page(&k));
    text_free(&k.sections);
    files_free(&files);
    looking_die();
    return status;
}
