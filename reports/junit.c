/* SPDX-License-Identifier: MIT
 *
 * junit.c - the part of JUnit's XML that all its readers have in common: suites, cases, one failure or error a case.
 *
 * A case that is not as it says is a failure, a file that is wrong an error. `time` is 0: how long it took is no part
 * of the result. Control characters of names are shown as \xHH; what else XML cannot hold becomes a question mark.
 */
#include "reports/export.h"
#include "reports/export_run.h"

#include <string.h>

/* U+FFFE and U+FFFF, and control characters but a line's end and a tab: no XML may hold them. 0: it may stand. */
static size_t forbidden(const char *bytes, size_t n)
{
    const unsigned char *s = (const unsigned char *)bytes;
    if (n >= 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe)
        return 3;
    return s[0] < ' ' && s[0] != '\n' && s[0] != '\t';
}

static void escaped(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0, bad; i<n; i += bad> 0 ? bad : 1) {
        bad = forbidden(bytes + i, n - i);
        switch (bad > 0 ? '\0' : bytes[i]) {
        case '\0': text_char(t, '?'); break;
        case '&': text_add(t, "&amp;"); break;
        case '<': text_add(t, "&lt;"); break;
        case '>': text_add(t, "&gt;"); break;
        case '"': text_add(t, "&quot;"); break;
        default: text_char(t, bytes[i]);
        }
    }
}

/* name="value" */
static void attribute(struct text *t, const char *name, const char *value)
{
    struct text shown = {0};
    text_shown(&shown, value == NULL ? "" : value);
    text_char(t, ' ');
    text_add(t, name);
    text_add(t, "=\"");
    escaped(t, shown.bytes, shown.n);
    text_char(t, '"');
    text_done(t, &shown);
}

static void number(struct text *t, const char *name, uint64_t n)
{
    text_char(t, ' ');
    text_add(t, name);
    text_add(t, "=\"");
    text_u64(t, n);
    text_char(t, '"');
}

static void counts(struct text *t, uint64_t n, uint64_t failed, uint64_t wrong)
{
    number(t, "tests", n);
    number(t, "failures", failed);
    number(t, "errors", wrong);
    number(t, "skipped", 0);
    number(t, "time", 0);
}

static void trouble(struct text *t, const struct test_point *point)
{
    const char *element = point->status == STATUS_WRONG ? "error" : "failure";
    text_add(t, ">\n      <");
    text_add(t, element);
    attribute(t, "message", point->message);
    attribute(t, "type", element);
    text_char(t, '>');
    escaped(t, point->detail == NULL ? "" : point->detail, point->detail == NULL ? 0 : strlen(point->detail));
    if (point->again != NULL) {
        text_add(t, "again: ");
        escaped(t, point->again, strlen(point->again));
        text_char(t, '\n');
    }
    text_add(t, "</");
    text_add(t, element);
    text_add(t, ">\n    </testcase>\n");
}

void junit_case(struct text *t, const struct test_point *point)
{
    struct text raw = {0};
    text_add(&raw, "    <testcase");
    attribute(&raw, "classname", point->file);
    attribute(&raw, "name", point->name != NULL ? point->name : "the file as a whole");
    number(&raw, "time", 0);
    if (point->status == STATUS_GOOD)
        text_add(&raw, "/>\n");
    else
        trouble(&raw, point);
    export_plain(t, &raw);
}

void junit_suite(struct text *t, const char *file, struct text *cases, uint64_t n, uint64_t failed, uint64_t wrong)
{
    struct text raw = {0};
    text_add(&raw, "  <testsuite");
    attribute(&raw, "name", file);
    counts(&raw, n, failed, wrong);
    text_add(&raw, ">\n");
    text_bytes(&raw, cases->bytes, cases->n);
    text_add(&raw, "  </testsuite>\n");
    text_done(&raw, cases);
    export_plain(t, &raw);
}

void junit_whole(struct text *t, struct text *suites, uint64_t n, uint64_t failed, uint64_t wrong)
{
    text_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    counts(t, n, failed, wrong);
    text_add(t, ">\n");
    text_bytes(t, suites->bytes, suites->n);
    text_add(t, "</testsuites>\n");
    text_done(t, suites);
}
