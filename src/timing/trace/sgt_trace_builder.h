/* SPDX-License-Identifier: MIT */
/*
 * Makes a trace, operation by operation in program order: from the device's events
 * (sgt_store.h), or by hand.
 *
 *    b = sgt_trace_builder_create();
 *    set = sgt_trace_builder_set(b, &piece, 1);
 *    sgt_trace_builder_operation(b, &operation);
 *    sgt_trace_builder_sources(b, regions, n);       of the items that follow
 *    sgt_trace_builder_item(b, &item);
 *    sgt_trace_builder_block(b, x, y, mask, false);
 *    trace = sgt_trace_builder_finish(b);
 *
 * Out of memory, the builder does nothing any more and sgt_trace_builder_finish returns
 * NULL.
 */
#ifndef SGT_TRACE_BUILDER_H
#define SGT_TRACE_BUILDER_H

#include "trace/sgt_trace.h"

/* A piece of memory.  Two surfaces are equal if `storage`, `level` and `grid` are; other
 * levels of a storage share nothing with it.  Two buffers are equal if their bytes are.  All
 * others share memory where their bytes overlap.
 */
struct sgt_piece {
   uint64_t begin, end; /* device addresses of all bytes; of equal pieces the union counts */
   uint64_t storage;    /* of a surface: names the memory that its levels divide; 0: buffer */
   /* Of a surface: names the place of each element.  Rectangles are compared between equal
    * grids.  0: the regions of the piece are everything.
    */
   uint64_t grid;
   uint32_t level;
   uint32_t width, height; /* pixels of the level; of a buffer 0 */
};

struct sgt_trace_builder;

/* NULL: out of memory. */
struct sgt_trace_builder *sgt_trace_builder_create(void);
void sgt_trace_builder_destroy(struct sgt_trace_builder *b);

/* The number of a set of at least one piece, for regions; the same set in any order has the
 * same number.  The finished trace numbers its sets anew.
 */
uint32_t sgt_trace_builder_set(struct sgt_trace_builder *b, const struct sgt_piece *pieces,
                               unsigned num);

/* A state for operations (struct sgt_operation.state); `record` goes to trace->states. */
uint32_t sgt_trace_builder_state(struct sgt_trace_builder *b, uint32_t record);

/* Begins an operation; `ordinal`, items and targets are the builder's. */
void sgt_trace_builder_operation(struct sgt_trace_builder *b, const struct sgt_operation *op);

/* Adds a target to the latest operation, in the order of struct sgt_operation. */
void sgt_trace_builder_target(struct sgt_trace_builder *b, const struct sgt_target *target);

/* Source regions of all further items of the operation; none at its begin.  Those that no
 * item of the trace writes are left out of the finished trace.
 */
void sgt_trace_builder_sources(struct sgt_trace_builder *b, const struct sgt_region *regions,
                               uint32_t num);

/* Adds an item to the operation: `kind`, `front`, `destination` and `layer` count. */
void sgt_trace_builder_item(struct sgt_trace_builder *b, const struct sgt_item *item);

/* Adds coverage to the latest item, a primitive: the block whose first pixel is x, y
 * (multiples of 8 and 4), once per block, in any order.  A mask of 0 adds nothing.
 */
void sgt_trace_builder_block(struct sgt_trace_builder *b, uint16_t x, uint16_t y, uint32_t mask,
                             bool zculled);

/* Arrays as in struct sgt_values; NULL: none. */
struct sgt_block_values {
   uint32_t colored, dropped;
   const uint32_t *depth, *color, *cover, *stencil;
};

/* Values of the latest block. */
void sgt_trace_builder_values(struct sgt_trace_builder *b, const struct sgt_block_values *values);

/* A presented surface; without one, the trace has the size of the largest surface that a
 * primitive draws to.
 */
void sgt_trace_builder_presented(struct sgt_trace_builder *b, uint32_t width, uint32_t height);

/* Items so far. */
uint32_t sgt_trace_builder_items(const struct sgt_trace_builder *b);
/* Bytes of memory that the builder holds. */
uint64_t sgt_trace_builder_bytes(const struct sgt_trace_builder *b);

/* Sorts blocks, counts pixels and spans, finds the sets that share memory, and hashes.  The
 * builder can only be destroyed afterwards.  NULL: out of memory, or more than 2^32 - 1
 * words of values.
 */
struct sgt_trace *sgt_trace_builder_finish(struct sgt_trace_builder *b);

#endif
