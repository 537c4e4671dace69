/* SPDX-License-Identifier: MIT
 *
 * slips.h - for the language's tests: what is said of a text that is wrong, and where.
 */
#ifndef FENCEPOST_LANGUAGE_SLIPS_H
#define FENCEPOST_LANGUAGE_SLIPS_H

#include <stddef.h>
#include <stdint.h>

/* "3:5: unknown step 'aquire'; ..." : the first problem of a text, "" if it has none; its line and column count from
 * behind so many lines and blanks. Kept until the next call. */
const char *problem_from(const char *text, uint32_t lines, uint32_t blanks);

/* The same for lines that stand behind a world, each indented by so many blanks; the first of them is line 1. Both
 * together are shorter than 16 KiB. */
const char *problem_behind(const char *world, const char *lines, uint32_t blanks);

/* Writes the lines to `to`, each indented by so many blanks, and a 0 behind them. Returns their length. */
size_t indented(char *to, size_t bytes, const char *lines, uint32_t blanks);

struct slip {
    const char *text, *said; /* "": nothing, it is none */
};

/* Of each slip is said what should be, by one of the functions above or of reading.h. */
#define CHECK_SLIPS(slips, say) check_slips(__FILE__, __LINE__, slips, sizeof(slips) / sizeof *(slips), say)
void check_slips(const char *file, int line, const struct slip *slips, size_t n, const char *(*say)(const char *));

#endif
