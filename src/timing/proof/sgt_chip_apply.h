/* SPDX-License-Identifier: MIT */
/*
 * Verification of a chip by its picture: declarations that its files share.
 */
#ifndef SGT_CHIP_APPLY_H
#define SGT_CHIP_APPLY_H

#include "proof/sgt_chip_shadow.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_rop/sgt_rop.h"
#include "proof/sgt_shadow_model.h"

struct sgt_chip_lines;

#define SGT_CHIP_LINE 64u /* size of the line that a request accesses, in bytes */

/* Indices of the lane masks that are kept for each block and sample: lanes that were tested, lanes
 * that passed the tests, and, from SGT_CHIP_WRITTEN on, the lanes written to each target of the
 * operation.
 */
enum { SGT_CHIP_TESTED, SGT_CHIP_PASSED, SGT_CHIP_WRITTEN };

/* A request that a ROP has taken and not completed. */
struct sgt_chip_flight {
   /* address of the line; bytes of the line that the request writes, one bit each */
   uint64_t address, written;
   uint32_t item; /* index of the request's item in the trace */
};

/* Requests under way on one path of a ROP, oldest first. */
struct sgt_chip_path {
   struct sgt_chip_flight *flights;
   uint64_t num, max; /* number of elements; allocated elements */
};

struct sgt_chip_shadow {
   struct sgt_shadow *model;
   const struct sgt_trace *trace;
   struct sgt_chip_observer observer;
   struct sgt_partition_map map;
   uint64_t *first; /* index in `lanes` of the first word of each operation */
   uint32_t *lanes; /* lane masks, found by sgt_chip_words() */
   struct sgt_chip_path (*paths)[SGT_ROP_PATHS]; /* requests under way on the paths of each ROP */
   uint32_t num_rops;                            /* number of ROPs */
   struct sgt_chip_lines *lines;                 /* versions of memory lines (sgt_chip_lines.h) */
};

/* Returns true if draws write the target as a colour. */
static inline bool
sgt_chip_is_color(const struct sgt_target *t)
{
   return (t->flags & (SGT_TARGET_DEPTH | SGT_TARGET_WRITE)) == SGT_TARGET_WRITE;
}

/* Returns the index of the first block of an operation in the trace, or 0 if it has no items. */
static inline uint32_t
sgt_chip_first_block(const struct sgt_trace *t, const struct sgt_operation *op)
{
   return op->num_items ? t->items[op->first_item].first_block : 0;
}

/* Returns the lane masks of a block of the operation and one of its samples. */
static inline uint32_t *
sgt_chip_words(const struct sgt_chip_shadow *s, const struct sgt_operation *op, uint32_t block,
               uint32_t sample)
{
   const uint64_t place = (uint64_t)(block - sgt_chip_first_block(s->trace, op)) * op->samples +
                          sample;
   return s->lanes + s->first[op - s->trace->operations] +
          place * (SGT_CHIP_WRITTEN + op->num_targets);
}

/* Returns the lanes of the block that the functional device coloured, for one sample. */
static inline uint32_t
sgt_chip_colored(const struct sgt_trace *t, const struct sgt_operation *op,
                 const struct sgt_block *b, uint32_t sample)
{
   const struct sgt_values *v = b->values == SGT_NO_VALUES ? NULL : &t->values[b->values];

   if (!v || v->color == SGT_NO_VALUES)
      return 0;
   return v->cover == SGT_NO_VALUES ? v->colored : t->words[v->cover + 2 * op->samples + sample];
}

/* Applies a request for fragments or a request of a transfer to the bytes `mask` of a line. */
void sgt_chip_apply_line(struct sgt_chip_shadow *s, uint64_t cycle, const struct sgt_rop_request *r,
                         uint64_t line, uint64_t mask);

#endif
