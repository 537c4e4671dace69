/* SPDX-License-Identifier: MIT
 *
 * corpus.h - folders of inputs (input.h) of one space.
 *
 * Inputs mean something only to the space that they were made in, and say nothing of it. So a folder has a file
 * `FENCEPOST` beside them, which does: "fencepost corpus 1" and "space " with 16 hexadecimal digits, the space's key.
 * To libFuzzer it is an input like any other, and one that does nothing.
 */
#ifndef FENCEPOST_FUZZ_CORPUS_H
#define FENCEPOST_FUZZ_CORPUS_H

#include "fuzz/input.h"

#define CORPUS_FILE "FENCEPOST"
#define CORPUS_TEXT_MAX 256

/* Writes the file. The folder is made if it is not there. False: it cannot be. */
bool corpus_begin(const struct space *sp, const char *folder);

/* Whether the folder is a corpus of this space. If not, `problem` (CORPUS_TEXT_MAX bytes) says why. */
bool corpus_check(const struct space *sp, const char *folder, char *problem);

/* First inputs, with names that are always the same: `calm`; for each family of the menu its mildest and its gravest
 * offer at some point of the calm run where it may strike and concerns who acts (`single-0012-mild`); and what the
 * fault lines of another file's case say (`like`; NULL: none), where they are deviations of this space (`like-lines`).
 * Writes CORPUS_FILE too. False: no memory, or it cannot be written. */
bool corpus_seeds(struct space *sp, const struct compiled *like, const char *folder);

#endif
