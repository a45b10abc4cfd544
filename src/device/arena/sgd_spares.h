/* SPDX-License-Identifier: MIT */
/*
 * Objects of one size that one thread takes and another gives back, many in each frame: the
 * latest that came back is the next, which the caches still have.  Mesa's util/slab.h has a pool
 * for each thread that frees; here any thread gives back, and objects keep their contents.
 */
#ifndef SGD_SPARES_H
#define SGD_SPARES_H

#include <pthread.h>
#include <stddef.h>

struct sgd_spare;

struct sgd_spares {
   pthread_mutex_t lock; /* of the fields below */
   struct sgd_spare *first;
   unsigned count;
   size_t size;                 /* bytes of an object, at least those of a pointer */
   void (*finish)(void *spare); /* before an object is freed, or NULL */
};

void sgd_spares_init(struct sgd_spares *spares, size_t size, void (*finish)(void *spare));
/* All objects that were taken have been given back. */
void sgd_spares_finish(struct sgd_spares *spares);

/* New ones are zero.  Others are as they were given back, but for their first sizeof(void *)
 * bytes.  NULL without memory.
 */
void *sgd_spares_take(struct sgd_spares *spares);
void sgd_spares_give(struct sgd_spares *spares, void *object);

#endif
