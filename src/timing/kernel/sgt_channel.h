/* SPDX-License-Identifier: MIT */
/*
 * Channels: the only way from one unit to another.
 *
 * A message that is sent at one time can be taken `delay` ticks later, at least 1.  The
 * capacity counts what is under way, and a place is free for the sender from the tick after
 * the message was taken.  So neither end sees within an edge what the other does in it.
 */
#ifndef SGT_CHANNEL_H
#define SGT_CHANNEL_H

#include <assert.h>
#include <stddef.h>

#include "kernel/sgt_sched.h"

struct sgt_channel {
   /* What both ends look at comes first. */
   uint64_t arrival; /* of the oldest message; SGT_NEVER: there is none */
   uint8_t *head;    /* the oldest message, behind the time at which it was sent */
   uint64_t sent, taken;
   uint64_t latest_take; /* time */
   uint32_t takes;       /* at that time */
   uint32_t capacity;
   struct sgt_unit *receiver;
   uint32_t input; /* number at the receiver */
   bool sender_waits;

   struct sgt_sched *sched;
   struct sgt_unit *sender;
   struct sgt_channel *next_input; /* of the receiver's list, if `input` has no arrival there */
   uint64_t delay;                 /* ticks */
   uint32_t message_bytes, stride;
   uint8_t *messages, *tail, *end; /* ring of `capacity` times `stride` bytes */

   uint32_t max_used;  /* messages */
   uint64_t residence; /* ticks, sum over messages from sending to taking */
};

/* False: no memory. */
bool sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                      struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                      uint64_t delay);
void sgt_channel_finish(struct sgt_channel *c);

/* Places that the sender sees as used: what is taken at this very time still has its place. */
static inline uint32_t
sgt_channel_used(const struct sgt_channel *c, uint64_t now)
{
   return c->sent - c->taken + (c->latest_take == now ? c->takes : 0);
}

/* Of sgt_channel_can_send: the sender is called when there is a place. */
void sgt_channel_wait(struct sgt_channel *c, uint64_t now);

/* Sender: whether there is a place.  If not, the sender is called when there is one. */
static inline bool
sgt_channel_can_send(struct sgt_channel *c, uint64_t now)
{
   if (sgt_channel_used(c, now) < c->capacity)
      return true;
   sgt_channel_wait(c, now);
   return false;
}

/* Sender: there must be a place.  The receiver is called when the message can be taken. */
void sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message);

/* Receiver: the oldest message that can be taken, or NULL. */
static inline const void *
sgt_channel_peek(const struct sgt_channel *c, uint64_t now)
{
   return c->arrival <= now ? c->head + sizeof(uint64_t) : NULL;
}

/* Receiver: takes the message that sgt_channel_peek returns. */
void sgt_channel_take(struct sgt_channel *c, uint64_t now);

/* When the oldest message can or could be taken; SGT_NEVER: there is none. */
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
