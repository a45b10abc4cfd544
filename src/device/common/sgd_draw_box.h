/* SPDX-License-Identifier: MIT */
/*
 * Bounding boxes of the pixels that a draw can touch, derived from its state. Setup clips
 * primitives to these boxes. The boxes also limit the regions of the targets for which a draw is
 * ordered with other operations.
 */
#ifndef SGD_DRAW_BOX_H
#define SGD_DRAW_BOX_H

#include "common/sgd_box.h"
#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "util/macros.h"

/* `filled` bounds filled polygons, which are clipped to the viewport. `reach` bounds points and
 * lines, which are clipped to the scissor, and also to the viewport if RASTERIZER.Viewport Scissor
 * is set.
 */
struct sgd_draw_boxes {
   struct sgd_box filled, reach;
};

/* Returns the first pixel column (row) whose centre is not to the left of (above) coordinate c. */
static inline int32_t
sgd_first_pixel(float c)
{
   /* Clamp NaN and out-of-range coordinates to the valid range. */
   const float x = sgpu_fceil(sgpu_fsub(c, 0.5f));
   const float low = x > -1.0f ? x : -1.0f;
   return (int32_t)(low < 65536.0f ? low : 65536.0f);
}

static inline struct sgd_box
sgd_common_box(struct sgd_box a, struct sgd_box b)
{
   return (struct sgd_box){
      .x0 = MAX2(a.x0, b.x0),
      .y0 = MAX2(a.y0, b.y0),
      .x1 = MIN2(a.x1, b.x1),
      .y1 = MIN2(a.y1, b.y1),
   };
}

/* Returns the smallest box that contains all rectangles. It is empty if there is none. */
static inline struct sgd_box
sgd_window_box(const struct sgd_window_rects *rects)
{
   struct sgd_box box = { 0 };

   for (unsigned i = 0; i < rects->count; i++) {
      const struct SGPU_WINDOW_RECTANGLE *r = &rects->rect[i];
      box.x0 = i ? MIN2(box.x0, r->x0) : r->x0;
      box.y0 = i ? MIN2(box.y0, r->y0) : r->y0;
      box.x1 = MAX2(box.x1, r->x1);
      box.y1 = MAX2(box.y1, r->y1);
   }
   return box;
}

/* Returns the box of the target's pixels that are inside scissor n. With inclusive window
 * rectangles, the box is smaller.
 */
static inline struct sgd_box
sgd_target_box(const struct sgd_state *state, unsigned n)
{
   const struct SGPU_SCISSOR *sc = &state->scissor[n];
   struct sgd_box box = { .x1 = state->fb_width, .y1 = state->fb_height };

   if (state->window_rects.inclusive)
      box = sgd_common_box(box, sgd_window_box(&state->window_rects));
   if (!state->rast.scissor)
      return box;
   return sgd_common_box(box, (struct sgd_box){ sc->x0, sc->y0, sc->x1, sc->y1 });
}

static inline struct sgd_box
sgd_viewport_box(const struct sgd_state *state, unsigned n)
{
   const struct SGPU_VIEWPORT *vp = &state->viewport[n];
   const float w = sgpu_fabs(vp->scale_x), h = sgpu_fabs(vp->scale_y);

   return (struct sgd_box){
      .x0 = sgd_first_pixel(sgpu_fsub(vp->translate_x, w)),
      .y0 = sgd_first_pixel(sgpu_fsub(vp->translate_y, h)),
      .x1 = sgd_first_pixel(sgpu_fadd(vp->translate_x, w)),
      .y1 = sgd_first_pixel(sgpu_fadd(vp->translate_y, h)),
   };
}

/* Returns the bounding boxes for viewport n. A box may be empty (x1 <= x0 or y1 <= y0), but never
 * extends beyond the targets.
 */
static inline struct sgd_draw_boxes
sgd_draw_boxes(const struct sgd_state *state, unsigned n)
{
   const struct sgd_box target = sgd_target_box(state, n);
   const struct sgd_box filled = sgd_common_box(target, sgd_viewport_box(state, n));

   return (struct sgd_draw_boxes){
      .filled = filled,
      .reach = state->rast.viewport_scissor ? filled : target,
   };
}

#endif
