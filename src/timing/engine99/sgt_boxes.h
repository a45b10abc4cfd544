/* SPDX-License-Identifier: MIT */
/*
 * Regions of the reservation stations, all of which are compared with a region at once. They
 * correspond to the overlap comparators of Wolfe and Noonburg (MICRO-32, 1999, Figure 10).
 */
#ifndef SGT_BOXES_H
#define SGT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

struct sgt_boxes {
   /* number of stations; number of words in a mask of stations */
   uint32_t num, words;
   int32_t *x0, *y0, *x1, *y1, *layer0, *layer1; /* region of each station */
   int16_t *small[4];                            /* copies of x0, y0, x1, y1 in 16 bits */
   uint32_t *set;                                /* set of each station's region */
   uint64_t *valid;                              /* mask of stations that have a region */
   uint32_t num_valid;                           /* number of stations that have a region */
   /* number of these stations whose coordinates do not fit in 16 bits or whose layer is not 0 */
   uint32_t num_large;
   /* Sets of the valid stations, each with the number and the mask of its stations. */
   uint32_t *active, *active_count;
   uint64_t *active_mask; /* [num][words]: mask of the stations in each of the active sets */
   uint32_t num_active;
};

/* Makes `num` stations without regions. Returns false if out of memory. */
bool sgt_boxes_init(struct sgt_boxes *b, uint32_t num);
void sgt_boxes_finish(struct sgt_boxes *b);
/* Set, and clear, the region of a station. */
void sgt_boxes_add(struct sgt_boxes *b, uint32_t station, const struct sgt_region *region);
void sgt_boxes_remove(struct sgt_boxes *b, uint32_t station);
/* Writes the mask of the stations whose region intersects `region`. Returns false if there are
 * none.
 */
bool sgt_boxes_meet(const struct sgt_boxes *b, const struct sgt_trace *trace,
                    const struct sgt_region *region, uint64_t *mask);

#endif
