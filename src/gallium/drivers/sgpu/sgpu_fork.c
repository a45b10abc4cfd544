/* SPDX-License-Identifier: MIT */
/*
 * Mesa's job queues across fork().  The child has their memory but not their
 * threads, whose stacks libc may have given back and who may have held the
 * queue's lock: Mesa's exit handler, which joins them, would crash or wait
 * forever.  So the child's queues have no threads and a new lock.
 */
#include "sgpu_fork.h"

#include <pthread.h>

#include "util/u_dynarray.h"
#include "util/u_queue.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct util_dynarray queues;

static void
before_fork(void)
{
   pthread_mutex_lock(&lock);
}

static void
after_fork_in_parent(void)
{
   pthread_mutex_unlock(&lock);
}

static void
after_fork_in_child(void)
{
   util_dynarray_foreach(&queues, struct util_queue *, queue) {
      (*queue)->num_threads = 0;
      mtx_init(&(*queue)->lock, mtx_plain);
      simple_mtx_init(&(*queue)->finish_lock, mtx_plain);
   }
   pthread_mutex_unlock(&lock);
}

static void
init(void)
{
   util_dynarray_init(&queues, NULL);
   pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void
sgpu_fork_add_queue(struct util_queue *queue)
{
   pthread_once(&once, init);
   pthread_mutex_lock(&lock);
   util_dynarray_append(&queues, struct util_queue *, queue);
   pthread_mutex_unlock(&lock);
}

void
sgpu_fork_remove_queue(struct util_queue *queue)
{
   pthread_mutex_lock(&lock);
   util_dynarray_delete_unordered(&queues, struct util_queue *, queue);
   pthread_mutex_unlock(&lock);
}
