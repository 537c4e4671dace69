/* SPDX-License-Identifier: MIT
 *
 * situation_watch.c - what everybody was doing when a fault struck, from the trace.
 *
 *  1. A thread is in the phase of its last record: `writes` begins a write in flight, what is heard ends it. A note
 *     `acts` stands between a check and its act. Besides, it can be past the end of a lease, by the service's word, and
 *     behind an effect. A fault upon a process finds it in all phases of its threads at once.
 *  2. A keeper that sends nothing is in the phase of the program that it keeps for, where it is struck alone.
 *  3. A service has a request under way from its arrival until a record that has it as its cause, or until the answer
 *     arrives. What it gave runs until the trace says that it is over, given back, or its promise has lapsed.
 *  4. A loss is a closed link's where one is closed on the message's way, else it is that message's own.
 *  5. Whose program has ended is struck by nothing.
 */
#include "model/situation.h"

#include <string.h>

enum { RUNS_NOT, RUNS, RAN_OUT };

struct thread_row {
    uint64_t held, over; /* bits of resources: what it holds; of these, what is over by the service's word */
    int64_t effect;      /* 1: an effect was done, and its job is not reported yet */
    uint32_t doing;      /* enum situation_phase, DOING_IDLE: nothing but holding */
    uint16_t alive;
    uint16_t in_line;   /* it was told so */
    uint16_t stands_at; /* 1 + the service in whose line it stands */
    uint16_t about;     /* the resource that it is about to give back; NONE16 */
    uint32_t spare;
};

struct call_row {
    uint32_t phase;   /* enum situation_phase; 0: not under way */
    uint32_t arrived; /* the record */
    uint32_t over;    /* the record that answered it last */
    uint16_t service, spare;
};

struct service_row {
    uint16_t vote;   /* RUNS_x: a voter's */
    uint16_t marked; /* a store that has seen a token */
};

struct grant_row {
    uint16_t runs; /* RUNS_x */
    uint16_t sent; /* the answer has not arrived */
};

struct situations {
    struct judge j;
    const struct model_plan *p;
    struct thread_row *threads; /* [client] */
    int64_t *tokens;            /* [client][resource] */
    uint64_t *votes;            /* [client][resource]: which voters it rests on; 0: no quorum's */
    struct call_row *calls;
    struct service_row *services;
    struct grant_row *grants; /* [resource] */
    uint32_t *closed;         /* [fault]: how often it closes links now */
    struct judge_name *names;
    uint32_t number;
};

/* --- memory -------------------------------------------------------------------------------------- */

/* n bytes behind what is taken so far. base NULL: they are only counted. */
static void *carve(char *base, size_t *taken, size_t n)
{
    char *here = base == NULL ? NULL : base + *taken;
    *taken += (n + 7) / 8 * 8;
    return here;
}

static size_t lay_out(struct situations *w, const struct model_plan *p, char *base)
{
    size_t taken = 0, cells = (size_t)p->n_clients * n_resources(p);
    (void)carve(base, &taken, sizeof *w);
    w->threads = carve(base, &taken, p->n_clients * sizeof *w->threads);
    w->tokens = carve(base, &taken, cells * sizeof *w->tokens);
    w->votes = carve(base, &taken, cells * sizeof *w->votes);
    w->calls = carve(base, &taken, p->calls * sizeof *w->calls);
    w->services = carve(base, &taken, p->n_services * sizeof *w->services);
    w->grants = carve(base, &taken, n_resources(p) * sizeof *w->grants);
    w->closed = carve(base, &taken, p->sim->n_faults * sizeof *w->closed);
    w->names = carve(base, &taken, p->sim->names->n * sizeof *w->names);
    return taken;
}

size_t situations_bytes(const struct model_plan *p)
{
    struct situations w;
    return lay_out(&w, p, NULL);
}

struct situations *situations_begin(const struct model_plan *p, void *memory)
{
    struct situations *w = memory;
    memset(memory, 0, situations_bytes(p));
    (void)lay_out(w, p, memory);
    w->p = p;
    judge_prepare(p, w->names);
    w->j = (struct judge){.p = p, .names = w->names};
    for (uint32_t i = 0; i < p->n_clients; i++) {
        w->threads[i].alive = 1;
        w->threads[i].about = NONE16;
    }
    return w;
}

/* --- who is who ---------------------------------------------------------------------------------- */

static const struct judge_name *name_row(const struct situations *w, name_id name)
{
    ASSERT(name < w->p->sim->names->n);
    return &w->names[name];
}

static uint16_t process_of(const struct situations *w, uint32_t client)
{
    return w->p->sim->threads[w->p->clients[client].thread].process;
}

static uint16_t service_process(const struct situations *w, uint32_t service)
{
    return w->p->sim->threads[w->p->services[service].thread].process;
}

static bool is_keeper(const struct situations *w, uint32_t client) { return w->p->clients[client].keeps_for != NONE16; }

/* Which service speaks under this name; NONE16: none. A quorum's grants are told in the lock's name, by no voter. */
static uint16_t service_of(const struct situations *w, name_id name)
{
    const struct model_plan *p = w->p;
    const struct judge_name *n = name_row(w, name);
    if (n->voter != NONE16)
        return n->voter;
    if (n->queue != NONE16)
        return p->queues[n->queue].service;
    if (n->store != NONE16)
        return p->stores[n->store].service;
    if (n->table != NONE16)
        return p->tables[n->table].service;
    if (n->lock != NONE16 && is_lock(p, n->lock) && p->locks[n->lock].kind == LOCK_CENTRAL)
        return p->locks[n->lock].service;
    return NONE16;
}

static uint16_t granter_of(const struct situations *w, uint32_t resource)
{
    const struct model_plan *p = w->p;
    if (is_lock(p, resource))
        return p->locks[resource].service;
    if (is_job(p, resource))
        return p->queues[p->jobs[resource - p->n_locks].queue].service;
    return p->tables[p->rows[resource - p->n_locks - p->n_jobs].table].service;
}

static bool is_quorum(const struct situations *w, uint32_t resource)
{
    return is_lock(w->p, resource) && w->p->locks[resource].kind == LOCK_QUORUM;
}

static struct value field_of(const struct record *r, const char *name)
{
    const struct verb *v = &verb_table[r->verb];
    for (int i = 0; i < v->fields; i++)
        if (strcmp(v->field_name[i], name) == 0)
            return (struct value){r->field[i], r->tag[i]};
    return (struct value){0, TAG_NONE};
}

static uint32_t place_of(const struct situations *w, uint32_t client, uint32_t resource)
{
    return client * n_resources(w->p) + resource;
}

/* --- programs -------------------------------------------------------------------------------------- */

static void stand_up(struct thread_row *t)
{
    t->in_line = 0;
    t->stands_at = 0;
}

static void give_up(struct thread_row *t, uint16_t resource)
{
    uint64_t bit = UINT64_C(1) << resource;
    t->held &= ~bit;
    t->over &= ~bit;
    t->effect = t->held == 0 ? 0 : t->effect;
}

static void begin_doing(struct thread_row *t, enum situation_phase phase)
{
    stand_up(t);
    t->doing = (uint32_t)phase;
}

static void acquired(struct situations *w, uint32_t client, const struct record *r)
{
    struct thread_row *t = &w->threads[client];
    uint16_t resource = name_row(w, r->object)->lock;
    begin_doing(t, DOING_IDLE);
    if (resource == NONE16)
        return;
    give_up(t, resource);
    t->held |= UINT64_C(1) << resource;
    w->tokens[place_of(w, client, resource)] = record_token(r, 0);
    w->grants[resource].sent = 0;
}

/* An answer that says how a grant that is given back has fared; or that the caller is in line, and asks on. */
static void heard(struct thread_row *t)
{
    if (t->doing == DOING_ACQUIRING || t->doing == DOING_CLAIMING)
        return;
    if (t->about != NONE16)
        give_up(t, t->about);
    t->about = NONE16;
    t->doing = DOING_IDLE;
}

/* A step failed. That a lease is lost, or its owner a zombie, tells it what it did not know. */
static void failed(struct situations *w, uint32_t client, const struct record *r)
{
    uint32_t program = is_keeper(w, client) ? w->p->clients[client].keeps_for : client;
    struct thread_row *t = &w->threads[client], *holder = &w->threads[program];
    bool lost = r->object == w->p->error_name[ERR_LEASE_LOST] || r->object == w->p->error_name[ERR_ZOMBIE];
    begin_doing(t, DOING_IDLE);
    t->about = NONE16;
    if (!lost)
        return;
    holder->held = holder->over != 0 ? holder->held & ~holder->over : 0;
    holder->over = 0;
    holder->effect = 0;
}

static void renewed(struct situations *w, uint32_t client, const struct record *r)
{
    uint32_t program = is_keeper(w, client) ? w->p->clients[client].keeps_for : client;
    uint16_t resource = name_row(w, r->object)->lock;
    w->threads[client].doing = DOING_IDLE;
    if (resource == NONE16)
        return;
    w->threads[program].over &= ~(UINT64_C(1) << resource);
    if (record_has(r, 1))
        w->votes[place_of(w, program, resource)] = (uint64_t)r->field[1];
}

/* A completion or a failure gives the job up when it is heard; a release its lock at once. */
static void gives_back(struct situations *w, uint32_t client, const struct record *r, enum situation_phase phase)
{
    struct thread_row *t = &w->threads[client];
    uint16_t resource = name_row(w, r->object)->lock;
    begin_doing(t, phase);
    t->effect = 0;
    if (resource == NONE16)
        return;
    if (phase == DOING_RELEASING)
        give_up(t, resource);
    else
        t->about = resource;
}

static void does_effect(struct situations *w, struct thread_row *t)
{
    t->doing = DOING_IDLE;
    for (uint16_t i = 0; i < n_resources(w->p); i++)
        if (t->held >> i & 1 && judge_is_job(&w->j, i))
            t->effect = 1;
}

static void ended(struct thread_row *t) { *t = (struct thread_row){.about = NONE16}; }

/* `deletes` is a register's or a row's. */
static enum situation_phase deleting(const struct situations *w, const struct record *r)
{
    uint16_t reg = name_row(w, r->object)->reg;
    return reg != NONE16 && reg < w->p->n_registers ? DOING_WRITING : DOING_UPDATING;
}

static void of_thread(struct situations *w, uint32_t client, const struct record *r)
{
    struct thread_row *t = &w->threads[client];
    switch (r->verb) {
    case V_ASKS: begin_doing(t, DOING_ACQUIRING); break;
    case V_CLAIMS: begin_doing(t, DOING_CLAIMING); break;
    case V_ACQUIRES: acquired(w, client, r); break;
    case V_RENEWS: t->doing = DOING_RENEWING; break;
    case V_HEARTBEATS: t->doing = DOING_HEARTBEATING; break;
    case V_RENEWED: renewed(w, client, r); break;
    case V_RELEASES:
    case V_FORCE_RELEASES: gives_back(w, client, r, DOING_RELEASING); break;
    case V_COMPLETES: gives_back(w, client, r, DOING_COMPLETING); break;
    case V_FAILS: gives_back(w, client, r, DOING_FAILING); break;
    case V_ENQUEUES:
    case V_REQUEUES: begin_doing(t, DOING_ENQUEUEING); break;
    case V_REAPS:
    case V_JUDGES: begin_doing(t, DOING_REAPING); break;
    case V_UPDATES:
    case V_INSERTS: begin_doing(t, DOING_UPDATING); break;
    case V_DELETES: begin_doing(t, deleting(w, r)); break;
    case V_CHECKS:
    case V_ACTS: begin_doing(t, DOING_CHECKED); break;
    case V_READS: begin_doing(t, DOING_READING); break;
    case V_WRITES:
    case V_FENCES: begin_doing(t, DOING_WRITING); break;
    case V_WORKS: begin_doing(t, DOING_WORKING); break;
    case V_EFFECTS:
    case V_REPEATS: does_effect(w, t); break;
    case V_HEARS: heard(t); break;
    case V_GETS:
    case V_RESTS:
    case V_PINGS: t->doing = DOING_IDLE; break;
    case V_FAILED: failed(w, client, r); break;
    case V_STOPS:
    case V_ENDS: ended(t); break;
    default: break;
    }
}

/* The votes of a candidate go back without its waiting for an answer. */
static void receives(struct situations *w, uint32_t client)
{
    if (w->threads[client].doing == DOING_RELEASING)
        w->threads[client].doing = DOING_IDLE;
}

/* --- services --------------------------------------------------------------------------------------- */

/* Of a request that has arrived at a service; 0: of no interest. */
static uint32_t under_way(const struct situations *w, uint16_t service, name_id what)
{
    const struct model_plan *p = w->p;
    uint16_t kind = p->actor_of[p->services[service].thread].kind;
    if (what == p->what_ask)
        return kind == ACTOR_VOTER ? AT_VOTING : AT_GRANTING;
    if (what == p->what_claim)
        return AT_GRANTING;
    if (what == p->what_renew || what == p->what_heartbeat)
        return AT_EXTENDING;
    if (what == p->what_release || what == p->what_complete || what == p->what_fail)
        return AT_ENDING;
    if (what == p->what_reap || what == p->what_verdict)
        return AT_JUDGING;
    if (what == p->what_update || what == p->what_insert || (kind == ACTOR_TABLE && what == p->what_delete))
        return AT_CHANGING;
    if (what == p->what_write || what == p->what_delete || what == p->what_fence)
        return AT_COMMITTING;
    return 0;
}

/* A copy that comes behind the answer is answered at once. */
static void arrives(struct situations *w, uint16_t service, const struct record *r)
{
    struct value call = field_of(r, ".call"), what = field_of(r, "what");
    if (call.tag != TAG_INT || call.v >= w->p->calls)
        return;
    struct call_row *c = &w->calls[call.v];
    if (c->over > 0 && r->cause > 0 && r->cause <= c->over && c->service == service)
        return;
    *c = (struct call_row){under_way(w, service, (name_id)what.v), w->number, 0, service, 0};
}

static void answer_arrives(struct situations *w, const struct record *r)
{
    struct value call = field_of(r, ".call");
    if (call.tag == TAG_INT && call.v < w->p->calls)
        w->calls[call.v].phase = 0;
}

/* A record of a service that the arrival of a request has led to is what became of it. */
static void settles(struct situations *w, uint16_t service, const struct record *r)
{
    for (uint32_t i = 0; r->cause > 0 && i < w->p->calls; i++) {
        struct call_row *c = &w->calls[i];
        if (c->phase == 0 || c->service != service || c->arrived != r->cause)
            continue;
        c->phase = 0;
        c->over = w->number;
    }
}

static uint16_t resource_of(const struct situations *w, const struct record *r)
{
    return judge_of_field[r->verb] || name_row(w, r->actor)->lock != NONE16 ? judge_resource(&w->j, r) : NONE16;
}

/* Who holds it by this token learns nothing of it. */
static void runs_out(struct situations *w, const struct record *r, uint16_t resource)
{
    struct value token = field_of(r, "token"), voter = field_of(r, ".voter");
    for (uint32_t i = 0; i < w->p->n_clients; i++) {
        struct thread_row *t = &w->threads[i];
        uint32_t place = place_of(w, i, resource);
        bool rests = voter.tag != TAG_INT || w->votes[place] >> (voter.v & 63) & 1;
        if (t->held >> resource & 1 && rests && w->tokens[place] == token.v)
            t->over |= UINT64_C(1) << resource;
    }
}

static void grants(struct situations *w, const struct record *r, uint16_t resource)
{
    const struct judge_name *node = name_row(w, r->object);
    struct value votes = field_of(r, ".voters");
    w->grants[resource] = (struct grant_row){RUNS, !is_quorum(w, resource)};
    for (uint32_t i = 0; i < w->p->n_clients; i++)
        if (w->p->sim->processes[process_of(w, i)].name == node->process && votes.tag == TAG_INT)
            w->votes[place_of(w, i, resource)] = (uint64_t)votes.v;
}

static void over(struct situations *w, const struct record *r, uint16_t resource, uint16_t how)
{
    uint16_t voter = name_row(w, r->actor)->voter;
    if (voter != NONE16)
        w->services[voter].vote = how;
    else
        w->grants[resource].runs = how;
    if (r->verb == V_LAPSES)
        runs_out(w, r, resource);
}

/* A row is no longer its holder's by the table's word, which is what its program will hear. */
static void row_is_over(struct situations *w, uint16_t resource)
{
    for (uint32_t i = 0; is_row(w->p, resource) && i < w->p->n_clients; i++)
        give_up(&w->threads[i], resource);
}

static void line_changes(struct situations *w, uint16_t service, const struct record *r)
{
    for (uint32_t i = 0; i < w->p->n_clients; i++) {
        struct thread_row *t = &w->threads[i];
        bool asks = t->doing == DOING_ACQUIRING || t->doing == DOING_CLAIMING;
        if (!asks || w->p->sim->processes[process_of(w, i)].name != r->object)
            continue;
        t->in_line = r->verb == V_QUEUES;
        t->stands_at = r->verb == V_QUEUES ? (uint16_t)(service + 1) : 0;
    }
}

static void of_grant(struct situations *w, const struct record *r)
{
    uint16_t resource = resource_of(w, r);
    if (resource == NONE16)
        return;
    switch (r->verb) {
    case V_GRANTS: grants(w, r, resource); break;
    case V_EXPIRES:
    case V_LAPSES: over(w, r, resource, RAN_OUT); break;
    case V_FREES:
    case V_FORCES:
    case V_FINISHES:
    case V_RETURNS:
    case V_DEAD_LETTERS:
        over(w, r, resource, RUNS_NOT);
        row_is_over(w, resource);
        break;
    case V_EXTENDS:
        if (!is_quorum(w, resource))
            w->grants[resource].runs = RUNS;
        break;
    default: break;
    }
}

static void of_service(struct situations *w, uint16_t service, const struct record *r)
{
    settles(w, service, r);
    switch (r->verb) {
    case V_QUEUES:
    case V_CALLS: line_changes(w, service, r); break;
    case V_VOTES: w->services[service].vote = RUNS; break;
    case V_COMMITS:
    case V_REMOVES:
    case V_RAISES:
        if (field_of(r, "token").tag == TAG_INT)
            w->services[service].marked = 1;
        break;
    default: break;
    }
}

/* --- in which phases -------------------------------------------------------------------------------- */

struct strike {
    struct situations *w;
    enum situation_kind kind;
    struct situation_set *hit;
};

static void hits(const struct strike *s, enum situation_phase phase)
{
    enum situation_kind kind = s->kind;
    uint32_t cell = situation_cell(kind, phase);
    bool program = situation_phase_table[phase].side == SIDE_PROGRAM;
    if (kind == STRUCK_THREAD && situation_never(cell) != NULL)
        kind = STRUCK_PAUSE;
    if (kind == STRUCK_WIPE && program)
        kind = STRUCK_CRASH;
    situation_add(s->hit, situation_cell(kind, phase));
}

static bool holds_job(const struct situations *w, uint64_t held, bool job)
{
    for (uint16_t i = 0; i < n_resources(w->p); i++)
        if (held >> i & 1 && judge_is_job(&w->j, i) == job)
            return true;
    return false;
}

/* What it does under what it holds, where that is no request. */
static void hits_holding(const struct strike *s, const struct thread_row *t)
{
    bool job = holds_job(s->w, t->held, true), lock = holds_job(s->w, t->held, false);
    bool works = t->doing == DOING_WORKING;
    if (job)
        hits(s, works ? DOING_JOB : DOING_HAS_JOB);
    if (lock)
        hits(s, works ? DOING_WORKING : DOING_HOLDING);
    if (!job && !lock)
        hits(s, DOING_IDLE);
}

static void hits_thread(const struct strike *s, uint32_t client)
{
    const struct thread_row *t = &s->w->threads[client];
    if (!t->alive)
        return;
    bool asks = t->doing == DOING_ACQUIRING || t->doing == DOING_CLAIMING;
    if (t->doing == DOING_IDLE || t->doing == DOING_WORKING)
        hits_holding(s, t);
    else
        hits(s, asks && t->in_line ? DOING_IN_LINE : (enum situation_phase)t->doing);
    if (t->over != 0)
        hits(s, DOING_LATE);
    if (t->effect)
        hits(s, DOING_EFFECT_DONE);
}

/* alone: struck by itself, and not with its program. */
static void hits_keeper(const struct strike *s, uint32_t client, bool alone)
{
    const struct thread_row *t = &s->w->threads[client];
    const struct thread_row *program = &s->w->threads[s->w->p->clients[client].keeps_for];
    if (t->doing != DOING_IDLE)
        hits(s, (enum situation_phase)t->doing);
    else if (alone && program->alive && program->held != 0)
        hits_holding(s, program);
}

static bool hits_calls(const struct strike *s, uint16_t service)
{
    bool any = false;
    for (uint32_t i = 0; i < s->w->p->calls; i++) {
        const struct call_row *c = &s->w->calls[i];
        if (c->phase == 0 || c->service != service)
            continue;
        hits(s, (enum situation_phase)c->phase);
        any = true;
    }
    return any;
}

static bool hits_grants(const struct strike *s, uint16_t service)
{
    bool any = false;
    for (uint16_t i = 0; i < n_resources(s->w->p); i++) {
        const struct grant_row *g = &s->w->grants[i];
        if (is_quorum(s->w, i) || granter_of(s->w, i) != service)
            continue;
        if (g->runs == RUNS)
            hits(s, judge_is_job(&s->w->j, i) ? AT_JOB_RUNS : AT_LEASE_RUNS);
        if (g->runs == RAN_OUT)
            hits(s, AT_OVER);
        if (g->sent)
            hits(s, AT_GRANT_SENT);
        any = any || g->runs != RUNS_NOT || g->sent;
    }
    return any;
}

static bool hits_line(const struct strike *s, uint16_t service)
{
    for (uint32_t i = 0; i < s->w->p->n_clients; i++)
        if (s->w->threads[i].stands_at == service + 1) {
            hits(s, AT_LINE);
            return true;
        }
    return false;
}

static void hits_service(const struct strike *s, uint16_t service)
{
    const struct service_row *row = &s->w->services[service];
    bool any = hits_calls(s, service);
    any = hits_grants(s, service) || any;
    any = hits_line(s, service) || any;
    if (row->vote != RUNS_NOT)
        hits(s, row->vote == RUNS ? AT_VOTE_RUNS : AT_OVER);
    if (row->marked)
        hits(s, AT_MARKED);
    if (!any && row->vote == RUNS_NOT && !row->marked)
        hits(s, AT_REST);
}

static void hits_process(const struct strike *s, uint16_t process)
{
    const struct model_plan *p = s->w->p;
    for (uint32_t i = 0; i < p->n_clients; i++) {
        if (process_of(s->w, i) != process)
            continue;
        if (is_keeper(s->w, i))
            hits_keeper(s, i, false);
        else
            hits_thread(s, i);
    }
    for (uint16_t i = 0; i < p->n_services; i++)
        if (service_process(s->w, i) == process)
            hits_service(s, i);
}

/* --- faults on processes ---------------------------------------------------------------------------- */

/* By name, processes; where none has it, a thread that was struck alone. */
static void strike_name(const struct strike *s, name_id name)
{
    const struct sim_plan *sim = s->w->p->sim;
    const struct model_plan *p = s->w->p;
    bool found = false;
    for (uint16_t i = 0; i < sim->n_processes; i++)
        if (sim->processes[i].name == name) {
            hits_process(s, i);
            found = true;
        }
    struct strike alone = {s->w, STRUCK_THREAD, s->hit};
    for (uint32_t i = 0; !found && i < p->n_clients; i++) {
        if (sim->threads[p->clients[i].thread].alone != name)
            continue;
        if (is_keeper(s->w, i))
            hits_keeper(&alone, i, true);
        else
            hits_thread(&alone, i);
    }
}

static void strike_machine(const struct strike *s, name_id name)
{
    const struct sim_plan *sim = s->w->p->sim;
    for (uint16_t i = 0; i < sim->n_processes; i++)
        if (sim->machines[sim->processes[i].machine].name == name)
            hits_process(s, i);
}

/* What a crash takes: the threads of a program; what a service had under way, and its line. */
static void crashed(struct situations *w, name_id name)
{
    for (uint32_t i = 0; i < w->p->n_clients; i++)
        if (w->p->sim->processes[process_of(w, i)].name == name)
            ended(&w->threads[i]);
    for (uint32_t s = 0; s < w->p->n_services; s++) {
        if (w->p->sim->processes[service_process(w, s)].name != name)
            continue;
        for (uint32_t i = 0; i < w->p->calls; i++)
            if (w->calls[i].service == s)
                w->calls[i] = (struct call_row){0};
        for (uint32_t i = 0; i < w->p->n_clients; i++)
            if (w->threads[i].stands_at == s + 1)
                w->threads[i].stands_at = 0;
    }
}

static void restarted(struct situations *w, name_id name)
{
    for (uint32_t i = 0; i < w->p->n_clients; i++)
        if (w->p->sim->processes[process_of(w, i)].name == name)
            w->threads[i].alive = 1;
}

static enum situation_kind crash_of(const struct situations *w, const struct record *r)
{
    struct value losing = field_of(r, "losing");
    name_id everything = w->p->sim->losing_name[LOSING_EVERYTHING];
    return losing.tag == TAG_NAME && (name_id)losing.v == everything ? STRUCK_WIPE : STRUCK_CRASH;
}

/* --- faults on messages ----------------------------------------------------------------------------- */

static enum situation_phase message_of(const struct situations *w, name_id what, name_id to)
{
    const struct model_plan *p = w->p;
    const struct {
        name_id what;
        enum situation_phase is;
    } words[] = {
        {p->what_ask, IS_ASK},           {p->what_claim, IS_ASK},
        {p->what_grant, IS_GRANT},       {p->what_job, IS_GRANT},
        {p->what_vote, IS_VOTE},         {p->what_turn, IS_TURN},
        {p->what_queued, IS_TURN},       {p->what_renew, IS_RENEWAL},
        {p->what_heartbeat, IS_RENEWAL}, {p->what_extended, IS_EXTENSION},
        {p->what_release, IS_REPORT},    {p->what_complete, IS_REPORT},
        {p->what_fail, IS_REPORT},       {p->what_freed, IS_RECEIPT},
        {p->what_finished, IS_RECEIPT},  {p->what_returned, IS_RECEIPT},
        {p->what_write, IS_WRITE},       {p->what_fence, IS_WRITE},
        {p->what_written, IS_WRITTEN},   {p->what_read, IS_READ},
        {p->what_value, IS_VALUE},       {p->what_row, IS_VALUE},
        {p->what_reap, IS_VERDICT},      {p->what_list, IS_VERDICT},
        {p->what_verdict, IS_VERDICT},   {p->what_refusal, IS_REFUSAL},
        {p->what_enqueue, IS_ENQUEUE},   {p->what_requeue, IS_ENQUEUE},
        {p->what_added, IS_ENQUEUE},     {p->what_update, IS_STATEMENT},
        {p->what_insert, IS_STATEMENT},  {p->what_changed, IS_CHANGED},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].what == what)
            return words[i].is;
    if (what == p->what_delete)
        return name_row(w, to)->table != NONE16 ? IS_STATEMENT : IS_WRITE;
    return SITUATION_PHASES; /* a ping, or its answer */
}

static void strike_message(const struct strike *s, const struct record *r)
{
    struct value what = field_of(r, "what"), to = field_of(r, "to");
    enum situation_phase phase = message_of(s->w, (name_id)what.v,
                                            to.tag == TAG_NAME ? (name_id)to.v : s->w->p->sim->net_name);
    if (phase != SITUATION_PHASES)
        hits(s, phase);
}

static bool closes_names(const struct situations *w, const struct fault_plan *f, name_id from, name_id to)
{
    const struct sim_plan *sim = w->p->sim;
    for (uint16_t i = 0; i < sim->n_processes; i++)
        for (uint16_t k = 0; k < sim->n_processes; k++)
            if (sim->processes[i].name == from && sim->processes[k].name == to && plan_closes(sim, f, i, k))
                return true;
    return false;
}

/* Of a message that is lost, or held: by what closes its way; else by itself. */
static void strike_lost(struct situations *w, const struct record *r, struct situation_set *hit)
{
    struct strike s = {w, STRUCK_DROP, hit};
    struct value to = field_of(r, "to");
    bool closed = false, own = r->verb == V_LOSES && r->line > 0;
    for (uint32_t i = 0; !own && to.tag == TAG_NAME && i < w->p->sim->n_faults; i++) {
        const struct fault_plan *f = &w->p->sim->faults[i];
        if (w->closed[i] == 0 || !closes_names(w, f, r->object, (name_id)to.v))
            continue;
        s.kind = f->kind == FAULT_CUT ? STRUCK_CUT : STRUCK_PARTITION;
        strike_message(&s, r);
        closed = true;
    }
    if (!closed)
        strike_message(&s, r);
}

/* Whether a record names this closure: one that a search made up has no words, and is told in the network's name. */
static bool in_words_of(const struct situations *w, const struct record *r, const struct fault_plan *f)
{
    return (f->text == NONE16 ? w->p->sim->net_name : f->text) == (name_id)r->field[0];
}

static void closes(struct situations *w, const struct record *r)
{
    enum fault_kind kind = r->verb == V_CUTS ? FAULT_CUT : FAULT_PARTITION;
    for (uint32_t i = 0; i < w->p->sim->n_faults; i++) {
        const struct fault_plan *f = &w->p->sim->faults[i];
        if (f->kind == kind && in_words_of(w, r, f)) {
            w->closed[i]++;
            return;
        }
    }
}

static void opens(struct situations *w, const struct record *r)
{
    for (uint32_t i = 0; i < w->p->sim->n_faults; i++)
        if (w->closed[i] > 0 && in_words_of(w, r, &w->p->sim->faults[i]))
            w->closed[i] = 0;
}

/* --- faults on clocks ------------------------------------------------------------------------------- */

static bool on_machine(const struct situations *w, uint16_t process, name_id machine)
{
    return w->p->sim->machines[w->p->sim->processes[process].machine].name == machine;
}

/* By the clock that the model would ask. A row's lease is its table's, on the wall. */
static bool stands_on(const struct situations *w, uint32_t resource, bool at_service, bool wall)
{
    bool stamps = at_service && !gate_on(w->p, GATE_ONE_CLOCK);
    int clock = is_row(w->p, resource) || stamps ? CLOCK_WALL : w->p->lease_clock;
    return !wall || clock == CLOCK_WALL;
}

static bool runs_at(const struct situations *w, uint32_t resource, name_id machine, bool *voted)
{
    const struct model_plan *p = w->p;
    *voted = false;
    for (uint32_t v = 0; is_quorum(w, resource) && v < p->locks[resource].voters; v++)
        *voted = *voted || (w->services[p->locks[resource].service + v].vote == RUNS &&
                            on_machine(w, service_process(w, p->locks[resource].service + v), machine));
    return *voted || (!is_quorum(w, resource) && w->grants[resource].runs == RUNS &&
                      on_machine(w, service_process(w, granter_of(w, resource)), machine));
}

static bool held_at(const struct situations *w, uint32_t resource, name_id machine)
{
    for (uint32_t i = 0; i < w->p->n_clients && !is_row(w->p, resource); i++)
        if (w->threads[i].held >> resource & 1 && on_machine(w, process_of(w, i), machine))
            return true;
    return false;
}

static void strike_clock(struct situations *w, enum situation_kind kind, const struct record *r,
                         struct situation_set *hit)
{
    const struct strike s = {w, kind, hit};
    bool wall = r->verb == V_JUMPS, any = false, voted;
    for (uint32_t i = 0; i < n_resources(w->p); i++) {
        bool own = held_at(w, i, r->actor), given = runs_at(w, i, r->actor, &voted);
        if (own)
            hits(&s, stands_on(w, i, false, wall) ? ON_OWN : ON_ANOTHER);
        if (given)
            hits(&s, stands_on(w, i, true, wall) ? ON_GIVEN : ON_ANOTHER);
        any = any || own || given;
    }
    if (!any)
        hits(&s, ON_NOTHING);
}

static enum situation_kind drift_of(const struct record *r)
{
    return r->field[0] > 0 || r->field[1] > 0 ? STRUCK_DRIFT_FAST : STRUCK_DRIFT_SLOW;
}

/* --- all of it --------------------------------------------------------------------------------------- */

static void of_fault(struct situations *w, const struct record *r, struct situation_set *hit)
{
    struct strike s = {w, STRUCK_PAUSE, hit};
    switch (r->verb) {
    case V_PAUSES: strike_name(&s, r->actor); break;
    case V_SLOWS:
        s.kind = STRUCK_SLOW;
        strike_name(&s, r->actor);
        break;
    case V_SUSPENDS:
        s.kind = STRUCK_SUSPEND;
        strike_machine(&s, r->actor);
        break;
    case V_CRASHES:
        s.kind = crash_of(w, r);
        strike_name(&s, r->actor);
        crashed(w, r->actor);
        break;
    case V_RESTARTS: restarted(w, r->actor); break;
    case V_CUTS:
    case V_PARTITIONS: closes(w, r); break;
    case V_HEALS: opens(w, r); break;
    case V_LOSES:
    case V_HOLDS: strike_lost(w, r, hit); break;
    case V_DELAYS:
        s.kind = STRUCK_DELAY;
        strike_message(&s, r);
        break;
    case V_DUPLICATES:
        s.kind = STRUCK_DUPLICATE;
        strike_message(&s, r);
        break;
    case V_REORDERS:
        s.kind = STRUCK_REORDER;
        strike_message(&s, r);
        break;
    case V_JUMPS: strike_clock(w, r->field[0] < 0 ? STRUCK_JUMP_BACK : STRUCK_JUMP_AHEAD, r, hit); break;
    case V_DRIFTS: strike_clock(w, drift_of(r), r, hit); break;
    case V_SLEWS: strike_clock(w, STRUCK_SLEW, r, hit); break;
    default: break;
    }
}

void situations_take(struct situations *w, const struct record *r, uint32_t number, struct situation_set *hit)
{
    const struct judge_name *actor = name_row(w, r->actor);
    w->number = number;
    if (verb_table[r->verb].flags & VERB_ASIDE)
        return; /* that a gate was asked answers nobody */
    if (r->verb < V_RECEIVES) {
        of_fault(w, r, hit);
        return;
    }
    uint16_t service = service_of(w, r->actor);
    if (r->verb == V_RECEIVES) {
        if (actor->client != NONE16 && service == NONE16) {
            answer_arrives(w, r);
            receives(w, actor->client);
        } else if (service != NONE16) {
            arrives(w, service, r);
        }
        return;
    }
    if (actor->client != NONE16)
        of_thread(w, actor->client, r);
    if (service != NONE16)
        of_service(w, service, r);
    of_grant(w, r);
}
