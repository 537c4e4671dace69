/* SPDX-License-Identifier: MIT
 *
 * visited_test.c - the table of states: what counts as seen, growth, and no byte more than it may take.
 */
#include "fuzz/sample.h"
#include "fuzz/visited.h"
#include "sim/test.h"

#include <stdlib.h>

#define FIRST (UINT64_C(64) << 10) /* bytes of a new table */
#define FIRST_FULL (FIRST / 8 / 8 * 7)
#define ROOMY (UINT64_C(64) << 20)

static struct visited v;

static uint64_t digest(uint64_t i) { return sample_hash(77, i); }

/* How many new states it takes until there is no room; most: give up. */
static uint64_t fill(uint64_t from, uint64_t most)
{
    for (uint64_t i = from; i < from + most; i++)
        if (visited_add(&v, digest(i), 0, 0) != SEEN_NEW)
            return i - from;
    return most;
}

TEST("a state is seen by who has no more faults left, and new to who has more")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK_EQ(visited_add(&v, 5, 2, 0), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 2, 0), SEEN_BEFORE);
    CHECK_EQ(visited_add(&v, 5, 1, 0), SEEN_BEFORE);
    CHECK_EQ(visited_add(&v, 5, 0, 0), SEEN_BEFORE);
    CHECK_EQ(visited_add(&v, 5, 3, 0), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 3, 0), SEEN_BEFORE);
    CHECK_EQ(visited_add(&v, 6, 0, 0), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, VISITED_LEFT_MAX, 0), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, VISITED_LEFT_MAX, 0), SEEN_BEFORE);
    CHECK_EQ(v.n, 2);
    visited_end(&v);
}

static void add_too_many_left(void *context)
{
    (void)context;
    (void)visited_add(&v, 1, VISITED_LEFT_MAX + 1, 0);
}

TEST("more faults left than a row has room for are refused")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK(test_asserts(add_too_many_left, NULL, NULL));
    visited_end(&v);
}

TEST("the digest 0 is a state as others are, and so are digests that differ in one bit")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK_EQ(visited_add(&v, 0, 0, 0), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 0, 0, 0), SEEN_BEFORE);
    for (int bit = 0; bit < 64; bit++) {
        CHECK_EQ(visited_add(&v, UINT64_C(1) << bit, 1, 0), SEEN_NEW);
        CHECK_EQ(visited_add(&v, UINT64_C(1) << bit, 1, 0), SEEN_BEFORE);
    }
    CHECK_EQ(v.n, 65);
    visited_end(&v);
}

TEST("it grows when it is seven eighths full, and forgets nothing")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK_EQ(fill(0, FIRST_FULL), FIRST_FULL);
    CHECK_EQ(visited_bytes(&v), FIRST);
    CHECK_EQ(fill(FIRST_FULL, 1), 1);
    CHECK_EQ(visited_bytes(&v), 2 * FIRST);
    CHECK_EQ(fill(FIRST_FULL + 1, 40000), 40000);
    CHECK_EQ(v.n, FIRST_FULL + 40001);
    CHECK(v.n <= v.size / 8 * 7);
    uint64_t again = 0;
    for (uint64_t i = 0; i < v.n; i++)
        again += visited_add(&v, digest(i), 0, 0) == SEEN_BEFORE;
    CHECK_EQ(again, FIRST_FULL + 40001);
    visited_end(&v);
}

TEST("it takes no more memory than it may, with the old table beside the new: a byte less and it does not grow")
{
    CHECK(visited_begin(&v, 0)); /* the first is always there */
    CHECK_EQ(fill(0, 2 * FIRST_FULL), FIRST_FULL);
    CHECK_EQ(visited_add(&v, digest(0), 0, 0), SEEN_BEFORE);
    CHECK_EQ(visited_add(&v, digest(0), 1, 0), SEEN_NEW); /* it has its row */
    visited_end(&v);
    CHECK(visited_begin(&v, 3 * FIRST - 1));
    CHECK_EQ(fill(0, 2 * FIRST_FULL), FIRST_FULL);
    visited_end(&v);
    CHECK(visited_begin(&v, 3 * FIRST));
    CHECK_EQ(fill(0, 3 * FIRST_FULL), 2 * FIRST_FULL);
    CHECK_EQ(visited_bytes(&v), 2 * FIRST);
    visited_end(&v);
    CHECK(visited_begin(&v, 6 * FIRST - 1));
    CHECK_EQ(fill(0, 5 * FIRST_FULL), 2 * FIRST_FULL);
    visited_end(&v);
    CHECK(visited_begin(&v, 6 * FIRST));
    CHECK_EQ(fill(0, 5 * FIRST_FULL), 4 * FIRST_FULL);
    visited_end(&v);
}

/* --- the horizon -------------------------------------------------------------------------------- */

TEST("where the horizon cut what follows, who comes earlier has more to see, and who comes later has not")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK_EQ(visited_add(&v, 5, 1, 100), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 1, 50), SEEN_BEFORE); /* nothing was cut */
    CHECK(visited_cut(&v, 5, 1, 100));
    CHECK_EQ(visited_add(&v, 5, 1, 101), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 5, 0, 100), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 5, 1, 99), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 1, 99), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 6, 0, 99), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 6, 0, 0), SEEN_BEFORE);
    visited_end(&v);
}

TEST("who came early with few left and who came late with many are both remembered")
{
    CHECK(visited_begin(&v, ROOMY));
    CHECK_EQ(visited_add(&v, 5, 3, 100), SEEN_NEW);
    CHECK(visited_cut(&v, 5, 3, 100));
    CHECK_EQ(visited_add(&v, 5, 1, 10), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 1, 10), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 5, 0, 10), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 5, 2, 100), SEEN_BEFORE_CUT);
    CHECK_EQ(visited_add(&v, 5, 2, 10), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 4, 200), SEEN_NEW);
    CHECK_EQ(visited_add(&v, 5, 3, 1), SEEN_BEFORE); /* by who had four: nothing was cut behind it */
    visited_end(&v);
}

TEST("what was cut grows too, within the same memory")
{
    CHECK(visited_begin(&v, ROOMY));
    uint64_t n = 20000;
    CHECK_EQ(fill(0, n), n);
    for (uint64_t i = 0; i < n; i++)
        CHECK(visited_cut(&v, digest(i), 0, (ns)i));
    CHECK_EQ(v.cuts_n, n);
    CHECK_EQ(v.n, n);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < n; i++)
        wrong += visited_add(&v, digest(i), 0, (ns)i) != SEEN_BEFORE_CUT;
    CHECK_EQ(wrong, 0);
    visited_end(&v);
    CHECK(visited_begin(&v, 2 * FIRST - 1));
    CHECK_EQ(visited_add(&v, 5, 0, 7), SEEN_NEW);
    CHECK(!visited_cut(&v, 5, 0, 7));
    visited_end(&v);
    CHECK(visited_begin(&v, 2 * FIRST));
    CHECK_EQ(fill(0, FIRST_FULL), FIRST_FULL);
    for (n = 0; visited_cut(&v, digest(n), 0, 7); n++)
        ;
    CHECK_EQ(n, FIRST_FULL / 2);
    CHECK_EQ(visited_add(&v, digest(n - 1), 0, 6), SEEN_NEW); /* it has its row */
    visited_end(&v);
}

/* --- against a list -------------------------------------------------------------------------------- */

struct visit {
    uint64_t digest;
    uint32_t left;
    ns at;
    bool cut;
};

TEST("whatever is added and cut in whatever order, only what was seen is called seen")
{
    static struct visit list[4000];
    uint32_t n = 0, seen = 0;
    CHECK(visited_begin(&v, ROOMY));
    for (uint64_t i = 0; i < 4000; i++) {
        struct visit a = {digest(sample_hash(1, i) % 60), (uint32_t)(sample_hash(2, i) % 4),
                          (ns)(sample_hash(3, i) % 8), sample_hash(4, i) % 2 == 0};
        bool covered = false;
        for (uint32_t k = 0; k < n; k++)
            covered |= list[k].digest == a.digest && list[k].left >= a.left && (list[k].at <= a.at || !list[k].cut);
        enum seen is = visited_add(&v, a.digest, a.left, a.at);
        CHECK(is == SEEN_NEW || covered);
        seen += is != SEEN_NEW;
        if (is == SEEN_NEW && a.cut)
            CHECK(visited_cut(&v, a.digest, a.left, a.at));
        if (is == SEEN_NEW)
            list[n++] = a;
    }
    CHECK(seen > 2000);
    visited_end(&v);
}
