/* SPDX-License-Identifier: MIT */
/*
 * The store of events: the observer of a device (sgpu_observer.h) that makes traces.  A
 * thread of its own works chunks off in program order while the device goes on.
 *
 *    store = sgt_store_create(&params);
 *    device_params.observer = sgt_store_observer(store);     then the device is created
 *    sgt_store_submissions(store, SGT_STORE_RECORD, frame);  of the submissions that follow
 *    ...                                                     submissions; then waits for them
 *    trace = sgt_store_finish(store, error, sizeof error);   and on to the next range
 *
 *
 * or, while the device goes on:
 *
 *    params.segment = function;                              takes each segment
 *    sgt_store_cut(store, mark);                             submissions so far are a segment
 *
 * A store outlives its device.
 */
#ifndef SGT_STORE_H
#define SGT_STORE_H

#include <stddef.h>

#include "sgpu_observer.h"
#include "trace/sgt_trace.h"
#include "trace/sgt_work.h"

struct sgt_store;

/* A trace that the store hands over, and its work: the receiver's. */
struct sgt_store_segment {
   struct sgt_trace *trace; /* NULL: `error` says why */
   struct sgt_work *work;   /* NULL: as sgt_store_work */
   const char *error;
   bool cut;            /* by sgt_store_cut; else by max_trace_bytes */
   uint64_t mark;       /* of the cut */
   uint64_t submission; /* of its last operation */
   uint32_t packet;
};

struct sgt_store_params {
   enum sgpu_observe classes; /* SGPU_OBSERVE_COVERAGE or _VALUES for a trace */
   uint64_t max_bytes;        /* of chunks that are not worked off; above, the device takes no more
                        * operations than one of a queue at a time; 0: 64 MiB */
   /* Called for the states and transfers of recorded submissions, as observer->state.  The
    * result goes to trace->states.  NULL: none.
    */
   uint32_t (*state)(void *data, const struct sgd_state *state, const struct sgd_xfer *xfer);
   /* Takes segments in their order, on the store's thread; NULL: there are no cuts. */
   void (*segment)(void *data, const struct sgt_store_segment *segment);
   /* A segment ends after the operation with which its trace and work have more bytes; 0: no
    * limit.
    */
   uint64_t max_trace_bytes;
   /* As observer->timestamp. */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
   void *data;
   bool work; /* what programs do is wanted, too: sgt_store_work.  Grids, and draws whose programs
               * write memory, are operations of the trace; without work they are refused.  classes:
               * from primitives on */
};

enum sgt_store_mode {
   SGT_STORE_IGNORE, /* not of the capture */
   SGT_STORE_COUNT,  /* its draws count */
   SGT_STORE_RECORD, /* it is in the trace */
};

/* NULL: out of memory, or no thread.  At first, submissions are counted. */
struct sgt_store *sgt_store_create(const struct sgt_store_params *params);
void sgt_store_destroy(struct sgt_store *store);
const struct sgpu_observer *sgt_store_observer(struct sgt_store *store);

/* How the submissions that follow are taken; `frame` counts for those that are recorded. */
void sgt_store_submissions(struct sgt_store *store, enum sgt_store_mode mode, uint32_t frame);

/* An access by the CPU, in order with the submissions, in the frame of the latest ones that are
 * recorded.
 */
struct sgt_direct {
   uint64_t begin, end;       /* device addresses of the bytes */
   uint64_t bo_begin, bo_end; /* of their buffer */
   bool write;
   uint32_t record; /* of a write, for trace->states; UINT32_MAX: none */
};
void sgt_store_direct(struct sgt_store *store, const struct sgt_direct *direct);

/* With params.segment: the submissions and accesses so far end a segment, which is handed over
 * when they are worked off.  Returns at once.  False: out of memory.
 */
bool sgt_store_cut(struct sgt_store *store, uint64_t mark);

/* A presented surface, for the size of the trace. */
void sgt_store_presented(struct sgt_store *store, uint32_t width, uint32_t height);

/* The trace of what was recorded since the latest call.  All submissions have ended.  NULL, with
 * a message: out of memory, or events that are not as they should be.
 */
struct sgt_trace *sgt_store_finish(struct sgt_store *store, char *error, size_t error_size);

/* The work of the trace that sgt_store_finish has returned latest, once; the caller's.  NULL:
 * none is wanted.
 */
struct sgt_work *sgt_store_work(struct sgt_store *store);

/* Bytes of chunks so far, and the most that were not worked off. */
void sgt_store_bytes(struct sgt_store *store, uint64_t *all, uint64_t *most);

#endif
