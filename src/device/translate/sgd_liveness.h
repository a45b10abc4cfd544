/* SPDX-License-Identifier: MIT */
/*
 * Translator: which temporaries and predicates some instruction may still read.
 */
#ifndef SGD_LIVENESS_H
#define SGD_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"

struct sgd_interp;

/* Components: 4 * register + component of temporaries, of predicates behind them. */
#define SGD_LIVE_PRED (4 * SGPU_TEMP_SIZE)
#define SGD_LIVE_BITS (SGD_LIVE_PRED + 16)
#define SGD_LIVE_NONE UINT32_MAX /* not such a component: always live */

struct sgd_live {
   uint64_t w[(SGD_LIVE_BITS + 63) / 64];
};

/* The components that are live before each instruction, num_instrs + 1 sets; to be freed.
 * NULL without memory, or where the analysis takes too long: then all are.
 */
struct sgd_live *sgd_liveness(const struct sgd_interp *interp, uint32_t num_instrs);

static inline bool
sgd_is_live(const struct sgd_live *set, uint32_t bit)
{
   return bit == SGD_LIVE_NONE || (set->w[bit / 64] >> (bit % 64) & 1);
}

#endif
