/* SPDX-License-Identifier: MIT */
/*
 * Regions of the issue unit's reservation stations. A region is compared with the regions of all
 * stations in one step, like in the overlap comparators of Wolfe and Noonburg (MICRO-32, 1999,
 * Figure 10).
 */
#ifndef SGT_BOXES_H
#define SGT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

struct sgt_boxes {
   /* num: number of stations;
    * words: number of 64-bit words in a bitmask of stations
    */
   uint32_t num, words;
   int32_t *x0, *y0, *x1, *y1, *layer0, *layer1; /* rectangle and layers of each station */
   int16_t *small[4];                            /* 16-bit copies of x0, y0, x1, y1 */
   /* for each station, the memory set (index in the trace) that its region belongs to */
   uint32_t *set;
   uint64_t *valid;    /* bitmask of stations that have a region */
   uint32_t num_valid; /* number of stations that have a region */
   /* number of valid stations whose coordinates don't fit in 16 bits or whose layer isn't 0 */
   uint32_t num_large;
   /* active: memory sets that valid stations use;
    * active_count: number of valid stations that use each of these sets
    */
   uint32_t *active, *active_count;
   /* [num][words]: for each active set, a bitmask of the stations that use it */
   uint64_t *active_mask;
   uint32_t num_active;
};

/* Allocates `num` stations without regions. Returns false if allocation fails. */
bool sgt_boxes_init(struct sgt_boxes *b, uint32_t num);
void sgt_boxes_finish(struct sgt_boxes *b);
/* These functions set and clear the region of a station. */
void sgt_boxes_add(struct sgt_boxes *b, uint32_t station, const struct sgt_region *region);
void sgt_boxes_remove(struct sgt_boxes *b, uint32_t station);
/* Stores a bitmask of the stations whose regions overlap `region` in `mask`. Returns false if no
 * region overlaps.
 */
bool sgt_boxes_meet(const struct sgt_boxes *b, const struct sgt_trace *trace,
                    const struct sgt_region *region, uint64_t *mask);

#endif
