/* SPDX-License-Identifier: MIT */
/*
 * Bits of words, on hot paths.
 */
#ifndef SGT_BITS_H
#define SGT_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* As u_foreach_bit64, which takes three times as many instructions on hosts without a count of
 * trailing zeros that is defined for 0.
 */
#define sgt_foreach_bit(i, mask)                                                          \
   for (uint64_t rest_##i = (mask), i; rest_##i && (i = __builtin_ctzll(rest_##i), true); \
        rest_##i &= rest_##i - 1)

/* Hosts of the lowest level have no instruction for it, and util_bitcount64 calls a function. */
static inline uint32_t
sgt_bitcount(uint64_t bits)
{
   bits -= bits >> 1 & 0x5555555555555555ull;
   bits = (bits & 0x3333333333333333ull) + (bits >> 2 & 0x3333333333333333ull);
   return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56;
}

#endif
