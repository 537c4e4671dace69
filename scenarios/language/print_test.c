/* SPDX-License-Identifier: MIT */
#include "scenarios/language/scenario.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/query.h"
#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

TEST("the canonical form has one space, two a depth, simple durations, and the file's own order and comments")
{
    check_prints("fencepost   1  \n\n\n"
                 "# about\n"
                 "case  a   holds # why\n"
                 "lock l central ttl 10.0s   # the lease\n"
                 "node   w1\n"
                 "param d = 90s\n"
                 "w1 :\n"
                 "      # inside\n"
                 "      acquire  l\n"
                 "      repeat 3 :\n"
                 "         work   d\n"
                 "      # the end\n"
                 "\n\n\n"
                 "[ a ]   at 1000ms :  pause  w1 for 1500ms\n",
                 "fencepost 1\n\n"
                 "# about\n"
                 "case a holds  # why\n"
                 "lock l central ttl 10s  # the lease\n"
                 "node w1\n"
                 "param d = 1m30s\n"
                 "w1:\n"
                 "  # inside\n"
                 "  acquire l\n"
                 "  repeat 3:\n"
                 "    work d\n"
                 "  # the end\n"
                 "\n"
                 "[a] at 1s: pause w1 for 1.5s\n");
}

TEST("signs, paths, ranges, ordinals, texts and parentheses print as they are read")
{
    check_prints("fencepost 1\n"
                 "case a without store-token holds\n"
                 "lock l quorum voters 3 ttl 10s\n"
                 "store s\n"
                 "node w1..w2 wall +3s drift -200ppm identity \"say \\\"x\\\\\\\"\"\n"
                 "net w1->s delay 80ms..120ms datagram\n"
                 "w1,w2:\n"
                 "  acquire l\n"
                 "  read s / x as x\n"
                 "  if ( x + 1 > -3 ) and not x = none:\n"
                 "    write s/x x - 1\n"
                 "w1.two:\n"
                 "  work  1s\n"
                 "after  s commits w1 #2 : cut w1 - s  holding\n"
                 "at 5s: wall w1 jumps -1h\n"
                 "at 6s: partition w1 l.1|w2 l.2 | l.3\n"
                 "may crash l . *\n",
                 "fencepost 1\n"
                 "case a without store-token holds\n"
                 "lock l quorum voters 3 ttl 10s\n"
                 "store s\n"
                 "node w1..w2 wall +3s drift -200ppm identity \"say \\\"x\\\\\\\"\"\n"
                 "net w1 -> s delay 80ms..120ms datagram\n"
                 "w1, w2:\n"
                 "  acquire l\n"
                 "  read s/x as x\n"
                 "  if (x + 1 > -3) and not x = none:\n"
                 "    write s/x x - 1\n"
                 "w1.two:\n"
                 "  work 1s\n"
                 "after s commits w1 #2: cut w1 - s holding\n"
                 "at 5s: wall w1 jumps -1h\n"
                 "at 6s: partition w1 l.1 | w2 l.2 | l.3\n"
                 "may crash l.*\n");
}

TEST("the example of the language prints as a fixed point")
{
    char *once = printed(reading_example), *twice = once == NULL ? NULL : printed(once);
    if (once != NULL && twice != NULL)
        CHECK_STR(once, twice);
    CHECK(once != NULL && strstr(once, "\ncase checked without store-token violates no-stale-write\n") != NULL);
    free(once);
    free(twice);
}

/* --- the library ----------------------------------------------------------------------------------- */

static uint64_t digest_of(const struct scenario *s, uint32_t i)
{
    struct compiled *c = compiles(s, i);
    struct sim *sim = c == NULL ? NULL : sim_new(&c->sim, &fencepost_model, &c->model, SIM_DIGEST);
    uint64_t digest = 0;
    if (sim != NULL) {
        sim_reset(sim, NULL, 0);
        for (int k = 0; k < 20000 && sim_step(sim, -1) == SIM_RAN; k++)
            ;
        digest = sim_trace_digest(sim);
        sim_free(sim);
    }
    compiled_free(c);
    return digest;
}

static void check_file(const char *path)
{
    size_t n = 0, n2 = 0;
    char *text = read_file(path, &n);
    struct scenario *s = text == NULL ? NULL : reads(text);
    char *once = s == NULL ? NULL : scenario_print(s, &n);
    struct scenario *again = once == NULL ? NULL : reads(once);
    char *twice = again == NULL ? NULL : scenario_print(again, &n2);
    if (twice == NULL || n != n2 || strcmp(once, twice) != 0)
        test_failed(path, 0, "the canonical form is no fixed point");
    for (uint32_t i = 0; again != NULL && i < scenario_cases(s); i++)
        if (digest_of(s, i) != digest_of(again, i))
            test_failed(path, 0, "case %s has another digest when it is printed", scenario_case_name(s, i));
    scenario_free(s);
    scenario_free(again);
    free(text);
    free(once);
    free(twice);
}

static uint32_t check_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    uint32_t files = 0;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        size_t n = strlen(e->d_name);
        char path[512];
        if (n < 6 || strcmp(e->d_name + n - 6, ".fence") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        check_file(path);
        files++;
    }
    if (dir != NULL)
        closedir(dir);
    return files;
}

TEST("every file of the library prints as a fixed point, with the same digests")
{
    uint32_t files = check_folder("scenarios/seeds") + check_folder("scenarios/faults") +
                     check_folder("scenarios/incidents");
    if (files == 0)
        test_skip("the tests do not run in the tree");
}
