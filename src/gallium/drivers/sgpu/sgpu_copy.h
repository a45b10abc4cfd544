/* SPDX-License-Identifier: MIT */
/*
 * Copies without format conversion.
 */
#ifndef SGPU_COPY_H
#define SGPU_COPY_H

#include "sgpu_resource.h"

/* A view of some layers of one level, as a surface for the copy engine.  The surface has the format
 * of the resource or, for a raw view, an integer format with one pixel per block of the resource.
 */
struct sgpu_copy_view {
   struct SGPU_SURFACE surface;
   /* size of one pixel of the surface, in texels of the resource */
   uint8_t block_width, block_height;
};

/* Initializes the view.  Returns false if the resource does not have the given layers. */
bool sgpu_copy_view_init(struct sgpu_copy_view *view, const struct sgpu_resource *res,
                         unsigned level, unsigned first_layer, unsigned layers, bool raw);

/* Like sgpu_copy_view_init(), but for linear memory that doesn't belong to a resource.  The view
 * contains all layers of the memory's only level.
 */
bool sgpu_copy_view_init_memory(struct sgpu_copy_view *view, const struct sgpu_layout *layout,
                                uint64_t address, bool raw);

/* Converts a box in texels of the resource to a rectangle in pixels of the view. */
struct SGPU_RECT sgpu_copy_rect(const struct sgpu_copy_view *view, const struct pipe_box *box);

/* sgpu_copy_reserve() reserves space for a COPY SURFACE packet, and sgpu_copy_emit() writes the
 * packet.  Between the two calls, the caller must add both buffers to the stream with
 * sgpu_cs_use().  `contents` is the packet's field Contents, or 0.
 */
void sgpu_copy_reserve(struct sgpu_context *ctx);
void sgpu_copy_emit(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
                    const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src,
                    unsigned src_x, unsigned src_y, unsigned layers, uint16_t contents);

/* Writes a BLIT packet that copies between a single-sampled and a multisampled surface.  A copy to
 * a single-sampled surface averages the samples of color formats, but takes sample 0 of integer,
 * depth and stencil formats.  A copy to a multisampled surface stores the same value in each
 * sample.  The caller must have reserved SGPU_BLIT_LENGTH words.
 */
void sgpu_copy_emit_samples(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
                            const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src,
                            const struct SGPU_RECT *src_rect, unsigned layers);

/* Writes a COPY BUFFER packet. */
void sgpu_copy_buffer(struct sgpu_context *ctx, struct sgpu_resource *dst, uint64_t dst_offset,
                      struct sgpu_buffer *src, uint64_t src_offset, uint64_t size);

#endif
