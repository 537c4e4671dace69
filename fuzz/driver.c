/* SPDX-License-Identifier: MIT
 *
 * driver.c - main() of a fuzz target for any compiler: feeds it files, and all files of folders, as libFuzzer does with
 * inputs that it found.
 *
 *     language_driver FILE... FOLDER...
 *
 * Files of a folder come in the order of their names, and so do folders in it, so that two runs are the same run.
 * Status 0: each was fed, and the target found nothing; 2: what the command line names cannot be read, or there is no
 * file in it; 3: the machine failed. A finding ends the process by a signal, or by the sanitizer's own status; the
 * file that led to it is named.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/target.h"

#define INPUT_MAX ((size_t)1 << 24)
#define DEPTH_MAX 16 /* of folders: links may lead in circles */

#define QUIET __attribute__((weak))

/* --- what a target may leave out ------------------------------------------------------------- */

QUIET int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* A target's mutators name it. Nothing here calls them. */
QUIET size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data;
    return size < max_size ? size : max_size;
}

/* --- feeding ----------------------------------------------------------------------------------- */

enum status { FED = 0, BAD_USE = 2, MACHINE_FAILED = 3 };

static char running[4096]; /* the input that the target has now, for a finding */
static unsigned long fed;

static int worse(int a, int b) { return a > b ? a : b; }

static int complain(const char *path, int error)
{
    fprintf(stderr, "%s: %s\n", path, strerror(error));
    return error == ENOMEM ? MACHINE_FAILED : BAD_USE;
}

/* A block of exactly that size, so that a sanitizer sees a read past its end. */
static int feed_bytes(const char *path, const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        return complain(path, ENOMEM);
    if (size > 0)
        memcpy(exact, data, size);
    snprintf(running, sizeof running, "%s", path);
    LLVMFuzzerTestOneInput(exact, size);
    running[0] = '\0';
    fed++;
    free(exact);
    return FED;
}

static int feed_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return complain(path, errno);
    uint8_t *data = malloc(INPUT_MAX + 1);
    size_t size = data == NULL ? 0 : fread(data, 1, INPUT_MAX + 1, f);
    int error = data == NULL ? ENOMEM : ferror(f) ? errno : size > INPUT_MAX ? EFBIG : 0;
    int status = error != 0 ? complain(path, error) : feed_bytes(path, data, size);
    free(data);
    fclose(f);
    return status;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void free_names(char **name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(name[i]);
    free(name);
}

/* "folder/name" for each entry that is not hidden. Returns 0, or what went wrong: then there is nothing to free. */
static int list_folder(const char *path, char ***names, size_t *n)
{
    DIR *d = opendir(path);
    size_t cap = 0;
    int error = d == NULL ? errno : 0;
    *names = NULL;
    *n = 0;
    while (error == 0) {
        errno = 0;
        struct dirent *entry = readdir(d);
        if (entry == NULL) {
            error = errno;
            break;
        }
        if (entry->d_name[0] == '.')
            continue;
        if (*n == cap) {
            cap = cap == 0 ? 64 : cap * 2;
            char **more = realloc(*names, cap * sizeof *more);
            if (more == NULL) {
                error = ENOMEM;
                break;
            }
            *names = more;
        }
        size_t length = strlen(path) + strlen(entry->d_name) + 2;
        char *name = malloc(length);
        if (name == NULL)
            error = ENOMEM;
        else {
            snprintf(name, length, "%s/%s", path, entry->d_name);
            (*names)[(*n)++] = name;
        }
    }
    if (d != NULL)
        closedir(d);
    if (error != 0)
        free_names(*names, *n);
    else if (*n > 0)
        qsort(*names, *n, sizeof **names, by_name);
    return error;
}

/* Folders nest no deeper than DEPTH_MAX: so this recursion ends. */
static int feed(const char *path, int depth)
{
    struct stat st = {0};
    if (stat(path, &st) != 0)
        return complain(path, errno);
    if (!S_ISDIR(st.st_mode))
        return feed_file(path);
    if (depth == DEPTH_MAX)
        return complain(path, ELOOP);
    char **name;
    size_t n;
    int status = FED, error = list_folder(path, &name, &n);
    if (error != 0)
        return complain(path, error);
    for (size_t i = 0; i < n; i++)
        status = worse(status, feed(name[i], depth + 1));
    free_names(name, n);
    return status;
}

/* --- a finding says what led to it ----------------------------------------------------------------- */

static void say_which(void)
{
    if (running[0] != '\0')
        fprintf(stderr, "finding: %s\n", running);
}

/* The target's abort(): says which input it was, and lets the signal do what it does. */
static void on_signal(int signal_number)
{
    say_which();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A sanitizer has its own word for every other signal, and ends the process by itself. */
#ifdef __ELF__
QUIET void __sanitizer_set_death_callback(void (*callback)(void));
#define SANITIZED (__sanitizer_set_death_callback != NULL)
#define ON_DEATH(say) __sanitizer_set_death_callback(say)
#else
#define SANITIZED false
#define ON_DEATH(say) ((void)(say))
#endif

static void begin_listening(void)
{
    signal(SIGABRT, on_signal);
    if (SANITIZED) {
        ON_DEATH(say_which);
        return;
    }
    signal(SIGSEGV, on_signal);
    signal(SIGFPE, on_signal);
    signal(SIGILL, on_signal);
}

int main(int argc, char **argv)
{
    int status = FED;
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: %s FILE... FOLDER...\n", argv[0]);
        return BAD_USE;
    }
    begin_listening();
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        status = worse(status, feed(argv[i], 0));
    if (status == FED && fed == 0) {
        fprintf(stderr, "no input in what the command line names\n");
        status = BAD_USE;
    }
    printf("%lu inputs\n", fed);
    return fflush(stdout) == 0 ? status : MACHINE_FAILED;
}
