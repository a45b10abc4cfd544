/* SPDX-License-Identifier: MIT */
/*
 * Messages between the ROP of a memory partition and the units that send it pixels.
 *
 * A request is for bytes of one line of 64 bytes of a surface: the samples that a block or a warp
 * tests or writes there (made by sgt_rop_split.h). Its address determines the partition, and so the
 * ROP. The results of tests are known from the trace; only the time is modelled.
 *
 *    early tests   DEPTH requests of a block; the pixels go to the shader cores when all requests
 *                  with SGT_ROP_RESPOND have a response
 *    late tests    DEPTH requests of a warp; COLOR requests after the responses
 *    colours       COLOR requests of a warp
 *    transfers     CLEAR to the ROPs of all partitions; READ, and after the response WRITE
 */
#ifndef SGT_ROP_PORTS_H
#define SGT_ROP_PORTS_H

#include <stdint.h>

/* Size of a tile in bytes: the unit of the caches, of compression and of fast clears. It has 8x8
 * pixels of 4 bytes, like a cache line of 16 quads in ATTILA. A tile is in one partition.
 */
#define SGT_ROP_TILE_BYTES 256

enum sgt_rop_kind {
   SGT_ROP_DEPTH, /* tests and updates depth and stencil */
   SGT_ROP_COLOR, /* blends and writes colours */
   SGT_ROP_READ,  /* reads the source of a transfer */
   SGT_ROP_WRITE, /* writes the destination of a transfer */
   SGT_ROP_CLEAR, /* fast clear: clears the ROP's tiles in a range of addresses */
   SGT_ROP_FLUSH, /* writes dirty tiles of a cache to memory, before other units read them */
   SGT_ROP_KINDS,
};

/* The request needs the stored values, for a test, for blending, or for bits that it keeps. */
#define SGT_ROP_READS 0x01
#define SGT_ROP_BLENDS 0x02   /* new colours depend on stored colours */
#define SGT_ROP_DOUBLE 0x04   /* depth of an operation that writes no colour: double rate */
#define SGT_ROP_STENCIL 0x08  /* stencil values change */
#define SGT_ROP_RESPOND 0x10  /* the ROP sends a response */
#define SGT_ROP_TO_DEPTH 0x20 /* READ, WRITE, CLEAR and FLUSH: use the depth path, not colour */

struct sgt_rop_request {
   uint64_t address; /* multiple of 64; for CLEAR: start of the range, in any partition */
   uint64_t mask;    /* bit mask of bytes that are tested or written; for CLEAR: range in bytes */
   uint64_t written; /* bit mask of those bytes that are written */
   uint32_t item;    /* index of the item in trace->items */
   uint32_t tag;     /* number that the sender chooses, and that the response returns */
   uint16_t port;    /* number of the sender, which the response returns */
   uint8_t kind;     /* enum sgt_rop_kind */
   uint8_t flags;    /* SGT_ROP_* */
   uint8_t quads;    /* number of quads with these bytes, at least 1; unused for CLEAR, FLUSH */
   uint8_t pixels;   /* number of samples with these bytes; unused for CLEAR, FLUSH */
   uint8_t bytes;    /* bytes per sample */
   uint8_t samples;  /* samples per pixel of the surface */
};

/* Response to a request with SGT_ROP_RESPOND. The request is done, and later reads return what it
 * wrote.
 */
struct sgt_rop_response {
   uint32_t tag;
   uint16_t port;
};

#endif
