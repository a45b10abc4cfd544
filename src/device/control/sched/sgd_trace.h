/* SPDX-License-Identifier: MIT */
/*
 * The time line of a device for Perfetto and chrome://tracing (SGPU_DEBUG=trace=FILE): the
 * activities of each thread with start and end, as a JSON array in "Trace Event Format".  Without a
 * trace, each event costs only the test of a pointer.
 */
#ifndef SGD_TRACE_H
#define SGD_TRACE_H

#include <stdint.h>

struct sgd_trace;

/* Returns NULL, after a message, if the file cannot be written or if out of memory. */
struct sgd_trace *sgd_trace_create(const char *path);
void sgd_trace_destroy(struct sgd_trace *trace);
/* Writes the buffered events.  Otherwise, the child of a fork would write them again. */
void sgd_trace_flush(struct sgd_trace *trace);

/* Sets the name of the calling thread. */
void sgd_trace_thread(struct sgd_trace *trace, const char *name);
/* Records an activity of the calling thread from start to end (sgd_time_ns).  `number` is shown
 * with the activity; it identifies the operation, buffer or fence.
 */
void sgd_trace_span(struct sgd_trace *trace, const char *name, uint64_t start, uint64_t end,
                    uint64_t number);
/* Records that a submission was submitted (phase 'b') or has ended ('e') at a time (sgd_time_ns).
 * Submissions may overlap.
 */
void sgd_trace_submission(struct sgd_trace *trace, uint64_t number, uint64_t time, char phase);

#endif
