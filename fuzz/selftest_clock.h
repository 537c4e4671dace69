/* SPDX-License-Identifier: MIT
 *
 * selftest_clock.h - the CPU time of this process, in microseconds. Beside selftest.h because <time.h> has macros with
 * the names of our clocks.
 */
#ifndef FENCEPOST_FUZZ_SELFTEST_CLOCK_H
#define FENCEPOST_FUZZ_SELFTEST_CLOCK_H

#include "sim/base.h"

uint64_t selftest_cpu_us(void);

#endif
