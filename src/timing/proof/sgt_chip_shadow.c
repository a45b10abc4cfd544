/* SPDX-License-Identifier: MIT */
/*
 * Verifies a chip model by its rendering results. This file observes the chip, and collects the
 * results.
 */
#include "proof/sgt_chip_shadow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "proof/sgt_audit_plan.h"
#include "proof/sgt_chip_apply.h"
#include "proof/sgt_chip_lines.h"
#include "chip_memory/sgt_mem.h"
#include "chip_rop/sgt_rop_ports.h"
#include "util/macros.h"

/* Applies a fast clear to those lines of the cleared range that belong to this ROP. The range
 * starts at r->address and has r->mask bytes.
 */
static void
do_clear(struct sgt_chip_shadow *s, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r)
{
   struct sgt_rop_request write = *r;

   write.kind = SGT_ROP_WRITE;
   for (uint64_t line = r->address; line < r->address + r->mask; line += SGT_CHIP_LINE) {
      if (sgt_partition_find(&s->map, line).partition != rop)
         continue;
      sgt_chip_lines_write(s->lines, cycle, line, r->item, true);
      sgt_chip_apply_line(s, cycle, &write, line, UINT64_MAX);
   }
}

/* -- the observer --------------------------------------------------------------------------- */

/* Returns the depth or color path of the ROP, depending on which of them the request takes. */
static struct sgt_chip_path *
path_of(const struct sgt_chip_shadow *s, uint32_t rop, const struct sgt_rop_request *r)
{
   const bool depth = r->kind == SGT_ROP_DEPTH || r->flags & SGT_ROP_TO_DEPTH;
   return &s->paths[rop][depth ? SGT_ROP_PATH_DEPTH : SGT_ROP_PATH_COLOR];
}

static void
rop_begin(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r)
{
   struct sgt_chip_shadow *s = data;
   struct sgt_chip_path *p = path_of(s, rop, r);
   const bool control = r->kind == SGT_ROP_CLEAR || r->kind == SGT_ROP_FLUSH;

   for (uint64_t i = 0; i < p->num && !control && r->flags & SGT_ROP_READS; i++) {
      const struct sgt_chip_flight *f = &p->flights[i];
      const struct sgt_rect none = { 0, 0, 0, 0 };
      if (f->address == r->address && f->written & r->mask)
         sgt_audit_note(s->model->audit, SGT_HAZARD_RAW, cycle, r->item, f->item, &none);
   }
   if (!sgt_array_reserve(&p->flights, &p->max, p->num + 1, sizeof(*p->flights))) {
      s->model->failed = true;
      return;
   }
   p->flights[p->num++] = (struct sgt_chip_flight){ r->address, control ? 0 : r->written, r->item };
}

static void
rop_end(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r)
{
   struct sgt_chip_shadow *s = data;
   struct sgt_chip_path *p = path_of(s, rop, r);

   if (p->num)
      memmove(p->flights, p->flights + 1, --p->num * sizeof(*p->flights));
   switch (r->kind) {
   case SGT_ROP_READ:
      sgt_chip_lines_transfer(s->lines, cycle, r->address, r->item);
      return;
   case SGT_ROP_FLUSH:
      return;
   case SGT_ROP_CLEAR:
      do_clear(s, cycle, rop, r);
      return;
   default:
      if (r->written)
         sgt_chip_lines_write(s->lines, cycle, r->address, r->item, false);
      sgt_chip_apply_line(s, cycle, r, r->address, r->mask);
   }
}

static void
rop_write_back(void *data, uint32_t rop, uint64_t tile, uint32_t lines)
{
   struct sgt_chip_shadow *s = data;
   sgt_chip_lines_write_back(s->lines, rop, tile, lines);
}

/* Applies an operation that doesn't use the ROPs, i.e. a transfer between buffers or a write by the
 * CPU.
 */
static void
transfer_end(void *data, uint64_t cycle, uint32_t number)
{
   struct sgt_chip_shadow *s = data;
   const struct sgt_operation *op = &s->trace->operations[number];
   const uint32_t record = sgt_shadow_record(s->model, op);
   uint64_t begin, size;

   if (record == UINT32_MAX)
      return;
   if (sgpu_shadow_image_write(s->model->image, record, &begin, &size))
      sgt_chip_lines_cpu(s->lines, cycle, begin, size, op->first_item);
   for (uint32_t i = 0; i < op->num_targets; i++) {
      const uint32_t flags = s->trace->targets[op->first_target + i].flags;
      if (flags & SGT_TARGET_WRITE && !(flags & SGT_TARGET_BUFFER))
         return;
   }
   s->model->failed |= !sgpu_shadow_transfer(s->model->memory, record, 0, 0, INT32_MAX, INT32_MAX);
}

static void
shadow_memory(void *data, uint32_t partition, bool rop, const struct sgt_mem_request *r)
{
   struct sgt_chip_shadow *s = data;

   if (rop && r->kind == SGT_MEM_WRITE)
      sgt_chip_lines_take_write(s->lines, partition);
   else if (!rop && r->kind == SGT_MEM_READ)
      sgt_chip_lines_take_read(s->lines, r->client, r->address);
}

static void
shadow_texture(void *data, uint64_t cycle, uint32_t client, uint32_t access)
{
   struct sgt_chip_shadow *s = data;
   sgt_chip_lines_texture(s->lines, cycle, client, access);
}

static void
shadow_fetched(void *data, uint64_t cycle, uint32_t client, uint32_t warp)
{
   struct sgt_chip_shadow *s = data;
   sgt_chip_lines_fetch(s->lines, cycle, client, warp);
}

/* -- the shadow ----------------------------------------------------------------------------- */

/* Returns false and writes a message if the work contains compute grids, or draws with programs
 * that write memory. A shadow doesn't support either of them.
 */
static bool
check_work(const struct sgt_trace *t, const struct sgt_work *work, char *error, size_t error_size)
{
   for (uint32_t i = 0; i < work->num_warps; i++) {
      const struct sgt_warp *w = &work->warps[i];
      const struct sgt_operation *op = &t->operations[w->operation];
      bool writes = false;
      if (work->programs[w->program]->stage == SGPU_STAGE_COMPUTE) {
         snprintf(error, error_size,
                  "--verify: submission %" PRIu32 ", packet %" PRIu32
                  " is a grid, but only draws and transfers are supported",
                  op->submission, op->packet);
         return false;
      }
      for (uint32_t k = 0; k < w->num_accesses && !writes; k++) {
         const struct sgt_access *a = &work->accesses[w->first_access + k];
         writes = (a->kind == SGT_ACCESS_STORE || a->kind == SGT_ACCESS_ATOMIC) && a->num_lines &&
                  sgt_line_address(work->lines[a->first_line]) < SGT_SCRATCH;
      }
      if (!writes)
         continue;
      snprintf(error, error_size,
               "--verify: submission %" PRIu32 ", packet %" PRIu32 " (draw %" PRIu32
               "): a program of the draw writes memory, which is not supported",
               op->submission, op->packet, op->draw);
      return false;
   }
   return true;
}

/* Allocates the lane masks for all blocks, samples and targets of the trace. */
static bool
make_lanes(struct sgt_chip_shadow *s)
{
   const struct sgt_trace *t = s->trace;
   uint64_t num = 0;

   s->first = malloc((t->num_operations + 1ull) * sizeof(*s->first));
   for (uint32_t i = 0; s->first && i < t->num_operations; i++) {
      const struct sgt_operation *op = &t->operations[i];
      const struct sgt_item *last = op->num_items ? &t->items[op->first_item + op->num_items - 1]
                                                  : NULL;
      const uint64_t blocks = last && sgt_item_is_primitive(last)
                                 ? last->first_block + last->num_blocks -
                                      sgt_chip_first_block(t, op)
                                 : 0;
      s->first[i] = num;
      num += blocks * op->samples * (SGT_CHIP_WRITTEN + op->num_targets);
   }
   if (s->first)
      s->lanes = calloc(num + 1, sizeof(*s->lanes));
   return s->lanes != NULL;
}

struct sgt_chip_shadow *
sgt_chip_shadow_create(const struct sgt_audit_plan *plan, const struct sgpu_shadow_image *image,
                       const uint32_t *records, const struct sgt_work *work,
                       const struct sgt_chip_params *params, char *error, size_t error_size)
{
   const uint32_t tpcs = params->front.dist.tpcs, sms = tpcs * params->front.dist.tpc_sms;
   const uint32_t rops = params->memory.xbar.partitions;

   if (!plan->trace->has_values) {
      snprintf(error, error_size, "--verify: the trace has no values");
      return NULL;
   }
   if (!check_work(plan->trace, work, error, error_size))
      return NULL;
   struct sgt_chip_shadow *s = calloc(1, sizeof(*s));
   snprintf(error, error_size, "--verify: out of memory");
   if (!s)
      return NULL;
   s->trace = plan->trace;
   s->num_rops = rops;
   s->observer = (struct sgt_chip_observer){
      .data = s,
      .rop_begin = rop_begin,
      .rop_end = rop_end,
      .rop_write_back = rop_write_back,
      .transfer_end = transfer_end,
      .memory = shadow_memory,
      .texture = shadow_texture,
      .fetched = shadow_fetched,
   };
   sgt_partition_map_init(&s->map, rops, params->memory.xbar.interleave);
   s->paths = calloc(rops, sizeof(*s->paths));
   s->model = sgt_shadow_create(plan, image, records, SGT_BREAK_NONE);
   if (s->paths && s->model && make_lanes(s)) {
      s->model->parts = true;
      s->lines = sgt_chip_lines_create(s->model, work, sms, tpcs + 1, rops);
   }
   if (!s->lines) {
      sgt_chip_shadow_destroy(s);
      return NULL;
   }
   error[0] = 0;
   return s;
}

void
sgt_chip_shadow_destroy(struct sgt_chip_shadow *s)
{
   if (!s)
      return;
   sgt_chip_lines_destroy(s->lines);
   sgt_shadow_destroy(s->model);
   for (uint32_t i = 0; s->paths && i < s->num_rops; i++) {
      for (unsigned k = 0; k < SGT_ROP_PATHS; k++)
         free(s->paths[i][k].flights);
   }
   free(s->paths);
   free(s->first);
   free(s->lanes);
   free(s);
}

const struct sgt_chip_observer *
sgt_chip_shadow_observer(const struct sgt_chip_shadow *s)
{
   return &s->observer;
}

/* Reports pixels of an item whose colors should have been written, but were not. */
static void
find_missing(struct sgt_chip_shadow *s, uint32_t number)
{
   const struct sgt_trace *t = s->trace;
   const struct sgt_item *item = &t->items[number];
   const struct sgt_operation *op = &t->operations[item->operation];

   for (uint32_t i = item->first_block; i < item->first_block + item->num_blocks; i++) {
      const struct sgt_block *b = &t->blocks[i];
      for (uint32_t sample = 0; sample < op->samples; sample++) {
         const uint32_t *words = sgt_chip_words(s, op, i, sample);
         const uint32_t wanted = sgt_chip_colored(t, op, b, sample);
         for (uint32_t k = 0; wanted && k < op->num_targets; k++) {
            const struct sgt_rect rect = { b->x, b->y, b->x + 8, b->y + 4 };
            if (sgt_chip_is_color(&t->targets[op->first_target + k]) &&
                wanted & ~words[SGT_CHIP_WRITTEN + k])
               sgt_audit_note(s->model->audit, SGT_HAZARD_PARTS, UINT64_MAX, number, UINT32_MAX,
                              &rect);
         }
      }
   }
}

struct sgt_shadow *
sgt_chip_shadow_end(struct sgt_chip_shadow *s)
{
   for (uint32_t i = 0; i < s->trace->num_items; i++) {
      if (sgt_item_is_primitive(&s->trace->items[i]))
         find_missing(s, i);
   }
   s->model->failed |= !sgt_chip_lines_ok(s->lines);
   return s->model;
}
