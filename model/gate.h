/* SPDX-License-Identifier: MIT
 *
 * gate.h - what each gate asks, and the notes that say what it found.
 *
 * A gate is a conjunction: it lets through what all of its conjuncts hold for. CONJUNCT_TABLE has them one by one, so
 * that it can be told which one decided, and shown that each decides alone somewhere. Where a gate stands, its model
 * works out which conjuncts fail and asks gate_lets(); without the gate the place is passed all the same, and the
 * note says what the gate would have found.
 *
 *  1. A note (V_GUARDS) has the gate, its conjuncts that fail as a set of bits, and whether the gate is there. Notes of
 *     this kind are asides: made for those who ask (SIM_ASIDES), and nothing else depends on them.
 *  2. Some gates refuse no request but a loss or a clock: what the mistake would have done then is what "fails".
 *  3. A conjunct that means nothing where another one fails is left out there: it cannot be said to hold.
 */
#ifndef FENCEPOST_MODEL_GATE_H
#define FENCEPOST_MODEL_GATE_H

#include "model/plan.h"

/* X(ID, gate, name, what holds, what it is when it fails). In the order of the gates; the conjuncts of a gate stand
 * together. */
#define CONJUNCT_TABLE(X)                                                                                             \
    X(C_TOKEN_CARRIED, GATE_STORE_TOKEN, "carries-a-token", "it carries a token, or the store has seen none",         \
      "it carries no token, and the store has seen one")                                                              \
    X(C_TOKEN_LATEST, GATE_STORE_TOKEN, "not-below-the-mark", "its token is not below the largest that was seen",     \
      "its token is below the largest that was seen")                                                                 \
    X(C_CHECK_MARK, GATE_ATOMIC_CHECK, "mark-is-the-same", "no larger token was seen between check and write",        \
      "a larger token was seen between check and write")                                                              \
    X(C_CHECK_REGISTER, GATE_ATOMIC_CHECK, "register-is-the-same", "nobody wrote the register between the two",       \
      "somebody wrote the register between check and write")                                                          \
    X(C_CHECK_ROW, GATE_ATOMIC_CHECK, "row-still-matches", "the row that was found still matches when it is changed", \
      "the row that was found no longer matches when it is to be changed")                                            \
    X(C_MARK_ALONE, GATE_LASTING_FENCE, "no-mark-to-lose", "no mark stands before the key that is deleted",           \
      "a mark stands before the key that is deleted: it stays")                                                       \
    X(C_HALF, GATE_STRICT_MAJORITY, "half-agree", "at least half of the configured voters agree",                     \
      "fewer than half of the configured voters agree")                                                               \
    X(C_MORE_THAN_HALF, GATE_STRICT_MAJORITY, "more-than-half-agree", "more than half of them do",                    \
      "just half of the configured voters agree")                                                                     \
    X(C_THIS_EPOCH, GATE_STRICT_MAJORITY, "of-this-epoch", "the vote is one for the canvass under way",               \
      "the vote is one for a canvass that is over")                                                                   \
    X(C_COUNTED_ONCE, GATE_STRICT_MAJORITY, "counted-once", "the voter has not been counted yet",                     \
      "the same vote comes a second time")                                                                            \
    X(C_ON_DISK, GATE_DURABLE_GRANT, "nothing-to-forget", "nothing that was promised is lost by the crash",           \
      "what was promised runs on: it is on disk, and remembered")                                                     \
    X(C_WAITED_OUT, GATE_DURABLE_GRANT, "no-lease-without-disk", "no lease runs on when the disk is lost",            \
      "the disk is lost while a lease runs: the longest lease is waited out")                                         \
    X(C_COUNT_KEPT, GATE_MONOTONIC_TOKEN, "count-is-kept", "the next token is above all before it",                   \
      "the count of tokens would fall back: it is kept")                                                              \
    X(C_SAME_START, GATE_FRESH_IDENTITY, "same-start", "it is the same start of the process",                         \
      "an earlier start of the process had it")                                                                       \
    X(C_SAME_NODE, GATE_FRESH_IDENTITY, "same-node", "it is the same node", "another node of the same name had it")   \
    X(C_CALLER_HOLDS, GATE_RELEASE_TOKEN, "caller-is-holder", "the grant is the caller's",                            \
      "the grant is somebody else's")                                                                                 \
    X(C_GRANT_NAMED, GATE_RELEASE_TOKEN, "names-the-grant", "it names the grant that is current",                     \
      "it names an earlier grant")                                                                                    \
    X(C_DRAINED, GATE_DRAIN_FIRST, "nobody-works", "no other thread works under the lease that is given back",        \
      "another thread still works under the lease: the release waits")                                                \
    X(C_NOT_DRAINING, GATE_DRAIN_FIRST, "release-does-not-wait", "no release waits for the step to come",             \
      "a release waits: the step comes too late")                                                                     \
    X(C_NO_DELAY, GATE_DRAIN_FIRST, "no-lock-delay", "no lock-delay follows the expiry",                              \
      "a lock-delay follows the expiry: it is kept")                                                                  \
    X(C_HELD, GATE_LEASE_CHECK, "has-a-grant", "the step's grant was got, and not given back",                        \
      "the step's grant was never got, or was given back")                                                            \
    X(C_NOT_LOST, GATE_LEASE_CHECK, "not-told-lost", "nobody said that the lease is lost",                            \
      "it was told that the lease is lost")                                                                           \
    X(C_IN_TIME, GATE_LEASE_CHECK, "before-the-deadline", "its own clock is before the deadline",                     \
      "its own clock has passed the deadline")                                                                        \
    X(C_NEVER_STOOD, GATE_SAFE_CLOCK, "clock-never-stood", "no clock stood still since the lease began",              \
      "monotonic stood still since the lease began: it would tell another time")                                      \
    X(C_NEVER_STEPPED, GATE_SAFE_CLOCK, "clock-never-stepped", "no clock was set since the lease began",              \
      "wall was set since the lease began: it would tell another time")                                               \
    X(C_STAMP_NOT_OLD, GATE_ONE_CLOCK, "not-behind", "the caller's wall clock is not behind the judge's",             \
      "the caller's wall clock is behind: by it the lease would end early")                                           \
    X(C_STAMP_NOT_NEW, GATE_ONE_CLOCK, "not-ahead", "the caller's wall clock is not ahead of the judge's",            \
      "the caller's wall clock is ahead: by it the lease would end late")                                             \
    X(C_ACCEPTED, GATE_STOP_ON_LOSS, "renewal-accepted", "the renewal was not refused", "the renewal was refused")    \
    X(C_MAJORITY_LEFT, GATE_STOP_ON_LOSS, "majority-left", "a majority of voters did not refuse it",                  \
      "so many voters refused that no majority is left")                                                              \
    X(C_RENEWED_IN_TIME, GATE_STOP_ON_LOSS, "renewed-in-time", "a renewal came before the deadline",                  \
      "the deadline came before any renewal")                                                                         \
    X(C_STILL_FREE, GATE_ATOMIC_CLAIM, "still-there", "what was looked up is still there when it is claimed",         \
      "what was looked up was given to another meanwhile")                                                            \
    X(C_BEAT_RUNNING, GATE_HEARTBEAT_TOKEN, "job-runs", "the job runs", "the job does not run")                       \
    X(C_BEAT_CURRENT, GATE_HEARTBEAT_TOKEN, "token-is-current", "the token is that of the latest attempt",            \
      "the token is that of an earlier attempt")                                                                      \
    X(C_END_RUNNING, GATE_COMPLETE_TOKEN, "job-runs", "the job runs", "the job does not run")                         \
    X(C_END_CURRENT, GATE_COMPLETE_TOKEN, "token-is-current", "the token is that of the latest attempt",              \
      "the token is that of an earlier attempt")                                                                      \
    X(C_VERDICT_RUNNING, GATE_VERDICT_TOKEN, "still-runs", "the attempt that was judged still runs",                  \
      "no attempt runs any more")                                                                                     \
    X(C_VERDICT_CURRENT, GATE_VERDICT_TOKEN, "still-that-attempt", "it is the attempt that was judged",               \
      "a later attempt runs")                                                                                         \
    X(C_VERDICT_EXPIRED, GATE_VERDICT_TOKEN, "still-expired", "its lease is still over",                              \
      "its lease was extended meanwhile")                                                                             \
    X(C_LEASE_LONG, GATE_LEASE_COVERS_WORK, "lease-is-long", "the lease of the job is at least 3 s",                  \
      "the lease of the job is shorter than 3 s")                                                                     \
    X(C_WORK_FITS, GATE_LEASE_COVERS_WORK, "work-fits", "the work ends within the lease",                             \
      "the work outlives the lease: beats go on while it does")                                                       \
    X(C_KEY_NEW, GATE_EFFECT_KEY, "key-is-new", "no effect had this key before", "an effect had this key before")

enum conjunct {
#define X(id, ...) id,
    CONJUNCT_TABLE(X)
#undef X
        CONJUNCTS
};
_Static_assert(CONJUNCTS <= 62, "a set of conjuncts is a field of a record");

struct conjunct_word {
    uint32_t gate; /* enum gate */
    uint32_t spare;
    const char *name; /* unique within its gate */
    const char *holds;
    const char *fails;
};
extern const struct conjunct_word conjunct_table[CONJUNCTS];

static inline uint64_t conjunct_bit(enum conjunct c, bool fails) { return (uint64_t)fails << c; }

/* --- the note: fields of V_GUARDS ---------------------------------------------------------------------- */

enum { GUARDS_GATE, GUARDS_FAILS, GUARDS_ON, GUARDS_FIELDS };

#endif
