/* SPDX-License-Identifier: MIT */
#include "reports/page.h"

#include "reports/embedded.h"
#include "reports/folder.h"
#include "reports/html.h"
#include "reports/index.h"
#include "scenarios/files.h"
#include "scenarios/played.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

/* --- a page of a text --------------------------------------------------------------------------------------- */

/* The page of all cases of a text, as if it had this name. */
static struct text make_page(const char *text, const char *name, uint32_t most)
{
    struct text out = {0};
    struct diags diags = {0};
    struct page page;
    struct scenario *s = scenario_parse(text, strlen(text), name, NULL, 0, &diags);
    for (uint32_t i = 0; i < diags.n; i++)
        test_failed(__FILE__, __LINE__, "%u: %s", (unsigned)diags.row[i].line, diags.row[i].text);
    ASSERT(s != NULL);
    const struct outcome_file file = {name, text, strlen(text), s, 0, false};
    page_begin(&page, &file, most);
    for (uint32_t i = 0; i < scenario_cases(s); i++) {
        struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
        const struct run_options plain = {.plain = true};
        struct run *r = run_case(c, &plain);
        ASSERT(r != NULL);
        page_case(&page, r, i);
        run_free(r);
        compiled_free(c);
    }
    page_end(&page, &out);
    page_free(&page);
    scenario_free(s);
    CHECK(!out.failed);
    return out;
}

static uint32_t count(const char *in, const char *what)
{
    uint32_t n = 0;
    for (const char *p = strstr(in, what); p != NULL; p = strstr(p + 1, what))
        n++;
    return n;
}

/* What stands in the page's data: malloc'd, to be freed. */
static char *data_of(struct text *page)
{
    static const char mark[] = "id=\"run\">";
    const char *begin = strstr(text_c(page), mark);
    ASSERT(begin != NULL);
    begin += sizeof mark - 1;
    const char *end = strstr(begin, "</script>");
    ASSERT(end != NULL);
    size_t n = (size_t)(end - begin);
    char *data = malloc(n + 1);
    ASSERT(data != NULL);
    memcpy(data, begin, n);
    data[n] = '\0';
    return data;
}

/* --- escapes ---------------------------------------------------------------------------------------------------- */

TEST("what is text stays text: in an element, in an attribute, in a script, in a link")
{
    struct text t = {0};
    html_text(&t, "</script> \"a\" & 'b'");
    CHECK_STR(text_c(&t), "&lt;/script&gt; &quot;a&quot; &amp; &#39;b&#39;");
    text_clear(&t);
    struct text json = {0};
    text_json(&json, "</script><!-- & \xe2\x80\xa8 \xe2\x80\xa9 \xe2\x80\xa6");
    html_json(&t, &json);
    CHECK_STR(text_c(&t), "\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028 \\u2029 \xe2\x80\xa6\"");
    text_clear(&t);
    html_link(&t, "a b/javascript:x#?%\xc3\xa9.html");
    CHECK_STR(text_c(&t), "a%20b/javascript%3ax%23%3f%25%c3%a9.html");
    text_clear(&json);
    text_clear(&t);
    text_json(&json, "a\xe2\x80\xae"
                     "b");
    html_json(&t, &json);
    CHECK_STR(text_c(&t), "\"a\\\\xe2\\\\x80\\\\xaeb\"");
    text_free(&json);
    text_free(&t);
}

TEST("nothing that turns the direction of writing, and no odd byte, reaches a page as it is")
{
    struct text t = {0};
    html_text(&t, "a\xe2\x80\xae"
                  "b\xe2\x81\xa6"
                  "c\xd8\x9c"
                  "d\x01\xff");
    CHECK_STR(text_c(&t), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xd8\\x9cd\\x01\\xff");
    text_clear(&t);
    html_text(&t, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\x93");
    CHECK_STR(text_c(&t), "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\x93");
    text_free(&t);
}

static const char hostile[] = "fencepost 1\nscenario \"</script><script>alert(1)</script> & 'x' \\\"\"\n"
                              "  source \"<img src=x onerror=alert(2)>\"\n  lesson \"]]> --> \xd7\xa9\xd7\x9c\"\n"
                              "case a holds\nstore s\nnode w1 identity \"<b>\"\nw1:\n  write s \"</script>\"\n"
                              "  write s \"<!--\"\n# </title></style>\n";

TEST("hostile titles, names and values change nothing but their own text")
{
    struct text page = make_page(hostile, "x\"><script>.fence", 2000);
    const char *html = text_c(&page);
    CHECK_EQ(count(html, "<script"), 2);
    CHECK_EQ(count(html, "</script>"), 2);
    CHECK_EQ(count(html, "<img"), 0);
    CHECK_EQ(count(html, "</title>"), 1);
    CHECK_EQ(count(html, "</style>"), 1);
    CHECK_EQ(count(html, "<b>"), 0);
    char *data = data_of(&page);
    CHECK_EQ(count(data, "<") + count(data, ">") + count(data, "&") + count(data, "\n"), 0);
    CHECK(strstr(data, "\"title\":\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)") != NULL);
    free(data);
    text_free(&page);
}

TEST("a page asks for nothing: no address stands in it but links to other pages, and its policy forbids the rest")
{
    struct text page = make_page(played_example, "f1.fence", 2000);
    const char *html = text_c(&page);
    CHECK(strstr(html, "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                       "img-src data:;") != NULL);
    CHECK_EQ(count(html, " src="), 0);
    CHECK_EQ(count(html, "@import"), 0);
    CHECK(strstr(html, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">") == html);
    text_free(&page);
}

/* --- what a page says --------------------------------------------------------------------------------------------- */

TEST("without scripts a page says title, lesson, verdicts and every event of every case")
{
    static const char *const parts[] = {
        "<h1>A paused leader overwrites its successor</h1>",
        "A lock that expires cannot stop a write that is already on its way.",
        "<th scope=\"row\"><a href=\"#case1\">checked</a></th><td>without store-token</td><td>violates</td><td>",
        "<td>as expected</td><td>no-stale-write: w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11",
        "<h2>fenced: holds, as expected</h2>",
        "<li class=\"sign\">sign single-actor: ",
        "<tr id=r0-0><td>0.000s<td>w1<td>asks leader\n",
        " class=bad><td>13.005s<td>ledger<td>commits w1 token 1 &quot;from w1&quot;\n",
        "ledger<td>refuses w1 stale-token token 1\n",
        "# stop-the-world GC: its clocks run on\n"};
    struct text page = make_page(played_example, "f1.fence", 2000);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text_c(&page), parts[i]) == NULL)
            test_failed(__FILE__, __LINE__, "the page does not say: %s", parts[i]);
    text_free(&page);
}

TEST("a case that is not as it says is told with what was found instead")
{
    struct text page = make_page(
        "fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w1\nw1:\n  write s 1\nat end: expect s = 2\n",
        "x.fence", 2000);
    CHECK(strstr(text_c(&page), "holds</td><td class=\"bad\">NOT as expected") != NULL);
    CHECK(strstr(text_c(&page), "failed expectation, line 8: at end: expect s = 2: found s was 1") != NULL);
    CHECK(strstr(text_c(&page), "\"misses\":[\"line 8: at end: expect s = 2: found s was 1 at 0.003s\"]") != NULL);
    text_free(&page);
}

TEST("a question comes with its choices and, from the run, its answer")
{
    static const char asks[] =
        "fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w1\nw1:\n  wait 2s\n  write s 1\n"
        "ask at 1s \"What will it be?\"\n  \"none\" if s = none\n  \"one\" if s = 1\n";
    struct text page = make_page(asks, "x.fence", 2000);
    CHECK(strstr(text_c(&page), "\"asks\":[{\"at\":1000000000,\"line\":9,\"question\":\"What will it be?\","
                                "\"choices\":[\"none\",\"one\"],\"answer\":1}]") != NULL);
    text_free(&page);
}

/* The blessed text has a line for each element, so that a difference shows where it is. */
static void put_lines(FILE *out, const char *data)
{
    for (const char *p = data; *p != '\0'; p++) {
        (void)fputc(*p, out);
        if (*p == ',' && (p[1] == '{' || p[1] == '[') && (p[-1] == '}' || p[-1] == ']'))
            (void)fputc('\n', out);
    }
    (void)fputc('\n', out);
}

static void without_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (*from != '\n')
            *to++ = *from;
    *to = '\0';
}

static void compare(const char *data, const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    int error = 0;
    CHECK_EQ(file_read(path, &bytes, &n, &error), FILE_OK);
    char *blessed = bytes == NULL ? NULL : realloc(bytes, n + 1);
    if (blessed == NULL)
        return;
    blessed[n] = '\0';
    without_lines(blessed);
    size_t at = 0;
    while (data[at] != '\0' && data[at] == blessed[at])
        at++;
    if (data[at] != blessed[at])
        test_failed(path, 0, "differs, where the new one is right: make bless\n  new ...%.60s\n  old ...%.60s",
                    data + at, blessed + at);
    free(blessed);
}

TEST("the data of the example's page is what was blessed")
{
    static const char path[] = "reports/page_test.data";
    struct text page = make_page(played_example, "scenarios/seeds/f1-paused-leader.fence", 2000);
    char *data = data_of(&page);
    if (getenv("FENCEPOST_BLESS") != NULL) {
        FILE *out = fopen(path, "wb");
        CHECK(out != NULL);
        if (out != NULL) {
            put_lines(out, data);
            CHECK_EQ(fclose(out), 0);
        }
    }
    compare(data, path);
    free(data);
    text_free(&page);
}

/* --- long runs ---------------------------------------------------------------------------------------------------- */

static const char long_run[] = "fencepost 1\nscenario \"x\"\ncase a without store-token violates no-stale-write\n"
                               "lock l central ttl 10s\nstore s\nnode w1 w2 w3\nw1:\n  acquire l\n  write s 1\n"
                               "w3:\n  repeat 2000:\n    write s/other 1\n"
                               "w2:\n  wait 11s\n  acquire l\n  write s 2\nbefore w1 writes s: pause w1 for 12s\n";

TEST("of a long run a window round its violation is shown, with what led to it, and indices stay right")
{
    struct played_case p = played(long_run, NULL, 0);
    struct window w;
    window_make(&w, p.run, 400);
    CHECK(!w.failed && !window_is_whole(&w));
    CHECK_EQ(w.n, 400);
    CHECK_EQ(p.run->n_violations > 0, true);
    uint32_t cause = p.run->violation[0].record;
    const struct record *records = sim_trace(p.run->sim, &w.total);
    for (; cause > 0; cause = records[cause - 1].cause)
        CHECK(window_index(&w, cause) >= 0);
    for (uint32_t i = 0; i < w.n; i++) {
        CHECK_EQ(window_index(&w, w.number[i]), i);
        CHECK(i == 0 || w.number[i - 1] < w.number[i]);
    }
    for (uint32_t i = w.first; i <= w.last; i++)
        CHECK(w.shown[i] > 0);
    window_free(&w);
    played_free(&p);
}

TEST("of a long run in which nothing broke the window stands round the first refusal")
{
    struct played_case p = played(
        "fencepost 1\nscenario \"x\"\ncase a holds\nlock l central ttl 10s\nstore s\nstore t\n"
        "node w1 w2 w3\nw1:\n  acquire l\n  write s 1\n"
        "w3:\n  repeat 500:\n    write t 1\n    wait 10ms\n"
        "w2:\n  wait 1s\n  acquire l within 2s\n",
        NULL, 0);
    struct window w;
    uint32_t n, first = 0;
    const struct record *records = sim_trace(p.run->sim, &n);
    while (first < n && records[first].verb != V_REFUSES && records[first].verb != V_FAILED)
        first++;
    window_make(&w, p.run, 100);
    CHECK(first < n && !window_is_whole(&w));
    CHECK(window_index(&w, first + 1) >= 0);
    CHECK(w.first <= first && first <= w.last);
    window_free(&w);
    played_free(&p);
}

TEST("a run that fits is shown whole, and one in which nothing broke from its beginning")
{
    struct played_case p = played(played_example, "fenced", 0);
    struct window w;
    uint32_t n;
    (void)sim_trace(p.run->sim, &n);
    CHECK(n < WINDOW_LEAST);
    window_make(&w, p.run, WINDOW_LEAST);
    CHECK(window_is_whole(&w));
    CHECK_EQ(w.n, n);
    window_free(&w);
    played_free(&p);
    p = played("fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w1\nw1:\n  repeat 100:\n    write s 1\n", NULL,
               0);
    window_make(&w, p.run, 100);
    CHECK_EQ(w.first, 0);
    CHECK_EQ(w.n, 100);
    CHECK_EQ(w.last, 99);
    window_free(&w);
    played_free(&p);
}

TEST("a page of a long run says that it is one, and is bounded")
{
    struct text page = make_page(long_run, "x.fence", 400);
    CHECK(page.n < 100000 + embedded_viewer_js_n + embedded_viewer_css_n + embedded_page_css_n);
    CHECK(strstr(text_c(&page), "<p>The run is long: of its ") != NULL);
    CHECK(strstr(text_c(&page), "\"window\":[") != NULL);
    CHECK(strstr(text_c(&page), "\"overview\":[") != NULL);
    text_free(&page);
}

TEST("cases share a page: those with few events leave room to those with many")
{
    static const uint32_t even[] = {500, 500}, uneven[] = {100, 5000, 3000}, huge[] = {UINT32_MAX, UINT32_MAX};
    CHECK(page_share(even, 2, 2000) >= 500);
    CHECK_EQ(page_share(uneven, 3, 2000), 950);
    CHECK_EQ(page_share(huge, 2, 2000), 1000);
    CHECK_EQ(page_share(huge, 2, 10), WINDOW_LEAST);
}

/* --- the list, and names ---------------------------------------------------------------------------------------- */

static const char *system_of(struct text *t, const char *source)
{
    text_clear(t);
    index_system(t, source);
    return text_c(t);
}

TEST("a source names its systems by their repositories, or behind the number of an incident")
{
    struct text t = {0};
    CHECK_STR(system_of(&t, "INC-12: etcd-io/etcd#12528, #15247, fix #16822"), "etcd");
    CHECK_STR(system_of(&t, "INC-03: Hazelcast CP FencedLock, reference manual 4.2"), "Hazelcast CP FencedLock");
    CHECK_STR(system_of(&t, "INC-91: celery/kombu#337, celery/celery#2481, #7009"), "kombu, celery");
    CHECK_STR(system_of(&t, "protocols.md F5; redisson/redisson#7272"), "redisson");
    CHECK_STR(system_of(&t, "protocols.md F6, 4.2"), "");
    CHECK_STR(system_of(&t, "#1 /#2 #"), "");
    text_free(&t);
}

TEST("a page is called after its file below the folder that was named, and no two are called the same")
{
    struct folder_names names = {0};
    CHECK(folder_take(&names, "index.html"));
    CHECK_STR(folder_name(&names, "scenarios", "scenarios/seeds/f1.fence"), "seeds/f1.html");
    CHECK_STR(folder_name(&names, "scenarios/", "scenarios/traps/f1.fence"), "traps/f1.html");
    CHECK_STR(folder_name(&names, "a/f1.fence", "a/f1.fence"), "f1.html");
    CHECK_STR(folder_name(&names, "b/F1.fence", "b/F1.fence"), "F1-2.html");
    CHECK_STR(folder_name(&names, "index.fence", "index.fence"), "index-2.html");
    CHECK_STR(folder_name(&names, "./x", "./x"), "x.html");
    CHECK_STR(folder_name(&names, ".", "./seeds/f2.fence"), "seeds/f2.html");
    CHECK_STR(folder_name(&names, "c", "c/a.fence"), "a.html");
    CHECK_STR(folder_name(&names, "c", "c/a.HTML/b.fence"), "a-HTML/b.html"); /* no folder is called like a page */
    for (int i = 0; i < 200; i++)
        CHECK(folder_name(&names, "f.fence", "f.fence") != NULL);
    folder_names_free(&names);
}

TEST("what the build put into the program is there, whole, and ends no element")
{
    const struct {
        const unsigned char *bytes;
        size_t n;
    } parts[] = {{embedded_viewer_js, embedded_viewer_js_n},
                 {embedded_viewer_css, embedded_viewer_css_n},
                 {embedded_page_css, embedded_page_css_n},
                 {embedded_index_js, embedded_index_js_n}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        CHECK(parts[i].n > 40);
        CHECK(parts[i].bytes[parts[i].n - 1] == '\n');
        for (size_t k = 0; k + 1 < parts[i].n; k++)
            CHECK(parts[i].bytes[k] != '<' || parts[i].bytes[k + 1] != '/');
    }
}
