/* SPDX-License-Identifier: MIT
 *
 * grade.h - what somebody made of a lesson: whether the one line was changed, nothing else was, and the case is mended.
 */
#ifndef FENCEPOST_REPORTS_GRADE_H
#define FENCEPOST_REPORTS_GRADE_H

#include "reports/front.h"

enum grade {
    GRADE_MENDED,
    GRADE_UNTOUCHED,    /* as it was handed out */
    GRADE_NOT_MENDED,   /* the case still breaks, or does not do what is expected of it */
    GRADE_LESS_GUARDED, /* its own line takes more away than it did */
    GRADE_OTHER_RUN,    /* a case that was to stay as it was runs otherwise */
    GRADE_ELSEWHERE,    /* a line was changed that is not the one to change */
    GRADE_TWICE,        /* of two files nobody knows which one is meant */
    GRADE_WRONG,        /* it has errors, which were told */
    GRADE_MISSING,      /* nothing was handed in */
    GRADES
};
extern const char *const grade_name[GRADES]; /* "mended", "not mended" ... */

struct graded {
    enum grade grade;
    struct text why; /* on one line; empty where there is nothing to say */
    bool ran;        /* the case to mend came to its end */
    uint64_t digest; /* of that run */
};

/* Grades what was handed in for a lesson. g is zero at first, and its text the caller's to free. Complains of errors of
 * the file; the status is not that of the grade: it is good where there is one. */
int grade_lesson(struct graded *g, const struct scenario *given, const struct loaded *handed_in);

#endif
