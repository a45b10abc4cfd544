/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: entry point of texture operations, and fast paths for operations with a single
 * filter on 2D textures. All other operations are executed by sgd_tex_any_op(). Compiled once for
 * each x86-64 level of the host CPU.
 */
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"
#include "texture/unit/sgd_tex_observe.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_shift_avx2.h"
#endif

/* Computes the squared steps that sgd_tex_simple_levels() needs. */
static void
quad_squares(const struct sgd_tex_level *base, bool unnormalized, const float *x, const float *y,
             struct sgd_tex_float *out)
{
   const float width = unnormalized ? 1.0f : (float)base->width;
   const float height = unnormalized ? 1.0f : (float)base->height;
#ifdef __AVX2__
   const __m256 w = _mm256_set1_ps(width), h = _mm256_set1_ps(height);
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256 px = _mm256_loadu_ps(x + l), py = _mm256_loadu_ps(y + l);
      const __m256 dx = _mm256_sub_ps(_mm256_permute_ps(px, 0xed), _mm256_permute_ps(px, 0x48));
      const __m256 dy = _mm256_sub_ps(_mm256_permute_ps(py, 0xed), _mm256_permute_ps(py, 0x48));
      const __m256 tx = _mm256_mul_ps(dx, w), ty = _mm256_mul_ps(dy, h);
      _mm256_store_ps(out->v + l, _mm256_add_ps(_mm256_mul_ps(tx, tx), _mm256_mul_ps(ty, ty)));
   }
#else
   static const uint8_t from[4] = { 0, 2, 0, 1 }, to[4] = { 1, 3, 2, 3 };
   for (unsigned q = 0; q < SGD_WARP; q += 4) {
      for (unsigned n = 0; n < 4; n++) {
         const float tx = tmul(tsub(x[q + to[n]], x[q + from[n]]), width);
         const float ty = tmul(tsub(y[q + to[n]], y[q + from[n]]), height);
         out->v[q + n] = tadd(tmul(tx, tx), tmul(ty, ty));
      }
   }
#endif
}

/* Squared length of the longest step for which only the base level is read. The level of detail of
 * this step is below 1/512, and is rounded to 0, since levels of detail are rounded to multiples of
 * 1/256.
 */
#define SQUARE_OF_BASE 1.0026f

/* Returns true if no quad with active lanes has a squared step above `limit`. */
static bool
all_up_to(const struct sgd_tex_float *squares, float limit, uint32_t active)
{
   uint32_t longer = 0;
#ifdef __AVX2__
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256 v = _mm256_load_ps(squares->v + l);
      const __m256 more = _mm256_cmp_ps(v, _mm256_set1_ps(limit), _CMP_GT_OQ);
      longer |= (uint32_t)_mm256_movemask_ps(more) << l;
   }
#else
   struct sgd_tex_int more;
   SGD_EACH(l) {
      more.v[l] = (int32_t)sgpu_fp_mask(squares->v[l] > limit);
   }
   longer = sgd_negative32(more.v);
#endif
   return !(longer & sgd_whole_quads(active));
}

/* Returns the squared length of the longest step for which the magnification filter on the base
 * level is sufficient.
 */
static inline float
square_limit(unsigned plan, const struct SGPU_SAMPLER *s)
{
   /* Steps of up to one texel have a level of detail <= 0. The level of detail of slightly longer
    * steps is rounded to 0.
    */
   const bool rounds = plan & SGD_SAMPLER_ONE_FILTER && s->mip_filter != SGPU_MIP_FILTER_NONE;
   return rounds ? SQUARE_OF_BASE : 1.0f;
}

void
sgd_tex_store_constants(const struct sgd_tex_unit *u, unsigned mask, uint32_t active,
                        struct sgd_vec *dst)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t one = u->integer ? 1 : SGPU_FP_ONE_BITS;
      const uint32_t constant = u->route[c] == SGD_TEX_ROUTE_1 ? one : 0;
      uint32_t *d = dst->c[c];
      if (!(mask >> c & 1) || u->route[c] < 4)
         continue;
      SGD_EACH(l) {
         d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), constant, d[l]);
      }
   }
}

#ifdef __AVX2__
/* Executes an operation for all lanes. The operation must be a single filter on the base level, and
 * all bits of SGD_TEX_SHIFT_PLAN must be set.
 */
static ALWAYS_INLINE void
shift(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
      const float *x, const float *y, struct sgd_vec *dst)
{
   if (sampler->plan & SGD_SAMPLER_LINEAR)
      sgd_t8_shift_linear(u, sampler, op, x, y, dst);
   else
      sgd_t8_shift_nearest(u, sampler, op, x, y, dst);
}
#endif

/* Fast paths by kind of view. */
enum way {
   WAY_SIMPLE,
   WAY_WIDE,
   WAY_WORD,
};

/* Executes a whole operation that is a single filter on the base level. `way`, the kind of view, is
 * a compile-time constant.
 */
static ALWAYS_INLINE void
one_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
           const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
           struct sgd_vec *dst, enum way way)
{
#ifdef __AVX2__
   if (way == WAY_WIDE) {
      sgd_tex_one_wide_filter(u, sampler, op, src0, active, dst);
      return;
   }
   if (way == WAY_WORD) {
      sgd_tex_one_word_filter(u, sampler, op, src0, active, dst);
      return;
   }
   if (likely(active == ~0u) && !(op->mask & u->shared) &&
       ((sampler->plan | u->plan) & SGD_TEX_SHIFT_PLAN) == SGD_TEX_SHIFT_PLAN) {
      shift(u, sampler, op, (const float *)src0->c[0], (const float *)src0->c[1], dst);
      return;
   }
#endif
   sgd_tex_one_filter(u, sampler, op, src0, active, dst, -1);
}

/* Executes a `plain` operation on a `simple` or `wide` view, or a `flat` operation on a `word`
 * view. u is the view, or one layer of it.
 */
static ALWAYS_INLINE void
plain_op(struct sgd_worker *worker, const struct sgd_texture *texture, const struct sgd_tex_unit *u,
         const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
         const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
         struct sgd_vec *dst, enum way way)
{
   const struct SGPU_SAMPLER *s = &sampler->desc;
   const float *x = (const float *)src0->c[0], *y = (const float *)src0->c[1];
   const unsigned plan = sampler->plan | u->plan;
   const unsigned one = SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_ONE_LEVEL;
   const unsigned levels = SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_FAST_WRAPS | SGD_SAMPLER_LINEAR |
                           SGD_SAMPLER_LEVELS;

   if (plan & SGD_SAMPLER_PLAIN &&
       (plan & SGD_SAMPLER_FAST_WRAPS || sgd_tex_fast_wraps(u, s, &u->level[0], x, y))) {
      struct sgd_tex_float squares;
      if ((plan & one) == one) {
         one_filter(u, sampler, op, src0, active, dst, way);
         return;
      }
      if (op->op == SGPU_OP_TEX) {
         quad_squares(&u->level[0], s->unnormalized, x, y, &squares);
         if (plan & SGD_SAMPLER_KEEPS_MAGNIFIED &&
             all_up_to(&squares, square_limit(plan, s), active)) {
            one_filter(u, sampler, op, src0, active, dst, way);
            return;
         }
         if ((plan & levels) == levels) {
            sgd_tex_simple_levels(u, s, op->mask, src0, &squares, active, dst);
            return;
         }
      }
   }
   sgd_tex_any_op(worker, texture, sampler, op, src0, src1, active, dst);
}

/* Executes `plain` operations on `simple` views for which sgd_texture_op() has no direct path. */
static ATTRIBUTE_NOINLINE void
other_plain(struct sgd_worker *worker, const struct sgd_texture *texture,
            const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
            const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
            struct sgd_vec *dst)
{
   plain_op(worker, texture, texture->unit, sampler, op, src0, src1, active, dst, WAY_SIMPLE);
}

#ifdef __AVX2__
static ATTRIBUTE_NOINLINE void
wide_plain(struct sgd_worker *worker, const struct sgd_texture *texture,
           const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
           const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
           struct sgd_vec *dst)
{
   plain_op(worker, texture, texture->unit, sampler, op, src0, src1, active, dst, WAY_WIDE);
}

static ATTRIBUTE_NOINLINE void
word_flat(struct sgd_worker *worker, const struct sgd_texture *texture,
          const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
          const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
          struct sgd_vec *dst)
{
   plain_op(worker, texture, texture->unit, sampler, op, src0, src1, active, dst, WAY_WORD);
}
#endif

/* Executes a `plain` operation on a view with layers, if all active lanes read the same layer.
 * Otherwise, returns false without doing anything.
 */
static ATTRIBUTE_NOINLINE bool
slice_plain(struct sgd_worker *worker, const struct sgd_texture *texture,
            const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
            const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
            struct sgd_vec *dst)
{
   const struct sgd_tex_unit *u = texture->unit;
   const float last = (float)(u->num_layers - 1);
   int32_t layer = 0, others = 0;
   struct sgd_tex_unit one;

   if (op->target == SGPU_TEX_TARGET_2D_ARRAY) {
      const uint32_t *w = src0->c[2];
      layer = tlayer(w[__builtin_ctz(active | 1u << 31)], last);
      SGD_EACH(l) {
         others |= (tlayer(w[l], last) ^ layer) & (int32_t)sgd_lane_mask(active, l);
      }
   }
   if (others)
      return false;
   memcpy(&one, u->slice, offsetof(struct sgd_tex_unit, level[u->num_levels]));
   for (unsigned n = 0; n < u->num_levels; n++)
      one.level[n].base += (uint32_t)layer * one.level[n].layer_stride;
   if (one.simple)
      plain_op(worker, texture, &one, sampler, op, src0, src1, active, dst, WAY_SIMPLE);
#ifdef __AVX2__
   else
      plain_op(worker, texture, &one, sampler, op, src0, src1, active, dst, WAY_WIDE);
#endif
   return true;
}

/* Returns true if slice_plain() can execute the operation. */
static inline bool
has_slices(const struct sgd_tex_unit *u, const struct sgd_tex_op *op)
{
   const struct sgd_tex_unit *slice = u ? u->slice : NULL;
   /* The general path records samples for the observer. */
   if (SGD_OBSERVED_LEVEL)
      return false;
   if (!slice || !op->plain || u->type != SGPU_TEXTURE_TYPE_2D)
      return false;
#ifdef __AVX2__
   return slice->simple || slice->wide;
#else
   return slice->simple;
#endif
}

/* Executes operations without a texture, and operations on views that aren't `simple`. */
static ATTRIBUTE_NOINLINE void
other_op(struct sgd_worker *worker, const struct sgd_texture *texture,
         const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
         const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
         struct sgd_vec *dst)
{
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;
   if (has_slices(u, op) && slice_plain(worker, texture, sampler, op, src0, src1, active, dst))
      return;
#ifdef __AVX2__
   if (u && u->wide && op->plain) {
      wide_plain(worker, texture, sampler, op, src0, src1, active, dst);
      return;
   }
   if (u && u->word && op->flat) {
      word_flat(worker, texture, sampler, op, src0, src1, active, dst);
      return;
   }
   const unsigned one = SGD_SAMPLER_PLAIN | SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_ONE_LEVEL;
   if (u && u->volume && op->spatial && ((sampler->plan | u->plan) & one) == one &&
       sgd_tex_one_volume_filter(u, sampler, op, src0, active, dst))
      return;
#endif
   sgd_tex_any_op(worker, texture, sampler, op, src0, src1, active, dst);
}

void
sgd_texture_direct(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                   const struct sgd_tex_op *op, const uint32_t x[SGD_WARP],
                   const uint32_t y[SGD_WARP], struct sgd_vec *dst)
{
#ifdef __AVX2__
   shift(texture->unit, sampler, op, (const float *)x, (const float *)y, dst);
#else
   unreachable("sgd_texture_is_direct() is false");
#endif
}

void
sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
               const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
               const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
               struct sgd_vec *dst)
{
   const unsigned one = SGD_SAMPLER_PLAIN | SGD_SAMPLER_FAST_WRAPS | SGD_SAMPLER_ONE_FILTER |
                        SGD_SAMPLER_ONE_LEVEL;
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;
   bool simple = u && u->simple && op->plain;

   /* If the observer needs records of work, use the general path, which records the samples. */
   if (SGD_OBSERVED_LEVEL)
      simple &= !worker->work;
   if (simple && ((sampler->plan | u->plan) & one) == one)
      one_filter(u, sampler, op, src0, active, dst, WAY_SIMPLE);
   else if (simple)
      other_plain(worker, texture, sampler, op, src0, src1, active, dst);
   else
      other_op(worker, texture, sampler, op, src0, src1, active, dst);
}
