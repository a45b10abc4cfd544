/* SPDX-License-Identifier: MIT */
/*
 * Channels: message queues with a delay that connect units.
 */
#include "kernel/sgt_channel.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

bool
sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                 struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                 uint64_t delay)
{
   assert(message_bytes && capacity && delay);
   const uint32_t stride = sizeof(uint64_t) + align(message_bytes, sizeof(uint64_t));
   *c = (struct sgt_channel){
      .arrival = SGT_NEVER,
      .sched = sched,
      .sender = sender,
      .receiver = receiver,
      .message_bytes = message_bytes,
      .stride = stride,
      .capacity = capacity,
      .delay = delay,
      .messages = malloc((size_t)stride * capacity),
   };
   if (!c->messages)
      return false;
   c->head = c->tail = c->messages;
   c->end = c->messages + (size_t)stride * capacity;
   c->input = receiver->num_inputs++;
   if (c->input < SGT_UNIT_ARRIVALS)
      receiver->arrivals[c->input] = SGT_NEVER;
   if (c->input >= SGT_UNIT_ARRIVALS) {
      c->next_input = receiver->more;
      receiver->more = c;
      receiver->waiting |= 1ull << SGT_UNIT_ARRIVALS;
   }
   return true;
}

void
sgt_channel_finish(struct sgt_channel *c)
{
   free(c->messages);
   c->messages = NULL;
}

void
sgt_channel_wait(struct sgt_channel *c, uint64_t now)
{
   if (c->latest_take == now && c->takes)
      sgt_sched_wake(c->sched, c->sender, now + 1);
   else
      c->sender_waits = true;
}

/* Sets the arrival time of the oldest message, both in the channel and in its receiver. */
static inline void
set_arrival(struct sgt_channel *c, uint64_t time)
{
   c->arrival = time;
   if (likely(c->input < SGT_UNIT_ARRIVALS))
      c->receiver->arrivals[c->input] = time;
}

void
sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message)
{
   assert(sgt_channel_used(c, now) < c->capacity);
   memcpy(c->tail, &now, sizeof(now));
   memcpy(c->tail + sizeof(now), message, c->message_bytes);
   c->tail += c->stride;
   if (c->tail == c->end)
      c->tail = c->messages;
   if (c->sent == c->taken) {
      set_arrival(c, now + c->delay);
      if (likely(c->input < SGT_UNIT_ARRIVALS))
         c->receiver->waiting |= 1ull << c->input;
   }
   c->sent++;
   c->max_used = MAX2(c->max_used, sgt_channel_used(c, now));
   sgt_sched_wake(c->sched, c->receiver, now + c->delay);
}

void
sgt_channel_take(struct sgt_channel *c, uint64_t now)
{
   assert(c->arrival <= now);
   c->residence += now - (c->arrival - c->delay);
   c->head += c->stride;
   if (c->head == c->end)
      c->head = c->messages;
   c->taken++;
   if (c->sent == c->taken) {
      set_arrival(c, SGT_NEVER);
      if (likely(c->input < SGT_UNIT_ARRIVALS))
         c->receiver->waiting &= ~(1ull << c->input);
   } else {
      uint64_t since;
      memcpy(&since, c->head, sizeof(since));
      set_arrival(c, since + c->delay);
   }
   c->takes = c->latest_take == now ? c->takes + 1 : 1;
   c->latest_take = now;
   if (c->sender_waits) {
      c->sender_waits = false;
      sgt_sched_wake(c->sched, c->sender, now + 1);
   }
}
