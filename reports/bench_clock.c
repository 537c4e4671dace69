/* SPDX-License-Identifier: MIT
 *
 * bench_clock.c - the one place that reads a clock of the machine: the CPU time of this process, and for `--time`
 * and progress what has gone by. In a file of its own, because <time.h> has macros with the names of our clocks.
 */
#include <time.h>

#include "reports/bench.h"

double bench_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double bench_elapsed_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
