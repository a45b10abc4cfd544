/* SPDX-License-Identifier: MIT */
/*
 * Attribute interpolation (Lindholm 2008): 1/w is interpolated and inverted to
 * w, a/w interpolated and multiplied by w.
 */
#include "sgd_pixel.h"

void
sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                   struct sgd_lane_pos *pos)
{
   const struct sgd_quads *quads = &pixels->quads;

   pos->count = quads->count;
   pos->uniform = true;
   for (unsigned q = 1; q < quads->count; q++)
      pos->uniform &= pixels->prim[q] == pixels->prim[0];

   for (unsigned q = 0; q < SGD_QUADS; q++) {
      /* Lanes behind the last quad repeat it. */
      const unsigned from = q < quads->count ? q : quads->count - 1;
      const struct sgd_prim *prim = pixels->prim[from];
      const float x = (float)(int32_t)quads->x[from] + sample.x;
      const float y = (float)(int32_t)quads->y[from] + sample.y;

      for (unsigned i = 0; i < 4; i++) {
         pos->x[4 * q + i] = x + (float)(int32_t)(i & 1);
         pos->y[4 * q + i] = y + (float)(int32_t)(i >> 1);
         pos->rx[4 * q + i] = pos->x[4 * q + i] - prim->ox;
         pos->ry[4 * q + i] = pos->y[4 * q + i] - prim->oy;
      }
   }
}

static inline void
eval_uniform(const struct sgd_lane_pos *pos, float v0, float dx, float dy, float *restrict out)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      out[i] = sgd_plane_at(v0, dx, dy, pos->rx[i], pos->ry[i]);
}

/* Plane k of the layout, its parts `stride` floats apart. */
static inline void
eval_quads(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
           size_t stride, float *restrict out)
{
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      const unsigned from = q < pos->count ? q : pos->count - 1;
      const float *p = (const float *)((const uint8_t *)pixels->prim[from] + offset);
      const float v0 = p[0], dx = p[stride], dy = p[2 * stride];

      for (unsigned i = 4 * q; i < 4 * q + 4; i++)
         out[i] = sgd_plane_at(v0, dx, dy, pos->rx[i], pos->ry[i]);
   }
}

static inline void
eval(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
     size_t stride, float *restrict out)
{
   if (pos->uniform) {
      const float *p = (const float *)((const uint8_t *)pixels->prim[0] + offset);
      eval_uniform(pos, p[0], p[stride], p[2 * stride], out);
   } else {
      eval_quads(pixels, pos, offset, stride, out);
   }
}

void
sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
               float out[SGD_WARP])
{
   eval(pixels, pos, offset, 1, out);
}

void
sgd_interpolate(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                const struct sgd_lane_pos *pos, const float rw[SGD_WARP])
{
   const struct sgd_varyings *varyings = r->varyings;
   struct sgd_vec *in = r->worker->machine->in;
   const size_t attr = offsetof(struct sgd_prim, attr);
   float w[SGD_WARP], v[SGD_WARP];

   if (varyings->linear) {
      for (unsigned i = 0; i < SGD_WARP; i++)
         w[i] = sgpu_frcp(rw[i]);
      /* The planes of points are not divided by w. */
      for (unsigned q = 0; q < pos->count; q++) {
         if (pixels->prim[q]->type == SGD_PRIM_RECT) {
            for (unsigned i = 4 * q; i < 4 * q + 4; i++)
               w[i] = 1.0f;
         }
      }
   }

   for (unsigned k = 0; k < varyings->num_planes; k++) {
      const struct sgd_varying_ref *ref = &varyings->ref[k];
      uint32_t *out = in[ref->input].c[ref->comp];

      if (!ref->used)
         continue;
      eval(pixels, pos, attr + k * sizeof(float), varyings->num_planes, v);
      if (k < varyings->linear) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            out[i] = sgpu_f2bits(sgpu_fmul(v[i], w[i]));
      } else {
         memcpy(out, v, sizeof(v));
      }
   }

   for (unsigned k = 0; k < varyings->num_flat; k++) {
      const struct sgd_varying_ref *ref = &varyings->ref[varyings->num_planes + k];
      uint32_t *out = in[ref->input].c[ref->comp];
      const size_t offset = attr + (3 * varyings->num_planes + k) * sizeof(float);

      for (unsigned q = 0; q < SGD_QUADS; q++) {
         const unsigned from = q < pos->count ? q : pos->count - 1;
         uint32_t bits;
         memcpy(&bits, (const uint8_t *)pixels->prim[from] + offset, sizeof(bits));
         for (unsigned i = 4 * q; i < 4 * q + 4; i++)
            out[i] = bits;
      }
   }
}
