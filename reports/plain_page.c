/* SPDX-License-Identifier: MIT
 *
 * plain_page.c - see plain_page.h.
 */
#include "reports/plain_page.h"

#include "reports/html.h"

static const char style[] =
    ":root { color-scheme: light dark; --c-bg: #fbfbf9; --c-ink: #1d2329; --c-soft: #56616c; --c-line: #d0d5d9; "
    "--c-link: #1f6fb2; --c-none: #fbd5e0; --c-one: #fbe6b8; --c-more: #dcefe0 }\n"
    "@media (prefers-color-scheme: dark) { :root { --c-bg: #14181c; --c-ink: #e7eaed; --c-soft: #a9b3bd; "
    "--c-line: #39424b; --c-link: #6cb4f0; --c-none: #5a2337; --c-one: #574514; --c-more: #1f3b29 } }\n"
    "body { margin: 0; padding: 0 24px 48px; font: 15px/1.5 \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, "
    "system-ui, "
    "sans-serif; color: var(--c-ink); background: var(--c-bg) }\n"
    "header, main { max-width: 1500px; margin: 0 auto }\nh1 { font-size: 27px; line-height: 1.2; margin: 14px 0 6px }\n"
    "h2 { font-size: 19px; margin: 32px 0 6px }\nh3 { font-size: 16px; margin: 22px 0 4px }\n"
    "p, li { max-width: 95ch }\na { color: var(--c-link) }\n.wide { overflow-x: auto }\n"
    "table { border-collapse: collapse }\n"
    "th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--c-line) "
    "}\n"
    "thead th { color: var(--c-soft); font-size: 13px; max-width: 18ch }\n"
    ".n { text-align: right; font-variant-numeric: tabular-nums }\n"
    ".matrix td { text-align: right; padding: 3px 8px; font-variant-numeric: tabular-nums }\n"
    ".matrix tbody th { font-weight: 400; min-width: 24ch }\n"
    ".matrix thead th { vertical-align: bottom; text-align: right; padding: 3px 8px; max-width: 12ch }\n"
    ".matrix thead th:first-child { text-align: left; padding-left: 0 }\n"
    ".none { background: var(--c-none) }\n.one { background: var(--c-one) }\n.more { background: var(--c-more) }\n"
    ".cannot { color: var(--c-soft); font-style: italic }\n"
    "svg { display: block; max-width: 760px; width: 100% }\n"
    "svg.swatch { display: inline-block; width: 36px; height: 10px }\n"
    "svg text { font-size: 11px; fill: var(--c-soft) }\n.axis line { stroke: var(--c-line) }\n"
    "polyline { fill: none; stroke-width: 2 }\n"
    ".c0 { stroke: #1f6fb2 }\n.c1 { stroke: #c25e00; stroke-dasharray: 7 3 }\n.c2 { stroke: #2a8a4a }\n"
    ".c3 { stroke: #8a4fbf; stroke-dasharray: 2 3 }\n.c4 { stroke: #7a7a7a; stroke-dasharray: 9 3 2 3 }\n"
    ".c5 { stroke: #b0893c; stroke-dasharray: 4 4 }\n.c6 { stroke: #c02a5a; stroke-width: 3 }\n"
    ".c7 { stroke: #2aa0a0; stroke-dasharray: 12 4 }\n"
    "@media print { @page { size: A4 landscape; margin: 12mm } body { padding: 0; font-size: 11px } "
    ".wide { overflow: visible } tr, li, svg { break-inside: avoid } thead { display: table-header-group } "
    ".none, .one, .more { print-color-adjust: exact; -webkit-print-color-adjust: exact } "
    "a { color: inherit; text-decoration: none } }\n";

void plain_page_begin(struct text *t, const char *title)
{
    text_add(t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                "base-uri 'none'; form-action 'none'\">\n<title>");
    html_text(t, title);
    text_add(t, " - Fencepost</title>\n<style>\n");
    text_add(t, style);
    text_add(t, "</style>\n</head>\n<body>\n<header>\n<h1>");
    html_text(t, title);
    text_add(t, "</h1>\n");
}

void plain_page_end(struct text *t) { text_add(t, "</main>\n</body>\n</html>\n"); }
