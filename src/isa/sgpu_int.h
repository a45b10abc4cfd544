/* SPDX-License-Identifier: MIT */

/* Integer, bit and comparison operations of the shader cores, with one function per operation and
 * lane. The expressions in the opcode table call only these functions and those of sgpu_fp.h.
 * Except for divisions, the functions contain no branches or calls. Shift counts are taken modulo
 * 32. The result is defined for every input.
 */

#ifndef SGPU_INT_H
#define SGPU_INT_H

#include "sgpu_fp.h"

/* Comparisons that an instruction's condition field selects: bit 0 is less, bit 1 equal, bit 2
 * greater. The results are masks of 0 or ~0. Each is one comparison, since compilers make five
 * instructions of "less or greater".
 */

#define SGPU_INT_COMPARISON(name, type)                       \
   static inline uint32_t name(unsigned cond, type a, type b) \
   {                                                          \
      switch (cond & 7u) {                                    \
      case 1:                                                 \
         return a < b ? ~0u : 0;                              \
      case 2:                                                 \
         return a == b ? ~0u : 0;                             \
      case 3:                                                 \
         return a <= b ? ~0u : 0;                             \
      case 4:                                                 \
         return a > b ? ~0u : 0;                              \
      case 5:                                                 \
         return a != b ? ~0u : 0;                             \
      case 6:                                                 \
         return a >= b ? ~0u : 0;                             \
      case 7:                                                 \
         return ~0u;                                          \
      default:                                                \
         return 0;                                            \
      }                                                       \
   }
SGPU_INT_COMPARISON(sgpu_icmp, int32_t)
SGPU_INT_COMPARISON(sgpu_ucmp, uint32_t)
#undef SGPU_INT_COMPARISON

/* NaN is neither less than, equal to, nor greater than any number, but conditions NE and T are
 * true.
 */
static inline uint32_t
sgpu_fcmp(unsigned cond, float a, float b)
{
   switch (cond & 7u) {
   case 1:
      return sgpu_flt(a, b);
   case 2:
      return sgpu_feq(a, b);
   case 3:
      return sgpu_fge(b, a);
   case 4:
      return sgpu_flt(b, a);
   case 5:
      return sgpu_fne(a, b);
   case 6:
      return sgpu_fge(a, b);
   case 7:
      return ~0u;
   default:
      return 0;
   }
}

/* Division. The divisor is replaced where C leaves the result undefined. */

/* Truncates. Division by zero returns -1, and INT_MIN / -1 returns INT_MIN. */
static inline int32_t
sgpu_idiv(int32_t a, int32_t b)
{
   const bool overflow = a == INT32_MIN && b == -1;
   const int32_t q = a / (b == 0 || overflow ? 1 : b);
   return b == 0 ? -1 : q;
}

/* Division by zero returns all ones. */
static inline uint32_t
sgpu_udiv(uint32_t a, uint32_t b)
{
   const uint32_t q = a / (b == 0 ? 1u : b);
   return b == 0 ? ~0u : q;
}

/* The result has the sign of a. Modulo zero returns a. */
static inline int32_t
sgpu_irem(int32_t a, int32_t b)
{
   /* Replace -1 by 1: both results are 0, but INT_MIN % -1 overflows. */
   const int32_t r = a % (b == 0 || b == -1 ? 1 : b);
   return b == 0 ? a : r;
}

/* Modulo zero returns a. */
static inline uint32_t
sgpu_umod(uint32_t a, uint32_t b)
{
   const uint32_t r = a % (b == 0 ? 1u : b);
   return b == 0 ? a : r;
}

/* The result has the sign of b. Modulo zero returns a. */
static inline int32_t
sgpu_imod(int32_t a, int32_t b)
{
   const int32_t r = sgpu_irem(a, b);
   return b != 0 && r != 0 && (r ^ b) < 0 ? r + b : r;
}

/* Arithmetic right shift that doesn't rely on how the compiler shifts negative numbers. */
static inline int32_t
sgpu_ashr(int32_t a, uint32_t n)
{
   const uint32_t sign = a < 0 ? ~0u : 0u;
   return (int32_t)((((uint32_t)a ^ sign) >> (n & 31u)) ^ sign);
}

/*
 * Bit fields
 */

/* Extracts `bits` bits of a, starting at bit `offset`, both modulo 32. Bits beyond bit 31 read as
 * 0.
 */
static inline uint32_t
sgpu_ubfe(uint32_t a, uint32_t offset, uint32_t bits)
{
   const uint32_t mask = (1u << (bits & 31u)) - 1u;
   return (a >> (offset & 31u)) & mask;
}

/* Extracts a bit field like sgpu_ubfe(), and sign-extends it from its highest bit. If the field
 * extends beyond bit 31, sign-extends from bit 31.
 */
static inline int32_t
sgpu_ibfe(int32_t a, uint32_t offset, uint32_t bits)
{
   const uint32_t n = bits & 31u;
   const uint32_t shifted = (uint32_t)sgpu_ashr(a, offset);
   /* If n is 0, the shift count wraps to 0 and the result is replaced by 0. */
   const uint32_t up = shifted << ((32u - n) & 31u);
   const int32_t r = sgpu_ashr((int32_t)up, (32u - n) & 31u);
   return n == 0 ? 0 : r;
}

/* Replaces the bits of c in `mask` with b, shifted left so that bit 0 is at the lowest bit of the
 * mask.
 */
static inline uint32_t
sgpu_bfi(uint32_t mask, uint32_t b, uint32_t c)
{
   /* Multiply by the lowest bit of the mask to shift without counting bits. If the mask is 0, the
    * product is 0.
    */
   const uint32_t lowest = mask & (0u - mask);
   return (c & ~mask) | ((b * lowest) & mask);
}

static inline uint32_t
sgpu_brev(uint32_t a)
{
   a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
   a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
   a = ((a >> 4) & 0x0f0f0f0fu) | ((a & 0x0f0f0f0fu) << 4);
   a = ((a >> 8) & 0x00ff00ffu) | ((a & 0x00ff00ffu) << 8);
   return (a >> 16) | (a << 16);
}

static inline uint32_t
sgpu_bcnt(uint32_t a)
{
   a = a - ((a >> 1) & 0x55555555u);
   a = (a & 0x33333333u) + ((a >> 2) & 0x33333333u);
   a = (a + (a >> 4)) & 0x0f0f0f0fu;
   return (a * 0x01010101u) >> 24;
}

/* Returns the index of the highest 1 bit, or -1 if there is none. */
static inline int32_t
sgpu_ufind_msb(uint32_t a)
{
   a |= a >> 1;
   a |= a >> 2;
   a |= a >> 4;
   a |= a >> 8;
   a |= a >> 16;
   return (int32_t)sgpu_bcnt(a) - 1;
}

/* Returns the index of the highest bit that differs from the sign bit, or -1 if there is none. */
static inline int32_t
sgpu_ifind_msb(int32_t a)
{
   return sgpu_ufind_msb((uint32_t)(a < 0 ? ~a : a));
}

/* Returns the index of the lowest 1 bit, or -1 if there is none. */
static inline int32_t
sgpu_find_lsb(uint32_t a)
{
   const int32_t below = (int32_t)sgpu_bcnt((a & (0u - a)) - 1u);
   return a == 0 ? -1 : below;
}

/* High halves of 64-bit products. */
static inline int32_t
sgpu_imulh(int32_t a, int32_t b)
{
   return (int32_t)(uint32_t)((uint64_t)((int64_t)a * b) >> 32);
}

static inline uint32_t
sgpu_umulh(uint32_t a, uint32_t b)
{
   return (uint32_t)(((uint64_t)a * b) >> 32);
}

#endif /* SGPU_INT_H */
