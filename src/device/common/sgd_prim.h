/* SPDX-License-Identifier: MIT */
/*
 * Primitives after setup, the input of the raster engines.
 */
#ifndef SGD_PRIM_H
#define SGD_PRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_lanes.h"

/* A plane equation: value(x, y) = v0 + (dx * (x - ox) + dy * (y - oy)), with exactly these float
 * operations, at the absolute coordinates (x, y) of a pixel centre or sample. Every pixel is
 * evaluated from the plane of the whole primitive, so the result doesn't depend on how the
 * primitive is split into tiles.
 */
struct sgd_plane {
   float v0, dx, dy;
};

enum sgd_prim_type {
   SGD_PRIM_TRIANGLE,
   /* point or sprite: covers all pixels of the box; if smooth, all pixels whose squares intersect
    * the disc
    */
   SGD_PRIM_RECT,
   SGD_PRIM_LINE,    /* line by the diamond-exit rule: covers line.width pixels per step */
   SGD_PRIM_POLYGON, /* one of the triangles of a smooth polygon (struct sgd_outline) */
   /* rectangle around a line: covers the samples inside; if smooth, all pixels whose squares
    * intersect it
    */
   SGD_PRIM_LINE_RECT,
};

/* An edge equation: pixels with a * px + b * py + c >= 0 are inside, as in u.tri below. */
struct sgd_edge {
   int64_t c;
   int32_t a, b;
};

/* A convex smooth polygon. It is drawn as triangles that share corner 0, each with its own planes,
 * but coverage is always that of the whole polygon. Each pixel whose square intersects the polygon
 * belongs to exactly one triangle: to triangle p if its centre is inside lines 0 to p - 1 and
 * outside line p.
 */
struct sgd_outline {
   uint16_t num_corners, num_lines;
   int32_t (*corner)[2]; /* corner positions in clockwise order, in units of 1/256 pixel */
   /* edges from each corner to the next; a pixel is inside an edge if any part of its square is
    * inside
    */
   struct sgd_edge *edge;
   struct sgd_edge *line; /* lines between adjacent triangles */
};

/* Maximum size of a narrow triangle, in units of 1/256 pixel. Its edge values are below 2^30 in all
 * pixels of its bounding box, and of the tiles that intersect the bounding box.
 */
#define SGD_NARROW (1 << 18)

/* Setup shifts all window coordinates so that the centre of pixel (px, py) is at (px + 0.5, py +
 * 0.5), for both values of RASTERIZER.Half Pixel Center.
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
   /* Lane mask of the pixels that a triangle covers, if all of them are among the 8x4 pixels that
    * start at (sgd_cover_x(), sgd_cover_y()); 0 if unknown.
    */
   uint32_t cover;
   float ox, oy;        /* origin of all planes */
   struct sgd_plane z;  /* window depth without the depth offset */
   struct sgd_plane rw; /* 1/w in clip space */
   float depth_offset;  /* offset to add to the values of z (see sgd_offset_depth()) */
   uint32_t primitive_id;
   /* fractional parts of u.tri.c[] in units of 1/256; only set if coverage is per sample */
   uint8_t tri_fraction[3];
   bool narrow; /* all |a| and |b| of u.tri are at most SGD_NARROW */
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
      /* Step i < `steps` covers `width` pixels along the minor axis, starting at floor((n + i * dn)
       * / den), at major coordinate start + i. If `reverse` is set, the line runs from the last
       * step to step 0. The line stipple counter at the first fragment is `stipple`, plus
       * sgd_batch.stipple_begin if `carried` is set.
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
      /* Planes of the point coordinate, with the position of the point as their origin (ox, oy),
       * and the radius of a smooth point.
       */
      struct {
         struct sgd_plane s, t;
         float radius;
      } point;
   } u;
   /* Planes of the pixel program's inputs in the order of struct sgd_varyings: num_planes values at
    * the origin, num_planes gradients in x, num_planes gradients in y, then the values of flat
    * inputs. The planes of perspective inputs are planes of a/w, except in SGD_PRIM_RECT, where
    * they are planes of a, and w counts as 1.
    */
   float attr[];
};

/* Return the coordinates of the first of the 8x4 pixels that sgd_prim.cover describes, for a
 * primitive whose bounding box starts at (x, y). The 8x4 pixels are aligned to quads, and are
 * inside one tile.
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

/* Returns the first pixel along the minor axis in step i of a line. */
static inline int64_t
sgd_line_minor(const struct sgd_prim *prim, int64_t i)
{
   return sgd_floor_div(prim->u.line.n + i * prim->u.line.dn, prim->u.line.den);
}

#endif
