/* SPDX-License-Identifier: MIT */
/*
 * Creates a screen of the driver for check_secure.py, and prints whether the process has more
 * rights than its user.  Does not use EGL or GLX, because they ignore the variable with the folder
 * of drivers in such a process.
 *
 * usage: secure LIBGLAPI DRIVER
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include <GL/gl.h>
#include <GL/internal/dri_interface.h>

static void
get_info(__DRIdrawable *drawable, int *x, int *y, int *width, int *height, void *data)
{
   *x = *y = 0;
   *width = *height = 16;
}

static void
put_image(__DRIdrawable *drawable, int op, int x, int y, int width, int height, char *pixels,
          void *data)
{
}

static void
get_image(__DRIdrawable *drawable, int x, int y, int width, int height, char *pixels, void *data)
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
   static const __DRIextension *const loaders[] = { &loader.base, NULL };
   const __DRIswrastExtension *swrast = NULL;
   const __DRIcoreExtension *core = NULL;
   const __DRIconfig **configs;

   setvbuf(stdout, NULL, _IONBF, 0);
   printf("%lu\n", getauxval(AT_SECURE));
   void *driver = argc == 3 && dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)
                     ? dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL)
                     : NULL;
   const __DRIextension **(*get)(void) = NULL;
   if (driver)
      *(void **)&get = dlsym(driver, "__driDriverGetExtensions_sgpu");
   if (!get) {
      fprintf(stderr, "no driver: %s\n", dlerror());
      return 1;
   }
   const __DRIextension **extensions = get();
   for (unsigned i = 0; extensions[i]; i++) {
      if (!strcmp(extensions[i]->name, __DRI_SWRAST))
         swrast = (const __DRIswrastExtension *)extensions[i];
      if (!strcmp(extensions[i]->name, __DRI_CORE))
         core = (const __DRIcoreExtension *)extensions[i];
   }
   __DRIscreen *screen = swrast && core
                            ? swrast->createNewScreen2(0, (const __DRIextension **)loaders,
                                                       extensions, &configs, NULL)
                            : NULL;
   puts(screen ? "screen" : "no screen");
   if (screen)
      core->destroyScreen(screen);
   return 0;
}
