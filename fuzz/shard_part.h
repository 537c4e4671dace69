/* SPDX-License-Identifier: MIT
 *
 * shard_part.h - what shard.c and shard_text.c share.
 */
#ifndef FENCEPOST_FUZZ_SHARD_PART_H
#define FENCEPOST_FUZZ_SHARD_PART_H

#include "fuzz/shard.h"

/* The range stands behind all that the set has, touches or overlaps the last of it, or is empty. False: no memory. */
bool shard_set_append(struct shard_set *set, struct shard_range range);
bool shard_set_holds(const struct shard_set *set, struct shard_range range); /* all of it */

/* malloc'd and NUL-terminated; NULL: no memory. */
char *shard_copy(const char *bytes, size_t n);

void shard_finding_free(struct shard_finding *f);
int shard_by_culprit(const struct shard_finding *a, const struct shard_finding *b); /* as strcmp */
/* Takes it over, into its place, if no earlier sample is there. False: no memory, and it is freed. */
bool shard_put_finding(struct shard *r, struct shard_finding *f);

#endif
