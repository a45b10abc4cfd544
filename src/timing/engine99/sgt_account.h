/* SPDX-License-Identifier: MIT */
/*
 * Records the state of the accelerators, the fetch unit and the issue unit in each cycle of a run.
 */
#ifndef SGT_ACCOUNT_H
#define SGT_ACCOUNT_H

#include "engine99/sgt_issue.h"
#include "kernel/sgt_stats.h"

struct sgt_account {
   struct sgt_engine_result *result;
   struct sgt_issue *issue;
   /* for each tag, the index of the operation that the slice belongs to */
   const uint32_t *operation;
   struct sgt_series series; /* time series of accelerator states */
};

/* Allocates the arrays of the result. The caller must have set the sizes in the result, and zeroed
 * all of its other members. Returns false if allocation fails.
 */
bool sgt_account_init(struct sgt_account *a, struct sgt_engine_result *result,
                      struct sgt_issue *issue, const uint32_t *operation, uint32_t interval);
/* Moves the time series to the result. Returns false if the series is incomplete because an
 * allocation failed.
 */
bool sgt_account_finish(struct sgt_account *a);

/* Adds `length` cycles, starting at cycle `from`, to the statistics. The states of all units must
 * not change during these cycles. `issued` is true if a slice was issued.
 */
void sgt_account_cycles(struct sgt_account *a, uint64_t from, uint64_t length, bool issued,
                        enum sgt_fetch_state fetch);
/* Moves `length` cycles, starting at cycle `from`, from the state BUSY to the state MEMORY, because
 * a slice of the operation was waiting for memory in these cycles.
 */
void sgt_account_memory(struct sgt_account *a, uint32_t operation, uint64_t from, uint64_t length);

#endif
