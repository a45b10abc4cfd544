/* SPDX-License-Identifier: MIT */
/*
 * Model of perfect memory, which is ideal and multi-ported (Wolfe and Noonburg, MICRO-32, 1999,
 * 4.1). Pixels never wait for memory, so the duration of a slice can be computed in advance.
 */
#ifndef SGT_PERFECT_H
#define SGT_PERFECT_H

#include "engine99/sgt_engine.h"

/* Returns the number of setup cycles before the first pixel of a slice. */
uint64_t sgt_slice_setup(const struct sgt_engine_params *p, const struct sgt_item *item,
                         const struct sgt_slice *slice);
/* Returns the number of pixels per cycle that an accelerator processes. */
uint32_t sgt_slice_rate(const struct sgt_engine_params *p, const struct sgt_item *item);
/* Returns the duration of a slice on an accelerator in cycles, which is at least 1. */
uint64_t sgt_perfect_cycles(const struct sgt_engine_params *p, const struct sgt_item *item,
                            const struct sgt_slice *slice);

#endif
