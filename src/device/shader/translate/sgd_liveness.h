/* SPDX-License-Identifier: MIT */
/*
 * Translator: liveness analysis of temporaries and predicates.
 */
#ifndef SGD_LIVENESS_H
#define SGD_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"

struct sgd_decoded;

/* Bits of a set: 4 * register + component for temporaries, followed by the predicates. */
#define SGD_LIVE_PRED (4 * SGPU_TEMP_SIZE)
#define SGD_LIVE_BITS (SGD_LIVE_PRED + 16)
/* bit number of components that the sets don't contain, because they are always live */
#define SGD_LIVE_NONE UINT32_MAX

struct sgd_live {
   uint64_t w[(SGD_LIVE_BITS + 63) / 64];
};

/* Computes the components that are live before each instruction. Returns an array of num_instrs + 1
 * sets, which the caller must free. Returns NULL if an allocation fails or if the analysis would
 * take too long. In these cases, the caller must assume that all components are live.
 */
struct sgd_live *sgd_liveness(const struct sgd_decoded *decoded, uint32_t num_instrs);

static inline bool
sgd_is_live(const struct sgd_live *set, uint32_t bit)
{
   return bit == SGD_LIVE_NONE || (set->w[bit / 64] >> (bit % 64) & 1);
}

#endif
