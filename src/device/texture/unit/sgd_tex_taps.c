/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: filters of 8-bit channels by gathers (sgd_tex_taps_avx2.h), for operations that
 * sgd_tex_op.c executes: one level or two, and the probes of anisotropic filters. Compiled once for
 * each x86-64 level of the host CPU.
 */
#include "texture/unit/sgd_tex_exec.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_taps_avx2.h"

/* Makes filters by taps store unscaled channels to out[], or to `unused`. */
static struct sgd_tn_results
taps_results(unsigned channels, struct sgd_tex_float out[4], struct sgd_tex_float *unused)
{
   struct sgd_tn_results to = { .scale = 0x1p-16f, .lanes = ~0u };
   for (unsigned c = 0; c < 4; c++)
      to.dst[c] = channels & 1 << c ? out[c].v : unused->v;
   return to;
}

static ALWAYS_INLINE void
taps_levels(const struct sgd_tn_results *to, const struct sgd_tn_level *a,
            const struct sgd_tn_level *b, unsigned shift, const float *weight, const float *x,
            const float *y)
{
   if (b)
      sgd_tn_two_levels(to, a, b, shift, weight, x, y, true);
   else
      sgd_tn_one_level(to, a, shift, x, y, true);
}

void
sgd_tex_sample_taps(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
                    const struct sgd_tex_level *level, const float *weight,
                    const struct sgd_tex_float *const coord[2], unsigned channels,
                    struct sgd_tex_float out[4])
{
   const bool repeat_x = s->wrap_s == SGPU_WRAP_REPEAT, repeat_y = s->wrap_t == SGPU_WRAP_REPEAT;
   const float *x = coord[0]->v, *y = coord[1]->v;
   struct sgd_tex_float unused;
   const struct sgd_tn_results to = taps_results(channels, out, &unused);
   struct sgd_tn_level a, next, *b = weight ? &next : NULL;

   sgd_tn_level_init(&a, level, repeat_x, repeat_y);
   sgd_tn_level_init(&next, weight ? level + 1 : level, repeat_x, repeat_y);
   switch (sgd_tn_shift(u)) {
   case 0:
      taps_levels(&to, &a, b, 0, weight, x, y);
      break;
   case 1:
      taps_levels(&to, &a, b, 1, weight, x, y);
      break;
   default:
      taps_levels(&to, &a, b, 2, weight, x, y);
      break;
   }
}

bool
sgd_tex_sample_two_levels(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                          const struct sgd_tex_float *weight, struct sgd_tex_float out[4])
{
   if (!sgd_tn_can_sample(job->unit, job->sampler))
      return false;
   sgd_tex_sample_taps(job->unit, job->sampler, level, weight->v, job->s, job->channels, out);
   return true;
}

/* Adds up all probes of each lane. `shift` is a compile-time constant. */
static ALWAYS_INLINE void
add_probes(const struct sgd_tex_job *job, const struct sgd_tn_level *a,
           const struct sgd_tn_level *b, unsigned shift, const float *weight, int32_t most,
           struct sgd_tex_float sum[4])
{
   const sgd_tn_float half = SGD_TN_INT(set1_ps)(0.5f);
   const sgd_tn_float bias = SGD_TN_FLOATS(sgd_tn_word(SGD_TAPS_8388608));
   const float *x = job->s[0]->v, *y = job->s[1]->v;
   const float *dx = job->step[0].v, *dy = job->step[1].v;
   struct sgd_tn_taps at[SGD_WARP / SGD_TN], next[SGD_WARP / SGD_TN];
   struct sgd_tex_float counts;

   SGD_EACH(l) {
      counts.v[l] = (float)job->probes.v[l];
   }
   for (int32_t n = 0; n < most; n++) {
      const sgd_tn_float middle = SGD_TN_INT(set1_ps)((float)n + 0.5f);
      const sgd_tn_float before = SGD_TN_INT(set1_ps)((float)n);
      for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
         /* as in sgd_tex_probe() */
         const sgd_tn_float count = SGD_TN_INT(loadu_ps)(counts.v + l);
         const sgd_tn_float along = SGD_TN_INT(sub_ps)(SGD_TN_INT(div_ps)(middle, count), half);
         const sgd_tn_float s = SGD_TN_INT(
            add_ps)(SGD_TN_INT(loadu_ps)(x + l),
                    SGD_TN_INT(mul_ps)(SGD_TN_INT(loadu_ps)(dx + l), along));
         const sgd_tn_float t = SGD_TN_INT(
            add_ps)(SGD_TN_INT(loadu_ps)(y + l),
                    SGD_TN_INT(mul_ps)(SGD_TN_INT(loadu_ps)(dy + l), along));
         const sgd_tn_float fs = sgd_tn_fraction(a->x.repeat, s);
         const sgd_tn_float ft = sgd_tn_fraction(a->y.repeat, t);
         sgd_tn_find(a, fs, ft, &at[l / SGD_TN]);
         if (b)
            sgd_tn_find(b, fs, ft, &next[l / SGD_TN]);
      }
      for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
         const sgd_tn_float count = SGD_TN_INT(loadu_ps)(counts.v + l);
         sgd_tn_int p[4], q[4];
         sgd_tn_filter(a, shift, &at[l / SGD_TN], p);
         if (b)
            sgd_tn_filter(b, shift, &next[l / SGD_TN], q);
         for (unsigned c = 0; c < 4; c++) {
            sgd_tn_float v;
            if (b)
               v = sgd_tn_between(p[c], q[c], SGD_TN_INT(loadu_ps)(weight + l));
            else
               v = SGD_TN_INT(add_ps)(SGD_TN_INT(cvtepi32_ps)(p[c]), bias);
            /* Sums are not negative, so adding 0 changes nothing. */
            if (n > 0)
               v = SGD_TN_INT(add_ps)(SGD_TN_INT(loadu_ps)(sum[c].v + l),
                                      sgd_tn_if_less(before, count, v));
            SGD_TN_INT(storeu_ps)(sum[c].v + l, v);
         }
      }
   }
}

static ALWAYS_INLINE void
add_probes_of(const struct sgd_tex_job *job, const struct sgd_tn_level *a,
              const struct sgd_tn_level *b, unsigned shift, const float *weight, int32_t most,
              struct sgd_tex_float sum[4])
{
   if (weight)
      add_probes(job, a, b, shift, weight, most, sum);
   else
      add_probes(job, a, NULL, shift, NULL, most, sum);
}

bool
sgd_tex_sample_probes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                      const struct sgd_tex_float *weight, int32_t most, struct sgd_tex_float out[4])
{
   const struct sgd_tex_unit *u = job->unit;
   const struct SGPU_SAMPLER *s = job->sampler;
   const bool repeat_x = s->wrap_s == SGPU_WRAP_REPEAT, repeat_y = s->wrap_t == SGPU_WRAP_REPEAT;
   const float *weights = weight ? weight->v : NULL;
   struct sgd_tn_level a, b;
   struct sgd_tex_float sum[4];

   if (!sgd_tn_can_sample(u, s))
      return false;
   sgd_tn_level_init(&a, level, repeat_x, repeat_y);
   sgd_tn_level_init(&b, weight ? level + 1 : level, repeat_x, repeat_y);
   switch (sgd_tn_shift(u)) {
   case 0:
      add_probes_of(job, &a, &b, 0, weights, most, sum);
      break;
   case 1:
      add_probes_of(job, &a, &b, 1, weights, most, sum);
      break;
   default:
      add_probes_of(job, &a, &b, 2, weights, most, sum);
      break;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(job->channels & 1 << c))
         continue;
      SGD_EACH(l) {
         out[c].v[l] = sgpu_fdiv(tmul(sum[c].v[l], 0x1p-16f), (float)job->probes.v[l]);
      }
   }
   return true;
}

#endif
