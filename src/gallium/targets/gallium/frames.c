/* SPDX-License-Identifier: MIT */
/* Frames of programs that present nothing, for `sgpu golden`: pixels that the application reads,
 * the read buffer at glFinish, and the read buffer of a context that is released or that is current
 * at exit.  The linker replaces Mesa's functions with these (--wrap in meson.build; see
 * docs/dri.md).  They only call Mesa's functions if SGPU_FRAMES isn't set.
 */
#include <stdlib.h>

#include "main/context.h"
#include "main/formats.h"
#include "main/framebuffer.h"
#include "main/glformats.h"
#include "main/mtypes.h"
#include "main/state.h"
#include "pipe/p_context.h"
#include "sgpu/sgpu_frames.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_cb_flush.h"
#include "state_tracker/st_cb_readpixels.h"
#include "state_tracker/st_cb_texture.h"
#include "state_tracker/st_context.h"
#include "util/u_math.h"

void __real_st_ReadPixels(struct gl_context *ctx, GLint x, GLint y, GLsizei width, GLsizei height,
                          GLenum format, GLenum type, const struct gl_pixelstore_attrib *pack,
                          void *pixels);
void __wrap_st_ReadPixels(struct gl_context *ctx, GLint x, GLint y, GLsizei width, GLsizei height,
                          GLenum format, GLenum type, const struct gl_pixelstore_attrib *pack,
                          void *pixels);
void __real_st_GetTexSubImage(struct gl_context *ctx, GLint xoffset, GLint yoffset, GLint zoffset,
                              GLsizei width, GLsizei height, GLint depth, GLenum format,
                              GLenum type, void *pixels, struct gl_texture_image *image);
void __wrap_st_GetTexSubImage(struct gl_context *ctx, GLint xoffset, GLint yoffset, GLint zoffset,
                              GLsizei width, GLsizei height, GLint depth, GLenum format,
                              GLenum type, void *pixels, struct gl_texture_image *image);
void __real_st_glFinish(struct gl_context *ctx);
void __wrap_st_glFinish(struct gl_context *ctx);
bool __real_st_api_make_current(struct st_context *st, struct pipe_frontend_drawable *draw,
                                struct pipe_frontend_drawable *read);
bool __wrap_st_api_make_current(struct st_context *st, struct pipe_frontend_drawable *draw,
                                struct pipe_frontend_drawable *read);

/* Format and type with which pixels are read for a frame. */
struct reading {
   enum sgpu_frame_pixels pixels;
   GLenum format, type;
   unsigned bytes; /* bytes per pixel */
};

/* Chooses how to read pixels of a format without losing any of their bits. */
static struct reading
choose_reading(GLenum asked, mesa_format format)
{
   if (asked == GL_STENCIL_INDEX)
      return (struct reading){ SGPU_FRAME_R8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1 };
   if (_mesa_is_depth_format(asked) || asked == GL_DEPTH_STENCIL)
      return (struct reading){ SGPU_FRAME_R32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4 };
   if (_mesa_is_format_integer_color(format))
      return (struct reading){
         SGPU_FRAME_RGBA32I, GL_RGBA_INTEGER,
         _mesa_get_format_datatype(format) == GL_UNSIGNED_INT ? GL_UNSIGNED_INT : GL_INT, 16
      };
   if (_mesa_get_format_datatype(format) == GL_UNSIGNED_NORMALIZED &&
       _mesa_get_format_max_bits(format) <= 8)
      return (struct reading){ SGPU_FRAME_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 };
   return (struct reading){ SGPU_FRAME_RGBA32F, GL_RGBA, GL_FLOAT, 16 };
}

/* Returns true if the alpha component is part of the picture, which needs an alpha channel that the
 * application has asked for.
 */
static bool
has_alpha(GLenum asked, mesa_format format, GLenum base_format)
{
   const bool stored = _mesa_get_format_bits(format, GL_ALPHA_BITS) > 0 &&
                       (base_format == GL_RGBA || base_format == GL_ALPHA ||
                        base_format == GL_LUMINANCE_ALPHA);
   switch (asked) {
   case GL_RGBA:
   case GL_BGRA:
   case GL_ABGR_EXT:
   case GL_ALPHA:
   case GL_LUMINANCE_ALPHA:
   case GL_RGBA_INTEGER:
   case GL_BGRA_INTEGER:
      return stored;
   default:
      return false;
   }
}

static void
write_pixels(const struct sgpu_frame *frame, const struct reading *r, bool alpha, unsigned width,
             unsigned height, size_t pitch, const void *data)
{
   sgpu_frames_write(frame, &(struct sgpu_frame_picture){
                               .pixels = r->pixels,
                               .alpha = alpha,
                               .bottom_up = true,
                               .width = width,
                               .height = height,
                               .data = data,
                               .pitch = pitch,
                            });
}

/* Reads a rectangle of the read buffer and makes it a frame. */
static void
add_rectangle(struct gl_context *ctx, enum sgpu_frame_kind kind, int x, int y, unsigned width,
              unsigned height, GLenum asked)
{
   const struct gl_renderbuffer *rb = _mesa_get_read_renderbuffer_for_format(ctx, asked);
   struct sgpu_frame frame;

   if (!rb || !width || !height || !sgpu_frames_next(kind, NULL, &frame))
      return;
   const struct reading r = choose_reading(asked, rb->Format);
   const size_t pitch = align64((uint64_t)width * r.bytes, 4);
   void *pixels = calloc(height, pitch);
   if (!pixels)
      return;
   __real_st_ReadPixels(ctx, x, y, width, height, r.format, r.type, &ctx->DefaultPacking, pixels);
   write_pixels(&frame, &r, has_alpha(asked, rb->Format, rb->_BaseFormat), width, height, pitch,
                pixels);
   free(pixels);
}

void
__wrap_st_ReadPixels(struct gl_context *ctx, GLint x, GLint y, GLsizei width, GLsizei height,
                     GLenum format, GLenum type, const struct gl_pixelstore_attrib *pack,
                     void *pixels)
{
   if (sgpu_frames_counts(SGPU_FRAME_READ))
      add_rectangle(ctx, SGPU_FRAME_READ, x, y, width, height, format);
   __real_st_ReadPixels(ctx, x, y, width, height, format, type, pack, pixels);
}

/* Layers of the picture are one below the other. */
static void
add_texture(struct gl_context *ctx, int x, int y, int z, unsigned width, unsigned height,
            unsigned depth, GLenum asked, struct gl_texture_image *image)
{
   struct sgpu_frame frame;

   if (!width || !height || !depth || !sgpu_frames_next(SGPU_FRAME_READ, NULL, &frame))
      return;
   const struct reading r = choose_reading(asked, image->TexFormat);
   const size_t pitch = align64((uint64_t)width * r.bytes, 4);
   void *pixels = calloc((size_t)height * depth, pitch);
   if (!pixels)
      return;
   const struct gl_pixelstore_attrib pack = ctx->Pack;
   ctx->Pack = ctx->DefaultPacking;
   __real_st_GetTexSubImage(ctx, x, y, z, width, height, depth, r.format, r.type, pixels, image);
   ctx->Pack = pack;
   write_pixels(&frame, &r, has_alpha(asked, image->TexFormat, image->_BaseFormat), width,
                height * depth, pitch, pixels);
   free(pixels);
}

void
__wrap_st_GetTexSubImage(struct gl_context *ctx, GLint xoffset, GLint yoffset, GLint zoffset,
                         GLsizei width, GLsizei height, GLint depth, GLenum format, GLenum type,
                         void *pixels, struct gl_texture_image *image)
{
   if (sgpu_frames_counts(SGPU_FRAME_READ))
      add_texture(ctx, xoffset, yoffset, zoffset, width, height, depth, format, image);
   __real_st_GetTexSubImage(ctx, xoffset, yoffset, zoffset, width, height, depth, format, type,
                            pixels, image);
}

/* Makes the whole read buffer a frame, if the context has drawn anything.  Ignores multisampled
 * framebuffer objects, which can't be read.
 */
static void
add_buffer(struct gl_context *ctx, enum sgpu_frame_kind kind)
{
   if (!sgpu_frames_counts(kind) || !ctx->ReadBuffer || !sgpu_context_draws(ctx->pipe))
      return;
   if (ctx->NewState)
      _mesa_update_state(ctx);
   const struct gl_framebuffer *fb = ctx->ReadBuffer;
   const struct gl_renderbuffer *rb = fb->_ColorReadBuffer;
   if (fb->_Status != GL_FRAMEBUFFER_COMPLETE || !rb || (fb->Name && rb->NumSamples))
      return;
   add_rectangle(ctx, kind, 0, 0, rb->Width, rb->Height, GL_RGBA);
}

void
__wrap_st_glFinish(struct gl_context *ctx)
{
   __real_st_glFinish(ctx);
   add_buffer(ctx, SGPU_FRAME_FINISH);
}

static void
add_end(const struct st_context *next)
{
   GET_CURRENT_CONTEXT(ctx);

   if (ctx && ctx->st != next) {
      FLUSH_VERTICES(ctx, 0, 0);
      add_buffer(ctx, SGPU_FRAME_END);
   }
}

bool
__wrap_st_api_make_current(struct st_context *st, struct pipe_frontend_drawable *draw,
                           struct pipe_frontend_drawable *read)
{
   if (sgpu_frames_counts(SGPU_FRAME_END))
      add_end(st);
   return __real_st_api_make_current(st, draw, read);
}

__attribute__((destructor)) static void
at_exit(void)
{
   if (sgpu_frames_on())
      add_end(NULL);
}
