/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the timing wheels.
 */
#include "kernel/sgt_sched.h"
#include "kernel/sgt_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"

/* value of sgt_unit::slot if the next call is after the last slot of the wheel */
#define FAR_SLOT UINT8_MAX

void
sgt_sched_init(struct sgt_sched *s)
{
   memset(s, 0, sizeof(*s));
}

void
sgt_sched_finish(struct sgt_sched *s)
{
   for (uint32_t i = 0; i < s->num_wheels; i++)
      free(s->wheels[i]);
   free(s->wheels);
   free(s->due);
   s->wheels = NULL;
   s->due = NULL;
   s->num_wheels = 0;
}

void
sgt_sched_shuffle(struct sgt_sched *s, uint64_t seed)
{
   s->shuffle = true;
   s->random.state = seed;
}

/* Returns a wheel with this period and space for another unit, or NULL if allocation fails. */
static struct sgt_wheel *
find_wheel(struct sgt_sched *s, uint64_t period)
{
   for (uint32_t i = 0; i < s->num_wheels; i++)
      if (s->wheels[i]->period == period && s->wheels[i]->num_units < 64)
         return s->wheels[i];
   struct sgt_wheel **wheels = realloc(s->wheels, (s->num_wheels + 1) * sizeof(*wheels));
   if (!wheels)
      return NULL;
   s->wheels = wheels;
   struct sgt_wheel *w = calloc(1, sizeof(*w));
   if (!w)
      return NULL;
   w->period = period;
   /* The error of inverse / 2^32 is less than 2^-32, so the error of its product with a number less
    * than `exact` is less than 1 / period.
    */
   w->exact = (1ull << 32) / period;
   w->inverse = (1ull << 32) / period + 1;
   w->edge = s->now / period;
   w->base = w->edge * period;
   w->due = w->far_next = SGT_NEVER;
   s->wheels[s->num_wheels++] = w;
   return w;
}

bool
sgt_sched_add(struct sgt_sched *s, struct sgt_unit *unit, uint64_t first)
{
   struct sgt_unit **due = realloc(s->due, (s->num_units + 1) * sizeof(*due));
   if (!due)
      return false;
   s->due = due;
   unit->wheel = find_wheel(s, unit->clock->period);
   if (!unit->wheel)
      return false;
   unit->bit = unit->wheel->num_units++;
   unit->wheel->units[unit->bit] = unit;
   unit->next = SGT_NEVER;
   s->num_units++;
   sgt_sched_wake(s, unit, first);
   return true;
}

/* Converts `time` to cycles of the wheel's clock, rounded down. */
static inline uint64_t
sched_divide(const struct sgt_wheel *w, uint64_t time)
{
   return likely(time < w->exact) ? time * w->inverse >> 32 : time / w->period;
}

/* Advances the wheel to its last edge that is not later than `time`. No call may be due before that
 * edge.
 */
static inline void
sched_turn(struct sgt_wheel *w, uint64_t time)
{
   const uint64_t cycles = sched_divide(w, time - w->base);
   w->base += cycles * w->period;
   w->edge += cycles;
   w->slot = (w->slot + cycles) % SGT_WHEEL_SLOTS;
}

/* Inserts the unit's next call, which is `cycles` cycles after the current edge, into the wheel. */
static void
sched_put(struct sgt_wheel *w, struct sgt_unit *unit, uint64_t cycles)
{
   const uint64_t bit = 1ull << unit->bit;
   if (unlikely(cycles >= SGT_WHEEL_SLOTS)) {
      unit->slot = FAR_SLOT;
      w->far |= bit;
      w->far_next = MIN2(w->far_next, unit->next);
   } else {
      unit->slot = (w->slot + cycles) % SGT_WHEEL_SLOTS;
      w->slots[unit->slot] |= bit;
      w->full |= 1ull << unit->slot;
   }
   w->due = MIN2(w->due, unit->next);
}

/* Removes the unit's next call from the wheel. `due` and `far_next` don't need an update, since
 * they are lower bounds.
 */
static void
take_out(struct sgt_wheel *w, struct sgt_unit *unit)
{
   const uint64_t bit = 1ull << unit->bit;
   if (unit->slot == FAR_SLOT) {
      w->far &= ~bit;
      return;
   }
   w->slots[unit->slot] &= ~bit;
   if (!w->slots[unit->slot])
      w->full &= ~(1ull << unit->slot);
}

void
sgt_sched_wake_earlier(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time)
{
   struct sgt_wheel *w = unit->wheel;
   uint64_t cycles = sched_divide(w, time - w->base + w->period - 1);
   if (unlikely(cycles >= SGT_WHEEL_SLOTS)) {
      sched_turn(w, s->now);
      cycles = sched_divide(w, time - w->base + w->period - 1);
   }
   const uint64_t next = w->base + cycles * w->period;
   if (next >= unit->next)
      return;
   assert(time > s->now || !s->calls);
   if (unit->next != SGT_NEVER)
      take_out(w, unit);
   unit->next = next;
   sched_put(w, unit, cycles);
}

/* Recomputes `due` from the first used slot and from far_next. */
static void
find_due(struct sgt_wheel *w)
{
   w->due = w->far_next;
   if (!w->full)
      return;
   const uint64_t full = w->full >> w->slot | w->full << (-w->slot % 64);
   w->due = MIN2(w->due, w->base + (uint64_t)__builtin_ctzll(full) * w->period);
}

/* Advances the wheel to `time`, and moves far units to slots if their next call is now close
 * enough.
 */
static void
fetch_far(struct sgt_wheel *w, uint64_t time)
{
   const uint64_t far = w->far;
   sched_turn(w, time);
   w->far = 0;
   w->far_next = SGT_NEVER;
   sgt_foreach_bit(i, far)
      sched_put(w, w->units[i], sched_divide(w, w->units[i]->next - w->base));
   find_due(w);
}

/* Returns the time of the next call of any unit, or SGT_NEVER. */
static uint64_t
next_time(struct sgt_sched *s)
{
   for (;;) {
      uint64_t time = SGT_NEVER;
      for (uint32_t i = 0; i < s->num_wheels; i++)
         time = MIN2(time, s->wheels[i]->due);
      bool found = true;
      for (uint32_t i = 0; time != SGT_NEVER && i < s->num_wheels; i++) {
         /* far_next is only a lower bound, since an earlier call may have replaced the call that
          * set it. Compute the exact value and repeat the search.
          */
         if (unlikely(s->wheels[i]->far_next <= time)) {
            fetch_far(s->wheels[i], time);
            found = false;
         }
      }
      if (found)
         return time;
   }
}

/* Removes the calls that are due at `time` from the wheel, and appends their units to s->due, which
 * has `num` elements so far. Returns the new number of elements.
 */
static uint32_t
take_due(struct sgt_sched *s, struct sgt_wheel *w, uint64_t time, uint32_t num)
{
   sched_turn(w, time);
   const uint64_t units = w->slots[w->slot];
   w->slots[w->slot] = 0;
   w->full &= ~(1ull << w->slot);
   sgt_foreach_bit(i, units) {
      struct sgt_unit *unit = w->units[i];
      unit->next = SGT_NEVER;
      s->due[num++] = unit;
   }
   find_due(w);
   return num;
}

/* Schedules a unit that has just been called for its next clock edge, which is at time `next`. */
static inline void
put_next(struct sgt_wheel *w, struct sgt_unit *unit, uint64_t next)
{
   const uint32_t slot = (w->slot + 1) % SGT_WHEEL_SLOTS;
   if (unit->next == next)
      return;
   if (unit->next != SGT_NEVER)
      take_out(w, unit);
   unit->next = next;
   unit->slot = slot;
   w->slots[slot] |= 1ull << unit->bit;
   w->full |= 1ull << slot;
   w->due = MIN2(w->due, next);
}

/* Returns the earliest arrival time after `now` of a message to the unit, or SGT_NEVER. This is
 * needed because sending a message doesn't schedule another call if an earlier call is already
 * scheduled. That earlier call must then schedule the call for the message.
 */
static uint64_t
next_arrival(const struct sgt_unit *unit, uint64_t now)
{
   uint64_t next = SGT_NEVER;
   sgt_foreach_bit(i, unit->waiting & BITFIELD64_MASK(SGT_UNIT_ARRIVALS)) {
      const uint64_t arrival = unit->arrivals[i];
      if (arrival > now)
         next = MIN2(next, arrival);
   }
   for (const struct sgt_channel *c = unit->more; unlikely(c != NULL); c = c->next_input)
      if (c->arrival > now)
         next = MIN2(next, c->arrival);
   return next;
}

bool
sgt_sched_step(struct sgt_sched *s, uint64_t limit)
{
   const uint64_t time = next_time(s);
   if (time > limit || time == SGT_NEVER)
      return false;
   s->now = time;

   uint32_t num = 0;
   for (uint32_t i = 0; i < s->num_wheels; i++)
      if (s->wheels[i]->due == time)
         num = take_due(s, s->wheels[i], time, num);
   for (uint32_t i = 0; s->shuffle && i + 1 < num; i++) {
      const uint32_t other = i + sgt_random_below(&s->random, num - i);
      struct sgt_unit *unit = s->due[i];
      s->due[i] = s->due[other];
      s->due[other] = unit;
   }
   s->calls += num;
   for (uint32_t i = 0; i < num; i++) {
      struct sgt_unit *unit = s->due[i];
      uint64_t next = unit->tick(unit, time);
      assert(next > time);
      struct sgt_wheel *w = unit->wheel;
      if (likely(next == time + w->period)) {
         /* No message can arrive before the next edge, so skip next_arrival(). Another unit may
          * have already scheduled this unit for that edge.
          */
         put_next(w, unit, next);
         continue;
      }
      if (unit->waiting)
         next = MIN2(next, next_arrival(unit, time));
      sgt_sched_wake(s, unit, next);
   }
   return true;
}

bool
sgt_sched_pending(const struct sgt_sched *s)
{
   bool pending = false;
   for (uint32_t i = 0; i < s->num_wheels; i++)
      pending |= s->wheels[i]->full || s->wheels[i]->far;
   return pending;
}
