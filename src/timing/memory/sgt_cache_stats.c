/* SPDX-License-Identifier: MIT */
/*
 * Cache: its statistics in the registry.
 */
#include "sgt_cache.h"

#include "sgt_stats.h"
#include "util/macros.h"

#define ROW(member, name, of, text)                            \
   {                                                           \
      name, of, text, offsetof(struct sgt_cache_stats, member) \
   }

static const struct sgt_stat_row rows[] = {
   ROW(lookups, "reads", "accesses", "Lookups that were done."),
   ROW(writes, "writes", "accesses", "Writes that were done."),
   ROW(stalls[SGT_CACHE_STALL_SET], "stalls-set", "accesses",
       "Accesses put off: all lines of the set are locked or being fetched."),
   ROW(stalls[SGT_CACHE_STALL_MSHR], "stalls-mshr", "accesses",
       "Accesses put off: all MSHRs are in use."),
   ROW(stalls[SGT_CACHE_STALL_WAITER], "stalls-waiter", "accesses",
       "Accesses put off: no place for one more that waits."),
   ROW(fetched, "fetched", "sectors", "Sectors that were requested."),
   ROW(filled, "filled", "sectors", "Sectors that arrived."),
   ROW(allocations, "allocations", "lines", "Lines that got a place."),
   ROW(evictions, "evictions", "lines", "Lines that lost their place to another."),
   ROW(write_backs, "write-backs", "lines", "Lines that were written, by eviction or flush."),
   ROW(written_back, "written-back", "sectors", "Sectors that were written."),
   ROW(partial_back, "partial-back", "sectors", "Sectors that were written in part."),
   ROW(invalidations, "invalidations", "", "Times that all lines were forgotten."),
};

static const char *const outcomes[] = { "hit", "miss", "merged" };

void
sgt_cache_register(const struct sgt_cache *c, struct sgt_stats *s, const char *unit)
{
   STATIC_ASSERT(ARRAY_SIZE(outcomes) == SGT_CACHE_OUTCOMES);
   sgt_stats_add_rows(s, unit, &c->stats, rows, ARRAY_SIZE(rows));
   sgt_stats_add_parts(s, unit, "read", "accesses", "Lookups by outcome.", SGT_CACHE_OUTCOMES,
                       c->stats.reads, outcomes, c->stats.lookups);
   sgt_stats_add_parts(s, unit, "written", "accesses", "Writes by outcome.", SGT_CACHE_OUTCOMES,
                       c->stats.written, outcomes, c->stats.writes);
}
