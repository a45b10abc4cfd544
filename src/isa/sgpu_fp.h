/* SPDX-License-Identifier: MIT */

/*
 * Arithmetic of the shader cores, with one function per floating-point operation and lane. The
 * functions define the results of the ISA bit for bit. The interpreter, the translator's tests and
 * the compiler's constant folding all use them.
 *
 * These rules apply to every function unless its comment says otherwise:
 *
 *  - IEEE 754 single precision, round to nearest even, nothing fused;
 *  - a subnormal input counts as a zero with the same sign;
 *  - a result that is tiny after rounding (below 2^-126 when rounded to 24 bits with unbounded
 *    exponent) becomes a zero with the same sign;
 *  - a NaN result is 0x7fc00000;
 *  - masks are 0 and ~0.
 *
 * The functions contain no branches or calls, so that a plain loop over the lanes of a warp
 * becomes vector code:
 *
 *    for (unsigned i = 0; i < 32; i++)
 *       d[i] = sgpu_fadd(a[i], b[i]);
 *
 * Files that use these functions must be built with
 *
 *    -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
 *
 * and never with -ffast-math. Arithmetic is valid only between sgpu_fp_enter() and
 * sgpu_fp_leave(), and these must not be called from the function that does the
 * arithmetic: compilers may move arithmetic across a change of the floating-point mode.
 * sgpu_fp_check() returns true if the mode and the build flags are correct.
 *
 * Flushing: on x86-64 the hardware flushes (MXCSR.FTZ and MXCSR.DAZ), because SSE detects
 * tininess after rounding. On other hosts, and on x86-64 with -DSGPU_FP_SOFT_FTZ, the functions
 * flush with explicit selects and the hardware runs in plain IEEE mode; the results are the
 * same. If the hardware flushes, the compiler must not see constant operands, because it folds
 * them without flushing.
 *
 * If the sign of a zero matters, an expression must not convert to an integer and back: without
 * -ftrapping-math, GCC replaces (float)(int32_t)x by trunc(x).
 */

#ifndef SGPU_FP_H
#define SGPU_FP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "sgpu_fp.h: -ffast-math changes results"
#endif

#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && !defined(__NO_MATH_ERRNO__)
#error "sgpu_fp.h: build with -fno-math-errno, or square roots become calls"
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "sgpu_fp.h: float arithmetic must be evaluated in float"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__x86_64__) && !defined(SGPU_FP_SOFT_FTZ)
#define SGPU_FP_HW_FTZ 1
#else
#define SGPU_FP_HW_FTZ 0
#endif

#define SGPU_FP_INF __builtin_inff()
#define SGPU_FP_NAN_BITS 0x7fc00000u
#define SGPU_FP_INF_BITS 0x7f800000u
#define SGPU_FP_ONE_BITS 0x3f800000u
#define SGPU_FP_SIGN_BIT 0x80000000u
#define SGPU_FP_MIN_BITS 0x00800000u /* 2^-126, the smallest normal number */

/*
 * Bit casts
 */

static inline uint32_t
sgpu_f2bits(float x)
{
   uint32_t u;
   memcpy(&u, &x, sizeof(u));
   return u;
}

static inline float
sgpu_bits2f(uint32_t u)
{
   float x;
   memcpy(&x, &u, sizeof(x));
   return x;
}

static inline uint64_t
sgpu_d2bits(double x)
{
   uint64_t u;
   memcpy(&u, &x, sizeof(u));
   return u;
}

static inline double
sgpu_bits2d(uint64_t u)
{
   double x;
   memcpy(&x, &u, sizeof(x));
   return x;
}

/*
 * Floating-point mode of the thread
 */

#if defined(__x86_64__)

/* MXCSR value: mask all exceptions, round to nearest, and set FTZ and DAZ if the hardware flushes.
 */
#define SGPU_FP_MXCSR (0x1f80u | (SGPU_FP_HW_FTZ ? 0x8040u : 0u))

/* Sets the floating-point mode. Returns the old mode for sgpu_fp_leave(). */
static inline uint64_t
sgpu_fp_enter(void)
{
   uint32_t saved, mode = SGPU_FP_MXCSR;
   __asm__ volatile("stmxcsr %0" : "=m"(saved) : : "memory");
   __asm__ volatile("ldmxcsr %0" : : "m"(mode) : "memory");
   return saved;
}

static inline void
sgpu_fp_leave(uint64_t saved)
{
   uint32_t mode = (uint32_t)saved;
   __asm__ volatile("ldmxcsr %0" : : "m"(mode) : "memory");
}

static inline bool
sgpu_fp_mode_ok(void)
{
   uint32_t mode;
   __asm__ volatile("stmxcsr %0" : "=m"(mode) : : "memory");
   /* Ignore the low six bits, which are sticky exception flags. */
   return (mode & 0xffc0u) == SGPU_FP_MXCSR;
}

#elif defined(__aarch64__)

/* FPCR bits to compare: FZ, the rounding mode, and bits AH and FIZ of FEAT_AFP. */
#define SGPU_FP_FPCR_MASK ((1ull << 24) | (3ull << 22) | (1ull << 1) | (1ull << 0))

static inline uint64_t
sgpu_fp_enter(void)
{
   uint64_t saved;
   __asm__ volatile("mrs %0, fpcr" : "=r"(saved) : : "memory");
   __asm__ volatile("msr fpcr, %0" : : "r"(saved & ~SGPU_FP_FPCR_MASK) : "memory");
   return saved;
}

static inline void
sgpu_fp_leave(uint64_t saved)
{
   __asm__ volatile("msr fpcr, %0" : : "r"(saved) : "memory");
}

static inline bool
sgpu_fp_mode_ok(void)
{
   uint64_t mode;
   __asm__ volatile("mrs %0, fpcr" : "=r"(mode) : : "memory");
   return (mode & SGPU_FP_FPCR_MASK) == 0;
}

#else

static inline uint64_t
sgpu_fp_enter(void)
{
   return 0;
}
static inline void
sgpu_fp_leave(uint64_t saved)
{
   (void)saved;
}
static inline bool
sgpu_fp_mode_ok(void)
{
   return true;
}

#endif

/* Returns true if the mode of the thread is set, and if the including file was built without
 * contraction of a * b + c. For assertions.
 */
static inline bool
sgpu_fp_check(void)
{
   volatile float a = 0x1.000002p0f, b = 0x1.fffffep-1f, c = -1.0f;
   volatile float half_min = sgpu_bits2f(SGPU_FP_MIN_BITS), half = 0.5f;
   const float x = a, y = b, z = c;
   /* x * y is 1 + 2^-24 - 2^-47, which rounds to 1 unless the operations are fused. */
   const bool unfused = x * y + z == 0.0f;
   const float h = half_min * half;
   return sgpu_fp_mode_ok() && unfused && (sgpu_f2bits(h) == 0) == SGPU_FP_HW_FTZ;
}

/*
 * Building blocks. Selects are written with masks instead of "?:". GCC first turns "?:"
 * into branches and merges dependent ones, so that the vectorizer finds many more selects
 * than were written. A mask that comes directly from a comparison costs one blend.
 *
 * "Raw" operations flush like all others but do not make NaNs canonical. Their NaNs may
 * only be passed to sgpu_fp_canon().
 */

static inline uint32_t
sgpu_fp_mask(bool c)
{
   return -(uint32_t)c;
}

/* Returns a if the mask is ~0, and b if it is 0. */
static inline uint32_t
sgpu_fp_pick(uint32_t mask, uint32_t a, uint32_t b)
{
   return (a & mask) | (b & ~mask);
}

/* Replaces subnormal numbers with zeros of the same sign. Leaves all other values unchanged,
 * including NaNs.
 */
static inline float
sgpu_fflush(float x)
{
   const uint32_t u = sgpu_f2bits(x);
   const uint32_t tiny = sgpu_fp_mask((u & SGPU_FP_INF_BITS) == 0);
   return sgpu_bits2f(u & ~(tiny & ~SGPU_FP_SIGN_BIT));
}

static inline float
sgpu_fp_canon(float x)
{
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(x != x), SGPU_FP_NAN_BITS, sgpu_f2bits(x)));
}

/* Flushes an input to zero if the hardware does not flush. */
static inline float
sgpu_fp_in(float x)
{
#if SGPU_FP_HW_FTZ
   return x;
#else
   return sgpu_fflush(x);
#endif
}

static inline float
sgpu_fp_raw_add(float a, float b)
{
#if SGPU_FP_HW_FTZ
   return a + b;
#else
   /* A subnormal sum is exact, so rounding cannot affect whether it is tiny. */
   return sgpu_fflush(sgpu_fflush(a) + sgpu_fflush(b));
#endif
}

#if !SGPU_FP_HW_FTZ
/* Rounds x, which must have at least 48 correct bits, to single precision. A number is tiny after
 * rounding if it is less than the midpoint between 2^-126 and the largest smaller 24-bit number.
 * IEEE rounding would round some tiny numbers up to 2^-126.
 */
static inline float
sgpu_fp_narrow(double x)
{
   const uint64_t u = sgpu_d2bits(x);
   const uint64_t sign = u & (1ull << 63);
   const double mag = sgpu_bits2d(u ^ sign);
   const uint64_t tiny = -(uint64_t)(mag < 0x1.ffffffp-127);
   return (float)sgpu_bits2d(((u ^ sign) & ~tiny) | sign);
}
#endif

static inline float
sgpu_fp_raw_mul(float a, float b)
{
#if SGPU_FP_HW_FTZ
   return a * b;
#else
   /* The product is exact in double precision. */
   return sgpu_fp_narrow((double)sgpu_fflush(a) * (double)sgpu_fflush(b));
#endif
}

/* Multiplies a and b. The product is +0 if a or b is zero (of either sign, including flushed
 * inputs).
 */
static inline float
sgpu_fp_raw_mulz(float a, float b)
{
   const float x = sgpu_fp_in(a), y = sgpu_fp_in(b);
   const uint32_t r = sgpu_f2bits(sgpu_fp_raw_mul(x, y));
   return sgpu_bits2f(r & sgpu_fp_mask(x != 0.0f) & sgpu_fp_mask(y != 0.0f));
}

/* Moves. They copy bits: nothing is flushed, and NaNs stay unchanged. */

static inline float
sgpu_fneg(float x)
{
   return sgpu_bits2f(sgpu_f2bits(x) ^ SGPU_FP_SIGN_BIT);
}

static inline float
sgpu_fabs(float x)
{
   return sgpu_bits2f(sgpu_f2bits(x) & ~SGPU_FP_SIGN_BIT);
}

/*
 * Sums and products
 */

static inline float
sgpu_fadd(float a, float b)
{
   return sgpu_fp_canon(sgpu_fp_raw_add(a, b));
}

static inline float
sgpu_fsub(float a, float b)
{
   return sgpu_fadd(a, sgpu_fneg(b));
}

static inline float
sgpu_fmul(float a, float b)
{
   return sgpu_fp_canon(sgpu_fp_raw_mul(a, b));
}

/* Version of fmul whose result is +0 if a or b is zero, even if the other is infinity or NaN. */
static inline float
sgpu_fmulz(float a, float b)
{
   return sgpu_fp_canon(sgpu_fp_raw_mulz(a, b));
}

/* (a * b) + c, with rounding and flushing after each operation. */
static inline float
sgpu_fmad(float a, float b, float c)
{
   return sgpu_fp_canon(sgpu_fp_raw_add(sgpu_fp_raw_mul(a, b), c));
}

static inline float
sgpu_fmadz(float a, float b, float c)
{
   return sgpu_fp_canon(sgpu_fp_raw_add(sgpu_fp_raw_mulz(a, b), c));
}

/* Dot products: rounds all products first, then adds x + y, + z and + w in this order. */
static inline float
sgpu_fdp2(float ax, float ay, float bx, float by)
{
   return sgpu_fp_canon(sgpu_fp_raw_add(sgpu_fp_raw_mul(ax, bx), sgpu_fp_raw_mul(ay, by)));
}

static inline float
sgpu_fdp2z(float ax, float ay, float bx, float by)
{
   return sgpu_fp_canon(sgpu_fp_raw_add(sgpu_fp_raw_mulz(ax, bx), sgpu_fp_raw_mulz(ay, by)));
}

static inline float
sgpu_fdp3(float ax, float ay, float az, float bx, float by, float bz)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mul(ax, bx), sgpu_fp_raw_mul(ay, by));
   return sgpu_fp_canon(sgpu_fp_raw_add(xy, sgpu_fp_raw_mul(az, bz)));
}

static inline float
sgpu_fdp3z(float ax, float ay, float az, float bx, float by, float bz)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mulz(ax, bx), sgpu_fp_raw_mulz(ay, by));
   return sgpu_fp_canon(sgpu_fp_raw_add(xy, sgpu_fp_raw_mulz(az, bz)));
}

static inline float
sgpu_fdp4(float ax, float ay, float az, float aw, float bx, float by, float bz, float bw)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mul(ax, bx), sgpu_fp_raw_mul(ay, by));
   const float xyz = sgpu_fp_raw_add(xy, sgpu_fp_raw_mul(az, bz));
   return sgpu_fp_canon(sgpu_fp_raw_add(xyz, sgpu_fp_raw_mul(aw, bw)));
}

static inline float
sgpu_fdp4z(float ax, float ay, float az, float aw, float bx, float by, float bz, float bw)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mulz(ax, bx), sgpu_fp_raw_mulz(ay, by));
   const float xyz = sgpu_fp_raw_add(xy, sgpu_fp_raw_mulz(az, bz));
   return sgpu_fp_canon(sgpu_fp_raw_add(xyz, sgpu_fp_raw_mulz(aw, bw)));
}

/* Homogeneous dot product: ((x + y) + z) + b.w */
static inline float
sgpu_fdph(float ax, float ay, float az, float bx, float by, float bz, float bw)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mul(ax, bx), sgpu_fp_raw_mul(ay, by));
   const float xyz = sgpu_fp_raw_add(xy, sgpu_fp_raw_mul(az, bz));
   return sgpu_fp_canon(sgpu_fp_raw_add(xyz, bw));
}

static inline float
sgpu_fdphz(float ax, float ay, float az, float bx, float by, float bz, float bw)
{
   const float xy = sgpu_fp_raw_add(sgpu_fp_raw_mulz(ax, bx), sgpu_fp_raw_mulz(ay, by));
   const float xyz = sgpu_fp_raw_add(xy, sgpu_fp_raw_mulz(az, bz));
   return sgpu_fp_canon(sgpu_fp_raw_add(xyz, bw));
}

/* a / b, correctly rounded. */
static inline float
sgpu_fdiv(float a, float b)
{
#if SGPU_FP_HW_FTZ
   return sgpu_fp_canon(a / b);
#else
   /* Rounding the 53-bit quotient a second time doesn't change the result: the quotient of two
    * 24-bit numbers is either exactly halfway between two 24-bit numbers, or further away from the
    * midpoint than the error of the first rounding.
    */
   return sgpu_fp_canon(sgpu_fp_narrow((double)sgpu_fflush(a) / (double)sgpu_fflush(b)));
#endif
}

/*
 * Minimum, maximum, clamping
 */

/* If one operand is NaN, returns the other operand. If both are NaN, returns NaN. Treats -0 as less
 * than +0.
 */
static inline float
sgpu_fmin(float a, float b)
{
   const float x = sgpu_fp_in(a), y = sgpu_fp_in(b);
   const uint32_t ux = sgpu_f2bits(x), uy = sgpu_f2bits(y);
   uint32_t r = sgpu_fp_pick(sgpu_fp_mask(x < y), ux, uy);
   /* Equal operands differ at most in the sign of zero, or are both subnormal. */
   r = sgpu_fp_pick(sgpu_fp_mask(x == y), ux | uy, r);
   r = sgpu_fp_pick(sgpu_fp_mask(y != y), ux, r);
   return sgpu_fp_canon(sgpu_fflush(sgpu_bits2f(r)));
}

static inline float
sgpu_fmax(float a, float b)
{
   const float x = sgpu_fp_in(a), y = sgpu_fp_in(b);
   const uint32_t ux = sgpu_f2bits(x), uy = sgpu_f2bits(y);
   uint32_t r = sgpu_fp_pick(sgpu_fp_mask(x > y), ux, uy);
   r = sgpu_fp_pick(sgpu_fp_mask(x == y), ux & uy, r);
   r = sgpu_fp_pick(sgpu_fp_mask(y != y), ux, r);
   return sgpu_fp_canon(sgpu_fflush(sgpu_bits2f(r)));
}

/* Clamps to [0, 1]. Returns +0 for NaN and -0. */
static inline float
sgpu_fsat(float x)
{
   const float y = sgpu_fp_in(x);
   const float r = sgpu_bits2f(sgpu_f2bits(y) & sgpu_fp_mask(y > 0.0f));
   return r < 1.0f ? r : 1.0f;
}

/* Returns -1, 1, or a zero with the sign of the input. Returns +0 for NaN. */
static inline float
sgpu_fsign(float x)
{
   const float y = sgpu_fp_in(x);
   const uint32_t sign = sgpu_f2bits(y) & SGPU_FP_SIGN_BIT;
   const uint32_t mag = sgpu_fp_mask(y != 0.0f) & SGPU_FP_ONE_BITS;
   return sgpu_bits2f((mag | sign) & sgpu_fp_mask(y == y));
}

/* Rounding to integral values, exact for every input. A result of zero has the sign of the input.
 */

static inline float
sgpu_ffloor(float x)
{
   return sgpu_fp_canon(__builtin_floorf(sgpu_fp_in(x)));
}

static inline float
sgpu_fceil(float x)
{
   return sgpu_fp_canon(__builtin_ceilf(sgpu_fp_in(x)));
}

static inline float
sgpu_ftrunc(float x)
{
   return sgpu_fp_canon(__builtin_truncf(sgpu_fp_in(x)));
}

/* Rounds halfway cases to even. */
static inline float
sgpu_fround(float x)
{
   return sgpu_fp_canon(__builtin_rintf(sgpu_fp_in(x)));
}

/* x - floor(x), which rounds to 1 for small negative x. Returns NaN for infinities. */
static inline float
sgpu_ffract(float x)
{
   const float y = sgpu_fp_in(x);
   return sgpu_fp_canon(y - __builtin_floorf(y));
}

/* Comparisons. If an operand is NaN, sgpu_fne() is true and all others are false. */

static inline uint32_t
sgpu_flt(float a, float b)
{
   return sgpu_fp_mask(sgpu_fp_in(a) < sgpu_fp_in(b));
}

static inline uint32_t
sgpu_fge(float a, float b)
{
   return sgpu_fp_mask(sgpu_fp_in(a) >= sgpu_fp_in(b));
}

static inline uint32_t
sgpu_feq(float a, float b)
{
   return sgpu_fp_mask(sgpu_fp_in(a) == sgpu_fp_in(b));
}

static inline uint32_t
sgpu_fne(float a, float b)
{
   return sgpu_fp_mask(sgpu_fp_in(a) != sgpu_fp_in(b));
}

/* Comparisons that return 1.0 or 0.0 instead of a mask. */
static inline float
sgpu_fslt(float a, float b)
{
   return sgpu_bits2f(sgpu_flt(a, b) & SGPU_FP_ONE_BITS);
}

static inline float
sgpu_fsge(float a, float b)
{
   return sgpu_bits2f(sgpu_fge(a, b) & SGPU_FP_ONE_BITS);
}

static inline float
sgpu_fseq(float a, float b)
{
   return sgpu_bits2f(sgpu_feq(a, b) & SGPU_FP_ONE_BITS);
}

static inline float
sgpu_fsne(float a, float b)
{
   return sgpu_bits2f(sgpu_fne(a, b) & SGPU_FP_ONE_BITS);
}

/*
 * Conversions
 */

/* Truncates and saturates to [-2^31, 2^31 - 1]. Returns 0 for NaN. */
static inline int32_t
sgpu_f2i(float x)
{
   const uint32_t u = sgpu_f2bits(x);
   const float mag = sgpu_fabs(x);
   const uint32_t safe = u & sgpu_fp_mask(mag < 0x1p31f);
   const uint32_t limit = 0x7fffffffu + (u >> 31);
   const uint32_t over = limit & sgpu_fp_mask(mag >= 0x1p31f);
   return (int32_t)((uint32_t)(int32_t)sgpu_bits2f(safe) | over);
}

/* Truncates and saturates to [0, 2^32 - 1]. Returns 0 for NaN. */
static inline uint32_t
sgpu_f2u(float x)
{
   const uint32_t in_range = sgpu_fp_mask(x > 0.0f) & sgpu_fp_mask(x < 0x1p32f);
   const float safe = sgpu_bits2f(sgpu_f2bits(x) & in_range);
   /* Subtract 2^31 from numbers of at least 2^31, so that the signed conversion can be used. */
   const uint32_t high = sgpu_fp_mask(safe >= 0x1p31f);
   const float low = safe - sgpu_bits2f(high & 0x4f000000u);
   const uint32_t r = (uint32_t)(int32_t)low ^ (high & 0x80000000u);
   return r | sgpu_fp_mask(x >= 0x1p32f);
}

static inline float
sgpu_i2f(int32_t i)
{
   return (float)i;
}

static inline float
sgpu_u2f(uint32_t u)
{
   /* Both halves are exact, so only the addition rounds. */
   return (float)(int32_t)(u >> 16) * 65536.0f + (float)(int32_t)(u & 0xffffu);
}

/* Half-precision conversions. A half is in the low 16 bits of a lane. Subnormal halves are valid:
 * they are produced and read, and never flushed. Numbers that are too large become infinity. NaN
 * becomes 0x7e00. (Magnitudes are compared as signed integers, because vector units have an
 * instruction for this.)
 */
static inline uint32_t
sgpu_f2h(float x)
{
   const uint32_t u = sgpu_f2bits(x);
   const uint32_t mag = u & ~SGPU_FP_SIGN_BIT;
   const int32_t m = (int32_t)mag;
   /* Change the exponent bias from 127 to 15, and round off 13 bits to nearest even. */
   const uint32_t normal = (mag - (112u << 23) + 0xfffu + ((mag >> 13) & 1u)) >> 13;
   /* Adding 1/2 rounds to multiples of 2^-24, the unit of subnormal halves. */
   const float shifted = sgpu_bits2f(mag) + 0.5f;
   const uint32_t subnormal = sgpu_f2bits(shifted) - 0x3f000000u;
   uint32_t r = sgpu_fp_pick(sgpu_fp_mask(m < 0x38800000), subnormal, normal);
   r = sgpu_fp_pick(sgpu_fp_mask(m >= 0x47800000), 0x7c00u, r);
   r |= (u >> 16) & 0x8000u;
   return sgpu_fp_pick(sgpu_fp_mask(x != x), 0x7e00u, r);
}

/* Converts exactly. NaN becomes 0x7fc00000. The upper 16 bits of h are ignored. */
static inline float
sgpu_h2f(uint32_t h)
{
   const uint32_t mag = (h & 0x7fffu) << 13;
   const int32_t m = (int32_t)mag;
   /* The operand is 2^-14 + m 2^-24, so the difference is m 2^-24. */
   const float subnormal = sgpu_bits2f(mag + (113u << 23)) - 0x1p-14f;
   uint32_t r = sgpu_fp_pick(sgpu_fp_mask(m < (1 << 23)), sgpu_f2bits(subnormal),
                             mag + (112u << 23));
   r = sgpu_fp_pick(sgpu_fp_mask(m >= (31 << 23)), SGPU_FP_INF_BITS, r);
   r |= (h & 0x8000u) << 16;
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(m > (31 << 23)), SGPU_FP_NAN_BITS, r));
}

/* Reciprocal and roots. They consist of IEEE operations, which every host rounds correctly. */

/* 1 / x. Returns an infinity for zeros. */
static inline float
sgpu_frcp(float x)
{
   const float r = 1.0f / sgpu_fp_in(x);
#if SGPU_FP_HW_FTZ
   return sgpu_fp_canon(r);
#else
   /* No reciprocal lies between the two definitions of tiny. */
   return sgpu_fp_canon(sgpu_fflush(r));
#endif
}

/* sqrt(x). Returns NaN for negative numbers, and -0 for -0. */
static inline float
sgpu_fsqrt(float x)
{
   return sgpu_fp_canon(__builtin_sqrtf(sgpu_fp_in(x)));
}

/* 1 / sqrt(|x|), computed as sqrt(1 / |x|) with rounding after both operations. The root halves the
 * error of the division, which 1 / sqrt(x) would not do. For |x| of at least 2^126, 1 / |x| would
 * be tiny, so |x| / 4 is used instead. Returns +inf for zeros.
 */
static inline float
sgpu_frsq(float x)
{
   const float y = sgpu_fp_in(sgpu_fabs(x));
   const uint32_t large = sgpu_fp_mask(y >= 0x1p126f);
   const float scale = sgpu_bits2f(sgpu_fp_pick(large, 0x3e800000u, SGPU_FP_ONE_BITS));
   const float unscale = sgpu_bits2f(sgpu_fp_pick(large, 0x3f000000u, SGPU_FP_ONE_BITS));
   return sgpu_fp_canon(__builtin_sqrtf(1.0f / (y * scale)) * unscale);
}

/*
 * Transcendental functions. src/isa/tools/fp_coeffs.py computes the coefficients. The
 * functions use only additions and multiplications, in the order written, which keeps the
 * chains of dependent operations short. An intermediate result that is subnormal is
 * always added to a much larger term, so it does not matter whether it is flushed.
 * docs/accuracy.md has the formulas and errors.
 */

/* 2^x, with x = n + f, |f| <= 1/2, and 2^x = 2^n (1 + f q(f)). Exact for integers. Returns +inf for
 * x of at least 128, and 0 for x below -126.
 */
static inline float
sgpu_fex2(float x)
{
   /* The formula gives +inf for 128. The low bits of the sum are n in two's complement. */
   const float y = x < 128.0f ? x : 128.0f;
   const float t = y + 0x1.8p23f;
   const float n = t - 0x1.8p23f;
   const float f = y - n;

   /* f q = f q0 + f^2 u */
   const float f2 = f * f;
   const float u12 = 0x1.c6aed2p-5f * f + 0x1.ebfbe0p-3f;
   const float u345 = (0x1.5f7320p-10f * f + 0x1.3b27ccp-7f) + 0x1.470b80p-13f * f2;
   const float u = u345 * f2 + u12;
   const float p = (u * f2 + 0x1.62e430p-1f * f) + 1.0f;

   /* For x of at least -126, the exponent stays in range. Below, r is arbitrary and is replaced by
    * 0.
    */
   uint32_t r = sgpu_f2bits(p) + (sgpu_f2bits(t) << 23);
   r &= sgpu_fp_mask(x >= -126.0f);
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(x != x), SGPU_FP_NAN_BITS, r));
}

/* log2(x), with x = 2^e m, m in [sqrt(1/2), sqrt(2)), t = m - 1, and log2(x) = e + (t + t r(t)).
 * Exact for powers of two. Returns -inf for zeros, and NaN for negative numbers.
 */
static inline float
sgpu_flg2(float x)
{
   const float y = sgpu_fp_in(x);
   const uint32_t u = sgpu_f2bits(y);
   const int32_t e = (int32_t)(u - 0x3f3504f3u) >> 23;
   const float t = sgpu_bits2f(u - ((uint32_t)e << 23)) - 1.0f;

   /* t r = t r0 + t^2 v */
   const float t2 = t * t, t4 = t2 * t2;
   const float v12 = 0x1.ec7070p-2f * t + -0x1.715470p-1f;
   const float v34 = 0x1.277f42p-2f * t + -0x1.715a8cp-2f;
   const float v56 = 0x1.a305a8p-3f * t + -0x1.eabc82p-3f;
   const float v789 = (0x1.7d4930p-3f * t + -0x1.874bd0p-3f) + -0x1.c25aa6p-4f * t2;
   const float v = (v789 * t2 + v56) * t4 + (v34 * t2 + v12);
   const float l = (float)e + ((v * t2 + 0x1.c551dap-2f * t) + t);

   uint32_t b = sgpu_fp_pick(sgpu_fp_mask(y < SGPU_FP_INF), sgpu_f2bits(l), SGPU_FP_INF_BITS);
   b = sgpu_fp_pick(sgpu_fp_mask(y > 0.0f), b, 0xff800000u);
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(y >= 0.0f), b, SGPU_FP_NAN_BITS));
}

/* Range reduction for sine and cosine: |x| = q pi/2 + r, in double precision with a 53-bit pi/2. Up
 * to 2^28, the error of r stays below 2^-25. Above, it doubles with each power of two, and r is 0
 * from 2^48 on. Sine and cosine of r are the polynomials r + r z s(z) and 1 + z c(z), where z =
 * r^2.
 */
static inline void
sgpu_fp_sincos(float x, uint32_t *s, uint32_t *c, uint32_t *quadrant)
{
   const float mag = sgpu_fp_in(sgpu_fabs(x));
   const double a = mag;
   /* The low bits of the sum are q. */
   const double t = a * 0x1.45f306dc9c883p-1 + 0x1.8p52;
   const double k = t - 0x1.8p52;
   const float d = (float)(a - k * 0x1.921fb54442d18p0);
   const float r = sgpu_bits2f(sgpu_f2bits(d) & sgpu_fp_mask(mag < 0x1p48f));

   const float z = r * r;
   float ps = -0x1.98da18p-13f;
   ps = ps * z + 0x1.1105b8p-7f;
   ps = ps * z + -0x1.555540p-3f;
   *s = sgpu_f2bits(r + (r * z) * ps);

   float pc = 0x1.9a01d0p-16f;
   pc = pc * z + -0x1.6c0c64p-10f;
   pc = pc * z + 0x1.55554ap-5f;
   pc = pc * z + -0.5f;
   *c = sgpu_f2bits(pc * z + 1.0f);

   *quadrant = (uint32_t)sgpu_d2bits(t);
}

/* Exactly odd: sin(-x) = -sin(x), sin(-0) = -0. Returns NaN for infinities. */
static inline float
sgpu_fsin(float x)
{
   uint32_t s, c, q;
   sgpu_fp_sincos(x, &s, &c, &q);
   const uint32_t sign = ((q << 30) ^ sgpu_f2bits(x)) & SGPU_FP_SIGN_BIT;
   const uint32_t r = sgpu_fp_pick(-(q & 1u), c, s) ^ sign;
   const uint32_t finite = sgpu_fp_mask(sgpu_fabs(x) < SGPU_FP_INF);
   return sgpu_bits2f(sgpu_fp_pick(finite, r, SGPU_FP_NAN_BITS));
}

static inline float
sgpu_fcos(float x)
{
   uint32_t s, c, q;
   sgpu_fp_sincos(x, &s, &c, &q);
   const uint32_t sign = ((q + 1u) << 30) & SGPU_FP_SIGN_BIT;
   const uint32_t r = sgpu_fp_pick(-(q & 1u), s, c) ^ sign;
   const uint32_t finite = sgpu_fp_mask(sgpu_fabs(x) < SGPU_FP_INF);
   return sgpu_bits2f(sgpu_fp_pick(finite, r, SGPU_FP_NAN_BITS));
}

/* EX2(LG2(x) * y), where 0 times anything is 0. Therefore pow(x, 0) and pow(1, y) are 1 for every x
 * and y, including NaNs. pow(0, y) is 0 for y > 0, and +inf for y < 0. Returns NaN for negative x
 * otherwise.
 */
static inline float
sgpu_fpow(float x, float y)
{
   return sgpu_fex2(sgpu_fmulz(sgpu_flg2(x), y));
}

/* Components of the composite operations in the base profile. Components not listed here are the
 * constant 1.
 */

/* EXP: 2^floor(s), s - floor(s), 2^s */
static inline float
sgpu_fexp_x(float s)
{
   return sgpu_fex2(sgpu_ffloor(s));
}
static inline float
sgpu_fexp_y(float s)
{
   return sgpu_ffract(s);
}
static inline float
sgpu_fexp_z(float s)
{
   return sgpu_fex2(s);
}

/* LOG: exponent of |s| as a float. -inf for zeros, +inf for infinities. */
static inline float
sgpu_flog_x(float s)
{
   const uint32_t mag = sgpu_f2bits(s) & ~SGPU_FP_SIGN_BIT;
   const int32_t m = (int32_t)mag;
   const uint32_t e = sgpu_f2bits((float)((m >> 23) - 127));
   uint32_t r = sgpu_fp_pick(sgpu_fp_mask(m < (int32_t)SGPU_FP_MIN_BITS), 0xff800000u, e);
   r = sgpu_fp_pick(sgpu_fp_mask(m >= (int32_t)SGPU_FP_INF_BITS), SGPU_FP_INF_BITS, r);
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(s != s), SGPU_FP_NAN_BITS, r));
}

/* LOG: mantissa of |s| in [1, 2). 1 for zeros and infinities. */
static inline float
sgpu_flog_y(float s)
{
   const uint32_t mag = sgpu_f2bits(s) & ~SGPU_FP_SIGN_BIT;
   const uint32_t normal = sgpu_fp_mask((int32_t)mag >= (int32_t)SGPU_FP_MIN_BITS);
   const uint32_t r = (mag & normal & 0x007fffffu) | SGPU_FP_ONE_BITS;
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(s != s), SGPU_FP_NAN_BITS, r));
}

/* LOG: log2(|s|) */
static inline float
sgpu_flog_z(float s)
{
   return sgpu_flg2(sgpu_fabs(s));
}

/* LIT: max(x, 0) */
static inline float
sgpu_flit_y(float x)
{
   return sgpu_fmax(x, 0.0f);
}

/* LIT: x > 0 ? max(y, 0) ^ clamp(w, -128, 128) : 0. The result is 0 if x is NaN. */
static inline float
sgpu_flit_z(float x, float y, float w)
{
   const float e = sgpu_fmax(sgpu_fmin(w, 128.0f), -128.0f);
   const float p = sgpu_fpow(sgpu_fmax(y, 0.0f), e);
   return sgpu_bits2f(sgpu_f2bits(p) & sgpu_fp_mask(sgpu_fp_in(x) > 0.0f));
}

#endif /* SGPU_FP_H */
