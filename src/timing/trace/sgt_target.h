/* SPDX-License-Identifier: MIT */
/*
 * Targets: where the surfaces lie that fragments of a draw test or write, or that a transfer
 * reads or writes.  Addresses are the device's own.
 */
#ifndef SGT_TARGET_H
#define SGT_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_layout.h"

#define SGT_TARGET_DEPTH 0x01   /* depth, stencil or both */
#define SGT_TARGET_STENCIL 0x02 /* a draw tests or writes stencil values */
#define SGT_TARGET_READ \
   0x04 /* stored values are needed: a test, blending, bits that stay; of
                                 * a transfer without SGT_TARGET_WRITE: its source */
#define SGT_TARGET_WRITE 0x08
#define SGT_TARGET_BLEND 0x10  /* colours are computed from stored ones */
#define SGT_TARGET_EARLY 0x20  /* depth: tested ahead of the pixel program */
#define SGT_TARGET_TILED 0x40  /* micro tiles of 8x4 elements (sgpu_layout.h) */
#define SGT_TARGET_ALONE 0x100 /* depth: the draw writes no colour; the builder finds it */
#define SGT_TARGET_BUFFER 0x80 /* bytes: `width` of them, an element each */

struct sgt_target {
   uint64_t origin;         /* element 0, 0 of the first layer, sample 0 */
   uint64_t layer_stride;   /* bytes */
   uint64_t sample_stride;  /* bytes */
   uint32_t pitch;          /* bytes from a row of elements, or of micro tiles, to the next */
   uint32_t width, height;  /* elements */
   uint32_t x0, y0, x1, y1; /* elements that a transfer reads or writes, half open */
   uint16_t layers;
   uint8_t samples;
   uint8_t bytes; /* of an element */
   uint8_t slot;  /* of a draw's colour: its output */
   uint8_t pad;
   uint16_t flags; /* SGT_TARGET_* */
   uint16_t pad1[2];
};

/* The address of an element inside the target. */
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
