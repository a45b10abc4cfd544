/* SPDX-License-Identifier: MIT */
/*
 * Free lists for objects of one size that are allocated on one thread and freed on another, many
 * times per frame. The most recently freed object is reused first, because it is still in the
 * caches. Unlike Mesa's util/slab.h, which has a pool for each thread that frees, any thread can
 * free objects, and objects keep their contents.
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
   void (*finish)(void *spare); /* called before an object's memory is freed, or NULL */
};

void sgd_spares_init(struct sgd_spares *spares, size_t size, void (*finish)(void *spare));
/* All objects must have been returned with sgd_spares_give(). */
void sgd_spares_finish(struct sgd_spares *spares);

/* Takes an object. New objects are zeroed. Reused objects have the contents that they had when they
 * were returned, except for the first sizeof(void *) bytes. Returns NULL on allocation failure.
 */
void *sgd_spares_take(struct sgd_spares *spares);
void sgd_spares_give(struct sgd_spares *spares, void *object);

#endif
