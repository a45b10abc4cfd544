/* SPDX-License-Identifier: MIT */
/*
 * Allocates the memory in which a worker collects records about its warps, for the observer.
 */
#include "observe/records/sgd_work_observation.h"

#include <stdlib.h>

struct sgd_work_observation *
sgd_work_observation_create(const uint8_t *memory)
{
   struct sgd_work_observation *o = calloc(1, sizeof(*o));

   if (o)
      o->memory = memory;
   return o;
}

void
sgd_work_observation_destroy(struct sgd_work_observation *o)
{
   if (!o)
      return;
   free(o->records.words);
   free(o);
}

void
sgd_work_observation_reset(struct sgd_work_observation *o)
{
   sgd_records_reset(&o->records);
   o->group = 0;
   o->number = 0;
   o->quads = 0;
   o->element = 0;
}
