/* SPDX-License-Identifier: MIT */
/*
 * Regions of the issue unit's reservation stations. A region can be compared with the regions of
 * all stations at once, which corresponds to the overlap comparators of Wolfe and Noonburg
 * (MICRO-32, 1999, Figure 10).
 */
#ifndef SGT_BOXES_H
#define SGT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

struct sgt_boxes {
   /* number of stations, and number of words in a bitmask of stations */
   uint32_t num, words;
   int32_t *x0, *y0, *x1, *y1, *layer0, *layer1; /* rectangle and layers of each station */
   int16_t *small[4];                            /* 16-bit copies of x0, y0, x1, y1 */
   uint32_t *set;      /* index of the memory set of each station's region */
   uint64_t *valid;    /* bitmask of stations that have a region */
   uint32_t num_valid; /* number of stations that have a region */
   /* number of valid stations with coordinates that don't fit in 16 bits or a layer other than 0 */
   uint32_t num_large;
   /* Memory sets that valid stations use, and number of valid stations per set. */
   uint32_t *active, *active_count;
   uint64_t *active_mask; /* [num][words]: bitmask of the stations that use each active set */
   uint32_t num_active;
};

/* Allocates `num` stations without regions. Returns false if allocation fails. */
bool sgt_boxes_init(struct sgt_boxes *b, uint32_t num);
void sgt_boxes_finish(struct sgt_boxes *b);
/* These functions set and clear the region of a station. */
void sgt_boxes_add(struct sgt_boxes *b, uint32_t station, const struct sgt_region *region);
void sgt_boxes_remove(struct sgt_boxes *b, uint32_t station);
/* Computes a bitmask of the stations whose regions overlap `region`. Returns false if it is empty.
 */
bool sgt_boxes_meet(const struct sgt_boxes *b, const struct sgt_trace *trace,
                    const struct sgt_region *region, uint64_t *mask);

#endif
