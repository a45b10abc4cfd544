/* SPDX-License-Identifier: MIT */
/*
 * A chip's front with replacements for the other units.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
rig_begin(struct rig *r)
{
   memset(r, 0, sizeof(*r));
   r->builder = sgt_trace_builder_create();
   assert_non_null(r->builder);
   for (unsigned i = 0; i < RIG_TARGETS; i++) {
      const uint64_t bytes = 4ull * RIG_SIZE * RIG_SIZE;
      const struct sgt_piece piece = {
         .begin = (i + 1) * bytes,
         .end = (i + 2) * bytes,
         .storage = i + 1,
         .grid = 1,
         .width = RIG_SIZE,
         .height = RIG_SIZE,
      };
      r->targets[i] = sgt_trace_builder_set(r->builder, &piece, 1);
   }
   sgt_chip_front_params_init(&r->params);
   r->cycles = 20;
   r->memory_cycles = 50;
}

uint32_t
rig_program(struct rig *r, enum sgpu_stage stage, uint32_t scalars, uint32_t inputs)
{
   struct sgt_program *p = calloc(1, sizeof(*p));
   assert_non_null(p);
   p->stage = stage;
   p->num_scalars = scalars;
   p->num_inputs = inputs;
   assert_true(r->work.num_programs < ARRAY_SIZE(r->programs));
   r->programs[r->work.num_programs] = p;
   return r->work.num_programs++;
}

void
rig_operation(struct rig *r, uint32_t group_bytes, uint32_t group_warps)
{
   sgt_trace_builder_operation(r->builder, &(struct sgt_operation){ .samples = 1 });
   assert_true(sgt_array_reserve(&r->work_operations, &r->room_operations,
                                 r->work.num_operations + 1, sizeof(*r->work_operations)));
   r->work_operations[r->work.num_operations++] = (struct sgt_operation_work){
      .first_warp = r->work.num_warps,
      .group_bytes = group_bytes,
      .group_warps = group_warps,
   };
}

void
rig_target(struct rig *r, uint32_t number, uint32_t width, uint32_t flags)
{
   const struct sgt_target target = {
      .origin = (1 + number) * 4ull * width * width,
      .pitch = width * 4 * 4, /* pitch of a row of micro tiles */
      .width = width,
      .height = width,
      .x1 = width,
      .y1 = width,
      .layers = 1,
      .samples = 1,
      .bytes = 4,
      .flags = flags | SGT_TARGET_TILED,
   };
   sgt_trace_builder_target(r->builder, &target);
}

void
rig_reads(struct rig *r, uint32_t target)
{
   const struct sgt_region region = { .set = r->targets[target],
                                      .rect = { 0, 0, RIG_SIZE, RIG_SIZE } };
   sgt_trace_builder_sources(r->builder, &region, 1);
}

static struct sgt_warp *
add_warp(struct rig *r, uint32_t program, uint32_t group)
{
   assert_true(
      sgt_array_reserve(&r->warps, &r->room_warps, r->work.num_warps + 1, sizeof(*r->warps)));
   struct sgt_warp *w = &r->warps[r->work.num_warps++];
   *w = (struct sgt_warp){
      .operation = r->work.num_operations - 1,
      .program = program,
      .lanes = UINT32_MAX,
      .group = group,
      .first_quad = r->work.num_quads,
      .first_fetch = r->work.num_lines,
   };
   r->work_operations[r->work.num_operations - 1].num_warps++;
   return w;
}

void
rig_warps(struct rig *r, uint32_t program, uint32_t num, uint32_t group, uint32_t attributes,
          uint32_t num_lines)
{
   for (uint32_t i = 0; i < num; i++) {
      struct sgt_warp *w = add_warp(r, program, group);
      w->attributes = attributes;
      w->num_fetch = num_lines;
      assert_true(sgt_array_reserve(&r->lines, &r->room_lines, r->work.num_lines + num_lines,
                                    sizeof(*r->lines)));
      for (uint32_t j = 0; j < num_lines; j++) {
         r->lines[r->work.num_lines] = SGT_LINE(r->work.num_lines * 64, 0);
         r->work.num_lines++;
      }
   }
}

void
rig_draw(struct rig *r, uint32_t num)
{
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 8, 4);

   rig_operation(r, 0, 0);
   rig_warps(r, vs, num, 0, 4, 0);
}

uint32_t
rig_item(struct rig *r, uint32_t target, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
         bool zculled)
{
   const struct sgt_item item = {
      .kind = SGT_ITEM_TRIANGLE,
      .front = true,
      .destination = { .set = r->targets[target], .rect = { x, y, x + w, y + h } },
   };
   sgt_trace_builder_item(r->builder, &item);
   for (uint32_t row = 0; row < h; row += 4)
      for (uint32_t column = 0; column < w; column += 8)
         sgt_trace_builder_block(r->builder, x + column, y + row, UINT32_MAX, zculled);
   return r->num_items++;
}

uint32_t
rig_transfer(struct rig *r, enum sgt_item_kind kind, uint32_t target)
{
   const struct sgt_item item = {
      .kind = kind,
      .destination = { .set = r->targets[target], .rect = { 0, 0, RIG_SIZE, RIG_SIZE } },
   };
   sgt_trace_builder_item(r->builder, &item);
   return r->num_items++;
}

void
rig_pixels(struct rig *r, uint32_t program, uint32_t item, uint32_t x, uint32_t y)
{
   struct sgt_warp *w = add_warp(r, program, 0);
   assert_true(
      sgt_array_reserve(&r->quads, &r->room_quads, r->work.num_quads + 8, sizeof(*r->quads)));
   for (unsigned i = 0; i < 8; i++)
      r->quads[r->work.num_quads++] = (struct sgt_quad){
         .x = x + 2 * (i % 4), .y = y + 2 * (i / 4), .item = item, .covered = 15, .kept = 15
      };
   w->num_quads = 8;
}

static uint64_t
sm_tick(struct sgt_unit *unit, uint64_t now)
{
   struct rig_sm *sm = container_of(unit, struct rig_sm, unit);
   struct rig *r = sm->rig;
   const struct sgt_sm_launch *launch;
   uint64_t next = SGT_NEVER;
   while ((launch = sgt_channel_peek(&r->front.launch[sm->number], now))) {
      struct sgt_random random = { r->seed + launch->warp };
      uint32_t cycles = r->cycles;
      cycles += r->random_cycles ? sgt_random_below(&random, r->random_cycles) : 0;
      assert_true(sm->num < r->params.dist.sm_warps);
      sm->running[sm->num++] = (struct rig_running){ launch->warp,
                                                     now + cycles * unit->clock->period };
      sm->max_warps = MAX2(sm->max_warps, sm->num);
      sm->registers += sgt_plan_program(&r->front.plan, launch->warp)->num_scalars * 32;
      sm->max_registers = MAX2(sm->max_registers, sm->registers);
      assert_true(r->started[launch->warp] == SGT_NEVER);
      r->started[launch->warp] = now;
      r->sm_of[launch->warp] = sm->number;
      sgt_channel_take(&r->front.launch[sm->number], now);
   }
   for (uint32_t i = 0; i < sm->num;) {
      if (sm->running[i].end > now || !sgt_channel_can_send(&r->front.done[sm->number], now)) {
         next = MIN2(next, MAX2(sm->running[i].end, now + unit->clock->period));
         i++;
         continue;
      }
      const uint32_t warp = sm->running[i].warp;
      r->ended[warp] = now;
      sm->registers -= sgt_plan_program(&r->front.plan, warp)->num_scalars * 32;
      sgt_channel_send(&r->front.done[sm->number], now, &(struct sgt_sm_done){ warp, sm->number });
      sm->running[i] = sm->running[--sm->num];
   }
   return next;
}

static uint64_t
output_tick(struct sgt_unit *unit, uint64_t now)
{
   struct rig_output *o = container_of(unit, struct rig_output, unit);
   struct rig *r = o->rig;
   const struct sgt_pixel_output *output;
   while ((output = sgt_channel_peek(&r->front.outputs[o->tpc], now)) &&
          sgt_channel_can_send(&r->front.written[o->tpc], now)) {
      r->written[output->warp] = now;
      sgt_channel_send(&r->front.written[o->tpc], now, &(struct sgt_pixel_written){ output->warp });
      sgt_channel_take(&r->front.outputs[o->tpc], now);
   }
   return SGT_NEVER;
}

/* Replaces early tests: nothing is tested, and a block releases its warps. */
static uint64_t
early_tick(struct sgt_unit *unit, uint64_t now)
{
   struct rig *r = container_of(unit, struct rig, early);
   for (;;) {
      if (!r->early_busy) {
         const struct sgt_raster_block *block = sgt_channel_peek(&r->front.blocks, now);
         if (!block)
            return SGT_NEVER;
         r->early_block = *block;
         r->early_warp = block->ends ? block->number : r->front.plan.released[block->number];
         r->early_busy = true;
         sgt_channel_take(&r->front.blocks, now);
         if (!block->ends) {
            assert_true(block->item >= r->latest_item);
            r->latest_item = block->item;
            r->rastered[block->item] = now;
            r->first_block = r->blocks++ ? r->first_block : now;
            r->last_block = now;
         }
      }
      if (r->early_warp == SGT_NONE) {
         r->early_busy = false;
         continue;
      }
      if (!sgt_channel_can_send(&r->front.releases, now))
         return SGT_NEVER;
      sgt_channel_send(&r->front.releases, now,
                       &(struct sgt_raster_release){ r->early_warp, r->early_block.ends });
      r->early_warp = r->early_block.ends ? SGT_NONE : r->front.plan.next_released[r->early_warp];
   }
}

static uint64_t
transfer_tick(struct sgt_unit *unit, uint64_t now)
{
   struct rig *r = container_of(unit, struct rig, transfer);
   const struct sgt_front_transfer *t;
   while ((t = sgt_channel_peek(&r->front.transfers, now)) &&
          sgt_channel_can_send(&r->front.transfer_ended, now)) {
      if (t->operation != SGT_NONE)
         r->transferred[t->operation] = now;
      sgt_channel_send(&r->front.transfer_ended, now, &(struct sgt_front_ended){ t->operation });
      sgt_channel_take(&r->front.transfers, now);
   }
   return SGT_NEVER;
}

static uint64_t *
times(uint32_t num)
{
   uint64_t *t = malloc(MAX2(num, 1) * sizeof(*t));
   assert_non_null(t);
   memset(t, 0xff, MAX2(num, 1) * sizeof(*t));
   return t;
}

bool
rig_try(struct rig *r, char *error, size_t error_size)
{
   r->trace = sgt_trace_builder_finish(r->builder);
   assert_non_null(r->trace);
   r->work.programs = r->programs;
   r->work.warps = r->warps;
   r->work.quads = r->quads;
   r->work.lines = r->lines;
   r->work.operations = r->work_operations;
   r->started = times(r->work.num_warps);
   r->ended = times(r->work.num_warps);
   r->written = times(r->work.num_warps);
   r->rastered = times(r->trace->num_items);
   r->transferred = times(r->trace->num_operations);
   r->sm_of = calloc(MAX2(r->work.num_warps, 1), sizeof(*r->sm_of));
   assert_non_null(r->sm_of);
   unit_rig_begin(&r->machine, r->shuffle);
   sgt_stats_init(&r->stats);
   return sgt_chip_front_params_check(&r->params, error, error_size) &&
          sgt_chip_front_init(&r->front, &r->machine.sched, r->machine.clock, &r->params, r->trace,
                              &r->work, error, error_size);
}

void
rig_connect_sms(struct rig *r)
{
   const uint32_t sms = r->front.dist.num_sms;
   r->sms = calloc(sms, sizeof(*r->sms));
   assert_non_null(r->sms);
   for (uint32_t i = 0; i < sms; i++) {
      r->sms[i].rig = r;
      r->sms[i].number = i;
      unit_rig_add_sm(&r->machine, &r->sms[i].unit, "sm", sm_tick);
      assert_true(sgt_chip_front_connect_sm(&r->front, i, &r->sms[i].unit));
   }
   unit_rig_memory(&r->machine, &r->memory, &r->front.ia.unit, 0, 64, r->memory_cycles - 1);
   r->front.ia.requests = &r->memory.requests;
   r->front.ia.responses = &r->memory.responses;
}

static void
connect_rest(struct rig *r)
{
   const uint32_t tpcs = r->params.dist.tpcs;
   r->outputs = calloc(tpcs, sizeof(*r->outputs));
   assert_non_null(r->outputs);
   for (uint32_t i = 0; i < tpcs; i++) {
      r->outputs[i].rig = r;
      r->outputs[i].tpc = i;
      unit_rig_add(&r->machine, &r->outputs[i].unit, "output", output_tick);
      assert_true(sgt_chip_front_connect_output(&r->front, i, &r->outputs[i].unit));
   }
   unit_rig_add(&r->machine, &r->early, "early", early_tick);
   unit_rig_add(&r->machine, &r->transfer, "transfer", transfer_tick);
   assert_true(sgt_chip_front_connect_early(&r->front, &r->early));
   assert_true(sgt_chip_front_connect_transfer(&r->front, &r->transfer));
}

void
rig_run(struct rig *r)
{
   char error[256] = "";
   rig_try(r, error, sizeof(error));
   assert_string_equal(error, "");
   rig_connect_sms(r);
   connect_rest(r);
   rig_go(r);
}

void
rig_go(struct rig *r)
{
   char error[256] = "";
   unit_rig_run(&r->machine);
   sgt_chip_front_check_end(&r->front, error, sizeof(error));
   assert_string_equal(error, "");

   r->cycles_run = r->machine.cycles + 1;
   sgt_chip_front_register(&r->front, r->cycles_run, &r->stats);
   unit_rig_check(&r->stats);
   for (uint32_t i = 0; i < r->work.num_warps; i++)
      assert_true(r->started[i] != SGT_NEVER && r->ended[i] > r->started[i]);
   assert_int_equal(rig_stat(r, "coarse", "pixels"), rig_stat(r, "zcull", "pixels"));
   assert_int_equal(rig_stat(r, "zcull", "pixels"),
                    rig_stat(r, "zcull", "pixels-dropped") + rig_stat(r, "fine", "pixels"));
   uint64_t pixels = 0;
   for (uint32_t i = 0; i < r->trace->num_items; i++)
      if (r->trace->items[i].kind <= SGT_ITEM_POINT)
         pixels += r->trace->items[i].pixels;
   assert_int_equal(rig_stat(r, "coarse", "pixels"), pixels);
   for (uint32_t i = 0; i < r->front.dist.num_sms; i++) {
      assert_true(r->sms[i].max_warps <= r->params.dist.sm_warps);
      assert_true(r->sms[i].max_registers <= r->params.dist.sm_registers);
   }
}

uint64_t
rig_stat(struct rig *r, const char *unit, const char *name)
{
   return unit_rig_stat(&r->stats, unit, name);
}

void
rig_end(struct rig *r)
{
   sgt_chip_front_finish(&r->front);
   unit_rig_end(&r->machine);
   sgt_stats_finish(&r->stats);
   sgt_trace_destroy(r->trace);
   sgt_trace_builder_destroy(r->builder);
   for (uint32_t i = 0; i < r->work.num_programs; i++)
      free(r->programs[i]);
   free(r->warps);
   free(r->quads);
   free(r->lines);
   free(r->work_operations);
   free(r->sms);
   free(r->outputs);
   free(r->started);
   free(r->ended);
   free(r->written);
   free(r->rastered);
   free(r->transferred);
   free(r->sm_of);
}
