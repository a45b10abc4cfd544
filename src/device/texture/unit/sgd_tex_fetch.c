/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: texel fetch. Computes the addresses of 32 texels, loads their words and extracts
 * channels. Compiled once for each x86-64 level of the host CPU.
 */
#include <assert.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "common/sgd_gather.h"
#include "common/sgd_lanes.h"
#include "common/sgd_once.h"
#include "sgpu_int.h"
#include "texture/unit/sgd_tex_exec.h"
#include "util/format_srgb.h"

/* Maximum size of a texel or block in any format, in bytes. */
#define MAX_ELEMENT 16

/* Converts texel coordinates to the coordinates of 4x4 blocks. */
static void
block_coordinates(const struct sgd_tex_int *x, struct sgd_tex_int *out)
{
   SGD_EACH(l) {
      out->v[l] = x->v[l] >> 2;
   }
}

void
sgd_tex_offsets(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
                const struct sgd_tex_int *x, const struct sgd_tex_int *y,
                const struct sgd_tex_int *z, uint32_t off[SGD_WARP])
{
   const uint32_t pitch = level->pitch, bpe = u->bpe;
   if (u->tiled) {
      SGD_EACH(l) {
         const uint32_t i = (uint32_t)x->v[l], j = (uint32_t)y->v[l];
         const uint32_t element = (i >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i) +
                                  sgpu_tile_element_y(j);
         off[l] = (j >> 2) * pitch + element * bpe;
      }
   } else {
      SGD_EACH(l) {
         off[l] = (uint32_t)y->v[l] * pitch + (uint32_t)x->v[l] * bpe;
      }
   }
   if (z) {
      const uint32_t stride = (uint32_t)level->layer_stride;
      SGD_EACH(l) {
         off[l] += (uint32_t)z->v[l] * stride;
      }
   }
}

static void
fetch_generic(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
              const struct sgd_tex_int *x, const struct sgd_tex_int *y, const struct sgd_tex_int *z,
              const struct sgd_tex_int *sample, struct sgd_vec *words)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t px = (uint32_t)x->v[l], py = (uint32_t)y->v[l];
      const uint32_t ex = px / u->block_width, ey = py / u->block_height;
      const uint8_t *at = level->base + (z ? (uint32_t)z->v[l] : 0) * level->layer_stride +
                          (sample ? (uint32_t)sample->v[l] : 0) * level->sample_stride +
                          sgpu_element_offset(u->tiled ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR, ex,
                                              ey, level->pitch, u->bpe);
      /* Copy the block first, since Mesa's decoders read bits more than once and use them as table
       * indices, while the application could modify them.
       */
      _Alignas(16) uint8_t element[MAX_ELEMENT];
      uint32_t rgba[4];
      assert(u->bpe <= sizeof(element));
      sgd_copy_once(element, at, u->bpe);
      if (u->whole_block)
         u->fetch(rgba, element, px % u->block_width, py % u->block_height);
      else
         u->unpack(rgba, element, 1);
      for (unsigned c = 0; c < 4; c++)
         words->c[c][l] = rgba[c];
   }
}

/* Loads a word for each lane. Words are stored as vectors of four, since later vector loads would
 * stall on stores of single words.
 */
static void
load_words(const uint8_t *base, const uint32_t off[SGD_WARP], uint32_t out[SGD_WARP])
{
   for (unsigned l = 0; l < SGD_WARP; l += 4) {
      uint32_t w[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&w[k], base + off[l + k], 4);
      const sgd_row v = { w[0], w[1], w[2], w[3] };
      memcpy(out + l, &v, sizeof(v));
   }
}

typedef uint16_t half_words __attribute__((vector_size(16)));
typedef uint8_t single_bytes __attribute__((vector_size(16)));

static inline uint16_t
load_half(const uint8_t *at)
{
   uint16_t half;
   memcpy(&half, at, 2);
   return half;
}

/* Replaces each offset t[n] with the 2-byte texel at base + t[n]. Texels are collected in vectors,
 * so that later loads don't stall on stores of single texels.
 */
static void
load_halves(const uint8_t *base, uint32_t *t, unsigned count)
{
   for (unsigned n = 0; n < count; n += 8) {
      uint32_t *o = t + n;
      uint16_t texel[8];
      const half_words v = { load_half(base + o[0]), load_half(base + o[1]), load_half(base + o[2]),
                             load_half(base + o[3]), load_half(base + o[4]), load_half(base + o[5]),
                             load_half(base + o[6]), load_half(base + o[7]) };
      memcpy(texel, &v, sizeof(texel));
      SGD_IVDEP
      for (unsigned k = 0; k < 8; k++)
         o[k] = texel[k];
   }
}

/* Version of load_halves() for 1-byte texels. */
static void
load_bytes(const uint8_t *base, uint32_t *t, unsigned count)
{
   for (unsigned n = 0; n < count; n += 16) {
      uint32_t *o = t + n;
      uint8_t texel[16];
      const single_bytes v = { base[o[0]],  base[o[1]],  base[o[2]],  base[o[3]],
                               base[o[4]],  base[o[5]],  base[o[6]],  base[o[7]],
                               base[o[8]],  base[o[9]],  base[o[10]], base[o[11]],
                               base[o[12]], base[o[13]], base[o[14]], base[o[15]] };
      memcpy(texel, &v, sizeof(texel));
      SGD_IVDEP
      for (unsigned k = 0; k < 16; k++)
         o[k] = texel[k];
   }
}

/* Loads the texel at base + off[l] for each lane l, but only the words that the channels in the
 * mask need.
 */
static void
load_texels(const struct sgd_tex_unit *u, const uint8_t *base, const uint32_t off[SGD_WARP],
            unsigned channels, struct sgd_vec *words)
{
   if (u->bpe == 4) {
      load_words(base, off, words->c[0]);
   } else if (u->bpe == 1) {
      memcpy(words->c[0], off, sizeof(words->c[0]));
      load_bytes(base, words->c[0], SGD_WARP);
   } else if (u->bpe == 2) {
      memcpy(words->c[0], off, sizeof(words->c[0]));
      load_halves(base, words->c[0], SGD_WARP);
   } else if (u->bpe == 3) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const uint8_t *at = base + off[l];
         words->c[0][l] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
      }
   } else if (u->bpe == 6) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         uint16_t last;
         memcpy(&words->c[0][l], base + off[l], 4);
         memcpy(&last, base + off[l] + 4, 2);
         words->c[1][l] = last;
      }
   } else {
      unsigned need = 0;
      for (unsigned c = 0; c < u->num_channels; c++)
         need |= channels & (1 << c) ? 1 << u->channel[c].word : 0;
      if (u->bpe == 8 && need == 3) {
         sgd_gather_pairs(base, off, (uint32_t *const[2]){ words->c[0], words->c[1] });
         return;
      }
      if (u->bpe == 16 && need >= 7) {
         sgd_gather_quads(base, off,
                          (uint32_t *const[4]){ words->c[0], words->c[1], words->c[2],
                                                words->c[3] });
         return;
      }
      for (unsigned w = 0; w < u->bpe / 4u; w++) {
         if (!(need & (1 << w)))
            continue;
         load_words(base + 4 * w, off, words->c[w]);
      }
   }
}

void
sgd_tex_fetch(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
              const struct sgd_tex_int *x, const struct sgd_tex_int *y, const struct sgd_tex_int *z,
              const struct sgd_tex_int *sample, unsigned channels, struct sgd_vec *words)
{
   if (u->generic) {
      fetch_generic(u, level, x, y, z, sample, words);
      return;
   }

   _Alignas(64) uint32_t off[SGD_WARP];
   const uint8_t *base = level->base;
   if (u->codec) {
      struct sgd_tex_int bx, by;
      struct sgd_vec block;
      block_coordinates(x, &bx);
      block_coordinates(y, &by);
      sgd_tex_offsets(u, level, &bx, &by, z, off);
      for (unsigned w = 0; w < u->bpe / 4u; w++)
         load_words(base + 4 * w, off, block.c[w]);
      sgd_tex_decode_blocks(u, &block, x, y, words->c[0]);
      return;
   }
   sgd_tex_offsets(u, level, x, y, z, off);
   if (sample) {
      const uint32_t stride = (uint32_t)level->sample_stride;
      SGD_EACH(l) {
         off[l] += (uint32_t)sample->v[l] * stride;
      }
   }
   load_texels(u, base, off, channels, words);
}

/* Computes the byte offsets of the four texels of a bilinear filter. t[n] are the offsets of tap n.
 * `bpe` can be a compile-time constant.
 */
static ALWAYS_INLINE void
offsets_of_size(bool tiled, uint32_t pitch, const struct sgd_tex_axis axis[2], uint32_t bpe,
                uint32_t t[4][SGD_WARP])
{
   SGD_EACH(l) {
      const uint32_t i0 = (uint32_t)axis[0].i[0].v[l], i1 = (uint32_t)axis[0].i[1].v[l];
      const uint32_t j0 = (uint32_t)axis[1].i[0].v[l], j1 = (uint32_t)axis[1].i[1].v[l];
      const uint32_t e0 = tiled ? (i0 >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i0) : i0;
      const uint32_t e1 = tiled ? (i1 >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i1) : i1;
      const uint32_t r0 = tiled ? (j0 >> 2) * pitch + sgpu_tile_element_y(j0) * bpe : j0 * pitch;
      const uint32_t r1 = tiled ? (j1 >> 2) * pitch + sgpu_tile_element_y(j1) * bpe : j1 * pitch;
      t[0][l] = r0 + e0 * bpe;
      t[1][l] = r0 + e1 * bpe;
      t[2][l] = r1 + e0 * bpe;
      t[3][l] = r1 + e1 * bpe;
   }
}

static void
tap_offsets(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
            const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z, uint32_t t[4][SGD_WARP])
{
   if (!u->tiled)
      offsets_of_size(false, level->pitch, axis, u->bpe, t);
   else if (u->bpe == 1)
      offsets_of_size(true, level->pitch, axis, 1, t);
   else if (u->bpe == 2)
      offsets_of_size(true, level->pitch, axis, 2, t);
   else if (u->bpe == 4)
      offsets_of_size(true, level->pitch, axis, 4, t);
   else
      offsets_of_size(true, level->pitch, axis, u->bpe, t);
   for (unsigned n = 0; z && n < 4; n++) {
      const uint32_t stride = (uint32_t)level->layer_stride;
      SGD_EACH(l) {
         t[n][l] += (uint32_t)z->v[l] * stride;
      }
   }
}

void
sgd_tex_fetch_taps(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
                   const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                   unsigned channels, struct sgd_vec words[4])
{
   uint32_t off[4][SGD_WARP];
   if (u->generic || u->codec) {
      for (unsigned n = 0; n < 4; n++)
         sgd_tex_fetch(u, level, &axis[0].i[n & 1], &axis[1].i[n >> 1], z, NULL, channels,
                       &words[n]);
      return;
   }
   tap_offsets(u, level, axis, z, off);
   for (unsigned n = 0; n < 4; n++)
      load_texels(u, level->base, off[n], channels, &words[n]);
}

void
sgd_tex_fetch_block(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
                    const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                    uint32_t t[4][SGD_WARP])
{
   if (!u->codec && (u->bpe == 1 || u->bpe == 2)) {
      tap_offsets(u, level, axis, z, t);
      (u->bpe == 1 ? load_bytes : load_halves)(level->base, t[0], 4 * SGD_WARP);
      return;
   }
   for (unsigned n = 0; n < 4; n++) {
      struct sgd_vec words;
      sgd_tex_fetch(u, level, &axis[0].i[n & 1], &axis[1].i[n >> 1], z, NULL, 15, &words);
      memcpy(t[n], words.c[0], sizeof(t[n]));
   }
}

/* Converts the half float at bit `shift` of each word to a float, as sgpu_h2f() does. */
static void
decode_halves(const uint32_t w[SGD_WARP], unsigned shift, float out[SGD_WARP])
{
#if defined(__F16C__) && defined(__AVX2__)
   const __m128i by = _mm_cvtsi32_si128((int)shift);
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      __m256i half = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(w + l)), by);
      half = _mm256_and_si256(half, _mm256_set1_epi32(0xffff));
      const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(half),
                                              _mm256_extracti128_si256(half, 1));
      const __m256 v = _mm256_cvtph_ps(packed);
      _mm256_storeu_ps(out + l, _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q)));
   }
#else
   SGD_EACH(l) {
      out[l] = sgpu_h2f(w[l] >> shift);
   }
#endif
}

typedef float four_floats __attribute__((vector_size(16)));

/* Converts the sRGB byte at bit `shift` of each word to a linear float. Results are collected in
 * vectors, so that filters don't stall on stores of single lanes.
 */
static void
decode_srgb(const uint32_t w[SGD_WARP], unsigned shift, bool gather, float out[SGD_WARP])
{
   const float *table = util_format_srgb_8unorm_to_linear_float_table;
#ifdef __AVX2__
   if (gather) {
      const __m128i by = _mm_cvtsi32_si128((int)shift);
      for (unsigned l = 0; l < SGD_WARP; l += 8) {
         const __m256i code = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(w + l)), by);
         const __m256i index = _mm256_and_si256(code, _mm256_set1_epi32(255));
         _mm256_storeu_ps(out + l, _mm256_i32gather_ps(table, index, 4));
      }
      return;
   }
#endif
   const uint8_t *code = (const uint8_t *)w + (UTIL_ARCH_BIG_ENDIAN ? 3 - shift / 8 : shift / 8);
   for (unsigned l = 0; l < SGD_WARP; l += 4) {
      const four_floats v = { table[code[4 * l]], table[code[4 * l + 4]], table[code[4 * l + 8]],
                              table[code[4 * l + 12]] };
      memcpy(out + l, &v, sizeof(v));
   }
}

void
sgd_tex_decode(const struct sgd_tex_unit *u, unsigned c, const struct sgd_vec *words,
               struct sgd_tex_float *out)
{
   const struct sgd_tex_channel *ch = &u->channel[c];
   const uint32_t *w = words->c[ch->word];
   const unsigned up = 32 - ch->shift - ch->bits, down = 32 - ch->bits, shift = ch->shift;
   const uint32_t mask = ch->bits == 32 ? ~0u : (1u << ch->bits) - 1;

   switch ((enum sgd_tex_kind)ch->kind) {
   case SGD_TEX_UNSIGNED:
      if (ch->bits == 32) {
         SGD_EACH(l) {
            out->v[l] = sgpu_u2f(w[l]);
         }
      } else {
         SGD_EACH(l) {
            out->v[l] = (float)(int32_t)((w[l] >> shift) & mask);
         }
      }
      break;
   case SGD_TEX_SIGNED:
      SGD_EACH(l) {
         out->v[l] = (float)((int32_t)(w[l] << up) >> down);
      }
      break;
   case SGD_TEX_SNORM: {
      const int32_t low = -(int32_t)(mask >> 1);
      SGD_EACH(l) {
         const int32_t i = (int32_t)(w[l] << up) >> down;
         out->v[l] = (float)(i > low ? i : low);
      }
      break;
   }
   case SGD_TEX_SRGB:
      decode_srgb(w, shift, u->gather, out->v);
      break;
   case SGD_TEX_HALF:
      decode_halves(w, shift, out->v);
      break;
   case SGD_TEX_FLOAT:
      memcpy(out->v, w, sizeof(out->v));
      break;
   case SGD_TEX_UINT:
      SGD_EACH(l) {
         out->v[l] = sgpu_bits2f((w[l] >> shift) & mask);
      }
      break;
   case SGD_TEX_SINT:
      SGD_EACH(l) {
         out->v[l] = sgpu_bits2f((uint32_t)((int32_t)(w[l] << up) >> down));
      }
      break;
   }
}

void
sgd_tex_scale(const struct sgd_tex_unit *u, unsigned c, struct sgd_tex_float *v)
{
   const struct sgd_tex_channel *ch = &u->channel[c];
   const float scale = ch->scale;
   if (ch->divide) {
      SGD_EACH(l) {
         v->v[l] = sgpu_fdiv(v->v[l], scale);
      }
   } else if (scale != 1.0f) {
      SGD_EACH(l) {
         v->v[l] = tmul(v->v[l], scale);
      }
   }
}

/* Stores a value for the active lanes, without masking if all lanes are active. */
#define STORE(value)                                                              \
   if (active == ~0u) {                                                           \
      SGD_EACH(l) {                                                               \
         d[l] = sgpu_f2bits(value);                                               \
      }                                                                           \
   } else {                                                                       \
      SGD_EACH(l) {                                                               \
         d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), sgpu_f2bits(value), d[l]); \
      }                                                                           \
   }

static void
store(const float *v, uint32_t active, uint32_t *d)
{
   STORE(v[l])
}

static void
store_scaled(const float *v, float scale, uint32_t active, uint32_t *d)
{
   STORE(tmul(v[l], scale))
}

static void
store_divided(const float *v, float scale, uint32_t active, uint32_t *d)
{
   STORE(sgpu_fdiv(v[l], scale))
}

void
sgd_tex_store(const struct sgd_tex_unit *u, const uint8_t route[4], unsigned mask, unsigned scaled,
              uint32_t active, const struct sgd_tex_float channels[4], struct sgd_vec *dst)
{
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1 << c)))
         continue;
      uint32_t *d = dst->c[c];
      if (route[c] >= 4) {
         const uint32_t one = u->integer ? 1 : 0x3f800000;
         const uint32_t value = route[c] == SGD_TEX_ROUTE_1 ? one : 0;
         SGD_EACH(l) {
            d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), value, d[l]);
         }
      } else {
         const struct sgd_tex_channel *ch = &u->channel[route[c]];
         const float *from = channels[route[c]].v;
         if (!(scaled & (1 << route[c])))
            store(from, active, d);
         else if (ch->divide)
            store_divided(from, ch->scale, active, d);
         else
            store_scaled(from, ch->scale, active, d);
      }
   }
}

void
sgd_tex_store_zeros(unsigned mask, uint32_t active, struct sgd_vec *dst)
{
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1 << c)))
         continue;
      uint32_t *d = dst->c[c];
      SGD_EACH(l) {
         d[l] &= ~sgd_lane_mask(active, l);
      }
   }
}
