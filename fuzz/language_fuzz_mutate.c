/* SPDX-License-Identifier: MIT
 *
 * language_fuzz_mutate.c - edits of a scenario, as somebody makes them who tries what happens.
 *
 *  1. The text is edited in its place. Whatever an edit needs to know (where lines and tokens begin, what is
 *     declared) is looked up anew: texts are short, and nothing is remembered from one call to the next.
 *  2. An edit that does not fit, or finds nothing to work on, leaves the text as it was, and another is tried.
 *  3. Lines of the table of words name what its tests declare (`leader`, `w1`, `jobs` ...). Put into a file they name
 *     what the file has in their place, so that they mean something there.
 */
#include "fuzz/language_fuzz_mutate.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/language/scenario.h"

#define TOKENS_MAX 1024
#define EXAMPLE_MAX 512
#define TRIES 8
#define REPAIRS 4

struct text {
    char *at;
    size_t n, max;
    uint64_t random;
};

struct span {
    size_t at, n;
};

enum token_kind { T_NAME, T_WORD, T_DURATION, T_NUMBER, T_TEXT, T_MARK, T_KINDS };

struct token {
    uint32_t at, n;
    uint32_t kind;
};

/* --- drawing ------------------------------------------------------------------------------- */

static uint64_t draw(struct text *t)
{
    uint64_t z = t->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 to n - 1. */
static uint32_t below(struct text *t, uint32_t n) { return n == 0 ? 0 : (uint32_t)((draw(t) >> 32) * n >> 32); }

static bool percent(struct text *t, uint32_t p) { return below(t, 100) < p; }

/* --- bytes --------------------------------------------------------------------------------- */

/* `with` in the place of what stands in the span. `with` is no part of the text. */
static bool put(struct text *t, struct span gone, const char *with, size_t n)
{
    if (t->n - gone.n + n > t->max)
        return false;
    memmove(t->at + gone.at + n, t->at + gone.at + gone.n, t->n - gone.at - gone.n);
    if (n > 0)
        memcpy(t->at + gone.at, with, n);
    t->n = t->n - gone.n + n;
    return true;
}

/* A copy of one part of the text in the place of another. */
static bool put_copy(struct text *t, struct span gone, struct span from)
{
    char copy[EXAMPLE_MAX];
    if (from.n > sizeof copy)
        return false;
    memcpy(copy, t->at + from.at, from.n);
    return put(t, gone, copy, from.n);
}

static bool is(const char *at, size_t n, const char *word) { return strlen(word) == n && memcmp(at, word, n) == 0; }

static bool starts(const struct text *t, struct span line, const char *word)
{
    size_t n = strlen(word);
    return line.n >= n && memcmp(t->at + line.at, word, n) == 0;
}

/* --- lines: with the byte that ends them ------------------------------------------------------ */

static struct span line_from(const struct text *t, size_t at)
{
    const char *end = memchr(t->at + at, '\n', t->n - at);
    return (struct span){at, (end == NULL ? t->n : (size_t)(end - t->at) + 1) - at};
}

static size_t indent_of(const struct text *t, struct span line)
{
    size_t n = 0;
    while (n < line.n && t->at[line.at + n] == ' ')
        n++;
    return n;
}

static bool is_blank(const struct text *t, struct span line)
{
    size_t n = indent_of(t, line);
    return n == line.n || t->at[line.at + n] == '\n' || t->at[line.at + n] == '#';
}

enum which { ANY_LINE, TOP_LINE, STEP_LINE, CASE_LINE };

/* A step: indented, below a line that ends with a colon and is not. */
static bool line_is(const struct text *t, struct span line, enum which which, bool in_program)
{
    if (is_blank(t, line))
        return false;
    switch (which) {
    case ANY_LINE: return true;
    case TOP_LINE: return t->at[line.at] != ' ';
    case STEP_LINE: return in_program && t->at[line.at] == ' ';
    case CASE_LINE:
    default: return starts(t, line, "case ");
    }
}

/* Does this line, which is not indented, have a program below it? */
static bool heads_program(const struct text *t, struct span line)
{
    struct span next = line_from(t, line.at + line.n);
    size_t end = line.n;
    while (end > 0 && (t->at[line.at + end - 1] == '\n' || t->at[line.at + end - 1] == ' '))
        end--;
    return end > 0 && t->at[line.at + end - 1] == ':' && next.n > 0 && t->at[next.at] == ' ';
}

/* One of the lines of that sort; n = 0: there is none. Line 1 names the version: it is seldom worth a change. */
static struct span pick_line(struct text *t, enum which which)
{
    struct span chosen = {0, 0};
    uint32_t seen = 0;
    bool in_program = false;
    for (struct span line = line_from(t, 0); line.n > 0; line = line_from(t, line.at + line.n)) {
        if (t->at[line.at] != ' ')
            in_program = heads_program(t, line);
        if (line.at > 0 && line_is(t, line, which, in_program) && below(t, ++seen) == 0)
            chosen = line;
    }
    return chosen;
}

/* The line with those that are indented below it. */
static struct span block_from(const struct text *t, struct span line)
{
    size_t indent = indent_of(t, line), end = line.at + line.n;
    for (struct span next = line_from(t, end); next.n > 0; next = line_from(t, end)) {
        if (!is_blank(t, next) && indent_of(t, next) <= indent)
            break;
        end = next.at + next.n;
    }
    return (struct span){line.at, end - line.at};
}

/* --- tokens -------------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static const struct word *word_of(const char *at, size_t n)
{
    uint32_t words_n;
    const struct word *words = words_all(&words_n);
    for (uint32_t i = 0; i < words_n; i++)
        if (is(at, n, words[i].name))
            return &words[i];
    return NULL;
}

/* The token at or behind `at`, in n bytes of text; n = 0: none is left. */
static struct token token_from(const char *text, size_t n, size_t at)
{
    while (at < n && (text[at] == ' ' || text[at] == '\n'))
        at++;
    size_t end = at;
    uint32_t kind = T_MARK;
    if (at < n && text[at] == '"') {
        kind = T_TEXT;
        for (end++; end < n && text[end] != '"' && text[end] != '\n'; end++)
            ;
        end += end < n && text[end] == '"';
    } else if (at < n && (is_letter(text[at]) || is_digit(text[at]))) {
        kind = T_NUMBER;
        for (; end < n && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '-' ||
                           (text[end] == '.' && end + 1 < n && text[end + 1] != '.' && text[end - 1] != '.'));
             end++)
            if (is_letter(text[end]) && kind == T_NUMBER)
                kind = T_DURATION;
        if (is_letter(text[at]))
            kind = T_NAME;
    } else if (at < n)
        end++;
    return (struct token){(uint32_t)at, (uint32_t)(end - at), kind};
}

static struct span span_of(struct token token) { return (struct span){token.at, token.n}; }

/* One of the tokens of that kind behind line 1 (T_KINDS: of any); n = 0: there is none. */
static struct token pick_token(struct text *t, uint32_t kind)
{
    struct token chosen = {0, 0, T_KINDS};
    uint32_t seen = 0;
    for (struct token k = token_from(t->at, t->n, line_from(t, 0).n); k.n > 0; k = token_from(t->at, t->n, k.at + k.n))
        if ((kind == T_KINDS || k.kind == kind) && below(t, ++seen) == 0)
            chosen = k;
    return chosen;
}

/* --- what the file declares ------------------------------------------------------------------ */

/* One of the names that lines beginning with this word declare: any, or the very name. */
static struct token declared(struct text *t, const char *word, const char *name, size_t n)
{
    struct token chosen = {0, 0, T_KINDS};
    uint32_t seen = 0;
    bool several = is("node", 4, word) || is("job", 3, word);
    for (struct span line = line_from(t, 0); line.n > 0; line = line_from(t, line.at + line.n)) {
        struct token k = token_from(t->at, line.at + line.n, line.at);
        if (!is(t->at + k.at, k.n, word))
            continue;
        do {
            k = token_from(t->at, line.at + line.n, k.at + k.n);
            bool is_name = k.kind == T_NAME || k.kind == T_TEXT;
            if (is_name && (name == NULL || (n == k.n && memcmp(name, t->at + k.at, n) == 0)) && below(t, ++seen) == 0)
                chosen = k;
        } while (several && k.n > 0);
    }
    return chosen;
}

struct role {
    const char *name; /* in the table's examples */
    const char *declared_by;
};

static const struct role roles[] = {
    {"leader", "lock"}, {"ledger", "store"}, {"w1", "node"},    {"w2", "node"},
    {"jobs", "queue"},  {"lease", "table"},  {"plain", "case"}, {"\"invoice-42\"", "job"},
};

/* The word that declares the name where it comes from: a file, or (NULL) the table; NULL: none does. */
static const char *role_of(struct text *from, const char *name, size_t n)
{
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        bool here = from == NULL ? is(name, n, roles[r].name) : declared(from, roles[r].declared_by, name, n).n > 0;
        if (here)
            return roles[r].declared_by;
    }
    return NULL;
}

/* Lines with the file's own names in them, each indented by so much more. Returns their length; 0: they are too long,
 * or they name something of a sort that the file does not have. */
static size_t at_home(struct text *t, struct text *from, const char *lines, size_t n, size_t indent, char *out,
                      size_t max)
{
    size_t done = 0, to = 0;
    while (done < n) {
        struct token k = token_from(lines, n, done);
        const char *role = k.kind == T_NAME || k.kind == T_TEXT ? role_of(from, lines + k.at, k.n) : NULL;
        struct token own = role == NULL ? k : declared(t, role, NULL, 0);
        if (role != NULL && own.n == 0)
            return 0;
        for (size_t i = done; i < k.at; i++) {
            if (to + indent + own.n + 2 > max)
                return 0;
            out[to++] = lines[i];
            for (size_t b = 0; lines[i] == '\n' && b < indent; b++)
                out[to++] = ' ';
        }
        for (size_t b = 0; done == 0 && k.at == 0 && b < indent; b++)
            out[to++] = ' ';
        if (to + own.n + 1 > max)
            return 0;
        memcpy(out + to, role == NULL ? lines + k.at : t->at + own.at, own.n);
        to += own.n;
        done = k.at + k.n;
    }
    if (to > 0 && out[to - 1] != '\n')
        out[to++] = '\n';
    return to;
}

static bool is_step(const struct word *w)
{
    static const char *const also[] = {"claim ", "enqueue ", "reap ", "requeue ", "update ", "insert "};
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (strncmp(w->example, also[i], strlen(also[i])) == 0)
            return true;
    return w->group == WORDS_STEPS;
}

/* --- edits ----------------------------------------------------------------------------------- */

static bool insert_example(struct text *t)
{
    uint32_t n;
    const struct word *words = words_all(&n), *w = &words[below(t, n)];
    char line[EXAMPLE_MAX];
    struct span before = pick_line(t, is_step(w) ? STEP_LINE : TOP_LINE);
    if (w->example[0] == '\0' || (!w->built && percent(t, 90)) || before.n == 0 ||
        (w->group == WORDS_DECLARATIONS && percent(t, 80)))
        return false;
    size_t indent = is_step(w) ? indent_of(t, before) : 0;
    size_t length = at_home(t, NULL, w->example, strlen(w->example), indent, line, sizeof line);
    /* Behind a block as often as before it: so also at the end of a program, and of the file. */
    size_t at = percent(t, 50) ? before.at : block_from(t, before).at + block_from(t, before).n;
    return length > 0 && put(t, (struct span){at, 0}, line, length);
}

static bool duplicate_line(struct text *t)
{
    struct span from = pick_line(t, percent(t, 70) ? STEP_LINE : ANY_LINE);
    struct span to = percent(t, 50) ? from : pick_line(t, percent(t, 50) ? STEP_LINE : TOP_LINE);
    return from.n > 0 && put_copy(t, (struct span){to.at, 0}, from);
}

static bool delete_line(struct text *t)
{
    struct span line = pick_line(t, percent(t, 60) ? STEP_LINE : ANY_LINE);
    return line.n > 0 && put(t, percent(t, 40) ? block_from(t, line) : line, NULL, 0);
}

/* A line, and what is indented below it, to another place of the same sort. */
static bool move_line(struct text *t)
{
    enum which which = percent(t, 50) ? STEP_LINE : TOP_LINE;
    struct span from = pick_line(t, which), to = pick_line(t, which);
    if (from.n == 0)
        return false;
    from = block_from(t, from);
    if ((to.at >= from.at && to.at < from.at + from.n) || !put_copy(t, (struct span){to.at, 0}, from))
        return false;
    from.at += to.at <= from.at ? from.n : 0;
    return put(t, from, NULL, 0);
}

static const char *const durations[] = {"0s",  "1ns",   "1us", "1ms", "250ms", "1s",     "5s",    "9.999999999s",
                                        "10s", "30s",   "1m",  "5m",  "1h",    "24h",    "1000h", "1m30s",
                                        "2h",  "0.5ms", "3s",  "12s", "7d",    "99999h", "010s",  "2562047h47m16s"};
static const char *const numbers[] = {"0",  "1",  "2",   "3",   "4",    "5",     "7",       "10",         "31",
                                      "32", "64", "100", "255", "1000", "65535", "1000000", "4294967295", "00"};

static const char *some_duration(struct text *t)
{
    uint32_t tame = 18, all = sizeof durations / sizeof *durations;
    return durations[below(t, percent(t, 90) ? tame : all)];
}

static const char *some_number(struct text *t)
{
    uint32_t tame = 6, all = sizeof numbers / sizeof *numbers;
    return numbers[below(t, percent(t, 85) ? tame : all)];
}

/* A duration, number, text or name becomes another of the file, or of those that are good for a surprise. */
static bool change_value(struct text *t)
{
    static const uint32_t kinds[] = {T_DURATION, T_DURATION, T_DURATION, T_DURATION, T_NUMBER, T_TEXT, T_NAME};
    uint32_t kind = kinds[below(t, sizeof kinds / sizeof *kinds)];
    struct token old = pick_token(t, kind), other = pick_token(t, kind);
    const char *with = kind == T_DURATION ? some_duration(t) : some_number(t);
    if (old.n == 0)
        return false;
    if ((kind == T_DURATION || kind == T_NUMBER) && percent(t, 50))
        return put(t, span_of(old), with, strlen(with));
    return put_copy(t, span_of(old), span_of(other));
}

/* One declared name becomes another that was declared alike. */
static bool change_name(struct text *t)
{
    const struct role *role = &roles[below(t, sizeof roles / sizeof *roles)];
    struct token from = declared(t, role->declared_by, NULL, 0), to = declared(t, role->declared_by, NULL, 0);
    struct token chosen = {0, 0, T_KINDS};
    uint32_t seen = 0;
    if (from.n == 0 || (from.n == to.n && memcmp(t->at + from.at, t->at + to.at, to.n) == 0))
        return false;
    for (struct token k = token_from(t->at, t->n, 0); k.n > 0; k = token_from(t->at, t->n, k.at + k.n))
        if (k.n == from.n && memcmp(t->at + k.at, t->at + from.at, k.n) == 0 && k.at != from.at &&
            below(t, ++seen) == 0)
            chosen = k;
    return chosen.n > 0 && put_copy(t, span_of(chosen), span_of(to));
}

/* A word of the language becomes another of its group. */
static bool change_word(struct text *t)
{
    uint32_t n, from = 0;
    const struct word *words = words_all(&n);
    struct token old = pick_token(t, T_NAME);
    const struct word *w = old.n == 0 ? NULL : word_of(t->at + old.at, old.n);
    if (w == NULL)
        return false;
    from = below(t, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct word *other = &words[(from + i) % n];
        if (other->group == w->group && other != w)
            return put(t, span_of(old), other->name, strlen(other->name));
    }
    return false;
}

static const struct word *some_gate(struct text *t)
{
    uint32_t n, seen = 0;
    const struct word *words = words_all(&n), *chosen = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (words[i].group == WORDS_GATES && words[i].built && below(t, ++seen) == 0)
            chosen = &words[i];
    return chosen;
}

/* A case with one gate more, or without the first that it removes. */
static bool change_gates(struct text *t)
{
    struct span line = pick_line(t, CASE_LINE);
    const struct word *gate = some_gate(t);
    if (line.n == 0 || gate == NULL)
        return false;
    struct token name = token_from(t->at, line.at + line.n, line.at + strlen("case "));
    struct token without = token_from(t->at, line.at + line.n, name.at + name.n);
    if (!is(t->at + without.at, without.n, "without")) {
        char text[128] = " without ";
        size_t n = strlen(text), length = strlen(gate->name);
        if (n + length > sizeof text)
            return false;
        memcpy(text + n, gate->name, length);
        return put(t, (struct span){name.at + name.n, 0}, text, n + length);
    }
    struct token first = token_from(t->at, line.at + line.n, without.at + without.n);
    if (percent(t, 50))
        return put(t, span_of(first), gate->name, strlen(gate->name));
    struct token second = token_from(t->at, line.at + line.n, first.at + first.n);
    bool last = is(t->at + second.at, second.n, "holds") || is(t->at + second.at, second.n, "violates");
    size_t at = last ? without.at : first.at;
    return put(t, (struct span){at, second.at - at}, NULL, 0);
}

/* `[case]` or `[gate]` before a line, or nothing where one was. */
static bool change_guard(struct text *t)
{
    struct span line = pick_line(t, percent(t, 50) ? STEP_LINE : ANY_LINE);
    size_t at = line.at + indent_of(t, line), n = 0;
    char guard[128];
    if (line.n == 0 || (starts(t, line, "case ") && percent(t, 90)))
        return false;
    if (t->at[at] == '[') {
        while (at + n < line.at + line.n && t->at[at + n] != ']' && t->at[at + n] != '\n')
            n++;
        return put(t, (struct span){at, n + (at + n < t->n && t->at[at + n] == ']')}, NULL, 0);
    }
    const struct word *gate = some_gate(t);
    struct token own = declared(t, "case", NULL, 0);
    bool by_gate = own.n == 0 || percent(t, 30);
    size_t length = by_gate ? strlen(gate->name) : own.n;
    if (length + 4 > sizeof guard)
        return false;
    guard[n++] = '[';
    if (by_gate && percent(t, 50))
        guard[n++] = '-';
    memcpy(guard + n, by_gate ? gate->name : t->at + own.at, length);
    n += length;
    guard[n++] = ']';
    guard[n++] = ' ';
    return put(t, (struct span){at, 0}, guard, n);
}

/* A token too few, too many, or of another kind: what the parser has to tell. */
static bool break_token(struct text *t)
{
    struct token one = pick_token(t, T_KINDS), other = pick_token(t, T_KINDS);
    if (one.n == 0)
        return false;
    switch (below(t, 4)) {
    case 0: return put(t, span_of(one), NULL, 0);
    case 1: return put_copy(t, (struct span){one.at, 0}, span_of(other));
    case 2: return put(t, (struct span){one.at + one.n / 2, 1}, NULL, 0);
    default: return put_copy(t, span_of(one), span_of(other));
    }
}

struct edit {
    uint32_t weight;
    bool (*make)(struct text *t);
};

static const struct edit edits[] = {{34, change_value}, {14, change_gates},  {14, insert_example}, {10, change_name},
                                    {8, move_line},     {6, duplicate_line}, {5, change_guard},    {3, change_word},
                                    {5, delete_line},   {2, break_token}};

static bool edit(struct text *t)
{
    uint32_t all = 0, at;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        all += edits[i].weight;
    at = below(t, all);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        if (at < edits[i].weight)
            return edits[i].make(t);
        at -= edits[i].weight;
    }
    return false;
}

size_t language_mutate(uint8_t *text, size_t n, size_t max, uint64_t seed)
{
    struct text t = {(char *)text, n, max, seed};
    for (uint32_t i = 0; i < TRIES && !edit(&t); i++)
        ;
    return t.n;
}

/* --- repair ---------------------------------------------------------------------------------- */

static struct span line_number(const struct text *t, uint32_t number)
{
    struct span line = line_from(t, 0);
    for (; number > 1 && line.n > 0; number--)
        line = line_from(t, line.at + line.n);
    return line;
}

/* What a file cannot do without is put into it. */
static bool repair_head(struct text *t)
{
    static const char version[] = "fencepost 1\n", plain[] = "case plain holds\n";
    if (!starts(t, line_from(t, 0), version))
        return put(t, (struct span){0, starts(t, line_from(t, 0), "fencepost") ? line_from(t, 0).n : 0}, version,
                   strlen(version));
    return pick_line(t, CASE_LINE).n == 0 && put(t, (struct span){strlen(version), 0}, plain, strlen(plain));
}

/* Lines of which the parser complains are taken out, from the last to the first. */
static void repair_lines(struct text *t, const struct diags *d)
{
    uint32_t done = 0;
    for (uint32_t i = d->n; i > 0; i--) {
        uint32_t number = d->row[i - 1].line;
        struct span line = line_number(t, number);
        if (number > 1 && number != done && line.n > 0)
            put(t, line, NULL, 0);
        done = number;
    }
}

size_t language_repair(uint8_t *text, size_t n, size_t max)
{
    struct text t = {(char *)text, n, max, 0};
    for (uint32_t i = 0; i < REPAIRS; i++) {
        struct diags d;
        struct scenario *s = scenario_parse(t.at, t.n, "input", NULL, 0, &d);
        scenario_free(s);
        if (s != NULL)
            break;
        if (!repair_head(&t))
            repair_lines(&t, &d);
    }
    return t.n;
}

/* A block of the second, with the names of the first, before a line of the first; as often as not no more than an edit:
 * what stems from two files seldom reads. */
size_t language_cross(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t max, uint64_t seed)
{
    char lines[EXAMPLE_MAX * 2];
    size_t n = na < max ? na : max;
    if (n > 0)
        memcpy(out, a, n);
    struct text t = {(char *)out, n, max, seed};
    /* Only read: nothing is put into it. */
    struct text second = {(char *)(uintptr_t)b, nb, nb, ~seed};
    enum which which = percent(&t, 50) ? STEP_LINE : TOP_LINE;
    struct span from = pick_line(&second, which), to = pick_line(&t, which);
    if (from.n > 0 && to.n > 0 && percent(&t, 40)) {
        size_t had = indent_of(&second, from), want = indent_of(&t, to);
        from = block_from(&second, from);
        from.n = from.n < EXAMPLE_MAX ? from.n : line_from(&second, from.at).n;
        size_t length = at_home(&t, &second, second.at + from.at, from.n, want > had ? want - had : 0, lines,
                                sizeof lines);
        if (length > 0 && put(&t, (struct span){to.at, 0}, lines, length))
            return t.n;
    }
    return language_mutate(out, n, max, draw(&t));
}
