/* SPDX-License-Identifier: MIT */
/*
 * Rows of the registry of statistics.
 */
#ifndef SGT_STAT_ROWS_H
#define SGT_STAT_ROWS_H

#include "sgt_stats.h"

/* A counter of a structure. */
struct sgt_stat_row {
   const char *name, *of, *text;
   uint32_t offset; /* of the uint64_t */
};

static inline void
sgt_stats_add_rows(struct sgt_stats *s, const char *unit, const void *values,
                   const struct sgt_stat_row *rows, uint32_t num)
{
   for (uint32_t i = 0; i < num; i++) {
      const struct sgt_stat_row *row = &rows[i];
      sgt_stats_add(s, &(struct sgt_stat){
                          .kind = SGT_STAT_COUNT,
                          .unit = unit,
                          .name = row->name,
                          .of = row->of,
                          .text = row->text,
                          .num = 1,
                          .values = (const uint64_t *)((const char *)values + row->offset),
                       });
   }
}

static inline void
sgt_stats_add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                    const char *text, uint32_t num, const uint64_t *values,
                    const char *const *names, uint64_t total)
{
   sgt_stats_add(s, &(struct sgt_stat){
                       .kind = SGT_STAT_PARTS,
                       .unit = unit,
                       .name = name,
                       .of = of,
                       .text = text,
                       .num = num,
                       .values = values,
                       .names = names,
                       .total = total,
                    });
}

static inline void
sgt_stats_add_log2(struct sgt_stats *s, const char *unit, const char *name, const char *of,
                   const char *text, uint32_t num, const uint64_t *values)
{
   sgt_stats_add(s, &(struct sgt_stat){
                       .kind = SGT_STAT_LOG2,
                       .unit = unit,
                       .name = name,
                       .of = of,
                       .text = text,
                       .num = num,
                       .values = values,
                    });
}

#endif
