/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: workers in virtual time. They are used to measure how well the device would scale on a
 * machine with more CPUs, as far as this depends on queues and on the scheduler's lock.
 *
 * All work is really done, but only one worker runs at a time, in the order of virtual time. The
 * clock of a worker advances by its CPU time, by the time that it waits for the lock, and by the
 * time that it needs to wake up. In virtual time, too, only one worker can hold the lock. This
 * results in the same order and the same conflicts as on a real machine. Shared caches and the
 * memory bandwidth are not simulated.
 *
 * Workers only run while an application thread waits for them. Otherwise, they would compete with
 * this thread for the CPU.
 */
#ifndef SGD_VIRTUAL_H
#define SGD_VIRTUAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sgd_virtual;

/* Creates clocks for `num` workers, which start idle. The second half of the workers (rounded down)
 * is slower by the factor `slow`, which is at least 1. Returns NULL if out of memory.
 */
struct sgd_virtual *sgd_virtual_create(unsigned num, unsigned slow);
void sgd_virtual_destroy(struct sgd_virtual *v);

/* Makes the calling thread run as worker `i`. */
void sgd_virtual_enter(struct sgd_virtual *v, unsigned i);
/* The calling thread is not a worker anymore. Called without the lock. */
void sgd_virtual_leave(struct sgd_virtual *v);
/* On a worker, returns its clock in ns. On other threads, returns the latest time at which a worker
 * became idle.
 */
uint64_t sgd_virtual_now(struct sgd_virtual *v);

/* Acquire and release the scheduler's lock. On threads that aren't workers, this takes no virtual
 * time.
 */
void sgd_virtual_lock(struct sgd_virtual *v, pthread_mutex_t *lock);
/* `ready` must be true if there is work that another worker could take. */
void sgd_virtual_unlock(struct sgd_virtual *v, pthread_mutex_t *lock, bool ready);
/* Called by a worker with the lock held. Returns when work is ready, or when the pool stops. */
void sgd_virtual_idle(struct sgd_virtual *v, pthread_mutex_t *lock);

/* Lets the workers run until all of them are idle. Called by a thread that is not a worker, with
 * the lock held; releases the lock in the meantime.
 */
void sgd_virtual_run(struct sgd_virtual *v, pthread_mutex_t *lock);
/* Wakes all workers when the pool stops. Called with the lock held. */
void sgd_virtual_stop(struct sgd_virtual *v);

/* Returns two times in ns: *total is how long at least one worker was busy, and *lock is how long
 * all workers together have waited for the lock.
 */
void sgd_virtual_times(struct sgd_virtual *v, uint64_t *total, uint64_t *lock);

#endif
