/* SPDX-License-Identifier: MIT */
/*
 * Addresses of pixels for the DRAM model. A trace has numbers of sets of memory instead of
 * addresses, so this file places the sets one after the other. A set has a depth surface and a
 * colour surface for each layer, with 4 bytes per pixel. The blocks of 8x4 pixels of a surface are
 * stored row by row; the pixels of a block are contiguous and in the order of lanes.
 */
#ifndef SGT_ADDRESS_H
#define SGT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

/* Size of a block of 8x4 pixels. */
#define SGT_BLOCK_BYTES 128

enum sgt_stream { SGT_STREAM_DEPTH, SGT_STREAM_COLOR, SGT_STREAMS };

struct sgt_surface {
   uint64_t base;          /* address of layer 0, in bytes */
   uint32_t columns, rows; /* size of a layer in blocks */
   uint32_t layers;
};

struct sgt_addresses {
   struct sgt_surface *sets; /* array with an element for each set of the trace */
   uint64_t end;             /* first address after all sets */
};

/* Places all sets, at multiples of `align` bytes. Returns false if out of memory. */
bool sgt_addresses_init(struct sgt_addresses *a, const struct sgt_trace *trace, uint64_t align);
void sgt_addresses_finish(struct sgt_addresses *a);

/* Returns the address of the block with pixel x, y. Coordinates and layers outside of the surface
 * wrap around.
 */
static inline uint64_t
sgt_address(const struct sgt_addresses *a, uint32_t set, uint32_t layer, enum sgt_stream stream,
            uint32_t x, uint32_t y)
{
   const struct sgt_surface *s = &a->sets[set];
   const uint64_t plane = layer % s->layers * SGT_STREAMS + stream;
   const uint64_t row = plane * s->rows + y / 4 % s->rows;
   return s->base + (row * s->columns + x / 8 % s->columns) * SGT_BLOCK_BYTES;
}

#endif
