/* SPDX-License-Identifier: MIT
 *
 * lessons.h - the lessons as they are handed out: scenarios/lessons, as the build put it into the program.
 *
 * Whoever grades needs the original, and the folder that holds it may be the one that was changed.
 */
#ifndef FENCEPOST_REPORTS_LESSONS_H
#define FENCEPOST_REPORTS_LESSONS_H

#include "sim/base.h"

struct handed_out {
    const char *name; /* of the file, without its `.fence` */
    const char *text; /* not NUL-terminated */
    size_t n;
};
extern const struct handed_out lessons[]; /* in the order of their names, which is that of a course */
extern const uint32_t lessons_n;

#endif
