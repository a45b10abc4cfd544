/* SPDX-License-Identifier: MIT */
/*
 * Viewport, clip and setup: sends primitives to coarse raster.
 */
#include "chip_raster/sgt_setup.h"

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

static void
setup_count(struct sgt_setup_counters *c, const struct sgt_item *item)
{
   c->primitives++;
   c->triangles += item->kind == SGT_ITEM_TRIANGLE;
   c->lines += item->kind == SGT_ITEM_LINE;
   c->points += item->kind == SGT_ITEM_POINT;
   c->front += item->kind == SGT_ITEM_TRIANGLE && item->front;
   c->back += item->kind == SGT_ITEM_TRIANGLE && !item->front;
   c->empty += !item->num_blocks;
}

static uint64_t
setup_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_setup *s = container_of(unit, struct sgt_setup, unit);
   enum sgt_setup_state gap = SGT_SETUP_EMPTY;
   const struct sgt_setup_work *work;
   uint32_t primitives = 0;
   bool busy = false;
   while ((work = sgt_channel_peek(s->work, now))) {
      const struct sgt_plan_output *output = &s->plan->outputs[work->output];
      if (s->done < output->num_items) {
         if (primitives == s->rate)
            break;
         if (!sgt_channel_can_send(s->items, now)) {
            gap = SGT_SETUP_FULL;
            break;
         }
         const uint32_t item = output->first_item + s->done++;
         sgt_channel_send(s->items, now, &(struct sgt_raster_item){ item, false });
         setup_count(&s->counters, &s->plan->trace->items[item]);
         primitives++;
         busy = true;
         continue;
      }
      if (output->ends) {
         if (!sgt_channel_can_send(s->items, now)) {
            gap = SGT_SETUP_FULL;
            break;
         }
         sgt_channel_send(s->items, now, &(struct sgt_raster_item){ output->operation, true });
         s->counters.operations++;
      }
      s->counters.outputs++;
      s->done = 0;
      sgt_channel_take(s->work, now);
      busy = true;
   }
   sgt_unit_states_put(&s->states, unit, now, busy ? SGT_SETUP_BUSY : gap, gap);
   return busy && work && gap == SGT_SETUP_EMPTY ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_setup_init(struct sgt_setup *s, struct sgt_sched *sched, const struct sgt_clock *clock,
               const struct sgt_raster_params *params, const struct sgt_plan *plan)
{
   *s = (struct sgt_setup){
      .unit = { .name = "setup", .clock = clock, .tick = setup_tick },
      .rate = params->setup,
      .plan = plan,
      .states.gap = SGT_SETUP_EMPTY,
   };
   return sgt_sched_add(sched, &s->unit, 0);
}

void
sgt_setup_register(struct sgt_setup *s, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&s->states, &s->unit, cycles);
   sgt_setup_counters_register(&s->counters, s->states.count, cycles, stats);
}

void
sgt_setup_dump(const struct sgt_setup *s, struct sgt_dump *d)
{
   sgt_dump_unit(d, s->unit.clock, "setup", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_setup_counters_states_names[s->states.gap]);
   sgt_dump_channel(d, "outputs", s->work);
   sgt_dump_queue(d, "primitives of an output that have gone on", s->done, 0);
}
