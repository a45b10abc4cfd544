/* SPDX-License-Identifier: MIT */
/*
 * Messages between the ROP of a memory partition and the units that send it pixels.
 *
 * A request is for bytes of one line of 64 bytes of a surface: the samples that a block or a
 * warp tests or writes there (sgt_rop_split.h makes them).  Its address decides the partition,
 * and so the ROP.  What passes is known from the trace; only the time matters.
 *
 *    early tests   DEPTH requests of a block; the pixels go to the shader cores when all that
 *                  have SGT_ROP_RESPOND are answered
 *    late tests    DEPTH requests of a warp; COLOR requests when they are answered
 *    colours       COLOR requests of a warp
 *    transfers     CLEAR to the ROPs of all partitions; READ, and when it is answered, WRITE
 */
#ifndef SGT_ROP_PORTS_H
#define SGT_ROP_PORTS_H

#include <stdint.h>

/* Bytes of a tile, the unit of the caches, of compression and of fast clears: 8x8 pixels of 4
 * bytes, ATTILA's line of 16 quads.  A tile is in one partition.
 */
#define SGT_ROP_TILE_BYTES 256

enum sgt_rop_kind {
   SGT_ROP_DEPTH, /* depth and stencil: test and update */
   SGT_ROP_COLOR, /* blending and write */
   SGT_ROP_READ,  /* a transfer's source */
   SGT_ROP_WRITE, /* a transfer's destination */
   SGT_ROP_CLEAR, /* fast clear of whole surfaces: of a ROP's tiles of a range */
   SGT_ROP_FLUSH, /* dirty tiles of a cache go to memory, ahead of reads by other units */
   SGT_ROP_KINDS,
};

#define SGT_ROP_READS 0x01    /* stored values are needed: a test, blending, bits that stay */
#define SGT_ROP_BLENDS 0x02   /* colours are computed from stored ones */
#define SGT_ROP_DOUBLE 0x04   /* depth of an operation that writes no colour: double rate */
#define SGT_ROP_STENCIL 0x08  /* stencil values change */
#define SGT_ROP_RESPOND 0x10  /* a response is wanted */
#define SGT_ROP_TO_DEPTH 0x20 /* READ, WRITE, CLEAR, FLUSH: of the depth path, not of colours */

struct sgt_rop_request {
   uint64_t address; /* a multiple of 64; CLEAR: where the range begins, in any partition */
   uint64_t mask;    /* bytes of the line that are tested or written; CLEAR: bytes of the range */
   uint64_t written; /* those of `mask` that are written */
   uint32_t item;    /* in trace->items */
   uint32_t tag;     /* the sender's; the response has it */
   uint16_t port;    /* the sender; the response has it */
   uint8_t kind;     /* enum sgt_rop_kind */
   uint8_t flags;    /* SGT_ROP_* */
   uint8_t quads;    /* of 2x2 pixels that the bytes are of, from 1; not CLEAR, FLUSH */
   uint8_t pixels;   /* samples that the bytes are of; not CLEAR, FLUSH */
   uint8_t bytes;    /* of a sample */
   uint8_t samples;  /* of a pixel of the surface */
};

/* The work of a request that had SGT_ROP_RESPOND is done, and later reads see it. */
struct sgt_rop_response {
   uint32_t tag;
   uint16_t port;
};

#endif
