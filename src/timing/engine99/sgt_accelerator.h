/* SPDX-License-Identifier: MIT */
/*
 * An accelerator with DRAM: a pixel pipeline whose blocks of 8x4 pixels are read ahead and
 * written behind.  With perfect memory the time of a slice is a sum (sgt_perfect.h), and no
 * unit is needed.
 *
 * A command takes a cycle from the issue unit, and the tag takes one back.  The slice is
 * complete when the last of its writes is done, since a slice that depends on it may read at
 * once.
 */
#ifndef SGT_ACCELERATOR_H
#define SGT_ACCELERATOR_H

#include "engine99/sgt_account.h"
#include "dram/sgt_address.h"
#include "kernel/sgt_channel.h"
#include "dram/sgt_dram_unit.h"

struct sgt_dump;

struct sgt_command {
   uint32_t tag;
   const struct sgt_slice *slice; /* stays until the tag comes back */
};

/* A block of the slice. */
struct sgt_pixel_block {
   uint32_t x, y, layer;
   uint32_t mask;  /* lanes */
   uint32_t reads; /* requests that are not sent or have no response */
};

struct sgt_accelerator {
   struct sgt_unit unit;
   const struct sgt_trace *trace;
   const struct sgt_engine_params *params;
   const struct sgt_addresses *addresses;
   struct sgt_account *account;
   struct sgt_channel commands, tags; /* tags: uint32_t */
   struct sgt_dram_port *port;

   struct sgt_command command;
   const struct sgt_item *item;
   bool active;
   uint32_t rate;    /* pixels a cycle */
   uint64_t free_at; /* cycle: the pipeline takes the next block from then on */
   uint64_t begin;   /* cycle of the first read */
   uint64_t pixels;  /* that entered the pipeline */
   bool working;     /* on the first block of the ring, until free_at */

   /* Blocks still to come. */
   uint32_t next, end;           /* primitives: in trace->blocks; transfers: count */
   uint32_t columns, rows;       /* transfers: blocks of a layer */
   struct sgt_pixel_block *ring; /* params->dram.ahead */
   uint32_t first, num;

   /* Reads of the youngest block that are not sent. */
   uint64_t reads[3 * SGT_BLOCK_BYTES / SGT_DRAM_BURST + 64];
   uint32_t read, num_reads;
   /* Writes that are not sent, and those without a response. */
   uint64_t *writes; /* ring, params->dram.write_queue */
   uint32_t first_write, num_writes, open_writes;
};

/* Adds the unit, between `issue` and the next port of `dram`.  False: no memory. */
bool sgt_accelerator_init(struct sgt_accelerator *a, struct sgt_sched *sched,
                          const struct sgt_clock *clock, struct sgt_unit *issue,
                          struct sgt_dram *dram, const struct sgt_trace *trace,
                          const struct sgt_engine_params *params,
                          const struct sgt_addresses *addresses, struct sgt_account *account);
void sgt_accelerator_finish(struct sgt_accelerator *a);
/* Whether it has no slice and nothing is under way. */
bool sgt_accelerator_idle(const struct sgt_accelerator *a);
/* Writes what the unit has under way. */
void sgt_accelerator_dump(const struct sgt_accelerator *a, uint32_t number, struct sgt_dump *d);

#endif
