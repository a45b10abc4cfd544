/* SPDX-License-Identifier: MIT */
/*
 * Early depth tests: sends blocks to the ROPs, and releases the pixel warps of tested blocks.
 */
#include "chip_raster/sgt_early.h"

#include <stdlib.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

/* Returns the depth target of an operation that tests depth before its pixel program, or NULL. */
static const struct sgt_target *
early_target(const struct sgt_trace *t, uint32_t operation)
{
   const struct sgt_operation *op = &t->operations[operation];
   for (uint32_t i = 0; i < op->num_targets; i++) {
      const struct sgt_target *target = &t->targets[op->first_target + i];
      if (target->flags & SGT_TARGET_DEPTH && target->flags & SGT_TARGET_EARLY)
         return target;
   }
   return NULL;
}

/* Generates the ROP requests of a block. The lanes that are part of pixel warps pass the test. If
 * the draw has no pixel warps, the trace doesn't show which lanes pass, so assume that all lanes
 * do.
 */
static void
early_split(struct sgt_early *e, struct sgt_early_entry *entry, uint32_t item_number)
{
   const struct sgt_trace *t = e->plan->trace;
   const struct sgt_item *item = &t->items[item_number];
   const struct sgt_target *target = early_target(t, item->operation);
   if (!target || (e->drops && entry->number % 8 == 7))
      return;
   const struct sgt_block *block = &t->blocks[entry->number];
   const bool shades = e->plan->operations[item->operation].num_pixels;
   const uint32_t passed = shades ? e->plan->passed[entry->number] & block->mask : block->mask;
   struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS];
   const unsigned num = sgt_rop_block_quads(block, item_number, passed, quads);
   e->num_requests = sgt_rop_split(target, item->layer, quads, num, e->requests);
   e->next_request = 0;
   e->slot = entry - e->ring;
   entry->unanswered = e->num_requests;
   e->counters.tested_blocks++;
   e->counters.tested_pixels += util_bitcount(block->mask);
   e->counters.passed_pixels += util_bitcount(passed);
   e->counters.failed_blocks += !passed;
}

/* Handles all messages from the distributor and the ROPs. Returns true if there were any. */
static bool
take_messages(struct sgt_early *e, uint64_t now)
{
   const struct sgt_late_ended *late;
   bool taken = false;
   while ((late = sgt_channel_peek(e->late, now))) {
      e->late_ended[e->plan->operations[late->operation].lates] = true;
      while (e->lates < e->plan->num_lates && e->late_ended[e->lates])
         e->lates++;
      sgt_channel_take(e->late, now);
      taken = true;
   }
   for (uint32_t i = 0; i < e->client.num_rops; i++) {
      const struct sgt_rop_response *r;
      while ((r = sgt_channel_peek(e->client.responses[i], now))) {
         struct sgt_early_entry *entry = &e->ring[r->tag];
         if (!--entry->unanswered)
            e->counters.test_cycles += now - entry->since;
         e->client.answered++;
         sgt_channel_take(e->client.responses[i], now);
         taken = true;
      }
   }
   return taken;
}

/* Returns true if a block must wait, because its depth is tested early and late tests of an earlier
 * draw may still write depth.
 */
static bool
must_wait(const struct sgt_early *e, uint32_t item)
{
   const uint32_t operation = e->plan->trace->items[item].operation;
   return e->plan->operations[operation].lates > e->lates && !e->ahead &&
          early_target(e->plan->trace, operation);
}

/* Accepts blocks and sends their ROP requests. Returns true if any work was done. Sets *more if the
 * unit stops because it has reached the maximum number of requests per cycle. If it stops because
 * of a full channel or an earlier draw, sets *gap to the corresponding state.
 */
static bool
run_tests(struct sgt_early *e, uint64_t now, enum sgt_early_state *gap, bool *more)
{
   bool busy = false;
   for (uint32_t sent = 0;;) {
      while (e->next_request < e->num_requests) {
         struct sgt_rop_request *r = &e->requests[e->next_request];
         const uint32_t rop = sgt_rop_client_partition(&e->client, r->address);
         if (sent == e->rate) {
            *more = true;
            return busy;
         }
         if (!sgt_rop_client_send(&e->client, rop, now, r, e->slot)) {
            *gap = SGT_EARLY_ROP;
            return busy;
         }
         e->next_request++;
         e->counters.requests++;
         sent++;
         busy = true;
      }
      const struct sgt_raster_block *block = sgt_channel_peek(e->blocks, now);
      if (!block)
         return busy;
      if (e->num == e->queue)
         return busy;
      if (!block->ends && must_wait(e, block->item)) {
         *gap = SGT_EARLY_LATE;
         return busy;
      }
      struct sgt_early_entry *entry = &e->ring[(e->first + e->num++) & (e->room - 1)];
      *entry = (struct sgt_early_entry){
         .number = block->number,
         .warp = block->ends ? SGT_NONE : e->plan->released[block->number],
         .ends = block->ends,
         .since = now,
      };
      e->counters.max_queue = MAX2(e->counters.max_queue, e->num);
      e->counters.blocks += !block->ends;
      if (!block->ends)
         early_split(e, entry, block->item);
      sgt_channel_take(e->blocks, now);
      busy = true;
   }
}

/* Releases the pixel warps of tested blocks, oldest block first. Returns true if any work was done.
 */
static bool
run_releases(struct sgt_early *e, uint64_t now, enum sgt_early_state *gap)
{
   bool busy = false;
   while (e->num) {
      struct sgt_early_entry *entry = &e->ring[e->first];
      if (entry->unanswered) {
         *gap = *gap == SGT_EARLY_EMPTY ? SGT_EARLY_TESTS : *gap;
         return busy;
      }
      while (entry->ends || entry->warp != SGT_NONE) {
         if (!sgt_channel_can_send(e->releases, now)) {
            *gap = SGT_EARLY_RELEASE;
            return busy;
         }
         const uint32_t number = entry->ends ? entry->number : entry->warp;
         sgt_channel_send(e->releases, now, &(struct sgt_raster_release){ number, entry->ends });
         busy = true;
         if (entry->ends)
            break;
         e->counters.warps++;
         entry->warp = e->plan->next_released[entry->warp];
      }
      e->first = (e->first + 1) & (e->room - 1);
      e->num--;
      busy = true;
   }
   return busy;
}

static uint64_t
early_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_early *e = container_of(unit, struct sgt_early, unit);
   enum sgt_early_state gap = SGT_EARLY_EMPTY;
   bool more = false;
   bool busy = take_messages(e, now);
   busy |= run_tests(e, now, &gap, &more);
   busy |= run_releases(e, now, &gap);
   /* A queue entry that has become free in this cycle can be used in the next cycle. */
   more |= busy && sgt_channel_peek(e->blocks, now);
   sgt_unit_states_put(&e->states, unit, now, busy ? SGT_EARLY_BUSY : gap, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_early_init(struct sgt_early *e, struct sgt_sched *sched, const struct sgt_clock *clock,
               const struct sgt_raster_params *params, const struct sgt_plan *plan)
{
   *e = (struct sgt_early){
      .unit = { .name = "early", .clock = clock, .tick = early_tick },
      .rate = params->early_rate,
      .queue = params->early_queue,
      .plan = plan,
      .room = util_next_power_of_two(params->early_queue),
      .states.gap = SGT_EARLY_EMPTY,
   };
   e->ring = calloc(e->room, sizeof(*e->ring));
   e->requests = calloc(SGT_ROP_SPLIT_MAX, sizeof(*e->requests));
   e->late_ended = calloc(plan->num_lates + 1, sizeof(*e->late_ended));
   if (e->ring && e->requests && e->late_ended && sgt_sched_add(sched, &e->unit, 0))
      return true;
   sgt_early_finish(e);
   return false;
}

void
sgt_early_finish(struct sgt_early *e)
{
   free(e->ring);
   free(e->requests);
   free(e->late_ended);
   e->ring = NULL;
   e->requests = NULL;
   e->late_ended = NULL;
}

bool
sgt_early_idle(const struct sgt_early *e)
{
   return !e->num && e->client.sent == e->client.answered;
}

void
sgt_early_register(struct sgt_early *e, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&e->states, &e->unit, cycles);
   e->counters.test_cycles /= e->unit.clock->period;
   sgt_early_counters_register(&e->counters, e->states.count, cycles, stats);
}

void
sgt_early_dump(const struct sgt_early *e, struct sgt_dump *d)
{
   sgt_dump_unit(d, e->unit.clock, "early", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_early_counters_states_names[e->states.gap]);
   sgt_dump_queue(d, "blocks", e->num, e->queue);
   if (e->num)
      sgt_dump_oldest(d, e->ring[e->first].since);
   sgt_dump_queue(d, "requests to send", e->num_requests - e->next_request, 0);
   sgt_dump_queue(d, "requests without an answer", e->client.sent - e->client.answered, 0);
   sgt_dump_channel(d, "blocks of fine raster", e->blocks);
   sgt_dump_channel(d, "ends of late draws", e->late);
}
