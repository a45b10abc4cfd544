/* SPDX-License-Identifier: MIT */
/* Reads the memory limits of the process's control groups (v1 and v2), and the memory use of the
 * process.
 */
#include "sgpu_host_memory.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/u_math.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* supported since Linux 5.14 */
#endif

/* Maximum length of a line of a file in /proc, which contains the path of a control group or a
 * directory.
 */
#define MAX_LINE (2 * PATH_MAX)

/* A control group hierarchy with a memory limit. */
struct hierarchy {
   const char *limit;    /* name of the file in a group's directory that contains the limit */
   bool found;           /* set if the hierarchy is mounted */
   char path[PATH_MAX];  /* path of the process's group in the hierarchy */
   char root[PATH_MAX];  /* path of the group whose directory is mounted at `mount` */
   char mount[PATH_MAX]; /* path of the mount point */
};

static bool
has_word(const char *list, const char *word)
{
   const size_t length = strlen(word);

   for (const char *at = list; (at = strstr(at, word)); at++) {
      if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
         return true;
   }
   return false;
}

/* Decodes octal escapes in /proc/self/mountinfo, e.g. \040 for a space, in place. */
static void
decode(char *text)
{
   char *to = text;

   for (const char *from = text; *from; to++) {
      if (from[0] == '\\' && from[1] && from[2] && from[3]) {
         *to = (from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0');
         from += 4;
      } else {
         *to = *from++;
      }
   }
   *to = 0;
}

static FILE *
open_file(const char *root, const char *path)
{
   char name[PATH_MAX];

   if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name)
      return NULL;
   return fopen(name, "re");
}

/* Reads a line without its newline.  Truncates the line if it is too long.  Returns false at the
 * end of the file.
 */
static bool
read_line(FILE *f, char *line, size_t size)
{
   if (!f || !fgets(line, size, f))
      return false;
   const size_t length = strcspn(line, "\n");
   if (!line[length]) {
      for (int c = 0; c != EOF && c != '\n';)
         c = getc(f);
   }
   line[length] = 0;
   return true;
}

/* Finds the control groups of the process.  A line of /proc/self/cgroup is "ID:CONTROLLERS:PATH".
 */
static void
find_groups(const char *root, struct hierarchy *v1, struct hierarchy *v2)
{
   FILE *f = open_file(root, "/proc/self/cgroup");
   char line[MAX_LINE];

   while (read_line(f, line, sizeof line)) {
      char *controllers = strchr(line, ':');
      char *path = controllers ? strchr(controllers + 1, ':') : NULL;
      if (!path)
         continue;
      controllers++;
      *path++ = 0;
      if (!*controllers && !strncmp(line, "0:", 2))
         snprintf(v2->path, sizeof v2->path, "%s", path);
      else if (has_word(controllers, "memory"))
         snprintf(v1->path, sizeof v1->path, "%s", path);
   }
   if (f)
      fclose(f);
}

/* Finds the mount points of the control group hierarchies.  A line of /proc/self/mountinfo is "ID
 * PARENT DEVICE ROOT MOUNT OPTIONS... - TYPE SOURCE OPTIONS".
 */
static void
find_mounts(const char *root, struct hierarchy *v1, struct hierarchy *v2)
{
   FILE *f = open_file(root, "/proc/self/mountinfo");
   char line[MAX_LINE];

   while (read_line(f, line, sizeof line)) {
      char *field[5], *save = NULL, *rest = strstr(line, " - ");
      unsigned n = 0;
      if (!rest)
         continue;
      *rest = 0;
      rest += 3;
      for (char *s = strtok_r(line, " ", &save); s && n < 5; s = strtok_r(NULL, " ", &save))
         field[n++] = s;
      const char *type = strtok_r(rest, " ", &save);
      const char *source = strtok_r(NULL, " ", &save);
      const char *options = strtok_r(NULL, " ", &save);
      if (n < 5 || !type || !source)
         continue;

      struct hierarchy *h = NULL;
      if (!strcmp(type, "cgroup2"))
         h = v2;
      else if (!strcmp(type, "cgroup") && options && has_word(options, "memory"))
         h = v1;
      if (!h || h->found)
         continue;
      decode(field[3]);
      decode(field[4]);
      h->found = snprintf(h->root, sizeof h->root, "%s", field[3]) < (int)sizeof h->root &&
                 snprintf(h->mount, sizeof h->mount, "%s", field[4]) < (int)sizeof h->mount;
   }
   if (f)
      fclose(f);
}

static uint64_t
read_limit(const char *root, const char *directory, const char *name)
{
   char path[PATH_MAX];
   uint64_t value = UINT64_MAX;

   if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
      return value;
   FILE *f = open_file(root, path);
   if (f && fscanf(f, "%" SCNu64, &value) != 1)
      value = UINT64_MAX; /* not a number but "max", which means that there is no limit */
   if (f)
      fclose(f);
   return value;
}

/* Returns the lowest memory limit of the process's group and its ancestors up to the mount point.
 */
static uint64_t
hierarchy_limit(const char *root, const struct hierarchy *h)
{
   char directory[2 * PATH_MAX];
   const size_t mount = strlen(h->mount);
   const char *path = h->path;

   if (!h->found)
      return UINT64_MAX;
   /* In a container, only the container's group is mounted, but `path` may still begin with the
    * path of this group on the host.
    */
   const size_t outside = strcmp(h->root, "/") ? strlen(h->root) : 0;
   if (!strncmp(path, h->root, outside) && (!path[outside] || path[outside] == '/'))
      path += outside;
   else
      path = "";
   snprintf(directory, sizeof directory, "%s%s", h->mount, strcmp(path, "/") ? path : "");

   uint64_t limit = read_limit(root, directory, h->limit);
   while (strlen(directory) > mount) {
      *strrchr(directory, '/') = 0;
      limit = MIN2(limit, read_limit(root, directory, h->limit));
   }
   return limit;
}

uint64_t
sgpu_host_memory_limit(const char *root)
{
   struct hierarchy *h = calloc(2, sizeof *h);
   uint64_t limit = UINT64_MAX;

   if (!h)
      return limit;
   h[0].limit = "memory.limit_in_bytes";
   h[1].limit = "memory.max";
   find_groups(root, &h[0], &h[1]);
   find_mounts(root, &h[0], &h[1]);
   for (unsigned i = 0; i < 2; i++)
      limit = MIN2(limit, hierarchy_limit(root, &h[i]));
   free(h);
   /* If there is no limit, v1 reports a huge number. */
   return limit >> 62 ? UINT64_MAX : limit;
}

uint64_t
sgpu_host_memory_resident(void)
{
   FILE *f = fopen("/proc/self/statm", "re");
   uint64_t size, resident = 0, of_files = 0;

   if (f && fscanf(f, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size, &resident, &of_files) != 3)
      resident = of_files = 0;
   if (f)
      fclose(f);
   return (resident - MIN2(resident, of_files)) * sysconf(_SC_PAGESIZE);
}

/* Tests whether a page is writable.  FUTEX_WAKE_OP makes the kernel atomically add 0 to a word of
 * the page, and fails if the page is read-only.
 */
static bool
can_write(void *page)
{
   static const unsigned add = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);
   unsigned none = 0;

   return syscall(SYS_futex, &none, FUTEX_WAKE_OP_PRIVATE, 0, (void *)0, page, add) >= 0;
}

bool
sgpu_host_memory_writable(void *memory, uint64_t size)
{
   const uintptr_t page = sysconf(_SC_PAGESIZE);
   const uintptr_t first = (uintptr_t)memory & ~(page - 1);
   const uintptr_t bytes = ALIGN_POT((uintptr_t)memory + size, page) - first;

   if (!madvise((void *)first, bytes, MADV_POPULATE_WRITE))
      return true;
   /* Either a page is not writable, or the kernel does not support MADV_POPULATE_WRITE. */
   for (uintptr_t at = first; at < first + bytes; at += page) {
      if (!can_write((void *)at))
         return false;
   }
   return true;
}
