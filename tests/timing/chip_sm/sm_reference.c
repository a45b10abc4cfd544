/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor, reference implementation: warps and the order of a cycle.
 */
#include "sm_reference_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

/* -- warps -------------------------------------------------------------------------------- */

static void
add_step(struct ref_warp *w, const struct sgt_sm_op *op, uint32_t number, uint32_t lanes,
         bool prologue)
{
   w->steps = realloc(w->steps, (w->num_steps + 1) * sizeof(*w->steps));
   if (!w->steps)
      abort();
   if (w->num_steps && !prologue && !w->steps[w->num_steps - 1].prologue)
      w->steps[w->num_steps - 1].jump = w->steps[w->num_steps - 1].number + 1 != number;
   w->steps[w->num_steps++] = (struct ref_step){ op, number, lanes, prologue, false };
}

bool
sm_reference_ended(const struct ref_warp *w)
{
   return w->step == w->num_steps;
}

void
sm_reference_barrier(struct sm_reference *r, const struct ref_warp *of)
{
   uint32_t waiting = 0, ended = 0;
   if (of->warp_class != SGT_SM_COMPUTE)
      return;
   for (uint32_t i = 0; i < r->work->num_warps; i++) {
      const struct sgt_warp *info = &r->work->warps[i];
      if (info->operation != of->info->operation || info->group != of->info->group)
         continue;
      waiting += r->states[i] == WAITS;
      ended += r->states[i] == ENDED || r->states[i] == GONE;
   }
   const uint32_t warps = r->work->operations[of->info->operation].group_warps;
   if (!waiting || waiting + ended < MAX2(warps, 1))
      return;
   r->stats.barrier_releases++;
   for (uint32_t i = 0; i < r->p.warps; i++) {
      struct ref_warp *w = &r->warps[i];
      if (!w->used || !w->at_barrier || w->info->operation != of->info->operation ||
          w->info->group != of->info->group)
         continue;
      w->at_barrier = false;
      w->resume = r->cycle + r->p.barrier;
      r->states[w->number] = RUNS;
   }
}

/* Updates the list of workgroups for a warp that was launched or, with `gone`, has ended. */
static void
count_groups(struct sm_reference *r, const struct ref_warp *of, bool gone)
{
   uint32_t i = 0;
   if (of->warp_class != SGT_SM_COMPUTE)
      return;
   while (i < r->num_groups &&
          (r->groups[i].operation != of->info->operation || r->groups[i].number != of->info->group))
      i++;
   if (i == r->num_groups)
      r->groups[r->num_groups++] = (struct ref_group){ of->info->operation, of->info->group, 0 };
   r->stats.groups_max = MAX2(r->stats.groups_max, r->num_groups);
   const uint32_t warps = r->work->operations[of->info->operation].group_warps;
   r->groups[i].gone += gone;
   if (r->groups[i].gone == MAX2(warps, 1))
      r->groups[i] = r->groups[--r->num_groups];
}

static void
launch(struct sm_reference *r)
{
   const struct sgt_sm_launch *message = sgt_channel_peek(r->ports.launch, r->now);
   if (!message)
      return;
   uint32_t slot = 0;
   while (r->warps[slot].used)
      slot++;
   assert(slot < r->p.warps);
   struct ref_warp *w = &r->warps[slot];
   struct ref_value *values = w->values;
   memset(w, 0, sizeof(*w));
   w->values = values;
   memset(values, 0, SGT_REG_COUNT * sizeof(*values));
   w->used = true;
   w->number = message->warp;
   w->age = r->launches++;
   w->info = &r->work->warps[w->number];
   w->program = &r->code->programs[w->info->program];
   w->warp_class = w->program->warp_class;
   w->access = w->info->first_access;
   w->launched = r->cycle;
   w->start = w->fetch_from = r->cycle + r->p.launch;
   sgt_channel_take(r->ports.launch, r->now);
   r->states[w->number] = RUNS;

   for (uint32_t i = 0; i < w->program->num_prologue; i++)
      add_step(w, &w->program->prologue[i], i, w->info->lanes, true);
   const struct sgt_run all = { 0, w->program->program->num_instrs, w->info->lanes };
   for (uint32_t i = 0; i < MAX2(w->info->num_runs, 1); i++) {
      const struct sgt_run *run = w->info->num_runs ? &r->work->runs[w->info->first_run + i] : &all;
      for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
         const struct sgt_instr *instr = &w->program->program->instrs[pc];
         for (uint32_t o = instr->first_uop; o < instr->first_uop + instr->num_uops; o++)
            add_step(w, &w->program->ops[o], o, run->lanes, false);
      }
   }
   for (uint32_t i = w->num_steps; i-- > 0 && !w->steps[i].prologue;)
      w->place = w->steps[i].number;
   r->stats.warps[w->warp_class]++;
   count_groups(r, w, false);
   if (sm_reference_ended(w)) {
      r->states[w->number] = ENDED;
      sm_reference_barrier(r, w);
   }
}

/* Looks up the constants of the operation until a line misses. Returns whether all are in the
 * cache.
 */
static bool
constants(struct sm_reference *r, uint32_t slot, const struct sgt_sm_op *op)
{
   struct ref_warp *w = &r->warps[slot];
   uint64_t lines[64 + 3 + 256];
   uint32_t num = 0;
   if (w->const_miss)
      return false;
   for (uint32_t i = 0; i < op->num_consts; i++)
      lines[num++] = sgt_sm_const_address(r->code, w->info, op->consts[i]);
   if (op->unit == SGT_SM_UNIT_CONST) {
      const struct sgt_access *a = &r->work->accesses[w->access];
      const uint32_t first = num;
      for (uint32_t i = 0; i < a->num_lines; i++) {
         const uint64_t address = sgt_line_address(r->work->lines[a->first_line + i]);
         bool seen = false;
         for (uint32_t j = first; j < num; j++)
            seen |= lines[j] == address;
         assert(num < ARRAY_SIZE(lines));
         if (!seen)
            lines[num++] = address;
      }
   }
   while (w->constants < num) {
      if (sm_reference_cached(r, false, lines[w->constants])) {
         r->stats.constants[SGT_SM_HIT]++;
         w->constants++;
         continue;
      }
      r->stats.constants[sm_reference_miss(r, r->clines, lines[w->constants], slot)]++;
      w->const_miss = true;
      return false;
   }
   return true;
}

/* Returns the state of the warp in this cycle. */
static enum sgt_sm_wait
look(struct sm_reference *r, uint32_t slot)
{
   struct ref_warp *w = &r->warps[slot];
   const uint64_t cycle = r->cycle;
   if (cycle < w->start)
      return SGT_SM_WAIT_LAUNCH;
   if (cycle < w->resume)
      return SGT_SM_WAIT_BARRIER;
   if (sm_reference_ended(w))
      return SGT_SM_WAIT_DRAIN;
   if (w->at_barrier)
      return SGT_SM_WAIT_BARRIER;
   const struct ref_step *step = &w->steps[w->step];
   if (!step->prologue && !w->buffered)
      return w->fetch == MISSED ? SGT_SM_WAIT_ICACHE : SGT_SM_WAIT_FETCH;
   const struct sgt_sm_op *op = step->op;
   struct ref_value latest = { 0, SGT_SM_READY };
   if (w->all || op->flags & SGT_SM_OP_ALL) {
      if (w->textures)
         return SGT_SM_WAIT_TEXTURE;
      if (w->accesses)
         return SGT_SM_WAIT_MEMORY;
      latest = w->latest;
   } else {
      for (uint32_t i = 0; i < op->num_src; i++)
         if (w->values[op->src[i]].from > latest.from)
            latest = w->values[op->src[i]];
      for (uint32_t i = 0; i < op->dsts; i++)
         if (w->values[op->dst + i].from > latest.from)
            latest = w->values[op->dst + i];
   }
   if (latest.from > cycle)
      return latest.producer;
   return constants(r, slot, op) ? SGT_SM_READY : SGT_SM_WAIT_CONST;
}

static void
send_done(struct sm_reference *r)
{
   uint32_t i = 0;
   while (i < r->p.warps && !(r->warps[i].used && r->warps[i].finished))
      i++;
   if (i == r->p.warps || !sgt_channel_can_send(r->ports.done, r->now))
      return;
   struct ref_warp *w = &r->warps[i];
   const struct sgt_sm_done done = { w->number, r->number };
   sgt_channel_send(r->ports.done, r->now, &done);
   r->states[w->number] = GONE;
   count_groups(r, w, true);
   w->used = false;
   r->stats.done[w->warp_class]++;
   r->stats.warp_cycles[sgt_log2_slot(r->cycle + 1 - w->launched)]++;
   free(w->steps);
   w->steps = NULL;
}

/* -- the unit ----------------------------------------------------------------------------- */

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct sm_reference *r = container_of(unit, struct sm_reference, unit);
   r->now = now;
   r->cycle = now / unit->clock->period;
   sm_reference_respond(r);
   launch(r);
   uint32_t warps = 0;
   for (uint32_t i = 0; i < r->p.warps; i++) {
      struct ref_warp *w = &r->warps[i];
      if (!w->used)
         continue;
      warps++;
      if (w->fetch == FETCHING && w->arrival <= r->cycle) {
         w->buffered += w->coming;
         w->place += w->coming;
         w->fetch = NO_FETCH;
      }
      w->wants = !sm_reference_ended(w) && w->fetch == NO_FETCH && r->cycle >= w->fetch_from &&
                 w->place < w->program->num_ops && w->buffered + r->p.fetch_width <= r->p.buffer;
      w->empty = !w->buffered;
      w->wait = look(r, i);
      if (w->wait == SGT_SM_READY && !w->was_ready) {
         w->was_ready = true;
         w->ready_since = r->cycle;
      }
      w->finished = w->wait == SGT_SM_WAIT_DRAIN && !w->textures && !w->accesses &&
                    w->latest.from <= r->cycle;
      r->stats.waits[w->warp_class][w->wait]++;
      r->stats.residence[w->warp_class]++;
   }
   r->stats.occupancy[warps]++;
   r->stats.states[sm_reference_issue(r)]++;
   uint64_t textures = 0, accesses = 0;
   for (uint32_t i = 0; i < SGT_SM_MAX_ACCESSES; i++) {
      textures += r->textures[i].used;
      accesses += r->accesses[i].used;
   }
   r->stats.texture_max = MAX2(r->stats.texture_max, textures);
   r->stats.memory_max = MAX2(r->stats.memory_max, accesses);
   sm_reference_fetch(r);
   sm_reference_send(r);
   send_done(r);
   r->stats.cycles = r->cycle + 1;
   return now + unit->clock->period;
}

struct sm_reference *
sm_reference_create(struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_sm_code *code, uint16_t number)
{
   struct sm_reference *r = calloc(1, sizeof(*r));
   if (!r)
      return NULL;
   r->unit = (struct sgt_unit){ .name = "sm-reference", .clock = clock, .tick = tick };
   r->code = code;
   r->work = code->work;
   r->p = code->params;
   r->number = number;
   r->last_issue = r->last_fetch = 31;
   r->icache = calloc(r->p.icache_bytes / 64, sizeof(*r->icache));
   r->constants = calloc(r->p.const_bytes / 64, sizeof(*r->constants));
   r->states = calloc(MAX2(r->work->num_warps, 1), sizeof(*r->states));
   bool ok = r->icache && r->constants && r->states;
   for (uint32_t i = 0; i < r->p.warps; i++) {
      r->warps[i].values = calloc(SGT_REG_COUNT, sizeof(struct ref_value));
      ok &= r->warps[i].values != NULL;
   }
   if (!ok || !sgt_sched_add(sched, &r->unit, 0)) {
      sm_reference_destroy(r);
      return NULL;
   }
   return r;
}

void
sm_reference_destroy(struct sm_reference *r)
{
   if (!r)
      return;
   for (uint32_t i = 0; i < SGT_SM_MAX_WARPS; i++) {
      free(r->warps[i].values);
      free(r->warps[i].steps);
   }
   free(r->icache);
   free(r->constants);
   free(r->states);
   free(r);
}

struct sgt_unit *
sm_reference_unit(struct sm_reference *r)
{
   return &r->unit;
}

void
sm_reference_connect(struct sm_reference *r, const struct sgt_sm_ports *ports)
{
   r->ports = *ports;
}

void
sm_reference_observe(struct sm_reference *r, const struct sgt_sm_observer *observer)
{
   r->observer = *observer;
}

const struct sgt_sm_stats *
sm_reference_results(const struct sm_reference *r)
{
   return &r->stats;
}
