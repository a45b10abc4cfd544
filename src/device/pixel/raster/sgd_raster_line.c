/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: lines. The fragments of a line in the tile are accumulated as lane masks of 8x4
 * blocks, so that neighbouring fragments share quads.
 */
#include "pixel/raster/sgd_descent.h"

#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_raster.h"
#include "common/sgd_batch.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define BLOCKS_X (SGD_TILE / SGD_BLOCK_W)
#define BLOCKS_Y (SGD_TILE / SGD_BLOCK_H)

struct masks {
   uint32_t block[BLOCKS_Y][BLOCKS_X];
   uint8_t touched[BLOCKS_Y]; /* bit x is set if block x of the row has covered lanes */
};

static inline void
cover(struct masks *m, int x, int y)
{
   const unsigned lx = x % SGD_BLOCK_W, ly = y % SGD_BLOCK_H;
   const unsigned lane = (ly / 2 * 4 + lx / 2) * 4 + (ly & 1) * 2 + (lx & 1);

   m->block[y / SGD_BLOCK_H][x / SGD_BLOCK_W] |= 1u << lane;
   m->touched[y / SGD_BLOCK_H] |= 1u << x / SGD_BLOCK_W;
}

/* Line stipple (OpenGL 2.1, section 3.4.2): fragment s is drawn if bit floor(s / factor) mod 16 of
 * the pattern is set. `at` is s modulo the period, i.e. modulo 16 * factor.
 */
struct stipple {
   unsigned at, factor, period;
   uint16_t pattern;
   bool on, reverse;
};

static struct stipple
stipple_begin(const struct sgd_raster *r, const struct sgd_prim *prim, uint32_t step)
{
   const struct SGPU_RASTERIZER *rast = &r->pixel.state->rast;
   const unsigned period = sgd_stipple_period(rast);
   const uint32_t passed = prim->u.line.reverse ? prim->u.line.steps - 1 - step : step;

   return (struct stipple){
      .at = (sgd_pixel_stipple(&r->pixel, prim->u.line.carried, prim->u.line.stipple) + passed) %
            period,
      .factor = rast->stipple_factor + 1,
      .period = period,
      .pattern = rast->stipple_pattern,
      .on = rast->line_stipple,
      .reverse = prim->u.line.reverse,
   };
}

/* Returns true if the stipple pattern draws the current step, and advances to the next step. */
static inline bool
stipple_step(struct stipple *s)
{
   const unsigned at = s->at;

   if (!s->on)
      return true;
   if (s->reverse)
      s->at = at ? at - 1 : s->period - 1;
   else
      s->at = at + 1 < s->period ? at + 1 : 0;
   return s->pattern >> (at / s->factor) & 1;
}

void
sgd_raster_line(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const bool y_major = prim->u.line.y_major;
   const int x0 = MAX2(prim->x0 - r->x, 0), x1 = MIN2(prim->x1 - r->x, SGD_TILE);
   const int y0 = MAX2(prim->y0 - r->y, 0), y1 = MIN2(prim->y1 - r->y, SGD_TILE);
   const int major = y_major ? r->y : r->x, minor = y_major ? r->x : r->y;
   const int minor0 = y_major ? x0 : y0, minor1 = y_major ? x1 : y1;
   const int64_t den = prim->u.line.den;
   struct masks m = { 0 };

   const int first = MAX2(y_major ? y0 : x0, prim->u.line.start - major);
   const int64_t steps_end = (int64_t)prim->u.line.start + prim->u.line.steps - major;
   const int end = MIN2((int64_t)(y_major ? y1 : x1), steps_end);
   if (first >= end)
      return;

   /* Compute the row of the first step and the remainder of the division. The loop updates both by
    * additions, which are exact.
    */
   const int64_t n = prim->u.line.n + (first + major - prim->u.line.start) * prim->u.line.dn;
   int64_t row = sgd_floor_div(n, den);
   int64_t rest = n - row * den;
   struct stipple stipple = stipple_begin(r, prim, first + major - prim->u.line.start);

   for (int i = first; i < end; i++) {
      const int64_t low = MAX2(row - minor, (int64_t)minor0);
      const int64_t high = MIN2(row - minor + prim->u.line.width, (int64_t)minor1);
      const bool drawn = stipple_step(&stipple);
      for (int64_t k = low; drawn && k < high; k++)
         cover(&m, y_major ? k : i, y_major ? i : k);

      /* The slope is at most 1, so the row changes by at most 1. */
      rest += prim->u.line.dn;
      if (rest >= den) {
         rest -= den;
         row++;
      } else if (rest < 0) {
         rest += den;
         row--;
      }
   }

   for (unsigned by = 0; by < BLOCKS_Y; by++) {
      uint32_t touched = m.touched[by];
      while (touched) {
         const unsigned bx = u_bit_scan(&touched);
         sgd_raster_block(r, prim, r->x + bx * SGD_BLOCK_W, r->y + by * SGD_BLOCK_H,
                          m.block[by][bx]);
      }
   }
}
