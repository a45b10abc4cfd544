/* SPDX-License-Identifier: MIT */
/*
 * Statistics: a registry of the counters of all units, for reports, and series of counters over
 * time.
 */
#ifndef SGT_STATS_H
#define SGT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sgt_stat_kind {
   SGT_STAT_COUNT,     /* a single value */
   SGT_STAT_PARTS,     /* named values whose sum is `total` */
   SGT_STAT_HISTOGRAM, /* values[i] is the number of samples equal to i */
   SGT_STAT_LOG2,      /* values[i] is the number of samples from 2^i to 2^(i+1) - 1; values[0] also
                        * counts samples equal to 0 */
};

struct sgt_stat {
   enum sgt_stat_kind kind;
   const char *unit; /* name of the unit of the model, such as "issue" */
   const char *name; /* name of the statistic, such as "overtakes" */
   const char *of;   /* the things that are counted, such as "cycles" */
   const char *text; /* description of one sentence */
   uint32_t num;     /* number of values */
   const uint64_t *values;
   const char *const *names; /* for SGT_STAT_PARTS: the names of the values */
   uint64_t total;           /* for SGT_STAT_PARTS: the expected sum of the values */
};

struct sgt_stats {
   struct sgt_stat *stats;
   uint32_t num, room; /* number of statistics, and number of allocated elements */
   bool out_of_memory;
};

void sgt_stats_init(struct sgt_stats *s);
void sgt_stats_finish(struct sgt_stats *s);
/* Adds a copy of a statistic. The arrays and strings that it points to must stay valid. */
void sgt_stats_add(struct sgt_stats *s, const struct sgt_stat *stat);
/* Add a statistic of the kind in the function's name. The parameters are the members of struct
 * sgt_stat.
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

/* Returns whether the name of a unit matches a pattern such as "sm#", in which '#' stands for a
 * number.
 */
bool sgt_stats_is_unit(const char *pattern, const char *unit);
/* Returns the statistic of this unit and name, or NULL if there is none. */
const struct sgt_stat *sgt_stats_find(const struct sgt_stats *s, const char *unit,
                                      const char *name);
/* Checks that the values of each SGT_STAT_PARTS add up to its total. Otherwise, returns false and
 * writes a message to `error`.
 */
bool sgt_stats_check(const struct sgt_stats *s, char *error, size_t error_size);

/* Counters over time: values of `num` counters for each interval of time. The unit of time is the
 * user's.
 */
struct sgt_series {
   uint64_t interval;             /* length of an interval in units of time, at least 1 */
   uint32_t num;                  /* number of counters */
   uint64_t *values;              /* array [intervals][num] */
   uint64_t intervals;            /* number of intervals up to the last one with values */
   uint64_t room;                 /* number of intervals that `values` has memory for */
   uint64_t latest, latest_begin; /* index and first time of the interval of the latest addition */
   bool out_of_memory;
};

void sgt_series_init(struct sgt_series *s, uint64_t interval, uint32_t num);
void sgt_series_finish(struct sgt_series *s);
/* Adds each[i] to counter i for each of `length` units of time from time `from`. */
void sgt_series_add(struct sgt_series *s, uint64_t from, uint64_t length, const uint32_t *each);
/* Subtracts 1 from `counter` and adds 1 to counter `to`, for each of `length` units of time from
 * time `from`. This may precede the addition for these times: a counter may be negative, modulo
 * 2^64, until then.
 */
void sgt_series_move(struct sgt_series *s, uint64_t from, uint64_t length, uint32_t counter,
                     uint32_t to);

/* Returns the index of a sample in the values of a SGT_STAT_LOG2. */
static inline uint32_t
sgt_log2_slot(uint64_t value)
{
   return value ? 63 - __builtin_clzll(value) : 0;
}

#endif
