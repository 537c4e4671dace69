/* SPDX-License-Identifier: MIT */
#include "scenarios/files.h"

#include "sim/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of its own for each test, below the machine's folder for such things. */
static char folder[256];

static const char *inside(const char *name)
{
    static char path[4][600];
    static unsigned turn;
    char *p = path[turn++ % 4];
    (void)snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void make_folder(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/fencepost-files-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

static void make_file(const char *name, const char *text)
{
    FILE *f = fopen(inside(name), "wb");
    CHECK(f != NULL);
    if (f == NULL)
        return;
    (void)fputs(text, f);
    (void)fclose(f);
}

static void make_sub(const char *name) { CHECK_EQ(mkdir(inside(name), 0700), 0); }

static void drop(const char *name) { (void)remove(inside(name)); }

TEST("a folder stands for its scenarios, sorted by bytes, and for nothing else")
{
    struct files f = {0};
    make_folder();
    make_sub("b");
    make_sub(".hidden");
    make_file("z.fence", "");
    make_file("Z.fence", "");
    make_file("b/a.fence", "");
    make_file("a.txt", "");
    make_file(".fence", "");
    make_file(".hidden/x.fence", "");
    CHECK_EQ(files_add(&f, folder), FILE_OK);
    CHECK_EQ(f.n, 3);
    if (f.n == 3) {
        CHECK_STR(f.path[0], inside("Z.fence"));
        CHECK_STR(f.path[1], inside("b/a.fence"));
        CHECK_STR(f.path[2], inside("z.fence"));
    }
    files_free(&f);
    CHECK_EQ(files_add(&f, inside("b/")), FILE_OK);
    CHECK_EQ(f.n, 1);
    if (f.n == 1)
        CHECK_STR(f.path[0], inside("b/a.fence"));
    files_free(&f);
    drop("z.fence"), drop("Z.fence"), drop("b/a.fence"), drop("a.txt"), drop(".fence");
    drop(".hidden/x.fence"), drop(".hidden"), drop("b"), drop("");
}

TEST("a link to the folder above does not lead round in a circle")
{
    struct files f = {0};
    make_folder();
    make_file("a.fence", "");
    CHECK_EQ(symlink("..", inside("up")), 0);
    CHECK_EQ(symlink("a.fence", inside("b.fence")), 0);
    CHECK_EQ(files_add(&f, folder), FILE_OK);
    CHECK_EQ(f.n, 2);
    files_free(&f);
    drop("up"), drop("a.fence"), drop("b.fence"), drop("");
}

TEST("a folder without scenarios, and a file that is not there, are told apart")
{
    struct files f = {0};
    make_folder();
    make_file("readme", "");
    CHECK_EQ(files_add(&f, folder), FILE_NONE);
    CHECK_EQ(files_add(&f, inside("nothing")), FILE_MISSING);
    CHECK_EQ(files_add(&f, inside("readme/below")), FILE_MISSING);
    CHECK_EQ(files_add(&f, inside("readme")), FILE_OK);
    files_free(&f);
    drop("readme"), drop("");
}

TEST("a file is read whole, with NUL bytes, and an empty one too")
{
    char *bytes;
    size_t n;
    int error;
    make_folder();
    make_file("empty", "");
    CHECK_EQ(file_read(inside("empty"), &bytes, &n, &error), FILE_OK);
    CHECK(bytes != NULL);
    CHECK_EQ(n, 0);
    free(bytes);
    FILE *f = fopen(inside("nul"), "wb");
    for (int i = 0; f != NULL && i < 40000; i++)
        (void)fputc(i % 251, f);
    CHECK(f != NULL && fclose(f) == 0);
    CHECK_EQ(file_read(inside("nul"), &bytes, &n, &error), FILE_OK);
    CHECK_EQ(n, 40000);
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != (char)(i % 251))
            test_failed(__FILE__, __LINE__, "byte %zu is wrong", i);
    free(bytes);
    CHECK_EQ(file_read(inside("gone"), &bytes, &n, &error), FILE_MISSING);
    CHECK_EQ(file_read(folder, &bytes, &n, &error), FILE_UNREADABLE);
    CHECK_EQ(error, EISDIR);
    CHECK_EQ(file_read_most(inside("nul"), 40001, &bytes, &n, &error), FILE_OK);
    free(bytes);
    CHECK_EQ(file_read_most(inside("nul"), 40000, &bytes, &n, &error), FILE_OK);
    free(bytes);
    CHECK_EQ(file_read_most(inside("nul"), 39999, &bytes, &n, &error), FILE_TOO_LARGE);
    CHECK(bytes == NULL);
    drop("empty"), drop("nul"), drop("");
}

TEST("a file without end is refused, not read for ever")
{
    char *bytes;
    size_t n;
    int error;
    if (access("/dev/zero", R_OK) != 0) {
        test_skip("no /dev/zero");
        return;
    }
    CHECK_EQ(file_read("/dev/zero", &bytes, &n, &error), FILE_TOO_LARGE);
    CHECK(bytes == NULL);
}

TEST("each problem of a file has its own words")
{
    for (int p = FILE_NO_MEMORY; p <= FILE_NONE; p++)
        for (int q = p + 1; q <= FILE_NONE; q++)
            CHECK(strcmp(file_problem_text((enum file_problem)p, 0), file_problem_text((enum file_problem)q, 0)) != 0);
    CHECK(strcmp(file_problem_text(FILE_UNREADABLE, EACCES), "cannot be read") != 0);
}
