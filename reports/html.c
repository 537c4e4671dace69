/* SPDX-License-Identifier: MIT
 *
 * html.c - see html.h.
 */
#include "reports/html.h"

#include <string.h>

static void hex(struct text *t, unsigned char c)
{
    static const char digit[] = "0123456789abcdef";
    text_char(t, digit[c >> 4]);
    text_char(t, digit[c & 15]);
}

/* U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
static bool turns(const unsigned char *s, size_t length)
{
    if (length == 2)
        return s[0] == 0xd8 && s[1] == 0x9c;
    if (length != 3 || s[0] != 0xe2)
        return false;
    return (s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xaa && s[2] <= 0xae))) ||
           (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

/* How long the harmless character at s is; 0: it, or its first byte, is to be escaped. */
static size_t harmless(const char *s, size_t n)
{
    size_t length = text_character(s, n);
    return turns((const unsigned char *)s, length) ? 0 : length;
}

static void escaped(struct text *t, char c)
{
    text_add(t, "\\x");
    hex(t, (unsigned char)c);
}

void html_visible(struct text *t, const char *string, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = harmless(string + i, n - i);
        size_t turned = length == 0 ? text_character(string + i, n - i) : 0; /* 0: no character at all */
        if (length > 0)
            text_bytes(t, string + i, length);
        for (size_t k = 0; length == 0 && k < (turned > 0 ? turned : 1); k++)
            escaped(t, string[i + k]);
        i += length > 0 ? length : turned > 0 ? turned : 1;
    }
}

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void html_bytes(struct text *t, const char *string, size_t n)
{
    struct text visible = {0};
    html_visible(&visible, string, n);
    for (size_t i = 0; i < visible.n; i++) {
        const char *named = entity(visible.bytes[i]);
        if (named != NULL)
            text_add(t, named);
        else
            text_char(t, visible.bytes[i]);
    }
    text_done(t, &visible);
}

void html_text(struct text *t, const char *string) { html_bytes(t, string, strlen(string)); }

/* U+2028 and U+2029 end a line in JavaScript, though not in JSON. */
static bool ends_line(const char *s, size_t n)
{
    return n >= 3 && (unsigned char)s[0] == 0xe2 && (unsigned char)s[1] == 0x80 && ((unsigned char)s[2] & 0xfe) == 0xa8;
}

/* What is not to stand in a script as it is: how many bytes of it, having added what stands for them; 0: nothing. */
static size_t json_escape(struct text *t, const char *s, size_t n, const char *plain)
{
    unsigned char c = (unsigned char)*s;
    bool markup = c == '<' || c == '>' || c == '&', line = ends_line(s, n);
    size_t length = c < 0x80 ? 1 : text_character(s, n), turned = turns((const unsigned char *)s, length) ? length : 0;
    if (!markup && !line && turned == 0)
        return 0;
    text_bytes(t, plain, (size_t)(s - plain));
    if (markup || line) {
        text_add(t, line ? "\\u20" : "\\u00");
        hex(t, line ? (unsigned char)((unsigned char)s[2] - 0x80) : c);
    }
    for (size_t i = 0; i < turned; i++) {
        text_char(t, '\\');
        escaped(t, s[i]);
    }
    return line ? 3 : markup ? 1 : turned;
}

void html_json(struct text *t, const struct text *json)
{
    size_t plain = 0; /* what is not copied yet begins here */
    for (size_t i = 0; i < json->n;) {
        size_t n = json_escape(t, json->bytes + i, json->n - i, json->bytes + plain);
        i += n == 0 ? 1 : n;
        plain = n == 0 ? plain : i;
    }
    if (json->n > plain)
        text_bytes(t, json->bytes + plain, json->n - plain);
    t->failed = t->failed || json->failed;
}

void html_link(struct text *t, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL) {
            text_char(t, *path);
        } else {
            text_char(t, '%');
            hex(t, (unsigned char)*path);
        }
    }
}

void html_head(struct text *t, const char *title)
{
    text_add(t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                "form-action 'none'\">\n<title>");
    html_text(t, title);
    text_add(t, " - Fencepost</title>\n<style>\n");
}

void html_witness(struct text *t, const struct text *href, const char *words, struct text *whole)
{
    bool link = href->n > 0;
    text_add(t, link ? "<a href=\"" : "<span");
    if (link) {
        text_bytes(t, href->bytes, href->n);
        text_char(t, '"');
    }
    if (words != NULL) {
        text_add(t, " title=\"");
        html_text(t, text_c(whole));
        text_char(t, '"');
    }
    text_char(t, '>');
    html_text(t, words != NULL ? words : text_c(whole));
    text_add(t, link ? "</a>" : "</span>");
}
