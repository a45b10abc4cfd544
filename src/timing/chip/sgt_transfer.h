/* SPDX-License-Identifier: MIT */
/*
 * Transfer unit: executes clears, copies and fills by sending requests to the ROPs, one operation
 * after the other. At barriers, it also makes the ROPs write back their caches.
 *
 * A write to a line is only sent after all reads that were generated before the write have been
 * answered. Accesses by the CPU take no time in this model.
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
   SGT_TRANSFER_BUSY,  /* sends requests */
   SGT_TRANSFER_ROP,   /* the queue of a ROP is full */
   SGT_TRANSFER_READS, /* waits for lines of the source */
   SGT_TRANSFER_ENDS,  /* all requests have been sent, but some are not complete */
   SGT_TRANSFER_EMPTY, /* no operation is available */
   SGT_TRANSFER_STATES,
};

struct sgt_transfer {
   struct sgt_unit unit;
   struct sgt_transfer_params params;
   const struct sgt_trace *trace;
   /* channel from the host interface with the operations to execute */
   struct sgt_channel *operations;
   /* channel that tells the host interface which operations have ended */
   struct sgt_channel *ended;
   struct sgt_rop_client client;
   /* called after the ROPs have written back their caches; can be NULL */
   void (*flushed)(void *data);
   void *flushed_data;
   const struct sgt_chip_observer *observer; /* callbacks for memory accesses, or NULL */

   bool begun;     /* true while an operation or a write-back is in progress */
   uint64_t since; /* time when the operation or write-back started, in ticks */
   /* item: index of the operation's next item;
    * items_end: index after the operation's last item
    */
   uint32_t item, items_end;
   /* True if `walk` has requests left. `walk` iterates over the requests of item number `item` - 1.
    */
   bool walking;
   struct sgt_rop_transfer walk;
   /* The next request, which has been generated but neither sent nor queued yet. Only valid if
    * has_request is true.
    */
   struct sgt_rop_request request;
   bool has_request;
   /* number of ROPs that have already received `request` (only for requests that go to all ROPs) */
   uint32_t to_rops;
   /* Number of write-back requests that have not been generated yet: 2 at the start, 1 after the
    * request to write back the depth cache.
    */
   uint32_t flush;
   /* reads: number of reads that have been sent;
    * read: number of the oldest read that has not been answered yet
    */
   uint64_t reads, read;
   /* ring buffer of params.reads flags, each of which is true if the read has been answered */
   bool *answered;
   /* Ring buffer of writes that have not been sent yet, in order. `first` is the index of the
    * oldest write, and `num` is the number of writes.
    */
   struct sgt_transfer_write {
      struct sgt_rop_request request;
      uint64_t reads; /* number of reads that must be answered before this write can be sent */
   } * ring;
   uint32_t first, num;
   uint64_t open; /* number of requests that have not been answered yet */

   struct sgt_unit_states states;
   struct sgt_transfer_counters counters;
};

/* Adds the unit to the scheduler. The caller must set the channels before the scheduler first calls
 * the unit. Returns false on allocation failure.
 */
bool sgt_transfer_init(struct sgt_transfer *t, struct sgt_sched *sched,
                       const struct sgt_clock *clock, const struct sgt_transfer_params *params,
                       const struct sgt_trace *trace);
void sgt_transfer_finish(struct sgt_transfer *t);
bool sgt_transfer_idle(const struct sgt_transfer *t);
/* Dumps the state of the unit and the progress of its operation. */
void sgt_transfer_dump(const struct sgt_transfer *t, struct sgt_dump *d);
/* Registers the statistics of the unit with `stats`, for a run of `cycles` cycles of the unit's
 * clock. The unit must outlive `stats`.
 */
void sgt_transfer_register(struct sgt_transfer *t, uint64_t cycles, struct sgt_stats *stats);

#endif
