/* SPDX-License-Identifier: MIT
 *
 * base.c - the hash of names, and where a failed assertion goes.
 *
 * Names are hashed byte by byte (64-bit FNV-1a), so the hash does not know the machine's byte
 * order. It fixes the starting values of clocks and stands in the trace digest: never change it.
 */
#include "sim/base.h"

#include <stdlib.h>

assert_hook_fn assert_hook;

_Noreturn void assert_failed(const char *expression, const char *file, int line)
{
    if (assert_hook != NULL)
        assert_hook(expression, file, line);
    abort();
}

uint64_t hash_bytes(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

uint64_t hash_text(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return hash_bytes(text, n);
}
