/* SPDX-License-Identifier: MIT */
/* Contexts: creation, destruction, and the threads in which they are current.
 *
 * A context that is current in another thread is destroyed when that thread releases it or ends.
 */
#include "osm_context.h"

#include <pthread.h>
#include <stdlib.h>

#include "main/context.h"
#include "postprocess/postprocess.h"
#include "state_tracker/st_manager.h"
#include "util/log.h"
#include "util/u_debug.h"
#include "util/u_memory.h"

/* Attributes of OSMesaCreateContextAttribs(). */
struct attributes {
   int format, depth_bits, stencil_bits, accum_bits, profile, major, minor;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its values are contexts, for release_at_exit() */
static bool has_key;

/* The address is the ID of a thread. */
static _Thread_local char thread_id;

/* Releases the context that is current in a thread that ends. */
static void
release_at_exit(void *value)
{
   osm_forbid_store(true);
   st_api_make_current(NULL, NULL, NULL);
   osm_thread_bind(NULL);
}

static void
create_key(void)
{
   has_key = pthread_key_create(&key, release_at_exit) == 0;
}

void
osm_thread_bind(struct osmesa_context *context)
{
   struct osmesa_context *old = NULL;

   pthread_once(&once, create_key);
   if (has_key) {
      old = pthread_getspecific(key);
      pthread_setspecific(key, context);
   }
   osm_lock();
   if (context)
      context->thread = &thread_id;
   bool dead = false;
   if (old && old != context && old->thread == &thread_id) {
      old->thread = NULL;
      dead = old->destroyed;
   }
   osm_unlock();
   if (dead)
      osm_context_free(old);
}

bool
osm_is_elsewhere(struct osmesa_context *context)
{
   osm_lock();
   const bool elsewhere = context->thread && context->thread != &thread_id;
   osm_unlock();
   return elsewhere;
}

bool
osm_destroy_later(struct osmesa_context *context)
{
   osm_lock();
   const bool later = has_key && context->thread && context->thread != &thread_id;
   context->destroyed = later;
   osm_unlock();
   return later;
}

static bool
is_format(int format)
{
   /* OSMESA_COLOR_INDEX is not among them: OpenGL has RGBA mode only. */
   return format == OSMESA_RGBA || format == OSMESA_BGRA || format == OSMESA_ARGB ||
          format == OSMESA_RGB || format == OSMESA_BGR || format == OSMESA_RGB_565;
}

/* Returns false, with a message, if an attribute or a value is not supported. */
static bool
read_attributes(struct attributes *attributes, const int *list)
{
   *attributes = (struct attributes){
      .format = OSMESA_RGBA,
      .profile = OSMESA_COMPAT_PROFILE,
      .major = 1,
   };

   for (; list && list[0]; list += 2) {
      const int value = list[1];
      bool valid = value >= 0;

      switch (list[0]) {
      case OSMESA_FORMAT:
         attributes->format = value;
         valid = is_format(value);
         break;
      case OSMESA_DEPTH_BITS:
         attributes->depth_bits = value;
         break;
      case OSMESA_STENCIL_BITS:
         attributes->stencil_bits = value;
         break;
      case OSMESA_ACCUM_BITS:
         attributes->accum_bits = value;
         break;
      case OSMESA_PROFILE:
         attributes->profile = value;
         valid = value == OSMESA_CORE_PROFILE || value == OSMESA_COMPAT_PROFILE;
         break;
      case OSMESA_CONTEXT_MAJOR_VERSION:
         attributes->major = value;
         valid = value >= 1;
         break;
      case OSMESA_CONTEXT_MINOR_VERSION:
         attributes->minor = value;
         break;
      default:
         mesa_loge("OSMesaCreateContextAttribs: no attribute 0x%x", list[0]);
         return false;
      }
      if (!valid) {
         mesa_loge("OSMesaCreateContextAttribs: attribute 0x%x has no value 0x%x", list[0], value);
         return false;
      }
   }
   return true;
}

static enum pipe_format
depth_stencil_format(const struct attributes *attributes)
{
   if (attributes->stencil_bits)
      return attributes->depth_bits ? PIPE_FORMAT_Z24_UNORM_S8_UINT : PIPE_FORMAT_S8_UINT;
   if (attributes->depth_bits > 16)
      return PIPE_FORMAT_Z24X8_UNORM;
   return attributes->depth_bits ? PIPE_FORMAT_Z16_UNORM : PIPE_FORMAT_NONE;
}

PUBLIC GLAPI OSMesaContext GLAPIENTRY
OSMesaCreateContextAttribs(const int *list, OSMesaContext share)
{
   struct attributes attributes;
   enum st_context_error error;

   if (!read_attributes(&attributes, list))
      return NULL;

   struct osmesa_context *context = CALLOC_STRUCT(osmesa_context);
   struct pipe_frontend_screen *screen = osm_screen_get();
   if (!context || !screen)
      goto fail;
   context->format = attributes.format;
   context->y_up = true;
   context->zs_format = depth_stencil_format(&attributes);
   if (attributes.accum_bits)
      context->accum_format = PIPE_FORMAT_R16G16B16A16_SNORM;

   const struct st_context_attribs st_attributes = {
      .profile = attributes.profile == OSMESA_CORE_PROFILE ? API_OPENGL_CORE : API_OPENGL_COMPAT,
      .major = attributes.major,
      .minor = attributes.minor,
      .flags = debug_get_bool_option("MESA_NO_ERROR", false) ? ST_CONTEXT_FLAG_NO_ERROR : 0,
      /* driconf's defaults */
      .options.allow_draw_out_of_order = true,
      .options.allow_compressed_fallback = true,
   };
   /* The first call makes what all contexts of the screen share. */
   osm_lock();
   context->st = st_api_create_context(screen, &st_attributes, &error, share ? share->st : NULL);
   osm_unlock();
   if (!context->st) {
      if (error == ST_CONTEXT_ERROR_BAD_VERSION)
         mesa_loge("OSMesaCreateContextAttribs: there is no OpenGL %i.%i", attributes.major,
                   attributes.minor);
      goto fail;
   }
   context->st->frontend_context = context;
   return context;

fail:
   if (screen)
      osm_screen_put();
   FREE(context);
   return NULL;
}

PUBLIC GLAPI OSMesaContext GLAPIENTRY
OSMesaCreateContextExt(GLenum format, GLint depth_bits, GLint stencil_bits, GLint accum_bits,
                       OSMesaContext share)
{
   const int list[] = {
      OSMESA_FORMAT,
      format,
      OSMESA_DEPTH_BITS,
      depth_bits,
      OSMESA_STENCIL_BITS,
      stencil_bits,
      OSMESA_ACCUM_BITS,
      accum_bits,
      0,
   };

   return OSMesaCreateContextAttribs(list, share);
}

PUBLIC GLAPI OSMesaContext GLAPIENTRY
OSMesaCreateContext(GLenum format, OSMesaContext share)
{
   return OSMesaCreateContextExt(format, 24, 8, 0, share);
}

void
osm_context_free(struct osmesa_context *context)
{
   pp_free(context->filters);
   /* Mesa binds the context, which flushes another one that is current. */
   osm_forbid_store(true);
   if (context->drawable)
      st_api_destroy_drawable(&context->drawable->base);
   st_destroy_context(context->st);
   osm_forbid_store(false);
   if (context->drawable)
      osm_drawable_free(context->drawable);
   free(context->depth);
   FREE(context);
   osm_screen_put();
}

PUBLIC GLAPI void GLAPIENTRY
OSMesaDestroyContext(OSMesaContext context)
{
   if (!context || osm_destroy_later(context))
      return;
   /* Programs free the memory first, so that it must not be written. */
   if (OSMesaGetCurrentContext() == context) {
      osm_forbid_store(true);
      st_api_make_current(NULL, NULL, NULL);
      osm_forbid_store(false);
      osm_thread_bind(NULL);
   }
   osm_context_free(context);
}

PUBLIC GLAPI OSMesaContext GLAPIENTRY
OSMesaGetCurrentContext(void)
{
   const struct st_context *st = st_api_get_current();

   return st ? st->frontend_context : NULL;
}
