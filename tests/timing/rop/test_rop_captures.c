/* SPDX-License-Identifier: MIT */
/*
 * A ROP on all of a capture: requests at the addresses of the device's surfaces, one after the
 * other.  Depth is tested block by block, colours are those that the device kept.
 *
 *    sgt_test_rop_captures FILE.sgcap
 *
 * The requests have the pixels of the trace, inside the targets' memory; the laws of
 * conservation hold; the order of units does not matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "events.h"
#include "sgt_rop.h"
#include "sgt_rop_split.h"
#include "sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MEMORY_LATENCY 100 /* cycles */

static void
die(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

/* All requests of a trace. */
struct list {
   struct sgt_rop_request *requests;
   uint64_t num, max;
   uint64_t samples[2]; /* that the trace has, and the requests */
   uint64_t outside;    /* requests with bytes outside of their target's planes */
};

static void
add(struct list *l, const struct sgt_rop_request *r, unsigned num)
{
   if (l->num + num > l->max) {
      l->max = (l->num + num) * 2;
      l->requests = realloc(l->requests, l->max * sizeof(*l->requests));
      if (!l->requests)
         die("out of memory");
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

/* Sends the list, and takes responses. */
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

struct memory {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   uint64_t sectors[2];
};

static uint64_t
memory_tick(struct sgt_unit *unit, uint64_t now)
{
   struct memory *m = container_of(unit, struct memory, unit);
   const struct sgt_mem_request *r = sgt_channel_peek(&m->requests, now);

   if (!r)
      return SGT_NEVER;
   if (r->kind == SGT_MEM_READ) {
      if (!sgt_channel_can_send(&m->responses, now))
         return SGT_NEVER;
      sgt_channel_send(&m->responses, now,
                       &(struct sgt_mem_response){ r->address, r->tag, r->client });
   }
   m->sectors[r->kind == SGT_MEM_WRITE] += util_bitcount(r->sectors);
   sgt_channel_take(&m->requests, now);
   return now + unit->clock->period;
}

struct result {
   struct sgt_rop_stats stats;
   struct sgt_rop_path_stats paths[SGT_ROP_PATHS];
};

static struct result
run(const struct list *list, bool compression, uint64_t shuffle)
{
   struct sgt_clock clock = { .mhz = 600 };
   struct sgt_rop_params p;
   struct sgt_sched sched;
   struct sgt_stats stats;
   struct sgt_rop rop;
   struct sender s = { .unit = { "sender", &clock, sender_tick }, .list = list };
   struct memory m = { .unit = { "memory", &clock, memory_tick } };
   char error[256];

   sgt_rop_params_init(&p);
   p.partitions = 1;
   p.compression = compression;
   sgt_sched_init(&sched);
   if (shuffle)
      sgt_sched_shuffle(&sched, shuffle);
   if (!sgt_clocks_init(&clock, 1) || !sgt_rop_init(&rop, &sched, &clock, &p, 0) ||
       !sgt_sched_add(&sched, &s.unit, 0) || !sgt_sched_add(&sched, &m.unit, 0) ||
       !sgt_channel_init(&s.requests, &sched, &s.unit, &rop.unit, sizeof(struct sgt_rop_request), 4,
                         1) ||
       !sgt_channel_init(&s.responses, &sched, &rop.unit, &s.unit, sizeof(struct sgt_rop_response),
                         4, 1) ||
       !sgt_channel_init(&m.requests, &sched, &rop.unit, &m.unit, sizeof(struct sgt_mem_request), 4,
                         1) ||
       !sgt_channel_init(&m.responses, &sched, &m.unit, &rop.unit, sizeof(struct sgt_mem_response),
                         MEMORY_LATENCY + 4, MEMORY_LATENCY))
      die("out of memory");
   rop.requests = &s.requests;
   rop.responses = &s.responses;
   rop.memory = &m.requests;
   rop.fills = &m.responses;
   while (sgt_sched_step(&sched, UINT64_MAX - 1))
      ;
   sgt_rop_end(&rop, sched.now);

   struct result result = { .stats = rop.stats };
   uint64_t responding = 0, requests = 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path_stats *path = &rop.paths[i].stats;
      result.paths[i] = *path;
      responding += path->responding;
      requests += path->requests;
      if (path->queue_wait != path->queue_occupancy ||
          path->waiting_wait != path->waiting_occupancy || path->pipe_wait != path->pipe_occupancy)
         die("Little's law does not hold");
      if (path->fetched_sectors + path->fetch_saved != rop.paths[i].cache.stats.fetched)
         die("sectors of fetches do not add up");
   }
   if (s.sent != list->num || requests != list->num || responding != s.answered ||
       !sgt_rop_idle(&rop) || sgt_rop_out_of_memory(&rop))
      die("requests are left");
   if (rop.stats.read_sectors != m.sectors[0] || rop.stats.write_sectors != m.sectors[1])
      die("sectors of memory do not add up");
   sgt_stats_init(&stats);
   sgt_rop_register(&rop, &stats, "rop", "rop-depth", "rop-color");
   if (!sgt_stats_check(&stats, error, sizeof(error)))
      die(error);
   sgt_stats_finish(&stats);
   sgt_channel_finish(&s.requests);
   sgt_channel_finish(&s.responses);
   sgt_channel_finish(&m.requests);
   sgt_channel_finish(&m.responses);
   sgt_rop_finish(&rop);
   sgt_sched_finish(&sched);
   return result;
}

int
main(int argc, char **argv)
{
   static const struct events_way way = {
      .threads = 2,
      .policy = SGPU_DISPATCH_OOO_SPLIT,
      .classes = SGPU_OBSERVE_COVERAGE,
      .work = true,
   };
   struct sgt_store *store = events_store(&way);
   struct sgpu_device_params params = events_params(&way, store);
   struct sgcap_record rec;
   struct cap_player p;
   struct list list = { 0 };
   char error[256] = "";

   if (argc != 2 || !cap_player_open(&p, argv[1], &params, true))
      die("usage: sgt_test_rop_captures FILE.sgcap");
   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   while (cap_player_next(&p, &rec)) {
      if (rec.type == SGCAP_SUBMIT && !cap_player_submit(&p, &rec))
         die("a submission failed");
   }
   cap_player_wait(&p);
   cap_player_close(&p);
   struct sgt_trace *trace = sgt_store_finish(store, error, sizeof(error));
   struct sgt_work *work = trace ? sgt_store_work(store) : NULL;
   if (!trace || !work)
      die(error);
   make_list(&list, trace, work);
   if (list.samples[0] != list.samples[1] || list.outside) {
      fprintf(stderr, "%" PRIu64 " samples of %" PRIu64 ", %" PRIu64 " requests outside\n",
              list.samples[1], list.samples[0], list.outside);
      return 1;
   }

   const struct result a = run(&list, true, 0), b = run(&list, true, 7), raw = run(&list, false, 0);
   if (memcmp(&a, &b, sizeof(a)))
      die("the order of units matters");
   if (a.stats.read_sectors > raw.stats.read_sectors)
      die("compression reads more");
   uint64_t quads = 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path_stats *path = &a.paths[i];
      if (a.stats.cycles * (i == SGT_ROP_PATH_DEPTH ? 2 : 1) < path->quads)
         die("quads are faster than the path");
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
   sgt_store_destroy(store);
   return 0;
}
