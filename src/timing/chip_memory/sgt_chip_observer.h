/* SPDX-License-Identifier: MIT */
/*
 * Observer of a chip: what its units do to memory, and when.  The chip calls it in its own time
 * order; an observer changes nothing.  Units have a pointer to it, or NULL.
 */
#ifndef SGT_CHIP_OBSERVER_H
#define SGT_CHIP_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct sgt_mem_request;
struct sgt_rop_request;

struct sgt_chip_observer {
   void *data;

   /* A path of a ROP takes a request: what it reads is read now.  Requests of a path end in the
    * order in which they begin.  Cycles are those of the ROPs' clock.
    */
   void (*rop_begin)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* It is done: what it writes is written. */
   void (*rop_end)(void *data, uint64_t cycle, uint32_t rop, const struct sgt_rop_request *r);
   /* A ROP writes a tile of its cache back, by `lines` requests to memory, from 0. */
   void (*rop_write_back)(void *data, uint32_t rop, uint64_t tile, uint32_t lines);
   /* The transfer unit ends an operation: all of its requests are answered. */
   void (*transfer_end)(void *data, uint64_t cycle, uint32_t operation);

   /* A partition takes a request, of its ROP or of a client of the network of memory: the order
    * of these calls is that of memory.
    */
   void (*memory)(void *data, uint32_t partition, bool rop, const struct sgt_mem_request *r);
   /* A texture unit answers an access: all lines of the access were read by client `client`.
    * Cycles are those of the unit's clock.
    */
   void (*texture)(void *data, uint64_t cycle, uint32_t client, uint32_t access);
   /* The input assembler has the lines of a vertex warp. */
   void (*fetched)(void *data, uint64_t cycle, uint32_t client, uint32_t warp);
};

#endif
