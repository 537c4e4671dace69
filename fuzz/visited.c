/* SPDX-License-Identifier: MIT
 *
 * visited.c - see visited.h.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "fuzz/visited.h"

#include <sys/mman.h>

#define FIRST_BYTES (UINT64_C(64) << 10)

/* Zeroed. NULL: no memory. */
static uint64_t *map(uint64_t bytes)
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
    v->row = NULL;
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
    if (v->mapped > v->most / 3) /* the old one and the new */
        return false;
    wider.mapped = 2 * v->mapped;
    wider.row = map(wider.mapped);
    if (wider.row == NULL)
        return false;
    for (uint64_t i = 0; i < v->size; i++)
        if (v->row[i] != 0)
            *find(&wider, v->row[i] & ~UINT64_C(15)) = v->row[i];
    visited_end(v);
    *v = wider;
    return true;
}

enum seen visited_add(struct visited *v, uint64_t digest, uint32_t left)
{
    ASSERT(left <= VISITED_LEFT_MAX);
    digest = mix(digest);
    digest = digest == 0 ? 16 : digest;
    uint64_t *at = find(v, digest);
    if (*at == 0) {
        if (v->n >= v->size / 8 * 7) {
            if (!grow(v))
                return SEEN_NO_ROOM;
            at = find(v, digest);
        }
        v->n++;
    } else if ((*at & 15) > left) {
        return SEEN_BEFORE;
    }
    *at = digest | (left + 1);
    return SEEN_NEW;
}
