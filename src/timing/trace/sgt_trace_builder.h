/* SPDX-License-Identifier: MIT */
/*
 * Builds a trace operation by operation, in program order. Used by the event store (sgt_store.h)
 * and by tests.
 *
 *    b = sgt_trace_builder_create();
 *    set = sgt_trace_builder_set(b, &piece, 1);
 *    sgt_trace_builder_operation(b, &operation);
 *    sgt_trace_builder_sources(b, regions, n);       for subsequent items
 *    sgt_trace_builder_item(b, &item);
 *    sgt_trace_builder_block(b, x, y, mask, false);
 *    trace = sgt_trace_builder_finish(b);
 *
 * After an allocation failure, all functions do nothing, and sgt_trace_builder_finish() returns
 * NULL.
 */
#ifndef SGT_TRACE_BUILDER_H
#define SGT_TRACE_BUILDER_H

#include "trace/sgt_trace.h"

/* A memory piece. Two surfaces are equal if `storage`, `level` and `grid` are equal. Different
 * levels of a storage don't share memory. Two buffers are equal if `begin` and `end` are equal. All
 * other pieces share memory if their address ranges overlap.
 */
struct sgt_piece {
   /* Range of device addresses. If equal pieces have different ranges, the union is kept. */
   uint64_t begin, end;
   /* ID of the memory that contains all levels of the surface, or 0 for a buffer. */
   uint64_t storage;
   /* For a surface, the ID of the mapping from elements to addresses. Rectangles in two pieces can
    * only be compared if both pieces have the same ID. A piece with the ID 0 is not divided: any
    * access to it is treated as an access to the whole piece.
    */
   uint64_t grid;
   uint32_t level;
   uint32_t width, height; /* size of the level in pixels, or 0 for a buffer */
};

struct sgt_trace_builder;

/* Creates a trace builder. Returns NULL if allocation fails. */
struct sgt_trace_builder *sgt_trace_builder_create(void);
void sgt_trace_builder_destroy(struct sgt_trace_builder *b);

/* Returns the index of the set that consists of these pieces, in any order. The index is for use in
 * regions. `num` must be at least 1. The finished trace has different indices.
 */
uint32_t sgt_trace_builder_set(struct sgt_trace_builder *b, const struct sgt_piece *pieces,
                               unsigned num);

/* Adds a state, and returns its index for use in sgt_operation::state. `record` is stored in
 * trace->states.
 */
uint32_t sgt_trace_builder_state(struct sgt_trace_builder *b, uint32_t record);

/* Starts an operation. The builder fills in `ordinal` and the ranges of items and targets. */
void sgt_trace_builder_operation(struct sgt_trace_builder *b, const struct sgt_operation *op);

/* Adds a target to the current operation. See sgt_operation::first_target for the order. */
void sgt_trace_builder_target(struct sgt_trace_builder *b, const struct sgt_target *target);

/* Sets the source regions of subsequent items of the operation. Initially, an operation has no
 * sources. Sources that no item of the trace writes are removed when the trace is finished.
 */
void sgt_trace_builder_sources(struct sgt_trace_builder *b, const struct sgt_region *regions,
                               uint32_t num);

/* Adds an item to the operation. Only uses `kind`, `front`, `destination` and `layer` of `item`. */
void sgt_trace_builder_item(struct sgt_trace_builder *b, const struct sgt_item *item);

/* Adds a block to the last item, which must be a primitive. (x, y) is the top left pixel of the
 * block, with x a multiple of 8 and y a multiple of 4. Blocks can be added in any order, but each
 * block only once. An empty mask adds nothing.
 */
void sgt_trace_builder_block(struct sgt_trace_builder *b, uint16_t x, uint16_t y, uint32_t mask,
                             bool zculled);

/* Fragment values of a block. Each array has the layout that struct sgt_values describes, or is
 * NULL if there are no such values.
 */
struct sgt_block_values {
   uint32_t colored, dropped;
   const uint32_t *depth, *color, *cover, *stencil;
};

/* Adds fragment values to the last block. */
void sgt_trace_builder_values(struct sgt_trace_builder *b, const struct sgt_block_values *values);

/* Records the size of a presented surface. If no surface is presented, the size of the trace is
 * that of the largest surface that a primitive draws to.
 */
void sgt_trace_builder_presented(struct sgt_trace_builder *b, uint32_t width, uint32_t height);

/* Returns the number of items so far. */
uint32_t sgt_trace_builder_items(const struct sgt_trace_builder *b);
/* Returns the size of the builder's large arrays in bytes. */
uint64_t sgt_trace_builder_bytes(const struct sgt_trace_builder *b);

/* Sorts the blocks, counts pixels and spans, finds the sets that share memory, and computes the
 * hash. Afterwards, the builder can only be destroyed. Returns NULL if allocation fails or if there
 * are more than 2^32 - 1 words of values.
 */
struct sgt_trace *sgt_trace_builder_finish(struct sgt_trace_builder *b);

#endif
