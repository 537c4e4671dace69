/* SPDX-License-Identifier: MIT
 *
 * revise.c - a scenario with other faults in some of its lines: what `--fault LINE=FAULT` says.
 *
 * The scenario was read, and its checks are those of the file as it is written. A revised one is a copy of its lines
 * and tokens in which a line has other tokens behind its [case ...] brackets, or none at all; cases, texts and
 * settings are shared. What is wrong with the new words is found when a case is compiled, and told with the words of
 * the command line, for the file has no such line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/language/compile.h"

static const struct place nowhere = {0, 0, 0};

/* Whether the tokens say a fault: TIME or EVENT, a colon, the fault. */
static bool says_fault(const struct token *t)
{
    for (; t->kind != T_END; t++)
        if (t->kind == T_COLON && t[1].kind == T_WORD && is_fault_word(t[1].text))
            return true;
    return false;
}

/* Whether the tokens are meant to: the compiler says what is wrong with the fault. */
static bool means_fault(const struct token *t)
{
    bool begins = token_is(t, "at") || token_is(t, "before") || token_is(t, "after");
    for (; begins && t->kind != T_END; t++)
        if (t->kind == T_COLON)
            return t[1].kind == T_WORD && !token_is(&t[1], "expect");
    return false;
}

static bool is_fault_line(const struct scenario *s, const struct line *line)
{
    return line->n > 0 && line->depth == 0 && says_fault(line_start(s, line));
}

/* "lines 25 and 31", of those that hold a fault; the first few. */
static void complain_line(const struct scenario *s, uint32_t number, struct diags *d)
{
    char list[96] = "";
    size_t n = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        if (!is_fault_line(s, &s->src.lines.row[i]) || found++ > 5)
            continue;
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%u", n == 0 ? "" : ", ", s->src.lines.row[i].number);
    }
    if (found == 0)
        diag_add(d, nowhere, "--fault %u: this file has no line that holds a fault", number);
    else
        diag_add(d, nowhere, "--fault %u: that line holds no fault; there is one in line %s%s", number, list,
                 found > 6 ? " ..." : "");
}

static void keep_token(struct scenario *s, const struct token *t, uint32_t number)
{
    struct token *kept = LIST_ADD(&s->arena, &s->src.tokens);
    *kept = *t;
    kept->line = number;
}

/* The line gets the tokens of its brackets, then these. */
static void put_tokens(struct scenario *s, struct line *line, const struct token *with)
{
    uint32_t first = s->src.tokens.n, brackets = (uint32_t)(line_start(s, line) - line_token(s, line, 0));
    for (uint32_t i = 0; i < brackets; i++)
        keep_token(s, &s->src.tokens.row[line->first + i], line->number);
    for (; with->kind != T_END; with++)
        keep_token(s, with, line->number);
    keep_token(s, with, line->number);
    line->first = first;
    line->n = s->src.tokens.n - first - 1;
}

static void revise_line(struct scenario *s, struct line *line, const struct revision *r, struct diags *d)
{
    struct source source = {0};
    struct diags problems = {0};
    if (strcmp(r->fault, REVISION_NONE) == 0) {
        line->n = 0;
        return;
    }
    source_read(&source, &s->arena, r->fault, strlen(r->fault), &problems);
    if (s->arena.failed)
        return;
    if (problems.total > 0)
        diag_add(d, nowhere, "--fault %u: column %u: %s", r->line, problems.row[0].column, problems.row[0].text);
    else if (source.lines.n != 1 || !means_fault(source.tokens.row))
        diag_add(d, nowhere,
                 "--fault %u: expected a fault with its time or event, as in 'at 5s: pause w1 for 2s', or 'none'",
                 r->line);
    else
        put_tokens(s, line, source.tokens.row);
}

static void revise(struct scenario *s, const struct revision *r, struct diags *d)
{
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        struct line *line = &s->src.lines.row[i];
        if (line->number != r->line)
            continue;
        if (is_fault_line(s, line)) {
            revise_line(s, line, r, d);
            return;
        }
    }
    complain_line(s, r->line, d);
}

/* A copy of an array, with room for nothing more: a list that grows moves. */
#define COPY_LIST(s, list)                                                           \
    do {                                                                             \
        void *copy_ = arena_alloc(&(s)->arena, ((list).n + 1) * sizeof *(list).row); \
        if (copy_ != NULL && (list).n > 0)                                           \
            memcpy(copy_, (list).row, (list).n * sizeof *(list).row);                \
        (list).row = copy_;                                                          \
        (list).cap = copy_ == NULL ? 0 : (list).n;                                   \
        (list).n = (list).cap;                                                       \
    } while (0)

struct scenario *scenario_revised(const struct scenario *s, const struct revision *revisions, uint32_t n,
                                  struct diags *diags)
{
    *diags = (struct diags){0};
    struct scenario *out = malloc(sizeof *out);
    if (out == NULL) {
        diags->no_memory = true;
        return NULL;
    }
    *out = *s;
    out->arena = (struct arena){0};
    COPY_LIST(out, out->src.lines);
    COPY_LIST(out, out->src.tokens);
    for (uint32_t i = 0; i < n && !out->arena.failed; i++)
        revise(out, &revisions[i], diags);
    out->revisions = revisions;
    out->n_revisions = n;
    diags->no_memory |= out->arena.failed;
    if (diags->total == 0 && !diags->no_memory)
        return out;
    scenario_free(out);
    return NULL;
}

void explain_revisions(const struct scenario *s, struct diags *diags)
{
    char text[sizeof diags->row[0].text];
    for (uint32_t k = 0; k < diags->n; k++)
        for (uint32_t i = 0; i < s->n_revisions; i++) {
            struct diag *d = &diags->row[k];
            if (d->line == 0 || d->line != s->revisions[i].line)
                continue;
            memcpy(text, d->text, sizeof text);
            diag_reword(d, "--fault %u: column %u: %s", d->line, d->column, text);
            d->line = d->column = d->length = 0;
        }
}

bool scenario_check(const struct scenario *s, struct diags *diags)
{
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        struct compiled *c = scenario_compile(s, i, 0, 0, diags);
        if (c == NULL)
            return false;
        compiled_free(c);
    }
    return true;
}
