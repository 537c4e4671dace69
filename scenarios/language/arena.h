/* SPDX-License-Identifier: MIT
 *
 * arena.h - memory that is given back all at once, and lists that grow in it.
 *
 * An arena never moves what it gave out, and zeroes it. When malloc fails, `failed` is set and stays
 * set: whoever owns the arena asks once, at the end. A list that cannot grow hands out its spare row,
 * so that callers need no check of their own; the rows of a list move when it grows, its indices do not.
 */
#ifndef FENCEPOST_LANGUAGE_ARENA_H
#define FENCEPOST_LANGUAGE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_chunk;
struct arena {
    struct arena_chunk *head;
    bool failed;
};

void *arena_alloc(struct arena *a, size_t n);                        /* zeroed; NULL: no memory */
const char *arena_text(struct arena *a, const char *text, size_t n); /* a copy with a NUL; "" without memory */
void arena_free(struct arena *a);

#define LIST(T)          \
    struct {             \
        T *row;          \
        uint32_t n, cap; \
        T spare;         \
    }
#define LIST_ADD(arena, list)                                                                       \
    ((list)->n == (list)->cap                                                                       \
         ? (void)((list)->row = list_grow((arena), (list)->row, &(list)->cap, sizeof *(list)->row)) \
         : (void)0,                                                                                 \
     (list)->n < (list)->cap ? &(list)->row[(list)->n++] : &(list)->spare)

/* Twice the room, the old rows copied; without memory the old list, and *cap as it was. */
void *list_grow(struct arena *a, void *row, uint32_t *cap, size_t size);

/* Texts with dense numbers, in the order in which they came. */
struct interner {
    LIST(const char *) text;
    LIST(uint64_t) hash;
    uint32_t *slot; /* open addressing; 1 + number, 0: free */
    uint32_t slots; /* a power of two, or 0 */
};
uint32_t intern(struct arena *a, struct interner *in, const char *text, size_t n); /* UINT32_MAX: no memory */
uint32_t interner_find(const struct interner *in, const char *text, size_t n);     /* UINT32_MAX: not there */

#endif
