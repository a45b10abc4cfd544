/* SPDX-License-Identifier: MIT */
/*
 * Objects of one size that one thread takes and another thread gives back, many times per
 * frame. The object that was given back last is taken next, because it is still in the
 * caches. Mesa's util/slab.h has a pool for each thread that frees; here any thread gives
 * objects back, and objects keep their contents.
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
   size_t size;                 /* size of an object in bytes, at least that of a pointer */
   void (*finish)(void *spare); /* called before an object is freed, or NULL */
};

void sgd_spares_init(struct sgd_spares *spares, size_t size, void (*finish)(void *spare));
/* All objects must have been given back. */
void sgd_spares_finish(struct sgd_spares *spares);

/* Takes an object. New objects are zero. Other objects have the contents that they had
 * when they were given back, except for their first sizeof(void *) bytes. Returns NULL if
 * out of memory.
 */
void *sgd_spares_take(struct sgd_spares *spares);
void sgd_spares_give(struct sgd_spares *spares, void *object);

#endif
