/* SPDX-License-Identifier: MIT
 *
 * fuzz_part.h - what the parts of `fencepost fuzz` share: fuzz_command.c searches, fuzz_words.c says what was covered,
 * fuzz_state.c keeps a search in a folder, and fuzz_shards.c has parts of one, and their union.
 */
#ifndef FENCEPOST_REPORTS_FUZZ_PART_H
#define FENCEPOST_REPORTS_FUZZ_PART_H

#include "fuzz/keep.h"
#include "fuzz/shard.h"
#include "reports/finding.h"

/* One case being searched. */
struct looked {
    struct target target;
    struct search *search;
    const struct options *o;
    enum round_end end;
    bool timed_out;
    struct keep *keep;       /* of --state, NULL: none */
    struct discovery *found; /* by now; owned */
    uint32_t n_found;
    bool held; /* what is shrunk keeps its culprit: others of the case were found before */
    ns saved;  /* when the state was */
    bool cut;  /* the round under way, and what comes of it, is not kept */
};

/* --- what is searched ------------------------------------------------------------------------------ */

/* Shrinks what the search found, or one of several, as fuzz_shrinks() asks for it. False: no memory. */
bool fuzz_shrink(struct looked *k, const struct discovery *d, struct shrunk *z);
/* What is told of d, shrunk to z by *so; how: an empty text of the caller's, which has to last as long. */
struct finding_told fuzz_finding(const struct looked *k, const struct discovery *d, const struct shrunk *z,
                                 const struct shrink_options *so, struct text *how);
struct shrink_options fuzz_shrinks(const struct looked *k);
/* Whether the calm run breaks what is looked for, so that there is nothing to search: *c, which fuzz_complain_calm()
 * says. Where --find names several it complains of each that the calm run breaks, and the others are looked for. */
bool fuzz_calm_breaks(struct looked *k, struct culprit *c);
int fuzz_complain_calm(const struct looked *k, struct culprit c);
/* ROUND_NO_MEMORY, ROUND_BROKEN. */
int fuzz_complain_round(const struct looked *k);

/* --- what is said (fuzz_words.c) ------------------------------------------------------------------- */

/* A case in which nothing was found; or, with --keep-going, all that was. */
int fuzz_put_nothing(const struct looked *k);
/* The case and what was covered, as an object that is not closed. */
void fuzz_add_object(struct text *t, const struct looked *k);

/* --- the folder of --state (fuzz_state.c) ------------------------------------------------------------ */

int fuzz_state_open(struct loaded *l, const struct options *o, struct keep *keep);
/* Goes on where the folder's search ended. STATUS_FAILED: with a finding whose file had to be written again. */
int fuzz_state_take_up(struct looked *k);
/* A round that the budget cuts is not kept: what goes on with a larger one plays it whole. */
int fuzz_state_save(struct looked *k);
/* The same, if it was a second ago or more. */
int fuzz_state_save_sometimes(struct looked *k);
/* What the search has just found: into the folder, to be passed over from now on. */
int fuzz_state_note(struct looked *k);

/* --- parts of a search (fuzz_shards.c) ---------------------------------------------------------------- */

/* Searches a case, and adds what it has to all. */
int fuzz_shard_case(struct loaded *l, uint32_t i, const struct options *o, struct shards *all);
int fuzz_shards_put(const struct options *o, const struct shards *all);
/* --merge. */
int fuzz_merge(const struct options *o);

#endif
