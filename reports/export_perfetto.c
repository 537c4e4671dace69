/* SPDX-License-Identifier: MIT
 *
 * export_perfetto.c - trace-event JSON, for ui.perfetto.dev and chrome://tracing.
 *
 *  1. A lane is a thread of one process. `ts` and `dur` are microseconds with three places, so no nanosecond is lost.
 *  2. Slices of one thread must nest. What stands still (pauses, suspensions, crashes) is cut where the end of an
 *     earlier one falls into it; a message is a slice of one nanosecond, which nothing can straddle. An arrow goes
 *     from slice to slice by `bind_id`.
 *  3. A lease outlives pauses, so leases and beliefs are asynchronous events: `b` and `e` with one id.
 *  4. Entries come in the order of their times; of one time, in the order in which they were made.
 */
#include "reports/export.h"

#include "reports/line.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    ns at;
    size_t from, n; /* its bytes in the body */
};

/* What stands still on a lane, and until when. */
struct stop {
    ns from, to;
    uint32_t lane;
    uint32_t record;
};

struct sheet {
    const struct exported *x;
    struct text body; /* entries, one behind the other */
    struct entry *entry;
    size_t n, room;
    struct stop *stop;
    size_t stops, stop_room;
};

/* --- entries ----------------------------------------------------------------------------------------- */

static void time_of(struct text *t, const char *key, ns at)
{
    text_key(t, key);
    text_i64(t, at / 1000);
    text_char(t, '.');
    for (ns place = 100; place > 0; place /= 10)
        text_char(t, (char)('0' + at % 1000 / place % 10));
}

static bool room_for_entry(struct sheet *s)
{
    if (s->n < s->room)
        return true;
    size_t room = s->room == 0 ? 64 : 2 * s->room;
    struct entry *more = realloc(s->entry, room * sizeof *more);
    if (more == NULL) {
        s->body.failed = true;
        return false;
    }
    s->entry = more;
    s->room = room;
    return true;
}

/* Begins an entry of this phase ("X", "i") on a lane; more keys may follow, and done() ends it. */
static struct text *begin(struct sheet *s, const char *phase, uint32_t lane, ns at)
{
    struct text *t = &s->body;
    if (room_for_entry(s))
        s->entry[s->n++] = (struct entry){at, t->n, 0};
    text_char(t, '{');
    text_key(t, "ph");
    text_json(t, phase);
    text_key(t, "pid");
    text_u64(t, 1);
    text_key(t, "tid");
    text_u64(t, lane + 1);
    time_of(t, "ts", at);
    return t;
}

static void done(struct sheet *s)
{
    text_char(&s->body, '}');
    if (!s->body.failed)
        s->entry[s->n - 1].n = s->body.n - s->entry[s->n - 1].from;
}

static void words_key(struct text *t, const char *key, const struct exported *x, uint32_t record)
{
    struct text words = {0};
    line_words(&words, x->sim, &x->record[record]);
    text_key(t, key);
    text_json_bytes(t, words.n > 0 ? words.bytes : "", words.n);
    text_done(t, &words);
}

static void name_key(struct text *t, const char *a, const char *b)
{
    struct text name = {0};
    text_add(&name, a);
    text_add(&name, b);
    text_key(t, "name");
    text_json_bytes(t, name.n > 0 ? name.bytes : "", name.n);
    text_done(t, &name);
}

static void category(struct text *t, const char *name)
{
    text_key(t, "cat");
    text_json(t, name);
}

static void hex_id(struct text *t, const char *key, const char *prefix, uint64_t id)
{
    static const char digit[] = "0123456789abcdef";
    int shift = 60;
    text_key(t, key);
    text_char(t, '"');
    text_add(t, prefix);
    while (shift > 0 && id >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        text_char(t, digit[id >> shift & 15]);
    text_char(t, '"');
}

/* --- what stands still --------------------------------------------------------------------------------- */

/* Into its place by `from`, behind those of the same time. */
static void add_stop(struct sheet *s, struct stop stop)
{
    if (s->stops == s->stop_room) {
        size_t room = s->stop_room == 0 ? 64 : 2 * s->stop_room;
        struct stop *more = realloc(s->stop, room * sizeof *more);
        if (more == NULL) {
            s->body.failed = true;
            return;
        }
        s->stop = more;
        s->stop_room = room;
    }
    size_t i = s->stops++;
    for (; i > 0 && s->stop[i - 1].from > stop.from; i--)
        s->stop[i] = s->stop[i - 1];
    s->stop[i] = stop;
}

/* The end of what stops at record i: by its duration, by a crash of its process, or by the end of the run. A crash
 * itself ends by its restart. */
static ns stop_end(const struct exported *x, uint32_t i, uint32_t lane)
{
    const struct record *r = &x->record[i];
    struct value lasts = line_field(x->sim, r, "for");
    ns end = lasts.tag == TAG_NS && lasts.v < x->r->end_ns - r->at ? r->at + lasts.v : x->r->end_ns;
    for (uint32_t k = i + 1; r->verb == V_PAUSES && k < x->n && x->record[k].at < end; k++)
        if (x->record[k].verb == V_CRASHES && x->lane[k] == lane)
            return x->record[k].at;
    return end < r->at ? r->at : end;
}

static void stops_of(struct sheet *s, uint32_t i)
{
    const struct exported *x = s->x;
    const struct sim_plan *sim = x->sim;
    uint32_t lane = x->lane[i];
    bool all = x->record[i].verb == V_SUSPENDS; /* every process of the machine */
    for (uint32_t p = 0; p < sim->n_processes; p++)
        if (p == lane || (all && sim->processes[p].machine == sim->processes[lane].machine))
            add_stop(s, (struct stop){x->record[i].at, stop_end(x, i, p), p, i});
}

static void put_stop(struct sheet *s, const struct stop *stop)
{
    struct text *t = begin(s, "X", stop->lane, stop->from);
    time_of(t, "dur", stop->to - stop->from);
    category(t, "stop");
    words_key(t, "name", s->x, stop->record);
    done(s);
}

/* The latest slice that is open on its lane when a stop begins, NULL: none. Those before i are whole. */
static const struct stop *inner(const struct sheet *s, size_t i)
{
    const struct stop *found = NULL;
    for (size_t k = 0; k < i; k++)
        if (s->stop[k].lane == s->stop[i].lane && s->stop[k].to > s->stop[i].from)
            found = found == NULL || s->stop[k].to <= found->to ? &s->stop[k] : found;
    return found;
}

/* In order of their beginnings; what would reach out of an earlier one goes on as a slice of its own. */
static void put_stops(struct sheet *s)
{
    for (uint32_t i = 0; i < s->x->n; i++) {
        uint16_t verb = s->x->record[i].verb;
        if (verb == V_PAUSES || verb == V_SUSPENDS || verb == V_CRASHES)
            stops_of(s, i);
    }
    for (size_t i = 0; i < s->stops; i++) { /* each cut leaves a later beginning: it ends */
        const struct stop *outer = inner(s, i);
        if (outer != NULL && outer->to < s->stop[i].to) {
            struct stop rest = s->stop[i];
            rest.from = s->stop[i].to = outer->to;
            add_stop(s, rest);
        }
        put_stop(s, &s->stop[i]);
    }
}

/* --- messages ------------------------------------------------------------------------------------------ */

static void put_end(struct sheet *s, uint32_t arrival, uint32_t record, bool out)
{
    const char *what = export_what(s->x, arrival);
    struct text *t = begin(s, "X", s->x->lane[record], s->x->record[record].at);
    time_of(t, "dur", 1);
    category(t, "message");
    name_key(t, out ? "send " : "receive ", what == NULL ? "" : what);
    hex_id(t, "bind_id", "0x", arrival + UINT64_C(1));
    text_add(t, out ? ",\"flow_out\":true" : ",\"flow_in\":true");
    text_add(t, ",\"args\":{");
    words_key(t, "record", s->x, record);
    text_char(t, '}');
    done(s);
}

static void put_message(struct sheet *s, uint32_t i)
{
    uint32_t sender = export_sender(s->x, i);
    if (sender == NONE32)
        return;
    put_end(s, i, sender, true);
    put_end(s, i, i, false);
}

static void put_instant(struct sheet *s, uint32_t i)
{
    struct text *t = begin(s, "i", s->x->lane[i], s->x->record[i].at);
    text_add(t, ",\"s\":\"t\"");
    category(t, "record");
    words_key(t, "name", s->x, i);
    done(s);
}

/* --- leases and beliefs ---------------------------------------------------------------------------------- */

/* "leader token 1 of w1" */
static void span_name(struct text *t, const struct exported *x, name_id what, int64_t token, name_id who)
{
    struct text name = {0};
    text_shown(&name, what == NONE16 ? "lease" : line_name(x->sim, what));
    text_add(&name, " token ");
    text_i64(&name, token);
    text_add(&name, " of ");
    text_shown(&name, line_name(x->sim, who));
    text_key(t, "name");
    text_json_bytes(t, name.n > 0 ? name.bytes : "", name.n);
    text_done(t, &name);
}

static void put_lease(struct sheet *s, uint32_t k, bool end)
{
    const struct exported *x = s->x;
    const struct lease *l = &x->lease[k];
    ns at = !end ? x->record[l->first].at : l->last == NONE32 ? x->r->end_ns : x->record[l->last].at;
    struct text *t = begin(s, end ? "e" : "b", x->lane[l->first], at);
    category(t, "lease");
    hex_id(t, "id", "0x", k + UINT64_C(1));
    span_name(t, x, l->what, l->token, l->holder);
    if (!end) {
        text_add(t, ",\"args\":{\"token\":");
        text_i64(t, l->token);
        text_char(t, '}');
    }
    done(s);
}

static void put_belief(struct sheet *s, uint32_t first, ns end)
{
    const struct exported *x = s->x;
    const struct record *r = &x->record[first];
    for (int side = 0; side < 2; side++) {
        struct text *t = begin(s, side == 0 ? "b" : "e", x->lane[first], side == 0 ? r->at : end);
        category(t, "belief");
        hex_id(t, "id", "0x", first + UINT64_C(1));
        span_name(t, x, r->object, line_field(x->sim, r, "token").v, r->actor);
        done(s);
    }
}

/* A belief lasts until the same node doubts, or believes anew. */
static void put_beliefs(struct sheet *s, uint32_t i)
{
    const struct exported *x = s->x;
    const struct record *r = &x->record[i];
    for (uint32_t k = i + 1; k < x->n; k++) {
        const struct record *o = &x->record[k];
        if ((o->verb == V_DOUBTS || o->verb == V_BELIEVES) && o->actor == r->actor && o->object == r->object) {
            put_belief(s, i, o->at);
            return;
        }
    }
    put_belief(s, i, x->r->end_ns);
}

/* --- counters and violations ------------------------------------------------------------------------------ */

static void put_counter(struct sheet *s, const char *a, name_id name, uint32_t i)
{
    const struct exported *x = s->x;
    struct value token = line_field(x->sim, &x->record[i], "token");
    if (token.tag != TAG_INT || name == NONE16)
        return;
    struct text *t = begin(s, "C", x->lane[i], x->record[i].at);
    name_key(t, a, line_name(x->sim, name));
    text_add(t, ",\"args\":{\"token\":");
    text_i64(t, token.v);
    text_char(t, '}');
    done(s);
}

static void put_violation(struct sheet *s, uint32_t k)
{
    const struct violation *v = &s->x->r->violation[k];
    struct text sentence = {0};
    struct text *t = begin(s, "i", s->x->lane[v->record - 1], v->at);
    text_add(t, ",\"s\":\"g\"");
    category(t, "violation");
    name_key(t, s->x->r->role[k] == ROLE_WARNING ? "sign " : "VIOLATION ", invariant_table[v->invariant].name);
    export_sentence(&sentence, s->x, v);
    text_add(t, ",\"args\":{\"text\":");
    text_json_bytes(t, sentence.n > 0 ? sentence.bytes : "", sentence.n);
    text_done(t, &sentence);
    text_char(t, '}');
    done(s);
}

/* --- the whole -------------------------------------------------------------------------------------------- */

static void put_record(struct sheet *s, uint32_t i)
{
    const struct record *r = &s->x->record[i];
    if (r->verb == V_RECEIVES)
        put_message(s, i);
    else if (r->verb == V_BELIEVES)
        put_beliefs(s, i);
    else if (!export_is_note(s->x, i) && !s->x->sends[i])
        put_instant(s, i);
    if (r->verb == V_GRANTS)
        put_counter(s, "token of ", export_resource(s->x, r), i);
    if (r->verb == V_COMMITS || r->verb == V_REMOVES || r->verb == V_RAISES)
        put_counter(s, "token at ", r->actor, i);
}

static void put_all(struct sheet *s)
{
    const struct exported *x = s->x;
    put_stops(s);
    for (uint32_t k = 0; k < x->n_leases; k++) {
        put_lease(s, k, false);
        put_lease(s, k, true);
    }
    for (uint32_t i = 0; i < x->n; i++)
        put_record(s, i);
    for (uint32_t k = 0; k < x->r->n_violations; k++)
        put_violation(s, k);
}

/* What was made first stands first in the body. */
static int by_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->at != y->at ? x->at < y->at ? -1 : 1 : x->from < y->from ? -1 : x->from > y->from;
}

static void head(struct text *t, const struct exported *x)
{
    text_add(t, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    text_add(t, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{");
    struct text name = {0};
    text_add(&name, scenario_title(x->f->scenario));
    text_add(&name, ", case ");
    text_add(&name, x->r->c->name);
    name_key(t, text_c(&name), "");
    text_done(t, &name);
    text_add(t, "}}");
    for (uint32_t i = 0; i < x->lanes; i++) {
        text_add(t, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
        text_u64(t, i + 1);
        text_add(t, ",\"name\":\"thread_name\",\"args\":{");
        name_key(t, export_lane_name(x, i), "");
        text_add(t, "}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
        text_u64(t, i + 1);
        text_add(t, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
        text_u64(t, i + 1);
        text_add(t, "}}");
    }
}

void export_perfetto(struct text *t, const struct exported *x)
{
    struct sheet s = {.x = x};
    struct text raw = {0};
    put_all(&s);
    if (s.n > 0)
        qsort(s.entry, s.n, sizeof *s.entry, by_time);
    head(&raw, x);
    for (size_t i = 0; i < s.n && !s.body.failed; i++) {
        text_add(&raw, ",\n");
        text_bytes(&raw, s.body.bytes + s.entry[i].from, s.entry[i].n);
    }
    text_add(&raw, "]}\n");
    text_done(&raw, &s.body);
    free(s.entry);
    free(s.stop);
    export_json_safe(t, &raw);
}
