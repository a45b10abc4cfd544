/* SPDX-License-Identifier: MIT */
/*
 * Channels: message queues with a delay. They are the only connection between two units.
 *
 * The receiver can take a message `delay` ticks after the sender has sent it. The delay is at least
 * 1 tick. Messages that have not arrived yet count towards the capacity. When the receiver takes a
 * message, the sender can reuse its slot one tick later. This way, neither unit can see what the
 * other unit does on the same clock edge.
 */
#ifndef SGT_CHANNEL_H
#define SGT_CHANNEL_H

#include <assert.h>
#include <stddef.h>

#include "kernel/sgt_sched.h"

struct sgt_channel {
   /* The members that the sender and the receiver use most come first, to share a cache line of the
    * host.
    */
   /* time when the oldest message can be taken, or SGT_NEVER if the channel is empty */
   uint64_t arrival;
   uint8_t *head;        /* oldest element of the ring: 64-bit send time, followed by the message */
   uint64_t sent, taken; /* number of messages sent and number of messages taken so far */
   uint64_t latest_take; /* time when the last message was taken */
   uint32_t takes;       /* number of messages taken at time latest_take */
   uint32_t capacity;    /* maximum number of messages in the channel */
   struct sgt_unit *receiver;
   uint32_t input;    /* index of the channel in the receiver's inputs */
   bool sender_waits; /* the sender must be called when a slot becomes free */

   struct sgt_sched *sched;
   struct sgt_unit *sender;
   struct sgt_channel *next_input; /* next channel in the receiver's `more` list, or NULL */
   uint64_t delay;                 /* time from sending to arrival, in ticks */
   uint32_t message_bytes, stride; /* size of a message and size of a ring element, in bytes */
   /* ring of `capacity` elements; `tail` is where the next message goes */
   uint8_t *messages, *tail, *end;

   uint32_t max_used;  /* maximum number of messages that have been in the channel at once */
   uint64_t residence; /* time between sending and taking, summed over all messages, in ticks */
};

/* Creates an empty channel from `sender` to `receiver`. message_bytes is the size of a message in
 * bytes, `capacity` the maximum number of messages, and `delay` the delay in ticks. All of them
 * must be nonzero. Returns false if allocation fails.
 */
bool sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                      struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                      uint64_t delay);
void sgt_channel_finish(struct sgt_channel *c);

/* Returns the number of slots that the sender can't use. The slot of a message that was taken at
 * time `now` still counts as used.
 */
static inline uint32_t
sgt_channel_used(const struct sgt_channel *c, uint64_t now)
{
   return c->sent - c->taken + (c->latest_take == now ? c->takes : 0);
}

/* Schedules a call of the sender for the time when a slot becomes free. */
void sgt_channel_wait(struct sgt_channel *c, uint64_t now);

/* For the sender: returns whether there is a free slot. If not, the sender will be called as soon
 * as there is one.
 */
static inline bool
sgt_channel_can_send(struct sgt_channel *c, uint64_t now)
{
   if (sgt_channel_used(c, now) < c->capacity)
      return true;
   sgt_channel_wait(c, now);
   return false;
}

/* For the sender: copies a message of message_bytes bytes into the channel, which must have a free
 * slot. The receiver will be called when it can take the message.
 */
void sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message);

/* For the receiver: returns the oldest message if it has arrived, and NULL otherwise. */
static inline const void *
sgt_channel_peek(const struct sgt_channel *c, uint64_t now)
{
   return c->arrival <= now ? c->head + sizeof(uint64_t) : NULL;
}

/* For the receiver: removes the message that sgt_channel_peek() returns. */
void sgt_channel_take(struct sgt_channel *c, uint64_t now);

/* Returns the arrival time of the oldest message, which may be in the past, or SGT_NEVER if the
 * channel is empty.
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
