/* SPDX-License-Identifier: MIT */
/*
 * Primitives after setup, as the raster engines read them.
 */
#ifndef SGD_PRIM_H
#define SGD_PRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_lanes.h"

/* value(x, y) = v0 + (dx * (x - ox) + dy * (y - oy)), with exactly these float
 * operations, at absolute coordinates x, y of the sampling point (pixel centre,
 * or a sample).  Every pixel is evaluated from the whole primitive, so splitting
 * the work cannot change a bit.
 */
struct sgd_plane {
   float v0, dx, dy;
};

enum sgd_prim_type {
   SGD_PRIM_TRIANGLE,
   SGD_PRIM_RECT,      /* points and sprites: every pixel of the box; if smooth, the pixels
                          * whose squares meet the disc */
   SGD_PRIM_LINE,      /* a run of pixels, `line.width` of them in the minor direction a step */
   SGD_PRIM_POLYGON,   /* a part of a smooth polygon */
   SGD_PRIM_LINE_RECT, /* a rectangle around a line; smooth: every pixel whose square meets it,
                          * else the samples inside */
};

/* a * px + b * py + c >= 0 for pixels on one side, as in u.tri below. */
struct sgd_edge {
   int64_t c;
   int32_t a, b;
};

/* A convex smooth polygon.  Coverage is that of the whole polygon, whatever the
 * number of parts that it is drawn in.  Parts are triangles from corner 0 on,
 * each with planes of its own.  Of the pixels whose squares meet the polygon,
 * part p draws those whose centres are inside of lines 0 to p - 1 and outside of
 * line p.
 */
struct sgd_outline {
   uint16_t num_corners, num_lines;
   int32_t (*corner)[2];  /* 1/256 pixel, clockwise */
   struct sgd_edge *edge; /* from corner i to the next; inside: squares that are
                                        * not all outside */
   struct sgd_edge *line; /* between parts */
};

/* Edges of triangles of up to so many 1/256 pixel have values below 2^30 in all pixels of
 * the box and of tiles that meet it.
 */
#define SGD_NARROW (1 << 18)

/* Window coordinates of all kinds are moved so that the pixel centre is at
 * (px + 0.5, py + 0.5), whatever RASTERIZER.Half Pixel Center says.
 */
struct sgd_prim {
   uint8_t type;
   uint8_t front; /* facing */
   uint8_t viewport;
   bool smooth;               /* alpha is multiplied by coverage: sgd_coverage.c */
   uint32_t layer;            /* as the program writes it; targets without layers
                                        * accept all */
   uint32_t viewport_written; /* as the program writes it */
   uint16_t x0, y0, x1, y1;   /* bounds of the covered pixels, half open, inside target,
                                        * viewport and scissor */
   uint32_t cover;            /* of a triangle in one tile: the lanes inside, of the 8x4 pixels at
                                        * sgd_cover_x(), sgd_cover_y(); 0: not known */
   float ox, oy;              /* origin of the planes */
   struct sgd_plane z;        /* window depth without the offset */
   struct sgd_plane rw;       /* 1/w of clip space */
   float depth_offset;        /* added to the plane's values (sgd_offset_depth) */
   uint32_t primitive_id;
   uint8_t tri_fraction[3]; /* remainder of rounding u.tri.c, in 1/256; set where samples
                             * are covered */
   bool narrow;             /* no |a| or |b| of u.tri is above SGD_NARROW */
   uint32_t number;         /* in its batch, from 0, in order; set where the device is observed */
   union {
      /* Pixel (px, py) is inside where a * px + b * py + c >= 0 for all three:
       * exact at pixel centres, in units of 1/256 pixel x 1/256 pixel divided
       * by 256 (rounded down, which keeps the sign); the fill rule is in c.
       * At dx, dy units of 1/256 pixel from the centre it is inside where
       * 256 (a * px + b * py + c) + fraction + a * dx + b * dy >= 0.
       * |a| and |b| are at most 2^24, so the values of an edge that cuts a tile
       * fit 32 bits inside this tile.
       */
      struct {
         int64_t c[3];
         int32_t a[3], b[3];
      } tri;
      /* Step i of `steps` along the major axis covers major = start + i and
       * `width` minor pixels from floor((n + i * dn) / den) on.  `reverse`: the
       * line runs towards step 0.  The line stipple counter is `stipple` at its
       * first fragment; if `carried`, plus sgd_batch.stipple_begin.
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
      /* From (x0, y0) to (x1, y1) in 1/256 pixel; length and half width in pixels.
       * `stipple` and `carried` as above; the counter counts rectangles of one
       * pixel's length (OpenGL 2.1, 3.4.2).
       */
      struct {
         int32_t x0, y0, x1, y1;
         double length;
         float half_width;
         uint16_t stipple;
         bool carried;
      } line_rect;
      /* Planes of the point coordinate, whose origin (ox, oy) is the point
       * itself; the radius of a smooth point.
       */
      struct {
         struct sgd_plane s, t;
         float radius;
      } point;
   } u;
   /* Planes of the pixel program's inputs in the order of struct sgd_varyings:
    * first values, gradients in x, gradients in y (num_planes each), then the
    * values of flat inputs.  Planes of perspective inputs are of a/w, but of a
    * itself for SGD_PRIM_RECT, where w counts as 1 on every lane.
    */
   float attr[];
};

/* The first pixel of the window of `cover`, whose box begins at x, y: of a quad, and all of the
 * window is in the tile.
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

/* First minor pixel of step i of a line. */
static inline int64_t
sgd_line_minor(const struct sgd_prim *prim, int64_t i)
{
   return sgd_floor_div(prim->u.line.n + i * prim->u.line.dn, prim->u.line.den);
}

#endif
