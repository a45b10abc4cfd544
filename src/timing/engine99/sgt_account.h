/* SPDX-License-Identifier: MIT */
/*
 * What accelerators, fetch unit and issue unit do in each cycle, in the result of a run.
 */
#ifndef SGT_ACCOUNT_H
#define SGT_ACCOUNT_H

#include "engine99/sgt_issue.h"
#include "kernel/sgt_stats.h"

struct sgt_account {
   struct sgt_engine_result *result;
   struct sgt_issue *issue;
   const uint32_t *operation; /* of tags */
   struct sgt_series series;
};

/* The arrays of the result, which is zero but for its sizes.  False: no memory. */
bool sgt_account_init(struct sgt_account *a, struct sgt_engine_result *result,
                      struct sgt_issue *issue, const uint32_t *operation, uint32_t interval);
/* Moves the series to the result.  False: there was no memory for it. */
bool sgt_account_finish(struct sgt_account *a);

/* Counts `length` cycles from `from` on, which are alike, after the issue of the first. */
void sgt_account_cycles(struct sgt_account *a, uint64_t from, uint64_t length, bool issued,
                        enum sgt_fetch_state fetch);
/* The slice of an operation waited for memory while it was counted as busy. */
void sgt_account_memory(struct sgt_account *a, uint32_t operation, uint64_t from, uint64_t length);

#endif
