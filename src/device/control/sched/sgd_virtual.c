/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: workers in virtual time. Only one worker thread runs at a time, the one with the
 * lowest virtual clock. Threads only switch when a worker acquires or releases the scheduler's
 * lock, because other workers can't observe what it does in between.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control/sched/sgd_virtual.h"
#include "util/macros.h"

/* Simulated behavior of idle workers. They spin for LOOKS_NS before they sleep, like SGD_SPIN_NS. A
 * spinning worker needs SEES_NS to notice new work, and a sleeping one needs WAKES_NS to wake up.
 */
#define LOOKS_NS 20000
#define SEES_NS 200
#define WAKES_NS 20000

struct virtual_worker {
   struct sgd_virtual *owner;
   pthread_cond_t turn; /* signaled when this worker may run */
   uint64_t clock;      /* virtual time in ns */
   unsigned slow;       /* virtual time is longer than CPU time by this factor */
   uint64_t mark;       /* CPU time of the thread at the last update of `clock`, in ns */
   bool idle;
};

struct sgd_virtual {
   /* Protects the other members. Must be released before the scheduler's lock is acquired. */
   pthread_mutex_t lock;
   pthread_cond_t all_idle;
   struct virtual_worker *turn;   /* the worker that may run now, or NULL if all are idle */
   struct virtual_worker *waking; /* worker that was woken and has not run since, or NULL */
   uint64_t free_at;              /* time in ns when a worker last released the scheduler's lock */
   /* lock_ns: total time in ns that workers have waited for the scheduler's lock; last: the latest
    * time at which a worker became idle
    */
   uint64_t lock_ns, last;
   uint64_t clock_ns; /* the return value of cost_of_clock() */
   unsigned num;      /* number of workers */
   struct virtual_worker workers[];
};

static _Thread_local struct virtual_worker *self;

#ifndef SGD_VIRTUAL_CLOCK
#define SGD_VIRTUAL_CLOCK processor_time

static uint64_t
processor_time(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}
#endif

static struct virtual_worker *
worker_of(const struct sgd_virtual *v)
{
   return self && self->owner == v ? self : NULL;
}

/* Measures how long it takes to read the clock, in ns. Returns the minimum of several tries. */
static uint64_t
cost_of_clock(void)
{
   uint64_t cost = UINT64_MAX, last = SGD_VIRTUAL_CLOCK();

   for (unsigned i = 0; i < 64; i++) {
      const uint64_t now = SGD_VIRTUAL_CLOCK();
      cost = MIN2(cost, now - last);
      last = now;
   }
   return cost;
}

static void
advance(struct virtual_worker *w)
{
   const uint64_t now = SGD_VIRTUAL_CLOCK(), time = now - w->mark;
   w->clock += (time - MIN2(time, w->owner->clock_ns)) * w->slow;
   w->mark = now;
}

struct sgd_virtual *
sgd_virtual_create(unsigned num, unsigned slow)
{
   struct sgd_virtual *v = calloc(1, sizeof(*v) + num * sizeof(v->workers[0]));
   if (!v)
      return NULL;

   pthread_mutex_init(&v->lock, NULL);
   pthread_cond_init(&v->all_idle, NULL);
   v->num = num;
   v->clock_ns = cost_of_clock();
   for (unsigned i = 0; i < num; i++) {
      v->workers[i].owner = v;
      v->workers[i].idle = true;
      v->workers[i].slow = i < num - num / 2 ? 1 : slow;
      pthread_cond_init(&v->workers[i].turn, NULL);
   }
   return v;
}

void
sgd_virtual_destroy(struct sgd_virtual *v)
{
   if (!v)
      return;
   for (unsigned i = 0; i < v->num; i++)
      pthread_cond_destroy(&v->workers[i].turn);
   pthread_cond_destroy(&v->all_idle);
   pthread_mutex_destroy(&v->lock);
   free(v);
}

/* Passes the turn to the worker with the lowest clock that isn't idle. */
static void
pass_turn(struct sgd_virtual *v)
{
   v->turn = NULL;
   for (unsigned i = 0; i < v->num; i++) {
      struct virtual_worker *w = &v->workers[i];
      if (!w->idle && (!v->turn || w->clock < v->turn->clock))
         v->turn = w;
   }
   if (v->turn)
      pthread_cond_signal(&v->turn->turn);
   else
      pthread_cond_broadcast(&v->all_idle);
}

static void
await_turn(struct sgd_virtual *v, struct virtual_worker *w)
{
   while (v->turn != w)
      pthread_cond_wait(&w->turn, &v->lock);
   if (v->waking == w)
      v->waking = NULL;
   w->mark = SGD_VIRTUAL_CLOCK();
}

/* Wakes one worker for work that became ready at time `now`. Picks the one that has been idle for
 * the shortest time.
 */
static void
wake(struct sgd_virtual *v, uint64_t now)
{
   struct virtual_worker *last = NULL;

   for (unsigned i = 0; i < v->num && !v->waking; i++) {
      struct virtual_worker *w = &v->workers[i];
      if (w->idle && (!last || w->clock > last->clock))
         last = w;
   }
   if (last) {
      const bool looks = now < last->clock + LOOKS_NS;
      last->clock = MAX2(last->clock, now + (looks ? SEES_NS : WAKES_NS));
      last->idle = false;
      v->waking = last;
   }
}

static void
own_lock(struct sgd_virtual *v, struct virtual_worker *w)
{
   if (w->clock < v->free_at) {
      v->lock_ns += v->free_at - w->clock;
      w->clock = v->free_at;
   }
}

void
sgd_virtual_enter(struct sgd_virtual *v, unsigned i)
{
   self = &v->workers[i];
   pthread_mutex_lock(&v->lock);
   await_turn(v, self);
   own_lock(v, self);
   pthread_mutex_unlock(&v->lock);
}

void
sgd_virtual_leave(struct sgd_virtual *v)
{
   pthread_mutex_lock(&v->lock);
   self->idle = true;
   pass_turn(v);
   pthread_mutex_unlock(&v->lock);
   self = NULL;
}

uint64_t
sgd_virtual_now(struct sgd_virtual *v)
{
   struct virtual_worker *w = worker_of(v);

   if (!w)
      return v->last;
   advance(w);
   return w->clock;
}

void
sgd_virtual_lock(struct sgd_virtual *v, pthread_mutex_t *lock)
{
   struct virtual_worker *w = worker_of(v);

   if (w) {
      advance(w);
      pthread_mutex_lock(&v->lock);
      pass_turn(v);
      await_turn(v, w);
      own_lock(v, w);
      pthread_mutex_unlock(&v->lock);
   }
   pthread_mutex_lock(lock);
}

void
sgd_virtual_unlock(struct sgd_virtual *v, pthread_mutex_t *lock, bool ready)
{
   struct virtual_worker *w = worker_of(v);

   pthread_mutex_unlock(lock);
   if (w) {
      advance(w);
      pthread_mutex_lock(&v->lock);
      v->free_at = w->clock;
      if (ready)
         wake(v, w->clock);
      pass_turn(v);
      await_turn(v, w);
      pthread_mutex_unlock(&v->lock);
   }
}

void
sgd_virtual_idle(struct sgd_virtual *v, pthread_mutex_t *lock)
{
   struct virtual_worker *w = self;

   pthread_mutex_unlock(lock);
   advance(w);
   pthread_mutex_lock(&v->lock);
   v->free_at = w->clock;
   v->last = MAX2(v->last, w->clock);
   w->idle = true;
   pass_turn(v);
   await_turn(v, w);
   own_lock(v, w);
   pthread_mutex_unlock(&v->lock);
   pthread_mutex_lock(lock);
}

void
sgd_virtual_run(struct sgd_virtual *v, pthread_mutex_t *lock)
{
   pthread_mutex_unlock(lock);
   pthread_mutex_lock(&v->lock);
   if (!v->turn) {
      /* The application thread takes no virtual time, so no worker has gone to sleep yet. */
      for (unsigned i = 0; i < v->num; i++)
         v->workers[i].clock = v->last;
      wake(v, v->last);
      pass_turn(v);
   }
   while (v->turn)
      pthread_cond_wait(&v->all_idle, &v->lock);
   pthread_mutex_unlock(&v->lock);
   pthread_mutex_lock(lock);
}

void
sgd_virtual_stop(struct sgd_virtual *v)
{
   pthread_mutex_lock(&v->lock);
   for (unsigned i = 0; i < v->num; i++) {
      v->workers[i].clock = v->last;
      v->workers[i].idle = false;
   }
   if (!v->turn)
      pass_turn(v);
   pthread_mutex_unlock(&v->lock);
}

void
sgd_virtual_times(struct sgd_virtual *v, uint64_t *total, uint64_t *lock)
{
   pthread_mutex_lock(&v->lock);
   *total = v->last;
   *lock = v->lock_ns;
   pthread_mutex_unlock(&v->lock);
}
