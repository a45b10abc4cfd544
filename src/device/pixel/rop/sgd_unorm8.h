/* SPDX-License-Identifier: MIT */
/*
 * ROP: converts the colours of a warp to words of four unorm8 components and blends them with the
 * stored colours.
 *
 * There are two implementations with identical results: plain loops for any host, and AVX2, which
 * converts with saturation. A component x in [0, 1] becomes round(x * 255), where the product is
 * rounded to float and ties round to even. A byte b becomes b * (1 / 255).
 */
#ifndef SGD_UNORM8_H
#define SGD_UNORM8_H

#include "pixel/rop/sgd_blend.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "common/sgd_lanes.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_shader.h"

struct sgd_unorm8 {
   const struct sgd_color_plan *plan;
   const struct sgd_surface *surface;
   const struct sgd_quads *quads;
   const struct sgd_vec *color;  /* source colour as RGBA floats */
   const struct sgd_vec *second; /* second source colour, used by dual-source blending */
};

/* Returns a mask of the bits that may be written in each word of the target. */
static ALWAYS_INLINE uint32_t
sgd_unorm8_bits(const struct sgd_color_plan *plan)
{
   uint32_t bits;
   memcpy(&bits, plan->bits, sizeof(bits));
   return bits;
}

/* Returns true if the component is at least 1 in all `lanes`, or at most 0 if `ones` is false.
 * Treats NaN as 0.
 */
static ALWAYS_INLINE bool sgd_unorm8_all(const uint32_t v[SGD_WARP], uint32_t lanes, bool ones);

/* Effect of the source colour on the stored colour. */
enum sgd_unorm8_source {
   SGD_UNORM8_BLENDS,
   SGD_UNORM8_REPLACES,
   SGD_UNORM8_KEEPS,
};

/* Returns true if the components in the mask are 0 in all lanes. Checks the first lane first,
 * because it fails in most cases.
 */
static ALWAYS_INLINE bool
sgd_unorm8_all_zeros(const struct sgd_vec *color, unsigned components, uint32_t lanes)
{
   const unsigned first = __builtin_ctz(lanes);

   for (unsigned c = 0; c < 4; c++) {
      if (components >> c & 1 && sgpu_bits2f(color->c[c][first]) > 0.0f)
         return false;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (components >> c & 1 && !sgd_unorm8_all(color->c[c], lanes, false))
         return false;
   }
   return true;
}

/* Finds out if blending can be skipped because alpha is 1 in all lanes, or because certain
 * components are 0 in all lanes. Tests the first lane first, and the other lanes only if it passes.
 */
static ALWAYS_INLINE enum sgd_unorm8_source
sgd_unorm8_source(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const struct sgd_color_plan *p = u->plan;

   if (!p->blend)
      return SGD_UNORM8_REPLACES;
   if (!lanes)
      return SGD_UNORM8_BLENDS;
   if (p->opaque_replaces && sgpu_bits2f(u->color->c[3][__builtin_ctz(lanes)]) >= 1.0f &&
       sgd_unorm8_all(u->color->c[3], lanes, true))
      return SGD_UNORM8_REPLACES;
   if (p->zeros && sgd_unorm8_all_zeros(u->color, p->zeros, lanes))
      return SGD_UNORM8_KEEPS;
   return SGD_UNORM8_BLENDS;
}

#if defined(__AVX2__)
#include "pixel/rop/sgd_unorm8_avx2.h"
#else

/* Converts x to a byte and adds SGD_TO_INT_BITS. x must be in [0, 1], but may be slightly above 1
 * because of rounding.
 */
static ALWAYS_INLINE uint32_t
sgd_byte_of(float x)
{
   return sgpu_f2bits(sgpu_fp_raw_add(sgpu_fp_raw_mul(x, 255.0f), SGD_TO_INT));
}

static ALWAYS_INLINE float
sgd_unit_of_byte(uint32_t word, unsigned shift)
{
   return sgpu_fp_raw_mul((float)(int32_t)((word >> shift) & 0xff), 1.0f / 255.0f);
}

static ALWAYS_INLINE float
sgd_unit_of(uint32_t bits)
{
   return sgpu_fsat(sgpu_bits2f(bits));
}

static ALWAYS_INLINE void
sgd_unorm8_loop(const struct sgd_unorm8 *u, const uint32_t *restrict old, uint32_t *restrict word,
                uint32_t lanes, bool blend, bool masked)
{
   const uint8_t *comp = u->plan->codec.byte_comp;
   const struct sgd_vec *const v = u->color;
   const uint32_t *restrict c0 = v->c[comp[0]], *restrict c1 = v->c[comp[1]];
   const uint32_t *restrict c2 = v->c[comp[2]], *restrict c3 = v->c[comp[3]];
   const uint32_t *restrict alpha = v->c[3];
   const uint32_t ones = u->plan->codec.ones, bits = sgd_unorm8_bits(u->plan);

   for (unsigned l = 0; l < SGD_WARP; l++) {
      float b0 = sgd_unit_of(c0[l]), b1 = sgd_unit_of(c1[l]);
      float b2 = sgd_unit_of(c2[l]), b3 = sgd_unit_of(c3[l]);
      if (blend) {
         const float a = sgd_unit_of(alpha[l]), ia = sgpu_fp_raw_add(1.0f, -a);
         b0 = sgpu_fp_raw_add(sgpu_fp_raw_mul(b0, a),
                              sgpu_fp_raw_mul(sgd_unit_of_byte(old[l], 0), ia));
         b1 = sgpu_fp_raw_add(sgpu_fp_raw_mul(b1, a),
                              sgpu_fp_raw_mul(sgd_unit_of_byte(old[l], 8), ia));
         b2 = sgpu_fp_raw_add(sgpu_fp_raw_mul(b2, a),
                              sgpu_fp_raw_mul(sgd_unit_of_byte(old[l], 16), ia));
         b3 = sgpu_fp_raw_add(sgpu_fp_raw_mul(b3, a),
                              sgpu_fp_raw_mul(sgd_unit_of_byte(old[l], 24), ia));
      }
      uint32_t w = sgd_byte_of(b0) + (sgd_byte_of(b1) << 8) + (sgd_byte_of(b2) << 16) +
                   (sgd_byte_of(b3) << 24) - SGD_TO_INT_BITS * 0x01010101u;
      w |= ones;
      if (masked) {
         const uint32_t m = sgd_lane_mask(lanes, l) & bits;
         w = (w & m) | (old[l] & ~m);
      }
      word[l] = w;
   }
}

/* Each variant of the loop is a separate function, because the compiler turns some selects into
 * branches if they are combined.
 */

static __attribute__((noinline)) void
sgd_unorm8_copy_loop(const struct sgd_unorm8 *u, uint32_t *restrict word)
{
   sgd_unorm8_loop(u, NULL, word, ~0u, false, false);
}

static __attribute__((noinline)) void
sgd_unorm8_merge_loop(const struct sgd_unorm8 *u, const uint32_t *restrict old,
                      uint32_t *restrict word, uint32_t lanes)
{
   sgd_unorm8_loop(u, old, word, lanes, false, true);
}

static __attribute__((noinline)) void
sgd_unorm8_alpha_loop(const struct sgd_unorm8 *u, const uint32_t *restrict old,
                      uint32_t *restrict word, uint32_t lanes)
{
   sgd_unorm8_loop(u, old, word, lanes, true, true);
}

static __attribute__((noinline)) void
sgd_unorm8_blend_loops(const struct sgd_unorm8 *u, const uint32_t *restrict old,
                       uint32_t *restrict word, uint32_t lanes)
{
   const struct sgd_codec *codec = &u->plan->codec;
   const uint32_t bits = sgd_unorm8_bits(u->plan);
   struct sgd_color src, src1, dst, out;

   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         src.c[c][l] = sgd_unit_of(u->color->c[c][l]);
      for (unsigned l = 0; l < SGD_WARP; l++)
         src1.c[c][l] = sgd_unit_of(u->second->c[c][l]);
   }
   sgd_unorm_of_words(codec, old, &dst);
   sgd_blend_colors(&out, u->plan, &src, &src1, &dst);
   sgd_words_of_unorm(codec, &out, word);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t m = sgd_lane_mask(lanes, l) & bits;
      word[l] = (word[l] & m) | (old[l] & ~m);
   }
}

static ALWAYS_INLINE bool
sgd_unorm8_all(const uint32_t v[SGD_WARP], uint32_t lanes, bool ones)
{
   uint32_t others = 0;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const float x = sgpu_bits2f(v[l]);
      others |= sgd_lane_mask(lanes, l) &
                (ones ? ~sgpu_fp_mask(x >= 1.0f) : sgpu_fp_mask(x > 0.0f));
   }
   return !others;
}

/* Sets the padding bits of the active lanes to ones, and keeps all other bits. */
static __attribute__((noinline)) void
sgd_unorm8_pad_loop(const struct sgd_unorm8 *u, const uint32_t *restrict old,
                    uint32_t *restrict word, uint32_t lanes)
{
   const uint32_t ones = u->plan->codec.ones & sgd_unorm8_bits(u->plan);

   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = old[l] | (sgd_lane_mask(lanes, l) & ones);
}

static inline void
sgd_unorm8_group(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const struct sgd_color_plan *p = u->plan;
   const enum sgd_unorm8_source source = sgd_unorm8_source(u, lanes);
   const bool masked = (lanes & sgd_unorm8_bits(p)) != ~0u;
   _Alignas(64) uint32_t old[SGD_WARP], word[SGD_WARP];
   struct sgd_quad_memory m;

   if (source == SGD_UNORM8_KEEPS && !p->codec.ones)
      return;
   sgd_place_quads(&m, u->surface, u->quads, lanes, 4);
   if (source != SGD_UNORM8_REPLACES || masked)
      sgd_load_quads(old, &m, 4);
   if (source == SGD_UNORM8_KEEPS)
      sgd_unorm8_pad_loop(u, old, word, lanes);
   else if (source == SGD_UNORM8_BLENDS && p->form == SGD_BLEND_OVER)
      sgd_unorm8_alpha_loop(u, old, word, lanes);
   else if (source == SGD_UNORM8_BLENDS)
      sgd_unorm8_blend_loops(u, old, word, lanes);
   else if (masked)
      sgd_unorm8_merge_loop(u, old, word, lanes);
   else
      sgd_unorm8_copy_loop(u, word);
   sgd_store_quads(word, &m, 4);
}

#endif
#endif
