/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: cuts a draw into batches.
 */
#include "geometry/cut/sgd_ia_cut.h"

#include <string.h>

#include "geometry/cut/sgd_ia_index.h"
#include "common/sgd_batch.h"
#include "util/macros.h"

struct sgd_topology
sgd_ia_topology(enum sgpu_primitive primitive, unsigned patch_vertices)
{
   static const struct sgd_topology table[] = {
      [SGPU_PRIMITIVE_POINTS] = { 0, 1, 1 },
      [SGPU_PRIMITIVE_LINES] = { 0, 2, 1 },
      [SGPU_PRIMITIVE_LINE_LOOP] = { 1, 1, 1, .closed = true },
      [SGPU_PRIMITIVE_LINE_STRIP] = { 1, 1, 1 },
      [SGPU_PRIMITIVE_TRIANGLES] = { 0, 3, 1 },
      [SGPU_PRIMITIVE_TRIANGLE_STRIP] = { 2, 1, 1, .even = true },
      [SGPU_PRIMITIVE_TRIANGLE_FAN] = { 2, 1, 1 },
      [SGPU_PRIMITIVE_QUADS] = { 0, 4, 2 },
      [SGPU_PRIMITIVE_QUAD_STRIP] = { 2, 2, 2 },
      [SGPU_PRIMITIVE_POLYGON] = { 2, 1, 1, .whole = true },
      [SGPU_PRIMITIVE_LINES_ADJACENCY] = { 0, 4, 1 },
      [SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY] = { 3, 1, 1 },
      [SGPU_PRIMITIVE_TRIANGLES_ADJACENCY] = { 0, 6, 1 },
      [SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY] = { 4, 2, 1, .even = true },
   };

   if (primitive == SGPU_PRIMITIVE_PATCHES)
      return (struct sgd_topology){ 0, MAX2(patch_vertices, 1), 1 };
   return table[primitive];
}

enum sgpu_primitive
sgd_ia_list(enum sgpu_primitive primitive)
{
   switch (primitive) {
   case SGPU_PRIMITIVE_LINE_LOOP:
   case SGPU_PRIMITIVE_LINE_STRIP:
      return SGPU_PRIMITIVE_LINES;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      return SGPU_PRIMITIVE_TRIANGLES;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      return SGPU_PRIMITIVE_LINES_ADJACENCY;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      return SGPU_PRIMITIVE_TRIANGLES_ADJACENCY;
   default:
      return primitive;
   }
}

unsigned
sgd_ia_vertices(enum sgpu_primitive list)
{
   return sgd_ia_topology(list, 0).step;
}

/* Returns the maximum number of primitives in a batch. This is at least two, since strips are cut
 * after an even number of primitives.
 */
static uint32_t
batch_prims(const struct sgd_draw *draw)
{
   const struct sgd_state *state = draw->state;

   if (draw->packet.primitive == SGPU_PRIMITIVE_PATCHES)
      return SGD_BATCH_PATCHES;
   if (!state || !state->shader[SGPU_STAGE_GEOMETRY])
      return SGD_BATCH_PRIMS;
   const struct SGPU_SHADER *desc = &state->shader_desc[SGPU_STAGE_GEOMETRY];
   const uint32_t emitted = MAX2(desc->max_vertices * desc->invocations, 1);
   return CLAMP(SGD_BATCH_EMITTED / emitted, 2, SGD_BATCH_PRIMS);
}

/* Returns the first element in [from, to) that is a restart index, or `to` if there is none. */
static uint32_t
find_restart(const struct sgd_draw *draw, uint32_t from, uint32_t to)
{
   const uint32_t restart = draw->packet.restart_index;
   uint32_t e = from;

   switch (draw->packet.index_size) {
   case SGPU_INDEX_SIZE_U16: {
      /* Use vector compares to skip blocks without a restart index. */
      uint64_t in_reach = draw->indices.size / 2;
      for (; e + 32 <= to && (uint64_t)draw->packet.first + e + 32 <= in_reach; e += 32) {
         uint16_t block[32];
         uint32_t found = 0;
         memcpy(block, draw->indices.ptr + ((uint64_t)draw->packet.first + e) * 2, sizeof(block));
         for (unsigned i = 0; i < 32; i++)
            found |= block[i] == restart;
         if (found)
            break;
      }
      break;
   }
   case SGPU_INDEX_SIZE_U32: {
      uint64_t in_reach = draw->indices.size / 4;
      for (; e + 16 <= to && (uint64_t)draw->packet.first + e + 16 <= in_reach; e += 16) {
         uint32_t block[16];
         uint32_t found = 0;
         memcpy(block, draw->indices.ptr + ((uint64_t)draw->packet.first + e) * 4, sizeof(block));
         for (unsigned i = 0; i < 16; i++)
            found |= block[i] == restart;
         if (found)
            break;
      }
      break;
   }
   default:
      break;
   }
   while (e < to && sgd_ia_index(draw, e) != restart)
      e++;
   return e;
}

void
sgd_ia_cut_begin(struct sgd_ia_cutter *cutter, const struct sgd_draw *draw)
{
   *cutter = (struct sgd_ia_cutter){ .draw = draw };
}

static bool
draws_nothing(const struct sgd_draw *draw)
{
   const struct sgd_topology topo = sgd_ia_topology(draw->packet.primitive,
                                                    draw->packet.patch_vertices);

   return draw->packet.count < (uint32_t)topo.lead + topo.step;
}

bool
sgd_ia_cut_reads(const struct sgd_draw *draw)
{
   return draw->packet.restart && draw->packet.index_size != SGPU_INDEX_SIZE_NONE;
}

bool
sgd_ia_cut_done(const struct sgd_ia_cutter *cutter)
{
   return draws_nothing(cutter->draw) || cutter->instance >= cutter->draw->packet.instances;
}

/* Returns the number of primitives in a strip of `elements` elements. */
static uint32_t
strip_prims(const struct sgd_topology *topo, uint32_t elements)
{
   uint32_t prims = elements >= topo->lead ? (elements - topo->lead) / topo->step : 0;

   if (topo->closed && prims)
      prims++;
   return topo->whole ? prims != 0 : prims;
}

/* Puts all joined draws into a single batch, where each draw is a strip. */
static void
cut_parts(struct sgd_ia_cutter *cutter, struct sgd_batch *batch)
{
   const struct sgd_draw *draw = cutter->draw;
   const struct sgd_topology topo = sgd_ia_topology(draw->packet.primitive, 0);

   batch->draw = (struct sgd_draw *)draw;
   batch->num_elements = batch->own_elements = draw->packet.count;
   batch->first_of_strip = batch->last_of_strip = true;
   for (unsigned i = 0; i < draw->num_parts; i++)
      batch->num_primitives += strip_prims(&topo, draw->parts[i].count);
   cutter->instance++;
}

bool
sgd_ia_cut_next(struct sgd_ia_cutter *cutter, struct sgd_batch *batch)
{
   const struct sgd_draw *draw = cutter->draw;
   const struct sgd_topology topo = sgd_ia_topology(draw->packet.primitive,
                                                    draw->packet.patch_vertices);
   const bool restart = sgd_ia_cut_reads(draw);
   const uint32_t count = draw->packet.count;

   if (sgd_ia_cut_done(cutter))
      return false;
   if (draw->num_parts) {
      cut_parts(cutter, batch);
      return true;
   }

   const uint32_t first = cutter->next;
   /* Leave space for one more element, which can be the restart index after a strip or the last
    * element of the draw.
    */
   const uint32_t bound = MIN2((uint64_t)count, (uint64_t)first + SGD_BATCH_ELEMENTS - 1);
   uint32_t prims_left = batch_prims(draw) / topo.weight;
   uint32_t e = first; /* end of the elements that are already in the batch */
   uint32_t prim = cutter->prim;
   bool in_strip = cutter->in_strip;

   batch->draw = (struct sgd_draw *)draw;
   batch->instance = cutter->instance;
   batch->first_element = first;
   batch->first_prim = prim;
   batch->first_of_strip = !in_strip;
   batch->strip_first = cutter->strip_first;
   batch->last_of_strip = true;

   while (e < bound) {
      if (!in_strip)
         cutter->strip_first = e;

      /* Look at one element more than fits in the batch, to see if the strip ends there. This is
       * not needed if each element is a whole primitive.
       */
      const uint64_t window = (uint64_t)e + topo.lead + (uint64_t)topo.step * prims_left;
      const uint32_t limit = MIN2((uint64_t)bound, window);
      const uint32_t past = topo.lead + topo.step > 1;
      const uint32_t seen = MIN2((uint64_t)limit + past, (uint64_t)count);
      const uint32_t end = restart ? find_restart(draw, e, seen) : seen;

      if (end == count || end < seen) {
         /* The strip ends in this batch. */
         uint32_t prims = end - e >= topo.lead ? (end - e - topo.lead) / topo.step : 0;
         if (topo.closed && (prims || in_strip))
            prims++;
         prims_left -= MIN2(prims, prims_left);
         prim += topo.whole ? prims || in_strip : prims;
         in_strip = false;
         e = MIN2((uint64_t)end + 1, (uint64_t)count);
         if (prims_left < 2)
            break;
         continue;
      }

      uint32_t prims = limit - e >= topo.lead ? (limit - e - topo.lead) / topo.step : 0;
      if (topo.even)
         prims &= ~1u;
      if (prims) {
         cutter->next = e + prims * topo.step;
         cutter->in_strip = true;
         cutter->prim = topo.whole ? prim : prim + prims;
         batch->num_elements = cutter->next + topo.lead - first;
         batch->own_elements = cutter->next - first;
         batch->num_primitives = cutter->prim - batch->first_prim;
         batch->last_of_strip = topo.lead == 0;
         return true;
      }
      /* The batch has no space for a primitive of this strip, so the next batch starts with it. */
      break;
   }

   batch->num_elements = batch->own_elements = e - first;
   batch->num_primitives = prim - batch->first_prim;
   cutter->next = e;
   cutter->in_strip = in_strip;
   cutter->prim = prim;
   if (e >= count) {
      cutter->instance++;
      cutter->next = 0;
      cutter->prim = 0;
      cutter->in_strip = false;
   }
   return true;
}
