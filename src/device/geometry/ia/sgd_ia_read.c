/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: reads the elements of a batch and finds its unique vertices, so that the vertex
 * program runs once per vertex of a batch.
 *
 * The application can change indices while the device reads them, so this file only uses a single
 * copy of the indices. If the cut depended on the indices, the copy must produce the same number of
 * primitives as the cut; otherwise, nothing is drawn.
 */
#include <assert.h>
#include <string.h>

#include "geometry/cut/sgd_ia_index.h"
#include "geometry/front/sgd_front.h"
#include "geometry/ia/sgd_ia.h"
#include "common/sgd_once.h"

static uint16_t
add_vertex(struct sgd_front *f, uint32_t index)
{
   f->index[f->num_vertices] = index;
   return f->num_vertices++;
}

/* Returns the vertex slot of an index. Adds a vertex if the index is new. */
static uint16_t
find_vertex(struct sgd_front *f, uint32_t index)
{
   uint32_t h = (index * 0x9e3779b1u) >> (32 - SGD_DEDUPE_LOG2);

   /* The search terminates, since at most SGD_MAX_SLOTS entries are in use. */
   while (f->dedupe[h].stamp == f->dedupe_stamp) {
      if (f->dedupe[h].index == index)
         return f->dedupe[h].slot;
      h = (h + 1) & (SGD_DEDUPE - 1);
   }
   f->dedupe[h].stamp = f->dedupe_stamp;
   f->dedupe[h].index = index;
   f->dedupe[h].slot = add_vertex(f, index);
   return f->dedupe[h].slot;
}

/* Finds the vertices of `count` elements with a lookup table for indices close to the lowest index.
 * Returns false if the range of indices is too large, or if there is a restart index.
 */
#define READ_NEAR(type)                                                                            \
   static bool read_near_##type(struct sgd_front *f, const void *p, unsigned count, uint32_t bias, \
                                uint16_t *slot)                                                    \
   {                                                                                               \
      const struct SGPU_DRAW *packet = &f->draw->packet;                                           \
      const type *v = p;                                                                           \
      const type restart_index = packet->restart_index;                                            \
      const bool restart = packet->restart && packet->restart_index == restart_index;              \
      type low = (type)~0u, high = 0, restarts = 0;                                                \
                                                                                                   \
      for (unsigned i = 0; i < count; i++) {                                                       \
         low = MIN2(low, v[i]);                                                                    \
         high = MAX2(high, v[i]);                                                                  \
         restarts |= v[i] == restart_index;                                                        \
      }                                                                                            \
      const uint32_t range = (uint32_t)high - low;                                                 \
      if (range >= SGD_NEAR || range > 4 * count || (restart && restarts))                         \
         return false;                                                                             \
                                                                                                   \
      unsigned n = f->num_vertices;                                                                \
      memset(f->near, 0xff, (range + 1) * sizeof(f->near[0]));                                     \
      static_assert(SGD_SLOT_RESTART == 0xffff, "no vertex");                                      \
      for (unsigned i = 0; i < count; i++) {                                                       \
         uint16_t *at = &f->near[(type)(v[i] - low)];                                              \
         if (*at == SGD_SLOT_RESTART) {                                                            \
            f->index[n] = v[i] + bias;                                                             \
            *at = n++;                                                                             \
         }                                                                                         \
         slot[i] = *at;                                                                            \
      }                                                                                            \
      f->num_vertices = n;                                                                         \
      return true;                                                                                 \
   }

READ_NEAR(uint8_t)
READ_NEAR(uint16_t)
READ_NEAR(uint32_t)
#undef READ_NEAR

static bool
read_near(struct sgd_front *f, const void *p, unsigned count, uint32_t bias, uint16_t *slot)
{
   switch (f->draw->packet.index_size) {
   case SGPU_INDEX_SIZE_U8:
      return read_near_uint8_t(f, p, count, bias, slot);
   case SGPU_INDEX_SIZE_U16:
      return read_near_uint16_t(f, p, count, bias, slot);
   default:
      return read_near_uint32_t(f, p, count, bias, slot);
   }
}

/* Finds the vertices of all elements whose indices are inside the buffer. */
#define READ_LOOP(type)                                                                      \
   for (unsigned i = 0; i < in_reach; i++) {                                                 \
      const type v = ((const type *)copy)[i];                                                \
      slot[i] = restart && v == restart_index ? SGD_SLOT_RESTART : find_vertex(f, v + bias); \
   }

/* Returns true if later primitives of a strip use the strip's first vertex. */
static bool
has_hub(enum sgpu_primitive primitive)
{
   return primitive == SGPU_PRIMITIVE_LINE_LOOP || primitive == SGPU_PRIMITIVE_TRIANGLE_FAN ||
          primitive == SGPU_PRIMITIVE_POLYGON;
}

/* Returns true if find_vertex() will be called again after all elements have been read, for the hub
 * or for adjacent vertices.
 */
static bool
looked_up_later(const struct sgd_front *f)
{
   const enum sgpu_primitive primitive = f->draw->packet.primitive;

   return has_hub(primitive) || primitive == SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY;
}

/* Finds the vertices of `count` elements, starting at index `first` of the buffer. */
static void
read_indices(struct sgd_front *f, const struct sgd_span *indices, uint64_t first, unsigned count,
             uint32_t bias, uint16_t *slot)
{
   const struct SGPU_DRAW *packet = &f->draw->packet;
   const bool restart = packet->restart;
   const uint32_t restart_index = packet->restart_index;
   const unsigned shift = packet->index_size - SGPU_INDEX_SIZE_U8;
   const uint64_t size = indices->size >> shift;
   const uint64_t left = first < size ? size - first : 0;
   const unsigned in_reach = MIN2((uint64_t)count, left);
   _Alignas(64) uint32_t copy[SGD_BATCH_ELEMENTS];

   if (in_reach)
      sgd_copy_once(copy, indices->ptr + (first << shift), (size_t)in_reach << shift);
   if (in_reach == count && !looked_up_later(f) && read_near(f, copy, count, bias, slot))
      return;
   if (++f->dedupe_stamp == 0) {
      memset(f->dedupe, 0, sizeof(f->dedupe));
      f->dedupe_stamp = 1;
   }
   switch (packet->index_size) {
   case SGPU_INDEX_SIZE_U8:
      READ_LOOP(uint8_t)
      break;
   case SGPU_INDEX_SIZE_U16:
      READ_LOOP(uint16_t)
      break;
   default:
      READ_LOOP(uint32_t)
      break;
   }
   for (unsigned i = in_reach; i < count; i++)
      slot[i] = restart && restart_index == 0 ? SGD_SLOT_RESTART : find_vertex(f, bias);
}

/* Reads the elements of joined draws. Each draw gets separate vertices, since the statistics count
 * the vertices of each draw.
 */
static void
read_parts(struct sgd_front *f)
{
   const struct sgd_draw *draw = f->draw;
   const bool indexed = draw->packet.index_size != SGPU_INDEX_SIZE_NONE;
   unsigned n = 0;

   for (unsigned p = 0; p < draw->num_parts; p++) {
      const struct sgd_draw_part *part = &draw->parts[p];
      if (p)
         f->slot[n++] = SGD_SLOT_RESTART;
      if (indexed)
         read_indices(f, &part->indices, part->first, part->count, part->bias, f->slot + n);
      for (unsigned i = 0; i < part->count && !indexed; i++)
         f->slot[n + i] = add_vertex(f, part->first + i);
      n += part->count;
   }
   assert(n == f->batch->num_elements);
}

static uint16_t
element_vertex(struct sgd_front *f, uint32_t element)
{
   const struct SGPU_DRAW *packet = &f->draw->packet;

   if (packet->index_size == SGPU_INDEX_SIZE_NONE)
      return add_vertex(f, packet->first + element);
   return find_vertex(f, sgd_ia_index(f->draw, element) + packet->index_bias);
}

static bool
is_restart(const struct sgd_draw *draw, uint32_t element)
{
   return draw->packet.restart && draw->packet.index_size != SGPU_INDEX_SIZE_NONE &&
          sgd_ia_index(draw, element) == draw->packet.restart_index;
}

/* Finds the vertices that are adjacent to this batch's part of a triangle strip. */
static void
read_adjacent(struct sgd_front *f)
{
   const struct sgd_batch *batch = f->batch;
   const uint32_t next = batch->first_element + batch->num_elements;

   if (!batch->first_of_strip)
      f->adjacent_before = element_vertex(f, batch->first_element - 2);
   /* There is only another triangle if the strip has at least two more elements. */
   f->adjacent_after = SGD_SLOT_RESTART;
   if (!batch->last_of_strip && (uint64_t)next + 1 < f->draw->packet.count &&
       !is_restart(f->draw, next) && !is_restart(f->draw, next + 1))
      f->adjacent_after = element_vertex(f, next);
}

/* Counts the primitives that the elements of the batch produce, with the same rules as in the cut.
 */
static uint32_t
count_primitives(const struct sgd_front *f)
{
   const struct sgd_batch *batch = f->batch;
   const struct SGPU_DRAW *packet = &f->draw->packet;
   const struct sgd_topology topo = sgd_ia_topology(packet->primitive, packet->patch_vertices);
   const unsigned n = batch->num_elements;
   uint32_t count = 0;

   for (unsigned begin = 0, end; begin < n; begin = end + 1) {
      for (end = begin; end < n && f->slot[end] != SGD_SLOT_RESTART; end++)
         ;
      const unsigned elements = end - begin;
      const bool continued = begin == 0 && !batch->first_of_strip;
      const bool ends = end < n || batch->last_of_strip;
      unsigned made = elements >= topo.lead ? (elements - topo.lead) / topo.step : 0;

      if (topo.closed && ends)
         made += elements >= 2 || (elements == 1 && continued);
      if (topo.whole)
         made = ends && (made || continued);
      count += made;
   }
   return count;
}

void
sgd_ia_read(struct sgd_front *f)
{
   const struct sgd_batch *batch = f->batch;
   const struct sgd_draw *draw = f->draw;
   const bool indexed = draw->packet.index_size != SGPU_INDEX_SIZE_NONE;

   f->num_vertices = 0;
   if (draw->num_parts) {
      read_parts(f);
   } else if (indexed) {
      read_indices(f, &draw->indices, (uint64_t)draw->packet.first + batch->first_element,
                   batch->num_elements, draw->packet.index_bias, f->slot);
   } else {
      for (unsigned i = 0; i < batch->num_elements; i++)
         f->slot[i] = add_vertex(f, draw->packet.first + batch->first_element + i);
   }

   f->hub = 0;
   if (!batch->first_of_strip && has_hub(draw->packet.primitive))
      f->hub = element_vertex(f, batch->strip_first);
   if (f->second && draw->packet.primitive == SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY)
      read_adjacent(f);
   /* The indices have changed since the cut, so draw nothing. */
   if (sgd_ia_cut_reads(draw) && count_primitives(f) != batch->num_primitives) {
      f->num_vertices = 0;
      f->batch->num_elements = f->batch->own_elements = f->batch->num_primitives = 0;
   }
   unsigned vertices = 0;
   for (unsigned i = 0; i < batch->own_elements; i++)
      vertices += f->slot[i] != SGD_SLOT_RESTART;
   f->batch->stats.ia_vertices += vertices;
   f->batch->stats.ia_primitives += batch->num_primitives;
   if (!f->second && !f->state->xfb.num_words)
      f->batch->stats.generated[0] += batch->num_primitives;
}
