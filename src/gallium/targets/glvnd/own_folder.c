/* SPDX-License-Identifier: MIT */
/* libgbm opens its backend as a plugin.  This finds the one in the same folder, which alone belongs
 * to the same version of Mesa (--wrap in meson.build).
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void *__real_loader_open_driver_lib(const char *driver_name, const char *lib_suffix,
                                    const char **search_path_vars, const char *default_search_path,
                                    bool warn_on_fail);
void *__wrap_loader_open_driver_lib(const char *driver_name, const char *lib_suffix,
                                    const char **search_path_vars, const char *default_search_path,
                                    bool warn_on_fail);

void *
__wrap_loader_open_driver_lib(const char *driver_name, const char *lib_suffix,
                              const char **search_path_vars, const char *default_search_path,
                              bool warn_on_fail)
{
   char folder[PATH_MAX];
   Dl_info own;
   void *lib = NULL;

   if (dladdr(__wrap_loader_open_driver_lib, &own) && own.dli_fname &&
       strlen(own.dli_fname) < sizeof folder) {
      strcpy(folder, own.dli_fname);
      char *slash = strrchr(folder, '/');
      if (slash) {
         *slash = '\0';
         lib = __real_loader_open_driver_lib(driver_name, lib_suffix, NULL, folder, false);
      }
   }
   return lib ? lib
              : __real_loader_open_driver_lib(driver_name, lib_suffix, search_path_vars,
                                              default_search_path, warn_on_fail);
}
