/* SPDX-License-Identifier: MIT */
/*
 * Private definitions of shadows (sgt_shadow.h), for the files that draw in them.
 */
#ifndef SGT_SHADOW_MODEL_H
#define SGT_SHADOW_MODEL_H

#include "proof/sgt_shadow.h"

struct sgt_shadow {
   const struct sgt_trace *trace;
   const struct sgpu_shadow_image *image;
   const uint32_t *records; /* from operation->state to the number of a record, or NULL if equal */
   enum sgt_breaking breaking;
   struct sgpu_shadow *memory; /* shadow of memory, or NULL if only the schedule is audited */
   struct sgt_audit *audit;
   uint32_t *left; /* per item: number of pixels of a transfer that have not been done */
   bool parts;     /* the model itself checks that all parts of items are done */
   bool failed;    /* out of memory */
   struct sgpu_shadow_result fragments;
   uint64_t poison_in_order, lost; /* see struct sgt_shadow_report */
};

/* Returns the number of the record of the operation's state or transfer, or UINT32_MAX. */
uint32_t sgt_shadow_record(const struct sgt_shadow *s, const struct sgt_operation *op);
/* Describes the draw of an item in *draw. Returns false if there is no record of its state. */
bool sgt_shadow_draw_of(const struct sgt_shadow *s, uint32_t item, struct sgpu_shadow_draw *draw);
/* Returns a block with the values of its fragments, reduced to the given lanes. */
struct sgpu_shadow_block sgt_shadow_block_of(const struct sgt_trace *t, const struct sgt_block *b,
                                             uint32_t lanes);

#endif
