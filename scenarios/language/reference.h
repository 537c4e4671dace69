/* SPDX-License-Identifier: MIT
 *
 * reference.h - the table of words as the reference prints it.
 */
#ifndef FENCEPOST_LANGUAGE_REFERENCE_H
#define FENCEPOST_LANGUAGE_REFERENCE_H

#include <stddef.h>

/* What stands between these two lines of scenarios/README.md is made by words_reference(). */
#define REFERENCE_BEGIN "<!-- words: made from the table of words by `make reference` -->\n"
#define REFERENCE_END "<!-- end of words -->\n"

/* Markdown, malloc'd and NUL-terminated; NULL: no memory. */
char *words_reference(size_t *length);

#endif
