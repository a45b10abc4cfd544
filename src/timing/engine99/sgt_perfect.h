/* SPDX-License-Identifier: MIT */
/*
 * Perfect memory: ideal and multi-ported (Wolfe and Noonburg, MICRO-32, 1999, 4.1).  No
 * pixel waits, so the time of a slice is a sum.
 */
#ifndef SGT_PERFECT_H
#define SGT_PERFECT_H

#include "engine99/sgt_engine.h"

/* Cycles that are not for pixels, before the first of them. */
uint64_t sgt_slice_setup(const struct sgt_engine_params *p, const struct sgt_item *item,
                         const struct sgt_slice *slice);
/* Pixels in a cycle. */
uint32_t sgt_slice_rate(const struct sgt_engine_params *p, const struct sgt_item *item);
/* Busy cycles of an accelerator, at least 1. */
uint64_t sgt_perfect_cycles(const struct sgt_engine_params *p, const struct sgt_item *item,
                            const struct sgt_slice *slice);

#endif
