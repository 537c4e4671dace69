/* SPDX-License-Identifier: MIT
 *
 * lexer.c - text into lines of tokens.
 *
 * What is wrong in one line spoils that line alone. Nothing here knows any word of the language.
 *
 *  1. A name is a run of letters, digits, '-' and '_' that begins with none of '-'. A run that begins
 *     with a digit may be a number, a duration or ppm; behind a glued '.' or '/' it never is.
 *  2. '#' before a digit is an ordinal, any other begins a comment.
 *  3. Depth counts the lines above that are less indented, each less than the one below it.
 */
#include "scenarios/language/lexer.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/language/bounds.h"

struct lexer {
    struct source *s;
    struct arena *arena;
    struct diags *diags;
    const char *text; /* of the line */
    size_t n, at;
    uint32_t number;
    bool bad;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

static void complain(struct lexer *l, size_t at, size_t length, const char *text)
{
    if (!l->bad)
        diag_add(l->diags, (struct place){l->number, (uint32_t)at + 1, (uint32_t)length}, "%s", text);
    l->bad = true;
}

/* --- bytes -------------------------------------------------------------------------------- */

/* How many bytes the UTF-8 character at p has; 0: none that is valid. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool beyond = (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

/* Of a character of that many bytes: what a terminal obeys rather than shows. The bidirectional ones make a line
 * look like another. */
static const char *control_character(const unsigned char *p, size_t length)
{
    if ((length == 1 && p[0] < 0x20 && p[0] != '\t') || p[0] == 0x7F || (p[0] == 0xC2 && p[1] < 0xA0))
        return "a control character";
    bool overrides = length == 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0xAA && p[2] <= 0xAE;
    bool isolates = length == 3 && p[0] == 0xE2 && p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9;
    return overrides || isolates ? "a control character that turns the direction of the text" : NULL;
}

static void check_bytes(struct lexer *l)
{
    if (l->number == 1 && l->n >= 3 && memcmp(l->text, "\xEF\xBB\xBF", 3) == 0)
        complain(l, 0, 3, "a byte order mark, which nobody sees; expected UTF-8 without one");
    for (size_t i = 0; i < l->n && !l->bad;) {
        const unsigned char *p = (const unsigned char *)l->text + i;
        size_t length = utf8_length(p, l->n - i);
        const char *control = length == 0 ? NULL : control_character(p, length);
        if (length == 0)
            complain(l, i, 1, "this is not UTF-8");
        else if (p[0] == 0)
            complain(l, i, 1, "a NUL byte: this is not a text file");
        else if (control != NULL)
            complain(l, i, length, control);
        i += length;
    }
}

/* --- tokens ------------------------------------------------------------------------------- */

static struct token *token_add(struct lexer *l, enum token_kind kind, size_t at, size_t length)
{
    struct token *t = LIST_ADD(l->arena, &l->s->tokens);
    t->kind = (uint8_t)kind;
    t->line = l->number;
    t->column = (uint32_t)at + 1;
    t->length = (uint16_t)length;
    t->text = "";
    t->value = 0;
    t->glued = 0;
    return t;
}

static const char *word_text(struct lexer *l, const char *text, size_t n)
{
    uint32_t id = intern(l->arena, &l->s->words, text, n);
    return id == UINT32_MAX ? "" : l->s->words.text.row[id];
}

struct unit {
    const char *name;
    ns size;
};
static const struct unit units[] = {{"h", 3600 * NS_PER_S}, {"m", 60 * NS_PER_S}, {"s", NS_PER_S},
                                    {"ms", NS_PER_MS},      {"us", NS_PER_US},    {"ns", 1}};
#define UNITS (sizeof units / sizeof *units)

enum quantity { Q_NONE, Q_OK, Q_TOO_LARGE, Q_TOO_FINE };

/* digits[.digits] at *at; whole and the fraction as a text. */
static bool scan_digits(const char *p, size_t n, size_t *at, size_t *point)
{
    size_t i = *at;
    while (i < n && is_digit(p[i]))
        i++;
    *point = i;
    if (i == *at)
        return false;
    if (i + 1 < n && p[i] == '.' && is_digit(p[i + 1]))
        for (i++; i < n && is_digit(p[i]);)
            i++;
    *at = i;
    return true;
}

/* whole * size + fraction * size, exactly, at most max. */
static enum quantity scale(const char *p, size_t from, size_t point, size_t end, int64_t size, int64_t max,
                           int64_t *out)
{
    int64_t whole = 0;
    for (size_t i = from; i < point; i++) {
        if (whole > (max - (p[i] - '0')) / 10)
            return Q_TOO_LARGE;
        whole = whole * 10 + (p[i] - '0');
    }
    if (whole > max / size)
        return Q_TOO_LARGE;
    int64_t sum = whole * size;
    for (size_t i = point + 1; i < end; i++) {
        if (p[i] == '0' && size % 10 != 0)
            continue;
        if (size % 10 != 0)
            return Q_TOO_FINE;
        size /= 10;
        sum += (p[i] - '0') * size;
    }
    *out = sum;
    return sum > max ? Q_TOO_LARGE : Q_OK;
}

/* 1m30s: each unit smaller than the one before, a fraction only in the last. */
static enum quantity scan_duration(const char *p, size_t n, ns *out)
{
    size_t at = 0, unit = 0;
    bool fraction = false;
    *out = 0;
    while (at < n) {
        size_t from = at, point = 0;
        if (fraction || !scan_digits(p, n, &at, &point))
            return Q_NONE;
        fraction = point < at;
        size_t digits_end = at;
        while (at < n && !is_digit(p[at]))
            at++;
        while (unit < UNITS && (strlen(units[unit].name) != at - digits_end ||
                                memcmp(units[unit].name, p + digits_end, at - digits_end) != 0))
            unit++;
        if (unit == UNITS)
            return Q_NONE;
        ns part = 0;
        enum quantity q = scale(p, from, point, digits_end, units[unit].size, NS_MAX, &part);
        if (q != Q_OK)
            return q;
        if (part > NS_MAX - *out)
            return Q_TOO_LARGE;
        *out += part;
        unit++;
    }
    return Q_OK;
}

static enum quantity scan_ppm(const char *p, size_t n, int64_t *out)
{
    size_t at = 0, point = 0;
    if (n < 4 || memcmp(p + n - 3, "ppm", 3) != 0 || !scan_digits(p, n - 3, &at, &point) || at != n - 3)
        return Q_NONE;
    return scale(p, 0, point, at, 1000, 500000000, out);
}

static bool all_digits(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_digit(p[i]))
            return false;
    return true;
}

static void quantity_complain(struct lexer *l, enum quantity q, enum token_kind kind, size_t at, size_t n)
{
    if (q == Q_TOO_FINE)
        complain(l, at, n, kind == T_PPM ? "finer than a thousandth of a ppm" : "finer than a nanosecond");
    else if (kind == T_PPM)
        complain(l, at, n, "a clock's rate is off by 500000ppm at most");
    else if (kind == T_DURATION)
        complain(l, at, n, "longer than 2^53 ns, which is 104 days");
    else
        complain(l, at, n, "a number larger than 9223372036854775807");
}

/* A run that begins with a digit: number, duration, ppm, or a name after all. */
static void lex_quantity(struct lexer *l, size_t from, size_t name_end)
{
    size_t end = name_end;
    while (end + 1 < l->n && l->text[end] == '.' && is_digit(l->text[end - 1]) && is_digit(l->text[end + 1]))
        for (end++; end < l->n && is_name(l->text[end]);)
            end++;
    const char *p = l->text + from;
    size_t n = end - from;
    int64_t value = 0;
    enum token_kind kind = T_NUMBER;
    enum quantity q = all_digits(p, n) ? scale(p, 0, n, n, 1, INT64_MAX, &value) : Q_NONE;
    if (q == Q_NONE && (q = scan_duration(p, n, &value)) != Q_NONE)
        kind = T_DURATION;
    if (q == Q_NONE && (q = scan_ppm(p, n, &value)) != Q_NONE)
        kind = T_PPM;
    if (q == Q_NONE) {
        kind = T_WORD;
        if (end != name_end)
            complain(l, from, n, "no number: a duration has a unit, as in 10.5s; the units are h m s ms us ns");
    } else if (q != Q_OK) {
        quantity_complain(l, q, kind, from, n);
    }
    struct token *t = token_add(l, kind, from, n);
    t->text = word_text(l, p, n);
    t->value = value;
    l->at = end;
}

static bool behind_path(const struct lexer *l)
{
    const struct source *s = l->s;
    if (s->tokens.n == 0)
        return false;
    const struct token *last = &s->tokens.row[s->tokens.n - 1];
    return (last->kind == T_DOT || last->kind == T_SLASH) && last->line == l->number &&
           last->column + last->length == l->at + 1;
}

static void lex_name(struct lexer *l)
{
    size_t from = l->at, end = from;
    while (end < l->n && is_name(l->text[end]) && !(l->text[end] == '-' && end + 1 < l->n && l->text[end + 1] == '>'))
        end++;
    if (end - from > NAME_BYTES_MAX)
        complain(l, from, end - from, "a name longer than 64 bytes");
    if (is_digit(l->text[from]) && !behind_path(l)) {
        lex_quantity(l, from, end);
        return;
    }
    struct token *t = token_add(l, T_WORD, from, end - from);
    t->text = word_text(l, l->text + from, end - from);
    l->at = end;
}

static void lex_string(struct lexer *l)
{
    char buffer[LINE_BYTES_MAX];
    size_t from = l->at, i = from + 1, n = 0;
    while (i < l->n && l->text[i] != '"') {
        char c = l->text[i];
        if (c == '\\') {
            i++;
            c = i < l->n ? l->text[i] : 0;
            if (c != '"' && c != '\\') {
                complain(l, i - 1, 1, "in a text \\ stands only before \" and \\");
                break;
            }
        } else if (c == '\t') {
            complain(l, i, 1, "a tab in a text");
        }
        buffer[n++] = c;
        i++;
    }
    if (i >= l->n)
        complain(l, from, l->n - from, "this text has no closing \"");
    struct token *t = token_add(l, T_STRING, from, i + 1 - from);
    t->text = word_text(l, buffer, n);
    l->at = i < l->n ? i + 1 : l->n;
}

static void lex_ordinal(struct lexer *l)
{
    size_t from = l->at, end = from + 1;
    while (end < l->n && is_digit(l->text[end]))
        end++;
    int64_t value = 0;
    if (scale(l->text, from + 1, end, end, 1, COUNT_MAX, &value) != Q_OK || value == 0)
        complain(l, from, end - from, "an ordinal is #1 to #1000000000");
    struct token *t = token_add(l, T_ORDINAL, from, end - from);
    t->value = value;
    t->text = word_text(l, l->text + from, end - from);
    l->at = end;
}

static const char *const symbols[TOKEN_KINDS] = {
    [T_COLON] = ":", [T_COMMA] = ",", [T_DOT] = ".",    [T_DOTS] = "..",  [T_SLASH] = "/",
    [T_STAR] = "*",  [T_BAR] = "|",   [T_ARROW] = "->", [T_MINUS] = "-",  [T_PLUS] = "+",
    [T_EQ] = "=",    [T_NE] = "!=",   [T_LT] = "<",     [T_LE] = "<=",    [T_GT] = ">",
    [T_GE] = ">=",   [T_OPEN] = "[",  [T_CLOSE] = "]",  [T_LPAREN] = "(", [T_RPAREN] = ")"};

const char *token_symbol(enum token_kind kind) { return symbols[kind] == NULL ? "" : symbols[kind]; }

static void lex_symbol(struct lexer *l)
{
    size_t left = l->n - l->at, best = 0;
    enum token_kind kind = T_END;
    for (int k = T_COLON; k < TOKEN_KINDS; k++) {
        size_t n = strlen(symbols[k]);
        if (n > best && n <= left && memcmp(symbols[k], l->text + l->at, n) == 0) {
            best = n;
            kind = (enum token_kind)k;
        }
    }
    if (best == 0) {
        size_t n = utf8_length((const unsigned char *)l->text + l->at, left);
        complain(l, l->at, n, "a character that the language does not use outside texts and comments");
        l->at += n;
        return;
    }
    token_add(l, kind, l->at, best)->text = symbols[kind];
    l->at += best;
}

static bool is_comment(const struct lexer *l)
{
    return l->text[l->at] == '#' && !(l->at + 1 < l->n && is_digit(l->text[l->at + 1]));
}

/* Tokens up to the end or the comment, which is returned. */
static const char *lex_tokens(struct lexer *l)
{
    while (l->at < l->n) {
        char c = l->text[l->at];
        if (c == ' ' || c == '\t') {
            l->at++;
            continue;
        }
        if (is_comment(l))
            return arena_text(l->arena, l->text + l->at, l->n - l->at);
        if (c == '#')
            lex_ordinal(l);
        else if (c == '"')
            lex_string(l);
        else if (is_name(c) && c != '-')
            lex_name(l);
        else
            lex_symbol(l);
    }
    return NULL;
}

static void mark_glued(struct source *s, uint32_t from)
{
    for (uint32_t i = from; i + 1 < s->tokens.n; i++) {
        struct token *t = &s->tokens.row[i];
        t->glued = t->column + t->length == t[1].column && t[1].kind != T_END;
    }
}

/* --- lines -------------------------------------------------------------------------------- */

struct nesting {
    uint32_t line[DEPTH_MAX + 1]; /* indices of the lines that are open, outermost first */
    uint32_t n;
};

static size_t lex_indent(struct lexer *l)
{
    size_t indent = 0;
    while (indent < l->n && (l->text[indent] == ' ' || l->text[indent] == '\t')) {
        if (l->text[indent] == '\t')
            complain(l, indent, 1, "a tab in the indentation; use spaces");
        indent++;
    }
    return indent;
}

/* How many open lines a line of this indentation belongs to. */
static uint32_t depth_of(const struct source *s, const struct nesting *open, size_t indent)
{
    uint32_t depth = open->n;
    while (depth > 0 && s->lines.row[open->line[depth - 1]].indent >= indent)
        depth--;
    return depth;
}

static void close_lines(struct source *s, struct nesting *open, uint32_t depth)
{
    while (open->n > depth)
        s->lines.row[open->line[--open->n]].end = s->lines.n;
}

static void line_add(struct lexer *l, struct nesting *open, size_t indent, uint32_t first, const char *comment,
                     bool blank_before)
{
    struct source *s = l->s;
    uint32_t n = s->tokens.n - first;
    uint32_t depth = depth_of(s, open, indent);
    if (n > 0) {
        close_lines(s, open, depth);
        token_add(l, T_END, l->n > 0 && comment == NULL ? l->n : l->at, 0);
        mark_glued(s, first);
    }
    if (depth >= DEPTH_MAX) {
        complain(l, indent, 1, "blocks nest at most 32 deep");
        depth = DEPTH_MAX - 1;
        close_lines(s, open, depth);
    }
    uint32_t index = s->lines.n;
    struct line *line = LIST_ADD(l->arena, &s->lines);
    *line = (struct line){.number = l->number,
                          .first = first,
                          .n = n,
                          .end = index + 1,
                          .depth = (uint16_t)depth,
                          .blank_before = blank_before,
                          .bad = l->bad,
                          .indent = (uint32_t)indent,
                          .comment = comment};
    if (n > 0 && s->lines.n > index)
        open->line[open->n++] = index;
}

/* One line of the file; false: it was blank. */
static bool lex_line(struct lexer *l, struct nesting *open, bool blank_before)
{
    if (l->n > 0 && l->text[l->n - 1] == '\r')
        l->n--;
    while (l->n > 0 && (l->text[l->n - 1] == ' ' || l->text[l->n - 1] == '\t'))
        l->n--;
    if (l->n == 0)
        return false;
    if (l->n > LINE_BYTES_MAX) {
        complain(l, LINE_BYTES_MAX, 1, "a line longer than 4096 bytes");
        return true;
    }
    check_bytes(l);
    if (l->bad)
        return true;
    l->at = lex_indent(l);
    size_t indent = l->at;
    uint32_t first = l->s->tokens.n;
    const char *comment = lex_tokens(l);
    line_add(l, open, indent, first, comment, blank_before);
    return true;
}

void source_read(struct source *s, struct arena *a, const char *text, size_t length, struct diags *d)
{
    if (length > FILE_BYTES_MAX) {
        diag_add(d, (struct place){0, 0, 0}, "a scenario has at most %u bytes; this has %zu", FILE_BYTES_MAX, length);
        return;
    }
    s->text = arena_text(a, text, length);
    s->length = a->failed ? 0 : length;
    struct nesting open = {.n = 0};
    bool blank = false;
    uint32_t number = 1;
    for (size_t at = 0; at < s->length && !a->failed; number++) {
        const char *end = memchr(s->text + at, '\n', s->length - at);
        size_t n = end == NULL ? s->length - at : (size_t)(end - (s->text + at));
        if (number > LINES_MAX) {
            diag_add(d, (struct place){number, 1, 1}, "a scenario has at most %u lines", LINES_MAX);
            break;
        }
        *LIST_ADD(a, &s->starts) = (uint32_t)at;
        struct lexer l = {s, a, d, s->text + at, n, 0, number, false};
        blank = !lex_line(&l, &open, blank && s->lines.n > 0);
        at += n + 1;
    }
    close_lines(s, &open, 0);
}

/* --- durations ---------------------------------------------------------------------------- */

static void format_seconds(ns rest, char *out, size_t size)
{
    int64_t fraction = rest % NS_PER_S;
    if (fraction == 0) {
        snprintf(out, size, "%llds", (long long)(rest / NS_PER_S));
        return;
    }
    int digits = 9;
    while (fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    snprintf(out, size, "%lld.%0*llds", (long long)(rest / NS_PER_S), digits, (long long)fraction);
}

void duration_format(ns value, char *out, size_t size)
{
    ASSERT(value >= 0 && value <= NS_MAX);
    if (value > 0 && value < NS_PER_S) {
        ns unit = value % NS_PER_MS == 0 ? NS_PER_MS : value % NS_PER_US == 0 ? NS_PER_US : 1;
        snprintf(out, size, "%lld%s", (long long)(value / unit),
                 unit == NS_PER_MS   ? "ms"
                 : unit == NS_PER_US ? "us"
                                     : "ns");
        return;
    }
    long long hours = value / (3600 * NS_PER_S), minutes = value / (60 * NS_PER_S) % 60;
    ns rest = value % (60 * NS_PER_S);
    char h[16] = "", m[16] = "", s[24] = "";
    if (hours > 0)
        snprintf(h, sizeof h, "%lldh", hours);
    if (minutes > 0)
        snprintf(m, sizeof m, "%lldm", minutes);
    if (rest > 0 || (hours == 0 && minutes == 0))
        format_seconds(rest, s, sizeof s);
    snprintf(out, size, "%s%s%s", h, m, s);
}
