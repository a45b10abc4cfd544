/* SPDX-License-Identifier: MIT */
/*
 * Profiler: space for samples, limits of the disk, forks, many threads. A process has one profiler,
 * so tests that start it run in processes of their own.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/device_test.h"
#include "control/sched/sgd_sched.h"
#include "observe/profile/sgd_profile_inside.h"

#define SECONDS 30
#define THREADS 4

static char folder[] = "/tmp/sgpu_profile_XXXXXX";

/* Returns the number of entries of a folder. */
static unsigned
entries(const char *path)
{
   DIR *dir = opendir(path);
   unsigned n = 0;

   assert_non_null(dir);
   for (const struct dirent *e; (e = readdir(dir));)
      n += e->d_name[0] != '.';
   closedir(dir);
   return n;
}

static void
remove_files(void)
{
   DIR *dir = opendir(folder);

   assert_non_null(dir);
   for (const struct dirent *e; (e = readdir(dir));) {
      if (e->d_name[0] != '.')
         unlinkat(dirfd(dir), e->d_name, 0);
   }
   closedir(dir);
}

static int
setup(void **state)
{
   return mkdtemp(folder) ? 0 : -1;
}

static int
teardown(void **state)
{
   remove_files();
   return rmdir(folder);
}

/* Maps the file of a process. */
static const struct sgd_profile_file *
file_of(pid_t pid)
{
   char path[128];

   snprintf(path, sizeof(path), "%s/%ld.samples", folder, (long)pid);
   const int fd = open(path, O_RDONLY);
   assert_true(fd >= 0);
   void *map = mmap(NULL, sizeof(struct sgd_profile_file), PROT_READ, MAP_SHARED, fd, 0);
   assert_ptr_not_equal(map, MAP_FAILED);
   close(fd);
   return map;
}

/* Runs a function in a child, and checks that it returns true. Returns the child. */
static pid_t
in_child(bool (*run)(void))
{
   const pid_t pid = fork();
   int status;

   if (pid == 0) {
      alarm(SECONDS);
      _exit(!run());
   }
   assert_true(pid > 0);
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_int_equal(status, 0);
   return pid;
}

/* -- files --------------------------------------------------------------------- */

static struct sgd_profile profile;

static void
close_profile(void)
{
   close(profile.text);
   close(profile.samples);
   memset(&profile, 0, sizeof(profile));
   remove_files();
}

#define CHUNKS (5 * 65536 / 2 / SGD_PROFILE_CHUNK)

static _Atomic unsigned taken;

static void *
take(void *data)
{
   uint64_t first;

   while (atomic_load(&taken) < CHUNKS) {
      if (!sgd_profile_take(&profile, &first))
         continue;
      atomic_fetch_add(&taken, 1);
      for (unsigned i = 0; i < SGD_PROFILE_CHUNK; i++)
         atomic_fetch_add(&profile.file->sample[first + i].time, 1);
   }
   return NULL;
}

/* Threads take samples while the file grows. No two get the same, and none is beyond the end. */
static void
test_space(void **state)
{
   pthread_t thread[THREADS];
   struct stat st;

   assert_true(sgd_profile_open(&profile, folder));
   for (unsigned i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&thread[i], NULL, take, NULL), 0);
   while (atomic_load(&taken) < CHUNKS) {
      sgd_profile_grow(&profile);
      sched_yield();
   }
   for (unsigned i = 0; i < THREADS; i++)
      pthread_join(thread[i], NULL);

   const uint64_t used = profile.file->used;
   assert_int_equal(used, (uint64_t)taken * SGD_PROFILE_CHUNK);
   assert_true(used <= profile.allocated);
   for (uint64_t i = 0; i < profile.allocated; i++)
      assert_int_equal(profile.file->sample[i].time, i < used);
   assert_int_equal(fstat(profile.samples, &st), 0);
   assert_true((uint64_t)st.st_size >= sizeof(*profile.file) + 64 * used);
   close_profile();
}

/* Threads fail to take samples while space is added in small steps. */
static _Atomic bool full;
static _Atomic uint8_t owners[4096];

static void *
take_all(void *data)
{
   uint64_t first;

   for (bool end = false; !end;) {
      end = atomic_load(&full);
      while (sgd_profile_take(&profile, &first))
         atomic_fetch_add(&owners[first / SGD_PROFILE_CHUNK], 1);
   }
   return NULL;
}

static void
test_steps(void **state)
{
   static struct sgd_profile_file file;
   pthread_t thread[THREADS];

   profile.file = &file;
   for (unsigned i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&thread[i], NULL, take_all, NULL), 0);
   for (unsigned i = 0; i < 4096; i++) {
      atomic_fetch_add(&profile.allocated, SGD_PROFILE_CHUNK);
      usleep(10);
   }
   atomic_store(&full, true);
   for (unsigned i = 0; i < THREADS; i++)
      pthread_join(thread[i], NULL);
   assert_int_equal(file.used, profile.allocated);
   for (unsigned i = 0; i < 4096; i++)
      assert_int_equal(owners[i], 1);
   memset(&profile, 0, sizeof(profile));
}

static void
limit_files(rlim_t size)
{
   struct rlimit limit;

   assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
   limit.rlim_cur = size;
   assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The profiler makes no file that is larger than the process may make. */
static void
test_limit(void **state)
{
   static const char line[1000] = "{}";
   const uint64_t first = sizeof(struct sgd_profile_file) + (UINT64_C(64) << 16);
   struct stat st;
   uint64_t at;

   limit_files(first - 1);
   assert_false(sgd_profile_open(&profile, folder));
   assert_int_equal(entries(folder), 0);

   limit_files(first);
   memset(&profile, 0, sizeof(profile));
   assert_true(sgd_profile_open(&profile, folder));
   while (sgd_profile_take(&profile, &at))
      sgd_profile_grow(&profile);
   assert_true(profile.is_full);
   assert_int_equal(profile.file->used, 1 << 16);

   limit_files(2500);
   for (unsigned i = 0; i < 4; i++)
      sgd_profile_text(&profile, line, sizeof(line));
   limit_files(RLIM_INFINITY);
   assert_int_equal(fstat(profile.text, &st), 0);
   assert_int_equal(st.st_size, 2 * sizeof(line));
   close_profile();
}

/* A file that exists is not touched, and the other file doesn't stay. */
static void
test_exists(void **state)
{
   char path[128];

   snprintf(path, sizeof(path), "%s/%ld.samples", folder, (long)getpid());
   close(open(path, O_CREAT | O_WRONLY, 0600));
   assert_false(sgd_profile_open(&profile, folder));
   assert_int_equal(entries(folder), 1);
   assert_int_equal(access(path, F_OK), 0);
   remove_files();
   memset(&profile, 0, sizeof(profile));
}

/* -- workers ------------------------------------------------------------------- */

/* The program of an operation can be freed as soon as the worker has the scheduler's lock. */
static void
test_position(void **state)
{
   struct sgd_worker worker = { .position.shader = (const struct sgd_shader *)&worker };
   struct sgd_sched sched = { .busy = 1 };

   pthread_mutex_init(&sched.lock, NULL);
   sgd_sched_relock(&sched, &worker);
   assert_null(worker.position.shader);
   pthread_mutex_unlock(&sched.lock);
}

/* -- forks --------------------------------------------------------------------- */

static struct sgpu_device *
profiled_device(void)
{
   struct sgpu_device_params params = { .threads = 2, .dispatch = SGPU_DISPATCH_OOO_SPLIT };
   struct sgpu_device *dev;

   strcpy(params.profile, folder);
   assert_int_equal(sgpu_device_create(&params, &dev), 0);
   return dev;
}

/* Fills a buffer on the device, and presents a frame. */
static bool
fill(struct sgpu_device *dev, uint32_t word)
{
   struct sgpu_queue *queue = test_queue(dev);
   struct sgpu_bo *bo = test_bo(dev, 4096);
   struct stream s;

   stream_begin(&s, dev, queue);
   emit_fill(&s, bo, 4096, word);
   stream_run(&s);
   const bool same = *(uint32_t *)sgpu_bo_map(bo) == word;
   sgpu_bo_destroy(bo);
   sgpu_queue_destroy(queue);
   sgpu_device_presented(dev);
   return same;
}

static struct sgpu_device *inherited;

static bool
draws(void)
{
   if (inherited && !fill(inherited, 1))
      return false;
   struct sgpu_device *dev = profiled_device();
   const bool ok = fill(dev, 2);
   sgpu_device_destroy(dev);
   return ok;
}

static bool
draws_and_forks(void)
{
   inherited = profiled_device();
   bool ok = fill(inherited, 3);
   for (unsigned i = 0; i < 3; i++)
      in_child(draws);
   ok &= fill(inherited, 4);
   sgpu_device_destroy(inherited);
   return ok;
}

/* Returns true if all threads in the file are of this process or have ended. */
static bool
has_threads_of(const struct sgd_profile_file *file, const pid_t *others, unsigned count)
{
   bool ok = file->slot[0].tid != 0;

   for (unsigned i = 0; i < SGD_PROFILE_THREADS; i++) {
      for (unsigned n = 0; n < count; n++)
         ok &= file->slot[i].tid != (uint32_t)others[n];
   }
   return ok;
}

/* Children draw with the inherited device and with a new one. The parent's file has nothing of
 * that, and the children have no files.
 */
static void
test_fork(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip();
#endif
   const pid_t pid = in_child(draws_and_forks);
   const struct sgd_profile_file *file = file_of(pid);
   assert_int_equal(file->pid, pid);
   assert_int_equal(file->frames, 2);
   assert_int_equal(entries(folder), 2);
   remove_files();
}

static _Atomic bool is_started;

static void *
start(void *data)
{
   struct sgpu_device *dev = profiled_device();
   atomic_store(&is_started, true);
   return dev;
}

#define FORKS 16

/* Forks again and again while another thread starts the profiler. */
static bool
forks_at_start(void)
{
   pid_t pids[FORKS];
   unsigned count = 0, bad = 0;
   pthread_t thread;
   void *dev;

   if (pthread_create(&thread, NULL, start, NULL))
      return false;
   while (count < FORKS && (count < 2 || !atomic_load(&is_started))) {
      const pid_t pid = fork();
      if (pid == 0) {
         alarm(SECONDS / 3);
         _exit(!draws());
      }
      pids[count++] = pid;
   }
   for (unsigned i = 0; i < count; i++) {
      int status;
      bad += waitpid(pids[i], &status, 0) != pids[i] || status;
   }
   pthread_join(thread, &dev);
   const struct sgd_profile_file *file = file_of(getpid());
   const bool ok = !bad && file->pid == (uint32_t)getpid() && !file->frames &&
                   has_threads_of(file, pids, count);
   sgpu_device_destroy(dev);
   return ok;
}

/* A fork while another thread starts the profiler: the child can make a device, and doesn't write to
 * the parent's file.
 */
static void
test_fork_at_start(void **state)
{
   /* Allocators of sanitizers don't take their locks at a fork. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
   skip();
#endif
   for (unsigned i = 0; i < 8; i++) {
      in_child(forks_at_start);
      remove_files();
   }
}

/* -- threads ------------------------------------------------------------------- */

#define MANY (SGD_PROFILE_THREADS + 100)

static _Atomic bool may_end;

static void *
sleep_long(void *data)
{
   while (!atomic_load(&may_end))
      usleep(1000);
   return NULL;
}

static void *
span(void *data)
{
   for (unsigned i = 0; i < 2; i++)
      sgd_profile_span(data, "test", 5);
   return NULL;
}

/* Counts the first thread, and perhaps one of a sanitizer. A check before the profiler's own thread
 * is known would count that one too.
 */
static unsigned
threads_at_start(struct sgd_profile *p)
{
   bool is_known = false;

   while (!is_known) {
      pthread_mutex_lock(&p->lock);
      is_known = p->checker != 0;
      pthread_mutex_unlock(&p->lock);
      sched_yield();
   }
   sgd_profile_check(p, 0);
   pthread_mutex_lock(&p->lock);
   const unsigned n = p->num_threads;
   pthread_mutex_unlock(&p->lock);
   return n;
}

static bool
runs_many_threads(void)
{
   struct sgd_profile *p = sgd_profile_get(folder);
   pthread_t thread;
   uint64_t ns = 0, count = 0;

   if (!p)
      return false;
   const unsigned others = threads_at_start(p);
   for (unsigned i = 0; i < MANY; i++) {
      if (pthread_create(&thread, NULL, span, p))
         return false;
      pthread_join(thread, NULL);
   }
   const unsigned name = sgd_profile_name(p, "test");
   for (unsigned i = 0; i < SGD_PROFILE_THREADS; i++) {
      ns += p->file->slot[i].span[name].ns;
      count += p->file->slot[i].span[name].count;
   }
   bool ok = ns == 5 * count && count == 2 * (SGD_PROFILE_THREADS - others) &&
             p->file->left_out == MANY + others - SGD_PROFILE_THREADS;
   /* Events of threads that have ended are closed. Spans of threads without a record are lost. */
   sgd_profile_check(p, 0);
   ok &= entries("/proc/self/fd") < 16;
   /* Each check finds this thread, which counts once. */
   ok &= !pthread_create(&thread, NULL, sleep_long, NULL);
   for (unsigned i = 0; i < 3; i++)
      sgd_profile_check(p, i);
   ok &= p->file->left_out == MANY + others + 1 - SGD_PROFILE_THREADS;
   atomic_store(&may_end, true);
   pthread_join(thread, NULL);
   span(p);
   return ok && p->file->slot[0].span[name].count == 2;
}

static void
test_threads(void **state)
{
   in_child(runs_many_threads);
   remove_files();
}

/* -- counters and the signal --------------------------------------------------- */

static bool
counts(void)
{
   struct sgd_profile *p = sgd_profile_get(folder);
   uint64_t one[2] = { 0 }, other[2] = { 0 };

   if (!p)
      return false;
   sgd_profile_count(p, (uint64_t[]){ 5, 1 }, one, 2);
   sgd_profile_count(p, (uint64_t[]){ 100, 0 }, other, 2);
   sgd_profile_count(p, (uint64_t[]){ 8, 1 }, one, 2);
   sgd_profile_count(p, (uint64_t[]){ 6, 1 }, one, 2);
   return p->file->num_counters == 2 && p->file->counters[0] == 108 && p->file->counters[1] == 1;
}

/* The counters of devices are added up. An older value doesn't replace a newer one. */
static void
test_counters(void **state)
{
   in_child(counts);
   remove_files();
}

/* Realtime signals would queue up in threads that block them. */
static bool
has_signal(int wanted)
{
   struct sigaction action;

   return sgd_profile_get(folder) && sgd_profile_signal() == wanted && wanted < SIGRTMIN &&
          !sigaction(wanted, NULL, &action) && action.sa_flags & SA_ONSTACK;
}

static bool
has_the_first(void)
{
   return has_signal(SIGPROF);
}

static bool
has_another(void)
{
   signal(SIGPROF, SIG_IGN);
   return has_signal(SIGSTKFLT);
}

static void
test_signal(void **state)
{
   in_child(has_the_first);
   in_child(has_another);
   remove_files();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_space),         cmocka_unit_test(test_steps),
      cmocka_unit_test(test_limit),         cmocka_unit_test(test_exists),
      cmocka_unit_test(test_position),      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_fork_at_start), cmocka_unit_test(test_threads),
      cmocka_unit_test(test_counters),      cmocka_unit_test(test_signal),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
