/* SPDX-License-Identifier: MIT */
/*
 * Mesa's job queues across fork().  The child has their memory but not their
 * threads: libc may have given back the threads' stacks, and one of them may have
 * held the queue's lock.  Mesa's exit handler joins the threads and would crash or
 * wait forever.  So the child's queues have no threads and a new lock.
 */
#include "sgpu_fork.h"

#include <pthread.h>

#include "util/u_queue.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct list_head queues;

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
   list_for_each_entry(struct sgpu_fork_queue, note, &queues, link) {
      note->queue->num_threads = 0;
      mtx_init(&note->queue->lock, mtx_plain);
      simple_mtx_init(&note->queue->finish_lock, mtx_plain);
   }
   pthread_mutex_unlock(&lock);
}

static void
init(void)
{
   list_inithead(&queues);
   pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void
sgpu_fork_add_queue(struct sgpu_fork_queue *note, struct util_queue *queue)
{
   pthread_once(&once, init);
   pthread_mutex_lock(&lock);
   note->queue = queue;
   list_addtail(&note->link, &queues);
   pthread_mutex_unlock(&lock);
}

void
sgpu_fork_remove_queue(struct sgpu_fork_queue *note)
{
   if (!note->queue)
      return;
   pthread_mutex_lock(&lock);
   list_del(&note->link);
   pthread_mutex_unlock(&lock);
   note->queue = NULL;
}
