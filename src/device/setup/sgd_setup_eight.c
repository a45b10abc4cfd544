/* SPDX-License-Identifier: MIT */
/*
 * Setup unit: the vectors of eight triangles.
 *
 * Vectors have eight words where the host has such registers, else four.  Sums are of
 * unsigned words: those of triangles that are too large wrap around, and are not used.
 */
#include "setup/sgd_setup_eight.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "front/sgd_front.h"
#include "front/sgd_front_vertex.h"
#include "setup/sgd_setup.h"
#include "sgd_prim.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define WORDS 8
#else
#define WORDS 4
#endif

/* Triangles of up to so many 1/256 pixel have edge values below 2^30 around their box. */
#define WIDEST (1 << 14)

typedef uint32_t words __attribute__((vector_size(4 * WORDS)));
typedef int32_t ints __attribute__((vector_size(4 * WORDS)));
typedef uint64_t pairs __attribute__((vector_size(4 * WORDS)));

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

/* Bit i: element i is below 0. */
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

static inline void
store(int32_t *to, words v)
{
   memcpy(to, &v, sizeof(v));
}

static inline uint64_t
window_of(const struct sgd_front *f, unsigned slot)
{
   uint64_t xy;

   static_assert(offsetof(struct sgd_vertex, y) == offsetof(struct sgd_vertex, x) + 4, "");
   memcpy(&xy, &sgd_front_vertex(f, slot)->x, sizeof(xy));
   return xy;
}

/* Window coordinates of the vertices corner[0], corner[3], corner[6] and so on. */
static inline void
load(const struct sgd_front *f, const uint16_t *corner, words *x, words *y)
{
#define AT(k) window_of(f, corner[3 * (k)])
#if WORDS == 8
   const words p = (words)(pairs){ AT(0), AT(1), AT(4), AT(5) };
   const words q = (words)(pairs){ AT(2), AT(3), AT(6), AT(7) };
   *x = __builtin_shufflevector(p, q, 0, 2, 8, 10, 4, 6, 12, 14);
   *y = __builtin_shufflevector(p, q, 1, 3, 9, 11, 5, 7, 13, 15);
#else
   const words p = (words)(pairs){ AT(0), AT(1) }, q = (words)(pairs){ AT(2), AT(3) };
   *x = __builtin_shufflevector(p, q, 0, 2, 4, 6);
   *y = __builtin_shufflevector(p, q, 1, 3, 5, 7);
#endif
#undef AT
}

/* v * scale, in double precision. */
static inline void
scaled(double to[WORDS], words v, const double scale[WORDS])
{
   for (unsigned i = 0; i < WORDS; i++)
      to[i] = (int32_t)v[i] * scale[i];
}

bool
sgd_setup_takes_eight(const struct sgd_front *f)
{
   return !f->fill_unfilled && !f->smooth_fill && !f->multisamples && !f->conservative &&
          !f->multi_viewport;
}

/* WORDS triangles, at e[k]. */
static ALWAYS_INLINE void
setup_part(const struct sgd_front *f, const uint16_t *corner, struct sgd_eight *e, unsigned k)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const struct sgd_box cut = f->box[0];
   words x[3], y[3], a[3], b[3];

   for (unsigned i = 0; i < 3; i++)
      load(f, corner + i, &x[i], &y[i]);

   const words lx = least(least(x[0], x[1]), x[2]), hx = greatest(greatest(x[0], x[1]), x[2]);
   const words ly = least(least(y[0], y[1]), y[2]), hy = greatest(greatest(y[0], y[1]), y[2]);
   const words size = greatest(hx - lx, hy - ly);
   e->wide |= negative(all(WIDEST) - size) << k;

   const words dx1 = x[1] - x[0], dy1 = y[1] - y[0], dx2 = x[2] - x[0], dy2 = y[2] - y[0];
   const words area = dx1 * dy2 - dx2 * dy1;
   const uint32_t below = negative(area), some = below | negative(-area);
   const uint32_t front = rast->front_ccw ? below : ~below;
   const uint32_t stays = rast->cull == SGPU_CULL_BOTH    ? 0
                          : rast->cull == SGPU_CULL_FRONT ? ~front
                          : rast->cull == SGPU_CULL_BACK  ? front
                                                          : ~0u;
   const uint32_t every = (1u << WORDS) - 1;
   e->front |= (front & every) << k;
   e->faces |= (some & stays & every) << k;

   /* Pixels with their centre in the box, and inside of what cuts it. */
   const uint32_t half = SGD_SUBPIXEL / 2;
   const words x0 = greatest((words)((ints)(lx + (half - 1)) >> SGD_SUBPIXEL_BITS), all(cut.x0));
   const words y0 = greatest((words)((ints)(ly + (half - 1)) >> SGD_SUBPIXEL_BITS), all(cut.y0));
   const words x1 = least((words)((ints)(hx + half) >> SGD_SUBPIXEL_BITS), all(cut.x1));
   const words y1 = least((words)((ints)(hy + half) >> SGD_SUBPIXEL_BITS), all(cut.y1));
   const words w = x1 - x0, h = y1 - y0;
   const uint32_t boxes = negative(-w & -h);

   /* Edges as setup_edge() has them: values at the centre of the box's first pixel, from
    * which those of pixel 0, 0 follow.
    */
   const ints turned = (ints)area < 0;
   const words qx[3] = { x[0], either(turned, x[2], x[1]), either(turned, x[1], x[2]) };
   const words qy[3] = { y[0], either(turned, y[2], y[1]), either(turned, y[1], y[2]) };
   const words cx = (x0 << SGD_SUBPIXEL_BITS) + half, cy = (y0 << SGD_SUBPIXEL_BITS) + half;
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
      store(&e->a[i][k], a[i]);
      store(&e->b[i][k], b[i]);
      store(&e->c[i][k], value - a[i] * x0 - b[i] * y0);
   }
   /* Pixels of boxes of up to 2x2, of which one must be inside. */
   const words one_w = (words)((ints)w < 2), one_h = (words)((ints)h < 2);
   const uint32_t small = negative((words)((ints)size < 2 * SGD_SUBPIXEL));
   const uint32_t miss[4] = { negative(first), negative(right | one_w), negative(down | one_h),
                              negative(both | one_w | one_h) };
   const uint32_t drawn = boxes & ~(small & miss[0] & miss[1] & miss[2] & miss[3]);
   e->small |= small << k;
   for (unsigned i = 0; i < 4; i++)
      e->inside[i] |= (~miss[i] & every) << k;
   e->drawn |= (drawn & some & stays & every) << k;
   if (!(drawn & some & stays))
      return;

   store(&e->x0[k], x0);
   store(&e->y0[k], y0);
   store(&e->x1[k], x1);
   store(&e->y1[k], y1);
   store(&e->area[k], area);

   double scale[WORDS];
   for (unsigned i = 0; i < WORDS; i++)
      scale[i] = (double)SGD_SUBPIXEL / (int32_t)area[i];
   scaled(&e->gx1[k], dy2, scale);
   scaled(&e->gx2[k], -dy1, scale);
   scaled(&e->gy1[k], -dx2, scale);
   scaled(&e->gy2[k], dx1, scale);
}

void
sgd_setup_eight(const struct sgd_front *f, const uint16_t *corner, struct sgd_eight *e)
{
   e->wide = e->faces = e->front = e->drawn = e->small = 0;
   memset(e->inside, 0, sizeof(e->inside));
   for (unsigned k = 0; k < SGD_EIGHT; k += WORDS)
      setup_part(f, corner + 3 * k, e, k);
}
