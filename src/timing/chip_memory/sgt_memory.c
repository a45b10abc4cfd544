/* SPDX-License-Identifier: MIT */
/*
 * The memory system of a chip: the interconnection network and the memory partitions.
 */
#include "chip_memory/sgt_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/macros.h"

bool
sgt_memory_init(struct sgt_memory *m, struct sgt_sched *sched, const struct sgt_clock *xbar,
                const struct sgt_clock *l2, const struct sgt_clock *gddr,
                const struct sgt_memory_params *params)
{
   const uint32_t num = params->xbar.partitions;
   *m = (struct sgt_memory){ .names = calloc(num, sizeof(*m->names)) };
   m->partitions = calloc(num, sizeof(*m->partitions));
   bool ok = sgt_xbar_init(&m->xbar, sched, xbar, &params->xbar) && m->partitions && m->names;
   for (uint32_t i = 0; ok && i < num; i++) {
      snprintf(m->names[i][0], sizeof(m->names[i][0]), "partition.%" PRIu32, i);
      snprintf(m->names[i][1], sizeof(m->names[i][1]), "l2.%" PRIu32, i);
      snprintf(m->names[i][2], sizeof(m->names[i][2]), "gddr.%" PRIu32, i);
      ok = sgt_partition_init(&m->partitions[i], sched, l2, gddr, &params->partition, &m->xbar, i);
      m->num += ok;
   }
   if (!ok)
      sgt_memory_finish(m);
   return ok;
}

void
sgt_memory_finish(struct sgt_memory *m)
{
   for (uint32_t i = 0; i < m->num; i++)
      sgt_partition_finish(&m->partitions[i]);
   sgt_xbar_finish(&m->xbar);
   free(m->partitions);
   free(m->names);
   *m = (struct sgt_memory){ 0 };
}

bool
sgt_memory_idle(const struct sgt_memory *m)
{
   for (uint32_t i = 0; i < m->num; i++)
      if (!sgt_partition_idle(&m->partitions[i]))
         return false;
   return sgt_xbar_idle(&m->xbar);
}

void
sgt_memory_account(struct sgt_memory *m, uint64_t time)
{
   sgt_xbar_account(&m->xbar, time);
   for (uint32_t i = 0; i < m->num; i++)
      sgt_partition_account(&m->partitions[i], time);
}

void
sgt_memory_register(const struct sgt_memory *m, struct sgt_stats *s)
{
   sgt_xbar_register(&m->xbar, s);
   for (uint32_t i = 0; i < m->num; i++) {
      const char *const names[3] = { m->names[i][0], m->names[i][1], m->names[i][2] };
      sgt_partition_register(&m->partitions[i], s, names);
   }
}

/* Compares two counters. If they differ, returns false and writes a message to `error`. */
static bool
memory_equal(uint32_t partition, const char *what, uint64_t a, uint64_t b, char *error,
             size_t error_size)
{
   if (a != b)
      snprintf(error, error_size, "partition.%" PRIu32 ": %s: %" PRIu64 " is not %" PRIu64,
               partition, what, a, b);
   return a == b;
}

bool
sgt_memory_conserves(const struct sgt_memory *m, char *error, size_t error_size)
{
   const bool wide = m->num && m->partitions[0].gddr.burst_bytes == 64;
   uint64_t requests = 0, responses = 0;
   for (uint32_t i = 0; i < m->num; i++) {
      const struct sgt_partition *p = &m->partitions[i];
      const struct sgt_partition_stats *s = &p->stats;
      const struct sgt_cache_stats *c = &p->l2.stats;
      const struct sgt_gddr_stats *g = &p->gddr.stats;
      /* The numbers of bursts and sectors only match for 32-byte bursts. A 64-byte burst transfers
       * one or two sectors.
       */
      if (!wide && (!memory_equal(i, "read bursts and sectors", g->bursts[0],
                                  s->fetched + s->direct_read, error, error_size) ||
                    !memory_equal(i, "written bursts and sectors", g->bursts[1],
                                  s->written_through + s->written_back + s->direct_written, error,
                                  error_size)))
         return false;
      if (!memory_equal(i, "reads of the DRAM", g->requests[0], s->dram_reads, error, error_size) ||
          !memory_equal(i, "writes of the DRAM", g->requests[1], s->dram_writes, error,
                        error_size) ||
          !memory_equal(i, "fetched sectors", s->fetched, c->fetched, error, error_size) ||
          !memory_equal(i, "filled sectors", c->filled, c->fetched, error, error_size) ||
          !memory_equal(i, "written-back sectors", s->written_back, c->written_back, error,
                        error_size) ||
          !memory_equal(i, "occupancy and latency", s->occupancy, s->latency + s->rop_latency,
                        error, error_size) ||
          !memory_equal(i, "responses", s->responses, s->reads + s->atomics, error, error_size) ||
          !memory_equal(i, "responses to the ROP", s->rop_responses, s->rop_reads, error,
                        error_size) ||
          !memory_equal(i, "occupancy and wait of the DRAM", g->occupancy, g->wait[0] + g->wait[1],
                        error, error_size))
         return false;
      requests += s->reads + s->writes + s->atomics;
      responses += s->responses;
   }
   const struct sgt_switch_stats *to = &m->xbar.requests.stats, *from = &m->xbar.responses.stats;
   return memory_equal(0, "messages to all partitions", to->messages, requests, error,
                       error_size) &&
          memory_equal(0, "messages from all partitions", from->messages, responses, error,
                       error_size) &&
          memory_equal(0, "occupancy and wait of requests", to->occupancy, to->wait, error,
                       error_size) &&
          memory_equal(0, "occupancy and wait of responses", from->occupancy, from->wait, error,
                       error_size);
}

void
sgt_memory_dump(const struct sgt_memory *m, struct sgt_dump *d)
{
   sgt_xbar_dump(&m->xbar, d);
   for (uint32_t i = 0; i < m->num; i++)
      sgt_partition_dump(&m->partitions[i], d);
}
