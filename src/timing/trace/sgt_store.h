/* SPDX-License-Identifier: MIT */
/*
 * Event store: a device observer (sgpu_observer.h) that creates traces. A separate thread converts
 * chunks in program order while the device is running.
 *
 *    store = sgt_store_create(&params);
 *    device_params.observer = sgt_store_observer(store);     before the device is created
 *    sgt_store_submissions(store, SGT_STORE_RECORD, frame);  mode of subsequent submissions
 *    ...                                                     submit, and wait for completion
 *    trace = sgt_store_finish(store, error, sizeof error);   then the next range of frames
 *
 * or, without waiting for the device:
 *
 *    params.segment = function;                              called for each segment
 *    sgt_store_cut(store, mark);                             ends the current segment
 *
 * Destroy the device before the store.
 */
#ifndef SGT_STORE_H
#define SGT_STORE_H

#include <stddef.h>

#include "sgpu_observer.h"
#include "trace/sgt_trace.h"
#include "trace/sgt_work.h"

struct sgt_store;

/* A segment that the store passes to sgt_store_params::segment. The callback takes ownership of the
 * trace and the work.
 */
struct sgt_store_segment {
   struct sgt_trace *trace; /* trace, or NULL on an error */
   /* executed warps of the trace, or NULL on an error or if params.work is false */
   struct sgt_work *work;
   const char *error;
   /* true if sgt_store_cut() has ended the segment, false if its size has exceeded max_trace_bytes
    */
   bool cut;
   uint64_t mark;       /* the argument `mark` of sgt_store_cut() */
   uint64_t submission; /* index of the submission that contains the last operation */
   uint32_t packet;     /* index of the last operation's packet in that submission */
};

struct sgt_store_params {
   /* classes of events to record; a trace needs SGPU_OBSERVE_COVERAGE or SGPU_OBSERVE_VALUES */
   enum sgpu_observe classes;
   /* Limit for the total size of the chunks that wait for conversion, in bytes, or 0 for 64 MiB.
    * While this limit is exceeded, the device only starts one operation per queue at a time.
    */
   uint64_t max_bytes;
   /* Called like sgpu_observer::state for each draw state and each transfer of recorded
    * submissions. The return value is stored in trace->states. If NULL, the operations of the trace
    * have no state.
    */
   uint32_t (*state)(void *data, const struct sgd_state *state, const struct sgd_xfer *xfer);
   /* Called on the store's thread for each segment, in order. Can be NULL if the caller doesn't use
    * segments.
    */
   void (*segment)(void *data, const struct sgt_store_segment *segment);
   /* Size limit for the trace and the work of a segment, in bytes, or 0 for no limit. The segment
    * ends after the operation that exceeds this limit.
    */
   uint64_t max_trace_bytes;
   /* Called like sgpu_observer::timestamp. Can be NULL. */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
   void *data;
   /* Set to also record the executed warps (see sgt_store_work()). Otherwise, compute grids and
    * draws whose shaders write memory are rejected. Requires the event class
    * SGPU_OBSERVE_PRIMITIVES or a higher one.
    */
   bool work;
};

enum sgt_store_mode {
   SGT_STORE_IGNORE, /* ignore the submission, which isn't part of the capture */
   SGT_STORE_COUNT,  /* only count the draws of the submission */
   SGT_STORE_RECORD, /* add the submission to the trace */
};

/* Creates a store in mode SGT_STORE_COUNT. Returns NULL if allocation or thread creation fails. */
struct sgt_store *sgt_store_create(const struct sgt_store_params *params);
void sgt_store_destroy(struct sgt_store *store);
const struct sgpu_observer *sgt_store_observer(struct sgt_store *store);

/* Sets the mode of subsequent submissions. `frame` is the frame number of recorded submissions. */
void sgt_store_submissions(struct sgt_store *store, enum sgt_store_mode mode, uint32_t frame);

/* A CPU access to a buffer object. CPU accesses are ordered with respect to submissions. They
 * belong to the frame of the last recorded submission.
 */
struct sgt_direct {
   uint64_t begin, end;       /* range of device addresses */
   uint64_t bo_begin, bo_end; /* range of device addresses of the buffer object */
   bool write;
   uint32_t record; /* writes: value to store in trace->states, or UINT32_MAX for none */
};
void sgt_store_direct(struct sgt_store *store, const struct sgt_direct *direct);

/* Ends the current segment after all submissions and CPU accesses so far, without waiting for their
 * conversion. The store calls params.segment once it has converted them. Returns false if
 * allocation fails.
 */
bool sgt_store_cut(struct sgt_store *store, uint64_t mark);

/* Records the size in pixels of a presented surface. The largest presented surface determines the
 * size of the trace.
 */
void sgt_store_presented(struct sgt_store *store, uint32_t width, uint32_t height);

/* Returns the trace of everything recorded since the previous call. All submissions must have
 * completed. Returns NULL and writes a message if allocation fails or if events are invalid.
 */
struct sgt_trace *sgt_store_finish(struct sgt_store *store, char *error, size_t error_size);

/* Returns the executed warps of the last trace that sgt_store_finish() has returned. The caller
 * takes ownership, so a second call returns NULL. Also returns NULL if params.work is false.
 */
struct sgt_work *sgt_store_work(struct sgt_store *store);

/* Sets *all to the total size of all chunks so far, and *most to the maximum size of chunks that
 * waited for conversion at the same time. Both are in bytes.
 */
void sgt_store_bytes(struct sgt_store *store, uint64_t *all, uint64_t *most);

#endif
