/* SPDX-License-Identifier: MIT */
/*
 * Observation: records that a worker makes, until dispatch hands them to the observer.
 */
#ifndef SGD_RECORDS_H
#define SGD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_observer.h"

struct sgd_records {
   uint32_t *words;
   uint64_t num, max;
   bool failed; /* memory ran out, so records are missing */
};

/* Adds a record of `words` words, at most UINT16_MAX, which are zero except for the head.  Returns
 * NULL if out of memory.  Valid until the next record is added.
 */
void *sgd_records_add(struct sgd_records *r, enum sgpu_event type, uint8_t flags, uint32_t words);

static inline void
sgd_records_reset(struct sgd_records *r)
{
   r->num = 0;
   r->failed = false;
}

#endif
