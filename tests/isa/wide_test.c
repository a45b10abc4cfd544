/* SPDX-License-Identifier: MIT */

/*
 * Doubles (sgpu_fp64.h) and 64-bit integers (sgpu_int64.h) against models in
 * integers of 128 bits: every result is the exact one, rounded once.
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "isa_random.h"
#include "sgpu_fp64.h"
#include "sgpu_int64.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

#define ROUNDS 400000
#define NAN64 SGPU_FP64_NAN_BITS
#define INF64 SGPU_FP64_INF_BITS
#define SIGN64 SGPU_FP64_SIGN_BIT

static const uint64_t corners[] = {
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
   0x380ffffff0000000, /* half a unit of a float below it */
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
   0x007fffffbfffffff, /* integers near ties of float */
   0x007fffffc0000000,
   0x007fffffc0000001,
};
#define NUM_CORNERS (sizeof(corners) / sizeof(corners[0]))

static uint64_t
bits(struct isa_random *r)
{
   return (uint64_t)isa_random_below(r, 65536) << 48 | (uint64_t)isa_random_below(r, 65536) << 32 |
          (uint64_t)isa_random_below(r, 65536) << 16 | isa_random_below(r, 65536);
}

/* Corners, any bits, small integers, numbers with few bits, and numbers of like size. */
static uint64_t
pick(struct isa_random *r)
{
   const uint64_t sign = isa_random_below(r, 2) ? SIGN64 : 0;
   switch (isa_random_below(r, 6)) {
   case 0:
      return corners[isa_random_below(r, NUM_CORNERS)] ^ sign;
   case 1:
      return bits(r);
   case 2:
      return sgpu_d2bits((double)isa_random_below(r, 1000)) ^ sign;
   case 3:
      return (bits(r) & ~(~0ull >> isa_random_below(r, 60))) ^ sign;
   case 4:
      return bits(r) >> (12 + isa_random_below(r, 52)) | sign;
   default:
      return ((bits(r) & SGPU_FP64_MANTISSA) | (uint64_t)(1000 + isa_random_below(r, 60)) << 52) ^
             sign;
   }
}

static bool
is_nan(uint64_t a)
{
   return (a & ~SIGN64) > INF64;
}

/* num / den 2^exponent, as the sum of a quotient of 70 bits and a sticky bit. */
static uint64_t
model_div(uint64_t a, uint64_t b)
{
   const uint64_t sign = (a ^ b) & SIGN64, ma = a & ~SIGN64, mb = b & ~SIGN64;
   if (is_nan(a) || is_nan(b) || (ma == INF64 && mb == INF64) || (!ma && !mb))
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

static uint64_t
model_sqrt(uint64_t a)
{
   const uint64_t ma = a & ~SIGN64;
   if (is_nan(a) || (ma && (a & SIGN64)))
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

/* To 24 bits with an unbounded exponent, then flushed. */
static uint32_t
model_d2f(uint64_t a)
{
   const uint32_t sign = (uint32_t)(a >> 63) << 31;
   const uint64_t ma = a & ~SIGN64;
   if (is_nan(a))
      return SGPU_FP_NAN_BITS;
   if (ma == INF64 || !ma)
      return sign | (ma ? SGPU_FP_INF_BITS : 0);
   int e;
   uint64_t m = sgpu_fp64_split(a, &e);
   const uint64_t rest = m & 0x1fffffff;
   m >>= 29;
   m += rest > 0x10000000 || (rest == 0x10000000 && (m & 1));
   e += 29;
   if (m >> 24) {
      m >>= 1;
      e++;
   }
   if (e + 23 > 127)
      return sign | SGPU_FP_INF_BITS;
   if (e + 23 < -126)
      return sign;
   return sign | ((uint32_t)(e + 23 + 127) << 23) | ((uint32_t)m & 0x7fffff);
}

/* Toward zero, saturated to [low, high]. */
static s128
model_integer(uint64_t a, s128 low, s128 high)
{
   const uint64_t ma = a & ~SIGN64;
   int e;
   if (is_nan(a) || !ma)
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

static uint64_t
model_from_integer(s128 v)
{
   if (v == 0)
      return 0;
   return v < 0 ? sgpu_fp64_round((u128)-v, 0) | SIGN64 : sgpu_fp64_round((u128)v, 0);
}

static float
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
   /* Up to 26 bits with a sticky one: a double holds them, one rounding is left. */
   const double d = ldexp((double)(uint64_t)m, e);
   return (float)(v < 0 ? -d : d);
}

static void
same(const char *what, uint64_t got, uint64_t want, const uint64_t in[3])
{
   if (got == want)
      return;
   print_error("%s of %016llx %016llx %016llx: %016llx, not %016llx\n", what,
               (unsigned long long)in[0], (unsigned long long)in[1], (unsigned long long)in[2],
               (unsigned long long)got, (unsigned long long)want);
   fail();
}

static uint64_t
canon(uint64_t a)
{
   return is_nan(a) ? NAN64 : a;
}

/* Everything that computes with doubles, for the arguments at in. */
__attribute__((noinline)) static void
check_doubles(const uint64_t in[3])
{
   const uint64_t a = in[0], b = in[1], c = in[2];
   const double x = sgpu_bits2d(a), y = sgpu_bits2d(b), z = sgpu_bits2d(c);
   const uint64_t product_sign = (a ^ b) & SIGN64;

   same("add", sgpu_d2bits(sgpu_dadd(x, y)), sgpu_dfma_integer(a, 0x3ff0000000000000, b), in);
   same("mul", sgpu_d2bits(sgpu_dmul(x, y)), sgpu_dfma_integer(a, b, product_sign), in);
   same("fma", sgpu_d2bits(sgpu_dfma(x, y, z)), sgpu_dfma_integer(a, b, c), in);
   same("libm's fma", canon(sgpu_d2bits(fma(x, y, z))), sgpu_dfma_integer(a, b, c), in);
   same("div", sgpu_d2bits(sgpu_ddiv(x, y)), model_div(a, b), in);
   same("sqrt", sgpu_d2bits(sgpu_dsqrt(x)), model_sqrt(a), in);
   same("floor", sgpu_d2bits(sgpu_dfloor(x)), canon(sgpu_d2bits(floor(x))), in);
   same("ceil", sgpu_d2bits(sgpu_dceil(x)), canon(sgpu_d2bits(ceil(x))), in);
   same("trunc", sgpu_d2bits(sgpu_dtrunc(x)), canon(sgpu_d2bits(trunc(x))), in);
   same("round", sgpu_d2bits(sgpu_dround(x)), canon(sgpu_d2bits(rint(x))), in);
   same("fract", sgpu_d2bits(sgpu_dfract(x)), canon(sgpu_d2bits(x - floor(x))), in);

   const uint64_t zeros = ~SIGN64 & (a | b) ? 0 : 1;
   const uint64_t less = is_nan(a) ? b : is_nan(b) ? a : zeros ? a | b : x < y ? a : b;
   const uint64_t more = is_nan(a) ? b : is_nan(b) ? a : zeros ? a & b : x < y ? b : a;
   same("min", sgpu_d2bits(sgpu_dmin(x, y)), canon(less), in);
   same("max", sgpu_d2bits(sgpu_dmax(x, y)), canon(more), in);
   const uint64_t sign = is_nan(a) ? 0 : (a & ~SIGN64 ? 0x3ff0000000000000 : 0) | (a & SIGN64);
   same("sign", sgpu_d2bits(sgpu_dsign(x)), sign, in);

   for (unsigned cond = 0; cond < 8; cond++) {
      const bool nan = is_nan(a) || is_nan(b);
      const bool holds = nan ? cond == 5 || cond == 7
                             : ((cond & 1) && x < y) || ((cond & 2) && x == y) ||
                                  ((cond & 4) && x > y);
      same("compare", sgpu_dcmp(cond, x, y), holds ? ~0u : 0, in);
   }

   same("d2f", sgpu_f2bits(sgpu_d2f(x)), model_d2f(a), in);
   same("d2i", (uint32_t)sgpu_d2i(x), (uint32_t)model_integer(a, INT32_MIN, INT32_MAX), in);
   same("d2u", sgpu_d2u(x), (uint32_t)model_integer(a, 0, UINT32_MAX), in);
   same("d2l", (uint64_t)sgpu_d2l(x), (uint64_t)model_integer(a, INT64_MIN, INT64_MAX), in);
   same("d2q", sgpu_d2q(x), (uint64_t)model_integer(a, 0, UINT64_MAX), in);

   same("i2d", sgpu_d2bits(sgpu_i2d((int32_t)a)), model_from_integer((int32_t)a), in);
   same("u2d", sgpu_d2bits(sgpu_u2d((uint32_t)a)), model_from_integer((uint32_t)a), in);
   same("l2d", sgpu_d2bits(sgpu_l2d((int64_t)a)), model_from_integer((int64_t)a), in);
   same("q2d", sgpu_d2bits(sgpu_q2d(a)), model_from_integer(a), in);
   same("l2f", sgpu_f2bits(sgpu_l2f((int64_t)a)), sgpu_f2bits(model_float_from_integer((int64_t)a)),
        in);
   same("q2f", sgpu_f2bits(sgpu_q2f(a)), sgpu_f2bits(model_float_from_integer(a)), in);

   /* The high word as a float. */
   const uint32_t f = (uint32_t)(a >> 32);
   const bool tiny = !(f & SGPU_FP_INF_BITS);
   const uint32_t flushed = tiny ? f & SGPU_FP_SIGN_BIT : f;
   const uint64_t wide = canon(sgpu_d2bits((double)sgpu_bits2f(flushed)));
   same("f2d", sgpu_d2bits(sgpu_f2d(sgpu_bits2f(f))), wide, in);
   same("f2l", (uint64_t)sgpu_f2l(sgpu_bits2f(f)),
        (uint64_t)model_integer(wide, INT64_MIN, INT64_MAX), in);
   same("f2q", sgpu_f2q(sgpu_bits2f(f)), (uint64_t)model_integer(wide, 0, UINT64_MAX), in);
}

static void
doubles(void **state)
{
   (void)state;
   struct isa_random r = { 21 };
   uint64_t in[3];
   const uint64_t outer = sgpu_fp_enter();
   const uint32_t mode = sgpu_fp64_enter();
   for (unsigned n = 0; n < ROUNDS; n++) {
      for (unsigned i = 0; i < 3; i++)
         in[i] = pick(&r);
      /* Sums that cancel, exactly or nearly. */
      if (n % 5 == 0) {
         const double x = sgpu_bits2d(in[0]), y = sgpu_bits2d(in[1]);
         in[2] = (sgpu_d2bits(x * y) ^ SIGN64) + isa_random_below(&r, 3) - 1;
      } else if (n % 5 == 1) {
         in[1] = (in[0] ^ SIGN64) + isa_random_below(&r, 5) - 2;
      }
      check_doubles(in);
   }
   /* All pairs of corners. */
   for (unsigned i = 0; i < 4 * NUM_CORNERS * NUM_CORNERS; i++) {
      in[0] = corners[i / 4 / NUM_CORNERS] ^ (i & 1 ? SIGN64 : 0);
      in[1] = corners[i / 4 % NUM_CORNERS] ^ (i & 2 ? SIGN64 : 0);
      in[2] = corners[isa_random_below(&r, NUM_CORNERS)];
      check_doubles(in);
   }
   sgpu_fp64_leave(mode);
   sgpu_fp_leave(outer);
}

static void
integers(void **state)
{
   (void)state;
   struct isa_random r = { 22 };
   for (unsigned n = 0; n < ROUNDS; n++) {
      uint64_t in[3] = { pick(&r), isa_random_below(&r, 3) ? pick(&r) : isa_random_below(&r, 70) };
      const uint64_t a = in[0], b = in[1];
      const int64_t ia = (int64_t)a, ib = (int64_t)b;
      const s128 wa = ia, wb = ib;
      in[2] = 0;
      same("ldiv", (uint64_t)sgpu_ldiv(ia, ib), b == 0 ? ~0ull : (uint64_t)(wa / wb), in);
      same("qdiv", sgpu_qdiv(a, b), b == 0 ? ~0ull : a / b, in);
      same("lrem", (uint64_t)sgpu_lrem(ia, ib), b == 0 ? a : (uint64_t)(wa % wb), in);
      same("qmod", sgpu_qmod(a, b), b == 0 ? a : a % b, in);
      same("lmod", (uint64_t)sgpu_lmod(ia, ib), b == 0 ? a : (uint64_t)(((wa % wb) + wb) % wb), in);
      same("lashr", (uint64_t)sgpu_lashr(ia, (uint32_t)b), (uint64_t)(wa >> (b & 63)), in);
      same("pair", sgpu_pair((uint32_t)a, (uint32_t)(a >> 32)), a, in);
      for (unsigned cond = 0; cond < 8; cond++) {
         const bool s = ((cond & 1) && ia < ib) || ((cond & 2) && ia == ib) ||
                        ((cond & 4) && ia > ib);
         const bool u = ((cond & 1) && a < b) || ((cond & 2) && a == b) || ((cond & 4) && a > b);
         same("lcmp", sgpu_lcmp(cond, ia, ib), s ? ~0u : 0, in);
         same("qcmp", sgpu_qcmp(cond, a, b), u ? ~0u : 0, in);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubles),
      cmocka_unit_test(integers),
   };
#if defined(__x86_64__) && defined(__FMA__)
   if (!__builtin_cpu_supports("fma"))
      return 77;
#endif
   return cmocka_run_group_tests(tests, NULL, NULL);
}
