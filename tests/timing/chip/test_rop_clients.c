/* SPDX-License-Identifier: MIT */
/*
 * Tests early tests, pixel outputs, transfers and the networks of the ROPs.  The ROPs here answer
 * one request per cycle after a fixed time.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "chip_raster/sgt_early.h"
#include "chip/sgt_output.h"
#include "chip/sgt_rop_switch.h"
#include "chip/sgt_transfer.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define ROPS 6
#define TPCS 8
#define ROP_CYCLES 4
#define LATENCY 30 /* cycles from a request to the response of a ROP */
#define WIDTH 512

struct machine;

struct rop {
   struct sgt_unit unit;
   struct machine *m;
   uint32_t number;
   uint64_t requests[SGT_ROP_KINDS], pixels[SGT_ROP_KINDS];
   struct {
      uint64_t at;
      struct sgt_rop_response response;
   } open[256];
   uint32_t num;
};

struct machine {
   struct rig rig;
   struct sgt_partition_map map;
   struct sgt_early early;
   struct sgt_output outputs[TPCS];
   struct sgt_transfer transfer;
   struct sgt_rop_switch switches[ROPS];
   struct rop rops[ROPS];
   uint32_t flushed;
   /* Times of the latest depth request and of the first colour request, in ticks. */
   uint64_t last_depth, first_color;
   /* Latest item that wrote each line of colours, plus 1. */
   uint32_t latest[WIDTH * WIDTH * 4 / 64];
   uint64_t colors, read_lines, written_lines;
};

static void
check_request(struct machine *m, const struct rop *rop, const struct sgt_rop_request *q,
              uint64_t now)
{
   if (q->kind != SGT_ROP_CLEAR && q->kind != SGT_ROP_FLUSH)
      assert_int_equal(sgt_partition_find(&m->map, q->address).partition, rop->number);
   if (q->kind == SGT_ROP_DEPTH)
      m->last_depth = now;
   if (q->kind == SGT_ROP_WRITE)
      assert_true(m->read_lines > m->written_lines++);
   if (q->kind != SGT_ROP_COLOR)
      return;
   m->first_color = m->colors++ ? m->first_color : now;
   uint32_t *latest = &m->latest[q->address % (WIDTH * WIDTH * 4) / 64];
   assert_true(q->item + 1 >= *latest);
   *latest = q->item + 1;
}

static uint64_t
rop_tick(struct sgt_unit *unit, uint64_t now)
{
   struct rop *rop = container_of(unit, struct rop, unit);
   struct sgt_rop_switch *s = &rop->m->switches[rop->number];
   const struct sgt_rop_request *q;
   uint64_t next = SGT_NEVER;
   while (rop->num && rop->open[0].at <= now && sgt_channel_can_send(&s->from_rop, now)) {
      sgt_channel_send(&s->from_rop, now, &rop->open[0].response);
      memmove(&rop->open[0], &rop->open[1], --rop->num * sizeof(rop->open[0]));
   }
   if (rop->num < ARRAY_SIZE(rop->open) && (q = sgt_channel_peek(&s->to_rop, now))) {
      check_request(rop->m, rop, q, now);
      rop->requests[q->kind]++;
      rop->pixels[q->kind] += q->pixels;
      rop->m->read_lines += q->kind == SGT_ROP_READ;
      assert_true(q->flags & SGT_ROP_RESPOND);
      rop->open[rop->num].at = now + LATENCY * unit->clock->period;
      rop->open[rop->num++].response = (struct sgt_rop_response){ q->tag, q->port };
      sgt_channel_take(&s->to_rop, now);
      next = now + unit->clock->period;
   }
   return rop->num ? MIN2(next, MAX2(rop->open[0].at, now + unit->clock->period)) : next;
}

static void
flushed(void *data)
{
   ((struct machine *)data)->flushed++;
}

static struct machine *
begin(void)
{
   struct machine *m = calloc(1, sizeof(*m));
   assert_non_null(m);
   rig_begin(&m->rig);
   return m;
}

static void
connect_clients(struct machine *m)
{
   struct rig *r = &m->rig;
   const struct sgt_clock *core = r->machine.clock;
   const struct sgt_output_params output = { .warps = 32, .rate = 1 };
   const struct sgt_transfer_params transfer = { .rate = 4, .reads = 16, .writes = 8 };
   const struct sgt_rop_client client = { .num_rops = ROPS, .map = &m->map };
   assert_true(
      sgt_early_init(&m->early, &r->machine.sched, core, &r->params.raster, &r->front.plan));
   m->early.client = client;
   assert_true(sgt_chip_front_connect_early(&r->front, &m->early.unit));
   m->early.blocks = &r->front.blocks;
   m->early.releases = &r->front.releases;
   m->early.late = &r->front.late;
   assert_true(sgt_transfer_init(&m->transfer, &r->machine.sched, core, &transfer, r->trace));
   m->transfer.client = client;
   m->transfer.flushed = flushed;
   m->transfer.flushed_data = m;
   assert_true(sgt_chip_front_connect_transfer(&r->front, &m->transfer.unit));
   m->transfer.operations = &r->front.transfers;
   m->transfer.ended = &r->front.transfer_ended;
   for (uint32_t i = 0; i < TPCS; i++) {
      struct sgt_output *o = &m->outputs[i];
      assert_true(sgt_output_init(o, &r->machine.sched, core, &output, &r->front.plan, i));
      o->client = client;
      assert_true(sgt_chip_front_connect_output(&r->front, i, &o->unit));
      o->warps = &r->front.outputs[i];
      o->written = &r->front.written[i];
   }
   for (uint32_t i = 0; i < ROPS; i++) {
      struct sgt_rop_switch *s = &m->switches[i];
      struct rop *rop = &m->rops[i];
      unit_rig_add(&r->machine, &rop->unit, "rop", rop_tick);
      rop->m = m;
      rop->number = i;
      assert_true(sgt_rop_switch_init(s, &r->machine.sched, core, i, TPCS + 2));
      for (uint32_t j = 0; j < TPCS; j++)
         assert_true(
            sgt_rop_switch_connect(s, &m->outputs[j].client, &m->outputs[j].unit, ROP_CYCLES));
      assert_true(sgt_rop_switch_connect(s, &m->early.client, &m->early.unit, ROP_CYCLES));
      assert_true(sgt_rop_switch_connect(s, &m->transfer.client, &m->transfer.unit, ROP_CYCLES));
      assert_true(sgt_rop_switch_connect_rop(s, &rop->unit));
   }
}

static void
run(struct machine *m)
{
   struct rig *r = &m->rig;
   char error[256] = "";
   rig_try(r, error, sizeof(error));
   assert_string_equal(error, "");
   sgt_partition_map_init(&m->map, ROPS, 256);
   rig_connect_sms(r);
   connect_clients(m);
   rig_go(r);
   assert_true(sgt_early_idle(&m->early) && sgt_transfer_idle(&m->transfer));
   sgt_early_register(&m->early, r->cycles_run, &r->stats);
   sgt_transfer_register(&m->transfer, r->cycles_run, &r->stats);
   for (uint32_t i = 0; i < TPCS; i++) {
      assert_true(sgt_output_idle(&m->outputs[i]));
      sgt_output_register(&m->outputs[i], r->cycles_run, &r->stats);
   }
   for (uint32_t i = 0; i < ROPS; i++) {
      assert_true(sgt_rop_switch_idle(&m->switches[i]));
      sgt_rop_switch_register(&m->switches[i], r->cycles_run, &r->stats);
   }
   unit_rig_check(&r->stats);
}

static void
end(struct machine *m)
{
   sgt_early_finish(&m->early);
   sgt_transfer_finish(&m->transfer);
   for (uint32_t i = 0; i < TPCS; i++)
      sgt_output_finish(&m->outputs[i]);
   for (uint32_t i = 0; i < ROPS; i++)
      sgt_rop_switch_finish(&m->switches[i]);
   rig_end(&m->rig);
   free(m);
}

static uint64_t
sum(const struct machine *m, enum sgt_rop_kind kind, bool pixels)
{
   uint64_t n = 0;
   for (uint32_t i = 0; i < ROPS; i++)
      n += pixels ? m->rops[i].pixels[kind] : m->rops[i].requests[kind];
   return n;
}

/* A warp starts when its block has been tested by the ROPs; colours follow after the warp has
 * ended.
 */
static void
early_tests_come_before_the_program(void **state)
{
   struct machine *m = begin();
   struct rig *r = &m->rig;
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);
   const uint32_t ps = rig_program(r, SGPU_STAGE_PIXEL, 8, 4);
   rig_operation(r, 0, 0);
   rig_target(&m->rig, 0, WIDTH,
              SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_EARLY);
   rig_target(&m->rig, 1, WIDTH, SGT_TARGET_WRITE);
   rig_warps(r, vs, 1, 0, 4, 0);
   const uint32_t item = rig_item(r, 0, 64, 64, 16, 4, false);
   rig_pixels(r, ps, item, 64, 64);
   run(m);
   /* Two blocks of 8x4 pixels with 4 bytes have two depth lines each.  One warp has two lines of
    * colours.
    */
   assert_int_equal(sum(m, SGT_ROP_DEPTH, false), 4);
   assert_int_equal(sum(m, SGT_ROP_DEPTH, true), 64);
   assert_int_equal(sum(m, SGT_ROP_COLOR, false), 2);
   assert_true(r->started[1] > m->last_depth + LATENCY * r->machine.period);
   assert_true(m->first_color > r->ended[1]);
   assert_int_equal(rig_stat(r, "early", "passed-pixels"), 32);
   assert_int_equal(rig_stat(r, "early", "failed-blocks"), 1);
   end(m);
}

static void
late_tests_come_before_colours(void **state)
{
   struct machine *m = begin();
   struct rig *r = &m->rig;
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);
   const uint32_t ps = rig_program(r, SGPU_STAGE_PIXEL, 8, 4);
   rig_operation(r, 0, 0);
   rig_target(&m->rig, 0, WIDTH, SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE);
   rig_target(&m->rig, 1, WIDTH, SGT_TARGET_WRITE);
   rig_warps(r, vs, 1, 0, 4, 0);
   const uint32_t item = rig_item(r, 0, 64, 64, 8, 4, false);
   rig_pixels(r, ps, item, 64, 64);
   for (unsigned i = 0; i < 4; i++)
      r->quads[i].kept = 0;
   run(m);
   assert_int_equal(sum(m, SGT_ROP_DEPTH, true), 32);
   assert_int_equal(sum(m, SGT_ROP_COLOR, true), 16);
   assert_true(m->first_color > m->last_depth + LATENCY * r->machine.period);
   assert_true(m->last_depth > r->ended[1]);
   end(m);
}

/* Draws without colour are bounded by fine raster, which has 64 pixels per cycle. */
static void
depths_alone_reach_fine_raster(void **state)
{
   struct machine *m = begin();
   struct rig *r = &m->rig;
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);
   rig_operation(r, 0, 0);
   rig_target(&m->rig, 0, WIDTH,
              SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_EARLY);
   rig_warps(r, vs, 1, 0, 4, 0);
   for (unsigned i = 0; i < 4; i++)
      rig_item(r, 0, 0, 0, WIDTH, WIDTH, false);
   run(m);
   const uint64_t pixels = 4 * WIDTH * WIDTH;
   assert_int_equal(sum(m, SGT_ROP_DEPTH, true), pixels);
   assert_int_equal(sum(m, SGT_ROP_DEPTH, false), pixels / 16);
   assert_true(r->cycles_run >= pixels / 64 && r->cycles_run < pixels / 64 * 101 / 100 + 200);
   end(m);
}

/* Warps of random length cover the same pixels.  The colours of a line must come in the order of
 * the primitives (check_request), with any combination of late and early tests.
 */
static void
colours_keep_the_order(struct machine *m, uint64_t seed, bool shuffle)
{
   struct rig *r = &m->rig;
   struct sgt_random random = { seed };
   r->random_cycles = 1500;
   r->seed = seed;
   r->shuffle = shuffle ? seed : 0;
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);
   const uint32_t ps = rig_program(r, SGPU_STAGE_PIXEL, 8, 4);
   for (unsigned op = 0; op < 4; op++) {
      const uint32_t first = r->num_items;
      rig_operation(r, 0, 0);
      rig_target(&m->rig, 0, WIDTH,
                 SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE |
                    (op % 2 ? SGT_TARGET_EARLY : 0));
      rig_target(&m->rig, 1, WIDTH, SGT_TARGET_WRITE);
      rig_warps(r, vs, 8, 0, 4, 0);
      for (unsigned i = 0; i < 40; i++)
         rig_item(r, 0, 0, 0, 128, 32, false);
      for (unsigned i = 0; i < 40; i++) {
         const uint32_t x = 8 * sgt_random_below(&random, 16), y = 4 * sgt_random_below(&random, 8);
         for (unsigned j = 0; j < 2; j++)
            rig_pixels(r, ps, first + i, j ? 0 : x, j ? 0 : y);
      }
   }
   run(m);
   assert_int_equal(sum(m, SGT_ROP_COLOR, true), 4 * 80 * 32);
}

static void
shuffles_are_equal(void **state)
{
   for (uint64_t seed = 1; seed <= 4; seed++) {
      struct machine *a = begin(), *b = begin();
      colours_keep_the_order(a, seed, false);
      colours_keep_the_order(b, seed, true);
      assert_int_equal(a->rig.cycles_run, b->rig.cycles_run);
      for (uint32_t i = 0; i < a->rig.stats.num; i++)
         assert_memory_equal(a->rig.stats.stats[i].values, b->rig.stats.stats[i].values,
                             a->rig.stats.stats[i].num * sizeof(uint64_t));
      end(a);
      end(b);
   }
}

/* A copy reads lines ahead of its writes.  A draw that reads the copy waits for it, and the caches
 * of all ROPs are written back in between.
 */
static void
transfers_read_and_write(void **state)
{
   struct machine *m = begin();
   struct rig *r = &m->rig;
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);
   rig_operation(r, 0, 0);
   rig_target(&m->rig, 0, WIDTH, SGT_TARGET_WRITE);
   rig_target(&m->rig, 1, WIDTH, SGT_TARGET_READ);
   rig_transfer(r, SGT_ITEM_COPY, 1);
   rig_operation(r, 0, 0);
   rig_reads(r, 1);
   rig_target(&m->rig, 2, WIDTH, SGT_TARGET_WRITE);
   rig_warps(r, vs, 1, 0, 4, 0);
   rig_item(r, 0, 0, 0, 8, 4, false);
   run(m);
   const uint64_t lines = WIDTH * WIDTH * 4 / 64;
   assert_int_equal(sum(m, SGT_ROP_READ, false), lines);
   assert_int_equal(sum(m, SGT_ROP_WRITE, false), lines);
   assert_int_equal(rig_stat(r, "front", "barriers"), 1);
   assert_int_equal(sum(m, SGT_ROP_FLUSH, false), 2 * ROPS);
   assert_int_equal(m->flushed, 1);
   assert_int_equal(rig_stat(r, "transfer", "flushes"), 1);
   assert_int_equal(rig_stat(r, "transfer", "reads"), lines);
   end(m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(early_tests_come_before_the_program),
      cmocka_unit_test(late_tests_come_before_colours),
      cmocka_unit_test(depths_alone_reach_fine_raster),
      cmocka_unit_test(shuffles_are_equal),
      cmocka_unit_test(transfers_read_and_write),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
