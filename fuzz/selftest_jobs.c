/* SPDX-License-Identifier: MIT
 *
 * selftest_jobs.c - every case of a plan, each measured by a process of its own, so many at a time.
 *
 * One case costs a thousand times what another does, so a process has one case, and when it has told its bugs the next
 * begins. The bugs go where the plan has their place: neither the order in which cases end nor how many processes there
 * are changes anything. A process begins with all the plan, at the addresses where it is here, and tells bugs as they
 * lie in memory.
 *
 * Where one fails all is lost: the others are ended, and no page is written. Where this process is killed, each notices
 * within a second or two, and ends.
 */
#include "fuzz/selftest.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/worker.h"

#define NO_MEMORY 3 /* what a process ends with then */
#define LOOKS_UP 1  /* seconds between two looks at who has forked it */

/* What a process tells: this, and then its bugs. */
struct head {
    uint64_t played, cpu_us;
};

struct job {
    struct worker worker;
    const struct selftest_case *of;
    struct bytes told;
};

struct jobs {
    struct selftest *t;
    const struct selftest_plan *plan;
    struct job job[JOBS_MAX];
    uint32_t n; /* that go on */
};

/* --- the process of a case ------------------------------------------------------------------------------------ */

static pid_t forked_by;

/* Nobody hears, or will wait for it: what it would come to in an hour is of no use. */
static void look_up(int signal)
{
    (void)signal;
    if (getppid() != forked_by)
        _exit(1);
    (void)alarm(LOOKS_UP);
}

_Noreturn static void be_worker(const struct worker *w, const struct selftest_case *of)
{
    struct sigaction action = {.sa_handler = look_up, .sa_flags = SA_RESTART};
    (void)sigaction(SIGALRM, &action, NULL);
    look_up(SIGALRM);
    struct selftest t = {.bug = malloc(of->n_bugs * sizeof *t.bug)};
    if (t.bug == NULL || !selftest_case(&t, of))
        _exit(NO_MEMORY);
    ASSERT(t.n == of->n_bugs && t.cases == 1);
    const struct head head = {t.played, selftest_cpu_us()};
    bool heard = worker_tell(w, &head, sizeof head) && worker_tell(w, t.bug, t.n * sizeof *t.bug);
    _exit(heard ? 0 : 1);
}

/* A process keeps no pipe of another open: whoever is no longer heard is to notice. */
static bool begin(struct jobs *k, const struct selftest_case *of)
{
    struct job *job = &k->job[k->n];
    *job = (struct job){.of = of};
    forked_by = getpid();
    if (!worker_fork(&job->worker)) {
        fprintf(stderr, "selftest: %s %s: no process for it: %s\n", of->path, of->name, strerror(errno));
        return false;
    }
    if (job->worker.pid == 0) {
        for (uint32_t i = 0; i < k->n; i++)
            (void)close(k->job[i].worker.fd);
        be_worker(&job->worker, of);
    }
    k->n++;
    return true;
}

/* --- what it tells ------------------------------------------------------------------------------------------------ */

/* Takes the job out of the list and waits for the end of its process, whose status it returns. *out: with what it has
 * told, the caller's to free. */
static int finish(struct jobs *k, uint32_t i, struct job *out)
{
    *out = k->job[i];
    k->job[i] = k->job[--k->n];
    return worker_end(&out->worker);
}

static bool fail(const struct selftest_case *of, int status)
{
    fprintf(stderr, "selftest: %s %s: ", of->path, of->name);
    if (WIFSIGNALED(status))
        fprintf(stderr, "its process was ended by signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status) == NO_MEMORY)
        fprintf(stderr, "no memory\n");
    else
        fprintf(stderr, "its process did not tell all\n");
    return false;
}

static void take_in(struct jobs *k, const struct job *job)
{
    struct selftest *t = k->t;
    struct head head;
    memcpy(&head, job->told.row, sizeof head);
    memcpy(t->bug + job->of->first, job->told.row + sizeof head, job->of->n_bugs * sizeof *t->bug);
    t->n += job->of->n_bugs;
    t->played += head.played;
    t->cases++;
    fprintf(stderr, "%s %s: %u bugs, %llu schedules, %llu s; %u of %u cases\n", job->of->path, job->of->name,
            job->of->n_bugs, (unsigned long long)head.played, (unsigned long long)(head.cpu_us / 1000000), t->cases,
            k->plan->n);
}

/* It has told all, or is dead. */
static bool end(struct jobs *k, uint32_t i)
{
    struct job job;
    int status = finish(k, i, &job);
    bool good = status == 0 && !job.told.failed &&
                job.told.n == sizeof(struct head) + job.of->n_bugs * sizeof(struct bug);
    if (good)
        take_in(k, &job);
    free(job.told.row);
    return good || fail(job.of, status);
}

/* Waits until one has something to tell. Jobs are looked at from the last: the place of one that ends is taken by the
 * last, which has been looked at. */
static bool hear(struct jobs *k)
{
    struct pollfd polled[JOBS_MAX];
    for (uint32_t i = 0; i < k->n; i++)
        polled[i] = (struct pollfd){.fd = k->job[i].worker.fd, .events = POLLIN};
    if (poll(polled, k->n, -1) < 0) {
        if (errno == EINTR)
            return true;
        fprintf(stderr, "selftest: the processes cannot be heard: %s\n", strerror(errno));
        return false;
    }
    for (uint32_t i = k->n; i-- > 0;)
        if (polled[i].revents != 0 && !worker_hear(&k->job[i].worker, &k->job[i].told) && !end(k, i))
            return false;
    return true;
}

/* Those that this process has started, and that go on. */
static void end_all(struct jobs *k)
{
    while (k->n > 0) {
        struct job job;
        (void)kill(k->job[k->n - 1].worker.pid, SIGKILL);
        (void)finish(k, k->n - 1, &job);
        free(job.told.row);
    }
}

bool selftest_measure(struct selftest *t, const struct selftest_plan *p, uint32_t jobs)
{
    struct jobs k = {.t = t, .plan = p};
    bool good = true;
    ASSERT(jobs >= 1 && jobs <= JOBS_MAX);
    for (uint32_t next = 0; good && (next < p->n || k.n > 0);)
        good = k.n < jobs && next < p->n ? begin(&k, &p->row[next++]) : hear(&k);
    end_all(&k);
    ASSERT(!good || t->n == p->n_bugs);
    return good;
}
