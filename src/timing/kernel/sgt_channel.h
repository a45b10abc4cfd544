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
   /* The members that are used most come first, so that they share a cache line of the host. */
   /* time when the oldest message can be taken, or SGT_NEVER if the channel is empty */
   uint64_t arrival;
   uint8_t *head; /* oldest element of the ring: 64-bit send time, followed by the message */
   /* sent: number of messages that have been sent so far
    * taken: number of messages that have been taken so far
    */
   uint64_t sent, taken;
   uint64_t latest_take; /* time when the last message was taken */
   uint32_t takes;       /* number of messages taken at time latest_take */
   uint32_t capacity;    /* maximum number of messages in the channel */
   struct sgt_unit *receiver;
   uint32_t input; /* index of the channel among the receiver's inputs */
   /* true if the sender must be called when a slot becomes free */
   bool sender_waits;

   struct sgt_sched *sched;
   struct sgt_unit *sender;
   struct sgt_channel *next_input; /* next channel in the receiver's `more` list, or NULL */
   uint64_t delay;                 /* time from sending to arrival, in ticks */
   /* message_bytes: size of a message in bytes
    * stride: size of an element of the ring in bytes
    */
   uint32_t message_bytes, stride;
   /* ring buffer of `capacity` elements, which ends at `end`; the next message is written to `tail`
    */
   uint8_t *messages, *tail, *end;

   uint32_t max_used;  /* maximum number of messages in the channel at the same time */
   uint64_t residence; /* total time in ticks that messages have spent in the channel */
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

/* Called by the sender. Returns true if there is a free slot. Otherwise, the sender will be called
 * as soon as a slot becomes free.
 */
static inline bool
sgt_channel_can_send(struct sgt_channel *c, uint64_t now)
{
   if (sgt_channel_used(c, now) < c->capacity)
      return true;
   sgt_channel_wait(c, now);
   return false;
}

/* Called by the sender. Copies a message of message_bytes bytes into the channel, which must have a
 * free slot. The receiver will be called when it can take the message.
 */
void sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message);

/* Called by the receiver. Returns the oldest message if it has arrived, and NULL otherwise. */
static inline const void *
sgt_channel_peek(const struct sgt_channel *c, uint64_t now)
{
   return c->arrival <= now ? c->head + sizeof(uint64_t) : NULL;
}

/* Called by the receiver. Removes the message that sgt_channel_peek() returns. */
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
