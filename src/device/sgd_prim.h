/* SPDX-License-Identifier: MIT */
/*
 * Primitives after setup, and the batches and tile lists that carry them from
 * the geometry front end to the raster engines.
 */
#ifndef SGD_PRIM_H
#define SGD_PRIM_H

#include "sgd_state.h"
#include "sgpu_isa.h"
#include "util/macros.h"

struct sgd_worker;
struct sgd_node;
struct sgd_dispatch;

/* A draw: the packet and the state it was issued under. */
struct sgd_draw {
   struct sgd_state *state;
   struct SGPU_DRAW packet;
   struct sgd_span indices;            /* the index buffer, from Index Address on */
   /* To be read before it is cut, or NULL: the packet's Count, as much as it is
    * of a counter; the numbers of an indirect draw, and how many draws there are.
    */
   const uint64_t *count;
   const uint32_t *numbers, *limit;
   bool count_stats;                   /* a statistics query is active */
};

/* Words of an indirect draw, see DRAW INDIRECT. */
static inline unsigned
sgd_draw_numbers(enum sgpu_index_size size)
{
   return size == SGPU_INDEX_SIZE_NONE ? 4 : 5;
}

/* value(x, y) = v0 + (dx * (x - ox) + dy * (y - oy)), evaluated with exactly
 * these float operations at absolute pixel coordinates x, y (the sampling
 * point: pixel centre, or a sample), for every pixel from the whole primitive:
 * how it is split cannot change a bit.
 */
struct sgd_plane {
   float v0, dx, dy;
};

enum sgd_prim_type {
   SGD_PRIM_TRIANGLE,
   SGD_PRIM_RECT,        /* every pixel of the box: points, and sprites; smooth: those whose
                          * squares meet the disc */
   SGD_PRIM_LINE,        /* a run of pixels, one or `line.width` in the minor direction a step */
   SGD_PRIM_POLYGON,     /* a part of a smooth polygon */
   SGD_PRIM_STRIP,       /* a rectangle around a line: smooth, every pixel whose square meets it;
                          * else samples inside of it */
};

/* a * px + b * py + c >= 0 for pixels on one side, as in u.tri below. */
struct sgd_edge {
   int64_t c;
   int32_t a, b;
};

/* A convex polygon that is smooth: coverage is that of all of it, however many
 * parts it is drawn in.  Parts are triangles from corner 0 on, each with planes
 * of its own; of the pixels whose squares meet the polygon, part p has those
 * whose centres are inside of lines 0 to p - 1 and outside of line p.
 */
struct sgd_outline {
   uint16_t num_corners, num_lines;
   int32_t (*corner)[2];               /* 1/256 pixel, clockwise */
   struct sgd_edge *edge;              /* from corner i to the next; inside: squares that are
                                        * not all outside */
   struct sgd_edge *line;              /* between parts */
};

/* Window coordinates of all kinds are moved so that the pixel centre is at
 * (px + 0.5, py + 0.5), whatever RASTERIZER.Half Pixel Center says.
 */
struct sgd_prim {
   uint8_t type;
   uint8_t front;                      /* facing */
   uint8_t viewport;
   bool smooth;                        /* alpha is multiplied by coverage: sgd_coverage.c */
   uint32_t layer;                     /* as the program has it; targets without take all */
   uint16_t x0, y0, x1, y1;            /* pixels covered at most, half open, inside target,
                                        * viewport and scissor */
   float ox, oy;                       /* origin of the planes */
   struct sgd_plane z;                 /* window depth without the offset */
   struct sgd_plane rw;                /* 1/w of clip space */
   float depth_offset;                 /* added to the plane's values (sgd_offset_depth) */
   uint32_t primitive_id;
   uint8_t tri_fraction[3];            /* what rounding has taken from u.tri.c, in 1/256 */
   union {
      /* Pixel (px, py) is inside where a * px + b * py + c >= 0 for all three:
       * exact at pixel centres, in units of 1/256 pixel x 1/256 pixel divided
       * by 256 (rounded down, which keeps the sign); the fill rule is in c.
       * At dx, dy units of 1/256 pixel from the centre it is inside where
       * 256 (a * px + b * py + c) + fraction + a * dx + b * dy >= 0.
       * |a| and |b| are at most 2^24, so that inside a tile that an edge cuts
       * its values fit 32 bits.
       */
      struct {
         int64_t c[3];
         int32_t a[3], b[3];
      } tri;
      /* Step i of `steps` along the major axis covers major = start + i and
       * minor pixels from floor((n + i * dn) / den) on, `width` of them.
       * `reverse`: the line runs towards step 0.  The line stipple counter is
       * `stipple` at its first fragment, to which `carried` adds what the batch
       * begins with (struct sgd_batch).
       */
      struct {
         int64_t n, dn, den;
         int32_t start;
         uint32_t steps;
         uint16_t width;
         uint16_t stipple;
         bool carried;
         bool reverse;
         bool y_major;
      } line;
      struct {
         const struct sgd_outline *outline;
         uint16_t part;
      } poly;
      /* From (x0, y0) to (x1, y1) in 1/256 pixel; pixels.  `stipple` and
       * `carried` as above, for rectangles of one pixel's length (OpenGL 2.1,
       * 3.4.2).
       */
      struct {
         int32_t x0, y0, x1, y1;
         double length;
         float half_width;
         uint16_t stipple;
         bool carried;
      } strip;
      /* Planes of the point coordinate, with the origin above, which is the
       * point itself; the radius of a smooth one.
       */
      struct {
         struct sgd_plane s, t;
         float radius;
      } point;
   } u;
   /* Planes of the pixel program's inputs as the batch's layout orders them:
    * first values, gradients in x, gradients in y (layout->num_planes each),
    * then the values of flat inputs.  Perspective ones are of a/w, but of a
    * itself for SGD_PRIM_RECT, where every lane's w counts as 1.
    */
   float attr[];
};

static inline int64_t
sgd_floor_div(int64_t n, int64_t d)
{
   return n / d - (n % d < 0);
}

/* First minor pixel of step i of a line. */
static inline int64_t
sgd_line_minor(const struct sgd_prim *prim, int64_t i)
{
   return sgd_floor_div(prim->u.line.n + i * prim->u.line.dn, prim->u.line.den);
}

/* Primitives of one batch that touch one tile, in primitive order. */
struct sgd_prim_chunk {
   struct sgd_prim_chunk *next;
   uint16_t count, capacity;
   const struct sgd_prim *prim[];
};

struct sgd_tile_list {
   struct sgd_tile_list *next;         /* of the batch, in order of first touch */
   struct sgd_tile_list *next_layer;   /* the same tile in other layers: the front end's */
   uint16_t tx, ty;                    /* tile coordinates */
   uint16_t layer;
   uint32_t count;
   struct sgd_prim_chunk *first, *last;
};

/* Bump allocator of a batch: blocks come from the dispatch unit's pool. */
struct sgd_arena {
   struct sgd_dispatch *dispatch;
   struct sgd_arena_block *blocks;
   uint8_t *next, *end;
};
/* 16-byte aligned, not cleared; NULL when memory has run out. */
void *sgd_arena_alloc(struct sgd_arena *arena, size_t size);

struct sgd_stats {                     /* Gallium's pipeline statistics */
   uint64_t ia_vertices, ia_primitives, vs_invocations, gs_invocations, gs_primitives,
            c_invocations, c_primitives, ps_invocations, hs_invocations, ds_invocations,
            cs_invocations;
   uint64_t generated[SGPU_MAX_STREAMS];     /* primitives that the clipper, or capture, is given */
   uint64_t samples_passed;
};

struct sgd_varyings;                   /* setup/sgd_varyings.h */

/* A run of primitives of one draw and instance.  Cuts follow from the draw
 * alone (sgd_ia.h).
 */
struct sgd_batch {
   struct sgd_draw *draw;
   uint32_t instance;
   /* what the input assembler cut: elements are vertices or indices counted
    * from DRAW.First; restart indices may be among them
    */
   uint32_t first_element, num_elements;
   uint32_t own_elements;              /* the first of them that no later batch has, too */
   uint32_t num_primitives;            /* that end in it: what statistics count */
   uint32_t first_prim;                /* number of its first primitive in the draw's instance */
   bool first_of_strip;                /* does not continue a strip, fan, loop, polygon or list */
   bool last_of_strip;                 /* the last of these is not continued in another batch */
   uint32_t strip_first;               /* first element of the one that it continues */

   struct sgd_arena arena;
   const struct sgd_varyings *varyings;
   struct sgd_tile_list *tiles;
   uint32_t num_tiles;
   struct sgd_stats stats;
   struct sgd_stream_capture capture;
   struct sgd_stream_stats stream_stats;
   bool failed;                        /* watchdog or memory: its node ends with an error */

   /* Line stipple counter, modulo its period.  Geometry knows of the lines of
    * its own batch alone: what the strip before them has counted is added when
    * batches are put in order, before any of this one is rasterized.
    */
   uint16_t stipple_begin;             /* at its first line, if that continues a strip */
   uint16_t stipple_count;             /* fragments since the latest reset, or in all */
   bool stipple_reset;                 /* the counter was reset in it */
};

/* There is something for the stream buffers in it. */
static inline bool
sgd_batch_captures(const struct sgd_batch *batch)
{
   bool any = false;
   for (unsigned s = 0; s < SGPU_MAX_STREAMS; s++)
      any |= batch->capture.stream[s].prims != 0;
   return any;
}

/* The counter repeats after so many fragments. */
static inline unsigned
sgd_stipple_period(const struct SGPU_RASTERIZER *rast)
{
   return 16 * (rast->stipple_factor + 1);
}

/* The batch, whose geometry is done, begins with counter `at`; returns what
 * the batch after it begins with.
 */
static inline unsigned
sgd_stipple_carry(struct sgd_batch *batch, unsigned at)
{
   batch->stipple_begin = at;
   return ((batch->stipple_reset ? 0 : at) + batch->stipple_count) %
          sgd_stipple_period(&batch->draw->state->rast);
}

#endif
