/* SPDX-License-Identifier: MIT */
/*
 * For tests of traces of whole devices: devices that must produce equal traces, and sums that must
 * equal the device's counters.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_device.h"
#include "trace/sgt_store.h"

/* Threads, policies and seeds of a device.  The first one is a device that does one thing after the
 * other.
 */
struct events_way {
   unsigned threads;
   enum sgpu_dispatch_policy policy;
   uint64_t seed;
   enum sgpu_observe classes;
   uint64_t max_bytes; /* limit of the store; 1: the device always waits for the store */
   bool work;
};
extern const struct events_way events_ways[];
extern const unsigned events_num_ways;
/* The same devices, with work. */
extern const struct events_way events_work_ways[];
extern const unsigned events_num_work_ways;

/* Returns the parameters of a device with the store as its observer, or without an observer if
 * store is NULL.  The device uses the lowest host level.
 */
struct sgpu_device_params events_params(const struct events_way *way, struct sgt_store *store);
struct sgt_store *events_store(const struct events_way *way);

/* Returns counters of work, indexed by enum sgpu_counter. */
#define EVENTS_MAX_COUNTERS 256
void events_counters(struct sgpu_device *dev, uint64_t values[EVENTS_MAX_COUNTERS]);
/* Compares counters that must not depend on observation.  Prints those that differ, and returns
 * false if there are any.
 */
bool events_same_work(const uint64_t *a, const uint64_t *b);

/* Compares the sums of the trace with the increases of the counters. */
bool events_check(const struct sgt_trace *t, const uint64_t *before, const uint64_t *after);
/* Compares the work with its trace and with the same counters. */
bool events_check_work(const struct sgt_trace *t, const struct sgt_work *work,
                       const uint64_t *before, const uint64_t *after);
/* Compares operations, items and blocks, but not values. */
bool events_same_coverage(const struct sgt_trace *a, const struct sgt_trace *b);

#endif
