/* SPDX-License-Identifier: MIT
 *
 * words.h - the model's tables of words: verbs, gates, invariants, errors.
 *
 * Each list is written once. The enum, the printer, the parser, `fencepost list`, the suggestions
 * and the reference are made from it, so that none can be forgotten.
 */
#ifndef FENCEPOST_MODEL_WORDS_H
#define FENCEPOST_MODEL_WORDS_H

#include "sim/sim.h"

/* X(ID, name, sentence, flags, fields, field names ...). A field whose name begins with '.' is
 * not printed. `.start` is which start of the object's process is meant.
 *
 * `of` says which job (a TAG_TEXT: its name) or row (a TAG_NAME: `jobs/42`) a record is about; it is none where the
 * actor alone says it: a lock. `by` is whoever did it, where that is not the object; `.by_start` which start of it,
 * `.by_token` the token of the grant that it speaks for, none where it has none. */
/* Where a trigger may stand: before and after, or only after. */
enum { BOTH = VERB_BEFORE | VERB_AFTER, LATER = VERB_AFTER };

#define MODEL_VERB_TABLE(X)                                                                                           \
    /* clients */                                                                                                     \
    X(V_ASKS, "asks", "a client asks for a lock, or a candidate asks a voter", BOTH, 1, "epoch")                      \
    X(V_ACQUIRES, "acquires", "the grant has reached the client", LATER, 1, "token")                                  \
    X(V_CLAIMS, "claims", "a worker asks a queue for a job, or for so many", BOTH, 1, "")                             \
    X(V_KEEPS, "keeps", "a client begins to renew in the background", LATER, 0)                                       \
    X(V_RENEWS, "renews", "a keeper asks for an extension", BOTH, 1, "token")                                         \
    X(V_HEARTBEATS, "heartbeats", "a worker, or its keeper, asks for an extension of its job", BOTH, 1, "token")      \
    X(V_RENEWED, "renewed", "the extension has reached the keeper", LATER, 2, "token", ".voters")                     \
    X(V_RELEASES, "releases", "a client gives a lock (a candidate: a vote) back", BOTH, 1, "token")                   \
    X(V_FORCE_RELEASES, "force-releases", "an operator asks for a lock to be freed", BOTH, 0)                         \
    X(V_COMPLETES, "completes", "a worker says that its job is done", BOTH, 1, "token")                               \
    X(V_FAILS, "fails", "a worker gives its job up", BOTH, 1, "token")                                                \
    X(V_ENQUEUES, "enqueues", "a client adds a job to a queue", BOTH, 0)                                              \
    X(V_REAPS, "reaps", "a reaper looks for expired jobs", BOTH, 0)                                                   \
    X(V_JUDGES, "judges", "a reaper's verdict on the attempt that it saw leaves", BOTH, 1, "token")                   \
    X(V_REQUEUES, "requeues", "an operator asks for a job to be put back", BOTH, 0)                                   \
    X(V_UPDATES, "updates", "a statement that changes a row leaves the client", BOTH, 0)                              \
    X(V_INSERTS, "inserts", "a statement that adds a row leaves the client", BOTH, 0)                                 \
    X(V_CHECKS, "checks", "a client asks its own clock whether it still holds", BOTH, 0)                              \
    X(V_READS, "reads", "a client asks a store for a register", BOTH, 0)                                              \
    X(V_GETS, "gets", "the register's value has reached the client", LATER, 1, "")                                    \
    X(V_WRITES, "writes", "a write leaves the client", BOTH, 2, "token", "")                                          \
    X(V_DELETES, "deletes", "a delete leaves the client", BOTH, 1, "token")                                           \
    X(V_FENCES, "fences", "a client asks a store to raise its mark", BOTH, 1, "token")                                \
    X(V_REQUIRES, "requires", "a client checks a condition on its side", BOTH, 1, "")                                 \
    X(V_WORKS, "works", "a client is busy", BOTH, 1, "for")                                                           \
    /* .attempt: the key is the attempt's own token */                                                                \
    X(V_EFFECTS, "effects", "something outside is done that cannot be undone", BOTH | VERB_TAIL, 4, "", "key", "job", \
      ".attempt")                                                                                                     \
    X(V_REPEATS, "repeats", "the sink drops a second effect with the same key", LATER, 2, "", "key")                  \
    X(V_PINGS, "pings", "a client asks whether a process answers", BOTH, 0)                                           \
    X(V_FAILED, "failed", "a step failed with this error", LATER, 1, ".step")                                         \
    X(V_STOPS, "stops", "a program reached `stop`", LATER, 0)                                                         \
    /* lock services */                                                                                               \
    X(V_GRANTS, "grants", "a lock or job is given to a client: the lease begins", BOTH | VERB_TAIL, 8, "token",       \
      ".start", ".ttl", ".margin", ".voters", ".quorum", ".delay", "of")                                              \
    X(V_QUEUES, "queues", "a client is put in line", LATER, 0)                                                        \
    X(V_CALLS, "calls", "it is the turn of the first in line", LATER, 0)                                              \
    X(V_VOTES, "votes", "a voter gives a candidate its vote", BOTH, 3, "epoch", ".start", ".ttl")                     \
    X(V_EXTENDS, "extends", "a service or voter lengthens a lease", BOTH | 2 * VERB_TAIL, 8, "token", "by", ".start", \
      ".by_start", ".ttl", ".voter", ".by_token", "of")                                                               \
    X(V_EXPIRES, "expires", "a service or voter sees that a lease is over", BOTH | 2 * VERB_TAIL, 4, "token",         \
      ".start", "by", "of")                                                                                           \
    X(V_FREES, "frees", "a service or voter frees a grant because of a release", BOTH | 2 * VERB_TAIL, 7, "token",    \
      "by", ".start", ".by_start", ".voter", ".by_token", "of")                                                       \
    /* queues, and tables that say what their columns mean */                                                         \
    X(V_ADDS, "adds", "a job or row is there from now on", LATER, 1, "by")                                            \
    X(V_FINISHES, "finishes", "a job is done", BOTH, 6, "token", "by", ".start", ".by_start", ".by_token", "of")      \
    X(V_RETURNS, "returns", "a job is put back, to be claimed anew", BOTH, 7, "token", "by", ".start", ".by_start",   \
      ".by_token", "why", "of")                                                                                       \
    X(V_DEAD_LETTERS, "dead-letters", "a job has used up its attempts: given up on record", BOTH, 6, "token", "by",   \
      ".start", ".by_start", ".by_token", "of")                                                                       \
    X(V_REWRITES, "rewrites", "a finished job is written again", BOTH, 6, "token", "by", ".start", ".by_start",       \
      ".by_token", "of")                                                                                              \
    X(V_LISTS, "lists", "a queue tells a reaper how many jobs have expired", LATER, 1, "")                            \
    X(V_CHANGES, "changes", "a table changes a row, to no other end that it knows", BOTH, 1, "of")                    \
    X(V_SETS, "sets", "a row's column has a new value", LATER, 5, "", ".by", ".version", ".based", ".start")          \
    X(V_ERASES, "erases", "a table deletes a row", BOTH, 1, "of")                                                     \
    X(V_FORCES, "forces", "an operator's word frees a grant", LATER, 3, "token", ".start", ".voter")                  \
    /* .claim: a table found no row for what would have been a grant, with this lease (no duration: without one) */   \
    X(V_REFUSES, "refuses", "a service says no", LATER | 2 * VERB_TAIL, 5, "", "token", "epoch", ".claim", "of")      \
    X(V_FORGETS, "forgets", "a crash took what was not on disk", LATER, 1, ".version")                                \
    /* stores */                                                                                                      \
    X(V_COMMITS, "commits", "a write takes effect", BOTH, 7, "token", "key", "", ".version", ".based", ".issuer",     \
      ".start")                                                                                                       \
    X(V_REMOVES, "removes", "a delete takes effect", BOTH, 7, "token", "key", ".none", ".version", ".based",          \
      ".issuer", ".start")                                                                                            \
    X(V_ANSWERS, "answers", "a store answers a read", LATER, 5, "key", "", ".version", ".mark", ".start")             \
    X(V_RAISES, "raises", "a store's fence mark rises", BOTH, 2, "token", ".issuer")                                  \
    /* notes */                                                                                                       \
    X(V_BELIEVES, "believes", "from now on this node's own check says yes", VERB_NOTE, 1, "token")                    \
    X(V_DOUBTS, "doubts", "from now on this node's own check says no", VERB_NOTE, 1, "token")                         \
    X(V_LAPSES, "lapses", "a promised lease ends on the clock that promised it", VERB_NOTE, 4, "token", ".start",     \
      ".voter", "of")                                                                                                 \
    X(V_ACTS, "acts", "a thread begins to act under a grant", VERB_NOTE, 2, "token", ".process")                      \
    X(V_RESTS, "rests", "a thread's act under a grant is over", VERB_NOTE, 2, "token", ".process")                    \
    X(V_HEARS, "hears", "an answer reached the caller", VERB_NOTE, 3, "", ".key", ".version")                         \
    X(V_ENDS, "ends", "a program ran out of lines", VERB_NOTE, 0)                                                     \
    /* asides: model/gate.h says what the fields are */                                                               \
    X(V_TAKES, "takes", "a program comes to a line", VERB_NOTE | VERB_ASIDE, 0)                                       \
    X(V_GUARDS, "guards", "a gate was asked, or would have been", VERB_NOTE | VERB_ASIDE, 3, ".gate", ".fails", ".on")

enum model_verb {
    MODEL_VERB_FIRST = SIM_VERBS - 1,
#define X(id, ...) id,
    MODEL_VERB_TABLE(X)
#undef X
        VERBS
};

extern const struct verb verb_table[]; /* SIM_VERBS rows, then the model's: VERBS in all */

/* X(ID, name, built in this version, what it does, without it). Order of design.md 4. */
#define GATE_TABLE(X)                                                                                                 \
    X(GATE_STORE_TOKEN, "store-token", 1,                                                                             \
      "a write or delete commits only if its token is not below the largest of its issuer that the store has seen",   \
      "it commits: a leader delayed past its lease overwrites its successor")                                         \
    X(GATE_ATOMIC_CHECK, "atomic-check", 1, "the store checks and writes in one step",                                \
      "check, then (a sync later) write: the world moves on in between")                                              \
    X(GATE_LASTING_FENCE, "lasting-fence", 1,                                                                         \
      "the fence holds on every path and is kept as long as a stale writer can live",                                 \
      "deleting a key deletes the mark")                                                                              \
    X(GATE_STRICT_MAJORITY, "strict-majority", 1,                                                                     \
      "2 * acks > configured voters, each a distinct known voter of that epoch, agreeing",                            \
      "2 * acks >= voters: an even split elects two")                                                                 \
    X(GATE_DURABLE_GRANT, "durable-grant", 1,                                                                         \
      "a grant, renewal, release or vote is synced before it is answered; after losing its disk a voter waits out "   \
      "the longest lease",                                                                                            \
      "answered from memory: a voter forgets, and grants again")                                                      \
    X(GATE_MONOTONIC_TOKEN, "monotonic-token", 1,                                                                     \
      "every grant's token is larger than any before, kept across restarts", "the counter is in memory")              \
    X(GATE_FRESH_IDENTITY, "fresh-identity", 1, "each process start and each acquisition is a new identity",          \
      "the name is the identity: a restarted worker passes for its former self")                                      \
    X(GATE_RELEASE_TOKEN, "release-token", 1, "a release or renewal touches only the grant it names",                 \
      "it touches the lock, whoever holds it")                                                                        \
    X(GATE_DRAIN_FIRST, "drain-first", 1, "work stops before the lease is released; lock-delay is kept",              \
      "released at once, while the work goes on")                                                                     \
    X(GATE_FENCE_FIRST, "fence-first", 0,                                                                             \
      "the old primary is fenced, or its lease provably over, before a new one is made",                              \
      "promoted at once: two primaries acknowledge")                                                                  \
    X(GATE_LEASE_CHECK, "lease-check", 1,                                                                             \
      "a client acts only while its lease is valid by its own clock, counted from before the request's first "        \
      "sending, less the margin",                                                                                     \
      "it acts until somebody tells it otherwise")                                                                    \
    X(GATE_SAFE_CLOCK, "safe-clock", 1, "durations are measured on boottime, which neither steps nor stops",          \
      "on monotonic; `with clock wall` on wall")                                                                      \
    X(GATE_ONE_CLOCK, "one-clock", 1, "one machine's clock judges a deadline",                                        \
      "the writer's timestamp is judged by the reader's clock")                                                       \
    X(GATE_STOP_ON_LOSS, "stop-on-loss", 1,                                                                           \
      "a refused renewal, or none until the lease less the margin is over, interrupts the work",                      \
      "logged, and on it goes")                                                                                       \
    X(GATE_ATOMIC_CLAIM, "atomic-claim", 1, "a job is chosen and claimed, and its token raised, in one step",         \
      "looked up, then claimed")                                                                                      \
    X(GATE_HEARTBEAT_TOKEN, "heartbeat-token", 1, "a heartbeat extends only with the current token of a running job", \
      "by job alone")                                                                                                 \
    X(GATE_COMPLETE_TOKEN, "complete-token", 1, "completing or failing needs the current token of a running job",     \
      "by job alone")                                                                                                 \
    X(GATE_VERDICT_TOKEN, "verdict-token", 1,                                                                         \
      "a reaper's verdict names the attempt it judged, and is judged again when it lands",                            \
      "by job alone, from a snapshot")                                                                                \
    X(GATE_LEASE_COVERS_WORK, "lease-covers-work", 1,                                                                 \
      "a job lease is at least 3 s, beats come every third of it, and go on while the work does",                     \
      "any lease, no beats")                                                                                          \
    X(GATE_EFFECT_KEY, "effect-key", 1, "the sink drops a second effect with the same key", "it happens again")

enum gate {
#define X(id, ...) id,
    GATE_TABLE(X)
#undef X
        GATES
};

struct gate_word {
    const char *name;
    const char *with;    /* what it does */
    const char *without; /* what happens without it */
    uint64_t built;      /* 0: known, but not in this version yet */
};
extern const struct gate_word gate_table[GATES];

enum invariant_kind { INV_HARM, INV_PROTOCOL, INV_SIGN };

/* X(ID, name, kind, built, holds when, what it does not promise). Order of design.md 4. */
#define INVARIANT_TABLE(X)                                                                                        \
    X(INV_NO_STALE_WRITE, "no-stale-write", INV_HARM, 1,                                                          \
      "no write or delete commits on a store, whichever key, after one with a larger token of the same issuer",   \
      "a stale write that comes before the newer token was seen commits all the same")                            \
    X(INV_NO_LOST_UPDATE, "no-lost-update", INV_HARM, 1,                                                          \
      "a committed read-modify-write never overwrites one that it had not read",                                  \
      "a blind write that uses nothing it read may overwrite anything")                                           \
    X(INV_NO_LOST_ACK, "no-lost-ack", INV_HARM, 1, "an acknowledged write that nothing overwrote is still there", \
      "a write whose answer was lost may be there or not")                                                        \
    X(INV_OWNER_COMPLETES, "owner-completes", INV_HARM, 1,                                                        \
      "a job is completed, failed or put back only by the worker and attempt the queue last gave it to",          \
      "the work itself may still be done twice")                                                                  \
    X(INV_FINAL_STAYS_FINAL, "final-stays-final", INV_HARM, 1, "a finished job is never written again",           \
      "it may have been finished by the wrong worker")                                                            \
    X(INV_NO_LOST_JOB, "no-lost-job", INV_HARM, 1, "every job is finished or given up on record",                 \
      "nothing is said where no worker asks")                                                                     \
    X(INV_EFFECT_ONCE, "effect-once", INV_HARM, 1, "one effect of one job happens at most once",                  \
      "it may not happen at all; effects with neither key nor job are not compared")                              \
    X(INV_LINEARIZABLE, "linearizable", INV_HARM, 1, "the calls and answers on each register have a legal order", \
      "a read of a named replica is left out")                                                                    \
    X(INV_SINGLE_GRANT, "single-grant", INV_PROTOCOL, 1,                                                          \
      "a lock is never granted while an earlier lease on it, by its promised end on the granting clock, has not " \
      "ended and was not released",                                                                               \
      "the earlier holder may still believe and act: its own clock is not asked")                                 \
    X(INV_TOKEN_ORDER, "token-order", INV_PROTOCOL, 1,                                                            \
      "tokens of one lock strictly increase in the order of their grants, across restarts",                       \
      "tokens of two locks are never compared")                                                                   \
    X(INV_ONE_VOTE, "one-vote", INV_PROTOCOL, 1,                                                                  \
      "a voter votes for at most one candidate in an epoch; two winning quorums share a voter",                   \
      "two leaders of different epochs may both believe")                                                         \
    X(INV_ONE_LEADER_PER_TERM, "one-leader-per-term", INV_PROTOCOL, 1, "at most one node is elected in an epoch", \
      "leaders of different epochs may overlap")                                                                  \
    X(INV_NO_EARLY_REGRANT, "no-early-regrant", INV_PROTOCOL, 1,                                                  \
      "a lock is not granted before an earlier lease, less the client's margin, is over in true time",            \
      "clocks that run slow make leases longer: that is no violation")                                            \
    X(INV_OWNER_RELEASES, "owner-releases", INV_PROTOCOL, 1, "a release frees only the releaser's own grant",     \
      "an operator's force-release is left out")                                                                  \
    X(INV_SINGLE_CLAIM, "single-claim", INV_PROTOCOL, 1,                                                          \
      "a job is never given to a worker while another's attempt on it runs", "an expired attempt may still run")  \
    X(INV_OWNER_EXTENDS, "owner-extends", INV_PROTOCOL, 1, "only the current owner's renewal extends a lease",    \
      "the owner may be late")                                                                                    \
    X(INV_SINGLE_PRIMARY, "single-primary", INV_PROTOCOL, 0,                                                      \
      "two nodes never acknowledge writes while both count themselves primary", "reads are left out")             \
    X(INV_SINGLE_HOLDER, "single-holder", INV_SIGN, 1,                                                            \
      "at no true time would two nodes' own checks both say \"I hold it\"",                                       \
      "a belief ends at its deadline even in a paused process; what was checked before may still be acted on")    \
    X(INV_SINGLE_ACTOR, "single-actor", INV_SIGN, 1,                                                              \
      "no node acts under a grant while a later grant of that lock is current",                                   \
      "the act may do no harm: a fenced store refuses it")                                                        \
    X(INV_NO_ZOMBIE_WRITE, "no-zombie-write", INV_SIGN, 1,                                                        \
      "no write commits after a newer token than its own was granted",                                            \
      "fencing does not give this: the store has to have seen the newer token")                                   \
    X(INV_PROGRESS, "progress", INV_SIGN, 1,                                                                      \
      "once faults end, a free lock is acquired and a waiting job claimed within a stated time",                  \
      "nothing is said while faults last")

enum invariant {
#define X(id, ...) id,
    INVARIANT_TABLE(X)
#undef X
        INVARIANTS
};

/* Signs that are read from notes which nothing else hears. */
#define SIGNS_OF_NOTES (UINT32_C(1) << INV_SINGLE_HOLDER | UINT32_C(1) << INV_SINGLE_ACTOR)

struct invariant_word {
    const char *name;
    const char *holds_when;
    const char *not_promised;
    uint32_t kind; /* enum invariant_kind */
    uint32_t built;
};
extern const struct invariant_word invariant_table[INVARIANTS];
extern const char *const invariant_kind_name[3]; /* "harm", "protocol", "sign" */

/* X(ID, name, sentence) */
#define ERROR_TABLE(X)                                                                        \
    X(ERR_STALE_TOKEN, "stale-token", "the store has seen a larger token")                    \
    X(ERR_QUORUM_LOST, "quorum-lost", "no majority of the configured voters")                 \
    X(ERR_LEASE_LOST, "lease-lost", "the lease is over, by the client's clock or by refusal") \
    X(ERR_ZOMBIE, "zombie", "the worker's token is no longer the job's")                      \
    X(ERR_TIMEOUT, "timeout", "no answer in time: the outcome is unknown")                    \
    X(ERR_UNREACHABLE, "unreachable", "nobody runs there")                                    \
    X(ERR_CONFLICT, "conflict", "somebody else wrote since it was read")                      \
    X(ERR_NOT_HOLDER, "not-holder", "a release or renewal named a grant that is not current") \
    X(ERR_REFUSED, "refused", "the condition did not hold")

enum error {
#define X(id, ...) id,
    ERROR_TABLE(X)
#undef X
        ERRORS
};
struct error_word {
    const char *name;
    const char *sentence;
};
extern const struct error_word error_table[ERRORS];

#endif
