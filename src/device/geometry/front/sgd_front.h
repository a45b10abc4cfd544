/* SPDX-License-Identifier: MIT */
/*
 * Front end context: scratch memory that a worker uses while one batch passes from the
 * input assembler to the tile lists.
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

/* Size of the hash table that finds the unique vertices of a batch by their index. */
#define SGD_DEDUPE_LOG2 12
#define SGD_DEDUPE (1 << SGD_DEDUPE_LOG2)
/* The front end uses the table near[] instead of the hash if all indices of a batch lie
 * within a range of this size.
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

   /* Stages of the draw. */
   struct sgd_front_stage stages[SGD_FRONT_STAGES]; /* all stages of the pipeline, in order */
   struct sgd_front_stage *first;                   /* head of the list of bound stages */
   struct sgd_front_stage *second; /* stage that takes the assembler's primitives; NULL if xfb and
                                    * the clipper take them */
   bool stopped;                   /* the draw was stopped for the reason in worker->stop */
   bool resumed;                   /* the evaluation stage continues from the state that another
                                    * batch left */
   const struct sgd_patch *patch;  /* patch of the primitive passed to the evaluation stage; NULL
                                    * without a control program */

   /* State of the input assembler. */
   uint16_t slot[SGD_BATCH_ELEMENTS];        /* vertex number of each element */
   uint16_t hub;                             /* vertex number of element strip_first, if the batch
                                              * continues a strip */
   uint16_t adjacent_before, adjacent_after; /* vertex numbers of the neighbours of a continued
                                              * strip with adjacency; SGD_SLOT_RESTART if there is
                                              * none */
   uint32_t index[SGD_MAX_SLOTS];            /* index of each vertex, with the bias added */
   unsigned num_vertices;
   struct {
      uint32_t index;
      uint16_t slot;
      uint16_t stamp;
   } dedupe[SGD_DEDUPE];
   uint16_t dedupe_stamp;
   uint16_t near[SGD_NEAR]; /* near[i]: vertex number of index lowest + i; SGD_SLOT_RESTART if no
                             * element has used it yet */

   /* Vertices for the clipper. */
   uint8_t *vertices; /* vertices by slot, if the vertex stage is the last stage */
   size_t vertices_size;
   unsigned stride;     /* bytes per vertex */
   unsigned num_attrs;  /* number of attributes in attr[], before the clip distances */
   unsigned first_xfb;  /* position in attr[] of the first word that xfb records */
   bool multi_viewport; /* vertices select their layer and viewport */

   /* State of setup and of the clipper. */
   struct sgd_box box[SGD_MAX_VIEWPORTS];   /* clip rectangle of filled polygons */
   struct sgd_box reach[SGD_MAX_VIEWPORTS]; /* clip rectangle of points and lines */
   uint32_t clip_cut;       /* outcode bits of the planes that the clipper cuts at */
   uint32_t clip_planes;    /* enabled user clip planes; bit n: clip distance n */
   uint32_t cull_distances; /* bit n: the program writes cull distance n */
   uint32_t cull_bits;      /* SGD_CLIP_CULL bits that apply to the primitive */
   bool edge_flags;         /* o[EDGE] applies to this primitive type */
   int32_t pixel_center;    /* offset added to window coordinates, in 1/256 pixel */
   bool multisamples;       /* primitives cover samples rather than pixel centres */
   bool conservative;       /* primitives cover every pixel that they touch */
   bool smooth_points, smooth_lines;
   bool line_rects;    /* lines are drawn as line rectangles */
   bool smooth_fill;   /* filled polygons are smooth */
   bool fill_unfilled; /* a polygon mode is not SOLID */
   float offset_unit;  /* smallest step of a fixed-point depth buffer; 0 if depth is float */
   uint32_t primitive_id;
   bool xfb_pass;        /* this pass passes the assembler's primitives to xfb */
   uint32_t stipple;     /* line stipple counter since the latest reset */
   bool stipple_carried; /* the counter has not been reset in this batch yet */
   uint8_t *clip_memory; /* memory for the vertices that the clipper makes */
   size_t clip_memory_size;
   unsigned clip_made;

   /* State of binning. */
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

/* Allocates memory that lives as long as the batch. Returns NULL and marks the batch as
 * failed if out of memory.
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

/* Frees the block that the latest call of sgd_front_alloc() returned. */
static inline void
sgd_front_give_back(struct sgd_front *f, void *memory)
{
   f->batch->arena.next = memory;
}

/* Grows *memory to at least `wanted` bytes, aligned to 64; its old contents are lost.
 * Returns false if out of memory.
 */
bool sgd_front_reserve(uint8_t **memory, size_t *size, size_t wanted);

static inline void
sgd_front_reset_stipple(struct sgd_front *f)
{
   f->stipple = 0;
   f->stipple_carried = false;
}

#endif
