/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the watch is a thread that doesn't run work, but checks several times a second what
 * the other threads are doing. It measures CPU time, which doesn't include other processes.
 *
 * If all threads are running long work items of some queues, other queues would have to wait. In
 * this case, the watch starts another thread, the relief thread, which only runs work of a waiting
 * queue. Since there are now more threads than CPUs, the host divides the CPU time among them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sgd_lock.h"
#include "control/sched/sgd_thread.h"
#include "common/sgd_time.h"
#include "sgpu_fp.h"
#include "util/macros.h"
#include "util/u_thread.h"

/* Time in ns between two calls of the look() callback. */
#define SGD_LOOK_NS 100000000
/* With several queues, check this often (in ns) if a queue has to wait. */
#define SGD_SHORT_LOOK_NS 8000000
/* If a work item of the helper still runs at this time (in ns) after help_end, signals have been
 * blocked for too long.
 */
#define SGD_LONG_PIECE_NS 200000000
/* A queue gets the relief thread if its work has been waiting for this time, in ns. */
#define SGD_RELIEF_NS 8000000

struct sgd_watch {
   void (*look)(void *data, const struct sgd_watched *watched, unsigned count);
   void *data;
   pthread_cond_t wake, relieve; /* wake: for the watch thread; relieve: for the relief thread */
   pthread_t thread, relief;
   bool started, relief_started;
   bool asleep;                /* the watch is sleeping, because there is no work */
   struct sgd_share *relieved; /* share of the queue whose work the relief thread runs, or NULL */
   uint64_t looked;            /* time of the last measurement (sgd_time_ns) */
   uint64_t *cpu_ns;           /* CPU time of each thread at the last measurement, in ns */
   /* CPU time that each thread used between the last two measurements */
   struct sgd_watched *watched;
};

int
sgd_watch_want(struct sgd_sched *s,
               void (*look)(void *data, const struct sgd_watched *watched, unsigned count),
               void *data)
{
   if (s->watch || s->observer || s->virtual_slow)
      return 0;
   struct sgd_watch *watch = calloc(1, sizeof(*watch));
   if (!watch)
      return -ENOMEM;
   watch->look = look;
   watch->data = data;
   sgd_cond_init(&watch->wake);
   sgd_cond_init(&watch->relieve);
   s->watch = watch;
   if (s->started)
      sgd_watch_start(s);
   return 0;
}

void
sgd_watch_wake(struct sgd_sched *s)
{
   if (s->watch && s->watch->asleep)
      pthread_cond_signal(&s->watch->wake);
}

static unsigned
count_threads(const struct sgd_sched *s)
{
   return s->num_threads + SGD_OTHER_THREADS;
}

/* Returns true if thread `i` exists at the moment. */
static bool
is_there(const struct sgd_sched *s, unsigned i)
{
   return i < s->num_threads ||
          (i == s->num_threads + SGD_THREAD_HELPER ? s->helper != NULL : s->watch->relief_started);
}

static uint64_t
processor_time(pthread_t thread)
{
   clockid_t clock;
   struct timespec t;

   if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
      return 0;
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

/* Measures how much CPU time each thread has used since the last measurement. The helper may be
 * another thread now, whose CPU time is unrelated, so differences that can't be true are replaced
 * by 0.
 */
static void
measure(struct sgd_sched *s, uint64_t now)
{
   struct sgd_watch *watch = s->watch;
   const uint64_t most = now - watch->looked;

   for (unsigned i = 0; i < count_threads(s); i++) {
      const uint64_t time = is_there(s, i) ? processor_time(s->threads[i].thread) : 0;
      const uint64_t worked = time - watch->cpu_ns[i];

      watch->watched[i].worker = &s->threads[i].worker;
      watch->watched[i].worked_ns = worked <= most + most / 8 ? worked : 0;
      watch->cpu_ns[i] = time;
   }
   watch->looked = now;
}

static bool
is_for(int number, const int *numbers, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (numbers[i] == number)
         return true;
   }
   return false;
}

/* The helper blocks signals while it runs a work item. Returns the pending signals that can't wait
 * until it is done. These are signals that terminate the process because they have no handler. If
 * the item takes long, requests to terminate are included even if they have a handler. Signals that
 * the application has blocked itself are excluded.
 */
static sigset_t
wanted_signals(const struct sgd_sched *s, bool long_piece)
{
   static const int ends[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2 };
   static const int asks[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
   sigset_t pending, wanted;

   sigemptyset(&wanted);
   if (sigpending(&pending))
      return wanted;
   for (unsigned i = 0; i < ARRAY_SIZE(ends); i++) {
      struct sigaction action;
      if (!sigismember(&pending, ends[i]) || sigismember(&s->helper->signals, ends[i]) ||
          sigaction(ends[i], NULL, &action))
         continue;
      const bool handled = action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL;
      if (!handled || (long_piece && is_for(ends[i], asks, ARRAY_SIZE(asks))))
         sigaddset(&wanted, ends[i]);
   }
   return wanted;
}

/* Handles pending signals on a separate thread, because a handler may take any time or end the
 * process. The thread has no current GL context.
 */
static void *
signals_main(void *data)
{
   const sigset_t *wanted = data;

   u_thread_setname("sgpu:signals");
   pthread_sigmask(SIG_UNBLOCK, wanted, NULL);
   free(data);
   return NULL;
}

static void
pass_signals_on(const struct sgd_sched *s, uint64_t now)
{
   if (!s->helper)
      return;
   const sigset_t wanted = wanted_signals(s, now > s->help_end + SGD_LONG_PIECE_NS);
   if (sigisemptyset(&wanted))
      return;
   sigset_t *copy = malloc(sizeof(*copy));
   pthread_attr_t attr;
   pthread_t thread;
   if (!copy)
      return;
   *copy = wanted;
   pthread_attr_init(&attr);
   pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
   /* If this fails, the watch tries again after SGD_LOOK_NS. */
   if (pthread_create(&thread, &attr, signals_main, copy))
      free(copy);
   pthread_attr_destroy(&attr);
}

static void *
relief_main(void *data)
{
   struct sgd_sched *s = data;
   struct sgd_watch *watch = s->watch;
   struct sgd_worker *w = &sgd_thread_other(s, SGD_THREAD_RELIEF)->worker;

   u_thread_setname("sgpu:relief");
   const uint64_t fp = sgpu_fp_enter();
   pthread_mutex_lock(&s->lock);
   while (!s->stopping) {
      struct sgd_work *work = NULL;
      if (watch->relieved && s->running >= s->num_threads && !s->paused)
         work = sgd_sched_pop_share(s, watch->relieved);
      if (work) {
         sgd_pool_run(s, w, work);
      } else {
         watch->relieved = NULL;
         pthread_cond_wait(&watch->relieve, &s->lock);
      }
   }
   pthread_mutex_unlock(&s->lock);
   sgpu_fp_leave(fp);
   return NULL;
}

/* Returns the share that has waited longest because other queues use all threads, or NULL if none
 * has waited for too long.
 */
static struct sgd_share *
find_waiting(const struct sgd_sched *s, uint64_t now)
{
   struct sgd_share *found = NULL;

   for (struct sgd_share *share = s->shares; share; share = share->next) {
      if (share->ready && !share->running && now > share->since &&
          now - share->since > SGD_RELIEF_NS && (!found || share->since < found->since))
         found = share;
   }
   return found;
}

/* Returns true if the only worker runs a work item whose atomic operations are plain reads and
 * writes. The item was started when there was only one queue, so no other thread may access memory
 * until it ends.
 */
static bool
is_alone(const struct sgd_sched *s)
{
   for (unsigned i = 0; s->num_threads == 1 && i < count_threads(s); i++) {
      if (__atomic_load_n(&s->threads[i].worker.alone, __ATOMIC_RELAXED))
         return true;
   }
   return false;
}

static void
relieve(struct sgd_sched *s, uint64_t now)
{
   struct sgd_watch *watch = s->watch;

   if (watch->relieved || s->running < s->num_threads || is_alone(s))
      return;
   watch->relieved = find_waiting(s, now);
   if (!watch->relieved)
      return;
   if (!watch->relief_started) {
      if (pthread_create(&watch->relief, NULL, relief_main, s)) {
         watch->relieved = NULL;
         return;
      }
      sgd_thread_other(s, SGD_THREAD_RELIEF)->thread = watch->relief;
      watch->relief_started = true;
   }
   pthread_cond_signal(&watch->relieve);
}

static bool
has_work(const struct sgd_sched *s)
{
   return s->running || s->heap[SGD_WORK_EARLY].count || s->heap[SGD_WORK_LATE].count;
}

static void *
watch_main(void *data)
{
   struct sgd_sched *s = data;
   struct sgd_watch *watch = s->watch;

   u_thread_setname("sgpu:watch");
   pthread_mutex_lock(&s->lock);
   watch->looked = sgd_time_ns();
   measure(s, watch->looked);
   while (!s->stopping) {
      if (!has_work(s)) {
         watch->asleep = true;
         pthread_cond_wait(&watch->wake, &s->lock);
         watch->asleep = false;
         measure(s, sgd_time_ns());
         continue;
      }
      const uint64_t time = s->open_shares > 1 ? SGD_SHORT_LOOK_NS : SGD_LOOK_NS;
      const uint64_t until = sgd_time_ns() + time;
      const struct timespec t = { .tv_sec = until / 1000000000u, .tv_nsec = until % 1000000000u };
      pthread_cond_timedwait(&watch->wake, &s->lock, &t);
      const uint64_t now = sgd_time_ns();
      relieve(s, now);
      if (now - watch->looked >= SGD_LOOK_NS) {
         measure(s, now);
         watch->look(watch->data, watch->watched, count_threads(s));
         pass_signals_on(s, now);
      }
   }
   pthread_mutex_unlock(&s->lock);
   return NULL;
}

bool
sgd_watch_start(struct sgd_sched *s)
{
   struct sgd_watch *watch = s->watch;

   if (!watch || watch->started)
      return true;
   if (!watch->cpu_ns) {
      watch->cpu_ns = calloc(count_threads(s), sizeof(*watch->cpu_ns));
      watch->watched = calloc(count_threads(s), sizeof(*watch->watched));
   }
   if (!watch->cpu_ns || !watch->watched)
      return false;
   sigset_t old;
   sgd_block_signals(&old);
   watch->started = !pthread_create(&watch->thread, NULL, watch_main, s);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return watch->started;
}

void
sgd_watch_stop(struct sgd_sched *s)
{
   struct sgd_watch *watch = s->watch;

   if (!watch)
      return;
   pthread_mutex_lock(&s->lock);
   pthread_cond_broadcast(&watch->wake);
   pthread_cond_broadcast(&watch->relieve);
   pthread_mutex_unlock(&s->lock);
   if (watch->started)
      pthread_join(watch->thread, NULL);
   pthread_mutex_lock(&s->lock);
   pthread_cond_broadcast(&watch->relieve);
   pthread_mutex_unlock(&s->lock);
   if (watch->relief_started)
      pthread_join(watch->relief, NULL);
   pthread_cond_destroy(&watch->wake);
   pthread_cond_destroy(&watch->relieve);
   free(watch->cpu_ns);
   free(watch->watched);
   free(watch);
   s->watch = NULL;
}

void
sgd_watch_after_fork_child(struct sgd_sched *s)
{
   struct sgd_watch *watch = s->watch;

   if (!watch)
      return;
   sgd_cond_init(&watch->wake);
   sgd_cond_init(&watch->relieve);
   watch->started = watch->relief_started = watch->asleep = false;
   watch->relieved = NULL;
   /* The child may create a different number of threads, so allocate these again. */
   free(watch->cpu_ns);
   free(watch->watched);
   watch->cpu_ns = NULL;
   watch->watched = NULL;
}
