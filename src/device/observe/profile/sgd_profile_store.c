/* SPDX-License-Identifier: MIT */
/*
 * Profiler: its two files, and the space for samples.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/sgd_time.h"
#include "observe/profile/sgd_profile_inside.h"
#include "util/macros.h"

/* Disk space is taken in steps of this number of samples. */
#define STEP (UINT64_C(1) << 16)

/* Returns a file descriptor, or -1 with errno set. */
static int
open_file(const char *folder, const char *suffix, int flags, char path[PATH_MAX])
{
   const int length = snprintf(path, PATH_MAX, "%s/%ld.%s", folder, (long)getpid(), suffix);
   if (length < 0 || length >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
   }
   return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0644);
}

/* Returns true if the process must not make files of this size. The kernel would end the process,
 * by SIGXFSZ.
 */
static bool
over_limit(uint64_t size)
{
   struct rlimit limit;
   return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
          size > limit.rlim_cur;
}

/* Takes disk space for `samples` samples. Without it, a write to the mapping would end the process
 * if the disk is full. Returns 0 or the error.
 */
static int
reserve(struct sgd_profile *p, uint64_t samples)
{
   const uint64_t size = sizeof(*p->file) + samples * sizeof(p->file->sample[0]);
   int error = over_limit(size) ? EFBIG : EINTR;

   while (error == EINTR)
      error = posix_fallocate(p->samples, (off_t)p->space, (off_t)(size - p->space));
   if (error)
      return error;
   p->space = size;
   atomic_store_explicit(&p->allocated, samples, memory_order_release);
   return 0;
}

/* Returns 0 or the error. */
static int
map_file(struct sgd_profile *p)
{
   const uint64_t size = sizeof(*p->file) + SGD_PROFILE_SAMPLES * sizeof(p->file->sample[0]);
   const int error = reserve(p, STEP);

   if (error)
      return error;
   p->file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, p->samples, 0);
   if (p->file == MAP_FAILED)
      return errno;
   struct timespec real;
   clock_gettime(CLOCK_REALTIME, &real);
   p->file->size_of_header = sizeof(*p->file);
   p->file->pid = (uint32_t)getpid();
   p->file->start = p->file->end = sgd_time_ns();
   p->file->start_real = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
   p->file->magic = SGD_PROFILE_MAGIC;
   return 0;
}

static void
discard(int fd, const char *path)
{
   close(fd);
   unlink(path);
}

bool
sgd_profile_open(struct sgd_profile *p, const char *folder)
{
   char text[PATH_MAX], samples[PATH_MAX];
   const char *path = text;
   int error = 0;

   p->samples = -1;
   p->text = open_file(folder, "text", O_APPEND, text);
   if (p->text >= 0) {
      path = samples;
      /* Without O_APPEND, which posix_fallocate() refuses on some file systems. */
      p->samples = open_file(folder, "samples", 0, samples);
   }
   error = p->samples >= 0 ? map_file(p) : errno;
   if (!error)
      return true;
   fprintf(stderr, "sgpu: SGPU_DEBUG=profile=%s: %s: %s\n", folder, path, strerror(error));
   if (p->samples >= 0)
      discard(p->samples, samples);
   if (p->text >= 0)
      discard(p->text, text);
   return false;
}

void
sgd_profile_grow(struct sgd_profile *p)
{
   const uint64_t used = atomic_load_explicit(&p->file->used, memory_order_relaxed);
   const uint64_t allocated = atomic_load_explicit(&p->allocated, memory_order_relaxed);

   if (p->is_full || used + STEP / 2 <= allocated || allocated >= SGD_PROFILE_SAMPLES)
      return;
   const int error = reserve(p, MIN2(allocated + STEP, SGD_PROFILE_SAMPLES));
   if (!error)
      return;
   p->is_full = true;
   fprintf(stderr, "sgpu: profiler: no space for more samples: %s\n", strerror(error));
}

bool
sgd_profile_take(struct sgd_profile *p, uint64_t *first)
{
   uint64_t used = atomic_load_explicit(&p->file->used, memory_order_relaxed);

   do {
      if (used + SGD_PROFILE_CHUNK > atomic_load_explicit(&p->allocated, memory_order_acquire))
         return false;
   } while (!atomic_compare_exchange_weak_explicit(&p->file->used, &used, used + SGD_PROFILE_CHUNK,
                                                   memory_order_relaxed, memory_order_relaxed));
   *first = used;
   return true;
}

void
sgd_profile_text(struct sgd_profile *p, const char *line, size_t size)
{
   /* Lines that don't fit are left out as a whole. */
   if (!p ||
       over_limit(atomic_fetch_add_explicit(&p->text_size, size, memory_order_relaxed) + size))
      return;
   while (size) {
      const ssize_t wrote = write(p->text, line, size);
      if (wrote < 0 && errno != EINTR)
         return;
      line += wrote > 0 ? wrote : 0;
      size -= wrote > 0 ? (size_t)wrote : 0;
   }
}
