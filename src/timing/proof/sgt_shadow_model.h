/* SPDX-License-Identifier: MIT */
/*
 * Private definitions of the shadow (sgt_shadow.h), shared by the files that draw to it.
 */
#ifndef SGT_SHADOW_MODEL_H
#define SGT_SHADOW_MODEL_H

#include "proof/sgt_shadow.h"

struct sgt_shadow {
   const struct sgt_trace *trace;
   const struct sgpu_shadow_image *image;
   /* maps sgt_operation::state to a record of the shadow image, or NULL if they are equal */
   const uint32_t *records;
   enum sgt_breaking breaking;
   /* shadow of the device's memory, or NULL if only the schedule is audited */
   struct sgpu_shadow *memory;
   struct sgt_audit *audit;
   uint32_t *left; /* for each item, the number of pixels left to transfer */
   bool parts;     /* true if the model itself checks that all parts of all items are processed */
   bool failed;    /* an allocation failed */
   struct sgpu_shadow_result fragments;
   uint64_t poison_in_order, lost; /* see struct sgt_shadow_report */
};

/* Returns the index of the record in the shadow image that describes the operation's state or
 * transfer, or UINT32_MAX if there is none.
 */
uint32_t sgt_shadow_record(const struct sgt_shadow *s, const struct sgt_operation *op);
/* Fills in *draw for the draw that contains an item. Returns false if there is no record of the
 * draw's state.
 */
bool sgt_shadow_draw_of(const struct sgt_shadow *s, uint32_t item, struct sgpu_shadow_draw *draw);
/* Converts a block of the trace and its fragment values to a block that the shadow can draw. The
 * result only contains the given lanes.
 */
struct sgpu_shadow_block sgt_shadow_block_of(const struct sgt_trace *t, const struct sgt_block *b,
                                             uint32_t lanes);

#endif
