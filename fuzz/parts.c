/* SPDX-License-Identifier: MIT
 *
 * parts.c - see parts.h. Lines are found by their shape: a program is a line at the margin that ends in a colon, with
 * what is indented below it. Nodes and names that nothing uses any more go with it, see scenario_print_found().
 */
#include "fuzz/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 64

struct parts {
    const struct scenario *s;
    const struct parts_break *what;
    uint32_t dropped[PARTS_MAX], n;
    char *best;
    size_t length;
};

/* A program's first line, or a job's. */
static bool is_part(const char *line, size_t n)
{
    size_t indent = 0;
    while (indent < n && line[indent] == ' ')
        indent++;
    while (n > indent && line[n - 1] == ' ')
        n--;
    if (n == indent || line[indent] == '#')
        return false;
    return indent == 0 ? line[n - 1] == ':' : n - indent > 4 && memcmp(line + indent, "job \"", 5) == 0;
}

static bool breaks(const struct parts *k, const struct run *r)
{
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        if (v->invariant == k->what->invariant &&
            (k->what->node == NULL ||
             (v->node != NONE16 && strcmp(r->c->sim.names->text[v->node], k->what->node) == 0)))
            return true;
    }
    return false;
}

/* Whether a file still breaks it; it says `holds`, so what it says is not asked. */
static bool file_breaks(const struct parts *k, const char *text, size_t length)
{
    struct diags *diags = calloc(1, sizeof *diags);
    struct scenario *s = diags == NULL ? NULL : scenario_parse(text, length, "parts", NULL, 0, diags);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, diags);
    struct run *r = c == NULL ? NULL : run_case(c, NULL);
    bool good = r != NULL && (r->end == END_IDLE || r->end == END_HORIZON) && breaks(k, r);
    run_free(r);
    if (c != NULL)
        compiled_free(c);
    if (s != NULL)
        scenario_free(s);
    free(diags);
    return good;
}

static void try_without(struct parts *k, uint32_t line)
{
    struct finding f = {.claim = "holds", .dropped = k->dropped, .n_dropped = k->n + 1};
    size_t length;
    if (k->n == PARTS_MAX)
        return;
    k->dropped[k->n] = line;
    char *text = scenario_print_found(k->s, 0, &f, &length);
    if (text != NULL && file_breaks(k, text, length)) {
        free(k->best);
        k->best = text;
        k->length = length;
        k->n++;
        return;
    }
    free(text);
}

char *parts_leave_out(const char *text, size_t length, const struct parts_break *what, size_t *out_length,
                      uint32_t *left_out)
{
    struct diags diags = {0};
    struct parts k = {.s = scenario_parse(text, length, "parts", NULL, 0, &diags), .what = what};
    uint32_t lines = 0;
    if (k.s == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    for (uint32_t line = lines; line > 0; line--) {
        size_t n;
        const char *at = scenario_line(k.s, line, &n);
        if (is_part(at, n))
            try_without(&k, line);
    }
    *out_length = k.length;
    *left_out = k.n;
    scenario_free((struct scenario *)k.s);
    return k.best;
}
