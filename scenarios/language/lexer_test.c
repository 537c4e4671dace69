/* SPDX-License-Identifier: MIT */
#include "scenarios/language/lexer.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/bounds.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

/* --- one line's tokens ------------------------------------------------------------------------- */

static struct arena arena;
static struct source source;
static struct diags diags;

static void lex(const char *text, size_t n)
{
    arena_free(&arena);
    arena = (struct arena){0};
    source = (struct source){0};
    diags = (struct diags){0};
    source_read(&source, &arena, text, n, &diags);
}

static const struct token *lexed(const char *text)
{
    lex(text, strlen(text));
    return source.tokens.row;
}

static int64_t value_of(const char *text)
{
    const struct token *t = lexed(text);
    return diags.total == 0 && source.tokens.n == 2 ? t->value : -1;
}

static const char *said(const char *text)
{
    static char out[300];
    lex(text, strlen(text));
    out[0] = '\0';
    if (diags.n > 0)
        snprintf(out, sizeof out, "%u:%u:%u %s", diags.row[0].line, diags.row[0].column, diags.row[0].length,
                 diags.row[0].text);
    return out;
}

TEST("durations are exact, whatever units they are written in")
{
    CHECK_EQ(value_of("1ns"), 1);
    CHECK_EQ(value_of("250us"), 250 * NS_PER_US);
    CHECK_EQ(value_of("5ms"), 5 * NS_PER_MS);
    CHECK_EQ(value_of("10s"), 10 * NS_PER_S);
    CHECK_EQ(value_of("1m30s"), 90 * NS_PER_S);
    CHECK_EQ(value_of("2h"), 7200 * NS_PER_S);
    CHECK_EQ(value_of("10.010s"), 10010 * NS_PER_MS);
    CHECK_EQ(value_of("1.5h"), 5400 * NS_PER_S);
    CHECK_EQ(value_of("0.000000001s"), 1);
    CHECK_EQ(value_of("1h1m1s1ms1us1ns"), 3661 * NS_PER_S + 1001001);
    CHECK_EQ(value_of("0s"), 0);
    CHECK_EQ(lexed("5ms")->kind, T_DURATION);
}

TEST("a duration at the limit is read, above it and below a nanosecond refused")
{
    CHECK_EQ(value_of("9007199254740992ns"), NS_MAX);
    CHECK_EQ(value_of("9007199.254740992s"), NS_MAX);
    CHECK_STR(said("x 9007199254740993ns"), "1:3:18 longer than 2^53 ns, which is 104 days");
    CHECK_STR(said("9007199.254740993s"), "1:1:18 longer than 2^53 ns, which is 104 days");
    CHECK_STR(said("99999999999999999999999h"), "1:1:24 longer than 2^53 ns, which is 104 days");
    CHECK_STR(said("0.0000000001s"), "1:1:13 finer than a nanosecond");
    CHECK_STR(said("0.5ns"), "1:1:5 finer than a nanosecond");
    CHECK_EQ(value_of("1.0000000000000s"), NS_PER_S);
}

TEST("units in the wrong order, or unknown ones, make no duration")
{
    CHECK_EQ(lexed("30s1m")->kind, T_WORD);
    CHECK_EQ(lexed("10sec")->kind, T_WORD);
    CHECK_EQ(lexed("5s5s")->kind, T_WORD);
    CHECK_STR(said("1.5"), "1:1:3 no number: a duration has a unit, as in 10.5s; the units are h m s ms us ns");
    CHECK_STR(said("1.5s5ms"), "1:1:7 no number: a duration has a unit, as in 10.5s; the units are h m s ms us ns");
}

TEST("a duration prints in its simplest form, which reads back as the same")
{
    static const struct {
        ns value;
        const char *text;
    } rows[] = {{0, "0s"},
                {1, "1ns"},
                {1000, "1us"},
                {1500000, "1500us"},
                {250000, "250us"},
                {NS_PER_S, "1s"},
                {10010 * NS_PER_MS, "10.01s"},
                {90 * NS_PER_S, "1m30s"},
                {60 * NS_PER_S, "1m"},
                {7200 * NS_PER_S, "2h"},
                {3600 * NS_PER_S + 1, "1h0.000000001s"},
                {NS_PER_S + 1, "1.000000001s"},
                {NS_MAX, "2501h59m59.254740992s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[48];
        duration_format(rows[i].value, text, sizeof text);
        CHECK_STR(text, rows[i].text);
        CHECK_EQ(value_of(text), rows[i].value);
    }
}

TEST("numbers, rates and ordinals are read up to their limits")
{
    CHECK_EQ(value_of("9223372036854775807"), INT64_MAX);
    CHECK_STR(said("9223372036854775808"), "1:1:19 a number larger than 9223372036854775807");
    CHECK_EQ(value_of("200ppm"), 200000);
    CHECK_EQ(value_of("0.5ppm"), 500);
    CHECK_EQ(value_of("500000ppm"), 500000000);
    CHECK_STR(said("500001ppm"), "1:1:9 a clock's rate is off by 500000ppm at most");
    CHECK_STR(said("0.0001ppm"), "1:1:9 finer than a thousandth of a ppm");
    CHECK_EQ(value_of("#1000000000"), 1000000000);
    CHECK_STR(said("#0"), "1:1:2 an ordinal is #1 to #1000000000");
    CHECK_STR(said("#1000000001"), "1:1:11 an ordinal is #1 to #1000000000");
}

static void check_kinds(const char *text, const uint8_t *kinds)
{
    const struct token *t = lexed(text);
    CHECK_EQ(diags.total, 0);
    uint32_t i = 0;
    for (; kinds[i] != T_END && t[i].kind != T_END; i++)
        CHECK_EQ(t[i].kind, kinds[i]);
    CHECK_EQ(t[i].kind, kinds[i]);
}

TEST("names, paths, ranges, links and signs are told apart")
{
    check_kinds("w1..w9", (uint8_t[]){T_WORD, T_DOTS, T_WORD, T_END});
    check_kinds("leader.1 w1.keeper leader.*",
                (uint8_t[]){T_WORD, T_DOT, T_WORD, T_WORD, T_DOT, T_WORD, T_WORD, T_DOT, T_STAR, T_END});
    check_kinds("ledger/42 ledger/5s", (uint8_t[]){T_WORD, T_SLASH, T_WORD, T_WORD, T_SLASH, T_WORD, T_END});
    check_kinds("w1->ledger", (uint8_t[]){T_WORD, T_ARROW, T_WORD, T_END});
    check_kinds("w1 - ledger", (uint8_t[]){T_WORD, T_MINUS, T_WORD, T_END});
    check_kinds("x-y", (uint8_t[]){T_WORD, T_END});
    check_kinds("1ms..5ms", (uint8_t[]){T_DURATION, T_DOTS, T_DURATION, T_END});
    check_kinds("jumps -1h", (uint8_t[]){T_WORD, T_MINUS, T_DURATION, T_END});
    check_kinds("A | B <= >= < > = != ( )",
                (uint8_t[]){T_WORD, T_BAR, T_WORD, T_LE, T_GE, T_LT, T_GT, T_EQ, T_NE, T_LPAREN, T_RPAREN, T_END});
    CHECK(lexed("-1h")[0].glued);
    CHECK(!lexed("- 1h")[0].glued);
}

TEST("a # before a digit is an ordinal, any other begins a comment")
{
    const struct token *t = lexed("a #2 # two");
    CHECK_EQ(t[1].kind, T_ORDINAL);
    CHECK_EQ(t[2].kind, T_END);
    CHECK_STR(source.lines.row[0].comment, "# two");
    lexed("#x");
    CHECK_STR(source.lines.row[0].comment, "#x");
    CHECK_EQ(source.lines.row[0].n, 0);
    CHECK_EQ(lexed("\"# no comment\"")->kind, T_STRING);
}

TEST("texts know two escapes and no raw control characters")
{
    CHECK_STR(lexed("\"say \\\"a\\\\b\\\"\"")->text, "say \"a\\b\"");
    CHECK_STR(said("x \"\\n\""), "1:4:1 in a text \\ stands only before \" and \\");
    CHECK_STR(said("x \"open"), "1:3:5 this text has no closing \"");
    CHECK_STR(said("x \"a\tb\""), "1:5:1 a tab in a text");
    CHECK_STR(said("x \"a\001b\""), "1:5:1 a control character");
    CHECK_STR(said("x \"\\"), "1:4:1 in a text \\ stands only before \" and \\");
}

TEST("bytes that are no text are refused where they stand")
{
    lex("a\nb\0c\n", 6);
    CHECK_EQ(diags.row[0].line, 2);
    CHECK_EQ(diags.row[0].column, 2);
    CHECK_STR(diags.row[0].text, "a NUL byte: this is not a text file");
    CHECK_STR(said("a \xff"), "1:3:1 this is not UTF-8");
    CHECK_STR(said("a \xc0\x80"), "1:3:1 this is not UTF-8");
    CHECK_STR(said("a \xed\xa0\x80"), "1:3:1 this is not UTF-8");
    CHECK_STR(said("a \xf4\x90\x80\x80"), "1:3:1 this is not UTF-8");
    CHECK_STR(said("a \xc3"), "1:3:1 this is not UTF-8");
    CHECK_STR(said("\xef\xbb\xbf"
                   "a"),
              "1:1:3 a byte order mark, which nobody sees; expected UTF-8 without one");
    CHECK_STR(said("\xef\xbb\xbf"), "1:1:3 a byte order mark, which nobody sees; expected UTF-8 without one");
    CHECK_STR(said("\xef\xbb"), "1:1:1 this is not UTF-8");
    CHECK_STR(said("a\n\xef\xbb\xbf"), "2:1:3 a character that the language does not use outside texts and comments");
    CHECK_STR(said("\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\" # \xc3\xa4"), "");
    CHECK_STR(said("w\xc3\xa4"), "1:2:2 a character that the language does not use outside texts and comments");
    CHECK_STR(said("a ; b"), "1:3:1 a character that the language does not use outside texts and comments");
    CHECK_STR(said("a\n\tb"), "2:1:1 a tab in the indentation; use spaces");
    CHECK_STR(said("a\r\nb\r\n"), "");
}

/* --- lines --------------------------------------------------------------------------------------- */

TEST("an indented line belongs to the nearest less indented line above")
{
    lexed("a\n    b\n      c\n  d\n e\nf\n");
    static const uint16_t depths[] = {0, 1, 2, 1, 1, 0};
    static const uint32_t ends[] = {5, 3, 3, 4, 5, 6};
    CHECK_EQ(source.lines.n, 6);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_EQ(source.lines.row[i].depth, depths[i]);
        CHECK_EQ(source.lines.row[i].end, ends[i]);
    }
}

static char *repeated(const char *word, size_t times)
{
    size_t n = strlen(word);
    char *text = malloc(n * times + 1);
    for (size_t i = 0; text != NULL && i < times; i++)
        memcpy(text + i * n, word, n);
    if (text != NULL)
        text[n * times] = '\0';
    return text;
}

static void check_repeated(const char *word, size_t times, uint32_t total, const char *what)
{
    char *text = repeated(word, times);
    CHECK(text != NULL);
    if (text == NULL)
        return;
    lex(text, strlen(text));
    CHECK_EQ(diags.total, total);
    if (total > 0)
        CHECK_STR(diags.row[0].text, what);
    free(text);
}

TEST("files, lines and names have limits, each tested at it and above")
{
    check_repeated("x", NAME_BYTES_MAX, 0, "");
    check_repeated("x", NAME_BYTES_MAX + 1, 1, "a name longer than 64 bytes");
    check_repeated("x ", LINE_BYTES_MAX / 2, 0, "");
    check_repeated("x  ", LINE_BYTES_MAX / 3 + 2, 1, "a line longer than 4096 bytes");
    check_repeated("x\n", LINES_MAX, 0, "");
    check_repeated("x\n", LINES_MAX + 1, 1, "a scenario has at most 20000 lines");
    check_repeated(" ", FILE_BYTES_MAX, 0, "");
    check_repeated(" ", FILE_BYTES_MAX + 1, 1, "a scenario has at most 1048576 bytes; this has 1048577");
    check_repeated("x", (size_t)10 << 20, 1, "a scenario has at most 1048576 bytes; this has 10485760");
}

static void check_nested(size_t depth, uint32_t total)
{
    char *text = calloc(depth + 1, depth + 2);
    CHECK(text != NULL);
    for (size_t i = 0, n = 0; text != NULL && i < depth; i++) {
        memset(text + n, ' ', i);
        n += i;
        text[n++] = 'x';
        text[n++] = '\n';
    }
    lex(text, text == NULL ? 0 : strlen(text));
    CHECK_EQ(diags.total, total);
    free(text);
}

TEST("blocks nest up to a limit")
{
    check_nested(DEPTH_MAX, 0);
    check_nested(DEPTH_MAX + 1, 1);
    CHECK_STR(diags.row[0].text, "blocks nest at most 32 deep");
}

TEST("what a terminal obeys rather than shows is refused in texts and comments")
{
    static const char turns[] = "1:7:3 a control character that turns the direction of the text";
    CHECK_STR(said("a b \"x\xc2\x80\""), "1:7:2 a control character");
    CHECK_STR(said("a b # \xc2\x9b"), "1:7:2 a control character");
    CHECK_STR(said("a b # \xc2\x9f"), "1:7:2 a control character");
    CHECK_STR(said("a b # \xe2\x80\xaa"), turns);
    CHECK_STR(said("a b # \xe2\x80\xae"), turns);
    CHECK_STR(said("a b # \xe2\x81\xa6"), turns);
    CHECK_STR(said("a b \"x\xe2\x81\xa9\""), turns);
    CHECK_STR(said("a b # \xc2\xa0 \xe2\x80\xa9 \xe2\x80\xaf \xe2\x81\xa5 \xe2\x81\xaa \xc3\x80"), "");
    CHECK_STR(said("a # \x7f"), "1:5:1 a control character");
}
