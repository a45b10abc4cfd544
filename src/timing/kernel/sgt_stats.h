/* SPDX-License-Identifier: MIT */
/*
 * Statistics: a registry of what units count, for reports, and counts over time.
 */
#ifndef SGT_STATS_H
#define SGT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sgt_stat_kind {
   SGT_STAT_COUNT,     /* one value */
   SGT_STAT_PARTS,     /* values with names that add up to `total` */
   SGT_STAT_HISTOGRAM, /* value i counts i */
   SGT_STAT_LOG2,      /* value i counts 2^i to 2^(i+1) - 1, value 0 also 0 */
};

struct sgt_stat {
   enum sgt_stat_kind kind;
   const char *unit; /* of the model: "issue" */
   const char *name; /* "overtakes" */
   const char *of;   /* what it counts: "cycles" */
   const char *text; /* one sentence */
   uint32_t num;
   const uint64_t *values;
   const char *const *names; /* PARTS */
   uint64_t total;           /* PARTS */
};

struct sgt_stats {
   struct sgt_stat *stats;
   uint32_t num, room;
   bool out_of_memory;
};

void sgt_stats_init(struct sgt_stats *s);
void sgt_stats_finish(struct sgt_stats *s);
/* Adds a statistic, whose arrays and strings must stay. */
void sgt_stats_add(struct sgt_stats *s, const struct sgt_stat *stat);
/* The same, by kind. */
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

/* Whether the unit has this name, in which '#' stands for a number: "sm#". */
bool sgt_stats_is_unit(const char *pattern, const char *unit);
/* NULL: there is none. */
const struct sgt_stat *sgt_stats_find(const struct sgt_stats *s, const char *unit,
                                      const char *name);
/* Whether all parts add up; if not, false and a message. */
bool sgt_stats_check(const struct sgt_stats *s, char *error, size_t error_size);

/* Counts over time: `num` counters for each interval of time. */
struct sgt_series {
   uint64_t interval; /* from 1 */
   uint32_t num;
   uint64_t *values;   /* [intervals][num] */
   uint64_t intervals; /* that have something, and all before */
   uint64_t room;
   uint64_t latest, latest_begin; /* the interval of the latest addition, and its first time */
   bool out_of_memory;
};

void sgt_series_init(struct sgt_series *s, uint64_t interval, uint32_t num);
void sgt_series_finish(struct sgt_series *s);
/* Adds each[i] to counter i for each of the `length` units of time from `from` on. */
void sgt_series_add(struct sgt_series *s, uint64_t from, uint64_t length, const uint32_t *each);
/* Moves 1 from a counter to another for each unit of time.  A counter may be below 0, modulo
 * 2^64, until its units of time are added.
 */
void sgt_series_move(struct sgt_series *s, uint64_t from, uint64_t length, uint32_t counter,
                     uint32_t to);

/* Index in a SGT_STAT_LOG2. */
static inline uint32_t
sgt_log2_slot(uint64_t value)
{
   return value ? 63 - __builtin_clzll(value) : 0;
}

#endif
