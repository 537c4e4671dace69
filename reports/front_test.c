/* SPDX-License-Identifier: MIT
 *
 * The whole command, from inside: what it does when memory runs out at any one allocation.
 */
#include "reports/completion.h"
#include "reports/front.h"
#include "scenarios/played.h"

#include "sim/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int fencepost_main(int argc, char **argv); /* main() of fencepost.c, under this name in the tests */

static char path[] = "/tmp/fencepost-front-XXXXXX";

static char pages[] = "/tmp/fencepost-front-XXXXXX";

/* The folder of a report on one file: a page, and the list. */
static void remove_pages(void)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s/index.html", pages);
    CHECK_EQ(remove(name), 0);
    (void)snprintf(name, sizeof name, "%s%s.html", pages, strrchr(path, '/'));
    CHECK_EQ(remove(name), 0);
    CHECK_EQ(rmdir(pages), 0); /* nothing half-written is left */
}

static void make_file(const char *text)
{
    (void)memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK_EQ(write(fd, text, strlen(text)), (int64_t)strlen(text));
    CHECK_EQ(close(fd), 0);
}

/* Both outputs go nowhere while the command runs; it changes no hook that the tests need. */
static int run_quietly(int argc, const char *const *words)
{
    char copies[8][64];
    char *argv[9] = {NULL};
    CHECK(argc <= 8);
    for (int i = 0; i < argc; i++) {
        (void)snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        argv[i] = copies[i];
    }
    assert_hook_fn hook = assert_hook;
    (void)fflush(stdout);
    int out = dup(1), err = dup(2), nowhere = open("/dev/null", O_WRONLY);
    CHECK(out >= 0 && err >= 0 && nowhere >= 0);
    (void)dup2(nowhere, 1);
    (void)dup2(nowhere, 2);
    int status = fencepost_main(argc, argv);
    (void)fflush(stdout);
    (void)dup2(out, 1);
    (void)dup2(err, 2);
    (void)close(out);
    (void)close(err);
    (void)close(nowhere);
    assert_hook = hook;
    return status;
}

/* Fails each allocation of a command in turn, until one run needs none of those left. */
static void fail_each(int argc, const char *const *words, int good)
{
    CHECK_EQ(run_quietly(argc, words), good);
    int64_t nth = 1;
    for (; nth < 5000; nth++) {
        int64_t before = test_allocations();
        test_fail_allocation(nth);
        int status = run_quietly(argc, words);
        test_fail_allocation(0);
        if (test_allocations() - before < nth) {
            CHECK_EQ(status, good);
            break;
        }
        if (status != STATUS_BROKEN)
            test_failed(__FILE__, __LINE__, "status %d when allocation %d of %s %s fails", status, (int)nth, words[1],
                        argc > 2 ? words[2] : "");
    }
    CHECK(nth > 1 && nth < 5000);
}

TEST("whichever allocation fails, every command says that there is no memory")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    make_file(played_example);
    CHECK(mkdtemp(pages) != NULL);
    const char *run[] = {"fencepost", "run", path}, *json[] = {"fencepost", "run", "--json", path};
    const char *fence[] = {"fencepost", "run", "--format", "fence", path};
    const char *points[] = {"fencepost", "run", "--points", path}, *dry[] = {"fencepost", "run", "--dry", path};
    const char *trace[] = {"fencepost", "trace", path, "--case", "fenced"};
    const char *exported[] = {"fencepost", "trace", path, "--case", "checked", "--format", NULL};
    const char *tap[] = {"fencepost", "run", "--format", "tap", path};
    const char *junit[] = {"fencepost", "run", "--format", "junit", path};
    const char *diff[] = {"fencepost", "diff", path, "--case", "checked", "--case", "fenced"};
    const char *report[] = {"fencepost", "report", "-o", pages, "--case", "fenced", path};
    const char *list[] = {"fencepost", "list"}, *help[] = {"fencepost", "run", "--help"};
    const char *manual[] = {"fencepost", "manual"};
    fail_each(3, run, STATUS_GOOD);
    fail_each(4, json, STATUS_GOOD);
    fail_each(5, fence, STATUS_GOOD);
    fail_each(4, points, STATUS_GOOD);
    fail_each(4, dry, STATUS_GOOD);
    fail_each(5, trace, STATUS_GOOD);
    for (int i = FORMAT_JSONL; i < FORMATS; i++) {
        exported[6] = format_table[i].name;
        fail_each(7, exported, STATUS_GOOD);
    }
    fail_each(5, tap, STATUS_GOOD);
    fail_each(5, junit, STATUS_GOOD);
    fail_each(7, diff, STATUS_FAILED);
    fail_each(7, report, STATUS_GOOD);
    fail_each(2, list, STATUS_GOOD);
    fail_each(3, help, STATUS_GOOD);
    fail_each(2, manual, STATUS_GOOD);
    for (int i = 0; i < SHELLS; i++) {
        const char *completion[] = {"fencepost", "completion", completion_shell[i]};
        fail_each(3, completion, STATUS_GOOD);
    }
    (void)remove(path);
    remove_pages();
}

TEST("whichever allocation fails, a file that fails as a whole is not taken for another one")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    const char *run[] = {"fencepost", "run", path}, *json[] = {"fencepost", "run", "--json", path};
    const char *points[] = {"fencepost", "run", "--points", path};
    make_file("fencepost 1\nscenario \"x\"\ncase a holds\nlimit labels 1\nstore s\nnode x\nx:\n  write s 1\n"
              "before x writes s #2: pause x for 1s\n");
    fail_each(3, run, STATUS_WRONG);
    fail_each(4, json, STATUS_WRONG);
    fail_each(4, points, STATUS_WRONG);
    const char *tap[] = {"fencepost", "run", "--format", "tap", path};
    const char *junit[] = {"fencepost", "run", "--format", "junit", path};
    fail_each(5, tap, STATUS_WRONG);
    fail_each(5, junit, STATUS_WRONG);
    (void)remove(path);
}

TEST("whichever allocation fails, a file with errors is reported whole or not at all")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    make_file("fencepost 1\nscenario \"x\"\ncase a holds\nnode x\nx:\n  wrok 1s\n");
    const char *tap[] = {"fencepost", "run", "--format", "tap", path};
    const char *junit[] = {"fencepost", "run", "--format", "junit", path};
    fail_each(5, tap, STATUS_WRONG);
    fail_each(5, junit, STATUS_WRONG);
    (void)remove(path);
}
