/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: shades a warp of quads on multisampled targets. The program runs once per pixel that
 * has covered samples, or once per sample. Tests and colour writes are done sample by sample.
 */
#include "pixel/shading/sgd_pixel.h"

#include <stddef.h>
#include <string.h>

#include "pixel/shading/sgd_observe_pixel.h"
#include "pixel/shading/sgd_fragment.h"
#include "pixel/shading/sgd_interpolate.h"
#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel_program.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/rop/sgd_rop_warp.h"
#include "common/sgd_lanes.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_stats.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"

static void
fill_lanes(uint32_t *c, uint32_t value)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      c[i] = value;
}

/* Positions are multiples of 1/256 below 2^16, so the sums below are exact. */
void
sgd_centroids_of_samples(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         struct sgd_lane_pos *pos)
{
   const uint32_t *cover = pixels->samples->cover;
   uint32_t all = ~0u, found = 0;

   sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, pos);
   for (unsigned s = 0; s < px->mode.samples; s++)
      all &= cover[s];
   for (unsigned s = 0; s < px->mode.samples; s++) {
      const struct sgd_sample_pos at = sgd_sample_pos_of(px->mode.sample_at[s]);
      uint32_t here = cover[s] & ~(all | found);

      found |= here;
      while (here) {
         const unsigned l = u_bit_scan(&here);
         pos->rx[l] += at.x - SGD_SAMPLE_CENTER.x;
         pos->ry[l] += at.y - SGD_SAMPLE_CENTER.y;
      }
   }
}

/* Returns true if SAMPLE_MASK contains the inner coverage (SHADER.Inner Coverage) instead of the
 * normal coverage.
 */
static bool
has_inner_coverage(const struct sgd_pixel_stage *px)
{
   return px->mode.conservative && px->state->shader_desc[SGPU_STAGE_PIXEL].inner_coverage;
}

/* Sets the inputs and system values for a program that runs once per pixel. */
static void
set_pixels(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   struct sgd_vec *sys = px->worker->core->warp.sys;
   struct sgd_lane_pos pos, centroid;

   sgd_pixel_positions(px, pixels, &pos);
   sgd_interpolate(px, pixels, &pos);
   if (px->mode.centroids) {
      sgd_centroids_of_samples(px, pixels, &centroid);
      sgd_interpolate_place(px, pixels, &centroid);
   }
   sgd_pixel_sysvals(px, pixels, SGD_SAMPLE_CENTER, &pos);
   /* Without multisampling, sgd_pixel_sysvals() has already set bit 0 for the whole pixel. */
   if (px->mode.multisample && (px->ps->sysvals_read & 1u << SGPU_SYS_SAMPLE_MASK)) {
      const bool inner = has_inner_coverage(px);
      const uint32_t whole = inner ? sgd_inner_lanes(pixels) : 0;
      const uint32_t *in = px->state->shader_desc[SGPU_STAGE_PIXEL].post_depth_coverage
                              ? pixels->samples->live
                              : pixels->samples->cover;
      for (unsigned i = 0; i < SGD_WARP; i++) {
         uint32_t mask = 0;
         for (unsigned s = 0; s < px->mode.samples; s++)
            mask |= ((inner ? whole : in[s]) >> i & 1) << s;
         sys[SGPU_SYS_SAMPLE_MASK].c[0][i] = mask;
      }
   }
}

/* Sets the inputs and system values for a program that runs once per sample, for sample `sample`.
 */
static void
set_sample(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample)
{
   const struct sgd_sample_pos at = sgd_sample_pos_of(px->mode.sample_at[sample]);
   const uint32_t read = px->ps->sysvals_read;
   struct sgd_vec *sys = px->worker->core->warp.sys;
   struct sgd_lane_pos pos;

   if (px->mode.centers) {
      sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, &pos);
      sgd_interpolate(px, pixels, &pos);
   }
   sgd_lane_positions(pixels, at, &pos);
   if (!px->mode.centers)
      sgd_interpolate(px, pixels, &pos);
   else if (px->mode.centroids)
      sgd_interpolate_place(px, pixels, &pos);

   sgd_pixel_sysvals(px, pixels, at, &pos);
   if (read & 1u << SGPU_SYS_SAMPLE_ID)
      fill_lanes(sys[SGPU_SYS_SAMPLE_ID].c[0], sample);
   if (read & 1u << SGPU_SYS_SAMPLE_POS) {
      fill_lanes(sys[SGPU_SYS_SAMPLE_POS].c[0], sgpu_f2bits(at.x));
      fill_lanes(sys[SGPU_SYS_SAMPLE_POS].c[1], sgpu_f2bits(at.y));
   }
   if (read & 1u << SGPU_SYS_SAMPLE_MASK) {
      const uint32_t cover = has_inner_coverage(px) ? sgd_inner_lanes(pixels)
                                                    : pixels->samples->cover[sample];
      for (unsigned i = 0; i < SGD_WARP; i++)
         sys[SGPU_SYS_SAMPLE_MASK].c[0][i] = (cover >> i & 1) << sample;
   }
}

/* Removes the lanes that the program, alpha to coverage or the alpha test discards from live[].
 * live[n] is the lane mask of sample first + n, for all n < count.
 */
static void
drop(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, uint32_t lanes,
     unsigned first, unsigned count, uint32_t *live)
{
   if (px->mode.smooth)
      sgd_fragment_cover(px, pixels);
   for (unsigned n = 0; n < count; n++)
      live[n] &= lanes;
   if (px->ps->writes_sample_mask && px->mode.multisample) {
      const uint32_t *samples = px->worker->core->warp.out[SGPU_PO_SMASK].c[0];
      for (unsigned i = 0; i < SGD_WARP; i++) {
         for (unsigned n = 0; n < count; n++)
            live[n] &= ~((~samples[i] >> (first + n) & 1) << i);
      }
   }
   if (px->state->plan.alpha.to_coverage)
      sgd_fragment_to_coverage(px, pixels, first, count, live);
   if (px->state->plan.alpha.test) {
      lanes = sgd_fragment_alpha_test(px, lanes);
      for (unsigned n = 0; n < count; n++)
         live[n] &= lanes;
   }
}

/* Runs the late depth and stencil tests for one sample. They use the depth and stencil outputs of
 * the program if it writes them.
 */
static uint32_t
test_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample,
          uint32_t mask)
{
   const struct sgd_vec *out = px->worker->core->warp.out;
   float z[SGD_WARP];

   if (px->ps->writes_depth) {
      memcpy(z, out[SGPU_PO_DEPR].c[0], sizeof(z));
      sgd_pixel_clamp_depths(px, pixels, z);
   } else {
      sgd_pixel_depth(px, pixels, sample, z);
   }
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_late(px, pixels, sample, z,
                       px->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL, mask);
   return sgd_zs_test(px->worker, px->state, &pixels->quads, z,
                      px->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL, mask);
}

/* Runs the program for one sample of each pixel, or once per pixel if `sample` is -1. Then tests
 * samples `first` to first + count - 1, and writes their colours.
 */
static void
shade(struct sgd_pixel_stage *px, struct sgd_pixels *pixels, unsigned first, unsigned count,
      int sample)
{
   const struct sgd_shader *ps = px->ps;
   const uint32_t mask = pixels->quads.mask;
   const uint32_t active = ps->uses_derivatives ? sgd_whole_quads(mask) : mask;
   uint32_t lanes = mask, live[SGD_MAX_SAMPLES];

   px->warps++;
   px->lanes += util_bitcount(mask);
   if (!sgd_pixel_program(px, pixels, sample, active, &lanes)) {
      px->stopped = true;
      return;
   }
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_quads(px, pixels);
   for (unsigned n = 0; n < count; n++)
      live[n] = pixels->samples->live[first + n];
   drop(px, pixels, lanes & mask, first, count, live);
   for (unsigned n = 0; n < count; n++) {
      pixels->quads.sample = first + n;
      if (SGD_OBSERVED_LEVEL)
         sgd_observe_dropped(px, pixels, first + n, pixels->samples->live[first + n] & ~live[n]);
      if (live[n] && px->late)
         live[n] = test_late(px, pixels, first + n, live[n]);
      if (!live[n])
         continue;
      if (!px->count_early)
         px->stats->samples_passed += util_bitcount(live[n]);
      if (SGD_OBSERVED_LEVEL) {
         sgd_observe_kept(px, pixels, first + n, live[n]);
         sgd_observe_quads_kept(px, live[n]);
      }
   }
   if (px->color)
      sgd_color_write_samples(px->worker, px->state, &pixels->quads, px->worker->core->warp.out,
                              live, first, count);
}

void
sgd_pixel_run_samples(struct sgd_pixel_stage *px, const struct sgd_pixels *warp)
{
   struct sgd_pixels pixels = *warp;

   if (!px->mode.per_sample && !px->stopped) {
      set_pixels(px, &pixels);
      shade(px, &pixels, 0, px->mode.samples, -1);
      return;
   }
   for (unsigned s = 0; s < px->mode.samples && !px->stopped; s++) {
      pixels.quads.mask = warp->samples->live[s];
      pixels.quads.sample = s; /* sample that LDT reads */
      if (!pixels.quads.mask)
         continue;
      if (px->mode.multisample)
         set_sample(px, &pixels, s);
      else
         set_pixels(px, &pixels);
      shade(px, &pixels, s, 1, px->mode.multisample ? (int)s : -1);
   }
}
