/* SPDX-License-Identifier: MIT
 *
 * declare.c - what exists: params, nodes, locks, stores, groups.
 *
 * Order does not matter to the reader, so there are three passes over the lines: params, which may stand
 * for any number; nodes and services; groups, which name them. Queues and tables have files of their own.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- params -------------------------------------------------------------------------------------- */

static const struct token *setting_of(const struct compile *c, const char *name)
{
    const struct token *found = NULL;
    for (uint32_t i = 0; i < c->s->setting_values.n; i++)
        if (strcmp(c->s->settings[i].name, name) == 0)
            found = &c->s->setting_values.row[i];
    return found;
}

/* A literal with its sign, as one token. */
static struct token take_param_value(struct compile *c)
{
    struct token value = *c->t;
    bool minus = c->t->kind == T_MINUS, sign = minus || c->t->kind == T_PLUS;
    const struct token *t = sign ? c->t + 1 : c->t;
    if ((sign && !c->t->glued) || t->kind < T_NUMBER || t->kind > T_STRING || (sign && t->kind == T_STRING)) {
        complain_expected(c, "a number, a duration, a rate or a text");
        return value;
    }
    value = *t;
    value.value = minus ? -t->value : t->value;
    c->t = t + 1;
    return value;
}

static void declare_param(struct compile *c)
{
    c->t++;
    const struct token *name = take_name(c, "the name of the param");
    need_symbol(c, T_EQ);
    if (c->bad)
        return;
    struct token value = take_param_value(c);
    statement_end(c);
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_PARAM, "param");
    if (index == NONE32)
        return;
    const struct token *set = setting_of(c, name->text);
    symbol_at(c, index)->value = set != NULL && set->kind == value.kind ? *set : value;
}

/* Reads NAME=VALUE of --set; the value in the language's own syntax. */
static bool read_setting(struct scenario *s, const char *text, struct token *out)
{
    struct source source = {0};
    struct diags problems = {0};
    source_read(&source, &s->arena, text, strlen(text), &problems);
    if (problems.total > 0 || source.lines.n != 1)
        return false;
    const struct token *t = source.tokens.row;
    bool minus = t->kind == T_MINUS;
    t += minus || t->kind == T_PLUS;
    if (t->kind < T_NUMBER || t->kind > T_STRING || t[1].kind != T_END)
        return false;
    *out = *t;
    out->value = minus ? -t->value : t->value;
    return true;
}

static const char *kind_name(uint8_t kind)
{
    switch (kind) {
    case T_NUMBER: return "a number, as in 3";
    case T_DURATION: return "a duration, as in 10s";
    case T_PPM: return "a rate, as in 200ppm";
    default: return "a text in double quotes";
    }
}

/* The first token of the value of the param of this name; NULL: there is none. names: what there is. */
static const struct token *param_value(const struct scenario *s, const char *name, const char **names, uint32_t *n,
                                       uint32_t most)
{
    const struct token *found = NULL;
    *n = 0;
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        const struct line *line = &s->src.lines.row[i];
        const struct token *t = line->n == 0 ? NULL : line_start(s, line);
        if (t == NULL || line->depth > 0 || !token_is(t, "param") || t[1].kind != T_WORD || t[2].kind != T_EQ)
            continue;
        const struct token *value = t[3].kind == T_MINUS || t[3].kind == T_PLUS ? &t[4] : &t[3];
        if (*n < most)
            names[(*n)++] = t[1].text;
        if (strcmp(t[1].text, name) == 0)
            found = value;
    }
    return found;
}

static void check_setting(struct scenario *s, const struct setting *setting, struct token *value, struct diags *d)
{
    const char *names[64];
    uint32_t n = 0;
    struct place nowhere = {0, 0, 0};
    const struct token *param = param_value(s, setting->name, names, &n, 64);
    if (param == NULL && n == 0)
        diag_add(d, nowhere, "--set %.60s: this file has no params", setting->name);
    else if (param == NULL)
        diag_unknown(d, nowhere, "param", setting->name, names, n);
    else if (!read_setting(s, setting->value, value) || value->kind != param->kind)
        diag_add(d, nowhere, "--set %.60s=%.60s: expected %s", setting->name, setting->value, kind_name(param->kind));
}

void check_settings(struct scenario *s, struct diags *d)
{
    for (uint32_t i = 0; i < s->n_settings; i++)
        check_setting(s, &s->settings[i], LIST_ADD(&s->arena, &s->setting_values), d);
}

/* --- options ---------------------------------------------------------------------------------------- */

void option_once(struct compile *c, const char *const *words, uint32_t n, uint32_t *seen)
{
    ASSERT(n <= 32);
    for (uint32_t i = 0; i < n; i++) {
        if (!at_word(c, words[i]))
            continue;
        if (*seen >> i & 1)
            complain(c, c->t, "'%s' stands here twice", words[i]);
        *seen |= UINT32_C(1) << i;
    }
}

/* --- nodes ------------------------------------------------------------------------------------------ */

uint16_t machine_get(struct compile *c, uint32_t index)
{
    struct symbol *s = symbol_at(c, index);
    if (s->machine != NONE16)
        return s->machine;
    if (c->machines.n >= THREADS_MAX) {
        complain(c, c->t, "a scenario has at most %u machines", THREADS_MAX);
        return 0;
    }
    struct machine_plan *m = LIST_ADD(c->arena, &c->machines);
    *LIST_ADD(c->arena, &c->identity_of) = NONE16;
    m->name = s->name;
    s->machine = (uint16_t)(c->machines.n - 1);
    if (!(s->kinds & SYM_NODE))
        s->kinds |= SYM_MACHINE;
    return s->machine;
}

uint16_t symbol_machine(struct compile *c, uint32_t index)
{
    const struct symbol *s = symbol_at(c, index);
    if (s->kinds & SYM_LOCK && s->machine == NONE16 && s->service_machine == NONE16)
        return NONE16;
    return s->kinds & (SYM_NODE | SYM_MACHINE) ? s->machine : s->service_machine;
}

static void declare_node(struct compile *c, const struct token *at, const char *text, void *context)
{
    (void)context;
    if (c->machines.n >= NODES_MAX) {
        complain(c, at, "a scenario has at most %u nodes", NODES_MAX);
        return;
    }
    if (is_header_word(text)) {
        complain(c, at, "a line that begins with '%s' is never a program: a node needs another name", text);
        return;
    }
    uint32_t index = symbol_declare(c, at, text, SYM_NODE, "node");
    if (index == NONE32)
        return;
    machine_get(c, index);
    *LIST_ADD(c->arena, &c->group_members) = index;
}

static void node_option(struct compile *c, struct machine_plan *m, name_id *identity, uint32_t *seen)
{
    static const char *const words[] = {"wall", "drift", "identity"};
    option_once(c, words, 3, seen);
    if (take_word(c, "wall"))
        m->wall_offset = take_signed_duration(c);
    else if (take_word(c, "drift"))
        m->ppb = take_ppb(c);
    else if (take_word(c, "identity"))
        *identity = name_of(c, take_text(c));
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "option of a node", words, 3);
    else
        complain_expected(c, "'wall', 'drift' or 'identity'");
}

static void top_node(struct compile *c)
{
    struct machine_plan options = {0};
    name_id identity = NONE16;
    uint32_t first = c->group_members.n, seen = 0;
    c->t++;
    do
        take_names(c, declare_node, NULL);
    while (!c->bad && c->t->kind == T_WORD && !at_word(c, "wall") && !at_word(c, "drift") && !at_word(c, "identity"));
    while (!c->bad && c->t->kind != T_END)
        node_option(c, &options, &identity, &seen);
    for (uint32_t i = first; i < c->group_members.n; i++) {
        struct machine_plan *m = &c->machines.row[machine_get(c, c->group_members.row[i])];
        m->wall_offset = options.wall_offset;
        m->ppb = options.ppb;
        c->identity_of.row[m - c->machines.row] = identity;
    }
    c->group_members.n = first;
}

/* `at NAME`, or a machine of the service's own. */
void place_service(struct compile *c, uint32_t service, const struct token *at)
{
    uint32_t place = service;
    char text[NAME_BYTES_MAX * 4];
    if (at != NULL) {
        const struct token *now = c->t;
        c->t = at;
        take_path_text(c, text, sizeof text);
        c->t = now;
        if (word_reserved(text))
            complain(c, at, "'%.60s' is a word of the language: a node needs another name", text);
        place = c->bad ? service : symbol_make(c, text);
        name_used(c, text);
    }
    if (place == NONE32)
        return;
    symbol_at(c, service)->service_machine = machine_get(c, place);
    if (at != NULL && symbol_at(c, place)->line[0] == 0)
        symbol_at(c, place)->line[0] = at->line;
}

/* Passes over a path and remembers where it stood. */
const struct token *skip_path(struct compile *c)
{
    char text[NAME_BYTES_MAX * 4];
    const struct token *at = c->t;
    take_path_text(c, text, sizeof text);
    return at;
}

/* --- locks -------------------------------------------------------------------------------------------- */

struct lock_line {
    const struct token *at, *voters, *ttl, *margin;
    bool has_margin, has_renew;
    uint32_t seen;
    int64_t n_voters;
};

static int64_t take_voters(struct compile *c)
{
    const struct token *at = c->t;
    int64_t n = take_count(c, 0, COUNT_MAX, "a number of voters");
    if (!c->bad && n == 0)
        complain(c, at, "a quorum of no voters grants nothing: expected 1 to %u", VOTERS_MAX);
    else if (!c->bad && n > VOTERS_MAX)
        complain(c, at, "expected a number of voters from 1 to %u", VOTERS_MAX);
    return c->bad ? 1 : n;
}

static void lock_option(struct compile *c, struct lock_plan *lock, struct lock_line *l)
{
    static const char *const words[] = {"ttl", "voters", "margin", "service-margin", "lock-delay", "renew", "at"};
    const struct token *word = c->t;
    option_once(c, words, 7, &l->seen);
    if (take_word(c, "ttl")) {
        l->ttl = word;
        lock->ttl = take_duration(c, 1);
    } else if (take_word(c, "voters")) {
        l->voters = c->t;
        l->n_voters = take_voters(c);
    } else if (take_word(c, "margin")) {
        l->margin = c->t;
        l->has_margin = true;
        lock->margin = take_duration(c, 0);
    } else if (take_word(c, "service-margin")) {
        lock->service_margin = take_duration(c, 0);
    } else if (take_word(c, "lock-delay")) {
        lock->lock_delay = take_duration(c, 0);
    } else if (take_word(c, "renew")) {
        l->has_renew = true;
        lock->renew = take_duration(c, 1);
    } else if (take_word(c, "at")) {
        l->at = skip_path(c);
    } else if (c->t->kind == T_WORD) {
        complain_unknown(c, c->t, "option of a lock", words, 7);
    } else {
        complain_expected(c, "an option of the lock");
    }
}

static void check_lock(struct compile *c, struct lock_plan *lock, const struct lock_line *l, const struct token *name)
{
    if (l->ttl == NULL)
        complain(c, c->t, "a lock needs a lease: expected 'ttl' and a duration, as in ttl 10s");
    else if (lock->kind == LOCK_QUORUM && l->voters == NULL)
        complain(c, c->t, "a quorum needs voters: expected 'voters' and a number, as in voters 5");
    else if (lock->kind == LOCK_CENTRAL && l->voters != NULL)
        complain(c, l->voters - 1, "'voters' belongs to a quorum; '%.40s' is central", name->text);
    else if (lock->kind == LOCK_QUORUM && l->at != NULL)
        complain(c, l->at, "each voter of a quorum has a machine of its own: no 'at'");
    if (!l->has_margin)
        lock->margin = lock->ttl / 100;
    if (!l->has_renew)
        lock->renew = lock->ttl >= 3 ? lock->ttl / 3 : 1;
    if (l->has_margin && lock->margin >= lock->ttl)
        complain(c, l->margin, "the margin has to be shorter than the lease");
    if (lock->service_margin > NS_MAX - lock->ttl || lock->lock_delay > NS_MAX - lock->ttl)
        complain(c, name, "the lease and its margins are longer than 2^53 ns together");
}

static void declare_voters(struct compile *c, const struct token *name, uint16_t lock, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        char text[NAME_BYTES_MAX + 16];
        snprintf(text, sizeof text, "%s.%u", name->text, i);
        uint32_t index = symbol_make(c, text);
        if (index == NONE32)
            return;
        struct symbol *voter = symbol_at(c, index);
        if (voter->kinds & ~SYM_MACHINE) {
            complain_declared(c, name, index, SYM_VOTER);
            c->broken = true;
            return;
        }
        voter->kinds |= SYM_VOTER;
        voter->line[1] = name->line;
        voter->lock = lock;
        uint16_t machine = machine_get(c, index);
        symbol_at(c, index)->service_machine = machine;
    }
}

static void take_lock_kind(struct compile *c, struct lock_plan *lock)
{
    static const char *const words[] = {"central", "quorum"};
    if (take_word(c, "quorum"))
        lock->kind = LOCK_QUORUM;
    else if (c->bad || take_word(c, "central"))
        lock->kind = LOCK_CENTRAL;
    else if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, "kind of lock", words, 2);
    else
        complain_expected(c, "'central' or 'quorum'");
}

static void top_lock(struct compile *c)
{
    struct lock_line l = {0};
    c->t++;
    const struct token *name = take_name(c, "the name of the lock");
    if (!c->bad && c->locks.n >= LOCKS_MAX) {
        complain(c, name, "a scenario has at most %u locks", LOCKS_MAX);
        return;
    }
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_LOCK, "lock");
    if (index == NONE32)
        return;
    uint16_t number = (uint16_t)c->locks.n;
    struct lock_plan *lock = LIST_ADD(c->arena, &c->locks);
    *lock = (struct lock_plan){.name = symbol_at(c, index)->name, .service = NONE16, .ttl = NS_PER_S};
    symbol_at(c, index)->lock = number;
    take_lock_kind(c, lock);
    while (!c->bad && c->t->kind != T_END)
        lock_option(c, lock, &l);
    check_lock(c, lock, &l, name);
    if (lock->kind == LOCK_CENTRAL) {
        place_service(c, index, l.at);
    } else {
        lock->voters = (uint16_t)(l.n_voters > 0 ? l.n_voters : 1);
        declare_voters(c, name, number, lock->voters);
    }
}

/* --- stores --------------------------------------------------------------------------------------------- */

struct store_line {
    const struct token *at;
    const struct token *guard;
    uint32_t seen;
};

static void store_option(struct compile *c, struct store_plan *store, struct store_line *l)
{
    static const char *const words[] = {"at", "marks", "forgets", "guarded"};
    static const char *const later[] = {"replicas", "async", "sync", "quorum"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (at_word(c, later[i]))
            complain(c, c->t, "'%s' is not in this version yet", later[i]);
    option_once(c, words, 4, &l->seen);
    if (take_word(c, "at")) {
        l->at = skip_path(c);
    } else if (take_word(c, "marks")) {
        need_word(c, "per");
        need_word(c, "key");
        store->marks_per_key = 1;
    } else if (take_word(c, "forgets")) {
        need_word(c, "requests");
        store->forgets = 1;
    } else if (take_word(c, "guarded")) {
        need_word(c, "by");
        l->guard = take_name(c, "the name of a lock");
    } else if (c->t->kind == T_WORD) {
        complain_unknown(c, c->t, "option of a store", words, 4);
    } else {
        complain_expected(c, "an option of the store");
    }
}

static void top_store(struct compile *c)
{
    struct store_line l = {0};
    c->t++;
    const struct token *name = take_name(c, "the name of the store");
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_STORE, "store");
    if (index == NONE32)
        return;
    symbol_at(c, index)->store = (uint16_t)c->stores.n;
    struct store_plan *store = LIST_ADD(c->arena, &c->stores);
    *store = (struct store_plan){.name = symbol_at(c, index)->name, .service = NONE16, .guard = NONE16};
    while (!c->bad && c->t->kind != T_END)
        store_option(c, store, &l);
    place_service(c, index, l.at);
    if (l.guard != NULL && !c->bad) /* resolved when all locks are known */
        store->guard = name_of(c, l.guard->text);
}

/* The name of the guard becomes the lock: the one that is named, or the only one. */
static void settle_guard(struct compile *c, struct store_plan *store, const struct token *at)
{
    if (store->guard == NONE16) {
        store->guard = c->locks.n == 1 ? 0 : NONE16;
        return;
    }
    const char *text = name_text(c, store->guard);
    uint32_t index = symbol_find(c, text);
    store->guard = NONE16;
    if (index == NONE32 || !(symbol_at(c, index)->kinds & SYM_LOCK)) {
        c->bad = false;
        symbol_unknown(c, at, text, SYM_LOCK, "lock");
        return;
    }
    name_used(c, text);
    store->guard = symbol_at(c, index)->lock;
}

static void declare_store_guard(struct compile *c)
{
    const struct token *name = c->t + 1, *at = name;
    uint32_t index = name->kind == T_WORD ? symbol_find(c, name->text) : NONE32;
    if (index == NONE32 || !(symbol_at(c, index)->kinds & SYM_STORE))
        return;
    while (at->kind != T_END && !token_is(at, "by"))
        at++;
    settle_guard(c, &c->stores.row[symbol_at(c, index)->store], at->kind == T_END ? at : at + 1);
}

/* --- what can be granted -------------------------------------------------------------------------------- */

bool resource_fits(struct compile *c, const struct token *at)
{
    if (c->locks.n + c->jobs.n + c->rows.n >= RESOURCES_MAX)
        complain(c, at, "a scenario has at most %d locks, jobs and rows of tables together", RESOURCES_MAX);
    return !c->bad;
}

/* --- groups ----------------------------------------------------------------------------------------------- */

static void group_add(struct compile *c, uint32_t symbol, void *context)
{
    (void)context;
    *LIST_ADD(c->arena, &c->group_members) = symbol;
}

static void top_group(struct compile *c)
{
    c->t++;
    const struct token *name = take_name(c, "the name of the group");
    need_symbol(c, T_EQ);
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_GROUP, "group");
    if (index == NONE32)
        return;
    uint32_t first = c->group_members.n;
    symbol_at(c, index)->n = GROUP_OPEN;
    take_paths(c, SYM_PLACE, "node or service", group_add, NULL);
    statement_end(c);
    symbol_at(c, index)->first = first;
    symbol_at(c, index)->n = c->group_members.n - first;
}

/* --- passes ------------------------------------------------------------------------------------------------- */

static void each_line(struct compile *c, const char *word, word_handler run)
{
    const struct line *lines = c->s->src.lines.row;
    for (uint32_t i = 0; i < c->s->src.lines.n; i++) {
        if (lines[i].n == 0 || lines[i].depth > 0 || !token_is(line_start(c->s, &lines[i]), word) ||
            !line_seen(c, &lines[i]) || line_is_program(c, &lines[i]))
            continue;
        statement_begin(c, &lines[i]);
        run(c);
    }
}

void declare_params(struct compile *c) { each_line(c, "param", declare_param); }

void declare_all(struct compile *c)
{
    each_line(c, "node", top_node);
    each_line(c, "lock", top_lock);
    each_line(c, "store", top_store);
    each_line(c, "store", declare_store_guard);
    each_line(c, "queue", declare_queue);
    each_line(c, "table", declare_table);
    each_line(c, "group", top_group);
}
