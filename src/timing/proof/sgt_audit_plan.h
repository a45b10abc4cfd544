/* SPDX-License-Identifier: MIT */
/*
 * Audit: what follows from the trace alone.
 */
#ifndef SGT_AUDIT_PLAN_H
#define SGT_AUDIT_PLAN_H

#include "proof/sgt_audit.h"
#include "engine99/sgt_split.h"

/* A surface that an operation tests or writes, with a number for each pixel. */
struct sgt_audit_target {
   uint64_t address, layer_stride; /* address + layer * layer_stride names a plane */
   uint32_t width, height, layers; /* pixels */
   bool write;
};

/* An item's access of a watched region. */
struct sgt_audit_access {
   uint32_t region;
   uint32_t epoch; /* of all regions */
   bool reads;     /* then all pixels of the item count, else those in the region */
   bool writes;
};

/* A source region of the trace.  Its epochs follow each other in plan->epochs. */
struct sgt_audit_region {
   struct sgt_region region;
   uint32_t first_epoch, end_epoch;
};

struct sgt_audit_epoch {
   uint64_t pixels; /* of its accesses: more than 0 */
   uint32_t region;
   bool reads, writes;
};

struct sgt_audit_plan {
   const struct sgt_trace *trace;
   struct sgt_audit_target *targets;
   uint32_t *first_target; /* by operation, and the end */
   uint32_t *first_access; /* by item, and the end */
   struct sgt_audit_access *accesses;
   struct sgt_audit_region *regions;
   struct sgt_audit_epoch *epochs;
   uint32_t num_regions, num_epochs, num_accesses;
   uint64_t max_accesses, max_epochs;
};

/* Layers of an item's destination; of a buffer 1. */
static inline uint32_t
sgt_audit_layers(const struct sgt_item *item)
{
   const struct sgt_region *d = &item->destination;

   return d->last_layer == SGT_ALL_LAYERS ? 1 : d->last_layer - d->first_layer + 1;
}

/* Pixels of the item in both rectangles; of transfers in all layers. */
uint64_t sgt_audit_pixels(const struct sgt_trace *t, const struct sgt_item *item,
                          const struct sgt_rect *cut, const struct sgt_rect *region);

#endif
