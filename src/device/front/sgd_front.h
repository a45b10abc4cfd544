/* SPDX-License-Identifier: MIT */
/*
 * The front end's context: scratch memory of a worker for one batch on its way
 * from the input assembler to the tile lists.
 */
#ifndef SGD_FRONT_H
#define SGD_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/sgd_front_stage.h"
#include "front/sgd_front_vertex.h"
#include "ia/sgd_ia_cut.h"
#include "sgd_arch.h"
#include "arena/sgd_arena.h"
#include "sgd_batch.h"
#include "sgd_state.h"
#include "util/macros.h"

struct sgd_patch;
struct sgd_tile_list;
struct sgd_varyings;
struct sgd_worker;

#define SGD_MAX_SLOTS (SGD_BATCH_ELEMENTS + 3)
#define SGD_SLOT_RESTART 0xffff

/* Unique vertices are found by a hash of their index. */
#define SGD_DEDUPE_LOG2 12
#define SGD_DEDUPE (1 << SGD_DEDUPE_LOG2)
/* Or in a table, where the indices of a batch are less than this apart. */
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

   /* stages */
   struct sgd_front_stage stages[SGD_FRONT_STAGES]; /* all of the pipeline, in order */
   struct sgd_front_stage *first;                   /* the bound ones, linked by next */
   struct sgd_front_stage *second; /* takes the assembler's primitives; NULL: xfb and
                                            * the clipper take them */
   bool stopped;                   /* worker->stop has the reason */
   bool resumed;                   /* the evaluation stage has what another batch left */
   const struct sgd_patch *patch;  /* of the primitive that goes to the evaluation stage;
                                    * NULL: no control program */

   /* input assembler */
   uint16_t slot[SGD_BATCH_ELEMENTS];        /* vertex of each element */
   uint16_t hub;                             /* vertex of strip_first, if continued */
   uint16_t adjacent_before, adjacent_after; /* of a continued strip with adjacent vertices;
                                               * SGD_SLOT_RESTART: none */
   uint32_t index[SGD_MAX_SLOTS];            /* of the vertices, bias included */
   unsigned num_vertices;
   struct {
      uint32_t index;
      uint16_t slot;
      uint16_t stamp;
   } dedupe[SGD_DEDUPE];
   uint16_t dedupe_stamp;
   uint16_t near[SGD_NEAR]; /* vertex of the lowest index, and of those that follow it;
                             * SGD_SLOT_RESTART: none so far */

   /* vertices for the clipper */
   uint8_t *vertices; /* if the vertex stage is the last: by slot */
   size_t vertices_size;
   unsigned stride;     /* bytes a vertex */
   unsigned num_attrs;  /* before the clip distances */
   unsigned first_xfb;  /* attr[] of the first word that xfb records */
   bool multi_viewport; /* vertices name layer and viewport */

   /* setup */
   struct sgd_box box[SGD_MAX_VIEWPORTS];   /* of filled polygons */
   struct sgd_box reach[SGD_MAX_VIEWPORTS]; /* of points and lines */
   uint32_t clip_cut;                       /* planes that count */
   uint32_t clip_planes;                    /* the user's, bit n: distance n */
   uint32_t cull_distances;                 /* the same for cull distances */
   uint32_t cull_bits;                      /* SGD_CLIP_CULL bits that apply to the primitive */
   bool edge_flags;                         /* o[EDGE] applies to this primitive type */
   int32_t pixel_center;                    /* added to window coordinates, 1/256 pixel */
   bool multisamples;                       /* primitives cover samples */
   bool conservative;                       /* primitives cover all pixels that they touch */
   bool smooth_points, smooth_lines;
   bool line_rects;    /* lines are drawn as line rectangles */
   bool smooth_fill;   /* filled polygons are smooth */
   bool fill_unfilled; /* a polygon mode is not SOLID */
   float offset_unit;  /* smallest step of a fixed-point depth, or 0: float */
   uint32_t primitive_id;
   bool xfb_pass;        /* xfb takes the assembler's primitives */
   uint32_t stipple;     /* line stipple counter since the latest reset */
   bool stipple_carried; /* no reset in this batch so far */
   uint8_t *clip_memory; /* vertices that the clipper makes */
   size_t clip_memory_size;
   unsigned clip_made;

   /* bin */
   struct sgd_tile_slot *tiles;
   uint32_t tiles_x, tiles_y, tiles_size;
   uint32_t tile_stamp;
   struct sgd_tile_list **tail;

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

/* Memory of the batch.  Without memory returns NULL and the batch has failed. */
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

/* Gives back the latest of sgd_front_alloc. */
static inline void
sgd_front_give_back(struct sgd_front *f, void *memory)
{
   f->batch->arena.next = memory;
}

/* Scratch of at least `wanted` bytes, aligned to 64; old contents are lost.  False
 * without memory.
 */
bool sgd_front_reserve(uint8_t **memory, size_t *size, size_t wanted);

/* Restarts the line stipple counter. */
static inline void
sgd_front_reset_stipple(struct sgd_front *f)
{
   f->stipple = 0;
   f->stipple_carried = false;
}

#endif
