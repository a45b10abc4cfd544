/* SPDX-License-Identifier: MIT */
/* Replaces functions of Mesa's frontend for software screens (--wrap in meson.build; see
 * docs/dri.md).
 */
#include "front.h"

#include <dlfcn.h>
#include <stdint.h>
#include <X11/Xlib.h>
#include <X11/Xproto.h>

#include "dri_context.h"
#include "dri_drawable.h"
#include "dri_screen.h"
#include "hud/hud_context.h"
#include "main/glthread.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "postprocess/postprocess.h"
#include "sgpu/sgpu_frames.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_context.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

void __real_drisw_init_drawable(struct dri_drawable *drawable, bool is_pixmap, int alpha_bits);
void __wrap_drisw_init_drawable(struct dri_drawable *drawable, bool is_pixmap, int alpha_bits);
void __real_driswCopySubBuffer(struct dri_drawable *drawable, int x, int y, int w, int h);
/* The loaders call this function: they are linked with --wrap, too. */
PUBLIC void __wrap_driswCopySubBuffer(struct dri_drawable *drawable, int x, int y, int w, int h);
void __real_dri_put_drawable(struct dri_drawable *drawable);
void __wrap_dri_put_drawable(struct dri_drawable *drawable);
const struct dri_config **__real_dri_init_screen(struct dri_screen *screen,
                                                 struct pipe_screen *pscreen, bool has_multibuffer);
const struct dri_config **__wrap_dri_init_screen(struct dri_screen *screen,
                                                 struct pipe_screen *pscreen, bool has_multibuffer);

/* First version of the loader interface that has getImage2.  With older loaders, Mesa doesn't
 * create front buffer resources.
 */
#define VERSION_WITH_STRIDES 3

typedef int (*error_handler)(Display *, XErrorEvent *);

static error_handler others_handler;

/* Ignores X errors from reading a window that is unmapped or partly off the screen, or a pixmap
 * that was destroyed while GLX still has a drawable for it.
 */
static int
ignore_unreadable(Display *dpy, XErrorEvent *error)
{
   if (error->request_code == X_GetImage &&
       (error->error_code == BadMatch || error->error_code == BadDrawable))
      return 0;
   if (error->request_code == X_GetGeometry && error->error_code == BadDrawable)
      return 0;
   return others_handler ? others_handler(dpy, error) : 0;
}

/* Like read_drawable(), but for loaders that only have getImage, which takes no stride and pads
 * rows to 32 bits.
 */
static void
read_packed(const __DRIswrastLoaderExtension *loader, struct dri_drawable *drawable, unsigned bytes,
            unsigned width, unsigned height, unsigned stride, uint8_t *to)
{
   const size_t packed = align(width * bytes, 4);
   uint8_t *rows = calloc(height, packed);

   if (!rows)
      return;
   /* Start with the old pixels, so that they remain if the loader can't read the window. */
   for (unsigned y = 0; y < height; y++)
      memcpy(rows + y * packed, to + (size_t)y * stride, width * bytes);
   loader->getImage(drawable, 0, 0, width, height, rows, drawable->loaderPrivate);
   for (unsigned y = 0; y < height; y++)
      memcpy(to + (size_t)y * stride, rows + y * packed, width * bytes);
   free(rows);
}

/* Reads a drawable, clipped to its current size and to the size of the resource.  Mesa's
 * drisw_get_image() can't be used, because it always reads the current size of the window, which
 * may be larger than the memory of the resource.
 */
static void
read_drawable(struct dri_drawable *drawable, unsigned width, unsigned height, unsigned stride,
              void *to)
{
   const __DRIswrastLoaderExtension *loader = drawable->screen->swrast_loader;
   int x, y, w = 0, h = 0;

   loader->getDrawableInfo(drawable, &x, &y, &w, &h, drawable->loaderPrivate);
   if (w <= 0 || h <= 0)
      return;
   width = MIN2(width, (unsigned)w);
   height = MIN2(height, (unsigned)h);
   if (loader->base.version >= VERSION_WITH_STRIDES)
      loader->getImage2(drawable, 0, 0, width, height, stride, to, drawable->loaderPrivate);
   else
      read_packed(loader, drawable, util_format_get_blocksize(drawable->stvis.color_format), width,
                  height, stride, to);
}

/* Reads a front buffer with an Xlib error handler installed.  The GLX loader does not catch errors
 * when it reads windows, and Xlib exits on an uncaught error.  If Xlib is not loaded, the loader is
 * EGL's, which catches errors itself.
 */
void
dri_read_front(const void *front_private, unsigned width, unsigned height, unsigned stride,
               void *to)
{
   static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
   error_handler (*set_handler)(error_handler) = NULL;
   void *xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);

   simple_mtx_lock(&lock);
   if (xlib)
      set_handler = (error_handler(*)(error_handler))dlsym(xlib, "XSetErrorHandler");
   if (set_handler)
      others_handler = set_handler(ignore_unreadable);
   read_drawable((struct dri_drawable *)front_private, width, height, stride, to);
   if (set_handler)
      set_handler(others_handler);
   simple_mtx_unlock(&lock);
   if (xlib)
      dlclose(xlib);
}

/* Mesa's original functions, which are the same for all drawables. */
static void (*mesa_allocate_textures)(struct dri_context *, struct dri_drawable *,
                                      const enum st_attachment_type *, unsigned);

static void
allocate_textures(struct dri_context *ctx, struct dri_drawable *drawable,
                  const enum st_attachment_type *statts, unsigned count)
{
   struct pipe_resource **front = &drawable->textures[ST_ATTACHMENT_FRONT_LEFT];
   struct pipe_resource **samples = &drawable->msaa_textures[ST_ATTACHMENT_FRONT_LEFT];
   struct pipe_resource *old_samples = NULL;

   pipe_resource_reference(&old_samples, *samples);
   mesa_allocate_textures(ctx, drawable, statts, count);
   if (*front) {
      sgpu_resource_set_front(*front, drawable);
      /* Copy the pixels again, because Mesa has copied them before the resource became a front
       * buffer.
       */
      if (*samples && *samples != old_samples)
         dri_pipe_blit(ctx->st->pipe, *samples, *front);
   }
   pipe_resource_reference(&old_samples, NULL);
}

/* Replaces Mesa's function, which maps the pixmap and copies it only once. */
static void
update_tex_buffer(struct dri_drawable *drawable, struct dri_context *ctx, struct pipe_resource *res)
{
   _mesa_glthread_finish(ctx->st->ctx);
   sgpu_resource_bind_pixmap(ctx->st->pipe, res);
}

/* Copies the samples of the presented back buffer to the multisampled front buffer. */
static void
copy_samples_to_front(struct dri_drawable *drawable, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
   struct dri_context *ctx = dri_get_current();
   struct pipe_resource *back = drawable->msaa_textures[ST_ATTACHMENT_BACK_LEFT];
   struct pipe_resource *front = drawable->msaa_textures[ST_ATTACHMENT_FRONT_LEFT];
   struct pipe_box box;

   if (!ctx || !back || !front)
      return;
   x0 = MAX2(x0, 0);
   y0 = MAX2(y0, 0);
   x1 = MIN2(x1, back->width0);
   y1 = MIN2(y1, back->height0);
   if (x0 >= x1 || y0 >= y1)
      return;
   u_box_2d(x0, y0, x1 - x0, y1 - y0, &box);
   ctx->st->pipe->resource_copy_region(ctx->st->pipe, front, 0, x0, y0, 0, back, 0, &box);
}

static void
present(struct dri_drawable *drawable, struct pipe_context *pipe, struct pipe_resource *back)
{
   back->screen->flush_frontbuffer(back->screen, pipe, back, 0, 0, drawable, 0, NULL);
   /* Force the context to query the size of the window again for the next frame. */
   drawable->texture_stamp = drawable->lastStamp - 1;
   p_atomic_inc(&drawable->base.stamp);
}

/* Like Mesa's function, but doesn't wait until the picture is rendered, because the presentation
 * waits.
 */
static void
swap_buffers_of(struct dri_context *ctx, struct dri_drawable *drawable)
{
   struct pipe_resource *back = drawable->textures[ST_ATTACHMENT_BACK_LEFT];
   struct pipe_resource *samples = drawable->msaa_textures[ST_ATTACHMENT_BACK_LEFT];
   const bool shown = !drawable->screen->swrast_no_present;

   _mesa_glthread_finish(ctx->st->ctx);
   if (!back)
      return;
   if (ctx->pp)
      pp_run(ctx->pp, back, back, drawable->textures[ST_ATTACHMENT_DEPTH_STENCIL]);
   if (ctx->hud)
      hud_run(ctx->hud, ctx->st->cso_context, back);
   if (shown)
      sgpu_context_presents(ctx->st->pipe);
   st_context_flush(ctx->st, ST_FLUSH_FRONT, NULL, NULL, NULL);
   if (drawable->stvis.samples > 1)
      dri_pipe_blit(ctx->st->pipe, back, samples);
   if (shown)
      present(drawable, ctx->st->pipe, back);
   st_context_invalidate_state(ctx->st, ST_INVALIDATE_FB_STATE);
}

/* Unlike Mesa's function, this also works without a current context, which GLX allows. */
static void
swap_buffers(struct dri_drawable *drawable)
{
   struct dri_context *ctx = dri_get_current();
   struct pipe_resource *back = drawable->textures[ST_ATTACHMENT_BACK_LEFT];
   struct pipe_resource *samples = drawable->msaa_textures[ST_ATTACHMENT_BACK_LEFT];
   struct pipe_resource *front = drawable->msaa_textures[ST_ATTACHMENT_FRONT_LEFT];

   if (back)
      drawable->buffer_age = 1;
   if (ctx) {
      swap_buffers_of(ctx, drawable);
      copy_samples_to_front(drawable, 0, 0, INT64_MAX, INT64_MAX);
      return;
   }
   if (!back)
      return;
   if (samples)
      sgpu_resource_blit_alone(back, samples);
   if (samples && front)
      sgpu_resource_blit_alone(front, samples);
   present(drawable, NULL, back);
}

/* The damaged rectangles are only a hint: the driver itself knows what has changed. */
static void
swap_buffers_with_damage(struct dri_drawable *drawable, int nrects, const int *rects)
{
   swap_buffers(drawable);
}

void
__wrap_drisw_init_drawable(struct dri_drawable *drawable, bool is_pixmap, int alpha_bits)
{
   const __DRIswrastLoaderExtension *loader = drawable->screen->swrast_loader;

   __real_drisw_init_drawable(drawable, is_pixmap, alpha_bits);
   drawable->swap_buffers = swap_buffers;
   drawable->swap_buffers_with_damage = swap_buffers_with_damage;
   if (loader->base.version < VERSION_WITH_STRIDES && loader->getImage) {
      p_atomic_set(&mesa_allocate_textures, drawable->allocate_textures);
      drawable->allocate_textures = allocate_textures;
   }
   if (loader->base.version >= VERSION_WITH_STRIDES)
      drawable->update_tex_buffer = update_tex_buffer;
}

void
__wrap_driswCopySubBuffer(struct dri_drawable *drawable, int x, int y, int w, int h)
{
   __real_driswCopySubBuffer(drawable, x, y, w, h);
   copy_samples_to_front(drawable, x, drawable->h - (int64_t)y - h, (int64_t)x + w,
                         drawable->h - (int64_t)y);
}

/* Detaches the front buffer from a drawable that ends, because a texture may still use the
 * resource.
 */
void
__wrap_dri_put_drawable(struct dri_drawable *drawable)
{
   if (drawable && drawable->refcount == 1 && drawable->textures[ST_ATTACHMENT_FRONT_LEFT])
      sgpu_resource_drop_front(drawable->textures[ST_ATTACHMENT_FRONT_LEFT]);
   if (drawable && drawable->refcount == 1)
      sgpu_frames_forget(drawable);
   __real_dri_put_drawable(drawable);
}

/* Returns true for configurations that should be kept.  Loaders read all attributes of all
 * configurations, which takes EGL 10 ms if each configuration exists for each sample count.
 * Multisampled configurations are only kept with 24 depth bits or none, which satisfies programs
 * that request a minimum.  Without depth, they have no stencil either, because some programs (e.g.
 * glmark2) reject stencil bits that they did not request.
 */
static bool
is_usual(const struct gl_config *c)
{
   return !c->samples || c->depthBits == 24 || (!c->depthBits && !c->stencilBits);
}

/* For loaders without EGL images (GLX), which Mesa's function calls anyway. */
static bool
is_no_egl_image(struct pipe_frontend_screen *screen, void *image)
{
   return false;
}

const struct dri_config **
__wrap_dri_init_screen(struct dri_screen *screen, struct pipe_screen *pscreen, bool has_multibuffer)
{
   const struct dri_config **configs = __real_dri_init_screen(screen, pscreen, has_multibuffer);
   unsigned kept = 0;

   for (unsigned i = 0; configs && configs[i]; i++) {
      if (is_usual(&configs[i]->modes))
         configs[kept++] = configs[i];
      else
         free((void *)configs[i]);
   }
   if (configs)
      configs[kept] = NULL;
   if (!screen->dri2.image)
      screen->base.validate_egl_image = is_no_egl_image;
   /* drisw_allocate_textures() would take images of surfaceless displays as buffers, without depth,
    * stencil and samples.  Without this, the driver allocates all buffers.
    */
   if (screen->type == DRI_SCREEN_SWRAST)
      screen->image.loader = NULL;
   return configs;
}
