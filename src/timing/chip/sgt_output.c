/* SPDX-License-Identifier: MIT */
/*
 * Pixel output of a TPC: sends the pixels of finished warps to the ROPs.
 */
#include "chip/sgt_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"
#include "util/u_math.h"

static struct sgt_output_entry *
output_entry(const struct sgt_output *o, uint32_t i)
{
   return &o->ring[(o->first + i) & (o->room - 1)];
}

/* Returns true if the iterator generates requests for this render target. */
static bool
output_takes(const struct sgt_output_walk *w, const struct sgt_target *target)
{
   if (target->flags & SGT_TARGET_DEPTH)
      return w->late && !(target->flags & SGT_TARGET_EARLY);
   return !w->late && target->flags & SGT_TARGET_WRITE;
}

/* Generates the iterator's next requests for its current warp. Returns false if there are no more
 * requests.
 */
static bool
make_requests(struct sgt_output *o, struct sgt_output_walk *w)
{
   const struct sgt_trace *t = o->plan->trace;
   const struct sgt_work *work = o->plan->work;
   const struct sgt_warp *warp = &work->warps[output_entry(o, w->entry)->warp];
   const struct sgt_operation *op = &t->operations[warp->operation];
   for (; w->target < op->num_targets; w->target++, w->quad = 0) {
      const struct sgt_target *target = &t->targets[op->first_target + w->target];
      if (!output_takes(w, target))
         continue;
      struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS];
      unsigned num = 0;
      uint32_t layer = 0;
      for (; w->quad < warp->num_quads && num < SGT_ROP_SPLIT_QUADS; w->quad++) {
         const struct sgt_quad *q = &work->quads[warp->first_quad + w->quad];
         const uint8_t mask = w->late ? q->covered : q->kept;
         if (!mask)
            continue;
         if (num && t->items[q->item].layer != layer)
            break;
         layer = t->items[q->item].layer;
         quads[num++] = (struct sgt_rop_quad){
            .x = q->x, .y = q->y, .item = q->item, .mask = mask, .written = q->kept & mask
         };
      }
      if (!num)
         continue;
      w->num = sgt_rop_split(target, layer, quads, num, w->requests);
      w->next = 0;
      for (unsigned i = 0; i < w->num; i++)
         *(w->late ? &o->counters.depth_pixels
                   : &o->counters.color_pixels) += w->requests[i].pixels;
      if (w->num)
         return true;
   }
   return false;
}

/* Sends the iterator's next request. Returns false if there are no more requests, or if the next
 * request must wait. In the latter case, *gap is set to the state that explains the wait.
 */
static bool
send_one(struct sgt_output *o, struct sgt_output_walk *w, uint64_t now, enum sgt_output_state *gap)
{
   while (w->entry < o->num) {
      struct sgt_output_entry *e = output_entry(o, w->entry);
      uint32_t *open = w->late ? &e->tests : &e->writes;
      if (!w->late && !o->no_tests && (w->entry == o->depths.entry || e->tests)) {
         *gap = *gap == SGT_OUTPUT_EMPTY ? SGT_OUTPUT_TESTS : *gap;
         return false;
      }
      if (!w->begun) {
         w->begun = true;
         w->target = w->quad = 0;
         w->num = w->next = 0;
      }
      if (w->next == w->num && !make_requests(o, w)) {
         o->counters.late_warps += w->late && w->num;
         (*open)--;
         w->begun = false;
         w->entry++;
         continue;
      }
      struct sgt_rop_request *r = &w->requests[w->next];
      const uint32_t rop = sgt_rop_client_partition(&o->client, r->address);
      const uint32_t tag = (e - o->ring) << 1 | w->late;
      if (!sgt_rop_client_send(&o->client, rop, now, r, tag)) {
         *gap = SGT_OUTPUT_ROP;
         return false;
      }
      (*open)++;
      *(w->late ? &o->counters.depth_requests : &o->counters.color_requests) += 1;
      w->next++;
      return true;
   }
   return false;
}

static bool
take_messages(struct sgt_output *o, uint64_t now)
{
   bool taken = false;
   for (uint32_t i = 0; i < o->client.num_rops; i++) {
      const struct sgt_rop_response *r;
      while ((r = sgt_channel_peek(o->client.responses[i], now))) {
         struct sgt_output_entry *e = &o->ring[r->tag >> 1];
         *(r->tag & 1 ? &e->tests : &e->writes) -= 1;
         o->client.answered++;
         sgt_channel_take(o->client.responses[i], now);
         taken = true;
      }
   }
   const struct sgt_pixel_output *w;
   while (o->num < o->params.warps && (w = sgt_channel_peek(o->warps, now))) {
      /* Start with one pending request per iterator, so that the warp can't end before all of its
       * requests have been sent. Each iterator removes its extra request when it moves on to the
       * next warp.
       */
      *output_entry(o, o->num++) = (struct sgt_output_entry){ w->warp, 1, 1, now };
      o->counters.warps++;
      o->counters.max_warps = MAX2(o->counters.max_warps, o->num);
      sgt_channel_take(o->warps, now);
      taken = true;
   }
   return taken;
}

static bool
send_written(struct sgt_output *o, uint64_t now)
{
   bool sent = false;
   while (o->num) {
      const struct sgt_output_entry *e = output_entry(o, 0);
      if (e->tests || e->writes || !sgt_channel_can_send(o->written, now))
         break;
      sgt_channel_send(o->written, now, &(struct sgt_pixel_written){ e->warp });
      o->counters.latency += now - e->since;
      o->first = (o->first + 1) & (o->room - 1);
      o->num--;
      o->depths.entry--;
      o->colors.entry--;
      sent = true;
   }
   return sent;
}

static uint64_t
output_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_output *o = container_of(unit, struct sgt_output, unit);
   enum sgt_output_state gap = SGT_OUTPUT_EMPTY;
   bool busy = unit->waiting && take_messages(o, now);
   const uint64_t passed = (uint64_t)o->colors.entry + o->depths.entry;
   const uint32_t tested = o->depths.entry;
   uint32_t sent = 0;
   /* Send colors first, because warps end when their colors have been written. */
   while (sent < o->params.rate && send_one(o, &o->colors, now, &gap))
      sent++;
   const uint32_t colors = sent;
   while (sent < o->params.rate && send_one(o, &o->depths, now, &gap))
      sent++;
   /* Run again in the next cycle if only the rate stopped this one. The same applies if the depth
    * iterator made progress, since the colors of its warps may be sent now.
    */
   bool more = sent == o->params.rate || sent != colors || o->depths.entry != tested;
   busy |= sent || (uint64_t)o->colors.entry + o->depths.entry != passed;
   if (send_written(o, now)) {
      busy = true;
      more |= sgt_channel_peek(o->warps, now) != NULL;
   }
   if (gap == SGT_OUTPUT_EMPTY && o->num)
      gap = SGT_OUTPUT_WRITES;
   sgt_unit_states_put(&o->states, unit, now, busy ? SGT_OUTPUT_BUSY : gap, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_output_init(struct sgt_output *o, struct sgt_sched *sched, const struct sgt_clock *clock,
                const struct sgt_output_params *params, const struct sgt_plan *plan, uint32_t tpc)
{
   *o = (struct sgt_output){
      .unit = { .name = "output", .clock = clock, .tick = output_tick },
      .params = *params,
      .plan = plan,
      .room = util_next_power_of_two(params->warps),
      .depths.late = true,
      .states.gap = SGT_OUTPUT_EMPTY,
   };
   snprintf(o->name, sizeof(o->name), "output%" PRIu32, tpc);
   o->ring = calloc(o->room, sizeof(*o->ring));
   o->depths.requests = calloc(SGT_ROP_SPLIT_MAX, sizeof(*o->depths.requests));
   o->colors.requests = calloc(SGT_ROP_SPLIT_MAX, sizeof(*o->colors.requests));
   if (o->ring && o->depths.requests && o->colors.requests && sgt_sched_add(sched, &o->unit, 0))
      return true;
   sgt_output_finish(o);
   return false;
}

void
sgt_output_finish(struct sgt_output *o)
{
   free(o->ring);
   free(o->depths.requests);
   free(o->colors.requests);
   o->ring = NULL;
   o->depths.requests = o->colors.requests = NULL;
}

bool
sgt_output_idle(const struct sgt_output *o)
{
   return !o->num && o->client.sent == o->client.answered;
}

void
sgt_output_register(struct sgt_output *o, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&o->states, &o->unit, cycles);
   o->counters.latency /= o->unit.clock->period;
   sgt_output_counters_register(&o->counters, o->states.count, cycles, stats, o->name);
}

void
sgt_output_dump(const struct sgt_output *o, uint32_t number, struct sgt_dump *d)
{
   sgt_dump_unit(d, o->unit.clock, "output", number);
   sgt_dump_state(d, "", sgt_output_counters_states_names[o->states.gap]);
   sgt_dump_queue(d, "pixel warps", o->num, o->params.warps);
   if (o->num)
      sgt_dump_oldest(d, output_entry(o, 0)->since);
   sgt_dump_queue(d, "with late tests to send", o->num - o->depths.entry, 0);
   sgt_dump_queue(d, "with colours to send", o->num - o->colors.entry, 0);
   sgt_dump_queue(d, "requests without an answer", o->client.sent - o->client.answered, 0);
   sgt_dump_channel(d, "warps of the distributor", o->warps);
}
