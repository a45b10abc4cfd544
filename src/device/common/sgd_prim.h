/* SPDX-License-Identifier: MIT */
/*
 * Primitives after setup, the input of the raster engines.
 */
#ifndef SGD_PRIM_H
#define SGD_PRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_lanes.h"

/* A plane equation. At the absolute coordinates (x, y) of a pixel centre or sample, its value is v0
 * + (dx * (x - ox) + dy * (y - oy)), with exactly these float operations. All pixels use the plane
 * of the whole primitive, so the result doesn't depend on how the primitive is split into tiles.
 */
struct sgd_plane {
   float v0, dx, dy;
};

enum sgd_prim_type {
   SGD_PRIM_TRIANGLE,
   /* Point or sprite. It covers all pixels of the box, or, if it is smooth, all pixels whose
    * squares intersect the disc.
    */
   SGD_PRIM_RECT,
   /* line that follows the diamond-exit rule and covers line.width pixels per step */
   SGD_PRIM_LINE,
   SGD_PRIM_POLYGON, /* one of the triangles of a smooth polygon (struct sgd_outline) */
   /* Rectangle around a line. It covers the samples inside, or, if it is smooth, all pixels whose
    * squares intersect the rectangle.
    */
   SGD_PRIM_LINE_RECT,
   /* Box around a triangle. It covers the samples inside, or, if rasterization is conservative, all
    * pixels of the box.
    */
   SGD_PRIM_BOX,
};

/* An edge equation: pixel (px, py) is inside if a * px + b * py + c >= 0 (see sgd_prim.u.tri). */
struct sgd_edge {
   int64_t c;
   int32_t a, b;
};

/* A convex smooth polygon. It is drawn as triangles that share corner 0. Each triangle has separate
 * planes, but coverage is always computed for the whole polygon. Each pixel whose square intersects
 * the polygon belongs to exactly one triangle: to triangle p if its centre is inside lines 0 to p -
 * 1 and outside line p.
 */
struct sgd_outline {
   uint16_t num_corners, num_lines;
   int32_t (*corner)[2]; /* corner positions in clockwise order, in units of 1/256 pixel */
   /* Edges from each corner to the next. A pixel is inside an edge if any part of the pixel's
    * square is inside.
    */
   struct sgd_edge *edge;
   struct sgd_edge *line; /* lines between adjacent triangles */
};

/* A box in units of 1/256 pixel. Points with x0 <= x < x1 and y0 <= y < y1 are inside. */
struct sgd_prim_box {
   int32_t x0, y0, x1, y1;
};

/* Maximum size of a narrow triangle, in units of 1/256 pixel. The edge values of a narrow triangle
 * are below 2^30 inside its bounding box, and inside all tiles that the bounding box intersects.
 */
#define SGD_NARROW (1 << 18)

/* A primitive in window coordinates. Setup shifts the coordinates so that the centre of pixel (px,
 * py) is at (px + 0.5, py + 0.5), for both values of RASTERIZER.Half Pixel Center.
 */
struct sgd_prim {
   uint8_t type;     /* type of the primitive, enum sgd_prim_type */
   uint8_t front;    /* 1 if front-facing, 0 if not */
   uint8_t viewport; /* index of the viewport */
   bool smooth;      /* alpha is multiplied by coverage (sgd_coverage.c) */
   uint32_t layer;   /* layer that the program selected; ignored if the targets are not layered */
   uint32_t viewport_written; /* viewport index as written by the program */
   /* half-open bounds of the covered pixels, clipped to target, viewport and scissor */
   uint16_t x0, y0, x1, y1;
   /* Lane mask of the pixels that a small triangle covers, if all of them are inside the 8x4 pixels
    * that start at (sgd_cover_x(), sgd_cover_y()). 0 if the covered pixels are unknown.
    */
   uint32_t cover;
   float ox, oy;        /* origin of all planes */
   struct sgd_plane z;  /* window depth without the depth offset */
   struct sgd_plane rw; /* 1/w in clip space */
   float depth_offset;  /* offset that is added to the values of z (see sgd_offset_depth()) */
   uint32_t primitive_id;
   /* fractional parts of u.tri.c[] in units of 1/256; only set if coverage is per sample */
   uint8_t tri_fraction[3];
   bool narrow; /* |a| and |b| of all edges in u.tri are at most SGD_NARROW */
   /* 0-based index of the primitive in the batch; only set if the device is observed */
   uint32_t number;
   union {
      /* Pixel (px, py) is inside if a * px + b * py + c >= 0 for all three edges. This is exact at
       * pixel centres, since c is rounded down to an integer, which preserves the sign of the sum.
       * c includes the fill rule. The point that is (dx, dy) units of 1/256 pixel away from the
       * centre is inside if 256 * (a * px + b * py + c) + tri_fraction + a * dx + b * dy >= 0. |a|
       * and |b| are at most 2^24, so the values of an edge that crosses a tile fit in 32 bits
       * inside this tile.
       */
      struct {
         int64_t c[3];
         int32_t a[3], b[3];
      } tri;
      /* For each i < `steps`, the line covers `width` pixels along the minor axis, starting at
       * floor((n + i * dn) / den). The major coordinate of these pixels is start + i. If `reverse`
       * is set, the line runs from the last step to step 0. The line stipple counter at the first
       * fragment is `stipple`, plus sgd_batch.stipple_begin if `carried` is set.
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
      /* A line from (x0, y0) to (x1, y1), in units of 1/256 pixel. `length` and `half_width` are in
       * pixels. `stipple` and `carried` are as in `line`, but the stipple counter advances once per
       * rectangle with a length of one pixel (OpenGL 2.1, section 3.4.2).
       */
      struct {
         int32_t x0, y0, x1, y1;
         double length;
         float half_width;
         uint16_t stipple;
         bool carried;
      } line_rect;
      struct sgd_prim_box box;
      /* A point. `s` and `t` are the planes of the point coordinate, whose origin (ox, oy) is the
       * position of the point. `radius` is the radius of a smooth point.
       */
      struct {
         struct sgd_plane s, t;
         float radius;
      } point;
   } u;
   /* Planes of the pixel program's inputs in the order of struct sgd_varyings: num_planes values at
    * the origin, num_planes gradients in x, num_planes gradients in y, then the values of flat
    * inputs. Perspective inputs are stored as planes of a/w, except in SGD_PRIM_RECT, where they
    * are planes of a, and w is treated as 1.
    */
   float attr[];
};

/* Return the upper left corner of the 8x4 pixels that sgd_prim.cover describes, for a primitive
 * whose bounding box starts at (x, y). The corner is aligned to quads, and all of these pixels are
 * in the same tile.
 */
static inline unsigned
sgd_cover_x(unsigned x)
{
   const unsigned in = x % SGD_TILE & ~1u, last = SGD_TILE - SGD_BLOCK_W;

   return x / SGD_TILE * SGD_TILE + (in < last ? in : last);
}

static inline unsigned
sgd_cover_y(unsigned y)
{
   const unsigned in = y % SGD_TILE & ~1u, last = SGD_TILE - SGD_BLOCK_H;

   return y / SGD_TILE * SGD_TILE + (in < last ? in : last);
}

static inline int64_t
sgd_floor_div(int64_t n, int64_t d)
{
   return n / d - (n % d < 0);
}

/* Returns the coordinate, along the minor axis, of the first pixel that step i of a line covers. */
static inline int64_t
sgd_line_minor(const struct sgd_prim *prim, int64_t i)
{
   return sgd_floor_div(prim->u.line.n + i * prim->u.line.dn, prim->u.line.den);
}

#endif
