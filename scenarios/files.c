/* SPDX-License-Identifier: MIT
 *
 * files.c - see files.h. A folder is walked with a list of folders still to do, and no recursion.
 */
#include "scenarios/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void files_free(struct files *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->path[i]);
    free(f->path);
    f->path = NULL;
    f->n = f->capacity = 0;
}

/* Takes over path, which is malloc'd or NULL for "no memory". */
static enum file_problem push(struct files *f, char *path)
{
    if (path == NULL)
        return FILE_NO_MEMORY;
    if (f->n == FILES_MAX) {
        free(path);
        return FILE_TOO_LARGE;
    }
    if (f->n == f->capacity) {
        size_t capacity = f->capacity == 0 ? 64 : 2 * f->capacity;
        char **grown = realloc(f->path, capacity * sizeof *grown);
        if (grown == NULL) {
            free(path);
            return FILE_NO_MEMORY;
        }
        f->path = grown;
        f->capacity = capacity;
    }
    f->path[f->n++] = path;
    return FILE_OK;
}

/* "folder/name", or a copy of folder when name is NULL. */
static char *join(const char *folder, const char *name)
{
    size_t a = strlen(folder), b = name == NULL ? 0 : strlen(name);
    while (name != NULL && a > 1 && folder[a - 1] == '/')
        a--;
    char *path = malloc(a + b + 2);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, a);
    if (name != NULL && path[a - 1] != '/')
        path[a++] = '/';
    if (b > 0)
        memcpy(path + a, name, b);
    path[a + b] = '\0';
    return path;
}

static bool is_scenario(const char *name)
{
    size_t n = strlen(name);
    return n > 6 && strcmp(name + n - 6, ".fence") == 0;
}

/* A name inside a folder: a scenario goes to f, a folder to `todo`, anything else nowhere. */
static enum file_problem take(struct files *f, struct files *todo, const char *folder, const char *name)
{
    struct stat st;
    char *path = join(folder, name);
    if (path == NULL)
        return FILE_NO_MEMORY;
    if (lstat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            return push(todo, path);
        bool file = S_ISREG(st.st_mode) || (S_ISLNK(st.st_mode) && stat(path, &st) == 0 && S_ISREG(st.st_mode));
        if (file && is_scenario(name))
            return push(f, path);
    }
    free(path);
    return FILE_OK;
}

static enum file_problem read_folder(struct files *f, struct files *todo, const char *folder)
{
    DIR *d = opendir(folder);
    if (d == NULL) {
        f->error = errno;
        return errno == ENOMEM ? FILE_NO_MEMORY : FILE_UNREADABLE;
    }
    enum file_problem problem = FILE_OK;
    const struct dirent *entry;
    while (problem == FILE_OK && (entry = readdir(d)) != NULL)
        if (entry->d_name[0] != '.')
            problem = take(f, todo, folder, entry->d_name);
    (void)closedir(d);
    return problem;
}

static size_t depth_of(const char *path)
{
    size_t n = 0;
    for (; *path != '\0'; path++)
        n += *path == '/';
    return n;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static enum file_problem add_folder(struct files *f, const char *path)
{
    struct files todo = {NULL, 0, 0, 0};
    size_t first = f->n, depth = depth_of(path);
    enum file_problem problem = push(&todo, join(path, NULL));
    for (size_t i = 0; problem == FILE_OK && i < todo.n; i++) {
        if (depth_of(todo.path[i]) > depth + FOLDER_DEPTH_MAX)
            problem = FILE_TOO_LARGE;
        else
            problem = read_folder(f, &todo, todo.path[i]);
    }
    files_free(&todo);
    if (problem == FILE_OK && f->n == first)
        return FILE_NONE;
    if (f->n > first)
        qsort(f->path + first, f->n - first, sizeof *f->path, by_bytes);
    return problem;
}

static bool is_standard_input(const char *path) { return strcmp(path, "-") == 0; }

enum file_problem files_add(struct files *f, const char *path)
{
    struct stat st;
    f->error = 0;
    if (is_standard_input(path))
        return push(f, join(path, NULL));
    if (stat(path, &st) != 0) {
        f->error = errno;
        return errno == ENOENT || errno == ENOTDIR ? FILE_MISSING : FILE_UNREADABLE;
    }
    return S_ISDIR(st.st_mode) ? add_folder(f, path) : push(f, join(path, NULL));
}

/* Reads in_file to its end into a block that grows. */
static enum file_problem read_all(FILE *in_file, size_t most, char **bytes, size_t *n)
{
    size_t capacity = 0, have = 0;
    char *block = NULL;
    for (;;) {
        if (have == capacity) {
            capacity = capacity == 0 ? 16384 : 2 * capacity;
            char *grown = realloc(block, capacity);
            if (grown == NULL) {
                free(block);
                return FILE_NO_MEMORY;
            }
            block = grown;
        }
        size_t got = fread(block + have, 1, capacity - have, in_file);
        have += got;
        bool large = have > most;
        if (large || (got == 0 && ferror(in_file))) {
            free(block);
            return large ? FILE_TOO_LARGE : FILE_UNREADABLE;
        }
        if (got == 0)
            break;
    }
    *bytes = block;
    *n = have;
    return FILE_OK;
}

enum file_problem file_read(const char *path, char **bytes, size_t *n, int *error)
{
    return file_read_most(path, FILE_BYTES_MAX, bytes, n, error);
}

/* A pipe ends once: what came, or went wrong, is kept for whoever names it again. */
static enum file_problem read_input(size_t most, char **bytes, size_t *n, int *error)
{
    static char *kept;
    static size_t kept_n;
    static bool was_read;
    static enum file_problem problem;
    static int kept_error;
    if (!was_read) {
        problem = read_all(stdin, most, &kept, &kept_n);
        kept_error = errno;
        was_read = true;
    }
    *error = kept_error;
    if (problem != FILE_OK)
        return problem;
    if (kept_n > most)
        return FILE_TOO_LARGE;
    *bytes = malloc(kept_n + 1);
    if (*bytes == NULL)
        return FILE_NO_MEMORY;
    memcpy(*bytes, kept, kept_n);
    *n = kept_n;
    return FILE_OK;
}

/* How opening it failed. */
static enum file_problem not_opened(int error)
{
    return error == ENOENT || error == ENOTDIR ? FILE_MISSING : error == ENOMEM ? FILE_NO_MEMORY : FILE_UNREADABLE;
}

enum file_problem file_read_most(const char *path, size_t most, char **bytes, size_t *n, int *error)
{
    *bytes = NULL;
    *n = 0;
    *error = 0;
    errno = 0;
    if (is_standard_input(path)) {
        enum file_problem problem = read_input(most, bytes, n, error);
        *error = problem == FILE_UNREADABLE ? *error : 0;
        return problem;
    }
    FILE *in_file = fopen(path, "rb");
    if (in_file == NULL) {
        *error = errno;
        return not_opened(errno);
    }
    errno = 0;
    enum file_problem problem = read_all(in_file, most, bytes, n);
    if (problem == FILE_UNREADABLE)
        *error = errno;
    (void)fclose(in_file);
    return problem;
}

const char *file_problem_text(enum file_problem problem, int error)
{
    switch (problem) {
    case FILE_NO_MEMORY: return "out of memory";
    case FILE_MISSING: return "no such file or folder";
    case FILE_UNREADABLE: return error != 0 ? strerror(error) : "cannot be read";
    case FILE_TOO_LARGE: return "too large: a file has at most 64 MiB, a folder 100000 files in 32 levels";
    case FILE_NONE: return "a folder without scenarios: no *.fence file below it";
    case FILE_OK: break;
    }
    return "no problem";
}
