/* SPDX-License-Identifier: MIT
 *
 * files.h - finding and reading scenario files. Below the front door only this file knows of files.
 *
 * A folder stands for every *.fence below it, sorted byte by byte, so that the order never depends on the
 * machine. Names that begin with a dot are left out, and links to folders are not followed: no walk
 * goes round in a circle. A file that is named is read whatever it is called; "-" is standard input, which is read
 * once and kept, so that it can be named twice.
 */
#ifndef FENCEPOST_SCENARIOS_FILES_H
#define FENCEPOST_SCENARIOS_FILES_H

#include "sim/base.h"

#define FILE_BYTES_MAX (UINT32_C(64) << 20) /* a scenario is a page or two: what is larger is a mistake */
#define FOLDER_DEPTH_MAX 32
#define FILES_MAX 100000

enum file_problem {
    FILE_OK,
    FILE_NO_MEMORY,
    FILE_MISSING,
    FILE_UNREADABLE, /* no permission, not a file, an error of the disk: error says which */
    FILE_TOO_LARGE,  /* also: too many files, folders too deep */
    FILE_NONE        /* a folder without scenarios */
};

struct files {
    char **path; /* NUL-terminated, owned */
    size_t n, capacity;
    int error; /* errno of the last problem, 0: none */
};

void files_free(struct files *f);
/* Adds a file, or what a folder holds. */
enum file_problem files_add(struct files *f, const char *path);
/* Reads a whole file into a malloc'd block (never NULL when FILE_OK, also for an empty file). */
enum file_problem file_read(const char *path, char **bytes, size_t *n, int *error);
/* The same of what is no scenario, with at most so many bytes. */
enum file_problem file_read_most(const char *path, size_t most, char **bytes, size_t *n, int *error);
/* "no such file or folder", ...; error tells more where the machine knows more. */
const char *file_problem_text(enum file_problem problem, int error);

#endif
