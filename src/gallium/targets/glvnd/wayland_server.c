/* SPDX-License-Identifier: MIT */
/* The functions of libwayland-server that Mesa's wl_drm calls, in a compositor that uses
 * EGL_WL_bind_wayland_display.  Compositors have the library; other programs need not have it, so it
 * is not linked, but opened at the first call.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <wayland-server-core.h>

#include "util/u_call_once.h"

static void *library;

static void
open_library(void)
{
   library = dlopen("libwayland-server.so.0", RTLD_LAZY | RTLD_LOCAL);
}

/* Returns a function of the library.  The caller has a display or a resource of it, so it exists. */
static void *
find(const char *name)
{
   static util_once_flag once = UTIL_ONCE_FLAG_INIT;

   util_call_once(&once, open_library);
   void *function = library ? dlsym(library, name) : NULL;
   if (!function) {
      fprintf(stderr, "sgpu: libwayland-server.so.0 has no %s\n", name);
      abort();
   }
   return function;
}

#define REAL(function) ((__typeof__(&function))find(#function))

void
wl_client_post_no_memory(struct wl_client *client)
{
   REAL(wl_client_post_no_memory)(client);
}

struct wl_global *
wl_global_create(struct wl_display *display, const struct wl_interface *interface, int version,
                 void *data, wl_global_bind_func_t bind)
{
   return REAL(wl_global_create)(display, interface, version, data, bind);
}

void
wl_global_destroy(struct wl_global *global)
{
   REAL(wl_global_destroy)(global);
}

struct wl_resource *
wl_resource_create(struct wl_client *client, const struct wl_interface *interface, int version,
                   uint32_t id)
{
   return REAL(wl_resource_create)(client, interface, version, id);
}

void
wl_resource_destroy(struct wl_resource *resource)
{
   REAL(wl_resource_destroy)(resource);
}

void *
wl_resource_get_user_data(struct wl_resource *resource)
{
   return REAL(wl_resource_get_user_data)(resource);
}

int
wl_resource_instance_of(struct wl_resource *resource, const struct wl_interface *interface,
                        const void *implementation)
{
   return REAL(wl_resource_instance_of)(resource, interface, implementation);
}

void
wl_resource_post_error(struct wl_resource *resource, uint32_t code, const char *format, ...)
{
   char message[128]; /* libwayland-server cuts messages at this length, too */
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(message, sizeof message, format, arguments);
   va_end(arguments);
   REAL(wl_resource_post_error)(resource, code, "%s", message);
}

/* The events of wl_drm have at most one argument, a string or a number. */
void
wl_resource_post_event(struct wl_resource *resource, uint32_t opcode, ...)
{
   va_list arguments;

   va_start(arguments, opcode);
   void *argument = va_arg(arguments, void *);
   va_end(arguments);
   REAL(wl_resource_post_event)(resource, opcode, argument);
}

void
wl_resource_post_no_memory(struct wl_resource *resource)
{
   REAL(wl_resource_post_no_memory)(resource);
}

void
wl_resource_set_implementation(struct wl_resource *resource, const void *implementation, void *data,
                               wl_resource_destroy_func_t destroy)
{
   REAL(wl_resource_set_implementation)(resource, implementation, data, destroy);
}
