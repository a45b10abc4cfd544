/* SPDX-License-Identifier: MIT */
#include "unit_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"

/* Maximum number of cycles of a run.  A longer run is assumed not to end. */
#define MAX_CYCLES 10000000u

void
unit_rig_require(bool ok, const char *message)
{
   if (ok)
      return;
   fprintf(stderr, "%s\n", message);
   exit(1);
}

void
unit_rig_begin_clocks(struct unit_rig *r, const uint32_t *mhz, uint32_t num, uint64_t shuffle)
{
   memset(r, 0, sizeof(*r));
   unit_rig_require(num <= ARRAY_SIZE(r->clock), "too many clocks");
   for (uint32_t i = 0; i < num; i++)
      r->clock[i].mhz = mhz[i];
   unit_rig_require(sgt_clocks_init(r->clock, num), "the clocks have no common tick");
   r->period = r->clock[0].period;
   sgt_sched_init(&r->sched);
   if (shuffle)
      sgt_sched_shuffle(&r->sched, shuffle);
}

void
unit_rig_begin(struct unit_rig *r, uint64_t shuffle)
{
   static const uint32_t mhz[] = { 600, 1500 };
   unit_rig_begin_clocks(r, mhz, ARRAY_SIZE(mhz), shuffle);
}

void
unit_rig_begin_alone(struct unit_rig *r, uint32_t mhz, uint64_t shuffle)
{
   unit_rig_begin_clocks(r, &mhz, 1, shuffle);
}

void
unit_rig_add(struct unit_rig *r, struct sgt_unit *unit, const char *name,
             uint64_t (*tick)(struct sgt_unit *unit, uint64_t now))
{
   *unit = (struct sgt_unit){ .name = name, .clock = r->clock, .tick = tick };
   unit_rig_require(sgt_sched_add(&r->sched, unit, 0), "out of memory");
}

void
unit_rig_add_sm(struct unit_rig *r, struct sgt_unit *unit, const char *name,
                uint64_t (*tick)(struct sgt_unit *unit, uint64_t now))
{
   *unit = (struct sgt_unit){ .name = name, .clock = &r->clock[1], .tick = tick };
   unit_rig_require(sgt_sched_add(&r->sched, unit, 0), "out of memory");
}

void
unit_rig_connect(struct unit_rig *r, struct sgt_channel *c, struct sgt_unit *from,
                 struct sgt_unit *to, uint32_t bytes, uint32_t capacity, uint64_t cycles)
{
   unit_rig_require(r->num_channels < ARRAY_SIZE(r->channels), "too many channels");
   unit_rig_require(sgt_channel_init(c, &r->sched, from, to, bytes, capacity, cycles * r->period),
                    "out of memory");
   r->channels[r->num_channels++] = c;
}

void
unit_rig_run(struct unit_rig *r)
{
   while (sgt_sched_step(&r->sched, MAX_CYCLES * r->period))
      ;
   unit_rig_require(!sgt_sched_pending(&r->sched), "the run does not end");
   for (uint32_t i = 0; i < r->num_channels; i++)
      unit_rig_require(sgt_channel_empty(r->channels[i]), "messages are left");
   r->cycles = r->sched.now / r->period;
}

void
unit_rig_check(const struct sgt_stats *stats)
{
   char error[256];

   unit_rig_require(!stats->out_of_memory, "out of memory");
   const bool ok = sgt_stats_check(stats, error, sizeof(error));
   unit_rig_require(ok, error);
}

uint64_t
unit_rig_stat(const struct sgt_stats *stats, const char *unit, const char *name)
{
   const struct sgt_stat *s = sgt_stats_find(stats, unit, name);

   unit_rig_require(s, name);
   return s->values[0];
}

void
unit_rig_end(struct unit_rig *r)
{
   for (uint32_t i = 0; i < r->num_channels; i++)
      sgt_channel_finish(r->channels[i]);
   sgt_sched_finish(&r->sched);
}

static uint64_t
memory_tick(struct sgt_unit *unit, uint64_t now)
{
   struct unit_rig_memory *m = container_of(unit, struct unit_rig_memory, unit);
   const struct sgt_mem_request *q = sgt_channel_peek(&m->requests, now);
   const unsigned sectors = q ? util_bitcount(q->sectors) : 0;

   if (!q || (q->kind == SGT_MEM_READ && !sgt_channel_can_send(&m->responses, now)))
      return SGT_NEVER;
   unit_rig_require(q->address % 64 == 0 && q->client == m->client && q->sectors && q->sectors < 4,
                    "a request of memory is wrong");
   if (q->kind == SGT_MEM_READ) {
      m->reads++;
      m->sectors_read += sectors;
      sgt_channel_send(&m->responses, now,
                       &(struct sgt_mem_response){ q->address, q->tag, q->client });
   } else {
      m->writes++;
      m->sectors_written += sectors;
      m->latest_write = now / unit->clock->period;
   }
   sgt_channel_take(&m->requests, now);
   return sgt_channel_empty(&m->requests) ? SGT_NEVER : now + unit->clock->period;
}

void
unit_rig_memory(struct unit_rig *r, struct unit_rig_memory *m, struct sgt_unit *of, uint16_t client,
                uint32_t capacity, uint32_t latency)
{
   *m = (struct unit_rig_memory){ .client = client };
   unit_rig_add(r, &m->unit, "memory", memory_tick);
   unit_rig_connect(r, &m->requests, of, &m->unit, sizeof(struct sgt_mem_request), capacity, 1);
   unit_rig_connect(r, &m->responses, &m->unit, of, sizeof(struct sgt_mem_response), latency + 4,
                    latency);
}
