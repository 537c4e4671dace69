/* SPDX-License-Identifier: MIT
 *
 * inv_lock.c - invariants about what is granted, a lock, a job or a row: single-grant and, for jobs, single-claim;
 * token-order, no-early-regrant, one-vote, one-leader-per-term, owner-releases, owner-extends.
 *
 * An earlier lease has *ended* when it was released by its holder or forced by an operator, or when it lapsed:
 * by its promised end on the clock that promised it (the trace's `lapses`), whether or not the service
 * remembers it. A quorum's lease ends with the first of the votes that its latest winning count rested on.
 */
#include "model/invariant.h"

enum { G_TOKEN, G_START, G_TTL, G_MARGIN, G_VOTERS, G_QUORUM }; /* V_GRANTS */
enum { VOTE_EPOCH, VOTE_START, VOTE_TTL };                      /* V_VOTES */
enum { X_TTL = T_BY_START + 1, X_VOTER };                       /* V_EXTENDS */
enum { F_VOTER = T_BY_START + 1 };                              /* V_FREES */
enum { R_TOKEN, R_VOTERS };                                     /* V_RENEWED */
enum { O_TOKEN, O_START, O_VOTER };                             /* V_FORCES */
enum { L_TOKEN, L_START, L_VOTER };                             /* V_LAPSES */

static bool has(const struct record *r, int field) { return record_has(r, field); }

static struct inv_lock *lock_of(const struct judge *j, const struct record *r)
{
    uint16_t resource = judge_resource(j, r);
    ASSERT(resource != NONE16);
    return &j->m.locks[resource];
}

/* By its own name, also where a voter speaks. */
static name_id lock_name(const struct judge *j, const struct record *r)
{
    return resource_name(j->p, judge_resource(j, r));
}

static struct who got(const struct record *r, int start) { return (struct who){r->object, (uint16_t)r->field[start]}; }

/* Tokens of one lock, job or row strictly increase in the order of their grants, across restarts. */
void inv_token_order(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_lock *l = lock_of(j, r);
    if (r->tag[G_TOKEN] == TAG_INT && l->max_record && r->field[G_TOKEN] <= l->max_token)
        violated(j, INV_TOKEN_ORDER, r, number, l->max_record, r->object, judge_resource_name(j, r));
}

/* A lock is never granted while an earlier lease on it has not ended, a job never while another's attempt runs. */
void inv_single_grant(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_lock *l = lock_of(j, r);
    if (judge_free(l) || same_who(l->holder, got(r, G_START)))
        return;
    bool job = judge_is_job(j, judge_resource(j, r));
    violated(j, job ? INV_SINGLE_CLAIM : INV_SINGLE_GRANT, r, number, l->record, r->object, judge_resource_name(j, r));
}

/* The true time at which a lease that begins or was renewed now is over: for a quorum that of the first vote. */
static ns lock_end(const struct judge *j, uint16_t lock, uint64_t rests_on, ns now)
{
    const struct lock_plan *plan = &j->p->locks[lock];
    ns end = now + plan->ttl;
    for (uint16_t i = 0; i < plan->voters; i++) {
        ns vote_end = j->m.voters[plan->service + i].voted_at + plan->ttl;
        if (rests_on >> i & 1 && vote_end < end)
            end = vote_end;
    }
    return end;
}

/* A job's or row's lease is as long as its grant says; a row may have none, which no grant is too early for. */
static ns granted_end(const struct record *r) { return has(r, G_TTL) ? r->at + r->field[G_TTL] : 0; }

/* The same in true time, less the client's margin, where the granting clock says that the lease is over. */
void inv_no_early_regrant(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_lock *l = lock_of(j, r);
    if (!l->record || l->ended != INV_LAPSED || same_who(l->holder, got(r, G_START)))
        return;
    if (r->at < l->ends_at - l->margin && !judge_is_job(j, judge_resource(j, r)))
        violated(j, INV_NO_EARLY_REGRANT, r, number, l->record, r->object, judge_resource_name(j, r));
}

static void one_vote_each(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_voter *v = &j->m.voters[judge_voter(j, r->actor)];
    struct who who = got(r, VOTE_START);
    for (uint32_t i = 0; i < PAST_GRANTS && i < v->votes; i++)
        if (v->past_epoch[i] == r->field[VOTE_EPOCH] && !same_who(v->past_who[i], who))
            violated(j, INV_ONE_VOTE, r, number, v->past_record[i], r->object, r->actor);
}

/* A voter votes for at most one candidate in an epoch; two winning quorums share a voter. */
void inv_one_vote(struct judge *j, const struct record *r, uint32_t number)
{
    if (r->verb == V_VOTES) {
        one_vote_each(j, r, number);
        return;
    }
    const struct inv_lock *l = lock_of(j, r);
    if (!has(r, G_VOTERS))
        return;
    for (uint32_t i = 0; i < l->grants; i++)
        if (!(l->past_votes[i] & (uint64_t)r->field[G_VOTERS]))
            violated(j, INV_ONE_VOTE, r, number, l->past_record[i], r->object, r->actor);
}

/* At most one node is elected in an epoch. */
void inv_one_leader_per_term(struct judge *j, const struct record *r, uint32_t number)
{
    const struct inv_lock *l = lock_of(j, r);
    if (!has(r, G_VOTERS))
        return;
    for (uint32_t i = 0; i < l->grants; i++)
        if (l->past_token[i] == r->field[G_TOKEN] && l->past_who[i].name != r->object)
            violated(j, INV_ONE_LEADER_PER_TERM, r, number, l->past_record[i], r->object, r->actor);
}

/* A release frees only the releaser's own grant. */
void inv_owner_releases(struct judge *j, const struct record *r, uint32_t number)
{
    struct who by = judge_doer(j, r);
    if (!same_who(by, got(r, T_START)))
        violated(j, INV_OWNER_RELEASES, r, number, lock_of(j, r)->record, by.name, lock_name(j, r));
}

/* Only the current owner's renewal or heartbeat extends a lease: nobody's, once the job was given up or put back. What
 * extends a finished job is final-stays-final's. */
void inv_owner_extends(struct judge *j, const struct record *r, uint32_t number)
{
    struct who by = judge_doer(j, r);
    const struct inv_lock *l = lock_of(j, r);
    bool nobody = judge_is_job(j, judge_resource(j, r)) && (!l->record || l->ended == INV_RELEASED);
    if (nobody || !same_who(by, got(r, T_START)))
        violated(j, INV_OWNER_EXTENDS, r, number, judge_last_word(j, judge_resource(j, r)), by.name, lock_name(j, r));
}

/* --- remembering --------------------------------------------------------------------------------- */

/* Whether a vote that a count rests on had ended before it was counted, and how. */
static uint8_t votes_ended(const struct judge *j, uint16_t lock, uint64_t votes, struct who holder, int64_t epoch)
{
    const struct lock_plan *plan = &j->p->locks[lock];
    for (uint16_t i = 0; i < plan->voters; i++) {
        const struct inv_voter *v = &j->m.voters[plan->service + i];
        if (votes >> i & 1 && v->ended != INV_RUNNING && v->epoch == epoch && same_who(v->who, holder))
            return (uint8_t)v->ended;
    }
    return INV_RUNNING;
}

static void remember_longest(struct judge *j, const struct record *r, int ttl)
{
    if (has(r, ttl))
        judge_lease_seen(j, r->field[ttl]);
}

static void remember_past(struct inv_lock *l, const struct record *r, uint64_t votes, uint32_t number)
{
    uint32_t row = l->next_past;
    l->past_votes[row] = votes;
    l->past_token[row] = record_token(r, G_TOKEN);
    l->past_who[row] = got(r, G_START);
    l->past_record[row] = number;
    l->next_past = (uint8_t)((row + 1) % PAST_GRANTS);
    if (l->grants < PAST_GRANTS)
        l->grants++;
    if (r->tag[G_TOKEN] == TAG_INT && (!l->max_record || r->field[G_TOKEN] > l->max_token)) {
        l->max_token = r->field[G_TOKEN];
        l->max_record = number;
    }
}

static void remember_grant(struct judge *j, struct inv_lock *l, const struct record *r, uint32_t number)
{
    uint16_t resource = judge_resource(j, r);
    bool lock = is_lock(j->p, resource);
    uint64_t votes = has(r, G_VOTERS) ? (uint64_t)r->field[G_VOTERS] : 0;
    remember_past(l, r, votes, number);
    remember_longest(j, r, G_TTL);
    l->holder = got(r, G_START);
    l->ends_at = lock ? lock_end(j, resource, votes, r->at) : granted_end(r);
    l->margin = r->field[G_MARGIN];
    l->rests_on = votes;
    l->ended = lock ? votes_ended(j, resource, votes, l->holder, r->field[G_TOKEN]) : INV_RUNNING;
    l->free_at = r->at; /* counts only if it has ended already */
    l->last_token = record_token(r, G_TOKEN);
    l->record = number;
}

static void remember_vote(struct judge *j, const struct record *r, uint32_t number)
{
    struct inv_voter *v = &j->m.voters[judge_voter(j, r->actor)];
    uint32_t row = v->votes % PAST_GRANTS;
    v->past_epoch[row] = r->field[VOTE_EPOCH];
    v->past_who[row] = got(r, VOTE_START);
    v->past_record[row] = number;
    v->votes++;
    v->voted_at = r->at;
    v->ended = INV_RUNNING;
    v->epoch = r->field[VOTE_EPOCH];
    v->who = got(r, VOTE_START);
}

/* A voter's bit, or all bits for a service that decides alone. */
static uint64_t ended_bits(const struct record *r, int field)
{
    return has(r, field) ? UINT64_C(1) << r->field[field] : ~UINT64_C(0);
}

/* Whether an end that a service or voter reports is one of the latest lease. A voter has one vote: a later one for the
 * same candidate stands in for the one that the lease rested on. */
static bool concerns(const struct inv_lock *l, const struct record *r, int64_t token, uint64_t bits)
{
    if (!l->record || l->holder.name != r->object)
        return false;
    return l->rests_on ? token >= l->last_token && l->rests_on & bits : token == l->last_token;
}

/* From when on it could be granted: a lock's service waits out its margin and a delay after a lease that lapsed. */
static ns free_from(const struct judge *j, const struct record *r, enum inv_end end)
{
    uint16_t resource = judge_resource(j, r);
    if (end != INV_LAPSED || !is_lock(j->p, resource))
        return r->at;
    return r->at + j->p->locks[resource].service_margin + j->p->locks[resource].lock_delay;
}

/* A service or voter reports that a lease or vote is over. */
static void remember_end(struct judge *j, struct inv_lock *l, const struct record *r, int voter_field, enum inv_end end)
{
    int64_t token = record_token(r, 0); /* of V_FREES, V_FORCES and V_LAPSES alike */
    if (has(r, voter_field)) {
        struct inv_voter *v = &j->m.voters[judge_voter(j, r->actor)];
        if (v->who.name == r->object && v->epoch == token && v->ended == INV_RUNNING)
            v->ended = end;
    }
    bool first = l->ended == INV_RUNNING || (end == INV_RELEASED && l->ended == INV_LAPSED);
    if (first && concerns(l, r, token, ended_bits(r, voter_field))) {
        l->ended = (uint8_t)end;
        l->free_at = free_from(j, r, end);
    }
}

static void remember_extension(struct judge *j, const struct record *r)
{
    struct inv_lock *l = lock_of(j, r);
    if (has(r, X_VOTER)) {
        struct inv_voter *v = &j->m.voters[judge_voter(j, r->actor)];
        v->voted_at = r->at;
        v->ended = INV_RUNNING;
    } else if (l->ended <= INV_LAPSED && concerns(l, r, record_token(r, T_TOKEN), ~UINT64_C(0))) {
        remember_longest(j, r, X_TTL);
        l->ends_at = r->at + r->field[X_TTL];
        l->ended = INV_RUNNING; /* also after its promised end, within the service's margin */
    }
}

/* Some voter of this count has voted since, in a later epoch. */
static bool superseded(const struct judge *j, uint16_t lock, uint64_t votes, int64_t epoch)
{
    const struct lock_plan *plan = &j->p->locks[lock];
    for (uint16_t i = 0; i < plan->voters; i++) {
        const struct inv_voter *v = &j->m.voters[plan->service + i];
        if (votes >> i & 1 && v->votes > 0 && v->epoch > epoch)
            return true;
    }
    return false;
}

/* A count that is heard of late, when its voters have gone on, tells nothing: what they said since stands. */
static void remember_renewal(struct judge *j, const struct record *r)
{
    if (!has(r, R_VOTERS))
        return;
    uint16_t lock = judge_lock(j, r->object);
    struct inv_lock *l = &j->m.locks[lock];
    bool latest = l->record && l->last_token == r->field[R_TOKEN];
    if (!latest || l->ended == INV_RELEASED || superseded(j, lock, (uint64_t)r->field[R_VOTERS], r->field[R_TOKEN]))
        return;
    l->rests_on = (uint64_t)r->field[R_VOTERS];
    l->ends_at = lock_end(j, lock, l->rests_on, r->at);
    /* It runs also when a vote that it rested on before had ended. */
    l->ended = votes_ended(j, lock, l->rests_on, l->holder, r->field[R_TOKEN]);
    l->free_at = r->at; /* counts only if it has ended already */
}

void inv_remember_lock(struct judge *j, const struct record *r, uint32_t number)
{
    struct inv_lock *l = r->verb == V_RENEWED ? NULL : lock_of(j, r);
    switch (r->verb) {
    case V_GRANTS: remember_grant(j, l, r, number); break;
    case V_VOTES: remember_vote(j, r, number); break;
    case V_EXTENDS: remember_extension(j, r); break;
    case V_RENEWED: remember_renewal(j, r); break;
    case V_FORCES: remember_end(j, l, r, O_VOTER, INV_RELEASED); break;
    case V_FREES:
        if (!has(r, T_BY))
            remember_end(j, l, r, F_VOTER, INV_RELEASED);
        if (is_row(j->p, judge_resource(j, r)))
            judge_job(j, judge_resource(j, r))->end_record = number;
        break;
    default:
        ASSERT(r->verb == V_LAPSES);
        remember_end(j, l, r, L_VOTER, INV_LAPSED);
        break;
    }
}
