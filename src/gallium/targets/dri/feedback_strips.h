/* SPDX-License-Identifier: MIT */
/* Removal of restart indices from draws of GL_FEEDBACK and GL_SELECT.  The device records the
 * vertices as points, and the draw module assembles the strips between the restarts.
 */
#ifndef DRI_FEEDBACK_STRIPS_H
#define DRI_FEEDBACK_STRIPS_H

#include "feedback.h"

/* Draws without restart indices.  Draw i consists of the strips (or lists, fans, ...) end[i - 1] to
 * end[i] - 1.  `length` has the number of vertices of each strip.
 */
struct feedback_strips {
   struct pipe_draw_start_count_bias *draws;
   unsigned *end;
   struct util_dynarray length; /* array of unsigned: number of vertices of each strip */
   /* copied indices of all draws, or NULL if the original index buffer is used */
   uint8_t *indices;
   unsigned min_index, max_index;
};

/* Finds the strips of draws, and copies the indices if there are restarts.  Returns false on
 * allocation failure.
 */
bool feedback_strips_init(struct feedback_strips *strips, struct feedback *f,
                          const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
void feedback_strips_fini(struct feedback_strips *strips);
/* Appends the strips of all draws and instances to `pieces`, with the positions at which the device
 * records them, starting at vertex 0.  Returns the number of vertices.
 */
uint32_t feedback_strips_place(struct util_dynarray *pieces, const struct feedback_strips *strips,
                               unsigned num_draws, unsigned instances);

#endif
