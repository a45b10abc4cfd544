/* SPDX-License-Identifier: MIT */
/*
 * Timeline of a device for Perfetto or chrome://tracing, enabled by SGPU_DEBUG=trace=FILE. The file
 * contains the activities of all threads as JSON, in the "Trace Event Format". If it is disabled,
 * the only overhead of an event is a check for NULL.
 */
#ifndef SGD_TRACE_H
#define SGD_TRACE_H

#include <stdint.h>

struct sgd_trace;

/* Prints a message and returns NULL if the file can't be created or memory runs out. */
struct sgd_trace *sgd_trace_create(const char *path);
void sgd_trace_destroy(struct sgd_trace *trace);
/* Writes buffered events to the file. Must be called before a fork; otherwise, parent and child
 * would both write them.
 */
void sgd_trace_flush(struct sgd_trace *trace);

/* Sets the name of the calling thread in the timeline. */
void sgd_trace_thread(struct sgd_trace *trace, const char *name);
/* Adds an activity of the calling thread that lasted from `start` to `end` (sgd_time_ns). `number`
 * identifies the operation, buffer or fence, and is shown in the viewer.
 */
void sgd_trace_span(struct sgd_trace *trace, const char *name, uint64_t start, uint64_t end,
                    uint64_t number);
/* Adds the start (phase 'b') or the end (phase 'e') of a submission at `time` (sgd_time_ns).
 * Several submissions may overlap.
 */
void sgd_trace_submission(struct sgd_trace *trace, uint64_t number, uint64_t time, char phase);

#endif
