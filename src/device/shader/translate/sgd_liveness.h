/* SPDX-License-Identifier: MIT */
/*
 * Translator: liveness of temporaries and predicates.
 */
#ifndef SGD_LIVENESS_H
#define SGD_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"

struct sgd_interp;

/* Bits of the set: 4 * register + component for temporaries; predicates follow. */
#define SGD_LIVE_PRED (4 * SGPU_TEMP_SIZE)
#define SGD_LIVE_BITS (SGD_LIVE_PRED + 16)
#define SGD_LIVE_NONE UINT32_MAX /* not a component in the set: always live */

struct sgd_live {
   uint64_t w[(SGD_LIVE_BITS + 63) / 64];
};

/* Returns the components that are live before each instruction, as num_instrs + 1 sets.  The caller
 * must free them.  Returns NULL if out of memory or if the analysis takes too long; then all
 * components are live.
 */
struct sgd_live *sgd_liveness(const struct sgd_interp *interp, uint32_t num_instrs);

static inline bool
sgd_is_live(const struct sgd_live *set, uint32_t bit)
{
   return bit == SGD_LIVE_NONE || (set->w[bit / 64] >> (bit % 64) & 1);
}

#endif
