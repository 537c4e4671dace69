/* SPDX-License-Identifier: MIT
 *
 * linear.h - `linearizable`: whether the calls and answers on each register have a legal order.
 *
 * Judged at the end of a run from the kept trace (SIM_KEEP_TRACE with SIM_NOTES), register by register: a history is
 * linearizable if and only if each of its registers' is (M. Herlihy and J. Wing, 1990, locality).
 *
 * What counts as a call: from a thread's `writes`, `deletes`, `reads` of a register to its `hears` of that write or its
 * `gets`. A write that the store refused did not happen. One that ended otherwise (no answer, an interruption, a crash,
 * the end of the run) is *unknown*: it takes effect at any later time, or never. A read without an answer says nothing.
 * No register has a value at first; values are equal as `=` says.
 *
 * The answer is exact, or undecided: there is a bound on calls of a trace, on calls under way at one time, on
 * configurations kept and on steps taken, never on time. All of it fits into four megabytes. Exhaustive search does not
 * judge this.
 */
#ifndef FENCEPOST_MODEL_LINEAR_H
#define FENCEPOST_MODEL_LINEAR_H

#include "model/plan.h"
#include "model/query.h"

#define LINEAR_CALLS (UINT32_C(1) << 16)          /* of a trace, on all registers */
#define LINEAR_SLOTS 64u                          /* calls that bear on one register at one time */
#define LINEAR_CONFIGURATIONS (UINT32_C(1) << 14) /* of one register at one time */
#define LINEAR_STEPS (UINT64_C(1) << 22)          /* of one register: about a tenth of a second */

enum linear_verdict { LINEAR_YES, LINEAR_NO, LINEAR_UNDECIDED };

/* How much memory judging this trace takes: less than a megabyte and 30 bytes for each call. 0: no program reads a
 * register, so that there is nothing to judge and a legal order for certain. */
size_t linear_bytes(const struct model_plan *p, const struct record *trace, uint32_t n_records);

/* Judges the registers of a trace in memory of linear_bytes(), more than 0, aligned for any type; it may hold anything,
 * and nothing in it counts afterwards.
 *
 * LINEAR_NO: *broken says which read has no place in any legal order; of several registers the one that breaks first.
 * .record is its answer: no order exists of the history up to there, and one does up to any earlier record. .other is
 * the call of the latest write that was answered before the read began; if that wrote what was read, the answer of the
 * latest read before; 0: if that read the same too, or there is none. .node is the reader.
 * LINEAR_UNDECIDED: none broke, and some would take too long. These are in undecided[], the first `most` of them; *n
 * says how many rows are used, with LINEAR_NO too. */
enum linear_verdict linear_judge(const struct model_plan *p, const struct record *trace, uint32_t n_records,
                                 void *memory, struct violation *broken, struct undecided *undecided, uint32_t most,
                                 uint32_t *n);

#endif
