/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: anisotropic filtering (EXT_texture_filter_anisotropic). The footprint of a pixel is
 * the ellipse onto which the derivatives of the texture coordinates map a circle one pixel wide. N
 * probes are placed along the major axis, each with the level of detail of the minor axis. Compiled
 * once for each x86-64 level of the host CPU.
 */
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"

#include <string.h>

/* A footprint gets N probes if the ratio of its axes is at most N + RATIO_SLACK. Without the slack,
 * most surfaces parallel to the screen would get two probes, because rounding makes their
 * footprints not quite circular.
 */
#define RATIO_SLACK 0.0625f

/* The sum of the squared axes equals the sum of the squared steps. If it is below this limit, the
 * major axis is shorter than a texel in spite of rounding, so that a single probe with a negative
 * level of detail is enough.
 */
#define SMALL 0.99f

static bool
all_small(const struct sgd_tex_float dx[2], const struct sgd_tex_float dy[2], float w, float h,
          uint32_t active)
{
   uint32_t large = 0;
   SGD_EACH(l) {
      const float ux = tmul(dx[0].v[l], w), vx = tmul(dx[1].v[l], h);
      const float uy = tmul(dy[0].v[l], w), vy = tmul(dy[1].v[l], h);
      const float sum = tadd(tadd(tmul(ux, ux), tmul(uy, uy)), tadd(tmul(vx, vx), tmul(vy, vy)));
      large |= ~sgpu_fp_mask(sum < SMALL) & sgd_lane_mask(active, l);
   }
   return !large;
}

bool
sgd_tex_aniso(struct sgd_tex_job *job, const struct sgd_source *src0, const struct sgd_source *src1,
              bool magnifies)
{
   const struct sgd_tex_level *base = &job->unit->level[0];
   const bool texels = job->sampler->unnormalized;
   const float w = texels ? 1.0f : (float)base->width, h = texels ? 1.0f : (float)base->height;
   const float limit = (float)job->sampler->max_anisotropy;
   struct sgd_tex_float dx[2], dy[2];

   for (unsigned a = 0; a < 2; a++) {
      if (job->op->op == SGPU_OP_TXD) {
         memcpy(dx[a].v, src1->c[a], sizeof(dx[a].v));
         memcpy(dy[a].v, src1->c[2 + a], sizeof(dy[a].v));
      } else {
         sgd_tex_quad_steps(src0, a, &dx[a], &dy[a]);
      }
   }
   if (magnifies && all_small(dx, dy, w, h, job->active))
      return false;

   /* Each of these loops is a chain of divisions and roots. In one loop, the chain would be too long
    * for the CPU to overlap several iterations.
    */
   struct sgd_tex_float halves, products, roots, longers, shorters, numbers;
   SGD_EACH(l) {
      const float ux = tmul(dx[0].v[l], w), vx = tmul(dx[1].v[l], h);
      const float uy = tmul(dy[0].v[l], w), vy = tmul(dy[1].v[l], h);

      /* The axes are the eigenvectors of J * transpose(J), and their squared lengths are its
       * eigenvalues. The length of the minor axis follows from the product of both lengths, which
       * is |det(J)|.
       */
      const float uu = tadd(tmul(ux, ux), tmul(uy, uy));
      const float vv = tadd(tmul(vx, vx), tmul(vy, vy));
      const float uv = tadd(tmul(ux, vx), tmul(uy, vy));
      const float det = tsub(tmul(ux, vy), tmul(uy, vx));
      const float mean = tmul(0.5f, tadd(uu, vv)), half = tmul(0.5f, tsub(uu, vv));
      const float root = sgpu_fsqrt(tadd(tmul(half, half), tmul(uv, uv)));
      halves.v[l] = half;
      products.v[l] = uv;
      roots.v[l] = root;
      longers.v[l] = sgpu_fsqrt(tadd(mean, root));
      shorters.v[l] = sgpu_fabs(det);
   }
   SGD_EACH(l) {
      const float longer = longers.v[l], shorter = sgpu_fdiv(shorters.v[l], longer);

      /* Probes needn't be closer to each other than a texel. */
      const float ratio = sgpu_fdiv(longer, tselect(shorter > 1.0f, shorter, 1.0f));
      const float n = tclamp(sgpu_fceil(tsub(ratio, RATIO_SLACK)), 1.0f, limit);
      job->probes.v[l] = tint(n);
      numbers.v[l] = n;
      shorters.v[l] = shorter;
   }
   SGD_EACH(l) {
      const float shorter = shorters.v[l], each = sgpu_fdiv(longers.v[l], numbers.v[l]);
      job->lod.v[l] = sgpu_flg2(tselect(shorter > each, shorter, each));
   }
   SGD_EACH(l) {
      /* Compute the direction of the major axis from the row of the matrix in which no cancellation
       * occurs.
       */
      const float half = halves.v[l], uv = products.v[l];
      const float sum = tadd(roots.v[l], sgpu_fabs(half));
      const float eu = tselect(half >= 0.0f, sum, uv), ev = tselect(half >= 0.0f, uv, sum);
      const float square = tadd(tmul(eu, eu), tmul(ev, ev));
      const float scale = sgpu_fdiv(longers.v[l], sgpu_fsqrt(square));
      const bool has = numbers.v[l] > 1.0f && square > 0.0f;
      job->step[0].v[l] = tselect(has, sgpu_fdiv(tmul(eu, scale), w), 0.0f);
      job->step[1].v[l] = tselect(has, sgpu_fdiv(tmul(ev, scale), h), 0.0f);
   }
   return true;
}

void
sgd_tex_probe(const struct sgd_tex_job *job, int32_t n, struct sgd_tex_float s[2])
{
   const float *x = job->s[0]->v, *y = job->s[1]->v;
   const float *dx = job->step[0].v, *dy = job->step[1].v;
   const float middle = (float)n + 0.5f;
   SGD_EACH(l) {
      const float at = tsub(sgpu_fdiv(middle, (float)job->probes.v[l]), 0.5f);
      s[0].v[l] = tadd(x[l], tmul(dx[l], at));
      s[1].v[l] = tadd(y[l], tmul(dy[l], at));
   }
}
