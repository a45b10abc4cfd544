/* SPDX-License-Identifier: MIT */
/* The default framebuffer: buffers on the device, and the application's memory.
 *
 * The memory is read when the color buffer is first used after OSMesaMakeCurrent, and written by
 * glFlush, glFinish and when the context is released.  If the color buffer has pixels that were not
 * written, the memory is not read.
 */
#include "main/framebuffer.h"
#include "osm_context.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "postprocess/postprocess.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_manager.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

/* Mesa's function only flushes a default framebuffer that is the draw framebuffer. */
void __wrap_st_manager_flush_frontbuffer(struct st_context *st);

void __real_st_Clear(struct gl_context *ctx, GLbitfield mask);
void __wrap_st_Clear(struct gl_context *ctx, GLbitfield mask);

static _Thread_local bool store_forbidden;

void
osm_forbid_store(bool forbid)
{
   store_forbidden = forbid;
}

/* Returns the address of a row of the memory.  Row 0 is the lowest one of the picture. */
static void *
memory_row(const struct osmesa_context *context, unsigned y)
{
   const struct osm_drawable *drawable = context->drawable;
   const size_t row = context->row_length ? context->row_length : drawable->width;

   if (!context->y_up)
      y = drawable->height - 1 - y;
   return (uint8_t *)context->memory + y * row * osm_layout_bytes(&context->layout);
}

/* Maps all pixels of a buffer of the drawable.  Returns NULL on failure. */
static uint8_t *
map_pixels(const struct osmesa_context *context, struct pipe_resource *buffer, unsigned usage,
           struct pipe_transfer **transfer)
{
   const struct osm_drawable *drawable = context->drawable;
   struct pipe_context *pipe = context->st->pipe;
   struct pipe_box box;

   u_box_2d(0, 0, drawable->width, drawable->height, &box);
   return pipe->texture_map(pipe, buffer, 0, usage, &box, transfer);
}

/* Copies the pixels of the memory to the color buffer.  Rows of the color buffer begin at the top:
 * the state tracker flips the default framebuffer.
 */
static void
load(struct osmesa_context *context)
{
   const struct osm_drawable *drawable = context->drawable;
   struct pipe_context *pipe = context->st->pipe;
   struct pipe_transfer *transfer;
   uint8_t *map = map_pixels(context, drawable->color,
                             PIPE_MAP_WRITE | PIPE_MAP_DISCARD_WHOLE_RESOURCE, &transfer);

   if (!map)
      return;
   for (unsigned y = 0; y < drawable->height; y++)
      osm_layout_load(&context->layout, map + (size_t)y * transfer->stride,
                      memory_row(context, drawable->height - 1 - y), drawable->width);
   pipe->texture_unmap(pipe, transfer);
}

/* Returns true if a clear replaces all pixels of the color buffer. */
static bool
clears_all(const struct gl_context *ctx, const struct osmesa_context *context, GLbitfield mask)
{
   const unsigned components = util_format_has_alpha(context->layout.target)
                                  ? 0xf
                                  : 0x7; /* bit mask, red is bit 0 */

   return ctx->DrawBuffer == ctx->WinSysDrawBuffer && (mask & BUFFER_BIT_FRONT_LEFT) &&
          (GET_COLORMASK(ctx->Color.ColorMask, 0) & components) == components &&
          !ctx->Scissor.EnableFlags && !ctx->Scissor.NumWindowRects && !ctx->Query.CondRenderQuery;
}

void
__wrap_st_Clear(struct gl_context *ctx, GLbitfield mask)
{
   struct osmesa_context *context = ctx->st->frontend_context;

   /* Most pictures begin with a clear, which makes the copy unnecessary. */
   if (context->load_pending && clears_all(ctx, context, mask))
      context->load_pending = false;
   __real_st_Clear(ctx, mask);
}

static bool
validate(struct st_context *st, struct pipe_frontend_drawable *base,
         const enum st_attachment_type *attachments, unsigned count, struct pipe_resource **out,
         struct pipe_resource **resolve)
{
   struct osm_drawable *drawable = (struct osm_drawable *)base;
   struct osmesa_context *context = drawable->context;

   /* OSMesaMakeCurrent binds the drawable before it sets load_pending. */
   if (context->load_pending) {
      context->load_pending = false;
      load(context);
   }
   for (unsigned i = 0; i < count; i++) {
      struct pipe_resource *buffer = NULL;

      if (attachments[i] == ST_ATTACHMENT_FRONT_LEFT)
         buffer = drawable->color;
      else if (attachments[i] == ST_ATTACHMENT_DEPTH_STENCIL)
         buffer = drawable->zs;
      pipe_resource_reference(&out[i], buffer);
   }
   return true;
}

/* Returns the color buffer of Mesa's framebuffer, or NULL if the drawable is not bound. */
static struct gl_renderbuffer *
color_renderbuffer(struct osmesa_context *context)
{
   const struct gl_framebuffer *fb = context->st->ctx->WinSysDrawBuffer;

   if (!fb || !context->drawable || fb->drawable != &context->drawable->base)
      return NULL;
   return fb->Attachment[BUFFER_FRONT_LEFT].Renderbuffer;
}

bool
osm_is_drawn(struct osmesa_context *context)
{
   const struct gl_renderbuffer *rb = color_renderbuffer(context);

   return rb && rb->defined && !context->load_pending;
}

unsigned
osm_depth_bytes(const struct osmesa_context *context)
{
   if (!context->drawable || !context->drawable->zs)
      return 0;
   switch (util_format_get_component_bits(context->zs_format, UTIL_FORMAT_COLORSPACE_ZS, 0)) {
   case 0:
      return 0;
   case 16:
      return 2;
   default:
      return 4;
   }
}

bool
osm_read_depth(struct osmesa_context *context)
{
   const struct osm_drawable *drawable = context->drawable;
   struct pipe_context *pipe = context->st->pipe;
   const unsigned bytes = osm_depth_bytes(context);
   struct pipe_transfer *transfer;

   if (!context->depth) {
      context->depth = calloc(drawable->height, (size_t)drawable->width * bytes);
      if (!context->depth)
         return false;
   }
   const uint8_t *map = map_pixels(context, drawable->zs, PIPE_MAP_READ, &transfer);
   if (!map)
      return false;
   for (unsigned y = 0; y < drawable->height; y++) {
      const void *from = map + (size_t)(drawable->height - 1 - y) * transfer->stride;
      uint8_t *to = (uint8_t *)context->depth + (size_t)y * drawable->width * bytes;

      if (bytes == 2) {
         memcpy(to, from, drawable->width * 2);
      } else {
         /* The upper 8 bits are stencil values or undefined. */
         for (unsigned x = 0; x < drawable->width; x++)
            ((uint32_t *)to)[x] = ((const uint32_t *)from)[x] & 0xffffff;
      }
   }
   pipe->texture_unmap(pipe, transfer);
   return true;
}

/* Runs the filters of OSMesaPostprocess.  Returns the buffer with the result. */
static struct pipe_resource *
filter(struct osmesa_context *context)
{
   struct osm_drawable *drawable = context->drawable;

   if (!context->filters)
      return drawable->color;
   if (!drawable->filtered) {
      struct pipe_screen *screen = context->st->screen;

      drawable->filtered = screen->resource_create(screen, drawable->color);
      if (!drawable->filtered)
         return drawable->color;
   }
   pp_run(context->filters, drawable->color, drawable->filtered, drawable->zs);
   return drawable->filtered;
}

void
osm_store(struct osmesa_context *context)
{
   const struct osm_drawable *drawable = context->drawable;
   struct pipe_context *pipe = context->st->pipe;
   struct pipe_transfer *transfer;
   const uint8_t *map = map_pixels(context, filter(context), PIPE_MAP_READ, &transfer);

   if (map) {
      if (!osm_screen_is_wrapped())
         sgpu_transfer_presents(transfer);
      for (unsigned y = 0; y < drawable->height; y++)
         osm_layout_store(&context->layout, memory_row(context, drawable->height - 1 - y),
                          map + (size_t)y * transfer->stride, drawable->width);
      pipe->texture_unmap(pipe, transfer);
   }
   if (context->depth)
      osm_read_depth(context);
}

void
__wrap_st_manager_flush_frontbuffer(struct st_context *st)
{
   struct osmesa_context *context = st->frontend_context;

   /* There is no frontend context while one is created. */
   if (store_forbidden || !context)
      return;
   if (osm_is_drawn(context)) {
      osm_store(context);
      color_renderbuffer(context)->defined = GL_FALSE;
      /* The next draw sets `defined` again. */
      st->ctx->NewDriverState |= ST_NEW_FB_STATE;
   } else if (context->depth) {
      osm_read_depth(context);
   }
}

/* Returns a new buffer, or NULL. */
static struct pipe_resource *
create_buffer(struct pipe_screen *screen, enum pipe_format format, unsigned bind, unsigned width,
              unsigned height)
{
   const struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D,
      .format = format,
      .width0 = width,
      .height0 = height,
      .depth0 = 1,
      .array_size = 1,
      .usage = PIPE_USAGE_DEFAULT,
      .bind = bind,
   };

   return screen->resource_create(screen, &templ);
}

bool
osm_drawable_resize(struct osm_drawable *drawable, unsigned width, unsigned height)
{
   struct pipe_screen *screen = drawable->context->st->screen;
   const enum pipe_format zs_format = drawable->visual.depth_stencil_format;
   struct pipe_resource *zs = NULL;
   struct pipe_resource *color = create_buffer(screen, drawable->visual.color_format,
                                               PIPE_BIND_RENDER_TARGET | PIPE_BIND_SAMPLER_VIEW,
                                               width, height);

   if (color && zs_format != PIPE_FORMAT_NONE)
      zs = create_buffer(screen, zs_format, PIPE_BIND_DEPTH_STENCIL | PIPE_BIND_SAMPLER_VIEW, width,
                         height);
   if (!color || (!zs && zs_format != PIPE_FORMAT_NONE)) {
      pipe_resource_reference(&color, NULL);
      return false;
   }
   pipe_resource_reference(&drawable->color, NULL);
   pipe_resource_reference(&drawable->filtered, NULL);
   pipe_resource_reference(&drawable->zs, NULL);
   drawable->color = color;
   drawable->zs = zs;
   drawable->width = width;
   drawable->height = height;
   p_atomic_inc(&drawable->base.stamp);
   return true;
}

struct osm_drawable *
osm_drawable_create(struct osmesa_context *context, enum pipe_format color, unsigned width,
                    unsigned height)
{
   static uint32_t last_id;
   struct osm_drawable *drawable = CALLOC_STRUCT(osm_drawable);

   if (!drawable)
      return NULL;
   drawable->context = context;
   drawable->visual.color_format = color;
   drawable->visual.depth_stencil_format = context->zs_format;
   drawable->visual.accum_format = context->accum_format;
   drawable->visual.samples = 1;
   drawable->visual.buffer_mask = ST_ATTACHMENT_FRONT_LEFT_MASK;
   if (context->zs_format != PIPE_FORMAT_NONE)
      drawable->visual.buffer_mask |= ST_ATTACHMENT_DEPTH_STENCIL_MASK;
   if (context->accum_format != PIPE_FORMAT_NONE)
      drawable->visual.buffer_mask |= ST_ATTACHMENT_ACCUM_MASK;
   drawable->base.visual = &drawable->visual;
   drawable->base.ID = p_atomic_inc_return(&last_id);
   drawable->base.fscreen = context->st->frontend_screen;
   drawable->base.validate = validate;
   if (!osm_drawable_resize(drawable, width, height)) {
      FREE(drawable);
      return NULL;
   }
   return drawable;
}

void
osm_drawable_free(struct osm_drawable *drawable)
{
   pipe_resource_reference(&drawable->color, NULL);
   pipe_resource_reference(&drawable->filtered, NULL);
   pipe_resource_reference(&drawable->zs, NULL);
   FREE(drawable);
}
