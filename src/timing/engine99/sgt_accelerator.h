/* SPDX-License-Identifier: MIT */
/*
 * An accelerator with DRAM: a pixel pipeline that prefetches 8x4 pixel blocks and writes them back
 * later. Not needed with perfect memory, where the duration of a slice is a simple sum
 * (sgt_perfect.h).
 *
 * A command from the issue unit takes one cycle to arrive, and so does the returned tag. A slice is
 * complete when its last write is done, since a dependent slice can start reading immediately.
 */
#ifndef SGT_ACCELERATOR_H
#define SGT_ACCELERATOR_H

#include "engine99/sgt_account.h"
#include "dram/sgt_address.h"
#include "kernel/sgt_channel.h"
#include "dram/sgt_dram_unit.h"

struct sgt_dump;

/* Command from the issue unit to draw a slice. */
struct sgt_command {
   uint32_t tag; /* tag of the slice, i.e. index of its destination station in the issue unit */
   const struct sgt_slice *slice; /* slice to draw, which stays valid until the tag is returned */
};

/* An 8x4 pixel block of the slice. */
struct sgt_pixel_block {
   uint32_t x, y, layer; /* position in pixels, and layer */
   uint32_t mask;        /* bitmask of the lanes that the slice covers */
   uint32_t reads;       /* number of reads that are waiting to be sent or to complete */
};

struct sgt_accelerator {
   struct sgt_unit unit;
   const struct sgt_trace *trace;
   const struct sgt_engine_params *params;
   const struct sgt_addresses *addresses;
   struct sgt_account *account;
   /* commands: carries commands from the issue unit;
    * tags: carries the tags (uint32_t) of completed slices to the issue unit
    */
   struct sgt_channel commands, tags;
   struct sgt_dram_port *port;

   struct sgt_command command;
   const struct sgt_item *item;
   bool active;      /* true while the accelerator processes a slice */
   uint32_t rate;    /* pipeline throughput in pixels per cycle */
   uint64_t free_at; /* cycle when the pipeline can accept the next block */
   uint64_t begin;   /* cycle when the slice can start reading */
   uint64_t pixels;  /* number of pixels of the slice that have entered the pipeline */
   /* true if the oldest block in the ring is in the pipeline, which it leaves at free_at */
   bool working;

   /* Range of blocks of the slice that have not been added to the ring. For primitives, `next` and
    * `end` are indices in trace->blocks. For transfers, they are indices within the slice.
    */
   uint32_t next, end;
   /* For transfers, the number of block columns and block rows per layer. `columns` is 0 if the
    * rectangle is a placeholder for the whole memory.
    */
   uint32_t columns, rows;
   struct sgt_pixel_block *ring; /* ring of prefetched blocks, with params->dram.ahead elements */
   /* first: index of the oldest block in the ring;
    * num: number of blocks in the ring
    */
   uint32_t first, num;

   /* Addresses that the youngest block reads. The elements from `read` to num_reads - 1 have not
    * been sent yet.
    */
   uint64_t reads[3 * SGT_BLOCK_BYTES / SGT_DRAM_BURST + 64];
   uint32_t read, num_reads;
   /* num_writes writes are in the ring, waiting to be sent. open_writes writes have been sent but
    * have not completed yet.
    */
   uint64_t *writes; /* ring of write addresses, with params->dram.write_queue elements */
   uint32_t first_write, num_writes, open_writes;
};

/* Adds the unit to the scheduler and connects it to `issue` and the next port of `dram`. Returns
 * false if allocation fails.
 */
bool sgt_accelerator_init(struct sgt_accelerator *a, struct sgt_sched *sched,
                          const struct sgt_clock *clock, struct sgt_unit *issue,
                          struct sgt_dram *dram, const struct sgt_trace *trace,
                          const struct sgt_engine_params *params,
                          const struct sgt_addresses *addresses, struct sgt_account *account);
void sgt_accelerator_finish(struct sgt_accelerator *a);
/* Returns true if the accelerator has no slice and its channels are empty. */
bool sgt_accelerator_idle(const struct sgt_accelerator *a);
/* Dumps the requests in flight. */
void sgt_accelerator_dump(const struct sgt_accelerator *a, uint32_t number, struct sgt_dump *d);

#endif
