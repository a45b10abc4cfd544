/* SPDX-License-Identifier: MIT */
/*
 * Makes requests for ROPs from the coverage of draws, and from transfers. Addresses come from the
 * targets of the operation (sgt_target.h).
 */
#ifndef SGT_ROP_SPLIT_H
#define SGT_ROP_SPLIT_H

#include "chip_rop/sgt_rop_ports.h"
#include "trace/sgt_target.h"
#include "trace/sgt_trace.h"

/* A quad of an item. x and y are even. Bits 0 to 3 of masks are the pixels. */
struct sgt_rop_quad {
   uint16_t x, y;
   uint32_t item;
   uint8_t mask;    /* bit mask of covered pixels */
   uint8_t written; /* bit mask of those pixels that are written, because they pass */
};

/* Maximum number of quads of a call of sgt_rop_split(): those of a block of 8x4 pixels. */
#define SGT_ROP_SPLIT_QUADS 8
/* Maximum number of requests of a call: each of 4 pixels of a quad and each of 16 samples may be in
 * two lines.
 */
#define SGT_ROP_SPLIT_MAX (SGT_ROP_SPLIT_QUADS * 8 * 16)

/* Makes quads from the covered lanes of a block. `written` is the bit mask of lanes that pass.
 * Returns the number of quads.
 */
unsigned sgt_rop_block_quads(const struct sgt_block *block, uint32_t item, uint32_t written,
                             struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS]);

/* Makes requests for quads and a target of a draw, sample by sample, in the order of quads. `layer`
 * counts from the first layer of the target. Quads of an item that are in the same line share a
 * request if possible. Quads outside of the target have no requests. The caller must set `tag`,
 * `port` and SGT_ROP_RESPOND. Returns the number of requests.
 */
unsigned sgt_rop_split(const struct sgt_target *target, uint32_t layer,
                       const struct sgt_rop_quad *quads, unsigned num,
                       struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX]);

/* Iterator over the lines of 64 bytes of a target's rectangle: layer by layer, sample by sample,
 * row by row. A row consists of elements or of micro tiles, in the order of addresses.
 */
struct sgt_rop_lines {
   const struct sgt_target *target;
   uint32_t layer, sample, row;
   uint64_t at, end; /* address of the next byte in the row; end of the row */
};

/* Iterator over the requests of a transfer: a clear, copy or fill. */
struct sgt_rop_transfer {
   const struct sgt_target *target, *targets_end; /* current target; end of the array of targets */
   struct sgt_rop_lines write, read;              /* lines of the target and of the source */
   uint64_t num_writes, num_reads; /* numbers of lines of the target and of the source */
   uint64_t writes, reads;         /* numbers of write and read requests of the target so far */
   uint32_t item;
   bool fast_clear; /* the current target is cleared by a fast clear */
   bool clears;     /* the transfer is a clear, and fast clears are allowed */
};

/* Begins the iteration over the requests of an item. With `fast_clear`, clears of whole tiled
 * surfaces become CLEAR requests. Returns false if the item is not a transfer, or if its operation
 * writes no target.
 */
bool sgt_rop_transfer_begin(struct sgt_rop_transfer *t, const struct sgt_trace *trace,
                            uint32_t item, bool fast_clear);
/* Makes the next request. Returns false if there is none. Each line of source and destination has
 * one request. READ requests have SGT_ROP_RESPOND, and come before the WRITE requests that need
 * them. If the rectangles differ in size, READ and WRITE requests come in proportion. The caller
 * must set `tag` and `port`.
 */
bool sgt_rop_transfer_next(struct sgt_rop_transfer *t, struct sgt_rop_request *request);

#endif
