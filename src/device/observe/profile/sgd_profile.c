/* SPDX-License-Identifier: MIT */
/*
 * Profiler: the process's profiler, and what the device reports to it.
 */
#include "observe/profile/sgd_profile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/sgd_lock.h"
#include "common/sgd_worker.h"
#include "observe/profile/sgd_profile_inside.h"
#include "util/macros.h"

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sgd_profile *_Atomic started;
static bool failed;        /* protected by start_lock */
static bool fork_locked;   /* set if the forking thread has start_lock */
static _Atomic bool child; /* set in forked children, which never write to the parent's files */

/* record of the calling thread, or NULL if it is unknown; left_out is set if it can't have one */
static _Thread_local struct sgd_profiled *self;
static _Thread_local bool left_out;

/* Keeps the driver's library loaded, since signals can arrive until the process ends. */
static void
stay_loaded(void)
{
   Dl_info info;
   if (dladdr((void *)sgd_profile_get, &info) && info.dli_fname)
      dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static bool
in_child(void)
{
   return atomic_load_explicit(&child, memory_order_relaxed);
}

static struct sgd_profile *
create(const char *folder)
{
   struct sgd_profile *p = calloc(1, sizeof(*p));

   if (!p)
      return NULL;
   if (!sgd_profile_open(p, folder)) {
      free(p);
      return NULL;
   }
   pthread_mutex_init(&p->lock, NULL);
   stay_loaded();
   sgd_profile_write_process(p);
   p->name[0] = "";
   atomic_store(&started, p);
   sgd_profile_check(p, 0);
   if (!sgd_profile_start_checker(p))
      fprintf(stderr, "sgpu: SGPU_DEBUG=profile: no thread for the profiler\n");
   return p;
}

struct sgd_profile *
sgd_profile_get(const char *folder)
{
   pthread_mutex_lock(&start_lock);
   struct sgd_profile *p = atomic_load(&started);
   if (!p && !failed && !in_child()) {
      p = create(folder);
      failed = !p;
   }
   /* A process can also begin without fork handlers, by the system call. */
   if (in_child() || (p && p->file->pid != (uint32_t)getpid()))
      p = NULL;
   pthread_mutex_unlock(&start_lock);
   return p;
}

struct sgd_profile *
sgd_profile_started(void)
{
   return atomic_load_explicit(&started, memory_order_acquire);
}

void
sgd_profile_before_fork(uint64_t deadline)
{
   fork_locked = sgd_lock_before(&start_lock, deadline);
}

void
sgd_profile_after_fork(void)
{
   if (fork_locked)
      pthread_mutex_unlock(&start_lock);
}

void
sgd_profile_after_fork_child(void)
{
   atomic_store_explicit(&child, true, memory_order_relaxed);
   if (fork_locked)
      pthread_mutex_unlock(&start_lock);
   else
      pthread_mutex_init(&start_lock, NULL);
}

int
sgd_profile_signal(void)
{
   struct sgd_profile *p = sgd_profile_started();
   return p ? atomic_load_explicit(&p->signal, memory_order_relaxed) : 0;
}

/* Returns the record of the calling thread, or NULL. */
static struct sgd_profiled *
this_thread(struct sgd_profile *p)
{
   if (!self && !left_out) {
      pthread_mutex_lock(&p->lock);
      self = sgd_profile_find(p, (int)syscall(SYS_gettid));
      pthread_mutex_unlock(&p->lock);
      left_out = !self;
   }
   return self;
}

void
sgd_profile_thread(struct sgd_profile *p, struct sgd_worker *worker)
{
   struct sgd_profiled *t = p && !in_child() ? this_thread(p) : NULL;

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
   struct sgd_profiled *t = p && !in_child() ? this_thread(p) : NULL;

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
   if (p && !in_child())
      atomic_fetch_add_explicit(&p->file->frames, 1, memory_order_relaxed);
}

void
sgd_profile_count(struct sgd_profile *p, const uint64_t *values, uint64_t *before, unsigned count)
{
   if (!p || in_child())
      return;
   pthread_mutex_lock(&p->lock);
   p->file->num_counters = MIN2(count, SGD_PROFILE_COUNTERS);
   for (unsigned i = 0; i < p->file->num_counters; i++) {
      /* Two threads can present at the same time, and come here in the other order. */
      if (values[i] <= before[i])
         continue;
      p->file->counters[i] += values[i] - before[i];
      before[i] = values[i];
   }
   pthread_mutex_unlock(&p->lock);
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
