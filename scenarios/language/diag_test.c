/* SPDX-License-Identifier: MIT */
#include "scenarios/language/diag.h"

#include <stdio.h>

#include "scenarios/language/arena.h"
#include "sim/test.h"

static const char *const faults[] = {"pause", "suspend", "crash", "cut", "heal"};

static const char *near(const char *word)
{
    const char *found = nearest_word(word, strlen(word), faults, 5);
    return found == NULL ? "" : found;
}

TEST("the nearest word is found for a slip of one or two letters, and neighbours swapped")
{
    CHECK_STR(near("puase"), "pause");
    CHECK_STR(near("pausse"), "pause");
    CHECK_STR(near("paus"), "pause");
    CHECK_STR(near("suspnd"), "suspend");
    CHECK_STR(near("pause"), "pause");
    CHECK_STR(near("cto"), "cut");
}

TEST("a word that is near to nothing has no suggestion")
{
    CHECK_STR(near("explode"), "");
    CHECK_STR(near(""), "");
    CHECK_STR(near("x"), "");
    CHECK_STR(near("pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp"), "");
}

TEST("with no near word all are listed, up to the length of a message")
{
    struct diags d = {0};
    diag_unknown(&d, (struct place){1, 1, 7}, "fault", "explode", faults, 5);
    CHECK_STR(d.row[0].text, "unknown fault 'explode'; expected pause, suspend, crash, cut or heal");
    const char *many[100];
    for (int i = 0; i < 100; i++)
        many[i] = "some-word";
    diag_unknown(&d, (struct place){2, 1, 7}, "fault", "explode", many, 100);
    CHECK(strlen(d.row[1].text) < sizeof d.row[1].text);
    CHECK_STR(d.row[1].text + strlen(d.row[1].text) - 4, " ...");
}

TEST("ten problems are kept, all are counted, one for each place, and they are sorted")
{
    struct diags d = {0};
    for (uint32_t i = 12; i > 0; i--)
        diag_add(&d, (struct place){i, 1, 1}, "problem %u", i);
    diag_add(&d, (struct place){12, 1, 1}, "the same place");
    CHECK_EQ(d.n, DIAGS_MAX);
    CHECK_EQ(d.total, 12);
    diag_sort(&d);
    CHECK_EQ(d.row[0].line, 3);
    CHECK_EQ(d.row[9].line, 12);
    CHECK_STR(d.row[9].text, "problem 12");
}

TEST("a message that is too long is cut between characters, and says so")
{
    struct diags d = {0};
    diag_add(&d, (struct place){1, 1, 1}, "%0235d\xc3\xa4\xc3\xa4\xc3\xa4", 0);
    CHECK_EQ(strlen(d.row[0].text), 238);
    CHECK_STR(d.row[0].text + 232, "000...");
}

TEST("an arena zeroes what it gives, and an interner numbers texts in their order")
{
    struct arena a = {0};
    struct interner in = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "name%u", i);
        CHECK_EQ(intern(&a, &in, text, strlen(text)), i);
        CHECK_EQ(intern(&a, &in, text, strlen(text)), i);
    }
    CHECK_EQ(interner_find(&in, "name999", 7), 999);
    CHECK_EQ(interner_find(&in, "name9999", 8), UINT32_MAX);
    const char *large = arena_alloc(&a, 100000);
    for (uint32_t i = 0; large != NULL && i < 100000; i += 997)
        CHECK_EQ(large[i], 0);
    arena_free(&a);
}
