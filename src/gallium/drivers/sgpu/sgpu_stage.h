/* SPDX-License-Identifier: MIT */
/* The shader stages of draws, and the compute stage.  Code that handles all stages loops over
 * sgpu_stages.  To add a stage, add an entry to enum sgpu_stage_index and to sgpu_stages.
 */
#ifndef SGPU_STAGE_H
#define SGPU_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_defines.h"
#include "sgpu_packets.h"

struct pipe_context;
struct pipe_resource;
struct sgpu_context;
struct sgpu_sampler_view;
struct sgpu_shader_state;

/* Indices of the shader stages, in pipeline order. */
enum sgpu_stage_index {
   SGPU_VS,
   SGPU_TCS,
   SGPU_TES,
   SGPU_GS,
   SGPU_FS,
   SGPU_NUM_DRAW_STAGES,
   SGPU_CS = SGPU_NUM_DRAW_STAGES,
   SGPU_NUM_STAGES,
};

#define SGPU_DRAW_STAGES ((1u << SGPU_NUM_DRAW_STAGES) - 1)
#define SGPU_ALL_STAGES ((1u << SGPU_NUM_STAGES) - 1)

/* Packets of one stage that must be written before the next draw or grid. */
enum sgpu_stage_dirty {
   SGPU_DIRTY_STAGE_SHADER = 1 << 0,
   SGPU_DIRTY_STAGE_CONSTANTS = 1 << 1,
   SGPU_DIRTY_STAGE_TEXTURES = 1 << 2,
   SGPU_DIRTY_STAGE_SAMPLERS = 1 << 3,
   SGPU_DIRTY_STAGE_LINK = 1 << 4, /* the stage's packet in sgpu_context::link */
   SGPU_DIRTY_STAGE_BUFFERS = 1 << 5,
   SGPU_DIRTY_STAGE_IMAGES = 1 << 6,
   SGPU_DIRTY_STAGE_ALL = (1 << 7) - 1,
};

struct sgpu_stage_info {
   enum pipe_shader_type pipe;
   enum sgpu_stage device;
   const char *name;
   bool optional; /* set if a draw doesn't need a shader for this stage */
   /* mask of the enum sgpu_dirty bits whose packets depend on the stage's shader */
   uint32_t decides;
};

extern const struct sgpu_stage_info sgpu_stages[SGPU_NUM_STAGES];

/* Returns the index of a stage, or -1 if the driver does not support it. */
static inline int
sgpu_stage_index(enum pipe_shader_type shader)
{
   for (int s = 0; s < SGPU_NUM_STAGES; s++) {
      if (sgpu_stages[s].pipe == shader)
         return s;
   }
   return -1;
}

void sgpu_stage_context_init(struct pipe_context *pctx);
void sgpu_stage_context_fini(struct sgpu_context *ctx);
/* Must be called when a buffer has got new storage.  Marks the bindings of the buffer as dirty. */
void sgpu_stage_rebind(struct sgpu_context *ctx, const struct pipe_resource *res);

/* sgpu_emit_stage.c */

/* Writes the descriptor of a sampler view to `out`. */
void sgpu_emit_texture(struct sgpu_context *ctx, const struct sgpu_sampler_view *view,
                       uint32_t *out);

#define SGPU_STAGE_LINK_WORDS                                           \
   MAX2(SGPU_VARYINGS_LENGTH + SGPU_MAX_VARYINGS * SGPU_VARYING_LENGTH, \
        SGPU_STAGE_INPUTS_LENGTH + SGPU_MAX_INPUTS * SGPU_STAGE_INPUT_LENGTH)

/* Maximum number of words in all packets of one stage. */
#define SGPU_STAGE_WORDS                                                                      \
   (SGPU_SHADER_LENGTH + SGPU_STAGE_BANKS * SGPU_CONSTANT_VERSION_LENGTH + SGPU_CONST_WORDS + \
    SGPU_TEXTURES_LENGTH + SGPU_STAGE_SAMPLERS * SGPU_TEXTURE_LENGTH + SGPU_SAMPLERS_LENGTH + \
    SGPU_STAGE_SAMPLERS * SGPU_SAMPLER_LENGTH + SGPU_STAGE_LINK_WORDS + SGPU_STAGE_MEMORY_WORDS)

/* Refreshes and resolves the bound textures and images of the given stages.  Must be called before
 * space in the stream is reserved, because it may start a new stream.
 */
void sgpu_refresh_textures(struct sgpu_context *ctx, uint32_t stages);
void sgpu_emit_stage(struct sgpu_context *ctx, enum sgpu_stage_index s);

/* sgpu_stage_memory.c */

/* Writes the descriptor of an image to `out`. */
struct pipe_image_view;
void sgpu_emit_image(struct sgpu_context *ctx, const struct pipe_image_view *view, bool written,
                     uint32_t *out);

#define SGPU_STAGE_MEMORY_WORDS                                                          \
   (SGPU_BUFFERS_LENGTH + SGPU_STAGE_BUFFERS * SGPU_BUFFER_LENGTH + SGPU_IMAGES_LENGTH + \
    SGPU_STAGE_IMAGES * SGPU_TEXTURE_LENGTH)

void sgpu_stage_memory_init(struct pipe_context *pctx);
void sgpu_stage_memory_fini(struct sgpu_context *ctx);
/* Must be called when a different shader is bound to the stage. */
void sgpu_stage_memory_bind_shader(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_stage_memory_rebind(struct sgpu_context *ctx, const struct pipe_resource *res);
void sgpu_refresh_images(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_emit_buffers(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_emit_images(struct sgpu_context *ctx, enum sgpu_stage_index s);

#endif
