/* SPDX-License-Identifier: MIT */
/*
 * ROP: depth and stencil formats as words in memory. Depths are compared in their stored format: as
 * unsigned integers in unorm formats, and otherwise as floats, where subnormals count as zeros.
 * Fragment depths are in [0, 1] in both cases, but clears, copies and blits can store other floats.
 */
#ifndef SGD_DEPTH_FORMAT_H
#define SGD_DEPTH_FORMAT_H

#include <string.h>

#include "common/sgd_rop_state.h"
#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "util/compiler.h"

static inline struct sgd_zs_format
sgd_zs_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      return (struct sgd_zs_format){ 2, 0, 16, 0, true, false, false };
   case PIPE_FORMAT_Z32_UNORM:
      return (struct sgd_zs_format){ 4, 0, 32, 0, true, false, false };
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      return (struct sgd_zs_format){ 4, 0, 24, 24, true, true, false };
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
      return (struct sgd_zs_format){ 4, 8, 24, 0, true, true, false };
   case PIPE_FORMAT_Z24X8_UNORM:
      return (struct sgd_zs_format){ 4, 0, 24, 0, true, false, false };
   case PIPE_FORMAT_X8Z24_UNORM:
      return (struct sgd_zs_format){ 4, 8, 24, 0, true, false, false };
   case PIPE_FORMAT_Z32_FLOAT:
      return (struct sgd_zs_format){ 4, 0, 32, 0, true, false, true };
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      return (struct sgd_zs_format){ 8, 0, 32, 32, true, true, true };
   case PIPE_FORMAT_S8_UINT:
      return (struct sgd_zs_format){ 1, 0, 0, 0, false, true, false };
   case PIPE_FORMAT_X24S8_UINT:
      return (struct sgd_zs_format){ 4, 0, 0, 24, false, true, false };
   case PIPE_FORMAT_S8X24_UINT:
      return (struct sgd_zs_format){ 4, 0, 0, 0, false, true, false };
   case PIPE_FORMAT_X32_S8X24_UINT:
      return (struct sgd_zs_format){ 8, 0, 0, 32, false, true, false };
   default:
      return (struct sgd_zs_format){ 0 };
   }
}

static inline uint32_t
sgd_depth_max(const struct sgd_zs_format *f)
{
   return f->depth_bits == 32 ? UINT32_MAX : (1u << f->depth_bits) - 1;
}

/* Returns the key of a stored depth: an unsigned integer that orders like the depth, except for
 * NaN.
 */
static ALWAYS_INLINE uint32_t
sgd_depth_key(const struct sgd_zs_format *f, uint32_t stored)
{
   if (!f->is_float)
      return stored;
   stored &= sgpu_fp_mask((stored & 0x7f800000) != 0);
   return stored ^ (sgpu_fp_mask((int32_t)stored < 0) | 1u << 31);
}

/* Converts a depth to an unsigned normalized format: clamps it to [0, 1] (NaN becomes 0),
 * multiplies it by 2^bits - 1, and rounds half up. The result is exact: with z * 2^bits = n + f,
 *    z * (2^bits - 1) + 1/2 = n + (f - 1/2 - z) + 1,
 * which is at least n + 1 if f - 1/2 >= z, and less than n if z - 1/2 > f. The comparisons are safe
 * against rounding, because a difference that isn't exact is negative.
 */
static inline uint32_t
sgd_depth_unorm(double z, unsigned bits)
{
   z = z > 0.0 ? z : 0.0;
   z = z < 1.0 ? z : 1.0;
   const double scaled = z * (double)(UINT64_C(1) << bits);
   const int64_t n = (int64_t)scaled;
   const double f = scaled - (double)n;
   return (uint32_t)(n + (f - 0.5 >= z) - (z - 0.5 > f));
}

/* Like sgd_depth_unorm(), but for floats. With 32 bits, the scaled value can be 2^31 or more. In
 * that case, 2^31 is subtracted before the conversion to a signed integer. Scaled values of 2^24 or
 * more have no fractional bits.
 */
static ALWAYS_INLINE uint32_t
sgd_depth_unorm_float(float z, unsigned bits)
{
   z = sgpu_bits2f(sgpu_f2bits(z) & sgpu_fp_mask(z > 0.0f));
   const uint32_t one = sgpu_fp_mask(z >= 1.0f);
   if (bits < 32)
      z = sgpu_bits2f(sgpu_fp_pick(one, SGPU_FP_ONE_BITS, sgpu_f2bits(z)));
   else
      z = sgpu_bits2f(sgpu_f2bits(z) & ~one);

   float scaled = z * (bits < 32 ? (float)(int32_t)(1u << bits) : 0x1p32f);
   const uint32_t large = bits < 32 ? 0 : sgpu_fp_mask(scaled >= 0x1p31f);
   scaled -= sgpu_bits2f(large & sgpu_f2bits(0x1p31f));
   const int32_t n = (int32_t)scaled;
   const float f = scaled - (float)n;
   const uint32_t stored = ((uint32_t)n ^ (large & 1u << 31)) - sgpu_fp_mask(f - 0.5f >= z) +
                           sgpu_fp_mask(z - 0.5f > f);
   return bits < 32 ? stored : stored | one;
}

/* Converts a fragment's depth to a floating-point format. ARB_depth_buffer_float clamps fragment
 * depths to [0, 1] even for these formats.
 */
static ALWAYS_INLINE float
sgd_depth_float(float z)
{
   z = sgpu_bits2f(sgpu_f2bits(z) & sgpu_fp_mask(z > 0.0f));
   z = sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(z >= 1.0f), SGPU_FP_ONE_BITS, sgpu_f2bits(z)));
   return sgpu_fflush(z);
}

/* Returns an element of up to 64 bits with the given depth and stencil. Sets *mask to the bits of
 * the element that `set_depth` and `set_stencil` select.
 */
static inline uint64_t
sgd_zs_element(const struct sgd_zs_format *f, double depth, uint8_t stencil, bool set_depth,
               bool set_stencil, uint64_t *mask)
{
   uint64_t value = 0;
   *mask = 0;
   if (set_depth && f->has_depth) {
      const uint32_t d = f->is_float ? sgpu_f2bits(sgpu_fflush((float)depth))
                                     : sgd_depth_unorm(depth, f->depth_bits);
      value |= (uint64_t)d << f->depth_shift;
      *mask |= (uint64_t)sgd_depth_max(f) << f->depth_shift;
   }
   if (set_stencil && f->has_stencil) {
      value |= (uint64_t)stencil << f->stencil_shift;
      *mask |= (uint64_t)0xff << f->stencil_shift;
   }
   return value;
}

#endif
