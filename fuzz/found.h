/* SPDX-License-Identifier: MIT
 *
 * found.h - a schedule as lines of the language, and as a scenario file that shows what it breaks.
 */
#ifndef FENCEPOST_FUZZ_FOUND_H
#define FENCEPOST_FUZZ_FOUND_H

#include "fuzz/player.h"

#define FOUND_LINE_MAX 1024

/* The deviations of a run as fault lines, in the order in which they struck. Plays it. Owned by the caller; see
 * found_free(). */
struct found_lines {
    uint32_t n;
    char (*line)[FOUND_LINE_MAX];
    struct schedule made; /* by line: its deviation */
    uint32_t inert;       /* deviations that met no point, and have no line */
};

/* False: no memory. */
bool found_lines(struct player *p, const struct schedule *s, struct found_lines *out);
void found_free(struct found_lines *f);

/* "no-stale-write", "always", or a situation. Lasts. */
const char *culprit_name(const struct space *sp, struct culprit c);

struct found_file {
    uint32_t without;         /* gates that the search took away beyond the case's own */
    uint32_t put_back;        /* gates that it kept although the case takes them away */
    const char *const *notes; /* comments at the top */
    uint32_t n_notes;
    const uint32_t *dropped; /* lines of the file that are left out */
    uint32_t n_dropped;
    ns until; /* 0: the file's own */
};

/* The scenario file: a case that says what breaks, and the lines. malloc'd; NULL: no memory. It reads back, and its
 * case does what it says; *good says whether that was so (it is a bug if it is not). */
char *found_text(const struct scenario *s, uint32_t case_index, struct player *p, const struct schedule *schedule,
                 struct culprit culprit, const struct found_file *f, size_t *length, bool *good);

#endif
