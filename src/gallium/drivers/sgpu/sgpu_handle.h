/* SPDX-License-Identifier: MIT */
/*
 * Handles of textures with samplers, and of images (ARB_bindless_texture).  For programs
 * the texture of handle n is SGPU_MAX_TEXTURES + n, its image SGPU_MAX_IMAGES + n: never 0.
 * Those that are resident are written to each stream whose draws may access them.
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
   /* One of these has a resource. */
   struct pipe_sampler_view *view;
   struct pipe_image_view image;
   uint32_t sampler[SGPU_SAMPLER_LENGTH];
   bool resident;
};

struct sgpu_handles {
   struct sgpu_handle *handle[SGPU_MAX_HANDLES];
   unsigned count;    /* entries that were ever used */
   unsigned resident; /* handles */
   bool dirty;
};

/* Words of the packets of all handles, at most. */
#define SGPU_HANDLE_WORDS                                                                   \
   (SGPU_MAX_HANDLES * (SGPU_TEXTURES_LENGTH + SGPU_TEXTURE_LENGTH + SGPU_SAMPLERS_LENGTH + \
                        SGPU_SAMPLER_LENGTH + SGPU_IMAGES_LENGTH + SGPU_TEXTURE_LENGTH))

/* Words for this context's. */
unsigned sgpu_handle_words(const struct sgpu_context *ctx);
/* If programs of these stages may read them. */
void sgpu_emit_handles(struct sgpu_context *ctx, uint32_t stages);
/* As sgpu_refresh_textures. */
void sgpu_refresh_handles(struct sgpu_context *ctx, uint32_t stages);

void sgpu_handle_context_init(struct pipe_context *pctx);
void sgpu_handle_context_fini(struct sgpu_context *ctx);

#endif
