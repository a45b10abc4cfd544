/* SPDX-License-Identifier: MIT */
/*
 * State objects.  Their packets are packed once, when the objects are created.
 */
#ifndef SGPU_STATE_H
#define SGPU_STATE_H

#include "pipe/p_state.h"
#include "sgpu_packets.h"

struct sgpu_blend {
   uint32_t packed[SGPU_BLEND_LENGTH + PIPE_MAX_COLOR_BUFS * SGPU_BLEND_TARGET_LENGTH];
};

struct sgpu_depth_stencil {
   uint32_t packed[SGPU_DEPTH_STENCIL_LENGTH];
   uint32_t bounds[SGPU_DEPTH_BOUNDS_LENGTH]; /* packet DEPTH BOUNDS, if bounds_test is set */
   bool bounds_test;
   bool writes; /* depth or stencil is written */
};

struct sgpu_rasterizer {
   struct SGPU_RASTERIZER state; /* unpacked state, without the field Force Flat */
   uint32_t packed[SGPU_RASTERIZER_LENGTH];
   bool flatshade;
   bool per_sample; /* all inputs of the pixel program are interpolated at the samples */
   bool conservative;
   uint16_t sprite_coord_enable;
};

struct sgpu_sampler {
   uint32_t packed[SGPU_SAMPLER_LENGTH];
};

struct sgpu_vertex_elements {
   unsigned count;
   /* The field Input is 0; emit_vertex_elements() adds the one of the vertex shader. */
   uint32_t packed[PIPE_MAX_ATTRIBS][SGPU_VERTEX_ELEMENT_LENGTH];
};

struct sgpu_surface {
   struct pipe_surface base;
   struct SGPU_SURFACE desc;
};

struct sgpu_sampler_view {
   struct pipe_sampler_view base;
   /* Unpacked descriptor.  For a buffer, the address is not set, since the storage may change. */
   struct SGPU_TEXTURE desc;
   uint32_t packed[SGPU_TEXTURE_LENGTH];
};

static inline struct sgpu_surface *
sgpu_surface(struct pipe_surface *surf)
{
   return (struct sgpu_surface *)surf;
}

static inline struct sgpu_sampler_view *
sgpu_sampler_view(struct pipe_sampler_view *view)
{
   return (struct sgpu_sampler_view *)view;
}

#endif
