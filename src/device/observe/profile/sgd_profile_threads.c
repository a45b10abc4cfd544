/* SPDX-License-Identifier: MIT */
/*
 * Profiler: the threads of the process, and the profiler's own thread, which looks for new ones.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/sgd_time.h"
#include "observe/profile/sgd_profile_inside.h"
#include "util/macros.h"

/* The time between checks grows from CHECK_NS to CHECK_MAX_NS. */
#define CHECK_NS 10000000
#define CHECK_MAX_NS 500000000

static uint64_t
cpu_time(int tid)
{
   /* the kernel's number of the clock of a thread's CPU time, as in clock_getcpuclockid() */
   const clockid_t clock = (clockid_t)((~(unsigned)tid << 3) | 6);
   struct timespec t;
   return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Counts a thread that has no record. Called again for each check on the thread. */
static void
leave_out(struct sgd_profile *p, int tid)
{
   const uint32_t bit = (uint32_t)tid % (64 * ARRAY_SIZE(p->left_out));
   uint64_t *word = &p->left_out[bit / 64];

   if (*word >> bit % 64 & 1)
      return;
   *word |= UINT64_C(1) << bit % 64;
   atomic_fetch_add_explicit(&p->file->left_out, 1, memory_order_relaxed);
}

struct sgd_profiled *
sgd_profile_find(struct sgd_profile *p, int tid)
{
   const unsigned n = p->num_threads;

   for (unsigned i = 0; i < n; i++) {
      if (p->thread[i].tid == tid)
         return &p->thread[i];
   }
   if (n == SGD_PROFILE_THREADS) {
      leave_out(p, tid);
      return NULL;
   }
   struct sgd_profiled *t = &p->thread[p->num_threads++];
   struct sgd_profile_slot *slot = &p->file->slot[n];
   *t = (struct sgd_profiled){
      .profile = p,
      .tid = tid,
      .slot = n,
      .fd = -1,
      .seen = true,
      .cpu_before = cpu_time(tid),
   };
   slot->tid = (uint32_t)tid;
   slot->period = sgd_profile_sample_start(p, n, tid);
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

   sgd_profile_raise_cpu(t, cpu);
   if (!named && slot->name[0])
      return;
   snprintf(path, sizeof(path), "/proc/self/task/%d/comm", t->tid);
   char *name = sgd_profile_read(path);
   if (name) {
      name[strcspn(name, "\n")] = 0;
      strncpy(slot->name, name, sizeof(slot->name) - 1);
   }
   free(name);
}

void
sgd_profile_check(struct sgd_profile *p, unsigned n)
{
   DIR *dir = opendir("/proc/self/task");

   if (!dir)
      return;
   pthread_mutex_lock(&p->lock);
   for (unsigned i = 0; i < p->num_threads; i++)
      p->thread[i].seen = false;
   for (const struct dirent *e; (e = readdir(dir));) {
      const int tid = atoi(e->d_name);
      struct sgd_profiled *t = tid > 0 && tid != p->checker ? sgd_profile_find(p, tid) : NULL;
      if (!t)
         continue;
      t->seen = true;
      update_thread(t, n < 4 || n % 8 == 0);
   }
   for (unsigned i = 0; i < p->num_threads; i++) {
      struct sgd_profiled *t = &p->thread[i];
      /* The system can leave out threads of the folder if others end meanwhile. */
      if (!t->tid || t->seen || !syscall(SYS_tgkill, getpid(), t->tid, 0))
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

   pthread_mutex_lock(&p->lock);
   p->checker = (int)syscall(SYS_gettid);
   pthread_mutex_unlock(&p->lock);
   for (unsigned n = 0;; n++) {
      const struct timespec t = { .tv_nsec = (long)wait };
      sgd_profile_check(p, n);
      if (n < 8 || n % 4 == 0)
         sgd_profile_write_maps(p);
      sgd_profile_grow(p);
      nanosleep(&t, NULL);
      wait = MIN2(wait * 2, CHECK_MAX_NS);
   }
   return NULL;
}

bool
sgd_profile_start_checker(struct sgd_profile *p)
{
   sigset_t all, old;
   pthread_t checker;
   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   const bool ok = !pthread_create(&checker, NULL, checker_main, p);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   if (ok) {
      pthread_setname_np(checker, "sgpu:perf");
      pthread_detach(checker);
   }
   return ok;
}
