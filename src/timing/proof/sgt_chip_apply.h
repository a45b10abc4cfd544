/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files for the verification of chip models share (sgt_chip_shadow.h).
 */
#ifndef SGT_CHIP_APPLY_H
#define SGT_CHIP_APPLY_H

#include "proof/sgt_chip_shadow.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_rop/sgt_rop.h"
#include "proof/sgt_shadow_model.h"

struct sgt_chip_lines;

#define SGT_CHIP_LINE 64u /* size in bytes of the memory line that a request accesses */

/* Indices of the lane masks that are kept for each sample of a block: lanes that were tested, lanes
 * that passed the tests, and lanes that were written. There is one mask of written lanes for each
 * target of the operation, starting at SGT_CHIP_WRITTEN.
 */
enum { SGT_CHIP_TESTED, SGT_CHIP_PASSED, SGT_CHIP_WRITTEN };

/* A request that a ROP has accepted but not completed yet. */
struct sgt_chip_flight {
   /* address: byte address of the memory line;
    * written: bitmask of the bytes of the line that the request writes
    */
   uint64_t address, written;
   uint32_t item; /* index of the request's item in the trace */
};

/* Requests in flight on one path of a ROP, from oldest to youngest. */
struct sgt_chip_path {
   struct sgt_chip_flight *flights;
   uint64_t num, max; /* num: number of elements; max: number of allocated elements */
};

struct sgt_chip_shadow {
   struct sgt_shadow *model;
   const struct sgt_trace *trace;
   struct sgt_chip_observer observer;
   struct sgt_partition_map map;
   uint64_t *first; /* for each operation, the index of its first word in `lanes` */
   uint32_t *lanes; /* lane masks of all blocks; sgt_chip_words() returns those of one block */
   /* for each ROP, the requests in flight on its depth and color paths */
   struct sgt_chip_path (*paths)[SGT_ROP_PATHS];
   uint32_t num_rops;
   /* versions of the memory lines that are tracked (sgt_chip_lines.h) */
   struct sgt_chip_lines *lines;
};

/* Returns true if the target is a color surface that the operation writes. */
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

/* Returns the lane masks for one sample of a block of the operation. */
static inline uint32_t *
sgt_chip_words(const struct sgt_chip_shadow *s, const struct sgt_operation *op, uint32_t block,
               uint32_t sample)
{
   const uint64_t place = (uint64_t)(block - sgt_chip_first_block(s->trace, op)) * op->samples +
                          sample;
   return s->lanes + s->first[op - s->trace->operations] +
          place * (SGT_CHIP_WRITTEN + op->num_targets);
}

/* Returns a mask of the lanes that the functional device colored in one sample of the block. */
static inline uint32_t
sgt_chip_colored(const struct sgt_trace *t, const struct sgt_operation *op,
                 const struct sgt_block *b, uint32_t sample)
{
   const struct sgt_values *v = b->values == SGT_NO_VALUES ? NULL : &t->values[b->values];

   if (!v || v->color == SGT_NO_VALUES)
      return 0;
   return v->cover == SGT_NO_VALUES ? v->colored : t->words[v->cover + 2 * op->samples + sample];
}

/* Applies a fragment or transfer request to the bytes of a memory line that are set in `mask`. */
void sgt_chip_apply_line(struct sgt_chip_shadow *s, uint64_t cycle, const struct sgt_rop_request *r,
                         uint64_t line, uint64_t mask);

#endif
