/* SPDX-License-Identifier: MIT */
/*
 * Bit operations on 64-bit words for hot paths.
 */
#ifndef SGT_BITS_H
#define SGT_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Iterates over the set bits of a mask, like u_foreach_bit64(). u_foreach_bit64() takes three times
 * as many instructions on hosts whose count-trailing-zeros instruction is undefined for 0.
 */
#define sgt_foreach_bit(i, mask)                                                          \
   for (uint64_t rest_##i = (mask), i; rest_##i && (i = __builtin_ctzll(rest_##i), true); \
        rest_##i &= rest_##i - 1)

/* Returns the number of set bits. The baseline instruction set of the host has no popcount
 * instruction, so util_bitcount64() would be a function call.
 */
static inline uint32_t
sgt_bitcount(uint64_t bits)
{
   bits -= bits >> 1 & 0x5555555555555555ull;
   bits = (bits & 0x3333333333333333ull) + (bits >> 2 & 0x3333333333333333ull);
   return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56;
}

#endif
