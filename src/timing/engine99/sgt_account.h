/* SPDX-License-Identifier: MIT */
/*
 * Records the state of accelerators, fetch unit and issue unit in each cycle in the result of a
 * run.
 */
#ifndef SGT_ACCOUNT_H
#define SGT_ACCOUNT_H

#include "engine99/sgt_issue.h"
#include "kernel/sgt_stats.h"

struct sgt_account {
   struct sgt_engine_result *result;
   struct sgt_issue *issue;
   const uint32_t *operation; /* operation of each tag */
   struct sgt_series series;  /* states of accelerators over time */
};

/* Allocates the arrays of the result, whose members are 0 except for its sizes. Returns false if
 * out of memory.
 */
bool sgt_account_init(struct sgt_account *a, struct sgt_engine_result *result,
                      struct sgt_issue *issue, const uint32_t *operation, uint32_t interval);
/* Moves the time series to the result. Returns false if it ran out of memory. */
bool sgt_account_finish(struct sgt_account *a);

/* Counts `length` cycles from cycle `from` on, in which nothing changes after the issue in the
 * first one.
 */
void sgt_account_cycles(struct sgt_account *a, uint64_t from, uint64_t length, bool issued,
                        enum sgt_fetch_state fetch);
/* Records that a slice of an operation waited for memory for `length` cycles, which were counted as
 * busy.
 */
void sgt_account_memory(struct sgt_account *a, uint32_t operation, uint64_t from, uint64_t length);

#endif
