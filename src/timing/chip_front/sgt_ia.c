/* SPDX-License-Identifier: MIT */
/*
 * Host interface and input assembler.
 */
#include "chip_front/sgt_ia.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chip_memory/sgt_chip_observer.h"
#include "kernel/sgt_dump.h"
#include "chip_memory/sgt_mem.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

static struct sgt_ia_entry *
ia_entry(const struct sgt_ia *ia, uint32_t i)
{
   return &ia->ring[(ia->first + i) & (ia->room - 1)];
}

static struct sgt_ia_entry *
ia_push(struct sgt_ia *ia, uint64_t now)
{
   struct sgt_ia_entry *e = ia_entry(ia, ia->num++);
   assert(ia->num <= ia->room);
   if (ia->num == 1)
      ia->first_since = now;
   return e;
}

static void
push_warp(struct sgt_ia *ia, uint64_t now, const struct sgt_plan_operation *op)
{
   const struct sgt_warp *w = &ia->plan->work->warps[ia->warp];
   const uint32_t items = ia->plan->trace->operations[ia->next].num_items;
   const uint32_t scalars = util_bitcount(w->lanes) * w->attributes;
   const uint32_t begin = sgt_plan_share(items, op->num_vertex_warps, ia->vertex);
   ia->vertex++;
   *ia_push(ia, now) = (struct sgt_ia_entry){
      .number = ia->warp,
      .unsent = w->num_fetch,
      .unanswered = w->num_fetch,
      .scalars = scalars,
      .primitives = sgt_plan_share(items, op->num_vertex_warps, ia->vertex) - begin,
   };
   ia->num_warps++;
   ia->counters.warps++;
   ia->counters.vertices += util_bitcount(w->lanes);
   ia->counters.scalars += scalars;
   ia->counters.max_warps_open = MAX2(ia->counters.max_warps_open, ia->num_warps);
}

/* Advances ia->warp to the next vertex warp of the operation. Returns false if there is none. */
static bool
next_vertex_warp(struct sgt_ia *ia, const struct sgt_plan_operation *op)
{
   while (ia->step < op->first_step + op->num_steps) {
      const struct sgt_plan_step *step = &ia->plan->steps[ia->step];
      if (sgt_plan_program(ia->plan, step->first)->stage == SGPU_STAGE_VERTEX &&
          ia->warp < step->first + step->num) {
         ia->warp = MAX2(ia->warp, step->first);
         return true;
      }
      ia->step++;
   }
   return false;
}

static void
close_operation(struct sgt_ia *ia, uint32_t operation)
{
   uint32_t at = 0;
   while (ia->open[at] != operation)
      at++;
   assert(at < ia->num_open);
   ia->open[at] = ia->open[--ia->num_open];
}

static void
take_ended(struct sgt_ia *ia, uint64_t now)
{
   for (unsigned i = 0; i < ARRAY_SIZE(ia->ended); i++) {
      const struct sgt_front_ended *e;
      while ((e = sgt_channel_peek(ia->ended[i], now))) {
         if (e->operation == SGT_NONE) {
            ia->flushed = true;
         } else {
            close_operation(ia, e->operation);
            if (ia->ends)
               ia->ends(ia->told_data, e->operation, now);
         }
         sgt_channel_take(ia->ended[i], now);
      }
   }
}

/* Returns true if the next operation depends on an operation that is still running. */
static bool
is_barrier(const struct sgt_ia *ia)
{
   for (uint32_t i = 0; i < ia->num_open && !ia->no_barriers; i++)
      if (sgt_plan_depends(ia->plan, ia->next, ia->open[i]))
         return true;
   return false;
}

static void
begin_operation(struct sgt_ia *ia, uint64_t now, const struct sgt_plan_operation *op)
{
   if (ia->begins)
      ia->begins(ia->told_data, ia->next, now);
   if (ia->ends && op->kind == SGT_PLAN_NOTHING)
      ia->ends(ia->told_data, ia->next, now);
   ia->counters.operations++;
   ia->counters.draws += op->kind == SGT_PLAN_DRAW;
   ia->counters.grids += op->kind == SGT_PLAN_GRID;
   ia->counters.transfers += op->kind == SGT_PLAN_TRANSFER;
   ia->counters.nothing += op->kind == SGT_PLAN_NOTHING;
   if (op->kind != SGT_PLAN_NOTHING) {
      ia->open[ia->num_open++] = ia->next;
      ia->counters.max_operations = MAX2(ia->counters.max_operations, ia->num_open);
   }
   if (op->kind == SGT_PLAN_DRAW || op->kind == SGT_PLAN_GRID)
      *ia_push(ia, now) = (struct sgt_ia_entry){ .number = ia->next, .begins = true };
   if (op->kind == SGT_PLAN_DRAW) {
      ia->begun = true;
      ia->step = op->first_step;
      ia->warp = ia->vertex = 0;
      return;
   }
   ia->next++;
   ia->taken = false;
}

/* Executes a barrier after the chip has become idle. Returns true when the barrier has finished. */
static bool
wait_flush(struct sgt_ia *ia, uint64_t now, uint64_t *wake)
{
   if (!ia->flushing) {
      if (!ia->busy)
         ia->busy = now + ia->params.flush * ia->unit.clock->period;
      if (now < ia->busy) {
         *wake = ia->busy;
         return false;
      }
      if (!sgt_channel_can_send(ia->transfers, now))
         return false;
      sgt_channel_send(ia->transfers, now, &(struct sgt_front_transfer){ SGT_NONE });
      ia->flushing = true;
      ia->busy = 0;
   }
   if (!ia->flushed)
      return false;
   ia->flushing = ia->flushed = false;
   return true;
}

/* Runs the host interface for a cycle, and returns its state. Sets *wake to the time of the next
 * call, or to SGT_NEVER if the host interface waits for a message.
 */
static enum sgt_ia_host_state
run_host(struct sgt_ia *ia, uint64_t now, uint64_t *wake)
{
   const uint64_t period = ia->unit.clock->period;
   *wake = SGT_NEVER;
   for (;;) {
      if (ia->next == ia->plan->trace->num_operations)
         return SGT_IA_HOST_END;
      const struct sgt_plan_operation *op = &ia->plan->operations[ia->next];
      if (ia->begun) {
         if (!next_vertex_warp(ia, op)) {
            ia->begun = ia->taken = false;
            ia->next++;
            continue;
         }
         if (ia->num_warps == ia->params.ahead)
            return SGT_IA_HOST_AHEAD;
         push_warp(ia, now, op);
         ia->warp++;
         *wake = now + period;
         return SGT_IA_HOST_WARPS;
      }
      if (!ia->taken) {
         if (!ia->busy)
            ia->busy = now + ia->params.command * period;
         if (now < ia->busy) {
            *wake = ia->busy;
            return SGT_IA_HOST_COMMAND;
         }
         ia->busy = 0;
         ia->taken = true;
      }
      if (!ia->barrier && is_barrier(ia)) {
         ia->barrier = true;
         ia->counters.barriers++;
         ia->counters.barrier_operations += ia->num_open;
      }
      if (ia->barrier) {
         if (ia->num_open)
            return SGT_IA_HOST_BARRIER;
         if (!wait_flush(ia, now, wake))
            return SGT_IA_HOST_FLUSH;
         ia->barrier = false;
      }
      if (ia->num_open == ia->params.operations)
         return SGT_IA_HOST_OPERATIONS;
      if (op->kind == SGT_PLAN_TRANSFER) {
         if (!sgt_channel_can_send(ia->transfers, now))
            return SGT_IA_HOST_TRANSFER;
         sgt_channel_send(ia->transfers, now, &(struct sgt_front_transfer){ ia->next });
      }
      begin_operation(ia, now, op);
   }
}

/* Runs the input assembler for a cycle, and returns its state. Sets *gap to the state of the
 * following cycles until the next call, and *wake to the time of the next call, or to SGT_NEVER if
 * the input assembler waits for a message.
 */
static enum sgt_ia_state
run_assembler(struct sgt_ia *ia, uint64_t now, enum sgt_ia_state *gap, uint64_t *wake)
{
   const uint64_t period = ia->unit.clock->period;
   *wake = SGT_NEVER;
   if (!ia->num)
      return *gap = SGT_IA_EMPTY;
   const struct sgt_ia_entry *e = ia_entry(ia, 0);
   if (e->unanswered)
      return *gap = SGT_IA_MEMORY;
   if (ia->ready == SGT_NEVER) {
      const uint32_t scalars = DIV_ROUND_UP(e->scalars, ia->params.attributes);
      const uint32_t primitives = DIV_ROUND_UP(e->primitives, ia->params.primitives);
      ia->ready = now + (MAX3(scalars, primitives, 1) - 1) * period;
      ia->counters.primitives += e->primitives;
      ia->counters.scalar_bound += !e->begins && scalars >= primitives;
      ia->counters.primitive_bound += !e->begins && scalars < primitives;
      ia->counters.line_wait += e->begins ? 0 : now - ia->first_since;
   }
   if (now < ia->ready) {
      *wake = ia->ready;
      return *gap = SGT_IA_ASSEMBLE;
   }
   if (!sgt_channel_can_send(ia->orders, now))
      return *gap = SGT_IA_FULL;
   const enum sgt_ia_state state = e->begins ? SGT_IA_ORDER : SGT_IA_ASSEMBLE;
   sgt_channel_send(ia->orders, now, &(struct sgt_dist_order){ e->number, e->begins });
   if (ia->observer && !e->begins)
      ia->observer->fetched(ia->observer->data, now / period, ia->client, e->number);
   ia->num_warps -= !e->begins;
   ia->ready = SGT_NEVER;
   ia->first = (ia->first + 1) & (ia->room - 1);
   ia->num--;
   ia->request -= ia->request != 0;
   ia->first_since = now + period;
   if (ia->num)
      *wake = now + period;
   *gap = SGT_IA_EMPTY;
   return state;
}

/* Sends memory requests for the input lines of the ring entries. Returns true if more requests can
 * be sent in the next cycle.
 */
static bool
send_requests(struct sgt_ia *ia, uint64_t now)
{
   for (uint32_t sent = 0; ia->request < ia->num;) {
      struct sgt_ia_entry *e = ia_entry(ia, ia->request);
      if (!e->unsent) {
         ia->request++;
         continue;
      }
      if (ia->lines_open == ia->params.fetch_open)
         return false;
      if (sent == ia->params.fetch_lines)
         return true;
      if (!sgt_channel_can_send(ia->requests, now))
         return false;
      const struct sgt_work *work = ia->plan->work;
      const struct sgt_warp *w = &work->warps[e->number];
      const struct sgt_mem_request request = {
         .address = sgt_line_address(work->lines[w->first_fetch + w->num_fetch - e->unsent]),
         .tag = e - ia->ring,
         .client = ia->client,
         .kind = SGT_MEM_READ,
         .sectors = 3,
      };
      sgt_channel_send(ia->requests, now, &request);
      e->unsent--;
      ia->lines_open++;
      ia->counters.lines++;
      ia->counters.max_lines_open = MAX2(ia->counters.max_lines_open, ia->lines_open);
      sent++;
   }
   return false;
}

static uint64_t
ia_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_ia *ia = container_of(unit, struct sgt_ia, unit);
   const struct sgt_mem_response *response;
   while ((response = sgt_channel_peek(ia->responses, now))) {
      ia->ring[response->tag].unanswered--;
      ia->lines_open--;
      sgt_channel_take(ia->responses, now);
   }
   take_ended(ia, now);
   uint64_t assembler_wake, host_wake;
   enum sgt_ia_state gap;
   const enum sgt_ia_state state = run_assembler(ia, now, &gap, &assembler_wake);
   const enum sgt_ia_host_state host = run_host(ia, now, &host_wake);
   /* Ring entries that the host interface has added in this cycle are handled in the next cycle. */
   uint64_t next = MIN2(assembler_wake, host_wake);
   if (gap == SGT_IA_EMPTY && ia->num)
      next = now + unit->clock->period;
   if (send_requests(ia, now))
      next = now + unit->clock->period;
   sgt_unit_states_put(&ia->assembler, unit, now, state, gap);
   sgt_unit_states_put(&ia->host, unit, now, host, host);
   return next;
}

bool
sgt_ia_init(struct sgt_ia *ia, struct sgt_sched *sched, const struct sgt_clock *clock,
            const struct sgt_ia_params *params, const struct sgt_plan *plan)
{
   *ia = (struct sgt_ia){
      .unit = { .name = "front", .clock = clock, .tick = ia_tick },
      .params = *params,
      .plan = plan,
      .room = util_next_power_of_two(params->ahead + params->operations),
      .ready = SGT_NEVER,
   };
   ia->ring = calloc(ia->room, sizeof(*ia->ring));
   ia->open = calloc(params->operations, sizeof(*ia->open));
   if (ia->ring && ia->open && sgt_sched_add(sched, &ia->unit, 0))
      return true;
   sgt_ia_finish(ia);
   return false;
}

void
sgt_ia_finish(struct sgt_ia *ia)
{
   free(ia->ring);
   free(ia->open);
   ia->ring = NULL;
   ia->open = NULL;
}

bool
sgt_ia_done(const struct sgt_ia *ia)
{
   return ia->next == ia->plan->trace->num_operations && !ia->num && !ia->num_open;
}

void
sgt_ia_register(struct sgt_ia *ia, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&ia->host, &ia->unit, cycles);
   sgt_unit_states_finish(&ia->assembler, &ia->unit, cycles);
   ia->counters.bytes = ia->counters.lines * 64;
   ia->counters.line_wait /= ia->unit.clock->period;
   sgt_ia_counters_register(&ia->counters, ia->host.count, ia->assembler.count, cycles, stats);
}

void
sgt_ia_dump(const struct sgt_ia *ia, struct sgt_dump *d)
{
   sgt_dump_unit(d, ia->unit.clock, "host", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_ia_counters_host_states_names[ia->host.gap]);
   sgt_dump_queue(d, "operations to begin", ia->plan->trace->num_operations - ia->next, 0);
   sgt_dump_queue(d, "operations without an end", ia->num_open, ia->params.operations);
   sgt_dump_channel(d, "ends of draws and grids", ia->ended[0]);
   sgt_dump_channel(d, "ends of transfers", ia->ended[1]);
   sgt_dump_unit(d, ia->unit.clock, "assembler", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_ia_counters_assembler_states_names[ia->assembler.gap]);
   sgt_dump_queue(d, "warps and begins", ia->num, ia->room);
   sgt_dump_oldest(d, ia->first_since);
   sgt_dump_queue(d, "lines", ia->lines_open, ia->params.fetch_open);
   sgt_dump_channel(d, "responses", ia->responses);
}
