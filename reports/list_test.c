/* SPDX-License-Identifier: MIT */
#include "reports/front.h"
#include "reports/list.h"

#include "model/words.h"
#include "scenarios/language/scenario.h"

#include "sim/test.h"

static bool lists(const char *word, const char *what)
{
    struct text t = {0};
    const char *near;
    bool found = list_words(&t, word, &near) && strstr(text_c(&t), what) != NULL;
    if (!found)
        test_failed(__FILE__, __LINE__, "list %s has no \"%s\" but\n%s", word == NULL ? "" : word, what, text_c(&t));
    text_free(&t);
    return found;
}

TEST("the list of everything has every word of the table, and the words that the models know")
{
    uint32_t n;
    const struct word *w = words_all(&n);
    struct text t = {0};
    const char *near;
    CHECK(list_words(&t, NULL, &near));
    const char *all = text_c(&t);
    for (uint32_t i = 0; i < n; i++)
        CHECK(strstr(all, w[i].name) != NULL && strstr(all, w[i].sentence) != NULL);
    for (int i = 0; i < GATES; i++)
        CHECK(strstr(all, gate_table[i].name) != NULL);
    for (int i = 0; i < INVARIANTS; i++)
        CHECK(strstr(all, invariant_table[i].name) != NULL);
    for (int i = 0; i < ERRORS; i++)
        CHECK(strstr(all, error_table[i].name) != NULL);
    text_free(&t);
}

TEST("a gate says what happens without it, an invariant what it does not promise")
{
    for (int i = 0; i < GATES; i++)
        lists(gate_table[i].name, gate_table[i].without);
    for (int i = 0; i < INVARIANTS; i++)
        lists(invariant_table[i].name, invariant_table[i].not_promised);
    lists("no-stale-write", "harm");
    lists("gate", "store-token");
}

TEST("a group or a word is found in the plural and in the singular")
{
    lists("queue", "queue");
    lists("queues", "claim");
    lists("tables", "table");
    lists("jobs", "job");
    lists("heartbeats", "heartbeat");
    lists("invariant", "no-lost-job");
}

TEST("the formats of run and trace are listed, each with a sentence")
{
    for (int i = 0; i < FORMATS; i++) {
        lists("formats", format_table[i].name);
        lists("format", format_table[i].sentence);
    }
}

TEST("a word that is not there finds its nearest")
{
    struct text t = {0};
    const char *near;
    CHECK(!list_words(&t, "stoer-token", &near));
    CHECK_STR(near == NULL ? "none" : near, "store-token");
    CHECK(!list_words(&t, "xyzzyxyzzyxyzzy", &near));
    CHECK(near == NULL);
    CHECK_EQ(t.n, 0);
    text_free(&t);
}
