/* SPDX-License-Identifier: MIT */
#ifndef SGT_SHADOW_MODEL_H
#define SGT_SHADOW_MODEL_H

#include "proof/sgt_shadow.h"

struct sgt_shadow {
   const struct sgt_trace *trace;
   const struct sgpu_shadow_image *image;
   const uint32_t *records;
   enum sgt_breaking breaking;
   struct sgpu_shadow *memory; /* NULL: schedule alone */
   struct sgt_audit *audit;
   uint32_t *left; /* by item: pixels of a transfer that have not ended */
   bool parts;     /* the model counts the parts of items itself */
   bool failed;
   struct sgpu_shadow_result fragments;
   uint64_t poison_in_order, lost;
};

/* The record of the operation's state or transfer; UINT32_MAX: none. */
uint32_t sgt_shadow_record(const struct sgt_shadow *s, const struct sgt_operation *op);
/* The draw of an item; false: its state is not known. */
bool sgt_shadow_draw_of(const struct sgt_shadow *s, uint32_t item, struct sgpu_shadow_draw *draw);
/* Lanes of a block with their values. */
struct sgpu_shadow_block sgt_shadow_block_of(const struct sgt_trace *t, const struct sgt_block *b,
                                             uint32_t lanes);

#endif
