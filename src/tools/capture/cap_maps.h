/* SPDX-License-Identifier: MIT */
/*
 * Maps of a frame: how many fragments each pixel got, and how large the
 * primitives are that are seen there.  Each draw is run once more before it is
 * run, with the target replaced by two of the tool's own and with a pixel program
 * that writes 1 and the primitive's number; depth and stencil are tested and
 * not written.  Where the target has several samples, so have the tool's, and a
 * fragment counts by the share of the pixel's samples that it gets.
 */
#ifndef CAP_MAPS_H
#define CAP_MAPS_H

#include "cap_picture.h"
#include "cap_step.h"

struct cap_maps {
   struct cap_player *player;
   struct sgpu_bo *bo;           /* the two targets */
   struct sgpu_bo *code;
   struct SGPU_SHADER shader;
   struct SGPU_SURFACE count, number;
   uint32_t width, height;       /* 0: no draw yet */
   uint32_t samples;
   uint32_t *sizes;              /* by pixel: of the latest primitive, in pixels */
   uint32_t *offsets;            /* of samples in a target: in floats, by pixels */
   uint64_t total;               /* samples drawn to so far */
   uint64_t storage;             /* of the target that the maps are about */
   uint64_t fragments;           /* of the latest draw; of samples, whole pixels' worth */
   uint64_t primitives;          /* of the latest draw, that are seen */
};

/* False without memory. */
bool cap_maps_init(struct cap_maps *m, struct cap_player *player);
void cap_maps_fini(struct cap_maps *m);
/* Whether the maps are about the target, or about none yet. */
bool cap_maps_take(const struct cap_maps *m, const struct SGPU_SURFACE *target);
/* A draw that was not carried out yet.  A draw to another target begins the
 * maps anew; false where it cannot be shown (no target).
 */
bool cap_maps_draw(struct cap_maps *m, struct cap_step *step);
/* With colours from black through blue and yellow to white. *most is what is
 * white: fragments (rounded up), or pixels of a primitive (on a scale of
 * logarithms).
 */
bool cap_maps_overdraw(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);
bool cap_maps_sizes(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);

#endif
