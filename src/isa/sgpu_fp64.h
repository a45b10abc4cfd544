/* SPDX-License-Identifier: MIT */

/*
 * Double precision arithmetic of the shader cores: one function per operation and value. Like
 * the functions of sgpu_fp.h for floats, they define the ISA's results bit for bit.
 *
 *  - IEEE 754 double precision, round to nearest even; sums, products, quotients, roots and
 *    fused multiply-adds round once;
 *  - subnormal numbers are valid numbers: neither inputs nor results are flushed;
 *  - a NaN result is 0x7ff8000000000000;
 *  - masks are 0 and ~0;
 *  - conversions from and to floats replace a subnormal float with a zero of the same sign.
 *
 * Files that use these functions must be built with the flags in sgpu_fp.h. Arithmetic is valid
 * only between sgpu_fp64_enter() and sgpu_fp64_leave(), which nest in sgpu_fp_enter() and
 * sgpu_fp_leave(). Between the two calls, operands must be loaded from memory that both functions
 * may access (or that was passed to sgpu_fp64_fence()), and results must be stored to this memory:
 * the compiler may move arithmetic on other values across the change of the mode.
 *
 * A host without a fused multiply-add instruction emulates it with integers (sgpu_dfma_integer()),
 * with identical results.
 */

#ifndef SGPU_FP64_H
#define SGPU_FP64_H

#include "sgpu_fp.h"

#define SGPU_FP64_NAN_BITS 0x7ff8000000000000ull
#define SGPU_FP64_INF_BITS 0x7ff0000000000000ull
#define SGPU_FP64_SIGN_BIT 0x8000000000000000ull
#define SGPU_FP64_MANTISSA 0x000fffffffffffffull

/* Floating-point mode of the thread: no flushing. Only changed on hosts that flush floats in
 * hardware.
 */

#if SGPU_FP_HW_FTZ

static inline uint32_t
sgpu_fp64_enter(void)
{
   uint32_t saved;
   const uint32_t mode = 0x1f80u;
   __asm__ volatile("stmxcsr %0" : "=m"(saved) : : "memory");
   __asm__ volatile("ldmxcsr %0" : : "m"(mode) : "memory");
   return saved;
}

static inline void
sgpu_fp64_leave(uint32_t saved)
{
   __asm__ volatile("ldmxcsr %0" : : "m"(saved) : "memory");
}

#else

static inline uint32_t
sgpu_fp64_enter(void)
{
   return 0;
}

static inline void
sgpu_fp64_leave(uint32_t saved)
{
   (void)saved;
}

#endif

/* Orders accesses to memory at p after the preceding change of the mode and before the following
 * one.
 */
static inline void
sgpu_fp64_fence(const void *p)
{
   __asm__ volatile("" : : "r"(p) : "memory");
}

/*
 * Building blocks
 */

static inline uint64_t
sgpu_fp64_mask(bool c)
{
   return -(uint64_t)c;
}

/* Returns a if the mask is ~0, and b if it is 0. */
static inline uint64_t
sgpu_fp64_pick(uint64_t mask, uint64_t a, uint64_t b)
{
   return (a & mask) | (b & ~mask);
}

static inline double
sgpu_fp64_canon(double x)
{
   return sgpu_bits2d(sgpu_fp64_pick(sgpu_fp64_mask(x != x), SGPU_FP64_NAN_BITS, sgpu_d2bits(x)));
}

static inline double
sgpu_fp64_abs(double x)
{
   return sgpu_bits2d(sgpu_d2bits(x) & ~SGPU_FP64_SIGN_BIT);
}

/*
 * Arithmetic
 */

static inline double
sgpu_dadd(double a, double b)
{
   return sgpu_fp64_canon(a + b);
}

static inline double
sgpu_dmul(double a, double b)
{
   return sgpu_fp64_canon(a * b);
}

static inline double
sgpu_ddiv(double a, double b)
{
   return sgpu_fp64_canon(a / b);
}

/* sqrt(x). Returns NaN for negative numbers, and -0 for -0. */
static inline double
sgpu_dsqrt(double x)
{
   return sgpu_fp64_canon(__builtin_sqrt(x));
}

/* Splits a nonzero number: |x| = mantissa 2^exponent, with a mantissa of 53 bits. */
static inline uint64_t
sgpu_fp64_split(uint64_t bits, int *exponent)
{
   const uint64_t fraction = bits & SGPU_FP64_MANTISSA;
   const int biased = (int)(bits >> 52) & 0x7ff;
   if (biased) {
      *exponent = biased - 1075;
      return fraction | (1ull << 52);
   }
   const int up = __builtin_clzll(fraction) - 11;
   *exponent = -1074 - up;
   return fraction << up;
}

/* Rounds sum 2^exponent, where sum is nonzero, to the magnitude of a double. If sum has more than
 * 53 bits, its bit 0 may be a sticky bit for any bits below it.
 */
static inline uint64_t
sgpu_fp64_round(unsigned __int128 sum, int exponent)
{
   const uint64_t high = (uint64_t)(sum >> 64);
   const int top = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)sum);
   const bool normal = top + exponent >= -1022;
   const int shift = normal ? top - 52 : -1074 - exponent;
   if (top + exponent > 1023)
      return SGPU_FP64_INF_BITS;
   if (shift > 127)
      return 0;

   uint64_t mantissa;
   if (shift <= 0) {
      mantissa = (uint64_t)sum << -shift;
   } else {
      const unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
      const unsigned __int128 rest = sum & (half + (half - 1));
      mantissa = (uint64_t)(sum >> shift);
      mantissa += rest > half || (rest == half && (mantissa & 1));
   }
   /* The highest bit of the mantissa, or the carry from rounding, increments the exponent. */
   return normal ? ((uint64_t)(top + exponent + 1022) << 52) + mantissa : mantissa;
}

/* Shifts a right by n bits, and sets bit 0 of the result if any set bit was shifted out. */
static inline unsigned __int128
sgpu_fp64_shift_sticky(unsigned __int128 a, int n)
{
   if (n > 127)
      return a != 0;
   const unsigned __int128 r = a >> n;
   return r | ((r << n) != a);
}

/* a * b + c with a single rounding, computed on bits without floating-point arithmetic. */
static inline uint64_t
sgpu_dfma_integer(uint64_t a, uint64_t b, uint64_t c)
{
   const uint64_t sign = (a ^ b) & SGPU_FP64_SIGN_BIT, sign_c = c & SGPU_FP64_SIGN_BIT;
   const uint64_t ma = a & ~SGPU_FP64_SIGN_BIT, mb = b & ~SGPU_FP64_SIGN_BIT;
   const uint64_t mc = c & ~SGPU_FP64_SIGN_BIT;
   const uint64_t inf = SGPU_FP64_INF_BITS;

   if (ma > inf || mb > inf || mc > inf)
      return SGPU_FP64_NAN_BITS;
   if (ma == inf || mb == inf) {
      const bool invalid = ma == 0 || mb == 0 || (mc == inf && sign != sign_c);
      return invalid ? SGPU_FP64_NAN_BITS : inf | sign;
   }
   if (mc == inf)
      return c;
   if (ma == 0 || mb == 0)
      return mc == 0 ? sign & sign_c : c;

   /* The highest bit of the product is bit 124 or 125, and that of the addend is bit 125. If the
    * subtraction cancels more than one bit, the operands are close enough that the alignment loses
    * no bits, because the low 20 bits of the product and the low 73 bits of the addend are zero.
    */
   int ea, eb, ec;
   unsigned __int128 x = (unsigned __int128)sgpu_fp64_split(a, &ea) * sgpu_fp64_split(b, &eb);
   int ex = ea + eb - 20;
   x <<= 20;
   if (mc == 0)
      return sgpu_fp64_round(x, ex) | sign;
   unsigned __int128 y = (unsigned __int128)sgpu_fp64_split(c, &ec) << 73;
   const int ey = ec - 73;
   if (ex >= ey) {
      y = sgpu_fp64_shift_sticky(y, ex - ey);
   } else {
      x = sgpu_fp64_shift_sticky(x, ey - ex);
      ex = ey;
   }
   if (sign == sign_c)
      return sgpu_fp64_round(x + y, ex) | sign;
   if (x == y)
      return 0;
   return x > y ? sgpu_fp64_round(x - y, ex) | sign : sgpu_fp64_round(y - x, ex) | sign_c;
}

/* a * b + c with a single rounding. */
static inline double
sgpu_dfma(double a, double b, double c)
{
#if defined(__FMA__) || defined(__aarch64__)
   return sgpu_fp64_canon(__builtin_fma(a, b, c));
#else
   return sgpu_bits2d(sgpu_dfma_integer(sgpu_d2bits(a), sgpu_d2bits(b), sgpu_d2bits(c)));
#endif
}

/* If one operand is NaN, returns the other operand. Treats -0 as less than +0. */
static inline double
sgpu_dmin(double a, double b)
{
   const uint64_t u = sgpu_d2bits(a), v = sgpu_d2bits(b);
   uint64_t r = sgpu_fp64_pick(sgpu_fp64_mask(a < b), u, v);
   r = sgpu_fp64_pick(sgpu_fp64_mask(a == b), u | v, r);
   r = sgpu_fp64_pick(sgpu_fp64_mask(b != b), u, r);
   return sgpu_fp64_canon(sgpu_bits2d(r));
}

static inline double
sgpu_dmax(double a, double b)
{
   const uint64_t u = sgpu_d2bits(a), v = sgpu_d2bits(b);
   uint64_t r = sgpu_fp64_pick(sgpu_fp64_mask(a < b), v, u);
   r = sgpu_fp64_pick(sgpu_fp64_mask(a == b), u & v, r);
   r = sgpu_fp64_pick(sgpu_fp64_mask(a != a), v, r);
   return sgpu_fp64_canon(sgpu_bits2d(r));
}

/* Rounding to integral values. Zeros keep the sign of the source. */

static inline double
sgpu_dtrunc(double x)
{
   const uint64_t u = sgpu_d2bits(x);
   const uint64_t exponent = (u >> 52) & 0x7ffu;
   /* Numbers of at least 2^52 have no fractional bits. Numbers below 1 keep only the sign. */
   const uint64_t fraction = SGPU_FP64_MANTISSA >> ((exponent - 1023u) & 63u);
   uint64_t r = u & ~fraction;
   r = sgpu_fp64_pick(sgpu_fp64_mask(exponent < 1023u), u & SGPU_FP64_SIGN_BIT, r);
   r = sgpu_fp64_pick(sgpu_fp64_mask(exponent >= 1075u), u, r);
   return sgpu_fp64_canon(sgpu_bits2d(r));
}

static inline double
sgpu_dfloor(double x)
{
   const double t = sgpu_dtrunc(x);
   const uint64_t lower = sgpu_fp64_mask(t > x);
   return sgpu_bits2d(sgpu_fp64_pick(lower, sgpu_d2bits(t - 1.0), sgpu_d2bits(t)));
}

static inline double
sgpu_dceil(double x)
{
   const double t = sgpu_dtrunc(x);
   const uint64_t higher = sgpu_fp64_mask(t < x);
   return sgpu_bits2d(sgpu_fp64_pick(higher, sgpu_d2bits(t + 1.0), sgpu_d2bits(t)));
}

/* Rounds halfway cases to even. */
static inline double
sgpu_dround(double x)
{
   const uint64_t u = sgpu_d2bits(x);
   const double mag = sgpu_fp64_abs(x);
   const double rounded = (mag + 0x1p52) - 0x1p52;
   const uint64_t r = sgpu_d2bits(rounded) | (u & SGPU_FP64_SIGN_BIT);
   return sgpu_fp64_canon(sgpu_bits2d(sgpu_fp64_pick(sgpu_fp64_mask(mag < 0x1p52), r, u)));
}

/* x - floor(x), rounded. Returns 1 for negative x very close to 0. */
static inline double
sgpu_dfract(double x)
{
   return sgpu_fp64_canon(x - sgpu_dfloor(x));
}

/* Returns -1, 1, or a zero with the sign of the source. Returns +0 for NaN. */
static inline double
sgpu_dsign(double x)
{
   const uint64_t u = sgpu_d2bits(x);
   const uint64_t one = sgpu_fp64_mask(x < 0.0 || x > 0.0) & 0x3ff0000000000000ull;
   return sgpu_bits2d((one | (u & SGPU_FP64_SIGN_BIT)) & sgpu_fp64_mask(x == x));
}

/* Comparisons that an instruction's condition field selects, like sgpu_fcmp(). */
static inline uint32_t
sgpu_dcmp(unsigned cond, double a, double b)
{
   switch (cond & 7u) {
   case 1:
      return sgpu_fp_mask(a < b);
   case 2:
      return sgpu_fp_mask(a == b);
   case 3:
      return sgpu_fp_mask(a <= b);
   case 4:
      return sgpu_fp_mask(a > b);
   case 5:
      return sgpu_fp_mask(a != b);
   case 6:
      return sgpu_fp_mask(a >= b);
   case 7:
      return ~0u;
   default:
      return 0;
   }
}

/* Conversions. Conversions to integers truncate and saturate. NaN becomes 0. */

static inline double
sgpu_f2d(float x)
{
   return sgpu_fp64_canon((double)sgpu_fflush(x));
}

/* Rounds as if subnormal floats were valid results, and then flushes subnormal results. Numbers
 * that round up to 2^-126 are kept, unlike products and sums of floats that are tiny when rounded
 * to 24 bits.
 */
static inline float
sgpu_d2f(double x)
{
   return sgpu_fp_canon(sgpu_fflush((float)x));
}

static inline double
sgpu_i2d(int32_t i)
{
   return (double)i;
}

static inline double
sgpu_u2d(uint32_t u)
{
   return (double)(int32_t)(u ^ 0x80000000u) + 0x1p31;
}

static inline double
sgpu_l2d(int64_t l)
{
   return (double)l;
}

static inline double
sgpu_q2d(uint64_t q)
{
   return (double)q;
}

static inline float
sgpu_l2f(int64_t l)
{
   return (float)l;
}

static inline float
sgpu_q2f(uint64_t q)
{
   return (float)q;
}

/* Returns x if the flag is set, and 0 otherwise. */
static inline double
sgpu_fp64_where(bool flag, double x)
{
   return sgpu_bits2d(sgpu_d2bits(x) & sgpu_fp64_mask(flag));
}

static inline int32_t
sgpu_d2i(double x)
{
   const int32_t r = (int32_t)sgpu_fp64_where(x > -0x1.00000002p31 && x < 0x1p31, x);
   return x >= 0x1p31 ? INT32_MAX : x <= -0x1.00000002p31 ? INT32_MIN : r;
}

static inline int64_t
sgpu_d2l(double x)
{
   const int64_t r = (int64_t)sgpu_fp64_where(x >= -0x1p63 && x < 0x1p63, x);
   return x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : r;
}

static inline uint32_t
sgpu_d2u(double x)
{
   const uint32_t r = (uint32_t)(int64_t)sgpu_fp64_where(x > -1.0 && x < 0x1p32, x);
   return x >= 0x1p32 ? UINT32_MAX : r;
}

static inline uint64_t
sgpu_d2q(double x)
{
   const bool high = x >= 0x1p63;
   const double low = high ? x - 0x1p63 : x;
   const uint64_t r = (uint64_t)(int64_t)sgpu_fp64_where(low > -1.0 && low < 0x1p63, low);
   return x >= 0x1p64 ? UINT64_MAX : r + (high ? SGPU_FP64_SIGN_BIT : 0);
}

/* Subnormal floats need no flushing, because they truncate to 0 anyway. */
static inline int64_t
sgpu_f2l(float x)
{
   return sgpu_d2l((double)x);
}

static inline uint64_t
sgpu_f2q(float x)
{
   return sgpu_d2q((double)x);
}

#endif /* SGPU_FP64_H */
