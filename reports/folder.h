/* SPDX-License-Identifier: MIT
 *
 * folder.h - a folder of pages: what each file in it is called, and how one is written whole or not at all.
 */
#ifndef FENCEPOST_REPORTS_FOLDER_H
#define FENCEPOST_REPORTS_FOLDER_H

#include "reports/text.h"

/* The names that are taken, case or not: a folder that some systems hold may not tell `A` from `a`. */
struct folder_names {
    char **name; /* relative, with '/', NUL-terminated; owned */
    uint32_t n, capacity;
    uint32_t *slot; /* 1 + index, by hash; 0: free */
    uint32_t slots; /* a power of two */
};

/* A name for the page of the scenario at `path`, found below `root` (as the command line named both; equal for a file
 * that is named): `seeds/f1.html` for scenarios/seeds/f1.fence below scenarios. A name that is taken gets a number:
 * `f1-2.html`. The result is owned by names. NULL: no memory. */
const char *folder_name(struct folder_names *names, const char *root, const char *path);
/* Takes a name as it is; false: no memory. */
bool folder_take(struct folder_names *names, const char *name);
void folder_names_free(struct folder_names *names);

/* Writes folder/name, and the folders that it needs: under another name first, then renamed. 0, or errno; then no
 * half of it is left. */
int folder_write(const char *folder, const char *name, const struct text *t);

#endif
