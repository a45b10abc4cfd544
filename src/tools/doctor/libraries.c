/* SPDX-License-Identifier: MIT */
/* Finds the loaders that programs get, and the version of the system's Mesa. */
#include "doctor.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[LIBRARY_COUNT] = {
   [LIBRARY_GL] = "libGL.so.1",
   [LIBRARY_EGL] = "libEGL.so.1",
   [LIBRARY_GLX] = "libGLX.so.0",
   [LIBRARY_DISPATCH] = "libGLdispatch.so.0",
   [LIBRARY_GBM] = "libgbm.so.1",
   [LIBRARY_OSMESA] = "libOSMesa.so.8",
   [LIBRARY_XLIB] = "libX11.so.6",
   [LIBRARY_GLX_MESA] = "libGLX_mesa.so.0",
   [LIBRARY_EGL_MESA] = "libEGL_mesa.so.0",
};

/* Returns whether libGLdispatch of libglvnd is loaded, which each loader of libglvnd needs. */
static bool
dispatch_is_loaded(void)
{
   void *handle = dlopen("libGLdispatch.so.0", RTLD_LAZY | RTLD_NOLOAD);
   if (handle)
      dlclose(handle);
   return handle != NULL;
}

/* The probe: opens each library, and prints where it was found. */
int
probe_libraries(void)
{
   for (unsigned i = 0; i < LIBRARY_COUNT; i++) {
      struct link_map *map;

      probe_say("stage", "dlopen(%s)", names[i]);
      void *handle = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
      if (!handle) {
         probe_say("missing", "%u %s", i, dlerror());
         continue;
      }
      if (!dlinfo(handle, RTLD_DI_LINKMAP, &map))
         probe_say("found", "%u %d %s", i, dispatch_is_loaded(), map->l_name);
      dlclose(handle);
   }
   probe_say("stage", "the end");
   return 0;
}

static void
find_by(struct library *libraries, const environment sets)
{
   static char text[65536];
   struct result result;
   FILE *output = fmemopen(text, sizeof text, "w");

   for (unsigned i = 0; i < LIBRARY_COUNT; i++)
      libraries[i].name = names[i];
   if (!output)
      return;
   run_probe("libraries", sets, &result, output);
   fclose(output);
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      unsigned i = LIBRARY_COUNT;
      int glvnd = 0, at = 0;

      if (sscanf(line, "found=%u %d %n", &i, &glvnd, &at) == 2 && i < LIBRARY_COUNT) {
         libraries[i].glvnd = glvnd;
         snprintf(libraries[i].path, sizeof libraries[i].path, "%s", line + at);
      } else if (sscanf(line, "missing=%u %n", &i, &at) == 1 && i < LIBRARY_COUNT) {
         snprintf(libraries[i].error, sizeof libraries[i].error, "%s", line + at);
      }
   }
}

/* Returns the length of a version of Mesa, as 25.0.7-2, at the start of a text, or 0. */
static size_t
version_length(const char *text)
{
   const char *c = text;

   for (unsigned i = 0; i < 3; i++) {
      const char *digits = c;
      while (isdigit((unsigned char)*c))
         c++;
      if (c == digits || c - digits > 2)
         return 0;
      if (i < 2 && *c++ != '.')
         return 0;
   }
   while (isalnum((unsigned char)*c) || (*c && strchr("-+~.", *c)))
      c++;
   return c - text;
}

/* Looks for a version among the strings of a library of Mesa. */
static void
find_version(const char *path, char *version, size_t size)
{
   FILE *file = fopen(path, "re");
   char *text = NULL;
   size_t space = 0;

   *version = 0;
   while (file && getdelim(&text, &space, 0, file) > 0) {
      const char *mesa = strstr(text, "Mesa "), *start = mesa ? mesa + 5 : text;
      const size_t length = version_length(start);
      if (length && (strlen(start) == length || start != text) && atoi(start) >= 10 &&
          length < size) {
         memcpy(version, start, length);
         version[length] = 0;
         break;
      }
   }
   free(text);
   if (file)
      fclose(file);
}

/* Looks for "Mesa " and a version in a driver, which is large. */
static void
find_text(const char *path, char *version, size_t size)
{
   const int fd = open(path, O_RDONLY | O_CLOEXEC);
   struct stat st;
   char text[64];

   if (fd < 0)
      return;
   char *map = !fstat(fd, &st) ? mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
   close(fd);
   if (map == MAP_FAILED)
      return;
   const char *end = map + st.st_size;
   for (char *found = map; !*version && (found = memmem(found, end - found, "Mesa ", 5));) {
      found += 5;
      snprintf(text, sizeof text, "%.*s", (int)MIN(end - found, (ptrdiff_t)sizeof text - 1), found);
      const size_t length = version_length(text);
      if (length && length < size && atoi(text) >= 10)
         snprintf(version, size, "%.*s", (int)length, text);
   }
   munmap(map, st.st_size);
}

/* Drivers of Mesa name its version, if the loaders do not: from 24.2 on in the name of their file. */
static void
version_by_driver(struct doctor *d)
{
   const char *slash = strrchr(d->mesa_path, '/');
   char pattern[TEXT + 64];
   glob_t found;

   if (!slash || *d->mesa)
      return;
   snprintf(pattern, sizeof pattern, "%.*slibgallium-*.so", (int)(slash + 1 - d->mesa_path),
            d->mesa_path);
   if (!glob(pattern, 0, NULL, &found)) {
      const char *name = strrchr(found.gl_pathv[0], '/') + sizeof "libgallium-";
      snprintf(d->mesa, sizeof d->mesa, "%.*s", (int)(strlen(name) - strlen(".so")), name);
      globfree(&found);
      return;
   }
   snprintf(pattern, sizeof pattern, "%.*sdri/swrast_dri.so", (int)(slash + 1 - d->mesa_path),
            d->mesa_path);
   find_text(pattern, d->mesa, sizeof d->mesa);
}

void
find_libraries(struct doctor *d)
{
   find_by(d->libraries, NULL);
   find_by(d->run_libraries, d->sets);
   for (unsigned i = LIBRARY_GLX_MESA; i <= LIBRARY_EGL_MESA && !*d->mesa; i++) {
      if (!*d->libraries[i].path)
         continue;
      snprintf(d->mesa_path, sizeof d->mesa_path, "%s", d->libraries[i].path);
      find_version(d->mesa_path, d->mesa, sizeof d->mesa);
   }
   version_by_driver(d);
}

static bool
is_system(const char *path)
{
   return !strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8);
}

static void
check_foreign(struct doctor *d, const struct library *library)
{
   const char *conda = getenv("CONDA_PREFIX"), *path = library->path;

   const bool own = *d->driver && !strncmp(path, d->driver, strlen(d->driver));
   if (!*path || is_system(path) || own)
      return;
   if ((conda && *conda && !strncmp(path, conda, strlen(conda))) || strstr(path, "conda"))
      add_finding(d, LEVEL_PROBLEM, "loader-conda",
                  "%s is conda's: %s. It looks for vendor files in conda's share/glvnd, and for "
                  "drivers in conda's lib.\n"
                  "with `sgpu run` the vendor files are set, and it works if conda's libglvnd is "
                  "1.3 or newer. Otherwise take conda's library folder out of LD_LIBRARY_PATH, or "
                  "remove conda's package of %s.",
                  library->name, path, library->name);
   else if (strstr(path, "/nix/store/"))
      add_finding(d, LEVEL_PROBLEM, "loader-nix",
                  "%s is of Nix: %s. Nix's loaders look for drivers in /run/opengl-driver only.\n"
                  "start the program by `sgpu run`, which names the vendor files; programs of Nix "
                  "also have a C library of their own, which must be 2.31 or newer.",
                  library->name, path);
   else
      add_finding(d, LEVEL_NOTE, "loader-other",
                  "%s is not the system's: %s.\n"
                  "if the renderer is not sgpu, see which of LD_LIBRARY_PATH, /etc/ld.so.conf and "
                  "the program's RUNPATH names the folder.",
                  library->name, path);
}

void
check_libraries(struct doctor *d)
{
   const bool gl_missing = strstr(d->libraries[LIBRARY_GL].error, "No such file") != NULL;
   const bool egl_missing = strstr(d->libraries[LIBRARY_EGL].error, "No such file") != NULL;

   /* The tarball has loaders for programs that sgpu-run starts. */
   char fallback[sizeof d->driver + 64];
   snprintf(fallback, sizeof fallback, "%s/fallback/libEGL.so.1", d->driver);
   const bool has_fallback = !d->here_only && !access(fallback, F_OK);

   if ((gl_missing || egl_missing) && has_fallback)
      add_finding(d, LEVEL_NOTE, "loader-missing",
                  "the system has no loaders of OpenGL: %s. Programs that `sgpu run` starts get "
                  "sgpu's.\n"
                  "nothing; or %s",
                  gl_missing ? egl_missing ? "libGL.so.1, libEGL.so.1" : "libGL.so.1"
                             : "libEGL.so.1",
                  install_line(d, d->missing));
   else if (gl_missing || egl_missing)
      add_finding(d, LEVEL_PROBLEM, "loader-missing",
                  "OpenGL's loaders are missing: %s. (The package libgl1-mesa-glx, which old "
                  "instructions name, no longer exists; libgl1 replaces it.)\n"
                  "%s",
                  gl_missing ? egl_missing ? "libGL.so.1, libEGL.so.1" : "libGL.so.1"
                             : "libEGL.so.1",
                  install_line(d, d->missing));
   for (unsigned i = 0; i < LIBRARY_OSMESA; i++) {
      const struct library *library = &d->libraries[i];

      if (*library->error && !strstr(library->error, "No such file"))
         add_finding(d, LEVEL_PROBLEM, "loader-broken",
                     "%s cannot be loaded: %s\n"
                     "install the package again, and look at LD_LIBRARY_PATH and LD_PRELOAD.",
                     library->name, library->error);
      check_foreign(d, library);
   }
   const struct library *gl = &d->libraries[LIBRARY_GL];
   if (*gl->path && !gl->glvnd)
      add_finding(d, LEVEL_PROBLEM, "loader-not-glvnd",
                  "libGL.so.1 is not libglvnd's, so it takes no vendor library: %s.\n"
                  "remove the folder from LD_LIBRARY_PATH, or %s",
                  gl->path, install_line(d, "libgl1"));
}
