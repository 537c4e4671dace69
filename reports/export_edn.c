/* SPDX-License-Identifier: MIT
 *
 * export_edn.c - a history as Jepsen writes them: one map a line, of which a reader can judge a lock, a register or a
 * queue without knowing us.
 *
 *     {:index 0, :time 0, :process 0, :type :invoke, :f :acquire, :on "leader", :value nil}
 *     {:index 1, :time 3000000, :process 0, :type :ok, :f :acquire, :on "leader", :value {:fence 1}}
 *
 *  1. A process is a client thread: it does one operation at a time. A keeper of several jobs is a process for each.
 *  2. :ok when the answer reached the client. :fail only when a refusal did; whatever else ends an operation (no
 *     answer, nobody there, an interruption, a crash, the end of the run) is :info: it may have happened.
 *  3. After :info the thread is a new process. So is what a crashed node starts again.
 *  4. Asking again for the same lock or job belongs to the operation that asked first.
 *  5. A value is what the register's would be; :on says which register, lock, job or queue.
 */
#include "reports/export.h"

#include "reports/line.h"

#include <stdlib.h>
#include <string.h>

/* A client, by its thread; for a keeper also by what it keeps. */
struct client {
    name_id actor;
    name_id kept; /* NONE16: a program */
    uint16_t start;
    uint16_t busy;    /* 1: an operation is under way */
    uint32_t process; /* its number now */
    uint32_t invoke;  /* record of the operation under way */
};

struct history {
    const struct exported *x;
    struct text *t;
    struct client *client;
    uint32_t n, room, index, processes;
};

/* --- operations ------------------------------------------------------------------------------------------ */

static const char *function_of(uint16_t verb)
{
    switch (verb) {
    case V_ASKS: return "acquire";
    case V_RELEASES: return "release";
    case V_RENEWS: return "renew";
    case V_CLAIMS: return "claim";
    case V_HEARTBEATS: return "heartbeat";
    case V_COMPLETES: return "complete";
    case V_FAILS: return "fail";
    case V_ENQUEUES: return "enqueue";
    case V_REAPS: return "reap";
    case V_JUDGES: return "judge";
    case V_REQUEUES: return "requeue";
    case V_FORCE_RELEASES: return "force-release";
    case V_READS: return "read";
    case V_WRITES: return "write";
    case V_DELETES: return "delete";
    case V_UPDATES: return "update";
    case V_INSERTS: return "insert";
    default: return NULL;
    }
}

/* What an operation is on: a voter stands for its lock, a job for its name without quotes. */
static name_id subject_of(const struct exported *x, const struct record *r)
{
    const struct model_plan *m = x->model;
    uint16_t process = r->object == NONE16 ? NONE16 : x->process_of[r->object];
    for (uint32_t l = 0; l < m->n_locks && process != NONE16; l++)
        for (uint32_t v = 0; v < m->locks[l].voters; v++)
            if (x->sim->threads[m->services[m->locks[l].service + v].thread].process == process)
                return m->locks[l].name;
    for (uint32_t i = 0; i < m->n_jobs; i++)
        if (m->jobs[i].object == r->object)
            return m->jobs[i].name;
    return r->object;
}

static bool is_quorum(const struct exported *x, name_id lock)
{
    for (uint32_t l = 0; l < x->model->n_locks; l++)
        if (x->model->locks[l].name == lock)
            return x->model->locks[l].kind == LOCK_QUORUM;
    return false;
}

static const struct client_plan *keeper_of(const struct exported *x, name_id actor)
{
    for (uint32_t i = 0; i < x->model->n_clients; i++) {
        const struct client_plan *c = &x->model->clients[i];
        if (c->keeps_for != NONE16 && x->sim->threads[c->thread].name == actor)
            return c;
    }
    return NULL;
}

/* --- lines ----------------------------------------------------------------------------------------------- */

static void edn_value(struct text *t, const struct exported *x, struct value v)
{
    switch (v.tag) {
    case TAG_INT:
    case TAG_NS: text_i64(t, v.v); break;
    case TAG_TEXT:
    case TAG_NAME: text_json(t, line_name(x->sim, (name_id)v.v)); break; /* its escapes are EDN's too */
    case TAG_BOOL: text_add(t, v.v != 0 ? "true" : "false"); break;
    default: text_add(t, "nil");
    }
}

/* The fence of a token, or nil. */
static void fence(struct text *t, struct value token)
{
    text_add(t, token.tag == TAG_INT ? "{:fence " : "nil");
    if (token.tag != TAG_INT)
        return;
    text_i64(t, token.v);
    text_char(t, '}');
}

static void line_begin(struct history *h, ns at)
{
    text_add(h->t, "{:index ");
    text_u64(h->t, h->index++);
    text_add(h->t, ", :time ");
    text_i64(h->t, at);
    text_add(h->t, ", :process ");
}

static void operation(struct history *h, const struct client *c, const char *type, ns at)
{
    const struct record *r = &h->x->record[c->invoke];
    name_id on = subject_of(h->x, r);
    line_begin(h, at);
    text_u64(h->t, c->process);
    text_add(h->t, ", :type :");
    text_add(h->t, type);
    text_add(h->t, ", :f :");
    text_add(h->t, function_of(r->verb));
    text_add(h->t, ", :on ");
    text_json(h->t, on == NONE16 ? "" : line_name(h->x->sim, on));
    text_add(h->t, ", :value ");
}

/* What the client asked for: a write's value, nothing for what it wants to be told, else its token. */
static void asked_value(struct history *h, const struct record *r)
{
    struct value none = {0, TAG_NONE};
    if (r->verb == V_WRITES)
        edn_value(h->t, h->x, line_field(h->x->sim, r, ""));
    else if (r->verb == V_ASKS || r->verb == V_READS || r->verb == V_CLAIMS || r->verb == V_DELETES)
        edn_value(h->t, h->x, none);
    else
        fence(h->t, line_field(h->x->sim, r, "token"));
}

static void close_line(struct history *h, const struct record *r)
{
    struct value token = line_field(h->x->sim, r, "token");
    if ((r->verb == V_WRITES || r->verb == V_DELETES) && token.tag == TAG_INT) {
        text_add(h->t, ", :fence ");
        text_i64(h->t, token.v);
    }
    text_add(h->t, "}\n");
}

static void end_unknown(struct history *h, struct client *c, const char *error, ns at)
{
    if (!c->busy)
        return;
    operation(h, c, "info", at);
    asked_value(h, &h->x->record[c->invoke]);
    text_add(h->t, ", :error :");
    text_add(h->t, error);
    close_line(h, &h->x->record[c->invoke]);
    c->busy = 0;
    c->process = h->processes++;
}

/* --- clients --------------------------------------------------------------------------------------------- */

static struct client *add_client(struct history *h, name_id actor, name_id kept)
{
    if (h->n == h->room) {
        uint32_t room = h->room == 0 ? 16 : 2 * h->room;
        struct client *more = realloc(h->client, room * sizeof *more);
        if (more == NULL) {
            h->t->failed = true;
            return NULL;
        }
        h->client = more;
        h->room = room;
    }
    struct client *c = &h->client[h->n++];
    *c = (struct client){actor, kept, 0, 0, h->processes++, 0};
    return c;
}

/* Whoever made a record; NULL: no memory. What it left open in an earlier start is unknown. */
static struct client *client_of(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    name_id kept = keeper_of(h->x, r->actor) != NULL ? subject_of(h->x, r) : NONE16;
    struct client *c = NULL;
    for (uint32_t k = 0; k < h->n && c == NULL; k++)
        if (h->client[k].actor == r->actor && h->client[k].kept == kept)
            c = &h->client[k];
    if (c == NULL)
        c = add_client(h, r->actor, kept);
    if (c != NULL && c->start != r->start) {
        if (c->start != 0)
            c->process = h->processes++;
        c->start = r->start;
    }
    return c;
}

/* A keeper's `failed` names no lock: it is of the operation under way at that thread that began first. */
static struct client *busy_client(struct history *h, name_id actor)
{
    struct client *found = NULL;
    for (uint32_t k = 0; k < h->n; k++)
        if (h->client[k].actor == actor && h->client[k].busy)
            found = found == NULL || h->client[k].invoke < found->invoke ? &h->client[k] : found;
    return found;
}

/* --- what a record does to the history --------------------------------------------------------------------- */

static bool goes_on(const struct history *h, const struct client *c, const struct record *r)
{
    const struct record *first = &h->x->record[c->invoke];
    if (!c->busy || first->verb != r->verb || subject_of(h->x, first) != subject_of(h->x, r))
        return false;
    return r->verb == V_ASKS || r->verb == V_CLAIMS || first->at == r->at;
}

static void complete(struct history *h, struct client *c, ns at, const char *type)
{
    operation(h, c, type, at);
    asked_value(h, &h->x->record[c->invoke]);
    close_line(h, &h->x->record[c->invoke]);
    c->busy = 0;
}

static void invoke(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    name_id on = subject_of(h->x, r);
    if (r->verb == V_RELEASES && on != r->object) /* a vote that is given back: the lock's release says it */
        return;
    struct client *c = client_of(h, i);
    if (c == NULL || goes_on(h, c, r))
        return;
    end_unknown(h, c, "timeout", r->at);
    c->busy = 1;
    c->invoke = i;
    operation(h, c, "invoke", r->at);
    asked_value(h, r);
    close_line(h, r);
    if (r->verb == V_RELEASES && is_quorum(h->x, on)) /* nobody answers: the client has given it up */
        complete(h, c, r->at, "ok");
}

/* The jobs of one claim, which all arrive at one time: [{:job "a", :fence 1} {:job "b", :fence 4}]. */
static void claimed(struct history *h, uint32_t i)
{
    const struct exported *x = h->x;
    const struct record *first = &x->record[i];
    text_char(h->t, '[');
    for (uint32_t k = i; k < x->n && x->record[k].at == first->at; k++) {
        const struct record *r = &x->record[k];
        if (r->verb != V_ACQUIRES || r->actor != first->actor)
            continue;
        text_add(h->t, k > i ? " {:job " : "{:job ");
        text_json(h->t, line_name(x->sim, subject_of(x, r)));
        text_add(h->t, ", :fence ");
        text_i64(h->t, line_field(x->sim, r, "token").v);
        text_char(h->t, '}');
    }
    text_char(h->t, ']');
}

static void acquired(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    struct client *c = busy_client(h, r->actor);
    if (c == NULL)
        return;
    uint16_t verb = h->x->record[c->invoke].verb;
    if (verb != V_ASKS && verb != V_CLAIMS) /* a row that was granted by an update: `hears` has ended it */
        return;
    operation(h, c, "ok", r->at);
    if (verb == V_ASKS)
        fence(h->t, line_field(h->x->sim, r, "token"));
    else
        claimed(h, i);
    close_line(h, &h->x->record[c->invoke]);
    c->busy = 0;
}

static void got(struct history *h, const struct record *r)
{
    struct client *c = busy_client(h, r->actor);
    if (c == NULL || h->x->record[c->invoke].verb != V_READS)
        return;
    operation(h, c, "ok", r->at);
    edn_value(h->t, h->x, line_field(h->x->sim, r, ""));
    close_line(h, &h->x->record[c->invoke]);
    c->busy = 0;
}

static void heard(struct history *h, const struct record *r)
{
    struct client *c = busy_client(h, r->actor);
    struct value what = line_field(h->x->sim, r, "");
    if (c == NULL || what.tag == TAG_NONE || what.v == h->x->model->what_refusal)
        return;
    uint16_t verb = h->x->record[c->invoke].verb;
    if (verb != V_ASKS && verb != V_CLAIMS && verb != V_READS)
        complete(h, c, r->at, "ok");
}

static void renewed(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    struct client *c = client_of(h, i);
    uint16_t verb = c == NULL || !c->busy ? V_ENDS : h->x->record[c->invoke].verb;
    if (verb == V_RENEWS || verb == V_HEARTBEATS)
        complete(h, c, r->at, "ok");
}

/* Did a refusal reach the client at this very time, and lead to this record? */
static bool was_refused(const struct exported *x, uint32_t i)
{
    const struct record *r = &x->record[i];
    for (uint32_t cause = r->cause; cause > 0;) {
        const struct record *c = &x->record[cause - 1];
        if (c->at != r->at || c->actor != r->actor)
            return false;
        if (c->verb == V_RECEIVES)
            return line_field(x->sim, c, "what").v == x->model->what_refusal;
        cause = c->cause;
    }
    return false;
}

static void failed(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    struct client *c = busy_client(h, r->actor);
    const char *error = line_name(h->x->sim, r->object);
    if (c == NULL)
        return;
    if (!was_refused(h->x, i)) {
        end_unknown(h, c, error, r->at);
        return;
    }
    operation(h, c, "fail", r->at);
    asked_value(h, &h->x->record[c->invoke]);
    text_add(h->t, ", :error :");
    text_add(h->t, error);
    close_line(h, &h->x->record[c->invoke]);
    c->busy = 0;
}

/* What a process that crashes had under way, nobody will know. */
static void crashed(struct history *h, uint32_t i)
{
    for (uint32_t k = 0; k < h->n; k++) {
        struct client *c = &h->client[k];
        if (!c->busy || h->x->process_of[c->actor] != h->x->lane[i])
            continue;
        end_unknown(h, c, "crashed", h->x->record[i].at);
        c->start = 0; /* it has its new number already */
    }
}

/* A fault, in the trace's own word: {:on "w1", :for 12000000000}. */
static void nemesis(struct history *h, const struct record *r)
{
    const struct verb *verb = &h->x->sim->verbs[r->verb];
    line_begin(h, r->at);
    text_add(h->t, ":nemesis, :type :info, :f :");
    text_add(h->t, verb->name);
    text_add(h->t, ", :value {:on ");
    text_json(h->t, line_name(h->x->sim, r->object == NONE16 ? r->actor : r->object));
    for (unsigned i = 0; i < verb->fields; i++) {
        if (r->tag[i] == TAG_NONE)
            continue;
        text_add(h->t, ", :");
        text_add(h->t, verb->field_name[i][0] == '\0' ? "which" : verb->field_name[i]);
        text_char(h->t, ' ');
        edn_value(h->t, h->x, (struct value){r->field[i], r->tag[i]});
    }
    text_add(h->t, "}}\n");
}

static void take_in(struct history *h, uint32_t i)
{
    const struct record *r = &h->x->record[i];
    if (r->verb < V_RECEIVES)
        nemesis(h, r);
    switch (r->verb) {
    case V_CRASHES: crashed(h, i); break;
    case V_ACQUIRES: acquired(h, i); break;
    case V_GETS: got(h, r); break;
    case V_HEARS: heard(h, r); break;
    case V_RENEWED: renewed(h, i); break;
    case V_FAILED: failed(h, i); break;
    default:
        if (function_of(r->verb) != NULL)
            invoke(h, i);
    }
}

void export_edn(struct text *t, const struct exported *x)
{
    struct text raw = {0};
    struct history h = {.x = x, .t = &raw};
    for (uint32_t i = 0; i < x->n && !raw.failed; i++)
        take_in(&h, i);
    for (uint32_t k = 0; k < h.n && !raw.failed; k++)
        end_unknown(&h, &h.client[k], "timeout", x->r->end_ns);
    free(h.client);
    export_json_safe(t, &raw);
}
