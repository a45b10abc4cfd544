/* SPDX-License-Identifier: MIT */
/*
 * Reservation stations' regions, all compared with a region at once: the overlap comparators
 * of Wolfe and Noonburg (MICRO-32, 1999, Figure 10).
 */
#ifndef SGT_BOXES_H
#define SGT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_trace.h"

struct sgt_boxes {
   uint32_t num, words;                          /* stations; words of a mask of them */
   int32_t *x0, *y0, *x1, *y1, *layer0, *layer1; /* of stations */
   int16_t *small[4];                            /* x0, y0, x1, y1 again, where they fit */
   uint32_t *set;
   uint64_t *valid; /* mask */
   uint32_t num_valid;
   uint32_t num_large; /* of them, those whose coordinates do not fit or whose layer is not 0 */
   /* The sets of valid stations, each with the mask of its stations. */
   uint32_t *active, *active_count;
   uint64_t *active_mask; /* [num][words] */
   uint32_t num_active;
};

/* `num` stations without regions.  False: no memory. */
bool sgt_boxes_init(struct sgt_boxes *b, uint32_t num);
void sgt_boxes_finish(struct sgt_boxes *b);
void sgt_boxes_add(struct sgt_boxes *b, uint32_t station, const struct sgt_region *region);
void sgt_boxes_remove(struct sgt_boxes *b, uint32_t station);
/* Writes the mask of stations whose region meets `region`.  False: it is 0. */
bool sgt_boxes_meet(const struct sgt_boxes *b, const struct sgt_trace *trace,
                    const struct sgt_region *region, uint64_t *mask);

#endif
