/* SPDX-License-Identifier: MIT */
/* Variables of the environment that change which driver a program gets, and the display. */
#include "doctor.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

const char *
variable(const environment sets, const char *name)
{
   const size_t length = strlen(name);

   for (char **set = sets; set && *set; set++) {
      if (!strncmp(*set, name, length) && (*set)[length] == '=')
         return *set + length + 1;
   }
   return getenv(name);
}

/* Returns a variable of the caller's environment that is set to something, or NULL. */
static const char *
env(const char *name)
{
   const char *value = getenv(name);

   return value && *value ? value : NULL;
}

/* Returns what to do about a variable: `sgpu run` replaces some. */
static const char *
cure(const struct doctor *d, const char *name)
{
   static char text[256];
   const char *mine = getenv(name), *run = variable(d->sets, name);

   if (mine && run && strcmp(mine, run))
      snprintf(text, sizeof text, "`sgpu run` sets it to '%s'; by hand: unset %s", run, name);
   else
      snprintf(text, sizeof text, "unset %s (`sgpu run` does not change it)", name);
   return text;
}

/* Adds a finding about a variable that is set.  `text` follows its name and value. */
static void
add_variable(struct doctor *d, enum level level, const char *id, const char *name, const char *text)
{
   add_finding(d, level, id, "%s=%s%s\n%s", name, env(name), text, cure(d, name));
}

static void
check_drivers(struct doctor *d)
{
   const char *value;

   value = env("GALLIUM_DRIVER");
   if (value && strcmp(value, "sgpu"))
      add_variable(d, LEVEL_PROBLEM, "env-gallium-driver", "GALLIUM_DRIVER",
                   " selects another driver, and sgpu refuses to load then.");
   if (env("MESA_LOADER_DRIVER_OVERRIDE"))
      add_variable(d, LEVEL_PROBLEM, "env-loader-override", "MESA_LOADER_DRIVER_OVERRIDE",
                   " names the driver for Mesa's loaders.");
   value = env("LIBGL_ALWAYS_SOFTWARE");
   if (value && strcmp(value, "1") && strcasecmp(value, "true") && strcasecmp(value, "yes"))
      add_variable(d, LEVEL_PROBLEM, "env-always-software", "LIBGL_ALWAYS_SOFTWARE",
                   ": loaders look for a GPU in place of sgpu.");
   if (env("LIBGL_ALWAYS_INDIRECT"))
      add_variable(d, LEVEL_PROBLEM, "env-indirect", "LIBGL_ALWAYS_INDIRECT",
                   ": GLX lets the X server draw, with OpenGL 1.4.");
   value = env("__GLX_VENDOR_LIBRARY_NAME");
   const char *run = variable(d->sets, "__GLX_VENDOR_LIBRARY_NAME");
   if (value && strcmp(value, "sgpu") && (!run || strcmp(value, run) || d->here_only))
      add_variable(d, LEVEL_PROBLEM, "env-glx-vendor", "__GLX_VENDOR_LIBRARY_NAME",
                   ": GLX is of this vendor.");
   if ((value = env("LIBGL_DRIVERS_PATH")) && d->mesa[0] &&
       (atoi(d->mesa) > 24 || !strncmp(d->mesa, "24.2", 4) || !strncmp(d->mesa, "24.3", 4)))
      add_finding(d, LEVEL_NOTE, "env-drivers-path",
                  "LIBGL_DRIVERS_PATH=%s: the system's Mesa %s no longer reads it.\n"
                  "use the vendor libraries: `sgpu run`, or eval \"$(sgpu env)\"",
                  value, d->mesa);
   else if (value && atoi(d->mesa) >= 23 && strncmp(d->mesa, "23.0", 4))
      add_finding(d, LEVEL_NOTE, "env-drivers-path",
                  "LIBGL_DRIVERS_PATH=%s: Mesa %s takes only drivers of its own build from there.\n"
                  "use the vendor libraries: `sgpu run`, or eval \"$(sgpu env)\"",
                  value, d->mesa);
   if (env("GBM_BACKEND") || env("GBM_BACKENDS_PATH"))
      add_variable(d, LEVEL_NOTE, "env-gbm",
                   env("GBM_BACKEND") ? "GBM_BACKEND" : "GBM_BACKENDS_PATH",
                   ": GBM uses this backend.");
   static const char *const overrides[] = {
      "MESA_GL_VERSION_OVERRIDE", "MESA_GLES_VERSION_OVERRIDE", "MESA_GLSL_VERSION_OVERRIDE",
      "MESA_EXTENSION_OVERRIDE",  "MESA_EXTENSION_MAX_YEAR",
   };
   for (unsigned i = 0; i < sizeof overrides / sizeof overrides[0]; i++) {
      if (env(overrides[i]))
         add_variable(d, LEVEL_NOTE, "env-version", overrides[i],
                      ": programs see another version or other extensions than sgpu has.");
   }
}

/* Checks the files of LD_PRELOAD. */
static void
check_preload(struct doctor *d)
{
   char list[4096];

   snprintf(list, sizeof list, "%s", env("LD_PRELOAD") ? env("LD_PRELOAD") : "");
   for (char *name = strtok(list, ": "); name; name = strtok(NULL, ": ")) {
      if (strstr(name, "vglfaker") || strstr(name, "dlfaker") || strstr(name, "primus"))
         add_finding(d, LEVEL_PROBLEM, "preload-gl",
                     "LD_PRELOAD has %s: VirtualGL or Primus takes the place of GLX.\n"
                     "unset LD_PRELOAD, or do not start through vglrun",
                     name);
      else if (strchr(name, '/') && access(name, R_OK))
         add_finding(d, LEVEL_NOTE, "preload-missing",
                     "LD_PRELOAD has %s: %s.\n"
                     "take it out of LD_PRELOAD",
                     name, strerror(errno));
      else if (strstr(name, "libGL") || strstr(name, "libEGL") || strstr(name, "libOSMesa"))
         add_finding(d, LEVEL_PROBLEM, "preload-gl",
                     "LD_PRELOAD has %s: its functions win over those of the loaders.\n"
                     "unset LD_PRELOAD",
                     name);
   }
}

/* Returns whether a folder has sgpu's vendor libraries. */
static bool
is_own(const char *folder)
{
   char name[PATH_MAX];

   snprintf(name, sizeof name, "%s/libGLX_sgpu.so.0", folder);
   return !access(name, F_OK);
}

/* Looks for loaders in the folders of LD_LIBRARY_PATH. */
static void
check_library_path(struct doctor *d)
{
   static const char *const loaders[] = { "libGL.so.1", "libEGL.so.1", "libGLX.so.0",
                                          "libGLdispatch.so.0", "libgbm.so.1" };
   char list[8192], name[PATH_MAX];

   snprintf(list, sizeof list, "%s", env("LD_LIBRARY_PATH") ? env("LD_LIBRARY_PATH") : "");
   for (char *folder = strtok(list, ":"); folder; folder = strtok(NULL, ":")) {
      for (unsigned i = 0; i < sizeof loaders / sizeof loaders[0]; i++) {
         snprintf(name, sizeof name, "%s/%s", folder, loaders[i]);
         if (access(name, F_OK) || is_own(folder))
            continue;
         add_finding(d, LEVEL_NOTE, "library-path",
                     "LD_LIBRARY_PATH has %s: it wins over the system's.\n"
                     "take %s out of LD_LIBRARY_PATH if the renderer is not sgpu",
                     name, folder);
      }
   }
}

void
check_environment(struct doctor *d)
{
   static const char *const platforms[] = { "x11",         "wayland", "gbm",    "drm",
                                            "surfaceless", "device",  "android" };
   const char *value;

   check_drivers(d);
   check_preload(d);
   check_library_path(d);
   if ((value = env("EGL_PLATFORM"))) {
      bool known = false;
      for (unsigned i = 0; i < sizeof platforms / sizeof platforms[0]; i++)
         known |= !strcmp(value, platforms[i]);
      if (!known)
         add_finding(d, LEVEL_PROBLEM, "egl-platform",
                     "EGL_PLATFORM=%s is no platform of Mesa.\n"
                     "use x11, wayland, gbm, surfaceless or device",
                     value);
      else if (!strcmp(value, "x11") && !env("DISPLAY"))
         add_finding(d, LEVEL_PROBLEM, "egl-platform",
                     "EGL_PLATFORM=x11, but DISPLAY is not set: EGL has no X server.\n"
                     "EGL_PLATFORM=surfaceless, or `xvfb-run PROGRAM`");
      else if (!strcmp(value, "wayland") && !env("WAYLAND_DISPLAY"))
         add_finding(d, LEVEL_PROBLEM, "egl-platform",
                     "EGL_PLATFORM=wayland, but WAYLAND_DISPLAY is not set.\n"
                     "EGL_PLATFORM=surfaceless, or start a compositor");
   }
   bool other = false, sgpu = false;
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      other |= d->here[i].drawn && !d->here[i].sgpu;
      sgpu |= d->here[i].sgpu;
   }
   if (d->here_only && other && !sgpu)
      add_finding(d, LEVEL_PROBLEM, "not-selected",
                  "nothing in this environment selects sgpu: __GLX_VENDOR_LIBRARY_NAME is '%s', "
                  "__EGL_VENDOR_LIBRARY_FILENAMES is '%s'.\n"
                  "start the program by `sgpu run`, or eval \"$(sgpu env)\"",
                  env("__GLX_VENDOR_LIBRARY_NAME") ? env("__GLX_VENDOR_LIBRARY_NAME") : "",
                  env("__EGL_VENDOR_LIBRARY_FILENAMES") ? env("__EGL_VENDOR_LIBRARY_FILENAMES")
                                                        : "");
   if ((value = env("PYOPENGL_PLATFORM")) || (value = env("MUJOCO_GL")))
      add_finding(d, LEVEL_NOTE, "env-python",
                  "%s=%s selects the way that Python programs take.\n"
                  "see the row of that way above",
                  env("PYOPENGL_PLATFORM") ? "PYOPENGL_PLATFORM" : "MUJOCO_GL", value);
}

/* Returns 0 if a server listens at the socket of a display, or an errno. */
static int
try_socket(const char *path, bool abstract)
{
   struct sockaddr_un address = { .sun_family = AF_UNIX };
   const size_t length = strlen(path);
   const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

   if (fd < 0 || length + 2 > sizeof address.sun_path)
      return fd < 0 ? errno : ENAMETOOLONG;
   memcpy(address.sun_path + abstract, path, length);
   const int failed = connect(fd, (struct sockaddr *)&address,
                              offsetof(struct sockaddr_un, sun_path) + length + 1);
   const int error = failed ? errno : 0;
   close(fd);
   return error;
}

static void
check_x11(struct doctor *d)
{
   const char *display = env("DISPLAY");
   char path[PATH_MAX];

   if (!display) {
      add_finding(d, LEVEL_NOTE, "display-unset",
                  "DISPLAY is not set: GLX and EGL on X11 need an X server.\n"
                  "EGL programs: EGL_PLATFORM=surfaceless. Others: `sgpu run` starts Xvfb where it "
                  "is installed (%s), or `xvfb-run PROGRAM`",
                  install_line(d, "xvfb"));
      return;
   }
   const char *colon = strrchr(display, ':');
   if (!colon) {
      add_finding(d, LEVEL_PROBLEM, "display-dead",
                  "DISPLAY=%s names no display.\n"
                  "DISPLAY=:0, or unset DISPLAY: `sgpu run` then starts an X server",
                  display);
      return;
   }
   /* "host:0" is a server on the network, except for the names of this one. */
   if (colon != display && strncmp(display, "unix:", 5) && *display != '/')
      return;
   snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", atoi(colon + 1));
   const int error = try_socket(path, false);
   if (error && try_socket(path, true))
      add_finding(d, LEVEL_PROBLEM, "display-dead",
                  "DISPLAY=%s, but no X server listens there (%s: %s).\n"
                  "unset DISPLAY: `sgpu run` then starts an X server. In a container, mount "
                  "/tmp/.X11-unix, or use EGL_PLATFORM=surfaceless",
                  display, path, strerror(error));
   else if (!d->here[WAY_EGL_X11].drawn && strstr(d->here[WAY_GLX].error, "no X server answers"))
      add_finding(d, LEVEL_PROBLEM, "display-refused",
                  "the X server at DISPLAY=%s refuses the connection (XAUTHORITY=%s).\n"
                  "set XAUTHORITY to the server's cookie file; in a container, mount this file",
                  display, env("XAUTHORITY") ? env("XAUTHORITY") : "");
}

static void
check_wayland(struct doctor *d)
{
   const char *display = env("WAYLAND_DISPLAY"), *runtime = env("XDG_RUNTIME_DIR");
   char path[PATH_MAX];

   if (!display)
      return;
   if (*display != '/' && !runtime) {
      add_finding(d, LEVEL_PROBLEM, "runtime-dir",
                  "WAYLAND_DISPLAY=%s, but XDG_RUNTIME_DIR is not set: its socket is not found.\n"
                  "XDG_RUNTIME_DIR=/run/user/%u, or unset WAYLAND_DISPLAY",
                  display, (unsigned)getuid());
      return;
   }
   snprintf(path, sizeof path, "%s%s%s", *display == '/' ? "" : runtime, *display == '/' ? "" : "/",
            display);
   const int error = try_socket(path, false);
   if (error)
      add_finding(d, LEVEL_PROBLEM, "wayland-dead",
                  "WAYLAND_DISPLAY=%s, but no compositor listens at %s (%s).\n"
                  "unset WAYLAND_DISPLAY, or mount the socket into the container",
                  display, path, strerror(error));
}

void
check_display(struct doctor *d)
{
   const char *runtime = env("XDG_RUNTIME_DIR");
   struct stat st;

   check_x11(d);
   check_wayland(d);
   if (!runtime)
      add_finding(d, LEVEL_NOTE, "runtime-dir-unset",
                  "XDG_RUNTIME_DIR is not set: only Wayland needs it; programs warn about it.\n"
                  "nothing; or export XDG_RUNTIME_DIR=$(mktemp -d)");
   else if (stat(runtime, &st))
      add_finding(d, LEVEL_NOTE, "runtime-dir-missing",
                  "XDG_RUNTIME_DIR=%s: %s.\n"
                  "mkdir -m 700 %s; only Wayland needs it",
                  runtime, strerror(errno), runtime);
}
