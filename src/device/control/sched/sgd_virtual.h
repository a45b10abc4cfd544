/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: workers in virtual time, which measure the parallelism that queues and the scheduler's
 * lock allow on a machine with more CPUs than this one.
 *
 * The work is really executed, but by one worker at a time, in the order of virtual time. The clock
 * of a worker advances by its CPU time, the time it waits for the lock, and the time it takes to
 * wake up. The lock has a single owner in virtual time, too. As a result, the order, the sizes and
 * the conflicts of pieces of work are the same as on a real device. Shared caches and memory
 * bandwidth are not simulated. Workers only run while an application thread waits, so that they
 * don't compete with this thread for a CPU.
 */
#ifndef SGD_VIRTUAL_H
#define SGD_VIRTUAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sgd_virtual;

/* Creates the virtual time of `num` workers, which are all idle at first. The second half of the
 * workers, rounded down, is slower by the factor `slow`, at least 1. Returns NULL on allocation
 * failure.
 */
struct sgd_virtual *sgd_virtual_create(unsigned num, unsigned slow);
void sgd_virtual_destroy(struct sgd_virtual *v);

/* Makes the calling thread worker i. */
void sgd_virtual_enter(struct sgd_virtual *v, unsigned i);
/* Ends the calling thread's role as a worker. Called without the lock. */
void sgd_virtual_leave(struct sgd_virtual *v);
/* Returns the clock of the calling worker in ns. On other threads, returns the highest clock at
 * which a worker became idle.
 */
uint64_t sgd_virtual_now(struct sgd_virtual *v);

/* Acquire and release the scheduler's lock. This takes no virtual time on threads that are not
 * workers.
 */
void sgd_virtual_lock(struct sgd_virtual *v, pthread_mutex_t *lock);
/* `ready` means that there is work for another worker. */
void sgd_virtual_unlock(struct sgd_virtual *v, pthread_mutex_t *lock, bool ready);
/* Waits until work is ready or the pool stops. Called by a worker with the lock held. */
void sgd_virtual_idle(struct sgd_virtual *v, pthread_mutex_t *lock);

/* Runs workers until all of them are idle. Called with the lock held by a thread that is not a
 * worker, and temporarily releases the lock.
 */
void sgd_virtual_run(struct sgd_virtual *v, pthread_mutex_t *lock);
/* Wakes all idle workers because the pool stops. Called with the lock held. */
void sgd_virtual_stop(struct sgd_virtual *v);

/* Returns times in ns since the start: *total is the time during which at least one worker was
 * busy, and *lock is the total time that workers waited for the lock.
 */
void sgd_virtual_times(struct sgd_virtual *v, uint64_t *total, uint64_t *lock);

#endif
