/* SPDX-License-Identifier: MIT */
/*
 * Gathers for the 32 lanes of a warp. Each lane loads two or four consecutive words, and word k of
 * all lanes is stored in array k.
 */
#ifndef SGD_GATHER_H
#define SGD_GATHER_H

#include <stdint.h>
#include <string.h>

#include "common/sgd_state.h"
#include "common/sgd_transpose.h"

typedef uint64_t sgd_pair_words __attribute__((vector_size(16)));

static inline uint64_t
sgd_load_pair(const uint8_t *at)
{
   uint64_t pair;
   memcpy(&pair, at, 8);
   return pair;
}

/* Loads two consecutive words from base + off[i] for each of the lanes i = l to l + 3. */
static inline void
sgd_gather_pairs_at(const uint8_t *base, const uint32_t off[SGD_WARP], unsigned l,
                    uint32_t *const to[2])
{
   const sgd_row a = (sgd_row)(sgd_pair_words){ sgd_load_pair(base + off[l]),
                                                sgd_load_pair(base + off[l + 1]) };
   const sgd_row b = (sgd_row)(sgd_pair_words){ sgd_load_pair(base + off[l + 2]),
                                                sgd_load_pair(base + off[l + 3]) };
   const sgd_row low = __builtin_shufflevector(a, b, 0, 2, 4, 6);
   const sgd_row high = __builtin_shufflevector(a, b, 1, 3, 5, 7);
   memcpy(&to[0][l], &low, 16);
   memcpy(&to[1][l], &high, 16);
}

static inline void
sgd_gather_pairs(const uint8_t *base, const uint32_t off[SGD_WARP], uint32_t *const to[2])
{
   for (unsigned l = 0; l < SGD_WARP; l += 4)
      sgd_gather_pairs_at(base, off, l, to);
}

/* Loads four consecutive words from base + off[i] for each of the lanes i = l to l + 3. */
static inline void
sgd_gather_quads_at(const uint8_t *base, const uint32_t off[SGD_WARP], unsigned l,
                    uint32_t *const to[4])
{
   sgd_row t[4];
   for (unsigned k = 0; k < 4; k++)
      memcpy(&t[k], base + off[l + k], 16);
   sgd_transpose4(t, t);
   for (unsigned k = 0; k < 4; k++)
      memcpy(&to[k][l], &t[k], 16);
}

static inline void
sgd_gather_quads(const uint8_t *base, const uint32_t off[SGD_WARP], uint32_t *const to[4])
{
   for (unsigned l = 0; l < SGD_WARP; l += 4)
      sgd_gather_quads_at(base, off, l, to);
}

#endif
