/* SPDX-License-Identifier: MIT */
/*
 * Audit plan: data that only depends on the trace and can be shared by several audits.
 */
#ifndef SGT_AUDIT_PLAN_H
#define SGT_AUDIT_PLAN_H

#include "proof/sgt_audit.h"
#include "engine99/sgt_split.h"

/* A surface that an operation tests or writes. The audit records an item index for each of its
 * pixels.
 */
struct sgt_audit_target {
   /* device address of layer 0, and distance between layers in bytes */
   uint64_t address, layer_stride;
   uint32_t width, height, layers; /* width and height in pixels, and number of layers */
   bool write;                     /* the operation writes the surface; if false, only tests it */
};

/* An access by an item to a source region. */
struct sgt_audit_access {
   uint32_t region; /* index in sgt_audit_plan::regions */
   uint32_t epoch;  /* index in sgt_audit_plan::epochs */
   /* True if the item reads the region. The access then includes all pixels of the item. Otherwise,
    * it only includes the item's pixels inside the region.
    */
   bool reads;
   bool writes;
};

/* A source region of the trace, i.e. memory that an item reads. */
struct sgt_audit_region {
   struct sgt_region region;
   uint32_t first_epoch, end_epoch; /* range of the region's epochs in sgt_audit_plan::epochs */
};

/* A sequence of accesses to a region that may execute in any order: only reads, only writes, or a
 * single access that both reads and writes.
 */
struct sgt_audit_epoch {
   uint64_t pixels;    /* total number of pixels of all accesses; at least 1 */
   uint32_t region;    /* index in sgt_audit_plan::regions */
   bool reads, writes; /* whether the accesses read the region, and whether they write it */
};

struct sgt_audit_plan {
   const struct sgt_trace *trace;
   struct sgt_audit_target *targets;
   /* Index of the first target of each operation, and index of the first access of each item. The
    * last element of each array is the total number of targets or accesses.
    */
   uint32_t *first_target;
   uint32_t *first_access;
   struct sgt_audit_access *accesses;
   struct sgt_audit_region *regions;
   struct sgt_audit_epoch *epochs;
   uint32_t num_regions, num_epochs, num_accesses;
   uint64_t max_accesses, max_epochs;
};

/* Returns the number of layers in the destination of an item. Buffers have 1 layer. */
static inline uint32_t
sgt_audit_layers(const struct sgt_item *item)
{
   const struct sgt_region *d = &item->destination;

   return d->last_layer == SGT_ALL_LAYERS ? 1 : d->last_layer - d->first_layer + 1;
}

/* Returns the number of the item's pixels inside both rectangles. For transfers, pixels are summed
 * over all layers.
 */
uint64_t sgt_audit_pixels(const struct sgt_trace *t, const struct sgt_item *item,
                          const struct sgt_rect *cut, const struct sgt_rect *region);

#endif
