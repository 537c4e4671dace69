/* SPDX-License-Identifier: MIT
 *
 * tap.c - TAP 13, the latest version that every harness takes.
 *
 *     TAP version 13
 *     1..2
 *     ok 1 - paused.fence fenced
 *     not ok 2 - paused.fence advisory
 *       ---
 *       message: "..."
 *       ...
 *
 * The block below a failure is YAML: its strings are JSON's, which YAML takes, and what has several lines is a literal
 * block whose indentation is stated, so that a first line may begin with blanks.
 */
#include "reports/export.h"
#include "reports/export_run.h"

#include <string.h>

/* `#` would begin a directive. */
static void description(struct text *t, const char *string)
{
    struct text shown = {0};
    text_shown(&shown, string);
    for (size_t i = 0; i < shown.n; i++) {
        if (shown.bytes[i] == '#' || shown.bytes[i] == '\\')
            text_char(t, '\\');
        text_char(t, shown.bytes[i]);
    }
    text_done(t, &shown);
}

static void key(struct text *t, const char *name, const char *value)
{
    if (value == NULL)
        return;
    text_add(t, "  ");
    text_add(t, name);
    text_add(t, ": ");
    text_json(t, value);
    text_char(t, '\n');
}

static void block(struct text *t, const char *name, const char *lines)
{
    if (lines == NULL || lines[0] == '\0')
        return;
    text_add(t, "  ");
    text_add(t, name);
    text_add(t, ": |2\n");
    while (*lines != '\0') {
        size_t n = strcspn(lines, "\n");
        text_add(t, n > 0 ? "    " : "");
        text_bytes(t, lines, n);
        text_char(t, '\n');
        lines += lines[n] == '\n' ? n + 1 : n;
    }
}

void tap_point(struct text *t, const struct test_point *point, uint64_t n)
{
    struct text raw = {0};
    text_add(&raw, point->status == STATUS_GOOD ? "ok " : "not ok ");
    text_u64(&raw, n);
    text_add(&raw, " - ");
    description(&raw, point->file);
    text_add(&raw, point->name != NULL ? " " : "");
    description(&raw, point->name != NULL ? point->name : "");
    text_char(&raw, '\n');
    if (point->status != STATUS_GOOD) {
        text_add(&raw, "  ---\n");
        key(&raw, "message", point->message);
        key(&raw, "severity", point->status == STATUS_WRONG ? "error" : "fail");
        key(&raw, "again", point->again);
        block(&raw, "detail", point->detail);
        text_add(&raw, "  ...\n");
    }
    export_plain(t, &raw);
}

void tap_whole(struct text *t, struct text *points, uint64_t n)
{
    text_add(t, "TAP version 13\n1..");
    text_u64(t, n);
    text_char(t, '\n');
    text_bytes(t, points->bytes, points->n);
    text_done(t, points);
}

void tap_bail_out(struct text *t, const char *why)
{
    text_add(t, "TAP version 13\nBail out! ");
    text_add(t, why);
    text_char(t, '\n');
}
