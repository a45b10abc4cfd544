/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: level of detail (GL 4.6, section 8.14.1), which is log2 of the longer one of a
 * pixel's steps in x and in y, in texels of the base level. Compiled once for each x86-64 level of
 * the host CPU.
 *
 * The steps of a pixel are the differences along its row and its column of the quad, as in DDXF and
 * DDYF. Hence a texture instruction with the results of DDXF and DDYF as explicit gradients has the
 * same level of detail.
 */
#include "texture/unit/sgd_tex_exec.h"

void
sgd_tex_quad_steps(const struct sgd_source *coord, unsigned axis, struct sgd_tex_float *dx,
                   struct sgd_tex_float *dy)
{
   const uint32_t *c = coord->c[axis];
   for (unsigned q = 0; q < SGD_WARP; q += 4) {
      const float c0 = sgpu_bits2f(c[q]), c1 = sgpu_bits2f(c[q + 1]);
      const float c2 = sgpu_bits2f(c[q + 2]), c3 = sgpu_bits2f(c[q + 3]);
      const float upper = tsub(c1, c0), lower = tsub(c3, c2);
      const float left = tsub(c2, c0), right = tsub(c3, c1);
      dx->v[q] = dx->v[q + 1] = upper;
      dx->v[q + 2] = dx->v[q + 3] = lower;
      dy->v[q] = dy->v[q + 2] = left;
      dy->v[q + 1] = dy->v[q + 3] = right;
   }
}

/* Converts the differences d of a cube map direction to differences in texels on the pixel's face.
 * These are the derivatives of u / major and v / major, multiplied by `half`, which is half the
 * width of the face in texels.
 */
static void
cube_steps(const struct sgd_source *coord, float half, struct sgd_tex_float d[3])
{
   const uint32_t *cx = coord->c[0], *cy = coord->c[1], *cz = coord->c[2];
   SGD_EACH(l) {
      const float x = sgpu_bits2f(cx[l]), y = sgpu_bits2f(cy[l]), z = sgpu_bits2f(cz[l]);
      const float ax = sgpu_fabs(x), ay = sgpu_fabs(y), az = sgpu_fabs(z);
      const bool on_x = (ax >= ay) & (ax >= az), on_z = (!on_x) & (ay < az);
      const float major = tselect(on_x, x, tselect(on_z, z, y));
      const float u = tselect(on_x, y, x), v = tselect(on_z, y, z);
      const float dm = tselect(on_x, d[0].v[l], tselect(on_z, d[2].v[l], d[1].v[l]));
      const float du = tselect(on_x, d[1].v[l], d[0].v[l]);
      const float dv = tselect(on_z, d[1].v[l], d[2].v[l]);
      const float inv = sgpu_frcp(major), scale = tmul(sgpu_fabs(inv), half);
      d[0].v[l] = tmul(tsub(du, tmul(tmul(u, inv), dm)), scale);
      d[1].v[l] = tmul(tsub(dv, tmul(tmul(v, inv), dm)), scale);
   }
}

/* Returns the squared length of a step, in texels. */
static ALWAYS_INLINE float
length_square(const struct sgd_tex_float *d, const float size[3], unsigned dims, unsigned l)
{
   float sum = 0.0f;
   for (unsigned a = 0; a < dims; a++) {
      const float t = tmul(d[a].v[l], size[a]);
      sum = a ? tadd(sum, tmul(t, t)) : tmul(t, t);
   }
   return sum;
}

/* Computes the squared length of the longer of the two steps. `dims` is a compile-time constant. */
static ALWAYS_INLINE void
longest_squares(const struct sgd_tex_float *dx, const struct sgd_tex_float *dy, const float size[3],
                unsigned dims, struct sgd_tex_float *square)
{
   const float n[3] = { size[0], size[1], size[2] };
   SGD_EACH(l) {
      const float x = length_square(dx, n, dims, l), y = length_square(dy, n, dims, l);
      square->v[l] = x > y ? x : y;
   }
}

void
sgd_tex_step_squares(const struct sgd_tex_job *job, const struct sgd_source *coord,
                     struct sgd_tex_float *square)
{
   const struct sgd_tex_level *base = &job->unit->level[0];
   const bool whole = job->cube || job->sampler->unnormalized;
   const float size[3] = { whole ? 1.0f : (float)base->width, whole ? 1.0f : (float)base->height,
                           whole ? 1.0f : (float)base->depth };
   struct sgd_tex_float dx[3], dy[3];

   const unsigned axes = job->cube ? 3 : job->dims;
   unsigned a = 0;
   do {
      sgd_tex_quad_steps(coord, a, &dx[a], &dy[a]);
   } while (++a < axes);
   if (job->cube) {
      cube_steps(coord, tmul(0.5f, (float)base->width), dx);
      cube_steps(coord, tmul(0.5f, (float)base->width), dy);
   }
   switch (job->dims) {
   case 1:
      longest_squares(dx, dy, size, 1, square);
      break;
   case 2:
      longest_squares(dx, dy, size, 2, square);
      break;
   default:
      longest_squares(dx, dy, size, 3, square);
      break;
   }
}

void
sgd_tex_lod_of_squares(const struct sgd_tex_float *square, struct sgd_tex_float *lod)
{
   SGD_EACH(l) {
      lod->v[l] = thalf_log2(square->v[l]);
   }
}

void
sgd_tex_lod(const struct sgd_tex_job *job, const struct sgd_source *coord,
            struct sgd_tex_float *lod)
{
   struct sgd_tex_float square;
   sgd_tex_step_squares(job, coord, &square);
   sgd_tex_lod_of_squares(&square, lod);
}

void
sgd_tex_explicit_lod(const struct sgd_tex_job *job, const struct sgd_source *gradients,
                     struct sgd_tex_float *lod)
{
   const struct sgd_tex_level *base = &job->unit->level[0];
   const float w = job->sampler->unnormalized ? 1.0f : (float)base->width;
   const float h = job->sampler->unnormalized ? 1.0f : (float)base->height;
   const unsigned dims = job->dims;
   const uint32_t *gsx = gradients->c[0], *gsy = gradients->c[2];
   const uint32_t *gtx = gradients->c[1], *gty = gradients->c[3];
   SGD_EACH(l) {
      const float dxs = tmul(sgpu_bits2f(gsx[l]), w);
      const float dys = tmul(sgpu_bits2f(gsy[l]), w);
      const float dxt = dims > 1 ? tmul(sgpu_bits2f(gtx[l]), h) : 0.0f;
      const float dyt = dims > 1 ? tmul(sgpu_bits2f(gty[l]), h) : 0.0f;
      const float x = tadd(tmul(dxs, dxs), tmul(dxt, dxt));
      const float y = tadd(tmul(dys, dys), tmul(dyt, dyt));
      lod->v[l] = thalf_log2(x > y ? x : y);
   }
}
