/* SPDX-License-Identifier: MIT */
/*
 * State objects: packed once, when they are created.
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
   uint32_t bounds[SGPU_DEPTH_BOUNDS_LENGTH]; /* packed, where bounds are tested */
   bool bounds_test;
   bool writes; /* depth or stencil */
};

struct sgpu_rasterizer {
   struct SGPU_RASTERIZER state; /* without Force Flat */
   uint32_t packed[SGPU_RASTERIZER_LENGTH];
   bool flatshade;
   bool per_sample; /* all inputs are taken at the samples */
   bool conservative;
   uint16_t sprite_coord_enable;
};

struct sgpu_sampler {
   uint32_t packed[SGPU_SAMPLER_LENGTH];
};

struct sgpu_vertex_elements {
   unsigned count;
   /* Input is 0: the vertex shader adds its own. */
   uint32_t packed[PIPE_MAX_ATTRIBS][SGPU_VERTEX_ELEMENT_LENGTH];
};

struct sgpu_surface {
   struct pipe_surface base;
   struct SGPU_SURFACE desc;
};

struct sgpu_sampler_view {
   struct pipe_sampler_view base;
   /* Of a buffer without the address: the current storage has it. */
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
