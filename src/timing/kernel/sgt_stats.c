/* SPDX-License-Identifier: MIT */
/*
 * Statistics: the registry of counters, and time series.
 */
#include "kernel/sgt_stats.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

void
sgt_stats_init(struct sgt_stats *s)
{
   memset(s, 0, sizeof(*s));
}

void
sgt_stats_finish(struct sgt_stats *s)
{
   free(s->stats);
   s->stats = NULL;
}

void
sgt_stats_add(struct sgt_stats *s, const struct sgt_stat *stat)
{
   if (s->num == s->room) {
      const uint32_t room = s->room ? s->room * 2 : 64;
      struct sgt_stat *stats = realloc(s->stats, room * sizeof(*stats));
      if (!stats) {
         s->out_of_memory = true;
         return;
      }
      s->stats = stats;
      s->room = room;
   }
   s->stats[s->num++] = *stat;
}

void
sgt_stats_add_count(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                    const char *text, const uint64_t *value)
{
   sgt_stats_add(s, &(struct sgt_stat){ SGT_STAT_COUNT, unit, name, of, text, 1, value });
}

void
sgt_stats_add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                    const char *text, uint32_t num, const uint64_t *values,
                    const char *const *names, uint64_t total)
{
   sgt_stats_add(s, &(struct sgt_stat){ SGT_STAT_PARTS, unit, name, of, text, num, values, names,
                                        total });
}

void
sgt_stats_add_histogram(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                        const char *text, uint32_t num, const uint64_t *values)
{
   sgt_stats_add(s, &(struct sgt_stat){ SGT_STAT_HISTOGRAM, unit, name, of, text, num, values });
}

void
sgt_stats_add_log2(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                   const char *text, uint32_t num, const uint64_t *values)
{
   sgt_stats_add(s, &(struct sgt_stat){ SGT_STAT_LOG2, unit, name, of, text, num, values });
}

bool
sgt_stats_is_unit(const char *pattern, const char *unit)
{
   for (; *pattern; pattern++) {
      if (*pattern != '#') {
         if (*pattern != *unit++)
            return false;
         continue;
      }
      if (!isdigit((unsigned char)*unit))
         return false;
      while (isdigit((unsigned char)*unit))
         unit++;
   }
   return !*unit;
}

const struct sgt_stat *
sgt_stats_find(const struct sgt_stats *s, const char *unit, const char *name)
{
   for (uint32_t i = 0; i < s->num; i++)
      if (!strcmp(s->stats[i].unit, unit) && !strcmp(s->stats[i].name, name))
         return &s->stats[i];
   return NULL;
}

bool
sgt_stats_check(const struct sgt_stats *s, char *error, size_t error_size)
{
   for (uint32_t i = 0; i < s->num; i++) {
      const struct sgt_stat *stat = &s->stats[i];
      if (stat->kind != SGT_STAT_PARTS)
         continue;
      uint64_t sum = 0;
      for (uint32_t j = 0; j < stat->num; j++)
         sum += stat->values[j];
      if (sum == stat->total)
         continue;
      snprintf(error, error_size, "%s.%s: the parts are %" PRIu64 " %s, the whole is %" PRIu64,
               stat->unit, stat->name, sum, stat->of, stat->total);
      return false;
   }
   return true;
}

void
sgt_series_init(struct sgt_series *s, uint64_t interval, uint32_t num)
{
   *s = (struct sgt_series){ .interval = interval, .num = num };
}

void
sgt_series_finish(struct sgt_series *s)
{
   free(s->values);
   s->values = NULL;
}

/* Allocates at least `intervals` intervals and sets the new values to 0. Returns false if
 * allocation fails.
 */
static bool
stats_reserve(struct sgt_series *s, uint64_t intervals)
{
   if (intervals > s->room) {
      const uint64_t room = MAX3(64, intervals, s->room * 2);
      uint64_t *values = realloc(s->values, room * s->num * sizeof(*values));
      if (!values) {
         s->out_of_memory = true;
         return false;
      }
      memset(values + s->room * s->num, 0, (room - s->room) * s->num * sizeof(*values));
      s->values = values;
      s->room = room;
   }
   s->intervals = MAX2(s->intervals, intervals);
   return true;
}

void
sgt_series_add(struct sgt_series *s, uint64_t from, uint64_t length, const uint32_t *each)
{
   if (!length)
      return;
   if (from - s->latest_begin >= s->interval) {
      s->latest = from / s->interval;
      s->latest_begin = s->latest * s->interval;
   }
   while (length) {
      if (!stats_reserve(s, s->latest + 1))
         return;
      const uint64_t part = MIN2(s->latest_begin + s->interval - from, length);
      uint64_t *values = s->values + s->latest * s->num;
      for (uint32_t i = 0; i < s->num; i++)
         values[i] += part * each[i];
      from += part;
      length -= part;
      if (length) {
         s->latest++;
         s->latest_begin += s->interval;
      }
   }
}

void
sgt_series_move(struct sgt_series *s, uint64_t from, uint64_t length, uint32_t counter, uint32_t to)
{
   if (!length || !stats_reserve(s, (from + length - 1) / s->interval + 1))
      return;
   while (length) {
      const uint64_t part = MIN2(s->interval - from % s->interval, length);
      uint64_t *values = s->values + from / s->interval * s->num;
      values[counter] -= part;
      values[to] += part;
      from += part;
      length -= part;
   }
}
