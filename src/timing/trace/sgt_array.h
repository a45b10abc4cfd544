/* SPDX-License-Identifier: MIT */
/*
 * Dynamically growing arrays.
 */
#ifndef SGT_ARRAY_H
#define SGT_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Grows *array, if necessary, to hold at least `num` elements of `size` bytes. *max is the number
 * of allocated elements. If allocation fails, returns false and leaves the array unchanged.
 */
static inline bool
sgt_array_reserve(void *array, uint64_t *max, uint64_t num, size_t size)
{
   void **p = array;

   if (num <= *max)
      return true;
   const uint64_t most = num > *max + *max / 2 ? num : *max + *max / 2;
   void *more = most > SIZE_MAX / size ? NULL : realloc(*p, most * size);
   if (!more)
      return false;
   *p = more;
   *max = most;
   return true;
}

#endif
