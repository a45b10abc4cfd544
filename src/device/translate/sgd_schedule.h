/* SPDX-License-Identifier: MIT */
/*
 * Translator: the order of a region's instructions and stores.
 */
#ifndef SGD_SCHEDULE_H
#define SGD_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_ir.h"

struct sgd_step {
   uint16_t what; /* a node; a store */
   bool store;
};

struct sgd_schedule {
   struct sgd_step *steps;
   uint32_t num_steps;
   uint32_t num_before; /* of them, before the loop over chunks: the same for all lanes */
};

/* The steps of an optimized region.  False without memory; sgd_schedule_finish frees it then,
 * too.
 */
bool sgd_schedule_make(struct sgd_schedule *s, const struct sgd_ir *ir);
void sgd_schedule_finish(struct sgd_schedule *s);

#endif
