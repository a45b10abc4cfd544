/* SPDX-License-Identifier: MIT */
/*
 * Vertices that the last stage of a draw passes to the clipper and setup.
 */
#ifndef SGD_FRONT_VERTEX_H
#define SGD_FRONT_VERTEX_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"

/* Window coordinates have 8 bits of subpixel precision, and a range of 2^15 pixels around the
 * origin.
 */
#define SGD_SUBPIXEL_BITS 8
#define SGD_SUBPIXEL 256
#define SGD_GUARD 32768.0f

/* Outcode bits: bit n is set if the vertex is outside plane n. The clipper processes the planes
 * below SGD_CLIP_VIEW in bit order; see sgd_clip.c for the planes of SGD_CLIP_VIEW_BITS. A
 * primitive is rejected if all its vertices are outside the same plane, or if the same cull
 * distance is negative at all vertices.
 */
enum {
   SGD_CLIP_W, /* the plane w > 0 */
   SGD_CLIP_NEAR,
   SGD_CLIP_FAR,
   SGD_CLIP_GUARD, /* four planes of the guard band: low x, high x, low y, high y */
   SGD_CLIP_USER = SGD_CLIP_GUARD + 4,
   SGD_CLIP_VIEW = SGD_CLIP_USER + 8, /* four planes at the sides of the view volume */
   SGD_CLIP_PLANES = SGD_CLIP_VIEW + 4,
   SGD_CLIP_CULL = SGD_CLIP_PLANES, /* negative cull distances, eight bits */
};
#define SGD_CLIP_GUARD_BITS (15u << SGD_CLIP_GUARD)
#define SGD_CLIP_VIEW_BITS (15u << SGD_CLIP_VIEW)
#define SGD_CLIP_USER_BITS (255u << SGD_CLIP_USER)
#define SGD_CLIP_CULL_BITS (255u << SGD_CLIP_CULL)
/* Set if the edge flag of the vertex is false. Unlike the other bits, this is not a plane. */
#define SGD_VERTEX_INNER (1u << 31)

/* Maximum number of corners of a clipped triangle. Each plane adds up to two corners instead of
 * one, since rounding can make the polygon slightly concave.
 */
#define SGD_CLIP_CORNERS (3 + 2 * SGD_CLIP_PLANES)

struct sgd_vertex {
   float pos[4]; /* position in clip space, swizzled for the viewport */
   /* window position in units of 1/256 pixel; only valid if the vertex is inside all planes */
   int32_t x, y;
   float z, rw;   /* window depth; 1/w */
   uint32_t clip; /* outcode (SGD_CLIP_*) and SGD_VERTEX_INNER */
   float point_size;
   uint32_t layer; /* layer as written by the program; ignored if the targets are not layered */
   /* viewport index as written by the program (see sgd_vertex_viewport()), or the mask of viewports
    * shifted by SGD_VIEWPORT_MASK_SHIFT, so that the index is 0
    */
   uint32_t viewport;
   /* attributes in the order of struct sgd_varyings, followed by clip distances, by words for
    * transform feedback, and by the position before the swizzle (see struct sgd_front)
    */
   float attr[];
};

#define SGD_VIEWPORT_MASK_SHIFT 16
static_assert(SGD_MAX_VIEWPORTS <= 1 << SGD_VIEWPORT_MASK_SHIFT && SGD_MAX_VIEWPORTS <= 16, "");

/* Returns the viewport index to use, which is 0 if the program wrote an index out of range. */
static inline unsigned
sgd_vertex_viewport(const struct sgd_vertex *v)
{
   return v->viewport < SGD_MAX_VIEWPORTS ? v->viewport : 0;
}

#endif
