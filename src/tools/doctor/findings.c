/* SPDX-License-Identifier: MIT */
/* The list of findings, and the names of packages. */
#include "doctor.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Copies a text with `sgpu run` and its kind.  An installation has other commands. */
static void
copy_text(const struct doctor *d, char *to, size_t size, const char *from)
{
   static const char *const names[][2] = {
      { "`sgpu run`", "`sgpu-run`" },
      { "$(sgpu env)", "$(sgpu-run --env)" },
   };
   size_t length = 0;

   while (*from && length + 1 < size) {
      unsigned i = 0;

      while (i < 2 && !(d->installed && !strncmp(from, names[i][0], strlen(names[i][0]))))
         i++;
      if (i < 2) {
         length += snprintf(to + length, size - length, "%s", names[i][1]);
         from += strlen(names[i][0]);
      } else {
         to[length++] = *from++;
      }
   }
   to[length < size ? length : size - 1] = 0;
}

/* Adds a finding, unless there is one with the same text. */
void
add_finding(struct doctor *d, enum level level, const char *id, const char *format, ...)
{
   char text[sizeof((struct finding *)NULL)->text], both[sizeof text];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   copy_text(d, both, sizeof both, text);
   char *end = strchr(both, '\n');
   if (end)
      *end = 0;
   for (unsigned i = 0; i < d->num_findings; i++) {
      if (!strcmp(d->findings[i].text, both))
         return;
   }

   struct finding *more = realloc(d->findings, (d->num_findings + 1) * sizeof *more);
   if (!more) {
      fprintf(stderr, "sgpu-doctor: out of memory\n");
      exit(2);
   }
   d->findings = more;
   struct finding *finding = &more[d->num_findings++];
   finding->level = level;
   finding->id = id;
   snprintf(finding->text, sizeof finding->text, "%s", both);
   snprintf(finding->todo, sizeof finding->todo, "%s", end ? end + 1 : "");
}

bool
has_finding(const struct doctor *d, const char *id)
{
   for (unsigned i = 0; i < d->num_findings; i++) {
      if (!strcmp(d->findings[i].id, id))
         return true;
   }
   return false;
}

/* Debian's packages; those of Fedora and Arch with the same contents. */
static const struct {
   const char *library, *debian, *fedora, *arch;
} packages[] = {
   { "libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd" },
   { "libGLX.so.0", "libglx0", "libglvnd-glx", "libglvnd" },
   { "libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd" },
   { "libGLESv2.so.2", "libgles2", "libglvnd-gles", "libglvnd" },
   { "libGLdispatch.so.0", "libglvnd0", "libglvnd", "libglvnd" },
   { "libgbm.so.1", "libgbm1", "mesa-libgbm", "mesa" },
   { "libX11.so.6", "libx11-6", "libX11", "libx11" },
   { "libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11" },
   { "libxcb.so.1", "libxcb1", "libxcb", "libxcb" },
   { "libxcb-dri2.so.0", "libxcb-dri2-0", "libxcb", "libxcb" },
   { "libxcb-dri3.so.0", "libxcb-dri3-0", "libxcb", "libxcb" },
   { "libxcb-present.so.0", "libxcb-present0", "libxcb", "libxcb" },
   { "libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb" },
   { "libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb" },
   { "libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb" },
   { "libxcb-glx.so.0", "libxcb-glx0", "libxcb", "libxcb" },
   { "libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb" },
   { "libxshmfence.so.1", "libxshmfence1", "libxshmfence", "libxshmfence" },
   { "libXext.so.6", "libxext6", "libXext", "libxext" },
   { "libXxf86vm.so.1", "libxxf86vm1", "libXxf86vm", "libxxf86vm" },
   { "libdrm.so.2", "libdrm2", "libdrm", "libdrm" },
   { "libexpat.so.1", "libexpat1", "expat", "expat" },
   { "libzstd.so.1", "libzstd1", "libzstd", "zstd" },
   { "libz.so.1", "zlib1g", "zlib", "zlib" },
   { "libwayland-client.so.0", "libwayland-client0", "libwayland-client", "wayland" },
   { "Xvfb", "xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb" },
};
#define NUM_PACKAGES (sizeof packages / sizeof packages[0])

const char *
package_of(const char *library)
{
   for (unsigned i = 0; i < NUM_PACKAGES; i++) {
      if (!strcmp(packages[i].library, library))
         return packages[i].debian;
   }
   return NULL;
}

static bool
is_like(const char *release, const char *name)
{
   for (const char *line = release; line; line = strchr(line, '\n')) {
      line += *line == '\n';
      if (strncmp(line, "ID=", 3) && strncmp(line, "ID_LIKE=", 8))
         continue;
      const char *found = strstr(line, name), *end = strchr(line, '\n');
      if (found && (!end || found < end))
         return true;
   }
   return false;
}

const char *
install_line(const struct doctor *d, const char *list)
{
   static char line[1024];
   char release[4096], words[512];

   if (!read_file(d, "/etc/os-release", release, sizeof release))
      *release = 0;
   const bool fedora = is_like(release, "fedora") || is_like(release, "rhel") ||
                       is_like(release, "suse");
   const bool arch = is_like(release, "arch");

   snprintf(line, sizeof line, "%s",
            is_like(release, "suse") ? "zypper install"
            : fedora                 ? "dnf install"
            : arch                   ? "pacman -S"
                                     : "apt-get install -y --no-install-recommends");
   snprintf(words, sizeof words, "%s", list);
   for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
      const char *name = word;
      for (unsigned i = 0; i < NUM_PACKAGES; i++) {
         if (!strcmp(packages[i].debian, word))
            name = fedora ? packages[i].fedora : arch ? packages[i].arch : packages[i].debian;
      }
      const size_t length = strlen(line);
      snprintf(line + length, sizeof line - length, " %s", name);
   }
   return line;
}
