/* SPDX-License-Identifier: MIT */
#include "sim/trace.h"

#include "sim/test.h"
#include "sim/toy.h"

static struct record sample(void)
{
    struct record r = {.at = 5,
                       .cause = 1,
                       .line = 2,
                       .actor = N_A,
                       .verb = V_ACTS,
                       .object = N_THING,
                       .start = 1,
                       .tag = {TAG_INT, TAG_NAME},
                       .field = {9, N_PING}};
    return r;
}

#define DIGEST_CHANGES(change)                                  \
    do {                                                        \
        struct record r = sample();                             \
        r.change;                                               \
        CHECK(trace_fold(s, 1, &r) != trace_fold(s, 1, &base)); \
    } while (0)

#define DIGEST_KEEPS(change)                                    \
    do {                                                        \
        struct record r = sample();                             \
        r.change;                                               \
        CHECK(trace_fold(s, 1, &r) == trace_fold(s, 1, &base)); \
    } while (0)

TEST("each covered field of a record changes the trace digest; cause, line and unused fields do not")
{
    toy_begin();
    struct sim *s = toy_new();
    struct record base = sample();
    DIGEST_CHANGES(at = 6);
    DIGEST_CHANGES(actor = N_B);
    DIGEST_CHANGES(verb = V_REACTS);
    DIGEST_CHANGES(object = N_OTHER);
    DIGEST_CHANGES(object = NONE16);
    DIGEST_CHANGES(start = 2);
    DIGEST_CHANGES(tag[0] = TAG_NS);
    DIGEST_CHANGES(tag[1] = TAG_TEXT);
    DIGEST_CHANGES(field[0] = -9);
    DIGEST_CHANGES(field[1] = N_PONG);
    DIGEST_KEEPS(cause = 7);
    DIGEST_KEEPS(line = 7);
    DIGEST_KEEPS(field[2] = 7);
    DIGEST_KEEPS(tag[2] = TAG_INT);
    CHECK(trace_fold(s, 2, &base) != trace_fold(s, 1, &base));
    toy_end();
}

TEST("every bit of a time and of a value changes the trace digest")
{
    toy_begin();
    struct sim *s = toy_new();
    struct record base = sample();
    for (int bit = 0; bit < 63; bit++) {
        DIGEST_CHANGES(at ^= INT64_C(1) << bit);
        DIGEST_CHANGES(field[0] ^= INT64_C(1) << bit);
    }
    toy_end();
}

TEST("the trace digest knows names, not ids, and verbs by name, not number")
{
    toy_begin();
    struct sim *s = toy_new();
    struct record base = sample();
    uint64_t digest = trace_fold(s, 1, &base);
    toy_end();
    toy_begin();
    toy.hash[N_C] = hash_text("a"); /* the same names, with other ids */
    toy.hash[N_OTHER] = hash_text("thing");
    toy.hash[N_PONG] = hash_text("ping");
    s = toy_new();
    struct record other = sample();
    other.actor = N_C;
    other.object = N_OTHER;
    other.field[1] = N_PONG;
    CHECK(trace_fold(s, 1, &other) == digest);
    toy_end();
}

/* One act, one note, and a message about it. */
static void musings(void)
{
    struct sim *s = toy.s;
    struct value v = {1, TAG_INT};
    toy_act(s, MAIN(A), N_THING);
    sim_record(s, A, N_A, V_MUSES, NONE16, &v, 1, 0);
    toy_act(s, MAIN(A), N_OTHER);
}

static void count_record(struct sim *s, const struct record *r, uint32_t index)
{
    struct toy_state *state = sim_model_state(s);
    CHECK(r->at == sim_now(s));
    state->ticks += 100 + index;
}

TEST("notes are in no digest, are kept only on request, and causes pass over them when they are not")
{
    uint64_t digest[2];
    for (unsigned notes = 0; notes < 2; notes++) {
        toy_begin();
        toy.options |= notes ? SIM_NOTES : 0;
        toy.model.recorded = count_record;
        struct sim *s = toy_new();
        musings();
        uint32_t n;
        const struct record *r = sim_trace(s, &n);
        CHECK_EQ(n, notes ? 3 : 2);
        CHECK_EQ(r[n - 1].cause, n - 1);
        CHECK_EQ(sim_records(s), 2);
        CHECK_EQ(((struct toy_state *)sim_model_state(s))->ticks, notes ? 303 : 302);
        digest[notes] = sim_trace_digest(s);
        toy_end();
    }
    CHECK(digest[0] == digest[1]);
}

TEST("without a kept trace the last record is at hand, and the digest is the same")
{
    toy_begin();
    toy_new();
    musings();
    uint64_t digest = sim_trace_digest(toy.s);
    toy_end();
    toy_begin();
    toy.options = SIM_DIGEST;
    struct sim *s = toy_new();
    uint32_t n;
    sim_trace(s, &n);
    CHECK_EQ(n, 0);
    musings();
    CHECK_EQ(sim_trace(s, &n)[0].object, N_OTHER);
    CHECK_EQ(n, 1);
    CHECK(sim_trace_digest(s) == digest);
    toy_end();
    toy_begin();
    toy.options = 0;
    toy_new();
    musings();
    CHECK(sim_trace_digest(toy.s) == 0);
    toy_end();
}

TEST("a record's cause is the one before it in its handler, or what a model says")
{
    toy_begin();
    struct sim *s = toy_new();
    toy_act(s, MAIN(A), NONE16);
    toy_act(s, MAIN(A), NONE16);
    CHECK_EQ(sim_cause(s), 2);
    sim_set_cause(s, 1);
    struct value v[2] = {{3, TAG_INT}, {1, TAG_BOOL}};
    CHECK_EQ(sim_record(s, NONE16, N_NET, V_ACTS, NONE16, v, 2, 44), 3);
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    CHECK_EQ(r[1].cause, 1);
    CHECK_EQ(r[2].cause, 1);
    CHECK_EQ(r[2].start, 0);
    CHECK_EQ(r[2].line, 44);
    CHECK_EQ(r[2].field[1], 1);
    toy_end();
}

static void passes_on(struct sim *s, const struct message *m)
{
    toy_act(s, m->to, NONE16);
    if (m->what == N_PING)
        toy_send(s, m->to, m->from, 0, N_PONG);
}

TEST("causes go with messages and timers")
{
    toy_begin();
    toy.on_message = passes_on;
    toy_link_fault(FAULT_DELAY, A, B, 0)->amount = NS_PER_MS;
    struct sim *s = toy_new();
    toy_run();
    toy_act(s, MAIN(B), NONE16);
    toy_send(s, MAIN(B), MAIN(A), 0, N_PING);
    toy_act(s, MAIN(B), NONE16);
    toy_run();
    CHECK_STR(toy_trace(), "0.000 b acts\n0.000 b acts\n0.001 a acts\n0.001 net delays a to b what pong by 0.001\n"
                           "0.003 b acts\n");
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    CHECK_EQ(r[2].cause, 1);
    CHECK_EQ(r[3].cause, 3);
    CHECK_EQ(r[4].cause, 4);
    toy_end();
}

static void too_many_fields(void *context)
{
    struct value v[3] = {{0, TAG_INT}};
    sim_record(context, A, N_A, V_ACTS, NONE16, v, 3, 0);
}

static bool hears_nothing(const void *plan, uint16_t verb)
{
    (void)plan;
    (void)verb;
    return false;
}

TEST("a model is told of no record whose verb it does not hear, and what nobody sees costs nothing")
{
    toy_begin();
    toy.model.recorded = count_record;
    toy.model.hears = hears_nothing;
    struct sim *s = toy_new();
    musings();
    CHECK_EQ(((struct toy_state *)sim_model_state(s))->ticks, 0);
    CHECK_STR(toy_trace(), "0.000 a acts thing\n0.000 a acts other\n");
    toy_end();
}

TEST("more fields than the verb has is a bug")
{
    toy_begin();
    toy_new();
    CHECK(test_asserts(too_many_fields, toy.s, NULL));
    toy_end();
}
