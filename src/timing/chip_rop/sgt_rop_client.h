/* SPDX-License-Identifier: MIT */
/*
 * Client of the ROPs: the channels that a unit uses to send requests to all ROPs and to receive
 * their responses.
 */
#ifndef SGT_ROP_CLIENT_H
#define SGT_ROP_CLIENT_H

#include "kernel/sgt_channel.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_rop/sgt_rop_ports.h"

#define SGT_MAX_ROPS 64

struct sgt_rop_client {
   struct sgt_channel *requests[SGT_MAX_ROPS];
   struct sgt_channel *responses[SGT_MAX_ROPS];
   uint32_t num_rops;
   /* maps an address to the index of its partition and ROP */
   const struct sgt_partition_map *map;
   uint16_t port; /* ID of the client, which is copied to all of its requests */
   /* sent: number of requests that have been sent;
    * answered: number of responses that have arrived
    */
   uint64_t sent, answered;
};

/* Returns the index of the partition that contains an address, which is also the index of its ROP.
 */
static inline uint32_t
sgt_rop_client_partition(const struct sgt_rop_client *c, uint64_t address)
{
   return sgt_partition_find(c->map, address).partition;
}

/* Sends a request. Returns false if the channel to the ROP has no room. In this case, the scheduler
 * calls the unit again when the channel has room.
 */
static inline bool
sgt_rop_client_send(struct sgt_rop_client *c, uint32_t rop, uint64_t now,
                    struct sgt_rop_request *request, uint32_t tag)
{
   if (!sgt_channel_can_send(c->requests[rop], now))
      return false;
   request->tag = tag;
   request->port = c->port;
   request->flags |= SGT_ROP_RESPOND;
   sgt_channel_send(c->requests[rop], now, request);
   c->sent++;
   return true;
}

#endif
