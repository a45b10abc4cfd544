/* SPDX-License-Identifier: MIT */
/*
 * Callbacks that observe the memory accesses of a chip. The units of the chip call them in order of
 * simulated time. The callbacks don't affect the simulation. Each unit has a pointer to the
 * observer, which can be NULL.
 */
#ifndef SGT_CHIP_OBSERVER_H
#define SGT_CHIP_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct sgt_mem_request;
struct sgt_rop_request;

struct sgt_chip_observer {
   void *data;

   /* Called when the depth or color path of a ROP accepts a request and reads memory for it. The
    * requests of a path end in the order in which they begin. `cycle` counts cycles of the ROP
    * clock.
    */
   void (*rop_begin)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* Called when a request of a ROP is complete and its writes take effect. */
   void (*rop_end)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* Called when a ROP writes back a tile of its cache. `lines` is the number of write requests to
    * memory, and can be 0.
    */
   void (*rop_write_back)(void *data, uint32_t rop, uint64_t tile, uint32_t lines);
   /* Called when the transfer unit completes an operation, i.e. when all requests of the operation
    * have been answered.
    */
   void (*transfer_end)(void *data, uint64_t cycle, uint32_t operation);

   /* Called when a partition accepts a request, either from its ROP (`rop` is true) or from a
    * client of the memory network. The order of the calls is the order of the memory accesses.
    */
   void (*memory)(void *data, uint32_t partition, bool rop, const struct sgt_mem_request *r);
   /* Called when a texture unit answers an access. `client` is the memory client that has read all
    * lines of the access. `cycle` counts cycles of the unit's clock.
    */
   void (*texture)(void *data, uint64_t cycle, uint32_t client, uint32_t access);
   /* Called when all lines of a vertex warp have arrived in the input assembler. */
   void (*fetched)(void *data, uint64_t cycle, uint32_t client, uint32_t warp);
};

#endif
