/* SPDX-License-Identifier: MIT */
/*
 * Records the states of the units in each cycle of a run.
 */
#include "engine99/sgt_account.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

bool
sgt_account_init(struct sgt_account *a, struct sgt_engine_result *result, struct sgt_issue *issue,
                 const uint32_t *operation, uint32_t interval)
{
   *a = (struct sgt_account){ .result = result, .issue = issue, .operation = operation };
   sgt_series_init(&a->series, interval, SGT_STATES);
   result->interval = interval;
   result->busy_cycles = calloc(result->accelerators + 1, sizeof(uint64_t));
   result->candidate_cycles = calloc(result->candidates + 1, sizeof(uint64_t));
   result->operations = calloc(MAX2(result->num_operations, 1), sizeof(*result->operations));
   return result->busy_cycles && result->candidate_cycles && result->operations;
}

bool
sgt_account_finish(struct sgt_account *a)
{
   const bool ok = !a->series.out_of_memory && a->series.intervals <= UINT32_MAX;
   a->result->series = a->series.values;
   a->result->intervals = a->series.intervals;
   return ok;
}

/* Charges a candidate for `accelerators` accelerators that are idle for `length` cycles because the
 * candidate has not been issued.
 */
static void
account_charge(struct sgt_account *a, uint32_t tag, enum sgt_state state, uint32_t accelerators,
               uint64_t length, uint32_t *each)
{
   struct sgt_engine_operation *operations = a->result->operations;
   each[state] += accelerators;
   operations[a->operation[tag]].stalls[state] += accelerators * length;
   if (state == SGT_STATE_ISSUE_RATE)
      return;
   const uint32_t blocker = sgt_issue_blocker(a->issue, tag);
   operations[a->operation[blocker]].blocks += accelerators * length;
}

/* Attributes the idle time of each accelerator to one candidate that has not been issued. Returns
 * the number of idle accelerators for which no candidate is left.
 */
static uint32_t
charge_candidates(struct sgt_account *a, uint32_t idle, uint64_t length, uint32_t *each)
{
   struct sgt_issue *u = a->issue;
   uint32_t ready = MIN2(idle, u->num_ready);
   uint32_t blocked = MIN2(idle - ready, u->num_waiting - u->num_ready);
   idle -= ready + blocked;
   for (uint32_t tag = sgt_issue_oldest(u); ready || blocked; tag = sgt_issue_younger(u, tag)) {
      uint32_t *left = sgt_issue_is_ready(u, tag) ? &ready : &blocked;
      if (!*left)
         continue;
      --*left;
      account_charge(a, tag, sgt_issue_reason(u, tag), 1, length, each);
   }
   return idle;
}

static enum sgt_issue_state
issue_state(const struct sgt_issue *u, bool issued)
{
   if (issued)
      return SGT_ISSUE_ISSUED;
   const uint32_t oldest = sgt_issue_oldest(u);
   if (oldest == SGT_NO_TAG)
      return SGT_ISSUE_EMPTY;
   if (sgt_issue_can(u))
      return SGT_ISSUE_NO_ACCELERATOR;
   const bool conflict = u->in_order ? sgt_issue_reason(u, oldest) == SGT_STATE_CONFLICT
                                     : u->num_independent != 0;
   return conflict ? SGT_ISSUE_CONFLICT : SGT_ISSUE_DEPENDENCE;
}

void
sgt_account_cycles(struct sgt_account *a, uint64_t from, uint64_t length, bool issued,
                   enum sgt_fetch_state fetch)
{
   struct sgt_issue *u = a->issue;
   struct sgt_engine_result *r = a->result;
   const uint32_t busy = u->num_issued;
   uint32_t idle = r->accelerators - busy;
   uint32_t each[SGT_STATES] = { [SGT_STATE_BUSY] = busy };

   if (idle && u->num_waiting) {
      if (u->in_order) {
         const uint32_t oldest = sgt_issue_oldest(u);
         account_charge(a, oldest, sgt_issue_reason(u, oldest), idle, length, each);
         idle = 0;
      } else {
         idle = charge_candidates(a, idle, length, each);
      }
   }
   each[fetch == SGT_FETCH_ENTERED ? SGT_STATE_STARVED
        : fetch == SGT_FETCH_EMPTY ? SGT_STATE_DRAIN
                                   : SGT_STATE_WINDOW_FULL] += idle;

   for (unsigned i = 0; i < SGT_STATES; i++)
      r->states[i] += each[i] * length;
   r->work += busy * length;
   r->fetch[fetch] += length;
   r->issue[issue_state(u, issued)] += length;
   r->busy_cycles[busy] += length;
   r->candidate_cycles[u->num_waiting] += length;
   r->max_candidates = MAX2(r->max_candidates, u->num_waiting);
   r->max_stations = MAX2(r->max_stations, u->destination_boxes.num_valid);
   sgt_series_add(&a->series, from, length, each);
}

void
sgt_account_memory(struct sgt_account *a, uint32_t operation, uint64_t from, uint64_t length)
{
   struct sgt_engine_result *r = a->result;
   r->states[SGT_STATE_BUSY] -= length;
   r->states[SGT_STATE_MEMORY] += length;
   r->operations[operation].memory += length;
   sgt_series_move(&a->series, from, length, SGT_STATE_BUSY, SGT_STATE_MEMORY);
}
