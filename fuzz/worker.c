/* SPDX-License-Identifier: MIT
 *
 * worker.c - see worker.h.
 */
#include "fuzz/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void bytes_add(struct bytes *b, const void *from, size_t n)
{
    if (b->failed)
        return;
    if (b->n + n > b->room) {
        size_t room = (b->n + n) * 2 + 4096;
        unsigned char *grown = realloc(b->row, room);
        if (grown == NULL) {
            b->failed = true;
            return;
        }
        b->row = grown;
        b->room = room;
    }
    memcpy(b->row + b->n, from, n);
    b->n += n;
}

/* The end that is not ours is closed at once: those forked later must not keep it open. */
bool worker_fork(struct worker *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t pid = fork();
    int error = errno;
    (void)close(ends[pid == 0 ? 0 : 1]);
    if (pid < 0) {
        (void)close(ends[0]);
        errno = error;
        return false;
    }
    *out = (struct worker){pid, ends[pid == 0 ? 1 : 0]};
    return true;
}

bool worker_tell(const struct worker *w, const void *from, size_t n)
{
    const char *at = from;
    while (n > 0) {
        ssize_t put = write(w->fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

/* Without memory it is heard all the same, or it would never come to its end. */
bool worker_hear(const struct worker *w, struct bytes *told)
{
    unsigned char buffer[16384];
    ssize_t got = read(w->fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
        return true;
    if (got < 0)
        told->failed = true;
    if (got > 0)
        bytes_add(told, buffer, (size_t)got);
    return got > 0;
}

int worker_end(const struct worker *w)
{
    int status = 0;
    (void)close(w->fd);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}
