/* SPDX-License-Identifier: MIT
 *
 * case_command.c - the commands that take one case of one file: `fencepost trace`, and `fencepost diff`, which
 * takes two. FILE:CASE names a case, where no file has that whole name.
 */
#include "reports/diff.h"
#include "reports/export.h"
#include "reports/front.h"
#include "reports/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- one case of one file ------------------------------------------------------------------------- */

/* A played case with all that it stands on. */
struct played {
    struct loaded l;
    struct compiled *c;
    struct run *r;
    char *path; /* owned */
};

static void unplay(struct played *p)
{
    run_free(p->r);
    if (p->c != NULL)
        compiled_free(p->c);
    front_unload(&p->l);
    free(p->path);
    memset(p, 0, sizeof *p);
}

/* "FILE:CASE", where no file has that whole name: cuts the path, returns the case. NULL: no case. */
static const char *split_case(char *path)
{
    char *colon = strrchr(path, ':');
    if (colon == NULL || colon == path || access(path, F_OK) == 0)
        return NULL;
    *colon = '\0';
    return colon + 1;
}

static int find_case(const struct loaded *l, const char *name, uint32_t *i)
{
    *i = 0;
    if (name == NULL && scenario_cases(l->scenario) == 1)
        return STATUS_GOOD;
    int32_t found = name == NULL ? -1 : scenario_case_find(l->scenario, name);
    if (found < 0)
        return front_unknown_case(l->scenario, l->file.path, name);
    *i = (uint32_t)found;
    return STATUS_GOOD;
}

/* Plays one case; complains itself. p is to be unplayed in any case. */
static int play(struct played *p, const char *operand, const char *name, uint32_t without, const struct options *o)
{
    uint32_t i;
    memset(p, 0, sizeof *p);
    p->path = malloc(strlen(operand) + 1);
    if (p->path == NULL)
        return front_no_memory();
    memcpy(p->path, operand, strlen(operand) + 1);
    const char *behind_colon = split_case(p->path);
    int status = front_load(&p->l, p->path, o);
    if (status == STATUS_GOOD)
        status = find_case(&p->l, behind_colon != NULL ? behind_colon : name, &i);
    if (status != STATUS_GOOD)
        return status;
    p->c = front_compile(&p->l, i, without, o->put_back, &status);
    if (p->c == NULL)
        return status;
    const struct run_options how = {.plain = without == 0 && o->put_back == 0 && o->n_revisions == 0};
    p->r = run_case(p->c, &how);
    return p->r == NULL ? front_no_memory() : STATUS_GOOD;
}

/* For another program, and perhaps another machine: no colours, and no path of this one. */
static void trace_elsewhere(struct text *t, struct played *p, const struct options *o)
{
    t->colour = false;
    p->l.file.path = export_path(p->l.file.path);
    trace_export(t, &p->l.file, p->r, o->format, o->notes);
}

int command_trace(const struct options *o)
{
    struct played p;
    if (o->n_operands != 1) {
        front_complain("trace takes one file, and here are %" PRIu32, o->n_operands);
        return STATUS_WRONG;
    }
    int status = play(&p, o->operand[0], o->n_cases > 0 ? o->case_name[0] : NULL, o->without, o);
    if (status == STATUS_GOOD) {
        struct text t = front_report(1);
        if (o->format == FORMAT_TEXT)
            trace_text(&t, &p.l.file, p.r, o->notes);
        else
            trace_elsewhere(&t, &p, o);
        status = front_put(&t);
        text_free(&t);
        /* A trace is asked for, not a verdict: only a run that came to no end is no good. */
        if (p.r->verdict == VERDICT_ERROR)
            status = front_worse(status, front_status_of(p.r));
    }
    unplay(&p);
    return status;
}

/* --- diff ---------------------------------------------------------------------------------------------- */

/* What the two sides are, from the operands and --case. */
struct sides {
    const char *operand[2], *name[2];
    uint32_t without[2];
};

/* One file: two of its cases, or one case with a gate and without it. */
static void sides_of_one_file(struct sides *s, const struct options *o)
{
    s->operand[1] = s->operand[0];
    if (o->n_cases == 2)
        s->name[1] = o->case_name[1];
    else
        s->without[0] = 0;
}

static int find_sides(struct sides *s, const struct options *o)
{
    const char *first = o->n_cases > 0 ? o->case_name[0] : NULL;
    if (o->n_operands < 1 || o->n_operands > 2) {
        front_complain("diff takes two files, or one and two cases of it");
        return STATUS_WRONG;
    }
    *s = (struct sides){{o->operand[0], o->operand[o->n_operands - 1]},
                        {first, o->n_cases == 2 ? o->case_name[1] : first},
                        {o->without, o->without}};
    if (o->n_operands == 2)
        return STATUS_GOOD;
    if (o->n_cases < 2 && o->without == 0) {
        front_complain("diff of one file takes two cases: --case A --case B, or --case A --without GATE");
        return STATUS_WRONG;
    }
    sides_of_one_file(s, o);
    return STATUS_GOOD;
}

static void label_side(struct text *t, const struct played *p, uint32_t without)
{
    text_add(t, p->l.file.path);
    text_char(t, ' ');
    text_add(t, p->c->name);
    for (int g = 0; g < GATES; g++) {
        if (!(without >> g & 1))
            continue;
        text_add(t, " without ");
        text_add(t, gate_table[g].name);
    }
}

int command_diff(const struct options *o)
{
    struct sides s;
    struct played a = {0}, b = {0};
    int status = find_sides(&s, o);
    if (status == STATUS_GOOD)
        status = play(&a, s.operand[0], s.name[0], s.without[0], o);
    if (status == STATUS_GOOD)
        status = play(&b, s.operand[1], s.name[1], s.without[1], o);
    if (status == STATUS_GOOD) {
        struct text t = front_report(1), one = {0}, other = {0};
        label_side(&one, &a, s.without[0]);
        label_side(&other, &b, s.without[1]);
        const struct diff_side x = {text_c(&one), a.r}, y = {text_c(&other), b.r};
        bool differ = diff_runs(&t, &x, &y);
        text_done(&t, &one);
        text_done(&t, &other);
        status = front_worse(differ ? STATUS_FAILED : STATUS_GOOD, front_put(&t));
        text_free(&t);
    }
    unplay(&a);
    unplay(&b);
    return status;
}
