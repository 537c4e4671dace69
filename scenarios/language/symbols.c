/* SPDX-License-Identifier: MIT
 *
 * symbols.c - what names stand for in one case.
 *
 * A name is one symbol, which may have two roles: a node and the service of the same name. Every name
 * that a trace can show is interned, so the number of a name is its name_id in the plan.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- names -------------------------------------------------------------------------------------- */

name_id name_of(struct compile *c, const char *text)
{
    uint32_t id = intern(c->arena, &c->names, text, strlen(text));
    if (id < NAMES_MAX)
        return (name_id)id;
    if (id != UINT32_MAX) {
        diag_add(c->diags, (struct place){0, 0, 0}, "a scenario has at most %u names and texts", NAMES_MAX);
        c->bad = true;
    }
    return 0;
}

name_id name_known(const struct compile *c, const char *text)
{
    uint32_t id = interner_find(&c->names, text, strlen(text));
    return id < NAMES_MAX ? (name_id)id : NONE16;
}

const char *name_text(const struct compile *c, name_id name)
{
    return name < c->names.text.n ? c->names.text.row[name] : "";
}

/* --- what the checks remember ------------------------------------------------------------------- */

static uint32_t check_id(struct checks *k, const char *text)
{
    uint32_t id = intern(k->arena, &k->names, text, strlen(text));
    while (id != UINT32_MAX && k->used.n <= id && !k->arena->failed) {
        LIST_ADD(k->arena, &k->used);
        LIST_ADD(k->arena, &k->declared);
        LIST_ADD(k->arena, &k->what);
    }
    return k->arena->failed ? UINT32_MAX : id;
}

void name_used(struct compile *c, const char *text)
{
    uint32_t id = c->checks == NULL ? UINT32_MAX : check_id(c->checks, text);
    if (id != UINT32_MAX)
        c->checks->used.row[id] = 1;
}

void name_declared(struct compile *c, const struct token *at, const char *text, const char *what)
{
    uint32_t id = c->checks == NULL ? UINT32_MAX : check_id(c->checks, text);
    if (id == UINT32_MAX || c->checks->declared.row[id].line != 0)
        return;
    c->checks->declared.row[id] = token_place(at);
    c->checks->what.row[id] = what;
}

/* --- symbols ------------------------------------------------------------------------------------ */

uint32_t symbol_find(const struct compile *c, const char *text)
{
    uint32_t id = interner_find(&c->names, text, strlen(text));
    return id < c->symbol_of.n ? c->symbol_of.row[id] - 1 : NONE32;
}

struct symbol *symbol_at(struct compile *c, uint32_t index)
{
    ASSERT(index < c->symbols.n);
    return &c->symbols.row[index];
}

uint32_t symbol_make(struct compile *c, const char *text)
{
    uint32_t found = symbol_find(c, text);
    if (found != NONE32)
        return found;
    name_id name = name_of(c, text);
    while (c->symbol_of.n <= name && !c->arena->failed)
        LIST_ADD(c->arena, &c->symbol_of);
    struct symbol *made = LIST_ADD(c->arena, &c->symbols);
    if (c->arena->failed)
        return NONE32;
    *made = (struct symbol){.name = name,
                            .machine = NONE16,
                            .service_machine = NONE16,
                            .program = NONE16,
                            .service_process = NONE16,
                            .thread = NONE16,
                            .lock = NONE16,
                            .store = NONE16,
                            .queue = NONE16,
                            .table = NONE16};
    c->symbol_of.row[name] = c->symbols.n;
    return c->symbols.n - 1;
}

/* The words that stand where a name can stand, or end a list of names. Every other word of the language may be
 * a name too: `lock lock central` is clear enough, and a word that a later version adds breaks no old file. */
bool word_reserved(const char *text)
{
    static const char *const words[] = {
        "and",      "or",     "not",    "none",    "true",   "false",  "me",     "now",   "wall",    "monotonic",
        "boottime", "token",  "effect", "no",      "net",    "expect", "always", "end",   "at",      "before",
        "after",    "within", "for",    "holding", "losing", "up",     "to",     "by",    "over",    "as",
        "if",       "else",   "on",     "delay",   "jumps",  "drifts", "slews",  "holds", "believes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i][0] == text[0] && strcmp(words[i], text) == 0)
            return true;
    return false;
}

void complain_declared(struct compile *c, const struct token *at, uint32_t index, uint16_t kind)
{
    static const struct {
        uint16_t kind;
        const char *what;
    } rows[] = {{SYM_LOCK, "lock"},   {SYM_VOTER, "voter"}, {SYM_STORE, "store"},
                {SYM_QUEUE, "queue"}, {SYM_TABLE, "table"}, {SYM_THREAD, "thread"},
                {SYM_GROUP, "group"}, {SYM_PARAM, "param"}, {SYM_MAIN, "thread"}};
    const struct symbol *s = symbol_at(c, index);
    const char *what = s->kinds & SYM_NODE ? "node" : "machine";
    bool other = (s->kinds & ~(SYM_NODE | SYM_MACHINE)) != 0 && !(kind == SYM_NODE && s->kinds & SYM_NODE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (other && s->kinds & rows[i].kind)
            what = rows[i].what;
    if (s->line[other] == 0)
        complain(c, at, "'%.60s' is declared already, as a %s", name_text(c, s->name), what);
    else
        complain(c, at, "'%.60s' is declared already, as a %s on line %u", name_text(c, s->name), what, s->line[other]);
}

/* A node may share its name with a service, nothing else with anything. */
static bool roles_clash(uint16_t have, uint16_t more)
{
    const uint16_t services = SYM_LOCK | SYM_STORE | SYM_QUEUE | SYM_TABLE;
    if ((more == SYM_NODE && (have & ~(services | SYM_MACHINE)) == 0) || have == 0)
        return false;
    return !((more & services) && (have & ~(SYM_NODE | SYM_MACHINE)) == 0);
}

uint32_t symbol_declare(struct compile *c, const struct token *at, const char *text, uint16_t kind, const char *what)
{
    if (word_reserved(text)) {
        complain(c, at, "'%s' is a word of the language: a %s needs another name", text, what);
        return NONE32;
    }
    uint32_t index = symbol_make(c, text);
    if (index == NONE32)
        return NONE32;
    if (roles_clash(symbol_at(c, index)->kinds, kind)) {
        complain_declared(c, at, index, kind);
        return NONE32;
    }
    symbol_at(c, index)->kinds |= kind;
    symbol_at(c, index)->line[kind != SYM_NODE] = at->line;
    name_declared(c, at, text, what);
    return index;
}

/* NODE.main where it cannot stand, or where the node has no such thread. */
static void complain_main(struct compile *c, const struct token *at, const char *text)
{
    size_t n = strlen(text), tail = strlen("." MAIN_THREAD);
    char node[NAME_BYTES_MAX * 4];
    if (n <= tail || n >= sizeof node || strcmp(text + n - tail, "." MAIN_THREAD) != 0)
        return;
    snprintf(node, sizeof node, "%.*s", (int)(n - tail), text);
    uint32_t owner = symbol_find(c, node), index = symbol_find(c, text);
    if (index != NONE32 && symbol_at(c, index)->kinds & SYM_MAIN)
        complain(c, at, "'%.60s' stands behind 'pause' and before 'pauses' and 'resumes'; here say '%.60s'", text,
                 node);
    else if (owner != NONE32 && symbol_at(c, owner)->kinds & SYM_NODE)
        complain(c, at, "'%.60s' has no program, and so no main thread", node);
}

void symbol_unknown(struct compile *c, const struct token *at, const char *text, uint16_t kinds, const char *what)
{
    complain_elsewhere(c, at, text, kinds);
    complain_main(c, at, text);
    uint32_t room = diags_full(c->diags) ? 0 : c->symbols.n, n = 0;
    const char **words = arena_alloc(c->arena, (room + 1) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < room; i++)
        if (c->symbols.row[i].kinds & kinds)
            words[n++] = name_text(c, c->symbols.row[i].name);
    if (!c->bad && words != NULL)
        diag_unknown(c->diags, token_place(at), what, text, words, n);
    c->bad = true;
}

/* --- paths --------------------------------------------------------------------------------------- */

const char *take_path_text(struct compile *c, char *buffer, size_t size)
{
    const struct token *first = take_name(c, "a name");
    size_t n = (size_t)snprintf(buffer, size, "%s", first->text);
    while (!c->bad && c->t->kind == T_DOT && c->t[1].kind == T_WORD) {
        if (n < size)
            n += (size_t)snprintf(buffer + n, size - n, ".%s", c->t[1].text);
        c->t += 2;
    }
    if (n >= size)
        complain(c, first, "a name longer than %u bytes", NAME_BYTES_MAX);
    return buffer;
}

uint32_t take_path(struct compile *c, uint16_t kinds, const char *what)
{
    char text[NAME_BYTES_MAX * 4];
    const struct token *at = c->t;
    if (c->bad || at->kind != T_WORD) {
        char expected[64];
        snprintf(expected, sizeof expected, "the name of a %s", what);
        complain_expected(c, expected);
        return NONE32;
    }
    take_path_text(c, text, sizeof text);
    uint32_t index = symbol_find(c, text);
    if (index == NONE32 || !(symbol_at(c, index)->kinds & kinds)) {
        symbol_unknown(c, at, text, kinds, what);
        return NONE32;
    }
    name_used(c, text);
    return index;
}

/* w1..w9 */
struct range {
    char stem[NAME_BYTES_MAX + 1];
    int width;
    int64_t from, to;
};

/* How many of the last characters are digits, nine at the most. */
static size_t digits_behind(const char *text)
{
    size_t n = strlen(text), d = 0;
    while (d < n && d < 9 && text[n - 1 - d] >= '0' && text[n - 1 - d] <= '9')
        d++;
    return d;
}

static int64_t digits_value(const char *digits)
{
    int64_t value = 0;
    for (; *digits != '\0'; digits++)
        value = value * 10 + (*digits - '0');
    return value;
}

static bool range_read(const char *from, const char *to, struct range *r)
{
    size_t a = digits_behind(from), b = digits_behind(to);
    size_t stem = strlen(from) - a;
    if (a == 0 || b == 0 || stem != strlen(to) - b || memcmp(from, to, stem) != 0 || stem > NAME_BYTES_MAX - 10)
        return false;
    memcpy(r->stem, from, stem);
    r->stem[stem] = '\0';
    r->width = from[stem] == '0' && a == b ? (int)a : 1;
    r->from = digits_value(from + stem);
    r->to = digits_value(to + stem);
    return r->from <= r->to;
}

static void take_name_range(struct compile *c, text_visit visit, void *context)
{
    struct range r;
    const struct token *from = c->t, *to = c->t + 2;
    c->t += 2;
    if (to->kind != T_WORD || !range_read(from->text, to->text, &r)) {
        complain(c, from, "expected a range of names, as in w1..w9");
        return;
    }
    if (r.to - r.from >= (int64_t)NODES_MAX) {
        complain(c, from, "a range of more than %u names", NODES_MAX);
        return;
    }
    c->t++;
    for (int64_t i = r.from; i <= r.to && !c->bad; i++) {
        char text[NAME_BYTES_MAX + 16];
        snprintf(text, sizeof text, "%s%0*lld", r.stem, r.width, (long long)i);
        visit(c, from, text, context);
    }
}

void take_names(struct compile *c, text_visit visit, void *context)
{
    if (!c->bad && c->t->kind == T_WORD && c->t[1].kind == T_DOTS) {
        take_name_range(c, visit, context);
        return;
    }
    const struct token *t = take_name(c, "a name");
    if (!c->bad)
        visit(c, t, t->text, context);
}

struct paths {
    uint16_t kinds;
    const char *what;
    symbol_visit visit;
    void *context;
};

static void visit_group(struct compile *c, const struct token *at, uint32_t index, const struct paths *p)
{
    struct symbol group = *symbol_at(c, index);
    if (group.n == GROUP_OPEN) {
        complain(c, at, "the group '%.40s' is made of itself", name_text(c, group.name));
        return;
    }
    for (uint32_t i = 0; i < group.n && !c->bad; i++) {
        uint32_t member = c->group_members.row[group.first + i];
        if (symbol_at(c, member)->kinds & p->kinds)
            p->visit(c, member, p->context);
        else
            complain(c, at, "'%.40s', of this group, is no %s", name_text(c, symbol_at(c, member)->name), p->what);
    }
}

static void visit_text(struct compile *c, const struct token *at, const char *text, void *context)
{
    const struct paths *p = context;
    uint32_t index = symbol_find(c, text);
    uint16_t kinds = index == NONE32 ? 0 : symbol_at(c, index)->kinds;
    if (kinds == 0 || !(kinds & (p->kinds | SYM_GROUP))) {
        symbol_unknown(c, at, text, (uint16_t)(p->kinds | SYM_GROUP), p->what);
        return;
    }
    name_used(c, text);
    if (kinds & SYM_GROUP)
        visit_group(c, at, index, p);
    else
        p->visit(c, index, p->context);
}

/* leader.* */
static void visit_star(struct compile *c, const struct paths *p)
{
    char stem[NAME_BYTES_MAX + 2];
    const struct token *at = c->t;
    c->t += 3;
    size_t n = (size_t)snprintf(stem, sizeof stem, "%s.", at->text);
    bool any = false;
    for (uint32_t i = 0; i < c->symbols.n && !c->bad; i++) {
        struct symbol *s = symbol_at(c, i);
        if (!(s->kinds & p->kinds) || strncmp(name_text(c, s->name), stem, n) != 0)
            continue;
        any = true;
        p->visit(c, i, p->context);
    }
    name_used(c, at->text);
    if (!any)
        complain(c, at, "there is no %s whose name begins with '%.60s'", p->what, stem);
}

static void take_one_path(struct compile *c, struct paths *p)
{
    char text[NAME_BYTES_MAX * 4];
    const struct token *at = c->t;
    if (at->kind == T_WORD && at[1].kind == T_DOT && at[2].kind == T_STAR) {
        visit_star(c, p);
    } else if (at->kind == T_WORD && at[1].kind == T_DOTS) {
        take_name_range(c, visit_text, p);
    } else {
        take_path_text(c, text, sizeof text);
        if (!c->bad)
            visit_text(c, at, text, p);
    }
}

/* A word behind a name that is no name, nor near one, is left to whoever reads on: it knows what may come. */
static bool may_be_name(struct compile *c)
{
    uint8_t next = c->t[1].kind;
    if (symbol_find(c, c->t->text) != NONE32 || next == T_DOT || next == T_DOTS ||
        symbol_elsewhere(c, c->t->text, SYM_ACTOR | SYM_GROUP))
        return true;
    for (uint32_t i = 0; i < c->symbols.n && !diags_full(c->diags); i++) {
        const char *name = name_text(c, c->symbols.row[i].name);
        if (nearest_word(c->t->text, strlen(c->t->text), &name, 1) != NULL)
            return true;
    }
    return false;
}

void take_paths(struct compile *c, uint16_t kinds, const char *what, symbol_visit visit, void *context)
{
    struct paths p = {kinds, what, visit, context};
    if (c->t->kind != T_WORD || word_reserved(c->t->text)) {
        char expected[64];
        snprintf(expected, sizeof expected, "the name of a %s", what);
        complain_expected(c, expected);
    }
    bool first = true;
    while (!c->bad && c->t->kind == T_WORD && !word_reserved(c->t->text) && (first || may_be_name(c))) {
        take_one_path(c, &p);
        first = false;
    }
}
