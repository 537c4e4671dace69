/* SPDX-License-Identifier: MIT
 *
 * text.c - see text.h. The buffer doubles; nothing is ever cut off.
 */
#include "reports/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(struct text *t)
{
    free(t->bytes);
    t->bytes = NULL;
    t->n = t->capacity = 0;
}

void text_clear(struct text *t)
{
    t->n = 0;
    t->failed = false;
}

void text_done(struct text *t, struct text *part)
{
    t->failed = t->failed || part->failed;
    text_free(part);
}

static bool reserve(struct text *t, size_t more)
{
    if (t->failed)
        return false;
    if (more <= t->capacity - t->n)
        return true;
    size_t want = t->capacity < 512 ? 512 : t->capacity;
    while (want - t->n < more && want <= SIZE_MAX / 2)
        want *= 2;
    char *bytes = want - t->n < more ? NULL : realloc(t->bytes, want);
    if (bytes == NULL) {
        t->failed = true;
        return false;
    }
    t->bytes = bytes;
    t->capacity = want;
    return true;
}

const char *text_c(struct text *t)
{
    if (!reserve(t, 1))
        return "";
    t->bytes[t->n] = '\0';
    return t->bytes;
}

void text_bytes(struct text *t, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(t, n))
        return;
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
}

void text_add(struct text *t, const char *string) { text_bytes(t, string, strlen(string)); }

void text_char(struct text *t, char c) { text_bytes(t, &c, 1); }

void text_repeat(struct text *t, char c, size_t n)
{
    while (n-- > 0)
        text_char(t, c);
}

void text_pad(struct text *t, const char *string, int width)
{
    size_t length = strlen(string), want = (size_t)(width < 0 ? -width : width);
    size_t blanks = want > length ? want - length : 0;
    if (width < 0)
        text_repeat(t, ' ', blanks);
    text_add(t, string);
    if (width > 0)
        text_repeat(t, ' ', blanks);
}

/* Decimal digits of v, at least `least` of them. */
static void digits(struct text *t, uint64_t v, unsigned least)
{
    char d[20];
    unsigned n = 0;
    do {
        d[sizeof d - ++n] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0 || n < least);
    text_bytes(t, d + sizeof d - n, n);
}

void text_u64(struct text *t, uint64_t v) { digits(t, v, 1); }

/* The absolute value of v, also of the smallest. */
static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

void text_i64(struct text *t, int64_t v)
{
    if (v < 0)
        text_char(t, '-');
    digits(t, magnitude(v), 1);
}

void text_digest(struct text *t, uint64_t digest)
{
    static const char hex[] = "0123456789abcdef";
    text_add(t, "d1:");
    for (int shift = 60; shift >= 0; shift -= 4)
        text_char(t, hex[digest >> shift & 15]);
}

/* The places behind the point, `rest` nanoseconds: 3, 6 or 9 of them. */
static void places(struct text *t, uint64_t rest)
{
    text_char(t, '.');
    if (rest % 1000000 == 0)
        digits(t, rest / 1000000, 3);
    else if (rest % 1000 == 0)
        digits(t, rest / 1000, 6);
    else
        digits(t, rest, 9);
}

void text_time(struct text *t, ns at)
{
    uint64_t v = magnitude(at);
    if (at < 0)
        text_char(t, '-');
    digits(t, v / (uint64_t)NS_PER_S, 1);
    places(t, v % (uint64_t)NS_PER_S);
    text_char(t, 's');
}

/* Below a second: whole milliseconds or microseconds, if it is a whole number of them. */
static bool small_duration(struct text *t, uint64_t v)
{
    if (v == 0 || v >= (uint64_t)NS_PER_S || v % (uint64_t)NS_PER_US != 0)
        return false;
    bool ms = v % (uint64_t)NS_PER_MS == 0;
    digits(t, v / (uint64_t)(ms ? NS_PER_MS : NS_PER_US), 1);
    text_add(t, ms ? "ms" : "us");
    return true;
}

void text_duration(struct text *t, ns d)
{
    if (d == NS_NEVER) {
        text_add(t, "ever");
        return;
    }
    uint64_t v = magnitude(d);
    if (d < 0)
        text_char(t, '-');
    if (small_duration(t, v))
        return;
    uint64_t s = v / (uint64_t)NS_PER_S, rest = v % (uint64_t)NS_PER_S;
    if (s >= 3600) {
        digits(t, s / 3600, 1);
        text_char(t, 'h');
    }
    if (s % 3600 >= 60) {
        digits(t, s % 3600 / 60, 1);
        text_char(t, 'm');
    }
    if (s % 60 == 0 && rest == 0 && s > 0)
        return;
    digits(t, s % 60, 1);
    if (rest > 0)
        places(t, rest);
    text_char(t, 's');
}

/* How many bytes of well-formed UTF-8 stand at s (of n), or 0. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80             ? 1
                    : (s[0] & 0xe0) == 0xc0 ? 2
                    : (s[0] & 0xf0) == 0xe0 ? 3
                    : (s[0] & 0xf8) == 0xf0 ? 4
                                            : 0;
    if (length == 0 || length > n)
        return 0;
    if (length == 1)
        return 1;
    uint32_t code = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    bool bad = code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
    return bad ? 0 : length;
}

size_t text_character(const char *bytes, size_t n)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t length = utf8_length(s, n);
    bool control = s[0] < ' ' || s[0] == 127 || (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
    return control ? 0 : length;
}

static void hex_byte(struct text *t, const char *prefix, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    text_add(t, prefix);
    text_char(t, hex[c >> 4]);
    text_char(t, hex[c & 15]);
}

void text_shown(struct text *t, const char *string)
{
    size_t n = strlen(string);
    while (n > 0) {
        size_t length = text_character(string, n);
        if (length == 0)
            hex_byte(t, "\\x", (unsigned char)*string);
        else
            text_bytes(t, string, length);
        string += length == 0 ? 1 : length;
        n -= length == 0 ? 1 : length;
    }
}

void text_quoted(struct text *t, const char *string)
{
    size_t n = strlen(string);
    text_char(t, '"');
    while (n > 0) {
        size_t length = text_character(string, n);
        if (*string == '"' || *string == '\\')
            text_char(t, '\\');
        if (*string == '\n')
            text_add(t, "\\n");
        else if (*string == '\t')
            text_add(t, "\\t");
        else if (length == 0)
            hex_byte(t, "\\x", (unsigned char)*string);
        else
            text_bytes(t, string, length);
        string += length == 0 ? 1 : length;
        n -= length == 0 ? 1 : length;
    }
    text_char(t, '"');
}

/* In $'...', all that is not ASCII as three octal digits: a shell would take what follows \xHH for more of it. */
static void shell_escaped(struct text *t, const char *word)
{
    text_add(t, "$'");
    for (; *word != '\0'; word++) {
        unsigned char c = (unsigned char)*word;
        if (c == '\'' || c == '\\')
            text_char(t, '\\');
        if (c >= ' ' && c < 127) {
            text_char(t, *word);
            continue;
        }
        const char octal[] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7))};
        text_bytes(t, octal, sizeof octal);
    }
    text_char(t, '\'');
}

static bool is_harmless(const char *word)
{
    for (size_t n = strlen(word), length = 0; n > 0; word += length, n -= length) {
        length = text_character(word, n);
        if (length == 0)
            return false;
    }
    return true;
}

void text_shell(struct text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=+:@%,";
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        text_add(t, word);
        return;
    }
    if (!is_harmless(word)) {
        shell_escaped(t, word);
        return;
    }
    text_char(t, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_char(t, *word);
    }
    text_char(t, '\'');
}

void text_grouped(struct text *t, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text_char(t, ',');
        text_char(t, digits[i]);
    }
}

void text_count(struct text *t, uint64_t n, const char *one, const char *many)
{
    text_u64(t, n);
    text_char(t, ' ');
    text_add(t, n == 1 ? one : many);
}

void text_json_bytes(struct text *t, const char *bytes, size_t n)
{
    text_char(t, '"');
    for (size_t i = 0; i < n;) {
        const unsigned char *s = (const unsigned char *)bytes + i;
        size_t length = utf8_length(s, n - i);
        if (length == 0)
            text_add(t, "\\ufffd");
        else if (*s == '"' || *s == '\\') {
            text_char(t, '\\');
            text_char(t, (char)*s);
        } else if (*s == '\n')
            text_add(t, "\\n");
        else if (*s < ' ' || *s == 127)
            hex_byte(t, "\\u00", *s);
        else if (text_character(bytes + i, n - i) == 0) /* U+0080 to U+009F */
            hex_byte(t, "\\u00", s[1]);
        else
            text_bytes(t, bytes + i, length);
        i += length == 0 ? 1 : length;
    }
    text_char(t, '"');
}

void text_json(struct text *t, const char *string)
{
    if (string == NULL)
        text_add(t, "null");
    else
        text_json_bytes(t, string, strlen(string));
}

void text_comma(struct text *t)
{
    if (t->n > 0 && strchr("{[\n", t->bytes[t->n - 1]) == NULL)
        text_char(t, ',');
}

void text_key(struct text *t, const char *key)
{
    text_comma(t);
    text_json(t, key);
    text_char(t, ':');
}

void text_key_u64(struct text *t, const char *key, uint64_t v)
{
    text_key(t, key);
    text_u64(t, v);
}

void text_key_bool(struct text *t, const char *key, bool v)
{
    text_key(t, key);
    text_add(t, v ? "true" : "false");
}

void text_key_text(struct text *t, const char *key, const char *string)
{
    text_key(t, key);
    text_json(t, string);
}

char *text_copied(const char *bytes, size_t n)
{
    char *s = malloc(n + 1);
    if (s != NULL) {
        memcpy(s, bytes, n);
        s[n] = '\0';
    }
    return s;
}

void text_style(struct text *t, enum style style)
{
    static const char *const sequence[] = {"\033[0m", "\033[32m", "\033[31m", "\033[2m", "\033[1m"};
    if (t->colour)
        text_add(t, sequence[style]);
}
