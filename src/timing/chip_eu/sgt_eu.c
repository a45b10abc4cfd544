/* SPDX-License-Identifier: MIT */
/*
 * The execution unit of US 8,564,604: launch and end of threads, and the steps of a cycle.
 */
#include "chip_eu/sgt_eu.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "chip_eu/sgt_eu_core.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm_ports.h"

/* Returns a bitmask of the active lanes in part `part` of a warp. A part is `width` lanes wide. */
static uint32_t
part_lanes(uint32_t lanes, uint32_t part, uint32_t width)
{
   return lanes & ~0u >> (32 - width) << (part * width);
}

/* Returns the number of threads that a warp is divided into, i.e. the number of its parts that have
 * active lanes.
 */
static uint32_t
count_parts(const struct sgt_eu *eu, uint32_t lanes)
{
   uint32_t parts = 0;
   for (uint32_t part = 0; part < 32 / eu->params.width; part++)
      parts += part_lanes(lanes, part, eu->params.width) != 0;
   return parts;
}

/* Returns the number of threads of a workgroup. The warps of a workgroup are adjacent in
 * work->warps.
 */
static uint32_t
group_threads(const struct sgt_eu *eu, uint32_t index)
{
   const struct sgt_work *work = eu->core->work;
   const struct sgt_warp *warp = &work->warps[index];
   const struct sgt_operation_work *op = &work->operations[warp->operation];
   uint32_t first = index, end = index + 1, threads = 0;
   while (first > op->first_warp && work->warps[first - 1].group == warp->group &&
          work->warps[first - 1].program == warp->program)
      first--;
   while (end < op->first_warp + op->num_warps && work->warps[end].group == warp->group &&
          work->warps[end].program == warp->program)
      end++;
   for (uint32_t i = first; i < end; i++)
      threads += count_parts(eu, work->warps[i].lanes);
   return threads;
}

/* Returns the barrier group of a warp, and creates the group if needed. In compute programs, the
 * group is the workgroup. In other stages, the group is a single warp, because barriers only
 * synchronize patches within a warp.
 */
static uint32_t
enter_group(struct sgt_eu *eu, uint32_t index)
{
   struct sgt_eu_core *core = eu->core;
   const struct sgt_warp *warp = &core->work->warps[index];
   const bool compute = core->work->programs[warp->program]->stage == SGPU_STAGE_COMPUTE;
   const uint32_t operation = compute ? warp->operation : UINT32_MAX;
   const uint32_t number = compute ? warp->group : index;
   u_foreach_bit64(i, core->used_groups)
      if (core->groups[i].operation == operation && core->groups[i].number == number)
         return i;
   const uint32_t i = ffsll(~core->used_groups) - 1;
   core->used_groups |= 1ull << i;
   core->groups[i] = (struct group){
      .operation = operation,
      .number = number,
      .total = compute ? group_threads(eu, index) : count_parts(eu, warp->lanes),
   };
   return i;
}

/* Returns a free thread slot in the even or the odd group, whichever has more free slots. */
static uint32_t
free_slot(const struct sgt_eu_core *core)
{
   const uint64_t even = core->all & core->even & ~core->live;
   const uint64_t odd = core->all & ~core->even & ~core->live;
   return ffsll(util_bitcount64(odd) > util_bitcount64(even) ? odd : even) - 1;
}

static void
begin_thread(struct sgt_eu *eu, uint64_t cycle, uint32_t warp_slot, uint32_t lanes)
{
   struct sgt_eu_core *core = eu->core;
   const uint32_t i = free_slot(core);
   struct thread *t = &core->threads[i];
   struct warp *w = &core->warps[warp_slot];
   const struct sgt_warp *warp = &core->work->warps[w->index];

   *t = (struct thread){
      .number = core->launched++,
      .latest_fetch = cycle,
      .code = &core->codes[warp->program],
      .warp = warp_slot,
      .lanes = lanes,
      .key = w->key,
      .next_run = warp->first_run,
      .last_run = warp->first_run + warp->num_runs,
      .alu = UINT32_MAX,
   };
   core->live |= 1ull << i;
   core->over &= ~(1ull << i);
   if (warp->num_runs)
      sgt_eu_next_run(core, i);
   else if (t->code->num)
      t->run = (struct sgt_run){ .count = t->code->num, .lanes = warp->lanes };
   else
      core->over |= 1ull << i;
   t->head = t->fetched = t->run.pc;
   update_room(eu, i);
   w->live++;
   eu->stats.threads++;
   log_event(eu, cycle, SGT_EU_EVENT_LAUNCH, i, t->head);
}

static void
eu_launch(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   const struct sgt_sm_launch *message = sgt_channel_peek(eu->ports.launch, now);

   if (!message)
      return;
   const struct sgt_warp *warp = &core->work->warps[message->warp];
   const struct sgt_eu_code *code = &core->codes[warp->program];
   const uint32_t parts = count_parts(eu, warp->lanes);
   if (util_bitcount64(core->all & ~core->live) < parts || core->used_warps == core->all) {
      core->now.launch = SGT_EU_LAUNCH_SLOTS;
      return;
   }
   const uint32_t entries = parts * code->inputs;
   if (eu->params.attr_entries && core->attr_resident + entries > eu->params.attr_entries) {
      core->now.launch = SGT_EU_LAUNCH_ATTRIBUTES;
      return;
   }
   struct sgt_eu_const_key key;
   const enum sgt_eu_const_wait wait = sgt_eu_const_enter(&core->constants, code->program->stage,
                                                          warp->operation, &key);
   if (wait != SGT_EU_CONST_READY) {
      core->now.launch = SGT_EU_LAUNCH_CONTEXT + (wait - SGT_EU_CONST_WAIT_CONTEXT);
      return;
   }
   core->now.launch = SGT_EU_LAUNCH_TAKE;
   const uint32_t slot = ffsll(~core->used_warps) - 1;
   core->used_warps |= 1ull << slot;
   core->warps[slot] = (struct warp){
      .index = message->warp,
      .group = code->barrier ? enter_group(eu, message->warp) : UINT32_MAX,
      .key = key,
   };
   core->attr_resident += entries;
   for (uint32_t part = 0; part < 32 / eu->params.width; part++) {
      const uint32_t lanes = part_lanes(warp->lanes, part, eu->params.width);
      if (lanes)
         begin_thread(eu, cycle, slot, lanes);
   }
   if (!parts)
      core->done_warps |= 1ull << slot;
   eu->stats.warps++;
   core->active = true;
   sgt_channel_take(eu->ports.launch, now);
}

static void
end_thread(struct sgt_eu *eu, uint64_t cycle, uint32_t i)
{
   struct sgt_eu_core *core = eu->core;
   const struct thread *t = &core->threads[i];
   struct warp *w = &core->warps[t->warp];
   sgt_eu_forget_fetches(eu, i);
   eu->stats.flushed += t->fetched - t->head;
   core->live &= ~(1ull << i);
   core->room &= ~(1ull << i);
   core->over &= ~(1ull << i);
   core->attr_resident -= t->code->inputs;
   core->active = true;
   log_event(eu, cycle, SGT_EU_EVENT_END, i, 0);
   if (w->group != UINT32_MAX) {
      struct group *g = &core->groups[w->group];
      g->ended++;
      sgt_eu_meet(eu, w->group);
      if (g->ended == g->total)
         core->used_groups &= ~(1ull << w->group);
   }
   if (!--w->live)
      core->done_warps |= 1ull << t->warp;
}

static void
eu_end(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   u_foreach_bit64(i, core->live & core->over & ~core->staged) {
      const struct thread *t = &core->threads[i];
      if (!t->outputs && !t->accesses && t->last_result <= cycle && !(core->barrier >> i & 1))
         end_thread(eu, cycle, i);
   }
   while (core->done_warps && sgt_channel_can_send(eu->ports.done, now)) {
      const uint32_t slot = ffsll(core->done_warps) - 1;
      const struct sgt_sm_done done = { .warp = core->warps[slot].index, .sm = eu->number };
      sgt_channel_send(eu->ports.done, now, &done);
      sgt_eu_const_leave(&core->constants, core->warps[slot].key);
      core->done_warps &= ~(1ull << slot);
      core->used_warps &= ~(1ull << slot);
      core->active = true;
   }
}

static void
take_answers(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   const struct sgt_mem_response *mem;
   const struct sgt_tex_response *tex;
   while ((mem = sgt_channel_peek(eu->ports.mem_responses, now))) {
      if (mem->tag & TAG_CODE)
         sgt_eu_code_arrives(eu, cycle, mem->address);
      else if (mem->tag & TAG_CONST)
         sgt_eu_const_arrives(eu, cycle, mem->address);
      else
         sgt_eu_access_arrives(eu, cycle, mem->tag);
      sgt_channel_take(eu->ports.mem_responses, now);
      eu->core->active = true;
   }
   while ((tex = sgt_channel_peek(eu->ports.tex_responses, now))) {
      sgt_eu_access_arrives(eu, cycle, tex->tag);
      sgt_channel_take(eu->ports.tex_responses, now);
      eu->core->active = true;
   }
}

static uint64_t
eu_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_eu *eu = container_of(unit, struct sgt_eu, unit);
   struct sgt_eu_core *core = eu->core;
   const uint64_t period = unit->clock->period, cycle = now / period;

   if (cycle > core->cycle)
      sgt_eu_account_skipped(eu, cycle - core->cycle);
   core->now = (struct cycle){ 0 };
   core->issued = core->decoded = 0;
   core->active = core->mem_used = false;

   take_answers(eu, now, cycle);
   eu_launch(eu, now, cycle);
   sgt_eu_drain_output(eu, now, cycle);
   sgt_eu_deliver(eu, cycle);
   core->now.const_stall = eu->params.const_blocking && core->const_misses;
   if (!core->now.const_stall) {
      sgt_eu_issue(eu, cycle);
      sgt_eu_request_operands(eu, now, cycle);
      sgt_eu_decode(eu, cycle);
   }
   sgt_eu_broadcast(eu, cycle);
   sgt_eu_fetch(eu, now, cycle);
   sgt_eu_account(eu, cycle);
   eu_end(eu, now, cycle);

   const uint64_t next = core->active ? cycle + 1 : sgt_eu_next_cycle(eu, cycle);
   return next == SGT_NEVER ? next : next * period;
}

bool
sgt_eu_init(struct sgt_eu *eu, struct sgt_sched *sched, const struct sgt_clock *clock,
            const struct sgt_eu_programs *programs, uint16_t number)
{
   const struct sgt_eu_params *params = &programs->params;
   struct sgt_eu_core *core = calloc(1, sizeof(*core));

   *eu = (struct sgt_eu){
      .unit = { .name = "eu", .clock = clock, .tick = eu_tick },
      .params = *params,
      .number = number,
      .core = core,
   };
   if (!core)
      return false;
   core->work = programs->work;
   core->codes = programs->codes;
   core->num_ports = params->two_arbiters ? 2 : 1;
   core->room_fetches = params->threads * params->queue;
   core->all = ~0ull >> (64 - params->threads);
   core->even = 0x5555555555555555ull;
   memset(core->free_accesses, 0xff, sizeof(core->free_accesses));
   core->latest.thread[SGT_EU_EMPTY] = params->threads;
   core->threads = calloc(params->threads, sizeof(*core->threads));
   core->ports[0].fetches = calloc(core->room_fetches, sizeof(struct fetch));
   core->ports[1].fetches = calloc(core->room_fetches, sizeof(struct fetch));
   bool ok = core->threads && core->ports[0].fetches && core->ports[1].fetches &&
             sgt_tags_init(&core->code_store, params->code_sets, params->code_ways) &&
             sgt_eu_const_init(&core->constants, &params->constants, &programs->constants);
   ok = ok && sgt_sched_add(sched, &eu->unit, 0);
   if (!ok)
      sgt_eu_finish(eu);
   return ok;
}

void
sgt_eu_finish(struct sgt_eu *eu)
{
   struct sgt_eu_core *core = eu->core;
   if (!core)
      return;
   sgt_eu_const_finish(&core->constants);
   sgt_tags_finish(&core->code_store);
   free(core->ports[0].fetches);
   free(core->ports[1].fetches);
   free(core->threads);
   free(core);
   eu->core = NULL;
}

void
sgt_eu_settle(struct sgt_eu *eu, uint64_t cycle)
{
   if (cycle > eu->core->cycle)
      sgt_eu_account_skipped(eu, cycle - eu->core->cycle);
}

bool
sgt_eu_idle(const struct sgt_eu *eu)
{
   const struct sgt_eu_core *core = eu->core;
   return !core->live && !core->used_warps && !core->num_accesses && !core->output_num &&
          !core->const_num && !core->attr_num && !core->ports[0].num && !core->ports[1].num;
}

struct sgt_eu_const_stats
sgt_eu_const_stats(const struct sgt_eu *eu)
{
   return eu->core->constants.stats;
}

void
sgt_eu_dump(const struct sgt_eu *eu, struct sgt_dump *d)
{
   const struct sgt_eu_core *core = eu->core;

   sgt_dump_unit(d, eu->unit.clock, "eu", eu->number);
   sgt_dump_state(d, "", sgt_eu_thread_state_names[core->latest.state]);
   sgt_dump_queue(d, "threads", util_bitcount64(core->live), eu->params.threads);
   for (unsigned state = SGT_EU_EMPTY + 1; core->live && state < SGT_EU_THREAD_STATES; state++)
      sgt_dump_queue(d, sgt_eu_thread_state_names[state], core->latest.thread[state], 0);
   sgt_dump_queue(d, "warps", util_bitcount64(core->used_warps), 0);
   sgt_dump_queue(d, "accesses", core->num_accesses, eu->params.accesses);
   sgt_dump_queue(d, "outputs", core->output_num, eu->params.output);
   sgt_dump_queue(d, "reads of constants", core->const_num, eu->params.const_fifo);
   sgt_dump_queue(d, "reads of attributes", core->attr_num, 0);
   for (uint32_t i = 0; i < core->num_ports; i++)
      sgt_dump_queue(d, "fetches", core->ports[i].num, core->room_fetches);
   sgt_dump_channel(d, "launches", eu->ports.launch);
   sgt_dump_channel(d, "responses of textures", eu->ports.tex_responses);
   sgt_dump_channel(d, "responses of memory", eu->ports.mem_responses);
}
