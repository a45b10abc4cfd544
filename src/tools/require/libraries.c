/* SPDX-License-Identifier: MIT */
/* Classifies libraries of OpenGL by name and place. */
#include "require.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
has(const char *name, const char *start)
{
   return !strncmp(name, start, strlen(start));
}

/* Returns whether the library stands next to the driver: in the folder of libgallium_sgpu.so, in one
 * below it, or in the build folder.
 */
static bool
is_next_to_driver(const char *path)
{
   static const char *const places[] = { "", "../", "../gallium/", "../../gallium/" };
   char name[PATH_MAX + 64];

   const char *slash = strrchr(path, '/');
   for (unsigned i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
      snprintf(name, sizeof name, "%.*s%slibgallium_sgpu.so", (int)(slash + 1 - path), path,
               places[i]);
      if (!access(name, F_OK))
         return true;
   }
   return false;
}

static const struct {
   const char *start;
   enum library_kind kind;
} kinds[] = {
   { "libGLX.so", LIBRARY_LOADER },
   { "libGL.so", LIBRARY_LOADER },
   { "libEGL.so.1", LIBRARY_LOADER },
   { "libGLESv1_CM.so.1", LIBRARY_LOADER },
   { "libGLESv2.so.2", LIBRARY_LOADER },
   { "libGLESv2.so", LIBRARY_ANGLE },
   { "libOpenGL.so", LIBRARY_LOADER },
   { "libGLdispatch.so", LIBRARY_LOADER },
   { "libGLX_indirect.so", LIBRARY_GLX | LIBRARY_INDIRECT },
   { "libGLX_nvidia.so", LIBRARY_GLX },
   { "libEGL_nvidia.so", LIBRARY_EGL },
   { "libGLX_", LIBRARY_GLX },
   { "libEGL_", LIBRARY_EGL },
   { "dri_gbm.so", LIBRARY_EGL },
   { "libgallium_drv_video.so", LIBRARY_VIDEO },
   { "libvdpau_", LIBRARY_VIDEO },
   { "libgallium", LIBRARY_MESA },
   { "libOSMesa", LIBRARY_RASTERIZER },
   { "libvk_swiftshader", LIBRARY_RASTERIZER },
   { "libswiftshader", LIBRARY_RASTERIZER },
   { "libnvidia-glcore", LIBRARY_RASTERIZER },
   { "libnvidia-eglcore", LIBRARY_RASTERIZER },
   { "libMali", LIBRARY_RASTERIZER },
   { "libmali", LIBRARY_RASTERIZER },
   { "libvulkan_", LIBRARY_VULKAN },
   { "libVkICD", LIBRARY_VULKAN },
};

static enum library_kind
kind_of_name(const char *name)
{
   for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      if (has(name, kinds[i].start))
         return kinds[i].kind;
   }
   if (strstr(name, "_drv_video.so"))
      return LIBRARY_VIDEO;
   if (strstr(name, "_dri.so"))
      return LIBRARY_MESA;
   return LIBRARY_NONE;
}

enum library_kind
library_kind(const char *path)
{
   char real[PATH_MAX];
   const char *slash = strrchr(path, '/');
   const enum library_kind kind = kind_of_name(slash ? slash + 1 : path);

   if (kind == LIBRARY_NONE || kind == LIBRARY_LOADER)
      return kind;
   /* Old loaders open the driver by links with the names of Mesa's drivers. */
   if (!realpath(path, real))
      snprintf(real, sizeof real, "%s", path);
   slash = strrchr(real, '/');
   const char *name = slash ? slash + 1 : real;
   if (has(name, "libgallium_sgpu") || has(name, "sgpu_dri.so") || has(name, "libGLX_sgpu") ||
       has(name, "libEGL_sgpu") || is_next_to_driver(real))
      return LIBRARY_SGPU;
   return kind;
}
