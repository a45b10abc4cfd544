/* SPDX-License-Identifier: MIT */
/*
 * Setup: vector code for eight triangles. Vectors have eight words if the host has registers of
 * this size, and four otherwise. Words are unsigned, so that sums may wrap around for triangles
 * that are too large. The results of these triangles are not used.
 */
#include "geometry/setup/sgd_setup_eight.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"
#include "common/sgd_transpose.h"
#include "sgpu_fp.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define WORDS 8
#else
#define WORDS 4
#endif

/* Maximum width and height of the triangles that this code supports, in units of 1/256 pixel. With
 * this limit, edge values in and around the bounding box of a triangle are below 2^30.
 */
#define WIDEST (1 << 14)

typedef uint32_t words __attribute__((vector_size(4 * WORDS)));
typedef int32_t ints __attribute__((vector_size(4 * WORDS)));

static_assert(SGD_NARROW >= WIDEST, "all of them are narrow");

static inline words
either(ints mask, words a, words b)
{
   return (a & (words)mask) | (b & ~(words)mask);
}

static inline words
least(words a, words b)
{
   return either((ints)a < (ints)b, a, b);
}

static inline words
greatest(words a, words b)
{
   return either((ints)a > (ints)b, a, b);
}

static inline words
all(uint32_t v)
{
   return (words){ 0 } + v;
}

/* Returns a mask in which bit i is set if element i is negative. */
static inline uint32_t
negative(words v)
{
#if defined(__AVX2__)
   return _mm256_movemask_ps((__m256)v);
#else
   const words signs = v >> 31;
   return signs[0] | signs[1] << 1 | signs[2] << 2 | signs[3] << 3;
#endif
}

/* -- transposing 4x4 words: a vector holds the same row of WORDS / 4 matrices ----------- */

static inline void
transpose(words v[4])
{
#if WORDS == 8
   sgd_transpose4_pair(v, v);
#else
   sgd_transpose4(v, v);
#endif
}

/* Returns a vector with the window x, window y, depth and 1/w of a vertex. */
static inline sgd_row
window_of(const struct sgd_front *f, unsigned slot)
{
   sgd_row row;

   static_assert(offsetof(struct sgd_vertex, y) == offsetof(struct sgd_vertex, x) + 4 &&
                    offsetof(struct sgd_vertex, z) == offsetof(struct sgd_vertex, x) + 8 &&
                    offsetof(struct sgd_vertex, rw) == offsetof(struct sgd_vertex, x) + 12,
                 "one row");
   memcpy(&row, &sgd_front_vertex(f, slot)->x, sizeof(row));
   return row;
}

/* Loads x, y, depth and 1/w of vertices slot[0] to slot[WORDS - 1] into v[0] to v[3]. */
static inline void
load(const struct sgd_front *f, const uint16_t slot[WORDS], words v[4])
{
   for (unsigned k = 0; k < 4; k++) {
      const sgd_row row = window_of(f, slot[k]);
#if WORDS == 8
      v[k] = __builtin_shufflevector(row, window_of(f, slot[k + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
#else
      v[k] = row;
#endif
   }
   transpose(v);
}

/* Stores one row of four words per triangle: its elements of v0, v1, v2 and v3. Rows are `stride`
 * bytes apart.
 */
static inline void
store(void *to, size_t stride, words v0, words v1, words v2, words v3)
{
   words v[4] = { v0, v1, v2, v3 };

   transpose(v);
   for (unsigned k = 0; k < WORDS; k++)
      memcpy((uint8_t *)to + k * stride, (const uint32_t *)&v[k % 4] + k / 4 * 4, sizeof(sgd_row));
}

bool
sgd_setup_takes_eight(const struct sgd_front *f)
{
   return sgd_plan_has(&f->state->plan, SGPU_PATH_EIGHT);
}

/* Facing and bounding box of WORDS triangles. */
struct boxes {
   words x[3], y[3], size;
   words area;
   words x0, y0, x1, y1; /* clipped box of the pixels whose centres are in the bounding box */
};

static ALWAYS_INLINE void
find_boxes(const struct sgd_front *f, struct boxes *b)
{
   const words *x = b->x, *y = b->y;
   const struct sgd_box cut = f->box[0];
   const uint32_t half = SGD_SUBPIXEL / 2;
   const words lx = least(least(x[0], x[1]), x[2]), hx = greatest(greatest(x[0], x[1]), x[2]);
   const words ly = least(least(y[0], y[1]), y[2]), hy = greatest(greatest(y[0], y[1]), y[2]);

   b->size = greatest(hx - lx, hy - ly);
   b->area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
   b->x0 = greatest((words)((ints)(lx + (half - 1)) >> SGD_SUBPIXEL_BITS), all(cut.x0));
   b->y0 = greatest((words)((ints)(ly + (half - 1)) >> SGD_SUBPIXEL_BITS), all(cut.y0));
   b->x1 = least((words)((ints)(hx + half) >> SGD_SUBPIXEL_BITS), all(cut.x1));
   b->y1 = least((words)((ints)(hy + half) >> SGD_SUBPIXEL_BITS), all(cut.y1));
}

void
sgd_setup_eight_boxes(const struct sgd_front *f, const uint16_t *corner, struct sgd_eight_boxes *e)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const uint32_t every = (1u << WORDS) - 1;

   e->wide = e->faces = e->drawn = 0;
   for (unsigned k = 0; k < SGD_EIGHT; k += WORDS, corner += 3 * WORDS) {
      struct boxes b;

      for (unsigned i = 0; i < 3; i++) {
         uint16_t slot[WORDS];
         words v[4];
         for (unsigned n = 0; n < WORDS; n++)
            slot[n] = corner[3 * n + i];
         load(f, slot, v);
         b.x[i] = v[0];
         b.y[i] = v[1];
      }
      find_boxes(f, &b);

      const uint32_t below = negative(b.area), some = below | negative(-b.area);
      const uint32_t front = rast->front_ccw ? below : ~below;
      const uint32_t stays = rast->cull == SGPU_CULL_BOTH    ? 0
                             : rast->cull == SGPU_CULL_FRONT ? ~front
                             : rast->cull == SGPU_CULL_BACK  ? front
                                                             : ~0u;
      const uint32_t boxes = negative((b.x0 - b.x1) & (b.y0 - b.y1));
      e->wide |= negative(all(WIDEST) - b.size) << k;
      e->faces |= (some & stays & every) << k;
      e->drawn |= (boxes & some & stays & every) << k;
   }
}

/* Returns a vector with 1 in each element that is >= 0, and 0 in all others. */
static inline words
at_least_0(words v)
{
   return ~v >> 31;
}

/* Returns a lane mask for each triangle whose box has at most 2x2 pixels inside one tile, and 0 for
 * all other triangles. The elements of in[] are 1 for pixels inside the triangle. Their order is
 * first pixel, right neighbour, lower neighbour, last pixel.
 */
static inline words
find_cover(const struct boxes *b, const words in[4])
{
   const words tx = b->x0 % SGD_TILE, ty = b->y0 % SGD_TILE;
   const words x = tx - least(tx & ~1u, all(SGD_TILE - SGD_BLOCK_W));
   const words y = ty - least(ty & ~1u, all(SGD_TILE - SGD_BLOCK_H));
   const ints near = ((ints)b->size < 2 * SGD_SUBPIXEL) & ((ints)(b->x0 ^ (b->x1 - 1)) < SGD_TILE) &
                     ((ints)(b->y0 ^ (b->y1 - 1)) < SGD_TILE);
   words cover = { 0 };

   /* In an 8x4 block, the lane of a pixel is the sum of a term for its column and a term for its
    * row.
    */
   for (unsigned i = 0; i < 4; i++) {
      const words c = x + (i & 1), r = y + (i >> 1);
      const words lane = (c & 1) + ((c & 6) << 1) + ((r & 1) << 1) + ((r & 2) << 3);
#if WORDS == 8
      cover |= (words)_mm256_sllv_epi32((__m256i)in[i], (__m256i)lane);
#else
      for (unsigned n = 0; n < WORDS; n++)
         cover[n] |= in[i][n] << lane[n];
#endif
   }
   return cover & (words)near;
}

/* Computes the planes of a value for WORDS triangles. v[i] has the float bits of the value at
 * vertex i.
 */
static ALWAYS_INLINE void
find_planes(const struct sgd_eight *e, unsigned k, const words v[3], words plane[3])
{
   float f[3][WORDS], r[3][WORDS];

   memcpy(f, v, sizeof(f));
   for (unsigned n = 0; n < WORDS; n++) {
      const double f0 = sgd_wide(f[0][n]);
      const double d1 = sgd_wide(f[1][n]) - f0, d2 = sgd_wide(f[2][n]) - f0;
      const double gx = d1 * e->gx1[k + n] + d2 * e->gx2[k + n];
      const double gy = d1 * e->gy1[k + n] + d2 * e->gy2[k + n];

      r[0][n] = sgd_narrow(f0 + (gx * e->gx[k + n] + gy * e->gy[k + n]));
      r[1][n] = sgd_narrow(gx);
      r[2][n] = sgd_narrow(gy);
   }
   memcpy(plane, r, sizeof(r));
}

/* Vector version of sgd_is_tame(). Returns a mask. */
static inline ints
tame(const words plane[3])
{
   const words bits = all(sgpu_f2bits(0x1p100f)), magnitude = all(0x7fffffff);

   return ((ints)(plane[0] & magnitude) < (ints)bits) &
          ((ints)(plane[1] & magnitude) < (ints)bits) & ((ints)(plane[2] & magnitude) < (ints)bits);
}

/* Computes the gradient factors and the plane origins of WORDS triangles, starting at triangle k.
 */
static ALWAYS_INLINE void
find_gradients(const struct sgd_front *f, const struct boxes *b, struct sgd_eight *e, unsigned k,
               words origin[2])
{
   /* Same as sgd_setup_origin(). */
   const words right = all(f->state->fb_width * SGD_SUBPIXEL);
   const words bottom = all(f->state->fb_height * SGD_SUBPIXEL);
   const words nearest[2] = { least(greatest(b->x[0], all(0)), right),
                              least(greatest(b->y[0], all(0)), bottom) };
   int32_t x[3][WORDS], y[3][WORDS], area[WORDS], px[WORDS], py[WORDS];
   float o[2][WORDS];

   memcpy(x, b->x, sizeof(x));
   memcpy(y, b->y, sizeof(y));
   memcpy(area, &b->area, sizeof(area));
   memcpy(px, &nearest[0], sizeof(px));
   memcpy(py, &nearest[1], sizeof(py));
   for (unsigned n = 0; n < WORDS; n++) {
      const double scale = (double)SGD_SUBPIXEL / (double)area[n];
      e->gx1[k + n] = (y[2][n] - y[0][n]) * scale;
      e->gx2[k + n] = (y[0][n] - y[1][n]) * scale;
      e->gy1[k + n] = (x[0][n] - x[2][n]) * scale;
      e->gy2[k + n] = (x[1][n] - x[0][n]) * scale;
   }
   for (unsigned n = 0; n < WORDS; n++) {
      o[0][n] = (float)px[n] * (1.0f / SGD_SUBPIXEL);
      o[1][n] = (float)py[n] * (1.0f / SGD_SUBPIXEL);
      e->gx[k + n] = (double)o[0][n] - x[0][n] * (1.0 / SGD_SUBPIXEL);
      e->gy[k + n] = (double)o[1][n] - y[0][n] * (1.0 / SGD_SUBPIXEL);
   }
   memcpy(origin, o, sizeof(o));
}

/* Sets up WORDS triangles, starting at triangle k. */
static ALWAYS_INLINE void
setup_part(const struct sgd_front *f, const uint16_t *corner, const uint16_t *number,
           struct sgd_eight *e, unsigned k)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const uint32_t every = (1u << WORDS) - 1, half = SGD_SUBPIXEL / 2;
   words z[3], rw[3], a[3], b[3], c[3];
   struct boxes box;

   for (unsigned i = 0; i < 3; i++) {
      uint16_t slot[WORDS];
      words v[4];
      for (unsigned n = 0; n < WORDS; n++)
         slot[n] = corner[3 * number[n] + i];
      load(f, slot, v);
      box.x[i] = v[0];
      box.y[i] = v[1];
      z[i] = v[2];
      rw[i] = v[3];
   }
   find_boxes(f, &box);

   /* Compute edge values at the centre of the box's first pixel, like setup_edge(), and derive the
    * values at pixel (0, 0) from them.
    */
   const words *x = box.x, *y = box.y;
   const ints turned = (ints)box.area < 0;
   const words qx[3] = { x[0], either(turned, x[2], x[1]), either(turned, x[1], x[2]) };
   const words qy[3] = { y[0], either(turned, y[2], y[1]), either(turned, y[1], y[2]) };
   const words cx = (box.x0 << SGD_SUBPIXEL_BITS) + half, cy = (box.y0 << SGD_SUBPIXEL_BITS) + half;
   const ints rule = (ints)all(rast->bottom_edge_rule ? ~0u : 0);
   words first = { 0 }, right = { 0 }, down = { 0 }, both = { 0 };

   for (unsigned i = 0; i < 3; i++) {
      const unsigned n = i < 2 ? i + 1 : 0;
      a[i] = qy[i] - qy[n];
      b[i] = qx[n] - qx[i];
      const ints sa = (ints)a[i], sb = (ints)b[i];
      const ints horizontal = (sa == 0) & ((rule & (sb < 0)) | (~rule & (sb > 0)));
      const words inside = a[i] * (cx - qx[i]) + b[i] * (cy - qy[i]) +
                           (words) ~((sa > 0) | horizontal);
      const words value = (words)((ints)inside >> SGD_SUBPIXEL_BITS);
      first |= value;
      right |= value + a[i];
      down |= value + b[i];
      both |= value + a[i] + b[i];
      c[i] = value - a[i] * box.x0 - b[i] * box.y0;
   }
   /* If the box of a triangle has at most 2x2 pixels, only draw the triangle if at least one of
    * these pixels is inside it.
    */
   const words one_w = (words)((ints)(box.x1 - box.x0) < 2);
   const words one_h = (words)((ints)(box.y1 - box.y0) < 2);
   const words in[4] = { at_least_0(first), at_least_0(right | one_w), at_least_0(down | one_h),
                         at_least_0(both | one_w | one_h) };
   const ints small = (ints)box.size < 2 * SGD_SUBPIXEL;
   const uint32_t drawn = every &
                          ~negative((words)(small & ((in[0] | in[1] | in[2] | in[3]) == 0)));
   const uint32_t below = negative(box.area);

   e->front |= ((rast->front_ccw ? below : ~below) & every) << k;
   e->drawn |= drawn << k;
   if (!drawn)
      return;

   words origin[2], depth[3], inverse[3];
   find_gradients(f, &box, e, k, origin);
   find_planes(e, k, z, depth);
   find_planes(e, k, rw, inverse);
   e->tame |= negative((words)(tame(depth) & tame(inverse))) << k;

   static_assert(sizeof(struct sgd_eight_row) == 5 * sizeof(sgd_row), "rows of four words");
   uint8_t *to = (uint8_t *)&e->row[k];
   const size_t stride = sizeof(e->row[0]);
   store(to, stride, origin[0], origin[1], depth[0], depth[1]);
   store(to + 16, stride, depth[2], inverse[0], inverse[1], inverse[2]);
   store(to + 32, stride, a[0], a[1], a[2], b[0]);
   store(to + 48, stride, b[1], b[2], box.x0 | box.y0 << 16, box.x1 | box.y1 << 16);
   store(to + 64, stride, c[0], c[1], c[2], find_cover(&box, in));
}

void
sgd_setup_eight(const struct sgd_front *f, const uint16_t *corner, const uint16_t number[SGD_EIGHT],
                struct sgd_eight *e)
{
   e->front = e->drawn = e->tame = 0;
   for (unsigned k = 0; k < SGD_EIGHT; k += WORDS)
      setup_part(f, corner, number + k, e, k);
}
