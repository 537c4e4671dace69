/* SPDX-License-Identifier: MIT
 *
 * searched.h - for tests: the space of a scenario that is given as text, and what a schedule in it is and does.
 */
#ifndef FENCEPOST_FUZZ_SEARCHED_H
#define FENCEPOST_FUZZ_SEARCHED_H

#include "fuzz/search.h"

struct searched {
    struct scenario *scenario;
    struct space *space;   /* NULL: there is none, and the running test failed */
    struct player *player; /* looks for what makes the verdict */
};

/* case_name NULL: the first. */
struct searched searched(const char *text, const char *case_name);
void searched_free(struct searched *s);

/* A lease, a lock that two want, and a store; `may` lines go behind. Of its two cases `open` has no fence. */
extern const char searched_writers[];
/* Three candidates, five voters, and jobs. */
extern const char searched_quorum[];
extern const char searched_jobs[];

/* Both, one behind the other. Kept until the next but three. */
const char *two_texts(const char *a, const char *b);

/* All that tells two runs apart: the state at the end, when it ended, how many events, and what broke. */
struct came_of {
    uint64_t state, events, passed;
    ns end;
    bool found;
    struct culprit culprit;
};
struct came_of came_of(struct player *p);
void check_same(struct came_of a, struct came_of b, const char *file, int line);
#define CHECK_SAME(a, b) check_same(a, b, __FILE__, __LINE__)

/* Of all that a search has played, reached and found. */
uint64_t searched_hash(const struct search *s);

#endif
