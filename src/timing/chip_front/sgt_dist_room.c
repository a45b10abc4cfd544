/* SPDX-License-Identifier: MIT */
/*
 * Work distributor: tracks the free resources of the SMs.
 */
#include "chip_front/sgt_dist.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"

#define WARP_LANES 32

enum sgt_dist_kind
sgt_dist_warp_kind(const struct sgt_dist *d, uint32_t warp)
{
   const enum sgpu_stage stage = sgt_plan_program(d->plan, warp)->stage;
   return stage == SGPU_STAGE_PIXEL     ? SGT_DIST_KIND_PIXEL
          : stage == SGPU_STAGE_COMPUTE ? SGT_DIST_KIND_GRID
                                        : SGT_DIST_KIND_VERTEX;
}

struct sgt_dist_need
sgt_dist_need(const struct sgt_dist *d, uint32_t warp)
{
   const struct sgt_program *p = sgt_plan_program(d->plan, warp);
   struct sgt_dist_need need = { .registers = p->num_scalars * WARP_LANES };
   if (d->params.inputs_shared && p->stage != SGPU_STAGE_COMPUTE) {
      /* Each input of a vertex needs a scalar per lane. Each input of a pixel needs the three plane
       * coefficients of each primitive.
       */
      const uint32_t bytes = p->stage == SGPU_STAGE_PIXEL ? 12 * d->plan->primitives[warp]
                                                          : 4 * WARP_LANES;
      need.shared = MIN2(p->num_inputs * bytes, d->params.sm_shared / 2);
   }
   return need;
}

uint32_t
sgt_dist_group_warps(const struct sgt_plan *plan, uint32_t warp)
{
   const struct sgt_work *work = plan->work;
   const struct sgt_operation_work *w = &work->operations[work->warps[warp].operation];
   const uint32_t end = w->first_warp + w->num_warps;
   uint32_t num = 1;
   while (warp + num < end && work->warps[warp + num].group == work->warps[warp].group)
      num++;
   return num;
}

static enum sgt_dist_state
dist_room(const struct sgt_dist_sm *sm, uint32_t num, uint32_t registers, uint32_t shared)
{
   if (sm->warps < num || sm->threads < num * WARP_LANES)
      return SGT_DIST_WARPS;
   if (sm->registers < registers)
      return SGT_DIST_REGISTERS;
   if (sm->shared < shared)
      return SGT_DIST_SHARED;
   return SGT_DIST_STARTED;
}

enum sgt_dist_state
sgt_dist_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind,
              bool waits, uint64_t now)
{
   const struct sgt_dist_sm *s = &d->sms[sm];
   const uint32_t limit = kind == SGT_DIST_KIND_PIXEL ? d->params.pixel_limit
                                                      : d->params.vertex_limit;
   const struct sgt_dist_need need = sgt_dist_need(d, warp);
   const enum sgt_dist_state state = dist_room(s, 1, need.registers, need.shared);
   if (state != SGT_DIST_STARTED)
      return state;
   if (s->used[kind] >= limit && (waits || d->params.balance == SGT_DIST_STATIC))
      return SGT_DIST_LIMIT;
   return sgt_channel_can_send(d->launch[sm], now) ? SGT_DIST_STARTED : SGT_DIST_BUSY;
}

enum sgt_dist_state
sgt_dist_group_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp, uint32_t num,
                    uint32_t shared)
{
   const struct sgt_dist_sm *s = &d->sms[sm];
   if (!s->groups)
      return SGT_DIST_WARPS;
   return dist_room(s, num, num * sgt_dist_need(d, warp).registers, shared);
}

static void
dist_take(struct sgt_dist *d, uint32_t sm, uint32_t num, uint32_t registers, uint32_t shared,
          enum sgt_dist_kind kind)
{
   struct sgt_dist_sm *s = &d->sms[sm];
   s->warps -= num;
   s->threads -= num * WARP_LANES;
   s->registers -= registers;
   s->shared -= shared;
   s->used[kind] += num;
   d->counters.max_warps = MAX2(d->counters.max_warps, d->params.sm_warps - s->warps);
}

void
sgt_dist_begin_group(struct sgt_dist *d, uint32_t sm, uint32_t warp, uint32_t num, uint32_t shared)
{
   const struct sgt_warp *w = &d->plan->work->warps[warp];
   struct sgt_dist_sm *s = &d->sms[sm];
   dist_take(d, sm, num, num * sgt_dist_need(d, warp).registers, shared, SGT_DIST_KIND_GRID);
   s->groups--;
   struct sgt_dist_group *g = s->group;
   while (g->left)
      g++;
   assert(g < s->group + SGT_MAX_SM_GROUPS);
   *g = (struct sgt_dist_group){ w->operation, w->group, num, shared };
   d->counters.groups++;
}

void
sgt_dist_start(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind,
               uint64_t now)
{
   const uint32_t tpc = sm / d->params.tpc_sms;
   if (kind != SGT_DIST_KIND_GRID) {
      const struct sgt_dist_need need = sgt_dist_need(d, warp);
      const uint32_t limit = kind == SGT_DIST_KIND_PIXEL ? d->params.pixel_limit
                                                         : d->params.vertex_limit;
      d->counters.over_limit += d->sms[sm].used[kind] >= limit;
      dist_take(d, sm, 1, need.registers, need.shared, kind);
   }
   sgt_channel_send(d->launch[sm], now, &(struct sgt_sm_launch){ warp });
   d->since[warp] = now;
   d->busy_tpcs |= 1ull << tpc;
   d->tpcs[tpc].next_sm = (sm + 1) % d->params.tpc_sms;
   d->tpc_warps[tpc * SGT_DIST_KINDS + kind]++;
   d->counters.started[kind]++;
   d->counters.lanes[kind] += sgt_bitcount(d->plan->work->warps[warp].lanes);
}

static void
end_group_warp(struct sgt_dist *d, struct sgt_dist_sm *s, const struct sgt_warp *w)
{
   struct sgt_dist_group *g = s->group;
   while (!g->left || g->operation != w->operation || g->group != w->group)
      g++;
   assert(g < s->group + SGT_MAX_SM_GROUPS);
   if (--g->left)
      return;
   s->shared += g->shared;
   s->groups++;
}

void
sgt_dist_free(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind)
{
   const struct sgt_dist_need need = sgt_dist_need(d, warp);
   struct sgt_dist_sm *s = &d->sms[sm];
   s->warps++;
   s->threads += WARP_LANES;
   s->registers += need.registers;
   s->shared += need.shared;
   s->used[kind]--;
   if (kind == SGT_DIST_KIND_GRID)
      end_group_warp(d, s, &d->plan->work->warps[warp]);
}

static bool
check_warps(const struct sgt_dist *d, uint32_t warp, uint32_t num, uint32_t shared, char *error,
            size_t error_size)
{
   const struct sgt_dist_params *p = &d->params;
   const struct sgt_dist_need need = sgt_dist_need(d, warp);
   if (num <= p->sm_warps && num * WARP_LANES <= p->sm_threads &&
       num * need.registers <= p->sm_registers && shared + num * need.shared <= p->sm_shared)
      return true;
   snprintf(error, error_size,
            "warp %" PRIu32 ": %" PRIu32 " warps, %" PRIu32 " registers and %" PRIu32
            " bytes of shared memory are needed at once; a SM has %" PRIu32 ", %" PRIu32
            " and %" PRIu32,
            warp, num, num * need.registers, shared + num * need.shared,
            MIN2(p->sm_warps, p->sm_threads / WARP_LANES), p->sm_registers, p->sm_shared);
   return false;
}

bool
sgt_dist_check_work(const struct sgt_dist *d, char *error, size_t error_size)
{
   const struct sgt_work *work = d->plan->work;
   for (uint32_t i = 0; i < work->num_operations; i++) {
      const struct sgt_operation_work *w = &work->operations[i];
      const bool grid = d->plan->operations[i].kind == SGT_PLAN_GRID;
      uint32_t num;
      for (uint32_t warp = w->first_warp; warp < w->first_warp + w->num_warps; warp += num) {
         num = grid ? sgt_dist_group_warps(d->plan, warp) : 1;
         if (!check_warps(d, warp, num, grid ? w->group_bytes : 0, error, error_size))
            return false;
      }
   }
   return true;
}
