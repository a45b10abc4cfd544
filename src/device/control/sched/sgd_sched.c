/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: keeps ready work in two binary heaps, sorted by age.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "control/sched/sgd_sched.h"
#include "common/sgd_time.h"
#include "util/macros.h"

/* How many operations the front end may be ahead of the oldest tile work. With a larger lead, more
 * entries are in a tile queue when the tile is run.
 */
#define SGD_FRONT_LEAD 64

/* Work normally runs in program order. If the queue of the oldest work has used this much more time
 * (in ns) than another queue with ready work, the other queue is next.
 */
#define SGD_TURN_NS 4000000

/* Estimate for the time that a work item takes, in ns. Used until the time has been measured. */
#define SGD_PIECE_NS 1000000

static void
init_lock(struct sgd_sched *s)
{
   pthread_mutexattr_t attr;
   pthread_mutexattr_init(&attr);
#ifdef __GLIBC__
   /* Spin before sleeping, because the holder usually releases the lock sooner than a thread falls
    * asleep.
    */
   pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
   pthread_mutex_init(&s->lock, &attr);
   pthread_mutexattr_destroy(&attr);
}

void
sgd_sched_init(struct sgd_sched *s, const struct sgpu_device_params *params, const uint8_t *memory)
{
   memset(s, 0, sizeof(*s));
   init_lock(s);
   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++)
      s->piece_ns[i] = SGD_PIECE_NS;
   s->random = params->shuffle_seed;
   s->engines = params->engines;
   s->wanted_threads = params->threads;
   s->virtual_slow = params->virtual_threads ? MAX2(params->virtual_slow, 1) : 0;
   s->watchdog = params->watchdog_instructions;
   s->observer = params->observer;
   s->memory = memory;
}

void
sgd_sched_finish(struct sgd_sched *s)
{
   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++) {
      assert(!s->heap[i].reserved);
      free(s->heap[i].work);
   }
   while (s->shares) {
      struct sgd_share *share = s->shares;
      s->shares = share->next;
      free(share);
   }
   pthread_mutex_destroy(&s->lock);
}

struct sgd_share *
sgd_share_open(struct sgd_sched *s)
{
   struct sgd_share *share = s->shares;

   while (share && share->open)
      share = share->next;
   if (!share) {
      share = calloc(1, sizeof(*share));
      if (!share)
         return NULL;
      share->next = s->shares;
      s->shares = share;
   }
   share->open = true;
   share->used_ns = 0;
   s->open_shares++;
   return share;
}

void
sgd_share_close(struct sgd_sched *s, struct sgd_share *share)
{
   assert(share->open && !share->ready);
   share->open = false;
   s->open_shares--;
}

/* Returns the share that has used the least time among those with ready work. */
static struct sgd_share *
least_used(const struct sgd_sched *s)
{
   struct sgd_share *least = NULL;

   for (struct sgd_share *share = s->shares; share; share = share->next) {
      if (share->ready && (!least || share->used_ns < least->used_ns))
         least = share;
   }
   return least;
}

/* Called when a work item of the share becomes ready. If the share had no ready work before, it
 * gets no credit for the time in which it was idle.
 */
static void
share_waits(struct sgd_sched *s, struct sgd_share *share)
{
   if (share->ready++)
      return;
   share->used_ns = MAX2(share->used_ns, s->turn_ns);
   if (s->open_shares > 1)
      share->since = sgd_time_ns();
   s->waiting_shares++;
}

static void
share_taken(struct sgd_sched *s, struct sgd_share *share)
{
   if (!--share->ready)
      s->waiting_shares--;
   s->turn_ns = MAX2(s->turn_ns, share->used_ns);
}

/* Updates s->ready, the number of work items that threads could take now. It is 0 if enough threads
 * are running or the scheduler is paused. Late work is not counted if all raster engines are busy.
 */
void
sgd_sched_update_ready(struct sgd_sched *s)
{
   const uint32_t late = s->engines_busy < s->engines ? s->heap[SGD_WORK_LATE].count : 0;
   const bool free_thread = !s->paused && (!s->started || s->running < s->num_threads);
   const uint32_t ready = free_thread ? s->heap[SGD_WORK_EARLY].count + late : 0;

   /* Don't write the same value again: each write would take the cache line away from spinning
    * threads.
    */
   if (ready != atomic_load_explicit(&s->ready, memory_order_relaxed))
      atomic_store_explicit(&s->ready, ready, memory_order_relaxed);
}

static void
place(struct sgd_heap *heap, uint32_t i, struct sgd_work *work)
{
   heap->work[i] = work;
   work->index = i + 1;
}

static void
sift_up(struct sgd_heap *heap, uint32_t i, struct sgd_work *work)
{
   while (i > 0) {
      const uint32_t parent = (i - 1) / 2;
      if (heap->work[parent]->key <= work->key)
         break;
      place(heap, i, heap->work[parent]);
      i = parent;
   }
   place(heap, i, work);
}

static void
sift_down(struct sgd_heap *heap, uint32_t i, struct sgd_work *work)
{
   for (;;) {
      uint32_t child = 2 * i + 1;
      if (child >= heap->count)
         break;
      if (child + 1 < heap->count && heap->work[child + 1]->key < heap->work[child]->key)
         child++;
      if (work->key <= heap->work[child]->key)
         break;
      place(heap, i, heap->work[child]);
      i = child;
   }
   place(heap, i, work);
}

bool
sgd_sched_reserve(struct sgd_sched *s, enum sgd_work_heap which, uint32_t n)
{
   struct sgd_heap *heap = &s->heap[which];
   const uint64_t needed = (uint64_t)heap->reserved + n;

   if (needed > heap->capacity) {
      const uint64_t capacity = MAX3(64, (uint64_t)heap->capacity * 2, needed);
      if (capacity > UINT32_MAX)
         return false;
      struct sgd_work **work = realloc(heap->work, capacity * sizeof(*work));
      if (!work)
         return false;
      heap->work = work;
      heap->capacity = capacity;
   }
   heap->reserved = needed;
   return true;
}

void
sgd_sched_release(struct sgd_sched *s, enum sgd_work_heap which, uint32_t n)
{
   struct sgd_heap *heap = &s->heap[which];

   assert(heap->reserved >= n && heap->reserved - n >= heap->count);
   heap->reserved -= n;
}

void
sgd_sched_push(struct sgd_sched *s, struct sgd_work *work, uint64_t key)
{
   struct sgd_heap *heap = &s->heap[work->heap];

   assert(!work->index && heap->count < heap->reserved);
   work->key = key;
   if (work->share)
      share_waits(s, work->share);
   heap->count++;
   sift_up(heap, heap->count - 1, work);
   sgd_sched_update_ready(s);
}

struct sgd_work *
sgd_sched_next(const struct sgd_sched *s, enum sgd_work_heap which)
{
   const struct sgd_heap *heap = &s->heap[which];

   return heap->count && !s->random ? heap->work[0] : NULL;
}

void
sgd_sched_take(struct sgd_sched *s, struct sgd_work *work)
{
   struct sgd_heap *heap = &s->heap[work->heap];
   const uint32_t i = work->index - 1;
   struct sgd_work *last = heap->work[--heap->count];

   work->index = 0;
   if (work->share)
      share_taken(s, work->share);
   if (last != work) {
      if (last->key < work->key)
         sift_up(heap, i, last);
      else
         sift_down(heap, i, last);
   }
   sgd_sched_update_ready(s);
}

/* Returns a random number, for tests that run work in random order (xorshift64*, Vigna 2016). */
static uint64_t
next_random(struct sgd_sched *s)
{
   s->random ^= s->random >> 12;
   s->random ^= s->random << 25;
   s->random ^= s->random >> 27;
   return s->random * UINT64_C(0x2545f4914f6cdd1d);
}

/* Returns the oldest work of a share that can run now, or NULL if there is none. */
static struct sgd_work *
oldest_of(const struct sgd_sched *s, const struct sgd_share *share)
{
   struct sgd_work *oldest = NULL;

   for (unsigned h = 0; h < SGD_WORK_HEAPS; h++) {
      const struct sgd_heap *heap = &s->heap[h];
      if (h == SGD_WORK_LATE && s->engines_busy >= s->engines)
         continue;
      for (uint32_t i = 0; i < heap->count; i++) {
         struct sgd_work *work = heap->work[i];
         if (work->share == share && (!oldest || work->key < oldest->key))
            oldest = work;
      }
   }
   return oldest;
}

struct sgd_work *
sgd_sched_pop_share(struct sgd_sched *s, const struct sgd_share *share)
{
   struct sgd_work *work = oldest_of(s, share);

   if (work)
      sgd_sched_take(s, work);
   return work;
}

/* Usually returns `work`. If another queue with ready work has used much less time than the queue
 * of `work`, returns the oldest work of that queue instead.
 */
static struct sgd_work *
in_turn(const struct sgd_sched *s, struct sgd_work *work)
{
   if (!work->share)
      return work;
   const struct sgd_share *least = least_used(s);
   if (work->share->used_ns <= least->used_ns + SGD_TURN_NS)
      return work;
   struct sgd_work *other = oldest_of(s, least);
   return other ? other : work;
}

struct sgd_work *
sgd_sched_pop(struct sgd_sched *s)
{
   struct sgd_heap *early = &s->heap[SGD_WORK_EARLY], *late = &s->heap[SGD_WORK_LATE];
   const uint32_t runnable = s->engines_busy < s->engines ? late->count : 0;
   struct sgd_work *work = NULL;

   if (s->random && early->count + runnable) {
      const uint64_t i = next_random(s) % (early->count + runnable);
      work = i < early->count ? early->work[i] : late->work[i - early->count];
   } else if (early->count && runnable) {
      const bool lead = early->work[0]->key < late->work[0]->key + SGD_FRONT_LEAD;
      work = lead && !s->pressure ? early->work[0] : late->work[0];
   } else if (early->count) {
      work = early->work[0];
   } else if (runnable) {
      work = late->work[0];
   }

   if (work && unlikely(s->waiting_shares > 1) && !s->random)
      work = in_turn(s, work);
   if (work)
      sgd_sched_take(s, work);
   return work;
}

void
sgd_sched_unlock(struct sgd_sched *s)
{
   uint64_t *most = &s->counters[SGPU_COUNTER_BUSY_MAX];

   s->busy++;
   *most = MAX2(*most, s->busy);
   sgd_pool_unlock(s);
}

void
sgd_sched_relock(struct sgd_sched *s, struct sgd_worker *worker)
{
   sgd_position_clear(&worker->position);
   sgd_pool_lock(s);
   s->busy--;
   for (unsigned i = 0; i < SGPU_WORKER_COUNTERS; i++) {
      s->counters[i] += worker->counters[i];
      worker->counters[i] = 0;
   }
}

void
sgd_sched_unlock_engine(struct sgd_sched *s)
{
   uint64_t *most = &s->counters[SGPU_COUNTER_ENGINES_MAX];

   s->engines_busy++;
   *most = MAX2(*most, s->engines_busy);
   sgd_sched_update_ready(s);
   sgd_sched_unlock(s);
}

void
sgd_sched_relock_engine(struct sgd_sched *s, struct sgd_worker *worker)
{
   sgd_sched_relock(s, worker);
   worker->engine = true;
   s->engines_busy--;
   sgd_sched_update_ready(s);
}
