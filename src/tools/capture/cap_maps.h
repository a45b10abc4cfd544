/* SPDX-License-Identifier: MIT */
/* Maps of a frame: the number of fragments per pixel (overdraw), and the size of the primitive that
 * is visible at each pixel.  Before each draw, the tool runs a copy of the draw.  The copy has two
 * separate targets with the same number of samples, and a pixel shader that writes 1 and the
 * primitive ID.  It tests depth and stencil but does not write them.  A fragment counts as the
 * fraction of the pixel's samples that it covers.
 */
#ifndef CAP_MAPS_H
#define CAP_MAPS_H

#include "cap_picture.h"
#include "cap_step.h"

struct cap_maps {
   struct cap_player *player;
   struct sgpu_bo *bo;        /* memory of the two map targets */
   struct sgpu_bo *code;      /* memory of the pixel shader */
   struct SGPU_SHADER shader; /* SHADER packet that binds the pixel shader */
   /* render targets: `count` for the number of fragments, `number` for the primitive ID */
   struct SGPU_SURFACE count, number;
   uint32_t width, height; /* size of the targets in pixels, or 0 before the first draw */
   uint32_t samples;       /* number of samples per pixel */
   /* for each pixel: size, in pixels, of the primitive that was drawn last */
   uint32_t *sizes;
   uint32_t *offsets;   /* offset of each sample in a target, in floats */
   uint64_t total;      /* number of samples covered by all draws */
   uint64_t storage;    /* device address of the render target that the maps show */
   uint64_t fragments;  /* number of fragments in the latest draw */
   uint64_t primitives; /* number of visible primitives in the latest draw */
};

/* Initializes the maps.  Returns false on allocation failure. */
bool cap_maps_init(struct cap_maps *m, struct cap_player *player);
void cap_maps_fini(struct cap_maps *m);
/* Returns true if the maps show this target, or don't show any target yet. */
bool cap_maps_take(const struct cap_maps *m, const struct SGPU_SURFACE *target);
/* Adds a draw to the maps.  Must be called before the draw runs.  Returns false if the maps can't
 * show the target of the draw.
 */
bool cap_maps_draw(struct cap_maps *m, struct cap_step *step);
/* Create pictures of the maps.  The colors range from black through blue and yellow to white.  Set
 * *most to the value that is shown as white: the number of fragments, rounded up, or the primitive
 * size in pixels, on a logarithmic scale.
 */
bool cap_maps_overdraw(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);
bool cap_maps_sizes(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);

#endif
