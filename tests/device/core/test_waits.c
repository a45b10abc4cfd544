/* SPDX-License-Identifier: MIT */
/*
 * Threads of the program that wait: which of them run work, in which state, and how many threads
 * run work at once.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../unit.h"
#include "control/sched/sgd_sched.h"
#include "common/sgd_time.h"
#include "sgpu_fp.h"

#define PIECES 64

/* One piece of work. The last piece that runs ends the wait. */
struct piece {
   struct sgd_work work;
   struct test *test;
};

struct test {
   struct sgd_sched sched;
   struct sgd_waiter waiter;
   struct piece pieces[PIECES];
   /* number of pieces that have not run: of the waiter's queue, of the other queue */
   unsigned left, others_left;
   pthread_t waiting;
   unsigned by_waiting;      /* number of pieces that the waiting thread has run */
   _Atomic unsigned at_once; /* number of threads that are running a piece */
   /* true if too many threads ran pieces at once, or the waiting thread ran one of the other queue;
    * true if a thread ran a piece with a wrong signal mask or floating point mode
    */
   _Atomic bool over, signal;
   uint64_t deadline;
   bool helps, ended;
};

static void
run(struct sgd_work *work, struct sgd_worker *worker)
{
   struct test *t = ((struct piece *)work)->test;
   sigset_t mask;

   t->by_waiting += pthread_equal(pthread_self(), t->waiting) != 0;
   sgd_sched_unlock(&t->sched);
   if (t->at_once++ >= t->sched.num_threads)
      t->over = true;
   pthread_sigmask(SIG_SETMASK, NULL, &mask);
   if (!sigismember(&mask, SIGUSR1) || sigismember(&mask, SIGSEGV) || !sgpu_fp_mode_ok())
      t->signal = true;
   usleep(50);
   t->at_once--;
   sgd_sched_relock(&t->sched, worker);
   if (--t->left == 0)
      sgd_waiter_done(&t->waiter);
}

static void *
wait_for_all(void *data)
{
   struct test *t = data;

   sgd_sched_enter(&t->sched, &t->waiter.signals);
   t->waiting = pthread_self();
   for (unsigned i = 0; i < t->left; i++)
      sgd_sched_push(&t->sched, &t->pieces[i].work, i);
   /* A thread that helps keeps the lock, so that it takes the first piece before a worker can. */
   if (!t->helps) {
      sgd_pool_unlock(&t->sched);
      pthread_mutex_lock(&t->sched.lock);
   }
   t->ended = sgd_pool_wait(&t->sched, &t->waiter, t->deadline);
   sgd_sched_leave(&t->sched, &t->waiter.signals);
   return NULL;
}

/* Waits for `count` pieces in a new thread with a stack of `stack` bytes, or in this thread if
 * stack is 0.
 */
static void
run_pieces(struct test *t, unsigned threads, unsigned count, uint64_t deadline, size_t stack)
{
   const struct sgpu_device_params params = { .threads = threads, .engines = threads };

   const uint64_t begin = sgd_time_ns();
   memset(t, 0, sizeof(*t));
   sgd_sched_init(&t->sched, &params, NULL);
   t->left = count;
   t->deadline = deadline;
   t->helps = deadline == UINT64_MAX && !stack;
   pthread_mutex_lock(&t->sched.lock);
   assert_int_equal(sgd_pool_start(&t->sched), 0);
   assert_true(sgd_sched_reserve(&t->sched, SGD_WORK_EARLY, count));
   pthread_mutex_unlock(&t->sched.lock);
   for (unsigned i = 0; i < count; i++) {
      t->pieces[i].test = t;
      t->pieces[i].work.run = run;
   }
   if (stack) {
      pthread_attr_t attr;
      pthread_t thread;
      pthread_attr_init(&attr);
      assert_int_equal(pthread_attr_setstacksize(&attr, stack), 0);
      assert_int_equal(pthread_create(&thread, &attr, wait_for_all, t), 0);
      pthread_join(thread, NULL);
      pthread_attr_destroy(&attr);
   } else {
      wait_for_all(t);
   }
   assert_true(t->ended);
   assert_int_equal(t->left, 0);
   assert_false(t->over);
   assert_false(t->signal);
   assert_null(t->sched.helper);
   sgd_pool_stop(&t->sched);
   /* While the waiting thread works in the place of a worker, this worker does not count as idle.
    */
   assert_true(t->sched.counters[SGPU_COUNTER_BUSY_NS] + t->sched.counters[SGPU_COUNTER_IDLE_NS] <=
               threads * (sgd_time_ns() - begin));
   assert_true(t->sched.counters[SGPU_COUNTER_BUSY_NS] >= count * UINT64_C(50000));
   pthread_mutex_lock(&t->sched.lock);
   sgd_sched_release(&t->sched, SGD_WORK_EARLY, count);
   pthread_mutex_unlock(&t->sched.lock);
   sgd_sched_finish(&t->sched);
}

/* The waiting thread holds the lock from the push on, so it runs the first piece. */
static void
test_helps(void **state)
{
   struct test t;
   sigset_t before, after;

   pthread_sigmask(SIG_SETMASK, NULL, &before);
   run_pieces(&t, 1, 1, UINT64_MAX, 0);
   assert_int_equal(t.by_waiting, 1);
   run_pieces(&t, 1, PIECES, UINT64_MAX, 0);
   assert_true(t.by_waiting >= 1);
   run_pieces(&t, 3, PIECES, UINT64_MAX, 0);
   assert_true(t.by_waiting >= 1);
   pthread_sigmask(SIG_SETMASK, NULL, &after);
   assert_int_equal(sigismember(&before, SIGUSR1), sigismember(&after, SIGUSR1));
}

static void
test_sleeps(void **state)
{
   struct test t;

   run_pieces(&t, 2, PIECES, sgd_time_ns() + UINT64_C(60000000000), 0);
   assert_int_equal(t.by_waiting, 0);
   run_pieces(&t, 2, PIECES, UINT64_MAX, 256 * 1024);
   assert_int_equal(t.by_waiting, 0);
}

/* A wait ends at its deadline if nothing happens. */
static void
test_time_out(void **state)
{
   const struct sgpu_device_params params = { .threads = 1, .engines = 1 };
   struct sgd_waiter w = { .done = false };
   struct sgd_sched s;

   sgd_sched_init(&s, &params, NULL);
   sgd_sched_enter(&s, &w.signals);
   assert_int_equal(sgd_pool_start(&s), 0);
   const uint64_t end = sgd_time_ns() + 1000000;
   assert_false(sgd_pool_wait(&s, &w, end));
   assert_true(sgd_time_ns() >= end);
   sgd_sched_leave(&s, &w.signals);
   sgd_pool_stop(&s);
   sgd_sched_finish(&s);
}

/* Signal handlers of the waiting thread may call the driver. A handler that ran while its thread
 * holds the lock would wait for ever.
 */
static struct sgd_sched *handled;
static volatile sig_atomic_t handlers;

static void
on_alarm(int signal)
{
   sigset_t signals;

   sgd_sched_enter(handled, &signals);
   sgd_sched_leave(handled, &signals);
   handlers++;
}

static void
test_handlers(void **state)
{
   const struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { 0 };
   struct sigaction old, action = { .sa_handler = on_alarm };
   struct test t;

   handled = &t.sched;
   for (unsigned n = 0; n < 1000 && handlers < 200; n++) {
      const struct sgpu_device_params params = { .threads = 2, .engines = 2 };
      memset(&t, 0, sizeof(t));
      sgd_sched_init(&t.sched, &params, NULL);
      t.left = PIECES;
      t.deadline = UINT64_MAX;
      t.helps = n % 2;
      for (unsigned i = 0; i < PIECES; i++) {
         t.pieces[i].test = &t;
         t.pieces[i].work.run = run;
      }
      pthread_mutex_lock(&t.sched.lock);
      assert_int_equal(sgd_pool_start(&t.sched), 0);
      assert_true(sgd_sched_reserve(&t.sched, SGD_WORK_EARLY, PIECES));
      pthread_mutex_unlock(&t.sched.lock);
      sigaction(SIGALRM, &action, &old);
      setitimer(ITIMER_REAL, &often, NULL);
      wait_for_all(&t);
      setitimer(ITIMER_REAL, &never, NULL);
      sigaction(SIGALRM, &old, NULL);
      assert_true(t.ended);
      sgd_pool_stop(&t.sched);
      sgd_sched_release(&t.sched, SGD_WORK_EARLY, PIECES);
      sgd_sched_finish(&t.sched);
   }
   assert_true(handlers >= 200);
}

/* Runs for the given time without the lock. */
static void
run_for(struct sgd_work *work, struct sgd_worker *worker, unsigned us)
{
   struct test *t = ((struct piece *)work)->test;

   sgd_sched_unlock(&t->sched);
   usleep(us);
   sgd_sched_relock(&t->sched, worker);
}

static void
run_other(struct sgd_work *work, struct sgd_worker *worker)
{
   struct test *t = ((struct piece *)work)->test;

   t->over |= pthread_equal(pthread_self(), t->waiting) && t->left;
   run_for(work, worker, 2000);
   t->others_left--;
}

static void
run_own(struct sgd_work *work, struct sgd_worker *worker)
{
   struct test *t = ((struct piece *)work)->test;

   run_for(work, worker, 500);
   if (--t->left == 0)
      sgd_waiter_done(&t->waiter);
}

/* With work of two queues, the waiting thread runs pieces of the queue that it waits for. */
static void
test_own(void **state)
{
   const struct sgpu_device_params params = { .threads = 2, .engines = 2 };
   struct test t = { .waiting = pthread_self() };
   struct sgd_share *own, *others;

   sgd_sched_init(&t.sched, &params, NULL);
   struct sgd_sched *s = &t.sched;
   sgd_sched_enter(s, &t.waiter.signals);
   assert_int_equal(sgd_pool_start(s), 0);
   assert_true(sgd_sched_reserve(s, SGD_WORK_EARLY, PIECES));
   own = sgd_share_open(s);
   others = sgd_share_open(s);
   t.waiter.share = own;
   t.left = t.others_left = PIECES / 2;
   for (unsigned i = 0; i < PIECES; i++) {
      struct piece *piece = &t.pieces[i];
      piece->work.run = i % 2 ? run_own : run_other;
      piece->work.share = i % 2 ? own : others;
      piece->test = &t;
      sgd_sched_push(s, &piece->work, i);
   }
   assert_true(sgd_pool_wait(s, &t.waiter, UINT64_MAX));
   sgd_sched_leave(s, &t.waiter.signals);
   pthread_mutex_lock(&s->lock);
   while (t.others_left) {
      pthread_mutex_unlock(&s->lock);
      usleep(1000);
      pthread_mutex_lock(&s->lock);
   }
   pthread_mutex_unlock(&s->lock);
   sgd_pool_stop(s);
   assert_false(t.over);
   pthread_mutex_lock(&s->lock);
   sgd_share_close(s, own);
   sgd_share_close(s, others);
   sgd_sched_release(s, SGD_WORK_EARLY, PIECES);
   pthread_mutex_unlock(&s->lock);
   sgd_sched_finish(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_helps),    cmocka_unit_test(test_sleeps),
      cmocka_unit_test(test_time_out), cmocka_unit_test(test_handlers),
      cmocka_unit_test(test_own),
   };
   return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
