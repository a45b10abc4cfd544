/* SPDX-License-Identifier: MIT */
/* Vendor files of libglvnd, the driver's own libraries, and what loaders print about drivers. */
#include "doctor.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies the value of "library_path" of a vendor file.  Returns false if there is none. */
static bool
library_path(const char *file, char *path, size_t size, int *error)
{
   char text[8192];
   FILE *f = fopen(file, "re");

   *error = f ? 0 : errno;
   if (!f)
      return false;
   text[fread(text, 1, sizeof text - 1, f)] = 0;
   fclose(f);
   /* libglvnd ignores a file without its version. */
   if (!strstr(text, "\"file_format_version\""))
      return false;
   const char *key = strstr(text, "\"library_path\"");
   const char *start = key ? strchr(key + 14, '"') : NULL;
   const char *end = start ? strchr(start + 1, '"') : NULL;
   if (!end)
      return false;
   snprintf(path, size, "%.*s", (int)(end - start - 1), start + 1);
   return true;
}

/* Adds a finding about a library that the dynamic linker refuses. */
static void
report_load_error(struct doctor *d, const char *what, const char *error)
{
   const char *missing = strstr(error, ": cannot open shared object file");
   const char *package = NULL;
   char name[128] = "";

   if (missing) {
      snprintf(name, sizeof name, "%.*s", (int)(missing - error), error);
      package = package_of(name);
   }
   if (strstr(error, "failed to map segment"))
      add_finding(d, LEVEL_PROBLEM, "noexec",
                  "%s cannot be mapped: %s. The file system forbids execution (noexec).\n"
                  "move sgpu to a folder whose file system is mounted without noexec",
                  what, error);
   else if (package && *d->missing_names)
      return;
   else if (package)
      add_finding(d, LEVEL_PROBLEM, "dependency-missing",
                  "%s needs %s, which is missing.\n"
                  "%s",
                  what, name, install_line(d, package));
   else if (strstr(error, "GLIBCXX_") || strstr(error, "GLIBC_"))
      add_finding(d, LEVEL_PROBLEM, "library-version",
                  "%s cannot be loaded: %s. An older library comes first.\n"
                  "take conda's, Nix's or the program's library folder out of LD_LIBRARY_PATH",
                  what, error);
   else if (strstr(error, "undefined symbol") || strstr(error, "not found (required by") ||
            strstr(error, "wrong ELF class") || strstr(error, "file too short") ||
            strstr(error, "invalid ELF header") || strstr(error, "libgallium_sgpu.so"))
      add_finding(d, LEVEL_PROBLEM, "driver-build",
                  "%s cannot be loaded: %s. Its files are of different builds or machines.\n"
                  "install one build of sgpu as a whole, and remove older copies",
                  what, error);
   else
      add_finding(d, LEVEL_PROBLEM, "vendor-library",
                  "%s cannot be loaded: %s.\n"
                  "correct the path, or install the package that has the library",
                  what, error);
}

static void
check_file(struct doctor *d, const environment sets, const char *file, unsigned *good)
{
   char path[PATH_MAX], probe[PATH_MAX + 8];
   struct result result;
   int error;

   if (!library_path(file, path, sizeof path, &error)) {
      add_finding(d, LEVEL_PROBLEM, "vendor-file",
                  "the vendor file %s %s%s.\n"
                  "correct __EGL_VENDOR_LIBRARY_FILENAMES, or install sgpu again",
                  file,
                  error ? "cannot be read: " : "lacks \"file_format_version\" or \"library_path\"",
                  error ? strerror(error) : "");
      return;
   }
   snprintf(probe, sizeof probe, "load:%s", path);
   run_probe(probe, sets, &result, NULL);
   if (result.signal) {
      add_finding(d, LEVEL_PROBLEM, "crash",
                  "loading %s (of %s) ends with signal %d.\n"
                  "remove the vendor file, or name another in __EGL_VENDOR_LIBRARY_FILENAMES",
                  path, file, result.signal);
      return;
   }
   if (*result.error) {
      char what[PATH_MAX + 64];
      snprintf(what, sizeof what, "%s (of %s)", path, file);
      report_load_error(d, what, result.error);
      return;
   }
   (*good)++;
}

static unsigned
check_folder(struct doctor *d, const environment sets, const char *folder, unsigned *good)
{
   char file[PATH_MAX];
   unsigned files = 0;
   DIR *entries = opendir(folder);

   for (struct dirent *entry; entries && (entry = readdir(entries));) {
      const char *end = strrchr(entry->d_name, '.');
      if (!end || strcmp(end, ".json"))
         continue;
      snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
      check_file(d, sets, file, good);
      files++;
   }
   if (entries)
      closedir(entries);
   return files;
}

/* Checks the vendor files that libEGL reads in an environment.  Returns the number of those whose
 * library can be loaded.
 */
static unsigned
check_vendor_files(struct doctor *d, const environment sets)
{
   const char *files = variable(sets, "__EGL_VENDOR_LIBRARY_FILENAMES");
   const char *folders = variable(sets, "__EGL_VENDOR_LIBRARY_DIRS");
   char list[8192];
   unsigned good = 0, found = 0;

   if (files && *files) {
      snprintf(list, sizeof list, "%s", files);
      char *next = NULL;
      for (char *file = strtok_r(list, ":", &next); file; file = strtok_r(NULL, ":", &next))
         check_file(d, sets, file, &good);
      return good;
   }
   snprintf(list, sizeof list, "%s",
            folders && *folders ? folders
                                : "/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d");
   char *next = NULL;
   for (char *folder = strtok_r(list, ":", &next); folder; folder = strtok_r(NULL, ":", &next))
      found += check_folder(d, sets, folder, &good);
   if (!found)
      add_finding(d, folders && *folders ? LEVEL_PROBLEM : LEVEL_NOTE, "vendor-none",
                  "there is no vendor file (*.json) in %s: EGL has no driver%s.\n"
                  "%s",
                  folders && *folders ? folders
                                      : "/etc/glvnd/egl_vendor.d and /usr/share/glvnd/egl_vendor.d",
                  folders && *folders ? "" : " in this environment",
                  folders && *folders ? "unset __EGL_VENDOR_LIBRARY_DIRS"
                                      : "`sgpu run` names sgpu's file; nothing else is needed");
   return good;
}

void
check_vendors(struct doctor *d)
{
   if (!*d->libraries[LIBRARY_EGL].path)
      return;
   check_vendor_files(d, NULL);
   if (!d->here_only)
      check_vendor_files(d, d->sets);
}

#define NEEDED_SIZE 1024

/* Adds a word to a list, unless it is there. */
static void
add_word(char *list, size_t size, const char *word)
{
   const size_t length = strlen(list), word_length = strlen(word);

   for (const char *found = list; (found = strstr(found, word)); found += word_length) {
      if ((found == list || found[-1] == ' ') && (found[word_length] == ' ' || !found[word_length]))
         return;
   }
   snprintf(list + length, size - length, "%s%s", length ? " " : "", word);
}

/* Lists a library that sgpu needs, if it is of a package. */
static void
add_needed(const char *library, void *list)
{
   if (package_of(library))
      add_word(list, NEEDED_SIZE, library);
}

void
find_missing(struct doctor *d)
{
   static const char *const files[] = { "libgallium_sgpu.so", "glvnd/libEGL_sgpu.so.0",
                                        "glvnd/libGLX_sgpu.so.0", "glvnd/libgbm.so.1",
                                        "libOSMesa.so.8" };
   char path[sizeof d->driver + 64], list[16 + NEEDED_SIZE] = "absent:", text[4096] = "";
   char *needed = list + strlen(list);
   struct result result;

   for (unsigned i = LIBRARY_GL; i <= LIBRARY_EGL; i++) {
      const struct library *library = &d->libraries[i];
      if (!*library->path && strstr(library->error, "No such file"))
         add_word(d->missing, sizeof d->missing, package_of(library->name));
   }
   for (unsigned i = 0; *d->driver && i < sizeof files / sizeof files[0]; i++) {
      snprintf(path, sizeof path, "%s/%s", d->driver, files[i]);
      for_each_needed(path, add_needed, needed);
   }
   FILE *output = *needed ? fmemopen(text, sizeof text, "w") : NULL;
   if (output) {
      run_probe(list, d->sets, &result, output);
      fclose(output);
   }
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      char *name = strchr(line, '=');
      if (name && package_of(name + 1)) {
         add_word(d->missing_names, sizeof d->missing_names, name + 1);
         add_word(d->missing, sizeof d->missing, package_of(name + 1));
      }
   }
   if (*d->missing_names)
      add_finding(d, LEVEL_PROBLEM, "dependency-missing",
                  "sgpu needs libraries that are missing: %s.\n"
                  "%s",
                  d->missing_names, install_line(d, d->missing));
}

/* Checks the driver itself. */
void
check_driver(struct doctor *d)
{
   char probe[sizeof d->driver + 64];
   struct result result;

   if (!*d->driver) {
      add_finding(d, LEVEL_PROBLEM, "driver-missing",
                  "libgallium_sgpu.so is not where sgpu-doctor looks for it.\n"
                  "install sgpu again as a whole, or build it: ./sgpu build");
      return;
   }
   snprintf(probe, sizeof probe, "load:%s/libgallium_sgpu.so", d->driver);
   run_probe(probe, d->here_only ? NULL : d->sets, &result, NULL);
   if (result.signal)
      add_finding(d, LEVEL_PROBLEM, "driver-crash",
                  "loading %s ends with signal %d.\n"
                  "report it with the output of `sgpu doctor --json`",
                  probe + 5, result.signal);
   else if (*result.error)
      report_load_error(d, probe + 5, result.error);
}

/* Texts of loaders, and what they mean. */
static const struct {
   const char *text;
   enum level level;
   const char *id, *meaning, *todo;
} messages[] = {
   { "driver not from this Mesa build", LEVEL_PROBLEM, "driver-build",
     "a loader refused a driver, since that is of another build of Mesa than the loader",
     "use the vendor libraries: `sgpu run`, or eval \"$(sgpu env)\"" },
   { "GLIBCXX_", LEVEL_PROBLEM, "library-version",
     "a library needs a newer libstdc++ than the one that was found first",
     "take conda's library folder out of LD_LIBRARY_PATH. sgpu needs no libstdc++" },
   { "cannot allocate memory in static TLS block", LEVEL_PROBLEM, "static-tls",
     "a library was loaded too late to get its thread-local memory",
     "load it first: LD_PRELOAD=libGLdispatch.so.0, or GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096" },
   { "failed to map segment", LEVEL_PROBLEM, "noexec",
     "a library is in a file system that forbids execution (noexec)",
     "move it to a folder whose file system is mounted without noexec" },
   { "this library has only the driver 'sgpu'", LEVEL_PROBLEM, "env-gallium-driver",
     "GALLIUM_DRIVER selects another driver, and sgpu refuses to load then",
     "unset GALLIUM_DRIVER" },
   { "Permission denied", LEVEL_NOTE, "dri-permission",
     "a loader was denied a file, most often a node in /dev/dri, which sgpu does not need",
     "nothing; with a GPU of another driver: add the user to the groups render and video" },
};

static void
check_result(struct doctor *d, const struct result *result, const char *way)
{
   for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
      const char *found = strstr(result->messages, messages[i].text);
      if (!found || has_finding(d, messages[i].id))
         continue;
      while (found > result->messages && found[-1] != '\n')
         found--;
      add_finding(d, messages[i].level, messages[i].id,
                  "%s: %s (\"%.*s\").\n"
                  "%s",
                  way, messages[i].meaning, (int)strcspn(found, "\n"), found, messages[i].todo);
   }
   if (result->signal)
      add_finding(d, LEVEL_PROBLEM, "crash",
                  "%s: %s.\n"
                  "see what was loaded: LD_DEBUG=files. Libraries of several systems in one "
                  "process (conda, Nix, LD_LIBRARY_PATH, LD_PRELOAD) are the usual reason",
                  way, result->error);
   if (result->timeout)
      add_finding(d, LEVEL_PROBLEM, "hang",
                  "%s: %s.\n"
                  "a display server that does not answer is the usual reason",
                  way, result->error);
}

void
check_messages(struct doctor *d)
{
   for (unsigned i = 0; i < WAY_COUNT; i++) {
      check_result(d, &d->here[i], way_names[i]);
      if (!d->here_only)
         check_result(d, &d->run[i], way_names[i]);
   }
}
