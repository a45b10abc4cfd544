/* SPDX-License-Identifier: MIT */
/*
 * Addresses of pixels for the DRAM model.  A trace names sets of memory and no addresses, so
 * each set has a place of its own: for each layer a depth surface and a colour surface of 4
 * bytes a pixel, in blocks of 8x4 pixels (SGT_BLOCK_BYTES, contiguous, in the order of lanes),
 * row by row.
 */
#ifndef SGT_ADDRESS_H
#define SGT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

#define SGT_BLOCK_BYTES 128

enum sgt_stream { SGT_STREAM_DEPTH, SGT_STREAM_COLOR, SGT_STREAMS };

struct sgt_surface {
   uint64_t base;          /* bytes */
   uint32_t columns, rows; /* blocks */
   uint32_t layers;
};

struct sgt_addresses {
   struct sgt_surface *sets; /* [trace->num_sets] */
   uint64_t end;             /* behind all of them */
};

/* Surfaces start at multiples of `align` bytes.  False: no memory. */
bool sgt_addresses_init(struct sgt_addresses *a, const struct sgt_trace *trace, uint64_t align);
void sgt_addresses_finish(struct sgt_addresses *a);

/* The block with pixel x, y; pixels outside of the surface have an address inside. */
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
