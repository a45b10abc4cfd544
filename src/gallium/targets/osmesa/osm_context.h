/* SPDX-License-Identifier: MIT */
/* Contexts of OSMesa, their drawables, and the screen. */
#ifndef OSM_CONTEXT_H
#define OSM_CONTEXT_H

#include <stdbool.h>

#include "util/glheader.h"

#ifndef APIENTRY
#define APIENTRY GLAPIENTRY
#endif
#include "GL/osmesa.h"

#include "frontend/api.h"
#include "osm_layout.h"
#include "postprocess/filters.h"
#include "state_tracker/st_context.h"

struct pipe_resource;
struct pp_queue_t;

/* The default framebuffer of a context.  It is replaced when its formats change. */
struct osm_drawable {
   struct pipe_frontend_drawable base;
   struct st_visual visual;
   struct osmesa_context *context;
   unsigned width, height;         /* in pixels */
   struct pipe_resource *color;    /* color buffer */
   struct pipe_resource *filtered; /* result of the filters of OSMesaPostprocess, or NULL */
   struct pipe_resource *zs;       /* depth and stencil buffer, or NULL if there is none */
};

struct osmesa_context {
   struct st_context *st;
   GLenum format;                            /* OSMESA_RGBA, ... */
   enum pipe_format zs_format, accum_format; /* or PIPE_FORMAT_NONE */

   /* Memory that OSMesaMakeCurrent has bound.  If drawable is NULL, there was no such call. */
   struct osm_drawable *drawable;
   struct osm_layout layout;
   void *memory;
   GLenum type;
   GLint row_length;  /* number of pixels from row to row, or 0 for the width */
   bool y_up;         /* the first row of the memory is the lowest one */
   bool load_pending; /* the first use of the color buffer must read the memory */

   /* Copy of the depth buffer for OSMesaGetDepthBuffer, or NULL. */
   void *depth;

   struct pp_queue_t *filters;         /* or NULL */
   unsigned filter_values[PP_FILTERS]; /* parameter per filter, 0 for filters that are off */
   bool made_current;                  /* filters can't be changed any more */

   /* Protected by osm_lock(). */
   const void *thread; /* ID of the thread in which the context is current, or NULL */
   bool destroyed;     /* must be freed when its thread releases it */
};

/* The screen.  Contexts hold references; osm_screen_get() returns NULL if there is no device. */
struct pipe_frontend_screen *osm_screen_get(void);
void osm_screen_put(void);
/* Returns true if one of Mesa's debug wrappers (GALLIUM_TRACE, ...) is around the driver's screen. */
bool osm_screen_is_wrapped(void);

/* A lock of the library.  A fork waits for it. */
void osm_lock(void);
void osm_unlock(void);

/* Make the memory of a drawable or free it.  osm_drawable_create() returns NULL if allocation
 * fails.  The caller must free a drawable only when no context uses it.
 */
struct osm_drawable *osm_drawable_create(struct osmesa_context *context, enum pipe_format color,
                                         unsigned width, unsigned height);
void osm_drawable_free(struct osm_drawable *drawable);
/* Changes the size.  Returns false, and changes nothing, if allocation fails. */
bool osm_drawable_resize(struct osm_drawable *drawable, unsigned width, unsigned height);

/* Returns true if the color buffer has pixels that the memory lacks. */
bool osm_is_drawn(struct osmesa_context *context);
/* Writes the color buffer to the memory, and the depth buffer to its copy. */
void osm_store(struct osmesa_context *context);
/* Reads the depth buffer to context->depth.  Returns false if allocation fails. */
bool osm_read_depth(struct osmesa_context *context);
/* Returns the number of bytes of a depth value, or 0 if there is no depth buffer. */
unsigned osm_depth_bytes(const struct osmesa_context *context);

/* Allow or forbid the calling thread to write to the memory of applications. */
void osm_forbid_store(bool forbid);

/* Frees a context, which may be current in the calling thread only. */
void osm_context_free(struct osmesa_context *context);
/* Notes that `context`, or none if it is NULL, is now current in the calling thread.  Frees the
 * context that was, if the application has destroyed it.
 */
void osm_thread_bind(struct osmesa_context *context);
/* Returns true if another thread has the context. */
bool osm_is_elsewhere(struct osmesa_context *context);
/* Returns true if another thread has the context, which this thread then will free. */
bool osm_destroy_later(struct osmesa_context *context);

#endif
