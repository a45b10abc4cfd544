/* SPDX-License-Identifier: MIT */
/*
 * Creates a screen of the driver for check_secure.py, and prints whether the process has more
 * rights than its user.  Does not use EGL or GLX, because the dynamic linker ignores the variable
 * with the folder of libraries in such a process.
 *
 * usage: secure LIBGALLIUM
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "dri_util.h"

static void
get_info(struct dri_drawable *drawable, int *x, int *y, int *width, int *height, void *data)
{
   *x = *y = 0;
   *width = *height = 16;
}

static void
put_image(struct dri_drawable *drawable, int op, int x, int y, int width, int height, char *pixels,
          void *data)
{
}

static void
get_image(struct dri_drawable *drawable, int x, int y, int width, int height, char *pixels,
          void *data)
{
}

int
main(int argc, char **argv)
{
   static const __DRIswrastLoaderExtension loader = {
      .base = { __DRI_SWRAST_LOADER, 1 },
      .getDrawableInfo = get_info,
      .putImage = put_image,
      .getImage = get_image,
   };
   static const __DRIextension *loaders[] = { &loader.base, NULL };
   __typeof__(driCreateNewScreen3) *create = NULL;
   __typeof__(driDestroyScreen) *destroy = NULL;
   const struct dri_config **configs;

   setvbuf(stdout, NULL, _IONBF, 0);
   printf("%lu\n", getauxval(AT_SECURE));
   void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
   if (library) {
      *(void **)&create = dlsym(library, "driCreateNewScreen3");
      *(void **)&destroy = dlsym(library, "driDestroyScreen");
   }
   if (!create || !destroy) {
      fprintf(stderr, "no driver: %s\n", dlerror());
      return 1;
   }
   struct dri_screen *screen = create(0, -1, loaders, DRI_SCREEN_SWRAST, &configs, false, false,
                                      NULL);
   puts(screen ? "screen" : "no screen");
   if (screen)
      destroy(screen);
   return 0;
}
