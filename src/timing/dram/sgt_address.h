/* SPDX-License-Identifier: MIT */
/*
 * Assigns pixel addresses for the DRAM model. A trace contains indices of memory sets instead of
 * addresses, so this file lays out the sets one after the other. A set consists of a depth surface
 * and a color surface per layer, with 4 bytes per pixel. Each surface is stored as rows of 8x4
 * pixel blocks. The pixels of a block are contiguous and in lane order.
 */
#ifndef SGT_ADDRESS_H
#define SGT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

/* size of a block of 8x4 pixels in bytes */
#define SGT_BLOCK_BYTES 128

enum sgt_stream { SGT_STREAM_DEPTH, SGT_STREAM_COLOR, SGT_STREAMS };

struct sgt_surface {
   uint64_t base;          /* byte address of layer 0 */
   uint32_t columns, rows; /* width and height of a layer in blocks */
   uint32_t layers;
};

struct sgt_addresses {
   struct sgt_surface *sets; /* layout of the surfaces of each memory set of the trace */
   uint64_t end;             /* end address of the last set */
};

/* Assigns an address to each memory set of the trace, aligned to `align` bytes. Returns false if
 * allocation fails.
 */
bool sgt_addresses_init(struct sgt_addresses *a, const struct sgt_trace *trace, uint64_t align);
void sgt_addresses_finish(struct sgt_addresses *a);

/* Returns the address of the block that contains pixel (x, y). Coordinates and layers outside the
 * surface wrap around.
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
