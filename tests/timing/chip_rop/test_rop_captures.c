/* SPDX-License-Identifier: MIT */
/*
 * Runs a ROP on a whole capture: requests at the addresses of the device's surfaces, one after the
 * other.  Depth is tested block by block; colours are those that the device has stored.
 *
 *    sgt_test_rop_captures FILE.sgcap
 *
 * The requests must have the pixels of the trace, inside of the targets' memory.  Conservation laws
 * must hold, and the order of units must not matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_rig.h"
#include "chip_rop/sgt_rop.h"
#include "chip_rop/sgt_rop_split.h"
#include "unit_rig.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MEMORY_LATENCY 100 /* cycles */

/* All requests of a trace. */
struct list {
   struct sgt_rop_request *requests;
   uint64_t num, max;
   uint64_t samples[2]; /* number of samples in the trace, and in the requests */
   uint64_t outside;    /* number of requests with bytes outside of the planes of their target */
};

static void
add(struct list *l, const struct sgt_rop_request *r, unsigned num)
{
   if (l->num + num > l->max) {
      l->max = (l->num + num) * 2;
      l->requests = realloc(l->requests, l->max * sizeof(*l->requests));
      unit_rig_require(l->requests, "out of memory");
   }
   memcpy(l->requests + l->num, r, num * sizeof(*r));
   l->num += num;
}

static uint64_t
end_of(const struct sgt_target *t)
{
   const uint32_t rows = t->flags & SGT_TARGET_TILED ? DIV_ROUND_UP(t->height, 4) : t->height;

   return t->origin + (t->layers - 1) * t->layer_stride + (t->samples - 1) * t->sample_stride +
          (uint64_t)rows * t->pitch;
}

static void
add_quads(struct list *l, const struct sgt_target *t, uint32_t layer,
          const struct sgt_rop_quad *quads, unsigned num)
{
   static struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX];
   const unsigned n = sgt_rop_split(t, layer, quads, num, requests);

   for (unsigned i = 0; i < num; i++)
      l->samples[0] += util_bitcount(quads[i].mask) * t->samples;
   for (unsigned i = 0; i < n; i++) {
      l->samples[1] += requests[i].pixels;
      l->outside += requests[i].address + 63 < t->origin || requests[i].address >= end_of(t);
   }
   add(l, requests, n);
}

static void
add_draw(struct list *l, const struct sgt_trace *t, const struct sgt_work *work, uint32_t index)
{
   const struct sgt_operation *o = &t->operations[index];
   const struct sgt_operation_work *w = &work->operations[index];

   for (uint32_t k = 0; k < o->num_targets; k++) {
      const struct sgt_target *target = &t->targets[o->first_target + k];
      struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS];
      if (target->flags & SGT_TARGET_DEPTH) {
         for (uint32_t i = o->first_item; i < o->first_item + o->num_items; i++) {
            const struct sgt_item *item = &t->items[i];
            for (uint32_t b = item->first_block; b < item->first_block + item->num_blocks; b++) {
               if (sgt_block_zculled(t, b))
                  continue;
               const unsigned num = sgt_rop_block_quads(&t->blocks[b], i, UINT32_MAX, quads);
               add_quads(l, target, item->layer, quads, num);
            }
         }
         continue;
      }
      for (uint32_t i = w->first_warp; i < w->first_warp + w->num_warps; i++) {
         const struct sgt_warp *warp = &work->warps[i];
         for (uint32_t q = 0; q < warp->num_quads; q++) {
            const struct sgt_quad *quad = &work->quads[warp->first_quad + q];
            const struct sgt_rop_quad own = { quad->x, quad->y, quad->item, quad->kept,
                                              quad->kept };
            add_quads(l, target, t->items[quad->item].layer, &own, 1);
         }
      }
   }
}

static void
make_list(struct list *l, const struct sgt_trace *t, const struct sgt_work *work)
{
   for (uint32_t i = 0; i < t->num_operations; i++) {
      const struct sgt_operation *o = &t->operations[i];
      if (o->draw != UINT32_MAX) {
         add_draw(l, t, work, i);
         continue;
      }
      for (uint32_t k = 0; k < o->num_items; k++) {
         struct sgt_rop_transfer transfer;
         struct sgt_rop_request r;
         if (!sgt_rop_transfer_begin(&transfer, t, o->first_item + k, true))
            continue;
         while (sgt_rop_transfer_next(&transfer, &r))
            add(l, &r, 1);
      }
   }
   for (unsigned i = 0; i < 2; i++)
      add(l,
          &(struct sgt_rop_request){
             .kind = SGT_ROP_FLUSH,
             .flags = SGT_ROP_RESPOND | (i ? SGT_ROP_TO_DEPTH : 0),
          },
          1);
}

/* Sends the list and takes responses. */
struct sender {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   const struct list *list;
   uint64_t sent, answered;
};

static uint64_t
sender_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sender *s = container_of(unit, struct sender, unit);

   while (sgt_channel_peek(&s->responses, now)) {
      s->answered++;
      sgt_channel_take(&s->responses, now);
   }
   if (s->sent < s->list->num && sgt_channel_can_send(&s->requests, now))
      sgt_channel_send(&s->requests, now, &s->list->requests[s->sent++]);
   return s->sent < s->list->num ? now + unit->clock->period : SGT_NEVER;
}

struct result {
   struct sgt_rop_stats stats;
   struct sgt_rop_path_stats paths[SGT_ROP_PATHS];
};

static struct result
run(const struct list *list, bool compression, uint64_t shuffle)
{
   struct sgt_rop_params p;
   struct sgt_stats stats;
   struct unit_rig rig;
   struct unit_rig_memory memory;
   struct sgt_rop rop;
   struct sender s = { .list = list };

   sgt_rop_params_init(&p);
   p.partitions = 1;
   p.compression = compression;
   unit_rig_begin(&rig, shuffle);
   unit_rig_require(sgt_rop_init(&rop, &rig.sched, rig.clock, &p, 0), "out of memory");
   unit_rig_add(&rig, &s.unit, "sender", sender_tick);
   unit_rig_connect(&rig, &s.requests, &s.unit, &rop.unit, sizeof(struct sgt_rop_request), 4, 1);
   unit_rig_connect(&rig, &s.responses, &rop.unit, &s.unit, sizeof(struct sgt_rop_response), 4, 1);
   unit_rig_memory(&rig, &memory, &rop.unit, 0, 4, MEMORY_LATENCY);
   rop.requests = &s.requests;
   rop.responses = &s.responses;
   rop.memory = &memory.requests;
   rop.fills = &memory.responses;
   unit_rig_run(&rig);
   sgt_rop_end(&rop, rig.sched.now);

   struct result result = { .stats = rop.stats };
   uint64_t responding = 0, requests = 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path_stats *path = &rop.paths[i].stats;
      result.paths[i] = *path;
      responding += path->responding;
      requests += path->requests;
      unit_rig_require(path->queue_wait == path->queue_occupancy &&
                          path->waiting_wait == path->waiting_occupancy &&
                          path->pipe_wait == path->pipe_occupancy,
                       "Little's law does not hold");
      unit_rig_require(path->fetched_sectors + path->fetch_saved ==
                          rop.paths[i].cache.stats.fetched,
                       "sectors of fetches do not add up");
   }
   unit_rig_require(s.sent == list->num && requests == list->num && responding == s.answered &&
                       sgt_rop_idle(&rop) && !sgt_rop_out_of_memory(&rop),
                    "requests are left");
   unit_rig_require(rop.stats.read_sectors == memory.sectors_read &&
                       rop.stats.write_sectors == memory.sectors_written,
                    "sectors of memory do not add up");
   sgt_stats_init(&stats);
   sgt_rop_register(&rop, &stats, "rop", "rop-depth", "rop-color");
   unit_rig_check(&stats);
   sgt_stats_finish(&stats);
   unit_rig_end(&rig);
   sgt_rop_finish(&rop);
   return result;
}

int
main(int argc, char **argv)
{
   struct list list = { 0 };
   struct sgt_trace *trace;
   struct sgt_work *work;

   capture_rig_load(argv[1], &trace, &work);
   make_list(&list, trace, work);
   if (list.samples[0] != list.samples[1] || list.outside) {
      fprintf(stderr, "%" PRIu64 " samples of %" PRIu64 ", %" PRIu64 " requests outside\n",
              list.samples[1], list.samples[0], list.outside);
      return 1;
   }

   const struct result a = run(&list, true, 0), b = run(&list, true, 7), raw = run(&list, false, 0);
   unit_rig_require(!memcmp(&a, &b, sizeof(a)), "the order of units matters");
   unit_rig_require(a.stats.read_sectors <= raw.stats.read_sectors, "compression reads more");
   uint64_t quads = 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path_stats *path = &a.paths[i];
      unit_rig_require(a.stats.cycles * (i == SGT_ROP_PATH_DEPTH ? 2 : 1) >= path->quads,
                       "quads are faster than the path");
      quads += path->quads;
   }
   printf("%" PRIu64 " requests, %" PRIu64 " samples, %" PRIu64 " quads: %" PRIu64
          " cycles; sectors of memory %" PRIu64 " + %" PRIu64 ", without compression %" PRIu64
          " + %" PRIu64 "\n",
          list.num, list.samples[0], quads, a.stats.cycles, a.stats.read_sectors,
          a.stats.write_sectors, raw.stats.read_sectors, raw.stats.write_sectors);
   free(list.requests);
   sgt_trace_destroy(trace);
   sgt_work_destroy(work);
   return 0;
}
