/* SPDX-License-Identifier: MIT */
/*
 * Observation of work: a worker's records.
 */
#include "sgd_work_observation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WORDS 16384

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
   free(o->words);
   free(o);
}

void
sgd_work_observation_reset(struct sgd_work_observation *o)
{
   o->num = 0;
   o->failed = false;
   o->group = 0;
   o->number = 0;
   o->quads = 0;
   o->element = 0;
}

static bool
reserve(struct sgd_work_observation *o, uint64_t words)
{
   if (o->num + words <= o->max)
      return true;

   const uint64_t most = o->max ? o->max * 2 : FIRST_WORDS;
   const uint64_t max = o->num + words > most ? o->num + words : most;
   uint32_t *more = realloc(o->words, max * sizeof(*more));
   if (!more)
      return false;
   o->words = more;
   o->max = max;
   return true;
}

void *
sgd_work_observation_add(struct sgd_work_observation *o, enum sgpu_event type, uint8_t flags,
                         uint32_t words)
{
   assert(words <= UINT16_MAX);
   if (o->failed || !reserve(o, words)) {
      o->failed = true;
      return NULL;
   }
   uint32_t *record = o->words + o->num;
   o->num += words;
   memset(record, 0, words * sizeof(*record));
   *(struct sgpu_event_head *)record = (struct sgpu_event_head){ type, flags, words };
   return record;
}
