/* SPDX-License-Identifier: MIT
 *
 * convert.h - inputs of the fuzz target as scenario files, and the fault lines of files as schedules.
 */
#ifndef FENCEPOST_FUZZ_CONVERT_H
#define FENCEPOST_FUZZ_CONVERT_H

#include "fuzz/input.h"

#define CONVERT_TEXT_MAX 256

/* The scenario file of an input: the case with its lines, which says what breaks in it. malloc'd (NUL-terminated,
 * *length without it). without: gates that the space was made without, beyond the case's own. NULL: `problem`
 * (CONVERT_TEXT_MAX bytes) says why. */
char *convert_to_file(const struct scenario *s, uint32_t case_index, uint32_t without, struct player *p,
                      const uint8_t *data, size_t n, size_t *length, char *problem);

struct converted {
    struct schedule schedule; /* whole addresses, each of a point of the file's own run */
    uint32_t left_out;        /* fault lines that are none of this space's deviations */
    uint32_t brought;         /* with exact: faults beside the menu, see space_own() */
    uint32_t near;            /* deviations whose magnitude the menu does not have: it has the nearest */
    uint32_t line;            /* the first line that is left out */
    const char *why;          /* and why; NULL: none is */
};

/* The fault lines of a file's case that the space's case does not have itself, as a schedule of the space. The file is
 * one that convert_to_file() or a search wrote, or any whose actors have the same names. exact: what the menu does not
 * have just so is brought in beside it; else the nearest is taken. Plays it. False: no memory. */
bool convert_from_file(struct space *sp, const struct compiled *file, bool exact, struct converted *out);

#endif
