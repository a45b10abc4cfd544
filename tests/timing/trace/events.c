/* SPDX-License-Identifier: MIT */
/*
 * Devices and sums for the tests of traces.
 */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_counters.h"
#include "sgpu_paths.h"

const struct events_way events_ways[] = {
   { 1, SGPU_DISPATCH_INORDER, 0, SGPU_OBSERVE_VALUES, 0 },
   { 4, SGPU_DISPATCH_OOO_SPLIT, 7, SGPU_OBSERVE_VALUES, 0 },
   { 3, SGPU_DISPATCH_OOO_SPLIT_BREAK, 3, SGPU_OBSERVE_VALUES, 1 },
   { 2, SGPU_DISPATCH_OOO, 11, SGPU_OBSERVE_COVERAGE, 1 },
};
const unsigned events_num_ways = sizeof(events_ways) / sizeof(*events_ways);

const struct events_way events_work_ways[] = {
   { 1, SGPU_DISPATCH_INORDER, 0, SGPU_OBSERVE_COVERAGE, 0, true },
   { 2, SGPU_DISPATCH_OOO, 5, SGPU_OBSERVE_COVERAGE, 0, true },
   { 4, SGPU_DISPATCH_OOO_SPLIT, 7, SGPU_OBSERVE_COVERAGE, 1, true },
   { 3, SGPU_DISPATCH_OOO_SPLIT_BREAK, 3, SGPU_OBSERVE_COVERAGE, 0, true },
};
const unsigned events_num_work_ways = sizeof(events_work_ways) / sizeof(*events_work_ways);

struct sgpu_device_params
events_params(const struct events_way *way, struct sgt_store *store)
{
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.threads = way->threads;
   params.dispatch = way->policy;
   params.shuffle_seed = way->seed;
   /* As on observed devices, so that the counters are the same. */
   params.no_paths = 1u << SGPU_PATH_JOIN;
   params.host = SGPU_HOST_BASELINE;
   params.observer = store ? sgt_store_observer(store) : NULL;
   return params;
}

struct sgt_store *
events_store(const struct events_way *way)
{
   struct sgt_store *store = sgt_store_create(&(struct sgt_store_params){
      .classes = way->classes,
      .max_bytes = way->max_bytes,
      .work = way->work,
   });

   if (!store) {
      printf("no store\n");
      exit(1);
   }
   return store;
}

void
events_counters(struct sgpu_device *dev, uint64_t values[EVENTS_MAX_COUNTERS])
{
   sgpu_device_read_counters(dev, values);
}

bool
events_same_work(const uint64_t *a, const uint64_t *b)
{
   static const enum sgpu_counter work[] = {
      SGPU_COUNTER_DRAWS,        SGPU_COUNTER_BATCHES,       SGPU_COUNTER_VERTICES,
      SGPU_COUNTER_VERTEX_WARPS, SGPU_COUNTER_PRIMITIVES,    SGPU_COUNTER_SLICES,
      SGPU_COUNTER_TILE_ENTRIES, SGPU_COUNTER_QUADS,         SGPU_COUNTER_PIXELS,
      SGPU_COUNTER_ZS_TESTED,    SGPU_COUNTER_ZS_PASSED,     SGPU_COUNTER_PIXEL_WARPS,
      SGPU_COUNTER_PIXEL_LANES,  SGPU_COUNTER_INSTRUCTIONS,  SGPU_COUNTER_TEXTURE_OPS,
      SGPU_COUNTER_ZCULL_SLICES, SGPU_COUNTER_ZCULL_BLOCKS,  SGPU_COUNTER_COLOR_WRITES,
      SGPU_COUNTER_TRANSFERS,    SGPU_COUNTER_TILES_CLEARED, SGPU_COUNTER_TILES_EXPANDED,
   };
   bool same = true;

   for (unsigned i = 0; i < sizeof(work) / sizeof(*work); i++) {
      if (a[work[i]] == b[work[i]])
         continue;
      printf("counter %s: %" PRIu64 ", observed %" PRIu64 "\n",
             sgpu_counter_get_info(work[i])->name, a[work[i]], b[work[i]]);
      same = false;
   }
   return same;
}

static unsigned
count(uint32_t mask)
{
   return __builtin_popcount(mask);
}

/* Number of fragments that are kept; bare: in blocks without colours. */
struct kept {
   uint64_t colored, bare;
};

static bool
check_values(const struct sgt_trace *t, const struct sgt_operation *o, const struct sgt_block *b,
             struct kept *kept)
{
   const struct sgt_values *v = &t->values[b->values];
   uint64_t *sum = v->color != SGT_NO_VALUES ? &kept->colored : &kept->bare;

   if (v->cover == SGT_NO_VALUES) {
      *sum += count(v->colored);
      return !((v->colored | v->dropped) & ~b->mask) && !(v->colored & v->dropped);
   }
   const uint32_t *cover = t->words + v->cover;
   uint32_t all = 0;
   for (unsigned s = 0; s < o->samples; s++) {
      const uint32_t dropped = cover[o->samples + s], colored = cover[2 * o->samples + s];
      if (((dropped | colored) & ~cover[s]) || (dropped & colored))
         return false;
      all |= cover[s];
      *sum += count(colored);
   }
   return all == b->mask;
}

bool
events_check(const struct sgt_trace *t, const uint64_t *before, const uint64_t *after)
{
   const uint64_t pixels = after[SGPU_COUNTER_PIXELS] - before[SGPU_COUNTER_PIXELS];
   const uint64_t colors = after[SGPU_COUNTER_COLOR_WRITES] - before[SGPU_COUNTER_COLOR_WRITES];
   struct kept kept = { 0 };
   uint64_t drawn = 0;
   bool good = true;

   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_item *item = &t->items[i];
      const struct sgt_operation *o = &t->operations[item->operation];
      for (uint32_t k = item->first_block; k < item->first_block + item->num_blocks; k++) {
         const struct sgt_block *b = &t->blocks[k];
         drawn += sgt_block_zculled(t, k) ? 0 : count(b->mask);
         good &= !t->has_values || check_values(t, o, b, &kept);
      }
   }
   if (!good)
      printf("values are not of covered fragments\n");
   if (drawn != pixels)
      printf("%" PRIu64 " pixels in blocks, %" PRIu64 " counted\n", drawn, pixels);
   good &= drawn == pixels;
   /* Fragments are also counted if the write mask has only components that the format lacks. */
   if (t->has_values && (kept.colored > colors || kept.colored + kept.bare < colors)) {
      printf("%" PRIu64 " colours and %" PRIu64 " without, %" PRIu64 " counted\n", kept.colored,
             kept.bare, colors);
      good = false;
   }
   return good;
}

/* -- work ----------------------------------------------------------------------------------- */

struct work_sums {
   uint64_t instructions, textures, vertices, vertex_warps, geometry_warps, pixel_warps, lanes;
   uint64_t compute_warps, invocations, groups;
};

/* Checks that the accesses of a warp are those of the instructions that it issues, in their order.
 */
static bool
check_accesses(const struct sgt_work *work, const struct sgt_warp *warp, struct work_sums *sums)
{
   static const uint8_t pipes[SGT_ACCESS_KINDS] = {
      [SGT_ACCESS_TEXTURE] = SGT_PIPE_TEXTURE, [SGT_ACCESS_LOAD] = SGT_PIPE_MEMORY,
      [SGT_ACCESS_STORE] = SGT_PIPE_MEMORY,    [SGT_ACCESS_ATOMIC] = SGT_PIPE_MEMORY,
      [SGT_ACCESS_SHARED] = SGT_PIPE_SHARED,   [SGT_ACCESS_CONST] = SGT_PIPE_CONST,
   };
   const struct sgt_program *program = work->programs[warp->program];
   uint32_t next = 0;

   for (uint32_t i = 0; i < warp->num_runs; i++) {
      const struct sgt_run *run = &work->runs[warp->first_run + i];
      if ((uint64_t)run->pc + run->count > program->num_instrs || (run->lanes & ~warp->lanes))
         return false;
      sums->instructions += run->count;
      for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
         if (!(program->instrs[pc].flags & SGT_INSTR_ACCESS))
            continue;
         if (next == warp->num_accesses) {
            printf("pc %u of opcode 0x%03x has no access\n", pc, program->instrs[pc].opcode);
            return false;
         }
         const struct sgt_access *a = &work->accesses[warp->first_access + next++];
         if (pipes[a->kind] != program->instrs[pc].pipe || a->lanes > 32) {
            printf("pc %u of opcode 0x%03x: kind %u, pipe %u, %u lanes\n", pc,
                   program->instrs[pc].opcode, a->kind, program->instrs[pc].pipe, a->lanes);
            return false;
         }
         sums->textures += a->kind == SGT_ACCESS_TEXTURE;
         for (unsigned n = 1; n < a->num_lines; n++) {
            const sgt_line *line = &work->lines[a->first_line + n];
            if (sgt_line_quad(line[0]) < sgt_line_quad(line[-1]))
               return false;
         }
      }
   }
   if (next != warp->num_accesses)
      printf("%u accesses, %u instructions that have one\n", warp->num_accesses, next);
   return next == warp->num_accesses;
}

static bool
check_quads(const struct sgt_trace *t, const struct sgt_work *work, const struct sgt_warp *warp,
            struct work_sums *sums)
{
   uint32_t lanes = 0;

   for (unsigned n = 0; n < warp->num_quads; n++) {
      const struct sgt_quad *q = &work->quads[warp->first_quad + n];
      if (q->item >= t->num_items || t->items[q->item].operation != warp->operation ||
          (q->kept & ~q->covered) || q->covered > 15)
         return false;
      lanes |= (uint32_t)q->covered << 4 * n;
      sums->lanes += count(q->covered);
   }
   return !(lanes & ~warp->lanes) && warp->num_quads <= 8;
}

bool
events_check_work(const struct sgt_trace *t, const struct sgt_work *work, const uint64_t *before,
                  const uint64_t *after)
{
   struct work_sums sums = { 0 };
   const char *error = sgt_work_check(work);
   uint32_t warps = 0;

   if (error) {
      printf("the work: %s\n", error);
      return false;
   }
   if (work->num_operations != t->num_operations) {
      printf("%u operations with work, %u in the trace\n", work->num_operations, t->num_operations);
      return false;
   }
   for (uint32_t i = 0; i < work->num_operations; i++) {
      const struct sgt_operation_work *o = &work->operations[i];
      uint32_t group = UINT32_MAX;
      if (o->first_warp != warps)
         return false;
      sums.vertices += o->vertices;
      for (; warps < o->first_warp + o->num_warps; warps++) {
         const struct sgt_warp *w = &work->warps[warps];
         const enum sgpu_stage stage = work->programs[w->program]->stage;
         if (w->operation != i || !check_accesses(work, w, &sums) ||
             (stage == SGPU_STAGE_PIXEL) != (w->num_quads != 0) ||
             !check_quads(t, work, w, &sums)) {
            printf("warp %u, stage %u: accesses or quads\n", warps, stage);
            return false;
         }
         sums.vertex_warps += stage == SGPU_STAGE_VERTEX;
         sums.geometry_warps += stage == SGPU_STAGE_GEOMETRY;
         sums.pixel_warps += stage == SGPU_STAGE_PIXEL;
         if (stage == SGPU_STAGE_COMPUTE) {
            sums.groups += w->group != group;
            sums.compute_warps++;
            sums.invocations += count(w->lanes);
            group = w->group;
         }
      }
   }
   const struct {
      enum sgpu_counter counter;
      uint64_t sum;
   } equal[] = {
      { SGPU_COUNTER_INSTRUCTIONS, sums.instructions },
      { SGPU_COUNTER_TEXTURE_OPS, sums.textures },
      { SGPU_COUNTER_VERTICES, sums.vertices },
      { SGPU_COUNTER_VERTEX_WARPS, sums.vertex_warps },
      { SGPU_COUNTER_GEOMETRY_WARPS, sums.geometry_warps },
      { SGPU_COUNTER_PIXEL_WARPS, sums.pixel_warps },
      { SGPU_COUNTER_PIXEL_LANES, sums.lanes },
      { SGPU_COUNTER_GROUPS, sums.groups },
      { SGPU_COUNTER_COMPUTE_WARPS, sums.compute_warps },
      { SGPU_COUNTER_INVOCATIONS, sums.invocations },
   };
   bool good = true;
   for (unsigned i = 0; i < sizeof(equal) / sizeof(*equal); i++) {
      const uint64_t counted = after[equal[i].counter] - before[equal[i].counter];
      if (counted == equal[i].sum)
         continue;
      printf("%" PRIu64 " %s in the work, %" PRIu64 " counted\n", equal[i].sum,
             sgpu_counter_get_info(equal[i].counter)->name, counted);
      good = false;
   }
   return good;
}

bool
events_same_coverage(const struct sgt_trace *a, const struct sgt_trace *b)
{
   if (a->num_operations != b->num_operations || a->num_items != b->num_items ||
       a->num_blocks != b->num_blocks || a->num_sources != b->num_sources)
      return false;
   for (uint32_t i = 0; i < a->num_items; i++) {
      const struct sgt_item *p = &a->items[i], *q = &b->items[i];
      if (p->operation != q->operation || p->kind != q->kind || p->num_blocks != q->num_blocks ||
          p->pixels != q->pixels ||
          memcmp(&p->destination, &q->destination, sizeof(p->destination)))
         return false;
   }
   for (uint32_t i = 0; i < a->num_blocks; i++) {
      const struct sgt_block *p = &a->blocks[i], *q = &b->blocks[i];
      if (p->x != q->x || p->y != q->y || p->mask != q->mask ||
          sgt_block_zculled(a, i) != sgt_block_zculled(b, i))
         return false;
   }
   return true;
}
