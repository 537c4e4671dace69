/* SPDX-License-Identifier: MIT */
#include "sim/clock.h"

#include "sim/test.h"
#include "sim/toy.h"

/* --- a naive twin: multiply, then divide, in 128 bits of its own -------------------------- */

struct wide {
    uint64_t high, low;
};

static struct wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
    uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (mid & 0xffffffff);
    return (struct wide){ah * bh + (mid >> 32) + (mid2 >> 32), mid2 << 32 | (low & 0xffffffff)};
}

/* Quotient, bit by bit; *rest gets the remainder. The divisor is below 2^63. */
static uint64_t wide_quotient(struct wide a, uint64_t divisor, uint64_t *rest)
{
    uint64_t r = 0, q = 0;
    for (int bit = 127; bit >= 0; bit--) {
        uint64_t digit = bit >= 64 ? a.high >> (bit - 64) & 1 : a.low >> bit & 1;
        r = r << 1 | digit;
        q <<= 1;
        if (r >= divisor) {
            r -= divisor;
            q |= 1;
        }
    }
    *rest = r;
    return q;
}

/* floor(d * R / 10^9): the whole of the formula, said at once. */
static ns twin_advance(ns d, int64_t ppb)
{
    uint64_t rest;
    return (ns)wide_quotient(wide_product((uint64_t)d, (uint64_t)(NS_PER_S + ppb)), NS_PER_S, &rest);
}

/* ceil(x * 10^9 / R) */
static ns twin_delay(ns x, int64_t ppb)
{
    uint64_t rest;
    uint64_t q = wide_quotient(wide_product((uint64_t)x, NS_PER_S), (uint64_t)(NS_PER_S + ppb), &rest);
    return (ns)(q + (rest > 0));
}

static uint64_t draw(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int64_t draw_ppb(uint64_t *random)
{
    static const int64_t edge[] = {0, 1, -1, PPB_MAX, -PPB_MAX, PPB_MAX - 1, 200000, -200000};
    uint64_t r = draw(random);
    return r & 1 ? edge[r >> 1 & 7] : (int64_t)(r >> 8) % PPB_MAX * (r & 2 ? 1 : -1);
}

TEST("a clock advances, and reaches a deadline, as a wide-integer twin says, in 500,000 cases each")
{
    uint64_t random = 1;
    int wrong = 0;
    for (int i = 0; i < 500000; i++) {
        ns d = (ns)(draw(&random) & (UINT64_MAX >> (11 + draw(&random) % 52)));
        int64_t ppb = draw_ppb(&random);
        ns due = twin_delay(d, ppb);
        wrong += clock_advance(d, ppb) != twin_advance(d, ppb);
        wrong += clock_delay(d, ppb) != (due > NS_MAX ? NS_NEVER : due);
    }
    CHECK_EQ(wrong, 0);
}

TEST("a deadline falls due at the first nanosecond at which the clock has reached it")
{
    uint64_t random = 2;
    int wrong = 0;
    for (int i = 0; i < 100000; i++) {
        ns x = (ns)(draw(&random) >> 13);
        int64_t ppb = draw_ppb(&random);
        ns d = clock_delay(x, ppb);
        if (d == NS_NEVER || d == 0)
            continue;
        wrong += clock_advance(d, ppb) < x || clock_advance(d - 1, ppb) >= x;
    }
    CHECK_EQ(wrong, 0);
}

TEST("a deadline beyond reach is never, one that has passed is at once")
{
    CHECK_EQ(clock_delay(NS_MAX, 0), NS_MAX);
    CHECK_EQ(clock_delay(NS_MAX + 1, 0), NS_NEVER);
    CHECK_EQ(clock_delay(INT64_MAX, PPB_MAX), NS_NEVER);
    CHECK_EQ(clock_delay(0, PPB_MAX), 0);
    CHECK_EQ(clock_delay(INT64_MIN, -PPB_MAX), 0);
}

TEST("a slew's rate is the whole ppb below what it gains, either way")
{
    CHECK_EQ(clock_slew_ppb(2 * NS_PER_S, 600 * NS_PER_S), 3333333);
    CHECK_EQ(clock_slew_ppb(-2 * NS_PER_S, 600 * NS_PER_S), -3333333);
    CHECK_EQ(clock_slew_ppb(NS_MAX / 4, NS_MAX), 250000000);
    CHECK_EQ(clock_slew_ppb(5, 5), PPB_MAX);
    CHECK_EQ(clock_slew_ppb(-5, 5), -PPB_MAX);
    CHECK_EQ(clock_slew_ppb(5, NS_NEVER), 0);
}

/* --- a machine's clocks ------------------------------------------------------------------ */

TEST("monotonic and boottime start at a value from the name's hash, wall at 12:00:00 and its offset")
{
    struct machine m;
    machine_reset(&m, UINT64_C(901) * NS_PER_S, 3 * NS_PER_S, 0);
    CHECK_EQ(machine_read(&m, CLOCK_MONOTONIC, 0), 101 * NS_PER_S);
    CHECK_EQ(machine_read(&m, CLOCK_BOOTTIME, 0), 101 * NS_PER_S);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 0), (12 * 3600 + 3) * NS_PER_S);
}

TEST("a suspension stops monotonic alone, and counts")
{
    struct machine m;
    machine_reset(&m, 0, 0, 0);
    machine_suspend(&m, 10);
    machine_suspend(&m, 20);
    machine_resume(&m, 30);
    CHECK_EQ(machine_read(&m, CLOCK_MONOTONIC, 50), 100 * NS_PER_S + 10);
    CHECK_EQ(machine_due(&m, CLOCK_MONOTONIC, 100 * NS_PER_S + 11, 50), NS_NEVER);
    CHECK_EQ(machine_due(&m, CLOCK_MONOTONIC, 100 * NS_PER_S + 10, 50), 50);
    machine_resume(&m, 60);
    CHECK_EQ(machine_read(&m, CLOCK_MONOTONIC, 70), 100 * NS_PER_S + 20);
    CHECK_EQ(machine_read(&m, CLOCK_BOOTTIME, 70), 100 * NS_PER_S + 70);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 70), 12 * 3600 * NS_PER_S + 70);
    CHECK_EQ(machine_due(&m, CLOCK_MONOTONIC, 100 * NS_PER_S + 30, 70), 80);
}

TEST("a change of rate rebases at that instant, rounding down; a step keeps the fraction")
{
    struct machine m;
    machine_reset(&m, 0, 0, 0);
    machine_set_rate(&m, 500000000, 0, 0);
    machine_step_wall(&m, 100);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 3), 12 * 3600 * NS_PER_S + 104);
    CHECK_EQ((int64_t)machine_fraction(&m, CLOCK_WALL, 3), 500000000);
    machine_set_rate(&m, 0, 0, 3);
    CHECK_EQ((int64_t)machine_fraction(&m, CLOCK_WALL, 3), 0);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 4), 12 * 3600 * NS_PER_S + 105);
}

TEST("drift and slews add up, within half a second a second")
{
    struct machine m;
    machine_reset(&m, 0, 0, 0);
    machine_set_rate(&m, 200, 300, 0);
    CHECK_EQ(m.ppb, 500);
    machine_set_rate(&m, PPB_MAX, 300, 0);
    CHECK_EQ(m.ppb, PPB_MAX);
    machine_set_rate(&m, -PPB_MAX, -300, 0);
    CHECK_EQ(m.ppb, -PPB_MAX);
}

TEST("a wall clock stepped without end stays within reach")
{
    struct machine m;
    machine_reset(&m, 0, 0, 0);
    for (int i = 0; i < 100; i++)
        machine_step_wall(&m, NS_MAX);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 0), CLOCK_REACH);
    CHECK_EQ(machine_due(&m, CLOCK_WALL, INT64_MAX, 0), NS_NEVER);
    for (int i = 0; i < 200; i++)
        machine_step_wall(&m, -NS_MAX);
    CHECK_EQ(machine_read(&m, CLOCK_WALL, 0), -CLOCK_REACH);
    CHECK_EQ(machine_due(&m, CLOCK_WALL, 0, 0), NS_NEVER);
}

TEST("a deadline that only time beyond the end would reach is never")
{
    struct machine m;
    machine_reset(&m, 0, 0, 0);
    machine_set_rate(&m, 100, 0, NS_PER_S);
    machine_set_rate(&m, 0, 0, NS_PER_S);
    CHECK_EQ(machine_due(&m, CLOCK_BOOTTIME, NS_MAX + 100 * NS_PER_S, NS_PER_S), NS_MAX);
    CHECK_EQ(machine_due(&m, CLOCK_BOOTTIME, NS_MAX + 100 * NS_PER_S + 1, NS_PER_S), NS_NEVER);
}

/* --- through the kernel --------------------------------------------------------------------- */

/* Four timers of a's, each 10 s ahead on its clock, and what they read like after a fault at 2 s. */
static const char *ten_seconds(void)
{
    struct sim *s = toy_new();
    toy_in(s, MAIN(A), CLOCK_MONOTONIC, 10000, CLOCK_MONOTONIC);
    toy_in(s, MAIN(A), CLOCK_BOOTTIME, 10000, CLOCK_BOOTTIME);
    toy_in(s, MAIN(A), CLOCK_WALL, 10000, CLOCK_WALL);
    toy_in(s, MAIN(A), CLOCK_TRUE, 10000, CLOCK_TRUE);
    toy_in(s, MAIN(A), CLOCK_RUN, 10000, CLOCK_RUN);
    toy_in(s, MAIN(B), CLOCK_WALL, 10000, 9);
    toy_run();
    toy_end();
    return toy.log;
}

TEST("a step forward makes wall deadlines due now, and leaves the other clocks alone")
{
    toy_begin();
    toy_fault(FAULT_WALL_JUMP, A, 2000)->amount = 3600 * NS_PER_S;
    CHECK_STR(ten_seconds(), "2.000 a timer 2\n10.000 a timer 0\n10.000 a timer 1\n10.000 a timer 3\n"
                             "10.000 a timer 4\n10.000 b timer 9\n");
}

TEST("a step back puts wall deadlines off")
{
    toy_begin();
    toy_fault(FAULT_WALL_JUMP, A, 2000)->amount = -5 * NS_PER_S;
    CHECK_STR(ten_seconds(), "10.000 a timer 0\n10.000 a timer 1\n10.000 a timer 3\n10.000 a timer 4\n"
                             "10.000 b timer 9\n15.000 a timer 2\n");
}

TEST("drift changes all three clocks, and neither true time nor running time")
{
    toy_begin();
    toy_fault(FAULT_DRIFT, A, 2000)->ppb = 250000000; /* 8 s of its time pass in 6.4 s */
    CHECK_STR(ten_seconds(), "8.400 a timer 0\n8.400 a timer 1\n8.400 a timer 2\n10.000 a timer 3\n"
                             "10.000 a timer 4\n10.000 b timer 9\n");
}

TEST("a slew changes all three clocks while it lasts")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_SLEW, A, 2000);
    f->amount = NS_PER_S;
    f->duration = 4 * NS_PER_S;
    CHECK_STR(ten_seconds(), "9.000 a timer 0\n9.000 a timer 1\n9.000 a timer 2\n10.000 a timer 3\n"
                             "10.000 a timer 4\n10.000 b timer 9\n");
}

TEST("a suspension holds all timers; monotonic has missed the time, and so has work")
{
    toy_begin();
    toy_fault(FAULT_SUSPEND, A, 2000)->duration = 20 * NS_PER_S;
    CHECK_STR(ten_seconds(), "10.000 b timer 9\n22.000 a timer 1\n22.000 a timer 2\n22.000 a timer 3\n"
                             "30.000 a timer 0\n30.000 a timer 4\n");
}

TEST("a pause holds all timers, and of these only work has missed the time")
{
    toy_begin();
    toy_fault(FAULT_PAUSE, A, 2000)->duration = 20 * NS_PER_S;
    CHECK_STR(ten_seconds(), "10.000 b timer 9\n22.000 a timer 0\n22.000 a timer 1\n22.000 a timer 2\n"
                             "22.000 a timer 3\n30.000 a timer 4\n");
}

TEST("a pause of a thread holds its timers, not those of the other thread or of the whole process")
{
    toy_begin();
    struct fault_plan *f = toy_fault(FAULT_PAUSE, A, 2000);
    f->thread = MAIN(A);
    f->duration = 20 * NS_PER_S;
    struct sim *s = toy_new();
    struct timer watchdog = {.thread = MAIN(A),
                             .clock = CLOCK_RUN,
                             .kind = 7,
                             .flags = TIMER_KEEPS,
                             .process_wide = 1,
                             .deadline = 5 * NS_PER_S};
    timer_set(s, &watchdog);
    toy_in(s, MAIN(A), CLOCK_WALL, 10000, 1);
    toy_in(s, KEEPER(A), CLOCK_WALL, 10000, 2);
    toy_run();
    CHECK_STR(toy.log, "5.000 a timer 7\n10.000 a.k timer 2\n22.000 a timer 1\n");
    toy_end();
}

TEST("models read a clock in true time, and compare with it, through the kernel")
{
    toy_begin();
    toy.machines[0].wall_offset = 5;
    struct sim *s = toy_new();
    CHECK_EQ(clock_now(s, 0, CLOCK_TRUE), 0);
    CHECK_EQ(clock_now(s, 0, CLOCK_RUN), 0);
    CHECK_EQ(clock_now(s, 0, CLOCK_WALL), 12 * 3600 * NS_PER_S + 5);
    CHECK_EQ(clock_now(s, 0, CLOCK_BOOTTIME), 100 * NS_PER_S + (ns)(hash_text("a") % 900000000000));
    CHECK(clock_passed(s, 0, CLOCK_TRUE, 0));
    CHECK(!clock_passed(s, 0, CLOCK_TRUE, 1));
    toy_end();
}
