/* SPDX-License-Identifier: MIT
 *
 * selftest_plan.c - which cases are measured, and which numbers their bugs have.
 *
 * All of it is known before anything is measured: a case that holds has as many bugs as it has gates. So each bug has
 * its number and its place on the page, whichever process measures it and whenever that ends.
 */
#include "fuzz/selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/gates.h"
#include "scenarios/files.h"

static char *kept(const char *text, size_t n)
{
    char *out = malloc(n + 1);
    if (out == NULL)
        selftest_give_up(3, "no memory", text);
    memcpy(out, text, n);
    out[n] = '\0';
    return out;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? kept(".", 1) : kept(path, (size_t)(slash - path));
}

/* The name without folder and ending. */
static char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    size_t n = strlen(name);
    return kept(name, n - (n > 6 && strcmp(name + n - 6, ".fence") == 0 ? 6 : 0));
}

static struct scenario *scenario_at(const char *path)
{
    struct diags diags = {0};
    char *text = NULL;
    size_t n = 0;
    int error = 0;
    enum file_problem problem = file_read(path, &text, &n, &error);
    if (problem != FILE_OK)
        selftest_give_up(2, file_problem_text(problem, error), path);
    struct scenario *s = scenario_parse(text, n, path, NULL, 0, &diags);
    free(text);
    if (s == NULL && diags.n == 0)
        selftest_give_up(3, "no memory", path);
    if (s == NULL) {
        const struct diag *first = &diags.row[0];
        char where[4096 + 32];
        (void)snprintf(where, sizeof where, "%.4095s:%" PRIu32 ":%" PRIu32, path, first->line, first->column);
        selftest_give_up(2, first->text, where);
    }
    return s;
}

/* Bits. Of a case that is broken with all of them in place: none. */
static uint32_t gates_to_take(const struct selftest_case *of, uint32_t only)
{
    struct diags diags = {0};
    struct compiled *c = scenario_compile(of->s, of->index, 0, 0, &diags);
    if (c == NULL)
        selftest_give_up(3, "no memory", of->path);
    uint32_t gates = c->violates ? 0 : gates_of(c) & only;
    compiled_free(c);
    return gates;
}

static void add_case(struct selftest_plan *p, const struct selftest_case *of)
{
    if (p->n == p->room) {
        uint32_t room = p->room == 0 ? 64 : 2 * p->room;
        struct selftest_case *grown = realloc(p->row, room * sizeof *grown);
        if (grown == NULL)
            selftest_give_up(3, "no memory", of->path);
        p->row = grown;
        p->room = room;
    }
    struct selftest_case *row = &p->row[p->n++];
    *row = *of;
    row->first = p->n_bugs;
    for (uint32_t gate = 0; gate < GATES; gate++)
        row->n_bugs += of->gates >> gate & 1;
    p->n_bugs += row->n_bugs;
}

/* What the cases of a file share: its tree and names. */
static void free_file(const struct selftest_case *of)
{
    scenario_free(of->s);
    free(of->path);
    free(of->folder);
    free(of->file);
}

static void add_file(struct selftest_plan *p, const struct selftest_options *o, const char *path, uint32_t only)
{
    uint32_t before = p->n;
    struct selftest_case of = {.s = scenario_at(path),
                               .path = kept(path, strlen(path)),
                               .folder = folder_of(path),
                               .file = short_name(path),
                               .o = *o};
    for (of.index = 0; of.index < scenario_cases(of.s); of.index++) {
        of.name = scenario_case_name(of.s, of.index);
        of.gates = gates_to_take(&of, only);
        if (of.gates != 0)
            add_case(p, &of);
    }
    if (p->n == before)
        free_file(&of);
}

void selftest_plan_add(struct selftest_plan *p, const struct selftest_options *o, const char *path, uint32_t only)
{
    struct files files = {0};
    enum file_problem problem = files_add(&files, path);
    if (problem != FILE_OK)
        selftest_give_up(2, file_problem_text(problem, files.error), path);
    for (size_t i = 0; i < files.n; i++)
        add_file(p, o, files.path[i], only);
    files_free(&files);
}

void selftest_plan_free(struct selftest_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (i + 1 == p->n || p->row[i + 1].s != p->row[i].s)
            free_file(&p->row[i]);
    free(p->row);
    *p = (struct selftest_plan){0};
}
