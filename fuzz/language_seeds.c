/* SPDX-License-Identifier: MIT
 *
 * language_seeds.c - first inputs for the language's fuzz target, made of the table of words.
 *
 *     language_seeds DIR            a file for each word's example in a small world, and files of that example's slips
 *     language_seeds --dictionary   the words, as libFuzzer's -dict= wants them, on standard output
 *
 * The library of scenarios is the other part of the corpus: it is there already, and only needs to be copied.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/language/scenario.h"

/* Everything that an example may name; steps go behind the first half. */
static const char world[] = "fencepost 1\n"
                            "case plain holds\n"
                            "lock leader quorum voters 3 ttl 10s\n"
                            "store ledger\n"
                            "node w1 w2\n"
                            "w1:\n"
                            "  acquire leader as first\n"
                            "  keep leader\n"
                            "  read ledger/x as x\n"
                            "  write ledger/x x token first.token\n"
                            "  write ledger 1\n";
static const char more[] = "w2:\n"
                           "  acquire leader\n"
                           "  effect \"charge card\"\n"
                           "  claim jobs as one\n"
                           "  complete one\n"
                           "  update lease/a set owner me epoch 1 until now + 3s\n";
static const char jobs[] = "queue jobs lease 30s\n"
                           "  job \"invoice-42\"\n"
                           "table lease at db\n"
                           "  row a owner none epoch 0 until 0s\n";

static bool is_step(const struct word *w)
{
    static const char *const first[] = {"claim ", "enqueue ", "reap ", "requeue ", "update ", "insert ", "ping "};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (strncmp(w->example, first[i], strlen(first[i])) == 0)
            return true;
    return w->group == WORDS_STEPS;
}

static bool is_header(const struct word *w)
{
    return strcmp(w->name, "source") == 0 || strcmp(w->name, "lesson") == 0 || strcmp(w->name, "decided-by") == 0 ||
           strcmp(w->name, "reach") == 0;
}

/* --- slips: one token of a line left out, or another in its place --------------------------------- */

static size_t token_length(const char *at)
{
    if (*at == '"')
        return strcspn(at + 1, "\"\n") + 2;
    size_t n = strcspn(at, " \n\"");
    return n > 1 && strchr(":,", at[n - 1]) != NULL ? n - 1 : n;
}

static const char *const instead[] = {"", "5s", "7", "\"text\"", "nobody", "[", "-", "none"};
#define SLIPS (sizeof instead / sizeof *instead)

/* The line with `with` for its nth token; false: it has no such token. */
static bool write_slip(FILE *f, const char *line, size_t n, const char *with, size_t indent)
{
    const char *at = line;
    for (size_t i = 0;; i++) {
        at += strspn(at, " \n");
        if (*at == '\0')
            return false;
        if (i == n)
            break;
        at += token_length(at);
    }
    fprintf(f, "%*s", (int)indent, "");
    for (const char *c = line; *c != '\0'; c++) {
        if (c == at) {
            fputs(with, f);
            c += token_length(at);
        }
        if (*c == '\0')
            break;
        fputc(*c, f);
        if (*c == '\n')
            fprintf(f, "%*s", (int)indent, "");
    }
    fputc('\n', f);
    return true;
}

/* --- files ------------------------------------------------------------------------------------------ */

static void write_example(FILE *f, const struct word *w, size_t indent, size_t slip)
{
    if (slip < SLIPS) {
        for (size_t n = 0; write_slip(f, w->example, n, instead[slip], indent); n++)
            ;
        return;
    }
    fprintf(f, "%*s", (int)indent, "");
    for (const char *c = w->example; *c != '\0'; c++) {
        fputc(*c, f);
        if (*c == '\n')
            fprintf(f, "%*s", (int)indent, "");
    }
    fputc('\n', f);
}

static bool write_file(const char *folder, const struct word *w, uint32_t number, size_t slip)
{
    char path[4096];
    int n = slip < SLIPS ? snprintf(path, sizeof path, "%s/word-%03u-slip-%u.fence", folder, number, (unsigned)slip)
                         : snprintf(path, sizeof path, "%s/word-%03u.fence", folder, number);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    if (f == NULL) {
        perror(path);
        return false;
    }
    fputs(world, f);
    if (is_step(w))
        write_example(f, w, 2, slip);
    fputs(more, f);
    if (is_header(w))
        fputs("scenario \"a title\"\n", f);
    if (!is_step(w))
        write_example(f, w, is_header(w) ? 2 : 0, slip);
    fputs(jobs, f);
    bool written = !ferror(f);
    if (fclose(f) != 0 || !written) {
        perror(path);
        return false;
    }
    return true;
}

/* As wrong as text can be, whatever the words: each is a file. */
static const char *const ruins[] = {
    "fencepost",
    "fencepost 2\n",
    "fencepost 1\n",
    "case a holds\n",
    "\xef\xbb\xbf"
    "fencepost 1\ncase a holds\n",
    "fencepost 1\r\ncase a holds\r\n",
    "fencepost 1\ncase a holds\n\tnode w1\n",
    "fencepost 1\ncase \xff holds\nnode \x01 \xe2\x80\xae \xc2\x85\n",
    "fencepost 1\n  case a holds\n      node w1\n   node w2\n",
    "fencepost 1\ncase a holds\nnode \"w\nnode 5x 1.5 99999999999999999999 3000000h 1.0000000001s 5s3m 0x1 #0 "
    "#99999999999\n",
    "fencepost 1\ncase a holds\ncase b holds\n[a] node w3\n[b] store s\n[a] lock k central ttl 3s\n[a] queue q lease "
    "9s\n"
    "  job \"j\"\n[a] w3:\n  write s 1\n[b] at 5s: pause w3\n[b] at 6s: expect w3 holds k\n[b] at end: expect j "
    "waiting\n"
    "[b] at end: expect job \"j\" waiting\n[b] group g = w3\n[b] net w3 -> s delay 5ms\n[a] at 5s: slow s by 3s\n"
    "[b] may pause w3\n[a] at end: expect s = 3\n",
    "fencepost 1\ncase a holds\nnode w1\nalways: expect ((((((((((((((((((1))))))))))))))))) = 1\n",
};

static bool write_ruin(const char *folder, size_t i)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/ruin-%02u.fence", folder, (unsigned)i);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    bool written = f != NULL && fputs(ruins[i], f) >= 0;
    if ((f != NULL && fclose(f) != 0) || !written) {
        perror(path);
        return false;
    }
    return true;
}

static int write_seeds(const char *folder)
{
    uint32_t n;
    const struct word *words = words_all(&n);
    for (uint32_t i = 0; i < n; i++)
        for (size_t slip = 0; words[i].example[0] != '\0' && slip <= SLIPS; slip++)
            if (!write_file(folder, &words[i], i, slip))
                return 3;
    for (size_t i = 0; i < sizeof ruins / sizeof *ruins; i++)
        if (!write_ruin(folder, i))
            return 3;
    return 0;
}

/* --- the dictionary ------------------------------------------------------------------------------------ */

/* No word of the table has a quote or a backslash in it; the marks are what else a line is made of. */
static int write_dictionary(void)
{
    static const char *const marks[] = {"[",   "]",           ": ",   " -> ", " - ", "..", " #2",
                                        " = ", "expect not ", "none", "me",   "0s",  "10s"};
    uint32_t n;
    const struct word *words = words_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        bool known = strpbrk(words[i].name, "\"\\") != NULL;
        for (uint32_t j = 0; j < i && !known; j++)
            known = strcmp(words[i].name, words[j].name) == 0;
        if (!known)
            printf("\"%s\"\n", words[i].name);
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        printf("\"%s\"\n", marks[i]);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--dictionary") == 0)
        return write_dictionary();
    if (argc == 2 && argv[1][0] != '-')
        return write_seeds(argv[1]);
    fprintf(stderr, "usage: language_seeds DIR, or language_seeds --dictionary\n");
    return 2;
}
