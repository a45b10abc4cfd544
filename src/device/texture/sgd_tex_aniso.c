/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, anisotropic filtering (EXT_texture_filter_anisotropic): a pixel
 * that is N times as long as wide is read by N probes along its length, at the
 * level that suits its width; one host level.
 */
#include "sgd_tex_exec.h"

static void
quad_step(const struct sgd_vec *coord, unsigned axis, unsigned lane, struct sgd_tex_float *step)
{
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      const float d = tsub(sgpu_bits2f(coord->c[axis][4 * q + lane]),
                           sgpu_bits2f(coord->c[axis][4 * q]));
      for (unsigned k = 0; k < 4; k++)
         step->v[4 * q + k] = d;
   }
}

void
sgd_tex_aniso(struct sgd_tex_job *job, const struct sgd_vec *src0, const struct sgd_vec *src1)
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
         quad_step(src0, a, 1, &dx[a]);
         quad_step(src0, a, 2, &dy[a]);
      }
   }
   SGD_EACH(l) {
      const float xs = tmul(dx[0].v[l], w), xt = tmul(dx[1].v[l], h);
      const float ys = tmul(dy[0].v[l], w), yt = tmul(dy[1].v[l], h);
      const float x = tadd(tmul(xs, xs), tmul(xt, xt));
      const float y = tadd(tmul(ys, ys), tmul(yt, yt));
      const bool along_x = x > y;
      const float longer = tselect(along_x, x, y), shorter = tselect(along_x, y, x);
      /* Where the texture is not minified one probe has it all. */
      const float ratio = sgpu_fceil(sgpu_fsqrt(sgpu_fdiv(longer, shorter)));
      const float n = tselect(longer > 1.0f, tclamp(ratio, 1.0f, limit), 1.0f);
      job->probes.v[l] = tint(n);
      job->lod.v[l] = tsub(tmul(0.5f, sgpu_flg2(longer)), sgpu_flg2(n));
      job->step[0].v[l] = tselect(along_x, dx[0].v[l], dy[0].v[l]);
      job->step[1].v[l] = tselect(along_x, dx[1].v[l], dy[1].v[l]);
   }
}

void
sgd_tex_probe(const struct sgd_tex_job *job, unsigned n, unsigned count, struct sgd_tex_job *probe)
{
   /* n / (count + 1) - 1/2, for n from 1 to count */
   const float at = tsub(sgpu_fdiv((float)n, (float)(count + 1)), 0.5f);
   for (unsigned a = 0; a < 2; a++) {
      SGD_EACH(l) {
         probe->s[a].v[l] = tadd(job->s[a].v[l], tmul(job->step[a].v[l], at));
      }
   }
}
