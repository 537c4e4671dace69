/* SPDX-License-Identifier: MIT */
#include "reports/text.h"

#include "sim/test.h"

#include <stdlib.h>

/* The text that was built, to be compared; the buffer is emptied. */
static const char *taken(struct text *t)
{
    static char copy[512];
    const char *c = text_c(t);
    size_t n = strlen(c) < sizeof copy - 1 ? strlen(c) : sizeof copy - 1;
    memcpy(copy, c, n);
    copy[n] = '\0';
    text_free(t);
    return copy;
}

#define CHECK_TEXT(call, expected)      \
    do {                                \
        struct text t = {0};            \
        call;                           \
        CHECK_STR(taken(&t), expected); \
    } while (0)

TEST("a time has seconds with three, six or nine places")
{
    CHECK_TEXT(text_time(&t, 0), "0.000s");
    CHECK_TEXT(text_time(&t, INT64_C(13005000000)), "13.005s");
    CHECK_TEXT(text_time(&t, 250000), "0.000250s");
    CHECK_TEXT(text_time(&t, 1), "0.000000001s");
    CHECK_TEXT(text_time(&t, -NS_PER_S), "-1.000s");
    CHECK_TEXT(text_time(&t, NS_MAX), "9007199.254740992s");
}

TEST("a duration is the shortest form that the language reads")
{
    CHECK_TEXT(text_duration(&t, 0), "0s");
    CHECK_TEXT(text_duration(&t, 12 * NS_PER_S), "12s");
    CHECK_TEXT(text_duration(&t, 90 * NS_PER_S), "1m30s");
    CHECK_TEXT(text_duration(&t, 3600 * NS_PER_S), "1h");
    CHECK_TEXT(text_duration(&t, 3660 * NS_PER_S), "1h1m");
    CHECK_TEXT(text_duration(&t, 3601 * NS_PER_S), "1h1s");
    CHECK_TEXT(text_duration(&t, 5 * NS_PER_MS), "5ms");
    CHECK_TEXT(text_duration(&t, 250 * NS_PER_US), "250us");
    CHECK_TEXT(text_duration(&t, 10 * NS_PER_S + 10 * NS_PER_MS), "10.010s");
    CHECK_TEXT(text_duration(&t, 1), "0.000000001s");
    CHECK_TEXT(text_duration(&t, -5 * NS_PER_MS), "-5ms");
}

TEST("the smallest and the largest number print whole")
{
    CHECK_TEXT(text_i64(&t, INT64_MIN), "-9223372036854775808");
    CHECK_TEXT(text_i64(&t, INT64_MAX), "9223372036854775807");
    CHECK_TEXT(text_u64(&t, UINT64_MAX), "18446744073709551615");
    CHECK_TEXT(text_u64(&t, 0), "0");
    CHECK_TEXT(text_digest(&t, UINT64_C(0x0123456789abcdef)), "d1:0123456789abcdef");
    CHECK_TEXT(text_digest(&t, 0), "d1:0000000000000000");
}

TEST("a quoted text escapes quotes, backslashes and control bytes")
{
    CHECK_TEXT(text_quoted(&t, "a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
    CHECK_TEXT(text_quoted(&t, "\n\t\x01"), "\"\\n\\t\\x01\"");
}

TEST("what a terminal could obey, or is no UTF-8, is shown as its number")
{
    CHECK_TEXT(text_shown(&t, "a/b \\ \"c\""), "a/b \\ \"c\"");
    CHECK_TEXT(text_shown(&t, "\033[31m\n\x7f"), "\\x1b[31m\\x0a\\x7f");
    CHECK_TEXT(text_shown(&t, "\xc2\x9b\xc2\xa0\xc3\xbc"), "\\xc2\\x9b\xc2\xa0\xc3\xbc");
    CHECK_TEXT(text_shown(&t, "\xff\xe2\x82"), "\\xff\\xe2\\x82");
    CHECK_TEXT(text_quoted(&t, "\xc2\x9b\xc3\xbc\xff"), "\"\\xc2\\x9b\xc3\xbc\\xff\"");
    CHECK_TEXT(text_json(&t, "\xc2\x9b\xc2\xa0"), "\"\\u009b\xc2\xa0\"");
}

TEST("a word for a shell is bare, or quoted, or escaped")
{
    CHECK_TEXT(text_shell(&t, "a-b/c.fence"), "a-b/c.fence");
    CHECK_TEXT(text_shell(&t, ""), "''");
    CHECK_TEXT(text_shell(&t, "it's \xc3\xbc"), "'it'\\''s \xc3\xbc'");
    CHECK_TEXT(text_shell(&t, "\0331'\\\xff"), "$'\\0331\\'\\\\\\377'");
    CHECK_TEXT(text_shell(&t, "\xc2\x9b"), "$'\\302\\233'");
}

TEST("JSON escapes what it must, and replaces bytes that are no UTF-8")
{
    CHECK_TEXT(text_json(&t, "a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
    CHECK_TEXT(text_json(&t, "\x01\x7f"), "\"\\u0001\\u007f\"");
    CHECK_TEXT(text_json(&t, "gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"");
    CHECK_TEXT(text_json(&t, "\xff!"), "\"\\ufffd!\"");
    CHECK_TEXT(text_json(&t, "\xc0\xaf"), "\"\\ufffd\\ufffd\"");            /* overlong */
    CHECK_TEXT(text_json(&t, "\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
    CHECK_TEXT(text_json(&t, "\xe2\x82"), "\"\\ufffd\\ufffd\"");            /* cut off */
    CHECK_TEXT(text_json(&t, "\xf0\x9f\x94\x92"), "\"\xf0\x9f\x94\x92\"");
    CHECK_TEXT(text_json(&t, NULL), "null");
    CHECK_TEXT(text_json_bytes(&t, "a\0b", 3), "\"a\\u0000b\"");
}

TEST("a key has a comma before it unless it is the first")
{
    struct text t = {0};
    text_char(&t, '{');
    text_key(&t, "a");
    text_u64(&t, 1);
    text_key(&t, "b");
    text_u64(&t, 2);
    text_key_bool(&t, "c", false);
    text_key_text(&t, "d", NULL);
    text_char(&t, '}');
    CHECK_STR(taken(&t), "{\"a\":1,\"b\":2,\"c\":false,\"d\":null}");
}

TEST("padding fills up on either side and cuts nothing")
{
    CHECK_TEXT(text_pad(&t, "ab", 4), "ab  ");
    CHECK_TEXT(text_pad(&t, "ab", -4), "  ab");
    CHECK_TEXT(text_pad(&t, "abcdef", 4), "abcdef");
}

TEST("one is singular, all else plural")
{
    CHECK_TEXT(text_count(&t, 1, "case", "cases"), "1 case");
    CHECK_TEXT(text_count(&t, 0, "case", "cases"), "0 cases");
}

TEST("a large number has a comma behind each group of three digits")
{
    CHECK_TEXT(text_grouped(&t, 0), "0");
    CHECK_TEXT(text_grouped(&t, 999), "999");
    CHECK_TEXT(text_grouped(&t, 1000), "1,000");
    CHECK_TEXT(text_grouped(&t, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST("colour is written only where it is wanted")
{
    CHECK_TEXT(text_style(&t, STYLE_BAD), "");
    struct text t = {0};
    t.colour = true;
    text_style(&t, STYLE_BAD);
    CHECK_STR(taken(&t), "\033[31m");
}

TEST("a buffer that finds no memory says so, and takes no harm")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    struct text t = {0};
    text_repeat(&t, 'x', 500);
    test_fail_allocation(1);
    text_repeat(&t, 'y', 500);
    test_fail_allocation(0);
    CHECK(t.failed);
    CHECK(t.n <= 512);
    text_add(&t, "swallowed");
    CHECK(t.n <= 512);
    CHECK_STR(text_c(&t), "");
    text_clear(&t);
    text_add(&t, "again");
    CHECK_STR(text_c(&t), "again");
    text_free(&t);
}
