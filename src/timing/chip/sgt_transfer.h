/* SPDX-License-Identifier: MIT */
/*
 * Transfer unit: executes clears, copies and fills as requests to the ROPs, one operation after the
 * other. It also makes the ROPs write back their caches at a barrier. A line is written only when
 * all lines that were read before it have arrived. Accesses by the CPU take no time here.
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
   SGT_TRANSFER_BUSY,  /* requests are sent */
   SGT_TRANSFER_ROP,   /* a ROP's queue is full */
   SGT_TRANSFER_READS, /* lines of the source have not arrived */
   SGT_TRANSFER_ENDS,  /* everything is sent, but not all of it is done */
   SGT_TRANSFER_EMPTY, /* there is no operation */
   SGT_TRANSFER_STATES,
};

struct sgt_transfer {
   struct sgt_unit unit;
   struct sgt_transfer_params params;
   const struct sgt_trace *trace;
   struct sgt_channel *operations; /* operations from the host interface */
   struct sgt_channel *ended;      /* operations that have ended, to the host interface */
   struct sgt_rop_client client;
   void (*flushed)(void *data); /* called when the ROPs have written back their caches, or NULL */
   void *flushed_data;
   const struct sgt_chip_observer *observer; /* observer, or NULL */

   bool begun;               /* an operation or a write-back is being executed */
   uint64_t since;           /* time at which it started, in ticks */
   uint32_t item, items_end; /* index of the operation's next item, and of the end of its items */
   bool walking;             /* `walk` has requests left; it belongs to the item before `item` */
   struct sgt_rop_transfer walk;
   /* the next request, if has_request is set: it is made, but neither sent nor queued */
   struct sgt_rop_request request;
   bool has_request;
   /* number of ROPs that have received the present request, if it goes to all ROPs */
   uint32_t to_rops;
   /* number of write-back requests that are still to be made: 2 at the start, 1 after the one for
    * depth
    */
   uint32_t flush;
   /* Number of reads that were sent, and number of reads at the start of this sequence that are all
    * answered.
    */
   uint64_t reads, read;
   bool *answered; /* whether each read is answered; a ring of params.reads elements */
   /* Writes in order: `num` elements of the ring, starting at index `first`. */
   struct sgt_transfer_write {
      struct sgt_rop_request request;
      uint64_t reads; /* number of reads that must be answered before this write is sent */
   } * ring;
   uint32_t first, num;
   uint64_t open; /* number of requests without an answer */

   struct sgt_unit_states states;
   struct sgt_transfer_counters counters;
};

/* Adds the unit to the scheduler. The caller sets the channels before the unit's first call.
 * Returns false if out of memory.
 */
bool sgt_transfer_init(struct sgt_transfer *t, struct sgt_sched *sched,
                       const struct sgt_clock *clock, const struct sgt_transfer_params *params,
                       const struct sgt_trace *trace);
void sgt_transfer_finish(struct sgt_transfer *t);
bool sgt_transfer_idle(const struct sgt_transfer *t);
/* Writes what the unit has under way. */
void sgt_transfer_dump(const struct sgt_transfer *t, struct sgt_dump *d);
/* Adds the statistics after a run of `cycles` of the unit's clock. The unit must outlive the
 * statistics.
 */
void sgt_transfer_register(struct sgt_transfer *t, uint64_t cycles, struct sgt_stats *stats);

#endif
