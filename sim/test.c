/* SPDX-License-Identifier: MIT
 *
 * test.c - the harness behind test.h: a list of tests, a loop, a count.
 *
 * Tests run in the order of their files' names, and within a file in the order of their lines,
 * whatever order the linker put them in. An assertion that fires in a test fails that test and
 * jumps out of it; inside test_asserts() it is what the test wants.
 */
#include "sim/test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base.h"

static struct test *tests;   /* sorted once all are registered */
static bool failed;          /* the running test, so far */
static const char *skipped;  /* why it cannot run here */
static jmp_buf *assert_jump; /* where an assertion that fires goes */
static const char *assert_expression;

/* --- allocations ------------------------------------------------------------------------ */

static int64_t allocations;
static int64_t fail_at; /* 0: never */

#ifdef TEST_COUNTS_ALLOCATIONS
/* The linker sends every call of malloc in our objects here (--wrap). */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static bool allocation_fails(void) { return ++allocations == fail_at; }

void *__wrap_malloc(size_t n) { return allocation_fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return allocation_fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return allocation_fails() ? NULL : __real_realloc(p, n); }

bool test_counts_allocations(void) { return true; }
#else
bool test_counts_allocations(void) { return false; }
#endif

int64_t test_allocations(void) { return allocations; }

void test_fail_allocation(int64_t nth) { fail_at = nth > 0 ? allocations + nth : 0; }

/* --- assertions ------------------------------------------------------------------------- */

static void on_assert(const char *expression, const char *file, int line)
{
    assert_expression = expression;
    if (assert_jump)
        longjmp(*assert_jump, 1);
    fprintf(stderr, "%s:%d: assertion failed outside a test: %s\n", file, line, expression);
    abort();
}

bool test_asserts(void (*body)(void *), void *context, const char **expression)
{
    jmp_buf here;
    jmp_buf *volatile outer = assert_jump;
    volatile bool fired = false;
    assert_jump = &here;
    if (setjmp(here) == 0)
        body(context);
    else
        fired = true;
    assert_jump = outer;
    if (fired && expression)
        *expression = assert_expression;
    return fired;
}

/* --- tests ------------------------------------------------------------------------------ */

static bool test_before(const struct test *a, const struct test *b)
{
    int order = strcmp(a->file, b->file);
    return order != 0 ? order < 0 : a->line < b->line;
}

/* An insertion sort: a few hundred tests. */
void test_register(struct test *t)
{
    struct test **place = &tests;
    while (*place && test_before(*place, t))
        place = &(*place)->next;
    t->next = *place;
    *place = t;
}

void test_failed(const char *file, int line, const char *format, ...)
{
    va_list args;
    failed = true;
    printf("  %s:%d: ", file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

void test_skip(const char *why) { skipped = why; }

static void run_body(void *t) { ((struct test *)t)->body(); }

static bool wanted(const struct test *t, int n_words, char **words)
{
    if (n_words == 0)
        return true;
    for (int i = 0; i < n_words; i++)
        if (strstr(t->file, words[i]) || strstr(t->sentence, words[i]))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int n_passed = 0, n_failed = 0, n_skipped = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash still shows what was printed */
    for (struct test *t = tests; t; t = t->next) {
        const char *expression = "";
        if (!wanted(t, argc - 1, argv + 1))
            continue;
        failed = false;
        skipped = NULL;
        assert_hook = on_assert;
        test_fail_allocation(0);
        if (test_asserts(run_body, t, &expression))
            test_failed(t->file, t->line, "assertion failed: %s", expression);
        if (failed) {
            n_failed++;
            printf("FAIL %s: %s\n", t->file, t->sentence);
        } else if (skipped) {
            n_skipped++;
            printf("skipped: %s: %s\n", t->sentence, skipped);
        } else {
            n_passed++;
        }
    }
    printf("%d passed, %d failed", n_passed, n_failed);
    if (n_skipped)
        printf(", %d skipped", n_skipped);
    printf("\n");
    return n_failed == 0 && n_passed + n_skipped > 0 ? 0 : 1;
}
