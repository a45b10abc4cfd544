/* SPDX-License-Identifier: MIT */
/*
 * Shared by the tests of traces of whole devices: devices that must make equal traces, and
 * sums that must be the device's counters.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_device.h"
#include "trace/sgt_store.h"

/* Threads, policies and seeds; the first is a device that does one thing after the other. */
struct events_way {
   unsigned threads;
   enum sgpu_dispatch_policy policy;
   uint64_t seed;
   enum sgpu_observe classes;
   uint64_t max_bytes; /* of the store; 1: the device always waits for it */
   bool work;
};
extern const struct events_way events_ways[];
extern const unsigned events_num_ways;
/* The same with work. */
extern const struct events_way events_work_ways[];
extern const unsigned events_num_work_ways;

/* Parameters of a device with the store as its observer; NULL: none, on the lowest host
 * level.
 */
struct sgpu_device_params events_params(const struct events_way *way, struct sgt_store *store);
struct sgt_store *events_store(const struct events_way *way);

/* Counters of work, by enum sgpu_counter. */
#define EVENTS_MAX_COUNTERS 256
void events_counters(struct sgpu_device *dev, uint64_t values[EVENTS_MAX_COUNTERS]);
/* Counters that must not depend on observation are the same; prints those that differ. */
bool events_same_work(const uint64_t *a, const uint64_t *b);

/* The trace's sums against what the counters have grown by. */
bool events_check(const struct sgt_trace *t, const uint64_t *before, const uint64_t *after);
/* The work against its trace and the same counters. */
bool events_check_work(const struct sgt_trace *t, const struct sgt_work *work,
                       const uint64_t *before, const uint64_t *after);
/* Operations, items and blocks are equal, values aside. */
bool events_same_coverage(const struct sgt_trace *a, const struct sgt_trace *b);

#endif
