/* SPDX-License-Identifier: MIT */
/*
 * A buffer in which a worker collects records, until the dispatch unit passes them to the observer.
 */
#ifndef SGD_RECORDS_H
#define SGD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_observer.h"

struct sgd_records {
   uint32_t *words;
   uint64_t num, max;
   bool failed; /* an allocation failed, so that records are missing */
};

/* Appends a record of `words` words, at most UINT16_MAX, which are zeroed except for the head.
 * Returns NULL on allocation failure. The pointer is only valid until the next call.
 */
void *sgd_records_add(struct sgd_records *r, enum sgpu_event type, uint8_t flags, uint32_t words);

static inline void
sgd_records_reset(struct sgd_records *r)
{
   r->num = 0;
   r->failed = false;
}

#endif
