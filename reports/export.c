/* SPDX-License-Identifier: MIT
 *
 * export.c - see export.h.
 *
 *  1. Whose lane a record is on: that of the process its actor names. The grant of a quorum is nobody's word; it is on
 *     the lane of the candidate that counted, which is its object.
 *  2. A message is the note `receives` and its cause, past what the network itself recorded on the way.
 *  3. A quorum's lease ends when its holder gives it back, or when the first of its votes runs out.
 */
#include "reports/export.h"

#include "reports/line.h"
#include "reports/verdict.h"

#include <stdlib.h>
#include <string.h>

/* --- lanes ------------------------------------------------------------------------------------------- */

/* A later row wins: what is called like its process means that. */
static void name_processes(struct exported *x)
{
    const struct sim_plan *sim = x->sim;
    memset(x->process_of, 0xff, sim->names->n * sizeof *x->process_of);
    for (uint32_t p = sim->n_processes; p-- > 0;)
        x->process_of[sim->machines[sim->processes[p].machine].name] = (uint16_t)p;
    for (uint32_t i = 0; i < sim->n_threads; i++) {
        x->process_of[sim->threads[i].name] = sim->threads[i].process;
        x->process_of[sim->threads[i].alone] = sim->threads[i].process;
    }
    for (uint32_t p = 0; p < sim->n_processes; p++)
        x->process_of[sim->processes[p].name] = (uint16_t)p;
}

static uint16_t find_lane(const struct exported *x, uint32_t i)
{
    const struct record *r = &x->record[i];
    uint16_t process = x->process_of[r->actor];
    if (r->actor == x->sim->net_name)
        return (uint16_t)export_net(x);
    if (process == NONE16 && r->object != NONE16)
        process = x->process_of[r->object];
    if (process == NONE16)
        return r->cause > 0 ? x->lane[r->cause - 1] : (uint16_t)export_net(x);
    return process;
}

const char *export_lane_name(const struct exported *x, uint32_t lane)
{
    ASSERT(lane < x->lanes);
    return line_name(x->sim, lane == export_net(x) ? x->sim->net_name : x->sim->processes[lane].name);
}

bool export_is_note(const struct exported *x, uint32_t record) { return line_is_note(x->sim, &x->record[record]); }

/* --- messages ---------------------------------------------------------------------------------------- */

uint32_t export_sender(const struct exported *x, uint32_t record)
{
    const struct record *r = &x->record[record];
    if (r->verb != V_RECEIVES && r->verb != V_LOSES)
        return NONE32;
    uint32_t cause = r->cause;
    while (cause > 0 && x->lane[cause - 1] == export_net(x)) /* causes come before what they cause */
        cause = x->record[cause - 1].cause;
    return cause == 0 || x->lane[cause - 1] == x->lane[record] ? NONE32 : cause - 1;
}

const char *export_what(const struct exported *x, uint32_t record)
{
    struct value what = line_field(x->sim, &x->record[record], "what");
    return what.tag == TAG_NONE ? NULL : line_name(x->sim, (name_id)what.v);
}

static void find_senders(struct exported *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t sender = export_sender(x, i);
        if (sender != NONE32)
            x->sends[sender] = 1;
    }
}

/* --- leases ------------------------------------------------------------------------------------------ */

/* The lock whose voter has this name; NONE32: it is no voter. */
static uint32_t lock_of_voter(const struct exported *x, name_id name)
{
    const struct model_plan *m = x->model;
    uint16_t process = x->process_of[name];
    for (uint32_t l = 0; l < m->n_locks && process != NONE16; l++)
        for (uint32_t v = 0; v < m->locks[l].voters; v++)
            if (x->sim->threads[m->services[m->locks[l].service + v].thread].process == process)
                return l;
    return NONE32;
}

name_id export_resource(const struct exported *x, const struct record *r)
{
    struct value of = line_field(x->sim, r, "of");
    if (of.tag != TAG_NONE)
        return (name_id)of.v;
    uint32_t voter_of = lock_of_voter(x, r->actor);
    if (voter_of != NONE32)
        return x->model->locks[voter_of].name;
    for (uint32_t l = 0; l < x->model->n_locks; l++)
        if (x->model->locks[l].name == r->actor)
            return r->actor;
    return NONE16;
}

static bool is_quorum(const struct exported *x, name_id lock)
{
    for (uint32_t l = 0; l < x->model->n_locks; l++)
        if (x->model->locks[l].name == lock)
            return x->model->locks[l].kind == LOCK_QUORUM;
    return false;
}

/* Does record i end this lease? Its token is the grant's, and its object the holder. */
static bool ends_lease(const struct exported *x, const struct lease *l, const struct record *r)
{
    struct value token = line_field(x->sim, r, "token");
    if (token.tag != TAG_INT || token.v != l->token)
        return false;
    if (l->quorum && r->verb == V_RELEASES)
        return r->object == l->what && x->process_of[r->actor] == x->process_of[l->holder];
    if (r->object != l->holder || export_resource(x, r) != l->what)
        return false;
    return r->verb == V_LAPSES || !l->quorum;
}

static bool may_end_lease(uint16_t verb)
{
    switch (verb) {
    case V_EXPIRES:
    case V_FREES:
    case V_FORCES:
    case V_FINISHES:
    case V_RETURNS:
    case V_DEAD_LETTERS:
    case V_LAPSES:
    case V_RELEASES: return true;
    default: return false;
    }
}

/* Ends what record i ends among the leases that still run: n of them, whose indices stand in open[]. */
static uint32_t end_leases(struct exported *x, uint32_t *open, uint32_t n, uint32_t i)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (ends_lease(x, &x->lease[open[k]], &x->record[i]))
            x->lease[open[k]].last = i;
        else
            open[left++] = open[k];
    }
    return left;
}

static void begin_lease(struct exported *x, uint32_t i)
{
    const struct record *r = &x->record[i];
    struct lease *l = &x->lease[x->n_leases++];
    l->token = line_field(x->sim, r, "token").v;
    l->first = i;
    l->last = NONE32;
    l->what = export_resource(x, r);
    l->holder = r->object;
    l->quorum = is_quorum(x, l->what);
}

static bool find_leases(struct exported *x)
{
    uint32_t grants = 0, n = 0;
    for (uint32_t i = 0; i < x->n; i++)
        grants += x->record[i].verb == V_GRANTS;
    x->lease = calloc(grants + 1, sizeof *x->lease);
    uint32_t *open = calloc(grants + 1, sizeof *open);
    for (uint32_t i = 0; i < x->n && x->lease != NULL && open != NULL; i++) {
        if (may_end_lease(x->record[i].verb))
            n = end_leases(x, open, n, i);
        if (x->record[i].verb != V_GRANTS)
            continue;
        open[n++] = x->n_leases;
        begin_lease(x, i);
    }
    bool good = x->lease != NULL && open != NULL;
    free(open);
    return good;
}

/* --- life -------------------------------------------------------------------------------------------- */

bool export_open(struct exported *x, const struct outcome_file *f, const struct run *r)
{
    memset(x, 0, sizeof *x);
    x->f = f;
    x->r = r;
    x->sim = &r->c->sim;
    x->model = &r->c->model;
    x->record = sim_trace(r->sim, &x->n);
    x->lanes = x->sim->n_processes + 1;
    x->process_of = calloc(x->sim->names->n + 1, sizeof *x->process_of);
    x->lane = calloc((size_t)x->n + 1, sizeof *x->lane);
    x->sends = calloc((size_t)x->n + 1, 1);
    if (x->process_of == NULL || x->lane == NULL || x->sends == NULL) {
        export_close(x);
        return false;
    }
    name_processes(x);
    for (uint32_t i = 0; i < x->n; i++)
        x->lane[i] = find_lane(x, i);
    find_senders(x);
    if (find_leases(x))
        return true;
    export_close(x);
    return false;
}

void export_close(struct exported *x)
{
    free(x->process_of);
    free(x->lane);
    free(x->sends);
    free(x->lease);
    memset(x, 0, sizeof *x);
}

/* --- violations -------------------------------------------------------------------------------------- */

uint32_t export_centre(const struct exported *x)
{
    const struct run *r = x->r;
    for (uint32_t i = 0; i < r->n_violations; i++)
        if (r->role[i] != ROLE_WARNING)
            return r->violation[i].record - 1;
    return r->n_violations > 0 ? r->violation[0].record - 1 : NONE32;
}

bool export_is_broken(const struct exported *x, uint32_t record)
{
    for (uint32_t i = 0; i < x->r->n_violations; i++)
        if (x->r->violation[i].record == record + 1)
            return true;
    return false;
}

void export_marks(struct text *t, const struct exported *x, uint32_t record)
{
    const char *before = "";
    for (uint32_t i = 0; i < x->r->n_violations; i++) {
        if (x->r->violation[i].record != record + 1)
            continue;
        text_add(t, before);
        text_add(t, x->r->role[i] == ROLE_WARNING ? "sign " : "violates ");
        text_add(t, invariant_table[x->r->violation[i].invariant].name);
        before = " and ";
    }
}

void export_sentence(struct text *t, const struct exported *x, const struct violation *v)
{
    text_add(t, invariant_table[v->invariant].name);
    text_add(t, ": ");
    verdict_sentence(t, x->r, v);
}

const char *export_path(const char *path)
{
    const char *last = strrchr(path, '/');
    return path[0] == '/' && last[1] != '\0' ? last + 1 : path;
}

/* --- escapes ----------------------------------------------------------------------------------------- */

/* A character that turns the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) or is a
 * line's end to some readers (U+2028, U+2029): its code, else 0. All have two or three bytes. */
static unsigned unseen(const char *bytes, size_t n)
{
    const unsigned char *s = (const unsigned char *)bytes;
    if (n >= 2 && s[0] == 0xd8 && s[1] == 0x9c)
        return 0x061c;
    if (n < 3 || s[0] != 0xe2 || (s[1] != 0x80 && s[1] != 0x81))
        return 0;
    unsigned code = s[1] == 0x80 ? 0x2000u + (s[2] & 0x3fu) : 0x2040u + (s[2] & 0x3fu);
    bool turns = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e);
    return turns || (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029 ? code : 0;
}

static void hex(struct text *t, const char *prefix, unsigned code, int digits)
{
    static const char digit[] = "0123456789abcdef";
    text_add(t, prefix);
    while (digits-- > 0)
        text_char(t, digit[code >> 4 * digits & 15]);
}

void export_plain(struct text *t, struct text *raw)
{
    for (size_t i = 0; i < raw->n; i++) {
        unsigned code = unseen(raw->bytes + i, raw->n - i);
        size_t length = code == 0x061c ? 2 : 3;
        if (code == 0)
            text_char(t, raw->bytes[i]);
        for (size_t k = 0; code != 0 && k < length; k++)
            hex(t, "\\x", (unsigned char)raw->bytes[i + k], 2);
        i += code == 0 ? 0 : length - 1;
    }
    text_done(t, raw);
}

void export_json_safe(struct text *t, struct text *raw)
{
    for (size_t i = 0; i < raw->n; i++) {
        unsigned code = raw->bytes[i] == '<' ? '<' : unseen(raw->bytes + i, raw->n - i);
        if (code == 0)
            text_char(t, raw->bytes[i]);
        else
            hex(t, "\\u", code, 4);
        i += code == 0 || code == '<' ? 0 : code == 0x061c ? 1 : 2;
    }
    text_done(t, raw);
}
