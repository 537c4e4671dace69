/* SPDX-License-Identifier: MIT
 *
 * compiling.h - for the language's tests: what a text compiles to, and how it prints.
 */
#ifndef FENCEPOST_LANGUAGE_COMPILING_H
#define FENCEPOST_LANGUAGE_COMPILING_H

#include "model/plan.h"
#include "scenarios/language/scenario.h"

/* The text that was compiled last, for one of its cases; each is NULL where the text has problems. */
extern struct planned {
    struct scenario *scenario;
    struct compiled *compiled;
} planned;

/* Compiles a text for its case i. Kept in `planned` until the next call. NULL: it has problems, and the running test
 * failed. */
const struct compiled *plan_of(const char *text, uint32_t i);
/* The same for lines that stand behind a world, for its first case. Both together are shorter than 16 KiB. */
const struct compiled *plan_behind(const char *world, const char *lines);

static inline const char *name(const struct compiled *c, name_id id) { return c->sim.names->text[id]; }

/* The last expectation, NULL if there is none; the first operator of what it asks, EX_END if it asks nothing. */
const struct expectation *last_expectation(const struct compiled *c);
const struct expr_op *first_op(const struct expectation *e);

/* What a line of the printed trace is behind `expect`, its time before it, in the first case of a world. */
struct traced {
    const char *line;
    uint16_t verb, fields; /* how many of its fields the line names */
    const char *object;    /* NULL: none */
};
#define CHECK_TRACED(world, lines) check_traced(world, lines, sizeof(lines) / sizeof *(lines))
void check_traced(const char *world, const struct traced *lines, size_t n);

/* All of the code, by its instructions: check_ops(c, OPS(OP_WORK, OP_END)). */
#define OPS(...) \
    (const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]) { __VA_ARGS__ }
void check_ops(const struct compiled *c, const uint8_t *ops, uint32_t n);

/* One expression, by its operators but the last, EX_END: check_expr(c, e->expr, CODES(EX_VAR, EX_NOT)). */
#define CODES(...) (const uint16_t[]){__VA_ARGS__}, sizeof(uint16_t[]){__VA_ARGS__} / 2
void check_expr(const struct compiled *c, uint32_t first, const uint16_t *codes, uint32_t n);

/* A text in its canonical form, malloc'd; NULL: it has problems, and the running test failed. */
char *printed(const char *text);
/* The text prints as this, and this as itself. */
void check_prints(const char *text, const char *canonical);

#endif
