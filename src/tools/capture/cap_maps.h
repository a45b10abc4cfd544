/* SPDX-License-Identifier: MIT */
/*
 * Maps of a frame: the number of fragments per pixel (overdraw), and the size of
 * the primitive that is visible at each pixel.  Before each draw the tool runs it
 * once more with two targets of its own, which have as many samples, and with a
 * pixel program that writes 1 and the primitive's number.  Depth and stencil are
 * tested and not written.  A fragment counts by the share of the pixel's samples
 * that it covers.
 */
#ifndef CAP_MAPS_H
#define CAP_MAPS_H

#include "cap_picture.h"
#include "cap_step.h"

struct cap_maps {
   struct cap_player *player;
   struct sgpu_bo *bo; /* the two targets */
   struct sgpu_bo *code;
   struct SGPU_SHADER shader;
   struct SGPU_SURFACE count, number;
   uint32_t width, height; /* 0: no draw yet */
   uint32_t samples;
   uint32_t *sizes;     /* by pixel: size of the latest primitive, in pixels */
   uint32_t *offsets;   /* of the samples in a target by pixel, in floats */
   uint64_t total;      /* samples drawn so far */
   uint64_t storage;    /* of the mapped target */
   uint64_t fragments;  /* of the latest draw; samples count by their share */
   uint64_t primitives; /* visible ones of the latest draw */
};

/* False if out of memory. */
bool cap_maps_init(struct cap_maps *m, struct cap_player *player);
void cap_maps_fini(struct cap_maps *m);
/* Whether the maps have this target, or none yet. */
bool cap_maps_take(const struct cap_maps *m, const struct SGPU_SURFACE *target);
/* Adds a draw that has not run yet.  A draw to another target resets the maps.  False
 * if the draw has no target that can be shown.
 */
bool cap_maps_draw(struct cap_maps *m, struct cap_step *step);
/* Pictures with colours from black through blue and yellow to white. *most is the
 * value of white: fragments (rounded up), or pixels of a primitive (on a
 * logarithmic scale).
 */
bool cap_maps_overdraw(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);
bool cap_maps_sizes(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);

#endif
