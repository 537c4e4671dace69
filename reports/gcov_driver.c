/* SPDX-License-Identifier: MIT
 *
 * gcov_driver.c - a program that replays scenarios one after the other, and has the counters of a build with --coverage
 * written out behind each: code coverage with a test a scenario, in one process.
 *
 *     gcov_driver DIR FILE...     the counters of FILE number i, from 0, go to DIR/i
 *
 * The counters are set to nothing, the scenario is replayed as `fencepost run` does (every case, and `decided-by`), and
 * they are dumped below GCOV_PREFIX, which gcc's library reads anew at each dump. This file is in no report: what it
 * does between two dumps would count for a scenario. In a build that counts nothing it says so.
 */
#include "scenarios/files.h"
#include "scenarios/replay.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef FENCEPOST_COVERAGE
void __gcov_reset(void);
void __gcov_dump(void);
#else
static void __gcov_reset(void) { (void)fputs("gcov_driver: this build counts nothing\n", stderr); }
static void __gcov_dump(void) { exit(2); }
#endif

static struct diags diags;

/* A scenario with errors is `fencepost run`'s to report; here the library is as the tests leave it. */
static int replay(const char *path)
{
    const struct run_options plain = {.plain = true};
    struct decision decision;
    char *bytes;
    size_t n;
    int error, status = 0;
    if (file_read(path, &bytes, &n, &error) != FILE_OK) {
        (void)fprintf(stderr, "gcov_driver: cannot read %s\n", path);
        return 2;
    }
    struct scenario *s = scenario_parse(bytes, n, path, NULL, 0, &diags);
    for (uint32_t i = 0; s != NULL && i < scenario_cases(s); i++) {
        struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
        struct run *r = c == NULL ? NULL : run_case(c, &plain);
        status = r == NULL ? 2 : status;
        run_free(r);
        compiled_free(c);
    }
    if (s != NULL)
        replay_decided_by(s, &decision, &diags);
    if (s == NULL || status != 0)
        (void)fprintf(stderr, "gcov_driver: %s cannot be replayed\n", path);
    scenario_free(s);
    free(bytes);
    return s == NULL ? 2 : status;
}

int main(int argc, char **argv)
{
    char prefix[4096];
    if (argc < 3) {
        (void)fputs("usage: gcov_driver DIR FILE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        if (snprintf(prefix, sizeof prefix, "%s/%d", argv[1], i - 2) >= (int)sizeof prefix)
            return 2;
        __gcov_reset();
        int status = replay(argv[i]);
        if (status != 0 || setenv("GCOV_PREFIX", prefix, 1) != 0)
            return 2;
        __gcov_dump();
    }
    return 0;
}
