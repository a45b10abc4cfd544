/* SPDX-License-Identifier: MIT */
/*
 * The store of events: a device observer (sgpu_observer.h) that makes traces. A separate thread
 * converts the chunks in program order while the device runs.
 *
 *    store = sgt_store_create(&params);
 *    device_params.observer = sgt_store_observer(store);     before the device is created
 *    sgt_store_submissions(store, SGT_STORE_RECORD, frame);  mode of the submissions that follow
 *    ...                                                     submissions; waits for their end
 *    trace = sgt_store_finish(store, error, sizeof error);   then the next range of frames
 *
 * or, without waiting for the device:
 *
 *    params.segment = function;                              called with each segment
 *    sgt_store_cut(store, mark);                             ends a segment after the submissions
 *                                                            so far
 *
 * The store must be destroyed after the device.
 */
#ifndef SGT_STORE_H
#define SGT_STORE_H

#include <stddef.h>

#include "sgpu_observer.h"
#include "trace/sgt_trace.h"
#include "trace/sgt_work.h"

struct sgt_store;

/* A segment, which the store passes to sgt_store_params::segment. The function owns the trace and
 * the work.
 */
struct sgt_store_segment {
   struct sgt_trace *trace; /* trace, or NULL if `error` has a message */
   struct sgt_work *work;   /* work, or NULL as for sgt_store_work() */
   const char *error;
   /* True if sgt_store_cut() ended the segment, false if max_trace_bytes did. */
   bool cut;
   uint64_t mark;       /* parameter `mark` of sgt_store_cut() */
   uint64_t submission; /* number of the submission of the last operation */
   uint32_t packet;     /* number of its packet */
};

struct sgt_store_params {
   enum sgpu_observe classes; /* SGPU_OBSERVE_COVERAGE or SGPU_OBSERVE_VALUES for a trace */
   /* Limit for the size of chunks that are not converted, in bytes; 0 means 64 MiB. Above the
    * limit, the device starts only one operation of a queue at a time.
    */
   uint64_t max_bytes;
   /* Called for the states and transfers of recorded submissions, like sgpu_observer::state. The
    * result is stored in trace->states. NULL: operations have no state.
    */
   uint32_t (*state)(void *data, const struct sgd_state *state, const struct sgd_xfer *xfer);
   /* Called with each segment, in order, on the store's thread. NULL: there are no segments. */
   void (*segment)(void *data, const struct sgt_store_segment *segment);
   /* A segment ends after the operation with which its trace and work exceed this size in bytes. 0:
    * no limit.
    */
   uint64_t max_trace_bytes;
   /* Called like sgpu_observer::timestamp, or NULL. */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
   void *data;
   /* Also make a work (sgt_store_work()). Grids, and draws whose programs write memory, are then
    * operations of the trace; otherwise they are refused. Requires SGPU_OBSERVE_PRIMITIVES or more.
    */
   bool work;
};

enum sgt_store_mode {
   SGT_STORE_IGNORE, /* the submission does not belong to the capture */
   SGT_STORE_COUNT,  /* only its draws are counted */
   SGT_STORE_RECORD, /* it becomes part of the trace */
};

/* Returns NULL if out of memory, or if no thread could be created. The initial mode is
 * SGT_STORE_COUNT.
 */
struct sgt_store *sgt_store_create(const struct sgt_store_params *params);
void sgt_store_destroy(struct sgt_store *store);
const struct sgpu_observer *sgt_store_observer(struct sgt_store *store);

/* Sets the mode of later submissions. `frame` is the frame number of recorded submissions. */
void sgt_store_submissions(struct sgt_store *store, enum sgt_store_mode mode, uint32_t frame);

/* An access by the CPU. It is in order with the submissions, and belongs to the frame of the latest
 * recorded submissions.
 */
struct sgt_direct {
   uint64_t begin, end;       /* range of device addresses */
   uint64_t bo_begin, bo_end; /* range of device addresses of the buffer object */
   bool write;
   uint32_t record; /* for a write: value for trace->states, or UINT32_MAX */
};
void sgt_store_direct(struct sgt_store *store, const struct sgt_direct *direct);

/* Ends a segment after the submissions and accesses so far. The segment is passed to params.segment
 * once they are converted. Returns immediately. Returns false if out of memory.
 */
bool sgt_store_cut(struct sgt_store *store, uint64_t mark);

/* Records the size of a presented surface, for the size of the trace. */
void sgt_store_presented(struct sgt_store *store, uint32_t width, uint32_t height);

/* Returns the trace of everything that was recorded since the previous call. All submissions must
 * have ended. Returns NULL with a message if out of memory, or if events are invalid.
 */
struct sgt_trace *sgt_store_finish(struct sgt_store *store, char *error, size_t error_size);

/* Returns the work of the trace that sgt_store_finish() returned last, once. The caller owns it.
 * Returns NULL if no work is made.
 */
struct sgt_work *sgt_store_work(struct sgt_store *store);

/* Returns the size of all chunks so far in bytes, and the maximum size of chunks that were not
 * converted.
 */
void sgt_store_bytes(struct sgt_store *store, uint64_t *all, uint64_t *most);

#endif
