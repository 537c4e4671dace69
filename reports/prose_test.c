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

static void check_page(int line, const char *words, const char *html)
{
    struct text t = {0};
    prose_page(&t, words, strlen(words));
    if (strcmp(text_c(&t), html) != 0)
        test_failed(__FILE__, line, "%s became %s, not %s", words, text_c(&t), html);
    text_free(&t);
}
#define PAGE(words, html) check_page(__LINE__, words, html)

TEST("a page has headings, items, tables, lines as they are, and what folds")
{
    PAGE("# A\n\nB\nc.\n## D\n### E\n##### F\n", "<h1>A</h1>\n<p>B c.</p>\n<h2>D</h2>\n<h3>E</h3>\n<h4>F</h4>\n");
    PAGE("* one\n  more\n* two\n\nthen", "<ul>\n<li>one more</li>\n<li>two</li>\n</ul>\n<p>then</p>\n");
    PAGE("| a | b |\n|---|--:|\n| `1` | <2 |\n",
         "<div class=\"wide\"><table><thead>\n<tr><th>a</th><th>b</th></tr></thead><tbody>\n"
         "<tr><td><code>1</code></td><td>&lt;2</td></tr>\n</tbody></table></div>\n");
    PAGE("a\n\n    x <y>\n\n      z\nb", "<p>a</p>\n<pre>x &lt;y&gt;\n\n  z\n</pre>\n<p>b</p>\n");
    PAGE("    x\n\n\n    y\n\n\nb\n\n    z\n\n", "<pre>x\n\n\ny\n</pre>\n<p>b</p>\n<pre>z\n</pre>\n");
    PAGE("**a `b` is c** *`d`* **one ` alone**",
         "<p><strong>a <code>b</code> is c</strong> <em><code>d</code></em> <strong>one ` alone</strong></p>\n");
    PAGE("<details><summary>more & more</summary>\n\na\n\n</details>\n",
         "<details><summary>more &amp; more</summary>\n<p>a</p>\n</details>\n");
    PAGE("**bold** and *soft* and ** alone", "<p><strong>bold</strong> and <em>soft</em> and ** alone</p>\n");
    PAGE("<script>", "<p>&lt;script&gt;</p>\n");
    PAGE("|", "<div class=\"wide\"><table><thead>\n</tbody></table></div>\n");
    PAGE("", "");
}
