/* SPDX-License-Identifier: MIT
 *
 * outcome.h - what `fencepost run` says of a case and of a file: as text, and as JSON.
 *
 *     advisory  violates  as expected  no-stale-write: w1 wrote ledger with token 1 at 13.005s, after ...
 *     fenced    holds     as expected
 */
#ifndef FENCEPOST_REPORTS_OUTCOME_H
#define FENCEPOST_REPORTS_OUTCOME_H

#include "reports/text.h"
#include "scenarios/replay.h"

/* A file being reported. */
struct outcome_file {
    const char *path;
    const char *source; /* the text of the file */
    size_t n;
    const struct scenario *scenario;
    int name_width; /* of the longest case name */
    bool quiet;     /* what is as it should be is not said */
};

/* One case, one line and what hangs below it. again: the command that shows it again, NULL: none. */
void outcome_case(struct text *t, const struct outcome_file *f, const struct run *r, const char *again);
/* One object of "cases". */
void outcome_case_json(struct text *t, const struct outcome_file *f, const struct run *r);

/* "as expected", "NOT as expected"; of a case that says `until mended` "to be mended", "mended". */
const char *outcome_as_expected(const struct run *r);
/* What the run found instead of an expectation, as one sentence: `ledger was "from w2"`. */
void outcome_found(struct text *t, const struct run *r, const struct miss *m);
/* Why a run came to no end of its own: "the limit ... was reached"; nothing when it did. */
void outcome_error(struct text *t, const struct outcome_file *f, const struct run *r);
/* The line of the file at which the run failed, with its newline; nothing where no line did it. */
void outcome_error_line(struct text *t, const struct outcome_file *f, const struct run *r, size_t indent);
/* What to suggest instead of a limit that was reached: that many times it, but no more than the language takes; 0: it
 * is the most already. */
uint64_t outcome_raised(const char *word, uint64_t limit, uint64_t times);
/* What the run left undecided, and why: `no-lost-job "mail-7": no worker asked late enough`. */
void outcome_open(struct text *t, const struct run *r, const struct undecided *u);
/* Why question i has not one answer: `this question has no answer ...`. */
void outcome_unanswered(struct text *t, const struct run *r, uint32_t i);
/* The sentence that says that a trigger is idle or a question's time never comes, or that `decided-by` does not
 * decide. */
void outcome_idle(struct text *t, const struct idle_line *line);
void outcome_undecided(struct text *t, const struct scenario *s, const struct decision *d);

#endif
