/* SPDX-License-Identifier: MIT */
/*
 * Mesa's job queues across fork().
 */
#ifndef SGPU_FORK_H
#define SGPU_FORK_H

struct util_queue;

/* The child of a fork does without the queue's threads: it adds no jobs, and
 * Mesa's exit handler does not join them.  The child must not destroy the
 * queue.
 */
void sgpu_fork_add_queue(struct util_queue *queue);
void sgpu_fork_remove_queue(struct util_queue *queue);

#endif
