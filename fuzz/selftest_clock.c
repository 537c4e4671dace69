/* SPDX-License-Identifier: MIT
 *
 * selftest_clock.c - see selftest_clock.h.
 */
#include "fuzz/selftest_clock.h"

#include <time.h>

uint64_t selftest_cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}
