/* SPDX-License-Identifier: MIT
 *
 * input_test.c - schedules as bytes: what they mean, what they are made to, and what is passed over.
 */
#include "fuzz/input.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

static const char *const world = "fencepost 1\n"
                                 "scenario \"A store and its writers\"\n"
                                 "case fenced holds\n"
                                 "case open without store-token holds\n"
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
                                 "may pause w1 w2 up to 20s\n"
                                 "may delay w1 -> ledger up to 20s\n"
                                 "at most 3 faults\n";

static struct scenario *scenario;
static struct space *space;
static struct player *player;

static void begin(void)
{
    struct diags d = {0};
    scenario = reads(world);
    if (scenario != NULL)
        CHECK_EQ(space_new(scenario, 0, 0, 0, 0, &d, &space), SPACE_OK);
    player = player_new(space, player_verdict(space));
    player->low_addresses = true;
}

static void end(void)
{
    player_free(player);
    space_free(space);
    scenario_free(scenario);
}

/* Everything that may strike somewhere in the calm run, one each at most, up to n. */
static struct schedule some(uint32_t n)
{
    struct schedule s = {.n = 0};
    player->note_points = true;
    CHECK(player_play(player, NULL));
    for (uint32_t i = 0; i < player->n_points && s.n < n; i++)
        for (uint32_t k = 0; k < space->n_offers && s.n < n; k++)
            if (space_offers(space, &player->points[i].p, k)) {
                (void)schedule_add(&s, player->points[i].p.address, space->own + k, i);
                break;
            }
    player->note_points = false;
    return s;
}

static bool same_run(const struct schedule *low, const struct schedule *whole)
{
    CHECK(player_play(player, low));
    uint64_t events = player->run->events, hash = schedule_hash(&player->made);
    struct schedule made = player->made;
    player->low_addresses = false;
    CHECK(player_play(player, whole));
    player->low_addresses = true;
    return events == player->run->events && hash == schedule_hash(&player->made) && schedule_equal(&made, whole);
}

TEST("a schedule written and read again plays the same run, and is made with whole addresses")
{
    uint8_t bytes[INPUT_MAX];
    begin();
    for (uint32_t n = 0; n <= 3; n++) {
        struct schedule whole = some(n), low;
        CHECK_EQ(whole.n, n);
        size_t size = input_write(space, &whole, bytes, sizeof bytes);
        CHECK_EQ(size, n * INPUT_RECORD);
        CHECK(input_problem(space, bytes, size) == NULL);
        CHECK(input_read(space, bytes, size, &low));
        CHECK_EQ(low.n, n);
        CHECK(same_run(&low, &whole));
    }
    end();
}

TEST("no bytes at all are the calm run")
{
    struct schedule s;
    begin();
    CHECK(input_read(space, NULL, 0, &s));
    CHECK(player_play(player, &s));
    CHECK_EQ(player->made.n, 0);
    CHECK_EQ(player->run->events, space->calm_steps);
    end();
}

TEST("an address that does not occur, and an offer that the menu does not have, do nothing")
{
    uint8_t bytes[2 * INPUT_RECORD] = {1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0xff, 0xff, 0, 0};
    struct schedule s;
    begin();
    CHECK(input_read(space, bytes, sizeof bytes, &s));
    CHECK_EQ(s.n, 1);
    CHECK(player_play(player, &s));
    CHECK_EQ(player->made.n, 0);
    CHECK(input_problem(space, bytes, sizeof bytes) != NULL);
    end();
}

TEST("of two records that say the same one counts, and the spare bytes of neither")
{
    uint8_t bytes[2 * INPUT_RECORD] = {1, 2, 3, 4, 1, 0, 0, 0, 1, 2, 3, 4, 1, 0, 7, 7};
    struct schedule s;
    begin();
    CHECK(input_read(space, bytes, sizeof bytes, &s));
    CHECK_EQ(s.n, 1);
    CHECK_EQ(s.row[0].address, 0x04030201);
    CHECK_EQ(s.row[0].fault, space->own + 1);
    CHECK(strstr(input_problem(space, bytes, sizeof bytes), "not zero") != NULL);
    end();
}

TEST("a record that is cut off is passed over by the target, and complained of to a person")
{
    uint8_t bytes[INPUT_RECORD + 7] = {1, 2, 3, 4, 1, 0, 0, 0, 9, 9};
    struct schedule s;
    begin();
    CHECK(input_read(space, bytes, sizeof bytes, &s));
    CHECK_EQ(s.n, 1);
    CHECK(strstr(input_problem(space, bytes, sizeof bytes), "not whole") != NULL);
    end();
}

TEST("sixty-four records are an input, one more is none")
{
    static uint8_t bytes[INPUT_MAX + INPUT_RECORD];
    struct schedule s;
    begin();
    for (size_t i = 0; i < sizeof bytes; i += INPUT_RECORD)
        bytes[i] = (uint8_t)(i / INPUT_RECORD);
    CHECK(input_read(space, bytes, INPUT_MAX, &s));
    CHECK_EQ(s.n, SCHEDULE_MAX);
    CHECK(input_problem(space, bytes, INPUT_MAX) == NULL);
    CHECK(!input_read(space, bytes, sizeof bytes, &s));
    CHECK_EQ(s.n, 0);
    CHECK(strstr(input_problem(space, bytes, sizeof bytes), "more than 64") != NULL);
    end();
}

TEST("bytes strike no more often than the case says, and nobody whom it does not name")
{
    begin();
    struct schedule s = some(3), more = {.n = 0};
    player->note_points = true;
    CHECK(player_play(player, NULL));
    for (uint32_t i = 0; i < player->n_points; i++)
        for (uint32_t k = 0; k < space->n_offers && more.n < SCHEDULE_MAX; k += 5)
            (void)schedule_add(&more, player->points[i].p.address & UINT32_MAX, space->own + k, 0);
    CHECK(more.n > s.n);
    CHECK(player_play(player, &more));
    CHECK_EQ(player->made.n, 3);
    for (uint32_t i = 0; i < player->made.n; i++) {
        const struct step *step = &player->made.row[i];
        for (uint32_t k = 0; k < player->n_points; k++)
            if (player->points[k].p.address == step->address)
                CHECK(space_offers(space, &player->points[k].p, step->fault - space->own));
    }
    end();
}

TEST("what does not fit is left out in whole records")
{
    uint8_t bytes[INPUT_MAX];
    begin();
    struct schedule s = some(3);
    CHECK_EQ(input_write(space, &s, bytes, 2 * INPUT_RECORD + 7), 2 * INPUT_RECORD);
    CHECK_EQ(input_write(space, &s, bytes, INPUT_RECORD - 1), 0);
    end();
}
