/* SPDX-License-Identifier: MIT
 *
 * survival_test.c
 */
#include "fuzz/survival.h"
#include "sim/test.h"

static struct survival of(uint32_t n, uint32_t censored)
{
    struct survival s;
    survival_begin(&s, 1000);
    for (uint32_t i = 0; i < n; i++) /* the largest first */
        survival_add(&s, i < censored ? SURVIVAL_CENSORED : n - i);
    return s;
}

TEST("the median of 51 seeds is the 26th, and lies between the 19th and the 33rd with 95 %")
{
    struct survival s = of(51, 0);
    uint64_t low, high;
    survival_interval(&s, &low, &high);
    CHECK_EQ(survival_median(&s), 26);
    CHECK_EQ(low, 19);
    CHECK_EQ(high, 33);
    CHECK_EQ(survival_quantile(&s, 90), 46);
    CHECK_EQ(survival_found(&s), 51);
}

TEST("a seed that found nothing counts as more than any that did")
{
    struct survival s = of(51, 20);
    uint64_t low, high;
    survival_interval(&s, &low, &high);
    CHECK_EQ(survival_found(&s), 31);
    CHECK_EQ(survival_median(&s), 26);
    CHECK(high == SURVIVAL_CENSORED);
    CHECK(survival_quantile(&s, 90) == SURVIVAL_CENSORED);
    s = of(51, 26);
    CHECK(survival_median(&s) == SURVIVAL_CENSORED);
}

TEST("those that are still looking are counted behind a number of schedules, not at it")
{
    struct survival s = of(10, 2);
    CHECK_EQ(survival_alive(&s, 0), 10);
    CHECK_EQ(survival_alive(&s, 1), 9);
    CHECK_EQ(survival_alive(&s, 8), 2);
    CHECK_EQ(survival_alive(&s, 1000), 2);
}

TEST("an interval of few seeds is from the smallest to the largest")
{
    struct survival s = of(3, 0);
    uint64_t low, high;
    survival_interval(&s, &low, &high);
    CHECK_EQ(low, 1);
    CHECK_EQ(high, 3);
    s = of(11, 0);
    survival_interval(&s, &low, &high);
    CHECK_EQ(low, 2);
    CHECK_EQ(high, 10);
    s = of(1, 0);
    CHECK_EQ(survival_median(&s), 1);
}
