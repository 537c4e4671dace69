/* SPDX-License-Identifier: MIT
 *
 * finding.h - what a search found in a case, told: in words, as JSON, and as the scenario file that breaks.
 */
#ifndef FENCEPOST_REPORTS_FINDING_H
#define FENCEPOST_REPORTS_FINDING_H

#include "reports/looking.h"

/* All that is told of a finding. Nothing here is owned. */
struct finding_told {
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

/* "no-stale-write is broken by w1 at 13.005s", "pause:holding is reached at 2s". line: of an `always` line, which one;
 * 0: not said. */
void finding_add_break(struct text *t, const struct space *sp, struct culprit c, ns at, uint32_t line);
/* The `always` line of the user's file that is false, also where the search is of that file without its faults; 0: it
 * is none. */
uint32_t finding_line(const struct target *target, struct culprit c);
/* " by w1"; nothing where nobody is to blame. */
void finding_add_whom(struct text *t, const struct space *sp, struct culprit c);
/* "minimal: no schedule with fewer faults ..." or why that is not said. */
void finding_add_certificate(struct text *t, const struct target *target, const struct shrunk *z);
/* Two lines: what breaks, with how many faults, and whether fewer do. */
void finding_add_words(struct text *t, const struct finding_told *f);

/* Its scenario file, with notes at its top. Where the case breaks without some of its programs or jobs, it is of a
 * scenario without them, shrunk and proved anew. */
struct finding_made {
    char *text;
    size_t length;
    struct finding_told of; /* what the file is of, with all that stands in the notes */
    struct fewer *fewer;    /* owns that, where programs or jobs were left out */
};

/* Returns STATUS_GOOD, or what went wrong; to be unmade in any case. What f points to outlives it. */
int finding_make(const struct finding_told *f, struct finding_made *out);
void finding_unmake(struct finding_made *m);

/* Makes the file, tells of it, and writes it where it goes. said: words for standard error, or none, and
 * finding_add_words() has them; with --json an object that was begun, to which "finding":{...} is added, with the file
 * in it. Returns STATUS_GOOD, or what went wrong. */
int finding_put(const struct finding_told *f, struct text *said);

#endif
