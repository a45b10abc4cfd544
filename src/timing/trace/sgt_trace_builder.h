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
 * Once out of memory, all functions do nothing, and sgt_trace_builder_finish() returns NULL.
 */
#ifndef SGT_TRACE_BUILDER_H
#define SGT_TRACE_BUILDER_H

#include "trace/sgt_trace.h"

/* A piece of memory. Two surfaces are equal if `storage`, `level` and `grid` are equal; different
 * levels of a storage share no memory. Two buffers are equal if `begin` and `end` are equal. Other
 * pieces share memory if their bytes overlap.
 */
struct sgt_piece {
   /* Range of device addresses; the union is kept if equal pieces differ in it. */
   uint64_t begin, end;
   /* Identifies the memory that contains the levels of a surface; 0 for a buffer. */
   uint64_t storage;
   /* For a surface, identifies the address of each element. Rectangles are compared only between
    * equal grids. 0: the regions of the piece cover everything.
    */
   uint64_t grid;
   uint32_t level;
   uint32_t width, height; /* size of the level in pixels; 0 for a buffer */
};

struct sgt_trace_builder;

/* Returns NULL if out of memory. */
struct sgt_trace_builder *sgt_trace_builder_create(void);
void sgt_trace_builder_destroy(struct sgt_trace_builder *b);

/* Returns the number of a set of at least one piece, for regions. The same pieces in any order have
 * the same number. The finished trace has other numbers.
 */
uint32_t sgt_trace_builder_set(struct sgt_trace_builder *b, const struct sgt_piece *pieces,
                               unsigned num);

/* Returns the number of a new state for operations (sgt_operation::state). `record` is stored in
 * trace->states.
 */
uint32_t sgt_trace_builder_state(struct sgt_trace_builder *b, uint32_t record);

/* Starts an operation. The builder sets `ordinal` and the ranges of items and targets. */
void sgt_trace_builder_operation(struct sgt_trace_builder *b, const struct sgt_operation *op);

/* Adds a target to the latest operation, in the order of struct sgt_operation. */
void sgt_trace_builder_target(struct sgt_trace_builder *b, const struct sgt_target *target);

/* Sets the source regions of all later items of the operation. An operation starts without sources.
 * The finished trace omits sources that no item of the trace writes.
 */
void sgt_trace_builder_sources(struct sgt_trace_builder *b, const struct sgt_region *regions,
                               uint32_t num);

/* Adds an item to the operation. Only `kind`, `front`, `destination` and `layer` are used. */
void sgt_trace_builder_item(struct sgt_trace_builder *b, const struct sgt_item *item);

/* Adds coverage to the latest item, which must be a primitive. The block's first pixel is (x, y), a
 * multiple of 8 and of 4. Blocks may come in any order, each once. A mask of 0 adds nothing.
 */
void sgt_trace_builder_block(struct sgt_trace_builder *b, uint16_t x, uint16_t y, uint32_t mask,
                             bool zculled);

/* Values of a block. Arrays are as in struct sgt_values, or NULL. */
struct sgt_block_values {
   uint32_t colored, dropped;
   const uint32_t *depth, *color, *cover, *stencil;
};

/* Adds the values of the latest block. */
void sgt_trace_builder_values(struct sgt_trace_builder *b, const struct sgt_block_values *values);

/* Records the size of a presented surface. If there is none, the trace has the size of the largest
 * surface that a primitive is drawn to.
 */
void sgt_trace_builder_presented(struct sgt_trace_builder *b, uint32_t width, uint32_t height);

/* Returns the number of items so far. */
uint32_t sgt_trace_builder_items(const struct sgt_trace_builder *b);
/* Returns the size in bytes of the builder's large arrays. */
uint64_t sgt_trace_builder_bytes(const struct sgt_trace_builder *b);

/* Sorts blocks, counts pixels and spans, finds the sets that share memory, and computes the hash.
 * Afterwards, the builder can only be destroyed. Returns NULL if out of memory, or if there are
 * more than 2^32 - 1 words of values.
 */
struct sgt_trace *sgt_trace_builder_finish(struct sgt_trace_builder *b);

#endif
