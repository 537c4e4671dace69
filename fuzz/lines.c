/* SPDX-License-Identifier: MIT
 *
 * lines.c - see lines.h.
 */
#include "fuzz/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- building --------------------------------------------------------------------------------- */

void lines_free(struct lines *l)
{
    free(l->bytes);
    memset(l, 0, sizeof *l);
}

static void add(struct lines *l, const char *bytes, size_t n)
{
    if (l->failed || n == 0)
        return;
    if (l->n + n > l->room) {
        size_t room = (l->n + n) * 2 + 4096;
        char *grown = realloc(l->bytes, room);
        l->failed = grown == NULL;
        if (l->failed)
            return;
        l->bytes = grown;
        l->room = room;
    }
    memcpy(l->bytes + l->n, bytes, n);
    l->n += n;
}

static void blank(struct lines *l)
{
    if (l->n > 0 && l->bytes[l->n - 1] != '\n')
        add(l, " ", 1);
}

void lines_bytes(struct lines *l, const char *bytes, size_t n)
{
    blank(l);
    add(l, bytes, n);
}

void lines_word(struct lines *l, const char *word) { lines_bytes(l, word, strlen(word)); }

static void add_u64(struct lines *l, uint64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    add(l, digits + at, sizeof digits - at);
}

static void add_hash(struct lines *l, uint64_t v)
{
    char digits[16];
    for (int i = 0; i < 16; i++)
        digits[i] = "0123456789abcdef"[v >> (60 - 4 * i) & 15];
    add(l, digits, sizeof digits);
}

void lines_u64(struct lines *l, uint64_t v)
{
    blank(l);
    add_u64(l, v);
}

void lines_hash(struct lines *l, uint64_t v)
{
    blank(l);
    add_hash(l, v);
}

void lines_rest(struct lines *l, const char *text) { lines_word(l, text); }

void lines_line(struct lines *l) { add(l, "\n", 1); }

void lines_schedule(struct lines *l, uint32_t own, const struct schedule *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        lines_hash(l, s->row[i].address);
        add(l, ":", 1);
        add_u64(l, s->row[i].fault - own);
        add(l, ":", 1);
        add_u64(l, s->row[i].at);
    }
    lines_line(l);
}

void lines_end(struct lines *l)
{
    uint64_t sum = l->failed ? 0 : hash_bytes(l->bytes + l->from, l->n - l->from);
    lines_word(l, "end");
    lines_hash(l, sum);
    lines_line(l);
    l->from = l->n;
}

/* --- to a file ---------------------------------------------------------------------------------- */

static int put_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put < 0 ? errno : EIO;
        bytes += put;
        n -= (size_t)put;
    }
    return fsync(fd) == 0 ? 0 : errno;
}

static int write_part(const char *part, const char *bytes, size_t n)
{
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = put_all(fd, bytes, n);
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error;
}

/* So that the new name, too, is there after a power cut. Not every system can; what was written is whole anyway. */
static void sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        slash[slash == path] = '\0';
    int fd = open(slash == NULL ? "." : path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

int lines_write_bytes(const char *path, const char *bytes, size_t n)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = malloc(size);
    if (part == NULL)
        return ENOMEM;
    (void)snprintf(part, size, "%s.part", path);
    int error = write_part(part, bytes, n);
    if (error == 0 && rename(part, path) != 0)
        error = errno;
    if (error != 0)
        (void)unlink(part);
    else
        sync_folder(part);
    free(part);
    return error;
}

int lines_write(const char *path, const struct lines *l)
{
    return l->failed ? ENOMEM : lines_write_bytes(path, l->bytes, l->n);
}

/* --- reading ------------------------------------------------------------------------------------ */

struct reading reading_begin(const char *bytes, size_t n)
{
    return (struct reading){.at = bytes, .end = bytes + n, .line_end = bytes};
}

/* How long the word at `at` is. */
static size_t word_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && at[n] != ' ' && at[n] != '\n')
        n++;
    return n;
}

static bool same_word(const char *at, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(at, word, n) == 0;
}

const char *reading_next(const struct reading *r) { return r->line == 0 ? r->at : r->line_end + 1; }

bool reading_next_is(const struct reading *r, const char *word)
{
    const char *at = reading_next(r);
    return !r->bad && at < r->end && same_word(at, word_length(at, r->end), word);
}

void reading_line(struct reading *r, const char *word)
{
    if (r->bad)
        return;
    const char *at = reading_next(r), *newline = at < r->end ? memchr(at, '\n', (size_t)(r->end - at)) : NULL;
    r->bad = newline == NULL || !same_word(at, word_length(at, r->end), word);
    r->line++;
    if (r->bad)
        return;
    r->line_end = newline;
    r->at = at + strlen(word);
}

bool reading_more(const struct reading *r) { return !r->bad && r->at < r->line_end; }

void reading_line_over(struct reading *r) { r->bad |= reading_more(r); }

const char *reading_word(struct reading *r, size_t *n)
{
    *n = 0;
    r->bad |= !reading_more(r) || *r->at != ' ';
    if (r->bad)
        return "";
    const char *word = r->at + 1;
    *n = word_length(word, r->line_end);
    r->at = word + *n;
    r->bad |= *n == 0;
    return word;
}

const char *reading_rest(struct reading *r, size_t *n)
{
    *n = 0;
    r->bad |= !reading_more(r) || *r->at != ' ';
    if (r->bad)
        return "";
    const char *rest = r->at + 1;
    *n = (size_t)(r->line_end - rest);
    r->at = r->line_end;
    return rest;
}

bool reading_is(struct reading *r, const char *word)
{
    struct reading before = *r;
    size_t n;
    const char *at = reading_word(r, &n);
    if (!r->bad && same_word(at, n, word))
        return true;
    *r = before;
    return false;
}

/* A number that stands there in the one form that is written. */
static bool read_u64(const char *at, size_t n, uint64_t most, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(at[i] - '0');
        if (*v > (UINT64_MAX - digit) / 10)
            return false;
        *v = *v * 10 + digit;
    }
    return n > 0 && (n == 1 || at[0] != '0') && *v <= most;
}

static bool read_hash(const char *at, size_t n, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < n; i++) {
        char c = at[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
            return false;
        *v = *v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return n == 16;
}

uint64_t reading_u64(struct reading *r, uint64_t most)
{
    uint64_t v;
    size_t n;
    const char *at = reading_word(r, &n);
    r->bad |= !read_u64(at, n, most, &v);
    return r->bad ? 0 : v;
}

uint64_t reading_hash(struct reading *r)
{
    uint64_t v;
    size_t n;
    const char *at = reading_word(r, &n);
    r->bad |= !read_hash(at, n, &v);
    return r->bad ? 0 : v;
}

/* ADDRESS:OFFER:AT */
static bool read_step(const char *at, size_t n, uint32_t own, uint32_t n_offers, struct step *out)
{
    uint64_t offer, passed;
    const char *second = n > 17 && at[16] == ':' ? memchr(at + 17, ':', n - 17) : NULL;
    if (second == NULL || !read_hash(at, 16, &out->address))
        return false;
    if (!read_u64(at + 17, (size_t)(second - at) - 17, UINT32_MAX, &offer) || offer >= n_offers)
        return false;
    if (!read_u64(second + 1, (size_t)(at + n - second) - 1, UINT32_MAX, &passed))
        return false;
    out->fault = own + (uint32_t)offer;
    out->at = (uint32_t)passed;
    return true;
}

void reading_schedule(struct reading *r, uint32_t own, uint32_t n_offers, struct schedule *out)
{
    out->n = 0;
    while (reading_more(r)) {
        struct step step = {0};
        size_t n;
        const char *at = reading_word(r, &n);
        const struct step *last = out->n > 0 ? &out->row[out->n - 1] : NULL;
        r->bad |= !read_step(at, n, own, n_offers, &step) || out->n == SCHEDULE_MAX;
        r->bad |= last != NULL &&
                  (last->address > step.address || (last->address == step.address && last->fault >= step.fault));
        if (!r->bad)
            out->row[out->n++] = step;
    }
}

void reading_end(struct reading *r, const char *from)
{
    if (r->bad)
        return;
    uint64_t sum = hash_bytes(from, (size_t)(reading_next(r) - from));
    reading_line(r, "end");
    uint64_t said = reading_hash(r);
    reading_line_over(r);
    r->bad |= said != sum;
}

bool reading_sealed(const char *bytes, size_t n)
{
    struct reading r = reading_begin(bytes, n);
    size_t tail = strlen("end 0123456789abcdef\n");
    if (n < tail || (n > tail && bytes[n - tail - 1] != '\n'))
        return false;
    r.at += n - tail;
    reading_end(&r, bytes);
    return !r.bad;
}
