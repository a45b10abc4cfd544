/* SPDX-License-Identifier: MIT */
/*
 * The geometry front end of a worker: scratch memory of a batch on its way
 * from the input assembler to the tile lists, and the functions of the blocks
 * that it passes.
 */
#ifndef SGD_FRONT_H
#define SGD_FRONT_H

#include "sgd_arch.h"
#include "sgd_ia.h"
#include "setup/sgd_varyings.h"
#include "sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"

/* Window coordinates: 8 bits of sub-pixel precision, at most 2^15 pixels from
 * the origin.
 */
#define SGD_SUBPIXEL_BITS 8
#define SGD_SUBPIXEL 256
#define SGD_GUARD 32768.0f

/* Which planes a vertex is outside of.  The clipper cuts at those below
 * SGD_CLIP_VIEW, in the order of the bits, and at those of SGD_CLIP_VIEW_BITS as
 * sgd_clip.c says; a primitive with all vertices outside one plane is dropped,
 * and one with a cull distance negative at all vertices.
 */
enum {
   SGD_CLIP_W,                /* w > 0 */
   SGD_CLIP_NEAR,
   SGD_CLIP_FAR,
   SGD_CLIP_GUARD,            /* x low, x high, y low, y high: as far as coordinates reach */
   SGD_CLIP_USER = SGD_CLIP_GUARD + 4,
   SGD_CLIP_VIEW = SGD_CLIP_USER + 8,     /* the sides of the view volume */
   SGD_CLIP_PLANES = SGD_CLIP_VIEW + 4,
   SGD_CLIP_CULL = SGD_CLIP_PLANES,       /* cull distances: they are negative */
};
#define SGD_CLIP_GUARD_BITS (15u << SGD_CLIP_GUARD)
#define SGD_CLIP_VIEW_BITS (15u << SGD_CLIP_VIEW)
#define SGD_CLIP_USER_BITS (255u << SGD_CLIP_USER)
#define SGD_CLIP_CULL_BITS (255u << SGD_CLIP_CULL)

/* A vertex as the clipper takes it: after its program, or as the geometry program
 * emitted it.
 */
struct sgd_vertex {
   float pos[4];              /* clip space */
   int32_t x, y;              /* window, 1/256 pixel; valid unless outside a plane */
   float z, rw;               /* window depth; 1/w */
   uint32_t clip;             /* SGD_CLIP_* bits: outside of */
   float point_size;
   uint32_t layer;            /* as the program has it; targets without layers take all */
   uint8_t viewport;
   bool edge;
   float attr[];              /* as struct sgd_varyings orders them, then clip distances, then
                               * what stream output captures */
};

/* Pixels that may be drawn, half open. */
struct sgd_box {
   int32_t x0, y0, x1, y1;
};

#define SGD_MAX_SLOTS (SGD_BATCH_ELEMENTS + 3)
#define SGD_SLOT_RESTART 0xffff
/* Polygons of the clipper: three corners and one more for every plane; rounding
 * can make one not quite convex.  All vertices made: two a plane and copies.
 */
#define SGD_CLIP_CORNERS (3 + 2 * SGD_CLIP_PLANES)
#define SGD_CLIP_VERTICES (3 + 4 * SGD_CLIP_PLANES)
/* Of these, for an edge of a polygon that the sides of the view volume cut. */
#define SGD_CLIP_LINE_VERTICES 4

/* Unique vertices are found by a hash of their index. */
#define SGD_DEDUPE_LOG2 12
#define SGD_DEDUPE (1 << SGD_DEDUPE_LOG2)

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

   /* input assembler */
   uint16_t slot[SGD_BATCH_ELEMENTS];      /* vertex of each element */
   uint16_t hub;                           /* vertex of strip_first, if continued */
   uint16_t adjacent_before, adjacent_after;  /* of a strip with adjacent vertices that is
                                              * continued; SGD_SLOT_RESTART: none */
   uint32_t index[SGD_MAX_SLOTS];          /* of the vertices, bias included */
   unsigned num_vertices;
   struct {
      uint32_t index;
      uint16_t slot;
      uint16_t stamp;
   } dedupe[SGD_DEDUPE];
   uint16_t dedupe_stamp;

   /* vertices */
   uint8_t *vertices;
   size_t vertices_size;
   unsigned stride;                        /* bytes a vertex */
   unsigned num_attrs;                     /* before the clip distances */
   unsigned first_captured;                /* attr[] that stream output's words begin at */
   bool multi_viewport;                    /* vertices name layer and viewport */

   /* geometry program */
   struct sgd_geometry *geometry;          /* NULL: none is bound */
   struct sgd_geometry *geometry_unit;
   bool geometry_stopped;                  /* worker->stopped says why */
   uint8_t *raw;                           /* outputs of the vertex program that it reads */
   size_t raw_size;
   unsigned raw_stride;                    /* bytes a vertex */

   /* setup */
   struct sgd_box box[SGD_MAX_VIEWPORTS];  /* of filled polygons */
   struct sgd_box reach[SGD_MAX_VIEWPORTS]; /* of points and lines */
   uint32_t clip_cut;                      /* planes that count */
   uint32_t clip_planes;                   /* the user's, bit n: distance n */
   uint32_t cull_distances;                /* the same of those that cull */
   uint32_t cull_bits;                     /* SGD_CLIP_CULL bits that count for the primitive */
   bool edge_flags;                        /* o[EDGE] counts for this primitive type */
   int32_t pixel_center;                   /* added to window coordinates, 1/256 pixel */
   bool multisamples;                      /* primitives cover samples */
   bool smooth_points, smooth_lines;
   bool strip_lines;                       /* lines are rectangles around them */
   bool smooth_fill;                       /* polygons, where they are filled */
   bool fill_unfilled;                     /* a polygon mode is not SOLID */
   float offset_unit;                      /* smallest step of a fixed-point depth, or 0: float */
   uint32_t primitive_id;
   bool capture;                           /* the assembler's primitives go to stream output */
   uint32_t stipple;                       /* line stipple counter since the latest reset */
   bool stipple_carried;                   /* there was none in this batch */
   uint8_t *clip_memory;                   /* vertices that the clipper makes */
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
sgd_vertex_captured(const struct sgd_front *f, const struct sgd_vertex *v)
{
   return v->attr + f->first_captured;
}

/* Memory of the batch; NULL, with the batch failed, when there is none. */
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

/* Double to single precision, tiny results as zeros on every host. */
static inline float
sgd_narrow(double x)
{
#if SGPU_FP_HW_FTZ
   return (float)x;
#else
   return sgpu_fp_narrow(x);
#endif
}

/* ia */
void sgd_ia_read(struct sgd_front *f);
void sgd_ia_assemble(struct sgd_front *f);

/* vertex */
bool sgd_vertex_begin(struct sgd_front *f);
bool sgd_vertex_run(struct sgd_front *f);
/* Outputs of the geometry program, in the machine, to its vertices: those of
 * lane[i] to v[i].
 */
void sgd_vertex_emit(const struct sgd_front *f, struct sgd_vertex *const *v, const uint8_t *lane,
                     unsigned count);
/* Attributes of up to 32 vertices to the inputs of the vertex program. */
void sgd_vertex_fetch(const struct sgd_front *f, const uint32_t *index, unsigned count);
/* Window coordinates and outcode of a vertex under its viewport. */
void sgd_vertex_place(const struct sgd_front *f, struct sgd_vertex *v);

/* The line stipple counter begins anew. */
static inline void
sgd_front_reset_stipple(struct sgd_front *f)
{
   f->stipple = 0;
   f->stipple_carried = false;
}

/* stream: primitives of the last geometry stage, as they are captured; the
 * vertices of a triangle in the order of its facing, the one of number `corner`
 * provoking.
 */
void sgd_stream_point(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v);
void sgd_stream_line(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                     const struct sgd_vertex *v1);
void sgd_stream_triangle(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                         const struct sgd_vertex *v1, const struct sgd_vertex *v2,
                         unsigned corner);

/* clip: what the assembler hands over, vertices in order, `prov` the provoking
 * one; bit n of `edges`: that from vertex n to the next is one of the
 * primitive's own; SGD_EDGES_CONTINUE: of the polygon of the call before.
 */
#define SGD_EDGES_ALL 7u
#define SGD_EDGES_CONTINUE 8u
void sgd_clip_point(struct sgd_front *f, const struct sgd_vertex *v);
void sgd_clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                   const struct sgd_vertex *prov);
void sgd_clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0,
                       const struct sgd_vertex *v1, const struct sgd_vertex *v2,
                       const struct sgd_vertex *prov, unsigned edges);

/* A polygon of up to SGD_FACE_CORNERS corners, at once for the sake of
 * f->smooth_fill; bit n of `edges` as above.  Parts of it are triangles from
 * corner 0 on.
 */
#define SGD_FACE_CORNERS 16
void sgd_clip_face(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                   const struct sgd_vertex *prov, unsigned edges, bool continues);

/* setup: primitives inside all planes */

/* What all parts of an unfilled or clipped polygon share. */
struct sgd_face {
   const struct sgd_vertex *prov;
   bool front;
   bool in_viewport;          /* of points and lines: none of the fragments outside */
   float offset;              /* of depth */
};

/* Twice the area in 1/256 x 1/256 pixels; positive is clockwise as one sees it. */
static inline int64_t
sgd_triangle_area(const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                  const struct sgd_vertex *v2)
{
   return (int64_t)(v1->x - v0->x) * (v2->y - v0->y) -
          (int64_t)(v2->x - v0->x) * (v1->y - v0->y);
}
/* Corners turn one way, once around. */
static inline bool
sgd_polygon_convex(const struct sgd_vertex *const *v, unsigned n)
{
   bool left = false, right = false;

   for (unsigned i = 0; i < n; i++) {
      const int64_t turn = sgd_triangle_area(v[i], v[(i + 1) % n], v[(i + 2) % n]);
      const int64_t part = sgd_triangle_area(v[0], v[i], v[(i + 1) % n]);
      left |= turn < 0 || part < 0;
      right |= turn > 0 || part > 0;
   }
   return !left || !right;
}
void sgd_setup_begin(struct sgd_front *f);
void sgd_setup_triangle(struct sgd_front *f, const struct sgd_vertex *v0,
                        const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area,
                        const struct sgd_face *face);
/* A smooth polygon; convex but for what snapping did to it.  `area`: of all. */
void sgd_setup_polygon(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                       int64_t area, struct sgd_face *face);
void sgd_setup_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                    const struct sgd_face *face);
/* Counts the fragments of a line that is not drawn, for its stipple. */
void sgd_setup_line_skip(struct sgd_front *f, const struct sgd_vertex *v0,
                         const struct sgd_vertex *v1);
void sgd_setup_point(struct sgd_front *f, const struct sgd_vertex *v, const struct sgd_face *face);
/* Depth offset of a triangle (RASTERIZER.Offset *), its area not zero. */
float sgd_setup_offset(const struct sgd_front *f, const struct sgd_vertex *v0,
                       const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area);
/* The state's depth offset is on for polygons drawn as `fill`. */
static inline bool
sgd_offset_enabled(const struct SGPU_RASTERIZER *rast, enum sgpu_fill fill)
{
   return fill == SGPU_FILL_SOLID ? rast->offset_tri :
          fill == SGPU_FILL_LINE ? rast->offset_line : rast->offset_point;
}

/* bin */
bool sgd_bin_begin(struct sgd_front *f);
void sgd_bin_prim(struct sgd_front *f, const struct sgd_prim *prim);

#endif
