/* SPDX-License-Identifier: MIT
 *
 * worker.h - a process forked from this one, which begins with all that it knows and tells through a pipe what came of
 * its share.
 *
 * It can tell as much as it likes: who has forked it hears until the end, and only then waits for it.
 */
#ifndef FENCEPOST_FUZZ_WORKER_H
#define FENCEPOST_FUZZ_WORKER_H

#include <sys/types.h>

#include "sim/base.h"

/* Growing; row is free()d by whoever has them. */
struct bytes {
    unsigned char *row;
    size_t n, room;
    bool failed; /* something is missing: no memory, or a pipe that cannot be read */
};
void bytes_add(struct bytes *b, const void *from, size_t n);

struct worker {
    pid_t pid; /* 0: this process is it */
    int fd;    /* where it tells, or is heard */
};

/* False: it could not be started, errno says why. Else both go on from here. */
bool worker_fork(struct worker *out);

/* For itself, which then ends by _exit(). False: nobody hears. */
bool worker_tell(const struct worker *w, const void *from, size_t n);

/* For who has forked it. Adds the next of what it tells; waits if there is none yet. False: that was all. */
bool worker_hear(const struct worker *w, struct bytes *told);
/* Waits for its end, and returns its status as waitpid() does. To be called once for each. */
int worker_end(const struct worker *w);

#endif
