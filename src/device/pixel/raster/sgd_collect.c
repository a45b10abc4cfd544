/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: runs the early depth and stencil tests, and gathers quads into full warps.
 */
#include "pixel/raster/sgd_collect.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "pixel/shading/sgd_observe_pixel.h"
#include "pixel/shading/sgd_interpolate.h"
#include "pixel/shading/sgd_pixel.h"
#include "pixel/raster/sgd_append.h"
#include "pixel/raster/sgd_open.h"
#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_window_rects.h"
#include "pixel/shading/sgd_visibility.h"
#include "pixel/raster/sgd_raster_observe.h"
#include "pixel/rop/sgd_rop_warp.h"
#include "common/sgd_lanes.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* A block with at least this many covered quads (of eight) is processed as a whole. */
#define BLOCK_QUADS 5

static void submit(struct sgd_raster *r, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos);

/* Runs the early tests for each sample, at the depth of that sample. Returns the lanes in which at
 * least one sample passes.
 */
static uint32_t
test_samples(struct sgd_raster *r, struct sgd_pixels *pixels)
{
   bool known = false;
   uint32_t left = 0;
   float z[SGD_WARP];

   for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
      uint32_t *live = &pixels->samples->live[s];
      if (!*live)
         continue;
      if (!known)
         sgd_pixel_depth(&r->pixel, pixels, s, z);
      known = !r->pixel.mode.multisample;
      pixels->quads.sample = s;
      *live = sgd_zs_test(r->pixel.worker, r->pixel.state, &pixels->quads, z, NULL, *live);
      left |= *live;
   }
   pixels->quads.sample = 0;
   return left;
}

static unsigned
count_passed(const struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   unsigned count = 0;

   if (!pixels->samples)
      return util_bitcount(pixels->quads.mask);
   for (unsigned s = 0; s < r->pixel.mode.samples; s++)
      count += util_bitcount(pixels->samples->live[s]);
   return count;
}

/* Adds the pixels that have passed the early tests to the visibility buffer, or submits them for
 * shading. `pos` has the lane positions from sgd_pixel_places(), or is NULL.
 */
static ALWAYS_INLINE void
pass_pixels(struct sgd_raster *r, const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos)
{
   if (r->waits) {
      r->waits = sgd_visibility_add(&r->pixel, pixels);
      if (r->waits) {
         r->waiting_lanes += util_bitcount(pixels->quads.mask);
         return;
      }
   }
   if (!r->pixel.ps || unlikely(r->pixel.count_early))
      r->pixel.stats->samples_passed += count_passed(r, pixels);
   if (r->pixel.ps) {
      submit(r, pixels, pos);
      return;
   }
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_passed(&r->pixel, pixels);
}

/* Runs the early depth and stencil tests if they are enabled, and submits the surviving pixels for
 * shading.
 */
static ALWAYS_INLINE void
test_early(struct sgd_raster *r, struct sgd_pixels *pixels)
{
   const struct sgd_zs_plan *zs = &r->pixel.state->plan.rop.zs;
   struct sgd_lane_pos storage;
   const struct sgd_lane_pos *pos = NULL;

   if (r->early && !pixels->samples) {
      _Alignas(64) float z[SGD_WARP];
      pos = sgd_pixel_places(&r->pixel, pixels, &storage);
      /* Tests of stencil or of depth bounds alone read no depth of the primitive. */
      if (zs->path != SGD_ZS_ANY || zs->depth) {
         sgd_eval_depth(&r->pixel, pixels, pos, z);
         sgd_pixel_clamp_depths(&r->pixel, pixels, z);
      }
      pixels->quads.mask = sgd_zs_test(r->pixel.worker, r->pixel.state, &pixels->quads, z, NULL,
                                       pixels->quads.mask);
   } else if (r->early) {
      pixels->quads.mask = test_samples(r, pixels);
   }
   if (pixels->quads.mask)
      pass_pixels(r, pixels, pos);
}

/* Runs the pixel program for a warp of pixels. `pos` has the lane positions from
 * sgd_pixel_places(), or is NULL.
 */
static void
run_pixels(struct sgd_raster *r, const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos)
{
   if (!r->pixel.begun)
      sgd_pixel_begin(&r->pixel);
   if (pixels->samples)
      sgd_pixel_run_samples(&r->pixel, pixels);
   else
      sgd_pixel_run(&r->pixel, pixels, pos);
}

/* Moves the quads that didn't fit into the first warp to the front of the collector. */
static inline void
keep_rest(struct sgd_collector *c)
{
   const unsigned rest = c->count - SGD_QUADS;

   static_assert(SGD_QUADS >= 4, "no quad is moved to where others are read");
   memcpy(c->quad, c->quad + SGD_QUADS, 4 * sizeof(c->quad[0]));
   memcpy(c->prim, c->prim + SGD_QUADS, 4 * sizeof(c->prim[0]));
   for (unsigned q = 0; q < rest; q++)
      c->rows[sgd_quad_word_y(c->quad[q]) / 2] |= 1u << sgd_quad_word_x(c->quad[q]) / 2;
   c->count = rest;
}

/* Takes the first warp of quads out of a collector. Quads of collector 0 go through the early
 * tests, and quads of collector 1 are shaded.
 */
static void
flush_collector(struct sgd_raster *r, struct sgd_collector *c)
{
   struct sgd_pixels pixels;
   struct sgd_samples samples;

   if (!c->count)
      return;
   const unsigned count = MIN2(c->count, SGD_QUADS);
   sgd_take_quads(&pixels.quads, c, count, r->x, r->y);
   sgd_take_prims(pixels.prim, c, count);
   pixels.quads.block = false;
   pixels.quads.distinct = c->distinct;
   pixels.quads.sample = 0;
   pixels.quads.layer = r->layer;
   pixels.samples = NULL;
   if (unlikely(c->sampled)) {
      samples = c->samples;
      pixels.samples = &samples;
      memset(&c->samples, 0, sizeof(c->samples));
   }
   memset(c->rows, 0, sizeof(c->rows));
   c->distinct = true;
   if (c->count > SGD_QUADS)
      keep_rest(c);
   else
      c->count = 0;

   if (c == &r->collector[0])
      test_early(r, &pixels);
   else
      run_pixels(r, &pixels, NULL);
}

void
sgd_raster_flush(struct sgd_raster *r)
{
   flush_collector(r, &r->collector[0]);
   flush_collector(r, &r->collector[1]);
}

/* Adds a quad to a collector. `lanes` is the mask of its covered pixels. For multisampled targets,
 * `samples` has the coverage per sample, with this quad at index q. Otherwise, it is NULL.
 */
static inline void
collect(struct sgd_raster *r, unsigned stage, const struct sgd_prim *prim, unsigned x, unsigned y,
        uint32_t lanes, const struct sgd_samples *samples, unsigned q)
{
   struct sgd_collector *c = &r->collector[stage];
   const uint32_t bit = 1u << (x / 2 % (SGD_TILE / 2));
   uint32_t *row = &c->rows[y / 2 % (SGD_TILE / 2)];

   if (unlikely(*row & bit)) {
      if (r->pixel.mode.exclusive)
         flush_collector(r, c);
      else
         c->distinct = false;
   }
   const unsigned n = c->count;
   *row |= bit;
   c->quad[n] = sgd_quad_word(x, y, lanes, prim->front);
   c->prim[n] = prim;
   for (unsigned s = 0; samples && s < r->pixel.mode.samples; s++) {
      c->samples.cover[s] |= (samples->cover[s] >> 4 * q & 15) << 4 * n;
      c->samples.live[s] |= (samples->live[s] >> 4 * q & 15) << 4 * n;
   }
   c->count = n + 1;
   if (c->count == SGD_QUADS)
      flush_collector(r, c);
}

/* Adds quads of the 8x4 block at x, y to a collector. `left` is the mask of the quads to add (see
 * sgd_block_quads()), which must be fewer than BLOCK_QUADS.
 */
static ALWAYS_INLINE void
collect_block(struct sgd_raster *r, unsigned stage, const struct sgd_prim *prim, unsigned x,
              unsigned y, uint32_t mask, uint32_t left)
{
   struct sgd_collector *c = &r->collector[stage];
   const unsigned column = x / 2 % (SGD_TILE / 2);
   uint32_t *rows = &c->rows[y / 2 % (SGD_TILE / 2)];
   const uint32_t upper = (left & 15) << column, lower = (left >> 4) << column;

   if ((rows[0] & upper) | (rows[1] & lower)) {
      if (r->pixel.mode.exclusive || c->count + util_bitcount(left) > SGD_QUADS) {
         while (left) {
            const unsigned q = u_bit_scan(&left);
            collect(r, stage, prim, x + (q & 3) * 2, y + (q >> 2) * 2, mask >> 4 * q & 15, NULL, 0);
         }
         return;
      }
      c->distinct = false;
   }
   rows[0] |= upper;
   rows[1] |= lower;
   sgd_append_quads(c, prim, x, y, mask, left);
   if (c->count >= SGD_QUADS)
      flush_collector(r, c);
}

/* Returns true if the collector holds any quad of the 8x4 block at x, y. */
static inline bool
holds_block(const struct sgd_collector *c, unsigned x, unsigned y)
{
   const unsigned row = y / 2 % (SGD_TILE / 2), column = x / 2 % (SGD_TILE / 2);

   return ((c->rows[row] | c->rows[row + 1]) >> column & 15) != 0;
}

/* Sets the members of `pixels` that are the same for all blocks of a primitive. */
static inline void
block_pixels(const struct sgd_raster *r, struct sgd_pixels *pixels, const struct sgd_prim *prim)
{
   for (unsigned q = 0; q < SGD_QUADS; q++)
      pixels->prim[q] = prim;
   pixels->quads.count = SGD_QUADS;
   pixels->quads.front = prim->front ? 0xff : 0;
   pixels->quads.sample = 0;
   pixels->quads.block = true;
   pixels->quads.distinct = true;
   pixels->quads.layer = r->layer;
   pixels->samples = NULL;
}

/* Sets the members of `pixels` that differ between blocks: the position x, y and the lane mask. */
static inline void
place_block(struct sgd_pixels *pixels, int x, int y, uint32_t mask)
{
   typedef uint16_t quads __attribute__((vector_size(sizeof(pixels->quads.x))));
   const quads right = { 0, 2, 4, 6, 0, 2, 4, 6 }, below = { 0, 0, 0, 0, 2, 2, 2, 2 };
   const quads qx = right + (uint16_t)x, qy = below + (uint16_t)y;

   memcpy(pixels->quads.x, &qx, sizeof(qx));
   memcpy(pixels->quads.y, &qy, sizeof(qy));
   pixels->quads.mask = mask;
}

/* Adds the quads that have survived the early tests to collector 1, which gathers full warps for
 * shading.
 */
static __attribute__((noinline)) void
submit_quads(struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   const struct sgd_quads *quads = &pixels->quads;
   uint32_t left = sgd_block_quads(quads->mask);

   if (quads->block && !pixels->samples) {
      collect_block(r, 1, pixels->prim[0], quads->x[0], quads->y[0], quads->mask, left);
      return;
   }
   while (left) {
      const unsigned q = u_bit_scan(&left);
      collect(r, 1, pixels->prim[q], quads->x[q], quads->y[q], quads->mask >> (4 * q) & 15,
              pixels->samples, q);
   }
}

/* Adds the covered quads of a block to collector 0, which gathers full warps for the early tests.
 */
static __attribute__((noinline)) void
collect_quads(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask,
              const struct sgd_samples *samples)
{
   for (uint32_t left = sgd_block_quads(mask); left;) {
      const unsigned q = u_bit_scan(&left);
      collect(r, 0, prim, x + (q & 3) * 2, y + (q >> 2) * 2, mask >> (4 * q) & 15, samples, q);
   }
}

/* Shades the lanes that have passed the early tests. If they don't fill a warp, their quads are
 * collected first.
 */
static void
submit(struct sgd_raster *r, const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;
   struct sgd_collector *c = &r->collector[1];
   const uint32_t left = sgd_block_quads(quads->mask);

   if (quads->block) {
      if (util_bitcount(left) >= BLOCK_QUADS) {
         if (c->count && holds_block(c, quads->x[0], quads->y[0]))
            flush_collector(r, &r->collector[1]);
         run_pixels(r, pixels, pos);
         return;
      }
   } else if (left == 0xff && !c->count) {
      /* The warp is full, so run it directly. */
      run_pixels(r, pixels, pos);
      return;
   }
   submit_quads(r, pixels);
}

void
sgd_raster_visible(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t lanes,
                   bool block)
{
   if (!block) {
      collect(r, 1, prim, x, y, lanes, NULL, 0);
      return;
   }
   const uint32_t left = sgd_block_quads(lanes);
   if (util_bitcount(left) >= BLOCK_QUADS) {
      struct sgd_pixels pixels;
      block_pixels(r, &pixels, prim);
      place_block(&pixels, x, y, lanes);
      run_pixels(r, &pixels, NULL);
      return;
   }
   collect_block(r, 1, prim, x, y, lanes, left);
}

/* Runs the early tests for all lanes of an 8x4 block together. */
static ALWAYS_INLINE void
test_block(struct sgd_raster *r, struct sgd_pixels *pixels, int x, int y, uint32_t mask)
{
   if (r->collector[0].count && holds_block(&r->collector[0], x, y))
      flush_collector(r, &r->collector[0]);
   place_block(pixels, x, y, mask);
   test_early(r, pixels);
}

void
sgd_raster_passed(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y)
{
   struct sgd_pixels pixels;

   block_pixels(r, &pixels, prim);
   if (r->collector[0].count && holds_block(&r->collector[0], x, y))
      flush_collector(r, &r->collector[0]);
   place_block(&pixels, x, y, ~0u);
   pass_pixels(r, &pixels, NULL);
}

/* Draws an 8x4 block of a multisampled target. `samples` has the coverage of each sample. */
static void
sampled_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask,
              struct sgd_samples *samples)
{
   const unsigned count = util_bitcount(sgd_block_quads(mask));

   if (r->pixel.stopped)
      return;
   if (SGD_OBSERVED_LEVEL && sgd_observe_block(r, prim, x, y, mask, samples))
      return;
   sgd_open_block(r, x, y);
   r->quads += count;
   r->covered += util_bitcount(mask);

   if (count >= BLOCK_QUADS) {
      struct sgd_pixels pixels;

      block_pixels(r, &pixels, prim);
      pixels.samples = samples;
      test_block(r, &pixels, x, y, mask);
      return;
   }
   collect_quads(r, prim, x, y, mask, samples);
}

void
sgd_raster_samples(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                   const uint32_t *cover)
{
   const uint32_t inside = unlikely(r->cut) ? sgd_window_rects_lanes(r, x, y) : ~0u;
   struct sgd_samples samples;
   uint32_t mask = 0;

   for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
      samples.cover[s] = samples.live[s] = cover[s] & inside;
      mask |= samples.cover[s];
   }
   if (mask)
      sampled_block(r, prim, x, y, mask, &samples);
}

bool
sgd_raster_quads(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x, unsigned y,
                 uint32_t mask)
{
   const uint32_t quads = sgd_block_quads(mask);
   const unsigned count = util_bitcount(quads);

   if (count >= BLOCK_QUADS)
      return false;
   if (r->pixel.stopped)
      return true;
   r->quads += count;
   r->covered += util_bitcount(mask);

   const unsigned last_x = x + SGD_BLOCK_W - 1, last_y = y + SGD_BLOCK_H - 1;
   if (likely(sgd_meta_block(x, y) == sgd_meta_block(last_x, last_y))) {
      sgd_open_block(r, x, y);
   } else {
      const uint32_t upper = sgd_lanes_above(SGD_BLOCK_H - y % SGD_BLOCK_H);
      const uint32_t left = sgd_lanes_left(SGD_BLOCK_W - x % SGD_BLOCK_W);
      if (mask & upper & left)
         sgd_open_block(r, x, y);
      if (mask & upper & ~left)
         sgd_open_block(r, last_x, y);
      if (mask & ~upper & left)
         sgd_open_block(r, x, last_y);
      if (mask & ~upper & ~left)
         sgd_open_block(r, last_x, last_y);
   }
   collect_block(r, 0, prim, x, y, mask, quads);
   return true;
}

/* Draws a block of a multisampled target. All samples of each covered pixel are covered. */
static __attribute__((noinline)) void
sampled_cover(struct sgd_raster *r, const struct sgd_prim *prim, const struct sgd_cover *b)
{
   uint32_t cover[SGD_MAX_SAMPLES];

   for (unsigned s = 0; s < r->pixel.mode.samples; s++)
      cover[s] = r->pixel.mode.sample_mask >> s & 1 ? b->mask : 0;
   sgd_raster_samples(r, prim, b->x, b->y, cover);
}

void
sgd_raster_blocks(struct sgd_raster *r, const struct sgd_prim *prim, const struct sgd_cover *cover,
                  unsigned n)
{
   const bool sampled = r->pixel.mode.samples > 1;
   struct sgd_pixels pixels;
   unsigned quads = 0, covered = 0;
   bool made = false;

   for (unsigned i = 0; i < n && !r->pixel.stopped; i++) {
      /* Read the members one at a time. They were written one at a time, and a wider load would
       * prevent store forwarding.
       */
      const struct sgd_cover *b = &cover[i];
      const uint32_t mask = b->mask, left = sgd_block_quads(mask);
      const unsigned x = b->x, y = b->y;
      const unsigned count = util_bitcount(left);

      if (unlikely(sampled)) {
         sampled_cover(r, prim, b);
         continue;
      }
      if (SGD_OBSERVED_LEVEL && sgd_observe_block(r, prim, x, y, mask, NULL))
         continue;
      sgd_open_block(r, x, y);
      quads += count;
      covered += util_bitcount(mask);
      if (count < BLOCK_QUADS) {
         collect_block(r, 0, prim, x, y, mask, left);
         continue;
      }
      if (!made)
         block_pixels(r, &pixels, prim);
      made = true;
      test_block(r, &pixels, x, y, mask);
   }
   r->quads += quads;
   r->covered += covered;
}

void
sgd_raster_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask)
{
   const struct sgd_cover cover = {
      .mask = unlikely(r->cut) ? mask & sgd_window_rects_lanes(r, x, y) : mask,
      .x = x,
      .y = y,
   };

   if (cover.mask)
      sgd_raster_blocks(r, prim, &cover, 1);
}
