/* SPDX-License-Identifier: MIT */
/*
 * Statistics of the states of a unit. Each cycle counts towards one state, even if the scheduler
 * does not call the unit in the cycle.
 */
#ifndef SGT_UNIT_STATES_H
#define SGT_UNIT_STATES_H

#include <stdint.h>

#include "kernel/sgt_sched.h"

#define SGT_MAX_UNIT_STATES 12

struct sgt_unit_states {
   /* number of ticks in each state; converted to cycles by sgt_unit_states_finish() */
   uint64_t count[SGT_MAX_UNIT_STATES];
   uint64_t next; /* first tick that has not been counted yet */
   uint8_t gap;   /* state of the cycles in which the unit is not called */
};

/* Counts the cycle that starts at `now` as `state`. The cycles after it are counted as `gap` until
 * the next call.
 */
static inline void
sgt_unit_states_put(struct sgt_unit_states *s, const struct sgt_unit *unit, uint64_t now,
                    uint8_t state, uint8_t gap)
{
   s->count[s->gap] += now - s->next;
   s->count[state] += unit->clock->period;
   s->next = now + unit->clock->period;
   s->gap = gap;
}

/* Counts all cycles before `time`, which is in ticks and must be a multiple of the unit's clock
 * period.
 */
static inline void
sgt_unit_states_account(struct sgt_unit_states *s, uint64_t time)
{
   s->count[s->gap] += time - s->next;
   s->next = time;
}

/* Counts the remaining ticks and converts all counts to cycles. Called once, at the end of a
 * simulation that took `cycles` cycles of the unit's clock.
 */
static inline void
sgt_unit_states_finish(struct sgt_unit_states *s, const struct sgt_unit *unit, uint64_t cycles)
{
   s->count[s->gap] += cycles * unit->clock->period - s->next;
   for (unsigned i = 0; i < SGT_MAX_UNIT_STATES; i++)
      s->count[i] /= unit->clock->period;
}

#endif
