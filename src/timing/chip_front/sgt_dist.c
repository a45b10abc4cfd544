/* SPDX-License-Identifier: MIT */
/*
 * Work distributor: handles the messages of a cycle, and restores the order of vertex outputs and
 * pixel warps that have ended.
 */
#include "chip_front/sgt_dist.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "kernel/sgt_bits.h"
#include "util/macros.h"
#include "util/u_math.h"

static bool
has_ended(const struct sgt_dist *d, uint32_t warp)
{
   return d->warp_ended[warp / 64] >> (warp % 64) & 1;
}

static void
make_ready(struct sgt_dist *d, uint32_t step)
{
   uint32_t at = d->num_ready++;
   assert(d->num_ready <= d->room_ready);
   while (at && d->ready_steps[at - 1] > step) {
      d->ready_steps[at] = d->ready_steps[at - 1];
      at--;
   }
   d->ready_steps[at] = step;
   d->counters.steps++;
}

static void
vertex_warp_ended(struct sgt_dist *d, uint32_t warp)
{
   const uint32_t number = d->plan->step_of[warp];
   const struct sgt_plan_step *step = &d->plan->steps[number];
   if (++d->step_ended[number] < step->num)
      return;
   if (!step->begins)
      d->held -= step[-1].num;
   if (!step->ends)
      make_ready(d, number + 1);
}

static bool
take_done(struct sgt_dist *d, uint64_t now)
{
   bool taken = false;
   for (uint32_t i = 0; i < d->num_sms; i++) {
      const struct sgt_sm_done *done;
      while ((done = sgt_channel_peek(d->done[i], now))) {
         const uint32_t warp = done->warp;
         const enum sgt_dist_kind kind = sgt_dist_warp_kind(d, warp);
         sgt_channel_take(d->done[i], now);
         sgt_dist_free(d, i, warp, kind);
         d->warp_ended[warp / 64] |= 1ull << (warp % 64);
         d->counters.ended[kind]++;
         d->counters.residence[kind] += now - d->since[warp];
         d->since[warp] = now;
         if (kind == SGT_DIST_KIND_VERTEX)
            vertex_warp_ended(d, warp);
         else if (kind == SGT_DIST_KIND_GRID)
            d->operations[d->plan->work->warps[warp].operation].grid_left--;
         taken = true;
      }
   }
   return taken;
}

static bool
take_written(struct sgt_dist *d, uint64_t now)
{
   bool taken = false;
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      const struct sgt_pixel_written *w;
      while ((w = sgt_channel_peek(d->written[i], now))) {
         d->operations[d->plan->work->warps[w->warp].operation].pixels_left--;
         d->tpcs[i].unwritten--;
         sgt_channel_take(d->written[i], now);
         taken = true;
      }
   }
   return taken;
}

static void
queue_pixels(struct sgt_dist *d, uint32_t tpc, uint32_t warp, uint64_t now)
{
   const struct sgt_work *work = d->plan->work;
   const struct sgt_warp *w = &work->warps[warp];
   sgt_ring_push(&d->tpcs[tpc].queue, warp);
   d->since[warp] = now;
   d->counters.max_queue = MAX2(d->counters.max_queue, d->tpcs[tpc].queue.num);
   d->counters.quads += w->num_quads;
   unsigned kept = 0;
   for (uint32_t i = 0; i < w->num_quads; i++) {
      d->counters.pixels += sgt_bitcount(work->quads[w->first_quad + i].covered);
      kept += sgt_bitcount(work->quads[w->first_quad + i].kept);
   }
   d->counters.pixels_kept += kept;
   d->counters.unkept_warps += !kept;
}

/* Moves released pixel warps to the queues of their TPCs. If the queue of a warp is full, all later
 * warps must wait, even if their queues have room.
 */
static bool
take_releases(struct sgt_dist *d, uint64_t now)
{
   const struct sgt_raster_release *r;
   uint32_t warps = 0;
   bool taken = false;
   while ((r = sgt_channel_peek(d->releases, now))) {
      if (r->ends) {
         d->operations[r->number].raster_ended = true;
      } else {
         const struct sgt_work *work = d->plan->work;
         const struct sgt_quad *quad = &work->quads[work->warps[r->number].first_quad];
         const uint32_t tpc = sgt_dist_pixel_tpc(d, quad->x, quad->y);
         if (warps == d->params.pixel_rate || d->tpcs[tpc].queue.num == d->params.pixel_queue)
            break;
         queue_pixels(d, tpc, r->number, now);
         warps++;
      }
      sgt_channel_take(d->releases, now);
      taken = true;
   }
   return taken;
}

static bool
take_begins(struct sgt_dist *d, uint64_t now)
{
   const struct sgt_dist_order *order;
   bool taken = false;
   while ((order = sgt_channel_peek(d->orders, now)) && order->begins) {
      const uint32_t operation = order->number;
      const struct sgt_plan_operation *op = &d->plan->operations[operation];
      const struct sgt_operation_work *w = &d->plan->work->operations[operation];
      struct sgt_dist_operation *o = &d->operations[operation];
      o->begun = true;
      if (op->kind == SGT_PLAN_GRID) {
         o->grid_left = w->num_warps;
         o->raster_ended = o->outputs_ended = true;
         if (!d->num_grids)
            d->grid_warp = d->group_end = w->first_warp;
         uint32_t at = d->first_grid + d->num_grids++;
         at = at < d->room_grids ? at : at - d->room_grids;
         d->grids[at] = operation;
      } else {
         o->pixels_left = op->num_pixels;
      }
      d->ending[d->num_ending++] = operation;
      d->open++;
      sgt_channel_take(d->orders, now);
      taken = true;
   }
   return taken;
}

/* Sends the next output (struct sgt_plan_output) to setup if its warp has ended. */
static bool
send_output(struct sgt_dist *d, uint64_t now)
{
   if (d->next_output == d->plan->num_outputs)
      return false;
   const struct sgt_plan_output *output = &d->plan->outputs[d->next_output];
   if (!d->operations[output->operation].begun)
      return false;
   const bool waits = output->warp != SGT_NONE;
   if ((waits && !has_ended(d, output->warp)) || !sgt_channel_can_send(d->setup, now))
      return false;
   if (waits) {
      d->held--;
      d->counters.output_wait += now - d->since[output->warp];
   }
   sgt_channel_send(d->setup, now, &(struct sgt_setup_work){ d->next_output });
   d->counters.outputs++;
   d->operations[output->operation].outputs_ended = output->ends;
   d->next_output++;
   return true;
}

/* Moves a warp that has ended to the front of the ring. This fault injection breaks the pixel order
 * for tests of --verify.
 */
static void
break_order(struct sgt_dist *d, struct sgt_dist_ring *r)
{
   for (uint32_t i = r->num; i-- > 1;) {
      const uint32_t place = (r->first + i) & (r->room - 1), warp = r->warps[place];
      if (!has_ended(d, warp))
         continue;
      r->warps[place] = r->warps[r->first];
      r->warps[r->first] = warp;
      return;
   }
}

/* Sends pixel warps that have ended to the pixel output of their TPC, in the order in which they
 * started.
 */
static bool
send_pixels(struct sgt_dist *d, uint64_t now)
{
   bool sent = false;
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      struct sgt_dist_ring *order = &d->tpcs[i].order;
      if (d->unordered && order->num)
         break_order(d, order);
      if (!order->num || !has_ended(d, sgt_ring_at(order, 0)) ||
          !sgt_channel_can_send(d->outputs[i], now))
         continue;
      const uint32_t warp = sgt_ring_pop(order);
      sgt_channel_send(d->outputs[i], now, &(struct sgt_pixel_output){ warp });
      d->counters.order_wait += now - d->since[warp];
      sent = true;
   }
   return sent;
}

static bool
send_ended(struct sgt_dist *d, uint64_t now)
{
   bool sent = false;
   for (uint32_t i = 0; i < d->num_ending;) {
      const uint32_t operation = d->ending[i];
      struct sgt_dist_operation *o = &d->operations[operation];
      if (o->pixels_left || o->grid_left || !o->outputs_ended || !o->raster_ended ||
          !sgt_channel_can_send(d->ended, now) || !sgt_channel_can_send(d->late, now)) {
         i++;
         continue;
      }
      if (d->plan->operations[operation].late)
         sgt_channel_send(d->late, now, &(struct sgt_late_ended){ operation });
      sgt_channel_send(d->ended, now, &(struct sgt_front_ended){ operation });
      o->ended = true;
      d->ending[i] = d->ending[--d->num_ending];
      d->open--;
      sent = true;
   }
   return sent;
}

static uint64_t
dist_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_dist *d = container_of(unit, struct sgt_dist, unit);
   enum sgt_dist_state state[SGT_DIST_KINDS];
   bool more = false;
   d->busy_tpcs = 0;
   more |= take_done(d, now);
   more |= take_written(d, now);
   more |= take_releases(d, now);
   more |= take_begins(d, now);
   if (d->params.prefer == SGT_DIST_VERTEX)
      state[SGT_DIST_KIND_VERTEX] = sgt_dist_run_vertices(d, now, &more);
   state[SGT_DIST_KIND_PIXEL] = sgt_dist_run_pixels(d, now, &more);
   if (d->params.prefer == SGT_DIST_PIXEL)
      state[SGT_DIST_KIND_VERTEX] = sgt_dist_run_vertices(d, now, &more);
   state[SGT_DIST_KIND_GRID] = sgt_dist_run_grids(d, now, &more);
   more |= send_output(d, now);
   more |= send_pixels(d, now);
   more |= send_ended(d, now);
   for (unsigned i = 0; i < SGT_DIST_KINDS; i++)
      sgt_unit_states_put(&d->states[i], unit, now, state[i], state[i]);
   /* If nothing has changed in this cycle, the states stay the same until a message arrives. */
   return more ? now + unit->clock->period : SGT_NEVER;
}

static bool
make_ring(struct sgt_dist_ring *r, uint32_t num)
{
   r->room = util_next_power_of_two(num);
   r->warps = calloc(r->room, sizeof(*r->warps));
   return r->warps != NULL;
}

static bool
make_arrays(struct sgt_dist *d, uint32_t operations)
{
   const struct sgt_dist_params *p = &d->params;
   const uint32_t warps = MAX2(d->plan->work->num_warps, 1);
   const uint32_t steps = MAX2(d->plan->num_steps, 1);
   d->sms = calloc(d->num_sms, sizeof(*d->sms));
   d->tpcs = calloc(p->tpcs, sizeof(*d->tpcs));
   d->operations = calloc(MAX2(d->plan->trace->num_operations, 1), sizeof(*d->operations));
   d->warp_ended = calloc(DIV_ROUND_UP(warps, 64), sizeof(*d->warp_ended));
   d->since = calloc(warps, sizeof(*d->since));
   d->step_started = calloc(steps, sizeof(*d->step_started));
   d->step_ended = calloc(steps, sizeof(*d->step_ended));
   /* Allocate enough room for all steps that can be ready at the same time. Each of them belongs to
    * a different batch, and each of these batches holds the output of at least one warp. At most
    * `reorder` outputs are held, or one more by the oldest batch.
    */
   d->room_ready = p->reorder + 2;
   d->ready_steps = calloc(d->room_ready, sizeof(*d->ready_steps));
   d->room_grids = operations;
   d->grids = calloc(operations, sizeof(*d->grids));
   d->ending = calloc(operations, sizeof(*d->ending));
   d->tpc_warps = calloc(p->tpcs * SGT_DIST_KINDS, sizeof(*d->tpc_warps));
   d->tpc_names = calloc(p->tpcs, sizeof(*d->tpc_names));
   bool ok = d->sms && d->tpcs && d->operations && d->warp_ended && d->since && d->step_started &&
             d->step_ended && d->ready_steps && d->grids && d->ending && d->tpc_warps &&
             d->tpc_names;
   for (uint32_t i = 0; ok && i < p->tpcs; i++)
      ok = make_ring(&d->tpcs[i].queue, p->pixel_queue) &&
           make_ring(&d->tpcs[i].order, p->pixel_order);
   return ok;
}

bool
sgt_dist_init(struct sgt_dist *d, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_dist_params *params, uint32_t operations,
              const struct sgt_plan *plan, char *error, size_t error_size)
{
   *d = (struct sgt_dist){
      .unit = { .name = "distribution", .clock = clock, .tick = dist_tick },
      .params = *params,
      .plan = plan,
      .num_sms = params->tpcs * params->tpc_sms,
      .tile_log2 = util_logbase2(params->tile),
      .grid_warp = SGT_NONE,
      .group_end = SGT_NONE,
   };
   for (unsigned i = 0; i < SGT_DIST_KINDS; i++)
      d->states[i].gap = SGT_DIST_EMPTY;
   if (!make_arrays(d, operations) || !sgt_sched_add(sched, &d->unit, 0)) {
      snprintf(error, error_size, "out of memory");
      sgt_dist_finish(d);
      return false;
   }
   for (uint32_t i = 0; i < d->num_sms; i++)
      d->sms[i] = (struct sgt_dist_sm){
         .warps = params->sm_warps,
         .threads = params->sm_threads,
         .registers = params->sm_registers,
         .shared = params->sm_shared,
         .groups = params->sm_groups,
      };
   if (sgt_dist_check_work(d, error, error_size))
      return true;
   sgt_dist_finish(d);
   return false;
}

void
sgt_dist_finish(struct sgt_dist *d)
{
   for (uint32_t i = 0; d->tpcs && i < d->params.tpcs; i++) {
      free(d->tpcs[i].queue.warps);
      free(d->tpcs[i].order.warps);
   }
   free(d->sms);
   free(d->tpcs);
   free(d->operations);
   free(d->warp_ended);
   free(d->since);
   free(d->step_started);
   free(d->step_ended);
   free(d->ready_steps);
   free(d->grids);
   free(d->ending);
   free(d->tpc_warps);
   free(d->tpc_names);
   memset(d, 0, sizeof(*d));
}

bool
sgt_dist_idle(const struct sgt_dist *d)
{
   if (d->open || d->num_ready || d->held || d->num_grids)
      return false;
   for (uint32_t i = 0; i < d->params.tpcs; i++)
      if (d->tpcs[i].queue.num || d->tpcs[i].order.num || d->tpcs[i].unwritten)
         return false;
   for (uint32_t i = 0; i < d->num_sms; i++)
      if (d->sms[i].warps != d->params.sm_warps || d->sms[i].threads != d->params.sm_threads ||
          d->sms[i].registers != d->params.sm_registers ||
          d->sms[i].shared != d->params.sm_shared || d->sms[i].groups != d->params.sm_groups)
         return false;
   return true;
}

void
sgt_dist_dump(const struct sgt_dist *d, struct sgt_dump *dump)
{
   sgt_dump_unit(dump, d->unit.clock, "distribution", SGT_DUMP_ONLY);
   sgt_dump_state(dump, "vertex",
                  sgt_dist_counters_vertex_states_names[d->states[SGT_DIST_KIND_VERTEX].gap]);
   sgt_dump_state(dump, "pixel",
                  sgt_dist_counters_vertex_states_names[d->states[SGT_DIST_KIND_PIXEL].gap]);
   sgt_dump_state(dump, "grid",
                  sgt_dist_counters_vertex_states_names[d->states[SGT_DIST_KIND_GRID].gap]);
   sgt_dump_queue(dump, "operations", d->open, 0);
   sgt_dump_queue(dump, "ready steps", d->num_ready, d->room_ready);
   sgt_dump_queue(dump, "warps with held outputs", d->held, 0);
   sgt_dump_queue(dump, "grids", d->num_grids, d->room_grids);
   sgt_dump_queue(dump, "operations whose end is not told", d->num_ending, 0);
   sgt_dump_channel(dump, "orders", d->orders);
   sgt_dump_channel(dump, "releases", d->releases);
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      const struct sgt_dist_tpc *t = &d->tpcs[i];
      sgt_dump_unit(dump, d->unit.clock, "distribution, TPC ", i);
      sgt_dump_queue(dump, "pixel warps to start", t->queue.num, 0);
      if (t->queue.num)
         sgt_dump_oldest(dump, d->since[sgt_ring_at(&t->queue, 0)]);
      sgt_dump_queue(dump, "started and not passed on", t->order.num, 0);
      if (t->order.num)
         sgt_dump_oldest(dump, d->since[sgt_ring_at(&t->order, 0)]);
      sgt_dump_queue(dump, "not written", t->unwritten, d->params.pixel_order);
      sgt_dump_channel(dump, "written", d->written[i]);
   }
   for (uint32_t i = 0; i < d->num_sms; i++) {
      sgt_dump_unit(dump, d->unit.clock, "distribution, SM ", i);
      sgt_dump_queue(dump, "warps", d->params.sm_warps - d->sms[i].warps, d->params.sm_warps);
      sgt_dump_channel(dump, "ended warps", d->done[i]);
   }
}
