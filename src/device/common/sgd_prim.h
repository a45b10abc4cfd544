/* SPDX-License-Identifier: MIT */
/*
 * Primitives after setup, as the raster engines read them.
 */
#ifndef SGD_PRIM_H
#define SGD_PRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_lanes.h"

/* A plane: value(x, y) = v0 + (dx * (x - ox) + dy * (y - oy)), computed with exactly
 * these float operations at the absolute coordinates x, y of the sampling point, which is
 * a pixel centre or a sample. Each pixel is evaluated from the whole primitive, so
 * splitting the work cannot change a bit.
 */
struct sgd_plane {
   float v0, dx, dy;
};

enum sgd_prim_type {
   SGD_PRIM_TRIANGLE,
   SGD_PRIM_RECT,      /* points and sprites: all pixels of the box; if smooth, the pixels whose
                        * squares intersect the disc */
   SGD_PRIM_LINE,      /* a line by the diamond-exit rule: line.width pixels per step */
   SGD_PRIM_POLYGON,   /* a part of a smooth polygon */
   SGD_PRIM_LINE_RECT, /* a rectangle around a line: the samples inside; if smooth, all pixels whose
                        * squares intersect it */
};

/* An edge: pixels with a * px + b * py + c >= 0 are inside, as in u.tri below. */
struct sgd_edge {
   int64_t c;
   int32_t a, b;
};

/* A convex smooth polygon. Coverage is that of the whole polygon, however many parts it
 * is drawn in. The parts are triangles that share corner 0; each has its own planes. Of
 * the pixels whose squares intersect the polygon, part p draws those whose centres are
 * inside lines 0 to p - 1 and outside line p.
 */
struct sgd_outline {
   uint16_t num_corners, num_lines;
   int32_t (*corner)[2];  /* positions of the corners in 1/256 pixel, clockwise */
   struct sgd_edge *edge; /* edges from corner i to the next; a pixel's square is inside an edge
                           * if any part of it is */
   struct sgd_edge *line; /* lines between parts */
};

/* Triangles up to this size in 1/256 pixel have edge values below 2^30 in all pixels of
 * the box and of the tiles that intersect it.
 */
#define SGD_NARROW (1 << 18)

/* All window coordinates are moved so that the pixel centre is at (px + 0.5, py + 0.5), for
 * both values of RASTERIZER.Half Pixel Center.
 */
struct sgd_prim {
   uint8_t type;     /* type of the primitive, enum sgd_prim_type */
   uint8_t front;    /* true if front-facing */
   uint8_t viewport; /* index of the viewport */
   bool smooth;      /* alpha is multiplied by coverage (sgd_coverage.c) */
   uint32_t layer;   /* layer that the program wrote; ignored if the targets have no layers */
   uint32_t viewport_written; /* viewport that the program wrote */
   uint16_t x0, y0, x1, y1;   /* bounds of the covered pixels, half open, inside target, viewport
                               * and scissor */
   uint32_t cover;            /* for a triangle in one tile: lanes that are inside, of the 8x4
                               * pixels at sgd_cover_x(), sgd_cover_y(); 0 if not known */
   float ox, oy;              /* origin of the planes */
   struct sgd_plane z;        /* window depth without the offset */
   struct sgd_plane rw;       /* 1/w in clip space */
   float depth_offset;        /* offset added to the values of z (see sgd_offset_depth()) */
   uint32_t primitive_id;
   uint8_t tri_fraction[3]; /* remainder of rounding u.tri.c, in 1/256; set if samples are
                             * covered */
   bool narrow;             /* no |a| or |b| of u.tri is greater than SGD_NARROW */
   uint32_t number; /* number in the batch, in order from 0; set if the device is observed */
   union {
      /* Pixel (px, py) is inside if a * px + b * py + c >= 0 for all three edges. This is
       * exact at pixel centres, in units of 1/256 pixel x 1/256 pixel divided by 256
       * (rounded down, which keeps the sign). The fill rule is included in c. At dx, dy
       * units of 1/256 pixel from the centre, a point is inside if 256 (a * px + b * py +
       * c) + fraction + a * dx + b * dy >= 0. |a| and |b| are at most 2^24, so the values
       * of an edge that cuts a tile fit 32 bits inside this tile.
       */
      struct {
         int64_t c[3];
         int32_t a[3], b[3];
      } tri;
      /* Step i of `steps` along the major axis covers major = start + i and `width` minor
       * pixels, starting at floor((n + i * dn) / den). If `reverse` is set, the line runs
       * towards step 0. The line stipple counter at the line's first fragment is
       * `stipple`, plus sgd_batch.stipple_begin if `carried` is set.
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
      /* A line from (x0, y0) to (x1, y1) in 1/256 pixel. Length and half width are in
       * pixels. `stipple` and `carried` are as in `line`, but the counter counts
       * rectangles of one pixel's length (OpenGL 2.1, section 3.4.2).
       */
      struct {
         int32_t x0, y0, x1, y1;
         double length;
         float half_width;
         uint16_t stipple;
         bool carried;
      } line_rect;
      /* Planes of the point coordinate, whose origin (ox, oy) is the point itself, and
       * the radius of a smooth point.
       */
      struct {
         struct sgd_plane s, t;
         float radius;
      } point;
   } u;
   /* Planes of the pixel program's inputs in the order of struct sgd_varyings: first the
    * values at the origin, the gradients in x and the gradients in y (num_planes of
    * each), then the values of flat inputs. Planes of perspective inputs are planes of
    * a/w, except in SGD_PRIM_RECT, where they are planes of a and w counts as 1.
    */
   float attr[];
};

/* Return the first pixel of the window of `cover`, for a primitive whose box starts at x,
 * y. The window starts at a quad and is inside the tile.
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

/* Returns the first minor pixel of step i of a line. */
static inline int64_t
sgd_line_minor(const struct sgd_prim *prim, int64_t i)
{
   return sgd_floor_div(prim->u.line.n + i * prim->u.line.dn, prim->u.line.den);
}

#endif
