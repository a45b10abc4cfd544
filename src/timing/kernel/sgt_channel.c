/* SPDX-License-Identifier: MIT */
/*
 * Channels.
 */
#include "sgt_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

bool
sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                 struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                 uint64_t delay)
{
   assert(message_bytes && capacity && delay);
   *c = (struct sgt_channel){
      .sched = sched,
      .sender = sender,
      .receiver = receiver,
      .message_bytes = message_bytes,
      .capacity = capacity,
      .delay = delay,
      .messages = malloc((size_t)message_bytes * capacity),
      .ready = malloc(sizeof(uint64_t) * capacity),
      .sent_at = malloc(sizeof(uint64_t) * capacity),
   };
   if (!c->messages || !c->ready || !c->sent_at) {
      sgt_channel_finish(c);
      return false;
   }
   c->next_input = receiver->inputs;
   receiver->inputs = c;
   return true;
}

void
sgt_channel_finish(struct sgt_channel *c)
{
   free(c->messages);
   free(c->ready);
   free(c->sent_at);
   c->messages = NULL;
   c->ready = c->sent_at = NULL;
}

/* Places that the sender sees as used: what is taken at this very time still has its place. */
static uint32_t
used_places(const struct sgt_channel *c, uint64_t now)
{
   return c->sent - c->taken + (c->latest_take == now ? c->takes : 0);
}

bool
sgt_channel_can_send(struct sgt_channel *c, uint64_t now)
{
   if (used_places(c, now) < c->capacity)
      return true;
   if (c->latest_take == now && c->takes)
      sgt_sched_wake(c->sched, c->sender, now + 1);
   else
      c->sender_waits = true;
   return false;
}

void
sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message)
{
   assert(sgt_channel_can_send(c, now));
   const uint32_t slot = (c->head + (c->sent - c->taken)) % c->capacity;
   memcpy(c->messages + (size_t)slot * c->message_bytes, message, c->message_bytes);
   c->ready[slot] = now + c->delay;
   c->sent_at[slot] = now;
   c->sent++;
   c->max_used = MAX2(c->max_used, used_places(c, now));
   sgt_sched_wake(c->sched, c->receiver, now + c->delay);
}

const void *
sgt_channel_peek(const struct sgt_channel *c, uint64_t now)
{
   if (c->sent == c->taken || c->ready[c->head] > now)
      return NULL;
   return c->messages + (size_t)c->head * c->message_bytes;
}

void
sgt_channel_take(struct sgt_channel *c, uint64_t now)
{
   assert(sgt_channel_peek(c, now));
   c->residence += now - c->sent_at[c->head];
   c->head = (c->head + 1) % c->capacity;
   if (c->latest_take != now) {
      c->latest_take = now;
      c->takes = 0;
   }
   c->takes++;
   c->taken++;
   if (c->sender_waits) {
      c->sender_waits = false;
      sgt_sched_wake(c->sched, c->sender, now + 1);
   }
}
