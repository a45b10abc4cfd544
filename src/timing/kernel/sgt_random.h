/* SPDX-License-Identifier: MIT */
/*
 * Pseudorandom number generator for the timing models: SplitMix64 (Steele, Lea, Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014). The numbers are the same on every host.
 */
#ifndef SGT_RANDOM_H
#define SGT_RANDOM_H

#include <stdint.h>

struct sgt_random {
   uint64_t state; /* generator state, initialized with the seed */
};

static inline uint64_t
sgt_random_next(struct sgt_random *r)
{
   uint64_t z = r->state += 0x9e3779b97f4a7c15ull;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return z ^ (z >> 31);
}

/* Returns a random number in the range [0, n - 1]. n must not be 0. The bias is less than n / 2^32.
 */
static inline uint32_t
sgt_random_below(struct sgt_random *r, uint32_t n)
{
   return (sgt_random_next(r) >> 32) * n >> 32;
}

#endif
