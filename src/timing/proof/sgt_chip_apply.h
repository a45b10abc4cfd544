/* SPDX-License-Identifier: MIT */
/*
 * Verifies a chip model by its rendering results: shared declarations.
 */
#ifndef SGT_CHIP_APPLY_H
#define SGT_CHIP_APPLY_H

#include "proof/sgt_chip_shadow.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_rop/sgt_rop.h"
#include "proof/sgt_shadow_model.h"

struct sgt_chip_lines;

#define SGT_CHIP_LINE 64u /* size in bytes of the memory line that a request accesses */

/* Indices of the lane masks that are kept for each block and sample: tested lanes, lanes that
 * passed the tests, and, starting at SGT_CHIP_WRITTEN, written lanes for each target of the
 * operation.
 */
enum { SGT_CHIP_TESTED, SGT_CHIP_PASSED, SGT_CHIP_WRITTEN };

/* A request that a ROP has accepted and not completed. */
struct sgt_chip_flight {
   /* byte address of the line, and bitmask of the bytes of the line that the request writes */
   uint64_t address, written;
   uint32_t item; /* index in the trace of the request's item */
};

/* Requests in flight on one path of a ROP, from oldest to youngest. */
struct sgt_chip_path {
   struct sgt_chip_flight *flights;
   uint64_t num, max; /* number of elements and number of allocated elements */
};

struct sgt_chip_shadow {
   struct sgt_shadow *model;
   const struct sgt_trace *trace;
   struct sgt_chip_observer observer;
   struct sgt_partition_map map;
   uint64_t *first; /* index in `lanes` of the first word of each operation */
   uint32_t *lanes; /* lane masks; use sgt_chip_words() to find the masks of a block */
   struct sgt_chip_path (*paths)[SGT_ROP_PATHS]; /* requests in flight on the paths of each ROP */
   uint32_t num_rops;
   /* versions of the memory lines that are tracked (sgt_chip_lines.h) */
   struct sgt_chip_lines *lines;
};

/* Returns true if the target is a colour surface that draws write. */
static inline bool
sgt_chip_is_color(const struct sgt_target *t)
{
   return (t->flags & (SGT_TARGET_DEPTH | SGT_TARGET_WRITE)) == SGT_TARGET_WRITE;
}

/* Returns the index in the trace of the first block of an operation, or 0 if the operation has no
 * items.
 */
static inline uint32_t
sgt_chip_first_block(const struct sgt_trace *t, const struct sgt_operation *op)
{
   return op->num_items ? t->items[op->first_item].first_block : 0;
}

/* Returns the lane masks for a block of the operation and a sample. */
static inline uint32_t *
sgt_chip_words(const struct sgt_chip_shadow *s, const struct sgt_operation *op, uint32_t block,
               uint32_t sample)
{
   const uint64_t place = (uint64_t)(block - sgt_chip_first_block(s->trace, op)) * op->samples +
                          sample;
   return s->lanes + s->first[op - s->trace->operations] +
          place * (SGT_CHIP_WRITTEN + op->num_targets);
}

/* Returns the mask of the lanes that the functional device coloured in a sample of the block. */
static inline uint32_t
sgt_chip_colored(const struct sgt_trace *t, const struct sgt_operation *op,
                 const struct sgt_block *b, uint32_t sample)
{
   const struct sgt_values *v = b->values == SGT_NO_VALUES ? NULL : &t->values[b->values];

   if (!v || v->color == SGT_NO_VALUES)
      return 0;
   return v->cover == SGT_NO_VALUES ? v->colored : t->words[v->cover + 2 * op->samples + sample];
}

/* Applies a fragment or transfer request to those bytes of a line that are set in `mask`. */
void sgt_chip_apply_line(struct sgt_chip_shadow *s, uint64_t cycle, const struct sgt_rop_request *r,
                         uint64_t line, uint64_t mask);

#endif
