/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: launch and end of warps, barriers, and the scoreboard.
 */
#include "chip_sm/sgt_sm_state.h"
#include "kernel/sgt_stats.h"

#include "util/bitscan.h"
#include "util/u_math.h"

/* Advances the warp to its next run of instructions that contains operations. Returns false if
 * there is no such run.
 */
static bool
next_run(struct sgt_sm *sm, struct sgt_sm_slot *w)
{
   const struct sgt_run all = { 0, w->program->program->num_instrs, w->info->lanes };
   const uint32_t num = MAX2(w->info->num_runs, 1);
   while (w->run < num) {
      const struct sgt_run *run = w->info->num_runs ? &sm->work->runs[w->info->first_run + w->run]
                                                    : &all;
      w->run++;
      const struct sgt_sm_range range = sgt_sm_code_run(w->program, run);
      if (range.begin == range.end)
         continue;
      w->pos = range.begin;
      w->end = range.end;
      if (w->lanes != run->lanes || !w->num_lanes) {
         w->lanes = run->lanes;
         w->num_lanes = sgt_bitcount(run->lanes);
      }
      return true;
   }
   w->pos = w->end = 0;
   return false;
}

/* Returns the index of the warp's workgroup. Adds the workgroup if this is its first warp. */
static uint32_t
find_group(struct sgt_sm *sm, const struct sgt_warp *info)
{
   uint32_t free = SGT_SM_NO_GROUP, num = 1;
   for (uint32_t i = 0; i < ARRAY_SIZE(sm->groups); i++) {
      const struct sgt_sm_group *g = &sm->groups[i];
      if (!g->used)
         free = MIN2(free, i);
      else if (g->operation == info->operation && g->number == info->group)
         return i;
      else
         num++;
   }
   if (num > sm->params.groups) {
      sgt_sm_fail(sm, "more than %u workgroups are launched", sm->params.groups);
      return SGT_SM_NO_GROUP;
   }
   const uint32_t warps = sm->work->operations[info->operation].group_warps;
   sm->groups[free] = (struct sgt_sm_group){
      .used = true,
      .operation = info->operation,
      .number = info->group,
      .expected = MAX2(warps, 1),
   };
   sm->stats.groups_max = MAX2(sm->stats.groups_max, num);
   return free;
}

/* Releases the barrier of a workgroup if each of its warps has arrived or ended. */
static void
check_group(struct sgt_sm *sm, struct sgt_sm_group *g)
{
   if (!g->arrived || g->arrived + g->ended < g->expected)
      return;
   sgt_foreach_bit(i, g->waiting) {
      struct sgt_sm_slot *w = &sm->slots[i];
      w->at_barrier = false;
      w->hold_wait = SGT_SM_WAIT_BARRIER;
      w->hold_until = sm->cycle + sm->params.barrier;
      sgt_sm_wake(sm, i, w->hold_until);
   }
   g->waiting = g->arrived = 0;
   sm->stats.barrier_releases++;
}

static void
end_warp(struct sgt_sm *sm, uint32_t slot)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   w->ended = true;
   sgt_sm_cancel_fetch(sm, slot);
   if (w->group != SGT_SM_NO_GROUP) {
      sm->groups[w->group].ended++;
      check_group(sm, &sm->groups[w->group]);
   }
}

void
sgt_sm_arrive(struct sgt_sm *sm, uint32_t slot)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   sm->stats.barriers++;
   if (w->group == SGT_SM_NO_GROUP) {
      w->hold_wait = SGT_SM_WAIT_BARRIER;
      w->hold_until = sm->cycle + sm->params.barrier;
      return;
   }
   struct sgt_sm_group *g = &sm->groups[w->group];
   w->at_barrier = true;
   g->waiting |= 1u << slot;
   g->arrived++;
   check_group(sm, g);
}

void
sgt_sm_take_launches(struct sgt_sm *sm)
{
   const struct sgt_sm_launch *launch = sgt_channel_peek(sm->ports.launch, sm->time);
   if (!launch)
      return;
   if (sm->resident == sm->params.warps) {
      sgt_sm_fail(sm, "more than %u warps are launched", sm->params.warps);
      return;
   }
   const uint32_t slot = ffs(~sm->used) - 1;
   struct sgt_sm_slot *w = &sm->slots[slot];
   const uint32_t warp = launch->warp;
   sgt_channel_take(sm->ports.launch, sm->time);
   sm->again = true; /* At most one warp is launched per cycle, and another one may be waiting. */

   const struct sgt_warp *info = &sm->work->warps[warp];
   const struct sgt_sm_program *program = &sm->code->programs[info->program];
   uint64_t *regs = w->regs;
   /* The availability of the registers doesn't need to be reset, because all results of the
    * previous warp in this slot have arrived.
    */
   *w = (struct sgt_sm_slot){
      .program = program,
      .info = info,
      .warp = warp,
      .warp_class = program->warp_class,
      .wait = SGT_SM_WAIT_LAUNCH,
      .unit = SGT_SM_UNITS,
      .group = SGT_SM_NO_GROUP,
      .fresh = true,
      .access = info->first_access,
      .hold_wait = SGT_SM_WAIT_LAUNCH,
      .hold_until = sm->cycle + sm->params.launch,
      .fetch_from = sm->cycle + sm->params.launch,
      .since = sm->cycle,
      .launched = sm->cycle,
      .regs = regs,
      .num_prologue_lanes = sgt_bitcount(info->lanes),
   };
   sm->older[slot] = sm->used;
   for (uint32_t i = 0; i < SGT_SM_MAX_WARPS; i++)
      sm->older[i] &= ~(1u << slot);
   sm->used |= 1u << slot;
   sm->waits[SGT_SM_WAIT_LAUNCH] |= 1u << slot;
   for (uint32_t l = 0; l < SGT_SM_LEVELS; l++)
      sm->classes[l] &= ~(1u << slot);
   sm->classes[sm->params.level_class[w->warp_class]] |= 1u << slot;
   sgt_sm_count_residents(sm, sm->cycle);
   sm->resident++;
   sm->residents[w->warp_class]++;
   sm->threads += w->num_prologue_lanes;
   if (sm->threads > sm->params.threads)
      sgt_sm_fail(sm, "more than %u threads are launched", sm->params.threads);
   sm->stats.warps[w->warp_class]++;
   if (w->warp_class == SGT_SM_COMPUTE)
      w->group = find_group(sm, info);
   if (!next_run(sm, w) && !program->num_prologue)
      end_warp(sm, slot);
   w->fetch_pos = w->pos;
   sgt_sm_set_next(w);
   sm->dirty |= 1u << slot;
}

/* Returns the state of a warp in this cycle. If the state ends in a known cycle, schedules an
 * evaluation for that cycle.
 */
static enum sgt_sm_wait
find_wait(struct sgt_sm *sm, uint32_t slot, struct sgt_sm_slot *w)
{
   const uint64_t cycle = sm->cycle;
   if (w->hold_until > cycle) {
      sgt_sm_wake(sm, slot, w->hold_until);
      return w->hold_wait;
   }
   if (w->ended) {
      if (w->open_textures + w->open_accesses == 0) {
         if (w->last_write <= cycle)
            sm->finished |= 1u << slot;
         else
            sgt_sm_wake(sm, slot, w->last_write);
      }
      return SGT_SM_WAIT_DRAIN;
   }
   if (w->at_barrier)
      return SGT_SM_WAIT_BARRIER;
   if (!w->buffered && !w->prologue)
      return w->missed ? SGT_SM_WAIT_ICACHE : SGT_SM_WAIT_FETCH;

   const struct sgt_sm_op *op = w->op;
   uint64_t latest = 0;
   enum sgt_sm_wait wait = SGT_SM_READY;
   if (w->fence || op->flags & SGT_SM_OP_ALL) {
      if (w->open_textures)
         return SGT_SM_WAIT_TEXTURE;
      if (w->open_accesses)
         return SGT_SM_WAIT_MEMORY;
      latest = w->last_write;
      wait = w->last_producer;
   } else {
      /* If several operands arrive in the same cycle, the first one determines the state. */
      uint64_t reg = (1u << SGT_SM_REG_SHIFT) - 1;
      for (uint32_t i = 0; i < op->num_src; i++)
         if (w->regs[op->src[i]] > (reg | ((1u << SGT_SM_REG_SHIFT) - 1)))
            reg = w->regs[op->src[i]];
      for (const uint64_t *r = w->regs + op->dst, *end = r + op->dsts; r < end; r++)
         if (*r > (reg | ((1u << SGT_SM_REG_SHIFT) - 1)))
            reg = *r;
      latest = reg >> SGT_SM_REG_SHIFT;
      wait = reg & ((1u << SGT_SM_REG_SHIFT) - 1);
   }
   if (latest > cycle) {
      if (latest != SGT_SM_REG_NEVER)
         sgt_sm_wake(sm, slot, latest);
      return wait;
   }
   if ((op->num_consts || op->unit == SGT_SM_UNIT_CONST) && !sgt_sm_constants(sm, slot, op))
      return SGT_SM_WAIT_CONST;
   return SGT_SM_READY;
}

void
sgt_sm_evaluate(struct sgt_sm *sm, uint32_t slot)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   const uint32_t bit = 1u << slot;
   if (!(sm->used & bit))
      return;
   if (w->fetching && w->fetch_at > sm->cycle) {
      sgt_sm_wake(sm, slot, w->fetch_at);
   } else if (w->fetching) {
      w->fetching = false;
      w->buffered += w->fetch_num;
      w->fetch_pos += w->fetch_num;
   }
   sm->want_fetch &= ~bit;
   sm->empty &= ~bit;
   if (w->buffered + sm->params.fetch_width <= sm->params.buffer && !w->fetching && !w->missed &&
       !w->ended && w->fetch_pos < w->program->num_ops) {
      if (w->fetch_from <= sm->cycle)
         sm->want_fetch |= bit;
      else
         sgt_sm_wake(sm, slot, w->fetch_from);
      if (!w->buffered)
         sm->empty |= bit;
   }

   if (w->unit != SGT_SM_UNITS) {
      sm->ready[w->unit] &= ~bit;
      if (!sm->ready[w->unit])
         sm->ready_units &= ~(1u << w->unit);
      w->unit = SGT_SM_UNITS;
   }
   sm->urgent &= ~bit;
   const enum sgt_sm_wait wait = find_wait(sm, slot, w);
   if (wait != w->wait) {
      sm->stats.waits[w->warp_class][w->wait] += sm->cycle - w->since;
      w->since = sm->cycle;
      sm->waits[w->wait] &= ~bit;
      sm->waits[wait] |= bit;
      w->wait = wait;
   }
   if (wait != SGT_SM_READY)
      return;
   w->unit = w->op->unit;
   sm->ready[w->unit] |= bit;
   sm->ready_units |= 1u << w->unit;
   if (w->fresh) {
      w->fresh = false;
      w->ready_since = sm->cycle;
   }
   if (!sm->params.patience)
      return;
   const uint64_t urgent = w->ready_since + sm->params.patience;
   if (urgent <= sm->cycle)
      sm->urgent |= bit;
   else
      sm->next_urgent = MIN2(sm->next_urgent, urgent);
}

void
sgt_sm_advance(struct sgt_sm *sm, uint32_t slot)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   w->fresh = true;
   w->fence = w->op->flags & SGT_SM_OP_FENCE;
   w->const_there = false;
   w->const_next = 0;
   if (w->prologue) {
      w->next_prologue++;
      sgt_sm_set_next(w);
      if (!w->prologue && w->pos == w->end)
         end_warp(sm, slot);
      return;
   }
   w->pos++;
   w->op++;
   w->buffered--;
   if (w->pos < w->end)
      return;
   const uint32_t from = w->pos;
   if (!next_run(sm, w)) {
      end_warp(sm, slot);
      return;
   }
   if (w->pos == from)
      return;
   sgt_sm_set_next(w);
   sgt_sm_cancel_fetch(sm, slot);
   sm->stats.jumps++;
   sm->stats.flushed += w->buffered;
   w->buffered = 0;
   w->fetch_pos = w->pos;
   w->fetch_from = sm->cycle + sm->params.jump;
}

void
sgt_sm_send_done(struct sgt_sm *sm)
{
   if (!sm->finished || !sgt_channel_can_send(sm->ports.done, sm->time))
      return;
   const uint32_t slot = ffs(sm->finished) - 1;
   struct sgt_sm_slot *w = &sm->slots[slot];
   const struct sgt_sm_done done = { .warp = w->warp, .sm = sm->number };
   sgt_channel_send(sm->ports.done, sm->time, &done);
   sm->again = true;
   sm->finished &= ~(1u << slot);
   sm->used &= ~(1u << slot);
   sm->waits[w->wait] &= ~(1u << slot);
   sgt_sm_count_residents(sm, sm->cycle + 1);
   sm->resident--;
   sm->residents[w->warp_class]--;
   sm->threads -= w->num_prologue_lanes;
   sm->stats.waits[w->warp_class][w->wait] += sm->cycle + 1 - w->since;
   sm->stats.done[w->warp_class]++;
   sm->stats.warp_cycles[sgt_log2_slot(sm->cycle + 1 - w->launched)]++;
   if (w->group != SGT_SM_NO_GROUP) {
      struct sgt_sm_group *g = &sm->groups[w->group];
      if (++g->done == g->expected)
         g->used = false;
   }
}
