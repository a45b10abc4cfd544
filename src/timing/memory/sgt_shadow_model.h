/* SPDX-License-Identifier: MIT */
#ifndef SGT_SHADOW_MODEL_H
#define SGT_SHADOW_MODEL_H

#include "sgt_shadow.h"

struct sgt_shadow {
   const struct sgt_trace *trace;
   const struct sgpu_shadow_image *image;
   const uint32_t *records;
   enum sgt_breaking breaking;
   struct sgpu_shadow *memory; /* NULL: schedule alone */
   struct sgt_audit *audit;
   uint32_t *left; /* by item: pixels of a transfer that have not ended */
   bool failed;
   struct sgpu_shadow_result fragments;
   uint64_t poison_in_order;
};

#endif
