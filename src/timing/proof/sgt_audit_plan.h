/* SPDX-License-Identifier: MIT */
/*
 * Plan of an audit: data that depend only on the trace, so that several audits can share them.
 */
#ifndef SGT_AUDIT_PLAN_H
#define SGT_AUDIT_PLAN_H

#include "proof/sgt_audit.h"
#include "engine99/sgt_split.h"

/* A surface that an operation tests or writes. The audit has a number for each of its pixels. */
struct sgt_audit_target {
   uint64_t address, layer_stride; /* the plane of a layer is at address + layer * layer_stride */
   uint32_t width, height, layers; /* size in pixels; number of layers */
   bool write;                     /* the surface is written; false: only tested */
};

/* An access by an item to a source region. */
struct sgt_audit_access {
   uint32_t region; /* index in plan->regions */
   uint32_t epoch;  /* index in plan->epochs */
   bool reads;      /* the item reads: all of its pixels count; otherwise, those in the region */
   bool writes;
};

/* A source region of the trace: memory that an item reads. */
struct sgt_audit_region {
   struct sgt_region region;
   uint32_t first_epoch, end_epoch; /* range of its epochs in plan->epochs */
};

/* Successive accesses to a region that may execute in any order: reads, or writes, or a single
 * access that does both.
 */
struct sgt_audit_epoch {
   uint64_t pixels;    /* number of pixels of all accesses, more than 0 */
   uint32_t region;    /* index in plan->regions */
   bool reads, writes; /* kind of the accesses */
};

struct sgt_audit_plan {
   const struct sgt_trace *trace;
   struct sgt_audit_target *targets;
   /* Index of the first target of each operation, and of the first access of each item, each
    * followed by the total number.
    */
   uint32_t *first_target;
   uint32_t *first_access;
   struct sgt_audit_access *accesses;
   struct sgt_audit_region *regions;
   struct sgt_audit_epoch *epochs;
   uint32_t num_regions, num_epochs, num_accesses;
   uint64_t max_accesses, max_epochs;
};

/* Returns the number of layers of an item's destination; 1 for buffers. */
static inline uint32_t
sgt_audit_layers(const struct sgt_item *item)
{
   const struct sgt_region *d = &item->destination;

   return d->last_layer == SGT_ALL_LAYERS ? 1 : d->last_layer - d->first_layer + 1;
}

/* Returns the number of the item's pixels in both rectangles; for transfers, in all layers. */
uint64_t sgt_audit_pixels(const struct sgt_trace *t, const struct sgt_item *item,
                          const struct sgt_rect *cut, const struct sgt_rect *region);

#endif
