/* SPDX-License-Identifier: MIT */

/* 64-bit integer operations of the shader cores, like the 32-bit ones in sgpu_int.h. Shift counts
 * are taken modulo 64. The result is defined for every input.
 */

#ifndef SGPU_INT64_H
#define SGPU_INT64_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the 64-bit value of a pair of components. */
static inline uint64_t
sgpu_pair(uint32_t low, uint32_t high)
{
   return (uint64_t)high << 32 | low;
}

/* Comparisons that an instruction's condition field selects, like sgpu_icmp() and sgpu_ucmp(). */

static inline uint32_t
sgpu_lcmp(unsigned cond, int64_t a, int64_t b)
{
   const uint32_t lt = (cond & 1u) && a < b ? ~0u : 0u;
   const uint32_t eq = (cond & 2u) && a == b ? ~0u : 0u;
   const uint32_t gt = (cond & 4u) && a > b ? ~0u : 0u;
   return lt | eq | gt;
}

static inline uint32_t
sgpu_qcmp(unsigned cond, uint64_t a, uint64_t b)
{
   const uint32_t lt = (cond & 1u) && a < b ? ~0u : 0u;
   const uint32_t eq = (cond & 2u) && a == b ? ~0u : 0u;
   const uint32_t gt = (cond & 4u) && a > b ? ~0u : 0u;
   return lt | eq | gt;
}

/* Division. The divisor is replaced where C leaves the result undefined. */

/* Truncates. Division by zero returns -1, and INT64_MIN / -1 returns INT64_MIN. */
static inline int64_t
sgpu_ldiv(int64_t a, int64_t b)
{
   const bool overflow = a == INT64_MIN && b == -1;
   const int64_t q = a / (b == 0 || overflow ? 1 : b);
   return b == 0 ? -1 : q;
}

/* Division by zero returns all ones. */
static inline uint64_t
sgpu_qdiv(uint64_t a, uint64_t b)
{
   const uint64_t q = a / (b == 0 ? 1u : b);
   return b == 0 ? ~0ull : q;
}

/* The result has the sign of a. Modulo zero returns a. */
static inline int64_t
sgpu_lrem(int64_t a, int64_t b)
{
   /* Replace -1 by 1: both results are 0, but INT64_MIN % -1 overflows. */
   const int64_t r = a % (b == 0 || b == -1 ? 1 : b);
   return b == 0 ? a : r;
}

/* Modulo zero returns a. */
static inline uint64_t
sgpu_qmod(uint64_t a, uint64_t b)
{
   const uint64_t r = a % (b == 0 ? 1u : b);
   return b == 0 ? a : r;
}

/* The result has the sign of b. Modulo zero returns a. */
static inline int64_t
sgpu_lmod(int64_t a, int64_t b)
{
   const int64_t r = sgpu_lrem(a, b);
   return b != 0 && r != 0 && (r ^ b) < 0 ? r + b : r;
}

/* Arithmetic right shift that doesn't rely on how the compiler shifts negative numbers. */
static inline int64_t
sgpu_lashr(int64_t a, uint32_t n)
{
   const uint64_t sign = a < 0 ? ~0ull : 0ull;
   return (int64_t)((((uint64_t)a ^ sign) >> (n & 63u)) ^ sign);
}

#endif /* SGPU_INT64_H */
