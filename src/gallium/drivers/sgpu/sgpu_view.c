/* SPDX-License-Identifier: MIT */
/* Implements views of resources: surfaces for rendering, sampler views and image views.  The
 * descriptor of a texture view is packed when the view is created, because the storage and
 * therefore the address of a texture never change.  The storage of a buffer may change, so the
 * descriptors of buffer views are packed when they are written to the stream.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/bitscan.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "sgpu_formats_pipe.h"

/* Allocates a surface.  Mesa does not check for failure, so the context has spare surfaces for when
 * memory runs out.  Their bitmask is atomic, because any thread may free a surface.
 */
static struct sgpu_surface *
alloc_surface(struct sgpu_context *ctx)
{
   struct sgpu_surface *surf = CALLOC_STRUCT(sgpu_surface);
   uint32_t used = p_atomic_read(&ctx->spare_surfaces_used);

   while (!surf && ~used) {
      const unsigned n = ffs(~used) - 1;
      const uint32_t was = p_atomic_cmpxchg(&ctx->spare_surfaces_used, used, used | 1u << n);

      if (was == used) {
         surf = &ctx->spare_surfaces[n];
         memset(surf, 0, sizeof *surf);
      }
      used = was;
   }
   return surf;
}

static void
free_surface(struct sgpu_context *ctx, struct sgpu_surface *surf)
{
   if (surf < ctx->spare_surfaces ||
       surf >= ctx->spare_surfaces + ARRAY_SIZE(ctx->spare_surfaces)) {
      FREE(surf);
      return;
   }
   const uint32_t bit = 1u << (surf - ctx->spare_surfaces);
   uint32_t used = p_atomic_read(&ctx->spare_surfaces_used), was;

   while ((was = p_atomic_cmpxchg(&ctx->spare_surfaces_used, used, used & ~bit)) != used)
      used = was;
}

static struct pipe_surface *
sgpu_create_surface(struct pipe_context *pctx, struct pipe_resource *pres,
                    const struct pipe_surface *templat)
{
   struct sgpu_resource *res = sgpu_resource(pres);
   struct sgpu_surface *surf;
   unsigned level = templat->u.tex.level;
   unsigned first = templat->u.tex.first_layer;
   unsigned layers = templat->u.tex.last_layer - first + 1;

   if (pres->target == PIPE_BUFFER)
      return NULL;
   surf = alloc_surface(sgpu_context(pctx));
   if (!surf)
      return NULL;

   if (!sgpu_layout_fill_surface(&res->layout, res->storage->address,
                                 sgpu_format_from_pipe(templat->format), level, first, layers,
                                 &surf->desc)) {
      free_surface(sgpu_context(pctx), surf);
      return NULL;
   }

   pipe_reference_init(&surf->base.reference, 1);
   pipe_resource_reference(&surf->base.texture, pres);
   surf->base.context = pctx;
   surf->base.format = templat->format;
   surf->base.width = u_minify(pres->width0, level);
   surf->base.height = u_minify(pres->height0, level);
   surf->base.nr_samples = templat->nr_samples;
   surf->base.u = templat->u;
   if (unlikely(templat->nr_samples > MAX2(pres->nr_samples, 1)))
      surf->samples = sgpu_samples_create(&surf->base);
   return &surf->base;
}

static void
sgpu_surface_destroy(struct pipe_context *pctx, struct pipe_surface *surf)
{
   pipe_surface_reference(&sgpu_surface(surf)->samples, NULL);
   pipe_resource_reference(&surf->texture, NULL);
   free_surface(sgpu_context(pctx), sgpu_surface(surf));
}

static enum sgpu_texture_type
texture_type(enum pipe_texture_target target)
{
   switch (target) {
   case PIPE_BUFFER:
      return SGPU_TEXTURE_TYPE_BUFFER;
   case PIPE_TEXTURE_1D:
   case PIPE_TEXTURE_1D_ARRAY:
      return SGPU_TEXTURE_TYPE_1D;
   case PIPE_TEXTURE_3D:
      return SGPU_TEXTURE_TYPE_3D;
   case PIPE_TEXTURE_CUBE:
   case PIPE_TEXTURE_CUBE_ARRAY:
      return SGPU_TEXTURE_TYPE_CUBE;
   default:
      return SGPU_TEXTURE_TYPE_2D;
   }
}

static bool
is_array(enum pipe_texture_target target)
{
   return target == PIPE_TEXTURE_1D_ARRAY || target == PIPE_TEXTURE_2D_ARRAY ||
          target == PIPE_TEXTURE_CUBE_ARRAY;
}

static enum sgpu_channel
channel_code(unsigned swizzle)
{
   switch (swizzle) {
   case PIPE_SWIZZLE_X:
      return SGPU_CHANNEL_X;
   case PIPE_SWIZZLE_Y:
      return SGPU_CHANNEL_Y;
   case PIPE_SWIZZLE_Z:
      return SGPU_CHANNEL_Z;
   case PIPE_SWIZZLE_W:
      return SGPU_CHANNEL_W;
   case PIPE_SWIZZLE_1:
      return SGPU_CHANNEL_1;
   default:
      return SGPU_CHANNEL_0;
   }
}

/* Returns the device's format for a sampler view.  A view of a packed depth-stencil texture samples
 * stencil if the view has a stencil format, and depth otherwise.
 */
static enum sgpu_format
view_format(enum pipe_format view, enum pipe_format storage)
{
   if (view == PIPE_FORMAT_X24S8_UINT && storage == PIPE_FORMAT_S8_UINT_Z24_UNORM)
      view = PIPE_FORMAT_S8X24_UINT;
   return sgpu_format_from_pipe(view);
}

/* Replaces integer alpha, luminance and intensity formats, which the device does not support, with
 * red or red-green formats, and adapts the swizzle.  Mesa stores textures with such formats in
 * other formats, but a buffer texture contains the application's data.
 */
static enum pipe_format
buffer_format(enum pipe_format view, unsigned char swizzle[4])
{
   static const enum pipe_format formats[2][3][2] = {
      { { PIPE_FORMAT_R8_UINT, PIPE_FORMAT_R8G8_UINT },
        { PIPE_FORMAT_R16_UINT, PIPE_FORMAT_R16G16_UINT },
        { PIPE_FORMAT_R32_UINT, PIPE_FORMAT_R32G32_UINT } },
      { { PIPE_FORMAT_R8_SINT, PIPE_FORMAT_R8G8_SINT },
        { PIPE_FORMAT_R16_SINT, PIPE_FORMAT_R16G16_SINT },
        { PIPE_FORMAT_R32_SINT, PIPE_FORMAT_R32G32_SINT } },
   };
   const struct util_format_description *desc = util_format_description(view);
   const unsigned char asked[4] = { swizzle[0], swizzle[1], swizzle[2], swizzle[3] };

   if (sgpu_format_from_pipe(view) != SGPU_FORMAT_NONE || !util_format_is_pure_integer(view) ||
       !desc->is_array || desc->nr_channels > 2 || desc->channel[0].size > 32)
      return view;
   util_format_compose_swizzles(desc->swizzle, asked, swizzle);
   return formats[util_format_is_pure_sint(view)][desc->channel[0].size / 16]
                 [desc->nr_channels - 1];
}

/* Returns the number of elements of a buffer view that fit into the buffer. */
static unsigned
buffer_elements(const struct pipe_resource *pres, enum pipe_format format, unsigned offset,
                unsigned size)
{
   const unsigned first = MIN2(offset, pres->width0);
   const unsigned bytes = MIN2(size, pres->width0 - first);

   return MIN2(bytes / util_format_get_blocksize(format), SGPU_MAX_TEXEL_BUFFER_ELEMENTS);
}

static void
describe_texture(const struct sgpu_resource *res, const struct pipe_sampler_view *templat,
                 struct SGPU_TEXTURE *desc)
{
   const struct pipe_resource *pres = &res->b.b;

   sgpu_layout_fill_texture(&res->layout, desc);
   desc->address = res->storage->address;
   desc->array = is_array(templat->target);
   desc->valid = true;
   desc->first_level = templat->u.tex.first_level;
   desc->last_level = MIN2(templat->u.tex.last_level, pres->last_level);
   desc->first_layer = templat->u.tex.first_layer;
   desc->last_layer = templat->target == PIPE_TEXTURE_CUBE ? templat->u.tex.first_layer + 5
                                                           : templat->u.tex.last_layer;
}

static void
describe_image_texture(const struct sgpu_resource *res, const struct pipe_image_view *view,
                       struct SGPU_TEXTURE *desc)
{
   const struct pipe_resource *pres = &res->b.b;

   sgpu_layout_fill_texture(&res->layout, desc);
   desc->address = res->storage->address;
   desc->valid = view->u.tex.level <= pres->last_level;
   desc->first_level = desc->last_level = view->u.tex.level;
   desc->first_layer = view->u.tex.first_layer;
   desc->last_layer = view->u.tex.last_layer;
   desc->type = texture_type(pres->target);
   /* Shaders access a cube map image as an array of its faces. */
   desc->array = is_array(pres->target) || pres->target == PIPE_TEXTURE_CUBE;
   if (desc->type == SGPU_TEXTURE_TYPE_CUBE)
      desc->type = SGPU_TEXTURE_TYPE_2D;
   /* Describe a view of one slice of a 3D texture as a 2D image.  Mesa leaves is_2d_view_of_3d
    * unset for other targets.
    */
   if (pres->target == PIPE_TEXTURE_3D && view->u.tex.single_layer_view)
      desc->type = SGPU_TEXTURE_TYPE_2D;
   if (pres->target == PIPE_TEXTURE_3D && desc->type == SGPU_TEXTURE_TYPE_3D)
      desc->first_layer = desc->last_layer = 0;
}

bool
sgpu_describe_image(const struct pipe_image_view *view, struct SGPU_TEXTURE *desc)
{
   const struct pipe_resource *pres = view->resource;
   const enum sgpu_format format = sgpu_format_from_pipe(view->format);

   *desc = (struct SGPU_TEXTURE){ 0 };
   if (!pres || format == SGPU_FORMAT_NONE)
      return false;
   if (pres->target == PIPE_BUFFER) {
      desc->layout = SGPU_LAYOUT_LINEAR;
      desc->type = SGPU_TEXTURE_TYPE_BUFFER;
      desc->resource_format = format;
      desc->width = buffer_elements(pres, view->format, view->u.buf.offset, view->u.buf.size);
      desc->valid = desc->width > 0;
   } else {
      if (util_format_get_blocksize(view->format) != util_format_get_blocksize(pres->format))
         return false;
      describe_image_texture(sgpu_resource(view->resource), view, desc);
   }
   desc->format = format;
   desc->swizzle_x = SGPU_CHANNEL_X;
   desc->swizzle_y = SGPU_CHANNEL_Y;
   desc->swizzle_z = SGPU_CHANNEL_Z;
   desc->swizzle_w = SGPU_CHANNEL_W;
   return desc->valid;
}

/* Returns a placeholder view on allocation failure, because Mesa does not check for NULL. */
static struct pipe_sampler_view *
refuse(struct sgpu_context *ctx)
{
   struct pipe_sampler_view *view = NULL;

   sgpu_out_of_memory(ctx, "a texture reads as zero");
   pipe_sampler_view_reference(&view, &ctx->refused_view);
   return view;
}

static struct pipe_sampler_view *
sgpu_create_sampler_view(struct pipe_context *pctx, struct pipe_resource *pres,
                         const struct pipe_sampler_view *templat)
{
   struct sgpu_resource *res = sgpu_resource(pres);
   unsigned char swizzle[4] = { templat->swizzle_r, templat->swizzle_g, templat->swizzle_b,
                                templat->swizzle_a };
   enum pipe_format pipe_format = templat->format;
   struct sgpu_sampler_view *view;

   if (pres->target == PIPE_BUFFER)
      pipe_format = buffer_format(pipe_format, swizzle);

   enum sgpu_format format = view_format(pipe_format, pres->format);

   if (format == SGPU_FORMAT_NONE)
      return NULL;
   view = CALLOC_STRUCT_CL(sgpu_sampler_view);
   if (!view)
      return refuse(sgpu_context(pctx));

   view->base = *templat;
   view->base.texture = NULL;
   view->base.context = pctx;
   pipe_reference_init(&view->base.reference, 1);
   pipe_resource_reference(&view->base.texture, pres);
   p_atomic_set(&res->sampled, true);

   if (pres->target == PIPE_BUFFER) {
      view->desc.layout = SGPU_LAYOUT_LINEAR;
      view->desc.resource_format = format;
      view->desc.width = buffer_elements(pres, templat->format, templat->u.buf.offset,
                                         templat->u.buf.size);
      view->desc.valid = view->desc.width > 0;
   } else {
      describe_texture(res, templat, &view->desc);
   }
   view->desc.format = format;
   view->desc.type = texture_type(templat->target);
   view->desc.swizzle_x = channel_code(swizzle[0]);
   view->desc.swizzle_y = channel_code(swizzle[1]);
   view->desc.swizzle_z = channel_code(swizzle[2]);
   view->desc.swizzle_w = channel_code(swizzle[3]);
   SGPU_TEXTURE_pack(view->packed, &view->desc);
   return &view->base;
}

static void
sgpu_sampler_view_destroy(struct pipe_context *pctx, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE_CL(view);
}

void
sgpu_view_context_init(struct pipe_context *pctx)
{
   struct pipe_sampler_view *refused = &sgpu_context(pctx)->refused_view;

   pipe_reference_init(&refused->reference, 1);
   refused->context = pctx;
   refused->target = PIPE_TEXTURE_2D;
   pctx->create_surface = sgpu_create_surface;
   pctx->surface_destroy = sgpu_surface_destroy;
   pctx->create_sampler_view = sgpu_create_sampler_view;
   pctx->sampler_view_destroy = sgpu_sampler_view_destroy;
}
