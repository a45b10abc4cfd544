/* SPDX-License-Identifier: MIT */
/*
 * Targets: surfaces that a draw tests or writes, or that a transfer reads or writes. All addresses
 * are device addresses.
 */
#ifndef SGT_TARGET_H
#define SGT_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_layout.h"

#define SGT_TARGET_DEPTH 0x01   /* depth or stencil surface */
#define SGT_TARGET_STENCIL 0x02 /* the draw tests or writes stencil values */
#define SGT_TARGET_READ \
   0x04 /* the draw reads stored values for a test, for blending or to keep bits; without
         * SGT_TARGET_WRITE, this is the source of a transfer */
#define SGT_TARGET_WRITE 0x08
#define SGT_TARGET_BLEND 0x10 /* the draw computes colours from stored colours */
#define SGT_TARGET_EARLY 0x20 /* depth surface that is tested early, i.e. before the pixel shader */
/* surface that consists of micro tiles of 8x4 elements (see sgpu_layout.h) */
#define SGT_TARGET_TILED 0x40
/* depth surface of a draw that writes no colour; set by the trace builder */
#define SGT_TARGET_ALONE 0x100
#define SGT_TARGET_BUFFER 0x80 /* buffer that consists of `width` elements of one byte */

struct sgt_target {
   uint64_t origin;         /* address of element (0, 0) in the first layer and first sample */
   uint64_t layer_stride;   /* distance between layers, in bytes */
   uint64_t sample_stride;  /* distance between samples, in bytes */
   uint32_t pitch;          /* distance between rows of elements, or of micro tiles, in bytes */
   uint32_t width, height;  /* width and height in elements */
   uint32_t x0, y0, x1, y1; /* half-open rectangle that a transfer reads or writes, in elements */
   uint16_t layers;
   uint8_t samples;
   uint8_t bytes; /* size of an element in bytes */
   uint8_t slot;  /* draws: index of the colour output */
   uint8_t pad;
   uint16_t flags; /* SGT_TARGET_* */
   uint16_t pad1[2];
};

/* Returns the address of an element of the target. */
static inline uint64_t
sgt_target_address(const struct sgt_target *t, uint32_t layer, uint32_t sample, uint32_t x,
                   uint32_t y)
{
   const uint64_t plane = t->origin + layer * t->layer_stride + sample * t->sample_stride;

   if (!(t->flags & SGT_TARGET_TILED))
      return plane + (uint64_t)y * t->pitch + (uint64_t)x * t->bytes;
   const uint64_t tile = (uint64_t)(y / SGPU_TILE_HEIGHT) * t->pitch +
                         (uint64_t)(x / SGPU_TILE_WIDTH) * SGPU_TILE_ELEMENTS * t->bytes;
   return plane + tile + (uint64_t)sgpu_tile_element(x, y) * t->bytes;
}

#endif
