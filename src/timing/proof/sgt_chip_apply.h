/* SPDX-License-Identifier: MIT */
/*
 * The proof by the picture for a chip: what its files share.
 */
#ifndef SGT_CHIP_APPLY_H
#define SGT_CHIP_APPLY_H

#include "proof/sgt_chip_shadow.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_rop/sgt_rop.h"
#include "proof/sgt_shadow_model.h"

struct sgt_chip_lines;

#define SGT_CHIP_LINE 64u /* bytes of a request */

/* Words of a block and sample: lanes that were tested, those of them that pass, and those that
 * were written to each target of the operation.
 */
enum { SGT_CHIP_TESTED, SGT_CHIP_PASSED, SGT_CHIP_WRITTEN };

/* A request under way. */
struct sgt_chip_flight {
   uint64_t address, written;
   uint32_t item;
};

struct sgt_chip_path {
   struct sgt_chip_flight *flights;
   uint64_t num, max;
};

struct sgt_chip_shadow {
   struct sgt_shadow *model;
   const struct sgt_trace *trace;
   struct sgt_chip_observer observer;
   struct sgt_partition_map map;
   uint64_t *first; /* of each operation, in `lanes` */
   uint32_t *lanes;
   struct sgt_chip_path (*paths)[SGT_ROP_PATHS]; /* of each ROP */
   uint32_t num_rops;
   struct sgt_chip_lines *lines;
};

static inline bool
sgt_chip_is_color(const struct sgt_target *t)
{
   return (t->flags & (SGT_TARGET_DEPTH | SGT_TARGET_WRITE)) == SGT_TARGET_WRITE;
}

static inline uint32_t
sgt_chip_first_block(const struct sgt_trace *t, const struct sgt_operation *op)
{
   return op->num_items ? t->items[op->first_item].first_block : 0;
}

/* The words of a block of the operation, which has the sample. */
static inline uint32_t *
sgt_chip_words(const struct sgt_chip_shadow *s, const struct sgt_operation *op, uint32_t block,
               uint32_t sample)
{
   const uint64_t place = (uint64_t)(block - sgt_chip_first_block(s->trace, op)) * op->samples +
                          sample;
   return s->lanes + s->first[op - s->trace->operations] +
          place * (SGT_CHIP_WRITTEN + op->num_targets);
}

/* Lanes that the functional device coloured, of a sample. */
static inline uint32_t
sgt_chip_colored(const struct sgt_trace *t, const struct sgt_operation *op,
                 const struct sgt_block *b, uint32_t sample)
{
   const struct sgt_values *v = b->values == SGT_NO_VALUES ? NULL : &t->values[b->values];

   if (!v || v->color == SGT_NO_VALUES)
      return 0;
   return v->cover == SGT_NO_VALUES ? v->colored : t->words[v->cover + 2 * op->samples + sample];
}

/* Does what a request for fragments or of a transfer does to bytes `mask` of a line. */
void sgt_chip_apply_line(struct sgt_chip_shadow *s, uint64_t cycle, const struct sgt_rop_request *r,
                         uint64_t line, uint64_t mask);

#endif
