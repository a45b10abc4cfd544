/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: the visibility buffer of a tile, for policy ooo+split+break.
 *
 * Fragments pass their early tests in program order.  Those of states with the role
 * SGD_ORDER_LATER are not shaded then: a record keeps a block's or a quad's lanes, and
 * the buffer has for each pixel the number of the last record that covers it.  Later, the
 * pixels that still have a record's number are the record's fragments to be shaded.  Each
 * pixel has one such fragment, so these can be shaded and stored in any order.
 *
 * Records of several lists of the tile wait together.  Fragments that are shaded at once,
 * of the role SGD_ORDER_NOW or for want of room, take their pixels from the buffer.
 */
#ifndef SGD_VISIBILITY_H
#define SGD_VISIBILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"
#include "sgd_state.h"
#include "sgd_waiting.h"

struct sgd_pixels;
struct sgd_prim;
struct sgd_quads;
struct sgd_raster;

#define SGD_VISIBLE_NONE UINT16_MAX

struct sgd_visible {
   const struct sgd_prim *prim;
   uint32_t mask; /* lanes: 32 of a block, 4 of a quad */
   uint8_t x, y;  /* in the tile */
   bool block;
};

struct sgd_visibility {
   /* Number of a pixel's record, or SGD_VISIBLE_NONE.  8x4 blocks row by row, in each the
    * order of lanes.
    */
   _Alignas(64) uint16_t owner[SGD_TILE * SGD_TILE];
   uint32_t count;
   struct sgd_visible record[SGD_WAITING_RECORDS];
};

/* Allocates the buffer and, if no record waits, clears it; false: no memory. */
bool sgd_visibility_begin(struct sgd_raster *r, bool clear);
/* Records the lanes of the quads; false: there is no room. */
bool sgd_visibility_add(struct sgd_raster *r, const struct sgd_pixels *pixels);
/* Lanes of the records from `first` on. */
unsigned sgd_visibility_lanes(const struct sgd_raster *r, uint32_t first);
/* The lanes of `mask` belong to no record any more. */
void sgd_visibility_hide(struct sgd_raster *r, const struct sgd_quads *quads, uint32_t mask);
/* Leaves in records [first, end) the lanes whose pixels they own; returns their number. */
unsigned sgd_visibility_resolve(struct sgd_raster *r, uint32_t first, uint32_t end);

#endif
