/* SPDX-License-Identifier: MIT */
/*
 * Draws of GL_FEEDBACK and GL_SELECT without restart indices: the device records their vertices
 * as points, and the draw module makes strips of them again.
 */
#ifndef DRI_FEEDBACK_STRIPS_H
#define DRI_FEEDBACK_STRIPS_H

#include "feedback.h"

/* Draws without restart indices: those of draw i are the strips (or lists, fans, ...) of
 * length[] from end[i - 1] to end[i].
 */
struct feedback_strips {
   struct pipe_draw_start_count_bias *draws;
   unsigned *end;
   struct util_dynarray length; /* unsigned: vertices */
   uint8_t *indices;            /* of all draws; NULL: the program's are drawn */
   unsigned min_index, max_index;
};

/* The draws' strips; their indices are read where there may be restarts.  False without memory. */
bool feedback_strips_init(struct feedback_strips *strips, struct feedback *f,
                          const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
void feedback_strips_fini(struct feedback_strips *strips);
/* The strips where they are recorded, from the first vertex on: the vertices of a draw's instances
 * follow each other.  Returns their number.
 */
uint32_t feedback_strips_place(struct util_dynarray *pieces, const struct feedback_strips *strips,
                               unsigned num_draws, unsigned instances);

#endif
