/* SPDX-License-Identifier: MIT */
/*
 * Translator: scheduling of a region's instructions and stores.
 */
#ifndef SGD_SCHEDULE_H
#define SGD_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"

struct sgd_step {
   uint16_t what; /* index of a node or a store */
   bool store;
};

struct sgd_schedule {
   struct sgd_step *steps;
   uint32_t num_steps;
   uint32_t num_before; /* steps before the loop over chunks, equal for all lanes */
};

/* Orders a region's steps.  Returns false if out of memory.  sgd_schedule_finish() frees them. */
bool sgd_schedule_make(struct sgd_schedule *s, const struct sgd_ir *ir);
void sgd_schedule_finish(struct sgd_schedule *s);

#endif
