/* SPDX-License-Identifier: MIT */
/*
 * Audit plan: data that only depends on the trace, so that several audits can share it.
 */
#ifndef SGT_AUDIT_PLAN_H
#define SGT_AUDIT_PLAN_H

#include "proof/sgt_audit.h"
#include "engine99/sgt_split.h"

/* A surface that an operation tests or writes. For each pixel of the surface, the audit records the
 * index of an item.
 */
struct sgt_audit_target {
   /* address: device address of layer 0;
    * layer_stride: distance between layers in bytes
    */
   uint64_t address, layer_stride;
   uint32_t width, height, layers; /* size in pixels, and number of layers */
   /* true if the operation writes the surface, false if it only tests it */
   bool write;
};

/* An access by an item to a source region. */
struct sgt_audit_access {
   uint32_t region; /* index in sgt_audit_plan::regions */
   uint32_t epoch;  /* index in sgt_audit_plan::epochs */
   /* True if the item reads the region, in which case the access includes all pixels of the item.
    * Otherwise, the access only includes the item's pixels inside the region.
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
   uint64_t pixels;    /* total number of pixels of all accesses, which is at least 1 */
   uint32_t region;    /* index in sgt_audit_plan::regions */
   bool reads, writes; /* kind of the accesses: reads, writes or both */
};

struct sgt_audit_plan {
   const struct sgt_trace *trace;
   struct sgt_audit_target *targets;
   /* first_target: index of the first target of each operation;
    * first_access: index of the first access of each item.
    * The last element of each array is the total number of targets or accesses.
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

/* Returns the number of the item's pixels that are inside both rectangles. The pixels of a transfer
 * are summed over all layers.
 */
uint64_t sgt_audit_pixels(const struct sgt_trace *t, const struct sgt_item *item,
                          const struct sgt_rect *cut, const struct sgt_rect *region);

#endif
