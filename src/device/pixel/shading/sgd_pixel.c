/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: runs a warp of quads through the pixel program and the late depth and stencil tests,
 * and writes its colours to the render targets.
 */
#include "pixel/shading/sgd_pixel.h"

#include <stddef.h>
#include <string.h>

#include "pixel/shading/sgd_observe_pixel.h"
#include "pixel/shading/sgd_coverage.h"
#include "pixel/shading/sgd_fragment.h"
#include "pixel/shading/sgd_interpolate.h"
#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel_program.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/shading/sgd_visibility.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "pixel/rop/sgd_rop_warp.h"
#include "common/sgd_lanes.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_stats.h"
#include "common/sgd_varyings.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"

/* Computes the depth range of a viewport, to which depth clamping restricts depths. */
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
sgd_pixel_clamp_depth(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, float z)
{
   float low, high;

   if (!px->state->rast.depth_clamp)
      return z;
   depth_range(px->state, prim->viewport, &low, &high);
   return sgpu_fmin(sgpu_fmax(z, low), high);
}

/* Clamps depths to a range. Checks first if this is necessary, because most depths are in range. */
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
sgd_pixel_clamp_to_range(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         float z[SGD_WARP])
{
   const unsigned count = pixels->quads.count;

   for (unsigned q = 0, end; q < count; q = end) {
      const unsigned viewport = pixels->prim[q]->viewport;
      float low, high;

      for (end = q + 1; end < count && pixels->prim[end]->viewport == viewport;)
         end++;
      depth_range(px->state, viewport, &low, &high);
      if (likely(end - q == SGD_QUADS))
         clamp_lanes(z, SGD_WARP, low, high);
      else
         clamp_lanes(z + 4 * q, 4 * (end - q), low, high);
   }
}

/* Attributes are sampled at pixel centres. If a smooth polygon covers a pixel only partly, the
 * value is the mean over the covered part (OpenGL 2.1, section 3.5.1). For attributes that are
 * linear in window space, this mean is the value at the centroid of the covered part.
 */
void
sgd_pixel_positions(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                    struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;

   sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, pos);
   for (unsigned q = 0; px->mode.smooth && q < quads->count; q++) {
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
sgd_pixel_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample,
                float z[SGD_WARP])
{
   struct sgd_lane_pos storage;
   const struct sgd_lane_pos *pos = &storage;

   if (px->mode.multisample)
      sgd_lane_positions(pixels, sgd_sample_pos_of(px->mode.sample_at[sample]), &storage);
   else
      pos = sgd_pixel_places(px, pixels, &storage);
   sgd_eval_depth(px, pixels, pos, z);
   sgd_pixel_clamp_depths(px, pixels, z);
}

static void
fill_lanes(uint32_t *c, uint32_t value)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      c[i] = value;
}

/* Determines if the outputs of the program are known before the first warp. Machine code that
 * depends only on constants runs once, for all lanes. If the program only copies an input, that
 * input is used as the output.
 */
static void
find_outputs(struct sgd_pixel_stage *px)
{
   const struct sgd_core *core = px->worker->core;
   const struct sgd_begun *begun = &core->begun;
   const struct sgd_warp *w = &core->warp;

   px->out = w->out;
   px->known = false;
   if (!begun->whole)
      return;
   if (begun->same && sgd_plan_has(&px->state->plan, SGPU_PATH_SAME)) {
      sgd_shader_run_all(px->worker);
      px->known = true;
   } else if (sgd_plan_has(&px->state->plan, SGPU_PATH_COPY)) {
      px->out = w->in + px->ps->copied - SGPU_PO_COLR0;
      px->known = true;
   }
}

/* Returns true if blocks need only interpolation, the program and colour writes. */
static bool
is_plain(const struct sgd_pixel_stage *px)
{
   if (SGD_OBSERVED_LEVEL)
      return false;
   return sgd_plan_has(&px->state->plan, SGPU_PATH_PLAIN) && !px->known && !px->hides &&
          !px->late_shading;
}

void
sgd_pixel_stage_begin(struct sgd_pixel_stage *px, struct sgd_worker *worker,
                      const struct sgd_batch *batch, struct sgd_stats *stats)
{
   const struct sgd_state *state = batch->draw->state;
   const struct sgd_plan *plan = &state->plan;

   px->worker = worker;
   px->batch = batch;
   px->state = state;
   px->varyings = batch->varyings;
   px->ps = plan->shades ? state->shader[SGPU_STAGE_PIXEL] : NULL;
   px->stats = stats;
   px->color = plan->color;
   px->late = plan->late;
   px->count_early = plan->zs_mode.count_early;
   px->mode = plan->coverage;
   px->hides = px->late_shading = px->begun = px->stopped = false;
   px->warps = px->lanes = 0;
}

/* Sets the inputs and system values that are the same for all warps. The worker's core must not run
 * other programs until the end of the tile list.
 */
void
sgd_pixel_begin(struct sgd_pixel_stage *px)
{
   const struct sgd_warp *w = &px->worker->core->warp;
   uint32_t read = px->ps->sysvals_read;

   px->begun = true;
   px->flat = NULL;
   sgd_shader_begin(px->worker, px->ps, &px->state->env[SGPU_STAGE_PIXEL]);

   for (unsigned k = 0; k < px->varyings->num_constants; k++)
      fill_lanes(w->in[px->varyings->constant[k].input].c[px->varyings->constant[k].comp],
                 px->varyings->constant[k].value);

   /* Set colours that the program doesn't write to (0, 0, 0, 1). Otherwise they would keep the
    * values of other programs.
    */
   const uint32_t written = (uint32_t)(px->ps->outputs_written >> SGPU_PO_COLR0);
   uint32_t unwritten = px->state->plan.outputs & ~written;
   while (unwritten) {
      struct sgd_vec *out = &w->out[SGPU_PO_COLR0 + u_bit_scan(&unwritten)];
      memset(out, 0, sizeof(*out));
      fill_lanes(out->c[3], SGPU_FP_ONE_BITS);
   }

   find_outputs(px);
   px->plain = is_plain(px);
   px->num_ahead = 0;
   for (unsigned n = 0; n < px->state->num_colors && px->color && !px->known; n++) {
      if (px->state->plan.rop.color[n].active)
         px->ahead[px->num_ahead++] = &px->state->color[n];
   }

   while (read) {
      const unsigned s = u_bit_scan(&read);
      memset(&w->sys[s], 0, sizeof(w->sys[s]));
      if (s == SGPU_SYS_LANE) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            w->sys[s].c[0][i] = i;
      } else if (s == SGPU_SYS_SAMPLE_POS) {
         fill_lanes(w->sys[s].c[0], sgpu_f2bits(SGD_SAMPLE_CENTER.x));
         fill_lanes(w->sys[s].c[1], sgpu_f2bits(SGD_SAMPLE_CENTER.y));
      } else if (s == SGPU_SYS_POINT_COORD) {
         fill_lanes(w->sys[s].c[3], SGPU_FP_ONE_BITS);
      } else if (s == SGPU_SYS_VIEW) {
         fill_lanes(w->sys[s].c[0], px->state->view.view);
      }
   }
}

/* Copies a value of each quad's primitive to all lanes of the quad. */
#define PER_QUAD(out, expr)                             \
   for (unsigned q = 0; q < pixels->quads.count; q++) { \
      const struct sgd_prim *prim = pixels->prim[q];    \
      const uint32_t value = (expr);                    \
      for (unsigned i = 4 * q; i < 4 * q + 4; i++)      \
         (out)[i] = value;                              \
   }

/* Expands a mask of quads to a mask of their lanes. */
static inline uint32_t
quads_lanes(uint32_t quads)
{
   quads = (quads | quads << 12) & 0x000f000f;
   quads = (quads | quads << 6) & 0x03030303;
   quads = (quads | quads << 3) & 0x11111111;
   return quads * 15;
}

/* Computes the system value POSITION. Components that the program doesn't read are undefined. */
static void
set_position(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
             struct sgd_sample_pos sample, const struct sgd_lane_pos *pos, struct sgd_vec *out)
{
   const uint8_t read = px->ps->sysval_mask[SGPU_SYS_POSITION];

   if (read & 3)
      sgd_lane_window(pixels, sample, (float *)out->c[0], (float *)out->c[1]);
   if (read & 4) {
      float *z = (float *)out->c[2];
      sgd_eval_depth(px, pixels, pos, z);
      sgd_pixel_clamp_depths(px, pixels, z);
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

/* Returns true if the square of pixel (x, y) lies in the box of SGD_PRIM_BOX. */
static bool
in_box(const struct sgd_prim *prim, int64_t x, int64_t y)
{
   return 256 * x >= prim->u.box.x0 && 256 * (x + 1) <= prim->u.box.x1 &&
          256 * y >= prim->u.box.y0 && 256 * (y + 1) <= prim->u.box.y1;
}

uint32_t
sgd_inner_lanes(const struct sgd_pixels *pixels)
{
   uint32_t lanes = 0;

   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];

      if (prim->type != SGD_PRIM_TRIANGLE && prim->type != SGD_PRIM_BOX)
         continue;
      for (unsigned i = 0; i < 4; i++) {
         const int64_t x = pixels->quads.x[q] + (i & 1), y = pixels->quads.y[q] + (i >> 1);
         bool inside = true;

         if (prim->type == SGD_PRIM_BOX) {
            lanes |= (uint32_t)in_box(prim, x, y) << (4 * q + i);
            continue;
         }

         /* An edge function is the value at the pixel corner that is farthest inside the edge. The
          * value at the opposite corner is lower by |a| + |b|.
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

/* Sets all system values that the program reads, except for POSITION. */
static __attribute__((noinline)) void
set_others(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
           const struct sgd_lane_pos *pos, uint32_t read)
{
   struct sgd_vec *sys = px->worker->core->warp.sys;
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
         const bool inner = px->mode.conservative &&
                            px->state->shader_desc[SGPU_STAGE_PIXEL].inner_coverage;
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
sgd_pixel_sysvals(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                  struct sgd_sample_pos sample, const struct sgd_lane_pos *pos)
{
   const uint32_t position = 1u << SGPU_SYS_POSITION, read = px->ps->sysvals_read;

   if (read & position)
      set_position(px, pixels, sample, pos, &px->worker->core->warp.sys[SGPU_SYS_POSITION]);
   if (read & ~position)
      set_others(px, pixels, pos, read & ~position);
}

/* Runs the late depth and stencil tests. They use the depth and stencil outputs of the program if
 * it writes them.
 */
static __attribute__((noinline)) uint32_t
test_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
          const struct sgd_lane_pos *pos, uint32_t mask)
{
   const struct sgd_vec *out = px->worker->core->warp.out;
   float z[SGD_WARP];

   if (px->ps->writes_depth)
      memcpy(z, out[SGPU_PO_DEPR].c[0], sizeof(z));
   else
      sgd_eval_depth(px, pixels, pos, z);
   sgd_pixel_clamp_depths(px, pixels, z);
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_late(px, pixels, 0, z, px->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL,
                       mask);
   return sgd_zs_test(px->worker, px->state, &pixels->quads, z,
                      px->ps->writes_stencil ? out[SGPU_PO_STEN].c[0] : NULL, mask);
}

/* Not inlined, so that sgd_pixel_run() doesn't need stack space for the positions in the common
 * case.
 */
static __attribute__((noinline)) void
run_at_places(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   struct sgd_lane_pos pos;

   sgd_pixel_positions(px, pixels, &pos);
   sgd_pixel_run(px, pixels, &pos);
}

/* Updates the counters as if the machine code had run. The outputs were known without running it
 * (see find_outputs()).
 */
static ALWAYS_INLINE void
count_known(struct sgd_worker *worker)
{
   const uint32_t length = worker->core->begun.length;

   worker->counters[SGPU_COUNTER_INSTRUCTIONS] += length;
   worker->counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += length;
   worker->counters[SGPU_COUNTER_NATIVE_WARPS]++;
}

/* Fetches a block of the render targets into the cache while the program runs. Without this, the
 * stores of colours wait for memory, and the stores of the next warp wait for them.
 */
static ALWAYS_INLINE void
prefetch_targets(const struct sgd_pixel_stage *px, const struct sgd_quads *quads)
{
   for (unsigned n = 0; n < px->num_ahead; n++)
      sgd_prefetch_block(px->ahead[n], quads);
}

/* Variant of sgd_pixel_run() for blocks, without the steps that aren't needed if px->plain is set.
 */
static ALWAYS_INLINE void
run_plain(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   const uint32_t mask = pixels->quads.mask;
   const uint32_t active = px->ps->uses_derivatives ? sgd_whole_quads(mask) : mask;
   uint32_t live = mask;

   if (px->varyings->num_planes | px->varyings->num_flat)
      sgd_interpolate(px, pixels, NULL);
   px->warps++;
   px->lanes += util_bitcount(mask);
   if (unlikely(
          !sgd_shader_run(px->worker, px->ps, &px->state->env[SGPU_STAGE_PIXEL], active, &live))) {
      px->stopped = true;
      return;
   }
   live &= mask;
   if (!live)
      return;
   px->stats->samples_passed += util_bitcount(live);
   px->kept = live;
   sgd_color_write(px->worker, px->state, &pixels->quads, px->out, live);
}

void
sgd_pixel_run(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
              const struct sgd_lane_pos *pos)
{
   const struct sgd_shader *ps = px->ps;
   const uint32_t mask = pixels->quads.mask;

   if (px->stopped)
      return;
   if (pixels->quads.block)
      prefetch_targets(px, &pixels->quads);
   if (likely(px->plain & pixels->quads.block)) {
      run_plain(px, pixels);
      return;
   }
   if (!pos && sgd_pixel_needs_places(px, pixels)) {
      run_at_places(px, pixels);
      return;
   }
   if (px->varyings->num_planes | px->varyings->num_flat)
      sgd_interpolate(px, pixels, pos);
   if (ps->sysvals_read)
      sgd_pixel_sysvals(px, pixels, SGD_SAMPLE_CENTER, pos);

   uint32_t live = mask;
   const uint32_t active = ps->uses_derivatives ? sgd_whole_quads(mask) : mask;
   px->warps++;
   px->lanes += util_bitcount(mask);
   if (px->known) {
      count_known(px->worker);
   } else if (!sgd_pixel_program(px, pixels, -1, active, &live)) {
      px->stopped = true;
      return;
   }
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_quads(px, pixels);
   live &= mask;
   if (px->mode.smooth)
      sgd_fragment_cover(px, pixels);
   if (px->state->plan.alpha.test)
      live = sgd_fragment_alpha_test(px, live);
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_dropped(px, pixels, 0, mask & ~live);
   if (live && px->late)
      live = test_late(px, pixels, pos, live);
   if (!live)
      return;
   if (!px->late_shading && !px->count_early)
      px->stats->samples_passed += util_bitcount(live);
   if (SGD_OBSERVED_LEVEL) {
      sgd_observe_kept(px, pixels, 0, live);
      sgd_observe_quads_kept(px, live);
   }
   if (px->color)
      sgd_color_write(px->worker, px->state, &pixels->quads, px->out, live);
   px->kept = live;
   if (px->hides)
      sgd_visibility_hide(px, &pixels->quads, live);
}
