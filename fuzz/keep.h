/* SPDX-License-Identifier: MIT
 *
 * keep.h - a folder in which searches of one scenario are kept, so that they can be killed at any moment and go on.
 *
 *     search              what is searched here: scenario, seed, arms, first swarm sample
 *     CASE.state          the search of a case, as it stood between two of its rounds
 *     CASE.INVARIANT.fence   a finding
 *     lock                held by the process that searches here, for as long as it lives
 *
 * A search that goes on from a state plays the rounds, makes the findings and counts what it would have without having
 * been interrupted, with any number of workers: what had been played since the state was written is played again. The
 * budget may be another: where it ends only cuts the last round shorter, so a search whose budget was raised goes on in
 * rounds of other sizes than one that had the larger budget from the start.
 *
 * Each file is written whole or not at all; lines.h says how.
 */
#ifndef FENCEPOST_FUZZ_KEEP_H
#define FENCEPOST_FUZZ_KEEP_H

#include "fuzz/search.h"

/* Of the files, of what a schedule does, and of which is played when: raised when one of them changes, so that no
 * search goes on in another world. */
#define KEEP_VERSION 5

enum keep_result {
    KEEP_OK,
    KEEP_NONE, /* keep_load: nothing was kept of this case; keep_has_finding: no such file is there */
    KEEP_NO_MEMORY,
    KEEP_FAILED,           /* the machine: keep.error is the errno, keep.path the file */
    KEEP_IN_USE,           /* another process searches there */
    KEEP_NO_FOLDER,        /* of that name there is something else, or a part of it is no folder */
    KEEP_FOREIGN,          /* the folder holds other things, and nothing of ours */
    KEEP_DAMAGED,          /* keep.path is not what was written */
    KEEP_OTHER_VERSION,    /* written by a Fencepost whose files or runs are others */
    KEEP_OTHER_SCENARIO,   /* another scenario, other settings or gates; or another menu or case of this name */
    KEEP_OTHER_SEED,       /* another seed */
    KEEP_OTHER_ARMS,       /* other arms */
    KEEP_OTHER_INVARIANTS, /* other violations are looked for, or abstract states noted */
    KEEP_OTHER_SAMPLES     /* the swarm began at another sample */
};
const char *keep_result_text(enum keep_result result); /* "another seed", ...: a few words, without the path */

/* What is searched in a folder, in whichever case. */
struct keep_what {
    uint64_t scenario; /* keep_scenario() */
    uint64_t seed;
    uint32_t arms;
    uint64_t first_swarm;
};

struct keep {
    struct keep_what what;
    char *folder; /* owned */
    int lock;     /* file descriptor */
    int error;    /* of the last call: errno */
    char *path;   /* of the last call: the file that it wrote, read, or failed at; owned. NULL: none */
};

/* A hash of a scenario's text in canonical form, with its comments, and of what the command line adds: settings, gates
 * taken away and put back, signs (as space_new() takes them). False: no memory. */
bool keep_scenario(const struct scenario *s, const struct setting *settings, uint32_t n_settings, uint32_t without,
                   uint32_t put_back, uint32_t signs, uint64_t *out);

/* Makes the folder if it is not there (its parent is), and locks it until keep_close(), or until this process is dead;
 * processes that it forks do not hold the lock. Within one process a folder is opened once. Nothing is written into a
 * folder that is refused. Whatever the result, keep_close() frees. */
enum keep_result keep_open(struct keep *k, const char *folder, const struct keep_what *what);
void keep_close(struct keep *k);

/* Keeps the search as it stands between two rounds, and what the caller found so far, in its order. Anything but
 * KEEP_OK: what was kept before is kept still. */
enum keep_result keep_save(struct keep *k, const struct search *s, const struct discovery *found, uint32_t n_found);

/* Puts a search that search_new() just made where the kept one stood. *found is malloc'd, NULL where n_found is 0.
 * Anything but KEEP_OK: the search is as it was, and *found NULL. */
enum keep_result keep_load(struct keep *k, struct search *s, struct discovery **found, uint32_t *n_found);

/* Passes over all of these from now on, each culprit once: what a search that goes on behind its findings does with
 * those that it has kept. False: no memory. */
bool keep_known(struct search *s, const struct discovery *found, uint32_t n_found);

/* Writes the file of found[i], whose text the caller made: CASE.INVARIANT.fence, and CASE.INVARIANT-2.fence for the
 * second of the list that breaks this invariant by somebody else. Written again, it has the same name: k->path. */
enum keep_result keep_finding(struct keep *k, const struct search *s, const struct discovery *found, uint32_t i,
                              const char *text, size_t n);
/* Whether that file is there: KEEP_NONE where somebody took it away. */
enum keep_result keep_has_finding(struct keep *k, const struct search *s, const struct discovery *found, uint32_t i);

#endif
