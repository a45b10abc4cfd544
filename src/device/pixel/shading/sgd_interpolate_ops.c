/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: instructions of the pixel program that need the pixel stage. IPAC, IPAO and IPAS
 * interpolate inputs at positions that the program chooses, and LDT reads render targets.
 */
#include "pixel/shading/sgd_pixel_program.h"

#include "pixel/shading/sgd_observe_pixel.h"
#include "pixel/shading/sgd_interpolate.h"
#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/rop/sgd_rop_warp.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/macros.h"

struct interpolator {
   struct sgd_pixel_io io;
   const struct sgd_pixel_stage *px;
   const struct sgd_pixels *pixels;
   int sample; /* sample that the program runs for, or -1 if it runs once per pixel */
};

/* Computes the sampling positions of inputs at CENTROID. They must be the same positions that
 * set_pixels() and set_sample() use.
 */
static void
at_centroids(const struct interpolator *p, struct sgd_lane_pos *pos)
{
   if (p->sample >= 0)
      sgd_lane_positions(p->pixels, sgd_sample_pos_of(p->px->mode.sample_at[p->sample]), pos);
   else if (p->px->mode.multisample)
      sgd_centroids_of_samples(p->px, p->pixels, pos);
   else
      sgd_pixel_positions(p->px, p->pixels, pos);
}

/* Computes sampling positions from the offsets x, y of each lane, which are relative to the pixel
 * centre.
 */
static void
at_offsets(const struct interpolator *p, const uint32_t *restrict x, const uint32_t *restrict y,
           struct sgd_lane_pos *restrict pos)
{
   sgd_lane_positions(p->pixels, SGD_SAMPLE_CENTER, pos);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      pos->rx[l] += sgpu_bits2f(x[l]);
      pos->ry[l] += sgpu_bits2f(y[l]);
   }
}

static void
at_samples(const struct interpolator *p, const uint32_t *sample, struct sgd_lane_pos *pos)
{
   sgd_lane_positions(p->pixels, SGD_SAMPLE_CENTER, pos);
   if (!p->px->mode.multisample)
      return;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      if (sample[l] < p->px->mode.samples) {
         const struct sgd_sample_pos at = sgd_sample_pos_of(p->px->mode.sample_at[sample[l]]);
         pos->rx[l] += at.x - SGD_SAMPLE_CENTER.x;
         pos->ry[l] += at.y - SGD_SAMPLE_CENTER.y;
      }
   }
}

static void
interpolate(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input, unsigned comps,
            const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP], struct sgd_vec *out)
{
   const struct interpolator *p = (const struct interpolator *)io;
   struct sgd_lane_pos pos = { 0 };

   if (op == SGPU_OP_IPAC)
      at_centroids(p, &pos);
   else if (op == SGPU_OP_IPAO)
      at_offsets(p, x, y, &pos);
   else
      at_samples(p, x, &pos);
   sgd_interpolate_input(p->px, p->pixels, &pos, input, comps, out);
}

static void
fetch(const struct sgd_pixel_io *io, unsigned target, struct sgd_vec *out)
{
   const struct interpolator *p = (const struct interpolator *)io;

   if (SGD_OBSERVED_LEVEL)
      sgd_observe_target(p->px, target, &p->pixels->quads);
   sgd_target_fetch(p->px->state, target, &p->pixels->quads, out);
}

bool
sgd_pixel_program_asks(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       int sample, uint32_t active, uint32_t *live)
{
   const struct sgd_env *env = &px->state->env[SGPU_STAGE_PIXEL];
   struct interpolator p = {
      .io = { .interpolate = interpolate, .fetch = fetch },
      .px = px,
      .pixels = pixels,
      .sample = sample,
   };
   px->worker->pixel_io = &p.io;
   const bool done = sgd_shader_run(px->worker, px->ps, env, active, live);
   px->worker->pixel_io = NULL;
   return done;
}
