/* SPDX-License-Identifier: MIT */
/*
 * Queries.
 */
#ifndef SGPU_QUERY_H
#define SGPU_QUERY_H

#include "pipe/p_defines.h"
#include "util/list.h"
#include "util/u_threaded_context.h"

struct sgpu_buffer;
struct sgpu_context;
struct sgpu_screen;
struct sgpu_sync;
struct sgt_live_snapshot;

struct sgpu_query {
   struct threaded_query b;
   unsigned type;               /* PIPE_QUERY_ */
   unsigned index;              /* vertex stream */
   int slot;                    /* of the queue, while it counts; or -1 */
   struct list_head link;       /* in sgpu_context::queries */
   struct sgpu_buffer *results; /* 64-bit numbers */
   struct sgpu_sync *sync;      /* the submission that ends it */
   uint64_t counter_begin;      /* counters of the device */

   /* With SGPU_TIMING. */
   uint64_t stamps[2];                              /* tokens of the timestamps in `results` */
   struct sgt_live_snapshot *snap_begin, *snap_end; /* counters of the chip */
};

static inline struct sgpu_query *
sgpu_query(struct pipe_query *q)
{
   return (struct sgpu_query *)q;
}

void sgpu_queries_restart(struct sgpu_context *ctx);

/* sgpu_query_counters.c: the device's counters as queries. */
bool sgpu_is_counter(unsigned type);
uint64_t sgpu_counter_read(struct sgpu_screen *screen, unsigned type);
/* What to subtract at the end of a query. */
uint64_t sgpu_counter_begin(struct sgpu_screen *screen, unsigned type);

/* sgpu_query_timing.c: times and counters of the simulated chip. */
bool sgpu_is_timing_counter(const struct sgpu_screen *screen, unsigned type);
unsigned sgpu_timing_counters(const struct sgpu_screen *screen);
void sgpu_timing_counter_info(unsigned index, struct pipe_driver_query_info *info);
bool sgpu_timing_counter_snap(struct sgpu_context *ctx, struct sgt_live_snapshot **snapshot);
uint64_t sgpu_timing_counter_read(const struct sgpu_screen *screen, const struct sgpu_query *q);
/* Before the packet of a timestamp: `number` of the results is one. */
void sgpu_timing_stamp(struct sgpu_context *ctx, struct sgpu_query *q, unsigned number);
/* Nanoseconds of a query whose last submission has ended. */
uint64_t sgpu_timing_read(const struct sgpu_screen *screen, const struct sgpu_query *q);
void sgpu_timing_forget(const struct sgpu_screen *screen, struct sgpu_query *q);

#endif
