/* SPDX-License-Identifier: MIT */
#include "sim/queue.h"

#include "sim/test.h"

#define ROOM 200

/* The naive twin: a sorted array. */
struct sorted {
    struct key keys[ROOM];
    uint32_t n;
};

static uint64_t draw(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void sorted_add(struct sorted *s, struct key k)
{
    uint32_t i = s->n;
    for (; i > 0 && key_less(k, s->keys[i - 1]); i--)
        s->keys[i] = s->keys[i - 1];
    s->keys[i] = k;
    s->n++;
}

static struct key sorted_take(struct sorted *s, uint32_t position)
{
    struct key k = s->keys[position];
    for (uint32_t i = position; i + 1 < s->n; i++)
        s->keys[i] = s->keys[i + 1];
    s->n--;
    return k;
}

static bool same(struct key a, struct key b) { return a.at == b.at && a.order == b.order; }

static struct key draw_key(uint64_t *random, uint64_t sequence)
{
    uint64_t r = draw(random);
    return (struct key){(ns)(r % 50),
                        key_order((enum event_class)(r >> 32 & 3), sequence, (uint32_t)sequence & 0xfffff)};
}

TEST("a queue and a sorted array say the same through random pushes, pops and removals")
{
    static struct key keys[ROOM + QUEUE_ROOM];
    static struct sorted twin;
    uint32_t n = 0;
    uint64_t random = 1;
    bool agree = true;
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t what = draw(&random) % 100;
        uint64_t grows = i / 1000 % 2 ? 60 : 45; /* fills up, empties, in turn */
        if (n < ROOM && (what < grows || n == 0)) {
            struct key k = draw_key(&random, i);
            queue_push(keys, &n, k);
            sorted_add(&twin, k);
        } else if (what < 90) {
            agree = agree && same(queue_pop(keys, &n), sorted_take(&twin, 0));
        } else if (what < 95) {
            struct key k = draw_key(&random, i);
            agree = agree && same(keys[0], sorted_take(&twin, 0));
            queue_replace(keys, n, k);
            sorted_add(&twin, k);
        } else {
            struct key k = sorted_take(&twin, (uint32_t)(draw(&random) % twin.n));
            uint32_t position = queue_find(keys, n, key_slot(k));
            agree = agree && position != NONE32 && same(keys[position], k);
            queue_remove(keys, &n, position);
        }
        agree = agree && n == twin.n;
    }
    CHECK(agree);
}

TEST("keys changed at will are in order again after queue_order")
{
    static struct key keys[ROOM + QUEUE_ROOM];
    uint64_t random = 2;
    for (uint32_t size = 0; size < ROOM; size++) {
        static struct sorted twin;
        twin.n = 0;
        uint32_t n = size;
        for (uint32_t i = 0; i < size; i++) {
            keys[i] = draw_key(&random, i);
            sorted_add(&twin, keys[i]);
        }
        queue_order(keys, n);
        while (n > 0)
            CHECK(same(queue_pop(keys, &n), sorted_take(&twin, 0)));
    }
}

TEST("at one instant faults go before backlog, messages and timers, and then by sequence")
{
    struct key keys[5 + QUEUE_ROOM];
    uint32_t n = 0;
    queue_push(keys, &n, (struct key){7, key_order(CLASS_TIMER, 1, 0)});
    queue_push(keys, &n, (struct key){7, key_order(CLASS_MESSAGE, 2, 1)});
    queue_push(keys, &n, (struct key){7, key_order(CLASS_BACKLOG, 3, 2)});
    queue_push(keys, &n, (struct key){7, key_order(CLASS_FAULT, 5, 3)});
    queue_push(keys, &n, (struct key){7, key_order(CLASS_FAULT, 4, 4)});
    static const uint32_t slots[] = {4, 3, 2, 1, 0};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(key_slot(queue_pop(keys, &n)), slots[i]);
}

TEST("a key keeps class, sequence and slot apart at their largest")
{
    struct key k = {0, key_order(CLASS_TIMER, SEQUENCE_MAX, SLOT_MAX)};
    CHECK_EQ(key_class(k), CLASS_TIMER);
    CHECK_EQ(key_slot(k), SLOT_MAX);
    CHECK(k.order == UINT64_MAX);
    CHECK(key_order(CLASS_BACKLOG, SEQUENCE_MAX, SLOT_MAX) < key_order(CLASS_MESSAGE, 0, 0));
}

TEST("a slot that is not queued is not found")
{
    struct key keys[1] = {{0, key_order(CLASS_TIMER, 0, 3)}};
    CHECK_EQ(queue_find(keys, 1, 4), NONE32);
}

static void pop_empty(void *keys)
{
    uint32_t n = 0;
    queue_pop(keys, &n);
}

TEST("popping an empty queue is a bug")
{
    struct key keys[1];
    CHECK(test_asserts(pop_empty, keys, NULL));
}
