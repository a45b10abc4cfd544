/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the time wheel.
 */
#include "sgt_sched.h"
#include "sgt_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"

void
sgt_sched_init(struct sgt_sched *s)
{
   memset(s, 0, sizeof(*s));
   s->far_next = SGT_NEVER;
}

void
sgt_sched_finish(struct sgt_sched *s)
{
   free(s->units);
   free(s->due);
   s->units = s->due = NULL;
}

void
sgt_sched_shuffle(struct sgt_sched *s, uint64_t seed)
{
   s->shuffle = true;
   s->random.state = seed;
}

bool
sgt_sched_add(struct sgt_sched *s, struct sgt_unit *unit, uint64_t first)
{
   struct sgt_unit **units = realloc(s->units, (s->num_units + 1) * sizeof(*units));
   if (!units)
      return false;
   s->units = units;
   struct sgt_unit **due = realloc(s->due, (s->num_units + 1) * sizeof(*due));
   if (!due)
      return false;
   s->due = due;
   unit->index = s->num_units;
   unit->next = SGT_NEVER;
   unit->after = NULL;
   unit->link = NULL;
   s->units[s->num_units++] = unit;
   sgt_sched_wake(s, unit, first);
   return true;
}

static void
push(struct sgt_unit **head, struct sgt_unit *unit)
{
   unit->after = *head;
   unit->link = head;
   if (unit->after)
      unit->after->link = &unit->after;
   *head = unit;
}

static void
unlink_unit(struct sgt_sched *s, struct sgt_unit *unit)
{
   *unit->link = unit->after;
   if (unit->after)
      unit->after->link = unit->link;
   unit->after = NULL;
   unit->link = NULL;
   /* Of a far unit the slot may belong to others, or be empty already. */
   const unsigned slot = unit->next % SGT_WHEEL_SLOTS;
   if (s->slots[slot])
      return;
   s->full[slot / 64] &= ~(1ull << (slot % 64));
   if (!s->full[slot / 64])
      s->summary &= ~(1ull << (slot / 64));
}

static void
insert(struct sgt_sched *s, struct sgt_unit *unit)
{
   if (unit->next - s->now >= SGT_WHEEL_SLOTS) {
      s->far_next = MIN2(s->far_next, unit->next);
      push(&s->far, unit);
      return;
   }
   const unsigned slot = unit->next % SGT_WHEEL_SLOTS;
   push(&s->slots[slot], unit);
   s->full[slot / 64] |= 1ull << (slot % 64);
   s->summary |= 1ull << (slot / 64);
}

void
sgt_sched_wake(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time)
{
   if (time >= unit->next)
      return;
   time = sgt_clock_edge(unit->clock, time);
   if (time >= unit->next)
      return;
   assert(time > s->now || !s->calls);
   if (unit->link)
      unlink_unit(s, unit);
   unit->next = time;
   insert(s, unit);
}

/* Puts those of the far units into the wheel for which it has a slot by now. */
static void
fetch_far(struct sgt_sched *s)
{
   struct sgt_unit *list = s->far;
   s->far = NULL;
   s->far_next = SGT_NEVER;
   while (list) {
      struct sgt_unit *unit = list;
      list = unit->after;
      insert(s, unit);
   }
}

/* The time of the first full slot from `now` on; SGT_NEVER: all are empty. */
static uint64_t
first_slot(const struct sgt_sched *s)
{
   if (!s->summary)
      return SGT_NEVER;
   const unsigned slot = s->now % SGT_WHEEL_SLOTS;
   const unsigned word = slot / 64;
   const uint64_t rest = s->full[word] >> (slot % 64);
   if (rest)
      return s->now + (ffsll(rest) - 1);
   /* Words after this one, then from the first to this one, whose low slots come last. */
   const uint64_t later = word == 63 ? 0 : s->summary & ~0ull << (word + 1);
   const unsigned next = ffsll(later ? later : s->summary) - 1;
   const unsigned found = next * 64 + (ffsll(s->full[next]) - 1);
   return s->now + (found + SGT_WHEEL_SLOTS - slot) % SGT_WHEEL_SLOTS;
}

static int
by_index(const void *a, const void *b)
{
   const struct sgt_unit *const *x = a, *const *y = b;
   return (*x)->index < (*y)->index ? -1 : 1;
}

bool
sgt_sched_step(struct sgt_sched *s, uint64_t limit)
{
   uint64_t time = first_slot(s);
   if (s->far_next <= time) {
      /* The unit that it was for may have been called earlier. */
      s->far_next = SGT_NEVER;
      for (const struct sgt_unit *unit = s->far; unit; unit = unit->after)
         s->far_next = MIN2(s->far_next, unit->next);
   }
   if (s->far_next <= time && s->far_next <= limit && s->far) {
      /* Nothing is due before far_next, so the wheel turns to it. */
      s->now = s->far_next;
      fetch_far(s);
      time = first_slot(s);
   }
   if (time > limit || time == SGT_NEVER)
      return false;
   s->now = time;

   unsigned num = 0;
   while (s->slots[time % SGT_WHEEL_SLOTS]) {
      struct sgt_unit *unit = s->slots[time % SGT_WHEEL_SLOTS];
      unlink_unit(s, unit);
      unit->next = SGT_NEVER;
      s->due[num++] = unit;
   }
   if (num > 1)
      qsort(s->due, num, sizeof(*s->due), by_index);
   for (unsigned i = 0; s->shuffle && i + 1 < num; i++) {
      const unsigned other = i + sgt_random_below(&s->random, num - i);
      struct sgt_unit *unit = s->due[i];
      s->due[i] = s->due[other];
      s->due[other] = unit;
   }
   s->calls += num;
   for (unsigned i = 0; i < num; i++) {
      const uint64_t next = s->due[i]->tick(s->due[i], time);
      assert(next > time);
      sgt_sched_wake(s, s->due[i], next);
      /* A message may come later than the call that was due when it was sent. */
      for (const struct sgt_channel *c = s->due[i]->inputs; c; c = c->next_input)
         if (sgt_channel_arrival(c) > time)
            sgt_sched_wake(s, s->due[i], sgt_channel_arrival(c));
   }
   return true;
}
