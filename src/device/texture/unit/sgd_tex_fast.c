/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: fast paths for formats of up to four unsigned 8-bit channels in a word: 2D linear
 * filters without border color and comparison, and whole operations that are a single filter on a
 * single level. Results are the same as those of sgd_tex_filter.c, but all channels of a lane are
 * processed together. Compiled once for each x86-64 level of the host CPU.
 */
#include <string.h>

#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_bytes.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_bytes_avx2.h"
#else

struct block {
   _Alignas(64) uint32_t t[4][SGD_WARP];
};

static inline uint32_t
tiled_x(uint32_t i)
{
   return ((i >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i)) * 4;
}

static inline uint32_t
tiled_y(uint32_t j, uint32_t pitch)
{
   return (j >> 2) * pitch + sgpu_tile_element_y(j) * 4;
}

/* Computes the byte offsets of the four texels of a bilinear filter. b->t[n] are the offsets of tap
 * n.
 */
static void
block_offsets(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
              const struct sgd_tex_axis *const axis[2], const int32_t *z, struct block *b)
{
   const uint32_t pitch = level->pitch;
   if (u->tiled) {
      SGD_EACH(l) {
         const uint32_t i0 = (uint32_t)axis[0]->i[0].v[l], i1 = (uint32_t)axis[0]->i[1].v[l];
         const uint32_t j0 = (uint32_t)axis[1]->i[0].v[l], j1 = (uint32_t)axis[1]->i[1].v[l];
         const uint32_t x0 = tiled_x(i0), x1 = tiled_x(i1);
         const uint32_t y0 = tiled_y(j0, pitch), y1 = tiled_y(j1, pitch);
         b->t[0][l] = y0 + x0;
         b->t[1][l] = y0 + x1;
         b->t[2][l] = y1 + x0;
         b->t[3][l] = y1 + x1;
      }
   } else {
      SGD_EACH(l) {
         const uint32_t x0 = (uint32_t)axis[0]->i[0].v[l] * 4;
         const uint32_t x1 = (uint32_t)axis[0]->i[1].v[l] * 4;
         const uint32_t y0 = (uint32_t)axis[1]->i[0].v[l] * pitch;
         const uint32_t y1 = (uint32_t)axis[1]->i[1].v[l] * pitch;
         b->t[0][l] = y0 + x0;
         b->t[1][l] = y0 + x1;
         b->t[2][l] = y1 + x0;
         b->t[3][l] = y1 + x1;
      }
   }
   if (z) {
      const uint32_t stride = (uint32_t)level->layer_stride;
      for (unsigned n = 0; n < 4; n++) {
         SGD_EACH(l) {
            b->t[n][l] += (uint32_t)z[l] * stride;
         }
      }
   }
}

static inline float
channel(uint32_t word, unsigned shift)
{
   return (float)(int32_t)((word >> shift) & 255u);
}

static inline float
bilinear(const struct block *b, unsigned l, unsigned shift, float fx, float fy)
{
   const float upper = tlerp(channel(b->t[0][l], shift), channel(b->t[1][l], shift), fx);
   const float lower = tlerp(channel(b->t[2][l], shift), channel(b->t[3][l], shift), fx);
   return tlerp(upper, lower, fy);
}

/* Replaces byte offsets with the words at these offsets, in groups of four to avoid store-to-load
 * stalls.
 */
static void
fetch_words(const uint8_t *base, uint32_t *t, unsigned count)
{
   for (unsigned n = 0; n < count; n += 4) {
      uint32_t w[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&w[k], base + t[n + k], 4);
      for (unsigned k = 0; k < 4; k++)
         t[n + k] = w[k];
   }
}

/* Returns the wrapped texels of an axis. If the axis has coordinates, wraps them and stores the
 * texels to *own.
 */
static const struct sgd_tex_axis *
wrapped(const struct sgd_tex_bytes_axis *a, bool linear, struct sgd_tex_axis *own)
{
   if (!a->s)
      return a->taps;
   (linear ? sgd_tex_wrap_linear
           : sgd_tex_wrap_nearest)(a->repeat ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE, a->size,
                                   a->normalized, (const struct sgd_tex_float *)a->s, NULL, own);
   return own;
}

static void
sgd_tex_bytes_linear(const struct sgd_tex_bytes *b, bool windows)
{
   struct sgd_tex_axis own[2];
   const struct sgd_tex_axis *axis[2];
   struct block block;
   const uint32_t active = b->active;

   for (unsigned a = 0; a < 2; a++)
      axis[a] = wrapped(&b->axis[a], true, &own[a]);
   if (b->words) {
      memcpy(block.t, b->words, sizeof(block.t));
   } else {
      block_offsets(b->unit, b->level, axis, b->z, &block);
      fetch_words(b->level->base, block.t[0], 4 * SGD_WARP);
   }
   const float *fx = axis[0]->f.v, *fy = axis[1]->f.v;
   if (active == ~0u && b->dst[0] && b->dst[1] && b->dst[2] && b->dst[3]) {
      float *d0 = (float *)b->dst[0], *d1 = (float *)b->dst[1];
      float *d2 = (float *)b->dst[2], *d3 = (float *)b->dst[3];
      const float scale = b->scale;
      SGD_EACH(l) {
         d0[l] = tmul(bilinear(&block, l, 0, fx[l], fy[l]), scale);
         d1[l] = tmul(bilinear(&block, l, 8, fx[l], fy[l]), scale);
         d2[l] = tmul(bilinear(&block, l, 16, fx[l], fy[l]), scale);
         d3[l] = tmul(bilinear(&block, l, 24, fx[l], fy[l]), scale);
      }
      return;
   }
   for (unsigned r = 0; r < 4; r++) {
      const float scale = b->scale;
      const unsigned shift = 8 * r;
      uint32_t *d = b->dst[r];
      if (!d)
         continue;
      SGD_EACH(l) {
         const float v = tmul(bilinear(&block, l, shift, fx[l], fy[l]), scale);
         d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), sgpu_f2bits(v), d[l]);
      }
   }
}

static inline void
sgd_tex_bytes_linear_taps(const struct sgd_tex_bytes *b)
{
   sgd_tex_bytes_linear(b, false);
}

static void
sgd_tex_bytes_nearest(const struct sgd_tex_bytes *b)
{
   struct sgd_tex_axis own[2];
   const struct sgd_tex_axis *axis[2];
   const uint32_t pitch = b->level->pitch;
   const uint32_t active = b->active;
   _Alignas(64) uint32_t t[SGD_WARP];

   for (unsigned a = 0; a < 2; a++)
      axis[a] = wrapped(&b->axis[a], false, &own[a]);
   const int32_t *x = axis[0]->i[0].v, *y = axis[1]->i[0].v;
   if (b->unit->tiled) {
      SGD_EACH(l) {
         t[l] = tiled_x((uint32_t)x[l]) + tiled_y((uint32_t)y[l], pitch);
      }
   } else {
      SGD_EACH(l) {
         t[l] = (uint32_t)x[l] * 4 + (uint32_t)y[l] * pitch;
      }
   }
   fetch_words(b->level->base, t, SGD_WARP);
   for (unsigned r = 0; r < 4; r++) {
      const float scale = b->scale;
      const unsigned shift = 8 * r;
      uint32_t *d = b->dst[r];
      if (!d)
         continue;
      SGD_EACH(l) {
         const float v = tmul(channel(t[l], shift), scale);
         d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), sgpu_f2bits(v), d[l]);
      }
   }
}

#endif

static inline struct sgd_tex_bytes_axis
axis_of(const float *s, int32_t size, bool repeat, bool normalized)
{
   return (struct sgd_tex_bytes_axis){
      .s = s,
      .repeat = repeat,
      .normalized = normalized,
      .size = size,
   };
}

/* Makes the filter store unscaled channels of all lanes to out[]. */
static void
set_channels(struct sgd_tex_bytes *b, unsigned channels, struct sgd_tex_float out[4])
{
   b->active = ~0u;
   b->scale = 1.0f;
   for (unsigned c = 0; c < 4; c++)
      b->dst[c] = channels & 1 << c ? (uint32_t *)out[c].v : NULL;
}

void
sgd_tex_filter_bytes(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
                     const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                     unsigned channels, struct sgd_tex_float out[4])
{
   struct sgd_tex_bytes b = {
      .unit = u,
      .level = level,
      .axis = { { .size = level->width, .taps = &axis[0] },
                { .size = level->height, .taps = &axis[1] } },
      .z = z ? z->v : NULL,
      .straight = -1,
   };
   _Alignas(64) uint32_t words[4][SGD_WARP];

   set_channels(&b, channels, out);
   if (u->codec || u->bpe != 4) {
      sgd_tex_fetch_block(u, level, axis, z, words);
      b.words = (const uint32_t(*)[SGD_WARP])words;
   }
   sgd_tex_bytes_linear_taps(&b);
}

bool
sgd_tex_inside(const struct sgd_tex_unit *u, const float *s, int32_t size, bool normalized)
{
   /* At the centre of the last texel the weight of the border is 0. */
   const float n = (float)size, scale = normalized ? n : 1.0f;
   const float high = tsub(n, u->floats ? 0.5f + 1.0f / 256 : 0.5f);
#ifdef __AVX2__
   __m256 in = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256 at = _mm256_mul_ps(_mm256_loadu_ps(s + l), _mm256_set1_ps(scale));
      in = _mm256_and_ps(in, _mm256_cmp_ps(at, _mm256_set1_ps(0.5f), _CMP_GE_OQ));
      in = _mm256_and_ps(in, _mm256_cmp_ps(at, _mm256_set1_ps(high), _CMP_LE_OQ));
   }
   return _mm256_movemask_ps(in) == 0xff;
#else
   uint32_t out = 0;
   SGD_EACH(l) {
      const float at = tmul(s[l], scale);
      out |= ~sgpu_fp_mask((at >= 0.5f) & (at <= high));
   }
   return !out;
#endif
}

bool
sgd_tex_fast_wraps(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
                   const struct sgd_tex_level *level, const float *x, const float *y)
{
   return (SGD_TEX_FAST_WRAPS >> s->wrap_s & 1 ||
           sgd_tex_inside(u, x, level->width, !s->unnormalized)) &&
          (SGD_TEX_FAST_WRAPS >> s->wrap_t & 1 ||
           sgd_tex_inside(u, y, level->height, !s->unnormalized));
}

/* Initializes a filter at the coordinates `coord`. The caller must add layers and destinations. */
static void
set_sampling(struct sgd_tex_bytes *b, const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
             const struct sgd_tex_level *level, const struct sgd_tex_float *const coord[2])
{
   const bool normalized = !s->unnormalized;
   *b = (struct sgd_tex_bytes){ .unit = u, .level = level, .straight = -1 };
   b->axis[0] = axis_of(coord[0]->v, level->width, s->wrap_s == SGPU_WRAP_REPEAT && normalized,
                        normalized);
   b->axis[1] = axis_of(coord[1]->v, level->height, s->wrap_t == SGPU_WRAP_REPEAT && normalized,
                        normalized);
}

void
sgd_tex_sample_bytes(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
                     const struct sgd_tex_level *level, const struct sgd_tex_float *const coord[2],
                     const struct sgd_tex_int *z, unsigned channels, struct sgd_tex_float out[4])
{
#ifdef __AVX2__
   struct sgd_t8_straight at;
   if (!z && sgd_tn_can_sample(u, s) &&
       (u->bpe != 4 || !sgd_t8_straight(&at, coord[0]->v, coord[1]->v))) {
      sgd_tex_sample_taps(u, s, level, NULL, coord, channels, out);
      return;
   }
#endif
   if (!u->codec && u->bpe == 4 && sgd_tex_fast_wraps(u, s, level, coord[0]->v, coord[1]->v)) {
      struct sgd_tex_bytes b;
      set_sampling(&b, u, s, level, coord);
      b.z = z ? z->v : NULL;
      set_channels(&b, channels, out);
      /* Don't try windows, since anisotropic probes have large footprints. */
      sgd_tex_bytes_linear(&b, false);
   } else {
      struct sgd_tex_axis axis[2];
      sgd_tex_wrap_linear(s->wrap_s, level->width, !s->unnormalized, coord[0], NULL, &axis[0]);
      sgd_tex_wrap_linear(s->wrap_t, level->height, !s->unnormalized, coord[1], NULL, &axis[1]);
      sgd_tex_filter_bytes(u, level, axis, z, channels, out);
   }
}

#ifdef __AVX2__
void
sgd_tex_sample_wide(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
                    const struct sgd_tex_level *level, const struct sgd_tex_float *const coord[2],
                    bool linear, unsigned channels, uint32_t active, struct sgd_tex_float out[4])
{
   struct sgd_tex_bytes b;
   set_sampling(&b, u, s, level, coord);
   set_channels(&b, channels, out);
   b.active = active;
   sgd_tex_wide_filter(&b, linear, false);
}

void
sgd_tex_sample_word(const struct sgd_tex_job *job, const struct sgd_tex_unit *u,
                    const struct SGPU_SAMPLER *sampler, const struct sgd_tex_level *level,
                    bool linear, struct sgd_tex_float out[4])
{
   const struct sgd_tex_reference reference = { sampler->compare, job->ref.v };
   struct sgd_tex_bytes b;
   set_sampling(&b, u, sampler, level, job->s);
   set_channels(&b, job->channels, out);
   b.z = u->num_layers > 1 ? job->layer.v : NULL;
   b.active = job->active;
   sgd_tex_word_filter(&b, job->compare ? &reference : NULL, linear, false);
}
#endif

/* Returns the last component in the mask that reads channel r, or 4 if there is none. */
static ATTRIBUTE_NOINLINE unsigned
last_component(const struct sgd_tex_unit *u, unsigned r, unsigned mask)
{
   unsigned last = 4;
   for (unsigned c = 0; c < 4; c++) {
      if ((mask & 1 << c) && u->route[c] == r)
         last = c;
   }
   return last;
}

/* If several components read the same channel, copies the component that the filter has stored to
 * the other ones.
 */
static ATTRIBUTE_NOINLINE void
store_shared(const struct sgd_tex_unit *u, unsigned mask, uint32_t active, struct sgd_vec *dst)
{
   for (unsigned c = 0; c < 4; c++) {
      uint32_t *d = dst->c[c];
      if (!(mask >> c & 1) || u->route[c] >= 4)
         continue;
      const uint32_t *from = dst->c[last_component(u, u->route[c], mask)];
      if (from == d)
         continue;
      SGD_EACH(l) {
         d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), from[l], d[l]);
      }
   }
}

/* Returns the component to which a filter stores channel r: the last one in the mask that reads it.
 */
static ALWAYS_INLINE unsigned
place_of(const struct sgd_tex_unit *u, unsigned r, unsigned mask)
{
   return unlikely(mask & u->shared) ? last_component(u, r, mask) : u->component[r];
}

static ALWAYS_INLINE void
set_places(struct sgd_tex_bytes *b, const struct sgd_tex_unit *u, unsigned mask,
           struct sgd_vec *dst)
{
   for (unsigned r = 0; r < 4; r++) {
      const unsigned c = place_of(u, r, mask);
      b->dst[r] = mask >> c & 1 ? dst->c[c] : NULL;
   }
}

/* Initializes the filter for a whole operation on the base level. */
static ALWAYS_INLINE void
set_operation(struct sgd_tex_bytes *b, const struct sgd_tex_unit *u,
              const struct sgd_sampler *sampler, unsigned mask, const struct sgd_source *src0,
              uint32_t active, struct sgd_vec *dst, int straight)
{
   const struct sgd_tex_level *level = &u->level[0];
   const bool normalized = !sampler->desc.unnormalized;
   b->unit = u;
   b->level = level;
   b->active = active;
   b->straight = straight;
   b->z = NULL;
   b->words = NULL;
   b->scale = u->scale;
   b->axis[0] = axis_of((const float *)src0->c[0], level->width,
                        sampler->plan & SGD_SAMPLER_REPEAT_S, normalized);
   b->axis[1] = axis_of((const float *)src0->c[1], level->height,
                        sampler->plan & SGD_SAMPLER_REPEAT_T, normalized);
   set_places(b, u, mask, dst);
}

/* Stores the components that are constant or that share a channel with another component. */
static ALWAYS_INLINE void
store_others(const struct sgd_tex_unit *u, unsigned mask, uint32_t active, struct sgd_vec *dst)
{
   if (unlikely(mask & u->shared))
      store_shared(u, mask, active, dst);
   if (mask & u->others)
      sgd_tex_store_constants(u, mask, active, dst);
}

#ifdef __AVX2__
ATTRIBUTE_NOINLINE void
sgd_tex_one_taps_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                        const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                        struct sgd_vec *dst)
{
   const float *s = (const float *)src0->c[0], *t = (const float *)src0->c[1];
   struct sgd_tn_results to = { .scale = u->scale * 0x1p-16f, .lanes = active };
   struct sgd_tn_level n;
   _Alignas(64) float unused[SGD_WARP];

   for (unsigned r = 0; r < 4; r++) {
      const unsigned c = place_of(u, r, op->mask);
      to.dst[r] = op->mask >> c & 1 ? (float *)dst->c[c] : unused;
   }
   sgd_tn_level_init(&n, &u->level[0], sampler->plan & SGD_SAMPLER_REPEAT_S,
                     sampler->plan & SGD_SAMPLER_REPEAT_T);
   if (likely(active == ~0u))
      sgd_tn_one_level(&to, &n, 0, s, t, true);
   else
      sgd_tn_one_level(&to, &n, 0, s, t, false);
   store_others(u, op->mask, active, dst);
}
#endif

void
sgd_tex_one_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                   const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                   struct sgd_vec *dst, int straight)
{
#ifdef __AVX2__
   if (sampler->desc.mag_filter == SGPU_FILTER_LINEAR && sgd_tn_can_read(u) &&
       !sampler->desc.unnormalized) {
      if (straight < 0) {
         struct sgd_t8_straight at;
         straight = sgd_t8_straight(&at, (const float *)src0->c[0], (const float *)src0->c[1]);
      }
      if (!straight) {
         sgd_tex_one_taps_filter(u, sampler, op, src0, active, dst);
         return;
      }
   }
#endif
   struct sgd_tex_bytes b;
   set_operation(&b, u, sampler, op->mask, src0, active, dst, straight);
   if (sampler->desc.mag_filter == SGPU_FILTER_LINEAR)
      sgd_tex_bytes_linear(&b, true);
   else
      sgd_tex_bytes_nearest(&b);
   store_others(u, op->mask, active, dst);
}

#ifdef __AVX2__
/* Kept separate from set_places(), so that the compiler can keep struct sgd_tex_bytes in registers. */
void
sgd_tex_set_places(uint32_t *places[4], const struct sgd_tex_unit *u, unsigned mask,
                   struct sgd_vec *dst)
{
   struct sgd_tex_bytes b;
   set_places(&b, u, mask, dst);
   memcpy(places, b.dst, sizeof(b.dst));
}

void
sgd_tex_store_others(const struct sgd_tex_unit *u, unsigned mask, uint32_t active,
                     struct sgd_vec *dst)
{
   store_others(u, mask, active, dst);
}

/* Kept separate from sgd_tex_one_filter(), since sgd_tex_wide_filter() needs `b` in memory. */
void
sgd_tex_one_wide_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                        const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                        struct sgd_vec *dst)
{
   struct sgd_tex_bytes b;
   set_operation(&b, u, sampler, op->mask, src0, active, dst, -1);
   sgd_tex_wide_filter(&b, sampler->desc.mag_filter == SGPU_FILTER_LINEAR, true);
   store_others(u, op->mask, active, dst);
}

/* Returns the array layer of each lane, or NULL if all lanes read the first layer. */
static const int32_t *
array_layers(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
             const struct sgd_source *src0, struct sgd_tex_int *out)
{
   const float last = (float)(u->num_layers - 1);
   if (u->num_layers == 1 || op->target != SGPU_TEX_TARGET_2D_ARRAY)
      return NULL;
   SGD_EACH(l) {
      out->v[l] = tlayer(src0->c[2][l], last);
   }
   return out->v;
}

void
sgd_tex_one_word_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                        const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                        struct sgd_vec *dst)
{
   const bool linear = sampler->desc.mag_filter == SGPU_FILTER_LINEAR;
   struct sgd_tex_int layer;
   struct sgd_tex_bytes b;
   set_operation(&b, u, sampler, op->mask, src0, active, dst, -1);
   b.z = array_layers(u, op, src0, &layer);
   if (op->shadow && sampler->desc.compare_enable) {
      const struct sgd_tex_reference reference = { sampler->desc.compare,
                                                   (const float *)src0->c[3] };
      struct sgd_tex_float out[4];
      set_channels(&b, 1 << u->main_channel, out);
      b.active = active;
      sgd_tex_word_filter(&b, &reference, linear, true);
      sgd_tex_store(u, u->compare_route, op->mask, 0, active, out, dst);
   } else {
      sgd_tex_word_filter(&b, NULL, linear, true);
      store_others(u, op->mask, active, dst);
   }
}

bool
sgd_tex_one_volume_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                          const struct sgd_tex_op *op, const struct sgd_source *src0,
                          uint32_t active, struct sgd_vec *dst)
{
   struct sgd_tex_volume v = { u, &sampler->desc, &u->level[0], .active = active };
   for (unsigned a = 0; a < 3; a++)
      v.s[a] = (const float *)src0->c[a];
   sgd_tex_set_places(v.dst, u, op->mask, dst);
   if (!sgd_tex_volume_filter(&v, sampler->desc.mag_filter == SGPU_FILTER_LINEAR, true))
      return false;
   store_others(u, op->mask, active, dst);
   return true;
}

bool
sgd_tex_sample_volume(const struct sgd_tex_job *job, const struct sgd_tex_level *level, bool linear,
                      struct sgd_tex_float out[4])
{
   struct sgd_tex_volume v = { job->unit,
                               job->sampler,
                               level,
                               { job->s[0]->v, job->s[1]->v, job->s[2]->v },
                               .active = job->active };
   for (unsigned c = 0; c < 4; c++)
      v.dst[c] = job->channels & 1 << c ? (uint32_t *)out[c].v : NULL;
   return sgd_tex_volume_filter(&v, linear, false);
}
#endif
