/* SPDX-License-Identifier: MIT
 *
 * notes.c - the notes that a search writes at the top of what it found, told from a person's own comments.
 *
 * They say what is broken and how it was found, which is true of that one file: whoever writes another from it leaves
 * them out, or they would pile up. Two lines, one right below the other, are such notes by their words, and a third may
 * follow:
 *
 *     # no-stale-write is broken by w1 at 13.005s
 *     # minimal: without a fault it holds (...)
 *     # found by: fencepost fuzz ...
 *
 * One of them alone is what somebody wrote.
 */
#include <string.h>

#include "scenarios/language/tree.h"

/* The comment that stands alone on line `index`, right below the one before if `below`; "": there is none. */
static const char *comment_at(const struct scenario *s, uint32_t index, bool below)
{
    if (index >= s->src.lines.n)
        return "";
    const struct line *line = &s->src.lines.row[index];
    return line->n > 0 || line->comment == NULL || (below && line->blank_before) ? "" : line->comment;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Whether two notes begin on this line. */
static bool notes_begin(const struct scenario *s, uint32_t index)
{
    const char *what = comment_at(s, index, false), *proof = comment_at(s, index + 1, true);
    bool says = strstr(what, " is broken by ") != NULL || strstr(what, " is broken at ") != NULL ||
                strstr(what, " is reached at ") != NULL || strstr(what, " says of always is false at ") != NULL;
    return says && (begins(proof, "# minimal: ") || begins(proof, "# no certificate that it is minimal: "));
}

bool line_notes_finding(const struct scenario *s, uint32_t index)
{
    if (notes_begin(s, index) || (index >= 1 && notes_begin(s, index - 1)))
        return true;
    return index >= 2 && notes_begin(s, index - 2) && begins(comment_at(s, index, true), "# found by: fencepost ");
}
