/* SPDX-License-Identifier: MIT */
/* Query objects, and functions shared by the sgpu_query*.c files. */
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
   unsigned type;               /* PIPE_QUERY_* type */
   unsigned index;              /* index of the vertex stream */
   int slot;                    /* query slot of the queue while the query counts, or -1 */
   struct list_head link;       /* link in sgpu_context::queries */
   struct sgpu_buffer *results; /* memory that holds the query's 64-bit counts */
   struct sgpu_sync *sync;      /* sync of the submission that ends the query */
   uint64_t counter_begin;      /* value of a device counter at the start of the query */

   /* Only used with SGPU_TIMING.  stamps: tokens that stand for the timestamps in `results`;
    * snap_begin, snap_end: the chip's counters at the beginning and end of the query.
    */
   uint64_t stamps[2];
   struct sgt_live_snapshot *snap_begin, *snap_end;
};

static inline struct sgpu_query *
sgpu_query(struct pipe_query *q)
{
   return (struct sgpu_query *)q;
}

void sgpu_queries_restart(struct sgpu_context *ctx);

/* sgpu_query_counters.c: queries of device counters */
bool sgpu_is_counter(unsigned type);
uint64_t sgpu_counter_read(struct sgpu_screen *screen, unsigned type);
/* Returns the value that must be subtracted from the counter when the query ends.  This is the
 * current value, or 0 if the counter is a maximum.
 */
uint64_t sgpu_counter_begin(struct sgpu_screen *screen, unsigned type);

/* sgpu_query_timing.c: queries of the simulated chip's times and counters */
bool sgpu_is_timing_counter(const struct sgpu_screen *screen, unsigned type);
unsigned sgpu_timing_counters(const struct sgpu_screen *screen);
void sgpu_timing_counter_info(unsigned index, struct pipe_driver_query_info *info);
bool sgpu_timing_counter_snap(struct sgpu_context *ctx, struct sgt_live_snapshot **snapshot);
uint64_t sgpu_timing_counter_read(const struct sgpu_screen *screen, const struct sgpu_query *q);
/* Must be called before the packet of a timestamp is written.  `number` is the index of the
 * timestamp in q->results.
 */
void sgpu_timing_stamp(struct sgpu_context *ctx, struct sgpu_query *q, unsigned number);
/* Returns the result of a timer query in nanoseconds.  Must be called after the submissions of the
 * query have ended.
 */
uint64_t sgpu_timing_read(const struct sgpu_screen *screen, const struct sgpu_query *q);
void sgpu_timing_forget(const struct sgpu_screen *screen, struct sgpu_query *q);

#endif
