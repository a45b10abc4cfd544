/* SPDX-License-Identifier: MIT */
/*
 * Atomic reference counts.
 */
#ifndef SGD_REF_H
#define SGD_REF_H

#include <stdbool.h>
#include <stdint.h>

static inline void
sgd_ref(uint32_t *refs)
{
   __atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* Returns true if this was the last reference. */
static inline bool
sgd_unref(uint32_t *refs)
{
   return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

#endif
