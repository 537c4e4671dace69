/* SPDX-License-Identifier: MIT
 *
 * arena.c - see arena.h.
 */
#include "scenarios/language/arena.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base.h"

#define CHUNK_BYTES ((size_t)16 * 1024)

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    max_align_t bytes[];
};

static struct arena_chunk *chunk_new(struct arena *a, size_t n)
{
    size_t size = n > CHUNK_BYTES ? n : CHUNK_BYTES;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (chunk == NULL) {
        a->failed = true;
        return NULL;
    }
    chunk->size = size;
    if (a->head != NULL && n > CHUNK_BYTES / 2) { /* a large block of its own: the current chunk stays open */
        chunk->next = a->head->next;
        a->head->next = chunk;
    } else {
        chunk->next = a->head;
        a->head = chunk;
    }
    return chunk;
}

void *arena_alloc(struct arena *a, size_t n)
{
    size_t align = sizeof(max_align_t);
    n = (n + align - 1) / align * align;
    struct arena_chunk *chunk = a->head;
    if (chunk == NULL || chunk->size - chunk->used < n)
        chunk = chunk_new(a, n);
    if (chunk == NULL)
        return NULL;
    void *out = (char *)chunk->bytes + chunk->used;
    chunk->used += n;
    return out;
}

const char *arena_text(struct arena *a, const char *text, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    if (copy == NULL)
        return "";
    if (n > 0)
        memcpy(copy, text, n);
    return copy;
}

void arena_free(struct arena *a)
{
    struct arena_chunk *chunk = a->head;
    while (chunk != NULL) {
        struct arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    a->head = NULL;
}

void *list_grow(struct arena *a, void *row, uint32_t *cap, size_t size)
{
    ASSERT(*cap < UINT32_MAX / 4);
    uint32_t more = *cap == 0 ? 8 : *cap * 2;
    void *grown = arena_alloc(a, more * size);
    if (grown == NULL)
        return row;
    if (*cap > 0)
        memcpy(grown, row, *cap * size);
    *cap = more;
    return grown;
}

/* The slot where the text stands, or where it would. */
static uint32_t interner_slot(const struct interner *in, const char *text, size_t n, uint64_t hash)
{
    uint32_t mask = in->slots - 1;
    uint32_t i = (uint32_t)(hash ^ hash >> 32) & mask;
    while (in->slot[i] != 0) {
        uint32_t id = in->slot[i] - 1;
        const char *have = in->text.row[id];
        if (in->hash.row[id] == hash && strlen(have) == n && memcmp(have, text, n) == 0)
            break;
        i = (i + 1) & mask;
    }
    return i;
}

static bool interner_rehash(struct arena *a, struct interner *in)
{
    uint32_t slots = in->slots == 0 ? 64 : in->slots * 2;
    uint32_t *slot = arena_alloc(a, slots * sizeof *slot);
    if (slot == NULL)
        return false;
    in->slot = slot;
    in->slots = slots;
    for (uint32_t id = 0; id < in->text.n; id++) {
        const char *text = in->text.row[id];
        in->slot[interner_slot(in, text, strlen(text), in->hash.row[id])] = id + 1;
    }
    return true;
}

uint32_t interner_find(const struct interner *in, const char *text, size_t n)
{
    if (in->slots == 0)
        return UINT32_MAX;
    return in->slot[interner_slot(in, text, n, hash_bytes(text, n))] - 1;
}

uint32_t intern(struct arena *a, struct interner *in, const char *text, size_t n)
{
    if (in->text.n * 2 >= in->slots && !interner_rehash(a, in))
        return UINT32_MAX;
    uint64_t hash = hash_bytes(text, n);
    uint32_t at = interner_slot(in, text, n, hash);
    if (in->slot[at] != 0)
        return in->slot[at] - 1;
    const char **row = LIST_ADD(a, &in->text);
    uint64_t *hash_row = LIST_ADD(a, &in->hash);
    *row = arena_text(a, text, n);
    *hash_row = hash;
    if (a->failed)
        return UINT32_MAX;
    in->slot[at] = in->text.n;
    return in->text.n - 1;
}
