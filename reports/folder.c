/* SPDX-License-Identifier: MIT
 *
 * folder.c - see folder.h.
 */
#include "reports/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- names ------------------------------------------------------------------------------------------- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

static uint64_t hash(const char *name)
{
    uint64_t h = 1;
    for (; *name != '\0'; name++)
        h = hash_step(h, (unsigned char)lower(*name));
    return h;
}

/* Where a name is, or would be. */
static uint32_t *slot_of(const struct folder_names *names, const char *name)
{
    uint32_t i = (uint32_t)(hash(name) >> 20) & (names->slots - 1);
    while (names->slot[i] > 0 && !same(names->name[names->slot[i] - 1], name))
        i = (i + 1) & (names->slots - 1);
    return &names->slot[i];
}

/* Room for one more name, and a free slot behind it. */
static bool make_room(struct folder_names *names)
{
    if (names->n < names->capacity)
        return true;
    uint32_t capacity = names->capacity == 0 ? 64 : 2 * names->capacity;
    char **name = realloc(names->name, capacity * sizeof *name);
    names->name = name != NULL ? name : names->name;
    uint32_t *slot = calloc((size_t)capacity * 2, sizeof *slot);
    if (name == NULL || slot == NULL) {
        free(slot);
        return false;
    }
    free(names->slot);
    names->slot = slot;
    names->slots = capacity * 2;
    names->capacity = capacity;
    for (uint32_t i = 0; i < names->n; i++)
        *slot_of(names, names->name[i]) = i + 1;
    return true;
}

/* Takes over name, which is malloc'd. */
static bool keep(struct folder_names *names, char *name)
{
    if (name == NULL || !make_room(names)) {
        free(name);
        return false;
    }
    names->name[names->n++] = name;
    *slot_of(names, name) = names->n;
    return true;
}

static bool taken(const struct folder_names *names, const char *name)
{
    return names->slots > 0 && *slot_of(names, name) > 0;
}

bool folder_take(struct folder_names *names, const char *name) { return keep(names, text_copied(name, strlen(name))); }

void folder_names_free(struct folder_names *names)
{
    for (uint32_t i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    free(names->slot);
    memset(names, 0, sizeof *names);
}

/* What a path is called below root: behind it, or, where the path is the root, its last part. */
static const char *below(const char *root, const char *path)
{
    size_t n = strlen(root);
    const char *last = strrchr(path, '/');
    if (strlen(path) <= n || memcmp(root, path, n) != 0)
        return last == NULL ? path : last + 1;
    path += n;
    while (*path == '/')
        path++;
    return path;
}

/* A folder called like a page would stand where one is to be written. */
static void no_page_is_a_folder(char *name)
{
    for (char *p = strchr(name, '/'); p != NULL; p = strchr(p + 1, '/'))
        if (p - name >= 5 && strncasecmp(p - 5, ".html", 5) == 0)
            p[-5] = '-';
}

const char *folder_name(struct folder_names *names, const char *root, const char *path)
{
    static const char scenario[] = ".fence";
    const char *name = below(root, path);
    size_t n = strlen(name), tail = sizeof scenario - 1, size = n + 32;
    n -= n > tail && strcmp(name + n - tail, scenario) == 0 ? tail : 0;
    char *page = malloc(size);
    if (page == NULL)
        return NULL;
    (void)snprintf(page, size, "%.*s.html", (int)n, name);
    no_page_is_a_folder(page);
    for (unsigned i = 2; taken(names, page); i++)
        (void)snprintf(page, size, "%.*s-%u.html", (int)n, name, i);
    return keep(names, page) ? names->name[names->n - 1] : NULL;
}

/* --- files ----------------------------------------------------------------------------------------------- */

/* Makes every folder that stands before a '/' in path. *denied: why one could not be made that may be there all the
 * same, standing above what is ours. */
static int make_folders(char *path, int *denied)
{
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST || errno == EISDIR;
        *p = '/';
        if (!made && errno != EROFS && errno != EACCES)
            return errno;
        if (!made && *denied == 0)
            *denied = errno;
    }
    return 0;
}

static int write_file(const char *path, const struct text *t)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL)
        return errno;
    errno = 0;
    bool good = t->n == 0 || fwrite(t->bytes, 1, t->n, out) == t->n;
    good = fflush(out) == 0 && good;
    int error = good ? 0 : errno != 0 ? errno : EIO;
    if (fclose(out) != 0 && error == 0)
        error = errno != 0 ? errno : EIO;
    return error;
}

int folder_write(const char *folder, const char *name, const struct text *t)
{
    static const char part[] = ".part";
    size_t size = strlen(folder) + strlen(name) + sizeof part + 2;
    char *path = malloc(size), *half = malloc(size);
    int error = path == NULL || half == NULL || t->failed ? ENOMEM : 0;
    if (error == 0) {
        (void)snprintf(path, size, "%s/%s", folder, name);
        (void)snprintf(half, size, "%s%s", path, part);
        int denied = 0;
        error = make_folders(half, &denied);
        if (error == 0)
            error = write_file(half, t);
        if (error == ENOENT && denied != 0)
            error = denied;
        if (error == 0 && rename(half, path) != 0)
            error = errno;
        if (error != 0)
            (void)remove(half);
    }
    free(path);
    free(half);
    return error;
}
