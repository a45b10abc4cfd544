/* SPDX-License-Identifier: MIT */
/* Implements copies without format conversion, either between two resources or between a resource
 * and linear memory.
 */
#include "sgpu_copy.h"

#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"

#include "sgpu_context.h"

/* Returns an integer format whose pixels have the given size in bytes. */
static enum sgpu_format
raw_format(unsigned bytes)
{
   switch (bytes) {
   case 1:
      return SGPU_FORMAT_R8_UINT;
   case 2:
      return SGPU_FORMAT_R16_UINT;
   case 3:
      return SGPU_FORMAT_R8G8B8_UINT;
   case 4:
      return SGPU_FORMAT_R32_UINT;
   case 6:
      return SGPU_FORMAT_R16G16B16_UINT;
   case 8:
      return SGPU_FORMAT_R32G32_UINT;
   case 12:
      return SGPU_FORMAT_R32G32B32_UINT;
   case 16:
      return SGPU_FORMAT_R32G32B32A32_UINT;
   default:
      unreachable("element size");
   }
}

static void
make_raw(struct sgpu_copy_view *view, const struct sgpu_layout *layout)
{
   view->block_width = layout->block_width;
   view->block_height = layout->block_height;
   view->surface.format = raw_format(layout->block_bytes);
   view->surface.width = sgpu_elements(view->surface.width, layout->block_width);
   view->surface.height = sgpu_elements(view->surface.height, layout->block_height);
}

static bool
init(struct sgpu_copy_view *view, const struct sgpu_layout *layout, uint64_t address,
     unsigned level, unsigned first_layer, unsigned layers, bool raw)
{
   view->block_width = view->block_height = 1;
   if (!sgpu_layout_fill_surface(layout, address, layout->format, level, first_layer, layers,
                                 &view->surface))
      return false;
   if (raw)
      make_raw(view, layout);
   return true;
}

bool
sgpu_copy_view_init(struct sgpu_copy_view *view, const struct sgpu_resource *res, unsigned level,
                    unsigned first_layer, unsigned layers, bool raw)
{
   return init(view, &res->layout, res->storage->address, level, first_layer, layers, raw);
}

bool
sgpu_copy_view_init_memory(struct sgpu_copy_view *view, const struct sgpu_layout *layout,
                           uint64_t address, bool raw)
{
   return init(view, layout, address, 0, 0, sgpu_layout_layers(layout, 0), raw);
}

struct SGPU_RECT
sgpu_copy_rect(const struct sgpu_copy_view *view, const struct pipe_box *box)
{
   return (struct SGPU_RECT){
      .x0 = box->x / view->block_width,
      .y0 = box->y / view->block_height,
      .x1 = DIV_ROUND_UP(box->x + box->width, view->block_width),
      .y1 = DIV_ROUND_UP(box->y + box->height, view->block_height),
   };
}

void
sgpu_copy_reserve(struct sgpu_context *ctx)
{
   sgpu_context_reserve(ctx, SGPU_COPY_SURFACE_LENGTH);
}

void
sgpu_copy_emit(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
               const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src, unsigned src_x,
               unsigned src_y, unsigned layers, uint16_t contents)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_COPY_SURFACE_LENGTH), COPY_SURFACE, cfg) {
      cfg.layers = layers;
      cfg.contents = contents;
      cfg.source = *src;
      cfg.destination = *dst;
      cfg.source_x = src_x;
      cfg.source_y = src_y;
      cfg.rect = *dst_rect;
   }
}

void
sgpu_copy_emit_samples(struct sgpu_context *ctx, const struct SGPU_SURFACE *dst,
                       const struct SGPU_RECT *dst_rect, const struct SGPU_SURFACE *src,
                       const struct SGPU_RECT *src_rect, unsigned layers)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_BLIT_LENGTH), BLIT, cfg) {
      cfg.mask = PIPE_MASK_RGBA;
      cfg.depth = true;
      cfg.stencil = true;
      cfg.filter = SGPU_FILTER_NEAREST;
      cfg.layers = layers;
      cfg.source = *src;
      cfg.destination = *dst;
      cfg.source_rect = *src_rect;
      cfg.destination_rect = *dst_rect;
      cfg.source_z1 = layers;
   }
}

void
sgpu_copy_buffer(struct sgpu_context *ctx, struct sgpu_resource *dst, uint64_t dst_offset,
                 struct sgpu_buffer *src, uint64_t src_offset, uint64_t size)
{
   if (!size)
      return;

   sgpu_context_reserve(ctx, SGPU_COPY_BUFFER_LENGTH);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_COPY_BUFFER_LENGTH), COPY_BUFFER, cfg) {
      cfg.destination = sgpu_resource_address(&ctx->cs, dst, dst_offset, true);
      cfg.source = sgpu_cs_address(&ctx->cs, src, src_offset, false);
      cfg.size = size;
   }
   util_range_add(&dst->b.b, &dst->b.valid_buffer_range, dst_offset, dst_offset + size);
   sgpu_context_work_done(ctx);
}

/* Once the bits in fast_cleared are clear, other contexts read the levels without resolving them.
 * The stream with the resolves is therefore submitted before the bits are cleared.  The bits stay
 * set if another context has fast cleared the resource in the meantime.
 */
void
sgpu_resource_resolve(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   const uint64_t noted = p_atomic_read(&res->fast_cleared);
   const uint32_t levels = (uint32_t)noted;

   if (likely(!levels))
      return;

   p_atomic_set(&res->sampled, true);
   u_foreach_bit(level, levels) {
      struct sgpu_copy_view view;
      if (!sgpu_copy_view_init(&view, res, level, 0, sgpu_resource_layers(res, level), false))
         continue;
      sgpu_context_reserve(ctx, SGPU_RESOLVE_SURFACE_LENGTH);
      sgpu_cs_use(&ctx->cs, res->storage, true);
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_RESOLVE_SURFACE_LENGTH), RESOLVE_SURFACE, cfg)
         cfg.surface = view.surface;
   }
   /* Don't mark the levels again at the submission, because the fast clears of this stream precede
    * the resolve.
    */
   for (unsigned i = 0; i < ctx->num_fast_clears; i++) {
      if (ctx->fast_clears[i].res == &res->b.b)
         pipe_resource_reference(&ctx->fast_clears[i].res, NULL);
   }
   sgpu_context_flush(ctx, "a fast clear is resolved");
   p_atomic_cmpxchg(&res->fast_cleared, noted, noted - levels);
}
