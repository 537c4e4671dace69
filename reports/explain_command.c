/* SPDX-License-Identifier: MIT
 *
 * explain_command.c - `fencepost explain`: why a case came out as it did, in sentences.
 *
 * Without --case it is the first that breaks; of a file in which none does, the only one.
 */
#include "reports/explain.h"

#include <inttypes.h>
#include <string.h>

/* The case that is meant. Complains itself. */
static int find_case(const struct loaded *l, const struct options *o, uint32_t *i)
{
    const struct scenario *s = l->scenario;
    int32_t found = o->n_cases > 0 ? scenario_case_find(s, o->case_name[0]) : -1;
    int status = STATUS_GOOD;
    for (uint32_t k = 0; o->n_cases == 0 && k < scenario_cases(s) && found < 0; k++) {
        struct compiled *c = front_compile(l, k, o->without, o->put_back, &status);
        if (c == NULL)
            return status;
        found = c->violates || scenario_cases(s) == 1 ? (int32_t)k : -1;
        compiled_free(c);
    }
    if (found < 0)
        return front_unknown_case(s, l->file.path, o->n_cases > 0 ? o->case_name[0] : NULL);
    *i = (uint32_t)found;
    return STATUS_GOOD;
}

static int put(const struct explanation *x, const struct loaded *l, const struct options *o)
{
    struct text t = front_report(1);
    struct telling k;
    telling_make(&k, x, &l->file, o, o->format == FORMAT_JSON ? "fencepost" : o->program);
    if (o->format == FORMAT_JSON)
        explain_json(&t, &k);
    else
        explain_text(&t, &k);
    telling_free(&k);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

static int explain_loaded(const struct loaded *l, const struct options *o)
{
    static struct diags diags;
    const struct change change = {o->without, o->put_back, o->n_revisions, o->revision};
    uint32_t i = 0;
    int status = find_case(l, o, &i);
    if (status != STATUS_GOOD)
        return status;
    memset(&diags, 0, sizeof diags);
    struct explanation *x = explain_new(l->written != NULL ? l->written : l->scenario, i, &change, &diags);
    if (x == NULL)
        return front_complain_diags(l, l->file.path, &diags);
    status = put(x, l, o);
    if (x->run->verdict == VERDICT_ERROR)
        status = front_worse(status, front_status_of(x->run));
    explain_free(x);
    return status;
}

int command_explain(const struct options *o)
{
    struct loaded l;
    if (o->n_operands != 1) {
        front_complain("explain takes one file, and here are %" PRIu32, o->n_operands);
        return STATUS_WRONG;
    }
    int status = front_load(&l, o->operand[0], o);
    if (status != STATUS_GOOD)
        return status;
    status = explain_loaded(&l, o);
    front_unload(&l);
    return status;
}
