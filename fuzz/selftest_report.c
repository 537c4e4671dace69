/* SPDX-License-Identifier: MIT
 *
 * selftest_report.c - what was measured, as a page of Markdown.
 */
#include "fuzz/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of the searches. */
#define SHALLOW_MEDIAN 500
#define DEEP_MEDIAN 10000
#define DEEP_P90 25000
#define GUIDED_TIMES 5
#define SHRUNK_MEDIAN 4
#define SHRUNK_P95 8
#define SHRINK_US 2000000
#define ROUND_PERCENT 90

typedef unsigned long long ull;

static const uint64_t cuts[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000};
#define CUTS (sizeof cuts / sizeof *cuts)

/* --- numbers ------------------------------------------------------------------------------------------ */

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

struct numbers {
    uint64_t *row;
    uint32_t n;
};

static struct numbers numbers_for(uint32_t most)
{
    struct numbers numbers = {malloc((most + 1) * sizeof *numbers.row), 0};
    if (numbers.row == NULL) {
        fprintf(stderr, "selftest: no memory\n");
        exit(3);
    }
    return numbers;
}

static uint64_t numbers_at(struct numbers *numbers, uint32_t percent)
{
    if (numbers->n == 0)
        return 0;
    qsort(numbers->row, numbers->n, sizeof *numbers->row, by_size);
    uint32_t rank = (numbers->n * percent + 99) / 100;
    return numbers->row[rank > 0 ? rank - 1 : 0];
}

static void put_count(uint64_t after, uint64_t cap)
{
    if (after == SURVIVAL_CENSORED)
        printf(">%llu", (ull)cap);
    else
        printf("%llu", (ull)after);
}

/* --- one bug -------------------------------------------------------------------------------------------- */

static void put_name(const struct bug *b)
{
    printf("%s %s%s − %s", b->of->file, b->of->name, b->stripped ? " (stripped)" : "", gate_table[b->gate].name);
}

/* "3": proved and seen; "3 to 4": fewer than 3 do not, 4 do. */
static void put_depth(const struct bug *b)
{
    uint32_t low = b->proved == NONE32 ? 0 : b->proved + 1;
    ASSERT(low <= b->least);
    if (low == b->least)
        printf("%u", low);
    else if (b->least == NONE32)
        printf("%u or more", low);
    else
        printf("%u to %u", low, b->least);
}

static void put_median(const struct survival *s)
{
    uint64_t low, high;
    if (s->n == 0) {
        printf(" - |");
        return;
    }
    survival_interval(s, &low, &high);
    printf(" ");
    put_count(survival_median(s), s->cap);
    if (s->n > 1) {
        printf(" [");
        put_count(low, s->cap);
        printf(", ");
        put_count(high, s->cap);
        printf("]");
    }
    if (survival_found(s) < s->n)
        printf(" (%u/%u)", survival_found(s), s->n);
    printf(" |");
}

static void put_exhaust(const struct bug *b)
{
    printf(" %s%llu / %llu k |", b->exhausted ? "" : "not within ", (ull)b->schedules, (ull)(b->steps / 1000));
}

/* How many of eight are still looking, at each cut. */
static void put_curve(uint32_t alive, uint32_t n)
{
    static const char *const bar[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    printf("%s", alive == 0 ? "·" : bar[(alive * 8 + n - 1) / n - 1]);
}

static void put_sparkline(const struct survival *s)
{
    for (size_t i = 0; i < CUTS; i++)
        if (cuts[i] <= s->cap)
            put_curve(survival_alive(s, cuts[i]), s->n);
}

/* --- goals ---------------------------------------------------------------------------------------------------- */

struct sums {
    uint32_t shallow, shallow_late, deep, deep_late, deep_p90_late, certified_deep;
    uint32_t calm, unfound, unfound_open, no_case;
    uint64_t shallow_median, shallow_worst; /* of the medians of bugs */
    uint64_t deep_median, deep_worst, deep_p90, deep_high;
    uint32_t deep_searches;
    uint64_t deep_nine_tenths; /* of their searches found it after no more */
    uint32_t censored;         /* searches of the portfolio that found nothing */
    uint32_t deep_with_arms, ratio_good;
    uint64_t swarm_sum, guided_sum; /* of the medians */
    uint64_t ratio_tenths;          /* the median: swarm's median over guided's */
    uint32_t hard, hard_ratio_good; /* where swarm's median is above SHALLOW_MEDIAN */
    uint64_t hard_ratio_least;      /* tenths */
    uint32_t shrunk, uncertified;
    uint64_t to_median, to_p95, from_median, us_median, us_p95;
    uint32_t over; /* above 1.5 times what is proved to be needed */
    uint64_t times, round;
    uint64_t open_to, open_needed; /* faults of those without a certificate, and how many are proved to be needed */
};

/* A gate that another covers, or every schedule with so many faults was played: it has an argument. */
static bool is_open(const struct bug *b) { return b->covered == 0 && (b->proved == NONE32 || b->proved < 1); }

static void sum_found(const struct bug *b, struct sums *s, struct numbers *shallow, struct numbers *deep,
                      struct numbers *searches)
{
    const struct survival *by = &b->by[PORTFOLIO_ROW];
    uint64_t median = survival_median(by), p90 = survival_quantile(by, 90), low, high;
    s->censored += by->n - survival_found(by);
    survival_interval(by, &low, &high);
    if (!bug_is_deep(b)) {
        s->shallow++;
        s->shallow_late += median > SHALLOW_MEDIAN;
        shallow->row[shallow->n++] = median;
        return;
    }
    s->deep++;
    s->certified_deep += b->proved != NONE32 && b->proved >= 2;
    s->deep_late += median > DEEP_MEDIAN;
    s->deep_p90_late += p90 > DEEP_P90;
    s->deep_p90 = p90 > s->deep_p90 ? p90 : s->deep_p90;
    s->deep_high = high > s->deep_high ? high : s->deep_high;
    deep->row[deep->n++] = median;
    for (uint32_t i = 0; i < by->n; i++)
        searches->row[searches->n++] = by->after[i];
}

static uint64_t at_most(uint64_t n, uint64_t cap) { return n < cap ? n : cap; }

/* Tenths of how many times more schedules swarm needs; censored medians count as the cap. */
static uint64_t ratio_of(const struct bug *b)
{
    const struct survival *swarm = &b->by[ARM_SWARM], *guided = &b->by[ARM_GUIDED];
    return 10 * at_most(survival_median(swarm), swarm->cap) / at_most(survival_median(guided), guided->cap);
}

static void sum_hard(uint64_t ratio, struct sums *s)
{
    s->hard_ratio_least = s->hard == 0 || ratio < s->hard_ratio_least ? ratio : s->hard_ratio_least;
    s->hard_ratio_good += ratio >= 10 * GUIDED_TIMES;
    s->hard++;
}

/* How many faults are proved to be needed: by its own certificate, which is of the one invariant, or by the search for
 * the bug's depth, which is of all. */
static uint32_t needed_by(const struct bug *b, const struct shrunk_row *r)
{
    uint32_t deep = b->proved == NONE32 ? 0 : b->proved + 1;
    return r->needed > deep ? r->needed : deep;
}

static void sum_shrunk(const struct bug *b, struct sums *s, struct numbers *to, struct numbers *from,
                       struct numbers *us)
{
    for (uint32_t i = 0; i < b->n_shrunk; i++) {
        const struct shrunk_row *r = &b->shrunk[i];
        s->uncertified += !r->certified;
        s->times += r->times;
        s->round += r->round;
        to->row[to->n++] = r->to;
        from->row[from->n++] = r->from;
        us->row[us->n++] = r->cpu_us;
        s->over += 2 * r->to > 3 * needed_by(b, r);
        s->open_to += r->certified ? 0 : r->to;
        s->open_needed += r->certified ? 0 : needed_by(b, r);
    }
}

static struct sums sum_up(const struct selftest *t)
{
    struct sums s = {0};
    struct numbers shallow = numbers_for(t->n), deep = numbers_for(t->n), ratios = numbers_for(t->n);
    struct numbers searches = numbers_for(SURVIVAL_MAX * t->n);
    struct numbers to = numbers_for(SHRINKS_MAX * t->n), from = numbers_for(SHRINKS_MAX * t->n),
                   us = numbers_for(SHRINKS_MAX * t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct bug *b = &t->bug[i];
        s.calm += b->is == BUG_CALM;
        s.unfound += b->is == BUG_UNFOUND;
        s.unfound_open += b->is == BUG_UNFOUND && is_open(b);
        s.no_case += b->is == BUG_NO_CASE;
        if (b->is != BUG_FOUND)
            continue;
        sum_found(b, &s, &shallow, &deep, &searches);
        sum_shrunk(b, &s, &to, &from, &us);
        if (!bug_is_deep(b) || b->by[ARM_GUIDED].n == 0)
            continue;
        ratios.row[ratios.n++] = ratio_of(b);
        s.swarm_sum += at_most(survival_median(&b->by[ARM_SWARM]), t->o.cap);
        s.guided_sum += at_most(survival_median(&b->by[ARM_GUIDED]), t->o.cap);
        s.ratio_good += ratio_of(b) >= 10 * GUIDED_TIMES;
        if (survival_median(&b->by[ARM_SWARM]) > SHALLOW_MEDIAN)
            sum_hard(ratio_of(b), &s);
    }
    s.shallow_median = numbers_at(&shallow, 50);
    s.shallow_worst = numbers_at(&shallow, 100);
    s.deep_median = numbers_at(&deep, 50);
    s.deep_worst = numbers_at(&deep, 100);
    s.deep_searches = searches.n;
    s.deep_nine_tenths = numbers_at(&searches, 90);
    s.ratio_tenths = numbers_at(&ratios, 50);
    s.deep_with_arms = ratios.n;
    s.shrunk = to.n;
    s.to_median = numbers_at(&to, 50);
    s.to_p95 = numbers_at(&to, 95);
    s.from_median = numbers_at(&from, 50);
    s.us_median = numbers_at(&us, 50);
    s.us_p95 = numbers_at(&us, 95);
    free(shallow.row);
    free(deep.row);
    free(searches.row);
    free(ratios.row);
    free(to.row);
    free(from.row);
    free(us.row);
    return s;
}

static uint32_t missed;

/* of: how many things it was measured on. Of none, nothing is claimed. */
static void put_goal(const char *goal, uint32_t of, bool met)
{
    missed += of > 0 && !met;
    printf(" | %s | %s |\n", goal, of == 0 ? "nothing to measure" : met ? "**met**" : "**missed**");
}

static void put_goals(const struct selftest *t, const struct sums *s)
{
    uint64_t cap = t->o.cap;
    printf("## Goals\n\n| what | measured | goal | |\n|---|---|---|---|\n");
    printf("| bugs that need one or two faults: schedules, median of the bugs | %llu", (ull)s->shallow_median);
    put_goal("500", s->shallow, s->shallow_median <= SHALLOW_MEDIAN);
    printf("| the same, bug by bug | %u of %u above 500, the worst ", s->shallow_late, s->shallow);
    put_count(s->shallow_worst, cap);
    put_goal("none", s->shallow, s->shallow_late == 0);
    printf("| bugs with a proved depth of three or more | %u", s->certified_deep);
    put_goal("5", s->shallow + s->deep, s->certified_deep >= 5);
    printf("| bugs that need three or more: schedules, median of the bugs | ");
    put_count(s->deep_median, cap);
    put_goal("10,000", s->deep, s->deep_median <= DEEP_MEDIAN);
    printf("| of all %u searches for them: the 90th percentile | ", s->deep_searches);
    put_count(s->deep_nine_tenths, cap);
    put_goal("25,000", s->deep, s->deep_nine_tenths <= DEEP_P90);
    printf("| the same bugs, bug by bug: the median | %u of %u above 10,000, the worst ", s->deep_late, s->deep);
    put_count(s->deep_worst, cap);
    put_goal("none", s->deep, s->deep_late == 0);
    printf("| their 90th percentile | %u of %u above 25,000, the worst ", s->deep_p90_late, s->deep);
    put_count(s->deep_p90, cap);
    put_goal("none", s->deep, s->deep_p90_late == 0);
    printf("| the upper end of their intervals, the worst of them | ");
    put_count(s->deep_high, cap);
    put_goal("20,000", s->deep, s->deep_high <= 20000);
    printf("| how many times fewer schedules guided needs than swarm, there | median %llu.%llu, 5 or more at %u of %u",
           (ull)(s->ratio_tenths / 10), (ull)(s->ratio_tenths % 10), s->ratio_good, s->deep_with_arms);
    put_goal("5", s->deep_with_arms, s->ratio_tenths >= 10 * GUIDED_TIMES);
    printf("| the same where swarm needs above 500: the least of them | %llu.%llu, 5 or more at %u of %u",
           (ull)(s->hard_ratio_least / 10), (ull)(s->hard_ratio_least % 10), s->hard_ratio_good, s->hard);
    put_goal("5", s->hard, s->hard_ratio_good == s->hard);
    printf("| the same of all of them together: the sum of the medians | %llu of swarm, %llu of guided",
           (ull)s->swarm_sum, (ull)s->guided_sum);
    put_goal("5", s->deep_with_arms, s->swarm_sum >= GUIDED_TIMES * s->guided_sum);
    printf("| not found, and without an argument | %u of %u", s->unfound_open, s->unfound);
    put_goal("0", s->unfound, s->unfound_open == 0);
    printf("| shrunk to deviations, median | %llu", (ull)s->to_median);
    put_goal("4", s->shrunk, s->to_median <= SHRUNK_MEDIAN);
    printf("| 95th percentile | %llu", (ull)s->to_p95);
    put_goal("8", s->shrunk, s->to_p95 <= SHRUNK_P95);
    printf("| above 1.5 times the fewest that may break the same invariant, as far as that is proved | %u of %u",
           s->over, s->shrunk);
    put_goal("0", s->shrunk, s->over == 0);
    uint64_t percent = s->times == 0 ? 100 : 100 * s->round / s->times;
    printf("| times of faults that a person would say | %llu %% of %llu", (ull)percent, (ull)s->times);
    put_goal("90 %", s->shrunk, percent >= ROUND_PERCENT);
    printf("| shrinking with the certificate, CPU time, median | %llu ms", (ull)(s->us_median / 1000));
    put_goal("2 s", s->shrunk, s->us_median <= SHRINK_US);
    printf("\n");
}

/* --- tables --------------------------------------------------------------------------------------------------- */

static bool has_arms(const struct bug *b) { return b->by[ARM_SWARM].n > 0; }

static void put_row(const struct bug *b)
{
    const struct survival *by = &b->by[PORTFOLIO_ROW];
    printf("| ");
    put_name(b);
    printf(" | %s | ", b->invariant == NONE32 ? "-" : standing_name(b->invariant));
    put_depth(b);
    printf(" |");
    put_median(by);
    printf(" ");
    put_count(survival_quantile(by, 90), by->cap);
    printf(" | ");
    put_sparkline(by);
    printf(" |");
    put_exhaust(b);
    printf("\n");
}

/* Bugs that stand together. */
struct part {
    uint32_t first, end;
};

static struct part all_of(const struct selftest *t) { return (struct part){0, t->n}; }

/* The next folder: files come in the order of their names. False: there is none. */
static bool next_folder(const struct selftest *t, struct part *at)
{
    at->first = at->end;
    while (at->end < t->n && strcmp(t->bug[at->end].of->folder, t->bug[at->first].of->folder) == 0)
        at->end++;
    return at->first < at->end;
}

static bool is_late(const struct bug *b) { return survival_median(&b->by[PORTFOLIO_ROW]) > SHALLOW_MEDIAN; }

static void put_class(const struct selftest *t, struct part part, bool deep, bool late_alone)
{
    printf("| bug | breaks | depth | portfolio: median [95 %%] | p90 | still looking | exhaust: schedules / events |\n"
           "|---|---|---|---|---|---|---|\n");
    for (uint32_t i = part.first; i < part.end; i++)
        if (t->bug[i].is == BUG_FOUND && bug_is_deep(&t->bug[i]) == deep && (!late_alone || is_late(&t->bug[i])))
            put_row(&t->bug[i]);
    printf("\n");
}

/* One line, and what is below it when it is opened. */
static void fold_begin(const char *folder, uint32_t n) { printf("<details><summary>%s: %u</summary>\n\n", folder, n); }

static void fold_end(void) { printf("</details>\n\n"); }

static uint32_t count_bugs(const struct selftest *t, struct part part, enum bug_is is, bool shallow_alone)
{
    uint32_t n = 0;
    for (uint32_t i = part.first; i < part.end; i++)
        n += t->bug[i].is == is && !(shallow_alone && bug_is_deep(&t->bug[i]));
    return n;
}

static void put_shallow(const struct selftest *t)
{
    for (struct part part = {0, 0}; next_folder(t, &part);) {
        uint32_t n = count_bugs(t, part, BUG_FOUND, true);
        if (n == 0)
            continue;
        fold_begin(t->bug[part.first].of->folder, n);
        put_class(t, part, false, false);
        fold_end();
    }
}

static void put_arms(const struct selftest *t, bool deep)
{
    printf("| bug | portfolio |");
    for (int arm = 0; arm < ARMS; arm++)
        printf(" %s |", arm_name[arm]);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < t->n; i++) {
        const struct bug *b = &t->bug[i];
        if (b->is != BUG_FOUND || bug_is_deep(b) != deep || !has_arms(b))
            continue;
        printf("| ");
        put_name(b);
        printf(" |");
        put_median(&b->by[PORTFOLIO_ROW]);
        for (int arm = 0; arm < ARMS; arm++)
            put_median(&b->by[arm]);
        printf("\n");
    }
    printf("\n");
}

/* Searches of all bugs of a class that have their arms measured, together. */
static void put_survival_row(const char *name, const struct selftest *t, bool deep, int arm)
{
    uint64_t cap = t->o.cap;
    uint32_t n = 0, alive[CUTS] = {0};
    for (uint32_t i = 0; i < t->n; i++) {
        const struct bug *b = &t->bug[i];
        if (b->is != BUG_FOUND || bug_is_deep(b) != deep || !has_arms(b))
            continue;
        n += b->by[arm].n;
        cap = b->by[arm].cap;
        for (size_t k = 0; k < CUTS; k++)
            alive[k] += survival_alive(&b->by[arm], cuts[k]);
    }
    if (n == 0)
        return;
    printf("| %s |", name);
    for (size_t k = 0; k < CUTS; k++)
        if (cuts[k] <= cap)
            printf(" %u |", (100 * alive[k] + n / 2) / n);
        else
            printf(" |");
    printf(" ");
    for (size_t k = 0; k < CUTS; k++)
        if (cuts[k] <= cap)
            put_curve(alive[k], n);
    printf(" |\n");
}

static void put_survival_head(const char *what)
{
    printf("| %s |", what);
    for (size_t k = 0; k < CUTS; k++)
        printf(" %llu |", (ull)cuts[k]);
    printf(" |\n|---|---|---|---|---|---|---|---|---|---|\n");
}

static void put_survival(const struct selftest *t, bool deep)
{
    put_survival_head("per cent still looking after so many schedules");
    put_survival_row("portfolio", t, deep, PORTFOLIO_ROW);
    for (int arm = ARM_SWARM; arm < ARMS; arm++)
        put_survival_row(arm_name[arm], t, deep, arm);
    printf("\n");
}

/* Each deep bug by itself. */
static void put_each_survival(const struct selftest *t)
{
    put_survival_head("per cent still looking, by bug and arm");
    for (uint32_t i = 0; i < t->n; i++) {
        const struct bug *b = &t->bug[i];
        if (b->is != BUG_FOUND || !bug_is_deep(b) || !has_arms(b))
            continue;
        for (int k = 0; k < ARMS; k++) {
            int arm = k == 0 ? PORTFOLIO_ROW : k;
            const struct survival *s = &b->by[arm];
            printf("| ");
            put_name(b);
            printf(": %s |", arm == PORTFOLIO_ROW ? "portfolio" : arm_name[arm]);
            for (size_t c = 0; c < CUTS; c++)
                if (cuts[c] <= s->cap)
                    printf(" %u |", (100 * survival_alive(s, cuts[c]) + s->n / 2) / s->n);
                else
                    printf(" |");
            printf(" ");
            put_sparkline(s);
            printf(" |\n");
        }
    }
    printf("\n");
}

static void put_shrinking(const struct sums *s)
{
    printf("## Shrinking\n\n");
    printf("%u findings, from %llu deviations at the median. To %llu at the median and %llu at the 95th percentile. ",
           s->shrunk, (ull)s->from_median, (ull)s->to_median, (ull)s->to_p95);
    printf(
        "With a certificate that no fewer break the same invariant: %u. Without one, as the proof is longer than the "
        "budget, or ends at a capacity of the file: %u, of %llu deviations in all, of which %llu are proved to be "
        "needed. Another invariant may break with fewer. ",
        s->shrunk - s->uncertified, s->uncertified, (ull)s->open_to, (ull)s->open_needed);
    printf("CPU time, certificate included: %llu ms at the median, %llu ms at the 95th percentile.\n\n",
           (ull)(s->us_median / 1000), (ull)(s->us_p95 / 1000));
}

static void put_covers(uint32_t bits)
{
    const char *between = "";
    for (uint32_t g = 0; g < GATES; g++)
        if (bits >> g & 1) {
            printf("%s%s", between, gate_table[g].name);
            between = ", ";
        }
}

static void put_unfound_of(const struct selftest *t, struct part part)
{
    printf("| gate of a case | covered by | no schedule breaks it with at most |\n|---|---|---|\n");
    for (uint32_t i = part.first; i < part.end; i++) {
        const struct bug *b = &t->bug[i];
        if (b->is != BUG_UNFOUND)
            continue;
        printf("| ");
        put_name(b);
        printf(" | ");
        put_covers(b->covered);
        if (b->proved == NONE32)
            printf(" | nothing proved |\n");
        else
            printf(" | %u %s%s |\n", b->proved, b->proved == 1 ? "fault" : "faults", is_open(b) ? " (**open**)" : "");
    }
    printf("\n");
}

static void put_unfound(const struct selftest *t)
{
    for (struct part part = {0, 0}; next_folder(t, &part);) {
        uint32_t n = count_bugs(t, part, BUG_UNFOUND, false);
        if (n == 0)
            continue;
        fold_begin(t->bug[part.first].of->folder, n);
        put_unfound_of(t, part);
        fold_end();
    }
}

static void put_list(const struct selftest *t, enum bug_is is)
{
    for (struct part part = {0, 0}; next_folder(t, &part);) {
        const char *between = "";
        uint32_t n = count_bugs(t, part, is, false);
        if (n == 0)
            continue;
        fold_begin(t->bug[part.first].of->folder, n);
        for (uint32_t i = part.first; i < part.end; i++)
            if (t->bug[i].is == is) {
                printf("%s", between);
                put_name(&t->bug[i]);
                between = "; ";
            }
        printf(".\n\n");
        fold_end();
    }
}

/* --- whatever the gates ------------------------------------------------------------------------------------------ */

static bool same_case(const struct bug *a, const struct bug *b)
{
    return strcmp(a->of->folder, b->of->folder) == 0 && strcmp(a->of->file, b->of->file) == 0 &&
           strcmp(a->of->name, b->of->name) == 0;
}

/* Each case, as it is and stripped, once. */
static bool says_gone(const struct selftest *t, uint32_t i)
{
    for (uint32_t k = i; k > 0 && same_case(&t->bug[k - 1], &t->bug[i]); k--)
        if (t->bug[k - 1].gone == t->bug[i].gone)
            return false;
    return t->bug[i].gone != 0;
}

static void put_gone_of(const struct selftest *t, struct part part)
{
    for (uint32_t i = part.first; i < part.end; i++) {
        const struct bug *b = &t->bug[i];
        const char *between = ": ";
        if (!says_gone(t, i))
            continue;
        printf("* %s %s%s", b->of->file, b->of->name, b->stripped ? " (stripped)" : "");
        for (uint32_t inv = 0; inv <= INVARIANTS; inv++)
            if (b->gone >> (inv < INVARIANTS ? inv : 63) & 1) {
                printf("%s%s", between, standing_name(inv));
                between = ", ";
            }
        printf("\n");
    }
    printf("\n");
}

static void put_gone(const struct selftest *t)
{
    for (struct part part = {0, 0}; next_folder(t, &part);) {
        uint32_t n = 0;
        for (uint32_t i = part.first; i < part.end; i++)
            n += says_gone(t, i);
        if (n == 0)
            continue;
        fold_begin(t->bug[part.first].of->folder, n);
        put_gone_of(t, part);
        fold_end();
    }
}

/* --- totals ------------------------------------------------------------------------------------------------------ */

static void put_folder(const struct selftest *t, struct part part, const char *name)
{
    struct numbers medians = numbers_for(part.end - part.first);
    uint32_t seeds = 0, cases = 0, deep = 0, late = 0, open = 0, gone = 0;
    for (uint32_t i = part.first; i < part.end; i++) {
        const struct bug *b = &t->bug[i];
        bool first = i == part.first || !same_case(&t->bug[i - 1], b), found = b->is == BUG_FOUND;
        cases += first;
        gone += first && b->gone != 0;
        deep += bug_is_deep(b);
        seeds = b->by[PORTFOLIO_ROW].n > seeds ? b->by[PORTFOLIO_ROW].n : seeds;
        open += b->is == BUG_UNFOUND && is_open(b);
        if (found && !bug_is_deep(b)) {
            medians.row[medians.n++] = survival_median(&b->by[PORTFOLIO_ROW]);
            late += is_late(b);
        }
    }
    printf("| %s | %u | %u | %u | %u | %llu | %u | %u | %u | %u | %u | %u |\n", name, seeds, cases,
           part.end - part.first, medians.n, (ull)numbers_at(&medians, 50), late, deep,
           count_bugs(t, part, BUG_CALM, false), count_bugs(t, part, BUG_UNFOUND, false), open, gone);
    free(medians.row);
}

static void put_folders(const struct selftest *t)
{
    printf("| cases of | seeds | cases | gates | one or two faults | median | above 500 | three or more | no fault | "
           "nothing brings "
           "out | of these open | cases with something out |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (struct part part = {0, 0}; next_folder(t, &part);)
        put_folder(t, part, t->bug[part.first].of->folder);
    put_folder(t, all_of(t), "**all**");
    printf("\n");
}

uint32_t selftest_report(const struct selftest *t)
{
    struct sums s = sum_up(t);
    printf(
        "%u gates of %u cases, each taken away alone: %u bugs that faults bring out, of which %u need three or more; "
        "%u that need none; %u that nothing brings out; %u that "
        "cannot be taken away. At most %llu schedules a search, %llu schedules in all.\n\n",
        t->n, t->cases, s.shallow + s.deep, s.deep, s.calm, s.unfound, s.no_case, (ull)t->o.cap, (ull)t->played);
    put_folders(t);
    put_goals(t, &s);
    printf("## Three faults or more\n\n");
    put_class(t, all_of(t), true, false);
    printf("Each arm alone, at most %llu schedules (uniform and pct, which are baselines: %llu); in round brackets how "
           "many seeds found it, where not all "
           "did. Single deviations come in one order, so there is one such search.\n\n",
           (ull)t->o.cap, (ull)t->o.baseline_cap);
    put_arms(t, true);
    put_survival(t, true);
    put_each_survival(t);
    printf("## One or two faults: each arm\n\nOf some, at most %llu schedules for an arm alone.\n\n",
           (ull)t->o.shallow_cap);
    put_arms(t, false);
    put_survival(t, false);
    put_shrinking(&s);
    printf("## Nothing brings out\n\nNeither samples with two seeds, nor exhaustive search as far as it came. A gate "
           "is covered by "
           "another if without both the case breaks.\n\n");
    put_unfound(t);
    printf("## Breaks without a fault\n\n");
    put_list(t, BUG_CALM);
    printf(
        "## Breaks with every gate in place\n\nBy samples, by some schedule of %d fault, or by one that was found "
        "without a "
        "gate and breaks it with the gate as well. It is not looked for in that case; GATES.md says why it breaks.\n\n",
        STANDING_FAULTS);
    put_gone(t);
    printf("## One or two faults: the latest\n\nAll with a median above %d.\n\n", SHALLOW_MEDIAN);
    put_class(t, all_of(t), false, true);
    printf("## One or two faults: all\n\n");
    put_shallow(t);
    return missed;
}

uint32_t selftest_quick_report(const struct selftest *t)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct bug *b = &t->bug[i];
        const struct survival *by = &b->by[PORTFOLIO_ROW];
        bool deep = bug_is_deep(b);
        bool good = b->is == BUG_FOUND && survival_median(by) <= (deep ? DEEP_MEDIAN : SHALLOW_MEDIAN) &&
                    survival_quantile(by, 100) <= DEEP_P90;
        failed += !good;
        printf("%s  %s without %s: median", good ? "ok    " : "FAILED", b->of->file, gate_table[b->gate].name);
        put_median(by);
        printf(" at most ");
        put_count(survival_quantile(by, 100), by->cap);
        printf(" schedules\n");
    }
    printf("%u passed, %u failed\n", t->n - failed, failed);
    return failed;
}
