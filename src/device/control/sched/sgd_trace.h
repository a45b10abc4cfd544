/* SPDX-License-Identifier: MIT */
/*
 * Timeline of a device for Perfetto and chrome://tracing (SGPU_DEBUG=trace=FILE): the activities of
 * each thread with start and end, as a JSON array in "Trace Event Format". If tracing is off, each
 * event only costs a pointer check.
 */
#ifndef SGD_TRACE_H
#define SGD_TRACE_H

#include <stdint.h>

struct sgd_trace;

/* Prints a message and returns NULL if the file can't be written or an allocation fails. */
struct sgd_trace *sgd_trace_create(const char *path);
void sgd_trace_destroy(struct sgd_trace *trace);
/* Writes all buffered events to the file. Must be called before a fork, since the child would write
 * them again.
 */
void sgd_trace_flush(struct sgd_trace *trace);

/* Names the calling thread in the trace. */
void sgd_trace_thread(struct sgd_trace *trace, const char *name);
/* Records an activity of the calling thread from `start` to `end` (sgd_time_ns). `number` is
 * displayed with the activity, and identifies the operation, buffer or fence.
 */
void sgd_trace_span(struct sgd_trace *trace, const char *name, uint64_t start, uint64_t end,
                    uint64_t number);
/* Records that a submission was submitted (phase 'b') or has ended (phase 'e') at `time`
 * (sgd_time_ns). Submissions may overlap.
 */
void sgd_trace_submission(struct sgd_trace *trace, uint64_t number, uint64_t time, char phase);

#endif
