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
   bool failed; /* set if records are missing because memory ran out */
};

/* Appends a record of `words` words, at most UINT16_MAX. The record is zeroed, except for its head.
 * The returned pointer is valid until the next call. Returns NULL on allocation failure.
 */
void *sgd_records_add(struct sgd_records *r, enum sgpu_event type, uint8_t flags, uint32_t words);

static inline void
sgd_records_reset(struct sgd_records *r)
{
   r->num = 0;
   r->failed = false;
}

#endif
