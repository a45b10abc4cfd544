/* SPDX-License-Identifier: MIT */
/*
 * Copies without conversion.
 */
#ifndef SGPU_COPY_H
#define SGPU_COPY_H

#include "sgpu_resource.h"

/* Layers of one level, as the copy engine is to see them: in the resource's
 * own format, or raw, in an integer format with one pixel for each element
 * (block) of the resource.
 */
struct sgpu_copy_view {
   struct SGPU_SURFACE surface;
   uint8_t block_width, block_height; /* pixels of the resource a pixel here */
};

/* False if the resource has no such layers. */
bool sgpu_copy_view_init(struct sgpu_copy_view *view, const struct sgpu_resource *res,
                         unsigned level, unsigned first_layer, unsigned layers, bool raw);

/* The same of memory that is not a resource: the only level of `layout`. */
bool sgpu_copy_view_init_memory(struct sgpu_copy_view *view, const struct sgpu_layout *layout,
                                uint64_t address, bool raw);

/* A box of the resource in pixels of the view. */
struct SGPU_RECT sgpu_copy_rect(const struct sgpu_copy_view *view, const struct pipe_box *box);

/* Emits COPY SURFACE for all layers; reserves the packets' space.  The caller has
 * recorded both memories after calling sgpu_copy_reserve().  contents: the packet's field, or 0.
 */
void sgpu_copy_reserve(struct sgpu_context *ctx);
void sgpu_copy_emit(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
                    const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src,
                    unsigned src_x, unsigned src_y, unsigned layers, uint16_t contents);

/* The same between one sample and several: to one goes the mean of colours, and
 * of integers, depth and stencil sample 0; to several the one.  The caller has
 * reserved SGPU_BLIT_LENGTH words.
 */
void sgpu_copy_emit_samples(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
                            const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src,
                            const struct SGPU_RECT *src_rect, unsigned layers);

/* COPY BUFFER. */
void sgpu_copy_buffer(struct sgpu_context *ctx, struct sgpu_resource *dst, uint64_t dst_offset,
                      struct sgpu_buffer *src, uint64_t src_offset, uint64_t size);

#endif
