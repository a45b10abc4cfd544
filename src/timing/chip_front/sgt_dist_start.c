/* SPDX-License-Identifier: MIT */
/*
 * Work distributor: selects the warps that start in a cycle. A TPC accepts one warp per cycle.
 */
#include "chip_front/sgt_dist.h"

#include "util/bitscan.h"
#include "util/macros.h"

/* Returns the SM of the TPC that should start the warp. If several SMs have room, selects the SM
 * with the most free warp slots. If no SM has room, returns -1 and sets *reason.
 */
static int
choose_sm(const struct sgt_dist *d, uint32_t tpc, uint32_t warp, enum sgt_dist_kind kind,
          bool waits, uint64_t now, enum sgt_dist_state *reason)
{
   if (d->busy_tpcs >> tpc & 1) {
      *reason = SGT_DIST_BUSY;
      return -1;
   }
   int best = -1;
   for (uint32_t i = 0; i < d->params.tpc_sms; i++) {
      uint32_t sm = d->tpcs[tpc].next_sm + i;
      sm = tpc * d->params.tpc_sms + (sm < d->params.tpc_sms ? sm : sm - d->params.tpc_sms);
      const enum sgt_dist_state state = sgt_dist_room(d, sm, warp, kind, waits, now);
      if (state != SGT_DIST_STARTED)
         *reason = state;
      else if (best < 0 || d->sms[sm].warps > d->sms[best].warps)
         best = sm;
   }
   return best;
}

uint32_t
sgt_dist_next_vertex(const struct sgt_dist *d, uint64_t now)
{
   if (d->num_ready) {
      const uint32_t step = d->ready_steps[0];
      return d->plan->steps[step].first + d->step_started[step];
   }
   const struct sgt_dist_order *order = sgt_channel_peek(d->orders, now);
   return order && !order->begins ? order->number : SGT_NONE;
}

/* Returns true if the distributor can hold the outputs of another warp of the step. The oldest
 * batch is never held back if it has several steps, because the end of its next step frees outputs.
 */
static bool
may_hold(const struct sgt_dist *d, const struct sgt_plan_step *step)
{
   if (d->held < d->params.reorder)
      return true;
   return !(step->begins && step->ends) && d->next_output < d->plan->num_outputs &&
          d->plan->outputs[d->next_output].batch == step->batch;
}

/* Returns true if the distributor waits for an output of a batch with several steps, i.e. if steps
 * of this batch are still running.
 */
static bool
steps_run(const struct sgt_dist *d)
{
   const uint32_t output = d->next_output;
   if (output == d->plan->num_outputs || d->plan->outputs[output].warp == SGT_NONE)
      return false;
   const struct sgt_plan_step *step =
      &d->plan->steps[d->plan->step_of[d->plan->outputs[output].warp]];
   return !step->begins && d->operations[d->plan->outputs[output].operation].begun;
}

static enum sgt_dist_state
start_vertex(struct sgt_dist *d, uint64_t now)
{
   const uint32_t warp = sgt_dist_next_vertex(d, now);
   if (warp == SGT_NONE)
      return steps_run(d) ? SGT_DIST_STEP : SGT_DIST_EMPTY;
   const uint32_t number = d->plan->step_of[warp];
   const struct sgt_plan_step *step = &d->plan->steps[number];
   if (!may_hold(d, step))
      return SGT_DIST_REORDER;
   enum sgt_dist_state reason = SGT_DIST_EMPTY;
   uint32_t *next = &d->next_tpc[SGT_DIST_KIND_VERTEX];
   uint32_t tpc = *next;
   int sm = -1;
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      const bool waits = d->tpcs[tpc].queue.num != 0;
      sm = choose_sm(d, tpc, warp, SGT_DIST_KIND_VERTEX, waits, now, &reason);
      if (sm >= 0 || d->params.turn == SGT_DIST_STRICT)
         break;
      tpc = tpc + 1 == d->params.tpcs ? 0 : tpc + 1;
   }
   if (sm < 0)
      return reason;
   d->counters.turns_passed += tpc != *next;
   *next = tpc + 1 == d->params.tpcs ? 0 : tpc + 1;
   sgt_dist_start(d, sm, warp, SGT_DIST_KIND_VERTEX, now);
   const enum sgpu_stage stage = sgt_plan_program(d->plan, warp)->stage;
   d->counters.tess_ctrl += stage == SGPU_STAGE_TESS_CTRL;
   d->counters.tess_eval += stage == SGPU_STAGE_TESS_EVAL;
   d->counters.geometry += stage == SGPU_STAGE_GEOMETRY;
   d->held++;
   d->counters.max_held = MAX2(d->counters.max_held, d->held);
   if (!d->num_ready)
      sgt_channel_take(d->orders, now);
   if (++d->step_started[number] == step->num && d->num_ready) {
      d->num_ready--;
      for (uint32_t i = 0; i < d->num_ready; i++)
         d->ready_steps[i] = d->ready_steps[i + 1];
   }
   return SGT_DIST_STARTED;
}

enum sgt_dist_state
sgt_dist_run_vertices(struct sgt_dist *d, uint64_t now, bool *more)
{
   enum sgt_dist_state first = SGT_DIST_EMPTY;
   for (uint32_t i = 0; i < d->params.vertex_rate; i++) {
      const enum sgt_dist_state state = start_vertex(d, now);
      if (i == 0)
         first = state;
      if (state != SGT_DIST_STARTED)
         break;
      *more = true;
   }
   return first;
}

enum sgt_dist_state
sgt_dist_run_pixels(struct sgt_dist *d, uint64_t now, bool *more)
{
   const bool waits = sgt_dist_next_vertex(d, now) != SGT_NONE;
   enum sgt_dist_state first = SGT_DIST_EMPTY;
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      struct sgt_dist_tpc *tpc = &d->tpcs[i];
      if (!tpc->queue.num)
         continue;
      enum sgt_dist_state state = SGT_DIST_REORDER;
      const uint32_t warp = sgt_ring_at(&tpc->queue, 0);
      if (tpc->unwritten < d->params.pixel_order) {
         const int sm = choose_sm(d, i, warp, SGT_DIST_KIND_PIXEL, waits, now, &state);
         if (sm >= 0) {
            d->counters.queue_wait += now - d->since[warp];
            sgt_dist_start(d, sm, warp, SGT_DIST_KIND_PIXEL, now);
            sgt_ring_push(&tpc->order, sgt_ring_pop(&tpc->queue));
            tpc->unwritten++;
            d->counters.max_unwritten = MAX2(d->counters.max_unwritten, tpc->unwritten);
            *more = true;
            state = SGT_DIST_STARTED;
         }
      }
      if (first == SGT_DIST_EMPTY || state == SGT_DIST_STARTED)
         first = state;
   }
   return first;
}

/* Reserves resources of an SM for the next workgroup. Returns SGT_DIST_STARTED, or the reason why
 * no SM can start the workgroup.
 */
static enum sgt_dist_state
begin_group(struct sgt_dist *d)
{
   const uint32_t operation = d->grids[d->first_grid];
   const uint32_t shared = d->plan->work->operations[operation].group_bytes;
   const uint32_t num = sgt_dist_group_warps(d->plan, d->grid_warp);
   enum sgt_dist_state reason = SGT_DIST_WARPS;
   uint32_t *next = &d->next_tpc[SGT_DIST_KIND_GRID];
   uint32_t tpc = *next;
   int best = -1;
   for (uint32_t i = 0; i < d->params.tpcs && best < 0; i++) {
      for (uint32_t j = 0; j < d->params.tpc_sms; j++) {
         const uint32_t sm = tpc * d->params.tpc_sms + j;
         const enum sgt_dist_state state = sgt_dist_group_room(d, sm, d->grid_warp, num, shared);
         if (state != SGT_DIST_STARTED)
            reason = state;
         else if (best < 0 || d->sms[sm].warps > d->sms[best].warps)
            best = sm;
      }
      if (best >= 0 || d->params.turn == SGT_DIST_STRICT)
         break;
      tpc = tpc + 1 == d->params.tpcs ? 0 : tpc + 1;
   }
   if (best < 0)
      return reason;
   d->counters.turns_passed += tpc != *next;
   *next = tpc + 1 == d->params.tpcs ? 0 : tpc + 1;
   sgt_dist_begin_group(d, best, d->grid_warp, num, shared);
   d->group_sm = best;
   d->group_end = d->grid_warp + num;
   return SGT_DIST_STARTED;
}

static enum sgt_dist_state
start_grid(struct sgt_dist *d, uint64_t now)
{
   if (!d->num_grids)
      return SGT_DIST_EMPTY;
   if (d->grid_warp == d->group_end) {
      const enum sgt_dist_state state = begin_group(d);
      if (state != SGT_DIST_STARTED)
         return state;
   }
   if (d->busy_tpcs >> (d->group_sm / d->params.tpc_sms) & 1 ||
       !sgt_channel_can_send(d->launch[d->group_sm], now))
      return SGT_DIST_BUSY;
   sgt_dist_start(d, d->group_sm, d->grid_warp++, SGT_DIST_KIND_GRID, now);
   const struct sgt_operation_work *w = &d->plan->work->operations[d->grids[d->first_grid]];
   if (d->grid_warp == w->first_warp + w->num_warps) {
      d->first_grid = d->first_grid + 1 == d->room_grids ? 0 : d->first_grid + 1;
      d->num_grids--;
      d->grid_warp = d->group_end = SGT_NONE;
      if (d->num_grids)
         d->grid_warp = d->group_end =
            d->plan->work->operations[d->grids[d->first_grid]].first_warp;
   }
   return SGT_DIST_STARTED;
}

enum sgt_dist_state
sgt_dist_run_grids(struct sgt_dist *d, uint64_t now, bool *more)
{
   enum sgt_dist_state first = SGT_DIST_EMPTY;
   for (uint32_t i = 0; i < d->params.grid_rate; i++) {
      const enum sgt_dist_state state = start_grid(d, now);
      if (i == 0)
         first = state;
      if (state == SGT_DIST_STARTED)
         *more = true;
      else
         break;
   }
   return first;
}
