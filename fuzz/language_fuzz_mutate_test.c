/* SPDX-License-Identifier: MIT */
#include "fuzz/language_fuzz_mutate.h"

#include "scenarios/language/scenario.h"
#include "sim/test.h"

#define MAX 4096

static const char story[] = "fencepost 1\n"
                            "scenario \"Two cases\"\n"
                            "case plain without store-token violates no-stale-write\n"
                            "case fenced holds\n"
                            "lock leader central ttl 10s\n"
                            "store ledger\n"
                            "node w1 w2\n"
                            "w1:\n"
                            "  acquire leader\n"
                            "  work 1s\n"
                            "  write ledger \"from w1\"\n"
                            "w2:\n"
                            "  wait 11s\n"
                            "  acquire leader\n"
                            "  write ledger \"from w2\"\n"
                            "before w1 writes ledger: pause w1 for 12s\n"
                            "at end: expect ledger = \"from w2\"\n";
static const char other[] = "fencepost 1\n"
                            "case calm holds\n"
                            "lock chief central ttl 3s\n"
                            "store book\n"
                            "node n1\n"
                            "n1:\n"
                            "  acquire chief\n"
                            "  write book 3\n"
                            "at 2s: pause n1 for 4s\n";

static bool parses(const uint8_t *text, size_t n)
{
    struct diags d = {0};
    struct scenario *s = scenario_parse((const char *)text, n, "test", NULL, 0, &d);
    scenario_free(s);
    return s != NULL;
}

static size_t mutated(uint8_t *out, size_t max, uint64_t seed)
{
    memcpy(out, story, strlen(story));
    return language_mutate(out, strlen(story), max, seed);
}

static size_t crossed(uint8_t *out, size_t max, uint64_t seed)
{
    return language_cross((const uint8_t *)story, strlen(story), (const uint8_t *)other, strlen(other), out, max, seed);
}

TEST("the same seed makes the same change, whatever was changed before")
{
    static uint8_t first[MAX], again[MAX];
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t n = mutated(first, MAX, seed), m = crossed(again, MAX, seed + 7);
        CHECK(m <= MAX);
        CHECK_EQ(mutated(again, MAX, seed), n);
        CHECK(memcmp(first, again, n) == 0);
        n = crossed(first, MAX, seed);
        mutated(again, MAX, seed * 3);
        CHECK_EQ(crossed(again, MAX, seed), n);
        CHECK(memcmp(first, again, n) == 0);
    }
}

TEST("nearly every seed changes something, and most results still read, but not all")
{
    static uint8_t out[MAX];
    uint32_t changed = 0, reads = 0, all = 500;
    for (uint64_t seed = 0; seed < all; seed++) {
        size_t n = mutated(out, MAX, seed);
        changed += n != strlen(story) || memcmp(out, story, n) != 0;
        reads += parses(out, n);
    }
    CHECK(changed > all * 9 / 10);
    CHECK(reads > all / 2 && reads < all);
}

TEST("a block of another file comes with the names of this one")
{
    static uint8_t out[MAX + 1];
    uint32_t came = 0, strangers = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        size_t n = crossed(out, MAX, seed);
        out[n] = '\0';
        came += strstr((char *)out, " for 4s") != NULL && strstr((char *)out, "at 2s: pause w") != NULL;
        strangers += strstr((char *)out, "pause n1") != NULL;
    }
    CHECK(came > 0);
    CHECK_EQ(strangers, 0);
}

TEST("what is broken reads again when it is repaired")
{
    static uint8_t out[MAX];
    uint32_t broken = 0, repaired = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        size_t n = mutated(out, MAX, seed);
        if (parses(out, n))
            continue;
        broken++;
        n = language_repair(out, n, MAX);
        repaired += parses(out, n);
    }
    CHECK(broken > 0);
    CHECK(repaired > broken * 8 / 10);
    memcpy(out, "nothing", 7);
    CHECK(parses(out, language_repair(out, 7, MAX)));
    CHECK(parses(out, language_repair(out, 0, MAX)));
}

TEST("no change takes more room than there is, down to none, and none minds what bytes it finds")
{
    static uint8_t text[MAX], out[MAX];
    for (uint64_t seed = 0; seed < 300; seed++) {
        size_t n = (size_t)(seed % 64);
        for (size_t i = 0; i < n; i++)
            text[i] = (uint8_t)((seed * 7919 + i * 104729) >> 3);
        size_t max = n + seed % 3;
        memset(out, 0xEE, sizeof out);
        memcpy(out, text, n);
        CHECK(language_mutate(out, n, max, seed) <= max);
        CHECK(out[max] == 0xEE);
        memset(out, 0xEE, sizeof out);
        CHECK(language_cross(text, n, (const uint8_t *)story, strlen(story), out, max, seed) <= max);
        CHECK(out[max] == 0xEE);
        CHECK(crossed(out, 40, seed) <= 40);
        size_t full = strlen(story);
        CHECK(mutated(out, full, seed) <= full);
        CHECK(language_repair(out, 5, 20) <= 20);
    }
}
