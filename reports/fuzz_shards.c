/* SPDX-License-Identifier: MIT
 *
 * fuzz_shards.c - --shard, a range of the independent samples, and --merge, the union of such parts in any order.
 */
#include "reports/fuzz_part.h"

#include <stdlib.h>

static int say_shards(const struct shards *all)
{
    struct text t = front_report(2);
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < all->n; i++) {
        char statement[256];
        (void)shard_statement(&all->row[i], statement, sizeof statement);
        text_add(&t, "case ");
        text_shown(&t, all->row[i].case_name);
        text_add(&t, ": ");
        text_add(&t, statement);
        text_char(&t, '\n');
        status = all->row[i].n_findings > 0 ? STATUS_FAILED : status;
    }
    if (status == STATUS_FAILED)
        text_add(&t, "  as a scenario: fencepost shrink FILE RECORD\n");
    status = front_worse(status, front_put_complaint(&t));
    text_free(&t);
    return status;
}

int fuzz_shards_put(const struct options *o, const struct shards *all)
{
    struct lines out = {0};
    shards_print(all, &out);
    int status = out.failed ? front_no_memory() : looking_put(o, out.bytes, out.n);
    free(out.bytes);
    return front_worse(status, say_shards(all));
}

int fuzz_shard_case(struct loaded *l, uint32_t i, const struct options *o, struct shards *all)
{
    struct looked k = {.o = o};
    struct shard r = {0};
    struct culprit c;
    uint64_t scenario;
    int status = target_open(&k.target, l, i, o);
    struct search_options so = {.seed = o->look.seed, .workers = o->look.jobs, .wanted = k.target.wanted};
    shard_options(shard_samples(o->look.shard, o->look.shards, o->look.schedules), &so);
    if (status == STATUS_GOOD) {
        k.search = search_new(k.target.sp, &so);
        status = k.search == NULL ? front_no_memory() : STATUS_GOOD;
    }
    if (status == STATUS_GOOD && fuzz_calm_breaks(&k, &c)) {
        status = fuzz_complain_calm(&k, c);
    } else if (status == STATUS_GOOD) {
        enum shard_result result = SHARD_NO_MEMORY;
        if (keep_scenario(k.target.scenario, o->setting, o->n_settings, o->without, 0, target_signs(o), &scenario))
            result = shard_begin(&r, k.search, scenario_title(k.target.scenario), scenario, o->look.schedules);
        if (result == SHARD_OK)
            result = shard_play(&r, k.search, looking_stopped, &k.end);
        if (result == SHARD_OK)
            result = shards_add(all, &r);
        status = result != SHARD_OK                                  ? looking_complain_shard(l->file.path, 0, result)
                 : k.end == ROUND_NO_MEMORY || k.end == ROUND_BROKEN ? fuzz_complain_round(&k)
                                                                     : STATUS_GOOD;
    }
    shard_free(&r);
    search_free(k.search);
    target_close(&k.target);
    return status;
}

static int merge_file(const char *path, struct shards *all)
{
    struct shards one = {0};
    char *bytes;
    size_t n;
    uint32_t line = 0;
    int error;
    enum file_problem problem = file_read(path, &bytes, &n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    enum shard_result result = shards_read(bytes, n, &one, &line);
    result = result == SHARD_OK ? shards_merge(all, &one) : result;
    int status = result == SHARD_OK ? STATUS_GOOD : looking_complain_shard(path, line, result);
    shards_free(&one);
    free(bytes);
    return status;
}

/* Of --merge: what says how to search, or what of, has no meaning there. */
static int check_merge(const struct options *o)
{
    if (o->format == FORMAT_JSON)
        front_complain("--merge writes a record: it takes no --json");
    else if (o->look.searches_by != NULL)
        front_complain("--merge takes records, and nothing is searched: it takes no %s", o->look.searches_by);
    else
        return STATUS_GOOD;
    return STATUS_WRONG;
}

int fuzz_merge(const struct options *o)
{
    struct shards all = {0};
    int status = check_merge(o);
    if (status == STATUS_GOOD)
        status = looking_check_output(o);
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++)
        status = merge_file(o->operand[i], &all);
    if (status == STATUS_GOOD)
        status = fuzz_shards_put(o, &all);
    shards_free(&all);
    return status;
}
