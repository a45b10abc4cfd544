/* SPDX-License-Identifier: MIT */
/*
 * A buffer in which a worker collects records for the observer.
 */
#include "observe/records/sgd_records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WORDS 4096

static bool
reserve(struct sgd_records *r, uint64_t words)
{
   if (r->num + words <= r->max)
      return true;

   const uint64_t most = r->max ? r->max * 2 : FIRST_WORDS;
   const uint64_t max = r->num + words > most ? r->num + words : most;
   uint32_t *more = realloc(r->words, max * sizeof(*more));
   if (!more)
      return false;
   r->words = more;
   r->max = max;
   return true;
}

void *
sgd_records_add(struct sgd_records *r, enum sgpu_event type, uint8_t flags, uint32_t words)
{
   assert(words <= UINT16_MAX);
   if (r->failed || !reserve(r, words)) {
      r->failed = true;
      return NULL;
   }
   uint32_t *record = r->words + r->num;
   r->num += words;
   memset(record, 0, words * sizeof(*record));
   *(struct sgpu_event_head *)record = (struct sgpu_event_head){ type, flags, words };
   return record;
}
