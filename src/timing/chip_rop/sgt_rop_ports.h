/* SPDX-License-Identifier: MIT */
/*
 * Messages between the ROP of a memory partition and the units that send pixels to it.
 *
 * A request refers to bytes in one 64-byte line of a surface. The bytes hold the samples that a
 * block or a warp tests or writes (see sgt_rop_split.h). The address determines the partition, and
 * therefore the ROP. The ROP only models the timing, because the trace contains the results of the
 * tests.
 *
 * - Early tests send DEPTH requests for a block. The pixels of the block are sent to the shader
 * cores after all requests with SGT_ROP_RESPOND have been answered.
 * - Late tests send DEPTH requests for a warp. COLOR requests follow after the responses.
 * - If there are no late tests, pixel outputs only send COLOR requests for a warp.
 * - Transfers send CLEAR requests to the ROPs of all partitions, or READ requests for the source
 * and WRITE requests after the responses.
 */
#ifndef SGT_ROP_PORTS_H
#define SGT_ROP_PORTS_H

#include <stdint.h>

/* Size in bytes of a tile, which is the unit of caching, compression and fast clears. A tile has
 * 8x8 pixels of 4 bytes, like a cache line of 16 quads in ATTILA, and is stored in a single
 * partition.
 */
#define SGT_ROP_TILE_BYTES 256

enum sgt_rop_kind {
   SGT_ROP_DEPTH, /* tests and updates depth and stencil */
   SGT_ROP_COLOR, /* blends and writes colors */
   SGT_ROP_READ,  /* reads the source of a transfer */
   SGT_ROP_WRITE, /* writes the destination of a transfer */
   SGT_ROP_CLEAR, /* fast clear of the ROP's tiles in an address range */
   /* writes back the dirty tiles of a cache, so that other units can read them from memory */
   SGT_ROP_FLUSH,
   SGT_ROP_KINDS,
};

/* Set if the request needs the stored values for a test, for blending, or to preserve bits that it
 * doesn't write.
 */
#define SGT_ROP_READS 0x01
#define SGT_ROP_BLENDS 0x02 /* set if new colors depend on the stored colors */
/* set for a depth request of an operation that writes no color, which runs at double rate */
#define SGT_ROP_DOUBLE 0x04
#define SGT_ROP_STENCIL 0x08 /* the request changes stencil values */
#define SGT_ROP_RESPOND 0x10 /* the ROP answers the request */
/* set if a READ, WRITE, CLEAR or FLUSH uses the depth path instead of the color path */
#define SGT_ROP_TO_DEPTH 0x20

struct sgt_rop_request {
   /* Address of the line, a multiple of 64. For CLEAR, the start of the address range, which can be
    * in any partition.
    */
   uint64_t address;
   /* Bitmask of the bytes that are tested or written. For CLEAR, the size of the range in bytes. */
   uint64_t mask;
   uint64_t written; /* bitmask of the bytes in `mask` that are written */
   uint32_t item;    /* index into trace->items */
   uint32_t tag;     /* ID that the sender chooses and that the response returns */
   uint16_t port;    /* ID of the sender, which the response returns */
   uint8_t kind;     /* enum sgt_rop_kind */
   uint8_t flags;    /* bitmask of SGT_ROP_* */
   /* Number of quads that contain bytes of `mask`, at least 1. Not used for CLEAR and FLUSH. */
   uint8_t quads;
   /* Number of samples that contain bytes of `mask`. Not used for CLEAR and FLUSH. */
   uint8_t pixels;
   uint8_t bytes;   /* size of a sample in bytes */
   uint8_t samples; /* number of samples per pixel of the surface */
};

/* Response to a request with SGT_ROP_RESPOND. It means that the request is complete, i.e. that
 * later reads return the values that it has written.
 */
struct sgt_rop_response {
   uint32_t tag;
   uint16_t port;
};

#endif
