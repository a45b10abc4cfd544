/* SPDX-License-Identifier: MIT */
/* Bindless handles of textures with samplers, and of images (ARB_bindless_texture).  The handle of
 * entry n is SGPU_MAX_TEXTURES + n for a texture and SGPU_MAX_IMAGES + n for an image, which is
 * also the index that shaders use.  Handles are therefore never 0.  A stream whose shaders may
 * access handles contains the descriptors of all resident handles.
 */
#ifndef SGPU_HANDLE_H
#define SGPU_HANDLE_H

#include "pipe/p_state.h"

#include "sgpu_isa.h"
#include "sgpu_packets.h"

struct pipe_context;
struct pipe_sampler_view;
struct sgpu_context;

struct sgpu_handle {
   /* For a texture handle, `view` is set.  For an image handle, `image` has a resource. */
   struct pipe_sampler_view *view;
   struct pipe_image_view image;
   uint32_t sampler[SGPU_SAMPLER_LENGTH];
   bool resident;
};

struct sgpu_handles {
   struct sgpu_handle *handle[SGPU_MAX_HANDLES];
   unsigned count;    /* number of entries of `handle` that have ever been used */
   unsigned resident; /* number of resident handles */
   bool dirty;        /* set if the packets of the handles must be written again */
};

/* Maximum number of words in the packets of all handles. */
#define SGPU_HANDLE_WORDS                                                                   \
   (SGPU_MAX_HANDLES * (SGPU_TEXTURES_LENGTH + SGPU_TEXTURE_LENGTH + SGPU_SAMPLERS_LENGTH + \
                        SGPU_SAMPLER_LENGTH + SGPU_IMAGES_LENGTH + SGPU_TEXTURE_LENGTH))

/* Returns the maximum number of words that sgpu_emit_handles() writes for this context. */
unsigned sgpu_handle_words(const struct sgpu_context *ctx);
/* Writes the packets of all handles if a shader of the given stages may access handles. */
void sgpu_emit_handles(struct sgpu_context *ctx, uint32_t stages);
/* Like sgpu_refresh_textures(), but for resident handles. */
void sgpu_refresh_handles(struct sgpu_context *ctx, uint32_t stages);

void sgpu_handle_context_init(struct pipe_context *pctx);
void sgpu_handle_context_fini(struct sgpu_context *ctx);

#endif
