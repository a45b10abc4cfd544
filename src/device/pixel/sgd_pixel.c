/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: runs a warp of quads through the pixel program, the late depth and stencil
 * tests and to the colour targets.
 */
#include "pixel/sgd_pixel.h"

#include <stddef.h>
#include <string.h>

#include "observe/sgd_observe_pixel.h"
#include "pixel/sgd_coverage.h"
#include "pixel/sgd_fragment.h"
#include "pixel/sgd_interpolate.h"
#include "pixel/sgd_lane_pos.h"
#include "pixel/sgd_pixel_program.h"
#include "raster/sgd_raster.h"
#include "pixel/sgd_visibility.h"
#include "rop/sgd_rop_warp.h"
#include "sgd_lanes.h"
#include "sgd_observe.h"
#include "sgd_prim.h"
#include "sgd_shader.h"
#include "sgd_varyings.h"
#include "sgd_worker.h"
#include "util/bitscan.h"

/* Returns the depth range of a viewport, for clamping. */
static void
depth_range(const struct sgd_state *state, unsigned viewport, float *low, float *high)
{
   const struct SGPU_VIEWPORT *vp = &state->viewport[viewport];
   const float a = state->rast.clip_halfz ? vp->translate_z
                                          : sgpu_fsub(vp->translate_z, vp->scale_z);
   const float b = sgpu_fadd(vp->translate_z, vp->scale_z);

   *low = a < b ? a : b;
   *high = a < b ? b : a;
}

float
sgd_pixel_clamp_depth(const struct sgd_raster *r, const struct sgd_prim *prim, float z)
{
   float low, high;

   if (!r->state->rast.depth_clamp)
      return z;
   depth_range(r->state, prim->viewport, &low, &high);
   return sgpu_fmin(sgpu_fmax(z, low), high);
}

/* Clamps depths. Most of them are inside the range, where a clamp changes nothing. */
static ALWAYS_INLINE void
clamp_lanes(float *restrict z, unsigned lanes, float low, float high)
{
   uint32_t outside = 0;

   for (unsigned i = 0; i < lanes; i++)
      outside |= ~(sgpu_flt(low, z[i]) & sgpu_flt(z[i], high));
   if (likely(!outside))
      return;
   for (unsigned i = 0; i < lanes; i++)
      z[i] = sgpu_fmin(sgpu_fmax(z[i], low), high);
}

void
sgd_pixel_clamp_to_range(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                         float z[SGD_WARP])
{
   const unsigned count = pixels->quads.count;

   for (unsigned q = 0, end; q < count; q = end) {
      const unsigned viewport = pixels->prim[q]->viewport;
      float low, high;

      for (end = q + 1; end < count && pixels->prim[end]->viewport == viewport;)
         end++;
      depth_range(r->state, viewport, &low, &high);
      if (likely(end - q == SGD_QUADS))
         clamp_lanes(z, SGD_WARP, low, high);
      else
         clamp_lanes(z + 4 * q, 4 * (end - q), low, high);
   }
}

/* Values are taken at pixel centres. In a pixel that a smooth polygon covers partly, a
 * value is the mean over the covered part (OpenGL 2.1, section 3.5.1). If the value is
 * linear in the window, that is the value at the part's centroid.
 */
void
sgd_pixel_positions(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                    struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;

   sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, pos);
   for (unsigned q = 0; r->mode.smooth && q < quads->count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];
      const int x = quads->x[q], y = quads->y[q];
      double cx[4], cy[4];

      if (prim->type != SGD_PRIM_POLYGON || !(quads->mask >> 4 * q & 15))
         continue;
      sgd_centroids(prim, x, y, cx, cy);
      for (unsigned i = 0; i < 4; i++) {
         pos->rx[4 * q + i] = (float)(x + (int)(i & 1) + cx[i] - (double)prim->ox);
         pos->ry[4 * q + i] = (float)(y + (int)(i >> 1) + cy[i] - (double)prim->oy);
      }
   }
}

void
sgd_pixel_depth(const struct sgd_raster *r, const struct sgd_pixels *pixels, unsigned sample,
                float z[SGD_WARP])
{
   struct sgd_lane_pos storage;
   const struct sgd_lane_pos *pos = &storage;

   if (r->mode.multisample)
      sgd_lane_positions(pixels, sgd_sample_pos_of(r->mode.sample_at[sample]), &storage);
   else
      pos = sgd_pixel_places(r, pixels, &storage);
   sgd_eval_depth(r, pixels, pos, z);
   sgd_pixel_clamp_depths(r, pixels, z);
}

static void
fill(uint32_t *c, uint32_t value)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      c[i] = value;
}

/* Finds out whether the outputs can be known without running the program for each warp.
 * Machine code that depends only on constants is run once for all lanes. The outputs of a
 * program that copies an input are that input.
 */
static void
find_outputs(struct sgd_raster *r)
{
   const struct sgd_core *core = r->worker->core;
   const struct sgd_begun *begun = &core->begun;
   const struct sgd_warp *w = &core->warp;

   r->out = w->out;
   r->known = false;
   if (!begun->whole)
      return;
   if (begun->same && sgd_raster_has(r, SGPU_PATH_SAME)) {
      sgd_shader_run_all(r->worker);
      r->known = true;
   } else if (sgd_raster_has(r, SGPU_PATH_COPY)) {
      r->out = w->in + r->ps->copied - SGPU_PO_COLR0;
      r->known = true;
   }
}

/* Returns true if blocks need only inputs, the program and the colours. */
static bool
is_plain(const struct sgd_raster *r)
{
   SGD_OBSERVE(return false;)
   return sgd_raster_has(r, SGPU_PATH_PLAIN) && !r->known && !r->hides && !r->late_shading;
}

/* Sets the inputs and presets that are the same for all warps. Until the end of the
 * tile's list, only pixel programs may run on the worker's core.
 */
void
sgd_pixel_begin(struct sgd_raster *r)
{
   const struct sgd_warp *w = &r->worker->core->warp;
   uint32_t read = r->ps->sysvals_read;

   r->begun = true;
   r->flat = NULL;
   sgd_shader_begin(r->worker, r->ps, &r->state->env[SGPU_STAGE_PIXEL]);

   for (unsigned k = 0; k < r->varyings->num_constants; k++)
      fill(w->in[r->varyings->constant[k].input].c[r->varyings->constant[k].comp],
           r->varyings->constant[k].value);

   /* Colours that the program does not write become (0, 0, 0, 1) instead of keeping
    * values of other programs.
    */
   const uint32_t written = (uint32_t)(r->ps->outputs_written >> SGPU_PO_COLR0);
   uint32_t unwritten = r->state->plan.outputs & ~written;
   while (unwritten) {
      struct sgd_vec *out = &w->out[SGPU_PO_COLR0 + u_bit_scan(&unwritten)];
      memset(out, 0, sizeof(*out));
      fill(out->c[3], SGPU_FP_ONE_BITS);
   }

   find_outputs(r);
   r->plain = is_plain(r);

   while (read) {
      const unsigned s = u_bit_scan(&read);
      memset(&w->sys[s], 0, sizeof(w->sys[s]));
      if (s == SGPU_SYS_LANE) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            w->sys[s].c[0][i] = i;
      } else if (s == SGPU_SYS_SAMPLE_POS) {
         fill(w->sys[s].c[0], sgpu_f2bits(SGD_SAMPLE_CENTER.x));
         fill(w->sys[s].c[1], sgpu_f2bits(SGD_SAMPLE_CENTER.y));
      } else if (s == SGPU_SYS_POINT_COORD) {
         fill(w->sys[s].c[3], SGPU_FP_ONE_BITS);
      }
   }
}

/* Copies a value of each quad's primitive to the quad's lanes. */
#define PER_QUAD(out, expr)                             \
   for (unsigned q = 0; q < pixels->quads.count; q++) { \
      const struct sgd_prim *prim = pixels->prim[q];    \
      const uint32_t value = (expr);                    \
      for (unsigned i = 4 * q; i < 4 * q + 4; i++)      \
         (out)[i] = value;                              \
   }

/* Returns the lanes of the quads with a bit in `quads`. */
static inline uint32_t
quads_lanes(uint32_t quads)
{
   quads = (quads | quads << 12) & 0x000f000f;
   quads = (quads | quads << 6) & 0x03030303;
   quads = (quads | quads << 3) & 0x11111111;
   return quads * 15;
}

/* Sets POSITION. Components that the program does not read may stay unset. */
static void
set_position(const struct sgd_raster *r, const struct sgd_pixels *pixels,
             struct sgd_sample_pos sample, const struct sgd_lane_pos *pos, struct sgd_vec *out)
{
   const uint8_t read = r->ps->sysval_mask[SGPU_SYS_POSITION];

   if (read & 3)
      sgd_lane_window(pixels, sample, (float *)out->c[0], (float *)out->c[1]);
   if (read & 4) {
      float *z = (float *)out->c[2];
      sgd_eval_depth(r, pixels, pos, z);
      sgd_pixel_clamp_depths(r, pixels, z);
   }
   if (read & 8)
      sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, rw), (float *)out->c[3]);
}

static void
set_point_coord(struct sgd_vec *out, const struct sgd_pixels *pixels,
                const struct sgd_lane_pos *pos)
{
   struct sgd_lane_pos centers;

   if (!pos) {
      sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, &centers);
      pos = &centers;
   }
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];
      const struct sgd_plane *s = &prim->u.point.s, *t = &prim->u.point.t;
      const bool point = prim->type == SGD_PRIM_RECT;

      for (unsigned i = 4 * q; i < 4 * q + 4; i++) {
         const float rx = pos->rx[i], ry = pos->ry[i];
         out->c[0][i] = point ? sgpu_f2bits(sgd_plane_raw(s->v0, s->dx, s->dy, rx, ry)) : 0;
         out->c[1][i] = point ? sgpu_f2bits(sgd_plane_raw(t->v0, t->dx, t->dy, rx, ry)) : 0;
      }
   }
}

uint32_t
sgd_inner_lanes(const struct sgd_pixels *pixels)
{
   uint32_t lanes = 0;

   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];

      if (prim->type != SGD_PRIM_TRIANGLE)
         continue;
      for (unsigned i = 0; i < 4; i++) {
         const int64_t x = pixels->quads.x[q] + (i & 1), y = pixels->quads.y[q] + (i >> 1);
         bool inside = true;

         /* An edge function gives the value at the pixel's corner that is farthest inside.
          * The value at the opposite corner is lower by |a| + |b|.
          */
         for (unsigned k = 0; k < 3; k++) {
            const int64_t a = prim->u.tri.a[k], b = prim->u.tri.b[k];
            inside &= prim->u.tri.c[k] + a * x + b * y >= (a < 0 ? -a : a) + (b < 0 ? -b : b);
         }
         lanes |= (uint32_t)inside << (4 * q + i);
      }
   }
   return lanes;
}

/* Sets all presets except POSITION. */
static __attribute__((noinline)) void
set_others(const struct sgd_raster *r, const struct sgd_pixels *pixels,
           const struct sgd_lane_pos *pos, uint32_t read)
{
   struct sgd_vec *sys = r->worker->core->warp.sys;
   const uint32_t mask = pixels->quads.mask;

   while (read) {
      const unsigned s = u_bit_scan(&read);
      struct sgd_vec *v = &sys[s];

      switch (s) {
      case SGPU_SYS_FACE: {
         const uint32_t front = quads_lanes(pixels->quads.front);
         for (unsigned i = 0; i < SGD_WARP; i++)
            v->c[0][i] = sgd_lane_mask(front, i);
         break;
      }
      case SGPU_SYS_POINT_COORD:
         set_point_coord(v, pixels, pos);
         break;
      case SGPU_SYS_PRIMITIVE_ID:
         PER_QUAD(v->c[0], prim->primitive_id)
         break;
      case SGPU_SYS_HELPER:
         for (unsigned i = 0; i < SGD_WARP; i++)
            v->c[0][i] = ~sgd_lane_mask(mask, i);
         break;
      case SGPU_SYS_SAMPLE_MASK: {
         const bool inner = r->mode.conservative &&
                            r->state->shader_desc[SGPU_STAGE_PIXEL].inner_coverage;
         const uint32_t cover = inner ? sgd_inner_lanes(pixels) : mask;
         for (unsigned i = 0; i < SGD_WARP; i++)
            v->c[0][i] = sgd_lane_mask(cover, i) & 1;
         break;
      }
      case SGPU_SYS_LAYER:
         PER_QUAD(v->c[0], prim->layer)
         PER_QUAD(v->c[1], prim->viewport_written)
         break;
      default:
         break;
      }
   }
}

void
sgd_pixel_sysvals(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                  struct sgd_sample_pos sample, const struct sgd_lane_pos *pos)
{
   const uint32_t position = 1u << SGPU_SYS_POSITION, read = r->ps->sysvals_read;

   if (read & position)
      set_position(r, pixels, sample, pos, &r->worker->core->warp.sys[SGPU_SYS_POSITION]);
   if (read & ~position)
      set_others(r, pixels, pos, read & ~position);
}

/* Runs the late tests, on depth and stencil values that the program writes, if any. */
static __attribute__((noinline)) uint32_t
test_late(const struct sgd_raster *r, const struct sgd_pixels *pixels,
          const struct sgd_lane_pos *pos, uint32_t mask)
{
   const struct sgd_vec *out = r->worker->core->warp.out;
   float z[SGD_WARP];

   if (r->ps->writes_depth)
      memcpy(z, out[SGPU_PO_DEPR].c[0], sizeof(z));
   else
      sgd_eval_depth(r, pixels, pos, z);
   sgd_pixel_clamp_depths(r, pixels, z);
   SGD_OBSERVE(sgd_observe_late(r, pixels, 0, z,
                                r->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL, mask);)
   return sgd_zs_test(r->worker, r->state, &pixels->quads, z,
                      r->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL, mask);
}

/* Not inlined, because other warps in sgd_pixel_run() need none of these arrays. */
static __attribute__((noinline)) void
run_at_places(struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   struct sgd_lane_pos pos;

   sgd_pixel_positions(r, pixels, &pos);
   sgd_pixel_run(r, pixels, &pos);
}

/* Counts a run of machine code that find_outputs() has made unnecessary. */
static ALWAYS_INLINE void
count_known(struct sgd_worker *worker)
{
   const uint32_t length = worker->core->begun.length;

   worker->counters[SGPU_COUNTER_INSTRUCTIONS] += length;
   worker->counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += length;
   worker->counters[SGPU_COUNTER_NATIVE_WARPS]++;
}

/* Short version of sgd_pixel_run() for a block if r->plain is set. */
static ALWAYS_INLINE void
run_plain(struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   const uint32_t mask = pixels->quads.mask;
   const uint32_t active = r->ps->uses_derivatives ? sgd_lanes_whole(mask) : mask;
   uint32_t live = mask;

   if (r->varyings->num_planes | r->varyings->num_flat)
      sgd_interpolate(r, pixels, NULL);
   r->warps++;
   r->lanes += util_bitcount(mask);
   if (unlikely(
          !sgd_shader_run(r->worker, r->ps, &r->state->env[SGPU_STAGE_PIXEL], active, &live))) {
      r->stopped = true;
      return;
   }
   live &= mask;
   if (!live)
      return;
   r->stats->samples_passed += util_bitcount(live);
   r->kept = live;
   sgd_color_write(r->worker, r->state, &pixels->quads, r->out, live);
}

void
sgd_pixel_run(struct sgd_raster *r, const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos)
{
   const struct sgd_shader *ps = r->ps;
   const uint32_t mask = pixels->quads.mask;

   if (r->stopped)
      return;
   if (likely(r->plain & pixels->quads.block)) {
      run_plain(r, pixels);
      return;
   }
   if (!pos && sgd_pixel_needs_places(r, pixels)) {
      run_at_places(r, pixels);
      return;
   }
   if (r->varyings->num_planes | r->varyings->num_flat)
      sgd_interpolate(r, pixels, pos);
   if (ps->sysvals_read)
      sgd_pixel_sysvals(r, pixels, SGD_SAMPLE_CENTER, pos);

   uint32_t live = mask;
   const uint32_t active = ps->uses_derivatives ? sgd_lanes_whole(mask) : mask;
   r->warps++;
   r->lanes += util_bitcount(mask);
   if (r->known) {
      count_known(r->worker);
   } else if (!sgd_pixel_program(r, pixels, -1, active, &live)) {
      r->stopped = true;
      return;
   }
   SGD_OBSERVE(sgd_observe_quads(r, pixels);)
   live &= mask;
   if (r->mode.smooth)
      sgd_fragment_cover(r, pixels);
   if (r->state->plan.alpha.test)
      live = sgd_fragment_alpha_test(r, live);
   SGD_OBSERVE(sgd_observe_dropped(r, pixels, 0, mask & ~live);)
   if (live && r->late)
      live = test_late(r, pixels, pos, live);
   if (!live)
      return;
   if (!r->late_shading && !r->count_early)
      r->stats->samples_passed += util_bitcount(live);
   SGD_OBSERVE(sgd_observe_kept(r, pixels, 0, live);)
   SGD_OBSERVE(sgd_observe_quads_kept(r, live);)
   if (r->color)
      sgd_color_write(r->worker, r->state, &pixels->quads, r->out, live);
   r->kept = live;
   if (r->hides)
      sgd_visibility_hide(r, &pixels->quads, live);
}
