/* SPDX-License-Identifier: MIT
 *
 * finding.h - what a search found in a case, told: in words, as JSON, and as the scenario file that breaks.
 */
#ifndef FENCEPOST_REPORTS_FINDING_H
#define FENCEPOST_REPORTS_FINDING_H

#include "reports/looking.h"

/* All that is told of a finding. Nothing here is owned. */
struct telling {
    const struct target *target;
    const struct options *o;
    struct player *player; /* of the target's space */
    const struct shrunk *z;
    const struct shrink_options *so; /* by which z was shrunk */
    const struct discovery *by;      /* the samples': after how many, by which arm; NULL: they did not find it */
    const char *how;                 /* where it is from, for the file; NULL: not said */
};

/* As the command line asks for it; said on a terminal, and stopped by a signal. */
struct shrink_options finding_shrinks(const struct options *o);

/* "no-stale-write is broken by w1 at 13.005s", "pause:holding is reached at 2s"; with_line: of an `always` line of the
 * file that was searched, which line: another file has it elsewhere. */
void finding_add_break(struct text *t, const struct space *sp, struct culprit c, ns at, bool with_line);
/* " by w1"; nothing where nobody is to blame. */
void finding_add_whom(struct text *t, const struct space *sp, struct culprit c);
/* "minimal: no schedule with fewer faults ..." or why that is not said. */
void finding_add_certificate(struct text *t, const struct target *target, const struct shrunk *z);
/* Two lines: what breaks, with how many faults, and whether fewer do. */
void finding_add_words(struct text *t, const struct telling *f);

/* The scenario file, with notes at its top; without: gates that it removes. NULL: *status says why. malloc'd. */
char *finding_file(const struct telling *f, uint32_t without, size_t *length, int *status);
/* The same, and where the case breaks without some of its programs or jobs, from a scenario without them, shrunk and
 * proved anew. */
char *finding_smallest(const struct telling *f, size_t *length, int *status);

/* Tells it, and writes the file where it goes. said: words, for standard error; with --json an object that was begun,
 * to which "finding":{...} is added, with the file in it. Returns STATUS_GOOD, or what went wrong. */
int finding_put(const struct telling *f, struct text *said);

#endif
