/* SPDX-License-Identifier: MIT */
/*
 * Front end: allocates the scratch memory of a worker.
 */
#include "geometry/front/sgd_front.h"

#include <stdlib.h>

bool
sgd_front_reserve(uint8_t **memory, size_t *size, size_t wanted)
{
   if (*size < wanted) {
      free(*memory);
      *memory = aligned_alloc(64, ALIGN_POT(wanted, 64));
      *size = *memory ? wanted : 0;
   }
   return *memory != NULL;
}
