/* SPDX-License-Identifier: MIT
 *
 * naming.h - for the model's tests: the names of a plan that is written by hand.
 */
#ifndef FENCEPOST_MODEL_NAMING_H
#define FENCEPOST_MODEL_NAMING_H

#include "sim/base.h"

/* n names and their hashes, which are written to `hash`; both tables have to outlive what is returned. */
static inline struct names named(uint64_t *hash, const char *const *text, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        hash[i] = hash_text(text[i]);
    return (struct names){n, text, hash};
}

#endif
