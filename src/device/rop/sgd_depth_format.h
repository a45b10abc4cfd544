/* SPDX-License-Identifier: MIT */
/*
 * ROP: depth and stencil formats, as words in memory.  Depth is compared as
 * stored: an unsigned integer for unorm formats, a float for the others.
 */
#ifndef SGD_DEPTH_FORMAT_H
#define SGD_DEPTH_FORMAT_H

#include <string.h>

#include "sgd_state.h"
#include "sgpu_fp.h"

struct sgd_zs_format {
   uint8_t bytes;            /* of an element */
   uint8_t depth_shift, depth_bits;
   uint8_t stencil_shift;    /* in bits of the element */
   bool has_depth, has_stencil, is_float;
};

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

/* A depth as stored: clamped to [0, 1] (NaN to 0), scaled, rounded to nearest.
 * Double holds the product exactly.
 */
static inline uint32_t
sgd_depth_unorm(double z, uint32_t max)
{
   z = z > 0.0 ? z : 0.0;
   z = z < 1.0 ? z : 1.0;
   return (uint32_t)(int64_t)(z * max + 0.5);
}

/* All 64 bits of an element with the given depth and stencil in the places
 * that *mask says.
 */
static inline uint64_t
sgd_zs_element(const struct sgd_zs_format *f, double depth, uint8_t stencil, bool set_depth,
               bool set_stencil, uint64_t *mask)
{
   uint64_t value = 0;
   *mask = 0;
   if (set_depth && f->has_depth) {
      const uint32_t d = f->is_float ? sgpu_f2bits((float)depth)
                                     : sgd_depth_unorm(depth, sgd_depth_max(f));
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
