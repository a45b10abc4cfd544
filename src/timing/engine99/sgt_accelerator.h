/* SPDX-License-Identifier: MIT */
/*
 * An accelerator with DRAM: a pixel pipeline that prefetches blocks of 8x4 pixels and writes them
 * back later. With perfect memory, the time of a slice is a sum (sgt_perfect.h), and this unit is
 * not needed.
 *
 * A command from the issue unit takes a cycle, and so does the tag that is returned. The slice is
 * complete when its last write is done, since a dependent slice may read at once.
 */
#ifndef SGT_ACCELERATOR_H
#define SGT_ACCELERATOR_H

#include "engine99/sgt_account.h"
#include "dram/sgt_address.h"
#include "kernel/sgt_channel.h"
#include "dram/sgt_dram_unit.h"

struct sgt_dump;

/* Command of the issue unit to draw a slice. */
struct sgt_command {
   uint32_t tag;                  /* tag of the slice in the issue unit */
   const struct sgt_slice *slice; /* the slice, which exists until the tag is returned */
};

/* A block of 8x4 pixels of the slice. */
struct sgt_pixel_block {
   uint32_t x, y, layer; /* position of the block in pixels; layer */
   uint32_t mask;        /* lanes that the slice covers */
   uint32_t reads;       /* number of reads that are not sent or not answered */
};

struct sgt_accelerator {
   struct sgt_unit unit;
   const struct sgt_trace *trace;
   const struct sgt_engine_params *params;
   const struct sgt_addresses *addresses;
   struct sgt_account *account;
   struct sgt_channel commands, tags; /* `tags` returns the tags of slices, uint32_t */
   struct sgt_dram_port *port;

   struct sgt_command command;
   const struct sgt_item *item;
   bool active;      /* the accelerator has a slice */
   uint32_t rate;    /* number of pixels that the pipeline takes per cycle */
   uint64_t free_at; /* cycle from which the pipeline takes the next block */
   uint64_t begin;   /* cycle of the slice's first read */
   uint64_t pixels;  /* number of the slice's pixels that entered the pipeline */
   bool working;     /* the oldest block of the ring is in the pipeline until free_at */

   /* Blocks of the slice that are still to be processed. */
   /* next block and end: indices in trace->blocks for primitives, numbers for transfers */
   uint32_t next, end;
   /* for transfers: columns and rows of blocks of a layer; columns is 0 without a rectangle */
   uint32_t columns, rows;
   struct sgt_pixel_block *ring; /* blocks that are prefetched; params->dram.ahead elements */
   uint32_t first, num;          /* index of the oldest block in the ring; number of blocks */

   /* Addresses of the reads of the youngest block. Those from `read` to num_reads - 1 are not sent.
    */
   uint64_t reads[3 * SGT_BLOCK_BYTES / SGT_DRAM_BURST + 64];
   uint32_t read, num_reads;
   /* Writes: num_writes are in the ring and not sent, and open_writes are sent and not answered. */
   uint64_t *writes; /* addresses, a ring of params->dram.write_queue elements */
   uint32_t first_write, num_writes, open_writes;
};

/* Adds the unit to the scheduler and connects it to `issue` and the next port of `dram`. Returns
 * false if out of memory.
 */
bool sgt_accelerator_init(struct sgt_accelerator *a, struct sgt_sched *sched,
                          const struct sgt_clock *clock, struct sgt_unit *issue,
                          struct sgt_dram *dram, const struct sgt_trace *trace,
                          const struct sgt_engine_params *params,
                          const struct sgt_addresses *addresses, struct sgt_account *account);
void sgt_accelerator_finish(struct sgt_accelerator *a);
/* Returns true if it has no slice and its channels are empty. */
bool sgt_accelerator_idle(const struct sgt_accelerator *a);
/* Writes what the unit has under way. */
void sgt_accelerator_dump(const struct sgt_accelerator *a, uint32_t number, struct sgt_dump *d);

#endif
