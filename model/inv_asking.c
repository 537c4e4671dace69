/* SPDX-License-Identifier: MIT
 *
 * inv_asking.c - who asks for what without an answer so far, which services are down, and when faults were over: what
 * no-lost-job and progress rest on.
 *
 * A thread asks from the first `asks` or `claims` until it acquires, fails, stops or crashes; asking again is the same
 * asking. It stands in line from the service's `queues` to its `calls`. A fault's record says how long it will be: no
 * time before that end counts as quiet. One without an end is lasting: a closed link until the same words `heal`, all
 * others for the rest of the run, but not a crash: what is gone asks for nothing.
 */
#include "model/invariant.h"

/* --- asking --------------------------------------------------------------------------------------- */

/* What one asks this service, or voter, for; 0: nothing. */
static uint16_t asked_of(const struct judge *j, name_id name)
{
    const struct judge_name *n = &j->names[name];
    if (n->queue != NONE16)
        return (uint16_t)(1 + j->p->n_locks + n->queue);
    return n->lock != NONE16 && is_lock(j->p, n->lock) ? (uint16_t)(1 + n->lock) : 0;
}

static struct inv_asker *asker_of(const struct judge *j, const struct record *r)
{
    uint16_t client = j->names[r->actor].client;
    return client == NONE16 ? NULL : &j->m.askers[client];
}

static void asks(struct judge *j, const struct record *r, uint32_t number)
{
    struct inv_asker *a = asker_of(j, r);
    uint16_t what = asked_of(j, r->object);
    if (a && a->what != what)
        *a = (struct inv_asker){r->at, number, what, 0};
}

static void answered(struct judge *j, const struct record *r)
{
    struct inv_asker *a = asker_of(j, r);
    if (a)
        a->what = a->in_line = 0;
}

/* Of queues only: no judgement asks about a lock's line. The service names the node; its threads that ask for this are
 * meant, and NONE16 means all. */
static void in_line(struct judge *j, uint16_t what, name_id node, bool stands, uint32_t number)
{
    if (what <= j->p->n_locks)
        return;
    for (uint32_t i = 0; i < j->p->n_clients; i++) {
        struct inv_asker *a = &j->m.askers[i];
        if (a->what != what || (node != NONE16 && judge_client_node(j, i) != node))
            continue;
        a->in_line = stands;
        a->record = stands ? number : a->record;
    }
}

static void services_are(struct judge *j, name_id process, bool down)
{
    const struct sim_plan *sim = j->p->sim;
    for (uint32_t i = 0; i < j->p->n_services; i++) {
        const struct thread_plan *thread = &sim->threads[j->p->services[i].thread];
        if (sim->processes[thread->process].name != process)
            continue;
        j->m.voters[i].down = down;
        in_line(j, asked_of(j, thread->name), NONE16, false, 0); /* a line is forgotten with the process */
    }
}

/* A process is gone: its threads ask for nothing. */
static void crashes(struct judge *j, name_id process)
{
    for (uint32_t i = 0; i < j->p->n_clients; i++)
        if (judge_client_node(j, i) == process)
            j->m.askers[i].what = j->m.askers[i].in_line = 0;
    services_are(j, process, true);
}

/* The lock or job is kept for whoever was called, also if it has given up meanwhile. */
static void calls(struct judge *j, const struct record *r)
{
    const struct judge_name *name = &j->names[r->actor];
    uint16_t service = name->queue != NONE16 ? j->p->queues[name->queue].service : j->p->locks[name->lock].service;
    j->m.voters[service].called_at = r->at;
}

void inv_remember_asking(struct judge *j, const struct record *r, uint32_t number)
{
    switch (r->verb) {
    case V_ASKS:
    case V_CLAIMS: asks(j, r, number); break;
    case V_QUEUES: in_line(j, asked_of(j, r->actor), r->object, true, number); break;
    case V_CALLS:
        in_line(j, asked_of(j, r->actor), r->object, false, number);
        calls(j, r);
        break;
    case V_GRANTS: in_line(j, judge_asked(j, judge_resource(j, r)), r->object, false, number); break;
    case V_CRASHES: crashes(j, r->actor); break;
    case V_RESTARTS: services_are(j, r->actor, false); break;
    default:
        ASSERT(r->verb == V_ACQUIRES || r->verb == V_FAILED || r->verb == V_STOPS || r->verb == V_ENDS);
        answered(j, r);
        break;
    }
}

/* --- faults --------------------------------------------------------------------------------------- */

/* 1 + the field that says how long it lasts; 0: it is over at once. */
static const uint8_t for_field[SIM_VERBS] = {
    [V_PAUSES] = 1, [V_SUSPENDS] = 1,   [V_CRASHES] = 1, [V_PARTITIONS] = 2, [V_CUTS] = 2,
    [V_DELAYS] = 3, [V_DUPLICATES] = 3, [V_SLOWS] = 2,   [V_SLEWS] = 2};

static void lasts(struct invariant_state *state, const struct record *r)
{
    switch (r->verb) {
    case V_PAUSES:
    case V_SUSPENDS:
    case V_SLOWS: state->lasting = 1; break;
    case V_PARTITIONS:
    case V_CUTS: state->closed = state->closed ? state->closed : (uint16_t)(1 + r->field[0]); break;
    default: break;
    }
}

void inv_remember_fault(struct judge *j, const struct record *r, uint32_t number)
{
    struct invariant_state *state = j->m.state;
    uint32_t field = for_field[r->verb];
    bool ends = field == 0 || record_has(r, (int)field - 1);
    ns over = r->at + (field && ends ? r->field[field - 1] : 0);
    (void)number;
    if (r->verb == V_SLOWS && ends)
        over += r->field[0]; /* what arrives at its end is still handled late */
    state->quiet_from = over > state->quiet_from ? over : state->quiet_from;
    if (!ends)
        lasts(state, r);
    if (r->verb == V_HEALS && state->closed == 1 + r->field[0])
        state->closed = 0;
}
