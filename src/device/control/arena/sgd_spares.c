/* SPDX-License-Identifier: MIT */
/*
 * Free lists of reusable objects.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "control/arena/sgd_spares.h"

/* Maximum number of spare objects to keep. With AddressSanitizer, keep none, so that it can detect
 * a use after free.
 */
#if defined(__SANITIZE_ADDRESS__)
#define SGD_SPARES 0
#else
#define SGD_SPARES 256
#endif

struct sgd_spare {
   struct sgd_spare *next;
};

static void
release(const struct sgd_spares *spares, void *object)
{
   if (spares->finish)
      spares->finish(object);
   free(object);
}

void
sgd_spares_init(struct sgd_spares *spares, size_t size, void (*finish)(void *spare))
{
   pthread_mutex_init(&spares->lock, NULL);
   spares->first = NULL;
   spares->count = 0;
   spares->size = size;
   spares->finish = finish;
}

void
sgd_spares_finish(struct sgd_spares *spares)
{
   for (struct sgd_spare *spare = spares->first, *next; spare; spare = next) {
      next = spare->next;
      release(spares, spare);
   }
   pthread_mutex_destroy(&spares->lock);
}

void *
sgd_spares_take(struct sgd_spares *spares)
{
   pthread_mutex_lock(&spares->lock);
   struct sgd_spare *spare = spares->first;
   if (spare) {
      spares->first = spare->next;
      spares->count--;
   }
   pthread_mutex_unlock(&spares->lock);
   return spare ? spare : calloc(1, spares->size);
}

void
sgd_spares_give(struct sgd_spares *spares, void *object)
{
   struct sgd_spare *spare = object;

   pthread_mutex_lock(&spares->lock);
   const bool keep = spares->count + 1 <= SGD_SPARES;
   if (keep) {
      spare->next = spares->first;
      spares->first = spare;
      spares->count++;
   }
   pthread_mutex_unlock(&spares->lock);
   if (!keep)
      release(spares, object);
}
