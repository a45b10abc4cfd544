/* SPDX-License-Identifier: MIT */
/* Functions of GL/osmesa.h for contexts that exist. */
#include <stdlib.h>
#include <string.h>

#include "glapi/glapi.h"
#include "main/context.h"
#include "main/framebuffer.h"
#include "osm_context.h"
#include "pipe/p_screen.h"
#include "postprocess/postprocess.h"
#include "state_tracker/st_cb_bitmap.h"
#include "state_tracker/st_cb_flush.h"
#include "state_tracker/st_manager.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_atomic.h"

/* of the generated header api_exec_decl.h */
void GLAPIENTRY _mesa_ClampColor(GLenum target, GLenum clamp);

/* Gives the context a drawable of the size and the format of `layout`.  The caller must free *old,
 * if it is not NULL, when the new one is current.  Returns false if allocation fails.
 */
static bool
fit_drawable(struct osmesa_context *context, const struct osm_layout *layout, unsigned width,
             unsigned height, struct osm_drawable **old)
{
   struct osm_drawable *drawable = context->drawable;

   *old = NULL;
   if (drawable && drawable->visual.color_format == layout->target) {
      if (drawable->width == width && drawable->height == height)
         return true;
      if (!osm_drawable_resize(drawable, width, height))
         return false;
   } else {
      struct osm_drawable *created = osm_drawable_create(context, layout->target, width, height);

      if (!created)
         return false;
      context->drawable = created;
      *old = drawable;
   }
   free(context->depth);
   context->depth = NULL;
   return true;
}

/* Called when a context is current for the first time. */
static void
start_filters(struct osmesa_context *context)
{
   context->made_current = true;
   for (unsigned i = 0; i < PP_FILTERS; i++) {
      if (context->filter_values[i]) {
         context->filters = pp_init(context->st->pipe, context->filter_values,
                                    context->st->cso_context, context->st,
                                    st_context_invalidate_state);
         if (!context->filters)
            mesa_loge("OSMesaPostprocess: the filters are off, since they can't be created");
         else
            pp_init_fbos(context->filters, context->drawable->width, context->drawable->height);
         return;
      }
   }
}

static GLboolean
release(void)
{
   st_api_make_current(NULL, NULL, NULL);
   osm_thread_bind(NULL);
   return GL_TRUE;
}

PUBLIC GLAPI GLboolean GLAPIENTRY
OSMesaMakeCurrent(OSMesaContext context, void *memory, GLenum type, GLsizei width, GLsizei height)
{
   struct osm_layout layout;
   struct osm_drawable *old;

   if (!context && !memory)
      return release();
   if (!context || !memory || width < 1 || height < 1)
      return GL_FALSE;
   if (!osm_layout_init(&layout, context->format, type)) {
      mesa_loge("OSMesaMakeCurrent: format 0x%x has no type 0x%x", context->format, type);
      return GL_FALSE;
   }
   const unsigned limit = context->st->screen->caps.max_texture_2d_size;
   if (width > limit || height > limit) {
      mesa_loge("OSMesaMakeCurrent: %i x %i pixels are more than %u x %u", width, height, limit,
                limit);
      return GL_FALSE;
   }

   const bool same = context->drawable && context->memory == memory && context->type == type &&
                     context->drawable->width == width && context->drawable->height == height;
   const bool current = OSMesaGetCurrentContext() == context;
   if (same && current)
      return GL_TRUE;
   if (current) {
      /* What was drawn is part of the old picture. */
      FLUSH_VERTICES(context->st->ctx, 0, 0);
      st_flush_bitmap_cache(context->st);
   }
   const bool resized = context->drawable &&
                        (context->drawable->width != width || context->drawable->height != height);
   if (!fit_drawable(context, &layout, width, height, &old)) {
      mesa_loge("OSMesaMakeCurrent: not enough memory for %i x %i pixels", width, height);
      return GL_FALSE;
   }
   const bool drawn = !old && !resized && osm_is_drawn(context);

   context->load_pending = false;
   if (old)
      st_api_destroy_drawable(&old->base);
   if (!st_api_make_current(context->st, &context->drawable->base, &context->drawable->base)) {
      mesa_loge("OSMesaMakeCurrent: not enough memory");
      if (old) {
         osm_drawable_free(context->drawable);
         context->drawable = NULL;
         osm_drawable_free(old);
      }
      return GL_FALSE;
   }
   if (old)
      osm_drawable_free(old);
   osm_thread_bind(context);
   context->memory = memory;
   context->type = type;
   context->layout = layout;
   if (!drawn) {
      /* The next draw makes Mesa validate the drawable. */
      context->load_pending = true;
      p_atomic_inc(&context->drawable->base.stamp);
   }
   if (!context->made_current)
      start_filters(context);
   return GL_TRUE;
}

PUBLIC GLAPI void GLAPIENTRY
OSMesaPixelStore(GLint name, GLint value)
{
   struct osmesa_context *context = OSMesaGetCurrentContext();

   if (!context) {
      mesa_loge("OSMesaPixelStore: no context is current");
   } else if (name == OSMESA_ROW_LENGTH && value >= 0) {
      context->row_length = value;
   } else if (name == OSMESA_Y_UP) {
      context->y_up = value != 0;
   } else {
      mesa_loge("OSMesaPixelStore: there is no parameter 0x%x with value %i", name, value);
   }
}

PUBLIC GLAPI void GLAPIENTRY
OSMesaGetIntegerv(GLint name, GLint *value)
{
   const struct osmesa_context *context = OSMesaGetCurrentContext();

   if (!context) {
      mesa_loge("OSMesaGetIntegerv: no context is current");
      *value = 0;
      return;
   }
   switch (name) {
   case OSMESA_WIDTH:
      *value = context->drawable->width;
      break;
   case OSMESA_HEIGHT:
      *value = context->drawable->height;
      break;
   case OSMESA_FORMAT:
      *value = context->format;
      break;
   case OSMESA_TYPE:
      *value = context->type;
      break;
   case OSMESA_ROW_LENGTH:
      *value = context->row_length;
      break;
   case OSMESA_Y_UP:
      *value = context->y_up;
      break;
   case OSMESA_MAX_WIDTH:
   case OSMESA_MAX_HEIGHT:
      *value = context->st->screen->caps.max_texture_2d_size;
      break;
   default:
      mesa_loge("OSMesaGetIntegerv: there is no parameter 0x%x", name);
      break;
   }
}

PUBLIC GLAPI GLboolean GLAPIENTRY
OSMesaGetDepthBuffer(OSMesaContext context, GLint *width, GLint *height, GLint *bytes,
                     void **buffer)
{
   *width = *height = *bytes = 0;
   *buffer = NULL;
   if (!context || !osm_depth_bytes(context))
      return GL_FALSE;
   /* Another thread may be inside of the context, and updates an existing copy by itself. */
   if (osm_is_elsewhere(context)) {
      if (!context->depth)
         return GL_FALSE;
   } else {
      if (OSMesaGetCurrentContext() == context)
         FLUSH_VERTICES(context->st->ctx, 0, 0);
      if (!osm_read_depth(context))
         return GL_FALSE;
   }
   *width = context->drawable->width;
   *height = context->drawable->height;
   *bytes = osm_depth_bytes(context);
   *buffer = context->depth;
   return GL_TRUE;
}

PUBLIC GLAPI GLboolean GLAPIENTRY
OSMesaGetColorBuffer(OSMesaContext context, GLint *width, GLint *height, GLint *format,
                     void **buffer)
{
   *width = *height = *format = 0;
   *buffer = NULL;
   if (!context || !context->drawable)
      return GL_FALSE;
   if (OSMesaGetCurrentContext() == context) {
      FLUSH_VERTICES(context->st->ctx, 0, 0);
      st_glFlush(context->st->ctx, 0);
   }
   *width = context->drawable->width;
   *height = context->drawable->height;
   *format = context->format;
   *buffer = context->memory;
   return GL_TRUE;
}

PUBLIC GLAPI void GLAPIENTRY
OSMesaColorClamp(GLboolean enable)
{
   const struct osmesa_context *context = OSMesaGetCurrentContext();

   if (!context) {
      mesa_loge("OSMesaColorClamp: no context is current");
      return;
   }
   if (_mesa_is_desktop_gl_core(context->st->ctx)) {
      mesa_loge("OSMesaColorClamp: has no effect in a core profile");
      return;
   }
   _mesa_ClampColor(GL_CLAMP_FRAGMENT_COLOR, enable ? GL_TRUE : GL_FIXED_ONLY);
}

PUBLIC GLAPI void GLAPIENTRY
OSMesaPostprocess(OSMesaContext context, const char *name, unsigned value)
{
   if (!context || context->made_current) {
      mesa_loge("OSMesaPostprocess: must be called before OSMesaMakeCurrent");
      return;
   }
   for (unsigned i = 0; i < PP_FILTERS; i++) {
      if (!strcmp(pp_filters[i].name, name)) {
         context->filter_values[i] = value;
         return;
      }
   }
   mesa_loge("OSMesaPostprocess: there is no filter '%s'", name);
}

PUBLIC GLAPI OSMESAproc GLAPIENTRY
OSMesaGetProcAddress(const char *name)
{
   static const struct {
      const char *name;
      OSMESAproc function;
   } functions[] = {
#define FUNCTION(name) { #name, (OSMESAproc)name }
      FUNCTION(OSMesaColorClamp),           FUNCTION(OSMesaCreateContext),
      FUNCTION(OSMesaCreateContextAttribs), FUNCTION(OSMesaCreateContextExt),
      FUNCTION(OSMesaDestroyContext),       FUNCTION(OSMesaGetColorBuffer),
      FUNCTION(OSMesaGetCurrentContext),    FUNCTION(OSMesaGetDepthBuffer),
      FUNCTION(OSMesaGetIntegerv),          FUNCTION(OSMesaGetProcAddress),
      FUNCTION(OSMesaMakeCurrent),          FUNCTION(OSMesaPixelStore),
      FUNCTION(OSMesaPostprocess),
   };

   for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
      if (!strcmp(functions[i].name, name))
         return functions[i].function;
   }
   return (OSMESAproc)_mesa_glapi_get_proc_address(name);
}
