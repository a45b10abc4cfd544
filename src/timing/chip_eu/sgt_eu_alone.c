/* SPDX-License-Identifier: MIT */
/*
 * Runs all warps of a struct sgt_work on a single execution unit.
 */
#include "chip_eu/sgt_eu_alone.h"

#include <string.h>

#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm_ports.h"
#include "util/macros.h"

/* capacity of the channels, larger than the number of requests that an EU can have in flight */
#define REQUESTS 1024

static uint64_t
eu_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_eu_alone *a = container_of(unit, struct sgt_eu_alone, unit);
   const struct sgt_mem_request *mem;
   const struct sgt_tex_request *tex;

   while (a->next < a->num && sgt_channel_can_send(&a->launch, now))
      sgt_channel_send(&a->launch, now, &(struct sgt_sm_launch){ a->next++ });
   while (sgt_channel_peek(&a->done, now)) {
      sgt_channel_take(&a->done, now);
      a->ended++;
   }
   while ((mem = sgt_channel_peek(&a->mem_request, now))) {
      const struct sgt_mem_response answer = { mem->address, mem->tag, mem->client };
      if (mem->kind != SGT_MEM_WRITE) {
         if (!sgt_channel_can_send(&a->mem_response, now))
            break;
         sgt_channel_send(&a->mem_response, now, &answer);
      }
      sgt_channel_take(&a->mem_request, now);
   }
   while ((tex = sgt_channel_peek(&a->tex_request, now))) {
      const struct sgt_tex_response answer = { tex->tag, tex->sm };
      if (!sgt_channel_can_send(&a->tex_response, now))
         break;
      sgt_channel_send(&a->tex_response, now, &answer);
      sgt_channel_take(&a->tex_request, now);
   }
   return SGT_NEVER;
}

bool
sgt_eu_alone_init(struct sgt_eu_alone *a, const struct sgt_eu_params *params,
                  const struct sgt_work *work, uint32_t memory, uint32_t texture)
{
   memset(a, 0, sizeof(*a));
   a->clock.mhz = 1;
   a->num = work->num_warps;
   sgt_clocks_init(&a->clock, 1);
   sgt_sched_init(&a->sched);
   a->unit = (struct sgt_unit){ .name = "alone", .clock = &a->clock, .tick = eu_tick };
   bool ok = sgt_eu_programs_init(&a->programs, params, work) &&
             sgt_eu_init(&a->eu, &a->sched, &a->clock, &a->programs, 0) &&
             sgt_sched_add(&a->sched, &a->unit, 0);
   const struct {
      struct sgt_channel *channel;
      bool to_eu;
      uint32_t bytes, capacity, delay;
   } table[] = {
      { &a->launch, true, sizeof(struct sgt_sm_launch), MAX2(a->num, 1), 1 },
      { &a->done, false, sizeof(struct sgt_sm_done), 64, 1 },
      { &a->tex_request, false, sizeof(struct sgt_tex_request), REQUESTS, 1 },
      { &a->tex_response, true, sizeof(struct sgt_tex_response), REQUESTS, texture - 1 },
      { &a->mem_request, false, sizeof(struct sgt_mem_request), REQUESTS, 1 },
      { &a->mem_response, true, sizeof(struct sgt_mem_response), REQUESTS, memory - 1 },
   };
   for (unsigned i = 0; ok && i < ARRAY_SIZE(table); i++) {
      struct sgt_unit *from = table[i].to_eu ? &a->unit : &a->eu.unit;
      struct sgt_unit *to = table[i].to_eu ? &a->eu.unit : &a->unit;
      ok = sgt_channel_init(table[i].channel, &a->sched, from, to, table[i].bytes,
                            table[i].capacity, table[i].delay);
   }
   a->eu.ports = (struct sgt_sm_ports){
      .launch = &a->launch,
      .done = &a->done,
      .tex_requests = &a->tex_request,
      .tex_responses = &a->tex_response,
      .mem_requests = &a->mem_request,
      .mem_responses = &a->mem_response,
   };
   if (!ok)
      sgt_eu_alone_finish(a);
   return ok;
}

void
sgt_eu_alone_finish(struct sgt_eu_alone *a)
{
   struct sgt_channel *channels[] = { &a->launch,       &a->done,        &a->tex_request,
                                      &a->tex_response, &a->mem_request, &a->mem_response };
   for (unsigned i = 0; i < ARRAY_SIZE(channels); i++)
      sgt_channel_finish(channels[i]);
   sgt_eu_finish(&a->eu);
   sgt_eu_programs_finish(&a->programs);
   sgt_sched_finish(&a->sched);
}

bool
sgt_eu_alone_run(struct sgt_eu_alone *a, uint64_t limit)
{
   while (sgt_sched_step(&a->sched, limit))
      ;
   return a->ended == a->num && sgt_eu_idle(&a->eu);
}
