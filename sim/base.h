/* SPDX-License-Identifier: MIT
 *
 * base.h - what every file of Fencepost may count on: fixed-width types, true
 * time in nanoseconds, values with a tag, assertions that stay on, and the one
 * hash that is used wherever a hash is needed.
 *
 * Nothing here allocates, prints, or reads a clock.
 */
#ifndef FENCEPOST_SIM_BASE_H
#define FENCEPOST_SIM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True time, clock readings and durations: nanoseconds, at most NS_MAX. */
typedef int64_t ns;

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define NS_MAX (INT64_C(1) << 53) /* 104 days; exact in a double too, for JavaScript */
#define NS_NEVER INT64_MAX

/* An index into struct names. */
typedef uint16_t name_id;

#define NONE16 UINT16_C(0xffff) /* "no thread", "no process", "no name", "no connection" */
#define NONE32 UINT32_C(0xffffffff)

/* What a value is. Values are 64 bits and a tag; a text is the name_id of a literal. */
enum tag {
    TAG_NONE, /* no value at all: prints as `none` */
    TAG_INT,  /* a plain number: tokens, versions, counts */
    TAG_NS,   /* a duration or a clock's reading */
    TAG_TEXT, /* name_id of a string literal: prints in quotes */
    TAG_NAME, /* name_id of a node, service, error ...: prints bare */
    TAG_BOOL, /* 0 or 1 */
    TAGS
};

struct value {
    int64_t v;
    uint64_t tag; /* enum tag; 64 bits wide so that the struct has no padding */
};

/* Names of everything that can stand in a trace, interned when a scenario is loaded.
 * Owned by whoever loaded the scenario; constant during runs. Ids are dense from 0. */
struct names {
    uint32_t n;
    const char *const *text; /* NUL-terminated; a literal may hold any byte but NUL */
    const uint64_t *hash;    /* hash_text() of each: what digests use, never the id */
};

/* --- assertions: bugs, on in every build ------------------------------------------ */

/* Where a failed assertion reports. fencepost.c and the tests install a hook that prints
 * and does not return; without one the process aborts in silence. sim/ has no stdio. */
typedef void (*assert_hook_fn)(const char *expression, const char *file, int line);
extern assert_hook_fn assert_hook;
_Noreturn void assert_failed(const char *expression, const char *file, int line);

#define ASSERT(x) ((x) ? (void)0 : assert_failed(#x, __FILE__, __LINE__))

/* A defensive branch that no input can take: a constant in coverage builds, so that it does
 * not count as an untested branch; an assertion everywhere else. */
#ifdef FENCEPOST_COVERAGE
#define NEVER(x) 0
#else
#define NEVER(x) ((x) ? (assert_failed("NEVER(" #x ")", __FILE__, __LINE__), 1) : 0)
#endif

/* What hardly ever runs: kept out of its caller, so that what always runs stays short. */
#if defined(__GNUC__)
#define COLD __attribute__((cold, noinline))
#else
#define COLD
#endif

/* The same of what does run often, but in some runs alone: it is not made small at the cost of its speed. */
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

/* --- hashing ---------------------------------------------------------------------- */

/* 64-bit FNV-1a over bytes: the hash of a name. It fixes clocks' starting values
 * (design.md 7), so it never changes. */
uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t hash_text(const char *text);

/* One step of the word hash behind the trace and state digests. */
static inline uint64_t hash_step(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

#endif
