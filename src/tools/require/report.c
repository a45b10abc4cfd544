/* SPDX-License-Identifier: MIT */
/* The file of the report, in a folder of its own that has a random name.  The sgpu-require that made
 * it holds a lock on the file (flock), which ends with the process, however that ends.  A folder
 * whose file can be locked is left over.
 */
#include "require.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOLDER_START "sgpu-report-"
#define FOLDER_RANDOM "XXXXXX"
#define REPORT_NAME "report"
#define LINK_NAME "audit.so"
/* Seconds after which a folder without a report is left over: one that is being made has none. */
#define EMPTY_SECONDS 60

static char folder[PATH_MAX]; /* folder of the report, or "" */
static char report_name[PATH_MAX + 16];
static char link_name[PATH_MAX + 32];

void
report_remove(void)
{
   if (!*folder)
      return;
   unlink(report_name);
   if (*link_name)
      unlink(link_name);
   rmdir(folder);
}

const char *
report_path(void)
{
   return report_name;
}

const char *
report_link(const char *target)
{
   snprintf(link_name, sizeof link_name, "%s/" LINK_NAME, folder);
   if (symlink(target, link_name))
      die("cannot create %s: %s", link_name, strerror(errno));
   return link_name;
}

/* Removes a folder of the directory `parent` if it is left over. */
static void
remove_left_over(int parent, const char *name)
{
   const int in = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
   struct stat st;

   if (in < 0)
      return;
   if (!fstat(in, &st) && st.st_uid == geteuid()) {
      const int file = openat(in, REPORT_NAME, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      const bool left = file >= 0         ? !flock(file, LOCK_EX | LOCK_NB)
                        : errno == ENOENT ? time(NULL) - st.st_mtime > EMPTY_SECONDS
                                          : false;

      if (left) {
         /* The lock is held until the file is gone, so create_report() notices in any case. */
         unlinkat(in, REPORT_NAME, 0);
         unlinkat(in, LINK_NAME, 0);
         /* Fails if other files are there, or if another folder has got the name. */
         unlinkat(parent, name, AT_REMOVEDIR);
      }
      if (file >= 0)
         close(file);
   }
   close(in);
}

static void
remove_all_left_over(const char *parent)
{
   DIR *names = opendir(parent);

   if (!names)
      return;
   for (struct dirent *entry; (entry = readdir(names));) {
      if (!strncmp(entry->d_name, FOLDER_START, sizeof FOLDER_START - 1) &&
          strlen(entry->d_name) == sizeof FOLDER_START FOLDER_RANDOM - 1)
         remove_left_over(dirfd(names), entry->d_name);
   }
   closedir(names);
}

/* Maps the open file.  Returns NULL on failure. */
static struct sgpu_report_file *
map_report(int fd)
{
   void *map = mmap(NULL, sizeof(struct sgpu_report_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    0);

   return map == MAP_FAILED ? NULL : map;
}

/* Creates the report in a folder.  Programs that root starts as another user must be able to open
 * the report, too; they cannot list the folder.  Returns NULL on failure.
 */
static struct sgpu_report_file *
create_report(const char *parent)
{
   const bool root = geteuid() == 0;
   struct sgpu_report_file *map = NULL;
   struct stat st;

   if (!parent || *parent != '/' || strlen(parent) > PATH_MAX - 32)
      return NULL;
   snprintf(folder, sizeof folder, "%s/" FOLDER_START FOLDER_RANDOM, parent);
   if (!mkdtemp(folder)) {
      *folder = 0;
      return NULL;
   }
   snprintf(report_name, sizeof report_name, "%s/" REPORT_NAME, folder);
   /* The descriptor stays open with its lock.  A file system without locks is one where no folder
    * is found to be left over.  Another sgpu-require may have the lock first, and then removes the
    * file: it has no name then.
    */
   const int fd = open(report_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
   if (fd >= 0 && (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && !fstat(fd, &st) &&
       st.st_nlink && !posix_fallocate(fd, 0, sizeof *map))
      /* Without allocated blocks, a full disk would end processes that write to the map. */
      map = map_report(fd);
   if (!map || (root && (fchmod(fd, 0666) || chmod(folder, 0711)))) {
      if (fd >= 0)
         close(fd);
      report_remove();
      *folder = 0;
      return NULL;
   }
   map->magic = SGPU_REPORT_MAGIC;
   return map;
}

struct sgpu_report_file *
report_create(void)
{
   const char *const parents[] = { getenv("TMPDIR"),          "/tmp",        "/dev/shm", "/var/tmp",
                                   getenv("XDG_RUNTIME_DIR"), getenv("HOME") };

   for (unsigned i = 0; i < sizeof parents / sizeof parents[0]; i++) {
      if (parents[i] && *parents[i] == '/')
         remove_all_left_over(parents[i]);
      struct sgpu_report_file *file = create_report(parents[i]);
      if (file)
         return file;
   }
   die("no folder for a file of 1 MB: /tmp and /dev/shm cannot be written to.\n"
       "Set TMPDIR to a folder that can.");
}

struct sgpu_report_file *
report_open_outer(void)
{
   const char *name = getenv(SGPU_REPORT_VARIABLE);
   const int fd = name && *name ? open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
   struct sgpu_report_file *map = NULL;
   struct stat st;

   if (fd < 0)
      return NULL;
   if (!fstat(fd, &st) && st.st_size == (off_t)sizeof *map)
      map = map_report(fd);
   close(fd);
   return map && map->magic == SGPU_REPORT_MAGIC ? map : NULL;
}
