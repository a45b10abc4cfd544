/* SPDX-License-Identifier: MIT */
/*
 * Mesa's job queues across fork().
 */
#ifndef SGPU_FORK_H
#define SGPU_FORK_H

#include "util/list.h"

struct util_queue;

/* Lies beside the queue that it is for. */
struct sgpu_fork_queue {
   struct list_head link;
   struct util_queue *queue; /* NULL: none is noted */
};

/* The child of a fork does without the queue's threads: it adds no jobs, and
 * Mesa's exit handler does not join them.  The child must not destroy the
 * queue.
 */
void sgpu_fork_add_queue(struct sgpu_fork_queue *note, struct util_queue *queue);
void sgpu_fork_remove_queue(struct sgpu_fork_queue *note);

#endif
