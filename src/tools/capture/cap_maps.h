/* SPDX-License-Identifier: MIT */
/*
 * Maps of a frame: the number of fragments per pixel (overdraw), and the size of the primitive that
 * is visible at each pixel.  Before a draw runs, the tool runs a copy of it with two targets of its
 * own, which have the same number of samples, and with a pixel program that writes 1 and the number
 * of the primitive.  The copy tests depth and stencil but does not write them.  A fragment counts
 * by the share of the pixel's samples that it covers.
 */
#ifndef CAP_MAPS_H
#define CAP_MAPS_H

#include "cap_picture.h"
#include "cap_step.h"

struct cap_maps {
   struct cap_player *player;
   struct sgpu_bo *bo;                /* memory of the two targets */
   struct sgpu_bo *code;              /* memory of the pixel program */
   struct SGPU_SHADER shader;         /* packet that binds the pixel program */
   struct SGPU_SURFACE count, number; /* targets: number of fragments, number of the primitive */
   uint32_t width, height;            /* size of the targets; 0 before the first draw */
   uint32_t samples;                  /* number of samples per pixel */
   uint32_t *sizes;                   /* for each pixel, size of its latest primitive in pixels */
   uint32_t *offsets;                 /* offset of each sample in a target, in floats */
   uint64_t total;                    /* number of samples that all draws have covered */
   uint64_t storage;                  /* storage of the target that the maps are about */
   uint64_t fragments;                /* number of fragments of the latest draw */
   uint64_t primitives;               /* number of visible primitives of the latest draw */
};

/* Returns false if out of memory. */
bool cap_maps_init(struct cap_maps *m, struct cap_player *player);
void cap_maps_fini(struct cap_maps *m);
/* Returns true if the maps are about this target, or about no target yet. */
bool cap_maps_take(const struct cap_maps *m, const struct SGPU_SURFACE *target);
/* Adds a draw before it runs.  Returns false if its target cannot be shown. */
bool cap_maps_draw(struct cap_maps *m, struct cap_step *step);
/* Make pictures of the maps, with colours from black through blue and yellow to white.  *most
 * is set to the value of white: the number of fragments, rounded up, or the size of a
 * primitive in pixels, on a logarithmic scale.
 */
bool cap_maps_overdraw(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);
bool cap_maps_sizes(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most);

#endif
