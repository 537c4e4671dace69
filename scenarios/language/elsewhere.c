/* SPDX-License-Identifier: MIT
 *
 * elsewhere.c - what exists in other cases only.
 *
 * Asked only about a name that this case does not know: then each case of the file, as it is written, is read as
 * far as its programs, once, and asked. Its problems are left to its own compilation.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

static struct compile *other_make(struct compile *c, struct arena *arena, uint32_t i)
{
    struct compile *other = arena_alloc(arena, sizeof *other);
    struct compiled *out = arena_alloc(arena, sizeof *out);
    struct diags *unheard = arena_alloc(arena, sizeof *unheard);
    if (other == NULL || out == NULL || unheard == NULL)
        return NULL;
    *out = (struct compiled){.name = c->s->cases.row[i].name, .arena = arena};
    unheard->n = DIAGS_MAX; /* full: nobody works for a message */
    other->s = c->s;
    other->case_index = i;
    other->removed = c->s->cases.row[i].removed;
    other->diags = unheard;
    other->arena = arena;
    other->out = out;
    other->is_other = true;
    compile_what_exists(other);
    return other;
}

/* The case i as it is written; NULL: it is the one being compiled, or there is no memory. */
static struct compile *other_case(struct compile *c, uint32_t i)
{
    struct arena *arena = c->checks == NULL ? c->arena : c->checks->arena;
    struct compile ***others = c->checks == NULL ? &c->others : &c->checks->others;
    if (c->is_other || (i == c->case_index && c->removed == c->s->cases.row[i].removed))
        return NULL;
    if (*others == NULL)
        *others = arena_alloc(arena, c->s->cases.n * sizeof **others);
    if (*others == NULL)
        return NULL;
    if ((*others)[i] == NULL)
        (*others)[i] = other_make(c, arena, i);
    return (*others)[i];
}

static bool has_symbol(const struct compile *c, const char *text, uint16_t kinds)
{
    uint32_t index = c == NULL ? NONE32 : symbol_find(c, text);
    return index != NONE32 && c->symbols.row[index].kinds & kinds;
}

static bool has_thing(const struct compile *c, const char *text)
{
    name_id name = c == NULL ? NONE16 : name_known(c, text);
    bool found = name != NONE16 && name < c->register_of.n && c->register_of.row[name] != 0;
    for (uint32_t i = 0; name != NONE16 && i < c->rows.n && !found; i++)
        found = c->rows.row[i].name == name;
    for (uint32_t i = 0; name != NONE16 && i < c->jobs.n && !found; i++)
        found = c->jobs.row[i].object == name;
    return found;
}

bool symbol_elsewhere(struct compile *c, const char *text, uint16_t kinds)
{
    for (uint32_t i = 0; i < c->s->cases.n; i++)
        if (has_symbol(other_case(c, i), text, kinds))
            return true;
    return false;
}

bool thing_elsewhere(struct compile *c, const char *text)
{
    for (uint32_t i = 0; i < c->s->cases.n; i++)
        if (line_kept(c->s, c->line, i, c->s->cases.row[i].removed) && has_thing(other_case(c, i), text))
            return true;
    return false;
}

/* The queue or table below which a line of this other case lists the job or row; NONE16: no line does. */
static name_id owner_of(const struct compile *other, const char *text)
{
    name_id name = name_known(other, text);
    for (uint32_t i = 0; name != NONE16 && i < other->jobs.n; i++)
        if (other->jobs.row[i].object == name && other->jobs.row[i].listed)
            return other->queues.row[other->jobs.row[i].queue].name;
    for (uint32_t i = 0; name != NONE16 && i < other->rows.n; i++)
        if (other->rows.row[i].name == name && other->rows.row[i].listed)
            return other->tables.row[other->rows.row[i].table].name;
    return NONE16;
}

/* Two lines declare what has one name, each for its own cases: what stands below one is not the other's. */
static void say_whose(const struct compile *c, const struct compile *other, const char *text, char *out, size_t size)
{
    name_id owner = owner_of(other, text);
    const char *name = owner == NONE16 ? "" : name_text(other, owner);
    uint32_t mine = symbol_find(c, name), theirs = symbol_find(other, name);
    out[0] = '\0';
    if (owner == NONE16 || mine == NONE32 || theirs == NONE32)
        return;
    const struct symbol *here = &c->symbols.row[mine], *there = &other->symbols.row[theirs];
    if (here->kinds & there->kinds & (SYM_QUEUE | SYM_TABLE) && here->line[1] != there->line[1])
        snprintf(out, size, ": its line belongs to the %s just above it, on line %u",
                 there->kinds & SYM_QUEUE ? "queue" : "table", there->line[1]);
}

/* kinds 0: a register, row or job */
static void complain_of_cases(struct compile *c, const struct token *at, const char *text, uint16_t kinds)
{
    char list[160] = "", whose[80] = "";
    uint32_t found = 0;
    size_t used = 0;
    for (uint32_t i = c->s->cases.n; i-- > 0 && !c->bad;) {
        const struct compile *other = other_case(c, i);
        if (kinds == 0 ? !has_thing(other, text) : !has_symbol(other, text, kinds))
            continue;
        char more[sizeof list];
        used = (size_t)snprintf(more, sizeof more, "%.60s%s%s", c->s->cases.row[i].name,
                                found == 0   ? ""
                                : found == 1 ? " and "
                                             : ", ",
                                list);
        if (used >= sizeof more)
            break;
        memcpy(list, more, used + 1);
        say_whose(c, other, text, whose, sizeof whose);
        found++;
    }
    if (found > 0)
        complain(c, at, "'%.60s' exists only in case%s %s%s", text, found > 1 ? "s" : "", list, whose);
}

void complain_elsewhere(struct compile *c, const struct token *at, const char *text, uint16_t kinds)
{
    complain_of_cases(c, at, text, kinds);
}

void complain_thing_elsewhere(struct compile *c, const struct token *at, const char *text)
{
    complain_of_cases(c, at, text, 0);
}
