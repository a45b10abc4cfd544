/* SPDX-License-Identifier: MIT */
/*
 * The side of a unit that sends requests to ROPs: a channel to each, and one of responses.
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
   const struct sgt_partition_map *map; /* a ROP has the addresses of its partition */
   uint16_t port;                       /* of requests */
   uint64_t sent, answered;
};

/* The partition of an address. */
static inline uint32_t
sgt_rop_client_partition(const struct sgt_rop_client *c, uint64_t address)
{
   return sgt_partition_find(c->map, address).partition;
}

/* False: the ROP has no place now, and the unit is called when it has. */
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
