/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, level of detail (GL 4.6, 8.14.1): log2 of the longer of the two
 * steps, in texels of the base level, that one pixel makes; one host level.
 *
 * Implicit levels are the same for a whole quad: the step to the right of its
 * upper left pixel and the step down from it.
 */
#include "sgd_tex_exec.h"

/* Steps of the eight quads: [axis of the texture][quad]. */
struct steps {
   _Alignas(32) float dx[3][SGD_QUADS];
   _Alignas(32) float dy[3][SGD_QUADS];
};

/* log2(sqrt(x)) */
static inline float
half_log2(float square)
{
   return tmul(0.5f, sgpu_flg2(square));
}

#define EACH_QUAD(q) _Pragma("GCC ivdep") for (unsigned q = 0; q < SGD_QUADS; q++)

static void
quad_steps(const struct sgd_vec *coord, unsigned comps, struct steps *s)
{
   for (unsigned a = 0; a < comps; a++) {
      for (unsigned q = 0; q < SGD_QUADS; q++) {
         const float c = sgpu_bits2f(coord->c[a][4 * q]);
         s->dx[a][q] = tsub(sgpu_bits2f(coord->c[a][4 * q + 1]), c);
         s->dy[a][q] = tsub(sgpu_bits2f(coord->c[a][4 * q + 2]), c);
      }
   }
}

/* d(a / m) for direction steps, times the face's half width in texels; the
 * face is that of the quad's upper left pixel.
 */
static void
cube_steps(const struct sgd_vec *coord, float half, struct steps *s)
{
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      float r[3], dx[3], dy[3];
      for (unsigned a = 0; a < 3; a++) {
         r[a] = sgpu_bits2f(coord->c[a][4 * q]);
         dx[a] = s->dx[a][q];
         dy[a] = s->dy[a][q];
      }
      const float ax = sgpu_fabs(r[0]), ay = sgpu_fabs(r[1]), az = sgpu_fabs(r[2]);
      const unsigned major = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
      const unsigned u = major == 0 ? 1 : 0, v = major == 2 ? 1 : 2;
      const float inv = sgpu_frcp(r[major]);
      const float pu = tmul(r[u], inv), pv = tmul(r[v], inv);
      const float scale = tmul(sgpu_fabs(inv), half);
      s->dx[0][q] = tmul(tsub(dx[u], tmul(pu, dx[major])), scale);
      s->dx[1][q] = tmul(tsub(dx[v], tmul(pv, dx[major])), scale);
      s->dy[0][q] = tmul(tsub(dy[u], tmul(pu, dy[major])), scale);
      s->dy[1][q] = tmul(tsub(dy[v], tmul(pv, dy[major])), scale);
   }
}

/* Adds the squares of the steps along one axis, in texels. */
static void
add_squares(const float step[SGD_QUADS], float size, bool first, float sum[SGD_QUADS])
{
   EACH_QUAD(q) {
      const float t = tmul(step[q], size);
      const float square = tmul(t, t);
      sum[q] = first ? square : tadd(sum[q], square);
   }
}

void
sgd_tex_lod(const struct sgd_tex_job *job, const struct sgd_vec *coord, struct sgd_tex_float *lod)
{
   const struct sgd_tex_level *base = &job->unit->level[0];
   const bool whole = job->cube || job->sampler->unnormalized;
   const float size[3] = { whole ? 1.0f : (float)base->width, whole ? 1.0f : (float)base->height,
                           whole ? 1.0f : (float)base->depth };
   struct steps s;
   float x[SGD_QUADS], y[SGD_QUADS], level[SGD_QUADS];

   quad_steps(coord, job->cube ? 3 : job->dims, &s);
   if (job->cube)
      cube_steps(coord, tmul(0.5f, (float)base->width), &s);
   for (unsigned a = 0; a < job->dims; a++) {
      add_squares(s.dx[a], size[a], a == 0, x);
      add_squares(s.dy[a], size[a], a == 0, y);
   }
   EACH_QUAD(q) {
      level[q] = half_log2(x[q] > y[q] ? x[q] : y[q]);
   }
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      for (unsigned k = 0; k < 4; k++)
         lod->v[4 * q + k] = level[q];
   }
}

void
sgd_tex_explicit_lod(const struct sgd_tex_job *job, const struct sgd_vec *gradients,
                     struct sgd_tex_float *lod)
{
   const struct sgd_tex_level *base = &job->unit->level[0];
   const float w = job->sampler->unnormalized ? 1.0f : (float)base->width;
   const float h = job->sampler->unnormalized ? 1.0f : (float)base->height;
   const unsigned dims = job->dims;
   SGD_EACH(l) {
      const float dxs = tmul(sgpu_bits2f(gradients->c[0][l]), w);
      const float dys = tmul(sgpu_bits2f(gradients->c[2][l]), w);
      const float dxt = dims > 1 ? tmul(sgpu_bits2f(gradients->c[1][l]), h) : 0.0f;
      const float dyt = dims > 1 ? tmul(sgpu_bits2f(gradients->c[3][l]), h) : 0.0f;
      const float x = tadd(tmul(dxs, dxs), tmul(dxt, dxt));
      const float y = tadd(tmul(dys, dys), tmul(dyt, dyt));
      lod->v[l] = half_log2(x > y ? x : y);
   }
}
