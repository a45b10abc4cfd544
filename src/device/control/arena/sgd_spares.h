/* SPDX-License-Identifier: MIT */
/*
 * Free lists for objects of a single size that are allocated on one thread and freed on another,
 * many times per frame. An allocation takes the most recently freed object, because this object is
 * most likely still in the caches.
 *
 * Mesa's util/slab.h has a pool for each thread that frees objects. Here, any thread can free an
 * object, and an object that is reused still has its old contents.
 */
#ifndef SGD_SPARES_H
#define SGD_SPARES_H

#include <pthread.h>
#include <stddef.h>

struct sgd_spare;

struct sgd_spares {
   pthread_mutex_t lock; /* protects the members below */
   struct sgd_spare *first;
   unsigned count;
   size_t size;                 /* object size in bytes, at least sizeof(void *) */
   void (*finish)(void *spare); /* called before the memory of an object is freed; may be NULL */
};

void sgd_spares_init(struct sgd_spares *spares, size_t size, void (*finish)(void *spare));
/* All objects must have been returned with sgd_spares_give(). */
void sgd_spares_finish(struct sgd_spares *spares);

/* Takes a spare object, or allocates a new one filled with zeros. A spare object still has the
 * contents that it had in sgd_spares_give(), except for its first sizeof(void *) bytes. Returns
 * NULL if out of memory.
 */
void *sgd_spares_take(struct sgd_spares *spares);
void sgd_spares_give(struct sgd_spares *spares, void *object);

#endif
