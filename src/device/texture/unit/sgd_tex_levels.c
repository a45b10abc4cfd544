/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: mipmapping with linear filters on `simple` views, and with AVX2 also on small
 * `wide` views. Executes whole operations, in groups of lanes that read the same levels. Results
 * are the same as those of sgd_tex_op.c. Compiled once for each x86-64 level of the host CPU.
 *
 * The minification and magnification filters are the same, so a magnified lane just reads level 0,
 * with weight 0 for the next level. If the weight is 0, interpolating with the next level changes
 * nothing, since a + 0 * (b - a) is a.
 */
/* Squares and samples are stored as 256-bit vectors, on which wider loads would stall. */
#if defined(__AVX512F__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=256")
#endif

#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_levels_avx2.h"
#include "texture/unit/sgd_tex_taps_avx2.h"
#endif

/* For each lane, the first level that it reads, and the weight of the next level. `mixed` is a mask
 * of the lanes with a nonzero weight.
 */
struct levels {
   struct sgd_tex_int first;
   struct sgd_tex_float weight;
   uint32_t mixed;
};

/* Returns a mask in which bit n is set if v[n] is negative. */
static inline uint32_t
negative(const struct sgd_tex_int *v)
{
#ifdef __AVX2__
   uint32_t mask = 0;
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256 x = _mm256_load_ps((const float *)v->v + l);
      mask |= (uint32_t)_mm256_movemask_ps(x) << l;
   }
   return mask;
#else
   return sgd_negative32(v->v);
#endif
}

/* Computes the larger of the two squared steps of each lane, along its row and along its column. */
static void
lane_squares(const struct sgd_tex_float *squares, struct sgd_tex_float *out)
{
#ifdef __AVX2__
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256 quad = _mm256_load_ps(squares->v + l);
      /* If either square is NaN, this returns the column's square, as the code below does. */
      _mm256_store_ps(out->v + l,
                      _mm256_max_ps(_mm256_permute_ps(quad, 0x50), _mm256_permute_ps(quad, 0xee)));
   }
#else
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const float *quad = squares->v + (l & ~3u);
      const float row = quad[l >> 1 & 1], column = quad[2 + (l & 1)];
      out->v[l] = row > column ? row : column;
   }
#endif
}

/* Computes levels of detail and levels in the same way as find_lod() and choose_levels() in
 * sgd_tex_op.c.
 */
static void
find_levels(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
            const struct sgd_tex_float *squares, struct levels *out)
{
   const float min = s->min_lod, max = s->max_lod, bias = s->lod_bias;
   const float last = (float)(u->num_levels - 1);
   struct sgd_tex_float square;
   struct sgd_tex_int more;

   lane_squares(squares, &square);
   if (s->mip_filter == SGPU_MIP_FILTER_LINEAR) {
      /* Clamp the sampler's limits to the existing levels. If min_lod is NaN, the result is always
       * max_lod.
       */
      const float high = tclamp(max, 0.0f, last), low = min == min ? tclamp(min, 0.0f, last) : high;
      SGD_EACH(l) {
         const int32_t fixed = tfixed(tclamp(tadd(thalf_log2(square.v[l]), bias), low, high));
         out->first.v[l] = fixed >> 8;
         out->weight.v[l] = tweight(fixed);
         more.v[l] = -(fixed & 255);
      }
      out->mixed = negative(&more);
   } else {
      SGD_EACH(l) {
         const float v = tclamp(tadd(thalf_log2(square.v[l]), bias), min, max);
         out->first.v[l] = tnearest_level(v, last);
      }
      out->mixed = 0;
   }
}

/* Returns the lanes in `left` whose first level is `level`. */
static uint32_t
lanes_at(const struct levels *levels, int32_t level, uint32_t left)
{
   struct sgd_tex_int same;
   SGD_EACH(l) {
      same.v[l] = levels->first.v[l] == level ? -1 : 0;
   }
   return negative(&same) & left;
}

static inline void
store(float v, uint32_t active, unsigned l, uint32_t *d)
{
   d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), sgpu_f2bits(v), d[l]);
}

/* Stores a component of the result, after scaling it. The component is channel a, interpolated with
 * channel b unless b is NULL.
 */
static void
store_channel(const struct sgd_tex_float *a, const struct sgd_tex_float *b,
              const struct sgd_tex_float *weight, float scale, uint32_t active, uint32_t *d)
{
   if (!b) {
      SGD_EACH(l) {
         store(tmul(a->v[l], scale), active, l, d);
      }
   } else if (active == ~0u) {
      SGD_EACH(l) {
         d[l] = sgpu_f2bits(tmul(tlerp(a->v[l], b->v[l], weight->v[l]), scale));
      }
   } else {
      SGD_EACH(l) {
         store(tmul(tlerp(a->v[l], b->v[l], weight->v[l]), scale), active, l, d);
      }
   }
}

static void
store_constant(uint32_t value, uint32_t active, uint32_t *d)
{
   SGD_EACH(l) {
      d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), value, d[l]);
   }
}

/* Fast path for the channels of `lanes`, which read level n and, if `mixed` is set, level n + 1.
 * Returns false without doing anything if the view or the footprint isn't suitable.
 */
static ATTRIBUTE_NOINLINE bool
window_lanes(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s, unsigned mask,
             const struct sgd_tex_float *const coord[2], const struct levels *levels, int32_t n,
             bool mixed, uint32_t lanes, struct sgd_vec *dst)
{
#ifdef __AVX2__
   if (!u->tiled || u->wide || (mask & u->shared))
      return false;
   struct sgd_t8_group g = {
      .sampler = s,
      .s = coord[0]->v,
      .t = coord[1]->v,
      .to = { .scale = u->scale * 0x1p-16f, .lanes = lanes, .weight = levels->weight.v },
   };
   _Alignas(32) float unused[SGD_WARP];
   for (unsigned r = 0; r < 4; r++) {
      const unsigned c = u->component[r];
      g.to.dst[r] = mask >> c & 1 ? (float *)dst->c[c] : unused;
   }
   return sgd_t8_levels(&g, &u->level[n], mixed ? &u->level[n + 1] : NULL);
#else
   return false;
#endif
}

/* Returns true if taps_lanes() supports the view and the sampler. */
static inline bool
has_taps(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s, unsigned mask)
{
#ifdef __AVX2__
   return sgd_tn_can_read(u) && !s->unnormalized && !u->wide && !(mask & u->shared);
#else
   return false;
#endif
}

/* Version of window_lanes() with gathers, for any footprint. */
static ATTRIBUTE_NOINLINE void
taps_lanes(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s, unsigned mask,
           const struct sgd_tex_float *const coord[2], const struct levels *levels, int32_t n,
           bool mixed, uint32_t lanes, struct sgd_vec *dst)
{
#ifdef __AVX2__
   const bool repeat_x = s->wrap_s == SGPU_WRAP_REPEAT, repeat_y = s->wrap_t == SGPU_WRAP_REPEAT;
   const float *x = coord[0]->v, *y = coord[1]->v, *weight = levels->weight.v;
   struct sgd_tn_results to = { .scale = u->scale * 0x1p-16f, .lanes = lanes };
   struct sgd_tn_level a, b;
   _Alignas(64) float unused[SGD_WARP];
   for (unsigned r = 0; r < 4; r++) {
      const unsigned c = u->component[r];
      to.dst[r] = mask >> c & 1 ? (float *)dst->c[c] : unused;
   }
   sgd_tn_level_init(&a, &u->level[n], repeat_x, repeat_y);
   if (!mixed) {
      sgd_tn_one_level(&to, &a, 0, x, y, false);
      return;
   }
   sgd_tn_level_init(&b, &u->level[n + 1], repeat_x, repeat_y);
   if (lanes == ~0u)
      sgd_tn_two_levels(&to, &a, &b, 0, weight, x, y, true);
   else
      sgd_tn_two_levels(&to, &a, &b, 0, weight, x, y, false);
#endif
}

/* Samples the needed channels of a level. Only the results of the lanes in `lanes` are valid. */
static void
sample_level(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
             const struct sgd_tex_level *level, const struct sgd_tex_float *const coord[2],
             unsigned channels, uint32_t lanes, struct sgd_tex_float out[4])
{
#ifdef __AVX2__
   if (u->wide) {
      sgd_tex_sample_wide(u, s, level, coord, true, channels, lanes, out);
      return;
   }
#endif
   sgd_tex_sample_bytes(u, s, level, coord, NULL, channels, out);
}

static unsigned
channels_of(const struct sgd_tex_unit *u, unsigned mask)
{
   unsigned channels = 0;
   for (unsigned c = 0; c < 4; c++) {
      if ((mask & 1 << c) && u->route[c] < 4)
         channels |= 1 << u->route[c];
   }
   return channels;
}

void
sgd_tex_simple_levels(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s, unsigned mask,
                      const struct sgd_source *src0, const struct sgd_tex_float *squares,
                      uint32_t active, struct sgd_vec *dst)
{
   /* Results can overwrite coordinates, but only those of lanes that are finished. */
   const struct sgd_tex_float *const coord[2] = { (const struct sgd_tex_float *)src0->c[0],
                                                  (const struct sgd_tex_float *)src0->c[1] };
   const unsigned channels = channels_of(u, mask);
   const bool taps = has_taps(u, s, mask);
   struct sgd_tex_float a[4], b[4];
   struct levels levels;

   find_levels(u, s, squares, &levels);
   for (uint32_t left = active; left;) {
      const int32_t n = levels.first.v[__builtin_ctz(left)];
      const uint32_t lanes = lanes_at(&levels, n, left);
      const bool mixed = levels.mixed & lanes;
      left &= ~lanes;
      bool done = taps;
      if (taps)
         taps_lanes(u, s, mask, coord, &levels, n, mixed, lanes, dst);
      else
         done = window_lanes(u, s, mask, coord, &levels, n, mixed, lanes, dst);
      if (!done) {
         sample_level(u, s, &u->level[n], coord, channels, lanes, a);
         if (mixed)
            sample_level(u, s, &u->level[n + 1], coord, channels, lanes, b);
      }
      for (unsigned c = 0; c < 4; c++) {
         const unsigned r = u->route[c];
         if (!(mask & 1 << c))
            continue;
         if (r >= 4)
            store_constant(r == SGD_TEX_ROUTE_1 ? SGPU_FP_ONE_BITS : 0, lanes, dst->c[c]);
         else if (!done)
            store_channel(&a[r], mixed ? &b[r] : NULL, &levels.weight,
                          u->wide ? u->wide_scale[r] : u->scale, lanes, dst->c[c]);
      }
   }
}
