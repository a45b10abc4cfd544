/* SPDX-License-Identifier: MIT */
/*
 * Channels: queues of messages with a delay, and the only connection between two units.
 *
 * The receiver can take a message `delay` ticks after it was sent; the delay is at least 1.
 * The capacity includes messages that have not arrived yet. The place of a message is free for
 * the sender from the tick after the message was taken. So neither unit sees what the other
 * unit does at the same clock edge.
 */
#ifndef SGT_CHANNEL_H
#define SGT_CHANNEL_H

#include <assert.h>
#include <stddef.h>

#include "kernel/sgt_sched.h"

struct sgt_channel {
   /* The members that sender and receiver use most come first, for the host's cache. */
   uint64_t arrival;     /* time at which the oldest message can be taken, or SGT_NEVER if empty */
   uint8_t *head;        /* oldest element of the ring: a 64-bit send time, then the message */
   uint64_t sent, taken; /* numbers of messages that were sent and taken so far */
   uint64_t latest_take; /* time at which the latest message was taken */
   uint32_t takes;       /* number of messages that were taken at time latest_take */
   uint32_t capacity;    /* maximum number of messages in the channel */
   struct sgt_unit *receiver;
   uint32_t input;    /* index of the channel among the receiver's inputs */
   bool sender_waits; /* the sender must be called when a place becomes free */

   struct sgt_sched *sched;
   struct sgt_unit *sender;
   struct sgt_channel *next_input; /* next channel in the receiver's list `more`, or NULL */
   uint64_t delay;                 /* time from sending to arrival, in ticks */
   uint32_t message_bytes, stride; /* sizes of a message and of a ring element, in bytes */
   uint8_t *messages, *tail, *end; /* ring of `capacity` elements; the next message goes to tail */

   uint32_t max_used;  /* largest number of messages in the channel so far */
   uint64_t residence; /* sum over all messages of the ticks from sending to taking */
};

/* Creates an empty channel from `sender` to `receiver`. Sizes are in bytes, `capacity` is in
 * messages, `delay` in ticks; none is 0. Returns false if out of memory.
 */
bool sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                      struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                      uint64_t delay);
void sgt_channel_finish(struct sgt_channel *c);

/* Returns the number of places that are occupied for the sender. A message that was taken at
 * time `now` still occupies its place.
 */
static inline uint32_t
sgt_channel_used(const struct sgt_channel *c, uint64_t now)
{
   return c->sent - c->taken + (c->latest_take == now ? c->takes : 0);
}

/* Schedules a call of the sender for the time when a place is free. */
void sgt_channel_wait(struct sgt_channel *c, uint64_t now);

/* For the sender: returns whether a place is free. If none is free, the sender will be called
 * when one is.
 */
static inline bool
sgt_channel_can_send(struct sgt_channel *c, uint64_t now)
{
   if (sgt_channel_used(c, now) < c->capacity)
      return true;
   sgt_channel_wait(c, now);
   return false;
}

/* For the sender: copies a message of message_bytes into the channel, which must have a free
 * place. The receiver will be called when it can take the message.
 */
void sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message);

/* For the receiver: returns the oldest message if it has arrived, or NULL. */
static inline const void *
sgt_channel_peek(const struct sgt_channel *c, uint64_t now)
{
   return c->arrival <= now ? c->head + sizeof(uint64_t) : NULL;
}

/* For the receiver: removes the message that sgt_channel_peek() returns. */
void sgt_channel_take(struct sgt_channel *c, uint64_t now);

/* Returns the time at which the oldest message arrives or arrived, or SGT_NEVER if the channel
 * is empty.
 */
static inline uint64_t
sgt_channel_arrival(const struct sgt_channel *c)
{
   return c->arrival;
}

static inline bool
sgt_channel_empty(const struct sgt_channel *c)
{
   return c->sent == c->taken;
}

#endif
