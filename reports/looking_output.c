/* SPDX-License-Identifier: MIT
 *
 * looking_output.c - where a search writes what it found, and what it says of cases in which it found nothing: see
 * looking.h.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "reports/looking.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/folder.h"

/* The folder of a file's name; "." where it names none. False: it is too long. */
static bool folder_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    if (n >= size)
        return false;
    memcpy(out, slash == NULL ? "." : path, n);
    out[n] = '\0';
    return true;
}

int looking_check_output(const struct options *o)
{
    char folder[PATH_MAX];
    struct stat st;
    if (o->output == NULL)
        return STATUS_GOOD;
    if (o->output[0] == '\0' || !folder_of(o->output, folder, sizeof folder)) {
        front_complain("--output takes the name of a file");
        return STATUS_WRONG;
    }
    if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
        front_complain("%s: there is no folder %s", o->output, folder);
        return STATUS_BROKEN;
    }
    if (stat(o->output, &st) == 0 && S_ISDIR(st.st_mode)) {
        front_complain("%s: is a folder", o->output);
        return STATUS_BROKEN;
    }
    return STATUS_GOOD;
}

/* A device, a pipe: written to, never replaced. 0, or errno. */
static int write_through(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL)
        return errno;
    bool good = fwrite(t->bytes, 1, t->n, f) == t->n;
    good = fclose(f) == 0 && good;
    return good ? 0 : ENOSPC;
}

/* Whole or not at all; a link's target, not the link. 0, or errno. */
static int write_output(const char *path, const struct text *t)
{
    char folder[PATH_MAX], real[PATH_MAX];
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_through(path, t);
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && realpath(path, real) != NULL)
        path = real;
    if (!folder_of(path, folder, sizeof folder))
        return ENAMETOOLONG;
    const char *slash = strrchr(path, '/');
    return folder_write(folder, slash == NULL ? path : slash + 1, t);
}

/* What cannot be written where it should go is not lost. */
static struct text told;

int looking_tell(const struct options *o, struct text *t)
{
    if (o->format == FORMAT_JSON || o->output != NULL)
        return front_put(t);
    text_bytes(&told, t->bytes, t->n);
    told.failed |= t->failed;
    return STATUS_GOOD;
}

void looking_tell_aside(const struct options *o)
{
    if (o->format != FORMAT_JSON && o->output == NULL)
        (void)front_put_complaint(&told);
}

int looking_tell_all(void)
{
    int status = front_put(&told);
    text_free(&told);
    return status;
}

int looking_put(const struct options *o, const char *text, size_t length)
{
    bool json = o->format == FORMAT_JSON;
    struct text t = {0};
    int status = STATUS_GOOD;
    text_bytes(&t, text, length);
    int error = o->output == NULL || t.failed ? 0 : write_output(o->output, &t);
    if (error != 0) {
        front_complain("%s: %s%s", o->output, strerror(error), json ? "" : "; it goes to standard output");
        status = STATUS_BROKEN;
    }
    if (o->output == NULL || (error != 0 && !json)) /* JSON has it already */
        status = front_worse(status, front_put(&t));
    text_free(&t);
    return status;
}
