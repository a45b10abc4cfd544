/* SPDX-License-Identifier: MIT */
/* State objects.  Their packets are packed once, when a state object is created. */
#ifndef SGPU_STATE_H
#define SGPU_STATE_H

#include "pipe/p_state.h"
#include "sgpu_packets.h"

struct sgpu_blend {
   uint32_t packed[SGPU_BLEND_LENGTH + PIPE_MAX_COLOR_BUFS * SGPU_BLEND_TARGET_LENGTH];
};

struct sgpu_depth_stencil {
   uint32_t packed[SGPU_DEPTH_STENCIL_LENGTH];
   /* DEPTH BOUNDS packet; only valid if bounds_test is set */
   uint32_t bounds[SGPU_DEPTH_BOUNDS_LENGTH];
   bool bounds_test;
   bool writes; /* set if draws with this state may write depth or stencil */
};

struct sgpu_rasterizer {
   struct SGPU_RASTERIZER state; /* unpacked state; field Force Flat is not set */
   uint32_t packed[SGPU_RASTERIZER_LENGTH];
   bool flatshade;
   bool per_sample; /* set if all inputs of the pixel shader are interpolated at the samples */
   bool conservative;
   uint16_t sprite_coord_enable;
};

struct sgpu_sampler {
   uint32_t packed[SGPU_SAMPLER_LENGTH];
};

/* An entry of the VERTEX BUFFERS packet. */
struct sgpu_vertex_source {
   uint8_t buffer;  /* index of the vertex buffer in the context */
   uint16_t stride; /* bytes from one vertex to the next */
};

struct sgpu_vertex_elements {
   unsigned count;
   /* Vertex buffers in the order in which the elements use them.  The stride belongs to the
    * elements, so a buffer may have several entries.
    */
   struct sgpu_vertex_source sources[PIPE_MAX_ATTRIBS];
   unsigned num_sources;
   /* Packed records with the field Input set to 0.  emit_vertex_elements() adds the input of the
    * vertex shader.
    */
   uint32_t packed[PIPE_MAX_ATTRIBS][SGPU_VERTEX_ELEMENT_LENGTH];
};

struct sgpu_surface {
   struct pipe_surface base;
   struct SGPU_SURFACE desc;
   /* Samples that draws write in place of the surface itself, or NULL: the surface has more samples
    * than its texture (EXT_multisampled_render_to_texture).
    */
   struct pipe_surface *samples;
};

struct sgpu_sampler_view {
   struct pipe_sampler_view base;
   /* Unpacked descriptor.  The address is not set for buffers, since their storage may change. */
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
