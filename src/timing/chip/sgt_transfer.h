/* SPDX-License-Identifier: MIT */
/*
 * Transfer unit: clears, copies and fills, as requests to the ROPs, one operation after the
 * other; and the write-back of their caches at a barrier.  A line is written when the lines
 * that were read ahead of it are there.  Accesses by the CPU take no time here.
 */
#ifndef SGT_TRANSFER_H
#define SGT_TRANSFER_H

#include "chip_front/sgt_front_ports.h"
#include "chip_rop/sgt_rop_client.h"
#include "chip_rop/sgt_rop_split.h"
#include "stats/sgt_transfer_counters.h"
#include "params/sgt_transfer_params.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_chip_observer;
struct sgt_dump;
struct sgt_stats;

enum sgt_transfer_state {
   SGT_TRANSFER_BUSY,  /* requests go */
   SGT_TRANSFER_ROP,   /* a ROP has no place */
   SGT_TRANSFER_READS, /* lines that are read are not there */
   SGT_TRANSFER_ENDS,  /* everything is sent and not all of it done */
   SGT_TRANSFER_EMPTY,
   SGT_TRANSFER_STATES,
};

struct sgt_transfer {
   struct sgt_unit unit;
   struct sgt_transfer_params params;
   const struct sgt_trace *trace;
   struct sgt_channel *operations; /* from the host interface */
   struct sgt_channel *ended;      /* to it */
   struct sgt_rop_client client;
   void (*flushed)(void *data); /* called when a write-back has ended; or NULL */
   void *flushed_data;
   const struct sgt_chip_observer *observer; /* or NULL */

   bool begun;
   uint64_t since;           /* ticks */
   uint32_t item, items_end; /* the next one */
   bool walking;             /* `walk` is of the item before it */
   struct sgt_rop_transfer walk;
   struct sgt_rop_request request; /* made, and not sent or queued */
   bool has_request;
   uint32_t to_rops; /* ROPs from 0 that a request to all of them has reached */
   uint32_t flush;   /* of 2 write-backs, those that are made */
   /* Reads are numbered; those before `read` are answered. */
   uint64_t reads, read;
   bool *answered; /* ring of params.reads */
   struct sgt_transfer_write {
      struct sgt_rop_request request;
      uint64_t reads; /* that it waits for */
   } * ring;
   uint32_t first, num;
   uint64_t open; /* requests without an answer */

   struct sgt_unit_states states;
   struct sgt_transfer_counters counters;
};

/* Adds the unit to the scheduler; the channels are set before its first call.  False: no
 * memory.
 */
bool sgt_transfer_init(struct sgt_transfer *t, struct sgt_sched *sched,
                       const struct sgt_clock *clock, const struct sgt_transfer_params *params,
                       const struct sgt_trace *trace);
void sgt_transfer_finish(struct sgt_transfer *t);
bool sgt_transfer_idle(const struct sgt_transfer *t);
/* Writes what the unit has under way. */
void sgt_transfer_dump(const struct sgt_transfer *t, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_transfer_register(struct sgt_transfer *t, uint64_t cycles, struct sgt_stats *stats);

#endif
