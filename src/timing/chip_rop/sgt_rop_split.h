/* SPDX-License-Identifier: MIT */
/*
 * Generates ROP requests from the coverage of draws, and from transfers. Addresses are computed
 * from the targets of the operation (sgt_target.h).
 */
#ifndef SGT_ROP_SPLIT_H
#define SGT_ROP_SPLIT_H

#include "chip_rop/sgt_rop_ports.h"
#include "trace/sgt_target.h"
#include "trace/sgt_trace.h"

/* A quad of a trace item. (x, y) is its top left pixel, and both coordinates are even. Bits 0 to 3
 * of the masks correspond to the pixels of the quad.
 */
struct sgt_rop_quad {
   uint16_t x, y;
   uint32_t item;
   uint8_t mask;    /* bitmask of covered pixels */
   uint8_t written; /* bitmask of the covered pixels that pass the tests and are written */
};

/* Maximum number of quads per call of sgt_rop_split(), i.e. the number of quads in an 8x4 block. */
#define SGT_ROP_SPLIT_QUADS 8
/* Maximum number of requests per call of sgt_rop_split(). Each of the 4 pixels of a quad has up to
 * 16 samples, and each sample can straddle two lines.
 */
#define SGT_ROP_SPLIT_MAX (SGT_ROP_SPLIT_QUADS * 8 * 16)

/* Converts the covered lanes of a block to quads. `written` is a bitmask of the lanes that pass the
 * tests. Returns the number of quads.
 */
unsigned sgt_rop_block_quads(const struct sgt_block *block, uint32_t item, uint32_t written,
                             struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS]);

/* Generates the requests of `num` quads for one target of a draw, sample by sample, in the order of
 * the quads. `layer` is relative to the first layer of the target. Quads of the same item in the
 * same line share a request if possible. Quads outside of the target generate no requests. The
 * caller must set `tag`, `port` and SGT_ROP_RESPOND. Returns the number of requests.
 */
unsigned sgt_rop_split(const struct sgt_target *target, uint32_t layer,
                       const struct sgt_rop_quad *quads, unsigned num,
                       struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX]);

/* Iterator over the 64-byte lines in the rectangle of a target: layer by layer, sample by sample,
 * row by row. A row consists of elements or of micro tiles in address order.
 */
struct sgt_rop_lines {
   const struct sgt_target *target;
   uint32_t layer, sample, row;
   uint64_t at, end; /* at: address of the next byte in the row; end: end address of the row */
};

/* Iterator over the requests of a transfer, i.e. a clear, copy or fill. */
struct sgt_rop_transfer {
   /* target: current target;
    * targets_end: end of the array of targets
    */
   const struct sgt_target *target, *targets_end;
   /* write: iterates over the lines of the target;
    * read: iterates over the lines of the source
    */
   struct sgt_rop_lines write, read;
   uint64_t num_writes, num_reads; /* number of lines of the target, and of the source */
   /* number of write and read requests that have been generated for the current target */
   uint64_t writes, reads;
   uint32_t item;
   bool fast_clear; /* true if the current target uses a fast clear */
   bool clears;     /* true if the transfer is a clear and fast clears are allowed */
};

/* Starts to iterate over the requests of a trace item. If `fast_clear` is true, clears of whole
 * tiled surfaces become CLEAR requests. Returns false if the item is not a transfer, or if its
 * operation writes no target.
 */
bool sgt_rop_transfer_begin(struct sgt_rop_transfer *t, const struct sgt_trace *trace,
                            uint32_t item, bool fast_clear);
/* Generates the next request. Returns false if there are no more requests. There is one request per
 * line of the source and of the destination. READ requests have SGT_ROP_RESPOND set, and precede
 * the WRITE requests that depend on them. If the rectangles differ in size, READ and WRITE requests
 * are interleaved proportionally. The caller must set `tag` and `port`.
 */
bool sgt_rop_transfer_next(struct sgt_rop_transfer *t, struct sgt_rop_request *request);

#endif
