/* SPDX-License-Identifier: MIT
 *
 * coverage_page.c - what the pages of `fencepost coverage` have in common: head and end, a link to the run that shows
 * something, a cell of a table with its colour; and the list of all pages.
 */
#include "reports/coverage.h"
#include "reports/embedded.h"
#include "reports/html.h"

#include <string.h>

void coverage_begin(struct text *t, const char *title, const char *up)
{
    text_add(t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>");
    html_text(t, title);
    text_add(t, " - Fencepost</title>\n<style>\n");
    text_bytes(t, (const char *)embedded_coverage_css, embedded_coverage_css_n);
    text_add(t, "</style>\n</head>\n<body>\n<header>\n");
    if (up != NULL) {
        text_add(t, "<p><a href=\"");
        html_link(t, up);
        text_add(t, "\">Coverage</a></p>\n");
    }
    text_add(t, "<h1>");
    html_text(t, title);
    text_add(t, "</h1>\n");
}

void coverage_end(struct text *t) { text_add(t, "</main>\n</body>\n</html>\n"); }

/* The value of a fragment: what stands for itself there, anything else as %HH. */
static void add_fragment(struct text *t, const char *string)
{
    for (const char *s = string; *s != '\0'; s++) {
        char one[2] = {*s, '\0'};
        html_link(t, one);
    }
}

bool coverage_has_link(const struct covered *c, uint32_t run)
{
    return c->pages != NULL && c->file[c->run[run].file].page != NULL;
}

void coverage_link(struct text *t, const struct covered *c, uint32_t run, ns at)
{
    struct text when = {0};
    html_link(t, c->pages);
    text_char(t, '/');
    html_link(t, c->file[c->run[run].file].page);
    text_add(t, "#case=");
    add_fragment(t, c->run[run].name);
    if (at >= 0) {
        text_time(&when, at);
        text_add(t, "&amp;t=");
        text_bytes(t, when.bytes, when.n > 0 ? when.n - 1 : 0); /* seconds, without their unit */
    }
    text_done(t, &when);
}

void coverage_witness(struct text *t, const struct covered *c, uint32_t run, ns at, const char *words)
{
    struct text name = {0}, href = {0};
    covered_name(&name, c, run);
    text_add(&name, ", ");
    text_time(&name, at);
    if (coverage_has_link(c, run))
        coverage_link(&href, c, run, at);
    html_witness(t, &href, words, &name);
    text_done(t, &href);
    text_done(t, &name);
}

const char *coverage_shade(uint32_t cases) { return cases == 0 ? "none" : cases == 1 ? "one" : "more"; }

void coverage_legend(struct text *t)
{
    text_add(t, "<p class=\"legend\"><span class=\"none\">0: no case</span><span class=\"one\">1: one case</span>"
                "<span class=\"more\">more</span> A number is a number of cases; it leads to the first of them.</p>\n");
}

/* --- the list of pages -------------------------------------------------------------------------------------- */

static void add_item(struct text *t, const char *link, const char *title, const char *sentence)
{
    text_add(t, "<li><a href=\"");
    html_link(t, link);
    text_add(t, "\">");
    html_text(t, title);
    text_add(t, "</a>");
    if (sentence != NULL) {
        text_add(t, ": ");
        html_text(t, sentence);
    }
    text_add(t, "</li>\n");
}

void coverage_index(struct text *t, const struct covered *c, const struct coverage_kind *kind, uint32_t n)
{
    coverage_begin(t, "Coverage", NULL);
    text_add(t, "<p>What ");
    text_count(t, c->n_files, "scenario", "scenarios");
    text_add(t, " with ");
    text_count(t, c->n_runs, "case", "cases");
    text_add(t, " have shown, and what not yet.</p>\n</header>\n<main>\n<ul>\n");
    for (uint32_t i = 0; i < n; i++)
        if (kind[i].page != NULL && (kind[i].is_there == NULL || kind[i].is_there(c)))
            add_item(t, kind[i].name, kind[i].title, kind[i].sentence);
    for (uint32_t i = 0; i < c->n_links; i++)
        add_item(t, c->link[i].link, c->link[i].words, NULL);
    if (c->pages != NULL) {
        struct text pages = {0};
        text_add(&pages, c->pages);
        text_add(&pages, "/index.html");
        add_item(t, text_c(&pages), "The scenarios", "each with its runs as timelines");
        text_done(t, &pages);
    }
    text_add(t, "</ul>\n");
    coverage_end(t);
}
