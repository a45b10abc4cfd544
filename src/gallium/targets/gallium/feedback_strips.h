/* SPDX-License-Identifier: MIT */
/* Removal of restart indices from draws of GL_FEEDBACK and GL_SELECT.  The device records the
 * vertices as points, and the draw module assembles the strips between the restarts.
 */
#ifndef DRI_FEEDBACK_STRIPS_H
#define DRI_FEEDBACK_STRIPS_H

#include "feedback.h"

/* Draws without restart indices.  Draw i consists of the strips (or lists, fans, ...) end[i - 1] to
 * end[i] - 1.  The number of vertices in strip n is length[n].
 */
struct feedback_strips {
   struct pipe_draw_start_count_bias *draws;
   unsigned *end;
   struct util_dynarray length; /* array of unsigned: the number of vertices in each strip */
   /* copied indices of all draws, or NULL if the draws use the original index buffer */
   uint8_t *indices;
   unsigned min_index, max_index;
};

/* Splits draws into strips, and copies the indices if primitive restart is enabled.  Returns false
 * on allocation failure.
 */
bool feedback_strips_init(struct feedback_strips *strips, struct feedback *f,
                          const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
void feedback_strips_fini(struct feedback_strips *strips);
/* Appends the strips of all draws and instances to `pieces`.  Each piece has the position at which
 * the device records the strip, starting at vertex 0.  Returns the number of vertices.
 */
uint32_t feedback_strips_place(struct util_dynarray *pieces, const struct feedback_strips *strips,
                               unsigned num_draws, unsigned instances);

#endif
