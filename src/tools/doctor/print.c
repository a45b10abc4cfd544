/* SPDX-License-Identifier: MIT */
/* Prints what was found, for people and as JSON. */
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

static const char *const shown[] = {
   "DISPLAY",
   "WAYLAND_DISPLAY",
   "XDG_RUNTIME_DIR",
   "XDG_SESSION_TYPE",
   "EGL_PLATFORM",
   "LD_LIBRARY_PATH",
   "LD_PRELOAD",
   "LD_AUDIT",
   "GALLIUM_DRIVER",
   "LIBGL_ALWAYS_SOFTWARE",
   "LIBGL_ALWAYS_INDIRECT",
   "LIBGL_DRIVERS_PATH",
   "MESA_LOADER_DRIVER_OVERRIDE",
   "__GLX_VENDOR_LIBRARY_NAME",
   "__EGL_VENDOR_LIBRARY_FILENAMES",
   "__EGL_VENDOR_LIBRARY_DIRS",
   "GBM_BACKEND",
   "GBM_BACKENDS_PATH",
   "GBM_ALWAYS_SOFTWARE",
   "MESA_GL_VERSION_OVERRIDE",
   "MESA_EXTENSION_OVERRIDE",
   "PYOPENGL_PLATFORM",
   "MUJOCO_GL",
   "QT_QPA_PLATFORM",
   "SDL_VIDEODRIVER",
   "CONDA_PREFIX",
   "NIX_PROFILES",
   "SGPU_THREADS",
   "SGPU_DEBUG",
   "SGPU_EXEC",
   "SGPU_TIMING",
   "SGPU_CAPTURE",
};
#define NUM_SHOWN (sizeof shown / sizeof shown[0])

bool
would_draw(const struct doctor *d)
{
   const struct result *results = d->here_only ? d->here : d->run;

   for (unsigned i = 0; i < d->num_findings; i++) {
      if (d->findings[i].level == LEVEL_PROBLEM && !strncmp(d->findings[i].id, "program-", 8))
         return false;
   }
   /* OSMesa needs no loader, so it counts only if nothing else was tried. */
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      if (results[i].sgpu && (i != WAY_OSMESA || d->ways == 1u << WAY_OSMESA))
         return true;
   }
   return false;
}

/* Returns what a program gets by a way, in a few words. */
static const char *
describe(const struct result *result, char *text, size_t size)
{
   const char *mesa = strstr(result->version, "Mesa "), *more = strstr(result->renderer, " (");
   const size_t words = more ? (size_t)(more - result->renderer) : strlen(result->renderer);

   if (!result->drawn)
      snprintf(text, size, "- %s", *result->error ? result->error : "nothing");
   else if (result->sgpu)
      snprintf(text, size, "%s, OpenGL %.*s", result->renderer, (int)strcspn(result->version, " "),
               result->version);
   else
      snprintf(text, size, "NOT sgpu: %.*s%s%s", (int)words, result->renderer, mesa ? ", " : "",
               mesa ? mesa : "");
   return text;
}

static void
print_ways(const struct doctor *d)
{
   char here[TEXT * 3], run[TEXT * 3];

   printf("%-16s %-42s %s\n", "", "in this environment",
          d->here_only   ? ""
          : d->installed ? "by sgpu-run"
                         : "by sgpu run");
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      if (!d->here[i].tried)
         continue;
      describe(&d->here[i], here, sizeof here);
      describe(&d->run[i], run, sizeof run);
      if (d->here_only)
         printf("%-16s %s\n", way_names[i], here);
      else if (!strcmp(here, run))
         printf("%-16s %-42s %s\n", way_names[i], here, *here == '-' ? "the same" : run);
      else if (strlen(here) <= 42)
         printf("%-16s %-42s %s\n", way_names[i], here, run);
      else
         printf("%-16s %s\n%61s %s\n", way_names[i], here, "", run);
   }
}

static void
print_library(const struct library *library)
{
   if (*library->path)
      printf("   %-20s %s%s\n", library->name, library->path, library->glvnd ? " (libglvnd)" : "");
   else
      printf("   %-20s %s\n", library->name,
             strstr(library->error, "No such file") ? "missing" : library->error);
}

static const char *
started(const struct doctor *d)
{
   return d->here_only   ? " in this environment"
          : d->installed ? ", started by `sgpu-run`"
                         : ", started by `sgpu run`";
}

void
print_text(const struct doctor *d)
{
   print_ways(d);
   printf("\nLibraries that a program gets in this environment\n");
   for (unsigned i = 0; i < LIBRARY_GLX_MESA; i++)
      print_library(&d->libraries[i]);
   if (*d->mesa_path)
      printf("   %-20s %s (%s)\n", "the system's Mesa", *d->mesa ? d->mesa : "unknown version",
             d->mesa_path);
   else
      printf("   %-20s missing: sgpu does not need it\n", "the system's Mesa");
   printf("   %-20s %s\n", "sgpu", *d->driver ? d->driver : "missing");

   bool any = false;
   for (unsigned i = 0; i < NUM_SHOWN; i++) {
      const char *value = getenv(shown[i]);
      if (!value)
         continue;
      if (!any)
         printf("\nVariables that matter\n");
      any = true;
      printf("   %s=%s\n", shown[i], value);
   }

   for (unsigned level = LEVEL_PROBLEM; level <= LEVEL_NOTE; level++) {
      bool headed = false;
      for (unsigned i = 0; i < d->num_findings; i++) {
         const struct finding *finding = &d->findings[i];
         if (finding->level != level)
            continue;
         if (!headed)
            printf("\n%s\n", level == LEVEL_PROBLEM ? "Problems" : "Notes");
         headed = true;
         printf("   [%s] %s\n      %s.\n", finding->id, finding->text, finding->todo);
      }
   }
   if (would_draw(d)) {
      const struct result *results = d->here_only ? d->here : d->run;
      unsigned printed = 0;
      printf("\n%s draws on sgpu%s:", d->program ? d->program : "A program", started(d));
      for (unsigned i = 0; i < WAY_COUNT; i++) {
         if (results[i].sgpu)
            printf("%s %s", printed++ ? "," : "", way_names[i]);
      }
      printf(".\n");
   } else {
      printf("\n%s does NOT draw on sgpu%s.\n", d->program ? d->program : "A program", started(d));
   }
}

static void
json_text(const char *text)
{
   putchar('"');
   for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
      if (*c == '"' || *c == '\\')
         printf("\\%c", *c);
      else if (*c < 0x20 || *c >= 0x7f)
         printf("\\u%04x", *c);
      else
         putchar(*c);
   }
   putchar('"');
}

static void
json_pair(const char *before, const char *name, const char *value)
{
   printf("%s", before);
   json_text(name);
   printf(": ");
   json_text(value);
}

/* Begins an object that is a member of the whole. */
static void
json_object(const char *name)
{
   printf(",\n  ");
   json_text(name);
   printf(": {");
}

static void
json_ways(const char *name, const struct result *results)
{
   json_object(name);
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      const struct result *result = &results[i];

      printf("%s\n    ", i ? "," : "");
      json_text(way_probes[i]);
      printf(": {\"tried\": %s, \"drawn\": %s, \"sgpu\": %s", result->tried ? "true" : "false",
             result->drawn ? "true" : "false", result->sgpu ? "true" : "false");
      json_pair(", ", "renderer", result->renderer);
      json_pair(", ", "version", result->version);
      json_pair(", ", "stage", result->stage);
      json_pair(", ", "error", result->error);
      json_pair(", ", "messages", result->messages);
      printf(", \"signal\": %d}", result->signal);
   }
   printf("\n  }");
}

static void
json_libraries(const char *name, const struct library *libraries)
{
   json_object(name);
   for (unsigned i = 0; i < LIBRARY_COUNT; i++) {
      printf("%s\n    ", i ? "," : "");
      json_text(libraries[i].name);
      json_pair(": {", "path", libraries[i].path);
      json_pair(", ", "error", libraries[i].error);
      printf(", \"glvnd\": %s}", libraries[i].glvnd ? "true" : "false");
   }
   printf("\n  }");
}

void
print_json(const struct doctor *d)
{
   printf("{\n  \"format\": 1,\n  \"draws_on_sgpu\": %s", would_draw(d) ? "true" : "false");
   if (d->program)
      json_pair(",\n  ", "program", d->program);
   json_pair(",\n  ", "driver", d->driver);
   json_pair(",\n  ", "mesa", d->mesa);
   json_ways("here", d->here);
   if (!d->here_only)
      json_ways("run", d->run);
   json_libraries("libraries", d->libraries);
   if (!d->here_only)
      json_libraries("run_libraries", d->run_libraries);
   json_object("environment");
   const char *before = "\n    ";
   for (unsigned i = 0; i < NUM_SHOWN; i++) {
      if (!getenv(shown[i]))
         continue;
      json_pair(before, shown[i], getenv(shown[i]));
      before = ",\n    ";
   }
   printf("\n  },\n  \"findings\": [");
   for (unsigned i = 0; i < d->num_findings; i++) {
      const struct finding *finding = &d->findings[i];

      json_pair(i ? ",\n    {" : "\n    {", "id", finding->id);
      json_pair(", ", "level", finding->level == LEVEL_PROBLEM ? "problem" : "note");
      json_pair(", ", "text", finding->text);
      json_pair(", ", "todo", finding->todo);
      printf("}");
   }
   printf("\n  ]\n}\n");
}
