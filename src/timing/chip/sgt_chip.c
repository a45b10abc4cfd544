/* SPDX-License-Identifier: MIT */
/*
 * Builds the Tesla chip from its units, and runs a trace on it.
 */
#include "chip/sgt_chip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/sgt_chip_state.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

/* Maximum number of texture requests in the channel from an SM to its texture unit. */
#define TEX_QUEUE 8

static bool
connect_clients(struct sgt_chip *c, uint32_t rop)
{
   struct sgt_rop_switch *s = &c->switches[rop];
   const uint32_t cycles = c->params.rop_cycles;
   for (uint32_t i = 0; i < c->num_tpcs; i++)
      if (!sgt_rop_switch_connect(s, &c->outputs[i].client, &c->outputs[i].unit, cycles))
         return false;
   return sgt_rop_switch_connect(s, &c->early.client, &c->early.unit, cycles) &&
          sgt_rop_switch_connect(s, &c->transfer.client, &c->transfer.unit, cycles);
}

static bool
make_memory(struct sgt_chip *c)
{
   struct sgt_memory_params p = c->params.memory;
   p.xbar.clients = c->num_sms + c->num_tpcs + 1;
   p.partition.uncached = p.partition.loads_cached ? 0 : c->num_sms;
   c->has_memory = sgt_memory_init(&c->memory, &c->sched, &c->clocks[SGT_CHIP_XBAR],
                                   &c->clocks[SGT_CHIP_L2], &c->clocks[SGT_CHIP_GDDR], &p);
   return c->has_memory;
}

/* Creates the ROPs, and connects each one to its network and its memory partition. */
static bool
make_rops(struct sgt_chip *c)
{
   const struct sgt_clock *core = &c->clocks[SGT_CHIP_CORE];
   struct sgt_rop_params params = c->params.rop;
   params.partitions = c->num_rops;
   for (uint32_t i = 0; i < c->num_rops; i++) {
      struct sgt_rop *rop = &c->rops[i];
      struct sgt_rop_switch *s = &c->switches[i];
      if (!sgt_rop_init(rop, &c->sched, core, &params, i))
         return false;
      c->made_rops++;
      if (!sgt_rop_switch_init(s, &c->sched, core, i, c->num_tpcs + 2))
         return false;
      c->made_switches++;
      if (!connect_clients(c, i) || !sgt_rop_switch_connect_rop(s, &rop->unit) ||
          !sgt_partition_connect_rop(&c->memory.partitions[i], &c->sched, &rop->unit, core->period,
                                     params.memory_queue))
         return false;
      rop->requests = &s->to_rop;
      rop->responses = &s->from_rop;
      rop->memory = &c->memory.partitions[i].rop.requests;
      rop->fills = &c->memory.partitions[i].rop.responses;
   }
   return true;
}

/* Creates the units that send requests to the ROPs: the pixel outputs, the early tests and the
 * transfer unit.
 */
static bool
make_rop_clients(struct sgt_chip *c)
{
   const struct sgt_clock *core = &c->clocks[SGT_CHIP_CORE];
   const struct sgt_plan *plan = &c->front.plan;
   struct sgt_rop_client client = { .num_rops = c->num_rops, .map = &c->memory.xbar.map };
   if (!sgt_early_init(&c->early, &c->sched, core, &c->params.front.raster, plan))
      return false;
   c->has_early = true;
   c->early.client = client;
   c->early.blocks = &c->front.blocks;
   c->early.releases = &c->front.releases;
   c->early.late = &c->front.late;
   if (!sgt_transfer_init(&c->transfer, &c->sched, core, &c->params.transfer, plan->trace))
      return false;
   c->has_transfer = true;
   c->transfer.client = client;
   c->transfer.operations = &c->front.transfers;
   c->transfer.ended = &c->front.transfer_ended;
   for (uint32_t i = 0; i < c->num_tpcs; i++, c->made_outputs++) {
      struct sgt_output *o = &c->outputs[i];
      if (!sgt_output_init(o, &c->sched, core, &c->params.output, plan, i))
         return false;
      o->client = client;
      o->warps = &c->front.outputs[i];
      o->written = &c->front.written[i];
      if (!sgt_chip_front_connect_output(&c->front, i, &o->unit))
         return false;
   }
   return sgt_chip_front_connect_early(&c->front, &c->early.unit) &&
          sgt_chip_front_connect_transfer(&c->front, &c->transfer.unit);
}

/* Creates the texture unit of a TPC and its channels to the SMs. */
static bool
make_tex(struct sgt_chip *c, uint32_t tpc)
{
   const uint32_t sms = c->params.front.dist.tpc_sms, client = c->num_sms + tpc;
   const uint64_t delay = c->params.tex_cycles * c->clocks[SGT_CHIP_CORE].period;
   struct sgt_tex *tex = &c->texs[tpc];
   const struct sgt_core_params core = sgt_chip_core_params(&c->params);
   const struct sgt_core_room room = sgt_core_room(&core);
   if (!sgt_tex_init(tex, &c->sched, &c->clocks[SGT_CHIP_CORE], &c->params.tex, c->front.plan.work,
                     tpc * sms, sms, client))
      return false;
   c->made_texs++;
   for (uint32_t i = 0; i < sms; i++) {
      const uint32_t sm = tpc * sms + i;
      struct sgt_unit *unit = sgt_core_unit(&c->sms[sm]);
      if (!sgt_channel_init(&c->tex_requests[sm], &c->sched, unit, &tex->unit,
                            sizeof(struct sgt_tex_request), TEX_QUEUE, delay) ||
          !sgt_channel_init(&c->tex_responses[sm], &c->sched, &tex->unit, unit,
                            sizeof(struct sgt_tex_response), room.textures + 1, delay))
         return false;
      tex->requests[i] = &c->tex_requests[sm];
      tex->responses[i] = &c->tex_responses[sm];
   }
   if (!sgt_xbar_connect(&c->memory.xbar, &c->sched, client, &tex->unit, c->params.tex.fills))
      return false;
   tex->memory = &c->memory.xbar.ports[client].requests;
   tex->fetched = &c->memory.xbar.ports[client].responses;
   return true;
}

static bool
make_sms(struct sgt_chip *c)
{
   const struct sgt_core_params core = sgt_chip_core_params(&c->params);
   const struct sgt_core_room room = sgt_core_room(&core);
   for (uint32_t i = 0; i < c->num_sms; i++) {
      if (!sgt_core_init(&c->sms[i], &c->sched, &c->clocks[SGT_CHIP_SM], &c->code, i))
         return false;
      struct sgt_unit *unit = sgt_core_unit(&c->sms[i]);
      if (!sgt_chip_front_connect_sm(&c->front, i, unit) ||
          !sgt_xbar_connect(&c->memory.xbar, &c->sched, i, unit, room.accesses))
         return false;
   }
   for (uint32_t i = 0; i < c->num_tpcs; i++)
      if (!make_tex(c, i))
         return false;
   for (uint32_t i = 0; i < c->num_sms; i++)
      sgt_core_connect(&c->sms[i], &(struct sgt_sm_ports){
                                      .launch = &c->front.launch[i],
                                      .done = &c->front.done[i],
                                      .tex_requests = &c->tex_requests[i],
                                      .tex_responses = &c->tex_responses[i],
                                      .mem_requests = &c->memory.xbar.ports[i].requests,
                                      .mem_responses = &c->memory.xbar.ports[i].responses,
                                      .client = i,
                                   });
   return true;
}

static bool
connect_assembler(struct sgt_chip *c)
{
   const uint32_t client = c->num_sms + c->num_tpcs;
   struct sgt_ia *ia = &c->front.ia;
   if (!sgt_xbar_connect(&c->memory.xbar, &c->sched, client, &ia->unit, ia->params.fetch_open))
      return false;
   ia->requests = &c->memory.xbar.ports[client].requests;
   ia->responses = &c->memory.xbar.ports[client].responses;
   ia->client = client;
   return true;
}

/* Invalidates the texture caches, which may contain stale copies of memory that the ROPs have just
 * written back. The host interface only requests a write-back while no warp is running, so no
 * texture lookup can happen at the same time.
 */
static void
forget_textures(void *data)
{
   struct sgt_chip *c = data;
   for (uint32_t i = 0; i < c->num_tpcs; i++)
      sgt_tex_invalidate(&c->texs[i]);
}

static void
connect_observer(struct sgt_chip *c)
{
   const struct sgt_chip_observer *observer = c->params.observer;
   const enum sgt_chip_fault fault = c->params.fault;
   c->transfer.flushed = fault == SGT_CHIP_FAULT_TEXTURES ? NULL : forget_textures;
   c->transfer.flushed_data = c;
   c->transfer.observer = c->front.ia.observer = observer;
   c->front.ia.no_barriers = fault == SGT_CHIP_FAULT_BARRIER;
   c->front.dist.unordered = fault == SGT_CHIP_FAULT_ORDER;
   c->early.drops = fault == SGT_CHIP_FAULT_EARLY;
   c->early.ahead = fault == SGT_CHIP_FAULT_LATE;
   for (uint32_t i = 0; i < c->num_tpcs; i++) {
      c->texs[i].observer = observer;
      c->outputs[i].no_tests = fault == SGT_CHIP_FAULT_TESTS;
   }
   for (uint32_t i = 0; i < c->num_rops; i++) {
      c->rops[i].observer = c->memory.partitions[i].observer = observer;
      c->rops[i].no_hazards = fault == SGT_CHIP_FAULT_HAZARD;
   }
}

static bool
make_arrays(struct sgt_chip *c)
{
   c->sms = calloc(c->num_sms, sizeof(*c->sms));
   c->tex_requests = calloc(c->num_sms, sizeof(*c->tex_requests));
   c->tex_responses = calloc(c->num_sms, sizeof(*c->tex_responses));
   c->texs = calloc(c->num_tpcs, sizeof(*c->texs));
   c->outputs = calloc(c->num_tpcs, sizeof(*c->outputs));
   c->rops = calloc(c->num_rops, sizeof(*c->rops));
   c->switches = calloc(c->num_rops, sizeof(*c->switches));
   c->names = calloc(MAX3(c->num_sms, c->num_tpcs, c->num_rops), sizeof(*c->names));
   return c->sms && c->tex_requests && c->tex_responses && c->texs && c->outputs && c->rops &&
          c->switches && c->names;
}

/* Rejects pixel warps in `work` if the trace has no render targets, because their pixels would
 * never reach the ROPs. Returns false in this case.
 */
static bool
check_targets(const struct sgt_trace *trace, const struct sgt_work *work, char *error,
              size_t error_size)
{
   for (uint32_t i = 0; !trace->num_targets && i < work->num_quads; i++) {
      if (!work->quads[i].kept)
         continue;
      snprintf(error, error_size, "the trace has no targets, but its work draws pixels");
      return false;
   }
   return true;
}

struct sgt_chip *
sgt_chip_create(const struct sgt_chip_params *params, const struct sgt_trace *trace,
                const struct sgt_work *work, char *error, size_t error_size)
{
   if (!sgt_chip_params_check(params, error, error_size) ||
       !check_targets(trace, work, error, error_size))
      return NULL;
   struct sgt_chip *c = calloc(1, sizeof(*c));
   if (!c) {
      snprintf(error, error_size, "out of memory");
      return NULL;
   }
   c->params = *params;
   c->num_tpcs = params->front.dist.tpcs;
   c->num_sms = c->num_tpcs * params->front.dist.tpc_sms;
   c->num_rops = params->memory.xbar.partitions;
   c->clocks[SGT_CHIP_CORE].mhz = params->core_mhz;
   c->clocks[SGT_CHIP_SM].mhz = params->sp_mhz / 2;
   c->clocks[SGT_CHIP_XBAR].mhz = params->memory.xbar.mhz;
   c->clocks[SGT_CHIP_L2].mhz = params->memory.partition.mhz;
   c->clocks[SGT_CHIP_GDDR].mhz = params->memory.partition.gddr.mhz;
   sgt_sched_init(&c->sched);
   if (params->shuffle)
      sgt_sched_shuffle(&c->sched, params->shuffle_seed);
   snprintf(error, error_size, "out of memory");
   bool ok = make_arrays(c);
   if (ok && !sgt_clocks_init(c->clocks, SGT_CHIP_CLOCKS)) {
      snprintf(error, error_size, "the clocks of the chip have no common multiple below 2^32 MHz");
      ok = false;
   }
   const struct sgt_core_params core = sgt_chip_core_params(params);
   ok = ok && (c->has_code = sgt_core_code_init(&c->code, &core, work, error, error_size));
   ok = ok && (c->has_front = sgt_chip_front_init(&c->front, &c->sched, &c->clocks[SGT_CHIP_CORE],
                                                  &params->front, trace, work, error, error_size));
   ok = ok && make_memory(c) && make_rop_clients(c) && make_rops(c) && make_sms(c) &&
        connect_assembler(c);
   if (!ok) {
      sgt_chip_destroy(c);
      return NULL;
   }
   connect_observer(c);
   error[0] = 0;
   return c;
}

void
sgt_chip_destroy(struct sgt_chip *c)
{
   if (!c)
      return;
   sgt_chip_free_recorder(c);
   for (uint32_t i = 0; c->sms && i < c->num_sms; i++)
      sgt_core_finish(&c->sms[i]);
   for (uint32_t i = 0; c->tex_requests && c->tex_responses && i < c->num_sms; i++) {
      sgt_channel_finish(&c->tex_requests[i]);
      sgt_channel_finish(&c->tex_responses[i]);
   }
   for (uint32_t i = 0; i < c->made_texs; i++)
      sgt_tex_finish(&c->texs[i]);
   for (uint32_t i = 0; i < c->made_outputs; i++)
      sgt_output_finish(&c->outputs[i]);
   for (uint32_t i = 0; i < c->made_switches; i++)
      sgt_rop_switch_finish(&c->switches[i]);
   for (uint32_t i = 0; i < c->made_rops; i++)
      sgt_rop_finish(&c->rops[i]);
   if (c->has_early)
      sgt_early_finish(&c->early);
   if (c->has_transfer)
      sgt_transfer_finish(&c->transfer);
   if (c->has_memory)
      sgt_memory_finish(&c->memory);
   if (c->has_front)
      sgt_chip_front_finish(&c->front);
   if (c->has_code)
      sgt_core_code_finish(&c->code);
   sgt_sched_finish(&c->sched);
   free(c->sms);
   free(c->tex_requests);
   free(c->tex_responses);
   free(c->texs);
   free(c->outputs);
   free(c->rops);
   free(c->switches);
   free(c->names);
   free(c);
}

/* Returns the name of a unit that is not idle, or NULL if all units are idle. */
static const char *
busy_unit(const struct sgt_chip *c)
{
   for (uint32_t i = 0; i < c->num_sms; i++) {
      if (!sgt_core_idle(&c->sms[i]))
         return c->params.core == SGT_CORE_SM ? "a SM" : "an execution unit";
      if (!sgt_channel_empty(&c->tex_requests[i]) || !sgt_channel_empty(&c->tex_responses[i]))
         return "a channel of textures";
   }
   for (uint32_t i = 0; i < c->num_tpcs; i++) {
      if (!sgt_tex_idle(&c->texs[i]))
         return "a texture unit";
      if (!sgt_output_idle(&c->outputs[i]))
         return "a pixel output";
   }
   if (!sgt_early_idle(&c->early))
      return "early tests";
   if (!sgt_transfer_idle(&c->transfer))
      return "the transfer unit";
   for (uint32_t i = 0; i < c->num_rops; i++) {
      if (!sgt_rop_switch_idle(&c->switches[i]))
         return "the network to a ROP";
      if (!sgt_rop_idle(&c->rops[i]))
         return "a ROP";
   }
   return sgt_memory_idle(&c->memory) ? NULL : "memory";
}

/* Appends a dump of the pending requests of all units to the error message. */
static void
dump_units(const struct sgt_chip *c, char *error, size_t error_size)
{
   struct sgt_dump d;

   sgt_dump_init(&d, error, error_size, c->sched.now);
   sgt_chip_front_dump(&c->front, &d);
   sgt_early_dump(&c->early, &d);
   for (uint32_t i = 0; i < c->num_sms; i++)
      sgt_core_dump(&c->sms[i], &d);
   for (uint32_t i = 0; i < c->num_tpcs; i++)
      sgt_tex_dump(&c->texs[i], i, &d);
   for (uint32_t i = 0; i < c->num_tpcs; i++)
      sgt_output_dump(&c->outputs[i], i, &d);
   sgt_transfer_dump(&c->transfer, &d);
   for (uint32_t i = 0; i < c->num_rops; i++) {
      sgt_rop_switch_dump(&c->switches[i], &d);
      sgt_rop_dump(&c->rops[i], i, &d);
   }
   sgt_memory_dump(&c->memory, &d);
}

static bool
check_end(const struct sgt_chip *c, char *error, size_t error_size)
{
   for (uint32_t i = 0; i < c->num_sms; i++) {
      if (sgt_core_error(&c->sms[i])) {
         snprintf(error, error_size, "SM %" PRIu32 ": %s", i, sgt_core_error(&c->sms[i]));
         return false;
      }
   }
   for (uint32_t i = 0; i < c->num_rops; i++) {
      if (sgt_rop_out_of_memory(&c->rops[i])) {
         snprintf(error, error_size, "out of memory");
         return false;
      }
   }
   if (!sgt_chip_front_check_end(&c->front, error, error_size)) {
      dump_units(c, error, error_size);
      return false;
   }
   const char *busy = busy_unit(c);
   if (!busy)
      return sgt_memory_conserves(&c->memory, error, error_size);
   snprintf(error, error_size, "the chip stopped while %s had work under way", busy);
   dump_units(c, error, error_size);
   return false;
}

bool
sgt_chip_run(struct sgt_chip *c, char *error, size_t error_size)
{
   const uint64_t limit = c->params.max_cycles
                             ? c->params.max_cycles * c->clocks[SGT_CHIP_CORE].period
                             : SGT_NEVER - 1;
   bool steps = true;
   /* Stop once all operations have ended. The scheduler never runs out of calls, because the DRAM
    * refreshes never stop.
    */
   while (steps && !sgt_ia_done(&c->front.ia))
      steps = sgt_chip_step(c, limit);
   while (steps && busy_unit(c))
      steps = sgt_chip_step(c, limit);
   c->end = (c->sched.now / c->clocks[SGT_CHIP_CORE].period + 1) * c->clocks[SGT_CHIP_CORE].period;
   if (!steps && sgt_sched_pending(&c->sched)) {
      snprintf(error, error_size, "the run takes more than %" PRIu64 " cycles",
               c->params.max_cycles);
      return false;
   }
   if (!sgt_chip_end_recorder(c)) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   return check_end(c, error, error_size);
}

uint64_t
sgt_chip_cycles(const struct sgt_chip *c)
{
   return c->end / c->clocks[SGT_CHIP_CORE].period;
}

uint64_t
sgt_chip_sm_cycles(const struct sgt_chip *c)
{
   return c->end / c->clocks[SGT_CHIP_SM].period;
}

uint64_t
sgt_chip_ns(const struct sgt_chip *c)
{
   return sgt_chip_cycles(c) * 1000 / c->params.core_mhz;
}

void
sgt_chip_register(struct sgt_chip *c, struct sgt_stats *stats)
{
   const uint64_t cycles = sgt_chip_cycles(c);
   sgt_chip_front_register(&c->front, cycles, stats);
   sgt_early_register(&c->early, cycles, stats);
   sgt_transfer_register(&c->transfer, cycles, stats);
   sgt_memory_account(&c->memory, c->end);
   sgt_memory_register(&c->memory, stats);
   for (uint32_t i = 0; i < c->num_sms; i++) {
      snprintf(c->names[i].sm, sizeof(c->names[i].sm), "%s%" PRIu32,
               sgt_core_kind_name(c->params.core), i);
      sgt_core_register(&c->sms[i], c->end, c->names[i].sm, stats);
   }
   for (uint32_t i = 0; i < c->num_tpcs; i++) {
      snprintf(c->names[i].tex, sizeof(c->names[i].tex), "tex%" PRIu32, i);
      sgt_tex_end(&c->texs[i], c->end);
      sgt_tex_register(&c->texs[i], stats, c->names[i].tex);
      sgt_output_register(&c->outputs[i], cycles, stats);
   }
   for (uint32_t i = 0; i < c->num_rops; i++) {
      snprintf(c->names[i].rop, sizeof(c->names[i].rop), "rop%" PRIu32, i);
      snprintf(c->names[i].depth, sizeof(c->names[i].depth), "rop%" PRIu32 "-depth", i);
      snprintf(c->names[i].color, sizeof(c->names[i].color), "rop%" PRIu32 "-color", i);
      sgt_rop_end(&c->rops[i], c->end);
      sgt_rop_register(&c->rops[i], stats, c->names[i].rop, c->names[i].depth, c->names[i].color);
      sgt_rop_switch_register(&c->switches[i], cycles, stats);
   }
}
