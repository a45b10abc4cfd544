/* SPDX-License-Identifier: MIT */
/*
 * Profiler: the process's profiler, its files, and the thread that looks for new threads.
 */
#include "observe/profile/sgd_profile.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/sgd_time.h"
#include "common/sgd_worker.h"
#include "observe/profile/sgd_profile_inside.h"
#include "util/macros.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

/* Disk space is taken in steps of this number of samples. */
#define STEP (UINT64_C(1) << 16)

/* The time between checks grows from CHECK_NS to CHECK_MAX_NS. */
#define CHECK_NS 10000000
#define CHECK_MAX_NS 500000000

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sgd_profile *started;
static bool failed, child;

/* record of the calling thread, or NULL if it is unknown */
static _Thread_local struct sgd_profiled *self;

static int
open_file(const char *folder, const char *suffix, char path[PATH_MAX])
{
   const int length = snprintf(path, PATH_MAX, "%s/%ld.%s", folder, (long)getpid(), suffix);
   if (length < 0 || length >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
   }
   return open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
}

/* Takes disk space for `samples` samples. Without it, a write to the mapping would end the process
 * if the disk is full.
 */
static bool
reserve(struct sgd_profile *p, uint64_t samples)
{
   const uint64_t size = sizeof(*p->file) + samples * sizeof(p->file->sample[0]);
   if (posix_fallocate(p->samples, (off_t)p->space, (off_t)(size - p->space)))
      return false;
   p->space = size;
   __atomic_store_n(&p->allocated, samples, __ATOMIC_RELEASE);
   return true;
}

static bool
map_file(struct sgd_profile *p)
{
   const uint64_t size = sizeof(*p->file) + SGD_PROFILE_SAMPLES * sizeof(p->file->sample[0]);

   if (!reserve(p, STEP))
      return false;
   p->file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, p->samples, 0);
   if (p->file == MAP_FAILED)
      return false;
   struct timespec real;
   clock_gettime(CLOCK_REALTIME, &real);
   p->file->size_of_header = sizeof(*p->file);
   p->file->pid = (uint32_t)getpid();
   p->file->start = p->file->end = sgd_time_ns();
   p->file->start_real = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
   p->file->magic = SGD_PROFILE_MAGIC;
   return true;
}

void
sgd_profile_text(struct sgd_profile *p, const char *line, size_t size)
{
   if (!p)
      return;
   while (size) {
      const ssize_t wrote = write(p->text, line, size);
      if (wrote < 0 && errno != EINTR)
         return;
      line += wrote > 0 ? wrote : 0;
      size -= wrote > 0 ? (size_t)wrote : 0;
   }
}

/* Reads a small file of /proc. Returns a string that the caller must free, or NULL. */
static char *
read_proc(const char *path)
{
   const int fd = open(path, O_RDONLY | O_CLOEXEC);
   size_t size = 0, room = 65536;
   char *text = fd >= 0 ? malloc(room) : NULL;
   while (text) {
      const ssize_t got = read(fd, text + size, room - size - 1);
      if (got < 0 && errno == EINTR)
         continue;
      if (got <= 0)
         break;
      size += (size_t)got;
      if (size + 1 == room) {
         char *more = realloc(text, room *= 2);
         if (!more) {
            free(text);
            text = NULL;
            break;
         }
         text = more;
      }
   }
   if (fd >= 0)
      close(fd);
   if (text)
      text[size] = 0;
   return text;
}

static void
put_string(FILE *fp, const char *text)
{
   fputc('"', fp);
   for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
      if (*c == '"' || *c == '\\')
         fputc('\\', fp);
      if (*c >= 32)
         fputc(*c, fp);
   }
   fputc('"', fp);
}

static void
finish_line(struct sgd_profile *p, FILE *fp, char **text, size_t *size)
{
   fputc('\n', fp);
   fclose(fp);
   sgd_profile_text(p, *text, *size);
   free(*text);
}

/* Writes the executable mappings of files if they have changed. */
static void
write_maps(struct sgd_profile *p)
{
   char *maps = read_proc("/proc/self/maps"), *text, *rest = maps;
   size_t size;
   FILE *fp = maps ? open_memstream(&text, &size) : NULL;

   if (!fp) {
      free(maps);
      return;
   }
   fputs("{\"maps\":[", fp);
   const char *comma = "";
   for (char *line; (line = strsep(&rest, "\n"));) {
      uint64_t from, to, offset;
      char rights[5];
      int at = 0;
      if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*u %n", &from, &to, rights,
                 &offset, &at) < 4 ||
          rights[2] != 'x' || !at || !line[at])
         continue;
      fprintf(fp, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", comma, from, to, offset);
      put_string(fp, line + at);
      fputc(']', fp);
      comma = ",";
   }
   fputs("]", fp);
   fflush(fp);
   const uint64_t hash = XXH64(text, size, 0);
   fprintf(fp, ",\"time\":%" PRIu64 "}", sgd_time_ns());
   if (hash != p->maps) {
      p->maps = hash;
      finish_line(p, fp, &text, &size);
   } else {
      fclose(fp);
      free(text);
   }
   free(maps);
}

/* Writes a line about the process. */
static void
write_process(struct sgd_profile *p)
{
   char *command = read_proc("/proc/self/cmdline"), *text, path[PATH_MAX];
   const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   if (fp) {
      path[MAX2(length, 0)] = 0;
      fprintf(fp, "{\"process\":%ld,\"exe\":", (long)getpid());
      put_string(fp, path);
      fputs(",\"command\":", fp);
      put_string(fp, command ? command : "");
      Dl_info info;
      if (dladdr((void *)sgd_profile_get, &info) && info.dli_fname) {
         fputs(",\"driver\":", fp);
         put_string(fp, info.dli_fname);
      }
      fputs("}", fp);
      finish_line(p, fp, &text, &size);
   }
   free(command);
}

static uint64_t
cpu_time(int tid)
{
   /* the kernel's number of the clock of a thread's CPU time, as in clock_getcpuclockid() */
   const clockid_t clock = (clockid_t)((~(unsigned)tid << 3) | 6);
   struct timespec t;
   return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the record of a thread, and makes one if there is none. The lock must be held. Returns
 * NULL if there are too many threads.
 */
static struct sgd_profiled *
find_thread(struct sgd_profile *p, int tid)
{
   unsigned free_slot = SGD_PROFILE_THREADS;

   for (unsigned i = 0; i < SGD_PROFILE_THREADS; i++) {
      if (p->thread[i].tid == tid)
         return &p->thread[i];
      if (!p->thread[i].tid && !p->file->slot[i].tid && free_slot == SGD_PROFILE_THREADS)
         free_slot = i;
   }
   if (free_slot == SGD_PROFILE_THREADS)
      return NULL;
   struct sgd_profiled *t = &p->thread[free_slot];
   struct sgd_profile_slot *slot = &p->file->slot[free_slot];
   *t = (struct sgd_profiled){
      .profile = p,
      .tid = tid,
      .slot = free_slot,
      .fd = -1,
      .seen = true,
      .cpu_before = cpu_time(tid),
   };
   slot->tid = (uint32_t)tid;
   slot->period = sgd_profile_sample_start(p, free_slot, tid);
   return t;
}

/* Brings the facts about a thread in the file up to date. `named` is set if its name may have
 * changed.
 */
static void
update_thread(struct sgd_profiled *t, bool named)
{
   struct sgd_profile_slot *slot = &t->profile->file->slot[t->slot];
   char path[64];
   const uint64_t cpu = cpu_time(t->tid);

   if (cpu > t->cpu_before)
      slot->cpu_ns = cpu - t->cpu_before;
   if (!named && slot->name[0])
      return;
   snprintf(path, sizeof(path), "/proc/self/task/%d/comm", t->tid);
   char *name = read_proc(path);
   if (name) {
      name[strcspn(name, "\n")] = 0;
      strncpy(slot->name, name, sizeof(slot->name) - 1);
   }
   free(name);
}

/* Called for the n-th time, from 0 on. */
static void
check_threads(struct sgd_profile *p, unsigned n)
{
   DIR *dir = opendir("/proc/self/task");
   const long me = syscall(SYS_gettid);

   if (!dir)
      return;
   pthread_mutex_lock(&p->lock);
   for (unsigned i = 0; i < SGD_PROFILE_THREADS; i++)
      p->thread[i].seen = false;
   for (const struct dirent *e; (e = readdir(dir));) {
      const int tid = atoi(e->d_name);
      struct sgd_profiled *t = tid > 0 && tid != me ? find_thread(p, tid) : NULL;
      if (!t)
         continue;
      t->seen = true;
      update_thread(t, n < 4 || n % 8 == 0);
   }
   for (unsigned i = 0; i < SGD_PROFILE_THREADS; i++) {
      struct sgd_profiled *t = &p->thread[i];
      if (!t->tid || t->seen)
         continue;
      sgd_profile_sample_end(p, i);
      t->tid = 0;
   }
   pthread_mutex_unlock(&p->lock);
   closedir(dir);
   p->file->end = sgd_time_ns();
}

static void *
checker_main(void *data)
{
   struct sgd_profile *p = data;
   uint64_t wait = CHECK_NS;

   for (unsigned n = 0; !child; n++) {
      const struct timespec t = { .tv_nsec = (long)wait };
      check_threads(p, n);
      if (n < 8 || n % 4 == 0)
         write_maps(p);
      const uint64_t used = p->file->used;
      if (used + STEP / 2 > p->allocated && p->allocated < SGD_PROFILE_SAMPLES)
         reserve(p, MIN2(p->allocated + STEP, SGD_PROFILE_SAMPLES));
      nanosleep(&t, NULL);
      wait = MIN2(wait * 2, CHECK_MAX_NS);
   }
   return NULL;
}

static bool
start_checker(struct sgd_profile *p)
{
   sigset_t all, old;
   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   const bool ok = !pthread_create(&p->checker, NULL, checker_main, p);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   if (ok) {
      pthread_setname_np(p->checker, "sgpu:perf");
      pthread_detach(p->checker);
   }
   return ok;
}

/* Keeps the driver's library loaded, since signals can arrive until the process ends. */
static void
stay_loaded(void)
{
   Dl_info info;
   if (dladdr((void *)sgd_profile_get, &info) && info.dli_fname)
      dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static struct sgd_profile *
create(const char *folder)
{
   struct sgd_profile *p = calloc(1, sizeof(*p));
   char path[PATH_MAX];

   if (!p)
      return NULL;
   pthread_mutex_init(&p->lock, NULL);
   p->text = open_file(folder, "text", path);
   p->samples = p->text >= 0 ? open_file(folder, "samples", path) : -1;
   if (p->samples < 0 || !map_file(p)) {
      fprintf(stderr, "sgpu: SGPU_DEBUG=profile=%s: %s: %s\n", folder, path, strerror(errno));
      free(p);
      return NULL;
   }
   stay_loaded();
   write_process(p);
   p->name[0] = "";
   started = p;
   check_threads(p, 0);
   if (!start_checker(p))
      fprintf(stderr, "sgpu: SGPU_DEBUG=profile: no thread for the profiler\n");
   return p;
}

struct sgd_profile *
sgd_profile_get(const char *folder)
{
   pthread_mutex_lock(&start_lock);
   if (!started && !failed && !child)
      failed = !create(folder);
   struct sgd_profile *p = child ? NULL : started;
   pthread_mutex_unlock(&start_lock);
   return p;
}

struct sgd_profile *
sgd_profile_started(void)
{
   return started;
}

void
sgd_profile_after_fork_child(void)
{
   child = true;
}

int
sgd_profile_signal(void)
{
   return started ? started->signal : 0;
}

/* Returns the record of the calling thread, or NULL. */
static struct sgd_profiled *
this_thread(struct sgd_profile *p)
{
   if (!self) {
      pthread_mutex_lock(&p->lock);
      self = find_thread(p, (int)syscall(SYS_gettid));
      pthread_mutex_unlock(&p->lock);
   }
   return self;
}

void
sgd_profile_thread(struct sgd_profile *p, struct sgd_worker *worker)
{
   struct sgd_profiled *t = p && !child ? this_thread(p) : NULL;

   if (!t)
      return;
   if (worker) {
      worker->position.left = SGD_LEFT_UNKNOWN;
      worker->position.texture = sgd_profile_texture;
      p->file->slot[t->slot].worker = worker->index + 1;
   }
   atomic_store_explicit(&t->worker, worker, memory_order_relaxed);
}

unsigned
sgd_profile_name(struct sgd_profile *p, const char *name)
{
   unsigned n = 1;

   while (n < SGD_PROFILE_SPANS) {
      const char *known = __atomic_load_n(&p->name[n], __ATOMIC_RELAXED);
      if (known == name)
         return n;
      if (known) {
         n++;
         continue;
      }
      pthread_mutex_lock(&p->lock);
      if (!p->name[n]) {
         strncpy(p->file->span_name[n], name, sizeof(p->file->span_name[n]) - 1);
         __atomic_store_n(&p->name[n], name, __ATOMIC_RELAXED);
      }
      pthread_mutex_unlock(&p->lock);
   }
   return 0;
}

void
sgd_profile_span(struct sgd_profile *p, const char *name, uint64_t ns)
{
   struct sgd_profiled *t = p && !child ? this_thread(p) : NULL;

   if (!t)
      return;
   struct sgd_profile_span *span = &p->file->slot[t->slot].span[sgd_profile_name(p, name)];
   atomic_fetch_add_explicit(&span->ns, ns, memory_order_relaxed);
   atomic_fetch_add_explicit(&span->count, 1, memory_order_relaxed);
}

uint32_t
sgd_profile_frames(struct sgd_profile *p)
{
   return p ? atomic_load_explicit(&p->file->frames, memory_order_relaxed) : 0;
}

void
sgd_profile_frame(struct sgd_profile *p)
{
   if (p && !child)
      atomic_fetch_add_explicit(&p->file->frames, 1, memory_order_relaxed);
}

void
sgd_profile_count(struct sgd_profile *p, const uint64_t *values, unsigned count)
{
   if (!p || child)
      return;
   p->file->num_counters = MIN2(count, SGD_PROFILE_COUNTERS);
   memcpy(p->file->counters, values, p->file->num_counters * sizeof(*values));
}

uint32_t
sgd_profile_shape(struct sgd_profile *p, uint64_t hash, bool *fresh)
{
   const uint64_t key = hash | 1;
   uint32_t found = 0;

   *fresh = false;
   pthread_mutex_lock(&p->lock);
   for (unsigned n = 0; n < ARRAY_SIZE(p->shape); n++) {
      const unsigned at = (unsigned)(key + n) % ARRAY_SIZE(p->shape);
      if (p->shape[at] == key) {
         found = p->shape_index[at];
         break;
      }
      if (p->shape[at])
         continue;
      if (p->file->num_shapes + 1 < SGD_PROFILE_SHAPES) {
         p->shape[at] = key;
         found = p->shape_index[at] = ++p->file->num_shapes;
         *fresh = true;
      }
      break;
   }
   if (found)
      atomic_fetch_add_explicit(&p->file->calls[found], 1, memory_order_relaxed);
   pthread_mutex_unlock(&p->lock);
   return found;
}
