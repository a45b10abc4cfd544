/* SPDX-License-Identifier: MIT */
/*
 * Observer of a chip: callbacks of the chip's units when they access memory. The calls are in the
 * order of simulated time. An observer does not change the simulation. Units have a pointer to the
 * observer, or NULL.
 */
#ifndef SGT_CHIP_OBSERVER_H
#define SGT_CHIP_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct sgt_mem_request;
struct sgt_rop_request;

struct sgt_chip_observer {
   void *data;

   /* Called when the depth or colour path of a ROP takes a request, and reads memory for it.
    * Requests of a path end in the order in which they begin. `cycle` counts the ROPs' clock.
    */
   void (*rop_begin)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* Called when a request is done, and its writes take effect. */
   void (*rop_end)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* Called when a ROP writes a tile of its cache back. `lines` is the number of write requests to
    * memory, which may be 0.
    */
   void (*rop_write_back)(void *data, uint32_t rop, uint64_t tile, uint32_t lines);
   /* Called when the transfer unit ends an operation: all of its requests have been answered. */
   void (*transfer_end)(void *data, uint64_t cycle, uint32_t operation);

   /* Called when a partition takes a request from its ROP (`rop`) or from a client of the memory
    * network. The order of the calls is the order of accesses to memory.
    */
   void (*memory)(void *data, uint32_t partition, bool rop, const struct sgt_mem_request *r);
   /* Called when a texture unit answers an access. All lines of the access were read by memory
    * client `client`. `cycle` counts the unit's clock.
    */
   void (*texture)(void *data, uint64_t cycle, uint32_t client, uint32_t access);
   /* Called when the input assembler has received all lines of a vertex warp. */
   void (*fetched)(void *data, uint64_t cycle, uint32_t client, uint32_t warp);
};

#endif
