/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: workers in virtual time, to learn what queues and the lock allow on a machine
 * with more processors than this one.
 *
 * Work really runs, one worker at a time, in the order of its virtual time.  The clock of a
 * worker advances by the processor time that it takes, by waits for the lock, which has one
 * owner in virtual time as well, and by the time to wake it.  So order, sizes and conflicts of
 * pieces of work are the device's own; processors that share caches and memory bandwidth are
 * not simulated.
 *
 * Workers run only while a thread of the program waits, which so does not wait for a processor.
 */
#ifndef SGD_VIRTUAL_H
#define SGD_VIRTUAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sgd_virtual;

/* For num workers, all of which are idle.  The second half of them, rounded down, takes `slow`
 * times as long, which is at least 1.  NULL: out of memory.
 */
struct sgd_virtual *sgd_virtual_create(unsigned num, unsigned slow);
void sgd_virtual_destroy(struct sgd_virtual *v);

/* The calling thread is worker i from now on. */
void sgd_virtual_enter(struct sgd_virtual *v, unsigned i);
/* The calling thread, which does not hold the lock, is no worker any more. */
void sgd_virtual_leave(struct sgd_virtual *v);
/* The calling worker's clock; that of the last worker for other threads.  ns. */
uint64_t sgd_virtual_now(struct sgd_virtual *v);

/* The scheduler's lock.  Threads that are no workers take and leave it without time. */
void sgd_virtual_lock(struct sgd_virtual *v, pthread_mutex_t *lock);
/* ready: work is, for another worker. */
void sgd_virtual_unlock(struct sgd_virtual *v, pthread_mutex_t *lock, bool ready);
/* Lock held: waits until work is ready, or the pool stops. */
void sgd_virtual_idle(struct sgd_virtual *v, pthread_mutex_t *lock);

/* Lock held, and dropped meanwhile; not by a worker.  Runs until all workers are idle. */
void sgd_virtual_run(struct sgd_virtual *v, pthread_mutex_t *lock);
/* Lock held.  Idle workers find out that the pool stops. */
void sgd_virtual_stop(struct sgd_virtual *v);

/* ns since the beginning: while at least one worker was not idle; all workers' waits for the
 * lock.
 */
void sgd_virtual_times(struct sgd_virtual *v, uint64_t *total, uint64_t *lock);

#endif
