/* SPDX-License-Identifier: MIT */
/*
 * Vertices as the clipper and setup take them, from the last stage of a draw.
 */
#ifndef SGD_FRONT_VERTEX_H
#define SGD_FRONT_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_state.h"

/* Window coordinates: 8 bits of sub-pixel precision, at most 2^15 pixels from
 * the origin.
 */
#define SGD_SUBPIXEL_BITS 8
#define SGD_SUBPIXEL 256
#define SGD_GUARD 32768.0f

/* Outcode bits: the planes that a vertex is outside of.  The clipper cuts at the
 * planes below SGD_CLIP_VIEW in the order of the bits, and at those of
 * SGD_CLIP_VIEW_BITS as sgd_clip.c says.  A primitive is dropped if all its
 * vertices are outside of one plane, or have one cull distance negative.
 */
enum {
   SGD_CLIP_W, /* w > 0 */
   SGD_CLIP_NEAR,
   SGD_CLIP_FAR,
   SGD_CLIP_GUARD, /* x low, x high, y low, y high: the range of coordinates */
   SGD_CLIP_USER = SGD_CLIP_GUARD + 4,
   SGD_CLIP_VIEW = SGD_CLIP_USER + 8, /* the sides of the view volume */
   SGD_CLIP_PLANES = SGD_CLIP_VIEW + 4,
   SGD_CLIP_CULL = SGD_CLIP_PLANES, /* negative cull distances */
};
#define SGD_CLIP_GUARD_BITS (15u << SGD_CLIP_GUARD)
#define SGD_CLIP_VIEW_BITS (15u << SGD_CLIP_VIEW)
#define SGD_CLIP_USER_BITS (255u << SGD_CLIP_USER)
#define SGD_CLIP_CULL_BITS (255u << SGD_CLIP_CULL)
/* No plane: the edge flag is not set. */
#define SGD_VERTEX_INNER (1u << 31)

/* Corners of a clipped triangle: three, and one more for every plane; rounding can
 * make it not quite convex, so a plane adds at most two.
 */
#define SGD_CLIP_CORNERS (3 + 2 * SGD_CLIP_PLANES)

struct sgd_vertex {
   float pos[4];  /* clip space */
   int32_t x, y;  /* window, 1/256 pixel; valid unless outside a plane */
   float z, rw;   /* window depth; 1/w */
   uint32_t clip; /* SGD_CLIP_* bits: outside of; SGD_VERTEX_INNER */
   float point_size;
   uint32_t layer;    /* as the program writes it; targets without layers accept all */
   uint32_t viewport; /* as the program writes it: sgd_vertex_viewport */
   float attr[];      /* in the order of struct sgd_varyings, then clip distances, then
                               * the words that xfb records */
};

/* The viewport in use: the first one where the program's number is out of range. */
static inline unsigned
sgd_vertex_viewport(const struct sgd_vertex *v)
{
   return v->viewport < SGD_MAX_VIEWPORTS ? v->viewport : 0;
}

#endif
