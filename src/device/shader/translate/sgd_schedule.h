/* SPDX-License-Identifier: MIT */
/*
 * Translator: order of a region's instructions and stores.
 */
#ifndef SGD_SCHEDULE_H
#define SGD_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"

struct sgd_step {
   uint16_t what; /* index of the node, or of the store if `store` is set */
   bool store;
};

struct sgd_schedule {
   struct sgd_step *steps;
   uint32_t num_steps;
   /* Number of steps before the loop over chunks. Their results are the same for all lanes. */
   uint32_t num_before;
};

/* Determines the order of a region's steps. Returns false if an allocation fails.
 * sgd_schedule_finish() must be called in both cases.
 */
bool sgd_schedule_make(struct sgd_schedule *s, const struct sgd_ir *ir);
void sgd_schedule_finish(struct sgd_schedule *s);

#endif
