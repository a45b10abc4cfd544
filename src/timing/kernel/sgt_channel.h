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

#include "sgt_sched.h"

struct sgt_channel {
   struct sgt_sched *sched;
   struct sgt_unit *sender, *receiver;
   struct sgt_channel *next_input; /* of the receiver */
   uint32_t message_bytes, capacity;
   uint64_t delay; /* ticks */

   uint8_t *messages; /* rings of `capacity` */
   uint64_t *ready;   /* when a message can be taken */
   uint32_t head;     /* the oldest */
   uint64_t sent, taken;
   uint64_t latest_take; /* time */
   uint32_t takes;       /* at that time */
   bool sender_waits;

   uint32_t max_used;  /* messages */
   uint64_t residence; /* ticks, sum over messages from sending to taking */
   uint64_t *sent_at;
};

/* False: no memory. */
bool sgt_channel_init(struct sgt_channel *c, struct sgt_sched *sched, struct sgt_unit *sender,
                      struct sgt_unit *receiver, uint32_t message_bytes, uint32_t capacity,
                      uint64_t delay);
void sgt_channel_finish(struct sgt_channel *c);

/* Sender: whether there is a place.  If not, the sender is called when there is one. */
bool sgt_channel_can_send(struct sgt_channel *c, uint64_t now);
/* Sender: there must be a place.  The receiver is called when the message can be taken. */
void sgt_channel_send(struct sgt_channel *c, uint64_t now, const void *message);

/* Receiver: the oldest message that can be taken, or NULL. */
const void *sgt_channel_peek(const struct sgt_channel *c, uint64_t now);
/* Receiver: takes the message that sgt_channel_peek returns. */
void sgt_channel_take(struct sgt_channel *c, uint64_t now);

/* When the oldest message can or could be taken; SGT_NEVER: there is none. */
static inline uint64_t
sgt_channel_arrival(const struct sgt_channel *c)
{
   return c->sent == c->taken ? SGT_NEVER : c->ready[c->head];
}

static inline bool
sgt_channel_empty(const struct sgt_channel *c)
{
   return c->sent == c->taken;
}

#endif
