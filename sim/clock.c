/* SPDX-License-Identifier: MIT
 *
 * clock.c - what clocks read, and when they will have reached a deadline.
 *
 * A clock runs at R = 10^9 + ppb nanoseconds a second from its last rebase. After d ns of true
 * time it has advanced
 *
 *     d + (d / 10^9) * ppb + floor((d mod 10^9) * ppb / 10^9)
 *
 * and x = qR + r of its nanoseconds have passed after q * 10^9 + ceil(r * 10^9 / R). Both are
 * exact, and each is the other's inverse: the second is the first d at which the clock shows x.
 *
 *  1. No product exceeds 63 bits: |ppb| <= 5 * 10^8, and what is multiplied is below 1.5 * 10^9.
 *  2. Only a change of rate rebases (monotonic: also a suspension), rounding down. A step of wall
 *     adds to what it read and keeps the fraction.
 *  3. A deadline that no true time up to NS_MAX reaches falls due NS_NEVER.
 *  4. A deadline falls due at the first nanosecond at which the clock reads it, at once if it
 *     does already: so what machine_due() says does not change while nothing changes.
 */
#include "sim/clock.h"

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b < 0 ? q - 1 : q;
}

ns clock_advance(ns d, int64_t ppb)
{
    ASSERT(d >= 0);
    ASSERT(d <= 2 * NS_MAX);
    if (ppb == 0)
        return d;
    return d + d / NS_PER_S * ppb + floor_div(d % NS_PER_S * ppb, NS_PER_S);
}

ns clock_delay(ns x, int64_t ppb)
{
    ASSERT(ppb >= -PPB_MAX);
    ASSERT(ppb <= PPB_MAX);
    if (x <= 0)
        return 0;
    if (x > 2 * NS_MAX)
        return NS_NEVER; /* more than the fastest clock reaches */
    if (ppb == 0)
        return x > NS_MAX ? NS_NEVER : x;
    int64_t rate = NS_PER_S + ppb;
    ns d = x / rate * NS_PER_S + (x % rate * NS_PER_S + rate - 1) / rate;
    return d > NS_MAX ? NS_NEVER : d;
}

int64_t clock_slew_ppb(ns by, ns over)
{
    ASSERT(over > 0);
    if (over > NS_MAX)
        return 0;
    int64_t left = by < 0 ? -by : by;
    if (left >= over)
        return by < 0 ? -PPB_MAX : PPB_MAX;
    int64_t ppb = 0;
    for (int digit = 0; digit < 9; digit++) { /* long division: by * 10^9 may not fit */
        ppb = ppb * 10 + left * 10 / over;
        left = left * 10 % over;
    }
    return by < 0 ? -ppb : ppb;
}

void machine_reset(struct machine *m, uint64_t name_hash, ns wall_offset, int64_t ppb)
{
    ns start = 100 * NS_PER_S + (ns)(name_hash % (uint64_t)(900 * NS_PER_S));
    for (int kind = 0; kind < CLOCKS; kind++) {
        m->clock[kind].since = 0;
        m->clock[kind].read = start;
    }
    m->clock[CLOCK_WALL].read = 12 * 3600 * NS_PER_S + wall_offset;
    m->drift_ppb = ppb;
    m->slew_ppb = 0;
    m->ppb = ppb;
    m->suspended = 0;
    m->spare = 0;
}

static bool stands(const struct machine *m, enum clock_kind kind)
{
    return kind == CLOCK_MONOTONIC && m->suspended > 0;
}

ns machine_read_odd(const struct machine *m, enum clock_kind kind, ns now)
{
    const struct clock *c = &m->clock[kind];
    return stands(m, kind) ? c->read : c->read + clock_advance(now - c->since, m->ppb);
}

/* A clock that runs at true time's own rate, as most do: one sum instead of three divisions. */
static ns plain_due(const struct clock *c, ns deadline, ns now)
{
    ns due = c->since + (deadline - c->read);
    if (due <= now)
        return now;
    return due > NS_MAX ? NS_NEVER : due;
}

APART static ns due_odd(const struct machine *m, enum clock_kind kind, ns deadline, ns now)
{
    if (machine_read(m, kind, now) >= deadline)
        return now;
    if (stands(m, kind) || deadline > 2 * CLOCK_REACH)
        return NS_NEVER;
    const struct clock *c = &m->clock[kind];
    ns delay = clock_delay(deadline - c->read, m->ppb);
    if (delay > NS_MAX - c->since)
        return NS_NEVER;
    return c->since + delay;
}

ns machine_due(const struct machine *m, enum clock_kind kind, ns deadline, ns now)
{
    ASSERT(kind < CLOCKS);
    bool plain = m->ppb == 0 && m->suspended == 0;
    if (plain && deadline > m->clock[kind].read && deadline <= 2 * CLOCK_REACH)
        return plain_due(&m->clock[kind], deadline, now);
    return due_odd(m, kind, deadline, now);
}

uint64_t machine_fraction(const struct machine *m, enum clock_kind kind, ns now)
{
    if (m->ppb == 0 || stands(m, kind))
        return 0;
    int64_t rate = NS_PER_S + m->ppb;
    return (uint64_t)((now - m->clock[kind].since) % NS_PER_S * rate % NS_PER_S);
}

void machine_set_rate(struct machine *m, int64_t drift_ppb, int64_t slew_ppb, ns now)
{
    for (int kind = 0; kind < CLOCKS; kind++) {
        m->clock[kind].read = machine_read(m, (enum clock_kind)kind, now);
        m->clock[kind].since = now;
    }
    int64_t ppb = drift_ppb + slew_ppb;
    m->drift_ppb = drift_ppb;
    m->slew_ppb = slew_ppb;
    m->ppb = ppb > PPB_MAX ? PPB_MAX : ppb < -PPB_MAX ? -PPB_MAX : ppb;
}

void machine_step_wall(struct machine *m, ns by)
{
    struct clock *c = &m->clock[CLOCK_WALL];
    ASSERT(by >= -NS_MAX);
    ASSERT(by <= NS_MAX);
    ns read = c->read + by;
    c->read = read > CLOCK_REACH ? CLOCK_REACH : read < -CLOCK_REACH ? -CLOCK_REACH : read;
}

void machine_suspend(struct machine *m, ns now)
{
    if (m->suspended == 0)
        m->clock[CLOCK_MONOTONIC].read = machine_read(m, CLOCK_MONOTONIC, now);
    m->suspended++;
}

void machine_resume(struct machine *m, ns now)
{
    ASSERT(m->suspended > 0);
    m->suspended--;
    if (m->suspended == 0)
        m->clock[CLOCK_MONOTONIC].since = now;
}
