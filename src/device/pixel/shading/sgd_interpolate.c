/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: attribute interpolation (Lindholm 2008). w is the reciprocal of the interpolated
 * 1/w. Attributes are interpolated as a/w and multiplied by w.
 */
#include "pixel/shading/sgd_interpolate.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_varyings.h"
#include "common/sgd_worker.h"
#include "util/macros.h"

/* Offset of each lane from the first pixel of its block. The first four entries are also valid for
 * a quad.
 */
static _Alignas(64) const float lane_x[SGD_WARP] = {
   0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7,
};
static _Alignas(64) const float lane_y[SGD_WARP] = {
   0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3, 3,
};

/* Returns the 32 lanes of an input component. `lanes` is an element of sgd_varyings.lanes[], which
 * is a byte offset from `in`.
 */
static inline float *
input_lanes(struct sgd_vec *in, uint16_t lanes)
{
   return (float *)((uint8_t *)in + lanes);
}

static inline __attribute__((always_inline)) void
eval_quads(const struct sgd_pixels *pixels, const struct sgd_lane_pos *restrict pos, size_t offset,
           size_t stride, float *restrict out)
{
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const float *p = (const float *)((const uint8_t *)pixels->prim[q] + offset);
      const float v0 = p[0], dx = p[stride], dy = p[2 * stride];
      float rx[4], ry[4], v[4];

      memcpy(rx, &pos->rx[4 * q], sizeof(rx));
      memcpy(ry, &pos->ry[4 * q], sizeof(ry));
      for (unsigned i = 0; i < 4; i++)
         v[i] = sgd_plane_raw(v0, dx, dy, rx[i], ry[i]);
      memcpy(&out[4 * q], v, sizeof(v));
   }
}

#if defined(__AVX2__)
#include "pixel/shading/sgd_interpolate_avx2.h"
#else

static inline void
sgd_quads_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos at,
                    struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;

   pos->one = false;
   for (unsigned q = 0; q < quads->count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];
      const float x = (float)(int32_t)quads->x[q] + at.x - prim->ox;
      const float y = (float)(int32_t)quads->y[q] + at.y - prim->oy;
      for (unsigned i = 0; i < 4; i++)
         pos->rx[4 * q + i] = x + lane_x[i];
      for (unsigned i = 0; i < 4; i++)
         pos->ry[4 * q + i] = y + lane_y[i];
   }
}

static inline void
sgd_quads_window(const struct sgd_pixels *pixels, struct sgd_sample_pos at, float *x, float *y)
{
   const struct sgd_quads *quads = &pixels->quads;

   for (unsigned q = 0; q < quads->count; q++) {
      const float qx = (float)(int32_t)quads->x[q] + at.x;
      const float qy = (float)(int32_t)quads->y[q] + at.y;
      for (unsigned i = 0; i < 4; i++)
         x[4 * q + i] = qx + lane_x[i];
      for (unsigned i = 0; i < 4; i++)
         y[4 * q + i] = qy + lane_y[i];
   }
}

/* Evaluates n planes of each quad's primitive, of which the first is at byte `offset` of the
 * primitive. The three coefficients of a plane are `stride` floats apart. Values are multiplied by
 * w unless w is NULL. NaNs become canonical.
 */
static inline void
sgd_quads_planes(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, const float *w,
                 size_t offset, size_t stride, float *const out[4], unsigned n)
{
   for (unsigned k = 0; k < n; k++) {
      float *restrict v = out[k];

      eval_quads(pixels, pos, offset + k * sizeof(float), stride, v);
      for (unsigned i = 0; i < SGD_WARP; i++)
         v[i] = w ? sgpu_fmul(v[i], w[i]) : sgpu_fp_canon(v[i]);
   }
}

/* Broadcasts n flat values of each quad's primitive to the lanes of the quad. The first value is at
 * byte `offset` of the primitive.
 */
static inline void
sgd_quads_flat(const struct sgd_pixels *pixels, size_t offset, float *const out[4], unsigned n)
{
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const uint32_t *p = (const uint32_t *)((const uint8_t *)pixels->prim[q] + offset);
      for (unsigned k = 0; k < n; k++) {
         const uint32_t bits[4] = { p[k], p[k], p[k], p[k] };
         memcpy(&out[k][4 * q], bits, sizeof(bits));
      }
   }
}

#endif

/* Computes the lane positions of a block, where x, y is the position of its first lane. */
static inline void
block_positions(float x, float y, float *restrict rx, float *restrict ry)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      rx[i] = x + lane_x[i];
   for (unsigned i = 0; i < SGD_WARP; i++)
      ry[i] = y + lane_y[i];
}

void
sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                   struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;

   if (quads->block) {
      const float x = (float)(int32_t)quads->x[0] + sample.x - pixels->prim[0]->ox;
      const float y = (float)(int32_t)quads->y[0] + sample.y - pixels->prim[0]->oy;
      block_positions(x, y, pos->rx, pos->ry);
      pos->one = true;
      return;
   }
   sgd_quads_positions(pixels, sample, pos);
}

void
sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample, float x[SGD_WARP],
                float y[SGD_WARP])
{
   const struct sgd_quads *quads = &pixels->quads;

   if (quads->block) {
      block_positions((float)(int32_t)quads->x[0] + sample.x,
                      (float)(int32_t)quads->y[0] + sample.y, x, y);
      return;
   }
   sgd_quads_window(pixels, sample, x, y);
}

/* Evaluates a plane of a primitive for all lanes of a block. The three coefficients of the plane
 * are `stride` floats apart, and the first one is at byte `offset` of the primitive.
 */
static inline __attribute__((always_inline)) void
eval_block(const struct sgd_prim *prim, const struct sgd_lane_pos *restrict pos, size_t offset,
           size_t stride, float *restrict out)
{
   const float *p = (const float *)((const uint8_t *)prim + offset);
   const float v0 = p[0], dx = p[stride], dy = p[2 * stride];

   for (unsigned i = 0; i < SGD_WARP; i++)
      out[i] = sgd_plane_raw(v0, dx, dy, pos->rx[i], pos->ry[i]);
}

/* Returns true if the primitive doesn't need perspective division, because 1/w is 1 everywhere or
 * because it is a point, which ignores 1/w.
 */
static inline bool
is_flat(const struct sgd_prim *prim)
{
   /* Shift out the signs of the gradients, since a zero gradient can be -0. */
   return (sgpu_f2bits(prim->rw.v0) == SGPU_FP_ONE_BITS &&
           !((sgpu_f2bits(prim->rw.dx) | sgpu_f2bits(prim->rw.dy)) << 1)) ||
          prim->type == SGD_PRIM_RECT;
}

void
sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
               float out[SGD_WARP])
{
#if defined(__AVX2__)
   sgd_v8_head_plane(pixels, pos, offset, out);
#else
   struct sgd_lane_pos centers;
   if (!pos) {
      sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, &centers);
      pos = &centers;
   }
   if (pixels->quads.block)
      eval_block(pixels->prim[0], pos, offset, 1, out);
   else
      eval_quads(pixels, pos, offset, 1, out);
#endif
}

/* Computes w at the lane positions. Points get w = 1, since their attributes aren't divided by w.
 */
static void
eval_w(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, float w[SGD_WARP])
{
   _Alignas(64) float rw[SGD_WARP] = { 0 };

   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, rw), rw);
   for (unsigned i = 0; i < SGD_WARP; i++)
      w[i] = sgpu_frcp(rw[i]);
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      if (unlikely(pixels->prim[q]->type == SGD_PRIM_RECT)) {
         for (unsigned i = 4 * q; i < 4 * q + 4; i++)
            w[i] = 1.0f;
      }
   }
}

void
sgd_offset_depths(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                  float z[SGD_WARP])
{
   const bool steps = px->state->plan.rop.zs.format.is_float;

   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const float offset = pixels->prim[q]->depth_offset;
      for (unsigned i = 4 * q; i < 4 * q + 4; i++)
         z[i] = sgd_offset_depth(z[i], offset, steps);
   }
}

#if defined(__AVX2__)

static __attribute__((noinline)) void
make_canonical(const struct sgd_varyings *varyings, struct sgd_vec *in)
{
   for (unsigned k = 0; k < varyings->num_planes; k++) {
      if (varyings->lanes[k] == SGD_NO_LANES)
         continue;
      float *v = input_lanes(in, varyings->lanes[k]);
      for (unsigned i = 0; i < SGD_WARP; i++)
         v[i] = sgpu_fp_canon(v[i]);
   }
}

/* Interpolates the inputs that have a plane equation. If `divides` is set, planes before
 * varyings->linear are multiplied by w.
 */
static ALWAYS_INLINE void
interpolate_planes(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos, bool divides, struct sgd_vec *in)
{
   if (unlikely(sgd_v8_planes(varyings, pixels, pos, divides, in)))
      make_canonical(varyings, in);
}

#else

/* Evaluates a plane for all lanes of a block, and multiplies it by w unless w is NULL. NaNs become
 * canonical.
 */
static ALWAYS_INLINE void
input_block(const struct sgd_prim *prim, const struct sgd_lane_pos *restrict pos, size_t offset,
            size_t stride, const float *restrict w, float *restrict out)
{
   const float *p = (const float *)((const uint8_t *)prim + offset);
   const float v0 = p[0], dx = p[stride], dy = p[2 * stride];

   for (unsigned i = 0; i < SGD_WARP; i++) {
      const float v = sgd_plane_raw(v0, dx, dy, pos->rx[i], pos->ry[i]);
      out[i] = sgpu_fp_canon(w ? sgpu_fp_raw_mul(v, w[i]) : v);
   }
}

/* Interpolates the inputs that have a plane equation. If `divides` is set, planes before
 * varyings->linear are multiplied by w.
 */
static void
interpolate_planes(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos, bool divides, struct sgd_vec *in)
{
   const size_t attr = offsetof(struct sgd_prim, attr);
   const unsigned num_planes = varyings->num_planes;
   const bool block = pixels->quads.block;
   struct sgd_lane_pos centers;
   _Alignas(64) float w[SGD_WARP];

   if (!pos) {
      sgd_lane_positions(pixels, SGD_SAMPLE_CENTER, &centers);
      pos = &centers;
   }
   if (divides)
      eval_w(pixels, pos, w);
   for (unsigned k = 0; k < num_planes; k += 4) {
      const uint16_t *lanes = &varyings->lanes[k];
      const float *factor = divides && k < varyings->linear ? w : NULL;
      const size_t offset = attr + k * sizeof(float);
      float *out[4];
      unsigned n = 0;

      /* Planes that aren't used are at the end of each group of four. */
      for (; n < 4 && lanes[n] != SGD_NO_LANES; n++)
         out[n] = input_lanes(in, lanes[n]);
      if (!block) {
         sgd_quads_planes(pixels, pos, factor, offset, num_planes, out, n);
         continue;
      }
      for (unsigned i = 0; i < n; i++) {
         const size_t plane = offset + i * sizeof(float);
         if (factor)
            input_block(pixels->prim[0], pos, plane, num_planes, factor, out[i]);
         else
            input_block(pixels->prim[0], pos, plane, num_planes, NULL, out[i]);
      }
   }
}

#endif

/* Copies the flat inputs to the lanes. `one` is set if all quads belong to the same primitive. */
static __attribute__((noinline)) void
interpolate_flat(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels, bool one,
                 struct sgd_vec *in)
{
   const uint16_t *lanes = &varyings->lanes[varyings->num_planes];
   const size_t flat = offsetof(struct sgd_prim, attr) + 3 * varyings->num_planes * sizeof(float);

   for (unsigned k = 0; k < varyings->num_flat; k += 4) {
      const unsigned n = MIN2(varyings->num_flat - k, 4);
      const size_t offset = flat + k * sizeof(float);
      float *out[4] = { NULL };

      for (unsigned i = 0; i < n; i++)
         out[i] = input_lanes(in, lanes[k + i]);
      if (!one) {
         sgd_quads_flat(pixels, offset, out, n);
         continue;
      }
      const uint32_t *p = (const uint32_t *)((const uint8_t *)pixels->prim[0] + offset);
      for (unsigned i = 0; i < n; i++) {
         uint32_t *restrict o = (uint32_t *)out[i];
         const uint32_t bits = p[i];
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = bits;
      }
   }
}

void
sgd_interpolate(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                const struct sgd_lane_pos *pos)
{
   const struct sgd_varyings *varyings = px->varyings;
   struct sgd_vec *in = px->worker->core->warp.in;
   const bool one = !pos || pos->one;

   if (varyings->num_planes) {
      const bool divides = varyings->linear && !(one && is_flat(pixels->prim[0]));
      interpolate_planes(varyings, pixels, pos, divides, in);
   }
   const struct sgd_prim *flat = one ? pixels->prim[0] : NULL;
   if (varyings->num_flat && (!flat || px->flat != flat)) {
      interpolate_flat(varyings, pixels, one, in);
      px->flat = flat;
   }
}

void
sgd_interpolate_place(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      const struct sgd_lane_pos *pos)
{
   const struct sgd_varyings *varyings = px->varyings;
   const unsigned num_planes = varyings->num_planes;
   struct sgd_vec *in = px->worker->core->warp.in;
   _Alignas(64) float w[SGD_WARP];

   eval_w(pixels, pos, w);
   for (unsigned k = 0; k < num_planes; k++) {
      const struct sgd_varying_ref *ref = &varyings->ref[k];
      const size_t offset = offsetof(struct sgd_prim, attr) + k * sizeof(float);
      float *out = input_lanes(in, varyings->lanes[k]);

      if (!ref->used || px->state->varying[ref->input].place == SGPU_INTERPOLATION_PLACE_CENTER)
         continue;
      if (pixels->quads.block)
         eval_block(pixels->prim[0], pos, offset, num_planes, out);
      else
         eval_quads(pixels, pos, offset, num_planes, out);
      for (unsigned i = 0; i < SGD_WARP; i++)
         out[i] = k < varyings->linear ? sgpu_fmul(out[i], w[i]) : sgpu_fp_canon(out[i]);
   }
}

void
sgd_interpolate_input(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                      struct sgd_vec *out)
{
   const struct sgd_varyings *varyings = px->varyings;
   const unsigned num_planes = varyings->num_planes;
   const uint8_t *plane = varyings->plane[input];
   _Alignas(64) float w[SGD_WARP];

   eval_w(pixels, pos, w);
   for (unsigned c = 0; c < 4; c++) {
      const size_t offset = offsetof(struct sgd_prim, attr) + plane[c] * sizeof(float);
      _Alignas(64) float v[SGD_WARP] = { 0 };

      if (!(comps >> c & 1))
         continue;
      if (plane[c] == SGD_NO_PLANE) {
         memcpy(out->c[c], px->worker->core->warp.in[input].c[c], sizeof(out->c[c]));
         continue;
      }
      if (pixels->quads.block)
         eval_block(pixels->prim[0], pos, offset, num_planes, v);
      else
         eval_quads(pixels, pos, offset, num_planes, v);
      for (unsigned i = 0; i < SGD_WARP; i++)
         v[i] = plane[c] < varyings->linear ? sgpu_fmul(v[i], w[i]) : sgpu_fp_canon(v[i]);
      memcpy(out->c[c], v, sizeof(out->c[c]));
   }
}
