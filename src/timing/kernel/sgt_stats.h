/* SPDX-License-Identifier: MIT */
/*
 * Statistics: a registry of the counters of all units, for reports, and time series of counters.
 */
#ifndef SGT_STATS_H
#define SGT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sgt_stat_kind {
   SGT_STAT_COUNT,     /* a single value */
   SGT_STAT_PARTS,     /* named values that add up to `total` */
   SGT_STAT_HISTOGRAM, /* values[i] is the number of samples with value i */
   /* values[i] is the number of samples from 2^i to 2^(i+1) - 1; values[0] also includes samples
    * with value 0
    */
   SGT_STAT_LOG2,
};

struct sgt_stat {
   enum sgt_stat_kind kind;
   const char *unit; /* name of the unit in the model, e.g. "issue" */
   const char *name; /* name of the statistic, e.g. "overtakes" */
   const char *of;   /* what the values count, e.g. "cycles" */
   const char *text; /* description, one sentence */
   uint32_t num;     /* number of elements of `values` */
   const uint64_t *values;
   const char *const *names; /* for SGT_STAT_PARTS: name of each value */
   uint64_t total;           /* for SGT_STAT_PARTS: expected sum of the values */
};

struct sgt_stats {
   struct sgt_stat *stats;
   uint32_t num, room; /* num: number of statistics; room: number of allocated elements */
   bool out_of_memory;
};

void sgt_stats_init(struct sgt_stats *s);
void sgt_stats_finish(struct sgt_stats *s);
/* Adds a copy of a statistic. The copy refers to the arrays and strings of `stat`, which must stay
 * valid.
 */
void sgt_stats_add(struct sgt_stats *s, const struct sgt_stat *stat);
/* The following functions add a statistic of the kind that their name contains. The parameters
 * correspond to the members of struct sgt_stat.
 */
void sgt_stats_add_count(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                         const char *text, const uint64_t *value);
void sgt_stats_add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                         const char *text, uint32_t num, const uint64_t *values,
                         const char *const *names, uint64_t total);
void sgt_stats_add_histogram(struct sgt_stats *s, const char *unit, const char *name,
                             const char *of, const char *text, uint32_t num,
                             const uint64_t *values);
void sgt_stats_add_log2(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                        const char *text, uint32_t num, const uint64_t *values);

/* Returns true if the name of a unit matches a pattern such as "sm#", where '#' stands for a
 * number.
 */
bool sgt_stats_is_unit(const char *pattern, const char *unit);
/* Returns the statistic with this unit and name, or NULL if there is no such statistic. */
const struct sgt_stat *sgt_stats_find(const struct sgt_stats *s, const char *unit,
                                      const char *name);
/* Checks that the values of each SGT_STAT_PARTS statistic add up to its total. If not, returns
 * false and writes a message to `error`.
 */
bool sgt_stats_check(const struct sgt_stats *s, char *error, size_t error_size);

/* Time series of `num` counters: each counter has a value for each interval of time. The caller
 * chooses the unit of time.
 */
struct sgt_series {
   uint64_t interval;  /* length of an interval in units of time; at least 1 */
   uint32_t num;       /* number of counters */
   uint64_t *values;   /* values of all intervals, as an array [intervals][num] */
   uint64_t intervals; /* number of intervals, up to the last interval with a value */
   uint64_t room;      /* number of intervals that fit in `values` */
   /* latest: index of the interval that the last value was added to
    * latest_begin: start time of this interval
    */
   uint64_t latest, latest_begin;
   bool out_of_memory;
};

void sgt_series_init(struct sgt_series *s, uint64_t interval, uint32_t num);
void sgt_series_finish(struct sgt_series *s);
/* For each unit of time from `from` to from + length - 1, adds each[i] to counter i. */
void sgt_series_add(struct sgt_series *s, uint64_t from, uint64_t length, const uint32_t *each);
/* For each unit of time from `from` to from + length - 1, subtracts 1 from counter `counter` and
 * adds 1 to counter `to`. If sgt_series_add() has not been called for these times yet, the counters
 * can temporarily wrap around below 0.
 */
void sgt_series_move(struct sgt_series *s, uint64_t from, uint64_t length, uint32_t counter,
                     uint32_t to);

/* Returns the index in the values array of a SGT_STAT_LOG2 statistic that counts samples with this
 * value.
 */
static inline uint32_t
sgt_log2_slot(uint64_t value)
{
   return value ? 63 - __builtin_clzll(value) : 0;
}

#endif
