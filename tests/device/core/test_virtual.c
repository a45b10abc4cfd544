/* SPDX-License-Identifier: MIT */
/*
 * Workers in virtual time: pieces of work of known length end at the times, and in the order, in
 * which they would end on that many processors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static _Thread_local uint64_t thread_ns;

static uint64_t
thread_clock(void)
{
   return thread_ns;
}

#define SGD_VIRTUAL_CLOCK thread_clock
#include "control/sched/sgd_virtual.c"

#define WORKERS 4
#define PIECES 16

struct piece {
   uint64_t locked, computed; /* duration with the lock, then without it, in ns */
   unsigned makes;            /* number of pieces that become ready when this one has ended */
};

struct pool {
   struct sgd_virtual *v;
   pthread_mutex_t lock;
   const struct piece *pieces;
   unsigned ready, taken; /* numbers of pieces: pieces below `ready` may be taken */
   bool stopping;
   uint64_t clocks[2 * PIECES]; /* times at which the lock was taken, in virtual ns */
   unsigned num_clocks;
};

struct thread {
   struct pool *pool;
   unsigned index;
   pthread_t thread;
};

static void
take_lock(struct pool *p)
{
   sgd_virtual_lock(p->v, &p->lock);
   if (p->num_clocks < 2 * PIECES)
      p->clocks[p->num_clocks++] = sgd_virtual_now(p->v);
}

static void *
thread_main(void *data)
{
   struct thread *t = data;
   struct pool *p = t->pool;

   sgd_virtual_enter(p->v, t->index);
   pthread_mutex_lock(&p->lock);
   while (!p->stopping) {
      if (p->taken == p->ready) {
         sgd_virtual_idle(p->v, &p->lock);
         continue;
      }
      const struct piece *piece = &p->pieces[p->taken++];
      thread_ns += piece->locked;
      sgd_virtual_unlock(p->v, &p->lock, p->taken < p->ready);
      thread_ns += piece->computed;
      take_lock(p);
      p->ready += piece->makes;
   }
   pthread_mutex_unlock(&p->lock);
   sgd_virtual_leave(p->v);
   return NULL;
}

/* Runs the pieces, of which `ready` may be taken at the start, `runs` times. Returns the virtual
 * time that this takes, and in *lock_ns the time for which workers waited for the lock.
 */
static uint64_t
run_slow(unsigned workers, unsigned slow, const struct piece *pieces, unsigned ready, unsigned runs,
         uint64_t *lock_ns)
{
   struct pool p = { .v = sgd_virtual_create(workers, slow), .pieces = pieces };
   struct thread threads[WORKERS];
   uint64_t total;

   assert_non_null(p.v);
   pthread_mutex_init(&p.lock, NULL);
   for (unsigned i = 0; i < workers; i++) {
      threads[i] = (struct thread){ .pool = &p, .index = i };
      assert_int_equal(pthread_create(&threads[i].thread, NULL, thread_main, &threads[i]), 0);
   }

   pthread_mutex_lock(&p.lock);
   for (unsigned i = 0; i < runs; i++) {
      p.taken = 0;
      p.ready = ready;
      sgd_virtual_run(p.v, &p.lock);
      assert_int_equal(p.taken, p.ready);
   }
   p.stopping = true;
   sgd_virtual_stop(p.v);
   pthread_mutex_unlock(&p.lock);
   for (unsigned i = 0; i < workers; i++)
      pthread_join(threads[i].thread, NULL);

   for (unsigned i = 1; i < p.num_clocks; i++)
      assert_true(p.clocks[i] >= p.clocks[i - 1]);
   sgd_virtual_times(p.v, &total, lock_ns);
   sgd_virtual_destroy(p.v);
   pthread_mutex_destroy(&p.lock);
   return total;
}

static uint64_t
run(unsigned workers, const struct piece *pieces, unsigned ready, unsigned runs, uint64_t *lock_ns)
{
   return run_slow(workers, 1, pieces, ready, runs, lock_ns);
}

static void
test_independent(void **state)
{
   struct piece pieces[8];
   uint64_t lock_ns;

   for (unsigned i = 0; i < 8; i++)
      pieces[i] = (struct piece){ .computed = 1000 };
   assert_int_equal(run(1, pieces, 8, 1, &lock_ns), SEES_NS + 8000);
   /* Each worker sees the work that the previous one has left. */
   assert_int_equal(run(4, pieces, 8, 1, &lock_ns), 4 * SEES_NS + 2000);
   assert_int_equal(lock_ns, 0);
   assert_int_equal(run(4, pieces, 8, 3, &lock_ns), 3 * (4 * SEES_NS + 2000));
}

static void
test_lock(void **state)
{
   struct piece pieces[8];
   uint64_t lock_ns;

   for (unsigned i = 0; i < 8; i++)
      pieces[i] = (struct piece){ .locked = 500, .computed = 100 };
   assert_int_equal(run(1, pieces, 8, 1, &lock_ns), SEES_NS + 8 * 600);
   assert_int_equal(lock_ns, 0);
   /* The second worker comes while the first one has the lock for its second piece. From then on,
    * the lock is never free.
    */
   assert_int_equal(run(4, pieces, 8, 1, &lock_ns), SEES_NS + 8 * 500 + 2 * 100);
   assert_true(lock_ns > 0);
}

static void
test_sleep(void **state)
{
   const struct piece pieces[] = {
      { .computed = 1000 },
      { .computed = 2 * LOOKS_NS, .makes = 2 },
      { .computed = 30 * LOOKS_NS },
      { .computed = 30 * LOOKS_NS },
   };
   uint64_t lock_ns;

   /* The worker of the first piece sleeps when the second piece ends. */
   assert_int_equal(run(2, pieces, 2, 1, &lock_ns), 2 * SEES_NS + 32 * LOOKS_NS + WAKES_NS);
}

static void
test_slow(void **state)
{
   const struct piece pieces[3] = { { .computed = 1000 },
                                    { .computed = 1000 },
                                    { .computed = 900 } };
   uint64_t lock_ns;

   /* The second worker runs the second piece alone. */
   assert_int_equal(run_slow(2, 2, pieces, 3, 1, &lock_ns), 2 * SEES_NS + 2 * 1000);
   assert_int_equal(run_slow(2, 3, pieces, 3, 1, &lock_ns), 2 * SEES_NS + 3 * 1000);
   assert_int_equal(run_slow(1, 3, pieces, 3, 1, &lock_ns), SEES_NS + 2900);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_independent),
      cmocka_unit_test(test_lock),
      cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_slow),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
