/* SPDX-License-Identifier: MIT */
/*
 * From coverage and transfers to requests of ROPs, by the addresses of the operation's targets
 * (sgt_target.h).
 */
#ifndef SGT_ROP_SPLIT_H
#define SGT_ROP_SPLIT_H

#include "chip_rop/sgt_rop_ports.h"
#include "trace/sgt_target.h"
#include "trace/sgt_trace.h"

/* 2x2 pixels of an item; x and y are even.  Bits of masks: pixels 0 to 3. */
struct sgt_rop_quad {
   uint16_t x, y;
   uint32_t item;
   uint8_t mask;    /* pixels that take part */
   uint8_t written; /* those of `mask` that are written: that pass */
};

#define SGT_ROP_SPLIT_QUADS 8
/* Most requests of a call: each pixel of a quad has an element of up to two lines. */
#define SGT_ROP_SPLIT_MAX (SGT_ROP_SPLIT_QUADS * 8 * 16)

/* Quads of a block with lanes in `mask`, of which `written` pass; returns their number. */
unsigned sgt_rop_block_quads(const struct sgt_block *block, uint32_t item, uint32_t written,
                             struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS]);

/*
 * Requests for quads on a target of a draw, in the order of quads, and a sample at a time;
 * `layer` is counted from the target's first.  Neighbouring quads of an item share a request
 * where they are in one line.  `tag`, `port` and SGT_ROP_RESPOND are the caller's.  Quads
 * outside of the target have none.  Returns the number of requests.
 */
unsigned sgt_rop_split(const struct sgt_target *target, uint32_t layer,
                       const struct sgt_rop_quad *quads, unsigned num,
                       struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX]);

/* The lines of a rectangle of a target, in the order of addresses for each row of elements or
 * of micro tiles, layer by layer, sample by sample.
 */
struct sgt_rop_lines {
   const struct sgt_target *target;
   uint32_t layer, sample, row;
   uint64_t at, end; /* addresses in the row */
};

/* The work of a transfer (clear, copy, fill), request by request. */
struct sgt_rop_transfer {
   const struct sgt_target *target, *targets_end; /* written, from the present one on */
   struct sgt_rop_lines write, read;
   uint64_t num_writes, num_reads; /* lines in all of this target and of the source */
   uint64_t writes, reads;         /* so far */
   uint32_t item;
   bool fast_clear; /* of this target */
   bool clears;     /* fast clears are allowed, and this is a clear */
};

/* `fast_clear`: clears of whole tiled surfaces are CLEAR requests.  False: the item is no
 * transfer, or its operation has no target that is written.
 */
bool sgt_rop_transfer_begin(struct sgt_rop_transfer *t, const struct sgt_trace *trace,
                            uint32_t item, bool fast_clear);
/*
 * The next request.  Each line of source and destination comes once; READ requests, which have
 * SGT_ROP_RESPOND, come ahead of the WRITE requests that need them, in proportion where the
 * rectangles differ in size.  `tag` and `port` are the caller's.  False: there is none.
 */
bool sgt_rop_transfer_next(struct sgt_rop_transfer *t, struct sgt_rop_request *request);

#endif
