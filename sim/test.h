/* SPDX-License-Identifier: MIT
 *
 * test.h - the harness. A test is a sentence and a body:
 *
 *     TEST("a cancelled timer never fires") { CHECK_EQ(fired, 0); }
 *
 * Every *_test.c is linked into one program (build/tests), which runs all of them, or those whose
 * file or sentence contains the words of its command line, and ends with "N passed, N failed".
 * A failed CHECK prints where and what, and the test goes on; the test counts as failed.
 */
#ifndef FENCEPOST_SIM_TEST_H
#define FENCEPOST_SIM_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct test {
    const char *sentence;
    const char *file;
    int line;
    void (*body)(void);
    struct test *next;
};

void test_register(struct test *t);
void test_failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void test_skip(const char *why); /* the running test cannot run here: says so, counts as skipped */

/* Runs body(context) and returns true if an assertion fired in it; expression gets its text. */
bool test_asserts(void (*body)(void *), void *context, const char **expression);

/* Allocations by our own code so far. In a build that cannot count them (a sanitizer's, another linker's)
 * test_counts_allocations() is false. test_fail_allocation(n) makes the n-th from now return NULL; 0: none. */
bool test_counts_allocations(void);
int64_t test_allocations(void);
void test_fail_allocation(int64_t nth);

/* Whether this build is one that runs several times slower, for a sanitizer or to count lines: what is drawn is drawn
 * less often there. */
#if defined(__SANITIZE_ADDRESS__) || defined(FENCEPOST_COVERAGE)
#define TEST_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_SLOW 1
#endif
#endif
#ifndef TEST_SLOW
#define TEST_SLOW 0
#endif
#define TEST_FEWER(n) (TEST_SLOW ? (n) / 8 : (n))

#define TEST_CAT_(a, b) a##b
#define TEST_CAT(a, b) TEST_CAT_(a, b)
#define TEST(text)                                                                                                \
    static void TEST_CAT(test_body_, __LINE__)(void);                                                             \
    static struct test TEST_CAT(test_row_, __LINE__) = {text, __FILE__, __LINE__, TEST_CAT(test_body_, __LINE__), \
                                                        NULL};                                                    \
    __attribute__((constructor)) static void TEST_CAT(test_add_, __LINE__)(void)                                  \
    {                                                                                                             \
        test_register(&TEST_CAT(test_row_, __LINE__));                                                            \
    }                                                                                                             \
    static void TEST_CAT(test_body_, __LINE__)(void)

#define CHECK(x) ((x) ? (void)0 : test_failed(__FILE__, __LINE__, "%s", #x))
#define CHECK_EQ(a, b)                                                                                           \
    do {                                                                                                         \
        int64_t check_a_ = (int64_t)(a), check_b_ = (int64_t)(b);                                                \
        if (check_a_ != check_b_)                                                                                \
            test_failed(__FILE__, __LINE__, "%s is %" PRId64 ", not %s = %" PRId64, #a, check_a_, #b, check_b_); \
    } while (0)
#define CHECK_STR(a, b)                                                                                    \
    do {                                                                                                   \
        const char *check_a_ = (a), *check_b_ = (b);                                                       \
        if (strcmp(check_a_, check_b_) != 0)                                                               \
            test_failed(__FILE__, __LINE__, "%s is\n    \"%s\", not\n    \"%s\"", #a, check_a_, check_b_); \
    } while (0)

#endif
