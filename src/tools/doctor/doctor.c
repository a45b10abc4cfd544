/* SPDX-License-Identifier: MIT */
/* sgpu-doctor says which OpenGL programs get here, why, and what to do so that it is sgpu. */
#include "doctor.h"

#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sgpu_version.h"

static const char help[] =
   "usage: sgpu-doctor [--here] [--json] [--ways WAY,...] [--set NAME=VALUE]...\n"
   "                   [PROGRAM]\n"
   "\n"
   "Tries each way to OpenGL (GLX, EGL's platforms, OSMesa) in a process of its own:\n"
   "in the environment as it is, and with the variables that `sgpu run` sets.  Says\n"
   "which loader, vendor library and driver win, which trap is in the way, and what\n"
   "to do.  With PROGRAM, also looks at the program's file.\n"
   "\n"
   "The exit status is 0 if a program that is started by `sgpu run` draws on sgpu, 1\n"
   "if not, and 2 for a wrong option.\n"
   "\n"
   "   --here             only the environment as it is; the exit status is about it\n"
   "   --json             as JSON\n"
   "   --version          print the version\n"
   "   --ways WAY,...     only these of glx, egl-x11, egl-default, egl-surfaceless,\n"
   "                      egl-device, egl-gbm, egl-wayland, osmesa; or none\n"
   "   --set NAME=VALUE   a variable that `sgpu run` sets; default: those of the\n"
   "                      installed sgpu next to this program\n";

const char *const way_names[WAY_COUNT] = {
   [WAY_GLX] = "GLX",
   [WAY_EGL_X11] = "EGL X11",
   [WAY_EGL_DEFAULT] = "EGL default",
   [WAY_EGL_SURFACELESS] = "EGL surfaceless",
   [WAY_EGL_DEVICE] = "EGL device",
   [WAY_EGL_GBM] = "EGL GBM",
   [WAY_EGL_WAYLAND] = "EGL Wayland",
   [WAY_OSMESA] = "OSMesa",
};

const char *const way_probes[WAY_COUNT] = {
   [WAY_GLX] = "glx",
   [WAY_EGL_X11] = "egl-x11",
   [WAY_EGL_DEFAULT] = "egl-default",
   [WAY_EGL_SURFACELESS] = "egl-surfaceless",
   [WAY_EGL_DEVICE] = "egl-device",
   [WAY_EGL_GBM] = "egl-gbm",
   [WAY_EGL_WAYLAND] = "egl-wayland",
   [WAY_OSMESA] = "osmesa",
};

/* Copies the folder of this program, with a slash at its end. */
static void
own_folder(char *folder, size_t size)
{
   const ssize_t length = readlink("/proc/self/exe", folder, size - 1);

   folder[length > 0 ? length : 0] = 0;
   char *slash = strrchr(folder, '/');
   if (slash)
      slash[1] = 0;
}

/* Finds the folder of the driver: that of the variables, or one near this program. */
static void
find_driver(struct doctor *d)
{
   static const char *const places[] = {
      "..", "../lib/sgpu", "../lib/*/sgpu", "../lib64/sgpu", ".", "../../gallium/targets/gallium"
   };
   char folder[PATH_MAX], pattern[PATH_MAX + 64], real[PATH_MAX];
   glob_t found;

   own_folder(folder, sizeof folder);
   for (unsigned i = 0; i < sizeof places / sizeof places[0] && !*d->driver; i++) {
      snprintf(pattern, sizeof pattern, "%s%s/libgallium_sgpu.so", folder, places[i]);
      if (glob(pattern, 0, NULL, &found))
         continue;
      if (realpath(found.gl_pathv[0], real)) {
         *strrchr(real, '/') = 0;
         snprintf(d->driver, sizeof d->driver, "%s", real);
      }
      globfree(&found);
   }
}

static void
add_set(struct doctor *d, const char *set)
{
   unsigned count = 0;

   while (d->sets && d->sets[count])
      count++;
   d->sets = realloc(d->sets, (count + 2) * sizeof *d->sets);
   if (!d->sets)
      exit(2);
   d->sets[count] = strdup(set);
   d->sets[count + 1] = NULL;
}

static void __attribute__((format(printf, 2, 3)))
add_set_format(struct doctor *d, const char *format, ...)
{
   char text[8192];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   add_set(d, text);
}

static bool
is_installed(void)
{
   char path[PATH_MAX + 64];

   own_folder(path, PATH_MAX);
   strcat(path, "sgpu-run");
   return !access(path, X_OK);
}

/* Adds the variables that sgpu-run next to this program sets: lines export NAME='VALUE'.  Returns
 * false if there is no sgpu-run.
 */
static bool
add_sets_of_run(struct doctor *d)
{
   char folder[PATH_MAX], command[PATH_MAX + 64], line[16384];
   bool any = false;

   own_folder(folder, sizeof folder);
   if (!d->installed || strchr(folder, '\''))
      return false;
   snprintf(command, sizeof command, "'%ssgpu-run' --env 2>/dev/null", folder);
   FILE *output = popen(command, "re");
   while (output && fgets(line, sizeof line, output)) {
      char *to = line, *end = strrchr(line, '\'');

      if (strncmp(line, "export ", 7) || !end)
         continue;
      *end = 0;
      /* The shell's quotes: '\'' is one quotation mark in the value. */
      for (const char *from = line + 7; *from; from++) {
         if (!strncmp(from, "'\\''", 4)) {
            *to++ = '\'';
            from += 3;
         } else if (*from != '\'') {
            *to++ = *from;
         }
      }
      *to = 0;
      add_set(d, line);
      any = true;
   }
   if (output)
      pclose(output);
   return any;
}

/* The variables of an installed sgpu. */
static void
add_default_sets(struct doctor *d)
{
   const char *others = getenv("LD_LIBRARY_PATH"), *driver = d->driver;
   char folder[PATH_MAX + 64];

   if (!*driver)
      return;
   /* The folder of the vendor libraries is next to the driver's in the build folder. */
   snprintf(folder, sizeof folder, "%s/glvnd/50_sgpu.json", driver);
   const char *up = access(folder, F_OK) ? "/.." : "";
   add_set(d, "LIBGL_ALWAYS_SOFTWARE=1");
   add_set(d, "GBM_ALWAYS_SOFTWARE=1");
   add_set(d, "GALLIUM_DRIVER=sgpu");
   add_set(d, "__GLX_VENDOR_LIBRARY_NAME=sgpu");
   add_set_format(d, "LIBGL_DRIVERS_PATH=%s%s/dri", driver, up);
   add_set_format(d, "__EGL_VENDOR_LIBRARY_FILENAMES=%s%s/glvnd/50_sgpu.json", driver, up);
   add_set_format(d, "LD_LIBRARY_PATH=%s%s/glvnd:%s%s%s", driver, up, driver,
                  others && *others ? ":" : "", others && *others ? others : "");
}

static void
try_ways(struct doctor *d)
{
   const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

   for (unsigned i = 0; i < WAY_COUNT; i++) {
      if (d->ways & 1u << i)
         run_probe(way_probes[i], NULL, &d->here[i], NULL);
   }
   if (d->here_only)
      return;
   /* As in `sgpu run`. */
   if (!(display && *display) && !(wayland && *wayland)) {
      const char *started = start_xvfb(d);
      if (started) {
         add_set_format(d, "DISPLAY=%s", started);
         d->xvfb = true;
      } else {
         add_finding(d, LEVEL_NOTE, "xvfb-missing",
                     "there is no X server, and Xvfb does not start: GLX and EGL on X11 do not "
                     "work, all other ways do.\n"
                     "%s",
                     install_line(d, "xvfb"));
         if (!getenv("EGL_PLATFORM"))
            add_set(d, "EGL_PLATFORM=surfaceless");
      }
   }
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      if (d->ways & 1u << i)
         run_probe(way_probes[i], d->sets, &d->run[i], NULL);
   }
   stop_xvfb();
}

/* Reads a list of ways.  Returns false if one is unknown. */
static bool
read_ways(struct doctor *d, char *list)
{
   d->ways = 0;
   for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
      unsigned i = 0;

      while (i < WAY_COUNT && strcmp(way_probes[i], name))
         i++;
      if (i == WAY_COUNT && strcmp(name, "none"))
         return false;
      if (i < WAY_COUNT)
         d->ways |= 1u << i;
   }
   return true;
}

static void
read_arguments(struct doctor *d, int argc, char **argv, bool *json)
{
   int i;

   for (i = 1; i < argc && argv[i][0] == '-'; i++) {
      if (!strcmp(argv[i], "--")) {
         i++;
         break;
      }
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         exit(0);
      }
      if (!strcmp(argv[i], "--version")) {
         printf("sgpu-doctor %s\n", SGPU_VERSION);
         exit(0);
      }
      if (!strcmp(argv[i], "--here")) {
         d->here_only = true;
      } else if (!strcmp(argv[i], "--json")) {
         *json = true;
      } else if (!strcmp(argv[i], "--set") && i + 1 < argc && strchr(argv[i + 1], '=')) {
         add_set(d, argv[++i]);
      } else if (!strcmp(argv[i], "--ways") && i + 1 < argc && read_ways(d, argv[i + 1])) {
         i++;
      } else if (!strcmp(argv[i], "--root") && i + 1 < argc) {
         d->root = argv[++i];
      } else {
         fprintf(stderr, "sgpu-doctor: no option '%s', or its value is missing\n%s", argv[i], help);
         exit(2);
      }
   }
   if (i < argc)
      d->program = argv[i++];
   /* Further arguments are the program's. */
}

int
main(int argc, char **argv)
{
   static struct doctor d = { .root = "", .ways = (1u << WAY_COUNT) - 1 };
   bool json = false;

   if (argc == 3 && !strcmp(argv[1], "--probe"))
      return probe_main(argv[2]);
   read_arguments(&d, argc, argv, &json);
   d.installed = is_installed();
   find_driver(&d);
   if (!d.sets && !add_sets_of_run(&d))
      add_default_sets(&d);

   try_ways(&d);
   find_libraries(&d);
   find_missing(&d);
   check_driver(&d);
   check_libraries(&d);
   check_vendors(&d);
   check_environment(&d);
   check_display(&d);
   check_host(&d);
   check_messages(&d);
   check_program(&d);
   if (json)
      print_json(&d);
   else
      print_text(&d);
   return !would_draw(&d);
}
