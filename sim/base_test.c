/* SPDX-License-Identifier: MIT */
#include "sim/base.h"

#include "sim/test.h"

TEST("the hash of a name is 64-bit FNV-1a")
{
    CHECK(hash_text("") == UINT64_C(0xcbf29ce484222325));
    CHECK(hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    CHECK(hash_text("foobar") == UINT64_C(0x85944171f73967e8));
}

TEST("hashing bytes and hashing text agree, and bytes may be zero")
{
    CHECK(hash_bytes("foobar", 6) == hash_text("foobar"));
    CHECK(hash_bytes("a\0b", 3) != hash_bytes("a\0c", 3));
}

TEST("every bit of a word changes the word hash")
{
    for (int bit = 0; bit < 64; bit++)
        CHECK(hash_step(1, 7) != hash_step(1, 7 ^ UINT64_C(1) << bit));
}

static void fail(void *context) { ASSERT(context != NULL); }

TEST("a failed assertion reports its expression")
{
    const char *expression = "";
    CHECK(test_asserts(fail, NULL, &expression));
    CHECK_STR(expression, "context != NULL");
    CHECK(!test_asserts(fail, &expression, NULL));
}
