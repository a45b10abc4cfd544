/* SPDX-License-Identifier: MIT */

/*
 * Models of operations on doubles in 128-bit integers: every result is the exact one, rounded once.
 * Also has bit patterns of doubles for tests that compare with the models.
 */

#ifndef WIDE_MODEL_H
#define WIDE_MODEL_H

#include <math.h>

#include "isa_random.h"
#include "sgpu_fp64.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

#define NAN64 SGPU_FP64_NAN_BITS
#define INF64 SGPU_FP64_INF_BITS
#define SIGN64 SGPU_FP64_SIGN_BIT

static const uint64_t wide_corners[] = {
   0,
   1,
   2,
   SGPU_FP64_MANTISSA,
   0x0010000000000000, /* the smallest normal number */
   0x0010000000000001,
   0x001fffffffffffff,
   0x3810000000000000, /* 2^-126 */
   0x380fffffe0000000,
   0x380fffffefffffff,
   0x380ffffff0000000, /* half a unit of a float below 2^-126 */
   0x3690000000000000, /* 2^-150 */
   0x3fdfffffffffffff,
   0x3fe0000000000000, /* 1/2 */
   0x3ff0000000000000,
   0x3ff0000000000001,
   0x3ff8000000000000,
   0x4004000000000000, /* 2.5 */
   0x41dfffffffc00000, /* 2^31 - 1 */
   0x41e0000000000000,
   0x41e0000000100000,
   0x41efffffffe00000,
   0x41f0000000000000,
   0x4330000000000000, /* 2^52 */
   0x4340000000000001,
   0x43dfffffffffffff,
   0x43e0000000000000, /* 2^63 */
   0x43efffffffffffff,
   0x43f0000000000000,
   0x47efffffe0000000, /* the largest float */
   0x47effffff0000000,
   0x7fe0000000000000,
   0x7fefffffffffffff,
   INF64,
   NAN64,
   0x7ff0000000000001,
   0x5555555555555555,
   0x00000000ffffffff,
   0x0000000100000000,
   0x7fffffffffffffff,
   0x7ffffffffffffc00,
   0x7ffffffffffffbff,
   0x007fffffbfffffff, /* integers near ties of floats */
   0x007fffffc0000000,
   0x007fffffc0000001,
};
#define WIDE_CORNERS (sizeof(wide_corners) / sizeof(wide_corners[0]))

static inline uint64_t
wide_bits(struct isa_random *r)
{
   return (uint64_t)isa_random_below(r, 65536) << 48 | (uint64_t)isa_random_below(r, 65536) << 32 |
          (uint64_t)isa_random_below(r, 65536) << 16 | isa_random_below(r, 65536);
}

/* Returns a corner case, random bits, a small integer, a number with few bits, a subnormal number,
 * or one of a set with similar sizes.
 */
static inline uint64_t
wide_pick(struct isa_random *r)
{
   const uint64_t sign = isa_random_below(r, 2) ? SIGN64 : 0;
   switch (isa_random_below(r, 6)) {
   case 0:
      return wide_corners[isa_random_below(r, WIDE_CORNERS)] ^ sign;
   case 1:
      return wide_bits(r);
   case 2:
      return sgpu_d2bits((double)isa_random_below(r, 1000)) ^ sign;
   case 3:
      return (wide_bits(r) & ~(~0ull >> isa_random_below(r, 60))) ^ sign;
   case 4:
      return wide_bits(r) >> (12 + isa_random_below(r, 52)) | sign;
   default:
      return ((wide_bits(r) & SGPU_FP64_MANTISSA) | (uint64_t)(1000 + isa_random_below(r, 60))
                                                       << 52) ^
             sign;
   }
}

static inline bool
wide_is_nan(uint64_t a)
{
   return (a & ~SIGN64) > INF64;
}

/* Division.  The result has a quotient of about 70 bits and a sticky bit, which are then rounded.
 */
static inline uint64_t
model_div(uint64_t a, uint64_t b)
{
   const uint64_t sign = (a ^ b) & SIGN64, ma = a & ~SIGN64, mb = b & ~SIGN64;
   if (wide_is_nan(a) || wide_is_nan(b) || (ma == INF64 && mb == INF64) || (!ma && !mb))
      return NAN64;
   if (ma == INF64 || !mb)
      return INF64 | sign;
   if (mb == INF64 || !ma)
      return sign;
   int ea, eb;
   const u128 num = (u128)sgpu_fp64_split(a, &ea) << 70;
   const uint64_t den = sgpu_fp64_split(b, &eb);
   const u128 q = num / den;
   return sgpu_fp64_round(q << 1 | (q * den != num), ea - eb - 71) | sign;
}

static inline uint64_t
model_sqrt(uint64_t a)
{
   const uint64_t ma = a & ~SIGN64;
   if (wide_is_nan(a) || (ma && (a & SIGN64)))
      return NAN64;
   if (!ma || ma == INF64)
      return a;
   int e;
   u128 n = (u128)sgpu_fp64_split(a, &e) << 72;
   e -= 72;
   if (e & 1) {
      n <<= 1;
      e--;
   }
   u128 root = 0;
   for (int bit = 63; bit >= 0; bit--) {
      const u128 next = root | (u128)1 << bit;
      if (next * next <= n)
         root = next;
   }
   return sgpu_fp64_round(root << 1 | (root * root != n), e / 2 - 1);
}

/* Rounds to a float with subnormals, and then flushes subnormals to zero. */
static inline uint32_t
model_d2f(uint64_t a)
{
   const uint32_t sign = (uint32_t)(a >> 63) << 31;
   const uint64_t ma = a & ~SIGN64;
   if (wide_is_nan(a))
      return SGPU_FP_NAN_BITS;
   if (ma == INF64 || !ma)
      return sign | (ma ? SGPU_FP_INF_BITS : 0);
   int e;
   uint64_t m = sgpu_fp64_split(a, &e);
   const int drop = e + 52 < -126 ? -149 - e : 29;
   if (drop > 60)
      return sign;
   const uint64_t half = 1ull << (drop - 1), rest = m & (2 * half - 1);
   m >>= drop;
   m += rest > half || (rest == half && (m & 1));
   e += drop;
   if (m >> 24) {
      m >>= 1;
      e++;
   }
   if (e + 23 > 127)
      return sign | SGPU_FP_INF_BITS;
   if (m < 0x800000)
      return sign;
   return sign | ((uint32_t)(e + 23 + 127) << 23) | ((uint32_t)m & 0x7fffff);
}

/* Rounds toward zero and saturates to [low, high]. */
static inline s128
model_integer(uint64_t a, s128 low, s128 high)
{
   const uint64_t ma = a & ~SIGN64;
   int e;
   if (wide_is_nan(a) || !ma)
      return 0;
   s128 v = high;
   if (ma != INF64) {
      const uint64_t m = sgpu_fp64_split(a, &e);
      v = e > 70 ? ((s128)1 << 100) : e >= 0 ? (s128)m << e : e < -63 ? 0 : (s128)(m >> -e);
   } else {
      v = (s128)1 << 100;
   }
   if (a & SIGN64)
      v = -v;
   return v < low ? low : v > high ? high : v;
}

static inline uint64_t
model_from_integer(s128 v)
{
   if (v == 0)
      return 0;
   return v < 0 ? sgpu_fp64_round((u128)-v, 0) | SIGN64 : sgpu_fp64_round((u128)v, 0);
}

static inline float
model_float_from_integer(s128 v)
{
   u128 m = v < 0 ? (u128)-v : (u128)v;
   int e = 0;
   if (!m)
      return 0;
   while (m >> 26) {
      m = m >> 1 | (m & 1);
      e++;
   }
   /* At most 26 bits remain, the lowest of which is sticky.  A double represents them exactly, so
    * only one rounding follows.
    */
   const double d = ldexp((double)(uint64_t)m, e);
   return (float)(v < 0 ? -d : d);
}

static inline uint64_t
wide_canon(uint64_t a)
{
   return wide_is_nan(a) ? NAN64 : a;
}

#endif /* WIDE_MODEL_H */
