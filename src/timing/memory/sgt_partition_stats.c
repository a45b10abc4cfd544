/* SPDX-License-Identifier: MIT */
/*
 * A memory partition: statistics in the registry.
 */
#include "sgt_partition.h"

#include <inttypes.h>
#include <stdio.h>

#include "sgt_stats.h"
#include "util/macros.h"

const char *const sgt_partition_state_names[SGT_PARTITION_STATES] = {
   "read",         "write",        "atomic",       "rop",        "stall-set", "stall-mshr",
   "stall-waiter", "stall-access", "stall-atomic", "stall-dram", "idle",
};

#define ROW(member, name, of, text)                                \
   {                                                               \
      name, of, text, offsetof(struct sgt_partition_stats, member) \
   }

static const struct sgt_stat_row counts[] = {
   ROW(clocks, "clocks", "clocks", "Clocks of the partition."),
   ROW(reads, "reads", "requests", "Reads of the network."),
   ROW(writes, "writes", "requests", "Writes of the network."),
   ROW(atomics, "atomics", "requests", "Atomics of the network."),
   ROW(lanes, "lanes", "lanes", "Lanes of atomics."),
   ROW(rop_reads, "rop-reads", "requests", "Reads of the ROP."),
   ROW(rop_writes, "rop-writes", "requests", "Writes of the ROP."),
   ROW(uncached_reads, "uncached-reads", "requests", "Reads of the network past the cache."),
   ROW(uncached_writes, "uncached-writes", "requests", "Writes of the network past the cache."),
   ROW(read_sectors, "read-sectors", "sectors", "Sectors that were read, atomics included."),
   ROW(written_sectors, "written-sectors", "sectors",
       "Sectors that were written, atomics included."),
   ROW(responses, "responses", "responses", "Responses to the network."),
   ROW(rop_responses, "rop-responses", "responses", "Responses to the ROP."),
   ROW(dram_reads, "dram-reads", "requests", "Reads of the DRAM."),
   ROW(dram_writes, "dram-writes", "requests", "Writes of the DRAM."),
   ROW(fetched, "fetched", "sectors", "Sectors that the cache's misses read."),
   ROW(written_through, "written-through", "sectors", "Sectors that writes passed on."),
   ROW(written_back, "written-back", "sectors", "Sectors of lines that lost their place."),
   ROW(direct_read, "direct-read", "sectors", "Sectors read past the cache."),
   ROW(direct_written, "direct-written", "sectors", "Sectors written past the cache."),
   ROW(latency, "latency", "clocks", "From a request to its response, summed, network."),
   ROW(rop_latency, "rop-latency", "clocks", "From a request to its response, summed, ROP."),
   ROW(occupancy, "occupancy", "accesses x clocks", "Accesses without response, summed."),
   ROW(max_accesses, "max-accesses", "accesses", "The most accesses without response."),
   ROW(max_atomics, "max-atomics", "atomics", "The most atomics that waited or executed."),
   ROW(atomic_busy, "atomic-busy", "clocks", "Clocks in which an atomic executes."),
   ROW(atomic_wait, "atomic-wait", "clocks", "Clocks in which the first atomic has to wait."),
};

void
sgt_partition_register(const struct sgt_partition *p, struct sgt_stats *s,
                       const char *const names[3])
{
   const struct sgt_partition_stats *t = &p->stats;
   sgt_stats_add_rows(s, names[0], t, counts, ARRAY_SIZE(counts));
   sgt_stats_add_parts(s, names[0], "states", "clocks", "What the request pipe does.",
                       SGT_PARTITION_STATES, t->states, sgt_partition_state_names, t->clocks);
   sgt_stats_add_log2(s, names[0], "latencies", "accesses",
                      "Accesses by clocks from request to response.", ARRAY_SIZE(t->latency_log2),
                      t->latency_log2);
   sgt_cache_register(&p->l2, s, names[1]);
   sgt_gddr_register(&p->gddr, s, names[2]);
}
