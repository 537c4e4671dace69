/* SPDX-License-Identifier: MIT
 *
 * visited.c - see visited.h.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "fuzz/visited.h"

#include <sys/mman.h>

#define FIRST_BYTES (UINT64_C(64) << 10)

/* Zeroed. NULL: no memory. */
static void *map(uint64_t bytes)
{
    if (bytes > SIZE_MAX)
        return NULL;
    void *at = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= UINT64_C(4) << 20)
        (void)madvise(at, (size_t)bytes, MADV_HUGEPAGE);
#endif
    return at;
}

bool visited_begin(struct visited *v, uint64_t most_bytes)
{
    *v = (struct visited){.most = most_bytes, .mapped = FIRST_BYTES};
    v->row = map(FIRST_BYTES);
    v->size = FIRST_BYTES / sizeof *v->row;
    return v->row != NULL;
}

void visited_end(struct visited *v)
{
    if (v->row != NULL)
        (void)munmap(v->row, v->mapped);
    if (v->cuts != NULL)
        (void)munmap(v->cuts, v->cuts_mapped);
    v->row = NULL;
    v->cuts = NULL;
}

uint64_t visited_bytes(const struct visited *v) { return (uint64_t)v->mapped + v->cuts_mapped; }

/* A table that grows to so many bytes stands beside the one that it takes the place of. */
static bool fits(const struct visited *v, uint64_t bytes)
{
    uint64_t used = visited_bytes(v);
    return used <= v->most && bytes <= v->most - used;
}

static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    h ^= h >> 29;
    h *= UINT64_C(0x94D049BB133111EB);
    return (h ^ h >> 32) & ~UINT64_C(15);
}

static uint64_t *find(const struct visited *v, uint64_t digest)
{
    uint64_t i = digest >> 4 & (v->size - 1);
    while (v->row[i] != 0 && (v->row[i] & ~UINT64_C(15)) != digest)
        i = (i + 1) & (v->size - 1);
    return &v->row[i];
}

static bool grow(struct visited *v)
{
    struct visited wider = *v;
    wider.size = 2 * v->size;
    wider.mapped = 2 * v->mapped;
    wider.row = fits(v, wider.mapped) ? map(wider.mapped) : NULL;
    if (wider.row == NULL)
        return false;
    for (uint64_t i = 0; i < v->size; i++)
        if (v->row[i] != 0)
            *find(&wider, v->row[i] & ~UINT64_C(15)) = v->row[i];
    (void)munmap(v->row, v->mapped);
    *v = wider;
    return true;
}

/* --- what the horizon cut ------------------------------------------------------------------------- */

static uint64_t key_of(uint64_t digest, uint32_t left) { return mix(digest + left) | 1; }

static struct cut *find_cut(const struct visited *v, uint64_t key)
{
    uint64_t i = key >> 4 & (v->cuts_size - 1);
    while (v->cuts[i].key != 0 && v->cuts[i].key != key)
        i = (i + 1) & (v->cuts_size - 1);
    return &v->cuts[i];
}

static bool grow_cuts(struct visited *v)
{
    struct visited wider = *v;
    wider.cuts_mapped = v->cuts == NULL ? FIRST_BYTES : 2 * v->cuts_mapped;
    wider.cuts_size = wider.cuts_mapped / sizeof *v->cuts;
    wider.cuts = fits(v, wider.cuts_mapped) ? map(wider.cuts_mapped) : NULL;
    if (wider.cuts == NULL)
        return false;
    for (uint64_t i = 0; i < v->cuts_size; i++)
        if (v->cuts[i].key != 0)
            *find_cut(&wider, v->cuts[i].key) = v->cuts[i];
    if (v->cuts != NULL)
        (void)munmap(v->cuts, v->cuts_mapped);
    *v = wider;
    return true;
}

/* digest as the rows have it. */
static bool keep_cut(struct visited *v, uint64_t digest, uint32_t left, ns at)
{
    uint64_t key = key_of(digest, left);
    struct cut *cut = v->cuts == NULL ? NULL : find_cut(v, key);
    if (cut == NULL || cut->key == 0) {
        if (v->cuts_n >= v->cuts_size / 8 * 7 && !grow_cuts(v))
            return false;
        cut = find_cut(v, key);
        v->cuts_n++;
    }
    if (cut->key == 0 || cut->at > at)
        *cut = (struct cut){key, at};
    return true;
}

/* Of a state that was there with up to `most` left: whether somebody who had `left` or more saw all that follows. */
static enum seen seen_by_now(struct visited *v, uint64_t digest, uint32_t left, uint32_t most, ns at)
{
    if (v->cuts_n == 0 || find_cut(v, key_of(digest, most))->key == 0)
        return SEEN_BEFORE;
    for (uint32_t l = left; l <= most; l++) {
        const struct cut *cut = find_cut(v, key_of(digest, l));
        if (cut->key != 0 && cut->at <= at)
            return SEEN_BEFORE_CUT;
    }
    return keep_cut(v, digest, left, at) ? SEEN_NEW : SEEN_NO_ROOM;
}

/* --- states ------------------------------------------------------------------------------------------ */

static uint64_t row_of(uint64_t digest)
{
    digest = mix(digest);
    return digest == 0 ? 16 : digest;
}

bool visited_cut(struct visited *v, uint64_t digest, uint32_t left, ns at)
{
    return keep_cut(v, row_of(digest), left, at);
}

enum seen visited_add(struct visited *v, uint64_t digest, uint32_t left, ns at)
{
    ASSERT(left <= VISITED_LEFT_MAX);
    digest = row_of(digest);
    uint64_t *row = find(v, digest);
    if (*row == 0) {
        if (v->n >= v->size / 8 * 7) {
            if (!grow(v))
                return SEEN_NO_ROOM;
            row = find(v, digest);
        }
        v->n++;
    } else if ((*row & 15) > left) {
        return seen_by_now(v, digest, left, (uint32_t)(*row & 15) - 1, at);
    }
    *row = digest | (left + 1);
    return SEEN_NEW;
}
