/* SPDX-License-Identifier: MIT */
/*
 * Front end context: the scratch memory that a worker uses to process a batch, from the input
 * assembler to the tile lists.
 */
#ifndef SGD_FRONT_H
#define SGD_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/arena/sgd_arena.h"
#include "geometry/cut/sgd_ia_cut.h"
#include "geometry/front/sgd_front_stage.h"
#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_arch.h"
#include "common/sgd_batch.h"
#include "common/sgd_state.h"
#include "util/macros.h"

struct sgd_patch;
struct sgd_tile_list;
struct sgd_varyings;
struct sgd_worker;

#define SGD_MAX_SLOTS (SGD_BATCH_ELEMENTS + 3)
#define SGD_SLOT_RESTART 0xffff

/* Size of the hash table that maps indices to the unique vertices of a batch. */
#define SGD_DEDUPE_LOG2 12
#define SGD_DEDUPE (1 << SGD_DEDUPE_LOG2)
/* If all indices of a batch are within a range of this size, the lookup table near[] is used
 * instead of the hash table.
 */
#define SGD_NEAR 4096

struct sgd_tile_slot {
   uint32_t stamp;
   struct sgd_tile_list *list;
};

struct sgd_front {
   struct sgd_worker *worker;
   struct sgd_batch *batch;
   const struct sgd_draw *draw;
   const struct sgd_state *state;
   const struct sgd_varyings *varyings;

   /* Stages of the draw: */
   struct sgd_front_stage stages[SGD_FRONT_STAGES]; /* all stages of the pipeline, in order */
   struct sgd_front_stage *first;                   /* head of the list of bound stages */
   /* stage that receives primitives from the input assembler; if NULL, transform feedback and the
    * clipper receive them
    */
   struct sgd_front_stage *second;
   bool stopped; /* true if the draw was stopped; worker->stop is the reason */
   bool resumed; /* true if the evaluation stage continues where an earlier batch stopped */
   /* patch of the primitive that is passed to the evaluation stage; NULL without a control program
    */
   const struct sgd_patch *patch;

   /* State of the input assembler: */
   uint16_t slot[SGD_BATCH_ELEMENTS]; /* vertex slot of each element */
   uint16_t hub; /* vertex slot of element strip_first, if the batch continues a strip */
   /* if the batch is part of a strip with adjacency: vertex slots of the elements before and after
    * this part; SGD_SLOT_RESTART if there are none
    */
   uint16_t adjacent_before, adjacent_after;
   uint32_t index[SGD_MAX_SLOTS]; /* index of each vertex, with the index bias added */
   unsigned num_vertices;
   struct {
      uint32_t index;
      uint16_t slot;
      uint16_t stamp;
   } dedupe[SGD_DEDUPE];
   uint16_t dedupe_stamp;
   /* near[i] is the vertex slot of the lowest index plus i; SGD_SLOT_RESTART if it has no slot yet
    */
   uint16_t near[SGD_NEAR];

   /* Vertices for the clipper: */
   /* vertices in the order of their slots, if the vertex stage is the last stage */
   uint8_t *vertices;
   size_t vertices_size;
   unsigned stride; /* bytes per vertex */
   /* number of attributes in attr[], where the clip distances follow the attributes */
   unsigned num_attrs;
   unsigned first_xfb; /* index in attr[] of the first word for transform feedback */
   /* index in attr[] of the position before the swizzle; only stored if vertices select a viewport
    * and a viewport swizzles positions
    */
   unsigned first_position;
   bool multi_viewport; /* true if vertices select the layer and viewport */

   /* State of the clipper and setup: */
   struct sgd_box box[SGD_MAX_VIEWPORTS];   /* clip rectangle of filled polygons, per viewport */
   struct sgd_box reach[SGD_MAX_VIEWPORTS]; /* clip rectangle of points and lines, per viewport */
   const struct sgd_setup_mode *mode;       /* of the draw's plan */
   uint32_t cull_bits; /* SGD_CLIP_CULL bits to test for the current primitive */
   bool edge_flags;    /* true if edge flags (o[EDGE]) apply to this primitive type */
   uint32_t primitive_id;
   bool xfb_pass;    /* true while the input assembler passes primitives to transform feedback */
   uint32_t stipple; /* line stipple counter since the last reset */
   /* true if the batch has not reset the stipple counter yet, so that the counts of earlier batches
    * must be added to it
    */
   bool stipple_carried;
   uint8_t *clip_memory; /* memory for vertices created by the clipper */
   size_t clip_memory_size;
   unsigned clip_made;

   /* State of binning: */
   struct sgd_tile_slot *tiles;
   uint32_t tiles_x, tiles_y, tiles_size;
   uint32_t tile_stamp;
   struct sgd_tile_list **tail;
   bool layered;   /* true if programs select the layers of primitives */
   uint32_t layer; /* layer of all primitives if `layered` is not set */

   uint64_t culled, clipped, slices, primitives;
};

static inline struct sgd_vertex *
sgd_front_vertex(const struct sgd_front *f, unsigned slot)
{
   return (struct sgd_vertex *)(f->vertices + (size_t)slot * f->stride);
}

static inline const float *
sgd_vertex_distances(const struct sgd_front *f, const struct sgd_vertex *v)
{
   return v->attr + f->num_attrs;
}

static inline const float *
sgd_vertex_xfb(const struct sgd_front *f, const struct sgd_vertex *v)
{
   return v->attr + f->first_xfb;
}

static inline bool
sgd_front_keeps_positions(const struct sgd_front *f)
{
   return f->mode->swizzles && f->multi_viewport;
}

/* Allocates memory that is freed together with the batch. On allocation failure, returns NULL and
 * marks the batch as failed.
 */
static inline void *
sgd_front_alloc(struct sgd_front *f, size_t size)
{
   struct sgd_arena *arena = &f->batch->arena;

   size = ALIGN_POT(size, 16);
   if (arena->next && (size_t)(arena->end - arena->next) >= size) {
      void *p = arena->next;
      arena->next += size;
      return p;
   }
   void *p = sgd_arena_alloc(arena, size);
   if (!p)
      f->batch->failed = true;
   return p;
}

/* Frees the most recent allocation of sgd_front_alloc(). */
static inline void
sgd_front_give_back(struct sgd_front *f, void *memory)
{
   f->batch->arena.next = memory;
}

/* Grows *memory to at least `wanted` bytes, aligned to 64 bytes. The old contents are lost. Returns
 * false on allocation failure.
 */
bool sgd_front_reserve(uint8_t **memory, size_t *size, size_t wanted);

static inline void
sgd_front_reset_stipple(struct sgd_front *f)
{
   f->stipple = 0;
   f->stipple_carried = false;
}

#endif
