/* SPDX-License-Identifier: MIT */
#include "reports/prose.h"

#include "sim/test.h"

#include <string.h>

static void check_prose(int line, const char *words, const char *heading, const char *html)
{
    struct text t = {0};
    prose_add(&t, words, strlen(words), heading);
    if (strcmp(text_c(&t), html) != 0)
        test_failed(__FILE__, line, "%s became %s, not %s", words, text_c(&t), html);
    text_free(&t);
}
#define PROSE(words, heading, html) check_prose(__LINE__, words, heading, html)

static const char page[] = "# A title\n\nFirst\nof all.\n\nThen.\n\n## One\n\nIn one.\n\n## Two\nIn two.\n## Three\n";

TEST("paragraphs are lines up to an empty one, and belong to the heading above them")
{
    PROSE(page, NULL, "<p>First of all.</p>\n<p>Then.</p>\n");
    PROSE(page, "One", "<p>In one.</p>\n");
    PROSE(page, "Two", "<p>In two.</p>\n");
    PROSE(page, "Three", "");
    PROSE(page, "Four", "");
    PROSE(page, "On", "");
    PROSE("", NULL, "");
    PROSE("no end", NULL, "<p>no end</p>\n");
    PROSE("a\r\n\r\nb\r\n", NULL, "<p>a</p>\n<p>b</p>\n");
}

TEST("words between backticks are code, between stars stressed; a single mark is a character")
{
    PROSE("see `w1` and *all* of it", NULL, "<p>see <code>w1</code> and <em>all</em> of it</p>\n");
    PROSE("`a` `b`", NULL, "<p><code>a</code> <code>b</code></p>\n");
    PROSE("`a*b*`", NULL, "<p><code>a*b*</code></p>\n");
    PROSE("2 * 3, and a ` alone", NULL, "<p>2 * 3, and a ` alone</p>\n");
    PROSE("** and ``", NULL, "<p>** and ``</p>\n");
    PROSE("over\n`two\nlines`", NULL, "<p>over <code>two lines</code></p>\n");
}

TEST("markup in words is text")
{
    PROSE("<b>&\"", NULL, "<p>&lt;b&gt;&amp;&quot;</p>\n");
    PROSE("`</code><script>`", NULL, "<p><code>&lt;/code&gt;&lt;script&gt;</code></p>\n");
}
