/* SPDX-License-Identifier: MIT */
/*
 * The time line of a device for Perfetto and chrome://tracing (SGPU_DEBUG=trace=FILE):
 * what each thread does from when to when, in the JSON array of the "Trace Event Format".
 * Without a trace, each event costs the test of a pointer.
 */
#ifndef SGD_TRACE_H
#define SGD_TRACE_H

#include <stdint.h>

struct sgd_trace;

/* NULL: the file cannot be written; a message has been printed. */
struct sgd_trace *sgd_trace_create(const char *path);
void sgd_trace_destroy(struct sgd_trace *trace);
/* Writes what is buffered: else the child of a fork would write it, too. */
void sgd_trace_flush(struct sgd_trace *trace);

/* Names the calling thread. */
void sgd_trace_thread(struct sgd_trace *trace, const char *name);
/* The calling thread did this from start to end (sgd_time_ns).  `number` tells which. */
void sgd_trace_span(struct sgd_trace *trace, const char *name, uint64_t start, uint64_t end,
                    uint64_t number);
/* A submission begins (submit) or ends; spans of submissions overlap. */
void sgd_trace_submission(struct sgd_trace *trace, uint64_t number, uint64_t time, char phase);

#endif
